"""``pitboss protect``: what a player gains who knows more than the rules let them see."""

import sys
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.progress import track

from pitboss.cli.common import json_option, read_as, stake_options, write_json
from pitboss.lab import protect, shared_hands
from pitboss.maths import solve
from pitboss.rulebook import Rulebook, load

T = TypeVar("T")


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
    plain = solve(book, ante, minimum)
    caps = (ante, plain.minimum_cents)
    if share is not None:
        shared_hands.may_share(book, share)
    known = {key: protect.known(book, key, *caps) for key in _watched("known", protect.keys(book))}
    told = {
        name: protect.told(book, ranks, *caps)
        for name, ranks in _watched("sorted", list(backs.items()))
    }
    shared = None
    if share is not None:
        better = shared_hands.shared(book, share, *caps, seed)
        *_, shared = _watched("share", better, shared_hands.BATCHES)
    if as_json:
        write_json(_json(book, ante, plain.value, known, told, share, shared))
    else:
        click.echo(_text(book, plain.value, known, told, share, shared))


def _watched(what: str, steps: Iterable[T], total: int | None = None) -> Iterable[T]:
    """Show progress to a person who waits; programs see nothing of it."""
    return track(
        steps,
        what,
        total,
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )


def _json(
    book: Rulebook,
    ante: int | None,
    plain: Fraction,
    known: dict[str, Fraction],
    told: dict[str, Fraction],
    share: int | None,
    shared: shared_hands.Estimate | None,
) -> dict[str, Any]:
    found: dict[str, Any] = {
        "rulebook": book.id,
        "sha256": book.sha256,
        "ante_cents": ante,
        "ordinary": float(plain),
        "known": {key: float(value) for key, value in known.items()},
    }
    if told:
        found["sorted"] = {name: float(value) for name, value in told.items()}
    if shared is not None:
        found["share"] = {"players": share, "value": shared.value, "error": shared.error}
    return found


def _text(
    book: Rulebook,
    plain: Fraction,
    known: dict[str, Fraction],
    told: dict[str, Fraction],
    share: int | None,
    shared: shared_hands.Estimate | None,
) -> str:
    def line(what: str, value: float, error: str = "exact") -> str:
        return f"{what:<40}{value:>+12.4%}{value - float(plain):>+12.4%}   {error}"

    out = [f"{book.game}, {book.house}: the player's edge, of the ante", ""]
    out += [f"{'':<40}{'edge':>12}{'gain':>12}", line("ordinary play", float(plain))]
    out += [line(_name(book, key), float(value)) for key, value in known.items()]
    out += [line(f"{name} told by their backs", float(value)) for name, value in told.items()]
    if shared is not None:
        sampled = f"+-{shared.error:.4%}"
        out.append(line(f"{share} players share what they hold", shared.value, sampled))
    return "\n".join(out)


def _name(book: Rulebook, key: str) -> str:
    if book.qualifier is not None:
        return f"{key} of the dealer's five known"
    places = [str(place) for place, bit in enumerate(key, start=1) if bit == "1"]
    return f"community card{'s' * (len(places) > 1)} {' and '.join(places)} known"
