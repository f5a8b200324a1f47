"""``pitboss simulate``: rounds by the million, beside the exact value."""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, ProcessPoolExecutor, wait
from contextlib import closing, contextmanager
from decimal import Decimal, InvalidOperation
from itertools import islice
from math import sqrt
from pathlib import Path
from typing import Any, Literal

import click
import msgspec

from pitboss.cli.common import MONEY, json_option, write_json
from pitboss.errors import Unreadable
from pitboss.maths.report import ratio
from pitboss.maths.simulate import (
    Agreement,
    Job,
    Session,
    Tally,
    add,
    agreement,
    percentile,
    prepare,
    run,
    total,
)
from pitboss.maths.strategies import NAMED
from pitboss.rulebook import Rulebook, load

BATCH = 4
"""Blocks that a worker does at a time."""

BEST = "best"
MOST_ROUNDS = 10**14
MOST_HOURS = 1000
SAVE_SECONDS = 1.0
PARTS = (1, 5, 25, 50, 75, 95, 99)
"""Percentiles of a session's bankroll."""


class Rounds(click.ParamType[int]):
    """A number of rounds on the command line: ``1e9``, ``1_000_000``."""

    name = "rounds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read it, or say what would be right."""
        try:
            number = Decimal(str(value).replace(",", ""))
        except InvalidOperation:
            self.fail(f"{str(value)[:20]!r} is not a number such as 1e6", param, ctx)
        if not number.is_finite() or not 1 <= number <= MOST_ROUNDS or number % 1:
            self.fail(f"simulate 1 to {MOST_ROUNDS:.0e} whole rounds, not {value}", param, ctx)
        return int(number)


class Hours(click.ParamType[Decimal]):
    """A length of time on the command line: ``4h``, ``90m``."""

    name = "hours"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Decimal:
        """Read it, or say what would be right."""
        if isinstance(value, Decimal):
            return value
        number, unit = value[:-1], value[-1:].lower()
        try:
            hours = Decimal(number) / {"h": 1, "m": 60}[unit]
        except (InvalidOperation, KeyError):
            self.fail(f"{value[:20]!r} is not a time such as 4h or 90m", param, ctx)
        if not (hours.is_finite() and 0 < hours <= MOST_HOURS):
            self.fail(f"a session is up to {MOST_HOURS:,} hours long, not {value[:20]}", param, ctx)
        return hours


@click.command("simulate")
@click.argument("rulebook")
@click.option("--rounds", type=Rounds(), default="1e7", show_default=True, help="Such as 1e9.")
@click.option(
    "--strategy", type=click.Choice([BEST, *NAMED]), default=BEST, show_default=True, help="Whose."
)
@click.option("--seats", type=int, default=1, show_default=True, help="Dealt from one deck.")
@click.option("--seed", type=click.IntRange(0), default=7, show_default=True)
@click.option("--workers", type=click.IntRange(1, 1024), help="Processes; every core, if not said.")
@click.option("--ante", type=MONEY, help="Apply caps at this ante, for one player alone.")
@click.option("--minimum", type=MONEY, help="The posted minimum, which a cap may grow with.")
@click.option("--session", "hours", type=Hours(), help="Play sessions as long as this: 4h.")
@click.option("--bankroll", type=MONEY, help="What a session begins with.")
@click.option("--hands-per-hour", type=click.IntRange(1, 1000), default=40, show_default=True)
@click.option("--resume", type=click.Path(path_type=Path), help="Save progress here, and go on.")
@json_option
def command(
    rulebook: str,
    rounds: int,
    strategy: str,
    seats: int,
    seed: int,
    workers: int | None,
    ante: int | None,
    minimum: int | None,
    hours: Decimal | None,
    bankroll: int | None,
    hands_per_hour: int,
    resume: Path | None,
    as_json: bool,
) -> None:
    """Deal a RULEBOOK's rounds by the million and compare them with the exact value."""
    book = load(rulebook)
    if (hours is None) != (bankroll is None):
        raise Unreadable("a session has a length and a bankroll: --session 4h --bankroll 500")
    if hours is not None and ante is None:
        ante = int(book.limits.minimum.lowest or 0) or None
    job = prepare(
        book,
        rounds=rounds,
        seed=seed,
        strategy=NAMED.get(strategy),
        seats=seats,
        ante_cents=ante,
        minimum_cents=minimum,
        session_rounds=None if hours is None else int(hours * hands_per_hour),
        bankroll_cents=bankroll or 0,
    )
    what = {
        "rulebook": book.id,
        "sha256": book.sha256,
        "strategy": strategy,
        "seats": seats,
        "seed": seed,
        "ante_cents": ante,
        "minimum_cents": minimum,
        "rounds": job.rounds,
        "session": None if job.session is None else _plain(job.session),
    }
    done = _simulate(job, _Progress(job, what, resume), workers or os.cpu_count() or 1)
    if not done.tally.rounds:
        raise click.Abort
    if as_json:
        write_json(_json(job, what, done))
    else:
        click.echo(_text(book, job, what, done))
    if done.tally.rounds < job.rounds:
        sys.exit(130)


