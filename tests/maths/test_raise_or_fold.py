"""Showdowns with one decision, by any ranking: exact values, and every count a second time."""

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pytest

from pitboss import maths
from pitboss.cards import DECK, Card, cards
from pitboss.errors import Unreadable, Unsolved
from pitboss.hands import ranking
from pitboss.lab import protect
from pitboss.lab.controls import edited
from pitboss.maths import kept, strategies
from pitboss.maths.card_sets import classes, place
from pitboss.maths.containing import containing
from pitboss.maths.raise_or_fold import (
    RaiseOrFoldSolution,
    by_kind,
    endings,
    outcomes,
    played,
    shape,
)
from pitboss.maths.showdown_cases import ShowdownDeal, showdowns, situation
from pitboss.maths.showdown_pay import ending_nets
from pitboss.money import odds
from pitboss.rulebook import load, parse
from pitboss.rulebook.loader import HOUSES
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.variants import with_pays
from tests.lab.machine import settles_alike

THREE = load("common/three-card-poker")
FOUR = load("common/four-card-poker")
CRAZY = load("common/crazy-4-poker")
FLUSH = load("common/high-card-flush")


def dealt(book: Rulebook, chance: random.Random) -> maths.Seen:
    """Return what a player sees of a deal at random."""
    solved = maths.solve(book).solved
    assert isinstance(solved, RaiseOrFoldSolution)
    held, up = solved.deal.held, solved.deal.up
    some = chance.sample(DECK, held + up)
    return maths.Seen(tuple(some[:held]), (), some[held] if up else None)


def holds(book: Rulebook, value: str, average: float, risk: float) -> maths.Solution:
    """The value with ==, the rest to the last digit that is printed; and twenty situations."""
    solution = maths.solve(book)
    assert solution.value == Fraction(value)
    assert solution.statistics.value == solution.value
    assert round(float(solution.statistics.average_wager), 6) == average
    assert round(float(solution.statistics.element_of_risk), 8) == risk
    assert sum(outcome.deals for outcome in solution.outcomes) == solution.deals
    chance = random.Random(15)
    for _ in range(8):
        seen = dealt(book, chance)
        assert solution.worth(seen) == maths.worths(book, seen)
    return solution


def side(book: Rulebook, spot: str) -> Fraction:
    return maths.side_wager(book, book.spots[spot]).value


# The games ---------------------------------------------------------------------------------------


def test_three_against_three() -> None:
    solution = holds(THREE, "-686689/20358520", 1.674208, 0.02014672)
    assert solution.deals == 407_170_400
    assert side(THREE, "pair-plus") == Fraction(-128, 5525)
    less = with_pays(THREE, {"pair-plus.flush": odds("3 to 1")})
    assert side(less, "pair-plus") == Fraction(-402, 5525)
    assert maths.solve(less).value == solution.value


def test_queen_six_four_is_best_with_all_hands() -> None:
    solution, rule = maths.solve(THREE), strategies.NAMED["q-6-4"]
    solved = solution.solved
    assert isinstance(solved, RaiseOrFoldSolution)
    seen = 0
    for cases, picked in solved.parts():
        for case, place_of in enumerate(picked):
            assert solved.choices[place_of] == rule(maths.Seen(cases.hand(case)))
            seen += int(cases.ways[case])
    assert seen == comb(52, 3) == 22_100
    assert maths.evaluate(THREE, rule).value == solution.value


def test_other_strategies_for_three_cards_cost_what_is_known_of_them() -> None:
    never, mimic = (strategies.named(THREE, name) for name in ("never-fold", "mimic"))
    assert maths.evaluate(THREE, never).value == Fraction(-1947749, 25448150)  # 7.65 %
    assert maths.evaluate(THREE, mimic).value == Fraction(-70219, 2035852)  # 3.45 %
    # Asked hand by hand, they say the same.
    assert maths.evaluate(THREE, lambda seen: never(seen)) == maths.evaluate(THREE, never)
    assert maths.evaluate(THREE, lambda seen: mimic(seen)) == maths.evaluate(THREE, mimic)
    assert strategies.costs(THREE).keys() == {"q-6-4", "never-fold", "mimic"}


