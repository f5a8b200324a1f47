"""Finished rounds as each person saw them: receipts, secrets, replays, and keys to share them."""

import asyncio
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from pitboss import round as rounds
from pitboss import settle
from pitboss.cards import Card, shuffled
from pitboss.errors import Refused
from pitboss.house.people import persons as p
from pitboss.house.replay import (
    Approved,
    Replay,
    SeatReceipt,
    finished,
    past,
    receipts,
    share_key,
    shared,
    state_after,
)
from pitboss.house.replay import played as played_rounds
from pitboss.house.storage import codec
from pitboss.house.storage.past_rounds import own
from pitboss.house.storage.store import Store
from pitboss.house.table import commands as c
from pitboss.house.table import events as h
from pitboss.house.table import fair
from pitboss.house.table.fair import Sealed
from pitboss.round import actions as a
from pitboss.round import due, legal
from pitboss.round import events as e
from pitboss.round.redo import story
from pitboss.round.state import deal_order
from pitboss.rulebook import Rulebook
from pitboss.rulebook.deal_script import DealStep
from pitboss.settle import Player
from tests.conftest import fresh_database
from tests.helpers import BOOKS
from tests.house import evening
from tests.house.clocked_house import ClockedHouse, clocked_house

ROUNDS = 100
"""In each book."""

PEOPLE = {
    "ann": Player(),
    "bob": Player(residence="foreign"),
    "cid": Player(identified=False),
    "eve": Player(tin=False),
}
CARD = re.compile(r"(?<![0-9A-Za-z])[2-9TJQKA][cdhs](?![0-9A-Za-z])")
RICH = 10**11


# Playing ----------------------------------------------------------------------------------------


class Decks:
    """Random decks, of which two in three make one seat, or two, very good hands."""

    def __init__(self, book: Rulebook) -> None:
        self.book, self.chance = book, random.Random(book.id)

    def __call__(self) -> Sealed:
        deck = list(shuffled(self.chance))
        seats = self.chance.randrange(3)
        if seats:
            places = self.places(seats)
            suit = self.chance.choice("cdhs")
            high = sorted((card for card in deck if card.suit == suit), reverse=True)
            rich = high[: len(places)]
            self.chance.shuffle(rich)
            poor = iter([card for card in deck if card not in rich])
            good = iter(rich)
            deck = [next(good) if at in places else next(poor) for at in range(52)]
        return Sealed(tuple(deck), self.chance.randbytes(32).hex())

    def places(self, seats: int) -> set[int]:
        """Where in the deck the cards lie that so many seats make their hands of."""
        table = self.book.main_table
        wanted = {"seats"} if table is None or self.book.qualifier else set(table.cards)
        steps = [step for step in self.book.script if isinstance(step, DealStep)]
        order = [each for step in steps for each in deal_order(step, range(1, seats + 1))]
        return {at for at, (place, _, _) in enumerate(order) if place in wanted}


async def play(here: ClockedHouse, book: Rulebook, chance: random.Random) -> None:
    """Play at a practice table, with any number of seats, any wagers, any decisions."""
    own = await here.person("own", "player")
    for name, player in PEOPLE.items():
        chips = p.ChipsBought(RICH, practice=True)
        added = p.PersonAdded(name.title(), ("player",), player)
        await here.house.record("house", name, "", added, chips)
    people = {seat: await here.house.person(name) for seat, name in enumerate(PEOPLE, start=1)}
    await here.open(own, book.id, practice=True, minimum_cents=10_00)
    for seat, who in people.items():
        await here.do(who, c.Sit(seat))
    while here.table.number <= ROUNDS:
        down = sorted(chance.sample(list(people), chance.choice((1, 1, 2, 3, 4))))
        for seat in people:
            await here.do(people[seat], c.SitIn() if seat in down else c.SitOut())
        for seat in down:
            await here.do(people[seat], a.Bet(seat, *wagers(book, here, chance)))
        if chance.random() < 0.05:
            await here.do(own, a.CallMisdeal(book.misdeal[-1].cause, "shift-manager"))
        while waiting := due(book, here.table.round):
            *raises, fold = legal(book, here.table.round, waiting[0])
            option = fold if chance.random() < 0.1 else chance.choice(raises)
            action = a.Raise(waiting[0], option.times) if option.times else a.Fold(waiting[0], True)
            await here.do(people[waiting[0]], action)


