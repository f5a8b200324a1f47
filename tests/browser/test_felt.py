"""One felt: chips go where one clicks, everything needed is in the window, nothing takes money by
mistake. Each bug that a walk-through found is a test by its number."""

import pytest

from tests.browser.geometry import SIZES, at_width, box, handsome, in_sight
from tests.browser.player import LITTLE_MS, Player, journal, on_a_phone, see
from tests.browser.scenes import DIAMOND_JO, MISSISSIPPI, PLAYS, SENECA, Play, Scene, payoff
from tests.browser.visitors import Site, Visitors

AT_ONCE = """() => new Promise((done) => {
    const look = () => {
        if (!document.querySelector('.ask')) return requestAnimationFrame(look);
        const press = new KeyboardEvent('keydown', { key: 'f', bubbles: true });
        done(document.body.dispatchEvent(press));
    };
    look();
})"""
"""Press a key sooner than anybody has read the question."""


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.book)
def test_b6_what_is_needed_next_is_in_the_window_and_the_main_button_stays(
    site: Site, new_person: Visitors, play: Play
) -> None:
    ann = new_person()
    scene = Scene(site, ann, play)
    scene.coach()
    page, placed = scene.look(), {}
    for size in SIZES:
        at_width(page, *size)
        in_sight(
            page, ".status", ".spot.takes", ".spot input", ".rack label", ".bet .go", ".posted"
        )
        placed[size] = box(page, ".bet .go")
    scene.bet()
    page = scene.look()
    for size in SIZES:
        at_width(page, *size)
        in_sight(page, ".decide button", ".ghost", ".held .card", ".pile .card", ".posted")
        left, right, top, bottom = box(page, ".decide .raise button")
        assert (right, bottom) == placed[size][1::2], size
        fold = box(page, ".decide .fold button")
        assert fold[1] < left or fold[3] < top, "fold is nowhere near it"
    scene.to_the_end()
    page = scene.look()
    for size in SIZES:
        at_width(page, *size)
        in_sight(page, ".outcome .net", ".held .card", ".pile .card", ".bet .go", ".spot.takes")
        assert box(page, ".bet .go") == placed[size]


FRAMES = """() => {
    window.lay = new Set();
    const look = () => {
        const lies = ['.panel', '.felt'].map((each) => document.querySelector(each))
            .map((each) => { const { top, bottom } = each.getBoundingClientRect();
                return [top, bottom].map(Math.round); });
        window.lay.add(JSON.stringify(lies));
        requestAnimationFrame(look);
    };
    look();
}"""
"""Note in every frame where dock and felt lie, as long as the page is there."""


def test_dock_and_felt_lie_still_while_a_round_is_played(site: Site, new_person: Visitors) -> None:
    ann = new_person(reduced_motion=False)
    for size in SIZES:
        at_width(ann.page, *size)
        scene = Scene(site, ann, DIAMOND_JO, bots=3)  # a guest's first round each time
        page, player = scene.look(), Player(ann)
        page.evaluate("localStorage.pace = 'fast'")
        page.evaluate(FRAMES)
        player.deal()
        player.decide(*(f"raise:{times}" for times in DIAMOND_JO.raises))
        see(page.locator(".outcome .net")).to_be_visible()
        page.locator("#wager-ante").fill("1000")  # a note says what is wrong with it
        page.wait_for_timeout(LITTLE_MS)
        assert len(page.evaluate("[...window.lay]")) == 1, size


def test_the_dock_is_as_tall_while_a_payoff_waits_and_whatever_is_told(
    site: Site, new_person: Visitors
) -> None:
    ann, pip = new_person(), new_person()
    page = Scene(site, ann, DIAMOND_JO).look()
    site.person("pip", "player")
    table = payoff(site, pip.sign_in("pip"))
    pip.page.goto(f"/tables/{table}")
    said = pip.page.locator(".status [role=status]")
    see(said).to_contain_text("waits for")
    told = """panel => panel.prepend(Object.assign(document.createElement('p'),
        { className: 'wrong told', textContent: 'The table has gone on. '.repeat(9) }))"""
    stood = {}
    for size in SIZES:
        at_width(page, *size)
        stood[size] = box(page, ".panel"), box(page, ".bet .go")
        at_width(pip.page, *size)
        assert box(pip.page, ".panel") == stood[size][0], size
        hidden = said.evaluate("each => each.scrollHeight - each.clientHeight")
        assert hidden < 8, (size, "it is told whole")
    page.locator(".panel").evaluate(told)
    for size in SIZES:
        at_width(page, *size)
        assert (box(page, ".panel"), box(page, ".bet .go")) == stood[size], size


