"""The dealer-showdown family, solved exactly: five cards each, one of the dealer's face up.

Two things decide a hand against an upcard: the ranks held, and which of them are held in the
upcard's suit. For each such case the dealer's hands below, at and above the player's are counted:
first by ranks alone, as if there were no flushes, by inclusion and exclusion over the player's
cards; then corrected for the flushes that the dealer can make in the upcard's suit.
"""

from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb, lcm

import msgspec
import numpy as np
import numpy.typing as npt

from pitboss.errors import Unreadable
from pitboss.hands import RANK_KEYS, ranking
from pitboss.maths.community import FOLD, row_numbers
from pitboss.maths.ladder import SIZE, Ints, levels, strengths
from pitboss.maths.outcomes import Outcome
from pitboss.money import times
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.pays import Qualifier
from pitboss.rulebook.script import DealStep, DecideStep

OTHERS = SIZE - 1
"""The dealer's cards besides the upcard."""

UNSEEN = comb(52 - SIZE - 1, OTHERS)
"""In how many ways they can come, once the player's five and the upcard are out."""

_TOP = 8192
"""More than any strength: to sort by two numbers at once."""


class Cases(msgspec.Struct, frozen=True):
    """Every case of a hand against an upcard, each as one entry of these arrays."""

    strength: Ints
    """The player's hand."""
    state: Ints
    """Its state on the last level of the ladder."""
    upcard: Ints
    """The upcard's rank, 0 to 12."""
    shared: Ints
    """The ranks that the player holds in the upcard's suit, as bits."""
    ways: Ints
    """How many pairs of hand and upcard are in this case."""
    unqualified: Ints
    """Dealer hands that do not qualify."""
    below: Ints
    """Dealer hands that qualify and lose."""
    equal: Ints
    """Dealer hands that qualify and tie."""


class _Parts(msgspec.Struct, frozen=True):
    """What can be taken out of each multiset of ranks: up to four cards of it."""

    whole: Ints
    """Which multiset, in order."""
    key: Ints
    """The part's name: its size and the sum of its rank keys."""
    ways: Ints
    """In how many ways those cards can be chosen from it."""


def _parts(counts: Ints) -> _Parts:
    """Return every part of every one of these multisets (multiset, rank)."""
    keys = np.array(RANK_KEYS)
    distinct = (counts > 0).sum(axis=1)
    found = []
    for size in range(1, int(distinct.max()) + 1):
        rows = np.nonzero(distinct == size)[0]
        ranks = np.nonzero(counts[rows])[1].reshape(-1, size)
        held = np.take_along_axis(counts[rows], ranks, axis=1)
        for taken in product(range(5), repeat=size):
            if sum(taken) <= OTHERS:
                fits = (held >= taken).all(axis=1)
                ways = np.prod(_CHOOSE[held[fits], taken], axis=1)
                key = _key(sum(taken), keys[ranks[fits]] @ np.array(taken))
                found.append((rows[fits], key, ways))
    whole, key, ways = (np.concatenate(column) for column in zip(*found, strict=True))
    order = np.argsort(whole, kind="stable")
    return _Parts(whole[order], key[order], ways[order])


def _key(size: int | Ints, total: Ints) -> Ints:
    key: Ints = (size << _KEY_BITS) + total
    return key


_KEY_BITS = 20
_CHOOSE = np.array([[comb(n, k) for k in range(5)] for n in range(5)])


class _Exclusion(msgspec.Struct, frozen=True):
    """Inclusion and exclusion over the player's cards, made once for all upcards."""

    part: Ints
    """For each pair of a hand and a part of it: the part."""
    sign: Ints
    """How often it counts, with its sign."""
    hand: Ints
    """The hand."""
    starts: Ints
    """Where each hand's pairs begin."""
    four: Ints
    """(dealer's four, rank): how many of each rank."""
    taken: Ints
    """(pair of a part and a four around it, rank): the part's cards."""
    holder: Ints
    """The part of each such pair."""
    held: Ints
    """The four of each such pair."""
    parts: int
    """How many parts there are."""


