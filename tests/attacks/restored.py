"""Houses at work whose database is copied, and put back."""

import contextlib
import sqlite3
from pathlib import Path
from urllib.parse import urlsplit

from pitboss.house.house import House
from pitboss.house.table import commands as c
from pitboss.round import actions as a
from pitboss.rulebook import Rulebook
from tests.conftest import fresh_database
from tests.helpers import DIAMOND_JO
from tests.house.clocked_house import seed


async def at_work(house: House, *, betting: bool, book: Rulebook = DIAMOND_JO) -> str:
    """Open a table where Ann has bet, or is still to bet; its name."""
    await seed(house, "ann", ("player",), 1_000_00)
    await seed(house, "bob", ("player",), 1_000_00)
    opens = c.OpenTable(book.id, practice=True)
    name, _ = await house.open_table("ann", opens, "open")
    await house.command(name, "ann", c.Sit(1), "sit")
    if not betting:
        await house.command(name, "ann", a.Bet(1, {"ante": 10_00}), "bet", "1.bet")
    return name


def put_back(where: str, copy: Path) -> None:
    with (
        contextlib.closing(sqlite3.connect(copy)) as kept,
        contextlib.closing(sqlite3.connect(where)) as house,
    ):
        kept.backup(house)


def copied(where: str, path: Path) -> str:
    """Copy a house that is closed to a place of another name, and return it."""
    if "://" not in where:
        put_back(str(path), Path(where))
        return str(path)
    name = urlsplit(where).path[1:]
    return fresh_database(where.replace(f"/{name}?", "/postgres?"), like=name)
