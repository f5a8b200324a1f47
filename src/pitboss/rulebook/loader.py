"""Reading a rulebook: by id from the shipped houses, or from anyone's file."""

import re
import tomllib
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec

from pitboss import money
from pitboss.errors import Unreadable
from pitboss.hands import rank_of
from pitboss.rulebook.base import Ranks
from pitboss.rulebook.check import errors
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.paytable import Unqualified

HOUSES = Path(__file__).parent / "houses"
LARGEST_FILE = 256 * 1024

_UNKNOWN = re.compile(r"Object contains unknown field `(.+?)`(?: - at `(.+)`)?")
_NO_SUCH = "Invalid enum value "
_PLACED = re.compile(r"(.*?)(?: - at `(.+)`)?", re.DOTALL)


def ids() -> list[str]:
    """Ids of the shipped rulebooks."""
    return sorted(str(path.relative_to(HOUSES).with_suffix("")) for path in HOUSES.glob("*/*.toml"))


def load(name: str) -> Rulebook:
    """Return the rulebook with this id, or in the file at this path.

    The last part of an id will do where no other id ends in it.

    >>> load("diamond-jo-worth/cajun-stud").game, load("let-it-ride").id
    ('Cajun Stud', 'common/let-it-ride')
    """
    found = _in_full(name)
    return _shipped(found) if found in ids() else _proved(load_unchecked(name), name)


def load_unchecked(name: str) -> Rulebook:
    """Return it without the proof that a table can run on it."""
    return parse_unchecked(source(name), name)


def source(name: str) -> str:
    """Return the text of the rulebook with this id, or at this path."""
    found = _in_full(name)
    if found in ids():
        return (HOUSES / f"{found}.toml").read_text("utf-8")
    path = Path(name)
    if path.suffix == ".toml" or _is_file(path):
        return read_text(path)
    from difflib import get_close_matches  # only where something is wrong

    close = _ending_in(name) or get_close_matches(name, ids(), n=1, cutoff=0.4)
    hint = f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(ids())}."
    raise Unreadable(f"no rulebook {name[:80]!r}; {hint} A path to a .toml file works too")


def _ending_in(name: str) -> list[str]:
    return [each for each in ids() if each.partition("/")[2] == name]


def _in_full(name: str) -> str:
    """Return the id that a name is the last part of, if it is that of one alone."""
    meant = _ending_in(name)
    return meant[0] if len(meant) == 1 else name


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name too long, or one that no file can have
        return False


@cache
def _shipped(name: str) -> Rulebook:
    return _proved(load_unchecked(name), name)


def read_text(path: Path, *, what: str = "rulebook") -> str:
    """Read a file that a person wrote, refusing what cannot be one."""
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise ValueError("it is no file")  # a pipe might keep us waiting for ever
        with path.open("rb") as file:
            found = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise Unreadable(f"cannot read this {what}: {why}", str(path)) from None
    if len(found) > LARGEST_FILE:
        raise Unreadable(f"larger than any {what} ({LARGEST_FILE // 1024} KiB)", str(path))
    try:
        return found.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable(f"not text, so not a {what}", str(path)) from None


def parse(text: str, place: str = "rulebook") -> Rulebook:
    """Read a rulebook from TOML and prove that a table can run on it."""
    return _proved(parse_unchecked(text, place), place)


def _proved(book: Rulebook, place: str) -> Rulebook:
    for finding in errors(book):
        raise Unreadable(finding.message, f"{place}: {finding.path}")
    return book


def parse_unchecked(text: str, place: str = "rulebook") -> Rulebook:
    """Read a rulebook from TOML, looking at each value but not yet at how they fit together."""
    try:
        raw = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"not TOML: {error}", place) from None
    book: Rulebook = convert(raw, Rulebook, place)
    return book


def convert(raw: Any, kind: type[Any], place: str) -> Any:
    """Turn what a file holds into a struct, naming the path of whatever does not fit."""
    try:
        return msgspec.convert(raw, kind, dec_hook=read_value)
    except msgspec.ValidationError as error:
        message, where = explained(kind, str(error))
        raise Unreadable(message, f"{place}: {where or '$'}") from None


