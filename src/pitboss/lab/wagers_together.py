"""A round with its side wagers: what they come to together, since the same cards settle them.

Where cards can be gone through one by one, it is counted: in games by pay table every hand with
every board, up to the names of suits; against a dealer every strength of the player's hand.
Otherwise rounds are dealt, and how many is said. Side wagers change nothing in how one plays.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from math import prod

import msgspec
import numpy as np

from pitboss.errors import Unreadable, Unsolved
from pitboss.lab import showdown_kernel, simulation_tables
from pitboss.lab.random_deals import CHUNK, Bytes, Numbers, chance_of, deal
from pitboss.lab.showdown_kernel import strengths
from pitboss.lab.simulation_tables import TableKernel, tabulated
from pitboss.maths import dealer_games, kept, raise_or_fold
from pitboss.maths.card_sets import classes, place
from pitboss.maths.dealer_games import DealerSolution
from pitboss.maths.dealers_hands import Cases
from pitboss.maths.decisions import five_cards
from pitboss.maths.hand_states import SIZE, Ints, choices
from pitboss.maths.outcomes import Outcome, Statistics, statistics
from pitboss.maths.pay_table_games import PayTableSolution, row_numbers
from pitboss.maths.price import At
from pitboss.maths.raise_or_fold import RaiseOrFoldSolution
from pitboss.maths.solution import Solution
from pitboss.money import times
from pitboss.rulebook.deal_script import SEATS
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.paytable import PayTable, Spot

SAMPLE = 1 << 20
"""Rounds that are dealt where they cannot be counted."""

Beside = Iterator[tuple[tuple[int, ...], Outcome]]
"""What happens on the main wagers, and which row of each side table the same cards make."""


class WagersTogether(msgspec.Struct, frozen=True, dict=True):
    """What a round comes to for one player, side wagers included."""

    outcomes: tuple[Outcome, ...]
    """What happens on the main wagers; the net is that of all wagers, the stake the main ones'."""
    units: int
    """How many units an ante is."""
    sampled: int = 0
    """How many rounds were dealt for it; 0 where all were counted."""

    @property
    def statistics(self) -> Statistics:
        return statistics(self.outcomes, sum(each.deals for each in self.outcomes), self.units)


def together(
    solution: Solution,
    stakes_cents: Mapping[str, int],
    meter_cents: int | None = None,
    *,
    sample: int = SAMPLE,
    seed: int = 7,
) -> WagersTogether:
    """Return what a round comes to with these side wagers down, for one player alone.

    The progressive pays from the meter; from the book's own seed, if none is given.
    """
    book = solution.book
    if not stakes_cents:
        return WagersTogether(solution.outcomes, solution.units)
    spots = [_side(book, name, stake) for name, stake in stakes_cents.items()]
    if solution.ante_cents is None:
        raise Unreadable("side wagers stand beside an ante: give one, in money")
    meter = At(meter_cents=meter_cents).meter(book)
    tables = [book.tables[spot.table] for spot in spots]
    nets = [
        row_nets(book, each, stake, meter)
        for each, stake in zip(tables, stakes_cents.values(), strict=True)
    ]
    sampled = 0
    try:
        happens = list(_counted(solution, tables))
    except Unsolved:
        happens, sampled = list(_dealt(solution, tables, sample, seed)), sample
    found: Counter[tuple[str, int, int]] = Counter()
    for rows, each in happens:
        folded = each.event.startswith("fold-")
        net = each.net_units
        for spot, paid, row, stake in zip(spots, nets, rows, stakes_cents.values(), strict=True):
            net += -stake if folded and spot.after_fold == "lost" else paid[row]
        found[each.event, each.stake, net] += each.deals
    return WagersTogether(
        tuple(Outcome(*ending, deals) for ending, deals in found.items()), solution.units, sampled
    )


def _side(book: Rulebook, name: str, stake_cents: int) -> Spot:
    """Return the spot of a side wager, or say why this one cannot be placed there."""
    there = [spot.name for spot in book.spot if spot.kind != "main"]
    if name not in there:
        known = f"there are {', '.join(there)}" if there else "this game has none"
        raise Unreadable(f"no side wager {name[:40]!r}: {known}")
    spot = book.spots[name]
    least, most = spot.fixed or spot.least or 1, spot.fixed or spot.most or stake_cents
    if not least <= stake_cents <= most:
        said = f"{book.money(least)} or more" if stake_cents < least else book.money(most)
        raise Unreadable(f"{spot.title} takes {said}, not {book.money(stake_cents)}")
    if spot.against or not spot.table:
        raise Unsolved("a side wager against the dealer is not counted yet", book.id)
    if any(name in cap.spots for cap in book.cap):
        raise Unsolved("a payout cap on a side wager is not priced yet", book.id)
    return spot


