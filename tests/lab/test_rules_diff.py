"""``pitboss rules diff``: what differs between two books, and what each difference is worth."""

from fractions import Fraction
from itertools import permutations
from pathlib import Path

import pytest

from pitboss import maths, rulebook
from pitboss.errors import Unsolved
from pitboss.lab.clause_prices import ClausePrice, Pricing
from pitboss.maths import price as maths_price
from pitboss.maths.price import At, expected_value
from pitboss.money import odds
from pitboss.rulebook import parse
from pitboss.rulebook.loader import HOUSES
from pitboss.rulebook.variants import diff, parts, taking, with_pays
from tests.command import complaint, run
from tests.helpers import DIAMOND_JO, HOLLYWOOD, SENECA

DJ, HW, SN = DIAMOND_JO.id, HOLLYWOOD.id, SENECA.id
THREE, ENVY = "common/three-card-poker", "common/caribbean-stud-envy"
NO_STAKE = At()


def changed(book_id: str, *swaps: tuple[str, str]) -> str:
    """The text of a shipped book with some of it put otherwise, each where it first stands."""
    text = (HOUSES / f"{book_id}.toml").read_text("utf-8")
    for old, new in swaps:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def compared(book_id: str, *swaps: tuple[str, str], at: At = NO_STAKE) -> dict[str, ClausePrice]:
    """What each difference between a shipped book and its changed copy is worth, by path."""
    ours, theirs = rulebook.load(book_id), parse(changed(book_id, *swaps))
    pricing = Pricing(ours, theirs, at)
    return pricing.prices(diff(ours, theirs))


def value(text: str, ante: int | None = None, minimum: int | None = None) -> Fraction:
    return maths.solve(parse(text), ante, minimum).value


# One difference is the whole of it ---------------------------------------------------------------

MAIN = [
    pytest.param(DJ, ('hand = "pair", of = "6-10"', 'hand = "pair", of = "5-10"'), id="push range"),
    pytest.param(DJ, ("times = [1, 2, 3]", "times = [1, 2]"), id="raise multiples"),
    pytest.param(DJ, ('otherwise = ["fold"]', 'otherwise = ["fold", "check"]'), id="a check"),
    pytest.param(SN, ('with = "K"\ntie', 'with = "Q"\ntie'), id="qualifier"),
    pytest.param(SN, ('tie = "push"', 'tie = "lose"'), id="ties"),
    pytest.param(SN, ('odds = "1 to 1"\nunq', 'odds = "6 to 5"\nunq'), id="spot odds"),
    pytest.param(SN, ('unqualified = "1 to 1"', 'unqualified = "push"'), id="unqualified"),
    pytest.param(SN, ("times = [2]", "times = [1, 2]"), id="more multiples"),
    pytest.param(
        THREE, ('hand = "straight", odds = "1', 'hand = "straight", odds = "2'), id="bonus"
    ),
]


@pytest.mark.parametrize(("book_id", "swap"), MAIN)
def test_any_clause_of_the_main_game_is_priced(book_id, swap):
    ((path, price),) = compared(book_id, swap).items()
    book = rulebook.load(book_id)
    worth = value(changed(book_id, swap)) - maths.solve(book).value
    assert price.changes == {"ante": worth}
    assert worth != 0
    assert (price.part, price.why) == (path, "")


CAPS = [
    pytest.param(SN, ('most = "5,000.00"', 'most = "1,000.00"'), None, id="ceiling"),
    pytest.param(SN, ('  "four-of-a-kind",\n', ""), None, id="rows"),
    pytest.param(DJ, ('above = "50 to 1"', 'above = "10 to 1"'), None, id="threshold"),
    pytest.param(DJ, ("units = 10", "units = 5"), 15_00, id="growth"),
    pytest.param(DJ, ('lowest = "5.00"', 'lowest = "10.00"'), None, id="lowest minimum"),
    pytest.param(HW, ('odds = "3 to 2"', 'odds = "4 to 3"'), None, id="odds at a stake"),
]


@pytest.mark.parametrize(("book_id", "swap", "minimum"), CAPS)
def test_ceilings_are_priced_at_a_stake(book_id, swap, minimum):
    ante = 300_01
    ((_, price),) = compared(book_id, swap, at=At(ante, minimum)).items()
    before = maths.solve(rulebook.load(book_id), ante, minimum).value
    assert price.changes == {"ante": value(changed(book_id, swap), ante, minimum) - before}
    if "odds" not in swap[0]:
        ((_, without),) = compared(book_id, swap).items()
        assert (without.changes, without.why) == ({}, "bites only at a stake: give --ante")


