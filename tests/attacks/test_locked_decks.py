"""A deck that is still to be dealt is secret, signed and cut: from a reader of the database, from a
house that tells two players two things, and from one that would choose the cards.

What follows H5 and H6.
"""

import asyncio
import random
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

import psycopg
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec.structs import replace

from pitboss.audit.audit import audit
from pitboss.audit.promises import SEALED
from pitboss.audit.snapshot import Snapshot
from pitboss.cards import DECK
from pitboss.errors import Refused
from pitboss.house.deck_safe import DeckSafe
from pitboss.house.house import House
from pitboss.house.people import persons as p
from pitboss.house.replay import past as past_of
from pitboss.house.storage import codec, signing
from pitboss.house.storage.journal import Entry
from pitboss.house.storage.reader import Unavailable
from pitboss.house.storage.signing import SigningKey
from pitboss.house.storage.store import Store
from pitboss.house.table import commands as c
from pitboss.house.table import events as h
from pitboss.house.table.fair import Sealed, holds, order, seal
from pitboss.house.table.state import Table
from pitboss.round import actions as a
from pitboss.round import events as e
from pitboss.rulebook import Rulebook
from pitboss.rulebook.deal_script import DecideStep
from tests.attacks.restored import at_work
from tests.audit.forgery import events, forge, found, with_body
from tests.helpers import BOOKS, DIAMOND_JO
from tests.house.clocked_house import seed
from tests.house.floor import Floor, dealt_by, with_real_cards
from tests.web.open_house import Visited, process

KEYS = SigningKey(bytes(32), 0), SigningKey(bytes(31) + b"1", 0)
DECK_SEALED = seal(random.Random(7).randbytes)


async def raises(house: House, name: str, step: int, book: Rulebook = DIAMOND_JO) -> None:
    """Ann raises; a server that has not heard of the last card yet is asked again."""
    times = next(step.times[0] for step in book.script if isinstance(step, DecideStep))
    for _ in range(100):
        moment = (await house.table(name)).table.moment
        try:
            await house.command(name, "ann", a.Raise(1, times), f"raise-{step}", moment)
        except Refused as refused:
            if refused.refusal.code != "command/late":
                raise
            await asyncio.sleep(0.05)
        else:
            return
    raise AssertionError("it is never heard of")


# Nobody reads it ----------------------------------------------------------------------------------


def everything_in(where: str) -> str:
    """All that the database says, in one text."""
    if not where.startswith("postgres"):
        files = sorted(Path(where).parent.glob(f"{Path(where).name}*"))
        return "".join(each.read_bytes().decode("latin-1") for each in files)
    with psycopg.connect(where) as server:
        names = server.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        tables = [name for (name,) in names.fetchall()]
        rows = (row for name in tables for row in server.execute(f'TABLE "{name}"'.encode()))
        return "".join(map(str, rows))


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.house)
def test_h6_the_database_shows_no_card_before_it_is_seen(
    where: str, tmp_path: Path, book: Rulebook
) -> None:
    """Whoever reads it, or a copy, sees what players have seen, and the deck when it is over."""
    made: dict[str, Sealed] = {}

    def shuffled() -> Sealed:
        deck = seal(random.Random(len(made)).randbytes)
        return made.setdefault(deck.commitment, deck)

    async def evening() -> list[int]:
        house = House(Store(where, signing=tmp_path / "key"), deck=shuffled)
        await house.start()
        name = await at_work(house, betting=False, book=book)
        table = (await house.table(name)).table
        deck, down = made[table.commitment], []
        while table.under_way:
            written = everything_in(where)
            named = {card for card in DECK if f'"{card}"' in written}
            state = table.round
            turned = {
                card
                for pile, faces in zip(state.piles.values(), state.up.values(), strict=True)
                for card, up in zip(pile, faces, strict=True)
                if up
            }
            assert named == {*state.seats[1].cards, *turned}
            for other in made.values():
                assert other.seed not in written
                assert b64encode(bytes(other.cards)).decode()[:40] not in written
            down.append(state.dealt - len(named))
            await raises(house, name, len(down), book)
            table = (await house.table(name)).table
        over = everything_in(where)
        assert [each.seed for each in made.values() if each.seed in over] == [deck.seed]
        await house.stop()
        return down

    face_down = ([0, 0, 0], [4, 3, 2], [4], [3, 2, 1])
    assert asyncio.run(evening()) == face_down[BOOKS.index(book)]


