"""Whoever asks a table for whatever, whenever: it is done or refused in words, and all adds up."""

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from pitboss.cards import DECK
from pitboss.errors import Refused
from pitboss.house.books.papers import Winner
from pitboss.house.storage import codec
from pitboss.house.table import commands as c
from pitboss.house.table.deck_handling import cards_refusal
from pitboss.house.table.evolve import asked, evolve
from pitboss.house.table.state import Table
from pitboss.round import actions as a
from pitboss.round import due, legal
from pitboss.rulebook import Rulebook, load
from pitboss.rulebook.deal_script import DealStep
from pitboss.settle import Player
from tests.helpers import (
    CRAZY_4,
    DIAMOND_JO,
    HOLLYWOOD,
    LET_IT_RIDE,
    MISSISSIPPI,
    SENECA,
    THREE_CARD,
    ULTIMATE,
    tags,
)
from tests.house.any_command import PLAYERS, anything
from tests.house.floor import ROLES, SHUFFLER, Floor
from tests.house.papers import ABROAD, PAYEE
from tests.small_books import TAKE_BACK

ENVY = load("common/caribbean-stud-envy")
BOOKS = (DIAMOND_JO, HOLLYWOOD, SENECA, MISSISSIPPI, TAKE_BACK)
MORE = (LET_IT_RIDE, THREE_CARD, ULTIMATE, CRAZY_4, ENVY)
"""Each says something new of wagers, decisions or awards."""
PEOPLE = (*PLAYERS, *ROLES)
PAPERS: tuple[Any, ...] = (
    lambda seat: c.CompleteForm(seat, PAYEE),
    lambda seat: c.CompleteForm(seat, PAYEE, (Winner(PAYEE), Winner(ABROAD, 2))),
    lambda seat: c.HoldPayoff(seat, "no papers"),
)


def test_every_command_is_tried():
    tried = set(anything(SENECA, random.Random(1)))
    assert tried == set(tags(c.Command)) | {"open-table", "tick"}


