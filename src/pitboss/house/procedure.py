"""What a table does when it is asked: a command in, events out, or a refusal that says why.

Like the round's own machine it is pure: who asks, when, and the next sealed deck are arguments.
What follows by itself (cards dealt by an automatic dealer, clocks, payment) happens in the same
breath as the command that it follows from.
"""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from pitboss import round as rounds
from pitboss import settle
from pitboss.errors import Refused
from pitboss.house import commands as c
from pitboss.house import events as h
from pitboss.house.care import CARE, cards_refusal
from pitboss.house.deed import AUTOMATIC, OWNER, Asker, Deed, Now, between_rounds, no, settlement
from pitboss.house.ledger import bank, postings
from pitboss.house.table import Sitter, Table, among, evolve
from pitboss.round import actions as a
from pitboss.round import events as e
from pitboss.round.wagers import posted_refusal
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.pit import Approval
from pitboss.settle import Player
from pitboss.settle.approvals import label, missing

FLOAT_CENTS = 5_000_000
"""What the cage brings when a table opens, and each time its bank cannot pay."""


def do(book: Rulebook, table: Table, command: Any, who: Asker, now: Now) -> Deed:
    """Do it, and all that follows by itself; raises ``Refused`` and changes nothing."""
    deed = Deed(book, table, who, now)
    if not table.open and not isinstance(command, c.OpenTable):
        raise no("table/closed", "this table is closed")
    _look_around(deed)
    _DO[type(command)](deed, command)
    for _ in range(LONGEST):
        before = len(deed.events)
        _follow(deed)
        if len(deed.events) == before:
            return deed
    raise AssertionError("a table that never comes to rest")


LONGEST = 500
"""Steps that one command may set off: far more than any round has."""


def _look_around(deed: Deed) -> None:
    """Note what the house knows by now of those who sit here, whoever acts for them."""
    for seat, sitter in deed.table.sitters.items():
        player = deed.now.players.get(sitter.person, sitter.player)
        if player != sitter.player:
            deed.add(h.PlayerKnown(seat, player))


# The table itself -----------------------------------------------------------------------------


def _open(deed: Deed, command: c.OpenTable) -> None:
    book, table = deed.book, deed.table
    if table.open:
        raise no("table/open", "this table is open already")
    lowest, highest = book.limits.minimum.lowest, book.limits.maximum.highest
    minimum = command.minimum_cents if command.minimum_cents is not None else int(lowest or 500)
    maximum = command.maximum_cents
    if maximum is None and highest is not None:
        maximum = max(int(highest), minimum)
    refused = posted_refusal(book, minimum, maximum)
    if refused is not None:
        raise Refused(refused)
    if command.shuffler and not book.deck.shuffler:
        raise no("light/no-shuffler", "this house deals without a shuffler", book.deck.cited)
    if command.shuffler and command.dealing == AUTOMATIC:
        message = "a shuffler's lights are for a person to see: open it with a dealer"
        raise no("table/no-lights", message, book.deck.shuffler_clause)
    if table.meter_cents is not None and (book.progressive is None or book.id != table.rulebook):
        message = f"the jackpot of this table is won by {table.rulebook} alone: open another table"
        raise no("table/jackpot", message, book.progressive.cited if book.progressive else "")
    deed.add(
        h.TableOpened(
            book.id,
            book.sha256,
            minimum,
            maximum,
            command.practice,
            command.dealing,
            command.shuffler,
            command.betting_seconds,
            command.decision_seconds,
            deed.who.person,
        ),
        h.BankFilled(FLOAT_CENTS),
    )
    if book.progressive is not None and table.meter_cents is None:
        deed.add(h.MeterSeeded(int(book.progressive.reseed)))


def _close(deed: Deed, command: c.CloseTable) -> None:
    between_rounds(deed)
    deed.add(*(h.SeatLeft(seat) for seat in deed.table.sitters))
    deed.add(h.TableClosed(deed.table.bank_cents, command.why))


def _limits(deed: Deed, command: c.ChangeLimits) -> None:
    rule = deed.book.limits
    between_rounds(deed, rule.change_clause)
    if OWNER not in deed.who.roles and not deed.who.roles & set(rule.changed_by):
        by = " or ".join(rule.changed_by)
        raise no("role/not-yours", f"limits are changed by the {by}", rule.change_clause)
    refused = posted_refusal(deed.book, command.minimum_cents, command.maximum_cents)
    if refused is not None:
        raise Refused(refused)
    deed.add(h.LimitsChanged(command.minimum_cents, command.maximum_cents, command.why))