def test_h6_without_a_key_a_deck_lies_there_in_clear_and_is_not_signed() -> None:
    safe = DeckSafe(None, lambda: DECK_SEALED)
    deck = safe.seal("t-1")
    assert safe.signed("t-1", deck.commitment) == ("", "")
    assert b64decode(deck.locked.removeprefix("clear:"))[:52] == bytes(DECK_SEALED.cards)


def test_h6_a_server_without_a_key_says_so(postgres: str, tmp_path: Path) -> None:
    with process(tmp_path, "--db", postgres) as house:
        said = house.errors.read_text("utf-8")
    assert said.startswith("--db: without --signing-key nothing is signed, and decks lie there")
    more = ("--signing-key", str(tmp_path / "key"), "--new-secret")
    with process(tmp_path, "--db", postgres, *more) as house:
        assert house.errors.read_text("utf-8") == ""


def lying(locked: str, number: int = 1, name: str = "t") -> Table:
    return Table(name, number=number, locked=locked)


def test_h6_only_the_key_opens_a_deck_and_only_where_it_was_locked() -> None:
    ours, theirs, clear = (DeckSafe(key, lambda: DECK_SEALED) for key in (*KEYS, None))
    deck = ours.seal("t-1")
    assert ours.unlock(lying(deck.locked)) == DECK_SEALED
    assert deck.locked == ours.seal("t-1").locked, "done again, it gives the same bytes"
    assert deck.locked != ours.seal("t-2").locked
    name, _, text = deck.locked.partition(":")
    other = text[:-8] + ("AAAA" if text[-8:-4] != "AAAA" else "BBBB") + text[-4:]
    renamed = f"{theirs.seal('t-1').locked.partition(':')[0]}:{text}"
    for safe, table in (
        (theirs, lying(deck.locked)),
        (clear, lying(deck.locked)),
        (ours, lying(clear.seal("t-1").locked)),
        (theirs, lying(renamed)),
        (ours, lying(deck.locked, number=2)),
        (ours, lying(deck.locked, name="u")),
        (ours, lying(f"{name}:{other}")),
        (ours, lying(f"{name}:{text[:-4]}")),
        (ours, lying(f"{name}:no base 64!")),
        (ours, lying(f"{name}:")),
    ):
        with pytest.raises(Refused) as refused:
            safe.unlock(table)
        assert refused.value.refusal.code == "deck/locked"


@pytest.mark.parametrize("betting", [True, False])
def test_h6_where_the_key_is_lost_nothing_is_dealt_and_bets_go_back(
    where: str, tmp_path: Path, betting: bool
) -> None:
    async def opened(key: Path, *, new: bool = False) -> tuple[House, Store]:
        store = Store(where, signing=key, new_key=new)
        house = House(store)
        await house.start()
        return house, store

    async def nights() -> None:
        house, _ = await opened(tmp_path / "first.key")
        name = await at_work(house, betting=betting)
        before = (await house.table(name)).table
        await house.stop()
        house, store = await opened(tmp_path / "second.key", new=True)
        table = (await house.table(name)).table
        assert (table.number, table.under_way) == (before.number + 1, False)
        assert house.safe.opens(table)
        assert not house.safe.opens(before)
        assert await house.in_thread(store.balance, "play:ann") == 1_000_00
        await house.command(name, "ann", a.Bet(1, {"ante": 5_00}), "bet again", table.moment)
        after = (await house.table(name)).table
        await house.stop()
        house, _ = await opened(tmp_path / "second.key")
        assert (await house.table(name)).table == after, "the same key deals on"
        await house.stop()

    asyncio.run(nights())
    with Snapshot(where) as snapshot:
        said = audit(snapshot)
    assert (said.broken, said.called_off) == ("", not betting)


