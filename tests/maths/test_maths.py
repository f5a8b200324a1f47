"""The exact maths against published integers, and against ways of its own that share no code."""

import random
from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest
from msgspec.structs import replace

from pitboss import maths
from pitboss.cards import DECK, Card, card, cards, shuffled
from pitboss.errors import Unreadable, Unsolved
from pitboss.hands import ranking
from pitboss.lab import protect
from pitboss.maths import dealer_games, dealers_hands, pay_table_games, strategies
from pitboss.maths.evaluation import hands
from pitboss.maths.hand_states import KEYS, strength
from pitboss.money import Cents, odds
from pitboss.rulebook.money_rules import Range
from pitboss.rulebook.variants import with_pays
from pitboss.settle import Play, SeatPlay, settle
from tests.command import complaint, run
from tests.helpers import DIAMOND_JO, HOLLYWOOD, MISSISSIPPI, SENECA

FIVE = ranking("five-card")


# Published integers ----------------------------------------------------------------------------


def test_cajun_stud_by_the_common_table():
    solution = maths.solve(DIAMOND_JO)
    assert solution.deals == 155_937_600
    assert solution.value == Fraction(-53223, 1082900)
    assert solution.value * solution.deals == -7_664_112
    assert sum(outcome.deals for outcome in solution.outcomes) == solution.deals
    figures = solution.statistics
    assert figures.value == solution.value
    assert round(float(figures.average_wager), 6) == 3.589772
    assert round(float(figures.element_of_risk), 6) == 0.013691
    assert round(figures.standard_deviation, 6) == 9.836641


def test_folding_on_ties_changes_everything_but_the_edge():
    solution = maths.solve(DIAMOND_JO, ties="fold")
    assert solution.value == Fraction(-53223, 1082900)
    figures = solution.statistics
    assert round(float(figures.average_wager), 6) == 3.483568
    assert round(float(figures.element_of_risk), 6) == 0.014109
    assert round(figures.standard_deviation, 6) == 9.807850


def test_mississippi_stud_is_the_same_game():
    assert maths.solve(MISSISSIPPI).value == Fraction(-53223, 1082900)


def test_hollywoods_table():
    assert maths.solve(HOLLYWOOD).value == Fraction(-2911, 19110)


@pytest.mark.parametrize(("ante", "edge"), [(25_00, 0.053740881), (5_00, 0.049148583)])
def test_the_cap_costs_a_larger_ante_more(ante, edge):
    assert round(float(-maths.solve(DIAMOND_JO, ante_cents=ante).value), 9) == edge


def test_a_double_raise_is_never_the_only_best_without_a_cap():
    free = pay_table_games.solve(DIAMOND_JO, None, 5_00, "stay")
    assert all(2 not in chosen for chosen in free.best)
    capped = pay_table_games.solve(DIAMOND_JO, 30_00, 5_00, "stay")
    assert any(2 in chosen for chosen in capped.best)


RETURNS = {
    ("royal-flush", 201): 16_759_740,
    ("straight-flush", 101): 156_929_720,
    ("four-of-a-kind", 41): 2_832_435_800,
    ("full-house", 15): 16_624_475_280,
    ("flush", 11): 21_856_990_280,
    ("straight", 9): 43_805_516_100,
    ("three-of-a-kind", 7): 234_242_908_320,
    ("two-pair", 5): 488_012_139_360,
    ("dealer-does-not-qualify", 1): 4_532_514_033_720,
    ("tie", 0): 321_623_100,
    ("fold-1", -1): 9_523_005_974_460,
    ("dealer-wins", -3): 2_726_592_727_512,
}


def test_caribbean_stud():
    solution = maths.solve(SENECA)
    assert solution.deals == 19_933_230_517_200
    assert solution.value * solution.deals == -1_041_372_912_372
    found = {(o.event, o.net_units): o.deals for o in solution.outcomes}
    pairs_or_less = found.pop(("one-pair", 3)) + found.pop(("ace-king", 3))
    assert pairs_or_less == 2_343_248_003_808
    assert found == RETURNS
    figures = solution.statistics
    assert round(float(figures.element_of_risk), 6) == 0.025553
    assert round(float(figures.average_wager), 6) == 2.044510
    assert round(figures.standard_deviation, 6) == 2.242950
    assert round(float(solution.folds[0]), 6) == 0.477745


