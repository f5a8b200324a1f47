"""What watches over the tests in the browser: it must see what it is there for."""

import gzip
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser import chromium
from tests.browser.visitors import PASSWORD, Sent, Site, Visitor, Visitors, accessible

if TYPE_CHECKING:
    from playwright.sync_api import Route

STRICT = "default-src 'none'; script-src 'self'"


def shown(visitor: Visitor, html: str, policy: str = "", path: str = "/of-the-test") -> None:
    """Let somebody see a page that the house does not have."""

    def answer(route: "Route") -> None:
        headers = {"Content-Type": "text/html", "Content-Security-Policy": policy}
        route.fulfill(status=200, headers=headers, body=f"<!doctype html>{html}")

    visitor.context.route(f"{visitor.site.address}{path}", answer)
    visitor.page.goto(path)


# Something goes wrong in the browser --------------------------------------------------------------


def told(visitor: Visitor) -> str:
    """What the guard says of somebody's page, as soon as it has anything to say."""
    for _ in range(500):
        try:
            visitor.check()
        except AssertionError as error:
            return str(error)
        visitor.page.wait_for_timeout(10)
    raise AssertionError("nothing")


def test_what_a_page_complains_of_is_told(new_person: Visitors) -> None:
    ann = new_person()
    for number, (script, said) in enumerate(
        [
            ("console.error('so', 42)", "console error: so 42"),
            ("console.warn('hm')", "console warning: hm"),
            ("throw new Error('broken')", "page error: broken"),
            ("Promise.reject(new Error('unheard'))", "page error: unheard"),
            ("no.such.thing", "page error: no is not defined"),
        ]
    ):
        shown(ann, f"<script>{script}</script>", path=f"/{number}")
        assert told(ann) == said
        ann.check()  # it is told once
    shown(ann, "<script>console.log('inline')</script>", STRICT)
    assert "Content Security Policy" in told(ann)


def test_a_request_to_anywhere_else_is_told(new_person: Visitors) -> None:
    ann = new_person()
    ann.context.route(re.compile("elsewhere|localhost"), lambda route: route.abort())
    ann.forgive("^console")
    for number, (html, url) in enumerate(
        [
            ("<img src='{}' alt=''>", "http://elsewhere.example/pixel.png"),
            ("<link rel=stylesheet href='{}'>", "https://elsewhere.example/style.css"),
            ("<script>fetch('{}').catch(() => 0)</script>", "http://localhost:9/"),
            ("<script>navigator.sendBeacon('{}', 'x')</script>", "http://elsewhere.example/a"),
            ("<script>new EventSource('{}')</script>", "http://elsewhere.example/b"),
            ("<script>new WebSocket('{}')</script>", "ws://elsewhere.example/c"),
            ("<iframe src='{}' title='x'></iframe>", "http://elsewhere.example/d"),
        ]
    ):
        shown(ann, html.format(url), path=f"/{number}")
        assert f"a request left the house: {url}" in told(ann)


def test_a_page_that_the_house_could_not_make_is_told(new_person: Visitors) -> None:
    ann = new_person()
    ann.forgive("^console error")
    ann.context.route("**/broken", lambda route: route.fulfill(status=500, body="oh"))
    shown(ann, "<p>in the house")
    ann.page.evaluate("fetch('/broken').then(() => 0)")
    assert told(ann) == f"500 from {ann.site.address}/broken"


def test_a_refusal_can_be_forgiven_and_nothing_else_with_it(new_person: Visitors) -> None:
    ann = new_person()
    ann.forgive("status of 401")
    shown(ann, "<p>in the house")
    ann.page.evaluate("fetch('/api/me').then(() => 0)")
    ann.check()
    ann.page.evaluate("fetch('/nowhere').then(() => 0)")
    assert "status of 404" in told(ann)


