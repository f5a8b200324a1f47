"""Whoever can write to the database cannot make an audit blind, nor write history anew unseen."""

import asyncio
import contextlib
import json
import os
from pathlib import Path
from typing import Any

import msgspec

from pitboss.house.house import House
from pitboss.house.people.persons import Person, evolve
from pitboss.house.practice import Practice
from pitboss.house.storage import codec
from pitboss.house.storage.journal import COLUMNS, Entry, joined
from pitboss.house.storage.projections import kept_person
from pitboss.house.storage.reader import Unavailable
from pitboss.house.table import commands as c
from pitboss.round import actions as a
from pitboss.round import due
from tests.attacks.test_fences import Servers, attack
from tests.audit.forgery import change, changing, events, forge, rows, with_body
from tests.command import complaint, run

MISSISSIPPI = "common/mississippi-stud"


# M1: every broken place ------------------------------------------------------------------------


def test_m1_every_broken_place_is_reported(copy: Path) -> None:
    """One that was broken on purpose hides no other behind it."""
    house = "SELECT position FROM journal WHERE stream = 'house' ORDER BY position"
    early, late = (position for (position,) in rows(copy, house)[-2:])
    change(copy, "UPDATE journal SET at = at + 1 WHERE position = ?", early)
    poisoned = run("audit", "--db", str(copy))
    change(copy, "UPDATE journal SET at = at + 1 WHERE position = ?", late)
    ran = run("audit", "--db", str(copy))
    assert ran.code == 1
    for position in (early, late):
        assert f"journal {position} (house " in ran.out
    assert ran.out.splitlines()[-1] != poisoned.out.splitlines()[-1]


def test_m1_a_ledger_line_is_named_whose_entry_cannot_be_replayed(copy: Path) -> None:
    """Where no rule says what was to be paid, chips are moved, with all balances mended."""
    book = "SELECT name FROM kept WHERE kind = 'rulebook' ORDER BY name LIMIT 1"
    ((name,),) = rows(copy, book)
    change(copy, "UPDATE kept SET value = '{}' WHERE kind = 'rulebook' AND name = ?", name)
    poisoned = json.loads(run("audit", "--db", str(copy), "--json").out)["promises"]
    spoiled = [
        int(place.split()[1]) for place in poisoned[3]["broken"] if "cannot be replayed" in place
    ]
    lines = "SELECT position, line, account, cents FROM ledger WHERE position = ? AND cents > 0"
    paid = [line for position in spoiled for line in rows(copy, lines, position)]
    for position, line, account, cents in paid:
        change(
            copy,
            "UPDATE ledger SET account = 'chips:ann' WHERE position = ? AND line = ?",
            position,
            line,
        )
        sql = "UPDATE balances SET cents = cents + ? WHERE account = ?"
        change(copy, sql, -cents, account)
        change(copy, sql, cents, "chips:ann")
    places = json.loads(run("audit", "--db", str(copy), "--json").out)["promises"][0]["broken"]
    assert paid
    for position, line, _, cents in paid:
        assert any(
            each.startswith(f"ledger {position} line {line}: {cents} to chips:ann")
            for each in places
        )


def test_m1_a_few_places_are_printed_and_all_are_in_the_json(copy: Path) -> None:
    moved = [position for (position,) in rows(copy, "SELECT position FROM journal")[:12]]
    for position in moved:
        change(copy, "UPDATE journal SET hash = 'f' || hash WHERE position = ?", position)
    promise = json.loads(run("audit", "--db", str(copy), "--json").out)["promises"][3]
    wrong = "the hash is not that of this entry"
    named = [place for place in promise["broken"] if place.endswith(wrong)]
    assert [int(place.split()[1]) for place in named[: len(moved)]] == moved
    text = run("audit", "--db", str(copy)).out.splitlines()
    at = next(n for n, line in enumerate(text) if line.startswith("4 "))
    assert text[at].endswith(f"BROKEN {promise['broken'][0]}")
    assert text[at + 1 : at + 5] == [f"  {place}" for place in promise["broken"][1:5]]
    of = len(promise["broken"])
    assert text[at + 5] == f"  and {of - 5} more of {of} broken places: --json names them all"
    assert text[at + 6].startswith("5 ")


