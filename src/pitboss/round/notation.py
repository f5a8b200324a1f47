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
from typing import Any

from pitboss import cards as c
from pitboss import money
from pitboss.errors import Unreadable
from pitboss.round import events as e

_NAME = r"[a-z0-9][a-z0-9-]*"
_MONEY = r"[\d,]+\.\d\d"
_PERSON = r'"(?:[^"\\]|\\.)*"'
_CARDS = r"\S\S(?: \S\S)*"


def write(happened: Iterable[e.Event]) -> str:
    return "".join(f"{_WRITE[type(event)](event)}\n" for event in happened)


def read(text: str) -> list[e.Event]:
    """Read events back; blank lines and lines that begin with # are passed over."""
    happened = []
    for number, line in enumerate(text.splitlines(), start=1):
        tidy = line.strip()
        if tidy and not tidy.startswith("#"):
            happened.append(_read_line(tidy, f"line {number}"))
    return happened


def _read_line(line: str, place: str) -> e.Event:
    for pattern, build in _READ:
        found = pattern.fullmatch(line)
        if found is not None:
            try:
                return build(found)
            except Unreadable as error:
                raise error.at(place) from None
            except ValueError:
                raise Unreadable(f"cannot read {line[:60]!r}", place) from None
    raise Unreadable(f"{line[:60]!r} is not a line of a round", place)


# Writing --------------------------------------------------------------------------------------


def _person(name: str) -> str:
    return json.dumps(name)


def _opened(event: e.RoundOpened) -> str:
    parts = [f"round {event.rulebook} rules {event.sha256}"]
    parts.append(f"minimum {money.text(event.minimum_cents)}")
    if event.maximum_cents is not None:
        parts.append(f"maximum {money.text(event.maximum_cents)}")
    if event.meter_cents is not None:
        parts.append(f"meter {money.text(event.meter_cents)}")
    if event.shuffler:
        parts.append("shuffler")
    parts.append("seats " + ", ".join(f"{n} {_person(p)}" for n, p in event.seats.items()))
    parts.extend("partners " + "+".join(map(str, group)) for group in event.partners)
    return " ".join(parts)


def _bet(event: e.BetPlaced) -> str:
    wagers = [f"{spot} {money.text(cents)}" for spot, cents in event.wagers.items()]
    if event.toke_cents:
        wagers.append(f"toke {money.text(event.toke_cents)}")
    return f"seat {event.seat} bets {', '.join(wagers) or 'nothing'}"


def _dealt(event: e.CardsDealt) -> str:
    where = f"{event.place} {event.seat}" if event.seat else event.place
    return f"deal {where}: {c.text(event.cards)}{' face up' if event.up else ''}"


def _folded(event: e.Folded) -> str:
    tucked = f", tucked under {event.tucked}" if event.tucked else ""
    return f"seat {event.seat} folds on street {event.street}{tucked}{_late(event)}"


def _late(event: e.Folded | e.Checked | e.WagerTakenBack) -> str:
    return ", timed out" if event.timed_out else ""


def _by(event: e.HandDied | e.MisdealCalled | e.IrregularityStood | e.LateWagerAccepted) -> str:
    return f"by {event.role} {_person(event.person)}"


_WRITE: dict[type[Any], Callable[[Any], str]] = {
    e.RoundOpened: _opened,
    e.BetPlaced: _bet,
    e.BettingClosed: lambda v: (
        "bets closed" + ("" if v.meter_cents is None else f", meter {money.text(v.meter_cents)}")
    ),
    e.CardsDealt: _dealt,
    e.LightSeen: lambda v: f"light {v.colour}{', shuffle again' if v.reshuffle else ''}",
    e.RaisePlaced: lambda v: (
        f"seat {v.seat} raises {v.times}x into {v.spot}: {money.text(v.cents)}"
    ),
    e.Folded: _folded,
    e.Checked: lambda v: f"seat {v.seat} checks{_late(v)}",
    e.WagerTakenBack: lambda v: (
        f"seat {v.seat} takes back {v.spot}: {money.text(v.cents)}{_late(v)}"
    ),
    e.CardsTurned: lambda v: f"turn {v.place}: {c.text(v.cards)}",
    e.HandShown: lambda v: f"show seat {v.seat}: {c.text(v.cards)}",
    e.LateWagerAccepted: lambda v: (
        f"seat {v.seat} has {v.spot} {money.text(v.cents)}, found late, {_by(v)}"
    ),
    e.HandDied: lambda v: f"seat {v.seat} dead for {v.cause} {_by(v)}",
    e.MisdealCalled: lambda v: f"misdeal for {v.cause} {_by(v)}",
    e.IrregularityStood: lambda v: f"let stand for {v.cause} {_by(v)}",
    e.PayingBegan: lambda _: "pay",
}

