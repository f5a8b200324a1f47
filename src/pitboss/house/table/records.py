"""Records for the tax desk, from what is paid: forms that were made out, winnings that are kept."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from pitboss.house.books.papers import (
    LEFT,
    FormRecord,
    HeldWinnings,
    Papers,
    ReleasedWinnings,
    RoundClaim,
    WinnersPart,
)
from pitboss.house.table import events as h
from pitboss.house.table.postings import in_chips, overpaid
from pitboss.house.table.state import Table
from pitboss.house.table.unit_of_work import PastRound, UnitOfWork
from pitboss.rulebook.model import Rulebook
from pitboss.settle import Form, Line, Player
from pitboss.settle.tax import TaxedWager, reportable, withheld
from pitboss.wording import listed

Taken = Mapping[int, h.PapersTaken]
"""By seat: papers that were shown, and who saw them."""


def written(
    book: Rulebook, entry: int, before: Table, unit: UnitOfWork, event: h.TableEvent
) -> tuple[list[FormRecord], list[HeldWinnings]]:
    """Return what one event of an entry adds; play chips are nobody's business."""
    if before.practice:
        return [], []
    if isinstance(event, h.RoundPaid):
        now = {each.seat: each for each in unit.events if isinstance(each, h.PapersTaken)}
        taken = {**before.papers, **now}
        forms = [*_forms(book, before.id, event, unit.people, taken)]
        return forms, [*_held(book, before.id, event, unit.people, before.paid)]
    if isinstance(event, h.RoundAdjusted) and unit.now.past is not None:
        past = unit.now.past
        return (
            [*_corrected(before.id, past, event)],
            [*_held_besides(past.book, before.id, past.paid, event, past.people, entry)],
        )
    return [], []


def wager_title(book: Rulebook, wager: str) -> str:
    """Name a wager as the tax desk does: the main wagers are one."""
    if wager != "main":
        return book.wager_name(wager)
    return listed(spot.title for spot in book.spot if spot.kind == "main")


# Forms ------------------------------------------------------------------------------------------


def _forms(
    book: Rulebook, table: str, paid: h.RoundPaid, people: Mapping[int, str], taken: Taken
) -> Iterator[FormRecord]:
    for seat in paid.seats:
        wagers: dict[str, list[Form]] = {}
        for form in seat.filed:
            wagers.setdefault(form.wager, []).append(form)
        name = f"{table}-{paid.round}-{seat.seat}"
        for several in wagers.values():
            yield from _of_wager(book, name, paid, people[seat.seat], several, taken[seat.seat])


def _of_wager(
    book: Rulebook,
    name: str,
    paid: h.RoundPaid,
    person: str,
    forms: list[Form],
    seen: h.PapersTaken,
) -> Iterator[FormRecord]:
    papers = seen.shown
    records = [
        FormRecord(
            id=f"{name}-{form.wager}-{form.winner}",
            form=form.form,
            state="completed",
            day=paid.date,
            person=person,
            payee=papers.of(form.winner),
            wager=wager_title(book, form.wager),
            staked_cents=form.staked_cents,
            reportable_cents=form.reportable_cents,
            withheld_cents=form.withheld_cents,
            by=seen.person,
            clause=form.clause,
            rulebook=book.id,
            house=book.house,
        )
        for form in forms
    ]
    yield from records
    if papers.winners:
        yield _statement(book, name, forms[0].wager, papers, records)


def _statement(
    book: Rulebook, name: str, wager: str, papers: Papers, records: list[FormRecord]
) -> FormRecord:
    """Return the statement of all who win a wager together."""
    first = records[0]
    return FormRecord(
        id=f"{name}-{wager}-shared",
        form=book.tax.form_shared,
        state=first.state,
        day=first.day,
        person=first.person,
        payee=papers.payee,
        wager=first.wager,
        staked_cents=sum(each.staked_cents for each in records),
        reportable_cents=sum(each.reportable_cents for each in records),
        withheld_cents=sum(each.withheld_cents for each in records),
        by=first.by,
        clause=book.tax.clause_on("form_shared") or first.clause,
        rulebook=book.id,
        house=book.house,
        parts=tuple(
            WinnersPart(each.payee, each.reportable_cents, each.withheld_cents) for each in records
        ),
    )


