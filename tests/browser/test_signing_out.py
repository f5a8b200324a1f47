"""Guests who leave, keep a name or sign in: they are asked before chips and rounds are lost."""

import html
import re

import pytest

from tests.browser.forms import Forms, refused, seated
from tests.browser.geometry import handsome
from tests.browser.player import see
from tests.browser.scenes import DIAMOND_JO, Scene
from tests.browser.visitors import PASSWORD, Site, Visitors, accessible
from tests.web.open_house import Answer, Caller


def page(answer: Answer) -> str:
    """What a page says, without its markup."""
    assert answer.status < 400, answer
    main = answer.raw.decode().partition("<main")[2]
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", main).split()))


def cookie(answer: Answer) -> str:
    """The session that an answer begins."""
    found: str = re.findall(r"pitboss=([^;]+)", answer.headers["set-cookie"])[0]
    return found


def test_b17_a_guest_is_asked_before_chips_and_rounds_are_lost(forms: Forms) -> None:
    caller, table = forms.caller, seated(forms)
    caller.do(table, "bet", seat=2, wagers={"ante": 5_00})
    caller.do(table, "fold", seat=2)
    asked = forms.raw("/sign-out", {})
    assert (asked.status, asked.headers["location"]) == (303, "/sign-out")
    assert caller("GET", "/api/me").status == 200, "nothing has ended"
    said = page(forms.send("GET", "/sign-out"))
    assert "Your $995 in play chips and your 1 round cannot be reached again." in said
    assert all(
        f" {button} " in f"{said} "
        for button in ("Keep playing", "End", "Keep them under a name and password")
    )
    assert caller.view(table)["seats"], "the seat is kept, too"
    caller.do(table, "bet", seat=2, wagers={"ante": 5_00})
    said = page(forms.send("GET", "/sign-out"))
    assert "Your $990 in play chips (and $5 at stake) and your 1 round cannot" in said
    assert forms.raw("/sign-out", {"sure": "no"}).headers["location"] == "/sign-out"
    assert forms.raw("/sign-out", {"sure": "well"}).status == 400
    assert caller("GET", "/api/me").status == 200, "nothing has ended"
    gone = forms.raw("/sign-out", {"sure": "yes"})
    assert (gone.status, gone.headers["location"]) == (303, "/")
    assert caller("GET", "/api/me").code == "session/none"


def test_a_page_that_is_not_there_knows_whose_session_it_is(site: Site, forms: Forms) -> None:
    def look(who: Forms, path: str) -> tuple[int, bool, bool]:
        found = who.send("GET", path)
        said = found.raw.decode()
        return found.status, "Your rounds" in said, "Sign in" in said

    for path, status in (("/nope", 404), ("/practice", 405)):
        assert look(forms, path) == (status, True, False)
        assert look(Forms(site.visited.caller()), path) == (status, False, True)


def test_b17_a_guest_keeps_a_name_by_a_form(site: Site, forms: Forms) -> None:
    who = forms.caller.person
    given = {"name": "Rosa", "password": PASSWORD}
    assert forms("/keep", given).alert == (
        "A name has 2 to 30 small letters, digits, dots and hyphens."
    )
    short = forms("/keep", {"name": "rosa", "password": "short"})
    assert short.alert == "A password has 10 to 200 characters."
    assert forms("/keep", {**given, "name": "guest-7"}).status == 400
    kept = forms.raw("/keep", {**given, "name": "rosa"})
    assert (kept.status, kept.headers["location"]) == (303, "/")
    rosa = Forms(Caller(site.address, cookie(kept), who))
    assert rosa.caller("GET", "/api/me").json["person"]["id"] == who
    assert forms.caller("GET", "/api/me").code == "session/none", "the old one has ended"
    # Who has a name is not asked, and comes back by it.
    assert rosa.send("GET", "/sign-out").status == 303
    assert rosa.raw("/sign-out", {}).headers["location"] == "/"
    assert rosa.caller("GET", "/api/me").code == "session/none"
    back = Forms(site.visited.caller()).raw("/sign-in", {"name": "rosa", "password": PASSWORD})
    assert back.status == 303
    taken = Forms(site.guest())("/keep", {**given, "name": "rosa"})
    assert (taken.status, taken.alert) == (409, "The name rosa is taken.")


def named(site: Site, name: str) -> None:
    """Somebody who can sign in by this name."""
    kept = Forms(site.guest()).raw("/keep", {"name": name, "password": PASSWORD})
    assert kept.status == 303, kept


