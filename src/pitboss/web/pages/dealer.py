"""The dealer's console: what to do next, cards, wagers and decisions of all seats, what to pay.

It shows what everybody at the table may see and no more: a card that lies face down is not shown to
who entered it either, nor greyed in the grid.
"""

import datetime

import msgspec
from starlette.responses import Response

from pitboss import round as rounds
from pitboss.cards import DECK, RANKS, SUITS
from pitboss.errors import Refused, Unreadable, refuse
from pitboss.house.people.permissions import may, roles_at
from pitboss.house.people.persons import Person
from pitboss.house.replay import FinishedRound, finished
from pitboss.house.storage.projections import LoadedTable
from pitboss.house.table.commands import SeatAction
from pitboss.house.table.corrections import can_undo
from pitboss.house.table.felt import Place, draw
from pitboss.house.table.state import Sitter, Table
from pitboss.house.table.unit_of_work import AUTOMATIC, settled
from pitboss.round import Option, Seat
from pitboss.rulebook import Rulebook
from pitboss.web import guards
from pitboss.web.pages import bet_form, rule_page
from pitboss.web.pages.bet_form import Field, TokeField, Wrong
from pitboss.web.pages.dealer_besides import Besides, Death, besides
from pitboss.web.pages.dealer_forms import asked
from pitboss.web.pages.dealer_payoffs import SeatPayoff, paid, payoffs
from pitboss.web.pages.dealer_prompt import DealerStep, entered, next_step, place_in_script, prompts
from pitboss.web.pages.renderer import Page, to
from pitboss.web.pages.round_versions import decided
from pitboss.web.pages.table_forms import wrong_form
from pitboss.web.pages.table_status import called_off, credit_lines, dead_words
from pitboss.web.pages.visit import Visit
from pitboss.web.services import Services
from pitboss.wording import TIMES, listed, spaced

OTHERWISE_KEYS = {"fold": "0", "check": ".", "take-back": "-"}
"""On a number pad; a raise has the key of its multiple."""

GRID = tuple(
    tuple(DECK[4 * rank + SUITS.index(suit)] for rank in reversed(range(len(RANKS))))
    for suit in "shdc"
)
"""All cards, a suit a row."""

_CARE = ("replace-card", "retire-cards", "change-shuffler")
"""What is done with the cards that are in use."""

_UNPLACED = (
    *("start-dealing", "stop-dealing", "wash-cards", "call-out", "call-floor", "answer-floor"),
    *("patron", "void-buy-in", "colour-up", "unseat-patron", "kill-hand", "drop-tokes"),
    *("bring-cards", "inspect-cards", *_CARE),
)
"""What does not hang on how far the script has come."""

_IN_A_ROW = ("bet", "take-down", "void-buy-in", "colour-up", "unseat-patron", "kill-hand")
"""What is entered beside a seat."""


class SeatRow(msgspec.Struct, frozen=True):
    """A seat as its dealer works with it."""

    place: Place
    decisions: str
    """What it decided on each street."""
    bets: bool
    """The dealer may enter wagers for it now."""
    fields: tuple[Field, ...]
    toke: TokeField | None
    patron: Sitter | None
    """Who sits there, if they have no account."""
    deaths: tuple[Death, ...]
    """Why its hand may be dead."""
    wrong: Wrong | None
    """What was wrong with what was entered for it."""
    paid: bool
    """While another waits: nothing of its wagers lies there any more."""


def may_deal(table: Table, who: Person) -> bool:
    """Whether somebody may deal at a table: it is dealt by people, and they are one of those."""
    return (
        bool(who.id) and table.dealing != AUTOMATIC and may(roles_at(table, who), "start-dealing")
    )


def may_look_on(table: Table, who: Person) -> bool:
    """Whether somebody has something to do beside who deals (chips, cards, a call), and does not
    play there."""
    beside = bool(who.id) and table.dealing != AUTOMATIC and table.seat_of(who.id) is None
    return may_deal(table, who) or (beside and may(roles_at(table, who), "answer-floor"))


async def look(web: Services, visit: Visit) -> Page | Response:
    """What its dealer does next, with every seat."""
    if not visit.person.id:
        return to("/sign-in")
    return await _show(web, visit, await _found(web, visit))


