"""Luck and skill: the parts add up to every result, and each is what it says it is."""

import random
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest

from pitboss.cards import DECK, Card, cards, shuffled
from pitboss.hands import ranking
from pitboss.house.bots import decide
from pitboss.house.decisions import situation
from pitboss.house.luck import (
    DEAD,
    FOUND_LATE,
    UNKNOWN,
    UNSOLVED,
    RoundLuck,
    SeatRound,
    card_by_card,
    luck_and_skill,
)
from pitboss.house.table.payoffs import seat_paid
from pitboss.maths import Seen, Solution, evaluate, jackpot, side_wager, solve, worths
from pitboss.maths.luck import KINDS, Parts, total
from pitboss.maths.strategies import named
from pitboss.round import Round, actions, visible
from pitboss.rulebook import Rulebook, ids, load
from pitboss.settle import of_round, settle
from tests.audit.test_resettle import random_round
from tests.helpers import (
    CASINO_HOLDEM,
    CRAZY_4,
    DIAMOND_JO,
    HOLLYWOOD,
    LET_IT_RIDE,
    MISSISSIPPI,
    SENECA,
    THREE_CARD,
    ULTIMATE,
    played,
    stacked,
    started,
)
from tests.small_books import TAKE_BACK

ENVY = load("common/caribbean-stud-envy")
FAST = (DIAMOND_JO, HOLLYWOOD, MISSISSIPPI, LET_IT_RIDE, SENECA, ENVY, THREE_CARD, CRAZY_4)
"""Every kind of book that is solved in seconds."""
ROUNDS = 120


@cache
def solution(name: str) -> Solution:
    return solve(next(book for book in (*FAST, TAKE_BACK, CASINO_HOLDEM) if book.id == name))


def told(game: Round, seat: int) -> SeatRound:
    """A round as a seat saw it and was paid."""
    paid = {each.seat: each for each in settle(game.book, of_round(game.state)).seats}
    events = tuple(visible(event, seat) for event in game.events)
    return SeatRound(game.book, seat, events, seat_paid(game.book, paid[seat]).lines)


def net(told: SeatRound) -> int:
    """What a seat won or lost, before tax; the dealers' wager is theirs."""
    return sum(line.returned_cents - line.stake_cents for line in told.lines if not line.dealers)


def apart(game: Round, seat: int = 1, *, solved: bool = True) -> RoundLuck:
    """Take a seat's result apart, and see that nothing is lost on the way."""
    seen = told(game, seat)
    found = luck_and_skill(seen, solution(game.book.id) if solved else None)
    parts = found.parts
    assert parts.net_cents == sum(parts.cents.values()) == net(seen)
    assert parts.mistakes <= 0
    assert all(abs(parts.cents[name] - getattr(parts, name)) < 1 for name in KINDS)
    sides = sum(each.luck for _, each in found.wagers)
    assert sum(each.cents for each in found.dealt) + sides == parts.luck
    lost = sum(each.mistakes for _, each in found.wagers)
    assert sum(each.cents for each in found.costs) + lost == parts.mistakes
    return found


# They add up --------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", FAST, ids=lambda book: book.id)
def test_the_parts_add_up_whatever_happens(book: Rulebook) -> None:
    """Odd stakes, folds, time-outs, ceilings that are shared, tokens, tokes, late wagers, dead
    hands, misdeals, awards to others: in every one of them to the fraction of a cent."""
    chance, met = random.Random(book.id), set[str]()
    for _ in range(ROUNDS):
        game, _ = random_round(book, chance)
        for seat, held in game.state.seats.items():
            if held.stakes:
                found = apart(game, seat)
                met |= {name for name in KINDS if getattr(found.parts, name)} | {found.why}
                met |= {"moments"} if found.dealt and found.costs else set()
    assert met >= {"edge", "mistakes", "luck", "moments"}
    assert "ceilings" in met or book not in (DIAMOND_JO, SENECA)
    assert (DEAD in met) == any(each.money == "forfeit" for each in book.dead)


