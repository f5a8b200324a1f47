"""The guide for a house of one's own is followed as it is written."""

import contextlib
import doctest
import re
import subprocess
import sys
import time

import pytest

from pitboss import rulebook
from pitboss.audit.audit import audit
from pitboss.audit.snapshot import Snapshot
from pitboss.errors import Unreadable
from pitboss.rulebook.loader import HOUSES
from tests.docs.pages import DOCS, code, fenced, rows
from tests.web.open_house import Visited, process

GUIDE = DOCS["add-a-house.md"]
ORIGINAL = (HOUSES / "common" / "mississippi-stud.toml").read_text("utf-8")


def replaced(text: str, old: str, new: str) -> str:
    assert old in text, f"the guide changes {old!r}, which the file does not have"
    return text.replace(old, new, 1)


MINE = "my-house/mississippi-stud"


def test_the_guide_works_as_it_is_written(tmp_path, monkeypatch):
    book = ORIGINAL
    for old, new in rows(GUIDE, "in the copy", "in your file"):
        book = replaced(book, code(old), code(new))
    (tmp_path / "my-house.toml").write_text(book, "utf-8")
    (round_file,) = fenced(GUIDE, "toml")
    (tmp_path / "round.toml").write_text(round_file, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PITBOSS_DB", str(tmp_path / "house.db"))
    followed = 0
    house: Visited | None = None
    with contextlib.ExitStack() as opened:
        for block in fenced(GUIDE, "console"):
            for command, wanted in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
                if command.startswith(("cp ", "./pit play")):
                    continue
                if command.startswith("./pit serve "):
                    house = opened.enter_context(
                        process(tmp_path, *command.split()[2:], program="pitboss")
                    )
                    told = f"{house.said}...\n".replace(house.address, "http://127.0.0.1:8000")
                    sat_down_and_played(house, MINE, "My house")
                else:
                    told = followed_command(command)
                same = doctest.OutputChecker().check_output(wanted, told, doctest.ELLIPSIS)
                assert same, f"{command} says\n{told}"
                followed += 1
        assert house is not None
        # What was adopted while the house was open is there for visitors, once the house heard it.
        visitor, ends = house.caller(), time.monotonic() + 20
        while "approved on 2026-11-01" not in visitor("GET", f"/rules/{MINE}").raw.decode():
            assert time.monotonic() < ends, "the house never heard of the adoption"
            time.sleep(0.05)
    assert followed == 8
    with Snapshot(str(house.db)) as snapshot:
        assert audit(snapshot).broken == ""


def followed_command(command: str) -> str:
    """What a command of the guide says."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "pitboss", *command.split()[1:]],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    ).stdout


def sat_down_and_played(house: Visited, book: str, name: str) -> None:
    """Look around as a browser does, sit down with two bots, and play a round to its end."""
    visitor = house.caller()
    lobby = visitor("GET", "/").raw.decode()
    game = lobby.partition(f"<small>{name}</small>")[2].partition('<li class="game')[0]
    assert "House edge" in game
    assert f'href="/rules/{book}"' in game
    assert f"{name}</" in visitor("GET", f"/rules/{book}").raw.decode()
    form = {"Content-Type": "application/x-www-form-urlencoded", "Origin": house.address}
    sent = visitor("POST", "/practice", f"rulebook={book}&bots=2".encode(), form)
    assert sent.status == 303, sent
    cookie = sent.headers["set-cookie"].partition(";")[0]
    table = sent.headers["location"].removeprefix("/tables/")
    page = visitor("GET", f"/tables/{table}", headers={"Cookie": cookie}).raw.decode()
    assert name in page
    assert f'href="/rules/{book}?table={table}"' in page
    assert 'name="wager-ante"' in page
    visitor.token = cookie.partition("=")[2]
    seat = visitor.view(table)["seat"]
    bet = visitor.do(table, "bet", seat=seat, wagers={"ante": 1000})
    assert bet.status == 200, bet
    until = time.monotonic() + 60
    while (seen := visitor.view(table))["last"] is None:
        assert time.monotonic() < until, seen
        if seat in seen["due"]:
            done = visitor.do(table, "raise", seat=seat, times=1)
            assert done.status == 200, done
        time.sleep(0.05)
    assert seen["last"]["round"] == 1
    assert seen["rulebook"] == book


@pytest.mark.parametrize(
    ("old", "new", "complaint"), rows(GUIDE, "instead of", "somebody wrote", "complaint")
)
def test_the_guide_quotes_real_complaints(old, new, complaint):
    broken = replaced(ORIGINAL, code(old), code(new) if new else "")
    with pytest.raises(Unreadable) as caught:
        rulebook.parse(broken, place="my-house.toml")
    assert str(caught.value) == f"my-house.toml: {complaint}"
