"""Games with a shared board: small decks dealt out whole, single boards, whole values."""

import os
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from pitboss import maths, rulebook
from pitboss.cards import DECK, cards
from pitboss.errors import Unreadable, Unsolved
from pitboss.hands import ranking
from pitboss.lab import simulate as sim
from pitboss.lab.controls import edited
from pitboss.maths import board_course, board_games, board_play, strategies
from pitboss.maths.board_kinds import EVERY_RANK, marked, plain
from pitboss.maths.board_known import one_known
from pitboss.maths.board_showdowns import rank_strengths, showdowns, strengths
from pitboss.money import odds
from pitboss.rulebook.variants import with_pays

FIVE = ranking("five-card")
SMALL_DECKS = ((0, 1, 2, 3, 12), (0, 8, 10, 11, 12))
"""Twenty cards: five ranks that can be a straight, and five that cannot."""


# A small deck, every card dealt ------------------------------------------------------------------


@cache
def deck_of(ranks):
    deck = [card for card in DECK if card >> 2 in ranks]
    bits = {card: 1 << at for at, card in enumerate(deck)}
    strength = np.zeros(1 << len(deck), np.int16)
    for seven in combinations(deck, 7):
        strength[sum(bits[card] for card in seven)] = FIVE.strength(seven)
    return deck, bits, strength


@cache
def dealt_out(ranks):
    """For one hole of each class: how many there are, and for each board the endings it meets."""
    deck, bits, strength = deck_of(ranks)
    classes: Counter[Any] = Counter()
    first: dict[Any, Any] = {}
    for hole in combinations(deck, 2):
        alike = tuple(sorted(card >> 2 for card in hole)), hole[0] & 3 == hole[1] & 3
        classes[alike] += 1
        first.setdefault(alike, hole)
    found = []
    for alike, hole in first.items():
        left = [card for card in deck if card not in hole]
        boards = list(combinations(left, 5))
        held = sum(bits[card] for card in hole)
        masks = np.array([sum(bits[card] for card in board) for board in boards])
        pairs = np.array([bits[one] | bits[other] for one, other in combinations(left, 2)])
        mine = strength[masks | held]
        theirs = np.where(masks[:, None] & pairs, -1, strength[masks[:, None] | pairs])
        found.append((classes[alike], boards, mine, theirs))
    return found


def endings(mine, theirs, weakest):
    """(board, qualified or not, win to lose): how many of the dealer's holes."""
    mine = mine[:, None]
    return np.stack(
        [
            np.stack([(good & (theirs >= 0) & each).sum(axis=1) for each in beside], axis=1)
            for beside in [(theirs < mine, theirs == mine, theirs > mine)]
            for good in (theirs >= weakest, theirs < weakest)
        ],
        axis=1,
    )


def category_pays(pays, otherwise=0):
    return np.array([0, *(pays.get(hand.category, otherwise) for hand in FIVE.classes)])


def of_a_kind(category, rank=2):
    return next(h.strength for h in FIVE.classes if h.category == category and h.ranks[0] == rank)


def summed(boards, values, many):
    """Sum values of boards over those with the same so many cards of them: (keys, sums)."""
    found: dict[Any, int] = {}
    for board, value in zip(boards, values.tolist(), strict=True):
        for some in combinations(board, many):
            found[some] = found.get(some, 0) + value
    return found


BLIND = {
    "royal-flush": 1000,
    "straight-flush": 100,
    "four-of-a-kind": 20,
    "full-house": 6,
    "flush": 3,
    "straight": 2,
}


CASINO = {
    "royal-flush": 100,
    "straight-flush": 20,
    "four-of-a-kind": 10,
    "full-house": 3,
    "flush": 2,
}


def ultimate(ranks):
    """Best play by hand, in half antes: the value of the whole deck."""
    total = deals = 0
    blind = category_pays(BLIND)
    for ways, boards, mine, theirs in dealt_out(ranks):
        (win, _, lose), (weak_win, _, weak_lose) = np.moveaxis(
            endings(mine, theirs, of_a_kind("pair")), 0, 2
        )
        dealers = int((theirs[0] >= 0).sum())
        fixed = (win - lose) * 2 + (win + weak_win) * blind[mine] - (lose + weak_lose) * 2
        play = (win + weak_win - lose - weak_lose) * 2
        last = np.maximum(fixed + play, -4 * dealers)
        late, two = summed(boards, last, 3), summed(boards, fixed + 2 * play, 3)
        flop = sum(max(two[some], late[some]) for some in two)
        raised = max(10 * int((fixed + many * play).sum()) for many in (3, 4))
        total += ways * max(flop, raised)
        deals += ways * 10 * len(boards) * dealers
    return Fraction(total, 2 * deals), deals


