"""What a player knows when deciding."""

import msgspec

from pitboss.cards import Card


class Seen(msgspec.Struct, frozen=True):
    """What a player knows when deciding."""

    cards: tuple[Card, ...]
    board: tuple[Card, ...] = ()
    upcard: Card | None = None
    raises: tuple[int, ...] = ()
    """What was decided so far, where something was: multiples, -1 for a check, -2 taken back."""

    @property
    def known(self) -> tuple[Card, ...]:
        """All cards that are seen."""
        return (*self.cards, *self.board, *(() if self.upcard is None else (self.upcard,)))
