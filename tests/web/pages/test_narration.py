"""Every event that a person may see is said in a sentence, and no more than they may see."""

import asyncio
import datetime
import random
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_origin

import pytest

from pitboss import rulebook
from pitboss.audit.snapshot import Snapshot
from pitboss.cards import DECK, Card, card, cards, shuffled
from pitboss.house import views as seen
from pitboss.house.storage import codec
from pitboss.house.storage.journal import Entry
from pitboss.house.table import events as h
from pitboss.round import Round, actions, visible
from pitboss.round import events as e
from pitboss.round.redo import Facts
from pitboss.rulebook import Rulebook
from pitboss.settle import Form, Line, Player
from pitboss.web.pages import narration
from tests.helpers import BOOKS, DIAMOND_JO, HOLLYWOOD, SENECA, opened
from tests.house.evening import play
from tests.small_books import TAKE_BACK

NAMES = {1: "Ann", 2: "Bob", 3: "Guest 1a2b"}
SILENT = {"clock-set", "player-known", "paying-began"}


def members(union: Any) -> Iterator[type[Any]]:
    for each in get_args(union):
        yield from members(each) if get_origin(each) is types.UnionType else (each,)


def tag(event: h.TableEvent) -> str:
    return str(event.__struct_config__.tag)


# Rounds of every book ---------------------------------------------------------------------------


def decide(game: Round, seat: int, chance: random.Random) -> actions.Action:
    option = chance.choice(game.legal(seat))
    if chance.random() < 0.1:
        return actions.TimeOut(seat)
    if option.action == "raise":
        return actions.Raise(seat, option.times)
    if option.action == "fold":
        return actions.Fold(seat, confirmed=True)
    return actions.Check(seat) if option.action == "check" else actions.TakeBack(seat)


def a_round(book: Rulebook, seed: int) -> list[e.Event]:
    """Three people with every wager down, who do whatever they may."""
    chance = random.Random(seed)
    down = {name: int(spot.fixed or 10_00) for name, spot in book.opening.items()}
    game = opened(book, dict.fromkeys(NAMES, down))
    game.do(actions.CloseBets())
    deck = shuffled(chance)
    game.deal(deck)
    while waiting := game.due():
        game.do(decide(game, waiting[0], chance))
        game.deal(deck)
    if seed % 4 == 0:
        cause = book.misdeal[-1]
        game.do(actions.CallMisdeal(cause.cause, cause.by[0], "m"))
    return game.events


def cards_of(event: e.Event) -> set[Card]:
    return {each for each in getattr(event, "cards", ()) if each is not None}


@pytest.mark.parametrize("book", [*BOOKS, TAKE_BACK], ids=lambda book: book.id)
@pytest.mark.parametrize("seed", range(12))
def test_a_round_is_told_to_everybody_and_no_card_too_early(book, seed):
    happened = a_round(book, seed)
    for me in (None, *NAMES):
        known: set[Card] = set()
        shown = [visible(event, me) for event in happened]
        for event, sentence in zip(shown, narration.story(book, shown, NAMES, me), strict=True):
            known |= cards_of(event)
            named = {each for each in DECK if narration.card_name(each) in sentence}
            assert named <= known, f"seat {me} hears of {named - known}: {sentence}"
            check(event, sentence, me)


def check(event: h.TableEvent, sentence: str, me: int | None) -> None:
    """A sentence is there, is one, and speaks to whoever it is about."""
    if tag(event) in SILENT:
        assert sentence == ""
        return
    assert sentence.endswith("."), (event, sentence)
    named = str(getattr(event, "name", ""))  # a name stays as its owner writes it
    assert sentence[0] == sentence[0].upper() or sentence.startswith(named)
    assert "None" not in sentence
    assert "  " not in sentence
    seat = getattr(event, "seat", None)
    if seat and seat == me:
        assert {"you", "your"} & set(sentence.lower().replace(".", "").split()), sentence
    elif seat in NAMES and tag(event) != "seat-taken":
        assert NAMES[seat] in sentence, sentence
        assert "you" not in sentence.lower().split(), sentence


# A whole house ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def entries(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, Entry]]:
    """What every table's journal holds, with the book that it is dealt by."""
    path = tmp_path_factory.mktemp("words") / "house.db"
    asyncio.run(play(str(path)))
    return list(read(path))


