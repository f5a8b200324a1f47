"""Simulation of showdowns by any ranking, and of wagers taken back: near exact, as the machine."""

import pytest

from pitboss.errors import Unreadable
from pitboss.lab import simulate as sim
from pitboss.maths import strategies
from pitboss.rulebook import load
from pitboss.rulebook.model import Rulebook
from tests.lab.machine import settles_alike

RIDE = load("common/let-it-ride")
THREE = load("common/three-card-poker")
CRAZY = load("common/crazy-4-poker")
FLUSH = load("common/high-card-flush")


@pytest.mark.parametrize(
    ("book", "rounds"),
    [(RIDE, 400), (THREE, 400), (CRAZY, 150), (FLUSH, 60)],
    ids=lambda value: getattr(value, "id", value),
)
def test_the_machine_settles_every_deal_as_the_kernel_does(book: Rulebook, rounds: int) -> None:
    settles_alike(book, rounds)


@pytest.mark.parametrize(
    ("book", "name", "seats"),
    [
        (RIDE, "best", 1),
        (RIDE, "ride", 3),
        (THREE, "best", 1),
        (THREE, "best", 4),
        (THREE, "mimic", 1),
        (CRAZY, "best", 1),
        (CRAZY, "k-q-8-4", 2),
        (FLUSH, "best", 1),
    ],
    ids=lambda value: getattr(value, "id", value),
)
def test_simulation_is_near_the_exact_value(book: Rulebook, name: str, seats: int) -> None:
    strategy = None if name == "best" else strategies.named(book, name)
    job = sim.prepare(book, rounds=200_000, seed=7, seats=seats, strategy=strategy)
    found = sim.agreement(job, sim.total(job, [sim.run(job, n) for n in range(job.blocks)]))
    assert abs(found.z) < 4
    assert abs(found.worst) < 5


def test_a_strategy_for_other_hands_is_refused() -> None:
    for other in (strategies.NAMED["basic"], strategies.NAMED["blind"]):
        with pytest.raises(Unreadable, match="not made for this game"):
            sim.prepare(THREE, rounds=1, seed=1, strategy=other)
