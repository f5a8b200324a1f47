"""The money of a round, told again: what moved, against what the second settlement says of it."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from pitboss.audit import resettle
from pitboss.audit.patron_checks import NAMELESS
from pitboss.house.books import ledger
from pitboss.house.books.ledger import Posting
from pitboss.house.table import events as h
from pitboss.house.table.unit_of_work import PastRound


def round_difference(
    table: str,
    again: resettle.RetoldRound,
    early: Mapping[int, resettle.RetoldSeat],
    money: Counter[str],
    *,
    practice: bool,
) -> str:
    """Say where the money that moved in a round is not what the second settlement says; ``early``
    are seats that were paid while another waited, as they were settled then."""
    want: Counter[str] = Counter()
    for seat in again.seats.values():
        chips = ledger.chips(seat.person, practice=practice)
        want[chips] += seat.paid_cents - seat.staked_cents
        if seat.toke is not None and not seat.toke_goes_back:
            want[ledger.tokes(table)] += seat.toke.returned_cents
        want[ledger.held(seat.person, practice=practice)] += seat.held_cents
        want[ledger.tax(practice=practice)] += seat.withheld_cents
        first = early.get(seat.seat)
        if first is not None:  # what it had too much then is not taken back, but owed
            much = max(0, first.paid_cents - seat.paid_cents)
            kept = max(0, first.held_cents - seat.held_cents)
            want[chips] += much
            want[ledger.held(seat.person, practice=practice)] += kept
            want[ledger.claims(seat.person, practice=practice)] += much + kept
    grown = (again.meter_cents or 0) - (again.meter_before_cents or 0)
    want[ledger.pool(table)] += grown
    # What is left is the house's own: it pays from the rack, which the cage fills.
    house = {ledger.bank(table), ledger.cage(practice=practice)}
    for account in sorted({*want, *money} - house):
        if want[account] != money[account]:
            moved = money[account]
            return f"{account} moved by {moved}, a second settlement says {want[account]}"
    return ""


def adjusted_difference(
    table: str,
    past: PastRound,
    both: tuple[resettle.RetoldRound, resettle.RetoldRound],
    event: h.RoundAdjusted,
    posted: Sequence[Posting],
    *,
    practice: bool,
    seated: Collection[str],
) -> str:
    """Say where the money that moved when a paid round was put right is not the difference of the
    two settlements; ``seated`` are patrons without an account who sit there now."""
    first, second = both
    want: Counter[str] = Counter()
    for number, person in past.people.items():
        chips = _chips(second, number) - _chips(first, number)
        held = _held(second, number) - _held(first, number)
        gone = person.startswith(NAMELESS) and person not in seated
        own = ledger.held if gone else ledger.chips  # nobody is there who could take chips
        want[own(person, practice=practice)] += max(0, chips)
        want[ledger.held(person, practice=practice)] += max(0, held)
        owed = max(0, -chips) + max(0, -held)
        want[ledger.claims(person, practice=practice)] += owed
        tokes = _tokes(second, number) - _tokes(first, number)
        box = ledger.tokes(table)
        account = box if tokes > 0 else ledger.claims(box, practice=practice)
        want[account] += abs(tokes)
    withheld = (sum(s.withheld_cents for s in one.seats.values()) for one in (second, first))
    want[ledger.tax(practice=practice)] += next(withheld) - next(withheld)
    moved: Counter[str] = Counter()
    for account, cents in posted:
        moved[account] += cents
    house = {ledger.cage(practice=practice), ledger.pool(table)}
    for account in sorted({*want, *moved} - house):
        if want[account] != moved[account]:
            return f"{account} moved by {moved[account]}, the difference is {want[account]}"
    grown = (second.meter_cents or 0) - (first.meter_cents or 0)
    fed = moved[ledger.pool(table)]
    rule = past.book.progressive
    floor = rule is not None and (event.meter_cents or 0) <= int(rule.reseed)
    short = floor and grown < fed <= 0
    return "" if fed == grown or short else f"the meter moved by {fed}, not {grown}"


def _chips(told: resettle.RetoldRound, number: int) -> int:
    seat = told.seats.get(number)
    return seat.paid_cents - seat.staked_cents if seat is not None else 0


def _held(told: resettle.RetoldRound, number: int) -> int:
    seat = told.seats.get(number)
    return seat.held_cents if seat is not None else 0


def _tokes(told: resettle.RetoldRound, number: int) -> int:
    """Return what the dealers get of a seat's round."""
    seat = told.seats.get(number)
    if seat is None or seat.toke is None or seat.toke_goes_back:
        return 0
    return seat.toke.returned_cents
