"""The settle contract: one round as TOML or JSON in, its settlement as JSON out."""

import datetime
import json
import tomllib
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from pitboss.cards import Card, cards
from pitboss.errors import Refused, Unreadable
from pitboss.money import Cents, chips
from pitboss.round.wagers import posted_refusal, wagers_refusal
from pitboss.rulebook import Rulebook, load
from pitboss.rulebook.base import Strict
from pitboss.rulebook.deal_script import SEATS, DealStep
from pitboss.rulebook.loading import convert
from pitboss.settle.approvals import label
from pitboss.settle.explain import sentences
from pitboss.settle.lines import Line, Play, Player, SeatPlay, SeatSettlement, Settlement
from pitboss.settle.tax import figures

MOST_CARDS = 10
"""A hand that is dead for its count may hold a wrong number of cards, but not any number."""


class _Player(Strict, frozen=True):
    residence: Literal["us", "foreign"] = "us"
    identified: bool = True
    tin: bool = True
    barred: bool = False


class _Seat(Strict, frozen=True):
    seat: int
    ante: Cents
    raises: tuple[int, ...] = ()
    cards: str = ""
    side: dict[str, Cents] = msgspec.field(default_factory=dict)
    toke: Cents = Cents(0)
    player: _Player = _Player()
    accepted: bool = False
    dead: Literal["", "count", "information"] = ""


class _File(Strict, frozen=True):
    rulebook: str
    seat: tuple[_Seat, ...]
    minimum: Cents | None = None
    maximum: Cents | None = None
    meter: Cents | None = None
    date: datetime.date | None = None
    upcard: str = ""
    misdeal: str = ""


def read(text: str, place: str) -> tuple[Rulebook, Play]:
    """Read a round to be settled; whatever is wrong is named with its place."""
    raw = _raw(text, place)
    name = raw.get("rulebook")
    if not isinstance(name, str):
        raise Unreadable("say which rules: rulebook = 'house/game' or a file's path", place)
    try:
        book = load(name)
    except Unreadable as error:
        raise Unreadable(str(error), f"{place}: rulebook") from None
    written = {pile: raw.pop(_key(pile), "") for pile in book.dealt if pile != SEATS}
    try:
        file: _File = convert(raw, _File, "")
        return book, _play(book, file, written)
    except (Unreadable, Refused) as error:
        # Paths of the file come with or without their root; people need no root.
        where = str(error).removeprefix(": ").removeprefix("$.").removeprefix("$: ")
        raise Unreadable(where, place) from None


def _key(pile: str) -> str:
    return pile.replace("-", "_")


def _raw(text: str, place: str) -> dict[str, Any]:
    tidy = text.strip()
    if not tidy:
        raise Unreadable("empty; a round to settle is TOML or JSON", place)
    if tidy.startswith(("{", "[{")):
        try:
            raw = json.loads(tidy, object_pairs_hook=_once)
        except (ValueError, RecursionError) as error:
            raise Unreadable(f"not JSON: {error}", place) from None
    else:
        try:
            raw = tomllib.loads(tidy)
        except (ValueError, RecursionError) as error:
            raise Unreadable(f"not TOML: {error}", place) from None
    if not isinstance(raw, dict):
        raise Unreadable("a round is a table of keys, not a list or text", place)
    return raw


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is there twice")
    return found


def _play(book: Rulebook, file: _File, written: Mapping[str, Any]) -> Play:
    lowest = book.limits.minimum.lowest or 1
    minimum = int(lowest if file.minimum is None else file.minimum)
    maximum = file.maximum if file.maximum is not None else book.limits.maximum.highest
    _allowed(posted_refusal(book, minimum, maximum))
    if not 1 <= len(file.seat) <= book.seats.most:
        raise Unreadable(f"a table here has 1 to {book.seats.most} seats", "seat")
    if file.meter is not None and book.progressive is None:
        raise Unreadable("this game has no progressive", "meter")
    piles = {pile: _cards(value, _key(pile)) for pile, value in written.items()}
    seats = tuple(
        _seat(book, seat, minimum, maximum, f"seat[{index}]", whole=not file.misdeal)
        for index, seat in enumerate(file.seat)
    )
    _no_card_twice(seats, piles)
    _seats_differ(book, seats)
    if file.misdeal:
        _known_misdeal(book, file.misdeal)
    else:
        _right_counts(book, seats, piles)
    _right_upcard(book, file.upcard, piles)
    figures(file.date)
    meter = _meter(book, file, seats)
    return Play(seats, minimum, piles, meter, file.misdeal, file.date)