def _multisets(size: int) -> Ints:
    """Return (multiset, rank) for every multiset of so many ranks."""
    level = levels()[size]
    return level.counts[~level.suited] if size > 1 else level.counts


@cache
def _exclusion() -> _Exclusion:
    four = _multisets(OTHERS)
    inside = _parts(four)
    names, holder = np.unique(inside.key, return_inverse=True)
    cards = np.zeros((len(names), 13), np.int64)
    for size in range(OTHERS + 1):
        counts = _multisets(size)
        cards[np.searchsorted(names, _key(size, counts @ np.array(RANK_KEYS)))] = counts
    mine = _parts(_multisets(SIZE))
    odd = mine.key >> _KEY_BITS & 1
    return _Exclusion(
        np.searchsorted(names, mine.key),
        np.where(odd, -mine.ways, mine.ways),
        mine.whole,
        np.searchsorted(mine.whole, np.arange(len(_multisets(SIZE)))),
        four,
        cards[holder],
        holder,
        inside.whole,
        len(names),
    )


def _rank_counts(upcard: int, weakest: int) -> tuple[Ints, Ints, Ints]:
    """Count the dealer's hands by ranks alone: below the qualifier, below each state, at it."""
    out = _exclusion()
    base = np.full(13, 4)
    base[upcard] = 3
    ways = np.prod(_CHOOSE[np.maximum(base - out.taken, 0), out.four[out.held] - out.taken], axis=1)
    order = out.holder * _TOP + _worth_with(upcard)[out.held]
    by_key = np.argsort(order)
    order = order[by_key]
    upto = np.concatenate([[0], np.cumsum(ways[by_key])])
    begin = np.arange(out.parts) * _TOP
    before = upto[np.searchsorted(order, begin)]

    def summed(under: Ints) -> Ints:
        return np.add.reduceat(under * out.sign, out.starts)

    def below(limit: int) -> Ints:
        return summed((upto[np.searchsorted(order, begin + limit)] - before)[out.part])

    level, worth, twin = levels()[SIZE], strengths(), _twins()
    at = np.searchsorted(order, out.part * _TOP + worth[~level.suited][out.hand])
    below_hand = summed(upto[at] - before[out.part])
    # By ranks alone no hand is a flush, so all flushes stand at one place, and straight flushes.
    flush, straight_flush = _first("flush"), _first("straight-flush")
    below_suited = np.where(worth < straight_flush, below(flush)[twin], below(straight_flush)[twin])
    counts = _multisets(SIZE)
    others = counts.copy()
    others[:, upcard] -= 1
    left = np.maximum(base - counts, 0)
    same = np.prod(_CHOOSE[left, np.maximum(others, 0)], axis=1) * (others[:, upcard] >= 0)
    return (
        below(weakest)[twin],
        np.where(level.suited, below_suited, below_hand[twin]),
        np.where(level.suited, 0, same[twin]),
    )


def _first(category: str) -> int:
    """Return the weakest strength of a category."""
    return next(h.strength for h in ranking("five-card").classes if h.category == category)


@cache
def _twins() -> Ints:
    """Return for each state the multiset of its ranks: a suited hand has an unsuited twin."""
    level = levels()[SIZE]
    return np.searchsorted(level.keys[~level.suited], level.keys - level.suited)


def _worth_with(upcard: int) -> Ints:
    """Return the strength, flushes left out, of each four together with the upcard."""
    level = levels()[SIZE]
    plain, worth = level.keys[~level.suited], strengths()[~level.suited]
    four = _exclusion().four
    keys = 2 * (four @ np.array(RANK_KEYS) + RANK_KEYS[upcard])
    at = np.minimum(np.searchsorted(plain, keys), len(plain) - 1)
    return np.where(four[:, upcard] < 4, worth[at], 0)


