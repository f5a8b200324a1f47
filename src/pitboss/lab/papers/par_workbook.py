"""A par sheet as a workbook whose formulas work the price out again from the counts.

Numbers are what was counted and what the rules say; all that follows from them is a formula. One
that is shaded is anybody's to change: the sheet follows.
"""

from collections.abc import Iterable
from fractions import Fraction

from pitboss import __version__
from pitboss.lab.chart_words import as_lines
from pitboss.lab.papers.workbook import Content, Formula, SheetWriter, WorkbookWriter
from pitboss.lab.report import Report, curve_title, decision_lines
from pitboss.maths.price import ratio
from pitboss.maths.side_wagers import Side, rows_counted
from pitboss.rulebook.rule_card import rule_card
from pitboss.wording import spaced

MOST_DIGITS = 15
"""Of a number, that a spreadsheet keeps; a larger count stands beside it in full, as text."""


def workbook(made: Report) -> bytes:
    """Write a report as XLSX: the same report, the same bytes."""
    writer, book = WorkbookWriter(), made.solution.book
    summary = writer.sheet("Summary", 38, 22, 46)
    figures = _main_game(made, writer)
    edges = _side_wagers(made, writer) if made.sides else {}
    _summary(made, summary, figures, edges)
    if made.jackpot is not None:
        _progressive(made, writer)
    if made.curve:
        _by_ante(made, writer)
    lines = [*as_lines(made.chart), ""] if made.chart is not None else []
    lines += decision_lines(made)
    if lines:
        played = writer.sheet("Best play", 110)
        played.line(("Best play", "title"))
        for says in lines:
            played.line((says, "even"))
    _rules(made, writer)
    return writer.written(title=f"{book.game}, {book.house}: par sheet", author="Pitboss")


def tie_rule(made: Report) -> str:
    """Say what a player does where staying in and folding are worth the same."""
    return "stay in, at the smallest best stake" if made.solution.ties == "stay" else "fold"


def priced_at(made: Report) -> str:
    """Say for which ante, and whether caps count."""
    ante = made.solution.ante_cents
    if ante is None:
        return "any ante, caps left out"
    return f"{made.solution.book.money(ante)}, caps applied for one player alone"


def _summary(
    made: Report,
    sheet: SheetWriter,
    figures: dict[str, Formula],
    edges: dict[str, Formula],
) -> None:
    solution, statistics, hour = made.solution, made.solution.statistics, made.per_hour
    book = solution.book
    sheet.line((book.game, "title"))
    sheet.line((book.house, "house"))
    sheet.skip()
    for label, says in (
        ("Rulebook", book.id),
        ("Its sha256", book.sha256),
        ("Read from", book.document),
        ("Worked out by", f"Pitboss {__version__}, in whole numbers over every deal"),
        ("Ante", priced_at(made)),
        ("Ties between staying in and folding", tie_rule(made)),
        *((("Play", "as is best at the book's own odds, not at these"),) * made.same_play),
    ):
        sheet.line((label, "text"), (says, "text"))
    sheet.head("The main game", "from the counts", "exactly")
    exact: dict[str, tuple[str, Fraction | None]] = {
        "House edge, of the ante": ("percent", -solution.value),
        "Element of risk": ("percent", statistics.element_of_risk),
        "Average wager, antes": ("number", statistics.average_wager),
        "Variance, square antes": ("number", statistics.variance),
        "Standard deviation, antes": ("number", None),
        "Skew": ("number", None),
        **({} if statistics.n0 is None else {"N0, rounds": ("number", statistics.n0)}),
        "Hit frequency": ("percent", statistics.hit_frequency),
    }
    at = {}
    for label, (style, value) in exact.items():
        says = "" if value is None else ratio(value)
        at[label] = sheet.line((label, "text"), (figures[label], style), (says, "exact"))
    for number, fold in enumerate(solution.folds, start=1):
        label = f"Folds at decision {number}"
        sheet.line((label, "text"), (figures[label], "percent"), (ratio(fold), "exact"))
    edge, deviation = at["House edge, of the ante"], at["Standard deviation, antes"]
    sheet.head(f"An hour, in {book.currency}", "", "")
    hands = sheet.line(("Hands an hour", "text"), (hour.hands, "given_count"))
    ante = sheet.line(("Average ante", "text"), (Fraction(hour.ante_cents, 100), "given"))
    win = Formula(f"B{edge}*B{ante}*B{hands}", hour.win / 100)
    sheet.line(("The house's theoretical win", "text"), (win, "money"))
    spread = statistics.standard_deviation * hour.ante_cents / 100 * hour.hands**0.5
    swing = Formula(f"B{deviation}*B{ante}*SQRT(B{hands})", spread)
    sheet.line(("Standard deviation of an hour", "text"), (swing, "money"))
    if made.sides:
        sheet.head("Side wagers: house edge", "from the counts", "exactly")
    for side in made.sides:
        title = book.spots[side.spot].title
        cells = (edges[side.spot], "percent"), (ratio(-side.value), "exact")
        sheet.line((title, "text"), *cells)
    sheet.skip()
    sheet.line(("Shaded numbers may be changed: what follows from them changes too.", "soft"))