def read(path: Path) -> Iterator[tuple[str, Entry]]:
    books: dict[str, str] = {}
    sql = "SELECT stream, seq, at, actor, key, body FROM journal ORDER BY position"
    with Snapshot(str(path)) as snapshot:
        for row in snapshot.rows(sql):
            entry = Entry(*row)
            if entry.stream.startswith("table:"):
                for event in codec.body(entry.body).events:
                    if isinstance(event, h.TableOpened):
                        books[entry.stream] = event.rulebook
                yield books[entry.stream], entry


def test_all_that_happens_in_a_house_is_told(entries):
    heard = set()
    for book_id, entry in entries:
        book, body = rulebook.load(book_id), codec.body(entry.body)
        for me in (None, 1, 2, 3):
            events = seen.notice(entry, body, me).events
            for event, sentence in zip(
                events, narration.story(book, events, NAMES, me), strict=True
            ):
                check(event, sentence, me)
                heard.add(tag(event))
    assert heard >= {"seat-taken", "payoff-announced", "round-paid", "misdeal-called", "hand-died"}


# In so many words -------------------------------------------------------------------------------


def paid(seat: int, cents: int, won: int, **more: Any) -> h.SeatPaid:
    line = Line(
        spot="ante",
        stake_cents=10_00,
        outcome="win" if won else "push",
        odds=None,
        nominal_cents=won,
        won_cents=won,
        returned_cents=cents,
        clause="I.2",
        reasons=(),
    )
    return h.SeatPaid(seat, "pair of kings", (line,), cents, **more)


def round_paid(*seats: h.SeatPaid) -> h.RoundPaid:
    return h.RoundPaid(1, datetime.date(2026, 11, 15), seats)


FLOOR = ("floor-supervisor", "f1")

