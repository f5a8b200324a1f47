"""What a dealer is told to do next, over whole rounds of every book: one step, and it is done."""

import datetime
import random
from collections.abc import Iterator
from typing import Any

import pytest

from pitboss.cards import DECK, Card
from pitboss.errors import Refused
from pitboss.house.table import commands as c
from pitboss.house.table.procedure import do
from pitboss.house.table.state import Table
from pitboss.round import Option, legal
from pitboss.round import actions as a
from pitboss.round.redo import Facts
from pitboss.round.state import deal_order, due, to_show
from pitboss.rulebook import Rulebook
from pitboss.web.pages.dealer_prompt import DealerStep, next_step, place_in_script, prompts
from pitboss.wording import TIMES
from tests.clauses.rulings.test_corrections_before_payment import TEN, correct, royal
from tests.helpers import BOOKS, DIAMOND_JO, HOLLYWOOD, MISSISSIPPI, MORE_BOOKS, SENECA
from tests.house.floor import DAY, Floor

DEALER = "dan"


def opened(book: Rulebook, dealing: str, seats: int, seed: int = 1, **opening: Any) -> Floor:
    """A table with its dealer, its cards in order where they are real, and people in its seats."""
    floor = Floor(book, seed, dealing=dealing, **opening)
    floor.sit(*(f"player-{number}" for number in range(1, seats + 1)))
    floor.do(c.StartDealing(), DEALER)
    if dealing == "entered":
        floor.do(c.BringCards(("red", "blue") if floor.table.shuffler else ("red",)), "flo")
        if book.deck.inspection is not None:
            floor.do(c.InspectCards("dealer"), DEALER)
            floor.do(c.InspectCards("floor-supervisor"), "flo")
    return floor


def step_of(floor: Floor, who: str = DEALER) -> DealerStep:
    return next_step(floor.book, floor.table, who, floor.day)


class Hand:
    """Does what the step says, with a deck of its own, and as often as not without reading."""

    def __init__(self, floor: Floor, seed: int, *, reads: float) -> None:
        self.floor, self.random, self.reads = floor, random.Random(seed), reads
        self.deck: list[Card] = []

    def __call__(self, step: DealerStep) -> None:
        self.floor.do(self.command(step), DEALER)

    def command(self, step: DealerStep) -> Any:
        """Return what doing the step comes to."""
        match step.does:
            case "wash-cards":
                return c.WashCards()
            case "shuffle-cards":
                return c.ShuffleCards()
            case "open-betting":
                self.deck = self.random.sample(DECK, len(DECK))
                return c.OpenBetting()
            case "bet":
                book = self.floor.book
                sides = [spot for spot in book.opening.values() if not spot.required]
                wagers = {book.ante.name: self.floor.table.minimum_cents}
                for spot in sides:
                    if self.random.random() < 0.5:
                        wagers[spot.name] = int(spot.fixed or spot.least or 5_00)
                return a.Bet(step.seat, book.with_equal(wagers))
            case "close-bets":
                return a.CloseBets()
            case "call-floor":
                return c.CallFloor()
            case "light":
                return a.Light("green")
            case "deal":
                return a.Deal(tuple(self.dealt()))
            case "decide":
                return self.decision(step.seat)
            case "turn":
                return a.Turn(tuple(self.deck.pop() for _ in range(step.least)))
            case "call-out":
                return c.ApprovePayoff(step.seat, "dealer")
            case "pay":
                return a.Pay()
            case _:
                raise AssertionError(f"nothing to do: {step}")

    def dealt(self) -> Iterator[Card | None]:
        """Some of the cards that the step deals: always what lies face up, at times the others."""
        if self.floor.table.locked:
            return
        at = self.floor.table.round
        script: Any = self.floor.book.script[at.step]
        coming = deal_order(script, at.seats)[at.position :]
        for _, _, up in coming[: self.random.randint(1, len(coming))]:
            read = up or self.random.random() < self.reads
            yield self.deck.pop() if read else None

    def decision(self, seat: int) -> a.Action:
        options = legal(self.floor.book, self.floor.table.round, seat)
        return decided(seat, self.random.choice(options))


