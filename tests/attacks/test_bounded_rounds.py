"""What one round is made of is bounded, so that every look at it is: variations of H2 and H3."""

import asyncio
import itertools
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pitboss.audit.audit import audit
from pitboss.audit.snapshot import Snapshot
from pitboss.errors import Refused
from pitboss.house.table import commands as c
from pitboss.house.table import events as h
from pitboss.house.table.procedure import MOST_OF_ALL, MOST_OF_ONE
from pitboss.round import actions as a
from pitboss.rulebook import Rulebook
from pitboss.rulebook.deal_script import DealStep
from pitboss.web.pages import history
from pitboss.web.pages.history import Replays
from pitboss.web.pages.round_course import MOST_STEPS
from tests.helpers import BOOKS, DIAMOND_JO
from tests.house.floor import Floor, dealt_by, with_real_cards
from tests.web.open_house import Caller, Visited, thread

CAJUN = "diamond-jo-worth/cajun-stud"


def tried(caller: Caller, table: str, action: str, **more: Any) -> str:
    """Return why somebody's command was refused; empty, if it was not."""
    answer = caller.do(table, action, **more)
    return "" if answer.status == 200 else answer.code


def bet(caller: Caller, table: str, cents: int, seat: int = 1) -> str:
    return tried(caller, table, "bet", seat=seat, wagers={"ante": cents} if cents else {})


# Nobody makes a round long ------------------------------------------------------------------------


def over_and_over(floor: Floor, who: str, *commands: Any, most: int = 1_000) -> int:
    """Ask for these in turn until one is refused; return how many were done."""
    for done, command in enumerate(itertools.islice(itertools.cycle(commands), most)):
        try:
            floor.do(command, who)
        except Refused:
            assert floor.refused(command, who).code == "round/too-often"
            return done
    return most


def changes(seat: int, book: Rulebook = DIAMOND_JO) -> tuple[a.Bet, a.Bet]:
    least = book.limits.minimum.least(5_00)
    return a.Bet(seat, {book.ante.name: 2 * least}), a.Bet(seat, {book.ante.name: least})


def dealt_to(*people: str) -> Floor:
    """A table that Dan deals: bets are taken for as long as he likes, and the first has one."""
    floor = dealt_by().sit(*people)
    floor.do(c.OpenBetting(), "dan")
    floor.bet(1)
    return floor


def test_h2_nobody_changes_a_bet_for_ever_and_anybody_else_may() -> None:
    floor = dealt_to("ann", "mal")
    assert over_and_over(floor, "mal", *changes(2)) == MOST_OF_ONE
    floor.do(changes(1)[0], "ann")
    floor.do(a.Bet(1, {}), "ann")
    floor.do(changes(1)[1], "ann")
    floor.do(a.Bet(2, {}), "mal")
    assert floor.refused(a.Bet(2, {}), "mal").code == "round/too-often", "nothing lies there"
    assert floor.refused(changes(2)[0], "mal").code == "round/too-often"
    floor.do(c.Leave(), "mal")


def test_h2_nor_by_getting_up_and_sitting_down_again() -> None:
    floor = dealt_to("ann", "cat")
    done = over_and_over(floor, "cat", changes(2)[0], c.Leave(), c.Sit(2))
    assert done == MOST_OF_ONE + 1, "the last of them is to get up"
    assert floor.table.seat_of("cat") is None
    assert len(floor.table.happened) < MOST_OF_ONE
    assert floor.refused(c.Sit(3), "cat").code == "round/too-often"


@pytest.mark.parametrize(
    ("who", "commands"),
    [
        ("bob", (c.SitOut(), c.SitIn())),
        ("ann", (c.Leave(), c.SitIn())),
        ("own", (c.Invite("one"), c.Invite("other"))),
        ("dan", (c.StartDealing(),)),
        ("fay", (a.LetStand("other", "shift-manager"),)),
    ],
)
def test_h2_nor_by_anything_else_that_can_be_done_twice(who: str, commands: Any) -> None:
    floor = dealt_to("ann", "bob")
    floor.do(a.CloseBets(), "dan")
    before = floor.table.asked.get(who, 0)
    assert over_and_over(floor, who, *commands) in (MOST_OF_ONE - before, MOST_OF_ONE + 1 - before)
    while floor.table.under_way:
        _goes_on(floor)