def test_five_against_five_best_four() -> None:
    solution = holds(CRAZY, "-264142729/7726058340", 3.136171, 0.01090137)
    aces, kings = (maths.Seen(cards(f"{r}s {r}d 7c 5h 2s")) for r in "AK")
    assert solution.worth(aces).keys() == {1, 2, 3, 0}
    assert solution.worth(kings).keys() == {1, 0}
    assert (solution.choice(aces), solution.choice(kings)) == (3, 1)
    loss = maths.solve(CRAZY).value - maths.evaluate(CRAZY, strategies.NAMED["k-q-8-4"]).value
    assert 0 < loss < Fraction(1, 1_000_000)
    with pytest.raises(Unreadable, match="as they are offered"):  # three times a pair of tens
        maths.evaluate(CRAZY, strategies.NAMED["basic"])


def test_seven_against_seven_longest_suit() -> None:
    solution = holds(FLUSH, "-1348050875653/50592437455560", 1.711249, 0.01557067)
    hand = maths.Seen(cards("Th 8h 6h Js Ad Qd Jc"))
    assert solution.choice(hand) == 1
    assert round(float(solution.worth(hand)[1]), 8) == -0.81151524
    assert solution.choice(maths.Seen(cards("Th 8h 6h 7d 4d 2d 9c"))) == 0
    assert side(FLUSH, "flush") == Fraction(-200861, 2572780)
    simple = maths.evaluate(FLUSH, strategies.NAMED["t-8-6"]).value
    assert round(float(-simple), 6) == 0.027114


def counts() -> set[Path]:
    """What is kept."""
    return {*kept.folder().iterdir()}


def test_five_against_six_with_one_up_best_four_ties_win() -> None:
    """The longest to count: all about it is in one test, so that one process counts it."""
    solution = holds(FOUR, "-8840827253/317119576410", 2.142342, 0.01301311)
    assert side(FOUR, "aces-up") == Fraction(-12643, 324870)
    basic = maths.evaluate(FOUR, strategies.NAMED["basic"])
    assert basic.value == Fraction(-6583447951, 193795296695)
    assert round(float(-basic.value / basic.average_wager), 4) == 0.0158  # "98.41 %" in print
    assert protect.known(FOUR, "1") == solution.value
    settles_alike(FOUR, 60)
    before = counts()
    other = with_pays(FOUR, {"aces-up.flush": odds("6 to 1")})
    assert maths.solve(other).value == solution.value
    assert side(other, "aces-up") != side(FOUR, "aces-up")
    assert counts() == before  # nothing was counted anew
    better = with_pays(FOUR, {"ante-bonus.three-of-a-kind": odds("3 to 1")})
    assert maths.solve(better).value > solution.value
    assert {file.name.split("-")[0] for file in counts() - before} == {"played"}


# Other rules, played as was best before ----------------------------------------------------------

LARGE = edited(FLUSH, {"script.1.more.0.times": "4", "script.1.more.1.times": "5"})


@pytest.mark.parametrize(
    ("book", "changes"),
    [
        (THREE, {"qualifier.hand": "high card J"}),
        (CRAZY, {"qualifier.hand": "high card Q"}),
        (CRAZY, {"qualifier.hand": "pair 5-K"}),
        (CRAZY, {"script.1.more.0.times": "2, 3, 4", "qualifier.hand": "pair"}),
        (CRAZY, {"script.1.more.0.times": "4, 5"}),
        (LARGE, {"qualifier.hand": "three card flush J", "script.1.more.0.times": "2"}),
    ],
)
def test_other_rules_under_the_old_play(book: Rulebook, changes: dict[str, str]) -> None:
    """Every hand again, with the choice of before: what may not be chosen, as the nearest."""
    solution, other = maths.solve(book), edited(book, changes)
    solved = solution.solved
    assert isinstance(solved, RaiseOrFoldSolution)
    deal, street = shape(other)
    pay = ending_nets(other, street, deal.unseen, None, solution.minimum_cents)
    case_by_case = zip(showdowns(deal), [picked for _, picked in list(solved.parts())], strict=True)
    happens = by_kind(pay, played(deal, len(solved.choices), case_by_case))
    nearest = {2: 4, 3: 4} if changes.get("script.1.more.0.times") == "4, 5" else {}
    if book is LARGE:  # and not 5 times, which only longer flushes may
        nearest = {4: 2}
    choices = [nearest.get(choice, choice) for choice in solved.choices]
    under = maths.same_play(solution, other)
    assert sorted(under.outcomes, key=str) == sorted(outcomes(pay, choices, happens), key=str)
    assert sum(each.deals for each in under.outcomes) == solution.deals
    assert under.value < maths.solve(other).value


