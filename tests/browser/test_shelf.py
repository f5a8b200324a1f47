"""A house of one's own in the browser: adopted while it is open, and played like any other."""

from pitboss.maths import at_hand
from pitboss.rulebook import ids, load
from tests.browser.geometry import at_width, handsome
from tests.browser.player import Player, see
from tests.browser.visitors import Site, Visitors, accessible
from tests.house.shelves import BETTER, MY_HOUSE, UNSOLVED, changed


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
    assert "kings over sixes pays 11 to 1 rule 4 | 11 " in ann.open_receipt()[0]

    # The house goes back to its earlier version: this table keeps the rules that it was opened by.
    site.adopt(MY_HOUSE)
    ann.page.reload()
    ann.page.get_by_role("link", name="The rules, clause by clause").click()
    see(ann.page.locator("main")).to_contain_text("This version was replaced")
    see(ann.page.locator("main")).to_contain_text("11 to 1")


NAMES = (
    ("Bar", "Stud"),
    ("The Grand Riverboat and Convention Center of Upper Mississippi", "Stud"),
    ("Casino", "Bayou High Low Progressive Double Bonus Stud"),
    ("Hôtel-Casino Sainte-Geneviève", "Northumberland Stud"),
)
CARDS = """() => [...document.querySelectorAll('li.game')].map(each => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    return [left, right, top, bottom];
})"""


def twelve(site: Site) -> None:
    """Put eight games more on the shelf: some cannot be priced yet, some have names like these."""
    for number, (house, game) in enumerate(NAMES):
        for text, kind in ((MY_HOUSE, "my-house"), (UNSOLVED, "new-game")):
            named = ("My house" if kind == "my-house" else "New game", house)
            site.adopt(
                changed(
                    (f'"{kind}/stud"', f'"{kind}/stud-{number}"'),
                    (f'"{named[0]}"', f'"{named[1]}"'),
                    ('game = "Mississippi Stud"', f'game = "{game}"'),
                    text=text,
                )
            )


def test_a_lobby_with_twelve_games_has_room_for_all_and_a_price_or_a_sentence_for_each(
    site: Site, new_person: Visitors
) -> None:
    twelve(site)
    ann = new_person(1366)
    ann.page.goto("/")
    games = ann.page.locator("li.game")
    see(games).to_have_count(len(ids()) + 8)
    said = games.locator(".cost").all_inner_texts()
    quick = sum(map(at_hand, map(load, ids())))
    assert sum("an hour" in each for each in said) == 4 + quick
    assert sum(each.startswith("Not priced: ") for each in said) == 4
    for size, columns in (((1366, 657), 4), ((1024, 768), 3), ((390, 844), 1)):
        at_width(ann.page, *size)
        handsome(ann.page, f"twelve games at {size}")
        boxes = ann.page.evaluate(CARDS)
        assert len({round(left) for left, *_ in boxes}) == columns
        for at, (left, right, top, bottom) in enumerate(boxes):
            assert 0 <= left < right <= size[0]
            for others in boxes[at + 1 :]:
                apart = others[0] >= right or others[1] <= left or others[2] >= bottom
                assert apart or others[3] <= top, (size, at)
    accessible(ann.page)
    for number in range(12):
        summary = games.nth(number).locator("summary").first
        summary.click()
    handsome(ann.page, "twelve games with their how-to open")
