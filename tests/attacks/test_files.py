"""What is written beside the house, and what it is asked to read."""

import asyncio
import csv
import json
import os
import socket
import stat
from itertools import islice
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from pitboss.audit.audit import audit
from pitboss.audit.snapshot import Snapshot
from pitboss.cards import shuffled
from pitboss.house.storage.store import Store
from pitboss.house.table import commands as c
from pitboss.round import actions as a
from pitboss.round import due
from pitboss.rulebook.deal_script import DealStep
from tests.audit.forgery import change
from tests.command import complaint, run
from tests.house.evening import CAJUN, PLAYERS, Evening
from tests.house.floor import SHUFFLER
from tests.web.open_house import Visited, process

# M6, L8: exports --------------------------------------------------------------------------------


async def red_light(where: str) -> None:
    """The shuffler shows red after the bets, twice, and each round is played and paid."""
    here = Evening(where)
    await here.house.start()
    await here.everybody()
    name = await here.open("sam", CAJUN, dealing="entered", shuffler=True, **SHUFFLER)
    await here.sit(name, *PLAYERS)
    for who, command in (
        ("dan", c.StartDealing()),
        ("flo", c.BringCards(("red", "blue"))),
        ("dan", c.InspectCards("dealer")),
        ("flo", c.InspectCards("floor-supervisor")),
        ("dan", c.WashCards()),
    ):
        await here.do(name, who, command)
    for _ in range(2):
        deck = iter(shuffled(here.chance))
        await here.do(name, "dan", c.OpenBetting())
        for seat in (1, 2, 3):
            await here.bet(name, seat, "dan", sides=True)
        await here.do(name, "dan", a.CloseBets())
        await here.do(name, "dan", a.Light("red"))
        while (live := await here.house.table(name)).table.round.phase == "playing":
            step = live.book.script[live.table.round.step]
            if due(live.book, live.table.round):
                await here.decide(name, folds=False)
                continue
            await here.do(name, "dan", a.Light("green"))
            if isinstance(step, DealStep):
                each = len(PLAYERS) if "seats" in step.to else 1
                await here.do(name, "dan", a.Deal(tuple(islice(deck, step.cards * each))))
            else:
                await here.do(name, "dan", a.Turn())
        for seat in live.table.announced:
            await here.do(name, "dan", c.ApprovePayoff(seat, "dealer"))
        await here.approve(name)
        await here.do(name, "dan", a.Pay())
    await here.house.stop()


def test_m6_a_red_light_does_not_stop_an_export(quick_path: Path) -> None:
    where, out = str(quick_path / "house.db"), quick_path / "rounds.jsonl"
    asyncio.run(red_light(where))
    with Snapshot(where) as snapshot:
        assert audit(snapshot).broken == ""
    assert run("export", "--db", where, "--rounds", str(out)).code == 0
    rounds = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert len(rounds) == 2
    for each in rounds:
        assert [seat["person"] for seat in each["seats"]] == list(PLAYERS)
        assert all(seat["stakes"]["ante"] for seat in each["seats"])


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
def test_m6_an_export_that_fails_leaves_the_earlier_one_as_it_was(
    copy: Path, tmp_path: Path, kind: str
) -> None:
    out = tmp_path / "out" / f"rounds.{kind}"
    out.parent.mkdir()
    assert run("export", "--db", str(copy), "--rounds", str(out)).code == 0
    before = out.read_bytes()
    last = "(SELECT MAX(position) FROM journal WHERE stream LIKE 'table:%')"
    change(copy, f"UPDATE journal SET body = '{{' WHERE position = {last}")
    assert "audit first" in complaint("export", "--db", str(copy), "--rounds", str(out))
    assert out.read_bytes() == before
    assert list(out.parent.iterdir()) == [out]


def test_m6_an_export_takes_the_place_of_files_alone(original: Path, tmp_path: Path) -> None:
    """Whoever reads a pipe waited for ever, and a device was a file from then on."""
    pipe, link = tmp_path / "pipe", tmp_path / "ledger.csv"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    assert "it is no file" in complaint("export", "--db", str(original), "--ledger", str(link))
    assert {*tmp_path.iterdir()} == {pipe, link}
    assert pipe.is_fifo()


def test_l8_an_export_is_for_its_owner_alone(original: Path, tmp_path: Path) -> None:
    files = [tmp_path / "rounds.jsonl", tmp_path / "ledger.csv"]
    files[1].write_text("an earlier one")
    files[1].chmod(0o644)
    both = ("--rounds", str(files[0]), "--ledger", str(files[1]))
    before = os.umask(0o000)
    try:
        assert run("export", "--db", str(original), *both).code == 0
    finally:
        os.umask(before)
    assert [stat.S_IMODE(each.stat().st_mode) for each in files] == [0o600, 0o600]
    with files[1].open(encoding="utf-8", newline="") as file:
        assert len(list(csv.reader(file))) > 10


def test_l8_the_server_warns_of_a_database_that_others_can_read(tmp_path: Path) -> None:
    where = tmp_path / "house.db"
    Store(str(where)).close()
    for mode in (0o600, 0o640):
        where.chmod(mode)
        with process(tmp_path, "--new-secret") as house:
            warned = house.errors.read_text("utf-8")
        assert (f"{where}: others can read it" in warned) == (mode != 0o600)


# L13: what is read ------------------------------------------------------------------------------


def test_l13_a_pipe_is_no_rulebook(tmp_path: Path) -> None:
    pipe = tmp_path / "my-house.toml"
    os.mkfifo(pipe)
    for command in (("rules", "check"), ("rules", "show"), ("settle",)):
        assert "it is no file" in complaint(*command, str(pipe))


def test_l13_a_pipe_is_no_saved_work(tmp_path: Path) -> None:
    pipe = tmp_path / "saved.json"
    os.mkfifo(pipe)
    book = "common/mississippi-stud"
    sought = ("--target", "edge=5%", "--free", "flush=4..8")
    for command in (("simulate", book), ("design", book, *sought)):
        assert "it is no file" in complaint(*command, "--resume", str(pipe))
        assert "it is no file" in complaint(*command, "--resume", "/dev/zero")  # which has no end


def test_l13_what_is_no_request_is_counted_and_not_logged(tmp_path: Path) -> None:
    rubbish = [b"\x16\x03\x01\x02\x00\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"nonsense\r\n\r\n"]
    with process(tmp_path) as house:
        before = _unreadable(house)
        parts = urlsplit(house.address)
        for sent in rubbish * 5:
            with socket.create_connection((str(parts.hostname), parts.port), 20) as connection:
                connection.sendall(sent)
                assert connection.recv(100).startswith(b"HTTP/1.1 400 ")
        assert _unreadable(house) == before + 15
        upgrade = {"Connection": "upgrade", "Upgrade": "websocket"}
        assert house.caller()("GET", "/health", headers=upgrade).status == 200
    assert house.errors.read_text("utf-8") == ""


def _unreadable(house: Visited) -> int:
    figures = house.caller()("GET", "/metrics").raw.decode()
    return int(figures.partition("\npitboss_unreadable_total ")[2].split()[0])
