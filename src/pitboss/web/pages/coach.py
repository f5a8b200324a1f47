"""The coach: what each choice is worth now and why, and what those of finished rounds cost.

Values are exact and count the wagers of the game itself: neither side wagers nor ceilings on
winnings have a part in them, and no card is known but those that the seat sees. A game that is not
solved yet, or a seat whose cards or wagers are not what its solution is about, gets no advice.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from fractions import Fraction

import msgspec

from pitboss import round as rounds
from pitboss.errors import Unreadable
from pitboss.house.decisions import choice_of, decided, situation
from pitboss.house.replay import Replay
from pitboss.house.table.events import TableEvent
from pitboss.lab.chart import Chart, chart, drawn
from pitboss.lab.chart_reasons import reason
from pitboss.lab.chart_words import points_words
from pitboss.maths.advise import history, seen
from pitboss.round import Option, Seat, State
from pitboss.round import events as e
from pitboss.rulebook import Rulebook
from pitboss.rulebook.once import once
from pitboss.web.pages.prices import at_hand, solved
from pitboss.wording import TIMES, spaced

Done = tuple[str, int]
"""What a seat does: the action, and the multiple of a raise."""

_DONE = {
    e.RaisePlaced: "raise",
    e.Folded: "fold",
    e.Checked: "check",
    e.WagerTakenBack: "take-back",
}
"""What a seat does, by the event that tells of it."""


class ValuedChoice(msgspec.Struct, frozen=True):
    """Something that a seat may do, and what that is worth."""

    action: str
    times: int
    """The multiple, for a raise."""
    says: str
    antes: Fraction
    """What the round nets on average from here on, all wagers counted, in antes."""
    cents: int
    """The same at the seat's ante, to the nearest cent."""
    text: str
    """The same as money, with its sign."""
    best: bool
    """Nothing is worth more; several choices may be worth the same."""
    less_cents: int
    """How much less than the best it is worth, to the nearest cent."""
    less: str
    """The same in words."""
    bar: int
    """Where it lies between the worst choice (0) and the best (100)."""

    @property
    def key(self) -> str:
        """How an address names it: ``raise:3``, ``fold``."""
        return f"{self.action}:{self.times}" if self.times else self.action


class Valuation(msgspec.Struct, frozen=True):
    """What each choice is worth to a seat that has to decide."""

    choices: tuple[ValuedChoice, ...]
    """In the order in which the rules name them."""
    ante_cents: int
    why: str
    """What makes the best choice the best; empty for a game of which no chart is drawn."""

    def best(self, within: Container[Done] | None = None) -> ValuedChoice:
        """Return the first of the best choices, or of the best of these: (action, times)."""
        some = [e for e in self.choices if within is None or (e.action, e.times) in within]
        return max(some, key=lambda each: each.antes)


class Cost(msgspec.Struct, frozen=True):
    """What one decision of a finished round cost."""

    best: str
    """The best choice: the one that was made, where nothing was worth more."""
    antes: Fraction
    """How much more the best choice was worth; 0 where it was made."""
    cents: int
    """The same at the seat's ante, to the nearest cent."""
    says: str
    why: str
    """What made the best choice the best."""

    @property
    def grade(self) -> str:
        """How dear it was: ``best``, a ``slip``, or a ``mistake`` from half an ante on."""
        if not self.antes:
            return "best"
        return "slip" if self.antes < Fraction(1, 2) else "mistake"


class DecisionReview(msgspec.Struct, frozen=True):
    """A decision of a finished round, and all that could have been done instead."""

    number: int
    """How many events had happened when it was made, itself the last."""
    cost: Cost | None
    """None where what it was worth is not known."""
    choices: tuple[ValuedChoice, ...] = ()
    """All that could be done."""
    made: ValuedChoice | None = None
    """The one of them that was."""


def silent(book: Rulebook) -> str:
    """Say why nothing is ever advised in a game; nothing where something is."""
    if not at_hand(book):
        comes = "the coach comes once this game is worked out"
        return f"{comes}, which takes up to a minute: the lobby has a button for it"
    return "" if solved(book) else "there is no coach: this kind of game is not solved yet"


def advice(book: Rulebook, state: State, seat: int, minimum_cents: int) -> Valuation | None:
    """Say what each choice is worth to a seat, from what it sees; None where it has none to make.

    Caps are left out. The posted minimum stands for an ante that is not down.
    """
    if seat not in rounds.due(book, state):
        return None
    held = state.seats[seat]
    ante = held.stakes.get(book.ante.name, minimum_cents)
    found = _worths(book, state, seat, ante)
    legal = rounds.legal(book, state, seat)
    options = {choice_of(option.action, option.times): option for option in legal}
    if not found or options.keys() - found.keys():
        return None
    low, high = (each(found[choice] for choice in options) for each in (min, max))
    choices = [
        _offered(book, option, found[choice], ante, low, high) for choice, option in options.items()
    ]
    best = max(options, key=lambda choice: found[choice])
    return Valuation(tuple(choices), ante, _why(book, state, held, best))


