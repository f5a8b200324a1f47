"""Bots: seats that play the best strategy there is, or a named one, from what their seat sees."""

from collections.abc import Callable, Sequence

from pitboss import maths
from pitboss import round as rounds
from pitboss.cards import DECK
from pitboss.errors import Unreadable, Unsolved
from pitboss.house.table.state import Table
from pitboss.maths.advise import history, seen
from pitboss.maths.at_least import AtLeast
from pitboss.maths.board_strategies import BoardRules
from pitboss.maths.dealer_games import seen_first
from pitboss.maths.decisions import CHECK, TAKE_BACK
from pitboss.maths.seen import Seen
from pitboss.maths.strategies import MADE, NAMED, named
from pitboss.round import Option, State
from pitboss.round import actions as a
from pitboss.rulebook import Rulebook

BEST = "best"

Choose = Callable[[Seen], int]


_known: dict[tuple[str, str], Choose] = {}


def chooser(book: Rulebook, strategy: str) -> Choose:
    """Return what decides for a bot; working it out may take half a second the first time."""
    if strategy not in (BEST, *NAMED, *MADE):
        known = ", ".join((BEST, *NAMED, *MADE))
        raise Unreadable(f"no strategy {strategy[:40]!r}; there are {known}", "strategy")
    name = (book.sha256, strategy)
    if name not in _known:
        try:
            best = strategy == BEST
            if best and not maths.at_hand(book):
                raise Unsolved("this game is not worked out yet; the lobby has a button for it")
            _known[name] = maths.solve(book).choice if best else _fitting(book, strategy)
        except Unsolved as error:  # whoever asked for such a bot asked for what is not there
            raise Unreadable(error.message, error.place) from None
    return _known[name]


def _fitting(book: Rulebook, strategy: str) -> Choose:
    """Return a named strategy; one that is made for another kind of game says so at once."""
    rule = book.qualifier
    upcard = DECK[-1] if rule is not None and seen_first(book, rule.place)[1] else None
    try:
        choose = named(book, strategy)
        if isinstance(choose, BoardRules) and not (rule and rule.shared):
            raise Unreadable("this strategy is made for a board that both share")
        if isinstance(choose, AtLeast) and choose.ranking != book.main_hand[1]:
            raise Unreadable(f"this strategy is made for {choose.ranking} hands")
        choose(Seen(DECK[: book.seat_cards], (), upcard))
    except Unreadable as error:
        raise error.at("strategy") from None
    return choose


def bet(book: Rulebook, seat: int, minimum_cents: int) -> a.Bet:
    """Bet the least on the game itself, and on nothing else."""
    main = [name for name, spot in book.opening.items() if spot.kind == "main"]
    return a.Bet(seat, dict.fromkeys(main, minimum_cents))


def act(seat: int, choice: int, options: Sequence[Option]) -> a.Action:
    """Return the action that a choice stands for, or the nearest to it that is offered."""
    times = [option.times for option in options if option.action == "raise"]
    offered = {option.action for option in options}
    if choice > 0 and times:
        return a.Raise(seat, max((each for each in times if each <= choice), default=min(times)))
    if choice == TAKE_BACK and "take-back" in offered:
        return a.TakeBack(seat)
    if "check" in offered and (choice == CHECK or "fold" not in offered):
        return a.Check(seat)
    return a.Fold(seat, confirmed=True)


def decide(book: Rulebook, view: State, seat: int, choose: Choose) -> a.Action:
    """Return what a strategy does at a seat that is to decide, from what that seat sees."""
    held = view.seats[seat]
    known = seen(book, held.cards, view.piles, history(book, held.raises, held.stakes))
    return act(seat, choose(known), rounds.legal(book, view, seat))


def move(book: Rulebook, table: Table) -> tuple[int, a.Action] | None:
    """Return what the next bot at a table does, if one has something to do.

    Bots bet once a person has: a table of bots alone is quiet.
    """
    bots = {n: sitter for n, sitter in table.sitters.items() if sitter.bot}
    if table.round.phase == "betting":
        for number in bots:
            seat = table.round.seats.get(number)
            if seat is None or not seat.stakes:
                return number, bet(book, number, table.minimum_cents)
    for number in rounds.due(book, table.round):
        if number in bots:
            state = rounds.view(book, table.happened, number)
            return number, decide(book, state, number, chooser(book, bots[number].bot))
    return None
