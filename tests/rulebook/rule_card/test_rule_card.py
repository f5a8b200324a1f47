"""The rule card has all that a rulebook has: every row and clause, every ruling marked as ours."""

import re
import tomllib
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from jinja2 import ChoiceLoader, DictLoader, Environment, FileSystemLoader, StrictUndefined

from pitboss import rulebook
from pitboss.hands import ORDERS
from pitboss.rulebook import Rulebook
from pitboss.rulebook.deal_script import DecideStep, ShowStep
from pitboss.rulebook.money_rules import Cap, Progressive
from pitboss.rulebook.paytable import Qualifier, Spot
from pitboss.rulebook.pit_rules import Approval, DeadHand, Procedure
from pitboss.rulebook.rule_card import card_text, house, play, rule_card
from pitboss.rulebook.rule_card.parts import HandLine, HandTable, Item, RuleCard, Sourced
from pitboss.rulebook.rulings import rulings
from tests.helpers import BOOKS, CRAZY_4, DIAMOND_JO, HOLLYWOOD, MISSISSIPPI, SENECA
from tests.small_books import TAKE_BACK

ROOT = Path(__file__).parents[3]
PAGES = ROOT / "src" / "pitboss" / "web" / "pages"
RULING = re.compile(r"R\d+[a-z]?")

CASINO = rulebook.load("common/casino-holdem")
ULTIMATE = rulebook.load("common/ultimate-texas-holdem")

LEFT_OUT: dict[str, str] = {}
"""Clauses that a book cites and its card does not, each with the reason."""

books = pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)


def marks(several: Iterable[Sourced]) -> set[str]:
    """The clauses and rulings that parts of a card cite."""
    return {each for cited in several for each in (*cited.clauses, *numbers(cited))}


def numbers(cited: Sourced) -> list[str]:
    return [ruling.number for ruling in cited.rulings]


def cited_by(book: Rulebook) -> set[str]:
    return {each for _, each in book.citations()}


# What is on it ----------------------------------------------------------------------------------


@books
def test_every_clause_and_ruling_that_the_book_cites_is_on_its_card_and_no_other(book):
    assert cited_by(book) - set(LEFT_OUT) == marks(rule_card(book).sourced())


@books
def test_every_row_of_every_pay_table_is_there(book):
    tables = rule_card(book).section("pays").tables
    assert [table.title for table in tables] == [table.title for table in book.table]
    for posted, table in zip(tables, book.table, strict=True):
        for line, row in zip(posted.lines, table.rows, strict=True):
            assert line.hand == row.label
            assert line.says.lower().lstrip("$") in (row.pays, row.pays.removesuffix(".00"))
            assert {*line.clauses, *numbers(line)} == set(row.cited.split(", "))


@books
def test_clauses_that_several_rows_share_are_printed_once(book):
    for table in rule_card(book).section("pays").tables:
        assert sum(line.run for line in table.lines) == len(table.lines)
        for above, line in zip(table.lines, table.lines[1:], strict=False):
            assert (line.run == 0) == (line.clauses == above.clauses)


@books
def test_every_wager_is_there_with_what_it_takes(book):
    said = rule_card(book).section("wagers").items
    for spot in book.spot:
        assert any(spot.title in item.label for item in said)
    for item in said:
        assert re.search(r"\$\d|posted minimum|times|twice", item.text), item


def test_equal_wagers_and_hands_are_named_as_people_name_them() -> None:
    ride, crazy = (
        card_text(rule_card(rulebook.load(f"common/{each}")))
        for each in ("let-it-ride", "crazy-4-poker")
    )
    told = " ".join(ride.split())
    assert "Every player bets the same on Bet 1, Bet 2 and Bet 3, and may add 3 Card" in told
    assert "Every table posts its limits for Bet 3:" in told
    told = " ".join(crazy.split())
    assert "Every player bets the Ante and as much on Super Bonus, and may add" in told
    assert "once the Ante (with a pair of aces or better also two or three times)" in told
    assert "The dealer qualifies with king high or better" in told


