"""What several tests of abuse begin with."""

import contextlib
import socket
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from tests.web.open_house import Caller, Visited

BOOK = "common/mississippi-stud"
KEYED = "/api/me/play-chips"


def two_at_a_table(house: Visited, **options: Any) -> tuple[Caller, Caller, str]:
    """Ann in seat 1, who opened the table, and Bob in seat 2."""
    ann, bob = house.guest(), house.guest()
    table = ann.open(BOOK, **options)
    assert ann.do(table, "sit", seat=1).status == 200
    assert bob.do(table, "sit", seat=2).status == 200
    return ann, bob, table


def dealt(ann: Caller, bob: Caller, table: str) -> None:
    for seat, each in enumerate((ann, bob), start=1):
        assert each.do(table, "bet", seat=seat, wagers={"ante": 500}).status == 200
    assert ann.view(table)["due"] == [1, 2]


def raw(house: Visited, sent: bytes, seconds: float = 5) -> bytes:
    """Send bytes, and return all that comes back until the end or for so long."""
    parts = urlsplit(house.address)
    found = b""
    with socket.create_connection((str(parts.hostname), parts.port or 80), seconds) as connection:
        with contextlib.suppress(OSError):
            connection.sendall(sent)
        with contextlib.suppress(OSError):
            while piece := connection.recv(65536):
                found += piece
    return found


def eventually(true: Callable[[], bool], seconds: float = 5) -> None:
    """Wait until this is so."""
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, "it never came to be"
        time.sleep(0.02)
