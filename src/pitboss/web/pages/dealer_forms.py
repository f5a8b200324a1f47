"""What the forms of the dealer's console ask for, as commands to the table."""

import re
from collections.abc import Callable

from pitboss.cards import Card, cards
from pitboss.errors import Unreadable
from pitboss.house.storage.projections import LoadedTable
from pitboss.house.table import commands as c
from pitboss.round import actions as a
from pitboss.round.state import deal_order
from pitboss.rulebook.deal_script import DealStep
from pitboss.web.pages import table_forms
from pitboss.web.pages.dealer_prompt import entered
from pitboss.web.pages.visit import Visit

FOR_SEATS = ("bet", "take-down", "raise", "fold", "check", "take-back")
"""What is entered for a seat, as the seat would ask for it."""


def asked(visit: Visit, live: LoadedTable) -> c.Command:
    wanted, _, more = visit.field("do").partition(":")
    if wanted in FOR_SEATS:
        return table_forms.asked(visit, live.book)
    if wanted not in _ASKED:
        raise Unreadable("this form asks for nothing that is done here", "do")
    visit.body["which"] = more
    return _ASKED[wanted](visit, live)


def read_cards(written: str) -> tuple[Card, ...]:
    """Read cards as somebody types or scans them: with or without anything between them.

    >>> read_cards("As10h, kd")
    (As, Th, Kd)
    """
    apart = re.sub(r"(?i)(?<=[2-9tjqka0][cdhs])(?=\w)", " ", written)
    try:
        return cards(apart)
    except Unreadable as error:
        raise error.at("cards") from None


def _deal(visit: Visit, live: LoadedTable) -> a.Deal:
    """The cards that were read; where none were, those that lie face down unread."""
    table = live.table
    read = read_cards(visit.field("cards")[:400])
    step = live.book.script[table.round.step]
    if read or not entered(table) or not isinstance(step, DealStep):
        return a.Deal(read)
    coming = deal_order(step, table.round.seats)[table.round.position :]
    ups = [up for _, _, up in coming]
    down = ups.index(True) if True in ups else len(ups)
    if not down:
        where = live.book.place_name(coming[0][0])
        raise Unreadable(f"enter the card that lies face up at the {where}", "cards")
    return a.Deal((None,) * down)


_ASKED: dict[str, Callable[[Visit, LoadedTable], c.Command]] = {
    "start-dealing": lambda _, __: c.StartDealing(),
    "stop-dealing": lambda _, __: c.StopDealing(),
    "inspect-cards": lambda _, __: c.InspectCards("dealer"),
    "wash-cards": lambda _, __: c.WashCards(),
    "shuffle-cards": lambda _, __: c.ShuffleCards(),
    "open-betting": lambda _, __: c.OpenBetting(),
    "close-bets": lambda _, __: a.CloseBets(),
    "light": lambda visit, _: a.Light(visit.field("which")[:10]),
    "deal": _deal,
    "turn": lambda visit, _: a.Turn(read_cards(visit.field("cards")[:400])),
    "call-out": lambda visit, live: c.ApprovePayoff(
        table_forms.win_meant(visit, live.table), "dealer"
    ),
    "pay": lambda _, __: a.Pay(),
    "undo": lambda _, __: c.Undo(),
}
"""What can be asked for on the console, besides what is entered for a seat."""