ORDER = """several => several.filter((each) => each.checkVisibility())
    .sort((a, b) => a.getBoundingClientRect().left - b.getBoundingClientRect().left)
    .map((each) => [each.value, each.dataset.hotkey ?? ''])"""


def test_raises_have_one_order_and_the_least_the_place_of_deal(
    site: Site, new_person: Visitors
) -> None:
    ann = new_person(1366)
    scene = Scene(site, ann, DIAMOND_JO, bots=0)
    scene.bet()
    page = scene.look()
    dock = page.locator(".decide button").evaluate_all(ORDER)
    raises = ["raise:3", "raise:2", "raise:1"]
    assert dock == [["fold", "f"], *map(list, zip(raises, "qwe", strict=True))]
    felt = page.locator(".lit .ghost").evaluate_all(ORDER)
    assert [value for value, _ in felt] == raises


def test_b19_the_ceiling_is_posted_at_every_size_and_an_amount_too_large_hides_no_word(
    site: Site, new_person: Visitors
) -> None:
    page = Scene(site, new_person(), DIAMOND_JO).look()
    for size in SIZES:
        at_width(page, *size)
        in_sight(page, ".posted .cap")
    page.locator("#wager-ante").fill("99999")
    go = page.locator(".bet .go")
    see(go).to_have_text("Deal $99,999\u23ce")
    for size in SIZES:
        at_width(page, *size)
        handsome(page, f"99999 at {size}")
        lines = "each => new Set([...each.querySelectorAll('span')].map((s) => s.offsetTop)).size"
        assert go.evaluate(lines) == 1, size


LINES = """each => {
    const lines = {}, walk = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
    for (let node; (node = walk.nextNode());)
        for (const [index, letter] of [...node.data].entries()) {
            if (!letter.trim() || !node.parentElement.checkVisibility(
                { visibilityProperty: true })) continue;
            const range = document.createRange();
            range.setStart(node, index);
            range.setEnd(node, index + 1);
            const { bottom, right } = range.getBoundingClientRect();
            (lines[Math.round(bottom / 12)] ??= []).push(letter);
        }
    return Object.values(lines);
}"""
"""The letters of each line."""


def test_no_line_of_a_win_begins_or_ends_with_a_dot(site: Site, new_person: Visitors) -> None:
    scene = Scene(site, new_person(), SENECA._replace(mine="7h 8h 9h Th Jh"))
    scene.bet()
    scene.to_the_end()
    page = scene.look()
    told = page.locator(".win-told")
    for size in SIZES:
        at_width(page, *size)
        see(told).to_contain_text("straight flush", ignore_case=True)
        lines = told.evaluate(LINES)
        assert not {line[end] for line in lines for end in (0, -1)} & {"\N{MIDDLE DOT}"}, size


def test_without_a_script_a_paid_spot_has_one_figure_and_all_are_as_tall(
    site: Site, new_person: Visitors
) -> None:
    ann = new_person(javascript=False)
    scene = Scene(site, ann, DIAMOND_JO, bots=0)
    scene.bet()
    scene.to_the_end()
    for width in (1366, 390):
        at_width(ann.page, width)
        ann.page.goto(scene.path)
        spots = ann.page.locator(".yours .spot")
        tall = spots.evaluate_all("several => several.map(each => Math.round(each.offsetHeight))")
        assert len({*tall}) == 1, width
        lost = ann.page.locator('.spot[data-key="lo-ball"]')
        see(lost.locator(".tag")).to_be_visible()
        see(lost.locator(".worth")).to_be_hidden()
        see(lost.locator("input")).to_have_value("5")


APART = """() => {
    const hands = [...document.querySelectorAll('.seat :is(.hand, .plate)')]
        .filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect());
    return Math.min(...hands.flatMap((a) => hands.filter((b) => a.left < b.left && a.top === b.top)
        .map((b) => b.left - a.right)));
}"""
"""The least room between two others who sit side by side."""


