"""``pitboss rules adopt`` and ``pitboss rules shelf``: the rulebooks of one house of your own."""

import datetime
import sys
from collections.abc import Iterable
from contextlib import closing

import click
import msgspec

from pitboss.cli.common import (
    database,
    db_option,
    json_option,
    opening,
    signing_file,
    signing_option,
    write_json,
)
from pitboss.errors import Unreadable
from pitboss.rulebook import Rulebook, check, ids
from pitboss.rulebook.loader import load_unchecked

LONGEST_WHY = 200


@click.command("adopt")
@click.argument("rulebook", metavar="FILE")
@click.option(
    "--approved",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="DATE",
    help="When the regulator approved it, such as 2026-11-01.",
)
@click.option("--as", "actor", metavar="NAME", help="Who adopts it; else the house itself.")
@click.option("--why", default="", help="What the journal says of it.")
@signing_option()
@db_option
def adopt_(
    rulebook: str,
    approved: datetime.datetime | None,
    actor: str | None,
    why: str,
    signing: str | None,
    where: str | None,
) -> None:
    """Put a rulebook on a house's shelf, so that tables can be opened with it.

    It must pass `rules check`. The house may be open: it hears of it at once. An earlier version
    of the same id is replaced, and kept: tables that are open go on with it.
    """
    if len(why) > LONGEST_WHY or not why.isprintable():
        raise Unreadable(f"write up to {LONGEST_WHY} characters that can be printed", "--why")
    date = approved.date() if approved is not None else None
    adopt(where, [checked(rulebook)], signing=signing, actor=actor, approved=date, why=why)


@click.command("shelf")
@db_option
@json_option
def shelf_(where: str | None, as_json: bool) -> None:
    """List what a house has adopted, replaced versions too."""
    from pitboss.audit.snapshot import Snapshot
    from pitboss.house.rulebook_shelf import history

    with Snapshot(database(where)) as snapshot:
        found = history(snapshot.rows)
    last = {each.rulebook: each for each in found}
    if as_json:
        write_json(
            [{**msgspec.to_builtins(e), "replaced": last[e.rulebook] is not e} for e in found]
        )
        return
    for each in found:
        at = datetime.datetime.fromtimestamp(each.at // 1000, datetime.UTC)
        told = [f"{each.rulebook:<38}{each.sha256[:12]}  {at:%Y-%m-%d %H:%M} UTC by {each.actor}"]
        told += [f"approved {each.approved}"] if each.approved else []
        told += [each.why] if each.why else []
        told += ["replaced"] if last[each.rulebook] is not each else []
        click.echo(", ".join(told))


def checked(name: str) -> Rulebook:
    """Return a book that tables can run on; else say all that is wrong with it, and end."""
    book = load_unchecked(name)
    found = check(book)
    for each in found:
        click.echo(f"{name}: {each.level}: {each.path}: {each.message}", err=True)
    if any(each.level == "error" for each in found):
        sys.exit(2)
    return book


def adopt(
    where: str | None,
    books: Iterable[Rulebook],
    *,
    signing: str | None = None,
    actor: str | None = None,
    approved: datetime.date | None = None,
    why: str = "",
) -> None:
    """Put books on the shelf of a house, and say what became of each."""
    from pitboss.house import rulebook_shelf as shelf
    from pitboss.house.storage.store import Store

    with opening(database(where)) as found:
        store = Store(found, signing=signing_file(found, signing))
    with closing(store):
        for book in books:
            before = shelf.read_shelf(store).adoptions.get(book.id)
            done = shelf.adopt(
                store,
                book,
                at=store.now(),
                actor=actor or shelf.CONSOLE,
                approved=approved,
                why=why,
            )
            said = "on the shelf"
            if done is None:
                said = "this version is on the shelf already"
            elif before is not None and before.sha256 == done.sha256:
                said = f"this version is on the shelf already, and now approved on {done.approved}"
            elif before is not None:
                said = "on the shelf, in place of an earlier version that open tables keep"
            elif book.id in ids():
                said = "on the shelf, in place of the one that comes with Pitboss"
            mark = f"{book.game}, {book.house} (sha256 {book.sha256[:12]})"
            click.echo(f"{book.id}: {said}: {mark}")
