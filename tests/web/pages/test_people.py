"""People's pages: the API's own commands behind forms, on both kinds of database."""

import re
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest

from pitboss.house.people import permissions
from pitboss.house.sessions import csrf
from pitboss.house.storage.projections import PEOPLE_LISTED
from pitboss.web.pages import people
from tests.web.conftest import PASSWORD, Staff, administrator
from tests.web.open_house import Answer, Caller, Visited, thread

SECRET = re.compile(r"<code>([^<]+)</code>")


@pytest.fixture
def house(quick_path: Path, where: str) -> Iterator[Visited]:
    with thread(quick_path, where=where) as found:
        yield found


@pytest.fixture
def staff(house: Visited) -> Staff:
    return Staff(house, administrator(house))


def see(who: Caller, path: str) -> Answer:
    return who("GET", path, headers={"Authorization": "", "Cookie": f"pitboss={who.token}"})


def send(who: Caller, path: str, **form: str) -> Answer:
    """Send a form as a browser does, with a key of its own unless one is given."""
    fields = {"csrf": csrf(who.token), "key": who.key(), "why": "for a test", **form}
    cookie = {"Authorization": "", "Cookie": f"pitboss={who.token}"}
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    return who("POST", path, urlencode(fields).encode(), {**cookie, **kind})


def words(answer: Answer) -> str:
    return re.sub(r"\s+", " ", answer.raw.decode())


def roles_of(admin: Caller, name: str) -> list[str]:
    found: list[str] = admin("GET", f"/api/people/{name}").json["person"]["roles"]
    return found


def test_an_account_its_secret_its_roles_and_its_end(house: Visited, staff: Staff) -> None:
    admin = staff.admin
    made = send(admin, "/people", key="m", name="Nell", **{"role-dealer": "yes"})
    assert made.status == 200
    (secret,) = SECRET.findall(words(made))
    assert made.headers["cache-control"] == "no-store"

    # Shown this once: the same form again makes nothing, and neither page nor record has it.
    again = send(admin, "/people", key="m", name="Nell", **{"role-dealer": "yes"})
    assert (again.status, "shown then" in words(again)) == (409, True)
    assert secret not in words(see(admin, "/people/nell"))
    assert secret not in house.db.read_text("latin-1") if house.db.exists() else True

    nell = house.caller()
    new = {"name": "nell", "password": secret, "new": PASSWORD}
    assert nell("POST", "/api/password", new).status == 204
    nell.login("nell", PASSWORD)
    assert nell("GET", "/api/me").status == 200
    assert "Signed in</dt><dd>once" in words(see(admin, "/people/nell"))
    gone = send(admin, "/people/nell", do="end-sessions")
    assert (gone.status, gone.headers["location"]) == (303, "/people/nell?done=end-sessions")
    assert nell("GET", "/api/me").status == 401
    assert "Signed in</dt><dd>nowhere" in words(see(admin, gone.headers["location"]))
    nell.login("nell", PASSWORD)  # the password stayed

    changed = send(admin, "/people/nell", do="set-roles", **{"role-cage": "yes"})
    assert changed.status == 303
    assert roles_of(admin, "nell") == ["cage"]
    other = send(admin, "/people/nell", do="set-password", key="once")
    (secret,) = SECRET.findall(words(other))
    assert nell("GET", "/api/me").status == 401
    assert nell("POST", "/api/password", {**new, "password": secret}).status == 204
    assert send(admin, "/people/nell", do="set-password", key="once").status == 409


