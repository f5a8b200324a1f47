"""What any strategy is worth, exactly: every situation is put to it once.

Suits have no rank, so situations that differ only in which suit is which are put to the strategy as
one; a strategy that tells suits apart by name is not evaluated rightly.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from math import comb, factorial, perm

import msgspec
import numpy as np
import numpy.typing as npt

from pitboss.cards import DECK, Card
from pitboss.errors import Unreadable, Unsolved
from pitboss.hands import RANK_KEYS
from pitboss.maths import board_games, dealer_games, pay_table_games, raise_or_fold
from pitboss.maths.at_least import AtLeast
from pitboss.maths.board_strategies import BoardRules, played
from pitboss.maths.dealers_hands import UNSEEN, Cases, counted
from pitboss.maths.decisions import FOLD, OUT, Plan, main_table, plan, posted_minimum
from pitboss.maths.families import family
from pitboss.maths.hand_states import SIZE, Ints, levels, step_back, strengths
from pitboss.maths.outcomes import statistics
from pitboss.maths.seen import Seen
from pitboss.maths.showdown_cases import Showdowns, showdowns
from pitboss.maths.showdown_pay import EndingNets, ending_nets
from pitboss.rulebook.model import Rulebook

Strategy = Callable[[Seen], int]
"""From what is seen to the multiple to raise; 0 folds, -1 checks, -2 takes back."""


class Evaluation(msgspec.Struct, frozen=True):
    """What a strategy comes to."""

    value: Fraction
    """Per ante."""
    average_wager: Fraction
    """In antes."""
    fold: tuple[Fraction, ...]
    """How often it folds, by street."""
    deals: int

    @property
    def element_of_risk(self) -> Fraction:
        """The house's edge of all that is wagered."""
        return -self.value / self.average_wager


def evaluate(
    book: Rulebook,
    strategy: Strategy,
    ante_cents: int | None = None,
    minimum_cents: int | None = None,
) -> Evaluation:
    """Price a strategy for any book that can be solved; ante and minimum as ``solve`` has them."""
    least = posted_minimum(book, ante_cents, minimum_cents)
    made_for = getattr(strategy, "ranking", book.main_hand[1])
    if made_for != book.main_hand[1]:
        raise Unreadable(f"this strategy is made for {made_for} hands")
    prices = {
        pay_table_games: _community,
        dealer_games: _showdown,
        raise_or_fold: _raise_or_fold,
        board_games: _shared_board,
    }
    return prices[family(book)](book, strategy, ante_cents, least)


def following(held: tuple[Card, ...], suits: int) -> Iterator[tuple[Card, int, int]]:
    """Yield the next card up to the names of unused suits: card, how many it stands for, suits."""
    for card in DECK:
        suit = card & 3
        if card not in held and suit <= suits and suit < 4:
            new = suit == suits
            yield card, (4 - suits if new else 1), suits + new


def _community(
    book: Rulebook, strategy: Strategy, ante_cents: int | None, minimum_cents: int
) -> Evaluation:
    planned = plan(book, "stay")
    if not planned.streets:
        raise Unsolved("nothing is decided in this game", book.id)
    size = planned.size
    pay, units = pay_table_games.payoffs(book, planned.finals, ante_cents, minimum_cents)
    worth = pay[pay_table_games.row_numbers(main_table(book))[strengths(size)]]
    asked = {street.seen for street in planned.streets}
    unplayed = {}
    for level in reversed(levels(size)):
        worth = step_back(level, worth) if level.seen < size else worth
        if level.seen in asked:
            unplayed[level.seen] = worth.tolist()
    walk = _Evaluator(planned, strategy, unplayed, units)
    walk.go_on(planned.ahead(0, 0), (), (), (), 0, 1)
    deals = perm(52, size)
    return Evaluation(
        Fraction(walk.total, deals * units),
        Fraction(walk.wagered, deals),
        tuple(Fraction(each, deals) for each in walk.folds),
        deals // factorial(book.seat_cards),
    )


def _together(
    held: tuple[Card, ...], suits: int, ways: int, cards: int, top: int = 12, run: int = 0
) -> Iterator[tuple[tuple[Card, ...], int, int]]:
    """Yield every way for so many more cards to come at once, up to the names of suits.

    They are put in falling order of rank; ``ways`` counts all orders.
    """
    if cards == 0:
        yield held, suits, ways
        return
    for card, many, used in following(held, suits):
        rank = card >> 2
        if rank <= top:
            alike = run + 1 if rank == top else 1
            orders = ways * many * cards // alike
            yield from _together((*held, card), used, orders, cards - 1, rank, alike)


