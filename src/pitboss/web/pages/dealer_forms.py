"""What the forms of the dealer's console ask for, as commands to the table."""

import re
from collections.abc import Callable
from typing import Literal

from pitboss import money
from pitboss.cards import Card, cards
from pitboss.errors import Unreadable, refuse
from pitboss.house.storage.projections import LoadedTable
from pitboss.house.table import commands as c
from pitboss.round import actions as a
from pitboss.round.state import deal_order
from pitboss.rulebook.deal_script import DealStep
from pitboss.web.api.types import names_colours
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


def _amount(visit: Visit, live: LoadedTable, field: str) -> int:
    given = visit.field(field).removeprefix(live.book.sign)
    try:
        return int(money.cents(given, live.book.currency)) if given else 0
    except Unreadable as error:
        raise error.at(field) from None


def _patron(visit: Visit, live: LoadedTable) -> c.SeatPatron | c.BuyIn:
    """Somebody sits down; who sat there already when the form was drawn buys more. Whoever has
    sat down since does not get what another brought."""
    seat, cash = visit.number("seat"), _amount(visit, live, "cash_cents")
    chips = _amount(visit, live, "chips_cents")
    if str(seat) in visit.field("patrons").split():
        return c.BuyIn(seat, cash, chips)
    return c.SeatPatron(seat, visit.field("label")[:40], cash, chips)


def _colour_up(visit: Visit, live: LoadedTable) -> c.ColourUp:
    count, of, into = (visit.number(each) for each in ("count", "of", "into"))
    if not count or not into or count * of % into:
        taken, whole = f"{count} chips of {live.book.money(of)}", live.book.money(into)
        raise Unreadable(f"{taken} are no whole number of chips of {whole}", "count")
    return c.ColourUp(visit.number("seat"), {of: count}, {into: count * of // into})


def _kill(visit: Visit, live: LoadedTable) -> a.KillHand:
    """A hand of the round that is being played now."""
    if visit.number("round") != live.table.number:
        raise refuse("command/late", "this was about a hand of another round", "", "round")
    cause, _, role = visit.field("cause")[:80].partition(" ")
    count = visit.number("count") if visit.field("count") else 0
    return a.KillHand(visit.number("seat"), cause, role, count=count)


def _why(visit: Visit) -> str:
    why = visit.field("why")[:200]
    if not why:
        raise Unreadable("say why", "why")
    return why


def _bring(visit: Visit, _: LoadedTable) -> c.BringCards:
    colours = [visit.field(f"colour-{number}")[:200] for number in range(1, 5)]
    if not any(colours):
        raise Unreadable("say of which colour the new cards are", "colour-1")
    brought = c.BringCards(tuple(filter(None, colours)))
    names_colours(brought, "colour-1")
    return brought


_FOUND: dict[str, Literal["in-order", "missing", "flawed"]] = {
    "": "in-order",
    "missing": "missing",
    "flawed": "flawed",
}


def _inspect(visit: Visit, _: LoadedTable) -> c.InspectCards:
    found = _FOUND.get(visit.field("which"))
    if found is None:
        raise Unreadable("a deck is in order, or a card is missing or flawed", "do")
    return c.InspectCards(visit.field("role")[:40], visit.field("colour")[:200], found)


def _replace(visit: Visit, _: LoadedTable) -> c.ReplaceCard:
    read = read_cards(visit.field("card")[:10])
    if len(read) != 1:
        raise Unreadable("name the one card that is replaced", "card")
    role, colour = visit.field("role")[:40], visit.field("colour")[:200]
    return c.ReplaceCard(read[0], role, _why(visit), colour)


def _shuffler(visit: Visit, _: LoadedTable) -> c.ChangeShuffler:
    """As the form was drawn: somebody else may have changed it since."""
    device, approval = (visit.field(f"shuffler_{each}")[:80] for each in ("device", "approval"))
    return c.ChangeShuffler(visit.answer("shuffler"), _why(visit), device, approval)


_ASKED: dict[str, Callable[[Visit, LoadedTable], c.Command]] = {
    "start-dealing": lambda _, __: c.StartDealing(),
    "stop-dealing": lambda _, __: c.StopDealing(),
    "inspect-cards": _inspect,
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
    "patron": _patron,
    "colour-up": _colour_up,
    "void-buy-in": lambda visit, _: c.VoidBuyIn(visit.number("seat"), _why(visit)),
    "unseat-patron": lambda visit, _: c.UnseatPatron(visit.number("seat")),
    "kill-hand": _kill,
    "call-floor": lambda visit, _: c.CallFloor(visit.field("why")[:200]),
    "answer-floor": lambda _, __: c.AnswerFloor(),
    "bring-cards": _bring,
    "replace-card": _replace,
    "retire-cards": lambda visit, _: c.RetireCards(_why(visit), visit.field("colour")[:200]),
    "change-shuffler": _shuffler,
    "drop-tokes": lambda _, __: c.DropTokes(),
}
"""What can be asked for on the console, besides what is entered for a seat."""
