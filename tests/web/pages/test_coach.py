"""The coach: every value beside a second way to it, and what decisions cost."""

import datetime
import random
import time
from collections.abc import Callable
from fractions import Fraction

import pytest
from msgspec.structs import replace

from pitboss import maths
from pitboss.cards import Card, cards, shuffled
from pitboss.house.replay import Replay, SeatReceipt
from pitboss.house.table.events import ClockSet, RoundPaid, SeatPaid
from pitboss.maths import Seen, Solution, board_advise, board_games
from pitboss.round import Option, Round, State, actions, visible
from pitboss.round.events import Checked, Folded, RaisePlaced, WagerTakenBack
from pitboss.rulebook import Rulebook
from pitboss.settle import of_round, settle
from pitboss.web.pages import coach
from pitboss.web.pages.coach import (
    Cost,
    Valuation,
    ValuedChoice,
    advice,
    decisions,
    mattered,
    warning,
)
from pitboss.web.pages.history import luck
from pitboss.web.pages.prices import solved
from pitboss.wording import TIMES
from tests.helpers import BOOKS, DIAMOND_JO, SENECA, ULTIMATE, opened, played, stacked, started
from tests.lab.test_board_reasons import as_if_counted
from tests.small_books import TAKE_BACK

EVERY = pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
CHOICES = {"fold": 0, "check": -1, "take-back": -2}


def past(game: Round, seat: int | None) -> Replay:
    """A round as a seat saw it, without a house around it."""
    told = [ClockSet(0), *(visible(event, seat) for event in game.events)]
    return Replay(
        round="t-1",
        book=game.book,
        practice=True,
        seat=seat,
        names={},
        events=tuple(told),
        state=game.view(seat),
        paid=RoundPaid(1, datetime.date(2026, 11, 15), ()),
        receipt=None,
        proof=None,
        commitment="",
        share=None,
    )


def costs(past: Replay) -> list[Cost]:
    return [each.cost for each in decisions(past) if each.cost is not None]


def made(past: Replay) -> list[str]:
    return [each.made.says for each in decisions(past) if each.made is not None]


def paid(game: Round, seat: int) -> Replay:
    """The same, with what the seat was paid."""
    lines = settle(game.book, of_round(game.state)).seats[seat - 1].lines
    told = SeatPaid(seat, "", lines, sum(line.returned_cents for line in lines))
    receipt = SeatReceipt(told, (), (), (), ())
    return replace(past(game, seat), receipt=receipt)


def told_apart(past: Replay) -> int:
    """How many decisions of a round are told apart, which is all or none."""
    found = luck(past)
    assert found is not None
    assert bool(found.why) == (found.parts.decisions == 0)
    return found.parts.decisions


def known(book: Rulebook, view: State, seat: int) -> Seen:
    """What a seat knows, worked out without the bots' code; for games without take-backs."""
    held = view.seats[seat]
    own = tuple(card for card in held.cards if card is not None)
    up = tuple(card for pile in view.piles.values() for card in pile if card is not None)
    return Seen(own, (), up[0]) if book.qualifier else Seen(own, up, None, held.raises)


def advised(game: Round, seat: int) -> Valuation:
    found = advice(game.book, game.view(seat), seat, game.state.minimum_cents)
    assert found is not None
    return found


def action(seat: int, option: Option | ValuedChoice) -> actions.Action:
    if option.action == "raise":
        return actions.Raise(seat, option.times)
    if option.action == "check":
        return actions.Check(seat)
    return actions.TakeBack(seat) if option.action == "take-back" else actions.Fold(seat, True)


def play(game: Round, deck: tuple[Card, ...], decide: Callable[[int], actions.Action]) -> Round:
    while game.due():
        for seat in game.due():
            game.do(decide(seat))
        game.deal(deck)
    return game


def dealt(book: Rulebook, seed: int, antes: tuple[int, ...]) -> tuple[Round, tuple[Card, ...]]:
    deck = shuffled(random.Random(f"{book.id}/{seed}"))
    main = [name for name, spot in book.opening.items() if spot.kind == "main"]
    bets = {seat: dict.fromkeys(main, cents) for seat, cents in enumerate(antes, start=1)}
    return started(book, bets, deck), deck


