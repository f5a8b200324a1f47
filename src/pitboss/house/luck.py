"""Luck and skill of finished rounds: what a seat's result is made of, to the fraction of a cent.

It is told from what the seat saw and was paid, and nothing else. Values are those of the coach:
exact, of the game's own wagers, ceilings left out; what they take is a part of its own. Side wagers
and tokens are worth what their price says until the end.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from pitboss import round as rounds
from pitboss.cards import DECK, Card
from pitboss.errors import Unreadable, Unsolved
from pitboss.hands import ranking
from pitboss.house.decisions import choice_made, choice_of, decided, numbered, situation, usual
from pitboss.house.replay import Replay
from pitboss.house.table.events import TableEvent
from pitboss.maths import pay_table_games
from pitboss.maths.families import family
from pitboss.maths.luck import NONE, Choice, Parts, WorthCourse, course
from pitboss.maths.price import At, expected_value
from pitboss.maths.seen import Seen
from pitboss.maths.side_wagers import jackpot
from pitboss.maths.solution import Solution
from pitboss.round import State
from pitboss.round import events as e
from pitboss.rulebook import Rulebook
from pitboss.rulebook.deal_script import SEATS
from pitboss.rulebook.paytable import Spot
from pitboss.settle import Line

T = TypeVar("T")

_CARDS = e.CardsDealt | e.CardsTurned

UNSOLVED = "this game is not worked out here yet"
UNKNOWN = "a decision's worth is not known"
FOUND_LATE = "a wager was found late"
UNPRICED = "a wager is not priced"
DEAD = "the hand was dead"


class SeatRound(msgspec.Struct, frozen=True):
    """A finished round as one seat saw it, and what became of its wagers."""

    book: Rulebook
    seat: int
    events: tuple[TableEvent, ...]
    """As the seat saw them."""
    lines: tuple[Line, ...]

    def stake(self, spot: str) -> int:
        return next(line.stake_cents for line in self.lines if line.spot == spot)


class Moment(msgspec.Struct, frozen=True):
    """What one step of a round changed."""

    number: int
    """How many events had happened, itself the last."""
    cents: Fraction


class RoundLuck(msgspec.Struct, frozen=True):
    """A result taken apart."""

    parts: Parts
    dealt: tuple[Moment, ...] = ()
    """What the cards changed of the game's own wagers, at the last of those that came together."""
    costs: tuple[Moment, ...] = ()
    """What each decision cost: never more than nothing."""
    wagers: tuple[tuple[str, Parts], ...] = ()
    """Each wager beside the game, by its title."""
    cards: tuple[tuple[Card, Fraction], ...] = ()
    """What the first of ``dealt`` was card by card, where somebody asked for that."""
    why: str = ""
    """Why something is not told apart."""


def as_seen(past: Replay) -> SeatRound | None:
    """Return a replay's round as it stands; None without a seat, or a wager of its."""
    if past.seat is None or past.stands is None or not past.stands.lines:
        return None
    events = past.adjusted[-1].event.events if past.adjusted else past.events
    return SeatRound(past.book, past.seat, events, past.stands.lines)


def luck_and_skill(told: SeatRound, solution: Solution | None) -> RoundLuck:
    """Take a seat's result apart; the solution is the game's, None where there is none."""
    return _SeatLuck(told).found(solution)


def card_by_card(told: SeatRound, solution: Solution, found: RoundLuck) -> RoundLuck:
    """Tell the cards that a seat decided on first one by one, where that is done at once: by pay
    table, with nothing else to be seen yet."""
    made = decided(told.book, told.events, told.seat)
    told_first = found.costs and found.dealt and found.dealt[0].number <= found.costs[0].number
    if not told_first or family(told.book) is not pay_table_games:
        return found
    ante = told.stake(told.book.ante.name)
    seen = situation(told.book, made[0].state, told.seat, ante)
    if seen is None or seen.board:
        return found
    held = seen.cards
    stands = [solution.value, *(_mean(solution, held, n) for n in range(1, len(held) + 1))]
    changed = (ante * (now - before) for before, now in pairwise(stands))
    return replace(found, cards=tuple(zip(held, changed, strict=True)))


