"""What dxir-run does with its input, chunk by chunk: read, compile, run, tell."""

from __future__ import annotations

import json
import math
import re
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from dxir.chunks import Chunk
from dxir.diagnostics import where_of
from dxir.editing import with_main
from dxir.errors import DxirError, EvaluationError, ParseError, TargetError
from dxir.mlir import clone_module, ir, make_context
from dxir.program import Program
from dxir.reading import function_name, functions, has_body
from dxir.runtime.backends import refuse_unknown
from dxir.runtime.checks import CheckResult, carries_checks, entries, run_checks
from dxir.runtime.interpreter.preparing import make_main
from dxir.targets.options import CompileOptions
from dxir.tools.contained import stage
from dxir.tools.messages import Reporter, reporting
from dxir.tools.progress import progress
from dxir.tools.run_arguments import RunArguments
from dxir.tools.run_backends import Ran, ran
from dxir.tools.run_inputs import arguments_for
from dxir.tools.run_outputs import result_names, text_of, type_text, write_results
from dxir.tools.run_reports import check_json, print_checks, print_times
from dxir.tools.sources import ReadFailed, read_input, read_module, reading_seconds, split_input
from dxir.tools.tool import failed, import_module, noting_warnings, tool_name
from dxir.verify.golden import write_golden
from dxir.wording import counted

_DIALECTS = ("sdy", "mpmd", "interpreter")
_CHECKS_S = 120.0
_GRACE_S = 5.0
_CRASH = (
    "this is a fault of native code, whose last words, if any, are above; "
    "dxir-reduce makes a small module of it that still does so"
)

_DEVICES = re.compile(r"\bdevices=(?=\d)")

Told = dict[str, Any]


def run_input(arguments: RunArguments) -> int:
    """Do what a command line asks for; gives the exit code."""
    for module in arguments.imports:
        import_module(module)
    for name in arguments.compare or (arguments.backend,):
        refuse_unknown(name)
    data, name = read_input(arguments.input)
    chunks = split_input(data, name, arguments.split_input_file)
    told: list[Told] = []
    codes: list[int] = []
    for number, chunk in enumerate(chunks):
        out = arguments.out
        if out is not None and len(chunks) > 1:
            out = f"{out}/part{number}"
        run = _Run(arguments, chunk, out)
        codes.append(run.run())
        told.append(run.told)
    if arguments.as_json:
        print(json.dumps(told if arguments.split_input_file else told[0], indent=2))
    return next(filter(None, codes), 0)


