"""Showdowns with one decision, to raise or to fold, by any ranking: solved exactly.

All that a player sees is the own hand, and perhaps one of the dealer's cards. How many of the
dealer's hands are worse, equal and better is counted elsewhere (``showdown_cases``), and what each
ending nets (``showdown_pay``); here the best choice of every case is taken, and summed up.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from pitboss.errors import Unreadable, Unsolved
from pitboss.hands import ranking
from pitboss.maths import kept
from pitboss.maths.dealer_games import ONE_DECISION, Choices, seen_first
from pitboss.maths.decisions import FOLD, instead
from pitboss.maths.hand_states import Ints
from pitboss.maths.outcomes import NO_SUCH_PLAY, Outcome, Replayed
from pitboss.maths.seen import Seen
from pitboss.maths.showdown_cases import (
    LONGEST_SUIT,
    ShowdownDeal,
    Showdowns,
    counted_before,
    lows,
    showdowns,
    situation,
    why_not,
)
from pitboss.maths.showdown_pay import ENDINGS, EndingNets, ending_nets, requalified
from pitboss.rulebook.deal_script import SEATS, DecideStep
from pitboss.rulebook.model import Rulebook
from pitboss.wording import counted

_LONG = 1_000_000_000
"""Where there are more deals than this, what they come to is kept."""


class RaiseOrFoldSolution(msgspec.Struct, frozen=True):
    """The best play of every hand, and what it comes to."""

    deal: ShowdownDeal
    choices: tuple[int, ...]
    """Multiples in rising order and FOLD: as ties are broken."""
    pay: EndingNets
    total: int
    outcomes: tuple[Outcome, ...]

    @property
    def deals(self) -> int:
        return self.deal.deals

    @property
    def units(self) -> int:
        return self.pay.units

    def worth(self, seen: Seen) -> dict[int, Fraction]:
        """Return each choice that this hand has, with its value in antes."""
        deal = self.deal
        if seen.board or seen.raises or len(set(seen.known)) != deal.held + deal.up:
            raise misplaced(deal)
        if (len(seen.cards), seen.upcard is not None) != (deal.held, deal.up == 1):
            raise misplaced(deal)
        case = situation(deal, seen.cards, seen.upcard)
        ways = deal.unseen * self.units
        return {
            choice: Fraction(int(worth(case, deal, self.pay, choice)[0]), ways)
            for choice in self.choices
            if offered(self.pay, choice, case.strength)[0]
        }

    @property
    def key(self) -> dict[str, object]:
        """All that this follows from."""
        return _key(self.deal, self.pay, self.choices)

    def parts(self) -> Iterator[tuple[Showdowns, Choices]]:
        """Yield all cases in parts, each with the place of its best choice."""
        for case in showdowns(self.deal):
            yield case, best(case, self.deal, self.pay, self.choices)


def misplaced(deal: ShowdownDeal) -> Unreadable:
    """Return the complaint about a situation that is not that of the decision."""
    up = "one of the dealer's" if deal.up else "none of the dealer's"
    when = f"with {counted(deal.held, 'card')} and {up} seen"
    return Unreadable(f"there is one decision, {when}, and nothing is raised before it")


def shape(book: Rulebook) -> tuple[ShowdownDeal, DecideStep]:
    """Return what is compared and the decision, or say why this solver cannot take the game."""
    rule, main = book.qualifier, [spot for spot in book.spot if spot.kind == "main"]
    if rule is None or not all(spot.against for spot in main):
        raise Unsolved("main wagers that are not against the dealer are not solved here", book.id)
    held, dealt = book.dealt.get(SEATS, 0), book.dealt.get(rule.place, 0)
    own, up = seen_first(book, rule.place)
    deal = ShowdownDeal(ranking=rule.ranking, held=held, dealt=dealt, up=up, weakest=rule.weakest)
    bonuses = [book.tables[spot.bonus] for spot in main if spot.bonus]
    asked = {book.streets[0].into} if book.streets else set()
    for fits, why in (
        (
            [step.otherwise for step in book.streets] in ONE_DECISION
            and {spot.name for spot in main} == {*book.equal, *asked},
            "only showdowns with one decision, to raise or to fold, are solved so far",
        ),
        (
            set(book.dealt) == {SEATS, rule.place} and own == held,
            "only showdowns decided with all of the own cards, and no others dealt, are solved",
        ),
        (
            all((table.cards, table.ranking) == ((SEATS,), rule.ranking) for table in bonuses),
            "a bonus that looks at other cards than the showdown is not solved yet",
        ),
        (
            all(spot.after_fold == "lost" for spot in main),
            "showdowns in which a main wager outlives a fold are not solved yet",
        ),
        (not why_not(deal), why_not(deal)),
        (
            not (deal.up and deal.ranking == LONGEST_SUIT),
            "flushes by length with a card up are counted, but their best play is not told yet",
        ),
    ):
        if not fits:
            raise Unsolved(why, book.id)
    return deal, book.streets[0]


def solve(
    book: Rulebook, ante_cents: int | None, minimum_cents: int, ties: str
) -> RaiseOrFoldSolution:
    """Solve the game; with an ante the cap bites as it does for one player alone."""
    deal, street = shape(book)
    pay = ending_nets(book, street, deal.unseen, ante_cents, minimum_cents)
    choices = _choices(street, pay, ties)
    found = outcomes(pay, choices, by_kind(pay, played_best(deal, pay, choices)))
    total = sum(each.deals * each.net_units for each in found)
    return RaiseOrFoldSolution(deal, choices, pay, total, found)


def _choices(street: DecideStep, pay: EndingNets, ties: str) -> tuple[int, ...]:
    """Return all that some hand may choose, in the order in which ties are broken."""
    leave = (FOLD,) * ("fold" in street.otherwise)
    return (*leave, *pay.times) if ties == "fold" else (*pay.times, *leave)


def repriced(
    solved: RaiseOrFoldSolution, book: Rulebook, ante_cents: int | None, minimum_cents: int
) -> Replayed:
    """Price a book played as was best in another; what may not be chosen here, as it can be."""
    deal, street = shape(book)
    if replace(deal, weakest=solved.deal.weakest) != solved.deal:
        raise Unsolved(NO_SUCH_PLAY, book.id)
    pay, before = ending_nets(book, street, deal.unseen, ante_cents, minimum_cents), solved.pay
    happens = played_best(solved.deal, before, solved.choices)
    if deal != solved.deal:
        happens = requalified(happens, _lows(deal, solved), deal.weakest)
    choices = []
    for choice in solved.choices:
        least = 0 if choice == FOLD else before.offered[before.times.index(choice)]
        may = [m for m, needs in zip(pay.times, pay.offered, strict=True) if needs <= least]
        choices.append(instead(choice, (*may, FOLD)))
    return Replayed(deal.deals, pay.units, outcomes(pay, choices, by_kind(pay, happens)))


def _lows(deal: ShowdownDeal, solved: RaiseOrFoldSolution) -> Ints:
    """(choice, strength): the deals in which the dealer does not qualify, played as solved."""

    def make() -> kept.Arrays:
        return {"picks": np.concatenate([picked for _, picked in solved.parts()])}

    picks = (kept.arrays(_PICKS, solved.key, make) if is_long(deal) else make())["picks"]
    most = len(ranking(deal.ranking).classes) + 1
    found, begin = np.zeros((len(solved.choices), most), np.int64), 0
    for strength, low in lows(deal):
        picked = picks[begin : begin + len(low)]
        begin += len(picked)
        at = picked.astype(np.int64) * most + strength
        # Every count is below 2**53, so that sums of floats are exact.
        found += np.bincount(at, low, found.size).reshape(found.shape).astype(np.int64)
    return found


def value(deal: ShowdownDeal, pay: EndingNets) -> Fraction:
    """Return what a deal is worth in antes, which may show another number of the dealer's cards."""
    choices = (*pay.times, FOLD)
    found = outcomes(pay, choices, by_kind(pay, played_best(deal, pay, choices)))
    return Fraction(sum(each.deals * each.net_units for each in found), deal.deals * pay.units)