def row_nets(book: Rulebook, table: PayTable, stake_cents: int, meter_cents: int) -> list[int]:
    """Return what each row nets a stake, in cents; a token that wins is dropped all the same."""
    found = []
    for row in table.rows:
        if row.meter is not None:
            found.append(times(meter_cents, row.meter, book.rounding) - stake_cents)
        elif row.award is not None:
            found.append(int(row.award) - stake_cents)
        else:
            assert row.odds is not None, "a row pays odds, an award or a part of the meter"
            found.append(times(stake_cents, row.odds, book.rounding))
    return found


# Counted ----------------------------------------------------------------------------------------


def _counted(solution: Solution, tables: Sequence[PayTable]) -> Beside:
    solved = solution.solved
    if isinstance(solved, PayTableSolution):
        return _hand_by_hand(solution, tables)
    order = solution.book.main_hand[1]
    if any((each.cards, each.ranking) != ((SEATS,), order) for each in tables):
        raise Unsolved("side wagers on other cards than the player's are not counted")
    by_strength = np.array([row_numbers(each) for each in tables])
    if isinstance(solved, DealerSolution):
        return _against_dealer(solved, by_strength)
    if isinstance(solved, RaiseOrFoldSolution):
        return _by_strength(solved, by_strength)
    raise Unsolved("side wagers on a shared board are not counted")


def _against_dealer(solved: DealerSolution, by_strength: Ints) -> Beside:
    every, picked = dealer_games.best_cases(solved)
    for rows in np.unique(by_strength[:, 1:], axis=1).T:
        here = (by_strength[:, every.strength] == rows[:, None]).all(axis=0)
        some = Cases(**{name: getattr(every, name)[here] for name in Cases.__struct_fields__})
        for each in dealer_games.outcomes(solved.pay, solved.choices, [(some, picked[here])]):
            yield tuple(rows.tolist()), each


def _by_strength(solved: RaiseOrFoldSolution, by_strength: Ints) -> Beside:
    pay, order = solved.pay, solved.choices
    happens = raise_or_fold.played_best(solved.deal, pay, order)
    for rows in np.unique(by_strength[:, 1:], axis=1).T:
        here = happens * (by_strength == rows[:, None]).all(axis=0)
        for each in raise_or_fold.outcomes(pay, order, raise_or_fold.by_kind(pay, here)):
            yield tuple(rows.tolist()), each


def _hand_by_hand(solution: Solution, tables: Sequence[PayTable]) -> Beside:
    """Go through every hand up to the names of suits, with every board in every order."""
    book = solution.book
    planned = five_cards(book, solution.ties)
    if planned.streets[0].own < book.seat_cards:
        raise Unsolved("hands that grow after the first decision are not gone through")
    more = [_sees_more(book, each) for each in tables]
    if sum(more) > 1:
        raise Unsolved("two side wagers on a further card are not counted")
    kernel, outcomes = tabulated(solution, None, 1)
    assert isinstance(kernel, TableKernel)
    stakes = solution.ante_cents, solution.minimum_cents, solution.ties
    found = kept.arrays(
        "together",
        [book.sha256, *stakes, *(each.name for each in tables)],
        lambda: {"deals": _through(book, kernel, len(outcomes), tables, more)},
        by=(__file__, simulation_tables.__file__, showdown_kernel.__file__),
    )["deals"]
    for number, *rows in np.argwhere(found).tolist():
        deals = int(found[number, *rows])
        yield tuple(rows), msgspec.structs.replace(outcomes[number], deals=deals)


def _through(
    book: Rulebook,
    kernel: TableKernel,
    endings: int,
    tables: Sequence[PayTable],
    more: Sequence[bool],
) -> Ints:
    """Count (ending, row of each table)."""
    kinds, of_five = np.zeros((0, 0), np.int64), np.zeros(0, np.int64)
    if any(more):
        kinds, of_five = _with_one_more(tables[more.index(True)])
    # Five cards that make the same rows with equally many further cards are of one kind.
    sizes = [len(kinds) if far else len(each.rows) for each, far in zip(tables, more, strict=True)]
    found = np.zeros(endings * prod(sizes), np.int64)
    by_strength = [row_numbers(each) for each in tables]
    held, boards = classes(book.seat_cards), choices(52 - book.seat_cards, SIZE - book.seat_cards)
    for hand, ways in zip(held.sets, held.ways.tolist(), strict=True):
        board = np.setdiff1d(np.arange(52, dtype=np.uint8), hand)[boards].T
        own = np.repeat(hand[:, None], board.shape[1], axis=1)
        rows = [
            of_five[_fives(own, board)] if further else numbers[_strengths(each, own, board)]
            for each, numbers, further in zip(tables, by_strength, more, strict=True)
        ]
        code = np.ravel_multi_index(tuple(rows), tuple(sizes))
        ends = np.concatenate([ended * prod(sizes) + code for ended in _ends(kernel, own, board)])
        found += ways * np.bincount(ends, minlength=len(found))
    shaped = found.reshape(endings, *sizes)
    if not any(more):
        return shaped
    axis = 1 + more.index(True)
    return np.moveaxis(np.tensordot(shaped, kinds, (axis, 0)), -1, axis)


