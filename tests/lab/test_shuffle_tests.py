"""The battery: a fair shuffle passes, and each way of shuffling badly is found."""

import io
import json
import math
import random
import sys
from collections.abc import Iterable
from itertools import combinations, pairwise, permutations

import numpy as np
import pytest

from pitboss.cards import DECK, DRAWS, SHUFFLE_BYTES
from pitboss.cli import main, shuffle_test
from pitboss.hands import ranking
from pitboss.lab import shuffle_tests
from pitboss.lab.chi_square import Fit, of_classes, of_cycles, of_permutations
from pitboss.lab.random_deals import Decks, decks
from pitboss.lab.shuffle_tests import add, count, judge
from pitboss.maths.hand_states import Ints
from tests.command import complaint, run

DEALS = 20_000

# What is exact ----------------------------------------------------------------------------------


def test_every_order_is_counted_once():
    factorial = math.factorial(52)
    assert sum(shuffle_tests.orders_by_falls()) == factorial
    assert sum(shuffle_tests.orders_by_cycles()) == factorial
    assert sum(shuffle_tests.orders_by_matches()) == factorial
    assert sum(shuffle_tests.orders_by_colours()) * 2 == math.comb(52, 26)
    assert sum(shuffle_tests.orders_by_first_ace()) == math.comb(52, 4)
    assert sum(shuffle_tests.FIVE_CARDS) == math.comb(52, 5) == 2_598_960
    assert sum(shuffle_tests.THREE_CARDS) == math.comb(52, 3) == 22_100


def test_the_mean_of_each_is_what_it_should_be():
    def average(weights):
        return sum(k * weight for k, weight in enumerate(weights)) / sum(weights)

    assert average(shuffle_tests.orders_by_falls()) == 51 / 2
    assert average(shuffle_tests.orders_by_matches()) == 1
    assert average(shuffle_tests.orders_by_colours()) == 26
    assert average(shuffle_tests.orders_by_first_ace()) == 48 / 5
    assert math.isclose(average(shuffle_tests.orders_by_cycles()), sum(1 / n for n in range(1, 53)))


def test_every_three_card_hand_is_counted_as_the_ranking_has_it():
    kind = ranking("three-card")
    found = np.array(list(combinations(range(52), 3)), np.uint8).T
    assert counted("first three", found) == list(shuffle_tests.THREE_CARDS)
    order = [kind.best([DECK[each] for each in hand]).category for hand in found.T[::97]]
    for hand, category in zip(found.T[::97], order, strict=True):
        at = kind.categories.index(category)
        assert counted("first three", hand[:, None])[at] == 1


def test_every_five_card_hand_is_counted():
    found = np.fromiter(combinations(range(52), 5), dtype=(np.uint8, 5), count=2_598_960).T
    assert counted("first five", found) == list(shuffle_tests.FIVE_CARDS)
    assert counted("last five", found) == list(shuffle_tests.FIVE_CARDS)


def counted(name: str, found: Decks) -> list[int]:
    test = next(each for each in shuffle_tests.BATTERY if each.name == name)
    counts: list[int] = test.count(found).tolist()
    return counts


def many(name: str, found: Decks) -> int:
    """What a test counts in a single deck."""
    return counted(name, found[:, None]).index(1)


def test_each_test_counts_what_it_says():
    new = np.arange(52, dtype=np.uint8)
    names = ("runs up", "rising sequences", "runs of colour", "cycles", "in place", "gap")
    assert [many(name, new) for name in names] == [0, 0, 26, 52, 52, 48]
    assert [many(name, new[::-1]) for name in names] == [51, 51, 26, 26, 0, 0]
    for seed in range(20):
        deck = random.Random(seed).sample(range(52), 52)
        rings, left = 0, set(deck)
        while left:
            rings, at = rings + 1, min(left)
            while at in left:
                left.remove(at)
                at = deck[at]
        assert many("cycles", np.array(deck, np.uint8)) == rings
        places = [deck.index(each) for each in range(52)]
        falls = sum(b < a for a, b in pairwise(places))
        assert many("rising sequences", np.array(deck, np.uint8)) == falls


@pytest.mark.parametrize(
    ("statistic", "freedom", "above"),
    [  # from printed tables
        (3.841459, 1, 0.05),
        (6.634897, 1, 0.01),
        (18.307038, 10, 0.05),
        (3.940299, 10, 0.95),
        (67.32756, 100, 0.995),
        (140.16949, 100, 0.005),
    ],
)
def test_p_values_are_those_of_the_tables(statistic, freedom, above):
    assert math.isclose(Fit(statistic, freedom).p, 2 * min(above, 1 - above), rel_tol=1e-4)


