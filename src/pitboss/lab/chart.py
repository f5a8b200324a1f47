"""The best strategy as a chart that fits a page and leaves nothing out.

Two cards are a grid. Later streets and showdowns are short lists of rules over what people see in a
hand, worked out anew for every rulebook; the tests follow them and compare every situation with the
solution. Only showdowns by other rankings than of five cards are cut down to bands of hands, and
then the chart says exactly what that costs.
"""

from collections.abc import Sequence
from fractions import Fraction

import msgspec
import numpy as np

from pitboss.cards import DECK, RANKS
from pitboss.errors import Unsolved
from pitboss.hands import Hand, ranking
from pitboss.lab.rule_list import Condition, Rule, cover
from pitboss.maths import dealer_games, dealers_hands
from pitboss.maths.board_games import BoardSolution
from pitboss.maths.dealer_games import DealerSolution
from pitboss.maths.decisions import Street, main_table
from pitboss.maths.hand_states import SIZE, Ints, Level, levels, strengths
from pitboss.maths.pay_table_games import PayTableSolution
from pitboss.maths.price import ratio
from pitboss.maths.raise_or_fold import RaiseOrFoldSolution
from pitboss.maths.seen import Seen
from pitboss.maths.showdown_bands import Cells, cells
from pitboss.maths.solution import Solution
from pitboss.rulebook.model import Rulebook

GROUPS = ("two pair or better", "pair", "suited", "no pair")
"""What a hand of several cards is called, the first that fits."""

_RUNS = ((14, 2, 3, 4, 5), *(tuple(range(low, low + SIZE)) for low in range(2, 11)))


class ChartLine(msgspec.Struct, frozen=True):
    """One line of the chart."""

    when: tuple[Condition, ...]
    """All of these hold; nothing here fits everything."""
    hands: tuple[str, ...]
    """Or: exactly these hands."""
    choices: tuple[int, ...]
    """What to do at each stake of the section: a multiple, 0 folds, -1 checks, -2 takes back."""


class ChartSection(msgspec.Struct, frozen=True):
    """Lines for one kind of hand on one street; the first that fits counts."""

    seen: int
    """How many cards are seen."""
    group: str
    stakes: tuple[int, ...]
    """The antes on the table that the choices are for."""
    lines: tuple[ChartLine, ...]


class Band(msgspec.Struct, frozen=True):
    """Hands next to each other in strength that are played alike against every upcard."""

    weakest: str
    best: str
    choice: int | None
    """None where it depends on the upcard."""


class Suits(msgspec.Struct, frozen=True):
    """A hand against an upcard whose best play depends on suits."""

    hand: str
    upcard: str
    choices: dict[str, int]
    """By the ranks that are held in the upcard's suit."""


class UpcardBands(msgspec.Struct, frozen=True):
    """Bands against one upcard."""

    upcard: str
    """Its rank."""
    matches: bool | None
    """Whether the player holds a card of that rank, too."""
    bands: tuple[Band, ...]
    """By strength, weakest first."""


class Split(msgspec.Struct, frozen=True):
    """A hand whose best play depends on cards that are no part of it, or on suits."""

    hand: str
    upcard: str
    """Its rank; empty where no card of the dealer's is seen."""
    matches: bool | None
    """Whether the player holds a card of that rank, too."""
    choices: dict[int, int]
    """How many such hands each choice is best for."""


class Chart(msgspec.Struct, frozen=True):
    """The whole best strategy."""

    points: tuple[int, ...]
    """What each rank from 2 to A counts, by what a pair of it pays; 0 where it loses."""
    grid: tuple[tuple[int, ...], ...] | None
    """Two cards, from 2 to A: suited at (low, high), unsuited at (high, low)."""
    sections: tuple[ChartSection, ...]
    bands: tuple[Band, ...] = ()
    """Against a dealer: by strength, weakest first."""
    suits: tuple[Suits, ...] = ()
    """Against a dealer: to be looked at before the section."""
    by_upcard: tuple[UpcardBands, ...] = ()
    """The bands, where they depend on the upcard and on nothing else."""
    splits: tuple[Split, ...] = ()
    """Hands of which some are best played otherwise than by their band."""
    loses: str = ""
    """What playing by the bands alone costs, in antes as a fraction; empty where nothing is cut."""


