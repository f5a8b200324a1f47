"""What players gain who share what they hold: sampled, from decisions that are exact."""

from collections.abc import Iterator
from itertools import combinations
from math import perm

import msgspec
import numpy as np
import numpy.typing as npt

from pitboss.errors import Unreadable, Unsolved
from pitboss.lab.protect import options
from pitboss.maths import dealer_games, pay_table_games
from pitboss.maths.decisions import posted_minimum, streets
from pitboss.maths.families import family
from pitboss.maths.hand_states import (
    KEYS,
    RANK_MASK,
    SIZE,
    Ints,
    levels,
    on_to,
    strength,
    strengths,
)
from pitboss.rulebook.model import Rulebook

BATCHES = 20
"""How many estimates :func:`shared` makes, each better than the one before."""

_POCKETS = 40
"""Samples in a batch of what the others hold, for each pocket."""

_WORK = 20_000_000
"""Dealer's hands looked at in a batch."""

_TABLES = 2_000
"""Tables dealt in a batch, at most."""

_STRENGTHS = 1 << 13
"""More than there are strengths."""

Floats = npt.NDArray[np.float64]


class Estimate(msgspec.Struct, frozen=True):
    """A value that was sampled."""

    value: float
    error: float
    """Its standard error."""


def shared(
    book: Rulebook,
    players: int,
    ante_cents: int | None = None,
    minimum_cents: int | None = None,
    seed: int = 7,
) -> Iterator[Estimate]:
    """Yield better and better estimates of each player's value when so many share what they hold.

    Only the gain is sampled: what the best choices, which heed all cards seen, are worth above the
    ordinary ones, both worked out exactly for each sample. The ordinary value is exact.
    """
    may_share(book, players)
    least = posted_minimum(book, ante_cents, minimum_cents)
    chance = np.random.default_rng(seed)
    kind = _Pockets if book.qualifier is None else _Dealt
    table = kind(book, players, ante_cents, least)
    weights, total, squares, many = table.weights, np.zeros(1), np.zeros(1), 0
    for _ in range(BATCHES):
        gains = table.sample(chance)
        total = total + gains.sum(axis=1)
        squares = squares + (gains**2).sum(axis=1)
        many += gains.shape[1]
        mean = total / many
        spread = np.maximum(squares / many - mean**2, 0) / (many - 1)
        yield Estimate(table.ordinary + float(weights @ mean), float(np.sqrt(weights**2 @ spread)))


def may_share(book: Rulebook, players: int) -> None:
    """Refuse more players than a table seats, or fewer than can share; and games not sampled."""
    if not 2 <= players <= book.seats.most:
        raise Unreadable(f"2 to {book.seats.most} players can share what they hold, not {players}")
    if family(book) is pay_table_games:
        if streets(book, "stay")[0].seen < book.seat_cards:
            raise Unsolved(
                "players who decide before all their cards come are not sampled", book.id
            )
    elif family(book) is not dealer_games:
        raise Unsolved(
            "what others hold is sampled for pay tables over community cards, and for five cards "
            "against five with one of the dealer's up, and not for this showdown",
            book.id,
        )


def _drawn(chance: np.random.Generator, cards: Ints, rows: int, many: int) -> Ints:
    order = np.argsort(chance.random((rows, len(cards))), axis=1)[:, :many]
    found: Ints = cards[order]
    return found


class _Pockets:
    """Every pocket in turn, each with samples of what the others hold."""

    def __init__(
        self, book: Rulebook, players: int, ante_cents: int | None, minimum_cents: int
    ) -> None:
        solved = pay_table_games.solve(book, ante_cents, minimum_cents, "stay")
        self.streets = streets(book, "stay")
        self.best, self.units = solved.best, solved.units
        self.held = book.seat_cards
        self.others = (players - 1) * self.held
        self.ordinary = solved.total / solved.deals / solved.units
        self.pay = solved.pay[solved.rows[strengths()]].astype(np.float64)
        reached = on_to(levels(), self.held, 0, np.ones((1, 1), np.int64))
        self.weights: Floats = reached[:, 0] / perm(52, self.held)

    def sample(self, chance: np.random.Generator) -> Floats:
        """Return (pocket, sample): what heeding the others' cards gains, in antes."""
        return np.stack([self._gains(chance, pocket) for pocket in range(len(self.weights))])

    def _gains(self, chance: np.random.Generator, pocket: int) -> Floats:
        level = levels()[self.held]
        ranks, suited = level.ranks(pocket), bool(level.suited[pocket])
        mine = [4 * (rank - 2) + (0 if suited else at % 4) for at, rank in enumerate(ranks)]
        left = np.setdiff1d(np.arange(52), mine)
        best, usual = self.followed(pocket, _drawn(chance, left, _POCKETS, self.others))
        return best - usual

    def followed(self, pocket: int, gone: Ints) -> tuple[Floats, Floats]:
        """Return a pocket's value in antes by the best and by the ordinary choices.

        ``gone`` has a row of others' cards for each sample; a suited pocket is of the first suit.
        """
        deck = np.ones((len(gone), 52), np.int64)
        np.put_along_axis(deck, gone, 0, axis=1)
        cards = deck.reshape(-1, 13, 4)
        reach = self._reach(pocket)
        worths: list[Floats] = [self.pay[None, reach[SIZE]]] * 2
        at = SIZE
        for street, ordinary in zip(reversed(self.streets), reversed(self.best), strict=True):
            worths = [_back_to(street.seen, at, worth, reach, cards) for worth in worths]
            at = street.seen
            lost = perm(52 - self.others - at, SIZE - at) * self.units
            by_best, by_usual = (street.options(worth, lost) for worth in worths)
            picked = np.equal(street.choices, ordinary[reach[at]][..., None])
            worths = [by_best.max(axis=-1), np.where(picked, by_usual, 0).sum(axis=-1)]
        best, usual = (_back_to(self.held, at, worth, reach, cards) for worth in worths)
        antes = perm(52 - self.others - self.held, SIZE - self.held) * self.units
        return best[:, 0, 0] / antes, usual[:, 0, 0] / antes

    def _reach(self, pocket: int) -> dict[int, Ints]:
        """Return by level the states that a pocket can grow to."""
        found = {self.held: np.array([pocket])}
        for level in levels()[self.held : SIZE]:
            states = found[level.seen]
            found[level.seen + 1] = np.unique(level.after[states][level.ways[states] > 0])
        return found


