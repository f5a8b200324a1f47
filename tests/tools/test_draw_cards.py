"""The drawn cards and chips: every symbol is there, whole, and small enough to send."""

import gzip
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from pitboss.cards import DECK
from tools import draw_cards

SVG = "{http://www.w3.org/2000/svg}"
FILES = {name: (draw_cards.STATIC / name).read_text("utf-8") for name in draw_cards.DRAWINGS}
SPRITES = {name: ElementTree.fromstring(text) for name, text in FILES.items()}


def symbols(sprite: str) -> dict[str, ElementTree.Element]:
    return {each.attrib["id"]: each for each in SPRITES[sprite].iter(f"{SVG}symbol")}


@pytest.mark.parametrize("name", FILES)
def test_the_file_is_what_the_tool_draws(name):
    assert draw_cards.DRAWINGS[name]().encode() == (draw_cards.STATIC / name).read_bytes()


def test_every_card_and_the_back_are_drawn():
    assert set(symbols("cards.svg")) == {str(card) for card in DECK} | {"back"}


def test_every_chip_and_the_logo_are_drawn():
    cents = (25, 50, 100, 500, 2500, 10000, 50000, 100000, 500000)
    assert set(symbols("chips.svg")) == {f"chip-{each}" for each in cents} | {"chip", "logo"}


@pytest.mark.parametrize("card", [card for card in DECK if card.rank <= 10], ids=str)
def test_a_number_has_as_many_pips_of_its_suit(card):
    pips = [each for each in symbols("cards.svg")[str(card)].iter() if each.get("class") == "pip"]
    assert [each.get("href") for each in pips] == [f"#pip-{card.suit}"] * card.rank
    assert len({each.get("transform") for each in pips}) == card.rank


@pytest.mark.parametrize("sprite", SPRITES)
def test_every_id_is_given_once_and_every_reference_is_found(sprite):
    ids = [each.attrib["id"] for each in SPRITES[sprite].iter() if "id" in each.attrib]
    assert len(ids) == len(set(ids))
    used = {each.attrib["href"] for each in SPRITES[sprite].iter() if "href" in each.attrib}
    assert used <= {f"#{each}" for each in ids}


def test_nothing_is_painted_by_reference():
    assert not any("url(" in text for text in FILES.values())


def test_both_sprites_are_small():
    sizes = [len(gzip.compress(each.encode(), 9)) for each in FILES.values()]
    assert sum(sizes) < 22_000


@pytest.mark.parametrize(
    "chip", [each for each in draw_cards.CHIPS if each[1]], ids=lambda chip: chip[0]
)
def test_the_print_on_a_chip_can_be_read(chip):
    assert contrast(chip[2], chip[4]) >= 4.5


def contrast(*colours: str) -> float:
    """The contrast of two colours, as the Web Content Accessibility Guidelines define it."""
    light, dark = sorted(map(luminance, colours), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[start:end], 16) / 255 for start, end in pairwise((1, 3, 5, 7))]
    linear = [
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts
    ]
    return sum(share * each for share, each in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
