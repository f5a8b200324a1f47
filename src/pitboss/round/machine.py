"""The one machine: an action in, events out, or a refusal that says why.

No clock, no randomness, no input or output: cards are an argument, and time-outs are actions.
"""

from collections.abc import Callable
from typing import Any, Literal

import msgspec

from pitboss.errors import Refusal, Refused
from pitboss.money import MOST_CENTS, text, times
from pitboss.round import actions as a
from pitboss.round import events as e
from pitboss.round.state import State, awaits_green, deal_order, due, evolve, living_sides, to_show
from pitboss.round.wagers import bounds, posted_refusal, size_refusal, wagers_refusal
from pitboss.rulebook.deal_script import DealStep, DecideStep, ShowStep, TurnStep
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.pit_rules import Misdeal


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
    outcome = _STEP[type(action)](book, state, action)
    if isinstance(outcome, Refusal):
        raise Refused(_cited(book, state, outcome))
    return outcome


def refusal(book: Rulebook, state: State, action: a.Action) -> Refusal | None:
    """Return why this may not be done now, or None when it may."""
    outcome = _STEP[type(action)](book, state, action)
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
    """Return what this seat may do now."""
    if state.phase == "betting" and seat in state.seats:
        return tuple(
            Option(
                "bet",
                spot.name,
                least_cents=low,
                most_cents=high,
                clause=spot.cited,
            )
            for spot in book.opening.values()
            for low, high in (bounds(spot, state.minimum_cents, state.maximum_cents),)
        )
    if seat not in due(book, state):
        return ()
    now = book.script[state.step]
    assert isinstance(now, DecideStep)
    stakes = state.seats[seat].stakes
    raises = tuple(
        Option("raise", now.into, each, stakes[now.of] * each, clause=now.cited)
        for each in now.times
    )
    others = tuple(
        Option(
            each,
            now.into if each == "take-back" else "",
            cents=stakes.get(now.into, 0) if each == "take-back" else 0,
            clause=", ".join(now.fold_clause.split()) if each == "fold" else now.cited,
        )
        for each in now.otherwise
    )
    return raises + others


Outcome = tuple[e.Event, ...] | Refusal


def _open(book: Rulebook, state: State, action: a.Open) -> Outcome:
    if state.phase != "new":
        return Refusal("round/already-open", "this round is open already")
    posted = posted_refusal(book, action.minimum_cents, action.maximum_cents)
    if posted is not None:
        return posted
    if not action.seats or not all(1 <= each <= book.seats.most for each in action.seats):
        return Refusal(
            "seat/unknown",
            f"seats here are numbered 1 to {book.seats.most}; at least one is taken",
            book.seats.cited,
        )
    people = [person for person in action.seats.values() if person]
    for person in people:
        if people.count(person) > book.seats.hands_each:
            return Refusal(
                "seat/one-hand-each",
                f"{person} may play {book.seats.hands_each} hand in a round",
                book.seats.cited,
            )
    if any(each not in action.seats for group in action.partners for each in group):
        return Refusal("seat/unknown", "partners sit at this table", book.limits.cited)
    meter = action.meter_cents or 0
    if (book.progressive is None) != (action.meter_cents is None) or not 0 <= meter <= MOST_CENTS:
        return Refusal("meter/mismatch", "a meter goes with a progressive, and only with one")
    if action.shuffler and not book.deck.shuffler:
        return Refusal("light/no-shuffler", "this house deals without a shuffler", book.deck.cited)
    return (
        e.RoundOpened(
            book.id,
            book.sha256,
            dict(sorted(action.seats.items())),
            action.minimum_cents,
            action.maximum_cents,
            action.meter_cents,
            action.shuffler,
            action.partners,
        ),
    )


