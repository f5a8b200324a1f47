"""What people ask a table for. A seat's decisions are the round's own actions."""

from typing import Annotated, Literal

import msgspec

from pitboss.cards import Card
from pitboss.house.books.papers import Payee, Winner
from pitboss.round import actions as a
from pitboss.round.actions import ActionBase
from pitboss.round.redo import Facts, PlaceCards, SeatFacts

Words = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
"""Why somebody does something, for the record."""


MOST_CENTS = 10_000_000_00
Sum = Annotated[int, msgspec.Meta(ge=0, le=MOST_CENTS)]
"""Of money, in cents."""
Stacks = Annotated[
    dict[int, Annotated[int, msgspec.Meta(ge=1, le=1_000_000_000)]], msgspec.Meta(max_length=20)
]
"""Chips: how many of each, by what one is worth in cents."""


class OpenTable(ActionBase, frozen=True, tag="open-table"):
    """Open a table."""

    rulebook: Annotated[str, msgspec.Meta(max_length=200)]
    table: Annotated[str, msgspec.Meta(max_length=40)] = ""
    """A table that was closed and is to be opened again; a new one, where it is empty."""
    minimum_cents: int | None = None
    """The lowest that the house posts, where it is not said."""
    maximum_cents: int | None = None
    """The highest that the house posts, where it is not said."""
    practice: bool = False
    dealing: Literal["automatic", "dealer", "entered"] = "automatic"
    shuffler: bool = False
    betting_seconds: Annotated[int, msgspec.Meta(ge=1, le=600)] = 20
    decision_seconds: Annotated[int, msgspec.Meta(ge=1, le=600)] = 30
    shuffler_device: Annotated[str, msgspec.Meta(max_length=80)] = ""
    """Which device the shuffler is."""
    shuffler_approval: Annotated[str, msgspec.Meta(max_length=80)] = ""
    """The number under which the regulator approved it."""
    token_cents: int | None = None
    """What a token of the jackpot is worth here; the book's own value, where it is not said."""
    smallest_chip_cents: int | None = None
    """Of which every wager here is a whole number; the book's own, where it is not said."""


class CloseTable(ActionBase, frozen=True, tag="close-table"):
    """Close it, between rounds."""

    why: Annotated[str, msgspec.Meta(max_length=200)] = ""


class ChangeLimits(ActionBase, frozen=True, tag="change-limits"):
    """Post other limits from the next round on."""

    minimum_cents: int
    maximum_cents: int | None
    why: Words


class ChangeShuffler(ActionBase, frozen=True, tag="change-shuffler"):
    """Go over to shuffling by hand, or to a shuffler, between rounds; the cards in use go."""

    shuffler: bool
    why: Words
    shuffler_device: Annotated[str, msgspec.Meta(max_length=80)] = ""
    """Which device it is."""
    shuffler_approval: Annotated[str, msgspec.Meta(max_length=80)] = ""
    """The number under which the regulator approved it."""


class DropTokes(ActionBase, frozen=True, tag="drop-tokes"):
    """Take the tokes off the table for the dealers, between rounds."""


class WriteOffTokes(ActionBase, frozen=True, tag="write-off-tokes"):
    """Give up what the dealers owe for tokes that were put right."""

    why: Words


class Sit(ActionBase, frozen=True, tag="sit"):
    """Take a seat."""

    seat: int


class Leave(ActionBase, frozen=True, tag="leave"):
    """Give the seat up when the round is over."""


class FreeSeat(ActionBase, frozen=True, tag="free-seat"):
    """Free the seat of somebody who is barred, gone or in the way, when the round is over; at a
    practice table their decisions are waited for no longer."""

    seat: int
    person: Annotated[str, msgspec.Meta(max_length=60)]
    """Who sits there: it is about them, not about the chair. Whoever has none and came by an
    invitation needs another one to sit down."""
    why: Words


class Invite(ActionBase, frozen=True, tag="invite"):
    """Let whoever knows a secret come to a practice table; an earlier secret is worth nothing."""

    invitation: str
    """The hash of the secret, which is not written down."""


class Enter(ActionBase, frozen=True, tag="enter"):
    """Come to a practice table by an invitation."""

    invitation: str
    """The hash of the secret that was shown."""


