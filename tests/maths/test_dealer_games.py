"""Showdowns that no shipped house plays: the solver beside every one of the dealer's hands."""

import random
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from pitboss import maths, rulebook
from pitboss.cards import DECK, Card, card, cards, shuffled
from pitboss.errors import Unreadable, Unsolved
from pitboss.hands import ranking
from pitboss.lab import protect
from pitboss.lab.simulation_tables import tabulated
from pitboss.maths import dealer_games, dealers_hands
from pitboss.maths.hand_states import SIZE, levels
from pitboss.rulebook.loader import HOUSES
from pitboss.rulebook.model import Rulebook
from pitboss.settle import Play, SeatPlay, settle
from tests.helpers import SENECA

TEXT = (HOUSES / "seneca-niagara/caribbean-stud.toml").read_text("utf-8")
TURN = '[[script]]\ndo = "turn"\nplace = "dealer"\ncards = {}\nclause = "play"\n'


def changed(*changes: tuple[str, str]) -> Rulebook:
    text = TEXT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return rulebook.parse(text)


NO_CAP = (TEXT[TEXT.index("[[cap]]") : TEXT.index("[progressive]")], "")
TIES_WIN = changed(('tie = "push"', 'tie = "win"'))
TIES_LOSE = changed(('tie = "push"', 'tie = "lose"'))
ANY_HAND = changed(
    ('hand = "high-card"\nof = "A"\nwith = "K"', 'hand = "any"'),
    ('unqualified = "1 to 1"\n', ""),
    ('unqualified = "push"\n', ""),
)
THREE_RAISES = changed(("times = [2]", "times = [1, 2, 4]"))
EVEN_MONEY = changed(NO_CAP, ('table = "bet"\nunqualified', 'odds = "1 to 1"\nunqualified'))
TURNED_UP = changed(
    ("up = { dealer = [5] }\n", ""),
    ('[[script]]\ndo = "decide"', f'{TURN.format(1)}\n[[script]]\ndo = "decide"'),
)
BOOKS = {
    "ties win": TIES_WIN,
    "ties lose": TIES_LOSE,
    "every hand qualifies": ANY_HAND,
    "three raises": THREE_RAISES,
    "no pay table": EVEN_MONEY,
    "one card turned before the decision": TURNED_UP,
}
books = pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)


def situations() -> list[maths.Seen]:
    """Hands at random, and such as can tie: an upcard of a rank that the player holds."""
    chance, found = random.Random(11), []
    for number in range(12):
        dealt = shuffled(chance)
        held, left = dealt[:SIZE], dealt[SIZE:]
        paired = [card for card in left if card.rank == held[number % SIZE].rank]
        found.append(maths.Seen(held, (), paired[0] if number % 3 and paired else left[0]))
    for five, upcard in (
        ("As Ks Qs Js 9s", "Ah"),  # a flush that can be met by its like
        ("Ah Kd Qs Jc 9s", "9h"),
        ("5c 4d 3h 2s Ac", "Ad"),
        ("7c 5d 4h 3s 2c", "7d"),
        ("Kc Kd 8h 8s 3c", "3d"),
    ):
        found.append(maths.Seen(cards(five), (), card(upcard)))
    return found


def case_of(every: dealers_hands.Cases, seen: maths.Seen) -> int:
    assert seen.upcard is not None
    suit, rank = seen.upcard & 3, seen.upcard >> 2
    suited = len({each & 3 for each in seen.cards}) == 1
    state = levels()[SIZE].find(tuple(each.rank for each in seen.cards), suited=suited)
    shared = sum(1 << (each >> 2) for each in seen.cards if each & 3 == suit)
    here = (every.state == state) & (every.upcard == rank) & (every.shared == shared)
    (at,) = np.flatnonzero(here)
    return int(at)


@books
def test_cases_agree_with_card_by_card_enumeration(book):
    rule, street = dealer_games.shape(book)
    pay = dealer_games.payoffs(book, None, 1)
    every = dealers_hands.cases(rule.weakest)
    worth = {c: dealer_games.worth(every, pay, c) for c in (*street.times, 0)}
    for seen in situations():
        at = case_of(every, seen)
        found = {
            c: Fraction(int(each[at]), dealers_hands.UNSEEN * pay.units)
            for c, each in worth.items()
        }
        assert found == maths.worths(book, seen)


