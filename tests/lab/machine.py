"""Rounds of showdowns and of wagers taken back, on the machine and through the kernels."""

import random

import numpy as np

from pitboss import maths
from pitboss.cards import DECK, Card, shuffled
from pitboss.lab import simulate as sim
from pitboss.maths.advise import history
from pitboss.maths.decisions import CHECK, FOLD, TAKE_BACK
from pitboss.round import Round, actions
from pitboss.rulebook.deal_script import DealStep
from pitboss.rulebook.model import Rulebook
from pitboss.settle import of_round, settle

ANTE = 10_00


def settles_alike(book: Rulebook, rounds: int, seats: int = 2) -> None:
    """Let the machine play best, and the kernel settle the same cards: the nets are the same."""
    chance, solution = random.Random(2026), maths.solve(book, ANTE, ANTE)
    job = sim.prepare(book, rounds=1, seed=1, seats=seats, ante_cents=ANTE, minimum_cents=ANTE)
    dealt, nets = [], []
    for _ in range(rounds):
        game = played(book, shuffled(chance), seats, solution)
        done = settle(book, of_round(game.state))
        nets.append([each.returned_cents - each.staked_cents for each in done.seats])
        dealt.append(laid_out(book, game, seats))
    ended = job.kernel.settle(np.array(dealt, np.uint8).T.copy())
    worth = np.array([ending.net_units for ending in job.outcomes])
    assert np.array_equal(worth[np.array(ended)].T, nets)


def played(book: Rulebook, deck: tuple[Card, ...], seats: int, best: maths.Solution) -> Round:
    game, places = Round(book), range(1, seats + 1)
    people = {seat: f"player {seat}" for seat in places}
    game.do(actions.Open(people, ANTE, book.limits.maximum.highest, None))
    for seat in places:
        game.do(actions.Bet(seat, dict.fromkeys(book.equal, ANTE)))
    game.do(actions.CloseBets())
    game.deal(deck)
    while due := game.due():
        for seat in due:
            held = game.state.seats[seat]
            decided = history(book, held.raises, held.stakes)
            own = tuple(card for card in held.cards if card is not None)
            table = [card for card in _upcard_first(book, game) if card is not None]
            # The state here has all cards; a seat sees one more on the board with each decision.
            board = tuple(table[: len(decided)]) if book.qualifier is None else ()
            up = table[0] if any(step.up for step in _deals(book)) else None
            game.do(_action(seat, best.choice(maths.Seen(own, board, up, decided))))
        game.deal(deck)
    return game


def _action(seat: int, choice: int) -> actions.Action:
    if choice == FOLD:
        return actions.Fold(seat, confirmed=True)
    if choice == CHECK:
        return actions.Check(seat)
    return actions.TakeBack(seat) if choice == TAKE_BACK else actions.Raise(seat, choice)


def laid_out(book: Rulebook, game: Round, seats: int) -> list[Card]:
    """The cards of a finished round as the kernel wants them: the table's first."""
    table = _upcard_first(book, game)
    own = [card for seat in range(1, seats + 1) for card in game.state.seats[seat].cards]
    # Where everybody folded the dealer's cards were not turned, and any others will do.
    known = [card for card in (*table, *own) if card is not None]
    rest = iter([card for card in DECK if card not in known])
    whole = [next(rest) if card is None else card for card in table]
    whole += [next(rest) for _ in range(book.dealt[_place(book)] - len(whole))]
    return [*whole, *(card for card in own if card is not None)]


def _place(book: Rulebook) -> str:
    return "board" if book.qualifier is None else book.qualifier.place


def _deals(book: Rulebook) -> list[DealStep]:
    return [s for s in book.script if isinstance(s, DealStep) and _place(book) in s.to]


def _upcard_first(book: Rulebook, game: Round) -> list[Card | None]:
    """The table's cards, the one that comes face up first."""
    place, up, before = _place(book), 0, 0
    for step in _deals(book):
        up = before + step.up[place][0] - 1 if place in step.up else up
        before += step.cards
    pile = list(game.state.piles.get(place, ()))
    return [*pile[up : up + 1], *pile[:up], *pile[up + 1 :]]
