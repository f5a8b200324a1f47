"""The table as a terminal shows it: cards, chips, seats, pay tables, sign and receipt.

Everything here is drawn from what one seat sees (``Round.view``), never from the whole round, and
asks nothing of the terminal but its width and height.
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from rich import box
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from pitboss import money, settle
from pitboss.cards import SUITS, Card
from pitboss.cli import bots
from pitboss.errors import Refusal
from pitboss.hands import ranking
from pitboss.round import Option, Seat, State, actions, due
from pitboss.round.wagers import bounds
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.pays import PayTable, Spot
from pitboss.rulebook.script import SEATS

CLOTH = "#e8efe9 on #0d4a34"
QUIET = "#9dbfae"
SLIP = "#16181d on #f6f3ea"
PAPER = {"c": "bold #16181d on #f6f3ea", "s": "bold #16181d on #f6f3ea"}
PAPER |= {"d": "bold #c4162a on #f6f3ea", "h": "bold #c4162a on #f6f3ea"}
BACK = "#aebfe6 on #27407f"
GOLD = "bold #ffd75f"
GOOD, BAD = "bold #7fe08a", "#ffa294"
CHIPS = {100: "#f5f5f5", 500: "#e5484d", 2_500: "#46c46a", 10_000: "#111111"}
CHIPS |= {50_000: "#b07cf0", 100_000: "#f5c542", 500_000: "#8f6b4f"}

SLOT = ""
"""A place on the cloth where a card is still to come."""


HELP = """\
Betting   Enter or b bets what it says; type an amount such as 10 to bet that Ante;
          s sets side wagers and t a wager for the dealers; q leaves the table.
Deciding  a number raises by that many times, f folds, c checks, t takes a wager back.
Always    p shows the pay tables; Ctrl-C walks away."""


class Look(msgspec.Struct, frozen=True):
    """The signs that a terminal can show."""

    suits: str = "♣♦♥♠"
    corners: str = "╭╮╰╯"
    lines: str = "─│"
    slot: str = "╌┊"
    back: str = "▒"
    chip: str = "●"
    you: str = "▸"
    dot: str = "·"
    times: str = "×"


PLAIN = Look("cdhs", "++++", "-|", "..", "#", "o", ">", "-", "x")
"""For a terminal that is not in UTF-8."""


class Scene(msgspec.Struct, frozen=True):
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
        """The player's own part of the round."""
        return self.view.seats[self.seat]


def look_for(console: Console) -> Look:
    """Return the signs that this terminal can show."""
    return Look() if console.encoding.lower().startswith("utf") else PLAIN


# Cards and chips ------------------------------------------------------------------------------


def card_text(card: Card, look: Look) -> str:
    """Write a card as it is printed in its corner."""
    return ("10" if card.rank == 10 else str(card)[0]) + look.suits[SUITS.index(card.suit)]


def small_cards(cards: Iterable[Card | None], look: Look) -> Text:
    """Write cards on one line."""
    return Text(" ").join(
        Text(look.back * 2, BACK) if card is None else Text(card_text(card, look), PAPER[card.suit])
        for card in cards
    )


def big_cards(cards: Sequence[Card | None | str], look: Look) -> Text:
    """Draw cards in boxes, side by side."""
    rows = [Text() for _ in range(4)]
    for index, card in enumerate(cards):
        drawn, style = _box(card, look)
        for row, part in zip(rows, drawn, strict=True):
            row.append(" " if index else "").append(part, style)
    return Text("\n").join(rows)


def _box(card: Card | None | str, look: Look) -> tuple[list[str], str]:
    (flat, upright), style = look.lines, BACK
    left = right = look.back * 4
    if isinstance(card, Card):
        style = PAPER[card.suit]
        left, right = f"{card_text(card, look):<4}", f"{card_text(card, look):>4}"
    elif card is not None:
        (flat, upright), style = look.slot, QUIET
        left = right = " " * 4
    a, b, c, d = look.corners
    edges = [f"{a}{flat * 4}{b}", f"{c}{flat * 4}{d}"]
    return [edges[0], *(f"{upright}{side}{upright}" for side in (left, right)), edges[1]], style


def short(cents: int) -> str:
    """Write money as chips are counted: no cents where there are none."""
    return money.text(cents).removesuffix(".00")


