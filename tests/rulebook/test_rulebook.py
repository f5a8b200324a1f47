"""Strict rulebooks: what is refused, where, and what would be right."""

import pytest

from pitboss import rulebook
from pitboss.errors import Unreadable
from pitboss.rulebook.check import check, errors
from pitboss.rulebook.loader import HOUSES, parse_unchecked
from tests.small_books import TAKE_BACK_TOML

DJ = (HOUSES / "diamond-jo-worth/cajun-stud.toml").read_text("utf-8")
HW = (HOUSES / "hollywood-penn-national/cajun-stud.toml").read_text("utf-8")
SN = (HOUSES / "seneca-niagara/caribbean-stud.toml").read_text("utf-8")
RAISE_1 = """do = "decide"
into = "raise-1"
times = [1, 2, 3]
of = "ante"
otherwise = ["fold"]
timeout = "fold"
clause = "C.1.i(2)"
ruling = "R17 R20 R21"
clauses = { fold = "C.1.j C.1.i(1)" }

"""
SHOW = 'do = "show"\norder = "right-to-left"'


def shipped(name: str) -> str:
    return (HOUSES / f"{name}.toml").read_text("utf-8")


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


UNREADABLE = {
    "not TOML": ("format = ", "not TOML"),
    "an unknown key at the top": ("colour = 1\n" + DJ, "$: unknown key 'colour'"),
    "an unqualified hand that means nothing": (
        changed(shipped("common/casino-holdem"), 'unqualified = "table"', 'unqualified = "tabel"'),
        "write 3 to 2, 3:2, even, push or lose; or table, or showdown",
    ),
    "a key with a typing error": (
        changed(DJ, "after_fold", "after_folt"),
        "$.spot[0]: unknown key 'after_folt'; did you mean after_fold?",
    ),
    "a clause on nothing": (
        changed(DJ, "{ tuck", "{ tuk"),
        "$.spot[0]: clauses: nothing here is called 'tuk'; did you mean tuck?",
    ),
    "an unknown key in a row": (
        changed(DJ, 'hand = "flush", odds', 'hand = "flush", oods'),
        "$.table[0].rows[4]: unknown key 'oods'; did you mean odds?",
    ),
    "a missing key": (
        changed(DJ, "most = 6\n", ""),
        "$.seats: Object missing required field",
    ),
    "a number as text": (changed(DJ, "most = 6", 'most = "6"'), "$.seats.most: Expected `int`"),
    "a bool as a number": (changed(DJ, "most = 6", "most = true"), "$.seats.most: Expected `int`"),
    "odds as a number": (
        changed(DJ, '"500 to 1", clause = "I.2.a"', '500, clause = "I.2.a"'),
        "$.table[0].rows[0].odds: write odds such as '3 to 2' in quotes, not 500",
    ),
    "odds as rubbish": (
        changed(DJ, '"500 to 1", clause = "I.2.a"', '"500 on 1", clause = "I.2.a"'),
        "$.table[0].rows[0].odds: '500 on 1' is not odds",
    ),
    "odds of nothing": (changed(DJ, '"500 to 1", c', '"0 to 1", c'), "'0 to 1' is not odds"),
    "money as a float": (
        changed(DJ, '"25,000.00"', "25000.0"),
        "$.cap[0].most: write money",
    ),
    "money as rubbish": (changed(DJ, '"25,000.00"', '"25,00.00"'), "$.cap[0].most: '25,00.00'"),
    "a percentage as rubbish": (changed(DJ, '"10%"', '"a tenth"'), "'a tenth' is not a percentage"),
    "over a hundred per cent": (changed(DJ, '"10%"', '"110%"'), "more than the whole"),
    "ranks as rubbish": (changed(DJ, 'of = "6-10"', 'of = "6-11"'), "not a range of ranks"),
    "ranks downwards": (changed(DJ, 'of = "6-10"', 'of = "10-6"'), "runs downwards"),
    "no rank": (changed(DJ, 'of = "6-10"', 'of = ""'), "not a range of ranks"),
    "an unknown role": (
        changed(DJ, '"surveillance"', '"the-boss"'),
        "$.approval[2].by[0]: 'the-boss' is not known here; write dealer or floor-supervisor or",
    ),
    "an unknown kind": (
        changed(DJ, 'kind = "side"', 'kind = "bonus"'),
        "$.spot[0].kind: 'bonus' is not known here; write main or side or progressive",
    ),
    "an unknown choice": (
        changed(DJ, 'otherwise = ["fold"]', 'otherwise = ["flee"]'),
        "$.script[1].otherwise[0]: 'flee' is not known here; write fold or check or take-back",
    ),
    "no clause": (
        changed(DJ, 'clause = "C.1.r"', 'clause = ""'),
        "$.script[7].clause: Expected `str` of length >= 1",
    ),
    "a name with a space": (
        changed(DJ, 'to = ["board"]', 'to = ["the board"]'),
        "$.script[2].to[0]: Expected `str` matching regex",
    ),
    "an unknown step": (
        changed(DJ, 'do = "show"', 'do = "shout"'),
        "$.script[7].do: Invalid value",
    ),
    "a ruling on nothing known": (
        changed(DJ, 'clock = "R21"', 'clocks = "R21"'),
        "$.rulings: unknown key 'clocks'; did you mean clock?",
    ),
    "another format": (changed(DJ, "format = 1", "format = 2"), "$.format: 2 is not known here"),
}


