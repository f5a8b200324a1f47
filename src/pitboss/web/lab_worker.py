"""A process that answers the lab's questions, one after the other: everybody else goes first.

A line comes in, a line goes out. It ends when whoever started it is gone.
"""

import os
import queue
import sys
import threading
import traceback
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec

from pitboss.errors import Unreadable, Unsolved
from pitboss.house.storage import codec
from pitboss.lab.questions import QUESTIONS, Experiment
from pitboss.maths.price import ratio

MOST_MEMORY = 6 * 2**30
"""Bytes that it may ask the system for; the largest game takes up to two thousand million."""


class Question(msgspec.Struct, frozen=True):
    """A line that comes in."""

    question: str
    sha256: str
    book: str
    asked: Experiment


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line that goes out."""

    answer: msgspec.Raw = msgspec.Raw(b"null")
    why: str = ""
    """Why there is no answer."""
    place: str = ""
    unreadable: bool = False


def reply(line: bytes) -> Reply:
    """Answer one question."""
    question = msgspec.json.decode(line, type=Question)
    try:
        book = codec.rulebook(question.book, question.sha256)
        found = QUESTIONS[question.question](book, question.asked)
    except Unreadable as error:
        return Reply(why=error.message, place=error.place, unreadable=True)
    except Unsolved as error:
        return Reply(why=error.message)
    except MemoryError:
        return Reply(why="it takes more memory than the lab has")
    return Reply(msgspec.Raw(msgspec.json.encode(found, enc_hook=_written)))


def main() -> None:
    """Answer what comes in until nothing more can; the command says how far to give way."""
    _give_way(int(sys.argv[1]))
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(lines,), daemon=True).start()
    try:
        while True:
            sys.stdout.buffer.write(msgspec.json.encode(reply(lines.get())) + b"\n")
            sys.stdout.buffer.flush()
    except Exception:  # our mistake: it must be seen, and whoever waits for an answer be told
        traceback.print_exc()
        os._exit(1)


def _listen(lines: "queue.SimpleQueue[bytes]") -> None:
    for line in sys.stdin.buffer:
        lines.put(line)
    os._exit(0)  # nobody is there to hear an answer


def _give_way(niceness: int) -> None:
    """Let everybody else go first: on the processor, and where a machine with no memory left has
    to end something."""
    if sys.platform != "win32":
        import resource

        os.nice(niceness)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    with suppress(OSError):  # as Linux has it
        Path("/proc/self/oom_score_adj").write_text("1000", "ascii")


def decoded(line: bytes, kind: Any) -> Any:
    """Read a line that went out, or raise what it says."""
    found = msgspec.json.decode(line, type=Reply)
    if found.unreadable:
        raise Unreadable(found.why, found.place)
    if found.why:
        raise Unsolved(found.why)
    return msgspec.json.decode(found.answer, type=kind, dec_hook=_read)


def _written(exact: Any) -> str:
    if isinstance(exact, Fraction):
        return ratio(exact)
    raise NotImplementedError


def _read(kind: type, exact: Any) -> Any:
    if kind is Fraction:
        return Fraction(exact)
    raise NotImplementedError


if __name__ == "__main__":
    main()
