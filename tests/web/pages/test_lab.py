"""The lab page without a script: its address is its state, its numbers are those of par, and nobody
can ask it for more than it does."""

import asyncio
import html
import json
import random
import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from pitboss.errors import Refused
from pitboss.lab.controls import controls, edited, tried
from pitboss.lab.questions import Experiment
from pitboss.maths import same_play, solve
from pitboss.maths.price import ratio
from pitboss.rulebook import Rulebook, load, parse
from pitboss.web import workers
from pitboss.web.lab_desk import (
    MOST_UNASKED,
    POSTED,
    Lab,
    begin,
    begin_posted,
    key_of,
    line_of,
)
from pitboss.web.lab_worker import decoded
from pitboss.web.pages.lab_visit import VIEWS
from pitboss.web.workers import MOST_OF_ONE, Lane, LongWork, Worker
from tests.browser.forms import Forms
from tests.browser.test_floor import looks, plain
from tests.command import run
from tests.helpers import MISSISSIPPI, SENECA, ULTIMATE
from tests.lab.test_controls import drawn
from tests.web.mischief import eventually
from tests.web.open_house import Answer, Caller, Visited, thread

FLUSH = "table.main.rows.flush.odds"
FLUSHES = load("common/high-card-flush")


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visited]:
    """A house of which the lab is visited."""
    with thread(tmp_path_factory.mktemp("lab")) as found:
        yield found


@pytest.fixture
def forms(lab: Visited) -> Forms:
    return Forms(lab.guest())


def at(book: Rulebook, changes: dict[str, str], page: str = "", **more: str) -> str:
    return f"/lab/{book.id}{page}?{urlencode({**changes, **more})}"


# The page -----------------------------------------------------------------------------------------


def test_every_control_stands_on_the_page_as_posted(forms: Forms) -> None:
    for book in (MISSISSIPPI, SENECA):
        page = looks(forms, f"/lab/{book.id}")
        for each in controls(book):
            [at_it] = re.findall(rf'data-path="{re.escape(each.path)}".*?</div>', page, re.DOTALL)
            assert html.escape(each.posted) in at_it
            assert each.clause in plain(at_it)
        edge = -solve(book, 10_00 if book.cap else None).value
        assert f"{float(100 * edge):.4f} %" in plain(page)
        assert f"exactly {ratio(edge)}" in plain(page)
        assert "as posted" in plain(page)
    assert f'href="/lab/{MISSISSIPPI.id}"' in looks(forms, "/lab")
    for path in (f"/maths/{MISSISSIPPI.id}", f"/rules/{MISSISSIPPI.id}"):
        assert f'href="/lab/{MISSISSIPPI.id}"' in looks(forms, path)


def test_a_form_with_all_fields_leads_to_the_address_with_the_changes_alone(forms: Forms) -> None:
    fields = {each.path: each.posted for each in controls(MISSISSIPPI)}
    sent = forms.send("GET", at(MISSISSIPPI, fields | {FLUSH: " 7:1 "}, ante="none"))
    assert sent.status == 303
    where = sent.headers["location"]
    assert parse_qsl(urlsplit(where).query) == [(FLUSH, "7 to 1")]
    shown = plain(looks(forms, where))
    assert "1 change" in shown
    assert "posted 6 to 1" in shown
    assert "for the player posted 4.9149%" in shown


