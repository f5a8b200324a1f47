"""Fair cards: a deck that is fixed before anybody bets, and can be checked afterwards.

Each card of the shuffled deck is hashed with a salt of its own, and the hash of those 52 hashes is
published when betting opens. Then players may cut the deck, each with a text of their own: in which
order its places are dealt follows from the hash and all cuts, and nobody can choose it. After the
round anybody can have the cards that they saw opened, card and salt, and check that each lay where
it had to lie; cards that stayed hidden stay hidden.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache

import msgspec

from pitboss.cards import DECK, Card, card, shuffled_from, text
from pitboss.digest import sha256
from pitboss.errors import Unreadable

_LEAF_LENGTH = _SALT_LENGTH = 2 * hashlib.sha256().digest_size


class Sealed(msgspec.Struct, frozen=True):
    """A shuffled deck with the seed of its salts: a secret until the round is over."""

    cards: tuple[Card, ...]
    seed: str

    @property
    def commitment(self) -> str:
        return _whole(self.leaves)

    @property
    def leaves(self) -> tuple[str, ...]:
        """The hash of each card with its salt."""
        salted = zip(salts(self.seed, len(self.cards)), text(self.cards).split(), strict=True)
        return tuple([hashlib.sha256("/".join(each).encode()).hexdigest() for each in salted])


class LockedDeck(msgspec.Struct, frozen=True):
    """What is written down of a sealed deck while it is secret."""

    commitment: str
    locked: str
    """Whoever has the key opens it, and nobody else."""


class Proof(msgspec.Struct, frozen=True):
    """What lets somebody check the cards they saw."""

    round: str
    commitment: str
    cuts: dict[int, str]
    """What players cut the deck with, by their seats."""
    leaves: tuple[str, ...]
    """The 52 hashes in the deck's order."""
    opened: dict[int, tuple[str, str]]
    """Place in the deck (0 is the top) to card and salt."""
    dealt: tuple[str | None, ...]
    """The cards in the order in which they were dealt; None for those that stayed hidden."""
    signer: str = ""
    """The public key (Ed25519) with which the house signs; empty where it signs nothing."""
    signature: str = ""
    """Of ``signed_text``."""


def seal(random_bytes: Callable[[int], bytes]) -> Sealed:
    """Shuffle and seal a deck with bytes that nobody can foresee."""
    return Sealed(shuffled_from(random_bytes), random_bytes(32).hex())


def salts(seed: str, number: int = len(DECK)) -> list[str]:
    """Return the salt of each place in the deck; none of them says anything of the others."""
    drawn = hashlib.shake_256(seed.encode()).hexdigest(number * _SALT_LENGTH // 2)
    return list(map(drawn.__getitem__, _slices(number)))


@cache
def _slices(number: int) -> list[slice]:
    return [slice(n * _SALT_LENGTH, (n + 1) * _SALT_LENGTH) for n in range(number)]


def _leaf(salted: str, each: Card) -> str:
    return hashlib.sha256(f"{salted}/{each!r}".encode()).hexdigest()


def _whole(leaves: list[str] | tuple[str, ...]) -> str:
    return sha256("".join(leaves))


def signed_text(round_name: str, commitment: str) -> str:
    """Return what is signed: of two hashes for one round, both signed, one is a lie."""
    return f"pitboss/deck/{round_name}/{commitment}"


def order(commitment: str, cuts: Mapping[int, str]) -> list[int]:
    """Return the places of the sealed deck in the order in which they are dealt: from the top, or
    as the hashes of all cuts with each place's number happen to be sorted.

    >>> order("c0ffee", {})[:4], sorted(order("c0ffee", {2: "7"})) == list(range(52))
    ([0, 1, 2, 3], True)
    """
    places = list(range(len(DECK)))
    if not cuts:
        return places
    mixed = "/".join([commitment, *(f"{seat}:{cut}" for seat, cut in sorted(cuts.items()))])
    return sorted(places, key=lambda at: hashlib.sha256(f"{mixed}/{at}".encode()).digest())


def proof(
    round_name: str,
    sealed: Sealed,
    cuts: Mapping[int, str],
    dealt: Sequence[Card | None],
) -> Proof:
    """Open the cards that somebody saw.

    >>> import random
    >>> deck, cuts = seal(random.Random(7).randbytes), {2: "seven"}
    >>> first = [deck.cards[place] for place in order(deck.commitment, cuts)[:3]]
    >>> shown = proof("t-1", deck, cuts, [*first, None])
    >>> len(shown.opened), holds(shown), shown.commitment == deck.commitment
    (3, True, True)
    """
    secret = salts(sealed.seed, len(sealed.cards))
    return Proof(
        round=round_name,
        commitment=sealed.commitment,
        cuts=dict(cuts),
        leaves=sealed.leaves,
        opened={n: (str(each), secret[n]) for n, each in enumerate(sealed.cards) if each in dealt},
        dealt=tuple(None if each is None else str(each) for each in dealt),
    )


def holds(shown: Proof) -> bool:
    """Whether a proof proves what it says: these cards lay at these places of the sealed deck, and
    were dealt from there, in the order of the cuts."""
    try:
        opened = {place: (card(written), s) for place, (written, s) in shown.opened.items()}
        dealt = [None if each is None else card(each) for each in shown.dealt]
    except Unreadable:
        return False
    if [str(each) for each, _ in opened.values()] != [text for text, _ in shown.opened.values()]:
        return False  # one card has one name
    places = order(shown.commitment, shown.cuts)
    seen = {place: each for place, each in zip(places, dealt, strict=False) if each is not None}
    # Hashes of another number or length could be read as two decks with the same commitment.
    return (
        all(cut.isascii() and cut.isalnum() for cut in shown.cuts.values())
        and [len(leaf) for leaf in shown.leaves] == [_LEAF_LENGTH] * len(DECK)
        and _whole(shown.leaves) == shown.commitment
        and all(
            0 <= place < len(DECK) and _leaf(salted, each) == shown.leaves[place]
            for place, (each, salted) in opened.items()
        )
        and len(dealt) <= len(DECK)
        and seen == {place: each for place, (each, _) in opened.items()}
        and len(set(seen.values())) == len(seen)
    )