def explained(kind: Any, said: str) -> tuple[str, str]:
    """Return what msgspec says of a value that does not fit, with what would be right; and where.

    >>> explained(Rulebook, "Invalid enum value 'all' - at `$.cap[0].scope`")
    ("'all' is not known here; write table or seat", '$.cap[0].scope')
    >>> explained(Rulebook, "Invalid RFC3339 encoded date - at `$.date`")
    ('this is no date; write it such as 2026-01-31', '$.date')
    """
    unknown = _UNKNOWN.fullmatch(said)
    if unknown:
        from difflib import get_close_matches  # only where something is wrong

        close = get_close_matches(unknown[1], sorted(_fields_of(kind) - {unknown[1]}), n=1)
        hint = f"; did you mean {close[0]}?" if close else ""
        return f"unknown key {unknown[1]!r}{hint}", unknown[2] or ""
    found = _PLACED.fullmatch(said)
    message, where = (found[1], found[2] or "") if found else (said, "")
    if "RFC3339" in message:
        return "this is no date; write it such as 2026-01-31", where
    allowed = allowed_at(kind, where) if message.startswith("Invalid") else []
    if message.startswith(_NO_SUCH):
        message = f"{message.removeprefix(_NO_SUCH)} is not known here"
    return (f"{message}; write {' or '.join(allowed)}" if allowed else message), where


def allowed_at(kind: Any, path: str) -> list[str]:
    """Return the values that may stand at a path such as ``$.spot[2].kind``, where they are few.

    >>> allowed_at(Rulebook, "$.cap[0].scope")
    ['table', 'seat']
    """
    kinds = [kind]
    for name, _ in re.findall(r"\.(\w+)|\[([^\]]*)\]", path):
        inside: list[Any] = []
        for each in _alternatives(kinds):
            if not name:
                inside += [arg for arg in get_args(each)[-2:] if arg is not Ellipsis][-1:]
            elif isinstance(each, type) and issubclass(each, msgspec.Struct):
                fields = msgspec.structs.fields(each)
                inside += [field.type for field in fields if field.encode_name == name]
                config = each.__struct_config__
                inside += [Literal[config.tag]] if config.tag_field == name else []
        kinds = inside
    return [
        str(value)
        for each in _alternatives(kinds)
        if get_origin(each) is Literal
        for value in get_args(each)
    ]


def _alternatives(kinds: list[Any]) -> list[Any]:
    """Take unions apart, and leave the bounds of values aside."""
    bare = [get_args(kind)[0] if get_origin(kind) is Annotated else kind for kind in kinds]
    return [
        each
        for kind in bare
        for each in (get_args(kind) if get_origin(kind) in (UnionType, Union) else (kind,))
    ]


def _fields_of(kind: Any) -> set[str]:
    """Return every key that a file of this kind may have, at any depth."""
    found: set[str] = set()
    waiting, done = [kind], set()
    while waiting:
        each = waiting.pop()
        if isinstance(each, type) and issubclass(each, msgspec.Struct) and each not in done:
            done.add(each)
            fields = msgspec.structs.fields(each)
            found.update(field.encode_name for field in fields)
            waiting.extend(field.type for field in fields)
        waiting.extend(get_args(each))
    return found


def read_value(kind: type[Any], written: Any) -> Any:
    """Read money, odds, percentages and rank ranges; for msgspec's decoders."""
    if not isinstance(written, str):
        raise ValueError(f"write {_EXAMPLES[kind]} in quotes, not {str(written)[:20]}")
    try:
        return _READERS[kind](written)
    except Unreadable as error:
        raise ValueError(error.message) from None


def ranks(written: str) -> Ranks:
    """Read a rank or a range of ranks: ``A``, ``6-10``."""
    low, _, high = written.partition("-")
    try:
        found = Ranks(rank_of(low), rank_of(high or low))
    except ValueError:
        raise Unreadable(f"{written[:20]!r} is not a range of ranks such as 6-10 or A") from None
    if found.low > found.high:
        raise Unreadable(f"{written!r} runs downwards; write the lower rank first")
    return found


_EXAMPLES = {
    money.Cents: "money such as '5.00'",
    money.Odds: "odds such as '3 to 2'",
    money.Percent: "a percentage such as '70%'",
    Ranks: "ranks such as '6-10'",
    Unqualified: "odds such as 'push', or 'table' or 'showdown',",
}
_READERS: dict[type[Any], Any] = {
    money.Cents: money.cents,
    money.Odds: money.odds,
    money.Percent: money.percent,
    Ranks: ranks,
    Unqualified: Unqualified,
}
