"""The dispute desk: what is typed in is settled as `pitboss settle` settles it, and is refused at
its place."""

import html
import json
import re
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest

from pitboss.cards import cards
from pitboss.round import actions
from pitboss.rulebook import Rulebook
from pitboss.settle import of_round, settle
from pitboss.settle.file import settle_file, settle_plain
from pitboss.web.pages.desk import of_state, query, written
from pitboss.wording import TIMES
from tests.helpers import DIAMOND_JO, HOLLYWOOD, MISSISSIPPI, SENECA, opened
from tests.web.open_house import Visited

CAPPED = {
    "minimum": "5.00",
    "maximum": "100.00",
    "board": "Th Jh Qh",
    "seat": [
        {"seat": 2, "cards": "Kh Ah", "ante": "100.00", "raises": [3, 3, 3], "toke": "10.00"},
        {"seat": 5, "cards": "9h 8h", "ante": "20.00", "raises": [1, 2, 1]},
        {"seat": 6, "cards": "2c 2d", "ante": "5.00", "raises": [0], "side": {"lo-ball": "5.00"}},
    ],
}
ROUNDS: list[tuple[Rulebook, dict[str, Any]]] = [
    (DIAMOND_JO, CAPPED),
    (DIAMOND_JO, {**CAPPED, "misdeal": "exposed-card"}),
    (
        HOLLYWOOD,
        {
            "board": "9c 9d 4h",
            "all_six": "9h",
            "seat": [
                {
                    "seat": 1,
                    "cards": "4s 4c",
                    "ante": "10",
                    "raises": [1, 2, 3],
                    "side": {"all-six": "5"},
                }
            ],
        },
    ),
    (
        SENECA,
        {
            "dealer": "As Kd 4c 3h 2s",
            "meter": "100000.00",
            "maximum": "100",
            "seat": [
                {
                    "seat": 1,
                    "cards": "Ah Kh Qh Jh Th",
                    "ante": "25",
                    "raises": [2],
                    "side": {"progressive": "1"},
                },
                {"seat": 3, "cards": "2d 2h 7s 9d", "ante": "25", "dead": "count"},
            ],
        },
    ),
    (
        SENECA,
        {
            "dealer": "As Kd 4c 3h 2s",
            "meter": "100000.00",
            "maximum": "100",
            "seat": [
                {
                    "seat": 2,
                    "cards": "Ah Kh Qh Jh Th",
                    "ante": "25",
                    "raises": [0],
                    "side": {"progressive": "1"},
                    "timed_out": True,
                },
                {"seat": 4, "cards": "2d 2h 7s 9d", "ante": "25", "dead": "information"},
            ],
        },
    ),
    (
        MISSISSIPPI,
        {
            "board": "9c Th Jd",
            "seat": [{"seat": 4, "cards": "6s 6d", "ante": "10", "raises": [3, 2, 1]}],
        },
    ),
]


def desk(house: Visited, address: str) -> str:
    """The words of the page at this address."""
    answer = house.caller()("GET", f"/desk?{address}")
    assert answer.status == 200, answer
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.raw.decode())).split())


each_round = pytest.mark.parametrize(
    ("book", "raw"), ROUNDS, ids=[f"{book.id}-{n}" for n, (book, _) in enumerate(ROUNDS)]
)


@each_round
def test_a_round_is_the_same_in_the_address_and_in_a_file(
    book: Rulebook, raw: dict[str, Any]
) -> None:
    told = written(book, dict(parse_qsl(query(book, raw))))
    assert told == {"rulebook": book.id, **raw}


@each_round
def test_what_is_typed_in_is_paid_as_settle_pays_it(
    house: Visited, book: Rulebook, raw: dict[str, Any]
) -> None:
    _, settled = settle_file(json.dumps({"rulebook": book.id, **raw}), "round")
    said = desk(house, query(book, raw))
    for seat in settled.seats:
        assert f"Seat {seat.seat}{f': {seat.hand}' if seat.hand else ''}" in said
        assert f"{book.money(seat.paid_cents)} paid" in said
    told = "to be told: general manager and director of table games." in said
    assert told == bool(settled.notify)


