"""A short night of the adversary; and every one of its checks fails on what it is there for."""

import asyncio
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pitboss.audit.snapshot import Snapshot
from pitboss.house.house import House
from pitboss.house.storage import codec
from pitboss.house.storage.journal import Entry
from pitboss.house.storage.store import Store
from tests.adversary import checks
from tests.adversary.checks import Checked, Row
from tests.adversary.disturbances import TROUBLES
from tests.adversary.program import Starter
from tests.adversary.records import Asked, Done, Listened, Record
from tests.adversary.run import Night
from tests.faults.game import NOON, Step, play, script
from tests.house.clocked_house import turned

SECONDS = 4.0
SEED = 50
"""It begins with a backup, a kill and a clock that is set."""


@pytest.fixture(scope="module")
def starter() -> Iterator[Starter]:
    found = Starter()
    yield found
    found.close()


def test_a_short_night(where: str, quick_path: Path, starter: Starter) -> None:
    night = Night(SEED, where, quick_path, starter)
    asyncio.run(night.run(SECONDS))
    counts = night.record.counts
    assert night.record.findings == []
    assert counts["steps"] > 100
    assert counts["done"] > 5, "even where the machine has much else to do"
    assert sum(counts[trouble.__name__] for trouble in TROUBLES) > 0


# Every check notices ------------------------------------------------------------------------------


class Forger:
    """A house after a short game, of which copies can be falsified."""

    def __init__(self, db: Path) -> None:
        self.db, self.record = db, Record()
        asyncio.run(self._play())

    async def _play(self) -> None:
        house = House(Store(str(self.db)), clock=turned(lambda: NOON))
        await house.start()
        await play(house, script(), self._acknowledged)
        await house.stop()

    def _acknowledged(self, step: Step, entry: Entry) -> None:
        if step.table:
            command = {"command": msgspec.json.decode(codec.encode(step.command))}
            done = Done(command, (entry.seq, entry.position, entry.at), 0)
            self.record.done[step.place] = done
        self.record.hashes.append(entry.hash)

    def house(self, copy: Path, *changes: str) -> Checked:
        shutil.copy(self.db, copy)
        connection = sqlite3.connect(copy)
        for change in changes:
            assert connection.execute(change).rowcount > 0
        connection.commit()
        connection.close()
        snapshot = Snapshot(str(copy))
        return Checked(snapshot, checks.rows_of(snapshot), self.record)


@pytest.fixture(scope="module")
def forger(tmp_path_factory: pytest.TempPathFactory) -> Forger:
    return Forger(tmp_path_factory.mktemp("game") / "house.db")


LEDGER = "UPDATE ledger SET cents = cents + 1 WHERE position = 1 AND line = 1"
BALANCE = "UPDATE balances SET cents = cents + 1 WHERE account = 'cage:play'"
ROLE = "UPDATE journal SET actor = 'aud' WHERE position = (SELECT MIN(position) FROM journal WHERE"
FALSE: list[tuple[Callable[[Checked], Iterator[str]], str]] = [
    (checks.chips_are_conserved, LEDGER),
    (checks.chips_are_conserved, BALANCE),
    (checks.what_was_acknowledged_is_there_once, "UPDATE journal SET at = at + 1"),
    (checks.what_was_acknowledged_is_there_once, "DELETE FROM journal WHERE position > 20"),
    (checks.nothing_is_ever_changed, "DELETE FROM journal WHERE position = 7"),
    (checks.nothing_is_ever_changed, "UPDATE journal SET hash = '' WHERE position = 7"),
    (checks.whoever_acted_had_the_role, f"{ROLE} stream LIKE 'person:%')"),
    (checks.whoever_acted_had_the_role, f"{ROLE} stream LIKE 'table:%')"),
    (
        checks.decks_are_sealed_and_dealt,
        'UPDATE journal SET body = replace(body, \'"commitment":"\', \'"commitment":"0\')',
    ),
    (
        checks.decks_are_sealed_and_dealt,
        "UPDATE journal SET body = replace(body, 'deck-sealed', 'deck-put-down')",
    ),
    (checks.the_audit_holds, LEDGER),
]


