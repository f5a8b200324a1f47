"""``./pit bench rounds``: whole rounds by the one machine, beside PokerKit's hands."""

import random
from collections.abc import Callable

import click

from bench.clock import per_second
from pitboss.cards import shuffled
from pitboss.cli.common import json_option, write_json
from pitboss.round import Round, actions
from pitboss.rulebook import Rulebook, load
from pitboss.settle import of_round, settle

BOOK = "diamond-jo-worth/cajun-stud"


@click.command("rounds")
@click.option("--seconds", type=click.FloatRange(0.1, 600), default=3.0, show_default=True)
@click.option("--seed", type=int, default=7, show_default=True)
@json_option
def command(seconds: float, seed: int, as_json: bool) -> None:
    """Play full six-seat rounds: every wager, three decisions a seat, events and settlement.

    Beside it, PokerKit plays a six-seat fixed-limit hand of checks and calls, fully automated.
    """
    ours = per_second(_our_round(load(BOOK), random.Random(seed)), seconds)
    peer_hand = _pokerkit_hand()
    peer = None if peer_hand is None else per_second(peer_hand, seconds)
    if as_json:
        ratio = None if peer is None else ours / peer
        write_json({"pitboss_rounds_s": ours, "pokerkit_hands_s": peer, "ratio": ratio})
        return
    click.echo(f"pitboss   {ours:10,.0f} six-seat rounds/s, one core")
    if peer is None:
        click.echo("pokerkit  not installed here; ./pit bench installs it")
    else:
        click.echo(f"pokerkit  {peer:10,.0f} six-seat hands/s, one core")
        click.echo(f"ratio     {ours / peer:10,.1f}")


def _our_round(book: Rulebook, chance: random.Random) -> Callable[[], object]:
    seats = range(1, 7)
    wagers = dict.fromkeys(book.opening, 500)

    def play() -> None:
        deck = shuffled(chance)
        game = Round(book)
        game.do(actions.Open({seat: f"player {seat}" for seat in seats}, 500, 10_000))
        for seat in seats:
            game.do(actions.Bet(seat, wagers, toke_cents=100))
        game.do(actions.CloseBets())
        game.deal(deck)
        for times in (1, 2, 3):
            for seat in seats:
                game.do(actions.Raise(seat, times))
            game.deal(deck)
        settle(book, of_round(game.state))
        game.do(actions.Pay())

    return play


def _pokerkit_hand() -> Callable[[], object] | None:
    try:
        from pokerkit import Automation, FixedLimitTexasHoldem
    except ImportError:
        return None

    def play() -> None:
        state = FixedLimitTexasHoldem.create_state(
            tuple(Automation), True, 0, (1, 2), 2, 4, (200,) * 6, 6
        )
        while state.status:
            state.check_or_call()

    return play
