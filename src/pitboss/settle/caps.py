"""Ceilings on winnings: which wins count, whom they bind together, how they are shared."""

from collections.abc import Sequence

from pitboss.money import divide
from pitboss.rulebook.money_rules import Cap
from pitboss.settle.lines import Draft, Reason


def counts(cap: Cap, draft: Draft) -> bool:
    return (
        draft.won_cents > 0
        and draft.odds is not None
        and draft.spot in cap.spots
        and cap.counts(draft.odds, draft.row)
    )


def apply_cap(cap: Cap, minimum_cents: int, seats: Sequence[Sequence[Draft]]) -> bool:
    """Cut winnings down to the cap, in place; return whether it bit."""
    ceiling = cap.cents(minimum_cents)
    claims = [[draft for draft in drafts if counts(cap, draft)] for drafts in seats]
    claims = [drafts for drafts in claims if drafts]
    groups = [claims] if cap.scope == "table" else [[drafts] for drafts in claims]
    bit = [_share(cap, ceiling, group) for group in groups]
    return any(bit)


def _share(cap: Cap, ceiling: int, group: Sequence[Sequence[Draft]]) -> bool:
    """Share one ceiling over players first, then over each player's own wagers."""
    wins = [sum(draft.won_cents for draft in drafts) for drafts in group]
    total = sum(wins)
    if total <= ceiling:
        return False
    shared = len(group) > 1
    why = [
        cap.cited,
        cap.clause_on("spots"),
        cap.clause_on("above"),
        cap.clause_on("division") if shared else "",
    ]
    clause = ", ".join(filter(None, why))
    covers = ", ".join(cap.spots)
    covers += f" at more than {cap.above}" if cap.above is not None else ""
    covers += f" by {cap.rows[-1]} or better" if cap.rows else ""
    for drafts, win, share in zip(group, wins, divide(ceiling, wins, cap.unit), strict=True):
        parts = divide(share, [draft.won_cents for draft in drafts], cap.unit)
        for draft, part in zip(drafts, parts, strict=True):
            facts = {
                "nominal_cents": win,
                "cap_cents": ceiling,
                "share_cents": share,
                "won_cents": part,
                "total_cents": total,
                "claims": len(group),
                "scope": cap.scope,
                "covers": covers,
            }
            draft.won_cents = part
            draft.reasons.append(Reason("cap-shared" if shared else "cap", clause, facts))
    return True
