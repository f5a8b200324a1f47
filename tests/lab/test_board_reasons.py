"""What is said of a hand on a shared board: before it the grid's rule, later the hand's kind."""

import random
from collections import Counter
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pitboss.cards import DECK, cards, shuffled
from pitboss.lab.chart import Chart
from pitboss.lab.chart_reasons import board_hand, reason
from pitboss.maths import Seen, board_games
from pitboss.maths.board_cards import boards
from pitboss.maths.board_games import BoardSolution
from pitboss.maths.board_hands import CATEGORIES, hand_name, on_flop, on_whole_board
from pitboss.maths.board_kinds import BOARD, EVERY_RANK, FLOP, plain
from pitboss.maths.board_showdowns import rank_strengths, strengths
from pitboss.maths.board_strategies import SIMPLE
from pitboss.maths.decisions import CHECK, FOLD
from pitboss.maths.solution import Solution
from pitboss.rulebook import Rulebook
from pitboss.wording import TIMES
from tests.helpers import CASINO_HOLDEM, HOLDEM_BONUS, ULTIMATE
from tests.lab.test_chart_reasons import SPOKEN
from tests.lab.test_par import NAMES


def as_if_counted(book: Rulebook, *held: tuple[int, str, dict[int, int]]) -> BoardSolution:
    """A game as if it had been counted: the decision, the hand, and its deals by choice."""
    planned, game, pay = board_games.readied(book, None, 5_00, "stay")
    names = [hand_name(place) for place in range(3 * len(CATEGORIES))]
    rows = [
        (at, names.index(name), game.streets[at].choices.index(choice), deals * planned.orders)
        for at, name, by_choice in held
        for choice, deals in by_choice.items()
    ]
    ends = np.zeros((len(planned.finals), 6, 2), np.int64)
    ends[0, 0, 1] = planned.orders  # one deal, of which nothing is said
    found = {"ends": ends, "taken": np.zeros((0, 4), np.int64)}
    found["held"] = np.array(rows, np.int64).reshape(-1, 4)
    return board_games.priced(planned, game, pay, found)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes the solution of such a game, in which nobody has to count."""

    def made(book: Rulebook, *held: tuple[int, str, dict[int, int]]) -> Solution:
        monkeypatch.setattr(board_games, "solve", lambda *_: as_if_counted(book, *held))
        return Solution(book, None, 5_00, "stay")

    return made


def grid() -> tuple[tuple[int, ...], ...]:
    """The two cards before a board as they are played best in Ultimate Texas Hold'em."""
    return tuple(
        tuple(
            SIMPLE(Seen((DECK[4 * min(row, column)], DECK[4 * max(row, column) + (row >= column)])))
            for column in range(13)
        )
        for row in range(13)
    )


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("As 2d", "A-2 unsuited, played like all unsuited hands with A high"),
        ("Ks 5d", "K-5 unsuited; 4x takes K-5 or better"),
        ("Kh 4d", "K-4 unsuited; 4x takes K-5 or better"),
        ("Kh 2h", "K-2 suited, played like all suited hands with K high"),
        ("Qd 5d", "Q-5 suited; 4x takes Q-6 or better"),
        ("Ts 9s", "10-9 suited, played like all suited hands with 10 high"),
        ("2s 2d", "pair of twos; 4x takes pair of threes or higher"),
        ("As Ad", "pair of aces; 4x takes pair of threes or higher"),
    ],
)
def test_before_the_board_the_grids_own_rule_is_said(held: str, said: str, counted: Any) -> None:
    made = Chart((), grid(), ())
    found = reason(counted(ULTIMATE), made, Seen(cards(held)))
    assert found == said.replace("4x", f"4{TIMES}")


def test_before_the_board_a_reason_is_true_of_all_hands_of_its_kind(counted: Any) -> None:
    """Of every grid, also of ones that nobody would play: the rule is followed, and compared."""
    chance, solution = random.Random(3), counted(ULTIMATE)
    every = [
        (low, high, suited)
        for low in range(13)
        for high in range(low, 13)
        for suited in ((False,) if low == high else (False, True))
    ]
    drawn = [grid(), *(_drawn(chance) for _ in range(3))]
    for made in drawn:
        for low, high, suited in every:
            hand = Seen((DECK[4 * low], DECK[4 * high + (not suited)]))
            said = reason(solution, Chart((), made, ()), hand)
            kind = [
                (each, made[each[0]][each[1]] if each[2] else made[each[1]][each[0]])
                for each in every
                if (each[2], each[0] == each[1]) == (suited, low == high)
                and (low == high or each[1] == high)
            ]
            mine = made[low][high] if suited else made[high][low]
            if "played like all" in said:
                assert {choice for _, choice in kind} == {mine}
            elif ";" in said:
                top = kind[-1][1]
                assert f"; {top}{TIMES} takes" in said or "; check takes" in said
                runs = [choice == top for _, choice in kind]
                assert runs == sorted(runs)
                least = runs.index(True)
                pairs = f"pair of {SPOKEN[least]} or higher"
                ends = pairs if low == high else f"-{NAMES[least]} or better"
                assert ends in said.partition("takes")[2]
            else:  # nothing simple is true of its kind
                assert len({choice for _, choice in kind}) > 1
    assert any(
        ";" not in reason(solution, Chart((), drawn[-1], ()), Seen((DECK[0], each)))
        for each in DECK[20:]
    )


