"""What the cards that somebody sees already are: a hand as far as it is made, a row that pays."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from pitboss.cards import SUITS, Card
from pitboss.hands import Hand, Ranking, ranking
from pitboss.round.state import State
from pitboss.rulebook.deal_script import SEATS
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.paytable import PayTable, Row


def seen(view: State, seat: int, places: Sequence[str]) -> tuple[Card, ...]:
    """Return the cards at these places that the view shows."""
    held: list[Card | None] = []
    for place in places:
        held.extend(view.seats[seat].cards if place == SEATS else view.piles.get(place, ()))
    return tuple(card for card in held if card is not None)


def made(order: Ranking, known: Sequence[Card]) -> Hand | None:
    """Return the weakest hand that these cards can still become; None without cards."""
    if not known:
        return None
    missing = order.size - len(known)
    if missing <= 0:
        return order.best(known)
    # One harmless card of each rank is enough to find the weakest hand: of the suit seen least.
    by_need = sorted(range(4), key=lambda suit: sum(card.suit == SUITS[suit] for card in known))
    every = [[Card(4 * rank + suit) for suit in by_need] for rank in range(13)]
    pool = [next((card for card in four if card not in known), None) for four in every]
    harmless = [card for card in pool if card is not None]
    weakest = min(order.strength((*known, *more)) for more in combinations(harmless, missing))
    return order.classes[weakest - 1]


def hand(book: Rulebook, view: State, seat: int) -> Hand | None:
    """Return the main hand of a seat as far as it is made; None while it is nothing yet."""
    places, name = book.main_hand
    order, known = ranking(name), seen(view, seat, places)
    found = made(order, known)
    if found is None or (len(known) < order.size and found.category == order.categories[0]):
        return None
    return found


def dealers_hand(book: Rulebook, piles: Mapping[str, Sequence[Card | None]]) -> str:
    """Name the dealer's hand once all of it is turned up, and say if it does not qualify."""
    rule = book.qualifier
    if rule is None:
        return ""
    places, order = book.dealers_hand
    known = [card for place in places for card in piles.get(place, ()) if card is not None]
    if len(known) < sum(book.dealt[place] for place in places):
        return ""
    found = ranking(order).best(known)
    return found.name + ("" if found.strength >= rule.weakest else ", does not qualify")


def made_row(book: Rulebook, table: PayTable, known: Sequence[Card]) -> Row | None:
    """Return the row that these cards have already made, whatever else is dealt."""
    hand = made(table.order, known)
    if hand is None:
        return None
    row = table.row_for(hand.strength)
    if len(known) == sum(book.dealt[place] for place in table.cards):
        return row
    # A table that pays low hands has made nothing before its last card.
    better = {each.row: each for each in table.by_strength[hand.strength :] if each is not None}
    sure = all(each.worth >= row.worth for each in better.values())
    return row if sure and not loses(row) else None


def loses(row: Row) -> bool:
    return row.odds is not None and row.odds < 0
