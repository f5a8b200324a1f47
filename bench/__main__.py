"""``./pit bench``: figures belong to this machine at this moment."""

import click

from pitboss.cli import LazyGroup, run

COMMANDS = {
    "rounds": "Play full six-seat rounds, beside PokerKit.",
    "maths": "Price, re-price, simulate and evaluate; hands beside eval7 and phevaluator.",
    "house": "Load a house through its API, beside the limit of its parts.",
    "pages": "Weigh and clock the table page in a real browser, beside a bare page.",
}


@click.group(cls=LazyGroup, package="bench", summaries=COMMANDS)
def group() -> None:
    """Measure speed against peers."""


def main() -> None:
    """Run ``./pit bench``."""
    run(group, "./pit bench")


if __name__ == "__main__":
    main()
