"""What dxir-opt does with its input, chunk by chunk: read, transform, write."""

from __future__ import annotations

import math
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from dxir.chunks import Chunk
from dxir.diagnostics import Diagnostic
from dxir.errors import DxirError, ParseError
from dxir.mlir import DIALECTS, IrOperation, ir, known_dialects, make_context
from dxir.pipeline.base import MODULE
from dxir.pipeline.budget import Limits
from dxir.pipeline.guards import refuse
from dxir.pipeline.running import IrPrinting, Record, RunOptions, StepFailure, run_steps
from dxir.pipeline.steps import Step, is_pass, pass_names, resolve, steps_text
from dxir.resources import ELIDED, missing_error, missing_resources
from dxir.tools.arguments import OptArguments, unknown_argument
from dxir.tools.bisect import Check, bisect
from dxir.tools.check_text import with_checks
from dxir.tools.contained import stage
from dxir.tools.diagnostics_file import kept_diagnostics
from dxir.tools.expectations import Expectations
from dxir.tools.messages import Filter, Message, Reporter, reporting
from dxir.tools.output import Output, asm_text, bytecode, check_roundtrip
from dxir.tools.reports import statistics_report, timing_report
from dxir.tools.reproducer import (
    read_reproducer,
    reproducer_text,
    without_reproducer,
    write_reproducer,
)
from dxir.tools.sources import ReadFailed, read_input, read_module, reading_seconds, split_input
from dxir.tools.tool import import_module

_GRACE_S = 1.0
_PRINTING_FACTOR = 4

DIALECTS_OF = {
    "dxir": ("sdy", "mpmd", "interpreter"),
    "stablehlo": ("interpreter",),
    "sdy": ("sdy",),
    "mpmd": ("sdy", "mpmd"),
    "interpreter": ("sdy", "interpreter"),
    "mlir": (),
}
"""The dialects beyond the common ones that each flavour of the tool knows."""


def process(arguments: OptArguments, tool: str, flavour: str) -> int:
    """Do what a command line asks for; gives the exit code."""
    for module in arguments.imports:
        import_module(module)
    if arguments.list_passes:
        from dxir.tools.list_passes import print_passes

        return print_passes()
    if arguments.show_dialects:
        context = _context(arguments, flavour)
        print("Available Dialects: " + ",".join(known_dialects(context)))
        return 0
    with kept_diagnostics(arguments.diagnostics_json) as kept:
        return _Processor(arguments, tool, flavour, kept).run()


def _make_folder(path: str) -> None:
    # MLIR makes but the last part of the path, and goes on without the files.
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise DxirError(
            f"--mlir-print-ir-tree-dir: the folder cannot be made: {error.strerror or error}",
            where=path,
        ) from None


def _context(arguments: OptArguments, flavour: str) -> ir.Context:
    return make_context(
        allow_unregistered=arguments.allow_unregistered_dialect, dialects=DIALECTS_OF[flavour]
    )


