"""Finding the first pass of a pipeline after which a check command fails."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from dxir.errors import PassError
from dxir.mlir import IrOperation, ir
from dxir.pipeline.running import RunOptions, StepFailure, run_steps
from dxir.pipeline.steps import Step

PLACE = "{}"
"""What stands for the module's file in a check command."""


@dataclass(frozen=True, slots=True)
class Culprit:
    """The pass after which the check fails: its number, from 1, and the module given to it."""

    step: Step
    number: int
    before: str


class Check:
    """A command that says whether a module is good: exit code 0; anything else is bad."""

    def __init__(self, command: str) -> None:
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise PassError(
                f"--bisect: the command {command!r} is not well-formed: {error}"
            ) from None
        if not self._words:
            raise PassError(
                "--bisect: the command is empty",
                hint=f"give a command that exits with 0 on a good module: --bisect='check {PLACE}'",
            )
        self.runs = 0

    def is_good(self, path: Path, seconds: float | None = None) -> bool:
        """Whether the command accepts the module in a file; PassError when it takes too long."""
        words = [w.replace(PLACE, str(path)) for w in self._words]
        if words == self._words:
            words.append(str(path))
        self.runs += 1
        try:
            done = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            raise PassError(
                f"--bisect: {words[0]} cannot be run: {error.strerror or error}",
                hint="the first word is a program on PATH; for shell syntax write sh -c '...'",
            ) from None
        try:
            return done.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            raise PassError(
                f"--bisect: {words[0]} did not end in time",
                hint="--timeout gives it all more seconds",
            ) from None
        finally:
            if done.poll() is None:
                _end_all(done)


def _end_all(process: subprocess.Popen[bytes]) -> None:
    """End a process with those that it started."""
    with contextlib.suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


def bisect(
    module: ir.Module | IrOperation,
    steps: Sequence[Step],
    check: Check,
    options: RunOptions,
    folder: Path,
    before_step: Callable[[Step], None] | None = None,
    seconds_left: Callable[[], float | None] = lambda: None,
) -> Culprit | None:
    """The pass after which the check fails though it passes before; None when it never fails.

    Runs the steps on `module`, in place, keeps the module after each in `folder`, and halves the
    range until one pass is left. Raises PassError when the check fails on the input already, and
    StepFailure when a pass fails.
    """
    files = [_kept(module.operation, folder, 0)]
    if not check.is_good(files[0], seconds_left()):
        raise PassError(
            "--bisect: the check fails on the input, before any pass",
            hint="the command must exit with 0 on a good module; run it by hand on the input",
        )
    failed: StepFailure | None = None
    for number, step in enumerate(steps, 1):
        try:
            run_steps(module, [step], options, before_step=before_step)
        except StepFailure as error:
            failed = error
            break
        files.append(_kept(module.operation, folder, number))
    if check.is_good(files[-1], seconds_left()):
        if failed is not None:
            raise failed
        return None
    good, bad = 0, len(files) - 1
    while bad - good > 1:
        middle = (good + bad) // 2
        if check.is_good(files[middle], seconds_left()):
            good = middle
        else:
            bad = middle
    return Culprit(steps[bad - 1], bad, files[good].read_text("utf-8"))


def _kept(op: IrOperation, folder: Path, number: int) -> Path:
    text = op.get_asm(binary=True, enable_debug_info=True)
    assert isinstance(text, bytes)
    path = folder / f"{number}.mlir"
    path.write_bytes(text)
    return path
