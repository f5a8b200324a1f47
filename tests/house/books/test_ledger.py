"""The accounts: no two of them are one, and play chips never meet real ones."""

import re
from itertools import combinations

from pitboss.house.books import ledger
from pitboss.house.storage.schema import MIGRATIONS


def accounts(*, practice: bool) -> list[str]:
    """Every account that belongs to people, to the cage and to the tax desk."""
    people = [
        of(person, practice=practice)
        for of in (ledger.chips, ledger.held)
        for person in ("ann", "bob", "play", "cage")
    ]
    return [*people, ledger.cage(practice=practice), ledger.tax(practice=practice)]


def test_no_two_accounts_are_one():
    tables = [
        of(table)
        for of in (ledger.bank, ledger.layout, ledger.pool, ledger.tokes)
        for table in ("ann", "play", "t1")
    ]
    several = [*accounts(practice=False), *accounts(practice=True), *tables]
    assert [(one, two) for one, two in combinations(several, 2) if one == two] == []


def test_the_database_lets_the_cages_owe_and_nobody_else():
    written = "".join(statement for step in MIGRATIONS for statement in step)
    *_, owing = re.findall(r"cents >= 0 OR account IN \(([^)]*)\)", written)
    assert owing == ", ".join(f"'{account}'" for account in ledger.MAY_OWE)