def test_h6_two_servers_with_one_key_deal_from_each_others_decks(
    where: str, tmp_path: Path
) -> None:
    async def evening() -> None:
        first, second = (House(Store(where, signing=tmp_path / "key")) for _ in range(2))
        await first.start()
        await second.start()
        name = await at_work(first, betting=False)
        for house, step in ((second, 1), (first, 2), (second, 3)):
            await raises(house, name, step)
        await second.stop()
        await first.stop()

    asyncio.run(evening())
    with Snapshot(where) as snapshot:
        said = audit(snapshot)
    assert said.broken == ""
    assert said.promises[SEALED - 1].count == 2


# Nobody is told another thing ---------------------------------------------------------------------


def test_a_player_can_show_anybody_what_the_house_signed(house: Visited) -> None:
    """With the public key alone: that this hash was this round's, and that another was not."""
    caller = house.guest()
    table = caller.open(betting_seconds=600, decision_seconds=600)
    caller.do(table, "sit", seat=1)
    noted = caller("GET", f"/api/tables/{table}").json
    caller.do(table, "bet", seat=1, wagers={"ante": 5_00})
    for _ in range(3):
        caller.do(table, "raise", seat=1, times=1)
    proof = caller("GET", f"/api/rounds/{table}-1").json["proof"]
    for name in ("commitment", "signer", "signature"):
        assert proof[name] == noted[name]
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(noted["signer"]))
    signature, text = bytes.fromhex(noted["signature"]), f"pitboss/deck/{table}-1/"
    key.verify(signature, f"{text}{noted['commitment']}".encode())
    for other in (f"{text}{'0' * 64}", f"pitboss/deck/{table}-2/{noted['commitment']}"):
        with pytest.raises(InvalidSignature):
            key.verify(signature, other.encode())


def test_h6_a_server_with_another_key_does_not_open(where: str, tmp_path: Path) -> None:
    """Else it would call off whatever is played at the others."""

    async def evening() -> None:
        house = House(Store(where, signing=tmp_path / "key"))
        await house.start()
        await at_work(house, betting=False)
        with pytest.raises(Unavailable, match=r"signed with key [0-9a-f]{16}, which is not here"):
            Store(where, signing=other)
        with pytest.raises(Unavailable, match="move what is there away"):
            Store(where, signing=other, new_key=True)
        await house.stop()

    other = tmp_path / "other"
    signing.make(other, 0)
    asyncio.run(evening())


def test_h5_a_deck_that_is_put_away_after_bets_is_counted(tmp_path: Path) -> None:
    """One supervisor frees the seat of who has bet, closes the table and opens it again."""
    where = str(tmp_path / "house.db")

    async def evening() -> None:
        house = House(Store(where))
        await house.start()
        await seed(house, "max", ("shift-manager",), 0)
        for person in ("ann", "bob"):
            await seed(house, person, ("player",), 1_000_00)
            await house.record("cashier", person, f"{person} buys", p.ChipsBought(100_00, False))
        name, _ = await house.open_table("max", c.OpenTable(DIAMOND_JO.id), "open")
        for seat, person in ((1, "ann"), (2, "bob")):
            await house.command(name, person, c.Sit(seat), "sit")
        await house.command(name, "ann", a.Bet(1, {"ante": 5_00}), "bet", "1.bet")
        if removed:
            await house.command(name, "max", c.FreeSeat(1, "ann", "for no reason"), "free")
        else:
            await house.command(name, "ann", a.Bet(1, {}), "take back", "1.bet")
        await house.command(name, "max", c.CloseTable(), "close")
        await house.stop()

    for removed in (True, False):
        where = str(tmp_path / f"{removed}.db")
        asyncio.run(evening())
        with Snapshot(where) as snapshot:
            said = audit(snapshot)
        assert (said.broken, said.called_off) == ("", removed)


