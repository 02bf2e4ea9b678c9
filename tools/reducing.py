"""What dxir-reduce does: read a module, see that it is interesting, shrink it, tell how it went."""

from __future__ import annotations

import contextlib
import signal
import sys
import time
from collections.abc import Generator
from types import FrameType
from typing import NoReturn

from dxir.chunks import Chunk
from dxir.errors import DxirError, ParseError, ReductionError
from dxir.mlir import ir, make_context
from dxir.program import Program
from dxir.reduction import Progress, reduce
from dxir.reduction.commands import Command, Wanted, text_of
from dxir.reduction.comparing import Differs
from dxir.reduction.size import size_of
from dxir.tools.check_text import with_checks
from dxir.tools.contained import is_contained, stage
from dxir.tools.messages import reporting
from dxir.tools.reduce_arguments import ReduceArguments
from dxir.tools.shown_progress import Shown
from dxir.tools.sources import ReadFailed, read_input, read_module, reading_seconds, split_input
from dxir.tools.tool import tool_name
from dxir.whole_files import write_file

_DIALECTS = ("sdy", "mpmd", "interpreter")
_SLOWER = 10.0
_LEAST_S = 10.0


class _Stopped(BaseException):
    """The user ended the search by a signal."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def reduce_input(arguments: ReduceArguments) -> int:
    """Do what a command line asks for; gives the exit code."""
    data, name = read_input(arguments.input)
    program = _read(split_input(data, name, None)[0], arguments)
    if program is None:
        return 1
    left = "" if arguments.out == "-" else f"the smallest module so far is in {arguments.out}"
    stage(f"reducing {name}", None, left)
    with _Reducer(arguments, program) as reducer:
        return reducer.run()


def _read(chunk: Chunk, arguments: ReduceArguments) -> Program | None:
    """The program in a chunk; None when it has been reported what is wrong with it."""
    context = make_context(
        allow_unregistered=arguments.allow_unregistered_dialect, dialects=_DIALECTS
    )
    with reporting(context, chunk) as reporter:
        stage(f"reading {chunk.name}", reading_seconds(chunk))
        try:
            module = read_module(chunk, context)
            if not isinstance(module, ir.Module):
                raise ParseError("the input is no module", where=chunk.name)
            return Program(module).verify()
        except ReadFailed:
            return None
        except DxirError as error:
            if arguments.debug:
                raise
            reporter.report(error)
            return None


def _text(program: Program) -> bytes:
    return with_checks(text_of(program))


class _Reducer:
    def __init__(self, arguments: ReduceArguments, program: Program) -> None:
        self.arguments, self.program = arguments, program
        self.best = program
        self.before = size_of(program.module), len(_text(program))
        self.tried = 0
        self.finished = False
        self.started = time.monotonic()
        self.shown = Shown(tool_name(), quiet=arguments.quiet)
        self.judge: Command | Differs

    def __enter__(self) -> _Reducer:
        arguments = self.arguments
        if arguments.compare:
            self.judge = Differs(
                arguments.compare,
                seed=arguments.seed,
                tolerance=arguments.rtol,
                seconds=arguments.timeout,
            )
        else:
            wanted = Wanted(
                arguments.exit_code,
                None,
                arguments.stderr_matches,
                arguments.timeout_is_failure,
                arguments.wants_zero,
            )
            seconds = arguments.timeout
            if arguments.timeout_is_failure and seconds is None:
                seconds = _LEAST_S
            self.judge = Command(arguments.command, wanted, seconds, _text)
        return self

    def __exit__(self, *_: object) -> None:
        self.judge.close()
        self.shown.close()

    def run(self) -> int:
        """Shrink the program; gives the exit code."""
        code = 0
        try:
            with _stoppable():
                self._look_at_original()
                self._keep()
                reduce(
                    self.program,
                    self.judge,
                    jobs=self.arguments.jobs,
                    seconds=self._seconds_left(),
                    on_progress=self._take,
                    is_known=True,
                )
        except _Stopped as stopped:
            code = 128 + stopped.number
        self.shown.close()
        self._keep(at_end=True)
        if not self.arguments.quiet:
            self._tell(code)
        return code

    def _seconds_left(self) -> float | None:
        limit = self.arguments.time_limit
        return None if limit is None else limit - (time.monotonic() - self.started)

    def _look_at_original(self) -> None:
        """See that the program is interesting, and how; ReductionError otherwise."""
        self.shown.say("trying the original")
        start = time.monotonic()
        if isinstance(self.judge, Differs):
            verdict = self.judge.verdict(self.program)
            is_interesting, told = verdict.differs, verdict.told
            told = f"{' and '.join(self.arguments.compare)} do not differ on the module: {told}"
            hint = "another --seed makes other arguments, a smaller --rtol is stricter"
            if verdict.refused:
                hint = "backends that do not run a module have nothing to differ in"
        else:
            ending = self.judge.run(self.program)
            is_interesting = self.judge.wanted.fits(ending)
            wanted = self.judge.wanted
            told = (
                f"the module is not interesting: {self.judge.words[0]} {ending}; wanted is {wanted}"
            )
            hint = "run the command by hand on the file; the module is given to it as text"
            self.judge.wanted = self.judge.wanted.like(ending)
        if not is_interesting:
            raise ReductionError(told, where=self.arguments.input, hint=hint)
        if self.judge.seconds is None:
            self.judge.seconds = max(_LEAST_S, _SLOWER * (time.monotonic() - start))

    def _take(self, progress: Progress) -> None:
        self.tried, self.finished = progress.tried, progress.finished
        if progress.is_better:
            self.best = progress.best
            self._keep()
        self.shown.progress(progress)

    def _keep(self, *, at_end: bool = False) -> None:
        """Write the best program so far."""
        data, path = _text(self.best), self.arguments.out
        if path == "-":
            if at_end:
                sys.stdout.buffer.write(data)
                sys.stdout.buffer.flush()
            return
        try:
            write_file(path, data)
        except OSError as error:
            raise DxirError(
                f"the output cannot be written: {error.strerror or error}", where=path
            ) from None

    def _tell(self, code: int) -> None:
        size, data = self.before
        now, shorter = size_of(self.best.module), len(_text(self.best))
        seconds = time.monotonic() - self.started
        print(
            f"{tool_name()}: ops {size.all_ops} -> {now.all_ops}, functions {size.functions} -> "
            f"{now.functions}, bytes {data} -> {shorter}; tried {self.tried} in {seconds:.1f} s",
            file=sys.stderr,
        )
        if not self.finished:
            why = "--time-limit" if not code else "a signal"
            print(
                f"{tool_name()}: note: {why} ended the search; run it on the result to go on",
                file=sys.stderr,
            )


@contextlib.contextmanager
def _stoppable() -> Generator[None]:
    """Within, the signals that ask for an end raise `_Stopped`, once."""
    if not is_contained():  # called from a program that has signals of its own
        yield
        return
    asked = (signal.SIGINT, signal.SIGTERM)

    def stop(number: int, _: FrameType | None) -> NoReturn:
        for other in asked:
            signal.signal(other, signal.SIG_IGN)
        raise _Stopped(number)

    for number in asked:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in asked:
            signal.signal(number, signal.SIG_IGN)  # what is left to do is short
