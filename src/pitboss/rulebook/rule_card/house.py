"""The house's side of a rule card: limits, ceilings, the jackpot, paying, tax, and the pit."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from pitboss.cards import DECK
from pitboss.money import text
from pitboss.rulebook.base import ABOVE_DEALER
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.money_rules import Cap, Growth, Range
from pitboss.rulebook.pit_rules import DeadHand, Misdeal
from pitboss.rulebook.rule_card.parts import CardSection, Item, item
from pitboss.wording import capital, counted, listed, number, spaced, wager

Ground = TypeVar("Ground", Misdeal, DeadHand)


def sections(book: Rulebook) -> Iterator[CardSection]:
    for name, (title, items) in _MONEY.items():
        yield CardSection(name=name, title=title, items=tuple(items(book)))
    yield _with_lead(
        "misdeals", "Misdeals", _MISDEALS, book.misdeal, _misdeal, book.rulings.misdeals
    )
    yield _with_lead("dead", "Dead hands", _DEAD_HANDS, book.dead, _dead_hand)
    for name, (title, items) in _PIT.items():
        yield CardSection(name=name, title=title, items=tuple(items(book)))


# Money ------------------------------------------------------------------------------------------


def _limits(book: Rulebook) -> Iterator[Item]:
    rule = book.limits
    hands = counted(book.seats.hands_each, "hand")
    up_to = f"Up to {number(book.seats.most)} play, {hands} each."
    yield item(up_to, book.seats.cited, topic="Seats")
    posted = [
        f"a {what} {_range(book, each)}"
        for what, each in (("minimum", rule.minimum), ("maximum", rule.maximum))
        if each != Range()
    ]
    limits = f"Every table posts its limits for {wager(book.ante.title)}"
    said = [f"{limits}: {listed(posted)}." if posted else f"{limits}."]
    if rule.partners_share_maximum:
        said.append("Partners stay within the maximum together.")
    yield item(" ".join(said), rule.cited, topic="Limits")
    if rule.maximum_required:
        most = "No table opens without a posted maximum."
        yield item(most, rule.clause_on("maximum_required"), topic="Maximum")
    chip = f"Every wager is a whole number of {book.money(book.smallest_chip)} chips."
    yield item(chip, rule.clause_on("smallest_chip"), topic="Smallest chip")
    changed = (
        f"Limits are changed between rounds, by {_by(rule.changed_by)}; opening a table again at"
        " others on the same gaming day is a change."
    )
    yield item(changed, rule.clause_on("changed_by"), topic="Changing limits")
    cash = "is taken" if rule.cash_speaks else "is not taken: wagers are chips"
    spoken = f"A spoken wager with cash {cash}."
    yield item(spoken, rule.clause_on("cash_speaks"), topic="Cash")
    late = (
        "A wager outside the limits that is found after the deal stands, and what was raised on it"
        " stays the same multiple; it is recorded by"
    )
    yield item(f"{late} {_by(rule.late_by)}.", rule.clause_on("late_by"), topic="Found late")


def _range(book: Rulebook, each: Range) -> str:
    ends = (("from", each.lowest), ("to", each.highest))
    return " ".join(f"{word} {book.money(cents)}" for word, cents in ends if cents is not None)


def _caps(book: Rulebook) -> Iterator[Item]:
    for cap in book.cap:
        yield _ceiling(book, cap, book.limits.minimum.least())
        if cap.growth is not None:
            yield item(_growth(book, cap, cap.growth), cap.growth.cited, topic="Its growth")
        if cap.scope == "table" or len(cap.spots) > 1 or cap.clause_on("division"):
            among = _AMONG[cap.scope].format(unit=text(cap.unit, book.currency))
            yield item(among, cap.clause_on("division") or cap.cited, topic="Sharing it")
        if cap.notify:
            told = f"Its use is told within the gaming day to {_by(cap.notify, 'and')}."
            yield item(told, cap.clause_on("notify"), topic="Who is told")


_AMONG = {
    "table": "Claims that come to more share it pro rata, in units of {unit}.",
    "seat": "Wagers that win more between them share it pro rata, in units of {unit}.",
}


def _growth(book: Rulebook, cap: Cap, growth: Growth) -> str:
    grown = f"It rises to {number(growth.units)} times the posted minimum at {growth.odds}"
    highest = book.limits.minimum.highest
    if highest is None:
        return f"{grown}, where that is more."
    most = f"{book.money(cap.cents(highest))} at a minimum of {book.money(highest)}"
    return f"{grown}, where that is more: {most}."


def _ceiling(book: Rulebook, cap: Cap, minimum_cents: int) -> Item:
    """Say what a ceiling covers, at a table with this posted minimum."""
    most = amount(book, cap, minimum_cents)
    says = f"Winnings on {covered(book, cap)} are at most {most}."
    where = (cap.cited, cap.clause_on("spots"), cap.clause_on("above"))
    return item(says, *where, topic="Payout cap")


def covered(book: Rulebook, cap: Cap) -> str:
    """Say which wins count towards a ceiling: on which wagers, at which odds, by which hands."""
    spots = listed(map(book.wager_name, cap.spots))
    over = f" at more than {cap.above}" if cap.above is not None else ""
    rows = f" by {named_rows(book, cap)}" if cap.rows else ""
    return f"{spots}{over}{rows}"


def amount(book: Rulebook, cap: Cap, minimum_cents: int) -> str:
    whose = "the whole table" if cap.scope == "table" else "each player"
    return f"{book.money(cap.cents(minimum_cents))} a round for {whose}"


def named_rows(book: Rulebook, cap: Cap) -> str:
    """Name the rows that a ceiling is about, the last alone where all above it count too."""
    tables = [table for name in cap.spots if (table := book.wager_table(name)) is not None]
    every = [row for table in tables for row in table.rows]
    named = [row for row in every if row.row in cap.rows]
    if named == every[: len(named)]:
        return f"{named[-1].label.lower()} and better"
    return listed((row.label.lower() for row in named), "or")


def _progressive(book: Rulebook) -> Iterator[Item]:
    rule = book.progressive
    if rule is None:
        return
    spot = book.spots[rule.spot]
    table = book.tables[spot.table].title
    token = f" of {book.money(spot.fixed)}" if spot.fixed is not None else ""
    meter = f"{rule.contribution} of each token{token} on {spot.title} goes to the meter; the token"
    again = f"Once it has been emptied the meter starts again at {book.money(rule.reseed)}."
    yield item(f"{meter} does not come back. {again}", rule.cited, topic="The meter")
    awards = f"Awards are those of the {table} table. {_POOL[rule.awards_from]}"
    yield item(awards, rule.cited, topic="Awards")
    several = "Parts of the meter are taken as it stood when betting closed; where several"
    several += " claim more than all of it, they share it."
    yield item(several, rule.clause_on("share"), topic="Several winners")
    if rule.confirm_fold and spot.after_fold == "lost":
        fold = "A fold gives up any award; folding a hand that would win one must be confirmed."
        yield item(fold, rule.clause_on("confirm_fold"), topic="Folding")
    if spot.after_fold == "lost":
        clock = f"Where the clock runs out on a hand with an award, the award is {rule.timeout}."
        yield item(clock, rule.clause_on("timeout"), topic="The clock")


_POOL = {
    "pool": "Fixed sums come from the jackpot, and from the house where it falls short.",
    "house": "Fixed sums come from the house.",
}


def _paying(book: Rulebook) -> Iterator[Item]:
    counted_in = f"Money is counted in {_CURRENCIES.get(book.currency, book.currency)}"
    rounded = f"{counted_in}; {_ROUNDING[book.rounding]}."
    yield item(rounded, book.rulings.rounding, topic="Money")
    yield item(_PAYING[book.paying], book.rulings.paying, topic="Paying")
    if book.approval:
        own = "Nobody approves what they dealt, nor in a round that they play in."
    else:
        own = "No win waits for approval."
    yield item(own, book.rulings.approvals, topic="Approval")
    for rule in book.approval:
        topic, act = _ACTS[rule.act]
        win = f"A win of more than {book.money(rule.over)} is {act} by {_by(rule.by)}."
        yield item(win, rule.cited, topic=topic)


_CURRENCIES = {"USD": "US dollars", "CAD": "Canadian dollars", "EUR": "euros", "GBP": "pounds"}
_ROUNDING = {
    "down": "a fraction of a cent is dropped",
    "up": "a fraction of a cent counts as a whole one",
    "nearest": "a fraction goes to the nearest cent, a half up",
}
_PAYING = {
    "seat-by-seat": "Seats are paid one by one: a win that waits keeps no other seat waiting.",
    "together": "All seats are paid together, when no win waits any more.",
}
_ACTS = {
    "call-out": ("Large wins called out", "called out"),
    "approve": ("Large wins approved", "approved"),
    "verify": ("Large wins verified", "verified"),
}


def _tokes(book: Rulebook) -> Iterator[Item]:
    rule = book.toke
    if rule is None:
        yield item(
            "No wager is taken for the dealers.", book.rulings.tokes, topic="For the dealers"
        )
        return
    most = f"at most {rule.most_of_maximum} of the posted maximum"
    own = " and no more than the player's own bet" if rule.at_most_own_bet else ""
    rides = f"A wager for the dealers rides the {book.spots[rule.rides].title}"
    yield item(f"{rides}: {most}{own}.", rule.cited, topic="For the dealers")


def _tax(book: Rulebook) -> Iterator[Item]:
    rule = book.tax
    tests = [] if rule.over is None else [f"more than {book.money(rule.over)}"]
    tests += [f"at least {rule.at_least_times} times the wager", "no less than the federal floor"]
    yield item(f"A win is reported if it is {listed(tests)}.", rule.cited, topic="Reported wins")
    citizens = f"For citizens and resident aliens, on form {rule.form_citizen}."
    yield item(citizens, rule.clause_on("form_citizen"), topic="Form for citizens")
    foreign = f"For non-resident aliens, on form {rule.form_foreign}."
    yield item(foreign, rule.clause_on("form_foreign"), topic="Form for others")
    shared = f"Several who win one wager together say so on form {rule.form_shared}."
    yield item(shared, rule.clause_on("form_shared"), topic="Shared wins")
    shown = "Where chips are real nobody is identified until somebody has seen their papers."
    yield item(shown, rule.clause_on("identified"), topic="Identification")
    waits = "A payoff that needs a form is paid once the form is complete."
    yield item(waits, rule.clause_on("forms"), topic="Forms first")
    held = "Without identification, what needs a form is held; of a barred patron, all winnings."
    yield item(held, rule.clause_on("held"), topic="Held winnings")
    if rule.turned_over_to:
        unclaimed = f"Held winnings that nobody claims may go to {rule.turned_over_to}."
        yield item(unclaimed, rule.clause_on("turned_over_to"), topic="Unclaimed winnings")


# In the pit -------------------------------------------------------------------------------------

_PEOPLE = {"floor-supervisor": "a floor supervisor", "surveillance": "Surveillance"}


def _by(roles: Sequence[str], word: str = "or") -> str:
    if tuple(roles) == ABOVE_DEALER:
        return "a floor supervisor or above"
    return listed((_PEOPLE.get(role, f"the {spaced(role)}") for role in roles), word)


_MISDEALS = (
    "A misdeal may be called for the causes below, or the round may be let stand. On a misdeal "
    "every wager goes back; once paying has begun, none is called."
)
_DEAD_HANDS = "One player's hand may be declared dead; the others play on."


def _misdeal(rule: Misdeal) -> str:
    return f"{capital(rule.says)}. Called by {_by(rule.by)}{_real(rule)}."


def _dead_hand(rule: DeadHand) -> str:
    return f"{capital(rule.says)}: {_FATES[rule.money]}. Declared by {_by(rule.by)}{_real(rule)}."


def _real(rule: Misdeal | DeadHand) -> str:
    return ", where real cards are dealt" if rule.real_cards else ""


_FATES = {"return": "the wagers go back", "forfeit": "the wagers are lost"}


def _with_lead(
    name: str,
    title: str,
    lead: str,
    rules: Sequence[Ground],
    says: Callable[[Ground], str],
    ruling: str = "",
) -> CardSection:
    """Say first what holds for all causes, with the rulings by which all of them are read."""
    read = [rule.ruling.split() for rule in rules]
    shared = [each for each in read[0] if all(each in others for others in read)] if read else []
    items = [
        item(
            says(rule),
            rule.clause,
            *(each for each in rulings if each not in shared),
            topic=capital(spaced(rule.cause)),
        )
        for rule, rulings in zip(rules, read, strict=True)
    ]
    return CardSection(name=name, title=title, lead=item(lead, *shared, ruling), items=tuple(items))


def _corrections(book: Rulebook) -> Iterator[Item]:
    before, after = (
        listed(_by(roles) for roles in groups)
        for groups in (book.corrections.before, book.corrections.after)
    )
    unpaid = f"What was recorded wrongly is put right by {before} together, and done again."
    yield item(unpaid, book.rulings.corrections, topic="Before paying")
    paid = f"A round that was paid is put right by {after} together, and the difference is settled."
    yield item(paid, book.rulings.adjustments, topic="After paying")


def _deck(book: Rulebook) -> Iterator[Item]:
    care = book.deck
    yield item(f"One deck of {len(DECK)} cards.", care.cited, topic="Deck")
    if care.new_each is not None:
        new = f"New cards come every {spaced(care.new_each)}."
        yield item(new, care.clause_on("new_each"), topic="New cards")
    if care.clause_on("colours_by_hand"):
        decks = counted(care.colours_with_shuffler, "deck")
        by_hand = f"{decks} of different colours with a shuffler, {number(care.colours_by_hand)}"
        without = f"{capital(by_hand)} without."
        yield item(without, care.clause_on("colours_by_hand"), topic="Colours")
    if care.inspection is not None:
        groups = listed(_by(roles) for roles in care.inspection.one_of_each)
        inspected = f"New cards are inspected by {groups}."
        yield item(inspected, care.inspection.cited, topic="Inspection")
    if care.wash:
        washed = "New cards are washed before the first shuffle."
        yield item(washed, care.clause_on("wash"), topic="Wash")
    if care.shuffle:
        cut = " and cut" if care.cut else ""
        cited = (care.clause_on("shuffle"), care.clause_on("cut"))
        yield item(f"Cards are shuffled{cut} for every round.", *cited, topic="Shuffle")
    if care.shuffler:
        red = "A shuffler may be used. Its red light means another shuffle before any card is out"
        cause = "; afterwards it is grounds for a misdeal" if care.red_light else ""
        named = " Which device it is and the number of its approval are on record."
        approved = named if care.shuffler_approved else ""
        yield item(f"{red}{cause}.{approved}", care.clause_on("shuffler"), topic="Shuffler")
    if care.replaced_by:
        fetched = f"{capital(_by(care.replaced_by))} fetches replacements for damaged cards."
        yield item(fetched, care.clause_on("replaced_by"), topic="Damaged cards")


def _procedure(book: Rulebook) -> Iterator[Item]:
    for each in book.procedure:
        yield item(each.says, each.cited, label=_WHEN[each.when])


_WHEN = {
    "new-cards": "New cards",
    "shuffle": "Shuffle",
    "deal": "Deal",
    "raise": "Raise",
    "fold": "Fold",
    "board-complete": "Board complete",
    "settle": "Settling",
    "win": "A win",
    "lose": "A loss",
    "end": "Last",
}


def _notices(book: Rulebook) -> Iterator[Item]:
    for each in book.notice:
        yield item(each.text, each.cited, topic="Notice")


# In their order ---------------------------------------------------------------------------------

Items = Callable[[Rulebook], Iterator[Item]]

_MONEY: dict[str, tuple[str, Items]] = {
    "limits": ("Seats and limits", _limits),
    "ceilings": ("Payout caps", _caps),
    "progressive": ("The progressive jackpot", _progressive),
    "paying": ("Paying and approvals", _paying),
    "tokes": ("Tokes", _tokes),
    "tax": ("Tax", _tax),
}
_PIT: dict[str, tuple[str, Items]] = {
    "corrections": ("Corrections", _corrections),
    "cards": ("The cards", _deck),
    "procedure": ("The dealer's work", _procedure),
    "notices": ("Notices", _notices),
}