def test_a_game_whose_hands_were_counted_is_solved_at_once() -> None:
    maths.solve(CRAZY)
    other = edited(CRAZY, {"qualifier.hand": "high card J"})
    assert maths.at_once(other)
    assert not maths.at_hand(other)
    assert maths.solve(other).value
    assert maths.at_hand(other, 25_00)
    assert not maths.at_once(FLUSH)
    assert not maths.at_hand(edited(FLUSH, {"qualifier.hand": "three card flush 7"}))


def test_what_a_bound_takes_is_kept_with_the_price(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the first one with another qualifier would take as long as the exact price."""
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path))
    solution = maths.solve(FLUSH)
    before = counts()
    assert maths.same_play(solution, LARGE).value
    assert maths.same_play(solution, edited(FLUSH, {"qualifier.hand": "three card flush J"})).value
    assert counts() == before


def test_at_any_ante_a_game_is_the_same_where_no_cap_bites_and_nothing_is_rounded() -> None:
    solution = maths.solve(FLUSH)
    before = counts()
    for ante in (5_00, 25_00):
        assert maths.solve(FLUSH, ante).value == solution.value
    assert counts() == before


# Cards that are known ----------------------------------------------------------------------------


def test_a_dealers_card_is_worth_what_is_known_of_it() -> None:
    assert protect.keys(THREE) == ("1", "3")
    one, every = (protect.known(THREE, key) for key in protect.keys(THREE))
    assert one == Fraction(443162, 12724075)  # 3.48 %
    assert maths.solve(THREE).value < one < every
    with pytest.raises(Unsolved, match="marked backs"):
        protect.told(THREE, protect.group("A"))


def test_all_cards_known_by_going_through_some_deals() -> None:
    """Whoever sees everything takes the best of all choices, deal by deal."""
    solved = maths.solve(THREE).solved
    assert isinstance(solved, RaiseOrFoldSolution)
    total = Fraction(0)
    hand, order = cards("Ks 7d 4h"), ranking("three-card")
    mine = order.strength(hand)
    for theirs in combinations([card for card in DECK if card not in hand], 3):
        other = order.strength(theirs)
        if other < solved.deal.weakest:
            total += 1
        else:
            total += 2 if mine > other else 0 if mine == other else -1
    case = situation(solved.deal, hand, None)
    nets = (1, 1, 1, 2, 0, -1)
    assert total == sum(
        int(many[0]) * n for many, n in zip(endings(case, solved.deal), nets, strict=True)
    )


# Counts ------------------------------------------------------------------------------------------

DEALS = [
    ShowdownDeal("three-card", 3, 3, 0, 400),
    ShowdownDeal("three-card", 3, 3, 1, 400),
    ShowdownDeal("three-card", 3, 3, 0, 323),
    ShowdownDeal("three-card", 4, 3, 0, 1),
    ShowdownDeal("three-card", 3, 4, 1, 100),
    ShowdownDeal("two-card", 2, 3, 1, 50),
    ShowdownDeal("flush-length", 3, 3, 0, 200),
    ShowdownDeal("flush-length", 4, 3, 0, 20),
    ShowdownDeal("flush-length", 2, 4, 0, 300),
    ShowdownDeal("flush-length", 3, 3, 1, 200),
    ShowdownDeal("flush-length", 4, 4, 1, 100),
    ShowdownDeal("flush-length", 5, 4, 1, 350),
]


@pytest.mark.parametrize("deal", DEALS, ids=str)
def test_all_deals_are_there_once(deal: ShowdownDeal) -> None:
    counted = 0
    for case in showdowns(deal):
        every = endings(case, deal)
        assert all((many >= 0).all() for many in every)
        assert (np.sum(every, axis=0) == deal.unseen).all()
        counted += int(case.ways.sum())
    assert counted == comb(52, deal.held) * comb(52 - deal.held, deal.up)
    assert counted * deal.unseen == deal.deals


@pytest.mark.parametrize("deal", DEALS, ids=str)
def test_hands_are_counted_as_by_dealing_them(deal: ShowdownDeal) -> None:
    chance, order = random.Random(str(deal)), ranking(deal.ranking)
    for _ in range(3):
        some = chance.sample(DECK, deal.held + deal.up)
        hand, up = some[: deal.held], some[deal.held :]
        left = [card for card in DECK if card not in some]
        mine = order.strength(hand)
        theirs = [order.strength((*up, *rest)) for rest in combinations(left, deal.dealt - deal.up)]
        case = situation(deal, hand, up[0] if up else None)
        assert case.strength[0] == mine
        assert case.below[0] == sum(each < mine for each in theirs)
        assert case.equal[0] == sum(each == mine for each in theirs)
        assert case.unqualified[0] == sum(each < deal.weakest for each in theirs)


@pytest.mark.parametrize("order", ["three-card", "flush-length"])
def test_a_card_that_is_shown_changes_nothing_on_the_whole(order: str) -> None:
    """Each of the dealer's three cards may be the one that is up."""
    closed, opened = (ShowdownDeal(order, 3, 3, up, 300) for up in (0, 1))
    sums = [
        [
            sum(int(getattr(case, name).astype(int) @ case.ways) for case in showdowns(deal))
            for name in ("below", "equal", "unqualified")
        ]
        for deal in (closed, opened)
    ]
    assert sums[1] == [3 * each for each in sums[0]]


def some_sets(many: int) -> Iterator[tuple[Card, ...]]:
    chance = random.Random(many)
    for _ in range(20):
        yield tuple(sorted(chance.sample(DECK, many), reverse=True))


@pytest.mark.parametrize("many", [0, 1, 2])
def test_hands_that_contain_some_cards(many: int) -> None:
    order, tables = ranking("three-card"), containing("three-card", 3)
    assert tables.levels.tolist() == list(range(1, 742))
    for some in some_sets(many):
        row = classes(many).number[place(np.array([some], np.uint8).reshape(1, many))[0]]
        hands = [
            order.strength((*some, *rest))
            for rest in combinations([card for card in DECK if card not in some], 3 - many)
        ]
        for limit in (1, 60, 300, 500, 741):
            level = limit - 1
            assert tables.below[many][level, row] == sum(each < limit for each in hands)


def test_classes_are_told_by_suits_names_alone() -> None:
    assert [len(classes(many).ways) for many in (3, 4, 5)] == [1_755, 16_432, 134_459]
    assert [int(classes(many).ways.sum()) for many in (3, 4, 5)] == [comb(52, n) for n in (3, 4, 5)]


# What is not solved ------------------------------------------------------------------------------


def changed(game: str, *changes: tuple[str, str]) -> Rulebook:
    text = (HOUSES / f"common/{game}.toml").read_text("utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return parse(text)


def test_what_cannot_be_counted_says_so() -> None:
    longer = changed(
        "four-card-poker", ("cards = 5\n", "cards = 6\n"), ("packet = 5", "packet = 6")
    )
    with pytest.raises(Unsolved, match="6 cards against 7, 1 of them seen"):
        maths.solve(longer)
    one_up = changed(
        "high-card-flush",
        ('cards = 7\nclause = "2"', 'cards = 7\nup = { dealer = [1] }\nclause = "2"'),
        ('cards = 7\nclause = "3"', 'cards = 6\nclause = "3"'),
    )
    with pytest.raises(Unsolved, match="best play is not told yet"):
        maths.solve(one_up)
    assert protect.keys(FLUSH) == ("1", "7")


def test_what_is_seen_must_fit_the_deal() -> None:
    solution = maths.solve(THREE)
    for seen in (
        maths.Seen(cards("Ks Qd")),
        maths.Seen(cards("Ks Qd 4h"), (), cards("2c")[0]),
        maths.Seen(cards("Ks Qd 4h"), cards("2c")),
        maths.Seen(cards("Ks Qd 4h"), raises=(1,)),
    ):
        with pytest.raises(Unreadable, match="one decision"):
            solution.worth(seen)
        with pytest.raises(Unreadable):
            maths.worths(THREE, seen)


def test_cents_come_to_the_same_where_no_cap_bites() -> None:
    assert maths.solve(THREE, 500).value == maths.solve(THREE).value
    assert maths.solve(THREE, ties="fold").value == maths.solve(THREE).value


def test_known_cards_are_left_out() -> None:
    seen = maths.Seen(cards("Qs 6d 3h"))
    queens = cards("Qc Qd Qh")
    assert maths.worths(THREE, seen, queens)[1] != maths.worths(THREE, seen)[1]
    left = [card for card in DECK if card not in (*seen.cards, *queens)]
    order, total = ranking("three-card"), 0
    mine, weakest = order.strength(seen.cards), maths.solve(THREE).solved.deal.weakest  # type: ignore[attr-defined]
    for theirs in combinations(left, 3):
        other = order.strength(theirs)
        total += 1 if other < weakest else 2 if other < mine else 0 if other == mine else -2
    assert maths.worths(THREE, seen, queens)[1] == Fraction(total, comb(46, 3))


def test_rows_are_named_where_there_is_no_main_table() -> None:
    with pytest.raises(Unreadable, match="tables are ante-bonus, pair-plus"):
        with_pays(THREE, {"flush": odds("3 to 1")})
