"""Running steps in MLIR's pass manager, and what is looked at between them."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from dxir.diagnostics import Diagnostic
from dxir.errors import DxirError, PassError
from dxir.mlir import IrOperation, ir, passmanager
from dxir.pipeline.base import MODULE, Pass
from dxir.pipeline.budget import Budget, Limits
from dxir.pipeline.steps import Step, is_pass, near_pass, steps_text


@dataclass(frozen=True, slots=True)
class IrPrinting:
    """What of the module is printed to stderr between passes, in MLIR's form.

    `before`, `after`: the names of the passes to print around. `tree_dir`: print to files in this
    folder instead.
    """

    before: frozenset[str] = frozenset()
    after: frozenset[str] = frozenset()
    before_all: bool = False
    after_all: bool = False
    after_change: bool = False
    after_failure: bool = False
    module_scope: bool = False
    debug_info: bool = False
    generic: bool = False
    elements_limit: int | None = None
    resource_limit: int | None = None
    tree_dir: str | None = None

    def attach(self, manager: passmanager.PassManager, name: str | None) -> None:
        """Have `manager`, which runs the pass `name` alone (None: all passes), print."""
        before = self.before_all or name in self.before
        after = self.after_all or name in self.after
        if before or after or self.after_failure:
            manager.enable_ir_printing(
                print_before_all=before,
                print_after_all=after or self.after_failure,
                print_module_scope=self.module_scope,
                print_after_change=self.after_change,
                print_after_failure=self.after_failure,
                large_elements_limit=self.elements_limit,
                large_resource_limit=self.resource_limit,
                enable_debug_info=self.debug_info,
                print_generic_op_form=self.generic,
                tree_printing_dir_path=self.tree_dir,
            )


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How steps are run.

    `statistics` counts ops before and after each step. `on_record` is given the record of each step
    that went well.
    """

    verify_each: bool = True
    statistics: bool = False
    printing: IrPrinting | None = None
    limits: Limits = field(default_factory=Limits)
    on_record: Callable[[Record], None] | None = None


@dataclass(slots=True)
class Record:
    """What one step did: wall time, numbers of its own, ops before and after where counted."""

    step: Step
    seconds: float = 0.0
    changed: bool | None = None
    statistics: dict[str, int] = field(default_factory=dict)
    ops_before: int | None = None
    ops_after: int | None = None


class StepFailure(Exception):
    """A step failed. `error` is what one of our passes raised; MLIR has reported anything else."""

    def __init__(self, step: Step, error: DxirError | None = None) -> None:
        super().__init__(f"{step.name} failed")
        self.step = step
        self.error = error


def run_steps(
    module: ir.Module | IrOperation,
    steps: Sequence[Step],
    options: RunOptions | None = None,
    sink: Callable[[Diagnostic], None] | None = None,
    before_step: Callable[[Step], None] | None = None,
) -> list[Record]:
    """Run the steps on a module, in place; `sink` takes what our passes report.

    `before_step` is called before each step, and refuses it by a DxirError. MLIR's own diagnostics
    go to the handlers of the context. Raises StepFailure; the module is then what the failing pass
    left, which may be invalid.
    """
    options = options or RunOptions()
    runner = _Runner(module, options, sink, before_step)
    if options.printing is not None:
        _check_names(options.printing, module.context)
        # One manager for all numbers the files of a tree as MLIR does.
        if options.printing.tree_dir is not None:
            return runner.together(steps)
    return [runner.alone(step) for step in steps]


def _check_names(printing: IrPrinting, context: ir.Context) -> None:
    for name in sorted(printing.before | printing.after):
        if not is_pass(name, context):
            raise PassError(
                f"there is no pass called {name!r} to print before or after", hint=near_pass(name)
            )