def test_all_who_came_are_looked_at_when_they_leave(new_person: Visitors) -> None:
    ann, bob = new_person(), new_person()
    shown(bob, "<script>console.error('so')</script>")
    assert ann.page.title() == ""
    with pytest.raises(AssertionError, match=r"^visitor 2: console error: so$"):
        new_person.leave()
    new_person.all.clear()


# What somebody is sent ----------------------------------------------------------------------------

ASKING = """
<script>
function worker(name, answer) {
    const path = `${location.origin}/api/rulebooks?by=${name}`;
    const text = `fetch('${path}').then(each => each.text()).then(() => ${answer})`;
    return URL.createObjectURL(new Blob([text]));
}
const heard = port => new Promise(done => port.onmessage = done);
window.asked = {
    page: () => fetch('/api/rulebooks?by=page').then(answer => answer.text()),
    worker: () => heard(new Worker(worker('worker', 'postMessage(1)'))),
    shared: async () => { new SharedWorker(worker('shared', '0')) },
};
</script>
"""


def test_every_byte_is_kept_whoever_asks_for_it(new_person: Visitors) -> None:
    ann, bob = new_person(), new_person()
    shown(ann, ASKING)
    ann.page.evaluate("Promise.all([asked.page(), asked.worker()]).then(() => 0)")
    ann.page.goto("about:blank")
    for who in ("page", "worker"):
        (sent,) = (each for each in ann.wire.answers if each.path == f"/api/rulebooks?by={who}")
        assert sent.status == 200
        assert b"common/mississippi-stud" in sent.body
    assert ann.wire.text().count("common/mississippi-stud") == 2
    assert "content-type: application/json" in ann.wire.text()
    assert bob.wire.text() == ""


def test_what_cannot_be_kept_is_told(new_person: Visitors) -> None:
    ann = new_person()
    shown(ann, ASKING)
    ann.page.evaluate("asked.shared().then(() => 0)")
    assert "nobody we know asked for /api/rulebooks" in told(ann)


def test_what_is_packed_is_read() -> None:
    sent = Sent("GET", "/")
    packed = gzip.compress(b"the ace of spades is As")
    headers = [(b"content-encoding", b"gzip")]
    sent.keep({"type": "http.response.start", "status": 200, "headers": headers})
    sent.keep({"type": "http.response.body", "body": packed[:-9], "more_body": True})
    assert "spades is As" in sent.text()


LISTENING = """
<script>
let heard = 0;
const stream = new EventSource('/api/tables/TABLE/events');
stream.onmessage = () => heard++;
</script>
"""


def test_a_stream_is_kept_while_it_runs(site: Site, new_person: Visitors) -> None:
    site.stack("2c 3c 4c Ah Kd")  # the board lies first
    ann = new_person()
    player = ann.enter()
    table = player.open(betting_seconds=600, decision_seconds=600)
    bob = new_person()
    bob.sign_in(site.person("bob", "player").person)
    bob.come(table)
    for each in (ann, bob):
        shown(each, LISTENING.replace("TABLE", table))
        each.page.wait_for_function("stream.readyState == 1")
    player.do(table, "sit", seat=1)
    player.do(table, "bet", seat=1, wagers={"ante": 10_00})
    for each in (ann, bob):
        each.page.wait_for_function("heard == 2")
    assert '"Ah"' in ann.wire.text()
    assert '"Kd"' in ann.wire.text()
    assert "cards-dealt" in bob.wire.text()
    assert '"Ah"' not in bob.wire.text()


# Who comes ----------------------------------------------------------------------------------------


def test_people_are_who_they_say(site: Site, new_person: Visitors) -> None:
    dan = site.person("dan", "dealer", "player", cents=50_00)
    assert dan("GET", "/api/me").json["chips_cents"] == 50_00
    ann, eve = new_person(), new_person()
    assert ann.sign_in("dan", PASSWORD).person == "dan"
    assert eve.enter().person.startswith("guest-")
    for visitor, name in ((ann, "dan"), (eve, "guest-")):
        visitor.page.goto("/api/me")
        assert name in visitor.page.content()


