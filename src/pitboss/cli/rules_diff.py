"""``pitboss rules diff``: two rulebooks compared, each difference with what it is worth."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click
import msgspec

from pitboss.cli.common import MONEY, json_option, stake_options, write_json
from pitboss.errors import Unreadable
from pitboss.rulebook import load
from pitboss.rulebook.variants import Difference, diff

if TYPE_CHECKING:
    from pitboss.lab.clause_prices import ClausePrice, Total


@click.command("diff")
@click.argument("a", metavar="RULEBOOK")
@click.argument("b", metavar="RULEBOOK")
@stake_options
@click.option("--meter", type=MONEY, help="Price the progressive at this meter, not at its seed.")
@click.option(
    "--players",
    type=click.IntRange(1, 20),
    default=1,
    show_default=True,
    help="Price awards to others as among so many.",
)
@click.option("--no-price", is_flag=True, help="Do not work out what differences are worth.")
@json_option
def command(
    a: str,
    b: str,
    ante: int | None,
    minimum: int | None,
    meter: int | None,
    players: int,
    no_price: bool,
    as_json: bool,
) -> None:
    """Say what differs between two rulebooks, with the clauses of both.

    Each difference comes with its price, which is what the player gains if the first book alone
    took it over from the second, or with the reason why it has none.
    """
    ours, theirs = load(a), load(b)
    if ante == 0:
        raise Unreadable("an ante is more than nothing", "--ante")
    if minimum == 0:
        raise Unreadable("a posted minimum is more than nothing", "--minimum")
    if meter is not None and not (ours.progressive or theirs.progressive):
        raise Unreadable("neither book has a progressive", "--meter")
    found = diff(ours, theirs)
    prices: dict[str, ClausePrice] = {}
    totals: Sequence[Total] = ()
    if not no_price:
        from pitboss.lab.clause_prices import Pricing  # numpy is loaded only for this
        from pitboss.maths.price import At

        pricing = Pricing(ours, theirs, At(ante, minimum, meter, players))
        prices = pricing.prices(found)
        totals = pricing.totals(prices)
    if as_json:
        write_json([*_json(found, prices), *map(_total_json, totals)])
        return
    at = "" if ante is None else f"; ante {ours.money(ante)}, caps as for one player alone"
    for line in (*_text(found, prices), *_totals_text(totals)):
        click.echo(line)
    click.echo(f"{len(found)} differences; - is {a}, + is {b}{at}")


def _text(found: Sequence[Difference], prices: dict[str, "ClausePrice"]) -> Iterator[str]:
    """Say the differences, those that are priced as one thing under each other."""
    from pitboss.lab.clause_prices import by_part, said

    parts = by_part(found, prices) if prices else {each.path: [each] for each in found}
    for part, several in parts.items():
        for each in several:
            yield each.path
            yield f"  - {_side(each.ours, each.clause_ours)}"
            yield f"  + {_side(each.theirs, each.clause_theirs)}"
        if prices:
            whole = "" if several[0].path == part else f"{part}: "
            for words in said(prices[several[0].path]):
                yield f"  = {whole}{words}"


def _totals_text(totals: Sequence["Total"]) -> Iterator[str]:
    from pitboss.lab.clause_prices import gain, percent

    for each in totals:
        yield f"total.{each.wager}"
        yield f"  - {percent(each.ours)}"
        yield f"  + {percent(each.theirs)}"
        if each.change is not None:
            yield f"  = {gain(each.change, each.wager)}; one by one {percent(each.one_by_one)}"


def _side(value: str | None, clause: str) -> str:
    if value is None:
        return "nothing"
    return f"{value} [{clause}]" if clause else value


def _json(
    found: Sequence[Difference], prices: dict[str, "ClausePrice"]
) -> Iterator[dict[str, Any]]:
    for each in found:
        told: dict[str, Any] = msgspec.to_builtins(each)
        if prices:
            price = prices[each.path]
            several = {wager: _ratio(change) for wager, change in price.changes.items()}
            first = next(iter(several), None)
            told |= {"price": None if price.why else several.get(first or "", "0/1"), "of": first}
            told |= {"why": price.why or None, "part": price.part}
            if len(several) > 1:
                told["prices"] = several
        yield told


def _total_json(total: "Total") -> dict[str, Any]:
    return {
        "path": f"total.{total.wager}",
        "ours": _ratio(total.ours),
        "theirs": _ratio(total.theirs),
        "price": None if total.change is None else _ratio(total.change),
        "of": total.wager,
        "one_by_one": _ratio(total.one_by_one),
    }


def _ratio(value: Fraction | str) -> str:
    return value if isinstance(value, str) else f"{value.numerator}/{value.denominator}"
