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
    """Return the forms that a player's winnings need, and how much of the winnings is held."""
    in_force = figures(date)
    main = [draft for draft in drafts if _is_main(book, draft)]
    wagers = [("main", main)]
    wagers += [(draft.spot, [draft]) for draft in drafts if not _is_main(book, draft)]
    due = [
        _form(book, name, several, player, in_force)
        for name, several in wagers
        if _reportable(book, several, in_force)
    ]
    return tuple(due), _held(book, drafts, player, [form.wager for form in due])


def _held(book: Rulebook, drafts: Sequence[Draft], player: Player, formed: list[str]) -> int:
    """Hold all winnings of a barred player, and what needs a form of an unidentified one."""
    if player.identified and not player.barred:
        return 0
    held = [
        draft
        for draft in drafts
        if draft.won_cents
        and (player.barred or ("main" if _is_main(book, draft) else draft.spot) in formed)
    ]
    why = "barred" if player.barred else "unidentified"
    for draft in held:
        facts = {"why": why, "won_cents": draft.won_cents}
        draft.reasons.append(Reason("held", book.tax.clause_on("held"), facts))
    return sum(draft.won_cents for draft in held)


def _is_main(book: Rulebook, draft: Draft) -> bool:
    return book.spots[draft.spot].kind == "main"


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
    foreign = player.residence == "foreign"
    held = player.barred or not player.identified
    if held:
        withheld = 0
    elif foreign:
        withheld = times(won, in_force.withhold_foreign)
    elif proceeds > in_force.withhold_over or not player.tin:
        withheld = times(proceeds, in_force.withhold)
    else:
        withheld = 0
    form = book.tax.form_foreign if foreign else book.tax.form_citizen
    about = book.tax.clause_on("form_foreign") if foreign else book.tax.clause_on("form_citizen")
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
