"""Game protection against published figures, and against plain enumeration card by card."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest

from pitboss import maths
from pitboss.cards import DECK, Card, cards
from pitboss.errors import Unreadable
from pitboss.lab import protect
from pitboss.lab import shared_hands as shares
from pitboss.lab.protect import group, keys, known, order_seen, told
from pitboss.lab.shared_hands import shared
from pitboss.maths import hand_states
from pitboss.maths.dealers_hands import multisets
from pitboss.maths.decisions import main_table
from pitboss.maths.hand_states import KEYS, levels, strength
from pitboss.money import odds
from pitboss.rulebook.variants import with_pays
from tests.command import complaint, run
from tests.helpers import BOOKS, DIAMOND_JO, HOLLYWOOD, MISSISSIPPI, SENECA
from tests.small_books import TAKE_BACK

CAJUN = ("100", "010", "001", "110", "101", "011", "111")


@cache
def dealer_known(key: str) -> Fraction:
    return known(SENECA, key)


# What may be known ------------------------------------------------------------------------------


def test_what_may_be_known_is_named_in_dealing_order():
    assert order_seen(DIAMOND_JO) == (None, None, 0, 1, 2)
    for book in BOOKS:
        assert keys(book) == (("1", "2", "3", "4", "5") if book is SENECA else CAJUN)


def test_only_what_may_be_known_is_priced():
    with pytest.raises(Unreadable, match="'000' is none of 100, 010, "):
        known(DIAMOND_JO, "000")
    with pytest.raises(Unreadable, match="'6' is none of 1, 2, 3, 4, 5"):
        known(SENECA, "6")


def test_a_group_of_ranks_is_read():
    assert group("J") == {9}
    assert group("jQ10") == {8, 9, 10}
    for written in ("", "X", "JJ", "J Q"):
        with pytest.raises(Unreadable):
            group(written)


# Published and known otherwise ------------------------------------------------------------------


def test_the_first_community_card_exposed():
    assert round(float(known(DIAMOND_JO, "100")), 6) == 0.548660
    assert known(MISSISSIPPI, "100") == known(DIAMOND_JO, "100")


def test_jacks_told_by_their_backs():
    assert round(float(told(DIAMOND_JO, group("J"))), 5) == 0.38489  # published


@pytest.mark.parametrize(
    ("ranks", "edge"), [("J", 0.397), ("JQ", 0.489), ("JQK", 0.590), ("JQKA", 0.634)]
)
def test_groups_with_a_better_straight(ranks, edge):
    """Published for a table that pays a straight 5 to 1, from a simulation."""
    book = with_pays(DIAMOND_JO, {"straight": odds("5:1")})
    assert float(told(book, group(ranks))) == pytest.approx(edge, abs=0.004)


def test_knowing_only_what_all_know_is_the_ordinary_game():
    assert dealer_known("1") == maths.solve(SENECA).value


@pytest.mark.parametrize("ante", [None, 25_00])
@pytest.mark.parametrize("book", [DIAMOND_JO, HOLLYWOOD], ids=lambda book: book.id)
def test_knowing_more_is_never_worse(book, ante):
    value = {key: known(book, key, ante, 5_00) for key in CAJUN}
    value["000"] = maths.solve(book, ante, 5_00).value
    for less, more in permutations(value, 2):
        if all(a <= b for a, b in zip(less, more, strict=True)):
            assert value[less] < value[more]
    # Later cards decide more: they would be seen last.
    assert value["100"] < value["010"] < value["001"]


def test_knowing_more_of_the_dealers_cards_is_better():
    values = [dealer_known(key) for key in keys(SENECA)]
    assert values == sorted(set(values))


def test_a_cap_takes_from_those_who_know_too():
    assert known(DIAMOND_JO, "111", 100_00, 5_00) < known(DIAMOND_JO, "111")
    assert known(SENECA, "5", 1000_00, 5_00) < dealer_known("5")


# The community family, card by card --------------------------------------------------------------

PAYS = main_table(DIAMOND_JO)
NET = np.array([0.0, *(float(PAYS.row_for(h.strength).odds or 0) for h in PAYS.order.classes)])

View = Callable[[tuple[Card, ...], int], object]
"""From the board in dealing order and how many of it are up to what the player knows of it."""


def by_cards(pocket: Sequence[Card], deck: Sequence[Card], view: View) -> float:
    """The best value of a pocket with boards from a part of the deck, by what the player knows.

    Without a cap every choice is linear in the raise: 3x or 1x or fold.
    """
    boards: list[tuple[Card, ...]] = list(permutations(deck, 3))
    sums = KEYS[list(pocket)].sum() + KEYS[np.array(boards)].sum(axis=1)
    nets = dict(zip(boards, NET[strength(sums)].tolist(), strict=True))

    def best(still: list[tuple[Card, ...]], up: int, stake: int) -> float:
        """The sum of the best choices over the boards that are still possible."""
        if up == 3:
            return float(stake * sum(nets[board] for board in still))
        seen: dict[object, list[tuple[Card, ...]]] = {}
        for board in still:
            seen.setdefault(view(board, up), []).append(board)
        return sum(
            max(-stake * len(alike), *(best(alike, up + 1, stake + raised) for raised in (1, 3)))
            for alike in seen.values()
        )

    return best(boards, 0, 1)


def early(key: str) -> View:
    known_places = [place for place, bit in enumerate(key) if bit == "1"]
    return lambda board, up: (board[:up], tuple(board[place] for place in known_places))


def marked(ranks: str) -> View:
    inside = group(ranks)
    return lambda board, up: (board[:up], tuple(card.rank - 2 in inside for card in board))


def by_ladder(pocket: Sequence[Card], deck: Sequence[Card], key: str) -> float:
    """The same by backward induction over numbers of cards seen, on this short deck."""
    ups = [sum(bit == "1" or place < up for place, bit in enumerate(key)) for up in range(3)]
    nets: dict[tuple[Card, ...], float] = {
        board: float(NET[strength(KEYS[[*pocket, *board]].sum())])
        for board in permutations(deck, 3)
    }

    def best(seen: tuple[Card, ...], street: int, stake: int) -> float:
        wanted = 3 if street == 3 else ups[street]
        if len(seen) < wanted:
            return sum(best((*seen, c), street, stake) for c in deck if c not in seen)
        if street == 3:
            return stake * nets[seen]
        left = len(deck) - len(seen)
        boards = int(np.prod([left - taken for taken in range(3 - len(seen))]))
        return max(-stake * boards, *(best(seen, street + 1, stake + r) for r in (1, 3)))

    return best((), 0, 1)


@pytest.mark.parametrize("key", ["000", *CAJUN])
def test_only_the_number_of_cards_seen_matters(key):
    """The idea behind the exact way: which card is known is told by how many are seen when."""
    deck = cards("Kd 9s 8h 7c 2d Js Ah 3c")
    for pocket in (cards("Ks 9d"), cards("Th 9h"), cards("4s 4d")):
        assert by_cards(pocket, deck, early(key)) == by_ladder(pocket, deck, key)


def boards_of(pocket: Sequence[Card]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The cards left; for every three of them in order, whether they differ, and the row's odds."""
    left = np.array([card for card in DECK if card not in pocket])
    one, two, three = np.ogrid[: len(left), : len(left), : len(left)]
    apart = (one != two) & (one != three) & (two != three)
    sums = KEYS[list(pocket)].sum() + KEYS[left][one] + KEYS[left][two] + KEYS[left][three]
    return left, apart, np.where(apart, NET[strength(np.where(apart, sums, sums[0, 1, 2]))], 0)


