"""Every page and form with its handler, whose first line says what it is."""

from functools import partial

from pitboss.web.pages import (
    compare,
    dealer,
    desk,
    floor,
    invitation,
    lobby,
    maths_page,
    replay,
    rule_page,
    sign_in,
    static_files,
    table,
    your_rounds,
)
from pitboss.web.pipeline import Route

_page = partial(Route, session="optional")

PAGES = (
    _page("GET", "/", lobby.look),
    _page("POST", "/practice", lobby.practice, queues=True),
    _page("GET", "/tables/{table}", table.look),
    _page("POST", "/tables/{table}", table.do),
    _page("GET", "/tables/{table}/changes", table.changes),
    _page("GET", "/tables/{table}/deal", dealer.look),
    _page("POST", "/tables/{table}/deal", dealer.act),
    _page("POST", "/tables/{table}/invitation", invitation.invite),
    _page("GET", "/invited", invitation.look),
    _page("POST", "/invited", invitation.enter),
    _page("POST", "/coach", table.switch_coach),
    _page("GET", "/rounds", your_rounds.look),
    _page("GET", "/rounds.csv", your_rounds.export),
    _page("GET", "/rounds/{round}", replay.look),
    _page("GET", "/rounds/{round}/{key}", replay.shared),
    _page("GET", "/rounds/{round}/{key}/felt.svg", replay.picture),
    _page("GET", "/rules/{book:path}", rule_page.look),
    _page("GET", "/card/{book:path}", rule_page.player_card),
    _page("GET", "/maths/{book:path}", maths_page.look),
    _page("GET", "/compare", compare.look),
    _page("GET", "/desk", desk.look),
    _page("GET", "/prorate", desk.prorate),
    _page("GET", "/sign-in", sign_in.look),
    _page("POST", "/sign-in", sign_in.sign_in, limit="password"),
    _page("GET", "/sign-out", sign_in.ask),
    _page("POST", "/sign-out", sign_in.sign_out),
    _page("GET", "/keep", sign_in.offer),
    _page("POST", "/keep", sign_in.keep, limit="password"),
    _page("GET", "/floor", floor.look),
    _page("GET", "/floor/{table}/misdeal", floor.misdeal),
    _page("POST", "/floor/{table}", floor.act),
    _page("GET", "/static/{mark}/{name}", static_files.send),
)
