"""What a clause costs: a game's exact price as the clause has it, beside the same game without it,
and beside what other houses' wording of it would come to.

Without a clause something plainer takes its place, and each says what: a hand is paid like the next
one, what loses is a push, nobody folds, a ceiling is gone, every hand of the dealer's counts.
Prices are the player's, as everywhere.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

import msgspec
from msgspec.structs import replace

from pitboss.lab.clause_prices import PRICED, Pricing, by_part
from pitboss.maths.families import family
from pitboss.maths.price import HANDS_PER_HOUR, USUAL_ANTE_CENTS, At
from pitboss.money import Odds
from pitboss.rulebook.base import Cited, codes
from pitboss.rulebook.check import errors
from pitboss.rulebook.deal_script import DecideStep
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.paytable import PayTable, Row
from pitboss.rulebook.rule_card import rule_card
from pitboss.rulebook.rule_card.play import multiple
from pitboss.rulebook.variants import Difference, diff


class WagerWorth(msgspec.Struct, frozen=True):
    """What something is worth to whoever has a wager down."""

    wager: str
    """Its title on the layout."""
    value: Fraction
    """Per unit wagered; of the main game, per ante."""
    stake_cents: int
    """What is wagered at this table: the ante, a side wager's least, the token."""

    @property
    def per_hour_cents(self) -> int:
        """What it comes to in an hour, for one seat."""
        return round(self.value * self.stake_cents * HANDS_PER_HOUR)


class Exchange(msgspec.Struct, frozen=True):
    """Something that could stand in a clause's place, and what the player would gain by it."""

    instead: str
    """In words."""
    gains: tuple[WagerWorth, ...] = ()
    why: str = ""
    """Why there is no number."""


class Wording(msgspec.Struct, frozen=True):
    """How another house words a clause, and what each of its differences would change."""

    rulebook: str
    house: str
    cites: tuple[str, ...]
    exchanges: tuple[Exchange, ...]


class ClauseCost(msgspec.Struct, frozen=True):
    """All that is to be said of a clause's price."""

    clause: str
    says: tuple[str, ...]
    """In sentences."""
    wagers: tuple[WagerWorth, ...]
    """The wagers that the clause sets out, as they are priced."""
    without: tuple[Exchange, ...]
    wordings: tuple[Wording, ...]

    @property
    def moves_no_price(self) -> bool:
        return not (self.wagers or self.without or self.wordings)


def clause_cost(
    book: Rulebook, clause: str, others: Iterable[Rulebook] = (), at: At | None = None
) -> ClauseCost | None:
    """Price a clause of a book, also against books of the same deal; None if it cites no such one.

    >>> from pitboss.rulebook import load
    >>> found = clause_cost(load("diamond-jo-worth/cajun-stud"), "I.2.e")
    >>> [(each.instead, f"{float(each.gains[0].value):+.4%}") for each in found.without]
    [('Flush paid like Straight: 4 to 1', '-1.6399%')]
    """
    says, at = sentences(book, clause), at or At()
    if not says:
        return None
    every = ((o, [d for d in diff(book, o) if _by(d, clause)]) for o in others if alike(book, o))
    wordings = (_wording(book, other, found, at) for other, found in every if found)
    return ClauseCost(
        clause=clause,
        says=says,
        wagers=tuple(_set_out(book, clause, at)),
        without=tuple(_without(book, clause, at)),
        wordings=tuple(each for each in wordings if each.exchanges),
    )


def sentences(book: Rulebook, clause: str) -> tuple[str, ...]:
    """Return what the rule card has of a clause."""
    return tuple(each.sentence for each in rule_card(book).sourced() if clause in each.clauses)


def _by(difference: Difference, clause: str) -> bool:
    """Whether a difference that a price can rest on stands under a clause of the first book's."""
    top = difference.path.partition(".")[0]
    return top in PRICED and clause in codes(difference.clause_ours)


def alike(book: Rulebook, other: Rulebook) -> bool:
    """Whether another book is of the same game: solved alike, with as many cards and wagers."""

    def told(each: Rulebook) -> tuple[object, int, int]:
        main = sum(spot.kind == "main" for spot in each.spot)
        return family(each), each.seat_cards, main

    return other.id != book.id and told(other) == told(book)


def _set_out(book: Rulebook, clause: str, at: At) -> Iterator[WagerWorth]:
    """Price the wagers whose own entry, or whose pay table's, cites the clause."""
    pricing = Pricing(book, book, at)
    for spot in book.spot:
        tables = [book.tables[spot.table]] if spot.table else []
        main = spot.kind == "main"
        if (main and spot.name != book.ante.name) or not _cites(clause, spot, *tables):
            continue
        value = pricing.value(book, spot.name)
        if not isinstance(value, str):
            yield _worth(book, spot.name, value, at)


def _cites(clause: str, *entries: Cited) -> bool:
    return any(clause in codes(each.clause, *each.clauses.values()) for each in entries)


def _without(book: Rulebook, clause: str, at: At) -> Iterator[Exchange]:
    """Price what is plainer than the clause."""
    for cited, instead, changed in plainer(book):
        if not _cites(clause, *cited) or not _is_game(changed):
            continue
        pricing = Pricing(book, changed, at)
        totals = pricing.totals({})
        unknown = [each for total in totals for each in (total.ours, total.theirs)]
        why = next((each for each in unknown if isinstance(each, str)), "")
        gains = ((total.wager, total.change) for total in totals if total.change)
        why = why or pricing.bites_only(changed)
        if totals or why:
            yield Exchange(instead, _worths(book, gains, at), why)