def test_p_values_at_the_edges():
    assert Fit(0.0, 5).p == 0
    assert Fit(1e12, 2601).p == 0
    for even in (2, 50, 2600):  # a finite sum, where the freedom is even
        for x in (even - math.sqrt(even), even * 1.0, even + 3 * math.sqrt(even)):
            terms = (
                math.exp(k * math.log(x / 2) - x / 2 - math.lgamma(k + 1)) for k in range(even // 2)
            )
            above = math.fsum(terms)
            assert math.isclose(Fit(x, even).p, 2 * min(above, 1 - above), rel_tol=1e-9)


@pytest.mark.parametrize("n", [4, 5])
def test_statistics_have_their_degrees_of_freedom_as_their_mean(n):
    """Of all orders of a few cards, each once: exact, without chance."""
    places, rings = [], []
    for order in permutations(range(n)):
        places.append(of_permutations(np.eye(n, dtype=np.int64)[list(order)]))
        ring = np.zeros((n, n), np.int64)
        ring[order, np.roll(order, -1)] = 1
        rings.append(of_cycles(ring))
    for fits in (places, rings):
        assert fits[0].freedom == pytest.approx(mean(fits))


def mean(fits: list[Fit]) -> float:
    return math.fsum(fit.statistic for fit in fits) / len(fits)


def test_rare_classes_are_counted_together():
    fit = of_classes(np.array([980, 15, 4, 1, 0]), [980, 15, 4, 1, 0])
    assert fit == Fit(0.0, 1)
    assert of_classes(np.array([1, 4, 15, 980]), [1, 4, 15, 980]).freedom == 1


# Fair shuffles ----------------------------------------------------------------------------------


def test_a_fair_shuffle_passes():
    chance = random.Random(7)
    verdict = judge(count(decks(chance.randbytes, 5 * DEALS)))
    assert verdict.fair, verdict.failed
    assert len(verdict.results) * verdict.needed == pytest.approx(0.01)


def test_parts_add_up():
    given = decks(random.Random(7).randbytes, 1000)
    whole, parts = count(given), add(count(given[:, :400]), count(given[:, 400:]))
    assert parts.deals == whole.deals == 1000
    for name, counts in whole.counts.items():
        if not name.startswith("next deal"):  # the pair on the seam is lost
            assert (counts == parts.counts[name]).all()


def test_fair_shuffles_fail_about_as_often_as_they_should():
    """One in a hundred; eight or more of two hundred would be one in a thousand runs."""
    chance = random.Random(11)
    failed = sum(not judge(count(decks(chance.randbytes, 2_000))).fair for _ in range(200))
    assert failed < 8


# Bad shuffles -----------------------------------------------------------------------------------


def swapped(chosen: Iterable[tuple[int, Ints]]) -> Decks:
    """Swap the card at a place with the card at the place chosen, for one place after another."""
    found = np.repeat(np.arange(52, dtype=np.uint8)[:, None], DEALS, axis=1)
    columns = np.arange(DEALS)
    for place, other in chosen:
        held = found[place].copy()
        found[place] = found[other, columns]
        found[other, columns] = held
    return found


def swap_with_any(chance: np.random.Generator) -> Decks:
    return swapped([(place, chance.integers(0, 52, DEALS)) for place in range(52)])


def off_by_one(chance: np.random.Generator) -> Decks:
    return swapped([(last, chance.integers(0, last, DEALS)) for last in range(51, 0, -1)])


def byte_modulo(chance: np.random.Generator) -> Decks:
    drawn = [chance.integers(0, 256, DEALS) for _ in DRAWS]
    return swapped([(n - 1, each % n) for n, each in zip(DRAWS, drawn, strict=True)])


def stops_early(chance: np.random.Generator) -> Decks:
    return swapped([(last, chance.integers(0, last + 1, DEALS)) for last in range(51, 2, -1)])


def five_riffles(chance: np.random.Generator) -> Decks:
    """Five riffles undone: each card gets five bits, and the deck is sorted by them."""
    undone = np.argsort(chance.integers(0, 32, (52, DEALS)), axis=0, kind="stable")
    return np.argsort(undone, axis=0).astype(np.uint8)


def fair(chance: np.random.Generator) -> Decks:
    return swapped([(last, chance.integers(0, last + 1, DEALS)) for last in range(51, 0, -1)])


def stuck(chance: np.random.Generator) -> Decks:
    return np.repeat(fair(chance)[:, :1], DEALS, axis=1)


def stuck_at_times(chance: np.random.Generator) -> Decks:
    """One deal of a hundred is the one before it once more."""
    found = fair(chance)
    found[:, 100::100] = found[:, 99:-1:100]
    return found


def one_cut_between_deals(chance: np.random.Generator) -> Decks:
    """Each deck is the one before it, cut."""
    deck = fair(chance)[:, :1]
    places = (np.arange(52)[:, None] + np.cumsum(chance.integers(0, 52, DEALS))) % 52
    return deck[:, 0][places]


def even_orders_only(chance: np.random.Generator) -> Decks:
    """As many swaps in every deal, so that half of all orders never come."""
    found = fair(chance)
    odd = [many("cycles", deck) % 2 for deck in found.T]
    found[:2, np.array(odd, bool)] = found[1::-1, np.array(odd, bool)]
    return found


def too_even(_chance: np.random.Generator) -> Decks:
    """Cards by position come out exactly alike, as chance would never have it."""
    return ((np.arange(52)[:, None] + np.arange(DEALS)) % 52).astype(np.uint8)


@pytest.mark.parametrize(
    ("shuffle", "finds"),
    [
        (swap_with_any, "card by position"),
        (off_by_one, "card by position"),
        (off_by_one, "cycles"),
        (byte_modulo, "card by position"),
        (stops_early, "cycles"),
        (five_riffles, "rising sequences"),
        (five_riffles, "neighbours"),
        (stuck, "first five"),
        (stuck_at_times, "next deal"),
        (stuck_at_times, "next deal, same"),
        (one_cut_between_deals, "neighbours"),
        (even_orders_only, "cycles"),
        (too_even, "card by position"),
    ],
)
def test_a_bad_shuffle_is_found(shuffle, finds):
    verdict = judge(count(shuffle(np.random.default_rng(7))))
    assert not verdict.fair
    assert finds in [result.test for result in verdict.failed]


def test_the_way_in_which_these_shuffle_is_no_reason_to_fail():
    assert judge(count(fair(np.random.default_rng(7)))).fair


# The command ------------------------------------------------------------------------------------


@pytest.fixture
def seeded(tmp_path):
    path = tmp_path / "seeded"
    path.write_bytes(random.Random(7).randbytes(SHUFFLE_BYTES * 11_000))
    return str(path)


def test_the_command_says_what_it_finds(seeded):
    ran = run("shuffle-test", "--deals", "10,000", "--from", seeded)
    assert ran.code == 0, ran
    assert ran.err == ""
    assert ran.out.startswith("10,000 deals in ")
    assert f" s, with random bytes from {seeded}\n" in ran.out
    for each in shuffle_tests.BATTERY:
        assert f"\n{each.name} " in ran.out
    assert "Fair. All 13 tests passed (99% together: each p-value at least 0.00077)." in ran.out
    assert max(map(len, ran.out.splitlines()[1:])) <= 100


def test_the_command_as_json(seeded):
    told = run("shuffle-test", "--deals", "1e4", "--from", seeded, "--json").json
    assert told["deals"] == 10_000
    assert told["fair"] is True
    assert [each["test"] for each in told["tests"]] == [each.name for each in shuffle_tests.BATTERY]
    position = told["tests"][0]
    assert position["freedom"] == 51**2
    assert told["needed_p"] < position["p"] <= 1


def test_bad_bytes_are_found(tmp_path):
    path = tmp_path / "bad"
    path.write_bytes(bytes(each & 0xFE for each in random.Random(7).randbytes(1_200_000)))
    ran = run("shuffle-test", "--deals", "1e4", "--from", str(path))
    assert ran.code == 1
    assert "FAILED" in ran.out
    assert "NOT FAIR." in ran.out
    ran = run("shuffle-test", "--deals", "1e4", "--from", str(path), "--json")
    assert ran.code == 1
    assert json.loads(ran.out)["fair"] is False


@pytest.mark.parametrize("workers", ["1", "3"])
def test_the_operating_system_is_asked_by_every_worker(workers):
    ran = run("shuffle-test", "--deals", "30001", "--workers", workers, "--json")
    assert ran.code in (0, 1)  # a fair shuffle fails once in a hundred times
    assert json.loads(ran.out)["deals"] == 30_001


def test_all_deals_are_counted(monkeypatch):
    seen: list[shuffle_tests.DeckCounts] = []

    def judged(tally: shuffle_tests.DeckCounts) -> shuffle_tests.Verdict:
        seen.append(tally)
        return judge(tally)

    monkeypatch.setattr(shuffle_test, "judge", judged)
    run("shuffle-test", "--deals", "30001", "--workers", "2")
    assert [tally.deals for tally in seen] == [30_001]
    assert seen[0].counts["card by position"].sum() == 30_001 * 52


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_there_is_a_bar_where_somebody_watches(monkeypatch, seeded):
    monkeypatch.setattr(
        sys, "argv", ["pitboss", "shuffle-test", "--deals", "1e4", "--from", seeded]
    )
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    main()
    assert "deals" in terminal.getvalue()
    assert "100%" in terminal.getvalue()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--deals", "many"], "'many' is not a number such as 1e7"),
        (["--deals", "9999"], "test 10,000 to 1e+12 whole deals, not 9999"),
        (["--deals", "1e13"], "test 10,000 to 1e+12 whole deals"),
        (["--deals", "10000.5"], "whole deals"),
        (["--deals", "nan"], "whole deals"),
        (["--workers", "0"], "--workers"),
        (["--from", "no-such-file"], "no-such-file"),
        (["--from", "."], "directory"),
        (["--from", "README.md", "--workers", "2"], "a file is read by one worker"),
        (["more"], "more"),
    ],
)
def test_bad_arguments_are_one_line(arguments, says):
    assert says in complaint("shuffle-test", *arguments)


def test_a_file_that_is_too_short_is_refused(tmp_path):
    path = tmp_path / "short"
    path.write_bytes(bytes(1000))
    assert f"{path}: too short: a deal takes 102 bytes" in complaint(
        "shuffle-test", "--from", str(path)
    )
