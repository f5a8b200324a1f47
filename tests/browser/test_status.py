"""What the table page says that is waited for, to players, watchers and the dealer; no browser."""

from typing import Any

from tests.browser.forms import Forms
from tests.browser.test_floor import looks, signed_in, status
from tests.browser.visitors import Site

CAJUN = "diamond-jo-worth/cajun-stud"
SLOW = {"betting_seconds": 600, "decision_seconds": 600}


def opened(site: Site, **options: Any) -> tuple[str, Forms]:
    """A table with real chips, and its shift manager."""
    boss = signed_in(site, "max", "shift-manager")
    return boss.caller.open(CAJUN, practice=False, **SLOW, **options), boss


def said(who: Forms, table: str) -> str:
    return status(looks(who, f"/tables/{table}"))


# Watchers ---------------------------------------------------------------------------------------


def test_b20__who_only_watches_is_not_told_to_bet(site: Site) -> None:
    table, boss = opened(site)
    assert said(boss, table) == "Bets are being placed."
    pip = signed_in(site, "pip", "player")
    assert pip.caller.do(table, "sit", seat=2).status == 200
    assert said(pip, table) == "Place your bets."


# The dealer -------------------------------------------------------------------------------------


def test_b10__a_dealer_is_told_what_a_dealer_has_to_do(site: Site) -> None:
    table, boss = opened(site, dealing="dealer")
    dan, flo = signed_in(site, "dan", "dealer"), signed_in(site, "flo", "floor-supervisor")
    pip, bob = signed_in(site, "pip", "player"), signed_in(site, "bob", "player")
    assert said(dan, table) == "There is no dealer at this table yet."  # he watches as others do

    def done(who: Forms, action: str, **more: Any) -> None:
        answer = who.caller.do(table, action, **more)
        assert answer.status == 200, answer

    done(dan, "start-dealing")
    assert said(dan, table) == "Open the betting."
    assert said(pip, table) == "The dealer has not opened the betting yet."
    page = looks(dan, f"/tables/{table}")
    assert "You are watching" not in page
    assert "You are watching" in looks(boss, f"/tables/{table}")
    done(pip, "sit", seat=1)
    done(bob, "sit", seat=3)
    site.stack("Ks Kd 2c 3d 4h 7d 9s")
    done(dan, "open-betting")
    assert said(dan, table) == "Betting is open, and nobody has bet yet."
    done(pip, "bet", seat=1, wagers={"ante": 100_00})
    assert said(dan, table) == "Close the bets; Bob has not bet yet."
    done(bob, "bet", seat=3, wagers={"ante": 5_00})
    assert said(dan, table) == "Close the bets."
    done(dan, "close-bets")
    assert said(dan, table) == "Deal four cards to seat 1 and seat 3."
    assert said(pip, table) == "The dealer deals."
    done(dan, "deal", cards=[])
    assert said(dan, table) == "Waiting for Pip and Bob."
    for who, seat in ((pip, 1), (bob, 3)):
        done(who, "raise", seat=seat, times=1)
    assert said(dan, table) == "Deal one card to the board."
    for _ in range(2):
        done(dan, "deal", cards=[])
        done(pip, "raise", seat=1, times=3)
        done(bob, "raise", seat=3, times=1)
    done(dan, "deal", cards=[])
    assert said(dan, table) == "Turn up the hands."
    done(dan, "turn")
    # A pair of kings is paid 1 to 1 on 800 dollars.
    assert said(dan, table) == "Pip's $800 waits for the dealer's call and floor supervisor."
    done(dan, "approve-payoff", seat=1, role="dealer")
    done(flo, "approve-payoff", seat=1, role="floor-supervisor")
    assert said(dan, table) == "Pay the round."
    done(dan, "pay")
    assert said(dan, table) == "Open the betting."