def test_what_is_not_solved_is_said_and_still_adds_up() -> None:
    chance = random.Random(1)
    for _ in range(40):
        game, _ = random_round(ULTIMATE, chance)
        for seat, held in game.state.seats.items():
            if held.stakes:
                found = apart(game, seat, solved=False)
                late = {"ante", "blind", "play"} & {*held.late}
                assert found.why == ("" if game.state.misdeal else FOUND_LATE if late else UNSOLVED)
                assert not found.costs


def test_a_shared_board_is_told_apart_once_it_is_worked_out() -> None:
    """A fold costs what the second computation says that a raise was worth beyond it."""
    chance, ante = random.Random(5), 5_00
    for action in (actions.Fold(1), actions.Raise(1, 2)):
        deck = shuffled(chance)
        game = started(CASINO_HOLDEM, {1: {"ante": ante}}, deck)
        known = situation(CASINO_HOLDEM, game.view(1), 1, ante)
        assert known is not None
        choices = worths(CASINO_HOLDEM, known)
        game.do(action)
        game.deal(deck)
        parts = apart(game).parts
        chosen = choices[2 if isinstance(action, actions.Raise) else 0]
        assert parts.edge == ante * solution(CASINO_HOLDEM.id).value
        assert parts.mistakes == ante * (chosen - max(choices.values()))
        assert (parts.decisions, len(known.board)) == (1, 3)


# They are what they say ---------------------------------------------------------------------------


def rounds_of(book: Rulebook, choose: Callable[[Seen], int], many: int, seed: str) -> list[Parts]:
    """Let a strategy play, one ante a round and nothing beside it."""
    chance, found = random.Random(seed), []
    bet = book.with_equal({book.ante.name: 5_00})
    for _ in range(many):
        deck = shuffled(chance)
        game = started(book, {1: bet}, deck)
        while game.due():
            game.do(decide(book, game.view(1), 1, choose))
            game.deal(deck)
        found.append(apart(game).parts)
    return found


@pytest.mark.parametrize("book", [MISSISSIPPI, SENECA, THREE_CARD, LET_IT_RIDE], ids=lambda b: b.id)
def test_the_best_play_makes_no_mistakes_and_pays_the_edge_alone(book: Rulebook) -> None:
    solved = solution(book.id)
    for each in rounds_of(book, solved.choice, 40, "best"):
        assert each.mistakes == 0
        assert each.best == each.decisions
        assert each.edge == 5_00 * solved.value


@pytest.mark.parametrize("name", ["never-fold", "mimic"])
def test_a_strategy_of_known_price_makes_mistakes_of_that_price(name: str) -> None:
    """What it costs beside the best play is counted exactly elsewhere; here it comes of its rounds,
    within four standard errors."""
    book = THREE_CARD
    strategy, many = named(book, name), 800
    price = evaluate(book, strategy).value - solution(book.id).value
    made = [each.mistakes / 5_00 for each in rounds_of(book, strategy, many, name)]
    mean = sum(made, Fraction()) / many
    variance = sum(((each - mean) ** 2 for each in made), Fraction()) / many
    assert price < 0
    assert (mean - price) ** 2 * many < 16 * variance


def test_luck_is_nothing_on_average_over_every_card_that_can_come() -> None:
    """From each street on: the mean over all cards of what they change is exactly nothing, and the
    worths on the way are those of the other way to them."""
    book, first = DIAMOND_JO, cards("Ks 9d 4h 4s")
    lucky = []
    for last in DECK:
        if last in first:
            continue
        deck = (*first, last, *(card for card in DECK if card not in (*first, last)))
        game = started(book, {1: {"ante": 5_00}}, deck)
        played(game, deck, {1: 1}, {1: 2}, {1: 1})
        found = apart(game)
        assert len(found.costs) == 3
        again = worths(book, Seen(first[:2]))
        assert found.costs[0].cents == 5_00 * (again[1] - max(again.values()))
        lucky.append(found.parts.luck - sum(each.cents for each in found.dealt[:-1]))
    assert len(lucky) == 48
    assert sum(lucky) == 0
    assert any(lucky)


