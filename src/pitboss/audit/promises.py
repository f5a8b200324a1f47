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
    """One promise, how much was looked at, and where it is broken."""

    promise: int
    says: str
    counted: str
    count: int
    broken: tuple[str, ...] = ()
    """Every place, and what is wrong there; empty where all holds."""


class Findings:
    """What has been found so far.

    Every broken place is kept: whoever breaks one on purpose hides no other behind it.
    """

    def __init__(self) -> None:
        self.place = ""
        """Where the audit stands: what is found without saying where is found there."""
        self.called_off = 0
        """Rounds with a sealed deck that were void after bets were down."""
        self.early = 0
        """Time-outs that were written well before the deadline that was shown."""
        self._counts = [0] * (len(PROMISES) + 1)
        self._broken: dict[int, dict[str, None]] = {}
        """By promise: its places, in the order in which they were found, each once."""

    def count(self, promise: int, several: int = 1) -> None:
        self._counts[promise] += several

    def broke(self, promise: int, why: str, place: str = "") -> None:
        # A changed byte may be of any kind: what we say of it can be printed anywhere.
        said = f"{place or self.place}: {why}".encode("ascii", "backslashreplace").decode()
        self._broken.setdefault(promise, {})[" ".join(said.split())[:500]] = None

    def check(self, promise: int, truth: object, why: str, place: str = "") -> bool:
        if not truth:
            self.broke(promise, why, place)
        return bool(truth)

    @property
    def first(self) -> str:
        """The place that was found first; empty where all holds."""
        return next((place for places in self._broken.values() for place in places), "")

    def promises(self) -> tuple[Promise, ...]:
        return tuple(
            Promise(
                number, says, counted, self._counts[number], tuple(self._broken.get(number, ()))
            )
            for number, (says, counted) in enumerate(PROMISES, start=1)
        )