def pocket_value(pocket: Sequence[Card], key: str) -> float:
    """The value of a pocket with the whole deck: by the number of cards seen, by plain arrays."""
    _, apart, net = boards_of(pocket)
    worth = {stake: stake * net for stake in range(4, 11)}
    weight = apart.astype(float)
    for street in (2, 1, 0):
        seen = sum(bit == "1" or place < street for place, bit in enumerate(key))
        # The axes are in the order of being seen, so those beyond are still to come.
        axes = tuple(range(seen, weight.ndim))
        weight = weight.sum(axis=axes)
        worth = {stake: each.sum(axis=axes) for stake, each in worth.items()}
        worth = {
            stake: np.max([-stake * weight, *(worth[stake + raised] for raised in (1, 2, 3))], 0)
            for stake in range(1 + street, 2 + 3 * street)
        }
    return float(worth[1].sum() / apart.sum())


def solved_pocket(pocket: Sequence[Card], price: Callable[[], object]) -> float:
    """What a pocket comes to while the solver prices the game."""
    suited = len({card.suit for card in pocket}) == 1
    state = levels()[2].find(tuple(card.rank for card in pocket), suited=suited)
    real, found = hand_states.back_to, []

    def back(ladder, to, at, worth):
        if to == 0:
            found.append(int(real(ladder, 2, at, worth)[state, 0]))
        return real(ladder, to, at, worth)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(protect, "back_to", back)
        price()
    return sum(found) / (50 * 49 * 48)


