"""What a table does when it is asked: a command in, events out, or a refusal that says why.

Like the round's own machine it is pure: who asks, when, and the next sealed deck are arguments.
What follows by itself (cards dealt by an automatic dealer, clocks, payment) happens in the same
breath as the command that it follows from.
"""

from typing import assert_never

from msgspec.structs import replace

from pitboss import round as rounds
from pitboss.errors import refuse
from pitboss.house.table import commands as c
from pitboss.house.table import (
    corrections,
    deck_handling,
    opening,
    paperwork,
    patrons,
    payoffs,
    seats,
)
from pitboss.house.table import events as h
from pitboss.house.table.dealing import next_action
from pitboss.house.table.evolve import asked
from pitboss.house.table.smallest_chip import made_of_chips
from pitboss.house.table.state import Table, among
from pitboss.house.table.unit_of_work import (
    AUTOMATIC,
    Actor,
    Context,
    UnitOfWork,
    between_rounds,
    has_role,
    is_dealer,
    takes_no_part,
    unless,
)
from pitboss.round import actions as a
from pitboss.round import events as e
from pitboss.round.state import TOKE
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.pit_rules import SEALED_ANEW

MOST_OF_ONE, MOST_OF_ALL = 100, 500
"""Entries of a round, from when its betting is opened: every look at it tells all of them. Whoever
has had the first number only brings it to its end; after the second nobody else comes."""

VERSION = 2
"""Of this procedure; every entry of the journal names the one that decided it.

Raise it when a command that was done before would now lead to other events, and keep what decided
until then: an audit does every command again by the procedure of its version. 1 was that of
Pitboss 0.1, whose entries do not name it.
"""


def do(book: Rulebook, table: Table, command: c.Asked, who: Actor, now: Context) -> UnitOfWork:
    """Do it, and all that follows by itself; raises ``Refused`` and changes nothing."""
    unit = UnitOfWork(book, table, who, now)
    if not table.open and not isinstance(command, ON_A_CLOSED_TABLE):
        raise refuse("table/closed", "this table is closed")
    _bounded(unit, command)
    unit.table = asked(table, who.person)
    _look_around(unit)
    _do(unit, command)
    for _ in range(LONGEST):
        before = len(unit.events)
        _follow(unit)
        if len(unit.events) == before:
            patrons.can_pay(unit.book, unit.table)
            return unit
    raise AssertionError("a table that never comes to rest")


ON_A_CLOSED_TABLE = (c.OpenTable, c.AcknowledgeNotice, c.CorrectPaid, c.WriteOffTokes)

LONGEST = 500
"""Steps that one command may set off: far more than any round has."""


