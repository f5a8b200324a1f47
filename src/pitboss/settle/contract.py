"""The settle contract: one round as TOML or JSON in, its settlement as JSON out.

A file is read, then played: its wagers, cards and decisions become actions, and the round's own
machine does or refuses them. Nothing here knows the rules a second time.
"""

import datetime
import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import msgspec
from msgspec.structs import asdict, replace

from pitboss.cards import DECK, Card, cards
from pitboss.errors import Refused, Unreadable
from pitboss.money import MOST_CENTS, Cents, chips
from pitboss.round import Round, actions
from pitboss.round.machine import card_twice
from pitboss.round.state import State, deal_order
from pitboss.round.wagers import bounds
from pitboss.rulebook import Rulebook, load
from pitboss.rulebook.base import Strict
from pitboss.rulebook.deal_script import SEATS, DealStep
from pitboss.rulebook.loading import explained, read_value
from pitboss.rulebook.pit_rules import DeadHand, Misdeal
from pitboss.settle.approvals import label
from pitboss.settle.explain import sentences
from pitboss.settle.lines import Line, SeatSettlement, Settlement
from pitboss.settle.play import Play, Player, of_round
from pitboss.settle.settlement import settle, wrong_count
from pitboss.settle.tax import figures

MOST_CARDS = 10
"""A hand that is dead for its count may hold a wrong number of cards, but not any number."""


# Reading --------------------------------------------------------------------------------------


class Cards(tuple[Card, ...]):
    """Cards as a file writes them, such as ``As Kd``."""


class _Seat(Strict, frozen=True):
    seat: int
    ante: Cents
    raises: tuple[int, ...] = ()
    cards: Cards = Cards()
    side: dict[str, Cents] = msgspec.field(default_factory=dict)
    toke: Cents = Cents(0)
    player: Player = Player()
    accepted: bool = False
    dead: str = ""


class _File(Strict, frozen=True):
    """What every game's file may hold; each game adds a key for each pile on its table."""

    rulebook: str
    seat: tuple[_Seat, ...]
    minimum: Cents | None = None
    maximum: Cents | None = None
    meter: Cents | None = None
    date: datetime.date | None = None
    upcard: Cards = Cards()
    misdeal: str = ""


def settle_file(text: str, place: str) -> tuple[Rulebook, Settlement]:
    """Settle the round in a file; whatever is wrong with it is named with its place."""
    try:
        raw = _raw(text)
        name = raw.get("rulebook")
        if not isinstance(name, str):
            raise Unreadable("say which rules: rulebook = 'house/game' or a file's path")
        book = _book(name)
        return book, _settled(book, *_file(book, raw))
    except Unreadable as error:
        raise Unreadable(error.message, f"{place}: {error.place}".removesuffix(": ")) from None
    except Refused as error:
        said = error.refusal
        raise Refused(replace(said, place=f"{place}: {said.place}".removesuffix(": "))) from None


def _settled(book: Rulebook, file: _File, piles: dict[str, Cards]) -> Settlement:
    play = _play(book, file, piles)
    try:
        return settle(book, play)
    except Unreadable as error:  # a wager needs cards that the file leaves out
        hands = {
            f"seat {seat.seat}": f"seat[{index}].cards" for index, seat in enumerate(file.seat)
        }
        raise Unreadable(error.message, hands.get(error.place) or _key(error.place)) from None


def _raw(text: str) -> dict[str, Any]:
    tidy = text.strip()
    if not tidy:
        raise Unreadable("empty; a round to settle is TOML or JSON")
    is_json = tidy.startswith(("{", "[{"))
    try:
        raw = json.loads(tidy, object_pairs_hook=_once) if is_json else tomllib.loads(tidy)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"not {'JSON' if is_json else 'TOML'}: {error}") from None
    if not isinstance(raw, dict):
        raise Unreadable("a round is a table of keys, not a list or text")
    return raw


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is there twice")
    return found


def _book(name: str) -> Rulebook:
    try:
        return load(name)
    except Unreadable as error:
        raise Unreadable(str(error), "rulebook") from None


def _file(book: Rulebook, raw: dict[str, Any]) -> tuple[_File, dict[str, Cards]]:
    """Return the file, and the cards of each pile of this game."""
    keys = {pile: _key(pile) for pile in book.dealt if pile != SEATS}
    kind = msgspec.defstruct(
        "File",
        [(key, Cards, Cards()) for key in keys.values()],
        bases=(_File,),
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
    )
    try:
        file: Any = msgspec.convert(raw, kind, dec_hook=_read_value)
    except msgspec.ValidationError as error:
        message, where = explained(kind, str(error))
        raise Unreadable(message, where.removeprefix("$").removeprefix(".")) from None
    return file, {pile: getattr(file, key) for pile, key in keys.items()}


