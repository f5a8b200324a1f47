"""Pages that are loaded again, browsers that come back, and connections that are lost."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import pytest

from tests.browser.player import Player, journal, see
from tests.browser.visitors import Site, Visitors

if TYPE_CHECKING:  # loaded only where there is a browser
    from playwright.sync_api import Route

DECK = "2c 7d 9h  Ks Kd"


class Cable:
    """What browsers reach the house through; it can be pulled out, and put in again."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._house = (str(parts.hostname), parts.port or 80)
        self._door = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._door.getsockname()[1]}"
        self._open: list[socket.socket] = []
        self._in = True
        self._lock = threading.Lock()
        threading.Thread(target=self._accept, name="cable", daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._door.accept()
                with self._lock:
                    if not self._in:
                        near.close()
                        continue
                    far = socket.create_connection(self._house)
                    self._open += (near, far)
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=ends, daemon=True).start()

    @staticmethod
    def _carry(source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while piece := source.recv(65536):
                target.sendall(piece)
        for each in (source, target):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def pull(self) -> None:
        """Lose every connection, and take no other."""
        with self._lock:
            self._in = False
            for each in self._open:
                with contextlib.suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
                each.close()
            self._open.clear()

    def put_in(self) -> None:
        """Let everybody through again."""
        self._in = True

    def close(self) -> None:
        """Put it away."""
        self.pull()
        self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()


@pytest.fixture
def cable(site: Site) -> Iterator[Cable]:
    """The only way to the house for every browser of the test."""
    found = Cable(site.address)
    site.address = found.address
    yield found
    found.close()


LOST = "ERR_(CONNECTION|EMPTY|INCOMPLETE|SOCKET)"
"""What a browser complains of when there is nobody at the other end."""


# Loaded again -------------------------------------------------------------------------------------


def test_a_page_loaded_again_in_mid_round_is_the_same(site: Site, new_person: Visitors) -> None:
    site.stack(DECK)
    ann = Player(new_person())
    ann.sit_down("Common rules", bots=0)
    ann.bet(ante=10, three_card_bonus=5)
    ann.decide("raise:2")
    ann.asked()
    before = ann.state()
    assert before["cards"][:3] == ["2c", "back", "back"]
    raises = ["raise:1", "raise:2", "raise:3"]  # at the spot, and in the dock
    assert [each for each in before["buttons"] if ":" in each] == raises + raises
    ann.page.reload()
    ann.asked()
    assert ann.state() == before

    # The same browser, closed and opened again.
    cookies = ann.visitor.context.cookies()
    ann.visitor.context.close()
    again = Player(new_person())
    again.visitor.context.add_cookies(cast(Any, cookies))  # as they came out, they go in
    again.page.goto("/")
    again.page.get_by_role("link", name="Back to the table").click()
    again.asked()
    assert again.state() == before
    again.decide("raise:1", "raise:1")
    see(again.page.locator(".yours .net")).to_have_text("+$45")  # 50 dollars doubled, less 5
    see(again.balance).to_have_text("$1,045")


# Lost ---------------------------------------------------------------------------------------------


def test_a_lost_connection_is_told_and_the_page_catches_up(
    site: Site, cable: Cable, new_person: Visitors
) -> None:
    site.stack(f"{DECK} 4s 4c")
    ann = Player(new_person())
    ann.visitor.forgive(LOST)
    table = ann.sit_down("Common rules", bots=0)
    bob = site.visited.guest()  # he has a way of his own
    assert bob("POST", "/api/invitations", site.invitation(table)).status == 200
    bob.do(table, "sit", seat=5)
    bob.do(table, "bet", seat=5, wagers={"ante": 5_00})
    ann.bet(ante=10)
    ann.decide("raise:1")
    see(ann.status).to_contain_text("Waiting for Guest")
    ann.page.evaluate("window.same = true")
    lost = ann.page.locator("#lost")
    see(lost).to_be_hidden()

    cable.pull()
    see(lost).to_be_visible()
    assert bob.do(table, "raise", seat=5, times=1).status == 200
    see(ann.status).to_contain_text("Waiting for Guest")
    cable.put_in()
    see(ann.status).to_contain_text("It is your decision.")
    see(lost).to_be_hidden()
    assert ann.piles() == ["2c", "back", "back"]
    assert ann.page.evaluate("window.same")  # nobody had to load it again


@pytest.mark.parametrize("how", ["pulled", "offline"])
def test_a_decision_made_while_the_connection_is_lost_is_done_once(
    site: Site, cable: Cable, new_person: Visitors, how: str
) -> None:
    site.stack(DECK)
    ann = Player(new_person())
    ann.visitor.forgive(f"{LOST}|ERR_INTERNET_DISCONNECTED")
    table = ann.sit_down("Common rules", bots=0)
    ann.bet(ante=10)
    ann.ready()
    if how == "pulled":
        cable.pull()
    else:
        ann.visitor.context.set_offline(True)
    ann.choice("raise:1").click()
    see(ann.page.locator("#lost")).to_be_visible()
    ann.choice("raise:3").click()  # what was decided first is what counts
    see(ann.balance).to_have_text("$990")
    cable.put_in()
    ann.visitor.context.set_offline(False)
    see(ann.balance).to_have_text("$980")
    see(ann.page.locator("#lost")).to_be_hidden()
    ann.decide("raise:1", "raise:1")
    see(ann.balance).to_have_text("$1,040")  # a pair of kings: 40 dollars are doubled
    assert journal(site, table).count("raise-placed") == 3


def test_a_decision_whose_answer_is_lost_is_done_once(site: Site, new_person: Visitors) -> None:
    site.stack(DECK)
    ann = Player(new_person())
    table = ann.sit_down("Common rules", bots=0)
    ann.bet(ante=10)
    ann.ready()
    sent: list[str] = []

    def lose(route: "Route") -> None:
        """Let the first form through, and lose what is answered."""
        if route.request.method != "POST":
            route.continue_()
            return
        sent.append(route.request.post_data or "")
        if len(sent) == 1:
            assert route.fetch().ok
            route.abort()
        else:
            route.continue_()

    ann.visitor.forgive("ERR_FAILED")
    ann.page.route(f"**/tables/{table}", lose)
    ann.choice("raise:2").click()
    see(ann.balance).to_have_text("$970")
    see(ann.page.locator("#lost")).to_be_hidden()
    assert len(sent) == 2
    assert sent[0] == sent[1]
    see(ann.wrong).to_have_count(0)
    assert ann.piles() == ["2c", "back", "back"]
    assert journal(site, table).count("raise-placed") == 1
