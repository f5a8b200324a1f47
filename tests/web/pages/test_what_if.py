"""What if, on the page of a replay: what it says, to whom, and what it does with nonsense."""

import html
import re
from pathlib import Path
from urllib.parse import quote

import pytest

from pitboss.house.replay import past
from pitboss.web.pages import coach
from pitboss.wording import TIMES
from tests.web.open_house import Answer, Caller, Visited, rigged, thread

BOARD_FIRST = "9h 4s 3c  Ks 2c Kd 7d"
"""A pair of kings for seat 1 of two at Mississippi Stud, nothing for seat 2."""


def look(who: Caller, where: str) -> Answer:
    cookie = {"Cookie": f"pitboss={who.token}", "Authorization": ""}
    return who("GET", where, headers=cookie)


def said(answer: Answer) -> str:
    """The answer of the page to what if, in words."""
    assert answer.status == 200
    whole = re.search(r'<div class="what-if".*?</div>', answer.raw.decode(), re.S)
    if whole is None:
        return ""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", whole[0])).split())


def step_of(who: Caller, name: str) -> int:
    """The step of a page at which somebody first decided: the one that it opens at."""
    page = look(who, f"/rounds/{name}").raw.decode()
    found = re.search(r'data-at="(\d+)"', page)
    assert found
    return int(found[1])


def two_at(house: Visited, *, ben_stays: bool) -> tuple[Caller, Caller, str]:
    """Ann folds her kings; Ben stays, or does not."""
    ann, ben = house.guest(), house.guest()
    table = ann.open(betting_seconds=600, decision_seconds=600)
    for who, seat in ((ann, 1), (ben, 2)):
        assert who.do(table, "sit", seat=seat).status == 200
    for who, seat in ((ann, 1), (ben, 2)):
        assert who.do(table, "bet", seat=seat, wagers={"ante": 5_00}).status == 200
    assert ann.do(table, "fold", seat=1).status == 200
    if ben_stays:
        for _ in range(3):
            assert ben.do(table, "raise", seat=2, times=1).status == 200
    else:
        assert ben.do(table, "fold", seat=2).status == 200
    return ann, ben, f"{table}-1"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory):
    folder: Path = tmp_path_factory.mktemp("what-if")
    with thread(folder, deck=rigged(BOARD_FIRST)) as found:
        yield found


def test_it_says_how_the_round_would_have_ended_and_why(site):
    ann, _, name = two_at(site, ben_stays=True)
    step = step_of(ann, name)
    page = look(ann, f"/rounds/{name}?step={step}&if=raise:2")
    assert said(page).startswith(f"Raise 2{TIMES}: +$45 instead of -$5 Wagers Won or lost Ante $5")
    assert "Pair of kings" in said(page)
    assert said(page).endswith(
        "With the cards that were shown here, and all other decisions as they were made;"
        f" where none was made, the best strategy's: raise 3{TIMES} and raise 3{TIMES}."
    )
    whole = html.unescape(page.raw.decode())
    links = re.findall(rf'href="/rounds/{name}\?step={step}&if=([^"]+)"', whole)
    assert links == ["raise:3", "raise:2", "raise:1"]  # as the dock has them, not what she did


def test_what_was_never_shown_is_said_to_be_and_has_its_exact_average(site):
    ann, ben, name = two_at(site, ben_stays=False)
    found = past(site.web.house.archive, name, ann.person)
    [decision] = coach.decisions(found)
    step = step_of(ann, name)
    for choice in decision.choices:
        page = look(ann, f"/rounds/{name}?step={step}&if={choice.key}")
        if choice == decision.made:
            assert said(page) == "Fold is what was done."
            continue
        assert said(page) == (
            f"{choice.says.capitalize()} would have taken cards that were never shown here, and"
            " they stay sealed: nobody is told how it would have ended. On average it nets"
            f" {choice.text}."
        )
        # Neither the board nor the cards of the other seat are anywhere on the page.
        for written in ("9h", "4s", "3c", "2c", "7d"):
            assert f"#{written}" not in page.raw.decode()
            assert f"[&#34;{written}&#34;" not in page.raw.decode()
    assert said(look(ben, f"/rounds/{name}?step={step_of(ben, name)}&if=raise:1")) != ""


@pytest.mark.parametrize(
    "asked",
    [
        "raise:4",
        "raise:",
        "raise:03",
        "raise:3 ",
        "check",
        "RAISE:3",
        "<b>&",
        "'",
        "x" * 3000,
        "\0",
    ],
)
def test_nonsense_gets_a_sentence(site, asked):
    ann, _, name = two_at(site, ben_stays=True)
    page = look(ann, f"/rounds/{name}?step={step_of(ann, name)}&if={quote(asked)}")
    raises = ", ".join(f"raise {times}{TIMES}" for times in (1, 2, 3))
    assert said(page) == f"{asked[:40]!r} is none of the choices here: try {raises} or fold."
    assert "<b>&" not in page.raw.decode()


def test_where_nothing_was_decided_nothing_can_be_tried(site):
    ann, _, name = two_at(site, ben_stays=True)
    nothing = "Nothing can be tried at this step: go to one of the decisions."
    for step in ("1", "99"):
        assert said(look(ann, f"/rounds/{name}?step={step}&if=raise:3")) == nothing
    for step in ("-1", "nonsense", "9" * 400):  # it opens at her decision
        assert said(look(ann, f"/rounds/{name}?step={step}&if=fold")) == "Fold is what was done."
    assert said(look(ann, f"/rounds/{name}")) == ""


def test_it_is_for_those_who_may_see_that_seat(site):
    """Who watches has no seat to try things for; a shared link has that of the sharer."""
    ann, ben, name = two_at(site, ben_stays=True)
    step, eve = step_of(ann, name), site.guest()
    asked = f"?step={step}&if=raise:2"
    assert look(eve, f"/rounds/{name}{asked}").status == 404
    mine = look(ann, f"/rounds/{name}").raw.decode()
    link = re.search(rf"/rounds/{name}/[0-9a-f]+", mine)
    assert link
    shared = said(look(eve, f"{link[0]}{asked}"))
    assert shared.startswith(f"Raise 2{TIMES}: +$45 instead of -$5 ")
    eve.come(name.rpartition("-")[0])
    assert said(look(eve, f"/rounds/{name}{asked}")) == (
        "Nothing can be tried at this step: go to one of the decisions."
    )
    # Ben folded nothing: what he tries is about his own hand, a seven and a two.
    other = said(look(ben, f"/rounds/{name}?step={step_of(ben, name)}&if=fold"))
    assert other.startswith("Fold: -$5 instead of -$20 ")
    assert "king" not in other
