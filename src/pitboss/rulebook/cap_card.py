"""A cap as a player asks about it: how much, which wins count, who shares, when it bites."""

from collections.abc import Iterator
from fractions import Fraction

import msgspec

from pitboss.money import Odds, times
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.money_rules import Cap
from pitboss.rulebook.rule_card.house import named_rows
from pitboss.rulebook.rule_card.parts import Sourced
from pitboss.wording import article, listed


class CapCard(msgspec.Struct, frozen=True, kw_only=True):
    """One cap in a heading and a few sentences."""

    heading: str
    counts: str
    """Which wins count, and what is not capped."""
    shared: str
    """Who shares it; empty where nobody does."""
    bites: str
    """From which ante on; empty where the ante alone does not say."""
    cites: tuple[str, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        return tuple(filter(None, (self.counts, self.shared, self.bites)))


_WHOSE = {"table": "whole table", "seat": "each player"}


def cap_card(book: Rulebook, cap: Cap, minimum_cents: int, maximum_cents: int | None) -> CapCard:
    """Return the card of a cap at a table with these posted limits."""
    points = (cap.clause_on(each) for each in ("spots", "above", "rows", "division"))
    grows = cap.growth.cited if cap.growth is not None else ""
    return CapCard(
        heading=f"Payout cap: {book.money(cap.cents(minimum_cents))} a round, {_WHOSE[cap.scope]}",
        counts=f"{_counts(book, cap)}{_outside(book)}",
        shared=_shared(cap),
        bites=_bites(book, cap, minimum_cents, maximum_cents),
        cites=Sourced.citing(cap.cited, *points, grows).cites,
    )


def _counts(book: Rulebook, cap: Cap) -> str:
    raises = [each for each in book.spots if each in book.raised]
    whole = len(raises) > 1 and set(raises) <= set(cap.spots)
    titles = [book.wager_name(each) for each in cap.spots if not (whole and each in raises)]
    wagers = listed([*titles, *(["raises"] if whole else [])])
    if cap.above is not None:
        tables = {t.name: t for each in cap.spots if (t := book.wager_table(each)) is not None}
        rows = [row for table in tables.values() for row in table.rows]
        hands = listed(
            row.label.lower() for row in rows if row.odds and cap.counts(row.odds, row.row)
        )
        return f"Only wins on {wagers} at more than {cap.above} count ({hands})."
    if cap.rows:
        return f"Only wins on {wagers} by {named_rows(book, cap)} count."
    return f"Every win on {wagers} counts."


def _outside(book: Rulebook) -> str:
    covered = {name for cap in book.cap for name in cap.spots}
    free = [spot.title for spot in book.spot if spot.name not in covered]
    return f" {listed(free)} {'is' if len(free) == 1 else 'are'} not capped." if free else ""


def _shared(cap: Cap) -> str:
    if cap.scope == "table":
        return "If several players hit, they share it in proportion."
    return "Where it bites, a player's wagers share it in proportion." if cap.spots[1:] else ""


def _bites(book: Rulebook, cap: Cap, minimum_cents: int, maximum_cents: int | None) -> str:
    found = paid_in_full(book, cap, minimum_cents)
    if found is None:
        return ""
    most, hand = found
    ante = book.ante.title
    if maximum_cents is not None and most >= maximum_cents:
        return f"No {ante} at this table reaches it."
    on = [f"on {article(hand)}"] if hand else []
    on += ["with the largest raises"] if book.raised.intersection(cap.spots) else []
    above = f"above {article(ante)} of {book.money(most)}"
    begins = f"at every {ante} of this table" if most < minimum_cents else above
    return " ".join(["It bites", begins, *on]) + "."


# When it bites --------------------------------------------------------------------------------

Payoff = tuple[str, tuple[tuple[int, Odds], ...]]
"""A hand, and what it wins under a cap: (how many antes, at which odds), each rounded by itself."""


def paid_in_full(book: Rulebook, cap: Cap, minimum_cents: int) -> tuple[int, str] | None:
    """Return the largest ante at which no one hand wins more than a cap, and the hand that would.

    The hand is alone, and raised by the most. None where a wager counts that is no multiple of
    the ante, or that another pay table settles, or nothing ever counts.

    >>> from pitboss import rulebook
    >>> book = rulebook.load("diamond-jo-worth/cajun-stud")
    >>> paid_in_full(book, book.cap[0], 5_00)  # 25,000 / (500 to 1 on 1 + 3 + 3 + 3 antes)
    (500, 'royal flush')
    """
    most = cap.cents(minimum_cents)
    antes = _antes(book)
    if not antes.keys() >= set(cap.spots):
        return None
    spots = [book.spots[each] for each in cap.spots]
    if len({spot.table for spot in spots if spot.table}) > 1 or any(spot.rows for spot in spots):
        return None
    payoffs = [each for each in _payoffs(book, cap, antes) if each[1]]
    full = [(_largest_ante(book, most, stacks), hand) for hand, stacks in payoffs]
    return min(full, key=lambda each: each[0], default=None)


def _antes(book: Rulebook) -> dict[str, int]:
    """Return how many antes lie at most on each wager that is a multiple of the ante."""
    found = dict.fromkeys(book.equal, 1)
    for step in book.streets:
        if step.times and step.of in found:
            raised = max(step.every) * found[step.of]
            found[step.into] = max(raised, found.get(step.into, 0))
    return found


def _payoffs(book: Rulebook, cap: Cap, antes: dict[str, int]) -> Iterator[Payoff]:
    """Return what each row, or a dealer who does not qualify, wins of the wagers that count."""
    tables = [book.tables[name] for each in cap.spots if (name := book.spots[each].table)]
    for row in tables[0].rows if tables else (None,):
        for qualifies in (True, False):
            stacks: dict[str, tuple[int, Odds]] = {}
            for name in cap.spots:
                spot = book.spots[name]
                by_row = row if spot.table and (qualifies or not spot.against) else None
                without = spot.unqualified.odds if spot.unqualified is not None else None
                odds = by_row.odds if by_row else spot.odds if qualifies else without
                key = by_row.row if by_row else ""
                if odds and odds > 0 and cap.counts(odds, key):
                    stack = f"row {key}" if key and spot.kind == "main" else name
                    stacks[stack] = (stacks.get(stack, (0, odds))[0] + antes[name], odds)
            yield row.label.lower() if row else "", tuple(stacks.values())


def _largest_ante(book: Rulebook, most: int, stacks: tuple[tuple[int, Odds], ...]) -> int:
    def wins(ante: int) -> int:
        return sum(times(ante * antes, odds, book.rounding) for antes, odds in stacks)

    ante = int(Fraction(most) / sum(antes * odds for antes, odds in stacks))
    while wins(ante) > most:  # a fraction of a cent that is rounded up, or down
        ante -= 1
    while wins(ante + 1) <= most:
        ante += 1
    return ante
