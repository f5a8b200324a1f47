"""Pay tables found in the lab: what is asked for, how far the search is, and which tables fit."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from pitboss.errors import Unreadable, Unsolved
from pitboss.lab.design_report import PERCENT
from pitboss.lab.design_request import DesignPart, DesignRequest
from pitboss.lab.questions import Experiment
from pitboss.lab.table_box import wager_tables
from pitboss.lab.targets import FIGURES
from pitboss.rulebook import Rulebook
from pitboss.web import lab_desk
from pitboss.web.lab_desk import NO_ANTE, LabState
from pitboss.web.pages.lab_visit import LabVisit, address, turning
from pitboss.web.pages.template_filters import sentence
from pitboss.web.workers import LongWork

AROUND = "around"
"""Instead of odds: what is posted, and the next on a sign below and above."""

TITLES = {
    "edge": "House edge, %",
    "hit": "Player ends ahead, %",
    "top": "Highest odds, to 1",
    "deviation": "Standard deviation, antes",
    "risk": "Element of risk, %",
}


class RowField(msgspec.Struct, frozen=True):
    """A row that may be free."""

    name: str
    table: str
    title: str
    pays: str
    """As the lab has it now."""
    value: str


class PaidRow(msgspec.Struct, frozen=True):
    """What a row pays in a table that was found."""

    title: str
    odds: str
    differs: bool


class FoundTable(msgspec.Struct, frozen=True):
    """A table that fits, as the page lists it."""

    address: str
    rows: tuple[PaidRow, ...]
    figures: tuple[tuple[str, str], ...]
    says: str
    """How it is played, and whether it is the posted one or an option of a menu."""
    inverted: str
    now: bool
    """The lab has it now."""


def request(fields: Mapping[str, str]) -> DesignRequest | None:
    """Read the form; None where nothing is asked for.

    >>> asks = {"near.edge": "5", "least.hit": "20%", "free.main.flush": "4..8"}
    >>> read = request(asks)
    >>> read.targets, read.bounds, read.free
    (('edge=5%',), ('hit=20%..',), ('main.flush=4..8',))
    """
    targets, bounds, free = [], [], []
    for figure in FIGURES:
        near, least, most = (
            _in_percent(figure, fields.get(f"{which}.{figure}", ""))
            for which in ("near", "least", "most")
        )
        targets += [f"{figure}={near}"] if near else []
        bounds += [f"{figure}={least}..{most}"] if least or most else []
    for name, value in fields.items():
        if name.startswith("free."):
            row = name.removeprefix("free.")
            free.append(row if value.lower() == AROUND else f"{row}={value}")
    if not targets and not bounds:
        return None
    menu = bool(fields.get("menu"))
    return DesignRequest(
        targets=tuple(targets),
        bounds=tuple(bounds),
        free=() if menu else tuple(free),
        wager=fields.get("wager", ""),
        menu=menu,
        any_order="any-order" in fields and not menu,
    )


def _in_percent(figure: str, written: str) -> str:
    bare = figure in PERCENT and "/" not in written and written[-1:].isdigit()
    return f"{written}%" if bare else written


def asked(book: Rulebook, state: LabState) -> Experiment:
    """Return what a search is asked: ceilings and the table play no part in it.

    Nor does what free rows pay now, so that whoever takes one table after the other searches once.
    """
    tables = _tables(book, state)
    fields = {  # rows of another wager may still be filled in
        name: value
        for name, value in state.design.items()
        if not name.startswith("free.") or name.split(".")[1] in tables
    }
    wanted = request(fields)
    if wanted is None:
        return Experiment(state.changes)
    free = {name.removeprefix("free.") for name in fields if name.startswith("free.")}
    kept = {
        path: value
        for path, value in state.changes.items()
        if free.isdisjoint(_named_as(path)) and not (wanted.menu and _named_as(path)[0] in tables)
    }
    return Experiment(kept, design=wanted)


def _named_as(path: str) -> tuple[str, ...]:
    """Return how a search names what a path leads to: by its table, and by table and row."""
    match path.split("."):
        case ["table", table, "rows", row, "odds"]:
            return table, f"{table}.{row}"
    return ("",)


def _tables(book: Rulebook, state: LabState) -> list[str]:
    """Return the tables that settle the wager that is asked about."""
    return wager_tables(book, book.spots.get(state.design.get("wager", ""), book.ante))


def shown(long: LongWork, seen: LabVisit, who: str) -> dict[str, Any]:
    """Return the form, and what has come of it."""
    book, fields = seen.book, seen.state.design
    question = asked(book, replace(seen.state, changes=seen.now.taken))
    part, wrong, amiss, place = DesignPart(), "", "", 0
    if question.design is not None:
        place = lab_desk.place(long, "design", book, question)
        try:
            part = lab_desk.done(long, "design", book, question) or part
        except Unreadable as error:
            wrong, amiss = error.message, field_at(fields, error.place)
        except Unsolved as error:
            wrong = error.message
    elif fields.keys() - {"wager", "menu", "any-order"}:
        wrong = "ask for something: an edge near 5, or one from 4 to 6"
    tables = _tables(book, seen.state)
    design = {
        "fields": fields,
        "figures": [(each, TITLES[each]) for each in FIGURES],
        "wagers": [each for each in book.spot if each.kind == "side" and each.table],
        "rows": [*_rows(seen, tables)],
        "menu": any(each.table in tables for each in book.menu),
        "place": place,
        "theirs": place and not lab_desk.may_stop(long, "design", book, question, who),
        "part": part,
        "wrong": wrong,
        "amiss": amiss,
        "head": _head(part, question.design),
        "tables": [*_found(seen, part)],
    }
    return {"design": design}


def field_at(fields: Mapping[str, str], place: str) -> str:
    """Return the field that an option of the command line comes of; empty, if no one does.

    >>> field_at({}, "--target edge"), field_at({"most.hit": "9%"}, "--bound hit")
    ('near.edge', 'most.hit')
    >>> field_at({}, "--free main.flush"), field_at({}, "--free")
    ('free.main.flush', '')
    """
    option, _, what = place.partition(" ")
    if option == "--bound":
        return next((f"{end}.{what}" for end in ("least", "most") if f"{end}.{what}" in fields), "")
    return {"--target": f"near.{what}", "--free": f"free.{what}"}.get(option, "") if what else ""


def _rows(seen: LabVisit, tables: list[str]) -> Iterator[RowField]:
    book = seen.book
    for each in turning(book):
        top, *names = each.path.split(".")
        if top != "table" or names[0] not in tables or names[-1] != "odds":
            continue
        row = next(row for row in book.tables[names[0]].rows if row.row == names[2])
        if row.hand != "any":
            name = f"free.{names[0]}.{names[2]}"
            pays = seen.now.taken.get(each.path, each.posted)
            yield RowField(name, each.group, each.title, pays, seen.state.design.get(name, ""))


def _head(part: DesignPart, wanted: DesignRequest | None) -> str:
    """Say how many tables are listed, of how many, and in which order."""
    if part.design is None or wanted is None:
        return ""
    listed, fitting = len(part.tables), part.design["fitting"]
    if not listed:
        return f"None of {part.design['tables']:,} tables fits"
    if not wanted.bounds:
        return f"The {listed:,} nearest" if listed > 1 else "The nearest table"
    order = "nearest first" if wanted.targets else "lowest edge first"
    if listed < fitting:
        return f"The first {listed:,} of {fitting:,} tables that fit, {order}"
    return "One table fits" if listed == 1 else f"{listed:,} tables fit, {order}"


def _found(seen: LabVisit, part: DesignPart) -> Iterator[FoundTable]:
    """Yield tables with the address at which the lab has them."""
    book, now = seen.book, seen.now.taken
    posted = {each.path: each for each in turning(book)}
    tables = part.design["found"] if part.design is not None else ()
    ante = NO_ANTE if book.cap else seen.state.ante  # a search leaves payout caps out
    for told, table in zip(tables, part.tables, strict=True):
        changes = now | table.changes
        rows = tuple(
            PaidRow(posted[path].title, odds, odds != now.get(path, posted[path].posted))
            for path, odds in table.changes.items()
        )
        kept = {
            path: changes[path]
            for path, each in posted.items()
            if changes.get(path, each.posted) != each.posted
        }
        yield FoundTable(
            address=address(book, replace(seen.state, changes=kept, ante=ante)),
            rows=rows,
            figures=(
                ("Edge", f"{told['house_edge']:.4%}"),
                ("Ends ahead", f"{told['hit_frequency']:.4%}"),
                ("Deviation", f"{told['standard_deviation']:.4f}"),
                ("Risk", f"{told['element_of_risk']:.4%}"),
                ("Highest", told["top"]),
            ),
            says=" ".join(
                sentence(each)
                for each in (told.get("option"), "posted" * told["posted"], table.played)
                if each
            ),
            inverted=table.inverted,
            now=not any(row.differs for row in rows),
        )
