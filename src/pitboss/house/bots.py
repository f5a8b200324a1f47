"""Bots: seats that play the best strategy there is, or a named one, from what their seat sees."""

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from pitboss import maths
from pitboss import round as rounds
from pitboss.cards import shuffled
from pitboss.errors import Unreadable, Unsolved
from pitboss.house.table.state import Table
from pitboss.maths import board_games
from pitboss.maths.advise import history, seen
from pitboss.maths.at_least import AtLeast
from pitboss.maths.board_strategies import BoardRules
from pitboss.maths.decisions import CHECK, FOLD, TAKE_BACK
from pitboss.maths.seen import Seen
from pitboss.maths.strategies import MADE, NAMED, blind, named
from pitboss.round import Option, State
from pitboss.round import actions as a
from pitboss.rulebook import Rulebook

BEST = "best"

Choose = Callable[[Seen], int]


_known: dict[tuple[str, str], Choose] = {}
"""By the rulebook's hash and the name of a strategy; without one, until the game is solved."""


def chooser(book: Rulebook, strategy: str) -> Choose:
    """Return what decides for a bot; working it out may take half a second the first time.

    Whoever wants the best of a game that takes minutes to solve gets what needs no solution, until
    somebody has had it solved.
    """
    if strategy not in (BEST, *NAMED, *MADE):
        known = ", ".join((BEST, *NAMED, *MADE))
        raise Unreadable(f"no strategy {strategy[:40]!r}; there are {known}", "strategy")
    waits = strategy == BEST and not maths.at_hand(book)
    name = (book.sha256, "" if waits else strategy)
    if name not in _known:
        try:
            _known[name] = _until_solved(book) if waits else _chosen(book, strategy)
        except Unsolved as error:  # whoever asked for such a bot asked for what is not there
            raise Unreadable(error.message, error.place) from None
    return _known[name]


def _chosen(book: Rulebook, strategy: str) -> Choose:
    return maths.solve(book).choice if strategy == BEST else _fitting(book, strategy)


def _fitting(book: Rulebook, strategy: str, *, strictly: bool = False) -> Choose:
    """Return a named strategy; one that is made for another kind of game says so at once."""
    shares = book.qualifier is not None and bool(book.qualifier.shared)
    try:
        choose = named(book, strategy)
        if isinstance(choose, BoardRules) and not shares:
            raise Unreadable("this strategy is made for a board that both share")
        if isinstance(choose, AtLeast) and choose.ranking != book.main_hand[1]:
            raise Unreadable(f"this strategy is made for {choose.ranking} hands")
        _try(book, choose, strictly=strictly)
    except Unreadable as error:
        raise error.at("strategy") from None
    return choose


def _until_solved(book: Rulebook) -> Choose:
    """Return the first strategy that is made for hands or boards like these, and answers with what
    is offered; where there is none, what sees as far as it can without a solution."""
    for name, choose in NAMED.items():
        if isinstance(choose, AtLeast | BoardRules):
            with suppress(Unreadable):
                return _fitting(book, name, strictly=True)
    try:
        board_games.plan(book, "stay")
    except Unsolved:
        return blind
    return partial(_counted, book)


def _counted(book: Rulebook, seen: Seen) -> int:
    """Once a board lies there, what can come is counted out; before it the least is raised."""
    if not seen.board:
        return blind(seen)
    found = maths.worths(book, seen)
    return max(found, key=lambda choice: found[choice])


TRIED = 24
"""Rounds that a strategy plays before it is let in."""

_WAYS = {"fold": FOLD, "check": CHECK, "take-back": TAKE_BACK}


def _try(book: Rulebook, choose: Choose, *, strictly: bool = False) -> None:
    """Let a strategy play some rounds alone: there one that is made for another game is at a loss
    or, where that is looked at, answers with what is not offered."""
    chance, least = random.Random(1), book.limits.minimum.least()
    meter = 0 if book.progressive is not None else None
    for _ in range(TRIED):
        game, deck = rounds.Round(book), shuffled(chance)
        game.do(a.Open({1: BEST}, least, book.limits.maximum.highest, meter))
        game.do(bet(book, 1, least))
        game.do(a.CloseBets())
        game.deal(deck)
        while game.due():
            said, options = choose(_sees(book, game.view(1), 1)), game.legal(1)
            if strictly and said not in {_WAYS.get(each.action, each.times) for each in options}:
                raise Unreadable("this strategy answers with what is not offered")
            game.do(act(1, said, options))
            game.deal(deck)


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
    return act(seat, choose(_sees(book, view, seat)), rounds.legal(book, view, seat))


def _sees(book: Rulebook, view: State, seat: int) -> Seen:
    held = view.seats[seat]
    return seen(book, held.cards, view.piles, history(book, held.raises, held.stakes))


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
