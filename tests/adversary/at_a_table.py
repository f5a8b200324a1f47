"""What people of good faith do at a table: play, deal, mind the cards, rule, and open another."""

import asyncio
import random
from typing import Any

from pitboss.cards import DECK
from pitboss.house.storage.codec import short_name
from pitboss.rulebook import Rulebook, load
from tests.adversary.cast import BOOKS, FLOOR, LARGE_WINS, PIT, PRIVATE, TABLES
from tests.adversary.rulings import rules_on
from tests.adversary.somebody import Somebody
from tests.adversary.waiting import papers
from tests.house.floor import SHUFFLER

IDLE = 0.01
"""Seconds for which somebody looks elsewhere where nothing is to be done."""


async def play(who: Somebody) -> None:
    """Look at a table and do what is due there."""
    tables = who.night.tables
    room = len(tables) < TABLES if who.roles & FLOOR else len(who.night.private) < PRIVATE
    if room and who.random.random() < 0.05:
        await open_table(who)
        return
    if not tables:
        await asyncio.sleep(IDLE)
        return
    if who.table not in tables:
        who.table = who.random.choice(tables)
    status, view = await who.ask("GET", f"/api/tables/{who.table}")
    if view == "table/unknown" and who.table in who.night.invitations:
        await come(who, {"invitation": who.night.invitations[who.table]})
        return
    if status != 200 or view is None:
        return
    if not view["open"]:
        who.night.closed(who.table)
        return
    who.night.patrons |= {each["person"] for each in view["seats"] if each["patron"]}
    command = wants(who, view)
    if command is None:
        stays = view["seat"] is not None or view["dealer"] == who.person
        if who.random.random() < (0.005 if stays else 0.3):
            who.table = who.random.choice(tables)
        await asyncio.sleep(IDLE)
        return
    code = await who.command(who.table, command, view["moment"])
    if code in ("role/not-yours", "seat/uninvited"):
        who.table = ""  # others may do that here: they look elsewhere
    if code == "chips/not-enough":
        me = f"person:{who.person}"
        await who.send(who.asked("/api/me/play-chips", me, {}))


async def come(who: Somebody, shown: dict[str, str]) -> None:
    """Come by an invitation; whom it lets in sees the table, at any server, while it lets in."""
    door, path = "/api/invitations", f"/api/tables/{who.table}"
    asked = (("POST", door, shown), ("GET", path, None), ("POST", door, shown))
    entered, seen, again = [await who.ask(*each) for each in asked]
    if entered[1] == "table/unknown":
        who.night.closed(who.table)
    elif (entered[0], seen[1], again[0]) == (200, "table/unknown", 200):
        who.night.record.found(f"{who.person} was let in at {who.table} and does not see it")


def wants(who: Somebody, view: dict[str, Any]) -> dict[str, Any] | None:
    """Return what somebody of good faith asks for now, if anything."""
    chance, seat, practice = who.random.random(), view["seat"], view["practice"]
    roles = who.roles | ({*PIT} if view["table"] in who.opened else set())
    if view["approvals"] and roles & {*PIT} and chance < 0.8:
        waits = int(who.random.choice(list(view["approvals"])))
        role = who.random.choice(sorted(roles & {*PIT}))
        return {"action": "approve-payoff", "seat": waits, "role": role}
    if view["papers"] and roles & {*FLOOR, "cage"} and chance < 0.8:
        return papers(who, who.random.choice(view["papers"]))
    if roles & FLOOR and chance > 0.96:
        return rules(who, view, sorted(roles & FLOOR))
    if view["dealing"] == "entered" and roles & {*PIT} and chance > 0.85:
        return rules_on(who, view, roles)
    if view["dealing"] != "automatic" and seat is None:
        if view["dealer"] == who.person:
            return deals(who, view)
        if "dealer" in roles and chance < (0.005 if view["dealer"] else 0.1 if practice else 0.8):
            return {"action": "start-dealing"}
        if view["cards"] is not None and roles & FLOOR and view["phase"] == "waiting":
            return minds_cards(who, view, sorted(roles & {*PIT}))
    if seat is None:
        plays = practice or "player" in roles
        free = sorted({*range(1, 7)} - {each["seat"] for each in view["seats"]})
        number = who.random.choice(free or [1])
        sits = plays and chance < (0.6 if free else 0.02)
        return {"action": "sit", "seat": number} if sits else None
    return decides(who, view, next(each for each in view["seats"] if each["seat"] == seat))