def test_caribbean_by_three_rules_of_thumb():
    found = maths.evaluate(SENECA, strategies.NAMED["three-rules"])
    assert found.value * found.deals == -1_041_417_758_724


@pytest.mark.parametrize(("weakest", "lost"), [(1, 3_310_360_338_060), (1278, 1_090_272_101_460)])
def test_caribbean_raising_blind_or_on_any_pair(weakest, lost):
    rule, _ = dealer_games.shape(SENECA)
    pay = dealer_games.payoffs(SENECA, None, 1)
    every = dealers_hands.cases(rule.weakest)
    raised = dealer_games.worth(every, pay, 2)
    folded = dealer_games.worth(every, pay, 0)
    worth = np.where(every.strength >= weakest, raised, folded)
    assert FIVE.classes[1277].category == "pair"
    assert FIVE.classes[1276].category == "high-card"
    assert int(worth @ every.ways) == -lost


@pytest.mark.parametrize(
    ("book", "spot", "value"),
    [
        (DIAMOND_JO, "board-bonus", Fraction(-1568, 22100)),
        (DIAMOND_JO, "pocket-bonus", Fraction(-90, 1326)),
        (HOLLYWOOD, "pocket-bonus", Fraction(-132, 1326)),
        (HOLLYWOOD, "lo-ball", Fraction(-226440, 2598960)),
        (HOLLYWOOD, "all-six", Fraction(-3110576, 20358520)),
    ],
)
def test_side_wagers(book, spot, value):
    assert maths.side_wager(book, book.spots[spot]).value == value


def test_the_progressive():
    found = maths.jackpot(SENECA)
    assert found is not None
    assert round(float(found.fixed_return), 6) == 0.362376
    assert found.break_even_cents == 218_047_37
    assert maths.jackpot(DIAMOND_JO) is None


# Ways that share no code -----------------------------------------------------------------------


def held_and_seen(chance: random.Random, street: int) -> maths.Seen:
    dealt = chance.sample(DECK, 2 + street)
    raises = tuple(chance.choice((1, 2, 3)) for _ in range(street))
    return maths.Seen(tuple(dealt[:2]), tuple(dealt[2:]), None, raises)


@pytest.mark.parametrize("ante", [None, 100_00])
@pytest.mark.parametrize("book", [DIAMOND_JO, HOLLYWOOD], ids=lambda book: book.id)
def test_states_of_the_ladder_agree_with_card_by_card_enumeration(book, ante):
    chance = random.Random(5)
    solution = maths.solve(book, ante, 5_00)
    for street in (0, 0, 1, 1, 1, 2, 2, 2, 2, 2):
        seen = held_and_seen(chance, street)
        assert solution.worth(seen) == maths.worths(book, seen, (), ante, 5_00)


def test_the_last_street_by_hand():
    """With four cards seen the rest is one card: 48 settlements by the real settlement."""
    chance = random.Random(6)
    for _ in range(10):
        seen = held_and_seen(chance, 2)
        known = (*seen.cards, *seen.board)
        found = maths.worths(DIAMOND_JO, seen)
        for times in (1, 2, 3):
            raises = (*seen.raises, times)
            stakes = {"ante": 1_00, **{f"raise-{n}": m * 1_00 for n, m in enumerate(raises, 1)}}
            net = 0
            for last in DECK:
                if last not in known:
                    seat = SeatPlay(1, seen.cards, stakes)
                    board = {"board": (*seen.board, last)}
                    done = settle(DIAMOND_JO, Play((seat,), 5_00, board)).seats[0]
                    net += done.returned_cents - done.staked_cents
            assert found[times] == Fraction(net, 48 * 1_00)
        assert found[0] == -(1 + sum(seen.raises))


