"""Charts for notebooks, by Altair: an extra, like the frames that they are drawn from."""

from pitboss.errors import Unreadable
from pitboss.lab.distributions import Distribution
from pitboss.lab.frames import to_frame
from pitboss.lab.report import Report
from pitboss.maths.solution import Solution

try:
    import altair as alt
except ModuleNotFoundError as missing:
    said = "charts are drawn by Altair, which comes with an extra: pip install 'pitboss[notebook]'"
    raise ModuleNotFoundError(said, name=missing.name) from None

WIDE, HIGH = 560, 220
BARS = 120
"""That a distribution is drawn with at most."""


def outcomes(solution: Solution) -> alt.Chart:
    """Draw how often each net result happens, on a scale on which rare ones are seen, too.

    >>> from pitboss import load, solve
    >>> outcomes(solve(load("common/mississippi-stud"))).to_dict()["mark"]["type"]
    'bar'
    """
    frame = to_frame(solution).groupby("net", as_index=False)["chance"].sum().astype(float)
    drawn: alt.Chart = (
        alt.Chart(frame, title=f"{solution.book.game}: what a round brings")
        .mark_bar()
        .encode(
            x=alt.X("net", title="net, in antes", scale=alt.Scale(type="symlog")),
            y=alt.Y("chance", title="chance", scale=alt.Scale(type="log")),
            tooltip=["net", "chance"],
        )
        .properties(width=WIDE, height=HIGH)
    )
    return drawn


def by_ante(report: Report) -> alt.Chart:
    """Draw the house edge by ante, where a payout cap makes it differ: of a whole report."""
    if not report.curve:
        book = report.solution.book
        why = "ask for report(solution, whole=True)" if book.cap else "no payout cap binds it"
        raise Unreadable(f"the price of {book.id} by ante is not in this report: {why}", "by_ante")
    frame = to_frame(report.curve)
    frame["ante"] = frame["ante_cents"] / 100
    frame["house edge"] = -frame["value"].astype(float)
    drawn: alt.Chart = (
        alt.Chart(frame[["ante", "house edge"]], title="What the payout cap adds")
        .mark_line(point=True)
        .encode(
            x=alt.X("ante", scale=alt.Scale(type="log")),
            y=alt.Y("house edge", axis=alt.Axis(format=".2%"), scale=alt.Scale(zero=False)),
        )
        .properties(width=WIDE, height=HIGH)
    )
    return drawn


def distribution(found: Distribution, title: str = "What rounds come to") -> alt.Chart:
    """Draw how often rounds together come to so much, in antes."""
    frame = to_frame(found).astype(float)
    wide = max((frame["net"].max() - frame["net"].min()) / BARS, 1 / found.units)
    frame["net"] = (frame["net"] / wide).round() * wide
    summed = frame.groupby("net", as_index=False)["chance"].sum()
    drawn: alt.Chart = (
        alt.Chart(summed, title=title)
        .mark_bar()
        .encode(
            x=alt.X("net", title="net, in antes"),
            y=alt.Y("chance", axis=alt.Axis(format=".1%")),
            tooltip=["net", "chance"],
        )
        .properties(width=WIDE, height=HIGH)
    )
    return drawn
