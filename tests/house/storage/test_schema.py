"""A database of an earlier schema comes along when it is opened, with all that is in it."""

import sqlite3
from pathlib import Path

import pytest

from pitboss.house.storage.schema import FIRST, LATEST, MIGRATIONS, version
from pitboss.house.storage.store import Store


def test_balances_come_along_and_chips_in_pockets_may_owe(tmp_path: Path) -> None:
    where = tmp_path / "house.db"
    with sqlite3.connect(where) as older:
        assert version(older.cursor()) == 0
        for statement in MIGRATIONS[0]:
            older.execute(statement)
        older.execute("INSERT INTO schema_version VALUES (?)", (FIRST,))
        older.execute("INSERT INTO balances VALUES ('chips:ann', 500), ('cage', -500)")
    older.close()
    Store(str(where)).close()
    with sqlite3.connect(where) as now:
        assert version(now.cursor()) == LATEST
        kept = now.execute("SELECT account, cents FROM balances ORDER BY account").fetchall()
        assert kept == [("cage", -500), ("chips:ann", 500)]
        now.execute("INSERT INTO balances VALUES ('outstanding', -500)")
        with pytest.raises(sqlite3.IntegrityError):
            now.execute("INSERT INTO balances VALUES ('drop:t', -500)")
    now.close()
