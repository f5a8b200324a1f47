"""``pitboss design``: the pay tables that come to what is asked for."""

import os
import sys
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from pathlib import Path
from typing import Any, Literal

import click
import msgspec

from pitboss import __version__
from pitboss.cli.common import json_option, progress, watched, whole_number, write_json
from pitboss.cli.saved_work import own_file, read, write
from pitboss.cli.workers import do_task, interrupted_later, processes
from pitboss.errors import PitbossError, Unreadable
from pitboss.lab.controls import variant_file
from pitboss.lab.design import MOST_SOLVED, MOST_SOLVED_SLOWLY, Design, steps
from pitboss.lab.design_report import as_json as report_json
from pitboss.lab.design_report import as_text
from pitboss.lab.design_request import DesignRequest, fraction, with_table
from pitboss.lab.played_tables import FixedPlay, Known
from pitboss.lab.table_box import Places, TableBox
from pitboss.lab.targets import PricedTable, Progress
from pitboss.maths import takes_long
from pitboss.maths.side_by_side import watched_by
from pitboss.rulebook import load

SAVE_SECONDS = 1.0
FEW = 200
"""So many tables are solved sooner here than by processes that must begin first."""


@click.command("design")
@click.argument("rulebook")
@click.option(
    "--target",
    "targets",
    multiple=True,
    metavar="FIGURE=AT",
    help="Come near to this: edge=5%. Figures are edge, hit, top, deviation and risk; repeats.",
)
@click.option(
    "--bound",
    "bounds",
    multiple=True,
    metavar="FIGURE=RANGE",
    help="Keep within this: edge=4.5%..5.5%, hit=20%.., edge=5%+-0.1%; repeats.",
)
@click.option(
    "--free",
    multiple=True,
    metavar="[TABLE.]ROW[=ODDS]",
    help="Let a row pay other odds: flush=4..8, two-pair=1..3/0.5, pair=push,even; a table's name"
    " frees all its rows that pay; repeats.",
)
@click.option("--menu", "from_menu", is_flag=True, help="Choose from the book's own menu instead.")
@click.option("--wager", default="", help="A side wager; the main game, if not said.")
@click.option("--any-order", is_flag=True, help="A better hand may pay less.")
@click.option("--nearest", type=int, metavar="N", help="Only the N nearest to the targets.")
@click.option(
    "--most",
    type=whole_number("solve", "tables", 1, 10**7),
    metavar="N",
    help=f"Solve no more tables than this: {MOST_SOLVED:,}, or {MOST_SOLVED_SLOWLY} where a game"
    " takes long, if not said.",
)
@click.option("--show", type=click.IntRange(1), default=20, show_default=True, metavar="N")
@click.option("--workers", type=click.IntRange(1, 1024), help="Processes; every core, if not said.")
@click.option("--resume", type=click.Path(path_type=Path), help="Keep progress here, and go on.")
@click.option(
    "--save",
    type=(click.IntRange(1), click.Path(path_type=Path, dir_okay=False)),
    metavar="N FILE.toml",
    help="Write the book with the N-th table found as a rulebook.",
)
@json_option
def command(
    rulebook: str,
    targets: tuple[str, ...],
    bounds: tuple[str, ...],
    free: tuple[str, ...],
    from_menu: bool,
    wager: str,
    any_order: bool,
    nearest: int | None,
    most: int | None,
    show: int,
    workers: int | None,
    resume: Path | None,
    save: tuple[int, Path] | None,
    as_json: bool,
) -> None:
    """Search a RULEBOOK's pay tables for all that come to what is asked for."""
    book = load(rulebook)
    request = DesignRequest(targets, bounds, free, wager, from_menu, any_order, nearest)
    wants, among = request.wanted, request.among(book)
    what = {
        "version": __version__,
        "rulebook": book.id,
        "sha256": book.sha256,
        "wager": among.wager,
        "rows": {row.name: [str(odds) for odds in row.odds] for row in among.rows},
        # As a file gives it back, for comparing.
        "targets": msgspec.json.decode(msgspec.json.encode(wants, enc_hook=str)),
        "order": "any" if any_order else "menu" if from_menu else "kept",
    }
    file = _File(resume or own_file("designs", what), what)
    known = file.load(among)
    if resume is not None:
        file.save(known)
    elif known.solved:
        click.echo(f"going on where this was interrupted: {file.path}", err=True)
    # A game that takes long has all cores for itself.
    team = _Team(1 if takes_long(book) else workers or os.cpu_count() or 1)
    design = _search(steps(among, wants, known, most, team.work), team, known, file)
    if design is None:
        click.echo("interrupted: the same command goes on from here", err=True)
        sys.exit(130)
    if resume is None:
        file.path.unlink(missing_ok=True)
    else:
        file.save(known)
    if save is not None:
        number, to = save
        write(to, variant_file(book, with_table(design, number)).encode())
        click.echo(f"table {number} is saved: {to}", err=True)
    if as_json:
        write_json(report_json(design))
    else:
        click.echo(as_text(design, show))


