"""The table as a terminal shows it: cards, chips, seats, pay tables, sign and receipt.

Everything here is drawn from what one seat sees (``Round.view``), never from the whole round, and
asks nothing of the terminal but its size and whether it can show more than ASCII.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

import msgspec
from rich import box
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.segment import Segment, SegmentLines
from rich.table import Table
from rich.text import Text

from pitboss import money, settle
from pitboss.cards import SUITS, Card
from pitboss.errors import Refusal
from pitboss.house.table.felt import Felt, Place, Wager, draw
from pitboss.round import Option, Seat, State, actions
from pitboss.round.made_hands import loses
from pitboss.round.wagers import bounds
from pitboss.rulebook import Rulebook
from pitboss.rulebook.paytable import PayTable, Spot
from pitboss.rulebook.rule_card.house import amount
from pitboss.rulebook.sign import takes
from pitboss.settle.approvals import label
from pitboss.wording import TIMES, spaced

if TYPE_CHECKING:
    from pitboss.web.pages.coach import Valuation

CLOTH, QUIET, GOLD = "#e8efe9 on #0d4a34", "#9dbfae", "bold #ffd75f"
BAND = "bold #0d4a34 on #ffd75f"
UP, DOWN = "bold #7fe08a", "#ffa294"
PAPER, BACK = "#16181d on #f6f3ea", "#aebfe6 on #27407f"
INK = {"c": "bold #16181d on #f6f3ea", "d": "bold #c4162a on #f6f3ea"}
INK |= {"s": INK["c"], "h": INK["d"]}
CHIPS = {100: "#f5f5f5", 500: "#e5484d", 2_500: "#46c46a", 10_000: "#111111"}
CHIPS |= {50_000: "#b07cf0", 100_000: "#f5c542", 500_000: "#c08a5a"}
WIDEST = 120

HELP = """\
Betting   Enter or b bets what it says. An amount such as 10 bets that ante.
          s sets side wagers, t a wager for the dealers, r repeats the last bet,
          q leaves the table.
Deciding  A number raises by so many times, f folds, c checks, t takes back.
          v has the coach say how much less than the best each choice is worth.
