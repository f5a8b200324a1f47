"""A regulator's submission: rules, examples, odds, layout, equipment and tests in one bundle.

Nothing in it depends on the day, the machine or chance: the same rules give the same bytes.
"""

import csv
import hashlib
import io
import itertools
import json
from collections.abc import Mapping
from functools import reduce
from typing import Any

import msgspec

from pitboss.hands import ranking
from pitboss.lab.papers.archive import packed
from pitboss.lab.papers.clause_tests import clause_tests
from pitboss.lab.papers.equipment import equipment
from pitboss.lab.papers.examples_paper import examples_paper, file_name
from pitboss.lab.papers.layout_drawing import layout_paper, layout_svg
from pitboss.lab.papers.par_paper import named, paper, percent
from pitboss.lab.papers.par_workbook import priced_at, workbook
from pitboss.lab.papers.rules_paper import rules_paper
from pitboss.lab.papers.typesetting import typeset
from pitboss.lab.papers.worked_examples import RULEBOOK_FILE, worked_examples
from pitboss.lab.random_deals import decks
from pitboss.lab.report import Report, as_json
from pitboss.lab.shuffle_tests import CONFIDENCE, DeckCounts, Verdict, add, count, judge
from pitboss.maths.price import ratio
from pitboss.rulebook.check import check
from pitboss.rulebook.model import Rulebook
from pitboss.settle.file import settlement_json
from pitboss.wording import capital

TEMPLATE = "lab/papers/submission.typ"
SUMS = "SHA256SUMS"
DEALS, PART = 100_000, 10_000
"""Decks of the shuffle tests, and how many are looked at in one go."""

_SAYS = {
    RULEBOOK_FILE: "the rules as data, which all of this follows from",
    "rules.pdf": "rules of play, clause by clause",
    "examples.pdf": "rounds that were settled, every line with its clause",
    "par.pdf": "par sheet: outcomes, odds, house edge, best play",
    "par.xlsx": "the same, with formulas that work it out from the counts",
    "par.json": "the same, for programs",
    "layout.pdf": "the layout of the table",
    "layout.svg": "the same drawing",
    "shuffle-tests.json": "statistics of the shuffle",
    "clause-tests.csv": "clauses and the tests that fail without them",
}


def submission(source: str, made: Report) -> dict[str, bytes]:
    """Return every file of a submission by its name; ``source`` is the rulebook's own text."""
    book = made.solution.book
    examples, missing = worked_examples(book)
    verdict = shuffle_verdict(book)
    files = {
        RULEBOOK_FILE: source.encode(),
        "rules.pdf": rules_paper(book),
        "examples.pdf": examples_paper(book, examples, missing),
        "par.pdf": paper(made),
        "par.xlsx": workbook(made),
        "par.json": _json(as_json(made)),
        "layout.pdf": layout_paper(book),
        "layout.svg": layout_svg(book).encode(),
        "shuffle-tests.json": _json(
            {"deals": verdict.deals, "confidence": CONFIDENCE, "needed_p": verdict.needed}
            | {"fair": verdict.fair, "tests": msgspec.to_builtins(verdict.results)}
        ),
    }
    if clause_tests(book):
        files["clause-tests.csv"] = _matrix(book)
    for number, each in enumerate(examples, start=1):
        name = file_name(number, each)
        files[name] = _json(each.file)
        settled = name.replace(".json", "-settled.json")
        files[settled] = _json(settlement_json(book, each.settlement))
    files = {"submission.pdf": typeset(TEMPLATE, _cover(made, files, verdict)), **files}
    sums = "".join(f"{_sha256(written)}  {name}\n" for name, written in files.items())
    return {**files, SUMS: sums.encode()}


def bundle(files: Mapping[str, bytes]) -> bytes:
    """Pack a submission."""
    return packed(files)


