"""A house in which a bit of everything has happened, for audits and exports."""

import asyncio
import contextlib
import itertools
import random
from typing import Any

from pitboss.cards import Card, cards, shuffled
from pitboss.errors import Refused
from pitboss.house.books.papers import Winner
from pitboss.house.held_desk import HeldDesk
from pitboss.house.house import House
from pitboss.house.people import persons as p
from pitboss.house.storage.store import Store
from pitboss.house.table import commands as c
from pitboss.house.table.fair import Sealed
from pitboss.house.table.unit_of_work import Actor
from pitboss.round import actions as a
from pitboss.round import due, legal
from pitboss.round.redo import SeatFacts
from pitboss.rulebook.deal_script import DealStep
from pitboss.settle import Player
from tests.house.clocked_house import turned
from tests.house.papers import ABROAD, PAYEE, complete

STAFF: dict[str, tuple[p.Role, ...]] = {
    "dan": ("dealer",),
    "flo": ("floor-supervisor",),
    "sam": ("shift-manager",),
    "sue": ("surveillance",),
    "cay": ("cage",),
    "gus": ("general-manager",),
}
PLAYERS = {
    "ann": Player(),
    "bob": Player(residence="foreign"),
    "eve": Player(identified=False),
}
CAJUN = "diamond-jo-worth/cajun-stud"
CARIBBEAN = "seneca-niagara/caribbean-stud"
BOOKS = (
    "common/mississippi-stud",
    CAJUN,
    "hollywood-penn-national/cajun-stud",
    CARIBBEAN,
    "common/let-it-ride",
    "common/three-card-poker",
    "common/ultimate-texas-holdem",
    "common/caribbean-stud-envy",
)
"""Each says something of its own about wagers, decisions or awards."""
START_AT = 1_780_000_000_000
ROYAL = "2c 3d 9s 8s As Ks Qs Js Ts 4h 5h 6h 7h"
BOTH_WIN = ROYAL.removeprefix("2c 3d ")
"""The last two of three seats win much over one board."""


