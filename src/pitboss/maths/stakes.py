"""The stakes at which a game is priced."""

from pitboss.errors import Unreadable
from pitboss.rulebook.model import Rulebook


def posted_minimum(book: Rulebook, ante_cents: int | None, minimum_cents: int | None) -> int:
    """Return the posted minimum, in cents: the lowest of the house's range, if none is given."""
    if ante_cents is not None and ante_cents <= 0:
        raise Unreadable("an ante is more than nothing")
    if minimum_cents is None:
        return int(book.limits.minimum.lowest or 1)
    if minimum_cents <= 0:
        raise Unreadable("a posted minimum is more than nothing")
    return minimum_cents
