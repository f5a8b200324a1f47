"""The settle contract: one round as TOML or JSON in, its settlement as JSON out."""

from typing import Any

from msgspec.structs import asdict, replace

from pitboss.errors import Refused, Unreadable
from pitboss.money import Cents, chips
from pitboss.rulebook import Rulebook
from pitboss.settle.approvals import label
from pitboss.settle.explain import sentences
from pitboss.settle.file import format as file_format
from pitboss.settle.file import playthrough
from pitboss.settle.lines import Line, SeatSettlement, Settlement
from pitboss.settle.settlement import settle


def settle_file(text: str, place: str) -> tuple[Rulebook, Settlement]:
    """Settle the round in a file; whatever is wrong with it is named with its place."""
    try:
        book, raw = file_format.read(text)
        return book, settle_plain(book, raw)
    except Unreadable as error:
        raise Unreadable(error.message, f"{place}: {error.place}".removesuffix(": ")) from None
    except Refused as error:
        said = error.refusal
        raise Refused(replace(said, place=f"{place}: {said.place}".removesuffix(": "))) from None


def settle_plain(book: Rulebook, raw: dict[str, Any]) -> Settlement:
    """Settle a round of this book that is given as plain values, by the keys of a file."""
    file, piles = file_format.typed(book, raw)
    play = playthrough.play(book, file, piles)
    try:
        return replace(settle(book, play), untested=_untested(book, file))
    except Unreadable as error:  # a wager needs cards that were left out
        seats = enumerate(file.seat)
        hands = {f"seat {seat.seat}": f"seat[{index}].cards" for index, seat in seats}
        where = hands.get(error.place) or file_format.key(error.place)
        raise Unreadable(error.message, where) from None


def _untested(book: Rulebook, file: file_format.RoundFile) -> tuple[str, ...]:
    """Say what a table posts and the file leaves out, so that nothing was held against it."""
    rule = book.limits
    if file.maximum is not None or not rule.maximum_required:
        return ()
    says = f"A table here posts a maximum, and none is given: {book.ante.title} is held to none"
    return (f"{says} [{rule.clause_on('maximum_required')}]",)


def settlement_json(
    book: Rulebook, settlement: Settlement, denominations: tuple[Cents, ...] | None = None
) -> dict[str, Any]:
    """Return the settlement as the contract has it; with chips where denominations are given."""
    seats = [_seat_json(book, seat, denominations) for seat in settlement.seats]
    written = {**asdict(settlement), "notify": list(settlement.notify), "seats": seats}
    if settlement.meter_after_cents is None:
        del written["meter_after_cents"]
    del written["untested"]
    return written | ({"untested": list(settlement.untested)} if settlement.untested else {})


def _seat_json(
    book: Rulebook, seat: SeatSettlement, denominations: tuple[Cents, ...] | None
) -> dict[str, Any]:
    written = {
        **asdict(seat),
        "lines": [_line_json(book, line) for line in seat.lines],
        "approvals": [label(rule) for rule in seat.approvals],
        "forms": [asdict(form) for form in seat.forms],
        "paid_cents": seat.paid_cents,
    }
    if denominations is not None:
        stacks, left = chips(seat.payoff_cents, denominations)
        written["chips"] = {
            "payoff_cents": seat.payoff_cents,
            "stacks": [{"denomination_cents": d, "count": count} for d, count in stacks],
            "left_cents": left,
        }
    return written


def _line_json(book: Rulebook, line: Line) -> dict[str, Any]:
    odds = None if line.odds is None else str(line.odds)
    written = {**asdict(line), "odds": odds, "reasons": sentences(book, line)}
    del written["row"], written["dealers"]
    return written