def _is_game(changed: Rulebook) -> bool:
    """Whether a table could run on it, but for what silence counts as where nobody may fold."""
    return all(each.path.endswith(".timeout") for each in errors(changed))


def plainer(book: Rulebook) -> Iterator[tuple[tuple[Cited, ...], str, Rulebook]]:
    """Yield what a book could do without: its entries, what is there instead, the book then."""
    beside = {spot.bonus for spot in book.spot}
    for table in book.table:
        for row, below in pairwise(table.rows):
            if row.worth != below.worth:
                poorer = [_paid_like(each, below) if each is row else each for each in table.rows]
                like = f"paid like {below.label}: {below.pays}"
                if table.name in beside and below.odds == -1:  # what it stands beside is not lost
                    like = f"paid no {table.title}"
                instead = f"{row.label} {like}"
                yield (row,), instead, _with(book, table, poorer)
        *above, last = table.rows
        if last.odds == -1:
            push = replace(last, odds=Odds(0))
            yield (last,), f"{last.label} is a push", _with(book, table, [*above, push])
    for cap in book.cap:
        rest = tuple(each for each in book.cap if each is not cap)
        yield (cap,), "No such payout cap", replace(book, cap=rest)
    if book.qualifier is not None:
        always = replace(book.qualifier, hand="any", of=None, kicker=None)
        spots = tuple(replace(spot, unqualified=None) for spot in book.spot)
        changed = replace(book, qualifier=always, spot=spots)
        yield (book.qualifier,), "Every hand of the dealer's qualifies", changed
        for tie, instead in (("lose", "A tie loses"), ("push", "A tie is a push")):
            changed = replace(book, qualifier=replace(book.qualifier, tie=tie))
            yield (book.qualifier,), instead, changed
    for at, step in enumerate(book.script):
        if isinstance(step, DecideStep):
            yield from _decided_less(book, at, step)


def _decided_less(
    book: Rulebook, at: int, step: DecideStep
) -> Iterator[tuple[tuple[Cited, ...], str, Rulebook]]:
    """Yield what a decision could do without: its larger multiples, a way out."""
    spot = book.spots[step.into]
    less: list[tuple[str, tuple[DecideStep, ...]]] = []
    if len(step.every) > 1:
        times = step.times[:1]
        only = replace(step, times=times, more=() if times else step.more[:1])
        least = multiple(book, replace(step, times=only.every[:1], more=()))
        less.append((f"{least} and no more", (only,)))
    if "fold" in step.otherwise:
        rest = tuple(each for each in step.otherwise if each != "fold")
        less.append(("nobody folds", (replace(step, otherwise=rest),)))
    if "take-back" in step.otherwise:
        less.append(("not taken back", ()))
    for instead, there in less:
        script = (*book.script[:at], *there, *book.script[at + 1 :])
        yield (step, spot), f"{spot.title}: {instead}", replace(book, script=script)


def _with(book: Rulebook, table: PayTable, rows: Sequence[Row]) -> Rulebook:
    """Return a book with other rows in a table."""
    changed = replace(table, rows=tuple(rows))
    tables = tuple(changed if each is table else each for each in book.table)
    return replace(book, table=tables, menu=())


def _paid_like(row: Row, other: Row) -> Row:
    return replace(row, odds=other.odds, meter=other.meter, award=other.award)


def _wording(book: Rulebook, other: Rulebook, found: Sequence[Difference], at: At) -> Wording:
    """Price each difference under the clause; those that stand only together are one."""
    prices = Pricing(book, other, at).prices(found)
    return Wording(
        other.id,
        other.house,
        codes(*(each.clause_theirs for each in found)),
        tuple(
            Exchange(_said(book, part, several), _worths(book, changes.items(), at))
            for part, several in by_part(found, prices).items()
            if (changes := prices[several[0].path].changes)
        ),
    )


def _said(book: Rulebook, part: str, several: Sequence[Difference]) -> str:
    """Say what the other book has in the place of a part of ours."""
    rows = ("" if _row(book, part) else _row(book, each.path) for each in several)
    has = (
        f"{row} {each.theirs}".strip()
        for row, each in zip(rows, several, strict=True)
        if each.theirs is not None
    )
    return f"{_about(book, part)}: {'; '.join(has) or 'none'}"


def _row(book: Rulebook, path: str) -> str:
    """Return the label of the row that a path leads to; empty where it leads to none."""
    top, name, *inside = (*path.split("."), "")
    rows = book.tables[name].rows if top == "table" and name in book.tables else ()
    return next((row.label for row in rows if row.row in inside), "")


def _about(book: Rulebook, part: str) -> str:
    """Say what a part of a book is about, in the words of the layout where it has some."""
    top, *inside = part.split(".")
    name, field = (*inside, "", "")[:2]
    if top == "table" and name in book.tables:
        return ", ".join(filter(None, (book.tables[name].title, _row(book, part))))
    if top == "spot" and name in book.spots:
        return f"{book.spots[name].title} {field}".strip()
    return {"cap": "Payout cap", "script": "The deal"}.get(top, top.capitalize())


def _worths(
    book: Rulebook, gains: Iterable[tuple[str, Fraction | None]], at: At
) -> tuple[WagerWorth, ...]:
    return tuple(_worth(book, wager, gain, at) for wager, gain in gains if gain)


def _worth(book: Rulebook, wager: str, value: Fraction, at: At) -> WagerWorth:
    spot = book.spots[wager]
    least = at.minimum_cents or book.limits.minimum.least(USUAL_ANTE_CENTS)
    usual = at.ante_cents or USUAL_ANTE_CENTS if spot.kind == "main" else spot.least or least
    return WagerWorth(spot.title, value, int(spot.fixed or usual))
