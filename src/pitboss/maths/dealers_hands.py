"""How many of the dealer's hands are below, at and above the player's, with one of them seen.

Two things decide a hand of five against an upcard: the ranks held, and which of them are held in
the upcard's suit. For each such case the dealer's hands are counted: first by ranks alone, as if
there were no flushes, by inclusion and exclusion over the player's cards; then corrected for the
flushes that the dealer can make in the upcard's suit.
"""

from functools import cache, cached_property, lru_cache
from itertools import pairwise, product
from math import comb, prod

import msgspec
import numpy as np
import numpy.typing as npt

from pitboss.hands import RANK_KEYS
from pitboss.maths.hand_states import SIZE, Ints, levels, strengths

OTHERS = SIZE - 1
"""The dealer's cards besides the upcard."""

UNSEEN = comb(52 - SIZE - 1, OTHERS)
"""In how many ways they can come, once the player's five and the upcard are out."""

_TOP = 8192
"""More than any strength: to sort by two numbers at once."""

# Once an array of four megabytes is freed, the allocator keeps what smaller ones give back for the
# next: asking the system for fresh pages each time took as long as all counting.
np.empty(1 << 19)

_KEYS = np.array(RANK_KEYS, np.int64)
_BITS = 1 << np.arange(13)
_CHOOSE = np.array([[comb(n, k) for k in range(5)] for n in range(5)])

Small = npt.NDArray[np.int32]


class Cases(msgspec.Struct, frozen=True, dict=True):
    """Cases of a hand against an upcard, each as one entry of these arrays."""

    state: Ints
    """The player's hand: its state on the last level of the ladder."""
    upcard: Ints
    """The upcard's rank, 0 to 12."""
    shared: Ints
    """The ranks that the player holds in the upcard's suit, as bits."""
    ways: Ints
    """How many pairs of hand and upcard are in this case."""
    unqualified: Ints | Small
    """Dealer hands that do not qualify."""
    below: Ints | Small
    """Dealer hands that qualify and lose."""
    equal: Ints | Small
    """Dealer hands that qualify and tie."""

    @cached_property
    def strength(self) -> Ints:
        return strengths()[self.state]


def cases(weakest: int) -> Cases:
    """Return every case, for a dealer who qualifies with this strength or better."""
    found = [against(upcard, weakest) for upcard in range(13)]
    there = [each.ways > 0 for each in found]
    return Cases(
        **{
            name: np.concatenate(
                [getattr(each, name)[at] for each, at in zip(found, there, strict=True)], dtype=int
            )
            for name in Cases.__struct_fields__
        }
    )


@lru_cache(maxsize=4 * 13)
def against(upcard: int, weakest: int) -> Cases:
    """Return the cases against one upcard's rank, in narrow integers.

    All hands are there, and those that leave no such upcard have no ways.
    """
    state, shared, ways = held_in_suit()
    possible = (levels()[SIZE].counts[:, upcard] < 4)[state] & (shared & _BITS[upcard] == 0)
    return counted(upcard, weakest, state, shared, 4 * ways * possible)


def counted(upcard: int, weakest: int, state: Ints, shared: Ints, ways: Ints) -> Cases:
    """Return these cases against one upcard's rank, with the dealer's hands counted."""
    unqualified, below, equal = _count(upcard, weakest, state, shared)
    return Cases(
        state=state,
        upcard=np.broadcast_to(np.int64(upcard), len(state)),
        shared=shared,
        ways=ways,
        unqualified=unqualified,
        below=below,
        equal=equal,
    )


@cache
def held_in_suit() -> tuple[Ints, Ints, Ints]:
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
            found.append((states[keep], (_BITS[ranks] @ inside)[keep], ways[keep]))
    state, shared, ways = (np.concatenate(column) for column in zip(*found, strict=True))
    return state, shared, ways


