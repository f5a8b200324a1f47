"""A second settlement, so that every payment is worked out twice by code that shares nothing.

It reads a round's events and the rulebook's own words, and nothing of the first settlement or of
its tables of hands. It is slow and plain on purpose: whoever doubts a payment can read this page.
"""

import datetime
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import floor
from pathlib import Path
from typing import Any

import msgspec

from pitboss.audit.hands import ORDER, best, row_of
from pitboss.cards import Card
from pitboss.round import events as e
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.paytable import Row, Spot

TOKE = "toke"
FEDERAL = Path(__file__).parent.parent / "settle" / "federal-tax.toml"
"""The dated figures are data, and so the same for both settlements."""


class RetoldWager(msgspec.Struct):
    """One wager on its way through the settlement."""

    spot: str
    kind: str
    stake_cents: int
    outcome: str = "lose"
    odds: Fraction | None = None
    row: str = ""
    nominal_cents: int = 0
    won_cents: int = 0
    stake_returns: bool = False
    table: str = ""
    beside_cents: int = 0
    """For a bonus, which has no stake: the wager that it stands beside."""

    @property
    def returned_cents(self) -> int:
        """What goes back to the player, stake and winnings."""
        return self.won_cents + (self.stake_cents if self.stake_returns else 0)


class RetoldForm(msgspec.Struct, frozen=True):
    """A form that is due, and for how much."""

    form: str
    wager: str
    reportable_cents: int
    withheld_cents: int
    winner: int


class RetoldHeld(msgspec.Struct, frozen=True):
    """Winnings of a wager that are kept, and what decides whether a form is due for them."""

    wager: str
    cents: int
    won_cents: int
    """What the whole wager won, of which more may have been paid before."""
    staked_cents: int
    dropped_cents: int


class RetoldSeat(msgspec.Struct):
    """One seat as the events tell of it, and what it is owed."""

    seat: int
    person: str
    stakes: dict[str, int] = {}
    toke_cents: int = 0
    cards: list[Card | None] = []
    folded: bool = False
    timed_out: bool = False
    dead: str = ""
    wagers: list[RetoldWager] = []
    claims: list[tuple[RetoldWager, Row]] = []
    toke: RetoldWager | None = None
    toke_goes_back: bool = False
    """It is the dealers' once it is decided: not in a misdeal, not with a dead hand."""
    forms: list[str] = []
    papers: list[RetoldForm] = []
    kept: list[RetoldHeld] = []
    held_cents: int = 0
    withheld_cents: int = 0

    @property
    def won_cents(self) -> int:
        """All winnings but the toke's."""
        return sum(wager.won_cents for wager in self.wagers)

    @property
    def staked_cents(self) -> int:
        """All that lay down, the toke too."""
        return sum(self.stakes.values()) + self.toke_cents

    @property
    def paid_cents(self) -> int:
        """What is pushed over to the player."""
        returned = sum(wager.returned_cents for wager in self.wagers)
        if self.toke is not None and self.toke_goes_back:
            returned += self.toke.returned_cents
        return returned - self.held_cents - self.withheld_cents


class RetoldRound(msgspec.Struct):
    """A round as its events tell of it, settled."""

    seats: dict[int, RetoldSeat] = {}
    piles: dict[str, list[Card | None]] = {}
    faces: dict[str, list[bool]] = {}
    minimum_cents: int = 0
    meter_before_cents: int | None = None
    meter_cents: int | None = None
    """Locked when betting closed; after the settlement, where it stands then."""
    misdeal: str = ""
    notify: tuple[str, ...] = ()


# What happened ----------------------------------------------------------------------------------


