"""Sitting down at a real terminal: single keys, colour, Ctrl-C, and the terminal given back."""

import os
import re
import select
import signal
import subprocess
import sys
import time
from types import FrameType
from typing import Any

import pytest
from click.testing import CliRunner
from rich.console import Console

from pitboss.cli import play
from pitboss.cli.terminal.keys import Keys
from tests.command import heed_ctrl_c, ordinary_terminal

if os.name == "posix":
    import pty
    import termios

pytestmark = pytest.mark.skipif(os.name != "posix", reason="uses a pseudo-terminal")

ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@pytest.fixture(autouse=True)
def _ordinary_terminal(monkeypatch):
    ordinary_terminal(monkeypatch)


class Terminal:
    """A pseudo-terminal with a session in it."""

    def __init__(self, *arguments: str) -> None:
        self.leader, self.follower = pty.openpty()
        termios.tcsetwinsize(self.follower, (24, 80))
        self.before = termios.tcgetattr(self.follower)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pitboss", "play", *arguments],
            stdin=self.follower,
            stdout=self.follower,
            stderr=self.follower,
            env={**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"},
            start_new_session=True,
            preexec_fn=heed_ctrl_c,
        )
        self._raw, self._at = b"", 0

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        """Leave nothing running, whatever the test found."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def wait_for(self, text: str) -> str:
        """Read until this appears, colours left out; return all that came with it."""
        deadline = time.monotonic() + 30
        while text not in (said := self.said[self._at :]):
            assert time.monotonic() < deadline, said
            if select.select([self.leader], [], [], 0.2)[0]:
                self._raw += os.read(self.leader, 65536)
        said = said.partition(text)[0] + text
        self._at += len(said)
        return said

    @property
    def said(self) -> str:
        return ESCAPE.sub("", self._raw.decode(errors="ignore"))

    def screen(self) -> list[str]:
        """What was printed since the screen was last cleared, line by line."""
        last = self._raw.rpartition(b"\x1b[2J")[2]
        return ESCAPE.sub("", last.decode(errors="ignore")).replace("\r", "").splitlines()

    @property
    def coloured(self) -> bool:
        return b"\x1b[38;2;" in self._raw

    def press(self, keys: str) -> None:
        os.write(self.leader, keys.encode())

    def ended(self) -> int:
        code = self.process.wait(timeout=30)
        assert termios.tcgetattr(self.follower) == self.before
        os.close(self.leader)
        os.close(self.follower)
        return code


def test_at_a_terminal_a_key_is_enough_and_there_is_colour():
    with Terminal("--seed", "7") as table:
        table.wait_for("> ")
        assert table.coloured
        table.press("19\x7f0\n")
        table.wait_for("[3] raise 3x $30")
        table.wait_for("> ")
        table.press("\x1b[A\x1bOP")
        table.press("x")
        table.wait_for("'x' is nothing here")
        table.press("f")
        table.wait_for("Receipt")
        table.wait_for("> ")
        termios.tcsetwinsize(table.follower, (40, 120))
        assert "Receipt" in table.wait_for("> ")
        table.press("\x04")
        table.wait_for("You leave with $990")
        assert table.ended() == 0


def test_b22__the_head_of_a_full_table_stays_on_a_small_screen():
    with Terminal("hollywood-penn-national/cajun-stud", "--bots", "5", "--seed", "7") as table:
        table.wait_for("> ")
        for key in ("\n", "1", "1", "1"):
            table.press(key)
            table.wait_for("\n> ")
            screen = table.screen()
            assert len(screen) <= 24, "\n".join(screen)
            assert "Hollywood Casino" in screen[0]
        table.press("\x04")
        assert table.ended() == 0


@pytest.mark.parametrize("keys", ["", "1", "s", "s1", "t", "\n", "\nq"])
def test_ctrl_c_at_any_prompt_gives_the_terminal_back(keys):
    with Terminal("--seed", "7") as table:
        table.wait_for("> ")
        for key in keys:
            table.press(key)
            table.wait_for(key if key.isdigit() else "> ")
        os.killpg(table.process.pid, signal.SIGINT)
        table.wait_for("What is on the table stays there.")
        assert table.ended() == 130
        assert "Traceback" not in table.said


class Strike:
    """Ctrl-C at the n-th line of those where a console begins and ends a print."""

    LINES = ("__enter__", "__exit__", "_enter_buffer", "_exit_buffer")

    def __init__(self, at: int) -> None:
        self.left = at

    def __call__(self, frame: FrameType, event: str, _: Any) -> "Strike | None":
        if frame.f_code.co_name not in self.LINES or "rich" not in frame.f_code.co_filename:
            return None
        self.left -= event == "line"
        if self.left == 0:
            sys.settrace(None)
            raise KeyboardInterrupt
        return self


@pytest.mark.parametrize("at", range(1, 9))
def test_ctrl_c_in_the_middle_of_a_print_is_answered_too(at):
    """A console that is cut off there takes every later print for a part of that one."""
    before = sys.gettrace()
    try:
        sys.settrace(Strike(at))
        done = CliRunner().invoke(play.command, ["--seed", "7"])
    finally:
        sys.settrace(before)
    assert done.output.endswith("What is on the table stays there.\nAborted!\n")


def test_ctrl_c_that_comes_while_python_tidies_up_is_not_lost(monkeypatch):
    class Tidied:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGINT)

    lost: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lost.append)
    leader, follower = pty.openpty()
    old = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        with os.fdopen(follower) as terminal:
            monkeypatch.setattr(sys, "stdin", terminal)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            keys = Keys(Console(), lambda: None)
            with keys:
                Tidied()
                assert [each.exc_type for each in lost] == [KeyboardInterrupt]
                os.write(leader, b"q")  # or it would wait for ever, did it not know
                with pytest.raises(KeyboardInterrupt):
                    keys.key(amounts=False)
    finally:
        for each, handler in old.items():
            signal.signal(each, handler)
        os.close(leader)
