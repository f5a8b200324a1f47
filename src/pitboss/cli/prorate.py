"""``pitboss prorate``: share a capped payout over the wins that it binds."""

import click

from pitboss.cli.common import MONEY, json_option, read_as, write_json
from pitboss.errors import Unreadable
from pitboss.money import Odds, cents, divide, odds, text


@click.command("prorate")
@click.option("--cap", type=MONEY, required=True, help="The ceiling, such as 25000.")
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
    """Share a ceiling pro rata, by largest remainder, over wins such as 20000@500.

    Each WIN is what the pay table says; ODDS is what it was paid to one, such as 500 or 3:2.
    """
    if unit < 1:
        raise Unreadable("the unit is at least 0.01", "--unit")
    threshold = None if over.strip() == "0" else _odds(over, "--over")
    claims = [_win(written, f"win {number}") for number, written in enumerate(wins, start=1)]
    counted = [threshold is None or paid_at > threshold for _, paid_at in claims]
    bound = [win for (win, _), counts in zip(claims, counted, strict=True) if counts]
    shares = iter(divide(cap, bound, unit))
    paid = [
        next(shares) if counts else win for (win, _), counts in zip(claims, counted, strict=True)
    ]
    table = list(zip(claims, counted, paid, strict=True))
    if as_json:
        write_json(
            {
                "cap_cents": cap,
                "over": None if threshold is None else str(threshold),
                "unit_cents": unit,
                "counted_cents": sum(bound),
                "capped": sum(bound) > cap,
                "wins": [
                    {"nominal_cents": win, "odds": str(at), "counted": counts, "won_cents": share}
                    for (win, at), counts, share in table
                ],
                "won_cents": sum(paid),
            }
        )
        return
    click.echo(f"{'win':>16}{'odds':>14}{'paid':>16}")
    for (win, at), counts, share in table:
        note = "" if counts else "  in full, not above the threshold"
        click.echo(f"{text(win):>16}{at!s:>14}{text(share):>16}{note}")
    click.echo(f"{text(sum(win for win, _ in claims)):>16}{'':>14}{text(sum(paid)):>16}")
    click.echo(
        f"{text(sum(bound))} counts toward the ceiling of {text(cap)}: "
        + ("shared pro rata." if sum(bound) > cap else "paid in full.")
    )


def _odds(written: str, place: str) -> Odds:
    return read_as(odds, f"{written}:1" if written.strip().isdecimal() else written, place)


def _win(written: str, place: str) -> tuple[int, Odds]:
    worth, at, paid_at = written.partition("@")
    if not at:
        raise Unreadable(f"{written[:20]!r} is not WIN@ODDS, such as 20000@500", place)
    return int(read_as(cents, worth, place)), _odds(paid_at, place)
