"""The jackpot: claims on a locked meter, shared where several players make them."""

from collections.abc import Sequence

from pitboss.errors import Unreadable
from pitboss.money import split, times
from pitboss.rulebook.money_rules import Progressive
from pitboss.rulebook.paytable import Row
from pitboss.settle.lines import Draft, Reason


def award(
    rule: Progressive, meter_cents: int | None, claims: Sequence[tuple[Draft, Row]], rounding: str
) -> int | None:
    """Pay every claim, in place; return where the meter stands afterwards.

    Where nobody says where it stood, fixed awards are paid and a part of it cannot be.
    """
    if meter_cents is None:
        _awards_alone(rule, claims)
        return None
    shares = [(draft, row, row.meter) for draft, row in claims if row.meter is not None]
    fixed = [(draft, row, row.award) for draft, row in claims if row.award is not None]
    wanted = [times(meter_cents, part, rounding) for _, _, part in shares]
    parts = [part for _, _, part in shares]
    paid = split(meter_cents, parts) if sum(parts) >= 1 else wanted
    for (draft, row, part), nominal, share in zip(shares, wanted, paid, strict=True):
        draft.nominal_cents, draft.won_cents = nominal, share
        facts = {
            "part": str(part),
            "meter_cents": meter_cents,
            "nominal_cents": nominal,
            "won_cents": share,
            "claims": len(shares),
        }
        whole = share == nominal
        clause = row.cited if whole else rule.clause_on("share")
        draft.reasons.append(Reason("meter" if whole else "meter-shared", clause, facts))
    pool = meter_cents - sum(paid)
    for draft, row, cents in fixed:
        draft.wins(cents)
        from_pool = min(pool, cents) if rule.awards_from == "pool" else 0
        pool -= from_pool
        facts = {"won_cents": cents, "pool_cents": from_pool, "house_cents": cents - from_pool}
        draft.reasons.append(Reason("award", row.cited, facts))
    emptied = claims and not pool
    return int(rule.reseed) if emptied else pool


def _awards_alone(rule: Progressive, claims: Sequence[tuple[Draft, Row]]) -> None:
    for draft, row in claims:
        if row.award is None:
            claim = f"{row.label} wins {row.meter} of the meter"
            ask = f"say where it stood when bets were closed [{rule.cited}]"
            raise Unreadable(f"{claim}: {ask}", "meter")
        draft.wins(row.award)
        draft.reasons.append(Reason("award-in-full", row.cited, {"won_cents": int(row.award)}))