def drawn(solution: Solution) -> bool:
    """Whether there is a chart: always against a dealer, by table for hands of exactly five cards.

    And only where each number of cards seen is one decision, made at a stake that tells all.
    """
    if isinstance(solution.solved, DealerSolution | RaiseOrFoldSolution):
        return True
    if isinstance(solution.solved, BoardSolution):
        return solution.solved.decides_first
    if not isinstance(solution.solved, PayTableSolution):
        return False
    plan = solution.solved.plan
    return (
        plan.size == SIZE
        and len({street.seen for street in plan.streets}) == len(plan.streets)
        and all(
            all(each.asked) and len(set(each.stakes)) == len(each.stakes) for each in plan.streets
        )
    )


def chart(solution: Solution, *, grid: bool = True, lists: bool = True) -> Chart:
    """Draw the chart; without the grid two cards are lists of rules like all others. By a pay table
    the lists, which take longest, may be left out."""
    if not drawn(solution):
        raise Unsolved("no chart is drawn for this game", solution.book.id)
    if isinstance(solution.solved, PayTableSolution):
        return _by_table(solution.book, solution.solved, grid, lists)
    if isinstance(solution.solved, BoardSolution):
        return _before_board(solution)
    if isinstance(solution.solved, RaiseOrFoldSolution):
        return _by_bands(solution.solved, solution.value)
    return _against_dealer(solution)


def _before_board(solution: Solution) -> Chart:
    """Draw the two cards before a shared board; later there are too many situations for a chart."""

    def choice(row: int, column: int) -> int:
        low, high = sorted((row, column))
        suit = 0 if row < column else 1
        return solution.choice(Seen((DECK[4 * low], DECK[4 * high + suit])))

    grid = tuple(tuple(choice(row, column) for column in range(13)) for row in range(13))
    return Chart((), grid, ())


def written(ranks: Sequence[int]) -> str:
    """Write ranks (2 to 14) as people do.

    >>> written((14, 13, 10))
    'A-K-10'
    """
    return "-".join("10" if rank == 10 else RANKS[rank - 2] for rank in ranks)


# A pay table -----------------------------------------------------------------------------------


def points(book: Rulebook) -> tuple[int, ...]:
    """Return what each rank counts: nothing if a pair of it loses, and more the more it pays.

    With the common pay table a pair that pushes makes 1 point, and one that wins 2.
    """
    table = main_table(book)
    worth = {
        hand.ranks[0]: table.row_for(hand.strength).odds or 0
        for hand in table.order.classes
        if hand.category == "pair"
    }
    tiers = [-1, *sorted({odds for odds in worth.values() if odds >= 0})]
    return tuple(tiers.index(worth[rank]) for rank in range(2, 15))


def features(ranks: Sequence[int], counts: Sequence[int]) -> dict[str, int]:
    """Return what people see in some cards' ranks, with what each rank counts in points."""
    held = {rank: ranks.count(rank) for rank in ranks}
    alone = [rank for rank, many in held.items() if many == 1]
    runs = sum(set(ranks) <= set(run) for run in _RUNS) if len(alone) == len(ranks) else 0
    return {
        "points": sum(counts[rank - 2] for rank in ranks),
        "high": sum(counts[rank - 2] == max(counts) for rank in ranks),
        "straights": runs,
        "top": max(ranks),
        "low": min(ranks),
        "pair": max((rank for rank, many in held.items() if many > 1), default=0),
        "kicker": max(alone, default=0),
        "alike": max(held.values()),
    }


def group_of(ranks: Sequence[int], *, suited: bool) -> str:
    extra = len(ranks) - len(set(ranks))
    if extra:
        return GROUPS[0] if extra > 1 else GROUPS[1]
    return GROUPS[2] if suited else GROUPS[3]


_ASKED = {
    GROUPS[0]: ("alike", "pair", "kicker"),
    GROUPS[1]: ("pair", "kicker", "points"),
    GROUPS[2]: ("points", "high", "straights", "top", "low"),
    GROUPS[3]: ("points", "high", "straights", "top", "low"),
}
"""The features that tell hands of a group apart."""


def _by_table(book: Rulebook, solved: PayTableSolution, gridded: bool, lists: bool) -> Chart:
    counts = points(book)
    grid, sections = None, []
    for street, best in zip(solved.plan.streets, solved.best, strict=True):
        level = levels()[street.seen]
        if gridded and street.seen == 2 and street.stakes == (1,):
            grid = _grid(level, best[:, 0])
        elif lists:
            sections += _sections(level, street, best, counts)
    return Chart(counts, grid, tuple(sections))


