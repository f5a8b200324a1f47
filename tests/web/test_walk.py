"""The walk of one chip in docs/architecture.md: a bet is followed through an open house."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pitboss
from tests.docs.pages import DOCS, rows
from tests.helpers import DIAMOND_JO
from tests.web.open_house import rigged, thread
from tests.web.pages.test_currency import Browser

SOURCE = Path(pitboss.__file__).parent
ROYAL = "Ah Kh Qh Jh Th"
"""It has to be approved, and the tax desk hears of it."""
NEVER_ENTERED = {"web/pages/routes.py", "web/pages/static/pitboss.js"}
"""A table that is read at the start, and what runs in a browser."""


class Follower:
    """Notes the files of the program, templates too, in which anything is called."""

    def __init__(self) -> None:
        self.entered: set[str] = set()

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            self.entered.add(frame.f_code.co_filename)

    def since(self) -> set[str]:
        """Return what was entered since this was last asked."""
        entered, self.entered = self.entered, set()
        ours = (Path(each) for each in entered if each.startswith(str(SOURCE)))
        return {each.relative_to(SOURCE).as_posix() for each in ours}


@contextmanager
def follower() -> Iterator[Follower]:
    """Follow every thread that begins in here."""
    found, before = Follower(), threading.getprofile()
    threading.setprofile(found)
    try:
        yield found
    finally:
        threading.setprofile(before)


def files(heading: str) -> list[str]:
    table = rows(DOCS["architecture.md"], heading, "files")
    return [each for row in table for each in re.findall(r"`([^`]+)`", row[1])]


def test_the_walk_of_a_chip_is_the_one_that_it_takes(tmp_path: Path) -> None:
    with follower() as follows, thread(tmp_path, deck=rigged(ROYAL)) as visited:
        browser = Browser(visited.address)
        browser.go("/")
        browser.send(f'value="{DIAMOND_JO.id}"', bots="0")
        table = browser.at
        for number in (1, 2):  # the first one reads what is read once
            follows.since()
            browser.send('class="bet"', **{"wager-ante": "10"})
            for _ in range(3):
                browser.send('class="decide"', do="raise:1")
            assert f"Round {number}: " in browser.page
        played = follows.since()
        browser.go(table)
        looked = follows.since()
    way, beside = files("step"), files("beside the way")
    assert len({*way, *beside}) == len(way) + len(beside)
    assert {*way, *beside} - played == NEVER_ENTERED
    assert played - looked <= {*way, *beside}, "whatever a mere look at the table does not need"
