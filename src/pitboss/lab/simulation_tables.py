"""The families as kernels: how each round ends, by look-ups alone.

Choices, payoffs and strengths are put into the tables from where the solvers have them; only how
often each ending comes about is a count of its own. A strategy is asked once for each entry of a
table, not for each deal as ``maths.evaluate`` does, so one that sees more than a table has is
refused.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache

import msgspec
import numpy as np

from pitboss.cards import Card
from pitboss.errors import Unreadable
from pitboss.lab.board_kernel import BoardKernel
from pitboss.lab.random_deals import Bytes, Numbers
from pitboss.lab.showdown_kernel import ShowdownKernel, best_play
from pitboss.maths import (
    board_games,
    board_strategies,
    dealer_games,
    dealers_hands,
    pay_table_games,
    raise_or_fold,
)
from pitboss.maths.at_least import AtLeast
from pitboss.maths.board_games import BoardSolution
from pitboss.maths.board_play import BoardChoices
from pitboss.maths.board_strategies import BoardRules
from pitboss.maths.dealer_games import DealerSolution
from pitboss.maths.decisions import FOLD, OUT, Street, five_cards, main_table
from pitboss.maths.evaluation import Strategy
from pitboss.maths.hand_states import SIZE, Ints, levels, strengths
from pitboss.maths.outcomes import Outcome
from pitboss.maths.pay_table_games import PayTableSolution
from pitboss.maths.raise_or_fold import RaiseOrFoldSolution
from pitboss.maths.seen import Seen
from pitboss.maths.showdown_pay import EndingNets
from pitboss.maths.solution import Solution
from pitboss.rulebook.deal_script import SEATS, arrivals
from pitboss.rulebook.model import Rulebook


class Walk(msgspec.Struct, frozen=True):
    """Where each card leads, as tables: three cards at once, then one after the other."""

    first: Ints
    """By the first three cards: the place in the next table."""
    middle: tuple[Ints, ...]
    """By place plus card: the place in the next table."""
    last: Numbers
    """By place plus card: what it comes to."""

    def follow(self, rows: Sequence[Bytes]) -> Numbers:
        """Return what each round's five cards come to, in the order in which they are seen."""
        at = rows[0].astype(np.intp)
        for row in rows[1:_LEAD]:
            at *= 52
            at += row
        at = self.first.take(at, mode="wrap")
        for table, row in zip(self.middle, rows[_LEAD:], strict=False):
            at += row
            at = table.take(at, mode="wrap")
        at += rows[-1]
        return self.last.take(at, mode="wrap")


_LEAD = 3


class Nodes(msgspec.Struct, frozen=True):
    """Situations of a hand: state of the ladder, suit while it has one, stake; or how it ended."""

    state: Ints
    suit: Ints
    column: Ints
    over: Ints
    """The ending, or -1."""

    def unique(self) -> tuple["Nodes", Ints]:
        """Return each situation once, and where each of these went."""
        rows = np.stack([self.state, self.suit, self.column, self.over])
        rows[:3, self.over >= 0] = 0
        names = np.ravel_multi_index(tuple(rows + 1), (8192, 8, 128, 4096))
        _, first, inverse = np.unique(names, return_index=True, return_inverse=True)
        return Nodes(*rows[:, first]), inverse


def walk(decide: Callable[[int, Nodes], Nodes], end: Callable[[Nodes], Ints]) -> Walk:
    """Make the tables: ``decide`` is asked after each number of cards, ``end`` after the last."""
    nodes = decide(0, Nodes(*(np.array([each]) for each in (0, -1, 0, -1))))
    tables: list[Ints] = []
    for seen in range(SIZE):
        grown = decide(seen + 1, _grown(seen, nodes))
        if seen + 1 == SIZE:
            tables.append(end(grown))
        else:
            nodes, after = grown.unique()
            tables.append(after * 52)
    lead = tables[0]
    for table in tables[1:_LEAD]:
        lead = table[(lead[:, None] + np.arange(52)).ravel()]
    return Walk(lead, tuple(tables[_LEAD:-1]), tables[-1].astype(np.int16))


def _grown(seen: int, nodes: Nodes) -> Nodes:
    level, card = levels()[seen], np.arange(52)
    state, suit, column, over = (
        np.repeat(each, 52) for each in (nodes.state, nodes.suit, nodes.column, nodes.over)
    )
    rank, mine = (np.tile(each, len(nodes.state)) for each in (card >> 2, card & 3))
    state = np.where(over >= 0, 0, state)
    same = level.suited[state] & ((suit == mine) | (seen == 0))
    return Nodes(level.after[state, 2 * rank + same], np.where(same, mine, -1), column, over)


# The kernels -------------------------------------------------------------------------------------


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


Kernel = TableKernel | DealerKernel | ShowdownKernel | BoardKernel


