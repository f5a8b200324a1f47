"""Papers: forms to complete, identities to take, winnings that are kept, what is owed, and forms on
paper."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Literal

import msgspec
from starlette.responses import Response

from pitboss import money
from pitboss.errors import Refusal, Refused, Unreadable, refuse
from pitboss.house.books.papers import Payee, Winner
from pitboss.house.paper_list import HeldSum, OwedSum
from pitboss.house.people.permissions import may
from pitboss.house.people.persons import Person
from pitboss.house.storage.projections import rulebook
from pitboss.house.table import commands as c
from pitboss.house.table.state import is_patron
from pitboss.rulebook.loader import explained
from pitboss.settle.finished_round import MOST_PARTS
from pitboss.web import guards
from pitboss.web.api import people
from pitboss.web.api.papers import look as at_the_desk
from pitboss.web.pages import rule_page
from pitboss.web.pages.renderer import Page, to
from pitboss.web.pages.visit import Visit
from pitboss.web.services import Services

WINNERS = ("2", "3", "4")
"""Others who win together with who is paid, as the form has room for."""


class Keeps(msgspec.Struct, frozen=True):
    """All that is kept for one person."""

    person: Person
    sums: tuple[HeldSum, ...]

    @property
    def name(self) -> str:
        return self.sums[0].name

    @property
    def cents(self) -> int:
        return sum(each.held.cents for each in self.sums)

    @property
    def waits_for(self) -> str:
        return self.sums[0].waits_for

    @property
    def days(self) -> int:
        return max(each.days for each in self.sums)

    @property
    def turned_over_to(self) -> str:
        """Who may get all of it; empty, if no one clause says so."""
        named = {each.turned_over_to for each in self.sums}
        return named.pop() if len(named) == 1 else ""


async def look(
    web: Services, visit: Visit, wrong: Refusal | None = None, at: str = ""
) -> Page | Response:
    """Forms to complete, winnings that are kept, what is owed, forms that were made out."""
    if not visit.person.id:
        return to("/sign-in")
    if not may(frozenset(visit.person.roles), "see-papers"):
        raise refuse("role/not-yours", "papers are for the cage and the floor")
    found = await at_the_desk(web, visit.person)
    people_: dict[str, list[HeldSum]] = {}
    for each in found.held:
        people_.setdefault(each.held.person, []).append(each)
    keeps = [Keeps(await web.house.person(who), tuple(sums)) for who, sums in people_.items()]
    known = {each.person: await web.house.person(each.person) for each in found.due}
    books = {each.table: (await web.house.table(each.table)).book for each in found.due}
    for each in found.held:
        if each.held.sha256 not in books:
            read = await web.house.look(rulebook, web.house.archive, each.held.sha256)
            books[each.held.sha256] = read
    return Page(
        "papers.html",
        guards.status(wrong) if wrong else 200,
        due=found.due,
        known=known,
        books=books,
        rules_of=partial(rule_page.address, web.house.shelf),
        keeps=keeps,
        claims=found.claims,
        sources=sources,
        forms=found.forms,
        wrong=wrong,
        at=at,
        winners=WINNERS,
        plain=money.text,
        money=partial(money.text, currency=web.house.shelf.currency),
    )


async def act(web: Services, visit: Visit) -> Page | Response:
    """Complete or hold what needs a form, identify, release or turn over, collect or write off."""
    where = visit.field("table") + visit.field("seat") or visit.field("person")
    try:
        await _done(web, visit)
    except (Refused, Unreadable) as error:
        said = guards.refusal(error)
        wrong = msgspec.structs.replace(said, place=_field_at(visit, said.place))
        return await look(web, visit, wrong, where)
    return await look(web, visit) if visit.part else to("/papers")


async def _done(web: Services, visit: Visit) -> None:
    do, why = visit.field("do"), visit.field("why")[:200]
    if do in ("complete", "hold"):
        command: c.Command = (
            c.CompleteForm(visit.number("seat"), _payee(visit), tuple(_winners(visit)))
            if do == "complete"
            else c.HoldPayoff(visit.number("seat"), why or "no papers")
        )
        table = visit.field("table")
        await web.house.command(table, visit.person.id, command, visit.key, session=visit.session)
        return
    if do == "write-off-tokes":
        off = c.WriteOffTokes(why)
        table = visit.field("table")
        await web.house.command(table, visit.person.id, off, visit.key, session=visit.session)
        return
    if do not in ACTS:
        raise Unreadable("this form asks for nothing that is done here", "do")
    if not why:
        raise Unreadable("say why", "why")
    await people.change(web, visit, visit.field("person")[:40], ACTS[do](visit, why), visit.key)


def _identify(visit: Visit, why: str) -> people.Identify:
    payee = _payee(visit)
    return people.Identify(payee.residence, True, bool(payee.tin), why, payee)


def _release(visit: Visit, why: str) -> people.ReleaseHeld:
    return people.ReleaseHeld(visit.number("cents"), why)


def _turn_over(visit: Visit, why: str) -> people.TurnOverHeld:
    return people.TurnOverHeld(visit.number("cents"), why)


def _collect(visit: Visit, why: str) -> people.CollectClaim:
    source = next((each for each in SOURCES if each == visit.field("source")), None)
    if source is None:
        raise Unreadable("say what it is taken from", "source")
    return people.CollectClaim(_amount(visit), why, source)


def _write_off(visit: Visit, why: str) -> people.WriteOffClaim:
    return people.WriteOffClaim(_amount(visit), why)


def _amount(visit: Visit) -> int:
    try:
        given = int(money.cents(visit.field("amount")))
    except Unreadable as error:
        raise Unreadable(str(error), "amount") from None
    if not given:
        raise Unreadable("say how much", "amount")
    return given


SOURCES: dict[Literal["cash", "held", "chips"], str] = {
    "cash": "money at the cage",
    "held": "held winnings",
    "chips": "their chips",
}
"""What a claim is collected from."""


def sources(claim: OwedSum) -> dict[str, str]:
    """Return those that somebody has: chips of who has no account are at a table or in a pocket."""
    patron = is_patron(claim.person)
    return {name: says for name, says in SOURCES.items() if name != "chips" or not patron}


ACTS: dict[str, Callable[[Visit, str], people.PersonAct]] = {
    "identify": _identify,
    "release": _release,
    "turn-over": _turn_over,
    "collect": _collect,
    "write-off": _write_off,
}
"""What a form asks for of somebody's record."""