@pytest.mark.parametrize("key", ["010", "001"])
def test_pockets_card_by_card(key):
    for pocket in map(cards, ("Ks Qd", "9h 8h", "2c 7d", "6s 6d")):
        found = solved_pocket(pocket, lambda: known(DIAMOND_JO, key))
        assert found == pytest.approx(pocket_value(pocket, key), abs=1e-12)


def test_the_whole_board_known_by_sampling_deals():
    """Fold at once, or raise the most on every street: ten antes at the row's odds."""
    chance = np.random.default_rng(3)
    dealt = np.argsort(chance.random((400_000, 52)), axis=1)[:, :5]
    net = np.maximum(-1, 10 * NET[strength(KEYS[dealt].sum(axis=1))])
    error = net.std() / len(net) ** 0.5
    assert abs(net.mean() - float(known(DIAMOND_JO, "111"))) < 4 * error


# Marked backs ------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
def test_backs_that_are_all_alike_tell_nothing(book):
    assert told(book, group("23456789TJQKA"), 100_00, 5_00) == maths.solve(book, 100_00, 5_00).value


def test_a_group_tells_what_its_complement_tells():
    assert told(DIAMOND_JO, group("JQK")) == told(DIAMOND_JO, group("23456789TA"))
    assert told(DIAMOND_JO, group("J")) > maths.solve(DIAMOND_JO).value
    assert told(DIAMOND_JO, group("J"), 100_00, 5_00) < told(DIAMOND_JO, group("J"))


def marked_pocket(pocket: Sequence[Card], ranks: str) -> float:
    """The value of a pocket when the backs of the board tell a group, by plain arrays."""
    left, apart, net = boards_of(pocket)
    inside, total = np.isin(left >> 2, list(group(ranks))), 0.0
    for bits in range(8):
        first, second, third = (inside == bool(bits >> place & 1) for place in range(3))
        here = apart & first[:, None, None] & second[None, :, None] & third
        weight, worth = here.astype(float), {stake: stake * net * here for stake in range(4, 11)}
        for street in (2, 1, 0):
            weight = weight.sum(axis=-1)
            worth = {stake: each.sum(axis=-1) for stake, each in worth.items()}
            worth = {
                stake: np.max([-stake * weight, *(worth[stake + more] for more in (1, 2, 3))], 0)
                for stake in range(1 + street, 2 + 3 * street)
            }
        total += float(worth[1])
    return float(total / apart.sum())


@pytest.mark.parametrize(("pocket", "ranks"), [("Ks Qd", "J"), ("9h 8h", "JQK"), ("2c 7d", "A2")])
def test_marked_pockets_card_by_card(pocket, ranks):
    held = cards(pocket)
    found = solved_pocket(held, lambda: told(DIAMOND_JO, group(ranks)))
    assert found == pytest.approx(marked_pocket(held, ranks), abs=1e-12)


def test_marked_short_boards_by_what_is_known():
    """Reading of the rule: all backs are seen from the start, and faces as they are turned."""
    deck = cards("Kd 9s 8h 7c 2d Js Ah 3c")
    pocket = cards("Ks 9d")
    blind, sees = by_cards(pocket, deck, early("000")), by_cards(pocket, deck, marked("KA"))
    assert blind < sees < by_cards(pocket, deck, early("111"))


# Against a dealer, card by card -----------------------------------------------------------------


TABLE = next(SENECA.tables[s.table] for s in SENECA.spot if s.kind == "main" and s.table)
ODDS = [0.0, *(float(TABLE.row_for(hand.strength).odds or 0) for hand in TABLE.order.classes)]
WEAKEST = SENECA.qualifier.weakest if SENECA.qualifier else 0


def raise_value(mine: int, theirs: np.ndarray) -> float:
    """What a raise to two antes nets on average against these dealer's hands, by the odds."""
    won = np.where(theirs < mine, 1 + 2 * ODDS[mine], np.where(theirs == mine, 0, -3))
    return float(np.where(theirs < WEAKEST, 1, won).mean())