class _Endings:
    """How a seat's round can end, numbered as it comes up: event, stake in antes, net in units."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, int, int], int] = {}

    def number(self, event: str, stake: int, net_units: int) -> int:
        return self._numbers.setdefault((event, stake, net_units), len(self._numbers))

    def counted(self, exact: Iterable[Outcome]) -> tuple[Outcome, ...]:
        """Return the endings by number, each with its deals as exact counting has them."""
        deals = {(each.event, each.stake, each.net_units): each.deals for each in exact}
        assert deals.keys() <= self._numbers.keys()
        return tuple(Outcome(*ending, deals.get(ending, 0)) for ending in self._numbers)


def tabulated(
    solution: Solution, strategy: Strategy | None, seats: int
) -> tuple[Kernel, tuple[Outcome, ...]]:
    """Return the kernel of best play, or of a strategy, and the outcomes that it numbers."""
    solved = solution.solved
    if isinstance(solved, DealerSolution):
        return _against_dealer(solved, strategy, seats)
    if isinstance(solved, PayTableSolution):
        return _by_table(solution.book, solution.ties, solved, strategy, seats)
    if isinstance(solved, RaiseOrFoldSolution):
        return _by_ranking(solved, strategy, seats)
    assert isinstance(solved, BoardSolution)
    return _by_board(solution, solved, strategy, seats)


def _by_table(
    book: Rulebook, ties: str, solved: PayTableSolution, strategy: Strategy | None, seats: int
) -> tuple[TableKernel, tuple[Outcome, ...]]:
    planned, units = five_cards(book, ties), solved.units
    asked = planned.streets
    table = main_table(book)
    shared = tuple(card.place != SEATS for card in arrivals(book.script, table.cards))
    best, outcomes = solved.best, solved.outcomes
    if strategy is not None:
        best = _answers(asked, strategy)
        outcomes = pay_table_games.outcomes(book, planned, best, solved.pay, solved.rows, units)
    endings = _Endings()
    paid = np.array(
        [
            [endings.number(row.row, s, int(n)) for s, n in zip(planned.finals, nets, strict=True)]
            for row, nets in zip(table.rows, solved.pay, strict=True)
        ]
    )

    def decide(seen: int, nodes: Nodes) -> Nodes:
        for number, street in enumerate(asked):
            if street.seen == seen:
                folded = [
                    endings.number(f"fold-{number + 1}", s, -s * units) for s in street.stakes
                ]
                nodes = _decided(nodes, street, best[number], np.array(folded))
        return nodes

    def end(nodes: Nodes) -> Ints:
        return np.where(
            nodes.over >= 0, nodes.over, paid[solved.rows[strengths()[nodes.state]], nodes.column]
        )

    kernel = TableKernel(seats, shared, walk(decide, end))
    return kernel, endings.counted(outcomes)


def _decided(nodes: Nodes, street: Street, best: Ints, folded: Ints) -> Nodes:
    """Let each situation that is still open make its choice."""
    going = nodes.over < 0
    state, column = np.where(going, nodes.state, 0), np.where(going, nodes.column, 0)
    which = np.equal(street.choices, best[state, column][:, None]).argmax(axis=1)
    to = np.array(street.after)[column, which]
    over = np.where(going & (to == OUT), folded[column], nodes.over)
    return Nodes(nodes.state, nodes.suit, np.where(over < 0, to, 0), over)


def _against_dealer(
    solved: DealerSolution, strategy: Strategy | None, seats: int
) -> tuple[DealerKernel, tuple[Outcome, ...]]:
    pay, order, outcomes = solved.pay, solved.choices, solved.outcomes
    every, picked = dealer_games.best_cases(solved)
    if strategy is not None:
        picked = _answers_to_upcard(order, strategy)[every.state, every.upcard]
        outcomes = dealer_games.outcomes(pay, order, [(every, picked)])
    endings = _Endings()
    ended = _showdown_endings(pay, endings)
    # As the kernel numbers choices: multiples, then FOLD.
    numbers = np.array([(*pay.times, FOLD).index(choice) for choice in order])
    choice, asked, answer = _choice_tables(every, numbers[picked])
    kernel = DealerKernel(
        seats=seats,
        walk=_strength_walk(),
        weakest=solved.weakest,
        ties_win=pay.ties_win,
        choice=choice,
        asked=asked,
        answer=answer,
        ended=ended,
    )
    return kernel, endings.counted(outcomes)


def _by_ranking(
    solved: RaiseOrFoldSolution, strategy: Strategy | None, seats: int
) -> tuple[ShowdownKernel, tuple[Outcome, ...]]:
    pay, order, outcomes, looked = solved.pay, solved.choices, solved.outcomes, None
    if strategy is None:
        by_strength, looked = best_play(solved)
    elif isinstance(strategy, AtLeast) and strategy.ranking == solved.deal.ranking:
        places = np.array([order.index(choice) for choice in strategy.choices()])
        by_strength = places.astype(np.int8)
        happens = raise_or_fold.by_strength(solved.deal, pay, places, len(order))
        outcomes = raise_or_fold.outcomes(pay, order, happens)
    else:
        raise Unreadable("this strategy is not made for this game")
    endings = _Endings()
    ended = [
        endings.number("fold-1", pay.opening, pay.fold)
        if choice == FOLD
        else endings.number(event, pay.opening + choice, int(net))
        for choice in order
        for event, nets in zip(pay.events, _nets(pay, choice), strict=True)
        for net in nets
    ]
    kernel = ShowdownKernel(
        seats=seats,
        deal=solved.deal,
        pay=pay,
        choices=order,
        by_strength=by_strength,
        looked=looked,
        ended=np.array(ended, np.int16),
    )
    return kernel, endings.counted(outcomes)


def _nets(pay: EndingNets, choice: int) -> Ints:
    """Return (ending, kind of hand): what a choice nets; a fold as anything, since it has one."""
    found: Ints = pay.net[0 if choice == FOLD else pay.times.index(choice)]
    return found


def _by_board(
    solution: Solution, solved: BoardSolution, strategy: Strategy | None, seats: int
) -> tuple[BoardKernel, tuple[Outcome, ...]]:
    if strategy is None:
        return on_board(solved, board_games.best_choices(solved.game), seats)
    if not isinstance(strategy, BoardRules):
        raise Unreadable("this strategy is not made for this game")
    stakes = solution.ante_cents, solution.minimum_cents
    followed = board_strategies.played(solution.book, strategy, *stakes)
    return on_board(followed, board_strategies.choices(solved.game, strategy), seats)


def on_board(
    solved: BoardSolution, choices: BoardChoices, seats: int
) -> tuple[BoardKernel, tuple[Outcome, ...]]:
    """Return the kernel of choices, and the outcomes that they were found to have."""
    planned, pay, endings = solved.planned.plan, solved.pay, _Endings()

    def folded(number: int, stake: int) -> int:
        return ~endings.number(f"fold-{number}", stake, -stake * pay.units)

    def shown(stake: int, events: Sequence[str], nets: Sequence[int]) -> list[int]:
        """By strength, of which the first is 1."""
        rows = zip(events[1:], nets[1:], strict=True)
        return [0, *(endings.number(event, stake, net) for event, net in rows)]

    after = [
        [
            [folded(number, stake) if to == OUT else to for to in row]
            for stake, row in zip(street.stakes, street.after, strict=True)
        ]
        for number, street in enumerate(planned.streets, start=1)
    ]
    ended = [
        [shown(stake, *each) for each in zip(pay.events, nets.tolist(), strict=True)]
        for stake, nets in zip(planned.finals, pay.nets, strict=True)
    ]
    kernel = BoardKernel(
        seats=seats,
        streets=planned.streets,
        after=tuple(map(np.array, after)),
        choices=choices,
        weakest=solved.game.weakest,
        ended=np.array(ended, np.int16),
    )
    return kernel, endings.counted(solved.outcomes)


@cache
def _strength_walk() -> Walk:
    return walk(lambda _seen, nodes: nodes, lambda nodes: strengths()[nodes.state])


def _showdown_endings(pay: dealer_games.ShowdownPay, endings: _Endings) -> Numbers:
    """Number the endings of each choice: by strength of a win, then of the other showdowns."""
    fold = endings.number("fold-1", 1, pay.fold)
    found = np.full((len(pay.times) + 1, _COLUMNS), fold, np.int16)
    for at, times in enumerate(pay.times):
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


def _answers(asked: Sequence[Street], strategy: Strategy) -> tuple[Ints, ...]:
    """Put every state at every stake to a strategy: for each street, (state, stake)."""
    found = []
    raised: dict[int, set[tuple[int, ...]]] = {0: {()}}
    for street in asked:
        level, after = levels()[street.seen], dict[int, set[tuple[int, ...]]]()
        best = np.full((len(level.keys), len(street.stakes)), street.choices[-1])
        for state in range(len(level.keys)):
            hands = _spelled(level.ranks(state), suited=bool(level.suited[state]))
            turned = [hand[at:] + hand[:at] for hand in hands for at in range(len(hand))]
            for column, to in enumerate(street.after):
                ways = raised.get(column, set())
                if ways and not street.asked[column]:
                    after.setdefault(to[0], set()).update(ways)
                elif ways:
                    seen = [
                        Seen(c[: street.own], c[street.own :], None, way)
                        for c in turned
                        for way in ways
                    ]
                    choice = best[state, column] = _answer(strategy, seen, street.choices)
                    if choice != FOLD:
                        more = after.setdefault(to[street.choices.index(choice)], set())
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
