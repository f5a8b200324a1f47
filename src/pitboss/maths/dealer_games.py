"""The dealer-showdown family, solved exactly: five cards each, one of the dealer's face up.

How often each ending comes about is counted elsewhere (``dealers_hands``); here endings are priced,
the best choice of each case is taken, and what it comes to is summed up.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import lcm

import msgspec
import numpy as np
import numpy.typing as npt

from pitboss.cards import Card
from pitboss.errors import Unreadable, Unsolved
from pitboss.hands import ranking
from pitboss.maths.dealers_hands import UNSEEN, Cases, Small, against, cases, counted
from pitboss.maths.decisions import FOLD, offered
from pitboss.maths.hand_states import SIZE, Ints, levels, whole
from pitboss.maths.outcomes import NO_SUCH_PLAY, Outcome, Replayed
from pitboss.maths.seen import Seen
from pitboss.money import Odds, times
from pitboss.rulebook.deal_script import SEATS, DecideStep, arrivals
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.paytable import Qualifier, Spot

Choices = npt.NDArray[np.integer]
"""For each case the place of the choice made."""

ONE_DECISION = ([("fold",)], [()])
"""What a seat may do besides raising, street by street: to fold, or nothing."""


class ShowdownPay(msgspec.Struct, frozen=True):
    """What each ending nets, in whole units, for one multiple after the other."""

    units: int
    """How many of them an ante is."""
    times: tuple[int, ...]
    """The multiples."""
    fold: int
    unqualified: Ints
    """(multiple)."""
    win: Ints
    """(multiple, strength)."""
    tie: Ints
    """(multiple, strength): as a win, where ties win."""
    lose: Ints
    """(multiple)."""
    rows: tuple[str, ...]
    """What wins are called, best first."""
    row: Ints
    """(strength): which of them."""
    ties_win: bool


class DealerSolution(msgspec.Struct, frozen=True):
    """The best play against every upcard, and what it comes to."""

    choices: tuple[int, ...]
    """Multiples in rising order and FOLD: as ties are broken."""
    weakest: int
    """The dealer qualifies with this strength."""
    pay: ShowdownPay
    total: int
    deals: int
    units: int
    outcomes: tuple[Outcome, ...]

    def worth(self, seen: Seen) -> dict[int, Fraction]:
        """Return each choice (0 folds) with its value in antes."""
        if seen.board or seen.raises:
            raise Unreadable("there is one decision, without a board, and nothing raised yet")
        case = situation(self.weakest, seen.cards, seen.upcard)
        ways = UNSEEN * self.units
        return {
            choice: Fraction(int(worth(case, self.pay, choice)[0]), ways) for choice in self.choices
        }


def takes_long(_book: Rulebook) -> bool:
    """Say that solving takes no more than about a second, where nothing of it is kept."""
    return False


def solve(book: Rulebook, ante_cents: int | None, minimum_cents: int, ties: str) -> DealerSolution:
    """Solve the game; with an ante the cap bites as it does for one player alone."""
    rule, street = shape(book)
    pay = payoffs(book, ante_cents, minimum_cents)
    choices = offered(street, ties)
    total, followed = 0, []
    for every in (against(upcard, rule.weakest) for upcard in range(13)):
        most, picked = best(every, pay, choices)
        total += exact_sum(most, every.ways)
        followed.append((every, picked))
    happens = outcomes(pay, choices, followed)
    return DealerSolution(
        choices=choices,
        weakest=rule.weakest,
        pay=pay,
        total=total,
        deals=sum(each.deals for each in happens),
        units=pay.units,
        outcomes=happens,
    )


def best(every: Cases, pay: ShowdownPay, choices: tuple[int, ...]) -> tuple[Ints, Choices]:
    """Return what the best choice is worth in each case, and its place, the first of equals."""
    worths = [worth(every, pay, choice) for choice in choices]
    most, picked = worths[0], np.zeros(len(every.ways), np.int8)
    for number, other in enumerate(worths[1:], start=1):
        picked[other > most] = number
        most = np.maximum(most, other)
    return most, picked


def repriced(
    solved: DealerSolution, book: Rulebook, ante_cents: int | None, minimum_cents: int
) -> Replayed:
    """Price a book with other odds, played as was best before."""
    rule, street = shape(book)
    if (rule.weakest, *street.times) != (solved.weakest, *solved.pay.times):
        raise Unsolved(NO_SUCH_PLAY, book.id)
    pay, choices = payoffs(book, ante_cents, minimum_cents), solved.choices
    every = [against(upcard, rule.weakest) for upcard in range(13)]
    followed = [(cases, best(cases, solved.pay, choices)[1]) for cases in every]
    return Replayed(solved.deals, pay.units, outcomes(pay, choices, followed))


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
        raise Unsolved("main wagers that are not against the dealer are not solved here", book.id)
    tables = [book.tables[spot.table].ranking for spot in main if spot.table]
    for fits, why in (
        (
            {rule.ranking, *tables} == {"five-card"}
            and book.dealt == {SEATS: SIZE, rule.place: SIZE},
            "only showdowns of exactly five cards each, and no others dealt, are solved so far",
        ),
        (
            [step.otherwise for step in book.streets] in ONE_DECISION and len(main) == 2,
            "only showdowns with one decision, to raise or to fold, are solved so far",
        ),
        (
            seen_first(book, rule.place) == (SIZE, 1),
            "only showdowns decided with five cards and one of the dealer's seen are solved so far",
        ),
        (
            not any(step.more for step in book.streets) and all(_plain(spot) for spot in main),
            "only showdowns whose wagers pay odds or by a row on a win are solved so far",
        ),
        (
            all(spot.after_fold == "lost" for spot in main),
            "showdowns in which a main wager outlives a fold are not solved yet",
        ),
    ):
        if not fits:
            raise Unsolved(why, book.id)
    return rule, book.streets[0]


def _plain(spot: Spot) -> bool:
    """Whether a wager pays odds when the dealer does not qualify, and nothing beside the win."""
    by_odds = spot.unqualified is None or spot.unqualified.by == "odds"
    return by_odds and not (spot.bonus or spot.rows)


def seen_first(book: Rulebook, place: str) -> tuple[int, int]:
    """Return how many of their own and of the dealer's cards players see before they decide."""
    first = min(book.street_at, default=len(book.script))
    seen = [card.place for card in arrivals(book.script, (SEATS, place)) if card.step < first]
    return seen.count(SEATS), seen.count(place)


