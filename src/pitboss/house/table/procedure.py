"""What a table does when it is asked: a command in, events out, or a refusal that says why.

Like the round's own machine it is pure: who asks, when, and the next sealed deck are arguments.
What follows by itself (cards dealt by an automatic dealer, clocks, payment) happens in the same
breath as the command that it follows from.
"""

from typing import assert_never

from msgspec.structs import replace

from pitboss import round as rounds
from pitboss.errors import Refusal, Refused, refuse
from pitboss.house.table import commands as c
from pitboss.house.table import corrections, deck_handling, payoffs
from pitboss.house.table import events as h
from pitboss.house.table.dealing import next_action
from pitboss.house.table.evolve import asked
from pitboss.house.table.state import Table, among, unknown_table
from pitboss.house.table.unit_of_work import (
    AUTOMATIC,
    CLOCK,
    OWNER,
    Actor,
    Context,
    UnitOfWork,
    between_rounds,
    has_role,
    is_dealer,
    takes_no_part,
)
from pitboss.round import actions as a
from pitboss.round import events as e
from pitboss.round.wagers import posted_refusal
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.money_rules import USUAL_MAXIMUM_TIMES, USUAL_MINIMUM_CENTS
from pitboss.rulebook.pit_rules import LEFT_ALONE, SEALED_ANEW
from pitboss.settle import Player

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
            return unit
    raise AssertionError("a table that never comes to rest")


ON_A_CLOSED_TABLE = (c.OpenTable, c.AcknowledgeNotice, c.CorrectPaid)

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
            _open(unit, command)
        case c.CloseTable():
            _close(unit, command)
        case c.ChangeLimits():
            _limits(unit, command)
        case c.Sit():
            _sit(unit, command)
        case c.Leave():
            _leave(unit)
        case c.FreeSeat():
            _free_seat(unit, command)
        case c.SitOut() | c.SitIn():
            _sit_out(unit, command)
        case c.Invite():
            unit.add(h.InvitationMade(command.invitation))
        case c.Enter():
            _enter(unit, command)
        case c.SeatBot():
            _bot(unit, command)
        case c.CutDeck():
            _cut(unit, command)
        case c.MarkPartners():
            _partners(unit, command)
        case c.StartDealing():
            _start_dealing(unit)
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
    *(c.ApprovePayoff, c.FreeSeat, c.OpenBetting, c.CloseTable, c.Tick, c.SealAnew),
)


def _ends(unit: UnitOfWork, command: c.Asked) -> bool:
    """Whether a round goes on by this, or what lies there gets less: it has an end by itself."""
    table = unit.table
    match command:
        case a.Bet():
            return not command.wagers and bool(_down(unit, command.seat))
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
            return isinstance(command, _ENDING)


def _unless(refused: Refusal | None) -> None:
    if refused is not None:
        raise Refused(refused)


def _look_around(unit: UnitOfWork) -> None:
    """Note what the house knows by now of those who sit here, whoever acts for them."""
    for seat, sitter in unit.table.sitters.items():
        player = unit.now.players.get(sitter.person, sitter.player)
        if player != sitter.player:
            unit.add(h.PlayerKnown(seat, player))


# The table itself -----------------------------------------------------------------------------


def _open(unit: UnitOfWork, command: c.OpenTable) -> None:
    book, table = unit.book, unit.table
    if table.open:
        raise refuse("table/open", "this table is open already")
    if table.rulebook and table.practice != command.practice:
        raise refuse("table/other-money", "a practice table stays one, and so does any other")
    minimum, maximum = command.minimum_cents, command.maximum_cents
    if minimum is None:
        minimum = book.limits.minimum.least(USUAL_MINIMUM_CENTS)
    highest = book.limits.maximum.highest
    if maximum is None and highest is not None:
        maximum = max(int(highest), minimum)
    elif maximum is None and book.limits.maximum_required and command.practice:
        maximum = USUAL_MAXIMUM_TIMES * minimum
    _posts(unit, minimum, maximum)
    posted = table.minimum_cents, table.maximum_cents
    if table.closed == unit.now.day and not table.practice and posted != (minimum, maximum):
        _changes_limits(unit)
    if command.shuffler and command.dealing != "entered":
        message = "a sealed deck has no shuffler: its lights are for a table with real cards"
        raise refuse("table/no-lights", message, book.deck.clause_on("shuffler"))
    _unless(deck_handling.shuffler_refusal(book, command, practice=command.practice))
    if table.meter_cents is not None and (book.progressive is None or book.id != table.rulebook):
        message = f"the jackpot of this table is won by {table.rulebook} alone: open another table"
        raise refuse("table/jackpot", message, book.progressive.cited if book.progressive else "")
    unit.add(
        h.TableOpened(
            rulebook=book.id,
            sha256=book.sha256,
            minimum_cents=minimum,
            maximum_cents=maximum,
            practice=command.practice,
            dealing=command.dealing,
            shuffler=command.shuffler,
            betting_seconds=command.betting_seconds,
            decision_seconds=command.decision_seconds,
            opener=unit.who.person,
            shuffler_device=command.shuffler_device,
            shuffler_approval=command.shuffler_approval,
        ),
        h.BankFilled(payoffs.FLOAT_CENTS),
    )
    if book.progressive is not None and table.meter_cents is None:
        unit.add(h.MeterSeeded(int(book.progressive.reseed)))


