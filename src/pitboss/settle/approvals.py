"""Who must see a payoff before it is paid, and whether they did."""

from collections.abc import Iterable, Iterator, Sequence

from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.pit_rules import Approval


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
    people = list(dict.fromkeys(given))
    best: tuple[Approval, ...] = tuple(rules)
    for assigned in _assignments(rules, people, dealer, ()):
        unmet = tuple(rule for rule, person in zip(rules, assigned, strict=True) if not person)
        if len(unmet) < len(best):
            best = unmet
    return best


def _assignments(
    rules: Sequence[Approval],
    people: Sequence[tuple[str, str]],
    dealer: str,
    assigned: tuple[str, ...],
) -> Iterator[tuple[str, ...]]:
    """Give each rule a person who may act on it and does nothing else here, or nobody."""
    if len(assigned) == len(rules):
        yield assigned
        return
    rule = rules[len(assigned)]
    for role, person in people:
        may = (person == dealer) == (rule.act == "call-out")
        if may and role in rule.by and person not in assigned:
            yield from _assignments(rules, people, dealer, (*assigned, person))
    yield from _assignments(rules, people, dealer, (*assigned, ""))
