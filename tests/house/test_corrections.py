"""Corrections in a whole house: one effect a key, one of two at once, and both versions told."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from itertools import islice
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.audit.audit import audit
from pitboss.audit.snapshot import Snapshot
from pitboss.cards import cards
from pitboss.errors import Refused
from pitboss.house.floor import tasks
from pitboss.house.held_desk import HeldDesk
from pitboss.house.people import persons as p
from pitboss.house.replay import finished
from pitboss.house.storage import codec
from pitboss.house.storage.journal import Entry
from pitboss.house.table import commands as c
from pitboss.house.table import events as h
from pitboss.house.views import notice
from pitboss.round import actions as a
from pitboss.round.redo import Facts, SeatFacts
from pitboss.settle import of_round, settle
from tests.house.evening import CAJUN, Evening
from tests.web.secrecy import check, read_stories

TEN: dict[str, Any] = {"board": (None, None, *cards("Td"))}
ASKED = ("dan", c.Correct("dealer", "the ten of diamonds", piles=TEN))


async def with_bets(here: Evening, *seats: int) -> str:
    """A table with real cards, at which two have bet, or these of them."""
    await here.everybody()
    name = await here.open("sam", CAJUN, dealing="entered")
    await here.sit(name, "ann", "bob")
    await here.do(name, "dan", c.StartDealing())
    await here.do(name, "flo", c.BringCards(("red",)))
    await here.do(name, "dan", c.InspectCards("dealer"))
    await here.do(name, "flo", c.InspectCards("floor-supervisor"))
    await here.do(name, "dan", c.WashCards())
    await here.do(name, "dan", c.ShuffleCards())
    await here.do(name, "dan", c.OpenBetting())
    for seat in seats or (1, 2):
        await here.bet(name, seat, "dan", sides=False)
    return name


async def royal(here: Evening, dealt: str = "Ah Kh 2c 3d Qh Jh Th") -> str:
    """W11: Th is entered for Td, and makes a royal flush."""
    name = await with_bets(here)
    await here.do(name, "dan", a.CloseBets())
    deck = iter(cards(dealt))
    await here.work(name, lambda count: tuple(islice(deck, count)))
    return name


async def paid(here: Evening, name: str) -> None:
    for seat in (await here.house.table(name)).table.announced:
        await here.do(name, "dan", c.ApprovePayoff(seat, "dealer"))
    await here.approve(name)
    await here.do(name, "dan", a.Pay())


def in_a_house(where: str, play: Callable[[Evening], Awaitable[None]]) -> None:
    """Play it, and see that every promise holds."""

    async def whole() -> None:
        here = Evening(where)
        await here.house.start()
        try:
            await play(here)
        finally:
            await here.house.stop()

    asyncio.run(whole())
    with Snapshot(where) as snapshot:
        assert [each.broken for each in audit(snapshot).promises if each.broken] == []


def written(here: Evening, name: str, kind: type[Any]) -> list[tuple[Entry, Any]]:
    return [
        (entry, event)
        for entry in here.house.store.entries(f"table:{name}")
        for event in codec.body(entry.body).events
        if isinstance(event, kind)
    ]


async def both(here: Evening, name: str, *asked: tuple[str, Any]) -> list[Any]:
    """Let all of them ask at the same instant."""
    several = [
        here.house.command(name, who, command, f"at-once-{n}")
        for n, (who, command) in enumerate(asked)
    ]
    return await asyncio.gather(*several, return_exceptions=True)


def test_r53__two_who_agree_at_once_put_it_right_once(where):
    async def play(here: Evening) -> None:
        name = await royal(here)
        await here.do(name, *ASKED)
        agree = [
            ("flo", c.Correct("floor-supervisor", "so it is", piles=TEN)),
            ("sam", c.Correct("shift-manager", "so it is", piles=TEN)),
        ]
        came = await both(here, name, *agree)
        [no] = [each for each in came if isinstance(each, Exception)]
        assert isinstance(no, Refused)
        assert no.refusal.code == "correction/nothing"
        assert len(written(here, name, h.RoundCorrected)) == 1
        assert (await here.house.table(name)).table.round.piles["board"] == cards("Qh Jh Td")
        await paid(here, name)

    in_a_house(where, play)


def test_r54__two_who_agree_at_once_adjust_it_once_and_a_key_has_one_effect(where):
    async def play(here: Evening) -> None:
        name = await royal(here)
        await paid(here, name)
        first = c.CorrectPaid("surveillance", "seen on film", piles=TEN, round=1)
        await here.do(name, "sue", first)
        second = c.CorrectPaid("shift-manager", "so it is", piles=TEN, round=1)
        third = c.CorrectPaid("general-manager", "so it is", piles=TEN, round=1)
        came = await both(here, name, ("sam", second), ("gus", third))
        [no] = [each for each in came if isinstance(each, Exception)]
        assert isinstance(no, Refused)
        assert no.refusal.code == "correction/nothing"
        winner = 0 if isinstance(came[1], Exception) else 1
        who, command = (("sam", second), ("gus", third))[winner]
        again = await here.house.command(name, who, command, f"at-once-{winner}")
        assert again.again
        assert len(written(here, name, h.RoundAdjusted)) == 1

    in_a_house(where, play)


def test_r54__a_correction_waits_for_the_other_also_when_its_table_is_closed(where):
    async def play(here: Evening) -> None:
        name = await royal(here)
        await paid(here, name)
        asked = c.CorrectPaid("surveillance", "seen on film", piles=TEN, round=1)
        await here.do(name, "sue", asked)
        await here.do(name, "sam", c.CloseTable())
        sam = await here.house.person("sam")
        [task] = [each for each in await tasks(here.house, sam) if each.kind == "adjustment"]
        assert task.since > 0
        await here.do(name, "sam", task.ways[0].command)
        assert [each.kind for each in await tasks(here.house, sam)] == []

    in_a_house(where, play)


def test_r31__two_who_verify_a_payoff_at_once_are_one(where):
    async def play(here: Evening) -> None:
        name = await royal(here)
        await here.do(name, "dan", c.ApprovePayoff(1, "dealer"))
        await here.do(name, "flo", c.ApprovePayoff(1, "floor-supervisor"))
        verify = [
            ("sue", c.ApprovePayoff(1, "surveillance")),
            ("sam", c.ApprovePayoff(1, "shift-manager")),
        ]
        came = await both(here, name, *verify)
        [no] = [each for each in came if isinstance(each, Exception)]
        assert isinstance(no, Refused)
        assert no.refusal.code == "approval/not-needed"
        assert len(written(here, name, h.PayoffApproved)) == 3
        await here.do(name, "dan", a.Pay())

    in_a_house(where, play)


def test_r53__a_round_is_paid_or_a_correction_of_it_is_asked_for_and_never_both(where):
    async def play(here: Evening) -> None:
        name = await royal(here)
        await here.do(name, "dan", c.ApprovePayoff(1, "dealer"))
        await here.approve(name)
        asks = ("flo", c.Correct("floor-supervisor", "misread", piles=TEN))
        came = await both(here, name, ("dan", a.Pay()), asks)
        [no] = [each for each in came if isinstance(each, Exception)]
        assert isinstance(no, Refused)
        was_paid = len(written(here, name, h.RoundPaid))
        assert no.refusal.code == ("correction/not-now" if was_paid else "pay/correction")
        assert was_paid + len(written(here, name, h.CorrectionAsked)) == 1

    in_a_house(where, play)


def test_r54__the_receipt_has_both_versions(where):
    async def play(here: Evening) -> None:
        name = await royal(here)
        await paid(here, name)
        for who, role in (("sam", "shift-manager"), ("sue", "surveillance")):
            await here.do(name, who, c.CorrectPaid(role, "misread", piles=TEN, round=1))
        whole = finished(here.house.store, f"{name}-1")
        seen = whole.seen_by(1)
        assert seen.receipt is not None
        assert seen.receipt.paid.hand == "royal flush"
        [adjusted] = seen.adjusted
        assert adjusted.receipt is not None
        assert adjusted.receipt.paid.hand == "straight, ace high"
        assert [(each.role, each.name) for each in adjusted.receipt.approved] == [
            ("shift-manager", "sam"),
            ("surveillance", "sue"),
        ]
        [moved] = adjusted.event.seats
        assert moved.claim_cents == await here.house.in_thread(
            here.house.store.balance, "claims:ann"
        )
        assert whole.seen_by(2).adjusted[0].event.seats == ()
        assert len(whole.record(None).adjusted) == 1

    in_a_house(where, play)


def test_r53__who_has_to_agree_is_told_what_is_asked_and_nobody_else(where):
    async def play(here: Evening) -> None:
        name = await royal(here)
        await here.do(name, *ASKED)
        [(entry, event)] = written(here, name, h.CorrectionAsked)
        body = codec.body(entry.body)
        for seat, staff in ((None, True), (None, False), (1, True), (1, False)):
            [told] = notice(entry, body, seat, staff=staff).events
            assert told == replace(event, facts=Facts(), why="")
        waits = {
            who: [
                each.ways[0].command
                for each in await tasks(here.house, await here.house.person(who))
                if each.kind == "correction"
            ]
            for who in ("flo", "sue", "dan")
        }
        agrees = c.Correct("floor-supervisor", event.why, piles=TEN)
        assert waits == {"flo": [agrees], "sue": [], "dan": []}
        await here.do(name, "flo", agrees)
        live = await here.house.table(name)
        again = settle(live.book, of_round(live.table.round))
        assert again.seats[0].hand == "straight, ace high"

    in_a_house(where, play)


@pytest.mark.parametrize("staff", [False, True])
def test_r53__a_card_that_lies_face_down_is_told_to_no_stream_when_it_is_put_right(where, staff):
    async def play(here: Evening) -> None:
        name = await with_bets(here)
        await here.do(name, "dan", a.CloseBets())
        await here.do(name, "dan", a.Deal(cards("Ah Kh 2c 3d")))
        right: Any = {"seats": (SeatFacts(1, cards=(None, *cards("7h"))),)}
        await here.do(name, "flo", c.Correct("floor-supervisor", "it is the 7h", **right))
        await here.do(name, "dan", c.Correct("dealer", "so it is", **right))
        stories = read_stories(
            (entry.stream, entry.seq, json.loads(entry.body)["events"])
            for entry in here.house.store.entries(f"table:{name}")
        )
        entries = here.house.store.entries(f"table:{name}")
        told = [notice(each, codec.body(each.body), None, staff=staff) for each in entries]
        heard = [("notice", json.loads(codec.encode(each))) for each in told]
        assert check("sue", heard, stories, staff=staff) == 0, "no card was turned"

    in_a_house(where, play)


def test_r53__what_was_asked_for_stays_asked_for_when_the_dealer_takes_an_entry_back(where):
    async def play(here: Evening) -> None:
        name = await with_bets(here)
        await here.do(name, "dan", a.CloseBets())
        facts: Any = {"seats": (SeatFacts(1, toke_cents=100),)}
        await here.do(name, "flo", c.Correct("floor-supervisor", "it lay there", **facts))
        await here.do(name, "dan", a.Deal(cards("Ah")))
        await here.do(name, "dan", c.Undo())
        assert (await here.house.table(name)).table.correction is not None
        await here.do(name, "dan", c.Correct("dealer", "so it is", **facts))
        assert len(written(here, name, h.RoundCorrected)) == 1

    in_a_house(where, play)


def test_r53__a_round_done_again_that_begins_with_no_bet_is_heard_by_the_audit(where):
    async def play(here: Evening) -> None:
        name = await with_bets(here, 1)
        await here.do(name, "dan", a.CloseBets())
        facts: Any = {"seats": (SeatFacts(2, wagers={}), SeatFacts(1, wagers={"ante": 10_00}))}
        await here.do(name, "flo", c.Correct("floor-supervisor", "ten, by seat 1", **facts))
        await here.do(name, "dan", c.Correct("dealer", "so it was", **facts))
        deck = iter(cards("Ah Kh Qd 7c 2s"))
        await here.work(name, lambda count: tuple(islice(deck, count)))
        await here.do(name, "dan", a.Pay())
        [(_, done)] = written(here, name, h.RoundPaid)
        assert [seat.seat for seat in done.seats] == [1]

    in_a_house(where, play)


def test_r54__a_claim_is_collected_or_written_off(where):
    async def play(here: Evening) -> None:
        name = await royal(here)
        await paid(here, name)
        for who, role in (("sam", "shift-manager"), ("sue", "surveillance")):
            await here.do(name, who, c.CorrectPaid(role, "misread", piles=TEN, round=1))

        async def holds(account: str) -> int:
            return await here.house.in_thread(here.house.store.balance, account)

        owed, has, cage = [await holds(each) for each in ("claims:ann", "chips:ann", "cage")]

        def desk(who: str, key: str) -> HeldDesk:
            return HeldDesk(here.house, who, "ann", key, "")

        await desk("cay", "c1").collect(1_000, "chips", "at the cage")
        assert [await holds(each) for each in ("claims:ann", "chips:ann", "cage")] == [
            owed - 1_000,
            has - 1_000,
            cage + 2_000,
        ]
        await desk("cay", "c2").collect(500, "cash", "at the cage")
        for asked in (
            desk("sam", "c3").collect(owed, "cash", "more than is owed"),
            desk("sam", "c3").write_off(owed, "more than is owed"),
            desk("cay", "c4").write_off(1, "not the cage's to give up"),
        ):
            with pytest.raises(Refused):
                await asked
        await desk("sam", "c5").write_off(owed - 1_500, "left town")
        assert await holds("claims:ann") == 0

    in_a_house(where, play)


def test_r53__a_dealer_takes_back_what_they_entered_and_it_is_paid_as_it_lies(where):
    async def play(here: Evening) -> None:
        name = await royal(here)
        await here.do(name, "dan", c.Undo())
        with pytest.raises(Refused):
            await here.do(name, "dan", c.Undo())
        await here.do(name, "dan", a.Turn())
        await paid(here, name)

    in_a_house(where, play)


def test_r66__who_is_barred_once_their_seat_was_paid_keeps_what_they_were_paid(tmp_path):
    async def play(here: Evening) -> None:
        name = await royal(here, "Ah Kh Qc 2c Qh Jh Th")
        await here.do(name, "dan", a.Pay())
        table = (await here.house.table(name)).table
        assert table.paid[2].paid_cents > table.paid[2].staked_cents
        await here.house.record("flo", "bob", "bar", p.Barred(True, "counted cards"))
        await paid(here, name)
        [(_, done)] = written(here, name, h.RoundPaid)
        seat = next(each for each in done.seats if each.seat == 2)
        assert (seat, seat.held_cents) == (table.paid[2], 0)
        assert here.house.store.balance("held:bob") == here.house.store.balance("claims:bob") == 0
        after = (await here.house.table(name)).table
        assert not after.sitters[2].player.barred
        await here.do(name, "flo", c.FreeSeat(2, "bob", "barred"))
        known = written(here, name, h.PlayerKnown)[-1][1]
        assert (known.seat, known.player.barred) == (2, True), "the next round knows"

    in_a_house(str(tmp_path / "house.db"), play)