def decided(seat: int, option: Option) -> a.Action:
    ways: dict[str, a.Action] = {
        "fold": a.Fold(seat, confirmed=True),
        "check": a.Check(seat),
        "take-back": a.TakeBack(seat),
    }
    return ways.get(option.action) or a.Raise(seat, option.times)


DEALERS_OWN: dict[str, Any] = {
    "open-betting": c.OpenBetting(),
    "close-bets": a.CloseBets(),
    "pay": a.Pay(),
}
"""What is accepted or not whatever cards come."""


def accepted(floor: Floor) -> set[str]:
    """Which of the dealer's own acts the procedure would take now: it is tried."""
    found = set()
    for name, command in DEALERS_OWN.items():
        try:
            do(floor.book, floor.table, command, floor._actor(DEALER), floor._now(command))
        except Refused:
            continue
        found.add(name)
    return found


def waits(floor: Floor) -> bool:
    """Let whoever the table waits for do it; False where it waits for nobody."""
    table = floor.table
    seats = due(floor.book, table.round)
    if table.round.phase == "settling":
        for seat in table.announced:
            for who, role in (("flo", "floor-supervisor"), ("max", "shift-manager")):
                try:
                    floor.do(c.ApprovePayoff(seat, role), who)
                except Refused:
                    continue
                return True
        return False
    if seats:
        first = legal(floor.book, table.round, seats[0])[0]
        floor.do(decided(seats[0], first), table.sitters[seats[0]].person)
        return True
    for number in table.sitters:
        if number not in table.round.seats or not table.round.seats[number].stakes:
            floor.bet(number)
            return True
    return False


ROUNDS = [
    pytest.param(book, seed, id=f"{book.id}-{seed}")
    for several, seeds in ((BOOKS, range(8)), (MORE_BOOKS, range(2, 4)))
    for book in several
    for seed in seeds
]
"""Each book with other seats, other light and other cards that are read."""


@pytest.mark.parametrize("dealing", ["dealer", "entered"])
@pytest.mark.parametrize(("book", "seed"), ROUNDS)
def test_at_every_moment_there_is_one_next_step_and_it_is_accepted(
    book: Rulebook, dealing: str, seed: int
) -> None:
    shuffler = {"shuffler": True} if book.deck.shuffler and dealing == "entered" else {}
    floor = opened(book, dealing, 1 + seed % 5, seed, **shuffler if seed % 2 else {})
    if dealing == "entered":  # beside them, somebody without an account
        floor.do(c.SeatPatron(6, "red jacket", 5_000_00), "flo")
    hand, told = Hand(floor, seed, reads=seed % 3 / 2), list[str]()
    while floor.table.last is None or floor.table.last.round < 2:
        step = step_of(floor)
        told.append(step.says)
        assert "\n" not in step.says
        assert step.clause, step
        possible = accepted(floor)
        if step.does:
            # Betting may be closed before everybody has bet, and a seat that is done may be paid
            # before the win of another is called out; nothing else is possible besides.
            beside = {"bet": "close-bets", "call-out": "pay"}.get(step.does)
            assert possible - {beside} <= {step.does}, step
            assert (step.does in possible) == (step.does in DEALERS_OWN), step
            before = place_in_script(floor.table), step
            hand(step)
            assert (place_in_script(floor.table), step_of(floor)) != before
        else:
            assert not possible, step
            assert waits(floor), step
        assert len(told) < 400, "it comes to no end"
    assert "Pay" in told


# In words ---------------------------------------------------------------------------------------


def says(floor: Floor) -> str:
    return step_of(floor).says