def _do(unit: UnitOfWork, command: c.Asked) -> None:
    match command:
        case a.Bet() | a.Raise() | a.Fold() | a.Check() | a.TakeBack():
            _decides(unit, command)
        case c.Tick():
            _tick(unit, command)
        case c.SealAnew():
            _seal_anew(unit)
        case a.CloseBets() | a.Light() | a.Pay():
            _dealers(unit, command)
        case a.Deal() | a.Turn():
            _dealt(unit, command)
        case a.AcceptLate() | a.KillHand() | a.CallMisdeal() | a.LetStand():
            _floor(unit, command)
        case c.ApprovePayoff():
            payoffs.approve(unit, command)
        case c.CompleteForm():
            paperwork.complete_form(unit, command)
        case c.HoldPayoff():
            paperwork.hold_payoff(unit, command)
        case c.AcknowledgeNotice():
            payoffs.acknowledge(unit, command)
        case c.Correct():
            corrections.correct(unit, command)
        case c.CorrectPaid():
            corrections.correct_paid(unit, command)
        case c.Undo():
            _deals(unit)
            corrections.undo(unit)
        case c.OpenBetting():
            _open_betting(unit)
        case c.OpenTable():
            opening.open_table(unit, command)
        case c.CloseTable():
            opening.close_table(unit, command)
        case c.ChangeLimits():
            opening.change_limits(unit, command)
        case c.Sit():
            seats.sit(unit, command)
        case c.Leave():
            seats.leave(unit)
        case c.FreeSeat():
            seats.free_seat(unit, command)
        case c.SitOut() | c.SitIn():
            seats.sit_out(unit, command)
        case c.Invite():
            unit.add(h.InvitationMade(command.invitation))
        case c.Enter():
            seats.enter(unit, command)
        case c.SeatBot():
            seats.seat_bot(unit, command)
        case c.SeatPatron() | c.BuyIn() | c.VoidBuyIn() | c.ColourUp() | c.UnseatPatron():
            patrons.do(unit, command)
        case c.CutDeck():
            _cut(unit, command)
        case c.MarkPartners():
            seats.mark_partners(unit, command)
        case c.StartDealing():
            _start_dealing(unit)
        case c.CallFloor():
            _deals(unit)
            _call_floor(unit, command)
        case c.AnswerFloor():
            _answer_floor(unit)
        case c.StopDealing():
            _deals(unit)
            unit.add(h.DealerChanged(""))
        case c.BringCards():
            deck_handling.bring(unit, command)
        case c.InspectCards():
            deck_handling.inspect(unit, command)
        case c.WashCards():
            deck_handling.wash(unit, command)
        case c.ShuffleCards():
            _deals(unit)
            deck_handling.shuffle(unit)
        case c.ReplaceCard():
            deck_handling.replace(unit, command)
        case c.RetireCards():
            deck_handling.retire(unit, command)
        case c.ChangeShuffler():
            deck_handling.change_shuffler(unit, command)
        case c.DropTokes():
            _drop_tokes(unit)
        case c.WriteOffTokes():
            _write_off_tokes(unit, command)
        case _:
            assert_never(command)


def _bounded(unit: UnitOfWork, command: c.Asked) -> None:
    """Refuse what would make a round longer than anybody plays one."""
    counts = unit.table.asked
    if not unit.table.under_way or _ends(unit, command):
        return
    if counts.get(unit.who.person, 0) >= MOST_OF_ONE:
        message = (
            f"you have done {MOST_OF_ONE} things in this round: until it is over, only take a bet"
            " down, decide, deal, pay or leave"
        )
        raise refuse("round/too-often", message)
    if isinstance(command, c.Sit | c.Enter) and sum(counts.values()) >= MOST_OF_ALL:
        message = f"{MOST_OF_ALL} things were done in this round: come when it is over"
        raise refuse("round/too-full", message)


_ENDING = (
    *(a.CloseBets, a.Deal, a.Turn, a.Pay, a.Raise, a.Fold, a.Check, a.TakeBack),
    *(c.ApprovePayoff, c.CompleteForm, c.HoldPayoff, c.FreeSeat),
    *(c.OpenBetting, c.CloseTable, c.Tick, c.SealAnew),
)


def _ends(unit: UnitOfWork, command: c.Asked) -> bool:
    """Whether a round goes on by this, or what lies there gets less: it has an end by itself."""
    if isinstance(command, _ENDING):
        return True
    table = unit.table
    match command:
        case a.Bet():
            return not command.wagers and bool(seats.down(unit, command.seat))
        case a.Light():
            return command.colour == "green" != table.round.light
        case c.StartDealing():
            return not table.dealer
        case a.KillHand() | a.CallMisdeal():
            return not payoffs.needs_second(table)
        case c.Leave():
            return any(
                each.person == unit.who.person and not each.leaving
                for each in table.sitters.values()
            )
        case _:
            return False


def _look_around(unit: UnitOfWork) -> None:
    """Note what the house knows by now of those who sit here, whoever acts for them; of a seat that
    was paid while another waits when the round is over, since it was paid by what was known."""
    for seat, sitter in unit.table.sitters.items():
        known = unit.now.players.get(sitter.person) if seat not in unit.table.paid else None
        player = sitter.player if known is None else paperwork.known(unit, known)
        if player != sitter.player:
            unit.add(h.PlayerKnown(seat, player))


# The dealer and the cards ---------------------------------------------------------------------


