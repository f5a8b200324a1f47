"""The coach at a table of a real house: it asks once before an error, and reviews a session."""

import html
import random
import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pytest

from pitboss import maths
from pitboss.cards import DECK, Card, cards
from pitboss.hands import ranking
from pitboss.house.deck_safe import fresh_deck
from pitboss.house.replay import past
from pitboss.house.sessions import csrf
from pitboss.house.table.fair import Sealed
from pitboss.maths import Seen
from pitboss.maths.luck import Parts
from pitboss.maths.price import house_edge
from pitboss.rulebook import Rulebook
from pitboss.web.pages.history import luck as taken_apart
from pitboss.wording import TIMES
from tests.helpers import BOOKS, DIAMOND_JO, MISSISSIPPI, SENECA
from tests.web.open_house import Answer, Caller, Visited, rigged, thread

ROUNDS = 8
ZERO = Fraction()
FORM = "application/x-www-form-urlencoded"


class Page(NamedTuple):
    """What a browser without a script is shown."""

    status: int
    text: str
    alert: str
    """What is said to be wrong."""
    again: dict[str, str]
    """The form by which it is done all the same."""


class Player:
    """Somebody at seat 1 of a practice table, who sends forms without a script."""

    def __init__(self, house: Visited, book: Rulebook, mode: str) -> None:
        self.caller: Caller = house.guest()
        self.mode = mode
        options = {"betting_seconds": 600, "decision_seconds": 600}
        self.table = self.caller.open(book.id, **options)
        assert self.caller.do(self.table, "sit", seat=1).status == 200

    def bet(self, **wagers: int) -> None:
        named = {name.replace("_", "-"): worth for name, worth in wagers.items()}
        assert self.caller.do(self.table, "bet", seat=1, wagers=named).status == 200

    def cents(self) -> int:
        found: int = self.caller("GET", "/api/me").json["play_cents"]
        return found

    def happened(self) -> int:
        """How far the table's journal goes."""
        found: int = self.caller.view(self.table)["seq"]
        return found

    def form(self, do: str) -> dict[str, str]:
        """The form behind a decision's button."""
        moment = self.caller.view(self.table)["moment"]
        return {"do": do, "seat": "1", "moment": moment, "key": self.caller.key()}

    def send(self, form: dict[str, str]) -> Page:
        body = urlencode({"csrf": csrf(self.caller.token), **form}).encode()
        return self._read("POST", body)

    def look(self) -> Page:
        return self._read("GET")

    def _read(self, method: str, body: bytes | None = None) -> Page:
        cookie = f"pitboss={self.caller.token}; coach={self.mode}"
        given = {"Content-Type": FORM, "Authorization": "", "Cookie": cookie}
        path = f"/tables/{self.table}"
        answer: Answer = self.caller(method, path, body, {**given, "Accept": "text/html"})
        text = answer.raw.decode()
        found = re.search(r'role="alert"[^>]*><span>(.*?)</span>(.*?)</div>', text, re.DOTALL)
        alert, after = found.groups() if found else ("", "")
        fields = re.findall(r'name="(\w+)" value="([^"]*)"', after)
        plain = html.unescape(re.sub(r"<[^>]+>", "", alert))
        return Page(answer.status, text, plain, dict(fields))


# Warning ------------------------------------------------------------------------------------------


def test_an_error_is_asked_about_once_and_the_best_choice_never(tmp_path: Path) -> None:
    with thread(tmp_path, deck=rigged("7h 2c Qs Ks 9d")) as house:
        ann = Player(house, DIAMOND_JO, "warn")
        ann.bet(ante=10_00)
        assert "value" not in re.findall(r'class="([\w-]+)"', ann.look().text), "nothing is told"
        before = ann.happened()
        worths = maths.worths(DIAMOND_JO, Seen(cards("7h 2c")))
        again: dict[str, str] = {}
        for times in (1, 3):
            asked = ann.send(ann.form(f"raise:{times}"))
            again = asked.again
            assert 400 <= asked.status < 500
            lost = DIAMOND_JO.money(round((worths[0] - worths[times]) * 10_00))
            assert asked.alert == (
                f"Raise {times}{TIMES} costs {lost} on average: fold is better"
                f" (two cards, no pair, one point; 1{TIMES} takes two or more points)."
            )
            assert (again["do"], again["confirmed"]) == (f"raise:{times}", "yes")
            assert f"Raise {times}{TIMES} all the same" in asked.text
            assert ann.happened() == before, "nothing is done"
        done = ann.send(again)
        assert (done.status, done.alert) == (303, "")
        assert ann.cents() == 1000_00 - 10_00 - 30_00
        # Fewer points in three cards than it takes: but with so much in, raising is right.
        best = coach_choice(DIAMOND_JO, "7h 2c", "Qs", (3,))
        right = ann.send(ann.form(best))
        assert (right.status, right.alert) == (303, "")


