"""Running RUN lines: tools of ours in this process or as executables, FileCheck always here."""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import os
import re
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from dxir_lit.script import Command, LitFailure, Script, parse_line, placed

from dxir.testing.filecheck import file_check

# Each tool that RUN lines may name: its module, and the options that the name stands for.
TOOLS: dict[str, tuple[str, tuple[str, ...]]] = {
    "dxir-opt": ("dxir.tools.opt", ()),
    "dxir-translate": ("dxir.tools.translate", ()),
    "dxir-run": ("dxir.tools.run", ()),
    "dxir-reduce": ("dxir.tools.reduce", ()),
    "dxir-diff": ("dxir.tools.diff", ()),
    "dxir-verify": ("dxir.tools.verify", ()),
    "dxir": ("dxir.tools.main", ()),
    "stablehlo-opt": ("dxir.tools.opt", ("--flavour=stablehlo",)),
    "sdy-opt": ("dxir.tools.opt", ("--flavour=sdy",)),
    "mpmd-opt": ("dxir.tools.opt", ("--flavour=mpmd",)),
    "mlir-opt": ("dxir.tools.opt", ("--flavour=mlir",)),
    "stablehlo-translate": ("dxir.tools.translate", ()),
}
# What else they may call, looked for on PATH; `python` is the interpreter that runs the tests.
PROGRAMS = re.compile(
    "cat|cmp|cp|diff|echo|env|false|grep|head|ls|mkdir|printf|python|rm|sed|sort|tail|test|touch|tr"
    "|true|wc"
)

_SECONDS = 240
_SHOWN = 4000


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command left: exit code, and what it wrote."""

    code: int
    stdout: bytes = b""
    stderr: bytes = b""


Runner = Callable[[str, list[str], bytes, bool], Outcome]
"""Runs a tool by name with arguments and stdin; the flag: stderr goes where stdout goes."""


def as_executable(name: str, arguments: list[str], stdin: bytes, merged: bool) -> Outcome:
    """Run a tool as a user does: the console script beside this interpreter.

    A checkout that was installed before the script was declared gets `python -m`.
    """
    module, implied = TOOLS[name]
    tool = module.rpartition(".")[2]
    script = Path(sys.executable).with_name("dxir" if tool == "main" else f"dxir-{tool}")
    start = [str(script)] if script.exists() else [sys.executable, "-m", module]
    return _spawned([*start, *implied, *arguments], stdin, merged)


def _spawned(words: Sequence[str], stdin: bytes, merged: bool) -> Outcome:
    done = subprocess.run(
        words,
        input=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if merged else subprocess.PIPE,
        timeout=_SECONDS,
        check=False,
    )
    return Outcome(done.returncode, done.stdout, done.stderr or b"")


def in_process(name: str, arguments: list[str], stdin: bytes, merged: bool) -> Outcome:
    """Run a tool's `main` here. MLIR writes to the descriptors, so these go to files, too."""
    module, implied = TOOLS[name]
    main = _main_of(module)
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        given.write(stdin)
        given.seek(0)
        with _redirected(given, out, out if merged else err):
            code = _called(name, main, [*implied, *arguments])
        return Outcome(code, _read(out), _read(err))


def _called(name: str, main: Callable[[list[str]], int | None], arguments: list[str]) -> int:
    argv = sys.argv
    sys.argv = [name, *arguments]
    try:
        return int(main(arguments) or 0)
    except SystemExit as error:
        if isinstance(error.code, str):
            print(error.code, file=sys.stderr)
            return 1
        return int(error.code or 0)
    except Exception as error:
        text = "".join(traceback.format_exception(error))
        raise LitFailure(f"{name} let an exception escape", text=text) from error
    finally:
        sys.argv = argv


