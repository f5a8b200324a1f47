"""Somebody's own rounds: what they brought, beside what they were expected to bring."""

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import partial
from itertools import accumulate

import msgspec
from starlette.responses import Response

from pitboss.house.replay import Played, Replay, played
from pitboss.money import text
from pitboss.rulebook import Rulebook
from pitboss.web import guards
from pitboss.web.pages import rule_page
from pitboss.web.pages.history import SESSION, Replays
from pitboss.web.pages.prices import expected
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

Past = tuple[Played, Replay]

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
    net_cents: int
    expected_cents: int
    """To the nearest cent, from exact house edges."""
    known: bool
    """Whether the game is priced."""


class Curve(msgspec.Struct, frozen=True):
    """What was won and lost round by round, and what was expected, as points of a drawing."""

    won: str
    expected: str
    zero: int
    """Where nothing is won or lost."""
    amounts: tuple[tuple[int, int], ...]
    """How far down the most, nothing and the least lie, each with its cents."""
    end: int
    """How far down it ends."""


async def _pasts(web: Services, visit: Visit, before: str, most: int) -> list[Past]:
    who, replays = visit.person.id, web.kept(Replays)
    listed = await web.house.look(played, web.house.archive, who, before, most) if who else []
    return [(each, await replays.read(web.house, each.round, who)) for each in listed]


async def look(web: Services, visit: Visit) -> Page:
    """Your own rounds."""
    query = visit.request.query_params
    given, game, ended = (query.get(each, "") for each in ("before", "game", "ended"))
    before = given if given.isascii() and given.isprintable() else ""  # any database can be asked
    pasts = await _pasts(web, visit, before, LISTED if before else SESSION)
    alike = [past for past in pasts if not game or past[1].book.id == game]
    counts = ENDED.get(ended, ENDED[""])
    found = [past for past in alike if counts(_paid(past[1])[1])]
    shown = found if game or ended else found[:LISTED]
    more = shown[-1][0].key if not game and not ended and len(shown) == LISTED else None
    drawn = [] if before else _same_chips(alike)
    return Page(
        "rounds.html",
        pasts=shown,
        notices=dict.fromkeys(words for _, past in shown for words in _notices(past)),
        maths=partial(rule_page.address, web.house.shelf, page="maths"),
        more=more,
        game=game,
        ended=ended,
        totals=[] if before else await web.house.look(totals, pasts),
        curve=await web.house.look(curve, drawn) if len(drawn) > 1 else None,
        drawn=await web.house.look(total, drawn) if drawn else None,
    )


async def export(web: Services, visit: Visit) -> Response:
    """Your last rounds as a table for other programs."""
    written = io.StringIO()
    sheet = csv.writer(written)
    sheet.writerow(("ended", "table", "round", "house", "game", "chips", "hand", "staked", "net"))
    for each, past in await _pasts(web, visit, "", SESSION):
        staked, net = _paid(past)
        table, _, number = past.round.rpartition("-")
        hand = past.receipt.paid.hand if past.receipt is not None else ""
        kind = "play" if past.practice else past.book.currency
        told = (table, number, past.book.house, past.book.game, kind, hand)
        sheet.writerow((timestamp(each.at), *told, text(staked), text(net)))
    headers = {"Content-Disposition": 'attachment; filename="rounds.csv"'}
    return guards.guarded(Response(written.getvalue(), media_type="text/csv", headers=headers))


def _notices(past: Replay) -> tuple[str, ...]:
    """What its house has to say wherever a round is looked back on."""
    return past.book.notices("receipt", "replay")


def _same_chips(pasts: Sequence[Past]) -> list[Past]:
    """Return the rounds with chips of the same kind as the last one: others do not add up."""
    if not pasts:
        return []
    kind = (pasts[0][1].book.currency, pasts[0][1].practice)
    return [each for each in pasts if (each[1].book.currency, each[1].practice) == kind]


def totals(pasts: Iterable[Past]) -> list[GameTotal]:
    """Add up each game with each kind of chips, the one that was played last first."""
    games: dict[tuple[str, bool], list[Past]] = {}
    for each in pasts:
        games.setdefault((each[1].book.id, each[1].practice), []).append(each)
    return [total(several) for several in games.values()]


def total(pasts: Sequence[Past]) -> GameTotal:
    last = pasts[0][1]
    worths = [_expected(past) for _, past in pasts]
    return GameTotal(
        book=last.book,
        practice=last.practice,
        rounds=len(pasts),
        staked_cents=sum(_paid(past)[0] for _, past in pasts),
        net_cents=sum(_paid(past)[1] for _, past in pasts),
        expected_cents=round(sum((each for each in worths if each is not None), Fraction())),
        known=None not in worths,
    )


def curve(pasts: Sequence[Past]) -> Curve:
    """Draw what the rounds came to, the first one at the left."""
    first_to_last = [past for _, past in reversed(pasts)]
    won = _sums(Fraction(_paid(past)[1]) for past in first_to_last)
    worth = _sums(_expected(past) or Fraction() for past in first_to_last)
    top, bottom = max(*won, *worth, Fraction(1)), min(*won, *worth)

    def down(value: Fraction) -> int:
        return round(HIGH * (top - value) / (top - bottom))

    def line(values: Sequence[Fraction]) -> str:
        across = [round(Fraction(WIDE * n, len(pasts))) for n in range(len(values))]
        return " ".join(f"{x},{down(y)}" for x, y in zip(across, values, strict=True))

    zero = down(Fraction())
    ends = ((down(each), round(each)) for each in (max(*won, *worth), min(*won, *worth)))
    return Curve(
        won=line(won),
        expected=line(worth),
        zero=zero,
        amounts=((zero, 0), *(each for each in ends if abs(each[0] - zero) >= APART)),
        end=down(won[-1]),
    )


def _sums(values: Iterable[Fraction]) -> list[Fraction]:
    """Return what there was before the first of these, and after each."""
    return list(accumulate(values, initial=Fraction()))


def _paid(past: Replay) -> tuple[int, int]:
    """Return what somebody staked in a round of their own, and what it brought."""
    assert past.receipt is not None  # they played in it
    return past.receipt.paid.staked_cents, past.receipt.paid.net_cents


def _expected(past: Replay) -> Fraction | None:
    assert past.receipt is not None
    if past.state.misdeal:
        return Fraction(0)
    return expected(past.book, {line.spot: line.stake_cents for line in past.receipt.paid.lines})