def test_others_with_many_cards_keep_apart_in_a_strip(site: Site, new_person: Visitors) -> None:
    scene = Scene(site, new_person(), SENECA)
    scene.bet()
    for moment in ("decide", "over"):
        page = scene.look()
        for size in SIZES[-3:]:
            at_width(page, *size)
            see(page.locator(".seat .plate")).to_have_count(5)
            assert page.evaluate(APART) >= 4, (moment, size)
            handsome(page, f"{moment} at {size}")
        if moment == "decide":
            scene.to_the_end()


def test_b1_enter_deals_whatever_was_clicked_last(new_person: Visitors) -> None:
    ann = Player(new_person())
    ann.sit_down("Diamond Jo")
    ann.put(5, "ante")
    assert ann.wagers == {"ante": "10"}
    ann.page.keyboard.press("Enter")
    ann.asked()
    see(ann.balance).to_have_text("$990")


def test_b2_the_total_has_the_toke_in_it(new_person: Visitors) -> None:
    ann = Player(new_person())
    ann.sit_down("Diamond Jo")
    ann.put(1, "toke")
    ann.put(1, "toke")
    see(ann.page.locator("[data-total]")).to_have_text("$7")
    ann.deal()
    see(ann.balance).to_have_text("$993")


def test_b3_no_key_of_betting_decides_anything(site: Site, new_person: Visitors) -> None:
    ann = Player(new_person())
    table = ann.sit_down("Diamond Jo")
    betting = ann.page.locator(".felt [data-hotkey], .bet [data-hotkey]")
    keys = {each.get_attribute("data-hotkey") for each in betting.all()}
    ann.deal()
    ann.ready()
    decisions = ann.page.locator(".decide [data-hotkey]")
    assert keys.isdisjoint({each.get_attribute("data-hotkey") for each in decisions.all()})
    for key in keys:
        ann.page.keyboard.press(str(key))
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_timeout(300)
    assert "raise-placed" not in journal(site, table)
    ann.page.keyboard.press("e")
    see(ann.balance).to_have_text("$990")


def test_chips_are_taken_off_by_the_other_button_by_shift_and_by_a_resting_finger(
    new_person: Visitors,
) -> None:
    ann = Player(new_person())
    ann.sit_down("Diamond Jo")
    ann.put(25, "ante", "ante")
    assert ann.wagers == {"ante": "55"}
    spot = ann.page.locator('[data-spot="ante"]')
    spot.click(button="right")
    assert ann.wagers == {"ante": "30"}
    spot.click(modifiers=["Shift"])
    assert ann.wagers == {"ante": "5"}
    ann.page.keyboard.press("g")
    assert ann.wagers == {"ante": "30"}
    ann.page.keyboard.press("Shift+g")
    assert ann.wagers == {"ante": "5"}
    spot.dispatch_event("pointerdown", {"pointerType": "touch", "bubbles": True})
    ann.page.wait_for_timeout(700)
    assert ann.wagers == {}


def test_a_spot_takes_no_more_than_it_may_and_says_so(new_person: Visitors) -> None:
    ann = Player(new_person())
    ann.sit_down("Diamond Jo")
    ann.put(100, "ante")
    assert ann.wagers == {"ante": "100"}
    see(ann.page.locator("#takes-ante")).to_have_text("At most $100")
    ann.page.locator("#wager-lo-ball").fill("1000")
    see(ann.page.locator(".bet .go")).to_be_disabled()
    see(ann.page.locator(".note")).to_have_text("Lo Ball: at most $100")
    ann.page.locator("#wager-lo-ball").fill("")
    ann.tool("clear")
    see(ann.page.locator(".bet .go")).to_be_disabled()
    see(ann.page.locator(".note")).to_have_text("Ante needs $5")


def test_an_ante_that_leaves_nothing_to_raise_with_is_told(new_person: Visitors) -> None:
    ann = Player(new_person())
    ann.sit_down("Hollywood")
    ann.page.locator("#wager-ante").fill("1000")
    see(ann.page.locator(".note")).to_have_text("To play this out you need $4,000: you have $1,000")
    ann.page.locator("#wager-ante").fill("1001")
    see(ann.page.locator(".note")).to_have_text("You have $1,000")
    see(ann.page.locator(".bet .go")).to_be_disabled()


