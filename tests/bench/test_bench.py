"""``./pit bench``: every command runs and says what it measured."""

import pytest

from bench.__main__ import COMMANDS, main
from bench.flood import STRANGERS
from bench.house import stormed
from tests.command import Ran, complaint, run


def bench(*arguments: str) -> Ran:
    return run(*arguments, program=main)


def test_help_lists_every_benchmark():
    said = bench("--help").out
    for name, summary in COMMANDS.items():
        assert f"  {name} " in said
        assert summary[:30] in said
        assert "--json" in bench(name, "--help").out


def test_a_benchmark_that_does_not_exist_is_refused():
    said = complaint("speed", program=main)
    assert "no command 'speed'; there are rounds, maths, house, pages" in said


def test_rounds_runs_ours_beside_the_peer():
    done = bench("rounds", "--seconds", "0.1", "--json").json
    assert done["pitboss_rounds_s"] > 0
    assert (done["ratio"] is None) == (done["pokerkit_hands_s"] is None)
    assert "six-seat rounds/s" in bench("rounds", "--seconds", "0.1").out


@pytest.mark.filterwarnings("ignore")  # of the peers, where they are installed
def test_maths_measures_everything():
    done = bench("maths", "--seconds", "0.1", "--json").json
    for name in ("cajun", "caribbean"):
        for what in ("par_process_s", "reprice_s", "simulated_rounds_s"):
            assert done[f"{name}_{what}"] > 0
    assert done["vector_hands_s"] > done["scalar_hands_s"] > 0
    assert {"eval7_hands_s", "phevaluator_hands_s"} <= set(done)


def test_a_player_plays_on_while_strangers_do_their_worst(quick_path):
    found = stormed(str(quick_path / "flood.db"), 1.0)
    assert found["p99_ms"] >= found["p50_ms"] > 0
    assert found["memory_mb"] > 0
    told = found["strangers"]
    # All of them were busy, and more listeners came than are let in at one address.
    assert {each.rpartition(" ")[0] for each in told} == {*STRANGERS, "its page"}
    assert told["listener 200"] + told["listener 429"] == STRANGERS["listener"]
    assert not [each for each in told if each.endswith(("500", "503"))]
