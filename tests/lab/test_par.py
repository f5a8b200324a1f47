"""The par report: its chart says exactly what was solved, its files and figures agree with it."""

import csv
import io
import re
from fractions import Fraction
from html.parser import HTMLParser
from math import comb
from pathlib import Path

import msgspec
import numpy as np
import pytest

from pitboss import maths
from pitboss.cards import Card, cards
from pitboss.hands import ranking
from pitboss.lab import chart, par_page, rule_list
from pitboss.lab.report import antes, as_json, report
from pitboss.maths import dealer_games, dealers_hands, pay_table_games
from pitboss.maths.hand_states import levels
from pitboss.money import odds
from pitboss.rulebook.variants import with_pays
from tests.command import complaint, run
from tests.helpers import (
    CASINO_HOLDEM,
    DIAMOND_JO,
    HOLDEM_BONUS,
    HOLLYWOOD,
    MISSISSIPPI,
    SENECA,
)
from tests.lab.chart_reader import read

DJ, HW, SN = (book.id for book in (DIAMOND_JO, HOLLYWOOD, SENECA))
NAMES = [*"23456789", "10", *"JQKA"]
RANK = {name: rank for rank, name in enumerate(NAMES, start=2)}

# The chart ---------------------------------------------------------------------------------------


def plainly(made):
    """The chart as any program would get it."""
    return msgspec.json.decode(msgspec.json.encode(made))


def fits(line, seen, hand):
    """Whether a line of the chart, as plain data, speaks of what is seen."""
    if line["hands"]:
        return hand in line["hands"]
    return all(
        (each["least"] is None or seen[each["feature"]] >= each["least"])
        and (each["most"] is None or seen[each["feature"]] <= each["most"])
        for each in line["when"]
    )


def in_words(ranks):
    return "-".join(NAMES[rank - 2] for rank in ranks)


def noticed(ranks, points):
    """What a person sees in these ranks, by ways that the chart's own code does not use."""
    lows = [1 if rank == 14 else rank for rank in ranks]
    windows = [set(range(low, low + 5)) for low in range(1, 11)]
    fit = [w for w in windows if set(ranks) <= w or (set(lows) <= w and 1 in w)]
    single = [rank for rank in ranks if ranks.count(rank) == 1]
    return {
        "points": sum(points[rank - 2] for rank in ranks),
        "high": len([rank for rank in ranks if points[rank - 2] == max(points)]),
        "straights": len(fit) if len(set(ranks)) == len(ranks) else 0,
        "top": ranks[0],
        "low": ranks[-1],
        "pair": max([rank for rank in ranks if ranks.count(rank) > 1], default=0),
        "kicker": max(single, default=0),
        "alike": max(ranks.count(rank) for rank in ranks),
    }


def said(data, ranks, suited):
    """What the chart, as plain data, says of a hand: a choice for each stake."""
    if len(ranks) == 2:
        high, low = ranks[0] - 2, ranks[1] - 2
        return [data["grid"][low][high] if suited else data["grid"][high][low]]
    doubled = len(ranks) - len(set(ranks))
    group = ["suited" if suited else "no pair", "pair"][doubled] if doubled < 2 else None
    group = group or "two pair or better"
    section = next(s for s in data["sections"] if s["seen"] == len(ranks) and s["group"] == group)
    seen = noticed(ranks, data["points"])
    return next(line["choices"] for line in section["lines"] if fits(line, seen, in_words(ranks)))


@pytest.mark.parametrize(
    ("book", "ante"),
    [
        (DIAMOND_JO, None),
        (HOLLYWOOD, None),
        (MISSISSIPPI, None),
        (DIAMOND_JO, 30_00),
        (with_pays(DIAMOND_JO, {"sixes-to-tens": odds("2:1"), "flush": odds("9:1")}), None),
    ],
    ids=["common", "other-odds", "no-cap", "capped", "odd-odds"],
)
def test_the_chart_is_the_whole_strategy_of_a_pay_table(book, ante):
    solution = maths.solve(book, ante)
    solved = solution.solved
    assert isinstance(solved, pay_table_games.PayTableSolution)
    data = plainly(chart.chart(solution))
    for street, best in zip(solved.plan.streets, solved.best, strict=True):
        level = levels()[street.seen]
        found = [
            said(data, level.ranks(state), bool(level.suited[state])) for state in range(len(best))
        ]
        assert found == best.tolist()
    assert sum(len(section["lines"]) for section in data["sections"]) < 40