def test_a_raise_is_made_at_its_spot(site: Site, new_person: Visitors) -> None:
    ann = Player(new_person())
    table = ann.sit_down("Diamond Jo")
    ann.deal()
    ann.ready()
    ann.page.locator('.lit .ghost[value="raise:2"]').click()
    see(ann.balance).to_have_text("$985")
    assert journal(site, table).count("raise-placed") == 1


def test_what_the_last_round_left_is_swept_by_the_first_touch(new_person: Visitors) -> None:
    ann = Player(new_person())
    ann.sit_down("Diamond Jo")
    ann.put(25, "ante")
    ann.deal()
    ann.decide("raise:1", "raise:1", "raise:1")
    result = ann.page.locator('.spot[data-key="ante"] .result')
    see(result).to_be_visible()
    see(ann.page.locator('.rack input[value="2500"]')).to_be_checked()  # the chip that was picked
    ann.put(5, "ante")
    see(result).to_be_hidden()
    assert ann.wagers == {"ante": "5"}, "chips begin anew"
    see(ann.page.locator(".bet .note")).to_have_text("A new bet: Repeat brings the last one back")
    ann.put(5, "ante")
    see(ann.page.locator(".bet .note")).to_have_text("")


def test_a_chip_that_was_picked_by_key_stays_picked(new_person: Visitors) -> None:
    ann = Player(new_person(), by="keyboard")
    ann.sit_down("Diamond Jo")
    ann.put(25, "ante")
    ann.deal()
    ann.decide("fold")
    see(ann.page.locator('.rack input[value="2500"]')).to_be_checked()


def test_on_a_phone_a_finger_puts_chips_anywhere_and_an_amount_can_be_typed(
    site: Site, new_person: Visitors
) -> None:
    ann = new_person(touch=True)
    page, player = Scene(site, ann, DIAMOND_JO, bots=0).look(), Player(ann)
    on_a_phone(ann)
    figure, spot = page.locator("#wager-ante"), page.locator('[data-spot="ante"]')

    def tap() -> None:
        """On the figure itself, whatever takes the finger there."""
        left, right, top, bottom = box(page, "#wager-ante")
        page.touchscreen.tap((left + right) / 2, (top + bottom) / 2)

    tap()
    see(figure).to_have_value("10")
    spot.tap()
    see(figure).to_have_value("15")
    page.get_by_role("radio", name="Type an amount").locator("..").tap()
    tap()
    see(figure).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("42")
    see(page.locator("[data-total]")).to_have_text("$42")
    assert player.wagers == {"ante": "42"}
    handsome(page, "with any amount to choose")


def test_in_a_narrow_window_with_a_pointer_the_figure_takes_the_click(
    site: Site, new_person: Visitors
) -> None:
    page = Scene(site, new_person(390), DIAMOND_JO, bots=0).look()
    page.locator("#wager-ante").click()
    see(page.locator("#wager-ante")).to_be_focused()
    see(page.locator("#wager-ante")).to_have_value("5")


def test_what_went_to_the_dealers_is_told_beside_the_net(site: Site, new_person: Visitors) -> None:
    scene = Scene(site, new_person(), DIAMOND_JO, bots=0)
    scene.did("bet", seat=scene.seat, wagers={"ante": 25_00}, toke_cents=5_00)
    scene.fold()
    page = scene.look()
    see(page.locator(".yours .outcome")).to_have_text("-$25 and $5 to the dealers")
    see(page.locator("#balance")).to_have_text("$970")
    see(page.locator(".lines tfoot td")).to_have_text("-$25 and $5 to the dealers")
    for size in SIZES:
        at_width(page, *size)
        handsome(page, f"a toke at {size}")
        in_sight(page, ".outcome .tip")