def test_whoever_may_bars_and_identifies_and_nobody_else(staff: Staff) -> None:
    staff("nell", "player")
    cage, eye, admin = staff("cay", "cage"), staff("sue", "surveillance"), staff.admin
    papers = {"do": "identify", "residence": "foreign", "identified": "yes"}
    assert send(cage, "/people/nell", **papers).status == 303
    assert send(eye, "/people/nell", do="bar", barred="yes").status == 303
    shown = words(see(eye, "/people/nell"))
    assert "papers shown" not in shown
    assert "Papers</dt><dd>shown, taxpayer's number not given, lives abroad" in shown.replace(
        "&#39;", "'"
    )
    assert 'class="barred">barred' in shown
    assert "Let them back" in shown
    assert send(admin, "/people/nell", do="bar", barred="no").status == 303
    assert send(admin, "/people/nell", **papers).status == 303
    for who, form in ((eye, papers), (cage, {"do": "bar", "barred": "yes"})):
        refused = send(who, "/people/nell", **form)
        assert refused.status == 403
        assert "is done by" in words(refused)
    for who, kept in ((eye, {"bar"}), (cage, {"identify"}), (admin, {"set-roles", "set-password"})):
        forms = set(re.findall(r'name="do" value="([a-z-]+)"', words(see(who, "/people/nell"))))
        assert kept <= forms
        assert all(permissions.may(frozenset({"cage"}), act) for act in forms) or who is not cage
    for stranger in (staff("dan", "dealer"), staff.house.guest()):
        assert see(stranger, "/people").status == 403
        assert see(stranger, "/people/nell").status == 403
    assert see(staff.house.caller(), "/people").headers["location"] == "/sign-in"


def test_a_form_that_cannot_be_done_says_why_at_its_place_and_changes_nothing(staff: Staff) -> None:
    admin = staff.admin
    staff("nell", "player")
    bad = (
        ("/people", {"name": "x"}, 400, "amiss-name", "2 to 30 small letters"),
        ("/people", {"name": "guest-7"}, 400, "amiss-name", "house's own"),
        ("/people", {"name": "roles"}, 400, "amiss-name", "house's own"),
        ("/people", {"name": "nell"}, 409, "amiss-name", "is taken"),
        ("/people", {"name": "new", "why": ""}, 400, "amissadd-why", "say why"),
        ("/people/nell", {"do": "set-roles", "why": " "}, 400, "amissset-roles-why", "say why"),
        ("/people/nell", {"do": "bar", "barred": "yes", "why": "x" * 201}, 400, "", "200 letters"),
        ("/people/nell", {"do": "sell-chips"}, 400, "", "nothing that is done here"),
        ("/people/nobody-here", {"do": "set-roles"}, 404, "", "nobody called"),
    )
    for path, form, status, place, says in bad:
        answer = send(admin, path, **form)
        said = words(answer).replace("&#39;", "'").replace("Say why", "say why")
        assert (answer.status, says in said, f'id="{place}"' in said or not place) == (
            status,
            True,
            True,
        ), (path, form, answer.status)
        assert "<code>" not in said
    cage = staff("cay", "cage")
    assert send(cage, "/people/nell", do="identify", residence="mars").status == 400
    assert roles_of(admin, "nell") == ["player"]
    assert send(admin, "/people/nell", do="set-roles", csrf="stolen").status == 403
    assert see(admin, "/people?q=%25").status == 400


def test_what_is_asked_with_yes_or_no_is_answered_with_neither_silence_nor_a_guess(
    staff: Staff,
) -> None:
    """A page that sent nothing, or anything else, let somebody back who was barred."""
    admin = staff.admin
    staff("nell", "player")
    papers = {"do": "identify", "residence": "us", "identified": "yes", "tin": "yes"}
    assert send(admin, "/people/nell", **papers).status == 303
    assert send(admin, "/people/nell", do="bar", barred="yes").status == 303
    before = admin("GET", "/api/people/nell").json
    for form in (
        {"do": "bar"},
        {"do": "bar", "barred": "1"},
        {"do": "bar", "barred": "<b>"},
        {**papers, "identified": "on1"},
        {**papers, "tin": "2"},
        {"do": "set-roles", "role-cage": "perhaps"},
    ):
        refused = send(admin, "/people/nell", **form)
        assert (refused.status, "yes or no" in words(refused)) == (400, True), form
        assert admin("GET", "/api/people/nell").json == before
    assert send(admin, "/people/nell", do="set-roles", **{"role-cage": "no"}).status == 303
    assert "roles" not in admin("GET", "/api/people/nell").json["person"]
    # A box that is not ticked comes with nothing: they have shown no papers.
    assert send(admin, "/people/nell", do="identify", residence="us").status == 303
    player = admin("GET", "/api/people/nell").json["person"]["player"]
    assert not player.get("identified")
    assert not player.get("tin")


