"""Other odds under the play that was best before, worked out a second time in other ways."""

from fractions import Fraction

import pytest

from pitboss import maths
from pitboss.errors import Unreadable, Unsolved
from pitboss.lab.controls import edited
from pitboss.money import odds
from pitboss.rulebook import Rulebook
from pitboss.rulebook.variants import with_pays
from tests.command import complaint, run
from tests.helpers import DIAMOND_JO, LET_IT_RIDE, SENECA, THREE_CARD


@pytest.mark.parametrize("book", [LET_IT_RIDE, SENECA, THREE_CARD], ids=lambda book: book.game)
def test_at_the_same_odds_the_same_happens(book: Rulebook) -> None:
    solution = maths.solve(book)
    again = maths.same_play(solution, book)
    assert sorted(again.outcomes, key=str) == sorted(solution.outcomes, key=str)
    assert (again.value, again.folds) == (solution.value, solution.folds)


@pytest.mark.parametrize(
    ("book", "row", "stake"), [(LET_IT_RIDE, "flush", 0), (SENECA, "ace-king", 1)]
)
def test_a_row_gains_what_it_pays_more_as_often_as_it_came_before(
    book: Rulebook, row: str, stake: int
) -> None:
    """By the outcomes of before; of three antes in a showdown one is the ante's own."""
    solution, more = maths.solve(book), with_pays(book, {row: odds("20 to 1")})
    assert book.main_table is not None
    [paid] = [each.odds for each in book.main_table.rows if each.row == row]
    assert paid is not None
    came = sum((each.stake - stake) * each.deals for each in solution.outcomes if each.event == row)
    same = maths.same_play(solution, more)
    assert same.value == solution.value + Fraction(came, solution.deals) * (20 - paid)
    assert same.value < maths.solve(more).value


def test_a_bonus_is_paid_as_if_every_hand_were_asked() -> None:
    rich = with_pays(THREE_CARD, {"ante-bonus.nothing": odds("1 to 1")})
    solution = maths.solve(THREE_CARD)
    same = maths.same_play(solution, rich)
    asked = maths.evaluate(rich, solution.choice)
    assert (same.value, same.folds) == (asked.value, asked.fold)
    assert same.value < maths.solve(rich).value


@pytest.mark.parametrize(
    ("changes", "nearest"),
    [
        ({"qualifier.hand": "high card J"}, 1),
        ({"qualifier.hand": "pair 2", "table.ante-bonus.rows.straight.odds": "2 to 1"}, 1),
        ({"script.1.times": "3"}, 3),
        ({"script.1.times": "2, 3", "qualifier.hand": "high card A"}, 2),
    ],
)
def test_other_rules_are_worth_what_every_hand_comes_to(
    changes: dict[str, str], nearest: int
) -> None:
    """By asking hand by hand for the choice of before, and raising the nearest that may be."""
    solution, other = maths.solve(THREE_CARD), edited(THREE_CARD, changes)
    same = maths.same_play(solution, other)
    asked = maths.evaluate(other, lambda seen: nearest if solution.choice(seen) else 0)
    assert (same.value, same.folds) == (asked.value, asked.fold)
    assert same.value <= maths.solve(other).value


def test_only_the_same_decisions_are_priced_so() -> None:
    with pytest.raises(Unsolved, match="does not fit"):
        maths.same_play(maths.solve(LET_IT_RIDE), DIAMOND_JO)
    with pytest.raises(Unsolved, match="does not fit"):
        maths.same_play(maths.solve(LET_IT_RIDE), SENECA)
    same = maths.same_play(maths.solve(SENECA), SENECA)
    with pytest.raises(Unreadable, match="nothing is chosen"):
        same.choice(maths.Seen(()))


def test_the_par_sheet_has_it() -> None:
    pay = ("--pay", "ante-bonus.straight=2:1")
    made = run("par", THREE_CARD.id, *pay, "--same-play", "--json").json
    more = with_pays(THREE_CARD, {"ante-bonus.straight": odds("2 to 1")})
    same = maths.same_play(maths.solve(THREE_CARD), more)
    assert Fraction(made["main"]["value"]) == same.value
    assert made["same_play"]
    assert (
        "played as is best at the book's own odds"
        in run("par", THREE_CARD.id, *pay, "--same-play").out
    )
    assert "give --pay" in complaint("par", THREE_CARD.id, "--same-play")


def test_named_strategies_stand_on_the_par_sheet() -> None:
    made = run("par", THREE_CARD.id, "--strategies", "--json").json["main"]["strategies"]
    assert {name: each["value"] for name, each in made.items()} == {
        "q-6-4": "-686689/20358520",
        "never-fold": "-1947749/25448150",
        "mimic": "-70219/2035852",
    }
    assert made["never-fold"]["average_wager"] == 2
    assert made["never-fold"]["fold"] == [0]
    [line] = [
        line
        for line in run("par", THREE_CARD.id, "--strategies").out.splitlines()
        if line.startswith("mimic")
    ]
    assert line.split()[1] == "3.449121%"
    assert line.split()[-1] == "0.076140%"
