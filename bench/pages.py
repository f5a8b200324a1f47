"""``./pit bench pages``: how heavy the table page is, and how quick, in a real browser."""

import contextlib
import gzip
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from http.client import HTTPConnection
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from bench.house import BOOK, percentile, serving
from pitboss.cli.common import json_option, write_json
from pitboss.web.server import listening, run_loop

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",  # letters as wide as they are drawn, as a window has them
]
ASKED = 100
"""How often the page is asked for without a browser."""

PRESSED = '.decide button[value="raise:1"], .bet .go'
"""What is clicked: the smallest raise, or else the bet as it stands."""

CLOCK = """() => {
  Object.assign(window, { begun: null, last: performance.now(), took: [] });
  document.addEventListener("click", (event) => { begun = event.timeStamp; }, true);
  new MutationObserver(() => {
    const from = begun;
    [begun, last] = [null, performance.now()];
    if (from !== null) requestAnimationFrame(() => took.push(performance.now() - from));
  }).observe(document.querySelector("#main"), { attributeFilter: ["data-seq"] });
}"""
"""Clocks every click until the next frame after the table has changed."""

STILL = f"""() => new Promise((done, fail) => {{
  const since = performance.now();
  const look = () => {{
    const now = performance.now();
    if (begun === null && now - last > 350 && document.querySelector('{PRESSED}')) done();
    else if (now - since > 20000) fail(new Error("the table does not go on"));
    else setTimeout(look, 50);
  }};
  look();
}})"""
"""Waits until so long after a change that the page takes a click for a decision."""

PAINT = """() => new Promise((done) => {
  const paint = () => performance.getEntriesByType("paint").map((e) => [e.name, e.startTime]);
  const look = () => paint().length < 2 ? setTimeout(look, 20) : done(Object.fromEntries(paint()));
  look();
})"""

PART = "fetch(location.href, { headers: { 'X-Part': '1' } }).then((answer) => answer.text())"
ICON = "fetch(document.querySelector('[rel=icon]').href, { cache: 'reload' }).then((a) => a.text())"
"""What is asked for in the tab's stead, which has no place for it."""

BARE = """<!doctype html><title>bare</title><form class="bet"><button class="go">Go</button></form>
<main id="main" data-seq="0"></main><script>
const main = document.querySelector("#main");
document.forms[0].addEventListener("submit", async (event) => {
  event.preventDefault();
  main.innerHTML = await (await fetch("/", { method: "POST" })).text();
  main.dataset.seq++;
});
</script>"""


LAB = ("common/mississippi-stud", "seneca-niagara/caribbean-stud")
"""A game by a pay table, and one against a dealer with five cards: the two quick families."""

SLOW_LAB = {
    "common/crazy-4-poker": "qualifier.hand",
    "common/high-card-flush": "qualifier.hand",
    "common/ultimate-texas-holdem": "qualifier.hand",
    "common/texas-holdem-bonus": "script.2.times",
}
"""Games that take longer, and what is dragged there: a bound is shown, or the exact price."""

DRAGGED = "[data-path$='rows.flush.odds'] [type=range]"

DRAG = """async ([selector, steps]) => {
  const range = document.querySelector(selector);
  const once = { once: true };
  const priced = () => new Promise((done) => document.addEventListener("priced", done, once));
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const took = [];
  for (let step = 0; step < steps; step++) {
    const begun = performance.now();
    const shown = priced();
    range.value = step % (Number(range.max) + 1);
    range.dispatchEvent(new Event("input", { bubbles: true }));
    await shown;
    await frame();
    took.push(performance.now() - begun);
  }
  return took;
}"""
"""Drags a value over its steps: from each move until the frame with the new numbers."""


@click.command("pages")
@click.option("--rounds", type=click.IntRange(1, 1000), default=20, show_default=True)
@click.option("--loads", type=click.IntRange(1, 100), default=5, show_default=True)
@click.option("--slow", is_flag=True, help="Drag rules of games that take longer, too.")
@json_option
def command(rounds: int, loads: int, slow: bool, as_json: bool) -> None:
    """Measure the table page in a browser; beside it a bare page that shows as many bytes."""
    where = _chromium()
    with tempfile.TemporaryDirectory(prefix="pitboss-bench") as folder:
        part = Path(folder) / "part.html"
        # No loop of ours can run beside the browser's, so the servers start before it does.
        with (
            serving("pitboss", str(Path(folder) / "house.db")) as house,
            serving("bench.pages", str(part)) as bare,
            _browser(where) as browser,
        ):
            found = _measured(browser, house, bare, part, rounds, loads)
            for book, path in SLOW_LAB.items() if slow else ():
                found[f"lab_drag {book}"] = _drag_slow(browser, house, book, path)
    if as_json:
        write_json(found)
        return
    for what, figures in found.items():
        click.echo(what + ": " + ", ".join(f"{k} {v:,}" for k, v in figures.items()))