def retold(book: Rulebook, events: Iterable[Any]) -> RetoldRound:
    """Return what the events say, read once from the first to the last."""
    told = RetoldRound()
    for event in events:
        if isinstance(event, e.RoundOpened):
            seats = {n: RetoldSeat(n, person) for n, person in sorted(event.seats.items())}
            told = RetoldRound(seats, minimum_cents=event.minimum_cents)
            told.meter_before_cents = told.meter_cents = event.meter_cents
        elif isinstance(event, e.BetPlaced):
            told.seats[event.seat].stakes = dict(event.wagers)
            told.seats[event.seat].toke_cents = event.toke_cents
        elif isinstance(event, e.BettingClosed):
            told.seats = {n: seat for n, seat in told.seats.items() if seat.stakes}
            told.meter_cents = _fed(book, told)
        elif isinstance(event, e.LateWagerAccepted) and event.spot == TOKE:
            told.seats[event.seat].toke_cents = event.cents
        elif isinstance(event, e.RaisePlaced | e.LateWagerAccepted):
            told.seats[event.seat].stakes[event.spot] = event.cents
        elif isinstance(event, e.WagerTakenBack):
            del told.seats[event.seat].stakes[event.spot]
        elif isinstance(event, e.Folded):
            told.seats[event.seat].folded = True
            told.seats[event.seat].timed_out = event.timed_out
        elif isinstance(event, e.HandDied):
            told.seats[event.seat].dead = event.cause
        elif isinstance(event, e.MisdealCalled):
            told.misdeal = event.cause
        elif isinstance(event, e.CardsDealt) and event.seat:
            told.seats[event.seat].cards.extend(event.cards)
        elif isinstance(event, e.CardsDealt):
            told.piles.setdefault(event.place, []).extend(event.cards)
            told.faces.setdefault(event.place, []).extend([event.up] * len(event.cards))
        elif isinstance(event, e.CardsTurned):
            for card in event.cards:
                down = told.faces[event.place].index(False)
                told.piles[event.place][down], told.faces[event.place][down] = card, True
        elif isinstance(event, e.HandShown):
            told.seats[event.seat].cards = list(event.cards)
    return told


def _fed(book: Rulebook, told: RetoldRound) -> int | None:
    """Return the meter with its part of every token."""
    rule = book.progressive
    if rule is None or told.meter_cents is None:
        return told.meter_cents
    tokens = sum(seat.stakes.get(rule.spot, 0) for seat in told.seats.values())
    return told.meter_cents + _cents(tokens * Fraction(rule.contribution), book.rounding)


# What is owed -----------------------------------------------------------------------------------


def settled(
    book: Rulebook,
    events: Iterable[Any],
    players: Mapping[int, Any],
    date: datetime.date,
) -> RetoldRound:
    """Settle the round that these events tell of; players are what the tax desk knows, by seat."""
    told = retold(book, events)
    for seat in told.seats.values():
        _decide(book, told, seat)
    _cap(book, told)
    _envy(book, told)
    if not told.misdeal:
        _jackpot(book, told)
    for seat in told.seats.values():
        if seat.won_cents:
            _tax(book, seat, players[seat.seat], date)
    return told


def _decide(book: Rulebook, told: RetoldRound, seat: RetoldSeat) -> None:
    spots = sorted(book.spot, key=lambda spot: spot.kind != "main")
    spots = [spot for spot in spots if spot.name in seat.stakes]
    dead = [rule.money for rule in book.dead if rule.cause == seat.dead]
    for spot in spots:
        wager = RetoldWager(spot.name, spot.kind, seat.stakes[spot.name], table=spot.table)
        seat.wagers = [*seat.wagers, wager]
        if told.misdeal or dead:
            _pays(wager, Fraction(0 if told.misdeal or dead == ["return"] else -1))
            continue
        if not (seat.folded and spot.after_fold == "lost") or _silent(book, seat, spot):
            _play(book, told, seat, spot, wager)
        if spot.bonus and not seat.folded:
            beside = RetoldWager(spot.bonus, "main", 0, table=spot.bonus)
            beside.beside_cents = wager.stake_cents
            _by_row(book, told, seat, beside)
            seat.wagers += [beside] if beside.odds is not None else []
    _pay_odds(book, seat.wagers)
    if seat.toke_cents and book.toke is not None:
        ridden = next(wager for wager in seat.wagers if wager.spot == book.toke.rides)
        seat.toke = RetoldWager(
            spot=TOKE,
            kind=TOKE,
            stake_cents=seat.toke_cents,
            outcome=ridden.outcome,
            odds=ridden.odds,
            row=ridden.row,
        )
        seat.toke.stake_returns = ridden.outcome != "lose"
        seat.toke_goes_back = bool(told.misdeal or seat.dead)
        if ridden.odds is not None:
            won = _cents(seat.toke_cents * ridden.odds, book.rounding)
            seat.toke.nominal_cents = seat.toke.won_cents = won


def _silent(book: Rulebook, seat: RetoldSeat, spot: Spot) -> bool:
    """Whether the clock folded a hand that wins an award here, which it does not give up."""
    rule = book.progressive
    if not seat.timed_out or rule is None or rule.timeout != "paid" or spot.name != rule.spot:
        return False
    table = next(each for each in book.table if each.name == spot.table)
    _, name, ranks = best(seat.cards, table.ranking)
    return row_of(table.rows, name, ranks).odds is None