def decides(who: Somebody, view: dict[str, Any], mine: dict[str, Any]) -> dict[str, Any] | None:
    chance, seat, options = who.random.random(), mine["seat"], view["options"]
    if chance < 0.02:
        return {"action": who.random.choice(["leave", "sit-out"])}
    if mine["away"]:
        return {"action": "sit-in"}
    if view["phase"] == "betting" and chance > 0.8:
        return {"action": "cut-deck", "cut": who.random.choice(["7", "x" * 64, "no/", ""])}
    if view["phase"] == "betting" and not mine["stakes"] and options:
        book = load(view["rulebook"])
        wagers = {
            each["spot"]: each["least_cents"]
            for each in options
            if each["spot"] == book.ante.name or who.random.random() < 0.5
        }
        toke = who.random.choice([0, 0, 5_00]) if book.toke else 0
        down = book.with_equal(wagers)
        return {"action": "bet", "seat": seat, "wagers": down, "toke_cents": toke}
    if seat not in view["due"] or not options:
        return None
    option = options[0] if chance < 0.6 else who.random.choice(options)
    decision = {"action": option["action"], "seat": seat}
    more = {"raise": {"times": option["times"]}, "fold": {"confirmed": chance < 0.9}}
    return {**decision, **more.get(option["action"], {})}


def deals(who: Somebody, view: dict[str, Any]) -> dict[str, Any] | None:
    """What whoever deals does next."""
    phase, chance = view["phase"], who.random.random()
    if chance < 0.01:
        return {"action": "stop-dealing"}
    if view["dealing"] == "entered" and chance < 0.03:
        return {"action": "undo"}
    if view["dealing"] == "entered" and phase in ("waiting", "betting") and chance > 0.8:
        return sees_to_patrons(who, view)
    if view["shuffler"] and view["light"] != "green" and phase in ("betting", "playing"):
        return {"action": "light", "colour": "red" if chance < 0.1 else "green"}
    if phase == "waiting":
        if view["cards"] is not None and chance < 0.5:
            return minds_cards(who, view, ["dealer"])
        by_hand = view["cards"] is not None and not view["cards"].get("shuffled")
        return {"action": "shuffle-cards" if by_hand and chance < 0.8 else "open-betting"}
    if phase == "betting":
        patrons = [each for each in view["seats"] if each["patron"] and not each["stakes"]]
        if patrons and chance > 0.4:
            # Now and then so much that a royal flush is more than a house pays.
            cents = view["minimum_cents"] * who.random.choice([1, 1, 4])
            book = load(view["rulebook"])
            wagers = book.with_equal({book.ante.name: cents})
            return {"action": "bet", "seat": patrons[0]["seat"], "wagers": wagers}
        return {"action": "close-bets"} if chance < 0.4 else None
    if phase == "settling":
        return {"action": "pay"}
    if phase != "playing":
        return None
    if view["due"]:
        seat = who.random.choice(view["due"])
        if view["dealing"] != "entered":
            return None
        return {"seat": seat, **says(who, load(view["rulebook"]))}
    lies = [card for each in view["seats"] for card in each["cards"]]
    lies += [card for pile in view["piles"].values() for card in pile]
    deck = entered_deck(view["table"], view["round"])
    if view["deals"]:
        count = who.random.choice([1, len(view["deals"])])
        read = [None if chance < 0.1 else card for card in deck[len(lies) :][:count]]
        return {"action": "deal", "cards": read if view["dealing"] == "entered" else []}
    unread = who.random.randrange(len(lies) + 1) if chance < 0.5 else 0
    entered = deck[len(lies) :][:unread] if view["dealing"] == "entered" else []
    return {"action": "turn", "cards": entered}


def says(who: Somebody, book: Rulebook) -> dict[str, Any]:
    """What a patron does by the book, at one of its decisions or at another."""
    street, choice = who.random.choice(book.streets), who.random.choice
    if street.times and who.random.random() < 0.7:
        return {"action": "raise", "times": choice([street.times[0], *street.every])}
    action = choice(street.otherwise)
    return {"action": action, **({"confirmed": True} if action == "fold" else {})}


def entered_deck(table: str, number: int) -> list[str]:
    """The real cards of a round, for whoever enters them; in some everybody has one suit, so that
    much is won."""
    deck, chance = [str(card) for card in DECK], random.Random(f"{table}/{number}")
    if chance.random() < 0.4:
        return [card for card in deck if card[1] == "h"][::-1] + [c for c in deck if c[1] != "h"]
    chance.shuffle(deck)
    return deck


def sees_to_patrons(who: Somebody, view: dict[str, Any]) -> dict[str, Any]:
    """Seat somebody without an account, sell them chips, change them, let them go."""
    choice = who.random.choice
    seats = [each["seat"] for each in view["seats"] if each["patron"]]
    sits = {"action": "seat-patron", "seat": who.random.randrange(1, 7), "cash_cents": 500_00}
    if not seats:
        return sits
    seat, given = choice(seats), {"2500": 4}
    return choice(
        [
            sits,
            {"action": "buy-in", "seat": seat, "cash_cents": 100_00, "given": given},
            {"action": "buy-in", "seat": seat, "chips_cents": choice([100, 25_00])},
            {"action": "colour-up", "seat": seat, "taken": {"500": 5}, "given": {"2500": 1}},
            {"action": "unseat-patron", "seat": seat},
            {"action": "call-floor", "why": choice(["", "a dispute"])},
        ]
    )