def test_cases_of_the_showdown_agree_with_every_dealer_hand():
    chance, weakest = random.Random(7), FIVE.strength(cards("As Kd 4c 3h 2s"))
    for _ in range(6):
        dealt = shuffled(chance)
        seen = maths.Seen(dealt[:5], (), dealt[5])
        mine = FIVE.strength(seen.cards)
        row = SENECA.tables["bet"].row_for(mine)
        net = 0
        for four in combinations(dealt[6:], 4):
            theirs = FIVE.strength((*four, dealt[5]))
            if theirs < weakest:
                net += 1
            elif mine > theirs:
                assert row.odds is not None
                net += 1 + 2 * int(row.odds)
            elif mine < theirs:
                net -= 3
        assert maths.worths(SENECA, seen)[2] == Fraction(net, 163_185)


def test_other_cards_seen_are_out_of_the_deck():
    gone = cards("Kh Kc Qh Qs")
    seen = maths.Seen(cards("Ks Qd"), cards("7h 2c"), None, (1, 1))
    found = maths.worths(DIAMOND_JO, seen, gone)
    left = [each for each in DECK if each not in (*gone, *seen.cards, *seen.board)]
    worth = sum(_odds(DIAMOND_JO, (*seen.cards, *seen.board, last)) for last in left)
    assert found[1] == Fraction(4 * worth, len(left))


def _odds(book, five: tuple[Card, ...]) -> Fraction:
    return Fraction(book.tables["main"].row_for(FIVE.strength(five)).odds)


def test_the_best_strategy_evaluates_to_the_solution():
    solution = maths.solve(DIAMOND_JO)
    found = maths.evaluate(DIAMOND_JO, solution.choice)
    assert found.value == solution.value
    assert found.average_wager == solution.statistics.average_wager
    assert found.fold == solution.folds


def test_published_rules_of_thumb_cost_a_little():
    found = maths.evaluate(DIAMOND_JO, strategies.NAMED["points"])
    cost = maths.solve(DIAMOND_JO).value - found.value
    assert 0 < cost < Fraction(2, 10_000)
    costs = strategies.costs(DIAMOND_JO)
    assert costs["points"] == cost
    assert costs.keys() == {"blind", "points"}


def test_a_strategy_is_not_priced_for_another_game():
    with pytest.raises(Unreadable, match="against a dealer"):
        maths.evaluate(DIAMOND_JO, strategies.any_pair)
    with pytest.raises(Unreadable, match="a pay table settles"):
        maths.evaluate(SENECA, strategies.published_community)


def test_a_strategy_answers_what_is_offered():
    with pytest.raises(Unreadable, match="answers one of"):
        maths.evaluate(DIAMOND_JO, lambda _seen: 4)
    with pytest.raises(Unreadable, match="answers one of"):
        maths.evaluate(SENECA, lambda _seen: 1)


def test_many_hands_at_once():
    chance = random.Random(8)
    dealt = [chance.sample(DECK, 5) for _ in range(5_000)]
    assert strength(KEYS[dealt].sum(axis=1)).tolist() == [FIVE.strength(each) for each in dealt]


@pytest.mark.parametrize(("size", "total"), [(1, 52), (2, 1326), (3, 22_100), (4, 270_725)])
def test_hands_alike_but_for_suits_stand_for_all(size, total):
    found = list(hands(size))
    assert sum(ways for _, ways in found) == total
    alike = {min(_renamed(held, p) for p in permutations(range(4))) for held, _ in found}
    assert len(alike) == {1: 13, 2: 169, 3: 1755, 4: 16_432}[size]


def _renamed(held: tuple[Card, ...], suits: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(each & ~3 | suits[each & 3] for each in held))


# Rulebooks changed and refused -----------------------------------------------------------------


def test_other_odds():
    assert with_pays(DIAMOND_JO, {}) is DIAMOND_JO
    richer = with_pays(DIAMOND_JO, {"straight": odds("5:1"), "lo-ball.seven-high": odds("90:1")})
    assert maths.solve(richer).value > maths.solve(DIAMOND_JO).value
    assert richer.sha256 != DIAMOND_JO.sha256
    low = maths.side_wager(richer, richer.spots["lo-ball"])
    assert low.value == Fraction(-226440 - 10 * 4_080, 2_598_960)