class Evening:
    """The house, with a clock that we turn and decks that we may stack."""

    def __init__(self, where: str) -> None:
        self.now = START_AT
        self.chance = random.Random(11)
        self.stacked: list[str] = []
        self.house = House(Store(where), clock=turned(self.clock), deck=self.deck)
        self.keys = itertools.count(1)

    def clock(self) -> int:
        self.now += 1
        return self.now

    def deck(self) -> Sealed:
        first = cards(self.stacked.pop()) if self.stacked else ()
        rest = tuple(card for card in shuffled(self.chance) if card not in first)
        return Sealed((*first, *rest), self.chance.randbytes(32).hex())

    async def do(self, name: str, who: str, command: Any) -> None:
        moment = (await self.house.table(name)).table.moment
        await self.house.command(name, who, command, f"k{next(self.keys)}", moment)

    async def open(self, who: str, book: str, **more: Any) -> str:
        if book == CARIBBEAN:
            more.setdefault("maximum_cents", 100_00)
        command = c.OpenTable(book, **more)
        name, _ = await self.house.open_table(who, command, f"k{next(self.keys)}")
        return name

    async def everybody(self) -> None:
        """Let people in: by the administrator, at the cage, and guests by themselves."""
        record = self.house.record
        await record("house", "admin", "", p.PersonAdded("admin", ("administrator",)))
        await record("house", "admin", "", p.PasswordSet())
        for name, roles in STAFF.items():
            await record("admin", name, f"add-{name}", p.PersonAdded(name, roles))
        for name, player in PLAYERS.items():
            await record("admin", name, f"add-{name}", p.PersonAdded(name, ("player",), player))
            await record("cay", name, f"sell-{name}", p.ChipsBought(2_000_000, practice=False))
        for name in ("guest-1", "guest-2", "guest-3"):
            chips = p.ChipsBought(1_000_000, practice=True)
            await record(name, name, "join", p.PersonAdded("Guest", ("guest",)), chips)
        kept = p.NameKept("rosa", "guest-3")
        await record("guest-3", "rosa", "", kept)
        await record("guest-3", "guest-3", "", kept, p.PasswordSet())

    async def sit(self, name: str, *who: str) -> None:
        for seat, each in enumerate(who, start=1):
            await self.do(name, each, c.Sit(seat))

    async def bet(self, name: str, seat: int, who: str, *, sides: bool, toke: int = 0) -> None:
        live = await self.house.table(name)
        minimum = live.table.minimum_cents
        down = live.book.with_equal({live.book.ante.name: minimum})
        if sides:
            down |= {
                spot.name: int(spot.fixed or spot.least or minimum)
                for spot in live.book.opening.values()
                if not spot.required
            }
        await self.do(name, who, a.Bet(seat, down, toke))

    async def decide(self, name: str, *, folds: bool = True) -> None:
        """Let whoever is due decide, until nobody is."""
        while True:
            live = await self.house.table(name)
            waiting = due(live.book, live.table.round)
            if not waiting:
                return
            seat = waiting[0]
            step: Any = live.book.script[live.table.round.step]
            who = live.table.round.seats[seat].person
            if live.table.dealing == "entered":
                who = live.table.dealer
            offered = legal(live.book, live.table.round, seat)
            if folds and "fold" in step.otherwise and self.chance.random() < 0.25:
                await self.do(name, who, a.Fold(seat, confirmed=True))
            elif step.times:
                await self.do(name, who, a.Raise(seat, max(each.times for each in offered)))
            else:
                back = folds and self.chance.random() < 0.5
                await self.do(name, who, a.TakeBack(seat) if back else a.Check(seat))

    async def approve(self, name: str) -> None:
        await self.papers(name)
        for seat in (await self.house.table(name)).table.announced:
            for who, role in (("flo", "floor-supervisor"), ("sue", "surveillance")):
                if seat in (await self.house.table(name)).table.announced:
                    with contextlib.suppress(Refused):  # where so much is not needed
                        await self.do(name, who, c.ApprovePayoff(seat, role))

    async def papers(self, name: str) -> None:
        """Let whoever wins much show papers; eve has none, nor has who has no account."""
        for seat in (await self.house.table(name)).table.forms:
            table = (await self.house.table(name)).table
            if seat not in table.forms or seat in {*table.holds, *table.papers}:
                continue
            if table.sitters[seat].person == "eve" or table.sitters[seat].patron:
                await self.do(name, "cay", c.HoldPayoff(seat, "no papers"))
            else:
                await self.do(name, "cay", complete(seat, table.sitters[seat]))

    async def round(self, name: str, *who: str, sides: bool = True, toke: int = 0) -> None:
        for seat, each in enumerate(who, start=1):
            await self.bet(name, seat, each, sides=sides, toke=toke)
        await self.decide(name, folds=not self.stacked)
        await self.approve(name)

    # What happens -------------------------------------------------------------------------------

    async def automatic_tables(self) -> None:
        for book in BOOKS:
            name = await self.open("sam", book)
            await self.sit(name, *PLAYERS)
            for number in range(3):
                toke = 100 if book == CAJUN and number else 0
                await self.round(name, *PLAYERS, toke=toke)
            if book == CAJUN:
                await self.capped(name)
                await self.do(name, "flo", c.DropTokes())
            if book == CARIBBEAN:
                await self.dead_hand(name)
            await self.misdeal(name)
            if book == CARIBBEAN:
                await self.do(name, "sam", c.CloseTable())
                await self.open("sam", book, table=name)

    async def capped(self, name: str) -> None:
        """Two hands share a ceiling; one winner is not identified, so that winnings are held."""
        await self.do(name, "sam", c.ChangeLimits(1_500, 10_000, "busy"))
        for deck in (ROYAL, BOTH_WIN):
            # The next round's deck was sealed when this one was paid.
            self.stacked = [deck]
            await self.round(name, *PLAYERS, sides=False)
        # Nobody agrees with who would have it void, and it is paid; then somebody does.
        # Both win: a round of which a seat was paid is not called off.
        void, (loser, *winners) = a.CallMisdeal("information", "shift-manager"), PLAYERS
        await self.do(name, loser, c.SitOut())
        for second in (False, True):
            for seat, each in enumerate(winners, start=2):
                await self.bet(name, seat, each, sides=False)
            await self.decide(name, folds=False)
            await self.do(name, "sam", void)
            self.stacked = [] if second else [BOTH_WIN]
            if second:
                await self.do(name, "flo", a.CallMisdeal("information", "floor-supervisor"))
            else:
                await self.approve(name)
        await self.do(name, loser, c.SitIn())

    async def dead_hand(self, name: str) -> None:
        for seat, each in enumerate(PLAYERS, start=1):
            await self.bet(name, seat, each, sides=True)
        await self.do(name, "flo", a.KillHand(2, "information", "floor-supervisor"))
        await self.decide(name, folds=False)

    async def misdeal(self, name: str) -> None:
        live = await self.house.table(name)
        for seat, each in enumerate(PLAYERS, start=1):
            await self.bet(name, seat, each, sides=True)
        cause = live.book.misdeal[-1].cause
        await self.do(name, "sam", a.CallMisdeal(cause, "shift-manager"))

    async def practice(self) -> None:
        """Guests and a bot, a clock that runs out, and the opener as the pit."""
        name = await self.open("guest-1", CARIBBEAN, practice=True, decision_seconds=1)
        await self.do(name, "guest-1", c.Sit(1))
        await self.house.enter(await self.house.invite(name, "guest-1"), "guest-2")
        await self.do(name, "guest-2", c.Sit(2))
        for seat, each in enumerate(("guest-1", "guest-2"), start=1):
            await self.bet(name, seat, each, sides=True)
        await self.do(name, "guest-1", a.Raise(1, 2))
        self.now += 5_000
        until = (await self.house.table(name)).table.until
        await self.house.live.do(name, Actor("clock"), c.Tick(until), "")
        await self.do(name, "guest-2", c.SitOut())
        await self.do(name, "guest-2", c.SitIn())
        await self.do(name, "guest-2", c.Leave())
        # A hand for the jackpot: the payoff approves itself.
        self.stacked = ["As Ks Qs Js Ts"] * 2
        for _ in range(2):
            await self.round(name, "guest-1")
        self.stacked = []

    async def late_comer(self) -> None:
        """Somebody sits down while bets lie there: the round is opened anew for them."""
        name = await self.open("sam", CARIBBEAN)
        await self.sit(name, "ann", "bob")
        await self.bet(name, 1, "ann", sides=True)
        await self.do(name, "eve", c.Sit(3))
        await self.bet(name, 3, "eve", sides=True)
        await self.bet(name, 2, "bob", sides=True)
        await self.decide(name)

    async def with_a_bot(self) -> None:
        name = await self.open("guest-2", CARIBBEAN, practice=True)
        await self.do(name, "guest-2", c.Sit(1))
        await self.do(name, "guest-2", c.SeatBot(2))
        await self.bet(name, 1, "guest-2", sides=False)
        while (live := await self.house.table(name)).table.number == 1:
            if 1 in due(live.book, live.table.round):
                await self.do(name, "guest-2", a.Raise(1, 2))
            await asyncio.sleep(0.01)

    async def dealt_by_hand(self) -> None:
        name = await self.to_be_approved()
        for seat in (await self.house.table(name)).table.announced:
            await self.do(name, "dan", c.ApprovePayoff(seat, "dealer"))
        await self.approve(name)
        await self.do(name, "dan", a.Pay())

    async def to_be_approved(self) -> str:
        """A dealer works the script with the sealed deck; two payoffs wait for approval."""
        name = await self.open("sam", CAJUN, dealing="dealer")
        await self.sit(name, *PLAYERS)
        await self.do(name, "dan", c.StartDealing())
        self.stacked = [ROYAL]
        await self.do(name, "dan", c.OpenBetting())
        for seat, each in enumerate(PLAYERS, start=1):
            await self.bet(name, seat, each, sides=False)
        await self.do(name, "dan", a.CloseBets())
        await self.work(name, lambda _: ())
        return name

    async def real_cards(self) -> None:
        """New cards are brought, looked at and washed; the dealer enters what lies there."""
        name = await self.open("sam", CAJUN, dealing="entered")
        await self.sit(name, *PLAYERS)
        await self.do(name, "dan", c.StartDealing())
        await self.do(name, "flo", c.BringCards(("red",)))
        await self.do(name, "dan", c.InspectCards("dealer"))
        await self.do(name, "flo", c.InspectCards("floor-supervisor"))
        await self.do(name, "dan", c.WashCards())
        await self.do(name, "dan", c.ShuffleCards())
        await self.do(name, "dan", c.OpenBetting())
        for seat in (1, 2, 3):
            await self.bet(name, seat, "dan", sides=True)
        await self.do(name, "dan", a.CloseBets())
        await self.do(name, "dan", c.Undo())
        await self.do(name, "dan", a.CloseBets())
        deck = iter(shuffled(self.chance))
        await self.work(name, lambda count: tuple(itertools.islice(deck, count)))
        await self.put_right(name, {"board": (next(deck),)})
        for seat in (await self.house.table(name)).table.announced:
            await self.do(name, "dan", c.ApprovePayoff(seat, "dealer"))
        await self.approve(name)
        await self.do(name, "dan", a.Pay())
        await self.put_right_later(name, {"board": (None, next(deck))})
        # A flaw shows, its card is replaced, and then the table goes over to a shuffler.
        (worn,) = cards("7h")
        await self.do(name, "dan", c.InspectCards("dealer", found="flawed"))
        await self.do(name, "flo", c.ReplaceCard(worn, "floor-supervisor", "bent"))
        await self.do(name, "dan", c.InspectCards("dealer"))
        machine = c.ChangeShuffler(True, "it came", "a shuffler", "no. 1")
        await self.do(name, "flo", machine)
        await self.do(name, "flo", c.BringCards(("red", "blue")))

    async def patrons(self) -> None:
        """Two people without an account play beside one who has one, and leave."""
        name = await self.open("sam", CAJUN, dealing="entered")
        await self.do(name, "dan", c.StartDealing())
        await self.do(name, "dan", c.CallFloor("cards, please"))
        await self.do(name, "flo", c.AnswerFloor())
        await self.do(name, "flo", c.BringCards(("red",)))
        await self.do(name, "dan", c.InspectCards("dealer"))
        await self.do(name, "flo", c.InspectCards("floor-supervisor"))
        await self.do(name, "dan", c.WashCards())
        await self.do(name, "flo", c.SeatPatron(1, "red jacket", 500_00, given={25_00: 20}))
        await self.do(name, "dan", c.SeatPatron(2, cash_cents=2_000_00))
        await self.do(name, "flo", c.VoidBuyIn(2, "two hundred, in chips"))
        await self.do(name, "dan", c.BuyIn(2, chips_cents=200_00))
        await self.do(name, "ann", c.Sit(3))
        await self.do(name, "dan", c.ShuffleCards())
        await self.do(name, "dan", c.OpenBetting())
        for seat in (1, 2):
            await self.bet(name, seat, "dan", sides=True, toke=1_00)
        await self.bet(name, 3, "ann", sides=False)
        await self.do(name, "dan", c.ColourUp(1, {25_00: 4}, {100_00: 1}))
        await self.do(name, "dan", a.CloseBets())
        await self.do(name, "dan", c.UnseatPatron(2))
        deck = iter(shuffled(self.chance))
        await self.work(name, lambda count: tuple(itertools.islice(deck, count)))
        for seat in (await self.house.table(name)).table.announced:
            await self.do(name, "dan", c.ApprovePayoff(seat, "dealer"))
        await self.approve(name)
        await self.do(name, "dan", a.Pay())
        await self.do(name, "flo", c.CloseTable())

    async def put_right_later(self, name: str, piles: dict[str, tuple[Card | None, ...]]) -> None:
        """Surveillance finds on its film what was misread, and the shift manager agrees; and once
        more, the other way round."""
        number = (await self.house.table(name)).table.number
        for who, role in (("sue", "surveillance"), ("sam", "shift-manager")):
            await self.do(name, who, c.CorrectPaid(role, "misread", piles=piles, round=number))
        folds = (SeatFacts(1, decisions=("fold",)), SeatFacts(2, toke_cents=100))
        for who, role in (("sam", "shift-manager"), ("sue", "surveillance")):
            await self.do(name, who, c.CorrectPaid(role, "folded", folds, round=number))

    async def put_right(self, name: str, piles: dict[str, tuple[Card | None, ...]]) -> None:
        """The dealer reads a card again, and the floor agrees."""
        for who, role in (("dan", "dealer"), ("flo", "floor-supervisor")):
            await self.do(name, who, c.Correct(role, "misread", piles=piles))

    async def work(self, name: str, entered: Any) -> None:
        """Work the script as a dealer does; seats decide in between."""
        while (live := await self.house.table(name)).table.round.phase == "playing":
            step = live.book.script[live.table.round.step]
            if due(live.book, live.table.round):
                await self.decide(name, folds=False)
            elif isinstance(step, DealStep):
                each = len(live.table.round.seats) if "seats" in step.to else 1
                given: tuple[Card, ...] = entered(step.cards * each)
                await self.do(name, "dan", a.Deal(given))
            else:
                await self.do(name, "dan", a.Turn())

    async def shared_win(self) -> None:
        """Bob, who lives abroad, wins for two."""
        self.stacked = ["Ts Js Qs 2c As Ks"]
        name = await self.open("sam", "hollywood-penn-national/cajun-stud")
        self.stacked = []
        await self.do(name, "bob", c.Sit(1))
        await self.bet(name, 1, "bob", sides=False)
        await self.decide(name, folds=False)
        winners = (Winner(ABROAD, 3), Winner(PAYEE))
        await self.do(name, "cay", c.CompleteForm(1, ABROAD, winners))

    async def afterwards(self) -> None:
        record = self.house.record
        await self.house.change_setting("gus", "gaming-day-starts", "05:00", "summer", "s1")
        await self.house.change_setting("gus", "guests", "no", "closed", "s2")
        await record("cay", "ann", "cash", p.ChipsCashed(1_000))
        held = await self.house.in_thread(self.house.store.balance, "held:eve")
        assert held, "eve showed no papers, and won"
        shown = p.Identified("us", True, True, "a passport", PAYEE)
        await record("cay", "eve", "identify", shown)
        owed = await self.house.in_thread(self.house.store.balance, "claims:eve")
        if owed:  # nothing leaves before that is settled
            off = HeldDesk(self.house, "sam", "eve", "write-off", "")
            await off.write_off(owed, "a dealer's mistake")
        desk = HeldDesk(self.house, "sam", "eve", "release", "")
        await desk.release(held, (), "has shown a passport")
        await record("sue", "eve", "bar", p.Barred(True, "exchanged information"))


async def play_a_little(where: str) -> None:
    """One row of every kind: a real table with a shared ceiling, a practice table, the house."""
    played = Evening(where)
    await played.house.start()
    await played.everybody()
    name = await played.open("sam", CAJUN)
    await played.sit(name, *PLAYERS)
    await played.capped(name)
    await played.misdeal(name)
    await played.late_comer()
    await played.practice()
    await played.afterwards()
    await played.house.stop()


async def play(where: str) -> None:
    """Play it."""
    played = Evening(where)
    await played.house.start()
    await played.everybody()
    await played.automatic_tables()
    await played.practice()
    await played.late_comer()
    await played.with_a_bot()
    await played.dealt_by_hand()
    await played.real_cards()
    await played.patrons()
    await played.shared_win()
    await played.afterwards()
    await played.house.stop()