class _Evaluator:
    """One pass through all situations, adding up."""

    def __init__(
        self,
        planned: Plan,
        strategy: Strategy,
        unplayed: dict[int, list[list[int]]],
        units: int,
    ) -> None:
        self.plan, self.strategy, self.units = planned, strategy, units
        self.unplayed = unplayed
        """By cards seen: what each state is worth at each final stake when no more is decided."""
        self.levels = levels(planned.size)
        self.total = self.wagered = 0
        self.folds = [0] * len(planned.streets)

    def go_on(
        self,
        at: tuple[int, int],
        cards: tuple[Card, ...],
        board: tuple[Card, ...],
        raises: tuple[int, ...],
        suits: int,
        ways: int,
    ) -> None:
        """Let cards come until the street at which the strategy is asked, and ask it."""
        street = self.plan.streets[at[0]]
        own, turned = street.own - len(cards), street.seen - street.own - len(board)
        for mine, used, many in _together((*board, *cards), suits, ways, own):
            hand = mine[len(board) :]
            for seen, found, each in _together((*hand, *board), used, many, turned):
                self.ask(at, hand, seen[len(hand) :], raises, found, each)

    def ask(
        self,
        at: tuple[int, int],
        cards: tuple[Card, ...],
        board: tuple[Card, ...],
        raises: tuple[int, ...],
        suits: int,
        ways: int,
    ) -> None:
        """Put one situation to the strategy, and go on with what it says."""
        number, column = at
        street = self.plan.streets[number]
        choice = self.strategy(Seen(cards, board, None, raises))
        if choice not in street.choices:
            raise Unreadable(f"a strategy answers one of {street.choices}, not {choice!r}")
        to = street.after[column][street.choices.index(choice)]
        deals = ways * perm(52 - street.seen, self.plan.size - street.seen)
        if to == OUT:
            self.total -= street.stakes[column] * self.units * deals
            self.wagered += street.stakes[column] * deals
            self.folds[number] += deals
            return
        ahead = self.plan.ahead(number + 1, to)
        if ahead[0] < len(self.plan.streets):
            self.go_on(ahead, cards, board, (*raises, choice), suits, ways)
        else:
            state = self.levels[street.seen].state((*cards, *board))
            self.total += self.unplayed[street.seen][state][ahead[1]] * ways
            self.wagered += self.plan.finals[ahead[1]] * deals


def _showdown(
    book: Rulebook, strategy: Strategy, ante_cents: int | None, minimum_cents: int
) -> Evaluation:
    rule, street = dealer_games.shape(book)
    pay = dealer_games.payoffs(book, ante_cents, minimum_cents)
    choices = (*street.times, FOLD)
    asked = _ask_all(strategy, choices)
    total, chosen = 0, [0] * len(choices)
    for rank in range(13):
        every, said = asked.against(rank, rule.weakest)
        for place, choice in enumerate(choices):
            ways = np.where(said == place, every.ways, 0)
            chosen[place] += int(ways.sum())
            total += dealer_games.exact_sum(dealer_games.worth(every, pay, choice), ways)
    pairs = sum(chosen)
    wagered = sum((1 + choice) * many for choice, many in zip(choices, chosen, strict=True))
    return Evaluation(
        Fraction(total, pairs * UNSEEN * pay.units),
        Fraction(wagered, pairs),
        (Fraction(chosen[-1], pairs),),
        pairs * UNSEEN,
    )


def _shared_board(
    book: Rulebook, strategy: Strategy, ante_cents: int | None, minimum_cents: int
) -> Evaluation:
    if not isinstance(strategy, BoardRules):
        raise Unreadable("on a shared board a strategy is given as rules over all situations")
    solved = played(book, strategy, ante_cents, minimum_cents)
    figures, folds = statistics(solved.outcomes, solved.deals, solved.units), solved.shares
    return Evaluation(
        figures.value,
        figures.average_wager,
        tuple(
            Fraction(folds.get((number, FOLD), 0), solved.deals)
            for number in range(len(book.streets))
        ),
        solved.deals,
    )


def _raise_or_fold(
    book: Rulebook, strategy: Strategy, ante_cents: int | None, minimum_cents: int
) -> Evaluation:
    deal, street = raise_or_fold.shape(book)
    pay = ending_nets(book, street, deal.unseen, ante_cents, minimum_cents)
    choices = (*pay.times, FOLD)
    if isinstance(strategy, AtLeast):
        said = _places(strategy.choices(), pay)
        happens = raise_or_fold.by_strength(deal, pay, said, len(choices))
    else:
        every = ((case, _said(strategy, case, pay)) for case in showdowns(deal))
        happens = raise_or_fold.by_kind(pay, raise_or_fold.played(deal, len(choices), every))
    figures = statistics(raise_or_fold.outcomes(pay, choices, happens), deal.deals, pay.units)
    return Evaluation(
        figures.value,
        figures.average_wager,
        (Fraction(int(happens[-1].sum()), deal.deals),),
        deal.deals,
    )


def _said(strategy: Strategy, case: Showdowns, pay: EndingNets) -> dealer_games.Choices:
    """Put every case to a strategy: the place of what it says."""
    upcard = case.upcard
    said = [strategy(Seen(case.hand(at), (), upcard)) for at in range(len(case.ways))]
    found = np.zeros(len(said), np.int8)
    for choice in set(said):
        here = np.array([each == choice for each in said])
        found[here] = _place(choice, int(case.strength[here].min()), pay)
    return found


