"""Pictures of the pages for the docs: ``python -m tests.browser.gallery docs/gallery``.

Every deck is stacked and everybody has a name, so that the pictures are the same each time, but
for what is random by nature: the salts of a sealed deck, and so its hash.
"""

import base64
import struct
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bench.pages import FLAGS
from tests.browser import chromium
from tests.browser.scenes import DIAMOND_JO, HOLLYWOOD, MISSISSIPPI, SENECA, ULTIMATE, Play, Scene
from tests.browser.visitors import Site, Visitor, Visitors, open_site

if TYPE_CHECKING:
    from playwright.sync_api import Page

DESK, HAND = (1440, 900), (360, 740)
MOST_COLOURS = 256

# The pictures -------------------------------------------------------------------------------------


class Gallery:
    """Takes the pictures, one person for each."""

    def __init__(self, site: Site, people: Visitors) -> None:
        self.site, self.people = site, people
        self._names = iter(("ann", "bea", "cai", "dee", "eli", "fay", "gil", "hal"))

    def somebody(self, size: tuple[int, int], *, dark: bool = False) -> tuple[Visitor, str]:
        """Return somebody with a browser and a name."""
        name = next(self._names)
        self.site.person(name, "player", cents=5_000_00)
        visitor = self.people(size[0], dark=dark)
        visitor.page.set_viewport_size({"width": size[0], "height": size[1]})
        return visitor, name

    def scene(self, play: Play, size: tuple[int, int] = DESK, *, dark: bool = False) -> Scene:
        """Return a full table with somebody at it."""
        visitor, name = self.somebody(size, dark=dark)
        return Scene(self.site, visitor, play, name=name)

    def lobby(self) -> "Page":
        """The games, and a few tables."""
        visitor, name = self.somebody(DESK)
        visitor.sign_in(name)
        visitor.page.goto("/")
        return visitor.page

    def coach(self) -> "Page":
        """A hand half way, with the exact worth of each choice."""
        scene = self.scene(DIAMOND_JO)
        scene.coach()
        scene.bet()
        scene.raise_(3)
        return scene.look()

    def receipt(self) -> "Page":
        """A round that was paid, and why."""
        scene = self.scene(HOLLYWOOD)
        scene.bet()
        scene.to_the_end()
        page = scene.look()
        page.locator("details.receipt").evaluate("each => { each.open = true }")
        return page

    def win(self) -> "Page":
        """A royal flush that met the table's ceiling."""
        royal = DIAMOND_JO._replace(mine="As Ks", piles={"board": "Qs Js Ts"})
        scene = self.scene(royal)
        scene.bet()
        scene.to_the_end()
        return scene.look()

    def jackpot(self) -> "Page":
        """Caribbean Stud by night."""
        scene = self.scene(SENECA, dark=True)
        scene.bet()
        scene.to_the_end()
        return scene.look()

    def board(self) -> "Page":
        """A straight on the board that both share, against a dealer who has less."""
        scene = self.scene(ULTIMATE)
        scene.bet()
        scene.to_the_end()
        return scene.look()

    def telephone(self) -> "Page":
        """A decision on a telephone by night."""
        scene = self.scene(MISSISSIPPI, HAND, dark=True)
        scene.coach()
        scene.bet()
        scene.last_decision()
        return scene.look()

    def replay(self) -> "Page":
        """A finished round, step by step."""
        scene = self.scene(DIAMOND_JO)
        scene.bet()
        scene.to_the_end()
        scene.page.goto(f"/rounds/{scene.table}-1")
        return scene.page

    def rules(self) -> "Page":
        """The rule card."""
        page = self.people(DESK[0]).page
        page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
        page.goto(f"/rules/{DIAMOND_JO.book}")
        return page

    def lab(self) -> "Page":
        """The lab with two values turned."""
        page = self.people(DESK[0]).page
        page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
        changes = "table.main.rows.full-house.odds=9+to+1&table.main.rows.flush.odds=7+to+1"
        page.goto(f"/lab/{MISSISSIPPI.book}?{changes}")
        return page


