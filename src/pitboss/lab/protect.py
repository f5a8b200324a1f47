"""Game protection: what a player gains who knows more than the rules let them see.

Community cards known early only change how many cards are seen at each decision, and marked backs
only from which ranks each hidden card is drawn, so the ladder's backward induction answers both.
Against a dealer the known cards are taken one set of ranks after the other, of one suit or not; all
that can join them is counted by ranks, then corrected for flushes. All of this is exact. Only what
players gain who share their hands is sampled, from exact decisions (in ``shared_hands``).
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, perm

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from pitboss.cards import RANKS
from pitboss.errors import Unreadable, Unsolved
from pitboss.hands import RANK_KEYS, SUIT_SHIFT, rank_of
from pitboss.maths import board_games, dealer_games, dealers_hands, pay_table_games, raise_or_fold
from pitboss.maths.decisions import FOLD, five_cards, main_table, posted_minimum
from pitboss.maths.families import family
from pitboss.maths.hand_states import (
    SIZE,
    Ints,
    back_to,
    hands,
    levels,
    roomy,
    strength,
    strengths,
)
from pitboss.maths.showdown_cases import ShowdownDeal, why_not
from pitboss.maths.showdown_pay import ending_nets
from pitboss.rulebook.deal_script import arrivals
from pitboss.rulebook.model import Rulebook
from pitboss.wording import number

Group = frozenset[int]
"""Ranks, 0 to 12, that can be told by their backs."""


def group(written: str) -> Group:
    """Read a group of ranks.

    >>> sorted(group("JQ10"))
    [8, 9, 10]
    """
    found: set[int] = set()
    for symbol in written.replace("10", "T").upper():
        if symbol not in RANKS:
            raise Unreadable(f"{written[:20]!r} is no group of ranks, such as J or JQK")
        if rank_of(symbol) - 2 in found:
            raise Unreadable(f"{written[:20]!r} names a rank twice")
        found.add(rank_of(symbol) - 2)
    if not found:
        raise Unreadable("a group holds at least one rank, such as J or JQK")
    return frozenset(found)


def keys(book: Rulebook) -> tuple[str, ...]:
    """Return what may be known from the start.

    Community cards are bits in dealing order: ``100`` is the first. Against a dealer it is how many
    of the five are known, 1 being the upcard alone.
    """
    if family(book) is raise_or_fold:
        return _dealers_keys(book)
    if family(book) is board_games:
        return ("1",)
    if book.qualifier is not None:
        return tuple(str(many) for many in range(1, SIZE + 1))
    return tuple("".join(map(str, bits)) for bits in _patterns(order_seen(book))[1:])


def key_words(book: Rulebook, key: str) -> str:
    """Say what is known."""
    if book.qualifier is not None:
        return f"{key} of the dealer's {number(book.dealt[book.qualifier.place])} known"
    places = [str(place) for place, bit in enumerate(key, start=1) if bit == "1"]
    return f"community card{'s' * (len(places) > 1)} {' and '.join(places)} known"


def known(
    book: Rulebook, key: str, ante_cents: int | None = None, minimum_cents: int | None = None
) -> Fraction:
    """Return what the game is worth to a player who knows these cards from the start."""
    if key not in keys(book):
        raise Unreadable(f"{key[:20]!r} is none of {', '.join(keys(book))}")
    least = posted_minimum(book, ante_cents, minimum_cents)
    if family(book) is raise_or_fold:
        return _dealers_known(book, int(key), ante_cents, least)
    if family(book) is board_games:
        return board_games.known_value(book, ante_cents, least)
    if book.qualifier is not None:
        if int(key) == SIZE:
            return _all_known(book, ante_cents, least)
        return _against(book, int(key), Group(), ante_cents, least)
    order = order_seen(book)
    seen = [
        street.seen + sum(key[card] == "1" for card in order[street.seen :] if card is not None)
        for street in five_cards(book, "stay").streets
    ]
    return _induction(book, seen, [None] * SIZE, ante_cents, least)


def told(
    book: Rulebook, ranks: Group, ante_cents: int | None = None, minimum_cents: int | None = None
) -> Fraction:
    """Return what the game is worth to a player who can tell a group of ranks by their backs.

    Before each decision that player knows of every card still face down whether it is of the group.
    """
    least = posted_minimum(book, ante_cents, minimum_cents)
    may_be_told(book)
    if book.qualifier is not None:
        return _against(book, 1, ranks, ante_cents, least)
    order = order_seen(book)
    seen = [street.seen for street in five_cards(book, "stay").streets]
    inside = np.array([rank in ranks for rank in range(13)])
    value = Fraction(0)
    for bits in _patterns(order):
        drawn = [None if card is None else inside == bits[card] for card in order]
        value += _induction(book, seen, drawn, ante_cents, least)
    return value


def may_be_told(book: Rulebook) -> None:
    """Say at once where what marked backs tell is not worked out."""
    if family(book) in (raise_or_fold, board_games):
        raise Unsolved(
            "what marked backs tell is worked out for pay tables over community cards, and for "
            "five cards against five with one of the dealer's up, and not for this showdown",
            book.id,
        )


# Community cards ---------------------------------------------------------------------------------


def order_seen(book: Rulebook) -> tuple[int | None, ...]:
    """Return the hand's five cards in the order in which they are seen.

    A community card is its place in the deal, 0 the first; a card of the player's own is None.
    """
    return tuple(card.number for card in arrivals(book.script, main_table(book).cards))


def _patterns(order: Sequence[int | None]) -> list[tuple[int, ...]]:
    """Return every choice of yes and no for each community card, none first and all last."""
    every = product((1, 0), repeat=sum(card is not None for card in order))
    return sorted(every, key=sum)


def _induction(
    book: Rulebook,
    seen: Sequence[int],
    drawn: Sequence[npt.NDArray[np.bool_] | None],
    ante_cents: int | None,
    minimum_cents: int,
) -> Fraction:
    """Return the worth of all deals in which each card is of the ranks it may be drawn from.

    That is per ante and per deal of the whole game. ``seen`` says how many cards are seen at each
    decision, ``drawn`` from which ranks each card comes, in the order of being seen.
    """
    asked, finals = five_cards(book, "stay").streets, five_cards(book, "stay").finals
    pay, units = pay_table_games.payoffs(book, finals, ante_cents, minimum_cents)
    worth = pay[pay_table_games.row_numbers(main_table(book))[strengths()]]
    ways = np.ones((len(worth), 1), np.int64)
    ladder = [
        level if ranks is None else replace(level, ways=level.ways * np.repeat(ranks, 2))
        for level, ranks in zip(levels(), drawn, strict=False)
    ]
    at = SIZE
    for street, sees in zip(reversed(asked), reversed(seen), strict=True):
        worth, ways = (back_to(ladder, sees, at, each) for each in (worth, ways))
        at, ante = sees, roomy(ways[:, 0], max(street.stakes) * units) * units
        worth = street.options(worth, ante).max(axis=2)
    worth = back_to(ladder, 0, at, worth)
    return Fraction(int(worth[0, 0]), perm(52, SIZE) * units)


# A dealer's cards, by any ranking -----------------------------------------------------------------


def _dealers_keys(book: Rulebook) -> tuple[str, ...]:
    """Return how many of the dealer's cards may be known: as many as can be counted, or all."""
    deal, _ = raise_or_fold.shape(book)
    some = [many for many in range(max(deal.up, 1), deal.dealt) if not _why_not(deal, many)]
    return tuple(map(str, (*some, deal.dealt)))


