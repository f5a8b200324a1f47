"""Every promise says what enforces it, and against whom it holds."""

from pitboss.audit.promises import PROMISES
from tests.docs.pages import DOCS, code, rows

PEOPLE = ("stranger", "player", "dealer", "supervisor", "administrator")
HOLDERS = ("reads the database", "writes to the database", "has the machine")


def test_every_promise_says_what_enforces_it_and_which_test_breaks_with_it():
    columns = ("#", "promise", "what enforces it", "the test that breaks with it")
    table = rows(DOCS["promises.md"], *columns)
    assert [row[0] for row in table] == [str(number) for number in range(1, len(PROMISES) + 1)]
    assert all(all(row) for row in table)


def test_every_promise_says_against_whom_it_holds_and_why_where_it_does_not():
    page, columns = DOCS["promises.md"], (*PEOPLE, *HOLDERS)
    table = rows(page, "#", "promise", *columns)
    numbered = enumerate(PROMISES, start=1)
    assert [row[:2] for row in table] == [[str(number), says] for number, (says, _) in numbered]
    words = {code(row[0]) for row in rows(page, "word", "meaning")}
    assert {cell for row in table for cell in row[2:]} == words
    explained = {
        (number, who)
        for number, several, why, shown in rows(page, "#", "who", "why", "shown by")
        for who in several.split(", ")
        if why and shown
    }
    assert {who for _, who in explained} <= set(columns)
    for number, _, *cells in table:
        for who, cell in zip(columns, cells, strict=True):
            assert cell == "holds" or (number, who) in explained, f"{number}, {who}: say why"
