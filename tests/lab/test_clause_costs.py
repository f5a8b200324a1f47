"""What a clause costs: every figure is that of a changed file, solved by itself."""

import json
from fractions import Fraction

import pytest

from pitboss import maths
from pitboss.lab.clause_costs import ClauseCost, clause_cost, plainer
from pitboss.lab.clause_prices import Pricing
from pitboss.maths.price import HANDS_PER_HOUR, At, expected_value
from pitboss.maths.side_wagers import rows_counted
from pitboss.maths.strategies import named
from pitboss.money import Odds
from pitboss.rulebook import Rulebook, ids, load, parse
from pitboss.rulebook.base import codes
from pitboss.rulebook.deal_script import DecideStep
from pitboss.rulebook.rule_card import rule_card
from pitboss.rulebook.variants import diff, with_pays
from tests.command import complaint, run
from tests.helpers import BOOKS, DIAMOND_JO, HOLLYWOOD, LET_IT_RIDE, MISSISSIPPI, SENECA
from tests.lab.test_rules_diff import changed


def cost(book: Rulebook, clause: str, at: At | None = None) -> ClauseCost:
    found = clause_cost(book, clause, BOOKS, at)
    assert found is not None
    return found


WITHOUT = [
    pytest.param(
        DIAMOND_JO,
        "I.2.e",
        "Flush paid like Straight: 4 to 1",
        [('hand = "flush", odds = "6 to 1"', 'hand = "flush", odds = "4 to 1"')],
        id="a row",
    ),
    pytest.param(
        DIAMOND_JO,
        "C.1.i(2)",
        "First Raise: once the Ante and no more",
        [("times = [1, 2, 3]", "times = [1]")],
        id="multiples",
    ),
    pytest.param(SENECA, "play", "A tie loses", [('tie = "push"', 'tie = "lose"')], id="ties"),
]


@pytest.mark.parametrize(("book", "clause", "instead", "swaps"), WITHOUT)
def test_without_a_clause_the_game_is_that_of_the_plainer_file(
    book: Rulebook, clause: str, instead: str, swaps: list[tuple[str, str]]
) -> None:
    plain = parse(changed(book.id, *swaps))
    [gain] = next(each.gains for each in cost(book, clause).without if each.instead == instead)
    assert gain.value == maths.solve(plain).value - maths.solve(book).value != 0
    assert gain.wager == "Ante"
    assert gain.per_hour_cents == round(gain.value * 10_00 * HANDS_PER_HOUR)


def test_k_1_without_the_payout_cap_the_price_is_that_of_small_antes() -> None:
    """A cap is worth what it takes at the table's own ante, and nothing where it never binds."""
    [exchange] = cost(DIAMOND_JO, "K.1", At(25_00)).without
    [gain] = exchange.gains
    assert gain.value == maths.solve(DIAMOND_JO).value - maths.solve(DIAMOND_JO, 25_00).value
    assert (gain.stake_cents, exchange.instead) == (25_00, "No such payout cap")
    assert not cost(DIAMOND_JO, "K.1", At(5_00)).without


def test_k_1_a_cap_is_not_passed_over_where_no_ante_is_said() -> None:
    """It costs nothing at no ante in particular, which is not the same as nothing."""
    [exchange] = cost(DIAMOND_JO, "K.1").without
    assert (exchange.gains, exchange.why) == ((), "bites only at a stake: give --ante")
    assert "give --ante" in run("rules", "cost", DIAMOND_JO.id, "K.1").out


def test_rows_that_are_exchanged_with_their_table_are_named() -> None:
    found = clause_cost(SENECA, "odds", [load("common/caribbean-stud-royal")])
    assert found is not None
    [exchange] = found.wordings[0].exchanges
    assert exchange.instead == "Bet: Royal flush 200 to 1"


def test_a_bonus_that_is_not_paid_loses_nothing() -> None:
    """What it stands beside is settled for itself."""
    told = {instead for _, instead, _ in plainer(load("common/three-card-poker"))}
    assert "Straight paid no Ante Bonus" in told
    assert "Pair paid like Nothing: lose" in told, "a wager of its own"


def test_a_decision_is_worth_what_playing_on_whatever_comes_would_cost() -> None:
    """Of Caribbean Stud what raising blind costs is published; of Let It Ride it is the pay table's
    own mean, for each bet that always rides."""
    [fold] = [each for each in cost(SENECA, "play").without if "folds" in each.instead]
    blind = Fraction(-3_310_360_338_060, 19_933_230_517_200)
    assert (fold.instead, fold.gains[0].value) == (
        "Bet: nobody folds",
        blind - maths.solve(SENECA).value,
    )
    three = load("common/three-card-poker")
    [fold] = cost(three, "3").without
    never = maths.evaluate(three, named(three, "never-fold")).value
    assert fold.gains[0].value == never - maths.solve(three).value
    rides = [each.gains[0].value for each in cost(LET_IT_RIDE, "3").without]
    alone = side_by_all_hands(LET_IT_RIDE)
    assert sum(rides) == 3 * alone - maths.solve(LET_IT_RIDE).value
    named_so = {each.instead for each in cost(DIAMOND_JO, "B.1.b").without}
    assert {"First Raise: once the Ante and no more", "Third Raise: nobody folds"} <= named_so


