"""The one machine: an action in, events out, or a refusal that says why.

No clock, no randomness, no input or output: cards are an argument, and time-outs are actions.
"""

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Literal, assert_never

import msgspec

from pitboss.cards import Card
from pitboss.errors import Refusal, Refused
from pitboss.money import MOST_CENTS, times
from pitboss.round import actions as a
from pitboss.round import events as e
from pitboss.round import refusals
from pitboss.round.state import (
    TOKE,
    Seat,
    State,
    awaits_green,
    coming,
    due,
    evolve,
    living_sides,
    multiples,
    to_show,
)
from pitboss.round.wagers import (
    bounds,
    posted_refusal,
    size_refusal,
    toke_refusal,
    wagers_refusal,
)
from pitboss.rulebook.base import codes
from pitboss.rulebook.deal_script import DealStep, DecideStep, ShowStep, TurnStep
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.pit_rules import DeadHand, Misdeal, Need
from pitboss.wording import counted, listed


class Option(msgspec.Struct, frozen=True):
    """Something a seat may do now, with the money it commits."""

    action: Literal["bet", "raise", "fold", "check", "take-back"]
    spot: str = ""
    times: int = 0
    """The multiple, for a raise."""
    cents: int = 0
    """What a raise commits, or what comes back."""
    least_cents: int = 0
    """For a bet: the least that the spot takes."""
    most_cents: int | None = None
    """For a bet: the most, where there is a most."""
    clause: str = ""


def step(book: Rulebook, state: State, action: a.Action) -> tuple[e.Event, ...]:
    """Return what happens when this is done; raises :class:`Refused` and changes nothing."""
    outcome = _answer(book, state, action)
    if isinstance(outcome, Refusal):
        raise Refused(_cited(book, state, outcome))
    return outcome


def refusal(book: Rulebook, state: State, action: a.Action) -> Refusal | None:
    """Return why this may not be done now, or None when it may."""
    outcome = _answer(book, state, action)
    return _cited(book, state, outcome) if isinstance(outcome, Refusal) else None


def _cited(book: Rulebook, state: State, refused: Refusal) -> Refusal:
    """Cite the step that the round is at, or the required wager, where nothing closer is cited."""
    if refused.clause:
        return refused
    at = book.script[state.step] if state.phase == "playing" else book.ante
    return msgspec.structs.replace(refused, clause=at.cited)


def apply(book: Rulebook, state: State, action: a.Action) -> tuple[State, tuple[e.Event, ...]]:
    """Do it: the state afterwards, and what happened."""
    happened = step(book, state, action)
    for event in happened:
        state = evolve(book, state, event)
    return state, happened


def legal(book: Rulebook, state: State, seat: int) -> tuple[Option, ...]:
    if state.phase == "betting" and seat in state.seats:
        return tuple(
            Option("bet", spot.name, least_cents=low, most_cents=high, clause=spot.cited)
            for spot in book.opening.values()
            for low, high in (bounds(spot, *state.posted),)
        )
    if seat not in due(book, state):
        return ()
    now = book.script[state.step]
    assert isinstance(now, DecideStep)
    stakes = state.seats[seat].stakes
    raises = tuple(
        Option("raise", now.into, each, stakes[now.of] * each, clause=now.cited)
        for each in multiples(book, now, state.seats[seat])
    )
    others = tuple(
        Option(
            each,
            now.into if each == "take-back" else "",
            cents=stakes.get(now.into, 0) if each == "take-back" else 0,
            clause=now.clause_on("fold") if each == "fold" else now.cited,
        )
        for each in now.otherwise
    )
    return raises + others


Answer = tuple[e.Event, ...] | Refusal


