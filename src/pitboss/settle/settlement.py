"""From a finished round to lines that say what each chip did, and why.

The order of work: what the pay table says, then caps, then approvals, then tax, then pay.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pitboss.cards import Card
from pitboss.errors import Unreadable
from pitboss.hands import Hand, ranking
from pitboss.money import Odds, times
from pitboss.round.state import TOKE
from pitboss.rulebook.deal_script import SEATS
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.paytable import Row, Spot
from pitboss.settle.approvals import needed
from pitboss.settle.caps import apply_cap
from pitboss.settle.envy import award_others
from pitboss.settle.finished_round import Play, SeatPlay
from pitboss.settle.lines import Draft, Reason, SeatSettlement, Settlement, WagerOutcome
from pitboss.settle.progressive import award
from pitboss.settle.tax import forms

_BY_ROW: dict[WagerOutcome, str] = {"win": "row-win", "push": "row-push", "lose": "row-lose"}
_UNQUALIFIED: dict[WagerOutcome, str] = {
    "win": "unqualified-win",
    "push": "unqualified-push",
    "lose": "unqualified-lose",
}
_UNQUALIFIED_ROW = {**_UNQUALIFIED, "win": "unqualified-row"}
_PUSH = Odds(0)
_TIE: dict[WagerOutcome, str] = {"push": "tie-push", "lose": "tie-lose"}
_DEAD: dict[str, tuple[WagerOutcome, str]] = {
    "return": ("push", "dead-return"),
    "forfeit": ("lose", "dead-forfeit"),
}


def settle(book: Rulebook, play: Play) -> Settlement:
    """Settle a round.

    >>> from pitboss import rulebook
    >>> from pitboss.cards import cards
    >>> book = rulebook.load("diamond-jo-worth/cajun-stud")
    >>> seat = SeatPlay(1, cards("Kh Kd"), {"ante": 500, "raise-1": 1500}, folded=2)
    >>> [line.returned_cents for line in settle(book, Play((seat,), 500)).seats[0].lines]
    [0, 0]
    """
    tables = [_SeatTable(book, play, seat) for seat in play.seats]
    drafts = [table.drafts() for table in tables]
    bit = [
        cap
        for number, cap in enumerate(book.cap)
        if apply_cap(book, number, play.minimum_cents, drafts)
    ]
    award_others(book, [(seat.seat, own) for seat, own in zip(play.seats, drafts, strict=True)])
    meter = play.meter_cents
    if book.progressive is not None and not play.misdeal:
        claims = [claim for table in tables for claim in table.claims]
        meter = award(book.progressive, meter, claims, book.rounding)
    seats = tuple(
        _seat(book, play, seat, table, several)
        for seat, table, several in zip(play.seats, tables, drafts, strict=True)
    )
    return Settlement(
        rulebook=book.id,
        sha256=book.sha256,
        cap_cents=book.cap[0].cents(play.minimum_cents) if book.cap else None,
        notify=tuple(dict.fromkeys(role for cap in bit for role in cap.notify)),
        seats=seats,
        meter_after_cents=meter,
    )


def _seat(
    book: Rulebook, play: Play, seat: SeatPlay, table: "_SeatTable", drafts: Sequence[Draft]
) -> SeatSettlement:
    won = sum(draft.won_cents for draft in drafts)
    due, held = forms(book, drafts, seat.player, play.date) if won else ((), 0)
    toke = [table.toke(drafts)] if seat.toke_cents else []
    lines = tuple(draft.line() for draft in (*drafts, *toke))
    returned = sum(line.returned_cents for line in lines if not line.dealers)
    approvals = needed(book, won) if won else ()
    return SeatSettlement(
        seat=seat.seat,
        hand=table.hand_name(),
        lines=lines,
        won_cents=won,
        returned_cents=returned,
        approvals=approvals,
        forms=due,
        held_cents=held,
    )


class _SeatTable:
    """One seat's cards against the table's: what each of its wagers comes to before caps."""

    def __init__(self, book: Rulebook, play: Play, seat: SeatPlay) -> None:
        self.book = book
        self.play = play
        self.seat = seat
        self.claims: list[tuple[Draft, Row]] = []
        self._made: dict[tuple[tuple[str, ...], str], Hand] = {}

    def drafts(self) -> list[Draft]:
        """Main wagers first, then the others, each in layout order."""
        stakes = self.seat.stakes
        spots = [spot for spot in self.book.spot if spot.name in stakes]
        spots.sort(key=lambda spot: spot.kind != "main")
        rule = self._whole_hand()
        if rule is not None:
            outcome, reason = rule
            return [Draft(spot.name, stakes[spot.name], outcome, [reason]) for spot in spots]
        drafts = [draft for spot in spots for draft in (self._draft(spot), *self._bonus(spot))]
        self._odds_on_stack([draft for draft in drafts if draft.outcome == "win"])
        return drafts

    def _whole_hand(self) -> tuple[WagerOutcome, Reason] | None:
        """Return what decides every wager of this seat alike: a misdeal or a dead hand."""
        if self.play.misdeal:
            rules = (e for e in self.book.misdeal if e.cause == self.play.misdeal)
            called = next(rules, None)
            if called is None:  # the house did, on grounds of its own
                says = self.play.misdeal.replace("-", " ")
                return "push", Reason("misdeal", self.book.rulings.misdeals, {"says": says})
            return "push", Reason("misdeal", called.cited, {"says": called.says})
        if self.seat.dead:
            dead = next(each for each in self.book.dead if each.cause == self.seat.dead)
            outcome, code = _DEAD[dead.money]
            return outcome, Reason(code, dead.cited, {"says": dead.says})
        return None

    def _draft(self, spot: Spot) -> Draft:
        stake = self.seat.stakes[spot.name]
        kept = spot.name == self.seat.kept and self._wins_award(spot)
        if self.seat.folded and spot.after_fold == "lost" and not kept:
            street = self.book.streets[self.seat.folded - 1]
            facts = {"street": self.seat.folded}
            clause = street.clause_on("fold") or street.cited
            return Draft(spot.name, stake, "lose", [Reason("folded", clause, facts)])
        draft = self._showdown(spot, stake) if spot.against else self._by_table(spot, stake)
        if kept:
            assert self.book.progressive is not None
            draft.reasons.append(Reason("kept", self.book.progressive.clause_on("timeout")))
        return draft

    def _bonus(self, spot: Spot) -> Iterator[Draft]:
        """Yield what a table pays beside this wager, whatever the dealer holds."""
        if not spot.bonus or self.seat.folded:
            return
        table = self.book.tables[spot.bonus]
        hand = self._hand(table.cards, table.ranking)
        row = table.row_for(hand.strength)
        if row.odds is not None and row.odds > 0:
            facts = {"hand": hand, "row": row, "wager": spot.title}
            draft = _by_odds(spot.bonus, 0, row.odds, Reason("bonus", row.cited, facts), row)
            draft.beside_cents = self.seat.stakes[spot.name]
            yield draft

    def _wins_award(self, spot: Spot) -> bool:
        table = self.book.tables[spot.table]
        return table.row_for(self._hand(table.cards, table.ranking).strength).odds is None

    def _by_table(self, spot: Spot, stake: int) -> Draft:
        table = self.book.tables[spot.table]
        hand = self._hand(table.cards, table.ranking)
        row = table.row_for(hand.strength)
        facts = {"hand": hand, "row": row}
        if row.odds is None:
            reason = Reason("row-award", row.cited, facts)
            draft = Draft(spot.name, stake, "win", [reason], row=row.row, dropped=True)
            self.claims.append((draft, row))
            return draft
        reason = Reason(_BY_ROW[_outcome(row.odds)], row.cited, facts)
        return _by_odds(spot.name, stake, row.odds, reason, row)

    def _showdown(self, spot: Spot, stake: int) -> Draft:
        rule = self.book.qualifier
        assert rule is not None
        dealer, mine = self._hand(*self.book.dealers_hand), self._hand(*self.book.main_hand)
        row = self.book.tables[spot.table].row_for(mine.strength) if spot.table else None
        odds = spot.odds if row is None else row.odds
        assert odds is not None
        facts = {"hand": mine, "dealer": dealer}
        pays: dict[str, Any] = {**facts, "odds": odds}
        cited = spot.cited if row is None else row.cited
        fate = spot.unqualified if dealer.strength < rule.weakest else None
        if spot.rows == "first" and odds > 0:
            return _by_odds(spot.name, stake, odds, Reason("row-first", cited, pays), row)
        if fate is not None and fate.odds is not None:
            reason = Reason(_UNQUALIFIED[_outcome(fate.odds)], rule.cited, facts)
            return _by_odds(spot.name, stake, fate.odds, reason)
        if fate is not None and fate.by == "table":
            reason = Reason(_UNQUALIFIED_ROW[_outcome(odds)], f"{rule.cited}, {cited}", pays)
            return _by_odds(spot.name, stake, odds, reason, row)
        if mine.strength < dealer.strength:
            return Draft(spot.name, stake, "lose", [Reason("dealer-wins", spot.cited, facts)])
        ties = rule.clause_on("tie") or rule.cited
        if mine.strength == dealer.strength and rule.tie != "win":
            return Draft(spot.name, stake, rule.tie, [Reason(_TIE[rule.tie], ties, facts)])
        if odds <= 0:  # no row pays a hand that wins
            return _by_odds(spot.name, stake, _PUSH, Reason("beats-dealer-push", cited, facts), row)
        if mine.strength == dealer.strength:
            clause = f"{ties}, {cited}"
            return _by_odds(spot.name, stake, odds, Reason("tie-win", clause, pays), row)
        return _by_odds(spot.name, stake, odds, Reason("beats-dealer", cited, pays), row)

    def _odds_on_stack(self, wins: Iterable[Draft]) -> None:
        """Apply odds to the whole stack of main wagers that one row pays, and to each side alone.

        A fraction of a cent is rounded once for the stack; its cents then lie where the largest
        fractions were.
        """
        stacks: dict[tuple[str, ...], list[Draft]] = {}
        for draft in wins:
            if draft.odds is not None:
                spot = self.book.spots.get(draft.spot)
                stacked = spot is not None and spot.kind == "main" and draft.row
                key = (spot.table, draft.row) if spot is not None and stacked else (draft.spot,)
                stacks.setdefault(key, []).append(draft)
        for stack in stacks.values():
            odds = stack[0].odds
            assert odds is not None
            whole = times(sum(draft.paid_on_cents for draft in stack), odds, self.book.rounding)
            for draft in stack:
                draft.wins(times(draft.paid_on_cents, odds))
            left = whole - sum(draft.won_cents for draft in stack)
            stack.sort(
                key=lambda draft: draft.paid_on_cents * odds.numerator % odds.denominator,
                reverse=True,
            )
            for draft in stack[:left]:
                draft.wins(draft.won_cents + 1)

    def toke(self, drafts: Sequence[Draft]) -> Draft:
        """The dealers' wager shares the fate of the wager it rides, outside every cap; before
        that is decided it is the player's."""
        stake = self.seat.toke_cents
        rule, undecided = self.book.toke, self._whole_hand()
        assert rule is not None
        if undecided is not None:
            outcome, reason = undecided
            return Draft(TOKE, stake, outcome, [reason])
        ridden = next(draft for draft in drafts if draft.spot == rule.rides)
        reason = Reason("toke", rule.cited, {"rides": self.book.spots[rule.rides].title})
        draft = Draft(
            TOKE,
            stake,
            ridden.outcome,
            [reason],
            odds=ridden.odds,
            row=ridden.row,
            dealers=True,
        )
        if draft.odds is not None and draft.outcome == "win":
            draft.wins(times(stake, draft.odds, self.book.rounding))
        return draft

    def _hand(self, places: tuple[str, ...], order: str) -> Hand:
        made = self._made.get((places, order))
        if made is None:
            held: tuple[Card, ...] = ()
            for place in places:
                cards, wanted = self._lies(place), self.book.dealt[place]
                if len(cards) != wanted:
                    where = f"seat {self.seat.seat}" if place == SEATS else place
                    raise Unreadable(wrong_count(place, wanted, len(cards)), where)
                held += cards
            made = self._made[places, order] = ranking(order).best(held)
        return made

    def _lies(self, place: str) -> tuple[Card, ...]:
        return self.seat.cards if place == SEATS else self.play.piles.get(place, ())

    def hand_name(self) -> str:
        """What people call the hand that the main wagers are about; empty if it was not shown."""
        lives = self.seat.kept or any(
            self.book.spots[name].after_fold == "lives" for name in self.seat.stakes
        )
        if self.play.misdeal or self.seat.dead or (self.seat.folded and not lives):
            return ""
        places, order = self.book.main_hand
        out = all(len(self._lies(place)) == self.book.dealt[place] for place in places)
        if self.seat.folded and not out:  # what lives on needs fewer cards
            return ""
        return self._hand(places, order).name


def wrong_count(place: str, wanted: int, given: int) -> str:
    """Say that a hand or a pile has not the cards that the script deals to it."""
    holder = "a hand here" if place == SEATS else place
    return f"{holder} has {wanted} cards, and {given} are given"


def _outcome(odds: Odds) -> WagerOutcome:
    if odds > 0:
        return "win"
    return "push" if odds == 0 else "lose"


def _by_odds(spot: str, stake: int, odds: Odds, reason: Reason, row: Row | None = None) -> Draft:
    outcome = _outcome(odds)
    paid = odds if outcome == "win" else None
    return Draft(spot, stake, outcome, [reason], odds=paid, row=row.row if row else "")