def _play(
    book: Rulebook, told: RetoldRound, seat: RetoldSeat, spot: Spot, wager: RetoldWager
) -> None:
    rule = book.qualifier
    if not spot.against or rule is None:
        _by_row(book, told, seat, wager)
        return
    both: list[Card | None] = [card for place in rule.shared for card in told.piles[place]]
    dealer, _, dealers_ranks = best(told.piles[rule.place] + both, rule.ranking)
    mine, name, ranks = best(seat.cards + both, rule.ranking)
    paying, row = spot.odds, ""
    if paying is None:
        table = next(each for each in book.table if each.name == spot.table)
        found = row_of(table.rows, name, ranks)
        paying, row = found.odds, found.row
    assert paying is not None
    lowest = [each.low if each is not None else 0 for each in (rule.of, rule.kicker)]
    categories = ["any", *ORDER[rule.ranking].split()]
    short = (dealer[0], dealers_ranks[:2]) < (categories.index(rule.hand) - 1, lowest)
    otherwise = str(spot.unqualified) if short else "showdown"
    if (spot.rows == "first" and paying > 0) or otherwise == "table":
        wager.row = row
        _pays(wager, paying)
    elif otherwise != "showdown":
        assert spot.unqualified is not None
        _pays(wager, spot.unqualified.odds or Fraction(0))
    elif mine < dealer or (mine == dealer and rule.tie == "lose"):
        _pays(wager, Fraction(-1))
    elif mine == dealer and rule.tie == "push":
        _pays(wager, Fraction(0))
    else:
        # A hand that wins loses nothing, whatever its row says.
        wager.row = row
        _pays(wager, max(Fraction(0), paying))


def _by_row(book: Rulebook, told: RetoldRound, seat: RetoldSeat, wager: RetoldWager) -> None:
    """Let a wager's own table decide it, or claim an award."""
    table = next(each for each in book.table if each.name == wager.table)
    cards: list[Card | None] = []
    for place in table.cards:
        cards += seat.cards if place == "seats" else told.piles[place]
    _, name, ranks = best(cards, table.ranking)
    row = row_of(table.rows, name, ranks)
    wager.row = row.row
    if row.odds is None:
        wager.outcome = "win"
        seat.claims = [*seat.claims, (wager, row)]
    else:
        _pays(wager, row.odds)


def _pays(wager: RetoldWager, odds: Fraction) -> None:
    """Odds above nothing win, nothing pushes, less loses."""
    wager.outcome = "win" if odds > 0 else "push" if odds == 0 else "lose"
    wager.stake_returns = odds >= 0
    wager.odds = Fraction(odds) if odds > 0 else None


def _pay_odds(book: Rulebook, wagers: list[RetoldWager]) -> None:
    """Pay the main wagers that one row wins as one stack, and every other wager alone."""
    stacks: dict[str, list[RetoldWager]] = {}
    for wager in wagers:
        if wager.odds is not None:
            stacked = wager.kind == "main" and wager.row
            name = f"row {wager.table} {wager.row}" if stacked else wager.spot
            stacks.setdefault(name, []).append(wager)
    for stack in stacks.values():
        each_on = [wager.stake_cents + wager.beside_cents for wager in stack]
        exact = [
            cents * (wager.odds or Fraction(0)) for cents, wager in zip(each_on, stack, strict=True)
        ]
        whole = _cents(Fraction(sum(exact)), book.rounding)
        for wager, cents in zip(stack, _largest_remainder(whole, exact), strict=True):
            wager.nominal_cents = wager.won_cents = cents


def _cap(book: Rulebook, told: RetoldRound) -> None:
    """Cut winnings down to each ceiling, over players first, then over a player's own wagers."""
    for cap in book.cap:
        most = int(cap.most)
        if cap.growth is not None:
            grown = told.minimum_cents * Fraction(cap.growth.odds) * cap.growth.units
            most = max(most, floor(grown))
        bound = []
        for seat in told.seats.values():
            wins = [
                wager
                for wager in seat.wagers
                if wager.spot in cap.spots
                and wager.won_cents
                and wager.odds is not None
                and (cap.above is None or wager.odds > cap.above)
                and (not cap.rows or wager.row in cap.rows)
            ]
            bound += [wins] if wins else []
        for group in [bound] if cap.scope == "table" else [[wins] for wins in bound]:
            claims = [sum(wager.won_cents for wager in wins) for wins in group]
            if sum(claims) > most:
                told.notify += tuple(role for role in cap.notify if role not in told.notify)
                for wins, share in zip(group, _shared(most, claims, cap.unit), strict=True):
                    parts = _shared(share, [wager.won_cents for wager in wins], cap.unit)
                    for wager, part in zip(wins, parts, strict=True):
                        wager.won_cents = part


