"""Sitting down in the terminal: real sessions, scripted, at every house."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.cells import cell_len

from pitboss import settle
from pitboss.cards import shuffled
from pitboss.cli import play
from pitboss.cli.terminal import simple_bots
from pitboss.maths import advise, worths
from pitboss.maths.decisions import choice_name
from pitboss.round import Round, actions, codec, events
from pitboss.settle.file import settlement_json
from tests.cli.terminal.test_layout import KNOWN, found
from tests.command import ordinary_terminal
from tests.helpers import (
    BOOKS,
    HOLLYWOOD,
    SENECA,
    stacked,
)
from tests.house.shelves import UNSOLVED
from tests.small_books import TAKE_BACK_TOML

ROOT = Path(__file__).parents[2]
FILES = [
    ROOT / "src/pitboss/cli" / name
    for name in ("play.py", "terminal/layout.py", "terminal/simple_bots.py")
]
RAISE = "1\n"
THANKS = "Thank you for playing."
each_book = pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)


@pytest.fixture(autouse=True)
def _ordinary_terminal(monkeypatch):
    ordinary_terminal(monkeypatch)


def sit(*arguments: str, typed: str = "", code: int = 0):
    """Play a session with these lines typed; returns what click's runner saw."""
    done = CliRunner().invoke(play.command, list(arguments), input=typed, catch_exceptions=False)
    assert done.exit_code == code, done.output
    return done


def deal(monkeypatch, *first: str) -> None:
    """Let the next rounds be dealt from a deck that begins like this."""
    monkeypatch.setattr(play, "shuffled", lambda _chance: stacked(*first))


def process(*arguments: str, typed: str = "", **environment: str):
    return subprocess.run(
        [sys.executable, "-m", "pitboss", "play", *arguments],
        input=typed.encode(),
        capture_output=True,
        env={**os.environ, **environment},
        timeout=60,
        check=False,
    )


# A session --------------------------------------------------------------------------------------


def test_the_readme_line_works_in_a_pipe():
    done = process("--seed", "7", typed="\n1\n2\n3\nq\n")
    assert (done.returncode, done.stderr) == (0, b"")
    said = done.stdout.decode()
    assert "\x1b" not in said
    assert said.count("> ") == 5
    assert "Staked $35" in said  # 5 and 5 + 10 + 15
    assert said.endswith(f"$35 down. {THANKS}\n")


@each_book
def test_a_round_is_bet_decided_and_settled_with_a_receipt(book):
    key = str(book.streets[0].times[0])
    typed = "\n" + f"{key}\n" * len(book.streets) + "q\n"
    said = sit(book.id, "--seed", "3", typed=typed).output
    assert book.house in said
    assert "Receipt · round 1" in said
    for spot in (book.ante, book.spots[book.streets[-1].into]):
        assert re.search(rf"│ {spot.title} +\$[\d.]+  (win|lose|push)", said), spot.title
    for notice in book.notice:
        shown = said.count(notice.text)
        assert shown == len({"sign", "receipt"} & set(notice.where))
    assert THANKS in said


def test_the_help_line_stands_on_the_sign_and_on_every_receipt():
    said = sit(HOLLYWOOD.id, "--seed", "1", typed="\nf\n\nf\nq\n").output
    assert said.count("1-800-GAMBLER") == 3


def test_a_file_is_played_like_a_house_and_every_kind_of_choice_has_its_key(tmp_path, monkeypatch):
    file = tmp_path / "mine.toml"
    file.write_text(TAKE_BACK_TOML)
    deal(monkeypatch, "As Ad 2c 3d 4h")
    typed = "s\n1\n5\n2\n5\n\n\nt\nc\n1\nq\n"
    said = sit(str(file), "--bots", "0", typed=typed).output
    assert "[c] check  [t] take back $5" in said
    assert "[1] raise 1x $5  [c] check" in said
    assert "You leave with $1,022.50, $22.50 up." in said  # $15 at 3 to 2; $5 taken back


def test_enter_bets_the_same_again_and_an_amount_bets_that_ante():
    said = sit("--seed", "2", typed="25\nf\n\nf\nb\nf\nq\n").output
    assert said.count("[enter] bet $25 Ante") == 3
    assert "You leave with $925" in said


def test_r_repeats_the_last_bet_whatever_was_planned_since():
    typed = "s\n1\n3\n\n25\nf\ns\n1\n0\n\nr\nf\nq\n"
    said = sit("--seed", "2", typed=typed).output
    assert "[r]" not in said.partition("Receipt")[0]  # there is none before the first
    assert "[enter] bet $25 Ante  " in said  # the bonus was taken off, and then
    assert len(re.findall(r"You +.*\u25cf3 .*\u25cf25 ", said)) >= 2  # it lies there again