def test_rounding_is_priced_at_a_stake():
    swap = ('rounding = "down"', 'rounding = "up"')
    odd = ('odds = "2 to 1", clause = "I.2.h"', 'odds = "7 to 3", clause = "I.2.h"')
    ours, theirs = parse(changed(DJ, odd)), parse(changed(DJ, odd, swap))
    found = diff(ours, theirs)
    price = Pricing(ours, theirs, At(5_00)).prices(found)["rounding"]
    assert price.changes["ante"] == maths.solve(theirs, 5_00).value - maths.solve(ours, 5_00).value
    assert price.changes["ante"] > 0
    assert Pricing(ours, theirs, At()).prices(found)["rounding"].why.startswith("bites only")


def test_the_progressive_is_priced_per_token():
    ((path, price),) = compared(SN, ('award = "500.00"', 'award = "750.00"')).items()
    assert path == "table.progressive.rows.four-of-a-kind.award"
    assert price.changes == {"progressive": Fraction(624 * 250, 2_598_960)}
    seed = ('reseed = "10,000.00"', 'reseed = "20,000.00"')
    ((_, price),) = compared(SN, seed).items()
    assert price.changes == {"progressive": Fraction(10_000 * (4 + Fraction(36, 10)), 2_598_960)}
    assert compared(SN, seed, at=At(meter_cents=5_00))["progressive.reseed"].changes == {}
    part = ('meter = "10%"', 'meter = "20%"')
    ((_, price),) = compared(SN, part, at=At(meter_cents=50_000_00)).items()
    assert price.changes == {"progressive": Fraction(36 * 5_000, 2_598_960)}


def test_a_row_that_turns_from_a_part_of_the_meter_into_an_award_is_one_change():
    found = compared(SN, ('meter = "10%"', 'award = "5,000.00"'))
    assert set(found) == {f"table.progressive.rows.straight-flush.{x}" for x in ("meter", "award")}
    for price in found.values():
        assert price.part == "table.progressive.rows.straight-flush"
        assert price.changes == {"progressive": Fraction(36 * 4_000, 2_598_960)}


# What is nothing, and what does not stand alone --------------------------------------------------


@pytest.mark.parametrize(
    ("swap", "part"),
    [
        (("most = 6", "most = 5"), "seats"),
        (('title = "Lo Ball"', 'title = "Low"'), "spot.lo-ball.title"),
        (('least = "1.00"', 'least = "2.00"'), "spot.board-bonus.least"),
        (('highest = "100.00"', 'highest = "200.00"'), "limits.maximum.highest"),
        (('notify = ["general-manager"', 'notify = ["shift-manager"'), "cap.0.notify"),
        (("packet = 2", "packet = 1"), "script.0"),
        (('over = "600.00"', 'over = "700.00"'), "tax"),
    ],
)
def test_what_cannot_touch_the_price_is_exactly_nothing(swap, part):
    ((_, price),) = compared(DJ, swap).items()
    assert (price.part, price.changes, price.why) == (part, {}, "")


def test_rows_of_another_set_are_one_change_of_the_table():
    pair = '  { row = "pair", hand = "pair", odds = "5 to 1"'
    faces = '  { row = "faces", hand = "pair", of = "J-K", odds = "8 to 1", clause = "x" },\n'
    aces = ('of = "A", odds = "25 to 1"', 'of = "A", odds = "30 to 1"')
    found = compared(DJ, (pair, faces + pair), aces)
    assert {price.part for price in found.values()} == {"table.pocket-bonus.rows"}
    worth = Fraction(18 * 3 + 6 * 5, 1326)
    assert all(price.changes == {"pocket-bonus": worth} for price in found.values())


def test_what_lies_in_a_part_that_is_exchanged_whole_is_counted_once():
    row = ('of = "6-10", odds = "push"', 'of = "J-A", odds = "push"')
    found = compared(DJ, row, ('of = "J-A", odds = "1 to 1"', 'of = "6-10", odds = "1 to 1"'))
    assert len(found) == 2
    ours = DIAMOND_JO
    theirs = parse(
        changed(DJ, row, ('of = "J-A", odds = "1 to 1"', 'of = "6-10", odds = "1 to 1"'))
    )
    pricing = Pricing(ours, theirs, At())
    (total,) = pricing.totals(pricing.prices(diff(ours, theirs)))
    assert total.change == maths.solve(theirs).value - maths.solve(ours).value
    assert total.one_by_one == total.change


def test_a_wager_that_only_one_book_has_is_said_so():
    found = {each["path"]: each for each in run("rules", "diff", DJ, HW, "--json").json}
    for path in ("spot.all-six.name", "table.all-six.rows.flush.odds"):
        assert found[path]["price"] is None
        assert found[path]["why"] == "only the second book has this wager"
    total = found["total.all-six"]
    assert (total["ours"], total["theirs"]) == ("no such wager", "-55546/363545")
    back = {each["path"]: each for each in run("rules", "diff", HW, DJ, "--json").json}
    assert back["spot.all-six.name"]["why"] == "only the first book has this wager"


