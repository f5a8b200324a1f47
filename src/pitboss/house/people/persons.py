"""People: guests who play at once, and named people with roles.

What is known of a person is a fold over their own stream of the journal. Passwords are kept apart:
the journal only says that one was changed.
"""

import datetime
import re
from collections.abc import Callable
from typing import Literal, assert_never, get_args

import msgspec
from msgspec.structs import replace

from pitboss.errors import refuse
from pitboss.house.books.ledger import CAGE, TURNED_OVER, Posting, cage, chips, claims, held, tax
from pitboss.house.books.papers import FormRecord, HeldWinnings, Payee, RoundClaim
from pitboss.house.table.paperwork import complete
from pitboss.house.table.patrons import UNKNOWN
from pitboss.house.table.state import PATRON, is_patron
from pitboss.rulebook import base
from pitboss.settle import Player

Role = Literal["guest", "player", base.PitRole, "cage", "auditor", "administrator"]
"""The roles of the pit are those that rulebooks know."""
ROLES: tuple[str, ...] = get_args(Role)

NAME = re.compile(r"[a-z0-9][a-z0-9.-]{1,29}", re.ASCII)
FIRST = "admin"
"""The first administrator."""
GUEST = "guest-"
"""How the names of guests begin."""
RESERVED = (GUEST, PATRON, "bot-", "clock", "house", "automatic", "nobody", "roles")
STAFF = (
    *(role for role in ROLES if role not in ("guest", "player")),
    *("admin", "audit", "boss", "cashier", "director", "floor", "general", "manager"),
    *("pit-", "pitboss", "security", "shift", "staff", "supervisor"),
)
"""How names begin that no guest keeps: others, an administrator too, would take them for staff."""


