"""Every page and form with its handler."""

from typing import Literal

from pitboss.web.pages import floor, lobby, replay, rule_page, sign_in, static_files, table
from pitboss.web.pipeline import Handler, Route
from pitboss.web.rate_limit import Limit


def _page(
    method: Literal["GET", "POST"],
    path: str,
    handler: Handler,
    says: str,
    limit: Limit = "command",
) -> Route:
    return Route(method, path, handler, says, session="optional", limit=limit)


PAGES = (
    _page("GET", "/", lobby.look, "The games with their prices, and the open tables"),
    _page("POST", "/practice", lobby.practice, "Open a practice table and sit down there"),
    _page("GET", "/tables/{table}", table.look, "A table as you see it"),
    _page("POST", "/tables/{table}", table.do, "Bet, decide, sit down, get up"),
    _page("GET", "/tables/{table}/changes", table.changes, "Rings when something happens"),
    _page("POST", "/coach", table.switch_coach, "Turn the coach on or off in this browser"),
    _page("GET", "/rounds", replay.mine, "Your own rounds"),
    _page("GET", "/rounds/{round}", replay.look, "A finished round, step by step"),
    _page("GET", "/rounds/{round}/{key}", replay.shared, "The same, as the sharer saw it"),
    _page("GET", "/rules/{book:path}", rule_page.look, "The rule card of a game"),
    _page("GET", "/sign-in", sign_in.look, "The form for people with a name"),
    _page(
        "POST",
        "/sign-in",
        sign_in.sign_in,
        "Sign in; with a one-time secret, set a password",
        limit="password",
    ),
    _page("POST", "/sign-out", sign_in.sign_out, "End the session"),
    _page("GET", "/floor", floor.look, "Payoffs that wait, rounds that can be called off"),
    _page("POST", "/floor/{table}", floor.act, "Approve a payoff, call a misdeal, free a seat"),
    _page("GET", "/static/{mark}/{name}", static_files.send, "Style, script, cards and chips"),
)
