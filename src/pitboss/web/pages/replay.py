"""A finished round, step by step, as one person saw it; the shuffle is checked in the page."""

from collections.abc import Iterable, Iterator

import msgspec
from msgspec.structs import replace
from starlette.responses import Response

from pitboss import round as rounds
from pitboss.cards import Card, card
from pitboss.house.luck import RoundLuck
from pitboss.house.people.permissions import may
from pitboss.house.replay import Adjustment, Replay, SeatReceipt, round_before, state_after
from pitboss.house.replay import receipts as every_receipt
from pitboss.house.replay import shared as shared_replay
from pitboss.house.storage import codec
from pitboss.house.table import felt
from pitboss.maths.luck import KINDS
from pitboss.web import guards
from pitboss.web.pages import coach, desk, rule_page
from pitboss.web.pages.coach import DecisionReview
from pitboss.web.pages.history import Replays, luck_by_card
from pitboss.web.pages.log_lines import LogLine, log_lines
from pitboss.web.pages.luck_words import StepShare, result_line, step_shares
from pitboss.web.pages.renderer import Page, templates
from pitboss.web.pages.round_versions import Version, version
from pitboss.web.pages.table_status import called_off
from pitboss.web.pages.visit import Visit
from pitboss.web.pages.what_if import what_if
from pitboss.web.pages.wins import best, capped, row_of, side_wager, won_alike
from pitboss.web.services import Services
from pitboss.wording import capital

Receipts = dict[int, SeatReceipt]
"""By seat."""


class CorrectedVersion(msgspec.Struct, frozen=True):
    """A version of the round as it was put right after payment, beside the one before."""

    adjustment: Adjustment
    before: Version
    after: Version


class Frame(msgspec.Struct, frozen=True):
    """A moment of a round at which something could be seen to happen."""

    number: int
    """How many events had happened."""
    line: LogLine
    decision: DecisionReview | None = None
    """What the seat whose view this is decided here."""


async def look(web: Services, visit: Visit) -> Page:
    """A finished round, step by step."""
    name = visit.path("round")
    found = await web.kept(Replays).read(web.house, name, visit.person.id)
    await web.may_watch(visit.person, name, found.seat)
    pit = found.seat is None and may(frozenset(visit.person.roles), "watch-floor")
    told = await web.house.look(every_receipt, web.house.archive, name) if pit else _own(found)
    return await _show(web, visit, found, f"/rounds/{found.round}", found.seat, told)


async def shared(web: Services, visit: Visit) -> Page:
    """The same, as the sharer saw it."""
    name, key = visit.path("round"), visit.path("key")
    found = await web.house.look(shared_replay, web.house.archive, name, key)
    return await _show(web, visit, found, f"/rounds/{found.round}/{key}", None, _own(found))


async def picture(web: Services, visit: Visit) -> Response:
    """The end of a shared round as a picture."""
    name, key = visit.path("round"), visit.path("key")
    found = await web.house.look(shared_replay, web.house.archive, name, key)
    drawn = felt.draw(found.book, found.state, found.names, found.seat, found.paid)
    template = templates().get_template("felt.svg")
    body = template.render(book=found.book, felt=drawn, headline=headline(found)).strip()
    return guards.guarded(Response(body, media_type="image/svg+xml"))


def headline(found: Replay) -> str:
    """Say what a shared round brought: the best win of the seat whose view it is, and its net
    where that is something else."""
    book, mine = found.book, next(each for each in found.paid.seats if each.seat == found.seat)
    net, line = book.signed(mine.net_cents), best(mine.lines)
    if line is None:
        return f"{capital(mine.hand) or book.game}: {net}"
    row = row_of(book, line)
    made = row.label if row is not None else capital(mine.hand)
    how = f"paid {line.odds}" if line.odds is not None else "won"
    cap = capped(book, line)
    wager, won = side_wager(book, line), won_alike(book, mine.lines, line)
    came = net if won == mine.net_cents else f"{book.signed(won)}, round {net}"
    told = f"{made} {how}{f', {cap}' if cap else ''}: {came}"
    return f"{wager}: {told}" if wager else told


def _own(found: Replay) -> Receipts:
    """Return the receipt of the seat whose view this is, and no other."""
    return {} if found.seat is None or found.receipt is None else {found.seat: found.receipt}


