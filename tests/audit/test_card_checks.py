"""The audit's own telling of what was done with real cards finds whatever was left out."""

import pytest

from pitboss.audit.card_checks import CardChecks
from pitboss.audit.promises import CONSERVED, SEALED, Findings
from pitboss.audit.table_checks import TableChecks
from pitboss.house.table import commands as c
from pitboss.house.table import events as h
from pitboss.round import actions as a
from tests.helpers import DIAMOND_JO
from tests.house.floor import DAY, entered, opens_betting, with_real_cards


def story(*, shuffler: bool) -> list[h.TableEvent]:
    """From an empty table to its first card, with a card replaced on the way."""
    floor = with_real_cards("ann", shuffler=shuffler)
    floor.do(a.CloseBets(), "dan")
    (worn,) = entered("As")
    floor.do(c.ReplaceCard(worn, "floor-supervisor", "torn", "red"), "flo")
    floor.do(c.InspectCards("shift-manager"), "max")
    floor.do(c.InspectCards("dealer"), "dan")
    floor.do(c.WashCards("red"), "dan")
    opens_betting(floor)
    floor.bet(1)
    floor.do(a.CloseBets(), "dan")
    floor.do(a.Deal(entered("As Ad")), "dan")
    return floor.events


def lacking(events: list[h.TableEvent]) -> str:
    told = CardChecks()
    for event in events:
        told.hear(event)
    return told.lacks(DIAMOND_JO, DAY)


@pytest.mark.parametrize("shuffler", [False, True], ids=["by-hand", "with-a-shuffler"])
def test_r58__whatever_is_left_out_after_the_last_new_cards_is_missed(shuffler):
    events = story(shuffler=shuffler)
    assert lacking(events) == ""
    replaced = next(n for n, each in enumerate(events) if isinstance(each, h.CardReplaced))
    after = [n for n, each in enumerate(events) if n > replaced and isinstance(each, h.CardEvent)]
    needed = {n for n in after if getattr(events[n], "colour", "red") == "red"}
    assert len(needed) == (3 if shuffler else 4)
    for left_out in needed:
        assert lacking([*events[:left_out], *events[left_out + 1 :]])


def test_r58__a_wash_before_the_last_look_is_none():
    events = story(shuffler=False)
    washed = max(n for n, each in enumerate(events) if isinstance(each, h.CardsWashed))
    events[washed - 1], events[washed] = events[washed], events[washed - 1]
    assert "not found in order" in lacking(events)


def heard(events: list[h.TableEvent]) -> Findings:
    findings = Findings()
    findings.place = "here"
    checks = TableChecks("t", findings, {})
    roles = frozenset({"dealer", "floor-supervisor", "shift-manager"})
    for event in events:
        checks.hear(DIAMOND_JO, [event], [], getattr(event, "person", "dan"), roles, DAY)
    return findings


def broken(findings: Findings, promise: int) -> str:
    return "; ".join(findings.promises()[promise - 1].broken)


def test_r58__the_audit_finds_a_round_with_unfit_cards_and_cards_that_came_in_it():
    events = story(shuffler=False)
    assert heard(events).first == ""
    shuffled = max(n for n, each in enumerate(events) if isinstance(each, h.CardsShuffled))
    found = heard([*events[:shuffled], *events[shuffled + 1 :]])
    assert "not shuffled" in broken(found, SEALED)
    found = heard([*events, h.CardsBrought(("blue",), DAY)])
    assert "while bets were taken" in broken(found, SEALED)


def test_r33__tokes_are_dropped_whole_and_once():
    lay, box = 4_00, "tokes:t"
    for taken, right in ((lay, True), (lay - 1, False), (lay + 1, False)):
        findings = Findings()
        checks = TableChecks("t", findings, {})
        opened = h.TableOpened(DIAMOND_JO.id, DIAMOND_JO.sha256, 5_00, 100_00)
        checks.hear(DIAMOND_JO, [opened], [(box, lay)], "max", frozenset(), DAY)
        moved = [(box, -taken), ("dealers", taken)]
        checks.hear(DIAMOND_JO, [h.TokesDropped(taken)], moved, "flo", frozenset(), DAY)
        assert (not broken(findings, CONSERVED)) == right
