"""Rules for the people in the pit: approvals, misdeals, dead hands, care of the cards."""

from typing import Literal

from pitboss.money import Cents
from pitboss.rulebook.base import ABOVE_DEALER, Cited, Name, PitRole, Strict

SEALED_ANEW, LEFT_ALONE = "sealed-anew", "left-alone"
OWN_CAUSES = {
    SEALED_ANEW: "the deck may be known, and another is sealed",
    LEFT_ALONE: "nobody has played here for long",
}
"""For which a house itself calls a round off, and only it: no book names them."""


class Seats(Cited, frozen=True, kw_only=True):
    """How many may play."""

    most: int
    """Seats at a full table."""
    hands_each: int = 1
    """Hands that one person may play in a round."""


class Approval(Cited, frozen=True, kw_only=True):
    """What a payoff needs before it is paid."""

    over: Cents
    """Winnings of strictly more than this."""
    act: Literal["call-out", "approve", "verify"]
    """What is done."""
    by: tuple[PitRole, ...]
    """Any one of these does it."""


Need = Literal["card-out", "dealer-card", "own-card", "shuffler"]
"""What must be there before a cause can have happened: a card out of the deck, one of the dealer's
hand, one of the player's own, a shuffler in use."""


class Misdeal(Cited, frozen=True, kw_only=True):
    """Grounds on which a round may be called off."""

    cause: Name
    """Its short name."""
    says: str
    """The cause in our words."""
    real_cards: bool = False
    """It happens to cards in people's hands, never to a sealed deck."""
    needs: tuple[Need, ...] = ()
    """It can have happened only once these are there."""
    by: tuple[PitRole, ...]
    """Who may call it."""


class DeadHand(Cited, frozen=True, kw_only=True):
    """Grounds on which one player's hand is dead."""

    cause: Literal["count", "information"]
    """Wrong number of cards, or sharing what one holds."""
    says: str
    """The cause in our words."""
    real_cards: bool = False
    """It happens to cards in people's hands, never to a sealed deck."""
    needs: tuple[Need, ...] = ()
    """It can have happened only once these are there."""
    ends_deal: bool = False
    """The hand gets no more cards: the next one belongs to the next place."""
    money: Literal["return", "forfeit"]
    """What becomes of the wagers."""
    by: tuple[PitRole, ...]
    """Who may call it."""


class Corrections(Strict, frozen=True, kw_only=True):
    """Who puts right what was recorded wrongly: one person from each of these groups of roles."""

    before: tuple[tuple[PitRole, ...], ...] = (("dealer",), ABOVE_DEALER)
    """Until the round is paid; a dealer is the one who deals it."""
    after: tuple[tuple[PitRole, ...], ...] = (ABOVE_DEALER[1:], ("surveillance",))
    """Once it is paid."""


class Inspection(Cited, frozen=True, kw_only=True):
    """Who looks at new cards."""

    people: int
    """How many different people."""
    one_of_each: tuple[tuple[PitRole, ...], ...]
    """One person from each of these groups of roles, so never two of the first."""


class DeckCare(Cited, frozen=True, kw_only=True):
    """How the cards are looked after."""

    new_each: Literal["gaming-day"] | None = None
    """When new cards come."""
    colours_by_hand: int = 1
    """Decks in use without a shuffler."""
    colours_with_shuffler: int = 1
    """Decks of different colours in use with one."""
    inspection: Inspection | None = None
    """Who inspects them."""
    replaced_by: tuple[PitRole, ...] = ()
    """Who fetches replacement cards."""
    wash: bool = False
    """New cards are washed before the first shuffle."""
    shuffle: bool = False
    """Cards are shuffled for every round: by hand the dealer ticks it, a shuffler shows green."""
    cut: bool = False
    """Cards that were shuffled by hand are cut."""
    shuffler: bool = False
    """An automatic shuffler with lights may be used."""
    shuffler_approved: bool = False
    """It is one that the regulator approved: the device and its approval's number are on record."""
    red_light: str = ""
    """The misdeal cause that a red light is grounds for once cards are out; before, it means
    another shuffle."""


class Procedure(Cited, frozen=True, kw_only=True):
    """Something the dealer does with the hands; the rule card has it."""

    when: Literal[
        "new-cards",
        "shuffle",
        "deal",
        "raise",
        "fold",
        "board-complete",
        "settle",
        "win",
        "lose",
        "end",
    ]
    """At which moment."""
    says: str
    """What, in our words."""


class Rulings(Strict, frozen=True, kw_only=True):
    """What is cited where no table of the book is at hand: our ruling, or a clause."""

    clock: str = ""
    """A seat that does not answer in time."""
    approvals: str = ""
    """Who may approve a payoff; or that none waits for approval."""
    paying: str = ""
    """In which order, and when, seats are paid."""
    misdeals: str = ""
    """Who may call a misdeal for a cause that the book does not name."""
    tokes: str = ""
    """That no wager is taken for the dealers."""
    rounding: str = ""
    """What becomes of a fraction of a cent."""
    corrections: str = ""
    """What is put right before a round is paid."""
    adjustments: str = ""
    """What is put right of a round that was paid."""


class Notice(Cited, frozen=True, kw_only=True):
    """Words that the house shows."""

    text: str
    """In our words, but for names and telephone numbers."""
    where: tuple[Literal["sign", "table", "lobby", "receipt", "replay"], ...]
    """Where it is shown."""
