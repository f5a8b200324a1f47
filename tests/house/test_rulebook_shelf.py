"""The shelf: a house's own rulebooks at live tables, each version by its hash and for good."""

import asyncio
import datetime
import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pitboss import rulebook
from pitboss.audit.audit import audit, audit_round
from pitboss.audit.promises import NOTHING_LOST, ROLES, SAME_BYTES
from pitboss.audit.snapshot import Snapshot
from pitboss.errors import Refused, Unreadable
from pitboss.house import rulebook_shelf as shelf
from pitboss.house.house_stream import next_entry
from pitboss.house.people.persons import Person, PersonAdded, Role, RulebookAdopted
from pitboss.house.replay import past
from pitboss.house.rulebook_shelf import adopt, history, read_shelf
from pitboss.house.storage.batch import EntryDraft
from pitboss.house.storage.store import Store
from pitboss.house.table import commands as c
from pitboss.round import actions as a
from pitboss.rulebook import Rulebook
from tests.command import complaint, run
from tests.house.clocked_house import ClockedHouse, clocked_house
from tests.house.floor import NOON
from tests.house.shelves import BETTER, EURO, MY_HOUSE, OURS, SHIPPED, UNSOLVED, book, changed, file

APPROVED = datetime.date(2026, 11, 1)


def broken(where: str) -> dict[int, str]:
    """What an audit finds: promise to its first place."""
    with Snapshot(where) as snapshot:
        found = audit(snapshot)
    return {each.promise: each.broken[0] for each in found.promises if each.broken}


async def adopted(house: ClockedHouse, where: str, rules: Rulebook, **more: Any) -> None:
    """Adopt a book beside a house that is open, as another process would, and see that it hears."""
    store = Store(where)
    await asyncio.to_thread(adopt, store, rules, at=house.at, **more)
    store.close()
    for _ in range(500):
        if house.house.shelf.holds(rules) and rules.id in house.house.shelf.adoptions:
            return
        await asyncio.sleep(0.01)
    raise AssertionError("the house has not heard of it")


async def guest(house: ClockedHouse) -> Person:
    """Somebody with play chips."""
    session = await house.sessions.guest()
    await house.sessions.join(session.person)
    return await house.house.person(session.person)


async def play_round(house: ClockedHouse, who: Person) -> str:
    """Bet and fold; the round's name."""
    minimum = house.table.minimum_cents
    number = house.table.number
    await house.do(who, a.Bet(1, {"ante": minimum}))
    await house.do(who, a.Fold(1, confirmed=True))
    return f"{house.name}-{number}"


def test_a_table_runs_on_an_adopted_book_and_the_audit_holds(where: str) -> None:
    async def main() -> None:
        async with clocked_house(where) as house:
            ann = await guest(house)
            with pytest.raises(Refused, match="the rulebooks are common"):
                await house.open(ann, "my-house/stud", practice=True)
            await adopted(house, where, book(MY_HOUSE), approved=APPROVED, why="opening")
            await house.open(ann, "my-house/stud", practice=True)
            await house.do(ann, c.Sit(1))
            await play_round(house, ann)

    asyncio.run(main())
    assert broken(where) == {}
    store = Store(where)
    (told,) = history(store.rows)
    assert (told.rulebook, told.approved, told.actor) == ("my-house/stud", APPROVED, "house")
    assert (told.at, told.why, told.sha256) == (NOON, "opening", book(MY_HOUSE).sha256)
    assert read_shelf(store).adoptions == {"my-house/stud": told}
    store.close()


def test_a_replaced_version_stays_at_its_tables_and_in_its_rounds(where: str) -> None:
    async def main() -> tuple[str, str, str]:
        async with clocked_house(where) as house:
            await adopted(house, where, book(MY_HOUSE))
            ann = await guest(house)
            await house.open(ann, "my-house/stud", practice=True)
            await house.do(ann, c.Sit(1))
            await adopted(house, where, book(BETTER))
            old = await play_round(house, ann)
            assert (await house.house.table(house.name)).book == book(MY_HOUSE)
            replaced = await house.house.rulebook("my-house/stud", book(MY_HOUSE).sha256)
            assert replaced == book(MY_HOUSE)
            await house.do(ann, c.CloseTable("to open it anew"))
            await house.open(ann, "my-house/stud", practice=True, table=house.name)
            await house.do(ann, c.Sit(1))
            assert (await house.house.table(house.name)).book == book(BETTER)
            return ann.id, old, await play_round(house, ann)

    ann, old, new = asyncio.run(main())
    assert broken(where) == {}
    store = Store(where)
    assert past(store, old, ann).book == book(MY_HOUSE)
    assert past(store, new, ann).book == book(BETTER)
    store.close()
    with Snapshot(where) as snapshot:
        assert audit_round(snapshot, old).table.sha256 == book(MY_HOUSE).sha256