# Seats ----------------------------------------------------------------------------------------


def _free(deed: Deed, seat: int) -> None:
    if not 1 <= seat <= deed.book.seats.most:
        most = deed.book.seats.most
        raise no("seat/unknown", f"seats here are numbered 1 to {most}", deed.book.seats.cited)
    if seat in deed.table.sitters:
        raise no("seat/taken", f"seat {seat} is taken", deed.book.seats.cited)


def _sit(deed: Deed, command: c.Sit) -> None:
    there = deed.table.sitters.get(command.seat)
    if there is not None and there.bot and not _down(deed, command.seat):
        deed.add(h.SeatLeft(command.seat))  # a bot gives way to a person
    _free(deed, command.seat)
    who = deed.who
    held = deed.table.seat_of(who.person)
    if held is not None:
        raise no("seat/one-each", f"you hold seat {held}: one seat a person", deed.book.seats.cited)
    if who.person == deed.table.dealer:
        raise no("dealer/seated", "nobody deals to themselves: stop dealing first")
    deed.add(h.SeatTaken(command.seat, who.person, who.name, who.player))


def _bot(deed: Deed, command: c.SeatBot) -> None:
    _free(deed, command.seat)
    if not deed.table.practice:
        raise no("bot/practice-only", "bots play at practice tables only")
    person = f"bot-{deed.table.id}-{command.seat}"
    deed.add(h.SeatTaken(command.seat, person, f"Bot {command.seat}", Player(), command.strategy))


def _mine(deed: Deed) -> int:
    seat = deed.table.seat_of(deed.who.person)
    if seat is None:
        raise no("seat/none", "you hold no seat at this table", deed.book.seats.cited)
    return seat


def _down(deed: Deed, seat: int) -> dict[str, int]:
    """Return the wagers that a seat has down."""
    held = deed.table.round.seats.get(seat)
    return held.stakes if held is not None else {}


def _ran_out(deed: Deed) -> bool:
    return 0 < deed.table.until <= deed.now.at


def _leave(deed: Deed, _command: c.Leave) -> None:
    _goes(deed, _mine(deed))


def _free_seat(deed: Deed, command: c.FreeSeat) -> None:
    sitter = deed.table.sitters.get(command.seat)
    if sitter is None or sitter.person != command.person:
        message = f"{command.person} does not hold seat {command.seat}"
        raise no("seat/none", message, deed.book.seats.cited)
    _not_freed(deed, command.seat)
    _takes_no_part(deed, deed.book.seats.cited)
    _goes(deed, command.seat, command.why)


def _not_freed(deed: Deed, seat: int) -> None:
    if deed.table.sitters[seat].freed:
        raise no("seat/freed", f"seat {seat} is freed when the round is over")


def _goes(deed: Deed, seat: int, why: str = "") -> None:
    if deed.table.round.phase == "betting" and _down(deed, seat) and not _ran_out(deed):
        deed.play(a.Bet(seat, {}))  # who goes before the deal takes the wagers along
    deed.add(h.SeatLeft(seat, why))


def _sit_out(deed: Deed, command: c.SitOut | c.SitIn) -> None:
    seat = _mine(deed)
    _not_freed(deed, seat)
    deed.add(h.SeatAway(seat, away=isinstance(command, c.SitOut)))


def _partners(deed: Deed, command: c.MarkPartners) -> None:
    clause = deed.book.limits.cited
    between_rounds(deed, clause)
    marked = [seat for group in command.partners for seat in group]
    if len(set(marked)) < len(marked) or command.partners != among(
        command.partners, deed.table.sitters
    ):
        message = "partners are two or more who sit at this table, each in one group"
        raise no("seat/unknown", message, clause)
    deed.add(h.PartnersMarked(command.partners, command.why))


# The dealer and the cards ---------------------------------------------------------------------


def _start_dealing(deed: Deed, _command: c.StartDealing) -> None:
    if deed.table.dealing == AUTOMATIC:
        raise no("dealer/automatic", "this table deals by itself")
    if deed.table.seat_of(deed.who.person) is not None:
        raise no("dealer/seated", "nobody deals to themselves")
    deed.add(h.DealerChanged(deed.who.person))


