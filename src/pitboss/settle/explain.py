"""Reasons as sentences that a player understands, made only when somebody asks."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from pitboss.hands import Hand
from pitboss.rulebook.base import codes as cites
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.paytable import Row
from pitboss.rulebook.rule_card.house import covered
from pitboss.settle.lines import Line, Reason
from pitboss.wording import capital

_SENTENCES = {
    "row-win": "{hand} pays {row}",
    "row-push": "{hand} is a push: the wager goes back",
    "row-lose": "{hand} does not win",
    "row-award": "{hand} wins {row}; the token has dropped and stays there",
    "row-first": "{hand} pays {odds}, whatever the dealer holds",
    "bonus": "{hand} pays {row} on the {wager}, whatever the dealer holds",
    "others": "seat {seat} has a {row_title}: everybody else with this wager gets {won}",
    "folded": "folded at the {street}: the wager is lost",
    "unqualified-win": "the dealer's {dealer} does not qualify: this wager is paid all the same",
    "unqualified-push": "the dealer's {dealer} does not qualify: this wager goes back",
    "unqualified-lose": "the dealer's {dealer} does not qualify: this wager is lost",
    "unqualified-row": "the dealer's {dealer} does not qualify: {hand} pays {odds} all the same",
    "beats-dealer": "{hand} beats the dealer's {dealer} and pays {odds}",
    "beats-dealer-push": (
        "{hand} beats the dealer's {dealer}, and no row of this wager pays it: the wager goes back"
    ),
    "dealer-wins": "the dealer's {dealer} beats {hand}",
    "tie-push": "{hand} equals the dealer's hand: the wager goes back",
    "tie-lose": "{hand} equals the dealer's hand: the wager is lost",
    "tie-win": "{hand} equals the dealer's hand, wins and pays {odds}",
    "cap": (
        "the payout cap of {cap} on {ceiling} leaves {share} of {nominal}, "
        "{won} of it on this wager"
    ),
    "cap-shared": (
        "the payout cap of {cap} on {ceiling}, shared pro rata by {claims} players who won "
        "{total}, leaves {share} of {nominal}, {won} of it on this wager"
    ),
    "meter": "{part} of the meter at {meter} is {won}",
    "meter-shared": (
        "the award would have been {nominal} but for {claims} claims that share the meter at "
        "{meter}: {won} is paid for a claim of {part}"
    ),
    "kept": "the clock ran out on this hand, and silence gives up no award",
    "award": "a fixed award of {won}: {pool} from the jackpot pool, {house} from the house",
    "award-in-full": "a fixed award of {won}, whatever the meter says",
    "toke": "rides the {rides} for the dealers, outside every payout cap",
    "misdeal": "misdeal, {says}: every wager of the round goes back",
    "dead-return": "dead hand, {says}: the wager goes back",
    "dead-forfeit": "dead hand, {says}: the wager is forfeited",
    "form": (
        "{won} is at least {floor} and {times} times the wager: form {form}, {withheld} withheld"
    ),
    "held": "{won} is held, {why}",
}

_WHY = {"barred": "the player is barred", "unidentified": "the player has no identification"}
_WHOSE = {"table": "the table's", "seat": "one player's"}


def words(book: Rulebook, reason: Reason) -> str:
    """Say one reason, without its clauses."""
    facts = dict(_word(book, *fact) for fact in reason.facts.items())
    return capital(_SENTENCES[reason.code].format(**facts))


def sentence(book: Rulebook, reason: Reason) -> str:
    """Say one reason in words, with its clauses: each once, in the order of their part in it."""
    said, clauses = told(book, reason)
    return f"{said} [{clauses}]" if clauses else said


def told(book: Rulebook, reason: Reason) -> tuple[str, str]:
    """Return the words of a reason, and its clauses."""
    return words(book, reason), ", ".join(cites(reason.clause))


def sentences(book: Rulebook, line: Line) -> list[str]:
    return [sentence(book, reason) for reason in line.reasons]


def plain(book: Rulebook, lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return lines whose reasons can be written down and read back, and then say the same."""
    known: dict[int, str] = {}
    """Of hands, rows and odds, which the lines of a seat share."""

    def written(reason: Reason) -> Reason:
        facts = dict(reason.facts)
        for name, value in facts.items():
            if not isinstance(value, (int, str)):
                if id(value) not in known:
                    known[id(value)] = _word(book, name, value)[1]
                facts[name] = known[id(value)]
        return replace(reason, facts=facts)

    return tuple(replace(line, reasons=tuple(map(written, line.reasons))) for line in lines)


def codes() -> list[str]:
    return list(_SENTENCES)


def _word(book: Rulebook, name: str, value: Any) -> tuple[str, str]:
    if isinstance(value, Hand):
        return name, value.name
    if isinstance(value, Row):
        return name, book.pays(value)
    if name == "street":
        return name, book.spots[book.streets[value - 1].into].title
    if name == "why":
        return name, _WHY[value]
    if name == "ceiling":
        cap = book.cap[value]
        return name, f"{_WHOSE[cap.scope]} winnings in a round on {covered(book, cap)}"
    if name.endswith("_cents"):
        return name.removesuffix("_cents"), book.money(value)
    return name, str(value)