def test_another_deal_of_the_same_cards_is_priced_as_a_whole():
    found = {each["path"]: each for each in run("rules", "diff", DJ, HW, "--json").json}
    for step in range(11):
        each = found[f"script.{step}"]
        assert (each["price"], each["of"], each["part"]) == ("0/1", None, "script")


def test_other_games_are_told_apart_in_words():
    said = run("rules", "diff", DJ, SN).out
    assert "  = script: not alone: no spot 'bet'; there are board-bonus," in said
    assert "  = qualifier: not alone: dealer has fewer than 5 cards to compare" in said
    assert "  = table.bet: not alone: only the second book has this table" in said
    assert "total.ante\n  - -4.9149%\n  + -5.2243%\n  = -0.3094% of the ante" in said


FOUR = (DJ, SN, "hollywood-penn-national/cajun-stud", "common/mississippi-stud")
NEIGHBOURS = (
    ("common/let-it-ride", "common/mississippi-stud"),
    ("common/three-card-poker", SN),
    ("common/caribbean-stud", "common/caribbean-stud-envy"),
    ("common/caribbean-stud-royal", "common/caribbean-stud"),
)
"""Others that take no minutes to solve, each beside what is most like it."""


@pytest.mark.parametrize(("a", "b"), [*permutations(FOUR, 2), *NEIGHBOURS])
def test_every_two_books_can_be_compared(a, b):
    for more in ((), ("--ante", "25", "--minimum", "15")):
        for each in run("rules", "diff", a, b, "--json", *more).json:
            if not each["path"].startswith("total."):
                assert (each["price"] is None) == bool(each["why"])


def test_a_game_that_is_not_solved_says_so(monkeypatch):
    def unsolved(*_: object) -> None:
        raise Unsolved("games like this are not solved yet", "some/book")

    monkeypatch.setattr(maths_price, "solve", unsolved)
    aces, flush = ('odds = "25 to 1"', 'odds = "30 to 1"'), ('odds = "6 to 1"', 'odds = "7 to 1"')
    found = compared(DJ, flush, aces)
    assert found["table.main.rows.flush.odds"].why == (
        "not priced: games like this are not solved yet"
    )
    assert found["table.pocket-bonus.rows.aces.odds"].changes == {
        "pocket-bonus": Fraction(30, 1326)
    }


def test_side_wagers_that_play_or_a_ceiling_decides_are_not_priced():
    falls = compared(DJ, ('after_fold = "lives"', 'after_fold = "lost"'))
    assert falls["spot.board-bonus.after_fold"].why == (
        "not priced: what a fold loses of a side wager depends on play"
    )
    capped = ('spots = ["ante", ', 'spots = ["lo-ball", "ante", ')
    assert compared(DJ, capped)["cap.0.spots"].why == "bites only at a stake: give --ante"
    assert compared(DJ, capped, at=At(25_00))["cap.0.spots"].why == (
        "not priced: a payout cap on a side wager is not priced yet"
    )


def test_awards_to_others_are_priced_among_several():
    """By hand: four royals of 1,000 and 36 straight flushes of 300 in 2,598,960, on 5.00."""
    swap = ('others = "1,000.00"', 'others = "2,000.00"')
    path = "table.five-card-bonus.rows.royal-flush.others"
    alone = compared(ENVY, swap)[path]
    assert (alone.changes, alone.why) == ({}, "bites only among several: give --players")
    among = compared(ENVY, swap, at=At(players=7))[path]
    assert among.changes == {"five-card-bonus": Fraction(6 * 4 * 1_000, 2_598_960 * 5)}
    each = Fraction(4 * 1_000 + 36 * 300, 2_598_960 * 5)
    command = ("rules", "diff", "common/caribbean-stud", ENVY, "--players", "7", "--json")
    found = {row["path"]: row for row in run(*command).json}
    assert Fraction(found["total.five-card-bonus"]["price"]) == 6 * each
    side = run("par", ENVY, "--json").json["side"]["five-card-bonus"]
    assert Fraction(side["others"]) == each


def test_awards_on_a_wager_of_any_size_are_not_priced():
    free = ('fixed = "5.00"', 'least = "1.00"')
    assert expected_value(parse(changed(ENVY, free)), "five-card-bonus") == expected_value(
        rulebook.load(ENVY), "five-card-bonus"
    )
    with pytest.raises(Unsolved, match="a wager of any size"):
        expected_value(parse(changed(ENVY, free)), "five-card-bonus", At(players=2))


# As the command has it ---------------------------------------------------------------------------


