"""Settings of the house: few, each with a default and a check, changed only through the journal."""

import datetime
import re
from collections.abc import Callable, Mapping
from zoneinfo import ZoneInfo, available_timezones

import msgspec

from pitboss.errors import Unreadable
from pitboss.house.storage.store import MOST_CENTS
from pitboss.money import cents, text

ONE_DAY = datetime.timedelta(days=1)


class Setting(msgspec.Struct, frozen=True):
    """Something the house decides for itself."""

    default: str
    says: str
    check: Callable[[str], object]
    """Fails on a value that makes no sense."""


def _like(pattern: str, example: str) -> Callable[[str], None]:
    def check(written: str) -> None:
        if not re.fullmatch(pattern, written, re.ASCII):
            raise ValueError(f"write {example}")

    return check


def _chips(written: str) -> None:
    if cents(written) > MOST_CENTS:
        raise ValueError(f"write at most {text(MOST_CENTS)}, which one posting moves")


def _zone(written: str) -> None:
    # What a computer calls its own is another zone on the next one.
    if written == "localtime" or written not in available_timezones():
        raise ValueError("write a zone such as America/Chicago")


_time = _like(r"([01]\d|2[0-3]):[0-5]\d", "a time such as 06:00")
_yes_or_no = _like("yes|no", "yes or no")
_minutes = _like(r"[1-9]\d{0,4}", "minutes such as 720")

SETTINGS: dict[str, Setting] = {
    "gaming-day-starts": Setting("06:00", "when one gaming day ends and the next begins", _time),
    "timezone": Setting("UTC", "where the house is, such as America/Chicago", _zone),
    "guests": Setting("yes", "whether anybody may play with play chips", _yes_or_no),
    "guest-play-chips": Setting("1,000.00", "play chips that everybody can start with", _chips),
    "practice-idle-minutes": Setting(
        "10", "after how long an idle practice table is closed", _minutes
    ),
    "session-minutes": Setting("720", "how long a session lasts", _minutes),
}


def checked(name: str, value: str) -> str:
    rule = SETTINGS.get(name)
    if rule is None:
        raise Unreadable(f"no setting {name[:40]!r}; there are {', '.join(SETTINGS)}", "name")
    try:
        rule.check(value)
    except (ValueError, OSError, KeyError, Unreadable) as error:
        raise Unreadable(f"{rule.says}: {str(error)[:100]}", "value") from None
    return value


class Settings:
    """The settings as they are."""

    def __init__(self, known: Mapping[str, str], version: int = 0) -> None:
        self._known = dict(known)
        self.version = version
        """The number of the entry of the house's own stream by which they are so."""
        self._minute, self._day = -1, datetime.date.min

    def __getitem__(self, name: str) -> str:
        return self._known.get(name, SETTINGS[name].default)

    def changed(self, name: str, value: str, version: int) -> "Settings":
        return Settings({**self._known, name: value}, version)

    def ends(self, day: datetime.date) -> int:
        """Return when a gaming day is over, in milliseconds since 1970.

        >>> Settings({}).ends(datetime.date(2025, 11, 14))
        1763186400000
        """
        return int(self._begins(day + ONE_DAY)) * 1000

    def _begins(self, day: datetime.date) -> float:
        """Return when a gaming day begins, in seconds since 1970; of two such times, where clocks
        are set back over it, the first one counts."""
        starts = datetime.time.fromisoformat(self["gaming-day-starts"])
        return datetime.datetime.combine(day, starts, ZoneInfo(self["timezone"])).timestamp()

    def day(self, at: int) -> datetime.date:
        """Return the gaming day of a moment.

        >>> Settings({}).day(1_763_179_200_000)  # four in the morning
        datetime.date(2025, 11, 14)
        """
        minute = at // 60_000  # a day never begins in the middle of one
        if minute != self._minute:
            now = minute * 60
            today = datetime.datetime.fromtimestamp(now, ZoneInfo(self["timezone"])).date()
            # Clocks that are set back over midnight come to a day that is over.
            near = (today + ONE_DAY, today)
            begun = (day for day in near if self._begins(day) <= now)
            self._minute, self._day = minute, next(begun, today - ONE_DAY)
        return self._day
