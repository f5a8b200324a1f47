"""The eight promises, and what an audit found of each."""

import msgspec

PROMISES: tuple[tuple[str, str], ...] = (
    ("chips are conserved", "postings"),
    ("one round, one record", "keys and rounds"),
    ("nothing is lost and nothing doubled", "entries"),
    ("replaying the journal gives the same bytes", "entries and rows"),
    ("no view holds a card that may not be seen", "views"),
    ("every deck was sealed before the bets and dealt as it was", "decks"),
    ("a second settlement pays the same", "rounds"),
    ("nobody acts beyond their role", "acts"),
)
"""What each says, and what is counted for it."""

CONSERVED, ONCE, NOTHING_LOST, SAME_BYTES, VIEWS, SEALED, SETTLED, ROLES = range(1, 9)


class Promise(msgspec.Struct, frozen=True):
    """One promise, how much was looked at, and where it is first broken."""

    promise: int
    says: str
    counted: str
    count: int
    broken: str = ""
    """The first place, and what is wrong there; empty where all holds."""


class Findings:
    """What has been found so far; only the first broken place of each promise is kept."""

    def __init__(self) -> None:
        self.place = ""
        """Where the audit stands: what is found without saying where is found there."""
        self._counts = [0] * (len(PROMISES) + 1)
        self._broken: dict[int, str] = {}

    def count(self, promise: int, several: int = 1) -> None:
        self._counts[promise] += several

    def broke(self, promise: int, why: str, place: str = "") -> None:
        # A changed byte may be of any kind: what we say of it can be printed anywhere.
        said = f"{place or self.place}: {why}".encode("ascii", "backslashreplace").decode()
        self._broken.setdefault(promise, " ".join(said.split())[:500])

    def check(self, promise: int, truth: object, why: str, place: str = "") -> bool:
        if not truth:
            self.broke(promise, why, place)
        return bool(truth)

    @property
    def first(self) -> str:
        """The place that was found first; empty where all holds."""
        return next(iter(self._broken.values()), "")

    def promises(self) -> tuple[Promise, ...]:
        return tuple(
            Promise(number, says, counted, self._counts[number], self._broken.get(number, ""))
            for number, (says, counted) in enumerate(PROMISES, start=1)
        )
