"""Single keys at a terminal, whole lines from a pipe."""

import os
import re
import select
import signal
import sys
from collections.abc import Callable

from rich.console import Console

ENTER, DIGITS = "enter", "$0123456789"

_FUNCTION_KEY = re.compile(r"\x1b(?:\[[0-9;]*[ -/]*[@-~]|O.)?")
"""An arrow, a function key, or Escape alone: none of them means anything at the table."""


class Keys:
    """What the player types: single keys at a terminal, whole lines from a pipe."""

    def __init__(self, console: Console, resized: Callable[[], None]) -> None:
        self._console = console
        self._resized = resized
        self._size = console.size
        self._typed = ""
        self._interrupted = False
        self._terminal = os.name == "posix" and sys.stdin is not None and sys.stdin.isatty()

    def __enter__(self) -> None:
        if self._terminal:
            import termios
            import tty

            self._saved = termios.tcgetattr(sys.stdin)
            signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that __exit__ is reached
            if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
                signal.signal(signal.SIGINT, self._interrupt)
            tty.setcbreak(sys.stdin, termios.TCSANOW)

    def __exit__(self, *_: object) -> None:
        if self._terminal:
            import termios

            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._saved)

    def _interrupt(self, *_: object) -> None:
        """Raise Ctrl-C, and remember it: what is raised while Python tidies up is raised to nobody,
        and the next question asks for it again."""
        self._interrupted = True
        raise KeyboardInterrupt

    def key(self, *, amounts: bool) -> str:
        """Return one key, or the line that a digit begins; EOFError when there is no more."""
        if not self._terminal:
            return self.line() or ENTER
        key = self._next()
        if amounts and key in DIGITS:
            return self.line(key)
        self._echo(f"{key}\n" if key.isprintable() else "\n")
        return ENTER if key in "\r\n" else key

    def line(self, begun: str = "") -> str:
        if not self._terminal:
            found = sys.stdin.readline() if sys.stdin is not None else ""
            if not found:
                self._echo("\n")
                raise EOFError
            self._echo("".join(filter(str.isprintable, found.strip()))[:60] + "\n")
            return found.strip()
        self._echo(begun)
        while (key := self._next()) not in "\r\n":
            if key in "\b\x7f":
                self._echo("\b \b" if begun else "")
                begun = begun[:-1]
            elif key.isprintable() and len(begun) < 30:
                self._echo(key)
                begun += key
        self._echo("\n")
        return begun.strip()

    def _next(self) -> str:
        while not self._typed:
            if self._interrupted:
                raise KeyboardInterrupt
            if select.select([sys.stdin], [], [], 0.2)[0]:
                typed = os.read(sys.stdin.fileno(), 64).decode(errors="replace") or "\x04"
                self._typed = _FUNCTION_KEY.sub("", typed)
            elif self._console.size != self._size:
                self._size = self._console.size
                self._resized()
        key, self._typed = self._typed[0], self._typed[1:]
        if key == "\x04":
            self._echo("\n")
            raise EOFError
        return key

    def _echo(self, text: str) -> None:
        self._console.file.write(text)
        self._console.file.flush()
