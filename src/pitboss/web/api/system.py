"""What operators ask: whether the house is ready, its figures, its settings."""

from typing import Annotated

import msgspec
from starlette.responses import Response

from pitboss.house.people import persons
from pitboss.house.sessions import same_command
from pitboss.house.settings import SETTINGS, checked
from pitboss.house.table import commands as c
from pitboss.web.api.types import Key, RequestBody, says_why
from pitboss.web.guards import guarded
from pitboss.web.pipeline import Call
from pitboss.web.services import Services
from pitboss.web.timeouts import TimeoutProtocol

PLAIN = "text/plain"


class Health(msgspec.Struct, frozen=True):
    """Ready."""

    ready: bool
    position: int
    clock_differs_ms: int
    """How far the database's clock is ahead of this server's, where that is more than a second: no
    table's clock runs out here while it is."""


class ChangeSetting(RequestBody, frozen=True):
    """Another value for a setting."""

    key: Key
    name: Annotated[str, msgspec.Meta(max_length=40)]
    value: Annotated[str, msgspec.Meta(max_length=100)]
    why: c.Words


async def health(web: Services, _call: Call[None]) -> Health:
    """Whether the house is ready: it reads, and it writes."""
    await web.house.ready()
    return Health(True, web.house.position, web.house.clock.difference_ms)


async def metrics(web: Services, _call: Call[None]) -> Response:
    """Figures for Prometheus."""
    figures = {
        "pitboss_journal_position": web.house.position,
        "pitboss_tables_open": len(web.house.tables),
        "pitboss_listeners": web.hub.count,
        "pitboss_write_queue": web.house.store.waiting,
    }
    lines = [
        line
        for name, value in figures.items()
        for line in (f"# TYPE {name} gauge", f"{name} {value}")
    ]
    lines.append("# TYPE pitboss_unreadable_total counter")
    lines.append(f"pitboss_unreadable_total {TimeoutProtocol.unreadable}")
    lines.append("# TYPE pitboss_requests_total counter")
    for (name, status), count in sorted(web.counts.items()):
        lines.append(f'pitboss_requests_total{{name="{name}",status="{status}"}} {count}')
    text = "\n".join([*lines, ""])
    return guarded(Response(text, media_type=f"{PLAIN}; version=0.0.4"))


async def settings(web: Services, _call: Call[None]) -> dict[str, str]:
    """The settings of the house."""
    return {name: web.house.settings[name] for name in SETTINGS}


async def setting(web: Services, call: Call[ChangeSetting]) -> dict[str, str]:
    """Change one."""
    body = call.body
    says_why(body, "$.why")
    value = checked(body.name, body.value)
    done = await web.house.change_setting(
        call.person.id, body.name, value, body.why, body.key, call.session
    )
    same_command(done, persons.SettingChanged(body.name, value, body.why))
    return {name: web.house.settings[name] for name in SETTINGS}
