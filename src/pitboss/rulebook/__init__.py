"""Rulebooks: a house's rules as data, read from strict TOML and proved to be playable."""

from pitboss.rulebook.check import Finding, check
from pitboss.rulebook.loader import ids, load, parse
from pitboss.rulebook.model import Rulebook

__all__ = ["Finding", "Rulebook", "check", "ids", "load", "parse"]
