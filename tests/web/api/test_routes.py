"""Every route as its document says, and a house at work from the first secret to a payoff."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from pitboss.rulebook import ids
from pitboss.web.api.openapi import document
from pitboss.web.api.routes import ROUTES
from pitboss.web.client import Client
from tests.pdf import pages_of
from tests.web.conftest import PASSWORD, Staff
from tests.web.open_house import Answer, Caller, Visited, rigged, run, thread

SECURE = {
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "same-origin",
}


def conforms(answer: Answer, method: str, path: str) -> Any:
    """Check an answer against the document; what it says."""
    responses = document(ROUTES)["paths"][path][method.lower()]["responses"]
    assert str(answer.status) in responses, (method, path, answer)
    content = responses[str(answer.status)].get("content", {})
    if not content:
        assert answer.raw == b""
        return None
    kind = answer.headers["content-type"].partition(";")[0]
    assert list(content) == [kind]
    if kind != "application/json":
        return answer.raw.decode()
    schema = {**content[kind]["schema"], "components": document(ROUTES)["components"]}
    jsonschema_rs.Draft202012Validator(schema).validate(answer.json)
    return answer.json


def is_problem(answer: Answer, status: int, code: str) -> None:
    assert (answer.status, answer.json["code"]) == (status, code), answer
    assert set(answer.json) == {"code", "message", "clause", "place"}
    assert answer.headers["content-type"] == "application/json"
    assert {name: answer.headers.get(name) for name in SECURE} == SECURE


# The document -------------------------------------------------------------------------------------


def test_the_document_is_openapi_3_1_and_names_every_route(house: Visited) -> None:
    found = house.caller()("GET", "/openapi.json").json
    assert found == json.loads(json.dumps(document(ROUTES)))
    assert found["openapi"].startswith("3.1")
    listed = {
        (method.upper(), path) for path, several in found["paths"].items() for method in several
    }
    assert listed == {(route.method, route.path) for route in ROUTES}
    names = [
        each["operationId"] for several in found["paths"].values() for each in several.values()
    ]
    assert len(set(names)) == len(names)


def test_every_reference_in_the_document_leads_somewhere() -> None:
    written = json.dumps(document(ROUTES))
    parts = document(ROUTES)["components"]["schemas"]
    for name in re.findall(r'"#/components/schemas/([^"]+)"', written):
        assert name in parts
    for name, schema in parts.items():
        whole = {**schema, "components": document(ROUTES)["components"]}
        jsonschema_rs.Draft202012Validator(whole)
        assert name


def test_a_route_lists_only_what_can_happen_there() -> None:
    paths = document(ROUTES)["paths"]
    assert list(paths["/health"]["get"]["responses"]) == ["200", "429", "503"]
    assert list(paths["/metrics"]["get"]["responses"]) == ["200", "429"]
    assert list(paths["/api/me"]["get"]["responses"]) == ["200", "401", "429", "503"]
    assert "security" not in paths["/api/guests"]["post"]
    assert paths["/api/me"]["get"]["security"] == [{"bearer": []}, {"cookie": []}]
    headers = [p["name"] for p in paths["/api/floor/events"]["get"]["parameters"]]
    assert headers == ["Last-Event-ID"]


# Every route --------------------------------------------------------------------------------------


def test_what_anybody_may_look_at(house: Visited) -> None:
    anybody = house.caller()
    ready = conforms(anybody("GET", "/health"), "GET", "/health")
    assert ready["ready"] is True
    books = conforms(anybody("GET", "/api/rulebooks"), "GET", "/api/rulebooks")
    assert len(books) == len(ids())
    house.guest().open()
    lobby = conforms(anybody("GET", "/api/tables"), "GET", "/api/tables")
    assert {each["rulebook"] for each in lobby} <= {each["id"] for each in books}
    for path in ("/health", "/openapi.json", "/api/rulebooks", "/api/tables", "/metrics"):
        answer = anybody("GET", path)
        assert {name: answer.headers.get(name) for name in SECURE} == SECURE, path


def test_who_opens_the_address_in_a_browser_finds_a_page(house: Visited) -> None:
    answer = house.caller()("GET", "/")
    assert answer.status == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert b"Sit down" in answer.raw
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; ")
    assert "unsafe" not in policy
    rest = {name: value for name, value in SECURE.items() if name != "content-security-policy"}
    assert {name: answer.headers.get(name) for name in rest} == rest


@pytest.mark.parametrize("host", ["<b>", "[", "a b", "x" * 300])
def test_the_page_holds_nothing_that_a_request_brought_along(house: Visited, host: str) -> None:
    answer = house.caller()("GET", "/", headers={"Host": host})
    assert answer.status in (200, 400)
    assert b"<b>" not in answer.raw


def test_a_guest_plays_a_round(house: Visited) -> None:
    guest = house.caller()
    entered = guest("POST", "/api/guests")
    session = conforms(entered, "POST", "/api/guests")
    cookie = entered.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    guest.token, guest.person = session["token"], session["person"]
    me = conforms(guest("GET", "/api/me"), "GET", "/api/me")
    assert me["play_cents"] == 100_000
    assert me["csrf"] == session["csrf"]
    assert me["person"]["roles"] == ["guest"]

    opening = {
        "key": "t",
        "command": {
            "action": "open-table",
            "rulebook": "common/mississippi-stud",
            "practice": True,
        },
    }
    table = conforms(guest("POST", "/api/tables", opening), "POST", "/api/tables")["notice"][
        "table"
    ]
    path = "/api/tables/{table}"
    conforms(guest.do(table, "sit", seat=1), "POST", path)
    view = conforms(guest("GET", f"/api/tables/{table}"), "GET", path)
    assert (view["phase"], view["seat"], len(view["commitment"])) == ("betting", 1, 64)
    conforms(guest.do(table, "bet", seat=1, wagers={"ante": 500}), "POST", path)
    while (view := guest.view(table))["due"]:
        done = conforms(guest.do(table, "raise", seat=1, times=1), "POST", path)
        assert done["again"] is False
        conforms(guest("GET", f"/api/tables/{table}"), "GET", path)
    assert view["last"]["round"] == 1
    record = conforms(guest("GET", f"/api/rounds/{table}-1"), "GET", "/api/rounds/{round}")
    assert len(record["proof"]["opened"]) == 5
    filled = guest("POST", "/api/me/play-chips", {"key": "c"})
    assert conforms(filled, "POST", "/api/me/play-chips")["play_cents"] >= 100_000
    settings = conforms(guest("GET", "/api/settings"), "GET", "/api/settings")
    assert settings["guests"] == "yes"
    conforms(guest("DELETE", "/api/sessions"), "DELETE", "/api/sessions")
    is_problem(guest("GET", "/api/me"), 401, "session/none")


def test_streams_say_what_they_are_and_resume(house: Visited) -> None:
    guest = house.guest()
    table = guest.open()
    guest.do(table, "sit", seat=1)
    path = f"/api/tables/{table}/events"
    stream = guest.stream(path, after=0)
    assert stream.until(b"id: 2\n")
    assert b"content-type: text/event-stream" in stream.raw
    assert b"cache-control: no-store" in stream.raw
    guest.do(table, "sit-out")
    assert stream.until(b"id: 3\n")
    stream.close()
    resumed = guest.stream(path, after=2)
    assert resumed.until(b"id: 3\n")
    assert b"id: 2\n" not in resumed.raw
    resumed.close()
    beyond = guest.stream(path, after=99)
    assert beyond.until(b"event: reset")
    beyond.close()
    only_head = guest("HEAD", path)
    assert (only_head.status, only_head.raw) == (200, b"")
    assert only_head.headers["content-type"].startswith("text/event-stream")


def test_head_is_get_without_a_body(house: Visited) -> None:
    guest = house.guest()
    for path in ("/", "/health", "/metrics", "/openapi.json", "/api/me", "/api/tables"):
        answer = guest("HEAD", path)
        assert (answer.status, answer.raw) == (200, b""), path
    by_cookie = house.caller()
    cookie = {"Cookie": f"pitboss={guest.token}"}
    assert by_cookie("HEAD", "/api/me", headers=cookie).status == 200


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nothing", 404, "path/unknown"),
        ("GET", "/api/tables/", 404, "path/unknown"),
        ("GET", "/api/tables/nowhere", 404, "table/unknown"),
        ("GET", "/api/tables/nowhere/events", 404, "table/unknown"),
        ("GET", "/api/rounds/nowhere-1", 404, "round/unknown"),
        ("GET", "/api/rounds/x", 404, "round/unknown"),
        ("PUT", "/api/tables", 405, "path/method"),
        ("DELETE", "/health", 405, "path/method"),
        ("OPTIONS", "/api/guests", 405, "path/method"),
        ("BREW", "/health", 400, ""),
        ("GET", "/api/people/admin", 403, "role/not-yours"),
        ("GET", "/api/floor/events", 403, "role/not-yours"),
    ],
)
def test_errors_are_json_with_a_proper_status(
    house: Visited, method: str, path: str, status: int, code: str
) -> None:
    answer = house.guest()(method, path)
    if code:
        is_problem(answer, status, code)
    else:
        assert answer.status == status
    if status == 405:
        assert answer.headers["allow"]


def test_a_refusal_cites_its_clause(house: Visited) -> None:
    guest = house.guest()
    table = guest.open()
    guest.do(table, "sit", seat=1)
    answer = guest.do(table, "bet", seat=1, wagers={"ante": 1})
    is_problem(answer, 409, "bet/below-minimum")
    assert answer.json["clause"]
    assert answer.json["place"] == "ante"
    unreadable = guest.do(table, "bet", seat=1, wagers={"ante": "5"})
    is_problem(unreadable, 400, "body/unreadable")
    assert unreadable.json["place"] == "$.command.wagers[...]"


@pytest.mark.parametrize(
    ("command", "place", "says"),
    [
        ({"action": "sing"}, "$.command.action", "write close-table or change-limits or approve"),
        ({"action": "sit"}, "$.command", "missing required field `seat`"),
        ({"action": "sit", "seat": 1, "seats": 2}, "$.command", "did you mean seat?"),
        ({"action": "sit", "seat": "1"}, "$.command.seat", "Expected `int`, got `str`"),
        ({"action": "retire-cards", "why": " \t"}, "$.command.why", "blanks are no reason"),
        ({"action": "bring-cards", "colours": [" "]}, "$.command.colours", "on one line"),
        ({"action": "bring-cards", "colours": ["red", " blue"]}, "$.command.colours", "no blanks"),
        ({"action": "bring-cards", "colours": ["red\nblue"]}, "$.command.colours", "on one line"),
    ],
)
def test_what_cannot_be_read_says_where_and_what_would_be_right(
    house: Visited, command: dict[str, Any], place: str, says: str
) -> None:
    body = {"key": "k", "command": command}
    answer = house.guest()("POST", "/api/tables/any", body)
    is_problem(answer, 400, "body/unreadable")
    assert answer.json["place"] == place
    assert says in answer.json["message"]


def test_metrics_are_prometheus_text(house: Visited) -> None:
    anybody = house.caller()
    anybody("GET", "/api/me")
    answer = anybody("GET", "/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    label = r'[a-z_]+="[^"\\\n]*"'
    line = re.compile(rf"[a-z_]+(?:\{{{label}(?:,{label})*\}})? -?[0-9]+(?:\.[0-9]+)?")
    typed = re.compile(r"# TYPE ([a-z_]+) (?:gauge|counter)")
    text = answer.raw.decode()
    assert text.endswith("\n")
    types: set[str] = set()
    for each in text.splitlines():
        if each.startswith("#"):
            found = typed.fullmatch(each)
            assert found
            types.add(found[1])
        else:
            assert line.fullmatch(each), each
            assert re.split(r"[ {]", each)[0] in types
    assert 'pitboss_requests_total{name="me",status="401"}' in text


# People -------------------------------------------------------------------------------------------


def test_a_house_at_work(house: Visited, admin: Caller, staff: Staff) -> None:
    is_problem(
        house.caller()("POST", "/api/sessions", {"name": "admin", "password": house.secret}),
        401,
        "login/wrong",
    )
    adding: dict[str, object] = {
        "key": "n",
        "name": "nell",
        "roles": ["player"],
        "password": "for-once-only",
    }
    adding["why"] = "a new player"
    person = conforms(admin("POST", "/api/people", adding), "POST", "/api/people")
    assert person["roles"] == ["player"]
    # A password for once lets nobody in until it is changed.
    once = house.caller()("POST", "/api/sessions", {"name": "nell", "password": "for-once-only"})
    is_problem(once, 403, "login/one-time")
    change = {"name": "nell", "password": "for-once-only", "new": PASSWORD}
    conforms(house.caller()("POST", "/api/password", change), "POST", "/api/password")
    nell = house.caller().login("nell", PASSWORD)

    # The same key again changes nothing, not even the password; another key finds the name taken.
    assert admin("POST", "/api/people", adding).status == 200
    assert nell("GET", "/api/me").status == 200
    is_problem(admin("POST", "/api/people", {**adding, "key": "o"}), 409, "person/taken")
    is_problem(
        admin("POST", "/api/people", {**adding, "roles": ["dealer"]}), 409, "command/key-reused"
    )
    is_problem(admin("POST", "/api/people", {**adding, "name": "bot-1"}), 400, "body/unreadable")

    cage = staff("cage", "cage")
    path = "/api/people/{person}"
    selling = {
        "key": "s",
        "command": {"action": "sell-chips", "cents": 1_000_000, "why": "at the window"},
    }
    sold = conforms(cage("POST", "/api/people/nell", selling), "POST", path)
    assert sold["chips_cents"] == 1_000_000
    assert cage("POST", "/api/people/nell", selling).json["chips_cents"] == 1_000_000
    selling["command"] = {"action": "sell-chips", "cents": 5, "why": "at the window"}
    is_problem(cage("POST", "/api/people/nell", selling), 409, "command/key-reused")
    is_problem(admin("POST", "/api/people/nell", selling), 403, "role/not-yours")
    is_problem(cage("POST", "/api/people/nobody", selling), 404, "person/unknown")
    is_problem(cage("POST", "/api/people/cage", selling), 403, "role/own-record")
    papers = {"residence": "foreign", "identified": True, "tin": False}
    command = {"action": "identify", **papers, "why": "a passport"}
    seen = {"key": "p", "command": command}
    player = conforms(cage("POST", "/api/people/nell", seen), "POST", path)["person"]["player"]
    assert player == {**papers, "barred": False, "shared": []}
    is_problem(nell("POST", "/api/people/nell", seen), 403, "role/own-record")
    is_problem(nell("POST", "/api/people/cage", seen), 403, "role/not-yours")
    is_problem(cage("POST", "/api/people/cage", seen), 403, "role/own-record")
    wrong = {**command, "residence": "mars"}
    is_problem(cage("POST", "/api/people/nell", {**seen, "command": wrong}), 400, "body/unreadable")
    steps_down = {"action": "set-roles", "roles": ["player"], "why": "tired"}
    own = {"key": "r", "command": steps_down}
    is_problem(admin("POST", "/api/people/admin", own), 403, "role/own-record")
    cashing = {
        "key": "c",
        "command": {"action": "cash-chips", "cents": 100_000, "why": "at the window"},
    }
    assert cage("POST", "/api/people/nell", cashing).json["chips_cents"] == 900_000
    cashing = {
        "key": "c2",
        "command": {"action": "cash-chips", "cents": 10**11, "why": "at the window"},
    }
    is_problem(cage("POST", "/api/people/nell", cashing), 409, "chips/not-enough")
    assert conforms(cage("GET", "/api/people/nell"), "GET", path)["chips_cents"] == 900_000

    # Nobody but the floor opens a real table.
    opening = {"action": "open-table", "rulebook": "common/mississippi-stud"}
    body = {"key": "real", "command": opening}
    is_problem(nell("POST", "/api/tables", body), 403, "role/not-yours")
    floor = staff("floor", "floor-supervisor")
    table = conforms(floor("POST", "/api/tables", body), "POST", "/api/tables")["notice"]["table"]
    is_problem(house.guest().do(table, "sit", seat=1), 409, "person/play-chips")
    assert nell.do(table, "sit", seat=1).status == 200
    watching = floor.stream("/api/floor/events", after=0)
    assert nell.do(table, "bet", seat=1, wagers={"ante": 500}).status == 200
    while nell.view(table)["due"]:
        assert nell.do(table, "raise", seat=1, times=3).status == 200
    assert watching.until(b'"raise-placed"')
    watching.close()

    # Barred people cannot sit, and lose no seat that they hold.
    surveillance = staff("eye", "surveillance")
    barring = {"key": "b", "command": {"action": "bar", "barred": True, "why": "counting"}}
    assert surveillance("POST", "/api/people/nell", barring).json["person"]["player"]["barred"]
    assert nell.do(table, "leave").status == 200
    is_problem(nell.do(table, "sit", seat=2), 403, "person/barred")

    # Roles are in force at once.
    roles = {"key": "r", "command": {"action": "set-roles", "roles": ["guest"], "why": "left"}}
    assert admin("POST", "/api/people/cage", roles).json["person"]["roles"] == ["guest"]
    is_problem(cage("GET", "/api/people/nell"), 403, "role/not-yours")
    settings = {"key": "z", "name": "timezone", "value": "America/Chicago", "why": "we are there"}
    changed = conforms(admin("POST", "/api/settings", settings), "POST", "/api/settings")
    assert changed["timezone"] == "America/Chicago"
    is_problem(
        admin("POST", "/api/settings", {**settings, "value": "UTC"}), 409, "command/key-reused"
    )
    bad = admin("POST", "/api/settings", {**settings, "key": "y", "value": "Nowhere/At-All"})
    is_problem(bad, 400, "body/unreadable")
    nobody = admin("POST", "/api/settings", {**settings, "key": "x", "name": "no-such"})
    is_problem(nobody, 400, "body/unreadable")
    chips = {**settings, "key": "z", "name": "guest-play-chips", "value": "many"}
    unpaid = admin("POST", "/api/settings", chips)
    is_problem(unpaid, 400, "body/unreadable")
    assert unpaid.json["place"] == "value"

    # An administrator gives a lost password anew, and every session ends.
    password = {
        "key": "p",
        "command": {"action": "set-password", "password": "for-once-only", "why": "lost"},
    }
    assert admin("POST", "/api/people/nell", password).status == 200
    is_problem(nell("GET", "/api/me"), 401, "session/none")
    # Repeated after nell has set her own, it does not take it from her.
    assert house.caller()("POST", "/api/password", change).status == 204
    assert admin("POST", "/api/people/nell", password).status == 200
    house.caller().login("nell", PASSWORD)


def is_shown_papers(nell: Caller, cage: Caller, floor: Caller, table: str) -> None:
    """R57: the payoff waits for its form, which is a record and a page of PDF then."""
    assert (nell.view(table)["phase"], nell.view(table)["papers"]) == ("settling", [1])
    is_problem(nell("GET", "/api/papers"), 403, "role/not-yours")
    [due] = conforms(cage("GET", "/api/papers"), "GET", "/api/papers")["due"]
    assert (due["seat"], due["person"], due["forms"][0]["form"]) == (1, "nell", "W-2G")
    assert due["waits_for"] == "papers, for form W-2G"
    payee = {"name": "Nell (N.) Winner", "address": "1 Main Street", "tin": "123-45-6789"}
    asked: dict[str, Any] = {"seat": 1, "payee": {**payee, "proofs": ["passport 1"]}}
    is_problem(nell.do(table, "complete-form", **asked), 403, "role/not-yours")
    is_problem(cage.do(table, "complete-form", **asked), 409, "form/proofs")
    wrong = {**payee, "proofs": ["passport 1"], "tin": "12"}
    is_problem(cage.do(table, "complete-form", seat=1, payee=wrong), 400, "body/unreadable")
    asked["payee"]["proofs"] = ["passport 1", "licence 2"]
    done = conforms(cage.do(table, "complete-form", **asked), "POST", "/api/tables/{table}")
    assert "Main Street" not in json.dumps(done), "what papers say is sent to nobody"
    found = conforms(floor("GET", "/api/papers"), "GET", "/api/papers")
    [form] = found["forms"]
    assert (found["due"], form["number_ends"], form["withheld_cents"]) == ([], "6789", 600_000)
    path = f"/api/forms/{form['id']}"
    is_problem(nell("GET", path), 403, "role/not-yours")
    is_problem(cage("GET", f"{path}0"), 404, "form/unknown")
    written = floor("GET", path)
    assert (written.status, written.headers["content-type"]) == (200, "application/pdf")
    [words] = pages_of(written.raw)
    assert "1 Reportable winnings 25,000.00" in words
    assert "4 Federal income tax withheld 6,000.00" in words
    assert all(each in words for each in ("Nell (N.) Winner", "123-45-6789", "licence 2"))


def test_a_payoff_waits_for_those_who_approve_it(tmp_path: Path) -> None:
    with thread(tmp_path, deck=rigged("As Ks Qs Js Ts")) as house:
        admin = house.caller()
        first = {"name": "admin", "password": house.secret, "new": PASSWORD}
        assert admin("POST", "/api/password", first).status == 204
        staff = Staff(house, admin.login("admin", PASSWORD))
        nell, cage = staff("nell", "player"), staff("cage", "cage")
        floor, eye = staff("floor", "floor-supervisor"), staff("eye", "surveillance")
        selling = {
            "key": "s",
            "command": {"action": "sell-chips", "cents": 100_000, "why": "at the window"},
        }
        assert cage("POST", "/api/people/nell", selling).status == 200
        table = floor.open("diamond-jo-worth/cajun-stud", practice=False)
        assert nell.do(table, "sit", seat=1).status == 200
        assert nell.do(table, "bet", seat=1, wagers={"ante": 500}).status == 200
        while nell.view(table)["due"]:
            assert nell.do(table, "raise", seat=1, times=3).status == 200
        view = nell.view(table)
        assert view["phase"] == "settling"
        assert len(view["approvals"]["1"]) == 2
        assert nell("GET", "/api/me").json["chips_cents"] < 100_000

        def approve(who: Caller, role: str) -> Answer:
            return who.do(table, "approve-payoff", seat=1, role=role)

        is_problem(approve(nell, "floor-supervisor"), 403, "role/not-yours")
        is_problem(approve(cage, "floor-supervisor"), 403, "role/not-yours")
        is_problem(approve(floor, "surveillance"), 403, "role/not-yours")
        is_problem(approve(admin, "floor-supervisor"), 403, "role/not-yours")
        conforms(approve(floor, "floor-supervisor"), "POST", "/api/tables/{table}")
        is_problem(approve(floor, "floor-supervisor"), 409, "approval/not-needed")
        assert len(nell.view(table)["approvals"]["1"]) == 1
        assert approve(eye, "surveillance").status == 200
        is_shown_papers(nell, cage, floor, table)
        assert nell.view(table)["phase"] == "betting"
        me = nell("GET", "/api/me").json
        assert me["chips_cents"] > 100_000
        events = [
            event
            for notice in eye("GET", f"/api/rounds/{table}-1").json["notices"]
            for event in notice["events"]
        ]
        given = [(e["role"], e["person"]) for e in events if e["event"] == "payoff-approved"]
        assert given == [("floor-supervisor", "floor"), ("surveillance", "eye")]


def test_who_did_what_when_and_why_is_in_the_journal(staff: Staff, rows: Any) -> None:
    staff("logged", "player")
    body = {"key": "w", "command": {"action": "bar", "barred": True, "why": "card counting"}}
    eye = staff("eye", "surveillance")
    eye("POST", "/api/people/logged", body)
    actor, at, text = rows.execute(
        "SELECT actor, at, body FROM journal WHERE stream = 'person:logged' ORDER BY seq DESC"
    ).fetchone()
    assert actor == "eye"
    assert at > 1_700_000_000_000
    assert json.loads(text)["events"][0] == {
        "event": "barred",
        "barred": True,
        "why": "card counting",
    }
    assert PASSWORD not in text


def test_the_small_client_does_all_this_too(house: Visited) -> None:
    async def visit() -> None:
        async with Client(house.address) as client:
            await client.enter()
            table = await client.open_table("common/mississippi-stud", practice=True)
            done = await client.do(table, {"action": "sit", "seat": 3}, key="same")
            again = await client.do(table, {"action": "sit", "seat": 3}, key="same")
            assert (done["again"], again["again"]) == (False, True)
            assert done["notice"] == again["notice"]
            async for number, notice in client.events(f"/api/tables/{table}/events", after=0):
                assert number == notice["seq"]
                if number == 2:
                    break

    run(visit())