def said_of(data, strength, ranks, upcard, shared):
    """What the chart says against an upcard, with these ranks in its suit."""
    five = ranking("five-card")
    hand = five.classes[strength - 1]
    name = f"{hand.category.replace('-', ' ')} {in_words(hand.ranks)}"
    in_suit = in_words([rank for rank in range(14, 1, -1) if shared >> (rank - 2) & 1])
    for each in data["suits"]:
        if (each["hand"], RANK[each["upcard"]]) == (name, upcard):
            return each["choices"][in_suit]
    padded = [*hand.ranks, 0, 0, 0, 0][:5]
    seen = {
        **dict(zip(("first", "second", "third", "fourth", "fifth"), padded, strict=True)),
        "upcard": upcard,
        "matches": ranks.count(upcard),
        "above": len([rank for rank in ranks if rank > upcard]),
    }
    lines = data["sections"][0]["lines"]
    against = f"{name} against {in_words([upcard])}"
    return next(line["choices"][0] for line in lines if fits(line, seen, against))


def test_the_chart_is_the_whole_strategy_against_a_dealer():
    solution = maths.solve(SENECA)
    data = plainly(chart.chart(solution))
    solved = solution.solved
    assert isinstance(solved, dealer_games.DealerSolution)
    every = dealers_hands.cases(dealer_games.shape(SENECA)[0].weakest)
    worth = [dealer_games.worth(every, solved.pay, choice) for choice in (2, 0)]
    best = np.where(worth[0] >= worth[1], 2, 0)
    place = {
        f"{hand.category.replace('-', ' ')} {in_words(hand.ranks)}": hand.strength
        for hand in ranking("five-card").classes
    }
    upto = 0
    for band in data["bands"]:
        assert place[band["weakest"]] == upto + 1
        here = (every.strength > upto) & (every.strength <= place[band["best"]])
        upto = place[band["best"]]
        if band["choice"] is not None:
            assert (best[here] == band["choice"]).all()
            continue
        level = levels()[5]
        where = zip(
            *(each[here].tolist() for each in (every.state, every.upcard, every.shared, best)),
            strict=True,
        )
        for state, up, shared, choice in where:
            ranks = level.ranks(state)
            strength = place[f"high card {in_words(ranks)}"]
            assert said_of(data, strength, ranks, up + 2, shared) == choice
    assert upto == 7462


def test_the_chart_is_read():
    table, dealer = (chart.chart(maths.solve(book)) for book in (DIAMOND_JO, SENECA))
    assert read(table, maths.Seen(cards("6s 5s"))) == 1
    assert read(table, maths.Seen(cards("6s 5d"))) == 0
    assert read(table, maths.Seen(cards("6s 6d"), cards("2c"), None, (3,))) == 3
    assert read(dealer, maths.Seen(cards("2s 2d 3c 4h 9s"), (), Card(0))) == 2
    up = cards("3h")[0]
    assert read(dealer, maths.Seen(cards("Ah Kd Qc 5c 2s"), (), up)) == 2
    assert read(dealer, maths.Seen(cards("Ad Kd Qc 5c 2s"), (), up)) == 0


def test_what_no_rule_tells_apart_is_named():
    same = {"rank": np.array([7, 7, 7, 9])}
    rules = rule_list.cover(same, np.array([0, 1, 0, 0]))
    assert [(rule.choice, rule.only) for rule in rules] == [(0, ()), (1, (1,)), (0, ())]


