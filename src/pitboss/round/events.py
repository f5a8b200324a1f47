"""What happened, in the past tense. The state of a round is a fold over these and nothing else."""

import msgspec

from pitboss.cards import Card


class EventBase(
    msgspec.Struct, frozen=True, tag_field="event", forbid_unknown_fields=True, gc=False
):
    """What all events share: in JSON the field ``event`` names the kind.

    ``gc=False`` here and elsewhere: plain values hold nothing that could hold them, and Python's
    collector spends a tenth of a busy server's time on looking.
    """


class RoundOpened(EventBase, frozen=True, tag="round-opened"):
    """Betting is open."""

    rulebook: str
    sha256: str
    """Names exactly the rules that were in force."""
    seats: dict[int, str]
    minimum_cents: int
    maximum_cents: int | None = None
    meter_cents: int | None = None
    shuffler: bool = False
    partners: tuple[tuple[int, ...], ...] = ()
    token_cents: int | None = None


class BetPlaced(EventBase, frozen=True, tag="bet-placed"):
    """The seat's wagers are now these."""

    seat: int
    wagers: dict[str, int]
    toke_cents: int = 0


class BettingClosed(EventBase, frozen=True, tag="betting-closed"):
    """No more bets; seats without an ante sit this round out."""

    meter_cents: int | None = None
    """The meter with this round's tokens in it, locked until the next round."""


class CardsDealt(EventBase, frozen=True, tag="cards-dealt"):
    """Cards went to one seat or one pile."""

    place: str
    """``seats`` or the name of a pile."""
    seat: int
    """The seat, or 0 for a pile."""
    cards: tuple[Card | None, ...]
    """None is a card that nobody has read, or that the reader of this event may not see."""
    up: bool = False
    """Face up."""


class LightSeen(EventBase, frozen=True, tag="light-seen"):
    """The shuffler showed a light."""

    colour: str
    reshuffle: bool = False
    """Red before any card was out: the cards are shuffled again."""


class RaisePlaced(EventBase, frozen=True, tag="raise-placed"):
    """A raise was made."""

    seat: int
    spot: str
    times: int
    cents: int


class Folded(EventBase, frozen=True, tag="folded"):
    """A hand was given up."""

    seat: int
    street: int
    tucked: str = ""
    """The side wager under which the cards wait, where one lives on."""
    timed_out: bool = False
    kept: str = ""
    """The wager that would be lost with the hand and is not: the clock gives up no award."""


class Checked(EventBase, frozen=True, tag="checked"):
    """A seat stayed in without raising."""

    seat: int
    timed_out: bool = False


class WagerTakenBack(EventBase, frozen=True, tag="wager-taken-back"):
    """A wager went back to its player before it was decided."""

    seat: int
    spot: str
    cents: int
    timed_out: bool = False


class CardsTurned(EventBase, frozen=True, tag="cards-turned"):
    """Cards of a pile were turned up."""

    place: str
    cards: tuple[Card, ...]


class HandShown(EventBase, frozen=True, tag="hand-shown"):
    """A player's hand was turned up."""

    seat: int
    cards: tuple[Card, ...]


class LateWagerAccepted(EventBase, frozen=True, tag="late-wager-accepted"):
    """A wager was found after the deal and stands, or is a raise that keeps its multiple."""

    seat: int
    spot: str
    cents: int
    role: str
    person: str


class HandDied(EventBase, frozen=True, tag="hand-died"):
    """A hand was declared dead."""

    seat: int
    cause: str
    role: str
    person: str
    count: int = 0
    """How many cards it had."""


class MisdealCalled(EventBase, frozen=True, tag="misdeal-called"):
    """The round was called off; every wager goes back."""

    cause: str
    role: str
    person: str


class IrregularityStood(EventBase, frozen=True, tag="irregularity-stood"):
    """There were grounds for a misdeal, and the round went on."""

    cause: str
    role: str
    person: str


class PayingBegan(EventBase, frozen=True, tag="paying-began"):
    """Chips are moving; from here on nothing is edited."""


Decided = RaisePlaced | Folded | Checked | WagerTakenBack
"""What a seat does when it is asked."""

Event = (
    RoundOpened
    | BetPlaced
    | BettingClosed
    | CardsDealt
    | LightSeen
    | RaisePlaced
    | Folded
    | Checked
    | WagerTakenBack
    | CardsTurned
    | HandShown
    | LateWagerAccepted
    | HandDied
    | MisdealCalled
    | IrregularityStood
    | PayingBegan
)
