"""Lists, counts and names as they are spoken."""

from collections.abc import Iterable

_COUNTS = "no one two three four five six seven eight nine ten eleven twelve"
NUMBERS = _COUNTS.split(" ")
_PLACES = "first second third fourth fifth sixth seventh eighth ninth tenth"
_ORDINALS = _PLACES.split(" ")

TIMES = "\N{MULTIPLICATION SIGN}"
"""So many times: 3 and this is a raise of three antes."""


def listed(several: Iterable[str], word: str = "and") -> str:
    """Write a list as it is spoken.

    >>> listed(["Ante", "First Raise", "Lo Ball"])
    'Ante, First Raise and Lo Ball'
    """
    items = list(several)
    return f" {word} ".join(filter(None, [", ".join(items[:-1]), *items[-1:]]))


def number(count: int) -> str:
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def counted(count: int, what: str) -> str:
    """Write how many of something there are.

    >>> counted(1, "card"), counted(5, "card")
    ('one card', 'five cards')
    """
    return f"{number(count)} {what}{'' if count == 1 else 's'}"


def ordinal(place: int) -> str:
    """Write which one of several it is, 1 being the first."""
    return _ORDINALS[place - 1] if place <= len(_ORDINALS) else f"{place}th"


def spaced(name: str) -> str:
    """Write a name of the files as words.

    >>> spaced("floor-supervisor")
    'floor supervisor'
    """
    return name.replace("-", " ")


def holder(role: str) -> str:
    """Say who acts in a role of the pit.

    >>> holder("floor-supervisor"), holder("surveillance")
    ('the floor supervisor', 'Surveillance')
    """
    return capital(role) if role == "surveillance" else f"the {spaced(role)}"


def article(words: str) -> str:
    """Put the article before it.

    >>> article("Ante"), article("royal flush")
    ('an Ante', 'a royal flush')
    """
    return f"a{'n' if words[:1].lower() in 'aeiou' else ''} {words}"


def held(hand: str) -> str:
    """Name a hand as something that one has, with the article that it takes.

    >>> [held(each) for each in ("pair of aces", "three-card flush, nine high", "ace-king high")]
    ['a pair of aces', 'a three-card flush, nine high', 'ace-king high']
    >>> held("two pair"), held("four of a kind")
    ('two pair', 'four of a kind')
    """
    kind = hand.partition(",")[0]
    several = kind.partition(" ")[0] in NUMBERS
    return hand if several or kind.endswith(" high") else article(hand)


def wager(title: str) -> str:
    """Name a wager in a sentence: with the article, unless it is one of several by number.

    >>> wager("Ante"), wager("Bet 3")
    ('the Ante', 'Bet 3')
    """
    return title if title[-1:].isdigit() else f"the {title}"


def capital(words: str) -> str:
    """Begin with a capital letter, and leave the rest alone."""
    return words[:1].upper() + words[1:]
