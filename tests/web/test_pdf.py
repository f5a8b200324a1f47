"""A page of PDF, read back by the rules of its format alone."""

import re

from pitboss.web.pdf import PageLine, PageText, page

_OBJECT = re.compile(rb"(\d+) 0 obj\n(.*)\nendobj\n", re.DOTALL)


def pages_of(written: bytes) -> list[list[str]]:
    """Return the words of every page; each object must lie where the table of places says."""
    assert written.startswith(b"%PDF-1.")
    assert written.endswith(b"%%EOF\n")
    begins = int(re.findall(rb"startxref\n(\d+)\n", written)[-1])
    head, _, table = written[begins:].partition(b"\n0 ")
    assert head == b"xref"
    places = [int(each) for each in re.findall(rb"(\d{10}) 00000 n ", table)]
    assert int(table.split()[0]) == len(places) + 1
    ends = [*places[1:], begins]
    objects = {}
    for place, end in zip(places, ends, strict=True):
        found = _OBJECT.fullmatch(written[place:end])
        assert found is not None
        objects[int(found[1])] = found[2]
    root = _refers(objects, re.search(rb"/Root (\d+) 0 R", table))
    kids = _refers(objects, re.search(rb"/Pages (\d+) 0 R", root))
    numbers = re.search(rb"/Kids \[([^]]*)\]", kids)
    assert numbers is not None
    leaves = [objects[int(each)] for each in re.findall(rb"(\d+) 0 R", numbers[1])]
    assert b"/Count %d " % len(leaves) in kids
    return [_words(_refers(objects, re.search(rb"/Contents (\d+) 0 R", leaf))) for leaf in leaves]


def _refers(objects: dict[int, bytes], found: re.Match[bytes] | None) -> bytes:
    assert found is not None
    return objects[int(found[1])]


def _words(stream: bytes) -> list[str]:
    whole = re.fullmatch(rb"<< /Length (\d+) >>\nstream\n(.*)\nendstream", stream, re.DOTALL)
    assert whole is not None
    assert int(whole[1]) == len(whole[2])
    literal = re.findall(rb"\(((?:[^\\()]|\\.)*)\) Tj", whole[2])
    return [re.sub(rb"\\(.)", rb"\1", each).decode("cp1252") for each in literal]


def test_words_come_back_as_they_were_drawn():
    drawn: list[PageText | PageLine] = [
        PageText(54, 700, r"1 (a) \ b"),
        PageLine(690),
        PageText(54, 680, "Zoë  Ł", bold=True),
    ]
    assert pages_of(page("A (form)", drawn)) == [[r"1 (a) \ b", "Zoë ?"]]