def _bet(book: Rulebook, state: State, action: a.Bet) -> Outcome:
    if state.phase != "betting":
        return Refusal("bet/closed", "bets are made before the deal", book.ante.cited)
    if action.seat not in state.seats:
        return _no_seat(action.seat)
    if action.cash and not book.limits.cash_speaks:
        return Refusal(
            "bet/cash",
            "a spoken wager with cash is not taken: chips only",
            book.limits.chips_clause,
        )
    refused = wagers_refusal(
        book, state.minimum_cents, state.maximum_cents, action.wagers, action.toke_cents
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
                return Refusal(
                    "bet/partners",
                    f"partners stay within {text(state.maximum_cents)} together, "
                    f"and {text(others)} is down",
                    book.limits.cited,
                    ante,
                )
    return None


def _close_bets(book: Rulebook, state: State, _action: a.CloseBets) -> Outcome:
    if state.phase != "betting":
        return Refusal("bet/closed", "betting is not open")
    tokens = 0
    if book.progressive is not None:
        tokens = sum(each.stakes.get(book.progressive.spot, 0) for each in state.seats.values())
    if not any(each.stakes for each in state.seats.values()):
        return Refusal("bet/nobody", "nobody has a wager down", book.ante.cited)
    meter = state.meter_cents
    if meter is not None and book.progressive is not None:
        meter += times(tokens, book.progressive.contribution, book.rounding)
    return (e.BettingClosed(meter),)


def _no_seat(seat: int) -> Refusal:
    return Refusal("seat/not-in-round", f"seat {seat} is not in this round")


def _deal(book: Rulebook, state: State, action: a.Deal) -> Outcome:
    now = book.script[state.step] if state.phase == "playing" else None
    if not isinstance(now, DealStep):
        return Refusal("deal/not-now", "no cards are dealt now", now.cited if now else "")
    if state.light == "red":
        return Refusal("deal/red-light", "the shuffler shows red", book.deck.shuffler_clause)
    if awaits_green(now, state):
        return Refusal(
            "deal/no-green-light",
            "community cards wait for the shuffler's green light",
            f"{book.deck.shuffler_clause}, {now.cited}",
        )
    order = deal_order(now, state.seats)
    left = len(order) - state.position
    if not 1 <= len(action.cards) <= left:
        return Refusal("deal/wrong-count", f"this step deals {left} more cards", now.cited)
    twice = _known_twice(state.out, action.cards)
    if twice is not None:
        return twice
    happened: list[e.Event] = []
    at = state.position
    end = at + len(action.cards)
    while at < end:
        run = at + 1
        while run < end and order[run] == order[at]:
            run += 1
        place, seat, up = order[at]
        cards = action.cards[at - state.position : run - state.position]
        if up and None in cards:
            return Refusal("deal/unread", f"a card that lies face up at {place} is read", now.cited)
        happened.append(e.CardsDealt(place, seat, cards, up))
        at = run
    return tuple(happened)


def _known_twice(out: int, cards: tuple[Any, ...]) -> Refusal | None:
    for card in cards:
        if card is not None:
            if out >> card & 1:
                return Refusal("deal/card-twice", f"{card} is out already")
            out |= 1 << card
    return None


def _light(book: Rulebook, state: State, action: a.Light) -> Outcome:
    if not state.shuffler or state.phase not in ("betting", "playing"):
        return Refusal("light/no-shuffler", "no shuffler is at work now", book.deck.shuffler_clause)
    if action.colour not in ("green", "red"):
        return Refusal("light/unknown", "the light is green or red", book.deck.shuffler_clause)
    if action.colour == "green" and state.light == "red" and state.dealt:
        return _grounds(book)
    return (e.LightSeen(action.colour, action.colour == "red" and not state.dealt),)


def _grounds(book: Rulebook) -> Refusal:
    cause = book.deck.red_light
    return Refusal(
        "light/grounds",
        f"red after cards were out: a misdeal ({cause}) is called or let stand first",
        book.deck.shuffler_clause,
    )


def _decision(book: Rulebook, state: State, number: int, kind: str) -> Refusal | DecideStep:
    """Return the step at which this seat decides now, or why it does not."""
    seat = state.seats.get(number)
    if seat is None:
        return _no_seat(number)
    now = book.script[state.step] if state.phase == "playing" else None
    if seat.dead:
        return Refusal("seat/dead", f"the hand at seat {number} is dead")
    if seat.folded:
        return Refusal("seat/folded", f"seat {number} has folded")
    if not isinstance(now, DecideStep):
        return Refusal("decide/not-now", "there is nothing to decide now", now.cited if now else "")
    if number not in due(book, state):
        return Refusal("decide/already", f"seat {number} has decided this street", now.cited)
    if kind != "raise" and kind not in now.otherwise:
        offered = ", ".join([*(f"{each}x" for each in now.times), *now.otherwise])
        return Refusal(f"{kind}/not-offered", f"the choices here are {offered}", now.cited)
    return now


def _raise(book: Rulebook, state: State, action: a.Raise) -> Outcome:
    now = _decision(book, state, action.seat, "raise")
    if isinstance(now, Refusal):
        return now
    if action.times not in now.times:
        return Refusal(
            "raise/not-a-multiple",
            f"a raise here is {_listed(now.times)} times the {now.of}, not {action.times}",
            now.cited,
            now.into,
        )
    cents = state.seats[action.seat].stakes[now.of] * action.times
    return (e.RaisePlaced(action.seat, now.into, action.times, cents),)


def _listed(several: tuple[int, ...]) -> str:
    if not several:
        return "not offered: 0"
    return " or ".join(filter(None, [", ".join(map(str, several[:-1])), str(several[-1])]))


def _fold(book: Rulebook, state: State, action: a.Fold) -> Outcome:
    now = _decision(book, state, action.seat, "fold")
    if isinstance(now, Refusal):
        return now
    if not action.confirmed:
        award = _award_given_up(book, state, action.seat)
        if award:
            assert book.progressive is not None
            return Refusal(
                "fold/confirm",
                f"{award} wins the progressive, and folding forfeits it: confirm the fold",
                book.progressive.fold_ruling,
            )
    return (_folded(book, state, action.seat, timed_out=False),)


def _award_given_up(book: Rulebook, state: State, number: int) -> str:
    seat = state.seats[number]
    rule = book.progressive
    if rule is None or not rule.confirm_fold or rule.spot not in seat.stakes:
        return ""
    held = tuple(card for card in seat.cards if card is not None)
    table = book.tables[book.spots[rule.spot].table]
    if len(held) < table.order.size:
        return ""
    hand = table.order.best(held)
    return hand.name if table.row_for(hand.strength).odds is None else ""


def _folded(book: Rulebook, state: State, number: int, *, timed_out: bool) -> e.Folded:
    living = living_sides(book, state.seats[number])
    street = book.street_at[state.step]
    return e.Folded(number, street, living[0] if living else "", timed_out)


def _check(book: Rulebook, state: State, action: a.Check) -> Outcome:
    now = _decision(book, state, action.seat, "check")
    return now if isinstance(now, Refusal) else (e.Checked(action.seat),)


def _take_back(book: Rulebook, state: State, action: a.TakeBack) -> Outcome:
    now = _decision(book, state, action.seat, "take-back")
    if isinstance(now, Refusal):
        return now
    cents = state.seats[action.seat].stakes[now.into]
    return (e.WagerTakenBack(action.seat, now.into, cents),)


def _time_out(book: Rulebook, state: State, action: a.TimeOut) -> Outcome:
    number = action.seat
    now = _decision(book, state, number, "raise")
    if isinstance(now, Refusal):
        return now
    if now.timeout == "fold":
        return (_folded(book, state, number, timed_out=True),)
    if now.timeout == "check":
        return (e.Checked(number, timed_out=True),)
    cents = state.seats[number].stakes[now.into]
    return (e.WagerTakenBack(number, now.into, cents, timed_out=True),)


def _turn(book: Rulebook, state: State, action: a.Turn) -> Outcome:
    now = book.script[state.step] if state.phase == "playing" else None
    if not isinstance(now, TurnStep | ShowStep):
        return Refusal("turn/not-now", "nothing is turned up now", now.cited if now else "")
    if state.light == "red":
        return Refusal("deal/red-light", "the shuffler shows red", book.deck.shuffler_clause)
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
        twice = _known_twice(out, tuple(new))
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
        return Refusal(
            "turn/wrong-count",
            f"enter the {missing} unread cards that are turned next",
            now.cited,
        )
    return tuple(happened)


def _accept_late(book: Rulebook, state: State, action: a.AcceptLate) -> Outcome:
    rule = book.limits
    if state.phase not in ("playing", "settling") or not state.dealt:
        return Refusal("late/not-now", "a late find is recorded after the deal", rule.late_ruling)
    if action.role not in rule.late_by or not action.person:
        return _not_by(action.role, rule.late_by, rule.late_ruling)
    if action.seat not in state.seats:
        return _no_seat(action.seat)
    if not state.seats[action.seat].live:
        return Refusal("seat/folded", f"seat {action.seat} is out of the hand", rule.late_ruling)
    if action.spot not in state.seats[action.seat].stakes or action.spot not in book.opening:
        return Refusal(
            "late/no-wager",
            f"seat {action.seat} has no opening wager on {action.spot[:40]!r}",
            rule.late_ruling,
        )
    spot, limits = book.opening[action.spot], (state.minimum_cents, state.maximum_cents)
    refused = size_refusal(book, spot, action.cents, *limits, accepted=True)
    if size_refusal(book, spot, action.cents, *limits, accepted=False) is None:
        refused = Refusal(
            "late/within-limits",
            f"{text(action.cents)} is within limits: it is bet before the deal or not at all",
            rule.late_ruling,
        )
    return refused or (
        e.LateWagerAccepted(action.seat, action.spot, action.cents, action.role, action.person),
    )


def _not_by(role: str, by: tuple[str, ...], clause: str) -> Refusal:
    return Refusal(
        "role/not-yours",
        f"{role[:40] or 'nobody'} may not do this; {' or '.join(by)} may, by name",
        clause,
    )


def _kill_hand(book: Rulebook, state: State, action: a.KillHand) -> Outcome:
    rule = next((each for each in book.dead if each.cause == action.cause), None)
    if rule is None:
        known = ", ".join(each.cause for each in book.dead) or "no dead hands, only misdeals"
        return Refusal("dead/unknown-cause", f"this house knows {known}")
    if state.phase not in ("playing", "settling"):
        return Refusal("dead/not-now", "a hand dies between deal and payment", rule.cited)
    if action.role not in rule.by or not action.person:
        return _not_by(action.role, rule.by, rule.cited)
    if action.seat not in state.seats:
        return _no_seat(action.seat)
    if state.seats[action.seat].dead:
        return Refusal("seat/dead", f"the hand at seat {action.seat} is dead already", rule.cited)
    return (e.HandDied(action.seat, action.cause, action.role, action.person),)


def _misdeal_rule(
    book: Rulebook, state: State, action: a.CallMisdeal | a.LetStand
) -> Misdeal | Refusal:
    rule = next((each for each in book.misdeal if each.cause == action.cause), None)
    if rule is None:
        known = ", ".join(each.cause for each in book.misdeal)
        return Refusal("misdeal/unknown-cause", f"the causes here are {known or 'none'}")
    if state.phase == "paying":
        return Refusal(
            "misdeal/paid", "paying began: mistakes are corrected, nothing is undone", rule.cited
        )
    if state.phase not in ("betting", "playing", "settling"):
        return Refusal("misdeal/not-now", "no round is under way", rule.cited)
    if action.role not in rule.by or not action.person:
        return _not_by(action.role, rule.by, rule.cited)
    if action.cause == book.deck.red_light and not (state.shuffler and state.dealt):
        return Refusal(
            "misdeal/no-grounds",
            "a shuffler is grounds only where one is used and cards are out; before, shuffle again",
            rule.cited,
        )
    return rule


def _call_misdeal(book: Rulebook, state: State, action: a.CallMisdeal) -> Outcome:
    rule = _misdeal_rule(book, state, action)
    if isinstance(rule, Refusal):
        return rule
    return (e.MisdealCalled(action.cause, action.role, action.person),)


def _let_stand(book: Rulebook, state: State, action: a.LetStand) -> Outcome:
    rule = _misdeal_rule(book, state, action)
    if isinstance(rule, Refusal):
        return rule
    return (e.IrregularityStood(action.cause, action.role, action.person),)


def _pay(book: Rulebook, state: State, _action: a.Pay) -> Outcome:
    if state.phase != "settling":
        return Refusal("pay/not-now", "paying begins when every hand is decided and shown")
    if state.light == "red":
        return _grounds(book)
    return (e.PayingBegan(),)


_STEP: dict[type[Any], Callable[[Rulebook, State, Any], Outcome]] = {
    a.Open: _open,
    a.Bet: _bet,
    a.CloseBets: _close_bets,
    a.Deal: _deal,
    a.Light: _light,
    a.Raise: _raise,
    a.Fold: _fold,
    a.Check: _check,
    a.TakeBack: _take_back,
    a.TimeOut: _time_out,
    a.Turn: _turn,
    a.AcceptLate: _accept_late,
    a.KillHand: _kill_hand,
    a.CallMisdeal: _call_misdeal,
    a.LetStand: _let_stand,
    a.Pay: _pay,
}
