"""The two families as kernels: how often each ending comes about, by look-ups alone."""

from collections.abc import Iterable, Sequence
from functools import cache

import msgspec
import numpy as np

from pitboss.cards import Card
from pitboss.errors import Unreadable
from pitboss.lab.dealing import Bytes, Nodes, Numbers, Walk, walk
from pitboss.maths import dealer_games, dealers_hands, pay_table_games
from pitboss.maths.advise import Seen
from pitboss.maths.evaluate import Strategy
from pitboss.maths.hand_states import SIZE, Ints, levels, strengths
from pitboss.maths.outcomes import Outcome
from pitboss.rulebook.deal_script import SEATS, DealStep, TurnStep
from pitboss.rulebook.model import Rulebook


class Ending(msgspec.Struct, frozen=True):
    """One way in which a seat's round can end."""

    event: str
    stake: int
    """The main wagers, in antes."""
    net_units: int


class TableKernel(msgspec.Struct, frozen=True):
    """Hands that grow to five cards and are paid by a table."""

    seats: int
    shared: tuple[bool, ...]
    """Whether each card of a hand, in the order seen, lies on the board."""
    walk: Walk

    @property
    def cards(self) -> int:
        """The board, and each seat's own."""
        board = sum(self.shared)
        return board + self.seats * (SIZE - board)

    def settle(self, cards: Bytes) -> list[Numbers]:
        """Return how each seat's rounds end; the board leads the deck."""
        hands = (self.hand(seat) for seat in range(self.seats))
        return [self.walk.follow([cards[at] for at in hand]) for hand in hands]

    def hand(self, seat: int) -> list[int]:
        """Return which cards a seat plays, in the order in which it sees them."""
        board = sum(self.shared)
        common, own = iter(range(board)), iter(range(board + seat * (SIZE - board), self.cards))
        return [next(common) if each else next(own) for each in self.shared]


class DealerKernel(msgspec.Struct, frozen=True):
    """Hands of five cards against the dealer's, one card of which is seen."""

    seats: int
    walk: Walk
    weakest: int
    """The dealer qualifies with this strength."""
    ties_win: bool
    choice: Bytes
    """By strength and upcard's rank: the choice, or ``ASK``."""
    asked: Ints
    """Cases in which the suits matter, sorted: strength, upcard, ranks shared."""
    answer: Bytes
    """The choice in each of these."""
    ended: Numbers
    """(choice, strength of a win, or how else it was shown down): the ending."""

    @property
    def cards(self) -> int:
        """The dealer's, and each seat's."""
        return SIZE * (1 + self.seats)

    def settle(self, cards: Bytes) -> list[Numbers]:
        """Return how each seat's rounds end; the dealer's cards lead the deck, upcard first."""
        dealer = list(cards[:SIZE])
        theirs = self.walk.follow(dealer)
        hands = [list(cards[at : at + SIZE]) for at in range(SIZE, self.cards, SIZE)]
        return [self._against(theirs, dealer[0], hand) for hand in hands]

    def _against(self, theirs: Numbers, upcard: Bytes, hand: list[Bytes]) -> Numbers:
        mine = self.walk.follow(hand)
        # 0 a win, 1 a tie, 2 a loss, 3 whatever it was had the dealer qualified.
        shown = (theirs > mine).view(np.uint8)
        shown += shown if self.ties_win else (theirs >= mine).view(np.uint8)
        shown |= (theirs < self.weakest).view(np.uint8) * np.uint8(3)
        column = np.maximum(mine, shown * np.int16(_STRENGTHS))
        at = self.choices(mine, upcard, hand).astype(np.intp)
        at *= _COLUMNS
        at += column
        return self.ended.take(at, mode="wrap")

    def choices(self, mine: Numbers, upcard: Bytes, hand: list[Bytes]) -> Bytes:
        """Return what each seat does: the number of an offered multiple, or after them all FOLD."""
        rank = upcard >> 2
        at = mine.astype(np.intp)
        at *= 13
        at += rank
        found = self.choice.take(at, mode="wrap")
        ask = np.flatnonzero(found == ASK)
        if len(ask):
            case = (mine[ask].astype(np.int64) * 13 + rank[ask]) << 13
            for card in hand:
                same = (card[ask] ^ upcard[ask]) & 3 == 0
                case |= np.where(same, np.int64(1) << (card[ask] >> 2), 0)
            found[ask] = self.answer[np.searchsorted(self.asked, case)]
        return found


ASK = 255
_STRENGTHS = 7463
"""Strengths of a five-card hand; the first is unused."""
_TIED, _LOST, _UNQUALIFIED = (shown * _STRENGTHS for shown in (1, 2, 3))
_COLUMNS = _UNQUALIFIED + 1


class Given(msgspec.Struct, frozen=True):
    """What is simulated: the rules, at this ante."""

    book: Rulebook
    strategy: Strategy | None
    ante_cents: int | None
    minimum_cents: int
    ties: str


