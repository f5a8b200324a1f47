"""What waits for whoever works in the pit: they look at their list and do what it says."""

from typing import Any

from tests.adversary.cast import PAYEE, PIT
from tests.adversary.somebody import WAITING, Somebody


async def see_to_waiting(who: Somebody) -> None:
    """Do one of the things that wait for somebody of the pit, as their list has it."""
    if not who.roles & {*PIT}:
        return
    status, tasks = await who.ask("GET", WAITING)
    if status != 200:
        return
    ends = [(task["table"], each) for task in tasks if (each := _ends(who, task))]
    if ends:
        table, command = who.random.choice(ends)
        await who.command(table, command)


def _ends(who: Somebody, task: dict[str, Any]) -> dict[str, Any] | None:
    """Return what ends a task, where it is done at its table."""
    if task["ways"]:
        command: dict[str, Any] = who.random.choice(task["ways"])["command"]
        return command
    return papers(who, task["seat"]) if task["kind"] == "form" else None


def papers(who: Somebody, seat: int) -> dict[str, Any]:
    """Say what the papers of a seat that wins much say, or that there are none."""
    if who.random.random() < 0.3:
        return {"action": "hold-payoff", "seat": seat, "why": "none"}
    return {"action": "complete-form", "seat": seat, "payee": PAYEE}
