"""Settlement that explains itself: a pure function from a finished round to lines with reasons."""

from pitboss.settle.explain import plain, sentence, sentences, told
from pitboss.settle.finished_round import Play, Player, SeatPlay, of_round
from pitboss.settle.lines import Form, Line, Reason, SeatSettlement, Settlement
from pitboss.settle.settlement import settle

__all__ = [
    "Form",
    "Line",
    "Play",
    "Player",
    "Reason",
    "SeatPlay",
    "SeatSettlement",
    "Settlement",
    "of_round",
    "plain",
    "sentence",
    "sentences",
    "settle",
    "told",
]
