"""Receipts as sums: the figures are those of the houses' rules, worked out by hand."""

from typing import Any

from msgspec.structs import replace

from pitboss.cards import cards
from pitboss.house.receipt import Sharer, SumLine, WagerGroup, Why, deductions, groups
from pitboss.house.table.events import SeatPaid
from pitboss.house.table.payoffs import seat_paid
from pitboss.money import Odds
from pitboss.rulebook import Rulebook
from pitboss.settle import Play, Player, SeatPlay, sentences, settle
from pitboss.wording import TIMES
from tests.helpers import DIAMOND_JO, SENECA

NAMES = {1: "Ann", 2: "Ben"}
HEARTS = {"board": cards("Th Jh Qh")}
CEILING = "J.2, R25, R29, J.1, J.3"


def stakes(*dollars: int, **side: int) -> dict[str, int]:
    """An ante and its raises in dollars, and side wagers."""
    main = dict(zip(("ante", "raise-1", "raise-2", "raise-3"), dollars, strict=True))
    return {name.replace("_", "-"): 100 * each for name, each in {**main, **side}.items()}


def paid(book: Rulebook, *seats: SeatPlay, **more: Any) -> list[SeatPaid]:
    """What is journaled of these seats."""
    play = Play(seats, 5_00, **{"piles": HEARTS, **more})
    return [seat_paid(book, each) for each in settle(book, play).seats]


def test_b5_a_shared_ceiling_is_arithmetic_under_the_wagers_titles() -> None:
    royal = SeatPlay(1, cards("Ah Kh"), stakes(100, 300, 300, 200, board_bonus=5), toke_cents=5_00)
    straight = SeatPlay(2, cards("9h 8h"), stakes(10, 10, 10, 10))
    both = paid(DIAMOND_JO, royal, straight)
    main, board, toke = groups(DIAMOND_JO, both[0], both, NAMES)
    # 500 x 900 is 450,000 and 100 x 40 is 4,000: of 25,000 that is 24,779.7357 and 220.2643.
    assert main == WagerGroup(
        wagers=(
            ("Ante", 100_00),
            ("First Raise", 300_00),
            ("Second Raise", 300_00),
            ("Third Raise", 200_00),
        ),
        outcome="win",
        stake_cents=900_00,
        net_cents=24_779_74,
        toke=False,
        why=(Why("Royal flush pays 500 to 1", "I.2.a"),),
        steps=(
            SumLine(f"500 {TIMES} $900", "", 450_000_00),
            SumLine("Payout cap for the whole table", CEILING, 25_000_00),
            SumLine("Share of it: $450,000 / $454,000", "K.1, R28", 24_779_74),
        ),
        shared_with=(Sharer(2, "Ben", 220_26),),
    )
    assert (board.wagers, board.net_cents, board.steps) == ((("Board Bonus", 5_00),), 200_00, ())
    assert (toke.toke, toke.net_cents, toke.steps, toke.shared_with) == (True, 2_500_00, (), ())
    [other] = groups(DIAMOND_JO, both[1], both, NAMES)
    assert other.steps[2] == SumLine("Share of it: $4,000 / $454,000", "K.1, R28", 220_26)
    assert other.shared_with == (Sharer(1, "Ann", 24_779_74),)


def test_a_ceiling_over_one_win_alone_is_not_shared() -> None:
    both = paid(DIAMOND_JO, SeatPlay(1, cards("Ah Kh"), stakes(100, 300, 300, 300)))
    [main] = groups(DIAMOND_JO, both[0], both, NAMES)
    assert main.steps == (
        SumLine(f"500 {TIMES} $1,000", "", 500_000_00),
        SumLine("Payout cap for the whole table", CEILING, 25_000_00),
    )
    assert (main.net_cents, main.shared_with) == (25_000_00, ())


def test_wagers_that_share_a_ceiling_for_other_reasons_say_their_part_of_it() -> None:
    cap = DIAMOND_JO.cap[0]
    wide = replace(DIAMOND_JO, cap=(replace(cap, spots=(*cap.spots, "board-bonus"), above=None),))
    bets = stakes(100, 300, 300, 200, board_bonus=5)
    both = paid(wide, SeatPlay(1, cards("Ah Kh"), bets))
    main, board = groups(wide, both[0], both, NAMES)
    # 2,776.5438, 8,329.6313 twice, 5,553.0875 and 11.1062: two cents go to the last two.
    assert main.steps[2:] == (
        SumLine("Of that on these wagers: $450,000 / $450,200", "", 24_988_89),
    )
    assert board.steps == (
        SumLine(f"40 {TIMES} $5", "", 200_00),
        SumLine("Payout cap for the whole table", CEILING, 25_000_00),
        SumLine("Of that on these wagers: $200 / $450,200", "", 11_11),
    )


