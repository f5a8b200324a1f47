"""Pay-table games of every shape: larger boards, wagers taken back, spots asked for twice."""

import random
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, combinations
from math import comb, factorial, perm

import numpy as np
import pytest

from pitboss import maths, rulebook
from pitboss.cards import DECK, Card, cards, shuffled
from pitboss.errors import Unreadable, Unsolved
from pitboss.hands import ranking
from pitboss.lab import chart, protect, shared_hands
from pitboss.lab import simulate as sim
from pitboss.maths import decisions
from pitboss.maths.decisions import CHECK, FOLD, TAKE_BACK
from pitboss.maths.hand_states import KEYS, levels, on_to, strength, strengths
from pitboss.round import actions
from pitboss.rulebook import Rulebook
from pitboss.settle import settle
from pitboss.settle.finished_round import Play, SeatPlay
from tests.command import complaint, run
from tests.helpers import started
from tests.lab.chart_reader import read
from tests.small_books import TAKE_BACK as TAKE_OR_PLAY

FIVE = ranking("five-card")

# Books -----------------------------------------------------------------------------------------

STUD = {
    "royal-flush": "500 to 1",
    "straight-flush": "100 to 1",
    "four-of-a-kind": "40 to 1",
    "full-house": "5 to 1",
    "flush": "3 to 1",
    "straight": "2 to 1",
    "three-of-a-kind": "push",
}
RIDE = {
    "royal-flush": "1000 to 1",
    "straight-flush": "200 to 1",
    "four-of-a-kind": "50 to 1",
    "full-house": "11 to 1",
    "flush": "8 to 1",
    "straight": "5 to 1",
    "three-of-a-kind": "3 to 1",
    "two-pair": "2 to 1",
    "pair 10-A": "1 to 1",
}
EVERYTHING = dict.fromkeys(FIVE.categories[1:], "1 to 1")

Part = int | str
"""Of a script: how many board cards are turned, or a decision: its spot, choices, multiples."""


def book(own: int, script: Sequence[Part], pays: dict[str, str], last: str = "lose") -> Rulebook:
    return rulebook.parse(written(own, script, pays, last))


def written(own: int, script: Sequence[Part], pays: dict[str, str], last: str = "lose") -> str:
    """A book whose script turns board cards and decides, such as ``"play fold 1 2"``."""
    board = sum(part for part in script if isinstance(part, int))
    steps, spots = [], ["ante"]
    for part in script:
        if isinstance(part, int):
            steps.append(f'do = "turn"\nplace = "board"\ncards = {part}')
        else:
            spot, *said = part.split()
            offered = [int(each) for each in said if each.isdigit()]
            other = [each for each in said if not each.isdigit()]
            steps.append(
                f'do = "decide"\ninto = "{spot}"\ntimes = {offered}\notherwise = {other}\n'
                f'timeout = "{other[0]}"'
            )
            spots += [spot] if spot not in spots else []
    dealt = (("seats", own), ("board", board))
    steps = [*(f'do = "deal"\nto = ["{to}"]\ncards = {many}' for to, many in dealt), *steps]
    return (
        'format = 1\nid = "test/tables"\nhouse = "Test"\ngame = "Test"\ndocument = "none"\n'
        '[seats]\nmost = 6\nclause = "1"\n[deck]\nclause = "1"\n[limits]\nclause = "1"\n'
        + "".join(f'[[script]]\n{step}\nclause = "1"\n' for step in (*steps, 'do = "show"'))
        + "".join(
            f'[[spot]]\nname = "{spot}"\ntitle = "{spot}"\nkind = "main"\ntable = "main"\n'
            f'required = {str(spot == "ante").lower()}\nclause = "1"\n'
            for spot in spots
        )
        + '[[table]]\nname = "main"\ntitle = "Pays"\ncards = ["seats", "board"]\n'
        'ranking = "five-card"\nclause = "1"\nrows = ['
        + "".join(_row(hand, odds) for hand, odds in pays.items())
        + f'{{ row = "nothing", hand = "any", odds = "{last}", clause = "1" }}]\n'
        '[[misdeal]]\ncause = "other"\nsays = "anything"\nby = ["shift-manager"]\nclause = "1"\n'
        '[tax]\nclause = "1"\n'
    )


def _row(said: str, odds: str) -> str:
    hand, _, ranks = said.partition(" ")
    of = f', of = "{ranks}"' if ranks else ""
    return f'{{ row = "{hand}", hand = "{hand}", odds = "{odds}", clause = "1"{of} }},'


