"""Draws the cards and the chips of the pages: two SVG sprites made of shapes alone.

    .venv/bin/python -m tools.draw_cards    # from the repository's root; writes both files anew

A page shows one with ``<svg><use href="cards.svg#As"/></svg>``. Ranks and denominations are drawn
too, since a font is not the same on every machine; and no gradient, clip or pattern is used, since
not every browser finds one by its id in another file.
"""

from collections.abc import Iterable, Sequence
from math import cos, pi, sin
from pathlib import Path

from pitboss.cards import DECK, RANKS, SUITS, Card

STATIC = Path(__file__).parents[1] / "src" / "pitboss" / "web" / "pages" / "static"

PAPER, INK, RED, GOLD, SKIN = "#fffdf6", "#17161c", "#c8141e", "#e8b93e", "#fde3c8"
BLUE, DEEP, PALE, NIGHT = "#1d4489", "#14305f", "#5b83c2", "#2b2a33"

CARD, CHIP, LOGO = "0 0 250 350", "0 0 100 80", "0 0 100 100"
"""The boxes that the symbols are drawn in, so that a page can keep their proportions."""

COLOURS = {"c": INK, "d": RED, "h": RED, "s": INK}
ROBES = {"c": (NIGHT, RED), "d": (RED, NIGHT), "h": (RED, BLUE), "s": (BLUE, RED)}
"""What a court of each suit wears: the robe and its trim."""

SHAPES = {
    "c": "M0-50A23 23 0 0 1 18-13A23 23 0 1 1 5 21Q7 40 20 50H-20Q-7 40-5 21A23 23 0 1 1-18-13"
    "A23 23 0 0 1 0-50Z",
    "d": "M0-52Q14-24 40 0Q14 24 0 52Q-14 24-40 0Q-14-24 0-52Z",
    "h": "M0 50C-9 28-47 8-47-20C-47-37-36-47-23-47C-12-47-3-39 0-27C3-39 12-47 23-47"
    "C36-47 47-37 47-20C47 8 9 28 0 50Z",
    "s": "M0-52C10-28 46-10 46 17C46 31 36 39 25 39C16 39 8 34 4 24Q6 42 20 50H-20Q-6 42-4 24"
    "C-8 34-16 39-25 39C-36 39-46 31-46 17C-46-10-10-28 0-52Z",
}
"""Each suit around its middle, about 100 high."""

GLYPHS = {
    "0": "M0-28C-12-28-16-16-16 0S-12 28 0 28S16 16 16 0S12-28 0-28Z",
    "1": "M-11-17L1-26V28M-12 28H14",
    "2": "M-16-13C-16-23-10-28 0-28S16-22 16-13C16-1-4 12-16 28H18",
    "3": "M-16-28H14L-3-6C9-7 17 0 17 11C17 21 10 28-1 28C-10 28-16 24-18 16",
    "4": "M8 33V-27L-18 14H20",
    "5": "M15-28H-12L-14-3Q-8-9 0-9C10-9 17-2 17 9C17 21 10 28-1 28C-10 28-15 25-18 18",
    "6": "M14-21Q9-28 2-28C-11-28-16-15-16 4C-16 20-10 28 0 28S16 21 16 10S10-8 0-8S-16 0-16 8",
    "7": "M-17-17V-28H16Q-2-6-3 33",
    "8": "M0-4C-8-4-14-9-14-16S-8-28 0-28S14-23 14-16S8-4 0-4C-10-4-17 3-17 12S-10 28 0 28"
    "S17 21 17 12S10-4 0-4Z",
    "9": "M-14 21Q-9 28-2 28C11 28 16 15 16-4C16-20 10-28 0-28S-16-21-16-10S-10 8 0 8S16 0 16-8",
    "A": "M-17 28L-1-28H1L17 28M-11 10H11M-25 28H-8M8 28H25",
    "J": "M9-28V10C9 22 4 28-5 28Q-15 28-17 16M-2-28H20",
    "K": "M-13-28V28M17-28L-12 4M-4-4L17 28M-21-28H-5M-21 28H-5M9-28H23M9 28H24",
    "Q": "M0-28C-12-28-17-16-17 0S-12 28 0 28S17 16 17 0S12-28 0-28ZM3 13L19 33",
    "T": "M-23-19L-16-26V33M12-28C3-28 0-16 0 0S3 28 12 28S24 16 24 0S21-28 12-28Z",
    "\N{CENT SIGN}": "M14-12Q9-20 0-20C-10-20-15-11-15 0S-10 20 0 20Q9 20 14 12M0-31V31",
}
"""Each rank and digit around its middle, as the line that a broad pen follows; T is a ten."""