def coach_choice(book: Rulebook, held: str, board: str, raises: tuple[int, ...]) -> str:
    """The best choice, by the other computation."""
    worths = maths.worths(book, Seen(cards(held), cards(board), None, raises))
    best = max(worths, key=lambda choice: worths[choice])
    return f"raise:{best}" if best > 0 else "fold"


def test_whoever_wants_no_warning_is_not_asked(tmp_path: Path) -> None:
    with thread(tmp_path, deck=rigged("7h 2c 3s 8d Td")) as house:
        ann = Player(house, DIAMOND_JO, "")
        for mode in ("off", "show", "on", "", "warned"):
            ann.mode = mode
            ann.bet(ante=5_00)
            for _ in range(3):
                assert ann.send(ann.form("raise:1")).status == 303


def test_a_fold_that_is_asked_about_anyway_is_asked_about_once(tmp_path: Path) -> None:
    with thread(tmp_path, deck=rigged("Kh Kd 7c 2s 4h")) as house:
        ann = Player(house, DIAMOND_JO, "warn")
        ann.bet(ante=10_00)
        asked = ann.send(ann.form("fold"))
        assert asked.alert.startswith("This hand already pays 1 to 1, and folding gives it up.")
        for unsure in ("", "no", "well"):
            assert ann.send({**asked.again, "confirmed": unsure}).status in (400, 409)
        assert ann.send(asked.again).status == 303
        assert ann.cents() == 990_00


def test_the_rules_own_question_comes_first_and_is_the_only_one(tmp_path: Path) -> None:
    with thread(tmp_path, deck=rigged("2c 3c 5c 8c Kc  4d 6d 7h 9s Js")) as house:
        ann = Player(house, SENECA, "warn")
        ann.bet(ante=10_00, progressive=1_00)
        asked = ann.send(ann.form("fold"))
        assert "wins the progressive, and folding forfeits it" in asked.alert
        assert ann.send(asked.again).status == 303
        assert ann.cents() == 989_00


def test_what_was_done_or_comes_late_is_not_asked_about(tmp_path: Path) -> None:
    """The script sends a form again where its answer was lost: it must hear that it was done."""
    with thread(tmp_path, deck=rigged("Kh 2d 7c 3s 4h")) as house:
        ann = Player(house, DIAMOND_JO, "warn")
        ann.bet(ante=10_00)
        first = ann.form("raise:1")
        assert ann.send(first).status == 303
        left, seen = ann.cents(), ann.happened()
        assert coach_choice(DIAMOND_JO, "Kh 2d", "7c", (1,)) != "raise:3"
        assert ann.send(first).status == 303, "once more, the same form: it was done"
        late = ann.send({**first, "do": "raise:3", "key": "another"})
        assert "the table has gone on" in late.alert.lower()
        assert late.again == {}
        assert (ann.cents(), ann.happened()) == (left, seen)


def test_nobody_is_sent_after_a_raise_that_they_cannot_pay(tmp_path: Path) -> None:
    with thread(tmp_path, deck=lambda: Sealed(full_deck("Kh Kd", "7c 2s 4h"), "5eed" * 16)) as h:
        ann = Player(h, MISSISSIPPI, "warn")
        ann.bet(ante=200_00)
        assert ann.send(ann.form("raise:3")).status == 303
        assert ann.cents() == 200_00
        assert coach_choice(MISSISSIPPI, "Kh Kd", "7c", (3,)) == "raise:3"
        assert ann.send(ann.form("raise:1")).status == 303