class Person(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody the house knows."""

    id: str
    name: str = ""
    roles: tuple[Role, ...] = ()
    player: Player = UNKNOWN
    """What the tax desk knows."""
    payee: Payee | None = None
    """What their papers say, where they were taken down."""
    alias: str = ""
    """Of a guest, the name that they keep; of such a name, whose it is."""

    @property
    def exists(self) -> bool:
        return bool(self.roles) or bool(self.name) or bool(self.alias)

    @property
    def named(self) -> bool:
        """Whether the house has let them in by name; anybody may be a guest."""
        return not {"guest"}.issuperset(self.roles)

    @property
    def fleeting(self) -> bool:
        """Whether what they have can be reached in their session alone."""
        return self.id.startswith(GUEST) and not self.alias


class Recorded(msgspec.Struct, frozen=True, tag_field="event", forbid_unknown_fields=True):
    """What all events of people and of the house itself share."""


class PersonAdded(Recorded, frozen=True, tag="person-added"):
    """Somebody is known from now on."""

    name: str
    roles: tuple[Role, ...]
    player: Player = Player(identified=False, tin=False)
    why: str = ""


class RolesSet(Recorded, frozen=True, tag="roles-set"):
    """Somebody's roles are now these."""

    roles: tuple[Role, ...]
    why: str


class Barred(Recorded, frozen=True, tag="barred"):
    """Somebody may, or may no longer, sit down."""

    barred: bool
    why: str


class Identified(Recorded, frozen=True, tag="identified"):
    """The tax desk has seen, or misses, somebody's papers."""

    residence: Literal["us", "foreign"]
    identified: bool
    tin: bool
    """Has given a taxpayer identification number."""
    why: str
    payee: Payee | None = None
    """What their papers say."""


class PasswordSet(Recorded, frozen=True, tag="password-set"):
    """Somebody has a new password; all their sessions ended."""

    why: str = ""


class SessionsEnded(Recorded, frozen=True, tag="sessions-ended"):
    """Somebody was signed out wherever they were signed in."""

    why: str


class NameKept(Recorded, frozen=True, tag="name-kept"):
    """A guest goes by a name from now on: in the stream of that name, so that nobody else takes it,
    and at once in the guest's own, with a password."""

    name: str
    person: str


class ChipsBought(Recorded, frozen=True, tag="chips-bought"):
    """The cage gave out chips."""

    cents: int
    practice: bool
    why: str = ""


class ChipsCashed(Recorded, frozen=True, tag="chips-cashed"):
    """The cage took chips back."""

    cents: int
    why: str = ""


class HeldReleased(Recorded, frozen=True, tag="held-released"):
    """Winnings that were kept for somebody were paid out, by the tax rules of the day."""

    cents: int
    why: str
    day: datetime.date
    """The gaming day."""
    of: tuple[str, ...]
    """The winnings that were kept, each as a whole."""
    withheld_cents: int = 0
    forms: tuple[FormRecord, ...] = ()


class HeldTurnedOver(Recorded, frozen=True, tag="held-turned-over"):
    """Winnings that nobody claimed went where the house's rules send them."""

    cents: int
    why: str
    of: tuple[str, ...]
    to: str
    """Who has them now."""
    clause: str
    left: tuple[HeldWinnings, ...] = ()
    """What was kept until then."""


class ClaimCollected(Recorded, frozen=True, tag="claim-collected"):
    """Somebody gave back what they had been paid too much."""

    cents: int
    source: Literal["chips", "held", "cash"]
    """What it was taken from: their chips, what is kept for them, or money at the cage."""
    why: str
    left: tuple[HeldWinnings, ...] = ()
    """What is kept of winnings from which it was taken."""
    claims: tuple[RoundClaim, ...] = ()
    """What is still owed of what it closed, a round after the other."""


class ClaimWrittenOff(Recorded, frozen=True, tag="claim-written-off"):
    """The house gave up what somebody owed."""

    cents: int
    why: str
    claims: tuple[RoundClaim, ...] = ()
    """What is still owed of what it closed, a round after the other."""


class SettingChanged(Recorded, frozen=True, tag="setting-changed"):
    """A setting of the house is now this."""

    name: str
    value: str
    why: str


class RulebookAdopted(Recorded, frozen=True, tag="rulebook-adopted"):
    """A rulebook is on the house's shelf from now on, in place of an earlier one of its id."""

    rulebook: str
    sha256: str
    approved: datetime.date | None
    why: str


RecordEvent = PersonAdded | RolesSet | Barred | Identified | PasswordSet | SessionsEnded | NameKept
HeldEvent = HeldReleased | HeldTurnedOver
ClaimEvent = ClaimCollected | ClaimWrittenOff
ChipEvent = ChipsBought | ChipsCashed | HeldEvent | ClaimEvent
OwnEvent = SettingChanged | RulebookAdopted
"""What the house changes about itself."""
PersonEvent = RecordEvent | ChipEvent | OwnEvent


def evolve(person: Person, event: PersonEvent) -> Person:
    match event:
        case PersonAdded():
            return replace(person, name=event.name, roles=event.roles, player=event.player)
        case RolesSet():
            return replace(person, roles=event.roles)
        case Barred():
            return replace(person, player=replace(person.player, barred=event.barred))
        case Identified():
            papers = {name: getattr(event, name) for name in ("residence", "identified", "tin")}
            payee = event.payee or (person.payee if event.identified else None)
            return replace(person, player=replace(person.player, **papers), payee=payee)
        case NameKept():
            if person.id == event.name:
                return replace(person, alias=event.person)
            return replace(person, name=event.name, alias=event.name)
        case PasswordSet() | SessionsEnded():
            return person
        case ChipsBought() | ChipsCashed() | HeldReleased() | HeldTurnedOver():
            return person
        case ClaimCollected() | ClaimWrittenOff():
            return person
        case SettingChanged() | RulebookAdopted():
            return person
        case _:
            assert_never(event)


def papers_agree(person: Person, event: Identified) -> None:
    """Refuse to write down what contradicts what papers say: forms are made out by both."""
    if event.payee is not None:
        complete(event.payee, "")
    if event.payee is not None and not event.identified:
        message = "papers that say something were shown: say that they identify this person"
        raise refuse("person/papers", message, "", "identified")
    says = evolve(person, event).payee
    if says is not None and says.residence != event.residence:
        lives = "in the United States" if says.residence == "us" else "abroad"
        message = f"their papers say that they live {lives}: take them down anew if that is wrong"
        raise refuse("person/papers", message, "", "residence")
    if says is not None and bool(says.tin) != event.tin:
        has = "a" if says.tin else "no"
        message = f"there is {has} taxpayer's number on their papers: take them down anew"
        raise refuse("person/papers", message, "", "tin")


def postings(person: str, event: PersonEvent) -> list[Posting]:
    match event:
        case ChipsBought():
            given = chips(person, practice=event.practice)
            return [(cage(practice=event.practice), -event.cents), (given, event.cents)]
        case ChipsCashed():
            return [(chips(person, practice=False), -event.cents), (CAGE, event.cents)]
        case HeldReleased():
            kept, paid = held(person, practice=False), event.cents - event.withheld_cents
            # Who has no account gets money: it is cashed in the same breath.
            to = CAGE if is_patron(person) else chips(person, practice=False)
            out = [(kept, -event.cents), (to, paid)]
            withheld = [(tax(practice=False), event.withheld_cents)]
            return [*out, *withheld] if event.withheld_cents else out
        case HeldTurnedOver():
            return [(held(person, practice=False), -event.cents), (TURNED_OVER, event.cents)]
        case ClaimCollected() | ClaimWrittenOff():
            closed = [(claims(person, practice=False), -event.cents), (CAGE, event.cents)]
            taken = _SOURCES[event.source](person) if isinstance(event, ClaimCollected) else ""
            return [*closed, (taken, -event.cents), (CAGE, event.cents)] if taken else closed
        case PersonAdded() | RolesSet() | Barred() | Identified():
            return []
        case PasswordSet() | SessionsEnded() | NameKept():
            return []
        case SettingChanged() | RulebookAdopted():
            return []
        case _:
            assert_never(event)


_SOURCES: dict[str, Callable[[str], str]] = {
    "chips": lambda person: chips(person, practice=False),
    "held": lambda person: held(person, practice=False),
    "cash": lambda _person: "",
}
"""The account that a claim is collected from; money has none here."""
