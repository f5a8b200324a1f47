"""Every page and form, with what answers it."""

from typing import TYPE_CHECKING

from starlette.responses import Response
from starlette.routing import Route

from pitboss.web.pages import site as site_
from pitboss.web.pages.lobby import LobbyPages
from pitboss.web.pages.replay import ReplayPages
from pitboss.web.pages.site import Site, Visit
from pitboss.web.pages.staff import StaffPages
from pitboss.web.pages.table import TablePages

if TYPE_CHECKING:
    from pitboss.web.app import Web

YEAR = 365 * 24 * 3600


def page_routes(web: "Web") -> list[Route]:
    """Return the pages of a house."""
    site = Site(web)
    lobby, tables, staff = LobbyPages(site), TablePages(site), StaffPages(site)
    replay = ReplayPages(site, tables)

    async def coach(visit: Visit) -> Response:
        """Turn the coach on or off for this browser, and go back."""
        back = visit.field("back")
        response = site.to(back if back.startswith("/tables/") and ".." not in back else "/")
        on = "on" if visit.field("coach") == "on" else "off"
        response.set_cookie("coach", on, max_age=YEAR, samesite="strict", httponly=True, path="/")
        return response

    pages = (
        ("GET", "/", lobby.look),
        ("POST", "/practice", lobby.practice),
        ("GET", "/tables/{table}", tables.look),
        ("POST", "/tables/{table}", tables.do),
        ("GET", "/tables/{table}/changes", tables.changes),
        ("GET", "/rounds/{round}", replay.look),
        ("GET", "/rounds/{round}/{key}", replay.shared),
        ("GET", "/rules/{book:path}", replay.rules),
        ("GET", "/sign-in", staff.door),
        ("POST", "/sign-in", staff.sign_in),
        ("POST", "/sign-out", staff.sign_out),
        ("GET", "/floor", staff.floor),
        ("POST", "/floor/{table}", staff.act),
        ("POST", "/coach", coach),
        ("GET", "/static/{mark}/{name}", site_.file),
    )
    return [site.route(*each) for each in pages]