def test_a_lock_that_holds_another_deck_is_found_with_the_key(tmp_path: Path) -> None:
    where, key = tmp_path / "house.db", tmp_path / "key"

    async def evening() -> None:
        house = House(Store(str(where), signing=key))
        await house.start()
        name = await at_work(house, betting=False)
        for step in (1, 2, 3):
            await raises(house, name, step)
        await house.stop()

    asyncio.run(evening())

    def alter(entry: Entry, body: dict[str, Any]) -> Entry | None:
        for sealed in events(body, "deck-sealed"):
            if sealed.get("locked"):
                sealed["locked"] = sealed["locked"][:-8] + "AAAAAAA="
                return with_body(entry, body)
        return None

    forge(where, alter)
    with Snapshot(str(where)) as snapshot:
        said = audit(snapshot, keys=[signing.read(key)]).promises[SEALED - 1].broken
    assert "the deck that was opened is not the one that was locked" in said[0]


# Nobody chooses it --------------------------------------------------------------------------------


def dealt(floor: Floor) -> list[Any]:
    return [
        each for event in floor.events if isinstance(event, e.CardsDealt) for each in event.cards
    ]


def test_h5_a_player_who_cuts_has_a_say_in_what_is_dealt() -> None:
    """The house sealed a royal flush for itself; after the cut it deals what nobody chose."""
    dealings = set()
    for cut in ("", "7", "seven", "0" * 64):
        floor = Floor(DIAMOND_JO, opened=False).deck("As Ks Qs Js Ts")
        floor.do(c.OpenTable(DIAMOND_JO.id), "flo")
        floor.sit("ann", "bob")
        if cut:
            [happened] = floor.do(c.CutDeck(cut), "bob").events
            assert happened == h.DeckCut(2, cut)
        floor.bet(1)
        floor.bet(2)
        places = order(floor.table.commitment, {2: cut} if cut else {})
        [sealed] = [each for each in floor.events if isinstance(each, h.DeckSealed)]
        deck = floor.safe.unlock(replace(floor.table, locked=sealed.locked))
        shown = dealt(floor)
        assert shown == [deck.cards[place] for place in places[: len(shown)]]
        assert (places == list(range(52))) == (not cut)
        dealings.add(tuple(shown))
    assert len(dealings) == 4


def test_h5_a_deck_is_cut_once_by_each_person_and_before_it_is_dealt() -> None:
    floor = Floor(DIAMOND_JO).sit("ann", "bob")
    assert floor.refused(c.CutDeck("7"), "cat").code == "seat/none"
    for bad in ("a b", "a/b", "2:7", "ä", "7\n"):
        refused = floor.refused(c.CutDeck(bad), "ann")
        assert (refused.code, refused.place) == ("deck/cut-with", "cut")
    floor.do(c.CutDeck("7"), "ann")
    assert floor.refused(c.CutDeck("8"), "ann").code == "deck/cut"
    floor.do(c.Sit(3), "cat")
    floor.do(c.CutDeck("9"), "cat")
    floor.do(c.Leave(), "cat")
    for seat in (3, 4):
        floor.do(c.Sit(seat), "cat")
        assert floor.refused(c.CutDeck("8"), "cat").code == "deck/cut", "nor after sitting anew"
        assert floor.table.cuts[seat] == "9"
        floor.do(c.Leave(), "cat")
    floor.bet(1)
    floor.do(c.CutDeck("8"), "bob")
    floor.bet(2)
    assert floor.table.cuts == {1: "7", 2: "8"}
    assert floor.refused(c.CutDeck("9"), "bob").code == "deck/dealt"
    floor.raises(1, 2)
    floor.raises(1, 2)
    floor.raises(1, 2)
    assert (floor.table.number, floor.table.cuts) == (2, {}), "the next deck is cut anew"


def test_h5_only_who_plays_cuts_and_a_seat_is_cut_for_by_who_holds_it() -> None:
    """Nobody keeps others from cutting, nor cuts without a stake, nor from two seats."""
    floor = Floor(DIAMOND_JO).sit("eve", "ann")
    floor.do(c.CutDeck("eves"), "eve")
    floor.do(c.Leave(), "eve")
    floor.do(c.Sit(1), "bob")
    assert floor.table.cuts == {}
    floor.do(c.CutDeck("bobs"), "bob")
    floor.do(c.Sit(3), "eve")
    assert floor.refused(c.CutDeck("again"), "eve").code == "deck/cut"
    assert floor.table.cuts == {1: "bobs", 3: "eves"}, "it goes where they go"
    floor.do(c.SitOut(), "eve")
    floor.bet(1)
    floor.bet(2)
    assert floor.table.cuts == {1: "bobs"}
    deck = floor.safe.unlock(floor.table)
    places = order(floor.table.commitment, {1: "bobs"})
    shown = dealt(floor)
    assert shown == [deck.cards[place] for place in places[: len(shown)]]


