"""Cents, odds, rounding and pro-rata division: the only place where money is divided.

>>> cents("25,000.00"), text(1639344)
(2500000, '16,393.44')
>>> str(odds("3 to 2")), times(501, odds("3 to 2"))
('3 to 2', 751)
>>> [text(share) for share in divide(2_500_000, [2_000_000, 1_000_000, 50_000])]
['16,393.44', '8,196.72', '409.84']
"""

import re
from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from pitboss.errors import Unreadable

MOST_CENTS = 10**13
"""No sum of money that anyone writes is larger than this: a hundred thousand million dollars."""

_SIGNS = {"USD": "$", "CAD": "$", "EUR": "€", "GBP": "£"}
_MONEY = re.compile(r"[$€£]?(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d\d))?", re.ASCII)
_ODDS = re.compile(r"(\d{1,6})\s*(to|for|:)\s*(\d{1,6})", re.ASCII)
_PERCENT = re.compile(r"(\d{1,3})(?:\.(\d{1,4}))?\s*%", re.ASCII)


class Cents(int):
    """Money in a rulebook: read from text such as ``25,000.00``, and an integer from then on."""

    def __str__(self) -> str:
        return text(self)


class Odds(Fraction):
    """What one unit wins: ``500 to 1``; a push is 0 and a loss -1.

    Odds "for one" count the stake that goes back: ``40 for 1`` wins what ``39 to 1`` does.
    """

    for_one = False
    """They are written as what comes back, not as what is won."""

    def __str__(self) -> str:
        up, down = self.numerator, self.denominator
        if self.for_one:
            return f"{up + down} for {down}"
        return "lose" if up < 0 else f"{up} to {down}" if up else "push"


class Percent(Fraction):
    """A part of a hundred, exactly."""

    def __str__(self) -> str:
        return f"{float(self * 100):g}%"


def cents(written: str, currency: str = "") -> Cents:
    """Read money: ``5``, ``5.00``, ``$25,000.00``; what cannot be read is told in a currency."""
    found = _MONEY.fullmatch(written.strip()) if len(written) < 40 else None
    if found is None:
        such = f"{sign(currency)}25.00"
        raise Unreadable(f"{written[:20]!r} is not money; write it such as {such}")
    worth = int(found[1].replace(",", "")) * 100 + int(found[2] or 0)
    if worth > MOST_CENTS:
        raise Unreadable(f"{written!r} is more money than any table holds")
    return Cents(worth)


def text(worth: int, currency: str = "") -> str:
    """Write cents as people read them: ``25,000.00``, or with the sign of a currency.

    >>> text(-500, "USD"), text(500, "EUR"), text(500, "CHF")
    ('-$5.00', '€5.00', 'CHF 5.00')
    """
    minus = "-" if worth < 0 else ""
    return f"{minus}{sign(currency)}{abs(worth) // 100:,}.{abs(worth) % 100:02d}"


def short(worth: int, currency: str = "") -> str:
    """Write cents as on a sign or a chip: without the cents where there are none.

    >>> short(1_250, "USD"), short(250_000, "USD")
    ('$12.50', '$2,500')
    """
    return text(worth, currency).removesuffix(".00")


def signed(worth: int, currency: str = "") -> str:
    """Write a win with a plus.

    >>> signed(500, "USD"), signed(-500, "USD"), signed(0, "USD")
    ('+$5', '-$5', '$0')
    """
    return ("+" if worth > 0 else "") + short(worth, currency)


