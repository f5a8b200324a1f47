"""The state of a table: between rounds a few numbers and names, in a round also the round's own."""

import datetime
from collections.abc import Collection

import msgspec

from pitboss import round as rounds
from pitboss.errors import Refused, refuse
from pitboss.house.table import events as h
from pitboss.house.table.toke_debts import TokeDebts
from pitboss.round import events as e
from pitboss.settle import Form, Player

PATRON = "patron-"
"""How those are called who have no account: by the table and the entry in which they sat down."""


def is_patron(person: str) -> bool:
    return person.startswith(PATRON)


def sat_down(patron: str) -> tuple[str, int]:
    """Return the table at which somebody without an account sat down, and the entry of its stream.

    >>> sat_down("patron-k3x-8")
    ('k3x', 8)
    """
    table, _, entry = patron.removeprefix(PATRON).rpartition("-")
    return table, int(entry) if entry.isdecimal() else 0


class Sitter(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who holds a seat."""

    person: str
    name: str
    player: Player = Player()
    bot: str = ""
    """The strategy, where it is a bot."""
    away: bool = False
    """Sits out from the next round on."""
    leaving: bool = False
    """Goes when the round is over."""
    freed: str = ""
    """Why, where that is not their own wish."""
    chips_cents: int = 0
    """What lies before a patron who has no account."""
    bought: tuple[int, int] = (0, 0)
    """Their last buy-in since a round was paid: in cash, and in chips that they brought."""
    sold_by: tuple[str, ...] = ()
    """Who entered it, and everybody who has dealt since: another takes it back."""

    @property
    def patron(self) -> bool:
        """Whether they have no account."""
        return is_patron(self.person)


class DeckRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """One deck of real cards on the table, and what was done with it."""

    colour: str
    day: datetime.date
    """The gaming day on which it came."""
    inspected: tuple[tuple[str, str], ...] = ()
    """(role, person) of each who found it in order, since it came or a card of it was replaced."""
    fault: str = ""
    """What somebody found instead: a card is ``missing`` or ``flawed``."""
    washed: bool = False
    replaced: int = 0
    """How many of its cards."""


class CardRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """The record of the real cards on the table."""

    decks: tuple[DeckRecord, ...] = ()
    shuffled: bool = False
    """By hand, since the last round and since anything else was done with a deck."""

    @property
    def colours(self) -> tuple[str, ...]:
        return tuple(deck.colour for deck in self.decks)


class CapNotice(msgspec.Struct, frozen=True):
    """The use of a ceiling, for as long as somebody must still hear of it."""

    day: datetime.date
    """The gaming day within which they must."""
    waits_for: tuple[str, ...]
    """The roles that have not acknowledged it."""
    won_cents: int = 0
    """What the wagers under a ceiling would have won without it."""
    paid_cents: int = 0
    """What they won with it."""


class CreditedSeat(msgspec.Struct, frozen=True):
    """What somebody got when a paid round was put right."""

    round: int
    seat: int
    person: str
    cents: int


class Table(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A table as it stands."""

    id: str
    open: bool = False
    rulebook: str = ""
    sha256: str = ""
    """Names exactly the rules in force."""
    minimum_cents: int = 0
    maximum_cents: int | None = None
    token_cents: int | None = None
    smallest_chip_cents: int | None = None
    practice: bool = False
    dealing: str = "automatic"
    shuffler: bool = False
    shuffler_device: str = ""
    shuffler_approval: str = ""
    betting_seconds: int = 20
    decision_seconds: int = 30
    opener: str = ""
    closed: datetime.date | None = None
    """The gaming day on which it was closed, while it is."""
    invitation: str = ""
    """The hash of the secret by which others may come to a practice table; empty, if none may."""
    admitted: dict[str, bool] = {}
    """Who has come by one, in order, and whether they may sit: where a seat was freed since, only
    those who have one."""
    sitters: dict[int, Sitter] = {}
    freed: dict[str, str] = {}
    """Whose seats were freed, and why, until they sit down again; the last of them."""
    partners: tuple[tuple[int, ...], ...] = ()
    dealer: str = ""
    """The person who deals."""
    call: h.FloorCalled | None = None
    """By which the dealer waits for the floor."""
    cards: CardRecord = CardRecord()
    number: int = 0
    """Of the round that is being bet on or played, or of the last one."""
    betting: bool = False
    """The next round takes bets."""
    locked: str = ""
    """The sealed deck: nothing of it can be read here. Empty where real cards are dealt."""
    commitment: str = ""
    """What was published of it."""
    cuts: dict[int, str] = {}
    """What players cut it with, by their seats."""
    cutters: dict[str, str] = {}
    """The same by person, wherever they sit by now."""
    asked: dict[str, int] = {}
    """How often everybody had something done here since its betting was opened."""
    adjustment: h.AdjustmentAsked | None = None
    """What somebody says was recorded wrongly of a paid round, while another must agree."""
    entering: str = ""
    """Who had something done last, where what lies on the table is entered."""
    undo: tuple[e.Event, ...] = ()
    """The round's events before that."""
    begun: int = 0
    """The entry of the journal in which its betting was opened."""
    last: h.RoundPaid | None = None
    """How the last round ended, as everybody may see it."""
    credited: tuple[CreditedSeat, ...] = ()
    """What was put right in somebody's favour, until the next bets are closed or they leave."""
    round: rounds.State = rounds.State()
    happened: tuple[e.Event, ...] = ()
    """The events of this round."""
    until: int = 0
    """When the clock runs out; 0 while none runs."""
    clock_ms: int = 0
    """How long it runs."""
    announced: dict[int, int] = {}
    """Seats whose payoff waits for approval, and what they win."""
    void: h.VoidAsked | None = None
    """Who ruled that it is void, while another must agree."""
    correction: h.CorrectionAsked | None = None
    """What somebody says was recorded wrongly, while another must agree."""
    approved: tuple[tuple[int, str, str], ...] = ()
    """(seat, role, person)."""
    forms: dict[int, tuple[Form, ...]] = {}
    """Seats whose payoff needs forms, and which."""
    papers: dict[int, h.PapersTaken] = {}
    """What winners showed for them."""
    holds: dict[int, str] = {}
    """Seats that showed none, and why what needs a form is kept."""
    dealers: tuple[str, ...] = ()
    """Everybody who dealt in this round: they approve nothing of it."""
    notices: dict[int, CapNotice] = {}
    """By the number of the round; they outlast the table's being closed."""
    dropped_cents: int = 0
    """Tokens of this round that have left the layout."""
    paid: dict[int, h.SeatPaid] = {}
    """Seats of this round that are paid while another waits."""
    cleared_cents: int = 0
    """Their wagers, which have left the layout, too."""
    bank_cents: int = 0
    tokes_cents: int = 0
    """What lies here for the dealers."""
    toke_debts: TokeDebts = TokeDebts()
    meter_cents: int | None = None

    @property
    def posted(self) -> tuple[int, int | None, int | None]:
        """The posted minimum and maximum, and what a token is worth where that is posted."""
        return self.minimum_cents, self.maximum_cents, self.token_cents

    @property
    def tokes_owed_cents(self) -> int:
        """What the dealers had too much of tokes that were put right since."""
        return self.toke_debts.cents

    @property
    def under_way(self) -> bool:
        return self.round.phase != "new"

    @property
    def round_name(self) -> str:
        """What the round that is being bet on or played is called in the whole house."""
        return f"{self.id}-{self.number}"

    @property
    def moment(self) -> str:
        """An optimistic-concurrency token: it names what the table waits for, so that a decision
        meant for one moment is not taken at another.

        >>> Table("t", number=3).moment
        '3.bet'
        """
        playing = self.round.phase not in ("new", "betting")
        return f"{self.number}.{self.round.step if playing else 'bet'}"

    @property
    def patrons(self) -> dict[int, Sitter]:
        """Those who have no account; they sit where real cards are dealt, and nowhere else."""
        if self.dealing != "entered":
            return {}
        return {seat: each for seat, each in self.sitters.items() if each.patron}

    def seat_of(self, person: str) -> int | None:
        return next((n for n, each in self.sitters.items() if each.person == person), None)


def unknown_table(name: str) -> Refused:
    """Return what is said of a table that is not there, or not for who asks."""
    return refuse("table/unknown", f"there is no table {name[:40]!r}")


def unknown_round(name: str) -> Refused:
    return refuse("round/unknown", f"there is no finished round {name[:60]!r}")


class TableSnapshot(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table between rounds, and the entry up to which this is true."""

    seq: int
    hash: str
    table: Table


def among(
    partners: tuple[tuple[int, ...], ...], seats: Collection[int]
) -> tuple[tuple[int, ...], ...]:
    """Return the partners among these seats; nobody is a partner alone.

    >>> among(((1, 2, 3), (4, 5)), {1, 3, 5})
    ((1, 3),)
    """
    groups = (tuple(seat for seat in group if seat in seats) for group in partners)
    return tuple(group for group in groups if len(group) > 1)