def _allowed(refusal: Any, place: str = "") -> None:
    if refusal is not None:
        inner = f"{place}.{refusal.place}" if refusal.place and place else place or refusal.place
        raise Refused(msgspec.structs.replace(refusal, place=inner))


def _cards(written: Any, place: str) -> tuple[Card, ...]:
    if not isinstance(written, str):
        raise Unreadable("write cards as text, such as 'As Kd'", place)
    try:
        return cards(written)
    except Unreadable as error:
        raise Unreadable(error.message, place) from None


def _seat(
    book: Rulebook, seat: _Seat, minimum: int, maximum: int | None, place: str, *, whole: bool
) -> SeatPlay:
    held = _cards(seat.cards, f"{place}.cards")
    for spot in seat.side:
        if spot == book.ante.name or spot not in book.opening:
            known = ", ".join(name for name in book.opening if name != book.ante.name)
            raise Unreadable(
                f"no side wager {spot[:40]!r} here; there are {known}", f"{place}.side"
            )
    wagers = {book.ante.name: int(seat.ante), **{name: int(c) for name, c in seat.side.items()}}
    refusal = wagers_refusal(book, minimum, maximum, wagers, int(seat.toke), accepted=seat.accepted)
    side = refusal is not None and refusal.place in seat.side
    _allowed(refusal, f"{place}.side" if side else place)
    if seat.dead and seat.dead not in {each.cause for each in book.dead}:
        known = ", ".join(each.cause for each in book.dead) or "none: irregularities are misdeals"
        raise Unreadable(f"this house's dead hands are {known}", f"{place}.dead")
    folded, stakes = _raises(book, seat, place, whole=whole and not seat.dead)
    player = Player(**msgspec.structs.asdict(seat.player))
    return SeatPlay(
        seat.seat,
        held,
        {**wagers, **stakes},
        folded,
        seat.dead,
        int(seat.toke),
        player,
        seat.accepted,
    )


def _raises(book: Rulebook, seat: _Seat, place: str, *, whole: bool) -> tuple[int, dict[str, int]]:
    """Return the street of the fold, or 0, and what the raises put on which spots."""
    stakes: dict[str, int] = {}
    streets = book.streets
    for index, times in enumerate(seat.raises):
        where = f"{place}.raises[{index}]"
        if index >= len(streets):
            raise Unreadable(f"there are {len(streets)} decisions in a round", where)
        if times == 0:
            if index + 1 < len(seat.raises):
                raise Unreadable("nothing follows a fold", f"{place}.raises[{index + 1}]")
            return index + 1, stakes
        step = streets[index]
        if times not in step.times:
            offered = ", ".join(map(str, step.times))
            raise Unreadable(
                f"a raise here is {offered} times the {step.of}, or 0 to fold, not {times} "
                f"[{step.cited}]",
                where,
            )
        stakes[step.into] = int(seat.ante) * times
    if len(seat.raises) < len(streets) and whole:
        raise Unreadable(
            f"{len(streets)} decisions are needed, or 0 where the hand was folded",
            f"{place}.raises",
        )
    return 0, stakes


def _seats_differ(book: Rulebook, seats: tuple[SeatPlay, ...]) -> None:
    seen: set[int] = set()
    for index, seat in enumerate(seats):
        if not 1 <= seat.seat <= book.seats.most:
            message = f"seats are numbered 1 to {book.seats.most}, not {seat.seat}"
            raise Unreadable(message, f"seat[{index}].seat")
        if seat.seat in seen:
            raise Unreadable(f"seat {seat.seat} is there twice", f"seat[{index}].seat")
        seen.add(seat.seat)


def _no_card_twice(seats: tuple[SeatPlay, ...], piles: Mapping[str, tuple[Card, ...]]) -> None:
    places = [(_key(pile), held) for pile, held in piles.items()]
    places += [(f"seat[{index}].cards", seat.cards) for index, seat in enumerate(seats)]
    seen: dict[Card, str] = {}
    for place, held in places:
        for card in held:
            if card in seen:
                raise Unreadable(f"{card} is in {seen[card]} already", place)
            seen[card] = place


