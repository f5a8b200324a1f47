"""Forms filled in wrongly: a sentence at the place, what was typed is kept, no money moves."""

import html
import json
import re
from typing import Any
from urllib.parse import quote

import pytest

from pitboss.house.sessions import csrf
from tests.browser.forms import FORM, Forms, Said, refused, seated
from tests.browser.player import see
from tests.browser.scenes import DIAMOND_JO, HOLLYWOOD, SENECA, Play, payoff
from tests.browser.visitors import PASSWORD, Site, Visitors, accessible
from tests.web.open_house import Caller


class Betting:
    """The betting form of a table, with nothing wrong in it."""

    def __init__(self, forms: Forms, table: str) -> None:
        self.forms, self.path = forms, f"/tables/{table}"
        moment = forms.caller.view(table)["moment"]
        self.fields = {"do": "bet", "seat": "2", "moment": moment, "wager-ante": "5"}

    def __call__(self, **wrong: Any) -> Said:
        """Send it with something wrong in it."""
        given = {name.replace("_", "-"): value for name, value in wrong.items()}
        return self.forms(self.path, {**self.fields, **given})


MARKUP = "<img src=x onerror=alert(1)>"

NO_MONEY = (
    *("-5", "abc", "5.5", "5.123", "5,00", "1e9", "NaN", "Infinity", "-0", "+5", "0x10", "5 5"),
    *(
        "\N{FULLWIDTH DIGIT FIVE}",
        "\N{ARABIC-INDIC DIGIT FIVE}",
        "\N{MONEY BAG}",
        "'; DROP",
        MARKUP,
    ),
)


@pytest.mark.parametrize("play", [SENECA, DIAMOND_JO], ids=lambda play: play.book)
def test_no_money_at_all(forms: Forms, play: Play) -> None:
    bet, before = Betting(forms, seated(forms, play)), forms.cents()
    other = next(each for each in play.wagers if each != "ante")
    for field in ("ante", other, *(["toke"] if play is DIAMOND_JO else [])):
        name = field if field == "toke" else f"wager-{field}"
        for written in NO_MONEY:
            said = bet(**{name: written})
            assert said.status == 400
            assert "is not money; write it such as $25.00" in said.alert
            assert [*said.amiss] == [field]
            assert "is not money; write it such as $25.00" in said.amiss[field]
            assert said.values[field] == written[:20]
            assert field == "ante" or said.values["ante"] == "5"
    assert forms.cents() == before


WRONG = [
    (SENECA, {"wager-ante": ""}, "ante", "put a wager on Ante first"),
    (SENECA, {"wager-ante": "0"}, "ante", "put a wager on Ante first"),
    (SENECA, {"wager-ante": "4"}, "ante", "Ante takes at least $5, not $4"),
    (SENECA, {"wager-ante": "4.99"}, "ante", "Ante takes at least $5, not $4.99"),
    (SENECA, {"wager-ante": "5.50"}, "ante", "The smallest chip here is $1"),
    (SENECA, {"wager-ante": "100001"}, "ante", "Ante takes at most $100, not $100,001"),
    (HOLLYWOOD, {"wager-ante": "100001"}, "", "There are not enough chips for that."),
    (HOLLYWOOD, {"wager-ante": "1,001.00"}, "", "There are not enough chips for that."),
    (SENECA, {"wager-ante": "9" * 12}, "ante", "more money than any table holds"),
    (SENECA, {"wager-ante": "9" * 39}, "ante", "more money than any table holds"),
    (SENECA, {"wager-ante": "9" * 5000}, "ante", "is not money"),
    (SENECA, {"wager-progressive": "2"}, "progressive", "Progressive takes exactly $1, not $2"),
    (SENECA, {"wager-progressive": "0.99"}, "progressive", "takes exactly $1, not $0.99"),
    (SENECA, {"wager-ante": "", "wager-progressive": "1"}, "progressive", "needs a wager on Ante"),
    (DIAMOND_JO, {"wager-ante": "101"}, "ante", "Ante takes at most $100, not $101"),
    (DIAMOND_JO, {"wager-lo-ball": "0.50"}, "lo-ball", "Lo Ball takes at least $1, not $0.50"),
    (DIAMOND_JO, {"wager-lo-ball": "500"}, "lo-ball", "Lo Ball takes at most $100"),
    (DIAMOND_JO, {"toke": "1000"}, "toke", "a toke is at most $10"),
    (DIAMOND_JO, {"toke": "9"}, "toke", "toke"),
]


