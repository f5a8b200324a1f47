"""Journals last: one written by each released version is kept, opens, goes on and audits clean."""

import asyncio
import contextlib
import gzip
import itertools
import sqlite3
from pathlib import Path

import psycopg
import pytest

from pitboss.audit.audit import audit, audit_round
from pitboss.audit.snapshot import Snapshot
from pitboss.errors import PitbossError
from pitboss.house.replay import past, played
from pitboss.house.storage.reader import Unavailable
from pitboss.house.storage.store import Store
from pitboss.round import due
from tests.command import complaint
from tests.house.evening import START_AT, Evening
from tests.journals.write import KEPT, sql

REFUSED = {"0.1.0"}
"""Their payments do not say why they were made; they are refused with a sentence."""

JOURNALS = sorted(path.name.removesuffix(".sql.gz") for path in KEPT.glob("*.sql.gz"))
OPENED = [version for version in JOURNALS if version not in REFUSED]


def restore(version: str, where: str) -> None:
    """Make a database of a journal that was kept."""
    statements = gzip.decompress((KEPT / f"{version}.sql.gz").read_bytes()).decode("utf-8")
    if "://" not in where:
        with contextlib.closing(sqlite3.connect(where)) as connection:
            connection.executescript(statements)
        return
    with psycopg.connect(where) as server:
        server.execute(
            statements.replace("BEGIN TRANSACTION;", "").replace("COMMIT;", "").encode("utf-8")
        )


def broken(where: str) -> list[tuple[str, ...]]:
    with Snapshot(where) as snapshot:
        return [each.broken for each in audit(snapshot).promises if each.broken]


async def goes_on(where: str) -> None:
    """Play another round at the table at which a guest still sits."""
    here = Evening(where)
    here.now, here.keys = START_AT + 10_000_000, itertools.count(1_000_000)
    await here.house.start()
    [live] = [each for each in here.house.tables if each.table.practice]
    name, number = live.table.id, live.table.number
    await here.bet(name, 1, "guest-1", sides=True)
    assert due(live.book, (await here.house.table(name)).table.round) == [1]
    await here.decide(name, folds=False)
    after = (await here.house.table(name)).table
    assert (after.last is not None, after.number) == (True, number + 1)
    await here.house.stop()


def test_a_journal_of_every_release_is_kept():
    assert {"0.1.0", "0.2.0"} <= set(JOURNALS)


@pytest.mark.parametrize("version", OPENED)
def test_it_opens_goes_on_and_audits_clean(version: str, where: str) -> None:
    restore(version, where)
    assert broken(where) == []
    asyncio.run(goes_on(where))
    assert broken(where) == []


@pytest.mark.parametrize("version", OPENED)
def test_its_receipts_still_say_why(version: str, where: str) -> None:
    restore(version, where)
    store = Store(where)
    said = []
    for person in ("ann", "bob", "eve", "guest-1"):
        for each in played(store, person):
            receipt = past(store, each.round, person).receipt
            assert receipt is not None
            said += [why.says for group in receipt.groups for why in group.why]
            said += [line.says for group in receipt.groups for line in group.steps]
            said += [line.says for line in receipt.deductions]
    store.close()
    for words in ("is held, the player has no identification", "Share of it: ", "Misdeal, "):
        assert any(words in why for why in said), words
    with Snapshot(where) as snapshot:
        names = [name for (name,) in snapshot.rows("SELECT name FROM kept WHERE kind = 'round'")]
        assert [audit_round(snapshot, name).broken for name in names] == [""] * len(names)


@pytest.mark.parametrize("version", sorted(REFUSED))
def test_what_cannot_be_read_is_refused_in_a_sentence_and_left_as_it_is(
    version: str, where: str
) -> None:
    restore(version, where)
    release = version.removesuffix(".0")
    before = "" if "://" in where else sql(where)
    with pytest.raises(Unavailable, match=f"written by Pitboss {release}.* new database"):
        Store(where)
    with pytest.raises(PitbossError, match=f"written by Pitboss {release}.* new database"):
        Snapshot(where)
    for command in (("audit",), ("serve", "--port", "0")):
        assert f"Pitboss {release}" in complaint(*command, "--db", where)
    assert before == ("" if "://" in where else sql(where))


def test_a_kept_journal_is_small():
    assert all(path.stat().st_size < 40_000 for path in Path(KEPT).glob("*.sql.gz"))
