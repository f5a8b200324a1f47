"""``pitboss shuffle-test``: is the shuffle fair? Millions of deals say so, or do not."""

import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import reduce
from pathlib import Path
from typing import BinaryIO

import click
import msgspec

from pitboss.cards import SHUFFLE_BYTES
from pitboss.cli.common import json_option, progress, whole_number, write_json
from pitboss.cli.workers import as_completed
from pitboss.errors import Unreadable
from pitboss.lab.random_deals import decks
from pitboss.lab.shuffle_tests import CONFIDENCE, DeckCounts, Verdict, add, count, judge

FEWEST, MOST = 10_000, 10**12
PART = 1 << 13
"""Deals looked at in one go: small enough for the processor's cache."""


@click.command("shuffle-test")
@click.option(
    "--deals",
    type=whole_number("test", "deals", FEWEST, MOST),
    metavar="DEALS",
    default="1e7",
    show_default=True,
    help="Such as 1e8.",
)
@click.option("--workers", type=click.IntRange(1, 1024), help="Threads; every core, if not said.")
@click.option(
    "--from",
    "path",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Shuffle with the bytes of this file, not the operating system's.",
)
@json_option
def command(deals: int, workers: int | None, path: Path | None, as_json: bool) -> None:
    """Shuffle as the house does, by the million, and test whether the cards are fair.

    A fair shuffle passes all tests together 99 times of 100. Exit code 1 says that it failed.
    """
    if path is not None and workers not in (None, 1):
        raise Unreadable("a file is read by one worker: leave out --workers or --from")
    start = time.perf_counter()
    if path is None:
        source = "the operating system"
        tally = _counted(os.urandom, deals, workers or os.cpu_count() or 1)
    else:
        source = str(path)
        with path.open("rb") as file:
            tally = _counted(_reader(file), deals, 1)
    verdict = judge(tally)
    seconds = time.perf_counter() - start
    if as_json:
        told = {"deals": deals, "source": source, "confidence": CONFIDENCE, "seconds": seconds}
        found = {"needed_p": verdict.needed, "fair": verdict.fair}
        write_json(told | found | {"tests": msgspec.to_builtins(verdict.results)})
    else:
        click.echo(f"{deals:,} deals in {seconds:.0f} s, with random bytes from {source}\n")
        click.echo(_as_text(verdict))
    if not verdict.fair:
        sys.exit(1)


def _reader(file: BinaryIO) -> Callable[[int], bytes]:
    def read(size: int) -> bytes:
        found = file.read(size)
        if len(found) < size:
            what = f"too short: a deal takes {SHUFFLE_BYTES} bytes, and a few another try"
            raise Unreadable(what, file.name)
        return found

    return read


def _counted(random_bytes: Callable[[int], bytes], deals: int, workers: int) -> DeckCounts:
    """Deal and count so many decks, with a progress bar on standard error."""
    bar = progress("deals", length=deals)

    def part(size: int) -> DeckCounts:
        return count(decks(random_bytes, size))

    def seen(size: int, counts: DeckCounts) -> DeckCounts:
        bar.update(size)
        return counts

    sizes = (min(PART, deals - first) for first in range(0, deals, PART))
    # Threads do, since numpy lets them run.
    done = as_completed(ThreadPoolExecutor(workers), workers, part, sizes)
    with bar, closing(done):
        return reduce(add, (seen(*each) for each in done))


def _as_text(verdict: Verdict) -> str:
    lines = [f"{'test':18}{'what is counted':45}{'chi-square':>10}{'freedom':>9}{'p':>9}"]
    for each in verdict.results:
        numbers = f"{each.statistic:10,.1f}{each.freedom:9,}{each.p:9.4f}"
        lines.append(f"{each.test:18}{each.what:45}{numbers}{'' if each.fair else '  FAILED'}")
    level = f"{CONFIDENCE:.0%} together: each p-value at least {verdict.needed:.5f}"
    if verdict.fair:
        return "\n".join([*lines, "", f"Fair. All {len(lines) - 1} tests passed ({level})."])
    failed = f"{len(verdict.failed)} of {len(verdict.results)} tests failed"
    return "\n".join([*lines, "", f"NOT FAIR. {failed} ({level})."])