def test_the_values_are_those_of_the_other_way_to_them():
    """Card by card, as ``pitboss advise`` counts them."""
    for book in BOOKS:
        for seed in range(6):
            game, deck = dealt(book, seed, (5_00, 20_00))
            while game.due():
                for seat in game.due():
                    found = advised(game, seat)
                    worths = maths.worths(book, known(book, game.view(seat), seat))
                    told = {CHOICES.get(c.action, c.times): c.antes for c in found.choices}
                    assert told == worths
                    game.do(actions.Raise(seat, book.streets[0].times[0]))
                game.deal(deck)


def test_the_values_are_those_of_the_other_way_where_wagers_are_taken_back():
    chance = random.Random(3)
    for seed in range(8):
        game, deck = dealt(TAKE_BACK, seed, (5_00,))
        decided: tuple[int, ...] = ()
        while game.due():
            view = game.view(1)
            seen = known(TAKE_BACK, view, 1)
            worths = maths.worths(TAKE_BACK, replace(seen, raises=decided))
            found = advised(game, 1).choices
            assert {CHOICES.get(c.action, c.times): c.antes for c in found} == worths
            option = chance.choice(game.legal(1))
            decided = (*decided, CHOICES.get(option.action, option.times))
            game.do(action(1, option))
            game.deal(deck)
        assert len(decided) == 3


def test_a_decision_is_weighed_against_all_that_could_have_been_done_instead():
    """The other way to each value, at the moment of the decision."""
    chance = random.Random(7)
    for book in BOOKS:
        for seed in range(4):
            game, deck = dealt(book, seed, (20_00,))
            expected = []
            while game.due():
                worths = maths.worths(book, known(book, game.view(1), 1))
                option = chance.choice(game.legal(1))
                expected.append((worths, CHOICES.get(option.action, option.times)))
                game.do(action(1, option))
                game.deal(deck)
            whole = past(game, 1)
            found = decisions(whole)
            for each, (worths, done) in zip(found, expected, strict=True):
                event = whole.events[each.number - 1]
                assert type(event) in (RaisePlaced, Folded, Checked, WagerTakenBack)
                choices = {CHOICES.get(c.action, c.times): c for c in each.choices}
                best = max(worths.values())
                assert {choice: c.antes for choice, c in choices.items()} == worths
                assert [choice for choice, c in choices.items() if c == each.made] == [done]
                for choice, c in choices.items():
                    assert c.less_cents == round((best - worths[choice]) * 20_00)
                    assert c.less == ("best" if c.best else book.signed(-c.less_cents))
                assert each.cost is not None
                lost = best - worths[done]
                grade = "best" if not lost else "slip" if 2 * lost < 1 else "mistake"
                assert each.cost.grade == grade


def check_choices(game: Round, seat: int) -> None:
    found, options = advised(game, seat), game.legal(seat)
    assert [(each.action, each.times) for each in found.choices] == [
        (each.action, each.times) for each in options
    ]
    ante = game.state.seats[seat].stakes[game.book.ante.name]
    assert found.ante_cents == ante
    worths = [each.antes for each in found.choices]
    for each in found.choices:
        assert abs(each.cents - each.antes * ante) <= Fraction(1, 2)
        assert each.text.startswith("+" if each.cents > 0 else "-" if each.cents else "0.00")
        assert each.best == (each.antes == max(worths))
        assert 0 <= each.bar <= 100
        assert not each.best or each.bar == 100
        assert each.antes != min(worths) or each.bar in (0, 100)
        folds = each.action == "fold"
        lost = sum(
            cents
            for name, cents in game.state.seats[seat].stakes.items()
            if game.book.spots[name].kind == "main"
        )
        assert not folds or each.cents == -lost
    order = sorted(found.choices, key=lambda each: each.antes)
    assert [each.bar for each in order] == sorted(each.bar for each in order)


@pytest.mark.parametrize("book", [*BOOKS, TAKE_BACK], ids=lambda book: book.id)
def test_every_legal_choice_is_there_with_its_money_and_its_bar(book):
    chance = random.Random(book.id)
    for seed in range(30):
        game, deck = dealt(book, seed, (5_00, 7_51, 100_00))

        def decide(seat: int, game: Round = game) -> actions.Action:
            check_choices(game, seat)
            return action(seat, chance.choice(game.legal(seat)))

        play(game, deck, decide)


