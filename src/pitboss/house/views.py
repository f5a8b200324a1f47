"""What somebody sees of a table: built from the events they may see, never cut out of the whole."""

from collections.abc import Callable, Sequence

import msgspec

from pitboss import round as rounds
from pitboss.cards import Card
from pitboss.house.storage import codec
from pitboss.house.storage.journal import Entry
from pitboss.house.storage.projections import LoadedTable
from pitboss.house.table import events as h
from pitboss.house.table import state as tables
from pitboss.house.table.evolve import visible
from pitboss.house.table.paperwork import lacks
from pitboss.house.table.payoffs import unapproved
from pitboss.round import Option
from pitboss.round.state import coming
from pitboss.rulebook import Rulebook
from pitboss.settle.approvals import label


class SeatView(msgspec.Struct, frozen=True):
    """A seat as somebody sees it."""

    seat: int
    person: str
    name: str
    bot: bool = False
    away: bool = False
    leaving: bool = False
    patron: bool = False
    """Has no account: the dealer enters what they do."""
    chips_cents: int = 0
    """What lies before a patron."""
    in_round: bool = False
    stakes: dict[str, int] = {}
    toke_cents: int = 0
    cards: tuple[str | None, ...] = ()
    raises: tuple[int, ...] = ()
    folded: int = 0
    dead: str = ""
    shown: bool = False


class TableView(msgspec.Struct, frozen=True):
    """A table as somebody sees it."""

    table: str
    seq: int
    """The last entry of the journal that this view knows."""
    rulebook: str
    sha256: str
    open: bool
    practice: bool
    dealing: str
    dealer: str
    minimum_cents: int
    maximum_cents: int | None
    token_cents: int | None
    """What a token is worth here, where the table posts another value than the book's."""
    smallest_chip_cents: int | None
    """The smallest chip here, where it is another than the book's."""
    phase: str
    round: int
    moment: str
    """To be sent back with a bet or decision."""
    until: int
    """When the clock runs out, in milliseconds since 1970, UTC; 0 while none runs."""
    now: int
    commitment: str
    signer: str
    """The public key with which the house signed the deck; empty where it signs nothing."""
    signature: str
    cuts: dict[int, str]
    """What seats cut the sealed deck with."""
    meter_cents: int | None
    seats: tuple[SeatView, ...]
    piles: dict[str, tuple[str | None, ...]]
    seat: int | None
    """Yours."""
    freed: str
    """Why a seat that you held here was freed, until you take one again."""
    options: tuple[Option, ...]
    """What you may do in the round."""
    due: tuple[int, ...]
    """Seats whose decision the table waits for."""
    approvals: dict[int, tuple[str, ...]]
    """Seats whose payoff waits, and for whom."""
    paid: tuple[int, ...]
    """Seats that are paid while another waits."""
    papers: tuple[int, ...]
    """Seats whose payoff waits for papers."""
    correction: str
    """The role that says what was recorded wrongly, while another must agree."""
    last: h.RoundPaid | None
    """How the last round ended; what the tax desk did is in your own record of it."""
    cap_cents: int | None
    """The ceiling on winnings at these limits."""
    partners: tuple[tuple[int, ...], ...]
    betting_seconds: int
    """How long a table that deals by itself takes bets once there is one."""
    decision_seconds: int
    shuffler: bool
    shuffler_device: str
    shuffler_approval: str
    """The number under which the regulator approved it."""
    light: str
    """That the shuffler showed last in this round."""
    tokes_cents: int
    """What lies there for the dealers."""
    cards: tables.CardRecord | None
    """The record of the real cards; None where they are none."""
    called: int
    """Since when the dealer waits for the floor, in milliseconds since 1970, UTC; 0, if not."""
    deals: tuple[str, ...]
    """Where the dealer's next cards go, in order: to seats by their numbers, or to a pile."""


PUBLIC = (
    *("rulebook", "sha256", "open", "practice", "dealing", "dealer", "partners"),
    *("shuffler", "shuffler_device", "shuffler_approval", "tokes_cents"),
    *("minimum_cents", "maximum_cents", "meter_cents", "betting_seconds", "decision_seconds"),
    *("token_cents", "smallest_chip_cents"),
    *("moment", "until", "commitment", "cuts", "last"),
)
"""What everybody may know of a table, as it stands there."""
SITS = ("person", "name", "away", "leaving", "patron", "chips_cents")
"""What is seen of who holds a seat."""
HELD = ("stakes", "toke_cents", "raises", "folded", "dead", "shown")
"""What is seen of a seat in the round, as the view of the round has it."""


