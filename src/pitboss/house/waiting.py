"""What waits for somebody on the floor: one list, as data, of what they themselves may do.

Each kind of waiting is one function of ``KINDS``, which looks at one table with the eyes of one
person: to add a kind, write it and name it there. What is kept for people waits at no table, and is
told of by ``held``. Nothing is read or written here.
"""

import datetime
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from pitboss import money
from pitboss import round as rounds
from pitboss.house.paper_list import HeldSum
from pitboss.house.people.permissions import may
from pitboss.house.people.persons import ROLES
from pitboss.house.table import commands as c
from pitboss.house.table.deck_handling import cards_refusal, to_inspect
from pitboss.house.table.paperwork import lacks
from pitboss.house.table.payoffs import (
    PIT_ROLES,
    approval_refusal,
    in_house_order,
    notify_clause,
    unapproved,
)
from pitboss.house.table.state import CapNotice, Table, is_patron
from pitboss.round import actions as a
from pitboss.rulebook.base import PitRole
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.pit_rules import Approval
from pitboss.settle.approvals import needed
from pitboss.wording import capital, counted, holder, listed, spaced


class Way(msgspec.Struct, frozen=True):
    """A way to be done with it."""

    says: str
    """As a button says it."""
    command: c.Command
    """What the table is asked for."""


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """Something that waits for somebody."""

    kind: str
    table: str
    says: str
    """In a sentence."""
    clause: str = ""
    round: int = 0
    """Which it is about, where it is about one."""
    seat: int = 0
    """Likewise."""
    cents: int = 0
    """What is to be paid, where it is about a payoff."""
    since: int = 0
    """In milliseconds since 1970, UTC; 0 where it is not known."""
    until: int = 0
    """By when it is to be done, likewise; 0 where nobody says."""
    overdue: bool = False
    stands_in: bool = False
    """It is named for somebody else, for whom you may act."""
    ways: tuple[Way, ...] = ()
    """What you may ask for at once; where there is none, somebody has to see to the table, or to
    the papers."""


class TableLook(msgspec.Struct, frozen=True, kw_only=True):
    """A table, and who looks at it when."""

    book: Rulebook
    table: Table
    person: str
    roles: frozenset[str]
    """What they are at this table."""
    now: int
    day: datetime.date
    """The gaming day."""
    ends: Callable[[datetime.date], int]
    """When a gaming day is over."""
    since: Mapping[str, int] = {}
    """When it came to what is asked here: by ``payoff 1``, ``correction`` and so on."""
    played_by: Mapping[int, Rulebook] = {}
    """The rules of rounds that were paid: the table may have been opened with others since."""

    @property
    def pit(self) -> list[str]:
        """Their roles in the pit, in the order of the matrix."""
        return [role for role in PIT_ROLES if role in self.roles]

    @property
    def takes_part(self) -> bool:
        """They play or deal in the round."""
        players = (seat.person for seat in self.table.round.seats.values())
        return self.person in (*players, *self.table.dealers)

    def name(self, seat: int) -> str:
        sitter = self.table.sitters.get(seat)
        return f"{sitter.name}, seat {seat}" if sitter is not None else f"seat {seat}"


def waiting(looks: Iterable[TableLook], besides: Iterable[Task] = ()) -> list[Task]:
    """Return what waits for somebody at these tables and besides, the most pressing first."""
    found = (
        task for look in looks if not look.table.practice for kind in KINDS for task in kind(look)
    )
    return sorted((*found, *besides), key=_pressing)


def waiting_for_others(
    looks: Iterable[TableLook], besides: Iterable[Task], mine: Iterable[Task]
) -> list[Task]:
    """Return what else waits there for anybody, to be looked at by who neither plays nor deals
    there; why something is to be put right is for those who agree."""
    anybody = (
        replace(look, person="", roles=frozenset(ROLES)) for look in looks if not look.takes_part
    )
    known = {*map(_about, mine)}
    return [
        replace(task, says=task.says.partition(": ")[0]) if task.kind in _PUTS_RIGHT else task
        for task in waiting(anybody, besides)
        if _about(task) not in known and task.kind != "notice"  # of which everybody is told
    ]


_PUTS_RIGHT = ("correction", "adjustment")


def _about(task: Task) -> tuple[str, str, int, int]:
    return task.kind, task.table, task.round, task.seat


