"""What people owe of rounds that were put right, told a second time: a claim a round and seat."""

from collections import Counter
from collections.abc import Mapping

import msgspec

from pitboss.audit import resettle
from pitboss.audit.promises import SETTLED, Findings
from pitboss.house.people import persons


class RetoldClaim(msgspec.Struct):
    """What somebody owes of one round."""

    person: str
    practice: bool
    cents: int = 0
    written_off: int = 0

    def rises(self, kept: int, chips: int) -> tuple[int, int]:
        """Let what they get besides pay first what they owe, or owed until the house gave it up;
        return what is left of it, kept and in chips."""
        had = min(kept + chips, self.cents + self.written_off)
        paid = min(had, self.cents)
        self.cents -= paid
        self.written_off -= had - paid
        from_kept = min(kept, had)
        return kept - from_kept, chips - (had - from_kept)


class Claims:
    """What is owed in the whole house, or of one table's rounds where no others are heard."""

    def __init__(self, findings: Findings, only: str = "") -> None:
        self._check, self._only = findings.check, only
        self.known: dict[str, RetoldClaim] = {}

    def at(self, name: str, seat: int, person: str, *, practice: bool) -> RetoldClaim:
        return self.known.setdefault(f"{name}-{seat}", RetoldClaim(person, practice))

    def of(self, person: str) -> int:
        theirs = (x for x in self.known.values() if x.person == person and not x.practice)
        return sum(each.cents for each in theirs)

    def paid(
        self,
        name: str,
        told: resettle.RetoldRound,
        early: Mapping[int, resettle.RetoldSeat],
        *,
        practice: bool,
    ) -> None:
        """Hear what seats had too much that were paid while another waited."""
        for number, first in early.items():
            seat = told.seats.get(number)
            paid, held = (seat.paid_cents, seat.held_cents) if seat is not None else (0, 0)
            much = max(0, first.paid_cents - paid) + max(0, first.held_cents - held)
            self.at(name, number, first.person, practice=practice).cents += much

    def closed(self, person: str, event: persons.ClaimEvent) -> Counter[str]:
        """Hear what was collected or given up; return how much of which round."""
        found: Counter[str] = Counter()
        given_up = isinstance(event, persons.ClaimWrittenOff)
        whole = True
        for each in event.claims:
            if not each.id.startswith(self._only):
                whole = False
                continue
            claim = self.known.get(each.id)
            if claim is None or claim.person != person or not 0 <= each.cents < claim.cents:
                self._check(SETTLED, False, f"{each.id} is not owed by {person}")
                continue
            part = claim.cents - each.cents
            claim.cents, claim.written_off = each.cents, claim.written_off + part * given_up
            same = claim.written_off == each.written_off_cents
            self._check(SETTLED, same, f"{each.id} was written off otherwise")
            found[each.id.rpartition("-")[0]] += part
        why = f"{event.cents} was collected or given up, and {sum(found.values())} closed"
        self._check(SETTLED, sum(found.values()) == event.cents or not whole, why)
        return found
