"""Plain words beside the felt: the cap, a log one can scan, the keys, the first round."""

from tests.browser.player import see
from tests.browser.scenes import DIAMOND_JO, MISSISSIPPI, Scene
from tests.browser.visitors import Site, Visitors


def test_the_cap_says_at_which_ante_it_bites_and_its_clauses_are_links(
    site: Site, new_person: Visitors
) -> None:
    ann = new_person()
    page = Scene(site, ann, DIAMOND_JO, bots=0).look()
    card = page.locator(".cap-card")
    see(card.locator("h2")).to_have_text("Payout cap: $25,000 a round, whole table")
    see(card).to_contain_text("It bites above an Ante of $5 on a royal flush")
    card.get_by_role("link", name="J.2", exact=True).click()
    see(page.locator("#main")).to_contain_text("at most $25,000 a round for the whole table")
    assert page.url.endswith("#J.2")
    free = Scene(site, new_person(), MISSISSIPPI, bots=0).look()
    see(free.locator(".notes")).to_be_visible()
    see(free.locator(".cap-card")).to_have_count(0)
