"""The table's page, asked for by hand."""

import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.open_house import rigged, thread
from tests.web.pages.test_currency import Browser


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    with thread(tmp_path, deck=rigged("6c 6d Kh Ks Kd")) as found:
        yield Browser(found.address)


@pytest.mark.parametrize(
    ("shown", "marks"),
    [("1.0", True), ("0.7", True), ("x.0", True), ("1.99999", False)]
    + [(each, False) for each in ("", "1", "1.", "1.-1", "1.²", "1.999999", ".1.2", "9" * 5_000)],
)
def test_how_much_was_shown_may_be_any_nonsense(browser: Browser, shown: str, marks: bool) -> None:
    """The page says when each thing came to the felt, to a script that has seen less than all."""
    browser.go("/")
    browser.send('value="common/mississippi-stud"', bots="0")
    browser.send('id="bet"', **{"wager-ante": "5"})
    request = urllib.request.Request(browser.at, headers={"X-Shown": shown})
    with browser.opener.open(request, timeout=60) as answer:
        assert ("data-at=" in answer.read().decode()) == marks
