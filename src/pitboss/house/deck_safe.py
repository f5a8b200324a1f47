"""Where decks are shuffled, sealed, signed and locked: encryption at rest.

What the journal has of a deck until its round is paid is locked with a key that is not in the
database, so that the database, a copy or a replica shows no card that is still to come. Without a
key it lies there in clear, and is not signed.
"""

import contextlib
import secrets
from base64 import b64decode, b64encode
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from io import BytesIO

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from msgspec.structs import replace

from pitboss.cards import DECK, SHUFFLE_BYTES
from pitboss.errors import Refused, refuse
from pitboss.house.storage.signing import SigningKey
from pitboss.house.table.fair import LockedDeck, Proof, Sealed, seal, signed_text
from pitboss.house.table.state import Table

CLEAR = "clear"
"""Stands where the key's name would."""

REMEMBERED = 4_096
"""Signatures, and decks of rounds under way, that need not be worked out again."""

SEED = 32
"""Bytes of the seed of a deck's salts."""

DRAWN = 32 * (SHUFFLE_BYTES + SEED)
"""Random bytes that are drawn at once."""


class Randomness:
    """The operating system's randomness, drawn for several decks at once: whoever asks for it lets
    other threads run, and waits for them. Every byte is used once."""

    def __init__(self) -> None:
        self._drawn = BytesIO()

    def __call__(self, number: int) -> bytes:
        found = self._drawn.read(number)
        if len(found) < number:
            drawn = BytesIO(secrets.token_bytes(DRAWN + number))
            found, self._drawn = drawn.read(number), drawn
        return found


_randomness = Randomness()


def fresh_deck() -> Sealed:
    """Shuffle and seal a deck with the operating system's randomness."""
    return seal(_randomness)


class DeckSafe:
    """Locks decks with a house's key, and opens them."""

    def __init__(self, key: SigningKey | None, shuffle: Callable[[], Sealed] = fresh_deck) -> None:
        self._shuffle = shuffle
        self._name, self._cipher, self._signer, self.signer = CLEAR, None, None, ""
        if key is not None:
            self._name = key.id
            self._cipher = AESSIV(key.derive("decks") + key.derive("decks, too"))
            self._signer = Ed25519PrivateKey.from_private_bytes(key.derive("commitments"))
            self.signer = self._signer.public_key().public_bytes_raw().hex()
        self.signed = lru_cache(REMEMBERED)(self._sign)
        """The same as often as it is looked at, and made when it is: it takes its time."""
        self._opened: OrderedDict[tuple[str, str], Sealed] = OrderedDict()
        """By what is locked and the round, the latest last."""

    def seal(self, round_name: str) -> LockedDeck:
        """Shuffle, seal and lock the deck of a round."""
        deck = self._shuffle()
        written = bytes(deck.cards) + bytes.fromhex(deck.seed)
        if self._cipher is not None:
            written = self._cipher.encrypt(written, [round_name.encode()])
        locked = f"{self._name}:{b64encode(written).decode()}"
        self._remember((locked, round_name), deck)
        return LockedDeck(deck.commitment, locked)

    def opens(self, table: Table) -> bool:
        """Whether the deck that lies at a table, if any, can be dealt from with this key."""
        with contextlib.suppress(Refused):
            return not table.locked or bool(self.unlock(table))
        return False

    def unlock(self, table: Table) -> Sealed:
        which = table.locked, table.round_name
        return self._opened.get(which) or self._remember(which, self._open(*which))

    def _remember(self, which: tuple[str, str], deck: Sealed) -> Sealed:
        self._opened[which] = deck
        if len(self._opened) > REMEMBERED:
            self._opened.popitem(last=False)
        return deck

    def _open(self, locked: str, round_name: str) -> Sealed:
        name, _, written = locked.partition(":")
        if name != self._name:
            raise refuse("deck/locked", "this deck is locked with a key that this server has not")
        try:
            deck = b64decode(written, validate=True)
            if self._cipher is not None:
                deck = self._cipher.decrypt(deck, [round_name.encode()])
            cards = tuple(map(DECK.__getitem__, deck[:-SEED]))
        except (InvalidTag, ValueError, IndexError):
            raise refuse("deck/locked", "this is not the deck that was locked here") from None
        return Sealed(cards, deck[-SEED:].hex())

    def _sign(self, round_name: str, commitment: str) -> tuple[str, str]:
        """Return the public key and the signature of a round's commitment; nothing without a key,
        and while none is published."""
        if self._signer is None or not commitment:
            return "", ""
        signature = self._signer.sign(signed_text(round_name, commitment).encode())
        return self.signer, signature.hex()

    def vouched(self, proof: Proof | None) -> Proof | None:
        """Return a proof with the house's signature."""
        if proof is None:
            return None
        signer, signature = self.signed(proof.round, proof.commitment)
        return replace(proof, signer=signer, signature=signature)


def is_signed(round_name: str, commitment: str, signer: str, signature: str) -> bool:
    """Whether the owner of a public key signed this deck of this round.

    >>> by = DeckSafe(SigningKey(bytes(32), 0)).signed("t-1", "c0ffee")
    >>> [is_signed(name, "c0ffee", *by) for name in ("t-1", "t-2")]
    [True, False]
    """
    try:
        known = Ed25519PublicKey.from_public_bytes(bytes.fromhex(signer))
        known.verify(bytes.fromhex(signature), signed_text(round_name, commitment).encode())
    except (InvalidSignature, ValueError):
        return False
    return True