class _Run:
    """One chunk; `told` is what is said of it as JSON."""

    def __init__(self, arguments: RunArguments, chunk: Chunk, out: str | None) -> None:
        self.arguments, self.chunk, self.out = arguments, chunk, out
        self.told: Told = {"input": chunk.name}
        self.end = math.inf
        if arguments.timeout is not None:
            self.end = time.monotonic() + arguments.timeout

    def run(self) -> int:
        """Do what is asked for; gives the exit code."""
        context = make_context(
            allow_unregistered=self.arguments.allow_unregistered_dialect, dialects=_DIALECTS
        )
        with reporting(context, self.chunk) as reporter:
            try:
                program = self._read(context, reporter)
                return 1 if program is None else self._done(program, reporter)
            except DxirError as error:
                if self.arguments.debug:
                    raise
                self._tell(error, reporter)
                return 1

    def _tell(self, error: DxirError, reporter: Reporter) -> None:
        self.told["error"] = {
            "message": error.message, "where": error.where, "hint": error.hint, "code": error.code
        }  # fmt: skip
        if error.where is not None and error.where.startswith(f"{self.chunk.name}:"):
            reporter.report(error)
        else:
            failed(tool_name(), error)

    def _note(self, text: str) -> None:
        self.told.setdefault("notes", []).append(text)
        if not self.arguments.quiet:
            print(f"{tool_name()}: note: {text}", file=sys.stderr)

    def _note_devices(self, text: str) -> None:
        self._note(_DEVICES.sub("--devices=", text))

    def _read(self, context: ir.Context, reporter: Reporter) -> Program | None:
        """The program, with what is to run as its `main`; None when MLIR has said what is wrong."""
        stage(f"reading {self.chunk.name}", reading_seconds(self.chunk))
        try:
            module = read_module(self.chunk, context)
        except ReadFailed:
            if not reporter.messages:
                raise ParseError("the input is damaged: it cannot be read") from None
            self.told["error"] = {"message": reporter.messages[0].message}
            return None
        finally:
            stage(f"preparing {self.chunk.name}")
        if not isinstance(module, ir.Module):
            raise ParseError("the input is no module", where=self.chunk.name)
        return Program(_with_entry(module, self.arguments.function))

    def _done(self, program: Program, reporter: Reporter) -> int:
        arguments = self.arguments
        if carries_checks(program):
            backends = arguments.compare or (arguments.backend,)
            return max([self._checked(program, backend, reporter) for backend in backends])
        _refuse_no_main(program)
        given = arguments_for(
            program, arguments.args, arguments.files, arguments.random, self._note
        )
        if arguments.compare:
            return self._compared(program, given)
        done = ran(
            program,
            given,
            arguments.backend,
            self._options(),
            repeat=arguments.repeat,
            timeout=arguments.timeout,
            doing=partial(self._doing, backend=arguments.backend),
        )
        if arguments.golden is not None:
            write_golden(arguments.golden, given, done.results)
            if not arguments.quiet:
                counts = f"arrays of {len(given)} arguments and {len(done.results)} results"
                print(f"golden: {counts} in {arguments.golden}")
        return self._written(program, done, reporter)

    def _options(self) -> CompileOptions:
        arguments = self.arguments
        return CompileOptions(
            devices=arguments.devices, flags=arguments.compiler_flags(), cache=arguments.cache
        )

    @contextmanager
    def _doing(self, what: str, backend: str) -> Generator[None]:
        """Within, something long is done, which is told when it takes its time."""
        seconds, hint = None, _CRASH
        if self.end < math.inf:
            seconds = max(self.end - time.monotonic(), 0.001)
            hint = f"--timeout={self.arguments.timeout:g} is all it has: give it more"
            if backend == "interpreter":
                seconds += _GRACE_S  # which says itself where it ran out of time
        stage(f"{what} {self.chunk.name} ({backend})", seconds, hint)
        quiet = self.arguments.quiet
        with progress(f"{what} for {backend}", quiet=quiet), noting_warnings(self._note_devices):
            yield
        stage(f"telling the results of {self.chunk.name}")

    def _written(self, program: Program, done: Ran, reporter: Reporter) -> int:
        arguments = self.arguments
        print(done.printed, end="")
        for failure in done.failures:
            reporter.report(failure)
        names = result_names(program, len(done.results))
        rows = [{"name": n, "type": type_text(r)} for n, r in zip(names, done.results, strict=True)]
        if self.out is not None:
            files = write_results(self.out, arguments.form, names, done.results)
            for row, file in zip(rows, files, strict=True):
                row["file"] = file
                if not arguments.as_json and not arguments.quiet:
                    print(f"{row['name']}: {row['type']} in {file}")
        elif not arguments.as_json:
            print(text_of(done.results, full=arguments.full), end="")
        self.told |= {"backend": arguments.backend, "results": rows}
        if arguments.time:
            self.told["seconds"] = done.times.as_dict()
            if not arguments.as_json:
                sys.stdout.flush()
                print_times(arguments.backend, done.times)
        return 1 if done.failures else 0

    def _checked(self, program: Program, backend: str, reporter: Reporter) -> int:
        """Run the checks that a program carries; where there are several backends, go on."""
        try:
            return self._told_checks(self._results_of_checks(program, backend), backend)
        except DxirError as error:
            if not self.arguments.compare or self.arguments.debug:
                raise
            self._tell(error, reporter)
            return 1

    def _results_of_checks(self, program: Program, backend: str) -> list[CheckResult]:
        arguments = self.arguments
        names = entries(program)
        given: Sequence[Any] = ()
        if names == ("main",):
            given = arguments_for(
                program, arguments.args, arguments.files, arguments.random, self._note
            )
        elif arguments.gives_arguments:
            raise EvaluationError(
                "the functions that check something here take no arguments",
                hint="--function names the one to run",
            )
        with self._doing("running the checks of", backend):
            return run_checks(
                program,
                backend,
                self._options(),
                arguments=given,
                timeout_s=arguments.timeout or _CHECKS_S,
            )

    def _told_checks(self, checks: Sequence[CheckResult], backend: str) -> int:
        arguments = self.arguments
        wrong = [check for check in checks if not check.holds]
        told = {"backend": backend, "checks": [check_json(check) for check in checks]}
        if arguments.compare:
            self.told.setdefault("backends", []).append(told)
        else:
            self.told |= told
        count = counted(len(checks), "check")
        prefix = f"{backend}: " if arguments.compare else ""
        if not arguments.as_json:
            if wrong or (arguments.verbose and checks):
                if prefix:
                    print(f"{backend}:")
                print_checks(checks if arguments.verbose else wrong)
            elif not arguments.quiet:
                print(f"{prefix}{count} hold{'s' * (len(checks) == 1)}")
        if not wrong:
            return 0
        sys.stdout.flush()
        verb = "does" if len(wrong) == 1 else "do"
        print(
            f"{tool_name()}: error: {prefix}{len(wrong)} of {count} {verb} not hold",
            file=sys.stderr,
        )
        return 1

    def _compared(self, program: Program, given: Sequence[Any]) -> int:
        from dxir.tools.run_comparing import compared

        arguments = self.arguments
        with self._doing("comparing", ", ".join(arguments.compare)):
            found = compared(program, given, arguments, self._options())
        self.told["comparison"] = found.to_json()
        if not arguments.as_json:
            print(found)
        return found.exit_code


def _with_entry(module: ir.Module, name: str | None) -> ir.Module:
    """The module, or a copy in which the function of that name is `main`.

    Without a name that is the only public function, where there is no `main`.
    """
    if name is None:
        return with_main(module)
    name = name.removeprefix("@")
    known = {function_name(f): f for f in functions(module)}
    if name not in known or not has_body(known[name]):
        problem = "is only declared" if name in known else "is not there"
        defined = ", ".join(f"@{n}" for n, f in known.items() if has_body(f))
        raise TargetError(
            f"--function: @{name} {problem}",
            where=where_of(known[name].location) if name in known else None,
            hint=f"there are {defined}" if defined else "the module has no functions",
        )
    if name == "main":
        return module
    copy = clone_module(module)
    make_main(copy, next(f for f in functions(copy) if function_name(f) == name))
    return copy


def _refuse_no_main(program: Program) -> None:
    known = {function_name(f): f for f in functions(program.module)}
    if "main" in known and has_body(known["main"]):
        return
    if not known:
        raise TargetError(
            "the module has no function to run",
            hint="an empty text is a module without any: see whether what was to write it did",
        )
    raise TargetError(
        "the module has no @main to run",
        hint=f"--function says which to run: {', '.join(f'@{n}' for n in known)}",
    )
