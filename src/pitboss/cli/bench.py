"""``pitboss bench``: what is measured here is measured beside a peer, in the same run."""

import random
import time
from collections.abc import Callable

import click

from pitboss.cards import Card, shuffled
from pitboss.cli.common import json_option, write_json
from pitboss.rulebook import Rulebook, load

ROUNDS_BOOK = "diamond-jo-worth/cajun-stud"
SHOWDOWN_BOOK = "seneca-niagara/caribbean-stud"


@click.group("bench")
def command() -> None:
    """Measure speed against peers; figures belong to this machine at this moment."""


@command.command("house", add_help_option=False, context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def house(arguments: tuple[str, ...]) -> None:
    """Load a house through its API, beside the limit of its parts."""
    from pitboss.cli.bench_house import command as bench  # the web's libraries

    bench.main(list(arguments), prog_name="pitboss bench house", standalone_mode=False)


@command.command("pages", add_help_option=False, context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def pages(arguments: tuple[str, ...]) -> None:
    """Weigh and clock the table page in a real browser, beside a bare page."""
    from pitboss.cli.bench_pages import command as bench  # the web's libraries

    bench.main(list(arguments), prog_name="pitboss bench pages", standalone_mode=False)


@command.command()
@click.option("--seconds", type=click.FloatRange(0.1, 600), default=3.0, show_default=True)
@click.option("--seed", type=int, default=7, show_default=True)
@json_option
def rounds(seconds: float, seed: int, as_json: bool) -> None:
    """Play full six-seat rounds: every wager, three decisions a seat, events and settlement.

    Beside it, PokerKit plays a six-seat fixed-limit hand of checks and calls, fully automated.
    """
    ours = _per_second(_our_round(load(ROUNDS_BOOK), random.Random(seed)), seconds)
    peer_hand = _pokerkit_hand()
    peer = None if peer_hand is None else _per_second(peer_hand, seconds)
    if as_json:
        ratio = None if peer is None else ours / peer
        write_json({"pitboss_rounds_s": ours, "pokerkit_hands_s": peer, "ratio": ratio})
        return
    click.echo(f"pitboss   {ours:10,.0f} six-seat rounds/s, one core")
    if peer is None:
        click.echo("pokerkit  not installed here; ./pit bench installs it")
    else:
        click.echo(f"pokerkit  {peer:10,.0f} six-seat hands/s, one core")
        click.echo(f"ratio     {ours / peer:10,.1f}")


def _per_second(play: Callable[[], object], seconds: float) -> float:
    play()  # tables are built at first use
    count, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        play()
        count += 1
    return count / spent


def _our_round(book: Rulebook, chance: random.Random) -> Callable[[], object]:
    from pitboss.round import Round, actions
    from pitboss.settle import of_round, settle

    seats = range(1, 7)
    wagers = dict.fromkeys(book.opening, 500)

    def play() -> None:
        deck = shuffled(chance)
        game = Round(book)
        game.do(actions.Open({seat: f"player {seat}" for seat in seats}, 500, 10_000))
        for seat in seats:
            game.do(actions.Bet(seat, wagers, toke_cents=100))
        game.do(actions.CloseBets())
        game.deal(deck)
        for times in (1, 2, 3):
            for seat in seats:
                game.do(actions.Raise(seat, times))
            game.deal(deck)
        settle(book, of_round(game.state))
        game.do(actions.Pay())

    return play


def _pokerkit_hand() -> Callable[[], object] | None:
    try:
        from pokerkit import Automation, FixedLimitTexasHoldem
    except ImportError:
        return None

    def play() -> None:
        state = FixedLimitTexasHoldem.create_state(
            tuple(Automation), True, 0, (1, 2), 2, 4, (200,) * 6, 6
        )
        while state.status:
            state.check_or_call()

    return play


@command.command()
@click.option("--seconds", type=click.FloatRange(0.1, 600), default=2.0, show_default=True)
@json_option
def maths(seconds: float, as_json: bool) -> None:
    """Price, re-price, simulate and evaluate; hands beside eval7 and phevaluator."""
    found: dict[str, float | None] = {}
    for name, book_id in MATHS_BOOKS.items():
        found[f"{name}_par_process_s"] = min(_process(["par", book_id, "--json"]) for _ in range(3))
        found[f"{name}_reprice_s"] = 1 / _per_second(_reprice(load(book_id)), seconds)
        found[f"{name}_simulated_rounds_s"] = _simulated(load(book_id), seconds)
    found["vector_hands_s"] = _vector_hands(seconds)
    ours, peers = _scalar_hands(seconds)
    found["scalar_hands_s"] = ours
    found.update(peers)
    if as_json:
        write_json(found)
        return
    for name, value in found.items():
        shown = (
            "not installed here"
            if value is None
            else f"{value:,.4f}"
            if value < 100
            else f"{value:,.0f}"
        )
        click.echo(f"{name:<36}{shown:>20}")
    for name, value in peers.items():
        if value:
            click.echo(f"ours / {name.removesuffix('_hands_s'):<29}{ours / value:>20,.2f}")


MATHS_BOOKS = {"cajun": ROUNDS_BOOK, "caribbean": SHOWDOWN_BOOK}


def _process(arguments: list[str]) -> float:
    import subprocess
    import sys

    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-P", "-m", "pitboss", *arguments], check=True, stdout=subprocess.DEVNULL
    )
    return time.perf_counter() - start


def _reprice(book: Rulebook) -> Callable[[], object]:
    from pitboss.maths import solve
    from pitboss.money import Odds
    from pitboss.rulebook.change import with_pays

    changed = with_pays(book, {"straight": Odds(5)})
    return lambda: solve(changed)


def _simulated(book: Rulebook, seconds: float) -> float:
    from pitboss.lab.simulate import BLOCK, prepare, run

    job = prepare(book, rounds=1 << 30, seed=7)
    blocks = iter(range(job.blocks))
    return BLOCK * _per_second(lambda: run(job, next(blocks)), seconds)


def _vector_hands(seconds: float) -> float:
    import numpy as np

    from pitboss.maths.vector import KEYS, strength

    dealt = np.random.default_rng(7).random((1 << 16, 52)).argpartition(5, axis=1)[:, :5]
    columns = np.ascontiguousarray(KEYS[dealt].T)

    def evaluate() -> None:
        strength(columns[0] + columns[1] + columns[2] + columns[3] + columns[4])

    return len(dealt) * _per_second(evaluate, seconds)


def _scalar_hands(seconds: float) -> tuple[float, dict[str, float | None]]:
    from pitboss.hands import quick_five

    chance = random.Random(7)
    hands = [shuffled(chance)[:5] for _ in range(1000)]
    strength = quick_five()
    peers = {"eval7_hands_s": _eval7(hands), "phevaluator_hands_s": _phevaluator(hands)}
    return (
        len(hands) * _per_second(lambda: [strength(each) for each in hands], seconds),
        {
            name: None if play is None else len(hands) * _per_second(play, seconds)
            for name, play in peers.items()
        },
    )


def _eval7(hands: list[tuple[Card, ...]]) -> Callable[[], object] | None:
    try:
        import eval7
    except ImportError:
        return None
    made = [[eval7.Card(str(card)) for card in each] for each in hands]
    return lambda: [eval7.evaluate(each) for each in made]


def _phevaluator(hands: list[tuple[Card, ...]]) -> Callable[[], object] | None:
    try:
        from phevaluator import evaluate_cards
    except ImportError:
        return None
    return lambda: [evaluate_cards(*map(int, each)) for each in hands]