def _count(upcard: int, weakest: int, state: Ints, shared: Ints) -> tuple[Small, Small, Small]:
    """Count the dealer's hands that do not qualify; that do and are below these hands; or equal."""
    under, below, same, twin = _by_ranks(upcard, weakest)
    plain, suited, upto, columns = _flushes(upcard)
    column = columns[shared]

    def places(limit: int | Ints) -> tuple[Ints, Ints]:
        """Return how many flushes are under a limit, and how many ranks alone put there."""
        return np.searchsorted(suited, limit), np.searchsorted(plain, limit)

    right, wrong = places(weakest)
    unqualified = under[state] + (upto[right] - upto[wrong])[column]
    right, wrong = (each * upto.shape[1] for each in places(strengths()))
    worse = below[state] + upto.take(column + right[state]) - upto.take(column + wrong[state])
    # A hand that would not qualify itself is above no dealer's hand that does.
    worse = np.maximum(worse - unqualified, 0)
    # A flush of the very same ranks needs all of them in the upcard's suit.
    return unqualified, worse, same[state] + np.where(shared == 0, twin[state], 0)


# By ranks alone ---------------------------------------------------------------------------------


def multisets(size: int) -> Ints:
    """Return (multiset, rank) for every multiset of so many ranks."""
    level = levels()[size]
    return level.counts[~level.suited] if size > 1 else level.counts


@cache
def _pieces() -> tuple[Ints, npt.NDArray[np.int16]]:
    """Return every multiset of up to four ranks, and by size and sum of rank keys which it is."""
    cards = np.concatenate([multisets(size) for size in range(OTHERS + 1)])
    number = np.zeros((OTHERS + 1, OTHERS * RANK_KEYS[-1] + 1), np.int16)
    number[cards.sum(axis=1), cards @ _KEYS] = np.arange(len(cards))
    return cards, number


def _parts(counts: Ints) -> tuple[Ints, npt.NDArray[np.int16], Ints]:
    """Return what can be taken out of each of these multisets: which of them, piece, ways."""
    number = _pieces()[1]
    distinct = (counts > 0).sum(axis=1)
    found = []
    for size in range(1, int(distinct.max()) + 1):
        rows = np.nonzero(distinct == size)[0]
        ranks = np.nonzero(counts[rows])[1].reshape(-1, size)
        held = np.take_along_axis(counts[rows], ranks, axis=1)
        most = range(int(held.max(initial=0)) + 1)
        taken = np.array([each for each in product(most, repeat=size) if sum(each) <= OTHERS])
        # Column by column: along so short an axis np.prod is slow.
        ways = prod(_CHOOSE[held[:, [rank]], taken[:, rank]] for rank in range(size))
        row, way = np.nonzero(ways)
        sums = (_KEYS[ranks] @ taken.T)[row, way]
        found.append((rows[row], number[taken.sum(axis=1)[way], sums], ways[row, way]))
    whole, piece, ways = (np.concatenate(column) for column in zip(*found, strict=True))
    return whole, piece, ways


class _Exclusion(msgspec.Struct, frozen=True):
    """Inclusion and exclusion over the player's cards, made once for all upcards."""

    state: Ints
    """For each pair of a hand and a piece of it, by piece and then by strength: the hand."""
    piece: Ints
    sign: Ints
    """How often the pair counts, with its sign."""
    limit: Ints
    """The piece and the hand's strength in one number."""
    four: Ints
    """For each pair of the dealer's four and a piece of it: the four."""
    around: npt.NDArray[np.int16]
    """The piece."""
    ways: Ints
    """How many such fours there are around that piece, with no upcard out."""


@cache
def _exclusion() -> _Exclusion:
    cards, worth = _pieces()[0], strengths()
    state, part, ways = _parts(levels()[SIZE].counts)
    order = np.lexsort((worth.astype(np.int16)[state], part))
    state, piece, ways = state[order], part[order].astype(np.int64), ways[order]
    sign = np.where(cards.sum(axis=1) % 2, -1, 1)
    fours = multisets(OTHERS)
    four, around, taken = _parts(fours)
    # Choosing a four and a piece of it is choosing the piece and then the rest.
    dealt, first = (np.prod(_CHOOSE[4, each], axis=1) for each in (fours, cards))
    return _Exclusion(
        state=state,
        piece=piece,
        sign=sign[piece] * ways,
        limit=piece * _TOP + worth[state],
        four=four,
        around=around,
        ways=dealt[four] * taken // first[around],
    )


