"""The figures of the lab as a page shows them: each with its change against the posted rules."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import log10
from typing import Any

import msgspec

from pitboss.lab.par_page import shade
from pitboss.lab.questions import TrialFigures
from pitboss.rulebook import Rulebook
from pitboss.wording import TIMES, ordinal, spaced


class ChangedFigure(msgspec.Struct, frozen=True):
    """A number, what it was, and how it changed, in words."""

    title: str
    value: str
    posted: str = ""
    """Empty where it is as posted, or where nothing is known of that."""
    change: str = ""
    good: bool | None = None
    """Whether the change is for the player; None where one cannot say."""


class EventLine(msgspec.Struct, frozen=True):
    """One thing that happens, as bars from 0 to 100."""

    title: str
    share: str
    bar: float
    posted_bar: float | None
    """Where it was, if that differs."""
    back: str
    change: str
    good: bool


class NetBar(msgspec.Struct, frozen=True):
    """One net of the outcome distribution, on a scale of tens."""

    net: str
    chance: str
    x: float
    width: float
    high: float
    posted_high: float
    kind: str


class Square(msgspec.Struct, frozen=True):
    """Two cards, and what to do with them."""

    choice: str
    shade: str
    was: str
    """What was best at the posted rules, where that differs."""


class Board(msgspec.Struct, frozen=True):
    """All figures of one book with changes."""

    edge: ChangedFigure
    exactly: str
    tiles: tuple[ChangedFigure, ...]
    events: tuple[EventLine, ...]
    bars: tuple[NetBar, ...]
    sides: tuple[ChangedFigure, ...]
    jackpot: tuple[ChangedFigure, ...]
    grid: tuple[tuple[Square, ...], ...]
    grid_changes: int


def board(book: Rulebook, now: TrialFigures, before: TrialFigures) -> Board | None:
    """Put the figures of a changed book beside those of the posted one; None where it has none."""
    if now.par is None:
        return None
    par, old = now.par, before.par
    main, was = par["main"], old["main"] if old is not None else {}
    return Board(
        edge=_percent("House edge, of the ante", main, was, "house_edge", player=-1, digits=4),
        exactly=_turned(main["value"]),
        tiles=tuple(_tiles(book, main, was)),
        events=tuple(_events(now, before)),
        bars=tuple(_bars(main, was)),
        sides=tuple(_sides(book, par["side"], (old or {}).get("side", {}))),
        jackpot=tuple(_jackpot(book, par.get("progressive"), (old or {}).get("progressive"))),
        grid=_grid(book, now.grid, before.grid),
        grid_changes=_differing(now.grid, before.grid),
    )


def _turned(value: str) -> str:
    up, down = value.split("/")
    return f"{-int(up)}/{down}"


def _percent(
    title: str,
    now: Mapping[str, Any],
    was: Mapping[str, Any],
    key: str,
    *,
    player: int = 0,
    digits: int = 2,
) -> ChangedFigure:
    return _shown(title, now[key], was.get(key), f".{digits}%", 100, digits, player)


def _shown(
    title: str,
    now: float,
    was: float | None,
    form: str,
    scale: int = 1,
    digits: int = 4,
    player: int = 0,
) -> ChangedFigure:
    """Show a number; ``player`` says whether more of it is good (1) or bad (-1) for the player."""
    if was is None or now == was:
        return ChangedFigure(title, format(now, form))
    change = (now - was) * scale
    # As many digits as it takes to see a change at all.
    while digits < 9 and round(change, digits) == 0:
        digits += 1
    good = None if not player else (change > 0) is (player > 0)
    said = f"{change:+.{digits}f}"
    points = f"{said} points" if scale == 100 else said
    return ChangedFigure(title, format(now, form), format(was, form), points, good)


def _tiles(book: Rulebook, now: Mapping[str, Any], was: Mapping[str, Any]) -> list[ChangedFigure]:
    found = [
        _percent("Element of risk", now, was, "element_of_risk", player=-1, digits=4),
        _percent("Player ends ahead", now, was, "hit_frequency", player=1),
        _number("Standard deviation, antes", now, was, "standard_deviation"),
        _number("Average wager, antes", now, was, "average_wager"),
        _number("Skew", now, was, "skew"),
    ]
    folds = was.get("fold", ())
    for number, part in enumerate(now["fold"]):
        before = folds[number] if number < len(folds) else None
        if part or before:
            which = f"Folds, {ordinal(number + 1)} decision" if len(now["fold"]) > 1 else "Folds"
            found.append(_shown(which, part, before, ".2%", 100, 2))
    hour, old = now["per_hour"], was.get("per_hour", {})
    title = f"House wins in {hour['hands']} hands at {book.money(hour['ante_cents'])}"
    cents, before = hour["win_cents"], old.get("win_cents")
    same = before is None or before == cents
    found.append(
        ChangedFigure(title, book.money(cents))
        if same
        else ChangedFigure(
            title,
            book.money(cents),
            book.money(before),
            book.signed(cents - before),
            cents < before,
        )
    )
    return found


def _number(title: str, now: Mapping[str, Any], was: Mapping[str, Any], key: str) -> ChangedFigure:
    return _shown(title, now[key], was.get(key), ".4f")


def said(event: str) -> str:
    """Name an event as people read it."""
    decision = event.removeprefix("fold-")
    words = f"folds, decision {decision}" if decision != event else spaced(event)
    return words[:1].upper() + words[1:]


def _events(now: TrialFigures, before: TrialFigures) -> list[EventLine]:
    was = {each.event: each for each in before.events}
    most = max((each.share for each in (*now.events, *before.events)), default=1.0)
    found = []
    for each in now.events:
        old = was.get(each.event, each)
        change = each.back - old.back
        found.append(
            EventLine(
                said(each.event),
                f"{each.share:.4%}",
                round(100 * each.share / most, 2),
                round(100 * old.share / most, 2) if old.share != each.share else None,
                f"{each.back:+.4f}",
                f"{change:+.4f}" if abs(change) > 5e-5 else "",
                change > 0,
            )
        )
    return found


LEAST_CHANCE = 1e-8
"""Below this a bar has no height."""


def _chances(main: Mapping[str, Any]) -> dict[float, float]:
    found: Counter[float] = Counter()
    for each in main.get("outcomes", ()):
        found[each["net"]] += each["deals"]
    return {net: many / main["deals"] for net, many in found.items()}


def _bars(now: Mapping[str, Any], was: Mapping[str, Any]) -> list[NetBar]:
    """Draw what is won and lost, one bar for each net; a tenth as likely is one step lower."""
    chances, old = _chances(now), _chances(was)
    nets = sorted({*chances, *old})
    across = 100 / max(1, len(nets))

    def high(chance: float) -> float:
        return round(100 * max(0.0, 1 - log10(max(chance, LEAST_CHANCE)) / log10(LEAST_CHANCE)), 2)

    return [
        NetBar(
            f"{net:+g}" if net else "0",
            f"{chances.get(net, 0.0):.6%}",
            round(at * across, 3),
            round(across * 0.82, 3),
            high(chances.get(net, 0.0)),
            high(old.get(net, chances.get(net, 0.0))),
            "gain" if net > 0 else "loss" if net < 0 else "even",
        )
        for at, net in enumerate(nets)
    ]


def _sides(book: Rulebook, now: Mapping[str, Any], was: Mapping[str, Any]) -> list[ChangedFigure]:
    found = []
    for spot, each in now.items():
        edge = -float(Fraction(each["value"]))
        old = -float(Fraction(was[spot]["value"])) if spot in was else None
        found.append(_shown(book.spots[spot].title, edge, old, ".4%", 100, 4, -1))
    return found


def _jackpot(
    book: Rulebook, now: Mapping[str, Any] | None, was: Mapping[str, Any] | None
) -> list[ChangedFigure]:
    if not now:
        return []
    old = was or {}
    even, before = now["break_even_cents"], old.get("break_even_cents")
    same = before in (None, even)
    found = [
        ChangedFigure(
            "Break-even meter",
            book.money(even),
            "" if same else book.money(before or 0),
            "" if same else book.signed(even - (before or 0)),
            None if same else even < (before or 0),
        ),
        _shown(
            "Fixed awards return, per token", now["fixed_return"], old.get("fixed_return"), ".6f"
        ),
    ]
    if "meter_return" in now:
        title = f"A token returns at {book.money(now['meter_cents'])}"
        found.append(_shown(title, now["meter_return"], old.get("meter_return"), ".6f", player=1))
    if "rounds_to_top" in now:
        rounds, old_rounds = now["rounds_to_top"], old.get("rounds_to_top")
        found.append(_shown("Rounds to the top award", rounds, old_rounds, ",.0f", digits=0))
    return found


Grid = Sequence[Sequence[int]] | None


def _grid(book: Rulebook, now: Grid, before: Grid) -> tuple[tuple[Square, ...], ...]:
    """Return rows from aces down; suited above the diagonal."""
    if now is None:
        return ()
    return tuple(
        tuple(_square(book, now, before, row, column) for column in range(12, -1, -1))
        for row in range(12, -1, -1)
    )


def _square(
    book: Rulebook, now: Sequence[Sequence[int]], before: Grid, row: int, at: int
) -> Square:
    choice = now[at][row]
    was = before[at][row] if before is not None else choice
    return Square(_word(choice), shade(book, choice), "" if was == choice else _word(was) or "fold")


def _word(choice: int) -> str:
    return f"{choice}{TIMES}" if choice > 0 else "" if choice == 0 else "check"


def _differing(now: Grid, before: Grid) -> int:
    if now is None or before is None:
        return 0
    pairs = zip(now, before, strict=True)
    return sum(a != b for one, two in pairs for a, b in zip(one, two, strict=True))
