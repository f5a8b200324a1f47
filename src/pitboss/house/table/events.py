"""What happens at a table around its rounds, in the past tense. Rounds have their own events."""

import datetime

import msgspec

from pitboss.cards import Card, cards
from pitboss.errors import Unreadable
from pitboss.house.books.papers import Papers, ReleasedWinnings
from pitboss.house.table.fair import Sealed
from pitboss.round import events as rounds
from pitboss.round.events import EventBase
from pitboss.round.redo import Facts, Named
from pitboss.settle import Form, Line, Player
from pitboss.settle.lines import staked_cents


class Own(EventBase, frozen=True):
    """What a table's own events share; all others of its stream are the round's."""


class TableOpened(Own, frozen=True, tag="table-opened"):
    """A table was opened for a rulebook."""

    rulebook: str
    sha256: str
    minimum_cents: int
    maximum_cents: int | None
    practice: bool = False
    """Play chips, and payoffs approve themselves; every record of the table says so."""
    dealing: str = "automatic"
    """``automatic``, ``dealer`` (a person works the script) or ``entered`` (with real cards)."""
    shuffler: bool = False
    betting_seconds: int = 20
    decision_seconds: int = 30
    opener: str = ""
    """Who opened it: at a practice table that person looks after it."""
    shuffler_device: str = ""
    """Which device the shuffler is."""
    shuffler_approval: str = ""
    """The number under which the regulator approved it."""
    token_cents: int | None = None
    """What a token is worth here, where it is another value than the book's."""
    smallest_chip_cents: int | None = None
    """The smallest chip here, where it is another than the book's."""


class TableClosed(Own, frozen=True, tag="table-closed"):
    """The table was closed; its bank went back to the cage."""

    bank_cents: int
    why: str = ""
    day: datetime.date | None = None
    """The gaming day."""


class LimitsChanged(Own, frozen=True, tag="limits-changed"):
    """The posted limits are now these."""

    minimum_cents: int
    maximum_cents: int | None
    why: str


class ShufflerChanged(Own, frozen=True, tag="shuffler-changed"):
    """Cards are shuffled by hand from the next round on, or by a shuffler, or by another."""

    shuffler: bool
    shuffler_device: str
    shuffler_approval: str
    why: str


class TokesDropped(Own, frozen=True, tag="tokes-dropped"):
    """The tokes that lay at the table went to the dealers."""

    cents: int
    owed_cents: int = 0
    """What of them the cage took, since the dealers had had it too much."""


class TokesWrittenOff(Own, frozen=True, tag="tokes-written-off"):
    """The house gave up what the dealers owed for tokes."""

    cents: int
    why: str


class SeatTaken(Own, frozen=True, tag="seat-taken"):
    """Somebody sat down."""

    seat: int
    person: str
    name: str
    player: Player = Player()
    """What the tax desk knew of them."""
    bot: str = ""
    """The strategy, where the person is none."""


class PlayerKnown(Own, frozen=True, tag="player-known"):
    """The house knows something else of who sits there."""

    seat: int
    player: Player


class SeatAway(Own, frozen=True, tag="seat-away"):
    """Somebody sits out from the next round on, or is back."""

    seat: int
    away: bool


class SeatLeft(Own, frozen=True, tag="seat-left"):
    """A seat is free, at once or as soon as the round is over."""

    seat: int
    why: str = ""
    """Where it was not their own wish."""


class PatronBoughtIn(Own, frozen=True, tag="patron-bought-in"):
    """Chips lie before a patron who has no account: for cash, or their own."""

    seat: int
    person: str
    cash_cents: int
    chips_cents: int
    given: dict[int, int]
    """The chips that the table gave for the cash, by what one is worth; empty, if nobody said."""
    by: str
    """Who entered it."""

    @property
    def cents(self) -> int:
        return self.cash_cents + self.chips_cents


class BuyInVoided(Own, frozen=True, tag="buy-in-voided"):
    """The last buy-in of a patron who has no account is taken back."""

    seat: int
    person: str
    cash_cents: int
    chips_cents: int
    why: str

    @property
    def cents(self) -> int:
        return self.cash_cents + self.chips_cents


