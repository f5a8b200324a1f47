"""The lab on the web: what its address says, and who is answered what, within bounds.

The whole state of the page is in its address, canonically: changes by their paths, the table at
which they are priced, and what else is looked at. Answers come from processes of the lab's own, and
are remembered by the book's hash and all that was asked.
"""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlencode

import msgspec
from msgspec.structs import replace

from pitboss import money
from pitboss.errors import Refused, Unreadable, Unsolved
from pitboss.house.storage import codec
from pitboss.lab.clause_costs import ClauseCost
from pitboss.lab.comparison import Comparison
from pitboss.lab.controls import LONGEST as LONGEST_VALUE
from pitboss.lab.design_request import DesignPart
from pitboss.lab.questions import SLOW, Experiment, KnownCards, Sheet, TrialFigures
from pitboss.lab.risk_sheet import RiskSheet
from pitboss.maths.price import USUAL_ANTE_CENTS, At
from pitboss.rulebook import Rulebook
from pitboss.web.lab_worker import Question, decoded
from pitboss.web.workers import SUPERSEDED, Lane, LongWork

MOST_FIELDS = 200
MOST_KNOWN = 256
"""Answers that are remembered."""

NO_ANTE = "none"
"""Instead of an ante: ceilings are left out."""

KINDS: Mapping[str, Any] = {
    "figures": TrialFigures,
    "exact": TrialFigures,
    "best-play": Sheet,
    "comparison": Comparison,
    "clause": ClauseCost,
    "known-cards": KnownCards,
    "design": DesignPart,
    "risk": RiskSheet,
}
SECONDS = {
    "figures": 20.0,
    "best-play": 30.0,
    "comparison": 60.0,
    "known-cards": 30.0,
    "risk": 60.0,
}
"""What each may take, where it is waited for; what takes minutes is begun and looked at later."""


class LabState(msgspec.Struct, frozen=True):
    """What an address of the lab says."""

    changes: dict[str, str] = {}
    ante: str = ""
    """Empty: the usual one where there are payout caps, and else none."""
    minimum: str = ""
    meter: str = ""
    show: str = ""
    """The view below the figures."""
    beside: str = ""
    """The rulebook that it is compared with; empty for the posted one."""
    backs: str = ""
    """Groups of ranks that are told by their backs."""
    version: str = ""
    """Of the posted rulebook."""
    design: dict[str, str] = {}
    """What is asked of pay tables, by field."""
    risk: dict[str, str] = {}
    """What is asked of risk, by field."""


FORMS = ("design", "risk")
"""Views with a form of their own, whose fields stand in the address under its name."""
_OWN = tuple(name for name in LabState.__struct_fields__ if name not in ("changes", *FORMS))


def read(query: Iterable[tuple[str, str]]) -> LabState:
    """Read what stands behind the question mark; changes are all that is no word of the lab's."""
    fields: dict[str, str] = {}
    for name, value in query:
        if len(fields) >= MOST_FIELDS or len(name) > 120 or len(value) > 2 * LONGEST_VALUE:
            raise Unreadable("this is more than any rulebook has to change", name[:60])
        fields.setdefault(name, value.strip())
    own: dict[str, Any] = {name: fields.pop(name, "") for name in _OWN}
    own |= {name: fields_of(name, fields) for name in FORMS}
    changes = {
        name: value
        for name, value in fields.items()
        if value and name.partition(".")[0] not in FORMS
    }
    return LabState(changes=changes, **own)


def fields_of(form: str, fields: Mapping[str, str]) -> dict[str, str]:
    """Return what is filled in of a form, by the names of its own."""
    start = f"{form}."
    return {
        name.removeprefix(start): value.strip()
        for name, value in fields.items()
        if name.startswith(start) and value.strip()
    }


def form_fields(state: LabState) -> list[tuple[str, str]]:
    """Return what is filled in of all forms, as the address has it."""
    return [
        (f"{form}.{name}", value) for form in FORMS for name, value in getattr(state, form).items()
    ]


def query(state: LabState) -> str:
    """Write a state as an address has it: what is as usual is left out."""
    said = [(name, value) for name in _OWN if (value := getattr(state, name))]
    return urlencode([*state.changes.items(), *said, *form_fields(state)])


def usual_ante(book: Rulebook) -> int | None:
    """Return the ante at which a book is priced where nobody says: caps need one to bite."""
    return USUAL_ANTE_CENTS if book.cap else None


def at(state: LabState, book: Rulebook) -> At:
    """Read the table at which a book is priced."""
    ante = usual_ante(book)
    if state.ante == NO_ANTE:
        ante = None
    elif state.ante:
        ante = _money(state.ante, "ante", book)
    return At(
        ante_cents=ante,
        minimum_cents=_money(state.minimum, "minimum", book),
        meter_cents=_money(state.meter, "meter", book) if book.progressive else None,
    )


def amiss(state: LabState, book: Rulebook) -> dict[str, str]:
    """Say what of the table cannot be read, each by its name."""
    found = {}
    for name in ("ante", "minimum", "meter"):
        try:
            at(LabState(**{name: getattr(state, name)}), book)
        except Unreadable as error:
            found[name] = error.message
    return found


def _money(written: str, place: str, book: Rulebook) -> int | None:
    if not written:
        return None
    try:
        found = int(money.cents(written, book.currency))
    except Unreadable as error:
        raise Unreadable(error.message, place) from None
    if not found:
        raise Unreadable("more than nothing is needed here, such as 10", place)
    return found


