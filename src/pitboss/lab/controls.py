"""Every number that prices a rulebook, as something to turn: where it stands, and its steps.

A control's path is the one by which ``rulebook.variants`` names a difference; its values are
written as the file and the sign write them, so that an edit is a path and a text.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from pitboss import money
from pitboss.errors import Unreadable
from pitboss.hands import ranking
from pitboss.money import Odds
from pitboss.rulebook.base import Cited, Ranks
from pitboss.rulebook.check import errors
from pitboss.rulebook.deal_script import DecideStep
from pitboss.rulebook.loader import ranks
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.once import once
from pitboss.rulebook.paytable import PayTable, Row, Unqualified, weakest
from pitboss.rulebook.pit_rules import Notice
from pitboss.rulebook.variants import found_at, put, with_pays
from pitboss.rulebook.writer import toml
from pitboss.wording import listed, ordinal, spaced

Kind = Literal["odds", "money", "percent", "multiples", "hand", "ranks", "number", "choice"]

LAB = "lab"
"""The clause of what was changed: it is no longer the document's."""

LONGEST = 60
"""Characters of a value that anybody types."""


class Control(msgspec.Struct, frozen=True):
    """One number of a rulebook, and the values that it takes at each step."""

    path: str
    """Where it stands, such as ``table.main.rows.flush.odds``."""
    group: str
    """What it belongs to, in the words of the layout."""
    title: str
    clause: str
    kind: Kind
    posted: str
    """As the book has it."""
    steps: tuple[str, ...]
    """From the least to the most, as a sign would print them; the posted value is one of them."""


class Trial(msgspec.Struct, frozen=True):
    """A rulebook with changes, as far as a table could run on it."""

    book: Rulebook
    """The posted one, where nothing was changed."""
    taken: dict[str, str]
    """What differs from the posted book, written canonically, in the order of the controls."""
    refused: dict[str, str]
    """What could not be taken, and why: at the control itself."""


# Which there are ----------------------------------------------------------------------------------


def controls(book: Rulebook) -> tuple[Control, ...]:
    """Return every number that prices a book, in the order in which people meet them.

    >>> from pitboss.rulebook import load
    >>> first, *_ = controls(load("common/mississippi-stud"))
    >>> first.path, first.group, first.title, first.posted, first.steps[:4]
    ('table.main.rows.royal-flush.odds', 'Ante and Streets', 'Royal flush', '500 to 1', \
('lose', 'push', '1 to 2', '1 to 1'))
    """
    return _found(book)


@once
def _found(book: Rulebook) -> tuple[Control, ...]:
    return tuple(_controls(book))


def _controls(book: Rulebook) -> Iterator[Control]:
    for table in book.table:
        for row in table.rows:
            for path, kind in _of_row(table, row):
                yield _control(book, path, table.title, _row_title(row, path), kind)
    for spot in book.spot:
        for name, title in (
            ("odds", "Beating the dealer pays"),
            ("unqualified", "No qualifying dealer"),
        ):
            value = getattr(spot, name)
            if value is not None and str(value) not in ("table", "showdown"):
                yield _control(book, f"spot.{spot.name}.{name}", spot.title, title, "odds")
        if spot.kind == "progressive" and spot.fixed is not None:
            yield _control(book, f"spot.{spot.name}.fixed", spot.title, "Token", "money")
    if book.qualifier is not None:
        title = "The dealer's hand"
        yield _control(book, "qualifier.hand", title, "Qualifies from", "hand")
        yield _control(book, "qualifier.tie", title, "A tie", "choice")
    for number, step in enumerate(book.script):
        if isinstance(step, DecideStep) and step.times:
            many = book.street_at[number]
            title = f"{ordinal(many).capitalize()} decision" if len(book.streets) > 1 else "Raise"
            path = f"script.{number}"
            yield _control(book, f"{path}.times", "Decisions", f"{title}, antes", "multiples")
            for at, more in enumerate(step.more):
                said = f"{title}, with {book.needed_words(more)}"
                yield _control(book, f"{path}.more.{at}.times", "Decisions", said, "multiples")
    for number, cap in enumerate(book.cap):
        group = "Payout cap" if len(book.cap) == 1 else f"Payout cap {number + 1}"
        path = f"cap.{number}"
        yield _control(book, f"{path}.most", group, "Ceiling", "money")
        if cap.above is not None:
            yield _control(book, f"{path}.above", group, "Only wins above", "odds")
        if cap.growth is not None:
            units = "Grows with the minimum, units"
            yield _control(book, f"{path}.growth.units", group, units, "number")
            yield _control(book, f"{path}.growth.odds", group, "at odds of", "odds")
    if book.progressive is not None:
        reseed = "The meter starts at"
        yield _control(book, "progressive.reseed", "Progressive meter", reseed, "money")
    if book.cap:
        yield _control(book, "rounding", "Money", "A fraction of a cent goes", "choice")