def test_h2_whoever_stops_dealing_last_of_all_may_start_again() -> None:
    floor = dealt_to("ann", "bob")
    done = over_and_over(floor, "dan", c.StopDealing(), c.StartDealing())
    assert done in (MOST_OF_ONE - 2, MOST_OF_ONE - 1, MOST_OF_ONE, MOST_OF_ONE + 1)
    assert floor.table.dealer == "dan", "nobody is kept from dealing to the end"
    assert floor.refused(c.StopDealing(), "dan").code == "round/too-often"
    assert floor.refused(c.StartDealing(), "dan").code == "round/too-often"
    floor.do(a.CloseBets(), "dan")


def test_h2_nor_by_leaving_twice() -> None:
    floor = dealt_to("ann")
    floor.do(a.CloseBets(), "dan")
    assert over_and_over(floor, "ann", c.Leave()) == MOST_OF_ONE - 1


def test_h2_whoever_comes_and_goes_keeps_nobody_from_playing() -> None:
    floor = dealt_to("ann", "bob")
    strangers = (f"eve-{n}" for n in itertools.count())
    while sum(floor.table.asked.values()) < MOST_OF_ALL:
        eve = next(strangers)
        floor.do(c.Sit(3), eve)
        floor.do(c.Leave(), eve)
    assert floor.refused(c.Sit(3), next(strangers)).code == "round/too-full"
    assert floor.refused(c.Enter(""), next(strangers)).code == "round/too-full"
    assert over_and_over(floor, "bob", *changes(2)) == MOST_OF_ONE
    floor.do(c.StartDealing(), "deb")
    floor.do(a.CloseBets(), "deb")


def test_h2_a_table_at_rest_is_no_round_and_nothing_is_refused_there() -> None:
    """The round's story begins anew, with the same deck as it was cut."""
    floor = Floor(DIAMOND_JO).sit("ann", "bob", "cat")
    for who in ("bob", "cat"):
        floor.do(c.CutDeck(who), who)
    floor.do(c.Leave(), "cat")
    lay = floor.table
    assert over_and_over(floor, "ann", c.SitOut(), c.SitIn(), most=3 * MOST_OF_ONE) == (
        3 * MOST_OF_ONE
    )
    told = [each for each in floor.events if isinstance(each, h.DeckSealed)]
    assert len(told) == 4, "one in a hundred entries of hers"
    assert {(each.round, each.commitment, each.locked) for each in told} == {
        (1, lay.commitment, lay.locked)
    }
    assert floor.table.asked == {"ann": 1}
    assert floor.table.cuts == {2: "bob"}
    assert floor.table.begun == told[-1].entry > lay.begun
    for seat in (1, 2):
        floor.bet(seat)
    floor.folds(1, 2)
    assert floor.table.number == 2


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.house)
@pytest.mark.parametrize("dealing", ["automatic", "dealer"])
def test_h2_a_round_in_which_everybody_did_what_they_could_is_played_to_its_end(
    book: Rulebook, dealing: Any
) -> None:
    floor = Floor(book, dealing=dealing)
    if dealing == "dealer":
        floor.do(c.StartDealing(), "dan")
        floor.do(c.OpenBetting(), "dan")
    people = [f"p{n}" for n in range(1, book.seats.most + 1)]
    floor.sit(*people)
    floor.bet(1)
    for seat, who in enumerate(people[:-1], start=1):
        over_and_over(floor, who, *changes(seat, book))
    if dealing == "dealer":
        over_and_over(floor, "dan", c.StartDealing())
    floor.bet(len(people))
    while floor.table.under_way:
        _goes_on(floor)
    [paid] = [each for each in floor.events if isinstance(each, h.RoundPaid)]
    assert len(paid.seats) == len(people)


def _goes_on(floor: Floor) -> None:
    """Whoever is waited for does what is next."""
    table = floor.table
    if table.round.phase == "betting":
        floor.do(a.CloseBets(), "dan")
    elif table.round.phase == "settling":
        floor.do(a.Pay(), "dan")
    elif table.until:
        floor.strikes()
    else:
        step = floor.book.script[table.round.step]
        floor.do(a.Deal(()) if isinstance(step, DealStep) else a.Turn(), "dan")


@pytest.mark.parametrize("first", ["green", "red"])
def test_h2_the_shuffler_does_not_show_lights_for_ever_and_may_end_green(first: str) -> None:
    floor = with_real_cards("ann", shuffler=True)
    floor.bet(1)
    floor.do(a.CloseBets(), "dan")
    if first == "green":
        floor.do(a.Light("green"), "dan")
    done = over_and_over(floor, "dan", a.Light("red"), a.Light("green"))
    assert abs(done - MOST_OF_ONE) <= 2
    assert floor.table.round.light == "green"
    floor.do(a.Deal((None,)), "dan")


