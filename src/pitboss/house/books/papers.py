"""Papers: whom a form is about, what it says, and winnings that are kept for somebody.

All of it is data: who is paid need have no account here.
"""

import datetime
from typing import Annotated, Literal

import msgspec

from pitboss.money import text, times
from pitboss.settle import Form, Player
from pitboss.settle.finished_round import MOST_PARTS, Share
from pitboss.settle.tax import figures
from pitboss.settle.tax_forms import layout

TWO = 2
"""Proofs of identity that it takes where something is withheld."""

LEFT = "left"
"""For a wager: what somebody without an account was paid too little, kept since they left."""

IdentityProof = Annotated[str, msgspec.Meta(min_length=2, max_length=80)]


class Payee(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whom winnings are paid to, as their papers say."""

    name: Annotated[str, msgspec.Meta(min_length=2, max_length=80)]
    address: Annotated[str, msgspec.Meta(min_length=2, max_length=160)]
    proofs: Annotated[tuple[IdentityProof, ...], msgspec.Meta(min_length=1, max_length=2)]
    """Papers that were seen; two, where something is withheld."""
    residence: Literal["us", "foreign"] = "us"
    tin: Annotated[
        str, msgspec.Meta(max_length=11, pattern=r"^([0-9]{3}-?[0-9]{2}-?[0-9]{4})?$")
    ] = ""
    """The taxpayer identification number; empty, if they have none."""
    country: Annotated[str, msgspec.Meta(max_length=2, pattern="^([A-Z]{2})?$")] = ""
    """Of who lives abroad, two letters."""

    @property
    def number(self) -> str:
        """Their taxpayer identification number however it was written."""
        return self.tin.replace("-", "")

    @property
    def known_by(self) -> tuple[str, str]:
        """Name and address however they were written: by these whoever has no number is known."""
        name, address = (" ".join(each.split()).casefold() for each in (self.name, self.address))
        return name, address


class Winner(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One of several who win a wager together."""

    payee: Payee
    parts: Annotated[int, msgspec.Meta(ge=1, le=MOST_PARTS)] = 1
    """How many of all parts are theirs."""


class Papers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody showed before a payoff."""

    payee: Payee
    winners: tuple[Winner, ...] = ()
    """All who win together, the payee too; nobody else does, where it is empty."""

    def of(self, winner: int) -> Payee:
        """Return whom a form is about by the number of its winner."""
        return self.winners[winner - 1].payee if winner else self.payee

    def player(self, *, barred: bool = False) -> Player:
        """Return what the tax desk knows by them."""
        return Player(
            residence=self.payee.residence,
            identified=True,
            tin=bool(self.payee.tin),
            barred=barred,
            shared=tuple(
                Share(each.parts, each.payee.residence, bool(each.payee.tin))
                for each in self.winners
            ),
        )


class WinnersPart(msgspec.Struct, frozen=True):
    """What one of several winners gets."""

    payee: Payee
    cents: int
    withheld_cents: int


class FormRecord(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A form that was made out for a payment."""

    id: str
    """``ROUND-SEAT-WAGER-WINNER``."""
    form: str
    state: Literal["completed", "corrected"]
    day: datetime.date
    """The gaming day of payment."""
    person: str
    """Who is known here by this, with an account or without."""
    payee: Payee
    wager: str
    """The title of the wager."""
    staked_cents: int
    reportable_cents: int
    withheld_cents: int
    by: str
    """Who completed it."""
    clause: str
    rulebook: str
    house: str
    parts: tuple[WinnersPart, ...] = ()
    """Of a statement of shared winners: everybody's."""


class HeldWinnings(msgspec.Struct, frozen=True, kw_only=True):
    """Winnings of one wager that are kept for somebody."""

    id: str
    """``ROUND-SEAT-WAGER``."""
    person: str
    day: datetime.date
    """The gaming day since which they are kept."""
    cents: int
    """What is kept of them."""
    set_off_cents: int = 0
    """What was taken of them for another round's debt: it was won, and a form says so."""
    wager: str
    """The title of the wager."""
    won_cents: int
    """What the whole wager won: that, and its stake, decide whether a form is due."""
    staked_cents: int
    dropped_cents: int
    why: str
    rulebook: str
    sha256: str
    """Of the rulebook by which they were won."""

    @property
    def winnings_cents(self) -> int:
        """What of them a form is about."""
        return self.cents + self.set_off_cents

    @property
    def on_form(self) -> bool:
        """Whether a form is made out when they leave: what somebody was paid too little who has
        left is theirs like chips, and stands on the forms of its round."""
        return self.id.split("-")[3] != LEFT

    @property
    def seat(self) -> int:
        return int(self.id.split("-")[2])

    @property
    def round(self) -> str:
        """What the round is called in the whole house."""
        return "-".join(self.id.split("-")[:2])


class ReleasedWinnings(msgspec.Struct, frozen=True, kw_only=True):
    """Winnings that were kept and have left since: paid out with a form, which follows where their
    round is put right, or turned over."""

    id: str
    """That of what was kept."""
    seat: int
    wager: str
    cents: int
    """What of it was won, as far as is known by now."""
    paid_cents: int
    """What left for it, before tax."""
    form: FormRecord | None = None
    """None, where it was turned over: nobody here was paid."""


class RoundClaim(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody was paid too much in one round, and owes."""

    id: str
    """``ROUND-SEAT``."""
    person: str
    since: int
    """When they first owed of it: milliseconds since 1970, UTC."""
    cents: int
    written_off_cents: int = 0
    """What the house gave up of it: they have it all the same."""
    practice: bool = False

    @property
    def round(self) -> str:
        """What the round is called in the whole house."""
        return self.id.rpartition("-")[0]


def lacking(papers: Papers | None, forms: tuple[Form, ...]) -> str:
    """Say what a payoff with these forms still waits for; nothing, if all is there."""
    names = " and ".join(dict.fromkeys(form.form for form in forms))
    if papers is None:
        return f"papers, for form {names}"
    form = unproved(papers, forms)
    if form is None:
        return ""
    whose = f" of winner {form.winner}" if form.winner else ""
    return f"a second proof of identity{whose}, for form {form.form}: something is withheld"


def unproved(papers: Papers, forms: tuple[Form, ...]) -> Form | None:
    """Return the first of these forms by which something is withheld with one proof of identity."""
    withheld = (form for form in forms if form.withheld_cents)
    return next((each for each in withheld if len(papers.of(each.winner).proofs) < TWO), None)


def filled(record: FormRecord) -> list[tuple[str, str, str]]:
    """Return the boxes of a form with what stands in them: number, title, value."""
    payee = record.payee
    values = {
        "payer": record.house,
        "name": payee.name,
        "address": payee.address,
        "tin": payee.tin or "none given",
        "country": payee.country,
        "proof_1": payee.proofs[0],
        "proof_2": payee.proofs[1] if len(payee.proofs) > 1 else "",
        "reportable": text(record.reportable_cents),
        "withheld": text(record.withheld_cents),
        "rate": text(times(10_000, figures(record.day).withhold_foreign)),
        "date": str(record.day),
        "type": f"{record.wager}, {text(record.staked_cents)} wagered",
        "id": record.id,
        "table": record.id.partition("-")[0][:8],
        "by": record.by,
        "winners": "",
    }
    return [
        (number, title, values.get(what, what))
        for number, title, what in layout(record.form, record.day).boxes
    ]
