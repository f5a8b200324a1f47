"""Which winnings need a form, what is withheld, and what is held back."""

import datetime
import tomllib
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path

import msgspec

from pitboss.errors import Unreadable
from pitboss.money import Cents, Percent, split, times
from pitboss.rulebook.base import Strict
from pitboss.rulebook.loader import convert
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.money_rules import Tax
from pitboss.settle.finished_round import Player, Share
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


class TaxedWager(msgspec.Struct, frozen=True):
    """What decides whether a wager's winnings need a form: the main wagers are one."""

    won_cents: int
    staked_cents: int
    dropped_cents: int = 0
    """A stake that did not go back beside the winnings: it is no part of the proceeds."""


def reportable(rule: Tax, wager: TaxedWager, date: datetime.date | None) -> bool:
    """Whether a form is due on a day for what was won."""
    won = wager.won_cents
    return (
        won >= figures(date).floor
        and (rule.over is None or won > rule.over)
        and won >= rule.at_least_times * wager.staked_cents
    )


def withheld(
    wager: TaxedWager, share: TaxedWager, winner: Player | Share, date: datetime.date | None
) -> int:
    """Return what is withheld of somebody's share of a wager that needs a form."""
    in_force = figures(date)
    if winner.residence == "foreign":
        return times(share.won_cents, in_force.withhold_foreign)
    # Winnings less the wager: a stake that goes back was never part of the winnings, a token that
    # drops was.
    if wager.won_cents - wager.dropped_cents > in_force.withhold_over or not winner.tin:
        return times(max(0, share.won_cents - share.dropped_cents), in_force.withhold)
    return 0


def form_for(rule: Tax, winner: Player | Share) -> tuple[str, str]:
    """Return the form for somebody, and what says so."""
    foreign = winner.residence == "foreign"
    about = rule.clause_on("form_foreign" if foreign else "form_citizen")
    clause = f"{rule.cited}, {about}" if about else rule.cited
    return rule.form_foreign if foreign else rule.form_citizen, clause


def forms(
    book: Rulebook, drafts: Sequence[Draft], player: Player, date: datetime.date | None
) -> tuple[tuple[Form, ...], int]:
    """Return the forms that a player's winnings need, and how much of the winnings is held.

    Of a barred player all winnings are held, of an unidentified one what needs a form.
    """
    wagers: dict[str, list[Draft]] = {}
    for draft in drafts:  # the main wagers are one
        main = book.is_main(draft.spot)
        wagers.setdefault("main" if main else draft.spot, []).append(draft)
    due = {
        name: _forms(book, name, several, player, date)
        for name, several in wagers.items()
        if reportable(book.tax, _wager(several), date)
    }
    held = []
    if player.barred or not player.identified:
        names = wagers if player.barred else due
        held = [draft for name in names for draft in wagers[name] if draft.won_cents]
    why = "barred" if player.barred else "unidentified"
    for draft in held:
        facts = {"why": why, "won_cents": draft.won_cents}
        draft.reasons.append(Reason("held", book.tax.clause_on("held"), facts))
    found = tuple(form for several in due.values() for form in several)
    return found, sum(draft.won_cents for draft in held)


def _wager(wager: Sequence[Draft]) -> TaxedWager:
    return TaxedWager(
        sum(draft.won_cents for draft in wager),
        sum(draft.stake_cents for draft in wager),
        sum(draft.stake_cents for draft in wager if not draft.returns_stake),
    )


def shares(wager: TaxedWager, shared: Sequence[Share]) -> list[TaxedWager]:
    """Divide what was won and wagered among those who win together."""
    parts = [Fraction(each.parts) for each in shared]
    divided = (split(getattr(wager, name), parts) for name in wager.__struct_fields__)
    return [TaxedWager(*each) for each in zip(*divided, strict=True)]


def _forms(
    book: Rulebook,
    name: str,
    drafts: Sequence[Draft],
    player: Player,
    date: datetime.date | None,
) -> list[Form]:
    wager = _wager(drafts)
    winners: Sequence[Player | Share] = player.shared or (player,)
    divided = shares(wager, player.shared) if player.shared else [wager]
    keeps = player.barred or not player.identified  # nothing is withheld of what is held
    paid = next(draft for draft in drafts if draft.won_cents)
    found = []
    for number, (winner, share) in enumerate(zip(winners, divided, strict=True), start=1):
        form, clause = form_for(book.tax, winner)
        kept_back = 0 if keeps else withheld(wager, share, winner, date)
        facts = {
            "form": form,
            "won_cents": share.won_cents,
            "floor_cents": int(figures(date).floor),
            "times": book.tax.at_least_times,
            "withheld_cents": kept_back,
        }
        paid.reasons.append(Reason("form", clause, facts))
        found.append(
            Form(
                form=form,
                wager=name,
                reportable_cents=share.won_cents,
                withheld_cents=kept_back,
                clause=clause,
                staked_cents=share.staked_cents,
                winner=number if player.shared else 0,
            )
        )
    return found
