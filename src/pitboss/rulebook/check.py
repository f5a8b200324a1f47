"""Proving that a table can run on a rulebook: every hand reaches one row, the cards suffice."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Literal

import msgspec
from msgspec.structs import asdict

from pitboss.cards import DECK
from pitboss.hands import ORDERS
from pitboss.money import Odds
from pitboss.rulebook.base import Ranks
from pitboss.rulebook.deal_script import SEATS, DealStep, DecideStep, More, ShowStep, TurnStep
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.money_rules import Cap
from pitboss.rulebook.paytable import Menu, PayTable, Qualifier, Row, Spot, weakest
from pitboss.rulebook.pit_rules import OWN_CAUSES
from pitboss.rulebook.rulings import RULING, rulings
from pitboss.wording import counted

MOST = 1_000_000
"""Of multiples: what is beyond all wagers is a slip, and stays within what is counted exactly."""


class Finding(msgspec.Struct, frozen=True):
    """Something that a check noticed."""

    level: Literal["error", "warning"]
    path: str
    message: str


def check(book: Rulebook) -> list[Finding]:
    """Everything there is to say about a rulebook: what is wrong, or else what to beware of."""
    return errors(book) or warnings(book)


def warnings(book: Rulebook) -> list[Finding]:
    """What to beware of in a book on which a table can run."""
    found = (_inversions(book, cap, f"$.cap[{at}]") for at, cap in enumerate(book.cap))
    return list(chain.from_iterable(found))


def errors(book: Rulebook) -> list[Finding]:
    """What would keep a table from running on this book."""
    found = list(_shape_errors(book))
    # The rest looks things up by name, so it waits until names and script are sound.
    return found or [*_wager_errors(book), *_money_errors(book)]


def _error(path: str, message: str) -> Finding:
    return Finding("error", f"$.{path}", message)


def _twice(names: Iterable[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1]


def _shape_errors(book: Rulebook) -> Iterator[Finding]:
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*/[a-z0-9][a-z0-9-]*", book.id):
        yield _error("id", f"write house/game in small letters and hyphens, not {book.id!r}")
    for name in _twice(spot.name for spot in book.spot):
        yield _error("spot", f"two spots are called {name!r}")
    for name in _twice(table.name for table in book.table):
        yield _error("table", f"two tables are called {name!r}")
    required = [spot.name for spot in book.spot if spot.required and not spot.equals]
    if len(required) != 1:
        yield _error("spot", f"exactly one spot is required to play, not {len(required)}")
        return
    for index, spot in enumerate(book.spot):
        if spot.equals and not (spot.required and spot.equals == required[0]):
            message = f"what equals another wager is required too, and equals {required[0]!r}"
            yield _error(f"spot[{index}].equals", message)
    if "toke" in book.spots:
        yield _error("spot", "'toke' is the dealers' own wager; give the spot another name")
    for name in book.spots:
        if name.partition("-")[0] == "left":
            message = "'left' is what is kept for who has left; give the spot another name"
            yield _error("spot", f"{name!r}: {message}")
    if book.seats.most < 1 or book.seats.hands_each < 1:
        yield _error("seats", "a table has at least one seat, and a player at least one hand")
    for topic, cited in asdict(book.rulings).items():
        for each in cited.split():
            if RULING.fullmatch(each) and each not in rulings():
                yield _error(f"rulings.{topic}", f"no ruling {each}; cite one of ours or a clause")
    if book.toke is not None and book.rulings.tokes:
        yield _error("rulings.tokes", "this house takes tokes: its [toke] has the clause")
    yield from _script_errors(book)


def _script_errors(book: Rulebook) -> Iterator[Finding]:
    if not book.seat_cards:
        yield _error("script", "no step deals cards to the seats")
    if [index for index, step in enumerate(book.script) if isinstance(step, ShowStep)] != [
        len(book.script) - 1
    ]:
        yield _error("script", "the last step, and only that, shows the hands (do = 'show')")
    face_down: Counter[str] = Counter()
    for index, step in enumerate(book.script):
        path = f"script[{index}]"
        if isinstance(step, DealStep):
            yield from _deal_errors(step, path)
            for place in step.to:
                face_down[place] += step.cards - len(step.up.get(place, ()))
        elif isinstance(step, TurnStep):
            face_down[step.place] -= step.cards
            if step.cards < 1 or face_down[step.place] < 0 or step.place == SEATS:
                yield _error(path, f"{step.place} has no {step.cards} cards face down to turn")
        elif isinstance(step, DecideStep):
            yield from _decide_errors(book, step, index)
    places = {place for table in book.table for place in table.cards}
    if book.qualifier is not None:
        places |= {book.qualifier.place, *book.qualifier.shared}
    for place in sorted(places - {SEATS}):
        if face_down[place] > 0:
            hidden = f"{counted(face_down[place], 'card')} of it never turned up"
            yield _error("script", f"{place} decides wagers, with {hidden}")
    if book.cards_needed > len(DECK):
        needs = f"{book.seats.most} seats need {book.cards_needed} cards"
        yield _error("seats.most", f"{needs} of a deck of {len(DECK)}")


def _deal_errors(step: DealStep, path: str) -> Iterator[Finding]:
    if step.cards < 1 or step.packet < 1 or step.cards % step.packet:
        yield _error(path, f"{step.cards} cards cannot be dealt {step.packet} at a time")
    if not step.to or _twice(step.to):
        yield _error(f"{path}.to", "name each receiver once")
    for place, positions in step.up.items():
        if place == SEATS or place not in step.to:
            yield _error(f"{path}.up", f"{place!r} is not a pile that this step deals to")
        if not all(1 <= each <= step.cards for each in positions) or _twice(map(str, positions)):
            yield _error(f"{path}.up.{place}", f"positions run from 1 to {step.cards}, each once")


def _decide_errors(book: Rulebook, step: DecideStep, index: int) -> Iterator[Finding]:
    path = f"script[{index}]"
    spot = book.spots.get(step.into)
    if spot is None:
        yield _error(f"{path}.into", _no_spot(book, step.into))
    elif spot.kind != "main":
        yield _error(f"{path}.into", f"{step.into!r} is no main wager")
    if step.times and step.of != book.ante.name:
        yield _error(f"{path}.of", f"a raise is a multiple of the required wager, not {step.of!r}")
    for earlier in book.script[:index]:
        if not isinstance(earlier, DecideStep):
            continue
        if step.times and earlier.into == step.into and "check" not in earlier.otherwise:
            message = f"an earlier decision fills {step.into!r}, so nobody is ever asked here"
            yield _error(f"{path}.into", message)
    if sorted(set(step.times)) != list(step.times) or any(each < 1 for each in step.times):
        yield _error(f"{path}.times", "multiples are whole, at least 1, in rising order")
    if not step.times and "take-back" not in step.otherwise:
        yield _error(path, "offer multiples to raise by, or a wager to take back")
    if "take-back" in step.otherwise and (step.times or spot is book.ante):
        yield _error(path, "what is taken back is no raise, and not the required wager")
    if max([*step.times, *chain.from_iterable(more.times for more in step.more)], default=0) > MOST:
        yield _error(f"{path}.times", f"no table offers a multiple of more than {MOST:,}")
    yield from _more_errors(book, step, index)
    if _twice(step.otherwise):
        yield _error(f"{path}.otherwise", "name each choice once")
    if step.timeout not in step.otherwise:
        yield _error(f"{path}.timeout", f"{step.timeout!r} is not among the choices of this step")


def _more_errors(book: Rulebook, step: DecideStep, index: int) -> Iterator[Finding]:
    """Multiples for good hands go on rising, and the hand is known by then."""
    if not step.more:
        return
    if book.qualifier is None and book.main_table is None:
        yield _error(f"script[{index}].more", "there is no main hand that could be good")
        return
    offered, needed = step.times, 1  # the weakest of all raises by what all may raise by
    for at, more in enumerate(step.more):
        path = f"script[{index}].more[{at}]"
        rising = [*offered, *more.times]
        if not (step.times and more.times) or sorted(set(rising)) != rising:
            yield _error(f"{path}.times", "multiples go on rising from those that all may raise by")
        yield from _least_errors(book.main_hand[1], more, path)
        least = book.needed_for(more)
        if least <= needed:
            kind = f"{more.hand!r} like that"
            yield _error(path, f"no hand is a {kind}, every hand is, or a weaker one raises more")
        offered, needed = (*offered, *more.times), least
    dealt = [each for each in book.script[:index] if isinstance(each, DealStep)]
    own = sum(each.cards for each in dealt if SEATS in each.to)
    if own < ORDERS[book.main_hand[1]][0]:
        yield _error(f"script[{index}].more", "the player has too few cards to know the hand by")


def _no_spot(book: Rulebook, name: str) -> str:
    return f"no spot {name!r}; there are {', '.join(book.spots)}"


def _wager_errors(book: Rulebook) -> Iterator[Finding]:
    for index, spot in enumerate(book.spot):
        yield from _spot_errors(book, spot, f"spot[{index}]")
    for index, table in enumerate(book.table):
        yield from _pay_errors(book, table, f"table[{index}]")
    for index, menu in enumerate(book.menu):
        yield from _menu_errors(book, menu, f"menu[{index}]")


def _spot_errors(book: Rulebook, spot: Spot, path: str) -> Iterator[Finding]:
    for key, name in (("table", spot.table), ("bonus", spot.bonus)):
        if name and name not in book.tables:
            known = ", ".join(book.tables)
            yield _error(f"{path}.{key}", f"no table {name!r}; there are {known}")
    yield from _bonus_errors(book, spot, path)
    if spot.against:
        yield from _showdown_errors(book, spot, path)
    elif not spot.table or spot.odds is not None or spot.unqualified is not None:
        yield _error(path, "a wager that is not against the dealer is settled by its table alone")
    if spot.rows == "first" and not (spot.against and spot.table):
        yield _error(f"{path}.rows", "rows come first where a wager has a table and is against one")
    asked = {step.into for step in book.streets}
    if spot.kind == "main" and not spot.required and spot.name not in asked:
        yield _error(path, "a main wager is required, or some decision is about it")
    if spot.required and (spot.least, spot.most, spot.fixed) != (None, None, None):
        yield _error(path, "the posted limits bind the required wager, and no others")
    if 0 in (spot.least, spot.most, spot.fixed):
        yield _error(path, "a wager of nothing is none")
    if spot.least is not None and spot.most is not None and spot.least > spot.most:
        yield _error(path, "the least is above the most")
    if spot.required and (spot.kind != "main" or spot.name in book.raised):
        yield _error(path, "the required wager is a main wager placed before the deal")
    if spot.alone and spot.kind != "side":
        yield _error(f"{path}.alone", "a side wager alone can do without the required one")


def _showdown_errors(book: Rulebook, spot: Spot, path: str) -> Iterator[Finding]:
    rule = book.qualifier
    if rule is None or rule.place != spot.against:
        yield _error(f"{path}.against", "the [qualifier] must describe that hand")
        return
    if (spot.odds is None) == (not spot.table):
        yield _error(path, "a showdown wager needs either odds or a table")
    if rule.always != (spot.unqualified is None):
        every = "every hand of the dealer's qualifies, so it is not given"
        message = every if rule.always else "say what a showdown wager does then"
        yield _error(f"{path}.unqualified", message)
    if spot.unqualified is not None and spot.unqualified.by == "table" and not spot.table:
        yield _error(f"{path}.unqualified", "it has no table to be paid by")
    table = book.tables.get(spot.table)
    if table is not None and ({*table.cards}, table.ranking) != (
        {*book.main_hand[0]},
        rule.ranking,
    ):
        message = "a showdown wager's table looks at the hand that is compared"
        yield _error(f"{path}.table", message)


def _bonus_errors(book: Rulebook, spot: Spot, path: str) -> Iterator[Finding]:
    if not spot.bonus:
        return
    if spot.kind != "main":
        yield _error(f"{path}.bonus", "a bonus stands beside a main wager")
    if spot.bonus in book.spots or sum(each.bonus == spot.bonus for each in book.spot) > 1:
        yield _error(f"{path}.bonus", "a bonus has a name of its own, and stands beside one wager")
    rows = book.tables[spot.bonus].rows if spot.bonus in book.tables else ()
    if any(not row.odds for row in rows):
        yield _error(f"{path}.bonus", "rows of a bonus pay odds or lose: it has no stake to return")


def _pay_errors(book: Rulebook, table: PayTable, path: str) -> Iterator[Finding]:
    size, categories = ORDERS[table.ranking]
    missing = [place for place in table.cards if place not in book.dealt]
    if missing:
        yield _error(f"{path}.cards", f"no step deals to {missing[0]!r}")
        return
    cards = sum(book.dealt[place] for place in table.cards)
    if cards < size:
        yield _error(f"{path}.cards", f"these are fewer than the {size} cards of {table.ranking}")
        return
    if _twice(table.cards):
        yield _error(f"{path}.cards", "name each place once")
        return
    for name in _twice(row.row for row in table.rows):
        yield _error(f"{path}.rows", f"two rows are called {name!r}")
    bad = False
    for index, row in enumerate(table.rows):
        if row.hand not in (*categories, "any"):
            bad = True
            known = ", ".join((*categories, "any"))
            yield _error(f"{path}.rows[{index}].hand", f"{row.hand!r} is not one of {known}")
        if sum(each is not None for each in (row.odds, row.meter, row.award)) != 1:
            bad = True
            yield _error(f"{path}.rows[{index}]", "give exactly one of odds, meter and award")
        if row.others is not None and (row.odds is None or row.others < 1):
            yield _error(f"{path}.rows[{index}].others", "others get something, beside odds")
    if not bad:
        yield from _coverage_errors(table, cards, path)


def _menu_errors(book: Rulebook, menu: Menu, path: str) -> Iterator[Finding]:
    names = [option.name for option in menu.options]
    for name in _twice(names):
        yield _error(f"{path}.options", f"two options are called {name!r}")
    if sum(each.table == menu.table for each in book.menu) > 1:
        yield _error(f"{path}.table", f"{menu.table!r} is chosen from one menu")
    if menu.table not in book.tables:
        known = ", ".join(book.tables)
        yield _error(f"{path}.table", f"no table {menu.table!r}; there are {known}")
        return
    rows = [row.row for row in book.tables[menu.table].rows]
    for index, option in enumerate(menu.options):
        for row in (each for each in option.pays if each not in rows):
            message = f"the table has no row {row!r}; there are {', '.join(rows)}"
            yield _error(f"{path}.options[{index}].pays", message)
    if menu.choice not in names:
        yield _error(f"{path}.choice", f"{menu.choice!r} is not on the menu: {', '.join(names)}")
    else:
        chosen = menu.options[names.index(menu.choice)]
        if not chosen.is_of(book.tables[menu.table]):
            also = [option.name for option in menu.options if option.is_of(book.tables[menu.table])]
            hint = f"; it pays as {also[0]!r} does" if also else ""
            message = f"the table {menu.table!r} does not pay as its choice {menu.choice!r} says"
            yield _error(path, f"{message}{hint} [{menu.cited}]")


def _coverage_errors(table: PayTable, cards: int, path: str) -> Iterator[Finding]:
    reached: set[str] = set()
    for hand, rows in zip(table.order.looks[0], table.by_look, strict=True):
        if not table.order.can_make(hand, cards):
            continue
        reached.update(row.row for row in rows)
        if not rows:
            yield _error(f"{path}.rows", f"no row for {hand.name}; a last row hand = 'any' loses")
            return
        if len(rows) > 1:
            names = " and ".join(row.row for row in rows)
            yield _error(f"{path}.rows", f"{hand.name} reaches {names}, which pay the same")
            return
    for index, row in enumerate(table.rows):
        if row.row not in reached:
            yield _error(f"{path}.rows[{index}]", f"no hand ever reaches {row.row!r}")


def _money_errors(book: Rulebook) -> Iterator[Finding]:
    for name, range_ in (("minimum", book.limits.minimum), ("maximum", book.limits.maximum)):
        low, high = range_.lowest, range_.highest
        if low is not None and high is not None and low > high:
            yield _error(f"limits.{name}", "the lowest is above the highest")
    low, high = book.limits.minimum.lowest, book.limits.maximum.highest
    if low is not None and high is not None and low > high:
        yield _error("limits", "the highest maximum is below the lowest minimum")
    if book.tax.at_least_times < 1:
        yield _error("tax.at_least_times", "winnings are at least once the wager")
    if min(book.deck.colours_by_hand, book.deck.colours_with_shuffler) < 1:
        yield _error("deck", "there is at least one deck on the table")
    if book.deck.cut and not book.deck.shuffle:
        yield _error("deck.cut", "cards are cut after they are shuffled")
    if book.deck.shuffler_approved and not book.deck.shuffler:
        yield _error("deck.shuffler_approved", "no shuffler may be used here")
    look = book.deck.inspection
    if look is not None and (look.people != len(look.one_of_each) or not all(look.one_of_each)):
        yield _error("deck.inspection", "name a group of roles for each of the people")
    for name in _twice(each.cause for each in book.dead):
        yield _error("dead", f"two dead hands have the cause {name!r}")
    for index, cap in enumerate(book.cap):
        yield from _cap_errors(book, cap, f"cap[{index}]")
    if book.progressive is not None:
        spot = book.spots.get(book.progressive.spot)
        if spot is None or spot.kind != "progressive":
            yield _error("progressive.spot", f"{book.progressive.spot!r} is no progressive spot")
        if book.progressive.contribution and not book.progressive.reseed:
            yield _error("progressive.reseed", "a meter starts again somewhere above nothing")
    for index, spot in enumerate(book.spot):
        on_meter = any(row.odds is None for row in _rows_of(book, spot))
        if on_meter != (spot.kind == "progressive") or (on_meter and book.progressive is None):
            yield _error(f"spot[{index}]", "a meter needs [progressive] and kind progressive")
    if book.toke is not None and book.toke.rides != book.ante.name:
        yield _error("toke.rides", f"a toke rides the required wager, {book.ante.name!r}")
    if book.qualifier is not None:
        yield from _qualifier_errors(book, book.qualifier)
    if not book.chips or min(book.chips) < 1:
        yield _error("chips", "name at least one chip, each worth something")
    for name in ("approval", "misdeal", "dead"):
        if any(not rule.by for rule in getattr(book, name)):
            yield _error(name, "somebody must be able to do it: name roles in by")
    if book.deck.red_light and book.deck.red_light not in {each.cause for each in book.misdeal}:
        yield _error("deck.red_light", f"no misdeal cause {book.deck.red_light!r}")
    needs = {need for rule in book.misdeal for need in rule.needs}
    needs |= {need for rule in book.dead for need in rule.needs}
    if "dealer-card" in needs and book.qualifier is None:
        yield _error("misdeal", "no hand of the dealer's is dealt here: dealer-card is never there")
    if "shuffler" in needs and not book.deck.shuffler:
        yield _error("misdeal", "no shuffler is used here: what needs one never happens")
    if any("own-card" in rule.needs for rule in book.misdeal):
        yield _error("misdeal", "own-card is a need of a dead hand: a misdeal is everybody's")
    for name in ("misdeal", "dead"):
        for cause in {rule.cause for rule in getattr(book, name)} & {*OWN_CAUSES}:
            yield _error(name, f"{cause!r} is the house's own cause: name another")
    for name in _twice(each.cause for each in book.misdeal):
        yield _error("misdeal", f"two misdeals have the cause {name!r}")
    for name in _twice(str(each.over) for each in book.approval):
        yield _error("approval", f"two approvals start over {name}")


def _rows_of(book: Rulebook, spot: Spot) -> tuple[Row, ...]:
    return book.tables[spot.table].rows if spot.table in book.tables else ()


def _rows_paying(book: Rulebook, wager: str) -> tuple[Row, ...]:
    """Return the rows that pay a wager, or a bonus beside one."""
    if wager in book.bonuses:
        return book.tables[wager].rows if wager in book.tables else ()
    return _rows_of(book, book.spots[wager])


def _qualifier_errors(book: Rulebook, rule: Qualifier) -> Iterator[Finding]:
    size = ORDERS[rule.ranking][0]
    if _twice(rule.shared):
        yield _error("qualifier.shared", "name each place once")
    for place in rule.shared:
        if place not in book.dealt or place in (rule.place, SEATS):
            yield _error("qualifier.shared", f"{place!r} is no pile that both hands could share")
            return
    both = sum(book.dealt[place] for place in rule.shared)
    for place in (rule.place, SEATS):
        if book.dealt.get(place, 0) + both < size:
            yield _error("qualifier.place", f"{place} has fewer than {size} cards to compare")
    if not rule.weakest:
        yield _error("qualifier", f"no hand is a {rule.hand!r} like that")
    yield from _least_errors(rule.ranking, rule, "qualifier")


def _least_errors(order: str, least: Qualifier | More, path: str) -> Iterator[Finding]:
    """Where a hand or better is meant, no range of ranks ends below what is better."""
    of, kicker = least.of, least.kicker
    higher = [
        ("of", of, of and (Ranks(of.high + 1, 14), None)),
        ("with", kicker, kicker and (of, Ranks(kicker.high + 1, 14))),
    ]
    for key, said, above in higher:
        if said and above and said.low < said.high and weakest(order, least.hand, *above):
            low = Ranks(said.low, said.low)
            message = f"any better hand counts, too: write '{low}' or '{low}-A', not '{said}'"
            yield _error(f"{path}.{key}", message)


def _cap_errors(book: Rulebook, cap: Cap, path: str) -> Iterator[Finding]:
    if not cap.spots or cap.unit < 1:
        yield _error(path, "a cap is on at least one spot and shared in units of at least 0.01")
    for name in cap.spots:
        if name not in book.spots and name not in book.bonuses:
            yield _error(f"{path}.spots", _no_spot(book, name))
            return
    rows = {row.row for name in cap.spots for row in _rows_paying(book, name)}
    for name in cap.rows:
        if name not in rows:
            yield _error(f"{path}.rows", f"no row {name!r} pays those spots")


def _inversions(book: Rulebook, cap: Cap, path: str) -> Iterator[Finding]:
    """Find weaker hands that the cap leaves alone and that can pay more than a capped one."""
    units = sum(_largest_multiple(book, name) for name in cap.spots)
    ceiling = cap.cents(book.limits.minimum.least())
    highest = book.limits.maximum.highest
    paying = ((book.wager_table(name), _rows_paying(book, name)) for name in cap.spots)
    for rows in {table.name: rows for table, rows in paying if table is not None}.values():
        for index, row in enumerate(rows):
            better = [each.label for each in rows[:index] if counts(cap, each)]
            if not better or counts(cap, row) or not row.odds or row.odds < 0:
                continue
            ante = ceiling / (units * row.odds)
            if highest is None or ante < highest:
                yield Finding(
                    "warning",
                    path,
                    f"with an ante over {book.money(int(ante))} and the largest raises, "
                    f"{row.label} ({row.odds}, not capped) pays more than the capped "
                    f"{', '.join(better)}; "
                    f"it is paid as written [{cap.cited}]",
                )


def counts(cap: Cap, row: Row) -> bool:
    return row.odds is not None and row.odds > 0 and cap.counts(row.odds, row.row)


def _largest_multiple(book: Rulebook, spot: str) -> Odds | int:
    offered = [each for step in book.streets if step.into == spot for each in step.every]
    return max(offered, default=1)
