"""Your rounds, asked for by hand: filtered, and as a table for other programs."""

import csv
import io
from pathlib import Path

from pitboss.money import cents
from tests.web.open_house import rigged, thread
from tests.web.pages.test_currency import Browser


def test_rounds_are_filtered_and_exported(tmp_path: Path, where: str) -> None:
    """What the table says of each round adds up to what the purse has lost or won."""
    with thread(tmp_path, deck=rigged("6c 6d Kh Ks Kd"), where=where) as found:
        browser = Browser(found.address)
        assert "CSV" not in browser.go("/rounds")
        browser.go("/")
        browser.send('value="common/mississippi-stud"', bots="0")
        for choices in (("raise:1", "raise:1", "raise:1"), ("fold",), ("fold",)):
            browser.send('id="bet"', **{"wager-ante": "5"})
            for each in choices:
                browser.send('id="decide"', do=each, confirmed="yes")
        _, purse = browser.page.split('id="balance">', 1)
        sheet = list(csv.DictReader(io.StringIO(browser.go("/rounds.csv"))))
        assert [each["round"] for each in sheet] == ["3", "2", "1"]
        assert {each["game"] for each in sheet} == {"Mississippi Stud"}
        assert {each["chips"] for each in sheet} == {"play"}
        nets = [cents(each["net"].removeprefix("-")) for each in sheet]
        signs = [-1 if each["net"].startswith("-") else 1 for each in sheet]
        assert signs == [-1, -1, 1]
        come_to = sum(sign * net for sign, net in zip(signs, nets, strict=True))
        assert cents(purse.partition("<")[0]) == 1_000_00 + come_to
        for ended, listed in (("won", 1), ("lost", 2), ("", 3), ("nonsense", 3)):
            assert browser.go(f"/rounds?ended={ended}").count('">Replay<span') == listed, ended