def casino(ranks):
    total = deals = 0
    ante = category_pays(CASINO, 1)
    for ways, boards, mine, theirs in dealt_out(ranks):
        (win, _, lose), weak = np.moveaxis(endings(mine, theirs, of_a_kind("pair", 4)), 0, 2)
        dealers = int((theirs[0] >= 0).sum())
        call = win * (ante[mine] + 2) - lose * 3 + weak.sum(axis=0) * ante[mine]
        flops = summed(boards, call, 3)
        folded = -dealers * len(boards) * 10 // len(flops)
        total += ways * sum(max(called, folded) for called in flops.values())
        deals += ways * 10 * len(boards) * dealers
    return Fraction(total, deals), deals


def bonus(ranks):
    total = deals = 0
    ante = category_pays(dict.fromkeys(BLIND, 1))
    for ways, boards, mine, theirs in dealt_out(ranks):
        (win, _, lose), _ = np.moveaxis(endings(mine, theirs, 1), 0, 2)
        dealers = int((theirs[0] >= 0).sum())
        bet, fixed = win - lose, win * ante[mine] - lose
        # A bet is made wherever it gains; each flop meets each board with turn and river two ways.
        river = summed(boards, bet, 4)
        turn = summed(boards, bet, 3)
        base = 20 * int((fixed + 2 * bet).sum())
        base += sum(2 * max(gain, 0) for gain in turn.values())
        base += sum(4 * max(gain, 0) for gain in river.values())
        every = 20 * len(boards) * dealers
        total += ways * max(base, -every)
        deals += ways * every
    return Fraction(total, deals), deals


BY_HAND = {
    "common/ultimate-texas-holdem": ultimate,
    "common/casino-holdem": casino,
    "common/texas-holdem-bonus": bonus,
}


@pytest.mark.parametrize("ranks", SMALL_DECKS)
@pytest.mark.parametrize("name", BY_HAND)
def test_a_small_deck_dealt_out_by_hand_has_the_same_value(name, ranks):
    planned, game, pay = board_games.readied(rulebook.load(name), None, 500, "stay", ranks)
    solved = board_games.priced(planned, game, pay, board_games.counted_now(game))
    value = Fraction(solved.total, solved.deals * solved.units)
    assert (value, solved.deals) == BY_HAND[name](ranks)


# One of the dealer's cards known ------------------------------------------------------------------


def known_by_hand(ranks, weakest, value):
    """Deal a card to the dealer, openly, and all others; value prices what one hole then meets."""
    deck, bits, strength = deck_of(ranks)
    total, holes_dealt = 0, 0
    places = list(combinations(range(len(deck) - 3), 5))
    parts = {}
    for many in (3, 4):
        at = {some: n for n, some in enumerate(combinations(range(len(deck) - 3), many))}
        parts[many] = np.array([[at[some] for some in combinations(b, many)] for b in places])

    def by_part(values, many=3):
        """Sum values of boards over those with the same so many cards."""
        return np.bincount(parts[many].ravel(), np.repeat(values, parts[many].shape[1]))

    for known in deck[::4]:
        holes = combinations([card for card in deck if card != known], 2)
        for hole, many in Counter(map(_but_for_names, holes)).items():
            left = np.array([bits[card] for card in deck if card not in (known, *hole)])
            boards = left[np.array(places)].sum(axis=1)
            mine = strength[boards | bits[hole[0]] | bits[hole[1]]]
            theirs = strength[boards[:, None] | left | bits[known]]
            theirs = np.where(boards[:, None] & left, -1, theirs)
            total += many * value(mine, endings(mine, theirs, weakest), by_part)
            holes_dealt += many
    return Fraction(int(total), holes_dealt * 10 * len(places) * (len(deck) - 8))


