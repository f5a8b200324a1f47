"""Every page and form as data, with what answers it."""

import msgspec
from starlette.routing import Route

from pitboss.web.pages.lobby import LobbyPages
from pitboss.web.pages.replay import ReplayPages
from pitboss.web.pages.site import SIGN_IN, FilePages, Site
from pitboss.web.pages.staff import StaffPages
from pitboss.web.pages.table import TablePages


class Page(msgspec.Struct, frozen=True):
    """One page, or one form."""

    method: str
    path: str
    room: str
    handler: str
    says: str


PAGES = (
    Page("GET", "/", "lobby", "look", "The games with their prices, and the open tables"),
    Page("POST", "/practice", "lobby", "practice", "Open a practice table and sit down there"),
    Page("GET", "/tables/{table}", "table", "look", "A table as you see it"),
    Page("POST", "/tables/{table}", "table", "do", "Bet, decide, sit down, get up"),
    Page("GET", "/tables/{table}/changes", "table", "changes", "Rings when something happens"),
    Page("POST", "/coach", "table", "coach", "Turn the coach on or off in this browser"),
    Page("GET", "/rounds", "replay", "mine", "Your own rounds"),
    Page("GET", "/rounds/{round}", "replay", "look", "A finished round, step by step"),
    Page("GET", "/rounds/{round}/{key}", "replay", "shared", "The same, as the sharer saw it"),
    Page("GET", "/rules/{book:path}", "replay", "rules", "The rule card of a game"),
    Page("GET", SIGN_IN, "staff", "door", "The form for people with a name"),
    Page("POST", SIGN_IN, "staff", "sign_in", "Sign in; with a one-time secret, set a password"),
    Page("POST", "/sign-out", "staff", "sign_out", "End the session"),
    Page("GET", "/floor", "staff", "floor", "Payoffs that wait, rounds that can be called off"),
    Page("POST", "/floor/{table}", "staff", "act", "Approve a payoff, call a misdeal, free a seat"),
    Page("GET", "/static/{mark}/{name}", "files", "send", "Style, script, cards and chips"),
)


def page_routes(site: Site) -> list[Route]:
    """Return the pages of a house."""
    tables = TablePages(site)
    rooms = {
        "lobby": LobbyPages(site),
        "table": tables,
        "replay": ReplayPages(site, tables),
        "staff": StaffPages(site),
        "files": FilePages(),
    }
    return [
        site.route(each.method, each.path, getattr(rooms[each.room], each.handler))
        for each in PAGES
    ]
