"""What the dealer of a table does next: one step at every moment, from the book and the table.

Nothing is decided here. The script, the cards and the payoffs that wait say what is next; the
house's own prompts for that moment go with it.
"""

import datetime
from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate, takewhile
from typing import Literal

import msgspec
from msgspec.structs import replace

from pitboss import round as rounds
from pitboss.errors import Refusal
from pitboss.house.table.deck_handling import cards_refusal, first_card_refusal, to_inspect
from pitboss.house.table.events import CorrectionAsked
from pitboss.house.table.paperwork import lacks
from pitboss.house.table.payoffs import can_pay, in_house_order, unapproved
from pitboss.house.table.state import Table
from pitboss.house.table.unit_of_work import OWNER
from pitboss.round.state import awaits_green, deal_order, to_show
from pitboss.rulebook import Rulebook
from pitboss.rulebook.base import ABOVE_DEALER
from pitboss.rulebook.deal_script import DealStep, DecideStep, ShowStep, TurnStep
from pitboss.rulebook.pit_rules import Procedure
from pitboss.web.pages.table_status import approvers
from pitboss.wording import TIMES, capital, counted, holder, listed, ordinal

Does = Literal[
    "",
    "start-dealing",
    "call-floor",
    "answer-floor",
    "bring-cards",
    "inspect-cards",
    "wash-cards",
    "shuffle-cards",
    "open-betting",
    "bet",
    "close-bets",
    "light",
    "deal",
    "decide",
    "turn",
    "correct",
    "call-out",
    "pay",
]
"""What a step has the dealer do; nothing, while the table waits for somebody else."""

CARE: dict[str, tuple[Does, str]] = {
    "cards/not-washed": ("wash-cards", "The cards are washed"),
    "cards/not-shuffled": ("shuffle-cards", "The cards are shuffled"),
}
"""Why no betting is opened with real cards, where the dealer alone puts it right: by what, and as
the button says it."""

DEALS, RUNS = frozenset({OWNER, "dealer"}), frozenset({OWNER, *ABOVE_DEALER})


class DealerStep(msgspec.Struct, frozen=True, kw_only=True):
    """The next thing to be done."""

    says: str
    """In one line."""
    does: Does = ""
    button: str = ""
    """What its button says."""
    clause: str = ""
    when: tuple[str, ...] = ()
    """At which moments of the house's own prompts this is."""
    seat: int = 0
    """The seat that it is about, if it is about one."""
    goes: tuple[str, ...] = ()
    """Where the next cards go, in order, in words."""
    least: int = 0
    """Cards that have to be entered for it; more may be."""
    role: str = ""
    """In which it is done, where that matters."""
    colour: str = ""
    """Of the deck that it is about, if it is about one."""
    whole: tuple[int, ...] = ()
    """How many cards can be entered at once where they are turned up: those of whole hands."""


def prompts(book: Rulebook, step: DealerStep) -> tuple[Procedure, ...]:
    """Return what the house wants its dealer to do with the hands at this step."""
    return tuple(each for when in step.when for each in book.procedure if each.when == when)


def place_in_script(table: Table) -> str:
    """Name how far the dealer's own work has come: what was meant for one place in the script is
    not done at another, whatever players do meanwhile.

    >>> place_in_script(Table("t", number=3))
    '3.bet.0.0'
    """
    shown = sum(seat.shown for seat in table.round.seats.values())
    return f"{table.moment}.{table.round.position}.{shown}"


def entered(table: Table) -> bool:
    """Whether real cards lie here, and the dealer enters what happens."""
    return table.dealing == "entered"


def next_step(
    book: Rulebook,
    table: Table,
    person: str,
    day: datetime.date,
    roles: Collection[str] = ("dealer",),
) -> DealerStep:
    """Return what somebody who deals here, or is above who does, does next."""
    if not table.open:
        return DealerStep(says="This table is closed")
    if table.dealer != person:
        return _beside(book, table, person, day, roles)
    if table.correction is not None:
        return _put_right(book, table, table.correction, person)
    match table.round.phase:
        case "new" if not table.betting:
            return _before_betting(book, table, person, day, roles)
        case "new" | "betting":
            return _betting(book, table)
        case "playing":
            return _playing(book, table, day)
        case _:
            return _settling(book, table)