def _answer(book: Rulebook, state: State, action: a.Action) -> Answer:
    """Ask the action's own rule; the most frequent come first."""
    match action:
        case a.Raise():
            return _raise(book, state, action)
        case a.Deal():
            return _deal(book, state, action)
        case a.Bet():
            return _bet(book, state, action)
        case a.Turn():
            return _turn(book, state, action)
        case a.Fold():
            return _fold(book, state, action)
        case a.Open():
            return _open(book, state, action)
        case a.CloseBets():
            return _close_bets(book, state)
        case a.Pay():
            return _pay(book, state)
        case a.Check():
            return _without_raise(book, state, action.seat, "check")
        case a.TakeBack():
            return _without_raise(book, state, action.seat, "take-back")
        case a.TimeOut():
            return _without_raise(book, state, action.seat, "", timed_out=True)
        case a.Light():
            return _light(book, state, action)
        case a.AcceptLate():
            return _accept_late(book, state, action)
        case a.KillHand():
            return _kill_hand(book, state, action)
        case a.CallMisdeal():
            rule = _misdeal_rule(book, state, action)
            called = e.MisdealCalled(action.cause, action.role, action.person)
            return rule if isinstance(rule, Refusal) else (called,)
        case a.LetStand():
            rule = _misdeal_rule(book, state, action)
            stood = e.IrregularityStood(action.cause, action.role, action.person)
            return rule if isinstance(rule, Refusal) else (stood,)
        case _:
            assert_never(action)


def _open(book: Rulebook, state: State, action: a.Open) -> Answer:
    if state.phase != "new":
        return refusals.ALREADY_OPEN()
    limits = action.minimum_cents, action.maximum_cents, action.token_cents
    posted = posted_refusal(book, *limits)
    if posted is not None:
        return posted
    strange = next((each for each in action.seats if not 1 <= each <= book.seats.most), None)
    if not action.seats or strange is not None:
        place = "" if strange is None else f"seat {strange}"
        return refusals.UNKNOWN_SEAT(book.seats.cited, place, most=book.seats.most)
    people = [person for person in action.seats.values() if person]
    for person in people:
        if people.count(person) > book.seats.hands_each:
            return refusals.ONE_HAND_EACH(
                book.seats.cited, person=person, hands=book.seats.hands_each
            )
    if any(each not in action.seats for group in action.partners for each in group):
        return refusals.UNKNOWN_PARTNER(book.limits.cited)
    meter = action.meter_cents or 0
    if (book.progressive is None) != (action.meter_cents is None) or not 0 <= meter <= MOST_CENTS:
        return refusals.METER_MISMATCH(place="meter")
    if action.shuffler and not book.deck.shuffler:
        return refusals.HOUSE_WITHOUT_SHUFFLER(book.deck.cited)
    return (
        e.RoundOpened(
            rulebook=book.id,
            sha256=book.sha256,
            seats=dict(sorted(action.seats.items())),
            minimum_cents=action.minimum_cents,
            maximum_cents=action.maximum_cents,
            meter_cents=action.meter_cents,
            shuffler=action.shuffler,
            partners=action.partners,
            token_cents=action.token_cents,
        ),
    )


def _bet(book: Rulebook, state: State, action: a.Bet) -> Answer:
    if state.phase != "betting":
        return refusals.BETS_CLOSED(book.ante.cited)
    if action.seat not in state.seats:
        return refusals.NOT_IN_ROUND(seat=action.seat)
    if action.cash and not book.limits.cash_speaks:
        return refusals.CASH(book.limits.clause_on("cash_speaks"))
    limits = state.minimum_cents, state.maximum_cents
    refused = wagers_refusal(
        book, *limits, action.wagers, action.toke_cents, state.token_cents
    ) or _partners_refusal(book, state, action)
    if refused is not None:
        return refused
    in_order = {name: int(action.wagers[name]) for name in book.opening if name in action.wagers}
    return (e.BetPlaced(action.seat, in_order, action.toke_cents),)