@pytest.mark.parametrize(
    "seen",
    [
        maths.Seen(cards("Ks Qd 2c")),
        maths.Seen(cards("Ks Qd"), (), None, (1,)),
        maths.Seen(cards("Ks Qd"), cards("2c 3c 4c"), None, (1, 1, 1)),
        maths.Seen(cards("Ks Qd"), (card("Ks"),), None, (1,)),
        maths.Seen(cards("Ks Qd"), (card("2s"),), None, (9,)),
    ],
    ids=range(5),
)
def test_situations_that_cannot_be(seen):
    with pytest.raises(Unreadable):
        maths.solve(DIAMOND_JO).worth(seen)


def test_bad_settings():
    with pytest.raises(Unreadable, match="ties are broken by"):
        maths.solve(DIAMOND_JO, ties="toss")
    with pytest.raises(Unreadable, match="more than nothing"):
        maths.solve(DIAMOND_JO, ante_cents=0)
    with pytest.raises(Unreadable, match="more than nothing"):
        maths.solve(DIAMOND_JO, ante_cents=5_00, minimum_cents=0)


def test_a_cap_grows_with_the_lowest_minimum_wherever_none_is_given():
    limits, lowest = DIAMOND_JO.limits, Range(lowest=Cents(15_00), highest=Cents(15_00))
    book = replace(DIAMOND_JO, limits=replace(limits, minimum=lowest))
    pocket, ante = maths.Seen(cards("As Ks")), 100_00
    solution = maths.solve(book, ante)
    assert solution.value == maths.solve(DIAMOND_JO, ante, 15_00).value
    assert solution.value != maths.solve(DIAMOND_JO, ante).value
    assert maths.worths(book, pocket, (), ante) == solution.worth(pocket)
    early = protect.known(book, "100", ante)
    assert early == protect.known(DIAMOND_JO, "100", ante, 15_00)
    blind = strategies.blind
    found = maths.evaluate(book, blind, ante)
    assert found == maths.evaluate(DIAMOND_JO, blind, ante, 15_00)
    assert found != maths.evaluate(DIAMOND_JO, blind, ante)


FINE = {"flush": "999983:999979", "straight": "999961:999959", "full-house": "999953:999931"}
"""Odds whose common unit has no room in sixty-four bits."""


def test_odds_however_fine_are_exact_or_refused():
    pays = {row: odds(written) for row, written in FINE.items()}
    solution = maths.solve(with_pays(DIAMOND_JO, pays))
    nets = sum(each.deals * each.net_units for each in solution.outcomes)
    assert solution.value == Fraction(nets, solution.deals * solution.units)
    assert protect.known(solution.book, "100") > solution.value
    pocket = maths.Seen(cards("As Ks"), cards("Qs"), None, (1,))
    assert maths.worths(solution.book, pocket) == solution.worth(pocket)
    with pytest.raises(Unsolved, match="not counted exactly"):
        maths.solve(with_pays(SENECA, pays))


# Commands --------------------------------------------------------------------------------------


def test_par_as_json():
    done = run("par", "seneca-niagara/caribbean-stud", "--json").json
    assert set(done) == {
        *("rulebook", "sha256", "ties", "ante_cents", "main", "side", "progressive"),
    }
    assert done["ties"] == "stay"
    assert done["main"]["value"] == "-142031221/2718662100"
    assert done["main"]["deals"] == 19_933_230_517_200
    assert done["main"]["outcomes"][0] == {
        "event": "royal-flush",
        "stake": 3,
        "net": 201,
        "deals": 16_759_740,
    }
    assert done["progressive"]["break_even_cents"] == 218_047_37
    jo = run("par", "diamond-jo-worth/cajun-stud", "--ante", "25.00", "--json").json
    assert jo["side"]["lo-ball"]["value"] == "-111/1274"
    assert jo["side"]["lo-ball"]["rows"][0] == {
        "hand": "seven-high",
        "ways": 4080,
        "odds": "100 to 1",
    }
    assert round(jo["main"]["house_edge"], 9) == 0.053740881


def test_par_for_people():
    said = run("par", "diamond-jo-worth/cajun-stud", "--pay", "straight=5:1").out
    assert "House edge, of the ante" in said
    assert max(map(len, said.splitlines())) <= 80
    capped = run("par", "seneca-niagara/caribbean-stud", "--ante", "1000", "--ties", "fold").out
    assert "caps applied for one player alone" in capped
    assert "break-even at $218,047.37" in capped


