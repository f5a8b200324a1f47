"""What is kept on disk: asked for once, never trusted when spoilt, never in the way."""

import os
from pathlib import Path

import numpy as np
import pytest

from pitboss.maths import kept


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


class Counting:
    """Makes an array, and knows how often it was asked to."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> kept.Arrays:
        self.times += 1
        return {"counts": np.array([3, 1 << 60, -5])}


def test_what_was_counted_once_is_read_the_next_time(folder: Path) -> None:
    make = Counting()
    first, second = (kept.arrays("dice", {"sides": 6}, make) for _ in range(2))
    assert make.times == 1
    assert first["counts"].tolist() == second["counts"].tolist() == [3, 1 << 60, -5]
    assert len(list(folder.iterdir())) == 1


def test_something_else_is_counted_for_itself(folder: Path) -> None:
    make = Counting()
    for of in ({"sides": 6}, {"sides": 8}):
        kept.arrays("dice", of, make)
    kept.arrays("coins", {"sides": 6}, make)
    assert make.times == len(list(folder.iterdir())) == 3


@pytest.mark.parametrize("cut", [0, 10, 200, -1])
def test_a_spoilt_file_is_counted_again_and_replaced(folder: Path, cut: int) -> None:
    make = Counting()
    kept.arrays("dice", {"sides": 6}, make)
    (file,) = folder.iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[:cut])
    assert kept.arrays("dice", {"sides": 6}, make)["counts"].tolist() == [3, 1 << 60, -5]
    assert make.times == 2
    kept.arrays("dice", {"sides": 6}, make)
    assert make.times == 2
    assert list(folder.iterdir()) == [file]


def test_a_bit_that_changed_is_noticed_wherever_it_is(folder: Path) -> None:
    make = Counting()
    kept.arrays("dice", {"sides": 6}, make)
    (file,) = folder.iterdir()
    whole = file.read_bytes()
    for at in range(len(whole)):
        spoilt = bytearray(whole)
        spoilt[at] ^= 1 << at % 8
        file.write_bytes(spoilt)
        assert kept.arrays("dice", {"sides": 6}, make)["counts"].tolist() == [3, 1 << 60, -5]
        assert make.times == at + 2


def test_a_spoilt_file_is_gone_before_anything_is_counted(folder: Path) -> None:
    """Whoever counts may be ended: then it is not said again that it is at hand."""
    kept.arrays("dice", {"sides": 6}, Counting())
    (file,) = folder.iterdir()
    file.write_bytes(file.read_bytes()[:-1])
    assert kept.has("dice", {"sides": 6})

    def ended() -> kept.Arrays:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        kept.arrays("dice", {"sides": 6}, ended)
    assert not kept.has("dice", {"sides": 6})


def test_where_nothing_can_be_kept_it_is_counted_each_time(folder: Path) -> None:
    folder.write_text("a file, where a folder should be")
    make = Counting()
    for _ in range(2):
        assert kept.arrays("dice", {"sides": 6}, make)["counts"].tolist() == [3, 1 << 60, -5]
    assert make.times == 2


def test_whoever_has_no_home_counts_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("PITBOSS_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    make = Counting()
    for _ in range(2):
        assert kept.arrays("dice", {"sides": 6}, make)["counts"].tolist() == [3, 1 << 60, -5]
    assert make.times == 2
    assert not kept.has("dice", {"sides": 6})


def test_what_was_not_read_for_the_longest_time_makes_room(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = Counting()
    for sides in (4, 6, 8):
        kept.arrays("dice", {"sides": sides}, make)
    sizes = [each.stat().st_size for each in folder.iterdir()]
    for at, each in enumerate(sorted(folder.iterdir(), key=lambda each: each.stat().st_mtime_ns)):
        os.utime(each, (at, at))
    assert make.times == 3
    kept.arrays("dice", {"sides": 4}, make)  # the first to be made, and the last to be read
    monkeypatch.setattr(kept, "MOST_BYTES", sum(sizes))
    kept.arrays("dice", {"sides": 10}, make)
    assert [kept.has("dice", {"sides": sides}) for sides in (4, 6, 8, 10)] == [
        True,
        False,
        True,
        True,
    ]
    assert make.times == 4
    monkeypatch.setattr(kept, "MOST_BYTES", 0)
    assert kept.arrays("dice", {"sides": 12}, make)["counts"].tolist() == [3, 1 << 60, -5]
    assert list(folder.iterdir()) == []
