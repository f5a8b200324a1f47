"""What may happen to the money, in the lab: as ``pitboss risk`` says it of the saved book."""

import asyncio
from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from pathlib import Path
from urllib.parse import urlencode

import pytest

from pitboss.errors import Unreadable
from pitboss.lab.controls import edited, tried
from pitboss.lab.distributions import Distribution, one_round
from pitboss.lab.questions import Experiment
from pitboss.lab.risk_sheet import drawn
from pitboss.lab.ruin import forever
from pitboss.maths import solve
from pitboss.maths.price import At
from pitboss.rulebook import Rulebook
from pitboss.web.lab_desk import Lab
from pitboss.web.pages.lab_risk import request
from tests.browser.forms import Forms
from tests.browser.test_floor import looks, plain
from tests.command import run
from tests.helpers import DIAMOND_JO, MISSISSIPPI, SENECA
from tests.lab.test_controls import drawn as some_changes
from tests.web.open_house import Visited, thread

ASKED = {
    "bankroll": "500",
    "goal": "800",
    "hands": "50",
    "bonus": "100",
    "deposit": "100",
    "turnover": "2000",
    "counts": "ante",
}
LINE = "--bankroll 500 --goal 800 --hands-per-hour 50 --bonus 100 --deposit 100 --turnover 2000"
JACKPOT = {"until": "2031-12-31", "tokens": "5", "hours-per-day": "16", "seats": "2"}
JACKPOT_LINE = " --jackpot-by 2031-12-31 --tokens 5 --hours-per-day 16h --seats 2"


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visited]:
    """A house of which the lab is visited."""
    with thread(tmp_path_factory.mktemp("lab")) as found:
        yield found


@pytest.fixture
def forms(lab: Visited) -> Forms:
    return Forms(lab.guest())


def at(book: Rulebook, changes: dict[str, str], asked: dict[str, str], page: str = "") -> str:
    fields = {f"risk.{name}": value for name, value in asked.items()}
    return f"/lab/{book.id}{page}?{urlencode({**changes, 'ante': '25', 'show': 'risk', **fields})}"


@pytest.mark.parametrize("book", [SENECA, DIAMOND_JO], ids=lambda book: book.id)
def test_everything_is_what_the_command_says_of_the_saved_book(
    lab: Visited, forms: Forms, book: Rulebook, tmp_path: Path
) -> None:
    changes = tried(book, some_changes(book, 7)).taken
    asked = ASKED | (JACKPOT if book.progressive else {})
    page = plain(looks(forms, at(book, changes, asked, "/view")))
    saved = tmp_path / "saved.toml"
    saved.write_bytes(forms.send("GET", at(book, changes, {}, "/rulebook.toml")).raw)
    line = f"{LINE} --counts ante --ante 25" + (JACKPOT_LINE if book.progressive else "")
    told = run("risk", str(saved), *line.split(), "--json").json
    wanted = request(book, asked, date.today())
    question = Experiment(changes, At(ante_cents=25_00), risk=wanted)
    assert lab.web is not None
    assert lab.loop is not None
    asking = lab.web.kept(Lab).ask("risk", book, question, "ann", "here")
    assert asyncio.run_coroutine_threadsafe(asking, lab.loop).result(60).told == told
    assert f"N0: rounds until the edge is one deviation {told['n0']:,.0f}" in page
    assert f"Skew {told['skew']:.3f}" in page
    for part in ("1", "5", "50", "95"):
        cents = [each["percentiles_cents"][part] for each in told["spans"]]
        assert f"{part} of 100 end at or below {' '.join(map(book.signed, cents))}" in page
    purse, bonus = told["bankroll"], told["bonus"]
    assert f"Ruined in {purse['rounds']:,} rounds {purse['ruined']:.4%}" in page
    assert f"Reaches {book.money(800_00)} by then {purse['reached']:.4%}" in page
    assert f"Ruined, for as long as it takes {purse['for_ever']['ruined']:.4%}" in page
    assert f"Worth, with all who go broke {book.signed(round(bonus['worth_cents']))}" in page
    assert f"Goes broke before it is done {bonus['broke']:.4%}" in page
    assert f"{bonus['rounds']:,.1f} Exact to {bonus['error']:.0e}." in page
    if book.progressive:
        falls = told["jackpot"]
        assert f"Won by 2031-12-31 {falls['by_then']:.4%}" in page
        assert f"Won with 50% by {falls['dates']['50%']}" in page
        assert f"Variance of a round, in antes {told['house']['variance']:.4f}" in page
        assert "Variance and correlation are simulated; hours are simulated, from" in page
    else:
        assert "jackpot" not in page.lower()