def _mean(solution: Solution, held: tuple[Card, ...], known: int) -> Fraction:
    """Return what a game is worth once so many of the cards are seen that are decided on first."""
    first, worth = held[:known], solution.solved.worth
    left = (card for card in DECK if card not in first)
    hands = [(*first, *more) for more in combinations(left, len(held) - known)]
    return sum((max(worth(Seen(hand)).values()) for hand in hands), NONE) / len(hands)


class _SeatLuck:
    """One seat's result while it is taken apart."""

    def __init__(self, told: SeatRound) -> None:
        self.told, self.book = told, told.book
        self.own = [*numbered(told.events)]
        self.state = State()
        for _, event in self.own:
            self.state = rounds.evolve(self.book, self.state, event)
        self.held = self.state.seats[told.seat]
        self.lines = [line for line in told.lines if not line.dealers]
        """The dealers' own wager is a gift, and no part of a result."""

    def found(self, solution: Solution | None) -> RoundLuck:
        if self.state.misdeal:
            return RoundLuck(Parts(rounds=1))
        if self.held.dead:
            net = sum(line.returned_cents - line.stake_cents for line in self.lines)
            return RoundLuck(Parts(rounds=1, apart=Fraction(net)), why=DEAD)
        cut = [_cut(self.book, line, self.held.stakes) for line in self.lines]
        beside = Parts(
            rounds=1,
            ceilings=sum((each.ceilings for each in cut), NONE),
            rounding=sum((each.rounding for each in cut), NONE),
        )
        came: dict[str, Fraction] = {}
        for each in cut:
            spot = self._stands_beside(each.line.spot)
            came[spot] = came.get(spot, NONE) + each.came
        game = [name for name in came if self._is_main(name)]
        main = self._main(solution, sum((came[name] for name in game), NONE)) if game else None
        others = [
            (self._title(name), self._side(name, came[name])) for name in came if name not in game
        ]
        parts = sum((each for _, each in others), beside + main.parts if main else beside)
        return RoundLuck(
            parts=parts,
            dealt=main.dealt if main else (),
            costs=main.costs if main else (),
            wagers=tuple(others),
            why=(main.why if main else "") or self._why(parts),
        )

    def _why(self, parts: Parts) -> str:
        return (FOUND_LATE if self.held.late else UNPRICED) if parts.apart else ""

    def _stands_beside(self, spot: str) -> str:
        """Return the wager that a line is about: a bonus stands beside one."""
        return next((each.name for each in self.book.spot if each.bonus == spot), spot)

    def _is_main(self, name: str) -> bool:
        return name in self.book.spots and self.book.spots[name].kind == "main"

    def _title(self, name: str) -> str:
        return self.book.spots[name].title if name in self.book.spots else name

    # The game's own wagers ----------------------------------------------------------------------

    def _main(self, solution: Solution | None, came: Fraction) -> RoundLuck:
        late = any(self._is_main(name) for name in self.held.late)
        if solution is None or late:
            why = FOUND_LATE if late else UNSOLVED
            return RoundLuck(Parts(apart=came), why=why)
        ante = self.held.stakes[self.book.ante.name]
        made = decided(self.book, self.told.events, self.told.seat)
        choices = [self._choice(solution, each.state, each.event, ante) for each in made]
        known = [each for each in choices if each is not None]
        if len(known) < len(made) or not (made or usual(self.book, self.held, ante)):
            return RoundLuck(Parts(apart=came), why=UNKNOWN)
        found = course(ante * solution.value, known, came)
        numbers = [each.number for each in made]
        return RoundLuck(
            parts=Parts(
                decisions=len(known),
                best=sum(not cost for cost in found.costs),
                edge=found.edge,
                mistakes=found.mistakes,
                luck=found.luck,
            ),
            dealt=tuple(self._dealt(found, numbers)),
            costs=tuple(map(Moment, numbers, found.costs)),
        )

    def _choice(
        self, solution: Solution, state: State, event: e.Decided, ante_cents: int
    ) -> Choice | None:
        known = situation(self.book, state, self.told.seat, ante_cents)
        if known is None:
            return None
        try:
            worths = solution.worth(known)
        except Unreadable:  # the seat did not see what the rules let it see by then
            return None
        options = rounds.legal(self.book, state, self.told.seat)
        legal = [choice_of(each.action, each.times) for each in options]
        if not worths.keys() >= {*legal, choice_made(event)}:
            return None
        return Choice({each: ante_cents * worths[each] for each in legal}, choice_made(event))

    def _dealt(self, found: WorthCourse, numbers: Sequence[int]) -> Iterable[Moment]:
        """Say at which step each change came: with the last card since the decision before."""
        cards = [number for number, event in self.own if isinstance(event, _CARDS)]
        last, after = self.own[-1][0], 0
        for until, cents in zip((*numbers, last + 1), found.dealt, strict=True):
            at = max((each for each in cards if after <= each < until), default=min(until, last))
            if cents:
                yield Moment(at, cents)
            after = until

    # Wagers beside the game ---------------------------------------------------------------------

    def _side(self, name: str, came: Fraction) -> Parts:
        spot = self.book.spots.get(name)
        worth = None if spot is None or name in self.held.late else self._worth(spot)
        if spot is None or worth is None:
            return Parts(apart=came)
        kept = came
        if spot.after_fold == "lost" and self.held.folded and spot.name != self.held.kept:
            unfolded = self._unfolded(spot)
            if unfolded is None:
                return Parts(apart=came)
            kept = unfolded
        return Parts(edge=worth, mistakes=came - kept, luck=kept - worth)

    def _worth(self, spot: Spot) -> Fraction | None:
        """Return what a wager is worth before the deal, in cents; None where it is not priced."""
        stake, meter = self.held.stakes[spot.name], self.state.meter_cents
        if spot.kind == "progressive":
            token = _once(self.book, "", 0, lambda: jackpot(self.book))
            if token is None or meter is None:
                return None
            return token.at(meter) * token.token_cents - stake
        down = sum(spot.name in each.stakes for each in self.state.seats.values())
        at = At(players=down)
        each = _once(self.book, spot.name, down, lambda: expected_value(self.book, spot.name, at))
        return None if each is None else stake * each

    def _unfolded(self, spot: Spot) -> Fraction | None:
        """Return what a wager would have brought that a fold lost, where the seat saw it all."""
        table = self.book.tables[spot.table]
        cards: list[Card] = [card for card in self.held.cards if card is not None]
        if table.cards != (SEATS,) or len(cards) < self.book.dealt[SEATS]:
            return None
        row = table.row_for(ranking(table.ranking).best(tuple(cards)).strength)
        stake = self.held.stakes[spot.name]
        if row.odds is not None:
            return stake * Fraction(row.odds)
        if row.award is not None:
            return Fraction(row.award - stake)
        assert row.meter is not None
        assert self.state.meter_cents is not None
        return self.state.meter_cents * Fraction(row.meter) - stake