def test_a_wager_that_won_is_told_apart_from_a_round_that_lost(
    site: Site, new_person: Visitors
) -> None:
    play = DIAMOND_JO._replace(mine="2h 4d", piles={"board": "7s 9c Tc"})
    scene = Scene(site, new_person(), play)
    scene.bet(ante=50_00, lo_ball=5_00)
    scene.fold()
    page = scene.look()
    told = page.locator(".win-told")
    see(told).to_contain_text("Lo Ball: Ten high")
    assert " ".join(told.inner_text().split()).endswith("5 to 1 · +$25 · round -$25")
    for size in SIZES:
        at_width(page, *size)
        handsome(page, f"won and lost at {size}")


@pytest.mark.parametrize("javascript", [True, False], ids=["scripts", "no scripts"])
def test_a_fold_that_gives_up_a_hand_which_wins_asks_once(
    site: Site, new_person: Visitors, javascript: bool
) -> None:
    ann = new_person(javascript=javascript)
    ann.forgive("status of 4")
    scene = Scene(site, ann, DIAMOND_JO, bots=0)  # a pair of kings
    scene.bet(ante=5_00)
    player, page = Player(ann), scene.look() if javascript else ann.page
    if not javascript:
        page.goto(scene.path)
    page.wait_for_timeout(300)
    player.choice("fold").click()
    see(page.get_by_role("alert")).to_contain_text("This hand already pays 1 to 1, and folding")
    assert "folded" not in journal(site, scene.table)
    page.wait_for_timeout(300)
    page.get_by_role("button", name="Fold all the same").click()
    see(page.locator(".yours .net")).to_have_text("-$5")


def test_a_clause_that_is_a_number_alone_is_called_a_rule(site: Site, new_person: Visitors) -> None:
    ann = new_person()
    scene = Scene(site, ann, MISSISSIPPI, bots=0)  # a pair of kings
    scene.bet()
    page = scene.look()
    page.wait_for_timeout(LITTLE_MS)
    page.keyboard.press("f")
    see(page.locator(".ask .clause")).to_have_text("rule 4")


def test_the_key_of_a_choice_that_is_asked_about_confirms_it(
    site: Site, new_person: Visitors
) -> None:
    ann = new_person()
    scene = Scene(site, ann, DIAMOND_JO, bots=0)  # a pair of kings
    scene.bet(ante=5_00)
    page = scene.look()
    asked, keys = page.locator(".ask"), page.keyboard
    page.wait_for_timeout(LITTLE_MS)
    keys.down("f")
    page.evaluate(AT_ONCE)
    page.wait_for_timeout(LITTLE_MS)
    keys.down("f")  # it was never let go
    keys.up("f")
    page.wait_for_timeout(LITTLE_MS)
    see(asked.locator("button kbd")).to_have_text("F")
    assert "folded" not in journal(site, scene.table)
    keys.press("f")
    see(page.locator(".yours .net")).to_have_text("-$5")


def test_a_question_goes_away_by_escape_and_its_key_asks_again(
    site: Site, new_person: Visitors
) -> None:
    ann = new_person()
    scene = Scene(site, ann, DIAMOND_JO, bots=0)
    scene.bet(ante=5_00)
    page = scene.look()
    for _ in range(2):
        page.wait_for_timeout(LITTLE_MS)
        page.keyboard.press("f")
        see(page.locator(".ask")).to_be_visible()
        page.keyboard.press("Escape")
        see(page.locator(".ask")).to_have_count(0)
    assert "folded" not in journal(site, scene.table)


def test_b13_a_row_is_not_lit_once_its_wager_has_lost(site: Site, new_person: Visitors) -> None:
    play = SENECA._replace(mine="As Kd 4c 7h 2d", piles={"dealer": "Ac Kh 9c 5d 5s"})
    ann = new_person()
    scene = Scene(site, ann, play, bots=0)
    scene.bet(ante=5_00)
    page = scene.look()
    see(page.locator(".pays .made th")).to_contain_text("Ace")
    scene.raise_(2)
    page = scene.look()
    see(page.locator(".yours .net")).to_have_text("-$15")
    see(page.locator(".pays .made")).to_have_count(0)
    folds = Scene(site, new_person(), SENECA, bots=0)
    folds.bet(ante=5_00)
    page = folds.look()
    made = page.locator('[data-key="pays-1"] .made th')
    see(made).to_contain_text("Flush")
    folds.fold()
    page = folds.look()
    see(page.locator(".yours .net")).to_have_text("-$5")
    see(made).to_have_count(0)
