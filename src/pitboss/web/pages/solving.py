"""Games that take minutes to work out: one at a time, in a process of its own that everybody else
goes before. What it counts is kept on disk, and the pages take it from there.
"""

import logging
import os
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

from pitboss import maths
from pitboss.errors import refuse
from pitboss.house.storage import codec
from pitboss.rulebook import Rulebook

LONGEST = 1800.0
"""Seconds."""


class Solving:
    """The game that is being worked out, if one is."""

    def __init__(self) -> None:
        self.now = ""
        """The hash of its rulebook."""

    def start(self, book: Rulebook) -> None:
        """Begin with a game; nothing is done where it is begun already."""
        if self.now not in ("", book.sha256):
            raise refuse("price/busy", "another game is being worked out; ask again after it")
        if not self.now:
            self.now = book.sha256
            threading.Thread(target=self._run, args=(book,), daemon=True).start()

    def _run(self, book: Rulebook) -> None:
        command = (sys.executable, "-P", "-m", "pitboss.web.pages.solving")
        try:
            with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as it:
                assert it.stdin is not None
                it.stdin.write(f"{book.sha256} {codec.rulebook_text(book)}\n".encode())
                it.stdin.flush()  # and left open: it ends when this process does
                try:
                    it.wait(LONGEST)
                except subprocess.TimeoutExpired:
                    it.kill()
        except OSError:
            logging.getLogger(__name__).exception("%s is not worked out", book.id)
        finally:
            self.now = ""


def main() -> None:
    """Solve the rulebook that comes in; end when whoever sent it is gone."""
    _give_way()
    sha256, _, written = sys.stdin.readline().partition(" ")
    threading.Thread(target=_end_with_the_sender, daemon=True).start()
    maths.solve(codec.rulebook(written, sha256))


def _give_way() -> None:
    """Let everybody else go first: on the processor, and where a machine with no memory left has
    to end something. This takes up to two gigabytes."""
    if sys.platform != "win32":
        os.nice(19)
    with suppress(OSError):  # as Linux has it
        Path("/proc/self/oom_score_adj").write_text("1000", "ascii")


def _end_with_the_sender() -> None:
    sys.stdin.read()
    os._exit(1)


if __name__ == "__main__":
    main()
