"""A house of one's own in the browser: adopted while it is open, and played like any other."""

from tests.browser.player import Player, see
from tests.browser.visitors import Site, Visitors
from tests.house.shelves import BETTER, MY_HOUSE, UNSOLVED


def test_sit_down_at_a_house_of_your_own(site: Site, new_person: Visitors) -> None:
    for text in (BETTER, UNSOLVED):
        site.adopt(text)
    site.stack("6c 6d Kh", "Ks Kd")
    ann = Player(new_person())
    ann.page.goto("/")
    see(ann.page.locator("li.game", has_text="New game")).to_contain_text("Not priced")
    see(ann.page.locator("li.game", has_text="My house")).to_contain_text("House edge")

    ann.sit_down("My house", 0)
    ann.deal()
    ann.decide("raise:3", "raise:3", "raise:3")
    see(ann.page.locator("#held")).to_have_text("full house, kings over sixes")
    assert "kings over sixes pays 11 to 1 4 | 11 " in ann.open_receipt()[0]

    # The house goes back to its earlier version: this table keeps the rules that it was opened by.
    site.adopt(MY_HOUSE)
    ann.page.reload()
    ann.page.get_by_role("link", name="The rules, clause by clause").click()
    see(ann.page.locator("main")).to_contain_text("This version was replaced")
    see(ann.page.locator("main")).to_contain_text("11 to 1")
