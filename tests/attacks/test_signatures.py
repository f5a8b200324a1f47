"""Entries that somebody appended who can write to the database but has not the key."""

import asyncio
import contextlib
import hashlib
import hmac
import json
import os
import sqlite3
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psycopg
import pytest

from pitboss.audit.audit import Audit, audit
from pitboss.audit.promises import SAME_BYTES
from pitboss.audit.snapshot import Snapshot
from pitboss.errors import Unreadable
from pitboss.house.house import House
from pitboss.house.people import persons as p
from pitboss.house.storage import signing
from pitboss.house.storage.batch import EntryDraft
from pitboss.house.storage.journal import START, following
from pitboss.house.storage.reader import Unavailable
from pitboss.house.storage.store import Store
from tests.audit.forgery import broken
from tests.command import complaint, run
from tests.web.open_house import process


def sell(where: str, key: Path | None, times: int = 3, *, new_key: bool = False) -> None:
    """Have the cage sell chips to Ann, one sale after the other."""

    async def sales() -> None:
        house = House(Store(where, signing=key, new_key=new_key))
        await house.start()
        people: dict[str, p.Role] = {"cay": "cage", "ann": "player"}
        for name, role in people.items():
            if not (await house.person(name)).exists:
                await house.record("house", name, "", p.PersonAdded(name, (role,)))
        for _ in range(times):
            await house.record("cay", "ann", os.urandom(8).hex(), p.ChipsBought(100_000, False))
        await house.stop()

    asyncio.run(sales())


def rows(where: str, sql: str) -> list[tuple[Any, ...]]:
    if where.startswith("postgres"):
        with psycopg.connect(where, autocommit=True) as server:
            done = server.execute(sql.encode())
            return done.fetchall() if done.description else []
    with contextlib.closing(sqlite3.connect(where)) as file, file:
        return file.execute(sql).fetchall()


def forge(where: str, folder: Path) -> int:
    """Append a sale as any server would, with a key of one's own or none; its position."""
    own = folder / "forgers.key"
    sell(where, own, times=1, new_key=True)
    return int(rows(where, "SELECT position FROM head")[0][0])


def audited(where: str, *keys: Path) -> Audit:
    with Snapshot(where) as snapshot:
        return audit(snapshot, keys=[signing.read(each) for each in keys])


def places(found: Audit) -> Sequence[str]:
    assert set(broken(found)) <= {SAME_BYTES}
    return found.promises[SAME_BYTES - 1].broken


def test_m4_a_house_that_signs_holds_and_each_signature_is_worked_out_twice(
    where: str, tmp_path: Path
) -> None:
    key = tmp_path / "house.key"
    sell(where, key)
    sell(where, key)
    found = audited(where, key)
    signed = rows(where, "SELECT after, position, key, signature FROM signatures ORDER BY position")
    assert (found.broken, found.unchecked, found.signatures) == ("", (), len(signed))
    assert len(signed) >= 8
    secret = bytes.fromhex(key.read_text().split()[-1])
    whole = {0: ""}
    for position, link in rows(where, "SELECT position, hash FROM journal ORDER BY position"):
        text = f"{whole[position - 1]}/{position}/{link}"
        whole[position] = hashlib.sha256(text.encode()).hexdigest()
    for after, position, _, signature in signed:
        text = f"{after}/{whole[after]}/{position}/{whole[position]}"
        assert signature == hmac.new(secret, text.encode(), "sha256").hexdigest()


def test_m4_an_entry_appended_without_the_key_is_found(where: str, tmp_path: Path) -> None:
    """Chain, ledger, balances and what is kept are all right: only the key was missing."""
    key = tmp_path / "house.key"
    sell(where, key)
    at = forge(where, tmp_path)
    assert audited(where).broken == "", "nothing inside the database shows it"
    theirs = signing.read(tmp_path / "forgers.key").id
    assert places(audited(where, key)) == (
        f"signatures {at}: signed with key {theirs}, which was not given",
        f"journal {at} to {at}: nobody with the key signed this",
    )
    nobody = (f"journal {at} to {at}: nobody with the key signed this",)
    rows(where, f"DELETE FROM signatures WHERE position = {at}")
    assert places(audited(where, key)) == nobody
    sell(where, key)  # the house goes on, and does not sign what it did not write
    assert places(audited(where, key)) == nobody
    rows(where, f"DELETE FROM signatures WHERE position < {at}")
    [place] = places(audited(where, key))
    assert place == f"journal 1 to {at}: nobody with the key signed this"


def test_m4_a_signature_fits_nowhere_else(where: str, tmp_path: Path) -> None:
    key = tmp_path / "house.key"
    sell(where, key)
    at = forge(where, tmp_path)
    ours = signing.read(key).id
    copied = f"(SELECT signature FROM signatures WHERE position = {at - 1})"
    rows(where, f"UPDATE signatures SET key = '{ours}', signature = {copied} WHERE position = {at}")
    said = places(audited(where, key))
    assert said[0] == f"signatures {at}: is not the signature of these entries"
    rows(where, f"DELETE FROM signatures WHERE position = {at}")
    rows(where, f"UPDATE signatures SET position = {at} WHERE position = {at - 1}")
    said = places(audited(where, key))
    assert said[0] == f"signatures {at}: is not the signature of these entries"
    rows(where, f"UPDATE signatures SET position = {at + 7} WHERE position = {at}")
    assert places(audited(where, key))[-1] == f"signatures {at + 7}: there is no such entry"


