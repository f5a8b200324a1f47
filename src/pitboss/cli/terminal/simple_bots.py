"""What the other players at a terminal table decide, each from what its own seat sees.

They know no house and no game: the pay table tells them which pairs are worth something, the
qualifier how good a hand must be. The same cards always get the same decision.
"""

from collections.abc import Sequence

from pitboss.cards import Card
from pitboss.hands import ranking
from pitboss.round import Option, State, actions
from pitboss.round.made_hands import loses, made, made_row, seen
from pitboss.round.wagers import bounds
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.paytable import PayTable

_WEAK, _FAIR, _STRONG = range(3)


# Deciding -------------------------------------------------------------------------------------


def bet(book: Rulebook, view: State, seat: int) -> actions.Bet:
    """Bet the least; two seats of three add a side wager."""
    least = {name: bounds(spot, *view.posted)[0] for name, spot in book.placed.items()}
    ante = book.ante.name
    sides = [name for name in least if name != ante]
    chosen = [sides[seat % len(sides)]] if sides and seat % 3 != 1 else []
    return actions.Bet(seat, book.with_equal({name: least[name] for name in (ante, *chosen)}))


def decide(book: Rulebook, view: State, seat: int, options: Sequence[Option]) -> Option:
    """Raise as much as possible on a made hand, as little as possible on a hopeful one."""
    grade = _grade(book, view, seat)
    raises = [option for option in options if option.action == "raise"]
    if raises and grade != _WEAK:
        return raises[-1 if grade == _STRONG else 0]
    others = {option.action: option for option in options}
    wishes = ("take-back", "check", "fold") if grade == _WEAK else ("check", "take-back", "fold")
    return next(others[wish] for wish in wishes if wish in others)


def play(book: Rulebook, view: State, seat: int, options: Sequence[Option]) -> actions.Action:
    return act(seat, decide(book, view, seat, options), confirmed=True)


def act(seat: int, option: Option, *, confirmed: bool = False) -> actions.Action:
    if option.action == "raise":
        return actions.Raise(seat, option.times)
    if option.action == "fold":
        return actions.Fold(seat, confirmed)
    return actions.Check(seat) if option.action == "check" else actions.TakeBack(seat)


def _grade(book: Rulebook, view: State, seat: int) -> int:
    rule = book.qualifier
    if rule is not None:
        places, name = book.main_hand
        order = ranking(name)
        mine = made(order, seen(view, seat, places))
        if mine is None or mine.strength < rule.weakest:
            return _WEAK
        return _FAIR if rule.always and mine.category == order.categories[0] else _STRONG
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
