"""Simulation: rounds dealt by the million, as a check that shares no formula with the solvers.

Cards are dealt as arrays, a column for each round. A hand is followed card by card through tables
that hold where each card leads, decisions included, so that a round comes down to a few look-ups.
Nothing is summed but how often each ending came about: whole numbers, in whatever order.

>>> from pitboss import rulebook
>>> job = prepare(rulebook.load("diamond-jo-worth/cajun-stud"), rounds=100_000, seed=7)
>>> found = agreement(job, total(job, [run(job, block) for block in range(job.blocks)]))
>>> abs(found.z) < 4
True
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache, reduce
from math import prod, sqrt

import msgspec
import numpy as np
import numpy.typing as npt

from pitboss.cards import Card
from pitboss.errors import Unreadable
from pitboss.maths import community, showdown
from pitboss.maths.advise import Seen
from pitboss.maths.evaluate import Strategy
from pitboss.maths.ladder import SIZE, Ints, levels, strengths
from pitboss.maths.outcomes import Outcome
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.script import SEATS, DealStep, TurnStep

BLOCK = 1 << 18
"""Rounds in a block: what one seed deals, and what one worker does at a time."""

CHUNK = 1 << 16
"""Rounds worked on at once: small enough for the processor's cache."""

Bytes = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.int16]


# Dealing ----------------------------------------------------------------------------------------


def chance_of(seed: int, block: int) -> np.random.Generator:
    """Return the randomness of one block, which no other block has a part in."""
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(seed, spawn_key=(block,))))


def deal(chance: np.random.Generator, rounds: int, count: int) -> Bytes:
    """Deal so many cards to so many rounds: (card, round), the cards of a round all different.

    One number stands for several cards at once: which of 52 x 51 x 50 x 49 x 48 deals it is.
    """
    places = np.empty((count, rounds), np.uint8)
    at = 0
    while at < count:
        sizes = _sizes(at, count)
        left = chance.integers(0, prod(sizes), rounds, np.uint32)
        for place, size in enumerate(sizes, start=at):
            rest = left // np.uint32(size)
            places[place] = left - rest * np.uint32(size)
            left = rest
        at += len(sizes)
    return _lifted(places)


def _sizes(dealt: int, count: int) -> list[int]:
    """Return how large the deck is before each next card, for as many as one number can tell."""
    sizes: list[int] = []
    for size in range(52 - dealt, 52 - count, -1):
        if prod(sizes) * size >= 1 << 32:
            break
        sizes.append(size)
    return sizes


def _lifted(places: Bytes) -> Bytes:
    """Turn places in what is left of the deck into cards: step over each card dealt before."""
    gone: list[Bytes] = []
    for card in places:
        for each in gone:
            card += (card >= each).view(np.uint8)
        last = card.copy()
        for index, each in enumerate(gone):
            gone[index], last = np.minimum(each, last), np.maximum(each, last)
        gone.append(last)
    return places


# Following a hand -------------------------------------------------------------------------------


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


class _Nodes(msgspec.Struct, frozen=True):
    """Situations of a hand: state of the ladder, suit while it has one, stake; or how it ended."""

    state: Ints
    suit: Ints
    column: Ints
    over: Ints
    """The ending, or -1."""

    def unique(self) -> tuple["_Nodes", Ints]:
        """Return each situation once, and where each of these went."""
        rows = np.stack([self.state, self.suit, self.column, self.over])
        rows[:3, self.over >= 0] = 0
        names = np.ravel_multi_index(tuple(rows + 1), (8192, 8, 128, 4096))
        _, first, inverse = np.unique(names, return_index=True, return_inverse=True)
        return _Nodes(*rows[:, first]), inverse


def _walk(decide: Callable[[int, _Nodes], _Nodes], end: Callable[[_Nodes], Ints]) -> Walk:
    """Make the tables: ``decide`` is asked after each number of cards, ``end`` after the last."""
    nodes = decide(0, _Nodes(*(np.array([each]) for each in (0, -1, 0, -1))))
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


