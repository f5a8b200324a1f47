"""Write the journal of a small evening as SQL text: one is kept here for each released version.

Before a release, ``python -m tests.journals.write`` writes that of this version, and it is never
written again afterwards. The one of 0.1.0 was written by the program of that version in this way.
"""

import asyncio
import gzip
import sqlite3
import tempfile
from pathlib import Path

import pitboss
from tests.house.played import CAJUN, Played

KEPT = Path(__file__).parent


async def evening(where: str) -> None:
    """Wagers for chips with a payoff to approve and winnings that are held, and for play chips."""
    played = Played(where)
    await played.house.start()
    await played.everybody()
    name = await played.open("sam", CAJUN)
    await played.sit(name, "ann", "bob", "eve")
    await played.capped(name)
    await played.misdeal(name)
    await played.practice()
    await played.afterwards()
    await played.house.stop()


def sql(where: str) -> str:
    """Return a database as the statements that make it."""
    connection = sqlite3.connect(where)
    lines = "\n".join(connection.iterdump())
    connection.close()
    return lines


def main() -> None:
    """Write it."""
    with tempfile.TemporaryDirectory() as folder:
        where = str(Path(folder) / "house.db")
        asyncio.run(evening(where))
        written = gzip.compress(sql(where).encode("utf-8"), mtime=0)
    (KEPT / f"{pitboss.__version__}.sql.gz").write_bytes(written)


if __name__ == "__main__":
    main()
