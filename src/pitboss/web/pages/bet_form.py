"""What a seat fills in or presses: a field for each wager with what it takes, the decisions."""

from collections.abc import Sequence

import msgspec

from pitboss.errors import Refusal
from pitboss.house.replay import Replay
from pitboss.house.storage.projections import LoadedTable
from pitboss.money import short
from pitboss.round import Option
from pitboss.round.wagers import bounds, most_toke
from pitboss.rulebook import Rulebook
from pitboss.rulebook.deal_script import DecideStep
from pitboss.rulebook.sign import takes
from pitboss.wording import TIMES, capital, listed, spaced

SPOT_KEYS = "asdghj"
TOKE_KEY = "k"
RAISE_KEYS = "ewq"
"""Of the least raise, the next and the largest: as they lie from right to left in the dock, where
the least has the main button's place, so that a press too many costs least. No key means one thing
while bets are placed and another when it is time to decide."""


class Field(msgspec.Struct, frozen=True):
    """A wager in the betting form."""

    name: str
    key: str
    value: str
    least_cents: int
    most_cents: int | None
    fixed: bool
    required: bool
    says: str
    """What it takes, in words."""
    ghost: str
    """The same, as it stands in an empty spot."""
    wrong: str = ""
    """The sentence to show at it."""


class Wrong(msgspec.Struct, frozen=True):
    """What could not be done, and what had been filled in."""

    refusal: Refusal
    form: dict[str, str] = {}


def last_bet(last: Replay | None) -> dict[str, str]:
    if last is None or last.seat is None:
        return {}
    held = last.state.seats.get(last.seat)
    stakes = held.stakes if held is not None else {}
    return {name: plain(stakes[name]) for name in last.book.placed if name in stakes}


def plain(worth: int) -> str:
    return short(worth).replace(",", "")


def fields(
    live: LoadedTable, seat: int, last: dict[str, str], wrong: Wrong | None
) -> tuple[Field, ...]:
    """Return the wagers that a seat may place, each with what stands in it: what is down, or else
    what it bet last."""
    book, table = live.book, live.table
    held = table.round.seats.get(seat)
    down = {name: plain(worth) for name, worth in held.stakes.items()} if held else {}
    before = down or last
    found = []
    alone = any(spot.alone for spot in book.spot)
    for (name, spot), key in zip(book.placed.items(), SPOT_KEYS, strict=False):
        least, most = bounds(spot, *table.posted)
        value = before.get(name, plain(least) if spot.required and not before else "")
        amiss = ""
        if wrong is not None:
            value = wrong.form.get(f"wager-{name}", value if wrong.form.get("do") != "bet" else "")
            amiss = wrong.refusal.message if wrong.refusal.place == name else ""
        found.append(
            Field(
                name=name,
                key=key,
                value=value[:20],
                least_cents=int(least),
                most_cents=None if most is None else int(most),
                fixed=spot.fixed is not None,
                required=spot.required and not alone,
                says=takes(book, (least, most)),
                ghost=_ghost(book, int(least), most),
                wrong=amiss,
            )
        )
    return tuple(found)


def _ghost(book: Rulebook, least: int, most: int | None) -> str:
    if most is None:
        return f"{book.money(least)}+"
    return book.money(least) if least == most else f"{book.money(least)}\N{EN DASH}{short(most)}"


def to_stay(book: Rulebook) -> int:
    """Return how many times the ante the least raises are that a hand needs to the end."""
    steps = (each for each in book.script if isinstance(each, DecideStep))
    least = {each.into: min(each.times) for each in steps if each.times}
    return sum(least.values())


def first_steps(book: Rulebook, bet_word: str) -> tuple[str, ...]:
    """Return what a round asks of somebody who has never played one.

    >>> from pitboss import rulebook
    >>> first_steps(rulebook.load("seneca-niagara/caribbean-stud"), "Deal")
    ('Put chips on Ante', 'Deal', 'Raise or fold')
    """
    step = book.streets[0]
    choices = [*(["raise"] if step.times else []), *map(spaced, step.otherwise)]
    return f"Put chips on {book.ante.title}", bet_word, capital(listed(choices, "or"))


class TokeField(msgspec.Struct, frozen=True):
    """The field for the dealers."""

    value: str
    most_cents: int | None
    says: str
    ghost: str
    """Both as those of a wager."""


def toke(live: LoadedTable, wrong: Wrong | None) -> TokeField | None:
    """Return the field for the dealers; None where the house takes nothing."""
    if live.book.toke is None:
        return None
    most = most_toke(live.book.toke, live.table.maximum_cents)
    limit = "" if most is None else live.book.money(most)
    return TokeField(
        value=wrong.form.get("toke", "")[:20] if wrong is not None else "",
        most_cents=most,
        says=f"up to {limit}, if you like" if limit else "if you like",
        ghost=f"to {limit}" if limit else "a tip",
    )


def rack(live: LoadedTable) -> list[int]:
    book = live.book
    _, most = bounds(book.ante, *live.table.posted)
    return [int(each) for each in sorted(book.chips) if most is None or each <= most][:7]


WORDS = {"fold": ("Fold", "f"), "check": ("Check", "c"), "take-back": ("Take back", "t")}


def choices(options: Sequence[Option]) -> list[tuple[Option, str, str]]:
    """Return the decisions that are offered, each with its words and its key, raises first."""
    offered = [each for each in options if each.action == "raise"]
    raises = [
        (each, f"Raise {each.times}{TIMES}", key)
        for each, key in zip(offered, RAISE_KEYS, strict=False)
    ]
    return raises + [(each, *WORDS[each.action]) for each in options if each.action in WORDS]
