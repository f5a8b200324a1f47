"""The accounts of the double-entry ledger: whatever moves money posts balanced entries to them.

Wagers lie on the table's layout while they are undecided. The cage gives out every chip and may
owe; and so may what people carry in their pockets, since the cage writes down no chips that it
sells to somebody without an account. Nobody else may.
"""

CAGE = "cage"
PLAY_CAGE = "cage:play"
"""Play chips are their own money: they come from here and never mix with the others."""
TURNED_OVER = "turned-over"
"""Held winnings that nobody claimed, once the house's rules have sent them elsewhere."""
OUTSTANDING = "outstanding"
"""Chips that people without an account took along from the tables, less what they brought."""
MAY_OWE = (CAGE, PLAY_CAGE, OUTSTANDING)
Posting = tuple[str, int]
"""An account, and the cents that come to it."""


def chips(person: str, *, practice: bool) -> str:
    return f"play:{person}" if practice else f"chips:{person}"


def cage(*, practice: bool) -> str:
    """Return where a table's chips come from."""
    return PLAY_CAGE if practice else CAGE


def outstanding(*, practice: bool) -> str:
    """Return the account of chips in pockets; nobody takes play chips along."""
    return PLAY_CAGE if practice else OUTSTANDING


def drop(table: str) -> str:
    """Return the account of cash in a table's box; the cage stands for it until it is counted."""
    return f"drop:{table}"


def bank(table: str) -> str:
    return f"bank:{table}"


def layout(table: str) -> str:
    return f"layout:{table}"


def pool(table: str) -> str:
    return f"pool:{table}"


def tokes(table: str) -> str:
    """Return the account of what lies at a table for the dealers."""
    return f"tokes:{table}"


def dealers(*, practice: bool) -> str:
    """Return the account of tokes that were taken off the tables for the dealers."""
    return "dealers:play" if practice else "dealers"


def held(person: str, *, practice: bool) -> str:
    """Return the account of winnings that are kept for a person."""
    return f"held-play:{person}" if practice else f"held:{person}"


def claims(owes: str, *, practice: bool) -> str:
    """Return the account of what somebody was paid too much and owes: a person, or a table's tokes.
    The cage stands for it until it is collected or written off."""
    return f"claims-play:{owes}" if practice else f"claims:{owes}"


def tax(*, practice: bool) -> str:
    """Return the account of tax that was withheld."""
    return "tax:play" if practice else "tax"
