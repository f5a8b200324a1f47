"""Risk as a whole: beside a million simulated rounds, and as a command."""

import re
from collections import Counter
from datetime import date, timedelta
from math import sqrt

import numpy as np
import pytest

from pitboss import maths
from pitboss.errors import Unreadable
from pitboss.lab import simulate as sim
from pitboss.lab.chi_square import of_classes
from pitboss.lab.distributions import after, one_round
from pitboss.lab.risk import Bankroll, Bonus, risk
from pitboss.maths.outcomes import statistics
from tests.command import complaint, run
from tests.helpers import DIAMOND_JO, MISSISSIPPI, SENECA

ROUNDS = 1_000_000
CAJUN, CARIBBEAN = DIAMOND_JO.id, SENECA.id


def fits(counted: Counter[int], due: dict[int, int]) -> bool:
    """Whether counts are as chance would have them."""
    assert counted.keys() <= due.keys()
    order = sorted(due, key=lambda key: due[key])
    return (
        of_classes(np.array([counted[key] for key in order]), [due[key] for key in order]).p > 1e-4
    )


@pytest.mark.parametrize("book", [DIAMOND_JO, SENECA], ids=lambda book: book.id)
def test_a_million_rounds_have_the_mean_the_variance_and_the_outcomes(book):
    """docs/risk.md has the same with a hundred million."""
    job = sim.prepare(book, rounds=ROUNDS, seed=16)
    done = sim.total(job, (sim.run(job, block) for block in range(job.blocks)))
    exact = maths.solve(book).statistics
    counted = [
        maths.outcomes.Outcome(each.event, each.stake, each.net_units, many)
        for each, many in zip(job.outcomes, done.counts, strict=True)
    ]
    found = statistics(counted, ROUNDS, job.units)
    assert abs(found.value - exact.value) < 4 * sqrt(exact.variance / ROUNDS)
    error = float(exact.variance) * sqrt((exact.excess_kurtosis + 2) / ROUNDS)
    assert abs(found.variance - exact.variance) < 4 * error
    numbers = Counter(dict(enumerate(done.counts)))
    assert fits(+numbers, {at: each.deals for at, each in enumerate(job.outcomes) if each.deals})


