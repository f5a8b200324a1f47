"""A table is opened, posts its limits and is closed."""

from pitboss.errors import refuse
from pitboss.house.table import commands as c
from pitboss.house.table import deck_handling, patrons, payoffs
from pitboss.house.table import events as h
from pitboss.house.table.state import Table
from pitboss.house.table.unit_of_work import CLOCK, OWNER, UnitOfWork, between_rounds, unless
from pitboss.round import events as e
from pitboss.round.wagers import exact, posted_refusal
from pitboss.rulebook.money_rules import USUAL_MAXIMUM_TIMES, USUAL_MINIMUM_CENTS
from pitboss.rulebook.pit_rules import LEFT_ALONE
from pitboss.wording import listed


def open_table(unit: UnitOfWork, command: c.OpenTable) -> None:
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
    token = command.token_cents
    _posts(unit, minimum, maximum, token)
    _posts_chip(unit, command, minimum)
    other = table.posted != (minimum, maximum, token)
    if table.closed == unit.now.day and not table.practice and other:
        _changes_limits(unit)
    if command.shuffler and command.dealing != "entered":
        message = "a sealed deck has no shuffler: its lights are for a table with real cards"
        raise refuse("table/no-lights", message, book.deck.clause_on("shuffler"))
    unless(deck_handling.shuffler_refusal(book, command, practice=command.practice))
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
            token_cents=token,
            smallest_chip_cents=command.smallest_chip_cents,
        ),
        h.BankFilled(payoffs.FLOAT_CENTS),
    )
    if book.progressive is not None and table.meter_cents is None:
        unit.add(h.MeterSeeded(int(book.progressive.reseed)))


def close_table(unit: UnitOfWork, command: c.CloseTable) -> None:
    if unit.table.under_way and unit.who.person == CLOCK:
        unit.add(e.MisdealCalled(LEFT_ALONE, "", ""))
        payoffs.pay_out(unit)
    between_rounds(unit)
    unit.add(*(h.SeatLeft(seat) for seat in unit.table.sitters))
    patrons.see_off(unit)
    unit.add(h.TableClosed(unit.table.bank_cents, command.why, unit.now.day))


def change_limits(unit: UnitOfWork, command: c.ChangeLimits) -> None:
    between_rounds(unit, unit.book.limits.clause_on("changed_by"))
    if OWNER not in unit.who.roles:
        _changes_limits(unit)
    _posts(unit, command.minimum_cents, command.maximum_cents, unit.table.token_cents)
    _posts_chip(unit, unit.table, command.minimum_cents)
    unit.add(h.LimitsChanged(command.minimum_cents, command.maximum_cents, command.why))


def _changes_limits(unit: UnitOfWork) -> None:
    """Refuse who may not post other limits than those that are, or were today, posted here."""
    rule = unit.book.limits
    if not any(unit.book.allows(role, rule.changed_by) for role in unit.who.roles):
        message = f"limits are changed by the {' or '.join(rule.changed_by)}"
        raise refuse("role/not-yours", message, rule.clause_on("changed_by"))


def _posts(unit: UnitOfWork, minimum: int, maximum: int | None, token: int | None) -> None:
    rule = unit.book.limits
    if maximum is None and rule.maximum_required:
        message = "a table here opens with a posted maximum"
        raise refuse("limits/no-maximum", message, rule.clause_on("maximum_required"), "maximum")
    unless(posted_refusal(unit.book, minimum, maximum, token))


def _posts_chip(unit: UnitOfWork, command: c.OpenTable | Table, minimum: int) -> None:
    """Refuse a smallest chip that the rack has not, or of which the posted sums are not made."""
    book, chip = unit.book, command.smallest_chip_cents
    clause = book.limits.clause_on("smallest_chip")
    if chip is not None and chip not in book.chips:
        rack = listed(map(book.money, book.chips), "or")
        raise refuse("limits/chip", f"a chip here is worth {rack}", clause, "smallest_chip")
    smallest = book.smallest_chip if chip is None else chip
    jackpot = book.progressive
    token = exact(book.spots[jackpot.spot], command.token_cents) if jackpot is not None else None
    posted = {"minimum": minimum if chip is not None else 0, "token": token or 0}
    for name, cents in posted.items():
        if cents % smallest:
            message = f"the smallest chip here is {book.money(smallest)}: no chips make that {name}"
            raise refuse("limits/chip", message, clause, name)