def full_deck(held: str, board: str) -> tuple[Card, ...]:
    """A deck for one seat of a game that deals the board first."""
    first = cards(f"{board} {held}")
    return (*first, *(each for each in DECK if each not in first))


# Showing ------------------------------------------------------------------------------------------


def test_values_are_told_as_the_difference_to_the_best_with_the_reason(tmp_path: Path) -> None:
    with thread(tmp_path, deck=rigged("7h 2c")) as house:
        ann = Player(house, DIAMOND_JO, "show")
        ann.bet(ante=10_00)
        page = ann.look().text
        worths = maths.worths(DIAMOND_JO, Seen(cards("7h 2c")))
        told = {
            f"nets {DIAMOND_JO.signed(round(worth * 10_00))} on average": "<b>best</b>"
            if choice == 0
            else DIAMOND_JO.signed(round((worth - worths[0]) * 10_00))
            for choice, worth in worths.items()
        }
        found = re.findall(r'class="value" id="worth-\w" title="([^"]+)">(.*?)</span>', page)
        assert dict(found) == told
        assert set(re.findall(r'aria-describedby="(worth-\w)"', page)) == {
            f"worth-{key}" for key in "qwef"
        }
        why = f"two cards, no pair, one point; 1{TIMES} takes two or more points"
        assert f"Fold is best: {why}." in page
        assert "J to A count 2 points, 6 to 10 count 1; high cards are J to A." in page
        assert f'<a href="/maths/{DIAMOND_JO.id}">The maths</a>' in page


# A session ----------------------------------------------------------------------------------------


def start_value(book: Rulebook) -> Fraction:
    """What a round is worth before the deal, from every hand that may be dealt first."""
    if book.qualifier is not None:
        return maths.solve(book).statistics.value
    alike = Counter(
        (*sorted((one.rank, two.rank)), one.suit == two.suit) for one, two in combinations(DECK, 2)
    )
    total = Fraction()
    for (low, high, suited), many in alike.items():
        pair = Card(4 * (low - 2)), Card(4 * (high - 2) + (not suited))
        total += many * max(maths.worths(book, Seen(pair)).values())
    return total / 1326


def main_net(book: Rulebook, staked: int, held: Sequence[Card]) -> int:
    """What the main wagers bring where a pay table settles five cards."""
    row = book.tables[book.ante.table].row_for(ranking("five-card").strength(held))
    return -staked if row.odds is None else int(row.odds * staked)


