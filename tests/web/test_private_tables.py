"""Practice tables are private: to whom they are not there, they are nowhere (B9)."""

import json
import re

from pitboss.house.table.evolve import MOST_ADMITTED
from tests.web.api.test_routes import is_problem
from tests.web.conftest import Staff
from tests.web.mischief import BOOK
from tests.web.open_house import Caller, Visited

NOWHERE = "zzzzzzzzzzzzzzzzzzzzzzzzzz"


def a_round(house: Visited) -> tuple[Caller, str]:
    """Ann, alone at her practice table, after a round."""
    ann = house.guest()
    table = ann.open(BOOK, betting_seconds=600, decision_seconds=600)
    ann.do(table, "sit", seat=1)
    ann.do(table, "bet", seat=1, wagers={"ante": 500})
    ann.do(table, "fold", seat=1)
    return ann, table


def test_b9_a_strangers_answers_are_those_of_a_table_that_is_not_there(house: Visited) -> None:
    _, table = a_round(house)
    eve = house.guest()
    command = {"key": "k", "command": {"action": "sit", "seat": 2}}
    asked = (
        ("GET", "/api/tables/{}", None),
        ("GET", "/api/tables/{}/events", None),
        ("POST", "/api/tables/{}", command),
        ("POST", "/api/tables/{}/invitations", None),
        ("GET", "/api/tables?after={}", None),
        ("POST", "/api/invitations", {"invitation": "{}.guess"}),
    )
    for method, path, body in asked:
        there, nowhere = (
            eve(
                method,
                path.format(name),
                json.loads(json.dumps(body).replace("{}.", f"{name}.")) if body else None,
            )
            for name in (table, NOWHERE)
        )
        is_problem(there, 404, "table/unknown")
        assert there.raw.replace(table.encode(), NOWHERE.encode()) == nowhere.raw
    for path in ("/tables/{}", "/tables/{}/changes", "/rounds/{}-1"):
        for who in (eve, house.caller()):
            cookie = {"Authorization": "", "Cookie": f"pitboss={who.token}" if who.token else ""}
            there, nowhere = (
                who("GET", path.format(name), headers=cookie) for name in (table, NOWHERE)
            )
            assert (there.status, nowhere.status) == (404, 404)
            said = re.findall(rb'role="alert"[^>]*>(.*?)</p>', there.raw)
            assert said == [
                each.replace(NOWHERE.encode(), table.encode())
                for each in re.findall(rb'role="alert"[^>]*>(.*?)</p>', nowhere.raw)
            ]
    is_problem(eve("GET", f"/api/rounds/{table}-1"), 404, "round/unknown")


def test_b9_lists_have_tables_that_are_there_for_who_asks(house: Visited, staff: Staff) -> None:
    ann, table = a_round(house)
    eve, flo = house.guest(), staff("flo", "floor-supervisor")

    def listed(who: Caller) -> bool:
        every, after = [], ""
        while page := who("GET", f"/api/tables?limit=500&after={after}").json:
            every += [each["table"] for each in page]
            after = every[-1]
        return table in every

    assert [listed(who) for who in (ann, eve, flo, house.caller())] == [True, False, True, False]
    assert table.encode() not in house.caller()("GET", "/").raw
    assert flo("GET", f"/api/tables/{table}").status == 200, "the floor may look"
    eve.come(table)
    assert listed(eve)
    assert eve("GET", f"/api/rounds/{table}-1").status == 200, "as she could have watched it"


def test_b9_an_invitation_opens_streams_and_its_hash_is_told_nobody(house: Visited) -> None:
    ann, table = a_round(house)
    eve = house.guest()
    own = ann.stream(f"/api/tables/{table}/events")
    assert own.until(b"retry")
    made = ann("POST", f"/api/tables/{table}/invitations").json["invitation"]
    assert re.fullmatch(rf"{table}\.[\w-]{{22}}", made)
    assert own.until(b'"invitation-made","invitation":""')
    own.close()
    assert eve("POST", "/api/invitations", {"invitation": made}).json == {"table": table}
    watching = eve.stream(f"/api/tables/{table}/events")
    assert watching.until(b"retry")
    ann.do(table, "bet", seat=1, wagers={"ante": 500})
    assert watching.until(b"bet-placed")
    watching.close()
    for raw in (
        {"action": "enter", "invitation": "0" * 64},
        {"action": "invite", "invitation": ""},
    ):
        body = {"key": "k", "command": raw}
        assert ann("POST", f"/api/tables/{table}", body).status == 400, "no hash is asked with"


def test_a_shared_round_stays_shared(house: Visited) -> None:
    ann, table = a_round(house)
    cookie = {"Authorization": "", "Cookie": f"pitboss={ann.token}"}
    page = ann("GET", f"/rounds/{table}-1", headers=cookie).raw.decode()
    link = re.findall(rf"/rounds/{table}-1/[0-9a-f]{{32}}", page)[0]
    assert house.caller()("GET", link).status == 200


def test_who_is_let_in_no_more_hears_nothing_of_what_comes(house: Visited) -> None:
    """A table that is opened again is there for nobody who came before."""
    ann = house.guest()
    options = {"betting_seconds": 600, "decision_seconds": 600}
    table = ann.open(BOOK, **options)
    eve = house.guest().come(table)
    heard, own = (who.stream(f"/api/tables/{table}/events") for who in (eve, ann))
    for each in (heard, own):
        assert each.until(b"retry")
    assert ann.do(table, "close-table").status == 200
    assert ann.open(BOOK, table=table, **options) == table
    assert ann.do(table, "sit", seat=1).status == 200
    assert own.until(b"seat-taken")
    assert heard.until(b"event: end", 5)
    assert (b"table-closed" in heard.raw, b"table-opened" in heard.raw) == (True, False)
    for each in (heard, own):
        each.close()


def test_whoever_gives_way_to_others_hears_nothing_more(house: Visited) -> None:
    ann = house.guest()
    table = ann.open(BOOK)
    made = ann("POST", f"/api/tables/{table}/invitations").json
    guests = [house.guest() for _ in range(MOST_ADMITTED + 1)]
    for guest in guests[:-1]:
        assert guest("POST", "/api/invitations", made).status == 200
    first, second = (guest.stream(f"/api/tables/{table}/events") for guest in guests[:2])
    for each in (first, second):
        assert each.until(b"retry")
    assert guests[-1]("POST", "/api/invitations", made).status == 200
    assert first.until(b"event: end", 5)
    assert second.until(b"person-admitted", 5)
    assert b"person-admitted" not in first.raw
    is_problem(guests[0]("GET", f"/api/tables/{table}"), 404, "table/unknown")
    for each in (first, second):
        each.close()