def _start_dealing(unit: UnitOfWork) -> None:
    _dealt_by_people(unit)
    if unit.table.seat_of(unit.who.person) is not None:
        raise refuse("dealer/seated", "nobody deals to themselves")
    unit.add(h.DealerChanged(unit.who.person))


def _call_floor(unit: UnitOfWork, command: c.CallFloor) -> None:
    if unit.table.call is not None:
        raise refuse("floor/called", "the floor is called already")
    unit.add(h.FloorCalled(unit.who.person, unit.now.at, command.why))


def _answer_floor(unit: UnitOfWork) -> None:
    if unit.table.call is None:
        raise refuse("floor/not-called", "nobody calls for the floor here")
    unit.add(h.FloorAnswered(unit.who.person))


def _dealt_by_people(unit: UnitOfWork) -> None:
    if unit.table.dealing == AUTOMATIC:
        raise refuse("dealer/automatic", "this table deals by itself")


def _deals(unit: UnitOfWork) -> None:
    _dealt_by_people(unit)
    is_dealer(unit)


def _open_betting(unit: UnitOfWork) -> None:
    _deals(unit)
    if unit.table.betting:
        raise refuse("bet/open", "betting is open already")
    if unit.table.dealing == "entered":
        unless(deck_handling.cards_refusal(unit.book, unit.table, unit.now.day))
    _seal(unit, unit.table.number + 1)


def _seal(unit: UnitOfWork, number: int) -> None:
    if unit.table.dealing == "entered":
        unit.add(h.DeckSealed(number, "", entry=unit.now.entry))
    else:
        deck = unit.now.seal(f"{unit.table.id}-{number}")
        unit.add(h.DeckSealed(number, deck.commitment, deck.locked, unit.now.entry))


def _tell_again(unit: UnitOfWork) -> None:
    """Let the round's story begin here, with the same deck as it was cut: no bet lies, and all that
    people did meanwhile is no part of it."""
    table = unit.table
    unit.add(h.DeckSealed(table.number, table.commitment, table.locked, unit.now.entry))
    unit.add(*(h.DeckCut(n, cut) for n, cut in table.cuts.items() if n in table.sitters))


def _lies_sealed(unit: UnitOfWork) -> None:
    if not unit.table.locked:
        raise refuse("deck/none", "no sealed deck lies here")


def _cut(unit: UnitOfWork, command: c.CutDeck) -> None:
    """A player has a say in which cards are dealt, once the deck is sealed and before it is."""
    seat, table = seats.mine(unit), unit.table
    _lies_sealed(unit)
    if table.round.phase not in seats.BEFORE_THE_DEAL:
        raise refuse("deck/dealt", "the deck is cut while bets are taken")
    if unit.who.person in table.cutters:
        raise refuse("deck/cut", "you have cut the deck: once a round is enough")
    if not (command.cut.isascii() and command.cut.isalnum()):
        raise refuse("deck/cut-with", "a deck is cut with letters and digits", place="cut")
    unit.add(h.DeckCut(seat, command.cut))


def _seal_anew(unit: UnitOfWork) -> None:
    """Deal nothing more of a deck that somebody may know; a round that is under way is void."""
    table = unit.table
    _lies_sealed(unit)
    if table.under_way:
        unit.add(e.MisdealCalled(SEALED_ANEW, "", ""))
    else:
        _seal(unit, table.number + 1)


def _dealt(unit: UnitOfWork, action: a.Deal | a.Turn) -> None:
    """A dealer works the script; without real cards they come from the sealed deck."""
    _deals(unit)
    if not unit.table.locked:
        if not unit.table.round.dealt:
            unless(deck_handling.first_card_refusal(unit.book, unit.table, unit.now.day))
        unit.play(action)
        return
    if action.cards:
        raise refuse("deal/not-entered", "cards come from the sealed deck here: none are entered")
    wanted = next_action(unit.book, unit.table, unit.deck())
    unit.play(wanted if isinstance(wanted, type(action)) else action)