def _search(
    going: Generator[Progress, None, Design], team: "_Team", known: Known, file: "_File"
) -> Design | None:
    """Search to the end; an interruption ends it early, and nothing is lost."""
    began = saved_at = time.monotonic()
    try:
        with progress("tables", length=1) as bar, watched_by(watched):
            while True:
                step = next(going)
                bar.length = step.solved + step.ahead
                bar.update(step.solved - bar.pos)
                if time.monotonic() - saved_at > SAVE_SECONDS:
                    file.save(known)
                    saved_at = time.monotonic()
    except StopIteration as end:
        design: Design = end.value
        return design
    except KeyboardInterrupt:
        file.save(known)
        return None
    except PitbossError:
        if time.monotonic() - began > SAVE_SECONDS:  # allowed more, it goes on
            file.save(known)
        raise
    except BrokenExecutor:
        file.save(known)
        raise Unreadable("a worker died; the same command goes on from there") from None
    finally:
        team.end()


class _Team:
    """Processes that solve tables, begun when there are many to solve."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.pool: ProcessPoolExecutor | None = None

    def work(
        self, solve: Callable[[Places], PricedTable], points: Sequence[Places]
    ) -> Iterable[PricedTable]:
        if self.pool is None and (self.workers == 1 or len(points) < FEW):
            return map(solve, points)
        self.pool = self.pool or processes(self.workers, solve)
        with interrupted_later():
            return self.pool.map(do_task, points)

    def end(self) -> None:
        if self.pool is not None:
            self.pool.shutdown(cancel_futures=True)


# A search on its way ------------------------------------------------------------------------------


class _Saved(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A search on its way, as it is kept in a file."""

    format: Literal[1]
    search: dict[str, Any]
    """What is searched for; a file of another search is refused."""
    solved: tuple[tuple[Places, PricedTable], ...]
    plays: tuple[tuple[Places, FixedPlay], ...]


class _File(msgspec.Struct, frozen=True):
    """Where a search is kept on its way."""

    path: Path
    search: dict[str, Any]

    def load(self, among: TableBox) -> Known:
        """Return what is known by the file; nothing where there is none yet."""
        path, what = self.path, self.search
        if not path.exists():
            return Known()
        saved = read(path, "search", _Saved, dec_hook=fraction)
        if saved.search != what:
            others = [key for key in what if saved.search.get(key) != what[key]]
            raise Unreadable(f"holds another search: {', '.join(others)} differ", str(path))
        known = Known(dict(saved.solved), dict(saved.plays))
        places = [range(len(row.odds)) for row in among.rows]
        if not all(
            len(point) == len(places)
            and all(at in each for at, each in zip(point, places, strict=True))
            for point in (*known.solved, *filter(None, known.plays))
        ) or any(len(play.slopes) != len(places) for play in known.plays.values()):
            raise Unreadable("its tables are not those that are searched", str(path))
        return known

    def save(self, known: Known) -> None:
        saved = _Saved(1, self.search, tuple(known.solved.items()), tuple(known.plays.items()))
        write(self.path, msgspec.json.encode(saved, enc_hook=str))
