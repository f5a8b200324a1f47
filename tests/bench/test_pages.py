"""``./pit bench pages``: it runs, it says what it lacks, and the table page stays light."""

import json
import os
import subprocess
import sys
from pathlib import Path

from bench.__main__ import main
from tests.browser import chromium
from tests.command import complaint

MOST_BYTES = 90_000
"""Of the table page with everything that it loads, over the wire."""

MOST_BYTES_AGAIN = 12_000
"""Of the table page alone: all else is kept for ever."""

# In a process of its own: a browser's loop in this one would be in the way of other tests.
BENCH = [sys.executable, "-P", "-m", "bench", "pages", "--rounds", "1", "--loads", "1", "--json"]
ROOT = Path(__file__).parents[2]


def test_the_table_page_is_measured_and_light():
    chromium.wanted()
    done = subprocess.run(
        BENCH,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert set(found["paint_ms"]) == {"first-paint", "first-contentful-paint"}
    for name in ("click_alone", "click_two_bots", "click_limit"):
        assert found[name]["clicks"] == 4  # a bet and three decisions
        assert 0 < found[name]["p50_ms"] <= found[name]["p99_ms"]
    assert found["click_alone"]["ratio"] > 0
    assert found["click_limit"]["bytes"] > found["weight_bytes"]["page"]  # it is sent packed
    assert set(found["server"]) == {"page_ms", "part_ms"}
    weight = found["weight_bytes"]
    kept = {
        "pitboss.css",
        "pitboss.js",
        "course.js",
        "help.js",
        "cards.svg",
        "chips.svg",
        "mark.svg",
    }
    kept |= {"inter.woff2", "gelasio.woff2"}
    assert set(weight) == {"total", "page", *kept}
    assert weight["total"] == weight["page"] + sum(weight[each] for each in kept) < MOST_BYTES
    assert weight["page"] < MOST_BYTES_AGAIN
    assert all(weight.values())


def test_it_says_what_to_install(monkeypatch):
    monkeypatch.setenv("PITBOSS_CHROMIUM", "nowhere")
    assert chromium.MISSING in complaint("pages", program=main)
    monkeypatch.setattr("bench.pages.find_spec", lambda _name: None)
    assert "./pit bench installs it" in complaint("pages", program=main)
