"""A short evening at a table with real chips and real cards, always the same: everybody of the pit
does what is theirs to do, once."""

from collections.abc import Awaitable, Callable
from typing import Any

from pitboss.cards import cards
from pitboss.house.held_desk import HeldDesk
from pitboss.house.house import House
from pitboss.house.people import persons as p
from pitboss.house.storage.codec import short_name
from pitboss.house.storage.journal import Entry
from pitboss.house.table import commands as c
from pitboss.round import actions as a
from pitboss.round.redo import SeatFacts
from pitboss.settle import Player
from tests.faults.game import NOW, Step
from tests.house.evening import CAJUN, STAFF
from tests.house.papers import PAYEE

PIT = short_name("sam/pit")
JACKET = f"patron-{PIT}-9"
"""Whom the ninth entry seats."""
ANTE = {"ante": 5_00}
ROYAL = {"board": (None, None, *cards("Th"))}
LOW: Any = (SeatFacts(3, cards=(None, *cards("8c"))),)
Desk = Callable[[House, Step], Awaitable[Entry]]


def recorded(*events: p.PersonEvent) -> Desk:
    """Write this of somebody."""
    return lambda house, step: house.record(step.person, step.about, step.key, *events)


def at_the_desk(act: str, *asked: Any) -> Desk:
    """Do this with what is kept for somebody, or owed by them."""

    def ask(house: House, step: Step) -> Awaitable[Entry]:
        desk = HeldDesk(house, step.person, step.about, step.key, "")
        found: Awaitable[Entry] = getattr(desk, act)(*asked)
        return found

    return ask


def script() -> list[list[Step]]:
    """Return groups of steps, as ``game.script`` does; who comes in comes at the same time."""
    admin = recorded(p.PersonAdded("admin", ("administrator",)))
    joins = [
        Step("admin", "", recorded(p.PersonAdded(name, roles)), "add", about=name)
        for name, roles in {**STAFF, "dot": ("director-of-table-games",)}.items()
    ]
    ann = recorded(p.PersonAdded("ann", ("player",), Player()))
    sells = recorded(p.ChipsBought(1_000_00, practice=False))
    groups = [
        [Step("house", "", admin, "first", about="admin")],
        [*joins, Step("admin", "", ann, "add", about="ann")],
        [Step("cay", "", sells, "sell", about="ann")],
        [Step("sam", PIT, c.OpenTable(CAJUN, dealing="entered"), "pit")],
    ]
    for number, (who, command) in enumerate((*_before(), *_plays(), *_paid())):
        groups.append([Step(who, PIT, command, f"k{number}", NOW)])
    return [*groups, *_afterwards()]


def _before() -> list[tuple[str, Any]]:
    """Cards come and are minded, patrons come and buy chips."""
    return [
        ("dan", c.StartDealing()),
        ("dan", c.CallFloor("cards, please")),
        ("flo", c.AnswerFloor()),
        ("flo", c.BringCards(("red",))),
        ("dan", c.InspectCards("dealer")),
        ("flo", c.InspectCards("floor-supervisor")),
        ("dan", c.WashCards()),
        ("flo", c.SeatPatron(1, "red jacket", 500_00, given={25_00: 20})),
        ("dan", c.SeatPatron(2, cash_cents=2_000_00)),
        ("flo", c.VoidBuyIn(2, "two hundred, in chips")),
        ("dan", c.BuyIn(2, chips_cents=200_00)),
        ("dan", c.ColourUp(1, {25_00: 4}, {100_00: 1})),
        ("ann", c.Sit(3)),
        ("dan", c.ShuffleCards()),
        ("dan", c.OpenBetting()),
    ]


def _plays() -> list[tuple[str, Any]]:
    """A round is entered, with an entry taken back, a late find and a card that was misread."""
    return [
        ("dan", a.Bet(1, ANTE, 1_00)),
        ("dan", a.Bet(2, ANTE)),
        ("dan", a.Bet(3, ANTE)),
        ("dan", a.CloseBets()),
        ("dan", c.Undo()),
        ("dan", a.CloseBets()),
        ("dan", c.UnseatPatron(2)),
        ("dan", a.Deal(cards("Ah Kh 2c 3d 9h 8h"))),
        ("dan", a.Raise(1, 3)),
        ("dan", a.Raise(2, 1)),
        ("dan", a.Raise(3, 3)),
        ("flo", a.AcceptLate(2, "raise-1", 15_00, "floor-supervisor")),
        ("dan", a.Deal(cards("Qh"))),
        ("dan", a.Raise(1, 3)),
        ("dan", a.Fold(2, confirmed=True)),
        ("dan", a.Raise(3, 3)),
        ("dan", a.Deal(cards("Jh"))),
        ("dan", a.Raise(1, 3)),
        ("dan", a.Raise(3, 3)),
        ("dan", a.Deal(cards("Tc"))),
        ("dan", a.Turn()),
        ("dan", c.Correct("dealer", "the ten of hearts", piles=ROYAL)),
        ("flo", c.Correct("floor-supervisor", "so it is", piles=ROYAL)),
    ]


def _paid() -> list[tuple[str, Any]]:
    """Two share a ceiling: one shows papers, and is paid while the other waits and shows none."""
    roles = (("dan", "dealer"), ("flo", "floor-supervisor"), ("sue", "surveillance"))
    return [
        *((who, c.ApprovePayoff(3, role)) for who, role in roles),
        ("dan", a.Pay()),
        *((who, c.ApprovePayoff(1, role)) for who, role in roles),
        ("cay", c.HoldPayoff(1, "no papers")),
        ("dan", a.Pay()),
        ("gus", c.AcknowledgeNotice(1, "general-manager")),
        ("dot", c.AcknowledgeNotice(1, "director-of-table-games")),
        ("sue", c.CorrectPaid("surveillance", "the eight of clubs", LOW, round=1)),
        ("sam", c.CorrectPaid("shift-manager", "so it is", LOW, round=1)),
    ]


def _afterwards() -> list[list[Step]]:
    """What is owed and kept is seen to while the table closes."""
    shown = recorded(p.Identified("us", True, True, "a passport", PAYEE))
    released = at_the_desk("release", 25_000_00, (), "has shown a passport")
    collected = at_the_desk("collect", 1_000_00, "chips", "paid too much")
    written_off = at_the_desk("write_off", 2_966_67, "our mistake")
    return [
        [
            Step("dan", PIT, c.UnseatPatron(1), "goes"),
            Step("cay", "", shown, "papers", about=JACKET),
        ],
        [Step("ann", PIT, c.Leave(), "goes"), Step("sam", "", released, "pays", about=JACKET)],
        [Step("flo", PIT, c.DropTokes(), "drop"), Step("cay", "", collected, "owed", about="ann")],
        [Step("flo", PIT, c.RetireCards("worn"), "worn")],
        [
            Step("sam", "", written_off, "off", about="ann"),
            Step("sam", PIT, c.CloseTable(), "close"),
        ],
    ]