def _dealers(unit: UnitOfWork, action: a.CloseBets | a.Light | a.Pay) -> None:
    _deals(unit)
    table = unit.table
    real = table.dealing == "entered"
    if isinstance(action, a.Pay):
        payoffs.pay(unit)
    elif isinstance(action, a.CloseBets) and real and table.betting and not table.under_way:
        unit.add(h.BettingWithdrawn())  # nobody bets, and the cards may be looked after
    else:
        unit.play(action)


def _drop_tokes(unit: UnitOfWork) -> None:
    book, cents = unit.book, unit.table.tokes_cents
    clause = book.toke.cited if book.toke is not None else book.rulings.tokes
    between_rounds(unit, clause)
    if not cents:
        raise refuse("tokes/none", "no tokes lie at this table", clause)
    unit.add(h.TokesDropped(cents, min(cents, unit.table.tokes_owed_cents)))


def _write_off_tokes(unit: UnitOfWork, command: c.WriteOffTokes) -> None:
    clause = unit.book.rulings.adjustments
    between_rounds(unit, clause)
    if not unit.table.tokes_owed_cents:
        raise refuse("tokes/not-owed", "no dealer owes anything for tokes here", clause)
    unit.add(h.TokesWrittenOff(unit.table.tokes_owed_cents, command.why))


# The round ------------------------------------------------------------------------------------


def _decides(unit: UnitOfWork, action: c.SeatAction) -> None:
    sitter = unit.table.sitters.get(action.seat)
    entered = unit.table.dealing == "entered" and unit.table.dealer == unit.who.person
    if sitter is None or (sitter.person != unit.who.person and not entered):
        raise refuse("seat/not-yours", f"seat {action.seat} is not yours", unit.book.seats.cited)
    if isinstance(action, a.Bet):
        _bets(unit, action)
    else:
        unit.play(action)


def _bets(unit: UnitOfWork, action: a.Bet) -> None:
    table = unit.table
    sitter = table.sitters[action.seat]
    if not table.betting:
        raise refuse("bet/not-open", "betting is not open yet", unit.book.ante.cited)
    if sitter.player.barred and action.wagers:
        message = f"seat {action.seat} may not bet at any table here"
        raise refuse("person/barred", message, unit.book.tax.clause_on("held"))
    held = table.round.seats.get(action.seat)
    if table.round.phase in ("new", "betting") and (held is None or held.person != sitter.person):
        if sitter.away:
            raise refuse("seat/away", "you sit out: sit in first", unit.book.seats.cited)
        _open_round(unit)
    unit.play(action)
    made_of_chips(unit.book, unit.table, {**action.wagers, TOKE: action.toke_cents})


def _open_round(unit: UnitOfWork) -> None:
    """Open the round for everybody who is here.

    Who is in a round is fixed when it opens. For somebody who came since it is opened anew, and
    the bets that lie there stay.
    """
    before = unit.table.round
    down = {number: seat for number, seat in before.seats.items() if seat.stakes}
    for number in down:
        unit.play(a.Bet(number, {}))
    table = unit.table
    here = {n: each.person for n, each in table.sitters.items() if n in down or not each.away}
    unit.play(
        a.Open(
            seats=here,
            minimum_cents=table.minimum_cents,
            maximum_cents=table.maximum_cents,
            meter_cents=table.meter_cents,
            shuffler=table.shuffler,
            partners=among(table.partners, here),
            token_cents=table.token_cents,
        )
    )
    if before.light:
        unit.play(a.Light(before.light))
    for number, seat in down.items():
        unit.play(a.Bet(number, seat.stakes, seat.toke_cents))


