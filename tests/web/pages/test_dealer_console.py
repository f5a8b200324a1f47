"""The games that came as files, dealt with real cards at the console by forms alone: every step in
its words, and the money worked out by hand."""

import html
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from pitboss.rulebook import load
from pitboss.wording import TIMES
from tests.browser.dealers import RealTable
from tests.browser.forms import Forms, refused
from tests.browser.test_floor import looks, plain, signed_in
from tests.browser.visitors import open_site


class Round(NamedTuple):
    """A round with $10 on the ante of every seat, unless it says otherwise."""

    bets: tuple[dict[str, str], ...]
    """What is filled in for each seat."""
    steps: tuple[tuple[str, str], ...]
    """What the console says, and what is entered: a decision, cards, or that nobody reads them."""
    nets: list[int]
    """What each seat wins, in dollars."""


def decides(seat: int, choices: str) -> str:
    """What is said where a seat decides: 2x is two times."""
    return f"Seat {seat} decides: {choices}".replace("x", TIMES)


ONE_TO_THREE = "fold or raise 1x, 2x, 3x"

ROUNDS = {
    # Tens ride on three bets at even money, and are a pair in three cards: 30 + 5. Seat 2 takes two
    # bets back, and loses the third.
    "let-it-ride": Round(
        ({"bet-3": "10", "three-card-bonus": "5"}, {"bet-3": "10"}),
        (
            ("Deal three cards each to seats 1 and 2", "Ts 2c Td 7d 4c 9s"),
            ("Deal two cards to the board", ""),
            (decides(1, "check or take back Bet 1"), "check"),
            (decides(2, "check or take back Bet 1"), "take-back"),
            ("Turn up the first card of the board", "3h"),
            (decides(1, "check or take back Bet 2"), "check"),
            (decides(2, "check or take back Bet 2"), "take-back"),
            ("Turn up the second card of the board", "8s"),
            ("Turn up the hands of seats 2 and 1", ""),
        ),
        [30 + 5, -10],
    ),
    # Jack high does not qualify: the Ante is paid, Play goes back, 5 to 1 beside the Ante, 40 to 1
    # on Pair Plus. Seat 2 has a Pair Plus alone, a pair, and nothing to decide; seat 3 folds.
    "three-card-poker": Round(
        ({"ante": "10", "pair-plus": "5"}, {"ante": "", "pair-plus": "5"}, {"ante": "10"}),
        (
            (
                "Deal three cards each to seats 1, 2 and 3 and the dealer",
                "Qs Js Ts 7h 7d 2c 3c 5d 8h",
            ),
            ("Deal three cards to the dealer", ""),
            (decides(1, "fold or raise 1x"), "raise:1"),
            (decides(3, "fold or raise 1x"), "fold"),
            ("Turn up three cards of the dealer", "Jd 9h 4s"),
            ("Turn up the hands of seats 2 and 1", ""),
        ),
        [10 + 50 + 200, 5, -10],
    ),
    # A flush beats queens, which qualify: Ante 10, Blind 3 to 2, Play 40, Trips 7 to 1. Seat 2
    # waits to the end, and folds Ante and Blind.
    "ultimate-texas-holdem": Round(
        ({"ante": "10", "trips": "5"}, {"ante": "10"}),
        (
            ("Deal two cards each to seats 1 and 2 and the dealer", ""),
            ("Deal five cards to the board", ""),
            (decides(1, "check or raise 3x, 4x"), "raise:4"),
            (decides(2, "check or raise 3x, 4x"), "check"),
            ("Turn up three cards of the board", "Qh Jh 2h"),
            (decides(2, "check or raise 2x"), "check"),
            ("Turn up two cards of the board", "3s 4d"),
            (decides(2, "fold or raise 1x"), "fold"),
            ("Turn up two cards of the dealer", "Qs 9c"),
            ("Turn up the hand of seat 1", "Ah 9h"),
        ),
        [10 + 15 + 40 + 35, -20],
    ),
    # Aces beat fours, which just qualify: Ante 10, Call 20, aces with the flop 7 to 1.
    "casino-holdem": Round(
        ({"ante": "10", "aa-bonus": "5"}, {"ante": "10"}),
        (
            ("Deal two cards each to seats 1 and 2 and the dealer", ""),
            ("Deal three cards to the flop, face up", "Ah 7d 2c"),
            (decides(1, "fold or raise 2x"), "raise:2"),
            (decides(2, "fold or raise 2x"), "fold"),
            ("Deal two cards to the turn and river, face up", "9h 3s"),
            ("Turn up two cards of the dealer", "4c 4d"),
            ("Turn up the hand of seat 1", "As Ks"),
        ),
        [10 + 20 + 35, -10],
    ),
    # A pair wins no Ante, which goes back: Flop 20, River 10, ace-king suited 25 to 1.
    "texas-holdem-bonus": Round(
        ({"ante": "10", "bonus": "5"}, {"ante": "10"}),
        (
            ("Deal two cards each to seats 1 and 2 and the dealer", ""),
            ("Deal five cards to the board", ""),
            (decides(1, "fold or raise 2x"), "raise:2"),
            (decides(2, "fold or raise 2x"), "fold"),
            ("Turn up three cards of the board", "Ah 7d 2c"),
            (decides(1, "check or raise 1x"), "check"),
            ("Turn up the fourth card of the board", "9h"),
            (decides(1, "check or raise 1x"), "raise:1"),
            ("Turn up the fifth card of the board", "3s"),
            ("Turn up two cards of the dealer", "4c 4d"),
            ("Turn up the hand of seat 1", "As Ks"),
        ),
        [20 + 10 + 125, -10],
    ),
    # Three aces: Ante 10, Play 30, 2 to 1 beside the Ante, Aces Up 8 to 1.
    "four-card-poker": Round(
        ({"ante": "10", "aces-up": "5"}, {"ante": "10"}),
        (
            ("Deal five cards each to seats 1 and 2 and the dealer", "As Ac Ad 7h 2s"),
            ("Deal five cards each to seat 2 and the dealer", ""),
            ("Deal one card to the dealer, face up", "3c"),
            (decides(1, ONE_TO_THREE), "raise:3"),
            (decides(2, ONE_TO_THREE), "fold"),
            ("Turn up five cards of the dealer", "Kd Ks 9c 8h 5d"),
            ("Turn up the hand of seat 1", ""),
        ),
        [10 + 30 + 20 + 40, -10],
    ),
    # Queen high does not qualify: Ante and Super Bonus go back, Play is paid, Queens Up 1 to 1.
    "crazy-4-poker": Round(
        ({"ante": "10", "queens-up": "5"}, {"ante": "10"}),
        (
            (
                "Deal five cards each to seats 1 and 2 and the dealer",
                "Ac Ad 7h 5s 2c Kh 9d 6c 4s 3h",
            ),
            ("Deal five cards to the dealer", ""),
            (decides(1, ONE_TO_THREE), "raise:3"),
            (decides(2, ONE_TO_THREE), "raise:1"),
            ("Turn up five cards of the dealer", "Qd Js 8c 6d 2h"),
            ("Turn up the hands of seats 2 and 1", ""),
        ),
        [30 + 5, 10],
    ),
    # Five hearts beat three spades: Ante 10, Raise 20, Flush 10 to 1.
    "high-card-flush": Round(
        ({"ante": "10", "flush": "5"}, {"ante": "10"}),
        (
            ("Deal seven cards each to seats 1 and 2 and the dealer", ""),
            (decides(1, ONE_TO_THREE), "raise:2"),
            (decides(2, ONE_TO_THREE), "fold"),
            ("Turn up seven cards of the dealer", "As 9s 4s 2d 5d 8c 6c"),
            ("Turn up the hand of seat 1", "Ah Kh Qh Jh 9h 2c 3d"),
        ),
        [10 + 20 + 50, -10],
    ),
}


