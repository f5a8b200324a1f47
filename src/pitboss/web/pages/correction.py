"""Putting a round right: as it was recorded and as it would be, what changes for whom, and who has
to agree. Before payment at its table, after it by the round's name."""

import datetime
from collections.abc import Sequence

import msgspec
from starlette.responses import Response

from pitboss import round as rounds
from pitboss.errors import Refusal, Refused, Unreadable, refuse
from pitboss.house.house import House
from pitboss.house.people.permissions import may
from pitboss.house.replay import finished
from pitboss.house.storage import codec
from pitboss.house.storage.past_rounds import past_round
from pitboss.house.storage.projections import LoadedTable
from pitboss.house.table import commands as c
from pitboss.house.table import events as h
from pitboss.house.table.corrections import (
    moved,
    nothing_changes,
    nothing_lies,
    paid_again,
    patrons_can_pay,
    posted_then,
    sealed,
)
from pitboss.house.table.evolve import evolve
from pitboss.house.table.payoffs import seat_paid
from pitboss.house.table.smallest_chip import facts_of_chips
from pitboss.house.table.state import unknown_round
from pitboss.house.table.unit_of_work import PastRound, settled
from pitboss.round import events as e
from pitboss.round.redo import Facts, redone, same_round
from pitboss.rulebook import Rulebook
from pitboss.rulebook.base import PitRole
from pitboss.settle.approvals import needed
from pitboss.web import guards
from pitboss.web.pages import correction_forms, rule_page
from pitboss.web.pages.evidence import seat_name
from pitboss.web.pages.renderer import Page, to
from pitboss.web.pages.round_versions import Version, version
from pitboss.web.pages.table_status import approvers
from pitboss.web.pages.visit import Visit
from pitboss.web.services import Services
from pitboss.wording import holder, listed

LONGEST = 8_000
"""Letters of facts in a form."""


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """The round that is put right, before payment or after it."""

    live: LoadedTable
    book: Rulebook
    """The rules in force in that round."""
    number: int
    events: tuple[e.Event, ...]
    past: PastRound | None
    """None until it is paid."""
    first: h.CorrectionAsked | h.AdjustmentAsked | None
    """What somebody has asked for."""
    groups: tuple[tuple[PitRole, ...], ...]
    clause: str
    here: str
    """The page's address."""
    names: dict[int, str]

    def command(self, role: str, why: str, facts: Facts) -> c.Command:
        if self.past is None:
            return c.Correct(role, why, facts.seats, facts.piles)
        return c.CorrectPaid(role, why, facts.seats, facts.piles, round=self.number)


class Preview(msgspec.Struct, frozen=True, kw_only=True):
    """What comes of putting it right."""

    says: tuple[str, ...]
    """Each fact, in words."""
    before: Version
    after: Version
    changes: dict[int, str]
    """What moves for each seat."""
    approve: tuple[str, ...]
    """What has to be approved, once more or for the first time."""
    waits: str
    """What the round waits for then; empty, where it is over."""


async def look(web: Services, visit: Visit) -> Page | Response:
    """A round that lies on the table, put right: before and after."""
    if not visit.person.id:
        return to("/sign-in")
    return await _page(web, visit, await _at_table(web, visit))


async def look_paid(web: Services, visit: Visit) -> Page | Response:
    """A round that was paid, put right: before and after."""
    if not visit.person.id:
        return to("/sign-in")
    return await _page(web, visit, await _paid(web, visit))


async def act(web: Services, visit: Visit) -> Page | Response:
    """Ask for a correction, agree to it or take it back."""
    return await _ask(web, visit, await _at_table(web, visit))


async def act_paid(web: Services, visit: Visit) -> Page | Response:
    """Ask for a correction of a round that was paid, agree to it or take it back."""
    return await _ask(web, visit, await _paid(web, visit))


async def _at_table(web: Services, visit: Visit) -> Case:
    _works_here(visit)
    live = await web.house.table(visit.path("table"))
    table, book = live.table, live.book
    if table.dealing != "entered" or table.round.phase not in ("playing", "settling"):
        raise nothing_lies(book.rulings.corrections)
    players = {seat.person for seat in table.round.seats.values()}
    _plays_not(visit, players, book.rulings.corrections)
    return Case(
        live=live,
        book=book,
        number=table.number,
        events=table.happened,
        past=None,
        first=table.correction,
        groups=book.corrections.before,
        clause=book.rulings.corrections,
        here=f"/floor/{table.id}/correct",
        names={seat: seat_name(table, seat) for seat in table.round.seats},
    )


