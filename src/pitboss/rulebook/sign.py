"""The sign on the table: limits, ceilings, pay tables and what the house wants said."""

import textwrap
from collections.abc import Mapping

import msgspec

from pitboss.rulebook.cap_card import CapCard, cap_card
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.rule_card import WIDTH
from pitboss.rulebook.rule_card.house import amount
from pitboss.wording import listed


class Posted(msgspec.Struct, frozen=True):
    """One pay table on the sign."""

    title: str
    rows: tuple[tuple[str, str, str], ...]
    """(hand, what it pays, clause)."""


class Sign(msgspec.Struct, frozen=True, kw_only=True):
    """What stands on the table for everybody to see."""

    rulebook: str
    sha256: str
    house: str
    game: str
    minimum_cents: int
    maximum_cents: int | None
    ante: str
    """The limits of the required wager, in words."""
    cap_cents: int | None
    cap_scope: str
    """``table`` or ``seat``; empty without a cap."""
    cap: str
    """The ceiling in a few words; empty without one."""
    caps: tuple[CapCard, ...]
    wagers: tuple[tuple[str, str], ...]
    """(wager, the limits it takes)."""
    smallest_chip: str
    """Of which every wager is a whole number."""
    tables: tuple[Posted, ...]
    notices: tuple[str, ...]


Bounds = tuple[int, int | None]
"""The least and the most that a wager takes; None where there is no most."""


def sign(
    book: Rulebook,
    minimum_cents: int,
    maximum_cents: int | None,
    wagers: Mapping[str, Bounds],
    chip_cents: int | None = None,
) -> Sign:
    """Return the sign of a table with these posted limits; the cap follows the minimum. The
    smallest chip is the book's own, where none is given."""
    cap = book.cap[0] if book.cap else None
    return Sign(
        rulebook=book.id,
        sha256=book.sha256,
        house=book.house,
        game=book.game,
        minimum_cents=minimum_cents,
        maximum_cents=maximum_cents,
        ante=f"{book.ante.title} {takes(book, (minimum_cents, maximum_cents))}",
        cap_cents=None if cap is None else cap.cents(minimum_cents),
        cap_scope="" if cap is None else cap.scope,
        cap="" if cap is None else amount(book, cap, minimum_cents),
        caps=tuple(cap_card(book, each, minimum_cents, maximum_cents) for each in book.cap),
        wagers=tuple(
            (book.spots[name].title, _takes(book, name, each)) for name, each in wagers.items()
        ),
        smallest_chip=book.money(book.smallest_chip if chip_cents is None else chip_cents),
        tables=tuple(
            Posted(
                table.title + _chosen(book, table.name),
                tuple((row.label, book.posted(row), row.cited) for row in book.printed(table)),
            )
            for table in book.table
        ),
        notices=book.notices("sign"),
    )


def _takes(book: Rulebook, wager: str, bounds: Bounds) -> str:
    spot = book.spots[wager]
    if spot.equals:
        return f"as much as {book.spots[spot.equals].title}"
    return takes(book, bounds) + (f", also without {book.ante.title}" if spot.alone else "")


def _chosen(book: Rulebook, table: str) -> str:
    """Say which of the pay tables that it may choose from the house has chosen."""
    menu = next((each for each in book.menu if each.table == table), None)
    if menu is None:
        return ""
    return f" (choice {menu.choice} of {listed(option.name for option in menu.options)})"


def takes(book: Rulebook, bounds: Bounds) -> str:
    least, most = bounds
    if least == most:
        return f"exactly {book.money(least)}"
    return book.money(least) + (" or more" if most is None else f" to {book.money(most)}")


def sign_text(posted: Sign) -> str:
    """Return the sign as text, within 80 columns."""
    rule = "=" * WIDTH
    heads = [f"{posted.game}  -  {posted.house}", posted.ante.upper()]
    heads += [f"MAXIMUM AGGREGATE {posted.cap.upper()}"] if posted.cap else []
    out = [rule, *(each.center(WIDTH).rstrip() for each in heads), rule]
    out += [f"{wager:<20}{bounds}" for wager, bounds in posted.wagers]
    out += [f"{'Smallest chip':<20}{posted.smallest_chip}"]
    for table in posted.tables:
        out += ["", table.title.upper()]
        for hand, pays, clause in table.rows:
            own, _, others = pays.partition("; ")
            out.append(f"  {hand:<36}{own:>20}   {clause}")
            out += [f"  {others:>56}"] if others else []
    for each in posted.caps:
        out += ["", each.heading.upper()]
        out += textwrap.wrap(" ".join([*each.sentences, f"[{', '.join(each.cites)}]"]), WIDTH)
    out.append("")
    for words in posted.notices:
        out += textwrap.wrap(words, WIDTH)
    return "\n".join([*out, rule])
