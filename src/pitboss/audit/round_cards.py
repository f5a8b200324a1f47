"""The cards of one round, told again: in which order they came, who may see them, and whether they
are those of the deck that was sealed before."""

from collections.abc import Iterator, Mapping, Sequence

from pitboss.cards import DECK, Card
from pitboss.house.table import events as h
from pitboss.house.table.fair import Sealed, order
from pitboss.round import events as e
from pitboss.round.redo import Facts

WITH_CARDS = (
    e.CardsDealt
    | e.CardsTurned
    | e.HandShown
    | h.DeckSealed
    | h.DeckOpened
    | h.CorrectionAsked
    | h.RoundCorrected
    | h.AdjustmentAsked
    | h.RoundAdjusted
)
"""What can show cards to somebody."""


class RoundCards:
    """What was dealt so far."""

    def __init__(self) -> None:
        self.dealt: list[Card | None] = []
        """In the order of dealing; what nobody turned is None."""
        self._face_down: dict[str, list[int]] = {}
        """By pile: which of them those are."""
        self._open: set[Card] = set()
        self._own: dict[int, set[Card]] = {}

    def hear(self, event: e.Event) -> bool:
        """Hear what happens in the round; False where a card is turned that was never dealt."""
        if isinstance(event, e.CardsDealt):
            if not (event.seat or event.up):
                places = range(len(self.dealt), len(self.dealt) + len(event.cards))
                self._face_down.setdefault(event.place, []).extend(places)
            self.dealt.extend(event.cards)
            if event.up:
                self._open |= known(event.cards)
            elif event.seat:
                self._own.setdefault(event.seat, set()).update(known(event.cards))
        elif isinstance(event, e.CardsTurned | e.HandShown):
            self._open |= set(event.cards)
            if isinstance(event, e.CardsTurned):
                places_down = self._face_down.get(event.place, [])
                enough = len(event.cards) <= len(places_down)
                for card in event.cards[: len(places_down)]:
                    self.dealt[places_down.pop(0)] = card
                return enough
        return True

    def fair(self, seen: h.TableEvent, eyes: int | None) -> bool:
        """Whether what a seat is sent shows nothing that it may not see yet."""
        may = self._open | self._own.get(eyes or 0, set())
        fair = known(getattr(seen, "cards", ())) <= may
        fair = fair and not getattr(seen, "locked", "") and not getattr(seen, "seed", "")
        return fair and getattr(seen, "facts", Facts()) == Facts()

    def against(self, deck: Sealed, sealed: h.DeckSealed, cuts: Mapping[int, str]) -> Iterator[str]:
        """Say where a deck is not the one that was sealed, or not the one dealt from; from then on
        what nobody turned is known."""
        if sorted(deck.cards) != list(DECK):
            yield "the deck is not 52 cards"
        if len(deck.cards) != len(DECK):
            return
        if sealed.commitment != deck.commitment:
            yield "the commitment is not this deck's"
        unread = {at for places in self._face_down.values() for at in places}
        whole = [deck.cards[at] for at in order(deck.commitment, cuts)[: len(self.dealt)]]
        ought = [None if at in unread else card for at, card in enumerate(whole)]
        if self.dealt != ought:
            yield "the cards dealt are not the sealed deck's"
        self.dealt = [*whole]


def known(cards: Sequence[Card | None]) -> set[Card]:
    return {card for card in cards if card is not None}