def stack(cents: int, book: Rulebook, look: Look) -> Text:
    """Draw a wager: its largest chip, and what it comes to."""
    stacks, _ = money.chips(cents, book.chips)
    style = CHIPS.get(stacks[0][0], "") if stacks else ""
    return Text.assemble((look.chip, style), short(cents))


def rack(scene: Scene, look: Look) -> Text:
    """Draw the player's chips, largest first."""
    stacks, left = money.chips(scene.chips_cents, scene.book.chips)
    drawn = Text.assemble("Your rack ", (money.text(scene.chips_cents), "bold"), " ")
    for each, count in stacks:
        drawn.append(f" {look.chip}", CHIPS.get(each, ""))
        drawn.append(f"{count}{look.times}{short(each)}", QUIET)
    return drawn.append(f" and {money.text(left)}" if left and stacks else "", QUIET)


# The table ------------------------------------------------------------------------------------


def felt(scene: Scene, look: Look, width: int, height: int) -> RenderableType:
    """Draw the whole table."""
    book, view = scene.book, scene.view
    middle = Table.grid(expand=True, padding=(0, 1))
    middle.add_column(ratio=1)
    piles, hand = _piles(scene, look), _hand(scene, look)
    if scene.settlement is not None and height < 36:  # the receipt needs the room
        middle.add_column(ratio=1)
        middle.add_row(piles, hand)
    else:
        tables = _tables_beside(scene, look, width)
        for _ in tables:
            middle.add_column()
        middle.add_row(Group(piles, hand, rack(scene, look)), *tables)
    suits = look.suits[3] + look.suits[2]
    title = Text(f" {suits} {book.game} {look.dot} {book.house} {suits[::-1]} ", "bold")
    return Panel(
        Group(middle, _seats(scene, look)),
        title=title,
        subtitle=Text(f" {posted(book, view, look)} "),
        box=box.ROUNDED,
        style=CLOTH,
        border_style="#c9a86a on #0d4a34",
        width=min(width, 160),
    )


def posted(book: Rulebook, view: State, look: Look) -> str:
    """Say what the sign on the table says: limits, ceilings, the meter."""
    least, most = bounds(book.ante, view.minimum_cents, view.maximum_cents)
    upto = f" to {money.text(most)}" if most is not None else " or more"
    words = [f"{book.ante.title} {money.text(least)}{upto}"]
    for cap in book.cap:
        whose = "table" if cap.scope == "table" else "player"
        words.append(f"ceiling {money.text(cap.cents(view.minimum_cents))} a {whose}")
    if view.meter_cents is not None:
        words.append(f"METER {money.text(view.meter_cents)}")
    return f" {look.dot} ".join(words)


def notices(book: Rulebook, where: str) -> list[Text]:
    """Return what the house says in this place, in its own words."""
    return [Text(each.text, "italic") for each in book.notice if where in each.where]


def _piles(scene: Scene, look: Look) -> RenderableType:
    book, view = scene.book, scene.view
    shown = Table.grid(padding=(0, 2, 0, 0))
    titles, drawn = [], []
    for place, count in book.dealt.items():
        if place != SEATS:
            pile = view.piles.get(place, ())
            titles.append(Text(place.replace("-", " ").capitalize() + _dealers(scene, place)))
            drawn.append(_fitting([*pile, *[SLOT] * (count - len(pile))], look))
    if drawn:
        shown.add_row(*titles)
        shown.add_row(*drawn)
    return shown


def _dealers(scene: Scene, place: str) -> str:
    """Name the dealer's hand once it is all turned up, and say whether it qualifies."""
    rule = scene.book.qualifier
    if rule is None or rule.place != place:
        return ""
    pile = bots.seen(scene.view, scene.seat, (place,))
    if len(pile) < scene.book.dealt[place]:
        return ""
    hand = ranking(rule.ranking).best(pile)
    fits = "qualifies" if hand.strength >= rule.weakest else "does not qualify"
    return f": {hand.name}, {fits}"


def _hand(scene: Scene, look: Look) -> RenderableType:
    book, me = scene.book, scene.me
    name = _name(scene)
    said = Text.assemble(("Your hand", GOLD), f": {name}" if name else "")
    if me.folded:
        said.append(f", tucked under {book.spots[me.tucked].title}" if me.tucked else ", folded")
    return Group(said, _fitting([*me.cards, *[SLOT] * (book.seat_cards - len(me.cards))], look))


