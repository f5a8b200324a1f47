"""A par sheet as one page that needs nothing else: no network, no script, charts drawn inline."""

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from pitboss.cli.par_svg import curve_svg, upcard_svg
from pitboss.lab.chart import Chart, Section, upcard_map, written
from pitboss.lab.chart_words import (
    band_words,
    choice_runs,
    choice_word,
    lines_of,
    points_words,
    suits_lines,
    title_of,
)
from pitboss.lab.report import Report, by_event, ratio
from pitboss.lab.report_text import curve_title
from pitboss.maths.decisions import CHECK, FOLD, TAKE_BACK
from pitboss.maths.side_wagers import Side
from pitboss.money import text
from pitboss.rulebook.model import Rulebook

_STYLE = Path(__file__).with_suffix(".css")


def page(made: Report) -> str:
    """Return the whole page."""
    book = made.solution.book
    parts = (_price(made), _outcomes(made), _strategy(made), _curve(made), _sides(made))
    title = escape(f"{book.game}, {book.house}")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}: par sheet</title>\n<style>\n{_STYLE.read_text('utf-8')}</style>\n"
        f"</head>\n<body>\n<header><div><h1>{escape(book.game)}</h1><p>{escape(book.house)}</p>"
        f"</div></header>\n<main>\n{''.join(parts)}{_progressive(made)}{_foot(made)}</main>\n"
        "</body>\n</html>\n"
    )


