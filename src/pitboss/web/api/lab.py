"""The lab for programs: the exact price of a rulebook with changes."""

import secrets
from contextlib import suppress
from typing import Any

import msgspec
from msgspec.structs import replace

from pitboss.errors import Refused, Unreadable
from pitboss.lab.questions import SLOW, Experiment
from pitboss.web import guards, lab_desk
from pitboss.web.lab_desk import Lab
from pitboss.web.pipeline import Call
from pitboss.web.services import Services, unpriced
from pitboss.web.workers import LongWork


class LabQuery(msgspec.Struct, frozen=True):
    """What is changed, and the table at which it is priced."""

    ante: str = ""
    """Such as 25.00; ``none`` leaves payout caps out."""
    minimum: str = ""
    meter: str = ""
    version: str = ""
    """The hash of an earlier version of the rulebook."""
    changes: dict[str, str] = {}
    """Each by its path, such as ``table.main.rows.flush.odds=7 to 1``."""


class LabPrice(msgspec.Struct, frozen=True):
    """A rulebook with changes, and its price."""

    rulebook: str
    sha256: str
    changes: dict[str, str]
    """What differs from the posted book, by path."""
    bound: bool
    """Played as is best without the changes: best play is worth at least this much. The exact price
    is begun: whoever asks again after a while has it."""
    par: dict[str, Any]
    """As ``pitboss par --json`` has it for the saved book."""


async def lab_price(web: Services, call: Call[None]) -> LabPrice:
    """The exact price of a rulebook with other odds, multiples, qualifier or payout cap."""
    web.bound("lab", call.request, call.person.id)
    state = lab_desk.read(call.request.query_params.multi_items())
    book = await web.house.rulebook(f"{call.path('house')}/{call.path('game')}", state.version)
    asked, long = Experiment(state.changes, lab_desk.at(state, book)), web.kept(LongWork)
    where = guards.address(call.request)
    who = f"program {where}"
    each = f"{who} {secrets.token_hex(4)}"  # a program wants all that it asks at once
    found = await lab_desk.figures(web.kept(Lab), long, book, asked, each, where)
    for path, why in found.refused.items():
        raise Unreadable(why, path)
    if found.par is None and found.why == SLOW:
        lab_desk.begin_posted(long, book)
    if found.why == SLOW:
        with suppress(Refused):  # there is too much to do: whoever asks again has it begun then
            web.bound("lab", call.request, call.person.id, cost=3)
            taken = replace(asked, changes=found.taken)
            lab_desk.begin_unasked(long, "exact", book, taken, who)
    if found.par is None:
        raise unpriced(found.why)
    return LabPrice(found.rulebook, found.sha256, found.taken, found.bound, found.par)