# Looks at a long round ----------------------------------------------------------------------------


@pytest.fixture
def restless(house: Visited) -> tuple[Caller, str]:
    """Two guests who have changed their bets as often as they may; a third has none."""
    ann, bob, cat = house.guest(), house.guest(), house.guest()
    table = ann.open(betting_seconds=600)
    for seat, who in enumerate((ann, bob, cat), start=1):
        assert tried(who.come(table), table, "sit", seat=seat) == ""
    for caller, seat in ((ann, 1), (bob, 2)):
        while not (no := bet(caller, table, 5_00, seat)):
            pass
        assert no == "round/too-often"
    return ann, table


def test_h2_a_script_that_says_it_has_seen_nothing_is_drawn_a_hundred_steps(
    restless: tuple[Caller, str],
) -> None:
    ann, table = restless
    headers = {"Cookie": f"pitboss={ann.token}", "X-Shown": "1.0", "X-Part": "1"}
    request = urllib.request.Request(f"{ann.address}/tables/{table}", headers=headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        page = answer.read().decode()
    first = min(int(each.partition('"')[0]) for each in page.split('data-at="')[1:])
    told = int(page.partition('data-told="')[2].partition('"')[0].partition(".")[2])
    assert first >= told - MOST_STEPS > 0


def test_h2_nobody_looks_through_the_cards_for_ever(house: Visited) -> None:
    """Once in each role at a practice table: the pairs of those who did are gone through."""
    ann = house.guest()
    table = ann.open(CAJUN, dealing="entered")
    ann.do(table, "start-dealing")
    assert ann.do(table, "bring-cards", colours=["red"]).status == 200
    looked = [tried(ann, table, "inspect-cards", role="dealer") for _ in range(3)]
    assert looked == ["", "cards/inspected-twice", "cards/inspected-twice"]
    assert tried(ann, table, "inspect-cards", role="floor-supervisor") == ""
    ann.do(table, "wash-cards")
    ann.do(table, "shuffle-cards")
    assert ann.do(table, "open-betting").status == 200


@pytest.fixture
def either(quick_path: Path, where: str) -> Iterator[Visited]:
    """A house on a database of each kind."""
    with thread(quick_path, where=where) as found:
        yield found


def test_h3_what_is_remembered_of_rounds_is_bounded_by_their_events(
    either: Visited, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = either
    monkeypatch.setattr(history, "MOST_EVENTS", 60)
    assert house.web is not None
    assert house.loop is not None
    kept = house.web.kept(Replays)
    ann = house.guest()
    table = ann.open(betting_seconds=600)
    ann.do(table, "sit", seat=1)
    for number in range(1, 9):
        assert bet(ann, table, 5_00) == ""
        assert ann.do(table, "fold", seat=1, confirmed=True).status == 200
        look = kept.read(house.web.house, f"{table}-{number}", ann.person)
        asyncio.run_coroutine_threadsafe(look, house.loop).result(30)
        held = sum(len(each.events) for each in kept._replays.values())
        assert 0 < held == kept._events <= 60
    assert (f"{table}-8", ann.person) in kept._replays
    assert (f"{table}-1", ann.person) not in kept._replays


def test_h3_what_was_done_before_anybody_bet_is_no_part_of_a_round(
    either: Visited, where: str
) -> None:
    ann, bob = either.guest(), either.guest()
    table = ann.open(betting_seconds=600)
    for seat, who in enumerate((ann, bob), start=1):
        assert tried(who, table, "sit", seat=seat) == ""
        assert tried(who, table, "cut-deck", cut=f"cut{seat}") == ""
    for action in ("sit-out", "sit-in") * (MOST_OF_ONE * 3 // 4):
        assert tried(bob, table, action) == ""
    for seat, who in enumerate((ann, bob), start=1):
        assert bet(who, table, 5_00, seat) == ""
    for seat, who in enumerate((ann, bob), start=1):
        assert tried(who, table, "fold", seat=seat, confirmed=True) == ""
    told = ann("GET", f"/api/rounds/{table}-1").json
    assert len(told["notices"]) < MOST_OF_ONE
    assert told["proof"]["cuts"] == {"1": "cut1", "2": "cut2"}
    with Snapshot(where) as snapshot:
        assert audit(snapshot).broken == ""