def _partners_refusal(book: Rulebook, state: State, action: a.Bet) -> Refusal | None:
    if not book.limits.partners_share_maximum or state.maximum_cents is None:
        return None
    ante = book.ante.name
    for group in state.partners:
        if action.seat in group:
            others = sum(
                state.seats[each].stakes.get(ante, 0) for each in group if each != action.seat
            )
            if others + action.wagers.get(ante, 0) > state.maximum_cents:
                return refusals.PARTNERS(
                    book.limits.cited,
                    ante,
                    maximum=book.money(state.maximum_cents),
                    down=book.money(others),
                )
    return None


def _close_bets(book: Rulebook, state: State) -> Answer:
    if state.phase != "betting":
        return refusals.BETTING_NOT_OPEN()
    tokens = 0
    if book.progressive is not None:
        tokens = sum(each.stakes.get(book.progressive.spot, 0) for each in state.seats.values())
    if not any(each.stakes for each in state.seats.values()):
        return refusals.NOBODY_BETS(book.ante.cited)
    meter = state.meter_cents
    if meter is not None and book.progressive is not None:
        meter += times(tokens, book.progressive.contribution, book.rounding)
    return (e.BettingClosed(meter),)


def _deal(book: Rulebook, state: State, action: a.Deal) -> Answer:
    now = book.script[state.step] if state.phase == "playing" else None
    if not isinstance(now, DealStep):
        return refusals.NOT_DEALING(now.cited if now else "")
    if state.light == "red":
        return refusals.RED_LIGHT(book.deck.clause_on("shuffler"))
    if awaits_green(now, state):
        cited = codes(book.deck.clause_on("shuffler"), now.cited)
        return refusals.NO_GREEN_LIGHT(", ".join(cited))
    order = coming(book, state)
    if not 1 <= len(action.cards) <= len(order):
        return refusals.WRONG_DEAL(now.cited, left=counted(len(order), "card"))
    twice = card_twice(state.out, action.cards)
    if twice is not None:
        return twice
    happened = []
    cards = iter(action.cards)
    for (place, seat, up), alike in groupby(order[: len(action.cards)]):
        dealt = tuple(next(cards) for _ in alike)
        if up and None in dealt:
            return refusals.UNREAD(now.cited, where=place)
        happened.append(e.CardsDealt(place, seat, dealt, up))
    return tuple(happened)


def card_twice(out: int, cards: Iterable[Card | None]) -> Refusal | None:
    """Why these cards may not come out of the deck when others, one bit each, are out."""
    for card in cards:
        if card is not None:
            if out >> card & 1:
                return refusals.CARD_TWICE(card=card)
            out |= 1 << card
    return None


def _light(book: Rulebook, state: State, action: a.Light) -> Answer:
    if not state.shuffler or state.phase not in ("betting", "playing"):
        return refusals.NO_SHUFFLER(book.deck.clause_on("shuffler"))
    if action.colour not in ("green", "red"):
        return refusals.UNKNOWN_LIGHT(book.deck.clause_on("shuffler"))
    if action.colour == "green" and state.light == "red" and state.dealt:
        return _grounds(book)
    return (e.LightSeen(action.colour, action.colour == "red" and not state.dealt),)


def _grounds(book: Rulebook) -> Refusal:
    return refusals.LIGHT_GROUNDS(book.deck.clause_on("shuffler"), cause=book.deck.red_light)


_NOT_OFFERED = {
    "fold": refusals.FOLD_NOT_OFFERED,
    "check": refusals.CHECK_NOT_OFFERED,
    "take-back": refusals.TAKE_BACK_NOT_OFFERED,
}


def _decision(book: Rulebook, state: State, number: int, kind: str) -> Refusal | DecideStep:
    """Return the step at which this seat decides now, or why it does not."""
    seat = state.seats.get(number)
    if seat is None:
        return refusals.NOT_IN_ROUND(seat=number)
    now = book.script[state.step] if state.phase == "playing" else None
    if seat.dead:
        return refusals.SEAT_DEAD(seat=number)
    if seat.folded:
        return refusals.SEAT_FOLDED(seat=number)
    if not isinstance(now, DecideStep):
        return refusals.NOT_DECIDING(now.cited if now else "")
    if number not in due(book, state):
        return refusals.DECIDED_ALREADY(now.cited, seat=number)
    if kind != "raise" and kind not in now.otherwise:
        raises = multiples(book, now, seat)
        offered = ", ".join([*(f"{each}x" for each in raises), *now.otherwise])
        return _NOT_OFFERED[kind](now.cited, offered=offered)
    return now


