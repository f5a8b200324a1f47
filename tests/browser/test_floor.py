"""What the pit does on the floor page, by plain forms and without a browser."""

import html
import json
import re

from pitboss.house.people.persons import Role
from tests.browser.forms import Forms
from tests.browser.scenes import payoff
from tests.browser.visitors import PASSWORD, Site
from tests.web.open_house import Caller

GM: Role = "general-manager"
DIRECTOR: Role = "director-of-table-games"
RULES = "/rules/diamond-jo-worth/cajun-stud"


def signed_in(site: Site, name: str, *roles: Role) -> Forms:
    """Somebody whose browser has no scripts."""
    if roles:
        return Forms(site.person(name, *roles))
    return Forms(Caller(site.address).login(name, PASSWORD))


def looks(forms: Forms, path: str = "/floor") -> str:
    """The page as it is sent."""
    answer = forms.send("GET", path)
    assert answer.status == 200, answer
    return answer.raw.decode()


def plain(page: str) -> str:
    """The words of a page."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


def links(page: str) -> dict[str, tuple[str, str]]:
    """Each code that is a link: where it leads, and the sentence that goes with it."""
    found = re.findall(r'<a href="([^"]*#[^"]*)" title="([^"]*)"[^>]*>([^<]*)</a>', page)
    return {code: (html.unescape(to), html.unescape(says)) for to, says, code in found}


def at_a_table(site: Site, *raises: int, deck: str = "As Ad Ac Ah 2h", ante: int = 5_00) -> str:
    """A real table at which Pip bets and raises so many times; four aces, if nothing is said."""
    pip, boss = site.person("pip", "player"), site.person("max", "shift-manager")
    site.person("flo", "floor-supervisor")
    site.stack(deck)
    options = {"practice": False, "betting_seconds": 600, "decision_seconds": 600}
    table = boss.open("diamond-jo-worth/cajun-stud", **options)
    assert pip.do(table, "sit", seat=1).status == 200
    wagers = {"ante": ante, "lo-ball": 10_00}
    assert pip.do(table, "bet", seat=1, wagers=wagers, toke_cents=1_00).status == 200
    for times in raises:
        assert pip.do(table, "raise", seat=1, times=times).status == 200
    return table


def status(page: str) -> str:
    """What the table page says is waited for."""
    return plain(re.findall(r'<p role="status"[^>]*>(.*?)</p>', page, re.DOTALL)[0])


def way(command: dict[str, object], round_: int = 1, won: int = 0) -> dict[str, str]:
    """What a button of the list of what waits sends."""
    return {"do": "way", "round": str(round_), "won": str(won), "command": json.dumps(command)}


def told(role: str) -> dict[str, str]:
    return way({"action": "acknowledge-notice", "round": 1, "role": role})


# Misdeals ---------------------------------------------------------------------------------------

GROUND = "players spoke of their hands, or in a foreign language, while bets could still be made"


def test_b12__a_misdeal_takes_a_ground_and_then_a_second_step(site: Site) -> None:
    table = at_a_table(site, 3)
    flo, pip = signed_in(site, "flo"), signed_in(site, "pip")
    floor = looks(flo)
    assert 'value="misdeal"' not in floor  # nothing here calls it
    assert f'href="/floor/{table}/misdeal"' in floor

    first = looks(flo, f"/floor/{table}/misdeal")
    assert 'name="cause" value="information" required' in first
    assert "checked" not in first  # no ground is taken for granted
    assert 'value="misdeal"' not in first
    back = "Pip seat 1 Ante $5, First Raise $15, Lo Ball $10, Toke $1 $31"
    assert back in plain(first)

    second = looks(flo, f"/floor/{table}/misdeal?cause=information")
    assert f"Because {GROUND} ." in plain(second)
    assert links(second)["L.1.c"][0] == f"{RULES}#L.1.c"
    assert back in plain(second)
    assert "Call the misdeal: $31 goes back" in plain(second)
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', second))
    del fields["csrf"]
    answer = flo.raw(f"/floor/{table}", fields)
    assert (answer.status, answer.headers["location"]) == (303, "/floor")
    assert pip.caller("GET", "/api/me").json["chips_cents"] == 1_000_000

    table_page = looks(pip, f"/tables/{table}")
    assert status(table_page) == "Place your bets."  # felt and log tell of it
    watched = looks(flo, f"/tables/{table}")
    assert status(watched) == "A misdeal: every bet went back. Bets are being placed."
    assert plain(watched).count(GROUND) == 2  # the log's line, for eyes and for ears
    assert plain(table_page).count(GROUND) == 4  # felt and receipt, besides


def test_b12__a_misdeal_page_is_for_who_may_call_one_now(site: Site) -> None:
    table = at_a_table(site, 3)
    flo, pip = signed_in(site, "flo"), signed_in(site, "pip")
    path = f"/floor/{table}/misdeal"
    assert pip.send("GET", path).status == 403
    assert Forms(Caller(site.address)).send("GET", path).headers["location"] == "/sign-in"
    # A ground that is not hers, or none at all, is asked for again.
    for cause in ("integrity", "<b>", ""):
        page = looks(flo, f"{path}?cause={cause}")
        assert "On which ground?" in page
        assert 'value="misdeal"' not in page
    assert pip.caller.do(table, "fold", key="fold", seat=1).status == 200
    assert flo.send("GET", path).status == 409


def test_a_win_that_is_announced_says_that_it_takes_two_roles_to_void(site: Site) -> None:
    table = at_a_table(site, 3, 3, 3)
    flo, boss = signed_in(site, "flo"), signed_in(site, "max")
    path = f"/floor/{table}/misdeal?cause=information"
    assert "another role must rule so, too" in plain(looks(flo, path))
    assert (
        flo.raw(f"/floor/{table}", {"do": "misdeal", "cause": "information", "round": "1"}).status
        == 303
    )
    assert "floor supervisor has ruled so, and you would be the second" in plain(looks(boss, path))
    # Who ruled is told to wait for another, and of another ground nobody has ruled anything.
    assert "you have ruled so, and another role must rule so, too" in plain(looks(flo, path))
    other = plain(looks(boss, path.replace("information", "integrity")))
    assert "A win is announced: another role must rule so, too" in other


# Approvals --------------------------------------------------------------------------------------


def test_who_approves_sees_cards_hand_wagers_odds_and_thresholds(site: Site) -> None:
    at_a_table(site, 3, 3, 3)
    page = looks(signed_in(site, "flo"))
    shown = re.findall(r'<div class="evidence">(.*?)</div>', page, re.DOTALL)[0]
    names = re.findall(r'aria-label="([^"]*)"', shown)
    assert names == [
        f"{rank} of {suit}"
        for rank, suit in (
            *(("ace", "spades"), ("ace", "diamonds"), ("ace", "clubs"), ("ace", "hearts")),
            ("two", "hearts"),
        )
    ]
    words = plain(shown)
    assert "four of a kind, aces" in words
    # Four of a kind pays 40 to 1 on the ante and on each raise of three times as much.
    assert "Ante $5 40 to 1 $200 $200" in words
    assert words.count("$15 40 to 1 $600 $600") == 3
    assert "Together $2,000 Toke $1 40 to 1 $40 $40" in words  # the dealers' own is no part of it
    assert "Over $100: the dealer's call, done. C.1.t" in words
    assert "Over $300: floor supervisor. C.1.t" in words
    assert "Over $1,000: surveillance or shift manager. C.1.t" in words
    assert links(shown)["I.2.c"] == (f"{RULES}#I.2.c", "Four of a kind: 40 to 1")
    assert re.search(r'<time datetime="\d{4}-\d\d-\d\dT', page)


def test_who_approves_a_capped_win_sees_what_the_cap_made_of_it(site: Site) -> None:
    at_a_table(site, 3, 3, 3, deck="As Ks Qs Js Ts", ante=100_00)
    words = plain(looks(signed_in(site, "flo")))
    # 500 times 1,000 dollars, of which the whole table wins 25,000.
    assert "Ante $100 500 to 1 $50,000 $2,500" in words
    assert words.count("$300 500 to 1 $150,000 $7,500") == 3
    assert "payout cap of $25,000 on" in words


def test_w12_r32__a_used_ceiling_is_on_the_floor_until_everybody_has_heard_of_it(
    site: Site,
) -> None:
    """Also when its table is closed by then."""
    table = at_a_table(site, 3, 3, 3, deck="As Ks Qs Js Ts", ante=100_00)
    flo, boss = signed_in(site, "flo"), signed_in(site, "max")
    gus, dot = signed_in(site, "gus", GM), signed_in(site, "dot", DIRECTOR)
    for who, role in ((flo, "floor-supervisor"), (boss, "shift-manager")):
        answer = who.caller.do(table, "approve-payoff", key="approval", seat=1, role=role)
        assert answer.status == 200
    assert boss.caller.do(table, "close-table", key="close").status == 200
    for who in (flo, boss, gus, dot):
        page = looks(who)
        assert "A payout cap was used in round 1" in plain(page)
        assert "was paid of" in plain(page)
        # Who has to hear of it has it in a list of their own: the others stand here.
        others = {"gus": "director of table games", "dot": "general manager"}
        told_to = others.get(who.caller.person, "general manager and the director of table games")
        assert f"by the {told_to}." in plain(page)
        assert links(page)["J.5"][0] == f"{RULES}#J.5"
        assert ("Acknowledge as" in page) == (who in (gus, dot))
        refused = who.raw(f"/floor/{table}", told("shift-manager"))
        assert refused.status in (403, 409)
    notice = {"table": table, "round": 1, "waits_for": [GM, DIRECTOR], "late": False}
    (listed,) = gus.caller("GET", "/api/floor/notices").json
    assert listed == {**notice, "gaming_day": listed["gaming_day"]}
    assert gus.raw(f"/floor/{table}", told(GM)).status == 303
    assert "by the director of table games." in plain(looks(flo))
    assert gus.raw(f"/floor/{table}", told(GM)).status == 409
    assert dot.raw(f"/floor/{table}", told(DIRECTOR)).status == 303
    assert "payout cap was used" not in plain(looks(dot))
    assert gus.caller("GET", "/api/floor/notices").json == []
    assert signed_in(site, "pip").caller("GET", "/api/floor/notices").status == 403


def test_w12_r32__a_used_ceiling_keeps_its_clause_when_its_table_has_other_rules(
    site: Site,
) -> None:
    """Opened again with a book that tells nobody of ceilings, and has no such clause."""
    table = at_a_table(site, 3, 3, 3, deck="As Ks Qs Js Ts", ante=100_00)
    flo, boss = signed_in(site, "flo"), signed_in(site, "max")
    gus = signed_in(site, "gus", GM)
    for who, role in ((flo, "floor-supervisor"), (boss, "shift-manager")):
        answer = who.caller.do(table, "approve-payoff", key="approval", seat=1, role=role)
        assert answer.status == 200
    assert boss.caller.do(table, "close-table", key="close").status == 200
    other = {"action": "open-table", "rulebook": "hollywood-penn-national/cajun-stud"}
    body = {"key": "again", "command": other | {"table": table, "maximum_cents": 100_00}}
    assert boss.caller("POST", "/api/tables", body).status == 200
    for who in (flo, gus):
        page = looks(who)
        assert "A payout cap was used in round 1" in plain(page)
        assert links(page)["J.5"][0] == f"{RULES}#J.5"
    (notice,) = [
        each for each in gus.caller("GET", "/api/floor/waiting").json if each["kind"] == "notice"
    ]
    assert notice["clause"] == "J.5, K.2, R32"


def test_a_player_is_told_which_win_waits_for_whom_and_since_when(site: Site) -> None:
    table = at_a_table(site, 3, 3, 3)
    pip, flo = signed_in(site, "pip"), signed_in(site, "flo")
    told = status(looks(pip, f"/tables/{table}"))
    assert re.fullmatch(
        r"Your win of \$2,000 \(four of a kind, aces\) waits for floor supervisor \(over \$300\) "
        r"and surveillance or shift manager \(over \$1,000\), since \d\d:\d\d UTC \.",
        told,
    ), told
    others = "A payoff waits for floor supervisor and surveillance or shift manager."
    assert status(looks(flo, f"/tables/{table}")) == others


# Clauses ----------------------------------------------------------------------------------------


def test_a_clause_on_the_floor_is_a_link_to_its_sentence_on_the_rule_card(site: Site) -> None:
    table = payoff(site, site.person("pip", "player"))
    flo = signed_in(site, "flo")
    only_the_manager = {"do": "misdeal", "cause": "integrity", "round": "1"}
    refused = flo.raw(f"/floor/{table}", only_the_manager).raw.decode()
    alert = re.findall(r'role="alert">(.*?)</p>', refused, re.DOTALL)[0]
    says = "The shift manager finds that the game's integrity was compromised."
    found = links(alert)
    assert found["L.1.f"] == (f"{RULES}#L.1.f", f"{says} Called by the shift manager.")
    card = looks(flo, RULES)
    for code, (to, _) in found.items():
        assert to == f"{RULES}#{code}"
        assert f'id="{code}"' in card
