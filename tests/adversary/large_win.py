"""A round in which somebody wins much, and what comes after it, by all whose part that is.

People who do anything anywhere seldom come so far: a few of them see to it together, in the middle
of the night's trouble and of everybody else's doings.
"""

import asyncio
from typing import Any

import msgspec

from pitboss.round.redo import SeatFacts
from tests.adversary.at_a_table import opens
from tests.adversary.cast import LARGE_WINS, PAYEE
from tests.adversary.duties import act
from tests.adversary.somebody import Somebody

DEALER, FLOOR, SHIFT = "dealer", "floor-supervisor", "shift-manager"
DIRECTOR, MANAGER, EYE = "director-of-table-games", "general-manager", "surveillance"
WHY = "as it lay there"
TEN = {"board": [None, None, "Td"]}
"""In place of the ten of hearts it makes a straight of a royal flush."""
TRIES = 5
MOST_REFUSALS = 6


class _Over(Exception):
    """There is nobody for a part in it, or the house is another."""


class _Few:
    """Those who see to it, each at a screen of their own."""

    def __init__(self, who: Somebody) -> None:
        self.who, self.night, self.epoch = who, who.night, who.night.epoch
        self.here: dict[str, tuple[Somebody, Somebody]] = {}
        """By role: a person, and the same at this screen."""
        self.table, self.refusals = "", 0

    def one(self, role: str) -> Somebody:
        """Return who acts in a role: always the same."""
        if role not in self.here:
            taken = {each.name for each, _ in self.here.values()}
            able = [
                each
                for each in self.night.people
                if role in each.roles and each.token and each.name not in taken
            ]
            if not able:
                raise _Over
            found = self.who.random.choice(able)
            self.here[role] = found, found.beside(f"~{self.who.key()}")
        person, beside = self.here[role]
        beside.token = person.token  # they may have come in anew
        return beside

    async def do(self, by: str, action: str, /, **more: Any) -> bool:
        """Have it done at the table, asked for again where nobody answers; whether it was."""
        who = self.one(by)
        command = {"action": action, **more}
        path, body = f"/api/tables/{self.table}", {"command": command}
        asked = who.asked(path, f"table:{self.table}", body, moment=await self._moment(who))
        for _ in range(TRIES):
            if self.night.over or self.epoch != self.night.epoch:
                raise _Over
            if await who.send(asked):
                self.refusals += 1
                if self.refusals > MOST_REFUSALS:
                    raise _Over
                return False
            if asked.place in self.night.record.done:
                return True
            await asyncio.sleep(0.2)
        raise _Over

    async def _moment(self, who: Somebody) -> str:
        status, view = await who.ask("GET", f"/api/tables/{self.table}")
        return str(view["moment"]) if status == 200 else ""

    def leave(self) -> None:
        for _, beside in self.here.values():
            for line in beside.lines.values():
                line.close()


async def large_win(who: Somebody) -> None:
    """Let a patron win more than the house pays, and see to all that follows."""
    few = _Few(who)
    try:
        opened = {"rulebook": LARGE_WINS, "practice": False, "dealing": "entered"}
        limits = {"minimum_cents": 5_00, "maximum_cents": 100_00}
        few.table = await opens(few.one(SHIFT), {"action": "open-table", **opened, **limits})
        if few.table and few.who.random.random() < 0.7:
            few.night.tables.remove(few.table)  # the others come later, or not at all
        if few.table:
            await _cards_and_chips(few)
            await _play(few)
            await _pay(few)
            await _afterwards(few)
            await few.do(SHIFT, "close-table", why="it is late")
    except _Over:
        pass
    finally:
        few.leave()