def test_what_cannot_be_taken_is_said_at_its_control_and_the_rest_is_priced(forms: Forms) -> None:
    page = looks(forms, at(MISSISSIPPI, {FLUSH: "lots", "table.main.rows.straight.odds": "5 to 1"}))
    [at_it] = re.findall(rf'data-path="{FLUSH}".*?</div>', page, re.DOTALL)
    assert 'aria-invalid="true"' in at_it
    assert "'lots' is not odds; write 3 to 2, 3:2, even, push or lose." in plain(at_it)
    assert "1 change" in plain(page)
    for ante in ("lots", "0", "-5", "1e9", "9" * 30):
        page = looks(forms, at(MISSISSIPPI, {FLUSH: "7 to 1"}, ante=ante))
        [at_it] = re.findall(r'data-path="ante".*?</div>', page, re.DOTALL)
        assert 'aria-invalid="true"' in at_it, ante
        assert "1 change" in plain(page)
    for path in (
        at(MISSISSIPPI, {"table.main.rows.no-such.odds": "1 to 1"}),
        at(MISSISSIPPI, {"spot.ante.title": "x"}),
        at(MISSISSIPPI, {}, show="no-such-view"),
        at(MISSISSIPPI, {f"a.{n}": "1" for n in range(300)}),
        at(MISSISSIPPI, {FLUSH: "9" * 5_000}),
    ):
        assert forms.send("GET", path).status == 400, path
    assert forms.send("GET", "/lab/no/such").status == 404


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("book", [MISSISSIPPI, SENECA], ids=lambda book: book.id)
def test_every_number_on_the_page_is_that_of_par_for_the_saved_book(
    forms: Forms, book: Rulebook, seed: int, tmp_path: Path
) -> None:
    changes = tried(book, drawn(book, 100 + seed)).taken
    ante = random.Random(seed).choice(["5", "25", "100"])
    page = plain(looks(forms, at(book, changes, "/figures", ante=ante)))
    answer = forms.send("GET", at(book, changes, "/rulebook.toml"))
    assert answer.headers["content-disposition"].endswith('.toml"')
    (tmp_path / "saved.toml").write_bytes(answer.raw)
    told = run("par", str(tmp_path / "saved.toml"), "--ante", ante, "--json").json
    main = told["main"]
    assert parse(answer.raw.decode()).sha256 == told["sha256"]
    up, down = main["value"].split("/")
    for said in (
        f"{100 * main['house_edge']:.4f} %",
        f"exactly {-int(up)}/{down}",
        f"Element of risk {main['element_of_risk']:.4%}",
        f"Player ends ahead {main['hit_frequency']:.2%}",
        f"Standard deviation, antes {main['standard_deviation']:.4f}",
        f"Average wager, antes {main['average_wager']:.4f}",
    ):
        assert said in page, said
    deals: dict[str, int] = {}
    for each in main["outcomes"]:
        deals[each["event"]] = deals.get(each["event"], 0) + each["deals"]
    for event, many in deals.items():
        words = event.replace("-", " ") if not event.startswith("fold-") else "olds, decision"
        assert re.search(f"{words[1:]}.{{0,3}} {many / main['deals']:.4%} ", page), event
    asked = forms.send("GET", f"/api{at(book, changes, ante=ante)}").json
    assert asked["changes"] == changes
    assert asked["par"] == json.loads(json.dumps(told)) | (
        {"progressive": asked["par"]["progressive"]} if book.progressive else {}
    )


def test_views_stand_below_the_figures(forms: Forms) -> None:
    best = plain(looks(forms, at(MISSISSIPPI, {FLUSH: "7 to 1"})))
    assert "Three cards, no pair" in best
    costs = plain(looks(forms, at(MISSISSIPPI, {FLUSH: "7 to 1"}, show="differences")))
    richer = edited(MISSISSIPPI, {FLUSH: "7 to 1"})
    gain = solve(richer).value - solve(MISSISSIPPI).value
    assert f"Flush {float(gain):+.4%} of the Ante" in costs
    assert "by that one change alone. 1 difference." in costs
    other = plain(
        looks(forms, at(MISSISSIPPI, {}, show="differences", beside="common/let-it-ride"))
    )
    assert "took that one thing over from Let It Ride" in other
    known = plain(looks(forms, at(MISSISSIPPI, {}, show="known-cards", backs="JQK")))
    told = run("protect", MISSISSIPPI.id, "--sorted", "JQK", "--json").json
    for value in (*told["known"].values(), told["sorted"]["JQK"]):
        assert f"{value:+.4%}" in known
    curve = plain(looks(forms, f"/lab/{SENECA.id}"))
    assert "House edge by ante, caps applied" in curve
    assert "Break-even meter $218,047.37" in curve


