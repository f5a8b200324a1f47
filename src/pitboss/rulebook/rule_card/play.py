"""The player's side of a rule card: the round, the wagers, what they pay, and the hands."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec.structs import replace

from pitboss.hands import ORDERS, ranking
from pitboss.rulebook.deal_script import SEATS, DealStep, DecideStep, ShowStep, TurnStep
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.paytable import PayTable, Row, Spot
from pitboss.rulebook.rule_card.parts import CardSection, HandLine, HandTable, Item, item
from pitboss.wording import capital, counted, held, listed, number, ordinal, spaced, wager


def sections(book: Rulebook) -> Iterator[CardSection]:
    steps = tuple(_round(book))
    yield CardSection(name="round", title="How a round goes", items=steps, numbered=True)
    yield CardSection(name="wagers", title="Wagers", items=tuple(_wagers(book)))
    yield CardSection(name="pays", title="What the wagers pay", tables=tuple(_pay_tables(book)))
    yield CardSection(name="dealer", title="The dealer's hand", items=tuple(_qualifier(book)))
    yield CardSection(name="ranks", title="Ranking of hands", tables=tuple(_ranks(book)))


# The round --------------------------------------------------------------------------------------


def _round(book: Rulebook) -> Iterator[Item]:
    """Say what happens, step by step; cards are counted along the way."""
    yield _bets(book)
    dealt: Counter[str] = Counter()
    shown: Counter[str] = Counter()
    down = [book.spots[name].title for name in book.equal]
    for step in book.script:
        match step:
            case DealStep():
                yield item(_deal(book, step, dealt), step.cited, label="Deal")
                for place in step.to:
                    dealt[place] += step.cards
                    shown[place] += len(step.up.get(place, ()))
            case TurnStep():
                yield item(_turn(book, step, shown), step.cited, label="Turn")
                shown[step.place] += step.cards
            case DecideStep():
                yield _decision(book, step, down)
                into = book.spots[step.into].title
                down += [into] if step.times and into not in down else []
            case ShowStep():
                yield item(_SHOW[step.order], step.cited, label="Settle")


_SHOW = {
    "right-to-left": "Hands are shown and settled one by one, from the dealer's right.",
    "left-to-right": "Hands are shown and settled one by one, from the dealer's left.",
}


def _bets(book: Rulebook) -> Item:
    others = [spot.title for spot in book.opening.values() if not spot.required]
    added = f", and may add {listed(others, 'or')}" if others else ""
    text = f"Every player bets {equal_wagers(book)}{added}."
    more = [
        item(f"{spot.title} may be bet alone: such a hand decides nothing.", spot.cited)
        for spot in book.opening.values()
        if spot.alone
    ]
    return item(text, book.ante.cited, label="Bet", more=more)


def equal_wagers(book: Rulebook) -> str:
    """Say on what a player bets who bets no more than is required."""
    following = [book.spots[name].title for name in book.equal[1:]]
    if len(following) > 1:
        return f"the same on {listed(each.title for each in book.spot if each.name in book.equal)}"
    same = f" and as much on {listed(following)}" if following else ""
    return wager(book.ante.title) + same


def _deal(book: Rulebook, step: DealStep, dealt: Counter[str]) -> str:
    light = " With a shuffler, only after its green light." if step.after_green_light else ""
    pile = step.to[0]
    if len(step.to) == 1 and step.cards == len(step.up.get(pile, ())) == 1:
        return f"The {_which(book, pile, dealt[pile])} card is dealt face up.{light}"
    who = listed("each player" if place == SEATS else _the(book, place) for place in step.to)
    gets = "gets" if len(step.to) == 1 else "get"
    ups = [
        f"{_the(book, place)}'s {listed(map(ordinal, which))} {_LIE[len(which) > 1]} face up"
        for place, which in step.up.items()
        if which
    ]
    lie = f"; {listed(ups)}, the others face down" if ups else ", face down"
    if all(len(step.up.get(place, ())) == step.cards for place in step.to):
        lie = ", face up"
    return f"{capital(who)} {gets} {counted(step.cards, 'card')}{_packet(step)}{lie}.{light}"


_LIE = ("lies", "lie")


def _packet(step: DealStep) -> str:
    if step.cards == 1:
        return ""
    return " at once" if step.packet == step.cards else f", {number(step.packet)} at a time"


def _turn(book: Rulebook, step: TurnStep, shown: Counter[str]) -> str:
    if step.cards == 1:
        return f"The {_which(book, step.place, shown[step.place])} card is turned up."
    other = "other " if shown[step.place] else ""
    return f"The {other}{number(step.cards)} {book.place_name(step.place)} cards are turned up."


def _which(book: Rulebook, place: str, before: int) -> str:
    """Name a card of a pile: by its number, where the pile has several."""
    nth = f"{ordinal(before + 1)} " if book.dealt[place] > 1 else ""
    return nth + book.place_name(place)


def _the(book: Rulebook, place: str) -> str:
    return f"the {book.place_name(place)}{' spot' if place in book.spots else ''}"


def _decision(book: Rulebook, step: DecideStep, down: Sequence[str]) -> Item:
    into = book.spots[step.into].title
    choices = [f"put {multiple(book, step)} on {into}"] if step.times else []
    words = _CHOICES if step.times else {**_CHOICES, "check": "leave {spot} where it lies"}
    choices += [words[each].format(spot=into) for each in step.otherwise]
    late = f"No answer in time counts as {_SILENCE[step.timeout]}."
    # Nobody is asked for a raise that lies there already.
    lost = f"A fold gives up the {listed(e for e in down if e != into or not step.times)}."
    folds = [item(lost, step.clause_on("fold"))] if "fold" in step.otherwise else []
    text = f"{capital(', or '.join(choices))}. {late}"
    return item(text, step.cited, book.rulings.clock, label="Decide", more=folds)


_CHOICES = {"fold": "fold", "check": "check", "take-back": "take back {spot}"}
_SILENCE = {"fold": "a fold", "check": "a check", "take-back": "taking it back"}


def multiple(book: Rulebook, step: DecideStep) -> str:
    """Say how many times which wager a raise is."""
    times = listed(map(number, step.times), "or")
    several = _ALONE.get(step.times, f"{times} times")
    good = [
        f"with {book.needed_words(more)} also {listed(map(number, more.times), 'or')} times"
        for more in step.more
    ]
    also = f" ({', '.join(good)})" if good else ""
    return f"{several} the {book.spots[step.of].title}{also}"


_ALONE: dict[tuple[int, ...], str] = {(1,): "once", (2,): "twice"}


# Wagers and what they pay -----------------------------------------------------------------------


def _wagers(book: Rulebook) -> Iterator[Item]:
    """Main wagers first, then the others, each as they lie on the layout; like ones together."""
    spots = sorted(book.spot, key=lambda spot: spot.kind != "main")
    for said, alike in groupby(spots, key=lambda spot: _wager(book, spot)):
        titles = tuple(spot.title for spot in alike)
        yield replace(said, label=listed(titles), topics=titles)


def _wager(book: Rulebook, spot: Spot) -> Item:
    said = [_placed(book, spot), _settled(book, spot)]
    if spot.kind != "main" and any("fold" in step.otherwise for step in book.streets):
        said.append(_AFTER_FOLD[spot.after_fold])
    tuck = "Folded cards wait under it, if it is the first that is still live."
    more = [item(tuck, spot.clause_on("tuck"))] if spot.clause_on("tuck") else []
    return item(" ".join(said), spot.cited, more=more)


_AFTER_FOLD = {"lives": "It lives on after a fold.", "lost": "A fold loses it."}


def _placed(book: Rulebook, spot: Spot) -> str:
    """Say when a wager is placed, and how much it takes."""
    streets = [step for step in book.streets if step.into == spot.name and step.times]
    if streets:
        return f"Placed by a decision: {', later '.join(multiple(book, s) for s in streets)}."
    when = "Required" if spot.required else "Optional"
    if spot.equals:
        return f"{when}, before the deal: exactly as much as {book.spots[spot.equals].title}."
    if spot.fixed is not None:
        return f"{when}, before the deal: exactly {book.money(spot.fixed)}."
    least = "the posted minimum" if spot.least is None else book.money(spot.least)
    most = "the posted maximum" if spot.most is None else book.money(spot.most)
    return f"{when}, before the deal: {least} to {most}."


def _settled(book: Rulebook, spot: Spot) -> str:
    title = book.tables[spot.table].title if spot.table else ""
    table = "its own table" if title == spot.title else f"the {title} table"
    if not spot.against:
        return f"Paid by {table}."
    beside = f" {book.tables[spot.bonus].title} {_BESIDE}" if spot.bonus else ""
    if spot.rows == "first":
        assert book.qualifier is not None
        unpaid = f"a hand that no row pays {_NO_ROW[book.qualifier.tie]}."
        return f"Paid by {table}, whatever the {spot.against} holds; {unpaid}{beside}"
    pays = f"by {table}" if title else str(spot.odds)
    return f"Played against the {spot.against}'s hand: a win pays {pays}.{beside}"


_BESIDE = "pays beside it, whatever becomes of the showdown, unless the hand is folded."
_BEATEN = "loses it when beaten, and else it goes back"
_NO_ROW = {
    "push": _BEATEN,
    "lose": "gets it back if it wins, and else loses it",
    "win": _BEATEN,
}


def _pay_tables(book: Rulebook) -> Iterator[HandTable]:
    menus = {menu.table: menu for menu in book.menu}
    for table in book.table:
        menu = menus.get(table.name)
        chosen = f" The house's choice of {len(menu.options)}: {menu.choice}." if menu else ""
        yield HandTable.citing(
            table.cited,
            menu.cited if menu else "",
            name=table.name,
            title=table.title,
            says=_made_of(book, table) + chosen,
            heads=("Hand", "Pays", "Clause"),
            lines=_runs([_line(book, row) for row in book.printed(table)]),
        )


def _line(book: Rulebook, row: Row) -> HandLine:
    says = capital(book.posted(row))
    odds = 1 if row.odds is None else row.odds
    outcome = "win" if odds > 0 else "lose" if odds < 0 else "push"
    return HandLine.citing(row.cited, hand=row.label, says=says, row=row.row, outcome=outcome)


def _runs(lines: Sequence[HandLine]) -> tuple[HandLine, ...]:
    """Count the lines that share their clauses, so that these are printed once."""
    out: list[HandLine] = []
    for _, alike in groupby(lines, key=lambda line: line.clauses):
        several = list(alike)
        runs = (len(several), *(0 for _ in several[1:]))
        out += [replace(x, run=run) for x, run in zip(several, runs, strict=True)]
    return tuple(out)


def _made_of(book: Rulebook, table: PayTable) -> str:
    size, cards = table.order.size, sum(book.dealt[place] for place in table.cards)
    whose = listed(_cards_of(book, place) for place in table.cards)
    best = f"Best {number(size)} of" if cards > size else f"{capital(table.ranking)} hand:"
    which = _LONGEST.get(table.ranking, best)
    spots = [spot.title for spot in book.spot if spot.table == table.name]
    pays = f" Pays {listed(spots)}." if spots and spots != [table.title] else ""
    if table.name in book.bonuses:
        pays = f" Pays beside {book.bonuses[table.name].title}."
    return f"{which} {whose}.{pays}"


def _cards_of(book: Rulebook, place: str) -> str:
    count, name = book.dealt[place], book.place_name(place)
    if place == SEATS:
        return f"your {counted(count, 'card')}"
    return f"the {number(count) + ' ' if count > 1 else ''}{name} card{'s' if count > 1 else ''}"


def _qualifier(book: Rulebook) -> Iterator[Item]:
    rule = book.qualifier
    if rule is None:
        return
    weakest = ranking(rule.ranking).classes[rule.weakest - 1].name
    needs = f"The {rule.place} qualifies with {held(weakest)} or better."
    if rule.always:
        needs = f"Every hand of the {rule.place}'s counts."
    if rule.shared:
        both = listed(_cards_of(book, place) for place in rule.shared)
        needs += f" Both hands may use {both}."
    yield item(needs, rule.cited, topic="Qualifying")
    played = [spot for spot in book.spot if spot.against]
    if not rule.always:
        fates = listed(f"{spot.title} {_fate(spot)}" for spot in played)
        without = f"Where the {rule.place} does not qualify, {fates}."
        yield item(without, rule.cited, topic="Not qualifying")
    first = "The" if rule.always else "Otherwise the"
    won = [spot.title for spot in played if spot.rows != "first"]
    better = f"{first} better hand wins {listed(won)}"
    ties = rule.clause_on("tie") or rule.cited
    if won:
        yield item(f"{better}; {_TIE[rule.tie]}.", ties, topic="The better hand")


_TIE = {
    "push": "on equal hands they go back",
    "lose": "equal hands lose",
    "win": "equal hands win",
}


def _fate(spot: Spot) -> str:
    said = str(spot.unqualified)
    return _FATES.get(said, f"is paid {said}")


_FATES = {
    "push": "goes back",
    "lose": "is lost",
    "table": "is paid by its table (whoever is better)",
    "showdown": "is decided all the same",
}


def _ranks(book: Rulebook) -> Iterator[HandTable]:
    """List the hands of each ranking in use, best first."""
    used = [(table.ranking, table.clause_on("ranking")) for table in book.table]
    used += [(book.qualifier.ranking, "")] if book.qualifier is not None else []
    for name in dict.fromkeys(each for each, _ in used):
        size, categories = ORDERS[name]
        yield HandTable.citing(
            *(clause for each, clause in used if each == name),
            name=name,
            title=_TITLES.get(name, f"{capital(number(size))} cards"),
            says=_ORDER.get(name, "Best first."),
            heads=("Hand", "What it is"),
            lines=tuple(
                HandLine(
                    hand=capital(spaced(each)), says=_HANDS[each].format(n=number(size)), row=each
                )
                for each in reversed(categories)
            ),
        )


_LONGEST = {
    "flush-length": "The longest suit in",
    "straight-flush-length": "The longest run of one suit in",
}
_ORDER = dict.fromkeys(_LONGEST, "Best first; of equally long ones the higher cards win.")
_TITLES = {"flush-length": "Longest flush", "straight-flush-length": "Longest straight flush"}
_COUNTS = [number(count) for count in range(1, 8)]

_HANDS = {
    **{f"{word}-card-flush": f"{word} of one suit" for word in _COUNTS},
    **{f"{word}-card-straight-flush": f"{word} in a row, of one suit" for word in _COUNTS},
    "royal-flush": "ace, king, queen, jack and ten of one suit",
    "mini-royal": "ace, king and queen of one suit",
    "straight-flush": "{n} in a row, all of one suit",
    "four-of-a-kind": "four of one rank",
    "full-house": "three of one rank and two of another",
    "flush": "{n} of one suit",
    "straight": "{n} in a row; an ace is highest or lowest",
    "three-of-a-kind": "three of one rank",
    "two-pair": "two of one rank and two of another",
    "pair": "two of one rank",
    "high-card": "none of the above; the highest card decides",
    "suited": "two of one suit",
    "unsuited": "two of different suits",
}