def test_a_long_list_is_paged_and_searched(staff: Staff) -> None:
    assert staff.house.web is not None
    admin = staff.admin
    for number in range(PEOPLE_LISTED):
        body = {"key": f"k{number}", "name": f"p{number:03d}", "roles": ["player"], "why": "x"}
        assert admin("POST", "/api/people", {**body, "password": "for-once-only"}).status == 200
    staff.house.guest().open()  # somebody who came by themselves is not in it

    def names(path: str) -> list[str]:
        return re.findall(r'row"><a href="/people/([a-z0-9.-]+)">', words(see(admin, path)))

    first = names("/people")
    more = re.search(r'href="(/people\?[^"]*after=[^"]*)"', words(see(admin, "/people")))
    assert more is not None
    assert [*first, *names(more[1].replace("&amp;", "&"))] == [
        "admin",
        *(f"p{number:03d}" for number in range(PEOPLE_LISTED)),
    ]
    assert names("/people?q=04") == ["p004", *(f"p04{n}" for n in range(10))]
    assert names("/people?role=administrator") == ["admin"]
    assert "Nobody of this name" in words(see(admin, "/people?q=zzz"))


def test_nobody_looks_after_their_own_record_on_a_page(staff: Staff) -> None:
    admin = staff.admin
    page = words(see(admin, "/people/admin"))
    assert "nobody looks after that themselves" in page
    assert 'name="do"' not in page
    for act in ("set-roles", "end-sessions"):
        refused = send(admin, "/people/admin", do=act, **{"role-player": "yes"})
        assert (refused.status, "nobody does this for themselves" in words(refused).lower()) == (
            403,
            True,
        )
    assert roles_of(admin, "admin") == ["administrator"]


def test_the_last_administrator_stays_when_two_dismiss_each_other_at_once(
    house: Visited, staff: Staff, quick_path: Path, where: str
) -> None:
    """Each through a server of their own, at the same instant, again and again."""
    admin, boss = staff.admin, staff("boss", "administrator")
    with thread(quick_path, where=where) as second:
        there = Caller(second.address, boss.token, "boss")
        for turn in range(8):
            ready = threading.Barrier(2)
            said: dict[str, int] = {}

            def dismiss(
                who: Caller, other: str, ready: threading.Barrier, said: dict[str, int]
            ) -> None:
                ready.wait(20)
                form = {"do": "set-roles", "role-player": "yes"}
                said[other] = send(who, f"/people/{other}", **form).status

            asks = [
                threading.Thread(target=dismiss, args=(admin, "boss", ready, said)),
                threading.Thread(target=dismiss, args=(there, "admin", ready, said)),
            ]
            for each in asks:
                each.start()
            for each in asks:
                each.join(20)
            assert sorted(said.values()) == [303, 403], (turn, said)
            gone, stays = ("boss", admin) if said["boss"] == 303 else ("admin", there)
            assert send(stays, f"/people/{gone}", do="set-roles", **{"role-administrator": "yes"})
            here = {"admin": admin, "boss": Caller(house.address, boss.token, "boss")}
            for name in here:
                assert roles_of(stays, name) == ["administrator"]


@pytest.mark.parametrize(
    ("role", "path"),
    [("administrator", "/people"), ("cage", "/people"), ("dealer", "/floor"), ("player", "/")],
)
def test_who_signs_in_is_led_to_where_they_work(staff: Staff, role: str, path: str) -> None:
    staff("nell", role)
    answer = send(staff.house.caller(), "/sign-in", name="nell", password=PASSWORD)
    assert (answer.status, answer.headers["location"]) == (303, path)


def test_the_pages_say_what_every_role_may_do_from_the_matrix(staff: Staff) -> None:
    assert set(people.ACTS) >= set(permissions.MAY), "an act without words"
    shown = re.findall(r'<tr id="([a-z-]+)">', words(see(staff.admin, "/people/roles")))
    assert shown == list(permissions.MAY)
    for role in ("cage", "floor-supervisor", "surveillance"):
        page = words(see(staff.admin, f"/people/roles?role={role}"))
        wanted = [act for act in permissions.MAY if permissions.may(frozenset({role}), act)]
        assert re.findall(r'<tr id="([a-z-]+)">', page) == wanted
    staff("cay", "cage")
    of_cage = words(see(staff.admin, "/people/cay"))
    assert "Give out chips for money at the cage." in of_cage
    assert "Call a misdeal" not in of_cage
