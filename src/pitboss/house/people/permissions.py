"""Who may do what: the permission matrix as data, and the one place where roles are checked."""

from collections.abc import Iterable
from typing import get_args

from pitboss.errors import refuse
from pitboss.house.people.persons import (
    FIRST,
    GUEST,
    ROLES,
    Barred,
    ChipsBought,
    ChipsCashed,
    ClaimCollected,
    ClaimWrittenOff,
    HeldEvent,
    HeldReleased,
    HeldTurnedOver,
    Identified,
    NameKept,
    PasswordSet,
    Person,
    PersonAdded,
    PersonEvent,
    RolesSet,
    RulebookAdopted,
    SessionsEnded,
    SettingChanged,
)
from pitboss.house.table.commands import Command, Enter, Invitation, OpenTable, Sit
from pitboss.house.table.state import Table, is_patron, sat_down, unknown_table
from pitboss.house.table.unit_of_work import OWNER, Actor
from pitboss.rulebook import base
from pitboss.rulebook.base import ABOVE_DEALER

PIT: tuple[str, ...] = get_args(base.PitRole)
"""Everybody who works at the tables; whoever opened a practice table may act as any of them."""

_DEALS = ("owner", "dealer")
_RUNS = ("owner", *ABOVE_DEALER)

MAY: dict[str, tuple[str, ...]] = {
    # Playing.
    **dict.fromkeys(("sit", "leave", "sit-out", "sit-in", "cut-deck"), ROLES),
    **dict.fromkeys(("bet", "raise", "fold", "check", "take-back"), ROLES),
    # Tables; "owner" is whoever opened a practice table, there.
    "open-practice": ROLES,
    "open-table": ABOVE_DEALER,
    "change-limits": ("owner", "shift-manager", "director-of-table-games", "general-manager"),
    **dict.fromkeys(("close-table", "seat-bot", "mark-partners", "free-seat"), _RUNS),
    **dict.fromkeys(("change-shuffler", "drop-tokes"), _RUNS),
    **dict.fromkeys(("seat-patron", "buy-in", "colour-up", "unseat-patron"), ("dealer", *_RUNS)),
    "void-buy-in": _RUNS,
    "invite": ("owner",),
    "enter": ROLES,
    # Dealing.
    **dict.fromkeys(("start-dealing", "stop-dealing", "open-betting", "close-bets"), _DEALS),
    **dict.fromkeys(("shuffle-cards", "deal", "turn", "light", "pay", "undo"), _DEALS),
    "call-floor": _DEALS,
    "answer-floor": _RUNS,
    # Irregularities and approvals: the rulebook says which of these roles.
    **dict.fromkeys(("accept-late", "kill-hand", "call-misdeal", "let-stand"), PIT),
    "approve-payoff": PIT,
    "acknowledge-notice": PIT,
    **dict.fromkeys(("correct", "correct-paid"), PIT),
    # Cards.
    **dict.fromkeys(("bring-cards", "retire-cards"), ABOVE_DEALER),
    "inspect-cards": PIT,
    "wash-cards": ("dealer", *ABOVE_DEALER),
    "replace-card": PIT,
    # People and money.
    **dict.fromkeys(("add-person", "set-roles", "set-password"), ("administrator",)),
    "end-sessions": ("administrator",),
    "bar": ("administrator", "surveillance", *ABOVE_DEALER),
    "identify": ("administrator", "cage", "shift-manager"),
    "sell-chips": ("cage",),
    "cash-chips": ("cage",),
    **dict.fromkeys(("complete-form", "hold-payoff"), ("cage", *ABOVE_DEALER)),
    "see-papers": ("auditor", "cage", *ABOVE_DEALER),
    **dict.fromkeys(("release-held", "turn-over-held"), ("shift-manager",)),
    "collect-claim": ("cage", "shift-manager"),
    **dict.fromkeys(("write-off-claim", "write-off-tokes"), ("shift-manager",)),
    **dict.fromkeys(("play-chips", "keep-name"), ROLES),
    # Looking.
    "watch-floor": ("auditor", *PIT),
    "see-win": ("auditor", *ABOVE_DEALER),
    "see-people": ("auditor", "administrator", "surveillance", "cage", *ABOVE_DEALER),
    "change-setting": ("administrator", "general-manager"),
    "adopt-rulebook": ("administrator", "director-of-table-games", "general-manager"),
}
"""The permission matrix: what needs which of these roles. It is checked in one place, ``may``."""


FOR_OTHERS = frozenset(
    {
        *("set-roles", "bar", "identify", "sell-chips", "cash-chips", "release-held"),
        *("collect-claim", "write-off-claim", "turn-over-held", "end-sessions"),
    }
)
"""What nobody does with their own record: the last administrator cannot step down by mistake."""


def may(roles: frozenset[str] | set[str], act: str, *, own: bool = False) -> bool:
    """Whether somebody with these roles may do this, with their own record or with another's.

    >>> may({"guest"}, "open-practice"), may({"guest"}, "call-misdeal"), may({"player"}, "no-such")
    (True, False, False)
    >>> may({"cage"}, "sell-chips"), may({"cage"}, "sell-chips", own=True)
    (True, False)
    """
    return not roles.isdisjoint(MAY.get(act, ())) and not (own and act in FOR_OTHERS)


