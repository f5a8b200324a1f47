"""What the promises do not cover, shown as docs/promises.md and docs/security.md tell it."""

import asyncio
import json
import random
from collections.abc import Awaitable, Callable
from pathlib import Path

from pitboss.audit.anchors import Anchor
from pitboss.audit.audit import audit
from pitboss.audit.snapshot import Snapshot
from pitboss.house.deck_safe import DeckSafe
from pitboss.house.house import House
from pitboss.house.people import persons as p
from pitboss.house.sessions import token_hash
from pitboss.house.storage import signing
from pitboss.house.storage.store import Store
from pitboss.house.table import commands as c
from pitboss.house.table.fair import order, seal
from pitboss.house.table.state import Table
from pitboss.round import actions as a
from tests.attacks.test_anchors import leave_out
from tests.attacks.test_signatures import audited, rows, sell
from tests.helpers import DIAMOND_JO
from tests.passwords import quick_passwords

ONCE, OWN = "a password for once", "a password of one's own"


def open_house(where: str, key: Path, story: Callable[[House], Awaitable[None]]) -> None:
    """Have something happen in a house with a player and a cashier; no audit finds anything."""

    async def play() -> None:
        house = House(Store(where, signing=key))
        await house.start()
        people: dict[str, p.Role] = {"boss": "administrator", "cay": "cage", "ann": "player"}
        for name, role in people.items():
            await house.record("house", name, "", p.PersonAdded(name, (role,)))
        try:
            await story(house)
        finally:
            await house.stop()

    with quick_passwords():
        asyncio.run(play())
    found = audited(where, key)
    assert (found.broken, found.unchecked) == ("", ())


def test_whoever_has_database_and_key_knows_the_next_deck(where: str, tmp_path: Path) -> None:
    key = tmp_path / "house.key"

    async def story(house: House) -> None:
        opens = c.OpenTable(DIAMOND_JO.id, practice=True)
        name, _ = await house.open_table("boss", opens, "open")
        await house.command(name, "boss", c.Sit(1), "sit")
        bodies = rows(where, f"SELECT body FROM journal WHERE stream = 'table:{name}'")
        happened = [event for (body,) in bodies for event in json.loads(body)["events"]]
        [locked] = [event["locked"] for event in happened if event["event"] == "deck-sealed"]
        stolen = DeckSafe(signing.read(key)).unlock(Table(name, number=1, locked=locked))
        bet = a.Bet(1, {DIAMOND_JO.ante.name: 5_00})
        await house.record("boss", "boss", "chips", p.ChipsBought(100_00, practice=True))
        await house.command(name, "boss", bet, "bet", "1.bet")
        held = (await house.table(name)).table.round.seats[1].cards
        assert held == stolen.cards[:2], "read before anybody bet"

    open_house(where, key, story)


def test_who_knows_the_deck_and_cuts_last_chooses_among_the_cuts_they_try() -> None:
    """A house with a confederate at the table; where nobody of it cuts, it chooses nothing."""
    deck, honest = seal(random.Random(7).randbytes), {1: "anns own"}
    aces = [place for place, card in enumerate(deck.cards) if card.rank == 14]
    tried = (str(n) for n in range(10_000))
    found = next(n for n in tried if order(deck.commitment, {**honest, 2: n})[0] in aces)
    assert order(deck.commitment, {**honest, 2: found})[0] in aces


def test_a_planted_session_acts_and_no_audit_tells(where: str, tmp_path: Path) -> None:
    """The server itself signs what the cashier never did."""

    async def story(house: House) -> None:
        planted = token_hash("planted")
        ends = house.clock() + 60_000
        rows(where, f"INSERT INTO sessions VALUES ('{planted}', 'cay', {ends}, '')")
        cay = await house.sessions.person("planted")
        assert cay is not None
        sale = p.ChipsBought(100_000, practice=False)
        await house.record(cay.id, "ann", "sale", sale, session=planted)
        assert house.store.balance("chips:ann") == 100_000

    open_house(where, tmp_path / "house.key", story)


def test_an_administrator_acts_in_the_name_of_somebody_else_and_the_journal_says_how(
    where: str, tmp_path: Path
) -> None:
    async def story(house: House) -> None:
        doors = house.sessions
        await doors.set_password("boss", "cay", ONCE, "reset", once=True, why="a pretext")
        await doors.change_password("cay", ONCE, OWN)
        session = await doors.login("cay", OWN)
        sale = p.ChipsBought(100_000, practice=False)
        await house.record("cay", "ann", "sale", sale, session=token_hash(session.token))

    open_house(where, tmp_path / "house.key", story)
    entries = "SELECT actor, stream, body FROM journal ORDER BY position"
    told = [
        (actor, stream, *(event["event"] for event in json.loads(body)["events"]))
        for actor, stream, body in rows(where, entries)
    ]
    assert told[-3:] == [
        ("boss", "person:cay", "password-set"),
        ("cay", "person:cay", "password-set"),
        ("cay", "person:ann", "chips-bought"),
    ]


def test_an_entry_left_out_does_not_fit_the_signatures(tmp_path: Path) -> None:
    where, key = tmp_path / "house.db", tmp_path / "house.key"
    sell(str(where), key)
    [(last,)] = rows(str(where), "SELECT position FROM head")

    async def later() -> None:
        house = House(Store(str(where), signing=key))
        await house.start()
        await house.record("house", "bob", "", p.PersonAdded("bob", ("player",)))
        await house.stop()

    asyncio.run(later())
    leave_out(where, last)
    assert audited(str(where)).broken == "", "nothing inside the database shows it"
    assert audited(str(where), key).broken.startswith(f"signatures {last}: is not the signature")


def test_only_an_anchor_tells_an_audit_that_the_last_entries_are_gone(tmp_path: Path) -> None:
    where, key = tmp_path / "house.db", tmp_path / "house.key"
    sell(str(where), key)
    [(last, whole)] = rows(str(where), "SELECT position, whole FROM head")
    leave_out(where, last)
    rows(str(where), f"DELETE FROM signatures WHERE position = {last}")
    assert audited(str(where), key).broken == ""
    with Snapshot(str(where)) as snapshot:
        found = audit(snapshot, anchors=[Anchor(last, whole)], keys=[signing.read(key)])
    assert found.broken.startswith(f"anchor {last}: the journal had so many entries once")
