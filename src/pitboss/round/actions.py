"""What people ask for, in the imperative. Nothing has happened yet: the machine may refuse."""

import msgspec

from pitboss.cards import Card


class ActionBase(
    msgspec.Struct, frozen=True, tag_field="action", forbid_unknown_fields=True, gc=False
):
    """What all actions share: in JSON the field ``action`` names the kind."""


class Open(ActionBase, frozen=True, tag="open"):
    """Begin a round."""

    seats: dict[int, str]
    """Who sits where: seat number to person."""
    minimum_cents: int
    """The posted minimum."""
    maximum_cents: int | None = None
    """The posted maximum, where there is one."""
    meter_cents: int | None = None
    """The progressive meter before this round's tokens."""
    shuffler: bool = False
    """An automatic shuffler with lights is in use."""
    partners: tuple[tuple[int, ...], ...] = ()
    """Seats that a supervisor has marked as partners."""
    token_cents: int | None = None
    """The posted value of a token, where it is another than the book's."""


class Bet(ActionBase, frozen=True, tag="bet"):
    """Put these wagers down; they replace the seat's earlier ones, and none takes them back."""

    seat: int
    wagers: dict[str, int]
    """Spot to cents."""
    toke_cents: int = 0
    """A wager for the dealers."""
    cash: bool = False
    """Spoken with cash instead of chips."""


class CloseBets(ActionBase, frozen=True, tag="close-bets"):
    """No more bets."""


class Deal(ActionBase, frozen=True, tag="deal"):
    """Deal the next cards of the script: one, some or all of the step."""

    cards: tuple[Card | None, ...]
    """In dealing order; None lies face down unread, to be entered when it is turned."""


class Light(ActionBase, frozen=True, tag="light"):
    """The shuffler shows a light."""

    colour: str
    """``green`` or ``red``."""


class Raise(ActionBase, frozen=True, tag="raise"):
    """Raise by one of the offered multiples."""

    seat: int
    times: int


class Fold(ActionBase, frozen=True, tag="fold"):
    """Give up the hand."""

    seat: int
    confirmed: bool = False
    """Yes, though the hand would win an award."""


class Check(ActionBase, frozen=True, tag="check"):
    """Stay in without raising."""

    seat: int


class TakeBack(ActionBase, frozen=True, tag="take-back"):
    """Take the offered wager back."""

    seat: int


class TimeOut(ActionBase, frozen=True, tag="time-out"):
    """The seat's clock ran out: the table decides for it as the rulebook says."""

    seat: int


class Turn(ActionBase, frozen=True, tag="turn"):
    """Turn up what the script turns next: cards on the table, or the hands."""

    cards: tuple[Card, ...] = ()
    """Only those that were dealt unread, in the order in which they are turned."""


class AcceptLate(ActionBase, frozen=True, tag="accept-late"):
    """Record that a wager found after the deal stands: out of limits, or a raise of another size.

    ``toke`` is the spot of a wager for the dealers."""

    seat: int
    spot: str
    cents: int
    role: str
    person: str = ""


class KillHand(ActionBase, frozen=True, tag="kill-hand"):
    """Declare one hand dead."""

    seat: int
    cause: str
    role: str
    person: str = ""
    count: int = 0
    """How many cards it had, where that is not what was dealt to it here."""


class CallMisdeal(ActionBase, frozen=True, tag="call-misdeal"):
    """Call the round off."""

    cause: str
    role: str
    person: str = ""


class LetStand(ActionBase, frozen=True, tag="let-stand"):
    """Let the round go on in spite of grounds for a misdeal."""

    cause: str
    role: str
    person: str = ""


class Pay(ActionBase, frozen=True, tag="pay"):
    """Begin paying: from here on nothing is edited, only corrected."""


Action = (
    Open
    | Bet
    | CloseBets
    | Deal
    | Light
    | Raise
    | Fold
    | Check
    | TakeBack
    | TimeOut
    | Turn
    | AcceptLate
    | KillHand
    | CallMisdeal
    | LetStand
    | Pay
)
