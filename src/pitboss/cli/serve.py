"""``pitboss serve``: open the house."""

import click

from pitboss.cli.common import (
    data_folder,
    database,
    db_option,
    opening,
    signing_file,
    signing_option,
)


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes any."
)
@click.option(
    "--rulebook",
    "rulebooks",
    metavar="FILE",
    multiple=True,
    help="Put a rulebook on the house's shelf first; may be said several times.",
)
@signing_option()
@click.option(
    "--new-key", is_flag=True, help="Begin another signing key in that file: the old one is lost."
)
@click.option(
    "--restored",
    is_flag=True,
    help="The database was put back from a copy: call rounds under way off, seal decks anew,"
    " end sessions.",
)
@click.option("--new-secret", is_flag=True, help="Make another one-time secret for admin.")
@db_option
def command(
    host: str,
    port: int,
    rulebooks: tuple[str, ...],
    signing: str | None,
    new_key: bool,
    restored: bool,
    new_secret: bool,
    where: str | None,
) -> None:
    """Open the house: tables, journal, ledger and the API, until it is told to stop."""
    from pitboss.cli.adopt import adopt, checked
    from pitboss.house.storage.databases import readable_by_others
    from pitboss.house.storage.store import Store
    from pitboss.web.server import Opened, run_loop, serve  # the web's libraries: only for this

    def started(opened: Opened) -> None:
        for path in readable_by_others(found, *([key] if key is not None else [])):
            why = "others can read it, and with it what they must not know: chmod 600"
            click.echo(f"{path}: {why}", err=True)
        if key is None:
            why = "without --signing-key nothing is signed, and decks lie there in clear"
            click.echo(f"--db: {why}", err=True)
        if opened.unmarked:
            why = "no high-water mark of this house lies here, and nobody can tell whether its"
            then = "database was put back: if it was, stop and say serve --restored"
            click.echo(f"{data_folder()}: {why} {then}", err=True)
        if opened.restored or opened.anew:
            why = "The database was put back" if opened.restored else "Decks lay under another key"
            click.echo(f"{why}: rounds under way are called off, decks sealed anew")
        if opened.restored:
            why = "Passwords are those of the copy"
            click.echo(f"{why}: set them again; sessions that began with one have ended")
        click.echo(f"Pitboss is open at {opened.address}")
        if opened.secret is not None:
            click.echo(f"The administrator is 'admin', with this one-time secret: {opened.secret}")
            click.echo(f"Set a password of your own with it at {opened.address}/sign-in")

    found = database(where)
    key = signing_file(found, signing)
    if new_key:
        with opening(found):
            Store(found, signing=key, new_key=True).close()
    if rulebooks:
        books = [checked(each) for each in rulebooks]
        adopt(where, books, signing=signing, why="pitboss serve --rulebook")
    with opening(found):
        run_loop(
            serve(
                found,
                host,
                port,
                started,
                signing=key,
                marks=data_folder(),
                restored=restored,
                new_secret=new_secret,
            )
        )