def _why_not(deal: ShowdownDeal, many: int) -> str:
    return why_not(replace(deal, up=many))


def _dealers_known(
    book: Rulebook, many: int, ante_cents: int | None, minimum_cents: int
) -> Fraction:
    deal, street = raise_or_fold.shape(book)
    pay = ending_nets(book, street, deal.unseen, ante_cents, minimum_cents)
    if many < deal.dealt:
        return raise_or_fold.value(replace(deal, up=many), pay)
    return raise_or_fold.value_of_all_known(deal, pay)


# A dealer's cards --------------------------------------------------------------------------------

_CHOOSE = np.array([[comb(n, k) for k in range(SIZE)] for n in range(SIZE)], np.int32)


class _Coming(msgspec.Struct, frozen=True):
    """Hidden cards that look alike to the player, the weakest dealer's hand first."""

    rank: Ints
    """(card group, multiset): each different rank in it, or 0 for none of it."""
    many: Ints
    """How many cards of that rank."""
    plain: Ints
    """The dealer's strength with them, flushes left out."""
    masks: Ints
    """Sets of different ranks that make a flush with known cards of one suit, as bits."""
    plain_flush: Ints
    """The strength of each, were it no flush."""
    flush: Ints
    """Its strength as the flush it is."""


_Counts = tuple[Ints, ...]
"""For each hand of the player the dealer's: all, unqualified, below that hand, up to it."""