# Reading --------------------------------------------------------------------------------------

_Match = re.Match[str]


def _cents(written: str | None) -> int | None:
    return None if written is None else int(money.cents(written))


def _sure_cents(written: str) -> int:
    return int(money.cents(written))


def _cards(written: str) -> tuple[Any, ...]:
    return tuple(None if each == c.HIDDEN else c.card(each) for each in written.split())


def _read_opened(found: _Match) -> e.RoundOpened:
    seats = re.findall(rf"(\d+) ({_PERSON})", found["seats"])
    partners = re.findall(r"partners ([\d+]+)", found["partners"])
    return e.RoundOpened(
        found["id"],
        found["sha"],
        {int(number): json.loads(person) for number, person in seats},
        _sure_cents(found["min"]),
        _cents(found["max"]),
        _cents(found["meter"]),
        found["shuffler"] is not None,
        tuple(tuple(int(each) for each in group.split("+")) for group in partners),
    )


def _read_bet(found: _Match) -> e.BetPlaced:
    pairs = [each.split(" ") for each in found[2].split(", ")] if found[2] != "nothing" else []
    wagers = {spot: _sure_cents(cents) for spot, cents in pairs}
    toke = wagers.pop("toke", 0)
    return e.BetPlaced(int(found[1]), wagers, toke)


def _who(found: _Match) -> tuple[str, str]:
    return found["role"], json.loads(found["person"])


_BY = rf"by (?P<role>{_NAME}) (?P<person>{_PERSON})"
_TIMED_OUT = r"(, timed out)?"

_READ: list[tuple[re.Pattern[str], Callable[[_Match], e.Event]]] = [
    (re.compile(pattern, re.ASCII), build)
    for pattern, build in (
        (
            (
                r"round (?P<id>\S+) rules (?P<sha>[0-9a-f]+) "
                rf"minimum (?P<min>{_MONEY})(?: maximum (?P<max>{_MONEY}))?"
                rf"(?: meter (?P<meter>{_MONEY}))?(?P<shuffler> shuffler)? "
                rf"seats (?P<seats>\d+ {_PERSON}(?:, \d+ {_PERSON})*)"
                r"(?P<partners>(?: partners [\d+]+)*)"
            ),
            _read_opened,
        ),
        (rf"seat (\d+) bets (nothing|{_NAME} {_MONEY}(?:, {_NAME} {_MONEY})*)", _read_bet),
        (rf"bets closed(?:, meter ({_MONEY}))?", lambda m: e.BettingClosed(_cents(m[1]))),
        (
            rf"deal ({_NAME})(?: (\d+))?: ({_CARDS})( face up)?",
            lambda m: e.CardsDealt(m[1], int(m[2] or 0), _cards(m[3]), m[4] is not None),
        ),
        (
            r"light (green|red)(, shuffle again)?",
            lambda m: e.LightSeen(m[1], m[2] is not None),
        ),
        (
            rf"seat (\d+) raises (\d+)x into ({_NAME}): ({_MONEY})",
            lambda m: e.RaisePlaced(int(m[1]), m[3], int(m[2]), _sure_cents(m[4])),
        ),
        (
            rf"seat (\d+) folds on street (\d+)(?:, tucked under ({_NAME}))?{_TIMED_OUT}",
            lambda m: e.Folded(int(m[1]), int(m[2]), m[3] or "", m[4] is not None),
        ),
        (
            rf"seat (\d+) checks{_TIMED_OUT}",
            lambda m: e.Checked(int(m[1]), m[2] is not None),
        ),
        (
            rf"seat (\d+) takes back ({_NAME}): ({_MONEY}){_TIMED_OUT}",
            lambda m: e.WagerTakenBack(int(m[1]), m[2], _sure_cents(m[3]), m[4] is not None),
        ),
        (rf"turn ({_NAME}): ({_CARDS})", lambda m: e.CardsTurned(m[1], _cards(m[2]))),
        (rf"show seat (\d+): ({_CARDS})", lambda m: e.HandShown(int(m[1]), _cards(m[2]))),
        (
            rf"seat (\d+) has ({_NAME}) ({_MONEY}), found late, {_BY}",
            lambda m: e.LateWagerAccepted(int(m[1]), m[2], _sure_cents(m[3]), *_who(m)),
        ),
        (
            rf"seat (\d+) dead for ({_NAME}) {_BY}",
            lambda m: e.HandDied(int(m[1]), m[2], *_who(m)),
        ),
        (rf"misdeal for ({_NAME}) {_BY}", lambda m: e.MisdealCalled(m[1], *_who(m))),
        (rf"let stand for ({_NAME}) {_BY}", lambda m: e.IrregularityStood(m[1], *_who(m))),
        (r"pay", lambda _: e.PayingBegan()),
    )
]