MOST_PRICES = 2_000
_PRICES: dict[tuple[str, str, int], Any] = {}


def _once(book: Rulebook, spot: str, players: int, price: Callable[[], T]) -> T | None:
    """Price a wager the first time that it is met; None where it is not priced."""
    key = book.sha256, spot, players
    try:
        known: T | None = _PRICES[key]
    except KeyError:
        if len(_PRICES) >= MOST_PRICES:
            _PRICES.clear()
        try:
            known = price()
        except Unsolved:
            known = None
        _PRICES[key] = known
    return known


class _Cut(msgspec.Struct, frozen=True):
    """What became of a wager by its pay table, and what was cut off that."""

    line: Line
    came: Fraction
    ceilings: Fraction
    rounding: Fraction


def _cut(book: Rulebook, line: Line, stakes: dict[str, int]) -> _Cut:
    others = sum(each.facts["won_cents"] for each in line.reasons if each.code == "others")
    meter = next((each.facts for each in line.reasons if each.code in _METER), None)
    exact = Fraction(line.nominal_cents - others)
    if meter is not None:
        rows = book.tables[book.spots[line.spot].table].rows
        part = next(row.meter for row in rows if row.row == line.row)
        exact = Fraction(part or 0) * meter["meter_cents"]
    elif line.odds is not None:
        beside = next((each.name for each in book.spot if each.bonus == line.spot), line.spot)
        exact = stakes[beside] * Fraction(line.odds)
    rounding = line.nominal_cents - others - exact
    ceilings = Fraction(line.won_cents - line.nominal_cents)
    moved = line.returned_cents - line.stake_cents
    return _Cut(line, moved - ceilings - rounding, ceilings, rounding)


_METER = ("meter", "meter-shared")