def canonical(state: LabState, taken: Mapping[str, str], book: Rulebook) -> LabState:
    """Return the state as everybody writes it: what was taken, and sums as they are printed."""
    table = at(state, book)
    ante = "" if table.ante_cents == usual_ante(book) else _said(table.ante_cents) or NO_ANTE
    return replace(
        state,
        changes=dict(taken),
        ante=ante,
        minimum=_said(table.minimum_cents),
        meter=_said(table.meter_cents),
    )


def _said(cents: int | None) -> str:
    return "" if cents is None else money.short(cents)


class Lab:
    """The processes of the lab, and what they have answered."""

    def __init__(self) -> None:
        self.quick, self.slow = Lane(2), Lane(5)  # a table goes before both
        self._known: OrderedDict[str, asyncio.Task[Any]] = OrderedDict()

    async def ask(
        self, question: str, book: Rulebook, asked: Experiment, who: str, address: str
    ) -> Any:
        """Return an answer; the newest question of somebody goes before their older ones."""
        key = key_of(question, book, asked)
        while True:
            found, mine = self._known.get(key), False
            if found is None or (found.done() and (found.cancelled() or found.exception())):
                work, mine = self._answer(question, book, asked, f"{who} {question}", address), True
                found = self._known[key] = asyncio.ensure_future(work)
                if len(self._known) > MOST_KNOWN:
                    self._known.popitem(last=False)
            try:
                return await asyncio.shield(found)
            except Refused as refused:  # who else asks the same has not asked anything newer
                if mine or refused.refusal is not SUPERSEDED:
                    raise

    async def _answer(
        self, question: str, book: Rulebook, asked: Experiment, who: str, address: str
    ) -> Any:
        lane = self.quick if question == "figures" else self.slow
        line = line_of(question, book, asked)
        found = decoded(await lane.ask(who, address, line, SECONDS[question]), KINDS[question])
        if getattr(found, "why", "") == SLOW and not getattr(found, "bound", False):
            self._known.pop(key_of(question, book, asked), None)  # the next time more may be known
        return found

    def close(self) -> None:
        self.quick.close()
        self.slow.close()


async def figures(
    lab: Lab, long: LongWork, book: Rulebook, asked: Experiment, who: str, address: str
) -> TrialFigures:
    """Return figures; exact ones that took long are there once they are done."""
    found: TrialFigures = await lab.ask("figures", book, asked, who, address)
    if found.why != SLOW:
        return found
    try:  # it is asked for by what was taken, however that was typed
        exact = done(long, "exact", book, replace(asked, changes=found.taken))
    except Unsolved as error:
        return replace(found, why=error.message)
    return replace(exact, refused=found.refused) if exact else found


def begin(
    long: LongWork, question: str, book: Rulebook, asked: Experiment, who: str, page: str = ""
) -> None:
    """Have something begun that takes minutes, or have it go on."""

    def following(answer: bytes) -> bytes | None:
        try:
            part = decoded(answer, KINDS[question])
        except (Unreadable, Unsolved):
            return None
        if not isinstance(part, DesignPart) or not part.known:
            return None
        return line_of(question, book, replace(asked, known=part.known))

    key, line = key_of(question, book, asked), line_of(question, book, asked)
    long.begin(key, line, who, following, page)


POSTED = Experiment()
"""The posted rules, whatever the ante."""

MOST_UNASKED = 4
"""With as much to do nothing is begun that nobody has pressed a button for."""


def begin_unasked(
    long: LongWork, question: str, book: Rulebook, asked: Experiment, who: str
) -> None:
    """Have something begun because somebody looks at what it is for: once, where there is little
    else to do, and not in place of anything of theirs."""
    if (
        len(long.under_way) < MOST_UNASKED
        and not long.works_for(who)
        and key_of(question, book, asked) not in long.failed
    ):
        begin(long, question, book, asked, who)


def begin_posted(long: LongWork, book: Rulebook) -> None:
    """Have the posted rules of a slow game worked out, as every bound stands on that."""
    begin_unasked(long, "exact", book, POSTED, f"posted {book.sha256}")


def stop(long: LongWork, question: str, book: Rulebook, asked: Experiment, who: str) -> None:
    """Have something stopped that somebody has begun."""
    long.stop(key_of(question, book, asked), who)


def may_stop(long: LongWork, question: str, book: Rulebook, asked: Experiment, who: str) -> bool:
    return long.is_of(key_of(question, book, asked), who)


def done(long: LongWork, question: str, book: Rulebook, asked: Experiment) -> Any:
    """Return what came of it, as far as it is; None while nothing has."""
    found = long.answers.get(key_of(question, book, asked))
    return None if found is None else decoded(found, KINDS[question])


def place(long: LongWork, question: str, book: Rulebook, asked: Experiment) -> int:
    """Return which in the queue it is, from 1 on; 0 where it is not under way."""
    key = key_of(question, book, asked)
    return long.under_way.index(key) + 1 if key in long.under_way else 0


def key_of(question: str, book: Rulebook, asked: Experiment) -> str:
    told = msgspec.json.encode([question, book.sha256, asked], order="sorted")
    return hashlib.sha256(told).hexdigest()


def line_of(question: str, book: Rulebook, asked: Experiment) -> bytes:
    return msgspec.json.encode(Question(question, book.sha256, codec.rulebook_text(book), asked))
