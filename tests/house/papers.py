"""What winners' papers say, wherever a test needs some, and whose forms are completed by them."""

from typing import Any

from pitboss.house.books.papers import Payee
from pitboss.house.table import commands as c

PAYEE = Payee("A. Winner", "1 Main Street", ("passport 1", "licence 2"), tin="123-45-6789")
ABROAD = Payee("A. Visitor", "2 High Street", ("passport 3", "card 4"), "foreign", "", "CA")
ONE_PROOF = Payee("O. Winner", "3 Low Street", ("licence 5",))


def complete(seat: int, sitter: Any) -> c.CompleteForm:
    """What the cage asks for when somebody shows papers that say what the house knows of them."""
    foreign = sitter.player.residence == "foreign"
    return c.CompleteForm(seat, ABROAD if foreign else PAYEE)