def shuffle_verdict(book: Rulebook) -> Verdict:
    """Test the shuffle on bytes that follow from the rulebook's hash: anybody can make them."""

    def part(number: int) -> DeckCounts:
        blocks = itertools.count()

        def stream(size: int) -> bytes:
            named_ = f"{book.sha256} shuffle {number} {next(blocks)}"
            return hashlib.shake_256(named_.encode()).digest(size)

        return count(decks(stream, PART))

    return judge(reduce(add, map(part, range(DEALS // PART))))


def _cover(made: Report, files: Mapping[str, bytes], verdict: Verdict) -> dict[str, Any]:
    book = made.solution.book
    told = [
        (name, _SAYS[name], _sha256(written)[:16])
        for name, written in files.items()
        if name in _SAYS
    ]
    examples = [name for name in files if name.startswith("examples/")]
    each = "each round for pitboss settle, and what comes of it"
    told.append((f"examples/, {len(examples)} files", each, ""))
    return {
        **named(book),
        "stake": priced_at(made),
        "wagers": _wagers(made),
        "files": told,
        "equipment": [msgspec.to_builtins(thing) for thing in equipment(book)],
        "proof": _proof(book),
        "shuffle": {
            "says": (
                f"{verdict.deals:,} decks, shuffled as a live table does it, with bytes that"
                " SHAKE-256 makes of the rulebook's hash, so that anybody gets the same ones."
                " A live table takes its bytes from the operating system; pitboss shuffle-test"
                " looks at those."
            ),
            "rows": [
                (
                    test.test,
                    test.what,
                    f"{test.statistic:,.1f}",
                    f"{test.freedom:,}",
                    f"{test.p:.4f}",
                    "fair" if test.fair else "FAILED",
                )
                for test in verdict.results
            ],
            "verdict": (
                f"{len(verdict.results) - len(verdict.failed)} of {len(verdict.results)} tests"
                f" passed. A fair shuffle passes all of them {CONFIDENCE:.0%} of the time:"
                f" each p is at least {verdict.needed:.5f}."
            ),
        },
        "clauses": [
            {"clause": row.clause, "says": row.says, "kind": row.kind, "tests": row.tests}
            for row in clause_tests(book)
        ],
    }


def _wagers(made: Report) -> list[tuple[str, str, str, str]]:
    """Return what the house keeps of each wager, and of what it is a part."""
    solution, book = made.solution, made.solution.book
    figures = solution.statistics
    ante, edge = book.ante.title, solution.value
    found = [
        (f"The game, by its {ante}", percent(-edge), ratio(-edge), f"of the {ante}"),
        (
            "The game, by all that is wagered on it",
            percent(figures.element_of_risk),
            ratio(figures.element_of_risk),
            "of every main wager",
        ),
    ]
    for side in made.sides:
        title = book.spots[side.spot].title
        found.append((title, percent(-side.value), ratio(-side.value), "of the wager"))
    if made.jackpot is not None and book.progressive is not None:
        meter = int(book.progressive.reseed) if made.meter_cents is None else made.meter_cents
        keeps = 1 - made.jackpot.at(meter)
        title = book.spots[book.progressive.spot].title
        at = f"of the token, at a meter of {book.money(meter)}"
        found.append((title, percent(keeps), ratio(keeps), at))
    return found


def _proof(book: Rulebook) -> list[str]:
    """Say what is proved of the book: no gap, no hand that two rows would pay."""
    said = [
        f"{table.title}: each of {len(ranking(table.ranking).classes):,} classes of hands reaches"
        " exactly one row."
        for table in book.table
    ]
    said.append(f"A full table of {book.seats.most} takes {book.cards_needed} of 52 cards.")
    return said + [f"{capital(each.level)}: {each.path}: {each.message}." for each in check(book)]


def _matrix(book: Rulebook) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(("clause", "what it says", "class", "tests"))
    for row in clause_tests(book):
        writer.writerow((row.clause, row.says, row.kind, " ".join(row.tests)))
    return out.getvalue().encode()


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=2, default=str) + "\n").encode()


def _sha256(written: bytes) -> str:
    return hashlib.sha256(written).hexdigest()