def test_a_guest_with_something_to_lose_is_asked_before_signing_in(
    site: Site, forms: Forms
) -> None:
    named(site, "sam")
    caller, table = forms.caller, seated(forms)
    caller.do(table, "bet", seat=2, wagers={"ante": 5_00})
    given = {"name": "sam", "password": PASSWORD}
    asked = forms.raw("/sign-in", given)
    assert (asked.status, "set-cookie" in asked.headers) == (409, False)
    assert PASSWORD not in asked.raw.decode()
    said = refused(asked)
    assert said.alert == (
        "Nothing has happened yet. Keep what you have as a guest, or say below that it may be lost"
        " and write your password again."
    )
    written = asked.raw.decode()
    assert 'name="name" value="sam"' in written
    assert 'name="sure" value="yes" required aria-describedby=amiss aria-invalid=true' in written
    shown = page(forms.send("GET", "/sign-in"))
    assert (
        "You play as a guest, with $995 in play chips (and $5 at stake) . Keep them under a name"
        in shown
    )
    assert "I know that my chips and my seat as a guest cannot be reached again" in shown
    assert caller.view(table)["seats"][0]["person"] == caller.person, "the hand is still theirs"

    for unsure in ("no", "well"):
        assert forms.raw("/sign-in", {**given, "sure": unsure}).status in (400, 409)
        assert caller("GET", "/api/me").status == 200
    other = Caller(site.address, caller.token, caller.person)
    gone = forms.raw("/sign-in", {**given, "sure": "yes"})
    assert (gone.status, gone.headers["location"]) == (303, "/")
    assert "pitboss=" in gone.headers["set-cookie"]
    assert other("GET", "/api/me").code == "session/none"


def test_who_signs_in_as_somebody_else_leaves_no_seat_behind(site: Site, forms: Forms) -> None:
    named(site, "tess")
    caller, table = forms.caller, seated(forms)
    watcher = site.guest().come(table)
    assert watcher.view(table)["seats"]
    given = {"name": "tess", "password": PASSWORD, "sure": "yes"}
    assert forms.raw("/sign-in", given).status == 303
    assert caller("GET", "/api/me").code == "session/none"
    assert not watcher.view(table)["seats"]


def test_a_guest_with_nothing_to_lose_signs_in_at_once(site: Site) -> None:
    named(site, "uma")
    forms = Forms(site.guest())
    assert "I know that" not in page(forms.send("GET", "/sign-in"))
    assert forms.raw("/sign-in", {"name": "uma", "password": PASSWORD}).status == 303


def test_who_signs_in_anew_by_their_own_name_keeps_the_seat(site: Site, forms: Forms) -> None:
    caller, table = forms.caller, seated(forms)
    watcher = site.guest().come(table)
    given = {"name": "vera", "password": PASSWORD}
    kept = forms.raw("/keep", given)
    vera = Forms(Caller(site.address, cookie(kept), caller.person))
    assert vera.raw("/sign-in", given).status == 303
    assert watcher.view(table)["seats"][0]["person"] == caller.person


def test_keeping_has_a_page_of_its_own_without_alarm(site: Site, forms: Forms) -> None:
    lobby = forms.send("GET", "/").raw.decode()
    assert 'href="/keep">Keep your chips</a>' in lobby
    answer = forms.send("GET", "/keep")
    said = page(answer)
    assert said.startswith('id="main" class="sheet narrow" tabindex="-1"> Keep your chips')
    assert "your 1,000 play chips" in said
    assert not re.search(r"\bEnd\b", said)
    assert 'class="danger"' not in answer.raw.decode()
    stranger = Forms(site.visited.caller()).send("GET", "/keep")
    assert (stranger.status, stranger.headers["location"]) == (303, "/")


@pytest.mark.parametrize(("width", "text_size"), [(320, 100), (390, 200), (1366, 100)])
def test_what_a_guest_is_asked_can_be_read_by_everybody(
    site: Site, new_person: Visitors, width: int, text_size: int
) -> None:
    ann = new_person(width, dark=width == 320, text_size=text_size)
    scene = Scene(site, ann, DIAMOND_JO, bots=0)
    scene.bet()
    scene.to_the_end()
    for path in ("/sign-in", "/keep", "/sign-out"):
        ann.page.goto(path)
        accessible(ann.page)
        handsome(ann.page, f"{path} at {width}")
    ann.page.goto("/sign-in")
    ann.page.get_by_label("Name").fill("nobody")
    ann.page.get_by_label("Password").fill(PASSWORD)
    ann.page.get_by_role("button", name="Sign in").click()
    assert ann.page.get_by_label("I know that").evaluate("each => each.validity.valueMissing")
    see(ann.page.get_by_label("Password")).to_have_value(PASSWORD)