def _stop_dealing(deed: Deed, _command: c.StopDealing) -> None:
    _deals(deed)
    deed.add(h.DealerChanged(""))


def _deals(deed: Deed) -> None:
    if deed.table.dealing == AUTOMATIC:
        raise no("dealer/automatic", "this table deals by itself")
    if deed.table.dealer != deed.who.person:
        raise no("dealer/not-you", "only the dealer of this table does this")


def _open_betting(deed: Deed, _command: c.OpenBetting) -> None:
    _deals(deed)
    if deed.table.betting:
        raise no("bet/open", "betting is open already")
    if deed.table.dealing == "entered":
        refused = cards_refusal(deed)
        if refused is not None:
            raise Refused(refused)
    _seal(deed, deed.table.number + 1)


def _seal(deed: Deed, number: int) -> None:
    if deed.table.dealing == "entered":
        deed.add(h.DeckSealed(number, "", entry=deed.now.entry))
    else:
        deck = deed.now.seal()
        deed.add(h.DeckSealed(number, deck.commitment, deck.cards, deck.seed, deed.now.entry))


def _dealt(deed: Deed, action: a.Deal | a.Turn) -> None:
    """A dealer works the script; without real cards they come from the sealed deck."""
    _deals(deed)
    deck = deed.table.deck
    if deck is None:
        deed.play(action)
        return
    if action.cards:
        raise no("deal/not-entered", "cards come from the sealed deck here: none are entered")
    wanted = rounds.next_action(deed.book, deed.table.round, deck.cards)
    deed.play(wanted if isinstance(wanted, type(action)) else action)


def _dealers(deed: Deed, action: a.CloseBets | a.Light | a.Pay) -> None:
    _deals(deed)
    if isinstance(action, a.Pay):
        _all_approved(deed)
    deed.play(action)
    light = deed.events[-1]
    if isinstance(light, e.LightSeen) and light.reshuffle and deed.table.deck is not None:
        _seal(deed, deed.table.number)  # R47: shuffle again


# The round ------------------------------------------------------------------------------------


def _decides(deed: Deed, action: c.SeatAction) -> None:
    sitter = deed.table.sitters.get(action.seat)
    entered = deed.table.dealing == "entered" and deed.table.dealer == deed.who.person
    if sitter is None or (sitter.person != deed.who.person and not entered):
        raise no("seat/not-yours", f"seat {action.seat} is not yours", deed.book.seats.cited)
    if _ran_out(deed):
        raise no("clock/ran-out", "the clock ran out before this came", "R21")
    if isinstance(action, a.Bet):
        _bets(deed, action)
    else:
        deed.play(action)


def _bets(deed: Deed, action: a.Bet) -> None:
    table = deed.table
    sitter = table.sitters[action.seat]
    if not table.betting:
        raise no("bet/not-open", "betting is not open yet", deed.book.ante.cited)
    if sitter.player.barred and action.wagers:
        raise no("person/barred", f"seat {action.seat} may not bet at any table here", "R51")
    held = table.round.seats.get(action.seat)
    if table.round.phase in ("new", "betting") and (held is None or held.person != sitter.person):
        if sitter.away:
            raise no("seat/away", "you sit out: sit in first", deed.book.seats.cited)
        _open_round(deed)
    deed.play(action)


def _open_round(deed: Deed) -> None:
    """Open the round for everybody who is here.

    Who is in a round is fixed when it opens. For somebody who came since it is opened anew, and
    the bets that lie there stay.
    """
    before = deed.table.round
    down = {number: seat for number, seat in before.seats.items() if seat.stakes}
    for number in down:
        deed.play(a.Bet(number, {}))
    table = deed.table
    here = {n: each.person for n, each in table.sitters.items() if n in down or not each.away}
    limits = (table.minimum_cents, table.maximum_cents, table.meter_cents)
    deed.play(a.Open(here, *limits, table.shuffler, among(table.partners, here)))
    if before.light:
        deed.play(a.Light(before.light))
    for number, seat in down.items():
        deed.play(a.Bet(number, seat.stakes, seat.toke_cents))


