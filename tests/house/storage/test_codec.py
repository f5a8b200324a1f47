"""What is written down is read back the same, and rules only under their own name."""

import msgspec
import pytest

from pitboss.cards import cards
from pitboss.errors import Unreadable
from pitboss.house.storage import codec
from pitboss.house.table import events as h
from pitboss.house.table.payoffs import seat_paid
from pitboss.house.table.procedure import VERSION
from pitboss.settle import Play, SeatPlay, sentences, settle
from tests.helpers import BOOKS, DIAMOND_JO, SENECA


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
def test_a_kept_rulebook_is_read_back_the_same(book):
    assert codec.rulebook(codec.rulebook_text(book), book.sha256) == book


def test_a_kept_rulebook_is_read_once_however_many_ask():
    """What is worked out of its pay tables is kept with it: an audit begins with every book."""
    first, again = (codec.rulebook(codec.rulebook_text(SENECA), SENECA.sha256) for _ in range(2))
    assert first is again


def test_other_rules_under_a_name_are_not_played_by():
    with pytest.raises(Unreadable, match=f"rulebook {SENECA.sha256}: other rules"):
        codec.rulebook(codec.rulebook_text(DIAMOND_JO), SENECA.sha256)


def test_a_settlement_says_the_same_after_it_was_written_down():
    stakes = {"ante": 500, "raise-1": 1500, "raise-2": 1500, "raise-3": 1500}
    play = Play((SeatPlay(1, cards("Kh Kd"), stakes),), 500, {"board": cards("Ks 4d 4h")})
    [settled] = settle(DIAMOND_JO, play).seats
    paid = seat_paid(DIAMOND_JO, settled)
    read = msgspec.json.decode(codec.encode(paid), type=h.SeatPaid, dec_hook=codec.read_value)
    assert read == paid
    for journaled, said in zip(read.lines, settled.lines, strict=True):
        assert sentences(DIAMOND_JO, journaled) == sentences(DIAMOND_JO, said)
    assert [line.odds for line in read.lines] == [line.odds for line in settled.lines]


def test_an_entry_names_the_procedure_that_decided_it():
    assert codec.procedure(codec.recorded()) == VERSION
    assert codec.procedure('{"procedure":7,"something":"new"}') == 7
    with pytest.raises(msgspec.ValidationError, match="procedure"):
        codec.body('{"events":[]}')
