"""A table is dealt by a program: the next step says what to ask for, and the chips what to pay."""

from typing import Any

from tests.web.conftest import Staff
from tests.web.open_house import Caller

CAJUN = "diamond-jo-worth/cajun-stud"
HANDS, BOARD = ["As", "Ah", "Kd", "2d"], iter(("Ac", "7h", "7d"))


def test_c_1__a_program_deals_a_round_by_its_steps_and_pays_by_its_chips(staff: Staff) -> None:
    dan, flo = staff("dan-steps", "dealer"), staff("flo-steps", "floor-supervisor")
    sue = staff("sue-steps", "surveillance")
    table = flo.open(CAJUN, practice=False, dealing="entered")

    def do(who: Caller, action: str, **more: Any) -> None:
        answer = who.do(table, action, **more)
        assert answer.status == 200, answer

    def sees(who: Caller) -> Any:
        answer = who("GET", f"/api/tables/{table}/deal")
        assert answer.status == 200, answer
        return answer.json

    do(flo, "bring-cards", colours=["red"])
    do(flo, "inspect-cards", role="floor-supervisor")
    do(dan, "start-dealing")
    for seat in (1, 2):
        do(dan, "seat-patron", seat=seat, cash_cents=500_00)
    asked: list[str] = []
    shown: list[dict[int, Any]] = []
    prompted: set[str] = set()
    while "pay" not in asked or sees(dan)["payoffs"]:
        view = sees(dan)
        step = view["step"]
        asked.append(step["does"])
        prompted |= {part for each in view["prompts"] for part in each["clause"].split(", ")}
        shown.append({each["seat"]: each for each in view["payoffs"]})
        seat = step["seat"]
        match step["does"]:
            case "inspect-cards":
                do(dan, "inspect-cards", role="dealer")
            case "bet":
                do(dan, "bet", seat=seat, wagers={"ante": 11_00})
            case "deal":
                do(dan, "deal", cards=HANDS if len(step["goes"]) > 1 else [next(BOARD)])
            case "decide" if seat == 1:
                do(dan, "raise", seat=1, times=3)
            case "decide":
                do(dan, "fold", seat=seat)
            case "call-out":
                do(dan, "approve-payoff", seat=seat, role="dealer")
            case "call-floor":
                do(flo, "approve-payoff", seat=1, role="floor-supervisor")
                do(sue, "approve-payoff", seat=1, role="surveillance")
            case action:
                do(dan, action)
    assert asked[:2] == ["inspect-cards", "wash-cards"]
    assert asked[-4:] == ["call-out", "pay", "call-floor", "pay"], "who is done does not wait"
    assert {"C.1.j", "C.1.q"} <= prompted
    waits, ready = shown[-2][1], shown[-1]
    assert [*ready] == [2, 1], "from the right"
    # A full house pays 10 to 1 on 11 + 99 dollars, in the fewest chips.
    assert waits["waits"] == ["floor supervisor", "surveillance or shift manager"]
    assert (waits["pay_cents"], waits["take_cents"]) == (1_100_00, 0)
    assert sum(chip * count for chip, count in waits["stacks"]) == 1_100_00
    assert (ready[2]["pay_cents"], ready[2]["take_cents"], ready[2]["paid"]) == (0, 11_00, True)
    assert ready[1]["waits"] == []
    # It is for who deals, and for the floor beside them.
    assert sees(flo)["step"]["does"] != "pay"
    for who in (staff("ann-steps", "player"), staff("cay-steps", "cage")):
        assert who("GET", f"/api/tables/{table}/deal").code == "role/not-yours"
