"""``pitboss bots``: what other programs call, and what it leaves behind."""

from pitboss.audit.audit import audit
from pitboss.audit.snapshot import Snapshot
from tests.command import run
from tests.web.open_house import Visited

CALL = ("bots", "--rulebook", "common/mississippi-stud", "--tables", "2", "--seats", "3")


def tables(house: Visited) -> list[str]:
    """The open tables; those of other tests may go on meanwhile, by their clocks."""
    return [each["table"] for each in house.caller()("GET", "/api/tables").json]


def test_a_crowd_plays_and_says_what_it_did(house: Visited) -> None:
    before = tables(house)
    found = run(*CALL, "--rounds", "4", "--seed", "7", "--url", house.address, "--json").json
    assert found["rounds"] == 8
    assert found["commands"] >= 2 * 3 * (1 + 4)
    assert found["refusals"] == {}
    times = [found["latencies"][name] for name in ("p50_ms", "p95_ms", "p99_ms", "max_ms")]
    assert 0 < times[0] <= times[1] <= times[2] <= times[3]
    assert tables(house) == before, "its tables are closed again"
    with Snapshot(str(house.db)) as snapshot:
        assert not audit(snapshot).broken


def test_a_crowd_plays_best_where_wagers_are_taken_back(house: Visited) -> None:
    asked = ("--rulebook", "common/let-it-ride", "--seats", "3", "--rounds", "3")
    done = run("bots", *asked, "--url", house.address, "--json")
    assert done.code == 0, done.err
    assert (done.json["rounds"], done.json["refusals"]) == (3, {})


def test_a_crowd_in_words(house: Visited) -> None:
    done = run(*CALL, "--rounds", "1", "--url", house.address)
    assert done.code == 0, done.err
    for word in ("rounds", "commands", "latencies", "p99"):
        assert word in done.out


def test_a_crowd_that_is_turned_away_says_why(house: Visited) -> None:
    for wrong, says in (
        (("--seats", "9"), "7 seats"),
        (("--strategy", "luck"), "there are best"),
        (("--url", "nowhere"), "http://127.0.0.1:8000"),
    ):
        done = run(*CALL, "--url", house.address, *wrong)
        assert done.code in (1, 2)
        assert says in done.err
        assert done.err.count("\n") == 1