def _main_game(made: Report, writer: WorkbookWriter) -> dict[str, Formula]:
    """Write what can happen; return every figure as a formula for other sheets."""
    solution, statistics = made.solution, made.solution.statistics
    sheet = writer.sheet("Main game", 30, 14, 16, 24, 14, 16, 16, 24)
    sheet.line(("What can happen, and in how many deals", "title"))
    units = sheet.line(("Units in an ante", "text"), (solution.units, "count"))
    large = _large(outcome.deals for outcome in solution.outcomes)
    in_full = ("deals, in full",) * large
    sheet.head(
        "event", "stake, antes", "net, units", "deals", "net, antes", "share", "return", *in_full
    )
    first, deals = sheet.row + 1, solution.deals
    last = sheet.row + len(solution.outcomes)
    total = last + 1
    for row, outcome in enumerate(solution.outcomes, start=first):
        net = Fraction(outcome.net_units, solution.units)
        share = Fraction(outcome.deals, deals)
        sheet.line(
            (spaced(outcome.event), "text"),
            (outcome.stake, "count"),
            (outcome.net_units, "count"),
            (outcome.deals, "count"),
            (Formula(f"C{row}/$B${units}", net), "number"),
            (Formula(f"D{row}/$D${total}", share), "percent"),
            (Formula(f"E{row}*F{row}", net * share), "number"),
            *(((f"{outcome.deals:,}", "exact"),) * large),
        )
    sheet.line(
        ("all deals", "total"),
        ("", "total"),
        ("", "total"),
        (Formula(f"SUM(D{first}:D{last})", deals), "total_count"),
        ("", "total"),
        (Formula(f"SUM(F{first}:F{last})", 1), "edge"),
        (Formula(f"SUM(G{first}:G{last})", solution.value), "total_number"),
        *(((f"{deals:,}", "exact"),) * large),
    )
    if large:
        sheet.skip()
        sheet.line((_LARGE, "soft"))

    def over(column: str) -> str:
        return f"'{sheet.name}'!${column}${first}:${column}${last}"

    events, stakes, many, nets = map(over, "ABDE")
    mean = f"(SUMPRODUCT({many},{nets})/SUM({many}))"
    square = f"(SUMPRODUCT({many},{nets},{nets})/SUM({many}))"
    cube = f"(SUMPRODUCT({many},{nets},{nets},{nets})/SUM({many}))"
    wager = f"(SUMPRODUCT({many},{stakes})/SUM({many}))"
    variance = f"({square}-{mean}^2)"
    third = f"({cube}-3*{mean}*{square}+2*{mean}^3)"
    found = {
        "House edge, of the ante": Formula(f"-{mean}", -solution.value),
        "Element of risk": Formula(f"-{mean}/{wager}", statistics.element_of_risk),
        "Average wager, antes": Formula(wager, statistics.average_wager),
        "Variance, square antes": Formula(variance, statistics.variance),
        "Standard deviation, antes": Formula(f"SQRT{variance}", statistics.standard_deviation),
        "Skew": Formula(f"{third}/{variance}^1.5", statistics.skew),
        "Hit frequency": Formula(
            f'SUMIF({nets},">0",{many})/SUM({many})', statistics.hit_frequency
        ),
    }
    if statistics.n0 is not None:
        found["N0, rounds"] = Formula(f"{variance}/{mean}^2", statistics.n0)
    for number, fold in enumerate(solution.folds, start=1):
        says = f'SUMIF({events},"fold {number}",{many})/SUM({many})'
        found[f"Folds at decision {number}"] = Formula(says, fold)
    return found