def _but_for_names(hole):
    """Of holes that differ only in what the suits are called that are not the known card's, one."""
    named: dict[Any, int] = {0: 0}
    return tuple(DECK[(card & ~3) + named.setdefault(card & 3, len(named))] for card in hole)


def ultimate_known(mine, counts, by_part):
    (win, _, lose), (weak_win, _, weak_lose) = np.moveaxis(counts, 0, 2)
    fixed = (win - lose) * 2 + (win + weak_win) * category_pays(BLIND)[mine]
    fixed -= (lose + weak_lose) * 2
    play = (win + weak_win - lose - weak_lose) * 2
    last = np.maximum(fixed + play, -4 * counts[0].sum())
    flop = np.maximum(by_part(fixed + 2 * play), by_part(last)).sum()
    return Fraction(int(max(flop, *(10 * (fixed + many * play).sum() for many in (3, 4)))), 2)


def casino_known(mine, counts, by_part):
    (win, _, lose), weak = np.moveaxis(counts, 0, 2)
    ante = category_pays(CASINO, 1)[mine]
    call = win * (ante + 2) - lose * 3 + weak.sum(axis=0) * ante
    return np.maximum(by_part(call), -by_part(counts.sum(axis=(1, 2)))).sum()


def bonus_known(mine, counts, by_part):
    (win, _, lose), _ = np.moveaxis(counts, 0, 2)
    bet = win - lose
    total = 20 * (win * category_pays(dict.fromkeys(BLIND, 1))[mine] - lose + 2 * bet).sum()
    total += 2 * np.maximum(by_part(bet), 0).sum() + 4 * np.maximum(by_part(bet, 4), 0).sum()
    return Fraction(int(max(total, -20 * counts.sum())), 2)


@pytest.mark.parametrize(
    ("name", "weakest", "value"),
    [
        ("common/ultimate-texas-holdem", of_a_kind("pair"), ultimate_known),
        ("common/casino-holdem", of_a_kind("pair", 4), casino_known),
        ("common/texas-holdem-bonus", 1, bonus_known),
    ],
)
def test_a_small_deck_with_one_of_the_dealers_cards_known(name, weakest, value):
    ranks = SMALL_DECKS[1]
    _, game, pay = board_games.readied(rulebook.load(name), None, 500, "stay", ranks)
    assert one_known(game) / pay.units == known_by_hand(ranks, weakest, value)


# Single boards of the whole deck -----------------------------------------------------------------


@pytest.mark.parametrize(
    "board",
    ["2c 7d Th Js Kc", "8h 8d 8s Kc Kd", "9s Ts Js 4d 4c", "As 2s 3s 4s 9h", "2h 5h 9h Jh Kh"],
)
def test_the_dealers_holes_on_a_board_are_counted_as_dealt(board):
    lies = cards(board)
    suits = Counter(card & 3 for card in lies)
    suit, many = suits.most_common(1)[0]
    kinds = marked(EVERY_RANK) if many >= 3 else plain(EVERY_RANK)

    def kind(card):
        return (card >> 2) + (13 if many >= 3 and card & 3 != suit else 0)

    at = kinds.find(np.array([[kind(card) for card in lies]]))
    weakest = of_a_kind("pair", 4)
    strong = strengths(kinds, at, rank_strengths(EVERY_RANK), EVERY_RANK)
    shown = showdowns(kinds, at, strong, weakest)
    left = [card for card in DECK if card not in lies]
    valued = {hole: FIVE.strength((*hole, *lies)) for hole in combinations(left, 2)}
    for hole in list(valued)[::37]:
        place = kinds.hole_at[kind(hole[0]), kind(hole[1])]
        against = [v for other, v in valued.items() if not set(other) & set(hole)]
        counted = [
            int(each[0, place]) for each in (shown.strength, shown.below, shown.level, shown.low)
        ]
        mine = valued[hole]
        assert counted == [
            mine,
            sum(each < mine for each in against),
            against.count(mine),
            sum(each < weakest for each in against),
        ]


# The whole deck ----------------------------------------------------------------------------------