def value_of_all_known(deal: ShowdownDeal, pay: EndingNets) -> Fraction:
    """Return what it is worth to know the dealer's whole hand: the best choice for each ending."""
    total, offers = 0, np.array(pay.offered)[:, None]
    for ending, many in enumerate(_strengths(deal)):
        nets = np.where(np.arange(len(many)) >= offers, pay.net[:, ending][:, pay.kind], pay.fold)
        best_net = np.maximum(nets.max(axis=0), pay.fold)
        total += sum(int(net) * int(deals) for net, deals in zip(best_net, many, strict=True))
    return Fraction(total, deal.deals * pay.units)


def played_best(deal: ShowdownDeal, pay: EndingNets, choices: tuple[int, ...]) -> Ints:
    """Count (choice, ending, strength) of best play."""

    picks: list[Choices] = []

    def every() -> Iterator[tuple[Showdowns, Choices]]:
        for case in showdowns(deal):
            picks.append(best(case, deal, pay, choices))
            yield case, picks[-1]

    def count() -> kept.Arrays:
        found = played(deal, len(choices), every())
        if not counted_before(deal):  # to pick once more would take as long again
            kept.arrays(_PICKS, key, lambda: {"picks": np.concatenate(picks)})
        return {"deals": found}

    if not is_long(deal):
        return played(deal, len(choices), every())
    key = _key(deal, pay, choices)
    return kept.arrays(_PLAYED, key, count)["deals"]


