"""A regulator's bundle: whole, settled by the rules that are in it, and the same on every run."""

import csv
import hashlib
import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pitboss import rulebook
from pitboss.cards import cards
from pitboss.lab.papers import submission as bundles
from pitboss.lab.papers.clause_tests import FILE, clause_tests
from pitboss.lab.papers.equipment import equipment
from pitboss.lab.papers.examples_paper import examples_paper
from pitboss.lab.papers.layout_drawing import layout_svg
from pitboss.lab.papers.worked_examples import KINDS, applies, worked_examples
from pitboss.rulebook import Rulebook, ids, load
from pitboss.rulebook.loader import source
from pitboss.settle.file import settle_file
from pitboss.wording import TIMES
from tests.command import complaint, run
from tests.docs.pages import DOCS
from tests.helpers import DIAMOND_JO, HOLLYWOOD, LET_IT_RIDE, MISSISSIPPI, SENECA
from tests.pdf import words_of
from tools import clause_tests as tool

ALL = [load(each) for each in ids()]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle that was written by the command, and unpacked."""
    folder = tmp_path_factory.mktemp("bundle")
    ran = run("submission", SENECA.id, str(folder / "out.zip"), "--ante", "100", "--json")
    told = ran.json
    written = (folder / "out.zip").read_bytes()
    assert told["sha256"] == hashlib.sha256(written).hexdigest()
    with zipfile.ZipFile(io.BytesIO(written)) as archive:
        assert archive.testzip() is None
        assert told["files"] == {each.filename: each.file_size for each in archive.infolist()}
        archive.extractall(folder / "in")
    return folder / "in"


def test_every_file_is_what_the_sums_say(opened):
    listed = [line.split("  ") for line in (opened / "SHA256SUMS").read_text().splitlines()]
    there = [each for each in opened.rglob("*") if each.is_file()]
    names = {each.relative_to(opened).as_posix() for each in there} - {"SHA256SUMS"}
    assert {name for _, name in listed} == names
    for sha256, name in listed:
        assert hashlib.sha256((opened / name).read_bytes()).hexdigest() == sha256
    cover = words_of((opened / "submission.pdf").read_bytes())
    for sha256, name in listed:
        if "/" not in name and name != "submission.pdf":
            assert sha256[:16] in cover, name
    assert SENECA.sha256 in cover


def test_a_second_process_with_other_surroundings_writes_the_same_bytes(tmp_path):
    command = [sys.executable, "-P", "-m", "pitboss", "submission", DIAMOND_JO.id]
    found = []
    for seed, zone, language in (("1", "UTC", "C"), ("2", "Asia/Tokyo", "de_DE.UTF-8")):
        other = {"PYTHONHASHSEED": seed, "TZ": zone, "LANG": language, "LC_ALL": language}
        out = tmp_path / f"{seed}.zip"
        subprocess.run([*command, out], env=os.environ | other, check=True, capture_output=True)
        found.append(out.read_bytes())
    assert found[0] == found[1]


def test_the_rules_in_it_are_the_rules(opened):
    again = rulebook.load(str(opened / "rulebook.toml"))
    assert again.sha256 == SENECA.sha256
    par = json.loads((opened / "par.json").read_text())
    assert par == run("par", SENECA.id, "--ante", "100", "--full", "--json").json
    assert words_of((opened / "par.pdf").read_bytes())
    assert words_of((opened / "layout.pdf").read_bytes())


def test_every_example_is_settled_as_it_says(opened, monkeypatch):
    monkeypatch.chdir(opened)
    files = [each for each in sorted(opened.glob("examples/*")) if "settled" not in each.name]
    assert len(files) == 7
    paper = words_of((opened / "examples.pdf").read_bytes())
    for path in files:
        name = path.relative_to(opened).as_posix()
        settled = run("settle", name, "--json").json
        written = path.with_name(path.name.replace(".json", "-settled.json"))
        assert json.loads(written.read_text()) == settled
        assert name in paper
        book, done = settle_file(path.read_text(), name)
        for seat in done.seats:
            for line in seat.lines:
                assert book.wager_name(line.spot) in paper
                assert book.money(line.returned_cents) in paper
        for seat in settled["seats"]:
            for line in seat["lines"]:
                for reason in line["reasons"]:
                    says, _, clauses = reason.partition(" [")
                    assert f"{says}. {clauses.removesuffix(']')}" in paper


@pytest.mark.parametrize("book", ALL, ids=lambda book: book.id)
def test_a_book_has_an_example_of_all_that_it_has(book: Rulebook):
    found, missing = worked_examples(book)
    assert not missing
    assert [each.name for each in found] == [
        kind.name for kind in KINDS if applies(book, kind.name)
    ]
    for each in found:
        held = [each.file[key] for key in each.file if key in ("board", "dealer", "flop")]
        held += [seat["cards"] for seat in each.file["seat"]]
        cards(" ".join(held))  # no card twice
        assert each.settlement.sha256 == book.sha256


def test_examples_show_what_they_are_called():
    found = {each.name: each.settlement for each in worked_examples(DIAMOND_JO)[0]}
    assert found["win"].seats[0].won_cents > 0
    assert found["loss"].seats[0].hand
    capped = found["cap"]
    assert len(capped.seats) == 2
    assert sum(seat.won_cents for seat in capped.seats) == capped.cap_cents
    shares = [seat.won_cents for seat in capped.seats]
    claims = [sum(line.nominal_cents for line in seat.lines) for seat in capped.seats]
    exact = [capped.cap_cents * claim / sum(claims) for claim in claims if capped.cap_cents]
    assert all(abs(share - part) < 1 for share, part in zip(shares, exact, strict=True))
    tied = {each.name: each.settlement for each in worked_examples(SENECA)[0]}
    assert [line.outcome for line in tied["push"].seats[0].lines][:2] == ["push", "push"]
    assert tied["not-qualifying"].seats[0].lines[1].outcome == "push"
    rule = SENECA.progressive
    assert rule is not None
    assert tied["progressive"].meter_after_cents != rule.reseed


def test_what_a_game_has_of_its_own_has_an_example():
    [back] = [each for each in worked_examples(LET_IT_RIDE)[0] if each.name == "taken-back"]
    [seat] = back.settlement.seats
    assert [line.spot for line in seat.lines][:2] == ["bet-2", "bet-3"], "bet 1 is back"
    envy = load("common/caribbean-stud-envy")
    [shared] = [each for each in worked_examples(envy)[0] if each.name == "others"]
    won = [line for line in shared.settlement.seats[1].lines if line.won_cents]
    assert "others" in [reason.code for line in won for reason in line.reasons]
    paper = words_of(examples_paper(envy, [shared], ()))
    own = f"$5 {TIMES} 1000 for 1 = $4,995"
    assert f"{own}; $4,995 + $300 = $5,295; $5 + $5,295 = $5,300 back" in paper
    assert "rounded" not in paper


@pytest.mark.parametrize("book", [DIAMOND_JO, HOLLYWOOD, SENECA], ids=lambda book: book.id)
def test_the_layout_has_every_seat_and_wager_on_the_felt(book: Rulebook):
    svg = ElementTree.fromstring(layout_svg(book))
    every = [each for each in svg.iter() if each.tag.endswith("}text")]
    texts = [each.text for each in every if each.get("fill") != "#8a6412"]  # as clauses are
    for spot in book.spot:
        assert spot.title in texts
    places = range(1, len(book.spot) + 1)
    seats = range(1, book.seats.most + 1)
    for number in {*map(str, places), *map(str, seats)}:
        marks = (int(number) in places) * (len(seats) + 1)
        assert texts.count(number) == marks + (int(number) in seats)
    for each in svg.iter():
        for x in (each.get("cx"), each.get("x")):
            assert x is None or 0 <= float(x) <= 1000


def test_equipment_follows_the_book():
    def things(book: Rulebook) -> dict[str, str]:
        return {each.what: each.says for each in equipment(book)}

    assert things(DIAMOND_JO)["Cards"].startswith("One deck of 52 cards; with a shuffler two decks")
    assert "approved" in things(DIAMOND_JO)["Shuffler"]
    assert "Meter" not in things(DIAMOND_JO)
    assert "payout cap" in things(DIAMOND_JO)["Sign"]
    assert "payout cap" not in things(MISSISSIPPI)["Sign"], "it has none"
    assert "$10,000" in things(SENECA)["Meter"]
    assert "Shuffler" not in things(SENECA)


def test_the_shuffle_is_fair_and_its_decks_follow_from_the_rules(opened, monkeypatch):
    told = json.loads((opened / "shuffle-tests.json").read_text())
    assert told["fair"]
    assert told["deals"] == 100_000
    cover = words_of((opened / "submission.pdf").read_bytes())
    for test in told["tests"]:
        assert f"{test['test']} {test['what']} {test['statistic']:,.1f}" in cover
    monkeypatch.setattr(bundles, "DEALS", 10_000)
    one, other = map(bundles.shuffle_verdict, (SENECA, MISSISSIPPI))
    assert one == bundles.shuffle_verdict(SENECA)
    assert one != other


# Clauses and tests ------------------------------------------------------------------------------


def test_the_matrix_is_what_the_page_says():
    made = tool.made(DOCS["coverage.md"])
    assert FILE.read_text("utf-8") == made, "run python -m tools.clause_tests"
    assert {each: len(rows) for each, rows in json.loads(made).items()}.keys() == {*ids()}


def test_every_cited_clause_is_in_the_matrix_and_on_the_cover(opened):
    rows = clause_tests(SENECA)
    with (opened / "clause-tests.csv").open(newline="") as file:
        assert [row[0] for row in csv.reader(file)][1:] == [row.clause for row in rows]
    clauses = {each for _, each in SENECA.citations() if not each.startswith("R")}
    assert clauses <= {row.clause for row in rows}
    cover = words_of((opened / "submission.pdf").read_bytes()).replace("\N{ZERO WIDTH SPACE}", "")
    for row in rows:
        assert all(test in cover.replace(" ", "") for test in row.tests)


def test_rules_that_nobody_here_tested_say_so(tmp_path):
    text = source(MISSISSIPPI.id).replace(MISSISSIPPI.house, "My house")
    (tmp_path / "mine.toml").write_text(text, "utf-8")
    out = tmp_path / "out.zip"
    said = run("submission", str(tmp_path / "mine.toml"), str(out)).out
    assert "sha256" in said
    with zipfile.ZipFile(out) as archive:
        assert "clause-tests.csv" not in archive.namelist()
        assert archive.read("rulebook.toml").decode() == text
        assert "none of its tests is about their clauses" in words_of(
            archive.read("submission.pdf")
        )


def test_what_cannot_be_written_is_refused_in_a_line(tmp_path):
    assert "no rulebook" in complaint("submission", "no/such", str(tmp_path / "a.zip"))
    where = str(tmp_path / "no" / "a.zip")
    assert "cannot write" in complaint("submission", MISSISSIPPI.id, where)
    assert "to a file" in complaint("submission", MISSISSIPPI.id, "-")
    assert "place of its own" in complaint("par", MISSISSIPPI.id, "--pdf", "x", "--xlsx", "x")
    assert "only one" in complaint("par", MISSISSIPPI.id, "--json", "--pdf", "-")
    assert "only one" in complaint("rules", "show", MISSISSIPPI.id, "--json", "--pdf", "-")
    assert "cannot write" in complaint("rules", "show", MISSISSIPPI.id, "--pdf", where)


def test_the_commands_write_what_the_library_makes(tmp_path):
    names = {"--xlsx": "par.xlsx", "--pdf": "par.pdf"}
    options = [part for option, name in names.items() for part in (option, str(tmp_path / name))]
    assert run("par", MISSISSIPPI.id, *options).out == ""
    assert (tmp_path / "par.xlsx").read_bytes()[:2] == b"PK"
    assert MISSISSIPPI.sha256 in words_of((tmp_path / "par.pdf").read_bytes())
    assert run("rules", "show", MISSISSIPPI.id, "--pdf", str(tmp_path / "rules.pdf")).out == ""
    assert MISSISSIPPI.sha256 in words_of((tmp_path / "rules.pdf").read_bytes())