def test_h5_a_cut_is_for_the_deck_that_its_sender_saw(tmp_path: Path) -> None:
    """A house that holds a cut back until it has chosen the next deck cannot use it there."""

    async def evening() -> None:
        house = House(Store(str(tmp_path / "house.db")))
        await house.start()
        name = await at_work(house, betting=True)
        for moment in ("", "2.bet", "1.1"):
            with pytest.raises(Refused) as refused:
                await house.command(name, "ann", c.CutDeck("7"), f"cut {moment}", moment)
            assert refused.value.refusal.code == "command/late"
        await house.command(name, "ann", c.CutDeck("7"), "cut", "1.bet")
        await house.stop()

    asyncio.run(evening())


def test_h5_real_cards_are_cut_by_hand() -> None:
    assert with_real_cards("ann").refused(c.CutDeck("7"), "ann").code == "deck/none"
    floor = dealt_by().sit("ann")
    assert floor.refused(c.CutDeck("7"), "ann").code == "deck/none"
    floor.do(c.OpenBetting(), "dan")
    floor.do(c.CutDeck("7"), "ann")


async def cut_and_played(house: House) -> str:
    """Ann plays a round with a deck that she cut; the table's name."""
    name = await at_work(house, betting=True)
    await house.command(name, "ann", c.CutDeck("seven"), "cut", "1.bet")
    await house.command(name, "ann", a.Bet(1, {"ante": 5_00}), "bet", "1.bet")
    for step in (1, 2, 3):
        await raises(house, name, step)
    return name


def test_h5_a_cut_is_in_the_proof_and_in_the_audit(where: str, tmp_path: Path) -> None:
    async def evening() -> None:
        house = House(Store(where, signing=tmp_path / "key"))
        await house.start()
        name = await cut_and_played(house)
        past = past_of(house.store, f"{name}-1", "ann")
        assert past.proof is not None
        assert past.proof.cuts == {1: "seven"}
        assert holds(past.proof)
        assert not holds(replace(past.proof, cuts={}))
        assert [card for card in past.proof.dealt if card] == [
            str(card)
            for event in past.events
            if isinstance(event, e.CardsDealt | e.CardsTurned)
            for card in event.cards
            if card is not None
        ]
        await house.stop()

    asyncio.run(evening())
    with Snapshot(where) as snapshot:
        assert audit(snapshot).broken == ""


def test_h5_a_cut_that_was_changed_afterwards_is_found(tmp_path: Path) -> None:
    where = tmp_path / "house.db"

    async def evening() -> None:
        house = House(Store(str(where)))
        await house.start()
        await cut_and_played(house)
        await house.stop()

    def alter(entry: Entry, body: dict[str, Any]) -> Entry | None:
        for cut in events(body, "deck-cut"):
            cut["cut"] = body["command"]["cut"] = "eight"
            return with_body(entry, body)
        return None

    asyncio.run(evening())
    forge(where, alter)
    assert "the cards dealt are not the sealed deck's" in found(where)[SEALED]


def test_h5_the_whole_deck_is_opened_once_when_its_round_is_paid() -> None:
    floor = Floor(DIAMOND_JO).sit("ann")
    floor.bet(1)
    assert not [each for each in floor.events if isinstance(each, h.DeckOpened)]
    for _ in range(3):
        floor.raises(1)
    [opened] = [each for each in floor.events if isinstance(each, h.DeckOpened)]
    [sealed, _] = [each for each in floor.events if isinstance(each, h.DeckSealed)]
    assert isinstance(opened.deck, Sealed)
    assert sorted(opened.deck.cards) == list(DECK)
    assert opened.deck.commitment == sealed.commitment
    written = codec.text(codec.Body(2, tuple(floor.events)))
    assert written.count(opened.deck.seed) == 1
