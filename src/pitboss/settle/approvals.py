"""Who must see a payoff before it is paid, and whether they did."""

from collections.abc import Iterable, Sequence

from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.pit import Approval


def needed(book: Rulebook, won_cents: int) -> tuple[Approval, ...]:
    """Return the approvals that winnings of this size need, smallest first."""
    found = [rule for rule in book.approval if won_cents > rule.over]
    return tuple(sorted(found, key=lambda rule: rule.over))


def label(rule: Approval) -> str:
    """Name an approval in one word for programs: ``call-out`` or who gives it."""
    return rule.act if rule.act == "call-out" else "-or-".join(rule.by)


def missing(
    rules: Sequence[Approval], given: Iterable[tuple[str, str]], dealer: str
) -> tuple[Approval, ...]:
    """Return the approvals that (role, person) pairs do not yet satisfy.

    Nobody approves what they dealt, and one person is not two approvers. The dealer calls out.

    >>> from pitboss import rulebook
    >>> rules = needed(rulebook.load("diamond-jo-worth/cajun-stud"), 200_000)
    >>> given = [("dealer", "dan"), ("floor-supervisor", "flo"), ("shift-manager", "flo")]
    >>> [label(rule) for rule in missing(rules, given, dealer="dan")]
    ['surveillance-or-shift-manager']
    """
    left = list(given)
    used: set[str] = set()
    unmet = []
    for rule in rules:
        called = rule.act == "call-out"
        found = next(
            (
                (role, person)
                for role, person in left
                if role in rule.by
                and (person == dealer if called else person != dealer)
                and person not in used
            ),
            None,
        )
        if found is None:
            unmet.append(rule)
        else:
            used.add(found[1])
    return tuple(unmet)
