"""What it is about a hand that decides how it is played best, in the words of the chart."""

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
from pitboss.maths.board_games import BoardSolution
from pitboss.maths.dealer_games import DealerSolution
from pitboss.maths.pay_table_games import PayTableSolution
from pitboss.maths.raise_or_fold import RaiseOrFoldSolution
from pitboss.maths.seen import Seen
from pitboss.maths.solution import Solution
from pitboss.wording import counted, listed, spaced


def reason(solution: Solution, made: Chart, seen: Seen) -> str:
    """Say what decides; whatever has the same, at the same stake, is played the same way.

    The chart is this solution's, without a grid.
    """
    if isinstance(solution.solved, DealerSolution):
        return _against_dealer(made, seen)
    if isinstance(solution.solved, RaiseOrFoldSolution):
        return _in_band(made, ranking(solution.solved.deal.ranking), seen)
    if isinstance(solution.solved, BoardSolution):
        return ""  # too many situations for words
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
