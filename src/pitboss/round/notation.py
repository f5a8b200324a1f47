'''A round as text, one line an event, that reads back to the same events.

>>> written = """
... round diamond-jo-worth/cajun-stud rules 0f minimum 5.00 maximum 100.00 seats 1 "ann"
... seat 1 bets ante 5.00, lo-ball 1.00
... bets closed
... deal seats 1: As Kd
... seat 1 folds on street 1, tucked under lo-ball
... """
>>> happened = read(written)
>>> happened[-1].tucked
'lo-ball'
>>> write(happened) == written.lstrip()
True
'''

import json
import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from msgspec.structs import asdict

from pitboss import cards as c
from pitboss import money
from pitboss.errors import Unreadable
from pitboss.round import events as e


class _Field(NamedTuple):
    """How a value stands in a line."""

    pattern: str
    write: Callable[[Any], str] = str
    read: Callable[[str], Any] = str
    absent: Any = None
    """The value that is not written, where a line may do without it."""


_NAME = _Field(r"[a-z0-9][a-z0-9-]*", absent="")
_NUMBER = _Field(r"\d+", read=int, absent=0)
_MONEY = _Field(r"[\d,]+\.\d\d", money.text, lambda written: int(money.cents(written)))
_PERSON = _Field(r'"(?:[^"\\]|\\.)*"', json.dumps, json.loads)
_FLAG = _Field("", lambda _: "", lambda _: True, absent=False)


def _read_cards(written: str) -> tuple[c.Card | None, ...]:
    return tuple(None if each == c.HIDDEN else c.card(each) for each in written.split())


def _write_wagers(wagers: dict[str, int]) -> str:
    return ", ".join(f"{spot} {money.text(cents)}" for spot, cents in wagers.items()) or "nothing"


def _read_wagers(written: str) -> dict[str, int]:
    pairs = [each.split(" ") for each in written.split(", ")] if written != "nothing" else []
    return {spot: _MONEY.read(cents) for spot, cents in pairs}


def _read_seats(written: str) -> dict[int, str]:
    seats = re.findall(rf"(\d+) ({_PERSON.pattern})", written)
    return {int(number): json.loads(person) for number, person in seats}


def _write_partners(partners: tuple[tuple[int, ...], ...]) -> str:
    return " ".join("partners " + "+".join(map(str, group)) for group in partners)


def _read_partners(written: str) -> tuple[tuple[int, ...], ...]:
    groups = re.findall(r"partners (\S+)", written)
    return tuple(tuple(map(int, group.split("+"))) for group in groups)


_SEAT, _WAGER = rf"\d+ {_PERSON.pattern}", f"{_NAME.pattern} {_MONEY.pattern}"

_FIELDS = {
    **dict.fromkeys(("place", "spot", "tucked", "kept", "cause", "role"), _NAME),
    **dict.fromkeys(("seat", "times", "street", "count"), _NUMBER),
    **dict.fromkeys(("cents", "minimum_cents", "maximum_cents"), _MONEY),
    **dict.fromkeys(("meter_cents", "token_cents"), _MONEY),
    **dict.fromkeys(("shuffler", "reshuffle", "up", "timed_out"), _FLAG),
    "person": _PERSON,
    "colour": _Field("green|red"),
    "cards": _Field(r"\S\S(?: \S\S)*", c.text, _read_cards),
    "wagers": _Field(f"nothing|{_WAGER}(?:, {_WAGER})*", _write_wagers, _read_wagers),
    "rulebook": _Field(r"\S+"),
    "sha256": _Field("[0-9a-f]+"),
    "seats": _Field(
        f"{_SEAT}(?:, {_SEAT})*",
        lambda seats: ", ".join(f"{number} {json.dumps(who)}" for number, who in seats.items()),
        _read_seats,
    ),
    "partners": _Field(
        r"partners [\d+]+(?: partners [\d+]+)*", _write_partners, _read_partners, ()
    ),
}

