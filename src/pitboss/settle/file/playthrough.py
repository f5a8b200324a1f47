"""Playing a round's file: its wagers, cards and decisions become actions of the round's machine.

The machine does or refuses them, as at a live table; nothing here knows its rules a second time.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from msgspec.structs import replace

from pitboss.cards import DECK, Card
from pitboss.errors import Refused, Unreadable
from pitboss.money import MOST_CENTS
from pitboss.round import Round, State, actions
from pitboss.round.machine import MOST_CARDS, card_twice
from pitboss.round.state import TOKE, deal_order
from pitboss.round.wagers import bounds, most_toke
from pitboss.rulebook import Rulebook
from pitboss.rulebook.deal_script import SEATS, DealStep
from pitboss.rulebook.pit_rules import DeadHand, Misdeal
from pitboss.settle.file.format import Cards, RoundFile, SeatFile, key
from pitboss.settle.finished_round import Play, of_round
from pitboss.settle.settlement import wrong_count
from pitboss.settle.tax import figures

_PERSON = "the file"
"""Who accepted, killed or called off what the file says was."""


def play(book: Rulebook, file: RoundFile, piles: dict[str, Cards]) -> Play:
    """Play the file's round, and return it as settlement takes it."""
    figures(file.date)
    _check_upcard(book, file.upcard, piles)
    state = _played(book, file, _deck(book, file, piles))
    played = of_round(state, {seat.seat: seat.player for seat in file.seat}, file.date)
    seats = {seat.seat: seat for seat in played.seats}
    # In the file's order, and with the file's cards alone: a stand-in never decides a wager.
    ordered = tuple(replace(seats[seat.seat], cards=seat.cards) for seat in file.seat)
    return replace(played, seats=ordered, piles=piles, meter_cents=file.meter)


def _deck(book: Rulebook, file: RoundFile, piles: dict[str, Cards]) -> list[Card | None]:
    """Return the deck that deals the file's cards; unnamed ones stand in for those left out."""
    places = {(pile, 0): (key(pile), held) for pile, held in piles.items()}
    miscounted = {seat.seat for seat in file.seat if seat.dead == "count"}
    dead = {seat.seat for seat in file.seat if seat.dead}  # it may have been before its last card
    for index, seat in enumerate(file.seat):
        if (SEATS, seat.seat) in places:
            raise Unreadable(f"seat {seat.seat} is there twice", f"seat[{index}].seat")
        places[SEATS, seat.seat] = (f"seat[{index}].cards", seat.cards)
    out = 0
    for (to, number), (where, held) in places.items():
        count, most = len(held), book.dealt[to]
        fits = count in (0, most) if number and number not in dead else count <= most
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


def _played(book: Rulebook, file: RoundFile, deck: Sequence[Card | None]) -> State:
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


def _open(game: Round, file: RoundFile) -> None:
    book, rule = game.book, game.book.progressive
    lowest, highest = book.limits.minimum.least(), book.limits.maximum.highest
    opening = actions.Open(
        seats={seat.seat: "" for seat in file.seat},
        minimum_cents=lowest if file.minimum is None else file.minimum,
        maximum_cents=highest if file.maximum is None else file.maximum,
        meter_cents=rule.reseed if rule is not None and file.meter is None else file.meter,
        shuffler=book.deck.shuffler,
        token_cents=file.token,
    )
    keys = {key: key for key in ("minimum", "maximum", "meter", "token")}
    seats = {f"seat {seat.seat}": f"seat[{index}].seat" for index, seat in enumerate(file.seat)}
    _do(game, opening, {"": "seat", **keys, **seats})