def test_what_is_a_bound_says_how_far_off_it_may_be(forms: Forms) -> None:
    """Against rules that players beat, ruin in the long run lies between two powers of a root."""
    changes = {"table.main.rows.flush.odds": "30 to 1"}
    page = plain(looks(forms, at(MISSISSIPPI, changes, {"bankroll": "1000"})))
    solution = solve(edited(MISSISSIPPI, changes), ante_cents=25_00)
    one = one_round(solution.outcomes, solution.units)
    ever = forever(one, bankroll=1000_00, ante=25_00)
    assert ever.tolerance > 0.01
    assert f"Ruined, for as long as it takes {ever.ruined:.4%}" in page
    assert f"For as long as it takes, exact to {ever.tolerance:.0e}." in page


@pytest.mark.parametrize(
    ("asked", "says", "field"),
    [
        ({"bankroll": "lots"}, "'lots' is not", "bankroll"),
        ({"goal": "100"}, "a goal is reached from a bankroll", "bankroll"),
        ({"bonus": "100"}, "a bonus has a turnover", "turnover"),
        ({"turnover": "100"}, "a bonus has a turnover", "bonus"),
        ({"deposit": "100"}, "a deposit is what a bonus is paid on", "bonus"),
        ({"seats": "40"}, "a whole number from 1 to 6", "seats"),
        ({"hands": "0"}, "a whole number from 1 to 1,000", "hands"),
        ({"until": "soon"}, "'soon' is not a date", "until"),
        ({"until": "3027-01-01"}, "a date is 0 to", ""),
        ({"bankroll": "1000000000"}, "", ""),
        ({"bonus": "100", "turnover": "100000000"}, "antes", ""),
    ],
)
def test_what_cannot_be_worked_out_is_said_at_its_field(
    forms: Forms, asked: dict[str, str], says: str, field: str
) -> None:
    page = looks(forms, at(SENECA, {}, asked))
    if says:
        assert says.lower() in plain(page).lower()
        assert 'id="risk-wrong"' in page
    if field:
        assert f'name="risk.{field}"' in page.partition('aria-invalid="true"')[0][-300:]
        assert 'id="risk-wrong"' in page.partition('aria-describedby="risk-wrong"')[2][:100]
        with pytest.raises(Unreadable) as told:
            request(SENECA, asked, date(2026, 1, 1))
        assert told.value.place == field


@pytest.mark.parametrize("bins", [3, 10, 48])
def test_bars_hold_every_end_from_the_worst_to_the_best(bins: int) -> None:
    nets = tuple(range(-100, 400, 20))
    ways = tuple(1 + n * n % 7 for n in range(len(nets)))
    found = Distribution(1, nets, ways, sum(ways))
    made = drawn(found, bins)
    assert len(made.bars) <= bins
    assert made.least_cents == found.quantile(Fraction(1, 200))
    assert abs(sum(made.bars) - 1) < 1e-12
    width = (made.most_cents - made.least_cents) // len(made.bars)
    for number, chance in enumerate(made.bars):
        low = made.least_cents + number * width
        inside = [way for net, way in zip(nets, ways, strict=True) if low <= net < low + width]
        assert abs(chance - sum(inside) / sum(ways)) < 1e-12