VALUES = {
    "common/ultimate-texas-holdem": (
        Fraction(-50643648973, 2317817502000),
        27_813_810_024_000,
        "4.152252 0.526214",
    ),
    "common/casino-holdem": (
        Fraction(-1363917077, 63213204600),
        27_813_810_024_000,
        "2.639814 0.817348",
    ),
    "common/texas-holdem-bonus": (
        Fraction(-578107733, 28381438800),
        55_627_620_048_000,
        "3.818103 0.533491",
    ),
}


@pytest.mark.parametrize("name", VALUES)
def test_a_whole_game_has_its_exact_value_and_is_played_as_advised(name):
    solution = maths.solve(rulebook.load(name))
    solved = solution.solved
    assert isinstance(solved, board_games.BoardSolution)
    figures = solution.statistics
    said = f"{float(figures.average_wager):.6f} {float(100 * figures.element_of_risk):.6f}"
    assert (solution.value, solution.deals, said) == VALUES[name]
    assert sum(outcome.deals for outcome in solution.outcomes) == solution.deals
    if name == "common/ultimate-texas-holdem":
        assert f"{figures.standard_deviation:.6f}" == "4.939312"
        shares = {key: f"{deals / solution.deals:.8f}" for key, deals in solved.shares.items()}
        assert [shares[key] for key in ((0, 4), (1, 2), (2, 1), (2, 0))] == SHARES
        raised = [hole for hole in HOLES if solution.choice(maths.Seen(cards(hole))) == 4]
        assert raised == [hole for hole in HOLES if _raises_four(*hole.split())]
    if name == "common/casino-holdem":
        assert solved.shares[0, 2] == 21_309_060 * 1081 * 990
        _is_simulated(solution)


def _is_simulated(solution):
    """Best play looked up deal by deal: the same value, and everything as often, by chance."""
    job = sim.prepare(solution.book, rounds=500_000, seed=7, seats=2)
    found = sim.agreement(job, sim.total(job, [sim.run(job, n) for n in range(job.blocks)]))
    assert found.exact == solution.value
    assert abs(found.worst) < 4
    with pytest.raises(Unreadable, match="not made for this game"):
        sim.prepare(solution.book, rounds=1, seed=1, strategy=strategies.NAMED["blind"])


SHARES = ["0.37707391", "0.21284622", "0.21826351", "0.19181637"]
"""Of hands that raise four, two and one, and that fold."""
HOLES = [
    f"{DECK[4 * a]} {DECK[4 * b + s]}"
    for a in range(13)
    for b in range(a, 13)
    for s in (0, 1)
    if s or a < b
]
"""One of each of the 169 classes."""


def _raises_four(one, other):
    """Any ace, K2s, K5o, Q6s, Q8o, J8s, JTo, 33 and better."""
    order = "23456789TJQKA"
    low, high = order.index(one[0]), order.index(other[0])
    if low == high:
        return one[0] != "2"
    suited = one[1] == other[1]
    least = {"A": ("2", "2"), "K": ("2", "5"), "Q": ("6", "8"), "J": ("8", "T")}.get(other[0])
    return least is not None and low >= order.index(least[0 if suited else 1])


# Advice, other odds, strategies ------------------------------------------------------------------


def test_advice_on_the_whole_board_is_what_settling_every_hole_of_the_dealers_comes_to():
    book = rulebook.load("common/ultimate-texas-holdem")
    held, board = cards("Kd 6c"), cards("Ks 9h 9d 4c 2s")
    gone = cards("Kh 6d As Ad")
    left = [card for card in DECK if card not in (*held, *board, *gone)]
    mine, total, many = FIVE.strength((*held, *board)), 0, 0
    for hole in combinations(left, 2):
        theirs = FIVE.strength((*hole, *board))
        result = (mine > theirs) - (mine < theirs)  # all here have a pair: the dealer qualifies
        total += 2 * result - (result < 0)  # Ante and Play; two pair brings the Blind back on a win
        many += 1
    found = maths.worths(book, maths.Seen(held, board, None, (-1, -1)), gone)
    assert found == {1: Fraction(total, many), 0: Fraction(-2)}


