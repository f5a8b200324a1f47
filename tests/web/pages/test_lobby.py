"""The lobby: what is said of a game comes from its rulebook and its price, and who looks finds
what waits for them first."""

import html
import re
from itertools import chain
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from pitboss.maths.price import HANDS_PER_HOUR
from pitboss.rulebook import ids, load
from pitboss.web.pages import prices
from pitboss.web.pages.games import Game, GamesWanted, games, groups, priced
from pitboss.web.pages.prices import price
from tests.helpers import DIAMOND_JO, MISSISSIPPI
from tests.web.conftest import Staff
from tests.web.mischief import eventually
from tests.web.open_house import Caller, Visited, thread
from tests.web.pages.test_currency import Browser

# What is said of a game ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def told() -> dict[str, Game]:
    books = tuple(map(load, ids()))
    return {each.book.id: each for each in games(books, dict(priced(books)))}


THREE_RAISES = (
    "Bet the Ante. You get two cards, and three go to the board.",
    "Three times, you put one, two or three times the Ante beside it, or fold.",
)
PAIR = "The table pays 1 to 1 (pair of jacks or better) up to 500 to 1 (royal flush)."
HOW = {
    "common/mississippi-stud": (
        "You v pay table, 3 raises",
        *THREE_RAISES,
        "The table pays 1 to 1 (jacks or better) up to 500 to 1 (royal flush).",
    ),
    "diamond-jo-worth/cajun-stud": ("You v pay table, 3 raises", *THREE_RAISES, PAIR),
    "hollywood-penn-national/cajun-stud": ("You v pay table, 3 raises", *THREE_RAISES, PAIR),
    "common/ultimate-texas-holdem": (
        "You v dealer, 1 raise",
        (
            "Bet the Ante and as much on Blind. "
            "You get two cards, and two go to the dealer and five go to the board."
        ),
        "Once, you put three or four times the Ante beside it, or check.",
        "Once, if you have only checked, you put twice the Ante beside it, or check.",
        "Once, if you have only checked, you put once the Ante beside it, or fold.",
        (
            "Beat the dealer's hand to win. The dealer qualifies with a pair of twos or better. "
            "Both hands may use the five board cards."
        ),
    ),
    "seneca-niagara/caribbean-stud": (
        "You v dealer, 1 raise",
        "Bet the Ante. You get five cards, and five go to the dealer.",
        "Once, you put twice the Ante beside it, or fold.",
        "Beat the dealer's hand to win. The dealer qualifies with ace-king high or better.",
    ),
}


def test_how_a_game_goes_is_read_off_its_book(told: dict[str, Game]) -> None:
    assert {name: (told[name].kind, *told[name].how) for name in HOW} == HOW


def test_a_layout_has_the_spots_and_cards_of_the_book(told: dict[str, Game]) -> None:
    drawn = told["diamond-jo-worth/cajun-stud"].layout
    assert [kind for kind, _ in drawn.spots] == ["side"] * 3 + ["ante"] + ["raise"] * 3
    assert (len(drawn.piles), len(drawn.hand)) == (3, 2)
    for each in told.values():
        spots = [x for _, x in each.layout.spots]
        assert spots == sorted(spots)
        assert spots[0] > 4.5
        assert spots[-1] < 115.5


def test_costs_are_on_one_scale_and_dear_games_are_marked(told: dict[str, Game]) -> None:
    """An hour is so many rounds of the edge, and swings with their square root."""
    rates: dict[str, float] = {}
    for name, each in told.items():
        found = price(load(name))
        assert (each.cost is None) == (found is None)
        if found is None or each.cost is None:  # no price yet
            continue
        rates[name] = HANDS_PER_HOUR * float(found.edge.exact)
        swing = 10 * sqrt(HANDS_PER_HOUR * float(found.deviation.exact))
        assert each.cost.swing == f"${swing:,.0f}"
        assert each.cost.dear == (float(found.edge.exact) > 0.08)
    dearest = max(rates.values())
    bars = {name: each.cost.bar for name, each in told.items() if each.cost}
    assert bars == {name: round(100 * rate / dearest) for name, rate in rates.items()}
    assert [name for name, each in told.items() if each.cost and each.cost.dear] == [
        "hollywood-penn-national/cajun-stud"
    ]


def test_games_are_grouped_found_and_sorted(told: dict[str, Game]) -> None:
    def names(**wanted: Any) -> dict[str, list[str]]:
        found = groups([*told.values()], GamesWanted(**wanted))
        return {title: [each.book.id for each in some] for title, some in found.items()}

    costs = {name: each.cost.bar for name, each in told.items() if each.cost}
    for title, some in names().items():
        assert some == sorted(some, key=lambda each: (costs.get(each, 101), some.index(each)))
        against = {bool(told[each].book.qualifier) for each in some}
        assert against == {title == "Against the dealer"}
    assert sorted(chain.from_iterable(names().values())) == sorted(told)
    houses = [told[each].book.house for each in names(sort="house")["Against a pay table"]]
    assert houses == sorted(houses)
    assert names(find="STUD seneca") == {"Against the dealer": ["seneca-niagara/caribbean-stud"]}
    assert names(find="no such game") == {}
    # A telephone writes its own apostrophe, and many write none.
    holdem = names(find="hold'em texas bonus")
    assert holdem == {"Against the dealer": ["common/texas-holdem-bonus"]}
    for written in ("HOLDEM texas bonus", "hold\N{RIGHT SINGLE QUOTATION MARK}em texas bonus"):
        assert names(find=written) == holdem


