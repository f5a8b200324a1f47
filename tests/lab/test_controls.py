"""Every number that prices a book can be turned, and what comes of it is what the saved book is."""

import json
import random
from fractions import Fraction
from pathlib import Path

import pytest
from msgspec.structs import replace

from pitboss.errors import Unreadable
from pitboss.lab.controls import LAB, controls, edited, tried
from pitboss.lab.questions import SLOW, Experiment, exact, figures
from pitboss.maths import at_hand, same_play, solve, takes_long
from pitboss.maths.price import At
from pitboss.rulebook import Rulebook, ids, load, parse
from pitboss.rulebook.check import errors
from pitboss.rulebook.loader import ranks
from pitboss.rulebook.rule_card import rule_card
from pitboss.rulebook.variants import diff, found_at
from pitboss.rulebook.writer import toml
from tests.command import run
from tests.helpers import DIAMOND_JO, MISSISSIPPI, SENECA

EVERY = [pytest.param(load(name), id=name) for name in ids()]


def drawn(book: Rulebook, seed: int, most: int = 5) -> dict[str, str]:
    """Some changes, each to a step of its control."""
    chance = random.Random(f"{book.id} {seed}")
    several = controls(book)
    return {
        each.path: chance.choice(each.steps)
        for each in chance.sample(several, chance.randint(1, most))
    }


@pytest.mark.parametrize("book", EVERY)
def test_a_control_says_what_the_book_says_and_turns_both_ways(book: Rulebook) -> None:
    found = controls(book)
    assert len({each.path for each in found}) == len(found)
    for each in found:
        assert each.posted in each.steps, each.path
        assert len({*each.steps}) == len(each.steps) > 1, each.path
        assert each.clause, each.path
        assert each.title
    assert edited(book, {each.path: each.posted for each in found}) is book


@pytest.mark.parametrize("book", EVERY)
def test_every_row_that_pays_and_every_multiple_has_its_control(book: Rulebook) -> None:
    paths = {each.path for each in controls(book)}
    paid = {
        f"table.{table.name}.rows.{row.row}"
        for table in book.table
        for row in table.rows
        if row.odds != -1 or row.award or row.meter
    }
    assert paid <= {path.rpartition(".")[0] for path in paths}
    streets = {f"script.{at}.times" for at, each in enumerate(book.script) if each in book.streets}
    assert {each for each in streets if found_at(book, each)} <= paths
    assert {f"cap.{at}.most" for at, _ in enumerate(book.cap)} <= paths
    assert ("qualifier.hand" in paths) is (book.qualifier is not None)