def test_a_round_with_real_cards_step_by_step() -> None:
    floor = opened(DIAMOND_JO, "entered", 3)
    told = [says(floor)]

    def done(command: Any, who: str = DEALER) -> None:
        floor.do(command, who)
        told.append(says(floor))

    done(c.WashCards())
    done(c.ShuffleCards())
    done(c.OpenBetting())
    for seat in (1, 2, 3):
        done(a.Bet(seat, {"ante": 5_00, **({"lo-ball": 5_00} if seat == 2 else {})}))
    done(a.CloseBets())
    done(a.Deal((DECK[0], DECK[1])))
    done(a.Deal((DECK[2],)))
    done(a.Deal((None,) * 3))
    done(a.Raise(1, 1))
    done(a.Fold(2))
    done(a.Fold(3))
    assert told == [
        "New cards are washed first",
        "The cards are shuffled for each round",
        "Open the betting",
        "Enter the wagers of seat 1",
        "Enter the wagers of seat 2, or close the betting",
        "Enter the wagers of seat 3, or close the betting",
        "Close the betting",
        "Deal two cards each to seats 1, 2 and 3",
        "Deal two cards each to seats 2 and 3",
        "Deal one card to seat 2, then two cards more",
        *(f"Seat {seat} decides: fold or raise 1{TIMES}, 2{TIMES}, 3{TIMES}" for seat in (1, 2, 3)),
        "Deal one card to the board, face up",
    ]
    told.clear()
    for street in (2, 3):
        done(a.Deal((DECK[20 + street],)))
        done(a.Raise(1, 1))
    done(a.Deal((DECK[30],)))
    # Seat 2 folded, and its Lo Ball lives: it is shown, from the right, before seat 1.
    assert [each.seat for each in to_show(DIAMOND_JO, floor.table.round)] == [2, 1]
    # One card of seat 2 was read when it was dealt, and both of seat 1 were.
    assert told[-1] == "Turn up the hands of seats 2 and 1"
    assert (step_of(floor).least, step_of(floor).goes) == (1, ("seat 2",))
    done(a.Turn((DECK[40],)))
    assert told[-1] == "Pay"


def test_hands_that_were_not_read_are_turned_up_one_by_one() -> None:
    floor = opened(DIAMOND_JO, "entered", 3)
    for command in (c.WashCards(), c.ShuffleCards(), c.OpenBetting()):
        floor.do(command, DEALER)
    for seat in (1, 2, 3):
        floor.bet(seat)
    floor.do(a.CloseBets(), DEALER)
    floor.do(a.Deal((None, None, DECK[0], DECK[1], None, None)), DEALER)
    for card in DECK[10:13]:
        floor.raises(1, 2, 3, times=1)
        floor.do(a.Deal((card,)), DEALER)
    assert says(floor) == "Turn up the hands of seats 3 and 2"
    assert step_of(floor).goes == ("seat 3", "seat 3", "seat 1", "seat 1")
    assert step_of(floor).least == 2
    assert floor.refused(a.Turn((DECK[20],)), DEALER).code == "turn/wrong-count"
    floor.do(a.Turn((DECK[20], DECK[21])), DEALER)
    assert says(floor) == "Turn up the hand of seat 1"
    assert step_of(floor).seat == 1


def test_each_book_says_its_own_script() -> None:
    found: dict[str, list[str]] = {}
    for book in (HOLLYWOOD, SENECA, MISSISSIPPI):
        floor = opened(book, "dealer", 2)
        told = found[book.id] = []
        hand = Hand(floor, 3, reads=0)
        while floor.table.last is None:
            step = step_of(floor)
            if not step.does:
                for _ in range(2):
                    waits(floor)
                continue
            told.append(step.says)
            hand(step)
    ends = ["Turn up the hands of seats 2 and 1", "Pay"]
    begins = ["Open the betting", "Close the betting"]
    turns = [f"Turn up the {which} card of the board" for which in ("first", "second", "third")]
    assert found[HOLLYWOOD.id] == [
        *begins,
        "Deal three cards to the board",
        "Deal one card to the All Six",
        "Deal two cards each to seats 1 and 2",
        *turns,
        "Turn up the card of the All Six",
        *ends,
    ]
    assert found[MISSISSIPPI.id] == [
        *begins,
        "Deal three cards to the board",
        "Deal two cards each to seats 1 and 2",
        *turns,
        *ends,
    ]
    assert found[SENECA.id] == [
        *begins,
        "Deal five cards each to seats 1 and 2 and the dealer",
        "Turn up four cards of the dealer",
        *ends,
    ]