@pytest.mark.parametrize(("check", "change"), FALSE)
def test_a_check_notices_a_false_row(
    forger: Forger, tmp_path: Path, check: Callable[[Checked], Iterator[str]], change: str
) -> None:
    true = forger.house(tmp_path / "true.db")
    assert list(check(true)) == []
    true.snapshot.close()
    false = forger.house(tmp_path / "false.db", change)
    assert list(check(false))
    false.snapshot.close()


def test_a_check_notices_a_deck_that_comes_again(forger: Forger, tmp_path: Path) -> None:
    house = forger.house(tmp_path / "copy.db")
    sealed = next(row for row in house.rows if any(event.get("locked") for event in row.events))
    again = house._replace(rows=[*house.rows, sealed])
    assert any("2 times" in each for each in checks.decks_are_sealed_and_dealt(again))
    house.snapshot.close()


def test_a_check_notices_a_second_deck_of_one_round(forger: Forger, tmp_path: Path) -> None:
    house = forger.house(tmp_path / "copy.db")
    at, sealed = next(
        (at, event)
        for at, row in enumerate(house.rows, start=1)
        for event in row.events
        if event["event"] == "deck-sealed" and event["locked"]
    )
    row, other = house.rows[at - 1], {**sealed, "commitment": "0" * 64}
    for event, wrong in ((sealed, False), (other, True)):
        again = row._replace(body={**row.body, "events": [event]})
        rows = [*house.rows[:at], again, *house.rows[at:]]
        found = list(checks.decks_are_sealed_and_dealt(house._replace(rows=rows)))
        assert any("another deck was sealed" in each for each in found) == wrong
    house.snapshot.close()


def test_a_check_notices_cards_that_were_not_on_top(forger: Forger, tmp_path: Path) -> None:
    house = forger.house(tmp_path / "copy.db")

    def turned(row: Row) -> Row:
        events = [
            {**event, "cards": event["cards"][::-1]} if event["event"] == "cards-dealt" else event
            for event in row.events
        ]
        return row._replace(body={**row.body, "events": events})

    false = house._replace(rows=[turned(row) for row in house.rows])
    assert any(
        "not dealt from its deck" in each for each in checks.decks_are_sealed_and_dealt(false)
    )
    house.snapshot.close()


def test_a_check_notices_a_deck_of_before_a_restore(forger: Forger, tmp_path: Path) -> None:
    house = forger.house(tmp_path / "copy.db")
    dealt = next(r for r in house.rows if any(e["event"] == "cards-dealt" for e in r.events))
    record = Record()
    record.restores = [dealt.position - 1]
    (found, *_) = checks.decks_are_sealed_and_dealt(house._replace(record=record))
    assert f"entry {dealt.position} deals" in found
    house.snapshot.close()


def test_a_check_notices_what_the_journal_does_not_say(forger: Forger, tmp_path: Path) -> None:
    house = forger.house(tmp_path / "copy.db")
    first = next(row for row in house.rows if row.key and row.stream.startswith("table:"))
    place = first.stream, first.actor, first.key
    record = Record()
    false = house._replace(record=record)
    check = checks.what_was_acknowledged_is_there_once
    assert list(check(false)) == []
    entry = first.seq, first.position, first.at
    command = {"command": first.body["command"]}
    for done, wrong in (
        (Done(command, entry, 0), False),
        (Done(command, (1, 2, 3), 0), True),
        (Done({"command": {"action": "dance"}}, entry, 0), True),
    ):
        record.done = {place: done}
        assert bool(list(check(false))) == wrong
    record.done = {("table:nowhere", "ann", "k"): Done(command, entry, 0)}
    assert list(check(false))
    record.done, record.refused = {}, {place: "seat/taken"}
    assert list(check(false))
    house.snapshot.close()