_LARGE = (
    f"A spreadsheet keeps {MOST_DIGITS} digits of a number: larger counts stand in full, as text,"
    " in the last column. Formulas use the number."
)


def _large(counts: Iterable[int]) -> bool:
    return any(count >= 10**MOST_DIGITS for count in counts)


def _side_wagers(made: Report, writer: WorkbookWriter) -> dict[str, Formula]:
    """Write every side wager's table; return the house's edge on each."""
    sheet = writer.sheet("Side wagers", 32, 18, 12, 20, 16, 16, 16, 26)
    sheet.line(("Side wagers", "title"))
    return {side.spot: _side_wager(made, sheet, side) for side in made.sides}


def _side_wager(made: Report, sheet: SheetWriter, side: Side) -> Formula:
    book = made.solution.book
    spot = book.spots[side.spot]
    table, whole = book.tables[spot.table], sum(row.ways for row in side.rows)
    heads = "pays", "net", "ways", "share", "one in", "return", "clause"
    sheet.head(spot.title, *heads, texts=2)
    first, last = sheet.row + 1, sheet.row + len(side.rows)
    total = last + 1
    for at, (counted, row) in enumerate(zip(side.rows, table.rows, strict=True), start=first):
        net, share = Fraction(row.odds or 0), Fraction(counted.ways, whole)
        rare: Content = Formula(f"D${total}/D{at}", 1 / share) if counted.ways else ""
        sheet.line(
            (row.label, "text"),
            (book.posted(row), "text"),
            (net, "plain"),
            (counted.ways, "count"),
            (Formula(f"D{at}/D${total}", share), "percent"),
            (rare, "rare"),
            (Formula(f"C{at}*E{at}", net * share), "number"),
            (row.cited, "exact"),
        )
    sheet.line(
        ("all hands", "total"),
        ("", "total"),
        ("", "total"),
        (Formula(f"SUM(D{first}:D{last})", whole), "total_count"),
        (Formula(f"SUM(E{first}:E{last})", 1), "edge"),
        ("", "total"),
        (Formula(f"SUM(G{first}:G{last})", side.value), "total_number"),
    )
    if side.others is not None:
        says = "Every other hand with it gives the player, per unit"
        sheet.line((says, "soft"), (ratio(side.others), "exact"), (side.others, "plain"))
    # From the counts, and not as a sum of rounded parts.
    nets, ways = f"C{first}:C{last}", f"D{first}:D{last}"
    edge = f"SUMPRODUCT({nets},{ways})/SUM({ways})"
    here = sheet.line(("house edge", "total"), (Formula(f"-{edge}", -side.value), "edge"))
    return Formula(sheet.cell(here, 1), -side.value)


