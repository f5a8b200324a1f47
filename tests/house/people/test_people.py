"""People: who may do what, and who may sit."""

import asyncio
import re
from pathlib import Path
from random import Random
from typing import get_args

import pytest

import pitboss
from pitboss.errors import Refused
from pitboss.house.people import permissions
from pitboss.house.people import persons as p
from pitboss.house.storage import codec
from pitboss.house.table import commands as c
from pitboss.house.table.unit_of_work import OWNER
from pitboss.round import actions as a
from pitboss.settle import Player
from pitboss.web.api import people
from tests.helpers import DIAMOND_JO, tags
from tests.house.any_command import anything
from tests.house.clocked_house import clocked_house

# The permission matrix ------------------------------------------------------------------------

PLAY = {"sit", "leave", "sit-out", "sit-in", "bet", "raise", "fold", "check", "take-back"}
PLAY |= {"open-practice", "play-chips", "keep-name", "cut-deck", "enter"}
DEAL = {"start-dealing", "stop-dealing", "open-betting", "close-bets"}
DEAL |= {"deal", "turn", "light", "pay", "shuffle-cards", "undo", "call-floor"}
PATRONS = {"seat-patron", "buy-in", "colour-up", "unseat-patron"}
RULE = {"accept-late", "kill-hand", "call-misdeal", "let-stand", "approve-payoff"}
RULE |= {"acknowledge-notice", "inspect-cards", "replace-card", "watch-floor"}
RULE |= {"correct", "correct-paid"}
FLOOR = {"open-table", "close-table", "seat-bot", "mark-partners", "bring-cards", "wash-cards"}
FLOOR |= {"bar", "see-people", "free-seat", "retire-cards", "change-shuffler", "drop-tokes"}
FLOOR |= {"answer-floor", "void-buy-in"} | PATRONS

FLOOR |= {"complete-form", "hold-payoff", "see-papers", "see-win"}

CLAIMS = {"collect-claim", "write-off-claim"}
HELD = {"release-held", "turn-over-held"}

MATRIX = {
    "guest": PLAY,
    "player": PLAY,
    "dealer": PLAY | DEAL | RULE | PATRONS | {"wash-cards"},
    "floor-supervisor": PLAY | RULE | FLOOR,
    "shift-manager": PLAY
    | RULE
    | FLOOR
    | {"change-limits", "identify", "write-off-tokes"}
    | HELD
    | CLAIMS,
    "surveillance": PLAY | RULE | {"bar", "see-people"},
    "cage": PLAY
    | {"sell-chips", "cash-chips", "see-people", "identify", "collect-claim"}
    | {"complete-form", "hold-payoff", "see-papers"},
    "general-manager": PLAY | RULE | FLOOR | {"change-limits", "change-setting", "adopt-rulebook"},
    "director-of-table-games": PLAY | RULE | FLOOR | {"change-limits", "adopt-rulebook"},
    "auditor": PLAY | {"watch-floor", "see-people", "see-papers", "see-win"},
    "administrator": PLAY
    | {"add-person", "set-roles", "set-password", "see-people", "change-setting"}
    | {"adopt-rulebook", "end-sessions", "bar", "identify"},
    "owner": DEAL
    | {"close-table", "change-limits", "seat-bot", "mark-partners", "free-seat", "invite"}
    | {"change-shuffler", "drop-tokes", "answer-floor", "void-buy-in"}
    | PATRONS,
}
"""The same matrix the other way round: what each role may do, said a second time."""

ASKED = re.compile(r'allow\([^"\n]*"([a-z-]+)"(?: if [^"\n]*"([a-z-]+)")?')


def asked_for() -> set[str]:
    """Everything whose permission is asked for, anywhere."""
    source = Path(pitboss.__file__).parent
    texts = [
        path.read_text("utf-8")
        for room in ("house", "web")
        for path in source.glob(f"{room}/**/*.py")
    ]
    named = {act for text in texts for found in ASKED.findall(text) for act in found if act}
    named |= {*permissions.ACTS.values()}
    return named | set(tags(c.Command)) | set(tags(people.PersonAct))


def test_every_act_has_a_row():
    assert {"open-practice", "add-person", "bar", "bet", "call-misdeal"} <= asked_for()
    assert asked_for() <= set(permissions.MAY)


def test_every_row_names_roles_that_exist():
    assert {role for by in permissions.MAY.values() for role in by} <= {*p.ROLES, OWNER}
    assert set(MATRIX) == {*p.ROLES, OWNER}


@pytest.mark.parametrize("role", sorted(MATRIX))
def test_each_role_may_do_this_and_nothing_else(role):
    assert {act for act in permissions.MAY if permissions.may({role}, act)} == MATRIX[role]


def test_nobody_looks_after_their_own_record():
    own = {
        act
        for act in permissions.MAY
        if permissions.may({*p.ROLES}, act) != permissions.may({*p.ROLES}, act, own=True)
    }
    money = {"sell-chips", "cash-chips"} | HELD | CLAIMS
    assert own == {"set-roles", "bar", "identify", "end-sessions"} | money


def test_nobody_may_do_what_has_no_row():
    assert not permissions.may(set(p.ROLES), "tick")
    assert not permissions.may(set(), "sit")