PARTS: dict[str, tuple[int, Sequence[Part], dict[str, str]]] = {
    "let-ride": (3, ["first check take-back", 1, "second check take-back", 1], RIDE),
    "seven": (2, ["one fold 1 2 3", 3, "two fold 1 2 3", 1, "three fold 1 2 3", 1], STUD),
    "six": (3, ["one fold 1 2", 1, "two check 1", 2], STUD),
    "once": (2, ["play check 3", 3, "play fold 1"], RIDE),
    "mixed": (
        2,
        ["play check 2", 1, "play check take-back", 1, "play check 1", "more fold 1", 1],
        RIDE,
    ),
}
ALL = {name: book(*parts) for name, parts in PARTS.items()} | {"take-or-play": TAKE_OR_PLAY}
LET_RIDE, SEVEN, ONCE = ALL["let-ride"], ALL["seven"], ALL["once"]


@cache
def solved(name: str, ante: int | None = None) -> maths.Solution:
    return maths.solve(ALL[name], ante)


# The ladder ------------------------------------------------------------------------------------

SEVEN_CARDS = {
    "royal-flush": 4_324,
    "straight-flush": 37_260,
    "four-of-a-kind": 224_848,
    "full-house": 3_473_184,
    "flush": 4_047_644,
    "straight": 6_180_020,
    "three-of-a-kind": 6_461_620,
    "two-pair": 31_433_400,
    "pair": 58_627_800,
    "high-card": 23_294_460,
}
SIX_CARDS = {
    "royal-flush": 188,
    "straight-flush": 1_656,
    "four-of-a-kind": 14_664,
    "full-house": 165_984,
    "flush": 205_792,
    "straight": 361_620,
    "three-of-a-kind": 732_160,
    "two-pair": 2_532_816,
    "pair": 9_730_740,
    "high-card": 6_612_900,
}


