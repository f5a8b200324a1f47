"""The settle contract: what goes in, what comes out, and what is refused with its place."""

import json
import tomllib

import pytest

from pitboss.errors import Refused
from pitboss.settle.file import settle_file
from tests.command import complaint, run

ROUND = """
rulebook = "diamond-jo-worth/cajun-stud"
minimum = "5.00"
maximum = "100.00"
board = "Th Jh Qh"
[[seat]]
seat = 1
cards = "Kh Ah"
ante = "100.00"
raises = [3, 3, 3]
side = { board-bonus = "5.00", lo-ball = "5.00" }
toke = "10.00"
player = { residence = "us", identified = true, tin = true, barred = false }
accepted = false
dead = ""
"""

CARIBBEAN = """
rulebook = "seneca-niagara/caribbean-stud"
dealer = "As Kd 4c 3h 2s"
upcard = "2s"
meter = "100000.00"
[[seat]]
seat = 2
cards = "Ah Kh Qh Jh Th"
ante = "10.00"
raises = [2]
side = { progressive = "1.00" }
"""

SEAT_KEYS = {
    *("seat", "hand", "lines", "won_cents", "returned_cents", "approvals", "forms"),
    *("held_cents", "paid_cents"),
}
LINE_KEYS = {
    *("spot", "stake_cents", "outcome", "odds", "nominal_cents", "won_cents"),
    *("returned_cents", "clause", "reasons"),
}


def settle(text: str, *more: str):
    return run("settle", "-", "--json", *more, given=text).json


def only_seat(text: str):
    (seat,) = settle(text)["seats"]
    return seat


def test_the_contract_in_full():
    done = settle(ROUND)
    assert set(done) == {"rulebook", "sha256", "cap_cents", "notify", "seats"}
    assert done["rulebook"] == "diamond-jo-worth/cajun-stud"
    assert len(done["sha256"]) == 64
    assert done["cap_cents"] == 25_000_00
    assert done["notify"] == ["general-manager", "director-of-table-games"]
    (seat,) = done["seats"]
    assert set(seat) == SEAT_KEYS
    assert seat["hand"] == "royal flush"
    assert all(set(line) == LINE_KEYS for line in seat["lines"])
    spots = ["ante", "raise-1", "raise-2", "raise-3", "board-bonus", "lo-ball", "toke"]
    assert [line["spot"] for line in seat["lines"]] == spots
    ante, *_, board, low, toke = seat["lines"]
    # Ten units of 100 win 500,000.00; the ceiling leaves 25,000.00, a tenth of it on the Ante.
    assert ante["nominal_cents"] == 50_000_00
    assert ante["won_cents"] == 2_500_00
    assert ante["returned_cents"] == 2_600_00
    assert ante["odds"] == "500 to 1"
    assert ante["clause"] == "I.2.a"
    assert "leaves $25,000 of $500,000, $2,500 of it on this wager [J.2" in ante["reasons"][1]
    assert (board["odds"], board["won_cents"]) == ("40 to 1", 200_00)
    assert (low["outcome"], low["odds"], low["returned_cents"]) == ("lose", None, 0)
    assert (toke["won_cents"], toke["returned_cents"]) == (5_000_00, 5_010_00)
    assert seat["won_cents"] == 25_200_00
    assert seat["returned_cents"] == 25_200_00 + 1_000_00 + 5_00
    assert seat["approvals"] == ["call-out", "floor-supervisor", "surveillance-or-shift-manager"]
    assert seat["forms"] == []
    assert seat["held_cents"] == 0


def test_json_goes_in_as_well():
    assert settle(json.dumps(tomllib.loads(ROUND))) == settle(ROUND)


def test_a_file_or_standard_input(tmp_path):
    path = tmp_path / "round.toml"
    path.write_text(ROUND)
    assert run("settle", str(path), "--json").json == settle(ROUND)


def test_limits_default_to_the_ends_of_the_house_range():
    plain = ROUND.replace('minimum = "5.00"\nmaximum = "100.00"\n', "")
    assert settle(plain) == settle(ROUND)


def test_a_cap_follows_the_posted_minimum():
    done = settle(ROUND.replace('minimum = "5.00"', 'minimum = "15.00"'))
    assert done["cap_cents"] == 75_000_00
    assert done["seats"][0]["won_cents"] == 75_200_00


def test_seats_come_out_in_the_order_in_which_they_went_in():
    two = ROUND.replace("seat = 1\n", "seat = 6\n") + (
        '[[seat]]\nseat = 2\ncards = "2c 2d"\nante = "5.00"\nraises = [1, 0]\n'
    )
    assert [seat["seat"] for seat in settle(two)["seats"]] == [6, 2]


