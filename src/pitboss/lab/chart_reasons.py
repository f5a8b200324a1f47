"""What it is about a hand that decides how it is played best, in the words of the chart."""

from collections import Counter
from collections.abc import Sequence
from functools import cache

from pitboss.hands import Hand, Ranking, ranking
from pitboss.lab.chart import (
    Band,
    Chart,
    ChartLine,
    ChartSection,
    against_features,
    features,
    group_of,
    hand_name,
    written,
)
from pitboss.lab.chart_words import choice_word, condition_words, fact_words, title_of
from pitboss.lab.rule_list import Condition
from pitboss.maths.board_games import BoardSolution
from pitboss.maths.board_hands import CATEGORIES
from pitboss.maths.board_hands import hand_name as board_hand_name
from pitboss.maths.board_kinds import BOARD, FLUSH
from pitboss.maths.dealer_games import DealerSolution
from pitboss.maths.pay_table_games import PayTableSolution
from pitboss.maths.raise_or_fold import RaiseOrFoldSolution
from pitboss.maths.seen import Seen
from pitboss.maths.solution import Solution
from pitboss.wording import counted, listed, spaced


def reason(solution: Solution, made: Chart | None, seen: Seen, best: int | None = None) -> str:
    """Say what decides; whatever has the same, at the same stake, is played the same way.

    Once a shared board lies there it is said how many hands of the kind are. The chart is this
    solution's, without a grid, where there is one; ``best`` the best choice, where it is known.
    """
    if isinstance(solution.solved, BoardSolution):
        if made is not None and made.grid is not None and not seen.board:
            return _before_board(made.grid, seen)
        return _on_board(solution.solved, seen, solution.choice(seen) if best is None else best)
    if made is None:
        return ""
    if isinstance(solution.solved, DealerSolution):
        return _against_dealer(made, seen)
    if isinstance(solution.solved, RaiseOrFoldSolution):
        return _in_band(made, ranking(solution.solved.deal.ranking), seen)
    assert isinstance(solution.solved, PayTableSolution)
    known = (*seen.cards, *seen.board)
    ranks = sorted((card.rank for card in known), reverse=True)
    group = group_of(ranks, suited=len({card.suit for card in known}) == 1)
    section = next(s for s in made.sections if (s.seen, s.group) == (len(known), group))
    _, column = solution.solved.plan.at(seen.raises, len(known))
    found = features(ranks, made.points)
    facts, takes = _deciding(section, found, written(ranks), column)
    title = title_of(section)
    if any(each.startswith(group) for each in facts):  # a pair, and of which rank
        title = title.removesuffix(f", {group}")
    return ", ".join([title[:1].lower() + title[1:], *facts]) + takes


def _deciding(
    section: ChartSection, found: dict[str, int], name: str, column: int
) -> tuple[list[str], str]:
    """Return what the line that fits, and those before it that say otherwise, ask for.

    And what another choice takes, where one line alone says otherwise; or this one, where nothing
    before it does.
    """
    at = next(n for n, line in enumerate(section.lines) if _fits(line, found, name))
    line = section.lines[at]
    others = [e for e in section.lines[:at] if e.choices[column] != line.choices[column]]
    if any(each.hands for each in (line, *others)):
        return [name], ""
    asked = dict.fromkeys(each.feature for e in (line, *others) for each in e.when)
    facts = [fact_words(feature, found[feature]) for feature in asked]
    if len(set(line.choices)) > 1:
        facts.append(f"{counted(section.stakes[column], 'ante')} in")
    alike = [e for e in section.lines if e.choices[column] == line.choices[column]]
    if others:
        one = others[0] if len(others) == 1 and at == len(section.lines) - 1 else None
    else:
        one = line if line.when and alike == [line] else None
    if one is None:
        return facts, ""
    needs = listed(map(condition_words, one.when))
    return facts, f"; {choice_word(one.choices[column])} takes {needs}"


def _fits(line: ChartLine, found: dict[str, int], name: str) -> bool:
    named = name in line.hands if line.hands else True
    return named and all(each.holds(found[each.feature]) for each in line.when)


# Against a dealer ------------------------------------------------------------------------------


def _against_dealer(made: Chart, seen: Seen) -> str:
    order, upcard = ranking("five-card"), seen.upcard
    assert upcard is not None  # a dealer shows one
    hand = order.classes[order.strength(seen.cards) - 1]
    band = next(each for each in made.bands if hand.strength <= _strengths()[each.best])
    if band.choice is not None:
        return f"{_span(made.bands, band, hand)}, whatever the upcard"
    up = written([upcard.rank])
    name = f"{hand_name(hand)} against {up}"
    if any((each.hand, each.upcard) == (hand_name(hand), up) for each in made.suits):
        shared = sorted((c.rank for c in seen.cards if c.suit == upcard.suit), reverse=True)
        return f"{name}, with {written(shared) or 'nothing'} in its suit"
    ranks = sorted((card.rank for card in seen.cards), reverse=True)
    found = against_features(hand.ranks, ranks, upcard.rank)
    facts, takes = _deciding(made.sections[0], found, name, 0)
    return ", ".join([name, *(each for each in facts if each != name)]) + takes