def warning(
    book: Rulebook, state: State, seat: int, minimum_cents: int, done: Done, purse_cents: int
) -> str | None:
    """Say what a choice costs that is not the best of those that a purse allows; None if it is."""
    advised = advice(book, state, seat, minimum_cents)
    if advised is None:
        return None
    legal = rounds.legal(book, state, seat)
    within = {(o.action, o.times) for o in legal if o.action != "raise" or o.cents <= purse_cents}
    if done not in within:
        return None
    chosen = next(each for each in advised.choices if (each.action, each.times) == done)
    best = advised.best(within)
    if chosen.antes == best.antes:
        return None
    lost = _lost(book, round((best.antes - chosen.antes) * advised.ante_cents))
    # What the chart says is about the best of all choices.
    why = f" ({advised.why})" if advised.why and best.best else ""
    return f"{chosen.says} costs {lost} on average: {best.says} is better{why}"


def decisions(past: Replay) -> tuple[DecisionReview, ...]:
    """Return the decisions of the seat whose view this is, each beside its other choices.

    Whoever made them for them, caps left out. A round that was called off has none.
    """
    if past.seat is None or past.state.misdeal:
        return ()
    return tuple(_decisions(past.book, past.events, past.seat))


def so_far(book: Rulebook, happened: Iterable[e.Event], seat: int) -> tuple[Cost, ...]:
    """Say what each decision of a seat cost among these events of a round, as the seat saw them."""
    made = _decisions(book, happened, seat)
    return tuple(each.cost for each in made if each.cost is not None)


def mattered(past: Replay) -> str:
    """Say in a line which decision of the seat whose view this is cost most.

    Nothing is said where nothing was decided, or something of which the worth is not known.
    """
    made = decisions(past)
    known = [each.cost for each in made if each.cost is not None]
    worst = max(known, key=lambda each: each.antes, default=None)
    if worst is not None and worst.antes:
        return worst.says.removesuffix(".") + (f" ({worst.why})." if worst.why else ".")
    all_known = known and len(known) == len(made)
    return "You played it as well as it can be played." if all_known else ""


def _decisions(
    book: Rulebook, happened: Iterable[TableEvent], seat: int
) -> Iterator[DecisionReview]:
    for each in decided(book, happened, seat):
        advised = advice(book, each.state, seat, each.state.minimum_cents)
        if advised is None:
            yield DecisionReview(each.number, None)
        else:
            yield _decision(book, each.state, each.event, each.number, advised)


def _decision(
    book: Rulebook, state: State, event: e.Decided, number: int, advised: Valuation
) -> DecisionReview:
    times = event.times if isinstance(event, e.RaisePlaced) else 0
    done = (_DONE[type(event)], times)
    chosen = next(each for each in advised.choices if (each.action, each.times) == done)
    best = chosen if chosen.best else advised.best()
    timed_out = not isinstance(event, e.RaisePlaced) and event.timed_out
    street = book.street_at[state.step]
    says = f"{chosen.says} was the best choice"
    if not chosen.best:
        lost = _lost(book, chosen.less_cents)
        says = f"{chosen.says} cost {lost}: {best.says} was the best choice"
    when = f"Decision {street}, out of time" if timed_out else f"Decision {street}"
    cost = Cost(
        best=best.says,
        antes=best.antes - chosen.antes,
        cents=chosen.less_cents,
        says=f"{when}: {says}.",
        why=advised.why,
    )
    return DecisionReview(number, cost, advised.choices, chosen)


def _lost(book: Rulebook, cents: int) -> str:
    return book.money(cents) if cents else "less than a cent"


# Worths -----------------------------------------------------------------------------------------


def _worths(book: Rulebook, state: State, seat: int, ante_cents: int) -> Mapping[int, Fraction]:
    """Return each choice of a seat with its value in antes; nothing where that is not known."""
    solution, known = solved(book), situation(book, state, seat, ante_cents)
    if solution is None or known is None:
        return {}
    try:
        return solution.worth(known)
    except Unreadable:  # the seat does not see what the rules let it see by now
        return {}


def _why(book: Rulebook, state: State, held: Seat, best: int) -> str:
    """Say what it is about a seat's hand, of which the worths are known, that decides."""
    solution = solved(book)
    if solution is None:
        return ""
    decided = history(book, held.raises, held.stakes)
    return reason(solution, _chart(book), seen(book, held.cards, state.piles, decided), best)


def points(book: Rulebook) -> str:
    """Say what cards count where reasons speak of points; nothing in a game without them."""
    made = _chart(book)
    return points_words(made.points) if made is not None and made.points else ""


@once
def _chart(book: Rulebook) -> Chart | None:
    solution = solved(book)
    return chart(solution, grid=False) if solution is not None and drawn(solution) else None


def _offered(
    book: Rulebook, option: Option, worth: Fraction, ante_cents: int, low: Fraction, high: Fraction
) -> ValuedChoice:
    cents, less = (round(each * ante_cents) for each in (worth, high - worth))
    beside = book.label(-less) if less else "under a cent less"
    return ValuedChoice(
        action=option.action,
        times=option.times,
        says=f"raise {option.times}{TIMES}" if option.action == "raise" else spaced(option.action),
        antes=worth,
        cents=cents,
        text=book.signed(cents),
        best=worth == high,
        less_cents=less,
        less="best" if worth == high else beside,
        bar=round(100 * (worth - low) / (high - low)) if high > low else 100,
    )