def wagers(book: Rulebook, here: ClockedHouse, chance: random.Random) -> tuple[dict[str, int], int]:
    most = here.table.maximum_cents or 500_00
    ante = chance.choice([10_00, 25_00, most])
    down = {book.ante.name: ante}
    for name, spot in book.opening.items():
        if not spot.required and chance.random() < 0.5:
            down[name] = int(spot.fixed or spot.least or 10_00)
    return down, 1_00 if book.toke and chance.random() < 0.3 else 0


class Kept:
    """A house's database, and all its finished rounds read straight from the journal."""

    def __init__(self, where: str) -> None:
        self.store = Store(where)
        self.truths = [
            truth
            for stream, kept in self.store.all_kept("table").items()
            if kept
            for truth in truths(self.store, stream)
        ]
        self._known: dict[tuple[str, str], Replay] = {}

    def past(self, truth: "Truth", person: str) -> Replay:
        """Nothing is played any more: what somebody saw of a round is read once for all tests."""
        key = truth.name, person
        if key not in self._known:
            self._known[key] = past(self.store, *key)
        return self._known[key]

    def everybody(self) -> Iterator[tuple["Truth", int, Replay]]:
        """Every round as each of its players saw it."""
        for truth in self.truths:
            for seat, person in truth.people.items():
                yield truth, seat, self.past(truth, person)


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def database(request: Any, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], str]:
    """Makes a database, of each kind in turn."""
    if request.param == "sqlite":
        return lambda: str(tmp_path_factory.mktemp("past") / "house.db")
    server = request.getfixturevalue("postgres_server")
    return lambda: fresh_database(server)