@pytest.mark.parametrize("book", [MISSISSIPPI, SENECA], ids=lambda book: book.id)
def test_backs_that_are_no_ranks_are_said_at_their_field(forms: Forms, book: Rulebook) -> None:
    page = looks(forms, at(book, {}, show="known-cards", backs="push"))
    if book.qualifier is not None:  # that takes longer, and is begun by a button
        state = urlencode({"show": "known-cards", "backs": "push"})
        forms.raw(f"/lab/{book.id}", {"do": "known-cards", "state": state})
        where = at(book, {}, show="known-cards", backs="push")
        eventually(lambda: "no group of ranks" in looks(forms, where), 60)
        page = looks(forms, where)
    [field] = re.findall(r'<input name="backs"[^>]*>', page)
    assert 'aria-invalid="true"' in field
    assert "'push' is no group of ranks, such as J or JQK." in plain(page)
    assert "House edge" in plain(page)


# Playing it ---------------------------------------------------------------------------------------


def test_a_variant_is_played_at_a_practice_table_of_ones_own(lab: Visited) -> None:
    forms = Forms(lab.caller())  # a stranger
    sent = forms.raw(f"/lab/{MISSISSIPPI.id}", {"do": "play", "state": urlencode({FLUSH: "9:1"})})
    assert sent.status == 303, sent
    where = sent.headers["location"]
    forms.caller.token = sent.headers["set-cookie"].partition("=")[2].partition(";")[0]
    page = looks(forms, where)
    assert "changed in the lab" in page
    assert "9 to 1" in page
    richer = edited(MISSISSIPPI, {FLUSH: "9 to 1"})
    assert f"/rules/{richer.id}?version={richer.sha256}" in page
    rules = plain(looks(forms, f"/rules/{richer.id}?version={richer.sha256}"))
    assert "on no shelf" in rules
    assert "Flush 9 to 1" in rules
    assert richer.id not in looks(forms, "/lab")
    # With real chips nobody opens it, and nobody else finds it on the shelf.
    body = {"key": "k", "command": {"action": "open-table", "rulebook": richer.id}}
    assert lab.guest()("POST", "/api/tables", body).status in (403, 409)
    assert forms.send("GET", f"/rules/{richer.id}").status == 404


# Workers ------------------------------------------------------------------------------------------


def asked(number: int) -> Experiment:
    return Experiment({FLUSH: f"{number} to 1"})


def line(number: int) -> bytes:
    return line_of("figures", MISSISSIPPI, asked(number))


def test_the_newest_question_of_somebody_replaces_their_older_ones() -> None:
    async def story() -> list[Any]:
        lane = Lane(0)
        try:
            every = [asyncio.ensure_future(lane.ask("ann", "a", line(n), 60)) for n in range(6)]
            return await asyncio.gather(*every, return_exceptions=True)
        finally:
            lane.close()

    first, *older, newest = asyncio.run(story())
    assert all(isinstance(each, Refused) for each in older)
    assert {each.refusal.code for each in older} == {"lab/superseded"}
    for each, number in ((first, 0), (newest, 5)):
        assert isinstance(each, bytes), each
        taken = decoded(each, dict)["taken"]
        assert taken == ({FLUSH: f"{number} to 1"} if number else {})


def test_a_process_that_takes_too_long_is_ended_and_the_next_question_answered() -> None:
    async def story() -> tuple[str, bytes]:
        worker = Worker(0)
        try:
            await worker.ask(line(7), 60)
            before = worker._process
            with pytest.raises(Refused) as told:
                await worker.ask(line_of("known-cards", SENECA, Experiment()), 0.3)
            assert before is not None
            assert before.poll() is not None
            return told.value.refusal.code, await worker.ask(line(8), 60)
        finally:
            worker.close()

    code, answer = asyncio.run(story())
    assert code == "lab/too-long"
    assert decoded(answer, dict)["taken"] == {FLUSH: "8 to 1"}


