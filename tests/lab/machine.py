"""Rounds of showdowns and of wagers taken back, on the machine and through the kernels."""

import random
from collections.abc import Callable, Sequence

import numpy as np

from pitboss import maths
from pitboss.cards import DECK, Card, shuffled
from pitboss.lab import simulate as sim
from pitboss.lab.simulation_tables import Kernel
from pitboss.maths.advise import history
from pitboss.maths.decisions import CHECK, FOLD, TAKE_BACK
from pitboss.round import Round, actions
from pitboss.rulebook.deal_script import SEATS, DealStep, DecideStep, arrivals
from pitboss.rulebook.model import Rulebook
from pitboss.settle import of_round, settle

ANTE = 10_00


Choose = Callable[[maths.Seen], int]


def settles_alike(book: Rulebook, rounds: int, seats: int = 2) -> None:
    """Let the machine play best, and the kernel settle the same cards: the nets are the same."""
    job = sim.prepare(book, rounds=1, seed=1, seats=seats, ante_cents=ANTE, minimum_cents=ANTE)
    best = maths.solve(book, ANTE, ANTE).choice
    ends_alike(book, rounds, best, job.kernel, job.outcomes)


def ends_alike(
    book: Rulebook, rounds: int, choose: Choose, kernel: Kernel, outcomes: Sequence[maths.Outcome]
) -> None:
    """Let the machine play by choices, and the kernel that looks them up settle the same cards."""
    chance, dealt, nets = random.Random(2026), [], []
    for _ in range(rounds):
        game = played(book, shuffled(chance), kernel.seats, choose)
        done = settle(book, of_round(game.state))
        nets.append([each.returned_cents - each.staked_cents for each in done.seats])
        dealt.append(laid_out(book, game, kernel.seats))
    ended = kernel.settle(np.array(dealt, np.uint8).T.copy())
    worth = np.array([ending.net_units for ending in outcomes])
    assert np.array_equal(worth[np.array(ended)].T, nets)


def played(book: Rulebook, deck: tuple[Card, ...], seats: int, choose: Choose) -> Round:
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
            up = _pile(book, game, _places(book)[-1])[0] if _upcard(book) else None
            seen = maths.Seen(own, _board(book, game, len(decided)), up, decided)
            game.do(_action(seat, choose(seen)))
        game.deal(deck)
    return game


def _action(seat: int, choice: int) -> actions.Action:
    if choice == FOLD:
        return actions.Fold(seat, confirmed=True)
    if choice == CHECK:
        return actions.Check(seat)
    return actions.TakeBack(seat) if choice == TAKE_BACK else actions.Raise(seat, choice)


def _board(book: Rulebook, game: Round, decision: int) -> tuple[Card, ...]:
    """What a seat sees of the board at a decision: the state here has all cards."""
    places = [place for place in book.main_hand[0] if place != SEATS]
    before = [at for at, step in enumerate(book.script) if isinstance(step, DecideStep)][decision]
    many = sum(card.step < before for card in arrivals(book.script, places))
    lie = [card for place in places for card in game.state.piles.get(place, ())]
    return tuple(card for card in lie[:many] if card is not None)


def laid_out(book: Rulebook, game: Round, seats: int) -> list[Card]:
    """The cards of a finished round as the kernel wants them: the table's first."""
    table: list[Card | None] = []
    for place in _places(book):
        pile = _pile(book, game, place)
        table += [*pile, *[None] * (book.dealt[place] - len(pile))]
    own = [card for seat in range(1, seats + 1) for card in game.state.seats[seat].cards]
    # Where everybody folded some cards were not turned or not dealt, and any others will do.
    known = [card for card in (*table, *own) if card is not None]
    rest = iter([card for card in DECK if card not in known])
    return [next(rest) if card is None else card for card in (*table, *own)]


def _places(book: Rulebook) -> list[str]:
    """Where cards lie on the table: those for all, then the dealer's own."""
    return ["board"] if book.qualifier is None else [*book.qualifier.shared, book.qualifier.place]


def _upcard(book: Rulebook) -> int | None:
    """Which of the dealer's cards, in the order dealt, comes face up."""
    place, before = _places(book)[-1], 0
    for step in book.script:
        if isinstance(step, DealStep) and place in step.to:
            if place in step.up:
                return before + step.up[place][0]
            before += step.cards
    return None


def _pile(book: Rulebook, game: Round, place: str) -> list[Card | None]:
    """The cards of a place, the one that comes face up first."""
    pile, up = list(game.state.piles.get(place, ())), _upcard(book)
    if up is None or place != _places(book)[-1]:
        return pile
    return [pile[up - 1], *pile[: up - 1], *pile[up:]]