PIPS: dict[int, tuple[Sequence[int], Sequence[int]]] = {
    2: ((0, 12), ()),
    3: ((0, 6, 12), ()),
    4: ((), (0, 12)),
    5: ((6,), (0, 12)),
    6: ((), (0, 6, 12)),
    7: ((3,), (0, 6, 12)),
    8: ((3, 9), (0, 6, 12)),
    9: ((6,), (0, 4, 8, 12)),
    10: ((2, 10), (0, 4, 8, 12)),
}
"""Where a number has pips: rows of the middle column, rows of both side columns, from 0 to 12."""

PAINTS = {
    "robe": 'fill="currentColor"',
    "trim": "",
    "gold": f'fill="{GOLD}"',
    "white": f'fill="{PAPER}"',
    "skin": f'fill="{SKIN}"',
    "red": f'fill="{RED}"',
    "ink": f'fill="{INK}" stroke="none"',
    "line": 'fill="none"',
    "thread": f'fill="none" stroke="{GOLD}" stroke-width="2"',
}
"""What a court's parts are painted with. Robe and trim take the colours the court is used with."""

BODY = """\
robe M62 203V148Q84 134 104 130H146Q170 134 188 140V147Z
thread M69 158l7-9l7 9l-7 9zM69 184l7-9l7 9l-7 9zM86 170l7-9l7 9l-7 9zM150 145l6-8l6 8l-6 8z
"""
LOOK = """\
line M108 97q6-4 11 0M131 97q5-4 11 0M125 100v9l-4 3
ink M111 103a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0
ink M134 103a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0
"""
COURTS = {
    "J": f"""\
{BODY}trim M100 130L122 176L150 164L148 130Z
white M102 130L125 152L148 130L138 124H112Z
gold M101 84C92 100 90 118 97 133Q106 136 110 128H140Q144 136 153 133C160 118 158 100 149 84Z
skin M105 84V108C105 124 116 133 125 133S145 124 145 108V84Z
robe M94 84C90 60 108 48 128 48S162 62 156 84Z
trim M93 83Q125 73 157 83V92Q125 82 93 92Z
white M136 80C138 56 154 40 180 35C186 54 172 72 144 77Z
line M141 76Q152 54 174 42M149 64l12 3M156 55l12 2M148 65l-3-10M155 56l-2-9
line M120 120q5 3 10 0
{LOOK}gold M169.5 146V98H173.500V146Z
white M171.5 72Q178 88 174 98Q186 94 185 112Q180 106 174 109H169V98Q165 88 171.5 72Z
skin M164 134a7 7 0 1 1 14 0v14h-14z""",
    "Q": f"""\
{BODY}trim M98 132L122 176L152 163L152 132Z
skin M108 126Q110 152 125 156Q140 152 142 126Z
gold M101 76C82 96 94 122 80 138Q92 152 108 140L125 90V76Z
gold M149 76C168 96 156 122 170 138Q158 152 142 140L125 90V76Z
line M95 100Q96 122 90 140M155 100Q154 122 160 140
skin M106 80C101 112 112 133 125 133S149 112 144 80Q125 96 106 80Z
gold M102 82L97 54L111 66L125 44L139 66L153 54L148 82Q125 74 102 82Z
red M125 60l4 6l-4 6l-4-6zM120 119q5-3 10 0q-5 5-10 0z
line M104 78Q125 70 146 78
{LOOK}thread M110 140Q125 150 140 140
line M173 146V112M173 128q8-2 9-9q-8 0-9 9
red M173 112q-12-2-11-15l6 4l5-7l5 7l6-4q1 13-11 15z
skin M166 136a7 7 0 1 1 14 0v10h-14z""",
    "K": f"""\
{BODY}white M98 131L84 138Q92 166 106 184L125 175L152 163Q162 150 164 136L150 131Z
ink M94 146l2-5l2 5l-2 5zM103 160l2-5l2 5l-2 5zM151 144l2-5l2 5l-2 5zM145 156l2-5l2 5l-2 5z
gold M101 84C88 100 96 116 88 126Q96 138 106 130V84Z
gold M149 84C162 100 154 116 162 126Q154 138 144 130V84Z
skin M103 82V112H147V82Z
white M103 102C99 140 114 156 125 162C136 156 151 140 147 102Q142 116 125 114Q108 116 103 102Z
line M117 132Q118 144 123 150M133 132Q132 144 127 150M109 124Q110 134 114 141
line M141 124Q140 134 136 141
red M119 121h12q-6 5-12 0z
white M125 112Q112 110 105 122Q118 125 125 118Q132 125 145 122Q138 110 125 112Z
gold M100 84L96 52L111 64L125 42L139 64L154 52L150 84Z
trim M98 77Q125 70 152 77V87Q125 80 98 87Z
gold M92 50a4 4 0 1 0 8 0a4 4 0 1 0-8 0M121 40a4 4 0 1 0 8 0a4 4 0 1 0-8 0
gold M150 50a4 4 0 1 0 8 0a4 4 0 1 0-8 0
{LOOK}white M169.5 126V62L173 52L176.5 62V126Z
gold M161 124H185V130H161Z
skin M166 130h14v16h-14z""",
}
"""The upper half of each court, a paint and a path a line, the hindmost first."""