def test_the_wrong_sum(forms: Forms) -> None:
    bets = {
        play.book: Betting(forms, seated(forms, play)) for play in (SENECA, DIAMOND_JO, HOLLYWOOD)
    }
    before = forms.cents()
    for play, wrong, field, sentence in WRONG:
        said = bets[play.book](**wrong)
        assert sentence.lower() in said.alert.lower()
        assert [*said.amiss] == ([field] if field else []), (wrong, said)
        if field:
            assert sentence.lower() in said.amiss[field].lower()
        for name, written in wrong.items():
            assert said.values[name.removeprefix("wager-")] == written[:20]
    assert forms.cents() == before


def test_a_form_that_is_tampered_with(forms: Forms) -> None:
    table = seated(forms)
    bet, before = Betting(forms, table), forms.cents()
    for wrong, status, sentence in [
        ({"seat": "x"}, 400, "This is no whole number."),
        ({"seat": ""}, 400, "This is no whole number."),
        ({"seat": "\N{FULLWIDTH DIGIT TWO}"}, 400, "This is no whole number."),
        ({"seat": "1"}, 403, "Seat 1 is not yours."),
        ({"seat": "999999999"}, 403, "Seat 999999999 is not yours."),
        ({"moment": "earlier"}, 409, "The table has gone on since you looked;"),
        ({"moment": MARKUP}, 409, "The table has gone on since you looked;"),
        ({"do": ""}, 400, "This form asks for nothing that is done here."),
        ({"do": MARKUP}, 400, "This form asks for nothing that is done here."),
        ({"do": "raise:2"}, 409, "Seat 2 is not in this round."),
        ({"do": "raise:-2"}, 400, "This is no whole number."),
        ({"do": "raise:NaN"}, 400, "This is no whole number."),
        ({"do": "fold"}, 409, "Seat 2 is not in this round."),
        ({"do": "check"}, 409, "Seat 2 is not in this round."),
        ({"do": "sit", "seat": "2"}, 409, "Seat 2 is taken."),
        ({"do": "sit", "seat": "99"}, 409, "Seats here are numbered 1 to 6."),
        ({"do": "seat-bot", "seat": "2"}, 409, "Seat 2 is taken."),
        ({"do": "seat-bot", "seat": "0"}, 409, "Seats here are numbered 1 to 6."),
        ({"csrf": ""}, 403, "This form is from an earlier session"),
        ({"csrf": csrf("somebody else's")}, 403, "This form is from an earlier session"),
        ({"csrf": "\N{MONEY BAG}"}, 403, "This form is from an earlier session"),
    ]:
        said = bet(**wrong)
        assert (said.status, sentence in said.alert) == (status, True), (wrong, said)
    for kind, body, status in [
        ("application/json", b"{}", 415),
        ("text/plain", b"do=bet", 415),
        (FORM, b"\xff=\xff", 400),
        (FORM, b"a=1&" * 200, 400),
        (FORM, b"a=" + b"1" * 70_000, 413),
    ]:
        assert refused(forms.send("POST", bet.path, body, kind)).status == status
    assert forms.cents() == before
    assert forms.caller.view(table)["seats"][0]["stakes"] == {}


def test_a_decision_that_cannot_be_made(forms: Forms) -> None:
    table = seated(forms)
    bet = Betting(forms, table)
    assert forms.raw(bet.path, bet.fields).status == 303
    after = forms.cents()
    said = bet()  # the same form again, in another window
    assert (said.status, "has gone on since you looked" in said.alert) == (409, True)
    moment = forms.caller.view(table)["moment"]
    decide = {"seat": "2", "moment": moment}
    for do, status, sentence in [
        ("raise:3", 409, ""),
        ("raise:0", 409, ""),
        ("raise:999999999", 409, ""),
        ("raise:9999999999", 400, "This is no whole number."),
        ("raise", 400, "This is no whole number."),
        ("bet", 409, ""),
        ("take-back", 409, ""),
        ("close-table", 409, ""),
    ]:
        said = forms(bet.path, {**decide, "do": do, "wager-ante": "5"})
        assert (said.status, sentence in said.alert) == (status, True), (do, said)
    assert forms.cents() == after


def test_the_same_form_twice_is_done_once(forms: Forms) -> None:
    table = seated(forms)
    bet, before = Betting(forms, table), forms.cents()
    fields = {**bet.fields, "key": "the-same"}
    answers = [forms.raw(bet.path, fields) for _ in range(3)]
    assert [each.status for each in answers] == [303, 303, 303]
    assert forms.cents() == before - 5_00
    said = forms(bet.path, {**fields, "wager-ante": "50"})
    assert said.alert == "This form was used before; here is the table as it stands."
    assert forms.cents() == before - 5_00


