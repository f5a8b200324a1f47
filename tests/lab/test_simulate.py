"""Simulation: the same from any workers, near the exact value, settled as the machine does."""

import json
import random
from itertools import product

import numpy as np
import pytest

from pitboss import maths
from pitboss.cards import DECK, Card, cards, shuffled
from pitboss.cli import simulate as command
from pitboss.errors import Unreadable
from pitboss.lab import random_deals
from pitboss.lab import simulate as sim
from pitboss.maths import dealer_games, dealers_hands, decisions, pay_table_games, strategies
from pitboss.maths.hand_states import SIZE, levels
from pitboss.round import Round, actions
from pitboss.rulebook import Rulebook
from pitboss.rulebook.deal_script import DealStep
from pitboss.rulebook.loader import HOUSES
from pitboss.settle import of_round, settle
from tests.command import Ran, complaint, run
from tests.helpers import DIAMOND_JO, HOLLYWOOD, MISSISSIPPI, SENECA, hand, settled
from tests.small_books import TAKE_BACK

CAJUN, CARIBBEAN = DIAMOND_JO.id, SENECA.id
BOOKS = (DIAMOND_JO, HOLLYWOOD, MISSISSIPPI, SENECA)


EVALUATED = {
    "three-rules": -1_041_417_758_724,
    "any-pair": -1_090_272_101_460,
    "mimic": -1_132_600_203_540,
    "never-fold": -3_310_360_338_060,
}
"""What ``maths.evaluate`` says of strategies against a dealer, over all deals: it takes long."""


def simulated(job: sim.Job) -> sim.Agreement:
    return sim.agreement(job, sim.total(job, (sim.run(job, at) for at in range(job.blocks))))


# Dealing ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [5, 10, 35, 52])
def test_the_cards_of_a_round_are_all_different(count):
    dealt = random_deals.deal(random_deals.chance_of(7, 0), 20_000, count)
    assert dealt.shape == (count, 20_000)
    assert dealt.max() < 52
    assert (np.diff(np.sort(dealt, axis=0), axis=0) > 0).all()


def test_every_card_comes_equally_often_at_every_place():
    rounds = 200_000
    for row in random_deals.deal(random_deals.chance_of(7, 1), rounds, 10):
        counts = np.bincount(row, minlength=52)
        chi2 = ((counts - rounds / 52) ** 2 / (rounds / 52)).sum()
        assert chi2 < 51 + 5 * (2 * 51) ** 0.5


def test_every_pair_of_cards_comes_equally_often():
    rounds = 400_000
    first, second, *_ = random_deals.deal(random_deals.chance_of(7, 2), rounds, 5).astype(np.int64)
    counts = np.bincount(first * 52 + second, minlength=52 * 52)
    assert (counts[:: 52 + 1] == 0).all()
    expected = rounds / (52 * 51)
    chi2 = ((counts[counts > 0] - expected) ** 2 / expected).sum()
    assert abs(chi2 - 2651) < 5 * (2 * 2651) ** 0.5


# Beside the exact value -------------------------------------------------------------------------


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
def test_simulation_is_within_four_standard_errors_of_the_exact_value(book):
    job = sim.prepare(book, rounds=500_000, seed=11)
    found, exact = simulated(job), maths.solve(book)
    assert found.exact == exact.value
    assert job.deals == exact.deals
    happens = [each for each in job.outcomes if each.deals]
    assert sorted(happens, key=repr) == sorted(exact.outcomes, key=repr)
    assert abs(found.z) < 4
    assert abs(found.worst) < 4
    assert sum(event.count for event in found.events) == 500_000


@pytest.mark.parametrize("book", [DIAMOND_JO, SENECA], ids=lambda book: book.id)
def test_with_the_cap_and_at_a_full_table(book):
    job = sim.prepare(book, rounds=100_000, seed=5, seats=6, ante_cents=25_00)
    found = simulated(job)
    assert found.exact == maths.solve(book, 25_00).value
    assert abs(found.worst) < 4
    # Six seats of one round are fewer than six rounds: they share its cards.
    assert found.standard_error > found.standard_deviation / 600_000**0.5


@pytest.mark.parametrize(
    ("book", "name"),
    [(DIAMOND_JO, "points"), (DIAMOND_JO, "blind"), *((SENECA, name) for name in EVALUATED)],
)
def test_a_named_strategy(book, name):
    job = sim.prepare(book, rounds=300_000, seed=3, strategy=strategies.named(book, name))
    found = simulated(job)
    assert abs(found.worst) < 4
    if book is DIAMOND_JO:
        assert found.exact == maths.evaluate(book, strategies.NAMED[name]).value
    else:
        assert found.exact * job.deals == EVALUATED[name]