def _fives(own: Bytes, board: Bytes) -> Ints:
    """Return the class of each hand with its board."""
    every = np.sort(np.concatenate([own, board]), axis=0)[::-1].T
    return classes(SIZE).number[place(every)].astype(np.int64)


def _ends(kernel: TableKernel, own: Bytes, board: Bytes) -> list[Ints]:
    """Return how the rounds of a hand end, for each order in which the board may lie."""
    found = []
    for order in permutations(range(len(board))):
        mine, lies = iter(own), iter(order)
        cards = [board[next(lies)] if shared else next(mine) for shared in kernel.shared]
        found.append(kernel.walk.follow(cards).astype(np.int64))
    return found


def _sees_more(book: Rulebook, table: PayTable) -> bool:
    """Whether a side table sees one card more than the game's own; others are not counted."""
    whole = set(book.main_hand[0])
    if set(table.cards) in ({SEATS}, whole - {SEATS}, whole):
        return False
    further = set(table.cards) - whole
    if whole < set(table.cards) and sum(book.dealt[each] for each in further) == 1:
        return True
    raise Unsolved("a side wager on part of the board is not counted")


def _strengths(table: PayTable, own: Bytes, board: Bytes) -> Numbers:
    """Return how strong a hand is with each board, to a table that looks at either or both."""
    if table.cards == (SEATS,):
        return np.repeat(strengths(table.ranking, own[:, :1]), board.shape[1])
    return strengths(table.ranking, np.concatenate([own, board]) if SEATS in table.cards else board)


def _with_one_more(table: PayTable) -> tuple[Ints, Ints]:
    """Count (kind of five cards, row): how many others make each row; and the kind by class."""
    sets = classes(SIZE).sets
    found = np.zeros((len(sets), len(table.rows)), np.int64)
    numbers = row_numbers(table)
    for card in range(52):
        free = np.flatnonzero((sets != card).all(axis=1))
        six = np.concatenate([sets[free].T, np.full((1, len(free)), card, np.uint8)])
        found[free, numbers[strengths(table.ranking, six)]] += 1
    kinds, kind = np.unique(found, axis=0, return_inverse=True)
    return kinds, kind.ravel()


# Dealt ------------------------------------------------------------------------------------------


def _dealt(solution: Solution, tables: Sequence[PayTable], rounds: int, seed: int) -> Beside:
    kernel, outcomes = tabulated(solution, None, 1)
    book = solution.book
    known = dict(_places(book))
    further = [each for table in tables for each in table.cards if each not in known]
    cards = kernel.cards
    for each in dict.fromkeys(further):
        known[each] = range(cards, cards + book.dealt[each])
        cards += book.dealt[each]
    sizes = (len(outcomes), *(len(table.rows) for table in tables))
    found = np.zeros(prod(sizes), np.int64)
    by_strength = [row_numbers(table) for table in tables]
    for block in range(-(-rounds // CHUNK)):
        many = min(CHUNK, rounds - block * CHUNK)
        lies = deal(chance_of(seed, block), many, cards)
        ended = kernel.settle(lies)[0].astype(np.int64)
        rows = [
            numbers[
                strengths(table.ranking, lies[[at for each in table.cards for at in known[each]]])
            ]
            for table, numbers in zip(tables, by_strength, strict=True)
        ]
        found += np.bincount(np.ravel_multi_index((ended, *rows), sizes), minlength=len(found))
    for at in np.flatnonzero(found).tolist():
        number, *rows_made = (int(each) for each in np.unravel_index(at, sizes))
        yield tuple(rows_made), msgspec.structs.replace(outcomes[number], deals=int(found[at]))


def _places(book: Rulebook) -> Iterator[tuple[str, range]]:
    """Yield which of a kernel's cards lie where: shared ones, the dealer's, the seat's own."""
    shared = [each for each in book.main_hand[0] if each != SEATS]
    dealer = [] if book.qualifier is None else [book.qualifier.place]
    at = 0
    for each in (*shared, *dealer, SEATS):
        yield each, range(at, at + book.dealt[each])
        at += book.dealt[each]