class Crowd:
    """People around one table, some of whom know what they do."""

    def __init__(self, book: Rulebook, r: random.Random) -> None:
        self.book, self.r = book, r
        self.floor = Floor(book, r.randrange(2**32), opened=False)
        self.kinds = anything(book, r)
        self.asked: list[str] = []
        practice = r.random() < 0.3
        dealing: Any = r.choice(["automatic", "dealer", "entered"])
        lights = dealing == "entered" and book.deck.shuffler and r.random() < 0.5
        named: Any = SHUFFLER if lights else {}
        opening = c.OpenTable(book.id, "t", 5_00, 100_00, practice, dealing, lights, **named)
        assert self.ask(opening, "own" if practice else "max")
        for seat, who in enumerate(PLAYERS[: r.randrange(1, 5)], start=1):
            assert self.ask(c.Sit(seat), who)

    @property
    def table(self) -> Table:
        return self.floor.table

    def ask(self, command: Any, who: str) -> bool:
        """Ask, and see that nothing changes where it is refused; whether it was done."""
        self.asked.append(f"{self.floor.at} {who}: {command}")
        before, text = self.table, codec.text(self.table)
        try:
            self.floor.do(command, who)
            return True
        except Refused as refused:
            refusal = refused.refusal
        assert refusal.code
        assert refusal.message
        assert self.table is before
        assert codec.text(before) == text
        return False

    def go_on(self) -> None:
        """Let somebody do something."""
        chance = self.r.random()
        if chance < 0.2:
            self.ask(self.kinds[self.r.choice(sorted(self.kinds))](), self.r.choice(PEOPLE))
        elif chance < 0.25:
            self.time_passes()
        elif chance < 0.26:
            who = self.r.choice(PLAYERS)
            self.floor.players[who] = Player(barred=self.r.random() < 0.3)
        elif chance < 0.29:
            self.something_happens()
        else:
            self.sensibly()

    def something_happens(self) -> None:
        """What the right person does now and then."""
        seats, r = [*self.table.round.seats] or [1], self.r
        floor = "floor-supervisor"
        command, who = r.choice(
            [
                (a.KillHand(r.choice(seats), r.choice(["count", "information"]), floor), "flo"),
                (a.CallMisdeal("other", "shift-manager"), "max"),
                (a.CallMisdeal("information", floor), "flo"),
                (a.LetStand("information", floor), "flo"),
                (a.AcceptLate(r.choice(seats), self.book.ante.name, 300_00, floor), "flo"),
                (c.ChangeLimits(10_00, 100_00, "a full house"), "max"),
                (c.MarkPartners(((1, 2),), "brothers"), "flo"),
                (c.SeatBot(r.randrange(1, 7)), "own"),
                (c.FreeSeat(r.randrange(1, 7), r.choice(PLAYERS), "nobody is there"), "flo"),
                (c.StartDealing(), r.choice(["dan", "eve"])),
                (c.Sit(r.randrange(1, 7)), r.choice(PLAYERS)),
                (c.SeatPatron(r.randrange(1, 7), "", r.choice([25_00, 500_00])), "flo"),
                (c.BuyIn(r.choice(seats), chips_cents=100_00), r.choice(["dan", "flo"])),
                (c.UnseatPatron(r.choice(seats)), "dan"),
            ]
        )
        self.ask(command, who)

    def time_passes(self) -> None:
        if self.r.random() < 0.1:
            self.floor.day = self.floor.day.replace(year=self.floor.day.year + 1)
        if not self.table.until or self.r.random() < 0.5:
            self.floor.at += self.r.choice([0, 1, 999, 5_000])
            return
        self.floor.at = max(self.floor.at, self.table.until)
        other = self.r.randrange(2)
        assert self.ask(c.Tick(self.table.until - other), "clock") == (not other)

    def sensibly(self) -> None:
        """What people do who know what they do."""
        table = self.table
        if not table.open:
            self.ask(c.OpenTable(self.book.id, "t", practice=table.practice), "max")
        elif table.dealing != "automatic" and not table.dealer:
            self.ask(c.StartDealing(), "dan")
        elif table.announced and self.r.random() < 0.7:
            who = self.r.choice(["dan", "flo", "max", "sue", "fay", "eve"])
            role = self.r.choice(sorted(ROLES[who]))
            self.ask(c.ApprovePayoff(self.r.choice([*table.announced]), role), who)
        elif table.forms and self.r.random() < 0.7:
            seat, kind = self.r.choice([*table.forms]), self.r.choice(PAPERS)
            self.ask(kind(seat), self.r.choice(["cay", "flo"]))
        elif due(self.book, table.round) and self.r.random() < 0.9:
            self.decide()
        elif table.dealer and (not table.betting or self.r.random() < 0.4):
            self.deal()
        elif table.round.phase in ("new", "betting"):
            self.bet()

    def bet(self) -> None:
        if not self.table.sitters:
            self.ask(c.Sit(self.r.randrange(1, 7)), self.r.choice(PLAYERS))
            return
        seat = self.r.choice([*self.table.sitters])
        ante = self.r.choice([self.table.minimum_cents, 20_00, self.table.maximum_cents or 50_00])
        down = {self.book.ante.name: ante}
        for name, spot in self.book.placed.items():
            if name not in down and (self.r.random() < 0.5 or self.book is TAKE_BACK):
                down[name] = int(spot.fixed or min(ante, spot.most or ante))
        down = self.book.with_equal(down)
        alone = {name: cents for name, cents in down.items() if self.book.spots[name].alone}
        down = alone if alone and self.r.random() < 0.3 else down
        toke = 1_00 if self.book.toke and self.r.random() < 0.5 else 0
        self.ask(a.Bet(seat, down, toke), self.table.sitters[seat].person)

    def decide(self) -> None:
        seat = self.r.choice(due(self.book, self.table.round))
        options = legal(self.book, self.table.round, seat)
        option = options[0] if self.r.random() < 0.6 else self.r.choice(options)
        action: Any = {
            "raise": a.Raise(seat, option.times),
            "fold": a.Fold(seat, confirmed=True),
            "check": a.Check(seat),
            "take-back": a.TakeBack(seat),
        }[option.action]
        sitter = self.table.sitters[seat]
        done = self.ask(action, sitter.person)
        short = sitter.patron and option.action == "raise"
        in_time = short or self.floor.at >= self.table.until
        assert done or in_time, "what is offered may be done in time by who has the chips"

    def deal(self) -> None:
        table, who = self.table, self.table.dealer
        phase = table.round.phase
        if not table.betting:
            self.ask(c.ShuffleCards(), who)
            if not self.ask(c.OpenBetting(), who):
                self.new_cards()
        elif table.dealing == "entered" and cards_refusal(self.book, table, self.floor.day):
            if not self.ask(a.CloseBets(), who):  # the day has turned: nothing is dealt
                self.ask(a.CallMisdeal("other", "shift-manager"), "max")
        elif table.round.light != "green" and table.shuffler and phase in ("betting", "playing"):
            if not self.ask(a.Light("green"), who):
                self.ask(a.LetStand("shuffler", "floor-supervisor"), "flo")
        elif phase == "betting":
            self.ask(a.CloseBets(), who)
        elif phase == "settling":
            self.ask(a.Pay(), who)
        elif phase == "playing":
            self.work_the_script(who)

    def work_the_script(self, who: str) -> None:
        state = self.table.round
        spare = [card for card in DECK if not state.out >> card & 1]
        self.r.shuffle(spare)
        dealing = isinstance(self.book.script[state.step], DealStep)
        if self.table.dealing == "dealer":
            self.ask(a.Deal(()) if dealing else a.Turn(), who)
        elif dealing:
            if self.r.random() < 0.8 or not self.ask(a.Deal((None,)), who):
                self.ask(a.Deal((spare[0],)), who)
        else:
            any(self.ask(a.Turn(tuple(spare[:count])), who) for count in range(31))

    def new_cards(self) -> None:
        self.ask(c.BringCards(("red", "blue") if self.table.shuffler else ("red",)), "flo")
        self.ask(c.InspectCards("dealer"), "dan")
        self.ask(c.InspectCards("floor-supervisor"), "flo")
        self.ask(c.WashCards(), "dan")

    def read_again(self) -> None:
        """The whole journal, read from the beginning, leads to the same table."""
        folded = Table("t")
        for who, written in self.floor.entries:
            folded = asked(folded, who)
            for event in codec.body(written).events:
                folded = evolve(self.book, folded, event)
        assert folded == self.table


@pytest.mark.parametrize("book", [*BOOKS, *MORE], ids=lambda book: book.id)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32), steps=st.integers(1, 300))
def test_anybody(book, seed, steps):
    crowd = Crowd(book, random.Random(seed))
    try:
        for _ in range(steps):
            crowd.go_on()
        crowd.read_again()
    except BaseException:
        note("\n".join(crowd.asked))
        raise