@cache
def _flushes(upcard: int) -> tuple[Ints, Ints, npt.NDArray[np.int32], Ints]:
    """Return the dealer's flushes in the upcard's suit, in the order of their ranks.

    That is their strength if they were none, their strength as flushes, for each set of ranks that
    the player holds in that suit how many of the first n are still possible, and the row of each
    set.
    """
    five = ranking("five-card")
    others = [rank for rank in range(13) if rank != upcard]
    sets = list(combinations(others, OTHERS))
    keys = [sum(RANK_KEYS[rank] for rank in (*four, upcard)) for four in sets]
    plain = np.array([five.of_ranks(key, suited=False) for key in keys])
    suited = np.array([five.of_ranks(key, suited=True) for key in keys])
    order = np.argsort(plain)
    masks = np.array([sum(1 << rank for rank in four) for four in sets])[order]
    every = np.arange(1 << 13)
    bits = sum(every >> rank & 1 for rank in range(13))
    held = every[(bits <= SIZE) & (every >> upcard & 1 == 0)]
    possible = (held[:, None] & masks[None, :]) == 0
    upto = np.zeros((len(held), len(sets) + 1), np.int32)
    np.cumsum(possible, axis=1, out=upto[:, 1:])
    rows = np.zeros(1 << 13, np.int64)
    rows[held] = np.arange(len(held))
    return plain[order], suited[order], upto, rows


@cache
def _held_in_suit() -> tuple[Ints, Ints, Ints]:
    """Return every hand with every choice of its ranks in one suit: state, bits, ways."""
    level = levels()[SIZE]
    distinct = (level.counts > 0).sum(axis=1)
    choose3 = np.array([comb(3, k) for k in range(5)])
    found = []
    for size in range(2, SIZE + 1):
        states = np.nonzero(distinct == size)[0]
        ranks = np.nonzero(level.counts[states])[1].reshape(-1, size)
        held = np.take_along_axis(level.counts[states], ranks, axis=1)
        for subset in product((0, 1), repeat=size):
            inside = np.array(subset)
            ways = np.prod(choose3[held - inside], axis=1)
            if size == SIZE:
                # Of the ways to hold all of it, or none of it, in the suit, some are flushes.
                flushes = {0: 3, SIZE: 1}.get(sum(subset), 0)
                ways = np.where(level.suited[states], flushes, ways - flushes)
            keep = ways > 0
            found.append((states[keep], ((1 << ranks) @ inside)[keep], ways[keep]))
    state, shared, ways = (np.concatenate(column) for column in zip(*found, strict=True))
    return state, shared, ways


@cache
def cases(weakest: int) -> Cases:
    """Return every case, for a dealer who qualifies with this strength or better."""
    counts, (state, shared, ways) = levels()[SIZE].counts, _held_in_suit()
    found = []
    for upcard in range(13):
        keep = (shared >> upcard & 1 == 0) & (counts[state, upcard] < 4)
        at, mask = state[keep], shared[keep]
        where = (strengths()[at], at, np.full(len(at), upcard), mask, 4 * ways[keep])
        found.append((*where, *_against(upcard, at, mask, weakest)))
    return Cases(*(np.concatenate(column) for column in zip(*found, strict=True)))


def case_index(every: Cases) -> dict[tuple[int, int, int], int]:
    """Return where each case is: by state, upcard's rank (0 to 12) and ranks shared."""
    names = zip(every.state.tolist(), every.upcard.tolist(), every.shared.tolist(), strict=True)
    return {name: at for at, name in enumerate(names)}


def _against(upcard: int, state: Ints, shared: Ints, weakest: int) -> tuple[Ints, Ints, Ints]:
    """Count the dealer's hands below the qualifier, below these hands, and equal to them."""
    plain, suited, upto, rows = _flushes(upcard)
    row, worth = rows[shared], strengths()

    def truly(by_ranks: Ints, limit: Ints) -> Ints:
        """Take out the flushes that ranks alone put below the limit; put in those that are."""
        wrong = upto[row, np.searchsorted(plain, limit)[state]]
        right = upto[row, np.searchsorted(suited, limit)[state]]
        return by_ranks[state] - wrong + right

    under, below, same = _rank_counts(upcard, weakest)
    unqualified = truly(under, np.full(len(worth), weakest))
    worse = truly(below, worth)
    equal = truly(below + same, worth + 1) - worse
    qualifies = worth[state] >= weakest
    return unqualified, np.where(qualifies, worse - unqualified, 0), np.where(qualifies, equal, 0)


