"""The letters that pages bring along: every character is in them, and the pages are set in them."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pitboss
from pitboss import rulebook
from tests.browser.player import see
from tests.browser.scenes import DIAMOND_JO, PLAYS, SENECA, Scene
from tests.browser.visitors import Site, Visitors

if TYPE_CHECKING:
    from playwright.sync_api import Page

SOURCE = Path(pitboss.__file__).parent
STATIC = SOURCE / "web" / "pages" / "static"
MOST_BYTES = 60_000
"""Of all typefaces together."""

ELSEWHERE = {"²": "the lab's chi-square"}
"""Characters in our texts that no page shows, and where they stand."""

INTER, GELASIO = "Inter Variable", "Gelasio"
"""As the files call themselves."""


def faces() -> dict[str, set[str]]:
    """Return which characters the sheet promises, by the file that has them."""
    sheet = (STATIC / "pitboss.css").read_text("utf-8")
    found = {}
    for file, given in re.findall(r"url\(([\w.-]+)\).*?unicode-range: ([^;]+);", sheet):
        spans = re.findall(r"U\+([0-9A-F]+)(?:-([0-9A-F]+))?", given)
        found[file] = {
            chr(code) for a, b in spans for code in range(int(a, 16), int(b or a, 16) + 1)
        }
    return found


# Every character ----------------------------------------------------------------------------------


def texts() -> Iterator[tuple[str, str]]:
    """Return all that pages can be written from: where it stands, and the text itself."""
    pages = SOURCE / "web" / "pages"
    for path in [*pages.rglob("*.html"), *STATIC.glob("*.js"), *STATIC.glob("*.css")]:
        yield str(path), path.read_text("utf-8")
    for path in SOURCE.rglob("*.toml"):
        yield str(path), str(tomllib.loads(path.read_text("utf-8")))
    for path in SOURCE.rglob("*.py"):
        if path.is_relative_to(SOURCE / "cli"):
            continue  # a terminal has letters of its own
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield f"{path}:{node.lineno}", node.value


def test_every_character_that_pages_can_show_is_in_them() -> None:
    known = faces()["inter.woff2"] | set(ELSEWHERE)
    lacking = {
        where: left
        for where, said in texts()
        if (left := {each for each in set(said) - known if each.isprintable()})
    }
    assert not lacking


def test_headings_have_every_character_of_our_houses_and_games() -> None:
    for play in PLAYS:
        book = rulebook.load(play.book)
        assert {*book.game, *book.house} <= faces()["gelasio.woff2"], play.book
    assert faces()["gelasio-italic.woff2"] <= faces()["gelasio.woff2"] < faces()["inter.woff2"]


def test_they_are_light_and_their_licence_lies_beside_them() -> None:
    files = {each.name: each.stat().st_size for each in STATIC.glob("*.woff2")}
    assert files.keys() == faces().keys()
    assert sum(files.values()) < MOST_BYTES
    licence = (STATIC / "OFL.txt").read_text("utf-8")
    for said in ("Inter: Copyright", "Gelasio: Copyright", "SIL OPEN FONT LICENSE Version 1.1"):
        assert said in licence


# In the browser -----------------------------------------------------------------------------------

SHOW = """
([family, style, characters]) => {
    const shown = document.createElement('p');
    shown.id = 'shown';
    Object.assign(shown.style, { fontFamily: family, fontStyle: style });
    shown.textContent = characters;
    document.querySelector('main').replaceChildren(shown);
    return document.fonts.ready.then(() => new Promise(requestAnimationFrame)).then(() => 0);
}
"""


class Typesetter:
    """Tells what a page is set in: of each of its texts, the typefaces."""

    def __init__(self, page: "Page") -> None:
        self.page = page
        page.evaluate("async () => { await document.fonts.ready }")
        self.session = page.context.new_cdp_session(page)
        self.session.send("DOM.enable")
        self.session.send("CSS.enable")
        self.root = self.session.send("DOM.getDocument")["root"]["nodeId"]

    def used(self, selector: str) -> dict[str, int]:
        """Return typefaces and how many characters each sets; a machine's own ones in brackets."""
        found: dict[str, int] = {}
        asked = {"nodeId": self.root, "selector": selector}
        for node in self.session.send("DOM.querySelectorAll", asked)["nodeIds"]:
            for each in self.session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]:
                name = each["familyName"] if each["isCustomFont"] else f"({each['familyName']})"
                found[name] = found.get(name, 0) + int(each["glyphCount"])
        return found


def test_they_have_what_the_sheet_promises(new_person: Visitors) -> None:
    page = new_person().page
    for file, family, style, own_name in (
        ("inter.woff2", "Inter", "normal", INTER),
        ("gelasio.woff2", "Gelasio", "normal", GELASIO),
        ("gelasio-italic.woff2", "Gelasio", "italic", GELASIO),
    ):
        page.goto("/sign-in")
        characters = "".join(sorted(faces()[file] - {" ", "\N{NO-BREAK SPACE}"}))
        page.evaluate(SHOW, [family, style, characters])
        used = Typesetter(page).used("#shown")
        assert used == {own_name: len(characters)}
        page.evaluate(SHOW, [family, style, "\N{SNOWMAN}"])
        assert own_name not in Typesetter(page).used("#shown")


def test_pages_are_set_in_them(site: Site, new_person: Visitors) -> None:
    ann = new_person()
    scene = Scene(site, ann, DIAMOND_JO, bots=2)
    scene.coach()
    scene.bet()
    scene.to_the_end()
    scene.look().locator("details.receipt").evaluate("each => { each.open = true }")
    for path in ("", "/", "/rounds", f"/rounds/{scene.table}-1", f"/rules/{SENECA.book}"):
        if path:
            ann.page.goto(path)
        used = Typesetter(ann.page).used("body *:not(code, option, :has(code))")
        assert used.keys() == {INTER, GELASIO}, (path, used)


def test_without_them_everything_is_still_read(site: Site, new_person: Visitors) -> None:
    ann = new_person()
    ann.forgive("Failed to load resource")
    ann.page.route("**/*.woff2", lambda route: route.abort())
    scene = Scene(site, ann, DIAMOND_JO, bots=2)
    used = Typesetter(scene.look()).used("body *")
    assert used
    assert not {INTER, GELASIO} & used.keys()
    see(ann.page.get_by_role("button", name="Deal $5")).to_be_visible()


def test_they_are_kept_for_ever(site: Site, new_person: Visitors) -> None:
    ann = new_person()
    for _ in range(2):
        ann.page.goto("/sign-in")
        ann.page.evaluate("async () => { await document.fonts.ready }")
    asked = [each for each in ann.wire.answers if each.path.endswith(".woff2")]
    assert sorted(each.path.rpartition("/")[2] for each in asked) == [
        "gelasio.woff2",
        "inter.woff2",
    ]
    for each in asked:
        assert "cache-control: public, max-age=31536000, immutable\n" in each.head
        assert "content-type: font/woff2\n" in each.head
        assert "content-encoding" not in each.head  # packed once is enough
    licence = site.guest()("GET", re.sub("[^/]+$", "OFL.txt", asked[0].path))
    assert licence.status == 404  # it has an address of its own
