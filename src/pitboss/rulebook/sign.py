"""A rulebook as people read it: the sign on the table, and the rule card on the wall."""

import textwrap
from collections.abc import Iterable

import msgspec

from pitboss.hands import ranking
from pitboss.money import text
from pitboss.rulebook.deal_script import SEATS, DealStep, ShowStep, Step, TurnStep
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.money_rules import Cap

WIDTH = 78


class Posted(msgspec.Struct, frozen=True):
    """One pay table on the sign."""

    title: str
    rows: tuple[tuple[str, str, str], ...]
    """(hand, what it pays, clause)."""


class Sign(msgspec.Struct, frozen=True):
    """What stands on the table for everybody to see."""

    rulebook: str
    sha256: str
    house: str
    game: str
    minimum_cents: int
    maximum_cents: int | None
    cap_cents: int | None
    cap_scope: str
    """``table`` or ``seat``; empty without a cap."""
    cap_says: str
    wagers: tuple[tuple[str, str], ...]
    """(wager, the limits it takes)."""
    tables: tuple[Posted, ...]
    notices: tuple[str, ...]


def sign(
    book: Rulebook, minimum_cents: int, maximum_cents: int | None, wagers: dict[str, str]
) -> Sign:
    """Return the sign of a table with these posted limits; the cap follows the minimum."""
    cap = book.cap[0] if book.cap else None
    return Sign(
        book.id,
        book.sha256,
        book.house,
        book.game,
        minimum_cents,
        maximum_cents,
        None if cap is None else cap.cents(minimum_cents),
        "" if cap is None else cap.scope,
        " ".join(cap_says(book, each, minimum_cents) for each in book.cap),
        tuple((book.spots[name].title, takes) for name, takes in wagers.items()),
        tuple(
            Posted(
                table.title,
                tuple((row.label, row.pays, row.cited) for row in table.rows),
            )
            for table in book.table
        ),
        tuple(note.text for note in book.notice if "sign" in note.where),
    )


def cap_says(book: Rulebook, cap: Cap, minimum_cents: int) -> str:
    """Say what a ceiling covers."""
    spots = ", ".join(book.spots[name].title for name in cap.spots)
    whose = "the table's round" if cap.scope == "table" else "each player's round"
    over = f", wins at more than {cap.above}" if cap.above is not None else ""
    rows = f", {cap.rows[-1].replace('-', ' ')} and better" if cap.rows else ""
    return (
        f"Winnings on {spots}{over}{rows} are at most {text(cap.cents(minimum_cents))} over "
        f"{whose} [{_cited(' '.join((cap.cited, cap.spots_clause, cap.above_clause)))}]"
    )


def sign_text(posted: Sign) -> str:
    """Return the sign as text, within 80 columns."""
    rule = "=" * WIDTH
    most = " or more"
    if posted.maximum_cents is not None:
        most = f" to {text(posted.maximum_cents)}"
    out = [rule, f"{posted.game}  -  {posted.house}".center(WIDTH).rstrip()]
    out.append(f"ANTE {text(posted.minimum_cents)}{most}".center(WIDTH).rstrip())
    if posted.cap_cents is not None:
        whose = "THE TABLE" if posted.cap_scope == "table" else "A PLAYER"
        limit = f"MAXIMUM AGGREGATE {text(posted.cap_cents)} A ROUND FOR {whose}"
        out.append(limit.center(WIDTH).rstrip())
    out.append(rule)
    out += [f"{wager:<20}{takes}" for wager, takes in posted.wagers]
    for table in posted.tables:
        out += ["", table.title.upper()]
        out += [f"  {hand:<36}{pays:>20}   {clause}" for hand, pays, clause in table.rows]
    out.append("")
    for words in (posted.cap_says, *posted.notices):
        out += textwrap.wrap(words, WIDTH)
    return "\n".join([*out, rule])


def card_text(book: Rulebook) -> str:
    """Return the whole rulebook as a rule card: what happens, what it pays, who may do what."""
    out = [f"{book.game}, {book.house}", f"{book.id}  sha256 {book.sha256}", book.document]
    out += _section("Cards", _deck_says(book))
    out += _section("Seats", [f"{book.seats.most}, one hand each [{book.seats.cited}]"])
    out += _section("A round", [f"{n}. {step_says(s)}" for n, s in enumerate(book.script, 1)])
    out += _section("The dealer's hand", _qualifier_says(book))
    out += _section("Wagers", [_spot_says(book, name) for name in book.spots])
    for table in book.table:
        rows = [f"{row.label}: {row.pays} [{row.cited}]" for row in table.rows]
        cited = _cited(f"{table.cited} {table.ranking_clause}")
        out += _section(f"{table.title} pays [{cited}]", rows)
    out += _section("Money", _money_says(book))
    out += _section("In the pit", _pit_says(book))
    out += _section("Notices", [f"{note.text} [{note.cited}]" for note in book.notice])
    return "\n".join(out)


def _section(title: str, lines: list[str]) -> list[str]:
    if not lines:
        return []
    wrapped = [
        each
        for line in lines
        for each in textwrap.wrap(
            line, WIDTH, initial_indent="  ", subsequent_indent="      ", break_on_hyphens=False
        )
    ]
    return ["", title, *wrapped]


def step_says(step: Step) -> str:
    """Say one step of the script."""
    return f"{step_does(step)} [{step.cited}]"


