"""A workbook (XLSX) as it is written: sheets from the top down, in cells that look alike.

A formula is written together with what it comes to, so that a reader that works nothing out shows
the same.
"""

import io
from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any

import xlsxwriter
from xlsxwriter.utility import xl_rowcol_to_cell

from pitboss.lab.papers.archive import packed, unpacked

_FORMATS: dict[str, dict[str, Any]] = {
    "title": {"bold": True, "font_size": 18, "font_color": "#0b5d3b"},
    "house": {"font_size": 12, "font_color": "#5d645f"},
    "head": {"bold": True, "bottom": 1, "bottom_color": "#0b5d3b", "font_color": "#0b5d3b"},
    "number_head": {
        "bold": True,
        "bottom": 1,
        "bottom_color": "#0b5d3b",
        "font_color": "#0b5d3b",
        "align": "right",
    },
    "text": {},
    "wrapped": {"text_wrap": True, "valign": "top"},
    "even": {"font_name": "Courier New"},
    "soft": {"font_color": "#5d645f", "italic": True},
    "count": {"num_format": "#,##0"},
    "number": {"num_format": "0.000000"},
    "rare": {"num_format": "#,##0.0"},
    "plain": {"num_format": "General"},
    "percent": {"num_format": "0.000000%"},
    "money": {"num_format": "#,##0.00"},
    "exact": {"align": "right", "font_color": "#5d645f"},
    "given": {"num_format": "#,##0.00", "bg_color": "#f6f3ec", "border": 1},
    "given_count": {"num_format": "#,##0", "bg_color": "#f6f3ec", "border": 1},
    "edge": {"num_format": "0.000000%", "bold": True, "top": 1, "top_color": "#0b5d3b"},
    "total": {"bold": True, "top": 1, "top_color": "#0b5d3b"},
    "total_count": {"bold": True, "top": 1, "top_color": "#0b5d3b", "num_format": "#,##0"},
    "total_number": {"bold": True, "top": 1, "top_color": "#0b5d3b", "num_format": "0.000000"},
}


class Formula:
    """A formula, and what it comes to."""

    def __init__(self, says: str, value: Fraction | float) -> None:
        self.says = says
        self.value = value


Content = str | int | float | Fraction | Formula
"""What a cell may hold; a fraction is written as one, ``=3/2``."""


class SheetWriter:
    """A sheet that is written from the top down."""

    def __init__(self, made: "WorkbookWriter", name: str, widths: Sequence[int]) -> None:
        self.name, self.row = name, 0
        self._sheet, self._formats = made.book.add_worksheet(name), made.formats
        self._sheet.hide_gridlines(2)
        self._sheet.set_landscape()
        self._sheet.fit_to_pages(1, 0)
        self._sheet.set_footer("&L&A&RPage &P of &N")
        for column, width in enumerate(widths):
            self._sheet.set_column(column, column, width)

    def line(self, *cells: tuple[Content, str]) -> int:
        """Write cells side by side, each with the name of its format; return the row's number as
        formulas have it."""
        for column, (cell, style) in enumerate(cells):
            self._write(column, cell, self._formats[style])
        self.row += 1
        return self.row

    def head(self, *titles: str, texts: int = 1) -> int:
        """Write the head of a table, of which the first columns hold words."""
        self.row += 1
        styles = ["head"] * texts + ["number_head"] * (len(titles) - texts)
        return self.line(*zip(titles, styles, strict=True))

    def skip(self) -> None:
        self.row += 1

    def cell(self, row: int, column: int) -> str:
        """Name a cell for formulas of other sheets; rows from 1 as these have them."""
        return f"'{self.name}'!{xl_rowcol_to_cell(row - 1, column, True, True)}"

    def freeze(self) -> None:
        self._sheet.freeze_panes(self.row, 1)

    def draw(self, place: str, drawing: Any) -> None:
        self._sheet.insert_chart(place, drawing)

    def _write(self, column: int, cell: Content, style: Any) -> None:
        at = (self.row, column)
        match cell:
            case Formula():
                self._sheet.write_formula(*at, f"={cell.says}", style, float(cell.value))
            case Fraction() if cell.denominator > 1:
                says = f"={cell.numerator}/{cell.denominator}"
                self._sheet.write_formula(*at, says, style, float(cell))
            case str():
                self._sheet.write_string(*at, cell, style)
            case _:
                self._sheet.write_number(*at, float(cell), style)


class WorkbookWriter:
    """A workbook that is being written."""

    def __init__(self) -> None:
        self._out = io.BytesIO()
        self.book = xlsxwriter.Workbook(self._out, {"in_memory": True})
        self.book.set_calc_mode("auto")
        self.formats = {name: self.book.add_format(each) for name, each in _FORMATS.items()}

    def sheet(self, name: str, *widths: int) -> SheetWriter:
        return SheetWriter(self, name, widths)

    def written(self, **properties: str) -> bytes:
        long_ago = datetime(1980, 1, 1)
        self.book.set_properties({**properties, "created": long_ago})
        self.book.close()
        return packed(unpacked(self._out.getvalue()))
