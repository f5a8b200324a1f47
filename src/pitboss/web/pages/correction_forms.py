"""The form in which a round is put right: what was recorded fills it, what is changed is a fact."""

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from pitboss import round as rounds
from pitboss.cards import Card, card
from pitboss.errors import Unreadable
from pitboss.money import cents, text
from pitboss.round import events as e
from pitboss.round.redo import Facts, PlaceCards, SeatFacts, StreetChoice
from pitboss.round.state import TOKE
from pitboss.rulebook import Rulebook
from pitboss.rulebook.deal_script import DecideStep
from pitboss.wording import TIMES, spaced

UNSEEN = "?"
"""Stands in the form for a card that is not to be seen; left there it stays as it was recorded."""


class RecordedFields(msgspec.Struct, frozen=True):
    """What was recorded of a round, as the form has it: fields by their names."""

    seats: dict[int, str]
    """Who sat where."""
    fields: dict[str, str]
    places: tuple[str, ...]
    """The piles."""


def recorded(book: Rulebook, happened: Sequence[e.Event]) -> RecordedFields:
    """Return what was recorded, but for cards that nobody may see yet."""
    fields: dict[str, str] = {}
    people: dict[int, str] = {}
    state = rounds.State()
    for event in happened:
        fields |= dict(_fields(book, state, event))
        state = rounds.evolve(book, state, event)
        if isinstance(event, e.RoundOpened):
            people = event.seats
    seen = rounds.view(book, happened, None)
    fields |= {f"{number}.cards": _written(seat.cards) for number, seat in seen.seats.items()}
    fields |= {f"pile.{place}": _written(pile) for place, pile in seen.piles.items()}
    return RecordedFields(people, fields, tuple(seen.piles))


def _fields(book: Rulebook, state: rounds.State, event: e.Event) -> Iterator[tuple[str, str]]:
    """Return the fields that an event of the round fills."""
    match event:
        case e.BetPlaced():
            for spot in book.opening:
                yield f"{event.seat}.wager.{spot}", text(event.wagers.get(spot, 0))
            yield f"{event.seat}.toke", text(event.toke_cents)
        case e.LateWagerAccepted():
            yield f"{event.seat}.late.{event.spot}", text(event.cents)
        case e.RaisePlaced() | e.Folded() | e.Checked() | e.WagerTakenBack():
            street = book.street_at[state.step]
            yield f"{event.seat}.street.{street}", _choice(event)


def _choice(event: e.Decided) -> str:
    match event:
        case e.RaisePlaced():
            return str(event.times)
        case e.Folded():
            return "fold"
        case e.Checked():
            return "check"
        case e.WagerTakenBack():
            return "take-back"


def choices(step: DecideStep) -> list[tuple[str, str]]:
    """Return what a seat can have decided on a street, as the form offers it."""
    raises = [(str(times), f"raised {times}{TIMES}") for times in step.every]
    done = {"fold": "folded", "check": "checked", "take-back": "took the wager back"}
    others = [(each, done[each]) for each in step.otherwise]
    return [("", "was not asked"), *others, *(raises or [("1", "left it")])]


def _written(cards: Sequence[Card | None]) -> str:
    return " ".join(UNSEEN if each is None else str(each) for each in cards)


# From the form ----------------------------------------------------------------------------------


def read_facts(book: Rulebook, known: RecordedFields, given: Mapping[str, str]) -> Facts:
    """Return what the form says otherwise than it was recorded; raises with the field's name."""
    changed = {
        name: value
        for name, value in given.items()
        if re.fullmatch(r"(pile|\d+)\.[a-z0-9.-]+", name) and value != known.fields.get(name, "")
    }
    seats = (_seat_facts(book, known, given, changed, number) for number in known.seats)
    piles = {place: _cards(known, changed, f"pile.{place}") for place in known.places}
    return Facts(
        tuple(each for each in seats if each != SeatFacts(each.seat)),
        {place: held for place, held in piles.items() if held},
    )


def _seat_facts(
    book: Rulebook,
    known: RecordedFields,
    given: Mapping[str, str],
    changed: Mapping[str, str],
    number: int,
) -> SeatFacts:
    wagers = [f"{number}.wager.{spot}" for spot in book.opening]
    bets = None
    if any(name in changed for name in wagers):
        said = {name: given.get(name, known.fields.get(name, "")) for name in wagers}
        sums = {name.rpartition(".")[2]: _cents(name, value) for name, value in said.items()}
        bets = {spot: much for spot, much in sums.items() if much}
    toke = f"{number}.toke"
    late = {spot: f"{number}.late.{spot}" for spot in (*book.spots, TOKE)}
    return SeatFacts(
        number,
        wagers=bets,
        toke_cents=_cents(toke, changed[toke]) if toke in changed else None,
        cards=_cards(known, changed, f"{number}.cards"),
        decisions=_decisions(book, changed, number),
        late={spot: _cents(name, changed[name]) for spot, name in late.items() if name in changed},
    )