def test_another_persons_table(site: Site, forms: Forms) -> None:
    table = seated(forms)
    eve, fay, nobody = Forms(site.guest()), Forms(site.guest()), Forms(Caller(site.address))
    eve.caller.come(table)
    bet, before = Betting(forms, table), forms.cents()
    for fields, status, sentence in [
        ({"do": "sit", "seat": "2"}, 409, "Seat 2 is taken."),
        ({**bet.fields}, 403, "Seat 2 is not yours."),
        ({"do": "close-table"}, 403, ""),
        ({"do": "seat-bot", "seat": "3"}, 403, ""),
        ({**bet.fields, "csrf": csrf(forms.caller.token)}, 403, "from an earlier session"),
    ]:
        said = eve(bet.path, fields)
        assert (said.status, sentence in said.alert) == (status, True), (fields, said)
    for stranger in (fay, nobody):
        for fields in (bet.fields, {"do": "sit", "seat": "2"}):
            said = stranger(bet.path, fields)
            assert (said.status, said.alert) == (404, f"There is no table '{table}'.")
    real = site.person("boss", "shift-manager").open(SENECA.book, practice=False)
    said = nobody(f"/tables/{real}", bet.fields)
    assert (said.status, "session has ended" in said.alert) == (401, True)
    assert forms.cents() == before


def test_what_is_not_there(forms: Forms) -> None:
    for path, status in [
        ("/tables/no-such", 404),
        ("/tables/" + "x" * 3000, 404),
        ("/tables/%00", 404),
        ("/tables/%ff", 404),
        ("/tables/" + quote("\N{MONEY BAG}" + MARKUP), 404),
        ("/rounds/no-such", 404),
        ("/rounds/no-such-99999999999", 404),
        ("/rounds/no-such-1/key", 404),
        ("/rules/no/such", 404),
        ("/rules/" + quote("../../etc/passwd"), 404),
        ("/rules/", 404),
        ("/nowhere", 404),
        ("/floor", 403),
    ]:
        answer = forms.send("GET", path)
        assert refused(answer).status == status
        head = {403: "This is not open to you", 404: "There is nothing here"}[status]
        assert f"<h1>{head}</h1>" in answer.raw.decode()
        assert b"onerror" not in answer.raw.replace(b"&lt;img src=x onerror", b"")
    assert forms("/tables/no-such", {"do": "sit", "seat": "1"}).status == 404
    for rulebook, bots, status in [
        ("no/such", "2", 409),
        ("", "2", 409),
        (MARKUP, "2", 409),
        ("../../../etc/passwd", "2", 409),
        ("common/mississippi-stud", "x", 400),
        ("common/mississippi-stud", "-1", 400),
        ("common/mississippi-stud", "1e9", 400),
    ]:
        said = forms("/practice", {"rulebook": rulebook, "bots": bots})
        assert said.status == status, (rulebook, bots, said)
    assert forms("/coach", {"coach": "show", "table": "//elsewhere.example/"}).status == 404


def test_signing_in(site: Site) -> None:
    forms = Forms(Caller(site.address))
    site.person("ann", "player")
    for name in ("", "nobody", MARKUP, "\N{MONEY BAG}", "x" * 5000):
        answer = forms.raw("/sign-in", {"name": name, "password": "x" * 5000})
        assert refused(answer).alert == "Name or password is wrong."
        assert f'value="{html.escape(name[:40])}"'.encode() in answer.raw
    for _ in range(3):
        said = forms("/sign-in", {"name": "ann", "password": "not the password"})
        assert (said.status, said.alert) == (401, "Name or password is wrong.")
    said = forms("/sign-in", {"name": "ann", "password": PASSWORD})
    assert (said.status, said.alert) == (
        429,
        "Too many failures from here: wait one minute, or ask an administrator.",
    )


def test_a_password_of_ones_own(site: Site) -> None:
    forms, secret = Forms(Caller(site.address)), "for-once-only"
    site.person("ann", "player")
    site.run(site.web.sessions.set_password("house", "ann", secret, once=True))
    for new, sentence in [
        ("", "This is a one-time secret: set a password of your own first."),
        ("short", "A password has 10 to 200 characters."),
        ("x" * 201, "A password has 10 to 200 characters."),
        (secret, "The new password is the old one."),
    ]:
        answer = forms.raw("/sign-in", {"name": "ann", "password": secret, "new": new})
        assert refused(answer).alert == sentence
        field = re.search(rb'<input id="new"[^>]*>', answer.raw)
        assert field
        assert (b"aria-invalid=true" in field[0]) == bool(new)
        assert secret.encode() not in answer.raw
    answer = forms.raw("/sign-in", {"name": "ann", "password": secret, "new": PASSWORD})
    assert (answer.status, answer.headers["location"]) == (303, "/")