def test_a_game_whose_price_is_not_known_yet_comes_last_and_says_so(told: dict[str, Game]) -> None:
    books = [each.book for each in told.values()]
    slow = MISSISSIPPI.sha256
    known = {name: found for name, found in priced(books) if name != slow}
    some = groups(games(books, known), GamesWanted())["Against a pay table"]
    assert [each.book.id for each in some if each.unknown] == [some[-1].book.id] == [MISSISSIPPI.id]


def test_a_shelf_without_prices_has_no_scale() -> None:
    assert games((), {}) == []


# Who looks ----------------------------------------------------------------------------------------


def lobby(who: Caller) -> str:
    cookie = {"Authorization": "", "Cookie": f"pitboss={who.token}"}
    answer = who("GET", "/", headers=cookie)
    assert answer.status == 200
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", answer.raw.decode()).split()))


def sits_down(who: Caller, rulebook: str) -> str:
    """Press the button, as a browser without a script does; where it leads."""
    fields = f"csrf={who.csrf}&key={who.key()}&rulebook={rulebook}&bots=0".encode()
    headers = {"Authorization": "", "Cookie": f"pitboss={who.token}"}
    headers["Content-Type"] = "application/x-www-form-urlencoded"
    answer = who("POST", "/practice", fields, headers)
    assert answer.status == 303
    return answer.headers["location"]


def test_a_hand_that_waits_stands_first_and_sitting_down_goes_back_to_it(house: Visited) -> None:
    ann = house.guest()
    there = sits_down(ann, DIAMOND_JO.id)
    seat = "You have a seat at Cajun Stud (Diamond Jo Worth)."
    assert seat in lobby(ann)
    table = there.rpartition("/")[2]
    ann.do(table, "bet", seat=4, wagers={"ante": 5_00})
    said = lobby(ann)
    waits = "Your hand at Cajun Stud (Diamond Jo Worth) is waiting: $5 at stake."
    assert said.index(waits) < said.index("Sit down at a real casino")
    assert sits_down(ann, DIAMOND_JO.id) == there, "not at another table"
    other = sits_down(ann, MISSISSIPPI.id)
    assert other != there
    ann.do(other.rpartition("/")[2], "leave")
    assert sits_down(ann, MISSISSIPPI.id) != other, "she got up there"


def test_tables_are_listed_by_names_and_none_that_is_empty(house: Visited, staff: Staff) -> None:
    flo = staff("lobby-flo", "floor-supervisor")
    real = [flo.open("seneca-niagara/caribbean-stud", practice=False) for _ in range(2)]
    ann, bob = house.guest(), house.guest()
    table = ann.open()
    bob.come(table)
    name = ann("GET", "/api/me").json["person"]["name"]
    assert f"{name}'s table" not in lobby(bob), "nobody sits there"
    ann.do(table, "sit", seat=1)
    said = lobby(bob)
    assert f"{name}'s table Mississippi Stud, Common rules · play chips" in said
    assert "1 playing" in said
    assert f"{name}'s table" not in lobby(house.guest())
    for number in (1, 2):
        assert f"Caribbean Stud {number} Seneca Niagara · real chips" in said
    page = said.partition("Open tables")[2]
    assert not any(each[:8] in page for each in (*real, table))


def test_a_game_that_takes_minutes_is_worked_out_when_somebody_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path / "kept"))
    monkeypatch.setattr(prices, "_AT_HAND", set())
    book = load("common/casino-holdem")
    with thread(tmp_path) as visited:
        ann = Browser(visited.address)
        assert "Work it out" in ann.go("/?find=casino hold".replace(" ", "+"))
        other = load("common/texas-holdem-bonus")
        assert "Being worked out, exactly" in ann.go(f"/maths/{other.id}"), "who looks asks, too"
        ann.go("/")
        ann.send('value="common/four-card-poker"', bots="2")  # nobody waits for it
        assert "Add a bot" in ann.page
        ann.send('name="coach"', coach="show")
        assert "The coach comes once this game is worked out" in ann.page
        table = ann.at
        ann.send('id="bet"', **{"wager-ante": "5"})
        eventually(lambda: 'id="decide"' in ann.go(table), 20)  # two bots bet
        ann.send('id="decide"', do="fold")
        eventually(lambda: 'class="receipt"' in ann.go(table), 20)  # and decide
        ann.go("/")
        working = "Its price is being worked out, exactly; that takes up to a minute, once."
        assert ann.page.count(working) == 1
        ann.send(f'action="/price/{book.id}"')  # one at a time, behind everybody: it waits
        assert ann.page.count(working) == 2
