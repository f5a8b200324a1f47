"""A small house that was played, and a copy of it to be changed."""

import asyncio
import shutil
from pathlib import Path

import pytest

from tests.audit.forgery import in_one_file
from tests.house.evening import play_a_little


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small house with rows of every kind: it is audited some two hundred times."""
    path = tmp_path_factory.mktemp("played") / "house.db"
    asyncio.run(play_a_little(str(path)))
    return in_one_file(path)


@pytest.fixture
def copy(original: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    found = tmp_path / "copy.db"
    shutil.copy(original, found)
    return found