def test_what_takes_minutes_is_done_one_at_a_time_and_in_bounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workers, "MOST_QUEUED", 2)

    async def story() -> None:
        long = LongWork()
        for number, who in enumerate(("ann", "bob", "bob", "cay")):
            begin(long, "exact", MISSISSIPPI, asked(2 + number), who)
            await asyncio.sleep(0)
        keys = [key_of("exact", MISSISSIPPI, asked(2 + number)) for number in range(4)]
        assert long.under_way == (keys[0], keys[2], keys[3]), "bob's newer one is in the queue"
        with pytest.raises(Refused) as told:
            begin(long, "exact", MISSISSIPPI, asked(9), "dan")
        assert told.value.refusal.code == "lab/busy"
        while long.under_way:
            await asyncio.sleep(0.05)
        assert {*long.answers} == {keys[0], keys[2], keys[3]}
        long.close()

    asyncio.run(story())


def test_however_many_pages_somebody_has_others_have_their_turn() -> None:
    async def story() -> None:
        long = LongWork()
        begin(long, "exact", MISSISSIPPI, asked(2), "ann", "first page")
        await asyncio.sleep(0)
        for page in range(MOST_OF_ONE):
            begin(long, "exact", MISSISSIPPI, asked(3 + page), "ann", f"page {page}")
        begin(long, "exact", MISSISSIPPI, asked(20), "ann", "page 0")  # in place of its older one
        with pytest.raises(Refused, match="more to do than it can"):
            begin(long, "exact", MISSISSIPPI, asked(21), "ann", "one page more")
        begin(long, "exact", MISSISSIPPI, asked(22), "bob")
        waits = (key_of("exact", MISSISSIPPI, asked(number)) for number in (2, 4, 5, 20, 22))
        assert long.under_way == (*waits,)
        long.close()

    asyncio.run(story())


def test_a_flood_of_edits_is_refused_politely_and_a_table_goes_on(lab: Visited) -> None:
    """Strangers ask for different rules all at once; somebody is at a table meanwhile."""
    pip = lab.guest()
    table = pip.open()
    strangers = [lab.caller() for _ in range(4)]
    answers: list[int] = []

    def flood(caller: Caller, which: int) -> None:
        for number in range(4):
            odds = f"{100 + 4 * which + number} to 1"
            path = at(MISSISSIPPI, {"table.main.rows.royal-flush.odds": odds}, "/figures")
            answers.append(caller("GET", path, headers={"Accept": "text/html"}).status)

    floods = [
        threading.Thread(target=flood, args=(each, 12 * n + part))
        for n, each in enumerate(strangers)
        for part in range(12)
    ]
    for each in floods:
        each.start()
    done = [
        (pip.do(table, "leave") if odd else pip.do(table, "sit", seat=1)).status
        for odd in [False, True] * 4
    ]
    during = len(answers)
    for each in floods:
        each.join()
    assert done == [200] * 8
    assert during < len(answers), "the table was asked during the flood"
    assert {*answers} == {200, 429}
    # Whoever comes after it is answered.
    assert lab.guest()("GET", at(MISSISSIPPI, {FLUSH: "8 to 1"}, "/figures")).status == 200


def test_an_answer_is_remembered_for_everybody(lab: Visited) -> None:
    assert lab.web is not None
    assert lab.loop is not None
    kept = lab.web.kept(Lab)

    async def several() -> list[Any]:
        every = (
            kept.ask("figures", MISSISSIPPI, asked(33), who, who) for who in ("ann", "bob", "cay")
        )
        return await asyncio.gather(*every)

    first, *others = asyncio.run_coroutine_threadsafe(several(), lab.loop).result(60)
    assert all(each is first for each in others)


