"""``pitboss submission``: all that a regulator asks of a game, in one bundle."""

import hashlib

import click

from pitboss.cli.common import (
    STDOUT,
    json_option,
    stake_options,
    watched,
    write_file,
    write_json,
)
from pitboss.errors import Unreadable
from pitboss.lab.papers.submission import bundle, submission
from pitboss.lab.report import report
from pitboss.maths import solve
from pitboss.maths.side_by_side import watched_by
from pitboss.rulebook.loader import parse, source


@click.command("submission")
@click.argument("rulebook")
@click.argument("out", metavar="OUT.zip")
@stake_options
@json_option
def command(rulebook: str, out: str, ante: int | None, minimum: int | None, as_json: bool) -> None:
    """Write rules, examples, odds, layout, equipment and tests of a RULEBOOK to OUT.zip.

    The same rules give the same bytes.
    """
    if out == STDOUT:
        raise Unreadable("a bundle is written to a file", "OUT.zip")
    written = source(rulebook)
    with watched_by(watched):
        made = report(solve(parse(written, rulebook), ante, minimum), whole=True)
    files = submission(written, made)
    packed = bundle(files)
    write_file(out, packed, "OUT.zip")
    sha256 = hashlib.sha256(packed).hexdigest()
    if as_json:
        sizes = {name: len(each) for name, each in files.items()}
        write_json({"file": out, "sha256": sha256, "files": sizes})
        return
    for name, each in files.items():
        click.echo(f"{len(each):>9,}  {name}")
    click.echo(f"{out}: {len(files)} files, sha256 {sha256}")
