"""Luck and skill in words: what a result was made of, in a line, in a few, and step by step."""

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from pitboss.house.luck import RoundLuck
from pitboss.maths.luck import KINDS, Parts
from pitboss.money import whole
from pitboss.rulebook import Rulebook
from pitboss.web.pages.narration import card_name
from pitboss.wording import capital

TITLES = {
    "edge": "What the game costs when it is played as well as can be, ceilings left out",
    "mistakes": "What decisions cost that were not the best",
    "luck": "What the cards brought beyond that; nothing on average",
    "ceilings": "What ceilings on winnings took, and sharing a jackpot",
    "rounding": "What payments were rounded by",
    "apart": "Of games that are not worked out here, and of hands that the game did not end",
}
"""What each part is."""

ORDER = ("luck", "edge", "mistakes", "ceilings", "rounding", "apart")
"""As a line tells them."""


class PartShown(msgspec.Struct, frozen=True):
    """One part of a result, as it is shown."""

    name: str
    says: str
    title: str
    cents: int


def shares(parts: Parts) -> tuple[PartShown, ...]:
    """Return the three that there always are, and the others where they are something."""
    cents = parts.cents
    always = ("edge", "mistakes", "luck")
    return tuple(
        PartShown(name, says.capitalize(), TITLES[name], cents[name])
        for name, says in KINDS.items()
        if cents[name] or name in always
    )


def result_line(book: Rulebook, found: RoundLuck | None) -> str:
    """Say in a line what a round came to for you, and of what; nothing where that is not known.

    Its cents add up.
    """
    if found is None or found.why or not found.parts.edge:
        return ""
    net, cents = found.parts.net_cents, found.parts.cents
    came = f"You {'won' if net > 0 else 'lost'} {book.money(abs(net))}" if net else "You broke even"
    named = {**KINDS, "edge": "the edge"}
    told = [f"{named[name]} {book.signed(cents[name])}" for name in ORDER if cents[name]]
    return f"{came}: {', '.join(told)}." if told else ""


class StepShare(msgspec.Struct, frozen=True):
    """What one step of a round, or something beside them, had of its result."""

    name: str
    """Which part it belongs to."""
    says: str
    cents: int
    step: int | None = None
    """The step of the replay; None for what belongs to none."""


def step_shares(found: RoundLuck, steps: Mapping[int, tuple[int, str]]) -> list[StepShare]:
    """Tell a result step by step, in cents that add up to it.

    ``steps`` has the step of the replay for each event, and what it says.
    """
    sides = found.wagers
    game = found.parts.edge - sum((each.edge for _, each in sides), Fraction())
    rows: list[tuple[str, str, Fraction, int | None]] = [("edge", "Before the deal", game, None)]
    moments = [("luck", each) for each in found.dealt] + [("mistakes", e) for e in found.costs]
    for name, moment in sorted(moments, key=lambda each: each[1].number):
        step, says = steps[moment.number]
        if found.cards and moment is found.dealt[0]:
            rows += ((name, capital(card_name(card)), part, step) for card, part in found.cards)
        else:
            rows.append((name, says, moment.cents, step))
    for title, parts in sides:
        named = ("edge", "mistakes", "luck", "apart")
        rows += ((name, title, getattr(parts, name), None) for name in named)
    apart = found.parts.apart - sum((each.apart for _, each in sides), Fraction())
    rows.append(("apart", found.why.capitalize(), apart, None))
    rows += ((n, KINDS[n].capitalize(), getattr(found.parts, n), None) for n in _BESIDE)
    cents = whole([exact for _, _, exact, _ in rows])
    shown = zip(rows, cents, strict=True)
    return [StepShare(n, says, many, step) for (n, says, exact, step), many in shown if exact]


_BESIDE = ("ceilings", "rounding")
