"""Processes for long work, and Ctrl-C, which a terminal sends to all of them at once."""

import os
import signal
import subprocess
import sys

import pytest

WAITS = """
from pitboss.cli.workers import do_task, interrupted_later, processes
pool = processes(2, abs)
with interrupted_later():
    found = [pool.submit(do_task, each) for each in (-3, -4)]
try:
    print("begun", flush=True)
    while True:
        found[0].result()
except KeyboardInterrupt:
    print(sum(each.result() for each in found))
pool.shutdown()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there no process inherits what is ignored")
def test_ctrl_c_leaves_workers_that_are_just_beginning_to_their_parent() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", WAITS],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (0, "7\n", "")