def _name(scene: Scene) -> str:
    """Name the player's hand as far as it is made."""
    table, rule = bots.main_table(scene.book), scene.book.qualifier
    places = table.cards if table is not None else (SEATS,)
    order = table.order if table is not None else ranking(rule.ranking if rule else "five-card")
    known = bots.seen(scene.view, scene.seat, places)
    hand = bots.made(order, known)
    if hand is None or (len(known) < order.size and hand.category == order.categories[0]):
        return ""
    return hand.name


def _fitting(cards: Sequence[Card | None | str], look: Look) -> Text:
    """Draw cards large where five or fewer lie together."""
    if len(cards) <= 5:
        return big_cards(cards, look)
    return small_cards((None if isinstance(card, str) else card for card in cards), look)


def _tables_beside(scene: Scene, look: Look, width: int) -> list[RenderableType]:
    """Draw as many pay tables as there is room for: the main one, then those wagered on."""
    main = bots.main_table(scene.book)
    wagered = [scene.book.spots[name].table for name in scene.me.stakes]
    names = dict.fromkeys([main.name if main else "", *wagered])
    room = (min(width, 160) - 42) // 37
    return [pay_table(scene, scene.book.tables[name], look) for name in names if name][:room]


def pay_table(scene: Scene, table: PayTable, look: Look) -> RenderableType:
    """Draw a pay table with the row that the player has made marked in it."""
    row = bots.made_row(scene.book, table, bots.seen(scene.view, scene.seat, table.cards))
    drawn = Table.grid(padding=(0, 1, 0, 0))
    drawn.add_column(width=1)
    drawn.add_column(max_width=27)
    drawn.add_column(justify="right")
    drawn.add_row("", Text(table.title, "bold underline"), "")
    for each in table.rows:
        mine = row is not None and each.row == row.row
        style = GOLD if mine and not bots.loses(each) else QUIET if bots.loses(each) else ""
        drawn.add_row(look.you if mine else "", each.label, each.pays, style=style)
    return drawn


def _seats(scene: Scene, look: Look) -> RenderableType:
    """Draw a line for each seat: cards, the wager on each spot, what it did."""
    spots = scene.book.spot
    drawn = Table(box=None, expand=True, padding=(0, 1, 0, 0), header_style=QUIET)
    drawn.add_column("", no_wrap=True)
    drawn.add_column("Cards", no_wrap=True, vertical="bottom")
    for spot in spots:
        drawn.add_column("\n".join(spot.title.rsplit(" ", 1)), justify="right", overflow="fold")
    drawn.add_column("", justify="right", no_wrap=True)
    for seat in scene.view.seats.values():
        mine = seat.seat == scene.seat
        name = f"{look.you if mine else ' '} {seat.seat} {seat.person}"
        hidden = seat.tucked and not seat.shown and not mine
        cards = Text() if hidden else small_cards(seat.cards, look)
        stakes = [_stake(scene, seat, spot.name, look) for spot in spots]
        style = GOLD if mine else QUIET if seat.folded else ""
        drawn.add_row(Text(name, style), cards, *stakes, _status(scene, seat))
    return drawn


def _stake(scene: Scene, seat: Seat, spot: str, look: Look) -> Text:
    cents = seat.stakes.get(spot, 0)
    drawn = stack(cents, scene.book, look) if cents else Text(look.dot, QUIET)
    tucked = seat.tucked == spot and not seat.shown
    return Text.assemble((look.back * 2, BACK), drawn) if tucked else drawn


def _status(scene: Scene, seat: Seat) -> Text:
    if scene.settlement is not None:
        found = next(each for each in scene.settlement.seats if each.seat == seat.seat)
        return gain(found.paid_cents - found.staked_cents)
    if seat.folded or seat.dead:
        return Text("dead" if seat.dead else "tucked" if seat.tucked else "folded", QUIET)
    if seat.seat in due(scene.book, scene.view):
        return Text("to act", GOLD if seat.seat == scene.seat else "")
    if not seat.raises:
        return Text()
    return Text(f"raised {seat.raises[-1]}x" if seat.raises[-1] else "stayed")


