"""The games that came as files, each played for a round in a browser: money worked out by hand."""

from typing import NamedTuple

import pytest

from tests.browser.geometry import at_width
from tests.browser.player import By, Player, see
from tests.browser.scenes import Play, Scene
from tests.browser.visitors import Site, Visitors


class Round(NamedTuple):
    """A round with $25 on the first wager and $5 on a side wager, and what it wins."""

    play: Play
    side: str
    decisions: tuple[str, ...]
    won: str


def of(
    game: str, mine: str, decisions: str, won: str, side: str = "", **piles: str
) -> tuple[str, Round]:
    play = Play(f"common/{game}", {}, mine, piles, ())
    return game, Round(play, side, tuple(decisions.split()), won)


ROUNDS = dict(
    (
        # The first bet is taken back; tens pay even money on the two others.
        of("let-it-ride", "Ts Td 4c", "take-back check", "+$50", board="3h 7s"),
        # Jack high does not qualify: the Ante 1 to 1, 5 to 1 beside it, Pair Plus 40 to 1.
        of("three-card-poker", "Qs Js Ts", "raise:1", "+$350", "pair-plus", dealer="Jd 9h 4s"),
        # A royal flush: Ante 25, Blind 500 to 1, Play 100, Trips 50 to 1.
        of(
            "ultimate-texas-holdem",
            "Ah Kh",
            "raise:4",
            "+$12,875",
            "trips",
            dealer="Qs 9c",
            board="Qh Jh Th 3s 4d",
        ),
        # Aces against fours, which qualify: Ante 25, Call 50, aces with the flop 7 to 1.
        of(
            "casino-holdem",
            "As Ks",
            "raise:2",
            "+$110",
            "aa-bonus",
            dealer="4c 4d",
            flop="Ah 7d 2c",
            **{"turn-and-river": "9h 3s"},
        ),
        # A pair wins no Ante, which goes back: 50 on the flop, 25 on the river.
        of(
            "texas-holdem-bonus",
            "As Ks",
            "raise:2 check raise:1",
            "+$75",
            dealer="4c 4d",
            board="Ah 7d 2c 9h 3s",
        ),
        # Three aces: Ante 25, Play 75, 2 to 1 beside the Ante, Aces Up 8 to 1.
        of(
            "four-card-poker",
            "As Ac Ad 7h 2s",
            "raise:3",
            "+$190",
            "aces-up",
            dealer="Kd Ks 9c 8h 5d 3c",
        ),
        # Aces may raise three times; queen high does not qualify, and Play alone is paid.
        of("crazy-4-poker", "Ac Ad 7h 5s 2c", "raise:3", "+$75", dealer="Qd Js 8c 6d 2h"),
        # Five hearts may raise twice: Ante 25, Raise 50, Flush 10 to 1.
        of(
            "high-card-flush",
            "Ah Kh Qh Jh 9h 2c 3d",
            "raise:2",
            "+$125",
            "flush",
            dealer="As 9s 4s 2d 5d 8c 6c",
        ),
    )
)


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
@pytest.mark.parametrize("size", [(360, 740), (1440, 900)])
@pytest.mark.parametrize("game", ROUNDS)
def test_a_round_of_each(
    site: Site, new_person: Visitors, game: str, by: By, size: tuple[int, int]
) -> None:
    wanted, ann = ROUNDS[game], new_person()
    scene = Scene(site, ann, wanted.play, bots=0)
    page, player = scene.look(), Player(ann, by)
    at_width(page, *size)
    player.tool("clear")
    player.put(25, scene.book.ante.name)
    if wanted.side:
        player.put(5, wanted.side)
    scene.stack()
    player.deal()
    player.decide(*wanted.decisions)
    see(page.locator(".outcome .net")).to_contain_text(wanted.won)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
