"""The coach: what each choice is worth now, and what the choices of a finished round cost.

Values are exact and count the wagers of the game itself: neither side wagers nor ceilings on
winnings have a part in them, and no card is known but those that the seat sees. A game that is not
solved yet, or a seat whose cards or wagers are not what its solution is about, gets no advice.
"""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

import msgspec

from pitboss import round as rounds
from pitboss.errors import Unreadable
from pitboss.house.replay import Replay
from pitboss.house.table.events import Own, TableEvent
from pitboss.maths.advise import history, seen
from pitboss.maths.decisions import CHECK, FOLD, TAKE_BACK
from pitboss.round import Option, Seat, State
from pitboss.round import events as e
from pitboss.rulebook import Rulebook
from pitboss.web.pages.prices import solved
from pitboss.wording import spaced

_CHOICES = {"fold": FOLD, "check": CHECK, "take-back": TAKE_BACK}

_Decided = e.RaisePlaced | e.Folded | e.Checked | e.WagerTakenBack
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
    bar: int
    """Where it lies between the worst choice (0) and the best (100)."""


class Valuation(msgspec.Struct, frozen=True):
    """What each choice is worth to a seat that has to decide."""

    choices: tuple[ValuedChoice, ...]
    """In the order in which the rules name them."""
    ante_cents: int


class Cost(msgspec.Struct, frozen=True):
    """What one decision of a finished round cost."""

    street: int
    """Which decision; 1 is the first."""
    chosen: str
    best: str
    """The best choice: the one that was made, where nothing was worth more."""
    antes: Fraction
    """How much more the best choice was worth; 0 where it was made."""
    cents: int
    """The same at the seat's ante, to the nearest cent."""
    timed_out: bool
    """The clock chose."""
    says: str

    @property
    def grade(self) -> str:
        """How dear it was: ``best``, a ``slip``, or a ``mistake`` from half an ante on."""
        if not self.antes:
            return "best"
        return "slip" if self.antes < Fraction(1, 2) else "mistake"


class Weighed(msgspec.Struct, frozen=True):
    """A choice that a seat had, beside the best of them."""

    choice: ValuedChoice
    less_cents: int
    """How much less than the best it was worth, to the nearest cent."""
    made: bool
    """It is the one that was made."""


class DecisionReview(msgspec.Struct, frozen=True):
    """A decision of a finished round, and all that could have been done instead."""

    number: int
    """How many events had happened when it was made, itself the last."""
    cost: Cost | None
    """None where what it was worth is not known."""
    weighed: tuple[Weighed, ...]


def advice(book: Rulebook, state: State, seat: int, minimum_cents: int) -> Valuation | None:
    """Say what each choice is worth to a seat, from what it sees; None where it has none to make.

    Caps are left out. The posted minimum stands for an ante that is not down.
    """
    if seat not in rounds.due(book, state):
        return None
    held = state.seats[seat]
    ante = held.stakes.get(book.ante.name, minimum_cents)
    found = _worths(book, state, held, ante)
    legal = rounds.legal(book, state, seat)
    options = {_CHOICES.get(option.action, option.times): option for option in legal}
    if not found or options.keys() - found.keys():
        return None
    low, high = (each(found[choice] for choice in options) for each in (min, max))
    choices = [
        _offered(book, option, found[choice], ante, low, high) for choice, option in options.items()
    ]
    return Valuation(tuple(choices), ante)


def costs(past: Replay) -> tuple[Cost, ...]:
    """Say what each decision of the seat whose view this is cost, whoever made it for them.

    Caps are left out. A round that was called off cost nothing.
    """
    return tuple(each.cost for each in decisions(past) if each.cost is not None)


def decisions(past: Replay) -> tuple[DecisionReview, ...]:
    """Return the decisions of the seat whose view this is, each beside its other choices."""
    if past.seat is None or past.state.misdeal:
        return ()
    return tuple(_decisions(past.book, past.events, past.seat))