def test_a_capped_royal_is_worked_out_and_says_what_must_be_done(house: Visited) -> None:
    said = desk(house, query(DIAMOND_JO, CAPPED))
    # A royal flush at 500 to 1 on 1,000 dollars and a straight flush at 100 to 1 on 100: of
    # 510,000 together the table pays 25,000, and the royal's part of it is 50 fifty-firsts.
    assert f"500 {TIMES} $1,000" in said
    assert "$24,509.80" in said
    assert "$490.20" in said
    assert "The payout cap at these limits is $25,000." in said
    assert (
        "waits for the dealer's call, floor supervisor and surveillance or shift manager." in said
    )


def test_r62__a_hand_that_the_clock_folded_keeps_its_award_at_the_desk() -> None:
    game = opened(SENECA, {1: {"ante": 25_00, "progressive": 1_00}, 2: {"ante": 25_00}})
    game.do(actions.CloseBets())
    game.deal(cards("Ah Kh Qh Jh Th 2d 3d 4c 7h 9s As Kd 4h 3h 2s"))
    game.do(actions.TimeOut(1))
    game.do(actions.TimeOut(2))
    game.deal(())
    played = settle(SENECA, of_round(game.state))
    assert played.seats[0].paid_cents > 0
    typed = written(SENECA, dict(parse_qsl(query(SENECA, of_state(SENECA, game.state)))))
    again = settle_plain(SENECA, typed)
    assert [each.lines for each in again.seats] == [each.lines for each in played.seats]


def test_another_version_of_the_round_stands_beside_the_first(house: Visited) -> None:
    changed = json.loads(json.dumps(CAPPED))
    changed["seat"][0]["cards"] = "Kh Ad"  # a straight, 4 to 1 on 1,000 dollars
    both = f"{query(DIAMOND_JO, changed)}&{urlencode({'before': query(DIAMOND_JO, CAPPED)})}"
    said = desk(house, both)
    # The royal's share of 24,509.80 is a straight's 4,000 now, and the straight flush is paid in
    # full: 10,000 in place of 490.20. The toke, too, is none of the player's.
    assert "Seat 2: straight, ace high -$" in said
    assert "Seat 5: straight flush, queen high +$9,509.80 against the version before" in said
    assert "Seat 6: pair of twos as before" in said


WRONG = (
    ("5.ante", "5.ante=150&5.cards=9h 8h&5.raise.1=0", "at most $100"),
    ("2.cards", "2.ante=5&2.cards=Kh Kh&2.raise.1=0", "Kh appears twice"),
    ("2.cards", "2.ante=5&2.cards=Kx&2.raise.1=0", ""),
    ("2.raise.2", "2.ante=5&2.cards=Kh Ad&2.raise.1=1", "3 decisions are needed"),
    ("2.raise.1", "2.ante=5&2.cards=Kh Ad&2.raise.1=7", "1, 2 or 3 times the ante"),
    ("2.raise.1", "2.ante=5&2.cards=Kh Ad&2.raise.1=perhaps", "write fold or check"),
    ("2.raise.2", "2.ante=5&2.cards=Kh Ad&2.raise.1=1&2.raise.3=2", "is not known here"),
    ("2.lo-ball", "2.ante=5&2.lo-ball=x&2.cards=Kh Ad&2.raise.1=0", ""),
    ("2.ante", "2.cards=Kh Ad&2.raise.1=0", "Say what lies on Ante"),
    ("maximum", "maximum=1&2.ante=5&2.raise.1=0", ""),
    ("2.accepted", "2.ante=5&2.cards=Kh Ad&2.raise.1=0&2.accepted=maybe", "yes or no"),
    ("misdeal", "misdeal=<b>&2.ante=5&2.raise.1=0", "The causes here are order-or-count"),
)