# The sash hides where the two halves meet.
SASH = "M62 214L188 158V136L62 192Z"
GEMS = "".join(f"M{x} {230.6 - x / 2.25:.4g}l-6 4l6 4l6-4z" for x in range(77, 188, 24))

CHIPS = (
    ("chip-25", "25\N{CENT SIGN}", "#5c6570", "#d9dee4", "#ffffff"),
    ("chip-50", "50\N{CENT SIGN}", "#f0a3bb", "#fff6f8", "#6d1433"),
    ("chip-100", "1", "#f7f4ea", "#3c6bb0", "#1d4489"),
    ("chip-500", "5", "#c01f2b", "#fff3e0", "#fff8ec"),
    ("chip-2500", "25", "#137a45", "#fff3e0", "#fff8ec"),
    ("chip-10000", "100", "#26262d", "#f1ece0", "#fff8ec"),
    ("chip-50000", "500", "#632a8a", "#f0cf5b", "#fff8ec"),
    ("chip-100000", "1K", "#f2b02a", "#fff6dc", "#4a2304"),
    ("chip-500000", "5K", "#6a4023", "#eccf94", "#fff3da"),
    ("chip", "", BLUE, "#f3e3b3", "#f3e3b3"),
)
"""A chip's name (its worth in cents), what is printed, the colours of body, stripes and print."""


def _use(name: str, where: str, more: str = "") -> str:
    return f'<use href="#{name}" transform="{where}" {more}/>'


def _at(x: float, y: float, size: float) -> str:
    return f"translate({x:g} {y:g})scale({size:g})"


def _turned(name: str) -> str:
    return _use(name, "rotate(180 125 175)")


def _petals(count: int, size: float) -> str:
    turns = (f"rotate({360 * each / count:g})scale({size})" for each in range(count))
    return "".join(_use("petal", each) for each in turns)


def _path(name: str, drawn: str, more: str = "") -> str:
    return f'<path id="{name}" d="{drawn}" {more}/>'


def _glyph(each: str) -> str:
    return _path(f"glyph-{ord(each):x}", GLYPHS[each])


def _sprite(shapes: Iterable[str], symbols: Iterable[str]) -> str:
    inside = f"<defs>{''.join(shapes)}</defs>{''.join(symbols)}"
    return f'<svg xmlns="http://www.w3.org/2000/svg">{inside}</svg>\n'


def _number(card: Card) -> str:
    middle, sides = PIPS[card.rank]
    places = [(125, row) for row in middle] + [(x, row) for row in sides for x in (91, 159)]
    wheres = (_at(x, 62 + row * 226 / 12, 0.46 if row <= 6 else -0.46) for x, row in places)
    return "".join(_use(f"pip-{card.suit}", where, 'class="pip"') for where in wheres)