def test_the_luck_of_a_side_wager_is_nothing_over_all_hands() -> None:
    """Of the three cards on the board, by rank pattern and suits: every board once."""
    book, bonus = DIAMOND_JO, "board-bonus"
    table = book.tables[book.spots[bonus].table]
    by_row: dict[str, tuple[tuple[Card, ...], int]] = {}
    for board in combinations(DECK, 3):
        row = table.row_for(ranking(table.ranking).best(board).strength).row
        by_row[row] = (board, by_row.get(row, ((), 0))[1] + 1)
    lucky = Fraction()
    for turned, ways in by_row.values():
        pocket = [card for card in DECK if card not in turned][:2]
        deck = (*pocket, *turned, *(c for c in DECK if c not in (*pocket, *turned)))
        game = started(book, {1: {"ante": 5_00, bonus: 5_00}}, deck)
        game.do(actions.Fold(1, confirmed=True))
        game.deal(deck)
        [(title, side)] = apart(game).wagers
        assert title == book.spots[bonus].title
        assert not side.mistakes
        lucky += ways * side.luck
    assert lucky == 0


# One by one ---------------------------------------------------------------------------------------


def test_each_decision_has_its_cost_and_each_card_its_luck() -> None:
    deck = stacked("Ks Kd", "9h 4s 3c")
    game = started(DIAMOND_JO, {1: {"ante": 5_00}}, deck)
    played(game, deck, {1: 2}, {1: 1}, {1: 3})
    found = apart(game)
    values, seen = [], cards("Ks Kd 9h 4s 3c")
    for number, raises in ((2, ()), (3, (2,)), (4, (2, 1))):
        values.append(worths(DIAMOND_JO, Seen(seen[:2], seen[2:number], None, raises)))
    best, made = [max(each.values()) for each in values], [values[0][2], values[1][1], values[2][3]]
    assert [each.cents for each in found.costs] == [
        5_00 * (mine - most) for mine, most in zip(made, best, strict=True)
    ]
    before = [solution(DIAMOND_JO.id).value, *made]
    after = [*best, Fraction(7)]  # a pair of kings pays even money on seven antes
    lucky = [5_00 * (now - then) for then, now in zip(before, after, strict=True)]
    assert [each.cents for each in found.dealt] == [each for each in lucky if each]
    numbers = [each.number for each in (*found.dealt, *found.costs)]
    assert len({*numbers}) == len(numbers), "every step has one of them"


@pytest.mark.parametrize("book", [DIAMOND_JO, LET_IT_RIDE], ids=lambda book: book.id)
def test_the_first_cards_are_told_one_by_one(book: Rulebook) -> None:
    """They add up to what they changed together; and over all cards that can come first, or second
    after a first one, each is nothing on average."""
    bet = book.with_equal({book.ante.name: 5_00})

    def by_card(*first: Card) -> tuple[tuple[Card, Fraction], ...]:
        deck = (*first, *(card for card in DECK if card not in first))
        game = started(book, {1: bet}, deck)
        while game.due():
            option = game.legal(1)[-1].action
            leave = actions.Fold(1, confirmed=True) if option == "fold" else actions.TakeBack(1)
            game.do(leave if option != "check" else actions.Check(1))
            game.deal(deck)
        seen, found = told(game, 1), apart(game)
        again = card_by_card(seen, solution(book.id), found)
        assert sum(part for _, part in again.cards) == found.dealt[0].cents
        assert [card for card, _ in again.cards] == list(first)
        return again.cards

    size = book.seat_cards
    ranks = [DECK[4 * rank : 4 * rank + size - 1] for rank in (0, 5, 12)]
    firsts = {each: by_card(*each, DECK[20 if each[0] != DECK[20] else 23]) for each in ranks}
    assert len({cards[0][1] for cards in firsts.values()}) == 3
    held = ranks[2]
    last = [by_card(*held, card)[-1][1] for card in DECK if card not in held]
    assert sum(last) == 0
    if size == 2:
        suited = [by_card(card, DECK[1])[0][1] for card in DECK[::4]]
        assert sum(suited) == 0, "thirteen ranks, each as likely as any other"