def allow(roles: Iterable[str], act: str, *, own: bool = False) -> None:
    if own and act in FOR_OTHERS:
        raise refuse("role/own-record", f"nobody does this for themselves: {act}")
    if not may({*roles}, act, own=own):
        by = " or ".join(MAY.get(act, ())) or "nobody"
        raise refuse("role/not-yours", f"{act} is done by {by}")


HOUSE = "house"
"""Who acts where nobody in particular does: at the start, at the console, for bots."""

ACTS: dict[type[PersonEvent], str] = {
    PersonAdded: "add-person",
    RolesSet: "set-roles",
    Barred: "bar",
    Identified: "identify",
    PasswordSet: "set-password",
    SessionsEnded: "end-sessions",
    NameKept: "keep-name",
    ChipsBought: "sell-chips",
    ChipsCashed: "cash-chips",
    HeldReleased: "release-held",
    HeldTurnedOver: "turn-over-held",
    ClaimCollected: "collect-claim",
    ClaimWrittenOff: "write-off-claim",
    SettingChanged: "change-setting",
    RulebookAdopted: "adopt-rulebook",
}
"""What somebody must be allowed to do, for each event of a person or of the house."""


WITHOUT_ACCOUNT = Barred | Identified | HeldEvent | ClaimCollected | ClaimWrittenOff
"""What happens to a patron without an account: chips of theirs lie on a table or are in a pocket,
and no cage has them."""


def allow_event(who: Person, name: str, event: PersonEvent) -> None:
    """Refuse what somebody may not have happen to a record; an empty name is the house's own."""
    own = who.id == name
    play = isinstance(event, ChipsBought) and event.practice
    if who.id == HOUSE:
        again = isinstance(event, RolesSet) and "administrator" in event.roles and name == FIRST
        if play or again or isinstance(event, PersonAdded | PasswordSet | RulebookAdopted):
            return
    elif own and isinstance(event, PersonAdded):
        if event.roles == ("guest",):
            return
    elif own and (play or isinstance(event, PasswordSet)):
        return
    if isinstance(event, NameKept):
        theirs = who.id == event.person and name in (event.person, event.name)
        if not (theirs and who.id.startswith(GUEST)):
            raise refuse("role/not-yours", "a name is kept by the guest who is to go by it")
    allow(who.roles, "play-chips" if play else ACTS[type(event)], own=own)
    chips = isinstance(event, ClaimCollected) and event.source == "chips"
    if is_patron(name) and (chips or not isinstance(event, WITHOUT_ACCOUNT)):
        where = f"at table {sat_down(name)[0]}, or in a pocket once they have left"
        message = f"this patron has no account: their chips lie {where}; the cage has none of them"
        raise refuse("person/no-account", message)
    given = set(event.roles) if isinstance(event, RolesSet) else set()
    if name.startswith(GUEST) and given - {"guest", "player"}:
        # They chose their name and password by themselves: nobody has seen who that is.
        message = "this is somebody who came as a guest: add a person with a name for this role"
        raise refuse("role/guest", message)


def roles_at(table: Table, who: Person) -> set[str]:
    """Return what somebody is at a table: who opened a practice table is all of the pit there."""
    owner = table.practice and table.opener == who.id
    return {*who.roles, OWNER, *PIT} if owner else set(who.roles)


def sees(table: Table, who: Person) -> bool:
    """Whether a table is there for somebody: one for practice is for who opened it, for those who
    came by an invitation, and for the floor."""
    if not table.practice or who.id in (table.opener, *table.admitted):
        return True
    return table.seat_of(who.id) is not None or may(frozenset(who.roles), "watch-floor")


def invited(table: Table, who: str) -> bool:
    """Whether somebody may take a seat at a practice table."""
    return who == table.opener or table.admitted.get(who, False)


def allow_at(
    table: Table, who: Person, command: OpenTable | Command | Invitation, clause: str = ""
) -> set[str]:
    """Refuse what somebody may not ask of a table; return what they are there.

    Nobody sits whom the house bars, or, where chips are real, whom the house does not know, or,
    where they are not, whom nobody invited since a seat was freed: the floor, too, only looks on.
    """
    roles = roles_at(table, who)
    if not (isinstance(command, Enter) or sees(table, who)):
        raise unknown_table(table.id)
    if isinstance(command, OpenTable):
        allow(who.roles, "open-practice" if command.practice else "open-table")
        if table.practice:
            allow(roles, "close-table")  # whoever may close it may open it
        return set(who.roles)
    allow(roles, str(command.__struct_config__.tag))
    if isinstance(command, Sit) and who.player.barred:
        raise refuse("person/barred", "you may not sit at any table here", clause)
    if isinstance(command, Sit) and table.practice and not invited(table, who.id):
        since = " since a seat was freed" if who.id in table.admitted else ""
        message = f"nobody has invited you to sit here{since}: ask for an invitation"
        raise refuse("seat/uninvited", message)
    if isinstance(command, Sit) and not table.practice and "player" not in who.roles:
        raise refuse("person/play-chips", "this table is for named players with chips")
    return roles


def actor(
    who: Person, roles: Iterable[str] | None = None, *, record: int = 0, session: str = ""
) -> Actor:
    return Actor(
        person=who.id,
        name=who.name,
        roles=frozenset(who.roles if roles is None else roles),
        player=who.player,
        record=record,
        session=session,
    )
