"""Forgers who mend the chain, and yet are found."""

from typing import Any

import msgspec
import pytest

from pitboss.audit.promises import CONSERVED, ONCE, ROLES, SAME_BYTES, SEALED, SETTLED
from pitboss.house.storage.journal import Entry
from tests.audit.forgery import change, changing, events, forge, found, rows, with_body


def test_a_payment_that_was_changed_with_all_hashes_mended_is_found(copy):
    def alter(entry: Entry, body: dict[str, Any]) -> Entry | None:
        for paid in events(body, "round-paid"):
            paid["seats"][0]["paid_cents"] += 100
            return with_body(entry, body)
        return None

    position = forge(copy, alter)
    result = found(copy)
    assert f"journal {position} (" in result[SAME_BYTES]
    assert f"journal {position} (" in result[SETTLED]
    assert "a second settlement says" in result[SETTLED]


def test_a_reason_that_was_changed_with_all_hashes_mended_is_found(copy):
    def alter(entry: Entry, body: dict[str, Any]) -> Entry | None:
        for paid in events(body, "round-paid"):
            [why, *_] = paid["seats"][0]["lines"][0]["reasons"]
            why["clause"] = "Z.9"
            return with_body(entry, body)
        return None

    position = forge(copy, alter)
    result = found(copy)
    assert set(result) == {SAME_BYTES}
    assert result[SAME_BYTES].startswith(f"journal {position} (")
    assert "does not lead to these events" in result[SAME_BYTES]


@pytest.mark.parametrize("field", ["odds", "nominal_cents", "row"])
def test_a_second_settlement_finds_what_a_line_says_of_a_win(copy, field):
    other = {"odds": "7 to 3", "nominal_cents": 1, "row": "high-card"}

    def alter(entry: Entry, body: dict[str, Any]) -> Entry | None:
        for paid in events(body, "round-paid"):
            for line in (line for seat in paid["seats"] for line in seat["lines"]):
                if line["outcome"] == "win":
                    line[field] = other[field]
                    return with_body(entry, body)
        return None

    position = forge(copy, alter)
    assert f"journal {position} (" in found(copy)[SETTLED]


def test_an_announced_figure_that_was_changed_is_found(copy):
    def alter(entry: Entry, body: dict[str, Any]) -> Entry | None:
        for said in events(body, "payoff-announced"):
            said["won_cents"] += 1
            return with_body(entry, body)
        return None

    forge(copy, alter)
    assert "was announced" in found(copy)[ROLES]


def test_an_entry_of_a_procedure_that_is_not_known_is_said_to_be_one(copy):
    def alter(entry: Entry, body: dict[str, Any]) -> Entry | None:
        if entry.position < 40 or "procedure" not in body:
            return None
        body["procedure"] = 99
        body["events"] = [{"event": "something-new"}]
        return with_body(entry, body)

    position = forge(copy, alter)
    said = found(copy)[SAME_BYTES]
    assert said.startswith(f"journal {position} (")
    assert "procedure 99 decided it, and this Pitboss knows 2" in said


def test_a_deck_that_is_not_the_one_committed_to_is_found(copy):
    def alter(entry: Entry, body: dict[str, Any]) -> Entry | None:
        for opened in events(body, "deck-opened"):
            *top, last, bottom = opened["cards"].split()
            opened["cards"] = " ".join([*top, bottom, last])  # never dealt
            return with_body(entry, body)
        return None

    position = forge(copy, alter)
    result = found(copy)
    assert f"journal {position} (" in result[SEALED]
    assert "commitment" in result[SEALED]


def test_a_card_that_did_not_come_from_the_deck_is_found(copy):
    def alter(entry: Entry, body: dict[str, Any]) -> Entry | None:
        for dealt in events(body, "cards-dealt"):
            dealt["cards"].reverse()
            return with_body(entry, body)
        return None

    forge(copy, alter)
    assert "sealed deck" in found(copy)[SEALED]


@pytest.mark.parametrize(
    ("kind", "by"), [("misdeal-called", "ann"), ("payoff-approved", "dan"), ("barred", "ann")]
)
def test_an_act_of_somebody_else_is_found(copy, kind, by):
    def alter(entry: Entry, body: dict[str, Any]) -> Entry | None:
        if events(body, kind) and entry.actor not in (by, "guest-1"):
            for event in events(body, kind):
                event.update({"person": by} if "person" in event else {})
            return msgspec.structs.replace(with_body(entry, body), actor=by)
        return None

    position = forge(copy, alter)
    assert f"journal {position} (" in found(copy)[ROLES]


@pytest.mark.parametrize(
    ("stream", "told"),
    [
        ("person:rosa", "a name was taken for guest-1, who did not keep it"),
        ("person:guest-3", "is not guest-3's to keep"),
    ],
)
def test_a_name_that_is_not_the_guests_to_keep_is_found(copy, stream, told):
    """Of the name's stream somebody else has it; of the guest's it is another name."""

    def alter(entry: Entry, body: dict[str, Any]) -> Entry | None:
        if entry.stream != stream or not events(body, "name-kept"):
            return None
        changed = {"person": "guest-1"} if stream == "person:rosa" else {"name": "ann"}
        events(body, "name-kept")[0].update(changed)
        actor = changed.get("person", entry.actor)
        return msgspec.structs.replace(with_body(entry, body), actor=actor)

    forge(copy, alter)
    assert told in found(copy)[ROLES]


def test_somebody_who_was_added_twice_is_found(copy):
    added = {"event": "person-added", "name": "Gus", "roles": ["cage"], "why": ""}

    def alter(entry: Entry, body: dict[str, Any]) -> Entry | None:
        if not events(body, "barred"):
            return None
        forged = with_body(entry, {"procedure": body["procedure"], "events": [added], "record": 2})
        return msgspec.structs.replace(forged, actor="admin")

    forge(copy, alter)
    assert "was given before" in found(copy)[ROLES]


def test_a_key_that_was_used_twice_is_found(copy):
    # Where the database itself no longer looks after it.
    with changing(copy) as connection:
        connection.execute("DROP INDEX journal_key")
    stream = rows(copy, "SELECT stream FROM journal WHERE key = 'k50'")[0][0]
    with changing(copy) as connection:
        connection.execute(
            "UPDATE journal SET key = 'k50', actor = 'ann' WHERE stream = ?", [stream]
        )
    assert "key k50 of ann" in found(copy)[ONCE]


def test_money_from_nowhere_is_found(copy):
    """Balanced, with its balances mended, and yet the journal knows nothing of it."""
    change(copy, "INSERT INTO ledger VALUES (3, 90, 'chips:ann', 500)")
    change(copy, "INSERT INTO ledger VALUES (3, 91, 'cage', -500)")
    change(copy, "UPDATE balances SET cents = cents + 500 WHERE account = 'chips:ann'")
    change(copy, "UPDATE balances SET cents = cents - 500 WHERE account = 'cage'")
    assert found(copy)[CONSERVED].startswith("ledger 3")