def _floor(deed: Deed, action: c.FloorAction) -> None:
    clause = _clause(deed.book, action)
    if isinstance(action, a.AcceptLate) and deed.table.dealing != "entered":
        message = "wagers come through this table, and it takes none out of limits"
        raise no("late/none", message, clause)
    if action.role not in deed.who.roles:
        raise no("role/not-yours", f"you are no {action.role[:40]}", clause)
    _takes_no_part(deed, clause)
    deed.play(replace(action, person=deed.who.person))


def _takes_no_part(deed: Deed, clause: str) -> None:
    if not deed.table.practice and (_plays(deed) or deed.who.person in deed.table.dealers):
        raise no("role/takes-part", "nobody rules on a round that they play or deal in", clause)


def _clause(book: Rulebook, action: c.FloorAction) -> str:
    """Return the clause that says who does this."""
    if isinstance(action, a.AcceptLate):
        return book.limits.late_ruling
    rules = book.dead if isinstance(action, a.KillHand) else book.misdeal
    return next((rule.cited for rule in rules if rule.cause == action.cause), "R41")


def _plays(deed: Deed) -> bool:
    return any(seat.person == deed.who.person for seat in deed.table.round.seats.values())


def _approve(deed: Deed, command: c.ApprovePayoff) -> None:
    if command.seat not in deed.table.announced:
        raise no("approval/none", f"nothing of seat {command.seat} waits for approval", "R31")
    if command.role not in deed.who.roles:
        raise no("role/not-yours", f"you are no {command.role[:40]}", "R31")
    if deed.who.person in deed.table.dealers and command.role != "dealer":
        raise no("approval/own-deal", "nobody approves what they dealt", "R31")
    if _plays(deed):
        raise no("approval/own-round", "nobody approves in a round that they play in", "R31")
    before = unapproved(deed.book, deed.table, command.seat)
    given = h.PayoffApproved(command.seat, command.role, deed.who.person)
    trial = evolve(deed.book, deed.table, given)
    if len(unapproved(deed.book, trial, command.seat)) == len(before):
        needs = ", ".join(label(rule) for rule in before) or "nothing more"
        raise no("approval/not-needed", f"seat {command.seat} waits for {needs}", "R31")
    deed.add(given)


def unapproved(book: Rulebook, table: Table, seat: int) -> tuple[Approval, ...]:
    """Return the approvals that a seat's payoff still waits for."""
    settled = settlement(book, table, None)
    rules = next(each.approvals for each in settled.seats if each.seat == seat)
    given = [(role, person) for number, role, person in table.approved if number == seat]
    if ("", AUTOMATIC) in given:
        return ()
    if table.dealing == AUTOMATIC:
        return missing(rules, [*given, ("dealer", AUTOMATIC)], AUTOMATIC)
    # Who approved and took over as the dealer since has dealt, too.
    given = [each for each in given if each[0] == "dealer" or each[1] not in table.dealers]
    return missing(rules, given, table.dealer)


def _all_approved(deed: Deed) -> None:
    for seat in deed.table.announced:
        left = unapproved(deed.book, deed.table, seat)
        if left:
            needs = ", ".join(label(rule) for rule in left)
            raise no("pay/not-approved", f"seat {seat} waits for {needs}", left[0].cited)


def _tick(deed: Deed, _command: c.Tick) -> None:
    table = deed.table
    if not _ran_out(deed):
        raise no("clock/not-yet", "the clock has not run out", "R21")
    deed.add(h.ClockSet(0))
    if table.round.phase == "betting":
        deed.play(a.CloseBets())
    else:
        for seat in rounds.due(deed.book, table.round):
            deed.play(a.TimeOut(seat))


# What follows by itself -----------------------------------------------------------------------


def _follow(deed: Deed) -> None:
    """Do the next thing that nobody has to ask for, if there is one."""
    table = deed.table
    if not table.open:
        return
    automatic = table.dealing == AUTOMATIC
    phase = table.round.phase
    if phase == "new":
        if table.until:
            deed.add(h.ClockSet(0))
        if automatic and not table.betting:
            _seal(deed, deed.table.number + 1)
    elif phase == "betting":
        _follow_betting(deed, automatic)
    elif phase == "playing":
        _follow_playing(deed, automatic)
    elif phase == "settling":
        _follow_settling(deed, automatic)
    else:
        _pay_out(deed)


