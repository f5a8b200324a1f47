"""Which wagers may be placed before the deal: one set of checks for the machine and for files."""

from collections.abc import Mapping

from pitboss.errors import Refusal
from pitboss.money import MOST_CENTS, text, times
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.paytable import Spot


def posted_refusal(book: Rulebook, minimum_cents: int, maximum_cents: int | None) -> Refusal | None:
    """Why a table may not post these limits."""
    posted = [("minimum", minimum_cents, book.limits.minimum)]
    if maximum_cents is not None:
        posted.append(("maximum", maximum_cents, book.limits.maximum))
    for name, cents, allowed in posted:
        low, high = allowed.lowest or 1, allowed.highest
        if cents < low or cents > (MOST_CENTS if high is None else high):
            upto = f" to {text(high)}" if high is not None else " or more"
            return Refusal(
                "limits/out-of-range",
                f"this house posts a {name} of {text(low)}{upto}, not {text(cents)}",
                book.limits.cited,
                name,
            )
    highest = book.limits.maximum.highest
    if maximum_cents is None and highest is not None:
        message = f"this house posts a maximum, of at most {text(highest)}"
        return Refusal("limits/out-of-range", message, book.limits.cited, "maximum")
    if maximum_cents is not None and maximum_cents < minimum_cents:
        return Refusal(
            "limits/crossed",
            f"the maximum {text(maximum_cents)} is below the minimum {text(minimum_cents)}",
            book.limits.cited,
            "maximum",
        )
    return None


def bounds(spot: Spot, minimum_cents: int, maximum_cents: int | None) -> tuple[int, int | None]:
    """Return the least and the most that this spot takes at a table with these limits."""
    if spot.fixed is not None:
        return spot.fixed, spot.fixed
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
    *,
    accepted: bool = False,
) -> Refusal | None:
    """Why these wagers may not be placed; ``accepted`` ones were found late and stand."""
    for name, cents in wagers.items():
        spot = book.opening.get(name)
        if spot is None:
            known = ", ".join(book.opening)
            late = name in book.spots
            return Refusal(
                "bet/not-before-the-deal" if late else "bet/unknown-spot",
                f"{name} is not wagered on before the deal; that takes {known}"
                if late
                else f"no spot {name[:40]!r} on this layout; there are {known}",
                book.spots[name].cited if late else "",
                name[:40],
            )
        refusal = size_refusal(book, spot, cents, minimum_cents, maximum_cents, accepted=accepted)
        if refusal is not None:
            return refusal
    ante = book.ante
    if wagers and ante.name not in wagers:
        side = book.opening[next(iter(wagers))]
        return Refusal(
            "bet/no-ante", f"{side.title} needs a wager on {ante.title}", side.cited, side.name
        )
    return _toke_refusal(book, maximum_cents, wagers.get(ante.name, 0), toke_cents)


def size_refusal(
    book: Rulebook,
    spot: Spot,
    cents: int,
    minimum_cents: int,
    maximum_cents: int | None,
    *,
    accepted: bool,
) -> Refusal | None:
    """Why a wager of this size may not lie on this spot."""
    least, most = bounds(spot, minimum_cents, maximum_cents)
    clause = f"{spot.cited}, {book.limits.cited}"
    if cents <= 0:
        return Refusal(
            "bet/nothing", f"{spot.title} of {text(cents)} is no wager", clause, spot.name
        )
    if spot.fixed is not None and cents != spot.fixed:
        return Refusal(
            "bet/not-the-token",
            f"{spot.title} takes exactly {text(spot.fixed)}, not {text(cents)}",
            clause,
            spot.name,
        )
    if cents < least and not accepted:
        return Refusal(
            "bet/below-minimum",
            f"{spot.title} takes at least {text(least)}, not {text(cents)}",
            clause,
            spot.name,
        )
    ceiling = MOST_CENTS if most is None or accepted else most
    if cents > ceiling:
        return Refusal(
            "bet/above-maximum",
            f"{spot.title} takes at most {text(ceiling)}, not {text(cents)}",
            clause,
            spot.name,
        )
    return None


def _toke_refusal(
    book: Rulebook, maximum_cents: int | None, ante_cents: int, toke_cents: int
) -> Refusal | None:
    if toke_cents == 0:
        return None
    rule = book.toke
    if rule is None:
        return Refusal("toke/none", "this house takes no wagers for the dealers", "R34b", "toke")
    if toke_cents < 0:
        return Refusal("toke/nothing", f"{text(toke_cents)} is no toke", rule.cited, "toke")
    most = None if maximum_cents is None else times(maximum_cents, rule.most_of_maximum)
    if most is not None and toke_cents > most:
        return Refusal(
            "toke/above-maximum",
            f"a toke is at most {text(most)}, {rule.most_of_maximum} of the table maximum",
            rule.cited,
            "toke",
        )
    if rule.at_most_own_bet and toke_cents > ante_cents:
        return Refusal(
            "toke/above-own-bet",
            f"a toke is at most the player's own bet of {text(ante_cents)}",
            rule.cited,
            "toke",
        )
    return None