_SHOWN = ("name", "address", "proof_1", "proof_2", "tin", "country")
"""Fields that are empty where nobody is meant."""


def _payee(visit: Visit, at: str = "") -> Payee:
    """Read whom a form is about; raises ``Unreadable`` with the field that is wrong."""
    given: dict[str, Any] = {
        name: visit.field(name + at) for name in ("name", "address", "residence", "tin", "country")
    }
    given["country"] = given["country"].upper()
    given["proofs"] = [proof for n in "12" if (proof := visit.field(f"proof_{n}{at}"))]
    try:
        return msgspec.convert(given, Payee)
    except msgspec.ValidationError as error:
        message, place = explained(Payee, str(error))
        field = place.removeprefix("$.").partition("[")[0].replace("proofs", "proof_1")
        raise Unreadable(_SAYS.get(field, message), field + at) from None


_FIELDS = {"payee": "name", "proofs": "proof_2", "winners": "name2"}
"""Where the form says what is wrong with the papers as a whole."""


def _field_at(visit: Visit, place: str) -> str:
    """Return the field of the form that a place of the command is about."""
    of_winner = re.fullmatch(r"winners\[(\d+)\]\.payee\.(\w+)", place)
    if of_winner is None:
        return _FIELDS.get(place, place)
    return _field_at(visit, of_winner[2]) + ("", *_others(visit))[int(of_winner[1])]


_SAYS = {
    "name": "a name has two to eighty letters",
    "address": "an address has two to 160 letters",
    "proof_1": "at least one proof of identity is written down",
    "tin": "a taxpayer's number has nine digits, such as 123-45-6789, or stays empty",
    "country": "a country is two letters, such as CA",
}


def _winners(visit: Visit) -> Iterator[Winner]:
    """Read who else wins; who is paid is the first of them."""
    others = _others(visit)
    if not others and visit.field("parts") not in ("", "1"):
        raise Unreadable("name who else wins: whoever wins alone has no parts", "name2")
    if others:
        yield Winner(_payee(visit), _parts(visit, ""))
    for at in others:
        yield Winner(_payee(visit, at), _parts(visit, at))


def _others(visit: Visit) -> list[str]:
    """Return where the form says something of others who win."""
    return [at for at in WINNERS if any(visit.field(name + at) for name in _SHOWN)]


def _parts(visit: Visit, at: str) -> int:
    parts = visit.number(f"parts{at}")
    if not 1 <= parts <= MOST_PARTS:
        raise Unreadable("somebody who wins together has one part or more", f"parts{at}")
    return parts
