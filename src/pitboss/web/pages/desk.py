"""The dispute desk: a round as it was played, settled by the rules, with the reason of every line.

Nothing is written down here, and nothing of a live round is read: the address holds all of it, so
that it can be kept, sent and printed. An earlier version of the same round can stand beside it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlencode

import msgspec

from pitboss.cards import Card
from pitboss.errors import Refusal, Refused, Unreadable
from pitboss.house.receipt import SumLine, WagerGroup, deductions, groups
from pitboss.house.table.events import SeatPaid
from pitboss.house.table.payoffs import seat_paid
from pitboss.money import cents, chips, text
from pitboss.round import Seat, State
from pitboss.rulebook import Rulebook
from pitboss.rulebook.deal_script import SEATS, DecideStep
from pitboss.settle import SeatSettlement, Settlement
from pitboss.settle.file import settle_plain
from pitboss.settle.file.format import key
from pitboss.settle.prorate import SharedWin, prorated, read_odds, read_win
from pitboss.web import guards
from pitboss.web.pages import rule_page
from pitboss.web.pages.renderer import Page
from pitboss.web.pages.table_status import approvers
from pitboss.web.pages.visit import YES, Visit, ticked
from pitboss.web.services import Services
from pitboss.wording import TIMES, listed, spaced

LONGEST = 4_000
"""Letters of an address that are read as a round."""

ROUND = ("minimum", "maximum", "meter", "token", "date", "misdeal")
"""What is said of the whole round, by the keys of a file."""

MOST_WINS = 100
"""Wins among which a payout cap is shared."""

T = TypeVar("T")

BEFORE = "before"
"""The field that holds an earlier version of the round."""


class DeskSeat(msgspec.Struct, frozen=True):
    """What one seat is paid, with all that its receipt says."""

    seat: int
    hand: str
    paid: SeatPaid
    groups: tuple[WagerGroup, ...]
    deductions: tuple[SumLine, ...]
    stacks: str
    """The payoff in chips."""
    needs: str
    """Who must approve it."""
    approved: tuple[()] = ()
    change_cents: int | None = None
    """What it is paid more than in the version before; None where there is none."""


def query(book: Rulebook, raw: Mapping[str, Any]) -> str:
    """Write a round, given by the keys of a file, as the desk's address has it.

    >>> from pitboss import rulebook
    >>> seat = {"seat": 2, "ante": "5", "raises": [1, 0], "side": {"lo-ball": "1"}}
    >>> query(rulebook.load("diamond-jo-worth/cajun-stud"), {"board": "2c", "seat": [seat]})
    'rulebook=diamond-jo-worth%2Fcajun-stud&board=2c&2.ante=5&2.raise.1=1&2.raise.2=0&2.lo-ball=1'
    """
    fields = {"rulebook": book.id, **{name: raw[name] for name in raw if name != "seat"}}
    for seat in raw.get("seat", ()):
        number = seat["seat"]
        for name, value in seat.items():
            if name == "raises":
                told = {f"raise.{street}": times for street, times in enumerate(value, start=1)}
            else:
                told = value if name == "side" else {name: value}
            fields |= {f"{number}.{each}": said for each, said in told.items() if each != "seat"}
    return urlencode(fields)


def of_state(book: Rulebook, state: State) -> dict[str, Any]:
    """Return a round that was played as a file has it, as far as its cards were seen."""
    raw: dict[str, Any] = {"minimum": text(state.minimum_cents)}
    if state.maximum_cents is not None:
        raw["maximum"] = text(state.maximum_cents)
    if state.meter_cents is not None:
        raw["meter"] = text(state.meter_cents)
    if state.token_cents is not None:
        raw["token"] = text(state.token_cents)
    if any(rule.cause == state.misdeal for rule in book.misdeal):
        raw["misdeal"] = state.misdeal
    raw |= {key(place): _seen(pile) for place, pile in state.piles.items() if _seen(pile)}
    raw["seat"] = [dict(_played(book, seat)) for seat in state.seats.values()]
    return raw


def _seen(pile: Iterable[Card | None]) -> str:
    return " ".join(str(card) for card in pile if card is not None)


def _played(book: Rulebook, seat: Seat) -> Iterator[tuple[str, Any]]:
    yield "seat", seat.seat
    if seat.cards and None not in seat.cards:
        yield "cards", _seen(seat.cards)
    down = {spot: text(cents) for spot, cents in seat.stakes.items() if spot in book.placed}
    if book.ante.name in down:
        yield "ante", down.pop(book.ante.name)
    if down:
        yield "side", down
    if seat.raises:
        done = zip(seat.raises, book.streets, strict=False)
        yield "raises", [times or _stayed(step, seat) for times, step in done]
    if seat.toke_cents:
        yield "toke", text(seat.toke_cents)
    if seat.late:
        yield "accepted", True
    if seat.kept:
        yield "timed_out", True
    if seat.dead:
        yield "dead", seat.dead


def _stayed(step: DecideStep, seat: Seat) -> int | str:
    """Say by the keys of a file what a seat did that did not raise."""
    return 0 if step.times or step.into in seat.stakes else "take-back"


def written(book: Rulebook, fields: Mapping[str, str]) -> dict[str, Any]:
    """Return a round by the keys of a file: what is left empty is left out, seats without an Ante
    and cards are not there."""
    raw: dict[str, Any] = {"rulebook": book.id}
    piles = [key(pile) for pile in book.dealt if pile != SEATS]
    raw |= {name: fields[name] for name in (*ROUND, *piles) if fields.get(name)}
    seats = (dict(_seat(book, fields, number)) for number in range(1, book.seats.most + 1))
    raw["seat"] = [seat for seat in seats if len(seat) > 1]
    return raw


def _seat(book: Rulebook, fields: Mapping[str, str], number: int) -> Iterator[tuple[str, Any]]:
    yield "seat", number
    given = {name: fields.get(f"{number}.{name}", "") for name in ("cards", "ante", "toke", "dead")}
    yield from ((name, value) for name, value in given.items() if value)
    side = {spot: fields.get(f"{number}.{spot}", "") for spot in book.placed}
    side = {spot: value for spot, value in side.items() if value and spot != book.ante.name}
    if side:
        yield "side", side
    streets = range(1, len(book.streets) + 1)
    times = [fields.get(f"{number}.raise.{street}", "") for street in streets]
    while times and not times[-1]:
        times.pop()
    if times:
        yield "raises", [int(each) if re.fullmatch(r"\d{1,3}", each) else each for each in times]
    for box in ("accepted", "timed_out"):
        if ticked(fields, f"{number}.{box}"):
            yield box, True


def field_at(raw: Mapping[str, Any], place: str) -> str:
    """Return the field of the form that a place of the file is about.

    >>> field_at({"seat": [{"seat": 3, "raises": [1]}]}, "seat[0].raises[0]")
    '3.raise.1'
    >>> field_at({"seat": [{"seat": 3}]}, "seat[0].side.lo-ball"), field_at({}, "board")
    ('3.lo-ball', 'board')
    """
    found = re.fullmatch(r"seat\[(\d+)\]\.?(.*)", place)
    if found is None:
        return place
    seat = raw["seat"][int(found[1])]
    street = re.fullmatch(r"raises(?:\[(\d+)\])?", found[2])
    if street is not None:
        number = int(street[1]) if street[1] else len(seat.get("raises", ()))
        return f"{seat['seat']}.raise.{number + 1}"
    of_side = found[2].startswith("side[")  # which of them is not said
    name = found[2]
    if of_side:
        name = next((spot for spot, said in seat["side"].items() if not _is_money(said)), "")
    return f"{seat['seat']}.{name.removeprefix('side.') or 'ante'}"


def _is_money(said: str) -> bool:
    try:
        return cents(said) >= 0
    except Unreadable:
        return False


def _desk_seat(book: Rulebook, all_paid: list[SeatPaid], settled: SeatSettlement) -> DeskSeat:
    paid = seat_paid(book, settled)
    stacks, left = chips(settled.payoff_cents, book.chips)
    pieces = [f"{count} of {book.money(worth)}" for worth, count in stacks]
    pieces += [f"{book.money(left)} in coin"] if left else []
    return DeskSeat(
        seat=settled.seat,
        hand=settled.hand,
        paid=paid,
        groups=groups(book, paid, all_paid, {each.seat: "a player" for each in all_paid}),
        deductions=deductions(book, paid),
        stacks=listed(pieces),
        needs=listed(map(approvers, settled.approvals)),
    )


def _seats(book: Rulebook, settled: Settlement, before: Settlement | None) -> list[DeskSeat]:
    paid = [seat_paid(book, each) for each in settled.seats]
    found = [_desk_seat(book, paid, each) for each in settled.seats]
    if before is None:
        return found
    was = {each.seat: each.paid_cents for each in before.seats}
    return [
        msgspec.structs.replace(each, change_cents=each.paid.paid_cents - was.get(each.seat, 0))
        for each in found
    ]


async def look(web: Services, visit: Visit) -> Page:
    """The dispute desk: type a round in, and see what every wager is paid and why."""
    given = visit.request.query_params
    fields = {name: value.strip()[:200] for name, value in given.items()}
    fields[BEFORE] = given.get(BEFORE, "")[:LONGEST]
    shelf = web.house.shelf
    books = sorted(shelf.books, key=lambda book: (book.game, book.house))
    book = await rule_page.known(web, fields["rulebook"]) if fields.get("rulebook") else books[0]
    raw: dict[str, Any] = {}
    wrong, settled, before = None, None, None
    try:
        raw = written(book, fields)
        if raw["seat"]:
            settled = settle_plain(book, raw)
        elif "1.cards" in given:
            raise Unreadable("type what lay at one seat at least", "1.cards")
    except (Refused, Unreadable) as error:
        wrong = _refusal(error, raw)
    if settled is not None and fields[BEFORE]:
        try:
            before = settle_plain(book, written(book, dict(parse_qsl(fields[BEFORE]))))
        except (Refused, Unreadable) as error:
            wrong, settled, fields[BEFORE] = _amiss_before(error), None, ""
    piles = [(key(pile), book.place_name(pile)) for pile in book.dealt if pile != SEATS]
    return Page(
        "desk.html",
        guards.status(wrong) if wrong else 200,
        books=books,
        book=book,
        rules=rule_page.address(shelf, book),
        piles=piles,
        whole=[*ROUND, *(name for name, _ in piles)],
        sides=[spot for spot in book.placed.values() if spot.name != book.ante.name],
        streets=[(book.spots[step.into].title, _choices(step)) for step in book.streets],
        misdeals=[("", "no"), *((rule.cause, rule.says) for rule in book.misdeal)],
        dead=[("", "no"), *((rule.cause, rule.says) for rule in book.dead)],
        numbers=range(1, book.seats.most + 1),
        keeps=book.progressive is not None and book.progressive.timeout == "paid",
        yes=YES,
        fields=fields,
        wrong=wrong,
        settled=settled,
        seats=_seats(book, settled, before) if settled is not None else [],
        again=query(book, raw),
    )


async def prorate(web: Services, visit: Visit) -> Page:
    """A capped payout shared pro rata, as one shows it to a patron."""
    fields = {name: value.strip()[:LONGEST] for name, value in visit.request.query_params.items()}
    wrong, shared, cap = None, None, 0
    if fields.get("wins"):
        try:
            cap, shared = _shares(fields)
        except Unreadable as error:
            wrong = error
    return Page(
        "prorate.html",
        400 if wrong else 200,
        book=sorted(web.house.shelf.books, key=lambda book: book.id)[0],
        fields=fields,
        wrong=wrong,
        cap=cap,
        shared=shared,
        counted=sum(each.nominal_cents for each in shared or () if each.counted),
    )


def _shares(fields: Mapping[str, str]) -> tuple[int, tuple[SharedWin, ...]]:
    over = fields.get("over", "")
    cap = int(_read("cap", cents, fields.get("cap", "")))
    threshold = _read("over", read_odds, over) if over else None
    written = fields["wins"].replace(",", "").split()
    if len(written) > MOST_WINS:
        raise Unreadable(f"a payout cap is shared among {MOST_WINS} wins at most here", "wins")
    return cap, prorated(cap, [_read("wins", read_win, each) for each in written], threshold)


def _read(place: str, read: Callable[[str], T], written: str) -> T:
    try:
        return read(written)
    except Unreadable as error:
        raise error.at(place) from None


def _choices(step: DecideStep) -> list[tuple[str, str]]:
    """Return what a seat can have decided on a street; nothing, where it was not asked."""
    first, *others = step.otherwise
    raises = [(str(each), f"{each}{TIMES}") for each in step.every]
    return [("", ""), ("0", spaced(first)), *((each, spaced(each)) for each in others), *raises]


def _amiss_before(error: Refused | Unreadable) -> Refusal:
    """Say that an earlier version is amiss, which no field holds: nothing is compared with it."""
    said = guards.refusal(error)
    message = f"the earlier version of this round cannot be settled: {said.message}"
    return msgspec.structs.replace(said, message=message, place=BEFORE)


def _refusal(error: Refused | Unreadable, raw: Mapping[str, Any]) -> Refusal:
    said = guards.refusal(error)
    return msgspec.structs.replace(said, place=field_at(raw, said.place))