# Files -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", [DIAMOND_JO, HOLLYWOOD, SENECA], ids=lambda book: book.id)
def test_csv_adds_up(book, tmp_path):
    path = tmp_path / "par.csv"
    assert run("par", book.id, "--csv", str(path)).out == ""
    rows = list(csv.DictReader(io.StringIO(path.read_text("utf-8"))))
    wholes = {row["wager"]: int(row["of"]) for row in rows}
    for wager, whole in wholes.items():
        assert sum(int(row["ways"]) for row in rows if row["wager"] == wager) == whole
    solution = maths.solve(book)
    assert wholes["main"] == solution.deals
    net = sum(float(row["net"]) * int(row["ways"]) for row in rows if row["wager"] == "main")
    assert net / solution.deals == pytest.approx(float(solution.value))
    for side in (spot for spot in book.spot if spot.kind == "side"):
        back = sum(float(r["net"]) * int(r["ways"]) for r in rows if r["wager"] == side.name)
        assert back / wholes[side.name] == pytest.approx(float(maths.side_wager(book, side).value))


VOID = {"meta", "br"}


class WellFormed(HTMLParser):
    """Every tag that is opened is closed, in order; nothing runs and nothing is fetched."""

    def __init__(self):
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        assert not {name for name, _ in attrs} & {"src", "href", "onclick", "onload"}
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        assert attrs
        assert tag in {"line", "polygon", "polyline"}

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("book", [DIAMOND_JO, SENECA, MISSISSIPPI], ids=lambda book: book.id)
def test_the_page_is_whole_and_alone(book, tmp_path):
    path = tmp_path / "par.html"
    assert run("par", book.id, "--html", str(path), "--ante", "25").out == ""
    text = path.read_text("utf-8")
    parser = WellFormed()
    parser.feed(text)
    parser.close()
    assert parser.open == []
    assert not parser.seen & {"script", "link", "img", "iframe"}
    assert "http://" not in text
    assert "https://" not in text
    assert "url(" not in text
    edge = float(-maths.solve(book, 25_00).value)
    assert f"{edge:.4%}".removesuffix("%") in text
    assert book.sha256 in text
    assert ('class="par-curve"' in text) == bool(book.cap)
    assert all(book.spots[s.name].title in text for s in book.spot if s.kind == "side")


@pytest.mark.parametrize("book", [CASINO_HOLDEM, HOLDEM_BONUS], ids=lambda book: book.id)
def test_on_a_shared_board_a_sheet_says_how_every_hand_is_played(book):
    """With two cards there is a grid, where something is decided then; that is not all of it."""
    text, page = (run("par", book.id, *to).out for to in ((), ("--html", "-")))
    page = re.sub("<[^>]+>|\\s+", " ", page)
    told = run("par", book.id, "--json").json["main"]["decisions"]
    for number, each in enumerate(told, start=1):
        where = f"Decision {number}, {each.pop('board')} cards on the board"
        assert where in text
        assert where in page
        for held in each.pop("hands", []):
            hand, choices = held.pop("hand"), dict(held)
            said = [
                name if len(choices) == 1 else f"{name} {share / sum(choices.values()):.2%}"
                for name, share in choices.items()
            ]
            assert re.search(f"{re.escape(hand)} +{re.escape(', '.join(said))}", text)
            assert re.search(f"{re.escape(hand)} +{re.escape(', '.join(said))} ", page)
    assert "Complete and exact" not in page
    assert ("Exact, for the first two cards." in page) == (book is HOLDEM_BONUS)
    assert ("An empty square is a fold." in page) == (book is HOLDEM_BONUS)
    assert "✓ is a check" not in page


def test_files_can_be_written_here():
    assert run("par", DJ, "--csv", "-").out.startswith("wager,event,stake,net,pays,ways,of")
    assert run("par", DJ, "--html", "-").out.startswith("<!doctype html>")


# Figures -----------------------------------------------------------------------------------------


def test_the_curve_is_a_solution_at_every_ante():
    done = run("par", DJ, "--full", "--json").json["main"]
    assert [each["ante_cents"] for each in done["curve"]] == list(antes(DIAMOND_JO, 5_00))
    assert done["curve"][0]["ante_cents"] == 5_00
    assert done["curve"][-1]["ante_cents"] == 100_00
    for each in done["curve"]:
        value = maths.solve(DIAMOND_JO, each["ante_cents"]).value
        assert each["value"] == f"{value.numerator}/{value.denominator}"
        assert each["house_edge"] == float(-value)
    more = {"by_upcard", "splits", "loses"}
    assert set(done["strategy"]) == {"points", "grid", "sections", "bands", "suits"} | more
    assert "curve" not in run("par", MISSISSIPPI.id, "--full", "--json").json["main"]
    assert "House edge by ante" in run("par", DJ, "--full").out