def test_r47__a_red_light_once_cards_are_out_is_the_floors() -> None:
    floor = opened(DIAMOND_JO, "entered", 1, shuffler=True)
    hand = Hand(floor, 1, reads=1)
    while says(floor) != "Close the betting":
        hand(step_of(floor))
    floor.do(a.Light("red"), DEALER)
    floor.do(a.CloseBets(), DEALER)
    assert says(floor) == "Shuffle again, and wait for the shuffler's green light"
    hand(step_of(floor))
    floor.do(a.Deal((None, None)), DEALER)
    floor.do(a.Raise(1, 1), DEALER)
    assert says(floor) == "Wait for the shuffler's green light"
    floor.do(a.Light("red"), DEALER)
    red = step_of(floor)
    assert red.does == "call-floor"
    assert red.says.startswith("The shuffler shows red: call the floor")
    assert red.clause == DIAMOND_JO.deck.clause_on("shuffler")


def test_c_1_b__cards_of_another_gaming_day_are_not_dealt_though_bets_lie_there() -> None:
    floor = opened(DIAMOND_JO, "entered", 1)
    hand = Hand(floor, 1, reads=1)
    while not says(floor).startswith("Deal"):
        hand(step_of(floor))
    floor.day += datetime.timedelta(days=1)
    step = step_of(floor)
    assert step.does == "call-floor"
    assert step.says.startswith("New cards come each gaming day: have the round called off")
    assert floor.refused(a.Deal((None, None)), DEALER).code == "cards/new-day"


def test_who_does_not_deal_yet_takes_the_table_over_and_nobody_deals_to_themselves() -> None:
    floor = opened(DIAMOND_JO, "dealer", 1)
    assert step_of(floor, "eve").does == "start-dealing"
    assert step_of(floor, "player-1").does == ""
    assert next_step(DIAMOND_JO, Table("t"), DEALER, DAY).says == "This table is closed"


# The house's own prompts ------------------------------------------------------------------------


def prompted(floor: Floor) -> list[str]:
    return [each.when for each in prompts(floor.book, step_of(floor))]


def test_each_prompt_of_a_house_belongs_to_a_moment_of_its_round() -> None:
    """Every prompt of every book is shown in a round with real cards, and not at all of it."""
    for book in BOOKS:
        floor = opened(book, "entered", 2)
        hand, seen, silent = Hand(floor, 5, reads=1), set[str](), 0
        while floor.table.last is None:
            step = step_of(floor)
            seen.update(each.says for each in prompts(book, step))
            silent += not prompts(book, step)
            if step.does:
                hand(step)
            else:
                waits(floor)
        seen.update(each.says for each in prompts(book, step_of(floor)))
        assert seen == {each.says for each in book.procedure}, book.id
        assert silent


def test_c_1_j__a_folded_hand_is_prompted_for_where_seats_decide() -> None:
    floor = opened(DIAMOND_JO, "dealer", 1)
    hand = Hand(floor, 1, reads=0)
    while not says(floor).startswith("Seat 1 decides"):
        step = step_of(floor)
        assert "fold" not in prompted(floor)
        if step.does:
            hand(step)
        else:
            waits(floor)
    assert prompted(floor) == ["fold"]


