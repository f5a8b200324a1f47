"""Every key of a rulebook is in its reference, and every key that a page names exists."""

import re
import tomllib
import types
from collections.abc import Iterator
from typing import Any, get_args, get_origin

import msgspec

from pitboss.rulebook.base import CITING, Cited
from pitboss.rulebook.loader import convert
from pitboss.rulebook.model import Rulebook
from tests.docs.pages import DOCS, code, fenced, rows, without_repeats


def structs(kind: Any) -> list[type[msgspec.Struct]]:
    """The structs that a field of this type may hold."""
    if get_origin(kind) in (tuple, types.UnionType):
        return [each for inner in get_args(kind) for each in structs(inner)]
    return [kind] if isinstance(kind, type) and issubclass(kind, msgspec.Struct) else []


def keys(kind: type[msgspec.Struct], path: str = "") -> Iterator[tuple[str, str]]:
    """Every key below a struct with its default in words; what all tables cite is left to ``*``."""
    for field in msgspec.structs.fields(kind):
        if issubclass(kind, Cited) and field.name in CITING:
            continue
        yield f"{path}{field.encode_name}", default(field)
        for inner in structs(field.type):
            config = inner.__struct_config__
            if config.tag:
                yield f"{path}{field.encode_name}.{config.tag_field}", "required"
            tag = f"{config.tag}." if config.tag else ""
            yield from keys(inner, f"{path}{field.encode_name}.{tag}")
    if issubclass(kind, Cited):
        yield from ((f"{path}clauses.{point}", "none") for point in kind.points)


def default(field: msgspec.structs.FieldInfo) -> str:
    """A default as the reference writes it."""
    if field.required:
        return "required"
    made = field.default_factory is not msgspec.NODEFAULT
    value = field.default_factory() if made else field.default
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if not value or isinstance(value, msgspec.Struct):
        return "none"
    several = value if isinstance(value, tuple) else (value,)
    groups = [each if isinstance(each, tuple) else (each,) for each in several]
    return ", ".join(" or ".join(f"`{each}`" for each in group) for group in groups)


ALL_KEYS = {
    "*.clause": "required",
    "*.ruling": "none",
    "*.clauses": "none",
    **dict(keys(Rulebook)),
}


def test_every_key_is_in_the_reference_with_its_default():
    table = rows(DOCS["rulebook.md"], "key", "type", "default", "meaning")
    without_repeats([row[0] for row in table])
    assert {code(row[0]): row[2] for row in table} == ALL_KEYS


def test_a_key_has_a_type_and_a_meaning():
    for row in rows(DOCS["rulebook.md"], "key", "type", "default", "meaning"):
        assert row[1]
        assert row[3].endswith(".")


def test_no_page_names_a_key_that_does_not_exist():
    top = {key.split(".")[0] for key in ALL_KEYS if "." in key} - {"*"}
    steps = {"script.deal", "script.decide", "script.turn", "script.show"}
    for name, text in DOCS.items():
        for said in re.findall(r"`([a-z]+(?:\.[a-z_]+)+)`", text):
            if said.split(".")[0] in top:
                known = said in ALL_KEYS or said.replace(".clauses", "") in ALL_KEYS
                assert known or said in steps, f"{name}: no key {said}"


def test_the_examples_of_the_reference_can_be_read():
    parts = {field.encode_name: field.type for field in msgspec.structs.fields(Rulebook)}
    shown = set()
    for example in fenced(DOCS["rulebook.md"], "toml"):
        for name, value in tomllib.loads(example).items():
            convert(value, parts[name], name)
            shown.add(name)
    tables = {name for name in parts if structs(parts[name])}
    assert tables <= shown, f"no example of {tables - shown}"