def so_far(book: Rulebook, happened: Iterable[e.Event], seat: int) -> tuple[Cost, ...]:
    """Say what each decision of a seat cost among these events of a round, as the seat saw them."""
    made = _decisions(book, happened, seat)
    return tuple(each.cost for each in made if each.cost is not None)


def _decisions(
    book: Rulebook, happened: Iterable[TableEvent], seat: int
) -> Iterator[DecisionReview]:
    state = State()
    for number, event in enumerate(happened, start=1):
        if isinstance(event, Own):
            continue
        if isinstance(event, _Decided) and event.seat == seat:
            advised = advice(book, state, seat, state.minimum_cents)
            if advised is None:
                yield DecisionReview(number, None, ())
            else:
                yield _decision(book, state, event, number, advised)
        state = rounds.evolve(book, state, event)


def _decision(
    book: Rulebook, state: State, event: _Decided, number: int, advised: Valuation
) -> DecisionReview:
    times = event.times if isinstance(event, e.RaisePlaced) else 0
    done = (_DONE[type(event)], times)
    chosen = next(each for each in advised.choices if (each.action, each.times) == done)
    best = chosen if chosen.best else next(each for each in advised.choices if each.best)
    return DecisionReview(
        number=number,
        cost=_cost(book, state, event, chosen, best, advised.ante_cents),
        weighed=tuple(
            Weighed(
                choice=each,
                less_cents=round((best.antes - each.antes) * advised.ante_cents),
                made=each is chosen,
            )
            for each in advised.choices
        ),
    )


def _cost(
    book: Rulebook,
    state: State,
    event: _Decided,
    chosen: ValuedChoice,
    best: ValuedChoice,
    ante_cents: int,
) -> Cost:
    timed_out = not isinstance(event, e.RaisePlaced) and event.timed_out
    antes = best.antes - chosen.antes
    cents = round(antes * ante_cents)
    street = book.street_at[state.step]
    says = f"{chosen.says} was the best choice"
    if antes:
        lost = book.money(cents) if cents else "less than a cent"
        says = f"{chosen.says} cost {lost}: {best.says} was the best choice"
    when = f"Decision {street}, out of time" if timed_out else f"Decision {street}"
    return Cost(
        street=street,
        chosen=chosen.says,
        best=best.says,
        antes=antes,
        cents=cents,
        timed_out=timed_out,
        says=f"{when}: {says}.",
    )


# Worths -----------------------------------------------------------------------------------------


def _worths(book: Rulebook, state: State, held: Seat, ante_cents: int) -> Mapping[int, Fraction]:
    """Return each choice of a seat with its value in antes; nothing where that is not known."""
    solution, decided = solved(book), history(book, held.raises, held.stakes)
    if solution is None or not _usual(book, held, decided, ante_cents):
        return {}
    try:
        return solution.worth(seen(book, held.cards, state.piles, decided))
    except Unreadable:  # the seat does not see what the rules let it see by now
        return {}


def _usual(book: Rulebook, held: Seat, decided: tuple[int, ...], ante_cents: int) -> bool:
    """Whether the seat's wagers are those that the solution is about: multiples of the ante."""
    main = {name for name, spot in book.spots.items() if spot.kind == "main"}
    antes = {name: 1 for name in book.opening if name in main}
    for step, choice in zip(book.streets, decided, strict=False):
        if choice > 0:
            antes[step.into] = choice
        elif choice == TAKE_BACK:
            antes.pop(step.into, None)
    down = {name: cents for name, cents in held.stakes.items() if name in main}
    return down == {name: many * ante_cents for name, many in antes.items()}


def _offered(
    book: Rulebook, option: Option, worth: Fraction, ante_cents: int, low: Fraction, high: Fraction
) -> ValuedChoice:
    cents = round(worth * ante_cents)
    return ValuedChoice(
        action=option.action,
        times=option.times,
        says=f"raise {option.times}x" if option.action == "raise" else spaced(option.action),
        antes=worth,
        cents=cents,
        text=book.signed(cents),
        best=worth == high,
        bar=round(100 * (worth - low) / (high - low)) if high > low else 100,
    )
