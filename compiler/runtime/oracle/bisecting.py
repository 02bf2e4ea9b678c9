"""The first op of a program that a backend gets wrong.

The backend is made to give all values in between, and each op is held against what the judge
makes of the very operands that the backend had: what went wrong before does not count. Where
every op is right by that measure, since the backend does otherwise when it has to tell its values,
the program is cut off earlier and earlier instead.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from dxir.derivatives import captured
from dxir.errors import DxirError, DxirWarning
from dxir.evaluation import Evaluator
from dxir.graph import Function, Module, Value
from dxir.op import Derived, Op, expansion
from dxir.program import Program
from dxir.runtime.arguments import check_count, host_array, parameters_of
from dxir.runtime.backends import Run, runner
from dxir.runtime.oracle.divergence import Divergence, operands_of, text_of
from dxir.runtime.oracle.faults import explaining
from dxir.runtime.oracle.policy import OFF, Expectation, Judged, Policy
from dxir.runtime.oracle.tracing import (
    MOST_BYTES,
    alone,
    branch_of,
    callee_of,
    giving,
    region_function,
    size_of,
    told_values,
    up_to,
)
from dxir.symbols import entry_of
from dxir.targets.options import CompileOptions, Containment
from dxir.types import TensorType

_MOST_FOUND = 20
_MOST_ITERATIONS = 256


def find_divergence(
    program: Program | Module | Function,
    arguments: Sequence[Any],
    backend: str,
    *,
    policy: Policy | None = None,
    options: CompileOptions | None = None,
    contained: bool | Containment = True,
) -> Divergence | None:
    """The first op that a backend gets wrong; None when there is none.

    Raises a DxirError for a program that is no graph of dxir's, or that the backend does not run.
    """
    search = Search(backend, policy or Policy(), options, contained=contained)
    function = _function(program)
    return next(iter(search.all_of(function, arrays_for(function, arguments))), None)


def arrays_for(function: Function, arguments: Sequence[Any]) -> list[Any]:
    """The arguments as arrays of the types of the function's parameters; ArgumentError."""
    names = tuple(v.name for v in function.params)
    types = tuple(v.type for v in function.params)
    if not all(isinstance(t, TensorType) for t in types):
        return list(arguments)
    parameters = parameters_of(tuple(v.tensor for v in function.params), names)
    check_count(len(arguments), parameters)
    return [host_array(a, p) for a, p in zip(arguments, parameters, strict=True)]


def _function(program: Program | Module | Function) -> Function:
    graph = program.raise_() if isinstance(program, Program) else program
    return graph if isinstance(graph, Function) else entry_of(graph)