def _pressing(task: Task) -> tuple[object, ...]:
    never = 1 << 62
    later = task.until or never, task.since or never
    first = task.kind not in _FIRST
    return not task.overdue, task.stands_in, not task.ways, first, *later, task.table, task.kind


_FIRST = ("call", "correction", "adjustment", "void")
"""Somebody waits there, or nothing is paid before it is agreed to or taken back."""


# Each kind --------------------------------------------------------------------------------------

_ACTS = {"call-out": "Call out", "approve": "Approve", "verify": "Verify"}


def calls(look: TableLook) -> Iterator[Task]:
    """A dealer who waits for the floor."""
    call = look.table.call
    if call is not None and may(look.roles, "answer-floor"):
        why = f": {call.why}" if call.why else ""
        yield Task(
            kind="call",
            table=look.table.id,
            says=f"The dealer calls the floor{why}",
            since=call.at,
            ways=(Way("I am here", c.AnswerFloor()),),
        )


def payoffs(look: TableLook) -> Iterator[Task]:
    """Payoffs to call out, to approve or to verify."""
    book, table = look.book, look.table
    for seat in in_house_order(book, table.announced):
        asked = (c.ApprovePayoff(seat, role) for role in look.pit)
        mine = [each for each in asked if not approval_refusal(book, table, look.person, each)]
        if not mine:
            continue
        rules = {each.role: _rule_for(book, table, each) for each in mine}
        first = rules[mine[0].role]
        won = book.money(table.announced[seat])
        yield Task(
            kind="payoff",
            table=table.id,
            says=f"{_ACTS[first.act]} {won} for {look.name(seat)}",
            clause=first.cited,
            round=table.number,
            seat=seat,
            cents=table.announced[seat],
            since=look.since.get(f"payoff {seat}", 0),
            stands_in=not any(role in rule.by for role, rule in rules.items()),
            ways=tuple(
                Way(f"{_ACTS[rules[each.role].act]} as {spaced(each.role)}", each) for each in mine
            ),
        )


def forms(look: TableLook) -> Iterator[Task]:
    """Payoffs that wait for somebody's papers."""
    table, tax = look.table, look.book.tax
    for seat, due in table.forms.items():
        left = lacks(table, seat)
        if left and may(look.roles, "complete-form") and not look.takes_part:
            yield Task(
                kind="form",
                table=table.id,
                says=f"The payoff of {look.name(seat)} waits for {left}",
                clause=tax.clause_on("forms") or tax.cited,
                round=table.number,
                seat=seat,
                cents=sum(form.reportable_cents for form in due),
                since=look.since.get(f"form {seat}", 0),
            )


def _rule_for(book: Rulebook, table: Table, asked: c.ApprovePayoff) -> Approval:
    """Return what somebody in a role acts on: what names it comes first. Who did that before stands
    in for another then."""
    role, left = asked.role, unapproved(book, table, asked.seat)
    able = [rule for rule in left if book.allows(role, rule.by)] or [
        rule for rule in needed(book, table.announced[asked.seat]) if book.allows(role, rule.by)
    ]
    return next((rule for rule in able if role in rule.by), able[0])


def voids(look: TableLook) -> Iterator[Task]:
    """A payoff that somebody ruled void, to be agreed to."""
    first, table = look.table.void, look.table
    roles = [role for role in look.pit if first and role != first.role]
    if first is None or not roles or look.takes_part or look.person == first.person:
        return
    if first.seat:
        command: c.Command = a.KillHand(first.seat, first.cause, roles[0])
        what = f"the hand of {look.name(first.seat)} is dead"
    else:
        command, what = a.CallMisdeal(first.cause, roles[0]), "the round is a misdeal"
    rules = look.book.dead if first.seat else look.book.misdeal
    rule = next((each for each in rules if each.cause == first.cause), None)
    because = f": {rule.says}" if rule is not None else ""
    yield Task(
        kind="void",
        table=table.id,
        says=f"{capital(holder(first.role))} rules that {what}{because}",
        clause=rule.cited if rule is not None else "",
        round=table.number,
        seat=first.seat,
        since=look.since.get("void", 0),
        ways=(Way(f"Agree as {spaced(roles[0])}", command),),
    )