def _grown(seen: int, nodes: _Nodes) -> _Nodes:
    """Give each situation each of the 52 cards."""
    level, card = levels()[seen], np.arange(52)
    state, suit, column, over = (
        np.repeat(each, 52) for each in (nodes.state, nodes.suit, nodes.column, nodes.over)
    )
    rank, mine = (np.tile(each, len(nodes.state)) for each in (card >> 2, card & 3))
    state = np.where(over >= 0, 0, state)
    same = level.suited[state] & ((suit == mine) | (seen == 0))
    return _Nodes(level.after[state, 2 * rank + same], np.where(same, mine, -1), column, over)


# The two families -------------------------------------------------------------------------------


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


class _Book(msgspec.Struct, frozen=True):
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


def _by_table(given: _Book, seats: int) -> _Made:
    book = given.book
    streets = community.streets(book, given.ties)
    last = streets[-1]
    finals = sorted({s + max(0, c) for s in last.stakes for c in last.choices if c})
    pay, units = community.payoffs(book, finals, given.ante_cents, given.minimum_cents)
    table, shared = community.main_table(book), _shared(book)
    rows = community.row_numbers(table)
    if given.strategy is None:
        best = community.solve(book, given.ante_cents, given.minimum_cents, given.ties).best
    else:
        best = _answers(streets, shared, given.strategy)
    endings = _Endings()
    paid = np.array(
        [
            [endings.number(row.row, s, int(net)) for s, net in zip(finals, nets, strict=True)]
            for row, nets in zip(table.rows, pay, strict=True)
        ]
    )

    def decide(seen: int, nodes: _Nodes) -> _Nodes:
        for number, street in enumerate(streets):
            if street.seen == seen:
                after = streets[number + 1].stakes if number + 1 < len(streets) else finals
                folded = [
                    endings.number(f"fold-{number + 1}", s, -s * units) for s in street.stakes
                ]
                nodes = _decided(nodes, best[number], street.stakes, after, np.array(folded))
        return nodes

    def end(nodes: _Nodes) -> Ints:
        return np.where(
            nodes.over >= 0, nodes.over, paid[rows[strengths()[nodes.state]], nodes.column]
        )

    walk = _walk(decide, end)
    outcomes = community.outcomes(book, streets, best, finals, pay, rows, units)
    kernel = TableKernel(seats, shared, walk)
    return _Made(kernel, endings.all(), outcomes, sum(o.deals for o in outcomes), units)


def _decided(
    nodes: _Nodes, best: Ints, stakes: Sequence[int], after: Sequence[int], folded: Ints
) -> _Nodes:
    """Let each situation that is still open make its choice."""
    going = nodes.over < 0
    state, column = np.where(going, nodes.state, 0), np.where(going, nodes.column, 0)
    choice = best[state, column]
    over = np.where(going & (choice == community.FOLD), folded[column], nodes.over)
    stake = np.array(stakes)[column] + np.maximum(choice, 0)
    return _Nodes(nodes.state, nodes.suit, np.searchsorted(np.array(after), stake), over)


def _shared(book: Rulebook) -> tuple[bool, ...]:
    """Return for each card of a hand, in the order seen, whether it lies on the board."""
    places = community.main_table(book).cards
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


def _against_dealer(given: _Book, seats: int) -> _Made:
    book = given.book
    rule, street = showdown.shape(book)
    stay = street.times
    pay, units = showdown.payoffs(book, street, stay, given.ante_cents, given.minimum_cents)
    every = showdown.cases(rule.weakest)
    if given.strategy is None:
        order = (community.FOLD, *stay) if given.ties == "fold" else (*stay, community.FOLD)
        worths = np.stack([showdown.worth(every, pay, stay, choice) for choice in order])
        picked = worths.argmax(axis=0)
    else:
        order = (*stay, community.FOLD)
        picked = _answers_to_upcard(order, given.strategy)[every.state, every.upcard]
    endings = _Endings()
    ended = _showdown_endings(book, stay, pay, endings)
    numbers = np.array([len(stay) if c == community.FOLD else stay.index(c) for c in order])
    choice, asked, answer = _choice_tables(every, numbers[picked])
    outcomes = showdown._outcomes(book, every, order, stay, picked, pay)
    kernel = DealerKernel(
        seats, _strength_walk(), rule.weakest, rule.tie == "win", choice, asked, answer, ended
    )
    return _Made(kernel, endings.all(), outcomes, sum(o.deals for o in outcomes), units)


