"""What a chart says of a hand: it is true of the hand, and enough to know how it is played."""

import random
from collections import defaultdict
from itertools import product

import pytest

from pitboss import maths
from pitboss.cards import Card, cards, shuffled
from pitboss.lab.chart import chart
from pitboss.lab.chart_reasons import reason
from pitboss.maths import Seen
from pitboss.maths.hand_states import levels
from pitboss.maths.pay_table_games import PayTableSolution
from pitboss.wording import NUMBERS
from tests.helpers import DIAMOND_JO, HOLLYWOOD, MISSISSIPPI, SENECA
from tests.lab.test_par import NAMES, noticed
from tests.small_books import TAKE_BACK

COUNTED = {
    "points": ("point", "points"),
    "high": ("high card", "high cards"),
    "straights": ("straight in reach", "straights in reach"),
    "alike": ("card of a rank", "cards of a rank"),
}
_WORDS = "twos threes fours fives sixes sevens eights nines tens jacks queens kings aces"
SPOKEN = _WORDS.split(" ")
KINDS = {"no pair", "suited", "pair", "two pair or better", "three of a kind"}


def phrases(has):
    """All that can be said of a hand in which a person sees this."""
    rank = {name: NAMES[has[name] - 2] for name in ("top", "low", "kicker") if has[name]}
    return {
        *(f"{NUMBERS[has[what]]} {words[has[what] != 1]}" for what, words in COUNTED.items()),
        f"highest card {rank['top']}",
        f"lowest card {rank['low']}",
        f"pair of {SPOKEN[has['pair'] - 2]}" if has["pair"] else "",
        f"kicker {rank['kicker']}" if has["kicker"] else "no kicker",
    }


def shown(ranks, *, suited):
    """Some cards of these ranks: of one suit, or else of several."""
    if suited:
        return tuple(Card(4 * (rank - 2)) for rank in ranks)
    return tuple(Card(4 * (rank - 2) + number % 4) for number, rank in enumerate(ranks))


@pytest.mark.parametrize(
    "book", [DIAMOND_JO, HOLLYWOOD, MISSISSIPPI, TAKE_BACK], ids=lambda book: book.id
)
def test_a_reason_is_true_and_all_hands_of_which_it_is_true_are_played_alike(book):
    solution = maths.solve(book)
    made, solved = chart(solution, grid=False), solution.solved
    assert isinstance(solved, PayTableSolution)
    assert made.grid is None
    for number, (street, best) in enumerate(zip(solved.plan.streets, solved.best, strict=True)):
        level, groups = levels()[street.seen], defaultdict(list)
        stay = [[each for each in s.choices if each] for s in solved.plan.streets[:number]]
        ways = {solved.plan.at(raises, street.seen)[1]: raises for raises in product(*stay)}
        assert sorted(ways) == list(range(len(street.stakes)))
        for state in range(len(level.keys)):
            ranks, suited = level.ranks(state), bool(level.suited[state])
            known = shown(ranks, suited=suited)
            true = phrases(noticed(list(ranks), made.points))
            for column, raises in ways.items():
                said = reason(solution, made, Seen(known, (), None, raises))
                seen, *facts = said.partition(";")[0].split(", ")
                assert seen == f"{NUMBERS[street.seen]} cards"
                stake = f"{NUMBERS[street.stakes[column]]} antes in"
                told = {each for each in facts if each not in KINDS | {stake}}
                assert told <= true, (ranks, said)
                group = len(set(ranks)), suited, column
                groups[group].append((frozenset(told), true, int(best[state, column])))
        for several in groups.values():
            for each in {told for told, _, _ in several}:
                assert len({choice for _, true, choice in several if each <= true}) == 1, each


def test_against_a_dealer_hands_with_the_same_reason_are_played_alike():
    solution = maths.solve(SENECA)
    made, alike = chart(solution, grid=False), defaultdict(set)
    chance = random.Random(6)
    between = [Card(4 * 12), Card(4 * 11 + 1)]  # ace-king, where it depends
    for number in range(3_000):
        deck = [each for each in shuffled(chance) if number % 3 == 0 or each not in between]
        held = tuple(deck[:5]) if number % 3 == 0 else (*between, *deck[:3])
        seen = Seen(held, (), deck[5])
        alike[reason(solution, made, seen)].add(solution.choice(seen))
    assert {said: kinds for said, kinds in alike.items() if len(kinds) > 1} == {}
    assert len(alike) > 100


@pytest.mark.parametrize(
    ("book", "held", "board", "raises", "said"),
    [
        (
            DIAMOND_JO,
            "7h 2c",
            "",
            (),
            "two cards, no pair, one point; 1\N{MULTIPLICATION SIGN} takes two or more points",
        ),
        (DIAMOND_JO, "Kh Kd", "", (), "two cards, pair"),
        (
            DIAMOND_JO,
            "8s 5h",
            "8c",
            (1,),
            "three cards, pair of eights; 3\N{MULTIPLICATION SIGN} takes pair of sixes or higher",
        ),
        (
            DIAMOND_JO,
            "4s 4h",
            "9c",
            (1,),
            "three cards, pair of fours; 3\N{MULTIPLICATION SIGN} takes pair of sixes or higher",
        ),
        (
            DIAMOND_JO,
            "5s Jd",
            "Th 4c",
            (3, 2),
            "four cards, no pair, three points, no straights in reach, six antes in",
        ),
    ],
)
def test_a_reason_names_what_decides_and_what_another_choice_takes(book, held, board, raises, said):
    solution = maths.solve(book)
    seen = Seen(cards(held), cards(board), None, raises)
    assert reason(solution, chart(solution, grid=False), seen) == said


@pytest.mark.parametrize(
    ("held", "upcard", "said"),
    [
        ("Ks 3c Th 8s 5d", "Qd", "high card A-Q-J-10-9 or weaker, whatever the upcard"),
        ("Ad Kc Qc Jh 3h", "Kd", "high card A-K-Q-J-2 or better, whatever the upcard"),
        ("8d 9c 7c 8h 2h", "Kd", "pair or better, whatever the upcard"),
        ("8d 9c 9d 8h 2h", "Kd", "pair or better, whatever the upcard"),
        ("As Ks Qs Js Ts", "Kd", "pair or better, whatever the upcard"),
        (
            "4h Kd Ac 2d 9d",
            "3d",
            "high card A-K-9-4-2 against 3, third card 9, no cards of the upcard's rank",
        ),
        ("Ac Kd Qh 4s 2h", "3h", "high card A-K-Q-4-2 against 3, with Q-2 in its suit"),
        ("Ac Kd Qd 4s 2c", "3h", "high card A-K-Q-4-2 against 3, with nothing in its suit"),
    ],
)
def test_against_a_dealer_a_reason_names_the_band_the_upcard_or_the_suit(held, upcard, said):
    solution, [up] = maths.solve(SENECA), cards(upcard)
    assert reason(solution, chart(solution, grid=False), Seen(cards(held), (), up)) == said