def test_b10__a_dealer_of_real_cards_is_told_what_they_need_first(site: Site) -> None:
    table, _ = opened(site, dealing="entered")
    dan, flo = signed_in(site, "dan", "dealer"), signed_in(site, "flo", "floor-supervisor")
    assert dan.caller.do(table, "start-dealing").status == 200
    first = "Before you open the betting: "
    assert said(dan, table) == f"{first}new cards come each gaming day."
    assert flo.caller.do(table, "bring-cards", colours=["red"]).status == 200
    assert said(dan, table).startswith(f"{first}2 people look through new cards")
    for who, role in ((dan, "dealer"), (flo, "floor-supervisor")):
        assert who.caller.do(table, "inspect-cards", role=role).status == 200
    assert said(dan, table) == f"{first}new cards are washed first."
    assert dan.caller.do(table, "wash-cards").status == 200
    assert said(dan, table) == f"{first}the cards are shuffled for each round."
    assert dan.caller.do(table, "shuffle-cards").status == 200
    assert said(dan, table) == "Open the betting."


# Seats that are freed ---------------------------------------------------------------------------


def test_b11__who_is_freed_between_rounds_is_told_why_and_nobody_else(site: Site) -> None:
    table, boss = opened(site)
    pip, bob = signed_in(site, "pip", "player"), signed_in(site, "bob", "player")
    for who, seat in ((pip, 1), (bob, 2)):
        assert who.caller.do(table, "sit", seat=seat).status == 200
    free: dict[str, Any] = {"seat": 1, "person": "pip", "why": "asleep at the table"}
    assert boss.caller.do(table, "free-seat", **free).status == 200
    for _ in range(2):  # also after a reload
        told = said(pip, table)
        assert told == "Your seat here was freed: asleep at the table. Bets are being placed."
    for other in (bob, boss, Forms(site.guest())):
        assert "asleep" not in looks(other, f"/tables/{table}")
        assert "asleep" not in str(other.caller.view(table))
    assert pip.caller.view(table)["freed"] == "asleep at the table"
    assert pip.caller.do(table, "sit", seat=3).status == 200  # then it is over and done with
    assert said(pip, table) == "Place your bets."


def test_b11__who_is_freed_in_a_round_is_told_why_when_it_is_over(site: Site) -> None:
    table, boss = opened(site)
    pip = signed_in(site, "pip", "player")
    assert pip.caller.do(table, "sit", seat=1).status == 200
    assert pip.caller.do(table, "bet", seat=1, wagers={"ante": 5_00}).status == 200
    free: dict[str, Any] = {"seat": 1, "person": "pip", "why": "asleep"}
    assert boss.caller.do(table, "free-seat", **free).status == 200
    assert "You get up when this round is over: asleep." in said(pip, table)
    assert pip.caller.do(table, "fold", seat=1).status == 200
    assert said(pip, table) == "Your seat here was freed: asleep. Bets are being placed."
    assert "asleep" not in looks(boss, f"/tables/{table}")
    leave = pip.caller
    assert leave.do(table, "sit", seat=1).status == 200
    assert leave.do(table, "leave").status == 200  # by their own wish: nothing is told
    assert said(pip, table) == "Bets are being placed."


def test_the_last_to_be_freed_are_remembered_and_not_all(site: Site) -> None:
    table, boss = opened(site)
    pip = signed_in(site, "pip", "player")
    assert pip.caller.do(table, "sit", seat=1).status == 200
    free: dict[str, Any] = {"seat": 1, "person": "pip", "why": "gone"}
    assert boss.caller.do(table, "free-seat", **free).status == 200
    for number in range(20):
        name = f"p{number}"
        other = site.person(name, "player")
        assert other.do(table, "sit", seat=1).status == 200
        assert pip.caller.view(table)["freed"] == "gone"
        free = {"seat": 1, "person": name, "why": "gone"}
        assert boss.caller.do(table, "free-seat", **free).status == 200
    assert pip.caller.view(table)["freed"] == ""


# Tables -----------------------------------------------------------------------------------------


def test_b14__a_new_table_is_not_named_and_who_tries_is_told_what_the_field_means(
    site: Site,
) -> None:
    boss = site.person("max", "shift-manager")
    command = {"action": "open-table", "rulebook": CAJUN, "table": "pit1"}
    answer = boss("POST", "/api/tables", {"key": "k", "command": command})
    assert (answer.status, answer.json) == (
        404,
        {
            "code": "table/unknown",
            "message": "there is no table 'pit1' to open again: `table` names one that was closed;"
            " without it a new one is opened, which gets its own name",
            "clause": "",
            "place": "command.table",
        },
    )
