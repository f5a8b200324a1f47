"""What the other players at a terminal table decide, each from what its own seat sees.

They know no house and no game: the pay table tells them which pairs are worth something, the
qualifier how good a hand must be. The same cards always get the same decision.
"""

from collections.abc import Sequence
from itertools import combinations

from pitboss.cards import SUITS, Card
from pitboss.hands import Hand, Ranking, ranking
from pitboss.round import Option, State, actions
from pitboss.round.wagers import bounds
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.pays import PayTable, Row
from pitboss.rulebook.script import SEATS

_WEAK, _FAIR, _STRONG = range(3)


# Reading the cards ----------------------------------------------------------------------------


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
    table, rule = book.main_table, book.qualifier
    order = table.order if table is not None else ranking(rule.ranking if rule else "five-card")
    known = seen(view, seat, table.cards if table is not None else (SEATS,))
    found = made(order, known)
    if found is None or (len(known) < order.size and found.category == order.categories[0]):
        return None
    return found


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
    """Whether this row takes the wager."""
    return row.odds is not None and row.odds < 0


# Deciding -------------------------------------------------------------------------------------


def bet(book: Rulebook, view: State, seat: int) -> actions.Bet:
    """Bet the least; two seats of three add a side wager."""
    least = {
        name: bounds(spot, view.minimum_cents, view.maximum_cents)[0]
        for name, spot in book.opening.items()
    }
    ante = book.ante.name
    sides = [name for name in least if name != ante]
    chosen = [sides[seat % len(sides)]] if sides and seat % 3 != 1 else []
    return actions.Bet(seat, {name: least[name] for name in (ante, *chosen)})


def decide(book: Rulebook, view: State, seat: int, options: Sequence[Option]) -> Option:
    """Raise as much as possible on a made hand, as little as possible on a hopeful one."""
    grade = _grade(book, view, seat)
    raises = [option for option in options if option.action == "raise"]
    if raises and grade != _WEAK:
        return raises[-1 if grade == _STRONG else 0]
    others = {option.action: option for option in options}
    wishes = ("take-back", "check", "fold") if grade == _WEAK else ("check", "take-back", "fold")
    return next(others[wish] for wish in wishes if wish in others)


def act(seat: int, option: Option, *, confirmed: bool = False) -> actions.Action:
    """Return the action that takes up an option."""
    if option.action == "raise":
        return actions.Raise(seat, option.times)
    if option.action == "fold":
        return actions.Fold(seat, confirmed)
    return actions.Check(seat) if option.action == "check" else actions.TakeBack(seat)


def _grade(book: Rulebook, view: State, seat: int) -> int:
    rule = book.qualifier
    if rule is not None:
        mine = made(ranking(rule.ranking), seen(view, seat, (SEATS,)))
        return _STRONG if mine is not None and mine.strength >= rule.weakest else _WEAK
    table = book.main_table
    assert table is not None  # without a qualifier every wager has its table
    return _grade_by_table(book, table, seen(view, seat, table.cards))


def _grade_by_table(book: Rulebook, table: PayTable, known: Sequence[Card]) -> int:
    row = made_row(book, table, known)
    suited = len({card.suit for card in known}) == 1
    if (row is not None and not loses(row)) or (suited and len(known) == table.order.size - 1):
        return _STRONG
    paired = len({card.rank for card in known}) < len(known)
    points = sum(_points(table, card.rank) for card in known)
    hopeful = paired or (suited and len(known) > 2) or points >= len(known)
    return _FAIR if hopeful else _WEAK


def _points(table: PayTable, rank: int) -> int:
    """Two for a rank whose pair would win, one where it would push."""
    pairs = (hand for hand in table.order.classes if hand.category == "pair")
    pair = next(hand for hand in pairs if hand.ranks[0] == rank)
    odds = table.row_for(pair.strength).odds
    return 2 if odds is None or odds > 0 else int(odds == 0)
