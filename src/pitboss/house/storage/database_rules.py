"""The database's own rules: keys, checks, indexes and triggers, compared with those we make.

Promises lean on them: a key is used once because of an index, and no account is overdrawn because
of a check. What they ought to be is nowhere listed: the migrations are carried out on an empty
database of the same kind, and the two are compared.
"""

from pitboss.house.storage.databases import Dialect, Rules
from pitboss.house.storage.schema import migrate


def expected(database: Dialect) -> Rules:
    """Return the rules that the migrations make."""
    with database.empty() as cursor:
        migrate(cursor, database.sql)
        return database.rules(cursor)


def differences(ought: Rules, rules: Rules) -> list[tuple[str, str]]:
    """Return where the rules of our tables are others: the table, and what is wrong there."""
    ours = {table for table, _ in ought}
    found = {rule: text for rule, text in rules.items() if rule[0] in ours}
    wrong = [(*rule, "is missing") for rule in ought if rule not in found]
    wrong += [(*rule, "is none of ours") for rule in found if rule not in ought]
    wrong += [
        (*rule, f"is {text!r}, not {ought[rule]!r}")
        for rule, text in found.items()
        if text != ought.get(rule, text)
    ]
    return [(table, f"{what} {why}") for table, what, why in sorted(wrong)]
