"""Every refusal of the machine: its stable code beside its sentence, in the order of a round.

The words in braces are filled in. One code may have two sentences, for two moments.
"""

from typing import NamedTuple

from pitboss.errors import Refusal


class KindOfRefusal(NamedTuple):
    """What the machine says when it says no for one reason."""

    code: str
    sentence: str

    def __call__(self, clause: str = "", place: str = "", **facts: object) -> Refusal:
        """Return the refusal of this moment: what it cites, what it is about, what it fills in."""
        return Refusal(self.code, self.sentence.format(**facts), clause, place)


_Kind = KindOfRefusal

ALREADY_OPEN = _Kind("round/already-open", "this round is open already")
LIMITS_OUT_OF_RANGE = _Kind(
    "limits/out-of-range", "this house posts a {limit} of {range}, not {posted}"
)
NO_MAXIMUM = _Kind("limits/out-of-range", "this house posts a maximum, of at most {highest}")
NO_TOKEN = _Kind("limits/no-token", "a table here posts no value of a token of its own")
LIMITS_CROSSED = _Kind("limits/crossed", "the maximum {maximum} is below the minimum {minimum}")
UNKNOWN_SEAT = _Kind("seat/unknown", "seats here are numbered 1 to {most}; at least one is taken")
UNKNOWN_PARTNER = _Kind("seat/unknown", "partners sit at this table")
ONE_HAND_EACH = _Kind("seat/one-hand-each", "{person} may play {hands} hand in a round")
NOT_IN_ROUND = _Kind("seat/not-in-round", "seat {seat} is not in this round")
SEAT_FOLDED = _Kind("seat/folded", "seat {seat} has folded")
OUT_OF_THE_HAND = _Kind("seat/folded", "seat {seat} is out of the hand")
SEAT_DEAD = _Kind("seat/dead", "the hand at seat {seat} is dead")
DEAD_ALREADY = _Kind("seat/dead", "the hand at seat {seat} is dead already")
METER_MISMATCH = _Kind("meter/mismatch", "a meter goes with a progressive, and only with one")

BETS_CLOSED = _Kind("bet/closed", "bets are made before the deal")
BETTING_NOT_OPEN = _Kind("bet/closed", "betting is not open")
CASH = _Kind("bet/cash", "a spoken wager with cash is not taken: chips only")
UNKNOWN_SPOT = _Kind("bet/unknown-spot", "no spot {spot!r} on this layout; there are {known}")
NOT_BEFORE_THE_DEAL = _Kind(
    "bet/not-before-the-deal", "{spot} is not wagered on before the deal; that takes {known}"
)
NO_WAGER = _Kind("bet/nothing", "{title} of {bet} is no wager")
NOT_THE_TOKEN = _Kind("bet/not-the-token", "{title} takes exactly {bound}, not {bet}")
BELOW_MINIMUM = _Kind("bet/below-minimum", "{title} takes at least {bound}, not {bet}")
ABOVE_MAXIMUM = _Kind("bet/above-maximum", "{title} takes at most {bound}, not {bet}")
NO_ANTE = _Kind("bet/no-ante", "{title} needs a wager on {ante}")
NOT_EQUAL = _Kind(
    "bet/not-equal", "{title} takes exactly what lies on {ante}, which is {bound}, not {bet}"
)
PARTNERS = _Kind("bet/partners", "partners stay within {maximum} together, and {down} is down")
NOBODY_BETS = _Kind("bet/nobody", "nobody has a wager down")
NO_TOKES = _Kind("toke/none", "this house takes no wagers for the dealers")
NO_TOKE = _Kind("toke/nothing", "{toke} is no toke")
TOKE_ALONE = _Kind("toke/alone", "a toke needs a wager on {ante}")
TOKE_ABOVE_MAXIMUM = _Kind(
    "toke/above-maximum", "a toke is at most {most}, {part} of the table maximum"
)
TOKE_ABOVE_OWN_BET = _Kind("toke/above-own-bet", "a toke is at most the player's own bet of {bet}")