def test_the_progressive_at_a_meter():
    done = run("par", SN, "--meter", "150000", "--json").json["progressive"]
    priced = maths.jackpot(SENECA)
    assert priced is not None
    # The royal takes all of the meter, a straight flush a tenth.
    part = Fraction(4 * 10 + 36, 10 * comb(52, 5))
    assert done["meter_return"] == float(priced.fixed_return + part * 150_000)
    assert done["rounds_to_top"] == 649_740
    assert done["hours_to_top"] == 649_740 / 40
    even = run("par", SN, "--meter", "218047.37", "--json").json["progressive"]
    assert even["meter_return"] == pytest.approx(1, abs=1e-7)
    said = run("par", SN, "--meter", "150000", "--hands-per-hour", "60").out
    assert "at a meter of $150,000 a token returns 0.801013" in said
    assert "10,829 hours" in said


def test_the_theoretical_win():
    hour = report(maths.solve(DIAMOND_JO, 25_00), hands_per_hour=60).per_hour
    assert (hour.hands, hour.ante_cents) == (60, 25_00)
    assert hour.win_cents == round(Fraction(14549, 270725) * 25_00 * 60)
    assert report(maths.solve(DIAMOND_JO)).per_hour.ante_cents == 5_00
    assert report(maths.solve(HOLLYWOOD)).per_hour.ante_cents == 10_00


def test_a_plain_report_stays_lean():
    made = report(maths.solve(DIAMOND_JO))
    assert set(as_json(made)["main"]) >= {"value", "deals", "per_hour"}
    assert "strategy" not in as_json(made)["main"]


# Bad input ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--csv", "no/such/folder/par.csv"), "--csv: cannot write no/such/folder/par.csv"),
        (("--html", "."), "--html: cannot write .: Is a directory"),
        (("--hands-per-hour", "0"), "0 is not in the range"),
        (("--hands-per-hour", "x"), "'x' is not a valid integer"),
        (("--meter", "-5"), "'-5' is not money"),
        (("--meter", "1000"), "has no progressive"),
        (("--csv", "-", "--json"), "only one of"),
    ],
)
def test_bad_input_gets_one_clear_line(arguments, says):
    assert says in complaint("par", DJ, *arguments)


# Looks -------------------------------------------------------------------------------------------


def tokens(sheet: str) -> list[dict[str, str]]:
    """The colours and letters of a style sheet: in the light, and in the dark."""
    roots = re.findall(r":root \{(.*?)\}", sheet, re.DOTALL)[:2]
    return [dict(re.findall(r"(--[\w-]+): (.*?);", each)) for each in roots]


def test_a_sheet_alone_has_the_colours_and_letters_of_the_site():
    pitboss = Path(par_page.__file__).parents[1]
    alone = tokens((pitboss / "lab" / "tokens.css").read_text("utf-8"))
    site = tokens((pitboss / "web" / "pages" / "static" / "pitboss.css").read_text("utf-8"))
    used = set(re.findall(r"var\((--[\w-]+)\)", par_page.STYLE.read_text("utf-8")))
    own = set(re.findall(r"(--[\w-]+):", par_page.STYLE.read_text("utf-8")))
    assert used - own <= set(alone[0])
    for ours, theirs in zip(alone, site, strict=True):
        assert ours == {name: theirs[name] for name in ours}


def test_every_class_of_a_sheet_has_its_style_and_every_style_its_use():
    written = par_page.STYLE.with_suffix(".html").read_text("utf-8")
    styled = set(re.findall(r"\.(par-[\w]+)", par_page.STYLE.read_text("utf-8")))
    shades = {"par-fold", "par-check", "par-m1", "par-m2", "par-m3", "par-suits"}
    kinds = {"par-even", "par-gain", "par-loss", "par-now", "par-dot"}
    assert styled == (set(re.findall(r"\bpar-[a-z0-9]+", written)) | shades | kinds)


def test_no_style_stands_in_a_sheet_itself():
    text = par_page.sheet(report(maths.solve(SENECA, 10_00), whole=True))
    assert "style" not in text
    assert "<html" not in text