def test_a_round_against_a_dealer_is_told_by_what_came_together() -> None:
    deck = stacked("2h 4h 6h 8h Th", "Ac Kd 3s 5c 9d")
    game = started(SENECA, {1: {"ante": 5_00}}, deck)
    game.do(actions.Raise(1, 2))
    game.deal(deck)
    found = apart(game)
    assert card_by_card(told(game, 1), solution(SENECA.id), found) == found


def test_folding_a_hand_that_wins_an_award_costs_the_award() -> None:
    """The token is lost with a fold: what the seat saw it hold is a mistake, and not bad luck."""
    deck = stacked("2h 4h 6h 8h Th", "Ac Kd 3s 5c 9d")
    rows = SENECA.tables[SENECA.spots["progressive"].table].rows
    award = next(row.award for row in rows if row.row == "flush")
    assert award is not None
    bets = {1: {"ante": 5_00, "progressive": 1_00}}
    meter = 100_000_00
    game = started(SENECA, bets, deck, meter=meter)
    game.do(actions.Fold(1, confirmed=True))
    game.deal(deck)
    token = dict(apart(game).wagers)[SENECA.spots["progressive"].title]
    assert token.mistakes == -award
    priced = jackpot(SENECA)
    assert priced is not None
    assert game.state.meter_cents is not None
    assert token.edge == priced.at(game.state.meter_cents) * 1_00 - 1_00
    assert token.luck == award - 1_00 - token.edge
    kept = started(SENECA, bets, deck, meter=meter)
    kept.do(actions.Raise(1, 2))
    kept.deal(deck)
    assert dict(apart(kept).wagers)[SENECA.spots["progressive"].title].mistakes == 0


def test_awards_to_others_are_priced_by_how_many_have_the_wager() -> None:
    """A straight flush at one seat pays the other, who is not lucky by as much as that costs."""
    spot = ENVY.spots["five-card-bonus"]
    bets = {seat: {"ante": 5_00, spot.name: 5_00} for seat in (1, 2)}
    held = {1: "2h 3h 4h 5h 6h", 2: "Ac Kd 9s 7c 4d", 0: "Ad Qc Ts 8c 3d"}
    deck = stacked(*held.values())
    game = started(ENVY, bets, deck)
    for seat in game.due():
        game.do(actions.Fold(seat, confirmed=True))
    game.deal(deck)
    line = next(each for each in told(game, 2).lines if each.spot == spot.name)
    assert line.won_cents
    side = side_wager(ENVY, spot)
    assert side.others
    [(_, mine)] = apart(game, 2).wagers
    assert mine.edge == 5_00 * (side.value + side.others)
    assert mine.luck == line.won_cents - 5_00 - mine.edge > 0


def test_what_a_shared_ceiling_takes_has_a_part_of_its_own() -> None:
    """Two hands win more than the table pays: luck is what the pay table says."""
    deck = stacked("As Ad Kc Kd", "Ah Ac Ks")
    most = int(DIAMOND_JO.limits.maximum.highest or 0)
    bets = {1: {"ante": most}, 2: {"ante": most}}
    flushes = stacked("As Ks 9s 8s", "Ts Js Qs")
    for cut, dealt in ((False, deck), (True, flushes)):
        game = started(DIAMOND_JO, bets, dealt)
        played(game, dealt, {1: 3, 2: 3}, {1: 3, 2: 3}, {1: 3, 2: 3})
        for seat in (1, 2):
            found, lines = apart(game, seat).parts, told(game, seat).lines
            assert (found.ceilings < 0) == cut
            assert any(r.code == "cap-shared" for line in lines for r in line.reasons) == cut
            nominal = sum(line.nominal_cents for line in lines)
            assert found.edge + found.luck + found.mistakes == nominal