def test_advice_on_a_flop_is_the_mean_of_advice_on_every_turn():
    book = rulebook.load("common/texas-holdem-bonus")
    held, flop = cards("Qs Js"), cards("Ts 4s 3d")
    unseen = [card for card in DECK if card not in (*held, *flop)]
    found = maths.worths(book, maths.Seen(held, flop, None, (2,)))
    for bet in (-1, 1):
        later = [
            max(maths.worths(book, maths.Seen(held, (*flop, turn), None, (2, bet))).values())
            for turn in unseen
        ]
        assert found[bet] == Fraction(sum(later), len(unseen))


def test_before_the_board_cards_seen_elsewhere_are_not_counted_yet():
    book = rulebook.load("common/ultimate-texas-holdem")
    with pytest.raises(Unsolved, match="before the board"):
        maths.worths(book, maths.Seen(cards("As Kd")), cards("Ah"))


RICH = ("four-of-a-kind", "full-house", "flush", "straight")


def happening(outcomes):
    return Counter({(o.event, o.stake, o.net_units): o.deals for o in outcomes})


@pytest.mark.parametrize("ranks", SMALL_DECKS[:1])
def test_other_odds_under_the_old_play_are_never_better_than_under_the_best(ranks):
    book = rulebook.load("common/ultimate-texas-holdem")
    other = with_pays(book, {f"blind.{row}": odds("50 to 1") for row in RICH})
    planned, game, pay = board_games.readied(book, None, 500, "stay", ranks)
    solved = board_games.priced(planned, game, pay, board_games.counted_now(game))
    again = board_games.repriced(solved, book, None, 500)
    assert happening(again.outcomes) == happening(solved.outcomes)
    under = board_games.repriced(solved, other, None, 500)
    planned, game, pay = board_games.readied(other, None, 500, "stay", ranks)
    best = board_games.priced(planned, game, pay, board_games.counted_now(game))
    assert Fraction(under.total, under.units) < Fraction(best.total, best.units)
    assert Fraction(under.total, under.units) != Fraction(solved.total, solved.units)


UNDER = [
    ("common/ultimate-texas-holdem", {"qualifier.hand": "pair 4"}, (0, 1, 2)),
    ("common/ultimate-texas-holdem", {"qualifier.hand": "high card A-K"}, (0, 1, 2)),
    ("common/ultimate-texas-holdem", {"qualifier.hand": "two pair 3"}, (0, 1, 2)),
    (
        "common/ultimate-texas-holdem",
        {"qualifier.hand": "pair Q", "script.2.times": "4, 5"},
        (0, 1, 1),
    ),
    ("common/ultimate-texas-holdem", {"script.2.times": "4", "script.4.times": "1"}, (0, 1, 1)),
    (
        "common/ultimate-texas-holdem",
        {"script.2.times": "2, 3, 4", "script.6.times": "2"},
        (0, 2, 3),
    ),
    ("common/casino-holdem", {"qualifier.hand": "high card A-K", "script.2.times": "3"}, (0, 1)),
    ("common/casino-holdem", {"qualifier.hand": "three of a kind 3"}, (0, 1)),
    (
        "common/texas-holdem-bonus",
        {"script.2.times": "1", "script.4.times": "3", "script.6.times": "2"},
        (0, 1),
    ),
]
"""Rules that are changed, and which choice of the first decision stands for which of before."""


@pytest.mark.parametrize("ranks", SMALL_DECKS)
@pytest.mark.parametrize(("name", "changes", "first"), UNDER)
def test_other_rules_under_the_old_play_are_worth_what_following_it_again_comes_to(
    name, changes, first, ranks
):
    book = rulebook.load(name)
    other = edited(book, changes)
    planned, game, pay = board_games.readied(book, None, 500, "stay", ranks)
    solved = board_games.priced(planned, game, pay, board_games.counted_now(game))
    under = board_games.repriced(solved, other, None, 500)

    choices, _ = board_play.best_play(game, board_play.showdowns(game))
    planned, game, pay = board_games.readied(other, None, 500, "stay", ranks)
    begins = min(choices)
    choices[begins] = [np.array(first)[picks].astype(np.int8) for picks in choices[begins]]
    for street in game.streets[1:]:  # columns in which nobody is asked have picks that say nothing
        for mark in (False, True):
            if (picks := choices.get((street.seen - 2, mark))) is not None:
                picks += [np.zeros(1, np.int8)] * (len(street.after) - len(picks))
    shown = board_play.showdowns(game)
    course = board_games.course_counted(game, board_course.follow(game, shown, choices))
    again = board_games.priced(planned, game, pay, course)
    assert happening(under.outcomes) == happening(again.outcomes)
    assert (under.total, under.deals, under.units) == (again.total, again.deals, again.units)
    best = board_games.priced(planned, game, pay, board_games.counted_now(game))
    assert under.total <= best.total


