"""``pitboss shuffle-test``: is the shuffle fair? Millions of deals say so, or do not."""

import os
import sys
import time
from collections.abc import Callable, Generator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import closing
from decimal import Decimal, InvalidOperation
from functools import reduce
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import click
import msgspec

from pitboss.cards import SHUFFLE_BYTES
from pitboss.cli.common import json_option, write_json
from pitboss.errors import Unreadable
from pitboss.lab.battery import CONFIDENCE, DeckCounts, Verdict, add, count, judge
from pitboss.lab.decks import decks

FEWEST, MOST = 10_000, 10**12
PART = 1 << 13
"""Deals looked at in one go: small enough for the processor's cache."""


def _deals(written: str) -> int:
    """Read a number of deals: ``1e7``, ``20,000``."""
    try:
        number = Decimal(written.replace(",", ""))
    except InvalidOperation:
        raise click.BadParameter(f"{written[:20]!r} is not a number such as 1e7") from None
    if not number.is_finite() or not FEWEST <= number <= MOST or number % 1:
        what = f"test {FEWEST:,} to {MOST:.0e} whole deals, not {written[:20]}"
        raise click.BadParameter(what)
    return int(number)


@click.command("shuffle-test")
@click.option(
    "--deals", type=_deals, metavar="DEALS", default="1e7", show_default=True, help="Such as 1e8."
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
    bar: Any = click.progressbar(
        length=deals, label="deals", file=sys.stderr, hidden=not sys.stderr.isatty()
    )

    def part(size: int) -> DeckCounts:
        return count(decks(random_bytes, size))

    def seen(tally: DeckCounts) -> DeckCounts:
        bar.update(tally.deals)
        return tally

    with bar, closing(_tallies(part, deals, workers)) as tallies:
        return reduce(add, map(seen, tallies))


def _tallies(
    part: Callable[[int], DeckCounts], deals: int, workers: int
) -> Generator[DeckCounts, None, None]:
    """Yield the tallies of all parts as they come; threads do, since numpy lets them run."""
    sizes = (min(PART, deals - first) for first in range(0, deals, PART))
    pool = ThreadPoolExecutor(workers)
    try:
        pending = {pool.submit(part, size) for size in islice(sizes, 2 * workers)}
        while pending:
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            pending |= {pool.submit(part, size) for size in islice(sizes, len(done))}
            yield from (future.result() for future in done)
    finally:
        pool.shutdown(cancel_futures=True)


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