async def _cards_and_chips(few: _Few) -> None:
    await few.do(DEALER, "start-dealing")
    await few.do(FLOOR, "bring-cards", colours=["red"])
    for role in (DEALER, FLOOR):
        await few.do(role, "inspect-cards", role=role)
    await few.do(DEALER, "wash-cards")
    await few.do(DEALER, "shuffle-cards")
    for seat in (1, 2):
        await few.do(DEALER, "seat-patron", seat=seat, cash_cents=500_00)
    await few.do(SHIFT, "void-buy-in", seat=2, why="theirs was less")
    await few.do(DEALER, "call-floor", why="a large bet")
    await few.do(FLOOR, "answer-floor")


async def _play(few: _Few) -> None:
    await few.do(DEALER, "open-betting")
    # Of 20.00 a royal flush is more than the house pays; of 5.00 it needs a form.
    ante = few.who.random.choice([5_00, 20_00])
    await few.do(DEALER, "bet", seat=1, wagers={"ante": ante})
    await few.do(DEALER, "close-bets")
    await few.do(DEALER, "deal", cards=["Ah", "Kh"])
    await few.do(DEALER, "raise", seat=1, times=1)
    await few.do(SHIFT, "accept-late", seat=1, spot="raise-1", cents=3 * ante, role=SHIFT)
    for card in ("Qh", "Jh", "Th"):
        if card != "Qh":
            await few.do(DEALER, "raise", seat=1, times=3)
        await few.do(DEALER, "deal", cards=[card])
        if few.who.random.random() < 0.3 and await few.do(DEALER, "undo"):
            await few.do(DEALER, "deal", cards=[card])
    await few.do(DEALER, "turn", cards=[])
    seats = [msgspec.to_builtins(SeatFacts(1, toke_cents=1_00))]
    for role in (DEALER, FLOOR) if few.who.random.random() < 0.5 else ():
        await few.do(role, "correct", role=role, why=WHY, seats=seats)


async def _pay(few: _Few) -> None:
    if few.who.random.random() < 0.5:
        await few.do("cage", "complete-form", seat=1, payee=PAYEE)
    else:
        await few.do("cage", "hold-payoff", seat=1, why="none shown")
    for role in (DEALER, FLOOR, EYE):
        await few.do(role, "approve-payoff", seat=1, role=role)
    await few.do(DEALER, "pay")
    await few.do(FLOOR, "drop-tokes")


async def _afterwards(few: _Few) -> None:
    """Notices, a correction and what is owed by it; or what is kept is paid out."""
    status, view = await few.one(DEALER).ask("GET", f"/api/tables/{few.table}")
    patrons = [each["person"] for each in view["seats"]] if status == 200 else []
    for role in (MANAGER, DIRECTOR):
        await few.do(role, "acknowledge-notice", round=1, role=role)
    if few.who.random.random() < 0.5:
        await few.do(DEALER, "unseat-patron", seat=1)
    right: dict[str, Any] = {"why": WHY, "piles": TEN, "round": 1}
    for role in (SHIFT, EYE) if few.who.random.random() < 0.5 else ():
        await few.do(role, "correct-paid", role=role, **right)
    for person in patrons:
        await _desk(few, person)


async def _desk(few: _Few, person: str) -> None:
    """What the cage and the shift manager have to do with somebody who is owed, or owes."""
    cage, shift = few.one("cage"), few.one(SHIFT)
    status, desk = await cage.ask("GET", "/api/papers")
    if status != 200:
        return
    for claim in [each for each in desk["claims"] if each["person"] == person]:
        some = {"cents": claim["cents"] // 2, "why": WHY}
        await act(cage, person, {"action": "collect-claim", "source": "cash", **some})
        rest = {"cents": claim["cents"] - some["cents"], "why": WHY}
        await act(shift, person, {"action": "write-off-claim", **rest})
    for held in [each["held"] for each in desk["held"] if each["held"]["person"] == person]:
        action = few.who.random.choice(["release-held", "turn-over-held"])
        if action == "release-held":
            shown = {"residence": "us", "identified": True, "tin": False, "payee": PAYEE}
            await act(cage, person, {"action": "identify", "why": "papers", **shown})
        named = {"cents": held["cents"], "of": [held["id"]]}
        await act(shift, person, {"action": action, "why": "as it is due", **named})
