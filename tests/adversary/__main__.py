"""``./pit test --adversary MINUTES [--seed N]``: night after night, each with the next seed.

Even seeds have SQLite, odd ones PostgreSQL. Exit code 1 where anything was found.
"""

import argparse
import asyncio
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import get_args

from pitboss.house.table.commands import Command
from tests.adversary.checks import PERSON_ACTS
from tests.adversary.program import Starter
from tests.adversary.run import Night
from tests.conftest import MEMORY, fresh_database, postgres_running

NIGHT = 60.0
"""Seconds: what is wrong is found soon, and with a seed that shows it again."""
TOLD = (
    *("steps", "no answer", "done", "rounds", "kills", "stops", "pauses", "slows", "breaks"),
    *("skews", "backs_up", "restores"),
)
EVERYTHING = {
    *(each.__struct_config__.tag for each in get_args(Command)),
    *("open-table", "play-chips", *PERSON_ACTS.values()),
}
"""All that people can ask for."""


def main() -> int:
    read = argparse.ArgumentParser(prog="./pit test --adversary", description=__doc__)
    read.add_argument("minutes", type=float)
    read.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    given = read.parse_args()
    sums: Counter[str] = Counter()
    acts: Counter[str] = Counter()
    findings, seed = 0, given.seed
    until = time.monotonic() + 60 * given.minutes
    with ExitStack() as open_now:
        starter = Starter()
        open_now.callback(starter.close)
        postgres = open_now.enter_context(postgres_running())
        while (left := until - time.monotonic()) > 0:
            seconds = min(NIGHT, left)
            with tempfile.TemporaryDirectory(prefix="pb", dir=MEMORY) as folder:
                where = fresh_database(postgres) if seed % 2 else f"{folder}/house.db"
                night = Night(seed, where, Path(folder), starter)
                asyncio.run(night.run(seconds))
                kept = _kept(night) if night.record.findings else None
            counts, found = night.record.counts, night.record.findings
            told = ", ".join(f"{each} {counts[each]:,}" for each in TOLD)
            print(
                f"seed {seed} ({'PostgreSQL' if seed % 2 else 'SQLite'},"
                f" {len(night.premises.servers)} servers): {told};"
                f" {night.steps / night.seconds:.0f} steps a second, findings {len(found)}",
                flush=True,
            )
            for each in found:
                print(f"  found: {each}")
            if found:
                print(f"  its database: {kept}")
                print(f"  again: ./pit test --adversary {seconds / 60:.2f} --seed {seed}")
            sums += counts
            acts += night.record.acts
            findings += len(found)
            seed += 1
    told = ", ".join(f"{each} {sums[each]:,}" for each in TOLD)
    print("done:", ", ".join(f"{name} {count:,}" for name, count in sorted(acts.items()) if name))
    print("never done:", ", ".join(sorted(EVERYTHING - acts.keys())) or "nothing")
    print(f"seeds {given.seed} to {seed - 1}: {told}, findings {findings}")
    return 1 if findings else 0


def _kept(night: Night) -> str:
    """Copy the database of a night to where it can be looked at; where that is."""
    night.premises.back_up()
    assert night.premises.copy is not None
    at = Path(tempfile.mkdtemp(prefix=f"adversary-{night.seed}-")) / "house"
    shutil.copyfile(night.premises.copy.at, at)
    return str(at)


if __name__ == "__main__":
    sys.exit(main())