def _all_known(book: Rulebook, ante_cents: int | None, minimum_cents: int) -> Fraction:
    """Return the worth of knowing the dealer's whole hand: the best choice for each ending."""
    rule, _ = dealer_games.shape(book)
    pay = dealer_games.payoffs(book, ante_cents, minimum_cents)
    # As if there were one raise, which pays in every ending what the best choice does.
    best = {
        name: np.maximum(getattr(pay, name).max(axis=0, keepdims=True), pay.fold)
        for name in ("unqualified", "win", "tie", "lose")
    }
    every = dealers_hands.cases(rule.weakest)
    worth = dealer_games.worth(every, replace(pay, times=(1,), **best), 1)
    deals = int(every.ways.sum()) * dealers_hands.UNSEEN
    return Fraction(dealer_games.exact_sum(worth, every.ways), deals * pay.units)


def _against(
    book: Rulebook, many: int, ranks: Group, ante_cents: int | None, minimum_cents: int
) -> Fraction:
    """Return the worth of seeing so many of the dealer's cards, and how many others are of a group.

    Of the hidden cards only how many are of the group matters to the player, not which.
    """
    rule, _ = dealer_games.shape(book)
    pay = dealer_games.payoffs(book, ante_cents, minimum_cents)
    total = 0
    for shown in dealers_hands.multisets(many):
        apart, alike = _holdings(shown)
        for inside in range(SIZE if ranks else 1):
            coming = _coming(shown, ranks, inside)
            counts = _by_ranks(shown, coming, rule.weakest)
            states = np.nonzero(apart)[0]
            total += dealer_games.exact_sum(_best(pay, states, counts, None), apart[states])
            if alike is not None:
                state, _, ways = alike
                flushes = _flush_counts(coming, alike, rule.weakest)
                total += dealer_games.exact_sum(_best(pay, state, counts, flushes), ways)
    deals = comb(52, SIZE) * comb(52 - SIZE, many) * comb(52 - SIZE - many, SIZE - many)
    return Fraction(total, deals * pay.units)


@cache
def _rank_sets() -> Ints:
    """Return the rank multiset of each state of the last level."""
    key = dealers_hands.multisets(SIZE) @ np.array(RANK_KEYS)
    order = np.argsort(key)
    found: Ints = order[np.searchsorted(key[order], levels()[SIZE].keys >> 1)]
    return found


def _holdings(shown: Ints) -> tuple[Ints, tuple[Ints, Ints, Ints] | None]:
    """Return in how many ways a player holds each state while the dealer shows these ranks.

    First where the cards shown are not of one suit; then where they are: the states, which ranks
    are held in that suit (see :func:`_in_suit`), the ways.
    """
    there = np.flatnonzero(shown)
    left = np.maximum(4 - levels()[SIZE].counts[:, there], 0)
    every = hands(SIZE) * np.prod(_CHOOSE[left, shown[there]], axis=1, dtype=np.int64)
    if shown.max() > 1:
        return every, None
    state, row, ways, masks = _in_suit()
    free = ((masks & _bits(shown)) == 0)[row]
    free &= every[state] > 0
    state, row, ways = state[free], row[free], 4 * ways[free]
    suited = np.bincount(state, ways, len(every)).astype(np.int64)
    return every - suited, (state, row, ways)


@cache
def _in_suit() -> tuple[Ints, Ints, Ints, Ints]:
    """Return each state with each choice of its ranks in one suit: state, choice, ways.

    Last come those choices as bits.
    """
    state, shared_ranks, ways = dealers_hands.held_in_suit()
    masks, row = np.unique(shared_ranks, return_inverse=True)
    return state, row, ways, masks


def _bits(sets: Ints) -> Ints:
    found: Ints = sets @ (1 << np.arange(13))
    return found