Signing = Callable[[str, str], tuple[str, str]]
"""Says by which key, and how, a round's commitment is signed."""


def table_view(
    live: LoadedTable, person: str, now: int, signed: Signing = lambda *_: ("", "")
) -> TableView:
    table, book = live.table, live.book
    signer, signature = signed(table.round_name, table.commitment)
    mine = table.seat_of(person)
    held = next((n for n, s in table.round.seats.items() if s.person == person), None)
    state = rounds.view(book, table.happened, held)
    return TableView(
        **{name: getattr(table, name) for name in PUBLIC},
        table=table.id,
        seq=live.seq,
        phase=_phase(table),
        round=table.number,
        now=now,
        signer=signer,
        signature=signature,
        seats=tuple(_seat(n, sitter, state) for n, sitter in table.sitters.items()),
        piles={place: _written(pile) for place, pile in state.piles.items()},
        seat=mine,
        freed=table.freed.get(person, ""),
        options=_options(book, table, mine),
        due=tuple(rounds.due(book, table.round)),
        approvals={
            seat: tuple(label(rule) for rule in unapproved(book, table, seat))
            for seat in table.announced
        },
        paid=tuple(table.paid),
        papers=tuple(seat for seat in table.forms if lacks(table, seat)),
        correction=table.correction.role if table.correction is not None else "",
        cap_cents=book.cap[0].cents(table.minimum_cents) if book.cap else None,
        light=table.round.light,
        cards=table.cards if table.dealing == "entered" else None,
        called=table.call.at if table.call is not None else 0,
        deals=_deals(book, table.round),
    )


def _deals(book: Rulebook, state: rounds.State) -> tuple[str, ...]:
    order = coming(book, state) if state.phase == "playing" else ()
    return tuple(str(seat) if seat else place for place, seat, _ in order)


def _phase(table: tables.Table) -> str:
    if not table.open:
        return "closed"
    if table.round.phase == "new":
        return "betting" if table.betting else "waiting"
    return table.round.phase


def _seat(number: int, sitter: tables.Sitter, state: rounds.State) -> SeatView:
    held, playing = state.seats.get(number), {}
    if held is not None and held.person == sitter.person:
        playing = {name: getattr(held, name) for name in HELD}
        playing |= {"in_round": True, "cards": _written(held.cards)}
    return SeatView(
        **{name: getattr(sitter, name) for name in SITS},
        seat=number,
        bot=bool(sitter.bot),
        **playing,
    )


def _written(cards: Sequence[Card | None]) -> tuple[str | None, ...]:
    return tuple(None if card is None else str(card) for card in cards)


def _options(book: Rulebook, table: tables.Table, seat: int | None) -> tuple[Option, ...]:
    if seat is None:
        return ()
    if table.betting and not table.under_way:
        empty = rounds.State(
            phase="betting",
            minimum_cents=table.minimum_cents,
            maximum_cents=table.maximum_cents,
            token_cents=table.token_cents,
            seats={seat: rounds.Seat(seat, "")},
        )
        return rounds.legal(book, empty, seat)
    return rounds.legal(book, table.round, seat)


class EntryView(msgspec.Struct, frozen=True):
    """An entry of a table's journal as somebody sees it."""

    table: str
    seq: int
    position: int
    at: int
    actor: str
    events: tuple[h.TableEvent, ...]


_UNTOLD = h.PlayerKnown | h.DeckOpened
_STAFFS = (
    h.SeatsPaid
    | h.RoundPaid
    | h.SeatLeft
    | h.FloorCalled
    | h.BuyInVoided
    | h.FormsDue
    | h.PayoffHeld
)
"""What staff are told whole. What is to be put right is not among it: it may name a card that lies
face down, and who has to agree finds it in what waits for them."""


def seat_then(body: codec.Body, person: str) -> int | None:
    """Return the seat that somebody held in the round that an entry tells of."""
    return next((seat for seat, each in body.people.items() if each == person), None)


def notice(entry: Entry, body: codec.Body, seat: int | None, *, staff: bool = False) -> EntryView:
    """Return an entry as a seat sees it; staff pay it out, and see what is held and withheld.

    That a person's record has changed is nobody's business at the table, nor is the whole deck.
    """
    return EntryView(
        table=entry.stream.partition(":")[2],
        seq=entry.seq,
        position=entry.position,
        at=entry.at,
        actor=entry.actor,
        events=tuple(
            [
                event if staff and isinstance(event, _STAFFS) else visible(event, seat)
                for event in body.events
                if not isinstance(event, _UNTOLD)
            ]
        ),
    )