NOT_DEALING = _Kind("deal/not-now", "no cards are dealt now")
WRONG_DEAL = _Kind("deal/wrong-count", "this step deals {left} more")
CARD_TWICE = _Kind("deal/card-twice", "{card} is out already")
UNREAD = _Kind("deal/unread", "a card that lies face up at {where} is read")
RED_LIGHT = _Kind("deal/red-light", "the shuffler shows red")
NO_GREEN_LIGHT = _Kind("deal/no-green-light", "community cards wait for the shuffler's green light")
NO_SHUFFLER = _Kind("light/no-shuffler", "no shuffler is at work now")
HOUSE_WITHOUT_SHUFFLER = _Kind("light/no-shuffler", "this house deals without a shuffler")
UNKNOWN_LIGHT = _Kind("light/unknown", "the light is green or red")
LIGHT_GROUNDS = _Kind(
    "light/grounds", "red after cards were out: a misdeal ({cause}) is called or let stand first"
)

NOT_DECIDING = _Kind("decide/not-now", "there is nothing to decide now")
DECIDED_ALREADY = _Kind("decide/already", "seat {seat} has decided this street")
NOT_A_MULTIPLE = _Kind(
    "raise/not-a-multiple", "a raise here is {offered} times the {wager}, not {times}"
)
NOT_WITH_THIS_HAND = _Kind("raise/not-with-this-hand", "{times} times the {wager} takes {needed}")
RAISE_NOT_OFFERED = _Kind("raise/not-offered", "the choices here are {offered}")
FOLD_NOT_OFFERED = _Kind("fold/not-offered", "the choices here are {offered}")
CHECK_NOT_OFFERED = _Kind("check/not-offered", "the choices here are {offered}")
TAKE_BACK_NOT_OFFERED = _Kind("take-back/not-offered", "the choices here are {offered}")
CONFIRM_FOLD = _Kind(
    "fold/confirm", "{hand} wins the progressive, and folding forfeits it: confirm the fold"
)
NOT_TURNING = _Kind("turn/not-now", "nothing is turned up now")
WRONG_TURN = _Kind("turn/wrong-count", "enter the {missing} unread cards that are turned next")

NOT_LATE_YET = _Kind("late/not-now", "a late find is recorded after the deal")
WITHIN_LIMITS = _Kind(
    "late/within-limits", "{bet} is within limits: it is bet before the deal or not at all"
)
AS_IT_LIES = _Kind("late/as-it-lies", "{bet} is what lies on {spot}: nothing was found")
NO_LATE_WAGER = _Kind("late/no-wager", "seat {seat} has no wager on {spot}")
NOT_YOURS = _Kind("role/not-yours", "{role} may not do this; {by} may, by name")
UNKNOWN_DEATH = _Kind("dead/unknown-cause", "this house knows {known}")
NO_DEATH_YET = _Kind("dead/no-grounds", "this cannot have happened to the hand yet: {missing}")
NO_SUCH_COUNT = _Kind("dead/count", "a hand has up to {most} cards")
RIGHT_COUNT = _Kind("dead/count", "{count} cards are the right number: say how many it had")
NOT_DYING = _Kind("dead/not-now", "a hand dies between deal and payment")
UNKNOWN_MISDEAL = _Kind("misdeal/unknown-cause", "the causes here are {known}")
NO_ROUND = _Kind("misdeal/not-now", "no round is under way")
NO_GROUNDS = _Kind("misdeal/no-grounds", "this cannot have happened yet: {missing}")
PAID = _Kind("misdeal/paid", "paying began: mistakes are corrected, nothing is undone")
NOT_PAYING = _Kind("pay/not-now", "paying begins when every hand is decided and shown")

SEAT_TWICE = _Kind("correction/seat-twice", "each seat is put right once")
NO_SUCH_CARD = _Kind(
    "correction/no-card", "card number {number} does not lie here, or nobody turns it"
)
NOT_ASKED = _Kind("correction/not-asked", "seat {seat} has nothing to decide on street {street}")
NOT_FOUND_LATE = _Kind("correction/not-late", "no wager of seat {seat} on {spot} was found late")