REST = " ".join(str(each) for each in DECK[:50] if str(each) not in ("Ks", "Qd"))
"""All cards but two, besides Ks Qd."""


def test_advise():
    asked = ("--cards", "Ks Qd", "--board", "7h", "--raises", "1")
    done = run("advise", "diamond-jo-worth/cajun-stud", *asked, "--json").json
    assert done["best"] == "1x"
    assert done["choices"]["fold"]["value"] == "-2/1"
    said = run("advise", "diamond-jo-worth/cajun-stud", *asked, "--seen", "2c 2d").out
    assert "-994/1081" in said
    up = ("--cards", "As Kd Jc 5h 2s", "--upcard", "Kh")
    assert "best" in run("advise", "seneca-niagara/caribbean-stud", *up).out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("par", "diamond-jo-worth/cajun-stud", "--pay", "straight"), "is not ROW=ODDS"),
        (("par", "diamond-jo-worth/cajun-stud", "--pay", "straight=-5:1"), "is not odds"),
        (
            ("par", "diamond-jo-worth/cajun-stud", "--pay", "strait=5:1"),
            "no row 'strait'; the main",
        ),
        (("par", "diamond-jo-worth/cajun-stud", "--pay", "lo-ball.x=5:1"), "no row 'lo-ball.x'"),
        (("par", "diamond-jo-worth/cajun-stud", "--pay", "nothing=1:1"), "--pay: "),
        (
            ("par", "seneca-niagara/caribbean-stud", "--pay", "progressive.flush=60:1"),
            "pays awards, not odds",
        ),
        (("par", "diamond-jo-worth/cajun-stud", "--ante", "0"), "more than nothing"),
        (("par", "diamond-jo-worth/cajun-stud", "--ties", "toss"), "'toss' is not one of"),
        (
            ("advise", "diamond-jo-worth/cajun-stud", "--cards", "Ks Ks"),
            "--cards: Ks appears twice",
        ),
        (("advise", "diamond-jo-worth/cajun-stud", "--cards", "Ks"), "sees 2 cards"),
        (
            ("advise", "diamond-jo-worth/cajun-stud", "--cards", "Ks Qd", "--seen", "Ks"),
            "Ks is there twice",
        ),
        (
            ("advise", "diamond-jo-worth/cajun-stud", "--cards", "Ks Qd", "--raises", "x"),
            "--raises: 'x' are not multiples",
        ),
        (
            ("advise", "seneca-niagara/caribbean-stud", "--cards", "Ks Qd"),
            "five cards and the upcard",
        ),
        (
            ("advise", "diamond-jo-worth/cajun-stud", "--cards", "Ks Qd", "--upcard", "7h"),
            "no dealer's card is up",
        ),
        (
            ("advise", "diamond-jo-worth/cajun-stud", "--cards", "Ks Qd", "--raises", "1"),
            "after one decision a player sees 3 cards, not 2",
        ),
        (
            ("advise", "diamond-jo-worth/cajun-stud", "--cards", "Ks Qd", "--raises", "1 check"),
            "after one decision nobody goes on with check",
        ),
        (
            ("advise", "common/four-card-poker", "--cards", "Ks Qd Jh 3c 2d"),
            "with five cards and one of the dealer's seen",
        ),
        (
            ("advise", "common/three-card-poker", "--cards", "Ks Qd Jh", "--raises", "1"),
            "three cards and none of the dealer's seen, and nothing is raised before it",
        ),
        (
            ("advise", "diamond-jo-worth/cajun-stud", "--cards", "Ks Qd", "--ante", "0"),
            "more than nothing",
        ),
        (
            ("advise", "diamond-jo-worth/cajun-stud", "--cards", "Ks Qd", "--seen", REST),
            "3 are still to come, and only 2 are left",
        ),
        (
            ("advise", "seneca-niagara/caribbean-stud", "--cards", "Ks", "--upcard", "2c 3c"),
            "--upcard: one card is up",
        ),
    ],
)
def test_bad_input_gets_one_clear_line(arguments, says):
    assert says in complaint(*arguments)