EQUAL = {
    "let-it-ride": ["Bet 1, Bet 2 and Bet 3, each"],
    "ultimate-texas-holdem": ["Ante and Blind, each"],
    "crazy-4-poker": ["Ante and Super Bonus, each"],
}
"""What stands at the one field of wagers that are equal."""


class Console:
    """A dealer whose browser has no scripts: what the next step asks for is filled in and sent."""

    def __init__(self, at: RealTable) -> None:
        self.at, self.dan = at, Forms(at.dan)

    @property
    def page(self) -> str:
        return looks(self.dan, self.at.path)

    @property
    def next(self) -> str:
        """What stands under the next step, and the step."""
        found = re.search(r'<section class="next".*?</section>', self.page, re.DOTALL)
        assert found is not None
        return found[0]

    def says(self) -> str:
        return plain(re.findall(r'class="does".*?<b>(.*?)\.</b>', self.next)[0])

    def send(self, having: str, **filled: str) -> int:
        """Send the form of the next step that has this in it; how it was answered."""
        forms = re.findall(r"<form.*?</form>", self.next, re.DOTALL)
        form = next(each for each in forms if having in each)
        hidden = re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', form)
        fields = {name: html.unescape(value) for name, value in hidden}
        return self.dan.raw(self.at.path, fields | filled).status

    def enters(self, what: str) -> int:
        """Enter a decision, or cards: none are left in the field where nobody reads them."""
        if "decides" in self.says():
            return self.send(f'value="{what}"', do=what)
        return self.send("data-main", cards=what)