class SitOut(ActionBase, frozen=True, tag="sit-out"):
    """Keep the seat and play no more rounds."""


class SitIn(ActionBase, frozen=True, tag="sit-in"):
    """Play again."""


class SeatBot(ActionBase, frozen=True, tag="seat-bot"):
    """Let a bot play this seat."""

    seat: int
    strategy: Annotated[str, msgspec.Meta(max_length=40)] = "best"


class SeatPatron(ActionBase, frozen=True, tag="seat-patron"):
    """Seat somebody who has no account, where real cards are dealt; what they do is entered."""

    seat: int
    label: Annotated[str, msgspec.Meta(max_length=40)] = ""
    """A name, or what one knows them by; the seat, where it is empty."""
    cash_cents: Sum = 0
    chips_cents: Sum = 0
    given: Stacks = msgspec.field(default_factory=dict)
    """What they buy in with at once, as in ``buy-in``."""


class BuyIn(ActionBase, frozen=True, tag="buy-in"):
    """Put chips before a patron who has no account, before the deal: for cash, or their own."""

    seat: int
    cash_cents: Sum = 0
    """Cash, which goes into the box; the table gives as much in chips."""
    chips_cents: Sum = 0
    """Chips that they brought along."""
    given: Stacks = msgspec.field(default_factory=dict)
    """The chips that the table gave for the cash, where that is noted."""


class VoidBuyIn(ActionBase, frozen=True, tag="void-buy-in"):
    """Take back the last buy-in of a patron who has no account, before the deal and before a
    round was paid: it was entered wrongly, and the money and the chips go back."""

    seat: int
    why: Words


class ColourUp(ActionBase, frozen=True, tag="colour-up"):
    """Change chips of a patron who has no account for others of the same worth, before the deal."""

    seat: int
    taken: Stacks
    """From the patron."""
    given: Stacks
    """To the patron."""


class UnseatPatron(ActionBase, frozen=True, tag="unseat-patron"):
    """Let a patron who has no account leave when the round is over, with what lies before them."""

    seat: int


class MarkPartners(ActionBase, frozen=True, tag="mark-partners"):
    """Mark seats as partners; an empty list ends it."""

    partners: Annotated[tuple[tuple[int, ...], ...], msgspec.Meta(max_length=10)]
    why: Words


class StartDealing(ActionBase, frozen=True, tag="start-dealing"):
    """Take over as the dealer."""


class StopDealing(ActionBase, frozen=True, tag="stop-dealing"):
    """Leave the table as its dealer."""


class CallFloor(ActionBase, frozen=True, tag="call-floor"):
    """Call the floor to the table."""

    why: Annotated[str, msgspec.Meta(max_length=200)] = ""


class AnswerFloor(ActionBase, frozen=True, tag="answer-floor"):
    """Say that you are there."""


class BringCards(ActionBase, frozen=True, tag="bring-cards"):
    """Bring new cards to the table: all of them, or as many decks as are lacking."""

    colours: Annotated[tuple[Words, ...], msgspec.Meta(min_length=1, max_length=4)]


class InspectCards(ActionBase, frozen=True, tag="inspect-cards"):
    """Look through a deck and say what was found."""

    role: str
    colour: Annotated[str, msgspec.Meta(max_length=200)] = ""
    """Of which deck; every one that is still to be looked at, where it is empty."""
    found: Literal["in-order", "missing", "flawed"] = "in-order"
    """Whether all cards are there, and none has a flaw."""


class WashCards(ActionBase, frozen=True, tag="wash-cards"):
    """Wash new cards that were found in order."""

    colour: Annotated[str, msgspec.Meta(max_length=200)] = ""
    """Of which deck; all, where it is empty."""


class ShuffleCards(ActionBase, frozen=True, tag="shuffle-cards"):
    """Tick that the cards were shuffled by hand, and cut where the house has them cut, for the
    next round."""


class RetireCards(ActionBase, frozen=True, tag="retire-cards"):
    """Take a deck off the table for good."""

    why: Words
    colour: Annotated[str, msgspec.Meta(max_length=200)] = ""
    """Which; all, where it is empty."""


class ReplaceCard(ActionBase, frozen=True, tag="replace-card"):
    """Replace a damaged or missing card; its deck is looked at again."""

    card: Card
    role: str
    why: Words
    colour: Annotated[str, msgspec.Meta(max_length=200)] = ""
    """Of which deck, where several are in use."""