class Solved(msgspec.Struct, frozen=True):
    """The best play against every upcard, and what it comes to."""

    choices: tuple[int, ...]
    """Multiples in rising order and FOLD: as ties are broken."""
    pay: "Pay"
    total: int
    deals: int
    units: int
    outcomes: tuple[Outcome, ...]


class Pay(msgspec.Struct, frozen=True):
    """What each ending nets, in whole units, for one choice after the other."""

    fold: int
    unqualified: Ints
    """(choice)."""
    win: Ints
    """(choice, strength)."""
    tie: Ints
    lose: Ints


def solve(book: Rulebook, ante_cents: int | None, minimum_cents: int, ties: str) -> Solved:
    """Solve the game; with an ante the cap bites as it does for one player alone."""
    rule, street = shape(book)
    stay = street.times
    choices = (FOLD, *stay) if ties == "fold" else (*stay, FOLD)
    pay, units = payoffs(book, street, stay, ante_cents, minimum_cents)
    every = cases(rule.weakest)
    worths = [worth(every, pay, stay, choice) for choice in choices]
    best, picked = worths[0], np.zeros(len(every.ways), np.int64)
    for number, other in enumerate(worths[1:], start=1):
        picked[other > best] = number
        best = np.maximum(best, other)
    counted = _outcomes(book, every, choices, stay, picked, pay)
    deals = int(every.ways.sum()) * UNSEEN
    return Solved(choices, pay, _exact_sum(best * every.ways), deals, units, counted)


def _exact_sum(several: Ints) -> int:
    """Sum through Python's integers: in cents the whole may not fit sixty-four bits."""
    pieces = np.add.reduceat(several, np.arange(0, len(several), _PIECE))
    return sum(pieces.tolist())


_PIECE = 1 << 14


def shape(book: Rulebook) -> tuple[Qualifier, DecideStep]:
    """Return qualifier and decision, or say why this solver cannot take the game."""
    rule = book.qualifier
    main = [spot for spot in book.spot if spot.kind == "main"]
    fits = (
        rule is not None
        and rule.ranking == "five-card"
        and rule.tie != "win"
        and book.seat_cards == SIZE
        and book.dealt.get(rule.place) == SIZE
        and len(book.streets) == 1
        and len(main) == 2
        and all(spot.against for spot in main)
        and book.streets[0].otherwise == ("fold",)
        and [
            s for s in book.script if isinstance(s, DealStep) and len(s.up.get(rule.place, ())) == 1
        ]
    )
    if rule is None or not fits:
        raise Unreadable("only five cards each, one of the dealer's up, are solved so far", book.id)
    return rule, book.streets[0]


