"""``pitboss advise``: the exact worth of every choice, given all that is seen."""

import click

from pitboss.cards import cards, text
from pitboss.cli.common import json_option, read_as, stake_options, write_json
from pitboss.errors import Unreadable
from pitboss.maths import Seen, worths
from pitboss.maths.decisions import NAMES, choice_name
from pitboss.maths.price import ratio
from pitboss.rulebook import load


@click.command("advise")
@click.argument("rulebook")
@click.option("--cards", "held", required=True, help="Your cards, such as 'Ks Qd'.")
@click.option("--board", default="", help="The community cards that are up.")
@click.option("--upcard", default="", help="The dealer's card that is up.")
@click.option("--raises", default="", help="Decided so far, such as '1 3'; also check, take-back.")
@click.option("--seen", "gone", default="", help="Other cards that you have seen.")
@stake_options
@json_option
def command(
    rulebook: str,
    held: str,
    board: str,
    upcard: str,
    raises: str,
    gone: str,
    ante: int | None,
    minimum: int | None,
    as_json: bool,
) -> None:
    """Say what each choice is worth now, in antes, exactly."""
    book = load(rulebook)
    up = read_as(cards, upcard, "--upcard")
    if len(up) > 1:
        raise Unreadable("one card is up", "--upcard")
    seen = Seen(
        read_as(cards, held, "--cards"),
        read_as(cards, board, "--board"),
        up[0] if up else None,
        _multiples(raises),
    )
    found = worths(book, seen, read_as(cards, gone, "--seen"), ante, minimum)
    # Of equals the first: the smallest stake.
    best = max(found, key=found.__getitem__)
    if as_json:
        choices = {
            choice_name(choice): {"value": ratio(worth), "antes": float(worth)}
            for choice, worth in found.items()
        }
        write_json({"rulebook": book.id, "best": choice_name(best), "choices": choices})
        return
    click.echo(f"{text(seen.cards)} | {text(seen.board) or text(up)}".rstrip(" |"))
    for choice, worth in sorted(found.items(), key=lambda each: -each[1]):
        mark = "  best" if choice == best else ""
        click.echo(f"  {choice_name(choice):<8}{float(worth):>+12.6f} antes  {ratio(worth)}{mark}")


def _multiples(written: str) -> tuple[int, ...]:
    try:
        said = {word: str(choice) for choice, word in NAMES.items()}
        return tuple(int(said.get(each, each)) for each in written.replace(",", " ").split())
    except ValueError:
        raise Unreadable(f"{written[:20]!r} are not multiples such as '1 3'", "--raises") from None
