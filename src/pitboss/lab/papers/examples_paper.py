"""Worked examples as PDF: the cards, the wagers, and every line with its clause and arithmetic."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from pitboss.lab.papers.par_paper import named
from pitboss.lab.papers.typesetting import typeset
from pitboss.lab.papers.worked_examples import MOST_DEALS, WorkedExample
from pitboss.rulebook.base import codes
from pitboss.rulebook.deal_script import SEATS
from pitboss.rulebook.model import Rulebook
from pitboss.settle.approvals import label
from pitboss.settle.explain import told
from pitboss.settle.file.format import key
from pitboss.settle.lines import Line, SeatSettlement
from pitboss.wording import TIMES, capital, listed, spaced

TEMPLATE = "lab/papers/examples.typ"


def examples_paper(
    book: Rulebook, examples: Sequence[WorkedExample], missing: Sequence[str]
) -> bytes:
    """Set worked examples; what was looked for and not found is named."""
    values = {
        **named(book),
        "examples": [_example(book, number, each) for number, each in enumerate(examples, 1)],
        "missing": [*missing],
        "looked": MOST_DEALS,
    }
    return typeset(TEMPLATE, values)


def file_name(number: int, example: WorkedExample) -> str:
    """Name the file of an example in the bundle."""
    return f"examples/{number:02}-{example.name}.json"


def _example(book: Rulebook, number: int, example: WorkedExample) -> dict[str, Any]:
    file, done = example.file, example.settlement
    places = [place for place in book.dealt if place != SEATS]
    besides = []
    if done.meter_after_cents is not None:
        besides.append(f"The meter stands at {book.money(done.meter_after_cents)} afterwards.")
    if done.notify:
        besides.append(f"Told within the gaming day: {listed(map(spaced, done.notify))}.")
    meter = f", meter {file['meter']}" if "meter" in file else ""
    seats = zip(file["seat"], done.seats, strict=True)
    return {
        "title": example.title,
        "shows": example.shows,
        "file": file_name(number, example),
        "limits": f"Posted limits {file['minimum']} to {file['maximum']}{meter}",
        "piles": [(capital(book.place_name(place)), file[key(place)].split()) for place in places],
        "seats": [_seat(book, played, settled) for played, settled in seats],
        "besides": besides,
    }


def _seat(book: Rulebook, played: dict[str, Any], settled: SeatSettlement) -> dict[str, Any]:
    besides = []
    if settled.approvals:
        besides.append(f"Before it is paid: {listed(spaced(label(a)) for a in settled.approvals)}.")
    besides += [
        f"Form {form.form}: {book.money(form.reportable_cents)} reportable,"
        f" {book.money(form.withheld_cents)} withheld [{form.clause}]."
        for form in settled.forms
    ]
    staked, back = settled.staked_cents, settled.returned_cents
    return {
        "title": f"Seat {settled.seat}" + (f": {settled.hand}" if settled.hand else ""),
        "cards": played["cards"].split(),
        "plays": f"Decisions: {', '.join(_decisions(played['raises']))}.",
        "lines": [
            {
                "title": book.wager_name(line.spot),
                "stake": book.money(line.stake_cents),
                "outcome": line.outcome,
                "odds": "" if line.odds is None else str(line.odds),
                "reasons": [_reason(book, line, at) for at in range(len(line.reasons))],
                "sum": _sum(book, line),
                "back": book.money(line.returned_cents),
            }
            for line in settled.lines
        ],
        "together": (
            f"Put down {book.money(staked)}, back {book.money(back)}: {book.signed(back - staked)}"
        ),
        "besides": besides,
    }


def _decisions(raises: Sequence[int | str]) -> Iterator[str]:
    for each in raises:
        yield f"raise {each}{TIMES}" if isinstance(each, int) and each else spaced(str(each))


def _reason(book: Rulebook, line: Line, at: int) -> tuple[str, list[str]]:
    says, clauses = told(book, line.reasons[at])
    return f"{says}.", [*codes(clauses)]


def _sum(book: Rulebook, line: Line) -> str:
    """Write a line's arithmetic: stake times odds is what it wins, and with the stake what goes
    back."""
    money = book.money
    parts = []
    others = [each.facts["won_cents"] for each in line.reasons if each.code == "others"]
    own = line.nominal_cents - sum(others)
    if line.odds is not None and line.odds > 0:
        on = Fraction(own) / line.odds if not line.stake_cents else line.stake_cents
        equals = "=" if on * line.odds == own else "rounded to a cent,"
        parts.append(f"{money(int(on))} {TIMES} {line.odds} {equals} {money(own)}")
    if others:
        added = " + ".join(map(money, [own, *others] if own else others))
        parts.append(f"{added} = {money(line.nominal_cents)}" if own or len(others) > 1 else added)
    if line.won_cents != line.nominal_cents:
        parts.append(f"paid {money(line.won_cents)}")
    stake = line.returned_cents - line.won_cents
    if stake and line.won_cents:
        back = money(line.returned_cents)
        parts.append(f"{money(stake)} + {money(line.won_cents)} = {back} back")
    elif not line.returned_cents:
        parts.append(f"{money(line.stake_cents)} lost")
    elif stake:
        parts.append(f"{money(stake)} back")
    return "; ".join(parts)
