"""Games that take minutes to work out: one at a time, in a process of its own that everybody else
goes before. What it counts is kept on disk, and the pages take it from there.
"""

import asyncio
import os
import sys
import threading

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
        self._work: asyncio.Task[None] | None = None

    def start(self, book: Rulebook) -> None:
        """Begin with a game; nothing is done where it is begun already."""
        if self.now not in ("", book.sha256):
            raise refuse("price/busy", "another game is being worked out; ask again after it")
        if not self.now:
            self.now = book.sha256
            self._work = asyncio.ensure_future(self._run(book))

    async def _run(self, book: Rulebook) -> None:
        command = (sys.executable, "-P", "-m", "pitboss.web.pages.solving")
        nothing = asyncio.subprocess.DEVNULL
        process = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.PIPE, stdout=nothing, stderr=nothing
        )
        try:
            assert process.stdin is not None
            process.stdin.write(f"{book.sha256} {codec.rulebook_text(book)}\n".encode())
            await asyncio.wait_for(process.wait(), LONGEST)
        finally:
            self.now = ""
            if process.returncode is None:
                process.kill()


def main() -> None:
    """Solve the rulebook that comes in; end when whoever sent it is gone."""
    os.nice(19)
    sha256, _, written = sys.stdin.readline().partition(" ")
    threading.Thread(target=_end_with_the_sender, daemon=True).start()
    maths.solve(codec.rulebook(written, sha256))


def _end_with_the_sender() -> None:
    sys.stdin.read()
    os._exit(1)


if __name__ == "__main__":
    main()
