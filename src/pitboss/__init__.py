"""Pitboss: house-banked stud poker, run exactly as the casino's own rules document says.

>>> import pitboss
>>> book = pitboss.load("common/mississippi-stud")
>>> pitboss.solve(book).value
Fraction(-53223, 1082900)

The public API: the rooms `cards`, `hands`, `money`, `rulebook`, `round`, `settle` and `maths`, and
what a program begins with beside them here. Each is imported when it is first used: the command
line need not wait for numpy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    # A round of cards is what the room is about; the builtin is not needed here.
    from pitboss import cards, hands, maths, money, round, rulebook, settle  # noqa: A004
    from pitboss.errors import PitbossError, Refusal, Refused, Unreadable, Unsolved
    from pitboss.maths import Solution, solve
    from pitboss.round import Round
    from pitboss.rulebook import Rulebook, load

__version__ = "0.2.0"

__all__ = [
    "PitbossError",
    "Refusal",
    "Refused",
    "Round",
    "Rulebook",
    "Solution",
    "Unreadable",
    "Unsolved",
    "__version__",
    "cards",
    "hands",
    "load",
    "maths",
    "money",
    "round",
    "rulebook",
    "settle",
    "solve",
]

_ROOM_OF = {
    "PitbossError": "errors",
    "Refusal": "errors",
    "Refused": "errors",
    "Round": "round",
    "Rulebook": "rulebook",
    "Solution": "maths",
    "Unreadable": "errors",
    "Unsolved": "errors",
    "load": "rulebook",
    "solve": "maths",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    room = import_module(f"{__name__}.{_ROOM_OF.get(name, name)}")
    return getattr(room, name) if name in _ROOM_OF else room


def __dir__() -> list[str]:
    """List what there is, asked for or not."""
    return __all__
