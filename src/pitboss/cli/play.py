"""``pitboss play``: a seat at a table in the terminal, with play chips and the real rules."""

import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click
import msgspec
from rich.console import Console, RenderableType

from pitboss import money, rulebook, settle
from pitboss.cards import shuffled
from pitboss.cli.common import MONEY
from pitboss.cli.terminal import layout, simple_bots
from pitboss.cli.terminal.keys import DIGITS, ENTER, Keys
from pitboss.errors import Refused, Unreadable
from pitboss.round import Option, Round, State, actions, codec
from pitboss.round.wagers import bounds, posted_refusal
from pitboss.rulebook.money_rules import USUAL_MINIMUM_CENTS
from pitboss.settle.file import settlement_json

AMOUNT = "amount"
ALWAYS = {"p": "pay tables", "?": "help", "q": "leave"}
SAME_AS = {"h": "?", "b": ENTER}
KEYS = {"fold": "f", "check": "c", "take-back": "t"}
BELOW = 4
"""Rows of the screen for what is said under the table: two of keys, the coach, the prompt."""
FAREWELL = "\nYou get up and go. What is on the table stays there."
"""To somebody who leaves by Ctrl-C."""
PAUSE_SECONDS = 1.0
"""How long a demonstration shows each picture to somebody at a terminal."""


