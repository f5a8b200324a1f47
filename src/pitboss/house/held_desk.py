"""The desk for winnings that are kept: paid out by the tax rules of the day, turned over where the
house's rules say, or taken for what somebody owes."""

import datetime
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from pitboss import money
from pitboss.errors import Refused, refuse
from pitboss.house.books.papers import TWO, FormRecord, HeldWinnings, RoundClaim
from pitboss.house.house import House
from pitboss.house.people import persons
from pitboss.house.people.persons import Person
from pitboss.house.storage import codec
from pitboss.house.storage.journal import Entry
from pitboss.house.storage.projections import (
    claims_of,
    held_winnings,
    rulebook,
    tables_of,
)
from pitboss.house.storage.store import KEY_REUSED, AlreadyDone
from pitboss.rulebook import Rulebook
from pitboss.settle import Player
from pitboss.settle.tax import TaxedWager, form_for, reportable, withheld

Kept = list[tuple[HeldWinnings, Rulebook]]


class HeldDesk(msgspec.Struct, frozen=True):
    """Somebody at work with what is kept for a person."""

    house: House
    actor: str
    person: str
    key: str
    session: str

    async def release(self, cents: int, of: Sequence[str], why: str) -> Entry:
        """Pay out what was kept: form first, what is withheld posted, the rest paid."""

        async def decide() -> persons.HeldReleased:
            chosen, who = await self._chosen(cents, of), await self.house.person(self.person)
            day = self.house.settings.day(self.house.clock())
            clause = _clause(chosen)
            if who.player.barred:
                message = "this person is barred: what is kept for them stays kept"
                raise refuse("held/barred", message, clause)
            if not who.player.identified:
                message = "this person has shown no papers: identify them first"
                raise refuse("held/unidentified", message, clause)
            await self._owes_nothing(chosen)
            made = (_form(each, book, who, self.actor, day) for each, book in chosen)
            forms = tuple(form for form in made if form is not None)
            return persons.HeldReleased(
                cents,
                why,
                day,
                tuple(each.id for each, _ in chosen),
                sum(form.withheld_cents for form in forms),
                forms,
            )

        return await self._do(decide, ("cents", cents), ("why", why))

    async def turn_over(self, cents: int, of: Sequence[str], why: str) -> Entry:
        """Send what nobody claimed where the house's rules say; never to the house itself."""

        async def decide() -> persons.HeldTurnedOver:
            chosen = await self._chosen(cents, of)
            rules = {
                (book.tax.turned_over_to, book.tax.clause_on("turned_over_to"))
                for _, book in chosen
            }
            [(to, clause), *others] = sorted(rules)
            if not to or others:
                message = "no one clause says where these winnings go: they stay kept"
                raise refuse("held/stays", message, _clause(chosen))
            await self._owes_nothing(chosen)
            named = tuple(each.id for each, _ in chosen)
            left = tuple(each for each, _ in chosen)
            return persons.HeldTurnedOver(cents, why, named, to, clause, left)

        return await self._do(decide, ("cents", cents), ("why", why))

    async def collect(
        self, cents: int, source: Literal["chips", "held", "cash"], why: str
    ) -> Entry:
        """Take what somebody owes, of what is kept for them from the oldest on."""

        async def decide() -> persons.ClaimCollected:
            asked = persons.ClaimCollected(cents, source, why)
            owed = await self._owed(asked)
            if source != "held":
                return replace(asked, claims=closed(owed, cents))
            kept, player = await self._kept(), (await self.house.person(self.person)).player
            day = self.house.settings.day(self.house.clock())
            found = zip(kept, await self._books(kept), strict=True)
            tax = {each.id: _most_withheld(each, book, player, day) for each, book in found}
            left, claims = taken_of_held(cents, kept, owed, tax)
            return replace(asked, left=left, claims=claims)

        return await self._do(decide, ("cents", cents), ("source", source), ("why", why))

    async def write_off(self, cents: int, why: str) -> Entry:
        """Give up what somebody owes, the oldest first."""

        async def decide() -> persons.ClaimWrittenOff:
            asked = persons.ClaimWrittenOff(cents, why)
            owed = await self._owed(asked)
            was = {each.id: each.cents for each in owed}
            claims = tuple(
                replace(each, written_off_cents=each.written_off_cents + was[each.id] - each.cents)
                for each in closed(owed, cents)
            )
            return replace(asked, claims=claims)

        return await self._do(decide, ("cents", cents), ("why", why))

    async def _do(
        self,
        decide: Callable[[], Awaitable[persons.PersonEvent]],
        *asked: tuple[str, int | str],
    ) -> Entry:
        """Decide and write; the same key for the same is done once. What is owed of a round is in
        its table's stream: where one of theirs goes on meanwhile, it is decided anew."""
        house = self.house

        async def decision() -> tuple[persons.PersonEvent, ...]:
            try:
                return (await decide(),)
            except Refused as refused:
                before = await house.people.refuse_unless_done(
                    refused, f"person:{self.person}", self.actor, self.key
                )
                raise AlreadyDone(before) from None

        done = await house.people.transact(
            self.actor,
            self.person,
            self.key,
            decision,
            session=self.session,
            relied=self._relied,
            refresh=house.refresh,
        )
        [event] = codec.person_body(done.body).events
        if any(getattr(event, name, None) != value for name, value in asked):
            raise Refused(KEY_REUSED)
        return done

    async def _owes_nothing(self, chosen: Kept) -> None:
        """Refuse to let go what may never have been won: a round that was put right leaves what is
        kept where it is, and as much is owed."""
        if owed := sum(each.cents for each in await self._claims()):
            message = (
                f"{money.text(owed)} is owed by them: it is collected of what is kept, or written"
                " off, first"
            )
            raise refuse("held/owed", message, _clause(chosen))

    async def _relied(self) -> tuple[tuple[str, int], ...]:
        settings = ("house", self.house.settings.version)
        return (settings, *await self.house.in_thread(self._tables))

    def _tables(self) -> list[tuple[str, int]]:
        store = self.house.store
        streams = (f"table:{name}" for name in sorted(tables_of(store, self.person)))
        return [(stream, store.last(stream)[0]) for stream in streams]

    async def _claims(self) -> list[RoundClaim]:
        return await self.house.in_thread(claims_of, self.house.store, self.person)

    async def _owed(self, asked: persons.ClaimEvent) -> list[RoundClaim]:
        """Return what they owe; raises ``Refused`` where that is less, or nobody may ask this."""
        await self.house.people.allowed(self.actor, f"person:{self.person}", self.key, asked)
        found = await self._claims()
        owed = sum(each.cents for each in found)
        if asked.cents > owed:
            message = f"they owe {money.text(owed)}, and no more is taken or given up"
            raise refuse("claim/amount", message, "", "cents")
        return found

    async def _kept(self) -> list[HeldWinnings]:
        return await self.house.in_thread(held_winnings, self.house.store, self.person)

    async def _books(self, kept: Sequence[HeldWinnings]) -> list[Rulebook]:
        house = self.house
        return [await house.in_thread(rulebook, house.store, each.sha256) for each in kept]

    async def _chosen(self, cents: int, of: Sequence[str]) -> Kept:
        """Return what is meant; raises ``Refused`` where it does not come to that."""
        kept = await self._kept()
        unknown = {*of} - {each.id for each in kept}
        chosen = [each for each in kept if not of or each.id in of]
        if unknown or not chosen:
            what = ", ".join(sorted(unknown))[:120] or "for this person"
            raise refuse("held/none", f"nothing is kept {what}", "", "of")
        found = list(zip(chosen, await self._books(chosen), strict=True))
        total = sum(each.cents for each in chosen)
        if total != cents:
            message = f"winnings are paid as they were won: these come to {money.text(total)}"
            raise refuse("held/amount", message, _clause(found), "cents")
        return found