def test_c_1_m_c_1_p__a_hand_folded_later_is_spread_and_racked_like_the_first() -> None:
    floor = opened(DIAMOND_JO, "entered", 1)
    hand, streets = Hand(floor, 1, reads=0), 0
    while floor.table.round.phase != "settling":
        step = step_of(floor)
        if step.does == "decide":
            [prompt] = prompts(DIAMOND_JO, step)
            assert "Spread the folded hand face down to verify two cards; rack it" in prompt.says
            assert {"C.1.j", "C.1.m", "C.1.p"} <= {*prompt.cited.split(", ")}
            streets += 1
            floor.do(a.Raise(1, 1), DEALER)
        elif step.does:
            hand(step)
        else:
            waits(floor)
    assert streets == 3


def test_c_1_t__a_payoff_is_called_out_by_the_dealer_and_then_waits_for_the_floor() -> None:
    floor = opened(DIAMOND_JO, "entered", 2)
    for command in (
        *(c.WashCards(), c.ShuffleCards(), c.OpenBetting()),
        *(a.Bet(1, {"ante": 50_00}), a.Bet(2, {"ante": 50_00})),
        *(a.CloseBets(), a.Deal((None,) * 4)),
    ):
        floor.do(command, DEALER)
    board = [Card(48), Card(49), Card(0)]  # two aces and a deuce
    for card in board:
        for seat in (1, 2):
            floor.do(a.Raise(seat, 1), DEALER)
        floor.do(a.Deal((card,)), DEALER)
    floor.do(a.Turn((Card(50), Card(1), Card(51), Card(9))), DEALER)
    # Seat 2 turned up an ace and a deuce: a full house, 10 to 1 on its 200 dollars.
    # Seat 1 has three aces, and is paid 3 to 1 on as much.
    first = step_of(floor)
    assert (first.does, first.seat) == ("call-out", 2)
    assert first.says == "Call out the win of seat 2: $2,000"
    floor.do(c.ApprovePayoff(2, "dealer"), DEALER)
    second = step_of(floor)
    assert (second.does, second.says) == ("call-out", "Call out the win of seat 1: $600")
    floor.do(c.ApprovePayoff(1, "dealer"), DEALER)
    assert says(floor) == "The win of seat 2 waits for floor supervisor"
    floor.do(c.ApprovePayoff(2, "floor-supervisor"), "flo")
    assert says(floor) == "The win of seat 2 waits for surveillance or shift manager"
    floor.do(c.ApprovePayoff(2, "shift-manager"), "max")
    floor.do(c.ApprovePayoff(1, "floor-supervisor"), "flo")
    assert says(floor) == "Pay"


def test_r53__a_correction_that_waits_is_the_next_step_of_who_must_agree():
    floor = royal()
    floor.do(c.ApprovePayoff(1, "dealer"), DEALER)
    assert says(floor) == "Pay seat 2: another waits"
    floor.do(correct(TEN, "floor-supervisor"), "flo")
    step = step_of(floor)
    asks = "for a correction: it is the ten of diamonds"
    assert step.says == f"The floor supervisor asks {asks}"
    assert (step.does, step.button, step.clause) == ("correct", "Look at it", "R53")
    floor.do(correct(Facts(), "floor-supervisor"), "flo")  # taken back
    assert says(floor) == "Pay seat 2: another waits"
    floor.do(correct(TEN, "dealer"), DEALER)
    step = step_of(floor)
    waits = "What you put right waits for the floor to agree"
    assert (step.says, step.does) == (waits, "call-floor")
    beside = next_step(floor.book, floor.table, "flo", floor.day, {"floor-supervisor"})
    assert (beside.says, beside.does) == (f"The dealer asks {asks}", "correct")


def test_r66__seats_that_are_done_are_paid_before_anybody_waits():
    floor = royal()
    assert says(floor) == "Call out the win of seat 1: $20,000"
    floor.do(c.ApprovePayoff(1, "dealer"), DEALER)
    step = step_of(floor)
    assert (step.says, step.does) == ("Pay seat 2: another waits", "pay")
    assert step.clause == "R66"
    floor.do(a.Pay(), DEALER)
    step = step_of(floor)
    waits = "The win of seat 1 waits for floor supervisor"
    assert (step.says, step.does) == (waits, "call-floor")