def test_m1_the_printed_hash_is_worked_out_anew(copy: Path) -> None:
    """A row changed without its hash gives another line, and so does each row after it."""
    seen = {run("audit", "--db", str(copy)).out.splitlines()[-1]}
    for position in (20, 60, 70):
        change(copy, "UPDATE journal SET at = at + 3600000 WHERE position = ?", position)
        seen.add(run("audit", "--db", str(copy)).out.splitlines()[-1])
    assert len(seen) == 4
    change(copy, "UPDATE journal SET hash = 'f' || hash WHERE position = 80")
    assert run("audit", "--db", str(copy)).out.splitlines()[-1] in seen


def test_m1_settings_changed_in_a_loop_at_two_servers_break_nothing(where: str) -> None:
    """Two places of which one is always a day ahead of the other: every payment names the day."""

    async def story(servers: Servers) -> None:
        over = asyncio.Event()

        async def changes(house: House, places: tuple[str, str]) -> None:
            while not over.is_set():
                for place in places:
                    with contextlib.suppress(Unavailable):
                        await house.change_setting("boss", "timezone", place, "", servers.key)
                    await asyncio.sleep(0.02)

        far = ("Pacific/Kiritimati", "Pacific/Pago_Pago")
        loops = [
            asyncio.create_task(changes(servers.b, far)),
            asyncio.create_task(changes(servers.a, far[::-1])),
        ]
        await Practice(servers.a).fill_up("ann", "f")
        await asyncio.gather(*(_plays(servers, house) for house in (servers.a, servers.b)))
        over.set()
        await asyncio.gather(*loops)
        paid = "SELECT body FROM journal WHERE body LIKE '%round-paid%'"
        versions = {codec.body(body).settings for (body,) in servers.a.store.rows(paid)}
        assert len(versions) > 5

    attack(where, story)


async def _plays(servers: Servers, house: House, changes: int = 30) -> None:
    """Ann plays at a table of her own, and asks again where others are quicker."""

    async def do(command: c.Command, moment: str = "") -> None:
        for _ in range(50):
            with contextlib.suppress(Unavailable):
                await house.command(name, "ann", command, servers.key, moment)
                return

    opens = c.OpenTable(MISSISSIPPI, practice=True)
    name, _ = await house.open_table("ann", opens, servers.key)
    await do(c.Sit(1))
    while house.settings.version < changes:
        live = await house.table(name)
        book, table = live.book, live.table
        if due(book, table.round):
            await do(a.Fold(1, confirmed=True), table.moment)
        else:
            await do(a.Bet(1, {book.ante.name: table.minimum_cents}), table.moment)


# M4: history written anew ----------------------------------------------------------------------


def leave_out(path: Path, position: int) -> None:
    """Take somebody's last entry out and chain everything anew, as if it had never been."""
    entries = [Entry(*row) for row in rows(path, f"{COLUMNS} ORDER BY position")]
    gone = entries.pop(position - 1)
    assert not [e for e in entries[position - 1 :] if e.stream == gone.stream]
    person = gone.stream.removeprefix("person:")
    record, last = Person(person), gone
    whole = ""
    for number, entry in enumerate(entries, start=1):
        whole = joined(whole, msgspec.structs.replace(entry, position=number))
        if entry.stream == gone.stream:
            last = entry
            for event in codec.person_body(entry.body).events:
                record = evolve(record, event)
    [(_, _, kept)] = kept_person(last, record)
    with changing(path) as connection:
        for table in ("ledger", "journal"):
            connection.execute(f"DELETE FROM {table} WHERE position = ?", (position,))
            for later in range(position + 1, len(entries) + 2):
                connection.execute(
                    f"UPDATE {table} SET position = ? WHERE position = ?", (later - 1, later)
                )
        connection.execute("UPDATE head SET position = ?, whole = ?", (len(entries), whole))
        connection.execute("UPDATE kept SET value = ? WHERE name = ?", (kept, person))
        connection.execute(
            "UPDATE balances SET cents ="
            " (SELECT SUM(cents) FROM ledger WHERE ledger.account = balances.account)"
        )


def cashed(path: Path) -> int:
    [(position,)] = rows(path, "SELECT position FROM journal WHERE body LIKE '%chips-cashed%'")
    return int(position)