@pytest.mark.parametrize("book", [*BOOKS, TAKE_BACK], ids=lambda book: book.id)
def test_the_best_choices_cost_nothing(book):
    for seed in range(30):
        game, deck = dealt(book, seed, (5_00, 7_51, 100_00))

        def decide(seat: int, game: Round = game) -> actions.Action:
            best = [each for each in advised(game, seat).choices if each.best]
            return action(seat, best[-1])

        play(game, deck, decide)
        for seat, held in game.state.seats.items():
            found = costs(past(game, seat))
            assert len(found) == len(held.raises)
            assert all(each.antes == each.cents == 0 for each in found)
            assert [each.best for each in found] == made(past(game, seat))


@EVERY
def test_a_cost_is_what_the_best_choice_was_worth_more(book):
    chance = random.Random(book.id)
    wrong = 0
    for seed in range(4):
        game, deck = dealt(book, seed, (5_00, 20_00))
        lost: dict[int, list[Fraction]] = {1: [], 2: []}

        def decide(
            seat: int, game: Round = game, lost: dict[int, list[Fraction]] = lost
        ) -> actions.Action:
            option = chance.choice(game.legal(seat))
            worths = maths.worths(book, known(book, game.view(seat), seat))
            chosen = CHOICES.get(option.action, option.times)
            lost[seat].append(max(worths.values()) - worths[chosen])
            return action(seat, option)

        play(game, deck, decide)
        for seat, several in lost.items():
            found, ante = costs(past(game, seat)), game.state.seats[seat].stakes["ante"]
            assert [each.antes for each in found] == several
            assert [each.cents for each in found] == [round(each * ante) for each in several]
            done = made(past(game, seat))
            for street, (each, chosen) in enumerate(zip(found, done, strict=True), start=1):
                assert (each.best == chosen) == (each.antes == 0)
                assert each.says.startswith(f"Decision {street}: {chosen} ")
                assert each.best in each.says
            wrong += sum(each > 0 for each in several)
    assert wrong


def test_the_costs_of_one_seat_are_not_those_of_another():
    deck = stacked("Ks Kd", "2c 7d", "9h 4s 3c")
    game = played(
        started(DIAMOND_JO, {1: {"ante": 5_00}, 2: {"ante": 5_00}}, deck), deck, {1: 0, 2: 0}
    )
    [kings], [nothing] = costs(past(game, 1)), costs(past(game, 2))
    assert kings.antes > 5
    lost = f"{kings.cents // 100}.{kings.cents % 100:02d}"
    assert kings.says == f"Decision 1: fold cost ${lost}: raise 3{TIMES} was the best choice."
    assert nothing.antes == 0
    assert nothing.says == "Decision 1: fold was the best choice."
    assert costs(past(game, None)) == []


def test_what_the_clock_chose_counts():
    deck = stacked("Ks Kd")
    game = started(DIAMOND_JO, {1: {"ante": 5_00}}, deck)
    game.do(actions.TimeOut(1))
    [found] = costs(past(game, 1))
    assert found.antes > 5
    assert found.says.startswith("Decision 1, out of time: fold ")
    game = started(TAKE_BACK, {1: dict.fromkeys(("ante", "first", "second"), 5_00)}, deck)
    while game.due():
        game.do(actions.TimeOut(1))
        game.deal(deck)
    assert made(past(game, 1)) == ["check", "take back", "check"]
    assert all("out of time" in each.says for each in costs(past(game, 1)))


def test_a_round_that_was_called_off_cost_nothing():
    deck = stacked("Ks Kd", "2c 7d")
    game = started(DIAMOND_JO, {1: {"ante": 5_00}, 2: {"ante": 5_00}}, deck)
    game.do(actions.Fold(1, True))
    assert costs(past(game, 1))
    cause = DIAMOND_JO.misdeal[-1].cause
    game.do(actions.CallMisdeal(cause, "shift-manager", "max"))
    assert costs(past(game, 1)) == []