def _follow_betting(deed: Deed, automatic: bool) -> None:
    table = deed.table
    down = [number for number, seat in table.round.seats.items() if seat.stakes]
    if all(table.sitters[number].bot for number in down):
        for number in down:
            deed.play(a.Bet(number, {}))  # bots alone do not play
    elif automatic and all(n in down for n, each in table.sitters.items() if _bets_here(each)):
        deed.play(a.CloseBets())
    elif automatic and not table.until:
        deed.add(h.ClockSet(deed.now.at + 1000 * table.betting_seconds))


def _bets_here(sitter: Sitter) -> bool:
    return not sitter.away and not sitter.player.barred


def _follow_playing(deed: Deed, automatic: bool) -> None:
    table = deed.table
    if rounds.due(deed.book, table.round):
        # Where a dealer enters what people do, the dealer minds the time, too.
        if not table.until and table.dealing != "entered":
            deed.add(h.ClockSet(deed.now.at + 1000 * table.decision_seconds))
        return
    if table.until:
        deed.add(h.ClockSet(0))
    if automatic and table.deck is not None:
        action = rounds.next_action(deed.book, table.round, table.deck.cards)
        if action is not None:
            deed.play(action)


def _follow_settling(deed: Deed, automatic: bool) -> None:
    table = deed.table
    if table.until:
        deed.add(h.ClockSet(0))
    waiting = list(_waiting(deed))
    fresh = [each for each in waiting if table.announced.get(each.seat) != each.won_cents]
    deed.add(*fresh)
    if table.practice:
        deed.add(*(h.PayoffApproved(each.seat, "", AUTOMATIC) for each in fresh))
    waits = any(unapproved(deed.book, deed.table, seat) for seat in deed.table.announced)
    if automatic and not waits:
        deed.play(a.Pay())


def _waiting(deed: Deed) -> Iterator[h.PayoffAnnounced]:
    for seat in deed.settled().seats:
        rules = seat.approvals
        if rules:
            needs = tuple(label(rule) for rule in rules)
            clauses = tuple(rule.cited for rule in rules)
            yield h.PayoffAnnounced(seat.seat, seat.won_cents, needs, clauses)


def _pay_out(deed: Deed) -> None:
    table = deed.table
    settled = deed.settled()
    meter = settled.meter_after_cents if table.meter_cents is not None else None
    paid = h.RoundPaid(
        table.number,
        deed.now.day,
        tuple(_seat_paid(each) for each in settled.seats),
        meter,
        settled.notify,
    )
    moved = dict.fromkeys([bank(table.id)], 0)
    for account, cents in postings(deed.book, table, paid):
        moved[account] = moved.get(account, 0) + cents
    short = -(table.bank_cents + moved[bank(table.id)])
    if short > 0:
        deed.add(h.BankFilled(-(-short // FLOAT_CENTS) * FLOAT_CENTS))
    deed.add(paid)


def _seat_paid(settled: settle.SeatSettlement) -> h.SeatPaid:
    return h.SeatPaid(
        settled.seat,
        settled.hand,
        tuple(
            h.LinePaid(
                line.spot,
                line.stake_cents,
                line.outcome,
                line.won_cents,
                line.returned_cents,
                line.clause,
            )
            for line in settled.lines
        ),
        settled.paid_cents,
        settled.held_cents,
        settled.withheld_cents,
        tuple(form.form for form in settled.forms),
    )


_DO: dict[type[Any], Callable[[Deed, Any], None]] = {
    **CARE,
    c.OpenTable: _open,
    c.CloseTable: _close,
    c.ChangeLimits: _limits,
    c.Sit: _sit,
    c.Leave: _leave,
    c.FreeSeat: _free_seat,
    c.SitOut: _sit_out,
    c.SitIn: _sit_out,
    c.SeatBot: _bot,
    c.MarkPartners: _partners,
    c.StartDealing: _start_dealing,
    c.StopDealing: _stop_dealing,
    c.ApprovePayoff: _approve,
    c.OpenBetting: _open_betting,
    c.Tick: _tick,
    a.Bet: _decides,
    a.Raise: _decides,
    a.Fold: _decides,
    a.Check: _decides,
    a.TakeBack: _decides,
    a.CloseBets: _dealers,
    a.Light: _dealers,
    a.Pay: _dealers,
    a.Deal: _dealt,
    a.Turn: _dealt,
    a.AcceptLate: _floor,
    a.KillHand: _floor,
    a.CallMisdeal: _floor,
    a.LetStand: _floor,
}