def test_a_browser_is_as_it_was_asked_for(new_person: Visitors) -> None:
    look = """<style>p { font-size: 1rem } @media (min-width: 50em) { p { color: red } }</style>
        <noscript>no scripts</noscript><p>text"""
    plain, other = new_person(), new_person(900, dark=True, reduced_motion=False, text_size=200)
    for visitor, width, size, wide in ((plain, 1440, "16px", True), (other, 900, "32px", False)):
        shown(visitor, look)
        looks = visitor.page.evaluate(
            "[innerWidth, getComputedStyle(document.querySelector('p')).fontSize,"
            " matchMedia('(min-width: 50em)').matches,"
            " matchMedia('(prefers-color-scheme: dark)').matches,"
            " matchMedia('(prefers-reduced-motion)').matches]"
        )
        assert looks == [width, size, wide, visitor is other, visitor is plain]
        assert visitor.page.get_by_text("no scripts").count() == 0
    without = new_person(javascript=False)
    shown(without, look)
    assert without.page.get_by_text("no scripts").is_visible()


# Who can read it ----------------------------------------------------------------------------------

BARE = "<title>x</title><p>nobody said which language this is <img src='data:,'>"
GOOD = "<html lang='en'><title>x</title><main><h1>x</h1><a href='/'>home</a></main>"


@pytest.mark.parametrize("javascript", [True, False])
def test_what_axe_finds_is_told_whatever_a_page_forbids(
    new_person: Visitors, javascript: bool
) -> None:
    ann = new_person(javascript=javascript)
    shown(ann, BARE, STRICT + "; img-src data:")
    with pytest.raises(AssertionError) as told:
        accessible(ann.page)
    assert "html-has-lang (serious): html: <html> element must have a lang" in str(told.value)
    assert "image-alt (critical): img: " in str(told.value)
    shown(ann, GOOD, STRICT, "/another")
    accessible(ann.page)


def test_looking_does_not_switch_scripts_on(new_person: Visitors) -> None:
    ann = new_person(javascript=False)
    shown(ann, GOOD)
    accessible(ann.page)
    shown(ann, "<title>off</title><script>document.title = 'on'</script>", path="/another")
    assert ann.page.title() == "off"


# Where there is no browser ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ci", "workers", "status", "outcome"), [("", "0", 0, "2 skipped"), ("yes", "1", 1, "2 errors")]
)
def test_tests_that_did_not_run_are_told_of(
    ci: str, workers: str, status: int, outcome: str
) -> None:
    plugins = ["-p", "xdist", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *plugins, "-n", workers]
    done = subprocess.run(
        [*command, __file__, "-k", "is_kept"],
        cwd=Path(__file__).parents[2],
        env={
            **os.environ,
            "PITBOSS_CHROMIUM": "nowhere",
            "PITBOSS_CI": ci,
            "CI": "",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # others take seconds to load
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == status, done
    assert f"2 browser tests DID NOT RUN: {chromium.MISSING}" in done.stdout
    assert outcome in done.stdout.splitlines()[-1]


@pytest.mark.parametrize("colour", ["#bbb", "oklch(0.8 0 0)", "rgb(0 0 0 / 30%)"])
def test_words_that_are_hard_to_read_are_told_each_of_them(
    new_person: Visitors, colour: str
) -> None:
    ann = new_person()
    words = f"<p style='color: {colour}'>pale <b>and pale</b></p><p>black</p>"
    shown(ann, GOOD.replace("</main>", f"{words}</main>"))
    with pytest.raises(AssertionError) as told:
        accessible(ann.page)
    _, *lines = str(told.value).splitlines()
    assert [line.split(": ")[:2] for line in lines] == [
        ["color-contrast (serious)", "p:nth-child(3)"],
        ["color-contrast (serious)", "b"],
    ]