def _read_value(kind: type[Any], written: Any) -> Any:
    if kind is not Cards:
        return read_value(kind, written)
    if not isinstance(written, str):
        raise ValueError("write cards as text, such as 'As Kd'")
    try:
        return Cards(cards(written))
    except Unreadable as error:
        raise ValueError(error.message) from None


def _key(pile: str) -> str:
    return pile.replace("-", "_")


# Playing --------------------------------------------------------------------------------------

_PERSON = "the file"
"""Who accepted, killed or called off what the file says was."""


def _play(book: Rulebook, file: _File, piles: dict[str, Cards]) -> Play:
    """Play the file's round, and return it as settlement takes it."""
    figures(file.date)
    _check_upcard(book, file.upcard, piles)
    state = _played(book, file, _deck(book, file, piles))
    rule, meter = book.progressive, file.meter
    if rule is not None and meter is None and any(rule.spot in seat.side for seat in file.seat):
        meter = rule.reseed
    played = of_round(state, {seat.seat: seat.player for seat in file.seat}, file.date)
    seats = {seat.seat: seat for seat in played.seats}
    # In the file's order, and with the file's cards alone: a stand-in never decides a wager.
    ordered = tuple(replace(seats[seat.seat], cards=seat.cards) for seat in file.seat)
    return replace(played, seats=ordered, piles=piles, meter_cents=meter)


def _deck(book: Rulebook, file: _File, piles: dict[str, Cards]) -> list[Card | None]:
    """Return the deck that deals the file's cards; unnamed ones stand in for those left out."""
    places = {(pile, 0): (_key(pile), held) for pile, held in piles.items()}
    miscounted = {seat.seat for seat in file.seat if seat.dead == "count"}
    for index, seat in enumerate(file.seat):
        if (SEATS, seat.seat) in places:
            raise Unreadable(f"seat {seat.seat} is there twice", f"seat[{index}].seat")
        places[SEATS, seat.seat] = (f"seat[{index}].cards", seat.cards)
    out = 0
    for (to, number), (where, held) in places.items():
        count, most = len(held), book.dealt[to]
        fits = count in (0, most) if number else count <= most
        if not (file.misdeal or (count <= MOST_CARDS if number in miscounted else fits)):
            raise Unreadable(wrong_count(to, most, count), where)
        twice = card_twice(out, held)
        if twice is not None:
            raise Refused(replace(twice, place=where))
        out |= sum(1 << card for card in held)
    stand_ins = (card for card in DECK if not out >> card & 1)
    supply = {to: chain(held, stand_ins) for to, (_, held) in places.items()}
    numbers = sorted(seat.seat for seat in file.seat)
    deals = [step for step in book.script if isinstance(step, DealStep)]
    orders = [deal_order(step, numbers) for step in deals]
    return [next(supply[to, number], None) for order in orders for to, number, _ in order]


def _played(book: Rulebook, file: _File, deck: Sequence[Card | None]) -> State:
    """Let the machine do what the file says was done."""
    game = Round(book)
    _open(game, file)
    seats = [(f"seat[{index}]", seat) for index, seat in enumerate(file.seat)]
    late = [found for where, seat in seats for found in _bet(game, seat, where)]
    _do(game, actions.CloseBets(), {"": "seat"})
    _deal(game, deck)
    for found, places in late:
        _do(game, found, places)
    for street in range(max(len(book.streets), *(len(seat.raises) for seat in file.seat))):
        for where, seat in seats:
            _decide(game, seat, where, street, whole=not file.misdeal)
        _deal(game, deck)
    if file.misdeal:
        role = _role(book.misdeal, file.misdeal)
        _do(game, actions.CallMisdeal(file.misdeal, role, _PERSON), {"": "misdeal"})
    return game.state


def _do(game: Round, action: actions.Action, places: Mapping[str, str]) -> None:
    """Do it; what is refused is refused with the file's place, which is ``places[""]`` at least."""
    try:
        game.do(action)
    except Refused as error:
        said = error.refusal
        raise Refused(replace(said, place=places.get(said.place, places[""]))) from None


