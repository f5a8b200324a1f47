"""The rule card of a game, clause by clause."""

from pitboss.errors import Refused, refuse
from pitboss.house.rulebook_shelf import Shelf
from pitboss.rulebook import Rulebook
from pitboss.rulebook.rule_card import rule_card
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
    )


async def asked(web: Services, visit: Visit) -> Rulebook:
    """Return the book that a page is asked for, in the version that is asked for."""
    return await known(web, visit.path("book"), visit.request.query_params.get("version", ""))


async def known(web: Services, name: str, version: str = "") -> Rulebook:
    try:
        return await web.house.rulebook(name, version)
    except Refused:
        raise refuse("path/unknown", f"there are no rules called {name[:60]!r}") from None


def address(shelf: Shelf, book: Rulebook, page: str = "rules") -> str:
    """Return where the rule card, or another page, of this very version of a book is."""
    version = "" if shelf.holds(book) else f"?version={book.sha256}"
    return f"/{page}/{book.id}{version}"


def _shelved(shelf: Shelf, book: Rulebook) -> str:
    """Say how a book came to the shelf, or that it was replaced there; nothing of a shipped one."""
    if not shelf.holds(book):
        return "This version was replaced; a table that was opened with it keeps it."
    adoption = shelf.adoptions.get(book.id)
    if adoption is None:
        return ""
    approved = f", approved on {adoption.approved}" if adoption.approved else ""
    return f"On this house's shelf since {timestamp(adoption.at)[:10]}{approved}."
