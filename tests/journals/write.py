"""Write the journal of a small evening as SQL text: one is kept here for each released version.

Before a release, ``python -m tests.journals.write 0.2.0`` writes that of this program; once it is
released it is never written again. That of 0.1.0 was written in this way by the program of then.
"""

import asyncio
import gzip
import sqlite3
import sys
import tempfile
from pathlib import Path

from tests.house.evening import play_a_little

KEPT = Path(__file__).parent


def sql(where: str) -> str:
    """Return a database as the statements that make it."""
    connection = sqlite3.connect(where)
    lines = "\n".join(connection.iterdump())
    connection.close()
    return lines


def main(version: str) -> None:
    """Write it."""
    with tempfile.TemporaryDirectory() as folder:
        where = str(Path(folder) / "house.db")
        asyncio.run(play_a_little(where))
        written = gzip.compress(sql(where).encode("utf-8"), mtime=0)
    (KEPT / f"{version}.sql.gz").write_bytes(written)


if __name__ == "__main__":
    main(sys.argv[1])