def takes_long(book: Rulebook) -> bool:
    """Whether solving takes more than seconds where nothing of it is kept."""
    return is_long(shape(book)[0])


def best_play_kept(
    book: Rulebook, ante_cents: int | None, minimum_cents: int
) -> tuple[str, object]:
    """Return by what name it is kept, and what it is of."""
    deal, street = shape(book)
    pay = ending_nets(book, street, deal.unseen, ante_cents, minimum_cents)
    return _PLAYED, _key(deal, pay, _choices(street, pay, "stay"))


_PLAYED, _PICKS = "played", "picks"


def at_once(book: Rulebook) -> bool:
    """Whether all hands were counted before, whatever they are paid."""
    return counted_before(shape(book)[0])


def is_long(deal: ShowdownDeal) -> bool:
    """Whether going through all cases takes long enough for what comes of it to be kept."""
    return deal.deals >= _LONG


def _key(deal: ShowdownDeal, pay: EndingNets, choices: tuple[int, ...]) -> dict[str, object]:
    """Return all that best play follows from."""
    scale = gcd(pay.fold, int(np.gcd.reduce(pay.net, axis=None)))  # at any ante the same
    nets = (pay.net // scale).tolist()
    paid = {"fold": pay.fold // scale, "net": nets, "kind": pay.kind.tolist()}
    return {"deal": deal, "choices": choices, "offered": pay.offered, **paid}


def best(case: Showdowns, deal: ShowdownDeal, pay: EndingNets, choices: tuple[int, ...]) -> Choices:
    """Return the place of the best choice in each case, the first of equals."""
    most: Ints = np.full(len(case.ways), np.iinfo(np.int64).min)
    picked = np.zeros(len(case.ways), np.int8)
    for number, choice in enumerate(choices):
        found = worth(case, deal, pay, choice)
        better = (found > most) & offered(pay, choice, case.strength)
        picked[better] = number
        most = np.where(better, found, most)
    return picked


def offered(pay: EndingNets, choice: int, strength: npt.NDArray[np.int16]) -> npt.NDArray[np.bool_]:
    """Return whether hands of these strengths may choose it."""
    least = 0 if choice == FOLD else pay.offered[pay.times.index(choice)]
    return strength >= least


def endings(case: Showdowns, deal: ShowdownDeal) -> tuple[Ints, ...]:
    """Return how many of the dealer's hands lead to each ending."""
    below, equal, short = (
        each.astype(np.int64) for each in (case.below, case.equal, case.unqualified)
    )
    good = case.strength >= deal.weakest
    worse = deal.unseen - below - equal
    # Who would qualify is above every hand that does not, and who would not is below all that do.
    return (
        np.where(good, short, below),
        np.where(good, 0, equal),
        np.where(good, 0, short - below - equal),
        np.where(good, below - short, 0),
        np.where(good, equal, 0),
        np.where(good, worse, deal.unseen - short),
    )


def worth(case: Showdowns, deal: ShowdownDeal, pay: EndingNets, choice: int) -> Ints:
    """Return the worth of a choice in each case, summed over the dealer's hands."""
    found = np.zeros(len(case.ways), np.int64)
    if choice == FOLD:
        return found + deal.unseen * pay.fold
    nets, kind = pay.net[pay.times.index(choice)], pay.kind[case.strength]
    for many, net in zip(endings(case, deal), nets, strict=True):
        found += many * net[kind]
    return found


def played(deal: ShowdownDeal, choices: int, every: Iterator[tuple[Showdowns, Choices]]) -> Ints:
    """Count (choice, ending, strength): in how many deals each comes about, whatever it pays."""
    most = len(ranking(deal.ranking).classes) + 1
    found = np.zeros((choices, len(ENDINGS), most), np.int64)
    for case, picked in every:
        at = picked.astype(np.int64) * most + case.strength
        for ending, many in enumerate(endings(case, deal)):
            # Every count is below 2**53, so that sums of floats are exact.
            counts = np.bincount(at, many * case.ways, choices * most)
            found[:, ending] += counts.reshape(choices, most).astype(np.int64)
    return found


def by_kind(pay: EndingNets, happens: Ints) -> Ints:
    """Put strengths together that are paid alike: (choice, ending, kind of hand)."""
    kinds = range(pay.net.shape[2])
    return np.stack([happens[..., pay.kind == kind].sum(axis=-1) for kind in kinds], axis=-1)


def by_strength(deal: ShowdownDeal, pay: EndingNets, picked: Ints, choices: int) -> Ints:
    """Count the same where the strength of a hand decides: (strength), the place of its choice."""
    found = np.zeros((choices, len(ENDINGS), pay.net.shape[2]), np.int64)
    for ending, many in enumerate(_strengths(deal)):
        np.add.at(found[:, ending], (picked, pay.kind), many)
    return found


def _strengths(deal: ShowdownDeal) -> Ints:
    """Count (ending, strength): in how many deals a hand of this strength meets with it."""

    def make() -> kept.Arrays:
        most = len(ranking(deal.ranking).classes) + 1
        found = np.zeros((len(ENDINGS), most), np.int64)
        for case in showdowns(deal):
            for ending, many in enumerate(endings(case, deal)):
                # Every count is below 2**53, so that sums of floats are exact.
                counts = np.bincount(case.strength, many * case.ways, most)
                found[ending] += counts.astype(np.int64)
        return {"deals": found}

    return (kept.arrays("strengths", deal, make) if is_long(deal) else make())["deals"]


def outcomes(pay: EndingNets, choices: Sequence[int], happens: Ints) -> tuple[Outcome, ...]:
    """Return what happens, by the choices made."""
    found: Counter[tuple[str, int, int]] = Counter()
    for choice, counts in zip(choices, happens, strict=True):
        if choice == FOLD:
            found["fold-1", pay.opening, pay.fold] += int(counts.sum())
            continue
        nets = pay.net[pay.times.index(choice)]
        for event, net, many in zip(pay.events, nets.tolist(), counts.tolist(), strict=True):
            for each, deals in zip(net, many, strict=True):
                found[event, pay.opening + choice, each] += deals
    return tuple(Outcome(*ending, deals) for ending, deals in found.items() if deals)