def _bet(
    game: Round, seat: SeatFile, where: str
) -> list[tuple[actions.AcceptLate, Mapping[str, str]]]:
    """Bet what the limits allow; return what was accepted beyond them, to be found late."""
    ante = game.book.ante.name
    places = {"": where, ante: f"{where}.ante", "toke": f"{where}.toke"}
    places |= {spot[:40]: f"{where}.side.{spot[:40]}" for spot in seat.side}
    if ante in seat.side:
        raise Unreadable("the required wager has a key of its own: ante", places[ante])
    spots = game.book.opening
    if seat.ante is None and not any(spots[each].alone for each in seat.side if each in spots):
        raise Unreadable(f"say what lies on {game.book.ante.title}", places[ante])
    down = {} if seat.ante is None else game.book.with_equal({ante: int(seat.ante)})
    wagers: dict[str, int] = {**down, **seat.side}
    lawful = dict(wagers)
    for spot in wagers.keys() & game.book.opening.keys() if seat.accepted else ():
        least, most = bounds(game.book.opening[spot], *game.state.posted)
        lawful[spot] = max(least, min(wagers[spot], MOST_CENTS if most is None else most))
    lawful_toke = int(seat.toke)
    if seat.accepted and game.book.toke is not None:
        most_of_maximum = most_toke(game.book.toke, game.state.maximum_cents)
        own = lawful.get(ante, 0) if game.book.toke.at_most_own_bet else None
        bounding = [each for each in (most_of_maximum, own) if each is not None]
        lawful_toke = min([lawful_toke, *bounding])
    _do(game, actions.Bet(seat.seat, lawful, lawful_toke), places)
    role = next(iter(game.book.limits.late_by), "")
    lay = {**lawful, TOKE: lawful_toke}
    return [
        (actions.AcceptLate(seat.seat, spot, cents, role, _PERSON), places)
        for spot, cents in (*wagers.items(), (TOKE, seat.toke))
        if lay[spot] != cents and spot not in game.book.equal[1:]
    ]


def _deal(game: Round, deck: Sequence[Card | None]) -> None:
    if game.state.shuffler and game.state.phase == "playing":
        game.do(actions.Light("green"))
    game.deal(deck)


def _decide(game: Round, seat: SeatFile, where: str, street: int, *, whole: bool) -> None:
    """Decide on one street, or die after the last decision that was made."""
    if street < len(seat.raises):
        action = _decision(game.book, seat, street)
        _do(game, action, {"": f"{where}.raises[{street}]"})
    elif whole and not seat.dead and seat.seat in game.due():
        wanted = len(game.book.streets)
        message = f"{wanted} decisions are needed, or 0 where the hand was folded"
        raise Unreadable(message, f"{where}.raises")
    if seat.dead and street + 1 >= len(seat.raises) and not game.state.seats[seat.seat].dead:
        role = _role(game.book.dead, seat.dead)
        # A file that lists as many cards as there ought to be does not say how many there were.
        count = len(seat.cards) if len(seat.cards) != game.book.seat_cards else 0
        kill = actions.KillHand(seat.seat, seat.dead, role, _PERSON, count)
        _do(game, kill, {"": f"{where}.dead"})


def _decision(book: Rulebook, seat: SeatFile, street: int) -> actions.Action:
    """Return what a seat did on a street; 0 is what is offered first instead of a raise."""
    choice: int | str = seat.raises[street]
    if not choice:
        steps = book.streets[street : street + 1]
        choice = steps[0].otherwise[0] if steps else "fold"
        if seat.timed_out:
            return actions.TimeOut(seat.seat)
    match choice:
        case "fold":
            return actions.Fold(seat.seat, confirmed=True)
        case "check":
            return actions.Check(seat.seat)
        case "take-back":
            return actions.TakeBack(seat.seat)
        case _:
            return actions.Raise(seat.seat, int(choice))


def _role(rules: Iterable[DeadHand | Misdeal], cause: str) -> str:
    """Return one who may call it; nobody may call what the house does not know."""
    return next((by for rule in rules if rule.cause == cause for by in rule.by), "")


def _check_upcard(book: Rulebook, upcard: Cards, piles: dict[str, Cards]) -> None:
    deals = [step for step in book.script if isinstance(step, DealStep)]
    up = [place for step in deals for place, cards in step.up.items() for _ in cards]
    shown = [place for place in up if up.count(place) < book.dealt[place]]
    if len(upcard) > len(shown):
        raise Unreadable(f"this game has {len(shown) or 'no'} upcard", "upcard")
    for card in upcard:
        if all(piles.get(place) and card not in piles[place] for place in shown):
            where = " or ".join(dict.fromkeys(shown))
            raise Unreadable(f"{card} is not in the hand of {where}", "upcard")