@books
def test_there_is_a_step_for_each_of_the_script_and_one_for_the_bets(book):
    assert len(rule_card(book).section("round").items) == len(book.script) + 1


@books
def test_a_section_has_a_title_a_name_of_its_own_and_something_in_it(book):
    card = rule_card(book)
    names = [section.name for section in card.sections]
    assert len(set(names)) == len(names)
    for section in card.sections:
        assert section.title
        assert section.items or section.tables
    for cited in card.sourced():
        if isinstance(cited, Item):
            assert cited.text.endswith("."), cited
            assert cited.text[0] == cited.text[0].upper()


@books
def test_the_text_says_every_rule_with_its_clauses_and_every_ruling(book):
    card = rule_card(book)
    said = " ".join(card_text(card).split())
    for each in card.sourced():
        if isinstance(each, Item):
            words = each.text
        else:
            assert isinstance(each, HandLine | HandTable)
            words = f"{each.hand if isinstance(each, HandLine) else each.title}: {each.says}"
        cited = f" [{', '.join(each.cites)}]" if each.cites else ""
        assert words + cited in said
    for ruling in card.rulings:
        assert f"{ruling.number}: {ruling.text}" in said


# Rulings ----------------------------------------------------------------------------------------


@books
def test_every_ruling_is_marked_and_listed_in_its_own_words(book):
    card = rule_card(book)
    wanted = {each for each in cited_by(book) if RULING.fullmatch(each)}
    assert {ruling.number for ruling in card.rulings} == wanted
    for ruling in card.rulings:
        assert ruling.text == rulings()[ruling.number]
    for cited in card.sourced():
        assert not any(RULING.fullmatch(each) for each in cited.clauses)
        assert cited.ours == (bool(cited.rulings) and not cited.clauses)


def test_rulings_are_listed_in_order():
    found = [ruling.number for ruling in rule_card(SENECA).rulings]
    assert found[:6] == ["R12", "R13", "R16", "R20", "R20a", "R21"]
    assert found.index("R27") + 1 == found.index("R27a")


def test_what_stands_by_our_ruling_alone_is_told_from_what_is_only_read_by_one():
    seats = rule_card(HOLLYWOOD).section("limits").items[0]
    assert seats.ours
    assert numbers(seats) == ["R22", "R23"]
    same = rule_card(DIAMOND_JO).section("limits").items[0]
    assert not same.ours
    assert same.clauses == ("H.3",)


def test_rulings_that_all_causes_share_are_said_once_above_them():
    misdeals = rule_card(DIAMOND_JO).section("misdeals")
    assert misdeals.lead is not None
    assert numbers(misdeals.lead) == ["R41", "R42", "R43", "R46", "R65"]
    assert [numbers(item) for item in misdeals.items] == [
        *(["R64"], [], ["R45"], ["R47", "R64"], ["R64"], [], []),
    ]
    assert all(item.ours for item in rule_card(HOLLYWOOD).section("misdeals").items)


def test_the_file_of_rulings_has_those_of_the_page_and_no_others():
    page = (ROOT / "docs" / "rulings.md").read_text("utf-8")
    documented = re.findall(r"^### (R\d+[a-z]?)\. \S", page, re.MULTILINE)
    path = Path(rulebook.__file__).with_name("rulings.toml")
    assert list(tomllib.loads(path.read_text("utf-8"))) == documented
    for book in BOOKS:
        assert {each for each in cited_by(book) if RULING.fullmatch(each)} <= set(documented)


def test_a_ruling_is_one_sentence_that_names_no_house_and_no_clause():
    houses = {word for book in BOOKS for word in book.house.split()[:2]} - {"Common", "rules"}
    for number, text in rulings().items():
        assert re.fullmatch(r"[A-Z0-9][^.]*\.", text), number
        assert len(text) < 170, number
        assert not any(house in text for house in houses), number


def test_a_ruling_of_somebody_elses_book_is_marked_all_the_same():
    seats = msgspec.structs.replace(MISSISSIPPI.seats, ruling="R99")
    card = rule_card(msgspec.structs.replace(MISSISSIPPI, seats=seats))
    assert card.rulings[-1].number == "R99"
    assert "the house's own" in card.rulings[-1].text


