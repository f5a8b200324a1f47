"""A strategy chart in words, for paper and screen."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from textwrap import wrap

from pitboss.hands import MANY
from pitboss.lab.chart import GROUPS, Band, Chart, ChartSection, UpcardBands, written
from pitboss.lab.rule_list import Condition
from pitboss.maths.decisions import CHECK, FOLD, choice_name
from pitboss.wording import TIMES, capital, counted, listed, number, spaced

_WIDTH = 80
_RANKED = {
    "top": "highest card",
    "low": "lowest card",
    "kicker": "kicker",
    "upcard": "upcard",
    "first": "first rank",
    "second": "second card",
    "third": "third card",
    "fourth": "fourth card",
    "fifth": "fifth card",
}
_COUNTED = {
    "points": ("point", "points"),
    "high": ("high card", "high cards"),
    "straights": ("straight in reach", "straights in reach"),
    "alike": ("card of a rank", "cards of a rank"),
    "matches": ("card of the upcard's rank", "cards of the upcard's rank"),
    "above": ("card above the upcard", "cards above the upcard"),
}


def choice_word(choice: int) -> str:
    return f"{choice}{TIMES}" if choice > FOLD else spaced(choice_name(choice))


def choices_words(choices: Sequence[int], stakes: Sequence[int]) -> str:
    """Say what to do at each stake.

    >>> choices_words((0, 0, -1), (2, 3, 4)), choices_words((0, 0), (2, 3))
    ('fold; check from 4 in', 'fold')
    """
    return "; ".join(said for _, said in choice_runs(choices, stakes))


def choice_runs(choices: Sequence[int], stakes: Sequence[int]) -> list[tuple[int, str]]:
    """Return the choices as the stake grows, each with its words."""
    runs = groupby(zip(choices, stakes, strict=True), key=lambda each: each[0])
    starts = [next(run) for _, run in runs]
    return [
        (choice, choice_word(choice) + (f" from {stake} in" if number else ""))
        for number, (choice, stake) in enumerate(starts)
    ]


def condition_words(condition: Condition) -> str:
    """Say what a condition asks.

    >>> condition_words(Condition("points", least=4)), condition_words(Condition("top", most=10))
    ('four or more points', 'highest card 10 or lower')
    """
    least, most = condition.least, condition.most
    if condition.feature == "pair":
        return "pair of " + _range(least, most, MANY)
    if condition.feature in _RANKED:
        ranks = [written([rank]) for rank in range(2, 15)]
        return f"{_RANKED[condition.feature]} {_range(least, most, ranks)}"
    one, many = _COUNTED[condition.feature]
    if most is None:
        return f"{number(least or 0)} or more {many}"
    if most == 0:
        return f"no {one}"
    range_ = "exactly" if least == most else "at most"
    return f"{range_} {number(most)} {one if most == 1 else many}"


def fact_words(feature: str, value: int) -> str:
    """Say what a hand has of what conditions ask for.

    >>> fact_words("points", 1), fact_words("high", 0), fact_words("third", 11)
    ('one point', 'no high cards', 'third card J')
    """
    if feature in _COUNTED:
        return f"{number(value)} {_COUNTED[feature][value != 1]}"
    if not value:
        return f"no {_RANKED[feature]}"
    return condition_words(Condition(feature, value, value))


def _range(least: int | None, most: int | None, names: Sequence[str]) -> str:
    if least is not None and most is not None:
        low, high = names[least - 2], names[most - 2]
        return low if low == high else f"{low} to {high}"
    if least is not None:
        return f"{names[least - 2]} or higher"
    assert most is not None
    return f"{names[most - 2]} or lower"


def lines_of(section: ChartSection) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for line in section.lines:
        when = ", ".join([*map(condition_words, line.when), *line.hands])
        last = "anything else" if found else "always"
        found.append((choices_words(line.choices, section.stakes), when or last))
    return found


def title_of(section: ChartSection) -> str:
    if section.group == "by upcard":
        return "Between the two, by the upcard"
    group = section.group
    if section.seen == 3 and group == GROUPS[0]:
        group = "three of a kind"
    return f"{capital(number(section.seen))} cards, {group}"


def points_words(points: Sequence[int]) -> str:
    """Say what ranks count, from 2 to A.

    >>> points_words((0,) * 4 + (1,) * 5 + (2,) * 4)
    'J to A count 2 points, 6 to 10 count 1; high cards are J to A'
    """
    said = []
    most = max(points)
    for worth in range(most, 0, -1):
        ranks = [rank for rank, each in enumerate(points, start=2) if each == worth]
        said.append(f"{_spans(ranks)} count {worth}{' points' if worth == most else ''}")
    high = [rank for rank, each in enumerate(points, start=2) if each == most]
    return ", ".join(said) + f"; high cards are {_spans(high)}"


def _spans(ranks: Sequence[int]) -> str:
    runs = [
        [rank for _, rank in run]
        for _, run in groupby(enumerate(ranks), key=lambda each: each[1] - each[0])
    ]
    names = [[written([run[0]]), written([run[-1]])] for run in runs]
    return ", ".join(low if low == high else f"{low} to {high}" for low, high in names)


def band_words(band: Band) -> tuple[str, str]:
    do = "by the upcard" if band.choice is None else choice_word(band.choice)
    return do, f"{band.weakest} to {band.best}"


def upcard_words(each: UpcardBands) -> tuple[str, str]:
    """Say from which hand on each raise is made against an upcard; below the first one folds."""
    held = {None: "", False: ", none held", True: ", one held"}[each.matches]
    raised = [band for band in each.bands if band.choice != FOLD]
    said = "; ".join(f"{choice_word(band.choice or FOLD)} from {band.weakest}" for band in raised)
    return f"{each.upcard}{held}", said or "fold"


def loses_words(made: Chart) -> str:
    """Say what playing by the bands alone costs."""
    lost = float(Fraction(made.loses))
    hands = counted(len(made.splits), "kind")
    return (
        f"These bands are best on the whole, and cost {lost:.6%} of the ante. For {hands} of hands "
        "kickers, suits or cards beside the hand decide as well: ask advise."
    )


def how_words(made: Chart) -> str:
    """Say how good the chart is, and how its lists are read where it has any."""
    if made.splits:
        said = loses_words(made)
    elif made.grid is not None and not made.sections:
        said = "Exact, for the first two cards."
    else:
        said = "Complete and exact."
    return f"{said} Of each list the first line that fits counts." if made.sections else said


def squares_words(grid: Sequence[Sequence[int]], marks: Mapping[int, str]) -> str:
    """Say what stands for a fold and for a check, as far as the grid has them.

    >>> squares_words([[1, FOLD]], {FOLD: "an empty square", CHECK: "a tick"})
    'an empty square is a fold'
    """
    found = {choice for row in grid for choice in row}
    return listed(f"{marks[each]} is a {choice_name(each)}" for each in marks if each in found)


def suits_words(choices: Mapping[str, int]) -> str:
    """Say how a hand is played that depends on the ranks held in the upcard's suit.

    >>> suits_words({"": 0, "A": -1, "K": -1, "A-K": -1})
    'fold; check with one or more'
    >>> suits_words({"": 0, "A": -1, "K": 0, "A-K": -1})
    'fold; check with A; check with two or more'
    """
    by_count: dict[int, dict[str, int]] = {}
    for held, choice in choices.items():
        by_count.setdefault(len(held.split("-")) if held else 0, {})[held] = choice
    said: list[str] = []
    usual, mixed = choices[""], False
    for count, several in sorted(by_count.items()):
        kinds = set(several.values())
        if len(kinds) > 1:
            for choice in sorted(kinds - {usual}):
                which = ", ".join(held for held, c in several.items() if c == choice)
                said.append(f"{choice_word(choice)} with {which}")
        elif not said or mixed or kinds != {usual}:
            (usual,) = kinds
            said.append(choice_word(usual) + (f" with {number(count)} or more" if said else ""))
        mixed = len(kinds) > 1
    return "; ".join(said)


def suits_lines(made: Chart) -> list[tuple[str, str, str]]:
    """Return the hands that depend on suits, alike ones together: upcard, what to do, hands."""
    found: dict[tuple[str, str], list[str]] = {}
    for each in made.suits:
        found.setdefault((each.upcard, suits_words(each.choices)), []).append(each.hand)
    return [
        (upcard, do, ", ".join(hand.removeprefix("high card ") for hand in hands))
        for (upcard, do), hands in found.items()
    ]


def as_lines(made: Chart) -> list[str]:
    """Return the chart for a terminal, within 80 columns where words allow it."""
    lists = "; of each list the first line that fits counts" if made.sections else ""
    out = [f"Best play{lists}"]
    if made.grid is not None:
        squares = squares_words(made.grid, {each: f"'{mark}'" for each, mark in _SHORT.items()})
        said = "Two cards: suited right of the diagonal, unsuited left of it"
        out += ["", *wrap(f"{said}; {squares}" if squares else said, _WIDTH), *_grid(made.grid)]
    if made.points and made.sections:
        out += ["", f"{points_words(made.points)}.", "'from 4 in': with four antes or more out."]
    out += [f"  {do:<22}{hands}" for do, hands in map(band_words, reversed(made.bands))]
    for section in made.sections:
        out += ["", title_of(section)]
        for do, when in lines_of(section):
            out += wrap(
                f"  {do:<22}{when}", _WIDTH, subsequent_indent=" " * 24, drop_whitespace=True
            )
    out += [f"  {which:<22}{what}" for which, what in map(upcard_words, made.by_upcard)]
    if made.splits:
        out += ["", *wrap(loses_words(made), _WIDTH)]
    if made.suits:
        out += ["", "Exceptions, by what is held in the upcard's suit"]
        for upcard, do, hands in suits_lines(made):
            out += wrap(
                f"{hands} against {upcard}: {do}",
                _WIDTH,
                initial_indent="  ",
                subsequent_indent="      ",
                break_on_hyphens=False,
            )
    return out


_SHORT = {FOLD: ".", CHECK: "-"}
"""Choices that have a whole word, in the grid."""


def _grid(grid: Sequence[Sequence[int]]) -> list[str]:
    order = range(12, -1, -1)
    out = ["    " + "".join(f"{written([rank + 2]):>4}" for rank in order)]
    for row in order:
        # Kept with the suited choice at (low, high); shown from A down, so the other way about.
        choices = (grid[column][row] for column in order)
        cells = (_SHORT.get(choice) or choice_word(choice) for choice in choices)
        out.append(f"{written([row + 2]):>4}" + "".join(f"{cell:>4}" for cell in cells))
    return out