class ChipsChanged(Own, frozen=True, tag="chips-changed"):
    """A patron who has no account has other chips of the same worth."""

    seat: int
    person: str
    taken: dict[int, int]
    """By the table, by what one is worth."""
    given: dict[int, int]


class PatronLeft(Own, frozen=True, tag="patron-left"):
    """A patron who has no account is gone, with all that lay before them."""

    seat: int
    person: str
    cents: int


class InvitationMade(Own, frozen=True, tag="invitation-made"):
    """Whoever knows the secret of this hash may come to the table, and of no earlier one."""

    invitation: str


class PersonAdmitted(Own, frozen=True, tag="person-admitted"):
    """Somebody came by an invitation: they may see the table, and sit there."""

    person: str


class PersonShownOut(Own, frozen=True, tag="person-shown-out"):
    """Somebody who came by an invitation and has no seat needs another one to sit down, and so does
    everybody else who has none."""

    person: str
    why: str


class PartnersMarked(Own, frozen=True, tag="partners-marked"):
    """Seats are, or are no longer, partners."""

    partners: tuple[tuple[int, ...], ...]
    why: str


class DealerChanged(Own, frozen=True, tag="dealer-changed"):
    """Another person deals; nobody, where it is empty."""

    person: str


class FloorCalled(Own, frozen=True, tag="floor-called"):
    """The dealer called the floor to the table."""

    person: str
    at: int
    """Milliseconds since 1970, UTC."""
    why: str = ""


class FloorAnswered(Own, frozen=True, tag="floor-answered"):
    """Somebody of the floor came."""

    person: str


class BankFilled(Own, frozen=True, tag="bank-filled"):
    """The cage brought chips to the table."""

    cents: int


class MeterSeeded(Own, frozen=True, tag="meter-seeded"):
    """The house put the first money on the progressive."""

    cents: int


class CardsBrought(Own, frozen=True, tag="cards-brought"):
    """New cards came to the table."""

    colours: tuple[str, ...]
    day: datetime.date
    """The gaming day."""


class CardsInspected(Own, frozen=True, tag="cards-inspected"):
    """Somebody looked through a deck."""

    role: str
    person: str
    colour: str
    found: str = "in-order"
    """``in-order``, or a card is ``missing`` or ``flawed``."""


class CardsWashed(Own, frozen=True, tag="cards-washed"):
    """A new deck was washed."""

    colour: str


class CardsShuffled(Own, frozen=True, tag="cards-shuffled"):
    """The dealer shuffled the cards by hand for the next round."""

    cut: bool = False
    """And had them cut."""


class CardReplaced(Own, frozen=True, tag="card-replaced"):
    """A damaged or missing card was replaced: its deck is looked at and washed again."""

    card: Card
    role: str
    person: str
    why: str
    colour: str


class CardsRetired(Own, frozen=True, tag="cards-retired"):
    """Decks left the table for good."""

    colours: tuple[str, ...]
    why: str


class DeckSealed(Own, frozen=True, tag="deck-sealed"):
    """Betting is open: the next round's deck is fixed, and this names it without showing it.

    Once more, cuts included, where much was done at a table and no bet lies there.
    """

    round: int
    commitment: str
    """Empty where real cards are dealt."""
    locked: str = ""
    """Never sent to anybody: it is opened when the round is paid."""
    entry: int = 0
    """The number of the journal's entry that this is in: the round's story begins here."""


class BettingWithdrawn(Own, frozen=True, tag="betting-withdrawn"):
    """Betting at a table with real cards was closed again: nobody had bet."""


class DeckCut(Own, frozen=True, tag="deck-cut"):
    """A player cut the sealed deck: which of its cards are dealt hangs on this text, too."""

    seat: int
    cut: str


class DeckOpened(Own, frozen=True, tag="deck-opened"):
    """The round is over: the deck that it was dealt from lies open, for those who audit alone.

    Not where the house itself called the round off because decks may be known.
    """

    cards: str
    """From the top. Never sent to anybody."""
    seed: str
    """Likewise."""

    @property
    def deck(self) -> Sealed | None:
        """The deck; None where these are no cards, or may not be seen."""
        try:
            return Sealed(cards(self.cards), self.seed) if self.cards else None
        except Unreadable:
            return None


