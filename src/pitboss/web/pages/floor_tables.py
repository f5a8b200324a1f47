"""A table of the pit as the floor sees it: what it waits for, and what this person may do there."""

import datetime
from collections.abc import Callable, Iterator

import msgspec
from markupsafe import Markup

from pitboss import round as rounds
from pitboss.house.house import House
from pitboss.house.people.permissions import may, roles_at
from pitboss.house.people.persons import Person
from pitboss.house.storage.projections import LoadedTable
from pitboss.house.table.corrections import late_refusal
from pitboss.house.table.deck_handling import cards_refusal
from pitboss.house.table.state import Sitter
from pitboss.house.table.unit_of_work import settled
from pitboss.house.views import table_view
from pitboss.money import MOST_CENTS
from pitboss.round import Seat
from pitboss.round import actions as a
from pitboss.round.machine import missing_grounds
from pitboss.round.state import TOKE
from pitboss.rulebook.base import PitRole
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.pit_rules import Misdeal
from pitboss.settle.caps import CAPS
from pitboss.web.pages import rule_page
from pitboss.web.pages.evidence import seat_name
from pitboss.web.pages.table_status import dead_words, status_line
from pitboss.wording import TIMES


class FloorSeat(msgspec.Struct, frozen=True):
    """A seat, in one line."""

    number: int
    sitter: Sitter
    stake_cents: int
    says: str
    """What it did, or is to do."""
    due: bool


class FloorTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table of the pit, live."""

    live: LoadedTable
    rules: str
    """Where its rule card is."""
    status: Markup
    """What it waits for."""
    seats: tuple[FloorSeat, ...]
    dealer: str
    cards: str
    """What is to be done with the cards; empty, where they are fit or none are real."""
    grounds: tuple[Misdeal, ...]
    """On which this person may call a misdeal now."""
    dead: tuple[tuple[int, str, str], ...]
    """Hands that they may declare dead now: seat, cause, in words."""
    late: tuple[tuple[int, str, str], ...]
    """Wagers that may be recorded as found late: seat, spot, in words."""
    capped: bool
    """The round that is being settled meets a payout cap."""
    forms: frozenset[str]
    """What else they may ask for here now."""


async def floor_table(house: House, live: LoadedTable, who: Person) -> FloorTable:
    table, book, now = live.table, live.book, house.clock()
    day = house.settings.day(now)
    roles = frozenset(roles_at(table, who) if table.practice else who.roles)
    lacking = cards_refusal(book, table, day) if _idle_cards(live) else None
    status = status_line(
        live, table_view(live, "", now), "", bet_down=False, over=None, since={}, day=day
    )
    dead, late = (tuple(find(live, roles, who.id)) for find in (dead_hands, late_finds))
    return FloorTable(
        live=live,
        rules=rule_page.address(house.shelf, book),
        status=status,
        seats=tuple(_seats(live)),
        dealer=(await house.person(table.dealer)).name or table.dealer if table.dealer else "",
        cards=lacking.message if lacking is not None else "",
        grounds=grounds(live, roles, who.id),
        dead=dead,
        late=late,
        capped=capped(live, day),
        forms=frozenset(
            [
                *(name for name, may_ask in _FORMS.items() if may_ask(live, roles, who.id)),
                *(["dead"] if dead else []),
                *(["late"] if late else []),
            ]
        ),
    )


def _seats(live: LoadedTable) -> Iterator[FloorSeat]:
    table = live.table
    due = rounds.due(live.book, table.round)
    for number, sitter in table.sitters.items():
        held = table.round.seats.get(number)
        lies = sum(held.stakes.values()) + held.toke_cents if held is not None else 0
        lies = 0 if number in table.paid else lies
        told: list[str] = []
        if held is not None:
            told += [f"{times}{TIMES}" for times in held.raises if times]
            told += ["folded"] if held.folded else []
            told += [dead_words(live.book, held.dead)] if held.dead else []
        told += ["to decide"] if number in due else []
        told += ["paid"] if number in table.paid else []
        told += ["barred"] if sitter.player.barred else []
        told += ["leaves"] if sitter.leaving else ["sits out"] if sitter.away else []
        yield FloorSeat(number, sitter, lies, ", ".join(told), number in due)


def grounds(live: LoadedTable, roles: frozenset[str], person: str) -> tuple[Misdeal, ...]:
    """Return the grounds on which somebody may call the round off now."""
    table, book = live.table, live.book
    can_be = table.round.phase in ("playing", "settling") and not table.paid
    if not can_be or _takes_part(live, person):
        return ()
    agreed = table.void.cause if table.void is not None and not table.void.seat else ""
    return tuple(
        rule
        for rule in book.misdeal
        if (any(book.allows(role, rule.by) for role in roles) or rule.cause == agreed)
        and not (rule.real_cards and table.locked)
        and not missing_grounds(book, table.round, rule)
    )


def dead_hands(
    live: LoadedTable, roles: frozenset[str], person: str
) -> Iterator[tuple[int, str, str]]:
    """Return the hands that somebody may declare dead now."""
    table, book = live.table, live.book
    for seat in table.round.seats if not _takes_part(live, person) else ():
        for rule in book.dead if seat not in table.paid else ():
            role = acting(live, roles, rule.by)
            asked = a.KillHand(seat, rule.cause, role, person)
            sealed = rule.real_cards and table.locked
            if role and not sealed and rounds.refusal(book, table.round, asked) is None:
                yield seat, rule.cause, f"{seat_name(table, seat)}, seat {seat}: {rule.says}"


def late_finds(
    live: LoadedTable, roles: frozenset[str], person: str
) -> Iterator[tuple[int, str, str]]:
    """Return what somebody may record as found late now: a wager of a seat in the round, or its
    toke, that can be of a size of which it was not."""
    table, book = live.table, live.book
    role = acting(live, roles, book.limits.late_by)
    if not role or _takes_part(live, person) or table.dealing != "entered":
        return
    for seat, held in table.round.seats.items():
        named = [*held.stakes, *([TOKE] if held.toke_cents else [])]
        for spot in named if seat not in table.paid else ():
            asked = (
                a.AcceptLate(seat, spot, cents, role, person) for cents in _sizes(book, held, spot)
            )
            if any(_stands(live, each) for each in asked):
                yield seat, spot, f"{seat_name(table, seat)}, seat {seat}: {book.wager_name(spot)}"


def _sizes(book: Rulebook, held: Seat, spot: str) -> Iterator[int]:
    """Return sizes of which a wager is found, if it can be of another than it was: a little more
    than lies there, or more than any limit; of a raise, all that are offered."""
    raised = next((step for step in book.streets if step.into == spot and step.times), None)
    if raised is not None:
        yield from (held.stakes[raised.of] * times for times in raised.every)
    else:
        yield {**held.stakes, TOKE: held.toke_cents}[spot] + 1
        yield MOST_CENTS


def _stands(live: LoadedTable, asked: a.AcceptLate) -> bool:
    no = rounds.refusal(live.book, live.table.round, asked)
    return no is None and late_refusal(live.book, live.table, asked) is None


def _takes_part(live: LoadedTable, person: str) -> bool:
    table = live.table
    players = (seat.person for seat in table.round.seats.values())
    return not table.practice and person in (*players, *table.dealers)


def acting(live: LoadedTable, roles: frozenset[str], by: tuple[PitRole, ...]) -> str:
    """Return the role in which somebody may do what these do: one that is named, if they can."""
    named = [role for role in by if role in roles]
    return next(iter([*named, *sorted(role for role in roles if live.book.allows(role, by))]), "")


def capped(live: LoadedTable, day: datetime.date) -> bool:
    """Whether the round that is being settled meets a payout cap."""
    if live.table.round.phase != "settling":
        return False
    lines = (line for seat in settled(live.book, live.table, day).seats for line in seat.lines)
    return any(why.code in CAPS for line in lines for why in line.reasons)


def _idle_cards(live: LoadedTable) -> bool:
    table = live.table
    return table.dealing == "entered" and not table.betting and not table.under_way


_May = Callable[[LoadedTable, frozenset[str], str], bool]


def _between(act: str) -> _May:
    return lambda live, roles, _who: may(roles, act) and not live.table.under_way


def _cards(act: str) -> _May:
    return lambda live, roles, _who: may(roles, act) and _idle_cards(live)


def _limits(live: LoadedTable, roles: frozenset[str], _who: str) -> bool:
    by = live.book.limits.changed_by
    able = any(live.book.allows(role, by) for role in roles) or "owner" in roles
    return able and may(roles, "change-limits") and not live.table.under_way


def _corrects(live: LoadedTable, roles: frozenset[str], who: str) -> bool:
    table = live.table
    if table.dealing != "entered" or table.round.phase not in ("playing", "settling"):
        return False
    mine = {role for group in live.book.corrections.before for role in group if role in roles}
    if _takes_part(live, who):
        return "dealer" in mine and who == table.dealer
    return bool(mine - {"dealer"})


_FORMS: dict[str, _May] = {
    "free": lambda live, roles, who: (
        may(roles, "free-seat")
        and not _takes_part(live, who)
        and any(not sitter.leaving for sitter in live.table.sitters.values())
    ),
    "limits": _limits,
    "partners": lambda live, roles, who: (
        _between("mark-partners")(live, roles, who) and len(live.table.sitters) > 1
    ),
    "bring": _cards("bring-cards"),
    "retire": lambda live, roles, who: (
        _cards("retire-cards")(live, roles, who) and bool(live.table.cards.decks)
    ),
    "shuffler": lambda live, roles, who: (
        _cards("change-shuffler")(live, roles, who) and live.book.deck.shuffler
    ),
    "tokes": lambda live, roles, who: (
        _between("drop-tokes")(live, roles, who) and bool(live.table.tokes_cents)
    ),
    "close": _between("close-table"),
    "correct": _corrects,
}
"""What somebody may ask for at a table besides, and when it can be done at all."""