def _raise(book: Rulebook, state: State, action: a.Raise) -> Answer:
    now = _decision(book, state, action.seat, "raise")
    if isinstance(now, Refusal):
        return now
    seat = state.seats[action.seat]
    if action.times not in multiples(book, now, seat):
        return _not_a_multiple(book, now, seat, action.times, action.times)
    cents = seat.stakes[now.of] * action.times
    return (e.RaisePlaced(action.seat, now.into, action.times, cents),)


def _without_raise(
    book: Rulebook, state: State, number: int, kind: str, *, timed_out: bool = False
) -> Answer:
    """Fold, check or take back; who answers too late does what the step says."""
    now = _decision(book, state, number, "raise" if timed_out else kind)
    if isinstance(now, Refusal):
        return now
    match now.timeout if timed_out else kind:
        case "fold":
            seat, rule = state.seats[number], book.progressive
            kept = ""
            if timed_out and rule is not None and rule.timeout == "paid":
                # A hand that nobody has read may win one: it is turned over like any that does.
                unread = rule.spot in seat.stakes and None in seat.cards
                kept = rule.spot if unread or _award(book, seat) else ""
            living = living_sides(book, msgspec.structs.replace(seat, kept=kept))
            tucked = living[0] if living else ""
            return (e.Folded(number, book.street_at[state.step], tucked, timed_out, kept),)
        case "check":
            return (e.Checked(number, timed_out),)
        case _:
            cents = state.seats[number].stakes[now.into]
            return (e.WagerTakenBack(number, now.into, cents, timed_out),)


def _fold(book: Rulebook, state: State, action: a.Fold) -> Answer:
    folded = _without_raise(book, state, action.seat, "fold")
    if action.confirmed or isinstance(folded, Refusal):
        return folded
    rule, award = book.progressive, _award(book, state.seats[action.seat])
    if award and rule is not None and rule.confirm_fold:
        return refusals.CONFIRM_FOLD(rule.clause_on("confirm_fold"), hand=award)
    return folded


def _award(book: Rulebook, seat: Seat) -> str:
    """Return the hand with which a seat wins an award that a fold loses."""
    rule = book.progressive
    if rule is None or rule.spot not in seat.stakes or book.spots[rule.spot].after_fold != "lost":
        return ""
    held = tuple(card for card in seat.cards if card is not None)
    table = book.tables[book.spots[rule.spot].table]
    if len(held) < table.order.size:
        return ""
    hand = table.order.best(held)
    return hand.name if table.row_for(hand.strength).odds is None else ""


def _turn(book: Rulebook, state: State, action: a.Turn) -> Answer:
    now = book.script[state.step] if state.phase == "playing" else None
    if not isinstance(now, TurnStep | ShowStep):
        return refusals.NOT_TURNING(now.cited if now else "")
    if state.light == "red":
        return refusals.RED_LIGHT(book.deck.clause_on("shuffler"))
    if isinstance(now, ShowStep):
        hands = [(each.seat, each.cards) for each in to_show(book, state)]
    else:
        pile, faces = state.piles[now.place], state.up[now.place]
        down = [card for card, up in zip(pile, faces, strict=True) if not up]
        hands = [(0, tuple(down[: now.cards - state.position]))]
    entered = list(action.cards)
    out = state.out
    happened: list[e.Event] = []
    for number, cards in hands:
        unread = sum(card is None for card in cards)
        if unread > len(entered):
            break
        new, entered = entered[:unread], entered[unread:]
        twice = card_twice(out, tuple(new))
        if twice is not None:
            return twice
        out |= sum(1 << card for card in new)
        supply = iter(new)
        read = tuple(next(supply) if card is None else card for card in cards)
        if isinstance(now, ShowStep):
            happened.append(e.HandShown(number, read))
        else:
            happened.append(e.CardsTurned(now.place, read))
    if entered or not happened:
        missing = sum(card is None for card in hands[0][1])
        return refusals.WRONG_TURN(now.cited, missing=missing)
    return tuple(happened)