def payoffs(
    book: Rulebook,
    street: DecideStep,
    stay: tuple[int, ...],
    ante_cents: int | None,
    minimum_cents: int,
) -> tuple[Pay, int]:
    """Return what every ending nets, and how many units an ante is."""
    ante, bet = book.ante, book.spots[street.into]
    rows = {name: book.tables[name] for name in {ante.table, bet.table} if name}
    odds = [row.odds for table in rows.values() for row in table.rows if row.odds is not None]
    odds += [
        each for spot in (ante, bet) for each in (spot.odds, spot.unqualified) if each is not None
    ]
    units = ante_cents or lcm(*(each.denominator for each in odds))
    exact = ante_cents is None
    classes = ranking("five-card").classes
    rule = book.qualifier
    assert rule is not None

    def net(times_: int, strength: int | None) -> int:
        """Net when the player wins with this strength, or when the dealer does not qualify."""
        won: list[tuple[str, str, Fraction, int]] = []
        total = 0
        for spot, stake in ((ante, units), (bet, units * times_)):
            row = rows[spot.table].row_for(strength) if spot.table and strength else None
            at = spot.unqualified if strength is None else (spot.odds if row is None else row.odds)
            assert at is not None
            if at <= 0:
                total += int(at * stake)
            else:
                cents = int(at * stake) if exact else times(stake, at, book.rounding)
                won.append((spot.name, row.row if row else "", at, cents))
        return total + (
            sum(each[3] for each in won) if exact else _capped(book, won, minimum_cents)
        )

    # One hand of each row is enough: a win is paid by its row alone.
    alike = [tuple(table.row_for(h.strength).row for table in rows.values()) for h in classes]
    first = {each: hand.strength for each, hand in zip(alike, classes, strict=True)}
    by_row = [{each: net(t, strength) for each, strength in first.items()} for t in stay]
    win_rows = [[nets[each] for each in alike] for nets in by_row]
    lose = [-units * (1 + t) for t in stay]
    tied = {"push": [0] * len(stay), "lose": lose}.get(rule.tie)
    win = np.array([[0, *row] for row in win_rows])
    return (
        Pay(
            -units,
            np.array([net(t, None) for t in stay]),
            win,
            np.array(tied if tied is not None else [0] * len(stay)),
            np.array(lose),
        ),
        units,
    )


def _capped(book: Rulebook, won: list[tuple[str, str, Fraction, int]], minimum_cents: int) -> int:
    left = sum(cents for *_, cents in won)
    for cap in book.cap:
        bound = sum(
            cents
            for spot, row, odds, cents in won
            if spot in cap.spots
            and (cap.above is None or odds > cap.above)
            and (not cap.rows or row in cap.rows)
        )
        ceiling = cap.cents(minimum_cents)
        if bound > ceiling:
            left -= bound - ceiling // cap.unit * cap.unit
    return left


def worth(every: Cases, pay: Pay, stay: tuple[int, ...], choice: int) -> Ints:
    """Return the worth of a choice in each case, summed over the dealer's hands."""
    if choice == FOLD:
        return np.full(len(every.ways), pay.fold * UNSEEN)
    at = stay.index(choice)
    lost = UNSEEN - every.unqualified - every.below - every.equal
    found: Ints = (
        every.unqualified * pay.unqualified[at]
        + every.below * pay.win[at][every.strength]
        + every.equal * pay.tie[at]
        + lost * pay.lose[at]
    )
    return found


def _outcomes(
    book: Rulebook,
    every: Cases,
    choices: tuple[int, ...],
    stay: tuple[int, ...],
    picked: Ints,
    pay: Pay,
) -> tuple[Outcome, ...]:
    """Count how often each ending comes about."""
    found: list[Outcome] = []
    table = next(book.tables[s.table] for s in book.spot if s.kind == "main" and s.table)
    rows = row_numbers(table)[every.strength]
    for number, choice in enumerate(choices):
        ways = np.where(picked == number, every.ways, 0)
        if choice == FOLD:
            found.append(Outcome("fold-1", 1, pay.fold, int(ways.sum()) * UNSEEN))
            continue
        at, stake = stay.index(choice), 1 + choice
        # Every count is far below 2**53, so that sums of floats are exact.
        wins = np.bincount(rows, every.below * ways, len(table.rows))
        for row_number, row in enumerate(table.rows):
            if wins[row_number]:
                net = int(pay.win[at][every.strength[np.argmax(rows == row_number)]])
                found.append(Outcome(row.row, stake, net, int(wins[row_number])))
        unqualified, below, equal = (
            int(each @ ways) for each in (every.unqualified, every.below, every.equal)
        )
        lost = int(ways.sum()) * UNSEEN - unqualified - below - equal
        for event, deals, nets in (
            ("dealer-does-not-qualify", unqualified, pay.unqualified),
            ("tie", equal, pay.tie),
            ("dealer-wins", lost, pay.lose),
        ):
            found.append(Outcome(event, stake, int(nets[at]), deals))
    return tuple(found)
