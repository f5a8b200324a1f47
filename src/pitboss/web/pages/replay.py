"""A finished round, step by step, as one person saw it; the shuffle is checked in the page."""

import msgspec
from starlette.responses import Response

from pitboss.errors import Refusal, Refused
from pitboss.house.people.permissions import may
from pitboss.house.replay import Replay, played, shared, state_after, unknown_round
from pitboss.house.storage import codec
from pitboss.rulebook import ids, load
from pitboss.web.pages import coach, layout
from pitboss.web.pages.narration import story
from pitboss.web.pages.rules import rule_card
from pitboss.web.pages.site import Site, Visit
from pitboss.web.pages.table import TablePages


class Step(msgspec.Struct, frozen=True):
    """A moment of a round at which something could be seen to happen."""

    number: int
    """How many events had happened."""
    says: str


class ReplayPages:
    """Past rounds, and the rules that they were played by."""

    def __init__(self, site: Site, tables: TablePages) -> None:
        self.site, self.house, self.tables = site, site.house, tables

    async def look(self, visit: Visit) -> Response:
        """Show a round as the visitor saw it."""
        name = visit.path("round")
        found = await self.tables.past(name, visit.person.id)
        if found.seat is None and not await self._may_watch(visit, found):
            raise unknown_round(name)
        return await self._show(visit, found, f"/rounds/{found.round}", found.seat)

    async def _may_watch(self, visit: Visit, found: Replay) -> bool:
        """Whether somebody may see a round without having played in it: the floor any, others the
        last one of a table, which they could have watched."""
        if may(frozenset(visit.person.roles), "watch-floor"):
            return True
        live = await self.house.table(found.round.rpartition("-")[0])
        return live.table.last is not None and live.table.last.round == found.paid.round

    async def mine(self, visit: Visit) -> Response:
        """List the visitor's own rounds, the last first."""
        asked = visit.request.query_params.get("before", "")
        before = asked if asked.isascii() and asked.isprintable() else ""
        who = visit.person.id
        listed = await self.house.read(played, self.house.store, who, before) if who else []
        pasts = [(each, await self.tables.past(each.round, who)) for each in listed]
        more = listed[-1].key if len(listed) == 20 else None
        return self.site.page(visit, "rounds.html", pasts=pasts, more=more)

    async def shared(self, visit: Visit) -> Response:
        """Show a round as the one saw it who shared the link."""
        name, key = visit.path("round"), visit.path("key")
        found = await self.house.read(shared, self.house.store, name, key)
        return await self._show(visit, found, f"/rounds/{found.round}/{key}", None)

    async def _show(self, visit: Visit, found: Replay, here: str, me: int | None) -> Response:
        """Show a round to somebody at this seat; to others everybody in it has a name."""
        steps = _steps(found, me)
        asked = visit.request.query_params.get("step", "")
        at = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 6 else len(steps)
        at = max(1, min(at, len(steps)))
        over = at == len(steps)
        state = found.state if over else state_after(found, steps[at - 1].number)
        people = {n: layout.Person(name) for n, name in found.names.items()}
        felt = layout.draw(found.book, state, people, me, found.paid if over else None)
        costs: tuple[coach.Cost, ...] = ()
        if visit.coached and over:
            costs = await self.house.read(coach.costs, found)
        proof = codec.encode(found.proof).decode() if found.proof is not None else ""
        return self.site.page(
            visit,
            "replay.html",
            past=found,
            felt=felt,
            steps=steps,
            at=at,
            over=over,
            here=here,
            costs=costs,
            proof=proof,
            share=found.share if me is not None else None,
        )

    async def rules(self, visit: Visit) -> Response:
        """Show the rule card of a game."""
        name = visit.path("book")
        if name not in ids():
            raise Refused(Refusal("path/unknown", f"there are no rules called {name[:60]!r}"))
        book = load(name)
        return self.site.page(visit, "rules.html", card=rule_card(book), book=book)


def _steps(found: Replay, me: int | None) -> list[Step]:
    """Return the steps that have something to say, to somebody at this seat."""
    words = story(found.book, found.events, found.names, me)
    told = [Step(number, each) for number, each in enumerate(words, start=1) if each]
    last = len(found.events)
    return told if told and told[-1].number == last else [*told, Step(last, "The round is over.")]
