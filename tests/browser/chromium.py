"""The browser that tests look at pages with: where it is, and what is said where there is none."""

import os
import shutil
from pathlib import Path

MISSING = "no chromium; install Debian's package chromium"


def find() -> str | None:
    """Return where chromium is; where PITBOSS_CHROMIUM is set, it alone says so."""
    named = os.environ.get("PITBOSS_CHROMIUM")
    if named:
        return shutil.which(named)
    for place in ("/usr/bin/chromium", "/usr/bin/chromium-browser"):
        if Path(place).exists():
            return place
    return shutil.which("google-chrome")


def required() -> bool:
    """Whether it is a failure that there is none: .ci/run says so, and so does any CI."""
    return bool(os.environ.get("PITBOSS_CI") or os.environ.get("CI"))
