"""R54, R56, R57: winnings that were kept, or released since, when a round is put right; and what is
owed of it."""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.audit.export import forms, rounds
from pitboss.audit.snapshot import Snapshot
from pitboss.cards import cards
from pitboss.errors import Refused
from pitboss.house.books.ledger import TURNED_OVER
from pitboss.house.books.papers import FormRecord, Payee, RoundClaim, Winner
from pitboss.house.held_desk import HeldDesk
from pitboss.house.people import persons as p
from pitboss.house.rulebook_shelf import adopt
from pitboss.house.storage.projections import claims_of, form_records, held_winnings
from pitboss.house.table import commands as c
from pitboss.round import actions as a
from pitboss.round.redo import SeatFacts
from pitboss.rulebook.loader import HOUSES
from tests.audit.forgery import found
from tests.house.evening import Evening
from tests.house.papers import ABROAD, PAYEE
from tests.house.shelves import book, changed
from tests.house.test_corrections import TEN, paid, royal

HEARTS: dict[str, Any] = {"board": (None, None, *cards("Th"))}
STRAIGHT = 200_00
"""What ann won with the ten that lay there, which needs no form."""
SEEN = p.Identified("us", True, True, "seen", PAYEE)


class Pit:
    """A house, one table of it, and what is owed, kept and taxed there."""

    def __init__(self, here: Evening) -> None:
        self.here, self.store, self.table = here, here.house.store, ""

    def desk(self, key: str) -> HeldDesk:
        return HeldDesk(self.here.house, "sam", "ann", key, "")

    def has(self, *kinds: str) -> list[int]:
        accounts = (kind if kind == "tax" else f"{kind}:ann" for kind in kinds)
        return [self.store.balance(each) for each in accounts]

    async def right(self, piles: Any, number: int = 1) -> None:
        await self.asked(piles, number)
        await self.agreed(piles, number)

    async def asked(self, piles: Any, number: int = 1, *seats: SeatFacts) -> None:
        asked = c.CorrectPaid("shift-manager", "misread", seats, piles or {}, round=number)
        await self.here.do(self.table, "sam", asked)

    async def agreed(self, piles: Any, number: int = 1, *seats: SeatFacts) -> None:
        asked = c.CorrectPaid("surveillance", "misread", seats, piles or {}, round=number)
        await self.here.do(self.table, "sue", asked)

    async def held_royal(self, dealt: str = "Ah Kh Qh Jh Th") -> None:
        """One more round, in which ann wins much and shows no papers."""
        await self.royal(c.HoldPayoff(1, "none shown"), dealt)

    async def royal(self, papers: c.HoldPayoff | c.CompleteForm, dealt: str) -> None:
        here, name = self.here, self.table
        await here.do(name, "dan", c.ShuffleCards())
        await here.do(name, "dan", c.OpenBetting())
        await here.bet(name, 1, "dan", sides=False)
        await here.do(name, "dan", a.CloseBets())
        deck = iter(cards(dealt))
        await here.work(name, lambda count: tuple(islice(deck, count)))
        await here.do(name, "flo", papers)
        await paid(here, name)

    def form(self) -> FormRecord:
        [form] = form_records(self.store)
        return form


def evening(tmp_path: Path, play: Callable[[Pit], Awaitable[None]], *, held: bool = True) -> None:
    """Ann wins much with a ten that was misread; whatever happens then, the audit is clean."""

    async def go() -> None:
        here = Evening(str(tmp_path / "house.db"))
        await here.house.start()
        pit = Pit(here)
        pit.table = await royal(here)
        if held:
            await here.do(pit.table, "flo", c.HoldPayoff(1, "none shown"))
        await paid(here, pit.table)
        await here.house.record("cay", "ann", "", SEEN)
        await play(pit)
        await here.house.stop()

    asyncio.run(go())
    assert found(tmp_path / "house.db") == {}


async def refused(asked: Awaitable[Any]) -> str:
    with pytest.raises(Refused) as caught:
        await asked
    return caught.value.refusal.code