@pytest.mark.parametrize("show", VIEWS)
def test_every_view_says_what_it_waits_for(
    forms: Forms, show: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a game that was never worked out here, and where the lab has more to do than it can."""
    changes = {"table.blind.rows.flush.odds": "2 to 1"}
    page = looks(forms, at(ULTIMATE, changes, "/view", show=show))
    assert re.search(WAITS.get(show, "it takes up to a minute to work out"), plain(page), re.I)

    async def busy(*_: object) -> bytes:
        raise Refused(workers.BUSY)

    ask = Lab.ask

    async def asks(lab: Lab, question: str, *given: Any) -> Any:
        return await (ask(lab, question, *given) if question == "figures" else busy())

    monkeypatch.setattr(Lab, "ask", asks)
    page = plain(looks(forms, at(MISSISSIPPI, {FLUSH: "9 to 1"}, "/view", show=show)))
    assert "more to do than it can: ask again in a moment" in page or show == "design"


def test_a_slow_game_is_begun_when_it_is_opened_and_every_change_answered_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a machine that never worked it out: the posted rules, then a bound, then the exact price;
    and for programs the same."""
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path / "kept"))
    changes = {"qualifier.hand": "three card flush 7", "script.1.more.1.times": "4"}
    with thread(tmp_path) as visited:
        forms, program = Forms(visited.guest()), visited.guest()
        page = plain(looks(forms, at(FLUSHES, changes, "/figures")))
        assert "The posted rules are being worked out: up to a minute, once" in page
        assert "Work it out exactly" not in page

        def told(words: str) -> str:
            found = ""

            def there() -> bool:
                nonlocal found
                found = plain(looks(forms, at(FLUSHES, changes, "/figures")))
                return words in found

            eventually(there, 120)
            return found

        made = edited(FLUSHES, changes)
        bound = -same_play(solve(FLUSHES), made).value
        page = told("House edge, of the ante, at most")
        # However somebody writes the same, and whatever else cannot be taken.
        written = {"qualifier.hand": "Three  card flush, 7", "spot.ante.odds": "lots"}
        typed = at(FLUSHES, changes | written, "/figures")
        assert "House edge, of the ante, at most" in plain(looks(forms, typed))
        assert f"the bound, exactly {ratio(bound)}" in page
        assert "Work it out exactly" in page
        priced = at(FLUSHES, changes).replace("/lab/", "/api/lab/")
        answer = program("GET", priced).json
        assert (answer["bound"], answer["sha256"]) == (True, made.sha256)
        assert answer["par"]["main"]["value"] == ratio(-bound)
        # Whoever asks again has the exact price, and so has the page.
        answer = asked_again(program, priced, lambda found: found.json["bound"] is False)
        edge = -solve(made).value
        assert edge < bound
        assert answer.json["par"]["main"]["value"] == ratio(-edge)
        assert f"exactly {ratio(edge)}" in told("House edge, of the ante -")
        page = looks(forms, typed)
        assert f"exactly {ratio(edge)}" in plain(page)
        assert "at most" not in plain(page)
        assert "is not odds" in page


def asked_again(program: Caller, priced: str, enough: Callable[[Answer], bool]) -> Answer:
    """Ask until the answer is that, as patiently as the lab bounds it."""
    for _ in range(200):
        answer = program("GET", priced)
        if answer.status == 200 and enough(answer):
            return answer
        time.sleep(0.5)
    raise AssertionError(f"{priced} was never answered so")


def test_a_change_is_told_apart_from_the_posted_price_and_never_from_a_bound(
    forms: Forms,
) -> None:
    """At an ante whose cents are rounded, where the change was worked out, not the posted one."""
    fine = {"spot.ante.odds": "6 to 5"}
    posted, changes = edited(FLUSHES, fine), {"spot.raise.odds": "2 to 1"}
    sent = forms.raw(f"/lab/{FLUSHES.id}", {"do": "play", "state": urlencode(fine)})
    assert sent.status == 303, sent
    assert solve(posted).value
    edge = -solve(edited(posted, changes), 7_77).value
    table = {"ante": "7.77", "version": posted.sha256}
    page = looks(forms, at(posted, changes, "/figures", **table))
    assert f"exactly {ratio(edge)}" in plain(page)
    assert "lab-was" not in page
    page = plain(looks(forms, at(posted, {}, "/figures", **table)))
    assert "at most" in page
    assert "as posted the bound, exactly" in page


