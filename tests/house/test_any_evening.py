"""Any evening with real cards: large wins, put right before and after payment, kept, released, owed
and collected. Whatever happens is done or refused in words, and the whole house adds up."""

import asyncio
import contextlib
import random
from typing import Any

import pytest

from pitboss.audit.audit import audit
from pitboss.audit.export import rounds
from pitboss.audit.snapshot import Snapshot
from pitboss.cards import DECK, Card, cards
from pitboss.errors import Refused
from pitboss.house.books.papers import Payee
from pitboss.house.held_desk import HeldDesk
from pitboss.house.people import persons as p
from pitboss.house.replay import finished
from pitboss.house.storage.projections import claims_of, form_records, held_winnings
from pitboss.house.table import commands as c
from pitboss.round import State, due
from pitboss.round import actions as a
from pitboss.round.redo import Facts, SeatFacts
from pitboss.round.state import coming
from pitboss.rulebook.deal_script import DealStep
from tests.house.evening import CAJUN, CARIBBEAN, Evening
from tests.house.papers import ABROAD, PAYEE

WINS = {
    CAJUN: ("As Ks", "9s 8s", "Qh Qd", "Jh Jd"),
    CARIBBEAN: ("As Ks Qs Js Ts", "Kh Qh Jh Th 9h", "Ac Ad Ah Kc Kd", "Qd Jd Td 9d 8d"),
}
"""What seats 1 to 4 are dealt where luck is with them."""
BOARD = cards("Qs Js Ts")
LOW = cards("2c 3d 4c 7h 9c 2d 3h 4d 5h 6c 7d 8h")
PLAYERS = ("ann", "bob", "eve")
SEEDS = (1, 2, 27, 36, 47)
"""Few of them, so that it is quick; the last three did not add up once."""


