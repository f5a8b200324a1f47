"""The games that came as files, at live tables: each page of each is made, one round is played by
forms alone, and its money is worked out by hand."""

import re
from pathlib import Path

import pytest

from pitboss.rulebook import load
from tests.helpers import MORE_BOOKS
from tests.round.more_playthroughs import PLAYTHROUGHS
from tests.web.open_house import rigged, thread
from tests.web.pages.test_currency import Browser

ROUNDS = {
    # Ante, Blind and Play of $5, $5 and $20 on a royal flush: 5 + 500 x 5 + 20.
    "common/ultimate-texas-holdem": (
        "Ah Qs Kh 9c Qh Jh Th 3s 4d",
        {"wager-ante": "5"},
        ["raise:4"],
        2_525_00,
    ),
    # The dealer has jack high: the Ante is paid, Play goes back, 5 to 1 beside the Ante, Pair Plus.
    "common/three-card-poker": (
        "Qs Js Ts Jd 9h 4s",
        {"wager-ante": "5", "wager-pair-plus": "5"},
        ["raise:1"],
        5_00 + 25_00 + 200_00,
    ),
    # Bet 1 is taken back; a pair of tens pays even money on the other two.
    "common/let-it-ride": ("Ts Td 4c 3h 7s", {"wager-bet-3": "5"}, ["take-back", "check"], 10_00),
    # Aces raise three times; queen high does not qualify: Play is paid, the others go back.
    "common/crazy-4-poker": (
        "Ac Ad 7h 5s 2c Qd Js 8c 6d 2h",
        {"wager-ante": "5"},
        ["raise:3"],
        15_00,
    ),
    # Aces beat fours, which qualify: the Ante, the Call, and 7 to 1 for aces with the flop.
    "common/casino-holdem": (
        "As 4c Ks 4d Ah 7d 2c 9h 3s",
        {"wager-ante": "5", "wager-aa-bonus": "5"},
        ["raise:2"],
        5_00 + 10_00 + 35_00,
    ),
    # A pair wins no Ante: Flop, River, and 25 to 1 for ace-king suited.
    "common/texas-holdem-bonus": (
        "As 4c Ks 4d Ah 7d 2c 9h 3s",
        {"wager-ante": "5", "wager-bonus": "5"},
        ["raise:2", "check", "raise:1"],
        10_00 + 5_00 + 125_00,
    ),
    # Three aces: the Ante, Play, 2 to 1 beside the Ante, Aces Up 8 to 1.
    "common/four-card-poker": (
        "As Ac Ad 7h 2s Kd Ks 9c 8h 5d 3c",
        {"wager-ante": "5", "wager-aces-up": "5"},
        ["raise:3"],
        5_00 + 15_00 + 10_00 + 40_00,
    ),
    # Five hearts beat three spades: the Ante, the Raise, Flush 10 to 1.
    "common/high-card-flush": (
        "Ah As Kh 9s Qh 4s Jh 2d 9h 5d 2c 8c 3d 6c",
        {"wager-ante": "5", "wager-flush": "5"},
        ["raise:2"],
        5_00 + 10_00 + 50_00,
    ),
}


def balance(page: str) -> str:
    found: str = re.findall(r'id="balance">(.*?)<', page)[0]
    return found


@pytest.mark.parametrize("name", ROUNDS)
def test_a_win_that_is_shown_is_credited(name: str, quick_path: Path) -> None:
    """A round by forms alone: others have shown a win, and left the balance as it was."""
    deck, bet, decisions, won = ROUNDS[name]
    with thread(quick_path, deck=rigged(deck)) as house:
        ann = Browser(house.address)
        ann.go("/")
        ann.send(f'value="{name}"', bots="0")
        assert balance(ann.page) == "$1,000"
        if load(name).equal[1:]:
            assert f"as {load(name).ante.title}</small>" in ann.page
        ann.send('id="bet"', **bet)
        for decision in decisions:
            assert 'id="decide"' in ann.page
            ann.send('id="decide"', do=decision)
        assert f"+{load(name).money(won)}" in ann.page
        assert 'class="receipt"' in ann.page
        assert balance(ann.page) == load(name).money(1000_00 + won)


def test_every_book_has_a_table_and_a_rule_card(quick_path: Path) -> None:
    assert {book.id for book in MORE_BOOKS} == set(PLAYTHROUGHS)
    with thread(quick_path) as house:
        for book in MORE_BOOKS:
            ann = Browser(house.address)  # a guest has one table
            ann.go("/")
            ann.send(f'value="{book.id}"', bots="0")
            assert f'for="wager-{book.ante.name}"' in ann.page
            assert book.qualifier is None or "dealer" in ann.go(f"/rules/{book.id}")


def test_awards_to_others_are_told_where_pay_tables_are(tmp_path: Path) -> None:
    book = load("common/caribbean-stud-envy")
    awards = {book.money(row.others) for table in book.table for row in table.rows if row.others}
    with thread(tmp_path) as visited:
        ann = Browser(visited.address)
        ann.go("/")
        ann.send(f'value="{book.id}"')
        assert awards
        for each in awards:
            assert f"; {each} to everybody else with it" in ann.page