def test_a_program_that_asks_first_has_it_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path / "kept"))
    with thread(tmp_path) as visited:
        program, priced = visited.guest(), f"/api/lab/{FLUSHES.id}?ante=25"
        answer = program("GET", priced)
        assert (answer.status, answer.code) == (409, "price/none")
        assert "it takes up to a minute to work out, once" in answer.json["message"]
        answer = asked_again(program, priced, lambda _: True)
        assert answer.json["par"]["main"]["value"] == ratio(solve(FLUSHES).value)
        again = asked_again(program, priced.replace("25", "5"), lambda _: True)
        assert again.json["par"]["main"]["value"] == ratio(solve(FLUSHES).value), "at any ante"


def test_a_program_that_asks_for_several_prices_has_each_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often it asks for them in turns: none of them ends the work at another."""
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path / "kept"))
    with thread(tmp_path) as visited:
        program = visited.guest()
        several = [at(FLUSHES, {"spot.raise.odds": each}) for each in ("2 to 1", "3 to 1")]

        def exact() -> bool:
            time.sleep(0.5)
            answers = [program("GET", each.replace("/lab/", "/api/lab/")) for each in several]
            return all(each.status == 200 and not each.json["bound"] for each in answers)

        eventually(exact, 120)


def test_programs_that_ask_at_once_from_one_address_are_all_answered(lab: Visited) -> None:
    program = lab.caller()

    def priced(more: int) -> Answer:
        return program("GET", f"/api{at(SENECA, {'table.bet.rows.flush.odds': f'{more}:7'})}")

    with ThreadPoolExecutor(6) as several:
        answers = [*several.map(priced, range(50, 56))]
    assert [each.status for each in answers] == [200] * 6, answers
    assert len({each.json["sha256"] for each in answers}) == 6


def test_no_page_ends_what_another_of_the_same_person_has_begun(lab: Visited, forms: Forms) -> None:
    """Nor that of somebody else without a session at the same address; its own next does."""
    assert lab.web is not None
    long = lab.web.kept(LongWork)

    def begun(tab: str, odds: str) -> str:
        changes = {"spot.raise.odds": odds, "spot.ante.odds": "7 to 1"}
        fields = {"do": "exact", "state": urlencode(changes)}
        forms.more = {"X-Lab": tab}
        sent = forms.raw(f"/lab/{FLUSHES.id}", fields)
        assert sent.status == 303, sent
        return key_of("exact", FLUSHES, Experiment(changes))

    first, second, third = begun("one", "2 to 1"), begun("two", "3 to 1"), begun("two", "4 to 1")
    eventually(lambda: {first, third} <= {*long.answers}, 120)
    assert second not in long.answers


def test_the_posted_rules_are_begun_once_and_only_where_there_is_little_to_do() -> None:
    async def story() -> None:
        long = LongWork()
        begin_posted(long, FLUSHES)
        begin_posted(long, FLUSHES)
        await asyncio.sleep(0)
        assert long.under_way == (key_of("exact", FLUSHES, POSTED),)
        for number in range(MOST_UNASKED - 1):
            begin(long, "exact", MISSISSIPPI, asked(2 + number), f"guest {number}")
        begin_posted(long, ULTIMATE)
        assert len(long.under_way) == MOST_UNASKED
        long.close()
        await asyncio.sleep(0)
        failed = LongWork()
        failed.failed[key_of("exact", FLUSHES, POSTED)] = None
        begin_posted(failed, FLUSHES)
        assert failed.under_way == ()

    asyncio.run(story())


WAITS = {
    "design": "House edge, %",
    "known-cards": "takes up to half a minute",
    "differences": "Being worked out, exactly",
}
"""Views that do not wait for the game to be worked out, or that work out more than that."""


def test_a_form_with_more_than_any_address_is_refused_with_a_sentence(forms: Forms) -> None:
    state = urlencode({f"a.{n}": "1" for n in range(300)})
    sent = forms.raw(f"/lab/{MISSISSIPPI.id}", {"do": "exact", "state": state})
    assert sent.status == 400, sent
    assert "more than any rulebook has to change" in plain(sent.raw.decode())