def _envy(book: Rulebook, told: RetoldRound) -> None:
    """Pay everybody whose wager lies there when another's hand reaches a row that says so."""
    awards = {
        (spot.name, row.row): row.others
        for spot in book.spot
        for table in book.table
        if table.name == spot.table
        for row in table.rows
        if row.others is not None
    }
    looked_at = [
        (seat, wager) for seat in told.seats.values() for wager in seat.wagers if wager.row
    ]
    for seat, wager in looked_at if awards else ():
        for other, theirs in looked_at:
            award = awards.get((theirs.spot, theirs.row), 0) if theirs.spot == wager.spot else 0
            if award and other is not seat:
                wager.nominal_cents += award
                wager.won_cents += award
                wager.outcome = "win"


def _jackpot(book: Rulebook, told: RetoldRound) -> None:
    """Pay parts of the locked meter and fixed awards; say where the meter stands then."""
    if book.progressive is None or told.meter_cents is None:
        return
    claims = [claim for seat in told.seats.values() for claim in seat.claims]
    parts = [(wager, Fraction(row.meter)) for wager, row in claims if row.meter is not None]
    exact = [told.meter_cents * part for _, part in parts]
    asked = sum(part for _, part in parts)
    if asked >= 1:
        shares = _largest_remainder(told.meter_cents, [each / asked for each in exact])
    else:
        shares = [_cents(each, book.rounding) for each in exact]
    for (wager, _), each, share in zip(parts, exact, shares, strict=True):
        wager.nominal_cents, wager.won_cents = _cents(each, book.rounding), share
    left = told.meter_cents - sum(shares)
    for wager, row in claims:
        if row.award is not None:
            wager.nominal_cents = wager.won_cents = int(row.award)
            left -= min(left, wager.won_cents) if book.progressive.awards_from == "pool" else 0
    told.meter_cents = int(book.progressive.reseed) if claims and not left else left


def _tax(book: Rulebook, seat: RetoldSeat, player: Any, date: datetime.date) -> None:
    """Say which forms are due, what is withheld and what is held; main wagers are one wager."""
    floor_cents, over_cents, part, part_foreign = _figures(date)
    wagers = [[wager for wager in seat.wagers if wager.kind == "main"]]
    wagers += [[wager] for wager in seat.wagers if wager.kind != "main"]
    keeps = player.barred or not player.identified
    for together in filter(None, wagers):
        won = sum(wager.won_cents for wager in together)
        staked = sum(wager.stake_cents for wager in together)
        due = won >= floor_cents and won >= book.tax.at_least_times * staked
        due = due and (book.tax.over is None or won > book.tax.over)
        # A stake that is lost with the win, as a token is, was part of the wager.
        net = won - sum(wager.stake_cents for wager in together if not wager.stake_returns)
        name = "main" if together[0].kind == "main" else together[0].spot
        if won and (player.barred or (due and keeps)):
            seat.held_cents += won
            seat.kept = [*seat.kept, RetoldHeld(name, won, won, staked, won - net)]
        if not due:
            continue
        winners = player.shared or (player,)
        everything = sum(each.parts for each in player.shared) or 1
        parts = [Fraction(getattr(each, "parts", 1), everything) for each in winners]
        each_won = _largest_remainder(won, [won * one for one in parts])
        each_lost = _largest_remainder(won - net, [(won - net) * one for one in parts])
        for number, who in enumerate(winners):
            foreign, theirs = who.residence == "foreign", each_won[number]
            taken = 0
            if not keeps and foreign:
                taken = floor(theirs * part_foreign)
            elif not keeps and (net > over_cents or not who.tin):
                taken = floor((theirs - each_lost[number]) * part)
            form = book.tax.form_foreign if foreign else book.tax.form_citizen
            seat.forms = [*seat.forms, form]
            seat.withheld_cents += taken
            told = RetoldForm(form, name, theirs, taken, number + 1 if player.shared else 0)
            seat.papers = [*seat.papers, told]


@cache
def _federal() -> tuple[tuple[datetime.date, tuple[int, int, Fraction, Fraction]], ...]:
    names = ("floor", "withhold_over", "withhold", "withhold_foreign")
    found = []
    for each in tomllib.loads(FEDERAL.read_text("utf-8"))["figures"]:
        floor_cents, over_cents, part, foreign = (
            Fraction(each[name].strip("%").replace(",", "")) for name in names
        )
        figures = (int(floor_cents * 100), int(over_cents * 100), part / 100, foreign / 100)
        found.append((each["from"], figures))
    return tuple(sorted(found))


