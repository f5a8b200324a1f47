"""What the dealers had too much of tokes in rounds that were put right since: owed, or given up."""

import msgspec


class TokeDebts(msgspec.Struct, frozen=True):
    """By round: what is owed of its tokes, and what the house gave up of that."""

    owed: dict[int, int] = {}
    written_off: dict[int, int] = {}
    """The dealers have it all the same."""

    @property
    def cents(self) -> int:
        return sum(self.owed.values())

    def put_right(self, number: int, more: int) -> tuple["TokeDebts", int]:
        """Let a round's tokes rise or fall; return what is owed then, and what comes to the box:
        what rises pays first what is owed of the round, or was until it was written off, and then
        what is owed of others."""
        if more < 0:
            owed = {**self.owed, number: self.owed.get(number, 0) - more}
            return TokeDebts(owed, self.written_off), 0
        after, more = self._paid((number,), more)
        had = min(more, after.written_off.get(number, 0))
        written_off = {**after.written_off, number: after.written_off.get(number, 0) - had}
        after = TokeDebts(after.owed, _without_nothing(written_off))
        return after._paid(tuple(after.owed), more - had)

    def paid(self, cents: int) -> "TokeDebts":
        """Return what is left once so much came of tokes, for the oldest round first."""
        return self._paid(tuple(self.owed), cents)[0]

    def given_up(self) -> "TokeDebts":
        """Return what is left once the house gives up all that is owed."""
        both = {*self.owed, *self.written_off}
        all_of_it = {n: self.owed.get(n, 0) + self.written_off.get(n, 0) for n in sorted(both)}
        return TokeDebts({}, all_of_it)

    def _paid(self, rounds: tuple[int, ...], cents: int) -> tuple["TokeDebts", int]:
        owed = dict(self.owed)
        for number in rounds:
            part = min(cents, owed.get(number, 0))
            owed[number] = owed.get(number, 0) - part
            cents -= part
        return TokeDebts(_without_nothing(owed), self.written_off), cents


def _without_nothing(sums: dict[int, int]) -> dict[int, int]:
    return {number: cents for number, cents in sums.items() if cents}
