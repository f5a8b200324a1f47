"""The shared-board family, solved exactly: two cards each, and five on the board for both.

How often what happens is counted elsewhere (``board_play``, ``board_course``), knowing only stakes
and strengths; here a rulebook is read for it, and endings are priced. Of a game that was counted
once it is kept how often each strength wins, ties and loses after which decisions, and meets what
the dealer may qualify with, so that other rules under the same play are priced at once.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from hashlib import sha256
from math import factorial, prod

import msgspec
import numpy as np
from msgspec.structs import replace

from pitboss.cards import DECK
from pitboss.errors import Unsolved
from pitboss.maths import board_advise, board_known, kept
from pitboss.maths.board_course import Course, follow
from pitboss.maths.board_hands import hand_name
from pitboss.maths.board_kinds import BOARD, EVERY_RANK, FLOP
from pitboss.maths.board_pay import BoardPay, Wagers, gains, payoffs
from pitboss.maths.board_play import (
    HOLE,
    TURN,
    BoardChoices,
    BoardGame,
    best_play,
    hole_class,
    hole_classes,
    showdowns,
)
from pitboss.maths.decisions import CHECK, FOLD, OUT, TAKE_BACK, Plan, Street, instead, offered
from pitboss.maths.hand_states import SAFE, Ints
from pitboss.maths.outcomes import NO_SUCH_PLAY, Outcome, Replayed
from pitboss.maths.qualifiers import level_of, levels
from pitboss.maths.seen import Seen
from pitboss.maths.showdown_pay import by_ending, requalified
from pitboss.rulebook.deal_script import SEATS, DecideStep, arrivals
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.paytable import Qualifier


class BoardPlan(msgspec.Struct, frozen=True):
    """The decisions of a round, and the wagers that it may end with."""

    plan: Plan
    """As all families have it."""
    finals: tuple[Wagers, ...]
    """The wagers that make each of its final stakes."""
    orders: int
    """In how many orders turn and river are counted that are one deal."""


class BoardSolution(msgspec.Struct, frozen=True):
    """The best play, and what it comes to."""

    planned: BoardPlan
    game: BoardGame
    pay: BoardPay
    counted: kept.Arrays
    """All that was counted, turn and river in their order."""
    taken: dict[tuple[int, int, int], int]
    """By decision, column and place of the choice: in how many deals."""
    total: int
    deals: int
    units: int
    outcomes: tuple[Outcome, ...]

    def worth(self, seen: Seen) -> dict[int, Fraction]:
        """Return each choice (0 folds, -1 checks) with its value in antes."""
        plan, known = self.planned.plan, {*seen.cards, *seen.board}
        number, column = plan.at(seen.raises, len(known))
        if seen.board:
            left = np.array([card for card in DECK if card not in known])
            return board_advise.worths(plan, self.game.weakest, self.pay.simplest, seen, left)
        street, ways = plan.streets[number], self.game.endings(0) * self.game.units
        first = self.counted["first"][None, :, hole_class(seen.cards)]
        return {
            choice: Fraction(int(each), ways)
            for choice, each in zip(
                street.choices, street.options(first, ways)[0, column], strict=True
            )
        }

    @property
    def held(self) -> list[tuple[int, str, dict[int, int]]]:
        """Decision by decision what hands are called, best first, with the deals of each choice."""
        found: dict[tuple[int, int], dict[int, int]] = {}
        for number, name, place, deals in self.counted["held"].tolist():
            choice = self.game.streets[number].choices[place]
            found.setdefault((number, name), {})[choice] = deals // self.planned.orders
        order = sorted(found, key=lambda each: (each[0], -(each[1] % 20), -each[1]))
        return [(number, hand_name(name), found[number, name]) for number, name in order]

    @property
    def decides_first(self) -> bool:
        """Whether something is decided before the board."""
        return self.game.at(0) is not None

    @property
    def shares(self) -> dict[tuple[int, int], int]:
        """By decision and choice: in how many deals it is made."""
        found: Counter[tuple[int, int]] = Counter()
        for (number, _, place), deals in self.taken.items():
            found[number, self.game.streets[number].choices[place]] += deals
        return dict(found)


def takes_long(_book: Rulebook) -> bool:
    """Say that solving takes seconds, or minutes, where nothing of it is kept."""
    return True


def best_play_kept(
    book: Rulebook, ante_cents: int | None, minimum_cents: int
) -> tuple[str, object]:
    """Return by what name it is kept, and what it is of."""
    return _COUNTED, _told(readied(book, ante_cents, minimum_cents, "stay")[1])


def at_once(_book: Rulebook) -> bool:
    """Say that what was not solved before takes as long as the first game."""
    return False


_COUNTED = "shared-board"


def solve(book: Rulebook, ante_cents: int | None, minimum_cents: int, ties: str) -> BoardSolution:
    """Solve the game; with an ante the cap bites as it does for one player alone."""
    planned, game, pay = readied(book, ante_cents, minimum_cents, ties)
    counted = kept.arrays(_COUNTED, _told(game), lambda: counted_now(game))
    return priced(planned, game, pay, counted)


def readied(
    book: Rulebook,
    ante_cents: int | None,
    minimum_cents: int,
    ties: str,
    ranks: tuple[int, ...] = EVERY_RANK,
) -> tuple[BoardPlan, BoardGame, BoardPay]:
    """Read a rulebook: its decisions, what the cards need to know, what endings pay."""
    rule, planned = shape(book), plan(book, ties)
    pay = payoffs(book, planned.finals, ante_cents, minimum_cents)
    one = pay.simplest
    game = BoardGame(
        planned.plan.streets, one.units, rule.weakest, gains(one.nets, rule.weakest), ranks
    )
    if int(np.abs(one.nets).max()) * game.endings(0) * _ALIKE > SAFE:
        raise Unsolved("stakes this large, or odds this fine, are not counted exactly", book.id)
    return planned, game, pay


_ALIKE = 24
"""As many holes at the most are summed up together, and then some."""


def counted_now(game: BoardGame) -> kept.Arrays:
    """Count what best play comes to: all that is kept of it."""
    shown = showdowns(game)
    choices, first = best_play(game, shown)
    one = np.unique(hole_classes(game.ranks)[0], return_index=True)[1]
    return {"first": np.stack(first)[:, one], **course_counted(game, follow(game, shown, choices))}


def best_choices(game: BoardGame) -> BoardChoices:
    """Return the best choice of every situation: so many that only who asks keeps them."""

    def count() -> kept.Arrays:
        made, _ = best_play(game, showdowns(game))
        return {
            f"{board}-{mark:d}-{column}": picks
            for (board, mark), columns in made.items()
            for column, picks in enumerate(columns)
        }

    found = {
        tuple(map(int, name.split("-"))): picks
        for name, picks in kept.arrays("best-choices", _told(game), count).items()
    }
    choices: BoardChoices = {}
    for board, mark, column in sorted(found):
        choices.setdefault((board, bool(mark)), []).append(found[board, mark, column])
    return choices


def course_counted(game: BoardGame, course: Course) -> kept.Arrays:
    """Return a course as arrays: its ends told apart by who wins."""
    return {
        "ends": by_ending(course.ends, game.weakest, game.endings(BOARD)),
        "met": course.met,
        "taken": _rows(course.taken),
        "held": _rows(course.held),
    }


def _rows(counts: Mapping[tuple[int, int, int], int]) -> Ints:
    return np.array([(*key, deals) for key, deals in counts.items()], np.int64).reshape(-1, 4)


def priced(
    planned: BoardPlan, game: BoardGame, pay: BoardPay, counted: kept.Arrays
) -> BoardSolution:
    """Price what was counted."""
    ends = counted["ends"] // planned.orders
    taken = {(n, c, p): d // planned.orders for n, c, p, d in counted["taken"].tolist()}
    happens = tuple(_outcomes(planned, pay, ends, taken))
    return BoardSolution(
        planned=planned,
        game=game,
        pay=pay,
        counted=counted,
        total=sum(each.deals * each.net_units for each in happens),
        deals=sum(each.deals for each in happens),
        units=pay.units,
        outcomes=happens,
        taken=taken,
    )


def repriced(
    solved: BoardSolution, book: Rulebook, ante_cents: int | None, minimum_cents: int
) -> Replayed:
    """Price a book played as was best in another: at once, as nothing is counted."""
    planned = _replayed(solved.planned, plan(book, "stay"), book)
    pay, rule = payoffs(book, planned.finals, ante_cents, minimum_cents), shape(book)
    ends = solved.counted["ends"] // planned.orders
    if rule.weakest != solved.game.weakest:
        ends = _under(rule, ends, solved.counted["met"] // planned.orders, pay, book)
    found = tuple(_outcomes(planned, pay, ends, solved.taken))
    return Replayed(sum(each.deals for each in found), pay.units, found)


def _replayed(before: BoardPlan, now: BoardPlan, book: Rulebook) -> BoardPlan:
    """Find the decisions of another game in this one: what may not be chosen here, as it can be."""
    streets, came = [], {0: 0}
    if [each.seen for each in before.plan.streets] != [each.seen for each in now.plan.streets]:
        raise Unsolved(NO_SUCH_PLAY, book.id)
    for was, street in zip(before.plan.streets, now.plan.streets, strict=True):
        choices = tuple(instead(each, street.choices) for each in was.choices)
        following: dict[int, int] = {}
        for column, to in came.items():
            for choice, then in zip(choices, was.after[column], strict=True):
                goes = street.after[to][street.choices.index(choice)]
                same = was.asked[column] == street.asked[to] and (then == OUT) == (goes == OUT)
                if not same or following.setdefault(then, goes) != goes:
                    raise Unsolved(NO_SUCH_PLAY, book.id)
        stakes = tuple(street.stakes[came[column]] for column in range(len(was.stakes)))
        streets.append(replace(was, choices=choices, stakes=stakes))
        came = {column: to for column, to in following.items() if column != OUT}
    ends = tuple(now.finals[came[column]] for column in range(len(before.finals)))
    many = tuple(_staked(wagers) for wagers in ends)
    return BoardPlan(Plan(before.plan.size, tuple(streets), many), ends, before.orders)


def _under(rule: Qualifier, ends: Ints, met: Ints, pay: BoardPay, book: Rulebook) -> Ints:
    """Tell the same ends apart by another qualifier: all of a level as its weakest hand."""
    weakest = levels("five-card")
    of_level, events = weakest[level_of("five-card")][1:], np.array(pay.events)
    if (
        rule.weakest not in weakest
        or (pay.nets[..., of_level] != pay.nets[..., 1:]).any()
        or (events[:, of_level] != events[:, 1:]).any()
    ):
        raise Unsolved(NO_SUCH_PLAY, book.id)
    level, found = level_of("five-card")[rule.weakest], np.zeros_like(ends)
    found[..., weakest] = requalified(
        np.add.reduceat(ends, weakest, axis=2), met[..., :level].sum(axis=2), level
    )
    return found


def _outcomes(
    planned: BoardPlan, pay: BoardPay, ends: Ints, taken: Mapping[tuple[int, int, int], int]
) -> Iterator[Outcome]:
    found: Counter[tuple[str, int, int]] = Counter()
    for final, wagers in enumerate(planned.finals):
        stake = sum(many for _, many in wagers)
        for ending, strength in np.argwhere(ends[final]).tolist():
            net = int(pay.nets[final, ending, strength])
            found[pay.events[ending][strength], stake, net] += int(ends[final, ending, strength])
    for (number, column, place), deals in taken.items():
        street = planned.plan.streets[number]
        if street.after[column][place] == OUT:
            stake = street.stakes[column]
            found[f"fold-{number + 1}", stake, -stake * pay.units] += deals
    for (event, stake, net), deals in found.items():
        if deals:
            yield Outcome(event, stake, net, deals)


def known_value(book: Rulebook, ante_cents: int | None, minimum_cents: int) -> Fraction:
    """Return what the game is worth to a player who knows one of the dealer's cards."""
    _, game, _ = readied(book, ante_cents, minimum_cents, "stay")

    def count() -> kept.Arrays:
        return {"value": np.array(board_known.one_known(game).as_integer_ratio())}

    up, down = kept.arrays("one-known", _told(game), count)["value"].tolist()
    return Fraction(up, down * game.units)


