"""What requests and answers of the API share: the idempotency key, strict bodies, problems."""

from typing import Annotated

import msgspec

from pitboss.errors import Refusal, Unreadable

Key = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
"""The idempotency key: the sender's own name for a command. Repeated with the same key it is done
once."""


class RequestBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all request bodies share: unknown keys are refused."""


class Keyed(RequestBody, frozen=True):
    """Nothing but a key."""

    key: Key


def says_why(asked: msgspec.Struct, place: str) -> None:
    """Refuse a reason of blanks: it is written down for good, and says nothing."""
    why = getattr(asked, "why", "")
    if why and not why.strip():
        raise Unreadable("blanks are no reason: say why", place)


def names_colours(asked: object, place: str) -> None:
    """Refuse cards of a colour by which nobody can name their deck again."""
    for colour in getattr(asked, "colours", ()):
        if not colour.isprintable() or not colour.strip() or colour != colour.strip():
            message = "a colour is a few words on one line, with no blanks around them"
            raise Unreadable(message, place)


class Problem(Refusal, frozen=True):
    """What is wrong, where, and the clause behind it."""