def label(worth: int, currency: str = "") -> str:
    """Write cents on a label that has little room: from a thousand on whole, from a million on in
    millions. What it leaves out is written elsewhere.

    >>> [label(each, "USD") for each in (99_950, 789_474, -99_999_951, 1_234_567_890)]
    ['$999.50', '$7,895', '-$1.00M', '$12.35M']
    """
    minus, whole = "-" if worth < 0 else "", (abs(worth) + 50) // 100
    if whole < 1_000 or abs(worth) < 100_000:
        return short(worth, currency)
    if whole < 1_000_000:
        return f"{minus}{sign(currency)}{whole:,}"
    millions, rest = divmod((whole + 5_000) // 10_000, 100)
    return f"{minus}{sign(currency)}{millions}.{rest:02d}M"


def sign(currency: str) -> str:
    """Return what stands before a sum in this currency."""
    return _SIGNS.get(currency, f"{currency} " if currency else "")


def odds(written: str) -> Odds:
    """Read odds: ``3 to 2``, ``3:2``, ``4 for 1``, ``even``, ``push``, ``lose``.

    >>> odds("4 for 1") == odds("3 to 1"), str(odds("4 for 1"))
    (True, '4 for 1')
    """
    word = written.strip().lower()
    named = {"even": Odds(1), "push": Odds(0), "lose": Odds(-1)}.get(word)
    if named is not None:
        return named
    found = _ODDS.fullmatch(word)
    if found is None or int(found[1]) == 0 or int(found[3]) == 0:
        raise Unreadable(f"{written[:20]!r} is not odds; write 3 to 2, 3:2, even, push or lose")
    up, down = int(found[1]), int(found[3])
    if found[2] != "for":
        return Odds(up, down)
    if up <= down:
        raise Unreadable(f"{written[:20]!r} gives back no more than the stake; write push or lose")
    paid = Odds(up - down, down)
    paid.for_one = True
    return paid


def percent(written: str) -> Percent:
    """Read a part of a hundred: ``70%``."""
    found = _PERCENT.fullmatch(written.strip())
    if found is None:
        raise Unreadable(f"{written[:20]!r} is not a percentage; write it such as 70%")
    part = Fraction(f"{found[1]}.{found[2] or 0}") / 100
    if part > 1:
        raise Unreadable(f"{written!r} is more than the whole; write at most 100%")
    return Percent(part)


def times(worth: int, factor: Fraction, rounding: str = "down") -> int:
    """Multiply money by odds or a percentage: the one place where a fraction of a cent is rounded.

    ``rounding`` is ``down``, ``up`` or ``nearest`` (a half goes up).
    """
    product = worth * factor.numerator
    if rounding == "down":
        return product // factor.denominator
    if rounding == "up":
        return -(-product // factor.denominator)
    return (2 * product + factor.denominator) // (2 * factor.denominator)


def divide(total: int, claims: Sequence[int], unit: int = 1) -> list[int]:
    """Share ``total`` over ``claims`` pro rata, by largest remainder, in whole ``unit`` cents.

    Nobody gets more than the claim; equal remainders go to the earlier claim; what is less than
    one unit stays undivided.

    >>> divide(2_500_000, [2_000_000, 1_000_000, 50_000], unit=100)
    [1639300, 819700, 41000]
    """
    return list(claims) if total >= sum(claims) else _spread(total, claims, unit, claims)


def split(total: int, parts: Sequence[Fraction]) -> list[int]:
    """Split all of ``total`` in proportion to ``parts``, by largest remainder.

    >>> split(10_000_009, [Fraction(1), Fraction(1, 10)])
    [9090917, 909092]
    """
    scale = lcm(*(part.denominator for part in parts))
    weights = [int(part * scale) for part in parts]
    return _spread(total, weights, 1, [total] * len(parts))


def whole(parts: Sequence[Fraction]) -> list[int]:
    """Round parts of a whole number of cents so that they still add up to it, by largest remainder.

    >>> whole([Fraction(-4, 3), Fraction(0), Fraction(10, 3)])
    [-1, 0, 3]
    """
    found = [part.numerator // part.denominator for part in parts]
    left = int(sum(parts, Fraction())) - sum(found)
    by_remainder = sorted(range(len(parts)), key=lambda at: found[at] - parts[at])
    for at in by_remainder[:left]:
        found[at] += 1
    return found


def _spread(total: int, weights: Sequence[int], unit: int, most: Sequence[int]) -> list[int]:
    whole, units = sum(weights), total // unit
    shares = [units * weight // whole * unit for weight in weights]
    left = units - sum(shares) // unit
    by_remainder = sorted(
        range(len(weights)), key=lambda index: units * weights[index] % whole, reverse=True
    )
    while left:
        room = [index for index in by_remainder if shares[index] + unit <= most[index]]
        for index in room[:left]:
            shares[index] += unit
        left = max(0, left - len(room)) if room else 0
    return shares


def chips(worth: int, denominations: Sequence[int]) -> tuple[list[tuple[int, int]], int]:
    """Break money into the fewest chips: (denomination, how many) pairs, and what is left over.

    >>> chips(103_750, [50_000, 10_000, 2_500, 500, 100])
    ([(50000, 2), (2500, 1), (500, 2), (100, 2)], 50)
    """
    stacks = []
    for each in sorted(denominations, reverse=True):
        count, worth = divmod(worth, each)
        if count:
            stacks.append((each, count))
    return stacks, worth
