"""What can go wrong, for the person who meets it: where, what, and what would be right."""

import msgspec


class PitbossError(Exception):
    """Anything Pitboss says no to."""


class _Placed(PitbossError):
    def __init__(self, message: str, place: str = "") -> None:
        super().__init__(f"{place}: {message}" if place else message)
        self.message = message
        self.place = place


class Unsolved(_Placed):
    """A game, or a part of one, that the exact maths does not cover: no fault of its rulebook."""


class Unreadable(_Placed):
    """Text that does not say anything we can act on: a typing error, a wrong type, rubbish."""

    def at(self, place: str) -> "Unreadable":
        """Return the same complaint, with the place where it was met put in front."""
        inner = f".{self.place}" if self.place and self.place[0] not in ".[" else self.place
        return Unreadable(self.message, f"{place}{inner}")


class Refusal(msgspec.Struct, frozen=True):
    """Why something readable is not allowed: a stable code, a sentence, the clause behind it."""

    code: str
    message: str
    clause: str = ""
    place: str = ""


class Refused(PitbossError):
    """A well-formed request that the rules, or the moment, do not allow."""

    def __init__(self, refusal: Refusal) -> None:
        cited = f" [{refusal.clause}]" if refusal.clause else ""
        where = f"{refusal.place}: " if refusal.place else ""
        super().__init__(f"{where}{refusal.message}{cited}")
        self.refusal = refusal


def refuse(code: str, message: str, clause: str = "", place: str = "") -> Refused:
    """Return a refusal to raise."""
    return Refused(Refusal(code, message, clause, place))
