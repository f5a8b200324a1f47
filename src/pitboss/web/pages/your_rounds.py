"""Somebody's own rounds: what they brought, and how much of it was edge, mistakes and luck."""

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import partial
from itertools import accumulate

import msgspec
from starlette.responses import Response

from pitboss.house.luck import RoundLuck
from pitboss.house.replay import Played, Replay, played
from pitboss.maths.luck import Parts
from pitboss.maths.luck import total as add_up
from pitboss.money import text
from pitboss.rulebook import Rulebook
from pitboss.web import guards
from pitboss.web.pages import rule_page
from pitboss.web.pages.history import SESSION, Replays
from pitboss.web.pages.lifetimes import Lifetime, Lifetimes
from pitboss.web.pages.luck_words import PartShown, shares
from pitboss.web.pages.renderer import Page
from pitboss.web.pages.template_filters import timestamp
from pitboss.web.pages.visit import Visit
from pitboss.web.services import Services

LISTED = 20
"""Rounds that a page lists; a game's own are all that it looks back on."""

WIDE, HIGH = 600, 150
"""Of the drawing, in its own units."""

APART = 24
"""How far from another an amount stands beside the drawing."""


class Past(msgspec.Struct, frozen=True):
    """A round of one's own, and what its result was made of."""

    played: Played
    replay: Replay
    parts: Parts
    known: bool = True
    """Whether it was told apart, all of it."""

    @property
    def staked_cents(self) -> int:
        assert self.replay.receipt is not None  # they played in it
        return self.replay.receipt.paid.staked_cents

    @property
    def paid_cents(self) -> int:
        """What it brought when it was paid, after tax."""
        assert self.replay.receipt is not None
        return self.replay.receipt.paid.net_cents


ENDED: dict[str, Callable[[int], bool]] = {
    "": lambda _net: True,
    "won": lambda net: net > 0,
    "lost": lambda net: net < 0,
}
"""How rounds ended that one may want to see alone."""


class GameTotal(msgspec.Struct, frozen=True):
    """What the rounds of one game with one kind of chips came to."""

    book: Rulebook
    practice: bool
    rounds: int
    staked_cents: int
    parts: Parts
    known: bool
    """Whether all of it was told apart."""

    @property
    def net_cents(self) -> int:
        """Before tax, as rounds that were put right stand now."""
        return self.parts.net_cents

    @property
    def shares(self) -> tuple[PartShown, ...]:
        return shares(self.parts)


class Curve(msgspec.Struct, frozen=True):
    """What was won and lost round by round, beside what the edge alone would have left, and what
    play was worth that made these mistakes: as points of a drawing."""

    won: str
    edge: str
    skill: str
    zero: int
    """Where nothing is won or lost."""
    amounts: tuple[tuple[int, int], ...]
    """How far down the most, nothing and the least lie, each with its cents."""
    end: int
    """How far down it ends."""


async def _replays(
    web: Services, visit: Visit, before: str, most: int
) -> list[tuple[Played, Replay]]:
    who, replays = visit.person.id, web.kept(Replays)
    listed = await web.house.look(played, web.house.archive, who, before, most) if who else []
    return [(each, await replays.read(web.house, each.round, who)) for each in listed]


async def _pasts(web: Services, visit: Visit, before: str, most: int) -> list[Past]:
    found = await _replays(web, visit, before, most)
    names, replays = [each.round for each, _ in found], web.kept(Replays)
    taken = await web.house.look(replays.lucks, web.house.archive, names, visit.person.id)
    return [_past(*each, luck) for each, luck in zip(found, taken, strict=True)]


def _past(each: Played, replay: Replay, taken: RoundLuck | None) -> Past:
    if taken is not None:
        return Past(each, replay, taken.parts, not taken.parts.apart)
    paid = replay.stands
    cents = paid.net_cents + paid.held_cents + paid.withheld_cents if paid is not None else 0
    return Past(each, replay, Parts(rounds=1, apart=Fraction(cents)), known=False)


