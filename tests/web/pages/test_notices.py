"""A notice is shown wherever its book says: the helpline on every page of its game."""

import re
from pathlib import Path

from tests.helpers import BOOKS, DIAMOND_JO, HOLLYWOOD, SENECA
from tests.web.open_house import rigged, thread
from tests.web.pages.test_currency import Browser

HELPLINE = "1-800-GAMBLER"


def small_print(page: str) -> list[str]:
    return re.findall(r'<p class="notice">([^<]*)</p>', page)


def test_w13_r68__the_helpline_is_in_lobby_table_receipt_replay_and_list_of_rounds(
    tmp_path: Path,
) -> None:
    with thread(tmp_path, deck=rigged("2c 3d 4c 5h 6c 6d")) as found:
        browser = Browser(found.address)
        lobby = browser.go("/")
        wanted = [words for book in BOOKS for words in book.notices("lobby")]
        assert sorted(small_print(lobby)) == sorted(wanted)
        assert {*HOLLYWOOD.notices("lobby"), *DIAMOND_JO.notices("lobby")} <= {*wanted}
        card = next(part for part in lobby.split('<li class="game') if HOLLYWOOD.house in part)
        assert HELPLINE in card.partition("</li>\n<li")[0]
        assert HELPLINE not in browser.go("/rounds"), "no round of this house yet"
        browser.go("/")
        browser.send(f'value="{HOLLYWOOD.id}"', bots="0")
        assert HELPLINE in browser.page
        browser.send('id="bet"', **{"wager-ante": "5"})
        browser.send('id="decide"', do="fold", confirmed="yes")
        receipt = browser.page.partition('<details class="receipt"')[2].partition("</details>")[0]
        assert [HELPLINE in words for words in small_print(receipt)] == [True]
        assert [HELPLINE in words for words in small_print(browser.go("/rounds"))] == [True]
        (replay,) = set(re.findall(r'class="button" href="(/rounds/[^"?/]+)"', browser.page))
        assert [HELPLINE in words for words in small_print(browser.go(replay))] == [True]
        # At its end the receipt is there, and has it as well.
        last = max(map(int, re.findall(r"\?step=(\d+)", browser.page)))
        ended = browser.go(f"{replay}?step={last}")
        assert [HELPLINE in words for words in small_print(ended)] == [True, True]


def test_l_1_c_irregularities__players_are_told_at_the_table_what_they_may_not_speak_of(
    tmp_path: Path,
) -> None:
    with thread(tmp_path) as found:
        for book, clause in ((DIAMOND_JO, "L.1.c"), (SENECA, "irregularities")):
            [words] = [each.text for each in book.notice if each.clause == clause]
            browser = Browser(found.address)
            browser.go("/")
            browser.send(f'value="{book.id}"', bots="0")
            assert f"<p>{words}</p>" in browser.page