def test_a_strategy_that_looks_at_more_is_not_simulated():
    def superstitious(seen: maths.Seen) -> int:
        return 1 if seen.cards[0].rank > seen.cards[1].rank else 3

    with pytest.raises(Unreadable, match="more than ranks"):
        sim.prepare(DIAMOND_JO, rounds=1, seed=1, strategy=superstitious)
    with pytest.raises(Unreadable, match="answers one of"):
        sim.prepare(DIAMOND_JO, rounds=1, seed=1, strategy=lambda _seen: 7)


def test_wagers_that_are_taken_back_are_simulated():
    job = sim.prepare(TAKE_BACK, rounds=100_000, seed=1)
    found = simulated(job)
    assert found.exact == maths.solve(TAKE_BACK).value
    assert abs(found.worst) < 5


# The machine ------------------------------------------------------------------------------------


def table_choice(book: Rulebook, ante: int):
    """Best play of the pay-table family, looked up state by state."""
    solved = pay_table_games.solve(book, ante, ante, "stay")

    def choose(game: Round, seat: int, raises: list[int]) -> int:
        street = solved.plan.streets[len(raises)]
        own = game.state.seats[seat].cards
        board = [card for place in boards(book) for card in game.state.piles.get(place, ())]
        seen = [card for card in (*own, *board) if card is not None][: street.seen]
        ranks = tuple(card.rank for card in seen)
        suited = len({card.suit for card in seen}) == 1
        state = levels()[street.seen].find(ranks, suited=suited)
        return int(solved.best[len(raises)][state, street.stakes.index(1 + sum(raises))])

    return choose


def dealer_choice(book: Rulebook, ante: int):
    """Best play against a dealer, looked up case by case."""
    rule, street = dealer_games.shape(book)
    pay = dealer_games.payoffs(book, ante, ante)
    every = dealers_hands.cases(rule.weakest)
    names = zip(*(each.tolist() for each in (every.state, every.upcard, every.shared)), strict=True)
    index = {name: at for at, name in enumerate(names)}
    choices = (*street.times, decisions.FOLD)
    worths = np.stack([dealer_games.worth(every, pay, choice) for choice in choices])
    best = worths.argmax(axis=0)

    def choose(game: Round, seat: int, _raises: list[int]) -> int:
        own = [card for card in game.state.seats[seat].cards if card is not None]
        upcard = upcard_first(book, game)[0]
        suited = len({card.suit for card in own}) == 1
        state = levels()[SIZE].find(tuple(card.rank for card in own), suited=suited)
        shared = sum(1 << (card.rank - 2) for card in own if card.suit == upcard.suit)
        return choices[int(best[index[state, upcard.rank - 2, shared]])]

    return choose


def boards(book: Rulebook) -> list[str]:
    return [place for place in decisions.main_table(book).cards if place != "seats"]


def upcard_first(book: Rulebook, game: Round) -> list[Card]:
    assert book.qualifier is not None
    place = book.qualifier.place
    up = next(s.up[place][0] for s in book.script if isinstance(s, DealStep) and place in s.up) - 1
    pile = [card for card in game.state.piles[place] if card is not None]
    return [pile[up], *pile[:up], *pile[up + 1 :]]


def by_machine(book: Rulebook, deck: tuple[Card, ...], seats: int, ante: int, choose) -> Round:
    """Play a round on the machine, each seat as ``choose`` says."""
    game = Round(book)
    meter = 1_000_000_00 if book.progressive is not None else None
    places = range(1, seats + 1)
    people = {seat: f"player {seat}" for seat in places}
    game.do(actions.Open(people, ante, book.limits.maximum.highest, meter))
    for seat in places:
        game.do(actions.Bet(seat, {book.ante.name: ante}))
    game.do(actions.CloseBets())
    game.deal(deck)
    raises: dict[int, list[int]] = {seat: [] for seat in places}
    while due := game.due():
        for seat in due:
            times = choose(game, seat, raises[seat])
            raises[seat].append(times)
            action = actions.Raise(seat, times) if times else actions.Fold(seat, confirmed=True)
            game.do(action)
        game.deal(deck)
    return game


def laid_out(book: Rulebook, game: Round, seats: int) -> list[Card]:
    """The cards of a finished round as the kernel wants them."""
    if book.qualifier is None:
        table = [card for place in boards(book) for card in game.state.piles.get(place, ())]
        size = SIZE - book.seat_cards
    else:
        table, size = list(upcard_first(book, game)), SIZE
    own = [card for seat in range(1, seats + 1) for card in game.state.seats[seat].cards]
    # Where everybody folded the board was not dealt, and any other cards will do.
    known = [card for card in table if card is not None]
    rest = [card for card in DECK if card not in (*known, *own)]
    return [*known, *rest[: size - len(known)], *(card for card in own if card is not None)]


