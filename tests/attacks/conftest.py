"""A small house that was played, and a copy of it to be changed; and a house that is open."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.audit.conftest import copy, original
from tests.web.open_house import Visited, thread

__all__ = ["copy", "original"]


@pytest.fixture
def house(quick_path: Path) -> Iterator[Visited]:
    """A house whose insides can be looked at."""
    with thread(quick_path) as found:
        yield found