def test_a_wager_alone_has_neither_decisions_nor_the_games_edge() -> None:
    deck = stacked("As Ad 7c", "2c 3d 9h")
    game = started(THREE_CARD, {1: {"pair-plus": 5_00}}, deck)
    found = apart(game)
    assert (found.parts.decisions, found.dealt, found.costs) == (0, (), ())
    [(_, side)] = found.wagers
    assert side.edge == found.parts.edge < 0


def test_a_bonus_beside_a_wager_is_the_games_own() -> None:
    """Three of a kind pays the ante's bonus: it is in the game's value, and so in its luck."""
    deck = stacked("As Ad Ac", "2c 3d 9h")
    game = started(THREE_CARD, {1: {"ante": 5_00}}, deck)
    game.do(actions.Raise(1, 1))
    game.deal(deck)
    found = apart(game)
    assert found.wagers == ()
    assert found.parts.mistakes == 0
    assert found.parts.edge == 5_00 * solution(THREE_CARD.id).value


def test_a_late_wager_of_the_game_is_not_told_apart() -> None:
    deck = stacked("Ks Kd", "9h 4s 3c")
    game = started(HOLLYWOOD, {1: {"ante": 10_00}}, deck, maximum=15_00)
    game.do(actions.AcceptLate(1, "ante", 20_00, "shift-manager", "sam"))
    played(game, deck, {1: 1}, {1: 1}, {1: 1})
    assert apart(game).why == FOUND_LATE


def test_a_toke_that_is_found_late_is_no_part_of_a_result() -> None:
    deck = stacked("Ks Kd", "9h 4s 3c")
    game = started(DIAMOND_JO, {1: {"ante": 10_00}}, deck, tokes={1: 1_00}, maximum=25_00)
    game.do(actions.AcceptLate(1, "toke", 30_00, "shift-manager", "sam"))
    played(game, deck, {1: 1}, {1: 1}, {1: 1})
    assert apart(game).why == ""


def test_wagers_that_no_solution_is_about_are_not_told_apart() -> None:
    deck = stacked("Ks Kd", "9h 4s 3c")
    for wagers in ({"ante": 5_00}, {"ante": 10_00, "first": 5_00, "second": 15_00}):
        game = started(TAKE_BACK, {1: wagers}, deck)
        while game.due():
            game.do(actions.Check(1))
            game.deal(deck)
        found = apart(game)
        assert found.why == UNKNOWN
        assert found.parts.apart == net(told(game, 1))


def test_sums_are_exact_and_their_cents_add_up() -> None:
    third = Fraction(1, 3)
    rounds = [Parts(1, 3, 2, -third, -third, 2 * third + 5), Parts(1, 1, 1, luck=Fraction(-10))]
    found = total(rounds * 4)
    assert (found.rounds, found.decisions, found.best) == (8, 16, 12)
    assert found.net_cents == -20
    assert found.cents["mistakes"] == -1 or found.cents["edge"] == -1
    assert sum(found.cents.values()) == -20
    assert (-found).net_cents == 20
    assert (-found).rounds == 8
    assert total(()) == Parts()


def test_of_few_decisions_no_percentage_is_told() -> None:
    for made, best, says in (
        (1, 0, "0 of 1 best"),
        (9, 9, "9 of 9 best"),
        (10, 9, "90%"),
        (10, 10, "100%"),
        (1_000, 999, "99%"),
    ):
        assert Parts(1, made, best).accuracy == says


def test_every_shipped_book_has_prices_for_all_wagers_beside_its_game() -> None:
    """So that nothing of them is left untold where the game itself is not solved yet."""
    chance = random.Random(2)
    for name in ids():
        book = load(name)
        for _ in range(6):
            game, _ = random_round(book, chance)
            for seat, held in game.state.seats.items():
                if held.stakes and not held.dead and not held.late:
                    found = apart(game, seat, solved=False)
                    assert not any(each.apart for _, each in found.wagers), name
