"""A house that counts in euros: no page of it, and nothing that a script writes, has a dollar."""

import html
import re
import urllib.parse
import urllib.request
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path

import pytest

from pitboss.money import text
from pitboss.rulebook import load, loader
from pitboss.web import pages
from tests.web.open_house import rigged, thread

HERE = Path(pages.__file__).parent
BOOKS = {"seneca-niagara/caribbean-stud": "one", "diamond-jo-worth/cajun-stud": "two"}
DECK = "2c 3c 5c 8c Kc  4d 6d 7h 9s Js"
"""A flush in clubs, which wins a fixed award; the dealer does not qualify."""


class Browser:
    """Somebody who follows links and sends forms, without a script."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self.page = self.at = ""
        self.seen: dict[str, str] = {}

    def go(self, path: str, form: dict[str, str] | None = None) -> str:
        """Ask for a page, or send a form; remember every page that came."""
        url = urllib.parse.urljoin(self.address, path)
        sent = None if form is None else urllib.parse.urlencode(form).encode()
        given = {"Origin": self.address} if form is not None else {}
        request = urllib.request.Request(url, sent, given)
        with self.opener.open(request, timeout=60) as answer:
            self.at, self.page = answer.url, answer.read().decode()
        self.seen[f"{len(self.seen)} {path} {form or ''}"] = self.page
        return self.page

    def send(self, having: str, **more: str) -> str:
        """Send the form that has this in it, filled in."""
        forms = re.findall(r"<form.*?</form>", self.page, re.DOTALL)
        found = next(each for each in forms if having in each)
        action = re.search(r'action="([^"]+)"', found)
        assert action is not None
        hidden = re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', found)
        fields = {name: html.unescape(value) for name, value in hidden}
        return self.go(action[1], fields | more)


@pytest.fixture
def euros(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Browser]:
    """A house whose rulebooks are all in euros."""
    shelf = tmp_path / "houses"
    for name, house in BOOKS.items():
        written = (loader.HOUSES / f"{name}.toml").read_text("utf-8")
        game = name.partition("/")[2]
        euro = re.sub(
            r'^id = ".*"', f'id = "euro-{house}/{game}"\ncurrency = "EUR"', written, flags=re.M
        )
        (shelf / f"euro-{house}").mkdir(parents=True)
        (shelf / f"euro-{house}" / f"{game}.toml").write_text(euro, "utf-8")
    monkeypatch.setattr(loader, "HOUSES", shelf)
    with thread(tmp_path, deck=rigged(DECK)) as found:
        yield Browser(found.address)


def test_a_round_in_euros_from_the_lobby_to_the_receipt(euros: Browser) -> None:
    lobby = euros.go("/")
    assert "An hour with €10 on the Ante" in lobby
    euros.send('value="euro-one/caribbean-stud"', bots="0")
    euros.send('name="coach"', coach="show")
    assert 'data-money="€"' in euros.page
    assert "€1,000" in euros.page
    table = euros.at
    fields = {"wager-ante": "€15", "wager-progressive": "1"}
    euros.send('class="bet"', **fields)
    assert "You bet €15 on Ante and €1 on Progressive." in euros.page
    assert '<span class="money">€30</span>' in euros.page
    assert re.search(r'class="value"[^>]* title="nets \+€\d[^>]*><b>best</b>', euros.page)
    assert re.search(r'class="value"[^>]*>-€\d', euros.page)
    euros.send('class="decide"', do="raise:2")
    assert "receipt, line by line" in euros.page
    assert "€50" in euros.page
    assert "€5,000 a round for each player" in euros.page
    euros.go("/")
    assert "You have a seat at Caribbean Stud" in euros.page
    euros.go(table)
    assert re.search(r'data-meter="\d+">€', euros.page)
    euros.go("/rounds")
    replay = re.search(r'href="(/rounds/[^"?]+)"', euros.page)
    assert replay is not None
    euros.go(f"{replay[1]}?step=99")
    assert "Your receipt" in euros.page
    assert "€15" in euros.page
    euros.go("/rules/euro-one/caribbean-stud")
    assert "Money is counted in euros" in euros.page
    euros.go("/rules/euro-two/cajun-stud")
    assert "more than €300" in euros.page
    euros.go(table)
    for where, page in euros.seen.items():
        assert "$" not in page, f"{where}: {page[page.index('$') - 80 :][:160]}"


def test_the_script_takes_the_sign_from_the_page() -> None:
    script = (HERE / "static" / "pitboss.js").read_text("utf-8")
    quoted = re.findall(r'"[^"\n]*"|\'[^\'\n]*\'', script)
    assert not [each for each in quoted if re.search(r"\$(?!\{)", each)]
    assert "dataset.money" in script


def test_one_function_writes_money() -> None:
    """A sign of a currency is written in money.py, and in no page or command."""
    source = HERE.parents[1]
    for path in (*(source / "web").rglob("*.py"), *(source / "cli").rglob("*.py")):
        told = re.sub(r'"""(?:.|\n)*?"""', "", path.read_text("utf-8"))
        assert not re.search(r"[€£]|[\"']\$[\"'{]", told), path
    for path in source.rglob("*.html"):
        assert "$" not in path.read_text("utf-8"), path


def test_a_currency_without_a_sign_is_named() -> None:
    assert text(250_00, "CHF") == "CHF 250.00"
    assert load("common/mississippi-stud").money(250_00) == "$250"