def _floor(unit: UnitOfWork, action: c.FloorAction) -> None:
    book = unit.book
    if isinstance(action, a.AcceptLate):
        clause = book.limits.clause_on("late_by")
        if unit.table.dealing != "entered":
            message = "wagers come through this table, and it takes none out of limits"
            raise refuse("late/none", message, clause)
    else:
        rules = book.dead if isinstance(action, a.KillHand) else book.misdeal
        rule = next((each for each in rules if each.cause == action.cause), None)
        clause = rule.cited if rule is not None else book.rulings.misdeals
        if rule is not None and rule.real_cards and unit.table.locked:
            message = f"a sealed deck is dealt here, so this cannot be: {rule.says}"
            raise refuse("irregularity/sealed", message, clause)
    has_role(unit, action.role, clause)
    takes_no_part(unit, clause)
    payoffs.not_paid(unit, action)
    if isinstance(action, a.AcceptLate):
        unless(corrections.late_refusal(book, unit.table, action))
    action = replace(action, person=unit.who.person)
    if isinstance(action, a.CallMisdeal | a.KillHand) and payoffs.needs_second(unit.table):
        payoffs.ruled_out(unit, action)
        return
    unit.play(action)
    if isinstance(action, a.AcceptLate):
        made_of_chips(book, unit.table, {action.spot: action.cents})


def _tick(unit: UnitOfWork, command: c.Tick) -> None:
    table = unit.table
    if command.until != table.until or not table.until:
        raise refuse("clock/not-yet", "this clock does not run any more", unit.book.rulings.clock)
    unit.add(h.ClockSet(0))
    if table.round.phase == "betting":
        unit.play(a.CloseBets())
    else:
        for seat in rounds.due(unit.book, table.round):
            unit.play(a.TimeOut(seat))


# What follows by itself -----------------------------------------------------------------------


def _follow(unit: UnitOfWork) -> None:
    """Do the next thing that nobody has to ask for, if there is one."""
    if not unit.table.open:
        return
    automatic = unit.table.dealing == AUTOMATIC
    if not automatic:
        patrons.see_off(unit)
    table = unit.table
    phase = table.round.phase
    if phase == "new":
        if table.until:
            unit.add(h.ClockSet(0))
        if automatic and not table.betting:
            _seal(unit, unit.table.number + 1)
        elif _used_up(table):
            _tell_again(unit)
    elif phase == "betting":
        _follow_betting(unit, automatic)
    elif phase == "playing":
        _follow_playing(unit, automatic)
    elif phase == "settling":
        if table.until:
            unit.add(h.ClockSet(0))
        payoffs.announce(unit)
        paperwork.announce(unit)
        if automatic and payoffs.waits(unit.book, unit.table):
            payoffs.pay_seats(unit)
        elif automatic:
            unit.play(a.Pay())
    else:
        payoffs.pay_out(unit)


def _used_up(table: Table) -> bool:
    counts = table.asked.values()
    return sum(counts) >= MOST_OF_ALL or max(counts, default=0) >= MOST_OF_ONE


def _follow_betting(unit: UnitOfWork, automatic: bool) -> None:
    table = unit.table
    down = [number for number, seat in table.round.seats.items() if seat.stakes]
    if all(table.sitters[number].bot for number in down):
        for number in down:
            unit.play(a.Bet(number, {}))  # bots alone do not play
    elif automatic and all(
        number in down or sitter.away or sitter.player.barred
        for number, sitter in table.sitters.items()
    ):
        unit.play(a.CloseBets())
    elif automatic and not table.until:
        _wait(unit, table.betting_seconds)


def _follow_playing(unit: UnitOfWork, automatic: bool) -> None:
    table = unit.table
    due = rounds.due(unit.book, table.round)
    freed = [seat for seat in due if table.practice and table.sitters[seat].freed]
    if freed:
        for seat in freed:
            unit.play(a.TimeOut(seat))  # whose practice it is need not wait for them
    elif due:
        # Where a dealer enters what people do, the dealer minds the time, too.
        if not table.until and table.dealing != "entered":
            _wait(unit, table.decision_seconds)
    else:
        if table.until:
            unit.add(h.ClockSet(0))
        action = next_action(unit.book, table, unit.deck()) if automatic and table.locked else None
        if action is not None:
            unit.play(action)


def _wait(unit: UnitOfWork, seconds: int) -> None:
    unit.add(h.ClockSet(unit.now.at + 1000 * seconds, 1000 * seconds))
