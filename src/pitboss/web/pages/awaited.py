"""What takes long to work out, on a page that looks again until it is there."""

from typing import Any

import msgspec

from pitboss.errors import Refused, Unreadable, Unsolved
from pitboss.lab.questions import Experiment
from pitboss.rulebook import Rulebook
from pitboss.web import lab_desk
from pitboss.web.pages.visit import Visit
from pitboss.web.services import Services
from pitboss.web.workers import BUSY, LongWork

YOURS = "something else that you asked for is worked out first"
FAILED = "its process ended before it had an answer"


class Awaited(msgspec.Struct, frozen=True):
    """Something that takes long, as far as it is."""

    found: Any = None
    before: int = 0
    """How much is done before it."""
    why: str = ""
    """Why it is not."""
    never: bool = False
    """That will not change."""


def awaited(
    web: Services, visit: Visit, question: str, book: Rulebook, asked: Experiment
) -> Awaited:
    """Return it; whoever looks at a page that needs it has it begun."""
    long, who = web.kept(LongWork), visit.audience.person
    try:
        found = lab_desk.done(long, question, book, asked)
        if found is not None:
            return Awaited(found)
        if not lab_desk.place(long, question, book, asked):
            web.bound("lab", visit.request, visit.person.id, cost=4)
            lab_desk.begin_unasked(long, question, book, asked, who)
    except (Unreadable, Unsolved) as error:
        return Awaited(why=error.message, never=True)
    except Refused as refused:
        return Awaited(why=refused.refusal.message)
    place = lab_desk.place(long, question, book, asked)
    if place:
        return Awaited(before=place - 1)
    if lab_desk.key_of(question, book, asked) in long.failed:
        return Awaited(why=FAILED, never=True)
    return Awaited(why=YOURS if long.works_for(who) else BUSY.message)