async def look(web: Services, visit: Visit) -> Page:
    """Your own rounds."""
    query = visit.request.query_params
    given, game, ended = (query.get(each, "") for each in ("before", "game", "ended"))
    before = given if given.isascii() and given.isprintable() else ""  # any database can be asked
    pasts = await _pasts(web, visit, before, LISTED if before else SESSION)
    alike = [past for past in pasts if not game or past.replay.book.id == game]
    counts = ENDED.get(ended, ENDED[""])
    found = [past for past in alike if counts(past.paid_cents)]
    shown = found if game or ended else found[:LISTED]
    more = shown[-1].played.key if not game and not ended and len(shown) == LISTED else None
    drawn = [] if before else _same_chips(alike)
    ever = await web.kept(Lifetimes).of(web.house, visit.person.id) if drawn and not game else None
    return Page(
        "rounds.html",
        pasts=shown,
        notices=dict.fromkeys(words for past in shown for words in _notices(past.replay)),
        maths=partial(rule_page.address, web.house.shelf, page="maths"),
        more=more,
        game=game,
        ended=ended,
        totals=[] if before else totals(pasts),
        curve=curve([past.parts for past in reversed(drawn)]) if len(drawn) > 1 else None,
        drawn=total(drawn) if drawn else None,
        ever=ever,
        ever_shares=_ever(ever, drawn) if ever is not None else (),
    )


def _ever(ever: Lifetime, drawn: Sequence[Past]) -> tuple[PartShown, ...]:
    """Return what all rounds with chips like these came to; nothing that the last ones say, too."""
    parts = ever.parts.get(_chips(drawn[0]), Parts())
    return shares(parts) if parts.rounds > len(drawn) or not ever.whole else ()


async def export(web: Services, visit: Visit) -> Response:
    """Your last rounds as a table for other programs."""
    written = io.StringIO()
    sheet = csv.writer(written)
    sheet.writerow(("ended", "table", "round", "house", "game", "chips", "hand", "staked", "net"))
    for each, past in await _replays(web, visit, "", SESSION):
        assert past.receipt is not None  # they played in it
        table, _, number = past.round.rpartition("-")
        paid = past.receipt.paid
        kind = "play" if past.practice else past.book.currency
        told = (table, number, past.book.house, past.book.game, kind, paid.hand)
        sheet.writerow((timestamp(each.at), *told, text(paid.staked_cents), text(paid.net_cents)))
    headers = {"Content-Disposition": 'attachment; filename="rounds.csv"'}
    return guards.guarded(Response(written.getvalue(), media_type="text/csv", headers=headers))


def _notices(past: Replay) -> tuple[str, ...]:
    """What its house has to say wherever a round is looked back on."""
    return past.book.notices("receipt", "replay")


def _chips(past: Past) -> tuple[str, bool]:
    return past.replay.book.currency, past.replay.practice


def _same_chips(pasts: Sequence[Past]) -> list[Past]:
    """Return the rounds with chips of the same kind as the last one: others do not add up."""
    return [each for each in pasts if _chips(each) == _chips(pasts[0])]


def totals(pasts: Iterable[Past]) -> list[GameTotal]:
    """Add up each game with each kind of chips, the one that was played last first."""
    games: dict[tuple[str, bool], list[Past]] = {}
    for each in pasts:
        games.setdefault((each.replay.book.id, each.replay.practice), []).append(each)
    return [total(several) for several in games.values()]


def total(pasts: Sequence[Past]) -> GameTotal:
    last = pasts[0].replay
    return GameTotal(
        book=last.book,
        practice=last.practice,
        rounds=len(pasts),
        staked_cents=sum(past.staked_cents for past in pasts),
        parts=add_up(past.parts for past in pasts),
        known=all(past.known for past in pasts),
    )


def curve(results: Sequence[Parts]) -> Curve:
    """Draw what rounds came to, the first one at the left."""
    won = _sums(Fraction(each.net_cents) for each in results)
    edge = _sums(each.edge for each in results)
    skill = _sums(each.edge + each.mistakes for each in results)
    highest, lowest = max(*won, *edge, *skill), min(*won, *edge, *skill)
    top = max(highest, Fraction(1))

    def down(value: Fraction) -> int:
        return round(HIGH * (top - value) / (top - lowest))

    def line(values: Sequence[Fraction]) -> str:
        across = [round(Fraction(WIDE * n, len(results))) for n in range(len(values))]
        return " ".join(f"{x},{down(y)}" for x, y in zip(across, values, strict=True))

    zero = down(Fraction())
    ends = ((down(each), _labelled(each)) for each in (highest, lowest))
    return Curve(
        won=line(won),
        edge=line(edge),
        skill=line(skill),
        zero=zero,
        amounts=((zero, 0), *(each for each in ends if abs(each[0] - zero) >= APART)),
        end=down(won[-1]),
    )


def _sums(values: Iterable[Fraction]) -> list[Fraction]:
    """Return what there was before the first of these, and after each."""
    return list(accumulate(values, initial=Fraction()))


def _labelled(cents: Fraction) -> int:
    """Return what stands beside the drawing, where there is no room for the cents of hundreds."""
    return round(cents / 100) * 100 if abs(cents) >= 100_00 else round(cents)