def test_luck_is_what_each_card_changed_where_wagers_are_taken_back():
    """From the deal on, by the other way to each value; what comes back is neither won nor lost."""
    chance = random.Random(5)
    value = maths.solve(TAKE_BACK).statistics.value
    taken = 0
    for seed in range(12):
        game, deck = dealt(TAKE_BACK, seed, (5_00,))
        decided: tuple[int, ...] = ()
        lucky, lost, expected = Fraction(), Fraction(), value
        while game.due():
            seen = replace(known(TAKE_BACK, game.view(1), 1), raises=decided)
            worths = maths.worths(TAKE_BACK, seen)
            option = chance.choice(game.legal(1))
            choice = CHOICES.get(option.action, option.times)
            lucky += max(worths.values()) - expected
            lost += max(worths.values()) - worths[choice]
            expected, decided = worths[choice], (*decided, choice)
            game.do(action(1, option))
            game.deal(deck)
        whole = paid(game, 1)
        assert whole.receipt is not None
        lucky += Fraction(whole.receipt.paid.net_cents, 5_00) - expected
        found = luck(whole)
        assert found is not None
        assert (found.parts.luck, found.parts.mistakes) == (5_00 * lucky, -5_00 * lost)
        assert found.parts.decisions == 3
        taken += decided.count(-2)
    assert taken


def test_the_line_after_a_round_is_about_the_dearest_decision():
    deck = stacked("Ks Kd", "9h 4s 3c")
    game = started(DIAMOND_JO, {1: {"ante": 5_00}}, deck)
    played(game, deck, {1: 2}, {1: 1}, {1: 3})
    whole = past(game, 1)
    first, second, third = costs(whole)
    assert second.antes > first.antes > third.antes == 0
    lost = DIAMOND_JO.money(second.cents)
    assert mattered(whole) == (
        f"Decision 2: raise 1{TIMES} cost {lost}: raise 3{TIMES} was the best choice"
        f" (three cards, pair of kings; 3{TIMES} takes pair of sixes or higher)."
    )
    game = started(DIAMOND_JO, {1: {"ante": 5_00}}, deck)
    played(game, deck, {1: 3}, {1: 3}, {1: 3})
    assert mattered(past(game, 1)) == "You played it as well as it can be played."


def test_nothing_is_said_of_a_round_of_which_not_everything_is_known():
    deck = stacked("Ks Kd", "9h 4s 3c")
    game = started(DIAMOND_JO, {1: {"ante": 5_00}}, deck)
    played(game, deck, {1: 3}, {1: 3}, {1: 3})
    blind = replace(paid(game, 1), events=past(game, None).events)
    assert mattered(blind) == ""
    assert told_apart(blind) == 0
    assert luck(past(game, None)) is None
    strange = {"ante": 10_00, "first": 5_00, "second": 15_00}
    game = started(TAKE_BACK, {1: strange}, deck)
    while game.due():
        game.do(actions.Check(1))
        game.deal(deck)
    assert mattered(past(game, 1)) == ""
    assert told_apart(paid(game, 1)) == 0


def test_a_warning_says_what_is_better_and_what_the_choice_costs():
    game = started(DIAMOND_JO, {1: {"ante": 5_00}}, stacked("Ks Kd"))
    view = game.view(1)
    for found in advised(game, 1).choices:
        done = found.action, found.times
        said = warning(DIAMOND_JO, view, 1, 5_00, done, 1000_00)
        lost = DIAMOND_JO.money(found.less_cents)
        better = f"{found.says} costs {lost} on average: raise 3{TIMES} is better (two cards, pair)"
        assert said == (None if found.best else better)
    # What is out of reach is no better: raises cost 5, 10 and 15.
    assert warning(DIAMOND_JO, view, 1, 5_00, ("raise", 2), 14_99) is None
    short = warning(DIAMOND_JO, view, 1, 5_00, ("raise", 1), 14_99)
    assert short is not None
    assert short.endswith(f"raise 2{TIMES} is better")
    assert warning(DIAMOND_JO, view, 1, 5_00, ("fold", 0), 4_99) is None
    assert warning(DIAMOND_JO, view, 1, 5_00, ("raise", 3), 14_99) is None, "the table refuses it"
    assert warning(DIAMOND_JO, view, 2, 5_00, ("fold", 0), 1000_00) is None


def test_nobody_is_advised_who_has_nothing_to_decide():
    game = opened(DIAMOND_JO, {1: {"ante": 5_00}, 2: {"ante": 5_00}})
    assert advice(DIAMOND_JO, game.view(1), 1, 5_00) is None
    game.do(actions.CloseBets())
    game.deal(stacked("Ks Kd", "2c 7d"))
    game.do(actions.Raise(1, 3))
    assert advice(DIAMOND_JO, game.view(1), 1, 5_00) is None
    assert advice(DIAMOND_JO, game.view(3), 3, 5_00) is None
    assert advice(DIAMOND_JO, game.view(2), 2, 5_00) is not None


