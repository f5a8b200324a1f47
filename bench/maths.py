"""``./pit bench maths``: exact prices, the simulator, hands beside eval7 and phevaluator."""

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence

import click
import numpy as np

from bench.clock import per_second
from pitboss.cards import Card, shuffled
from pitboss.cli.common import json_option, write_json
from pitboss.hands import RANK_KEYS, ranking
from pitboss.lab.simulate import BLOCK, prepare, run
from pitboss.maths import solve
from pitboss.maths.hand_states import KEYS, strength
from pitboss.money import Odds
from pitboss.rulebook import Rulebook, load
from pitboss.rulebook.variants import with_pays

GAMES: dict[str, float | None] = {
    "let-it-ride": None,
    "three-card-poker": None,
    "crazy-4-poker": 1,
    "high-card-flush": 3,
    "four-card-poker": 30,
    "casino-holdem": 95,
    "ultimate-texas-holdem": 95,
    "texas-holdem-bonus": 95,
}
"""Of the common rules: priced the first time, and from what was kept of it. Beside them the seconds
that a plain count in C++ was seen to take on one core, as an order of magnitude; the last three
were counted in one pass."""

BOOKS = {"cajun": "diamond-jo-worth/cajun-stud", "caribbean": "seneca-niagara/caribbean-stud"}


@click.command("maths")
@click.option("--seconds", type=click.FloatRange(0.1, 600), default=2.0, show_default=True)
@click.option("--games", is_flag=True, help="Also games whose counting is kept: minutes.")
@json_option
def command(seconds: float, games: bool, as_json: bool) -> None:
    """Price, re-price, simulate and evaluate; hands beside eval7 and phevaluator."""
    found: dict[str, float | None] = {}
    for game, counted in GAMES.items() if games else ():
        with tempfile.TemporaryDirectory(prefix="pb") as fresh:
            for when in ("first", "kept"):
                told = ["par", f"common/{game}", "--json"]
                found[f"{game}_{when}_process_s"] = _process(told, {"PITBOSS_CACHE": fresh})
        if counted is not None:
            found[f"{game}_counted_in_cpp_s"] = counted
    for name, book_id in BOOKS.items():
        found[f"{name}_par_process_s"] = min(_process(["par", book_id, "--json"]) for _ in range(3))
        found[f"{name}_reprice_s"] = 1 / per_second(_reprice(load(book_id)), seconds)
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


def _process(arguments: list[str], more: dict[str, str] | None = None) -> float:
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-P", "-m", "pitboss", *arguments],
        check=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, **(more or {})},
    )
    return time.perf_counter() - start


def _reprice(book: Rulebook) -> Callable[[], object]:
    changed = with_pays(book, {"straight": Odds(5)})
    return lambda: solve(changed)


def _simulated(book: Rulebook, seconds: float) -> float:
    job = prepare(book, rounds=1 << 30, seed=7)
    blocks = iter(range(job.blocks))
    return BLOCK * per_second(lambda: run(job, next(blocks)), seconds)


def _vector_hands(seconds: float) -> float:
    dealt = np.random.default_rng(7).random((1 << 16, 52)).argpartition(5, axis=1)[:, :5]
    columns = np.ascontiguousarray(KEYS[dealt].T)

    def evaluate() -> None:
        strength(columns[0] + columns[1] + columns[2] + columns[3] + columns[4])

    return len(dealt) * per_second(evaluate, seconds)


def _scalar_hands(seconds: float) -> tuple[float, dict[str, float | None]]:
    chance = random.Random(7)
    hands = [shuffled(chance)[:5] for _ in range(1000)]
    quick = quick_five()
    peers = {"eval7_hands_s": _eval7(hands), "phevaluator_hands_s": _phevaluator(hands)}
    return (
        len(hands) * per_second(lambda: [quick(each) for each in hands], seconds),
        {
            name: None if play is None else len(hands) * per_second(play, seconds)
            for name, play in peers.items()
        },
    )


def quick_five() -> Callable[[Sequence[Card]], int]:
    """Return the quickest function from exactly five cards to their five-card strength."""
    five = ranking("five-card")
    plain, suited = five.by_ranks(suited=False), five.by_ranks(suited=True)
    keys = tuple(RANK_KEYS[index >> 2] for index in range(52))

    def strength(held: Sequence[Card]) -> int:
        a, b, c, d, e = held
        total = keys[a] + keys[b] + keys[c] + keys[d] + keys[e]
        mixed = (a ^ b) & 3 or (a ^ c) & 3 or (a ^ d) & 3 or (a ^ e) & 3
        return plain[total] if mixed else suited[total]

    return strength


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