def due_on(book: Rulebook, held: RetoldHeld, player: Any, date: datetime.date) -> tuple[str, int]:
    """Say which form is due on a day for winnings that were kept, and what is withheld of them."""
    floor_cents, over_cents, part, part_foreign = _figures(date)
    won = held.won_cents
    due = won >= floor_cents and won >= book.tax.at_least_times * held.staked_cents
    if not due or (book.tax.over is not None and won <= book.tax.over):
        return "", 0
    if player.residence == "foreign":
        return book.tax.form_foreign, floor(held.cents * part_foreign)
    if won - held.dropped_cents <= over_cents and player.tin:
        return book.tax.form_citizen, 0
    return book.tax.form_citizen, floor(max(0, held.cents - held.dropped_cents) * part)


def _figures(date: datetime.date) -> tuple[int, int, Fraction, Fraction]:
    return [figures for since, figures in _federal() if since <= date][-1]


# Dividing ---------------------------------------------------------------------------------------


def _cents(exact: Fraction, rounding: str) -> int:
    """Round a fraction of a cent as the house does."""
    if rounding == "up":
        return -floor(-exact)
    return floor(exact + Fraction(1, 2)) if rounding == "nearest" else floor(exact)


def _largest_remainder(whole: int, exact: Sequence[Fraction]) -> list[int]:
    """Round each down, and let what is missing lie where the largest fractions were."""
    shares = [floor(each) for each in exact]
    order = sorted(range(len(exact)), key=lambda at: shares[at] - exact[at])
    for at in order[: whole - sum(shares)]:
        shares[at] += 1
    return shares


def _shared(total: int, claims: Sequence[int], unit: int) -> list[int]:
    """Share a ceiling pro rata in whole units; nobody gets more than the claim."""
    if total >= sum(claims):
        return list(claims)
    units = total // unit
    exact = [Fraction(units * claim, sum(claims)) for claim in claims]
    shares = [floor(each) for each in exact]
    order = sorted(range(len(claims)), key=lambda at: shares[at] - exact[at])
    before = -1
    while before < sum(shares) < units:
        before = sum(shares)
        for at in order:
            if sum(shares) < units and (shares[at] + 1) * unit <= claims[at]:
                shares[at] += 1
    return [share * unit for share in shares]


# Comparing --------------------------------------------------------------------------------------


COMPARED = (
    "spot",
    "stake_cents",
    "outcome",
    "odds",
    "row",
    "nominal_cents",
    "won_cents",
    "returned_cents",
)
"""What both settlements say of a wager."""


def difference(told: RetoldRound, paid: Any) -> str:
    """Say where a settled round differs from what was paid; nothing, if it does not."""
    if [each.seat for each in paid.seats] != list(told.seats):
        return f"seats {[each.seat for each in paid.seats]} were paid, not {list(told.seats)}"
    for each in paid.seats:
        if different := seat_difference(told.seats[each.seat], each):
            return different
    if paid.meter_cents != told.meter_cents:
        return (
            f"the meter stands at {paid.meter_cents}, a second settlement says {told.meter_cents}"
        )
    if tuple(paid.notify) != told.notify:
        return f"to be told: {paid.notify}, a second settlement says {told.notify}"
    return ""


def seat_difference(seat: RetoldSeat, paid: Any) -> str:
    """Say where a settled seat differs from what it was paid."""
    wagers = seat.wagers + ([seat.toke] if seat.toke is not None else [])
    lines = [tuple(getattr(line, name) for name in COMPARED) for line in paid.lines]
    ours = [tuple(getattr(wager, name) for name in COMPARED) for wager in wagers]
    for line, our in zip(lines, ours, strict=False):
        if line != our:
            return f"seat {paid.seat}: paid as {line}, a second settlement says {our}"
    pairs = {
        "wagers": (len(lines), len(ours)),
        "held": (paid.held_cents, seat.held_cents),
        "withheld": (paid.withheld_cents, seat.withheld_cents),
        "forms": (list(paid.forms), seat.forms),
        "paid": (paid.paid_cents, seat.paid_cents),
    }
    for what, (theirs, again) in pairs.items():
        if theirs != again:
            return f"seat {paid.seat}: {what} {theirs}, a second settlement says {again}"
    return ""
