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


def test_the_log_is_scanned_by_eyes_and_read_aloud_in_sentences(
    site: Site, new_person: Visitors
) -> None:
    ann = new_person()
    scene = Scene(site, ann, DIAMOND_JO, bots=1)
    scene.bet()
    scene.to_the_end()
    page = scene.look()
    lines = page.locator("#log p")
    see(lines.locator(".act b")).to_have_text(
        ["Round 1", "First Raise", "Second Raise", "Third Raise", "Showdown", "Paid"]
    )
    mine = lines.filter(has_text="You get the king of hearts and the king of diamonds.")
    see(mine.locator(".act")).to_have_text("You K♥ K♦")
    see(mine.locator(".act .red")).to_have_count(2)
    keys = lines.evaluate_all("several => several.map(each => each.dataset.key)")
    numbers = [int(each.removeprefix("1.")) for each in keys]
    assert numbers == sorted(set(numbers)), "each has the number of its event"
    heard = page.locator("#log").aria_snapshot()
    assert "You raise 3 times: $75.00." in heard
    assert "K♥" not in heard, "what is for eyes alone is not read aloud"
    page.goto(f"/rounds/{scene.table}-1")
    step = page.locator(".log").get_by_role("link", name="The first board card is the queen of")
    see(step.locator(".act")).to_contain_text("Board Q♠")