def closed(owed: Sequence[RoundClaim], cents: int) -> tuple[RoundClaim, ...]:
    """Return what is left of claims of which so much is closed, the first ones first."""
    found = []
    for each in owed:
        part = min(cents, each.cents)
        cents -= part
        if part:
            found.append(replace(each, cents=each.cents - part))
    return tuple(found)


def taken_of_held(
    cents: int, kept: Sequence[HeldWinnings], owed: Sequence[RoundClaim], tax: Mapping[str, int]
) -> tuple[tuple[HeldWinnings, ...], tuple[RoundClaim, ...]]:
    """Return what is left of what is kept, and of what is owed, once so much is taken: what is owed
    of the same round was never won; what is owed of another round is paid with winnings, so that
    their form stays what it is, and what tax may take of them stays kept."""
    if cents > sum(each.cents for each in kept):
        raise refuse("held/amount", "so much is not kept for this person", "", "cents")
    now, claims = {each.id: each for each in kept}, {each.id: each for each in owed}
    pairs = [(one, each) for one in owed for each in kept]
    for one, each in sorted(pairs, key=lambda pair: pair[0].round != pair[1].round):
        claim, item, same = claims[one.id], now[each.id], one.round == each.round
        most = item.cents if same else item.cents - tax[each.id]
        part = max(0, min(cents, claim.cents, most))
        cents -= part
        claims[one.id] = replace(claim, cents=claim.cents - part)
        set_off = item.set_off_cents + (0 if same else part)
        now[each.id] = replace(item, cents=item.cents - part, set_off_cents=set_off)
    if cents:
        message = "what tax may take of these winnings stays kept: take the rest in chips or cash"
        raise refuse("held/tax", message, "", "cents")
    left = tuple(now[each.id] for each in kept if now[each.id] != each)
    return left, tuple(claims[each.id] for each in owed if claims[each.id] != each)


