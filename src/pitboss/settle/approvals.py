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
    book: Rulebook, rules: Sequence[Approval], given: Iterable[tuple[str, str]], dealer: str
) -> tuple[Approval, ...]:
    """Return the approvals that (role, person) pairs do not yet satisfy.

    Nobody approves what they dealt, and one person is not two approvers. The dealer calls out.
    Whoever is named for one approval stands in for another only where that leaves less to do.

    >>> from pitboss import rulebook
    >>> book = rulebook.load("diamond-jo-worth/cajun-stud")
    >>> rules = needed(book, 200_000)
    >>> given = [("dealer", "dan"), ("floor-supervisor", "flo"), ("shift-manager", "flo")]
    >>> [label(rule) for rule in missing(book, rules, given, dealer="dan")]
    ['surveillance-or-shift-manager']
    """
    people = list(dict.fromkeys(given))
    least, left = (len(rules) + 1, 0), tuple(rules)
    for assigned in _assignments(book, rules, people, dealer, ()):
        given_to = list(zip(rules, assigned, strict=True))
        unmet = tuple(rule for rule, who in given_to if who is None)
        stand_ins = sum(who is not None and who[0] not in rule.by for rule, who in given_to)
        costs = len(unmet), stand_ins
        if costs < least:
            least, left = costs, unmet
    return left


def _assignments(
    book: Rulebook,
    rules: Sequence[Approval],
    people: Sequence[tuple[str, str]],
    dealer: str,
    assigned: tuple[tuple[str, str] | None, ...],
) -> Iterator[tuple[tuple[str, str] | None, ...]]:
    """Give each rule a person who may act on it and does nothing else here, or nobody."""
    if len(assigned) == len(rules):
        yield assigned
        return
    rule = rules[len(assigned)]
    busy = [who[1] for who in assigned if who is not None]
    for role, person in people:
        may = (person == dealer) == (rule.act == "call-out") and person not in busy
        if may and book.allows(role, rule.by):
            yield from _assignments(book, rules, people, dealer, (*assigned, (role, person)))
    yield from _assignments(book, rules, people, dealer, (*assigned, None))
