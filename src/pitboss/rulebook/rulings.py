"""Our rulings: how a document is read where it is silent or says two things, in a sentence each."""

import re
import tomllib
from functools import cache
from pathlib import Path

RULING = re.compile(r"R(\d+)([a-z]?)")
"""The number of a ruling; everything else that a book cites is a clause of its document."""


@cache
def rulings() -> dict[str, str]:
    return tomllib.loads(Path(__file__).with_name("rulings.toml").read_text("utf-8"))
