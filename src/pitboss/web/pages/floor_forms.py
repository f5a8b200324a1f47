"""What the forms of the floor ask for, as commands to a table."""

from collections.abc import Callable

from pitboss.errors import Unreadable, refuse
from pitboss.house.people.persons import Person
from pitboss.house.storage import codec
from pitboss.house.storage.projections import LoadedTable
from pitboss.house.table import commands as c
from pitboss.house.table.payoffs import PIT_ROLES
from pitboss.money import cents
from pitboss.round import actions as a
from pitboss.web.api.types import names_colours
from pitboss.web.pages.floor_tables import acting
from pitboss.web.pages.visit import Visit

_NOTHING = "this form asks for nothing that is done here"

LONGEST = 8_000
"""Letters of a command in a form."""


def asked(visit: Visit, live: LoadedTable) -> c.Command:
    """Read what a form asks for; a ruling must be about the round that is being played now."""
    wanted = visit.field("do")
    if wanted not in _ASKED:
        raise Unreadable(_NOTHING, "do")
    command = _ASKED[wanted](visit, live)
    if isinstance(command, _OF_THE_ROUND) and visit.number("round") != live.table.number:
        message = "this was about another round: look at the table as it stands now"
        raise refuse("command/late", message, "", "round")
    if isinstance(command, c.ApprovePayoff):
        _meant(visit, live, command)
    return command


_OF_THE_ROUND = c.ApprovePayoff | c.Correct | a.CallMisdeal | a.LetStand | a.KillHand | a.AcceptLate


def _meant(visit: Visit, live: LoadedTable, command: c.ApprovePayoff) -> None:
    """Refuse to approve another sum than the one that was shown."""
    if visit.number("won") != live.table.announced.get(command.seat):
        message = f"seat {command.seat} does not win that any more: look at it as it stands now"
        raise refuse("command/late", message, "", "won")


def _way(visit: Visit, _live: LoadedTable) -> c.Command:
    """A way out of what waits: the command itself, as a program would ask for it."""
    try:
        found: c.Command = codec.command(c.Command, visit.field("command")[:LONGEST].encode())
    except Unreadable:
        raise Unreadable(_NOTHING, "command") from None
    return found


def _why(visit: Visit) -> str:
    why = visit.field("why")[:200]
    if not why:
        raise Unreadable("say why, for the record", "why")
    return why


def _roles(person: Person) -> frozenset[str]:
    return frozenset(person.roles)


def _money(visit: Visit, live: LoadedTable, name: str) -> int:
    given = visit.field(name).removeprefix(live.book.sign)
    try:
        return int(cents(given, live.book.currency))
    except Unreadable as error:
        raise error.at(name) from None


def _free(visit: Visit, _live: LoadedTable) -> c.FreeSeat:
    number, _, person = visit.field("seat").partition(" ")
    why = visit.field("why")[:200]
    if not (why and number.isdecimal()):
        raise Unreadable("say whose seat is freed, and why", "why")
    return c.FreeSeat(int(number[:9]), person[:60], why)


def _ruling_role(visit: Visit, live: LoadedTable, cause: str) -> str:
    """Return the role in which somebody rules on a round: another than that of who ruled first."""
    callers = next((rule.by for rule in live.book.misdeal if rule.cause == cause), ())
    said = live.table.void.role if live.table.void is not None else ""
    pit = [each for each in visit.person.roles if each in PIT_ROLES]
    roles = [each for each in pit if each != said] or pit
    able = (each for each in roles if live.book.allows(each, callers))
    return next(able, roles[0] if roles else "")


def _misdeal(visit: Visit, live: LoadedTable) -> a.CallMisdeal:
    cause = visit.field("cause")[:40]
    return a.CallMisdeal(cause, _ruling_role(visit, live, cause))


def _stands(visit: Visit, live: LoadedTable) -> a.LetStand:
    cause = visit.field("cause")[:40]
    return a.LetStand(cause, _ruling_role(visit, live, cause))


def _dead(visit: Visit, live: LoadedTable) -> a.KillHand:
    number, _, cause = visit.field("hand").partition(" ")
    rule = next((each for each in live.book.dead if each.cause == cause), None)
    if rule is None or not number.isdecimal():
        raise Unreadable("choose whose hand is dead, and why", "hand")
    role = acting(live, _roles(visit.person), rule.by)
    count = visit.number("count") if visit.field("count") else 0
    return a.KillHand(int(number[:9]), rule.cause, role, count=count)


def _late(visit: Visit, live: LoadedTable) -> a.AcceptLate:
    number, _, spot = visit.field("wager").partition(" ")
    if not number.isdecimal():
        raise Unreadable("choose which wager was found", "wager")
    role = acting(live, _roles(visit.person), live.book.limits.late_by)
    return a.AcceptLate(int(number[:9]), spot[:40], _money(visit, live, "cents"), role)


def _limits(visit: Visit, live: LoadedTable) -> c.ChangeLimits:
    maximum = _money(visit, live, "maximum") if visit.field("maximum") else None
    return c.ChangeLimits(_money(visit, live, "minimum"), maximum, _why(visit))


def _several(written: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in written.split(",") if each.strip())


def _partners(visit: Visit, _live: LoadedTable) -> c.MarkPartners:
    """Seats that play together are joined by a plus: ``1+2, 4+5``; nothing ends it."""
    groups = _several(visit.field("partners")[:80])
    seats = [[seat.strip() for seat in group.split("+")] for group in groups]
    if not all(seat.isdecimal() and len(seat) < 4 for group in seats for seat in group):
        raise Unreadable("join the seats of partners by a plus, such as 1+2, 4+5", "partners")
    return c.MarkPartners(tuple(tuple(map(int, group)) for group in seats), _why(visit))


def _bring(visit: Visit, _live: LoadedTable) -> c.BringCards:
    colours = _several(visit.field("colours")[:200])
    if not 0 < len(colours) <= 4:
        raise Unreadable("name the colour of each deck, such as red, blue", "colours")
    brought = c.BringCards(colours)
    names_colours(brought, "colours")
    return brought


def _shuffler(visit: Visit, _live: LoadedTable) -> c.ChangeShuffler:
    device, approval = (visit.field(f"shuffler_{each}")[:80] for each in ("device", "approval"))
    return c.ChangeShuffler(visit.answer("shuffler"), _why(visit), device, approval)


_ASKED: dict[str, Callable[[Visit, LoadedTable], c.Command]] = {
    "way": _way,
    "free": _free,
    "misdeal": _misdeal,
    "stands": _stands,
    "dead": _dead,
    "late": _late,
    "limits": _limits,
    "partners": _partners,
    "bring": _bring,
    "retire": lambda visit, _: c.RetireCards(_why(visit), visit.field("colour")[:200]),
    "shuffler": _shuffler,
    "tokes": lambda _, __: c.DropTokes(),
    "close": lambda visit, _: c.CloseTable(visit.field("why")[:200]),
}
"""What can be asked for on the floor, each with how its form is read."""
