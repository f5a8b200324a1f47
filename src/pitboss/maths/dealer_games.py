"""The dealer-showdown family, solved exactly: five cards each, one of the dealer's face up.

How often each ending comes about is counted elsewhere (``dealers_hands``); here endings are priced,
the best choice of each case is taken, and what it comes to is summed up.
"""

from collections.abc import Sequence
from math import lcm

import msgspec
import numpy as np
import numpy.typing as npt

from pitboss.cards import Card
from pitboss.errors import Unreadable
from pitboss.hands import ranking
from pitboss.maths.dealers_hands import UNSEEN, Cases, against, count
from pitboss.maths.hand_states import SIZE, Ints, levels, whole
from pitboss.maths.outcomes import Outcome
from pitboss.maths.pay_table_games import FOLD
from pitboss.money import Odds, times
from pitboss.rulebook.deal_script import SEATS, DealStep, DecideStep, TurnStep
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.paytable import Qualifier

Choices = npt.NDArray[np.integer]
"""For each case the place of the choice made."""


class Pay(msgspec.Struct, frozen=True):
    """What each ending nets, in whole units, for one choice after the other."""

    fold: int
    unqualified: Ints
    """(choice)."""
    win: Ints
    """(choice, strength)."""
    tie: Ints
    """(choice, strength): as a win, where ties win."""
    lose: Ints
    """(choice)."""
    rows: tuple[str, ...]
    """What wins are called, best first."""
    row: Ints
    """(strength): which of them."""
    ties_win: bool


class Solved(msgspec.Struct, frozen=True):
    """The best play against every upcard, and what it comes to."""

    choices: tuple[int, ...]
    """Multiples in rising order and FOLD: as ties are broken."""
    pay: Pay
    total: int
    deals: int
    units: int
    outcomes: tuple[Outcome, ...]


def solve(book: Rulebook, ante_cents: int | None, minimum_cents: int, ties: str) -> Solved:
    """Solve the game; with an ante the cap bites as it does for one player alone."""
    rule, street = shape(book)
    stay = street.times
    choices = (FOLD, *stay) if ties == "fold" else (*stay, FOLD)
    pay, units = payoffs(book, street, stay, ante_cents, minimum_cents)
    total, followed = 0, []
    for every in (against(upcard, rule.weakest) for upcard in range(13)):
        worths = [worth(every, pay, stay, choice) for choice in choices]
        best, picked = worths[0], np.zeros(len(every.ways), np.int8)
        for number, other in enumerate(worths[1:], start=1):
            picked[other > best] = number
            best = np.maximum(best, other)
        total += exact_sum(best, every.ways)
        followed.append((every, picked))
    counted = outcomes(pay, choices, stay, followed)
    return Solved(choices, pay, total, sum(each.deals for each in counted), units, counted)


def exact_sum(worths: Ints, ways: Ints) -> int:
    """Sum worths times ways, of which there are fewer than 2**31.

    In cents the whole may not fit sixty-four bits, so the halves of the worths are summed apart.
    """
    high, low = int((worths >> 32) @ ways), int((worths & 0xFFFFFFFF) @ ways)
    return (high << 32) + low


def shape(book: Rulebook) -> tuple[Qualifier, DecideStep]:
    """Return qualifier and decision, or say why this solver cannot take the game."""
    rule, main = book.qualifier, [spot for spot in book.spot if spot.kind == "main"]
    if rule is None or not all(spot.against for spot in main):
        raise Unreadable("main wagers that are not against the dealer are not solved here", book.id)
    tables = [book.tables[spot.table].ranking for spot in main if spot.table]
    for fits, why in (
        (
            {rule.ranking, *tables} == {"five-card"}
            and book.dealt == {SEATS: SIZE, rule.place: SIZE},
            "only showdowns of exactly five cards each, and no others dealt, are solved so far",
        ),
        (
            [step.otherwise for step in book.streets] == [("fold",)] and len(main) == 2,
            "only showdowns with one decision, to raise or to fold, are solved so far",
        ),
        (
            _seen(book, rule.place) == (SIZE, 1),
            "only showdowns decided with five cards and one of the dealer's seen are solved so far",
        ),
        (
            all(spot.after_fold == "lost" for spot in main),
            "showdowns in which a main wager outlives a fold are not solved yet",
        ),
    ):
        if not fits:
            raise Unreadable(why, book.id)
    return rule, book.streets[0]


def _seen(book: Rulebook, place: str) -> tuple[int, int]:
    """Return how many of their own and of the dealer's cards players see before they decide."""
    own = dealers = 0
    for step in book.script:
        if isinstance(step, DecideStep):
            break
        if isinstance(step, DealStep):
            own += step.cards if SEATS in step.to else 0
            dealers += len(step.up.get(place, ()))
        elif isinstance(step, TurnStep) and step.place == place:
            dealers += step.cards
    return own, dealers


