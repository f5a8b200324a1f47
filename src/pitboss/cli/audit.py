"""``pitboss audit``: the eight promises, checked over a house's whole journal."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from pitboss.audit import anchors as anchor_files
from pitboss.audit.anchors import Anchor, anchor
from pitboss.audit.audit import Audit, RoundAudit, audit, audit_round
from pitboss.audit.promises import Promise
from pitboss.audit.snapshot import Snapshot
from pitboss.cards import text as cards_text
from pitboss.cli.common import database, db_option, json_option, signing_option, write_json
from pitboss.errors import PitbossError, Unreadable
from pitboss.house.storage.signing import SigningKey, beside
from pitboss.house.storage.signing import read as read_key
from pitboss.money import text

CENTS = ("won_cents", "held_cents", "withheld_cents", "paid_cents")

EVERY = 5_000
"""After so many entries it is said how far the audit has come."""

SHOWN = 5
"""So many broken places of each promise are printed."""


@click.command("audit")
@db_option
@click.option("--round", "name", metavar="ID", help="Check one round, such as TABLE-12.")
@click.option(
    "--anchor",
    "anchors",
    metavar="N:HASH",
    multiple=True,
    help="An earlier audit's last line that must still be so; may be said several times.",
)
@click.option(
    "--anchors", "file", metavar="FILE", help="The same from a file written elsewhere, one a line."
)
@click.option("--write-anchor", metavar="FILE", help="Append this audit's own, where all holds.")
@signing_option(multiple=True)
@json_option
def command(
    where: str | None,
    name: str | None,
    signing: tuple[str, ...],
    anchors: tuple[str, ...],
    file: str | None,
    write_anchor: str | None,
    as_json: bool,
) -> None:
    """Replay the journal of a house and check its promises.

    Chain, ledger, balances, tables, meters, people and settings are worked out anew; every command
    is done again; every round is settled a second time by other code. Exit code 0 means that all
    holds, 1 that something is broken: the first places are named, with --json all.
    """
    if name is not None and (anchors or file or write_anchor):
        raise Unreadable("anchors are of the whole journal, not of one round", "--round")
    earlier = [anchor(each, "--anchor") for each in anchors]
    earlier += anchor_files.read(file) if file is not None else ()
    if write_anchor is not None:
        anchor_files.appendable(write_anchor)  # said before the work, not after it
    place = database(where)
    keys = [read_key(path) for path in _key_files(place, signing)]
    with Snapshot(place) as snapshot:
        if name is not None:
            broken = _one_round(snapshot, name, as_json=as_json)
        else:
            found = _whole(snapshot, earlier, keys, as_json=as_json)
            broken = found.broken
            if write_anchor is not None and found.entries and not broken:
                anchor_files.append(write_anchor, found.anchor)
    if broken:
        sys.exit(1)


def _key_files(where: str, named: Sequence[str]) -> list[Path]:
    """Return the keys' files: those that are named, or else the one beside the database, where
    whoever audits may read it."""
    if named:
        return [Path(each) for each in named]
    usual = beside(where)
    return [usual] if usual is not None and os.access(usual, os.R_OK) else []


def _whole(
    snapshot: Snapshot, earlier: Sequence[Anchor], keys: Sequence[SigningKey], *, as_json: bool
) -> Audit:
    found = audit(snapshot, _progress if sys.stderr.isatty() else lambda _: None, earlier, keys)
    if as_json:
        said = {"holds": not found.broken, "broken": found.broken}
        write_json({**said, **msgspec.to_builtins(found)})
    else:
        click.echo(_text(found.promises))
        if found.called_off:
            click.echo(f"{found.called_off:,} rounds with sealed decks were called off after bets")
        if found.early:
            when = "more than a second before the deadline that was shown"
            click.echo(f"{found.early:,} time-outs were written {when}")
        for each in found.unchecked:
            click.echo(f"not checked: {each}")
        anchors = "1 earlier anchor" if found.anchors == 1 else f"{found.anchors:,} earlier anchors"
        compared = f"{anchors} compared, " if found.anchors else ""
        compared += f"{found.signatures:,} signatures fit, " if keys else ""
        click.echo(f"{compared}{found.entries:,} entries, anchor {found.anchor}")
    return found


def _one_round(snapshot: Snapshot, name: str, *, as_json: bool) -> str:
    try:
        found = audit_round(snapshot, name)
    except snapshot.failed as error:
        raise PitbossError(f"the database cannot be read: {error}") from None
    if as_json:
        write_json(_round_json(found))
    else:
        click.echo(_round_text(found))
    return found.told.difference or found.broken


def _progress(position: int) -> None:
    if position % EVERY == 0:
        print(f"\r{position:,} entries", end="\r", file=sys.stderr, flush=True)


def _text(promises: tuple[Promise, ...]) -> str:
    width = max(len(each.says) for each in promises)
    out = []
    for each in promises:
        first = f"BROKEN {each.broken[0]}" if each.broken else "holds"
        out.append(
            f"{each.promise} {each.says:<{width}} {each.count:>12,} {each.counted:<17}{first}"
        )
        out += [f"  {place}" for place in each.broken[1:SHOWN]]
        if len(each.broken) > SHOWN:
            rest, all_ = len(each.broken) - SHOWN, len(each.broken)
            out.append(f"  and {rest:,} more of {all_:,} broken places: --json names them all")
    return "\n".join(out)


def _round_text(found: RoundAudit) -> str:
    told, table = found.told, found.table
    kind = ", practice" if table.practice else ""
    out = [f"round {told.name}: {table.rulebook} {table.sha256[:16]}{kind}, {told.paid.date}"]
    if told.sealed.locked:
        out.append(f"commitment {told.sealed.commitment}")
        out.append(f"dealt {cards_text(told.dealt)}")
    else:
        out.append("real cards were dealt: nothing was committed to")
    out.append(f"replay of {found.entries} entries: {found.broken or 'the same bytes'}")
    for seat in told.again.seats.values():
        out.append(f"seat {seat.seat}, {seat.person}: {cards_text(seat.cards)}")
        out += [
            f"  {wager.spot:<16} {text(wager.stake_cents):>12} {wager.outcome:<5}"
            f" {text(wager.won_cents):>13} {text(wager.returned_cents):>13}"
            for wager in [*seat.wagers, *([seat.toke] if seat.toke is not None else [])]
        ]
        out.append(f"  {'paid':<16} {text(seat.paid_cents):>46}")
    out.append(f"second settlement: {told.difference or 'the same'}")
    return "\n".join(out)


def _round_json(found: RoundAudit) -> dict[str, object]:
    told, table = found.told, found.table
    return {
        "holds": not (told.difference or found.broken),
        "round": told.name,
        "rulebook": table.rulebook,
        "sha256": table.sha256,
        "practice": table.practice,
        "commitment": told.sealed.commitment,
        "entries": found.entries,
        "broken": found.broken,
        "second_settlement": told.difference,
        "seats": [
            {"seat": seat.seat, "person": seat.person, "cards": cards_text(seat.cards)}
            | {name: getattr(seat, name) for name in CENTS}
            for seat in told.again.seats.values()
        ],
        "meter_cents": told.again.meter_cents,
    }