SENTENCES: list[tuple[Rulebook, h.TableEvent, str]] = [
    (DIAMOND_JO, h.SeatsPaid((paid(2, 20_00, 10_00),)), "Bob is paid $20: pair of kings."),
    (DIAMOND_JO, e.RoundOpened("x/y", "0f", {1: "a"}, 500), "Betting is open."),
    (
        SENECA,
        e.BetPlaced(3, {"ante": 10_00, "progressive": 1_00}),
        "Guest 1a2b bets $10 on Ante and $1 on Progressive.",
    ),
    (
        DIAMOND_JO,
        e.BetPlaced(1, {"ante": 10_00, "lo-ball": 1_00}, 2_00),
        "You bet $10 on Ante, $1 on Lo Ball and $2 for the dealers.",
    ),
    (DIAMOND_JO, e.BetPlaced(2, {}), "Bob has no bet down."),
    (DIAMOND_JO, e.BettingClosed(), "No more bets."),
    (
        SENECA,
        e.BettingClosed(10_000_70),
        "No more bets; the Progressive meter stands at $10,000.70.",
    ),
    (
        DIAMOND_JO,
        e.CardsDealt("seats", 1, cards("Ks Th")),
        "You get the king of spades and the ten of hearts.",
    ),
    (DIAMOND_JO, e.CardsDealt("seats", 3, (None, None)), "Guest 1a2b gets two cards."),
    (DIAMOND_JO, e.CardsDealt("seats", 5, (None, None)), "Seat 5 gets two cards."),
    (
        DIAMOND_JO,
        e.CardsDealt("seats", 1, (card("Ks"), None)),
        "You get the king of spades and one card face down.",
    ),
    (
        DIAMOND_JO,
        e.CardsDealt("board", 0, cards("9c"), up=True),
        "The first board card is the nine of clubs.",
    ),
    (HOLLYWOOD, e.CardsDealt("board", 0, (None,) * 3), "The board gets three cards face down."),
    (HOLLYWOOD, e.CardsDealt("all-six", 0, (None,)), "The All Six spot gets one card face down."),
    (HOLLYWOOD, e.CardsTurned("all-six", cards("2d")), "The All Six card is the two of diamonds."),
    (SENECA, e.CardsDealt("dealer", 0, (None,) * 4), "The dealer gets four cards face down."),
    (
        SENECA,
        e.CardsDealt("dealer", 0, cards("Qh"), up=True),
        "The dealer shows the queen of hearts.",
    ),
    (DIAMOND_JO, e.LightSeen("green"), "The shuffler shows green."),
    (
        DIAMOND_JO,
        e.LightSeen("red", reshuffle=True),
        "The shuffler shows red: the cards are shuffled again.",
    ),
    (DIAMOND_JO, e.RaisePlaced(1, "raise-1", 3, 30_00), "You raise 3 times: $30."),
    (DIAMOND_JO, e.RaisePlaced(2, "raise-1", 1, 10_00), "Bob raises 1 time: $10."),
    (DIAMOND_JO, e.Folded(2, 1), "Bob folds."),
    (DIAMOND_JO, e.Folded(1, 1, "lo-ball"), "You fold; the cards wait under Lo Ball."),
    (DIAMOND_JO, e.Folded(1, 1, timed_out=True), "Time is up: you fold."),
    (DIAMOND_JO, e.Folded(2, 1, timed_out=True), "Time is up: Bob folds."),
    (TAKE_BACK, e.Checked(1), "You check."),
    (TAKE_BACK, e.WagerTakenBack(2, "first", 5_00), "Bob takes $5 back from One."),
    (
        DIAMOND_JO,
        e.HandShown(2, cards("As Ad")),
        "Bob shows the ace of spades and the ace of diamonds.",
    ),
    (
        DIAMOND_JO,
        e.LateWagerAccepted(1, "ante", 150_00, *FLOOR),
        "Your bet of $150 on Ante was found late and stands.",
    ),
    (
        SENECA,
        e.HandDied(2, "count", *FLOOR),
        "Bob's hand is dead: the player was dealt a wrong number of cards, and its bets go back.",
    ),
    (
        SENECA,
        e.MisdealCalled("sealed-anew", "", ""),
        "Misdeal: the deck may be known, and another is sealed. Every bet goes back.",
    ),
    (
        SENECA,
        e.MisdealCalled("left-alone", "", ""),
        "Misdeal: nobody has played here for long. Every bet goes back.",
    ),
    (
        DIAMOND_JO,
        e.MisdealCalled("exposed-card", *FLOOR),
        "Misdeal: a community card was exposed before bets were final. Every bet goes back.",
    ),
    (
        TAKE_BACK,
        e.IrregularityStood("other", *FLOOR),
        "The round stands in spite of an irregularity: anything.",
    ),
    (DIAMOND_JO, e.PayingBegan(), ""),
    (
        DIAMOND_JO,
        h.TableOpened("x/y", "0f", 5_00, 100_00, practice=True),
        "The table is open, with play chips: Ante $5 to $100.",
    ),
    (DIAMOND_JO, h.TableClosed(0, "late"), "The table is closed."),
    (SENECA, h.LimitsChanged(10_00, None, "busy"), "The limits are now Ante $10 or more."),
    (SENECA, h.SeatTaken(1, "a", "Ann"), "You take seat 1."),
    (SENECA, h.SeatTaken(4, "d", "Bot 4", bot="even"), "Bot 4 takes seat 4."),
    (SENECA, h.SeatAway(2, away=True), "Bob sits out."),
    (SENECA, h.SeatAway(1, away=False), "You are back."),
    (SENECA, h.SeatLeft(2), "Bob leaves the table."),
    (SENECA, h.InvitationMade(""), "Others are invited to this table."),
    (SENECA, h.PersonAdmitted("guest-1a2b"), "Somebody comes by invitation."),
    (SENECA, h.PersonShownOut("guest-1a2b", "rude"), "Somebody is shown out."),
    (SENECA, h.PartnersMarked(((1, 2),), "told"), "Seats 1 and 2 are partners."),
    (SENECA, h.PartnersMarked((), "told"), "Nobody here is a partner."),
    (SENECA, h.DealerChanged("dan"), "A new dealer takes the table."),
    (SENECA, h.DealerChanged(""), "The dealer leaves the table."),
    (SENECA, h.BankFilled(50_000_00), "The cage brings $50,000 in chips to the table."),
    (SENECA, h.MeterSeeded(10_000_00), "The house puts $10,000 on the Progressive meter."),
    (
        DIAMOND_JO,
        h.CardsBrought(("red", "blue"), datetime.date(2026, 1, 1)),
        "New cards come to the table: red and blue.",
    ),
    (
        DIAMOND_JO,
        h.CardsInspected("floor-supervisor", "f1", "red"),
        "The floor supervisor looks through the red deck.",
    ),
    (
        DIAMOND_JO,
        h.CardReplaced(card("2c"), *FLOOR, "torn", "red"),
        "The two of clubs of the red deck is replaced.",
    ),
    (DIAMOND_JO, h.DeckSealed(7, "c0ffee"), "The deck of round 7 is shuffled and sealed."),
    (DIAMOND_JO, h.DeckSealed(7, ""), "Round 7 begins."),
    (DIAMOND_JO, h.DeckCut(1, "7"), "You cut the deck."),
    (DIAMOND_JO, h.DeckCut(2, "7"), "Bob cuts the deck."),
    (DIAMOND_JO, h.DeckOpened("", ""), ""),
    (
        DIAMOND_JO,
        h.CardsInspected("dealer", "d1", "red", "flawed"),
        "The dealer looks through the red deck: a card is flawed.",
    ),
    (DIAMOND_JO, h.CardsWashed("red"), "The red deck is washed."),
    (DIAMOND_JO, h.CardsShuffled(), "The cards are shuffled."),
    (SENECA, h.CardsShuffled(cut=True), "The cards are shuffled and cut."),
    (
        DIAMOND_JO,
        h.CardsRetired(("red", "blue"), "sticky"),
        "Cards leave the table for good: red and blue.",
    ),
    (
        DIAMOND_JO,
        h.ShufflerChanged(True, "Model 2", "no. 7", "repaired"),
        "The cards are shuffled by a machine from now on, Model 2.",
    ),
    (
        DIAMOND_JO,
        h.ShufflerChanged(False, "", "", "it jams"),
        "The cards are shuffled by hand from now on.",
    ),
    (DIAMOND_JO, h.TokesDropped(12_50), "$12.50 in tokes leave the table for the dealers."),
    (
        DIAMOND_JO,
        h.TokesWrittenOff(2_00, "our mistake"),
        "$2 that the dealers owed for tokes is written off.",
    ),
    (
        DIAMOND_JO,
        h.TokesDropped(12_50, owed_cents=2_00),
        "$12.50 in tokes leave the table for the dealers, $2 of it owed.",
    ),
    (
        DIAMOND_JO,
        h.PatronBoughtIn(2, "patron-t-1", 100_00, 25_00, {25_00: 4}, "dan"),
        "Bob buys in with $100 in cash and $25 in chips.",
    ),
    (
        DIAMOND_JO,
        h.BuyInVoided(2, "patron-t-1", 100_00, 0, "a slip"),
        "Bob's buy-in of $100 is taken back.",
    ),
    (
        DIAMOND_JO,
        h.ChipsChanged(2, "patron-t-1", {5_00: 5}, {25_00: 1}),
        "Bob changes $25 in chips.",
    ),
    (DIAMOND_JO, h.PatronLeft(2, "patron-t-1", 40_00), "Bob takes $40 along."),
    (DIAMOND_JO, h.PatronLeft(2, "patron-t-1", 0), "Bob takes nothing along."),
    (DIAMOND_JO, h.FloorCalled("dan", 1, "a dispute"), "The dealer calls the floor."),
    (DIAMOND_JO, h.FloorAnswered("flo"), "The floor is at the table."),
    (DIAMOND_JO, h.BettingWithdrawn(), "Betting is closed again: nobody has bet."),
    (DIAMOND_JO, h.ClockSet(0), ""),
    (DIAMOND_JO, h.NoticeAcknowledged(3, "general-manager", "gus"), ""),
    (
        DIAMOND_JO,
        h.VoidAsked("other", 0, "shift-manager", "m1"),
        (
            "The shift manager rules that it is void: circumstances that no other cause covers."
            " Another role must agree."
        ),
    ),
    (
        DIAMOND_JO,
        h.CorrectionAsked(Facts(), "dealer", "dan", "misread"),
        "The dealer asks for a correction; another role must agree.",
    ),
    (
        DIAMOND_JO,
        h.RoundCorrected((), (1,), Facts(), (), "misread"),
        "What was recorded wrongly is put right, and what was approved of it is asked for again.",
    ),
    (
        DIAMOND_JO,
        h.RoundCorrected((), (), Facts(), (), ""),
        "What was recorded wrongly is put right.",
    ),
    (DIAMOND_JO, h.EntryUndone((), ()), "The dealer takes the last entry back."),
    (
        DIAMOND_JO,
        h.AdjustmentAsked(7, Facts(), "surveillance", "sue", "misread"),
        "Surveillance asks for a correction of round 7; another role must agree.",
    ),
    (
        DIAMOND_JO,
        h.RoundAdjusted(
            round=7,
            events=(),
            date=datetime.date(2026, 11, 15),
            paid=round_paid(),
            seats=(),
            meter_cents=None,
            facts=Facts(),
            by=(),
            why="",
            before=3,
        ),
        "Round 7 is put right, and the difference is settled.",
    ),
    (DIAMOND_JO, h.PlayerKnown(1, Player()), ""),
    (
        DIAMOND_JO,
        h.PayoffAnnounced(1, 5_000_00, ("call-out",), ("C.1.t",)),
        "Your win of $5,000 waits for approval.",
    ),
    (
        DIAMOND_JO,
        h.PayoffApproved(2, "shift-manager", "sam"),
        "Bob's payoff is approved by the shift manager.",
    ),
    (
        DIAMOND_JO,
        h.FormsDue(1, (Form("W-2G", "main", 1_000_00, 0, "M.1"),)),
        "Your payoff waits for papers: form W-2G.",
    ),
    (DIAMOND_JO, h.FormsDue(2, ()), "The tax desk looks at Bob's payoff."),
    (DIAMOND_JO, h.PapersTaken(2, None, "cay"), "Bob's papers were seen."),
    (
        DIAMOND_JO,
        h.PayoffHeld(1, "cay", "none shown"),
        "Your winnings that need a form are held: none shown.",
    ),
    (DIAMOND_JO, h.PayoffApproved(1, "dealer", "dan"), "The dealer calls out your payoff."),
    (DIAMOND_JO, h.PayoffApproved(1, "", "automatic"), "Your payoff is approved."),
    (
        DIAMOND_JO,
        round_paid(paid(1, 45_00, 35_00), paid(2, 0, 0)),
        "You are paid $45: pair of kings.",
    ),
    (DIAMOND_JO, round_paid(paid(1, 10_00, 0)), "You get $10 back: pair of kings."),
    (
        DIAMOND_JO,
        round_paid(paid(1, 30_00, 35_00, held_cents=5_00, withheld_cents=10_00)),
        "You are paid $30 after $10 of tax; $5 is held: pair of kings.",
    ),
    (
        DIAMOND_JO,
        round_paid(h.SeatPaid(2, "", (), 0), paid(3, 20_00, 10_00)),
        "Bob is paid nothing. Guest 1a2b is paid $20: pair of kings.",
    ),
]


