"""What can happen to a record at all, told again: whoever may do a thing may still have written
down what no house ever does."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec.structs import asdict, replace

from pitboss.errors import Unreadable
from pitboss.house import settings
from pitboss.house.books.papers import FormRecord, HeldWinnings
from pitboss.house.people import permissions, persons
from pitboss.house.people.persons import Person
from pitboss.house.storage import codec
from pitboss.house.storage.store import MOST_CENTS
from pitboss.house.table.state import PATRON, is_patron
from pitboss.house.table.unit_of_work import AUTOMATIC, CLOCK
from pitboss.rulebook import Rulebook

KeptRow = Callable[[str, str], str | None]
"""What ought to be kept by now, by kind and name."""

NOBODY = (permissions.HOUSE, CLOCK, AUTOMATIC)
"""Names under which nobody in particular acts."""


def impossible(who: Person, actor: str, event: persons.PersonEvent) -> str:
    """Say why this never happens to the record of somebody, who is as they were before it."""
    if isinstance(event, persons.OwnEvent):
        return "somebody's record has neither settings nor rulebooks"
    if isinstance(event, persons.PersonAdded):
        return _newcomer(who.id, actor, event)
    if isinstance(event, persons.NameKept):
        return "" if _is_name(event.name) else f"nobody can be called {event.name}"
    if isinstance(event, persons.ChipEvent) and not 0 <= event.cents <= MOST_CENTS:
        return f"{event.cents} is no sum that anybody is given or gives"
    known = who.exists or is_patron(who.id)
    # The house has chips for bots, and at the console a secret for the first administrator.
    bot = who.id.startswith("bot-") and isinstance(event, persons.ChipsBought)
    own = actor == permissions.HOUSE and (bot or who.id == persons.FIRST)
    return "" if known or own else f"nobody knows {who.id}"


def _newcomer(name: str, actor: str, event: persons.PersonAdded) -> str:
    if name.startswith(persons.GUEST):
        alone = {*event.roles} <= {"guest"} and not (event.player.identified and actor == name)
        return "" if alone else "a guest comes in no role and without papers"
    if not _is_name(name):
        return f"nobody can be called {name}"
    return "" if actor != name else f"{name} let themselves in"


def _is_name(name: str) -> bool:
    theirs = name.startswith((persons.GUEST, PATRON, "bot-")) or name in NOBODY
    return persons.NAME.fullmatch(name) is not None and not theirs


def no_setting(event: persons.SettingChanged) -> str:
    """Say why a setting cannot be this. A zone is one for the computer that knows it."""
    try:
        if event.name != "timezone":
            settings.checked(event.name, event.value)
    except Unreadable as error:
        return str(error)
    return ""


# What is kept ------------------------------------------------------------------------------------


def misquoted(
    event: persons.PersonEvent, kept: KeptRow, books: Mapping[str, Rulebook]
) -> Iterator[str]:
    """Name what an entry says of winnings, debts and forms where it is not what is kept of them;
    sums are told again elsewhere. What is not known by now is passed over."""
    if isinstance(event, persons.HeldTurnedOver):
        for each in event.left:
            was = _held(kept, each.id)
            if was not in (None, each):
                yield each.id
    elif isinstance(event, persons.HeldReleased):
        for form in event.forms:
            was = _held(kept, form.id.removesuffix("-0"))
            if was is not None and not _about(form, was, event, books):
                yield form.id
    elif isinstance(event, persons.ClaimEvent):
        left = event.left if isinstance(event, persons.ClaimCollected) else ()
        for each in left:
            was = _held(kept, each.id)
            sums = {"cents": each.cents, "set_off_cents": each.set_off_cents}
            if was is not None and replace(was, **sums) != each:
                yield each.id
        for claim in event.claims:
            written = kept("claim", claim.id)
            now = {"cents": claim.cents, "written_off_cents": claim.written_off_cents}
            if written and replace(codec.claim(written), **now) != claim:
                yield claim.id


def _held(kept: KeptRow, name: str) -> HeldWinnings | None:
    written = kept("held", name)
    return codec.held(written) if written else None


def _about(
    form: FormRecord,
    was: HeldWinnings,
    event: persons.HeldReleased,
    books: Mapping[str, Rulebook],
) -> bool:
    ought: dict[str, Any] = {
        "state": "completed",
        "day": event.day,
        "person": was.person,
        "wager": was.wager,
        "staked_cents": was.staked_cents,
        "rulebook": was.rulebook,
        "house": books[was.sha256].house,
        "parts": (),
    }
    return {**asdict(form), **ought} == asdict(form)
