"""``pitboss published``: figures that others have printed, beside ours."""

import click
import msgspec

from pitboss.cli.common import json_option, watched, write_json
from pitboss.lab import published
from pitboss.rulebook import load


@click.command("published")
@click.argument("rulebook", required=False)
@json_option
def command(rulebook: str | None, as_json: bool) -> None:
    """Hold what others have printed against what we work out, for a RULEBOOK or for all."""
    wanted = None if rulebook is None else load(rulebook).id
    some = [each for each in published.figures() if wanted in (None, each.book)]
    found = [published.compared(each) for each in watched("published", some)]
    if as_json:
        write_json(
            [
                {
                    **msgspec.to_builtins(each.figure),
                    "ours": str(each.ours),
                    "verdict": each.verdict,
                }
                for each in found
            ]
        )
    else:
        click.echo(published.as_markdown(found), nl=False)