def test_each_row_that_pays_other_odds_is_priced():
    found = {each["path"]: each for each in run("rules", "diff", DJ, HW, "--json").json}
    two_pair = with_pays(DIAMOND_JO, {"two-pair": odds("3 to 2")})
    worth = maths.solve(two_pair).value - maths.solve(DIAMOND_JO).value
    assert found["table.main.rows.two-pair.odds"] == {
        "path": "table.main.rows.two-pair.odds",
        "ours": "2 to 1",
        "theirs": "3 to 2",
        "clause_ours": "I.2.h",
        "clause_theirs": "ante-and-raise-wagers, R3",
        "price": f"{worth.numerator}/{worth.denominator}",
        "of": "ante",
        "why": None,
        "part": "table.main.rows.two-pair.odds",
    }
    pocket = found["table.pocket-bonus.rows.aces.odds"]
    assert (Fraction(pocket["price"]), pocket["of"]) == (Fraction(6 * 5, 1326), "pocket-bonus")
    total = found["total.ante"]
    assert Fraction(total["theirs"]) == maths.solve(HOLLYWOOD).value
    assert Fraction(total["theirs"]) - Fraction(total["ours"]) == Fraction(total["price"])
    rows = [f"table.main.rows.{row}.odds" for row in ("full-house", "flush", "two-pair")]
    assert Fraction(total["one_by_one"]) == sum(Fraction(found[row]["price"]) for row in rows)
    said = run("rules", "diff", DJ, HW).out
    assert f"  = {float(worth):+.4%} of the ante for the player" in said
    assert "  - 2 to 1 [I.2.h]\n  + 3 to 2 [ante-and-raise-wagers, R3]" in said
    assert "  = deck: does not change the price" in said


def test_a_change_that_touches_several_wagers_names_them_all(tmp_path: Path):
    ours, theirs = tmp_path / "ours.toml", tmp_path / "theirs.toml"
    twin = ('table = "lo-ball"', 'table = "pocket-bonus"')
    ours.write_text(changed(DJ, twin))
    theirs.write_text(changed(DJ, twin, ('odds = "25 to 1"', 'odds = "26 to 1"')))
    only, *totals = run("rules", "diff", str(ours), str(theirs), "--json").json
    assert only["prices"] == {"pocket-bonus": "1/221", "lo-ball": "1/221"}
    assert (only["price"], only["of"]) == ("1/221", "pocket-bonus")
    assert [each["of"] for each in totals] == ["pocket-bonus", "lo-ball"]
    said = run("rules", "diff", str(ours), str(theirs)).out
    assert "  = +0.4525% of the pocket-bonus for the player\n  = +0.4525% of the lo-ball" in said


def test_a_single_change_is_the_whole_difference(tmp_path: Path):
    path = tmp_path / "other.toml"
    path.write_text(changed(DJ, ('"6 to 1", clause = "I.2.e"', '"7 to 1", clause = "I.2.e"')))
    only, total = run("rules", "diff", DJ, str(path), "--json").json
    assert only["price"] == total["price"] == total["one_by_one"]
    assert Fraction(only["price"]) == value(path.read_text()) - maths.solve(DIAMOND_JO).value
    assert "price" not in run("rules", "diff", DJ, str(path), "--no-price", "--json").json[0]
    assert " = " not in run("rules", "diff", DJ, str(path), "--no-price").out
    assert "; ante $25, caps as for one" in run("rules", "diff", DJ, HW, "--ante", "25").out


def test_the_same_book_has_no_differences():
    assert run("rules", "diff", DJ, DJ, "--json").json == []
    assert run("rules", "diff", DJ, DJ).out == f"0 differences; - is {DJ}, + is {DJ}\n"


def test_diff_refuses():
    assert "--ante: an ante is more than nothing" in complaint(
        "rules", "diff", DJ, HW, "--ante", "0"
    )
    assert "--meter: neither book has" in complaint("rules", "diff", DJ, HW, "--meter", "5")
    assert "is not money" in complaint("rules", "diff", DJ, HW, "--minimum", "lots")
    assert "more than nothing" in complaint("rules", "diff", DJ, HW, "--minimum", "0")


# Exchanging parts --------------------------------------------------------------------------------


@pytest.mark.parametrize(("a", "b"), list(permutations((DIAMOND_JO, HOLLYWOOD, SENECA), 2)))
def test_taking_a_part_undoes_its_differences_and_no_others(a, b):
    before = {each.path for each in diff(a, b)}
    rooms = ("script", "spot", "table", "cap", "qualifier", "limits")
    for part in {parts(a, b, path)[0] for path in before if path.partition(".")[0] in rooms}:
        gone = before - {each.path for each in diff(taking(a, b, part), b)}
        assert gone == {each for each in before if f"{each}.".startswith(f"{part}.")}