def _decisions(
    book: Rulebook, changed: Mapping[str, str], number: int
) -> tuple[StreetChoice | None, ...]:
    found: list[StreetChoice | None] = []
    for street, step in enumerate(book.streets, start=1):
        name = f"{number}.street.{street}"
        value = changed.get(name, "")
        if value and value not in dict(choices(step)):
            raise Unreadable("this is nothing that could be decided here", name)
        match value:
            case "":
                found.append(None)
            case "fold" | "check" | "take-back":
                found.append(value)
            case _:
                found.append(int(value))
    return tuple(found) if any(each is not None for each in found) else ()


def _cards(known: RecordedFields, changed: Mapping[str, str], name: str) -> PlaceCards:
    if name not in changed:
        return ()
    before = known.fields.get(name, "").split()
    apart = re.sub(r"(?i)(?<=[2-9tjqka0][cdhs])(?=\w)", " ", changed[name]).replace(",", " ")
    found: list[Card | None] = []
    for at, written in enumerate(apart.split()[:10]):
        try:
            same = written == UNSEEN or (at < len(before) and card(written) == _read(before[at]))
            found.append(None if same else card(written))
        except Unreadable as error:
            raise error.at(name) from None
    return tuple(found) if any(each is not None for each in found) else ()


def _read(written: str) -> Card | None:
    return None if written == UNSEEN else card(written)


def _cents(name: str, written: str) -> int:
    try:
        return int(cents(written)) if written else 0
    except Unreadable as error:
        raise error.at(name) from None


# And back ---------------------------------------------------------------------------------------


def filled(known: RecordedFields, facts: Facts) -> dict[str, str]:
    """Return the form's fields when these facts are put right."""
    fields = dict(known.fields)
    for seat in facts.seats:
        of = f"{seat.seat}."
        if seat.wagers is not None:
            for name in [name for name in fields if name.startswith(f"{of}wager.")]:
                fields[name] = text(0)
            fields |= {f"{of}wager.{spot}": text(much) for spot, much in seat.wagers.items()}
        if seat.toke_cents is not None:
            fields[f"{of}toke"] = text(seat.toke_cents)
        fields[f"{of}cards"] = _over(fields.get(f"{of}cards", ""), seat.cards)
        for street, decision in enumerate(seat.decisions, start=1):
            if decision is not None:
                fields[f"{of}street.{street}"] = str(decision)
        fields |= {f"{of}late.{spot}": text(much) for spot, much in seat.late.items()}
    for place, held in facts.piles.items():
        fields[f"pile.{place}"] = _over(fields.get(f"pile.{place}", ""), held)
    return fields


def _over(before: str, held: PlaceCards) -> str:
    """Lay cards over those that were recorded."""
    lie = before.split()
    for at, each in enumerate(held):
        lie[at:] = [*(lie[at : at + 1] if each is None else [str(each)]), *lie[at + 1 :]]
    return " ".join(lie)


def field_at(facts: Facts, place: str) -> str:
    """Return the field of the form that a place among the facts is about.

    >>> facts = Facts((SeatFacts(3),))
    >>> field_at(facts, "seats[0].decisions[1]"), field_at(facts, "seats[0].wagers.ante")
    ('3.street.2', '3.wager.ante')
    >>> field_at(facts, "seats[0].cards.cards"), field_at(facts, "piles.board.cards")
    ('3.cards', 'pile.board')
    >>> field_at(facts, "seats[0].wagers.toke"), field_at(facts, "seats[0].toke_cents")
    ('3.toke', '3.toke')
    """
    found = re.fullmatch(r"seats\[(\d+)\]\.?(.*)", place)
    if found is None:
        return re.sub(r"^piles\.([^.]+).*", r"pile.\1", place)
    number, inside = facts.seats[int(found[1])].seat, found[2]
    street = re.match(r"decisions\[(\d+)\]", inside)
    if street is not None:
        return f"{number}.street.{int(street[1]) + 1}"
    kind, _, more = inside.partition(".")
    more = more.partition(".")[0]
    if more == TOKE and kind == "wagers":
        kind, more = TOKE, ""
    named = {"wagers": "wager", "toke_cents": "toke", "": "wager"}.get(kind, kind)
    return (
        f"{number}.{named}.{more}" if more and kind in ("wagers", "late") else f"{number}.{named}"
    )


def told(book: Rulebook, known: RecordedFields, facts: Facts) -> list[str]:
    """Say each thing that is put right, with what was recorded instead."""
    after = filled(known, facts)
    said = []
    for name in sorted({*known.fields, *after}):
        before, now = known.fields.get(name, ""), after.get(name, "")
        if before != now:
            instead = f"{now or 'nothing'} instead of {before or 'nothing'}"
            said.append(f"{_title(book, name)}: {instead}")
    return said


def _title(book: Rulebook, name: str) -> str:
    of, _, what = name.partition(".")
    if of == "pile":
        return book.place_name(what)
    kind, _, which = what.partition(".")
    match kind:
        case "wager":
            words = book.wager_name(which)
        case "late":
            words = f"{book.wager_name(which)}, found late"
        case "street":
            words = book.spots[book.streets[int(which) - 1].into].title
        case _:
            words = spaced(kind)
    return f"seat {of}, {words}"
