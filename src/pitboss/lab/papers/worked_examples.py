"""Worked examples: rounds that were dealt and settled, one for each thing that a house must show.

Decks follow from the rulebook's hash, so that anybody finds the same ones; what few deals come to
is shown by a deck that is stacked for it. Every example is a file for ``pitboss settle``.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any

import msgspec

from pitboss.cards import DECK, Card, cards, shuffled_from
from pitboss.cards import text as cards_text
from pitboss.errors import Refused, Unreadable
from pitboss.money import text
from pitboss.round.wagers import bounds
from pitboss.rulebook.deal_script import SEATS
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.money_rules import USUAL_MINIMUM_CENTS
from pitboss.settle.file import settle_plain
from pitboss.settle.file.format import key
from pitboss.settle.lines import Line, Settlement

MOST_DEALS = 400
"""That are looked through for an example."""
_MAXIMUM_CENTS = 500_00
"""Where the house posts no highest maximum."""


class WorkedExample(msgspec.Struct, frozen=True):
    """One round, as it goes into ``pitboss settle`` and as it comes out."""

    name: str
    title: str
    shows: str
    file: dict[str, Any]
    settlement: Settlement


class ExampleKind(msgspec.Struct, frozen=True):
    """What an example shows, and how it is known."""

    name: str
    title: str
    shows: str
    fits: Callable[[Rulebook, Settlement], bool]


def _codes(settlement: Settlement) -> set[str]:
    lines = (line for seat in settlement.seats for line in seat.lines)
    return {reason.code for line in lines for reason in line.reasons}


def _main(book: Rulebook, settlement: Settlement) -> list[Line]:
    lines = (line for seat in settlement.seats for line in seat.lines)
    return [line for line in lines if book.is_main(line.spot)]


def _outcomes(book: Rulebook, settlement: Settlement) -> set[str]:
    return {line.outcome for line in _main(book, settlement)}


_UNQUALIFIED = {"unqualified-win", "unqualified-push", "unqualified-lose", "unqualified-row"}
_PUSHED = {"row-push", "tie-push"}
_CAPPED = {"cap", "cap-shared"}
_AWARDED = {"meter", "award", "award-in-full"}


def _settled_by_hand(settlement: Settlement) -> bool:
    return not _codes(settlement) & {"folded", *_UNQUALIFIED, *_CAPPED}


KINDS = (
    # In the order in which they are printed: of what a round fits, it is the last.
    ExampleKind(
        "win",
        "A win",
        "The hand is played to its end and wins.",
        lambda book, done: _outcomes(book, done) == {"win"} and _settled_by_hand(done),
    ),
    ExampleKind(
        "loss",
        "A loss",
        "The hand is played to its end and loses.",
        lambda book, done: _outcomes(book, done) == {"lose"} and _settled_by_hand(done),
    ),
    ExampleKind(
        "fold",
        "A fold",
        "The player folds: what was put down on the hand is lost.",
        lambda _, done: "folded" in _codes(done),
    ),
    ExampleKind(
        "taken-back",
        "A wager taken back",
        "The player takes back what the rules let: only what is left on the table is settled.",
        lambda book, done: not _taken_back(book) <= {line.spot for line in _main(book, done)},
    ),
    ExampleKind(
        "side-wager",
        "A side wager wins",
        "A wager beside the game is paid by its own table.",
        lambda book, done: any(
            line.won_cents and line.spot in book.spots and book.spots[line.spot].kind == "side"
            for seat in done.seats
            for line in seat.lines
        ),
    ),
    ExampleKind(
        "push",
        "A push",
        "The hand neither wins nor loses: the wager goes back.",
        lambda book, done: (
            _settled_by_hand(done)
            and any(line.reasons[0].code in _PUSHED for line in _main(book, done))
        ),
    ),
    ExampleKind(
        "not-qualifying",
        "The dealer does not qualify",
        "The dealer's hand is too weak to count.",
        lambda _, done: bool(_codes(done) & _UNQUALIFIED) and "folded" not in _codes(done),
    ),
    ExampleKind(
        "progressive",
        "An award of the progressive",
        "The hand wins an award, beside what it wins in the game.",
        lambda _, done: bool(_codes(done) & _AWARDED),
    ),
    ExampleKind(
        "others",
        "An award to others",
        "One hand wins everybody else with the wager an award, whatever they hold.",
        lambda _, done: "others" in _codes(done),
    ),
    ExampleKind(
        "cap",
        "A payout cap",
        "The winnings come to more than the cap: they are paid up to it, pro rata.",
        lambda _, done: bool(_codes(done) & _CAPPED),
    ),
)


def _taken_back(book: Rulebook) -> set[str]:
    """Return the wagers that may be taken back."""
    return {step.into for step in book.streets if "take-back" in step.otherwise}


def applies(book: Rulebook, name: str) -> bool:
    """Whether a book has what an example shows."""
    rule = book.qualifier
    mains = [book.tables[spot.table] for spot in book.spot if spot.kind == "main" and spot.table]
    has = {
        "push": any(row.odds == 0 for table in mains for row in table.rows)
        or (rule is not None and rule.tie == "push"),
        "fold": any("fold" in step.otherwise for step in book.streets),
        "not-qualifying": rule is not None and not rule.always,
        "taken-back": bool(_taken_back(book)),
        "others": _awards_others(book),
        "side-wager": any(spot.kind == "side" for spot in book.spot),
        "progressive": book.progressive is not None,
        "cap": bool(book.cap),
    }
    return has.get(name, True)


def _awards_others(book: Rulebook) -> bool:
    return any(row.others is not None for table in book.table for row in table.rows)


def worked_examples(book: Rulebook) -> tuple[tuple[WorkedExample, ...], tuple[str, ...]]:
    """Return an example of each thing that the book has, and the titles of those not found."""
    missing = {each.name: each for each in KINDS if applies(book, each.name)}
    found: dict[str, WorkedExample] = {}
    for file in _rounds(book):
        settlement = _settled(book, file)
        fitting = [
            name
            for name, each in missing.items()
            if settlement is not None and each.fits(book, settlement)
        ]
        if settlement is not None and fitting:  # a round is one example, of the rarest
            each = missing.pop(fitting[-1])
            found[each.name] = WorkedExample(each.name, each.title, each.shows, file, settlement)
        if not missing:
            break
    ordered = tuple(found[each.name] for each in KINDS if each.name in found)
    return ordered, tuple(each.title for each in missing.values())


def _settled(book: Rulebook, file: dict[str, Any]) -> Settlement | None:
    """Settle a round; None where nobody could play it so."""
    try:
        return settle_plain(book, file)
    except (Refused, Unreadable):
        return None


# Rounds -----------------------------------------------------------------------------------------


def _rounds(book: Rulebook) -> Iterator[dict[str, Any]]:
    """Deal stacked decks first, then shuffled ones, and play each in every way."""
    stakes = _stakes(book)
    if book.cap:
        most = {"ante": stakes["maximum"], "side": {}}
        for raises in _ways(book, -1):
            yield _file(book, _ROYAL_DECK, raises, stakes, seats=2, seat=most)
    if _awards_others(book):
        yield from (_file(book, _ROYAL_DECK, raises, stakes, seats=2) for raises in _ways(book, 0))
    stacked = [_EQUAL_DECK] * bool(book.qualifier) + [_FLUSH_DECK] * bool(book.progressive)
    for each in stacked:
        for raises in _ways(book, 0):
            yield _file(book, each, raises, stakes)
    ways = [*_ways(book, 0), *_backs(book), *_folds(book)]
    # What the machine takes does not depend on the cards here: the smallest raise is always open.
    first = deck_of(book, 1)
    ways = [way for way in ways if _settled(book, _file(book, first, way, stakes)) is not None]
    for number in range(1, MOST_DEALS + 1):
        deck = deck_of(book, number)
        yield from (_file(book, deck, raises, stakes) for raises in ways)


def deck_of(book: Rulebook, number: int) -> tuple[Card, ...]:
    """Shuffle a deck with bytes that follow from the rulebook's hash and a number alone."""
    tries = count()

    def stream(size: int) -> bytes:
        named = f"{book.sha256} example {number} {next(tries)}"
        return hashlib.shake_256(named.encode()).digest(size)

    return shuffled_from(stream)


