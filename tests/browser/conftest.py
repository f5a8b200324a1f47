"""A real browser, and a real house for it to visit."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bench.pages import FLAGS
from tests.browser import chromium
from tests.browser.forms import Forms
from tests.browser.shift import PICTURES
from tests.browser.visitors import Site, Visitors, open_site

if TYPE_CHECKING:
    from playwright.sync_api import Browser


UNDRAWN = "--force-gpu-mem-available-mb=0"
"""No memory for what is drawn, so that nothing is: pages are loaded, laid out and clicked as ever,
no test looks at a pixel, and a third of a page's work is saved."""


# Not for the whole session: as long as it runs, no test in this process can run a loop of its own.
@pytest.fixture(scope="package")
def browser() -> Iterator["Browser"]:
    """The browser, without anybody in it yet."""
    where = chromium.wanted()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        flags = FLAGS if PICTURES else [*FLAGS, UNDRAWN]
        found = playwright.chromium.launch(executable_path=where, args=flags)
        yield found
        found.close()


@pytest.fixture
def site(quick_path: Path, request: pytest.FixtureRequest) -> Iterator[Site]:
    """A house of the test's own, open."""
    with open_site(quick_path, request.node.nodeid) as found:
        yield found


@pytest.fixture
def new_person(browser: "Browser", site: Site) -> Iterator[Visitors]:
    """Lets people in, each with a browser of their own; whatever goes wrong there is told."""
    found = Visitors(browser, site)
    yield found
    found.leave()


@pytest.fixture
def forms(site: Site) -> Forms:
    """A guest."""
    return Forms(site.guest())