@pytest.mark.parametrize("game", ROUNDS)
def test_a_round_with_real_cards(game: str, quick_path: Path) -> None:
    wanted, book = ROUNDS[game], load(f"common/{game}")
    with open_site(quick_path, game) as site:
        at = RealTable(site, len(wanted.bets), book.id, maximum_cents=100_00)
        console, before = Console(at), at.chips()
        assert console.says() == "Open the betting"
        assert console.send("data-main") == 303
        for seat, bet in enumerate(wanted.bets, start=1):
            assert console.says().startswith(f"Enter the wagers of seat {seat}")
            # What equals another is entered once, and said so.
            asked = re.findall(r'name="wager-([\w-]+)"', console.next)
            assert asked == [name for name, spot in book.opening.items() if not spot.equals]
            labels = re.findall(r"<label[^>]*>(.*?)<span", console.next)
            assert [each for each in labels if "each" in each] == EQUAL.get(game, [])
            filled = {f"wager-{name}": worth for name, worth in bet.items()}
            assert console.send("data-main", **filled) == 303
        assert console.says() == "Close the betting"
        assert console.send("data-main") == 303
        for step, what in wanted.steps:
            assert console.says() == step
            assert console.enters(what) == 303, step
        assert console.says() == "Pay"
        assert console.send("data-main") == 303
        nets = [after - cents for after, cents in zip(at.chips(), before, strict=True)]
        assert nets == [100 * dollars for dollars in wanted.nets]


def test_what_a_hand_may_raise_by_is_not_told_before_it_does(quick_path: Path) -> None:
    """Cards that lie face down were read, and the buttons are the same whatever they are."""
    round_ = ROUNDS["crazy-4-poker"]
    with open_site(quick_path) as site:
        at = RealTable(site, 2, "common/crazy-4-poker", maximum_cents=100_00)
        console = Console(at)
        console.send("data-main")
        for bet in round_.bets:
            console.send("data-main", **{f"wager-{name}": worth for name, worth in bet.items()})
        console.send("data-main")
        for _, what in round_.steps[:2]:
            console.enters(what)
        offered = []
        for seat in (1, 2):
            assert console.says() == decides(seat, ONE_TO_THREE)
            offered.append(re.findall(r'name="do" value="([\w:-]+)"', console.next))
            assert console.enters("raise:3") == (303 if seat == 1 else 409)  # aces, king high
        assert offered == [["fold", "raise:1", "raise:2", "raise:3"]] * 2
        assert console.says() == decides(2, ONE_TO_THREE)
        lies = re.findall(r'data-key="seat-1".*?</li>', console.page, re.DOTALL)[0]
        assert f"3{TIMES}" in plain(lies)