def test_m4_two_servers_share_a_key(where: str, tmp_path: Path) -> None:
    key = tmp_path / "house.key"

    async def both() -> None:
        first, second = (House(Store(where, signing=key)) for _ in range(2))
        await first.start()
        await second.start()
        await first.record("house", "cay", "", p.PersonAdded("cay", ("cage",)))
        for name in ("ann", "bob"):
            await first.record("house", name, "", p.PersonAdded(name, ("player",)))
        await asyncio.gather(
            *(
                house.record("cay", name, f"{number}", p.ChipsBought(100, practice=False))
                for number in range(20)
                for house, name in ((first, "ann"), (second, "bob"))
            )
        )
        await second.stop()
        await first.stop()

    asyncio.run(both())
    assert audited(where, key).broken == ""


def test_m4_what_came_before_the_key_is_not_asked_of_it(where: str, tmp_path: Path) -> None:
    """And of two keys, one after the other, both are given."""
    keys = [tmp_path / name for name in ("one.key", "two.key")]
    sell(where, None)
    before = int(rows(where, "SELECT position FROM head")[0][0])
    sell(where, keys[0])
    with pytest.raises(Unavailable, match="its entries are signed with key"):
        Store(where, signing=keys[1])  # a wrong name begins no key
    Store(where, signing=keys[1], new_key=True).close()
    sell(where, keys[1])
    assert signing.read(keys[0]).since == before
    assert audited(where, *keys).broken == ""
    assert audited(where, keys[1]).broken == ""
    assert "which was not given" in audited(where, keys[0]).broken


def test_m4_a_key_signs_nothing_after_another_took_its_place(where: str, tmp_path: Path) -> None:
    """Whoever has the old one can append with it; who audits has both, for what is older."""
    keys = [tmp_path / name for name in ("one.key", "two.key")]
    sell(where, keys[0])
    Store(where, signing=keys[1], new_key=True).close()
    before = int(rows(where, "SELECT position FROM head")[0][0])
    sell(where, keys[1], times=1)
    assert audited(where, *keys).broken == ""
    stolen, kept = signing.read(keys[0]), Store(where, signing=keys[1])
    kept.key = stolen
    at = kept.position() + 1
    draft = EntryDraft(following("person:eve", 0, START, at=1, actor="house", key="", body="{}"))
    kept.append(draft).result()
    kept.close()
    said = audited(where, *keys).promises[SAME_BYTES - 1].broken
    assert (
        f"signatures {at}: signed with key {stolen.id}, which another took the place of"
        f" after {before}"
    ) in said


def test_m4_no_key_begins_where_the_old_one_lies(where: str, tmp_path: Path) -> None:
    """Whoever asks for another key fears for this one: it is not used any longer in silence."""
    key = tmp_path / "house.key"
    sell(where, key)
    with pytest.raises(Unavailable, match="is the key that signs now"):
        Store(where, signing=key, new_key=True)
    assert audited(where, key).broken == ""


def test_m4_a_house_that_signed_does_not_go_on_unsigned(where: str, tmp_path: Path) -> None:
    sell(where, tmp_path / "house.key")
    with pytest.raises(Unavailable, match="its entries are signed with key"):
        Store(where)
    usual = signing.beside(where)
    if usual is not None:
        with pytest.raises(Unavailable, match="put it back at"):
            Store(where, signing=usual)


def test_m4_the_command_makes_a_key_signs_with_it_and_checks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with process(tmp_path) as house:
        house.guest().open()
    key = tmp_path / "house.db.key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    db = ("--db", str(house.db))
    assert run("rules", "adopt", "common/mississippi-stud", *db).code == 0
    told = run("audit", *db, "--json").json
    assert told["signatures"] > 2
    assert told["unchecked"] == []
    ran = run("audit", *db)
    assert f"{told['signatures']} signatures fit, {told['entries']} entries" in ran.out
    elsewhere = tmp_path / "the auditor's.key"
    key.rename(elsewhere)
    assert "not checked: signatures" in run("audit", *db).out
    assert run("audit", *db, "--signing-key", str(elsewhere)).code == 0
    monkeypatch.setenv("PITBOSS_SIGNING_KEY", str(elsewhere))
    assert run("audit", *db, "--json").json["signatures"] == told["signatures"]
    monkeypatch.delenv("PITBOSS_SIGNING_KEY")
    assert "which is not here" in complaint("serve", "--port", "0", *db)
    assert "no signing key" in complaint("audit", *db, "--signing-key", str(house.db))
    forge(str(house.db), tmp_path)
    ran = run("audit", *db, "--signing-key", str(elsewhere), "--json")
    assert ran.code == 1
    assert "which was not given" in json.loads(ran.out)["broken"]


@pytest.mark.parametrize("written", ["", "nonsense", "pitboss signing key, from entry x on: 00"])
def test_m4_what_is_no_key_is_refused(tmp_path: Path, written: str) -> None:
    key = tmp_path / "house.key"
    key.write_text(written)
    with pytest.raises(Unreadable, match="no signing key's file"):
        Store(str(tmp_path / "house.db"), signing=key)


@pytest.mark.parametrize("column", ["position", "after", "key", "signature"])
@pytest.mark.parametrize("value", ["'x'", "x'ff'", "1.5", "-1"])
def test_m4_a_signature_of_any_kind_is_a_finding_and_no_accident(
    tmp_path: Path, column: str, value: str
) -> None:
    where, key = str(tmp_path / "house.db"), tmp_path / "house.key"
    sell(where, key)
    rows(where, f"UPDATE signatures SET {column} = {value} WHERE position = 3")
    assert places(audited(where, key))
