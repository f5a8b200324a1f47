"""Which limits may be posted, and which wagers may be placed before the deal."""

from collections.abc import Mapping

from pitboss.errors import Refusal
from pitboss.money import MOST_CENTS, times
from pitboss.round import refusals
from pitboss.rulebook.base import codes
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.money_rules import Toke
from pitboss.rulebook.paytable import Spot


def posted_refusal(
    book: Rulebook, minimum_cents: int, maximum_cents: int | None, token_cents: int | None = None
) -> Refusal | None:
    cited = book.limits.cited
    posted = [("minimum", minimum_cents, book.limits.minimum, cited)]
    if maximum_cents is not None:
        posted.append(("maximum", maximum_cents, book.limits.maximum, cited))
    if token_cents is not None:
        rule = book.progressive
        if rule is None or rule.token is None:
            return refusals.NO_TOKEN(cited, "token")
        posted.append(("token", token_cents, rule.token, rule.clause_on("token")))
    for name, cents, allowed, clause in posted:
        low, high = allowed.least(), allowed.highest
        if cents < low or cents > (MOST_CENTS if high is None else high):
            upto = f" to {book.money(high)}" if high is not None else " or more"
            return refusals.LIMITS_OUT_OF_RANGE(
                clause,
                name,
                limit=name,
                range=book.money(low) + upto,
                posted=book.money(cents),
            )
    highest = book.limits.maximum.highest
    if maximum_cents is None and highest is not None:
        return refusals.NO_MAXIMUM(cited, "maximum", highest=book.money(highest))
    if maximum_cents is not None and maximum_cents < minimum_cents:
        return refusals.LIMITS_CROSSED(
            cited,
            "maximum",
            maximum=book.money(maximum_cents),
            minimum=book.money(minimum_cents),
        )
    return None


def exact(spot: Spot, token_cents: int | None) -> int | None:
    """Return what this spot takes and nothing else: a token is worth what the table posts."""
    posted = token_cents is not None and spot.kind == "progressive"
    return token_cents if posted else spot.fixed


def bounds(
    spot: Spot, minimum_cents: int, maximum_cents: int | None, token_cents: int | None = None
) -> tuple[int, int | None]:
    """Return the least and the most that this spot takes at a table with these limits."""
    only = exact(spot, token_cents)
    if only is not None:
        return only, only
    least = minimum_cents if spot.least is None else spot.least
    if spot.most is None or maximum_cents is None:
        return least, maximum_cents if spot.most is None else spot.most
    return least, min(spot.most, maximum_cents)


def wagers_refusal(
    book: Rulebook,
    minimum_cents: int,
    maximum_cents: int | None,
    wagers: Mapping[str, int],
    toke_cents: int = 0,
    token_cents: int | None = None,
) -> Refusal | None:
    for name, cents in wagers.items():
        spot = book.opening.get(name)
        if spot is None:
            known = ", ".join(book.opening)
            if name in book.spots:
                clause = book.spots[name].cited
                return refusals.NOT_BEFORE_THE_DEAL(clause, name, spot=name, known=known)
            return refusals.UNKNOWN_SPOT(place=name[:40], spot=name[:40], known=known)
        limits = minimum_cents, maximum_cents, token_cents
        refusal = size_refusal(book, spot, cents, *limits, accepted=False)
        if refusal is not None:
            return refusal
    ante = book.ante
    down = wagers.get(ante.name, 0)
    for side in (book.opening[name] for name in wagers):
        if not (down or side.alone):
            return refusals.NO_ANTE(side.cited, side.name, title=side.title, ante=ante.title)
    for spot in (book.spots[name] for name in book.equal[1:]):
        lies = wagers.get(spot.name, 0)
        if lies != down:
            sums = {"bound": book.money(down), "bet": book.money(lies)}
            words = {"title": spot.title, "ante": ante.title}
            return refusals.NOT_EQUAL(spot.cited, spot.name, **words, **sums)
    return toke_refusal(book, maximum_cents, wagers.get(ante.name, 0), toke_cents)


def size_refusal(
    book: Rulebook,
    spot: Spot,
    cents: int,
    minimum_cents: int,
    maximum_cents: int | None,
    token_cents: int | None = None,
    *,
    accepted: bool,
) -> Refusal | None:
    """Why a wager of this size may not lie on this spot; ``accepted`` ones were found late."""
    least, most = bounds(spot, minimum_cents, maximum_cents, token_cents)
    only = exact(spot, token_cents)
    ceiling = MOST_CENTS if most is None or accepted else most
    if cents <= 0:
        kind, bound = refusals.NO_WAGER, 0
    elif only is not None and cents != only:
        kind, bound = refusals.NOT_THE_TOKEN, only
    elif cents < least and not accepted:
        kind, bound = refusals.BELOW_MINIMUM, least
    elif cents > ceiling:
        kind, bound = refusals.ABOVE_MAXIMUM, ceiling
    else:
        return None
    clause = ", ".join(codes(spot.cited, book.limits.cited))
    return kind(clause, spot.name, title=spot.title, bound=book.money(bound), bet=book.money(cents))


def most_toke(rule: Toke, maximum_cents: int | None) -> int | None:
    """Return what a player may give the dealers; None where nothing is posted."""
    return None if maximum_cents is None else times(maximum_cents, rule.most_of_maximum)


def toke_refusal(
    book: Rulebook, maximum_cents: int | None, ante_cents: int, toke_cents: int
) -> Refusal | None:
    if toke_cents == 0:
        return None
    rule = book.toke
    if rule is None:
        return refusals.NO_TOKES(book.rulings.tokes, "toke")
    if toke_cents < 0:
        return refusals.NO_TOKE(rule.cited, "toke", toke=book.money(toke_cents))
    most = most_toke(rule, maximum_cents)
    if most is not None and toke_cents > most:
        part = rule.most_of_maximum
        return refusals.TOKE_ABOVE_MAXIMUM(rule.cited, "toke", most=book.money(most), part=part)
    if rule.at_most_own_bet and toke_cents > ante_cents:
        return refusals.TOKE_ABOVE_OWN_BET(rule.cited, "toke", bet=book.money(ante_cents))
    if not ante_cents:
        return refusals.TOKE_ALONE(rule.cited, "toke", ante=book.ante.title)
    return None