@pytest.mark.parametrize(
    ("book", "rounds"),
    [(DIAMOND_JO, 5000), (SENECA, 5000), (HOLLYWOOD, 500), (MISSISSIPPI, 500)],
    ids=lambda value: getattr(value, "id", value),
)
def test_the_machine_settles_every_deal_as_the_kernel_does(book, rounds):
    seats, ante, chance = 2, 10_00, random.Random(2026)
    choose = (table_choice if book.qualifier is None else dealer_choice)(book, ante)
    job = sim.prepare(book, rounds=1, seed=1, seats=seats, ante_cents=ante, minimum_cents=ante)
    dealt, nets = [], []
    for _ in range(rounds):
        game = by_machine(book, shuffled(chance), seats, ante, choose)
        done = settle(book, of_round(game.state))
        nets.append([each.returned_cents - each.staked_cents for each in done.seats])
        dealt.append(laid_out(book, game, seats))
    ended = job.kernel.settle(np.array(dealt, np.uint8).T.copy())
    worth = np.array([ending.net_units for ending in job.outcomes])
    assert np.array_equal(worth[np.array(ended)].T, nets)


def test_the_cap_bites_as_it_does_at_the_table():
    job = sim.prepare(DIAMOND_JO, rounds=1, seed=1, ante_cents=100_00, minimum_cents=5_00)
    (ended,) = job.kernel.settle(np.array([cards("Th Jh Qh Kh Ah")], np.uint8).T.copy())
    ending = job.outcomes[ended[0]]
    ways = product((1, 2, 3), repeat=3)
    raises = next(each for each in ways if 1 + sum(each) == ending.stake)
    done = settled(DIAMOND_JO, hand(DIAMOND_JO, "Kh Ah", raises, ante=100_00), board="Th Jh Qh")
    assert ending.event == "royal-flush"
    assert ending.net_units == done.seats[0].won_cents == 25_000_00


# The command ------------------------------------------------------------------------------------


def lasting(ran: Ran) -> dict[str, object]:
    """What does not depend on the clock."""
    return {key: value for key, value in ran.json.items() if key not in ("seconds", "rounds_s")}


def test_blocks_add_up_in_any_order():
    job = sim.prepare(DIAMOND_JO, rounds=600_000, seed=9)
    assert job.blocks == 3
    tallies = [sim.run(job, at) for at in (2, 0, 1)]
    assert sim.total(job, tallies) == sim.total(job, (sim.run(job, at) for at in range(3)))
    assert sim.run(job, 0) != sim.run(sim.prepare(DIAMOND_JO, rounds=600_000, seed=10), 0)


def test_the_same_from_one_worker_and_two():
    line = ("simulate", CAJUN, "--rounds", "2_500_000", "--seed", "3", "--json")
    one, two = (lasting(run(*line, "--workers", many)) for many in "12")
    assert one == two
    assert one["done_rounds"] == 2_500_000