def _chromium() -> str:
    """Return where the browser is, or say what to install."""
    if find_spec("playwright") is None:
        raise click.ClickException("no playwright; ./pit bench installs it")
    named = os.environ.get("PITBOSS_CHROMIUM")
    found = next(filter(None, map(shutil.which, (named,) if named else CHROMIUM)), None)
    if found is None:
        raise click.ClickException("no chromium; install Debian's package chromium-headless-shell")
    return found


@contextlib.contextmanager
def _browser(where: str) -> Iterator["Browser"]:
    from playwright.sync_api import Error, sync_playwright

    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=where, args=FLAGS)
            yield browser
            browser.close()
        except Error as error:
            raise click.ClickException(f"in the browser: {error.message[:300]}") from None


def _measured(
    browser: "Browser", house: str, bare: str, part: Path, rounds: int, loads: int
) -> dict[str, dict[str, Any]]:
    """Play with bots, then alone; load that page anew; do what the bare page can do."""
    # Without motion: the whole table is there at once, and not step by step.
    with browser.new_context(base_url=house, reduced_motion="reduce") as person:
        beside_bots = _play(_sit_down(person, 2), rounds)
        table = _sit_down(person, 0)
        alone = _play(table, rounds)
        # As many bytes, but what the table's page takes from other files is not asked for.
        part.write_text(table.evaluate(PART).replace("<use ", "<g   "), "utf-8")
        visits = [_visit(browser, table.url, person) for _ in range(loads)]
        cookies = {"Cookie": "; ".join(f"{c['name']}={c['value']}" for c in person.cookies())}
        page_ms = _server(table.url, cookies)
        part_ms = _server(table.url, {**cookies, "X-Part": "1"})
    limit = _press(browser, bare, alone["clicks"])
    drags = {f"lab_drag {book}": _drag(browser, house, book) for book in LAB}
    weight, paints = visits[0][0], [paint for _, paint in visits]
    return {
        "weight_bytes": {"total": sum(weight.values()), **dict(sorted(weight.items()))},
        "paint_ms": {k: round(statistics.median(p[k] for p in paints), 1) for k in paints[0]},
        "click_alone": alone | {"ratio": round(alone["p50_ms"] / limit["p50_ms"], 2)},
        "click_two_bots": beside_bots,
        "click_limit": limit | {"bytes": part.stat().st_size},
        "server": {"page_ms": page_ms, "part_ms": part_ms},
        **drags,
    }


# In the browser -------------------------------------------------------------------------------


def _sit_down(person: "BrowserContext", bots: int) -> "Page":
    """Open a practice table through the lobby."""
    page = person.new_page()
    page.goto("/")
    form = page.locator("form", has=page.locator(f'input[value="{BOOK}"]'))
    form.locator("select").select_option(str(bots))
    form.locator("button").click()
    page.wait_for_selector("#main[data-table]")
    return page


def _play(page: "Page", rounds: int) -> dict[str, Any]:
    """Play whole rounds; every bet and every decision is a click."""
    page.evaluate(CLOCK)
    more = page.locator("form", has=page.locator('input[value="fill-up"]')).locator("button")
    while True:
        page.evaluate(STILL)
        if page.locator(".decide").count() == 0:
            if rounds == 0:
                return _clocked(page)
            if more.count():
                more.click()
                page.evaluate("[begun, last] = [null, performance.now()]")  # it changes no table
                continue
            rounds -= 1
        page.locator(PRESSED).click()


def _press(browser: "Browser", address: str, times: int) -> dict[str, Any]:
    """Press the button of the bare page, as often and at the same pace."""
    with browser.new_context(base_url=address) as person:
        page = person.new_page()
        page.goto("/")
        page.evaluate(CLOCK)
        for _ in range(times):
            page.evaluate(STILL)
            page.locator(PRESSED).first.click()
        page.evaluate(STILL)
        return _clocked(page)