class _Processor:
    def __init__(
        self, arguments: OptArguments, tool: str, flavour: str, kept: list[Message]
    ) -> None:
        self.arguments, self.tool, self.flavour, self.kept = arguments, tool, flavour, kept
        self.expected: Expectations | None = None
        self.steps: tuple[Step, ...] | None = None
        self.spare: ir.Context | None = None  # the one that passes were looked up in
        self.text = ""
        self.verify_each = arguments.verify_each
        self.end = None if arguments.timeout is None else time.monotonic() + arguments.timeout

    def run(self) -> int:
        arguments = self.arguments
        if arguments.print_ir_tree_dir is not None:
            _make_folder(arguments.print_ir_tree_dir)
        data, name = read_input(arguments.input)
        self.text = self._pipeline_text(data, name)
        if arguments.run_reproducer:
            data = without_reproducer(data.decode("utf-8", "surrogateescape")).encode(
                "utf-8", "surrogateescape"
            )
        self.spare = _context(arguments, self.flavour)
        steps = self._resolved(self.text, self.spare, MODULE)
        if not arguments.no_implicit_module:
            self.steps = steps
        if arguments.dump_pass_pipeline:
            print(f"Pass Manager with {len(steps)} passes:\n{steps_text(steps)}\n", file=sys.stderr)
        if arguments.verify_diagnostics is not None:
            self.expected = Expectations(data, name, arguments.verify_diagnostics)
        output = Output(arguments.output, binary=arguments.emit_bytecode)
        results = []
        for number, chunk in enumerate(split_input(data, name, arguments.split_input_file)):
            if number and not arguments.emit_bytecode:
                output.write(arguments.output_split_marker.encode() + b"\n")
            results.append(self._chunk(chunk, output))
        good = all(results) and (self.expected is None or self.expected.finish())
        if good:
            output.keep()
        return 0 if good else 1

    def _pipeline_text(self, data: bytes, name: str) -> str:
        arguments = self.arguments
        if arguments.run_reproducer:
            found = read_reproducer(data.decode("utf-8", "replace"), name)
            self.verify_each = found.verify_each and arguments.verify_each
            return found.pipeline
        if arguments.pass_pipeline is not None:
            return arguments.pass_pipeline
        return ",".join(f"{n}{{{o}}}" if o else n for n, o in arguments.passes)

    def _resolved(self, text: str, context: ir.Context, root: str) -> tuple[Step, ...]:
        for name, _ in self.arguments.passes:
            if not is_pass(name, context):
                raise unknown_argument(name, pass_names, self.tool)
        return resolve(text, context, root)

    def _chunk(self, chunk: Chunk, output: Output) -> bool:
        """Process one chunk; whether it went as it should."""
        context, self.spare = self.spare or _context(self.arguments, self.flavour), None
        quiet, only = self.expected is not None, _filter(self.arguments)
        with reporting(context, chunk, quiet=quiet, only=only) as reporter:
            try:
                written = self._transformed(chunk, context, reporter)
            finally:
                self.kept += reporter.messages
        if written is not None:
            self._stage("writing the output")
            output.write(written)
        if self.expected is None:
            return written is not None
        self.expected.check(reporter.messages)
        return True

    def _transformed(self, chunk: Chunk, context: ir.Context, reporter: Reporter) -> bytes | None:
        """What to write of a chunk; None when it failed, which has been reported."""
        start = time.perf_counter()
        self._stage(f"reading {chunk.name}", reading_seconds(chunk))
        try:
            module = read_module(
                chunk, context, no_implicit_module=self.arguments.no_implicit_module
            )
        except ReadFailed:
            if not reporter.messages:
                reporter.report(ParseError("the input is damaged: it cannot be read"))
            self._tell_left_out(reporter)
            return None
        except DxirError as error:
            reporter.report(error)
            return None
        self._tell_missing_data(module, chunk, reporter)
        parsed = time.perf_counter()
        steps = self.steps
        if steps is None:
            steps = self._resolved(self.text, context, module.operation.name)
        if self.arguments.bisect is not None:
            if not steps:
                raise DxirError("--bisect: there are no passes to look for the wrong one among")
            return self._bisected(module, steps, Check(self.arguments.bisect), chunk, reporter)
        records = self._run(module, steps, chunk, reporter)
        if records is None:
            return None
        # Types can be exponentially longer in print than in memory.
        self._stage(f"printing {chunk.name}", _PRINTING_FACTOR * reading_seconds(chunk))
        ran = time.perf_counter()
        written = self._written(module.operation, reporter)
        if self.arguments.timing:
            now = time.perf_counter()
            report = timing_report(
                records,
                parsing=parsed - start,
                output=now - ran,
                total=now - start,
                as_list=self.arguments.timing_display == "list",
            )
            print(report, file=sys.stderr, end="")
        return written

    def _tell_left_out(self, reporter: Reporter) -> None:
        """Say so where a dialect is not known for want of another flavour."""
        for name in set(DIALECTS) - set(DIALECTS_OF[self.flavour]):
            missing = (f"Dialect `{name}' not found", f'#"{name}"<', f'!"{name}"<')
            said = any(m.message.startswith(missing) for m in reporter.messages)
            if said and self.expected is None:
                print(
                    f"{self.tool}: note: the flavour {self.flavour} leaves out {name}; "
                    "--flavour=dxir knows it",
                    file=sys.stderr,
                )

    def _tell_missing_data(
        self, module: ir.Module | IrOperation, chunk: Chunk, reporter: Reporter
    ) -> None:
        """Warn of constants whose data is gone: passes and printing do without, nothing else does.

        Tests of passes have them on purpose, and expect no warning.
        """
        if (
            self.expected is None
            and ELIDED.encode() in chunk.data
            and isinstance(module, ir.Module)
        ):
            for missing in missing_resources(module):
                error = missing_error(missing, DxirError, "run the program")
                reporter.report(
                    Diagnostic("warning", error.message, error.where, code="CONSTANT_WITHOUT_DATA")
                )

    def _written(self, op: IrOperation, reporter: Reporter) -> bytes | None:
        arguments = self.arguments
        if arguments.verify_roundtrip:
            try:
                check_roundtrip(op, lambda: _context(arguments, self.flavour))
            except DxirError as error:
                reporter.report(error)
                return None
        if arguments.emit_bytecode:
            return bytecode(op, arguments.emit_bytecode_version)
        return with_checks(asm_text(op, arguments)) + b"\n"

    def _stage(self, doing: str, seconds: float | None = None, left: str = "") -> None:
        if self.end is not None:
            seconds = min(seconds or math.inf, max(self.end - time.monotonic(), 0.001))
        stage(doing, seconds, left)

    def _run(
        self,
        module: ir.Module | IrOperation,
        steps: Sequence[Step],
        chunk: Chunk,
        reporter: Reporter,
    ) -> list[Record] | None:
        """Run the passes; None when one failed."""
        op = module.operation
        arguments = self.arguments
        self._reproducers(op, steps)
        try:
            records = run_steps(
                module,
                steps,
                self._options(),
                reporter.report,
                lambda step: self._before(step, module, chunk, reporter),
            )
        except StepFailure as failure:
            self._tell(failure, reporter)
            return None
        reporter.running = None
        if arguments.crash_reproducer is not None and os.path.isfile(arguments.crash_reproducer):
            Path(arguments.crash_reproducer).unlink(missing_ok=True)
        if arguments.pass_statistics:
            as_list = arguments.pass_statistics_display == "list"
            print(statistics_report(records, as_list=as_list), file=sys.stderr, end="")
        return records

    def _reproducers(self, op: IrOperation, steps: Sequence[Step]) -> None:
        arguments = self.arguments
        for path in (arguments.crash_reproducer, arguments.generate_reproducer):
            # Written before anything can go wrong: nothing is left to write it after a crash.
            if path is not None:
                write_reproducer(path, op, steps, self.verify_each)

    def _before(
        self, step: Step, module: ir.Module | IrOperation, chunk: Chunk, reporter: Reporter
    ) -> None:
        arguments = self.arguments
        if arguments.print_ir_tree_dir is None:  # all are announced before the first runs
            reporter.running = step.name
        path, limit = arguments.crash_reproducer, (arguments.pass_budget or Limits()).seconds
        left = [f"what led to it is in `{path}`, for --run-reproducer"] if path else []
        if limit is not None:
            left.append(f"--pass-budget gives each pass {limit:g} s")
        # A pass that looks at its budget says more, if it is given a moment.
        seconds = None if limit is None else limit + _GRACE_S
        self._stage(f"the pass {step.name} on {chunk.name}", seconds, "; ".join(left))
        if isinstance(module, ir.Module):
            refuse(step, module)
        if arguments.crash_reproducer is not None and arguments.local_reproducer:
            write_reproducer(arguments.crash_reproducer, module.operation, [step], self.verify_each)

    def _options(self) -> RunOptions:
        arguments = self.arguments
        return RunOptions(
            verify_each=self.verify_each,
            statistics=arguments.pass_statistics,
            printing=_printing(arguments),
            limits=arguments.pass_budget or Limits(),
        )

    def _tell(self, failure: StepFailure, reporter: Reporter) -> None:
        if failure.error is not None:
            reporter.report(failure.error)
            if self.arguments.debug and failure.error.__cause__ is not None:
                raise failure.error
        if self.expected is not None:
            return
        path = self.arguments.crash_reproducer
        kept = f": reproducer generated at `{path}`" if path is not None else ""
        print(f"{self.tool}: error: the pass {failure.step.name} failed{kept}", file=sys.stderr)

    def _seconds_for_check(self) -> float | None:
        if self.end is None:
            stage("the check command")
            return None
        left = max(self.end - time.monotonic(), 0.001)
        stage("the check command", left + _GRACE_S)
        return left

    def _bisected(
        self,
        module: ir.Module | IrOperation,
        steps: Sequence[Step],
        check: Check,
        chunk: Chunk,
        reporter: Reporter,
    ) -> bytes | None:
        """The module before the pass after which the check fails, as a reproducer of that pass."""
        options = RunOptions(verify_each=self.verify_each)
        with tempfile.TemporaryDirectory(prefix="dxir-bisect-") as folder:
            try:
                found = bisect(
                    module,
                    steps,
                    check,
                    options,
                    Path(folder),
                    lambda step: self._before(step, module, chunk, reporter),
                    self._seconds_for_check,
                )
            except StepFailure as failure:
                self._tell(failure, reporter)
                return None
        said = f"{self.tool}: bisect: the check passes"
        if found is None:
            print(f"{said} after each of the {len(steps)} passes", file=sys.stderr)
            return b""
        print(
            f"{said} before and fails after pass {found.number} of {len(steps)}: {found.step}\n"
            f"{self.tool}: bisect: {check.runs} runs of the command; the output is the module "
            "before that pass, for --run-reproducer",
            file=sys.stderr,
        )
        pipeline = steps_text([found.step], module.operation.name)
        return reproducer_text(found.before, pipeline, verify_each=self.verify_each).encode()


def _filter(arguments: OptArguments) -> Filter:
    return Filter(
        arguments.diagnostic_verbosity_level.removesuffix("s"),
        notes=not arguments.disable_diagnostic_notes,
        ops=arguments.print_op_on_diagnostic,
    )


def _printing(arguments: OptArguments) -> IrPrinting | None:
    printing = IrPrinting(
        before=frozenset(arguments.print_ir_before),
        after=frozenset(arguments.print_ir_after),
        before_all=arguments.print_ir_before_all,
        after_all=arguments.print_ir_after_all,
        after_change=arguments.print_ir_after_change,
        after_failure=arguments.print_ir_after_failure,
        module_scope=arguments.print_ir_module_scope,
        debug_info=arguments.print_debuginfo,
        generic=arguments.print_op_generic,
        elements_limit=arguments.elide_elementsattrs_if_larger,
        resource_limit=arguments.elide_resource_strings_if_larger,
        tree_dir=arguments.print_ir_tree_dir,
    )
    return None if printing == IrPrinting() else printing
