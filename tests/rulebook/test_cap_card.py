"""When a cap bites: the card's sentence against settlements of real hands."""

import pytest

from pitboss import rulebook
from pitboss.rulebook import Rulebook
from pitboss.rulebook.cap_card import cap_card, paid_in_full
from pitboss.rulebook.loader import HOUSES
from pitboss.rulebook.sign import sign, sign_text
from tests.helpers import DIAMOND_JO, HOLLYWOOD, MISSISSIPPI, SENECA, hand, settled

DJ = (HOUSES / "diamond-jo-worth/cajun-stud.toml").read_text("utf-8")
HW = (HOUSES / "hollywood-penn-national/cajun-stud.toml").read_text("utf-8")
SN = (HOUSES / "seneca-niagara/caribbean-stud.toml").read_text("utf-8")

HANDS = (
    *("Ah Kh Qh Jh Th", "9h 8h 7h 6h 5h", "9c 9d 9h 9s 4d", "9c 9d 9h 4s 4d", "Ah Jh 9h 6h 3h"),
    *("9c 8d 7h 6h 5s", "9c 9d 9h 7s 4d", "9c 9d 7h 7s 4d", "Ac Ad 7h 5s 4d", "8c 8d 7h 5s 4d"),
)
"""One of each kind."""

ALL_OF = SN[SN.index('rows = [\n  "royal') :].partition("]")[0]
"""The rows of a cap."""
THIRDS = (
    ('spots = ["bet"]', 'spots = ["ante", "bet"]'),
    (f"{ALL_OF}]", ""),
    ('odds = "100 to 1"', 'odds = "301 to 3"'),
    ('odds = "1 to 1"\n', 'odds = "1 to 3"\n'),
)
"""Two wagers with a fraction of a cent each."""
A_SEVENTH = ('odds = "100 to 1"', 'odds = "1 to 7"')
UP = ('rounding = "down"', 'rounding = "up"')

WEAK, STRONG = "Qc Jd 8d 3c 2s", "Ac Kd 8d 3c 2s"


def changed(text: str, *changes: tuple[str, str]) -> Rulebook:
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return rulebook.parse(text)


def capped(book: Rulebook, ante: int, minimum: int) -> bool:
    """Whether any hand, alone and raised by the most, is paid less than its odds say."""
    most = [max(step.times) for step in book.streets]
    for held in HANDS:
        if book.qualifier is None:
            own, board = held[:5], held[6:]
            done = [settled(book, hand(book, own, most, ante=ante), minimum=minimum, board=board)]
        else:
            seat = hand(book, held, most, ante=ante)
            done = [settled(book, seat, minimum=minimum, dealer=each) for each in (WEAK, STRONG)]
        if any(x.won_cents < x.nominal_cents for each in done for x in each.seats[0].lines):
            return True
    return False


@pytest.mark.parametrize("minimum", [1, 4_99, 5_00, 7_33, 10_00, 15_00])
@pytest.mark.parametrize(
    "book",
    [
        DIAMOND_JO,
        HOLLYWOOD,
        SENECA,
        changed(DJ, ("25,000.00", "1,234.56"), ("units = 10", "units = 1")),
        changed(DJ, ('above = "50 to 1"', 'above = "100 to 1"'), ("25,000.00", "777.77")),
        changed(HW, ("50,000.00", "19.99"), ('odds = "500 to 1"', 'odds = "7 to 3"')),
        changed(HW, ("50,000.00", "19.99"), ('odds = "500 to 1"', 'odds = "1 to 7"')),
        changed(HW, ("50,000.00", "3.01"), ('spots = ["ante", "raise-1", ', 'spots = ["ante", ')),
        changed(SN, ('spots = ["bet"]\nrows', 'spots = ["ante", "bet"]\nrows')),
        changed(SN, (ALL_OF, 'rows = ["royal-flush"'), ("5,000.00", "3.33"), A_SEVENTH),
        changed(SN, *THIRDS, ("5,000.00", "2.01"), UP),
        changed(SN, ("5,000.00", "333.33"), ('odds = "100 to 1"', 'odds = "5 to 2"')),
    ],
)
def test_one_cent_more_and_a_real_settlement_is_capped(book: Rulebook, minimum: int) -> None:
    found = paid_in_full(book, book.cap[0], minimum)
    assert found is not None
    ante, _ = found
    assert not capped(book, ante, minimum)
    assert capped(book, ante + 1, minimum)


def test_it_is_said_of_the_posted_limits() -> None:
    said = [
        cap_card(book, book.cap[0], least, most).bites
        for book, least, most in (
            (DIAMOND_JO, 5_00, 100_00),
            (DIAMOND_JO, 15_00, 100_00),
            (HOLLYWOOD, 15_00, None),
            (SENECA, 5_00, 25_00),
            (SENECA, 5_00, 25_01),
        )
    ]
    assert said == [
        "It bites above an Ante of $5 on a royal flush with the largest raises.",
        "It bites above an Ante of $15 on a royal flush with the largest raises.",
        "It bites at every Ante of this table on a royal flush with the largest raises.",
        "No Ante at this table reaches it.",
        "It bites above an Ante of $25 on a royal flush with the largest raises.",
    ]


def test_the_kinds_of_cap_in_words() -> None:
    ours, theirs, bets = (
        cap_card(book, book.cap[0], 5_00, 100_00) for book in (DIAMOND_JO, HOLLYWOOD, SENECA)
    )
    assert ours.heading == "Payout cap: $25,000 a round, whole table"
    assert theirs.heading == "Payout cap: $50,000 a round, each player"
    assert bets.heading == "Payout cap: $5,000 a round, each player"
    assert ours.counts == (
        "Only wins on Ante and raises at more than 50 to 1 count (royal flush and straight flush). "
        "Board Bonus, Pocket Bonus and Lo Ball are not capped."
    )
    assert theirs.counts.startswith("Every win on Ante and raises counts. Board Bonus, ")
    assert bets.counts.startswith("Only wins on Bet by two pair and better count. Progressive and")
    assert ours.shared == "If several players hit, they share it in proportion."
    assert theirs.shared == "Where it bites, a player's wagers share it in proportion."
    assert bets.shared == ""
    assert {"J.1", "J.2", "J.3", "K.1"} < set(ours.cites)
    assert sign(MISSISSIPPI, 5_00, None, {}).caps == ()


def test_where_the_ante_alone_does_not_say_nothing_is_said() -> None:
    side = changed(HW, ('"raise-3"]\nclause = "aggregate"', '"lo-ball"]\nclause = "aggregate"'))
    card = cap_card(side, side.cap[0], 5_00, None)
    assert (paid_in_full(side, side.cap[0], 5_00), card.bites) == (None, "")
    assert card.counts.startswith("Every win on Ante, First Raise, Second Raise and Lo Ball counts")


def test_the_printed_sign_has_the_card_with_money_as_everywhere() -> None:
    said = sign_text(sign(DIAMOND_JO, 5_00, 100_00, {}))
    assert "PAYOUT CAP: $25,000 A ROUND, WHOLE TABLE\nOnly wins on Ante and raises" in said
    assert max(map(len, said.splitlines())) <= 80