def _accept_late(book: Rulebook, state: State, action: a.AcceptLate) -> Answer:
    rule = book.limits
    if state.phase not in ("playing", "settling") or not state.dealt:
        return refusals.NOT_LATE_YET(rule.clause_on("late_by"))
    if not (book.allows(action.role, rule.late_by) and action.person):
        return _not_by(action.role, rule.late_by, rule.clause_on("late_by"))
    if action.seat not in state.seats:
        return refusals.NOT_IN_ROUND(seat=action.seat)
    seat = state.seats[action.seat]
    if not (seat.live or action.spot in living_sides(book, seat)):
        return refusals.OUT_OF_THE_HAND(rule.clause_on("late_by"), seat=action.seat)
    down = {**seat.stakes, TOKE: seat.toke_cents} if seat.toke_cents else seat.stakes
    if action.spot not in down:
        return refusals.NO_LATE_WAGER(
            rule.clause_on("late_by"), seat=action.seat, spot=book.wager_name(action.spot)[:40]
        )
    together = book.equal if action.spot in book.equal else (action.spot,)
    found = {spot: action.cents for spot in together if spot in down}
    for street in book.streets:
        if street.into in down and street.times and street.of in found:
            # What was raised is so many times the wager that counts.
            found[street.into] = down[street.into] // down[street.of] * found[street.of]
    return _late_refusal(book, state, action) or tuple(
        e.LateWagerAccepted(action.seat, spot, cents, action.role, action.person)
        for spot, cents in found.items()
    )


def _late_refusal(book: Rulebook, state: State, action: a.AcceptLate) -> Refusal | None:
    """Why a wager that lies there is not found to be of this size: a raise is a multiple, all
    others are out of limits, or they would have been taken as they are."""
    cents, seat = action.cents, state.seats[action.seat]
    stakes, done = seat.stakes, zip(book.streets, seat.raises, strict=False)
    raised = next((s for s, times in done if times and s.into == action.spot), None)
    if raised is not None:
        if cents == stakes[raised.into]:
            return refusals.AS_IT_LIES(
                book.limits.clause_on("late_by"),
                bet=book.money(cents),
                spot=book.wager_name(raised.into),
            )
        times, rest = divmod(cents, stakes[raised.of])
        if times in multiples(book, raised, seat) and not rest:
            return None
        return _not_a_multiple(book, raised, seat, 0 if rest else times, book.money(cents))
    if action.spot == TOKE:
        refused = toke_refusal(book, None, MOST_CENTS, cents)
        own = stakes.get(book.ante.name, 0)
        lawful = toke_refusal(book, state.maximum_cents, own, cents) is None
    else:
        spot = book.opening[action.spot]
        refused = size_refusal(book, spot, cents, *state.posted, accepted=True)
        lawful = size_refusal(book, spot, cents, *state.posted, accepted=False) is None
    if lawful:
        return refusals.WITHIN_LIMITS(book.limits.clause_on("late_by"), bet=book.money(cents))
    return refused


def _not_a_multiple(
    book: Rulebook, now: DecideStep, seat: Seat, times: int, raised: object
) -> Refusal:
    wanted = next((more for more in now.more if times in more.times), None)
    if wanted is not None:
        facts = {"times": times, "wager": now.of, "needed": book.needed_words(wanted)}
        return refusals.NOT_WITH_THIS_HAND(wanted.cited, now.into, **facts)
    if not now.times:
        return refusals.RAISE_NOT_OFFERED(now.cited, offered=", ".join(now.otherwise))
    offered = listed(map(str, multiples(book, now, seat)), "or")
    return refusals.NOT_A_MULTIPLE(now.cited, now.into, offered=offered, wager=now.of, times=raised)