def corrections(look: TableLook) -> Iterator[Task]:
    """What somebody says was recorded wrongly of the round that lies there."""
    first, table = look.table.correction, look.table
    if first is None:
        return
    groups = look.book.corrections.before
    role = _agrees(look, groups, first.role, first.person)
    if not role or (look.takes_part and not (role == "dealer" and look.person == table.dealer)):
        return
    command = c.Correct(role, first.why, first.facts.seats, first.facts.piles)
    yield Task(
        kind="correction",
        table=table.id,
        says=f"{capital(holder(first.role))} asks for a correction: {first.why}",
        clause=look.book.rulings.corrections,
        round=table.number,
        since=look.since.get("correction", 0),
        ways=(Way(f"Agree as {spaced(role)}", command),),
    )


def adjustments(look: TableLook) -> Iterator[Task]:
    """The same of a round that was paid."""
    first, table = look.table.adjustment, look.table
    if first is None:
        return
    book = look.played_by.get(first.round, look.book)
    role = _agrees(look, book.corrections.after, first.role, first.person)
    if not role:
        return
    facts = first.facts
    command = c.CorrectPaid(role, first.why, facts.seats, facts.piles, round=first.round)
    asks = f"{capital(holder(first.role))} asks for a correction of paid round {first.round}"
    yield Task(
        kind="adjustment",
        table=table.id,
        says=f"{asks}: {first.why}",
        clause=book.rulings.adjustments,
        round=first.round,
        since=look.since.get("adjustment", 0),
        ways=(Way(f"Agree as {spaced(role)}", command),) if not table.under_way else (),
    )


def _agrees(look: TableLook, groups: Sequence[Sequence[PitRole]], said: str, by: str) -> str:
    """Return the role in which somebody may agree with what another said."""
    others = [group for group in groups if said not in group]
    able = [role for group in others for role in group if role in look.roles]
    return able[0] if able and look.person != by else ""


def notices(look: TableLook) -> Iterator[Task]:
    """Uses of a ceiling of which they must hear within the gaming day."""
    table = look.table
    for number, notice in table.notices.items():
        mine = [role for role in notice.waits_for if role in look.roles]
        book = look.played_by.get(number, look.book)
        if mine:
            yield Task(
                kind="notice",
                table=table.id,
                says=f"A payout cap was used in round {number} on {notice.day}{_cut(book, notice)}",
                clause=notify_clause(book),
                round=number,
                since=look.since.get(f"notice {number}", 0),
                until=look.ends(notice.day),
                overdue=look.day > notice.day,
                ways=tuple(
                    Way(f"Acknowledge as {spaced(role)}", c.AcknowledgeNotice(number, role))
                    for role in mine
                ),
            )


def _cut(book: Rulebook, notice: CapNotice) -> str:
    """Say what a ceiling was used for, in money."""
    pay = book.money
    return f": {pay(notice.paid_cents)} was paid of {pay(notice.won_cents)}"


def cards(look: TableLook) -> Iterator[Task]:
    """Cards to bring, to look at, to wash or to shuffle before the next round."""
    table = look.table
    if not table.open or table.dealing != "entered" or table.betting or table.under_way:
        return
    lacking = cards_refusal(look.book, table, look.day)
    if lacking is None:
        return
    act, ways = _CARE[lacking.code]
    mine = tuple(ways(look))
    if mine or (act and may(look.roles, act)):
        yield Task(
            kind="cards",
            table=table.id,
            says=capital(lacking.message),
            clause=lacking.clause,
            since=look.since.get("last", 0),
            ways=mine,
        )


def _inspects(look: TableLook) -> Iterator[Way]:
    role, colour = to_inspect(look.book, look.table, look.person, look.roles)
    if role:
        yield Way(f"{capital(colour)}: in order, as {spaced(role)}", c.InspectCards(role, colour))


def _washes(look: TableLook) -> Iterator[Way]:
    if may(look.roles, "wash-cards"):
        yield Way("The cards are washed", c.WashCards())


def _shuffles(look: TableLook) -> Iterator[Way]:
    if look.person == look.table.dealer:
        yield Way("The cards are shuffled", c.ShuffleCards())


def _nobody(_look: TableLook) -> Iterator[Way]:
    return iter(())


_CARE: dict[str, tuple[str, Callable[[TableLook], Iterator[Way]]]] = {
    "cards/new-day": ("bring-cards", _nobody),
    "cards/colours": ("bring-cards", _nobody),
    "cards/faulty": ("retire-cards", _nobody),
    "cards/not-inspected": ("", _inspects),
    "cards/not-washed": ("", _washes),
    "cards/not-shuffled": ("", _shuffles),
}
"""What is done about cards that are not fit: who must see to it, and what can be asked at once."""