@pytest.fixture(scope="module", params=BOOKS, ids=lambda book: book.id)
def house(request: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    """A house in which many rounds of one book were played: the rules make the difference here, and
    what each kind of database gives back is shown with everything that can happen, below."""
    book: Rulebook = request.param
    where = str(tmp_path_factory.mktemp("past") / "house.db")

    async def run() -> None:
        async with clocked_house(where, deck=Decks(book)) as here:
            await play(here, book, random.Random(book.id))

    asyncio.run(run())
    found = Kept(where)
    yield found
    found.store.close()


@pytest.fixture(scope="module")
def everything(database: Callable[[], str]) -> Iterator[Kept]:
    """A house in which a bit of everything has happened."""
    where = database()
    asyncio.run(evening.play(where))
    found = Kept(where)
    yield found
    found.store.close()


# What the journal says --------------------------------------------------------------------------


class Truth:
    """A round with all its secrets."""

    def __init__(self, name: str, events: list[h.TableEvent]) -> None:
        self.name = name
        self.events = [each for each in events if not isinstance(each, h.DeckOpened)]
        self.adjusted: list[e.Event] = []
        """As it was put right after it was paid."""
        self.deck = next((each.deck for each in events if isinstance(each, h.DeckOpened)), None)
        [self.paid] = [each for each in events if isinstance(each, h.RoundPaid)]
        self.sealed = [each for each in events if isinstance(each, h.DeckSealed)][-1]
        opened = [each for each in events if isinstance(each, e.RoundOpened)][-1]
        self.people = {each.seat: opened.seats[each.seat] for each in self.paid.seats}

    def seen(self, seat: int | None, *, last: bool = False) -> set[Card]:
        """The cards that somebody could have seen, or that lay there once all was put right."""
        found: set[Card | None] = set()
        told = [*own(self.events)]
        for each in story(told) if last else [*told, *self.adjusted]:
            if isinstance(each, e.CardsDealt):
                found |= set(each.cards) if each.up or (seat and each.seat == seat) else set()
            elif isinstance(each, e.CardsTurned | e.HandShown):
                found |= set(each.cards)
        return {card for card in found if card is not None}

    def seat_paid(self, seat: int) -> h.SeatPaid:
        return next(each for each in self.paid.seats if each.seat == seat)


def truths(store: Store, table: str) -> Iterator[Truth]:
    """Every finished round of a table."""
    number = 0
    events: list[h.TableEvent] = []
    found: dict[int, Truth] = {}
    for entry in store.entries(f"table:{table}"):
        for event in codec.body(entry.body).events:
            if isinstance(event, h.DeckSealed) and event.round != number:
                number, events = event.round, []
            events.append(event)
            if isinstance(event, h.RoundPaid):
                found[number] = Truth(f"{table}-{number}", events)
            elif isinstance(event, h.RoundAdjusted):
                found[event.round].adjusted.extend(event.events)
    yield from found.values()


def receipt(found: Replay) -> SeatReceipt:
    assert found.receipt is not None
    return found.receipt


def as_json(found: Replay) -> str:
    """All of it but the rules, which have no cards but many words."""
    fields = {name: getattr(found, name) for name in found.__struct_fields__ if name != "book"}
    return msgspec.json.encode(fields, enc_hook=str).decode()


# Receipts ---------------------------------------------------------------------------------------


def check_receipt(found: SeatReceipt, was: h.SeatPaid) -> None:
    assert found.paid == was
    # A toke is the dealers', unless it goes back: then nothing was won or lost with it.
    gone = any(line.reasons[0].code in ("misdeal", "dead-return") for line in was.lines)
    mine = [line for line in was.lines if line.spot != "toke" or gone]
    assert was.staked_cents == sum(line.stake_cents for line in mine)
    whole = was.paid_cents + was.held_cents + was.withheld_cents
    assert sum(line.returned_cents for line in mine) == whole
    assert was.net_cents == was.paid_cents - sum(line.stake_cents for line in mine)
    # Every wager stands in one group, and what the groups come to is what was won or lost.
    assert sum(len(each.wagers) for each in found.groups) == len(was.lines)
    counted = [each for each in found.groups if not each.toke]
    assert sum(each.stake_cents for each in counted) == was.staked_cents
    taken = sum(step.cents for step in found.deductions)
    assert taken == -was.held_cents - was.withheld_cents
    assert sum(each.net_cents for each in counted) + taken == was.net_cents
    changed = [line.won_cents != line.nominal_cents for line in was.lines]
    assert any(changed) == any(len(each.steps) > 1 for each in found.groups)
    for each in found.groups:
        assert each.why
        assert len({title for title, _ in each.wagers}) == len(each.wagers)
        assert not each.steps or each.steps[-1].cents == each.net_cents


def settled_again(found: Replay, truth: Truth) -> settle.Settlement:
    """What the settlement says today of a round with all its secrets."""
    own = [event for event in truth.events if not isinstance(event, h.Own)]
    state = rounds.State()
    for event in own:
        state = rounds.evolve(found.book, state, event)
    players = {seat: PEOPLE[person] for seat, person in truth.people.items()}
    return settle.settle(found.book, settle.of_round(state, players, truth.paid.date))


def test_a_receipt_gives_every_reason_that_the_settlement_gave(house):
    codes = set()
    for truth, seat, found in house.everybody():
        mine = next(each for each in settled_again(found, truth).seats if each.seat == seat)
        deciding = {settle.told(found.book, line.reasons[0]) for line in mine.lines}
        assert {(g.why[0].says, g.why[0].clause) for g in receipt(found).groups} == deciding
        codes |= {why.code for line in mine.lines for why in line.reasons}
    assert len(codes) > 3


def test_a_receipt_says_what_was_paid(house):
    capped, approved = 0, set()
    for truth, seat, found in house.everybody():
        made = receipt(found)
        assert (found.round, found.seat) == (truth.name, seat)
        check_receipt(made, truth.seat_paid(seat))
        capped += any(len(each.steps) > 1 for each in made.groups)
        approved |= {(bool(made.approvals), each) for each in made.approved}
    assert len(house.truths) >= ROUNDS
    assert sum(len(truth.people) > 1 for truth in house.truths) > ROUNDS / 3
    assert bool(capped) == bool(found.book.cap)
    assert approved == ({(True, Approved("", "automatic"))} if found.book.approval else set())


def test_a_receipt_says_what_was_paid_wherever_something_happened(everything):
    found = [(receipt(seen), truth.seat_paid(seat)) for truth, seat, seen in everything.everybody()]
    for made, was in found:
        check_receipt(made, was)
    assert any(made.paid.held_cents for made, _ in found)
    assert any(made.paid.withheld_cents for made, _ in found)
    shares = [each for made, _ in found for each in made.groups if each.shared_with]
    assert shares
    for each in shares:  # nothing of a ceiling that was shared is left over
        ceiling, share = each.steps[-2:]
        assert share.cents + sum(other.cents for other in each.shared_with) == ceiling.cents
    given = {each for made, _ in found if made.approvals for each in made.approved}
    assert given == {
        Approved("floor-supervisor", "flo"),
        Approved("surveillance", "sue"),
        Approved("dealer", "dan"),
    }


def test_held_winnings_say_why_though_their_player_sat_down_long_ago(everything):
    said = [
        step.says
        for truth, seat, found in everything.everybody()
        if truth.people[seat] == "eve"
        for step in receipt(found).deductions
        if "is held" in step.says
    ]
    assert said
    assert all("the player has no identification" in why for why in said)


def test_who_only_watched_gets_no_receipt_and_no_tax(everything):
    for truth in everything.truths:
        found = everything.past(truth, "nobody")
        assert (found.seat, found.receipt, found.share) == (None, None, None)
        assert not any(each.forms or each.withheld_cents for each in found.paid.seats)


def test_the_pit_gets_every_seats_receipt_without_its_tax(everything):
    taxed = 0
    for truth in everything.truths:
        found = receipts(everything.store, truth.name)
        assert sorted(found) == sorted(truth.people)
        for seat, told in found.items():
            own, was = receipt(everything.past(truth, truth.people[seat])), truth.seat_paid(seat)
            assert (told.groups, told.approved) == (own.groups, own.approved)
            assert (told.deductions, told.paid.forms) == ((), ())
            assert told.paid.paid_cents == was.paid_cents + was.held_cents + was.withheld_cents
            taxed += bool(own.deductions)
    assert taxed


def test_a_receipt_is_what_was_journaled_and_nothing_is_settled_for_it(everything, monkeypatch):
    truth = next(each for each in everything.truths if "ann" in each.people.values())
    before = past(everything.store, truth.name, "ann").receipt

    def never(*_given: Any) -> Any:
        raise AssertionError("a receipt is settled again")

    monkeypatch.setattr(settle, "settle", never)
    assert past(everything.store, truth.name, "ann").receipt == before is not None


def test_why_others_were_paid_and_their_tax_is_for_their_own_eyes(everything):
    told = 0
    for truth in everything.truths:
        for person in ["nobody", *truth.people.values()]:
            for paid in everything.past(truth, person).paid.seats:
                own = truth.people[paid.seat] == person
                assert all(bool(line.reasons) == own for line in paid.lines)
                told += own
    assert told


# What was seen ----------------------------------------------------------------------------------


def check_secrets(found: Replay, truth: Truth, seat: int | None) -> None:
    written, seen = as_json(found), truth.seen(seat)
    assert set(CARD.findall(written)) == {str(card) for card in seen}
    assert found.state.out == sum(1 << card for card in truth.seen(seat, last=True))
    for text in written, repr(found):
        assert truth.sealed.locked not in text or not truth.sealed.locked
        if truth.deck is not None:
            assert truth.deck.seed not in text
            for card, salt in zip(truth.deck.cards, fair.salts(truth.deck.seed), strict=True):
                assert (salt in text) == (card in seen)
    taken = [event for event in found.events if isinstance(event, h.SeatTaken)]
    assert all(each.player == Player() for each in taken)


def test_no_card_is_in_it_that_the_seat_did_not_see(house):
    check_all_secrets(house)


def test_no_card_is_in_it_wherever_something_happened(everything):
    check_all_secrets(everything)


def check_all_secrets(kept: Kept) -> None:
    for truth in kept.truths:
        check_secrets(kept.past(truth, "nobody"), truth, None)
    secret = 0
    for truth, seat, found in kept.everybody():
        check_secrets(found, truth, seat)
        secret += truth.seen(seat) != truth.seen(None)
    assert secret


def test_it_holds_what_the_record_holds(everything):
    for truth in everything.truths:
        for person in ["nobody", *truth.people.values()]:
            found = everything.past(truth, person)
            whole = finished(everything.store, truth.name)
            record = whole.record(whole.seat_of(person))
            told = tuple(each for notice in record.notices for each in notice.events)
            assert found.events == told
            assert found.paid is found.events[-1]
            assert (found.proof, found.practice) == (record.proof, record.practice)
            assert (found.book.id, found.book.sha256) == (record.rulebook, record.sha256)
            assert found.commitment == truth.sealed.commitment
            if found.proof is not None:
                assert fair.holds(found.proof)
                assert found.proof.commitment == found.commitment


def test_a_replay_shows_each_moment_as_the_seat_saw_it(house):
    for truth in house.truths[::7]:
        for seat, person in [(None, "nobody"), *truth.people.items()]:
            found = house.past(truth, person)
            assert len(found.events) == len(truth.events)
            for number in range(len(found.events) + 1):
                own = [each for each in truth.events[:number] if not isinstance(each, h.Own)]
                assert state_after(found, number) == rounds.view(found.book, own, seat)
            assert state_after(found, len(found.events)) == found.state
            assert state_after(found, 10**6) == found.state
            assert state_after(found, 0) == state_after(found, -1) == rounds.State()


def test_names_are_what_people_are_called(house):
    for truth in house.truths[::5]:
        found = house.past(truth, "ann")
        assert found.names.items() >= {n: who.title() for n, who in truth.people.items()}.items()


def test_names_are_what_guests_and_bots_are_called(everything):
    names = [everything.past(each, "nobody").names for each in everything.truths]
    assert {1: "Guest", 2: "Bot 2"} in names
    assert all(names)


# Sharing ----------------------------------------------------------------------------------------


def refused(store: Store, name: str, key: str) -> tuple[str, str]:
    with pytest.raises(Refused) as caught:
        shared(store, name, key)
    return caught.value.refusal.code, caught.value.refusal.message


def test_a_key_shows_what_its_seat_saw_and_nothing_else_does(house):
    keys: dict[str, str] = {}
    for truth, _, mine in house.everybody():
        assert mine.share is not None
        assert re.fullmatch("[0-9a-f]{32}", mine.share)
        assert mine.share not in keys
        link = shared(house.store, truth.name, mine.share)
        assert (link.seat, link.names, link.state) == (mine.seat, mine.names, mine.state)
        assert (link.events[:-1], link.proof) == (mine.events[:-1], mine.proof)
        keys[mine.share] = truth.name
    last = house.truths[-1].name
    others = [key for key, name in keys.items() if name != last]
    assert {refused(house.store, last, key)[0] for key in others[::5]} == {"round/unknown"}


def test_what_is_no_key_opens_nothing(house):
    truth = house.truths[0]
    seat, person = next(iter(truth.people.items()))
    seed, key = truth.deck.seed, house.past(truth, person).share
    assert key == share_key(truth.name, seat, seed)
    nobody = next(n for n in range(1, 9) if n not in truth.people)
    for wrong in (
        "",
        key[:-1],
        f"{key}0",
        f"{key} ",
        f"0{key[1:]}" if key[0] != "0" else f"1{key[1:]}",
        "\u00e9" * 32,
        "\ud800",
        "\0",
        seed,
        truth.sealed.commitment,
        truth.sealed.commitment[:32],
        share_key(truth.name, nobody, seed),
        *fair.salts(seed),
    ):
        said = f"there is no finished round {truth.name!r}"
        assert refused(house.store, truth.name, wrong) == ("round/unknown", said)
    for name in ("", "nowhere-1", f"{truth.name}0", truth.name.rpartition("-")[0]):
        assert refused(house.store, name, key)[0] == "round/unknown"


def test_rounds_with_real_cards_have_no_key(everything):
    real = [each for each in everything.truths if not each.sealed.locked]
    assert real
    for truth in real:
        for person in truth.people.values():
            found = everything.past(truth, person)
            assert (found.share, found.proof, found.commitment) == (None, None, "")
        for key in ("", "0" * 32, share_key(truth.name, 1, "x") or ""):
            assert refused(everything.store, truth.name, key)[0] == "round/unknown"


def test_a_link_does_not_tell_what_is_between_a_person_and_the_tax_desk(everything):
    taxed = 0
    for truth in everything.truths:
        for seat, person in truth.people.items():
            own = everything.past(truth, person)
            if own.share is None or own.receipt is None:
                continue
            link = shared(everything.store, truth.name, own.share)
            mine = next(each for each in own.paid.seats if each.seat == seat)
            told = next(each for each in link.paid.seats if each.seat == seat)
            assert (told.forms, told.held_cents, told.withheld_cents) == ((), 0, 0)
            assert told.paid_cents == mine.paid_cents + mine.held_cents + mine.withheld_cents
            assert link.events[-1] == link.paid
            desk = bool(mine.forms or mine.held_cents or mine.withheld_cents)
            assert link.receipt == (None if desk else own.receipt)
            taxed += desk
    assert taxed


def test_the_rounds_that_somebody_played_are_found_the_last_first(everything):
    everybody = {person for truth in everything.truths for person in truth.people.values()}
    people = {person for person in everybody if not person.startswith(("bot-", "patron-"))}
    assert len(everybody) > len(people) > 3
    for person in people:
        wanted = {t.name for t in everything.truths if person in t.people.values()}
        pages = [played_rounds(everything.store, person, most=3)]
        while len(pages[-1]) == 3:
            pages.append(played_rounds(everything.store, person, pages[-1][-1].key, most=3))
        found = [each.round for page in pages for each in page]
        assert len(found) == len(set(found))
        assert set(found) == wanted
        times = [each.at for page in pages for each in page]
        assert times == sorted(times, reverse=True)
    assert played_rounds(everything.store, "nobody-at-all") == []