def _ace(card: Card) -> str:
    inlay = f'fill="none" stroke="{PAPER}" stroke-width="2.5"'
    if card.suit != "s":
        pip = f"pip-{card.suit}"
        return _use(pip, _at(125, 175, 1.25)) + _use(pip, _at(125, 175, 0.98), inlay)
    # A heart upside down is a spade without its foot.
    return (
        _use("pip-s", _at(125, 174, 1.46))
        + _use("pip-h", _at(125, 168.5, -1.14), inlay)
        + f'<g transform="translate(125 172)" fill="none" stroke="{PAPER}" stroke-width="2.2">'
        + f'{_petals(12, 0.52)}</g><circle cx="125" cy="172" r="5" fill="{PAPER}"/>'
    )


def _court(card: Card) -> str:
    robe, trim = ROBES[card.suit]
    return (
        f'<use href="#ground"/><g color="{robe}" fill="{trim}"><g id="half-{card}">'
        f'<use href="#court-{str(card)[0]}"/></g>{_turned(f"half-{card}")}<use href="#sash"/></g>'
        f'<g id="badge-{card}">{_use(f"pip-{card.suit}", _at(79, 52, 0.27))}</g>'
        + _turned(f"badge-{card}")
    )


def _face(card: Card) -> str:
    rank, colour = str(card)[0], COLOURS[card.suit]
    draw = {"A": _ace, "K": _court, "Q": _court, "J": _court}.get(rank, _number)
    pen = f'fill="none" stroke="{colour}" stroke-width="11.5" stroke-linejoin="round"'
    return (
        f'<symbol id="{card}" viewBox="{CARD}"><use href="#face"/><g fill="{colour}">'
        f'<g id="corner-{card}">'
        + _use(f"glyph-{ord(rank):x}", "translate(33 54)scale(.88 1.05)", pen)
        + _use(f"pip-{card.suit}", _at(33, 120, 0.45))
        + f"</g>{_turned(f'corner-{card}')}{draw(card)}</g></symbol>"
    )


def _back() -> str:
    starts = [(x, 0) for x in range(0, 200, 20)] + [(0, y) for y in range(20, 300, 20)]
    lattice = "".join(
        f"M{25 + x} {25 + y}l{reach} {reach}M{225 - x} {25 + y}l-{reach} {reach}"
        for x, y in starts
        for reach in [min(200 - x, 300 - y)]
    )
    # Dashes of no length with round ends are dots: here, one wherever two lines cross.
    return (
        f'<symbol id="back" viewBox="{CARD}"><use href="#face"/>'
        f'<rect x="12" y="12" width="226" height="326" rx="9" fill="{DEEP}"/><g fill="none">'
        f'<rect x="18" y="18" width="214" height="314" rx="5" stroke="{PAPER}" stroke-width="2"/>'
        f'<g stroke="{PALE}"><path id="lattice" d="{lattice}"/></g>'
        f'<use href="#lattice" stroke="{PAPER}" stroke-width="3.6" stroke-linecap="round"'
        f' stroke-dasharray="0 14.142"/></g>'
        f'<g transform="translate(125 175)" fill="none" stroke="{PAPER}" stroke-width="1.3">'
        f'<circle r="75" fill="{DEEP}" stroke-width="2.5"/>'
        f'<circle r="68" stroke-width="4" stroke-linecap="round" stroke-dasharray="0 11.868"/>'
        f'<circle r="61"/>{_petals(24, 1)}<g fill="{DEEP}">{_petals(12, 0.5)}</g>'
        f'<circle r="7" fill="{PAPER}"/></g></symbol>'
    )


def cards() -> str:
    """Draw the 52 cards and the back, each a symbol named as the card is written."""
    outline = f'stroke="{INK}" stroke-width="1.6" stroke-linejoin="round"'
    courts = (
        f'<g id="court-{rank}" {outline}>'
        + "".join(
            f'<path d="{drawn}" {PAINTS[paint]}/>'
            for paint, drawn in (line.split(" ", 1) for line in parts.splitlines())
        )
        + "</g>"
        for rank, parts in COURTS.items()
    )
    shapes = (
        f'<g id="face" fill="{PAPER}" stroke="#8d8878" stroke-width="2">',
        '<rect x="1.5" y="1.5" width="247" height="347" rx="17"/></g>',
        _path("ground", "M62 28H188V322H62Z", 'fill="#fdf4dc"'),
        f'<g id="sash" {outline}><path d="{SASH}" fill="{GOLD}"/><path d="{GEMS}"/>',
        '<path d="M62 28H188V322H62Z" fill="none" stroke-width="2"/></g>',
        _path("petal", "M0 0C14-18 12-40 0-56C-12-40-14-18 0 0Z"),
        *(_path(f"pip-{suit}", SHAPES[suit]) for suit in SUITS),
        *map(_glyph, RANKS),
        *courts,
    )
    return _sprite(shapes, (*map(_face, DECK), _back()))