def approves(seat: int, role: str) -> dict[str, str]:
    """What the button sends that approves a payoff: the command, as a program writes it."""
    command = {"action": "approve-payoff", "seat": seat, "role": role}
    return {"do": "way", "command": json.dumps(command)}


def test_the_floor(site: Site, forms: Forms) -> None:
    site.person("pip", "player")
    pip = Caller(site.address).login("pip", PASSWORD)
    table = payoff(site, pip)
    flo = Forms(Caller(site.address).login("flo", PASSWORD))
    won = {"round": "1", "won": "200000"}  # fifty dollars at 40 to 1
    approve = {**won, **approves(1, "floor-supervisor")}
    before = pip("GET", "/api/me").json["chips_cents"]
    for fields, sentence in [
        ({**approve, "won": "x"}, "This is no whole number."),
        ({**approve, "command": "{"}, "This form asks for nothing that is done here"),
        ({**approve, "command": MARKUP}, "This form asks for nothing that is done here"),
        ({**approve, **approves(2, "floor-supervisor")}, "Seat 2 does not win that any more"),
        ({**approve, "won": "199999"}, "Seat 1 does not win that any more"),
        ({**approve, "round": "2"}, "This was about another round"),
        ({"do": "misdeal", "cause": "count", "round": "2"}, "This was about another round"),
        ({**approve, **approves(1, "shift-manager")}, ""),
        ({**approve, **approves(1, MARKUP)}, ""),
        ({"do": "misdeal", "cause": MARKUP, **won}, "The causes here are"),
        ({"do": "misdeal", "cause": "", **won}, "The causes here are"),
        ({"do": "free", "seat": "1 pip"}, "Say whose seat is freed, and why"),
        ({"do": "free", "seat": "9 pip", "why": MARKUP}, "Pip does not hold seat 9"),
        ({"do": "free", "seat": "1 bob", "why": MARKUP}, "Bob does not hold seat 1"),
        ({"do": "free", "seat": f"1 {MARKUP}", "why": "gone"}, "does not hold seat 1"),
        ({"do": "free", "seat": "", "why": "gone"}, "Say whose seat is freed, and why"),
        (won, "This form asks for nothing that is done here"),
        ({**approve, "csrf": ""}, "This form is from an earlier session"),
    ]:
        said = flo(f"/floor/{table}", fields)
        assert sentence in said.alert, (fields, said)
    assert flo("/floor/no-such", approve).alert == "There is no table 'no-such'."
    assert forms(f"/floor/{table}", approve).status == 403
    assert pip("GET", "/api/me").json["chips_cents"] == before
    assert pip.view(table)["approvals"] == {
        "1": ["floor-supervisor", "surveillance-or-shift-manager"]
    }


# In a browser -------------------------------------------------------------------------------------


def test_b16_a_wrong_bet_is_told_once_and_at_its_spot(new_person: Visitors) -> None:
    """Without a script the house says so; with one the page does, before anything is sent."""
    ann = new_person(javascript=False)
    ann.forgive("status of 4")
    forms = Forms(ann.enter())
    table = seated(forms)
    page = ann.page
    page.goto(f"/tables/{table}")
    ante, side = page.get_by_label("Ante", exact=True), page.get_by_label("Progressive", exact=True)
    for written, sentence in [
        ("abc", "'abc' is not money; write it such as $25.00"),
        ("<b>7</b>", "'<b>7</b>' is not money; write it such as $25.00"),
        ("4", "Ante takes at least $5, not $4"),
    ]:
        ante.fill(written)
        side.fill("1")
        page.locator(".bet .go").click()
        see(page.get_by_role("alert")).to_have_count(1)
        see(page.locator("#takes-ante")).to_contain_text(sentence)
        see(ante).to_have_attribute("aria-invalid", "true")
        see(ante).to_have_accessible_description(re.compile(re.escape(sentence)))
        see(ante).to_have_value(written)
        see(side).to_have_value("1")
        see(page.locator("#balance")).to_have_text("$1,000")
    page.emulate_media(color_scheme="dark")
    accessible(page)  # its clauses are links, on white by night as well
    ante.fill("5")
    page.locator(".bet .go").click()
    see(page.locator(".decide")).to_be_visible()
    see(page.get_by_role("alert")).to_have_count(0)
    see(page.locator("#balance")).to_have_text("$994")