def _told(game: BoardGame) -> list[object]:
    """Return all that counting depends on."""
    nets = sha256(game.gains.tobytes()).hexdigest()
    return [msgspec.to_builtins(game.streets), game.weakest, game.units, nets]


def advised(
    book: Rulebook, seen: Seen, left: Ints, ante_cents: int | None, minimum_cents: int
) -> dict[int, Fraction]:
    """Return what each choice is worth with these cards left, card by card."""
    planned, game, pay = readied(book, ante_cents, minimum_cents, "stay")
    if seen.board:
        return board_advise.worths(planned.plan, game.weakest, pay.simplest, seen, left)
    if len(left) + len(seen.cards) < len(DECK):
        said = "before the board nothing is counted anew for cards that are seen elsewhere"
        raise Unsolved(said, book.id)
    return solve(book, ante_cents, minimum_cents, "stay").worth(seen)


# Reading a rulebook ------------------------------------------------------------------------------


def shape(book: Rulebook) -> Qualifier:
    """Return the qualifier, or say why this solver cannot take the game."""
    rule, main = book.qualifier, [spot for spot in book.spot if spot.kind == "main"]
    if rule is None or not all(spot.against for spot in main):
        raise Unsolved("main wagers that are not against the dealer are not solved here", book.id)
    tables = [book.tables[name] for spot in main for name in (spot.table, spot.bonus) if name]
    places = (SEATS, *rule.shared)
    for fits, why in (
        (
            rule.ranking == "five-card"
            and [book.dealt[place] for place in (SEATS, rule.place)] == [HOLE, HOLE]
            and sum(book.dealt[place] for place in rule.shared) == BOARD,
            "only two cards each and a board of five, by five-card hands, are solved so far",
        ),
        (
            all(t.ranking == "five-card" and set(t.cards) == set(places) for t in tables),
            "main wagers that other cards decide than those of the showdown are not solved yet",
        ),
        (
            all(spot.after_fold == "lost" for spot in main),
            "showdowns in which a main wager outlives a fold are not solved yet",
        ),
        (
            not any(step.more for step in book.streets),
            "on a shared board multiples that depend on the hand are not solved yet",
        ),
    ):
        if not fits:
            raise Unsolved(why, book.id)
    return rule