def test_caribbean_with_meter():
    done = settle(CARIBBEAN)
    assert done["cap_cents"] == 5_000_00
    assert done["meter_after_cents"] == 10_000_00
    (seat,) = done["seats"]
    assert [line["won_cents"] for line in seat["lines"]] == [10_00, 2_000_00, 100_000_00]
    (form,) = seat["forms"]
    assert form["form"] == "W-2G"
    assert form["reportable_cents"] == 100_000_00
    assert form["withheld_cents"] == 23_999_76  # 24% of the award less the token


def test_a_meter_that_nobody_gives_is_not_assumed():
    unread = CARIBBEAN.replace('meter = "100000.00"\n', "")
    said = complaint("settle", "-", given=unread)
    assert "meter: Royal flush wins 100% of the meter: say where it stood" in said
    assert "R67]" in said
    done = settle(unread.replace("Ah Kh Qh Jh Th", "Ah Kh Qh Jh 2h"))
    assert "meter_after_cents" not in done
    assert [line["won_cents"] for line in done["seats"][0]["lines"]][-1] == 50_00
    folded = settle(unread.replace("raises = [2]", "raises = [0]"))
    assert folded["seats"][0]["won_cents"] == 0


def test_no_meter_without_a_token():
    bare = CARIBBEAN.replace('meter = "100000.00"\n', "").replace(
        'side = { progressive = "1.00" }\n', ""
    )
    assert "meter_after_cents" not in settle(bare)


@pytest.mark.parametrize(("date", "forms"), [("2025-12-31", ["W-2G"]), ("2026-01-01", [])])
def test_dated_tax_figures(date, forms):
    # 10% of 15,000.00 is 1,500.00: over the floor of 2025 and under that of 2026.
    text = f'date = "{date}"' + CARIBBEAN.replace("100000.00", "15000.00").replace(
        "Ah Kh Qh Jh Th", "Kh Qh Jh Th 9h"
    )
    assert [form["form"] for form in only_seat(text)["forms"]] == forms


def test_a_date_may_be_written_without_quotes():
    assert settle("date = 2026-11-15" + CARIBBEAN) == settle(CARIBBEAN)


def test_a_late_wager_stands_when_it_was_accepted():
    text = ROUND.replace('"100.00"\nraises', '"250.00"\nraises')
    assert "at most $100" in complaint("settle", "-", given=text)
    stands = only_seat(text.replace("accepted = false", "accepted = true"))
    assert stands["lines"][0]["stake_cents"] == 250_00


def test_folded_early_needs_no_board():
    text = ROUND.replace('board = "Th Jh Qh"\n', "").replace("[3, 3, 3]", "[1, 0]")
    text = text.replace('side = { board-bonus = "5.00", lo-ball = "5.00" }\n', "")
    seat = only_seat(text)
    assert [line["outcome"] for line in seat["lines"]] == ["lose", "lose", "lose"]
    assert seat["hand"] == ""


@pytest.mark.parametrize(
    ("game", "places", "wager", "odds"),
    [
        ("casino-holdem", 'flop = "Ks Js 9s"', 'aa-bonus = "5.00"', "7 to 1"),
        ("texas-holdem-bonus", "", 'bonus = "5.00"', "30 to 1"),
    ],
)
def test_a_wager_that_outlives_a_fold_needs_its_own_cards_alone(game, places, wager, odds):
    """A hand that was never made has no name, and no card is asked for to name it."""
    seat = only_seat(f"""rulebook = "common/{game}"
{places}
[[seat]]
seat = 1
cards = "As Ah"
ante = "5.00"
raises = [0]
side = {{ {wager} }}
""")
    assert seat["hand"] == ""
    assert [line["odds"] for line in seat["lines"]] == [None, odds]


def test_everyone_folded_and_only_the_upcard_is_known():
    text = CARIBBEAN.replace('dealer = "As Kd 4c 3h 2s"\n', "").replace("[2]", "[0]")
    assert only_seat(text)["returned_cents"] == 0


def test_toml_keys_may_be_quoted():
    assert settle('"minimum" = "5.00"' + ROUND.replace('minimum = "5.00"\n', "")) == settle(ROUND)


def test_a_dead_hand_may_have_a_wrong_count_of_cards():
    text = CARIBBEAN.replace("Ah Kh Qh Jh Th", "Ah Kh Qh Jh Th 9c").replace("[2]", "[]")
    seat = only_seat(text + 'dead = "count"\n')
    assert seat["returned_cents"] == 11_00
    assert seat["won_cents"] == 0