def dealers(look: TableLook) -> Iterator[Task]:
    """A table that people deal, at which nobody does."""
    table = look.table
    by_people = table.open and table.dealing != "automatic" and not table.dealer
    if by_people and "dealer" in look.roles and table.seat_of(look.person) is None:
        yield Task(
            kind="dealer",
            table=table.id,
            says="Nobody deals at this table",
            since=look.since.get("last", 0),
            ways=(Way("Start dealing", c.StartDealing()),),
        )


def silent_seats(look: TableLook) -> Iterator[Task]:
    """Players who do not answer from their screens, where no clock decides for them: nothing is
    overdue, since the dealer minds the time there, and who has no screen says it to the dealer."""
    table, since = look.table, look.since.get("last", 0)
    silent = rounds.due(look.book, table.round) if not table.until else ()
    due = [seat for seat in silent if seat not in table.patrons]
    patience = since + 1000 * table.decision_seconds
    if due and since and look.now > patience and may(look.roles, "free-seat"):
        says = f"{capital(listed(map(look.name, due)))} {_HAVE[len(due) > 1]} not decided"
        yield Task(
            kind="silent-seat",
            table=table.id,
            says=says,
            clause=look.book.rulings.clock,
            round=table.number,
            seat=due[0],
            since=since,
        )


_HAVE = {False: "has", True: "have"}


def barred(look: TableLook) -> Iterator[Task]:
    """Somebody who may not sit at any table, and does."""
    for seat, sitter in look.table.sitters.items():
        frees = may(look.roles, "free-seat") and not look.takes_part
        if frees and sitter.player.barred and not sitter.leaving:
            command = c.FreeSeat(seat, sitter.person, "barred from the house")
            yield Task(
                kind="barred",
                table=look.table.id,
                says=f"{look.name(seat)}, is barred from the house",
                clause=look.book.tax.clause_on("held"),
                seat=seat,
                ways=(Way("Free the seat", command),),
            )


def red_lights(look: TableLook) -> Iterator[Task]:
    """A shuffler that shows red in the middle of a round."""
    state = look.table.round
    if state.light == "red" and may(look.roles, "close-table"):
        out = counted(state.dealt, "card") if state.dealt else "no card"
        yield Task(
            kind="red-light",
            table=look.table.id,
            says=f"The shuffler shows red with {out} out",
            clause=look.book.deck.clause_on("shuffler"),
            round=look.table.number,
            since=look.since.get("last", 0),
        )


KINDS: tuple[Callable[[TableLook], Iterator[Task]], ...] = (
    calls,
    payoffs,
    forms,
    voids,
    corrections,
    adjustments,
    notices,
    red_lights,
    silent_seats,
    barred,
    cards,
    dealers,
)
"""All that can wait for somebody at a table."""


# At no table ------------------------------------------------------------------------------------

_WHY_HELD = {"barred": ": they are barred", "papers": ": they have shown no papers"}


def held(
    sums: Iterable[HeldSum],
    person: str,
    roles: frozenset[str],
    since: Mapping[str, int],
    currency: str = "",
) -> Iterator[Task]:
    """Winnings that are kept, all of one person together: to be paid out, or turned over. ``since``
    says by the name of a round when it was paid."""
    whose: dict[str, list[HeldSum]] = {}
    for each in sums:
        whose.setdefault(each.held.person, []).append(each)
    for name, several in whose.items():
        oldest = min(several, key=lambda each: each.held.day)
        over = any(each.turned_over_to for each in several) and may(roles, "turn-over-held")
        out = oldest.waits_for != "barred" and may(roles, "release-held")
        if name != person and (out or over):
            cents = sum(each.held.cents for each in several)
            why = _WHY_HELD.get(oldest.waits_for, "")
            table, number, seat, *_ = oldest.held.id.split("-")
            whom = f"{oldest.name}, seat {seat}" if is_patron(name) else oldest.name
            yield Task(
                kind="held",
                table=table,
                says=f"{money.text(cents, currency)} is held for {whom}{why}",
                clause=oldest.clause,
                round=int(number),
                seat=int(seat),
                cents=cents,
                since=since.get(oldest.held.round, 0),
            )