@pytest.mark.parametrize(("size", "published"), [(6, SIX_CARDS), (7, SEVEN_CARDS)])
def test_every_hand_of_six_and_seven_cards_is_counted(size, published):
    for level in levels(size)[:-1]:
        assert (level.ways.sum(axis=1) == 52 - level.seen).all()
    reached = on_to(levels(size), size, 0, np.ones((1, 1), np.int64))
    assert int(reached.sum()) == perm(52, size)
    by_strength = np.zeros(len(FIVE.classes) + 1, np.int64)
    np.add.at(by_strength, strengths(size), reached[:, 0])
    found = dict.fromkeys(published, 0)
    for hand in FIVE.classes:
        found[hand.category] += int(by_strength[hand.strength])
    assert {hand: many // factorial(size) for hand, many in found.items()} == published


def test_hands_of_five_have_the_states_they_always_had():
    assert [len(level.names) for level in levels()] == [1, 13, 169, 741, 2_535, 7_462]
    for level in levels():
        assert (np.diff(level.keys) > 0).all()
        assert (level.keys & 1 == level.suited).all()


@pytest.mark.parametrize("size", [5, 6, 7])
def test_cards_find_their_state_and_its_strength(size):
    chance = random.Random(size)
    for _ in range(300):
        dealt = chance.sample(DECK, size)
        state = levels(size)[size].state(dealt)
        assert strengths(size)[state] == FIVE.strength(dealt)
        for seen in range(size):
            level = levels(size)[seen]
            state, card = level.state(dealt[:seen]), dealt[seen]
            assert level.ranks(state) == tuple(sorted((c.rank for c in dealt[:seen]), reverse=True))
            wide = level.after.shape[1] // 13
            ways = slice(wide * (card >> 2), wide * (card >> 2) + wide)
            assert levels(size)[seen + 1].state(dealt[: seen + 1]) in level.after[state, ways]


# Published numbers and plain counting ------------------------------------------------------------


def test_three_wagers_of_which_two_may_be_taken_back():
    solution = solved("let-ride")
    assert solution.value == Fraction(-37963, 1082900)
    assert round(float(solution.value), 6) == -0.035057
    assert round(solution.statistics.standard_deviation, 2) == 5.17
    assert solution.deals == 22_100 * 49 * 48
    assert {outcome.stake for outcome in solution.outcomes} == {1, 2, 3}


def test_taking_back_by_plain_counting():
    """Each wager stands alone: one stays, one needs three cards worth it, one needs four."""
    table = LET_RIDE.tables["main"]
    paid = np.array([0, *(int(table.row_for(hand.strength).odds or 0) for hand in FIVE.classes)])
    every = np.fromiter(chain.from_iterable(combinations(range(52), 5)), np.int64)
    hands = every.reshape(-1, 5)
    odds = paid[strength(KEYS[hands].sum(axis=1))]
    worth = Fraction(int(odds.sum()), comb(52, 5))
    for seen in (3, 4):
        sums = np.zeros(1 << 24, np.int64)
        for which in combinations(range(5), seen):
            names = sum(hands[:, card] << 6 * at for at, card in enumerate(which))
            sums += np.bincount(names, odds, len(sums)).astype(np.int64)
        worth += Fraction(int(sums[sums > 0].sum()), comb(52, seen) * comb(52 - seen, 5 - seen))
    assert worth == solved("let-ride").value


def test_a_seven_card_game_in_which_nobody_folds():
    free = book(2, ["one fold 1 3", 3, "two check 2", 2], EVERYTHING, last="push")
    solution = maths.solve(free)
    winning = comb(52, 7) - SEVEN_CARDS["high-card"]
    assert solution.value == Fraction(6 * winning, comb(52, 7))
    times = solution.deals // comb(52, 7)
    found = {outcome.event: outcome for outcome in solution.outcomes}
    lost = found.pop("nothing")
    assert (lost.deals, lost.net_units) == (SEVEN_CARDS["high-card"] * times, 0)
    for hand, outcome in found.items():
        assert (outcome.stake, outcome.net_units) == (6, 6)
        assert outcome.deals == SEVEN_CARDS[hand] * times


def test_a_spot_that_is_asked_for_twice_by_plain_counting():
    """With two cards: three antes now, or one after the board, or a fold then."""
    table = ONCE.tables["main"]
    paid = [0, *(int(table.row_for(hand.strength).odds or 0) for hand in FIVE.classes)]
    for pocket in ("As Ad", "7c 2d", "Js Ts"):
        held = cards(pocket)
        left = [card for card in DECK if card not in held]
        odds = [paid[FIVE.strength((*held, *board))] for board in combinations(left, 3)]
        later = sum(max(2 * each, -1) for each in odds)
        assert solved("once").worth(maths.Seen(held)) == {
            3: Fraction(4 * sum(odds), comb(50, 3)),
            CHECK: Fraction(later, comb(50, 3)),
        }


# Ways that share no code -------------------------------------------------------------------------


def situations(name: str, chance: random.Random, many: int) -> list[maths.Seen]:
    """Random cards and choices up to a decision; those with five cards to come left out."""
    planned = decisions.plan(ALL[name], "stay")
    found: list[maths.Seen] = []
    while len(found) < many:
        dealt, raises = chance.sample(DECK, planned.size), list[int]()
        number, column = planned.ahead(0, 0)
        while number < len(planned.streets):
            street = planned.streets[number]
            if planned.size - street.seen < 5:
                held = ALL[name].seat_cards
                shown = tuple(dealt[held : street.seen])
                found.append(maths.Seen(tuple(dealt[:held]), shown, None, tuple(raises)))
            choice = chance.choice([each for each in street.choices if each != FOLD])
            raises.append(choice)
            to = street.after[column][street.choices.index(choice)]
            number, column = planned.ahead(number + 1, to)
    return found


@pytest.mark.parametrize("ante", [None, 25_00])
@pytest.mark.parametrize("name", ALL)
def test_states_of_the_ladder_agree_with_card_by_card_enumeration(name, ante):
    for seen in situations(name, random.Random(9), 12):
        assert solved(name, ante).worth(seen) == maths.worths(ALL[name], seen, (), ante)


def test_the_first_street_of_seven_cards_agrees_too():
    seen = maths.Seen(cards("Js Ts"))
    assert solved("seven").worth(seen) == maths.worths(SEVEN, seen)


def test_other_cards_seen_are_out_of_the_deck():
    seen = maths.Seen(cards("Js Ts"), cards("9s 2d 3c 3h"), None, (1, 1))
    gone = cards("As Ks Qs 8s 7s")
    left = [each for each in DECK if each not in (*gone, *seen.cards, *seen.board)]
    table = SEVEN.tables["main"]
    rows = [table.row_for(FIVE.strength((*seen.cards, *seen.board, last))) for last in left]
    assert maths.worths(SEVEN, seen, gone)[3] == Fraction(
        sum(6 * int(row.odds or 0) for row in rows), len(left)
    )


@pytest.mark.parametrize("name", ["let-ride", "six", "mixed"])
def test_the_best_strategy_evaluates_to_the_solution(name):
    solution = solved(name)
    found = maths.evaluate(ALL[name], solution.choice)
    assert found.value == solution.value
    assert found.average_wager == solution.statistics.average_wager
    assert found.fold == solution.folds
    assert found.deals == solution.deals


def test_a_strategy_for_seven_cards():
    blind = book(2, ["one fold 1 3", 1, "two fold 1 2", 4], STUD)
    solution = maths.solve(blind)
    assert maths.evaluate(blind, solution.choice).value == solution.value
    assert maths.evaluate(blind, lambda _seen: 1).value < solution.value


# Integers of any size ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["seven", "let-ride"])
@pytest.mark.parametrize("ante", [1, 7, 10**9, 10**13])
def test_no_sum_outgrows_its_integers(name, ante):
    """Without a cap a larger ante changes nothing, though sums no longer fit into 64 bits."""
    free, large = solved(name), maths.solve(ALL[name], ante)
    assert large.value == free.value
    assert [o.deals for o in large.outcomes] == [o.deals for o in free.outcomes]
    total = sum(outcome.deals * outcome.net_units for outcome in large.outcomes)
    assert Fraction(total, large.deals * large.units) == large.value
    seen = situations(name, random.Random(3), 1)[0]
    assert maths.worths(ALL[name], seen, (), ante) == large.worth(seen) == free.worth(seen)


# The machine and the settlement run them too ---------------------------------------------------


@pytest.mark.parametrize("name", ["let-ride", "seven", "six", "once", "mixed", "take-or-play"])
def test_rounds_at_the_table_end_as_the_solution_says(name):
    """The machine asks when the solver does, and the settlement pays what it counts."""
    rules, solution, chance = ALL[name], solved(name, 10_00), random.Random(11)
    endings = {(o.event.startswith("fold"), o.stake, o.net_units) for o in solution.outcomes}
    main = [spot for spot in rules.opening if rules.spots[spot].kind == "main"]
    for _ in range(25):
        deck = shuffled(chance)
        game = started(rules, {1: dict.fromkeys(main, 10_00)}, deck)
        decided: list[int] = []
        while game.state.phase == "playing" and game.legal(1):
            seat = game.state.seats[1]
            up = zip(game.state.piles["board"], game.state.up["board"], strict=True)
            board = tuple(card for card, shown in up if shown and card is not None)
            mine = tuple(card for card in seat.cards if card is not None)
            choice = solution.choice(maths.Seen(mine, board, None, tuple(decided)))
            decided.append(choice)
            other: dict[int, actions.Action] = {
                FOLD: actions.Fold(1),
                CHECK: actions.Check(1),
                TAKE_BACK: actions.TakeBack(1),
            }
            game.do(other.get(choice, actions.Raise(1, choice)))
            game.deal(deck)
        seat = game.state.seats[1]
        staked = sum(seat.stakes.values())
        play = SeatPlay(1, _known(seat.cards), seat.stakes, seat.folded)
        piles = {"board": _known(game.state.piles["board"])}
        done = settle(rules, Play((play,), 10_00, piles)).seats[0]
        net = done.returned_cents - done.staked_cents
        assert (bool(seat.folded), staked // 10_00, net) in endings


def _known(held: Sequence[Card | None]) -> tuple[Card, ...]:
    return tuple(card for card in held if card is not None)


# What is shown, and what is refused -------------------------------------------------------------


@pytest.mark.parametrize("name", ["let-ride", "take-or-play"])
def test_a_chart_tells_what_to_take_back(name):
    solution = solved(name)
    drawn = chart.chart(solution)
    for seen in situations(name, random.Random(4), 200):
        assert read(drawn, seen) == solution.choice(seen)


@pytest.mark.parametrize("name", ["seven", "six", "once", "mixed"])
def test_no_chart_where_five_cards_and_a_stake_do_not_tell_all(name):
    assert not chart.drawn(solved(name))
    with pytest.raises(Unsolved, match="no chart"):
        chart.chart(solved(name))


def test_ties_take_back_only_where_asked_to():
    even = book(3, ["first check take-back", 2], {}, last="push")
    assert maths.solve(even).statistics.average_wager == 2
    assert maths.solve(even, ties="fold").statistics.average_wager == 1


def test_simulation_and_protection_say_that_they_do_not_take_more_than_five_cards():
    with pytest.raises(Unsolved, match="not solved yet"):
        sim.prepare(SEVEN, rounds=1, seed=1)
    with pytest.raises(Unsolved, match="not solved yet"):
        protect.known(SEVEN, protect.keys(SEVEN)[0])


@pytest.mark.parametrize("name", ["seven", "let-ride", "once"])
def test_shared_hands_say_that_they_do_not_take_them(name):
    with pytest.raises(Unsolved, match="not solved yet"):
        next(iter(shared_hands.shared(ALL[name], 2, None, 1, 1)))


@pytest.mark.parametrize("rules", [LET_RIDE, ONCE], ids=["let-ride", "once"])
def test_what_is_taken_back_or_asked_for_twice_is_simulated_and_protected(rules):
    job = sim.prepare(rules, rounds=100_000, seed=3)
    found = sim.agreement(job, sim.total(job, [sim.run(job, n) for n in range(job.blocks)]))
    assert found.exact == maths.solve(rules).value
    assert abs(found.worst) < 5
    *_, every = values = [protect.known(rules, key) for key in protect.keys(rules)]
    assert maths.solve(rules).value < min(values)
    assert max(values) == every


@pytest.mark.parametrize(
    ("own", "script", "says"),
    [
        (3, ["one fold 1", 5], "up to seven cards"),
        (3, [2], "nothing is decided"),
    ],
)
def test_games_that_are_not_priced_say_so(own, script, says):
    with pytest.raises(Unsolved, match=says):
        maths.evaluate(book(own, script, STUD), lambda _seen: 1)


BESIDE = (
    '[[table]]\nname = "beside"\ntitle = "Beside"\ncards = ["seats"]\nranking = "five-card"\n'
    'clause = "1"\nrows = [{ row = "any", hand = "any", odds = "lose", clause = "1" }]\n'
)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("required = true", 'required = true\nbonus = "beside"', "a bonus beside a wager"),
        (
            "times = [1]",
            'times = [1]\nmore = [{ times = [2], hand = "pair", clause = "1" }]',
            "multiples that depend on the hand",
        ),
        ("required = true", 'required = true\nafter_fold = "lives"', "outlives a fold"),
    ],
)
def test_what_a_book_says_besides_is_never_left_out_of_a_price(old, new, says):
    text = written(5, ["play fold 1", 1], STUD) + BESIDE
    maths.solve(rulebook.parse(text))
    with pytest.raises(Unsolved, match=says):
        maths.solve(rulebook.parse(text.replace(old, new, 1)))