def _drag(browser: "Browser", house: str, book: str) -> dict[str, Any]:
    """Drag a value of the lab; every step is priced anew, since other rules bring it about."""
    took: list[float] = []
    with browser.new_context(base_url=house, reduced_motion="reduce") as person:
        page = person.new_page()
        for times in ("1", "1, 2"):
            page.goto(f"/lab/{book}", timeout=120_000)  # where it is counted for the first time
            steps = int(page.locator(DRAGGED).first.get_attribute("max") or 0)
            path = page.locator("[data-path^='script.']").first
            path.locator("xpath=ancestor::details").evaluate("each => each.open = true")
            path.locator("input:not([type=range])").fill(times)
            page.wait_for_timeout(2000)
            took += page.evaluate(DRAG, [DRAGGED, steps])
    return _dragged(took)


def _drag_slow(browser: "Browser", house: str, book: str, path: str) -> dict[str, Any]:
    """Drag a rule of a game that takes longer, once its posted rules were worked out."""
    with browser.new_context(base_url=house, reduced_motion="reduce") as person:
        page = person.new_page()
        page.goto(f"/lab/{book}", timeout=120_000)
        page.wait_for_selector(".lab-number", timeout=300_000)
        ranged = f"[data-path='{path}'] [type=range]"
        row = page.locator(ranged)
        row.locator("xpath=ancestor::details").evaluate("each => each.open = true")
        return _dragged(page.evaluate(DRAG, [ranged, int(row.get_attribute("max") or 0)]))


def _dragged(took: list[float]) -> dict[str, Any]:
    several = sorted(each / 1000 for each in took)
    return {"steps": len(several), **{f"p{p}_ms": percentile(several, p) for p in (50, 99)}}


def _clocked(page: "Page") -> dict[str, Any]:
    several = sorted(each / 1000 for each in page.evaluate("took"))
    return {"clicks": len(several), **{f"p{p}_ms": percentile(several, p) for p in (50, 99)}}


def _visit(
    browser: "Browser", address: str, person: "BrowserContext"
) -> tuple[dict[str, int], dict[str, float]]:
    """Load a page with an empty cache: the bytes of each file over the wire, and first paints."""
    names: dict[str, str] = {}
    weight: dict[str, int] = {}

    def answered(told: dict[str, Any]) -> None:
        url = told["response"]["url"]
        if told["type"] != "EventSource":
            names[told["requestId"]] = "page" if url == address else url.rpartition("/")[2]

    def finished(told: dict[str, Any]) -> None:
        if told["requestId"] in names:
            weight[names[told["requestId"]]] = int(told["encodedDataLength"])

    with browser.new_context(storage_state=person.storage_state()) as cold:
        page = cold.new_page()
        wire = cold.new_cdp_session(page)
        wire.on("Network.responseReceived", answered)
        wire.on("Network.loadingFinished", finished)
        wire.send("Network.enable")
        page.goto(address)
        paint: dict[str, float] = page.evaluate(PAINT)
        page.evaluate(ICON)
        page.wait_for_timeout(300)
    return weight, paint


# Without a browser ----------------------------------------------------------------------------


def _server(address: str, headers: dict[str, str]) -> float:
    """Ask for a page over and over, without a browser; the median time of an answer."""
    parts, seconds = urlsplit(address), []
    connection = HTTPConnection(parts.netloc)
    for _ in range(ASKED):
        begun = time.perf_counter()
        connection.request("GET", parts.path, headers={"Accept-Encoding": "gzip", **headers})
        answer = connection.getresponse()
        answer.read()
        seconds.append(time.perf_counter() - begun)
        assert answer.status == 200, address
    connection.close()
    return percentile(sorted(seconds), 50)


async def _serve_bare(part: Path) -> None:
    """Serve the bare page, which answers with what stands in a file once it is asked."""
    import uvicorn
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import HTMLResponse, JSONResponse, Response
    from starlette.routing import Route

    @cache
    def packed() -> bytes:
        return gzip.compress(part.read_bytes(), 5)

    async def answer(request: Request) -> Response:
        if request.method == "POST":
            return HTMLResponse(packed(), headers={"Content-Encoding": "gzip"})
        return HTMLResponse(BARE) if request.url.path == "/" else JSONResponse({})

    sock = listening("127.0.0.1", 0)
    app = Starlette(routes=[Route("/{path:path}", answer, methods=["GET", "POST"])])
    print(f"http://127.0.0.1:{sock.getsockname()[1]}", flush=True)
    config = uvicorn.Config(app, log_level="warning", access_log=False)
    await uvicorn.Server(config).serve(sockets=[sock])


if __name__ == "__main__":
    run_loop(_serve_bare(Path(sys.argv[sys.argv.index("--db") + 1])))
