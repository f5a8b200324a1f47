"""A small house that was played, and a copy of it to be changed."""

from tests.audit.conftest import copy, original

__all__ = ["copy", "original"]
