"""Rulebooks made for tests: parts of the vocabulary that no shipped house uses."""

from pitboss import rulebook

TAKE_BACK_TOML = """
format = 1
id = "test/take-back"
house = "Test"
game = "Take back or let ride"
document = "none"
[seats]
most = 5
clause = "1"
[deck]
clause = "1"
[[script]]
do = "deal"
to = ["seats"]
cards = 3
clause = "1"
[[script]]
do = "deal"
to = ["board"]
cards = 2
clause = "1"
[[script]]
do = "decide"
into = "first"
otherwise = ["check", "take-back"]
timeout = "check"
clause = "2"
[[script]]
do = "turn"
place = "board"
cards = 1
clause = "1"
[[script]]
do = "decide"
into = "second"
otherwise = ["check", "take-back"]
timeout = "take-back"
clause = "2"
[[script]]
do = "turn"
place = "board"
cards = 1
clause = "1"
[[script]]
do = "decide"
into = "play"
times = [1]
otherwise = ["check"]
timeout = "check"
clause = "2"
[[script]]
do = "show"
order = "left-to-right"
clause = "1"
[[spot]]
name = "ante"
title = "Three"
kind = "main"
required = true
table = "main"
clause = "1"
[[spot]]
name = "first"
title = "One"
kind = "main"
table = "main"
clause = "1"
[[spot]]
name = "second"
title = "Two"
kind = "main"
table = "main"
clause = "1"
[[spot]]
name = "play"
title = "Play"
kind = "main"
table = "main"
clause = "1"
[[table]]
name = "main"
title = "Pays"
cards = ["seats", "board"]
ranking = "five-card"
clause = "3"
rows = [
  { row = "high", hand = "pair", of = "10-A", odds = "3 to 2", clause = "3" },
  { row = "two-pair", hand = "two-pair", odds = "2 to 1", clause = "3" },
  { row = "nothing", hand = "any", odds = "lose", clause = "3" },
]
[limits]
clause = "1"
[[misdeal]]
cause = "other"
says = "anything"
by = ["shift-manager"]
clause = "1"
[tax]
clause = "1"
"""

TAKE_BACK = rulebook.parse(TAKE_BACK_TOML)
