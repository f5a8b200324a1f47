"""What the pages and the API make of rulebooks that do not come with the program."""

from pathlib import Path

from pitboss.house.clock import utc_now
from pitboss.house.rulebook_shelf import adopt
from pitboss.house.storage.store import Store
from pitboss.rulebook import ids
from tests.house.shelves import BETTER, EURO, MY_HOUSE, UNSOLVED, book
from tests.web.open_house import Caller, thread


def card(who: Caller, name: str, query: str = "") -> str:
    answer = who("GET", f"/rules/{name}{query}")
    assert answer.status == 200, answer
    return answer.raw.decode()


def test_lobby_and_rule_cards_take_what_is_on_the_shelf(quick_path: Path) -> None:
    ours, better = book(MY_HOUSE), book(BETTER)
    store = Store(str(quick_path / "thread.db"))
    for each in (ours, better, book(EURO), book(UNSOLVED)):
        adopt(store, each, at=utc_now())
    store.close()
    with thread(quick_path) as house:
        ann = house.guest()
        listed = {each["id"]: each["sha256"] for each in ann("GET", "/api/rulebooks").json}
        assert listed["my-house/stud"] == better.sha256
        assert len(listed) == len(ids()) + 3
        games = ann("GET", "/").raw.decode().split('<li class="game">')
        (unsolved,) = (each for each in games if "New game" in each)
        assert "Not priced: this kind of game is not solved yet." in unsolved
        assert "<select" not in unsolved
        (euro,) = (each for each in games if "Casino am See" in each)
        assert "House edge" in euro
        assert "euro" in card(ann, "casino-am-see/stud")
        assert "11 to 1" in card(ann, "my-house/stud")
        assert "On this house's shelf since" in card(ann, "my-house/stud").replace("&#39;", "'")
        earlier = card(ann, "my-house/stud", f"?version={ours.sha256}")
        assert "This version was replaced" in earlier
        assert "11 to 1" not in earlier
        assert "shelf since" not in card(ann, "common/mississippi-stud")
        for wrong in ("0" * 64, "%00", "x", book(EURO).sha256):
            assert ann("GET", f"/rules/my-house/stud?version={wrong}").status == 404
        # A game that is not solved is dealt all the same; a bot says why it does not play it.
        table = ann.open("new-game/stud")
        assert ann.do(table, "sit", seat=1).status == 200
        browser = {"Cookie": f"pitboss={ann.token}"}
        page = ann("GET", f"/tables/{table}", headers=browser).raw
        assert b"Get up" in page
        assert b"Add a bot" not in page
        refused = ann.do(table, "seat-bot", seat=2)
        assert (refused.status, refused.json["message"]) == (
            400,
            "the main wagers are not all on one pay table",
        )
        assert ann.do(table, "bet", seat=1, wagers={"ante": 500}).status == 200
        assert ann.do(table, "raise", seat=1, times=1).status == 200
        solved = ann.open("common/mississippi-stud")
        assert ann.do(solved, "sit", seat=1).status == 200
        assert b"Add a bot" in ann("GET", f"/tables/{solved}", headers=browser).raw
