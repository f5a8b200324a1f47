"""What a design has found, as JSON and as text; every figure in antes, or in units of the wager."""

from collections.abc import Iterator
from textwrap import wrap
from typing import Any

from pitboss.lab.design import Design, DesignedTable
from pitboss.lab.targets import Bound, Target, Targets
from pitboss.maths.price import ratio
from pitboss.money import Odds
from pitboss.wording import listed

PERCENT = ("edge", "hit", "risk")
"""Figures that are told in percent; the others are numbers."""


def as_json(design: Design) -> dict[str, Any]:
    """Return it as plain values; an edge also as the exact fraction."""
    box = design.box
    return {
        "rulebook": box.book.id,
        "sha256": box.book.sha256,
        "wager": box.wager,
        "rows": {row.name: [str(odds) for odds in row.odds] for row in box.rows},
        "tables": design.tables,
        "ruled_out": design.ruled_out,
        "solved": design.solved,
        "solved_besides": design.besides,
        "fitting": design.fitting,
        "found": [_table_json(each) for each in design.found],
    }


def _table_json(table: DesignedTable) -> dict[str, Any]:
    priced = table.priced
    told: dict[str, Any] = {
        "pays": {name: str(odds) for name, odds in table.odds.items()},
        "posted": table.posted,
        "value": ratio(priced.value),
        "house_edge": float(priced.edge),
        "hit_frequency": float(priced.hit),
        "top": str(Odds(priced.top)),
        "standard_deviation": priced.deviation,
        "element_of_risk": float(priced.risk),
        "distance": float(table.distance),
        "inversions": table.inversions,
    }
    if table.option:
        told["option"] = table.option
    if priced.folds:
        told |= {
            "average_wager": float(priced.average_wager),
            "fold": [float(each) for each in priced.folds],
            "stakes": {str(many): float(each) for many, each in priced.stakes.items()},
        }
    if table.old_play_costs is not None:
        told["old_play_costs"] = float(table.old_play_costs)
    return told


def as_text(design: Design, show: int) -> str:
    """Return it for people, within 80 columns; so many tables are shown."""
    box, targets = design.box, design.targets
    book = box.book
    wager = "the main game" if box.is_main else book.spots[box.wager].title
    out = [f"{book.game}, {book.house}: {wager}"]
    asked = [*map(_target, targets.targets), *map(_bound, targets.bounds)]
    out += [f"asked for: {listed(asked)}", ""]
    besides = f", and {design.besides:,} out of order beside them" if design.besides else ""
    solved = "solved" if box.is_main else "counted"
    many = f"{design.tables:,} in the box: {design.ruled_out:,} ruled out"
    out += wrap(f"Tables: {many}, {design.solved:,} {solved} one by one{besides}.", 80)
    if not design.found:
        return "\n".join([*out, "None of them fits."])
    if targets.nearest is None:
        ranked = "nearest first" if targets.targets else "lowest edge first"
        out.append(f"{design.fitting:,} of them fit; {ranked}:")
    else:
        told = len(design.found)
        out.append(f"The {told:,} nearest that fit:" if told > 1 else "The nearest that fits:")
    heads = (("edge", 11), ("hit", 10), ("deviation", 11), ("risk", 10), ("top", 8))
    out += ["", "".join((" " * 5, *(f"{head:>{width}}" for head, width in heads)))]
    out[-1] += f"{'off by':>12}" * bool(targets.targets)
    for number, table in enumerate(design.found[:show], start=1):
        out += _lines(number, table, targets)
    if len(design.found) > show:
        out += ["", f"and {len(design.found) - show:,} more: --show, or --json for all of them"]
    return "\n".join(out)


def _lines(number: int, table: DesignedTable, targets: Targets) -> Iterator[str]:
    priced = table.priced
    off = f"{_off(table, targets):>12}" if targets.targets else ""
    named = " ".join(filter(None, [table.option, "posted" if table.posted else ""]))
    yield "".join(
        (
            f"{number:>4} {float(priced.edge):>11.4%}{float(priced.hit):>10.4%}",
            f"{priced.deviation:>11.4f}{float(priced.risk):>10.4%}{float(priced.top):>8g}",
            f"{off}  {named}".rstrip(),
        )
    )
    for line in table_words(table):
        yield from (f"     {part}" for part in wrap(line, 75))


def table_words(table: DesignedTable) -> tuple[str, str, str]:
    """Say what its rows pay, how it is best played, and what is out of order."""
    return _pays(table), _played(table), _inverted(table)


def _off(table: DesignedTable, targets: Targets) -> str:
    """Write how far it is from the target; from several in parts of each, in percent."""
    plain = len(targets.targets) == 1 and targets.targets[0].figure not in PERCENT
    return f"{float(table.distance):.4f}" if plain else f"{float(table.distance):.4%}"


def _pays(table: DesignedTable) -> str:
    """Say what the rows pay; odds to one are the number alone."""
    tables = {name.partition(".")[0] for name in table.odds}
    return ", ".join(
        f"{name if len(tables) > 1 else name.partition('.')[2]} {str(odds).removesuffix(' to 1')}"
        for name, odds in table.odds.items()
    )


def _played(table: DesignedTable) -> str:
    """Say how it is best played, and what it costs to go on as at the posted table."""
    priced, costs = table.priced, table.old_play_costs
    if not priced.folds:
        return ""
    said = f"{float(priced.average_wager):.4f} antes a round"
    if any(priced.folds):
        said = f"folds {', '.join(f'{float(each):.2%}' for each in priced.folds)}; {said}"
    if costs is None or table.posted:
        return said
    if not costs:
        return f"{said}; best played as posted"
    return f"{said}; played as posted it costs {float(costs):.4%}"


def _inverted(table: DesignedTable) -> str:
    pairs = (f"{better} pays less than {worse}" for better, worse in table.inversions)
    return f"out of order: {listed(pairs)}" if table.inversions else ""


def _target(target: Target) -> str:
    return f"{target.figure} near {_number(target.figure, target.at)}"


def _bound(bound: Bound) -> str:
    least, most = (
        "" if each is None else _number(bound.figure, each) for each in (bound.least, bound.most)
    )
    if least and most:
        return f"{bound.figure} from {least} to {most}"
    return f"{bound.figure} of at least {least}" if least else f"{bound.figure} of at most {most}"


def _number(figure: str, worth: Any) -> str:
    return f"{float(worth * 100):g}%" if figure in PERCENT else f"{float(worth):g}"