@pytest.mark.parametrize("case", UNREADABLE, ids=lambda case: case.replace(" ", "-"))
def test_unreadable_books_name_the_place(case):
    text, says = UNREADABLE[case]
    with pytest.raises(Unreadable) as error:
        rulebook.parse(text, "my.toml")
    assert str(error.value).startswith("my.toml: ")
    assert says in str(error.value)


UNPLAYABLE = {
    "an id without a house": (changed(DJ, "diamond-jo-worth/", ""), "$.id: write house/game"),
    "a spot twice": (
        changed(DJ, 'name = "lo-ball"', 'name = "board-bonus"'),
        "two spots are called",
    ),
    "a table twice": (
        changed(DJ, '[[table]]\nname = "lo-ball"', '[[table]]\nname = "main"'),
        "two tables are called 'main'",
    ),
    "nothing required": (changed(DJ, "required = true\n", ""), "exactly one spot is required"),
    "no seats": (changed(DJ, "most = 6", "most = 0"), "$.seats: a table has at least one seat"),
    "no hands": (changed(DJ, "hands_each = 1", "hands_each = 0"), "a player at least one hand"),
    "a spot called like what is kept for who has left": (
        changed(DJ, 'name = "lo-ball"', 'name = "left-bonus"'),
        "$.spot: 'left-bonus': 'left' is what is kept for who has left",
    ),
    "a spot called toke": (
        changed(DJ, 'name = "lo-ball"', 'name = "toke"'),
        "$.spot: 'toke' is the dealers' own wager",
    ),
    "cards that stay face down": (
        changed(HW, '[[script]]\ndo = "turn"\nplace = "board"\ncards = 1\nclause = "9"\n', ""),
        "$.script: board decides wagers, with one card of it never turned up",
    ),
    "a raise into a side wager": (
        changed(DJ, 'into = "raise-1"', 'into = "lo-ball"'),
        "$.script[1].into: 'lo-ball' is no main wager",
    ),
    "two streets into one spot": (
        changed(DJ, 'into = "raise-2"', 'into = "raise-1"'),
        "$.script[3].into: an earlier decision fills 'raise-1'",
    ),
    "a main wager that nothing is about": (
        changed(DJ, 'into = "raise-2"', 'into = "raise-1"').replace(
            'otherwise = ["fold"]', 'otherwise = ["fold", "check"]'
        ),
        "$.spot[5]: a main wager is required, or some decision is about it",
    ),
    "a least above the most": (
        changed(DJ, 'least = "1.00"', 'least = "1.00"\nmost = "0.50"'),
        "$.spot[0]: the least is above the most",
    ),
    "a dealer without cards": (
        changed(SN, '[qualifier]\nplace = "dealer"', '[qualifier]\nplace = "devil"'),
        "$.qualifier.place: devil has fewer than 5 cards to compare",
    ),
    "an id with a space": (changed(DJ, "worth/cajun", "worth/my cajun"), "$.id: write house/game"),
    "a place twice in a hand": (
        changed(DJ, 'cards = ["seats", "board"]', 'cards = ["seats", "board", "board"]'),
        "$.table[0].cards: name each place once",
    ),
    "a raise that is taken back": (
        changed(DJ, 'otherwise = ["fold"]', 'otherwise = ["fold", "take-back"]'),
        "$.script[1]: what is taken back is no raise",
    ),
    "the required wager taken back": (
        changed(TAKE_BACK_TOML, 'into = "first"', 'into = "ante"'),
        "$.script[2]: what is taken back is no raise, and not the required wager",
    ),
    "a street said twice": (
        changed(DJ, RAISE_1, RAISE_1 + "[[script]]\n" + RAISE_1),
        "an earlier decision fills 'raise-1'",
    ),
    "limits that cross": (
        changed(DJ, 'lowest = "25.00", highest = "100.00"', 'lowest = "1.00", highest = "2.00"'),
        "$.limits: the highest maximum is below the lowest minimum",
    ),
    "an ante with limits of its own": (
        changed(DJ, "required = true", 'required = true\nmost = "1.00"'),
        "$.spot[3]: the posted limits bind the required wager",
    ),
    "a side wager of nothing": (
        changed(DJ, 'least = "1.00"', 'least = "0.00"'),
        "$.spot[0]: a wager of nothing is none",
    ),
    "a dead hand twice": (
        changed(SN, 'cause = "information"', 'cause = "count"'),
        "$.dead: two dead hands have the cause 'count'",
    ),
    "tax below the wager": (
        changed(DJ, "at_least_times = 300", "at_least_times = 0"),
        "$.tax.at_least_times",
    ),
    "two inspectors of one kind": (
        changed(DJ, '  ["dealer"],\n', ""),
        "$.deck.inspection: name a group of roles for each",
    ),
    "no deck": (changed(DJ, "colours_by_hand = 1", "colours_by_hand = 0"), "$.deck: there is at"),
    "no chips": ("chips = []\n" + DJ, "$.chips: name at least one chip"),
    "a chip worth nothing": ('chips = ["0.00"]\n' + DJ, "$.chips: name at least one chip"),
    "nobody who may": (
        changed(DJ, 'by = ["surveillance", "shift-manager"]', "by = []"),
        "$.approval: somebody must be able to do it",
    ),
    "a cap without spots": (
        changed(DJ, 'spots = ["ante", "raise-1", "raise-2", "raise-3"]', "spots = []"),
        "$.cap[0]: a cap is on at least one spot",
    ),
    "a cap in units of nothing": (
        changed(DJ, 'unit = "0.01"', 'unit = "0.00"'),
        "$.cap[0]: a cap is on at least one spot and shared in units",
    ),
    "too many seats": (
        changed(SN, "most = 6", "most = 10"),
        "10 seats need 55 cards of a deck of 52",
    ),
    "a ruling that there is not": (
        changed(DJ, 'clock = "R21"', 'clock = "C.9 R999"'),
        "$.rulings.clock: no ruling R999; cite one of ours or a clause",
    ),
    "a ruling on tokes that are taken": (
        changed(DJ, 'clock = "R21"', 'tokes = "R34b"'),
        "$.rulings.tokes: this house takes tokes",
    ),
    "nobody gets cards": (
        changed(DJ, 'to = ["seats"]', 'to = ["dealer"]'),
        "$.script: no step deals cards to the seats",
    ),
    "no show": (
        changed(DJ, SHOW, 'do = "turn"\nplace = "board"\ncards = 1'),
        "$.script: the last step, and only that, shows",
    ),
    "packets that do not divide": (
        changed(SN, "packet = 5", "packet = 2"),
        "$.script[0]: 5 cards cannot be dealt 2 at a time",
    ),
    "dealt to nobody": (changed(DJ, 'to = ["board"]', "to = []"), "$.script[2].to: name each"),
    "dealt twice in a step": (
        changed(SN, '["seats", "dealer"]', '["seats", "dealer", "dealer"]'),
        "$.script[0].to: name each receiver once",
    ),
    "up for nobody": (changed(SN, "up = { dealer", "up = { board"), "'board' is not a pile"),
    "up at no position": (changed(SN, "[5] }", "[6] }"), "positions run from 1 to 5, each once"),
    "turned too often": (
        changed(HW, 'place = "all-six"\ncards = 1', 'place = "all-six"\ncards = 2'),
        "all-six has no 2 cards face down to turn",
    ),
    "a raise into nowhere": (
        changed(DJ, 'into = "raise-1"', 'into = "raise-9"'),
        "$.script[1].into: no spot 'raise-9'; there are board-bonus",
    ),
    "a raise of a raise": (
        changed(DJ, 'of = "ante"\notherwise', 'of = "raise-2"\notherwise'),
        "$.script[1].of: a raise is a multiple of the required wager, not 'raise-2'",
    ),
    "multiples out of order": (
        changed(DJ, "times = [1, 2, 3]", "times = [2, 1]"),
        "$.script[1].times: multiples are whole",
    ),
    "a multiple beyond all wagers": (
        changed(DJ, "times = [1, 2, 3]", "times = [1, 2, 99999999999999999999]"),
        "$.script[1].times: no table offers a multiple of more than 1,000,000",
    ),
    "a multiple for good hands beyond all wagers": (
        changed(shipped("common/crazy-4-poker"), "times = [2, 3]", "times = [2, 3000000]"),
        "$.script[1].times: no table offers a multiple of more than 1,000,000",
    ),
    "nothing to decide": (
        changed(TAKE_BACK_TOML, 'otherwise = ["check", "take-back"]\ntimeout = "check"', ""),
        "$.script[2]: offer multiples to raise by",
    ),
    "a time-out that is not offered": (
        changed(DJ, 'timeout = "fold"', 'timeout = "check"'),
        "$.script[1].timeout: 'check' is not among the choices",
    ),
    "a table that is not there": (
        changed(DJ, 'table = "lo-ball"', 'table = "hi-ball"'),
        "$.spot[2].table: no table 'hi-ball'; there are main",
    ),
    "a showdown without a qualifier": (
        changed(SN, 'against = "dealer"', 'against = "board"'),
        "$.spot[1].against: the [qualifier] must describe that hand",
    ),
    "a showdown with odds and table": (
        changed(SN, 'table = "bet"\nunqualified', 'table = "bet"\nodds = "1 to 1"\nunqualified'),
        "$.spot[2]: a showdown wager needs either odds or a table",
    ),
    "equal to a wager that is not required": (
        changed(shipped("common/let-it-ride"), 'equals = "bet-3"', 'equals = "bet-2"'),
        "what equals another wager is required too, and equals 'bet-3'",
    ),
    "a main wager alone": (
        changed(
            shipped("common/three-card-poker"), "required = true", "required = true\nalone = true"
        ),
        "a side wager alone can do without the required one",
    ),
    "a bonus that returns a stake": (
        changed(shipped("common/three-card-poker"), '"4 to 1"', '"push"'),
        "rows of a bonus pay odds or lose",
    ),
    "rows first without a showdown": (
        changed(
            shipped("common/mississippi-stud"), 'least = "1.00"', 'least = "1.00"\nrows = "first"'
        ),
        "rows come first where a wager has a table and is against one",
    ),
    "unqualified by a table that is not there": (
        changed(shipped("common/casino-holdem"), 'unqualified = "push"', 'unqualified = "table"'),
        "it has no table to be paid by",
    ),
    "unqualified though every hand qualifies": (
        changed(shipped("common/four-card-poker"), 'bonus = "ante-bonus"', 'unqualified = "push"'),
        "every hand of the dealer's qualifies, so it is not given",
    ),
    "a hand that shares its own cards": (
        changed(shipped("common/casino-holdem"), 'shared = ["flop", ', 'shared = ["dealer", '),
        "'dealer' is no pile that both hands could share",
    ),
    "a showdown by another hand": (
        changed(
            shipped("common/ultimate-texas-holdem"), 'shared = ["board"]', 'shared = ["dealer"]'
        ),
        "looks at the hand that is compared",
    ),
    "multiples for good hands that do not rise": (
        changed(shipped("common/crazy-4-poker"), "times = [2, 3]", "times = [1, 3]"),
        "multiples go on rising from those that all may raise by",
    ),
    "multiples for a hand that is none": (
        changed(
            shipped("common/crazy-4-poker"),
            'times = [2, 3], hand = "pair"',
            'times = [2, 3], hand = "pai"',
        ),
        "no hand is a 'pai' like that",
    ),
    "multiples for a hand that all are": (
        changed(shipped("common/crazy-4-poker"), 'hand = "pair", of = "A"', 'hand = "any"'),
        "no hand is a 'any' like that, every hand is",
    ),
    "cards that are shared twice": (
        changed(
            shipped("common/ultimate-texas-holdem"),
            'shared = ["board"]',
            'shared = ["board", "board"]',
        ),
        "$.qualifier.shared: name each place once",
    ),
    "the same choice twice": (
        changed(
            shipped("common/let-it-ride"),
            'otherwise = ["check", "take-back"]',
            'otherwise = ["check", "check", "take-back"]',
        ),
        "$.script[2].otherwise: name each choice once",
    ),
    "a flush shorter than so many cards must have": (
        changed(
            shipped("common/high-card-flush"),
            '  { row = "nothing"',
            '  { row = "one", hand = "one-card-flush", odds = "2 to 1", clause = "5" },\n'
            '  { row = "nothing"',
        ),
        "no hand ever reaches 'one'",
    ),
    "a menu with a row that is none": (
        changed(
            shipped("pennsylvania/ultimate-texas-holdem-a"), 'straight = "push"', 'strait = "push"'
        ),
        "$.menu[0].options[1].pays: the table has no row 'strait'; there are royal-flush,",
    ),
    "others beside an award": (
        changed(SN, 'award = "500.00"', 'award = "500.00", others = "5.00"'),
        "others get something, beside odds",
    ),
    "odds without a showdown": (
        changed(DJ, 'table = "lo-ball"', 'table = "lo-ball"\nodds = "1 to 1"'),
        "$.spot[2]: a wager that is not against the dealer",
    ),
    "a required side wager": (
        changed(DJ, 'kind = "main"\nrequired', 'kind = "side"\nrequired'),
        "$.spot[3]: the required wager is a main wager",
    ),
    "cards nobody was dealt": (
        changed(DJ, 'cards = ["board"]', 'cards = ["river"]'),
        "$.table[1].cards: no step deals to 'river'",
    ),
    "too few cards for the ranking": (
        changed(DJ, 'ranking = "three-card"', 'ranking = "five-card"'),
        "$.table[1].cards: these are fewer than the 5 cards of five-card",
    ),
    "a row twice": (
        changed(DJ, 'row = "flush"', 'row = "straight"'),
        "two rows are called 'straight'",
    ),
    "no such hand": (
        changed(DJ, 'hand = "flush", odds = "6', 'hand = "five-of-a-kind", odds = "6'),
        "$.table[0].rows[4].hand: 'five-of-a-kind' is not one of high-card, pair",
    ),
    "a row that pays nothing": (
        changed(DJ, ', odds = "6 to 1"', ""),
        "$.table[0].rows[4]: give exactly one of odds, meter and award",
    ),
    "a gap": (
        changed(DJ, 'row = "nothing", hand = "any"', 'row = "nothing", hand = "pair", of = "2-5"'),
        "$.table[0].rows: no row for seven high; a last row hand = 'any' loses",
    ),
    "two rows that pay the same": (
        changed(
            DJ, 'hand = "pair", odds = "5 to 1"', 'hand = "pair", of = "2-A", odds = "25 to 1"'
        ),
        "pair of aces reaches aces and pair, which pay the same",
    ),
    "a row that no hand reaches": (
        changed(DJ, 'of = "A", odds = "25 to 1"', 'of = "A", odds = "1 to 1"'),
        "$.table[2].rows[0]: no hand ever reaches 'aces'",
    ),
    "limits upside down": (
        changed(DJ, 'lowest = "5.00", highest = "15.00"', 'lowest = "50.00", highest = "15.00"'),
        "$.limits.minimum: the lowest is above the highest",
    ),
    "a cap on nothing": (
        changed(DJ, 'spots = ["ante", ', 'spots = ["anty", '),
        "$.cap[0].spots: no spot",
    ),
    "a cap on no row": (
        changed(SN, '  "two-pair",\n]', '  "three-pair",\n]'),
        "$.cap[0].rows: no row",
    ),
    "a progressive on the ante": (
        changed(SN, 'spot = "progressive"', 'spot = "ante"'),
        "$.progressive.spot: 'ante' is no progressive spot",
    ),
    "a meter that starts at nothing": (
        changed(SN, 'reseed = "10,000.00"', 'reseed = "0.00"'),
        "$.progressive.reseed",
    ),
    "an award at a side wager": (
        changed(DJ, 'odds = "50 to 1", clause = "I.3.a"', 'award = "50.00", clause = "I.3.a"'),
        "$.spot[0]: a meter needs [progressive]",
    ),
    "a toke that rides a side wager": (
        changed(DJ, 'rides = "ante"', 'rides = "lo-ball"'),
        "$.toke.rides: a toke rides the required wager, 'ante'",
    ),
    "no such qualifier": (
        changed(SN, 'hand = "high-card"\nof = "A"\nwith = "K"', 'hand = "high-card"\nof = "2"'),
        "$.qualifier: no hand is a 'high-card' like that",
    ),
    "a qualifier that no better hand should meet": (
        changed(shipped("common/casino-holdem"), 'of = "4"', 'of = "4-8"'),
        "$.qualifier.of: any better hand counts, too: write '4' or '4-A', not '4-8'",
    ),
    "a second rank that no better hand should have": (
        changed(SN, 'with = "K"', 'with = "10-Q"'),
        "$.qualifier.with: any better hand counts, too: write 'T' or 'T-A', not 'T-Q'",
    ),
    "multiples that no better hand should have": (
        changed(
            shipped("common/crazy-4-poker"), 'hand = "pair", of = "A"', 'hand = "pair", of = "9-J"'
        ),
        "$.script[1].more[0].of: any better hand counts, too: write '9' or '9-A', not '9-J'",
    ),
    "a red light without a cause": (
        changed(DJ, 'red_light = "shuffler"', 'red_light = "smoke"'),
        "$.deck.red_light: no misdeal cause 'smoke'",
    ),
    "cut and not shuffled": (
        changed(SN, "shuffle = true\n", "shuffle = false\n"),
        "$.deck.cut: cards are cut after they are shuffled",
    ),
    "an approved shuffler where none is used": (
        changed(DJ, "shuffler = true\n", "shuffler = false\n"),
        "$.deck.shuffler_approved: no shuffler may be used here",
    ),
    "a cause twice": (
        changed(DJ, 'cause = "other"', 'cause = "shuffler"'),
        "$.misdeal: two misdeals",
    ),
    "the house's own cause": (
        changed(DJ, 'cause = "other"', 'cause = "sealed-anew"'),
        "$.misdeal: 'sealed-anew' is the house's own cause",
    ),
    "a threshold twice": (
        changed(DJ, 'over = "300.00"', 'over = "100.00"'),
        "two approvals start over",
    ),
}