def _places(said: Sequence[int], pay: EndingNets) -> Ints:
    """Return the place of what is said to each strength, of which the first is unused."""
    first = {choice: at for at, choice in reversed(list(enumerate(said))) if at}
    places = {choice: _place(choice, strength, pay) for choice, strength in first.items()}
    return np.array([0, *(places[choice] for choice in said[1:])])


def _place(choice: int, weakest: int, pay: EndingNets) -> int:
    """Return the place of a choice that hands of this strength on make, if they may."""
    choices = (*pay.times, FOLD)
    least = dict(zip(choices, (*pay.offered, 0), strict=True))
    if choice not in least or weakest < least[choice]:
        raise Unreadable(f"a strategy answers one of {choices} as they are offered, not {choice!r}")
    return choices.index(choice)


class _Asked(msgspec.Struct, frozen=True):
    """What a strategy said to every hand with every upcard, alike up to the names of suits."""

    state: Ints
    """(hand)."""
    held: Ints
    """(suit, hand): the ranks held in each suit, as bits."""
    ways: Ints
    """(hand): how many it stands for."""
    hand: Ints
    """For each situation, the hand."""
    upcard: npt.NDArray[np.uint8]
    said: npt.NDArray[np.uint8]
    """The place of its choice."""

    def against(self, rank: int, weakest: int) -> tuple[Cases, npt.NDArray[np.uint8]]:
        """Return the situations with an upcard of this rank (0 to 12) as cases; what was said."""
        here = np.flatnonzero(self.upcard >> 2 == rank)
        hand, suit = self.hand[here], self.upcard[here] & 3
        state, shared = self.state[hand], self.held[suit, hand]
        suits = (self.held > 0).sum(axis=0)[hand]
        ways = self.ways[hand] * np.where(suit == suits, 4 - suits, 1)
        return counted(rank, weakest, state, shared, ways), self.said[here]


def _ask_all(strategy: Strategy, choices: tuple[int, ...]) -> _Asked:
    """Put every hand with every upcard to a strategy: millions, so the loop does nothing else."""
    every, places = list(hands(SIZE)), {choice: place for place, choice in enumerate(choices)}
    # Upcards in the first suit that a hand does not use stand for those in all such suits.
    decks = [[card for card in DECK if card & 3 <= used] for used in range(5)]
    upcards, answers, many = bytearray(), bytearray(), []
    for hand, _ in every:
        coming = [card for card in decks[len({card & 3 for card in hand})] if card not in hand]
        if isinstance(strategy, AtLeast):  # whatever the dealer shows
            said = [strategy(Seen(hand))] * len(coming)
        else:
            said = [strategy(Seen(hand, (), upcard)) for upcard in coming]
        if not places.keys() >= set(said):
            wrong = next(each for each in said if each not in places)
            raise Unreadable(f"a strategy answers one of {choices}, not {wrong!r}")
        upcards.extend(coming)
        answers.extend([places[each] for each in said])
        many.append(len(coming))
    cards = np.array([hand for hand, _ in every])
    suit, bit = cards & 3, 1 << (cards >> 2)
    held = np.stack([np.where(suit == each, bit, 0).sum(axis=1) for each in range(4)])
    keys = 2 * np.array(RANK_KEYS)[cards >> 2].sum(axis=1) + ((held > 0).sum(axis=0) == 1)
    return _Asked(
        state=np.searchsorted(levels()[SIZE].keys, keys),
        held=held,
        ways=np.array([ways for _, ways in every]),
        hand=np.repeat(np.arange(len(every)), many),
        upcard=np.frombuffer(upcards, np.uint8),
        said=np.frombuffer(answers, np.uint8),
    )


def hands(size: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Yield hands of so many cards, alike up to the names of suits, and how many each stands for.

    >>> sum(ways for _, ways in hands(2)), len(list(hands(2)))
    (1326, 169)
    """
    for ranks in combinations_with_replacement(range(12, -1, -1), size):
        groups = [(rank, ranks.count(rank)) for rank in dict.fromkeys(ranks)]
        if max(many for _, many in groups) <= 4:
            yield from _suit_groups(groups, (), 0, 1)


def _suit_groups(
    groups: list[tuple[int, int]], held: tuple[Card, ...], used: int, ways: int
) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Give each rank its suits: some already there, each told apart, and some new, all alike."""
    if not groups:
        yield held, ways
        return
    (rank, many), *rest = groups
    for new in range(max(0, many - used), min(many, 4 - used) + 1):
        fresh = range(used, used + new)
        for old in combinations(range(used), many - new):
            cards = tuple(DECK[4 * rank + suit] for suit in (*old, *fresh))
            more = ways * comb(4 - used, new)
            yield from _suit_groups(rest, held + cards, used + new, more)