def _read(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()


@contextlib.contextmanager
def _redirected(given: IO[bytes], out: IO[bytes], err: IO[bytes]) -> Generator[None]:
    """Within, the process reads and writes these files: Python's streams and the descriptors."""
    standing = sys.stdin, sys.stdout, sys.stderr
    for stream in standing[1:]:
        stream.flush()
    kept = [os.dup(number) for number in range(3)]
    try:
        for number, file in enumerate((given, out, err)):
            os.dup2(file.fileno(), number)
        with (
            open(0, encoding="utf-8", closefd=False) as sys.stdin,
            open(1, "w", encoding="utf-8", closefd=False) as sys.stdout,
            open(2, "w", encoding="utf-8", closefd=False, buffering=1) as sys.stderr,
        ):
            yield
        ctypes.CDLL(None).fflush(None)
    finally:
        sys.stdin, sys.stdout, sys.stderr = standing
        for number, file_number in enumerate(kept):
            os.dup2(file_number, number)
            os.close(file_number)


def _main_of(module: str) -> Callable[[list[str]], int | None]:
    # A tool forks a child for its work unless MLIR is loaded; here it is to work in place.
    importlib.import_module("dxir.mlir")
    try:
        main: Callable[[list[str]], int | None] = importlib.import_module(module).main
    except (ImportError, AttributeError) as error:
        raise LitFailure(f"{module} has no `main` to run: {error}") from error
    return main


def run_script(script: Script, path: Path, scratch: Path, runner: Runner) -> None:
    """Run all RUN lines of a file in turn; LitFailure says which of them failed, and how."""
    if not script.runs:
        raise LitFailure("the file has no RUN line", f"{path}:1")
    start = os.getcwd()
    for run in script.runs:
        text = placed(run.text, path, scratch)
        try:
            _run_line(text, runner)
        except LitFailure as failure:
            failure.where = f"{path}:{run.line}"
            failure.command = failure.command or text
            raise
        finally:
            os.chdir(start)


def _run_line(text: str, runner: Runner) -> None:
    failed: LitFailure | None = None
    for join, pipe in parse_line(text):
        if (join == "&&" and failed) or (join == "||" and not failed):
            continue
        if join == ";" and failed:
            break
        failed = _run_pipe(pipe, runner)
    if failed is not None:
        raise failed


def _run_pipe(pipe: list[Command], runner: Runner) -> LitFailure | None:
    """Run the stages in turn, each to its end; the failure of the first one that failed."""
    stdin = b""
    failed: LitFailure | None = None
    for command in pipe:
        if not command.words:
            raise LitFailure("a command is missing")
        given = Path(command.stdin).read_bytes() if command.stdin else stdin
        outcome = _run_command(command.words, given, command.stderr == "&1", runner)
        stdin = _delivered(command, outcome)
        if outcome.code and failed is None:
            failed = _failure(command, outcome, given)
    return failed


def _failure(command: Command, outcome: Outcome, given: bytes) -> LitFailure:
    text = _shown(outcome.stderr) or _shown(outcome.stdout)
    if "FileCheck" in command.words[:2] and given:
        text += f"\n--- the input of FileCheck\n{_shown(given)}"
    what = f"exit code {outcome.code}"
    if outcome.code < 0:
        what = f"died of signal {-outcome.code}"
    return LitFailure(f"{command.words[0]}: {what}", "", " ".join(command.words), text)


def _shown(data: bytes) -> str:
    text = data.decode("utf-8", "replace")
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}\n... {len(text) - _SHOWN} more"


def _delivered(command: Command, outcome: Outcome) -> bytes:
    """Write what goes to files; gives what goes on through the pipe."""
    mode = "ab" if command.append else "wb"
    if command.stderr is not None and command.stderr not in ("&1", "|"):
        with open(command.stderr, mode) as file:
            file.write(outcome.stderr)
    if command.stdout is None:
        return outcome.stdout
    if command.stdout != "&2":
        with open(command.stdout, mode) as file:
            file.write(outcome.stdout)
    return outcome.stderr if command.stderr == "|" else b""


def _run_command(words: list[str], stdin: bytes, merged: bool, runner: Runner) -> Outcome:
    name, arguments = words[0], words[1:]
    if name in ("not", "!"):
        if arguments[:1] == ["--crash"]:
            raise LitFailure("no tool may crash: `not --crash` is not supported")
        inner = _run_command(arguments, stdin, merged, runner)
        crashed = inner.code < 0 or inner.code >= 128
        code = inner.code if crashed else int(inner.code == 0)
        return Outcome(code, inner.stdout, inner.stderr)
    if name == "FileCheck":
        code, said = file_check(arguments, stdin.decode("utf-8", "replace"))
        return Outcome(code, b"", said.encode())
    if name == "cd" and len(arguments) == 1:
        os.chdir(arguments[0])
        return Outcome(0)
    if name == "count":
        return _count(arguments, stdin)
    if name in TOOLS:
        return runner(name, arguments, stdin, merged)
    if not PROGRAMS.fullmatch(name):
        raise LitFailure(f"RUN lines cannot call {name!r}")
    first = sys.executable if name == "python" else name
    return _spawned([first, *arguments], stdin, merged)


def _count(arguments: list[str], stdin: bytes) -> Outcome:
    lines = stdin.count(b"\n") + (bool(stdin) and not stdin.endswith(b"\n"))
    if arguments == [str(lines)]:
        return Outcome(0)
    return Outcome(1, b"", f"{' '.join(arguments)} lines expected, {lines} found\n".encode())