def test_a_hand_dead_for_information_forfeits():
    seat = only_seat(CARIBBEAN + 'dead = "information"\n')
    assert seat["returned_cents"] == 0


def test_a_misdeal_gives_everything_back():
    called = 'misdeal = "exposed-card"' + ROUND.replace('board = "Th Jh Qh"', 'board = "Th"')
    short = only_seat(called.replace("[3, 3, 3]", "[3]"))
    assert short["returned_cents"] == 100_00 + 300_00 + 10_00 + 10_00
    seat = only_seat(called)
    assert {line["outcome"] for line in seat["lines"]} == {"push"}
    assert {line["clause"] for line in seat["lines"]} == {"L.1.e"}
    assert seat["returned_cents"] == 1_000_00 + 10_00 + 10_00
    assert seat["lines"][-1]["returned_cents"] == 10_00


def test_chips():
    done = settle(ROUND, "--chips")
    chips = done["seats"][0]["chips"]
    assert chips["payoff_cents"] == 25_200_00
    assert chips["stacks"] == [
        {"denomination_cents": 5_000_00, "count": 5},
        {"denomination_cents": 100_00, "count": 2},
    ]
    assert chips["left_cents"] == 0


def test_for_people():
    said = run("settle", "-", "--chips", given=ROUND).out
    assert "The payout cap of $25,000 on the table's winnings" in " ".join(said.split())
    assert "Notify within the gaming day: general-manager, director-of-table-games" in said
    assert "chips: 5 x 5,000.00, 2 x 100.00" in said
    assert max(map(len, said.splitlines())) <= 80
    held = run("settle", "-", "--chips", given=CARIBBEAN + "player = {identified = false}").out
    assert "held: 100,000.00" in held
    assert "form W-2G" in held
    assert "Meter now 10,000.00" in held
    odd = CARIBBEAN.replace('"10.00"', '"10.55"')
    assert "in coin" in run("settle", "-", "--chips", given=odd).out


def test_sums_of_any_size_stand_apart_on_the_receipt():
    said = run("settle", "-", given=CARIBBEAN.replace('"10.00"', '"500,000,000.00"')).out
    (bet,) = (each for each in said.splitlines() if each.startswith("  Bet "))
    stake, won, back = "1,000,000,000.00", "5,000.00", "1,000,005,000.00"
    assert bet.split() == ["Bet", stake, "win", "100", "to", "1", won, back]
    (together,) = (each for each in said.splitlines() if "to the player" in each)
    assert together.split()[3:] == ["500,105,000.00", "2,000,105,000.00"]


def test_the_helpline_is_on_the_receipt_where_the_house_shows_it():
    text = ROUND.replace("diamond-jo-worth", "hollywood-penn-national").replace(
        'toke = "10.00"\n', ""
    )
    said = run("settle", "-", given=text.replace('minimum = "5.00"\nmaximum = "100.00"\n', "")).out
    assert "1-800-GAMBLER" in said


def changed(old: str, new: str, text: str = ROUND) -> str:
    assert old in text
    return text.replace(old, new, 1)