def step_does(step: Step) -> str:
    """Say one step without its clause."""
    if isinstance(step, DealStep):
        to = " and ".join("each seat" if place == SEATS else place for place in step.to)
        up = "".join(
            f"; {place} card {', '.join(map(str, which))} face up"
            for place, which in step.up.items()
        )
        light = "; after the shuffler's green light" if step.after_green_light else ""
        return f"Deal {step.cards} to {to}, {step.packet} at a time{up}{light}"
    if isinstance(step, TurnStep):
        return f"Turn up {step.cards} of {step.place}"
    if isinstance(step, ShowStep):
        return f"Show and settle the hands, {step.order.replace('-', ' ')}"
    times = ", ".join(f"{each}x" for each in step.times)
    choices = [f"raise {times} the {step.of} into {step.into}"] if times else []
    return f"Decide: {' or '.join([*choices, *step.otherwise])}"


def _listed(several: Iterable[str], word: str = "or") -> str:
    return f" {word} ".join(each.replace("-", " ") for each in several)


def _cited(clauses: str) -> str:
    return ", ".join(dict.fromkeys(clauses.replace(",", " ").split()))


def _deck_says(book: Rulebook) -> list[str]:
    care = book.deck
    out = [f"One deck of {care.cards} [{care.cited}]"]
    if care.new_each is not None:
        out.append(f"New cards every {care.new_each.replace('-', ' ')} [{_cited(care.new_clause)}]")
    if care.shuffler:
        decks = f"{care.colours_with_shuffler} decks of different colours with a shuffler"
        out.append(f"{decks}, {care.colours_by_hand} without [{_cited(care.colours_clause)}]")
    if care.inspection is not None:
        groups = " and ".join(f"one {_listed(roles)}" for roles in care.inspection.one_of_each)
        out.append(f"Inspected by {care.inspection.people}: {groups} [{care.inspection.cited}]")
    if care.replaced_by:
        out.append(
            f"Replacements come from {_listed(care.replaced_by)} [{_cited(care.replaced_clause)}]"
        )
    if care.wash:
        out.append(f"New cards are washed before the first shuffle [{_cited(care.wash_clause)}]")
    if care.shuffle_clause:
        out.append(f"Shuffled every {care.shuffle_each} [{_cited(care.shuffle_clause)}]")
    return out


def _qualifier_says(book: Rulebook) -> list[str]:
    rule = book.qualifier
    if rule is None:
        return []
    weakest = ranking(rule.ranking).classes[rule.weakest - 1]
    return [
        f"Qualifies with {weakest.name} or better [{rule.cited}]",
        f"Equal hands: {rule.tie} [{_cited(rule.tie_clause) or rule.cited}]",
    ]


def _spot_says(book: Rulebook, name: str) -> str:
    spot = book.spots[name]
    parts: list[str] = ["required" if spot.required else spot.kind]
    if spot.against:
        parts.append(f"against the {spot.against}")
        parts.append(f"{spot.unqualified} when that hand does not qualify")
    if spot.after_fold == "lives":
        tuck = f", whose cards tuck under it [{spot.tuck_clause}]" if spot.tuck_clause else ""
        parts.append(f"lives after a fold{tuck}")
    if spot.fixed is not None:
        parts.append(f"exactly {text(spot.fixed)}")
    return f"{spot.title} ({name}): {', '.join(parts)} [{spot.cited}]"


def _money_says(book: Rulebook) -> list[str]:
    out = []
    for name, range_ in (("minimum", book.limits.minimum), ("maximum", book.limits.maximum)):
        low = text(range_.lowest) if range_.lowest is not None else "any"
        high = text(range_.highest) if range_.highest is not None else "any"
        out.append(f"Posted {name}: {low} to {high} [{book.limits.cited}]")
    out.append(
        f"Limits are changed by {_listed(book.limits.changed_by)}, between rounds "
        f"[{_cited(book.limits.change_clause)}]"
    )
    if book.limits.partners_share_maximum:
        out.append(f"Partners stay within the maximum together [{book.limits.cited}]")
    for cap in book.cap:
        out.append(cap_says(book, cap, book.limits.minimum.lowest or 0))
        if cap.growth is not None:
            grows = f"{cap.growth.units} times the posted minimum at {cap.growth.odds}"
            out.append(f"The ceiling grows with {grows} [{cap.growth.cited}]")
        shared = f"{cap.division}, in units of {text(cap.unit)}"
        out.append(f"It is shared {shared} [{_cited(cap.division_clause) or cap.cited}]")
        if cap.notify:
            told = f"{_listed(cap.notify, 'and')} [{_cited(cap.notify_clause)}]"
            out.append(f"Its use is told within the gaming day to {told}")
    if book.progressive is not None:
        rule = book.progressive
        out.append(
            f"Progressive: {rule.contribution} of each token to the meter, reseeded at "
            f"{text(rule.reseed)} [{rule.cited}]"
        )
    if book.toke is not None:
        out.append(
            f"Tokes: at most {book.toke.most_of_maximum} of the posted maximum and the player's "
            f"own bet [{book.toke.cited}]"
        )
    out.append(
        f"Counted in {book.currency}; a fraction of a cent goes {book.rounding} "
        f"[{book.rounding_ruling}]"
    )
    floor = f"over {text(book.tax.over)} and " if book.tax.over is not None else ""
    out.append(f"Tax forms: {floor}at least {book.tax.at_least_times} times [{book.tax.cited}]")
    return out


def _pit_says(book: Rulebook) -> list[str]:
    out = [
        f"Payoff over {text(each.over)}: {each.act} by {_listed(each.by)} [{each.cited}]"
        for each in book.approval
    ]
    out += [
        f"Misdeal ({each.cause}): {each.says}; by {_listed(each.by)} [{each.cited}]"
        for each in book.misdeal
    ]
    out += [
        f"Dead hand ({each.cause}): {each.says}; wagers {each.money} [{each.cited}]"
        for each in book.dead
    ]
    return out + [f"Dealer, {each.when}: {each.says} [{each.cited}]" for each in book.procedure]
