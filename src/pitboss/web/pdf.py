"""A page of PDF: text and lines in a letter that every reader has, and nothing else."""

from collections.abc import Iterable, Sequence

import msgspec

WIDTH, HEIGHT = 612, 792
"""A letter page in points, seventy-two to the inch."""
LEFT, RIGHT, TOP, BOTTOM = 54, 558, 738, 54


class PageText(msgspec.Struct, frozen=True):
    """Words on the page, from their left end on."""

    x: int
    y: int
    says: str
    size: int = 10
    bold: bool = False


class PageLine(msgspec.Struct, frozen=True):
    """A thin line across the page."""

    y: int


def page(title: str, drawn: Iterable[PageText | PageLine]) -> bytes:
    """Write a document of one page.

    >>> page("A form", [PageText(54, 700, "1 Winnings")])[:8]
    b'%PDF-1.4'
    """
    content = b"\n".join(_drawn(each) for each in drawn)
    fonts = "/F1 5 0 R /F2 6 0 R"
    font = "<< /Type /Font /Subtype /Type1 /BaseFont /{} /Encoding /WinAnsiEncoding >>"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /Lang (en) >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] /Contents 4 0 R"
        f" /Resources << /Font << {fonts} >> >> >>".encode(),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        font.format("Helvetica").encode(),
        font.format("Helvetica-Bold").encode(),
        b"<< /Title " + _literal(title) + b" >>",
    ]
    return _document(objects)


def _document(objects: Sequence[bytes]) -> bytes:
    """Put objects together with the table of where each begins; the last tells of the document."""
    written, places = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", []
    for number, each in enumerate(objects, start=1):
        places.append(len(written))
        written += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(objects) + 1
    end = b"xref\n0 %d\n0000000000 65535 f \n%strailer\n" % (count, table)
    end += b"<< /Size %d /Root 1 0 R /Info %d 0 R >>\n" % (count, len(objects))
    return written + end + b"startxref\n%d\n%%%%EOF\n" % len(written)


def _drawn(each: PageText | PageLine) -> bytes:
    if isinstance(each, PageLine):
        return f"0.5 w {LEFT} {each.y} m {RIGHT} {each.y} l S".encode()
    font = "/F2" if each.bold else "/F1"
    begin = f"BT {font} {each.size} Tf {each.x} {each.y} Td ".encode()
    return begin + _literal(each.says) + b" Tj ET"


def _literal(says: str) -> bytes:
    """Write words as PDF does; a letter that its fonts have not is a question mark."""
    plain = " ".join(says.split()).encode("cp1252", "replace")
    for special in (b"\\", b"(", b")"):
        plain = plain.replace(special, b"\\" + special)
    return b"(" + plain + b")"
