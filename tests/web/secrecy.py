"""No card reaches anybody who may not see it: what was sent, held against the journal.

The journal knows every card. From it this page works out, by its own few lines and not by the
program's views, which cards each person could have seen at each moment; then it looks at every
value that one of them received.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

import msgspec

from pitboss.house.table import fair
from pitboss.house.table.fair import Proof

CARD = re.compile(r"(?<![0-9A-Za-z])(?:10|[2-9TJQKA])[cdhs](?![0-9A-Za-z])")
HASH = re.compile(r"[0-9a-f]{64}")
HEARD = ("view", "notice", "record", "other")
"""Kinds of what somebody received: a table, an entry, a finished round, anything else."""
REDONE = ("round-corrected", "entry-undone", "round-adjusted")
"""What tells a round with real cards once more."""


# What the journal says ----------------------------------------------------------------------------


class Story:
    """One round: which card was to be seen by whom from which entry on."""

    def __init__(self, sealed: dict[str, Any]) -> None:
        self.sealed = sealed
        self.seats: dict[str, str] = {}
        self.by_all: dict[str, int] = {}
        self.by_one: dict[tuple[str, str], int] = {}
        self.shown: set[int] = set()
        self.paid: int | None = None
        self.deck: list[str] = []
        self.seed = "no seed yet"
        """The deck that was dealt from, open."""
        self.dropped: int | None = None
        """The last entry of one that was never played: the table was closed before."""

    def hear(self, event: dict[str, Any], seq: int) -> None:
        kind = event["event"]
        if kind == "round-opened":
            self.seats = event["seats"]
        elif kind == "cards-dealt" and not event.get("up") and event["place"] == "seats":
            for card in filter(None, event["cards"]):
                self.by_one.setdefault((self.seats[str(event["seat"])], card), seq)
        elif kind in ("cards-turned", "hand-shown") or (kind == "cards-dealt" and event.get("up")):
            for card in filter(None, event["cards"]):
                self.by_all.setdefault(card, seq)
            if kind == "hand-shown":
                self.shown.add(event["seat"])
        elif kind in REDONE:
            for each in event["events"]:
                self.hear(each, seq)
        elif kind == "round-paid":
            self.paid = seq
        elif kind == "deck-opened":
            self.deck, self.seed = event["cards"].split(), event["seed"]

    @property
    def begins(self) -> int:
        return int(self.sealed["entry"])

    def lasts(self, seq: int) -> bool:
        """Whether it is told of in this entry."""
        return self.begins <= seq <= (self.paid or self.dropped or seq)

    def seen(self, person: str, seq: int) -> set[str]:
        """Return what somebody could have seen up to an entry."""
        own = {card for (who, card), at in self.by_one.items() if who == person and at <= seq}
        return own | {card for card, at in self.by_all.items() if at <= seq}

    @cached_property
    def salts(self) -> dict[str, str]:
        """Each card's, by the seed; nothing where no deck was opened."""
        return dict(zip(fair.salts(self.seed, len(self.deck)), self.deck, strict=True))


Stories = dict[str, dict[int, Story]]
"""By table and round."""


def read_stories(entries: Iterable[tuple[str, int, list[dict[str, Any]]]]) -> Stories:
    """Read all rounds of all tables from (stream, number, events) of the journal, in order."""
    found: Stories = {}
    now: dict[str, Story] = {}
    for stream, seq, events in entries:
        kind, _, table = stream.partition(":")
        for event in events if kind == "table" else ():
            rounds = found.setdefault(table, {})
            if event["event"] == "deck-sealed":
                assert event["round"] not in rounds
                if table in now:
                    now[table].dropped = seq - 1
                now[table] = rounds[event["round"]] = Story(event)
            elif event["event"] == "round-adjusted":
                rounds[event["round"]].hear(event, seq)
            elif table in now:
                now[table].hear(event, seq)
    return found


# What somebody received ---------------------------------------------------------------------------