class ClockSet(Own, frozen=True, tag="clock-set"):
    """The table waits until then, and no longer; 0 stops the clock."""

    until: int
    """Milliseconds since 1970, UTC."""
    ms: int = 0
    """How long that is from now; every process counts it for itself."""


class PayoffAnnounced(Own, frozen=True, tag="payoff-announced"):
    """A payoff waits for approval; what was approved of an earlier figure is void."""

    seat: int
    won_cents: int
    needs: tuple[str, ...]
    """None, where an earlier figure waited, and this one does not."""
    clauses: tuple[str, ...]


class PayoffApproved(Own, frozen=True, tag="payoff-approved"):
    """Somebody approved a payoff."""

    seat: int
    role: str
    person: str
    """``automatic`` at a practice table."""


class FormsDue(Own, frozen=True, tag="forms-due"):
    """A payoff needs forms: it waits until they are complete, or it is held."""

    seat: int
    forms: tuple[Form, ...]
    """None, where an earlier figure needed some, and this one does not."""


class PapersTaken(Own, frozen=True, tag="papers-taken"):
    """A winner showed papers: the forms of the payoff are made out by them."""

    seat: int
    papers: Papers | None
    """Never sent to anybody."""
    person: str
    """Who saw them."""

    @property
    def shown(self) -> Papers:
        assert self.papers is not None, "the journal has them whole"
        return self.papers


class PayoffHeld(Own, frozen=True, tag="payoff-held"):
    """A winner showed no papers: what needs a form is kept, and the rest is paid."""

    seat: int
    person: str
    """Who said so."""
    why: str


class VoidAsked(Own, frozen=True, tag="void-asked"):
    """Somebody ruled that an announced payoff is void; another in another role must say so, too."""

    cause: str
    seat: int
    """Whose hand is dead; 0 for a misdeal."""
    role: str
    person: str


class CorrectionAsked(Own, frozen=True, tag="correction-asked"):
    """Somebody says what was recorded wrongly; another in another role must say so, too. Nothing of
    it is right any more where no fact is named."""

    facts: Facts
    role: str
    person: str
    why: str


class RoundCorrected(Own, frozen=True, tag="round-corrected"):
    """What was recorded wrongly is put right: the round is what it would have been."""

    events: tuple[rounds.Event, ...]
    """The whole round, done again."""
    void: tuple[int, ...]
    """Seats whose payoff was announced, and is another now or waits for something else."""
    facts: Facts
    """What was put right."""
    by: tuple[Named, ...]
    """In which roles, and who."""
    why: str


class EntryUndone(Own, frozen=True, tag="entry-undone"):
    """The dealer took back what they had entered last."""

    events: tuple[rounds.Event, ...]
    """The whole round as it was before."""
    void: tuple[int, ...]
    """Seats whose payoff had been announced."""


Redone = RoundCorrected | EntryUndone
"""What puts other events in the place of a round's."""


class SeatPaid(msgspec.Struct, frozen=True):
    """What one seat got, and why: its receipt is this, rendered."""

    seat: int
    hand: str
    lines: tuple[Line, ...]
    """Facts of their reasons are text and numbers, and reasons are for the seat's own eyes."""
    paid_cents: int
    held_cents: int = 0
    withheld_cents: int = 0
    forms: tuple[str, ...] = ()
    """Names of tax forms; the reasons say what they are about."""
    filed: tuple[Form, ...] = ()
    """Those that were made out for this payment, each with its wager and sums."""

    @property
    def staked_cents(self) -> int:
        return staked_cents(self.lines)

    @property
    def net_cents(self) -> int:
        return self.paid_cents - self.staked_cents


class SeatsPaid(Own, frozen=True, tag="seats-paid"):
    """Seats that are done were paid, in the house's order, while another still waits."""

    seats: tuple[SeatPaid, ...]


class RoundPaid(Own, frozen=True, tag="round-paid"):
    """The round is over, and the chips have moved."""

    round: int
    date: datetime.date
    """The gaming day."""
    seats: tuple[SeatPaid, ...]
    meter_cents: int | None = None
    """Where the progressive stands."""
    notify: tuple[str, ...] = ()
    """Who must hear of the use of a cap within the gaming day."""
    players: dict[int, Player] = msgspec.field(default_factory=dict)
    """What the tax desk knew of who sat there, where it may have to be settled again: for those
    who audit alone."""
    smallest_chip_cents: int | None = None
    """What the table had posted, of which whatever is put right is made."""