def _beside(
    book: Rulebook, table: Table, person: str, day: datetime.date, roles: Collection[str]
) -> DealerStep:
    """Take over from who deals, or come when the floor is called and see to the cards."""
    runs = not RUNS.isdisjoint(roles)
    if runs and table.call is not None:
        return DealerStep(says="The dealer calls you", does="answer-floor", button="I am here")
    if runs and table.correction is not None:
        return _put_right(book, table, table.correction, person)
    waits = table.round.phase == "new" and not table.betting and entered(table)
    first = cards_refusal(book, table, day) if waits else None
    if runs and first is not None:
        care = _care(book, table, person, roles, first)
        if care[0] in ("bring-cards", "inspect-cards"):
            return _cared(table, first, care, ("new-cards",))
    if DEALS.isdisjoint(roles):
        return _looks_on(book, table, day)
    return _take_over(table, person)


def _looks_on(book: Rulebook, table: Table, day: datetime.date) -> DealerStep:
    """Say what the dealer does next to who stands beside."""
    if not table.dealer:
        return DealerStep(says="Nobody deals here yet")
    step = next_step(book, table, table.dealer, day)
    return DealerStep(says=f"The dealer's step: {step.says}", clause=step.clause, seat=step.seat)


def _floor(table: Table, step: DealerStep) -> DealerStep:
    """Call the floor where the table waits for it, once."""
    if table.call is None:
        return replace(step, does="call-floor", button="Call the floor")
    return replace(step, says=f"{step.says}; the floor is called")


def _take_over(table: Table, person: str) -> DealerStep:
    seat = table.seat_of(person)
    if seat is not None:
        return DealerStep(says=f"You hold seat {seat}: nobody deals to themselves", seat=seat)
    says = "Relieve the dealer" if table.dealer else "Take the table over"
    return DealerStep(says=says, does="start-dealing", button="Start dealing")


# Before the deal ------------------------------------------------------------------------------


Care = tuple[Does, str, str, str]
"""What is done with the cards, what its button says, in which role, and with which deck."""

OTHERS: Care = ("", "", "", "")
"""Nothing: others must."""


def _care(
    book: Rulebook, table: Table, person: str, roles: Collection[str], lacks: Refusal
) -> Care:
    """Return what somebody can do about cards that are not fit to be dealt; nothing, if others
    must."""
    if lacks.code == "cards/not-inspected":
        role, colour = to_inspect(book, table, person, roles)
        return ("inspect-cards", "In order", role, colour) if role else OTHERS
    if lacks.code in ("cards/new-day", "cards/colours", "cards/faulty"):
        brings: Care = ("bring-cards", "New cards are here", "", "")
        return OTHERS if RUNS.isdisjoint(roles) else brings
    does, button = CARE.get(lacks.code, OTHERS[:2])
    return (
        does,
        f"{button} and cut" if does == "shuffle-cards" and book.deck.cut else button,
        "",
        "",
    )


def _cared(table: Table, lacks: Refusal, care: Care, when: tuple[str, ...]) -> DealerStep:
    does, button, role, colour = care
    says = capital(lacks.message)
    if lacks.code == "cards/not-inspected":
        which = f"the {colour} deck" if len(table.cards.decks) > 1 else "the new cards"
        says = f"Look through {which}" if does else "Others must look through the new cards, too"
    elif lacks.code == "cards/new-day" and not (table.betting or table.under_way):
        says = "Bring new cards" if does else "Have new cards brought"
    return DealerStep(
        says=says,
        does=does,
        button=button,
        role=role,
        colour=colour,
        clause=lacks.clause,
        when=when,
    )


def _before_betting(
    book: Rulebook, table: Table, person: str, day: datetime.date, roles: Collection[str]
) -> DealerStep:
    first = cards_refusal(book, table, day) if entered(table) else None
    # Once they are shuffled for the next round, the last one is over and done with.
    when = () if table.last is None or table.cards.shuffled else ("end",)
    care = _care(book, table, person, roles, first) if first is not None else OTHERS
    if entered(table) and not table.cards.shuffled:
        shuffles = first is None or care[0] == "shuffle-cards"
        when = (*when, "shuffle" if shuffles else "new-cards")
    if first is not None:
        step = _cared(table, first, care, when)
        return step if step.does else _floor(table, step)
    return DealerStep(
        says="Open the betting",
        does="open-betting",
        button="Open the betting",
        clause=book.ante.cited,
        when=when,
    )


