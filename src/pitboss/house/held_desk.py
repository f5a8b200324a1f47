"""The desk for winnings that are kept: paid out by the tax rules of the day, turned over where the
house's rules say, or taken for what somebody owes."""

import datetime
from collections.abc import Awaitable, Callable, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from pitboss import money
from pitboss.errors import Refused, refuse
from pitboss.house.books.ledger import claims
from pitboss.house.books.papers import TWO, FormRecord, HeldWinnings
from pitboss.house.house import House
from pitboss.house.people import persons
from pitboss.house.people.persons import Person
from pitboss.house.storage import codec
from pitboss.house.storage.journal import Entry
from pitboss.house.storage.projections import held_winnings, rulebook
from pitboss.house.storage.store import KEY_REUSED, AlreadyDone
from pitboss.rulebook import Rulebook
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
            return persons.HeldTurnedOver(cents, why, named, to, clause)

        return await self._do(decide, ("cents", cents), ("why", why))

    async def collect(
        self, cents: int, source: Literal["chips", "held", "cash"], why: str
    ) -> Entry:
        """Take what somebody owes, of what is kept for them from the oldest on."""

        async def decide() -> persons.ClaimCollected:
            left: tuple[HeldWinnings, ...] = ()
            if source == "held":
                rest, kept = cents, await self._kept()
                if cents > sum(each.cents for each in kept):
                    raise refuse("held/amount", "so much is not kept for this person", "", "cents")
                for each in kept:
                    if rest:
                        left += (replace(each, cents=max(0, each.cents - rest)),)
                        rest -= min(rest, each.cents)
            return persons.ClaimCollected(cents, source, why, left)

        return await self._do(decide, ("cents", cents), ("source", source), ("why", why))

    async def _do(
        self,
        decide: Callable[[], Awaitable[persons.PersonEvent]],
        *asked: tuple[str, int | str],
    ) -> Entry:
        """Decide and write; the same key for the same is done once."""
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
            relied=lambda: (("house", house.settings.version),),
            refresh=house.refresh,
        )
        [event] = codec.person_body(done.body).events
        if any(getattr(event, name, None) != value for name, value in asked):
            raise Refused(KEY_REUSED)
        return done

    async def _owes_nothing(self, chosen: Kept) -> None:
        """Refuse to let go what may never have been won: a round that was put right leaves what is
        kept where it is, and as much is owed."""
        account = claims(self.person, practice=False)
        owed = await self.house.in_thread(self.house.store.balance, account)
        if owed:
            message = (
                f"{money.text(owed)} is owed by them: it is collected of what is kept, or written"
                " off, first"
            )
            raise refuse("held/owed", message, _clause(chosen))

    async def _kept(self) -> list[HeldWinnings]:
        return await self.house.in_thread(held_winnings, self.house.store, self.person)

    async def _chosen(self, cents: int, of: Sequence[str]) -> Kept:
        """Return what is meant; raises ``Refused`` where it does not come to that."""
        kept, house = await self._kept(), self.house
        unknown = {*of} - {each.id for each in kept}
        chosen = [each for each in kept if not of or each.id in of]
        if unknown or not chosen:
            what = ", ".join(sorted(unknown))[:120] or "for this person"
            raise refuse("held/none", f"nothing is kept {what}", "", "of")
        books = [await house.in_thread(rulebook, house.store, each.sha256) for each in chosen]
        found = list(zip(chosen, books, strict=True))
        total = sum(each.cents for each in chosen)
        if total != cents:
            message = f"winnings are paid as they were won: these come to {money.text(total)}"
            raise refuse("held/amount", message, _clause(found), "cents")
        return found


def _clause(kept: Kept) -> str:
    return kept[0][1].tax.clause_on("held")


def _form(
    kept: HeldWinnings, book: Rulebook, who: Person, by: str, day: datetime.date
) -> FormRecord | None:
    """Return the form that a payment needs on a day; None where it needs none."""
    whole = TaxedWager(kept.won_cents, kept.staked_cents, kept.dropped_cents)
    if not reportable(book.tax, whole, day):
        return None
    form, clause = form_for(book.tax, who.player)
    taken = withheld(whole, replace(whole, won_cents=kept.cents), who.player, day)
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
        reportable_cents=kept.cents,
        withheld_cents=taken,
        by=by,
        clause=clause,
        rulebook=book.id,
        house=book.house,
    )
