"""Passwords of houses that are opened by the dozen."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from argon2 import PasswordHasher

from pitboss.house import sessions


@contextmanager
def quick_passwords() -> Iterator[None]:
    """Hash with the least work that there is; how hard it must be is for tests at the door."""
    hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    with patch.object(sessions, "_hasher", lambda: hasher):
        yield
    sessions._nobody.cache_clear()