class ApprovePayoff(ActionBase, frozen=True, tag="approve-payoff"):
    """Approve what a seat is to be paid."""

    seat: int
    role: str


class CompleteForm(ActionBase, frozen=True, tag="complete-form"):
    """Record the papers that a winner has shown: the forms of this payoff are made out by them."""

    seat: int
    payee: Payee
    winners: Annotated[tuple[Winner, ...], msgspec.Meta(max_length=10)] = ()
    """All who win together, the payee too, where several do."""


class HoldPayoff(ActionBase, frozen=True, tag="hold-payoff"):
    """Keep what needs a form until the winner shows papers; the rest is paid."""

    seat: int
    why: Words


class AcknowledgeNotice(ActionBase, frozen=True, tag="acknowledge-notice"):
    """Say that you have heard of the use of a ceiling; the table may be closed by then."""

    round: int
    role: str


class PutRight(ActionBase, frozen=True):
    """What was recorded wrongly of a round, as somebody in a role says."""

    role: str
    why: Words
    seats: Annotated[tuple[SeatFacts, ...], msgspec.Meta(max_length=20)] = ()
    """What was otherwise at seats."""
    piles: dict[str, PlaceCards] = msgspec.field(default_factory=dict)
    """Cards on the table by place; null leaves a card as it was recorded."""

    @property
    def facts(self) -> Facts:
        return Facts(self.seats, self.piles)


class Correct(PutRight, frozen=True, tag="correct"):
    """Put right what was recorded wrongly of the round that is played with real cards. Somebody in
    another role has to ask for the same; nothing put right takes back what was asked for."""


class CorrectPaid(PutRight, frozen=True, kw_only=True, tag="correct-paid"):
    """Put right what was recorded wrongly of a round of this table that was paid, by the same facts
    and likewise by two people in two roles."""

    round: int


class Undo(ActionBase, frozen=True, tag="undo"):
    """Take back the last thing that you entered as the dealer, if nobody has acted since."""


class CutDeck(ActionBase, frozen=True, tag="cut-deck"):
    """Cut the sealed deck from your seat, once, before it is dealt."""

    cut: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    """Letters and digits of your own: which cards are dealt hangs on them, too."""


class OpenBetting(ActionBase, frozen=True, tag="open-betting"):
    """Open the betting for the next round; only a dealer has to."""


class Tick(ActionBase, frozen=True, tag="tick"):
    """The clock ran out. Nobody can ask for this."""

    until: int
    """Which deadline it was: another is not met by it."""


class SealAnew(ActionBase, frozen=True, tag="seal-anew"):
    """The database was put back: what the sealed deck holds may be known. Nobody can ask for it."""


SeatAction = a.Bet | a.Raise | a.Fold | a.Check | a.TakeBack
DealerAction = a.CloseBets | a.Deal | a.Turn | a.Light | a.Pay
FloorAction = a.AcceptLate | a.KillHand | a.CallMisdeal | a.LetStand

FloorCommand = CallFloor | AnswerFloor
PitCommand = CloseTable | ChangeLimits | ApprovePayoff | ChangeShuffler | DropTokes | WriteOffTokes
PaperCommand = CompleteForm | HoldPayoff
RulingCommand = AcknowledgeNotice | Correct | CorrectPaid
PatronCommand = SeatPatron | BuyIn | VoidBuyIn | ColourUp | UnseatPatron
SeatCommand = Sit | Leave | FreeSeat | SitOut | SitIn | SeatBot | CutDeck | MarkPartners
DealerCommand = StartDealing | StopDealing | OpenBetting | Undo | DealerAction
CardCommand = BringCards | InspectCards | WashCards | ShuffleCards | ReplaceCard | RetireCards

Command = (
    PitCommand
    | FloorCommand
    | PaperCommand
    | RulingCommand
    | SeatCommand
    | PatronCommand
    | DealerCommand
    | CardCommand
    | SeatAction
    | FloorAction
)
"""All that can be asked of a table that is open."""

Invitation = Invite | Enter
"""What is asked with a secret, of which a table only learns the hash."""

Asked = Command | Invitation | OpenTable | Tick | SealAnew
"""All that a table's journal can say was asked for."""