def test_a_last_bet_beyond_the_rack_is_explained():
    said = sit("--chips", "40", "--seed", "2", typed="30\nf\nr\nq\n").output
    assert "That takes $30, and you have $10." in said
    assert "You leave with $10" in said


@each_book
def test_the_coach_compares_each_choice_with_the_best_when_asked_or_always(book):
    asked = sit(book.id, "--seed", "3", typed="\nv\nf\nq\n").output
    always = sit(book.id, "--seed", "3", "--coach", typed="\nf\nq\n").output
    (said,) = re.findall(r"^Coach: (.*(?:\n\S.*)?)\n\[\d\]", asked, re.MULTILINE)
    assert f"Coach: {said}" in always
    assert always.count("Coach: ") == 1
    assert "[v] coach" in asked
    assert "[v]" not in always
    # The same by the other computation of the maths, in cents of a five dollar ante.
    view = first_view(book, 3)
    seat = next(n for n, each in view.seats.items() if each.person == "You")
    worth = worths(book, advise.seen(book, view.seats[seat].cards, view.piles, ()))
    told = []
    for choice in sorted(worth, key=lambda choice: -worth[choice]):
        name = f"raise {choice}x" if choice > 0 else choice_name(choice)
        less = round((max(worth.values()) - worth[choice]) * 5_00)
        told.append(f"{name} {book.signed(-less) if less else 'best'}")
    assert " ".join(said.split()) == ", ".join(told)


def first_view(book, seed):
    """What the player sees at the first decision of a session with this seed."""
    table = play.TerminalTable(
        book.id,
        bots=None,
        coach=False,
        chips=1000_00,
        minimum=None,
        maximum=None,
        seed=seed,
        as_json=True,
        auto=True,
    )
    game = Round(book)
    game.do(actions.Open(table.people, *table.posted, table.meter_cents))
    for number in table.people:
        bet = (
            table.plan if number == table.seat else simple_bots.bet(book, game.view(number), number)
        )
        game.do(bet)
    game.do(actions.CloseBets())
    game.deal(shuffled(table.chance))
    return game.view(table.seat)


def test_the_coach_says_so_where_a_game_is_not_solved(tmp_path):
    file = tmp_path / "new.toml"
    file.write_text(UNSOLVED)
    said = sit(str(file), "--coach", "--seed", "1", typed="\nf\nq\n").output
    assert "The coach does not know: this hand, or this game, is not solved." in said
    assert "Coach: " not in said


def test_side_wagers_are_set_and_taken_off():
    said = sit("--seed", "2", typed="s\n1\n\n3\n7\n\ns\n1\n0\n\nq\n").output
    assert "[enter] bet $5 Ante, $1 Board Bonus, $7 Lo Ball" in said
    assert said.rindex("[enter] bet $5 Ante, $7 Lo Ball") > said.rindex("$1 Board Bonus")


def test_a_toke_is_for_the_dealers_and_within_the_house_rule(monkeypatch):
    deal(monkeypatch, "Kh Kd 2c 3d 4h")
    said = sit("--bots", "0", typed="t\n11\nt\n2\n\n1\n1\n1\nq\n").output
    assert "A toke is at most $10, 10% of the table maximum. [J.4, R33]" in said
    assert "[enter] bet $5 Ante, $2 toke" in said
    assert "Staked $20, paid $40: +$20, $2 to the dealers. You have $1,018" in said


def test_a_house_without_tokes_offers_none():
    said = sit(SENECA.id, "--seed", "1", typed="t\nq\n").output
    assert "[t]" not in said
    assert "'t' is nothing here; press one of enter, amount, s, p, ?, q." in said


def test_help_and_pay_tables_are_a_key_away():
    said = sit(HOLLYWOOD.id, typed="p\n?\nh\nq\n").output
    assert all(table.title in said for table in HOLLYWOOD.table)
    assert said.count("Ctrl-C walks away") == 2


# What goes wrong --------------------------------------------------------------------------------


def test_nonsense_gets_one_line_and_another_chance():
    typed = "x\n\x00\x1b[31m\nten dollars\n$1.234\n3\n101\n\n4\n\nfold\nq\nn\nF\nQ\n"
    said = sit("--seed", "7", typed=typed).output
    assert "'x' is nothing here; press one of enter, amount, s, t, p, ?, q." in said
    assert "'$1.234' is not money; write it such as 25.00." in said
    assert "Ante takes at least $5, not $3. [A.2, B.1.a, H, R23]" in said
    assert "Ante takes at most $100, not $101. [A.2, B.1.a, H, R23]" in said
    assert "'4' is nothing here; press one of 1, 2, 3, f, v, p, ?, q." in said
    assert "'enter' is nothing here" in said
    assert "\x1b" not in said
    assert "You leave with $995" in said