def _progressive(made: Report, writer: WorkbookWriter) -> None:
    """Write the jackpot's table: what is fixed, what the meter adds, and where it breaks even."""
    token, book, hour = made.jackpot, made.solution.book, made.per_hour
    assert token is not None
    assert book.progressive is not None
    spot = book.spots[book.progressive.spot]
    table = book.tables[spot.table]
    counted, whole = rows_counted(book, table)
    meter_cents = made.meter_cents
    if meter_cents is None:
        meter_cents = int(book.progressive.reseed)
    sheet = writer.sheet("Progressive", 34, 22, 18, 18, 20, 16, 22)
    sheet.line((table.title, "title"))
    price = sheet.line(("Token", "text"), (Fraction(token.token_cents, 100), "money"))
    meter = sheet.line(("Meter", "text"), (Fraction(meter_cents, 100), "given"))
    hands = sheet.line(("Hands an hour", "text"), (hour.hands, "given_count"))
    sheet.head("hand", "pays", "sum", "of the meter", "ways", "share", "clause", texts=2)
    first, last = sheet.row + 1, sheet.row + len(table.rows)
    total = last + 1
    for at, row in enumerate(table.rows, start=first):
        ways = counted[row.row]
        award, part = Fraction(row.award or 0, 100), Fraction(row.meter or 0)
        sheet.line(
            (row.label, "text"),
            (book.posted(row), "text"),
            (award, "money"),
            (part, "percent"),
            (ways, "count"),
            (Formula(f"E{at}/E${total}", Fraction(ways, whole)), "percent"),
            (row.cited, "exact"),
        )
    sums, parts, many = (f"{column}{first}:{column}{last}" for column in "CDE")
    sheet.line(
        ("all hands", "total"),
        *[("", "total")] * 3,
        (Formula(f"SUM({many})", whole), "total_count"),
        ("", "total"),
    )
    sheet.skip()
    fixed = sheet.line(
        ("Fixed awards return, per token", "text"),
        (Formula(f"SUMPRODUCT({sums},{many})/E{total}/B{price}", token.fixed_return), "number"),
        (ratio(token.fixed_return), "exact"),
    )
    share = sheet.line(
        ("Part of the meter that a token is worth", "text"),
        (Formula(f"SUMPRODUCT({parts},{many})/E{total}", token.meter_return), "plain"),
        (ratio(token.meter_return), "exact"),
    )
    back = token.at(meter_cents)
    sheet.line(
        ("A token returns at this meter", "text"),
        (Formula(f"B{fixed}+B{share}*B{meter}/B{price}", back), "number"),
        (ratio(back), "exact"),
    )
    if token.meter_return:
        even = (1 - token.fixed_return) * token.token_cents / token.meter_return / 100
        says = Formula(f"(1-B{fixed})*B{price}/B{share}", even)
        sheet.line(("Break-even meter", "text"), (says, "money"), (ratio(even), "exact"))
    if token.rounds_to_top is not None:
        rounds = token.rounds_to_top
        top = f"E{total}/SUMIF({parts},MAX({parts}),{many})"
        here = sheet.line(("Rounds to the top award", "text"), (Formula(top, rounds), "money"))
        hours = Formula(f"B{here}/B{hands}", rounds / hour.hands)
        sheet.line(("Hours to it, for one seat", "text"), (hours, "money"))


def _by_ante(made: Report, writer: WorkbookWriter) -> None:
    """Write the price by ante under the cap: each is a solution of its own, so no formula."""
    book = made.solution.book
    sheet = writer.sheet("By ante", 16, 18, 22, 40)
    sheet.line((curve_title(made.solution), "title"))
    sheet.head("ante", "house edge", "loss in a round", "exactly", texts=0)
    first = sheet.row + 1
    for at, point in enumerate(made.curve, start=first):
        ante = Fraction(point.ante_cents, 100)
        sheet.line(
            (ante, "money"),
            (float(-point.value), "percent"),
            (Formula(f"A{at}*B{at}", -point.value * ante), "money"),
            (ratio(-point.value), "exact"),
        )
    drawing = writer.book.add_chart({"type": "scatter", "subtype": "straight_with_markers"})
    rows = (first - 1, sheet.row - 1)
    drawing.add_series(
        {
            "categories": [sheet.name, rows[0], 0, rows[1], 0],
            "values": [sheet.name, rows[0], 1, rows[1], 1],
            "line": {"color": "#0b5d3b"},
            "marker": {"type": "circle", "fill": {"color": "#0b5d3b"}, "border": {"none": True}},
        }
    )
    drawing.set_legend({"none": True})
    drawing.set_x_axis({"name": f"Ante, {book.currency}", "min": 0})
    drawing.set_y_axis({"name": "House edge", "num_format": "0.00%"})
    sheet.draw(f"F{first - 1}", drawing)
    sheet.skip()
    sheet.line(("Best play at each ante, for one player alone at the table.", "soft"))


def _rules(made: Report, writer: WorkbookWriter) -> None:
    """Write every rule with its clauses, as the rule card has them."""
    sheet, card = writer.sheet("Rules", 26, 96, 34), rule_card(made.solution.book)
    sheet.line(("Rules, and where they are written", "title"))
    sheet.line((card.document, "soft"))
    sheet.head("part", "rule", "clauses and rulings", texts=3)
    for section in card.sections:
        found = [*((section.lead,) if section.lead else ()), *section.items]
        rules = [(each.sentence, each.cites) for item in found for each in (item, *item.more)]
        for table in section.tables:
            rules.append((table.sentence, table.cites))
            rules += [(line.sentence, line.cites) for line in table.lines]
        for says, cites in rules:
            cited = ", ".join(cites)
            sheet.line((section.title, "wrapped"), (says, "wrapped"), (cited, "wrapped"))
    for ruling in card.rulings:
        sheet.line(("Rulings", "wrapped"), (ruling.text, "wrapped"), (ruling.number, "wrapped"))