def test_r57__a_release_is_put_right_with_its_form_and_its_tax(tmp_path: Path) -> None:
    async def play(pit: Pit) -> None:
        [won] = pit.has("held")
        [before] = pit.has("chips")
        await pit.desk("r").release(won, (), "has shown a passport")
        tax = won * 24 // 100
        assert pit.has("held", "tax", "chips") == [0, tax, before + won - tax]
        first = pit.form()
        assert (first.reportable_cents, first.withheld_cents) == (won, tax)
        await pit.right(TEN)
        now = pit.form()
        assert (now.id, now.state) == (first.id, "corrected")
        assert (now.reportable_cents, now.withheld_cents, now.day) == (0, 0, first.day)
        assert pit.has("tax", "held") == [0, 0], "what was withheld comes back"
        assert pit.has("claims", "chips") == [won - tax - STRAIGHT, before + won - tax]
        await pit.right(HEARTS)
        again = pit.form()
        assert (again.reportable_cents, again.withheld_cents) == (won, tax)
        assert again.state == "corrected"
        assert pit.has("held", "tax", "claims", "chips") == [0, tax, 0, before + won - tax]

    evening(tmp_path, play)


def test_r57__what_is_put_right_in_part_corrects_the_form_to_what_was_won(tmp_path: Path) -> None:
    async def play(pit: Pit) -> None:
        await pit.held_royal("Ah Kh Qh Jh Th")
        [won] = pit.has("held")
        await pit.desk("r").release(won, (), "has shown a passport")
        assert [form.withheld_cents for form in form_records(pit.store)] == [won * 12 // 100] * 2
        await pit.right(TEN, 2)
        by_round = {form.id.split("-")[1]: form for form in form_records(pit.store)}
        assert (by_round["1"].state, by_round["2"].state) == ("completed", "corrected")
        half, tax = won // 2, won * 12 // 100
        assert pit.has("claims", "tax") == [half - tax - STRAIGHT, tax]
        year.append((half, tax))

    year: list[tuple[int, int]] = []
    evening(tmp_path, play)
    with Snapshot(str(tmp_path / "house.db")) as snapshot:
        *rows, total = forms(snapshot)
    assert sorted(row["state"] for row in rows) == ["completed", "corrected"]
    assert [(total["reportable_cents"], total["withheld_cents"])] == year


def test_r54_r56__what_was_turned_over_and_never_won_is_asked_back_where_it_went(
    tmp_path: Path,
) -> None:
    async def play(pit: Pit) -> None:
        [won] = pit.has("held")
        assert pit.store.balance(TURNED_OVER) == 0
        await pit.desk("t").turn_over(won, (), "unclaimed for a year")
        accounts = ("held", "claims", "chips", "tax")
        [_, _, chips, _] = before = pit.has(*accounts)
        await pit.right(TEN)
        # The straight needs no form: it is paid to her, and nothing of the royal was ever hers.
        assert pit.has(*accounts) == [0, 0, chips + STRAIGHT, 0], "she was never paid it"
        assert pit.store.balance(TURNED_OVER) == 0
        with Snapshot(str(tmp_path / "house.db")) as snapshot:
            told = [each for each in rounds(snapshot) if each["adjusted"]]
        [moved] = told[-1]["difference"]
        assert (moved["turned_over_cents"], moved["claim_cents"]) == (-won, 0)
        # What is put right again went there, and is not kept a second time.
        await pit.right(HEARTS)
        assert pit.store.balance(TURNED_OVER) == won
        owed = [before[0], STRAIGHT, chips + STRAIGHT, before[3]]
        assert pit.has(*accounts) == owed, "of which she has what the straight won"

    evening(tmp_path, play)


def test_r54__what_is_kept_too_much_and_put_right_again_is_kept_once(tmp_path: Path) -> None:
    async def play(pit: Pit) -> None:
        [won] = pit.has("held")
        await pit.right(TEN)
        assert pit.has("held", "claims") == [won, won]
        with pytest.raises(Refused, match="is owed by them"):
            await pit.desk("r").release(won, (), "has shown a passport")
        await pit.right(HEARTS)
        assert pit.has("held", "claims") == [won, STRAIGHT], "which was paid in between"
        [kept] = held_winnings(pit.store, "ann")
        assert kept.cents == won

    evening(tmp_path, play)


def test_r56__another_rounds_debt_leaves_the_form_of_what_it_is_taken_from(tmp_path: Path) -> None:
    async def play(pit: Pit) -> None:
        await pit.right(TEN)
        [owed] = pit.has("claims")
        await pit.held_royal()
        [won] = pit.has("held")
        record = pit.here.house.record
        await record("cay", "ann", "", p.Identified("foreign", True, False, "seen", ABROAD))
        with pytest.raises(Refused, match="what tax may take of these winnings stays kept"):
            await pit.desk("c").collect(owed, "held", "a straight")
        await record("cay", "ann", "", SEEN)
        await pit.desk("c").collect(owed - 1_000_00, "held", "a straight")
        [kept] = held_winnings(pit.store, "ann")
        assert (kept.cents, kept.set_off_cents) == (won - owed + 1_000_00, owed - 1_000_00)
        await pit.desk("d").collect(1_000_00, "cash", "the rest")
        await pit.desk("r").release(kept.cents, (), "has shown a passport")
        # 24% of all that was won: what was taken for the debt was won, too.
        by_round = {form.id.split("-")[1]: form for form in form_records(pit.store)}
        assert (by_round["2"].reportable_cents, by_round["2"].withheld_cents) == (
            won,
            won * 24 // 100,
        )
        assert pit.has("held", "claims", "tax") == [0, 0, won * 24 // 100]

    evening(tmp_path, play, held=False)


def test_r54__its_own_rounds_debt_is_taken_of_what_was_never_won(tmp_path: Path) -> None:
    async def play(pit: Pit) -> None:
        await pit.right(TEN)
        [won] = pit.has("held")
        await pit.held_royal()
        await pit.desk("c").collect(won, "held", "a straight")
        [left] = held_winnings(pit.store, "ann")
        assert (left.round, left.cents, left.set_off_cents) == (f"{pit.table}-2", won, 0)
        await pit.desk("r").release(won, (), "has shown a passport")
        assert pit.form().reportable_cents == won

    evening(tmp_path, play)


def test_r54__no_more_is_collected_or_written_off_than_is_owed(tmp_path: Path) -> None:
    async def play(pit: Pit) -> None:
        await pit.right(TEN)
        [owed] = pit.has("claims")
        for done in (
            pit.desk("a").collect(owed + 1, "cash", "too much"),
            pit.desk("b").write_off(owed + 1, "too much"),
        ):
            with pytest.raises(Refused, match="and no more is taken or given up") as no:
                await done
            assert (no.value.refusal.code, no.value.refusal.place) == ("claim/amount", "cents")
        await pit.desk("c").write_off(1_000_00, "our mistake")
        await pit.desk("c").write_off(1_000_00, "our mistake")  # once
        [claim] = claims_of(pit.store, "ann")
        assert (claim.cents, claim.written_off_cents) == (owed - 1_000_00, 1_000_00)
        await pit.right(HEARTS)
        assert claims_of(pit.store, "ann") == []

    evening(tmp_path, play, held=False)


def test_r54__of_a_release_and_a_correction_at_once_neither_misses_the_other(
    tmp_path: Path,
) -> None:
    async def play(pit: Pit) -> None:
        [won] = pit.has("held")
        await pit.asked(TEN)
        release = pit.desk("r").release(won, (), "has shown a passport")
        await asyncio.gather(release, pit.agreed(TEN), return_exceptions=True)
        [held, owed, tax] = pit.has("held", "claims", "tax")
        assert (held, owed) in ((won, won), (0, won * 76 // 100 - STRAIGHT))
        assert tax == 0

    evening(tmp_path, play)


NONE = (SeatFacts(1, wagers={}),)
"""Ann had no wager in the round."""


async def right_of_seats(pit: Pit, *seats: SeatFacts, number: int = 1) -> None:
    await pit.asked(None, number, *seats)
    await pit.agreed(None, number, *seats)


def test_r54_r56__what_was_released_is_known_though_its_hand_turns_out_to_be_none(
    tmp_path: Path,
) -> None:
    async def play(pit: Pit) -> None:
        [won], [before] = pit.has("held"), pit.has("chips")
        await pit.desk("r").release(won, (), "has shown a passport")
        tax = won * 24 // 100
        await right_of_seats(pit, *NONE)
        assert pit.has("claims", "tax") == [won - tax, 0]
        again = SeatFacts(1, wagers={"ante": 5_00}, decisions=(3, 3, 3))
        await right_of_seats(pit, replace(again, cards=cards("Ah Kh")))
        assert pit.has("held", "tax", "claims", "chips") == [0, tax, 0, before + won - tax]

    evening(tmp_path, play)


async def patron_who_left(pit: Pit, dealt: str) -> tuple[str, int]:
    """A patron without an account plays a round beside bob, and leaves: what they are called, and
    what they won of it."""
    here, name = pit.here, pit.table
    await here.do(name, "flo", c.SeatPatron(4, "red jacket", 500_00))
    await here.do(name, "dan", c.ShuffleCards())
    await here.do(name, "dan", c.OpenBetting())
    for seat in (2, 4):
        await here.bet(name, seat, "dan", sides=False)
    await here.do(name, "dan", a.CloseBets())
    deck = iter(cards(dealt))
    await here.work(name, lambda count: tuple(islice(deck, count)))
    await here.do(name, "dan", a.Pay())
    patron = (await here.house.table(name)).table.sitters[4]
    await here.do(name, "dan", c.UnseatPatron(4))
    return patron.person, patron.chips_cents - 500_00


def test_r54__who_left_and_had_no_wager_gets_their_stakes_from_the_cage(tmp_path: Path) -> None:
    """Of whose round nothing is left: what they lost is kept."""

    async def play(pit: Pit) -> None:
        patron, won = await patron_who_left(pit, "2c 7d 4h 9s Js Kd 3s")
        assert won < 0
        await right_of_seats(pit, SeatFacts(4, wagers={}), number=2)
        [kept] = await pit.here.house.in_thread(held_winnings, pit.store, patron)
        assert (kept.person, kept.cents, kept.why) == (patron, -won, "gone")
        assert pit.store.balance(f"held:{patron}") == -won
        await pit.here.house.record("cay", patron, "", SEEN)
        desk = HeldDesk(pit.here.house, "sam", patron, "back", "")
        await desk.release(-won, (), "came back")
        assert pit.store.balance(f"held:{patron}") == 0

    evening(tmp_path, play)


class SlowDesk(HeldDesk, frozen=True, kw_only=True):
    """A desk at which something happens once it is known what is owed."""

    meanwhile: list[Awaitable[None]]

    async def _owed(self, asked: p.ClaimEvent) -> list[RoundClaim]:
        found = await super()._owed(asked)
        while self.meanwhile:
            await self.meanwhile.pop()
        return found


def test_r54__of_what_who_left_owes_nothing_is_collected_that_is_owed_no_more(
    tmp_path: Path,
) -> None:
    async def play(pit: Pit) -> None:
        patron, won = await patron_who_left(pit, "2c 7d Jh 9s Js Kd 3s")
        assert won > 0
        await right_of_seats(pit, SeatFacts(4, cards=cards("Ah")), number=2)
        owed = pit.store.balance(f"claims:{patron}")
        assert owed > won
        back = SeatFacts(4, cards=cards("Jh"))
        await pit.asked(None, 2, back)
        meanwhile: list[Awaitable[None]] = [pit.agreed(None, 2, back)]
        desk = SlowDesk(pit.here.house, "cay", patron, "c", "", meanwhile=meanwhile)
        assert await refused(desk.collect(owed, "cash", "sent it")) == "claim/amount"
        assert pit.store.balance(f"claims:{patron}") == 0

    evening(tmp_path, play)


def test_r57__a_form_that_a_later_correction_clears_gives_its_tax_back(tmp_path: Path) -> None:
    """What never was won was paid back in money, released and taxed; then the round is put right
    once more, for another seat."""

    async def play(pit: Pit) -> None:
        [won], [before] = pit.has("held"), pit.has("chips")
        await right_of_seats(pit, *NONE)
        await HeldDesk(pit.here.house, "cay", "ann", "c", "").collect(won, "cash", "paid back")
        await pit.desk("r").release(won, (), "has shown a passport")
        tax = won * 24 // 100
        assert pit.has("held", "claims", "tax", "chips") == [0, 0, tax, before + won - tax]
        await right_of_seats(pit, SeatFacts(2, decisions=("fold",)))
        form = pit.form()
        assert (form.state, form.reportable_cents, form.withheld_cents) == ("corrected", 0, 0)
        assert pit.has("tax") == [0]
        held, owed, chips = pit.has("held", "claims", "chips")
        assert chips + held - owed == before + won, "she has what she paid, and no tax on it"

    evening(tmp_path, play)


RICH = changed(
    ('"seneca-niagara/caribbean-stud"', '"my-house/caribbean-stud"'),
    ('reseed = "10,000.00"', 'reseed = "100,000.00"'),
    text=(HOUSES / "seneca-niagara" / "caribbean-stud.toml").read_text("utf-8"),
)


def test_r57__what_is_kept_for_who_left_was_on_the_form_of_its_round_and_is_taxed_once(
    tmp_path: Path,
) -> None:
    """A tenth of the meter is paid with a form, the patron leaves, and it was all of the meter."""

    async def play() -> None:
        here = Evening(str(tmp_path / "house.db"))
        adopt(here.house.store, book(RICH), at=here.clock())
        await here.house.start()
        await here.everybody()
        store = here.house.store
        name = await here.open("sam", book(RICH).id, dealing="entered", maximum_cents=100_00)
        await here.do(name, "dan", c.StartDealing())
        await here.do(name, "flo", c.BringCards(("red",)))
        await here.do(name, "dan", c.SeatPatron(1, "red jacket", 500_00))
        await here.do(name, "dan", c.ShuffleCards())
        await here.do(name, "dan", c.OpenBetting())
        await here.bet(name, 1, "dan", sides=True)
        await here.do(name, "dan", a.CloseBets())
        given = cards("9s Ks Qs Js Ts 2c 3d 5h 7s 9c")
        await here.do(name, "dan", a.Deal((*given[:5], None, None, None, None, given[9])))
        await here.do(name, "dan", a.Raise(1, 2))
        await here.do(name, "dan", a.Turn(given[5:9]))
        patron = (await here.house.table(name)).table.sitters[1].person
        await here.do(name, "dan", a.Turn())
        await here.do(name, "cay", c.CompleteForm(1, PAYEE))
        await here.do(name, "dan", a.Pay())
        await here.do(name, "dan", c.UnseatPatron(1))
        right = (SeatFacts(1, cards=cards("As Ks Qs Js Ts")),)
        for who, role in (("sam", "shift-manager"), ("sue", "surveillance")):
            await here.do(name, who, c.CorrectPaid(role, "an ace", right, round=1))
        [before] = form_records(store)
        [kept] = held_winnings(store, patron)
        tax = store.balance("tax")
        await here.house.record("cay", patron, "", SEEN)
        await HeldDesk(here.house, "sam", patron, "back", "").release(kept.cents, (), "is back")
        assert form_records(store) == [before], "which says all that was won"
        assert store.balance("tax") == tax == before.withheld_cents
        await here.house.stop()

    asyncio.run(play())
    assert found(tmp_path / "house.db") == {}


SON = replace(PAYEE, name="B. Winner", tin="987-65-4321")


def test_r57__a_statement_that_a_correction_clears_counts_as_no_form(tmp_path: Path) -> None:
    """It is one of those who won together, also where it says that nothing was won."""

    async def play(pit: Pit) -> None:
        won_together = c.CompleteForm(1, PAYEE, (Winner(PAYEE), Winner(SON, 2)))
        await pit.royal(won_together, "Ah Kh Qh Jh Th")
        await pit.right(TEN, 2)
        [statement] = [form for form in form_records(pit.store) if form.form == "5754"]
        parts = [(part.payee.name, part.cents, part.withheld_cents) for part in statement.parts]
        assert parts == [(PAYEE.name, 0, 0), (SON.name, 0, 0)]

    evening(tmp_path, play)
    with Snapshot(str(tmp_path / "house.db")) as snapshot:
        totals = {row["payee"]: row for row in forms(snapshot) if row["form"] == "total"}
    assert {name: (row["forms"], row["reportable_cents"]) for name, row in totals.items()} == {
        PAYEE.name: (1, 0),
        SON.name: (1, 0),
    }


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (replace(PAYEE, tin="123456789"), True),
        (replace(PAYEE, tin="123456789", name="A Winner"), True),
        (replace(PAYEE, tin="987-65-4321"), False),
        (replace(PAYEE, tin="", address="9 Far Lane"), False),
    ],
)
def test_r57__a_years_forms_are_one_payees_by_the_number_and_else_by_name_and_address(
    tmp_path: Path, other: Payee, same: bool
) -> None:
    async def play(pit: Pit) -> None:
        await pit.royal(c.CompleteForm(1, PAYEE), "Ah Kh Qh Jh Th")
        await pit.royal(c.CompleteForm(1, other), "Ah Kh Qh Jh Th")

    evening(tmp_path, play)
    with Snapshot(str(tmp_path / "house.db")) as snapshot:
        totals = [row for row in forms(snapshot) if row["form"] == "total"]
    assert [row["forms"] for row in totals] == ([2] if same else [1, 1])