def _drawn(chance: random.Random) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(chance.choice((4, CHECK)) for _ in range(13)) for _ in range(13))


@pytest.mark.parametrize(
    ("held", "board", "raises", "best", "said"),
    [
        ("9s 4d", "9c Kd 2h", (CHECK,), 2, "pair with a card in hand, of which 97% are played so"),
        ("9s 4d", "8c Kd 2h", (CHECK,), 2, "high card, though under 1% of these are played so"),
        (
            "9s 4d",
            "9c Kd 2h",
            (CHECK,),
            CHECK,
            "pair with a card in hand, though only 3% of these are played so",
        ),
        ("9s 4d", "8c Kd 2h", (CHECK,), CHECK, "high card, of which 99% are played so"),
        ("9s 4s", "8s Ks 2h", (CHECK,), 2, "high card, four to a flush, always played so"),
        ("9s 4d", "8c Kd 2h Ks 7c", (CHECK, CHECK), FOLD, "pair of the board"),  # none was counted
    ],
)
def test_on_the_board_it_is_the_kind_of_hand_and_how_many_are_played_so(
    held: str, board: str, raises: tuple[int, ...], best: int, said: str, counted: Any
) -> None:
    solution = counted(
        ULTIMATE,
        (1, "pair with a card in hand", {2: 970, CHECK: 30}),
        (1, "high card", {2: 9, CHECK: 991}),
        (1, "high card, four to a flush", {2: 5}),
    )
    assert reason(solution, None, Seen(cards(held), cards(board), None, raises), best) == said


def test_a_game_that_decides_with_a_board_alone_has_reasons_too(counted: Any) -> None:
    solution = counted(CASINO_HOLDEM, (0, "high card", {2: 3, FOLD: 1}))
    seen = Seen(cards("As Kd"), cards("8c 7d 2h"))  # what is best is worked out
    assert reason(solution, None, seen) == "high card, of which 75% are played so"


def test_on_the_turn_it_is_the_kind_of_hand(counted: Any) -> None:
    seen = Seen(cards("As Kd"), cards("Ac 7d 2h 7c"), None, (2, CHECK))
    assert reason(counted(HOLDEM_BONUS), None, seen, 1) == "two pair with a card in hand"


def test_a_hand_is_called_as_it_is_counted() -> None:
    chance, flops, kinds = random.Random(5), boards(FLOP, EVERY_RANK), plain(EVERY_RANK)
    names = on_flop(EVERY_RANK)
    met = Counter[str]()
    for _ in range(3_000):
        flop, hole = chance.randrange(len(flops.cards)), chance.randrange(len(flops.holes))
        if flops.free[flop, hole]:
            lie, held = flops.cards[flop].tolist(), flops.holes[hole].tolist()
            seen = Seen(tuple(DECK[each] for each in held), tuple(DECK[each] for each in lie))
            assert board_hand(seen) == hand_name(int(names[flop, hole]))
            met[board_hand(seen)] += 1
    assert len(met) > 8
    every = np.arange(len(kinds.boards[BOARD]))
    strong = strengths(kinds, every, rank_strengths(EVERY_RANK), EVERY_RANK)
    shown: Any = SimpleNamespace(strength=strong)
    whole = on_whole_board(kinds, shown, EVERY_RANK)
    for _ in range(500):
        deck = shuffled(chance)[:7]
        mine, board = deck[:2], deck[2:]
        if max(Counter(card.suit for card in board).values()) < 3:
            lie = kinds.find(np.array([[card >> 2 for card in board]]))[0]
            at = kinds.hole_at[mine[0] >> 2, mine[1] >> 2]
            assert board_hand(Seen(mine, board)) == hand_name(int(whole[lie, at]))
