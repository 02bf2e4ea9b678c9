"""The same with many things, some of which end the process."""

from __future__ import annotations

import subprocess
import sys

_SCRIPT = """
import os, signal
from dxir.tools import contained
from dxir.tools.one_by_one import one_by_one

def work(item):
    contained.stage(f"reading {item}", 0.2 if item == "slow" else 60.0)
    if item == "bad":
        os.kill(os.getpid(), signal.SIGSEGV)
    if item == "slow":
        signal.pause()
    return item.upper()

contained.take_board(contained.new_board())
for found in one_by_one(work, ["a", "bad", "b", "slow", "c"]):
    print(found if isinstance(found, str) else found.what)
print(len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 4)
"""


def test_what_ends_the_process_is_told_and_the_rest_is_done() -> None:
    done = subprocess.run([sys.executable, "-c", _SCRIPT], capture_output=True, text=True)
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[:5] == [
        "A",
        "reading bad ended the process with SIGSEGV",
        "B",
        "reading slow did not end in time",
        "C",
    ]
    assert int(lines[5]) <= 5  # no pipe is left open