@pytest.mark.parametrize(("field", "typed", "says"), WRONG, ids=[each[1] for each in WRONG])
def test_what_is_wrong_is_said_at_its_field(
    house: Visited, field: str, typed: str, says: str
) -> None:
    address = f"rulebook={DIAMOND_JO.id}&" + urlencode(parse_qsl(typed))
    answer = house.caller()("GET", f"/desk?{address}")
    assert 400 <= answer.status < 500, answer
    page = answer.raw.decode()
    alert = re.findall(r'role="alert" id="told">(.*?)</p>', page, re.DOTALL)
    assert len(alert) == 1
    assert says in html.unescape(alert[0])
    named = re.findall(r'name="([^"]*)"[^>]*aria-invalid', page)
    assert named == [field]
    assert "What is paid" not in page


@pytest.mark.parametrize(
    "typed", ["rulebook=/etc/passwd", "rulebook=../x", "rulebook=" + "x" * 3_000]
)
def test_no_other_file_is_a_rulebook(house: Visited, typed: str) -> None:
    answer = house.caller()("GET", f"/desk?{typed}")
    assert answer.status == 404
    assert b"there are no rules called" in answer.raw.lower()


@pytest.mark.parametrize(
    "before",
    [
        *("x", "%00", "2.ante=x&2.raise.1=0", "a=" + "b" * 9_000),
        *(f"2.ante=5&2.raise.1=0&{seat}.cards=zz&{seat}.ante=5" for seat in (1, 3, 6)),
        "1.ante=5&1.raise.1=0&2.ante=5&2.raise.1=0&3.ante=5&4.ante=5&5.lo-ball=x&6.ante=5",
    ],
)
def test_an_earlier_version_that_is_rubbish_is_said_to_be_and_is_sent_along_no_more(
    house: Visited, before: str
) -> None:
    address = f"{query(DIAMOND_JO, CAPPED)}&{urlencode({'before': before})}"
    answer = house.caller()("GET", f"/desk?{address}")
    assert 400 <= answer.status < 500, answer
    page = answer.raw.decode()
    [alert] = re.findall(r'role="alert" id="told">(.*?)</p>', page, re.DOTALL)
    assert "The earlier version of this round cannot be settled: " in alert
    assert "aria-invalid" not in page, "no field of the form is to blame"
    assert 'name="before"' not in page
    assert "What is paid" not in page


# A capped payout --------------------------------------------------------------------------------


def test_k_1_a_capped_payout_is_shared_as_the_document_shares_it(house: Visited) -> None:
    wins = "20,000@500 10000@100 500@100 2000@40"
    typed = urlencode({"cap": "25,000", "over": "50", "wins": wins})
    answer = house.caller()("GET", f"/prorate?{typed}")
    said = " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.raw.decode())).split())
    assert "$30,500 counts toward the payout cap of $25,000: it is shared pro rata." in said
    # 25,000 times 20,000, 10,000 and 500 of 30,500; the win at 40 to 1 stands beside it.
    for paid in ("$16,393.44", "$8,196.72", "$409.84", "not capped $2,000", "Together $27,000"):
        assert paid in said
    assert f"$25,000 {TIMES} $20,000 / $30,500" in said
    every = house.caller()("GET", "/prorate?" + urlencode({"cap": "10", "wins": "20@1 20@1"}))
    assert every.raw.count(b">$5<") == 2


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("cap", {"cap": "x", "wins": "5@1"}),
        ("cap", {"wins": "5@1"}),
        ("over", {"cap": "5", "over": "y", "wins": "5@1"}),
        ("wins", {"cap": "5", "wins": "5"}),
        ("wins", {"cap": "5", "wins": "5@x " * 900}),
        ("wins", {"cap": "5", "wins": "5@1 " * 101}),
    ],
)
def test_what_cannot_be_shared_is_said_at_its_field(
    house: Visited, field: str, typed: dict[str, str]
) -> None:
    answer = house.caller()("GET", f"/prorate?{urlencode(typed)}")
    assert answer.status == 400
    assert re.findall(r'name="([^"]*)"[^>]*aria-invalid', answer.raw.decode()) == [field]