BAD: dict[str, tuple[str | bytes, str]] = {
    "a card twice": (changed("Kh Ah", "Th Ah"), "seat[0].cards: Th is out already"),
    "a card twice in a hand": (changed("Kh Ah", "Ah Ah"), "seat[0].cards: Ah appears twice"),
    "six cards": (changed("Kh Ah", "Kh Ah 2c 3c 4c 5c"), "seat[0].cards: a hand here has 2 cards"),
    "no such card": (changed("Kh Ah", "Kh 1h"), "seat[0].cards: '1h' is not a card"),
    "no cards": (changed("Kh Ah", ""), "seat[0].cards: a hand here has 2 cards, and 0"),
    "cards as a list": (changed('"Th Jh Qh"', '["Th"]'), "board: write cards as text"),
    "a hand in part": (changed("Kh Ah", "Kh"), "seat[0].cards: a hand here has 2 cards, and 1"),
    "a side wager's cards missing": (
        changed("Kh Ah", "").replace("[3, 3, 3]", "[0]"),
        "seat[0].cards: a hand here has 2 cards, and 0",
    ),
    "a card twice that was never dealt": (
        changed("Th Jh Qh", "Th Jh Kh").replace("[3, 3, 3]", "[0]"),
        "seat[0].cards: Kh is out already",
    ),
    "board too short": (changed("Th Jh Qh", "Th Jh"), "board: board has 3 cards, and 2"),
    "board too long": (changed("Th Jh Qh", "Th Jh Qh 2c"), "board: board has 3 cards, and 4"),
    "an unknown spot": (
        changed("lo-ball", "hi-ball"),
        "seat[0].side.hi-ball: no spot 'hi-ball' on this layout; there are board-bonus",
    ),
    "ante among the sides": (
        changed("lo-ball", "ante"),
        "seat[0].side.ante: the required wager has a key of its own: ante",
    ),
    "a raise among the sides": (
        changed("lo-ball", "raise-1"),
        "seat[0].side.raise-1: raise-1 is not wagered on before the deal; that takes board-bonus",
    ),
    "an ante under the minimum": (
        changed('ante = "100.00"', 'ante = "4.99"'),
        "seat[0].ante: Ante takes at least $5",
    ),
    "an ante over the maximum": (
        changed('ante = "100.00"', 'ante = "100.01"'),
        "seat[0].ante: Ante takes at most $100",
    ),
    "a side under its minimum": (
        changed('lo-ball = "5.00"', 'lo-ball = "0.99"'),
        "seat[0].side.lo-ball: Lo Ball takes at least $1",
    ),
    "a 4x raise": (
        changed("[3, 3, 3]", "[4, 3, 3]"),
        "seat[0].raises[0]: a raise here is 1, 2 or 3 times the ante, not 4 [C.1.i(2), ",
    ),
    "half a raise": (changed("[3, 3, 3]", "[1.5, 3, 3]"), "seat[0].raises[0]"),
    "too few decisions": (changed("[3, 3, 3]", "[3, 3]"), "seat[0].raises: 3 decisions"),
    "too many decisions": (
        changed("[3, 3, 3]", "[3, 3, 3, 3]"),
        "seat[0].raises[3]: there is nothing to decide now",
    ),
    "playing on after a fold": (
        changed("[3, 3, 3]", "[0, 3, 3]"),
        "seat[0].raises[1]: seat 1 has folded",
    ),
    "three decimals": (changed('"100.00"\nraises', '"100.005"\nraises'), "seat[0].ante"),
    "money as a number": (changed('ante = "100.00"', "ante = 100.0"), "seat[0].ante"),
    "money as a word": (changed('ante = "100.00"', 'ante = "lots"'), "seat[0].ante"),
    "too much money": (changed('ante = "100.00"', f'ante = "{"9" * 20}"'), "seat[0].ante"),
    "an unknown key": (changed("dead = ", "daed = "), "unknown key 'daed'; did you mean dead?"),
    "an unknown key at the top": (changed("minimum", "minimun"), "unknown key 'minimun'"),
    "a pile of another game": (changed("board", "dealer"), "unknown key 'dealer'"),
    "a toke over a tenth": (changed('"10.00"', '"10.01"'), "seat[0].toke: a toke is at most $10"),
    "a minimum out of range": (changed('"5.00"', '"4.00"'), "minimum: this house posts a minimum"),
    "a maximum out of range": (changed('"100.00"', '"101.00"'), "maximum: this house posts"),
    "dead at a house without": (changed('dead = ""', 'dead = "count"'), "seat[0].dead: this house"),
    "dead for a reason unheard of": (changed('dead = ""', 'dead = "old"'), "seat[0].dead"),
    "seat 0": (changed("seat = 1", "seat = 0"), "seat[0].seat: seats here are numbered 1 to 6"),
    "a seat twice": (
        ROUND + '[[seat]]\nseat = 1\ncards = "2c 2d"\nante = "5.00"\nraises = [0]\n',
        "seat[1].seat: seat 1 is there twice",
    ),
    "no seats": (
        'rulebook = "diamond-jo-worth/cajun-stud"\nseat = []',
        "seat: seats here are numbered 1 to 6; at least one is taken",
    ),
    "seats missing": ('rulebook = "diamond-jo-worth/cajun-stud"', "missing required field `seat`"),
    "a meter without a progressive": (
        'meter = "1.00"' + ROUND,
        "meter: a meter goes with a progressive",
    ),
    "no rulebook": (changed("rulebook", "rulebok"), "say which rules"),
    "rulebook as a number": ("rulebook = 3", "say which rules"),
    "an unknown rulebook": (changed("cajun-stud", "cajun"), "did you mean diamond-jo-worth/cajun"),
    "a residence unheard of": (changed('"us"', '"moon"'), "seat[0].player.residence"),
    "a date before all figures": ('date = "1999-01-01"' + CARIBBEAN, "date: no tax figures"),
    "no date at all": ('date = "soon"' + ROUND, "date"),
    "an upcard that is not there": (changed('"2s"', '"9s"', CARIBBEAN), "upcard: 9s is not in"),
    "an upcard in a game without": ('upcard = "9s"' + ROUND, "upcard: this game has no upcard"),
    "half a token": (changed('"1.00"', '"0.50"', CARIBBEAN), "takes exactly $1"),
    "a toke where none are taken": (CARIBBEAN + 'toke = "1.00"', "takes no wagers for the dealers"),
    "a Caribbean raise of one": (changed("[2]", "[1]", CARIBBEAN), "seat[0].raises[0]"),
    "a misdeal unheard of": ('misdeal = "rain"' + ROUND, "misdeal: the causes here are order-or"),
    "a misdeal with a street before its time": (
        'misdeal = "other"'
        + ROUND
        + '[[seat]]\nseat = 2\ncards = "2c 2d"\nante = "5.00"\nraises = []\n',
        "seat[0].raises[1]: seat 1 has decided this street",
    ),
    "eleven cards in a hand dead for its count": (
        changed("Ah Kh Qh Jh Th", "Ah Kh Qh Jh Th 2c 3c 5c 6c 7c 8c", CARIBBEAN) + 'dead = "count"',
        "seat[0].cards: a hand here has 5 cards, and 11",
    ),
    "a side called toke": (changed("lo-ball", "toke"), "seat[0].side.toke: no spot 'toke'"),
    "a token that was found late": (
        changed('"1.00"', '"2.00"', CARIBBEAN) + "accepted = true",
        "seat[0].side.progressive: Progressive takes exactly $1",
    ),
    "an empty file": ("", "empty"),
    "nothing but space": (" \n\t\n", "empty"),
    "binary rubbish": (bytes(range(256)), "not text"),
    "rubbish": ("\x00\x01 what", "not TOML"),
    "broken JSON": ('{"rulebook": ', "not JSON"),
    "deep JSON": ("{" * 100_000, "not JSON"),
    "a JSON list": ('[{"rulebook": 1}]', "a table of keys"),
    "JSON text": ('"rulebook"', "not TOML"),
    "a key twice in JSON": ('{"rulebook": "a", "rulebook": "b"}', "a key is there twice"),
    "an endless number": ("seat = " + "1" * 5000, "not TOML"),
    "a rulebook with a null": ('rulebook = "a\\u0000.toml"', "rulebook: a"),
    "a rulebook of any length": (f'rulebook = "{"a" * 400}"', "rulebook: no rulebook"),
    "a minimum of nothing": (changed('"5.00"', '"0.00"'), "minimum: this house posts"),
    "two upcards": (changed('"2s"', '"2s As"', CARIBBEAN), "upcard: this game has 1 upcard"),
    "a huge file": ("#" * 300_000, "larger than any round"),
}