def test_a_table_is_opened_by_the_rules_that_stand_there_when_it_is_written(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another version is adopted after the rules were looked up."""

    async def main() -> None:
        async with clocked_house(where) as house:
            await adopted(house, where, book(MY_HOUSE))
            boss = await house.person("boss", "general-manager")
            context, once = house.house.live._context, iter([book(BETTER)])

            async def late(*of: Any) -> Any:
                for rules in once:
                    await adopted(house, where, rules)
                return await context(*of)

            monkeypatch.setattr(house.house.live, "_context", late)
            name = await house.open(boss, "my-house/stud")
            assert (await house.house.table(name)).book == book(BETTER)

    asyncio.run(main())
    assert broken(where) == {}


def test_no_book_of_a_variant_s_name_comes_to_a_table_with_real_chips(where: str) -> None:
    async def main() -> None:
        async with clocked_house(where) as house:
            await adopted(house, where, book(MY_HOUSE))
            boss = await house.person("boss", "general-manager")
            house.house.offer(book(BETTER))
            name = await house.open(boss, "my-house/stud")
            assert (await house.house.table(name)).book == book(MY_HOUSE)

    asyncio.run(main())
    assert broken(where) == {}


def test_a_table_with_rules_that_were_replaced_before_is_found(where: str) -> None:
    async def main() -> str:
        async with clocked_house(where) as house:
            await adopted(house, where, book(MY_HOUSE))
            boss, before = await house.person("boss", "general-manager"), house.house.shelf
            await adopted(house, where, book(BETTER))
            house.house.shelf = before
            return await house.open(boss, "my-house/stud")

    name = asyncio.run(main())
    said = broken(where)
    assert {*said} == {ROLES}
    assert f"(table:{name} 1): my-house/stud was not on the shelf like this" in said[ROLES]


def test_open_tables_keep_their_version_when_the_house_is_opened_again(where: str) -> None:
    async def first() -> str:
        async with clocked_house(where) as house:
            await adopted(house, where, book(MY_HOUSE))
            ann = await guest(house)
            return await house.open(ann, "my-house/stud", practice=True)

    async def second(name: str) -> None:
        async with clocked_house(where) as house:
            assert (await house.house.table(name)).book == book(MY_HOUSE)
            assert house.house.shelf.find("my-house/stud") == book(BETTER)

    name = asyncio.run(first())
    store = Store(where)
    adopt(store, book(BETTER), at=NOON)
    store.close()
    asyncio.run(second(name))


@pytest.fixture
def store(quick_path: Path) -> Any:
    """A house's store of the test's own."""
    found = Store(str(quick_path / "house.db"))
    yield found
    found.close()


def test_the_same_version_is_adopted_once_but_its_approval_is_told_later(store: Store) -> None:
    ours = book(MY_HOUSE)
    assert adopt(store, ours, at=NOON) is not None
    assert adopt(store, ours, at=NOON) is None
    assert adopt(store, ours, at=NOON, approved=APPROVED) is not None
    assert adopt(store, ours, at=NOON, approved=APPROVED) is None
    assert adopt(store, ours, at=NOON) is None
    assert [each.approved for each in history(store.rows)] == [None, APPROVED]


def test_an_earlier_version_can_be_adopted_again(store: Store) -> None:
    for text in (MY_HOUSE, BETTER, MY_HOUSE):
        assert adopt(store, book(text), at=NOON) is not None
    assert read_shelf(store).find("my-house/stud") == book(MY_HOUSE)
    assert len(history(store.rows)) == 3


def test_an_adopted_book_stands_in_place_of_a_shipped_one(store: Store) -> None:
    ours = book(changed(('odds = "10 to 1"', 'odds = "11 to 1"')))
    adopt(store, ours, at=NOON)
    found = read_shelf(store)
    assert found.find("common/mississippi-stud") == ours
    assert [each.id for each in found.books] == rulebook.ids()
    assert not found.holds(rulebook.load("common/mississippi-stud"))


def test_the_shelf_is_bounded_but_not_its_versions(store: Store) -> None:
    names = [(OURS[0][0], f'"my-house/stud-{number}"') for number in range(shelf.MOST_BOOKS)]
    for name in names:
        adopt(store, book(changed(name)), at=NOON)
    with pytest.raises(Refused, match="holds 50"):
        adopt(store, book(MY_HOUSE), at=NOON)
    adopt(store, book(changed(names[0], ('odds = "10 to 1"', 'odds = "9 to 1"'))), at=NOON)


def test_two_who_adopt_at_once_are_both_heard(store: Store) -> None:
    async def both() -> None:
        texts = (MY_HOUSE, EURO, UNSOLVED, SHIPPED)
        await asyncio.gather(
            *(asyncio.to_thread(adopt, store, book(text), at=NOON) for text in texts)
        )

    asyncio.run(both())
    assert len(history(store.rows)) == 4
    assert len(read_shelf(store).adoptions) == 4


# Whatever is changed is found -------------------------------------------------------------------


@pytest.fixture
def kept(quick_path: Path) -> str:
    """A house that has adopted two versions."""
    where = str(quick_path / "house.db")
    store = Store(where)
    adopt(store, book(MY_HOUSE), at=NOON, approved=APPROVED)
    adopt(store, book(BETTER), at=NOON)
    store.close()
    assert broken(where) == {}
    return where


@pytest.mark.parametrize(
    ("sql", "values", "promise", "place"),
    [
        (
            "UPDATE kept SET value = REPLACE(value, ?, ?) WHERE kind = 'rulebook'",
            ('"11 to 1"', '"12 to 1"'),
            SAME_BYTES,
            "other rules",
        ),
        (
            "UPDATE kept SET value = REPLACE(value, ?, ?) WHERE kind = 'rulebook'",
            ('"format":1', '"format": 1'),
            SAME_BYTES,
            "is not what the journal says",
        ),
        ("DELETE FROM kept WHERE kind = 'rulebook'", (), SAME_BYTES, "is not kept"),
        (
            "UPDATE kept SET value = REPLACE(value, ?, ?) WHERE kind = 'shelf'",
            ('"approved":null', '"approved":"2026-11-02"'),
            SAME_BYTES,
            "kept shelf my-house/stud",
        ),
        ("DELETE FROM kept WHERE kind = 'shelf'", (), SAME_BYTES, "is missing"),
        (
            "INSERT INTO kept SELECT 'shelf', 'x/y', value FROM kept WHERE kind = ?",
            ("shelf",),
            SAME_BYTES,
            "the journal knows nothing of it",
        ),
        (
            "UPDATE journal SET body = REPLACE(body, ?, ?)",
            ("2026-11-01", "2026-11-02"),
            SAME_BYTES,
            "the hash is not that of this entry",
        ),
        ("DELETE FROM journal WHERE seq = ?", (1,), NOTHING_LOST, "is missing"),
    ],
)
def test_a_changed_byte_of_the_shelf_is_found(
    kept: str, sql: str, values: tuple[Any, ...], promise: int, place: str
) -> None:
    with sqlite3.connect(kept) as connection:
        assert connection.execute(sql, values).rowcount
    connection.close()
    assert place in broken(kept)[promise]


def forge(where: str, actor: str, name: str, *, record: int) -> None:
    """Write an adoption past the house, as somebody with the database could."""
    store = Store(where)
    event = RulebookAdopted(name, book(BETTER).sha256, None, "")
    entry = next_entry(store, NOON, actor, "", event, record)
    rows = shelf.kept_adoption(entry, event, book(BETTER))
    store.append(EntryDraft(entry, (), rows)).result()
    store.close()


def test_only_some_may_adopt_and_the_audit_looks(where: str) -> None:
    async def main() -> None:
        async with clocked_house(where) as house:
            roles: dict[str, Role] = {"dot": "director-of-table-games", "flo": "floor-supervisor"}
            for name, role in roles.items():
                await house.house.record("house", name, "", PersonAdded(name, (role,)))
            await adopted(house, where, book(MY_HOUSE), actor="dot")
            for nobody in ("flo", "zoe"):
                with pytest.raises(Refused, match="adopt-rulebook is done by administrator"):
                    await adopted(house, where, book(BETTER), actor=nobody)

    asyncio.run(main())
    assert broken(where) == {}
    forge(where, "flo", "my-house/stud", record=1)
    assert "flo may not do this: rulebook-adopted" in broken(where)[ROLES]


def test_a_book_is_not_adopted_under_another_name(kept: str) -> None:
    forge(kept, "house", "my-house/other", record=0)
    assert "my-house/other was adopted" in broken(kept)[SAME_BYTES]


# What the maths does not know -------------------------------------------------------------------


def test_a_game_that_is_not_solved_is_dealt_and_gets_no_bots(quick_path: Path) -> None:
    where = str(quick_path / "house.db")

    async def main() -> None:
        async with clocked_house(where) as house:
            await adopted(house, where, book(UNSOLVED))
            ann = await guest(house)
            await house.open(ann, "new-game/stud", practice=True)
            await house.do(ann, c.Sit(1))
            with pytest.raises(Unreadable, match="not all on one pay table"):
                await house.do(ann, c.SeatBot(2))
            await play_round(house, ann)

    asyncio.run(main())
    assert broken(where) == {}


# The commands -----------------------------------------------------------------------------------


def test_rules_adopt_says_what_became_of_a_book(tmp_path: Path) -> None:
    db = str(tmp_path / "house.db")

    def said(*more: str) -> str:
        ran = run("rules", "adopt", *more, "--db", db)
        assert (ran.code, ran.err) == (0, ""), ran
        return ran.out

    ours = file(tmp_path, MY_HOUSE)
    assert said(ours, "--approved", "2026-11-01", "--why", "opening").startswith(
        "my-house/stud: on the shelf: Mississippi Stud, My house (sha256 "
    )
    assert "on the shelf already" in said(ours)
    assert "in place of an earlier version" in said(file(tmp_path, BETTER))
    theirs = file(tmp_path, changed(('odds = "10 to 1"', 'odds = "11 to 1"')), "theirs.toml")
    assert "in place of the one that comes with Pitboss" in said(theirs)
    listed = run("rules", "shelf", "--db", db).out.splitlines()
    assert [line.split()[0] for line in listed] == [
        "my-house/stud",
        "my-house/stud",
        "common/mississippi-stud",
    ]
    assert listed[0].endswith("by house, approved 2026-11-01, opening, replaced")
    shown = run("rules", "shelf", "--db", db, "--json").json
    assert [each["replaced"] for each in shown] == [True, False, False]
    assert shown[1]["sha256"] == book(BETTER).sha256
    assert run("audit", "--db", db).code == 0


def test_a_book_that_does_not_pass_is_not_adopted(tmp_path: Path) -> None:
    db = str(tmp_path / "house.db")
    wrong = file(tmp_path, changed(*OURS, ("most = 7", "most = 25")))
    for command in (("rules", "adopt", wrong), ("serve", "--port", "0", "--rulebook", wrong)):
        ran = run(*command, "--db", db)
        assert (ran.code, ran.out) == (2, "")
        assert f"{wrong}: error: $.seats.most: 25 seats need 53 cards" in ran.err
    assert not Path(db).exists()


def test_what_cannot_be_adopted_is_said_in_a_line(tmp_path: Path) -> None:
    db, ours = str(tmp_path / "house.db"), file(tmp_path, MY_HOUSE)
    large = file(tmp_path, MY_HOUSE + "#" * 300_000, "large.toml")
    for arguments, said in (
        ((large,), "larger than any rulebook"),
        ((str(tmp_path / "none.toml"),), "cannot read"),
        ((ours, "--approved", "soon"), "--approved"),
        ((ours, "--as", "flo"), "adopt-rulebook is done by administrator"),
        ((ours, "--why", "x" * 201), "--why"),
        ((ours, "--why", "\udcff"), "--why"),
    ):
        assert said in complaint("rules", "adopt", *arguments, "--db", db)
    assert "no database" in complaint("rules", "shelf", "--db", str(tmp_path / "none.db"))
    assert msgspec.json.decode(run("rules", "shelf", "--db", db, "--json").out) == []
