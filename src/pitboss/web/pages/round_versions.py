"""Two versions of a round side by side: as it was recorded, and as it is put right."""

from collections.abc import Iterable, Mapping

import msgspec

from pitboss.cards import Card
from pitboss.house.table.events import SeatPaid
from pitboss.round import Seat, State
from pitboss.rulebook import Rulebook
from pitboss.wording import TIMES, capital


class SeatVersion(msgspec.Struct, frozen=True):
    """A seat in one version of a round."""

    cards: tuple[Card | None, ...]
    hand: str
    wagers: tuple[tuple[str, int], ...]
    decided: str
    paid_cents: int | None
    """None while nothing is settled."""
    held_cents: int = 0


class Version(msgspec.Struct, frozen=True):
    """One version of a round."""

    piles: dict[str, tuple[Card | None, ...]]
    """Cards on the table, by what they are called."""
    seats: dict[int, SeatVersion]


def version(book: Rulebook, seen: State, paid: Iterable[SeatPaid] = ()) -> Version:
    """Return a round as a view has it, with what its seats are paid, where that is known."""
    by_seat: Mapping[int, SeatPaid] = {each.seat: each for each in paid}
    return Version(
        piles={capital(book.place_name(name)): pile for name, pile in seen.piles.items()},
        seats={
            number: SeatVersion(
                cards=seat.cards,
                hand=by_seat[number].hand if number in by_seat else "",
                wagers=tuple(
                    (book.wager_name(spot), cents)
                    for spot, cents in (*seat.stakes.items(), ("toke", seat.toke_cents))
                    if cents
                ),
                decided=", ".join(decided(book, seat)),
                paid_cents=by_seat[number].paid_cents if number in by_seat else None,
                held_cents=by_seat[number].held_cents if number in by_seat else 0,
            )
            for number, seat in seen.seats.items()
            if seat.stakes
        },
    )


def decided(book: Rulebook, seat: Seat) -> list[str]:
    """Say what a seat did on each street."""
    did = []
    for times, step in zip(seat.raises, book.streets, strict=False):
        stays = step.times or step.into in seat.stakes
        did.append(f"{times}{TIMES}" if times else "check" if stays else "take back")
    if seat.folded:
        did[seat.folded - 1 :] = ["folded"]
    return did
