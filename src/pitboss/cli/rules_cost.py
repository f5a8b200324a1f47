"""``pitboss rules cost``: what a clause costs, and what others' wording of it would."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from pitboss.cli.common import MONEY, json_option, stake_options, watched, write_json
from pitboss.errors import Unreadable
from pitboss.rulebook import Rulebook, ids, load
from pitboss.rulebook.rule_card import rule_card

if TYPE_CHECKING:
    from pitboss.lab.clause_costs import ClauseCost, Exchange, WagerWorth


@click.command("cost")
@click.argument("rulebook")
@click.argument("clause")
@stake_options
@click.option("--meter", type=MONEY, help="Price the progressive at this meter, not at its seed.")
@json_option
def command(
    rulebook: str,
    clause: str,
    ante: int | None,
    minimum: int | None,
    meter: int | None,
    as_json: bool,
) -> None:
    """Say what a clause costs: the game without it, and as other houses word it.

    Each is what the player would gain, of a wager and in an hour. Without an ante caps are left
    out, as by par.
    """
    from pitboss.lab.clause_costs import clause_cost  # numpy is loaded only for this
    from pitboss.maths.price import At
    from pitboss.maths.side_by_side import watched_by

    book = load(rulebook)
    if ante == 0:
        raise Unreadable("an ante is more than nothing", "--ante")
    if minimum == 0:
        raise Unreadable("a posted minimum is more than nothing", "--minimum")
    if meter is not None and book.progressive is None:
        raise Unreadable(f"{book.id} has no progressive", "--meter")
    with watched_by(watched):
        found = clause_cost(book, clause, map(load, ids()), At(ante, minimum, meter))
    if found is None:
        known = ", ".join(sorted(rule_card(book).places()))
        raise Unreadable(f"{book.id} cites no clause {clause!r}; it cites {known}", "CLAUSE")
    if as_json:
        write_json(_json(found))
        return
    for line in _text(found, book):
        click.echo(line)


def _text(found: "ClauseCost", book: Rulebook) -> Iterator[str]:
    for sentence in found.says:
        yield f"{found.clause}: {sentence}"
    if found.moves_no_price:
        yield "  nothing that could stand in its place has another price"
    for each in found.wagers:
        yield f"  = {_worth(each, book)}"
    for exchange in found.without:
        yield from _exchange(exchange, book)
    for wording in found.wordings:
        cites = f" [{', '.join(wording.cites)}]" if wording.cites else ""
        yield f"as {wording.rulebook} has it{cites}"
        for exchange in wording.exchanges:
            yield from _exchange(exchange, book)


def _exchange(exchange: "Exchange", book: Rulebook) -> Iterator[str]:
    yield f"  {exchange.instead}"
    for each in exchange.gains:
        yield f"  = {_worth(each, book)}"
    if exchange.why:
        yield f"  = {exchange.why}"


def _worth(each: "WagerWorth", book: Rulebook) -> str:
    hour, stake = book.signed(each.per_hour_cents), book.money(each.stake_cents)
    return f"{float(each.value):+.4%} of the {each.wager} for the player; {hour} an hour at {stake}"


def _json(found: "ClauseCost") -> dict[str, Any]:
    return {
        "clause": found.clause,
        "says": found.says,
        "wagers": [_worth_json(each) for each in found.wagers],
        "without": [_exchange_json(each) for each in found.without],
        "wordings": [
            {
                "rulebook": each.rulebook,
                "cites": each.cites,
                "exchanges": [_exchange_json(exchange) for exchange in each.exchanges],
            }
            for each in found.wordings
        ],
    }


def _exchange_json(exchange: "Exchange") -> dict[str, Any]:
    gains = [_worth_json(each) for each in exchange.gains]
    return {"instead": exchange.instead, "gains": gains, "why": exchange.why or None}


def _worth_json(each: "WagerWorth") -> dict[str, Any]:
    value = f"{each.value.numerator}/{each.value.denominator}"
    stake, hour = each.stake_cents, each.per_hour_cents
    return {"wager": each.wager, "value": value, "stake_cents": stake, "per_hour_cents": hour}
