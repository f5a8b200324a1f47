"""Entries that a forger appends to people's records and to the settings: chain, ledger, balances,
what is kept and the head are right, who acts may do so, and yet no house ever wrote them."""

import itertools
from pathlib import Path

import pytest

from pitboss.audit.promises import CONSERVED, ROLES, SAME_BYTES
from pitboss.house.books.ledger import chips
from pitboss.house.house_stream import next_entry
from pitboss.house.people import persons as p
from pitboss.house.storage import codec
from pitboss.house.storage.batch import EntryDraft
from pitboss.house.storage.journal import following
from pitboss.house.storage.projections import kept_person, read_record
from pitboss.house.storage.store import Store
from pitboss.settle import Player
from tests.audit.forgery import change, changing, forge, found, in_one_file, rows
from tests.house.evening import START_AT

AT = START_AT + 1_000_000_000
NOBODY, ANN, HOUSE = "nobody-here", "ann", ""


def appended(copy: Path, actor: str, name: str, *events: p.PersonEvent) -> dict[int, str]:
    """Write this at the end as the house would, though no house does; what an audit finds."""
    store = Store(str(copy))
    write(store, actor, name, *events)
    store.close(10)
    return found(in_one_file(copy))


def write(store: Store, actor: str, name: str, *events: p.PersonEvent, at: int = AT) -> None:
    record = read_record(store, actor)[1]
    if name == HOUSE:
        [event] = events
        assert isinstance(event, p.SettingChanged)
        kept: tuple[tuple[str, str, str], ...] = (("setting", event.name, event.value),)
        store.append(EntryDraft(next_entry(store, at, actor, "", event, record), (), kept)).result()
        return
    person, seq, link = read_record(store, name)
    for event in events:
        person = p.evolve(person, event)
    body = codec.recorded(*events, record=record)
    entry = following(f"person:{name}", seq, link, at=at, actor=actor, key="", body=body)
    moved = itertools.chain(*(p.postings(name, event) for event in events))
    store.append(EntryDraft(entry, tuple(moved), kept_person(entry, person, events))).result()


def bought(cents: int, *, practice: bool = False) -> p.PersonEvent:
    return p.ChipsBought(cents, practice, "why")


@pytest.mark.parametrize(
    ("actor", "name", "event", "why"),
    [
        ("cay", ANN, bought(-100), "-100 is no sum"),
        ("cay", ANN, p.ChipsCashed(-100, "why"), "-100 is no sum"),
        ("guest-1", "guest-1", bought(-100, practice=True), "-100 is no sum"),
        ("sam", ANN, p.ClaimCollected(-100, "cash", "why"), "-100 is no sum"),
        ("cay", NOBODY, bought(100), "nobody knows"),
        ("cay", NOBODY, p.Identified("us", True, True, "why"), "nobody knows"),
        ("sue", NOBODY, p.Barred(True, "why"), "nobody knows"),
        ("admin", NOBODY, p.RolesSet(("administrator",), "why"), "nobody knows"),
        ("admin", NOBODY, p.PasswordSet("why"), "nobody knows"),
        ("admin", "house", p.PersonAdded("house", ("dealer",)), "nobody can be called house"),
        ("admin", "clock", p.PersonAdded("clock", ("dealer",)), "nobody can be called clock"),
        ("admin", "bot-1", p.PersonAdded("bot-1", ("dealer",)), "nobody can be called bot-1"),
        ("admin", "Zed!", p.PersonAdded("Zed!", ("dealer",)), "nobody can be called Zed!"),
        ("admin", "guest-9", p.PersonAdded("Guest", ("dealer",)), "a guest comes in no role"),
        (
            "guest-9",
            "guest-9",
            p.PersonAdded("Guest", ("guest",), Player()),
            "a guest comes in no role",
        ),
        ("zed", "zed", p.PersonAdded("zed", ("guest",)), "zed let themselves in"),
        ("guest-1", "lola", p.NameKept("lola", "guest-1"), "a name was taken for guest-1"),
        ("guest-1", "clock", p.NameKept("clock", "guest-1"), "nobody can be called clock"),
        ("admin", ANN, p.SettingChanged("guests", "no", "why"), "has neither settings nor"),
        ("admin", HOUSE, p.SettingChanged("luck", "no", "why"), "no setting 'luck'"),
        ("admin", HOUSE, p.SettingChanged("guests", "perhaps", "why"), "write yes or no"),
    ],
)
def test_what_never_happens_to_a_record_is_found(
    copy: Path, actor: str, name: str, event: p.PersonEvent, why: str
) -> None:
    assert why in appended(copy, actor, name, event)[ROLES]


def test_an_entry_in_which_nothing_happens_is_found(copy: Path) -> None:
    assert "in which nothing happens" in appended(copy, ANN, ANN)[SAME_BYTES]


def test_what_does_happen_to_records_is_no_finding(copy: Path) -> None:
    store = Store(str(copy))
    write(store, "admin", "zed", p.PersonAdded("zed", ("player",)), bought(0, practice=True))
    write(store, "cay", "zed", bought(100))
    write(store, "cay", "zed", p.ChipsCashed(100, "why"))
    write(store, "admin", HOUSE, p.SettingChanged("timezone", "America/Chicago", "why"))
    store.close(10)
    assert found(in_one_file(copy)) == {}


@pytest.mark.parametrize(("later", "finds"), [(3_600_000, True), (1, False)])
def test_an_account_that_was_filled_after_it_was_overdrawn_is_found(
    copy: Path, later: int, finds: bool
) -> None:
    """Two entries change places: within one batch that is nothing, for its sums alone count."""
    store = Store(str(copy))
    own = store.balance(chips("ann", practice=False))
    write(store, "cay", ANN, bought(100), at=AT)
    write(store, "cay", ANN, p.ChipsCashed(own + 100, "why"), at=AT + later)
    store.close(10)
    in_one_file(copy)
    [(last,)] = rows(copy, "SELECT MAX(position) FROM journal")
    bodies = rows(copy, "SELECT body FROM journal WHERE position > ? ORDER BY position", last - 2)
    for position, (body,) in zip((last, last - 1), bodies, strict=True):
        change(copy, "UPDATE journal SET body = ? WHERE position = ?", body, position)
    with changing(copy) as connection:
        for was, now in ((last, 0), (last - 1, last), (0, last - 1)):
            sql = "UPDATE ledger SET position = ? WHERE position = ?"
            connection.execute(sql, (now, was))
    forge(copy, lambda entry, _: entry if entry.position == last - 1 else None)
    said = found(copy)
    assert said.get(CONSERVED, "").startswith("chips:ann: was overdrawn") is finds
    assert {*said} <= {CONSERVED, SAME_BYTES}, "only the row of the person is not mended"
