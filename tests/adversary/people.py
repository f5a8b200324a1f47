"""Random people of all roles: what they ask for, rightly, wrongly, in bad faith, and again."""

import asyncio
from collections.abc import Awaitable, Callable

from tests.adversary.at_a_table import play
from tests.adversary.bad_faith import mischief, repeat, try_anything, twice
from tests.adversary.cast import BUSY
from tests.adversary.duties import duty
from tests.adversary.large_win import large_win
from tests.adversary.listening import glance, listen
from tests.adversary.somebody import Somebody
from tests.adversary.waiting import see_to_waiting


async def live(who: Somebody) -> None:
    """Do one thing after the other, as long as the night lasts."""
    while not who.night.over:
        await who.night.gate.wait()
        if not who.token and not await who.enter():
            await asyncio.sleep(0.2)
            continue
        busy = bool(who.roles & BUSY) and who.random.random() < 0.3
        (act,) = [duty] if busy else who.random.choices(_DOES, _WEIGHTS)
        await act(who)
        await asyncio.sleep(0)
    for line in who.lines.values():
        line.close()


async def go(who: Somebody) -> None:
    """Sign out, or change one's password."""
    if who.guest or who.random.random() < 0.5:
        status, _ = await who.ask("DELETE", "/api/sessions")
        if status == 204:
            who.token = ""
    else:
        await who.new_password(who.passwords[-1])


async def keep(who: Somebody) -> None:
    """As a guest, keep what one has under a name, now and then one that nobody may keep."""
    if who.guest:
        await who.keep_name(who.random.choice((who.key(), "g.taken", "cashier-2", "admin")))


_HOW_OFTEN: dict[Callable[[Somebody], Awaitable[None]], float] = {
    play: 70,
    see_to_waiting: 12,
    try_anything: 7,
    repeat: 7,
    twice: 5,
    mischief: 4,
    glance: 5,
    duty: 5,
    large_win: 0.1,
    listen: 0.3,
    go: 0.3,
    keep: 0.3,
}
_DOES, _WEIGHTS = [*_HOW_OFTEN], [*_HOW_OFTEN.values()]