def test_what_is_not_told_apart_is_not_priced_under_the_old_play():
    book = rulebook.load("common/casino-holdem")
    planned, game, pay = board_games.readied(book, None, 500, "stay", SMALL_DECKS[0])
    solved = board_games.priced(planned, game, pay, board_games.counted_now(game))
    kicker = edited(book, {"qualifier.hand": "pair 4-K"})
    for other in (kicker, rulebook.load("common/ultimate-texas-holdem")):
        with pytest.raises(Unsolved, match="does not fit"):
            board_games.repriced(solved, other, None, 500)


def test_at_any_ante_it_is_the_same_game_where_no_cap_bites_and_nothing_is_rounded():
    book = rulebook.load("common/ultimate-texas-holdem")
    games = [
        board_games.readied(book, ante, 500, "stay", SMALL_DECKS[0])[1] for ante in (None, 1000, 25)
    ]
    assert [each.units for each in games] == [2, 2, 25], "three for two on 25 cents is rounded"
    assert (games[0].gains == games[1].gains).all()
    planned, game, pay = board_games.readied(book, 1000, 500, "stay", SMALL_DECKS[0])
    solved = board_games.priced(planned, game, pay, board_games.counted_now(game))
    planned, game, pay = board_games.readied(book, None, 500, "stay", SMALL_DECKS[0])
    again = board_games.priced(planned, game, pay, board_games.counted_now(game))
    assert Fraction(solved.total, solved.units) == Fraction(again.total, again.units)
    assert solved.units == 500 * again.units
    assert (solved.counted["first"] == again.counted["first"]).all()


def test_hands_are_named_for_every_deal_that_decides_on_flop_and_river():
    book = rulebook.load("common/ultimate-texas-holdem")
    planned, game, pay = board_games.readied(book, None, 500, "stay", SMALL_DECKS[0])
    solved = board_games.priced(planned, game, pay, board_games.counted_now(game))
    told: Counter[Any] = Counter()
    for number, _, choices in solved.held:
        for choice, deals in choices.items():
            told[number, choice] += deals
    assert told == {key: deals for key, deals in solved.shares.items() if key[0] and deals}


@pytest.mark.parametrize(
    ("held", "board", "choice"),
    [
        ("2c 2d", "", -1),
        ("3c 3d", "", 4),
        ("Kc 5d", "", 4),
        ("Kc 4d", "", -1),
        ("Jc 8c", "", 4),
        ("9c 2d", "9d 5s Kh", 2),
        ("2c 2d", "9d 5s Kh", -1),
        ("Ts 2s", "9s 5s Kh", 2),
        ("9s 2s", "Ts 5s Kh", -1),
        ("9s 2s", "Ts 5h Kh Kd 2d", 1),
        ("Qs 3s", "Ts 5h Kh Jd 2c", 1),  # 15 cards that pair, four aces
        ("8s 3s", "Ts 5h Kh Jd 2c", 0),  # and four queens, four nines
        ("4s 3s", "Ts Th Kh Kd Ad", 1),
        ("Qs 3s", "As Ts Ks Kd 9d", 1),
    ],
)
def test_the_simple_strategy_does_what_its_rules_say(held, board, choice):
    said = strategies.named(rulebook.load("common/ultimate-texas-holdem"), "simple")
    assert said(maths.Seen(cards(held), cards(board))) == choice


def test_what_one_process_has_kept_every_other_finds():
    told = "from pitboss.maths import board_games as b; from pitboss.rulebook import load;"
    told += "print(b._told(b.readied(load('common/texas-holdem-bonus'), None, 500, 'stay')[1]))"
    said = {
        subprocess.run(
            [sys.executable, "-c", told],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            check=True,
            capture_output=True,
        ).stdout
        for seed in (3, 4)
    }
    assert len(said) == 1