def test_what_a_seat_did_is_said_in_the_words_of_its_decision(quick_path: Path) -> None:
    with open_site(quick_path) as site:
        at = RealTable(site, 2, "common/let-it-ride", maximum_cents=100_00)
        console = Console(at)
        console.send("data-main")
        for _ in range(2):
            console.send("data-main", **{"wager-bet-3": "10"})
        console.send("data-main")
        for what in ("", "", "check", "take-back", "3h", "take-back", "check"):
            assert console.enters(what) == 303
        seats = re.findall(r'data-key="seat-\d".*?</li>', console.page, re.DOTALL)
        assert "check, take back" in plain(seats[0])
        assert "take back, check" in plain(seats[1])


def test_what_a_patron_cannot_pay_is_no_choice_of_theirs_and_who_comes_next_begins_anew(
    quick_path: Path,
) -> None:
    """The step names those raises alone for which enough lies there; what somebody bet last is not
    proposed to the next one in their seat."""
    with open_site(quick_path) as site:
        at = RealTable(site, 0, "common/mississippi-stud", maximum_cents=100_00)
        console = Console(at)

        def buys_in(cash: int) -> None:
            fields = {"do": "patron", "seat": "1", "cash_cents": str(cash), "patrons": ""}
            assert console.dan.raw(at.path, fields).status == 303

        def proposed() -> list[str]:
            return re.findall(r'name="wager-ante"[^>]*value="(\d*)"', console.next)

        buys_in(80)
        console.send("data-main")
        assert console.send("data-main", **{"wager-ante": "20"}) == 303
        console.send("data-main")
        for what, says in (
            ("", "Deal three cards to the board"),
            ("", "Deal two cards to seat 1"),
            ("raise:2", decides(1, ONE_TO_THREE)),
            ("3h", "Turn up the first card of the board"),
            ("raise:1", decides(1, "fold or raise 1x")),
            ("8s", "Turn up the second card of the board"),
            ("fold", decides(1, "fold")),
        ):
            assert console.says() == says
            assert console.enters(what) == 303
        while console.says() != "Open the betting":
            assert console.send("data-main") == 303
        console.send("data-main")
        assert proposed() == ["20"]
        at.did(at.dan, "unseat-patron", seat=1)
        buys_in(500)
        assert proposed() == ["5"]


@pytest.mark.parametrize("page", ["dealer", "floor"])
def test_r59__of_two_who_change_the_shuffling_at_once_the_second_undoes_nothing(
    page: str, quick_path: Path
) -> None:
    """Each form says to which way it goes over; the one that comes second is told."""
    with open_site(quick_path) as site:
        at = RealTable(site, 1, shuffler=True)
        flo, boss = signed_in(site, "flo"), signed_in(site, "max")
        shown, path = {
            "dealer": (at.path, at.path),
            "floor": ("/floor", f"/floor/{at.table}"),
        }[page]
        do = "change-shuffler" if page == "dealer" else "shuffler"
        for by_machine, words in ((False, "hand"), (True, "shuffler")):
            forms = re.findall(r"<form.*?</form>", looks(flo, shown), re.DOTALL)
            form = next(each for each in forms if f'name="do" value="{do}"' in each)
            drawn = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', form))
            fields = {**drawn, "why": f"over to the {words}"}
            if by_machine:
                fields |= {"shuffler_device": "another", "shuffler_approval": "no. 2"}
            del fields["csrf"], fields["key"]
            for said in ("", "perhaps"):
                assert "yes or no" in refused(flo.raw(path, {**fields, "shuffler": said})).alert
            assert flo.raw(path, fields).status == 303
            assert "in this way already" in refused(boss.raw(path, fields)).alert
            assert at.flo.view(at.table)["shuffler"] == by_machine
            at.did(at.flo, "bring-cards", colours=["red", "blue"] if by_machine else ["red"])
