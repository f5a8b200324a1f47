"""What is put right, found late and heard of: mostly by two who say the same."""

import random
from typing import Any

import msgspec

from pitboss.cards import DECK
from pitboss.house.storage import codec
from pitboss.house.table import commands as c
from pitboss.round import actions as a
from pitboss.round.redo import Facts, SeatFacts
from pitboss.rulebook import load
from tests.adversary.cast import FLOOR, PIT
from tests.adversary.somebody import Somebody

WHY = "as it lay there"


def rules_on(who: Somebody, view: dict[str, Any], roles: set[str]) -> dict[str, Any]:
    """What somebody of the pit says of the round, or of one that was paid."""
    choice, ante = who.random.choice, load(view["rulebook"]).ante.name
    pit = sorted(roles & {*PIT} - ({"dealer"} if view["dealer"] != who.person else set()))
    role, seats = choice(pit or ["dealer"]), [each["seat"] for each in view["seats"]] or [1]
    last = view["last"]["round"] if view["last"] else view["round"]
    number = choice([last, last, last, last - 1, 1])
    right: list[Any] = [c.AcknowledgeNotice(number, role)]
    if view["phase"] not in ("waiting", "betting"):
        wrong = facts(view["table"], view["round"], ante)
        right += [c.Correct(role, WHY, wrong.seats, wrong.piles)] * 6
    elif view["last"]:
        wrong = facts(view["table"], number, ante)
        right += [c.CorrectPaid(role, WHY, wrong.seats, wrong.piles, round=number)] * 8
    if roles & FLOOR:
        spot, cents = choice([*load(view["rulebook"]).spots, "toke"]), choice([5_00, 15_00, 1])
        right += [a.AcceptLate(choice(seats), spot, cents, role)] * 2
    told: dict[str, Any] = msgspec.json.decode(codec.encode(choice(right)))
    return told


def facts(table: str, number: int, ante: str) -> Facts:
    """What everybody in the pit says was otherwise in a round."""
    same = random.Random(f"{table}/{number}")
    seat, (one, other) = same.randrange(1, 4), same.sample(DECK, 2)
    return same.choice(
        [
            Facts((SeatFacts(seat, toke_cents=same.choice([0, 1_00, 5_00])),)),
            Facts((SeatFacts(seat, wagers={ante: same.choice([5_00, 10_00, 20_00])}),)),
            Facts(
                (SeatFacts(seat, decisions=(same.choice([1, 2, "fold", "check", "take-back"]),)),)
            ),
            Facts((SeatFacts(seat, cards=(one, None)),)),
            Facts((SeatFacts(seat, wagers={}),)),
            Facts((), {"board": (one,)}),
            Facts((), {"dealer": (one, other)}),
        ]
    )