def test_the_machine_speaks_with_its_code_and_clause():
    with pytest.raises(Refused) as caught:
        settle_file(changed("[3, 3, 3]", "[3, 4]"), "round.toml")
    said = caught.value.refusal
    assert (said.code, said.place) == ("raise/not-a-multiple", "round.toml: seat[0].raises[1]")
    assert said.clause.startswith("C.1.l(2)")


def test_a_misdeal_by_the_shuffler_may_come_on_any_street():
    for raises in ("[]", "[3]", "[3, 3]", "[3, 3, 3]"):
        called = 'misdeal = "shuffler"' + changed("[3, 3, 3]", raises)
        assert {line["clause"] for line in only_seat(called)["lines"][:-1]} == {"L.1.d"}


def test_a_dead_hand_dies_after_its_own_decisions_and_the_others_play_on():
    other = '[[seat]]\nseat = 1\ncards = "2c 2d 5h 7s 9c"\nante = "10.00"\nraises = %s\n'
    for raises, back in (("[]", 10_00), ("[2]", 30_00), ("[0]", 10_00)):
        done = settle(CARIBBEAN + other % raises + 'dead = "count"\n')
        assert [seat["returned_cents"] for seat in done["seats"]][1] == back
        assert done["seats"][0]["won_cents"] == 102_010_00


@pytest.mark.parametrize("case", BAD, ids=lambda case: case.replace(" ", "-"))
def test_bad_input_gets_one_clear_line(case):
    given, says = BAD[case]
    assert says in complaint("settle", "-", "--json", given=given)


def test_bad_files(tmp_path):
    assert "cannot read this round" in complaint("settle", str(tmp_path / "none.toml"))
    assert "cannot read this round" in complaint("settle", str(tmp_path))
    rubbish = tmp_path / "rubbish"
    rubbish.write_bytes(b"\xff\xfe\x00")
    assert f"{rubbish}: not text" in complaint("settle", str(rubbish))
    rubbish.write_bytes(b"x" * 300_000)
    assert "larger than any round" in complaint("settle", str(rubbish))
