"""Which winnings need a form, what is withheld, and what is held back."""

import datetime
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from pitboss.errors import Unreadable
from pitboss.money import Cents, Percent, times
from pitboss.rulebook.base import Strict
from pitboss.rulebook.loader import convert
from pitboss.rulebook.model import Rulebook
from pitboss.settle.finished_round import Player
from pitboss.settle.lines import Draft, Form, Reason


class Figures(Strict, frozen=True, kw_only=True, rename={"since": "from"}):
    """Federal figures in force from one day on."""

    since: datetime.date
    floor: Cents
    withhold: Percent
    withhold_over: Cents
    withhold_foreign: Percent


@cache
def _table() -> tuple[Figures, ...]:
    raw = tomllib.loads(Path(__file__).with_name("federal-tax.toml").read_text("utf-8"))
    known: list[Figures] = convert(raw["figures"], list[Figures], "federal-tax.toml")
    return tuple(sorted(known, key=lambda each: each.since))


def figures(date: datetime.date | None) -> Figures:
    """Return the figures in force on a day; the latest where no day is given.

    >>> figures(datetime.date(2025, 12, 31)).floor, figures(datetime.date(2026, 1, 1)).floor
    (60000, 200000)
    """
    known = _table()
    held = [each for each in known if date is None or each.since <= date]
    if not held:
        raise Unreadable(f"no tax figures for {date}; they begin on {known[0].since}", "date")
    return held[-1]


def forms(
    book: Rulebook, drafts: Sequence[Draft], player: Player, date: datetime.date | None
) -> tuple[tuple[Form, ...], int]:
    """Return the forms that a player's winnings need, and how much of the winnings is held.

    Of a barred player all winnings are held, of an unidentified one what needs a form.
    """
    in_force = figures(date)
    wagers: dict[str, list[Draft]] = {}
    for draft in drafts:  # the main wagers are one
        main = book.spots[draft.spot].kind == "main"
        wagers.setdefault("main" if main else draft.spot, []).append(draft)
    due = {
        name: _form(book, name, several, player, in_force)
        for name, several in wagers.items()
        if _reportable(book, several, in_force)
    }
    held = []
    if player.barred or not player.identified:
        names = wagers if player.barred else due
        held = [draft for name in names for draft in wagers[name] if draft.won_cents]
    why = "barred" if player.barred else "unidentified"
    for draft in held:
        facts = {"why": why, "won_cents": draft.won_cents}
        draft.reasons.append(Reason("held", book.tax.clause_on("held"), facts))
    return tuple(due.values()), sum(draft.won_cents for draft in held)


def _reportable(book: Rulebook, wager: Sequence[Draft], in_force: Figures) -> bool:
    won = sum(draft.won_cents for draft in wager)
    staked = sum(draft.stake_cents for draft in wager)
    return (
        won >= in_force.floor
        and (book.tax.over is None or won > book.tax.over)
        and won >= book.tax.at_least_times * staked
    )


def _form(
    book: Rulebook, name: str, wager: Sequence[Draft], player: Player, in_force: Figures
) -> Form:
    won = sum(draft.won_cents for draft in wager)
    # Winnings less the wager: a stake that goes back was never part of the winnings, a token that
    # drops was.
    proceeds = won - sum(draft.stake_cents for draft in wager if not draft.returns_stake)
    foreign, withheld = player.residence == "foreign", 0
    if player.identified and not player.barred:  # nothing is withheld of what is held
        if foreign:
            withheld = times(won, in_force.withhold_foreign)
        elif proceeds > in_force.withhold_over or not player.tin:
            withheld = times(proceeds, in_force.withhold)
    form = book.tax.form_foreign if foreign else book.tax.form_citizen
    about = book.tax.clause_on("form_foreign" if foreign else "form_citizen")
    clause = f"{book.tax.cited}, {about}" if about else book.tax.cited
    facts = {
        "form": form,
        "won_cents": won,
        "floor_cents": int(in_force.floor),
        "times": book.tax.at_least_times,
        "withheld_cents": withheld,
    }
    paid = next(draft for draft in wager if draft.won_cents)
    paid.reasons.append(Reason("form", clause, facts))
    return Form(form, name, won, withheld, clause)
