"""What the lab asks of a rulebook with changes: each question is answered from the books alone.

Numbers are those of the par contract, as ``pitboss par --json`` has them for the saved book. An
answer is plain values, so that another process can give it.
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from pitboss.errors import Unreadable, Unsolved
from pitboss.lab import protect
from pitboss.lab.chart import chart, drawn
from pitboss.lab.clause_costs import ClauseCost, clause_cost
from pitboss.lab.comparison import Comparison, compared
from pitboss.lab.controls import Trial, tried
from pitboss.lab.design_request import DesignPart, DesignRequest, searched
from pitboss.lab.par_page import sheet
from pitboss.lab.report import Report, as_json, by_event, report
from pitboss.lab.risk_sheet import RiskRequest, RiskSheet
from pitboss.lab.risk_sheet import sheet as risk_sheet
from pitboss.maths.outcomes import NO_SUCH_PLAY
from pitboss.maths.pay_table_games import PayTableSolution
from pitboss.maths.price import USUAL_ANTE_CENTS, At
from pitboss.maths.solution import Solution, at_hand, at_once, same_play, solve
from pitboss.rulebook.check import warnings
from pitboss.rulebook.loader import convert
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.once import once_for

SLOW = "it takes up to a minute to work out, once"
"""Why a game has no number yet."""

ANY = At()
"""At any table whose cents and ceilings change nothing: how the posted rules are best played there
is what bounds stand on, at every table."""

MOST_GROUPS = 4
"""Groups of ranks that are told by their backs, in one question."""


class Experiment(msgspec.Struct, frozen=True):
    """A rulebook, what is changed in it, and the table at which it is priced."""

    changes: dict[str, str] = {}
    at: At = At()
    beside: str = ""
    """Of a comparison: the other rulebook, as text; the posted one where it is empty."""
    backs: tuple[str, ...] = ()
    """Groups of ranks that are told by their backs."""
    design: DesignRequest | None = None
    known: str = ""
    """Of a design: what was worked out so far."""
    risk: RiskRequest | None = None
    clause: str = ""
    others: tuple[str, ...] = ()
    """Of a clause's price: rulebooks that may word it otherwise, as text."""


class EventShare(msgspec.Struct, frozen=True):
    """Something that happens, how often, and what it adds to the player's return."""

    event: str
    share: float
    back: float


class TrialFigures(msgspec.Struct, frozen=True):
    """What a rulebook with changes comes to."""

    taken: dict[str, str]
    refused: dict[str, str]
    rulebook: str
    sha256: str
    warnings: tuple[str, ...]
    """What to beware of."""
    par: dict[str, Any] | None = None
    """As ``pitboss par --json`` has it."""
    events: tuple[EventShare, ...] = ()
    grid: tuple[tuple[int, ...], ...] | None = None
    """The choice with two cards, where that is the first decision of a pay-table game."""
    bound: bool = False
    """Played as is best in the posted book: best play of this one is at least as good."""
    why: str = ""
    """Why there is no number, or none that is exact."""


class Sheet(msgspec.Struct, frozen=True):
    """What takes longer than a drag: best play, and the price by ante."""

    html: str = ""
    why: str = ""


class KnownCards(msgspec.Struct, frozen=True):
    """What the player is worth who knows more than the rules let them see, in antes."""

    ordinary: float
    lines: tuple[tuple[str, float], ...]
    why: str = ""
    """Why marked backs are not told."""


def figures(posted: Rulebook, asked: Experiment) -> TrialFigures:
    """Price a book with changes: exactly where that takes no longer than a moment."""
    trial, at = tried(posted, asked.changes), asked.at
    book = trial.book
    try:
        if _at_hand(book, at):
            return _figures(trial, **_priced(_solved(book, at), at))
        if not _at_hand(posted, ANY):
            return _figures(trial, why=SLOW)
        played = same_play(_solved(posted, ANY), book, (at.ante_cents, at.minimum_cents))
        return _figures(trial, **_priced(played, at, bound=True), bound=True, why=SLOW)
    except Unsolved as error:  # what has no bound is worked out, or not at all
        return _figures(trial, why=SLOW if error.message == NO_SUCH_PLAY else error.message)


def exact(posted: Rulebook, asked: Experiment) -> TrialFigures:
    """Price it exactly, however long that takes; what took long is kept, if this disk lets us."""
    trial = tried(posted, asked.changes)
    return _figures(trial, **_priced(_solved(trial.book, asked.at), asked.at))


def _figures(trial: Trial, **told: Any) -> TrialFigures:
    book = trial.book
    said = tuple(each.message for each in warnings(book))
    return TrialFigures(trial.taken, trial.refused, book.id, book.sha256, said, **told)