@pytest.mark.parametrize("book", [DIAMOND_JO, SENECA], ids=lambda book: book.id)
def test_simulated_hours_are_distributed_as_counted(book):
    """25,000 hours of somebody who cannot be ruined."""
    rich, ante = 10**9, 10_00
    job = sim.prepare(
        book, rounds=ROUNDS, seed=16, ante_cents=ante, session_rounds=40, bankroll_cents=rich
    )
    done = sim.total(job, (sim.run(job, block) for block in range(job.blocks)))
    solution = maths.solve(book, ante)
    hour = after(one_round(solution.outcomes, solution.units), 40)
    told: dict[int | None, int] = {
        net: int(ways) for net, ways in zip(hour.nets, hour.ways, strict=True)
    }
    ended: Counter[int | None] = Counter()
    for cents, many in done.bankrolls[-1].items():
        net = cents - rich
        ended[net if net in told else None] += many
    assert ended[None] < 0.02 * sum(ended.values())
    # In bins of a chip each, in the order of what is won: what is better than told is one more.
    whole = int(hour.whole)
    rest = whole - sum(told.values())
    order = [*hour.nets, None]
    due = [told.get(net, rest) * 10**6 // whole for net in order]
    kept = [at for at, many in enumerate(due) if many]
    fit = of_classes(np.array([ended[order[at]] for at in kept]), [due[at] for at in kept])
    assert fit.p > 1e-4


def test_what_is_asked_together_is_what_each_part_says():
    solution = maths.solve(MISSISSIPPI, 10_00)
    made = risk(
        solution,
        bankroll=Bankroll(400_00, 600_00),
        bonus=Bonus(100_00, 100_00, 1_000_00, "ante"),
    )
    for span in made.spans:
        assert span.mean_cents == solution.value * 10_00 * span.rounds
        assert span.deviation_cents == pytest.approx(
            10_00 * solution.statistics.standard_deviation * sqrt(span.rounds)
        )
        assert span.after.error == 0
    assert [span.rounds for span in made.spans] == [40, 160, 320]
    assert made.fate is not None
    assert made.worth is not None
    assert made.fate.rounds == 320
    assert made.worth.rule_of_thumb == 100_00 + 1_000_00 * solution.value
    assert (made.seats, made.jackpot) == (None, None)
    with pytest.raises(Unreadable, match="at an ante"):
        risk(maths.solve(MISSISSIPPI))


# The command ------------------------------------------------------------------------------------


def test_the_command_as_json():
    told = run(
        "risk", CARIBBEAN, "--ante", "10", "--wager", "progressive=1", "--meter", "200,000",
        "--hours", "1h", "--hours", "90m", "--lose", "100", "--bankroll", "300", "--goal", "500",
        "--jackpot-by", "2099-12-31", "--json",
    ).json  # fmt: skip
    assert told["wagers_cents"] == {"progressive": 100}
    assert [span["rounds"] for span in told["spans"]] == [40, 60]
    for span in told["spans"]:
        assert span["error"] == 0
        assert span["ahead"] + span["behind"] < 1
        assert span["loses_more"][0]["chance"] < span["behind"]
        worst = span["shortfall_cents"]
        assert worst["1"] < worst["5"] < span["percentiles_cents"]["5"] < span["mean_cents"]
    bankroll = told["bankroll"]
    assert bankroll["rounds"] == 60
    assert bankroll["ruined"] < bankroll["for_ever"]["ruined"]
    assert bankroll["curve"][-1] == {"rounds": 60, "ruined": bankroll["ruined"]}
    assert told["jackpot"]["by_then"] > 0.9
    assert told["sampled_rounds"] == 0
    assert told["n0"] > 0


def test_the_command_for_people():
    told = run(
        "risk", CARIBBEAN, "--ante", "25", "--hours", "1h", "--seats", "3", "--bankroll", "500",
        "--bonus", "100", "--turnover", "500",
    ).out  # fmt: skip
    for said in (
        "caps as for one player alone",
        "Rounds until the edge is one deviation (N0)",
        "worst 5 of 100, on average",
        "Exact.",
        "for as long as it takes 100.0000% are ruined",
        "correlation of two seats",
        "Simulated: from 1,048,576 rounds that were dealt, not counted.",
        "bonus less turnover times edge",
    ):
        assert said in told
    *_, last = told.splitlines()
    assert re.fullmatch(r"Exact to \de-\d\d\.", last)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--wager", "lo-ball"), "not SPOT=MONEY"),
        (("--wager", "lo-ball=x"), "is not money"),
        (("--wager", "lo-ball=5"), "no side wager 'lo-ball'"),
        (("--wager", "progressive=1", "--wager", "progressive=2"), "has one stake"),
        (("--goal", "500"), "give --bankroll"),
        (("--bankroll", "5"), "at least one ante"),
        (("--bonus", "500"), "a bonus has a turnover"),
        (("--deposit", "500"), "give --bonus"),
        (("--ante", "0"), "an ante is more than nothing"),
        (("--bonus", "500", "--turnover", "5,000,000"), "1 to 5,000 antes"),
        (("--jackpot-by", "tomorrow"), "not a date such as"),
        (("--jackpot-by", "1999-01-01"), "days off"),
        (("--hours", "900h"), "1 to 10,000 rounds"),
        (("--hours", "0h"), "a time here is up to"),
        (("--seats", "9"), "1 to 6 seats"),
        (("--seats", "2", "--wager", "progressive=1"), "main wagers alone"),
    ],
)
def test_what_the_command_refuses(arguments, why):
    assert why in complaint("risk", CARIBBEAN, "--ante", "10", *arguments)


@pytest.mark.parametrize(("days", "said"), [(0, "1 day"), (1, "2 days"), (36_000, "36,001 days")])
def test_a_jackpot_is_told_in_one_column_however_far_off_its_date(days, said):
    by = str(date.today() + timedelta(days))
    out = run("risk", CARIBBEAN, "--jackpot-by", by).out.splitlines()
    at = next(n for n, line in enumerate(out) if line.startswith("The jackpot"))
    assert out[at + 1].startswith(f"  won within {said} ")
    assert len({len(line) for line in out[at + 1 : at + 7]}) == 1


def test_a_game_without_a_progressive_has_no_meter():
    assert "has no progressive" in complaint("risk", CAJUN, "--meter", "500")
    assert "none has a date" in complaint("risk", CAJUN, "--jackpot-by", "2099-12-31")