def gain(cents: int) -> Text:
    """Write what was won or lost."""
    sign = "+" if cents > 0 else ""
    return Text(f"{sign}{money.text(cents)}", GOOD if cents > 0 else BAD if cents < 0 else "")


# Receipts and words ---------------------------------------------------------------------------


def receipt(scene: Scene, look: Look, width: int, number: int) -> RenderableType:
    """Draw the player's receipt: a line for each wager, then why."""
    assert scene.settlement is not None
    mine = next(each for each in scene.settlement.seats if each.seat == scene.seat)
    lines = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for title in ("Wager", "Stake", "Outcome", "Odds", "Won", "Back", "Clause"):
        lines.add_column(title, justify="right" if title in ("Stake", "Won", "Back") else "left")
    for line in mine.lines:
        lines.add_row(
            _title(scene.book, line.spot),
            money.text(line.stake_cents),
            Text(line.outcome, "" if line.outcome == "lose" else "bold"),
            str(line.odds) if line.odds is not None else look.dot,
            money.text(line.won_cents),
            money.text(line.returned_cents),
            ", ".join(line.clause.replace(",", " ").split()),
        )
    tax = f" after {money.text(mine.withheld_cents)} of tax" if mine.withheld_cents else ""
    total = Text(f"Staked {money.text(mine.staked_cents)}, paid {money.text(mine.paid_cents)}{tax}")
    total.append(f": {gain(mine.paid_cents - mine.staked_cents)}", "bold")
    total.append(f", which leaves you {money.text(scene.chips_cents)}")
    head = f" Receipt {look.dot} round {number} " + (
        f"{look.dot} {mine.hand} " if mine.hand else ""
    )
    return Panel(
        Group(lines, *_why(scene.book, mine), total, *notices(scene.book, "receipt")),
        title=Text(head, "bold"),
        box=box.ROUNDED,
        style=SLIP,
        width=min(width, 160),
    )


def _why(book: Rulebook, mine: settle.SeatSettlement) -> list[Text]:
    """Say every reason once, for all the wagers that share it, and what the payoff needs."""
    said: dict[str, list[str]] = {}
    for line in mine.lines:
        for sentence in settle.sentences(line):
            said.setdefault(sentence, []).append(_title(book, line.spot))
    reasons = [f"{', '.join(spots)}: {sentence}" for sentence, spots in said.items()]
    reasons += [
        f"Over {money.text(rule.over)}: {rule.act} by {' or '.join(rule.by)} [{rule.cited}]"
        for rule in mine.approvals
    ]
    return [Text(each) for each in reasons]


def _title(book: Rulebook, spot: str) -> str:
    return book.spots[spot].title if spot in book.spots else spot.capitalize()


def all_tables(scene: Scene, look: Look) -> RenderableType:
    """Draw every pay table."""
    tables = [Padding(pay_table(scene, each, look), (0, 2, 1, 0)) for each in scene.book.table]
    return Columns(tables)


def keys(choices: Mapping[str, str]) -> Text:
    """Write what each key does."""
    words = [Text.assemble((f" {key} ", "reverse"), f" {does}") for key, does in choices.items()]
    return Text("  ").join(words)


def refusal(why: Refusal) -> Text:
    """Say why something is not allowed, and where that is written."""
    said = why.message[:1].upper() + why.message[1:]
    return Text.assemble((f"{said}.", "red"), f" [{why.clause}]" if why.clause else "")


def wagers(book: Rulebook, plan: actions.Bet) -> str:
    """Say what is bet."""
    down = [f"{money.text(cents)} {_title(book, spot)}" for spot, cents in plan.wagers.items()]
    down += [f"{money.text(plan.toke_cents)} toke"] if plan.toke_cents else []
    return ", ".join(down)


def offer(spot: Spot, posted: tuple[int, int | None], cents: int) -> str:
    """Say what a side spot takes, or has."""
    least, most = bounds(spot, *posted)
    upto = "" if most == least else f" to {short(most)}" if most is not None else " or more"
    return f"{spot.title} {f'has {short(cents)}' if cents else f'takes {short(least)}{upto}'}"


def does(option: Option) -> str:
    """Say what a choice does, and the money it moves."""
    money_moved = f" {money.text(option.cents)}" if option.cents else ""
    return option.action.replace("-", " ") + money_moved


def helped() -> Text:
    """Say how to play."""
    return Text(HELP)