# In so many words -------------------------------------------------------------------------------


SAID = (
    (DIAMOND_JO, "round", "Each player gets two cards at once, face down."),
    (DIAMOND_JO, "round", "A fold gives up the Ante, First Raise and Second Raise."),
    (HOLLYWOOD, "round", "The board gets three cards at once, face down."),
    (HOLLYWOOD, "round", "The All Six card is turned up."),
    (SENECA, "round", "The other four dealer cards are turned up."),
    (MISSISSIPPI, "round", "Each player gets two cards, one at a time, face down."),
    (
        TAKE_BACK,
        "round",
        "Leave One where it lies, or take back One. No answer in time counts as a check.",
    ),
    (SENECA, "wagers", "Optional, before the deal: exactly $1."),
    (SENECA, "dealer", "does not qualify, Ante is paid 1 to 1 and Bet goes back."),
    (MISSISSIPPI, "limits", "a minimum from $5 to $25 and a maximum from $50 to $200."),
    (DIAMOND_JO, "ceilings", "where that is more: $75,000 at a minimum of $15."),
    (SENECA, "ceilings", "by two pair and better are at most $5,000 a round for each player."),
    (SENECA, "progressive", "70% of each token of $1 on Progressive goes to the meter"),
    (DIAMOND_JO, "paying", "A win of more than $300 is approved by a floor supervisor."),
    (ULTIMATE, "round", "A fold gives up the Ante and Blind."),
    (CASINO, "round", "The flop gets three cards at once, face up."),
    (CASINO, "dealer", "Ante is paid by its table (whoever is better) and Call goes back."),
    (CRAZY_4, "dealer", "Otherwise the better hand wins Ante and Play; on equal hands"),
    (DIAMOND_JO, "tokes", "rides the Ante: at most 10% of the posted maximum"),
    (DIAMOND_JO, "cards", "A floor supervisor or above fetches replacements"),
)


@pytest.mark.parametrize(("book", "section", "text"), SAID, ids=[each[2] for each in SAID])
def test_in_so_many_words(book, section, text):
    items = rule_card(book).section(section).items
    said = [each.text for item in items for each in (item, *item.more)]
    assert any(text in each for each in said), said


def test_nobody_is_told_of_a_fold_where_nobody_folds():
    assert "fold" not in card_text(rule_card(rulebook.load("common/let-it-ride")))


def test_a_hand_that_no_row_pays_goes_back_as_ties_say():
    replace, rule = msgspec.structs.replace, CRAZY_4.qualifier
    assert rule is not None
    for tie, says in (
        ("push", "a hand that no row pays loses it when beaten, and else it goes back."),
        ("lose", "a hand that no row pays gets it back if it wins, and else loses it."),
    ):
        book = replace(CRAZY_4, qualifier=replace(rule, tie=tie))
        assert any(says in each.text for each in rule_card(book).section("wagers").items)


def test_of_long_suits_the_higher_cards_are_said_to_win():
    tables = rule_card(rulebook.load("common/high-card-flush")).section("ranks").tables
    assert {each.says for each in tables} == {
        "Best first; of equally long ones the higher cards win."
    }


def choices(kind: type[msgspec.Struct], name: str) -> set[Any]:
    """The values that a field may have."""
    field = next(each for each in msgspec.structs.fields(kind) if each.name == name)
    return {value for each in (field.type, *get_args(field.type)) for value in get_args(each)} - {
        type(None)
    }


@pytest.mark.parametrize(
    ("words", "kind", "name"),
    [
        (play._SHOW, ShowStep, "order"),
        (play._SILENCE, DecideStep, "timeout"),
        (play._CHOICES, DecideStep, "timeout"),
        (play._NO_ROW, Qualifier, "tie"),
        (play._AFTER_FOLD, Spot, "after_fold"),
        (play._TIE, Qualifier, "tie"),
        (house._AMONG, Cap, "scope"),
        (house._POOL, Progressive, "awards_from"),
        (house._ROUNDING, Rulebook, "rounding"),
        (house._ACTS, Approval, "act"),
        (house._FATES, DeadHand, "money"),
        (house._WHEN, Procedure, "when"),
    ],
)
def test_there_are_words_for_everything_that_a_book_may_say(words, kind, name):
    assert set(words) == choices(kind, name)