def _of_row(table: PayTable, row: Row) -> Iterator[tuple[str, Kind]]:
    path = f"table.{table.name}.rows.{row.row}"
    awards = any(each.odds is None for each in table.rows)  # what else there is only loses
    kinds: dict[str, Kind] = {"odds": "odds", "meter": "percent", "award": "money"}
    for name, kind in kinds.items():
        if getattr(row, name) is not None and not (name == "odds" and awards):
            yield f"{path}.{name}", kind
    if row.others is not None:
        yield f"{path}.others", "money"
    if row.of is not None and row.of.low < row.of.high:
        yield f"{path}.of", "ranks"


def _row_title(row: Row, path: str) -> str:
    last = path.rpartition(".")[2]
    extra = {"of": ", ranks", "others": ", to everybody else", "meter": ", of the meter"}
    return row.label + extra.get(last, "")


def _control(book: Rulebook, path: str, group: str, title: str, kind: Kind) -> Control:
    value = found_at(book, path)
    if kind == "hand":
        assert book.qualifier is not None
        low = (each and _rank(each.low) for each in (book.qualifier.of, book.qualifier.kicker))
        value = _Hand(book.qualifier.hand, *low)  # better ones count, too
    posted = _WRITTEN.get(kind, str)(value)
    steps = tuple(_STEPS[kind](book, path, value))
    if posted not in steps:
        key = _ORDER.get(kind)
        steps = tuple(sorted((*steps, posted), key=key)) if key else (*steps, posted)
    return Control(path, group, title, _clause(book, path), kind, posted, steps)


def _clause(book: Rulebook, path: str) -> str:
    """Return what is cited for a value: for its key alone, or for what it stands in."""
    names = path.split(".")
    for at in range(len(names) - 1, 0, -1):
        holder = found_at(book, ".".join(names[:at]))
        if isinstance(holder, Cited):
            return holder.clause_on(names[at]) or holder.cited
    return str(getattr(book.rulings, path, ""))


# Steps, as signs print them -----------------------------------------------------------------------

_ODDS = (
    *("lose", "push", "1 to 2", "1 to 1", "6 to 5", "3 to 2", "2 to 1", "5 to 2"),
    *(f"{up} to 1" for up in (*range(3, 16), 17, 18, 20, 22, 25, 30, 35, 40, 45, 50, 60, 70, 75)),
    *(f"{up} to 1" for up in (80, 90, 100, 125, 150, 175, 200, 250, 300, 400, 500, 600, 750)),
    *(f"{up} to 1" for up in (1000, 1250, 1500, 2000, 2500, 3000, 4000, 5000, 7500, 10000)),
)
_ROUND = (100, 150, 200, 250, 300, 400, 500, 600, 750, 800)
"""Sums that people find round, in hundredths of a power of ten."""


