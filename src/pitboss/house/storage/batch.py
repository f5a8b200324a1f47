"""A batch: drafts of entries as they are sent to the database together, with what they rely on."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import astuple

from pitboss.house.storage.journal import Entry, joined
from pitboss.house.storage.signing import Head, SigningKey


class EntryDraft(msgspec.Struct, frozen=True):
    """What is to be written together, or not at all."""

    entry: Entry
    postings: tuple[tuple[str, int], ...] = ()
    """(account, cents); they sum to zero."""
    kept: tuple[tuple[str, str, str], ...] = ()
    """(kind, name, value) that replace earlier ones."""
    relied: tuple[tuple[str, int], ...] = ()
    """A fence: streams by which this was decided, each with the number of its last entry then."""
    session: str = ""
    """A fence: the hash of the session in which this was asked for."""
    secrets: tuple[tuple[str, str, int], ...] = ()
    """(person, hash of the password, when it was set); their sessions end."""
    signed_out: tuple[str, ...] = ()
    """People whose sessions end, though they keep their password."""
    also: tuple[Entry, ...] = ()
    """Entries of other streams, which come right before it."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        return (*self.also, self.entry)


def fence(records: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """Return what is relied on of people, whose records have these versions."""
    return tuple((f"person:{name}", version) for name, version in records.items() if version)


def batch(
    head: Head, drafts: Sequence[EntryDraft], key: SigningKey | None
) -> tuple[list[Entry], Head, dict[str, str]]:
    """Give them their places after the head: the entries, the head once they are written (how far
    the journal goes, and the hash over all of it), and what is sent to the database."""
    before, whole = head
    together = (entry for draft in drafts for entry in draft.entries)
    entries = [
        msgspec.structs.replace(entry, position=at)
        for at, entry in enumerate(together, start=before + 1)
    ]
    for entry in entries:
        whole = joined(whole, entry)
    lines, at = [], before
    for draft in drafts:
        at += len(draft.also) + 1
        for line, (account, cents) in enumerate(draft.postings, start=1):
            lines.append((at, line, account, cents))
    # One sum for each account, so that nothing is overdrawn halfway.
    sums: dict[str, int] = {}
    for _, _, account, cents in lines:
        sums[account] = sums.get(account, 0) + cents
    kept = {(kind, name): value for draft in drafts for kind, name, value in draft.kept}
    secrets = {person: row for draft in drafts for person, *row in draft.secrets}
    last = entries[-1].position
    signatures = []
    if key is not None:
        signatures.append((before, last, key.id, key.sign(head, (last, whole))))
    values = {
        "before": str(before),
        "before_whole": head[1],
        "position": str(last),
        "whole": whole,
        "entries": _json([astuple(entry) for entry in entries]),
        "signatures": _json(signatures),
        "lines": _json(lines),
        "sums": _json(list(sums.items())),
        "kept": _json([(*key, value) for key, value in kept.items()]),
        **fences(drafts),
        "secrets": _json([(person, *row) for person, row in secrets.items()]),
        "signed_out": _json([(person,) for draft in drafts for person in draft.signed_out]),
    }
    return entries, (last, whole), values


def fences(drafts: Sequence[EntryDraft]) -> dict[str, str]:
    """Return what they rely on, each once, as it is sent to the database."""
    sessions = {(draft.session, draft.entry.at) for draft in drafts if draft.session}
    relied = {each for draft in drafts for each in draft.relied}
    return {"relied": _json(sorted(relied)), "sessions": _json(sorted(sessions))}


def _json(rows: list[tuple[Any, ...]]) -> str:
    return msgspec.json.encode(rows).decode()