async def _paid(web: Services, visit: Visit) -> Case:
    _works_here(visit)
    name, _, written = visit.path("round").rpartition("-")
    if not (written.isascii() and written.isdigit() and len(written) < 10):
        raise unknown_round(visit.path("round"))
    house, number = web.house, int(written)
    past = await house.look(past_round, house.archive, name, number)
    if past is None:
        raise unknown_round(visit.path("round"))
    live = await house.table(name)
    if not past.entered:
        raise sealed(past.book.rulings.adjustments)
    _plays_not(visit, {*past.people.values()}, past.book.rulings.adjustments)
    asked = live.table.adjustment
    return Case(
        live=live,
        book=past.book,
        number=number,
        events=past.events,
        past=past,
        first=asked if asked is not None and asked.round == number else None,
        groups=past.book.corrections.after,
        clause=past.book.rulings.adjustments,
        here=f"/rounds/{name}-{number}/correct",
        names=(await house.look(finished, house.archive, f"{name}-{number}")).seen_by(None).names,
    )


def _works_here(visit: Visit) -> None:
    if not may(frozenset(visit.person.roles), "watch-floor"):
        raise refuse("role/not-yours", "a round is put right by people who work in the pit")


def _plays_not(visit: Visit, players: set[str], clause: str) -> None:
    """Refuse who plays in it: what would be refused tells which cards lie face down."""
    if visit.person.id in players:
        raise refuse("role/takes-part", "nobody puts a round right that they play in", clause)


async def _ask(web: Services, visit: Visit, case: Case) -> Page | Response:
    facts = Facts()
    try:
        if visit.field("do") not in ("ask", "agree", "take-back"):
            raise Unreadable(_NOTHING, "do")
        if visit.field("do") != "take-back":
            facts = _facts(visit)
        same = case.first is not None and case.first.facts.same(facts)
        if visit.field("do") == "agree" and not same:
            message = "this is not asked for any more: look at the round as it stands now"
            raise refuse("command/late", message)
        why = visit.field("why")[:200] or (case.first.why if case.first is not None else "")
        if not why:
            raise Unreadable("say why, for the record", "why")
        command = case.command(visit.field("role")[:40], why, facts)
        name = case.live.table.id
        await web.house.command(name, visit.person.id, command, visit.key, session=visit.session)
    except (Refused, Unreadable) as error:
        return await _page(web, visit, case, facts, guards.refusal(error))
    deals = case.past is None and visit.person.id == case.live.table.dealer
    return to(f"/tables/{name}/deal" if deals else "/floor")


_NOTHING = "this form asks for nothing that is done here"


def _facts(visit: Visit) -> Facts:
    try:
        found: Facts = codec.command(Facts, visit.field("facts")[:LONGEST].encode())
    except Unreadable:
        raise Unreadable(_NOTHING, "facts") from None
    return found


async def _page(
    web: Services,
    visit: Visit,
    case: Case,
    facts: Facts | None = None,
    wrong: Refusal | None = None,
) -> Page | Response:
    house, mine = web.house, _roles(case, visit)
    first = case.first if mine else None  # it is for those who may agree
    known = correction_forms.recorded(case.book, case.events)
    asked = visit.request.query_params if mine else {}  # what is refused tells where a card lies
    given = {name: value.strip()[:60] for name, value in asked.items()}
    outcome, chosen = None, facts if mine else None
    if chosen is None and first is not None and not given:
        chosen = first.facts
    fields = {**known.fields, **given}
    try:
        if chosen is None and given:
            chosen = correction_forms.read_facts(case.book, known, given)
        if chosen is not None:
            fields = correction_forms.filled(known, chosen)
            outcome = _outcome(house, case, known, chosen, visit.person.id)
    except (Refused, Unreadable) as error:
        wrong = wrong or guards.refusal(error)
    if wrong is not None and chosen is not None:
        other = [name for name in fields if fields[name] != known.fields.get(name, "")]
        place = correction_forms.field_at(chosen, wrong.place)
        place = place or (other[0] if len(other) == 1 else "")  # it is nowhere but in what changed
        wrong = msgspec.structs.replace(wrong, place=place)
    same = first is not None and chosen == first.facts
    return Page(
        "correction.html",
        guards.status(wrong) if wrong else 200,
        case=case,
        first=first,
        book=case.book,
        rules=rule_page.address(house.shelf, case.book),
        fields=fields,
        recorded=known.fields,
        places=[(place, case.book.place_name(place)) for place in known.places],
        seats=known.seats,
        streets=[
            (case.book.spots[step.into].title, correction_forms.choices(step))
            for step in case.book.streets
        ],
        facts=codec.text(chosen) if chosen is not None else "",
        outcome=outcome,
        wrong=wrong,
        mine=mine,
        agrees=[role for role in mine if same and _other(case, role, visit.person.id)],
        asked_by_me=first is not None and first.person == visit.person.id,
        together=" together with ".join(
            listed([holder(role) for role in group], "or") for group in case.groups
        ),
    )


