"""What an ending nets is what settling such a round comes to, whatever the book says of it."""

import random
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from pitboss.cards import DECK, Card
from pitboss.hands import ranking
from pitboss.maths import dealer_games, raise_or_fold
from pitboss.maths.board_pay import payoffs
from pitboss.maths.families import family
from pitboss.maths.showdown_pay import ENDINGS, ending_nets
from pitboss.money import odds
from pitboss.rulebook import Rulebook, load
from pitboss.rulebook.check import errors
from pitboss.rulebook.deal_script import SEATS
from pitboss.rulebook.paytable import Spot, Unqualified
from pitboss.settle import Play, SeatPlay, settle
from tests.helpers import (
    CASINO_HOLDEM,
    CRAZY_4,
    FOUR_CARD,
    HIGH_CARD_FLUSH,
    HOLDEM_BONUS,
    THREE_CARD,
    ULTIMATE,
)

ANTE, LEAST = 10_00, 5_00
SHOWDOWNS = (
    *(THREE_CARD, CRAZY_4, FOUR_CARD, HIGH_CARD_FLUSH, CASINO_HOLDEM, ULTIMATE, HOLDEM_BONUS),
    load("common/caribbean-stud"),
)
ODDS = [odds(each) for each in ("push", "lose", "1 to 2", "1 to 1", "3 to 2", "7 to 1", "50 to 1")]
FATES = ("push", "lose", "1 to 1", "2 to 1", "showdown", "table")


def books(like: Rulebook, chance: random.Random, many: int) -> Iterator[Rulebook]:
    """Books that deal alike, and settle and pay by lot, as far as a table can run on them."""
    while many:
        book = by_lot(like, chance)
        if not [*errors(book)]:
            many -= 1
            yield book


def by_lot(book: Rulebook, chance: random.Random) -> Rulebook:
    rule = book.qualifier
    assert rule is not None
    rule = replace(rule, tie=chance.choice(["push", "lose", "win"]))
    if chance.random() < 0.5:
        hand = chance.choice([*ranking(rule.ranking).categories[:4], "any"])
        rule = replace(rule, hand=hand, of=None, kicker=None)

    def spot(each: Spot) -> Spot:
        if each.kind != "main":
            return each
        fates = FATES if each.table else FATES[:-1]
        fate = None if rule.always else Unqualified(chance.choice(fates))
        rows = chance.choice([None, "first"]) if each.table else None
        return replace(each, unqualified=fate, rows=rows)

    tables = [
        replace(
            table,
            rows=tuple(
                replace(row, odds=chance.choice([row.odds, *ODDS])) if row.odds else row
                for row in table.rows
            ),
        )
        for table in book.table
    ]
    spots = tuple(map(spot, book.spot))
    return replace(book, qualifier=rule, spot=spots, table=tuple(tables), menu=())


def staked(book: Rulebook, mine: int, chance: random.Random) -> dict[str, int]:
    """The wagers of somebody who stays in, in antes."""
    stakes = dict.fromkeys(book.equal, 1)
    for step in book.streets:
        times = [*step.times]
        for more in step.more:
            times += more.times if mine >= book.needed_for(more) else ()
        if step.into not in stakes and (not step.otherwise or chance.random() < 0.5):
            stakes[step.into] = chance.choice(times)
    stakes.setdefault(book.streets[-1].into, book.streets[-1].times[0])
    return stakes


def counted(book: Rulebook, stakes: dict[str, int], ending: tuple[bool, int], mine: int) -> int:
    """What the maths counts for it."""
    at, into = ENDINGS.index(ending), book.streets[0].into
    if family(book) is raise_or_fold:
        deal, street = raise_or_fold.shape(book)
        pay = ending_nets(book, street, deal.unseen, ANTE, LEAST)
        return int(pay.net[pay.times.index(stakes[into]), at, pay.kind[mine]])
    if family(book) is dealer_games:
        against = dealer_games.payoffs(book, ANTE, LEAST)
        place = against.times.index(stakes[into])
        if not ending[0]:
            return int(against.unqualified[place])
        beaten = int(against.lose[place])
        return [int(against.tie[place, mine]), int(against.win[place, mine]), beaten][ending[1]]
    return int(payoffs(book, [tuple(stakes.items())], ANTE, LEAST).nets[0, at, mine])


@pytest.mark.parametrize("like", SHOWDOWNS, ids=lambda book: book.id)
def test_every_ending_nets_what_settling_it_comes_to(like: Rulebook) -> None:
    chance, seen = random.Random(like.id), set()
    for book in books(like, chance, 10):
        rule = book.qualifier
        assert rule is not None
        for _ in range(8):
            # Of two suits or few ranks hands are better, and more often equal.
            deck = iter(chance.sample(chance.choice([DECK, DECK[::2], DECK[-24:]]), 20))
            held = {place: [next(deck) for _ in range(many)] for place, many in dealt(book)}
            shared = [card for place in rule.shared for card in held[place]]
            mine, dealers = (
                ranking(rule.ranking).strength([*held[place], *shared])
                for place in (SEATS, rule.place)
            )
            ending = dealers >= rule.weakest, (mine > dealers) - (mine < dealers)
            stakes = staked(book, mine, chance)
            seat = SeatPlay(1, tuple(held.pop(SEATS)), {k: ANTE * v for k, v in stakes.items()}, 0)
            piles: dict[str, tuple[Card, ...]] = {
                place: tuple(each) for place, each in held.items()
            }
            [done] = settle(book, Play((seat,), LEAST, piles, None)).seats
            net = done.returned_cents - done.staked_cents
            assert counted(book, stakes, ending, mine) == net, (book.spot, rule, held, stakes)
            seen.add(ending)
    assert {better for _, better in seen} >= {1, -1}


def dealt(book: Rulebook) -> list[tuple[str, int]]:
    return [
        (SEATS, book.seat_cards),
        *((each, n) for each, n in book.dealt.items() if each != SEATS),
    ]
