"""What may happen to the money, in the lab: the form, hours in figures and drawn, and the rest."""

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from pitboss.errors import Unreadable
from pitboss.lab.risk import Bankroll, Bonus
from pitboss.lab.risk_sheet import DrawnSpan, RiskRequest, RiskSheet
from pitboss.maths.price import HANDS_PER_HOUR
from pitboss.money import cents
from pitboss.rulebook import Rulebook
from pitboss.web.pages.lab_visit import LabVisit, ask
from pitboss.web.pages.visit import Visit
from pitboss.web.services import Services

T = TypeVar("T")


class SpanChart(msgspec.Struct, frozen=True):
    """Hours, drawn: bars from 0 to 100 across and up."""

    title: str
    least: str
    most: str
    bars: tuple[tuple[float, float, float, str, str], ...]
    """Where, how wide, how high, which side, and what it says."""
    even: float | None
    """Where neither wins, if that is drawn."""
    says: str


class RuinCurve(msgspec.Struct, frozen=True):
    """How ruin comes about, drawn."""

    points: str
    rounds: int
    most: str


def request(book: Rulebook, fields: Mapping[str, str], today: date) -> RiskRequest:
    """Read the form; ``Unreadable`` at the field that is to blame."""

    def read(name: str, kind: Callable[[str], T]) -> T | None:
        written = fields.get(name, "")
        if not written:
            return None
        try:
            return kind(written)
        except Unreadable as error:
            raise Unreadable(error.message, name) from None

    def sum_of(written: str) -> int:
        return int(cents(written, book.currency))

    start, goal = read("bankroll", sum_of), read("goal", sum_of)
    if goal is not None and start is None:
        raise Unreadable("a goal is reached from a bankroll: give that, too", "bankroll")
    given, turnover = read("bonus", sum_of), read("turnover", sum_of)
    if (given is None) != (turnover is None):
        missing = "bonus" if given is None else "turnover"
        raise Unreadable("a bonus has a turnover: give both", missing)
    deposit = read("deposit", sum_of) or 0
    if deposit and given is None:
        raise Unreadable("a deposit is what a bonus is paid on: give that, too", "bonus")
    until = read("until", _date) if book.progressive is not None else None
    return RiskRequest(
        hands_per_hour=read("hands", _whole(1, 1000)) or HANDS_PER_HOUR,
        bankroll=None if start is None else Bankroll(start, goal),
        seats=read("seats", _whole(1, book.seats.most)) or 1,
        bonus=None
        if given is None or turnover is None
        else Bonus(
            given,
            deposit,
            turnover,
            "ante" if fields.get("counts") == "ante" else "all",
        ),
        start=today if until is not None else None,
        until=until,
        hours_per_day=read("hours-per-day", _whole(1, 24)) or 12,
        tokens=read("tokens", _whole(1, 1000)) or 1,
    )


def _whole(least: int, most: int) -> Callable[[str], int]:
    def read(written: str) -> int:
        digits = written.isascii() and written.isdigit() and len(written) < 6
        if not digits or not least <= int(written) <= most:
            raise Unreadable(f"a whole number from {least} to {most:,}")
        return int(written)

    return read


def _date(written: str) -> date:
    try:
        return date.fromisoformat(written)
    except ValueError:
        raise Unreadable(f"{written[:20]!r} is not a date such as 2027-12-31") from None


async def shown(web: Services, visit: Visit, seen: LabVisit) -> dict[str, Any]:
    """Return the form, and what may happen."""
    book, fields = seen.book, seen.state.risk
    today = datetime.fromtimestamp(web.house.clock() / 1000, UTC).date()
    found: dict[str, Any] = {"fields": fields, "wrong": "", "amiss": "", "told": None}
    try:
        asked = replace(seen.asked, risk=request(book, fields, today))
        sheet: RiskSheet = await ask(web, visit, "risk", book, asked)
    except Unreadable as error:
        return {"risk": found | {"wrong": error.message, "amiss": error.place}}
    told = sheet.told
    spans = zip(told["spans"], sheet.drawn, strict=True)
    house = zip(told.get("house", {}).get("spans", ()), sheet.house, strict=True)
    found |= {
        "told": told,
        "charts": [_chart(book, *each) for each in spans],
        "house_charts": [_chart(book, *each) for each in house],
        "dates": _dates(told["jackpot"]) if "jackpot" in told else [],
        "curve": _curve(told["bankroll"]["curve"]) if "bankroll" in told else None,
    }
    return {"risk": found}


def _chart(book: Rulebook, span: Mapping[str, Any], drawn: DrawnSpan) -> SpanChart:
    least, most, bars = drawn.least_cents, drawn.most_cents, drawn.bars
    highest, wide = max(bars), (most - least) // len(bars)
    across = 100 / len(bars)
    made = []
    for at, chance in enumerate(bars):
        begin = least + at * wide
        side = "loss" if begin + wide <= 0 else "gain" if begin > 0 else "even"
        ends = f"{book.signed(begin)} up to {book.signed(begin + wide)}: {chance:.3%}"
        high = round(100 * chance / highest, 2)
        made.append((round(at * across, 3), round(across * 0.86, 3), high, side, ends))
    hours = f"{span['hours']:g} hour" + ("" if span["hours"] == 1 else "s")
    parts = span["percentiles_cents"]
    worst, half, best = (book.signed(parts[each]) for each in ("5", "50", "95"))
    return SpanChart(
        title=f"{hours}, {span['rounds']:,} rounds",
        least=book.signed(least),
        most=book.signed(most),
        bars=tuple(made),
        even=round(-100 * least / (most - least), 2) if least < 0 < most else None,
        says=f"{hours}: 5 of 100 end at {worst} or below, half at {half}, 95 at {best}",
    )


def _curve(points: list[dict[str, Any]]) -> RuinCurve:
    rounds, highest = points[-1]["rounds"], max(each["ruined"] for each in points) or 1.0
    drawn = [(0, 0.0), *((each["rounds"], each["ruined"]) for each in points)]
    said = (f"{100 * at / rounds:.2f},{40 - 38 * chance / highest:.2f}" for at, chance in drawn)
    return RuinCurve(" ".join(said), rounds, f"{highest:.2%}")


def _dates(told: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return when a jackpot is won: on average, and with which chance by then."""
    by = [(f"Won with {part} by", day) for part, day in told["dates"].items()]
    every = [("Won on average on", told["expected"]), *by]
    return [(title, day or "not in a hundred years") for title, day in every]