class _Runner:
    def __init__(
        self,
        module: ir.Module | IrOperation,
        options: RunOptions,
        sink: Callable[[Diagnostic], None] | None,
        before_step: Callable[[Step], None] | None,
    ) -> None:
        self.module = module
        self.root: IrOperation = module.operation
        self.context = module.context
        self.options = options
        self.sink = sink
        self.before_step = before_step
        self.counts_ops = options.statistics or options.limits.growth is not None

    def alone(self, step: Step) -> Record:
        """Run one step in a manager of its own."""
        record = Record(step)
        self._announce(step)
        if self.counts_ops:
            record.ops_before = count_ops(self.root)
        start = time.perf_counter()
        if step.pass_ is None:
            self._run(self._manager(step, str(step)), self.root, step)
        else:
            self._own(step, step.pass_, record)
        record.seconds = time.perf_counter() - start
        self._check(step, lambda budget: budget.check_took(record.seconds))
        if self.counts_ops:
            record.ops_after = count_ops(self.root)
            assert record.ops_before is not None
            before, after = record.ops_before, record.ops_after
            self._check(step, lambda budget: budget.check_growth(before, after))
        if self.options.on_record is not None:
            self.options.on_record(record)
        return record

    def _announce(self, step: Step) -> None:
        if self.before_step is not None:
            try:
                self.before_step(step)
            except DxirError as error:
                raise StepFailure(step, error) from error.__cause__

    def _check(self, step: Step, check: Callable[[Budget], None]) -> None:
        budget = step.pass_.budget if step.pass_ else Budget(step.name, self.options.limits)
        try:
            check(budget)
        except PassError as error:
            raise StepFailure(step, error) from None

    def _own(self, step: Step, pass_: Pass, record: Record) -> None:
        self._prepare(pass_)
        for op in list(ops_at(self.root, step.path)):
            manager = self._manager(step, f"{step.anchor}()")
            failed = self._add(manager, step, [self._argument(op, step)], record)
            self._run(manager, op, step, failed)
        record.statistics = dict(pass_.statistics)

    def _argument(self, op: IrOperation, step: Step) -> Any:
        return self.module if step.anchor == MODULE and op is self.root else op

    def _prepare(self, pass_: Pass) -> None:
        pass_.budget = Budget(pass_.name, self.options.limits)
        pass_.statistics = {}
        if self.sink is not None:
            pass_.sink = self.sink

    def _add(
        self,
        manager: passmanager.PassManager,
        step: Step,
        arguments: Sequence[Any] | None,
        record: Record,
    ) -> list[DxirError]:
        """Add one of our passes to a manager; what it raises is put in the list given back.

        It runs on the arguments; without them on the ops at the step's path, wherever that leads.
        """
        pass_ = step.pass_
        assert pass_ is not None
        failed: list[DxirError] = []

        def run(_op: Any, handle: Any) -> None:
            given = arguments
            if given is None:
                given = [self._argument(op, step) for op in list(ops_at(self.root, step.path))]
            try:
                with self.context:
                    for argument in given:
                        changed = _changed(pass_, pass_.run(argument))
                        record.changed = bool(record.changed) or changed
            except DxirError as error:
                failed.append(error)
                handle.signal_pass_failure()
            except Exception as error:  # noqa: BLE001  what a pass did not foresee is its failure
                failed.append(_unforeseen(step, error))
                handle.signal_pass_failure()

        manager.add(run, name=type(pass_).__name__, argument=step.name)
        return failed

    def _manager(self, step: Step, text: str) -> passmanager.PassManager:
        manager = passmanager.PassManager.parse(text, self.context)
        manager.enable_verifier(self.options.verify_each)
        if self.options.printing is not None:
            self.options.printing.attach(manager, step.name)
        return manager

    def _run(
        self,
        manager: passmanager.PassManager,
        op: IrOperation,
        step: Step,
        failed: Sequence[DxirError] = (),
    ) -> None:
        try:
            manager.run(op)
        except ir.MLIRError:
            error = failed[0] if failed else None
            raise StepFailure(step, error) from (error and error.__cause__)

    def together(self, steps: Sequence[Step]) -> list[Record]:
        """Run all steps in one manager, which prints and numbers them as MLIR does."""
        assert self.options.printing is not None
        manager = passmanager.PassManager.parse(f"{self.root.name}()", self.context)
        manager.enable_verifier(self.options.verify_each)
        self.options.printing.attach(manager, None)
        records = [Record(step) for step in steps]
        failed: list[tuple[Step, list[DxirError]]] = []
        native: list[Step] = []
        before = count_ops(self.root) if self.counts_ops else 0

        def flush() -> None:
            if native:
                text = steps_text(native, self.root.name)
                manager.add(text[len(self.root.name) + 1 : -1])
                native.clear()

        for step, record in zip(steps, records, strict=True):
            self._announce(step)
            if step.pass_ is None:
                native.append(step)
                continue
            flush()
            self._prepare(step.pass_)
            failed.append((step, self._add(manager, step, None, record)))
        flush()
        try:
            manager.run(self.root)
        except ir.MLIRError:
            for step, errors in failed:
                if errors:
                    raise StepFailure(step, errors[0]) from errors[0].__cause__
            raise StepFailure(_one_of(steps)) from None
        if self.counts_ops and steps:
            after = count_ops(self.root)
            self._check(_one_of(steps), lambda budget: budget.check_growth(before, after))
        for record in records:
            if record.step.pass_ is not None:
                record.statistics = dict(record.step.pass_.statistics)
            if self.options.on_record is not None:
                self.options.on_record(record)
        return records


def _one_of(steps: Sequence[Step]) -> Step:
    """What stands for steps that ran in one manager, of which one did something."""
    if len(steps) == 1:
        return steps[0]
    return Step(" or ".join(dict.fromkeys(s.name for s in steps)), steps_text(steps), (MODULE,))


def _changed(pass_: Pass, answer: object) -> bool:
    if not isinstance(answer, bool):
        raise PassError(
            f"the pass {pass_.name} answers {answer!r} where its run must say True or False",
            hint="True if it changed anything, so that a second run answers False",
        )
    return answer


def _unforeseen(step: Step, error: Exception) -> PassError:
    frames = traceback.extract_tb(error.__traceback__)
    place = f" (at {frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    found = PassError(
        f"the pass {step.name} failed on what it did not foresee: {type(error).__name__}: "
        f"{error}{place}",
        hint="this is a mistake in the pass: report it, with the module",
    )
    found.__cause__ = error
    return found


def ops_at(root: IrOperation, path: Sequence[str]) -> Iterator[IrOperation]:
    """The ops at the end of a path of op names that starts with `root` itself."""
    if len(path) <= 1:
        yield root
        return
    for region in root.regions:
        for block in region.blocks:
            for op in block.operations:
                if path[1] in (op.operation.name, "any"):
                    yield from ops_at(op.operation, path[1:])


def count_ops(root: IrOperation) -> int:
    """How many ops there are below `root`."""
    count = -1

    def one(_: IrOperation) -> ir.WalkResult:
        nonlocal count
        count += 1
        return ir.WalkResult.ADVANCE

    root.walk(one)
    return count