def _betting(book: Rulebook, table: Table) -> DealerStep:
    down = {number for number, seat in table.round.seats.items() if seat.stakes}
    left = [
        number
        for number, sitter in sorted(table.sitters.items())
        if number not in down and not (sitter.away or sitter.player.barred)
    ]
    if entered(table) and left:
        says = f"Enter the wagers of seat {left[0]}" + (", or close the betting" if down else "")
        button = f"Seat {left[0]} bets"
        return DealerStep(
            says=says, does="bet", button=button, clause=book.ante.cited, seat=left[0]
        )
    if not down:
        says = "Nobody has bet yet" if table.sitters else "Nobody sits here yet"
        return DealerStep(says=says, clause=book.ante.cited)
    have = "has" if len(left) == 1 else "have"
    waits = f"; {_seats(left)} {have} not bet yet" if left else ""
    says = f"Close the betting{waits}"
    return DealerStep(
        says=says, does="close-bets", button="Close the betting", clause=book.ante.cited
    )


# The script -----------------------------------------------------------------------------------


def _playing(book: Rulebook, table: Table, day: datetime.date) -> DealerStep:
    state = table.round
    step = book.script[state.step]
    unfit = first_card_refusal(book, table, day) if entered(table) and not state.dealt else None
    if unfit is not None:
        return _floor(table, _cared(table, unfit, OTHERS, ("new-cards",)))
    clause = book.deck.clause_on("shuffler")
    if state.light == "red" and state.dealt:
        return _floor(table, DealerStep(says=RED, clause=clause))
    match step:
        case DecideStep():
            return _decide(book, table, step)
        case DealStep() if state.light == "red" or awaits_green(step, state):
            red = "shuffle again, and " if state.light == "red" else ""
            says = capital(f"{red}wait for the shuffler's green light")
            return DealerStep(says=says, does="light", button="It shows green", clause=clause)
        case DealStep():
            return _deal(book, table, step)
        case TurnStep():
            return _turn(book, table, step)
        case ShowStep():
            return _show(book, table, step)


RED = "The shuffler shows red: call the floor, which calls a misdeal or lets the round stand"


def _decide(book: Rulebook, table: Table, step: DecideStep) -> DealerStep:
    number = rounds.due(book, table.round)[0]
    times = [f"{each}{TIMES}" for each in step.every if _can_raise(table, number, step, each)]
    raises = f"raise {', '.join(times)}" if times else ""
    back = f"take back {book.spots[step.into].title}"
    ways = [back if way == "take-back" else way for way in step.otherwise]
    choices = listed(filter(None, [*ways, raises]), "or")
    return DealerStep(
        says=f"Seat {number} decides: {choices}",
        does="decide" if entered(table) else "",
        clause=step.cited,
        when=("raise", "fold"),
        seat=number,
    )


def _can_raise(table: Table, seat: int, step: DecideStep, times: int) -> bool:
    """Whether what lies before a patron without an account is enough for it."""
    sitter, held = table.patrons.get(seat), table.round.seats[seat]
    return sitter is None or times * held.stakes[step.of] <= sitter.chips_cents


def _deal(book: Rulebook, table: Table, step: DealStep) -> DealerStep:
    coming = deal_order(step, table.round.seats)[table.round.position :]
    places = [seat or place for place, seat, _ in coming]
    to = list(dict.fromkeys(places))
    each = [places.count(place) for place in to]
    if len(to) == 1 or len(set(each)) > 1:
        # One place alone, or the first where some have theirs already.
        where = f"{counted(each[0], 'card')} to {_place(book, to[0])}"
        where += f", then {counted(sum(each[1:]), 'card')} more" if len(to) > 1 else ""
    else:
        names = _seats(number for number in to if isinstance(number, int))
        piles = [_place(book, place) for place in to if isinstance(place, str)]
        where = f"{counted(each[0], 'card')} each to {listed(filter(None, [names, *piles]))}"
    up = [face_up for _, _, face_up in coming]
    return DealerStep(
        says=f"Deal {where}" + (", face up" if all(up) else ""),
        does="deal",
        button="Deal",
        clause=step.cited,
        when=("deal",),
        goes=tuple(_place(book, place) for place in places),
        least=int(entered(table) and up[0]),
    )


