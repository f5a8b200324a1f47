"""A tax form on paper: its boxes with their numbers, one below the other, and who shares in it."""

from pitboss.house.books.papers import FormRecord, WinnersPart, filled
from pitboss.lab.papers.typesetting import typeset
from pitboss.money import text
from pitboss.settle.tax_forms import layout

TEMPLATE = "web/form_sheet.typ"


def sheet(record: FormRecord) -> bytes:
    """Return a form as PDF."""
    values = {
        "title": f"Form {record.form}: {layout(record.form, record.day).title}",
        "id": record.id,
        "year": str(record.day.year),
        "corrected": record.state == "corrected",
        "boxes": [*filled(record)],
        "parts": [_share(part) for part in record.parts],
        "clause": record.clause,
        "by": record.by,
    }
    return typeset(TEMPLATE, values)


def _share(part: WinnersPart) -> str:
    number = part.payee.tin or "none given"
    sums = f"{text(part.cents)}, withheld {text(part.withheld_cents)}"
    return f"{part.payee.name}, {number}, {part.payee.address}: {sums}"