def test_the_matrix_is_asked_for_every_command(quick_path):
    """Each command, asked by somebody of each role that may not: refused, and nothing written."""

    async def play() -> None:
        async with clocked_house(str(quick_path / "house.db")) as here:
            boss = await here.person("boss", "shift-manager")
            await here.open(boss, DIAMOND_JO.id)
            people = {role: await here.person(f"a-{role}", role) for role in get_args(p.Role)}
            people["nobody"] = p.Person("nobody")
            live = await here.house.table(here.name)
            kinds = anything(DIAMOND_JO, Random(1))
            for act in tags(c.Command):
                for role, who in people.items():
                    if not permissions.may({role}, act):
                        refusal = await here.refused(who, kinds[act]())
                        assert refusal.code == "role/not-yours"
                        assert refusal.message.startswith(f"{act} is done by ")
            for who in people.values():
                if not permissions.may({*who.roles}, "open-table"):
                    with pytest.raises(Refused, match="open-table is done by"):
                        await here.house.open_table(who.id, c.OpenTable(DIAMOND_JO.id), "k")
            assert await here.house.table(here.name) is live

    asyncio.run(play())


def test_who_opened_a_practice_table_looks_after_it_and_no_other(quick_path):
    async def play() -> None:
        async with clocked_house(str(quick_path / "house.db")) as here:
            ann = await here.person("ann", "guest")
            bob = await here.person("bob", "guest")
            boss = await here.person("boss", "shift-manager")
            await here.open(ann, DIAMOND_JO.id, practice=True)
            await here.do(ann, c.ChangeLimits(10_00, 50_00, "to learn"))
            await here.do(bob, c.Sit(2))
            assert (await here.refused(bob, c.CloseTable())).code == "role/not-yours"
            await here.do(bob, a.Bet(2, {"ante": 10_00}))
            await here.do(ann, a.CallMisdeal("other", "shift-manager"))
            await here.open(boss, DIAMOND_JO.id)
            misdeal = a.CallMisdeal("other", "shift-manager")
            assert (await here.refused(ann, misdeal)).code == "role/not-yours"

    asyncio.run(play())


def test_privileged_acts_are_recorded_with_who_when_and_why(where):
    async def play() -> None:
        async with clocked_house(where) as here:
            boss = await here.person("boss", "shift-manager")
            await here.open(boss, DIAMOND_JO.id)
            here.at += 5_000
            done = await here.do(boss, c.ChangeLimits(10_00, 50_00, "a busy evening"))
            assert (done.entry.actor, done.entry.at) == ("boss", here.at)
            assert "a busy evening" in done.entry.body
            await here.person("ann", "player")
            entry = await here.house.record("boss", "ann", "k", p.Barred(True, "threw chips"))
            assert (entry.actor, entry.at) == ("boss", here.at)
            assert "threw chips" in entry.body
            await here.person("admin", "administrator")
            await here.house.record("admin", "ann", "k2", p.RolesSet(("guest",), "no more chips"))
            assert (await here.house.person("ann")).roles == ("guest",)

    asyncio.run(play())


def test_a_role_that_is_taken_away_is_gone_at_once(quick_path):
    async def play() -> None:
        async with clocked_house(str(quick_path / "house.db")) as here:
            boss = await here.person("boss", "shift-manager")
            dan = await here.person("dan", "dealer")
            await here.open(boss, DIAMOND_JO.id, dealing="dealer")
            await here.do(dan, c.StartDealing())
            await here.person("admin", "administrator")
            await here.house.record("admin", "dan", "k", p.RolesSet(("guest",), "left us"))
            dan = await here.house.person("dan")
            assert (await here.refused(dan, c.OpenBetting())).code == "role/not-yours"

    asyncio.run(play())


# Who may sit ----------------------------------------------------------------------------------


def test_r51_a_barred_person_sits_nowhere_and_bets_no_more(where):
    async def play() -> None:
        async with clocked_house(where) as here:
            boss = await here.person("boss", "floor-supervisor")
            ann = await here.person("ann", "player")
            await here.open(boss, DIAMOND_JO.id)
            await here.do(ann, c.Sit(1))
            await here.house.record("boss", "ann", "k", p.Barred(True, "counts aloud"))
            ann = await here.house.person("ann")
            refusal = await here.refused(ann, a.Bet(1, {"ante": 5_00}))
            assert (refusal.code, refusal.clause) == ("person/barred", "M.2, R51")
            await here.do(ann, c.Leave())
            for practice in (False, True):
                await here.open(boss, DIAMOND_JO.id, practice=practice)
                refusal = await here.refused(ann, c.Sit(1))
                assert (refusal.code, refusal.clause) == ("person/barred", "M.2, R51")
            await here.house.record("boss", "ann", "k2", p.Barred(False, "apologised"))
            await here.do(await here.house.person("ann"), c.Sit(1))

    asyncio.run(play())


def test_real_chips_are_for_named_players(quick_path):
    async def play() -> None:
        async with clocked_house(str(quick_path / "house.db")) as here:
            boss = await here.person("boss", "floor-supervisor")
            guest = await here.person("guest-1", "guest")
            await here.open(boss, DIAMOND_JO.id)
            for who in (guest, boss):
                assert (await here.refused(who, c.Sit(1))).code == "person/play-chips"
            await here.open(guest, DIAMOND_JO.id, practice=True)
            await here.do(guest, c.Sit(1))

    asyncio.run(play())


def test_what_is_known_of_a_person_is_a_fold_over_their_events():
    events: tuple[p.PersonEvent, ...] = (
        p.PersonAdded("Ann", ("player",)),
        p.RolesSet(("player", "dealer"), "works here now"),
        p.Barred(True, "for a day"),
        p.Identified("foreign", True, False, "a passport"),
        p.ChipsBought(5_00, practice=False),
    )
    person = p.Person("ann")
    assert not person.exists
    for event in codec.person_body(codec.recorded(*events)).events:
        moved = p.postings("ann", event)
        assert sum(cents for _, cents in moved) == 0
        person = p.evolve(person, event)
    assert person.exists
    assert person.roles == ("player", "dealer")
    assert person.player == Player("foreign", True, False, True)
