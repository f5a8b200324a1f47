"""Awards to others: when one hand reaches such a row, everybody else with the wager is paid too."""

from collections.abc import Sequence

from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.paytable import Row
from pitboss.settle.lines import Draft, Reason


def award_others(book: Rulebook, seats: Sequence[tuple[int, Sequence[Draft]]]) -> None:
    """Add to each wager, in place, what the hands of others win for it."""
    for spot in book.spot:
        table = book.tables.get(spot.table)
        rows = table.for_others if table is not None else {}
        if rows:
            # Only a wager that was held against its table has a row: no folded hand's, no dead one.
            down = [(n, d) for n, drafts in seats for d in drafts if d.spot == spot.name and d.row]
            hits = [(number, rows[draft.row]) for number, draft in down if draft.row in rows]
            for number, draft in down:
                for other, row in hits:
                    if other != number:
                        _add(draft, other, row)


def _add(draft: Draft, seat: int, row: Row) -> None:
    assert row.others is not None
    draft.nominal_cents += row.others
    draft.won_cents += row.others
    draft.dropped |= draft.outcome == "lose"  # the stake is lost all the same
    draft.outcome = "win"
    facts = {"seat": seat, "row_title": row.label.lower(), "won_cents": int(row.others)}
    draft.reasons.append(Reason("others", row.cited, facts))