def test_m4_an_entry_left_out_and_all_chained_anew_is_found_by_an_anchor(
    copy: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "anchors"
    assert run("audit", "--db", str(copy), "--write-anchor", str(kept)).code == 0
    told = run("audit", "--db", str(copy), "--anchors", str(kept)).out
    assert "\n1 earlier anchor compared, " in told
    [(entries, whole)] = rows(copy, "SELECT position, whole FROM head")
    assert kept.read_text() == f"{entries}:{whole}\n"
    before = cashed(copy) - 1
    [*_, early] = run("audit", "--db", str(copy)).out.split()
    leave_out(copy, before + 1)
    assert run("audit", "--db", str(copy)).code == 0, "nothing inside the database shows it"
    for how in (("--anchor", early), ("--anchors", str(kept))):
        ran = run("audit", "--db", str(copy), *how)
        assert ran.code == 1
        assert f"BROKEN anchor {entries}: the journal had so many entries once" in ran.out


def test_m4_an_anchor_is_compared_with_the_journal_that_has_grown_since(
    copy: Path, tmp_path: Path
) -> None:
    """Anchors of every length hold; once history is written anew, those after it do not."""
    whole, true = "", {}
    for row in rows(copy, f"{COLUMNS} ORDER BY position"):
        entry = Entry(*row)
        whole = joined(whole, entry)
        true[entry.position] = f"{entry.position}:{whole}"
    kept = tmp_path / "anchors"
    kept.write_text("\n".join(true.values()))
    ran = run("audit", "--db", str(copy), "--anchors", str(kept), "--json")
    assert (ran.code, ran.json["anchors"]) == (0, len(true))

    def alter(entry: Entry, body: dict[str, Any]) -> Entry | None:
        for changed in events(body, "setting-changed"):
            changed["why"] = "another reason"
            return with_body(entry, body)
        return None

    forged = forge(copy, alter)
    assert run("audit", "--db", str(copy)).code == 0, "nothing inside the database shows it"
    assert run("audit", "--db", str(copy), "--anchor", true[forged - 1]).code == 0
    asked = [part for number in (forged - 1, forged) for part in ("--anchor", true[number])]
    ran = run("audit", "--db", str(copy), *asked)
    assert ran.code == 1
    assert f"BROKEN anchor {forged}: the journal up to here was {true[forged][-64:]}" in ran.out
    ran = run("audit", "--db", str(copy), "--anchors", str(kept), "--write-anchor", str(kept))
    assert ran.code == 1
    assert kept.read_text() == "\n".join(true.values()), "what is broken is no anchor"
    found = json.loads(run("audit", "--db", str(copy), "--anchors", str(kept), "--json").out)
    named = [int(each.split()[1].rstrip(":")) for each in found["promises"][3]["broken"]]
    assert named == list(range(forged, len(true) + 1))


def test_m4_what_is_no_anchor_is_refused_in_one_line(original: Path, tmp_path: Path) -> None:
    db = ("--db", str(original))
    for wrong in ("", "12", "0:" + "a" * 64, "x:" + "a" * 64, "12:" + "A" * 64, "12:abc"):
        assert "is no anchor" in complaint("audit", *db, "--anchor", wrong)
    file = tmp_path / "anchors"
    assert "no such file" in complaint("audit", *db, "--anchors", str(file))
    file.write_text("12:" + "a" * 64 + "\n\n13\n")
    assert "line 3" in complaint("audit", *db, "--anchors", str(file))
    file.write_text("\n")
    assert "has no anchor" in complaint("audit", *db, "--anchors", str(file))
    file.write_bytes(b"\xff")
    assert "cannot read" in complaint("audit", *db, "--anchors", str(file))
    several = ("--round", "x-1", "--write-anchor", str(file))
    assert "of the whole journal" in complaint("audit", *db, *several)


def test_m4_an_anchor_is_written_on_a_line_of_its_own(original: Path, tmp_path: Path) -> None:
    """Whatever wrote the lines before it left no end of line, or a mark at the beginning."""
    db, file = ("--db", str(original)), tmp_path / "anchors"
    [*_, own] = run("audit", *db).out.split()
    both = ("--anchors", str(file), "--write-anchor", str(file))
    for before in (own, f"\ufeff{own}\r\n", f"{own}\n"):
        file.write_bytes(before.encode())
        for lines in (2, 3):
            assert run("audit", *db, *both).code == 0
            assert file.read_text("utf-8-sig").split() == [own] * lines


def test_m4_anchors_are_written_to_files_alone(original: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for wrong in (pipe, tmp_path, tmp_path / "nowhere" / "anchors", Path(os.devnull)):
        said = complaint("audit", "--db", str(original), "--write-anchor", str(wrong))
        assert "appended to a file" in said
