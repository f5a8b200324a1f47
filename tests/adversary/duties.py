"""What roles are for: records of people, their chips, the house's settings."""

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import quote

import msgspec

from tests.adversary.at_a_table import open_table
from tests.adversary.cast import PAYEE, PIT
from tests.adversary.records import Asked
from tests.adversary.somebody import Somebody

SETTINGS = {
    "gaming-day-starts": ("06:00", "00:30", "23:59", "6"),
    "timezone": ("UTC", "America/Chicago", "Europe/Berlin", "Mars/Olympus"),
    "guests": ("yes", "yes", "yes", "no", "perhaps"),
    "guest-play-chips": ("1,000.00", "500.00", "20.00", "-1"),
    "practice-idle-minutes": ("10", "1", "0"),
    "session-minutes": ("720", "1", "99999", "never"),
    "colour": ("blue",),
}


async def duty(who: Somebody) -> None:
    """What one's roles are for; now and then, what others' are."""
    roles = who.roles if who.random.random() < 0.9 else {*PIT, "cage", "administrator"}
    duties = [each for role in sorted(roles) for each in DUTIES.get(role, ())]
    if duties:
        await who.random.choice(duties)(who)


async def act(who: Somebody, person: str, command: dict[str, Any]) -> str:
    path = f"/api/people/{quote(person)}"
    return await who.send(who.asked(path, f"person:{person}", {"command": command}))


async def set_roles(who: Somebody) -> None:
    other = who.night.somebody(who.random)
    mostly = who.random.random() < 0.8
    roles = other.own_roles if mostly else (who.random.choice([*PIT, "cage", "player"]),)
    if other.name == "admin" and not mostly:
        return  # a house without an administrator is opened anew: that is another test's
    before = len(who.night.record.done)
    command = {"action": "set-roles", "roles": roles, "why": "as it is"}
    await act(who, other.person, command)
    if len(who.night.record.done) > before:
        other.roles = set(roles)
        who.night.seen_as(other.person, other.roles)


async def set_password(who: Somebody) -> None:
    other = who.night.to_help() or who.night.somebody(who.random)
    if other is who or other.name == "admin":
        return
    once = f"for-once-only-{who.key()}"
    command = {"action": "set-password", "password": once, "why": "forgotten"}
    asked = who.asked(f"/api/people/{other.name}", f"person:{other.name}", {"command": command})
    who.sent.pop()  # the same key with the password of then would be another's business
    code = await who.send(asked)
    if not code:
        other.passwords, other.token = [other.passwords[-1], once], ""


async def end_sessions(who: Somebody) -> None:
    other = who.night.somebody(who.random)
    if other is who:
        return
    if not await act(who, other.person, {"action": "end-sessions", "why": "a lost telephone"}):
        other.token = ""


async def set_setting(who: Somebody) -> None:
    name = who.random.choice(list(SETTINGS))
    value = who.random.choice(SETTINGS[name])
    body = {"name": name, "value": value, "why": "to see"}
    await who.send(who.asked("/api/settings", "house", body))


async def bar(who: Somebody) -> None:
    other = who.night.somebody(who.random, guests=True)
    barred = who.random.random() < 0.1
    await act(who, other.person, {"action": "bar", "barred": barred, "why": "to see"})


async def identify(who: Somebody) -> None:
    other = who.night.somebody(who.random, guests=True)
    command: dict[str, Any] = {
        "action": "identify",
        "residence": who.random.choice(["us", "us", "foreign"]),
        "identified": who.random.random() < 0.8,
        "tin": who.random.random() < 0.7,
        "why": "papers",
    }
    if who.random.random() < 0.5:
        command["payee"] = PAYEE
    await act(who, other.person, command)


def about(who: Somebody) -> str:
    """Whose record it is about: somebody's, or what a patron without an account was called."""
    patrons = sorted(who.night.patrons)
    if patrons and who.random.random() < 0.3:
        return str(who.random.choice(patrons))
    return who.night.somebody(who.random).person


async def move_chips(who: Somebody) -> None:
    held = who.random.choice(["release-held", "turn-over-held"])
    action = who.random.choice(["sell-chips", "sell-chips", "cash-chips", held])
    cents = who.random.choice([1, 5_00, 500_00, 5_000_00])
    await act(who, about(who), {"action": action, "cents": cents, "why": "cash"})


async def settle_claims(who: Somebody) -> None:
    """Take back, or give up, a little or all of what somebody was paid too much."""
    status, desk = await who.ask("GET", "/api/papers")
    owed = [each for each in desk["claims"] if each["person"]] if status == 200 else []
    person, cents = about(who), who.random.choice([1, 1, 5_00, 40_00])
    if owed and who.random.random() < 0.8:
        claim = who.random.choice(owed)
        person, cents = claim["person"], who.random.choice([1, claim["cents"], claim["cents"]])
    command: dict[str, Any] = {"action": "write-off-claim", "cents": cents, "why": "our mistake"}
    if "shift-manager" not in who.roles or who.random.random() < 0.5:
        source = who.random.choice(["chips", "held", "cash"])
        command |= {"action": "collect-claim", "source": source}
    await act(who, person, command)


async def see_to_held(who: Somebody) -> None:
    """Look at what is kept, identify whose it is, and pay it out or turn it over."""
    status, desk = await who.ask("GET", "/api/papers")
    if status != 200 or not desk["held"]:
        return
    kept = who.random.choice(desk["held"])
    person, held = kept["held"]["person"], kept["held"]
    if kept["waits_for"] == "papers" and who.random.random() < 0.8:
        shown = {"residence": "us", "identified": True, "tin": False, "payee": PAYEE}
        await act(who, person, {"action": "identify", "why": "papers", **shown})
    if "shift-manager" not in who.roles:
        return
    action = who.random.choice(["release-held", "release-held", "turn-over-held"])
    named = {"cents": held["cents"], "of": [held["id"]]}
    await act(who, person, {"action": action, "why": "as it is due", **named})


async def add_person(who: Somebody) -> None:
    name = f"new-{who.random.randrange(40)}"
    key = who.key()
    body = {"key": key, "name": name, "roles": ["player"], "why": "new"}
    sent = msgspec.json.encode({**body, "password": "for-once-only"})
    asked = Asked("/api/people", (f"person:{name}", who.person, key), body, sent)
    who.sent = [*who.sent[-40:], asked]
    await who.send(asked)


DUTIES: dict[str, tuple[Callable[[Somebody], Awaitable[None]], ...]] = {
    "administrator": (
        *(set_roles, set_roles, set_password),
        *(set_setting, add_person, end_sessions),
    ),
    "general-manager": (set_setting, open_table),
    "director-of-table-games": (open_table, bar),
    "shift-manager": (identify, move_chips, open_table, see_to_held, settle_claims),
    "floor-supervisor": (open_table, bar),
    "surveillance": (bar,),
    "cage": (move_chips, move_chips, identify, see_to_held, settle_claims),
}