def best_play(posted: Rulebook, asked: Experiment) -> Sheet:
    """Draw best play, and the price by ante."""
    book = tried(posted, asked.changes).book
    if not _at_hand(book, asked.at):
        return Sheet(why=SLOW)
    try:
        made = report(_solved(book, asked.at), whole=True)
    except Unsolved as error:
        return Sheet(why=error.message)
    grid = () if isinstance(made.solution.solved, PayTableSolution) else ("grid",)
    return Sheet(sheet(made, ("play", "curve", *grid)))  # with the figures there is one already


def comparison(posted: Rulebook, asked: Experiment) -> Comparison:
    """Put a book beside another, and price each difference."""
    book = tried(posted, asked.changes).book
    other = posted
    if asked.beside:
        other = _read(asked.beside)
    return compared(*((book, other) if asked.beside else (posted, book)), asked.at)


def clause_price(posted: Rulebook, asked: Experiment) -> ClauseCost:
    """Say what a clause costs."""
    found = clause_cost(posted, asked.clause, map(_read, asked.others), asked.at)
    if found is None:
        raise Unreadable(f"these rules cite no clause {asked.clause!r}", "clause")
    return found


def known_cards(posted: Rulebook, asked: Experiment) -> KnownCards:
    """Say what each exposed card, and each group of marked ones, is worth."""
    book, at = tried(posted, asked.changes).book, asked.at
    backs = {each.upper(): protect.group(each) for each in asked.backs}
    if len(backs) > MOST_GROUPS:
        raise Unreadable(f"at most {MOST_GROUPS} groups of ranks at a time", "backs")
    if not _at_hand(book, at):
        raise Unsolved(SLOW, book.id)
    plain = _solved(book, at)
    stake = at.ante_cents, plain.minimum_cents
    lines = [
        (protect.key_words(book, key), float(protect.known(book, key, *stake)))
        for key in protect.keys(book)
    ]
    why = ""
    try:
        for name, ranks in backs.items():
            told = float(protect.told(book, ranks, *stake))
            lines.append((f"{name} told by their backs", told))
    except Unsolved as error:
        why = error.message
    return KnownCards(float(plain.value), tuple(lines), why)


def design(posted: Rulebook, asked: Experiment) -> DesignPart:
    """Search for pay tables, one part of it."""
    if asked.design is None:
        raise Unreadable("ask for something: an edge near 5%, or from 4% to 6%", "design")
    return searched(tried(posted, asked.changes).book, asked.design, asked.known)


def risk(posted: Rulebook, asked: Experiment) -> RiskSheet:
    """Say what may happen to the money; where no ante is given, at the least or usual one."""
    book = tried(posted, asked.changes).book
    ante = asked.at.ante_cents or book.limits.minimum.least(USUAL_ANTE_CENTS)
    at = msgspec.structs.replace(asked.at, ante_cents=ante)
    if not _at_hand(book, at):
        raise Unsolved(SLOW, book.id)
    return risk_sheet(_solved(book, at), at, asked.risk or RiskRequest())


QUESTIONS: Mapping[str, Callable[[Rulebook, Experiment], msgspec.Struct]] = {
    "figures": figures,
    "exact": exact,
    "best-play": best_play,
    "comparison": comparison,
    "clause": clause_price,
    "known-cards": known_cards,
    "design": design,
    "risk": risk,
}
"""By the name under which another process is asked."""


def _read(text: str) -> Rulebook:
    book: Rulebook = convert(msgspec.json.decode(text), Rulebook, "the other rulebook")
    return book


def _priced(solution: Solution, at: At, *, bound: bool = False) -> dict[str, Any]:
    made = _reported(solution, at, bound)
    events = (
        EventShare(event, deals / solution.deals, float(worth))
        for event, deals, worth in by_event(solution)
    )
    return {"par": as_json(made), "events": tuple(events), "grid": _grid(solution, bound)}


def _reported(solution: Solution, at: At, bound: bool) -> Report:
    meter = None if solution.book.progressive is None else at.meter(solution.book)
    return report(solution, meter_cents=meter, same_play=bound)


def _grid(solution: Solution, bound: bool) -> tuple[tuple[int, ...], ...] | None:
    if bound or not isinstance(solution.solved, PayTableSolution) or not drawn(solution):
        return None
    return chart(solution, lists=False).grid


@once_for(8)
def _solved(book: Rulebook, at: At) -> Solution:
    return solve(book, at.ante_cents, at.minimum_cents)


def _at_hand(book: Rulebook, at: At) -> bool:
    """Whether a book is priced at this table in a moment."""
    return at_hand(book, at.ante_cents, at.minimum_cents) or at_once(book)
