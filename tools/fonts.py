"""Make the typefaces that pages ship: Inter and Gelasio, with what pages show and no more.

It needs ``fonttools`` and ``brotli``, which nothing else here does, and two npm packages as they
come; their licence is the SIL Open Font License, which goes with the fonts::

    npm pack inter-ui@4.1.1 @fontsource-variable/gelasio@5.3.0
    .venv/bin/python -m pip install fonttools brotli
    .venv/bin/python -m tools.fonts inter-ui-4.1.1.tgz fontsource-variable-gelasio-5.3.0.tgz

It writes them, their licence and the wide letters of ``tests/browser``, and prints the
``unicode-range`` of each for ``pitboss.css``.
"""

import io
import re
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path

from fontTools import subset
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.svgLib.path import parse_path
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

ROOT = Path(__file__).parents[1]
STATIC = ROOT / "src/pitboss/web/pages/static"
WIDE = ROOT / "tests/browser/wide.woff2"
WIDER = 1.18
"""As wide beside Inter as the widest letters that machines have: DejaVu's and Verdana's bold."""

ASCII = [*range(0x20, 0x7F)]
ACCENTED = [*range(0xC0, 0x100)]
# Signs that look like others are meant: pages show these very ones.
SIGNS = [ord(each) for each in "\N{NO-BREAK SPACE}¡¢£§©«°±·»½¿–—‘’“”•…€−"]  # noqa: RUF001
ARROWS = [ord(each) for each in "←↑→↓⏎✓"]
SUITS = {"s": 0x2660, "h": 0x2665, "d": 0x2666, "c": 0x2663}

WEIGHTS = {"wght": (400, 700)}


def read(package: str, name: str) -> bytes:
    """Read a file from a package."""
    with tarfile.open(package) as archive:
        found = archive.extractfile(f"package/{name}")
        assert found is not None
        return found.read()


def smaller(
    found: TTFont, characters: list[int], axes: Mapping[str, object], *figures: str
) -> TTFont:
    """Keep these characters, these figures and kerning, and of each axis this much."""
    options = subset.Options(
        layout_features=["kern", *figures], hinting=False, name_IDs=[0, 1, 2, 13, 14]
    )
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(found)
    return instancer.instantiateVariableFont(found, axes)


def add_suits(found: TTFont) -> None:
    """Add the suits as our own cards have them."""
    drawn = (STATIC / "cards.svg").read_text("utf-8")
    size = 0.0074 * found["head"].unitsPerEm  # they are 100 high: as high as a capital letter
    for suit, code in SUITS.items():
        shape = re.search(f'id="pip-{suit}" d="([^"]+)"', drawn)
        assert shape is not None
        glyph = TTGlyphPen(None)
        wide = round(110 * size)
        place = (size, 0, 0, -size, wide / 2, 50 * size)
        parse_path(shape[1], TransformPen(Cu2QuPen(glyph, 1.0), place))
        name = f"suit-{suit}"
        found.setGlyphOrder([*found.getGlyphOrder(), name])
        found["glyf"][name] = made = glyph.glyph()
        made.recalcBounds(found["glyf"])
        found["hmtx"][name] = (wide, made.xMin)
        found["gvar"].variations[name] = []
        for table in found["cmap"].tables:
            table.cmap[code] = name


def stretched(found: TTFont) -> TTFont:
    """Make every letter wider."""
    for name in found.getGlyphOrder():
        glyph = found["glyf"][name]
        if glyph.isComposite():
            for part in glyph.components:
                part.x = round(part.x * WIDER)
        elif glyph.numberOfContours:
            glyph.coordinates.scale((WIDER, 1))
            glyph.coordinates.toInt()
        width, bearing = found["hmtx"][name]
        found["hmtx"][name] = (round(width * WIDER), round(bearing * WIDER))
    for several in found["gvar"].variations.values():
        for each in several:
            each.coordinates = [at and (at[0] * WIDER, at[1]) for at in each.coordinates]
            each.roundDeltas()
    return found


def write(found: TTFont, path: Path) -> None:
    """Write it as small as it gets."""
    found.flavor = "woff2"
    found["head"].modified = found["head"].created  # the same file whenever it is made
    found.recalcTimestamp = False
    found.save(path)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")
    print("  unicode-range: " + ranges(sorted(found.getBestCmap())))


def ranges(codes: list[int]) -> str:
    """Write characters as style sheets do."""
    several: list[list[int]] = []
    for code in codes:
        if several and code == several[-1][1] + 1:
            several[-1][1] = code
        else:
            several.append([code, code])
    return ", ".join(
        f"U+{first:X}" + (f"-{last:X}" if last > first else "") for first, last in several
    )


def main(inter: str, gelasio: str) -> None:
    """Make all of them."""

    def sans(characters: list[int]) -> TTFont:
        whole = TTFont(io.BytesIO(read(inter, "variable/InterVariable.woff2")))
        found = smaller(whole, characters, {**WEIGHTS, "opsz": 14}, "tnum")
        del found["HVAR"]  # widths by weight: the outlines have them too, and are changed here
        return found

    def serif(style: str) -> TTFont:
        return TTFont(io.BytesIO(read(gelasio, f"files/gelasio-latin-wght-{style}.woff2")))

    names = [*ASCII, *ACCENTED, *SIGNS]
    text = sans([*names, *ARROWS])
    add_suits(text)
    write(text, STATIC / "inter.woff2")
    heading = smaller(serif("normal"), names, WEIGHTS, "lnum", "tnum")
    write(heading, STATIC / "gelasio.woff2")
    italic = smaller(serif("italic"), [*ASCII, *SIGNS], {"wght": 400})
    write(italic, STATIC / "gelasio-italic.woff2")
    write(stretched(sans(names)), WIDE)
    holder, _, terms = read(inter, "LICENSE.txt").decode().partition("\n")
    another = read(gelasio, "LICENSE").decode().partition(" Gelasio-Italic")[0]
    (STATIC / "OFL.txt").write_text(f"Inter: {holder}\nGelasio: {another}\n{terms}")


if __name__ == "__main__":
    main(*sys.argv[1:])