@pytest.fixture
def stops_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C in the second batch."""
    batch, calls = command._batch, iter(range(100))

    def interrupted(job: sim.Job, first: int) -> sim.RoundCounts:
        if next(calls) == 1:
            raise KeyboardInterrupt
        return batch(job, first)

    monkeypatch.setattr(command, "_batch", interrupted)


SESSION = ("--session", "2h", "--bankroll", "500", "--ante", "10")


@pytest.mark.usefixtures("stops_early")
@pytest.mark.parametrize("more", [(), ("--seats", "3"), SESSION], ids=["alone", "table", "session"])
def test_an_interrupted_simulation_goes_on(more, tmp_path):
    saved = str(tmp_path / "saved.json")
    line = ("simulate", CAJUN, "--rounds", "2.5e6", *more, "--json", "--workers", "1")
    stopped = run(*line, "--resume", saved)
    assert stopped.code == 130
    assert 0 < json.loads(stopped.out)["done_rounds"] < 2_500_000
    gone_on = lasting(run(*line, "--resume", saved))
    assert gone_on == lasting(run(*line))
    assert gone_on == lasting(run(*line, "--resume", saved))  # nothing is left to do


@pytest.mark.usefixtures("stops_early")
def test_an_interrupted_simulation_goes_on_without_being_told_where():
    line = ("simulate", CAJUN, "--rounds", "2.5e6", "--seed", "77", "--json", "--workers", "1")
    stopped = run(*line)
    assert stopped.code == 130
    assert "the same command goes on" in stopped.err
    gone_on = run(*line)
    assert "going on where this was interrupted" in gone_on.err
    assert lasting(gone_on)["done_rounds"] == 2_500_000
    again = run(*line)
    assert again.err == ""  # what is finished is not kept
    assert lasting(again) == lasting(gone_on)


def test_others_at_the_table_make_no_difference_to_a_session():
    line = ("simulate", CAJUN, "--rounds", "1e5", *SESSION, "--json")
    assert run(*line, "--seats", "6").json["session"] == run(*line).json["session"]


def test_what_people_read():
    ran = run("simulate", CARIBBEAN, "--rounds", "300000", "--workers", "1")
    assert ran.code == 0, ran.err
    assert ran.err == ""
    assert "agrees with the exact value" in ran.out
    assert "dealer-does-not-qualify" in ran.out
    assert all(len(line) <= 80 for line in ran.out.splitlines())
    ran = run("simulate", CAJUN, "--rounds", "1e5", *SESSION)
    assert "Risk of ruin" in ran.out
    assert "caps as for one player alone" in ran.out
    assert "o median" in ran.out
    assert all(len(line) <= 90 for line in ran.out.splitlines())


def test_sessions():
    told = run("simulate", CAJUN, "--rounds", "4e5", *SESSION, "--json").json["session"]
    assert (told["sessions"], told["rounds"]) == (5000, 80)
    cuts = list(told["percentiles_cents"].values())
    assert cuts == sorted(cuts)
    ruined = [mark["ruined"] for mark in told["curve"]]
    assert ruined == sorted(ruined)
    assert ruined[-1] == told["risk_of_ruin"]
    assert 0.1 < told["risk_of_ruin"] < 0.9


def test_a_session_where_no_minimum_is_posted_is_played_at_a_usual_ante():
    line = ("simulate", CARIBBEAN, "--rounds", "1e5", "--session", "4h", "--bankroll", "500")
    told = run(*line, "--json").json
    assert (told["ante_cents"], told["session"]["ante_cents"]) == (10_00, 10_00)


def test_a_rich_player_is_never_ruined_and_loses_the_edge():
    line = ("simulate", CARIBBEAN, "--rounds", "4e5", "--session", "1h", "--bankroll", "100000")
    told = run(*line, "--ante", "10", "--json").json
    assert told["session"]["risk_of_ruin"] == 0
    per_session = told["value"] * 10_00 * 40
    assert told["session"]["mean_cents"] == pytest.approx(per_session)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--rounds", "-1"), "1 to"),
        (("--rounds", "0"), "1 to"),
        (("--rounds", "x"), "not a number"),
        (("--rounds", "1.5"), "whole rounds"),
        (("--rounds", "nan"), "whole rounds"),
        (("--rounds", "1e99"), "1 to"),
        (("--strategy", "lucky"), "any-pair"),
        (("--strategy", "three-rules"), "against a dealer"),
        (("--seats", "7"), "1 to 6 seats"),
        (("--seats", "0"), "1 to 6 seats"),
        (("--seed", "-1"), "--seed"),
        (("--workers", "0"), "--workers"),
        (("--session", "4h"), "--bankroll"),
        (("--bankroll", "500"), "--session"),
        (("--session", "long", "--bankroll", "500"), "4h or 90m"),
        (("--session", "nanh", "--bankroll", "500"), "hours long"),
        (("--session", "0h", "--bankroll", "500"), "hours long"),
        (("--session", "4h", "--bankroll", "1"), "at least one ante"),
        (("--session", "4h", "--bankroll", "500", "--rounds", "100"), "160 rounds"),
        (("--ante", "0"), "ante"),
        (("--ante", "much"), "--ante"),
    ],
)
def test_bad_input_gets_one_clear_line(arguments, says):
    assert says in complaint("simulate", CAJUN, *arguments)


def test_a_strategy_of_another_game_and_too_many_seats(tmp_path):
    assert "a pay table settles" in complaint("simulate", CARIBBEAN, "--strategy", "points")
    small = tmp_path / "small.toml"
    text = (HOUSES / f"{MISSISSIPPI.id}.toml").read_text("utf-8")
    small.write_text(text.replace("most = 7", "most = 2", 1), "utf-8")
    assert "1 to 2 seats, not 3" in complaint("simulate", str(small), "--seats", "3")


def test_a_file_of_another_simulation_is_refused(tmp_path):
    saved = tmp_path / "saved.json"
    line = ("simulate", CAJUN, "--rounds", "1e5", "--resume", str(saved))
    assert run(*line).code == 0
    assert "seed differ" in complaint(*line, "--seed", "8")
    whole = saved.read_bytes()
    saved.write_bytes(whole.replace(b'"rounds":100000,"counts"', b'"rounds":99999,"counts"'))
    assert "do not add up" in complaint(*line)
    saved.write_bytes(whole[:-20])
    assert "not a saved simulation" in complaint(*line)
    folder = complaint("simulate", CAJUN, "--resume", str(tmp_path))
    assert "cannot read this simulation: Is a directory" in folder
    missing = str(tmp_path / "no" / "where.json")
    assert "cannot be written" in complaint("simulate", CAJUN, "--resume", missing)