@pytest.mark.parametrize("case", UNPLAYABLE, ids=lambda case: case.replace(" ", "-"))
def test_books_that_no_table_can_run_on(case):
    text, says = UNPLAYABLE[case]
    found = errors(parse_unchecked(text))
    assert any(says in f"{each.path}: {each.message}" for each in found), found
    assert all(each.level == "error" for each in found)
    with pytest.raises(Unreadable):
        rulebook.parse(text)
    assert check(parse_unchecked(text)) == found  # no warnings about a broken book


@pytest.mark.parametrize("book_id", rulebook.ids())
def test_shipped_books_have_no_errors(book_id):
    assert errors(rulebook.load(book_id)) == []
    assert rulebook.load(book_id).id == book_id


def test_r29__a_cap_that_turns_the_pay_table_over_is_warned_of():
    (found,) = check(rulebook.parse(DJ))
    assert found.level == "warning"
    # 40 times ten antes is more than 25,000.00 from an ante of 62.50 on.
    assert "with an ante over $62.50" in found.message
    assert "Four of a kind (40 to 1, not capped)" in found.message
    assert check(rulebook.parse(changed(DJ, 'highest = "100.00"', 'highest = "62.00"'))) == []
    assert check(rulebook.parse(HW)) == []


def test_the_hash_names_the_rules_and_not_the_file():
    book = rulebook.parse(DJ)
    assert rulebook.parse("# a comment\n" + DJ).sha256 == book.sha256
    assert rulebook.parse(changed(DJ, "500 to 1", "501 to 1")).sha256 != book.sha256
    assert rulebook.parse(changed(DJ, '"C.1.k"', '"C.1.kk"')).sha256 != book.sha256


