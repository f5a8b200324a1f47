"""Odds in the steps in which signs print them, and how a free row is written."""

from fractions import Fraction

from pitboss.errors import Unreadable
from pitboss.money import Odds, odds

STEPS = ((12, 1), (50, 5), (100, 10), (200, 25), (500, 50), (1000, 100), (5000, 500), (10000, 1000))
"""Up to what signs print odds in which steps."""

MOST_ODDS = 200
"""So many are looked at for one row."""


def ladder(least: Fraction, most: Fraction) -> tuple[Odds, ...]:
    """Return what a sign would print from one to the other, both ends included.

    >>> [str(each) for each in ladder(Fraction(10), Fraction(30))]
    ['10 to 1', '11 to 1', '12 to 1', '15 to 1', '20 to 1', '25 to 1', '30 to 1']
    """
    found, at = {Odds(least), Odds(most)}, 0
    for upto, step in STEPS:
        found |= {Odds(each) for each in range(at + step - at % step, upto + 1, step)}
        at = upto
    return tuple(sorted(each for each in found if least <= each <= most))


def neighbours(posted: Odds) -> tuple[Odds, ...]:
    """Return the posted odds with the next on a sign below and above.

    >>> [str(each) for each in neighbours(Odds(3, 2))], [str(each) for each in neighbours(Odds(1))]
    (['1 to 1', '3 to 2', '2 to 1'], ['1 to 1', '2 to 1'])
    """
    every = ladder(Fraction(1), max(Fraction(10_000), 2 * posted))
    below = [each for each in every if each < posted][-1:]
    above = [each for each in every if each > posted][:1]
    return (*below, posted, *above)


def free_row(written: str) -> tuple[str, tuple[Odds, ...]]:
    """Read which row is free, and what it may pay: a list, or a range with the steps of a sign.

    >>> name, several = free_row("main.flush = 4..6")
    >>> name, [str(each) for each in several]
    ('main.flush', ['4 to 1', '5 to 1', '6 to 1'])
    >>> [str(each) for each in free_row("two-pair=1..2/0.5")[1]]
    ['1 to 1', '3 to 2', '2 to 1']
    >>> [str(each) for each in free_row("pair=push,even,3:2")[1]]
    ['push', '1 to 1', '3 to 2']
    """
    name, equals, said = (each.strip() for each in written.partition("="))
    place = f"--free {name[:40]}"
    if not name or (equals and not said):
        raise Unreadable(f"{written[:40]!r} is not ROW=ODDS, such as flush=4..8", "--free")
    if not said:
        return name, ()
    low, dots, high = said.partition("..")
    if not dots:
        return name, tuple(_odds(each, place) for each in said.split(","))
    high, slash, step = high.partition("/")
    least, most = _odds(low, place), _odds(high, place)
    if least > most:
        raise Unreadable(f"nothing lies from {least} up to {most}", place)
    if not slash:
        return name, ladder(least, most)
    by = _odds(step, place)
    if by <= 0 or (most - least) / by > MOST_ODDS:
        raise Unreadable(f"a step is more than nothing, and there are {MOST_ODDS} at most", place)
    many = int((most - least) / by)
    return name, tuple(Odds(least + by * each) for each in range(many + 1))


def _odds(written: str, place: str) -> Odds:
    """Read odds; a bare number is to one."""
    text = written.strip()
    try:
        if (
            text.replace(".", "", 1).isascii()
            and text.replace(".", "", 1).isdigit()
            and len(text) < 9
        ):
            return Odds(Fraction(text))
        return odds(text)
    except (Unreadable, ValueError):
        such = f"{text[:20]!r} is not odds; write 4, 3 to 2, 3:2, push or lose"
        raise Unreadable(such, place) from None
