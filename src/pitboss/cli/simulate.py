"""``pitboss simulate``: rounds by the million, beside the exact value."""

import os
import sys
import time
from collections.abc import Generator
from concurrent.futures import BrokenExecutor
from contextlib import closing
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any, Literal

import click
import msgspec
from msgspec.structs import replace

from pitboss.cli.common import (
    MONEY,
    hours_of,
    json_option,
    progress,
    stake_options,
    whole_number,
    write_json,
)
from pitboss.cli.saved_work import own_file, read, write
from pitboss.cli.workers import as_completed, do_task, processes
from pitboss.errors import Unreadable
from pitboss.lab.simulate import Job, RoundCounts, add, prepare, run, total
from pitboss.lab.simulation_report import as_json as report_json
from pitboss.lab.simulation_report import as_text
from pitboss.maths.price import USUAL_ANTE_CENTS
from pitboss.maths.strategies import MADE, NAMED, named
from pitboss.rulebook import load

BATCH = 4
"""Blocks that a worker does at a time."""

BEST = "best"
MOST_ROUNDS = 10**14
SAVE_SECONDS = 1.0


@click.command("simulate")
@click.argument("rulebook")
@click.option(
    "--rounds",
    type=whole_number("simulate", "rounds", 1, MOST_ROUNDS),
    metavar="ROUNDS",
    default="1e7",
    show_default=True,
    help="Such as 1e9.",
)
@click.option(
    "--strategy",
    type=click.Choice([BEST, *NAMED, *MADE]),
    default=BEST,
    show_default=True,
    help="Whose.",
)
@click.option("--seats", type=int, default=1, show_default=True, help="Dealt from one deck.")
@click.option("--seed", type=click.IntRange(0), default=7, show_default=True)
@click.option("--workers", type=click.IntRange(1, 1024), help="Processes; every core, if not said.")
@stake_options
@click.option(
    "--session", "hours", type=hours_of, metavar="HOURS", help="Play sessions as long as this: 4h."
)
@click.option("--bankroll", type=MONEY, help="What a session begins with.")
@click.option("--hands-per-hour", type=click.IntRange(1, 1000), default=40, show_default=True)
@click.option("--resume", type=click.Path(path_type=Path), help="Keep progress here, and go on.")
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
        ante = book.limits.minimum.least(USUAL_ANTE_CENTS)
    job = prepare(
        book,
        rounds=rounds,
        seed=seed,
        strategy=None if strategy == BEST else named(book, strategy),
        # Who else sits there makes no difference to one player's sessions.
        seats=seats if hours is None else min(seats, 1),
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
        # As a file gives it back, for comparing.
        "session": msgspec.json.decode(msgspec.json.encode(job.session)),
    }
    path = resume or own_file("simulations", what)
    saved = _load(job, what, path)
    if resume is None and saved.done:
        click.echo(f"going on where this was interrupted: {path}", err=True)
    before, start = saved.tally.rounds, time.perf_counter()
    tally = _simulate(job, saved, path, workers or os.cpu_count() or 1).tally
    if resume is None and tally.rounds == job.rounds:
        path.unlink(missing_ok=True)
    seconds = time.perf_counter() - start
    if not tally.rounds:
        raise click.Abort
    speed = (tally.rounds - before) * seats / max(seconds, 1e-9)
    del what["session"]
    told = {**what, **report_json(job, tally), "seconds": seconds, "rounds_s": speed}
    if as_json:
        write_json(told)
    else:
        click.echo(as_text(book, told))
    if tally.rounds < job.rounds:
        click.echo("interrupted: the same command goes on from here", err=True)
        sys.exit(130)


class _Saved(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A simulation on its way, as it is kept in a file."""

    format: Literal[1]
    simulation: dict[str, Any]
    """What is simulated; a file of another simulation is refused."""
    done: tuple[int, ...]
    """The first block of each batch that is done."""
    tally: RoundCounts


def _load(job: Job, what: dict[str, Any], path: Path) -> _Saved:
    """Return where a simulation stands by its file; at its beginning where there is none yet."""
    if not path.exists():
        return _Saved(1, what, (), total(job, ()))
    saved = read(path, "simulation", _Saved)
    if saved.simulation != what:
        others = [key for key in what if saved.simulation.get(key) != what[key]]
        raise Unreadable(f"holds another simulation: {', '.join(others)} differ", str(path))
    done, tally = set(saved.done), saved.tally
    rounds = sum(
        min(BATCH * job.block_rounds, job.rounds - first * job.block_rounds) for first in done
    )
    if (
        not done <= set(_firsts(job))
        or len(done) < len(saved.done)
        or len(tally.counts) != len(job.outcomes)
        or tally.rounds != rounds
        or sum(tally.counts) != rounds * job.kernel.seats
    ):
        raise Unreadable("its counts do not add up", str(path))
    return saved


def _save(saved: _Saved, path: Path) -> float:
    """Write the file so that it is there whole or not at all; return when that was."""
    write(path, msgspec.json.encode(saved))
    return time.monotonic()


def _firsts(job: Job) -> range:
    return range(0, job.blocks, BATCH)


def _batch(job: Job, first: int) -> RoundCounts:
    return total(job, (run(job, at) for at in range(first, min(first + BATCH, job.blocks))))


def _simulate(job: Job, saved: _Saved, path: Path, workers: int) -> _Saved:
    """Run what is not done yet; an interruption ends it early, and nothing is lost."""
    done = set(saved.done)
    wanted = [first for first in _firsts(job) if first not in done]
    saved_at = _save(saved, path)
    with (
        progress("rounds", length=job.rounds) as bar,
        closing(_batches(job, wanted, workers)) as batches,
    ):
        try:
            bar.update(saved.tally.rounds)
            for first, tally in batches:
                # In one step, so that Ctrl-C finds both or neither.
                saved = replace(saved, done=(*saved.done, first), tally=add(saved.tally, tally))
                bar.update(tally.rounds)
                if time.monotonic() - saved_at > SAVE_SECONDS:
                    saved_at = _save(saved, path)
        except KeyboardInterrupt:
            pass
        except BrokenExecutor:
            _save(saved, path)
            raise Unreadable("a worker died; the same command goes on from there") from None
    _save(saved, path)
    return saved


def _batches(
    job: Job, wanted: list[int], workers: int
) -> Generator[tuple[int, RoundCounts], None, None]:
    """Yield the batches as they come, from one process or several."""
    if workers == 1 or len(wanted) < 2:
        yield from ((first, _batch(job, first)) for first in wanted)
        return
    pool = processes(min(workers, len(wanted)), partial(_batch, job))
    yield from as_completed(pool, workers, do_task, wanted)