def _open(game: Round, file: _File) -> None:
    book, rule = game.book, game.book.progressive
    lowest, highest = book.limits.minimum.lowest or 1, book.limits.maximum.highest
    opening = actions.Open(
        seats={seat.seat: "" for seat in file.seat},
        minimum_cents=lowest if file.minimum is None else file.minimum,
        maximum_cents=highest if file.maximum is None else file.maximum,
        meter_cents=rule.reseed if rule is not None and file.meter is None else file.meter,
        shuffler=book.deck.shuffler,
    )
    keys = {key: key for key in ("minimum", "maximum", "meter")}
    seats = {f"seat {seat.seat}": f"seat[{index}].seat" for index, seat in enumerate(file.seat)}
    _do(game, opening, {"": "seat", **keys, **seats})


def _bet(
    game: Round, seat: _Seat, where: str
) -> list[tuple[actions.AcceptLate, Mapping[str, str]]]:
    """Bet what the limits allow; return what was accepted beyond them, to be found late."""
    ante = game.book.ante.name
    places = {"": where, ante: f"{where}.ante", "toke": f"{where}.toke"}
    places |= {spot[:40]: f"{where}.side.{spot[:40]}" for spot in seat.side}
    if ante in seat.side:
        raise Unreadable("the required wager has a key of its own: ante", places[ante])
    wagers: dict[str, int] = {ante: seat.ante, **seat.side}
    lawful = dict(wagers)
    for spot in wagers.keys() & game.book.opening.keys() if seat.accepted else ():
        limits = game.state.minimum_cents, game.state.maximum_cents
        least, most = bounds(game.book.opening[spot], *limits)
        lawful[spot] = max(least, min(wagers[spot], MOST_CENTS if most is None else most))
    _do(game, actions.Bet(seat.seat, lawful, seat.toke), places)
    role = next(iter(game.book.limits.late_by), "")
    return [
        (actions.AcceptLate(seat.seat, spot, cents, role, _PERSON), places)
        for spot, cents in wagers.items()
        if lawful[spot] != cents
    ]


def _deal(game: Round, deck: Sequence[Card | None]) -> None:
    if game.state.shuffler and game.state.phase == "playing":
        game.do(actions.Light("green"))
    game.deal(deck)


def _decide(game: Round, seat: _Seat, where: str, street: int, *, whole: bool) -> None:
    """Decide on one street, or die after the last decision that was made."""
    if street < len(seat.raises):
        times = seat.raises[street]
        fold = actions.Fold(seat.seat, confirmed=True)
        action = actions.Raise(seat.seat, times) if times else fold
        _do(game, action, {"": f"{where}.raises[{street}]"})
    elif whole and not seat.dead and seat.seat in game.due():
        wanted = len(game.book.streets)
        message = f"{wanted} decisions are needed, or 0 where the hand was folded"
        raise Unreadable(message, f"{where}.raises")
    if seat.dead and street + 1 >= len(seat.raises) and not game.state.seats[seat.seat].dead:
        role = _role(game.book.dead, seat.dead)
        _do(game, actions.KillHand(seat.seat, seat.dead, role, _PERSON), {"": f"{where}.dead"})


def _role(rules: Iterable[DeadHand | Misdeal], cause: str) -> str:
    """Return one who may call it; nobody may call what the house does not know."""
    return next((by for rule in rules if rule.cause == cause for by in rule.by), "")


def _check_upcard(book: Rulebook, upcard: Cards, piles: dict[str, Cards]) -> None:
    shown = [
        place
        for step in book.script
        if isinstance(step, DealStep)
        for place, up in step.up.items()
        if len(up) < step.cards
        for _ in up
    ]
    if len(upcard) > len(shown):
        raise Unreadable(f"this game has {len(shown) or 'no'} upcard", "upcard")
    for card in upcard:
        if all(piles.get(place) and card not in piles[place] for place in shown):
            where = " or ".join(dict.fromkeys(shown))
            raise Unreadable(f"{card} is not in the hand of {where}", "upcard")


# Writing --------------------------------------------------------------------------------------


def as_json(
    settlement: Settlement, denominations: tuple[Cents, ...] | None = None
) -> dict[str, Any]:
    """Return the settlement as the contract has it; with chips where denominations are given."""
    seats = [_seat_json(seat, denominations) for seat in settlement.seats]
    written = {**asdict(settlement), "notify": list(settlement.notify), "seats": seats}
    if settlement.meter_after_cents is None:
        del written["meter_after_cents"]
    return written


def _seat_json(seat: SeatSettlement, denominations: tuple[Cents, ...] | None) -> dict[str, Any]:
    written = {
        **asdict(seat),
        "lines": [_line_json(line) for line in seat.lines],
        "approvals": [label(rule) for rule in seat.approvals],
        "forms": [asdict(form) for form in seat.forms],
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
    odds = None if line.odds is None else str(line.odds)
    written = {**asdict(line), "odds": odds, "reasons": sentences(line)}
    del written["row"]
    return written