@cache
def _strength_walk() -> Walk:
    return _walk(lambda _seen, nodes: nodes, lambda nodes: strengths()[nodes.state])


def _showdown_endings(
    book: Rulebook, stay: tuple[int, ...], pay: showdown.Pay, endings: _Endings
) -> Numbers:
    """Number the endings of each choice: by strength of a win, then of the other showdowns."""
    table = next(book.tables[s.table] for s in book.spot if s.kind == "main" and s.table)
    fold = endings.number("fold-1", 1, pay.fold)
    found = np.full((len(stay) + 1, _COLUMNS), fold, np.int16)
    for at, times in enumerate(stay):
        for hand in table.order.classes:
            row, net = table.row_for(hand.strength).row, int(pay.win[at][hand.strength])
            found[at, hand.strength] = endings.number(row, 1 + times, net)
        for column, event, net in (
            (_TIED, "tie", pay.tie[at]),
            (_LOST, "dealer-wins", pay.lose[at]),
            (_UNQUALIFIED, "dealer-does-not-qualify", pay.unqualified[at]),
        ):
            found[at, column] = endings.number(event, 1 + times, int(net))
    return found


def _choice_tables(every: showdown.Cases, choice: Ints) -> tuple[Bytes, Ints, Bytes]:
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
    streets: Sequence[community.Street], shared: Sequence[bool], strategy: Strategy
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
                    if choice != community.FOLD:
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


# A simulation -----------------------------------------------------------------------------------


class Session(msgspec.Struct, frozen=True):
    """One player's visit."""

    rounds: int
    bankroll_cents: int
    ante_cents: int
    """With less than this the player is ruined, but a round once begun is finished."""
    marks: tuple[int, ...]
    """After how many rounds the bankroll is looked at."""