def _corrected(table: str, past: PastRound, event: h.RoundAdjusted) -> Iterator[FormRecord]:
    """Return forms that are others now, or are made out for the first time: one that is due no
    longer says nothing was won."""
    first, was, now = (
        {each.id: each for each in _forms(past.book, table, one, past.people, past.papers)}
        for one in (past.first, past.paid, event.paid)
    )
    for name in {**was, **now}:
        record = now.get(name) or _nothing(was[name])
        if record != was.get(name):
            yield replace(record, state="corrected" if name in {**first, **was} else "completed")
    released = (each.form for each in event.released if each.form is not None)
    yield from (form for form in released if form.state == "corrected")


def _nothing(record: FormRecord) -> FormRecord:
    parts = tuple(replace(each, cents=0, withheld_cents=0) for each in record.parts)
    return replace(record, reportable_cents=0, withheld_cents=0, parts=parts)


# Held winnings ----------------------------------------------------------------------------------


def _wagers(book: Rulebook, lines: Iterable[Line]) -> dict[str, list[Line]]:
    found: dict[str, list[Line]] = {}
    for line in lines:
        if not line.dealers:
            wager = "main" if book.is_main(line.spot) else line.spot
            found.setdefault(wager, []).append(line)
    return found


def _kept(lines: Iterable[Line]) -> int:
    return sum(line.won_cents for line in lines if _why(line))


def _why(line: Line) -> str:
    """Say why a line's winnings are held; nothing, if they are not."""
    return next((str(why.facts["why"]) for why in line.reasons if why.code == "held"), "")


def released_again(past: PastRound, seats: Iterable[h.SeatPaid]) -> tuple[ReleasedWinnings, ...]:
    """Return what was kept of a round and has left since, now that its seats are paid like this: by
    the tax rules of the day on which each was paid out, and by the papers of then."""
    now = {seat.seat: _wagers(past.book, seat.lines) for seat in seats}
    more = {seat.seat: in_chips(seat) for seat in seats}
    for seat in past.paid.seats:
        more[seat.seat] = more.get(seat.seat, 0) - in_chips(seat)
    left: dict[tuple[int, str], int] = {}
    found = []
    for each in past.released:
        lines, of = now.get(each.seat, {}).get(each.wager, []), (each.seat, each.wager)
        won = (
            each.cents + more[each.seat]
            if each.wager == LEFT
            else left.setdefault(of, _kept(lines))
        )
        cents = max(0, min(each.paid_cents, won))
        if each.wager == LEFT:
            more[each.seat] -= cents - each.cents
        else:
            left[of] -= cents
        form = _form_again(past.book, each.form, lines, cents) if each.form is not None else None
        found.append(replace(each, cents=cents, form=form))
    return tuple(found)


def _form_again(book: Rulebook, form: FormRecord, lines: list[Line], cents: int) -> FormRecord:
    whole = taxed(lines)
    due = reportable(book.tax, whole, form.day)
    winner = Player(residence=form.payee.residence, tin=bool(form.payee.tin))
    tax = withheld(whole, replace(whole, won_cents=cents), winner, form.day)
    again = replace(
        form,
        staked_cents=whole.staked_cents if due else form.staked_cents,
        reportable_cents=cents if due else 0,
        withheld_cents=tax if due else 0,
    )
    return form if again == form else replace(again, state="corrected")


def taxed(lines: Iterable[Line]) -> TaxedWager:
    """Return what decides whether the winnings of a wager need a form."""
    lines = [*lines]
    return TaxedWager(
        won_cents=sum(line.won_cents for line in lines),
        staked_cents=sum(line.stake_cents for line in lines),
        dropped_cents=sum(
            line.stake_cents for line in lines if line.returned_cents == line.won_cents
        ),
    )


def held_names(
    past: PastRound, name: str, entries: Iterable[int]
) -> Iterator[tuple[int, str, str]]:
    """Return what winnings of a round of this name may be called that are kept, with their seat and
    wager; ``entries`` put the round right."""
    for seat in past.people:
        for entry in entries:
            yield seat, LEFT, f"{name}-{seat}-{LEFT}-{entry}"
        player = past.paid.players.get(seat)
        if player is not None and (player.barred or not player.identified):
            for wager in ("main", *(spot.name for spot in past.book.spot if spot.kind != "main")):
                first = f"{name}-{seat}-{wager}"
                for each in (first, *(f"{first}-{entry}" for entry in entries)):
                    yield seat, wager, each


