"""What was done with the real cards of a table, told a second time: was each deck fit to be dealt?

Nothing here uses the table's own record of its cards: a deck is the list of what happened to it.
"""

import datetime
from collections.abc import Sequence
from itertools import permutations

from pitboss.house.table import events as h
from pitboss.rulebook import Rulebook
from pitboss.rulebook.pit_rules import Inspection


class CardChecks:
    """What has happened to the cards of one table since it was opened."""

    def __init__(self) -> None:
        self._decks: dict[str, list[h.CardEvent]] = {}
        self._practice = self._shuffler = self._shuffled = False

    def hear(self, event: h.TableEvent) -> None:
        match event:
            case h.TableOpened():
                self._decks, self._shuffled = {}, False
                self._practice, self._shuffler = event.practice, event.shuffler
            case h.ShufflerChanged():
                self._shuffler = event.shuffler
            case h.CardsBrought():
                self._decks |= {colour: [event] for colour in event.colours}
            case h.CardsRetired():
                for colour in event.colours:
                    self._decks.pop(colour, None)
            case h.CardsInspected() | h.CardsWashed() | h.CardReplaced():
                self._decks.setdefault(event.colour, []).append(event)
        if isinstance(event, h.CardEvent | h.RoundPaid):
            self._shuffled = isinstance(event, h.CardsShuffled)

    def lacks(self, book: Rulebook, day: datetime.date) -> str:
        """Say what these cards lack of what the house wants done before they are dealt."""
        care = book.deck
        number = care.colours_with_shuffler if self._shuffler else care.colours_by_hand
        asked = care.new_each is not None or care.inspection is not None or care.wash
        if asked and len(self._decks) != number:
            return f"{len(self._decks)} decks are in use, not {number}"
        for colour, told in self._decks.items():
            came = told[0]
            if not isinstance(came, h.CardsBrought):
                return f"nobody brought the {colour} deck"
            if care.new_each == "gaming-day" and came.day != day:
                return f"the {colour} deck is not of this gaming day"
            replaced = [at for at, each in enumerate(told) if isinstance(each, h.CardReplaced)]
            since = told[max(replaced, default=0) :]
            washed = [at for at, each in enumerate(since) if isinstance(each, h.CardsWashed)]
            if care.wash and not washed:
                return f"the {colour} deck was not washed"
            seen = since[: washed[0]] if care.wash else since
            if care.inspection is not None and not self._inspected(
                book, care.inspection, seen, since
            ):
                return f"the {colour} deck was not found in order by those who look"
        by_hand = care.shuffle and not self._shuffler
        return "the cards were not shuffled" if by_hand and not self._shuffled else ""

    def _inspected(
        self,
        book: Rulebook,
        rule: Inspection,
        before: Sequence[h.CardEvent],
        since: Sequence[h.CardEvent],
    ) -> bool:
        """Whether enough people found it in order before the wash, and nobody found otherwise."""
        looks = [each for each in since if isinstance(each, h.CardsInspected)]
        fine = [each for each in before if isinstance(each, h.CardsInspected)]
        return all(each.found == "in-order" for each in looks) and any(
            all(
                book.allows(look.role, group)
                for look, group in zip(those, rule.one_of_each, strict=True)
            )
            and (self._practice or len({look.person for look in those}) == rule.people)
            for those in permutations(fine, len(rule.one_of_each))
        )
