"""``pitboss settle``: one round from a file, every chip explained."""

import click

from pitboss.cli.common import json_option, read_input, write_json
from pitboss.money import Cents, chips, text
from pitboss.rulebook import Rulebook
from pitboss.settle import SeatSettlement, Settlement, sentences
from pitboss.settle.approvals import label
from pitboss.settle.file import settle_file, settlement_json


@click.command("settle")
@click.argument("file")
@click.option("--chips", "in_chips", is_flag=True, help="Break each payoff down into chips.")
@json_option
def command(file: str, in_chips: bool, as_json: bool) -> None:
    """Settle the round in FILE (TOML or JSON; - is standard input) and say why.

    See docs/settle.md for what the file holds.
    """
    book, settlement = settle_file(*read_input(file, "round"))
    denominations = book.chips if in_chips else None
    if as_json:
        write_json(settlement_json(book, settlement, denominations))
    else:
        click.echo(receipt(book, settlement, denominations))


def receipt(
    book: Rulebook, settlement: Settlement, denominations: tuple[Cents, ...] | None = None
) -> str:
    """Return the settlement as people read it, within 80 columns."""
    out = [f"{book.game}, {book.house}", f"rules {settlement.sha256[:16]}, in {book.currency}"]
    if settlement.cap_cents is not None:
        out[1] += f", payout cap {text(settlement.cap_cents)}"
    for seat in settlement.seats:
        out += ["", *_seat(book, seat, denominations)]
    if settlement.meter_after_cents is not None:
        out += ["", f"Meter now {text(settlement.meter_after_cents)}"]
    for says in settlement.untested:
        out += ["", *_wrapped(says, "")]
    if settlement.notify:
        out += ["", f"Notify within the gaming day: {', '.join(settlement.notify)}"]
    out += ["", *book.notices("receipt")]
    return "\n".join(out).rstrip()


def _seat(
    book: Rulebook, seat: SeatSettlement, denominations: tuple[Cents, ...] | None
) -> list[str]:
    out = [f"Seat {seat.seat}: {seat.hand or 'no hand made'}"]
    # A space before each column, so that sums too large for theirs do not run together.
    out.append(f"  {'wager':<15} {'stake':>12}  {'':<5} {'odds':>9} {'won':>13} {'back':>13}")
    for line in seat.lines:
        odds = str(line.odds) if line.odds is not None else ""
        title = book.wager_name(line.spot)
        out.append(
            f"  {title:<15} {text(line.stake_cents):>12}  {line.outcome:<5} {odds:>9}"
            f" {text(line.won_cents):>13} {text(line.returned_cents):>13}"
        )
        for sentence in sentences(book, line):
            out += _wrapped(sentence, "    ")
    together = f"{text(seat.won_cents):>13} {text(seat.returned_cents):>13}"
    out.append(f"  {'to the player':<45} {together}")
    if seat.approvals:
        out.append(f"  approvals: {', '.join(label(rule) for rule in seat.approvals)}")
    for form in seat.forms:
        out += _wrapped(
            f"form {form.form}: {text(form.reportable_cents)} reportable, "
            f"{text(form.withheld_cents)} withheld [{form.clause}]"
        )
    if seat.held_cents:
        out.append(f"  held: {text(seat.held_cents)}")
    if seat.paid_cents != seat.returned_cents:
        out.append(f"  {'paid now':<59}{text(seat.paid_cents):>14}")
    if denominations is not None:
        stacks, left = chips(seat.payoff_cents, denominations)
        pieces = [f"{count} x {text(worth)}" for worth, count in stacks]
        pieces += [f"{text(left)} in coin"] if left else []
        out += _wrapped(f"chips: {', '.join(pieces) or 'none'}")
    return out


def _wrapped(line: str, indent: str = "  ") -> list[str]:
    return click.wrap_text(line, 78, indent, f"{indent}  ").splitlines()