def test_a_bet_beyond_the_rack_is_explained():
    said = sit("--chips", "30", typed="40\nt\n5\ns\n1\n25\n\n30\nq\n").output
    assert "That takes $40, and you have $30." in said
    assert "That takes $35, and you have $30." in said  # 5 + 5 + 25
    assert "You leave with $30" in said


def test_a_raise_beyond_the_rack_is_not_offered():
    said = sit("--chips", "17", "--seed", "7", typed="\n1\n1\nf\n").output
    assert "[1] raise 1x $5  [2] raise 2x $10  [f] fold" in said
    assert "You have $7 left; a larger raise is more than that." in said
    assert "You have $2 left; a larger raise is more than that.\n[f] fold" in said


def test_out_of_chips_ends_or_begins_again():
    broke = sit("--chips", "9", "--seed", "7", typed="\nf\nq\n").output
    assert "You are out of chips: you have $4, and a round takes $5." in broke
    assert "[r] a fresh rack of $9  [q] leave" in broke
    again = sit("--chips", "9", "--seed", "7", typed="\nf\nr\nq\n").output
    assert "You leave with $13, $5 down." in again
    assert "Thank you" in sit("--chips", "3", typed="").output
    assert THANKS in sit("--chips", "30", "--auto", "--seed", "1").output


@each_book
def test_the_end_of_input_leaves_politely_wherever_it_comes(book):
    lines = ["s", "1", "", "", "x", "f", "q"]
    for end in range(len(lines) + 1):
        said = sit(
            book.id, "--seed", "5", typed="".join(f"{line}\n" for line in lines[:end])
        ).output
        assert said.endswith(f"{THANKS}\n")


def test_a_hand_that_is_left_is_played_as_the_house_does_without_an_answer():
    done = sit("--json", "--seed", "7", typed="\n1\nq\ny\n")
    (record,) = map(json.loads, done.stdout.splitlines())
    (fold,) = (e for e in record["events"] if e["event"] == "folded" and e["seat"] == 2)
    assert (fold["street"], fold["timed_out"]) == (2, True)
    assert record["chips_cents"] == 990_00


