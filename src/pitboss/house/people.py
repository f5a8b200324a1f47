"""People: guests who play at once, and named people with roles.

What is known of a person is a fold over their own stream of the journal. Passwords are kept apart:
the journal only says that one was changed.
"""

import re
from typing import Any, Literal, get_args

import msgspec
from msgspec.structs import replace

from pitboss.house.ledger import CAGE, PLAY_CAGE, Posting, chips, held
from pitboss.settle import Player

Role = Literal[
    "guest",
    "player",
    "dealer",
    "floor-supervisor",
    "shift-manager",
    "surveillance",
    "cage",
    "general-manager",
    "director-of-table-games",
    "auditor",
    "administrator",
]
ROLES: tuple[str, ...] = get_args(Role)

NAME = re.compile(r"[a-z0-9][a-z0-9.-]{1,29}", re.ASCII)
RESERVED = ("guest-", "bot-", "clock", "house", "automatic", "nobody")


class Person(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody the house knows."""

    id: str
    name: str = ""
    roles: tuple[Role, ...] = ()
    player: Player = Player()
    """What the tax desk knows."""

    @property
    def exists(self) -> bool:
        """Whether there is such a person."""
        return bool(self.roles) or bool(self.name)


class Base(msgspec.Struct, frozen=True, tag_field="event", forbid_unknown_fields=True):
    """What all these events share."""


class PersonAdded(Base, frozen=True, tag="person-added"):
    """Somebody is known from now on."""

    name: str
    roles: tuple[Role, ...]
    player: Player = Player()
    why: str = ""


class RolesSet(Base, frozen=True, tag="roles-set"):
    """Somebody's roles are now these."""

    roles: tuple[Role, ...]
    why: str


class Barred(Base, frozen=True, tag="barred"):
    """Somebody may, or may no longer, sit down."""

    barred: bool
    why: str


class Identified(Base, frozen=True, tag="identified"):
    """The tax desk has seen, or misses, somebody's papers."""

    residence: Literal["us", "foreign"]
    identified: bool
    tin: bool
    """Has given a taxpayer identification number."""
    why: str


class PasswordSet(Base, frozen=True, tag="password-set"):
    """Somebody has a new password; all their sessions ended."""

    why: str = ""


class ChipsBought(Base, frozen=True, tag="chips-bought"):
    """The cage gave out chips."""

    cents: int
    practice: bool
    why: str = ""


class ChipsCashed(Base, frozen=True, tag="chips-cashed"):
    """The cage took chips back."""

    cents: int
    why: str = ""


class HeldReleased(Base, frozen=True, tag="held-released"):
    """Winnings that were kept for somebody were paid out."""

    cents: int
    why: str


class SettingChanged(Base, frozen=True, tag="setting-changed"):
    """A setting of the house is now this."""

    name: str
    value: str
    why: str


PersonEvent = (
    PersonAdded
    | RolesSet
    | Barred
    | Identified
    | PasswordSet
    | ChipsBought
    | ChipsCashed
    | HeldReleased
    | SettingChanged
)


def evolve(person: Person, event: PersonEvent) -> Person:
    """Return what is known after one more event."""
    if isinstance(event, PersonAdded):
        return replace(person, name=event.name, roles=event.roles, player=event.player)
    if isinstance(event, RolesSet):
        return replace(person, roles=event.roles)
    if isinstance(event, Barred):
        return replace(person, player=replace(person.player, barred=event.barred))
    if isinstance(event, Identified):
        papers = {name: getattr(event, name) for name in ("residence", "identified", "tin")}
        return replace(person, player=replace(person.player, **papers))
    return person


def postings(person: str, event: PersonEvent) -> list[Posting]:
    """Return what an event moves."""
    if isinstance(event, ChipsBought):
        source = PLAY_CAGE if event.practice else CAGE
        return [(source, -event.cents), (chips(person, practice=event.practice), event.cents)]
    if isinstance(event, ChipsCashed):
        return [(chips(person, practice=False), -event.cents), (CAGE, event.cents)]
    if isinstance(event, HeldReleased):
        return [
            (held(person, practice=False), -event.cents),
            (chips(person, practice=False), event.cents),
        ]
    return []


# Who may do what ------------------------------------------------------------------------------

_FLOOR = ("floor-supervisor", "shift-manager", "director-of-table-games", "general-manager")
_PLAYS = ("guest", "player")
PIT = ("dealer", "surveillance", *_FLOOR)
"""Everybody who works at the tables; whoever opened a practice table may act as any of them."""

MAY: dict[str, tuple[str, ...]] = {
    # Playing.
    "sit": (*_PLAYS, *PIT, "cage", "auditor", "administrator"),
    "leave": ROLES,
    "sit-out": ROLES,
    "sit-in": ROLES,
    "bet": ROLES,
    "raise": ROLES,
    "fold": ROLES,
    "check": ROLES,
    "take-back": ROLES,
    # Tables; "owner" is whoever opened a practice table, there.
    "open-practice": ROLES,
    "open-table": _FLOOR,
    "close-table": ("owner", *_FLOOR),
    "change-limits": ("owner", "shift-manager", "director-of-table-games", "general-manager"),
    "seat-bot": ("owner", *_FLOOR),
    "mark-partners": ("owner", *_FLOOR),
    "free-seat": ("owner", *_FLOOR),
    # Dealing.
    "start-dealing": ("owner", "dealer"),
    "stop-dealing": ("owner", "dealer"),
    "open-betting": ("owner", "dealer"),
    "close-bets": ("owner", "dealer"),
    "deal": ("owner", "dealer"),
    "turn": ("owner", "dealer"),
    "light": ("owner", "dealer"),
    "pay": ("owner", "dealer"),
    # Irregularities and approvals: the rulebook says which of these roles.
    "accept-late": PIT,
    "kill-hand": PIT,
    "call-misdeal": PIT,
    "let-stand": PIT,
    "approve-payoff": PIT,
    # Cards.
    "bring-cards": _FLOOR,
    "inspect-cards": PIT,
    "wash-cards": ("dealer", *_FLOOR),
    "replace-card": PIT,
    # People and money.
    "add-person": ("administrator",),
    "set-roles": ("administrator",),
    "bar": ("surveillance", *_FLOOR),
    "set-password": ("administrator",),
    "identify": ("cage", "shift-manager"),
    "sell-chips": ("cage",),
    "cash-chips": ("cage",),
    "release-held": ("shift-manager",),
    "play-chips": ROLES,
    # Looking.
    "watch-floor": ("auditor", *PIT),
    "see-people": ("auditor", "administrator", "surveillance", "cage", *_FLOOR),
    "change-setting": ("administrator", "general-manager"),
}
"""The permission matrix: what needs which of these roles. It is checked in one place, ``may``."""


FOR_OTHERS = frozenset({"set-roles", "bar", "identify", "sell-chips", "cash-chips", "release-held"})
"""What nobody does with their own record: the last administrator cannot step down by mistake."""


def may(roles: frozenset[str] | set[str], act: str, *, own: bool = False) -> bool:
    """Whether somebody with these roles may do this, with their own record or with another's.

    >>> may({"guest"}, "open-practice"), may({"guest"}, "call-misdeal"), may({"player"}, "no-such")
    (True, False, False)
    >>> may({"cage"}, "sell-chips"), may({"cage"}, "sell-chips", own=True)
    (True, False)
    """
    return not roles.isdisjoint(MAY.get(act, ())) and not (own and act in FOR_OTHERS)


def readable(kind: Any) -> tuple[str, ...]:
    """Return the names of a union's members, for documents."""
    return tuple(each.__struct_config__.tag for each in get_args(kind))