def _grid(level: Level, best: Ints) -> tuple[tuple[int, ...], ...]:
    ranks = range(2, 15)
    return tuple(
        tuple(int(best[level.find((row, column), suited=row < column)]) for column in ranks)
        for row in ranks
    )


def _sections(
    level: Level, street: Street, best: Ints, counts: Sequence[int]
) -> list[ChartSection]:
    hands = [level.ranks(state) for state in range(len(level.keys))]
    groups = np.array(
        [group_of(h, suited=bool(s)) for h, s in zip(hands, level.suited, strict=True)]
    )
    found = []
    for group in GROUPS:
        here = np.nonzero(groups == group)[0]
        if len(here):
            seen = [features(hands[state], counts) for state in here]
            table = {name: np.array([each[name] for each in seen]) for name in _ASKED[group]}
            named = [written(hands[state]) for state in here]
            found.append(
                ChartSection(street.seen, group, street.stakes, _lines(table, best[here], named))
            )
    return found


def _lines(table: dict[str, Ints], best: Ints, named: Sequence[str]) -> tuple[ChartLine, ...]:
    """Return rules for these entries, whose choices are rows of ``best``."""
    patterns, choices = np.unique(best, axis=0, return_inverse=True)

    def line(rule: Rule) -> ChartLine:
        hands = tuple(named[at] for at in rule.only)
        return ChartLine(rule.when, hands, tuple(patterns[rule.choice].tolist()))

    return tuple(line(rule) for rule in cover(table, choices.ravel()))


# Against a dealer ------------------------------------------------------------------------------


def against_features(ranks: Sequence[int], held: Sequence[int], upcard: int) -> dict[str, int]:
    """Return what people see in a hand against an upcard.

    ``ranks`` are those that decide the hand's strength, in order; ``held`` all five.
    """
    padded = (*ranks, *(0 for _ in range(SIZE - len(ranks))))
    return {
        **dict(zip(("first", "second", "third", "fourth", "fifth"), padded, strict=True)),
        "upcard": upcard,
        "matches": list(held).count(upcard),
        "above": sum(rank > upcard for rank in held),
    }


def _best_cases(solution: Solution) -> tuple[dealers_hands.Cases, Ints]:
    solved = solution.solved
    assert isinstance(solved, DealerSolution)
    every, place = dealer_games.best_cases(solved)
    return every, np.array(solved.choices)[place]


def _against_dealer(solution: Solution) -> Chart:
    every, best = _best_cases(solution)
    settled = np.full(len(strengths()) + 1, _DEPENDS)
    settled[every.strength] = best
    between = _between(every, best)
    settled[every.strength[between]] = _DEPENDS
    section, suits = _by_upcard(_cells(every, best, between))
    return Chart((), None, section, _bands(settled), suits)


def _between(every: dealers_hands.Cases, best: Ints) -> Ints:
    """Return the cases of those hands that are not played alike against everything."""
    one = np.zeros(len(strengths()), np.int64)
    one[every.state] = best  # any one of its choices
    differs = np.zeros(len(one), np.bool_)
    differs[every.state[best != one[every.state]]] = True
    return np.nonzero(differs[every.state])[0]


_DEPENDS = -9


def _bands(settled: Ints) -> tuple[Band, ...]:
    """Run along all strengths; a band ends where the choice or, in between, the category does."""
    classes = ranking("five-card").classes
    ends = [at for at in range(1, len(classes)) if settled[at] != settled[at + 1]]
    found = []
    for first, last in zip([1, *(end + 1 for end in ends)], [*ends, len(classes)], strict=True):
        choice = int(settled[first])
        names = (hand_name(classes[first - 1]), hand_name(classes[last - 1]))
        found.append(Band(*names, None if choice == _DEPENDS else choice))
    return tuple(found)


def hand_name(hand: Hand) -> str:
    return f"{hand.category.replace('-', ' ')} {written(hand.ranks)}".strip()


def _hand(state: int) -> Hand:
    return ranking("five-card").classes[int(strengths()[state]) - 1]


Cell = tuple[int, int]
"""A state of five cards and an upcard's rank, 2 to 14."""


