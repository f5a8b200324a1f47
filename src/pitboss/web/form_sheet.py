"""A tax form on paper: its boxes with their numbers, one below the other, and who shares in it."""

import textwrap
from collections.abc import Iterator

from pitboss.house.books.papers import FormRecord, WinnersPart, filled
from pitboss.money import text
from pitboss.settle.tax_forms import layout
from pitboss.web.pdf import LEFT, PageLine, PageText, page

LINE, LONGEST = 16, 50
"""Points from one line to the next, and letters that fit on one."""
NUMBER, TITLE, VALUE = LEFT, LEFT + 34, LEFT + 264


def sheet(record: FormRecord) -> bytes:
    """Return a form as PDF."""
    title = f"Form {record.form}: {layout(record.form, record.day).title}"
    return page(f"{title} {record.id}", [*_drawn(record, title)])


def _drawn(record: FormRecord, title: str) -> Iterator[PageText | PageLine]:
    y = 720
    yield PageText(LEFT, y, title, 14, bold=True)
    corrected = " CORRECTED" if record.state == "corrected" else ""
    y -= 20
    yield PageText(LEFT, y, f"Calendar year {record.day.year}.{corrected}", bold=bool(corrected))
    y -= 10
    yield PageLine(y)
    for number, name, value in filled(record):
        for at, part in enumerate(textwrap.wrap(value, LONGEST) or [""]):
            y -= LINE
            if not at:
                yield PageText(NUMBER, y, number, bold=True)
                yield PageText(TITLE, y, name, 9)
            if part:
                yield PageText(VALUE, y, part)
    for share in record.parts:
        y -= LINE
        yield PageText(TITLE, y, _share(share), 9)
    y -= LINE
    yield PageLine(y)
    yield PageText(LEFT, y - LINE, f"Rule: {record.clause}. Completed by {record.by}.", 9)
    yield PageText(LEFT, y - 2 * LINE, "A record of the house, with the boxes of the form.", 9)


def _share(part: WinnersPart) -> str:
    number = part.payee.tin or "none given"
    sums = f"{text(part.cents)}, withheld {text(part.withheld_cents)}"
    return f"{part.payee.name}, {number}, {part.payee.address}: {sums}"[:110]