Always    p shows the pay tables, Ctrl-C walks away."""


class Look(msgspec.Struct, frozen=True):
    """The signs that a terminal can show."""

    suits: str = "♣♦♥♠"
    box: str = "╭─╮│╰╯"
    slot: str = "╭╌╮┊╰╯"
    back: str = "▒"
    chip: str = "●"
    you: str = "▸"
    dot: str = "·"
    flourish: tuple[str, str] = ("♠♥", "♥♠")


PLAIN = Look(
    suits="cdhs",
    box="+-+|++",
    slot="...:..",
    back="#",
    chip="o",
    you=">",
    dot="-",
    flourish=("**", "**"),
)
"""For a terminal that is not in UTF-8."""


class Scene(msgspec.Struct, frozen=True, dict=True):
    """What is on the table, as one seat sees it."""

    book: Rulebook
    view: State
    seat: int
    chips_cents: int
    """What the player has left in the rack."""
    settlement: settle.Settlement | None = None
    """Once the round is decided."""

    @property
    def me(self) -> Seat:
        return self.view.seats[self.seat]

    @cached_property
    def felt(self) -> Felt:
        names = {number: seat.person for number, seat in self.view.seats.items()}
        return draw(self.book, self.view, names, self.seat)


def look_for(console: Console) -> Look:
    return Look() if console.encoding.lower().startswith("utf") else PLAIN


# Cards and chips ------------------------------------------------------------------------------


def corner(card: Card, look: Look) -> str:
    return ("10" if card.rank == 10 else str(card)[0]) + look.suits[SUITS.index(card.suit)]


def small_cards(cards: Iterable[Card | None], look: Look) -> Text:
    return Text(" ").join(
        Text(look.back * 2, BACK) if card is None else Text(corner(card, look), INK[card.suit])
        for card in cards
    )


def big_cards(cards: Sequence[Card | None], missing: int, look: Look) -> Text:
    """Draw cards in boxes, and slots for those that are still to come."""
    drawn = [_box(look.box, look.back * 4, look.back * 4, BACK) for _ in cards]
    for index, card in enumerate(cards):
        if card is not None:
            name = corner(card, look)
            drawn[index] = _box(look.box, f"{name:<4}", f"{name:>4}", INK[card.suit])
    drawn += [_box(look.slot, " " * 4, " " * 4, QUIET) for _ in range(missing)]
    return Text("\n").join(Text(" ").join(row) for row in zip(*drawn, strict=True))


def _cards(cards: Sequence[Card | None], missing: int, look: Look, *, big: bool) -> Text:
    few = len(cards) + missing <= 5
    return big_cards(cards, missing, look) if big and few else small_cards(cards, look)


def _box(edge: str, top: str, bottom: str, style: str) -> list[Text]:
    rows = [edge[0] + edge[1] * 4 + edge[2], edge[3] + top + edge[3]]
    rows += [edge[3] + bottom + edge[3], edge[4] + edge[1] * 4 + edge[5]]
    return [Text(row, style) for row in rows]


def stack(cents: int, book: Rulebook, look: Look) -> Text:
    stacks, _ = money.chips(cents, book.chips)
    worth = money.short(cents) if cents < 100_000_00 else f"{cents // 1_000_00:,}k"
    return Text.assemble((look.chip, CHIPS.get(stacks[0][0], "") if stacks else ""), worth)


def _rack(scene: Scene, look: Look) -> Text:
    stacks, _ = money.chips(scene.chips_cents, scene.book.chips)
    drawn = Text.assemble("Your rack ", (scene.book.money(scene.chips_cents), "bold"), "\n")
    for each, count in stacks:
        drawn.append(look.chip, CHIPS.get(each, "")).append(f"{count}x{money.short(each)} ", QUIET)
    return drawn


# The table ------------------------------------------------------------------------------------


def felt(scene: Scene, look: Look, console: Console, rows: int) -> RenderableType:
    """Draw the table as large as it can be in so many rows; it is rendered already."""
    width = console.width
    seats, results = partial(_seats, scene, look, width), partial(_results, scene, look)
    drawn: list[Callable[[], RenderableType]] = [
        lambda: _roomy(scene, look, width),
        lambda: _beside(scene, look, seats(), big=True),
        lambda: _beside(scene, look, seats(), big=False),
    ]
    drawn += [lambda: _beside(scene, look, results(), big=False)] if scene.settlement else []
    found: list[list[Segment]] = []
    for each in drawn:
        found = console.render_lines(_framed(scene, look, each(), width), pad=False)
        if len(found) <= rows:
            break
    return SegmentLines(found, new_lines=True)


def _roomy(scene: Scene, look: Look, width: int) -> RenderableType:
    """Cards one above the other, and pay tables beside them."""
    middle = Table.grid(expand=True, padding=(0, 1, 0, 0))
    middle.add_column(ratio=1)
    cards = Group(_piles(scene, look, big=True), _hand(scene, look, big=True), _rack(scene, look))
    middle.add_row(cards, *_tables_beside(scene, look, width))
    return Group(middle, _seats(scene, look, width))


def _beside(scene: Scene, look: Look, seats: RenderableType, *, big: bool) -> RenderableType:
    """Your cards beside those of the table, and no pay tables."""
    middle = Table.grid(expand=True, padding=(0, 1, 0, 0))
    middle.add_column(ratio=1)
    middle.add_column(ratio=1)
    middle.add_row(_piles(scene, look, big=big), _hand(scene, look, big=big))
    rack = [] if scene.settlement else [_rack(scene, look)]  # a receipt says it, too
    return Group(middle, *rack, seats)


def _results(scene: Scene, look: Look) -> RenderableType:
    """What came of each seat, several to a line."""
    drawn = Table.grid(padding=(0, 2, 0, 0))
    each_row = 3 if scene.book.seat_cards < 5 else 2
    places = [place for place in scene.felt.places if place.name]
    for first in range(0, len(places), each_row):
        drawn.add_row(*(_result(scene, each, look) for each in places[first : first + each_row]))
    return drawn


def _result(scene: Scene, place: Place, look: Look) -> Text:
    you, style = (look.you, GOLD) if place.mine else (" ", "")
    name = Text(f"{you} {place.number} {place.name} ", style)
    return Text.assemble(name, _shown(scene, place, look), " ", _status(scene, place))


def _shown(scene: Scene, place: Place, look: Look) -> Text:
    hidden = place.gone and not scene.view.seats[place.number].shown and not place.mine
    return Text() if hidden else small_cards(place.cards, look)


def _framed(scene: Scene, look: Look, drawn: RenderableType, width: int) -> RenderableType:
    left, right = look.flourish
    return Panel(
        drawn,
        title=_title(left, scene.book.game, scene.book.house, right, look=look),
        subtitle=_title(*posted(scene.book, scene.view), look=look),
        box=box.ROUNDED,
        style=CLOTH,
        border_style="#c9a86a on #0d4a34",
        width=min(width, WIDEST),
    )


def _title(*words: str, look: Look) -> Text:
    return Text(f" {look.dot} ".join(words), "bold")


def posted(book: Rulebook, view: State) -> list[str]:
    """Say what the sign on the table says: limits, payout caps, the meter."""
    limits = takes(book, bounds(book.ante, view.minimum_cents, view.maximum_cents))
    words = [f"{book.ante.title} {limits}"]
    words += [f"payout cap {amount(book, cap, view.minimum_cents)}" for cap in book.cap]
    if view.meter_cents is not None:
        words.append(f"meter {book.money(view.meter_cents)}")
    return words


def notices(book: Rulebook, where: str) -> list[Text]:
    return [Text(words, "italic") for words in book.notices(where)]


def _piles(scene: Scene, look: Look, *, big: bool) -> RenderableType:
    drawn, piles = Table.grid(padding=(0, 2, 0, 0)), scene.felt.piles
    if piles:
        drawn.add_row(*(each.title + (f": {each.hand}" if each.hand else "") for each in piles))
        drawn.add_row(*(_cards(each.cards, each.missing, look, big=big) for each in piles))
    return drawn


def _hand(scene: Scene, look: Look, *, big: bool) -> RenderableType:
    me = scene.felt.me
    assert me is not None
    said = Text.assemble(("Your hand", GOLD), f": {me.hand}" if me.hand else "")
    if me.gone:
        said.append(f", {me.says}")
    return Group(said, _cards(me.cards, scene.book.seat_cards - len(me.cards), look, big=big))


def _tables_beside(scene: Scene, look: Look, width: int) -> list[RenderableType]:
    """Draw as many pay tables as there is room for: the main one, then those wagered on."""
    main = scene.book.main_table
    spots = [scene.book.spots[name] for name in scene.me.stakes]
    wagered = [name for spot in spots for name in (spot.table, spot.bonus)]
    names = dict.fromkeys([main.name if main else "", *wagered])
    room = max(0, (min(width, WIDEST) - 42) // 37)
    return [pay_table(scene, scene.book.tables[name], look) for name in names if name][:room]


def pay_table(scene: Scene, table: PayTable, look: Look) -> RenderableType:
    drawn = Table.grid(padding=(0, 1, 0, 0))
    drawn.add_column(width=1)
    drawn.add_column(max_width=27)
    drawn.add_column(justify="right")
    drawn.add_row("", Text(table.title, "bold underline"), "")
    for row in scene.book.printed(table):
        mine = row.row == scene.felt.made[table.name]
        style = "dim" if loses(row) else BAND if mine else ""
        drawn.add_row(look.you if mine else "", row.label, row.pays, style=style)
    return drawn


def _seats(scene: Scene, look: Look, width: int) -> RenderableType:
    """Draw a line for each seat: cards, the wager on each spot, what it did."""
    drawn = Table(box=None, width=min(width, 100) - 4, padding=(0, 1, 0, 0), header_style=QUIET)
    titles = [spot.title.rsplit(" ", 1) for spot in scene.book.spot]
    above = "\n" if any(len(title) > 1 for title in titles) else ""
    drawn.add_column("", no_wrap=True)
    drawn.add_column(f"{above}Cards", no_wrap=True)
    for title in titles:
        heading = "\n".join(title) if len(title) > 1 else above + title[0]
        drawn.add_column(heading, justify="right", overflow="fold")
    drawn.add_column("", justify="right", no_wrap=True)
    for place in scene.felt.places:
        if place.name:
            you, style = (look.you, GOLD) if place.mine else (" ", "")
            drawn.add_row(
                Text(f"{you} {place.number} {place.name}", style),
                _shown(scene, place, look),
                *(_stake(scene, wager, look) for wager in place.wagers[: len(titles)]),
                _status(scene, place),
            )
    return drawn


def _stake(scene: Scene, wager: Wager, look: Look) -> Text:
    drawn = stack(wager.cents, scene.book, look) if wager.cents else Text(look.dot, QUIET)
    return Text.assemble((look.back * 2, BACK), drawn) if wager.tucked else drawn


def _status(scene: Scene, place: Place) -> Text:
    if scene.settlement is not None:
        found = next(each for each in scene.settlement.seats if each.seat == place.number)
        net = found.net_cents
        return Text(scene.book.signed(net), UP if net > 0 else DOWN if net < 0 else "")
    if place.due:
        return Text("to act", GOLD if place.mine else "")
    return Text(place.says.replace(TIMES, "x"), QUIET if place.gone else "")


# Receipts and words ---------------------------------------------------------------------------


def receipt(scene: Scene, look: Look, width: int, number: int) -> RenderableType:
    assert scene.settlement is not None
    mine = next(each for each in scene.settlement.seats if each.seat == scene.seat)
    lines = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for heading in ("Wager", "Stake", "Outcome", "Odds", "Won", "Back", "Clause"):
        lines.add_column(
            heading, justify="right" if heading in ("Stake", "Won", "Back") else "left"
        )
    for line in mine.lines:
        lines.add_row(
            scene.book.wager_name(line.spot),
            scene.book.money(line.stake_cents),
            line.outcome,
            look.dot if line.odds is None else str(line.odds),
            scene.book.money(line.won_cents),
            scene.book.money(line.returned_cents),
            line.clause,
            style="" if line.outcome == "lose" else "bold",
        )
    words = ["Receipt", f"round {number}", *([mine.hand] if mine.hand else [])]
    return Panel(
        Group(lines, *_why(scene, mine), _total(scene, mine), *notices(scene.book, "receipt")),
        title=_title(*words, look=look),
        box=box.ROUNDED,
        style=PAPER,
        width=min(width, WIDEST),
    )


def _why(scene: Scene, mine: settle.SeatSettlement) -> list[Text]:
    """Say every reason once, for all the wagers that share it, and what the payoff needs."""
    said: dict[str, list[str]] = {}
    for line in mine.lines:
        for sentence in settle.sentences(scene.book, line):
            said.setdefault(sentence, []).append(scene.book.wager_name(line.spot))
    reasons = [f"{', '.join(spots)}: {sentence}" for sentence, spots in said.items()]
    if mine.approvals:
        who = ", ".join(label(rule) for rule in mine.approvals)
        reasons.append(f"Needs {who} [{mine.approvals[0].cited}]")
    if scene.settlement is not None and scene.settlement.notify:
        reasons.append(f"Must hear of it today: {', '.join(scene.settlement.notify)}")
    return [Text(each) for each in reasons]


def _total(scene: Scene, mine: settle.SeatSettlement) -> Text:
    book = scene.book
    staked, paid = book.money(mine.staked_cents), book.money(mine.paid_cents)
    tax = f" after {book.money(mine.withheld_cents)} of tax" if mine.withheld_cents else ""
    net = book.signed(mine.net_cents)
    toke = f", {book.money(scene.me.toke_cents)} to the dealers" if scene.me.toke_cents else ""
    left = f"{toke}. You have {book.money(scene.chips_cents)}"
    return Text.assemble(f"Staked {staked}, paid {paid}{tax}: ", (net, "bold"), left)


def all_tables(scene: Scene, look: Look) -> RenderableType:
    return Columns(
        [Padding(pay_table(scene, each, look), (0, 2, 1, 0)) for each in scene.book.table]
    )


def keys(choices: Mapping[str, str], width: int) -> Text:
    """Write what each key does, no choice broken over two lines."""
    lines = [Text()]
    for key, does_this in choices.items():
        word = Text.assemble((f"[{key}]", "bold"), f" {does_this}  ")
        if lines[-1].cell_len + word.cell_len > width:
            lines.append(Text())
        lines[-1].append_text(word)
    return Text("\n").join(lines)


def wagers(book: Rulebook, plan: actions.Bet) -> str:
    down = [f"{book.money(cents)} {book.wager_name(spot)}" for spot, cents in plan.wagers.items()]
    return ", ".join([*down, *([f"{book.money(plan.toke_cents)} toke"] if plan.toke_cents else [])])


def offer(book: Rulebook, spot: Spot, posted: tuple[int, int | None], cents: int) -> str:
    """Say what a side spot takes, or has."""
    if cents:
        return f"{spot.title} has {book.money(cents)}"
    least, most = bounds(spot, *posted)
    only = least == most
    return f"{spot.title} takes {book.money(least) if only else takes(book, (least, most))}"


def does(book: Rulebook, option: Option) -> str:
    times = f" {option.times}x" if option.times else ""
    moved = f" {book.money(option.cents)}" if option.cents else ""
    return spaced(option.action) + times + moved


def coached(valued: "Valuation | None") -> Text:
    """Say how much less than the best each choice is worth, the best first."""
    if valued is None:
        return Text("The coach does not know: this hand, or this game, is not solved.", "italic")
    said = Text("Coach: ", "bold")
    for number, each in enumerate(sorted(valued.choices, key=lambda each: -each.antes)):
        said.append(", " if number else "").append(f"{each.says.replace(TIMES, 'x')} ")
        said.append(each.less, "bold" if each.best else "")
    return said


def refusal(why: Refusal) -> Text:
    """Say why something is not allowed, and where that is written."""
    said = why.message[:1].upper() + why.message[1:]
    return Text.assemble((f"{said}.", "red"), f" [{why.clause}]" if why.clause else "")