@pytest.mark.parametrize("book", [DIAMOND_JO, SENECA], ids=lambda book: book.id)
def test_where_the_cards_are_not_known_nothing_is_said(book):
    """A real hand that nobody has read, and somebody else's."""
    game, _ = dealt(book, 1, (5_00, 5_00))
    assert advice(book, game.view(1), 2, 5_00) is None
    assert advice(book, game.view(None), 1, 5_00) is None
    game.do(actions.Raise(1, book.streets[0].times[0]))
    blind = past(game, None)
    assert costs(replace(blind, seat=1)) == []


@pytest.mark.parametrize(
    "wagers",
    [
        {"ante": 10_00},
        {"ante": 10_00, "first": 10_00},
        {"ante": 10_00, "first": 5_00, "second": 15_00},
    ],
)
def test_wagers_that_the_solution_is_not_about_get_no_advice(wagers):
    deck = shuffled(random.Random(5))
    game = started(TAKE_BACK, {1: wagers}, deck)
    seen = 0
    while game.due():
        assert advice(TAKE_BACK, game.view(1), 1, 5_00) is None
        seen += 1
        game.do(actions.Check(1))
        game.deal(deck)
    assert seen
    assert costs(past(game, 1)) == []


def test_side_wagers_and_ceilings_have_no_part_in_it():
    deck = stacked("Ah Kh", "Qh Jh 2c")
    plain = started(DIAMOND_JO, {1: {"ante": 100_00}}, deck)
    sides = {"ante": 100_00, "board-bonus": 5_00, "pocket-bonus": 5_00}
    assert advised(plain, 1) == advised(started(DIAMOND_JO, {1: sides}, deck), 1)
    free = advised(started(replace(DIAMOND_JO, cap=()), {1: {"ante": 100_00}}, deck), 1)
    assert advised(plain, 1) == free
    capped = maths.worths(DIAMOND_JO, Seen(cards("Ah Kh")), (), 100_00, 5_00)
    assert [each.antes for each in free.choices] != list(capped.values())


def test_a_game_that_is_not_solved_has_no_coach():
    script = tuple(
        replace(step, otherwise=("fold", "check")) if step in SENECA.streets else step
        for step in SENECA.script
    )
    book = replace(SENECA, script=script)
    game, _ = dealt(book, 1, (5_00,))
    assert game.due() == [1]
    assert advice(book, game.view(1), 1, 5_00) is None
    game.do(actions.Check(1))
    assert costs(past(game, 1)) == []


@EVERY
def test_advice_is_quick_once_the_game_is_solved(book):
    game, _ = dealt(book, 1, (5_00,))
    solved(book)
    view = game.view(1)
    advice(book, view, 1, 5_00)
    begun = time.perf_counter()
    for _ in range(20):
        advice(book, view, 1, 5_00)
    assert (time.perf_counter() - begun) / 20 < 0.05


def test_on_a_shared_board_the_reason_is_the_kind_of_hand_and_it_is_counted_out_once(monkeypatch):
    counts = (2, "high card", {0: 83, 1: 17})
    monkeypatch.setattr(board_games, "solve", lambda *_: as_if_counted(ULTIMATE, counts))
    solution = Solution(ULTIMATE, None, 5_00, "stay")
    monkeypatch.setattr(coach, "solved", lambda _: solution)
    monkeypatch.setattr(coach, "_chart", lambda _: None)
    # The board alone plays, and most hands of the dealer beat it.
    deck = stacked("3c", "Kh", "2d", "9s", "4d 7h Kd Ad 6s")
    game = started(ULTIMATE, {1: {"ante": 5_00, "blind": 5_00}}, deck)
    for _ in range(2):
        game.do(actions.Check(1))
        game.deal(deck)
    found = advised(game, 1)
    assert found.best().says == "fold"
    assert found.why == "high card, of which 83% are played so"
    worth = maths.worths(ULTIMATE, Seen(cards("3c 2d"), cards("4d 7h Kd Ad 6s"), None, (-1, -1)))
    assert [each.antes for each in found.choices] == [worth[1], worth[0]]
    monkeypatch.setattr(board_advise, "worths", lambda *_: pytest.fail("it was asked before"))
    assert advised(game, 1) == found
