"""A rulebook written as its TOML file again: what the loader reads back is the same book."""

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from pitboss.rulebook.model import Rulebook, as_plain

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_NOTHING: tuple[Any, ...] = (None, "", (), {}, [])
"""Left out where it is what the loader takes when nothing is said."""


def toml(book: Rulebook, *, says: str = "") -> str:
    """Write a book as a file that ``rules check`` accepts; what it says stands above as a comment.

    >>> from pitboss.rulebook import load, parse
    >>> book = load("seneca-niagara/caribbean-stud")
    >>> parse(toml(book)).sha256 == book.sha256
    True
    """
    whole = _said(as_plain(book), book)
    plain = {key: value for key, value in whole.items() if not _is_table(value)}
    out = [*(f"# {line}".rstrip() for line in says.splitlines())]
    out += [f"{_key(key)} = {_value(value)}" for key, value in plain.items()]
    for key, value in whole.items():
        if isinstance(value, dict):
            out += ["", f"[{_key(key)}]", *_inside(value)]
        elif key not in plain:
            for each in value:
                out += ["", f"[[{_key(key)}]]", *_inside(each)]
    return "\n".join([*out, ""])


def _is_table(value: Any) -> bool:
    return isinstance(value, dict) or _is_list_of_tables(value)


def _is_list_of_tables(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and isinstance(value[0], dict)


def _said(value: Any, part: Any) -> Any:
    """Leave out of a part's plain value what goes without saying."""
    if isinstance(value, dict):
        parts = part if isinstance(part, dict) else {key: getattr(part, key, None) for key in value}
        inside = {key: _said(each, parts[key]) for key, each in value.items()}
        spoken = _spoken_for(part.__class__)
        return {key: each for key, each in inside.items() if each not in _NOTHING or key in spoken}
    if isinstance(value, list | tuple):
        return [_said(each, its) for each, its in zip(value, part, strict=True)]
    return value


@cache
def _spoken_for(kind: type) -> frozenset[str]:
    """Return the lists of a table that silence fills: where one of them is empty, it says so."""
    if not issubclass(kind, msgspec.Struct):
        return frozenset()
    fields = msgspec.structs.fields(kind)
    return frozenset(
        each.name for each in fields if isinstance(each.default, tuple) and each.default
    )


def _inside(table: dict[str, Any]) -> Iterator[str]:
    for key, value in table.items():
        if _is_list_of_tables(value):
            yield f"{_key(key)} = ["
            yield from (f"  {_value(each)}," for each in value)
            yield "]"
        else:
            yield f"{_key(key)} = {_value(value)}"


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _text(name)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        inside = ", ".join(f"{_key(key)} = {_value(each)}" for key, each in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    return str(value) if isinstance(value, int) else _text(value)


def _text(value: str) -> str:
    """Write a basic string: TOML escapes as JSON does, but for one control character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
