"""Settlement by fields that no shipped house sets: another house may."""

import ast
from pathlib import Path

import pytest

from pitboss import rulebook
from pitboss.rulebook.loader import HOUSES
from pitboss.settle import explain, sentences, settlement
from tests.helpers import hand, line, settled

SN = (HOUSES / "seneca-niagara/caribbean-stud.toml").read_text("utf-8")
HW = (HOUSES / "hollywood-penn-national/cajun-stud.toml").read_text("utf-8")
DEALER = "As Kd 4c 3h 2s"
TOKEN = {"progressive": 1_00}


def changed(text: str, *changes: tuple[str, str]):
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return rulebook.parse(text)


@pytest.mark.parametrize(("tie", "back"), [("push", 30_00), ("lose", 0), ("win", 60_00)])
def test_equal_hands_are_what_the_house_says(tie, back):
    book = changed(SN, ('tie = "push"', f'tie = "{tie}"'))
    seat = hand(book, "Ah Kc 4d 3c 2d", [2])
    done = settled(book, seat, dealer=DEALER)
    assert done.seats[0].returned_cents == back
    assert sentences(book, done.seats[0].lines[0])


def test_a_dealer_who_does_not_qualify_may_cost_a_wager():
    book = changed(SN, ('unqualified = "push"', 'unqualified = "lose"'))
    done = settled(book, hand(book, "2c 2d 5h 7s 9c", [2]), dealer="Qs Jd 4c 3h 2s")
    assert line(done, "bet").outcome == "lose"
    assert "does not qualify: this wager is lost" in sentences(book, line(done, "bet"))[0]


def test_a_showdown_without_any_pay_table_names_the_hand_all_the_same():
    book = changed(
        SN,
        ('table = "bet"\nunqualified', 'odds = "1 to 1"\nunqualified'),
        ("\n".join(["rows = [", '  "royal-flush",', '  "straight-flush",']), "rows = [\n"),
        *((f'  "{row}",\n', "") for row in ("four-of-a-kind", "full-house", "flush", "straight")),
        *((f'  "{row}",\n', "") for row in ("three-of-a-kind", "two-pair")),
    )
    done = settled(book, hand(book, "2c 2d 5h 7s 9c", [2]), dealer=DEALER)
    assert done.seats[0].hand == "pair of twos"
    assert done.seats[0].won_cents == 30_00


def test_claims_of_exactly_the_whole_meter_empty_it():
    book = changed(SN, ('meter = "10%"', 'meter = "50%"'))
    two = (
        hand(book, "9h 8h 7h 6h 5h", [2], side=TOKEN),
        hand(book, "9d 8d 7d 6d 5d", [2], seat=2, side=TOKEN),
    )
    done = settled(book, *two, meter=10_000_01, dealer=DEALER)
    assert [line(done, "progressive", seat).won_cents for seat in (1, 2)] == [5_000_01, 5_000_00]
    assert done.meter_after_cents == 10_000_00


def test_awards_may_come_from_the_house():
    book = changed(SN, ('awards_from = "pool"', 'awards_from = "house"'))
    seat = hand(book, "2h 5h 9h Jh Kh", [2], side=TOKEN)
    done = settled(book, seat, meter=10_000_00, dealer=DEALER)
    assert done.meter_after_cents == 10_000_00
    assert "$0 from the jackpot pool, $50 from the house" in " ".join(
        sentences(book, line(done, "progressive"))
    )


@pytest.mark.parametrize(("rounding", "won"), [("down", 15_01), ("up", 15_02), ("nearest", 15_02)])
def test_a_fraction_of_a_cent_is_rounded_once_for_the_stack(rounding, won):
    book = changed(HW, ('rounding = "down"', f'rounding = "{rounding}"'))
    # Two pair at 3 to 2 on 10.01 is 15.015.
    seat = hand(book, "4c 9d", [0], ante=5_00, side={"lo-ball": 1_00})
    assert settled(book, seat, board="4d 9c Kh").seats[0].won_cents == 0
    won_on = settled(book, hand(book, "4c 9d", [1, 1, 1], ante=10_01), board="4d 9c Kh")
    whole = won_on.seats[0].won_cents
    # Four wagers of 10.01 are 40.04, and 3 to 2 on that is 60.06: nothing to round.
    assert whole == 60_06
    alone = changed(HW, ('rounding = "down"', f'rounding = "{rounding}"'), ('"6 to 1"', '"3 to 2"'))
    side = settled(alone, hand(alone, "4c 9d", [0], side={"board-bonus": 10_01}), board="2d 3c 4h")
    assert line(side, "board-bonus").won_cents == won


def test_every_reason_has_its_words():
    assert len(explain.codes()) == len(set(explain.codes()))
    book = rulebook.load("seneca-niagara/caribbean-stud")
    done = settled(book, hand(book, "2c 2d 5h 7s 9c", [2]), dealer=DEALER)
    for each in done.seats[0].lines:
        for said in sentences(book, each):
            assert said[0].isupper()
            assert said.endswith("]")
            assert "{" not in said


def reason_codes(node: ast.expr) -> set[str]:
    """Every code that the first argument of a ``Reason`` may stand for."""
    if isinstance(node, ast.IfExp):
        return reason_codes(node.body) | reason_codes(node.orelse)
    if isinstance(node, ast.Subscript):
        return set(getattr(settlement, ast.unparse(node.value)).values())
    if isinstance(node, ast.Name):  # unpacked from the table of dead hands
        assert node.id == "code"
        return {code for _, code in settlement._DEAD.values()}
    assert isinstance(node, ast.Constant), ast.unparse(node)
    return {str(node.value)}


def test_every_reason_has_a_sentence_and_every_sentence_a_use():
    used = set()
    for path in Path(explain.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Reason":
                used |= reason_codes(node.args[0])
    assert used == set(explain.codes())
