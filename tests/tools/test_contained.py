"""A tool in a child process: it ends with an exit code, whatever happens in it."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = """
import ctypes, os, sys, time
from dxir.tools.contained import bounded_memory, contained, is_contained, stage

def main():
    assert is_contained()
    stage("the pass test on x.mlir", 0.5 if sys.argv[1] == "hang" else None)
    {act}
    return 3

contained("tool", "none", main)
"""


def run(tmp_path: Path, act: str, kind: str = "") -> subprocess.CompletedProcess[str]:
    script = tmp_path / "tool.py"
    script.write_text(TOOL.format(act=act), "utf-8")
    return subprocess.run(
        [sys.executable, str(script), kind], capture_output=True, text=True, timeout=60
    )


def test_output_and_exit_code_are_those_of_the_tool(tmp_path: Path) -> None:
    done = run(tmp_path, "print('out'); print('err', file=sys.stderr)")
    assert (done.returncode, done.stdout, done.stderr) == (3, "out\n", "err\n")


@pytest.mark.parametrize(
    ("act", "name"),
    [
        ("os.abort()", "SIGABRT"),
        ("ctypes.string_at(0)", "SIGSEGV"),
        ("os.kill(os.getpid(), 8)", "SIGFPE"),
        ("os.kill(os.getpid(), 9)", "SIGKILL"),
    ],
)
def test_a_crash_is_an_error_that_says_what_was_done(tmp_path: Path, act: str, name: str) -> None:
    done = run(tmp_path, act)
    assert done.returncode == 1
    assert f"tool: error: the pass test on x.mlir ended the process with {name}" in done.stderr


def test_what_does_not_end_is_ended(tmp_path: Path) -> None:
    done = run(tmp_path, "time.sleep(60)", "hang")
    assert done.returncode == 1
    assert "the pass test on x.mlir did not end in time" in done.stderr


def test_memory_is_bounded_where_the_tool_says_so(tmp_path: Path) -> None:
    act = """
    try:
        with bounded_memory(0):
            bytearray(64 << 30)
    except MemoryError:
        print("refused")"""
    assert run(tmp_path, act.strip()).stdout == "refused\n"


def test_an_exit_with_words_shows_them(tmp_path: Path) -> None:
    done = run(tmp_path, "sys.exit('words')")
    assert (done.returncode, done.stderr) == (1, "words\n")


def test_a_mistake_of_the_tool_shows_where(tmp_path: Path) -> None:
    done = run(tmp_path, "raise ValueError('mistake')")
    assert done.returncode == 1
    assert "ValueError: mistake" in done.stderr


def test_a_signal_from_outside_ends_it_as_such(tmp_path: Path) -> None:
    done = run(tmp_path, "os.kill(os.getpid(), 15)")
    assert done.returncode == -signal.SIGTERM


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    script = tmp_path / "tool.py"
    script.write_text(TOOL.format(act="[print(i) for i in range(10**6)]"), "utf-8")
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {sys.executable} {script} '' | head -1"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "0\n", "")