def side_by_all_hands(book: Rulebook) -> Fraction:
    """What the main table returns of one bet on every hand there is."""
    counted, whole = rows_counted(book, book.tables["main"])
    rows = book.tables["main"].rows
    return sum((Fraction(row.odds or 0) * counted[row.row] for row in rows), Fraction()) / whole


def test_a_clause_by_which_a_hand_loses_is_worth_what_a_push_would_be() -> None:
    losing = ("A.3", "Anything less", "ante"), ("I.5.f", "Queen high", "lo-ball")
    for clause, row, wager in losing:
        [push] = cost(DIAMOND_JO, clause).without
        assert push.instead.startswith(row)
        assert push.instead.endswith(" is a push")
        table = DIAMOND_JO.tables[DIAMOND_JO.spots[wager].table]
        plain = with_pays(DIAMOND_JO, {f"{table.name}.{table.rows[-1].row}": Odds(0)})
        gain = expected_value(plain, wager) - expected_value(DIAMOND_JO, wager)
        assert push.gains[0].value == gain > 0


QUICK = [book for book in map(load, ids()) if not maths.takes_long(book)]


@pytest.mark.parametrize("book", QUICK, ids=lambda book: book.id)
def test_every_clause_of_a_decision_or_a_qualifier_has_its_price(book: Rulebook) -> None:
    steps = [each for each in book.script if isinstance(each, DecideStep)]
    for entry in filter(None, (*steps, book.qualifier)):
        for clause in codes(entry.clause):
            assert cost(book, clause).without, clause


def test_a_qualifying_hand_is_worth_what_it_costs_the_player() -> None:
    gains = {e.instead: e.gains[0].value for e in cost(SENECA, "play").without}
    every = gains["Every hand of the dealer's qualifies"]
    assert every > Fraction(1, 2), "a dealer who always plays pays every better hand"


def test_a_wager_that_a_clause_sets_out_has_its_price() -> None:
    [wager] = cost(DIAMOND_JO, "I.5").wagers
    assert (wager.wager, wager.value) == ("Lo Ball", Fraction(-226440, 2598960))
    assert wager.value == expected_value(DIAMOND_JO, "lo-ball")
    assert wager.stake_cents == DIAMOND_JO.spots["lo-ball"].least == 1_00
    [token] = cost(SENECA, "progressive").wagers
    assert token.stake_cents == 1_00


def test_others_words_cost_what_rules_diff_says() -> None:
    found = {each.rulebook: each for each in cost(DIAMOND_JO, "I.2.h").wordings}
    [exchange] = found[HOLLYWOOD.id].exchanges
    prices = Pricing(DIAMOND_JO, HOLLYWOOD, At()).prices(diff(DIAMOND_JO, HOLLYWOOD))
    theirs = prices["table.main.rows.two-pair.odds"].changes["ante"]
    assert (exchange.instead, exchange.gains[0].value) == (
        "Ante and Raises, Two pair: 3 to 2",
        theirs,
    )
    assert "ante-and-raise-wagers" in found[HOLLYWOOD.id].cites
    assert MISSISSIPPI.id not in found, "it pays the same"
    assert SENECA.id not in found, "another game"


def test_every_clause_of_a_card_is_answered_and_most_move_no_price() -> None:
    every = {clause: cost(HOLLYWOOD, clause) for clause in rule_card(HOLLYWOOD).places()}
    assert all(each.says for each in every.values())
    idle = {clause for clause, each in every.items() if each.moves_no_price}
    assert 0 < len(idle) < len(every)
    assert clause_cost(HOLLYWOOD, "Z.9") is None


def test_a_row_that_no_table_can_do_without_is_not_dropped() -> None:
    """Where what is left is no rulebook, nothing is said of it."""
    book = load("common/three-card-poker")
    for clause in rule_card(book).places():
        assert all(each.gains or each.why for each in cost(book, clause).without)


def test_the_command_says_the_same_in_words_and_for_programs() -> None:
    told = json.loads(run("rules", "cost", DIAMOND_JO.id, "I.2.e", "--ante", "25", "--json").out)
    [exchange] = cost(DIAMOND_JO, "I.2.e", At(25_00)).without
    value = exchange.gains[0].value
    assert told["without"][0]["gains"] == [
        {
            "wager": "Ante",
            "value": f"{value.numerator}/{value.denominator}",
            "stake_cents": 25_00,
            "per_hour_cents": exchange.gains[0].per_hour_cents,
        }
    ]
    words = run("rules", "cost", DIAMOND_JO.id, "I.2.e", "--ante", "25").out
    assert f"= {float(value):+.4%} of the Ante for the player" in words
    assert (
        "nothing that could stand in its place has another price"
        in run("rules", "cost", DIAMOND_JO.id, "C.1.a").out
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((DIAMOND_JO.id, "Z.9"), "cites no clause 'Z.9'; it cites A.1"),
        ((DIAMOND_JO.id, "K.1", "--ante", "0"), "--ante: an ante is more than nothing"),
        ((DIAMOND_JO.id, "K.1", "--minimum", "0"), "--minimum: a posted minimum is more"),
        ((DIAMOND_JO.id, "K.1", "--meter", "9"), "has no progressive"),
        (("no/such", "K.1"), "no/such"),
    ],
)
def test_what_is_asked_wrongly_gets_a_sentence(arguments: tuple[str, ...], said: str) -> None:
    assert said in complaint("rules", "cost", *arguments)