def test_folding_an_award_asks_first(monkeypatch):
    deal(monkeypatch, "2h 4h 6h 8h Th")
    bet = "s\n1\n\n\n"
    kept = sit(SENECA.id, "--bots", "0", typed=f"{bet}f\nn\n2\nq\n").output
    assert "Flush, ten high wins the progressive, and folding forfeits it" in kept
    assert "[R39]" in kept
    assert "A fixed award of $50" in kept
    given_up = sit(SENECA.id, "--bots", "0", typed=f"{bet}f\ny\nq\n").output
    assert "Folded at the Bet" in given_up


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nowhere"], "no rulebook 'nowhere'"),
        (["--bots", "6"], "--bots: this table has room for 5 bots, not 6"),
        (["--chips", "lots"], "'lots' is not money"),
        (["--minimum", "1"], "this house posts a minimum of $5 to $15, not $1 [H, R23]"),
        (["--maximum", "500"], "this house posts a maximum of $25 to $100"),
        ([SENECA.id, "--maximum", "4"], "the maximum $4 is below the minimum $5"),
        (["--rounds", "0"], "--rounds"),
    ],
)
def test_a_wrong_argument_is_one_line(arguments, complaint):
    done = process(*arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    said = done.stderr.decode()
    assert said.startswith("pitboss: ")
    assert said.count("\n") == 1
    assert complaint in said


# Programs ---------------------------------------------------------------------------------------


@each_book
def test_json_is_one_object_a_round_that_replays_and_settles_again(book):
    done = sit(book.id, "--json", "--auto", "--rounds", "12", "--seed", "9", "--bots", "4")
    assert done.stderr == ""
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [record["round"] for record in records] == list(range(1, 13))
    chips = 1000_00
    for record in records:
        happened = [codec.event(json.dumps(each)) for each in record["events"]]
        game = Round(book, happened)
        assert game.state.phase == "paying"
        whole = settlement_json(book, settle.settle(book, settle.of_round(game.state)))
        for seen, known in zip(record["settlement"]["seats"], whole["seats"], strict=True):
            assert {**seen, "hand": ""} == {**known, "hand": ""}
            # A hand that was never shown has no name on anybody's receipt.
            assert seen["hand"] in ("", known["hand"])
        mine = next(s for s in record["settlement"]["seats"] if s["seat"] == record["seat"])
        chips += mine["paid_cents"] - sum(line["stake_cents"] for line in mine["lines"])
        assert record["chips_cents"] == chips


def test_json_keeps_standard_output_for_rounds_and_asks_on_standard_error():
    done = process("--json", "--seed", "7", typed="\n1\n2\n3\nq\n")
    (line,) = done.stdout.splitlines()
    assert json.loads(line)["chips_cents"] == 965_00
    assert "[1] raise 1x $5" in done.stderr.decode()


@each_book
def test_a_seed_repeats_the_session_and_another_does_not(book):
    def play_with(seed):
        return sit(book.id, "--auto", "--rounds", "5", "--seed", seed).output

    assert play_with("4") == play_with("4") != play_with("5")


def test_without_a_seed_every_session_differs():
    runs = {sit("--auto", "--rounds", "3", "--json").stdout for _ in range(2)}
    assert len(runs) == 2


def test_the_meter_starts_at_the_reseed_and_moves_with_every_token():
    done = sit(SENECA.id, "--json", "--auto", "--rounds", "4", "--seed", "2", "--bots", "5")
    assert SENECA.progressive is not None
    meter = int(SENECA.progressive.reseed)
    for record in map(json.loads, done.stdout.splitlines()):
        opening = record["events"][0]
        (closing,) = (each for each in record["events"] if each["event"] == "betting-closed")
        assert opening["meter_cents"] == meter
        assert closing["meter_cents"] == meter + 4 * 70  # four tokens of 1.00, 70% each
        meter = record["settlement"]["meter_after_cents"]


def test_the_command_line_does_not_load_a_terminal_library_until_it_is_needed():
    script = (
        "import sys; from pitboss.cli import main; sys.argv = ['pitboss', '--help']\n"
        "try: main()\nexcept SystemExit: pass\n"
        "sys.exit('rich' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert done.returncode == 0


# What is drawn ----------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [80, 120])
@each_book
def test_no_line_is_wider_than_the_terminal_at_a_full_table(book, width, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    full = str(book.seats.most - 1)
    said = sit(book.id, "--auto", "--rounds", "12", "--bots", full, "--seed", "6").output
    assert max(map(cell_len, said.splitlines())) == width
    rich = [
        "--chips",
        "99,999,999.99",
        *(["--maximum", "100"] if book.limits.maximum.highest else []),
    ]
    said = sit(book.id, *rich, "--seed", "6", typed="123456\n50\n1\n3\n2\n3\n3\np\ns\nq\n").output
    assert max(map(cell_len, said.splitlines())) == width


def test_a_terminal_that_is_not_in_utf8_gets_letters_and_plain_boxes():
    done = process("--seed", "7", typed="\n1\n2\n3\nq\n", PYTHONIOENCODING="ascii")
    said = done.stdout.decode("ascii")
    assert "|Qd  |" in said
    assert "+----+" in said
    assert "?" not in said.replace("[?]", "")


@pytest.mark.parametrize("how", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_session_without_colour_reads_the_same(how):
    plain = process("--seed", "7", typed="\nf\nq\n", **how)
    assert plain.returncode == 0
    assert b"\x1b[3" not in plain.stdout
    assert plain.stdout == process("--seed", "7", typed="\nf\nq\n").stdout


@each_book
def test_a_session_shows_no_card_before_its_time(book):
    done = sit(book.id, "--json", "--seed", "12", "--bots", "3", typed="\nq\ny\n")
    record = json.loads(done.stdout)
    me = record["seat"]
    before = [codec.event(json.dumps(each)) for each in record["events"]]
    first = next(i for i, e in enumerate(before) if getattr(e, "seat", 0) == me and i > 5)
    mine = {
        card
        for event in before
        if isinstance(event, events.CardsDealt) and (event.seat == me or event.up)
        for card in event.cards
        if event.seat == me or book.qualifier is not None
    }
    assert first
    until_first_decision = done.stderr.split("[f] fold")[0]
    assert {KNOWN[name] for name in found(until_first_decision)} == mine


def test_what_is_drawn_and_decided_never_touches_the_whole_round():
    for file in FILES:
        names = {
            node.attr
            for node in ast.walk(ast.parse(file.read_text()))
            if isinstance(node, ast.Attribute)
        }
        assert "state" not in names, file.name


def test_no_house_and_no_game_is_named_in_code():
    words = {word for book in BOOKS for word in (book.house, book.game)}
    for file in FILES:
        text = file.read_text().replace('default="diamond-jo-worth/cajun-stud"', "")
        assert not [word for word in words if word.lower() in text.lower()], file.name


def test_the_whole_explanation_of_a_capped_win_is_on_the_receipt(monkeypatch):
    deal(monkeypatch, "Ah Kh Qh Jh Th")
    said = sit("--bots", "0", typed="100\n3\n3\n3\nq\n").output
    assert "▸ Royal flush" in said
    flat = re.sub(r"[│\s]+", " ", said)
    assert re.search(r"payout cap of \$25,000 on [^\[]+ leaves \$25,000 of \$500,000", flat)
    assert "Needs call-out, floor-supervisor, surveillance-or-shift-manager [C.1.t, R31]" in flat
    assert "Must hear of it today: general-manager, director-of-table-games" in flat
