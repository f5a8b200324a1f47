"""Published numbers that the software must reproduce, and mistakes that others made."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from math import comb, prod

import pytest

from pitboss.cards import DECK, RANKS, Card, card, cards, shuffled, text
from pitboss.hands import ranking
from pitboss.money import Odds, divide
from pitboss.money import text as dollars
from pitboss.round import Round, actions, codec, events, visible
from pitboss.rulebook import Rulebook
from pitboss.settle import of_round, sentences, settle
from pitboss.settle.caps import apply_cap
from pitboss.settle.lines import Draft, Reason
from tests.helpers import (
    BOOKS,
    DIAMOND_JO,
    HOLLYWOOD,
    MISSISSIPPI,
    SENECA,
    hand,
    line,
    settled,
    stacked,
    started,
)

# Side wagers: exact counts -----------------------------------------------------------------------


def counted(
    book: Rulebook, table: str, hands: Iterator[tuple[tuple[Card, ...], int]]
) -> Counter[str]:
    """How many hands each row of a pay table pays."""
    pays = book.tables[table]
    found: Counter[str] = Counter()
    for held, how_many in hands:
        found[pays.row_for(pays.order.strength(held)).row] += how_many
    return found


def value(book: Rulebook, table: str, counts: Counter[str]) -> Fraction:
    """What one unit wins on average."""
    odds = {row.row: row.odds or Fraction(0) for row in book.tables[table].rows}
    won = sum(odds[row] * how_many for row, how_many in counts.items())
    return Fraction(won) / counts.total()


def one_by_one(size: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    return ((held, 1) for held in combinations(DECK, size))


def suit_blind(size: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Every hand of five or six cards: examples, and how many hands are worth the same.

    Hands with five or more cards of a suit are all dealt in clubs, for each of the four suits. Of
    all others only the ranks matter: one example for each multiset of ranks, weighed by the number
    of ways to suit it that do not make five of a suit.
    """
    suited: Counter[tuple[int, ...]] = Counter()
    clubs, others = DECK[0::4], [each for each in DECK if each.suit != "c"]
    for of_suit in (5, 6)[: size - 4]:
        for flush in combinations(clubs, of_suit):
            for rest in combinations(others, size - of_suit):
                yield flush + rest, 4
                suited[tuple(sorted(each.rank for each in flush + rest))] += 4
    for ranks in combinations_with_replacement(range(2, 15), size):
        copies = Counter(ranks)
        if max(copies.values()) <= 4:
            ways = prod(comb(4, count) for count in copies.values())
            yield rainbow(ranks), ways - suited[ranks]


def rainbow(ranks: tuple[int, ...]) -> tuple[Card, ...]:
    """Sorted ranks in the four suits in turn: equal ranks differ, and no suit comes five times."""
    return tuple(card(RANKS[rank - 2] + "cdhs"[turn % 4]) for turn, rank in enumerate(ranks))


CAJUN = pytest.mark.parametrize("book", [DIAMOND_JO, HOLLYWOOD], ids=["diamond jo", "hollywood"])


@pytest.mark.parametrize(
    ("book", "table"),
    [
        (DIAMOND_JO, "board-bonus"),
        (HOLLYWOOD, "board-bonus"),
        (MISSISSIPPI, "three-card-bonus"),
    ],
    ids=["diamond jo", "hollywood", "mississippi"],
)
def test_board_bonus_over_all_22_100_boards(book, table):
    counts = counted(book, table, one_by_one(3))
    assert counts == {
        "mini-royal": 4,
        "straight-flush": 44,
        "three-of-a-kind": 52,
        "straight": 720,
        "flush": 1_096,
        "pair": 3_744,
        "nothing": 16_440,
    }
    assert counts.total() == 22_100
    assert value(book, table, counts) == Fraction(-1_568, 22_100)


@pytest.mark.parametrize(
    ("book", "lost"), [(DIAMOND_JO, 90), (HOLLYWOOD, 132)], ids=["diamond jo", "hollywood"]
)
def test_pocket_bonus_over_all_1_326_pockets(book, lost):
    counts = counted(book, "pocket-bonus", one_by_one(2))
    assert counts == {
        "aces": 6,
        "ace-face-suited": 12,
        "ace-face-unsuited": 36,
        "pair": 72,
        "nothing": 1_326 - 126,
    }
    assert value(book, "pocket-bonus", counts) == Fraction(-lost, 1_326)