def _plain(session: Session) -> Any:
    """Return a session as a file would give it back."""
    return msgspec.json.decode(msgspec.json.encode(session))


# Running ----------------------------------------------------------------------------------------


class _Saved(msgspec.Struct, forbid_unknown_fields=True):
    """A simulation on its way, as it is kept in a file."""

    format: Literal[1]
    simulation: dict[str, Any]
    """What is simulated; a file of another simulation is refused."""
    done: list[int]
    """The first block of each batch that is done."""
    tally: Tally


class _Progress:
    """What is done so far, kept in a file if there is one."""

    def __init__(self, job: Job, what: dict[str, Any], path: Path | None) -> None:
        self.path, self.what = path, what
        self._done, self._kept = list[int](), (total(job, ()), 0)
        self.before_rounds, self.seconds = 0, 0.0
        self._saved_at = 0.0
        if path is not None and path.exists():
            self._load(job, path)
        self.save()

    def _load(self, job: Job, path: Path) -> None:
        try:
            saved = msgspec.json.decode(path.read_bytes(), type=_Saved)
        except (OSError, msgspec.DecodeError) as error:
            raise Unreadable(f"not a saved simulation: {error}", str(path)) from None
        if saved.simulation != self.what:
            others = [key for key in self.what if saved.simulation.get(key) != self.what[key]]
            raise Unreadable(f"holds another simulation: {', '.join(others)} differ", str(path))
        rounds = sum(_rounds(job, first) for first in saved.done)
        known = set(saved.done) <= set(_firsts(job)) and len(set(saved.done)) == len(saved.done)
        counted = len(saved.tally.counts) == len(job.endings)
        hands = saved.tally.rounds * job.kernel.seats
        if not (
            known and counted and rounds * job.kernel.seats == hands == sum(saved.tally.counts)
        ):
            raise Unreadable("its counts do not add up", str(path))
        self._done, self._kept = saved.done, (saved.tally, len(saved.done))
        self.before_rounds = rounds

    @property
    def tally(self) -> Tally:
        """What the batches that are done come to."""
        return self._kept[0]

    @property
    def done(self) -> list[int]:
        """The first block of each batch that is done."""
        return self._done[: self._kept[1]]

    def add(self, first: int, tally: Tally) -> None:
        """Take in a batch."""
        self._done.append(first)
        # Both at once, or Ctrl-C might come between the two.
        self._kept = (add(self.tally, tally), len(self._done))
        if time.monotonic() - self._saved_at > SAVE_SECONDS:
            self.save()

    def save(self) -> None:
        """Write the file so that it is there whole or not at all."""
        if self.path is None:
            return
        written = msgspec.json.encode(_Saved(1, self.what, sorted(self.done), self.tally))
        beside = self.path.with_name(self.path.name + ".new")
        try:
            with beside.open("wb") as file:
                file.write(written)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self.path)
        except OSError as error:
            raise Unreadable(f"cannot be written: {error.strerror}", str(self.path)) from None
        self._saved_at = time.monotonic()