def _close(unit: UnitOfWork, command: c.CloseTable) -> None:
    if unit.table.under_way and unit.who.person == CLOCK:
        unit.add(e.MisdealCalled(LEFT_ALONE, "", ""))
        payoffs.pay_out(unit)
    between_rounds(unit)
    unit.add(*(h.SeatLeft(seat) for seat in unit.table.sitters))
    unit.add(h.TableClosed(unit.table.bank_cents, command.why, unit.now.day))


def _limits(unit: UnitOfWork, command: c.ChangeLimits) -> None:
    between_rounds(unit, unit.book.limits.clause_on("changed_by"))
    if OWNER not in unit.who.roles:
        _changes_limits(unit)
    _posts(unit, command.minimum_cents, command.maximum_cents)
    unit.add(h.LimitsChanged(command.minimum_cents, command.maximum_cents, command.why))


def _changes_limits(unit: UnitOfWork) -> None:
    """Refuse who may not post other limits than those that are, or were today, posted here."""
    rule = unit.book.limits
    if not any(unit.book.allows(role, rule.changed_by) for role in unit.who.roles):
        message = f"limits are changed by the {' or '.join(rule.changed_by)}"
        raise refuse("role/not-yours", message, rule.clause_on("changed_by"))


def _posts(unit: UnitOfWork, minimum: int, maximum: int | None) -> None:
    rule = unit.book.limits
    if maximum is None and rule.maximum_required:
        message = "a table here opens with a posted maximum"
        raise refuse("limits/no-maximum", message, rule.clause_on("maximum_required"), "maximum")
    _unless(posted_refusal(unit.book, minimum, maximum))


# Seats ----------------------------------------------------------------------------------------


def _free(unit: UnitOfWork, seat: int) -> None:
    if not 1 <= seat <= unit.book.seats.most:
        most = unit.book.seats.most
        raise refuse("seat/unknown", f"seats here are numbered 1 to {most}", unit.book.seats.cited)
    if seat in unit.table.sitters:
        raise refuse("seat/taken", f"seat {seat} is taken", unit.book.seats.cited)


def _sit(unit: UnitOfWork, command: c.Sit) -> None:
    there = unit.table.sitters.get(command.seat)
    if there is not None and there.bot and not _down(unit, command.seat):
        unit.add(h.SeatLeft(command.seat))  # a bot gives way to a person
    _free(unit, command.seat)
    who = unit.who
    held = unit.table.seat_of(who.person)
    if held is not None:
        message = f"you hold seat {held}: one seat a person"
        raise refuse("seat/one-each", message, unit.book.seats.cited)
    if who.person == unit.table.dealer:
        raise refuse("dealer/seated", "nobody deals to themselves: stop dealing first")
    unit.add(h.SeatTaken(command.seat, who.person, who.name, who.player))
    cut = unit.table.cutters.get(who.person)
    if cut is not None and unit.table.round.phase in _CUT_IN:
        unit.add(h.DeckCut(command.seat, cut))  # once a round, and it stays theirs


def _bot(unit: UnitOfWork, command: c.SeatBot) -> None:
    _free(unit, command.seat)
    if not unit.table.practice:
        raise refuse("bot/practice-only", "bots play at practice tables only")
    if unit.table.dealing == "entered":
        raise refuse("bot/real-cards", "a bot cannot see the cards that people enter here")
    person = f"bot-{unit.table.id}-{command.seat}"
    unit.add(h.SeatTaken(command.seat, person, f"Bot {command.seat}", Player(), command.strategy))


def _mine(unit: UnitOfWork) -> int:
    seat = unit.table.seat_of(unit.who.person)
    if seat is None:
        raise refuse("seat/none", "you hold no seat at this table", unit.book.seats.cited)
    return seat


def _down(unit: UnitOfWork, seat: int) -> dict[str, int]:
    held = unit.table.round.seats.get(seat)
    return held.stakes if held is not None else {}