@CAJUN
def test_lo_ball_over_all_2_598_960_hands(book):
    counts = counted(book, "lo-ball", suit_blind(5))
    assert counts == {
        "seven-high": 4_080,
        "eight-high": 14_280,
        "nine-high": 34_680,
        "ten-high": 70_380,
        "jack-high": 127_500,
        "queen-high-or-higher": 2_598_960 - 250_920,
    }
    assert value(book, "lo-ball", counts) == Fraction(-226_440, 2_598_960)


def test_all_six_over_all_20_358_520_hands():
    counts = counted(HOLLYWOOD, "all-six", suit_blind(6))
    assert counts == {
        "royal-flush": 188,
        "straight-flush": 1_656,
        "four-of-a-kind": 14_664,
        "full-house": 165_984,
        "flush": 205_792,
        "straight": 361_620,
        "three-of-a-kind": 732_160,
        "nothing": 20_358_520 - 1_482_064,
    }
    assert value(HOLLYWOOD, "all-six", counts) == Fraction(-3_110_576, 20_358_520)


# Settlement cases from the documents --------------------------------------------------------------


def test_diamond_jos_worked_example_shares_25_000_between_three_and_pays_the_fourth_in_full():
    wins = [(20_000_00, 500), (10_000_00, 100), (500_00, 100), (2_000_00, 40)]
    seats = []
    for won, odds in wins:
        draft = Draft("ante", won // odds, "win", [Reason("row-win", "I.2")], Odds(odds))
        draft.wins(won)
        seats.append([draft])
    assert apply_cap(DIAMOND_JO, 0, 5_00, seats)
    paid = [draft.won_cents for [draft] in seats]
    assert paid == [16_393_44, 8_196_72, 409_84, 2_000_00]
    assert sum(paid[:3]) == 25_000_00


def test_the_same_example_in_whole_dollars():
    claims = [20_000_00, 10_000_00, 500_00]
    assert divide(25_000_00, claims, unit=1_00) == [16_393_00, 8_197_00, 410_00]


# Mistakes that players of other implementations reported ------------------------------------------


def test_a_dealer_who_does_not_qualify_pays_the_ante_and_does_not_push_it():
    result = settled(SENECA, hand(SENECA, "9h 7d 5c 4s 2h", (2,)), dealer="Kd Qs 8c 6h 3d")
    assert [(each.spot, each.outcome, each.won_cents) for each in result.seats[0].lines] == [
        ("ante", "win", 10_00),
        ("bet", "push", 0),
    ]


@pytest.mark.parametrize(
    ("book", "raises", "held", "piles"),
    [
        (DIAMOND_JO, (1, 2, 3), "8h 8d", {"board": "2s 9c 3h"}),
        (HOLLYWOOD, (1, 2, 3), "8h 8d", {"board": "2s 9c 3h"}),
        (MISSISSIPPI, (1, 2, 3), "8h 8d", {"board": "2s 9c 3h"}),
        (SENECA, (2,), "8h 8d 9c 3h 2s", {"dealer": "8c 8s 9d 3d 2c"}),
    ],
    ids=["diamond jo", "hollywood", "mississippi", "seneca"],
)
def test_a_push_returns_every_main_wager_and_is_not_a_win(book, raises, held, piles):
    seat = settled(book, hand(book, held, raises), **piles).seats[0]
    assert len(seat.lines) == 1 + len(raises)
    assert {each.outcome for each in seat.lines} == {"push"}
    assert (seat.won_cents, seat.returned_cents) == (0, 10_00 * (1 + sum(raises)))


def test_the_jackpot_is_paid_though_the_dealer_does_not_qualify():
    seat = hand(SENECA, "Qh 8h 6h 4h 3h", (2,), side={"progressive": 1_00})
    result = settled(SENECA, seat, dealer="Kd Qs 8c 6c 3d", meter=10_000_00)
    assert line(result, "progressive").won_cents == 50_00


@pytest.mark.parametrize("street", [1, 2, 3])
@CAJUN
def test_a_side_wager_is_paid_though_the_hand_was_folded(book, street):
    raises = (1,) * (street - 1) + (0,)
    seat = hand(book, "As Ks", raises, side={"board-bonus": 2_00, "pocket-bonus": 2_00})
    result = settled(book, seat, board="9h 9d 4c")
    assert line(result, "board-bonus").returned_cents == 4_00
    assert line(result, "pocket-bonus").returned_cents == 42_00
    assert line(result, "ante").returned_cents == 0


def finished(book: Rulebook, seed: int) -> Round:
    """A round at a full table with every wager down, decided at random."""
    chance = random.Random(seed)
    bets = {
        seat: {
            spot.name: spot.fixed or chance.choice([5_00, 7_51, 25_00])
            for spot in book.spot
            if spot.name in book.opening
        }
        for seat in range(1, book.seats.most + 1)
    }
    deck = shuffled(chance)
    game = started(book, bets, deck)
    while game.due():
        for seat in game.due():
            if chance.random() < 0.2:
                game.do(actions.Fold(seat, confirmed=True))
            else:
                game.do(actions.Raise(seat, book.streets[0].times[-1]))
        game.deal(deck)
    return game


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
def test_the_win_shown_is_the_win_credited(book):
    for seed in range(25):
        game = finished(book, seed)
        for seat in settle(book, of_round(game.state)).seats:
            stakes = game.state.seats[seat.seat].stakes
            assert {each.spot: each.stake_cents for each in seat.lines} == stakes
            assert seat.won_cents == sum(each.won_cents for each in seat.lines)
            for each in seat.lines:
                token = book.spots[each.spot].kind == "progressive"
                kept = each.outcome == "lose" or (token and each.outcome == "win")
                assert each.returned_cents == each.won_cents + (0 if kept else each.stake_cents)
                assert (each.outcome == "win") == (each.won_cents > 0)
            assert seat.paid_cents + seat.withheld_cents + seat.held_cents == seat.returned_cents


def test_the_sentence_says_what_is_credited():
    seat = hand(HOLLYWOOD, "Ah Kh", (3, 3, 3), ante=30_00)
    capped = line(settled(HOLLYWOOD, seat, board="Qh Jh Th"), "ante")
    [said] = [each for each in sentences(HOLLYWOOD, capped) if "payout cap" in each]
    assert capped.won_cents == 5_000_00
    assert dollars(capped.won_cents) in [f"{each}.00" for each in re.findall(r"\$([\d,]+)", said)]


@pytest.mark.parametrize(
    ("order", "held", "straight"),
    [
        ("three-card", "Kh Qd Jc", True),
        ("three-card", "Ah 2d 3c", True),
        ("three-card", "Qh Kd Ac", True),
        ("three-card", "Kh Ad 2c", False),
        ("five-card", "Th Jd Qc Ks Ah", True),
        ("five-card", "Ah 2d 3c 4s 5h", True),
        ("five-card", "Qh Kd Ac 2s 3h", False),
        ("five-card", "Jh Qd Kc As 2h", False),
    ],
)
def test_which_runs_are_straights(order, held, straight):
    assert (ranking(order).best(cards(held)).category == "straight") == straight


def left_the_deck(game: Round) -> tuple[Card, ...]:
    """The cards in the order in which they left the deck."""
    dealt = [each.cards for each in game.events if isinstance(each, events.CardsDealt)]
    return tuple(each for several in dealt for each in several if each is not None)


def seen_by(game: Round, seat: int | None, deck: tuple[Card, ...]) -> set[Card]:
    """The cards that a seat may see, worked out from what lies face up and from its own hand."""
    state = game.state
    may = {
        each
        for place, pile in state.piles.items()
        for each, up in zip(pile, state.up[place], strict=True)
        if up and each is not None
    }
    for number, player in state.seats.items():
        if number == seat or player.shown:
            may.update(each for each in player.cards if each is not None)
    assert may <= set(deck[: state.dealt])
    return may


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
def test_nothing_sent_to_a_seat_holds_a_card_that_it_may_not_see(book):
    whole = finished(book, seed=11)
    deck = left_the_deck(whole)
    game = Round(book)
    for event in whole.events:
        game = Round(book, [*game.events, event])
        for seat in (None, *range(1, book.seats.most + 1)):
            may = seen_by(game, seat, deck)
            sent = b" ".join(codec.encode(visible(each, seat)) for each in game.events).decode()
            assert {each for each in DECK if f'"{each}"' in sent} == may
            view = game.view(seat)
            hands = [each.cards for each in view.seats.values()]
            held = {each for pile in (*view.piles.values(), *hands) for each in pile} - {None}
            assert held == may
            assert view.out == sum(1 << each for each in may)


def test_a_view_writes_hidden_cards_as_hidden():
    game = started(SENECA, {1: {"ante": 5_00}}, stacked("Kh Kd 9s 5c 2d", "Ad Ks 7h 4c 2s"))
    assert text(game.view(None).seats[1].cards) == "?? ?? ?? ?? ??"