def _section(title: str, inside: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{inside}</section>\n" if inside else ""


def _price(made: Report) -> str:
    solution, figures, hour = made.solution, made.solution.statistics, made.per_hour
    edge = f"{float(-solution.value):.4%}"
    stake = "caps left out"
    if solution.ante_cents is not None:
        stake = f"ante {text(solution.ante_cents)}, caps applied for one player alone"
    tiles = (
        ("Element of risk", f"{figures.element_of_risk:.4%}"),
        ("Average wager, antes", f"{figures.average_wager:.4f}"),
        ("Standard deviation, antes", f"{figures.standard_deviation:.4f}"),
        ("Skew", f"{figures.skew:.2f}"),
        ("The player ends ahead", f"{figures.hit_frequency:.2%}"),
        ("Folds, by street", ", ".join(f"{float(each):.1%}" for each in solution.folds)),
        (f"House wins in {hour.hands} hands at {text(hour.ante_cents)}", text(hour.win_cents)),
        ("give or take, in one such hour", text(hour.deviation_cents)),
    )
    return (
        '<section class="price"><div><div class="soft">House edge, of the ante</div>'
        f'<div class="edge">{edge.removesuffix("%")}<small>%</small></div>'
        f'<div class="soft exact">exactly {ratio(-solution.value)}<br>{stake}</div></div>'
        f"{_tiles(tiles)}</section>\n"
    )


def _tiles(tiles: Iterable[tuple[str, str]]) -> str:
    listed = "".join(f"<div><dt>{label}</dt><dd>{value}</dd></div>" for label, value in tiles)
    return f'<dl class="tiles">{listed}</dl>'


def _track(start: float, length: float, kind: str = "") -> str:
    """Draw a bar that starts and goes on for so much of the whole."""
    shown = f"left:{start:.2%};width:{max(length, 0.004):.2%}"
    return f'<span class="track"><i class="{kind}" style="{shown}"></i></span>'


def _outcomes(made: Report) -> str:
    solution = made.solution
    events = by_event(solution)
    most = max(deals for _, deals, _ in events)
    below = -min(min(float(worth) for *_, worth in events), 0.0)
    above = max(max(float(worth) for *_, worth in events), 0.0)
    span = (below + above) or 1.0
    rows = []
    for event, deals, worth in events:
        back = float(worth)
        start = (below + min(back, 0.0)) / span
        bar = _track(start, abs(back) / span, "gain" if back > 0 else "loss") if back else ""
        rows.append(
            f'<tr><td>{escape(_said(event))}</td><td class="n wide">{deals:,}</td>'
            f'<td class="n">{deals / solution.deals:.4%}</td>'
            f'<td class="bar wide">{_track(0, deals / most)}</td>'
            f'<td class="n">{back:+.4f}</td><td class="bar">{bar}</td></tr>'
        )
    head = (
        '<tr><th>event</th><th class="n wide">deals</th><th class="n">share</th>'
        '<th class="wide"></th><th class="n">return</th><th></th></tr>'
    )
    note = f'<p class="soft">All {solution.deals:,} deals; returns in antes.</p>'
    return _section("What happens", f"<table>{head}{''.join(rows)}</table>{note}")


def _said(event: str) -> str:
    street = event.removeprefix("fold-")
    return f"fold, street {street}" if street != event else event.replace("-", " ")


# Strategy --------------------------------------------------------------------------------------


def shade(book: Rulebook, choice: int | None) -> str:
    """Return the class that colours a choice: the larger the raise, the deeper."""
    named = {None: "suits", FOLD: "fold", TAKE_BACK: "fold", CHECK: "check"}
    if choice in named:
        return named[choice]
    offered = sorted({times for street in book.streets for times in street.times})
    if choice == offered[-1]:
        return "m3"
    return "m1" if choice == offered[0] else "m2"


def _strategy(made: Report) -> str:
    found = made.chart
    if found is None:
        return ""
    book = made.solution.book
    stays = "stay in, at the smallest best raise" if made.solution.ties == "stay" else "fold"
    note = (
        f'<p class="soft">Complete and exact. Of each list the first line that fits counts. '
        f"Ties between staying in and folding: {stays}.</p>"
    )
    inside = _bands(made, found) if found.bands else _grid(book, found)
    lists = "".join(_rules(book, section) for section in found.sections)
    return _section("Best play", f'{note}{inside}<div class="lists">{lists}</div>{_suits(found)}')


def _chips(book: Rulebook, choices: Sequence[int], stakes: Sequence[int]) -> str:
    return "".join(_chip(book, choice, said) for choice, said in choice_runs(choices, stakes))


def _chip(book: Rulebook, choice: int | None, said: str) -> str:
    return f'<span class="chip {shade(book, choice)}">{said}</span>'


def _list(lines: Iterable[tuple[str, str]]) -> str:
    items = "".join(
        f"<li><span>{chips}</span><span>{escape(when)}</span></li>" for chips, when in lines
    )
    return f'<ol class="rules">{items}</ol>'


def _rules(book: Rulebook, section: Section) -> str:
    lines = [
        (_chips(book, advice.choices, section.stakes), when)
        for advice, (_, when) in zip(section.lines, lines_of(section), strict=True)
    ]
    return f"<div><h3>{escape(title_of(section))}</h3>{_list(lines)}</div>"


def _grid(book: Rulebook, found: Chart) -> str:
    if found.grid is None:
        return ""
    order = range(12, -1, -1)
    names = {rank: written([rank + 2]) for rank in order}
    rows = ["<tr><th></th>" + "".join(f"<th>{names[rank]}</th>" for rank in order) + "</tr>"]
    for row in order:
        cells = "".join(
            f'<td class="{shade(book, found.grid[column][row])}">'
            f"{_cell(found.grid[column][row])}</td>"
            for column in order
        )
        rows.append(f"<tr><th>{names[row]}</th>{cells}</tr>")
    return (
        f'<div class="columns"><figure><table class="grid">{"".join(rows)}</table></figure>'
        "<div><h3>Two cards</h3><p>Suited above the diagonal, unsuited below it; pairs on it.</p>"
        "<h3>Later cards</h3>"
        f"<p>{points_words(found.points)}. <em>From 4 in</em> means with four antes or more on the "
        "table. A straight is in reach if the cards seen can still become it.</p></div></div>"
    )


def _cell(choice: int) -> str:
    return "" if choice == FOLD else choice_word(choice)


def _bands(made: Report, found: Chart) -> str:
    book = made.solution.book
    words = [(band, *band_words(band)) for band in reversed(found.bands)]
    lines = [(_chip(book, band.choice, do), hands) for band, do, hands in words]
    between = upcard_map(made.solution)
    if not between:
        return _list(lines)
    drawn = upcard_svg(between, lambda choice: shade(book, choice))
    kinds = {choice for _, row in between for choice in row}
    keys = "".join(
        _chip(book, kind, "by suits" if kind is None else choice_word(kind))
        for kind in sorted(kinds, key=lambda kind: -9 if kind is None else kind)
    )
    caption = (
        f"{keys} The {len(between)} hands that depend on the upcard, from the best on the left to "
        "the weakest; a row for each upcard."
    )
    return f"{_list(lines)}<figure>{drawn}<figcaption>{caption}</figcaption></figure><br>"


def _suits(found: Chart) -> str:
    if not found.suits:
        return ""
    lines = [
        (f'<span class="chip suits">{upcard}</span>', f"{hands}: {do}")
        for upcard, do, hands in suits_lines(found)
    ]
    return (
        f"<details><summary>Exceptions: {len(found.suits)} hands and upcards where it depends on "
        f"what is held in the upcard's suit</summary>{_list(lines)}</details>"
    )


# The rest --------------------------------------------------------------------------------------


def _curve(made: Report) -> str:
    if not made.curve:
        return ""
    drawn = curve_svg(made.curve, made.solution.ante_cents)
    note = "Best play at each ante, for one player alone at the table."
    return _section(
        curve_title(made.solution),
        f'<figure class="curve">{drawn}<figcaption>{note}</figcaption></figure>',
    )


def _sides(made: Report) -> str:
    most = max((abs(float(side.value)) for side in made.sides), default=0.0) or 1.0
    cards = "".join(_side(made.solution.book, side, most) for side in made.sides)
    return _section("Side wagers", f'<div class="columns">{cards}</div>' if cards else "")


def _side(book: Rulebook, side: Side, most: float) -> str:
    edge = -float(side.value)
    labels = {row.row: row.label for row in book.tables[book.spots[side.spot].table].rows}
    rows = "".join(
        f'<tr><td>{escape(labels[row.hand])}</td><td class="n">{row.ways:,}</td>'
        f'<td class="n">{row.odds}</td></tr>'
        for row in side.rows
    )
    return (
        f"<div><h3>{escape(book.spots[side.spot].title)}: house edge {edge:.4%}</h3>"
        f"{_track(0, abs(edge) / most, 'loss' if edge > 0 else 'gain')}"
        f'<table><tr><th>hand</th><th class="n">ways</th><th class="n">pays</th></tr>{rows}</table>'
        "</div>"
    )


def _progressive(made: Report) -> str:
    if made.jackpot is None:
        return ""
    tiles = [
        ("Fixed awards return, per token", f"{float(made.jackpot.fixed_return):.6f}"),
        ("Break-even meter", text(made.jackpot.break_even_cents)),
    ]
    if made.meter is not None:
        rounds, hours = float(made.meter.rounds_to_top), made.meter.hours_to_top
        tiles += [
            ("Rounds to the top award", f"{rounds:,.0f}"),
            (f"Hours at {made.per_hour.hands} hands, one seat", f"{hours:,.0f}"),
        ]
        if made.meter.meter_cents is not None and made.meter.meter_return is not None:
            label = f"A token returns at {text(made.meter.meter_cents)}"
            tiles.append((label, f"{float(made.meter.meter_return):.6f}"))
    return _section("Progressive", _tiles(tiles))


def _foot(made: Report) -> str:
    book = made.solution.book
    notices = "".join(f"<li>{escape(each.text)}</li>" for each in book.notice)
    said = _section("Notices", f"<ul>{notices}</ul>" if notices else "")
    return (
        f"{said}<footer><p>{escape(book.id)}, from {escape(book.document)}. "
        f"Rules sha256 {book.sha256}. Worked out in whole numbers over every deal; nothing here is "
        "sampled.</p></footer>\n"
    )