async def act(web: Services, visit: Visit) -> Page | Response:
    """Deal, turn, enter wagers and decisions, pay."""
    live, wrong = await _found(web, visit), None
    table, who = live.table.id, visit.person.id
    try:
        command = asked(visit, live)
        if not isinstance(command, SeatAction):
            await _in_time(web, visit, live)
        moment = visit.field("moment")
        await web.house.command(table, who, command, visit.key, moment, visit.session)
    except (Refused, Unreadable) as error:
        wrong = wrong_form(visit, error)
    if not (wrong or visit.part):
        return to(f"/tables/{table}/deal")
    return await _show(web, visit, await web.house.table(table), wrong)


async def _found(web: Services, visit: Visit) -> LoadedTable:
    live = await web.table(visit.path("table"), visit.person)
    closed = not live.table.open and may(frozenset(visit.person.roles), "watch-floor")
    if not (closed or may_look_on(live.table, visit.person)):
        message = "this page is for the dealer of a table that people deal, and for the floor"
        raise refuse("role/not-yours", message)
    return live


async def _in_time(web: Services, visit: Visit, live: LoadedTable) -> None:
    """Refuse what was meant for another place in the script, unless it was done then."""
    if visit.field("do").partition(":")[0] in _UNPLACED or visit.field("at") == place_in_script(
        live.table
    ):
        return
    house, stream = web.house, f"table:{live.table.id}"
    if await house.look(house.archive.by_key, stream, visit.person.id, visit.key) is None:
        raise refuse("command/late", "the table has gone on")


# What it shows --------------------------------------------------------------------------------


async def _show(web: Services, visit: Visit, live: LoadedTable, wrong: Wrong | None = None) -> Page:
    book, table, house, who = live.book, live.table, web.house, visit.person
    day = house.settings.day(house.clock())
    roles = roles_at(table, who)
    step = next_step(book, table, who.id, day, roles)
    deals = table.dealer == who.id
    more = besides(book, table, who.id, roles)
    seen = rounds.view(book, table.happened, None)
    names = {number: sitter.name for number, sitter in table.sitters.items()}
    away = [number for number, sitter in table.sitters.items() if sitter.away]
    felt = draw(book, seen, names, None, away=away)
    last = await _last(web, live)
    over = last if not table.betting else None
    rows = [
        _row(live, place, wrong, more, last, deals=deals) for place in felt.places if place.name
    ]
    return Page(
        "deal.html",
        guards.status(wrong.refusal) if wrong and not visit.part else 200,
        book=book,
        rules=rule_page.address(house.shelf, book),
        table=table,
        seq=live.seq,
        step=step,
        at=place_in_script(table),
        prompts=prompts(book, step),
        deals=deals,
        undoes=deals and can_undo(table, who.id),
        dealer=(await house.person(table.dealer)).name if table.dealer else "",
        entered=entered(table),
        piles=felt.piles,
        rows=rows,
        current=next((row for row in rows if row.place.number == step.seat), None),
        choices=_choices(rounds.legal(book, seen, step.seat), table.sitters.get(step.seat)),
        keys=_keys(book),
        equal=listed(spot.title for spot in book.spot if spot.name in book.equal),
        cards_out=frozenset(card for card in DECK if seen.out >> card & 1),
        grid=GRID,
        down=any(seat.stakes for seat in table.round.seats.values()),
        payoffs=_payoffs(live, day) or (paid(over) if over else ()),
        misdeal=called_off(over.seen_by(None)) if over else None,
        besides=more,
        credits=credit_lines(table, book),
        caller=(await house.person(table.call.person)).name if table.call is not None else "",
        wrong=wrong,
        wrong_at=_wrong_at(step, rows, more, wrong),
    )


def _wrong_at(step: DealerStep, rows: list[SeatRow], more: Besides, wrong: Wrong | None) -> str:
    """Say where a refusal stands: at the cards, at the wagers of a seat, or under the step."""
    if wrong is None:
        return ""
    do = wrong.form.get("do", "")
    if do in ("deal", "turn") and step.does == do and step.goes:
        return "cards"
    shown = {"patron": more.patrons, **dict.fromkeys(_CARE, more.cards)}
    if shown.get(do):
        return do
    stands = (row.bets or do not in ("bet", "take-down") for row in rows if row.wrong)
    at_row = do in _IN_A_ROW and any(stands)
    return "row" if at_row else "step"