def minds_cards(who: Somebody, view: dict[str, Any], roles: list[str]) -> dict[str, Any] | None:
    cards, role = view["cards"], who.random.choice(roles)
    colours = ["red", "blue"] if view["shuffler"] else ["red"]
    chance, decks = who.random.random(), cards.get("decks", [])
    if decks and chance < 0.03:
        spoils: list[dict[str, Any]] = [
            {"action": "replace-card", "card": str(who.random.choice(DECK)), "role": role}
            | {"why": "torn", "colour": who.random.choice(["", "red", "blue"])},
            {"action": "inspect-cards", "role": role, "colour": "red", "found": "flawed"},
            {"action": "retire-cards", "why": "sticky", "colour": "red"},
            {"action": "change-shuffler", "shuffler": not view["shuffler"], "why": "it jams"}
            | ({} if view["shuffler"] else SHUFFLER),
        ]
        return who.random.choice(spoils)
    if not all(deck.get("washed") for deck in decks):
        looks = load(view["rulebook"]).deck.inspection is not None and chance < 0.6
        return {"action": "inspect-cards", "role": role} if looks else {"action": "wash-cards"}
    if decks and chance < 0.98:
        if role == "dealer":
            return {"action": who.random.choice(["shuffle-cards", "open-betting"])}
        return {"action": "drop-tokes"} if who.random.random() < 0.2 else None
    return {"action": "bring-cards", "colours": colours}


def rules(who: Somebody, view: dict[str, Any], roles: list[str]) -> dict[str, Any]:
    """What a supervisor rules now and then."""
    choice, why = who.random.choice, "it is late"
    seats = [each["seat"] for each in view["seats"]] or [1]
    role, seat = choice(roles), choice(seats)
    person = next((each["person"] for each in view["seats"] if each["seat"] == seat), "ann")
    book = load(view["rulebook"])
    dead, misdeal = ([each.cause for each in several] for several in (book.dead, book.misdeal))
    return choice(
        [
            *(
                {"action": "kill-hand", "seat": seat, "cause": each, "role": role}
                for each in dead * 2
            ),
            {"action": "call-misdeal", "cause": choice(misdeal), "role": role},
            {"action": "let-stand", "cause": choice(misdeal), "role": role},
            {"action": "change-limits", "minimum_cents": 500, "maximum_cents": 10_000}
            | {"why": why},
            {"action": "mark-partners", "partners": [seats[:2]], "why": why},
            {"action": "seat-bot", "seat": who.random.randrange(1, 7)},
            {"action": "free-seat", "seat": seat, "person": person, "why": why},
            *([{"action": "close-table", "why": why}] if who.random.random() < 0.4 else []),
            {"action": "answer-floor"},
            {"action": "void-buy-in", "seat": seat, "why": why},
            {"action": "unseat-patron", "seat": seat},
            {"action": "drop-tokes"},
        ]
    )


async def open_table(who: Somebody) -> None:
    status, lobby = await who.ask("GET", "/api/tables")
    if status != 200:
        return
    listed = [each["table"] for each in lobby]
    who.night.tables[:] = dict.fromkeys((*listed, *who.night.private))
    if len(who.night.tables) >= TABLES:
        return
    practice = not who.roles & FLOOR or who.random.random() < 0.1
    dealing = who.random.choices(["automatic", "dealer", "entered"], [4, 2, 4 if practice else 12])[
        0
    ]
    command: dict[str, Any] = {
        "action": "open-table",
        "rulebook": who.random.choice(BOOKS if practice else (*BOOKS, LARGE_WINS, LARGE_WINS)),
        "practice": practice,
        "maximum_cents": 100_00,
        "dealing": dealing,
        "shuffler": dealing == "entered" and who.random.random() < 0.3,
        "betting_seconds": who.random.choice([1, 2]),
        "decision_seconds": who.random.choice([1, 2, 3]),
    }
    if command["shuffler"]:
        command |= SHUFFLER
    if who.night.shut and who.random.random() < 0.3:
        command["table"] = who.random.choice(sorted(who.night.shut))
    table = await opens(who, command)
    if table and practice:
        who.opened.add(table)
        status, made = await who.ask("POST", f"/api/tables/{table}/invitations")
        if status == 200:
            who.night.invitations[table] = made["invitation"]


async def opens(who: Somebody, command: dict[str, Any]) -> str:
    """Open a table; its name, or nothing where nobody says that it is open."""
    asked = who.asked("/api/tables", "", {"command": command})
    table: str = command.get("table") or short_name(f"{who.person}/{asked.place[2]}")
    asked = asked._replace(place=(f"table:{table}", *asked.place[1:]))
    who.sent[-1] = asked
    if await who.send(asked) or asked.place not in who.night.record.done:
        return ""
    who.night.opened(table)
    return table