@click.command("play")
@click.argument("name", metavar="[RULEBOOK]", default="diamond-jo-worth/cajun-stud")
@click.option("--bots", type=click.IntRange(0), help="How many others sit down (2).")
@click.option("--coach", is_flag=True, help="Compare choices with the best before each decision.")
@click.option("--chips", type=MONEY, default="1000.00", help="Play chips to begin with (1000.00).")
@click.option("--minimum", type=MONEY, help="The posted minimum (the house's lowest, or 5.00).")
@click.option("--maximum", type=MONEY, help="The posted maximum (the house's highest, or none).")
@click.option("--seed", type=int, help="Shuffle the same way every time.")
@click.option("--rounds", type=click.IntRange(1), help="Stop after so many rounds.")
@click.option("--json", "as_json", is_flag=True, help="Print each finished round as JSON.")
@click.option("--auto", is_flag=True, help="Let a bot play your seat as well.")
def command(name: str, rounds: int | None, **settings: Any) -> None:
    """Sit down at a table with play chips. RULEBOOK is an id or a file's path."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a sign it cannot show is no reason to stop
    table = TerminalTable(name, **settings)
    try:
        with table.keys:
            table.run(rounds)
    except KeyboardInterrupt:
        # Past the console: cut off in the middle of a print, it may never print again.
        if not table.console.quiet:
            click.echo(FAREWELL, file=table.console.file)
        raise click.Abort from None


class TerminalTable:
    """One sitting: the player's chips, the meter, and what is on the screen."""

    def __init__(
        self,
        name: str,
        *,
        bots: int | None,
        coach: bool,
        chips: int,
        minimum: int | None,
        maximum: int | None,
        seed: int | None,
        as_json: bool,
        auto: bool,
    ) -> None:
        self.book = book = rulebook.load(name)
        limits = book.limits
        least = limits.minimum.least(USUAL_MINIMUM_CENTS) if minimum is None else minimum
        self.posted = least, limits.maximum.highest if maximum is None else maximum
        why = posted_refusal(book, *self.posted)
        if why is not None:
            raise Refused(why)
        room = book.seats.most - 1
        others = min(2, room) if bots is None else bots
        if others > room:
            raise Unreadable(f"this table has room for {room} bots, not {others}", "--bots")
        self.seat = others // 2 + 1
        names = [f"Bot {number}" for number in range(1, others + 1)]
        names.insert(self.seat - 1, "You")
        self.people = dict(enumerate(names, start=1))
        self.rack_cents = self.bought_cents = self.chips_cents = chips
        self.meter_cents = int(book.progressive.reseed) if book.progressive else None
        self.chance = random.SystemRandom() if seed is None else random.Random(seed)
        self.as_json, self.auto, self.coach = as_json, auto, coach
        self.console = Console(
            stderr=as_json, quiet=as_json and auto, highlight=False, markup=False, emoji=False
        )
        self.look = layout.look_for(self.console)
        self.keys = Keys(self.console, self.resized)
        self.screen: list[Callable[[], RenderableType]] = []
        self.least_cents, _ = bounds(book.ante, *self.posted)
        self.need_cents = self.least_cents * len(book.equal)
        self.plan = actions.Bet(self.seat, book.with_equal({book.ante.name: self.least_cents}))
        self.last: actions.Bet | None = None
        self.rounds, self.leaving = 0, False

    # The round --------------------------------------------------------------------------------

    def run(self, rounds: int | None) -> None:
        """Play until the player leaves, the chips are gone or the rounds are over."""
        while not self.leaving and (rounds is None or self.rounds < rounds):
            try:
                if self.chips_cents < self.need_cents and not self.fresh_rack():
                    break
                self.play_round()
            except EOFError:
                self.leaving = True
        ahead = self.chips_cents - self.bought_cents
        money, way = self.book.money, "up" if ahead > 0 else "down"
        won = f"{money(abs(ahead))} {way}" if ahead else "even"
        self.say(f"You leave with {money(self.chips_cents)}, {won}. Thank you for playing.")

    def fresh_rack(self) -> bool:
        have, need = self.book.money(self.chips_cents), self.book.money(self.need_cents)
        self.say(f"You are out of chips: you have {have}, and a round takes {need}.")
        fresh = {"r": f"a fresh rack of {self.book.money(self.rack_cents)}", "q": "leave"}
        if self.auto or self.rack_cents < self.need_cents or self.choose(fresh) == "q":
            return False
        self.chips_cents += self.rack_cents
        self.bought_cents += self.rack_cents
        return True

    def play_round(self) -> None:
        """Play one round; EOFError where the player leaves instead of betting."""
        game = Round(self.book)
        game.do(actions.Open(self.people, *self.posted, self.meter_cents))
        for seat in self.people:
            if seat != self.seat:
                game.do(simple_bots.bet(self.book, game.view(seat), seat))
        game.do(self.auto_bet(game) if self.auto else self.bet(game))
        deck = shuffled(self.chance)
        game.do(actions.CloseBets())
        game.deal(deck)
        while waiting := game.due():
            for seat in waiting:
                game.do(self.decision(game, seat))
            game.deal(deck)
        game.do(actions.Pay())
        self.settle(game)

    def settle(self, game: Round) -> None:
        """Settle what the player saw: that is all a settlement needs."""
        view = game.view(self.seat)
        settlement = settle.settle(self.book, settle.of_round(view))
        mine = next(each for each in settlement.seats if each.seat == self.seat)
        self.chips_cents += mine.paid_cents - _staked(view, self.seat)
        self.meter_cents = settlement.meter_after_cents
        self.rounds += 1
        if self.as_json:
            record = {
                "round": self.rounds,
                "seat": self.seat,
                "chips_cents": self.chips_cents,
                "events": [msgspec.Raw(codec.encode(event)) for event in game.events],
                "settlement": settlement_json(self.book, settlement),
            }
            click.echo(msgspec.json.encode(record, enc_hook=int))
        scene = layout.Scene(self.book, view, self.seat, self.chips_cents, settlement)
        number = self.rounds
        self.show(scene, lambda: layout.receipt(scene, self.look, self.console.width, number))

    # Betting ----------------------------------------------------------------------------------

    def auto_bet(self, game: Round) -> actions.Bet:
        wish = simple_bots.bet(self.book, game.view(self.seat), self.seat)
        return wish if sum(wish.wagers.values()) <= self.chips_cents else self.plan

    def bet(self, game: Round) -> actions.Bet:
        ante = self.book.ante
        if _cost(self.plan) > self.chips_cents:
            self.plan = actions.Bet(self.seat, self.book.with_equal({ante.name: self.least_cents}))
        if not self.screen:
            self.show(layout.Scene(self.book, game.view(self.seat), self.seat, self.chips_cents))
            for notice in layout.notices(self.book, "sign"):
                self.say(notice)
        while True:
            choices = {
                ENTER: f"bet {layout.wagers(self.book, self.plan)}",
                AMOUNT: f"other {ante.title}",
            }
            choices |= {"s": "side wagers"} if len(self.book.placed) > 1 else {}
            choices |= {"t": "toke"} if self.book.toke else {}
            choices |= {"r": "repeat the last bet"} if self.last else {}
            answer = self.choose(choices | ALWAYS, amounts=True)
            if answer == "q":
                raise EOFError
            if answer == "s":
                self.side_wagers(game)
            elif answer == "t":
                self.change(game, "toke", self.ask_amount("For the dealers", 0))
            elif (
                answer == ENTER
                or (answer == "r" and self.last and self.planned(game, self.last))
                or (answer != "r" and self.change(game, ante.name, self.amount(answer)))
            ):
                self.last = self.plan
                return self.plan

    def side_wagers(self, game: Round) -> None:
        spots = [spot for spot in self.book.opening.values() if not spot.required]
        while True:
            choices = {
                str(number): layout.offer(
                    self.book, spot, self.posted, self.plan.wagers.get(spot.name, 0)
                )
                for number, spot in enumerate(spots, start=1)
            }
            answer = self.choose(choices | {ENTER: "done"})
            if answer == ENTER:
                return
            spot = spots[int(answer) - 1]
            least, _ = bounds(spot, *self.posted)
            if spot.fixed is None:
                self.change(game, spot.name, self.ask_amount(spot.title, least))
            else:
                self.change(game, spot.name, 0 if spot.name in self.plan.wagers else least)

    def change(self, game: Round, spot: str, cents: int | None) -> bool:
        """Change one wager of the plan, or say why that cannot be."""
        if cents is None:
            return False
        wagers, toke_cents = dict(self.plan.wagers), self.plan.toke_cents
        if spot == "toke":
            toke_cents = cents
        elif cents or spot == self.book.ante.name:
            wagers[spot] = cents
        else:
            wagers.pop(spot, None)
        wagers = self.book.with_equal(wagers)
        return self.planned(game, actions.Bet(self.seat, wagers, toke_cents))

    def planned(self, game: Round, plan: actions.Bet) -> bool:
        """Plan a bet, or say why that cannot be."""
        why = game.refusal(plan)
        if why is not None:
            self.say(layout.refusal(why))
        elif _cost(plan) > self.chips_cents:
            cost, have = self.book.money(_cost(plan)), self.book.money(self.chips_cents)
            self.say(f"That takes {cost}, and you have {have}.")
        else:
            self.plan = plan
        return self.plan is plan

    # Deciding ---------------------------------------------------------------------------------

    def decision(self, game: Round, seat: int) -> actions.Action:
        view, options = game.view(seat), game.legal(seat)
        if seat != self.seat:
            return simple_bots.play(self.book, view, seat, options)
        if self.leaving:
            return actions.TimeOut(seat)
        left = self.chips_cents - _staked(view, seat)
        within = [each for each in options if each.action != "raise" or each.cents <= left]
        self.show(layout.Scene(self.book, view, seat, left))
        if self.auto:
            return simple_bots.play(self.book, view, seat, within)
        if len(within) < len(options):
            self.say(f"You have {self.book.money(left)} left; a larger raise is more than that.")
        try:
            return self.choice(game, within)
        except EOFError:  # the house plays a hand whose player has left
            self.leaving = True
            return actions.TimeOut(seat)

    def choice(self, game: Round, options: list[Option]) -> actions.Action:
        """Ask until the player has chosen something that is allowed."""
        by_key = {KEYS.get(each.action, str(each.times)): each for each in options}
        choices = {key: layout.does(self.book, each) for key, each in by_key.items()}
        if self.coach:
            self.say(self.advice(game))
        asks = {} if self.coach else {"v": "coach"}
        while True:
            answer = self.choose(choices | asks | ALWAYS)
            if answer == "v":
                self.say(self.advice(game))
                asks = {}
                continue
            if answer == "q" and self.sure("leave: your hand is played as if you did not answer"):
                raise EOFError
            if answer == "q":
                continue
            action = simple_bots.act(self.seat, by_key[answer])
            why = game.refusal(action)
            if why is None:
                return action
            self.say(layout.refusal(why))
            if why.code == "fold/confirm" and self.sure("fold all the same"):
                return simple_bots.act(self.seat, by_key[answer], confirmed=True)

    def advice(self, game: Round) -> RenderableType:
        """What each choice is worth, from what the player sees."""
        from pitboss.web.pages import coach  # with all of the maths: for those alone who ask

        view = game.view(self.seat)
        return layout.coached(coach.advice(self.book, view, self.seat, self.posted[0]))

    # Screen and keys --------------------------------------------------------------------------

    def sure(self, what: str) -> bool:
        return self.choose({"y": what, "n": "go back"}) == "y"

    def choose(self, choices: Mapping[str, str], *, amounts: bool = False) -> str:
        """Ask until one of these keys is pressed, or money is typed where it may be."""
        self.say(layout.keys(choices, self.console.width))
        while True:
            self.console.print("> ", end="")
            typed = self.keys.key(amounts=amounts)
            answer = typed.lower()
            answer = answer if answer in choices else SAME_AS.get(answer, answer)
            if answer == "?" or (answer == "p" and answer in choices):
                self.say(layout.HELP if answer == "?" else layout.all_tables(self.scene, self.look))
                self.say(layout.keys(choices, self.console.width))
            elif answer in choices or (amounts and answer[0] in DIGITS):
                return answer
            else:
                self.say(f"{typed[:20]!r} is nothing here; press one of {', '.join(choices)}.")

    def ask_amount(self, about: str, default: int) -> int | None:
        """Ask for money; None where what is typed is not money."""
        none = ", 0 is none" if default else ""
        self.say(f"{about}: how much? Enter is {self.book.money(default)}{none}.")
        self.console.print("> ", end="")
        typed = self.keys.line()
        return self.amount(typed) if typed else default

    def amount(self, typed: str) -> int | None:
        """Read money; None after saying why it cannot be read."""
        try:
            return int(money.cents(typed))
        except Unreadable as error:
            self.say(f"{error}.")
            return None

    def show(self, scene: layout.Scene, *below: Callable[[], RenderableType]) -> None:
        self.scene = scene
        self.screen = [lambda: self.felt(scene, below), *below]
        self.draw()
        if self.auto and self.console.is_terminal and not self.console.quiet:
            time.sleep(PAUSE_SECONDS)

    def felt(
        self, scene: layout.Scene, below: Sequence[Callable[[], RenderableType]]
    ) -> RenderableType:
        """Draw the table in what the screen has left; a pipe is as high as anyone likes."""
        rows = 50
        if self.console.is_terminal:
            taken = [len(self.console.render_lines(each(), pad=False)) for each in below]
            rows = self.console.height - BELOW - sum(taken)
        return layout.felt(scene, self.look, self.console, rows)

    def say(self, what: RenderableType) -> None:
        self.screen.append(lambda: what)
        self.console.print(what)

    def resized(self) -> None:
        self.draw()
        self.console.print("> ", end="")

    def draw(self) -> None:
        if not self.console.quiet:
            self.console.clear()
            for each in self.screen:
                self.console.print(each())


def _cost(bet: actions.Bet) -> int:
    return sum(bet.wagers.values()) + bet.toke_cents


def _staked(view: State, seat: int) -> int:
    mine = view.seats[seat]
    return sum(mine.stakes.values()) + mine.toke_cents