def _not_by(role: str, by: tuple[str, ...], clause: str) -> Refusal:
    return refusals.NOT_YOURS(clause, role=role[:40] or "nobody", by=" or ".join(by))


def _kill_hand(book: Rulebook, state: State, action: a.KillHand) -> Answer:
    rule = next((each for each in book.dead if each.cause == action.cause), None)
    if rule is None:
        known = ", ".join(each.cause for each in book.dead) or "no dead hands, only misdeals"
        return refusals.UNKNOWN_DEATH(known=known)
    if state.phase not in ("playing", "settling"):
        return refusals.NOT_DYING(rule.cited)
    if not (book.allows(action.role, rule.by) and action.person):
        return _not_by(action.role, rule.by, rule.cited)
    if action.seat not in state.seats:
        return refusals.NOT_IN_ROUND(seat=action.seat)
    seat = state.seats[action.seat]
    if seat.dead:
        return refusals.DEAD_ALREADY(rule.cited, seat=action.seat)
    missing = missing_grounds(book, state, rule, seat)
    if missing:
        return refusals.NO_DEATH_YET(rule.cited, missing=missing)
    if not 0 <= action.count <= MOST_CARDS:
        return refusals.NO_SUCH_COUNT(rule.cited, "count", most=MOST_CARDS)
    right = book.seat_cards if rule.cause == "count" else 0
    if right and action.count == right:
        return refusals.RIGHT_COUNT(rule.cited, "count", count=right)
    # How many there were when as many are entered as there ought to be is for somebody to say.
    count = action.count or (len(seat.cards) if len(seat.cards) != right else 0)
    return (e.HandDied(action.seat, action.cause, action.role, action.person, count),)


MOST_CARDS = 10
"""A hand that is dead for its count may hold a wrong number of cards, but not any number."""

_NEEDS: dict[Need, tuple[str, Callable[[Rulebook, State, Seat | None], object]]] = {
    "card-out": ("no card is out", lambda _book, state, _seat: state.dealt),
    "dealer-card": (
        "the dealer has no card",
        lambda book, state, _seat: book.qualifier and state.piles.get(book.qualifier.place),
    ),
    "own-card": ("this hand has no card", lambda _book, _state, seat: seat and seat.cards),
    "shuffler": ("no shuffler is in use", lambda _book, state, _seat: state.shuffler),
}


def missing_grounds(
    book: Rulebook, state: State, rule: Misdeal | DeadHand, seat: Seat | None = None
) -> str:
    """Say why a cause cannot have happened yet; nothing, if it can."""
    needs = (_NEEDS[need] for need in rule.needs)
    return listed(words for words, there in needs if not there(book, state, seat))


def _misdeal_rule(
    book: Rulebook, state: State, action: a.CallMisdeal | a.LetStand
) -> Misdeal | Refusal:
    rule = next((each for each in book.misdeal if each.cause == action.cause), None)
    if rule is None:
        known = ", ".join(each.cause for each in book.misdeal)
        return refusals.UNKNOWN_MISDEAL(known=known or "none")
    if state.phase == "paying":
        return refusals.PAID(rule.cited)
    if state.phase not in ("betting", "playing", "settling"):
        return refusals.NO_ROUND(rule.cited)
    if not (book.allows(action.role, rule.by) and action.person):
        return _not_by(action.role, rule.by, rule.cited)
    missing = missing_grounds(book, state, rule)
    return refusals.NO_GROUNDS(rule.cited, missing=missing) if missing else rule


def _pay(book: Rulebook, state: State) -> Answer:
    if state.phase != "settling":
        return refusals.NOT_PAYING()
    if state.light == "red":
        return _grounds(book)
    return (e.PayingBegan(),)