def payoffs(book: Rulebook, ante_cents: int | None, minimum_cents: int) -> ShowdownPay:
    """Return what every ending nets; without an ante in units that leave no fractions."""
    rule, street = shape(book)
    # The raise's table first: it names the wins.
    spots = (book.spots[street.into], book.ante)
    tables = [book.tables[spot.table] for spot in spots if spot.table]
    odds = [row.odds for table in tables for row in table.rows]
    odds += [spot.odds for spot in spots]
    odds += [spot.unqualified.odds for spot in spots if spot.unqualified is not None]
    units = ante_cents or lcm(*(each.denominator for each in odds if each is not None))
    # One hand of each row is enough: a win is paid by its row alone, and by what it looks like.
    hands, look = ranking("five-card").looks
    alike = [tuple(table.row_for(hand.strength).row for table in tables) for hand in hands]
    first: dict[tuple[str, ...], int] = {}
    for each, hand in zip(alike, hands, strict=True):
        first[each] = max(hand.strength, first.get(each, 0))
    best_first = sorted(first, key=lambda each: -first[each])
    number = {each: at for at, each in enumerate(best_first)}
    row = np.array([0, *map([number[each] for each in alike].__getitem__, look)])

    def net(multiple: int, strength: int | None) -> int:
        wins = _wins(book, street, units, multiple, strength)
        if ante_cents is None:
            return sum(int(stake * paid_at) for _, _, paid_at, stake in wins)
        return net_cents(book, wins, minimum_cents)

    # Less what a loss comes to, each is summed over all of the dealer's hands.
    nets = whole(
        [
            [-units * (1 + many), net(many, None), *(net(many, first[each]) for each in best_first)]
            for many in street.times
        ],
        2 * UNSEEN,
    )
    if nets.dtype == object:
        raise Unsolved("stakes this large, or odds this fine, are not counted exactly", book.id)
    lose, unqualified, win = nets[:, 0], nets[:, 1], nets[:, 2:][:, row]
    tie = {"win": win, "lose": lose[:, None], "push": np.zeros((1, 1), np.int64)}[rule.tie]
    return ShowdownPay(
        units=units,
        times=street.times,
        fold=-units,
        unqualified=unqualified,
        win=win,
        tie=np.broadcast_to(tie, win.shape),
        lose=lose,
        rows=tuple(each[0] if each else "player-wins" for each in best_first),
        row=row,
        ties_win=rule.tie == "win",
    )


Paid = tuple[str, str, Odds, int]
"""The spot, the row that pays it, at which odds, and what is staked there."""