def _back_to(to: int, at: int, worth: Floats, reach: dict[int, Ints], cards: Ints) -> Floats:
    """Step back from one level to another with the cards that each sample has left."""
    for number in range(at - 1, to - 1, -1):
        level, states = levels()[number], reach[number]
        new = level.suited[states, None] & (level.counts[states] == 0)
        same = cards[:, None, :, 0] * new
        other = cards.sum(axis=2)[:, None] - level.counts[states] - same
        ways = np.stack([other, same], axis=3).reshape(len(cards), len(states), -1)
        into = np.searchsorted(reach[number + 1], level.after[states])
        into = np.minimum(into, len(reach[number + 1]) - 1)
        if len(worth) == 1:
            worth = (ways.transpose(1, 0, 2) @ worth[0, into]).transpose(1, 0, 2)
        else:
            worth = np.einsum("snw,snwk->snk", ways, worth[:, into])
    return worth


class _Dealt:
    """Whole tables dealt at random against a dealer."""

    def __init__(
        self, book: Rulebook, players: int, ante_cents: int | None, minimum_cents: int
    ) -> None:
        solved = dealer_games.solve(book, ante_cents, minimum_cents, "stay")
        self.players, self.weakest = players, solved.weakest
        self.pay, self.units = solved.pay, solved.units
        self.ordinary = solved.total / solved.deals / solved.units
        every, best = dealer_games.best_cases(solved)
        names = _case(every.state, every.upcard, every.shared)
        order = np.argsort(names)
        self.names, self.usual = names[order], best[order]
        unseen = 52 - SIZE * players - 1
        self.others = np.array(list(combinations(range(unseen), SIZE - 1))).T
        self.tables = min(_TABLES, _WORK // self.others.shape[1])
        self.weights: Floats = np.ones(1)

    def sample(self, chance: np.random.Generator) -> Floats:
        """Return, for each table dealt, what heeding the others' cards gains a player, in antes."""
        dealt = _drawn(chance, np.arange(52), self.tables, 52)
        return np.array([[self.gain(cards) for cards in dealt]])

    def gain(self, cards: Ints) -> float:
        """Return it for one deck: the players' hands, the upcard, all others."""
        split = SIZE * self.players
        hands, upcard, left = cards[:split].reshape(-1, SIZE), cards[split], cards[split + 1 :]
        theirs = strength(KEYS[left][self.others].sum(axis=0) + KEYS[upcard])
        under = np.concatenate([[0], np.bincount(theirs, minlength=_STRENGTHS).cumsum()])
        mine = strength(KEYS[hands].sum(axis=1)).astype(np.int64)
        unqualified = under[self.weakest]
        counts = (under[mine], under[mine + 1])
        worth = options(self.pay, mine, under[-1], unqualified, *counts)
        level = levels()[SIZE]
        suits = hands & 3
        suited = (suits == suits[:, :1]).all(axis=1)
        state = np.searchsorted(level.keys, 2 * (KEYS[hands] & RANK_MASK).sum(axis=1) + suited)
        shared_ranks = ((suits == upcard & 3) << (hands >> 2)).sum(axis=1)
        case = np.searchsorted(self.names, _case(state, upcard >> 2, shared_ranks))
        usual = worth[self.usual[case], np.arange(self.players)]
        return float((worth.max(axis=0) - usual).mean() / (int(under[-1]) * self.units))


def _case(state: Ints, upcard: Ints, shared_ranks: Ints) -> Ints:
    found: Ints = (state * 13 + upcard << 13) + shared_ranks
    return found