@pytest.mark.parametrize("book", EVERY)
def test_a_variant_stands_as_a_file_and_claims_nothing_of_the_document(book: Rulebook) -> None:
    for seed in range(4):
        trial = tried(book, drawn(book, seed))
        assert not errors(trial.book)
        assert parse(toml(trial.book, says="for a test")).sha256 == trial.book.sha256
        if not trial.taken:
            assert trial.book is book
            continue
        assert trial.book.id.startswith(f"{book.id}-variant-")
        assert trial.book.house != book.house
        assert trial.book.document != book.document
        # What differs in a rule that is priced cites the lab; everything else cites what it did.
        names = {each.partition(".")[0] for each in trial.taken}
        for each in diff(book, trial.book):
            top = each.path.partition(".")[0]
            inside = any(path.startswith(f"{each.path}.more.") for path in trial.taken)
            if top in names and each.theirs is not None and top != "rounding" and not inside:
                assert each.clause_theirs == LAB, each.path
            elif top not in {*names, "house", "notice", "menu", "rounding"}:
                raise AssertionError(f"{each.path} was not asked for")
        card = rule_card(trial.book)
        assert card.sha256 == trial.book.sha256
        posted, now = dict.fromkeys(book.citations()), dict.fromkeys(trial.book.citations())
        lost = {cited for _, cited in posted} - {cited for _, cited in now}
        assert len(lost) <= 3 * len(trial.taken), "clauses of what was not changed are cited on"


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("book", [MISSISSIPPI, DIAMOND_JO, SENECA], ids=lambda book: book.id)
def test_the_lab_has_the_numbers_of_par_for_the_saved_book(
    book: Rulebook, seed: int, tmp_path: Path
) -> None:
    chance = random.Random(seed)
    ante = chance.choice([None, 5_00, 25_00, 100_00])
    at = At(ante_cents=ante, meter_cents=chance.choice([None, 123_456_00]))
    found = figures(book, Experiment(drawn(book, seed), at))
    file = tmp_path / "saved.toml"
    file.write_text(toml(tried(book, drawn(book, seed)).book), "utf-8")
    checked = run("rules", "check", str(file))
    assert (checked.code, ": ok: " in checked.out) == (0, True)
    stake = [] if ante is None else ["--ante", str(ante // 100)]
    if book.progressive is not None:
        meter = at.meter(load(str(file)))
        stake += ["--meter", str(meter // 100)]
    told = json.loads(run("par", str(file), "--json", *stake).out)
    assert found.par is not None
    assert json.loads(json.dumps(found.par)) == told
    assert found.sha256 == told["sha256"]
    value = Fraction(told["main"]["value"])
    assert abs(sum(each.back for each in found.events) - float(value)) < 1e-12


@pytest.mark.parametrize(
    ("book", "path", "written", "said"),
    [
        (MISSISSIPPI, "table.main.rows.flush.odds", "lots", "is not odds; write 3 to 2"),
        (MISSISSIPPI, "table.main.rows.flush.odds", "9" * 500, "longer than any value"),
        (MISSISSIPPI, "table.main.rows.no-such.odds", "1 to 1", "has no 'table.main.rows.no-such"),
        (MISSISSIPPI, "id", "x/y", "has no 'id' that could be changed"),
        (MISSISSIPPI, "script.2.times", "0, 2", "are no multiples; write whole antes"),
        (MISSISSIPPI, "script.2.times", "3, 2", "multiples are whole, at least 1, in rising"),
        (MISSISSIPPI, "table.main.rows.sixes-to-tens.of", "A-2", "runs downwards"),
        (SENECA, "qualifier.hand", "a good one", "no hand is a 'a-good-one' like that"),
        (SENECA, "qualifier.tie", "maybe", "is none of lose, push or win"),
        (SENECA, "cap.0.most", "a million", "is not money; write it such as"),
        (SENECA, "table.progressive.rows.royal-flush.meter", "170%", "more than the whole"),
    ],
)
def test_what_cannot_be_taken_says_what_would_be_right_at_its_control(
    book: Rulebook, path: str, written: str, said: str
) -> None:
    with pytest.raises(Unreadable) as told:
        edited(book, {path: written})
    assert said in told.value.message
    assert told.value.place == path
    # The others are taken all the same.
    good = next(each for each in controls(book) if each.path != path)
    step = next(each for each in good.steps[1:] if each != good.posted)
    trial = tried(book, {path: written, good.path: step})
    assert [*trial.refused] == [path]
    assert [*trial.taken] == [good.path]


def test_a_qualifier_and_a_push_range_are_turned_in_words() -> None:
    pairs = edited(SENECA, {"qualifier.hand": "pair 4"}).qualifier
    assert pairs is not None
    assert (pairs.hand, str(pairs.of), pairs.kicker) == ("pair", "4", None)
    wider = edited(MISSISSIPPI, {"table.main.rows.sixes-to-tens.of": "2-10"})
    row = next(each for each in wider.tables["main"].rows if each.row == "sixes-to-tens")
    assert (str(row.of), row.label, row.clause) == ("2-T", "Pair 2-10", LAB)

    # A pair of twos to fives that pushes is worth more than one that loses.
    def value(book: Rulebook) -> float:
        par = figures(book, Experiment()).par
        assert par is not None
        return -float(par["main"]["house_edge"])

    assert value(wider) > value(MISSISSIPPI)


def test_a_qualifier_that_is_written_as_a_range_is_turned_from_where_it_begins() -> None:
    assert SENECA.qualifier is not None
    for of, kicker, hand in (("A", "J-K", "high card A-J"), ("10-A", "", "high card 10")):
        least = {"of": ranks(of), "kicker": ranks(kicker) if kicker else None}
        book = replace(SENECA, qualifier=replace(SENECA.qualifier, **least))
        found = next(each for each in controls(book) if each.path == "qualifier.hand")
        assert (found.posted, found.steps.count(hand)) == (hand, 1)
        assert edited(book, {"qualifier.hand": hand}) is book


def test_a_game_that_takes_minutes_is_bounded_by_the_play_of_the_posted_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A quick game stands for a slow one: at hand is then only what was posted."""
    book = load("common/three-card-poker")
    assert not takes_long(book)
    changes: dict[str, str] = {}
    for more in (
        {"table.ante-bonus.rows.straight.odds": "4 to 1", "spot.play.odds": "1 to 2"},
        {"qualifier.hand": "high card J"},
        {"script.1.times": "2, 3"},
    ):
        changes |= more
        whole = exact(book, Experiment(changes))
        with monkeypatch.context() as slow:
            slow.setattr("pitboss.lab.questions.at_hand", lambda each, *_: each.id == book.id)
            bound = figures(book, Experiment(changes))
        assert (bound.bound, whole.bound, bound.why) == (True, False, SLOW)
        assert bound.par is not None
        assert whole.par is not None
        assert bound.par["same_play"] is True
        at_least, best = (Fraction(each["main"]["value"]) for each in (bound.par, whole.par))
        assert at_least < best
    monkeypatch.setattr("pitboss.lab.questions.at_hand", lambda *_: False)
    assert figures(book, Experiment(changes)).par is None
    assert "up to a minute" in figures(book, Experiment(changes)).why


FLUSHES = load("common/high-card-flush")


def test_a_bound_stands_on_the_play_without_an_ante_whatever_the_table() -> None:
    """Where cents are rounded or ceilings bite, the posted rules were never worked out."""
    posted = edited(FLUSHES, {"spot.ante.odds": "6 to 5"})
    solution = solve(posted)
    assert not at_hand(posted, 7_13)
    for changes in ({}, {"spot.raise.odds": "2 to 1"}, {"qualifier.hand": "three card flush 8"}):
        bound = figures(posted, Experiment(changes, At(ante_cents=7_13)))
        assert bound.bound
        assert bound.par is not None
        book = edited(posted, changes)
        played = same_play(solution, book, (7_13, None))
        assert Fraction(bound.par["main"]["value"]) == played.value
        assert played.value != same_play(solution, book).value, "cents are rounded"


def test_an_exact_price_is_told_where_nothing_can_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path / "file"))
    changes = {"spot.raise.odds": "3 to 1"}
    found = exact(FLUSHES, Experiment(changes))
    assert found.par is not None
    assert (found.bound, found.why) == (False, "")
