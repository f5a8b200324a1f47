"""The money of a round, told again: what moved, against what the second settlement says of it."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import msgspec

from pitboss.audit import resettle
from pitboss.audit.claim_checks import Claims
from pitboss.audit.paper_checks import paid_out
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


class MeterStory(msgspec.Struct):
    """A meter as rounds are put right: where it stands, and what the house put up on it for each of
    them, since it could not fall so far."""

    cents: int = 0
    put_up: dict[int, int] = {}

    def moves(self, number: int, grown: int, lowest: int) -> int:
        """Return by how much it moves where it had grown by so much more, or less."""
        before = self.put_up.get(number, 0)
        moves = max(0, grown - before) if grown > 0 else -min(-grown, max(0, self.cents - lowest))
        self.put_up[number] = before + moves - grown
        return moves


class TokesStory(msgspec.Struct):
    """What the dealers owe of tokes, and what of that was given up, as rounds are put right."""

    owed: dict[int, int] = {}
    given_up: dict[int, int] = {}

    def moves(self, number: int, grown: int) -> tuple[int, int]:
        """Return what more is owed where a round's tokes had grown by so much more, or less, and
        what comes to the box: nobody has the same toke twice."""
        if grown < 0:
            self.owed[number] = self.owed.get(number, 0) - grown
            return -grown, 0
        before = sum(self.owed.values())
        for sums, which in (
            (self.owed, [number]),
            (self.given_up, [number]),
            (self.owed, [*self.owed]),
        ):
            for each in which:
                part = min(grown, sums.get(each, 0))
                grown -= part
                sums[each] = sums.get(each, 0) - part
        return sum(self.owed.values()) - before, grown

    def hear(self, event: h.TokesDropped | h.TokesWrittenOff) -> None:
        left = event.owed_cents if isinstance(event, h.TokesDropped) else event.cents
        for number, cents in self.owed.items():
            part = min(left, cents)
            left -= part
            self.owed[number] = cents - part
            if isinstance(event, h.TokesWrittenOff):
                self.given_up[number] = self.given_up.get(number, 0) + part


class AdjustedMoney(msgspec.Struct):
    """What is known of a table, and of its players' debts, before a paid round is put right."""

    table: str
    practice: bool
    seated: Collection[str]
    """Patrons without an account who sit there now."""
    meter: MeterStory
    tokes: TokesStory
    claims: Claims
    released: Mapping[int, Counter[str]]
    """By seat: what more was won of winnings that were released (``out``), what more of it is tax
    (``tax``), and what more was won of those that were turned over: of what was held (``over``), of
    who had left (``gone``)."""


def adjusted_difference(
    known: AdjustedMoney,
    past: PastRound,
    both: tuple[resettle.RetoldRound, resettle.RetoldRound],
    event: h.RoundAdjusted,
    posted: Sequence[Posting],
) -> str:
    """Say where the money that moved when a paid round was put right is not the difference of the
    two settlements."""
    first, second = both
    table, practice, name = known.table, known.practice, f"{known.table}-{event.round}"
    want: Counter[str] = Counter()
    tokes = 0
    for number, person in past.people.items():
        more = known.released.get(number, Counter())
        chips = paid_out(second, number) - paid_out(first, number)
        chips += more["out"] - more["tax"] - more["gone"]
        held = _held(second, number) - _held(first, number) - more["out"] - more["over"]
        claim = known.claims.at(name, number, person, practice=practice)
        before = claim.cents
        kept, paid = claim.rises(max(0, held), max(0, chips))
        claim.cents += max(0, -chips) + max(0, -held)
        want[ledger.claims(person, practice=practice)] += claim.cents - before
        gone = person.startswith(NAMELESS) and person not in known.seated
        own = ledger.held if gone else ledger.chips  # nobody is there who could take chips
        want[own(person, practice=practice)] += paid
        want[ledger.held(person, practice=practice)] += kept
        want[ledger.tax(practice=practice)] += more["tax"]
        want[ledger.TURNED_OVER] += more["over"] + more["gone"]
        tokes += _tokes(second, number) - _tokes(first, number)
    owed, came = known.tokes.moves(event.round, tokes)
    want[ledger.claims(ledger.tokes(table), practice=practice)] += owed
    want[ledger.tokes(table)] += came
    withheld = (sum(s.withheld_cents for s in one.seats.values()) for one in (second, first))
    want[ledger.tax(practice=practice)] += next(withheld) - next(withheld)
    rule = past.book.progressive
    if rule is not None and event.meter_cents is not None:
        grown = (second.meter_cents or 0) - (first.meter_cents or 0)
        want[ledger.pool(table)] += known.meter.moves(event.round, grown, int(rule.reseed))
    moved: Counter[str] = Counter()
    for account, cents in posted:
        moved[account] += cents
    for account in sorted({*want, *moved} - {ledger.cage(practice=practice)}):
        if want[account] != moved[account]:
            return f"{account} moved by {moved[account]}, the difference is {want[account]}"
    put_up = known.meter.put_up.get(event.round, 0)
    same = event.lent_cents == put_up
    return "" if same else f"the house put up {put_up}, and {event.lent_cents} is said"


def _held(told: resettle.RetoldRound, number: int) -> int:
    seat = told.seats.get(number)
    return seat.held_cents if seat is not None else 0


def _tokes(told: resettle.RetoldRound, number: int) -> int:
    """Return what the dealers get of a seat's round."""
    seat = told.seats.get(number)
    if seat is None or seat.toke is None or seat.toke_goes_back:
        return 0
    return seat.toke.returned_cents