def _held(
    book: Rulebook,
    table: str,
    paid: h.RoundPaid,
    people: Mapping[int, str],
    early: Mapping[int, h.SeatPaid],
) -> Iterator[HeldWinnings]:
    """Return what is kept; of a seat that was paid while another waited, what was kept then too
    much stays kept, and is a claim."""
    for seat in paid.seats:
        wagers = _wagers(book, seat.lines)
        before = _wagers(book, early[seat.seat].lines) if seat.seat in early else {}
        left = max(0, sum(map(_kept, before.values())) - sum(map(_kept, wagers.values())))
        for wager in {**wagers, **before}:
            lines, were = wagers.get(wager, []), before.get(wager, [])
            more = min(left, max(0, _kept(were) - _kept(lines)))
            left -= more
            cents, name = _kept(lines) + more, f"{table}-{paid.round}-{seat.seat}-{wager}"
            if cents:
                of = lines if _kept(lines) else were
                yield _item(book, name, people[seat.seat], paid, wager, of, cents)


def _held_besides(
    book: Rulebook,
    table: str,
    first: h.RoundPaid,
    event: h.RoundAdjusted,
    people: Mapping[int, str],
    entry: int,
) -> Iterator[HeldWinnings]:
    """Return what is kept besides, once a round was put right; what is kept too much is a claim."""
    before, now = (
        {seat.seat: _wagers(book, seat.lines) for seat in paid.seats}
        for paid in (first, event.paid)
    )
    for moved in event.seats:  # a seat may have no wager any more
        seat, left = moved.seat, moved.held_cents
        wagers = now.get(seat, {})
        for wager, lines in wagers.items():
            grown = _kept(lines) - _kept(before.get(seat, {}).get(wager, ()))
            cents = min(left, max(0, grown))
            left -= cents
            name = f"{table}-{event.round}-{seat}-{wager}-{entry}"
            if cents:
                yield _item(book, name, people[seat], event.paid, wager, lines, cents)
        if left:  # who has no account has left: what they were paid too little is kept, too
            lines = [line for each in wagers.values() for line in each]
            staked = sum(line.stake_cents for line in lines)
            yield HeldWinnings(
                id=f"{table}-{event.round}-{seat}-{LEFT}-{entry}",
                person=people[seat],
                day=event.paid.date,
                cents=left,
                wager="Put right after they left",
                won_cents=left,
                staked_cents=staked,
                dropped_cents=0,
                why="gone",
                rulebook=book.id,
                sha256=book.sha256,
            )


def _item(
    book: Rulebook,
    name: str,
    person: str,
    paid: h.RoundPaid,
    wager: str,
    lines: list[Line],
    cents: int,
) -> HeldWinnings:
    whole = taxed(lines)
    return HeldWinnings(
        id=name,
        person=person,
        day=paid.date,
        cents=cents,
        wager=wager_title(book, wager),
        won_cents=whole.won_cents,
        staked_cents=whole.staked_cents,
        dropped_cents=whole.dropped_cents,
        why=next(filter(None, map(_why, lines))),
        rulebook=book.id,
        sha256=book.sha256,
    )


# Claims -----------------------------------------------------------------------------------------


def claims(
    before: Table, unit: UnitOfWork, event: h.RoundPaid | h.RoundAdjusted
) -> dict[int, RoundClaim]:
    """Return by seat what is owed of a round once it is paid, or put right, where that changes."""
    past, at = unit.now.past, unit.now.at
    if isinstance(event, h.RoundPaid):
        return claims_when_paid(before, event, unit.people, at)
    return claims_after(before, past, event, at) if past is not None else {}


def claims_when_paid(
    table: Table, paid: h.RoundPaid, people: Mapping[int, str], at: int
) -> dict[int, RoundClaim]:
    """Return what seats had too much that were paid while another waited."""
    now = {each.seat: each for each in paid.seats}
    owed = {
        seat: overpaid(now.get(seat, h.SeatPaid(seat, "", (), 0)), was)
        for seat, was in table.paid.items()
    }
    return {
        seat: RoundClaim(
            id=f"{table.id}-{paid.round}-{seat}",
            person=people[seat],
            since=at,
            cents=cents,
            practice=table.practice,
        )
        for seat, cents in owed.items()
        if cents
    }


def claims_after(
    table: Table, past: PastRound, event: h.RoundAdjusted, at: int
) -> dict[int, RoundClaim]:
    found = {}
    for moved in event.seats:
        fresh = RoundClaim(
            id=f"{table.id}-{event.round}-{moved.seat}",
            person=moved.person,
            since=at,
            cents=0,
            practice=table.practice,
        )
        was = past.owed.get(moved.seat, fresh)
        now = replace(
            was,
            since=was.since if was.cents else at,
            cents=was.cents + moved.claim_cents,
            written_off_cents=was.written_off_cents - moved.written_off_cents,
        )
        if now != was:
            found[moved.seat] = now
    return found
