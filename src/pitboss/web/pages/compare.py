"""Two rulebooks side by side: what differs, by which clauses, and what each difference is worth."""

from collections.abc import Sequence
from itertools import groupby

import msgspec

from pitboss.lab.clause_prices import Pricing, Total, by_part, percent, said
from pitboss.maths.price import At
from pitboss.rulebook import Rulebook
from pitboss.rulebook.variants import Difference, diff
from pitboss.web.pages import rule_page
from pitboss.web.pages.renderer import Page
from pitboss.web.pages.visit import Visit
from pitboss.web.pages.worked_out import WorkedOut
from pitboss.web.services import Services


class Exchanged(msgspec.Struct, frozen=True):
    """Differences that are priced as one thing."""

    differences: tuple[Difference, ...]
    worth: tuple[str, ...]
    counts: bool
    """Whether the price is another with it."""


class Comparison(msgspec.Struct, frozen=True):
    """All that differs between two books."""

    count: int
    parts: tuple[tuple[str, tuple[Exchanged, ...]], ...]
    """By the part of a rulebook that they are in."""
    totals: tuple[tuple[str, str, str, str], ...]
    """Each wager, what it is worth in both books, and what the player gains."""


def compared(ours: Rulebook, theirs: Rulebook) -> Comparison:
    """Work out the differences of two books and their prices, ceilings left out."""
    found, pricing = diff(ours, theirs), Pricing(ours, theirs, At(None, None, None))
    prices = pricing.prices(found)
    several = []
    for differences in by_part(found, prices).values():
        price = prices[differences[0].path]
        counts = any(price.changes.values())
        several.append(Exchanged(tuple(differences), tuple(said(price)), counts))
    parts = groupby(several, key=lambda each: each.differences[0].path.partition(".")[0])
    return Comparison(
        count=len(found),
        parts=tuple((part, tuple(each)) for part, each in parts),
        totals=tuple(_totals(pricing.totals(prices))),
    )


def _totals(totals: Sequence[Total]) -> list[tuple[str, str, str, str]]:
    return [
        (
            each.wager,
            percent(each.ours),
            percent(each.theirs),
            "" if each.change is None else percent(each.change),
        )
        for each in totals
    ]


async def look(web: Services, visit: Visit) -> Page:
    """Two rulebooks side by side, with what each difference is worth."""
    house, chosen = web.house, []
    for name in ("a", "b"):
        wanted = visit.request.query_params.get(name, "")
        if wanted:
            chosen.append(await rule_page.known(web, wanted))
    comparison = None
    if len(chosen) == 2:
        comparison = await web.kept(WorkedOut).of(house, compared, *chosen)
    return Page(
        "compare.html",
        books=sorted(house.shelf.books, key=lambda book: (book.game, book.house)),
        chosen=chosen,
        rules=[rule_page.address(house.shelf, book) for book in chosen],
        found=comparison,
    )
