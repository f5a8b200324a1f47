"""The dealer's console for programs: the next step, the house's prompts, what is taken and paid."""

import msgspec

from pitboss.errors import refuse
from pitboss.house.people.permissions import roles_at
from pitboss.house.table.unit_of_work import settled
from pitboss.web.pages.dealer import may_look_on
from pitboss.web.pages.dealer_payoffs import SeatPayoff, payoffs
from pitboss.web.pages.dealer_prompt import DealerStep, next_step, prompts
from pitboss.web.pipeline import Call
from pitboss.web.services import Services


class DealerPrompt(msgspec.Struct, frozen=True):
    """What the house wants done by hand at this step."""

    says: str
    clause: str


class SeatChips(msgspec.Struct, frozen=True, kw_only=True):
    """What is taken and paid at one seat."""

    seat: int
    hand: str
    take_cents: int
    pay_cents: int
    stacks: tuple[tuple[int, int], ...]
    """What is paid, in the fewest chips: which, in cents, and how many."""
    coin_cents: int
    """What is less than the smallest chip."""
    held_cents: int
    withheld_cents: int
    dealers_cents: int
    """What goes to the dealers for a toke."""
    paid: bool
    """It is paid, while another waits."""
    waits: tuple[str, ...]
    """For whom, or for what, it waits."""


class ConsoleView(msgspec.Struct, frozen=True):
    """A table as its dealer works with it."""

    step: DealerStep
    prompts: tuple[DealerPrompt, ...]
    payoffs: tuple[SeatChips, ...]
    """Seat by seat in the house's order, once every hand is shown."""


async def console(web: Services, call: Call[None]) -> ConsoleView:
    """What is dealt, entered or called out next, and what to take and pay, for who deals and the
    floor."""
    live = await web.table(call.path("table"), call.person)
    book, table, who = live.book, live.table, call.person
    if not may_look_on(table, who):
        message = "this is for the dealer of a table that people deal, and for the floor"
        raise refuse("role/not-yours", message)
    day = web.house.settings.day(web.house.clock())
    step = next_step(book, table, who.id, day, roles_at(table, who))
    over = table.round.phase == "settling"
    return ConsoleView(
        step,
        tuple(DealerPrompt(each.says, each.cited) for each in prompts(book, step)),
        tuple(map(_chips, payoffs(book, table, settled(book, table, day)))) if over else (),
    )


def _chips(seat: SeatPayoff) -> SeatChips:
    approvers = (who for _, who, done in seat.waits if not done)
    return SeatChips(
        seat=seat.seat,
        hand=seat.hand,
        take_cents=seat.take_cents,
        pay_cents=seat.pay_cents,
        stacks=seat.stacks,
        coin_cents=seat.coin_cents,
        held_cents=seat.held_cents,
        withheld_cents=seat.withheld_cents,
        dealers_cents=seat.dealers_cents,
        paid=seat.done,
        waits=(*approvers, *([seat.papers] if seat.papers else ())),
    )
