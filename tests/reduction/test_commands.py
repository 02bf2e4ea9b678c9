"""What makes a command's end interesting, and how commands are run."""

from __future__ import annotations

import os
import re
import sys
import threading
from pathlib import Path

import pytest

import dxir
from dxir.errors import ReductionError, TargetError
from dxir.reduction.commands import Command, Ending, Wanted
from dxir.reduction.comparing import Differs

PROGRAM = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.cosine %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
FAILS = Wanted()
FAILED = Ending(1, "error: it fails")


def python(code: str, wanted: Wanted = FAILS, seconds: float | None = None) -> Command:
    return Command([sys.executable, "-c", code], wanted, seconds)


@pytest.mark.parametrize(
    ("wanted", "ending", "fits"),
    [
        (Wanted(), FAILED, True),
        (Wanted(), Ending(0, ""), False),
        (Wanted(), Ending(None, ""), False),
        (Wanted(overdue=True), Ending(None, ""), True),
        (Wanted(code=1), FAILED, True),
        (Wanted(code=2), FAILED, False),
        (Wanted(code=-11), Ending(-11, ""), True),
        (Wanted(code=0), Ending(0, ""), True),
        (Wanted(zero=True), Ending(0, ""), True),
        (Wanted(zero=True), FAILED, False),
        (Wanted(errors=re.compile("it f")), FAILED, True),
        (Wanted(errors=re.compile("other")), FAILED, False),
        (Wanted(errors=re.compile("")), Ending(0, ""), False),
    ],
)
def test_an_ending_is_interesting_or_not(wanted: Wanted, ending: Ending, fits: bool) -> None:
    assert wanted.fits(ending) == fits


def test_by_default_an_ending_must_be_like_the_first_one() -> None:
    wanted = Wanted().like(Ending(-11, ""))
    assert wanted.fits(Ending(-11, "something else"))
    assert not wanted.fits(Ending(-6, ""))
    assert not wanted.fits(FAILED)


def test_what_did_not_end_must_not_end_again() -> None:
    wanted = Wanted(overdue=True).like(Ending(None, ""))
    assert wanted.fits(Ending(None, ""))
    assert not wanted.fits(FAILED)
    assert Wanted(overdue=True).like(FAILED).fits(Ending(None, ""))


def test_a_death_that_a_tool_of_dxir_tells_of_counts_with_its_signal() -> None:
    told = "dxir-opt: error: the pass p on x ended the process with {}\n"
    wanted = Wanted().like(Ending(1, told.format("SIGSEGV")))
    assert wanted.fits(Ending(1, told.format("SIGSEGV")))
    assert not wanted.fits(Ending(1, told.format("SIGABRT")))
    assert not wanted.fits(FAILED)


def test_the_file_stands_where_the_braces_are_or_at_the_end() -> None:
    program = dxir.load(PROGRAM)
    code = "import sys; sys.exit('cosine' in open(sys.argv[{}].removeprefix('f=')).read())"
    for words in (["{}"], ["f={}"], []):
        assert Command([sys.executable, "-c", code.format(1), *words], Wanted(1)).run(
            program
        ) == Ending(1, "")
    assert Command([sys.executable, "-c", code.format(1), "{}", "{}"], Wanted())(program)


def test_the_text_has_no_locations_where_they_are_unknown() -> None:
    code = "import sys; sys.stderr.write(open(sys.argv[1]).read())"
    program = dxir.load(PROGRAM)
    assert "loc(" in python(code).run(program).errors
    bare = program.run_passes("strip-debuginfo")
    assert python(code).run(bare).errors == str(bare)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_command_may_die_of_a_signal() -> None:
    ending = python("import os; os.kill(os.getpid(), 11)").run(dxir.load(PROGRAM))
    assert ending.code == -11
    assert ending.died == "SIGSEGV"
    assert str(ending) == "ended with SIGSEGV and said nothing"


def test_a_command_that_takes_too_long_is_ended() -> None:
    waits = "import threading; threading.Event().wait()"
    command = python(waits, Wanted(overdue=True), 0.2)
    assert command(dxir.load(PROGRAM))
    assert str(command.run(dxir.load(PROGRAM))) == "did not end in time"


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
def test_closing_ends_the_commands_that_run(tmp_path: Path) -> None:
    started = tmp_path / "started"
    os.mkfifo(started)
    code = f"import threading; open({str(started)!r}, 'w').close(); threading.Event().wait()"
    command = python(code)
    found: list[Ending] = []
    thread = threading.Thread(target=lambda: found.append(command.run(dxir.load(PROGRAM))))
    thread.start()
    started.read_text()  # until the command opens it
    command.close()
    thread.join()
    assert found[0].code == -9
    assert command.run(dxir.load(PROGRAM)).code is None


def test_a_command_that_is_not_there_is_an_error() -> None:
    program = dxir.load(PROGRAM)
    with pytest.raises(ReductionError, match="no-such-tool cannot be run") as caught:
        Command(["no-such-tool"], Wanted())(program)
    assert "a program on PATH" in str(caught.value)
    with pytest.raises(ReductionError, match="one by one"):
        Command(["no-such-tool {}"], Wanted())(program)


REDUCED_TWICE = """
func.func @main(%x: tensor<1000xf32>) -> tensor<f32> {
  %k = stablehlo.constant dense<7.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %k) applies stablehlo.add across dimensions = [0]
      : (tensor<1000xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
"""


def test_backends_that_differ_are_told_from_those_that_do_not() -> None:
    judge = Differs(("xla-cpu", "reference"))
    try:
        assert not judge(dxir.load(PROGRAM))
        assert judge(dxir.load(REDUCED_TWICE))
        refused = dxir.load(PROGRAM.replace("@main", "@a") + PROGRAM.replace("@main", "@b"))
        assert "@main" in judge.verdict(refused).told
        assert not judge(dxir.load(PROGRAM))
    finally:
        judge.close()


def test_backends_to_compare_are_two_that_there_are() -> None:
    with pytest.raises(TargetError, match="no backend 'tpu'"):
        Differs(("tpu", "reference"))
    with pytest.raises(ReductionError, match="nothing to compare"):
        Differs(("reference",))