def _roles(case: Case, visit: Visit) -> list[str]:
    """Return the roles in which somebody may put this round right."""
    table, who = case.live.table, visit.person
    able: list[str] = [role for group in case.groups for role in group if role in who.roles]
    if case.past is None:
        players = {seat.person for seat in table.round.seats.values()}
        if who.id in players or (who.id in table.dealers and who.id != table.dealer):
            return []
        return [role for role in able if (role == "dealer") == (who.id == table.dealer)]
    part = {*case.past.people.values(), *case.past.dealers}
    return able if who.id not in part else []


def _other(case: Case, role: str, person: str) -> bool:
    """Whether this is another person in another role than who asked."""
    first = case.first
    assert first is not None
    group = next(group for group in case.groups if role in group)
    return first.role not in group and first.person != person


def _outcome(
    house: House, case: Case, known: correction_forms.RecordedFields, facts: Facts, person: str
) -> Preview:
    late = case.book.limits.late_by
    happened = redone(case.book, case.events, facts, (late[0] if late else "", person))
    if same_round(happened, case.events):
        raise nothing_changes(case.clause)
    posted = case.live.table if case.past is None else posted_then(case.past)
    facts_of_chips(case.book, posted, facts)
    if case.past is None:
        patrons_can_pay(case.book, case.live.table, happened, facts)
    day = house.settings.day(house.clock())
    before, after, changes = _moves(case, happened, facts, day)
    now = rounds.view(case.book, happened, None)
    over = now.phase in ("settling", "paying", "misdealt")
    return Preview(
        says=tuple(correction_forms.told(case.book, known, facts)),
        before=version(case.book, rounds.view(case.book, case.events, None), before),
        after=version(case.book, now, after),
        changes=changes,
        approve=tuple(_approvals(case, before, after)),
        waits="" if over else "the round goes on from there, and is dealt and decided to its end",
    )


def _moves(
    case: Case, happened: tuple[e.Event, ...], facts: Facts, day: datetime.date
) -> tuple[Sequence[h.SeatPaid], Sequence[h.SeatPaid], dict[int, str]]:
    """Return what seats are paid in both versions, and what that moves for each."""
    book, table = case.book, case.live.table
    money = book.money
    if case.past is not None:
        over_to = book.tax.turned_over_to
        again = paid_again(case.past, happened, case.clause)
        changes = {
            each.seat: "; ".join(
                f"{money(cents)} {words}"
                for cents, words in (
                    (each.chips_cents, "is paid to them"),
                    (max(0, each.claim_cents), "is claimed from them"),
                    (max(0, -each.claim_cents), "that they owe is owed no longer"),
                    (each.written_off_cents, "was written off before, and stays theirs"),
                    (each.held_cents, "is held for them"),
                    (max(0, each.withheld_cents), "more is withheld"),
                    (max(0, -each.withheld_cents), "less is withheld"),
                    (max(0, each.tokes_cents), "more goes to the dealers"),
                    (max(0, -each.tokes_cents), "less goes to the dealers"),
                    (max(0, each.turned_over_cents), "that was turned over was won after all"),
                    (max(0, -each.turned_over_cents), f"is asked back from {over_to}"),
                )
                if cents
            )
            for each in moved(table, case.past, again)
        }
        return case.past.paid.seats, again.seats, changes
    put_right = evolve(book, table, h.RoundCorrected(happened, (), facts, (), ""))
    before, after = (
        [seat_paid(book, each) for each in settled(book, one, day).seats]
        if one.round.phase == "settling"
        else []
        for one in (table, put_right)
    )
    was = {each.seat: each for each in before}
    changes = {}
    for each in after if before else ():
        first = was.get(each.seat)
        paid, held = (
            getattr(each, name) - (getattr(first, name) if first is not None else 0)
            for name in ("paid_cents", "held_cents")
        )
        moves = [f"{_more(book, paid)} is paid"] if paid else []
        moves += [f"{_more(book, held)} is held unless papers are shown"] if held else []
        changes[each.seat] = "; ".join(moves)
    return before, after, changes


def _more(book: Rulebook, cents: int) -> str:
    return f"{book.money(abs(cents))} {'more' if cents > 0 else 'less'}"


def _approvals(case: Case, before: Sequence[h.SeatPaid], after: Sequence[h.SeatPaid]) -> list[str]:
    """Say which payoffs have to be approved, and by whom, since they are not what they were."""
    if case.past is not None:
        return []  # who puts it right approves it by that
    was = {each.seat: each for each in before}
    said = []
    for each in after:
        won = sum(line.won_cents for line in each.lines if not line.dealers)
        rules = needed(case.book, won)
        if rules and was.get(each.seat) != each:
            who = listed(map(approvers, rules))
            said.append(f"{case.book.money(won)} at seat {each.seat}: {who}")
    gone = {seat for seat in case.live.table.announced if seat in was} - {x.seat for x in after}
    said += [f"seat {seat} wins nothing any more" for seat in sorted(gone)]
    return said
