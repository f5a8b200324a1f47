"""Fair cards: every order equally likely, fixed before betting, and open to checking afterwards."""

import hashlib
import io
import json
import random
import secrets
import struct
from collections import Counter
from itertools import product

import msgspec
import pytest
from msgspec.structs import replace

from pitboss.cards import DECK, DRAWS, LIMITS, SHUFFLE_BYTES, Card, card, shuffled_from
from pitboss.house.table.fair import Proof, Sealed, holds, order, proof, seal
from pitboss.lab.random_deals import decks

# The shuffle ------------------------------------------------------------------------------------


def from_numbers(*numbers: int) -> tuple[int, ...]:
    """The deck that these draws make, each below its number of places."""
    return shuffled_from(io.BytesIO(struct.pack(f"<{len(DRAWS)}H", *numbers)).read)


STAY = [places - 1 for places in DRAWS]
"""Each card changes places with itself."""


def test_every_place_has_equally_many_numbers():
    for places, limit in zip(DRAWS, LIMITS, strict=True):
        assert limit % places == 0
        assert 0x10000 - places < limit <= 0x10000


def test_different_draws_make_different_decks():
    """All 52! draws would take too long; those of the last four cards, and of any two, do not."""
    ends = product(range(5), range(4), range(3), range(2))
    assert len({from_numbers(*STAY[:-4], *end) for end in ends}) == 120
    for first in range(len(DRAWS) - 1):
        pairs = product(range(DRAWS[first]), range(DRAWS[first + 1]))
        made = {from_numbers(*STAY[:first], *pair, *STAY[first + 2 :]) for pair in pairs}
        assert len(made) == DRAWS[first] * DRAWS[first + 1]


def test_a_number_out_of_bounds_costs_the_whole_try():
    good = struct.pack("<51H", *STAY)
    for at, limit in enumerate(LIMITS):
        if limit < 0x10000:
            bad = bytearray(struct.pack("<51H", *[0] * 51))
            struct.pack_into("<H", bad, 2 * at, limit)
            assert shuffled_from(io.BytesIO(bytes(bad) + good).read) == DECK
            struct.pack_into("<H", bad, 2 * at, limit - 1)
            assert shuffled_from(io.BytesIO(bytes(bad) + good).read) != DECK


@pytest.mark.parametrize("seed", range(3))
def test_one_deck_and_millions_are_the_same_algorithm(seed):
    """What the battery tests is what the house deals: the same decks from the same bytes."""
    count = 2000
    given = random.Random(seed).randbytes(SHUFFLE_BYTES * count * 2)
    one, many = io.BytesIO(given), io.BytesIO(given)
    made = decks(many.read, count)
    assert [list(shuffled_from(one.read)) for _ in range(count)] == made.T.tolist()
    assert one.tell() == many.tell() > SHUFFLE_BYTES * count  # some tries were refused


def test_the_operating_systems_bytes_make_whole_decks():
    made = [shuffled_from(secrets.token_bytes) for _ in range(20)]
    assert all(sorted(deck) == list(DECK) for deck in made)
    assert len(set(made)) == 20


# The seal ---------------------------------------------------------------------------------------


@pytest.fixture
def sealed() -> Sealed:
    return seal(random.Random(7).randbytes)


def opened(deck: Sealed, *cards: Card | None) -> Proof:
    """The proof of a deck that nobody cut, dealt from the top."""
    return proof("t-1", deck, {}, cards)


@pytest.fixture
def shown(sealed: Sealed) -> Proof:
    """Of eight cards, somebody saw the last five."""
    return opened(sealed, None, None, None, *sealed.cards[3:8])


def test_a_proof_holds_for_what_was_seen(sealed, shown):
    assert holds(shown)
    assert shown.commitment == sealed.commitment
    assert {place: card(each) for place, (each, _) in shown.opened.items()} == {
        place: sealed.cards[place] for place in range(3, 8)
    }
    assert holds(opened(sealed))
    assert holds(opened(sealed, *sealed.cards))


def test_a_card_of_the_deck_that_was_not_next_is_found(sealed, shown):
    """Every card lies somewhere in every deck: only its place proves something."""
    for places in ([3, 4, 5, 7, 6], [3, 4, 5, 6, 8], [0, 4, 5, 6, 7], [51, 50, 49, 48, 47]):
        dealt = [sealed.cards[place] for place in places]
        assert not holds(opened(sealed, None, None, None, *dealt))
    assert not holds(replace(shown, dealt=shown.dealt[1:]))
    assert not holds(replace(shown, dealt=(*shown.dealt[:7], None)))
    assert not holds(replace(shown, dealt=(*shown.dealt, "As")))
    assert not holds(replace(opened(sealed), dealt=(None,) * 53))