def seen(view: dict[str, Any]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The cards of seat 1, and those that lie open on the table."""
    up = [each for pile in view["piles"].values() for each in pile if each]
    return cards(" ".join(view["seats"][0]["cards"])), cards(" ".join(up))


def board(ann: Player, number: int) -> tuple[Card, ...]:
    """All that lay open on the board of a finished round, in the order in which it was seen."""
    record = ann.caller("GET", f"/api/rounds/{ann.table}-{number}").json
    events = [event for notice in record["notices"] for event in notice["events"]]
    shown = [each for event in events if event.get("place") == "board" for each in event["cards"]]
    return cards(" ".join(filter(None, shown)))


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
def test_accuracy_cost_and_luck_are_those_of_the_other_way_to_them(
    book: Rulebook, tmp_path: Path
) -> None:
    """Luck card by card: what each one changed, by the other computation of every worth."""
    chance, began = random.Random(book.id), start_value(book)
    decisions, best, page = 0, 0, ""
    cost = luck = edge = ZERO
    sides = {n: 5_00 for n, s in book.opening.items() if s.kind == "side" and s.fixed is None}
    with thread(tmp_path, deck=fresh_deck) as house:
        ann = Player(house, book, "show")
        assert "Accuracy" not in ann.look().text
        for number in range(1, ROUNDS + 1):
            ante = chance.choice((5_00, 10_00))
            before, expected = ann.cents(), began
            ann.bet(ante=ante, **({} if book.qualifier else sides))
            made: list[Fraction] = []
            raises: tuple[int, ...] = ()
            held: tuple[Card, ...] = ()
            folds = False
            while (view := ann.caller.view(ann.table))["due"]:
                held, up = seen(view)
                known = Seen(held, (), up[0]) if book.qualifier else Seen(held, up, None, raises)
                worths = maths.worths(book, known)
                choice = chance.choice([each for each in worths if each or number % 2])
                made.append(max(worths.values()) - worths[choice])
                luck += ante * (max(worths.values()) - expected)
                expected, folds, raises = worths[choice], not choice, (*raises, choice)
                more: dict[str, Any] = {"confirmed": True} if folds else {"times": choice}
                done = ann.caller.do(ann.table, "fold" if folds else "raise", seat=1, **more)
                assert done.status == 200, done
            net = all_won = ann.cents() - before
            edge += ante * began
            if book.qualifier is None:
                staked = ante * (1 + sum(raises))
                whole = (*held, *board(ann, number))
                net = -staked if folds else main_net(book, staked, whole)
                worth = -sum(
                    (cents * house_edge(book, name) for name, cents in sides.items()), ZERO
                )
                edge, luck = edge + worth, luck + (all_won - net) - worth
            luck += net - ante * expected
            decisions, best = decisions + len(made), best + made.count(Fraction())
            cost += ante * sum(made, Fraction())
            page = ann.look().text
            worst = max(made)
            line = f"cost {book.money(round(worst * ante))}: " if worst else "as well as it can be"
            assert line in page
        cents = Parts(edge=edge, mistakes=-cost, luck=luck).cents
        told = {
            f"{100 * best // decisions}%" if decisions > 9 else f"{best} of {decisions} best",
            book.money(-cents["mistakes"]),
            book.signed(cents["luck"]),
        }
        assert set(session(page)) == told
        assert f"Of {decisions} decisions {best} were the best" in page
        assert f"Your last {ROUNDS} rounds here:" in page
        assert house.web is not None
        names = [f"{ann.table}-{number}" for number in range(1, ROUNDS + 1)]
        archive = house.web.house.archive
        found = [taken_apart(past(archive, name, ann.caller.person)) for name in names]
        assert sum(each.parts.luck for each in found if each) == luck
        assert sum(each.parts.mistakes for each in found if each) == -cost
        # Elsewhere it begins anew.
        ann.table = ann.caller.open(book.id)
        ann.caller.do(ann.table, "sit", seat=1)
        assert "Accuracy" not in ann.look().text
        ann.bet(ante=5_00)
        assert ann.caller.do(ann.table, "fold", seat=1, confirmed=True).status == 200
        assert "Your last round here:" in ann.look().text


def session(page: str) -> list[str]:
    """The figures of a session."""
    [found] = re.findall(r'<dl class="session">(.*?)</dl>', page, re.DOTALL)
    return [re.sub(r"<[^>]+>", "", each) for each in re.findall(r"<dd>(.*?)</dd>", found)]


def test_a_ceiling_takes_nothing_of_luck_and_best_play_costs_nothing(tmp_path: Path) -> None:
    with thread(tmp_path, deck=rigged("Kh Qh Jh Th 9h")) as house:
        ann = Player(house, DIAMOND_JO, "warn")
        ann.bet(ante=100_00)
        for times in (1, 3, 3):
            assert ann.send(ann.form(f"raise:{times}")).status == 303, "not asked"
        assert ann.cents() == 1_000_00 + 25_000_00, "the ceiling, instead of 100 to 1"
        page = ann.look().text
        assert "You played it as well as it can be played." in page
        edge = 100_00 * start_value(DIAMOND_JO)
        won = Parts(edge=edge, luck=100 * 800_00 - edge).cents
        assert session(page) == ["3 of 3 best", "$0", DIAMOND_JO.signed(won["luck"])]
        taken = DIAMOND_JO.signed(25_000_00 - 100 * 800_00)
        parts = f"luck {DIAMOND_JO.signed(won['luck'])}, the edge {DIAMOND_JO.signed(won['edge'])}"
        assert f"You won $25,000: {parts}, ceilings and shares {taken}." in page
        assert "Your last round here:" in page