def _turn(book: Rulebook, table: Table, step: TurnStep) -> DealerStep:
    state = table.round
    place, left = _place(book, step.place), step.cards - state.position
    pile, faces = state.piles[step.place], state.up[step.place]
    down = [card for card, up in zip(pile, faces, strict=True) if not up][:left]
    one = f"the {ordinal(faces.count(True) + 1)} card" if len(pile) > 1 else "the card"
    which = one if left == 1 else counted(left, "card")
    unread = down.count(None) if entered(table) else 0
    return DealerStep(
        says=f"Turn up {which} of {place}",
        does="turn",
        button="Turn",
        clause=step.cited,
        goes=(place,) * unread,
        least=unread,
        whole=(unread,),
    )


def _show(book: Rulebook, table: Table, step: ShowStep) -> DealerStep:
    hands = [(hand.seat, hand.cards.count(None)) for hand in to_show(book, table.round)]
    unread = [(seat, count) for seat, count in hands if count]
    known = takewhile(lambda hand: not hand[1], hands[1:])
    first = [seat for seat, _ in (hands[0], *known)]  # those that were read go along
    return DealerStep(
        says=f"Turn up the hand{'s' if len(first) > 1 else ''} of {_seats(first)}",
        does="turn",
        button="Turn",
        clause=step.cited,
        when=("board-complete",),
        seat=first[0] if len(first) == 1 else 0,
        goes=tuple(f"seat {seat}" for seat, count in unread for _ in range(count)),
        least=hands[0][1],
        whole=tuple(accumulate(count for _, count in unread)),
    )


# Settling -------------------------------------------------------------------------------------


def _put_right(book: Rulebook, table: Table, asked: CorrectionAsked, person: str) -> DealerStep:
    """Agree to what another says was recorded wrongly, or wait until somebody agrees."""
    clause = book.rulings.corrections
    if asked.person == person:
        dealer = person == table.dealer
        says = f"What you put right waits for {'the floor' if dealer else 'the dealer'} to agree"
        step = DealerStep(says=says, clause=clause)
        return _floor(table, step) if dealer else step
    says = f"{capital(holder(asked.role))} asks for a correction: {asked.why}"
    return DealerStep(says=says, does="correct", button="Look at it", clause=clause)


def _settling(book: Rulebook, table: Table) -> DealerStep:
    shows = book.script[-1]
    when = ("settle", "win", "lose")
    if table.round.light == "red":
        return _floor(table, DealerStep(says=RED, clause=book.deck.clause_on("shuffler")))
    waits = [
        (seat, rule)
        for seat in in_house_order(book, table.announced)
        for rule in unapproved(book, table, seat)
    ]
    for seat, rule in waits:
        if rule.act == "call-out":
            won = book.money(table.announced[seat])
            return DealerStep(
                says=f"Call out the win of seat {seat}: {won}",
                does="call-out",
                button=f"{won} is called out",
                clause=rule.cited,
                when=when,
                seat=seat,
            )
    papers = [(seat, lacks(table, seat)) for seat in in_house_order(book, table.forms)]
    papers = [(seat, left) for seat, left in papers if left]
    done = in_house_order(book, can_pay(book, table)) if waits or papers else ()
    if done:
        says, clause = f"Pay {_seats(done)}: another waits", book.rulings.paying
        return DealerStep(says=says, does="pay", button="Pay", clause=clause, when=when)
    if waits:
        seat, rule = waits[0]
        says = f"The win of seat {seat} waits for {approvers(rule)}"
        return _floor(table, DealerStep(says=says, clause=rule.cited, when=when, seat=seat))
    for seat, left in papers:
        says, clause = f"Seat {seat} waits for {left}", book.tax.clause_on("forms")
        step = DealerStep(says=says, clause=clause or book.tax.cited, when=when, seat=seat)
        return _floor(table, step)
    return DealerStep(says="Pay", does="pay", button="Pay", clause=shows.cited, when=when)


# Words ----------------------------------------------------------------------------------------


def _place(book: Rulebook, place: str | int) -> str:
    return f"seat {place}" if isinstance(place, int) else f"the {book.place_name(place)}"


def _seats(numbers: Iterable[int]) -> str:
    several: Sequence[str] = [str(number) for number in numbers]
    return f"seat{'s' if len(several) > 1 else ''} {listed(several)}" if several else ""