def _row(
    live: LoadedTable,
    place: Place,
    wrong: Wrong | None,
    more: Besides,
    last: FinishedRound | None,
    *,
    deals: bool,
) -> SeatRow:
    table, number = live.table, place.number
    of_row = wrong is not None and wrong.form.get("do", "").partition(":")[0] in _IN_A_ROW
    mine = wrong if wrong is not None and of_row and wrong.form.get("seat") == str(number) else None
    betting = table.betting and table.round.phase in ("new", "betting")
    bets = deals and entered(table) and betting and number in table.sitters
    held = table.round.seats.get(number)
    sitter = table.sitters.get(number)
    toke = bet_form.toke(live, mine) if bets else None
    if toke is not None and mine is None and held is not None and held.toke_cents:
        toke = msgspec.structs.replace(toke, value=bet_form.plain(held.toke_cents))
    return SeatRow(
        place=place,
        decisions=_decisions(live.book, held) if held is not None else "",
        bets=bets,
        fields=bet_form.fields(live, number, _last_bet(live, number, last), mine) if bets else (),
        toke=toke,
        patron=sitter if sitter is not None and sitter.patron else None,
        deaths=more.deaths.get(number, ()),
        wrong=mine,
        paid=number in table.paid,
    )


def _decisions(book: Rulebook, held: Seat) -> str:
    """Say what a seat did on each street; a hand that is dead, for which cause."""
    dead = [dead_words(book, held.dead)] if held.dead else []
    return ", ".join([*decided(book, held), *dead])


def _last_bet(live: LoadedTable, seat: int, last: FinishedRound | None) -> dict[str, str]:
    """Return what lay at a seat in the last round, as it stands ready to be bet again by who bet
    it: whoever has sat down there since begins with nothing."""
    sitter = live.table.sitters.get(seat)
    same = last is not None and sitter is not None and last.people.get(seat) == sitter.person
    paid = live.table.last.seats if live.table.last is not None and same else ()
    stakes = {
        line.spot: line.stake_cents for each in paid if each.seat == seat for line in each.lines
    }
    return {name: bet_form.plain(stakes[name]) for name in live.book.placed if name in stakes}


def _choices(options: tuple[Option, ...], sitter: Sitter | None) -> list[tuple[Option, str, str]]:
    """Return what a seat may decide: each with its words and its key, the least first; no raise
    for which too little lies before a patron."""
    most = sitter.chips_cents if sitter is not None and sitter.patron else None
    others = [
        (each, bet_form.WORDS[each.action][0], OTHERWISE_KEYS[each.action])
        for each in options
        if each.action in OTHERWISE_KEYS
    ]
    raises = [
        (each, f"Raise {each.times}{TIMES}", str(each.times))
        for each in options
        if each.action == "raise" and (most is None or (each.cents or 0) <= most)
    ]
    return others + raises


def _keys(book: Rulebook) -> list[tuple[list[str], str]]:
    """Return the keys of all decisions that this game has, with what they do."""
    ways = {way for step in book.streets for way in step.otherwise}
    raises = sorted({times for step in book.streets for times in step.every})
    found = [([key], spaced(way)) for way, key in OTHERWISE_KEYS.items() if way in ways]
    return [*found, *([(list(map(str, raises)), "raise")] if raises else [])]


async def _last(web: Services, live: LoadedTable) -> FinishedRound | None:
    """Return the last round, until the betting is closed again."""
    table, house = live.table, web.house
    if table.last is None or (table.under_way and not table.betting):
        return None
    name = f"{table.id}-{table.last.round}"
    return await house.look(finished, house.archive, name)


def _payoffs(live: LoadedTable, day: datetime.date) -> tuple[SeatPayoff, ...]:
    book, table = live.book, live.table
    return (
        payoffs(book, table, settled(book, table, day)) if table.round.phase == "settling" else ()
    )
