"""Who stood for a payoff or a correction, told again: different people, each in a role that may."""

from collections.abc import Collection, Iterator, Sequence
from itertools import permutations

from pitboss.audit import resettle
from pitboss.house.table import events as h
from pitboss.house.table.unit_of_work import AUTOMATIC
from pitboss.rulebook import Rulebook


def approved(
    book: Rulebook,
    seat: resettle.RetoldSeat,
    given: Collection[tuple[str, str]],
    dealers: Collection[str],
) -> bool:
    """Whether different people stand for everything that a payoff needs: by their roles, and who
    deals calls it out."""
    rules = [rule for rule in book.approval if seat.won_cents > rule.over]
    return any(
        len({person for _, person in several}) == len(rules)
        and all(
            _may(book, role, rule.by)
            and (person in {*dealers, AUTOMATIC}) == (rule.act == "call-out")
            for rule, (role, person) in zip(rules, several, strict=True)
        )
        for several in permutations(given, len(rules))
    )


def _may(book: Rulebook, role: str, by: Sequence[str]) -> bool:
    """Whether a role is one of these, or one that is above one of them where that counts."""
    if role in by or book.stand_in != "above":
        return role in by
    ranks = {"floor-supervisor": 1, "shift-manager": 2, "director-of-table-games": 3}
    rank = {**ranks, "general-manager": 4}.get(role, 0)
    return any(rank > ranks.get(each, 4) for each in by)


def disagreement(
    event: h.RoundCorrected | h.RoundAdjusted,
    groups: Sequence[Sequence[str]],
    asked: h.CorrectionAsked | h.AdjustmentAsked | None,
) -> Iterator[str]:
    """Say what is wrong where not one of each group of roles put a round right, several people in
    all, each of whom said the same."""
    said = [(asked.role, asked.person)] if asked is not None else []
    same = asked is not None and asked.facts.same(event.facts)
    if not (same and [*event.by[:-1]] == said):
        yield "it was not asked for what was put right"
    several = len({person for _, person in event.by}) == len(groups)
    stand = any(
        all(role in group for group, (role, _) in zip(groups, order, strict=False))
        for order in permutations(event.by)
    )
    if not (several and stand):
        yield "it was not put right by all who must agree"