def _firsts(job: Job) -> range:
    return range(0, job.blocks, BATCH)


def _rounds(job: Job, first: int) -> int:
    """How many rounds the batch that begins with this block has."""
    return min(BATCH * job.block_rounds, job.rounds - first * job.block_rounds)


def _batch(job: Job, first: int) -> Tally:
    return total(job, (run(job, at) for at in range(first, min(first + BATCH, job.blocks))))


def _simulate(job: Job, progress: _Progress, workers: int) -> _Progress:
    """Run what is not done yet; an interruption ends it early, and nothing is lost."""
    done = set(progress.done)
    wanted = [first for first in _firsts(job) if first not in done]
    start = time.perf_counter()
    with _bar(job) as show, closing(_batches(job, wanted, workers)) as batches:
        try:
            show(progress.tally.rounds)
            for first, tally in batches:
                progress.add(first, tally)
                show(progress.tally.rounds)
        except KeyboardInterrupt:
            pass
        except BrokenExecutor:
            progress.save()
            raise Unreadable("a worker died; --resume goes on from what is saved") from None
    progress.seconds = time.perf_counter() - start
    progress.save()
    return progress


def _batches(job: Job, wanted: list[int], workers: int) -> Generator[tuple[int, Tally], None, None]:
    """Yield the batches as they come, from one process or several."""
    if workers == 1 or len(wanted) < 2:
        yield from ((first, _batch(job, first)) for first in wanted)
        return
    waiting = iter(wanted)
    # Threads may be running here, so processes start afresh.
    fresh = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(workers, len(wanted)), fresh, _begin, (job,))
    try:
        pending = {pool.submit(_work, first): first for first in islice(waiting, 2 * workers)}
        while pending:
            for future in wait(pending, return_when=FIRST_COMPLETED).done:
                yield pending.pop(future), future.result()
                pending |= {pool.submit(_work, first): first for first in islice(waiting, 1)}
    finally:
        pool.shutdown(cancel_futures=True)


_JOBS: list[Job] = []
"""A worker's own: the job is sent to it once."""


def _begin(job: Job) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # Once something this large was freed, the allocator keeps memory instead of giving it back
    # after every step; without it a worker spends a third of its time on that.
    bytearray(1 << 24)
    _JOBS[:] = [job]