def test_a_check_notices_a_stream_that_left_something_out(forger: Forger, tmp_path: Path) -> None:
    house = forger.house(tmp_path / "copy.db")
    told = [(r.seq, r.position) for r in house.rows if r.stream.startswith("table:")]
    check = checks.streams_told_everything_in_order
    for heard, wrong in ((told[3:9], False), (told[3:5] + told[6:9], True), (told[9:2:-1], True)):
        record = Record()
        record.listened.append(Listened("", heard))
        assert bool(list(check(house._replace(record=record)))) == wrong
    house.snapshot.close()


def test_a_check_notices_a_card_in_the_wrong_hands(forger: Forger, tmp_path: Path) -> None:
    house = forger.house(tmp_path / "copy.db")
    row, event = next(
        (row, event)
        for row in house.rows
        for event in row.events
        if event["event"] == "cards-dealt" and event["seat"] and all(event["cards"])
    )
    owner = row.body["people"][str(event["seat"])]
    notice = {"table": row.stream.partition(":")[2], "seq": row.seq, "events": [event]}
    for person, wrong in ((owner, False), ("somebody-else", True)):
        record = Record()
        record.heard[person].append(("notice", msgspec.json.encode(notice)))
        found = list(checks.nobody_saw_what_they_may_not(house._replace(record=record)))
        assert bool(found) == wrong
    house.snapshot.close()


def test_the_record_notices_what_answers_say() -> None:
    asked = Asked("/api/tables/t", ("table:t", "ann", "k"), {"key": "k"}, b"{}")

    def answer(seq: int) -> bytes:
        return msgspec.json.encode({"notice": {"seq": seq, "position": 9, "at": 1}})

    def problem(**told: Any) -> bytes:
        return msgspec.json.encode({"code": "seat/taken", "message": "", **told})

    told: list[tuple[list[tuple[int, bytes]], int]] = [
        ([(200, answer(1)), (200, answer(1))], 0),
        ([(200, answer(1)), (200, answer(2))], 1),
        ([(200, answer(1)), (409, problem())], 1),
        ([(200, answer(1)), (401, problem(code="session/none"))], 0),
        ([(409, problem()), (200, answer(1))], 0),
        ([(0, b""), (503, b""), (200, answer(1))], 0),
        ([(500, problem(code="server/broken"))], 1),
        ([(409, b"<html>")], 1),
        ([(409, problem(message="the As is out already"))], 1),
    ]
    for answers, findings in told:
        record = Record()
        for status, raw in answers:
            record.answered(asked, status, raw)
        assert len(record.findings) == findings, answers
    record = Record()
    for status, raw, open_now in ((409, problem(), False), (0, b"", True), (409, problem(), True)):
        record.answered(asked, status, raw)
        assert (asked.place in record.open, asked.place in record.refused) == (
            open_now,
            not open_now,
        )


def test_the_record_notices_a_card_in_what_waits_but_for_who_may_agree() -> None:
    for kind, findings in (("correction", 0), ("adjustment", 0), ("payoff", 1)):
        record = Record()
        record.waits("/api/floor/waiting", [{"kind": kind, "says": "the As is out already"}])
        assert len(record.findings) == findings


def test_what_is_restored_is_no_longer_claimed() -> None:
    record = Record()
    early, late = ("table:t", "ann", "1"), ("table:t", "ann", "2")
    record.done = {early: Done({}, (1, 1, 1), 10.0), late: Done({}, (2, 2, 2), 20.0)}
    record.refused = {("table:t", "ann", "3"): "seat/taken"}
    record.hashes = ["a", "b", "c"]
    record.forget(since=15.0, position=1)
    assert set(record.done) == {early}
    assert record.open == {late, ("table:t", "ann", "3")}
    assert (record.refused, record.hashes, record.restores) == ({}, ["a"], [1])