def payoffs(
    book: Rulebook,
    street: DecideStep,
    stay: tuple[int, ...],
    ante_cents: int | None,
    minimum_cents: int,
) -> tuple[Pay, int]:
    """Return what every ending nets, and how many units an ante is."""
    ante, bet = book.ante, book.spots[street.into]
    # The raise's table first: it names the wins.
    rows = {name: book.tables[name] for name in (bet.table, ante.table) if name}
    odds = [row.odds for table in rows.values() for row in table.rows if row.odds is not None]
    odds += [
        each for spot in (ante, bet) for each in (spot.odds, spot.unqualified) if each is not None
    ]
    units = ante_cents or lcm(*(each.denominator for each in odds))
    exact = ante_cents is None
    classes = ranking("five-card").classes
    rule = book.qualifier
    assert rule is not None

    def net(times_: int, strength: int | None) -> int:
        """Net when the player wins with this strength, or when the dealer does not qualify."""
        won: list[_Won] = []
        total = 0
        for spot, stake in ((ante, units), (bet, units * times_)):
            row = rows[spot.table].row_for(strength) if spot.table and strength else None
            at = spot.unqualified if strength is None else (spot.odds if row is None else row.odds)
            assert at is not None
            if at <= 0:
                total += int(at * stake)
            else:
                cents = int(at * stake) if exact else times(stake, at, book.rounding)
                won.append((spot.name, row.row if row else "", at, cents))
        return total + (
            sum(each[3] for each in won) if exact else _capped(book, won, minimum_cents)
        )

    # One hand of each row is enough: a win is paid by its row alone.
    alike = [tuple(table.row_for(h.strength).row for table in rows.values()) for h in classes]
    first = {each: hand.strength for each, hand in zip(alike, classes, strict=True)}
    best_first = sorted(first, key=lambda each: -first[each])
    number = {each: at for at, each in enumerate(best_first)}
    row = np.array([0, *map(number.__getitem__, alike)])
    # Less what a loss comes to, each is summed over all of the dealer's hands.
    nets = whole(
        [[-units * (1 + t), net(t, None), *(net(t, first[e]) for e in best_first)] for t in stay],
        2 * UNSEEN,
    )
    if nets.dtype == object:
        raise Unreadable("stakes this large, or odds this fine, are not counted exactly", book.id)
    lose, unqualified, win = nets[:, 0], nets[:, 1], nets[:, 2:][:, row]
    tie = {"win": win, "lose": lose[:, None], "push": np.zeros((1, 1), np.int64)}[rule.tie]
    return (
        Pay(
            -units,
            unqualified,
            win,
            np.broadcast_to(tie, win.shape),
            lose,
            tuple(each[0] if each else "player-wins" for each in best_first),
            row,
            rule.tie == "win",
        ),
        units,
    )


_Won = tuple[str, str, Odds, int]
"""The spot, the row that pays it, at which odds, and the cents."""


def _capped(book: Rulebook, won: list[_Won], minimum_cents: int) -> int:
    left = sum(cents for *_, cents in won)
    for cap in book.cap:
        bound = sum(
            cents for spot, row, odds, cents in won if spot in cap.spots and cap.counts(odds, row)
        )
        ceiling = cap.cents(minimum_cents)
        if bound > ceiling:
            left -= bound - ceiling // cap.unit * cap.unit
    return left


def worth(every: Cases, pay: Pay, stay: tuple[int, ...], choice: int) -> Ints:
    """Return the worth of a choice in each case, summed over the dealer's hands."""
    if choice == FOLD:
        return np.full(len(every.ways), pay.fold * UNSEEN)
    at, strength = stay.index(choice), every.strength
    # Each ending by what it is better than losing.
    found: Ints = every.unqualified * (pay.unqualified[at] - pay.lose[at])
    found += every.below * (pay.win[at] - pay.lose[at])[strength]
    found += every.equal * (pay.tie[at] - pay.lose[at])[strength]
    found += UNSEEN * pay.lose[at]
    return found


def situation(weakest: int, cards: tuple[Card, ...], upcard: Card | None) -> Cases:
    """Return the one case that a player is in who holds these cards and sees the upcard."""
    if upcard is None or len({*cards, upcard}) != SIZE + 1 or len(cards) != SIZE:
        raise Unreadable("five cards are held, and the dealer's upcard is another")
    state = np.array([levels()[SIZE].state(cards)])
    suited = (card for card in cards if card & 3 == upcard & 3)
    shared = np.array([sum(1 << (card >> 2) for card in suited)])
    counted = count(upcard >> 2, weakest, state, shared)
    return Cases(state, np.array([upcard >> 2]), shared, np.ones(1, np.int64), *counted)


def outcomes(
    pay: Pay,
    choices: tuple[int, ...],
    stay: tuple[int, ...],
    followed: Sequence[tuple[Cases, Choices]],
) -> tuple[Outcome, ...]:
    """Count how often each ending comes about in cases, each with the place of its choice."""
    found: dict[tuple[str, int, int], int] = {}
    for number, choice in enumerate(choices):
        rows, unqualified, tied, deals = np.zeros(len(pay.rows)), 0, 0, 0
        for every, picked in followed:
            ways = np.where(picked == number, every.ways, 0)
            deals += int(ways.sum()) * UNSEEN
            if choice != FOLD:
                wins = every.below + every.equal if pay.ties_win else every.below
                # Every count is far below 2**53, so that sums of floats are exact.
                rows += np.bincount(pay.row[every.strength], wins * ways, len(rows))
                unqualified += int(every.unqualified @ ways)
                tied += 0 if pay.ties_win else int(every.equal @ ways)
        if choice == FOLD:
            found["fold-1", 1, pay.fold] = deals
            continue
        at, stake = stay.index(choice), 1 + choice
        for row, name in enumerate(pay.rows):
            if rows[row]:
                ending = name, stake, int(pay.win[at][np.argmax(pay.row == row)])
                found[ending] = found.get(ending, 0) + int(rows[row])
        lost = deals - int(rows.sum()) - unqualified - tied
        found["dealer-does-not-qualify", stake, int(pay.unqualified[at])] = unqualified
        if not pay.ties_win:
            found["tie", stake, int(pay.tie[at][0])] = tied
        found["dealer-wins", stake, int(pay.lose[at])] = lost
    return tuple(Outcome(*ending, deals) for ending, deals in found.items() if deals)