def plan(book: Rulebook, ties: str) -> BoardPlan:
    """Return the decisions of a round: the cards seen, and what may be staked, at each."""
    rule = shape(book)
    cards = arrivals(book.script, (SEATS, *rule.shared))
    columns: list[Wagers] = [tuple((name, 1) for name in book.equal)]
    found: list[Street] = []
    for index, step in enumerate(book.script):
        if isinstance(step, DecideStep):
            seen = [card.place for card in cards if card.step < index]
            street, columns = _street(step, columns, ties, seen=len(seen), own=seen.count(SEATS))
            found.append(street)
    seen_at = [street.seen - HOLE for street in found]
    if {street.own for street in found} - {HOLE} or not {0, FLOP, TURN, BOARD} >= set(seen_at):
        said = "before, with three, four and all cards of the board"
        raise Unsolved(f"on a shared board only decisions {said} are solved so far", book.id)
    if len(set(seen_at)) < len(seen_at):
        raise Unsolved("on a shared board two decisions at once are not solved yet", book.id)
    sizes = np.diff(sorted({0, *seen_at, BOARD})).tolist()
    orders = prod(factorial(each) for each in sizes) // factorial(FLOP)
    stakes = tuple(_staked(wagers) for wagers in columns)
    return BoardPlan(Plan(HOLE + BOARD, tuple(found), stakes), tuple(columns), orders)


