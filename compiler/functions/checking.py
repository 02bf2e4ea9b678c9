"""`dxir.check`: what a compiled function gives, held against NumPy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dxir.errors import DxirError, MismatchError, TracingError
from dxir.functions.jitted import Jitted
from dxir.functions.leaves import numbers_of
from dxir.functions.traceable import Bound, TracedFunction
from dxir.functions.traces import Traced
from dxir.locations import caller_location
from dxir.runtime.oracle.policy import OFF, Expectation, Judged, Policy
from dxir.tracing.trees import flatten
from dxir.types import TensorType
from dxir.wording import table_lines

Numbers = np.ndarray[Any, Any]
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class CheckRow:
    """What is said of one array of the results: `path` leads to it, `verdict` is the oracle's.

    `off` counts the elements that are not accepted. The errors are the largest of any element, the
    relative one in terms of what NumPy gives, `max_ulp` in units of the last place (None for
    integers).
    """

    path: str
    type: TensorType
    verdict: str
    off: int
    max_abs: float
    max_rel: float
    max_ulp: int | None


@dataclass(frozen=True, slots=True)
class CheckReport:
    """A compiled function held against the same function in NumPy: a row for each array."""

    name: str
    target: str
    rows: tuple[CheckRow, ...]

    @property
    def agrees(self) -> bool:
        """Whether every element of every result is accepted."""
        return not any(row.verdict == OFF for row in self.rows)

    def __str__(self) -> str:
        heads = ("result", "type", "verdict", "off", "max abs", "max rel", "max ulp")
        lines = table_lines([heads, *map(_cells, self.rows)])
        return "\n".join([f"{self.name} on {self.target}, against NumPy", *lines])


def _cells(row: CheckRow) -> tuple[str, ...]:
    ulp = "" if row.max_ulp is None else "far" if row.max_ulp >= 1 << 63 else str(row.max_ulp)
    off = f"{row.off} of {row.type.size}" if row.off else ""
    shown = f"{row.max_abs:.3g}", f"{row.max_rel:.3g}"
    return (row.path, str(row.type), row.verdict, off, *shown, ulp)


def check(
    function: Callable[..., Any],
    *args: Any,
    rtol: float | None = None,
    atol: float | None = None,
    target: str | None = None,
) -> CheckReport:
    """Run a function compiled and in NumPy, op by op, and compare every result.

    A float may be as far off as roundings in the function may move it, which is found by computing
    with other ones; or by `rtol` times NumPy's value plus `atol`, where one of these is given.
    Integers must be equal. `function` is a Python function, a `dxir.function` or a `dxir.jit`,
    whose target is taken unless one is given. Raises MismatchError that names the result, the
    element and both values, and the first op that gives others than NumPy for its operands.
    """
    jitted = function if isinstance(function, Jitted) else None
    traceable = _traceable(function)
    target = target or (jitted.target if jitted is not None else "xla-cpu")
    traced: Traced = traceable.trace(*args)
    expected, tree = flatten(traceable.eager(*args))
    if tree != traced.out_tree:
        raise TracingError(
            f"{traceable.name} returns {tree} in NumPy, and {traced.out_tree} when traced",
            where=caller_location(),
            hint="which containers it returns must not depend on numbers",
        )
    given = [numbers_of(v) for v in _leaves(traceable, args)]
    found = [np.asarray(r) for r in traced.compile(target).run(given)]
    policy = Policy(rtol=rtol, atol=atol)
    arguments = [np.asarray(v) for v in given]
    expectation = Expectation(
        [e.numpy() for e in expected],
        lambda evaluator: tuple(evaluator.call(traced.function, arguments)),
        policy,
        stored=True,
    )
    judged = [expectation.judged(i, actual) for i, actual in enumerate(found)]
    rows = [
        _row(path, said, actual, wanted)
        for path, said, actual, wanted in zip(
            _paths(traced), judged, found, expectation.results, strict=True
        )
    ]
    report = CheckReport(traceable.name, str(target), tuple(rows))
    if not report.agrees:
        raise _mismatch(report, judged, traced, arguments, policy)
    return report


def _traceable(function: Any) -> Any:
    if isinstance(function, (TracedFunction, Jitted, Bound)):
        return function
    return TracedFunction(function)


def _leaves(traceable: Any, args: Sequence[Any]) -> list[Any]:
    found: list[Any] = traceable.given(args, {}).leaves
    return found


def _paths(traced: Traced) -> list[str]:
    return [f"result{path}" for path in traced.out_tree.paths()]


def _row(path: str, said: Judged, actual: Numbers, wanted: Numbers) -> CheckRow:
    return CheckRow(
        path, TensorType.of_array(actual), said.verdict, said.off, said.max_abs,
        _relative(actual, wanted), said.max_ulp,
    )  # fmt: skip


def _relative(actual: Numbers, wanted: Numbers) -> float:
    """The largest error in terms of what is wanted; 0 where both are the same or not numbers."""
    if actual.shape != wanted.shape or not actual.size:
        return 0.0
    kind = np.complex128 if wanted.dtype.kind == "c" else np.float64
    with np.errstate(all="ignore"):
        a, b = actual.astype(kind), wanted.astype(kind)
        error = np.where(a == b, 0.0, np.abs(a - b) / np.abs(b))
    return float(np.max(np.where(np.isnan(error), 0.0, error)))


def _mismatch(
    report: CheckReport,
    judged: Sequence[Judged],
    traced: Traced,
    arguments: Sequence[Any],
    policy: Policy,
) -> MismatchError:
    lines: list[str] = []
    for row, said in zip(report.rows, judged, strict=True):
        if row.verdict != OFF:
            continue
        lines += [
            f"{row.path}[{', '.join(map(str, e.index))}] is {e.actual}, and {e.expected} in NumPy"
            for e in said.examples[:_SHOWN]
        ]
        lines += [f"{row.path} is {said.note}"] if not said.examples and said.note else []
    message = f"{report.name} on {report.target} is not what it is in NumPy: "
    told = "\n  ".join([message + lines[0], *lines[1:]]) + f"\n{report}"
    where = _divergence(traced, arguments, report.target, policy)
    return MismatchError(
        f"{told}\n{where}",
        where=caller_location(),
        hint="make random numbers of dxir.random keys, and give what changes as an argument"
        if where == _NOT_AN_OP
        else "rtol= and atol= say what is accepted instead",
    )


_NOT_AN_OP = (
    "every op of the graph gives what its reference does: the Python function does something else "
    "when it is traced than when it runs, or each time"
)


def _divergence(traced: Traced, arguments: Sequence[Any], target: str, policy: Policy) -> str:
    """The first op that is off, in words, where it can be found."""
    from dxir.runtime.oracle import find_divergence

    try:
        found = find_divergence(traced.function, arguments, target, policy=policy, contained=False)
    except DxirError as error:
        return f"the op cannot be found: {error.message}"
    if found is None:
        return _NOT_AN_OP
    return str(found)