def test_a_shared_meter_says_what_each_claim_was_and_who_made_the_other() -> None:
    bets = {"ante": 5_00, "bet": 10_00, "progressive": 1_00}
    both = paid(
        SENECA,
        SeatPlay(1, cards("Ah Kh Qh Jh Th"), bets),
        SeatPlay(2, cards("9s 8s 7s 6s 5s"), bets),
        piles={"dealer": cards("Ad Kd 4c 3c 2c")},
        meter_cents=11_000_00,
    )
    one, two = (groups(SENECA, each, both, NAMES)[-1] for each in both)
    # 100% and 10% of 11,000 are more than there is: ten elevenths and one eleventh of it.
    assert one.steps == (
        SumLine("100% of the meter at $11,000", "", 11_000_00),
        SumLine("Shared by 2 claims", "progressive, R36", 10_000_00),
    )
    assert (one.net_cents, two.net_cents) == (9_999_00, 999_00)  # the tokens have dropped
    assert one.shared_with == (Sharer(2, "Ben", 1_000_00),)
    assert two.shared_with == (Sharer(1, "Ann", 10_000_00),)


def test_odds_that_leave_part_of_a_cent_say_so() -> None:
    table = DIAMOND_JO.table[0]
    half = tuple(
        replace(row, odds=Odds(3, 2)) if row.row == "royal-flush" else row for row in table.rows
    )
    book = replace(DIAMOND_JO, table=(replace(table, rows=half), *DIAMOND_JO.table[1:]))
    bets = {"ante": 5_01, "raise-1": 5_02, "raise-2": 5_02, "raise-3": 5_02}
    both = paid(book, SeatPlay(1, cards("Ah Kh"), bets))
    [main] = groups(book, both[0], both, NAMES)
    assert main.steps == (SumLine(f"3/2 {TIMES} $20.07, in whole cents", "", 30_10),)  # 30.105


def test_what_is_withheld_and_held_is_taken_off_with_its_reason() -> None:
    bets = stakes(10, 10, 10, 10)
    foreign, unknown = Player(residence="foreign"), Player(identified=False)
    for who, taken in ((foreign, ["withheld"]), (unknown, ["withheld", "held"])):
        [mine] = paid(DIAMOND_JO, SeatPlay(1, cards("Ah Kh"), bets, player=who))
        found = deductions(DIAMOND_JO, mine)
        assert [step.says.rpartition(" ")[2] for step in found] == [
            "withheld" if each == "withheld" else "identification" for each in taken
        ]
        whole = sum(each.net_cents for each in groups(DIAMOND_JO, mine, [mine], NAMES))
        assert whole == 20_000_00
        assert whole + sum(step.cents for step in found) == mine.net_cents < whole
        assert all(step.clause for step in found)


def test_b5_no_sentence_of_a_ceiling_names_a_wager_by_its_id() -> None:
    royal = SeatPlay(1, cards("Ah Kh"), stakes(100, 300, 300, 300))
    settled = settle(DIAMOND_JO, Play((royal,), 5_00, HEARTS))
    said = (
        "The payout cap of $25,000 on the table's winnings in a round on Ante, First Raise, Second "
        "Raise and Third Raise at more than 50 to 1 leaves $25,000 of $500,000, "
        "$2,500 of it on this wager [J.2, R25, R29, J.1, J.3]"
    )
    assert sentences(DIAMOND_JO, settled.seats[0].lines[0])[1] == said
    bets = {"ante": 1_000_00, "bet": 2_000_00}
    seat = SeatPlay(1, cards("Ah Kh Qh Jh Th"), bets)
    play = Play((seat,), 5_00, {"dealer": cards("Ad Kd 4c 3c 2c")})
    assert sentences(SENECA, settle(SENECA, play).seats[0].lines[1])[1].startswith(
        "The payout cap of $5,000 on one player's winnings in a round on Bet by two pair and "
        "better leaves $5,000 of $200,000, $5,000 of it on this wager ["
    )
