"""Run the command line in this process, as the launcher would in another."""

import io
import json
import signal
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from pitboss.cli import main


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.code == 0, self.err
        return json.loads(self.out)


class _Input:
    def __init__(self, given: bytes) -> None:
        self.buffer = io.BytesIO(given)


def run(*arguments: str, given: bytes | str = b"", program: Callable[[], None] = main) -> Ran:
    """Run ``pitboss ARGUMENTS`` with this on standard input; or another program."""
    raw = given.encode() if isinstance(given, str) else given
    with pytest.MonkeyPatch.context() as patch:
        out, err = io.StringIO(), io.StringIO()
        patch.setattr(sys, "argv", ["pitboss", *arguments])
        patch.setattr(sys, "stdin", _Input(raw))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        code = 0
        try:
            program()
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 0
    return Ran(code, out.getvalue(), err.getvalue())


def ordinary_terminal(patch: pytest.MonkeyPatch) -> None:
    """Forget what the terminal that runs the tests says of itself."""
    for name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "PYTHONIOENCODING"):
        patch.delenv(name, raising=False)


def heed_ctrl_c() -> None:
    """For a new process to begin with: where tests run in the background, it would be ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def complaint(*arguments: str, given: bytes | str = b"", program: Callable[[], None] = main) -> str:
    """Run something that must be refused: exit code 2, one line on standard error, no output."""
    ran = run(*arguments, given=given, program=program)
    assert ran.code == 2, ran
    assert ran.out == ""
    assert ran.err.count("\n") == 1
    assert "Traceback" not in ran.err
    return ran.err