def _span(bands: Sequence[Band], band: Band, hand: Hand) -> str:
    if band is bands[0]:
        return f"{band.best} or weaker"
    if band is not bands[-1]:
        return f"{band.weakest} to {band.best}"
    order = ranking("five-card").classes
    weakest = order[_strengths()[band.weakest] - 1]
    if hand.category == weakest.category:
        return f"{band.weakest} or better"
    # To a pair it matters that it is one, and not that a good high card would do.
    above = next(e for e in order[weakest.strength :] if e.category != weakest.category)
    return f"{spaced(above.category)} or better"


@cache
def _strengths() -> dict[str, int]:
    return {hand_name(hand): hand.strength for hand in ranking("five-card").classes}


# A showdown by any ranking ----------------------------------------------------------------------


def _in_band(made: Chart, order: Ranking, seen: Seen) -> str:
    """Name the band that a hand is in, or say that cards beside the hand may decide."""
    hand, up = order.best(seen.cards), seen.upcard
    matches = None if up is None else any(card.rank == up.rank for card in seen.cards)
    upcard = "" if up is None else written([up.rank])
    name = hand_name(hand) + (f" against {upcard}" if up is not None else "")
    if any(
        (each.hand, each.upcard, each.matches) == (hand_name(hand), upcard, matches)
        for each in made.splits
    ):
        return f"{name}, and all cards that are seen"
    every = next(
        (b.bands for b in made.by_upcard if (b.upcard, b.matches) == (upcard, matches)), ()
    )
    bands = every or made.bands
    places = {hand_name(each): each.strength for each in order.classes}
    band = next(each for each in bands if hand.strength <= places[each.best])
    if band is bands[0]:
        span = f"{band.best} or weaker"
    else:
        span = f"{band.weakest} " + ("or better" if band is bands[-1] else f"to {band.best}")
    return span + (f" against {upcard}" if up is not None else "")


# A shared board ---------------------------------------------------------------------------------


def _before_board(grid: Sequence[Sequence[int]], seen: Seen) -> str:
    """Say from which lower card on hands of this kind are played otherwise, if any are."""
    low, high = sorted(card.rank - 2 for card in seen.cards)
    if low == high:
        kind, name = "pairs", fact_words("pair", low + 2)
        alike = [row[rank] for rank, row in enumerate(grid)]
    else:
        suited = len({card.suit for card in seen.cards}) == 1
        how = "suited" if suited else "unsuited"
        top, name = written([high + 2]), f"{written([high + 2, low + 2])} {how}"
        kind = f"{how} hands with {top} high"
        alike = [grid[rank][high] if suited else grid[high][rank] for rank in range(high)]
    if len(set(alike)) == 1:
        return f"{name}, played like all {kind}"
    least = next(n for n in range(len(alike)) if len(set(alike[n:])) == 1)
    if len(set(alike[:least])) > 1:
        return name
    pairs = condition_words(Condition("pair", least + 2))
    needs = pairs if low == high else f"{written([high + 2, least + 2])} or better"
    return f"{name}; {choice_word(alike[-1])} takes {needs}"


def _on_board(solved: BoardSolution, seen: Seen, best: int) -> str:
    """Say of what kind a hand is, and how many of its kind are played as it is played best."""
    name = board_hand(seen)
    number, _ = solved.planned.plan.at(seen.raises, len(seen.known))
    deals = next((d for at, each, d in solved.held if (at, each) == (number, name)), {})
    if not deals.get(best):
        return name  # on the turn hands have no names to be counted by
    if len(deals) == 1:
        return f"{name}, always played so"
    percent = 100 * deals[best] // sum(deals.values())
    if percent >= 50:
        return f"{name}, of which {percent}% are played so"
    few = f"only {percent}%" if percent else "under 1%"  # its ranks decide, and the board's
    return f"{name}, though {few} of these are played so"


def board_hand(seen: Seen) -> str:
    """Say what hand it is on a board, as they are counted."""
    order, own = ranking("five-card"), {card.rank for card in seen.cards}
    made = CATEGORIES.index(order.best(seen.known).category)
    if len(seen.board) == BOARD:
        mine = made > CATEGORIES.index(order.best(seen.board).category)
    else:
        pairs = len(own) == 1 or any(card.rank in own for card in seen.board)
        mine = pairs or made >= CATEGORIES.index("straight")
    suits = Counter(card.suit for card in seen.known)
    draws = len(seen.board) < BOARD and max(suits.values()) == FLUSH + 1
    many = len(CATEGORIES)
    return board_hand_name(made + many * (mine and made > 0) + 2 * many * draws)