# Small files --------------------------------------------------------------------------------------

PIXELS = """
async (url) => {
    const picture = await createImageBitmap(await (await fetch(url)).blob());
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext('2d');
    context.drawImage(picture, 0, 0);
    const { data } = context.getImageData(0, 0, picture.width, picture.height);
    let text = '';
    for (let at = 0; at < data.length; at += 32768)
        text += String.fromCharCode(...data.subarray(at, at + 32768));
    return [picture.width, picture.height, btoa(text)];
}
"""


def smaller(png: bytes, page: "Page") -> bytes:
    """Write a picture again with few colours: felt has a thousand greens that nobody can tell."""
    url = f"data:image/png;base64,{base64.b64encode(png).decode()}"
    width, height, data = page.evaluate(PIXELS, url)
    pixels = np.frombuffer(base64.b64decode(data), np.uint8).reshape(-1, 4)[:, :3]
    known, which, often = np.unique(pixels, axis=0, return_inverse=True, return_counts=True)
    palette, nearest = reduced(known, often)
    rows = nearest[which.ravel()].astype(np.uint8).reshape(height, width)
    lines = np.hstack([np.zeros((height, 1), np.uint8), rows]).tobytes()
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = [(b"IHDR", head), (b"PLTE", palette.tobytes()), (b"IDAT", zlib.compress(lines, 9))]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*each) for each in [*parts, (b"IEND", b"")])


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def reduced(
    colours: NDArray[np.uint8], often: NDArray[np.intp]
) -> tuple[NDArray[np.uint8], NDArray[np.intp]]:
    """Return a palette, and which of its colours each colour becomes: by median cut."""
    boxes = [np.arange(len(colours))]
    while len(boxes) < min(MOST_COLOURS, len(colours)):
        sizes = [np.ptp(colours[box], axis=0).max() * often[box].sum() ** 0.4 for box in boxes]
        box = boxes.pop(int(np.argmax(sizes)))
        along = np.argmax(np.ptp(colours[box], axis=0))
        box = box[np.argsort(colours[box, along], kind="stable")]
        half = int(np.searchsorted(often[box].cumsum(), often[box].sum() / 2))
        half = min(max(half, 1), len(box) - 1)
        boxes += [box[:half], box[half:]]
    palette = [np.average(colours[box], axis=0, weights=often[box]).round() for box in boxes]
    which = np.zeros(len(colours), np.intp)
    for number, box in enumerate(boxes):
        which[box] = number
    return np.array(palette, np.uint8), which


# All together -------------------------------------------------------------------------------------


@contextmanager
def gallery() -> Iterator[tuple[Gallery, "Page"]]:
    """A house that is open for pictures, and a page to work on them."""
    from playwright.sync_api import sync_playwright

    where = chromium.find()
    if where is None:
        sys.exit(chromium.MISSING)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=where, args=FLAGS)
        with open_site(Path(folder)) as site:
            people = Visitors(browser, site)
            yield Gallery(site, people), browser.new_page()
            people.leave()
        browser.close()


def main(folder: Path) -> None:
    """Take every picture."""
    folder.mkdir(parents=True, exist_ok=True)
    with gallery() as (found, desk):
        pictures: dict[str, Callable[[], Page]] = {
            "coach": found.coach,
            "receipt": found.receipt,
            "win": found.win,
            "jackpot": found.jackpot,
            "board": found.board,
            "telephone": found.telephone,
            "replay": found.replay,
            "rules": found.rules,
            "lab": found.lab,
            "lobby": found.lobby,
        }
        for name, take in pictures.items():
            page = take()
            page.mouse.move(0, 0)
            png = smaller(page.screenshot(), desk)
            (folder / f"{name}.png").write_bytes(png)
            print(f"{folder / name}.png: {len(png) // 1000} kB")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
