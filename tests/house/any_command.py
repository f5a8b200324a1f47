"""Any command of every kind, most of them out of place."""

import random
from collections.abc import Callable, Iterator
from typing import Any

from pitboss.cards import DECK
from pitboss.house.table import commands as c
from pitboss.round import actions as a
from pitboss.round.redo import SeatFacts
from pitboss.rulebook import Rulebook
from tests.house.papers import ABROAD, ONE_PROOF, PAYEE

PLAYERS = ("ann", "bob", "cid", "pip")
PIT = ("dealer", "floor-supervisor", "shift-manager", "surveillance", "general-manager", "cook")
CENTS = (-1, 0, 1_00, 4_99, 5_00, 10_00, 20_00, 100_00, 150_00, 2_000_00)
FOUND: tuple[Any, ...] = ("in-order", "in-order", "missing", "flawed")
CAUSES = ("count", "information", "shuffler", "exposed-card", "other", "rain")


def anything(book: Rulebook, r: random.Random) -> dict[str, Callable[[], Any]]:
    """Any command of every kind, most of them out of place."""
    spots = [*book.spots, "nowhere"]

    def seat() -> int:
        return r.choice([1, 2, 3, 4, 5, 6, 0, 7])

    def role() -> str:
        return r.choice(PIT)

    def cents() -> int:
        return r.choice(CENTS)

    def cards() -> tuple[Any, ...]:
        return tuple(r.choices(DECK, k=r.randrange(4)))

    def colour() -> str:
        return r.choice(["", "", "red", "blue", "pink"])

    def machine() -> tuple[str, str]:
        return r.choice([("", ""), ("a shuffler", "no. 1"), ("a shuffler", "")])

    def money() -> tuple[int, int]:
        return r.choice([0, 0, 7, 100_00]), r.choice([0, 0, 25_00])

    def stacks() -> dict[int, int]:
        return r.choice([{}, {}, {25_00: 4}, {5_00: 1, 3_00: 2}])

    def wagers() -> dict[str, int]:
        return {r.choice(spots): cents() for _ in range(r.randrange(4))}

    def groups() -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(seat() for _ in range(r.randrange(4))) for _ in range(r.randrange(3)))

    def facts() -> Iterator[SeatFacts]:
        for number in r.sample(range(1, 8), r.randrange(3)):
            decisions: list[Any] = r.choices([None, 1, 2, "fold", "check"], k=r.randrange(3))
            yield SeatFacts(
                number,
                wagers=r.choice([None, wagers()]),
                toke_cents=r.choice([None, None, cents()]),
                cards=cards(),
                decisions=tuple(decisions),
                late=r.choice([{}, wagers()]),
            )

    def piles() -> dict[str, tuple[Any, ...]]:
        return {r.choice(["board", "dealer", "nowhere"]): cards() for _ in range(r.randrange(2))}

    return {
        "open-table": lambda: c.OpenTable(book.id, "t"),
        "close-table": c.CloseTable,
        "change-limits": lambda: c.ChangeLimits(cents(), r.choice([None, cents()]), "why not"),
        "sit": lambda: c.Sit(seat()),
        "leave": c.Leave,
        "free-seat": lambda: c.FreeSeat(seat(), r.choice(PLAYERS), "nobody is there"),
        "sit-out": c.SitOut,
        "sit-in": c.SitIn,
        "cut-deck": lambda: c.CutDeck(r.choice(["7", f"{cents()}", "a" * 64, "no: /"])),
        "seat-bot": lambda: c.SeatBot(seat()),
        "seat-patron": lambda: c.SeatPatron(
            seat(), r.choice(["", "red jacket"]), *money(), stacks()
        ),
        "buy-in": lambda: c.BuyIn(seat(), *money(), stacks()),
        "colour-up": lambda: c.ColourUp(seat(), {5_00: 5}, {25_00: r.randrange(3)}),
        "void-buy-in": lambda: c.VoidBuyIn(seat(), "a slip"),
        "unseat-patron": lambda: c.UnseatPatron(seat()),
        "mark-partners": lambda: c.MarkPartners(groups(), "brothers"),
        "start-dealing": c.StartDealing,
        "stop-dealing": c.StopDealing,
        "call-floor": lambda: c.CallFloor(r.choice(["", "a card is torn"])),
        "answer-floor": c.AnswerFloor,
        "bring-cards": lambda: c.BringCards(("red", "blue")[: r.randrange(3)]),
        "inspect-cards": lambda: c.InspectCards(role(), colour(), r.choice(FOUND)),
        "wash-cards": lambda: c.WashCards(colour()),
        "shuffle-cards": c.ShuffleCards,
        "replace-card": lambda: c.ReplaceCard(r.choice(DECK), role(), "torn", colour()),
        "retire-cards": lambda: c.RetireCards("sticky", colour()),
        "change-shuffler": lambda: c.ChangeShuffler(r.random() < 0.5, "it jams", *machine()),
        "drop-tokes": c.DropTokes,
        "write-off-tokes": lambda: c.WriteOffTokes("our mistake"),
        "approve-payoff": lambda: c.ApprovePayoff(seat(), role()),
        "complete-form": lambda: c.CompleteForm(seat(), r.choice([PAYEE, ABROAD, ONE_PROOF])),
        "hold-payoff": lambda: c.HoldPayoff(seat(), "no papers"),
        "acknowledge-notice": lambda: c.AcknowledgeNotice(seat(), role()),
        "correct": lambda: c.Correct(role(), "misread", tuple(facts()), piles()),
        "correct-paid": lambda: c.CorrectPaid(
            role(), "misread", tuple(facts()), piles(), round=seat()
        ),
        "undo": c.Undo,
        "open-betting": c.OpenBetting,
        "tick": lambda: c.Tick(r.choice([0, cents()])),
        "bet": lambda: a.Bet(seat(), wagers(), r.choice([0, 0, 1_00, -1])),
        "raise": lambda: a.Raise(seat(), r.randrange(-1, 5)),
        "fold": lambda: a.Fold(seat(), r.random() < 0.5),
        "check": lambda: a.Check(seat()),
        "take-back": lambda: a.TakeBack(seat()),
        "close-bets": a.CloseBets,
        "deal": lambda: a.Deal(cards()),
        "turn": lambda: a.Turn(cards()),
        "light": lambda: a.Light(r.choice(["red", "green", "blue"])),
        "pay": a.Pay,
        "accept-late": lambda: a.AcceptLate(seat(), r.choice(spots), cents(), role()),
        "kill-hand": lambda: a.KillHand(seat(), r.choice(CAUSES), role()),
        "call-misdeal": lambda: a.CallMisdeal(r.choice(CAUSES), role()),
        "let-stand": lambda: a.LetStand(r.choice(CAUSES), role()),
    }