def test_cards_are_dealt_in_the_order_of_all_cuts(sealed):
    """Worked out a second time as docs/fair.md tells it, with nothing of the program."""
    cuts = {5: "seven", 2: "0f1e"}
    text = f"{sealed.commitment}/2:0f1e/5:seven"
    hashed = {hashlib.sha256(f"{text}/{place}".encode()).hexdigest(): place for place in range(52)}
    places = [hashed[each] for each in sorted(hashed)]
    dealt = [sealed.cards[place] for place in places[:9]]
    shown = proof("t-1", sealed, cuts, dealt)
    assert holds(shown)
    assert list(shown.opened) == sorted(places[:9])
    for other in ({}, {2: "0f1e"}, {2: "seven", 5: "0f1e"}, {**cuts, 6: "x"}, {5: "0f1e", 2: "x"}):
        assert not holds(replace(shown, cuts=other))
        assert not holds(proof("t-1", sealed, other, dealt))


def test_whoever_cuts_makes_every_order_of_a_known_deck_as_likely(sealed):
    """A house that chose the deck does not choose which card comes first: chi-square, 51 free."""
    tries = 20_000
    firsts = Counter(order(sealed.commitment, {1: f"{n}"})[0] for n in range(tries))
    mean = tries / 52
    assert sum((firsts[place] - mean) ** 2 / mean for place in range(52)) < 90  # p = 0.0006


def test_a_proof_travels_as_json(shown):
    assert holds(msgspec.json.decode(msgspec.json.encode(shown), type=Proof))


def test_no_two_decks_have_one_commitment(sealed):
    swapped = (sealed.cards[1], sealed.cards[0], *sealed.cards[2:])
    others = [replace(sealed, cards=swapped), replace(sealed, seed="0" * 64)]
    assert len({each.commitment for each in (sealed, *others)}) == 3


def test_one_changed_card_is_found(sealed, shown):
    for place, (_, salted) in shown.opened.items():
        for other in DECK:
            changed = replace(shown, opened={**shown.opened, place: (str(other), salted)})
            assert holds(changed) == (other == sealed.cards[place])


def test_one_changed_salt_is_found(shown):
    for place, (each, salted) in shown.opened.items():
        other = ("1" if salted[0] == "0" else "0") + salted[1:]
        assert not holds(replace(shown, opened={**shown.opened, place: (each, other)}))


def test_one_changed_hash_is_found(shown):
    for place, leaf in enumerate(shown.leaves):
        other = leaf[:-1] + ("1" if leaf[-1] == "0" else "0")
        leaves = (*shown.leaves[:place], other, *shown.leaves[place + 1 :])
        assert not holds(replace(shown, leaves=leaves))


def test_another_commitment_is_found(sealed, shown):
    assert not holds(replace(shown, commitment=replace(sealed, seed="0" * 64).commitment))


def test_a_card_moved_to_another_place_is_found(shown):
    moved = {place + 1: each for place, each in shown.opened.items()}
    assert not holds(replace(shown, opened=moved))
    assert not holds(replace(shown, opened={52: shown.opened[3]}))
    assert not holds(replace(shown, opened={-1: shown.opened[3]}))


def test_what_is_not_a_card_proves_nothing(shown):
    assert not holds(replace(shown, opened={3: ("joker", shown.opened[3][1])}))
    written, salted = shown.opened[3]
    assert not holds(replace(shown, opened={**shown.opened, 3: (written.upper(), salted)}))


def test_a_card_that_is_there_twice_is_found(sealed):
    twice = replace(sealed, cards=(sealed.cards[1], *sealed.cards[1:]))
    assert not holds(opened(twice, *twice.cards[:3]))


def test_hashes_cannot_be_cut_in_another_way(sealed):
    """Fifty-three hashes, two of them taken as one: else a house could choose which to skip."""
    longer = replace(sealed, cards=(*sealed.cards, sealed.cards[0]))
    one = opened(longer)
    assert not holds(one)
    first, second, *rest = one.leaves
    assert not holds(replace(one, leaves=(first + second, *rest)))
    assert not holds(replace(one, leaves=(first, second + rest[0], *rest[1:])))


def test_hidden_cards_stay_hidden(sealed, shown):
    """A proof holds no salt but those of the cards seen; without it a hash fits no card."""
    hidden = opened(sealed)
    assert hidden.opened == {}
    everything = json.dumps(msgspec.to_builtins(shown))
    assert sealed.seed not in everything
    salts = {place: salted for place, (_, salted) in opened(sealed, *sealed.cards).opened.items()}
    assert {place for place, salted in salts.items() if salted in everything} == set(range(3, 8))
    known = [salted for _, salted in shown.opened.values()]
    for place in set(range(52)) - set(shown.opened):
        guesses = ((str(each), salted) for each in DECK for salted in known)
        assert not any(holds(replace(shown, opened={place: guess})) for guess in guesses)