def _most_withheld(kept: HeldWinnings, book: Rulebook, player: Player, day: datetime.date) -> int:
    """Return what tax may take of winnings: of whom nobody has seen papers, at most."""
    unknown = (Player(tin=False), Player(residence="foreign"))
    may_be = (player,) if player.identified else unknown
    return max(_tax(kept, book, each, day) for each in may_be)


def _tax(kept: HeldWinnings, book: Rulebook, player: Player, day: datetime.date) -> int:
    """Return what is withheld where these winnings are paid to somebody on a day."""
    whole = TaxedWager(kept.won_cents, kept.staked_cents, kept.dropped_cents)
    if not _reportable(kept, book, day):
        return 0
    return withheld(whole, replace(whole, won_cents=kept.winnings_cents), player, day)


def _reportable(kept: HeldWinnings, book: Rulebook, day: datetime.date) -> bool:
    whole = TaxedWager(kept.won_cents, kept.staked_cents, kept.dropped_cents)
    return kept.on_form and reportable(book.tax, whole, day)


def _clause(kept: Kept) -> str:
    return kept[0][1].tax.clause_on("held")


def _form(
    kept: HeldWinnings, book: Rulebook, who: Person, by: str, day: datetime.date
) -> FormRecord | None:
    """Return the form that a payment needs on a day; None where it needs none."""
    if not _reportable(kept, book, day):
        return None
    form, clause = form_for(book.tax, who.player)
    taken = _tax(kept, book, who.player, day)
    if taken > kept.cents:
        message = f"{money.text(taken)} is withheld of these winnings, and less is kept of them"
        raise refuse("held/tax", message, clause)
    if who.payee is None:
        message = f"form {form} needs a name, an address and proofs: identify them with these"
        raise refuse("held/payee", message, clause)
    if taken and len(who.payee.proofs) < TWO:
        message = "something is withheld: identify them with a second proof of identity"
        raise refuse("held/payee", message, clause)
    return FormRecord(
        id=f"{kept.id}-0",
        form=form,
        state="completed",
        day=day,
        person=who.id,
        payee=who.payee,
        wager=kept.wager,
        staked_cents=kept.staked_cents,
        reportable_cents=kept.winnings_cents,
        withheld_cents=taken,
        by=by,
        clause=clause,
        rulebook=book.id,
        house=book.house,
    )
