"""A seat's receipt: what was journaled when it was paid, as sums that one can check.

Wagers that fared alike for the same reason stand together; nothing is settled again.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from pitboss.house.table.events import SeatPaid
from pitboss.rulebook import Rulebook
from pitboss.settle import Line, Reason, told
from pitboss.settle.caps import CAPS
from pitboss.settle.lines import WagerOutcome
from pitboss.wording import TIMES

_METERS = ("meter", "meter-shared")
_SHARED = ("cap-shared", "meter-shared")
_TAX = ("form", "held")
"""Reasons that are between a player and the tax desk: they are not about any one wager."""


class Why(msgspec.Struct, frozen=True):
    """A sentence, and its clauses."""

    says: str
    clause: str


class SumLine(msgspec.Struct, frozen=True):
    """A line of a sum: what it is, and what it comes to."""

    says: str
    clause: str
    cents: int


class Sharer(msgspec.Struct, frozen=True):
    """Somebody else who won a part of the same money."""

    seat: int
    name: str
    cents: int


class WagerGroup(msgspec.Struct, frozen=True, kw_only=True):
    """Wagers of a seat that fared alike for the same reason."""

    wagers: tuple[tuple[str, int], ...]
    """(title, stake in cents)."""
    outcome: WagerOutcome
    stake_cents: int
    net_cents: int
    """What the player is richer for it; the dealers are, where it is a toke."""
    toke: bool
    why: tuple[Why, ...]
    steps: tuple[SumLine, ...]
    """From what the pay table says to what was won, where there is something to work out."""
    shared_with: tuple[Sharer, ...]


def groups(
    book: Rulebook, mine: SeatPaid, everybody: Sequence[SeatPaid], names: Mapping[int, str]
) -> tuple[WagerGroup, ...]:
    """Return a seat's wagers as its receipt has them, in the order of their lines."""
    alike: dict[tuple[object, ...], list[Line]] = {}
    for line in mine.lines:
        reasons = tuple(_alike(book, why) for why in line.reasons if why.code not in _TAX)
        alike.setdefault((line.outcome, line.odds, reasons), []).append(line)
    others = [each for each in everybody if each.seat != mine.seat]
    return tuple(_group(book, several, others, names) for several in alike.values())


def _alike(book: Rulebook, why: Reason) -> object:
    """Return what reasons have in common by which wagers of a seat stand together."""
    return (why.code, why.facts["ceiling"]) if why.code in CAPS else told(book, why)


def deductions(book: Rulebook, mine: SeatPaid) -> tuple[SumLine, ...]:
    """Return what was withheld or held of a seat's winnings, and why."""
    found: dict[tuple[str, str], int] = {}
    for why in (why for line in mine.lines for why in line.reasons):
        if why.code == "form":
            said = told(book, why)
            found[said] = found.get(said, 0) + why.facts["withheld_cents"]
        elif why.code == "held":
            whole = {**why.facts, "won_cents": mine.held_cents}
            found[told(book, Reason(why.code, why.clause, whole))] = mine.held_cents
    return tuple(SumLine(says, clause, -cents) for (says, clause), cents in found.items())


def _group(
    book: Rulebook, lines: Sequence[Line], others: Sequence[SeatPaid], names: Mapping[int, str]
) -> WagerGroup:
    first = lines[0]
    plain = [why for why in first.reasons if why.code not in (*CAPS, "meter-shared", *_TAX)]
    stake = sum(line.stake_cents for line in lines)
    steps = tuple(_steps(book, lines, stake))
    return WagerGroup(
        wagers=tuple((book.wager_name(line.spot), line.stake_cents) for line in lines),
        outcome=first.outcome,
        stake_cents=stake,
        net_cents=sum(line.returned_cents for line in lines) - stake,
        toke=first.dealers,
        why=tuple(Why(*told(book, why)) for why in plain),
        steps=steps if len(steps) > 1 or len(lines) > 1 else (),
        shared_with=tuple(
            Sharer(seat, names[seat], cents)
            for why in first.reasons
            if why.code in _SHARED
            for seat, cents in _shares(why, others)
        ),
    )


def _steps(book: Rulebook, lines: Sequence[Line], stake: int) -> Iterator[SumLine]:
    """Work out what a group won: by odds or from the meter, then under each ceiling in turn."""
    first, left = lines[0], sum(line.nominal_cents for line in lines)
    if first.odds is not None and left:
        rounded = "" if first.odds * stake == left else ", in whole cents"
        factor = f"{first.odds.numerator}"
        factor += f"/{first.odds.denominator}" if first.odds.denominator > 1 else ""
        yield SumLine(f"{factor} {TIMES} {book.money(stake)}{rounded}", "", left)
    for at, why in enumerate(first.reasons):
        facts, clause = why.facts, told(book, why)[1]
        if why.code == "meter-shared":
            whole = f"{facts['part']} of the meter at {book.money(facts['meter_cents'])}"
            yield SumLine(whole, "", facts["nominal_cents"])
            left = facts["won_cents"]
            yield SumLine(f"Shared by {facts['claims']} claims", clause, left)
        elif why.code in CAPS:
            cap, won = book.cap[facts["ceiling"]], facts["nominal_cents"]
            whose = "the whole table" if cap.scope == "table" else "each player"
            shared = why.code == "cap-shared"
            division = cap.clause_on("division") if shared else ""
            rule = clause.removesuffix(division).removesuffix(", ")
            yield SumLine(f"Payout cap for {whose}", rule, facts["cap_cents"])
            if shared:
                says = f"Share of it: {book.money(won)} / {book.money(facts['total_cents'])}"
                yield SumLine(says, division, facts["share_cents"])
            part = sum(line.reasons[at].facts["won_cents"] for line in lines)
            if part != facts["share_cents"]:  # other wagers of the seat are under it, too
                says = f"Of that on these wagers: {book.money(left)} / {book.money(won)}"
                yield SumLine(says, "", part)
            left = part


def _shares(why: Reason, others: Iterable[SeatPaid]) -> Iterator[tuple[int, int]]:
    """Return what other seats got of the money that a reason is about."""
    for each in others:
        reasons = [reason for line in each.lines for reason in line.reasons]
        if why.code == "meter-shared":
            won = [r.facts["won_cents"] for r in reasons if r.code in _METERS]
        else:
            won = [r.facts["share_cents"] for r in reasons if _under(r, why.facts["ceiling"])]
        if won:
            yield each.seat, won[0]


def _under(why: Reason, ceiling: int) -> bool:
    return why.code == "cap-shared" and why.facts["ceiling"] == ceiling