def tokens(value: Any) -> Iterator[str]:
    """Yield every text in a JSON value; a torn card is replaced before all eyes."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from tokens(each)
    elif isinstance(value, dict) and value.get("event") != "card-replaced":
        for name, each in value.items():
            yield name
            yield from tokens(each)


def cards_in(value: Any) -> set[str]:
    """Return every card that is named anywhere in a JSON value, in sentences too."""
    return {card for text in tokens(value) for card in CARD.findall(text)}


def check(
    person: str, heard: list[tuple[str, Any]], stories: Stories, *, staff: bool = False
) -> int:
    """Hold all that somebody received against the journal; how many cards they were shown."""
    shown = 0
    for kind, found in heard:
        assert kind in HEARD
        seen: set[str] = set()
        if kind == "view":
            story = stories.get(found["table"], {}).get(found["round"])
            seen = story.seen(person, found["seq"]) if story else set()
            check_paid(found["last"], found["table"], "nobody", stories)
        elif kind == "notice":
            for event in found["events"]:
                check_event(event, found["table"], person, stories, staff=staff)
            # An entry may end one round and open the next one's betting: cards are of the first.
            told, seq = stories.get(found["table"], {}), found["seq"]
            several = (each.seen(person, seq) for each in told.values() if each.lasts(seq))
            seen = next(several, set())
            for event in found["events"]:
                if event["event"] == "round-adjusted":
                    seen = seen | told[event["round"]].seen(person, seq)
        elif kind == "record":
            seen = check_record(found, person, stories)
        named = cards_in(found)
        assert named <= seen, (kind, person, named - seen, found)
        shown += len(named)
    check_hashes(person, heard, stories)
    return shown


def check_event(
    event: dict[str, Any], table: str, person: str, stories: Stories, *, staff: bool = False
) -> None:
    if event["event"] == "deck-sealed":
        assert not event.get("cards")
        assert not event.get("seed")
    elif event["event"] == "seat-taken":
        assert event["player"] == {
            "residence": "us",
            "identified": True,
            "tin": True,
            "barred": False,
            "shared": [],
        }
    elif event["event"] == "papers-taken":
        assert event["papers"] is None
    elif event["event"] == "round-paid":
        check_paid(event, table, person, stories, staff=staff)
    elif event["event"] == "round-adjusted":
        check_paid(event["paid"], table, person, stories, staff=staff)


def check_paid(
    paid: Any, table: str, person: str, stories: Stories, *, staff: bool = False
) -> None:
    """Hands that were not shown have no name, and tax is nobody's business but the staff's."""
    if paid is None:
        return
    story = stories[table][paid["round"]]
    for seat in paid["seats"]:
        assert not seat["hand"] or seat["seat"] in story.shown, (seat, story.shown)
        if story.seats[str(seat["seat"])] != person and not staff:
            assert (seat["held_cents"], seat["withheld_cents"], seat["forms"]) == (0, 0, [])
            lines = [line for line in seat["lines"] if not line["dealers"]]
            assert seat["paid_cents"] == sum(line["returned_cents"] for line in lines)


def check_record(record: Any, person: str, stories: Stories) -> set[str]:
    table, _, number = record["round"].rpartition("-")
    story = stories[table][int(number)]
    assert story.paid is not None
    for notice in record["notices"]:
        for event in notice["events"]:
            check_event(event, table, person, stories)
        assert cards_in(notice) <= story.seen(person, notice["seq"])
    if not story.deck:
        assert record["proof"] is None  # they were real ones, which may have been read again since
        return story.seen(person, sys.maxsize)
    seen = story.seen(person, story.paid)
    proof = msgspec.convert(record["proof"], Proof, strict=False)
    assert fair.holds(proof)
    assert proof.commitment == story.sealed["commitment"]
    # Everything that was seen is opened, where it lay, and nothing else.
    assert {card for card, _ in proof.opened.values()} == seen
    assert all(story.deck[n] == card for n, (card, _) in proof.opened.items())
    return seen


def check_hashes(person: str, heard: list[tuple[str, Any]], stories: Stories) -> None:
    """Neither a deck, locked or open, nor the salt of a card that was not seen reached them."""
    everything = msgspec.json.encode(heard).decode()
    received = set(HASH.findall(everything))
    for rounds in stories.values():
        for story in rounds.values():
            locked = story.sealed.get("locked")
            assert not locked or locked not in everything
            assert story.seed not in received
            known = story.salts.keys() & received
            assert {story.salts[salt] for salt in known} <= story.seen(person, story.paid or 0)