def _stripe(middle: float) -> str:
    """Draw a stripe of the rim at an angle, and on down the side where that is in sight."""
    ends = [(cos(middle + side), sin(middle + side)) for side in (-0.17, 0.17)]
    (a, b), (c, d) = ((50 + 48 * x, 32 + 30 * y) for x, y in ends)
    (e, f), (g, h) = ((50 + 38 * x, 32 + 23.75 * y) for x, y in ends)
    edge = f"M{a:.1f} {b:.1f}A48 30 0 0 1 {c:.1f} {d:.1f}"
    top = f"{edge}L{g:.1f} {h:.1f}A38 23.75 0 0 0 {e:.1f} {f:.1f}Z"
    return top + f"{edge}v14A48 30 0 0 0 {a:.1f} {b + 14:.1f}Z" * (sin(middle) > 0.1)


def _chip(name: str, printed: str, body: str, stripes: str, ink: str) -> str:
    widths = [30 if each == "1" else 46 for each in printed]  # a 1 is narrower
    middles = [sum(widths[:place]) + widths[place] / 2 for place in range(len(widths))]
    letters = "".join(
        f'<use href="#glyph-{ord(each):x}" x="{middle - sum(widths) / 2:g}"/>'
        for each, middle in zip(printed, middles, strict=True)
    )
    size = min(0.58, 56 / (sum(widths) or 1))
    return (
        f'<symbol id="{name}" viewBox="{CHIP}"><use href="#disc" fill="{body}"/>'
        f'<use href="#stripes" fill="{stripes}"/><use href="#shade"/>'
        f'<use href="#ring" stroke="{stripes}"/>'
        f'<g transform="translate(50 32)scale({size:.3g} {min(size * 0.85, 0.46):.3g})" fill="none"'
        f' stroke="{ink}" stroke-width="11" stroke-linejoin="round">{letters}</g></symbol>'
    )


def chips() -> str:
    """Draw the chips, each a symbol named by its worth in cents, a plain one, and the logo."""
    shapes = (
        _path("disc", "M2 32A48 30 0 0 1 98 32V46A48 30 0 0 1 2 46Z"),
        _path("stripes", "".join(_stripe((each + 0.5) * pi / 4) for each in range(8))),
        '<g id="shade"><path d="M2 32v14A48 30 0 0 0 98 46V32A48 30 0 0 1 2 32Z" opacity=".25"/>',
        '<g fill="none" stroke="#000" stroke-opacity=".5">',
        '<path d="M2 32v14A48 30 0 0 0 98 46V32A48 30 0 0 1 2 32A48 30 0 0 1 98 32"/></g></g>',
        '<ellipse id="ring" cx="50" cy="32" rx="36" ry="22.5" fill="none"/>',
        *map(_glyph, sorted({each for chip in CHIPS for each in chip[1]})),
    )
    # A spade with a bow tie, on a chip seen from above.
    logo = (
        f'<symbol id="logo" viewBox="{LOGO}"><circle cx="50" cy="50" r="48" fill="{DEEP}"/>'
        f'<circle cx="50" cy="50" r="41" fill="none" stroke="{PAPER}" stroke-width="10"'
        f' stroke-dasharray="14 18.201" stroke-dashoffset="7"/>'
        f'<circle cx="50" cy="50" r="35" fill="{PAPER}"/>'
        f'<path d="{SHAPES["s"]}" transform="translate(50 48)scale(.56)" fill="{INK}"/>'
        f'<path d="M50 66L36 59V75L50 68L64 75V59Z" fill="{RED}" stroke="{PAPER}"/></symbol>'
    )
    return _sprite(shapes, (*(_chip(*each) for each in CHIPS), logo))


DRAWINGS = {"cards.svg": cards, "chips.svg": chips}

if __name__ == "__main__":
    for name, draw in DRAWINGS.items():
        (STATIC / name).write_bytes(draw().encode())