_LINES: dict[type[e.Event], str] = {
    e.RoundOpened: (
        "round {rulebook} rules {sha256} minimum {minimum_cents}[ maximum {maximum_cents}]"
        "[ meter {meter_cents}][ token {token_cents}][ shuffler{shuffler}]"
        " seats {seats}[ {partners}]"
    ),
    e.BetPlaced: "seat {seat} bets {wagers}",
    e.BettingClosed: "bets closed[, meter {meter_cents}]",
    e.CardsDealt: "deal {place}[ {seat}]: {cards}[ face up{up}]",
    e.LightSeen: "light {colour}[, shuffle again{reshuffle}]",
    e.RaisePlaced: "seat {seat} raises {times}x into {spot}: {cents}",
    e.Folded: (
        "seat {seat} folds on street {street}[, tucked under {tucked}][, timed out{timed_out}]"
        "[, keeps {kept}]"
    ),
    e.Checked: "seat {seat} checks[, timed out{timed_out}]",
    e.WagerTakenBack: "seat {seat} takes back {spot}: {cents}[, timed out{timed_out}]",
    e.CardsTurned: "turn {place}: {cards}",
    e.HandShown: "show seat {seat}: {cards}",
    e.LateWagerAccepted: "seat {seat} has {spot} {cents}, found late, by {role} {person}",
    e.HandDied: "seat {seat} dead for {cause}[ holding {count}] by {role} {person}",
    e.MisdealCalled: "misdeal for {cause} by {role} {person}",
    e.IrregularityStood: "let stand for {cause} by {role} {person}",
    e.PayingBegan: "pay",
}
"""Each kind of event as its line, for writing and reading; what is in brackets may be missing."""


def _pattern(line: str) -> re.Pattern[str]:
    optional = line.replace("[", "(?:").replace("]", ")?")
    fields = re.sub(r"{(\w+)}", lambda it: f"(?P<{it[1]}>{_FIELDS[it[1]].pattern})", optional)
    return re.compile(fields, re.ASCII)


_PATTERNS = {kind: _pattern(line) for kind, line in _LINES.items()}


def write(happened: Iterable[e.Event]) -> str:
    return "".join(f"{_write_line(event)}\n" for event in happened)


def _write_line(event: e.Event) -> str:
    values = asdict(event)
    if isinstance(event, e.BetPlaced) and event.toke_cents:
        values["wagers"] = {**event.wagers, "toke": event.toke_cents}

    def kept(piece: re.Match[str]) -> str:
        return "" if values[piece[2]] == _FIELDS[piece[2]].absent else piece[1]

    line = re.sub(r"\[([^]]*{(\w+)})]", kept, _LINES[type(event)])
    return re.sub(r"{(\w+)}", lambda it: _FIELDS[it[1]].write(values[it[1]]), line)


def read(text: str) -> list[e.Event]:
    """Read events back; blank lines and lines that begin with # are passed over."""
    happened = []
    for number, line in enumerate(text.splitlines(), start=1):
        tidy = line.strip()
        if tidy and not tidy.startswith("#"):
            happened.append(_read_line(tidy, f"line {number}"))
    return happened


def _read_line(line: str, place: str) -> e.Event:
    for kind, pattern in _PATTERNS.items():
        found = pattern.fullmatch(line)
        if found is not None:
            try:
                values = {
                    name: _FIELDS[name].absent if written is None else _FIELDS[name].read(written)
                    for name, written in found.groupdict().items()
                }
            except Unreadable as error:
                raise error.at(place) from None
            except ValueError:
                raise Unreadable(f"cannot read {line[:60]!r}", place) from None
            if kind is e.BetPlaced:
                values["toke_cents"] = values["wagers"].pop("toke", 0)
            return kind(**values)
    raise Unreadable(f"{line[:60]!r} is not a line of a round", place)
