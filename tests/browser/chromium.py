"""The browser that tests look at pages with: where it is, and what is said where there is none."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

MISSING = "no chromium; install Debian's package chromium-headless-shell"

PLACES = [
    f"/usr/bin/{each}" for each in ("chromium-headless-shell", "chromium", "chromium-browser")
]
"""The one without windows first: it does the same with less."""


def find() -> str | None:
    """Return where chromium is; where PITBOSS_CHROMIUM is set, it alone says so."""
    named = os.environ.get("PITBOSS_CHROMIUM")
    if named:
        return shutil.which(named)
    for place in PLACES:
        if Path(place).exists():
            return place
    return shutil.which("google-chrome")


def missing() -> str:
    """Return what this machine has not got that it takes; empty where nothing is missing."""
    if find() is None:
        return MISSING
    from playwright._impl._driver import compute_driver_executable

    driver, _ = compute_driver_executable()
    done = subprocess.run([driver, "--version"], capture_output=True, text=True, check=False)
    return done.stderr.strip() if done.returncode else ""


def required() -> bool:
    """Whether it is a failure that there is none: .ci/run says so, and so does any CI."""
    return bool(os.environ.get("PITBOSS_CI") or os.environ.get("CI"))


def wanted() -> str:
    """Return where it is; a test without it is skipped out loud, and fails where CI needs it."""
    lacking = missing()
    if lacking:
        (pytest.fail if required() else pytest.skip)(lacking)
    where = find()
    assert where is not None
    return where
