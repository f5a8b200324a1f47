"""Ceilings on winnings: which wins count, whom they bind together, how they are shared."""

from collections.abc import Sequence

from pitboss.money import divide
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.money_rules import Cap
from pitboss.settle.lines import Draft, Reason

CAPS = ("cap", "cap-shared")
"""The reasons of a line that a ceiling cut."""


def counts(cap: Cap, draft: Draft) -> bool:
    return (
        draft.won_cents > 0
        and draft.odds is not None
        and draft.spot in cap.spots
        and cap.counts(draft.odds, draft.row)
    )


def apply_cap(
    book: Rulebook, number: int, minimum_cents: int, seats: Sequence[Sequence[Draft]]
) -> bool:
    """Cut winnings down to a cap of the book, in place; return whether it bit."""
    cap = book.cap[number]
    most = cap.cents(minimum_cents)
    claims = [[draft for draft in drafts if counts(cap, draft)] for drafts in seats]
    claims = [drafts for drafts in claims if drafts]
    groups = [claims] if cap.scope == "table" else [[drafts] for drafts in claims]
    bit = [_share(cap, number, most, group) for group in groups]
    return any(bit)


def _share(cap: Cap, number: int, most: int, group: Sequence[Sequence[Draft]]) -> bool:
    """Share one ceiling over players first, then over each player's own wagers."""
    wins = [sum(draft.won_cents for draft in drafts) for drafts in group]
    total = sum(wins)
    if total <= most:
        return False
    shared = len(group) > 1
    why = [
        cap.cited,
        cap.clause_on("spots"),
        cap.clause_on("above"),
        cap.clause_on("division") if shared else "",
    ]
    clause = ", ".join(filter(None, why))
    for drafts, win, share in zip(group, wins, divide(most, wins, cap.unit), strict=True):
        parts = divide(share, [draft.won_cents for draft in drafts], cap.unit)
        for draft, part in zip(drafts, parts, strict=True):
            facts = {
                "nominal_cents": win,
                "cap_cents": most,
                "share_cents": share,
                "won_cents": part,
                "total_cents": total,
                "claims": len(group),
                "ceiling": number,
            }
            draft.won_cents = part
            draft.reasons.append(Reason("cap-shared" if shared else "cap", clause, facts))
    return True
