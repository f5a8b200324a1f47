"""Every key of a table, in words: for the sheet behind the key ``?``."""

from collections.abc import Iterator, Sequence

from pitboss.rulebook import Rulebook
from pitboss.web.pages.bet_form import RAISE_KEYS, SPOT_KEYS, TOKE_KEY, WORDS
from pitboss.wording import TIMES, listed

KeyLine = tuple[tuple[str, ...], str]
"""Keys, and what they do."""

ALWAYS: tuple[KeyLine, ...] = (
    (("Space",), "Skips to the end of what is being played; or presses the control in focus"),
    (("Tab",), "Goes to the next control"),
    (("?",), "Opens this sheet, and closes it"),
    (("Esc",), "Closes this sheet"),
)


def key_sheet(book: Rulebook, rack: Sequence[int]) -> dict[str, tuple[KeyLine, ...]]:
    """Return all keys of a table with these chips, by when they are asked for.

    >>> from pitboss import rulebook
    >>> sheet = key_sheet(rulebook.load("seneca-niagara/caribbean-stud"), [1_00, 5_00])
    >>> [keys for keys, _ in sheet["When you decide"]]
    [('E',), ('F',), ('Esc',)]
    """
    return {
        "While you bet": tuple(_betting(book, rack)),
        "When you decide": tuple(_deciding(book)),
        "Always": ALWAYS,
    }


def _betting(book: Rulebook, rack: Sequence[int]) -> Iterator[KeyLine]:
    chips = listed(map(book.money, rack))
    yield tuple(str(number) for number, _ in enumerate(rack, start=1)), f"Picks a chip: {chips}"
    for key, spot in zip(SPOT_KEYS, book.placed.values(), strict=False):
        yield (key.upper(),), f"Puts it on {spot.title}"
    if book.toke is not None:
        yield (TOKE_KEY.upper(),), "Puts it down for the dealers"
    yield ("Shift",), "With the key of a spot: takes a chip off"
    yield ("Z",), "Takes the last chip back"
    yield ("X",), "Clears the bet"
    yield ("R",), "Repeats the last bet"
    yield ("Enter",), "Does what the main button says"


def _deciding(book: Rulebook) -> Iterator[KeyLine]:
    for number, key in reversed(tuple(enumerate(RAISE_KEYS))):
        offered = {step.every[number] for step in book.streets if len(step.every) > number}
        if offered:
            by = listed((f"{times}{TIMES}" for times in sorted(offered)), "or")
            yield (key.upper(),), f"Raises {by}"
    others = {word for step in book.streets for word in step.otherwise}
    for word, (does, key) in WORDS.items():
        if word in others:
            verb, _, rest = does.partition(" ")
            yield (key.upper(),), f"{verb}s {rest}".strip()
    yield ("Esc",), "Takes a question away; the key of the choice, pressed again, says yes to it"