BLIND = -3_310_360_338_060 / 19_933_230_517_200
"""What raising blind is worth (published). What folding in time saves has no long tail."""


@pytest.mark.parametrize("many", [1, 2, 3])
def test_every_hand_beside_every_card_shown_is_counted(many):
    total = 0
    for shown in multisets(many):
        apart, alike = protect._holdings(shown)
        total += int(apart.sum()) + (int(alike[2].sum()) if alike else 0)
    assert total == comb(52, 5) * comb(47, many)


@pytest.mark.parametrize("many", [2, 3, 4, 5])
def test_dealers_cards_known_by_sampling(many):
    chance = np.random.default_rng(11)
    saved = []
    for _ in range({2: 2_000, 3: 5_000}.get(many, 10_000)):
        dealt = chance.permutation(52)
        mine = int(strength(KEYS[dealt[:5]].sum()))
        left = KEYS[dealt[5 + many :]]
        rest = _choices(len(left), 5 - many)
        theirs = strength(left[rest].sum(axis=0) + KEYS[dealt[5 : 5 + many]].sum())
        saved.append(max(0.0, -1 - raise_value(mine, theirs)))
    error = np.std(saved) / len(saved) ** 0.5
    assert error < 0.02
    assert abs(BLIND + np.mean(saved) - float(dealer_known(str(many)))) < 4 * error


@cache
def _choices(cards_left: int, many: int) -> np.ndarray:
    found = list(combinations(range(cards_left), many))
    return np.array(found, np.int64).reshape(len(found), many).T


def test_dealers_marked_backs_by_sampling():
    chance = np.random.default_rng(12)
    inside = group("AK")
    saved = []
    for _ in range(400):
        dealt = chance.permutation(52)
        mine = int(strength(KEYS[dealt[:5]].sum()))
        told_of = np.isin(dealt >> 2, list(inside))
        left = dealt[6:]
        rest = _choices(len(left), 4)
        alike = told_of[6:][rest].sum(axis=0) == told_of[6:10].sum()
        theirs = strength(KEYS[left][rest[:, alike]].sum(axis=0) + KEYS[dealt[5]])
        saved.append(max(0.0, -1 - raise_value(mine, theirs)))
    error = np.std(saved) / len(saved) ** 0.5
    assert abs(BLIND + np.mean(saved) - float(told(SENECA, inside))) < 4 * error


# Players who share -------------------------------------------------------------------------------


def test_shared_pockets_agree_with_the_coach():
    sharing = shares._Pockets(DIAMOND_JO, 3, None, 5_00)
    level = levels()[2]
    for written, others in (
        ("Kc Qd", "Ks Kd 2c 7h"),
        ("9c 8c", "Tc Jc 7c 2h"),
        ("6c 5d", "4d 4h As 9s"),
    ):
        pocket, gone = cards(written), cards(others)
        suited = pocket[0].suit == pocket[1].suit
        state = level.find(tuple(card.rank for card in pocket), suited=suited)
        best, usual = sharing.followed(state, np.array([gone, gone]))
        wanted = max(maths.worths(DIAMOND_JO, maths.Seen(pocket), gone).values())
        assert best.tolist() == pytest.approx([float(wanted)] * 2)
        assert (usual <= best).all()


def test_shared_hands_agree_with_the_coach():
    sharing = shares._Dealt(SENECA, 3, None, 5_00)
    solution = maths.solve(SENECA)
    for seed in range(4):
        dealt = np.random.default_rng(seed).permutation(52)
        deck = [DECK[index] for index in dealt]
        hands = [tuple(deck[at : at + 5]) for at in (0, 5, 10)]
        gains = []
        for hand in hands:
            seen = maths.Seen(hand, upcard=deck[15])
            gone = [card for other in hands if other != hand for card in other]
            worth = maths.worths(SENECA, seen, gone)
            gains.append(max(worth.values()) - worth[solution.choice(seen)])
        assert sharing.gain(dealt) == pytest.approx(float(sum(gains) / 3))