def _street(
    step: DecideStep, columns: list[Wagers], ties: str, *, seen: int, own: int
) -> tuple[Street, list[Wagers]]:
    """Return a decision, and the wagers that it may leave."""
    choices = offered(step, ties)
    asked = [(step.into in dict(column)) != bool(step.times) for column in columns]
    moves = [
        [_moved(column, step.into, choice) if asks else column for choice in choices]
        for column, asks in zip(columns, asked, strict=True)
    ]
    reached = {to for row in moves for to in row if to is not None}
    following = sorted(reached, key=lambda each: (_staked(each), each))  # in every process the same
    return (
        Street(
            seen=seen,
            own=own,
            choices=choices,
            stakes=tuple(_staked(column) for column in columns),
            after=tuple(
                tuple(OUT if to is None else following.index(to) for to in row) for row in moves
            ),
            asked=tuple(asked),
        ),
        following,
    )


def _staked(wagers: Wagers) -> int:
    return sum(many for _, many in wagers)


def _moved(wagers: Wagers, into: str, choice: int) -> Wagers | None:
    """Return the wagers after a choice; None after a fold."""
    if choice == FOLD:
        return None
    if choice == TAKE_BACK:
        return tuple(each for each in wagers if each[0] != into)
    return wagers if choice == CHECK else (*wagers, (into, choice))