class AnyEvening(Evening):
    """One table, at which anything may be put right."""

    def __init__(self, where: str, seed: int) -> None:
        super().__init__(where)
        self.r = self.chance = random.Random(seed)
        self.book_id = self.r.choice([CAJUN, CARIBBEAN])
        self.name = ""
        self.patron = ""
        self.ended: dict[int, State] = {}
        """How rounds stood before they were paid."""

    async def ask(self, who: str, command: Any) -> bool:
        """Ask; whether it was done."""
        with contextlib.suppress(Refused):
            await self.do(self.name, who, command)
            return True
        return False

    async def table(self) -> Any:
        return (await self.house.table(self.name)).table

    async def opens(self) -> None:
        await self.everybody()
        self.name = await self.open(
            "sam", self.book_id, dealing="entered", minimum_cents=5_00, maximum_cents=100_00
        )
        await self.sit(self.name, *PLAYERS)
        await self.do(self.name, "dan", c.StartDealing())
        await self.do(self.name, "flo", c.SeatPatron(4, "red jacket", 5_000_00))
        self.patron = (await self.table()).sitters[4].person
        await self.do(self.name, "flo", c.BringCards(("red",)))
        for who, role in (("dan", "dealer"), ("flo", "floor-supervisor")):
            await self.ask(who, c.InspectCards(role))
        await self.do(self.name, "dan", c.WashCards())

    # A round --------------------------------------------------------------------------------------

    async def plays(self) -> None:
        lucky = self.r.random() < 0.7
        await self.ask("dan", c.ShuffleCards())
        if not await self.ask("dan", c.OpenBetting()):
            return
        for seat in (await self.table()).sitters:
            toke = self.r.choice([0, 1_00]) if self.book_id == CAJUN else 0
            down = {"ante": self.r.choice([5_00, 100_00])}
            if self.r.random() < 0.6:
                down |= {"board-bonus": 5_00} if self.book_id == CAJUN else {"progressive": 1_00}
            if self.r.random() < 0.8:
                await self.ask("dan", a.Bet(seat, down, toke))
        if not await self.ask("dan", a.CloseBets()):
            return
        for _ in range(100):
            table = await self.table()
            if not table.under_way:
                return
            if self.r.random() < 0.08:
                await self.puts_right(c.Correct, table.round, ("dan", "dealer"))
            elif self.r.random() < 0.05:
                await self.ask("dan", c.Undo())
            else:
                await self.goes_on(table, lucky=lucky)
        await self.ask("sam", a.CallMisdeal("other", "shift-manager"))
        await self.ask("flo", a.CallMisdeal("other", "floor-supervisor"))

    async def goes_on(self, table: Any, *, lucky: bool) -> None:
        book, state = (await self.house.table(self.name)).book, table.round
        if waiting := due(book, state):
            step: Any = book.script[state.step]
            folds = self.r.random() < 0.1
            action: Any = a.Fold(waiting[0], confirmed=True)
            if folds or not await self.ask("dan", a.Raise(waiting[0], self.r.choice(step.times))):
                await self.ask("dan", action)
        elif state.phase == "playing" and isinstance(book.script[state.step], DealStep):
            await self.ask("dan", a.Deal((self.card(coming(book, state)[0], state, lucky=lucky),)))
        elif state.phase == "playing":
            await self.ask("dan", a.Turn())
        else:
            await self.settles(table)

    def card(self, to: tuple[str, int, bool], state: State, *, lucky: bool) -> Card:
        place, seat, _ = to
        spare = [card for card in DECK if not state.out >> card & 1]
        wins = cards(WINS[self.book_id][seat - 1]) if place == "seats" else BOARD
        first = wins if lucky and place != "dealer" else LOW
        return next((card for card in (*first, *LOW) if card in spare), spare[0])

    async def settles(self, table: Any) -> None:
        for seat in table.announced:
            for who, role in (("dan", "dealer"), ("flo", "floor-supervisor")):
                await self.ask(who, c.ApprovePayoff(seat, role))
            await self.ask("sue", c.ApprovePayoff(seat, "surveillance"))
        for seat in table.forms:
            held = c.HoldPayoff(seat, "no papers")
            shown = c.CompleteForm(seat, self.papers_of())
            await self.ask("cay", held if self.r.random() < 0.7 else shown)
        if table.correction is not None:
            await self.ask("dan", c.Correct("dealer", "it was right"))
        self.ended[table.number] = (await self.table()).round
        await self.ask("dan", a.Pay())

    def papers_of(self) -> Payee:
        return self.r.choice([PAYEE, ABROAD])

    # Afterwards -----------------------------------------------------------------------------------

    async def puts_right(self, kind: Any, state: State, first: tuple[str, str], **of: int) -> None:
        """Two people say the same."""
        facts = self.facts(state)
        pair = [first, self.r.choice([("sam", "shift-manager"), ("gus", "general-manager")])]
        for who, role in self.r.sample(pair, 2):
            if not await self.ask(who, kind(role, "as it lay", facts.seats, facts.piles, **of)):
                return

    def facts(self, state: State) -> Facts:
        seat = self.r.choice([*state.seats] or [1])
        held = state.seats[seat].cards if seat in state.seats else ()
        other = (*[None] * max(0, len(held) - 1), self.r.choice([*BOARD, *LOW]))
        again: Any = {"wagers": {"ante": 5_00}, "cards": held, "decisions": (3, 2, 1)}
        if self.book_id == CARIBBEAN:
            again["decisions"] = (2,)
        told = self.r.choice(
            [
                *[SeatFacts(seat, wagers={})] * 3,
                *[SeatFacts(seat, **again)] * 2,
                SeatFacts(seat, cards=other),
                SeatFacts(seat, toke_cents=self.r.choice([0, 1_00, 2_00])),
                SeatFacts(seat, decisions=("fold",)),
                SeatFacts(seat, late={"ante": self.r.choice([0, 150_00])}),
            ]
        )
        piles: dict[str, Any] = {
            place: (self.r.choice(LOW),) for place in state.piles if self.r.random() < 0.2
        }
        return Facts((told,), piles)

    async def afterwards(self) -> None:
        chance = self.r.random()
        if chance < 0.45 and self.ended:
            number = self.r.choice([*self.ended])
            with contextlib.suppress(KeyError):
                await self.puts_right(
                    c.CorrectPaid, self.ended[number], ("sue", "surveillance"), round=number
                )
        elif chance < 0.9:
            store, everybody = self.house.store, (*PLAYERS, self.patron)
            some = [x for x in everybody if held_winnings(store, x) or claims_of(store, x)]
            await self.at_the_desk(self.r.choice(some or everybody))
        elif chance < 0.93:
            await self.ask("flo", c.DropTokes())
            await self.ask("sam", c.WriteOffTokes("our mistake"))
        else:
            await self.ask("dan", self.r.choice([c.UnseatPatron(4), c.ColourUp(4, {}, {})]))

    async def at_the_desk(self, person: str) -> None:
        store, papers = self.house.store, self.papers_of()
        kept, owed = held_winnings(store, person), claims_of(store, person)
        seen = p.Identified(papers.residence, True, bool(papers.tin), "seen", papers)
        key = f"desk-{next(self.keys)}"
        by_sam, by_cay = (HeldDesk(self.house, who, person, key, "") for who in ("sam", "cay"))
        owes, lies = sum(each.cents for each in owed), sum(each.cents for each in kept)
        with contextlib.suppress(Refused):
            if self.r.random() < 0.1:
                barred = p.Barred(self.r.random() < 0.3, "to see")
                await self.house.record("sue", person, key, barred)
            elif owes and self.r.random() < 0.3:
                await by_sam.write_off(self.r.choice([1, owes]), "left town")
            elif owes:
                source: Any = self.r.choice(["held", "chips", "cash"])
                await by_cay.collect(self.r.choice([1, owes]), source, "at the cage")
            elif lies and self.r.random() < 0.2:
                await by_sam.turn_over(lies, (), "unclaimed")
            elif lies:
                await self.house.record("cay", person, f"{key}-papers", seen)
                await by_sam.release(lies, (), "has shown papers")


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_is_put_right_kept_and_owed_the_whole_house_adds_up(where: str, seed: int) -> None:
    async def go() -> None:
        here = AnyEvening(where, seed)
        await here.house.start()
        try:
            await here.opens()
            for _ in range(8):
                await here.plays()
                for _ in range(here.r.randrange(8)):
                    await here.afterwards()
            store = here.house.store
            forms = [each for each in form_records(store) if not each.parts]
            assert sum(each.withheld_cents for each in forms) == store.balance("tax")
            for number in here.ended:
                with contextlib.suppress(Refused):  # it was never paid
                    whole = finished(store, f"{here.name}-{number}")
                    for seat in (None, *whole.people):
                        whole.seen_by(seat)
        finally:
            await here.house.stop()

    asyncio.run(go())
    with Snapshot(where) as snapshot:
        assert [each.broken for each in audit(snapshot).promises if each.broken] == []
        assert [*rounds(snapshot)]