def test_ordinary_choices_are_worth_the_ordinary_value_on_average():
    sharing = shares._Pockets(DIAMOND_JO, 6, None, 5_00)
    chance, state = np.random.default_rng(5), levels()[2].find((14, 6), suited=False)
    left = np.array([card for card in DECK if card not in cards("Ac 6d")])
    _, usual = sharing.followed(state, shares._drawn(chance, left, 4000, 10))
    error = usual.std() / len(usual) ** 0.5
    wanted = max(maths.solve(DIAMOND_JO).worth(maths.Seen(cards("Ac 6d"))).values())
    assert abs(usual.mean() - float(wanted)) < 4 * error


@pytest.mark.parametrize("book", [DIAMOND_JO, SENECA], ids=lambda book: book.id)
def test_sharing_gains_and_repeats_from_its_seed(book, monkeypatch):
    monkeypatch.setattr(shares, "BATCHES", 2)
    monkeypatch.setattr(shares, "_POCKETS", 20)
    monkeypatch.setattr(shares, "_TABLES", 60)
    first, better = shared(book, 6)
    assert better.error < first.error
    assert better.value > float(maths.solve(book).value) + 2 * better.error
    assert [first, better] == list(shared(book, 6, seed=7))
    assert [first, better] != list(shared(book, 6, seed=8))


# The command --------------------------------------------------------------------------------------


def test_protect_for_programs():
    found = run("protect", DIAMOND_JO.id, "--json", "--sorted", "J", "--sorted", "jqk").json
    assert found["rulebook"] == DIAMOND_JO.id
    assert list(found["known"]) == list(CAJUN)
    assert round(found["known"]["100"], 6) == 0.548660
    assert round(found["ordinary"], 6) == -0.049149
    assert found["sorted"]["J"] == float(told(DIAMOND_JO, group("J")))
    assert found["exact"]["ordinary"] == "-53223/1082900"
    assert found["exact"]["known"]["100"] == "254633/464100"
    assert found["exact"]["sorted"]["J"] == str(told(DIAMOND_JO, group("J")))
    assert list(found["sorted"]) == ["J", "JQK"]
    assert "share" not in found
    capped = run("protect", DIAMOND_JO.id, "--json", "--ante", "25.00").json
    assert capped["ante_cents"] == 25_00
    assert capped["known"]["111"] < found["known"]["111"]
    assert "sorted" not in capped


def test_protect_for_people(monkeypatch):
    monkeypatch.setattr(shares, "BATCHES", 1)
    ran = run("protect", MISSISSIPPI.id, "--sorted", "10", "--share", "2")
    assert (ran.code, ran.err) == (0, "")
    assert "community card 1 known                     +54.8660%   +59.7808%   exact\n" in ran.out
    assert "10 told by their backs" in ran.out
    assert "2 players share what they hold" in ran.out
    assert all(len(line) <= 80 for line in ran.out.splitlines())


def test_protect_against_a_dealer(monkeypatch):
    monkeypatch.setattr(protect, "known", lambda _book, key, *_caps: dealer_known(key))
    ran = run("protect", SENECA.id)
    assert "5 of the dealer's five known" in ran.out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((DIAMOND_JO.id, "--sorted", "X"), "--sorted: 'X' is no group of ranks, such as J or JQK"),
        ((DIAMOND_JO.id, "--sorted", ""), "--sorted: a group holds at least one rank"),
        ((DIAMOND_JO.id, "--sorted", "JJ"), "--sorted: 'JJ' names a rank twice"),
        ((DIAMOND_JO.id, "--share", "1"), "2 to 6 players can share what they hold, not 1"),
        ((DIAMOND_JO.id, "--seed", "-1"), "-1"),
        ((DIAMOND_JO.id, "--ante", "0"), "an ante is more than nothing"),
        (("no/such-book",), "no/such-book"),
    ],
)
def test_bad_input_is_one_line(arguments, says):
    assert says in complaint("protect", *arguments)


@pytest.mark.parametrize("name", ["high-card-flush", "casino-holdem"])
@pytest.mark.parametrize("asked", [("--sorted", "A"), ("--share", "3")])
def test_what_is_not_worked_out_is_said_before_anything_is_counted(
    name, asked, tmp_path, monkeypatch
):
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path))
    said = complaint("protect", f"common/{name}", *asked)
    assert "one of the dealer's up, and not for this showdown" in said
    assert list(tmp_path.iterdir()) == []


def test_wagers_that_are_taken_back_are_worth_more_with_cards_known():
    values = [known(TAKE_BACK, key) for key in keys(TAKE_BACK)]
    assert maths.solve(TAKE_BACK).value < min(values) < max(values) == values[-1]