def _coming(shown: Ints, ranks: Group, inside: int) -> _Coming:
    """Return the hidden cards, so many of the group, that may lie beside those shown."""
    hidden = dealers_hands.multisets(SIZE - int(shown.sum()))
    grouped = hidden[:, sorted(ranks)].sum(axis=1)
    hidden = hidden[(grouped == inside) & ((hidden + shown).max(axis=1) <= 4)]
    keys = (hidden + shown) @ np.array(RANK_KEYS)
    order = np.argsort(strength(keys))
    hidden, keys = hidden[order], keys[order]
    places = SIZE - int(shown.sum())
    rank = np.argsort(-hidden, axis=1, kind="stable")[:, :places].T
    fresh = (hidden + shown).max(axis=1) == 1
    return _Coming(
        rank=rank,
        many=np.take_along_axis(hidden, rank.T, axis=1).T,
        plain=strength(keys).astype(np.int64),
        masks=_bits(hidden[fresh]),
        plain_flush=strength(keys[fresh]).astype(np.int64),
        flush=strength(keys[fresh] + (SIZE << SUIT_SHIFT)).astype(np.int64),
    )


@cache
def _draws() -> npt.NDArray[np.int32]:
    """Return (cards shown, rank, cards drawn, player's ranks): in how many ways they are drawn."""
    shown = np.arange(SIZE)[:, None, None]
    left = np.clip(4 - shown - dealers_hands.multisets(SIZE).T, 0, 4)
    return np.ascontiguousarray(_CHOOSE[left].transpose(0, 1, 3, 2))


def _by_ranks(shown: Ints, coming: _Coming, weakest: int) -> _Counts:
    """Count the dealer's hands against each state, as if there were no flushes."""
    twin, draws = _rank_sets(), _draws()
    upto = np.zeros((len(coming.plain) + 1, draws.shape[-1]), np.int32)
    ways = upto[1:]
    ways += 1
    for rank, many in zip(coming.rank, coming.many, strict=True):
        ways *= draws[shown[rank], rank, many]
    np.cumsum(ways, axis=0, out=ways)
    mine = strengths()
    ends = (
        np.full(len(mine), len(coming.plain)),
        np.searchsorted(coming.plain, np.full(len(mine), weakest)),
        np.searchsorted(coming.plain, mine),
        np.searchsorted(coming.plain, mine, "right"),
    )
    return tuple(upto[end, twin].astype(np.int64) for end in ends)


def _flush_counts(
    coming: _Coming, alike: tuple[Ints, Ints, Ints], weakest: int
) -> tuple[Ints, Ints, Ints]:
    """Return what flushes add to hands that do not qualify, are below the player's, or up to it."""
    state, row, _ = alike
    held = _in_suit()[-1][:, None]
    upto = np.zeros((len(held), len(coming.masks) + 1), np.int32)
    np.cumsum((held & coming.masks) == 0, axis=1, out=upto[:, 1:])

    def moved(limit: Ints) -> Ints:
        """Put in the flushes that are under the limit; take out those that ranks alone put there.

        Both orders are the same: a flush has the ranks of its twin.
        """
        right = np.searchsorted(coming.flush, limit)
        wrong = np.searchsorted(coming.plain_flush, limit)
        begin = row * upto.shape[1]
        flat = upto.ravel()
        found: Ints = flat[begin + right[state]] - flat[begin + wrong[state]]
        return found

    mine = strengths()
    return moved(np.full(len(mine), weakest)), moved(mine), moved(mine + 1)


def _best(
    pay: dealer_games.ShowdownPay,
    state: Ints,
    counts: _Counts,
    flushes: tuple[Ints, Ints, Ints] | None,
) -> Ints:
    """Return the worth of the best choice with each of these hands, over the dealer's hands."""
    every, *limited = (each[state] for each in counts)
    if flushes is not None:
        limited = [plain + more for plain, more in zip(limited, flushes, strict=True)]
    best: Ints = options(pay, strengths()[state], every, *limited).max(axis=0)
    return best


def options(
    pay: dealer_games.ShowdownPay,
    mine: Ints,
    every: Ints,
    unqualified: Ints,
    below: Ints,
    upto: Ints,
) -> Ints:
    """Return (choice, hand): the worth of each raise and, last, of folding."""
    # A hand that would not qualify itself beats no dealer who does.
    below, upto = np.maximum(below, unqualified), np.maximum(upto, unqualified)
    counts = every, unqualified, below - unqualified, upto - below
    choices = (*pay.times, FOLD)
    return np.stack([dealer_games.worth_against(pay, each, mine, *counts) for each in choices])
