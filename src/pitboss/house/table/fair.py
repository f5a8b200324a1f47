"""Fair cards: a deck that is fixed before anybody bets, and can be checked afterwards.

Each card of the shuffled deck is hashed with a salt of its own, and the hash of those 52 hashes is
published when betting opens. After the round anybody can have the cards that they saw opened, card
and salt, and check them against the published hash; cards that stayed hidden stay hidden.
"""

import hashlib
from collections.abc import Callable, Collection

import msgspec

from pitboss.cards import DECK, Card, card, shuffled_from
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
        return tuple(map(_leaf, salts(self.seed, len(self.cards)), self.cards))


class Proof(msgspec.Struct, frozen=True):
    """What lets somebody check the cards they saw."""

    commitment: str
    leaves: tuple[str, ...]
    """The 52 hashes in the deck's order."""
    opened: dict[int, tuple[str, str]]
    """Place in the deck (0 is the top) to card and salt."""


def seal(random_bytes: Callable[[int], bytes]) -> Sealed:
    """Shuffle and seal a deck with bytes that nobody can foresee."""
    return Sealed(shuffled_from(random_bytes), random_bytes(32).hex())


def salts(seed: str, number: int = len(DECK)) -> list[str]:
    """Return the salt of each place in the deck; none of them says anything of the others."""
    drawn = hashlib.shake_256(seed.encode()).hexdigest(number * _SALT_LENGTH // 2)
    return [drawn[at : at + _SALT_LENGTH] for at in range(0, len(drawn), _SALT_LENGTH)]


def _leaf(salted: str, each: Card) -> str:
    return hashlib.sha256(f"{salted}/{each!r}".encode()).hexdigest()


def _whole(leaves: list[str] | tuple[str, ...]) -> str:
    return hashlib.sha256("".join(leaves).encode()).hexdigest()


def proof(sealed: Sealed, seen: Collection[Card]) -> Proof:
    """Open the cards that somebody saw.

    >>> import random
    >>> deck = seal(random.Random(7).randbytes)
    >>> shown = proof(deck, deck.cards[:3])
    >>> len(shown.opened), holds(shown), shown.commitment == deck.commitment
    (3, True, True)
    """
    secret = salts(sealed.seed, len(sealed.cards))
    return Proof(
        sealed.commitment,
        sealed.leaves,
        {n: (str(each), secret[n]) for n, each in enumerate(sealed.cards) if each in seen},
    )


def holds(shown: Proof) -> bool:
    """Whether a proof proves what it says: these cards lay at these places of the sealed deck."""
    try:
        opened = {place: (card(written), s) for place, (written, s) in shown.opened.items()}
    except Unreadable:
        return False
    # Hashes of another number or length could be read as two decks with the same commitment.
    return (
        [len(leaf) for leaf in shown.leaves] == [_LEAF_LENGTH] * len(DECK)
        and _whole(shown.leaves) == shown.commitment
        and len({each for each, _ in opened.values()}) == len(opened)
        and all(
            0 <= place < len(DECK) and _leaf(salted, each) == shown.leaves[place]
            for place, (each, salted) in opened.items()
        )
    )