def test_every_kind_of_event_is_among_them():
    assert {type(event) for _, event, _ in SENTENCES} == set(members(h.TableEvent))


@pytest.mark.parametrize(
    ("book", "event", "sentence"),
    SENTENCES,
    ids=[f"{number}-{tag(event)}" for number, (_, event, _) in enumerate(SENTENCES)],
)
def test_in_so_many_words(book, event, sentence):
    assert narration.said(book, event, NAMES, 1, {}) == sentence


def test_a_community_card_is_counted_where_the_others_are_known():
    turned = [e.CardsTurned("board", cards(each)) for each in ("9c", "Td", "Jh")]
    assert list(narration.story(HOLLYWOOD, turned, NAMES, None)) == [
        "The first board card is the nine of clubs.",
        "The second board card is the ten of diamonds.",
        "The third board card is the jack of hearts.",
    ]
    alone = narration.said(HOLLYWOOD, turned[1], NAMES, None)
    assert alone == "The next board card is the ten of diamonds."


@pytest.mark.parametrize(
    ("turned", "hand"),
    [("Qd 2c 3c 4c", "pair of queens"), ("Jd 2c 3c 4c", "queen high, which does not qualify")],
)
def test_the_dealers_hand_is_named_once_it_is_whole(turned, hand):
    happened: list[h.TableEvent] = [
        e.CardsDealt("dealer", 0, cards("Qh"), up=True),
        e.CardsTurned("dealer", cards(turned)),
    ]
    sentence = list(narration.story(SENECA, happened, NAMES, None))[1]
    assert sentence.startswith("The dealer turns up the ")
    assert sentence.endswith(f": {hand}.")
    assert hand not in narration.said(SENECA, happened[1], NAMES, None)


def test_a_new_round_begins_with_an_empty_table():
    happened: list[h.TableEvent] = [
        e.CardsTurned("board", cards("9c")),
        e.RoundOpened("x/y", "0f", {1: "a"}, 500),
        e.CardsTurned("board", cards("9d")),
    ]
    assert list(narration.story(HOLLYWOOD, happened, NAMES, None))[2].startswith("The first ")
