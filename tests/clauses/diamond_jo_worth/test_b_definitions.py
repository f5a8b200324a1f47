"""B: what the house's words mean."""

import pytest

from pitboss.cards import DECK
from pitboss.round import actions
from tests.helpers import DIAMOND_JO, hand, opened, played, refused, settled, stacked, started


def test_b_1_a__the_ante_is_required_before_any_card():
    assert DIAMOND_JO.ante.name == "ante"
    game = opened(DIAMOND_JO, {1: {}}, maximum=100_00)
    assert refused(game, actions.CloseBets()).code == "bet/nobody"
    game.do(actions.Bet(1, {"ante": 5_00}))
    game.do(actions.CloseBets())
    late = refused(game, actions.Bet(1, {"ante": 10_00}))
    assert late.code == "bet/closed"
    assert "B.1.a" in late.clause


def test_b_1_b__a_raise_is_one_two_or_three_antes():
    game = started(DIAMOND_JO, {1: {"ante": 7_00}}, stacked("As Kd"), maximum=100_00)
    offered = [each.cents for each in game.legal(1) if each.action == "raise"]
    assert offered == [7_00, 14_00, 21_00]
    for times in (-1, 0, 4):
        assert refused(game, actions.Raise(1, times)).code == "raise/not-a-multiple"


def test_b_1_b__raises_are_made_up_to_three_separate_times():
    deck = stacked("As Kd", "2c 7d Ts")
    game = started(DIAMOND_JO, {1: {"ante": 5_00}}, deck, maximum=100_00)
    for street in (1, 2, 3):
        game.do(actions.Raise(1, 1))
        again = refused(game, actions.Raise(1, 1))
        assert again.code == "decide/not-now", f"a second raise on street {street}"
        game.deal(deck)
    assert refused(game, actions.Raise(1, 1)).code == "decide/not-now"
    assert sorted(game.state.seats[1].stakes) == ["ante", "raise-1", "raise-2", "raise-3"]


def test_b_1_b__no_raise_is_placed_before_the_deal():
    game = opened(DIAMOND_JO, {1: {}}, maximum=100_00)
    early = refused(game, actions.Bet(1, {"ante": 5_00, "raise-1": 5_00}))
    assert early.code == "bet/not-before-the-deal"
    assert early.clause == "B.1.b"


def test_b_1_d__new_cards_are_washed_before_their_first_shuffle():
    assert DIAMOND_JO.deck.wash is True
    assert "B.1.d" in DIAMOND_JO.deck.clauses["wash"].split()


@pytest.mark.parametrize("players", [1, 2, 6])
def test_b_1_e__the_stub_is_what_no_one_was_dealt(players):
    game = started(
        DIAMOND_JO,
        {seat: {"ante": 5_00} for seat in range(1, players + 1)},
        DECK,
        maximum=100_00,
    )
    everyone = dict.fromkeys(range(1, players + 1), 1)
    played(game, DECK, everyone, everyone, everyone)
    stub = len(DECK) - game.state.dealt
    assert stub == 52 - (2 * players + 3)
    [reminder] = [each for each in DIAMOND_JO.procedure if "B.1.e" in each.clause.split()]
    assert reminder.when == "board-complete"


@pytest.mark.parametrize("rank", "23456789TJQKA")
def test_b_1_f__a_push_is_a_pair_of_sixes_sevens_eights_nines_or_tens(rank):
    kickers = [each for each in ("3c", "8s", "Qc", "Ks") if each[0] != rank][:3]
    done = settled(
        DIAMOND_JO, hand(DIAMOND_JO, f"{rank}h {rank}d", (2, 2, 2)), board=" ".join(kickers)
    )
    pushes = all(each.outcome == "push" for each in done.seats[0].lines)
    assert pushes is (rank in "6789T")
    if pushes:
        assert done.seats[0].won_cents == 0
        assert done.seats[0].returned_cents == 70_00  # 10 + 20 + 20 + 20 go back