def _rest(first: str) -> tuple[Card, ...]:
    """Return a whole deck that begins with these cards."""
    named = cards(first)
    return (*named, *(card for card in DECK if card not in named))


# Cards of the first seat, of the table, of the dealer, of the next seat, as far as they are needed.
_ROYAL_DECK = {
    "first": _rest("Ah Kh Qh Jh Th 9c 8c"),
    "table": _rest("Qh Jh Th 2c 3d"),
    "dealer": _rest("As Ac Kd 9s 7d 5s 3c"),
    "next": _rest("9h 8h 7h 6h 5h 4h 3h"),
}
_EQUAL_DECK = {
    "first": _rest("As Kh Qc Jd 9s 8h 7c"),
    "table": _rest("Qs Jh 9c 5d 2s"),
    "dealer": _rest("Ah Ks Qd Jc 9h 8s 7d"),
}
_FLUSH_DECK = {
    "first": _rest("Kd Jd 9d 7d 4d 3s 2s"),
    "table": _rest("9d 7d 4d 3s 2s"),
    "dealer": _rest("As Ac Kh 9s 7h 5s 3c"),
}
_OWN = {"seat 1": "first", "seat 2": "next", "dealer": "dealer"}
_Deck = tuple[Card, ...] | dict[str, tuple[Card, ...]]