def _cells(every: dealers_hands.Cases, best: Ints, at: Ints) -> dict[Cell, dict[int, int]]:
    """Gather cases by hand and upcard: the choice for each set of ranks in the upcard's suit."""
    found: dict[Cell, dict[int, int]] = {}
    columns = (every.state[at], every.upcard[at], every.shared[at], best[at])
    for state, upcard, shared, choice in zip(*(c.tolist() for c in columns), strict=True):
        found.setdefault((state, upcard + 2), {})[shared] = choice
    return found


def upcard_map(solution: Solution) -> list[tuple[str, list[int | None]]]:
    """Return the hands that depend on the upcard, best first, with the choice against 2 to A.

    None where suits decide, or where no such upcard is left.
    """
    every, best = _best_cases(solution)
    cells = _cells(every, best, _between(every, best))
    states = sorted({state for state, _ in cells}, key=lambda state: -int(strengths()[state]))
    found = []
    for state in states:
        kinds = [set(cells.get((state, upcard), {}).values()) for upcard in range(2, 15)]
        row = [next(iter(kind)) if len(kind) == 1 else None for kind in kinds]
        found.append((hand_name(_hand(state)), row))
    return found


def _by_upcard(
    cells: dict[Cell, dict[int, int]],
) -> tuple[tuple[ChartSection, ...], tuple[Suits, ...]]:
    """Return rules for the cells of one choice each, and the cells in which suits decide."""
    suits, seen, best, named = [], [], [], []
    for (state, upcard), choices in cells.items():
        hand = _hand(state)
        if len(set(choices.values())) > 1:
            by_ranks = {_bits(shared): choice for shared, choice in choices.items()}
            suits.append(Suits(hand_name(hand), written([upcard]), by_ranks))
        else:
            seen.append(against_features(hand.ranks, levels()[SIZE].ranks(state), upcard))
            best.append([next(iter(choices.values()))])
            named.append(f"{hand_name(hand)} against {written([upcard])}")
    if not seen:
        return (), tuple(suits)
    table = {name: np.array([each[name] for each in seen]) for name in seen[0]}
    varying = {name: values for name, values in table.items() if np.ptp(values)}
    lines = _lines(varying, np.array(best), named)
    return (ChartSection(SIZE, "by upcard", (1,), lines),), tuple(suits)


def _bits(shared: int) -> str:
    return written([rank + 2 for rank in range(12, -1, -1) if shared >> rank & 1])


# A showdown by any ranking --------------------------------------------------------------------


def _by_bands(solved: RaiseOrFoldSolution, value: Fraction) -> Chart:
    """Say what is best on the whole, for how many hands that is not so, and what it costs."""
    every = cells(solved)
    played = Fraction(sum(each.total for each in every), solved.deals * solved.units)
    closed = solved.deal.up == 0
    bands = [UpcardBands(_upcard(each), each.matches, _runs(solved, each)) for each in every]
    return Chart(
        points=(),
        grid=None,
        sections=(),
        bands=bands[0].bands if closed else (),
        by_upcard=() if closed else tuple(bands),
        splits=tuple(split for each in every for split in _splits(solved, each)),
        loses=ratio(value - played),
    )


def _runs(solved: RaiseOrFoldSolution, found: Cells) -> tuple[Band, ...]:
    there = np.flatnonzero(found.choice >= 0)
    chosen = found.choice[there]
    ends = [*np.flatnonzero(chosen[1:] != chosen[:-1]).tolist(), len(there) - 1]
    starts = [0, *(end + 1 for end in ends[:-1])]
    name = [_named(solved, strength) for strength in there.tolist()]
    return tuple(
        Band(name[first], name[last], solved.choices[int(chosen[first])])
        for first, last in zip(starts, ends, strict=True)
    )


def _upcard(found: Cells) -> str:
    return "" if found.upcard is None else written([found.upcard])


def _named(solved: RaiseOrFoldSolution, strength: int) -> str:
    return hand_name(ranking(solved.deal.ranking).classes[int(strength) - 1])


def _splits(solved: RaiseOrFoldSolution, found: Cells) -> list[Split]:
    every = np.arange(len(found.choice))
    other = found.hands.sum(axis=0) > found.hands[found.choice, every]
    mixed = np.flatnonzero(other & (found.choice >= 0))
    return [
        Split(
            _named(solved, strength),
            _upcard(found),
            found.matches,
            {
                choice: int(found.hands[place, strength])
                for place, choice in enumerate(solved.choices)
                if found.hands[place, strength]
            },
        )
        for strength in mixed.tolist()
    ]
