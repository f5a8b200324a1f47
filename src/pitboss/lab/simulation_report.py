"""What a simulation found: as one plain value, and as a page for people made from that alone."""

from fractions import Fraction
from math import sqrt
from typing import Any

import msgspec

from pitboss.lab.simulate import Job, PlayerSession, RoundCounts, agreement, percentile
from pitboss.maths.price import ratio
from pitboss.rulebook import Rulebook

PARTS = (1, 5, 25, 50, 75, 95, 99)
"""Percentiles of a session's bankroll."""


def as_json(job: Job, tally: RoundCounts) -> dict[str, Any]:
    """Return what came about beside what was to be expected, as the contract has it."""
    found = agreement(job, tally)
    written = {
        "done_rounds": tally.rounds,
        "seat_rounds": tally.rounds * job.kernel.seats,
        "value": found.mean,
        "house_edge": -found.mean,
        "standard_deviation": found.standard_deviation,
        "standard_error": found.standard_error,
        "interval": list(found.interval),
        "exact": ratio(found.exact),
        "z": found.z,
        "worst_z": found.worst,
        "events": [msgspec.structs.asdict(event) for event in found.events],
        "outcomes": [
            {"event": e.event, "stake": e.stake, "net": e.net_units / job.units, "count": count}
            for e, count in zip(job.outcomes, tally.counts, strict=True)
            if count
        ],
    }
    return written if job.session is None else written | {"session": _session(job.session, tally)}


def _session(session: PlayerSession, tally: RoundCounts) -> dict[str, Any]:
    many, last = tally.rounds // session.rounds, tally.bankrolls[-1]
    start, risk = session.bankroll_cents, tally.ruined[-1] / many
    return {
        "sessions": many,
        "rounds": session.rounds,
        "bankroll_cents": start,
        "ante_cents": session.ante_cents,
        "risk_of_ruin": risk,
        "risk_of_ruin_error": sqrt(risk * (1 - risk) / many),
        "ends_ahead": sum(n for cents, n in last.items() if cents > start) / many,
        "mean_cents": sum(cents * n for cents, n in last.items()) / many - start,
        "percentiles_cents": _percentiles(last),
        "curve": [
            {"rounds": mark, "ruined": ruined / many, "percentiles_cents": _percentiles(held)}
            for mark, ruined, held in zip(session.marks, tally.ruined, tally.bankrolls, strict=True)
        ],
    }


def _percentiles(held: dict[int, int]) -> dict[int, int]:
    return {part: percentile(held, part / 100) for part in PARTS}


def as_text(book: Rulebook, told: dict[str, Any]) -> str:
    done, rounds, seats, ante = (told[k] for k in ("done_rounds", "rounds", "seats", "ante_cents"))
    caps = "caps left out"
    if ante is not None:
        caps = f"ante {book.money(ante)}, caps as for one player alone"
    out = [f"{book.game}, {book.house}", f"rules {book.sha256[:16]}, {caps}"]
    if done < rounds:
        out.append(f"stopped after {done:,} of {rounds:,} rounds")
    low, high = told["interval"]
    play = "best play" if told["strategy"] == "best" else f"strategy {told['strategy']}"
    for label, value in (
        ("Played", f"{play}, seed {told['seed']}"),
        ("Rounds", f"{done:,}" + (f" of {seats} seats" if seats > 1 else "")),
        ("House edge, of the ante", f"{told['house_edge']:.5%}"),
        ("  95 of 100 times within", f"{-high:.5%} to {-low:.5%}"),
        ("  exactly", f"{float(-Fraction(told['exact'])):.5%}"),
        ("  z-score", f"{told['z']:+.2f}"),
        ("Standard deviation, antes", f"{told['standard_deviation']:.5f}"),
        ("Rounds a second", f"{told['rounds_s']:,.0f}"),
    ):
        out.append(f"{label:<28}{value:>32}")
    out += ["", f"{'what happened':<26}{'times':>18}{'share':>12}{'exactly':>12}{'z':>8}"]
    for event in told["events"]:
        z = "rare" if event["z"] is None else f"{event['z']:+.2f}"
        shares = f"{event['frequency']:>12.4%}{event['exact']:>12.4%}"
        out.append(f"{event['event']:<26}{event['count']:>18,}{shares}{z:>8}")
    worst = told["worst_z"]
    agrees = "agrees with" if abs(worst) < 4 else "DISAGREES with"
    out += ["", f"The simulation {agrees} the exact value: largest z-score {worst:+.2f}"]
    if "session" in told:
        out += ["", *_session_text(book, told["session"])]
    return "\n".join(out)


def _session_text(book: Rulebook, told: dict[str, Any]) -> list[str]:
    start, mean = told["bankroll_cents"], round(told["mean_cents"])
    risk, error = told["risk_of_ruin"], told["risk_of_ruin_error"]
    many, ends = told["sessions"], told["percentiles_cents"].values()
    return [
        f"{many:,} sessions of {told['rounds']:,} rounds, each with {book.money(start)}",
        f"Risk of ruin {risk:.3%} (error {error:.3%}): less left than an ante",
        f"Ends ahead {told['ends_ahead']:.3%}; on average {book.signed(mean)}",
        "",
        "percentile " + "".join(f"{part:>10}" for part in PARTS),
        "won or lost" + "".join(f"{(cents - start) / 100:>+10,.0f}" for cents in ends),
        "",
        *_plot(told["curve"]),
    ]


def _plot(curve: list[dict[str, Any]], height: int = 14) -> list[str]:
    """Draw the bankroll over time: o the median, : half of all sessions, . nine of ten."""
    marks: list[dict[int, int]] = [each["percentiles_cents"] for each in curve]
    top, bottom = max(held[95] for held in marks), min(held[5] for held in marks)
    step = max(1, -(-(top - bottom) // (height - 1)))
    rows = [{part: (cents - bottom) // step for part, cents in held.items()} for held in marks]
    out = []
    for at in range(height - 1, -1, -1):
        line = "".join(_spot(at, held) for held in rows)
        out.append(f"{(bottom + at * step) / 100:>12,.0f} |{line}".rstrip())
    ends = f"{curve[0]['rounds']:,}"
    out.append(" " * 13 + "+" + "-" * len(marks))
    out.append(f"{'rounds':>12}  {ends}{curve[-1]['rounds']:>{max(1, len(marks) - len(ends))},}")
    return [*out, "o median   : half of all sessions   . nine of ten"]


def _spot(at: int, held: dict[int, int]) -> str:
    if at == held[50]:
        return "o"
    if held[25] <= at <= held[75]:
        return ":"
    return "." if held[5] <= at <= held[95] else " "
