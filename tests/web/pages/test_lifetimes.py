"""All that somebody ever played: counted bit by bit, and anew where something was put right."""

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.house.replay import past, played, put_right, rounds_played
from pitboss.house.storage.store import Store
from pitboss.maths.luck import Parts
from pitboss.web.pages.history import luck
from pitboss.web.pages.lifetimes import Chips, Lifetime, Lifetimes, count
from tests.house.evening import PLAYERS, play_a_little
from tests.web.open_house import rigged, thread
from tests.web.pages.test_currency import Browser


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    path = tmp_path_factory.mktemp("played") / "house.db"
    asyncio.run(play_a_little(str(path)))
    found = Store(str(path))
    yield found
    found.close(1.0)


def whole(store: Store, person: str) -> dict[Chips, Parts]:
    """All rounds of somebody in any order, added up at once."""
    names = [each.round for each in played(store, person, most=1_000)]
    random.Random(person).shuffle(names)
    sums: dict[Chips, Parts] = {}
    for name in names:
        seen = past(store, name, person)
        taken = luck(seen)
        assert taken is not None
        chips = (seen.book.currency, seen.practice)
        sums[chips] = sums.get(chips, Parts()) + taken.parts
    return sums


def test_bit_by_bit_it_comes_to_what_it_is_at_once(store: Store) -> None:
    for person in PLAYERS:
        found, looks = Lifetime(), 0
        while not looks or not found.whole:
            before = found.counted
            count(store, person, found, 1e-9)
            assert found.counted <= before + 1, "no longer than there is time for"
            looks += 1
            assert looks < 1_000
        assert found.counted == rounds_played(store, person) > 0
        assert found.parts == whole(store, person)
        count(store, person, found, 60.0)
        assert found.parts == whole(store, person), "nothing is counted twice"


def test_what_was_put_right_or_came_late_is_counted_anew(store: Store) -> None:
    person = next(iter(PLAYERS))
    right = whole(store, person)
    for wrong in (
        Lifetime(parts={("USD", False): Parts(rounds=9)}, counted=1, key="", put_right=(-1, 0)),
        Lifetime(parts={}, counted=0, key="9", put_right=put_right(store)),
    ):
        count(store, person, wrong, 60.0)
        assert wrong.whole
        assert wrong.parts == right


def test_the_page_says_how_far_it_is_and_goes_on_by_itself(tmp_path: Path, where: str) -> None:
    with thread(tmp_path, deck=rigged("6c 6d Kh Ks Kd"), where=where) as found:
        browser = Browser(found.address)
        browser.go("/")
        browser.send('value="common/mississippi-stud"', bots="0")
        for _ in range(3):
            browser.send('id="bet"', **{"wager-ante": "5"})
            browser.send('id="decide"', do="fold", confirmed="yes")
        assert found.web is not None
        lives = found.web.kept(Lifetimes)
        assert "of 3 rounds are counted" not in browser.go("/rounds")
        [(person, life)] = lives._known.items()
        assert life.whole
        life.counted, life.key, life.parts = 1, "", {}
        lives._waiting.add(person)  # as if it were being counted
        assert "1 of 3 rounds are counted so far" in " ".join(browser.go("/rounds").split())
        lives._waiting.clear()
        page = browser.go("/rounds")
        assert "are counted so far" not in page
        assert life.counted == 3