def _wins(
    book: Rulebook, street: DecideStep, ante: int, multiple: int, strength: int | None
) -> list[Paid]:
    """Return how each wager is paid when this strength wins, or the dealer does not qualify."""
    found = []
    for spot, stake in ((book.ante, ante), (book.spots[street.into], ante * multiple)):
        row = book.tables[spot.table].row_for(strength) if spot.table and strength else None
        won = spot.odds if row is None else row.odds
        # Where every hand qualifies nothing is said of those that do not.
        short = Odds(0) if spot.unqualified is None else spot.unqualified.odds
        odds = short if strength is None else won
        assert odds is not None
        if strength is not None:
            odds = max(odds, Odds(0))  # a hand that wins loses nothing, whatever its row says
        found.append((spot.name, row.row if row else "", odds, stake))
    return found


def net_cents(book: Rulebook, wins: Sequence[Paid], minimum_cents: int) -> int:
    """Return what these wagers net together: wins rounded to cents, and cut by the caps."""
    won = [
        (spot, row, odds, times(stake, odds, book.rounding))
        for spot, row, odds, stake in wins
        if odds > 0
    ]
    net = sum(int(odds * stake) for _, _, odds, stake in wins if odds <= 0)
    net += sum(cents for *_, cents in won)
    for cap in book.cap:
        bound = sum(
            cents for spot, row, odds, cents in won if spot in cap.spots and cap.counts(odds, row)
        )
        ceiling = cap.cents(minimum_cents)
        if bound > ceiling:
            net -= bound - ceiling // cap.unit * cap.unit
    return net


def worth(every: Cases, pay: ShowdownPay, choice: int) -> Ints:
    """Return the worth of a choice in each case, summed over the dealer's hands."""
    counts = UNSEEN, every.unqualified, every.below, every.equal
    return worth_against(pay, choice, every.strength, *counts)


def worth_against(
    pay: ShowdownPay,
    choice: int,
    strength: Ints,
    every: int | Ints,
    unqualified: Ints | Small,
    below: Ints | Small,
    equal: Ints | Small,
) -> Ints:
    """Return it for hands of these strengths, with the dealer's hands counted against each."""
    if choice == FOLD:
        return np.broadcast_to(every * pay.fold, strength.shape)
    at = pay.times.index(choice)
    # Each ending by what it is better than losing.
    found: Ints = unqualified * (pay.unqualified[at] - pay.lose[at])
    found += below * (pay.win[at] - pay.lose[at])[strength]
    found += equal * (pay.tie[at] - pay.lose[at])[strength]
    found += every * pay.lose[at]
    return found


def best_cases(solved: DealerSolution) -> tuple[Cases, Choices]:
    """Return every case there is, each with the place of its best choice."""
    every = cases(solved.weakest)
    worths = [worth(every, solved.pay, choice) for choice in solved.choices]
    return every, np.argmax(worths, axis=0)


def situation(weakest: int, cards: tuple[Card, ...], upcard: Card | None) -> Cases:
    """Return the one case that a player is in who holds these cards and sees the upcard."""
    if upcard is None or len({*cards, upcard}) != SIZE + 1 or len(cards) != SIZE:
        raise Unreadable("five cards are held, and the dealer's upcard is another")
    state = np.array([levels()[SIZE].state(cards)])
    suited = (card for card in cards if card & 3 == upcard & 3)
    shared = np.array([sum(1 << (card >> 2) for card in suited)])
    return counted(upcard >> 2, weakest, state, shared, np.ones(1, np.int64))


def outcomes(
    pay: ShowdownPay, choices: tuple[int, ...], followed: Sequence[tuple[Cases, Choices]]
) -> tuple[Outcome, ...]:
    """Count how often each ending comes about in cases, each with the place of its choice."""
    found: Counter[tuple[str, int, int]] = Counter()
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
        at, stake = pay.times.index(choice), 1 + choice
        for row, name in enumerate(pay.rows):
            if rows[row]:
                net = int(pay.win[at][np.argmax(pay.row == row)])
                found[name, stake, net] += int(rows[row])
        lost = deals - int(rows.sum()) - unqualified - tied
        found["dealer-does-not-qualify", stake, int(pay.unqualified[at])] = unqualified
        if not pay.ties_win:
            found["tie", stake, int(pay.tie[at][0])] = tied
        found["dealer-wins", stake, int(pay.lose[at])] = lost
    return tuple(Outcome(*ending, deals) for ending, deals in found.items() if deals)