@pytest.mark.parametrize("book", [TIES_WIN, ANY_HAND], ids=["ties win", "every hand qualifies"])
def test_card_by_card_enumeration_agrees_with_the_settlement(book):
    five, tied = ranking("five-card").strength, 0
    for seen in situations()[-5:]:
        assert seen.upcard is not None
        mine, known = five(seen.cards), (*seen.cards, seen.upcard)
        left = [each for each in DECK if each not in known]
        many: dict[tuple[bool, int], int] = {}
        like: dict[tuple[bool, int], tuple[Card, ...]] = {}
        for four in combinations(left, 4):
            theirs = five((*four, seen.upcard))
            ending = theirs < book.qualifier.weakest, (theirs > mine) - (theirs < mine)
            many[ending] = many.get(ending, 0) + 1
            like[ending] = (*four, seen.upcard)
        tied += many.get((False, 0), 0)
        net = 0
        for ending, hand in like.items():
            seat = SeatPlay(1, seen.cards, {"ante": 1_00, "bet": 2_00})
            done = settle(book, Play((seat,), 1_00, {"dealer": hand})).seats[0]
            net += many[ending] * (done.returned_cents - done.staked_cents)
        assert maths.worths(book, seen)[2] == Fraction(net, sum(many.values()) * 1_00)
    assert tied > 0


@books
def test_outcomes_come_to_the_value(book):
    solution = maths.solve(book)
    assert solution.deals == 19_933_230_517_200
    assert solution.statistics.value == solution.value
    solved = solution.solved
    assert isinstance(solved, dealer_games.DealerSolution)
    every = dealers_hands.cases(solved.weakest)
    worths = [dealer_games.worth(every, solved.pay, choice) for choice in solved.choices]
    followed = [(every, np.stack(worths).argmax(axis=0))]
    assert dealer_games.outcomes(solved.pay, solved.choices, followed) == solution.outcomes


@books
def test_a_simulation_numbers_every_outcome_and_knows_its_deals(book):
    solution = maths.solve(book)
    _, numbered = tabulated(solution, None, 1)
    assert {each for each in numbered if each.deals} == set(solution.outcomes)


@books
def test_seeing_the_upcard_alone_is_the_ordinary_game(book):
    """Protection counts the dealer's hands in a way of its own."""
    assert protect.known(book, "1", None, 1) == maths.solve(book).value


def test_ties_that_win_are_paid_by_the_row():
    values = [maths.solve(book).value for book in (TIES_LOSE, SENECA, TIES_WIN)]
    assert values == sorted(set(values))
    assert "tie" not in {each.event for each in maths.solve(TIES_WIN).outcomes}
    assert {each.event for each in maths.solve(EVEN_MONEY).outcomes} == {
        *("player-wins", "dealer-does-not-qualify", "tie", "dealer-wins", "fold-1"),
    }


def test_more_multiples_are_never_worth_less():
    assert maths.solve(THREE_RAISES).value > maths.solve(SENECA).value
    assert {each.stake for each in maths.solve(THREE_RAISES).outcomes} == {1, 2, 5}


REFUSED = {
    "two cards up": (
        (("dealer = [5]", "dealer = [4, 5]"), (TURN.format(4), TURN.format(3))),
        "5 cards against 5, 2 of them seen, are not counted yet",
    ),
    "a check": (
        (('otherwise = ["fold"]', 'otherwise = ["fold", "check"]'),),
        "to raise or to fold, are solved so far",
    ),
    "an ante that outlives a fold": (
        (("required = true\nagainst", 'required = true\nafter_fold = "lives"\nagainst'),),
        "outlives a fold are not solved yet",
    ),
    "six cards": (
        (("cards = 5\npacket = 5", "cards = 6\npacket = 6"), (TURN.format(4), TURN.format(5))),
        "6 cards against 6, 1 of them seen, are not counted yet",
    ),
}


@pytest.mark.parametrize(("changes", "says"), REFUSED.values(), ids=REFUSED)
def test_showdowns_that_are_not_solved_say_why(changes, says):
    with pytest.raises(Unsolved, match=says):
        maths.solve(changed(*changes))


def test_the_solution_answers_as_card_by_card_enumeration_does():
    """Two ways that share no code: the counted case, and every dealer's hand dealt out."""
    book = SENECA
    chance = random.Random(11)
    for ante in (None, 1_000):
        solution = maths.solve(book, ante, 500)
        for _ in range(20):
            *held, upcard = chance.sample(DECK, 6)
            seen = maths.Seen(tuple(held), (), upcard)
            assert solution.worth(seen) == maths.worths(book, seen, (), ante, 500)


@pytest.mark.parametrize(
    "seen",
    [
        maths.Seen(cards("As Ks Qs Js"), (), card("2c")),
        maths.Seen(cards("As Ks Qs Js Ts"), (), None),
        maths.Seen(cards("As Ks Qs Js Ts"), (), card("As")),
        maths.Seen(cards("As Ks Qs Js Ts"), cards("2c"), card("3c")),
        maths.Seen(cards("As Ks Qs Js Ts"), (), card("3c"), (2,)),
    ],
)
def test_a_situation_that_cannot_be_is_refused(seen):
    with pytest.raises(Unreadable):
        maths.solve(SENECA).choice(seen)
