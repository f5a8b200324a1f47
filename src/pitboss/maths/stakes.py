"""The stakes at which a game is priced: the ante, the posted minimum, the progressive's meter."""

import msgspec

from pitboss.errors import Unreadable
from pitboss.rulebook.model import Rulebook


class At(msgspec.Struct, frozen=True):
    """The table at which a wager is priced."""

    ante_cents: int | None = None
    """None leaves caps and the rounding of cents out."""
    minimum_cents: int | None = None
    """None stands for the lowest of the house's range."""
    meter_cents: int | None = None
    """None stands for the book's own seed."""

    def meter(self, book: Rulebook) -> int:
        if self.meter_cents is not None:
            return self.meter_cents
        return 0 if book.progressive is None else int(book.progressive.reseed)


def posted_minimum(book: Rulebook, ante_cents: int | None, minimum_cents: int | None) -> int:
    """Return the posted minimum, in cents: the lowest of the house's range, if none is given."""
    if ante_cents is not None and ante_cents <= 0:
        raise Unreadable("an ante is more than nothing")
    if minimum_cents is None:
        return int(book.limits.minimum.lowest or 1)
    if minimum_cents <= 0:
        raise Unreadable("a posted minimum is more than nothing")
    return minimum_cents