def test_a_file_of_ones_own(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(changed(DJ, "diamond-jo-worth/cajun-stud", "mine/cajun-stud"))
    assert rulebook.load(str(path)).id == "mine/cajun-stud"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(Unreadable, match="not text"):
        rulebook.load(str(path))


def test_citations_name_every_place():
    found = dict(rulebook.load("diamond-jo-worth/cajun-stud").citations())
    assert found["cap[0].growth.ruling"] == "R24"
    assert found["table[0].rows[9].ruling"] == "R4"
    assert all(clause for clause in found.values())


def test_ranks_compare_and_hash_by_what_they_say():
    rows = rulebook.parse(DJ).tables["main"].rows
    again = rulebook.parse(DJ).tables["main"].rows
    assert rows == again
    assert len({rows[9].of, again[9].of}) == 1
    assert rows[9].of != "6-T"
    assert [row.pays for row in rows[8:]] == ["1 to 1", "push", "lose"]


def test_a_hand_or_better_is_a_range_up_to_the_best_that_there_is():
    aces = changed(SN, 'with = "K"', 'with = "J-K"')
    fours = changed(shipped("common/casino-holdem"), 'of = "4"', 'of = "4-A"')
    for text in (aces, fours):
        assert not errors(parse_unchecked(text, ""))
    found = [
        book.qualifier and book.qualifier.weakest
        for book in (parse_unchecked(fours, ""), rulebook.load("common/casino-holdem"))
    ]
    assert found[0] == found[1]