class AdjustmentAsked(Own, frozen=True, tag="adjustment-asked"):
    """Somebody says what was recorded wrongly of a round that was paid; another in another role
    must say so, too. Nothing of it is right any more where no fact is named."""

    round: int
    facts: Facts
    role: str
    person: str
    why: str


class SeatAdjusted(msgspec.Struct, frozen=True):
    """What a seat was paid too little or too much."""

    seat: int
    person: str
    chips_cents: int = 0
    """What is paid out to them now."""
    claim_cents: int = 0
    """What more they owe; less, where it is negative: what rises pays first what they owe."""
    written_off_cents: int = 0
    """What of the rise they have had: it was claimed before and written off."""
    held_cents: int = 0
    """What is kept for them besides."""
    withheld_cents: int = 0
    """What more of tax is withheld; less, where it is negative."""
    tokes_cents: int = 0
    """What more the dealers get; they owe it, where it is negative."""
    turned_over_cents: int = 0
    """What more of winnings that were turned over was won; asked back there, where it is negative:
    the player never had it."""


class RoundAdjusted(Own, frozen=True, tag="round-adjusted"):
    """A round that was paid is put right: it is settled again beside the first payment, and the
    cage pays or claims the difference."""

    round: int
    events: tuple[rounds.Event, ...]
    """The whole round, done again."""
    date: datetime.date
    """The gaming day of this, not of the round."""
    paid: RoundPaid
    """As it would have been paid then."""
    seats: tuple[SeatAdjusted, ...]
    """The difference, where there is one."""
    meter_cents: int | None
    """Where the progressive stands now."""
    facts: Facts
    """What was put right."""
    by: tuple[Named, ...]
    """In which roles, and who."""
    why: str
    before: int
    """The entry of the journal that paid it, or put it right before."""
    lent_cents: int = 0
    """What the house has put up on the meter for this round, which could not fall so far."""
    released: tuple[ReleasedWinnings, ...] = ()
    """Winnings that were kept and paid out since with a form, or turned over, as they stand now."""


class NoticeAcknowledged(Own, frozen=True, tag="notice-acknowledged"):
    """Somebody who must hear of the use of a ceiling has heard of it."""

    round: int
    role: str
    person: str
    late: bool = False
    """After the gaming day within which they had to."""


PatronEvent = PatronBoughtIn | BuyInVoided | ChipsChanged | PatronLeft
"""Chips that come to the table, change and go with somebody who has no account."""
SeatEvent = SeatTaken | PlayerKnown | SeatAway | SeatLeft | PartnersMarked
DoorEvent = InvitationMade | PersonAdmitted | PersonShownOut
CardEvent = (
    CardsBrought | CardsInspected | CardsWashed | CardsShuffled | CardReplaced | CardsRetired
)
DealEvent = DealerChanged | DeckSealed | BettingWithdrawn | DeckCut | DeckOpened | ClockSet
PayoffEvent = PayoffAnnounced | PayoffApproved | VoidAsked | NoticeAcknowledged
PaperEvent = FormsDue | PapersTaken | PayoffHeld
CorrectionEvent = CorrectionAsked | Redone | AdjustmentAsked
MoneyEvent = (
    SeatsPaid
    | RoundPaid
    | RoundAdjusted
    | BankFilled
    | MeterSeeded
    | TokesDropped
    | TableClosed
    | TokesWrittenOff
)
"""What moves chips; the round's wagers do, too."""

FloorEvent = FloorCalled | FloorAnswered
TableRuleEvent = TableOpened | LimitsChanged | ShufflerChanged | DoorEvent
RoundEvent = DealEvent | PayoffEvent | PaperEvent | CorrectionEvent
HouseEvent = (
    TableRuleEvent | FloorEvent | SeatEvent | PatronEvent | CardEvent | RoundEvent | MoneyEvent
)

TableEvent = HouseEvent | rounds.Event
