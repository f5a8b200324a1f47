"""``pitboss protect``: what a player gains who knows more than the rules let them see."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import click

from pitboss.cli.common import json_option, read_as, stake_options, watched, write_json
from pitboss.lab import protect, shared_hands
from pitboss.maths import solve
from pitboss.maths.price import ratio
from pitboss.maths.side_by_side import watched_by
from pitboss.rulebook import Rulebook, load


@click.command("protect")
@click.argument("rulebook")
@click.option(
    "--sorted",
    "groups",
    multiple=True,
    metavar="RANKS",
    help="Ranks that can be told by their backs, such as J or JQK; repeats.",
)
@click.option("--share", type=int, metavar="N", help="N players share what they hold (sampled).")
@click.option("--seed", type=click.IntRange(min=0), default=7, show_default=True, metavar="N")
@stake_options
@json_option
def command(
    rulebook: str,
    groups: tuple[str, ...],
    share: int | None,
    seed: int,
    ante: int | None,
    minimum: int | None,
    as_json: bool,
) -> None:
    """Say what a RULEBOOK's game is worth to a player who knows cards early."""
    book = load(rulebook)
    backs = {written.upper(): read_as(protect.group, written, "--sorted") for written in groups}
    if backs:
        protect.may_be_told(book)
    if share is not None:
        shared_hands.may_share(book, share)
    with watched_by(watched):
        plain = solve(book, ante, minimum)
    caps = (ante, plain.minimum_cents)
    keys = watched("known", protect.keys(book))
    known = {key: protect.known(book, key, *caps) for key in keys}
    exact: dict[str, Any] = {"ordinary": plain.value, "known": known}
    if backs:
        several = watched("sorted", list(backs.items()))
        exact["sorted"] = {name: protect.told(book, ranks, *caps) for name, ranks in several}
    told: dict[str, Any] = {
        "rulebook": book.id,
        "sha256": book.sha256,
        "ante_cents": ante,
        **_each(float, exact),
        "exact": _each(ratio, exact),
    }
    if share is not None:
        better = shared_hands.shared(book, share, *caps, seed)
        *_, best = watched("share", better, shared_hands.BATCHES)
        told["share"] = {"players": share, "value": best.value, "error": best.error}
    if as_json:
        write_json(told)
    else:
        click.echo(_text(book, told))


def _each(written: Callable[[Fraction], Any], values: dict[str, Any]) -> dict[str, Any]:
    return {
        name: _each(written, value) if isinstance(value, dict) else written(value)
        for name, value in values.items()
    }


def _text(book: Rulebook, told: dict[str, Any]) -> str:
    plain = told["ordinary"]

    def line(what: str, value: float, error: str = "exact") -> str:
        return f"{what:<40}{value:>+12.4%}{value - plain:>+12.4%}   {error}"

    out = [f"{book.game}, {book.house}: the player's edge, of the ante", ""]
    out += [f"{'':<40}{'edge':>12}{'gain':>12}", line("ordinary play", plain)]
    out += [line(protect.key_words(book, key), value) for key, value in told["known"].items()]
    backs = told.get("sorted", {}).items()
    out += [line(f"{name} told by their backs", value) for name, value in backs]
    if "share" in told:
        share = told["share"]
        who = f"{share['players']} players share what they hold"
        out.append(line(who, share["value"], f"+-{share['error']:.4%}"))
    return "\n".join(out)
