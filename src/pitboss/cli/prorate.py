"""``pitboss prorate``: share a capped payout over the wins that it binds."""

import click
from msgspec.structs import asdict

from pitboss.cli.common import MONEY, json_option, read_as, write_json
from pitboss.errors import Unreadable
from pitboss.money import text
from pitboss.settle.prorate import prorated, read_odds, read_win


@click.command("prorate")
@click.option("--cap", type=MONEY, required=True, help="The payout cap, such as 25000.")
@click.option(
    "--over",
    default="50",
    show_default=True,
    help="Only wins at more than these odds (to one) are capped; 0 caps all.",
)
@click.option(
    "--unit", type=MONEY, default=1, show_default="0.01", help="The smallest piece shared out."
)
@json_option
@click.argument("wins", nargs=-1, required=True, metavar="WIN@ODDS...")
def command(cap: int, over: str, unit: int, as_json: bool, wins: tuple[str, ...]) -> None:
    """Share a payout cap pro rata, by largest remainder, over wins such as 20000@500.

    Each WIN is what the pay table says; ODDS is what it was paid to one, such as 500 or 3:2.
    """
    if unit < 1:
        raise Unreadable("the unit is at least 0.01", "--unit")
    threshold = None if over.strip() == "0" else read_as(read_odds, over, "--over")
    numbered = enumerate(wins, start=1)
    claims = [read_as(read_win, written, f"win {number}") for number, written in numbered]
    shared = prorated(cap, claims, threshold, unit)
    counted = sum(each.nominal_cents for each in shared if each.counted)
    paid = sum(each.won_cents for each in shared)
    if as_json:
        write_json(
            {
                "cap_cents": cap,
                "over": None if threshold is None else str(threshold),
                "unit_cents": unit,
                "counted_cents": counted,
                "capped": counted > cap,
                "wins": [{**asdict(each), "odds": str(each.odds)} for each in shared],
                "won_cents": paid,
            }
        )
        return
    click.echo(f"{'win':>16}{'odds':>14}{'paid':>16}")
    for each in shared:
        note = "" if each.counted else "  in full, not above the threshold"
        win, share = text(each.nominal_cents), text(each.won_cents)
        click.echo(f"{win:>16}{each.odds!s:>14}{share:>16}{note}")
    click.echo(f"{text(sum(win for win, _ in claims)):>16}{'':>14}{text(paid):>16}")
    click.echo(
        f"{text(counted)} counts toward the payout cap of {text(cap)}: "
        + ("shared pro rata." if counted > cap else "paid in full.")
    )