@cache
def _by_ranks(upcard: int, weakest: int) -> tuple[Small, Small, Small, Small]:
    """Count the dealer's hands by ranks alone: unqualified, below each state, equal to it.

    And by how many equal hands that is wrong while a flush of the same ranks is possible.
    """
    level, worth, out = levels()[SIZE], strengths(), _exclusion()
    fours, (cards, _) = multisets(OTHERS), _pieces()
    # Of the ways to draw some of a rank's cards, those without the upcard.
    ways = out.ways * (4 - fours[:, upcard])[out.four]
    ways //= np.maximum(4 - cards[:, upcard], 1)[out.around]
    worth_with = _worth_with(upcard, fours, suited=False)[out.four]
    order = np.lexsort((worth_with.astype(np.int16), out.around))
    place, ways = (out.around.astype(np.int64) * _TOP + worth_with)[order], ways[order]
    begin = np.arange(len(cards)) * _TOP
    before = _under(begin, place, ways)

    def summed(under: npt.NDArray[np.float64]) -> Small:
        return np.bincount(out.state, under * out.sign, len(worth)).astype(np.int32)

    unqualified = _under(begin + weakest, place, ways) - before
    below = _under(out.limit, place, ways) - before[out.piece]
    (most, singles), mine = _singles(), level.counts[:, upcard]
    fits = (worth >= weakest) & (mine > 0)
    same = np.where(fits & ~level.suited & (most < 3), 3 ** (singles - (mine == 1)), 0)
    twin = np.where(fits & (most == 1), np.where(level.suited, 1, -1), 0)
    return (
        summed(unqualified[out.piece]),
        summed(below),
        same.astype(np.int32),
        twin.astype(np.int32),
    )


def _under(limit: Ints, place: Ints, ways: Ints) -> npt.NDArray[np.float64]:
    """Sum the ways of the places under each of these limits, which are sorted."""
    # Every count is far below 2**53, so that sums of floats are exact.
    first = np.searchsorted(limit, place, side="right")
    return np.cumsum(np.bincount(first, ways, len(limit) + 1)[:-1])


@cache
def _singles() -> tuple[Ints, Ints]:
    """Return how often the most frequent rank of each state is there, and how many are once."""
    counts = levels()[SIZE].counts
    return counts.max(axis=1), (counts == 1).sum(axis=1)


def _worth_with(upcard: int, fours: Ints, *, suited: bool) -> Ints:
    """Return the strength of each four together with the upcard; any, if that is five of a kind."""
    keys = levels()[SIZE].keys
    at: Ints = np.searchsorted(keys, 2 * (fours @ _KEYS + _KEYS[upcard]) + suited)
    return strengths()[np.minimum(at, len(keys) - 1)]


# Flushes ----------------------------------------------------------------------------------------


@cache
def _flushes(upcard: int) -> tuple[Ints, Ints, npt.NDArray[np.int16], Ints]:
    """Return the dealer's flushes in the upcard's suit, in the order of their ranks.

    That is their strength if they were none, their strength as flushes, how many of the first n are
    still possible for each set of ranks that the player may hold in that suit, and the column of
    each such set.
    """
    fours = multisets(OTHERS)
    fours = fours[(fours.max(axis=1) == 1) & (fours[:, upcard] == 0)]
    plain, suited = (_worth_with(upcard, fours, suited=each) for each in (False, True))
    order = np.argsort(plain)
    sets = (fours @ _BITS)[order].astype(np.int16)
    every = np.arange(1 << 13, dtype=np.int16)
    held = every[(np.bitwise_count(every) <= SIZE) & (every & _BITS[upcard] == 0)]
    upto = np.zeros((len(sets) + 1, len(held)), np.int16)
    upto[1:] = (sets[:, None] & held) == 0
    for before, row in pairwise(upto):  # four times as quick as np.cumsum
        row += before
    columns = np.zeros(1 << 13, np.int64)
    columns[held] = np.arange(len(held))
    return plain[order], suited[order], upto, columns
