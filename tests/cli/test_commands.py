"""The other commands: prorate, rules, and the top of the command line."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pitboss import __version__, rulebook
from tests.command import complaint, run

DJ, HW, SN = (
    "diamond-jo-worth/cajun-stud",
    "hollywood-penn-national/cajun-stud",
    "seneca-niagara/caribbean-stud",
)
WINS = ("20000@500", "10000@100", "500@100", "2000@40")


def paid(*arguments: str) -> list[int]:
    return [win["won_cents"] for win in run("prorate", "--json", *arguments).json["wins"]]


def test_prorate_the_worked_example():
    cents = [1_639_344, 819_672, 40_984, 200_000]
    assert paid("--cap", "25000", *WINS) == cents
    assert paid("--cap", "25000", "--over", "50", "--unit", "0.01", *WINS) == cents
    assert paid("--cap", "25000", "--unit", "1", *WINS) == [1_639_300, 819_700, 41_000, 200_000]


def test_prorate_counts_only_wins_above_the_threshold():
    assert paid("--cap", "100", "--over", "50", "500@50", "500@51") == [500_00, 100_00]
    assert paid("--cap", "100", "--over", "0", "100@1", "300@3:2") == [25_00, 75_00]
    done = run("prorate", "--json", "--cap", "50000", *WINS).json
    assert done["capped"] is False
    assert done["won_cents"] == 32_500_00


def test_prorate_reads_odds_as_people_write_them():
    assert paid("--cap", "1", "--over", "0", "100@even", "300@3 to 2") == [25, 75]


def test_bare_commands_show_their_help():
    for arguments in ((), ("rules",)):
        ran = run(*arguments)
        assert ran.code == 2
        assert ran.err.count("\n") > 5


def test_a_full_disk_is_no_traceback():
    command = f"{sys.executable} -m pitboss rules list > /dev/full"
    ran = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert ran.returncode != 0
    assert "Traceback" not in ran.stderr


def test_no_standard_input_at_all():
    command = f"{sys.executable} -m pitboss settle - <&-"
    ran = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "empty" in ran.stderr


def test_prorate_for_people():
    said = run("prorate", "--cap", "25000", *WINS).out
    assert "16,393.44" in said
    assert "in full, not above the threshold" in said
    assert "shared pro rata" in said
    assert "paid in full" in run("prorate", "--cap", "99000", *WINS).out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--cap", "25000"), "Missing argument 'WIN@ODDS...'"),
        (("100@500",), "Missing option '--cap'"),
        (("--cap", "lots", "100@500"), "'--cap': 'lots' is not money"),
        (("--cap", "1.005", "100@500"), "is not money"),
        (("--cap", "5", "100"), "win 1: '100' is not WIN@ODDS"),
        (("--cap", "5", "1@5", "x@500"), "win 2: 'x' is not money"),
        (("--cap", "5", "1@0"), "win 1: '0:1' is not odds"),
        (("--cap", "5", "--over", "x", "1@5"), "--over: 'x' is not odds"),
        (("--cap", "5", "--unit", "0", "1@5"), "--unit: the unit is at least 0.01"),
    ],
)
def test_prorate_refuses(arguments, says):
    assert says in complaint("prorate", *arguments)


def test_rules_list():
    assert [book["id"] for book in run("rules", "list", "--json").json] == rulebook.ids()
    assert all(each in run("rules", "list").out for each in rulebook.ids())


@pytest.mark.parametrize("book_id", rulebook.ids())
def test_rules_show(book_id):
    shown = run("rules", "show", book_id, "--json").json
    assert shown["id"] == book_id
    assert shown["sha256"] == rulebook.load(book_id).sha256
    said = run("rules", "show", book_id).out
    assert all(row.label in said for table in rulebook.load(book_id).table for row in table.rows)
    assert all(len(line) <= 80 for line in said.splitlines() if "sha256" not in line)


def test_rules_show_says_every_part():
    said = " ".join(run("rules", "show", SN).out.split())
    dealt = "Each player and the dealer get five cards at once; the dealer's fifth lies face up"
    assert f"2. Deal: {dealt}, the others face down. [play, R16]" in said
    assert "The player was dealt a wrong number of cards: the wagers go back." in said
    assert "R16: Cards come as many at once as is said here" in said
    jo = " ".join(run("rules", "show", DJ).out.split())
    assert "With a shuffler, only after its green light." in jo
    assert "A win of more than $300 is approved by a floor supervisor. [C.1.t, R31]" in jo


def test_rules_check_proves_the_shipped_books():
    ran = run("rules", "check")
    assert ran.code == 0
    assert ran.out.count(": ok: each of") == len(rulebook.ids())
    assert "Four of a kind (40 to 1, not capped) pays more" in ran.out
    found = run("rules", "check", DJ, "--json").json
    assert [each["level"] for each in found[DJ]] == ["warning"]


def test_rules_check_finds_errors(tmp_path):
    path = tmp_path / "big.toml"
    toml = (rulebook.loader.HOUSES / f"{SN}.toml").read_text("utf-8")
    path.write_text(toml.replace("most = 6", "most = 10"))
    ran = run("rules", "check", str(path))
    assert ran.code == 1
    assert "$.seats.most: 10 seats need 55 cards of a deck of 52" in ran.out
    assert "55 cards" in complaint("rules", "show", str(path))


def test_rules_sign():
    posted = run("rules", "sign", DJ, "--minimum", "10", "--json").json
    assert posted["cap_cents"] == 50_000_00
    assert (posted["minimum_cents"], posted["maximum_cents"]) == (10_00, 100_00)
    said = run("rules", "sign", DJ, "--minimum", "10", "--maximum", "50").out
    assert "ANTE $10 TO $50" in said
    assert "MAXIMUM AGGREGATE $50,000 A ROUND FOR THE WHOLE TABLE" in said
    assert max(map(len, said.splitlines())) <= 80


def test_rules_sign_shows_notices_and_open_limits():
    said = run("rules", "sign", HW, "--minimum", "15").out
    assert "1-800-GAMBLER" in said
    assert "$15 or more" in said
    assert "exactly $1" in run("rules", "sign", SN, "--minimum", "15").out
    assert "MAXIMUM AGGREGATE" not in run("rules", "sign", "common/mississippi-stud").out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("rules", "sign", DJ, "--minimum", "20"), "posts a minimum of $5 to $15, not $20"),
        (("rules", "sign", HW), "--minimum: this house posts any minimum"),
        (("rules", "sign", HW, "--minimum", "9", "--maximum", "8"), "below the minimum"),
        (("rules", "show", "nowhere/nothing"), "no rulebook 'nowhere/nothing'; there are common"),
        (("rules", "show", "seneca/caribbean"), "did you mean seneca-niagara/caribbean-stud?"),
        (
            ("rules", "show", "cajun-stud"),
            "did you mean diamond-jo-worth/cajun-stud or hollywood-penn-national/cajun-stud?",
        ),
        (("rules", "show", "none.toml"), "none.toml: cannot read this rulebook"),
        (("rules", "nonsense"), "No such command 'nonsense'"),
        (("nonsense",), "no command 'nonsense'; there are"),
        (("settle",), "Missing argument 'FILE'"),
        (("settle", "--wrong", "x"), "No such option"),
    ],
)
def test_wrong_arguments_name_the_right_ones(arguments, says):
    assert says in complaint(*arguments)


def test_help_and_version():
    said = run("--help").out
    for name in ("play", "prorate", "rules", "settle"):
        assert f"  {name} " in said
    assert "bench" not in said  # it is the clone's, not the package's
    assert run("--version").out == f"pitboss {__version__}\n"
    assert "RULEBOOK" in run("rules", "show", "--help").out


def test_python_dash_m_as_a_stranger_would(tmp_path):
    path = tmp_path / "round.toml"
    path.write_text("rulebook = 1")
    command = [sys.executable, "-m", "pitboss", "settle", str(path)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert ran.stderr.startswith(f"pitboss: {path}: say which rules")


def test_a_closed_pipe_is_no_accident():
    command = f"{sys.executable} -m pitboss rules show {DJ} | head -1"
    ran = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert "Traceback" not in ran.stderr


def test_help_imports_nothing_heavy():
    code = (
        "import sys; sys.argv = ['pitboss', '--help']\n"
        "from pitboss.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'rich', 'numpy', 'pitboss.hands', 'fractions', 'asyncio'} & set(sys.modules)\n"
        "print(sorted(heavy), file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stderr.strip() == "[]"


def test_the_last_part_of_an_id_will_do_where_one_book_has_it():
    names = ("three-card-poker", "common/three-card-poker")
    short, whole = (run("par", name, "--json").json for name in names)
    assert short == whole
    assert whole["rulebook"] == names[1]


@pytest.mark.parametrize(
    ("book", "family"), [(DJ, "pay_table_games"), ("seneca-niagara/caribbean-stud", "dealer_games")]
)
def test_a_sheet_of_figures_waits_for_its_own_family_alone(book, family):
    code = (
        f"import sys; sys.argv = ['pitboss', 'par', '{book}', '--json']\n"
        "from pitboss.cli import main; main()\n"
        "print(*(each.removeprefix('pitboss.') for each in sys.modules), file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    said = set(ran.stderr.split())
    families = {"pay_table_games", "dealer_games", "raise_or_fold", "board_games"}
    assert {each for each in families if f"maths.{each}" in said} == {family}
    assert not {"difflib", "lab.chart", "maths.advise", "maths.evaluation"} & said


def test_settle_help_names_its_page():
    page = Path(__file__).parents[2] / "docs" / "settle.md"
    assert "docs/settle.md" in run("settle", "--help").out
    assert page.is_file()
    assert json.loads(run("rules", "list", "--json").out)
