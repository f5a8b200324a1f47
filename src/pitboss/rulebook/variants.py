"""Two rulebooks beside each other, and one with other odds or with a part of the other's."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from pitboss.errors import Unreadable
from pitboss.hands import KIND_OF
from pitboss.money import Odds
from pitboss.rulebook.base import CITING, Cited
from pitboss.rulebook.check import errors
from pitboss.rulebook.deal_script import Step
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.paytable import PayTable, Row

NAMED_BY = ("name", "row", "cause", "over", "table")
"""Fields by which entries of a list are matched; other lists are matched by position."""

IDENTITY = ("id", "house", "document", "rulings")
"""What makes two books two, or only cites, and is no difference of rules."""

WHOLE = ("script", "rows")
"""Lists that are exchanged whole where the books have other entries in them: a step or a row of
one book means little among those of the other."""

ENTRIES = ("spot", "table", "cap")
"""Lists of things that stand beside each other, and are exchanged one by one at the most."""


HAND = ("hand", "of", "kicker")
"""Fields that say only together which hand is meant."""


class Difference(msgspec.Struct, frozen=True):
    """One value that two books have differently."""

    path: str
    ours: str | None
    """None where the first book has no such thing."""
    theirs: str | None
    clause_ours: str = ""
    clause_theirs: str = ""


def diff(ours: Rulebook, theirs: Rulebook) -> list[Difference]:
    """Return every value that differs; clauses themselves are not compared.

    >>> from pitboss.rulebook import load
    >>> books = load("diamond-jo-worth/cajun-stud"), load("hollywood-penn-national/cajun-stud")
    >>> [d.theirs for d in diff(*books) if d.path == "table.main.rows.two-pair.odds"]
    ['3 to 2']
    """
    left, right = dict(_values(ours, "", "")), dict(_values(theirs, "", ""))
    found = []
    for path in (*left, *(path for path in right if path not in left)):
        (mine, my_clause), (other, other_clause) = left.get(path, _NONE), right.get(path, _NONE)
        if mine != other:
            found.append(Difference(path, mine, other, my_clause, other_clause))
    return found


_NONE: tuple[None, str] = (None, "")


def _values(value: Any, path: str, clause: str) -> Iterator[tuple[str, tuple[str, str]]]:
    """Walk to every single value: its path, how it is written, and the clause above it."""
    if isinstance(value, Step):
        yield path, (_step(value), value.cited)
    elif isinstance(value, msgspec.Struct):
        clause = getattr(value, "cited", clause)
        for name in value.__struct_fields__:
            if name in CITING or (not path and name in IDENTITY):
                continue
            inner = f"{path}.{name}" if path else name
            own = value.clause_on(name) if isinstance(value, Cited) else ""
            yield from _values(getattr(value, name), inner, own or clause)
    elif isinstance(value, tuple) and value and isinstance(value[0], msgspec.Struct):
        for key, each in _named(value).items():
            yield from _values(each, f"{path}.{key}", clause)
    elif value not in _UNSAID:
        yield path, (_written(value), clause)


def _named(entries: tuple[Any, ...]) -> dict[str, Any]:
    return {
        next((str(getattr(each, f)) for f in NAMED_BY if hasattr(each, f)), str(index)): each
        for index, each in enumerate(entries)
    }


def parts(ours: Rulebook, theirs: Rulebook, path: str) -> list[str]:
    """Return what can be exchanged to undo a difference: the least of it first, then what is wider.

    >>> from pitboss.rulebook import load
    >>> books = load("diamond-jo-worth/cajun-stud"), load("hollywood-penn-national/cajun-stud")
    >>> parts(*books, "table.main.rows.flush.odds")[:2], parts(*books, "script.4")
    (['table.main.rows.flush.odds', 'table.main.rows.flush'], ['script'])
    """
    mine: Any = ours
    other: Any = theirs
    found: list[str] = []
    for name in path.split("."):
        found.insert(0, f"{found[0]}.{name}" if found else name)
        mine, other = _inside(mine, name), _inside(other, name)
        if mine is None or other is None or (name in WHOLE and _kinds(mine) != _kinds(other)):
            break
    if found[0] == path and _hands_differ(ours, theirs, path):
        found = found[1:]
    return found[:-1] if found[-1] in ENTRIES else found


def _hands_differ(ours: Rulebook, theirs: Rulebook, path: str) -> bool:
    """Whether a path is one of several fields that say together which hand is meant."""
    holder, _, name = path.rpartition(".")
    pairs = ((found_at(book, f"{holder}.{each}") for book in (ours, theirs)) for each in HAND)
    return name in HAND and sum(mine != other for mine, other in pairs) > 1


def _inside(value: Any, name: str) -> Any:
    return _named(value).get(name) if isinstance(value, tuple) else getattr(value, name, None)


def _kinds(entries: tuple[Any, ...]) -> set[tuple[str, type]]:
    return {(key, type(each)) for key, each in _named(entries).items()}


def taking(ours: Rulebook, theirs: Rulebook, part: str) -> Rulebook:
    """Return our book with what the other has at one of its ``parts``; no proof that it stands."""
    return put(ours, part, found_at(theirs, part))


def found_at(book: Rulebook, path: str) -> Any:
    """Return what a book has at a path as differences name it; None where it has no such thing.

    >>> from pitboss.rulebook import load
    >>> str(found_at(load("common/mississippi-stud"), "table.main.rows.flush.odds"))
    '6 to 1'
    """
    value: Any = book
    for name in path.split("."):
        value = _inside(value, name)
    return value


def put(book: Rulebook, path: str, value: Any) -> Rulebook:
    """Return the book with this at a path, or without it if that is None; no proof that it stands.

    Menus follow tables that are changed so.
    """
    changed: Rulebook = _put(book, path.split("."), value)
    return _chosen_anew(changed)


def _chosen_anew(book: Rulebook) -> Rulebook:
    """Let menus follow tables that were changed: to the option that pays so now, or to none."""
    menus = []
    for menu in book.menu:
        table = book.tables.get(menu.table)
        options = (each.name for each in menu.options if table is not None and each.is_of(table))
        choice = next(options, None)
        menus += [replace(menu, choice=choice)] if choice is not None else []
    return replace(book, menu=tuple(menus))


def _put(mine: Any, names: Sequence[str], value: Any) -> Any:
    if not names:
        return value
    name, *rest = names
    inside = _put(_inside(mine, name), rest, value)
    if isinstance(mine, msgspec.Struct):
        return replace(mine, **{name: inside})
    return tuple(each for each in (_named(mine) | {name: inside}).values() if each is not None)


def with_pays(book: Rulebook, pays: Mapping[str, Odds], *, proved: bool = True) -> Rulebook:
    """Return the book with these rows paying these odds, if a table can still run on it.

    A bare row is the main table's; ``lo-ball.seven-high`` is a side wager's. Instead of a row a
    hand may be named, if no more than one row is for it. Who changes more has it proved at the end.

    >>> from pitboss.money import odds
    >>> from pitboss.rulebook import load
    >>> richer = with_pays(load("common/casino-holdem"), {"ante.straight": odds("4 to 1")})
    >>> [str(row.odds) for row in richer.tables["ante"].rows if row.row in ("straight", "pair")]
    ['4 to 1', '1 to 1']
    """
    if not pays:
        return book
    main = book.main_table.name if book.main_table is not None else ""
    wanted: dict[str, dict[str, Odds]] = {}
    for name, odds in pays.items():
        where, row = name.split(".", 1) if "." in name else (main, name)
        table = book.tables.get(where)
        if table is None:
            raise Unreadable(f"no row {name!r}; tables are {', '.join(book.tables)}", "--pay")
        if any(spot.table == where for spot in book.spot if spot.kind == "progressive"):
            raise Unreadable(f"{name!r} is a progressive's: it pays awards, not odds", "--pay")
        names, hands = zip(*((each.row, each.hand) for each in table.rows), strict=True)
        if row not in names and (row not in table.order.categories or hands.count(row) > 1):
            which = "the main table" if where == main else where
            raise Unreadable(f"no row {name!r}; {which} has {', '.join(names)}", "--pay")
        nothing = where in book.bonuses and not odds  # a bonus has no stake that could go back
        wanted.setdefault(where, {})[row] = Odds(-1) if nothing else odds
    tables = (
        replace(each, rows=_paying(book, each, wanted[each.name])) if each.name in wanted else each
        for each in book.table
    )
    changed = _chosen_anew(replace(book, table=tuple(tables)))
    for finding in errors(changed) if proved else ():
        raise Unreadable(finding.message, "--pay")
    return changed


def _paying(book: Rulebook, table: PayTable, wanted: Mapping[str, Odds]) -> tuple[Row, ...]:
    """Return the rows of a table, some of them at other odds."""
    rows, cards = list(table.rows), sum(book.dealt[place] for place in table.cards)
    hands = [each for each in table.order.looks[0] if table.order.can_make(each, cards)]
    there = {each.category for each in hands}
    everything_else = {row.row for row in rows if row.hand == "any"}
    for name in sorted(wanted, key=lambda each: each not in everything_else):
        odds = wanted[name]
        if _place(rows, name) is None:
            rows = _apart(table, rows, name, there)
        rest = (each.odds for each in rows if each.hand == "any" and each.row != name)
        if any(more is not None and odds < more for more in rest):
            # Else it would be paid by ``any``, which pays more.
            rows = _apart(table, rows, name, there)
        at = _place(rows, name)
        assert at is not None, "every hand is paid by a row"
        rows[at] = replace(rows[at], odds=odds)
    return tuple(rows)


def _place(rows: Sequence[Row], name: str) -> int | None:
    """Return where the row of this name is, or the only one for the hand of this name."""
    for field in ("row", "hand"):
        found = [at for at, row in enumerate(rows) if getattr(row, field) == name]
        if len(found) == 1:
            return found[0]
    return None


def _apart(table: PayTable, rows: Sequence[Row], name: str, there: Collection[str]) -> list[Row]:
    """Give hands rows of their own that others pay: as what they are a kind of, or as ``any``.

    Besides the one that is asked for, hands that its cards can make.
    """
    named = {row.hand for row in rows}
    whole = {row.hand for row in rows if not (row.of or row.kicker)}
    said = {*named, *KIND_OF}
    unnamed = [e for e in table.order.categories if e not in said and (e == name or e in there)]
    found: list[Row] = []
    for row in rows:
        if row.hand == KIND_OF.get(name) and name not in named:
            found += [replace(row, row=name, hand=name, title=""), row]
        elif row.hand == "any" and (name in named or KIND_OF.get(name) not in named):
            found += [replace(row, row=each, hand=each, title="") for each in reversed(unnamed)]
            found += [row] if named - whole else []
        else:
            found.append(row)
    return found


_UNSAID: tuple[Any, ...] = (None, False, (), {}, "")


def _step(step: Step) -> str:
    """Write a step in the words of the file: one step means little in parts."""
    return f"{step.__struct_config__.tag}: {_fields_written(step)}"


def _fields_written(struct: msgspec.Struct) -> str:
    return ", ".join(
        f"{field.encode_name} {_written(value)}"
        for field in msgspec.structs.fields(struct)
        if field.name not in CITING and (value := getattr(struct, field.name)) not in _UNSAID
    )


def _written(value: Any) -> str:
    if isinstance(value, msgspec.Struct):
        return _fields_written(value)
    if isinstance(value, tuple):
        nested = (tuple, msgspec.Struct)
        return ", ".join(f"({_written(e)})" if isinstance(e, nested) else str(e) for e in value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {_written(inner)}" for key, inner in value.items())
    return "yes" if value is True else str(value)