def _end_with_parent() -> None:
    """Leave no worker behind that waits for a parent who was killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(first: int) -> Tally:
    return _batch(_JOBS[0], first)


@contextmanager
def _bar(job: Job) -> Iterator[Callable[[int], None]]:
    """A progress bar, where somebody looks at it."""
    if not sys.stderr.isatty():
        yield lambda _rounds: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("rounds"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("rounds", total=job.rounds)
        yield lambda rounds: shown.update(task, completed=rounds)


# Saying -----------------------------------------------------------------------------------------


def _speed(done: _Progress, seats: int) -> float:
    """Seat-rounds a second in this run."""
    return (done.tally.rounds - done.before_rounds) * seats / max(done.seconds, 1e-9)


def _json(job: Job, what: dict[str, Any], done: _Progress) -> dict[str, Any]:
    tally, seats = done.tally, job.kernel.seats
    found = agreement(job, tally)
    written = {
        **{key: value for key, value in what.items() if key != "session"},
        "done_rounds": tally.rounds,
        "seat_rounds": tally.rounds * seats,
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
            for e, count in zip(job.endings, tally.counts, strict=True)
            if count
        ],
        "seconds": done.seconds,
        "rounds_s": _speed(done, seats),
    }
    if job.session is not None:
        written["session"] = _session_json(job.session, tally)
    return written


def _session_json(session: Session, tally: Tally) -> dict[str, Any]:
    many, last = tally.rounds // session.rounds, tally.bankrolls[-1]
    risk = tally.ruined[-1] / many
    mean = sum(cents * n for cents, n in last.items()) / many - session.bankroll_cents
    return {
        "sessions": many,
        "rounds": session.rounds,
        "bankroll_cents": session.bankroll_cents,
        "ante_cents": session.ante_cents,
        "risk_of_ruin": risk,
        "risk_of_ruin_error": sqrt(risk * (1 - risk) / many),
        "ends_ahead": sum(n for cents, n in last.items() if cents > session.bankroll_cents) / many,
        "mean_cents": mean,
        "percentiles_cents": {p: percentile(last, p / 100) for p in PARTS},
        "curve": [
            {
                "rounds": mark,
                "ruined": ruined / many,
                "percentiles_cents": {p: percentile(held, p / 100) for p in PARTS},
            }
            for mark, ruined, held in zip(session.marks, tally.ruined, tally.bankrolls, strict=True)
        ],
    }


def _text(book: Rulebook, job: Job, what: dict[str, Any], done: _Progress) -> str:
    tally, seats = done.tally, job.kernel.seats
    found = agreement(job, tally)
    out = [f"{book.game}, {book.house}", f"rules {book.sha256[:16]}, {_stake(what)}"]
    if tally.rounds < job.rounds:
        out.append(f"stopped after {tally.rounds:,} of {job.rounds:,} rounds")
    low, high = found.interval
    play = "best play" if what["strategy"] == BEST else f"strategy {what['strategy']}"
    for label, value in (
        ("Played", f"{play}, seed {job.seed}"),
        ("Rounds", f"{tally.rounds:,}" + (f" of {seats} seats" if seats > 1 else "")),
        ("House edge, of the ante", f"{-found.mean:.5%}"),
        ("  95 of 100 times within", f"{-high:.5%} to {-low:.5%}"),
        ("  exactly", f"{float(-found.exact):.5%}"),
        ("  z-score", f"{found.z:+.2f}"),
        ("Standard deviation, antes", f"{found.standard_deviation:.5f}"),
        ("Rounds a second", f"{_speed(done, seats):,.0f}"),
    ):
        out.append(f"{label:<28}{value:>32}")
    out += ["", *_events(found)]
    if job.session is not None:
        out += ["", *_session_text(_session_json(job.session, tally))]
    return "\n".join(out)


def _stake(what: dict[str, Any]) -> str:
    if what["ante_cents"] is None:
        return "caps left out"
    return f"ante {what['ante_cents'] / 100:,.2f}, caps as for one player alone"


def _events(found: Agreement) -> list[str]:
    out = [f"{'what happened':<26}{'times':>18}{'share':>12}{'exactly':>12}{'z':>8}"]
    for event in found.events:
        z = "rare" if event.z is None else f"{event.z:+.2f}"
        shares = f"{event.frequency:>12.4%}{event.exact:>12.4%}"
        out.append(f"{event.event:<26}{event.count:>18,}{shares}{z:>8}")
    agrees = "agrees with" if abs(found.worst) < 4 else "DISAGREES with"
    return [
        *out,
        "",
        f"The simulation {agrees} the exact value: largest z-score {found.worst:+.2f}",
    ]


def _session_text(told: dict[str, Any]) -> list[str]:
    start = told["bankroll_cents"]
    risk, error = told["risk_of_ruin"], told["risk_of_ruin_error"]
    mean = told["mean_cents"] / 100
    ends = told["percentiles_cents"].values()
    out = [
        f"{told['sessions']:,} sessions of {told['rounds']:,} rounds, each with {start / 100:,.2f}",
        f"Risk of ruin {risk:.3%} (error {error:.3%}): less left than an ante",
        f"Ends ahead {told['ends_ahead']:.3%}; on average {mean:+,.2f}",
        "",
        "percentile " + "".join(f"{part:>10}" for part in PARTS),
        "won or lost" + "".join(f"{(cents - start) / 100:>+10,.0f}" for cents in ends),
        "",
    ]
    return out + _plot(told["curve"])


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
