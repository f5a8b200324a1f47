"""The rule card of a game, clause by clause."""

from pitboss.errors import Refusal, Refused
from pitboss.rulebook import ids, load
from pitboss.rulebook.card import rule_card
from pitboss.web.pages.renderer import Page
from pitboss.web.pages.visit import Visit
from pitboss.web.services import Services


async def look(_web: Services, visit: Visit) -> Page:
    """The rule card of a game."""
    name = visit.path("book")
    if name not in ids():
        raise Refused(Refusal("path/unknown", f"there are no rules called {name[:60]!r}"))
    book = load(name)
    return Page("rules.html", card=rule_card(book), book=book)