class Search:
    """Looks for the ops that one backend gets wrong.

    `met` are the known faults of partitioners that the program may have.
    """

    def __init__(
        self,
        backend: str,
        policy: Policy,
        options: CompileOptions | None,
        *,
        contained: bool | Containment,
        met: frozenset[str] = frozenset(),
    ) -> None:
        self.backend = backend
        self.met = met
        self.policy = policy
        self.options = options
        self.contained = contained

    def all_of(self, function: Function, arguments: Sequence[Any]) -> list[Divergence]:
        """The ops that are wrong on their own operands, first to last; the most are 20."""
        values = told_values(function)
        found: list[Divergence] = []
        if size_of(values) <= MOST_BYTES:
            given = self._run(giving(function, values), arguments)
            known: dict[Value, Any] = dict(zip(function.params, arguments, strict=True))
            known.update(zip(values, given, strict=True))
            for divergence in self._wrong(function, known):
                found.append(divergence)
                if len(found) == _MOST_FOUND:
                    break
        if not found and (cut := self._cut(function, values, arguments)) is not None:
            found.append(cut)
        return found

    def suspects(self, function: Function, arguments: Sequence[Any]) -> tuple[str, ...]:
        """The known faults of partitioners that some op of the function has the operands for.

        What a partitioner does to one op shows in others, where it can only be suspected.
        """
        if not self.met:
            return ()
        known = _all_values(function, list(arguments))
        found: dict[str, None] = {}
        for node in function.nodes:
            assert isinstance(node, Op)
            operands = [known.get(v) for v in node.operands]
            met = explaining(self.backend, node, operands, self.met)
            found.update(dict.fromkeys(id for id in met if id in self.met))
        return tuple(found)

    def _run(self, program: Program, arguments: Sequence[Any]) -> tuple[Any, ...]:
        return self._runner(program)(arguments)

    def _runner(self, program: Program) -> Run:
        """What runs a part of the program; what is to be warned of was, of the whole."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DxirWarning)
            return runner(program, self.backend, self.options, contained=self.contained)

    def _wrong(self, function: Function, known: dict[Value, Any]) -> Iterator[Divergence]:
        for node in function.nodes:
            assert isinstance(node, Op)
            mine = _around(node, known)
            try:
                with np.errstate(all="ignore"):
                    Evaluator().run(node, mine)
            except DxirError:
                continue
            expected = [mine[v] for v in node.results]
            told = [known.get(v) for v in node.results]
            for value, made in zip(node.results, expected, strict=True):
                known.setdefault(value, made)
            judged = self._judged(node, known, expected, told)
            if judged is not None:
                index, said = judged
                yield from self._within(node, known, index, told[index], expected[index], said)

    def _judged(
        self, node: Op, known: dict[Value, Any], expected: list[Any], told: list[Any]
    ) -> tuple[int, Judged] | None:
        """The first result that is off, and how; `expected` is what the judge makes of it."""
        outside = _around(node, known)

        def again(evaluator: Evaluator) -> tuple[Any, ...]:
            values = dict(outside)
            evaluator.run(node, values)
            return tuple(values[v] for v in node.results)

        expectation = Expectation(expected, again, self.policy)
        for index, given in enumerate(told):
            if given is None:
                continue
            said = expectation.judged(index, np.asarray(given))
            if said.verdict == OFF:
                return index, said
        return None

    def _within(
        self,
        node: Op,
        known: dict[Value, Any],
        index: int,
        given: Any,
        expected: Any,
        said: Judged,
    ) -> Iterator[Divergence]:
        """What is wrong inside of a call, or else the op itself."""
        callee = callee_of(node)
        operands = [known.get(v) for v in node.operands]
        if callee is not None and all(o is not None for o in operands):
            inner = self._inside(callee, operands)
            if inner:
                yield from inner
                return
        iteration, parts = self._parts(node, known)
        faults = explaining(self.backend, node, operands, self.met)
        if parts and not faults and all(part.faults for part in parts):
            faults = tuple(dict.fromkeys(id for part in parts for id in part.faults))
        yield Divergence(
            self.backend,
            node.op,
            str(node.location) if node.location else None,
            operands_of(node, known),
            index,
            np.asarray(given),
            np.asarray(expected),
            said,
            self._alone(node, known, index),
            faults,
            text_of(node),
            iteration,
            tuple(parts),
        )

    def _inside(self, function: Function, arguments: Sequence[Any]) -> list[Divergence]:
        try:
            return self.all_of(function, arguments)
        except DxirError:
            return []

    def _parts(self, node: Op, known: dict[Value, Any]) -> tuple[int | None, list[Divergence]]:
        """What is wrong in the regions of an op, or in what it expands to; and the iteration."""
        if isinstance(node, Derived) and not node.regions:
            try:
                return None, self._inside(expansion(node), [known[v] for v in node.operands])
            except (DxirError, KeyError):
                return None, []
        if node.op == "while_loop":
            return self._loop(node, known)
        taken = branch_of(node, [known.get(v) for v in node.operands])
        if taken is None:
            return None, []
        function = region_function(taken)
        if not all(v in known for v in function.params):
            return None, []
        return None, self._inside(function, [known[v] for v in function.params])

    def _loop(self, node: Op, known: dict[Value, Any]) -> tuple[int | None, list[Divergence]]:
        """The first iteration in which the body of a loop, on the judge's state, is wrong."""
        cond, body = node.regions
        function = region_function(body)
        around = _around(node, known)
        state = [known.get(v) for v in node.operands]
        outside = [around.get(v) for v in function.params[len(body.params) :]]
        if any(a is None for a in (*state, *outside)):
            return None, []
        judge = Evaluator()
        try:
            results = function.results
            run = self._runner(giving(function, results))
            for number in range(_MOST_ITERATIONS):
                if not judge.call(cond, state, dict(around))[0]:
                    break
                arguments = [*state, *outside]
                following = judge.call(body, state, dict(around))
                told = run(arguments)
                if self._differ(function, arguments, following, told):
                    return number, self._inside(function, arguments)
                state = list(following)
        except DxirError:
            pass
        return None, []

    def _differ(
        self, function: Function, arguments: list[Any], expected: Any, told: Sequence[Any]
    ) -> bool:
        def again(evaluator: Evaluator) -> tuple[Any, ...]:
            return tuple(evaluator.call(function, arguments))

        expectation = Expectation([np.asarray(e) for e in expected], again, self.policy)
        return any(
            expectation.judged(i, np.asarray(given)).verdict == OFF for i, given in enumerate(told)
        )

    def _alone(self, node: Op, known: dict[Value, Any], index: int) -> bool | None:
        """Whether the op by itself is wrong on these operands; None when it cannot be tried."""
        try:
            cut = alone(node)
            if cut is None or any(v not in known for v in cut[1]):
                return None
            program, params = cut
            given = self._run(program, [known[v] for v in params])
            values = _around(node, known)
            with np.errstate(all="ignore"):
                Evaluator().run(node, values)
        except DxirError:
            return None
        expected = [values[v] for v in node.results]
        told: list[Any] = [None] * len(expected)
        told[index] = given[index]
        return self._judged(node, known, expected, told) is not None

    def _cut(
        self, function: Function, values: list[Value], arguments: Sequence[Any]
    ) -> Divergence | None:
        """The first value that is off in the program up to it, by halving."""
        known = _all_values(function, arguments)
        low, high = 0, len(values) - 1
        found: tuple[Value, Any, Judged] | None = None
        while low <= high:
            middle = (low + high) // 2
            value = values[middle]
            (given,) = self._run(up_to(function, value), arguments)
            said = self._expectation(function, value, arguments, known).judged(0, given)
            if said.verdict == OFF:
                found, high = (value, given, said), middle - 1
            else:
                low = middle + 1
        if found is None:
            return None
        value, given, said = found
        node = value.producer
        assert isinstance(node, Op)
        operands = [known.get(v) for v in node.operands]
        return Divergence(
            self.backend,
            node.op,
            str(node.location) if node.location else None,
            operands_of(node, known),
            value.index,
            np.asarray(given),
            np.asarray(known[value]),
            said,
            self._alone(node, known, value.index),
            explaining(self.backend, node, operands, self.met),
            text_of(node),
        )

    def _expectation(
        self,
        function: Function,
        value: Value,
        arguments: Sequence[Any],
        known: dict[Value, Any],
    ) -> Expectation:
        def again(evaluator: Evaluator) -> tuple[Any, ...]:
            return (_all_values(function, arguments, evaluator, value)[value],)

        return Expectation([np.asarray(known[value])], again, self.policy)


def _around(node: Op, known: dict[Value, Any]) -> dict[Value, Any]:
    """The values that a node and its regions take."""
    return {v: known[v] for v in (*node.operands, *captured(node.regions)) if v in known}


def _all_values(
    function: Function,
    arguments: Sequence[Any],
    evaluator: Evaluator | None = None,
    last: Value | None = None,
) -> dict[Value, Any]:
    """What the judge makes of every value, up to the last one."""
    made = evaluator or Evaluator()
    values: dict[Value, Any] = dict(zip(function.params, arguments, strict=True))
    with np.errstate(all="ignore"):
        for node in function.nodes:
            made.run(node, values)
            if last is not None and last in values:
                break
    return values