def _dealt(book: Rulebook, deck: _Deck, seats: int) -> dict[str, str]:
    """Return the cards of every pile and seat, as a file writes them; a stacked deck deals each
    place its own, and none twice."""
    counts = {f"seat {number}": book.seat_cards for number in range(1, seats + 1)}
    counts |= {place: many for place, many in book.dealt.items() if place != SEATS}
    out: set[Card] = set()
    found = {}
    for place, many in counts.items():
        own = _OWN.get(place, "table")
        supply = deck[own] if isinstance(deck, dict) else deck
        held = [card for card in supply if card not in out][:many]
        out |= {*held}
        found[place] = cards_text(held)
    return found


def _stakes(book: Rulebook) -> dict[str, Any]:
    """Return limits as a table posts them, and the smallest of every wager."""
    least = book.limits.minimum.least(USUAL_MINIMUM_CENTS)
    most = max(least, int(book.limits.maximum.highest or _MAXIMUM_CENTS))
    side = {
        name: text(bounds(spot, least, most)[0])
        for name, spot in book.placed.items()
        if not spot.required
    }
    return {"minimum": text(least), "maximum": text(most), "ante": text(least), "side": side}


def _file(
    book: Rulebook,
    deck: _Deck,
    raises: Sequence[int | str],
    stakes: dict[str, Any],
    *,
    seats: int = 1,
    seat: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Write a round as ``pitboss settle`` takes it."""
    dealt = _dealt(book, deck, seats)
    wagers = {name: stakes[name] for name in ("ante", "side")} | (seat or {})
    meter = {} if book.progressive is None else {"meter": text(book.progressive.reseed)}
    return {
        "rulebook": RULEBOOK_FILE,
        "minimum": stakes["minimum"],
        "maximum": stakes["maximum"],
        **meter,
        **{key(place): held for place, held in dealt.items() if not place.startswith("seat ")},
        "seat": [
            {
                "seat": number,
                "cards": dealt[f"seat {number}"],
                "raises": [*raises],
                **wagers,
            }
            for number in range(1, seats + 1)
        ],
    }


RULEBOOK_FILE = "rulebook.toml"
"""The rules, beside the examples."""


def _ways(book: Rulebook, which: int) -> list[list[int | str]]:
    """Return how a hand may be played to its end: raised at once (by the first or last multiple),
    or checked as long as one may. Where a raise ends the decisions, a shorter list is the one."""
    raised: list[int | str] = [
        step.times[which] if step.times else step.otherwise[0] for step in book.streets
    ]
    found: list[list[int | str]] = [_checked(book)]
    found += [raised[:length] for length in range(len(raised), 0, -1)]
    return [each for at, each in enumerate(found) if each not in found[:at]]


def _checked(book: Rulebook) -> list[int | str]:
    return [
        "check" if "check" in step.otherwise else step.times[0] if step.times else step.otherwise[0]
        for step in book.streets
    ]


def _folds(book: Rulebook) -> list[list[int | str]]:
    """Return a fold at the last decision that offers one: it gives up the most."""
    at = [street for street, step in enumerate(book.streets) if "fold" in step.otherwise]
    return [[*_checked(book)[: at[-1]], "fold"]] if at else []


def _backs(book: Rulebook) -> list[list[int | str]]:
    """Return what is taken back at the first decision that offers it, and the rest let be."""
    at = [street for street, step in enumerate(book.streets) if "take-back" in step.otherwise]
    rest = _checked(book)
    return [[*rest[: at[0]], "take-back", *rest[at[0] + 1 :]]] if at else []
