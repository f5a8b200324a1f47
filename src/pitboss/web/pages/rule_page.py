"""The rule card of a game, clause by clause, and what of it fits on one printed page."""

from urllib.parse import urlencode

from pitboss.errors import Refused, refuse
from pitboss.house.rulebook_shelf import Shelf
from pitboss.round.wagers import bounds
from pitboss.rulebook import Rulebook
from pitboss.rulebook.money_rules import USUAL_MINIMUM_CENTS
from pitboss.rulebook.once import once
from pitboss.rulebook.rule_card import rule_card
from pitboss.rulebook.sign import Sign, sign
from pitboss.web.pages.renderer import Page
from pitboss.web.pages.template_filters import timestamp
from pitboss.web.pages.visit import Visit
from pitboss.web.services import Services


async def look(web: Services, visit: Visit) -> Page:
    """The rule card of a game."""
    book, shelf = await asked(web, visit), web.house.shelf
    return Page(
        "rules.html",
        card=rule_card(book),
        shelved=_shelved(shelf, book),
        maths=address(shelf, book, "maths"),
        cost=lambda clause: address(
            shelf, book, "clause", clause=clause, table=visit.request.query_params.get("table", "")
        ),
        lab=address(shelf, book, "lab"),
        player_card=address(shelf, book, "card"),
        paper=address(shelf, book, "download/rules.pdf"),
    )


async def player_card(web: Services, visit: Visit) -> Page:
    """How to play, pay tables, limits and payout cap: one page to print."""
    book = await asked(web, visit)
    card = rule_card(book)
    return Page(
        "player-card.html",
        book=book,
        steps=card.section("round").items,
        dealer=against_dealer(book),
        sign=posted(book, *usual_limits(book), None, None),
        rules=address(web.house.shelf, book),
    )


@once
def against_dealer(book: Rulebook) -> tuple[str, ...]:
    """Say when the dealer's hand counts, and who wins then; nothing where nobody plays one."""
    sections = rule_card(book).sections
    return tuple(each.text for part in sections if part.name == "dealer" for each in part.items)


@once
def posted(
    book: Rulebook,
    minimum_cents: int,
    maximum_cents: int | None,
    token_cents: int | None,
    chip_cents: int | None,
) -> Sign:
    """Return the sign of a table with these limits."""
    limits = minimum_cents, maximum_cents
    wagers = {name: bounds(spot, *limits, token_cents) for name, spot in book.opening.items()}
    return sign(book, *limits, wagers, chip_cents)


def usual_limits(book: Rulebook) -> tuple[int, int | None]:
    """Return the limits of a table for which nobody says others."""
    least, highest = book.limits.minimum.least(USUAL_MINIMUM_CENTS), book.limits.maximum.highest
    return least, None if highest is None else max(int(highest), least)


async def asked(web: Services, visit: Visit) -> Rulebook:
    """Return the book that a page is asked for, in the version that is asked for."""
    return await known(web, visit.path("book"), visit.request.query_params.get("version", ""))


async def known(web: Services, name: str, version: str = "") -> Rulebook:
    try:
        return await web.house.rulebook(name, version)
    except Refused:
        raise refuse("path/unknown", f"there are no rules called {name[:60]!r}") from None


def address(shelf: Shelf, book: Rulebook, page: str = "rules", **asked: str) -> str:
    """Return where the rule card, or another page, of this very version of a book is, and what
    more is asked of it."""
    version = {} if shelf.holds(book) else {"version": book.sha256}
    query = urlencode(version | {name: value for name, value in asked.items() if value})
    return f"/{page}/{book.id}{'?' if query else ''}{query}"


def _shelved(shelf: Shelf, book: Rulebook) -> str:
    """Say how a book came to the shelf, or that it was replaced there; nothing of a shipped one."""
    if not shelf.version(book.id):
        return "These rules are on no shelf: practice tables were opened with them in the lab."
    if not shelf.holds(book):
        return "This version was replaced; a table that was opened with it keeps it."
    adoption = shelf.adoptions.get(book.id)
    if adoption is None:
        return ""
    approved = f", approved on {adoption.approved}" if adoption.approved else ""
    return f"On this house's shelf since {timestamp(adoption.at)[:10]}{approved}."
