"""Papers to take along: what a page links to is what the library makes of the book."""

from pathlib import Path

import pytest

from pitboss.lab.papers.par_paper import paper
from pitboss.lab.papers.par_workbook import workbook
from pitboss.lab.papers.rules_paper import rules_paper
from pitboss.web.pages import prices
from pitboss.web.pages.maths_page import par_report
from tests.helpers import CASINO_HOLDEM, DIAMOND_JO
from tests.web.open_house import thread

SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def test_every_paper_is_there_or_says_why_it_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path / "kept"))
    monkeypatch.setattr(prices, "_AT_HAND", set())
    made = par_report(DIAMOND_JO)
    papers = {
        "par.xlsx": (SHEET, workbook(made)),
        "par.pdf": ("application/pdf", paper(made)),
        "rules.pdf": ("application/pdf", rules_paper(DIAMOND_JO)),
    }
    with thread(tmp_path) as visited:
        ask = visited.caller()
        for name, (kind, written) in papers.items():
            found = ask("GET", f"/download/{name}/{DIAMOND_JO.id}")
            assert (found.status, found.headers["content-type"]) == (200, kind)
            saved = f'attachment; filename="diamond-jo-worth-cajun-stud-{name}"'
            assert found.headers["content-disposition"] == saved
            assert found.raw == written
        maths = ask("GET", f"/maths/{DIAMOND_JO.id}").raw.decode()
        rules = ask("GET", f"/rules/{DIAMOND_JO.id}").raw.decode()
        for name in papers:
            page = rules if name == "rules.pdf" else maths
            assert f'href="/download/{name}/{DIAMOND_JO.id}"' in page

        # Rules need no price; a price that takes minutes is not worked out for a download.
        slow = CASINO_HOLDEM.id
        assert ask("GET", f"/download/rules.pdf/{slow}").raw == rules_paper(CASINO_HOLDEM)
        found = ask("GET", f"/download/par.pdf/{slow}")
        assert found.status == 409
        assert "that begins where its maths is looked at" in found.raw.decode()
        assert "/download/par" not in ask("GET", f"/maths/{slow}").raw.decode()
        for wrong in (f"par.doc/{DIAMOND_JO.id}", "par.pdf/no/such"):
            assert ask("GET", f"/download/{wrong}").status == 404