def _right_counts(
    book: Rulebook, seats: tuple[SeatPlay, ...], piles: Mapping[str, tuple[Card, ...]]
) -> None:
    """Every card that a live wager needs must be there; the others may be missing, never more."""
    needed: set[str] = set()
    for index, seat in enumerate(seats):
        wants = _needed_by(book, seat)
        count, most = len(seat.cards), book.seat_cards
        odd = count > MOST_CARDS if seat.dead == "count" else count not in (0, most)
        if odd or (SEATS in wants and count != most):
            raise Unreadable(
                f"a hand here has {most} cards, and {count} are given", f"seat[{index}].cards"
            )
        needed |= wants
    for pile, held in piles.items():
        count, most = len(held), book.dealt[pile]
        if count > most or (pile in needed and count != most):
            raise Unreadable(f"{pile} has {most} cards, and {count} are given", _key(pile))


def _needed_by(book: Rulebook, seat: SeatPlay) -> set[str]:
    """Return whose cards decide this seat's wagers."""
    if seat.dead:
        return set()
    needed: set[str] = set()
    for name in seat.stakes:
        spot = book.spots[name]
        if seat.folded and spot.after_fold == "lost":
            continue
        needed.update(book.tables[spot.table].cards if spot.table else ())
        needed.update((SEATS, spot.against) if spot.against else ())
    return needed


def _known_misdeal(book: Rulebook, cause: str) -> None:
    causes = [each.cause for each in book.misdeal]
    if cause not in causes:
        raise Unreadable(f"the causes here are {', '.join(causes) or 'none'}", "misdeal")


def _right_upcard(book: Rulebook, upcard: str, piles: Mapping[str, tuple[Card, ...]]) -> None:
    if not upcard:
        return
    places = {
        place: len(up)
        for step in book.script
        if isinstance(step, DealStep)
        for place, up in step.up.items()
        if len(up) < step.cards
    }
    if not places:
        raise Unreadable("this game has no upcard", "upcard")
    shown = _cards(upcard, "upcard")
    if len(shown) > sum(places.values()):
        raise Unreadable(f"{sum(places.values())} card is up", "upcard")
    for card in shown:
        if all(piles.get(place) and card not in piles[place] for place in places):
            where = " or ".join(sorted(places))
            raise Unreadable(f"{card} is not in the hand of {where}", "upcard")


def _meter(book: Rulebook, file: _File, seats: tuple[SeatPlay, ...]) -> int | None:
    """Return the locked meter; where a token is down and none is given, where a meter starts."""
    rule = book.progressive
    if rule is None or file.meter is not None:
        return file.meter
    return int(rule.reseed) if any(rule.spot in seat.stakes for seat in seats) else None


# Writing --------------------------------------------------------------------------------------


def as_json(
    settlement: Settlement, denominations: tuple[Cents, ...] | None = None
) -> dict[str, Any]:
    """Return the settlement as the contract has it; with chips where denominations are given."""
    written: dict[str, Any] = {
        "rulebook": settlement.rulebook,
        "sha256": settlement.sha256,
        "cap_cents": settlement.cap_cents,
        "notify": list(settlement.notify),
        "seats": [_seat_json(seat, denominations) for seat in settlement.seats],
    }
    if settlement.meter_after_cents is not None:
        written["meter_after_cents"] = settlement.meter_after_cents
    return written


def _seat_json(seat: SeatSettlement, denominations: tuple[Cents, ...] | None) -> dict[str, Any]:
    written = {
        "seat": seat.seat,
        "hand": seat.hand,
        "lines": [_line_json(line) for line in seat.lines],
        "won_cents": seat.won_cents,
        "returned_cents": seat.returned_cents,
        "approvals": [label(rule) for rule in seat.approvals],
        "forms": [
            {
                "form": form.form,
                "wager": form.wager,
                "reportable_cents": form.reportable_cents,
                "withheld_cents": form.withheld_cents,
                "clause": form.clause,
            }
            for form in seat.forms
        ],
        "held_cents": seat.held_cents,
        "paid_cents": seat.paid_cents,
    }
    if denominations is not None:
        payoff = seat.won_cents - seat.withheld_cents - seat.held_cents
        stacks, left = chips(payoff, denominations)
        written["chips"] = {
            "payoff_cents": payoff,
            "stacks": [{"denomination_cents": d, "count": count} for d, count in stacks],
            "left_cents": left,
        }
    return written


def _line_json(line: Line) -> dict[str, Any]:
    return {
        "spot": line.spot,
        "stake_cents": line.stake_cents,
        "outcome": line.outcome,
        "odds": None if line.odds is None else str(line.odds),
        "nominal_cents": line.nominal_cents,
        "won_cents": line.won_cents,
        "returned_cents": line.returned_cents,
        "clause": line.clause,
        "reasons": sentences(line),
    }