async def _show(
    web: Services, visit: Visit, found: Replay, here: str, me: int | None, receipts: Receipts
) -> Page:
    """Show a round to somebody at this seat; to others everybody in it has a name."""
    decisions = await web.house.look(coach.decisions, found)
    taken = await web.house.look(luck_by_card, found)
    steps = _frames(found, me, decisions)
    proof = web.house.safe.vouched(found.proof)
    decided = [step for step, frame in enumerate(steps, start=1) if frame.decision is not None]
    first = decided[0] if decided and me is not None else len(steps)
    given = visit.request.query_params.get("step", "")
    asked = int(given) if given.isascii() and given.isdigit() and len(given) < 6 else first
    at = max(1, min(asked, len(steps)))
    over = at == len(steps)
    stands, number = _standing(found), steps[at - 1].number
    first_paid = found.paid if number == len(found.events) else None
    state = stands.state if over else state_after(found, number)
    paid = stands.paid if over else first_paid
    drawn = felt.draw(found.book, state, found.names, found.seat, paid)
    decision, tried = steps[at - 1].decision, visit.request.query_params.get("if", "")
    pit = me is None and may(frozenset(visit.person.roles), "watch-floor")
    return Page(
        "replay.html",
        past=found,
        book=found.book,
        rules=rule_page.address(web.house.shelf, found.book),
        felt=drawn if me is not None else _shown(drawn),
        yours=me is not None,
        headline=headline(found) if me is None and found.seat is not None else "",
        site=str(visit.request.base_url).rstrip("/"),
        steps=steps,
        at=at,
        decision=decision,
        tried=tried,
        what_if=await web.house.look(what_if, found, decision, tried) if tried else None,
        decided=decided,
        over=over,
        misdeal=called_off(stands) if over else None,
        receipts=receipts if over else {},
        back=max((step for step in decided if step < at), default=1),
        on=min((step for step in decided if step > at), default=len(steps)),
        here=here,
        costs=[each.cost for each in decisions if each.cost is not None],
        luck=_step_shares(found, taken, steps) if taken is not None else [],
        kinds=KINDS,
        luck_line=result_line(found.book, taken) if me is not None else "",
        proof=codec.text(proof) if proof is not None else "",
        opened=_opened(found),
        signer=web.house.safe.signer,
        share=found.share if me is not None else None,
        put_right=list(_put_right(found)),
        stands=_stands(found),
        pit=pit,
        before=await web.house.look(round_before, web.house.archive, found.round) if pit else "",
        desk=f"/desk?{desk.query(found.book, desk.of_state(found.book, stands.state))}",
    )


def _step_shares(found: Replay, taken: RoundLuck, steps: list[Frame]) -> list[StepShare]:
    """Tell the result step by step; of a round that was put right all of it at the end."""
    last = len(steps)
    ends: dict[int, tuple[int, str]] = {}
    again = max((len(each.event.events) for each in found.adjusted), default=0)
    for number in range(1, max(len(found.events), again) + 1):
        at = next((step for step, each in enumerate(steps, 1) if each.number >= number), last)
        ends[number] = (last if found.adjusted else at), steps[at - 1].line.says
    return step_shares(taken, ends)


def _put_right(found: Replay) -> Iterator[CorrectedVersion]:
    """Return how the round was put right, each version beside the one before it."""
    before = version(found.book, found.state, found.paid.seats)
    for each in found.adjusted:
        after = version(found.book, _after(found, each), each.event.paid.seats)
        yield CorrectedVersion(each, before, after)
        before = after


def _after(found: Replay, adjustment: Adjustment) -> rounds.State:
    state = rounds.State()
    for event in adjustment.event.events:
        state = rounds.evolve(found.book, state, event)
    return state


def _standing(found: Replay) -> Replay:
    """Return the round with the end that stands: the last that was put right."""
    if not found.adjusted:
        return found
    last = found.adjusted[-1]
    return replace(found, state=_after(found, last), paid=last.event.paid)


def _stands(found: Replay) -> dict[int, int]:
    """Return what each seat came to in the version that stands, where that is not the first."""
    if not found.adjusted:
        return {}
    stands = {each.seat: each.net_cents for each in found.adjusted[-1].event.paid.seats}
    return dict.fromkeys(found.names, 0) | stands


def _opened(found: Replay) -> dict[int, Card]:
    """Return the cards of the sealed deck that are open now, by their places in it."""
    opened = found.proof.opened if found.proof is not None else {}
    return {place: card(written) for place, (written, _) in opened.items()}


def _shown(drawn: felt.Felt) -> felt.Felt:
    """Return a felt on which nobody is told that it is their turn: others look at it."""
    return replace(drawn, places=tuple(replace(place, due=False) for place in drawn.places))


def _frames(found: Replay, me: int | None, decisions: Iterable[DecisionReview]) -> list[Frame]:
    """Return the steps that have something to say, to somebody at this seat; the last is how the
    round stands."""
    events = (*found.events, *(each.event.paid for each in found.adjusted[-1:]))
    lines = [*log_lines(found.book, events, found.names, me, found.paid.round)]
    if found.adjusted:
        first, now = lines[-2:]
        lines[-2:] = (
            replace(first, heading="First paid", says=f"First paid: {first.says}"),
            replace(now, heading="Put right", says=f"As it was put right: {now.says}"),
        )
    decided = {each.number: each for each in decisions}
    told = [
        Frame(number, each, decided.get(number))
        for number, each in enumerate(lines, start=1)
        if each.says
    ]
    last = len(events)
    if told and told[-1].number == last:
        return told
    over = "The round is over."
    return [*told, Frame(last, LogLine(says=over, parts=(over,)))]