class _Made(msgspec.Struct, frozen=True):
    """A kernel, how its rounds can end, and what exact counting says of the same play."""

    kernel: TableKernel | DealerKernel
    endings: tuple[Ending, ...]
    outcomes: tuple[Outcome, ...]
    deals: int
    units: int


class _Endings:
    """Endings, numbered as they come up."""

    def __init__(self) -> None:
        self._numbers: dict[Ending, int] = {}

    def number(self, event: str, stake: int, net_units: int) -> int:
        ending = Ending(event, stake, net_units)
        return self._numbers.setdefault(ending, len(self._numbers))

    def all(self) -> tuple[Ending, ...]:
        return tuple(self._numbers)


def by_table(given: Given, seats: int) -> _Made:
    """Return the kernel of a pay-table game, and its endings."""
    book = given.book
    streets, planned = (
        pay_table_games.streets(book, given.ties),
        pay_table_games.plan(book, given.ties),
    )
    finals = planned.finals
    pay, units = pay_table_games.payoffs(book, finals, given.ante_cents, given.minimum_cents)
    table, shared = pay_table_games.main_table(book), _shared(book)
    rows = pay_table_games.row_numbers(table)
    if given.strategy is None:
        best = pay_table_games.solve(book, given.ante_cents, given.minimum_cents, given.ties).best
    else:
        best = _answers(streets, shared, given.strategy)
    endings = _Endings()
    paid = np.array(
        [
            [endings.number(row.row, s, int(net)) for s, net in zip(finals, nets, strict=True)]
            for row, nets in zip(table.rows, pay, strict=True)
        ]
    )

    def decide(seen: int, nodes: Nodes) -> Nodes:
        for number, street in enumerate(streets):
            if street.seen == seen:
                after = streets[number + 1].stakes if number + 1 < len(streets) else finals
                folded = [
                    endings.number(f"fold-{number + 1}", s, -s * units) for s in street.stakes
                ]
                nodes = _decided(nodes, best[number], street.stakes, after, np.array(folded))
        return nodes

    def end(nodes: Nodes) -> Ints:
        return np.where(
            nodes.over >= 0, nodes.over, paid[rows[strengths()[nodes.state]], nodes.column]
        )

    followed = walk(decide, end)
    outcomes = pay_table_games.outcomes(book, planned, best, pay, rows, units)
    kernel = TableKernel(seats, shared, followed)
    return _Made(kernel, endings.all(), outcomes, sum(o.deals for o in outcomes), units)


def _decided(
    nodes: Nodes, best: Ints, stakes: Sequence[int], after: Sequence[int], folded: Ints
) -> Nodes:
    """Let each situation that is still open make its choice."""
    going = nodes.over < 0
    state, column = np.where(going, nodes.state, 0), np.where(going, nodes.column, 0)
    choice = best[state, column]
    over = np.where(going & (choice == pay_table_games.FOLD), folded[column], nodes.over)
    stake = np.array(stakes)[column] + np.maximum(choice, 0)
    return Nodes(nodes.state, nodes.suit, np.searchsorted(np.array(after), stake), over)


def _shared(book: Rulebook) -> tuple[bool, ...]:
    """Return for each card of a hand, in the order seen, whether it lies on the board."""
    places = pay_table_games.main_table(book).cards
    found: list[bool] = []
    for step in book.script:
        if isinstance(step, DealStep):
            for place in step.to:
                if place in places:
                    own = place == SEATS
                    found += [not own] * (step.cards if own else len(step.up.get(place, ())))
        elif isinstance(step, TurnStep) and step.place in places:
            found += [True] * step.cards
    return (*found, *[True] * (SIZE - len(found)))


def against_dealer(given: Given, seats: int) -> _Made:
    """Return the kernel of a showdown, and its endings."""
    book = given.book
    rule, street = dealer_games.shape(book)
    stay = street.times
    pay, units = dealer_games.payoffs(book, street, stay, given.ante_cents, given.minimum_cents)
    every = dealers_hands.cases(rule.weakest)
    if given.strategy is None:
        order = (
            (pay_table_games.FOLD, *stay) if given.ties == "fold" else (*stay, pay_table_games.FOLD)
        )
        worths = np.stack([dealer_games.worth(every, pay, stay, choice) for choice in order])
        picked = worths.argmax(axis=0)
    else:
        order = (*stay, pay_table_games.FOLD)
        picked = _answers_to_upcard(order, given.strategy)[every.state, every.upcard]
    endings = _Endings()
    ended = _showdown_endings(stay, pay, endings)
    numbers = np.array([len(stay) if c == pay_table_games.FOLD else stay.index(c) for c in order])
    choice, asked, answer = _choice_tables(every, numbers[picked])
    outcomes = dealer_games.outcomes(pay, order, stay, [(every, picked)])
    kernel = DealerKernel(
        seats, _strength_walk(), rule.weakest, rule.tie == "win", choice, asked, answer, ended
    )
    return _Made(kernel, endings.all(), outcomes, sum(o.deals for o in outcomes), units)


@cache
def _strength_walk() -> Walk:
    return walk(lambda _seen, nodes: nodes, lambda nodes: strengths()[nodes.state])


