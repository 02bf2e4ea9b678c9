"""Child processes: how they end, and what the parent makes of it."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from dxir import children
from dxir.children import REFUSED, Work, run_module
from dxir.errors import PassError

WORK = Work("the work", PassError, "a.py:1", unstarted="do it here", late="wait longer")


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A file that is run in place of Python."""
    path = tmp_path / "python"
    path.touch(0o755)
    monkeypatch.setattr(sys, "executable", str(path))
    return path


def test_what_a_child_is_given_and_writes_goes_through(script: Path) -> None:
    script.write_text('#!/bin/sh\necho "$@"; cat; echo no Error here >&2; exit 3\n')
    ended = run_module(WORK, "a.b", "c", "d", input=b"x" * 1_000_000, seconds=60)
    assert ended.output == b"-P -m a.b c d\n" + b"x" * 1_000_000
    assert ended.code == REFUSED
    assert not ended.crashed
    assert ended.last_words == ": no Error here"


@pytest.mark.parametrize(
    ("end", "cause"), [("kill -SEGV $$", "SIGSEGV"), ("exit 7", "exit code 7")]
)
def test_a_crash_has_a_cause(script: Path, end: str, cause: str) -> None:
    script.write_text(f"#!/bin/sh\n{end}\n")
    ended = run_module(WORK, "m", seconds=60)
    assert ended.crashed
    assert (ended.cause, ended.last_words) == (cause, "")


def test_a_child_that_takes_too_long_is_ended(script: Path) -> None:
    script.write_text("#!/bin/sh\necho early\nexec sleep 60\n")
    with pytest.raises(PassError, match=r"the work did not end within 0\.1 s") as caught:
        run_module(WORK, "m", seconds=0.1)
    assert (caught.value.where, caught.value.hint) == ("a.py:1", "wait longer")
    end = time.monotonic() + 0.3
    ended = run_module(WORK, "m", overdue=lambda: time.monotonic() > end)
    assert (ended.code, ended.output) == (None, b"early\n")
    assert ended.crashed


def test_where_no_process_can_be_had_the_error_says_why(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for executable, why in (("", "there is no Python"), (str(tmp_path / "x"), "No such file")):
        monkeypatch.setattr(sys, "executable", executable)
        said = f"the work needs a process of its own, which cannot be started: {why}"
        with pytest.raises(PassError, match=said) as caught:
            run_module(WORK, "m", seconds=1)
        assert caught.value.hint == "do it here"


def test_an_error_arrives_as_it_was_told() -> None:
    error = children.error_told(children.told(PassError("no", where="a.py:2", hint="yes")))
    assert isinstance(error, PassError)
    assert (error.message, error.where, error.hint) == ("no", "a.py:2", "yes")