def _free_seat(unit: UnitOfWork, command: c.FreeSeat) -> None:
    table, person = unit.table, command.person
    sitter = table.sitters.get(command.seat)
    if table.seat_of(person) is None and table.admitted.get(person):
        unit.add(h.PersonShownOut(person, command.why))  # they were quicker, and may not come back
        return
    if sitter is None or sitter.person != person:
        message = f"{command.person} does not hold seat {command.seat}"
        raise refuse("seat/none", message, unit.book.seats.cited)
    _not_freed(unit, command.seat)
    takes_no_part(unit, unit.book.seats.cited)
    _goes(unit, command.seat, command.why)


def _leave(unit: UnitOfWork) -> None:
    seat = _mine(unit)
    _not_freed(unit, seat)
    _goes(unit, seat)


def _not_freed(unit: UnitOfWork, seat: int) -> None:
    if unit.table.sitters[seat].freed:
        raise refuse("seat/freed", f"seat {seat} is freed when the round is over")


def _goes(unit: UnitOfWork, seat: int, why: str = "") -> None:
    if unit.table.round.phase == "betting" and _down(unit, seat):
        unit.play(a.Bet(seat, {}))  # who goes before the deal takes the wagers along
    unit.add(h.SeatLeft(seat, why))


def _sit_out(unit: UnitOfWork, command: c.SitOut | c.SitIn) -> None:
    seat = _mine(unit)
    _not_freed(unit, seat)
    unit.add(h.SeatAway(seat, away=isinstance(command, c.SitOut)))


def _enter(unit: UnitOfWork, command: c.Enter) -> None:
    table = unit.table
    if not table.invitation or command.invitation != table.invitation:
        raise unknown_table(table.id)
    unit.add(h.PersonAdmitted(unit.who.person))


def _partners(unit: UnitOfWork, command: c.MarkPartners) -> None:
    clause = unit.book.limits.cited
    between_rounds(unit, clause)
    marked = [seat for group in command.partners for seat in group]
    if len(set(marked)) < len(marked) or command.partners != among(
        command.partners, unit.table.sitters
    ):
        message = "partners are two or more who sit at this table, each in one group"
        raise refuse("seat/unknown", message, clause)
    unit.add(h.PartnersMarked(command.partners, command.why))


# The dealer and the cards ---------------------------------------------------------------------


def _start_dealing(unit: UnitOfWork) -> None:
    _dealt_by_people(unit)
    if unit.table.seat_of(unit.who.person) is not None:
        raise refuse("dealer/seated", "nobody deals to themselves")
    unit.add(h.DealerChanged(unit.who.person))


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
        _unless(deck_handling.cards_refusal(unit.book, unit.table, unit.now.day))
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


_CUT_IN = ("new", "betting")


def _cut(unit: UnitOfWork, command: c.CutDeck) -> None:
    """A player has a say in which cards are dealt, once the deck is sealed and before it is."""
    seat, table = _mine(unit), unit.table
    _lies_sealed(unit)
    if table.round.phase not in _CUT_IN:
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
            _unless(deck_handling.first_card_refusal(unit.book, unit.table, unit.now.day))
        unit.play(action)
        return
    if action.cards:
        raise refuse("deal/not-entered", "cards come from the sealed deck here: none are entered")
    wanted = next_action(unit.book, unit.table, unit.deck())
    unit.play(wanted if isinstance(wanted, type(action)) else action)


def _dealers(unit: UnitOfWork, action: a.CloseBets | a.Light | a.Pay) -> None:
    _deals(unit)
    if isinstance(action, a.Pay):
        payoffs.all_approved(unit)
    table = unit.table
    real = table.dealing == "entered"
    if isinstance(action, a.CloseBets) and real and table.betting and not table.under_way:
        unit.add(h.BettingWithdrawn())  # nobody bets, and the cards may be looked after
    else:
        unit.play(action)


def _drop_tokes(unit: UnitOfWork) -> None:
    book, cents = unit.book, unit.table.tokes_cents
    clause = book.toke.cited if book.toke is not None else book.rulings.tokes
    between_rounds(unit, clause)
    if not cents:
        raise refuse("tokes/none", "no tokes lie at this table", clause)
    unit.add(h.TokesDropped(cents))


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
    _in_chips(unit, action)


def _in_chips(unit: UnitOfWork, action: a.Bet) -> None:
    book, chip = unit.book, unit.book.smallest_chip
    for spot, cents in action.wagers.items():
        if cents % chip:
            message = f"the smallest chip here is {book.money(chip)}: no chips make that wager"
            clause = book.limits.clause_on("smallest_chip") or book.opening[spot].cited
            raise refuse("bet/chips", message, clause, spot)


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
    action = replace(action, person=unit.who.person)
    if isinstance(action, a.CallMisdeal | a.KillHand) and payoffs.needs_second(unit.table):
        payoffs.ruled_out(unit, action)
    else:
        unit.play(action)


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
    table = unit.table
    if not table.open:
        return
    automatic = table.dealing == AUTOMATIC
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
        if automatic and not payoffs.waits(unit.book, unit.table):
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