def _odds_steps(book: Rulebook, path: str, value: Any) -> Iterator[str]:
    at: Odds = (value.odds or Odds(0)) if isinstance(value, Unqualified) else value
    row = path.startswith("table.")
    least = row and found_at(book, path.removesuffix(".odds")).hand == "any"
    most = max(1 if least else 10, 4 * at)
    for each in _ODDS:
        worth = money.odds(each)
        beside = row and path.split(".")[1] in book.bonuses and not worth
        if worth <= most and not beside and (worth > 0 or row or isinstance(value, Unqualified)):
            yield _for_one(worth) if getattr(at, "for_one", False) and worth > 0 else each


def _for_one(worth: Odds) -> str:
    made = Odds(worth)
    made.for_one = True
    return str(made)


def round_sums(least: int, most: int) -> Iterator[str]:
    """Return round sums of money between two others, in cents.

    >>> list(round_sums(90, 260))
    ['1.00', '1.50', '2.00', '2.50']
    """
    power = 1
    while power <= most:
        for each in _ROUND:
            worth, rest = divmod(each * power, 100)
            if not rest and least <= worth <= most:
                yield money.text(worth)
        power *= 10


def _money_steps(_book: Rulebook, _path: str, value: int) -> Iterator[str]:
    return round_sums(max(1, value // 20), value * 20)


def _percent_steps(_book: Rulebook, _path: str, _value: Any) -> Iterator[str]:
    return (f"{part}%" for part in (*range(1, 10), *range(10, 101, 5)))


def _multiples_steps(_book: Rulebook, _path: str, value: tuple[int, ...]) -> Iterator[str]:
    """Return ranges of multiples: as many as posted and fewer, each from one upwards."""
    most = max(6, value[-1] + 2)
    for many in range(1, max(3, len(value)) + 1):
        for low in range(1, most - many + 2):
            yield _listed(range(low, low + many))


def _hand_steps(book: Rulebook, _path: str, value: "_Hand") -> Iterator[str]:
    """Return qualifying hands from any to some above the posted one."""
    assert book.qualifier is not None
    order = ranking(book.qualifier.ranking)
    here = 0 if value[0] == "any" else order.categories.index(value[0])
    found: dict[int, str] = {}
    for category in order.categories[: max(here, 1) + 2]:
        for of in (None, *range(2, 15)):
            for kicker in (None, 13) if (of, category) == (14, "high-card") else (None,):
                hand = _Hand(category, _rank(of), _rank(kicker))
                found.setdefault(weakest(book.qualifier.ranking, *hand), _hand_words(hand))
    found.pop(0, None)
    found[1] = "any"
    return (found[each] for each in sorted(found))


def _ranks_steps(_book: Rulebook, _path: str, value: Ranks) -> Iterator[str]:
    return (_ranks(Ranks(low, value.high)) for low in range(2, value.high + 1))


def _number_steps(_book: Rulebook, _path: str, value: int) -> Iterator[str]:
    return (str(each) for each in range(1, max(20, 2 * value) + 1))


_CHOICES = {"qualifier.tie": ("lose", "push", "win"), "rounding": ("down", "nearest", "up")}
_STEPS: dict[str, Callable[[Rulebook, str, Any], Iterable[str]]] = {
    "odds": _odds_steps,
    "money": _money_steps,
    "percent": _percent_steps,
    "multiples": _multiples_steps,
    "hand": _hand_steps,
    "ranks": _ranks_steps,
    "number": _number_steps,
    "choice": lambda _book, path, _value: _CHOICES[path],
}


# Reading and writing them ------------------------------------------------------------------------


class _Hand(tuple[str, Ranks | None, Ranks | None]):
    """A qualifying hand: its category, deciding rank and kicker."""

    def __new__(cls, hand: str, of: Ranks | None = None, kicker: Ranks | None = None) -> "_Hand":
        return super().__new__(cls, (hand, of, kicker))


def _rank(rank: int | None) -> Ranks | None:
    return None if rank is None else Ranks(rank, rank)


def _hand_words(hand: _Hand) -> str:
    """Write a hand in a few words: ``high card A-K``, ``pair 4``, ``any``."""
    category, of, kicker = hand
    low = "" if of is None else f" {_ranks(of)}" + ("" if kicker is None else f"-{_ranks(kicker)}")
    return spaced(category) + low


def _ranks(several: Ranks) -> str:
    return str(several).replace("T", "10")


_HAND = re.compile(r"(.+?)(?: (10|[2-9TJQKA])(?:-(10|[2-9TJQKA]))?)?")


def _read_hand(written: str) -> _Hand:
    found = _HAND.fullmatch(" ".join(written.replace(",", " ").split()))
    if found is None:
        raise Unreadable(
            f"{written[:30]!r} is no hand; write such as pair, pair 4 or high card A-K"
        )
    category = found[1].lower().replace(" ", "-")
    return _Hand(category, *(None if each is None else ranks(each) for each in found.groups()[1:]))


def _read_multiples(written: str) -> tuple[int, ...]:
    parts = written.replace(",", " ").split()
    if not parts or len(parts) > 10 or not all(re.fullmatch(r"[1-9]\d?", each) for each in parts):
        raise Unreadable(f"{written[:30]!r} are no multiples; write whole antes such as 1, 2, 3")
    return tuple(map(int, parts))


def _read_number(written: str) -> int:
    if not re.fullmatch(r"[1-9]\d{0,4}", written.strip(), re.ASCII):
        raise Unreadable(f"{written[:20]!r} is no whole number from 1 to 99999")
    return int(written)


def _listed(several: Iterable[int]) -> str:
    return ", ".join(map(str, several))


_WRITTEN: dict[str, Callable[[Any], str]] = {
    "multiples": _listed,
    "hand": _hand_words,
    "ranks": _ranks,
}
_ORDER: dict[str, Callable[[str], Any]] = {
    "odds": money.odds,
    "money": money.cents,
    "percent": money.percent,
}
_READ: dict[str, Callable[[str], Any]] = {
    **_ORDER,
    "multiples": _read_multiples,
    "hand": _read_hand,
    "ranks": ranks,
    "number": _read_number,
}


def _read(control: Control, written: str) -> Any:
    """Read what stands in a control, or say what would be right."""
    if len(written) > LONGEST:
        raise Unreadable(f"longer than any value here; write such as {control.posted}")
    if control.kind == "choice":
        if written not in control.steps:
            raise Unreadable(f"{written[:20]!r} is none of {listed(control.steps, 'or')}")
        return written
    return _READ[control.kind](written)


# Changing them -----------------------------------------------------------------------------------


def edited(book: Rulebook, changes: Mapping[str, str]) -> Rulebook:
    """Return a book with other values; ``Unreadable`` at the first that a table cannot run on.

    >>> from pitboss.rulebook import load
    >>> book = load("common/mississippi-stud")
    >>> richer = edited(book, {"table.main.rows.flush.odds": "7:1"})
    >>> str(found_at(richer, "table.main.rows.flush.odds")), richer.id != book.id
    ('7 to 1', True)
    >>> edited(book, {"table.main.rows.flush.odds": "6 to 1"}) is book
    True
    """
    trial = tried(book, changes)
    for path, why in trial.refused.items():
        raise Unreadable(why, path)
    return trial.book


def variant_file(posted: Rulebook, changed: Rulebook) -> str:
    """Write a book that was made by changes as a file that stands, and says where it is from."""
    says = (
        f"A variant of {posted.id}: entries that were changed cite the clause {LAB}, and a notice"
        f"\nlists them. The others are as posted, rules {posted.sha256}."
    )
    return toml(changed, says=says if changed is not posted else "")


def tried(book: Rulebook, changes: Mapping[str, str]) -> Trial:
    """Take changes as far as a table can run on them, and say of each other why not."""
    known = {each.path: each for each in controls(book)}
    refused: dict[str, str] = {}
    for path in changes:
        if path not in known:
            refused[path] = f"{book.id} has no {path[:80]!r} that could be changed"
    values: dict[str, Any] = {}
    for path, control in known.items():
        if path in changes:
            try:
                value = _read(control, changes[path])
            except Unreadable as error:
                refused[path] = error.message
                continue
            if value != _READ.get(control.kind, str)(control.posted):
                values[path] = value
    changed = _variant(book, known, values)
    if errors(changed):
        fits: dict[str, Any] = {}
        for path, value in values.items():  # one after the other, to see which it is
            found = errors(_variant(book, known, {**fits, path: value}))
            if found:
                refused[path] = f"then {found[0].message}"
            else:
                fits[path] = value
        values, changed = fits, _variant(book, known, fits)
    return Trial(changed, _written(known, values), refused)


def _written(known: Mapping[str, Control], values: Mapping[str, Any]) -> dict[str, str]:
    return {path: _WRITTEN.get(known[path].kind, str)(each) for path, each in values.items()}


def _variant(book: Rulebook, known: Mapping[str, Control], values: Mapping[str, Any]) -> Rulebook:
    """Return a book with these values, and marked so; no proof that a table can run on it."""
    if not values:
        return book
    return _marked(book, _applied(book, values), known, _written(known, values))


def _applied(book: Rulebook, values: Mapping[str, Any]) -> Rulebook:
    """Put values in their places; no proof that a table can run on it."""
    pays: dict[str, Odds] = {}
    for path, value in values.items():
        top, *names = path.split(".")
        if top == "table" and names[-1] == "odds" and _pays_odds(book, names[0]):
            pays[f"{names[0]}.{names[2]}"] = value
            continue
        if path == "qualifier.hand":
            assert book.qualifier is not None
            hand, of, kicker = value
            book = replace(book, qualifier=replace(book.qualifier, hand=hand, of=of, kicker=kicker))
            continue
        now = found_at(book, path)
        book = put(book, path, Unqualified(str(value)) if isinstance(now, Unqualified) else value)
        if names and names[-1] == "of":
            row = path.removesuffix(".of")
            title = f"{spaced(found_at(book, row).hand).capitalize()} {_ranks(value)}"
            book = put(book, f"{row}.title", title)
    return with_pays(book, pays, proved=False)


def _pays_odds(book: Rulebook, table: str) -> bool:
    return not any(spot.table == table for spot in book.spot if spot.kind == "progressive")


def _marked(
    posted: Rulebook, changed: Rulebook, known: Mapping[str, Control], taken: Mapping[str, str]
) -> Rulebook:
    """Name a variant, and let nothing that was changed claim to be the document's."""
    tables = []
    for table in changed.table:
        before = {row.row: row for row in posted.tables[table.name].rows}
        rows = [row if row == before.get(row.row) else _ours(row) for row in table.rows]
        same = table == posted.tables[table.name]
        tables.append(posted.tables[table.name] if same else replace(table, rows=tuple(rows)))
    book = replace(changed, table=tuple(tables))
    for path in taken:
        holder, _, key = path.rpartition(".")
        if path == "rounding":
            book = put(book, "rulings.rounding", LAB)
        elif not path.startswith("table."):
            book = put(book, holder, _ours(found_at(book, holder), key))
    said = [
        f"{each.group}, {each.title.lower()}: {taken[each.path]} instead of {each.posted}"
        + (f" [{each.clause}]" if each.clause else "")
        for each in known.values()
        if each.path in taken
    ]
    key = hashlib.sha256(repr((posted.sha256, sorted(taken.items()))).encode()).hexdigest()[:8]
    notice = Notice(text=f"Changed in the lab: {'; '.join(said)}.", where=("sign",), clause=LAB)
    return replace(
        book,
        id=f"{posted.id}-variant-{key}",
        house=f"{posted.house}, changed in the lab",
        document=f"{posted.document}, changed where clause {LAB} is cited",
        notice=(*book.notice, notice),
    )


def _ours(entry: Any, key: str = "") -> Any:
    """Let an entry, or one key of it that has a clause of its own, cite the lab."""
    if key in entry.clauses:
        return replace(entry, clauses={**entry.clauses, key: LAB})
    return replace(entry, clause=LAB, ruling="")