class Job(msgspec.Struct, frozen=True):
    """A simulation, ready to be run block by block, anywhere."""

    kernel: TableKernel | DealerKernel
    endings: tuple[Ending, ...]
    outcomes: tuple[Outcome, ...]
    """The exact distribution of the same play."""
    deals: int
    units: int
    """How many units an ante is."""
    rounds: int
    seed: int
    block_rounds: int = BLOCK
    session: Session | None = None

    @property
    def blocks(self) -> int:
        """How many blocks there are."""
        return -(-self.rounds // self.block_rounds)

    @property
    def events(self) -> tuple[str, ...]:
        """What can happen, each once."""
        return tuple(dict.fromkeys(ending.event for ending in self.endings))


class Tally(msgspec.Struct, frozen=True):
    """What came about: sums that can be added in any order."""

    rounds: int
    counts: tuple[int, ...]
    """By ending, over all seats."""
    squares: int = 0
    """Of several seats' common net in a round, in units."""
    twins: tuple[int, ...] = ()
    """By event: how often two of several seats met with it in one round."""
    ruined: tuple[int, ...] = ()
    """By mark of a session."""
    bankrolls: tuple[dict[int, int], ...] = ()
    """By mark of a session: how many ended with so many cents."""


MARKS = 48
"""At most so many looks at the bankroll in a session."""


def prepare(
    book: Rulebook,
    *,
    rounds: int,
    seed: int,
    strategy: Strategy | None = None,
    seats: int = 1,
    ante_cents: int | None = None,
    minimum_cents: int | None = None,
    ties: str = "stay",
    session_rounds: int | None = None,
    bankroll_cents: int = 0,
) -> Job:
    """Make a simulation of best play, or of a strategy; of sessions, if they have rounds."""
    if not 1 <= seats <= book.seats.most:
        raise Unreadable(f"a table here has 1 to {book.seats.most} seats, not {seats}")
    if rounds < 1 or seed < 0:
        raise Unreadable("a simulation has at least one round, and a seed that is not negative")
    if ante_cents is not None and ante_cents <= 0:
        raise Unreadable("an ante is more than nothing")
    least = minimum_cents if minimum_cents is not None else int(book.limits.minimum.lowest or 1)
    given = _Book(book, strategy, ante_cents, least, ties)
    made = (_by_table if book.qualifier is None else _against_dealer)(given, seats)
    if made.kernel.cards > 52:
        raise Unreadable(f"{seats} seats need more cards than a deck has")
    job = Job(made.kernel, made.endings, made.outcomes, made.deals, made.units, rounds, seed)
    if session_rounds is None:
        return job
    return _with_sessions(job, session_rounds, bankroll_cents, ante_cents)


def _with_sessions(job: Job, rounds: int, bankroll_cents: int, ante_cents: int | None) -> Job:
    if ante_cents is None or job.kernel.seats > 1:
        raise Unreadable("a session is one player's, at a given ante")
    if not 1 <= rounds <= BLOCK:
        raise Unreadable(f"a session has 1 to {BLOCK:,} rounds, not {rounds:,}")
    if job.rounds < rounds:
        raise Unreadable(f"one session alone has {rounds:,} rounds; simulate more than that")
    if bankroll_cents < ante_cents:
        raise Unreadable(f"a bankroll covers at least one ante of {ante_cents / 100:,.2f}")
    step = -(-rounds // MARKS)
    marks = (*range(step, rounds, step), rounds)
    return msgspec.structs.replace(
        job,
        rounds=job.rounds // rounds * rounds,
        block_rounds=BLOCK // rounds * rounds,
        session=Session(rounds, bankroll_cents, ante_cents, marks),
    )


def run(job: Job, block: int) -> Tally:
    """Deal and settle one block; the same whoever does it, and when."""
    rounds = min(job.block_rounds, job.rounds - block * job.block_rounds)
    chance = chance_of(job.seed, block)
    found = Tally(0, ())
    kept = []
    for start in range(0, rounds, CHUNK):
        many = min(CHUNK, rounds - start)
        seats = job.kernel.settle(deal(chance, many, job.kernel.cards))
        found = add(found, _counted(job, seats))
        if job.session is not None:
            kept += seats
    if job.session is None:
        return found
    ruined, bankrolls = _sessions(job, job.session, np.concatenate(kept))
    return msgspec.structs.replace(found, ruined=ruined, bankrolls=bankrolls)


def _counted(job: Job, seats: list[Numbers]) -> Tally:
    counts = sum(np.bincount(each, minlength=len(job.endings)) for each in seats)
    squares, twins = _together(job, seats) if len(seats) > 1 else (0, ())
    return Tally(len(seats[0]), tuple(np.asarray(counts).tolist()), squares, twins)


def _together(job: Job, seats: list[Numbers]) -> tuple[int, tuple[int, ...]]:
    """Return what tells how far the seats of a table share their luck."""
    nets = np.array([ending.net_units for ending in job.endings])
    events = np.array([job.events.index(ending.event) for ending in job.endings])
    both = np.sum([nets[each] for each in seats], axis=0)
    # Cut so that no sum of squares outgrows sixty-four bits.
    pieces = 1 + (int(np.abs(both).max()) ** 2 * len(both) >> 62)
    squares = sum(int((part * part).sum()) for part in np.array_split(both, pieces))
    met = [events[each] for each in seats]
    same = np.zeros(len(job.events), np.int64)
    for at, one in enumerate(met):
        for other in met[:at]:
            same += np.bincount(one[one == other], minlength=len(same))
    return squares, tuple(same.tolist())


def _sessions(
    job: Job, session: Session, ended: Numbers
) -> tuple[tuple[int, ...], tuple[dict[int, int], ...]]:
    """Play sessions, one after the other; who is ruined plays no more."""
    nets = np.array([ending.net_units for ending in job.endings])
    held = session.bankroll_cents + nets[ended].reshape(-1, session.rounds).cumsum(axis=1)
    short = held < session.ante_cents
    left = np.where(short.any(axis=1), short.argmax(axis=1), session.rounds)
    ruined, bankrolls = [], []
    for mark in session.marks:
        at = np.minimum(left, mark - 1)
        values, counts = np.unique(held[np.arange(len(held)), at], return_counts=True)
        bankrolls.append(dict(zip(values.tolist(), counts.tolist(), strict=True)))
        ruined.append(int((left < mark).sum()))
    return tuple(ruined), tuple(bankrolls)


def add(one: Tally, other: Tally) -> Tally:
    """Add two tallies up."""
    return Tally(
        one.rounds + other.rounds,
        _sum(one.counts, other.counts),
        one.squares + other.squares,
        _sum(one.twins, other.twins),
        _sum(one.ruined, other.ruined),
        _merged(one.bankrolls, other.bankrolls),
    )


def total(job: Job, tallies: Iterable[Tally]) -> Tally:
    """Add up what blocks came to, in whatever order."""
    return reduce(add, tallies, Tally(0, (0,) * len(job.endings)))


def _sum(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    if not one or not other:
        return one or other
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _merged(
    one: tuple[dict[int, int], ...], other: tuple[dict[int, int], ...]
) -> tuple[dict[int, int], ...]:
    if not one or not other:
        return one or other
    return tuple(
        {key: a.get(key, 0) + b.get(key, 0) for key in sorted({*a, *b})}
        for a, b in zip(one, other, strict=True)
    )


# What it says -----------------------------------------------------------------------------------


class EventAgreement(msgspec.Struct, frozen=True):
    """How often something happened, beside how often it should."""

    event: str
    count: int
    frequency: float
    exact: float
    z: float | None
    """None where it is too rare to say."""


class Agreement(msgspec.Struct, frozen=True):
    """A simulation beside the exact value, in antes."""

    mean: float
    standard_deviation: float
    """Of one seat's round."""
    standard_error: float
    """Of the mean; seats of one round share its luck."""
    interval: tuple[float, float]
    """The mean lies here, 95 times of a hundred."""
    exact: Fraction
    z: float
    events: tuple[EventAgreement, ...]

    @property
    def worst(self) -> float:
        """The z-score furthest from nothing."""
        return max((self.z, *(e.z for e in self.events if e.z is not None)), key=abs)


RARE = 10
"""An event that is expected less often has no z-score."""


def agreement(job: Job, tally: Tally) -> Agreement:
    """Compare what was simulated with what is exact."""
    seats, units = job.kernel.seats, job.units
    hands = tally.rounds * seats
    net, squares = _moments(
        (e.net_units, n) for e, n in zip(job.endings, tally.counts, strict=True)
    )
    exact_net, exact_squares = _moments((o.net_units, o.deals) for o in job.outcomes)
    variance = _variance(net, squares, hands)
    exact = Fraction(exact_net, job.deals * units)
    mean = net / hands / units
    if seats > 1:
        error = _variance(net, tally.squares, tally.rounds) / tally.rounds / seats**2
        z_error = error
    else:
        error = variance / hands
        z_error = _variance(exact_net, exact_squares, job.deals) / hands
    deviation, wide = sqrt(error) / units, 1.96 * sqrt(error) / units
    return Agreement(
        mean,
        sqrt(variance) / units,
        deviation,
        (mean - wide, mean + wide),
        exact,
        (mean - float(exact)) / (sqrt(z_error) / units) if z_error else 0.0,
        tuple(_event(job, tally, number) for number in range(len(job.events))),
    )


def _moments(weighted: Iterable[tuple[int, int]]) -> tuple[int, int]:
    pairs = list(weighted)
    return sum(n * many for n, many in pairs), sum(n * n * many for n, many in pairs)


def _variance(net: int, squares: int, many: int) -> float:
    return float(Fraction(squares * many - net * net, many * many))


def _event(job: Job, tally: Tally, number: int) -> EventAgreement:
    event, seats = job.events[number], job.kernel.seats
    hands = tally.rounds * seats
    count = sum(
        n for ending, n in zip(job.endings, tally.counts, strict=True) if ending.event == event
    )
    exact = sum(o.deals for o in job.outcomes if o.event == event) / job.deals
    variance = hands * exact * (1 - exact)
    if seats > 1:
        pairs = tally.rounds * seats * (seats - 1) / 2
        variance += 2 * (tally.twins[number] - pairs * exact**2)
    # What exact counting rules out must not happen once.
    told = hands * exact >= RARE or (exact == 0 and count > 0)
    z = (count - hands * exact) / sqrt(max(variance, 1.0)) if told else None
    return EventAgreement(event, count, count / hands, exact, z)


def percentile(counts: dict[int, int], part: float) -> int:
    """Return the value that this part of all values do not exceed.

    >>> percentile({1: 5, 2: 4, 9: 1}, 0.5), percentile({1: 5, 2: 4, 9: 1}, 0.95)
    (1, 9)
    """
    wanted, upto, value = part * sum(counts.values()), 0, 0
    for value in sorted(counts):
        upto += counts[value]
        if upto >= wanted:
            break
    return value