def test_every_hand_is_explained():
    assert set(play._HANDS) == {each for _, names in ORDERS.values() for each in names}


# The page ---------------------------------------------------------------------------------------

BASE = "<title>{% block title %}{% endblock %}</title>{% block head %}{% endblock %}"
STUB = f"{BASE}<body>{{% block page %}}{{% endblock %}}</body>"


def page(card: RuleCard) -> str:
    """The page as a browser gets it, without what is around all pages."""
    loaders = [DictLoader({"stub.html": STUB}), FileSystemLoader(PAGES / "templates")]
    made = Environment(
        loader=ChoiceLoader(loaders),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["static"] = lambda name: f"/static/{name}"
    return made.get_template("rules.html").render(
        card=card,
        shelved="",
        maths="#section-round",
        lab="#section-round",
        cost="#{}".format,
        player_card="#section-pays",
        paper="#section-pays",
        base="stub.html",
    )


class Read(HTMLParser):
    """What a page is made of."""

    def __init__(self, written: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.names: set[str] = set()
        self.words: list[str] = []
        self.classes: set[str] = set()
        self.feed(written)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append(tag)
        self.names |= set(given)
        self.ids += [given["id"] or ""] if "id" in given else []
        self.links += [given["href"] or ""] if tag == "a" else []
        self.classes |= set((given.get("class") or "").split())

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


@books
def test_the_page_shows_the_whole_card(book):
    card = rule_card(book)
    read = Read(page(card))
    assert card.house in read.text
    assert card.document in read.text
    assert read.tags.count("table") == len(card.section("pays").tables) + len(
        card.section("ranks").tables
    )
    for cited in card.sourced():
        text = getattr(cited, "text", "") or getattr(cited, "hand", "")
        assert text in read.text
    for ruling in card.rulings:
        assert ruling.text in read.text
    for clause in cited_by(book):
        assert clause in read.text.split()


@books
def test_the_page_has_no_style_or_script_in_it_and_its_links_lead_somewhere(book):
    read = Read(page(rule_card(book)))
    assert not {"script", "style"} & set(read.tags)
    assert not [name for name in read.names if name == "style" or name.startswith("on")]
    assert len(set(read.ids)) == len(read.ids)
    assert read.links
    for link in read.links:
        assert link.startswith("#")
        assert link[1:] in read.ids, link
    levels = [int(tag[1]) for tag in read.tags if re.fullmatch(r"h\d", tag)]
    assert levels == [1] + [2] * (len(levels) - 1)


@books
def test_every_clause_and_every_ruling_can_be_linked_to(book):
    read = Read(page(rule_card(book)))
    assert cited_by(book) <= set(read.ids)


def test_a_clause_is_looked_up_where_it_is_cited_before_all_others():
    places = rule_card(DIAMOND_JO).places()
    # A.3 stands second beside a row of the pay table, and first beside the notice that it asks for.
    assert places["A.3"].sentence == "Winnings are subject to the posted aggregate limit."
    assert places["I.2.a"].sentence == "Royal flush: 500 to 1"
    # B.1.f is never cited first, so it is looked up where it is cited at all.
    assert places["B.1.f"].sentence == "Pair of sixes to tens: Push"


def test_whatever_a_book_says_is_text_and_no_markup():
    card = rule_card(msgspec.structs.replace(MISSISSIPPI, house="<script>alert(1)</script>"))
    assert "<script>" not in page(card)


def test_every_class_of_the_page_has_its_style_and_every_style_its_use():
    template = (PAGES / "templates" / "rules.html").read_text("utf-8")
    styled = set(re.findall(r"\.(rc-[a-z]+)", (PAGES / "static" / "rules.css").read_text("utf-8")))
    used = set(re.findall(r"\brc-[a-z]+", template)) | {f"rc-{each}" for each in ("lose", "push")}
    assert used == styled