def _showdown_endings(stay: tuple[int, ...], pay: dealer_games.Pay, endings: _Endings) -> Numbers:
    """Number the endings of each choice: by strength of a win, then of the other showdowns."""
    fold = endings.number("fold-1", 1, pay.fold)
    found = np.full((len(stay) + 1, _COLUMNS), fold, np.int16)
    for at, times in enumerate(stay):
        for strength in range(1, _STRENGTHS):
            row, net = pay.rows[pay.row[strength]], int(pay.win[at][strength])
            found[at, strength] = endings.number(row, 1 + times, net)
        for column, event, net in (
            (_TIED, "tie", pay.tie[at][0]),
            (_LOST, "dealer-wins", pay.lose[at]),
            (_UNQUALIFIED, "dealer-does-not-qualify", pay.unqualified[at]),
        ):
            found[at, column] = endings.number(event, 1 + times, int(net))
    return found


def _choice_tables(every: dealers_hands.Cases, choice: Ints) -> tuple[Bytes, Ints, Bytes]:
    """Return the choice by strength and upcard, and by case where that does not settle it."""
    at = every.strength * 13 + every.upcard
    least, most = np.full(_STRENGTHS * 13, ASK), np.zeros(_STRENGTHS * 13, np.int64)
    np.minimum.at(least, at, choice)
    np.maximum.at(most, at, choice)
    mixed = np.flatnonzero((least != most)[at])
    case = at[mixed] << 13 | every.shared[mixed]
    order = np.argsort(case)
    table = np.where(least == most, least, ASK).astype(np.uint8)
    return table, case[order], choice[mixed][order].astype(np.uint8)


# Strategies as tables ---------------------------------------------------------------------------


def _answers(
    streets: Sequence[pay_table_games.Street], shared: Sequence[bool], strategy: Strategy
) -> tuple[Ints, ...]:
    """Put every state at every stake to a strategy: for each street, (state, stake)."""
    found = []
    raised: dict[int, set[tuple[int, ...]]] = {1: {()}}
    for street in streets:
        level, after = levels()[street.seen], dict[int, set[tuple[int, ...]]]()
        own = street.seen - sum(shared[: street.seen])
        best = np.full((len(level.keys), len(street.stakes)), street.choices[-1])
        for state in range(len(level.keys)):
            hands = _spelled(level.ranks(state), suited=bool(level.suited[state]))
            turned = [hand[at:] + hand[:at] for hand in hands for at in range(len(hand))]
            for column, stake in enumerate(street.stakes):
                ways = raised.get(stake, set())
                if ways:
                    seen = [Seen(c[:own], c[own:], None, way) for c in turned for way in ways]
                    choice = best[state, column] = _answer(strategy, seen, street.choices)
                    if choice != pay_table_games.FOLD:
                        more = after.setdefault(stake + max(0, choice), set())
                        more |= {(*way, choice) for way in ways}
        found.append(best)
        raised = after
    return tuple(found)


def _answers_to_upcard(choices: tuple[int, ...], strategy: Strategy) -> Ints:
    """Put every hand against every upcard to a strategy: (state, upcard), places in choices."""
    level = levels()[SIZE]
    found = np.zeros((len(level.keys), 13), np.int64)
    for state in range(len(level.keys)):
        hands = _spelled(level.ranks(state), suited=bool(level.suited[state]))
        for rank in np.flatnonzero(level.counts[state] < 4).tolist():
            free = [
                [c for c in map(Card, range(4 * rank, 4 * rank + 4)) if c not in h] for h in hands
            ]
            seen = [
                Seen(hand, (), up)
                for hand, cards in zip(hands, free, strict=True)
                for up in {cards[0], cards[-1]}
            ]
            found[state, rank] = choices.index(_answer(strategy, seen, choices))
    return found


def _spelled(ranks: tuple[int, ...], *, suited: bool) -> list[tuple[Card, ...]]:
    """Return hands of these ranks whose suits differ as much as they can."""
    if suited:
        return [tuple(Card(4 * (rank - 2)) for rank in ranks)]
    close = [ranks[:at].count(rank) for at, rank in enumerate(ranks)]
    if not any(close):
        close[-1] = 1
    wide = [at % 4 for at in range(len(ranks))]
    return [
        tuple(Card(4 * (rank - 2) + suit) for rank, suit in zip(ranks, suits, strict=True))
        for suits in (close, wide)
    ]


def _answer(strategy: Strategy, asked: Iterable[Seen], choices: Sequence[int]) -> int:
    """Return a strategy's one answer to situations that a table cannot tell apart."""
    try:
        given = {strategy(seen) for seen in asked}
    except (ArithmeticError, LookupError, TypeError, ValueError):
        raise Unreadable("this strategy is not made for this game") from None
    if len(given) > 1:
        raise Unreadable(
            "this strategy looks at more than ranks, one suit, stake and upcard: not simulated"
        )
    choice = given.pop()
    if choice not in choices:
        raise Unreadable(f"a strategy answers one of {tuple(choices)} here, not {choice!r}")
    return choice