@pytest.mark.parametrize(
    ("raises", "says"),
    [
        ((1,), "after no decisions nobody goes on with 1x"),
        ((CHECK, CHECK), "nothing is decided any more after two decisions"),
        ((CHECK,), "sees 4 cards, not 3"),
        ((CHECK, CHECK, CHECK), "after two decisions nobody goes on with check"),
    ],
)
def test_decisions_that_cannot_be(raises, says):
    with pytest.raises(Unreadable, match=says):
        solved("let-ride").worth(maths.Seen(cards("Ks Qd 2c"), (), None, raises))


def test_commands(tmp_path):
    file = tmp_path / "ride.toml"
    file.write_text(written(*PARTS["let-ride"]), "utf-8")
    at = ("--cards", "Ks Qd Js", "--board", "9h", "--raises", "take-back", "--json")
    done = run("advise", str(file), *at).json
    assert (done["best"], set(done["choices"])) == ("take-back", {"check", "take-back"})
    par = run("par", str(file)).out
    assert "take back" in par
    assert "37963/1082900" in par
    assert "<h2>Best play</h2>" in run("par", str(file), "--html", "-").out
    assert run("protect", str(file), "--json").json["known"]["01"] == float(Fraction(66142, 270725))
    assert "not solved yet" in complaint("protect", str(file), "--share", "2")


def test_commands_for_seven_cards(tmp_path):
    file = tmp_path / "seven.toml"
    file.write_text(written(*PARTS["seven"]), "utf-8")
    done = run("par", str(file), "--json", "--full").json
    assert "strategy" not in done["main"]
    assert done["main"]["deals"] == perm(52, 7) // 2
    assert "House edge" in run("par", str(file)).out
    at = ("--cards", "Ks Kd", "--board", "9h 9c 2d", "--raises", "1", "--json")
    assert run("advise", str(file), *at).json["best"] == "3x"
    assert "sees 2 cards, not 1" in complaint("advise", str(file), "--cards", "Ks")
    for command in ("simulate", "protect"):
        assert "not solved yet" in complaint(command, str(file))
