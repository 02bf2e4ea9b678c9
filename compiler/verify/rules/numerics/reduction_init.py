"""Reductions that start from a number which counts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from dxir.arithmetic import integer_limits
from dxir.combiners import combiner
from dxir.mlir import IrOperation, IrValue, ir
from dxir.passes.building import Building
from dxir.pattern.numbers import extremes
from dxir.reading import attribute, is_dynamic, is_public
from dxir.verify.bodies import block_of, is_in_order, result_of, samples
from dxir.verify.finding import Finding, Severity
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject
from dxir.verify.values import Here, Values, dtype_of, element

_REDUCE, _WINDOW = "stablehlo.reduce", "stablehlo.reduce_window"
_SUMS = {"add": 0.0, "multiply": 1.0, "xor": 0.0}
_BITS = {"and": -1, "or": 0}
_TRIED = (0.0, 1.0, -2.5, 3.0)
_FAR = 1e4  # beyond, a bound of a maximum stands for none


class ReductionInit(Rule, id="numerics-reduction-init", severity="warning"):
    """A reduction starts from a number that is not the identity of its body.

    Every backend may take the initial value as often as it likes, once for each part that it
    reduces on its own, and so they differ: 1000 ones summed from 7 are 1007 by the interpreter of
    StableHLO and 1231 by XLA on a CPU. Where taking it twice does no harm, as in a maximum, it is a
    bound that no result is beyond.
    """

    remedy = "start from the identity (0 for a sum), and combine the result with the other number"
    ops = (_REDUCE, _WINDOW, "stablehlo.select_and_scatter")
    faulty = """\
func.func @main(%x: tensor<1000xf32>) -> tensor<f32> {
  %init = stablehlo.constant dense<7.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [0]
    : (tensor<1000xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
"""
    fixed = """\
func.func @main(%x: tensor<1000xf32>) -> tensor<f32> {
  %init = stablehlo.constant dense<0.0> : tensor<f32>
  %more = stablehlo.constant dense<7.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [0]
    : (tensor<1000xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.add %0, %more : tensor<f32>
  return %1 : tensor<f32>
}
"""

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        scatters = op.name == "stablehlo.select_and_scatter"
        block = block_of(op, int(scatters))
        if block is None:
            return
        values, count = subject.values, len(op.results)
        first = 2 if scatters else len(op.operands) - count
        inits = list(op.operands)[first : first + count]
        numbers = [values.number(Here(init)) for init in inits]
        kind = combiner(block)
        if None in numbers:
            if kind in _SUMS:
                yield from self._unknown(op, inits[0], kind, subject)
            return
        told = [n for n in numbers if n is not None]
        if kind:
            operand = Here(op.operands[1 if scatters else 0])
            if _is_identity(kind, told[0], inits[0], values, operand):
                return
            yield self._wrong(op, kind, told[0], subject, fixable=_fits(op))
        elif (is_in_order(block) or count > 1) and _changes(block, told) is True:
            yield self._wrong(op, "", told[0], subject, fixable=False)

    def _wrong(
        self, op: IrOperation, kind: str, number: float, subject: Subject, *, fixable: bool
    ) -> Finding:
        short = f"{number:g}"
        severity: Severity = self.severity
        if kind in ("maximum", "minimum"):
            bound = "below" if kind == "maximum" else "above"
            message = f"the {kind} starts from {short}: no result is {bound} it, whatever is there"
            severity = "note" if abs(number) >= _FAR else severity
        elif kind in _SUMS:
            message = (
                f"the {kind} starts from {short}, not from {_SUMS[kind]:g}: a backend takes "
                f"{short} once for each part that it reduces on its own, and so they differ"
            )
        else:
            of = f"the {kind}" if kind else "the reduction"
            message = f"{of} starts from {short}, which is not the identity of its body"
        return self.found(
            message, op, subject, numbers={"init": number}, fixable=fixable, severity=severity
        )

    def _unknown(
        self, op: IrOperation, init: IrValue, kind: str, subject: Subject
    ) -> Iterator[Finding]:
        is_complex = subject.values.made_by(Here(init), "stablehlo.constant") is not None
        if is_complex or _is_parameter_of_private(init):
            return
        yield self.found(
            f"the {kind} starts from a value that is not constant: unless it is {_SUMS[kind]:g}, "
            "backends differ in how often they take it",
            op, subject, severity="note",
            fixable=_fits(op),
        )  # fmt: skip

    def repair(self, finding: Finding, subject: Subject, /) -> bool:
        op = finding.at
        if op is None or not _fits(op):
            return False
        block = block_of(op)
        kind = "" if block is None else combiner(block)
        if not kind:
            return False
        with op.context, op.location:
            return _start_right(op, kind)


def _fits(op: IrOperation) -> bool:
    """Whether an op can be made to start from the identity."""
    return (
        op.name in (_REDUCE, _WINDOW)
        and len(op.results) == 1
        and not element(op.results[0]).startswith("complex")
        and not any(is_dynamic(v.type) for v in (*op.operands, *op.results))
    )


def _start_right(op: IrOperation, kind: str) -> bool:
    """Let a reduction start from the identity, and combine what it gives with where it began."""
    operand, init = op.operands[0], op.operands[1]
    inner = ir.RankedTensorType(init.type).element_type
    if inner != ir.RankedTensorType(op.results[0].type).element_type:
        return False
    number = _identity(kind, init)
    if number is None:
        return False
    make = Building(op)
    scalar = ir.RankedTensorType.get([], inner)
    if op.name == _WINDOW:
        padded = _padded(make, op, operand, init)
        if padded is None:
            return False
        op.operands[0] = padded
    op.operands[1] = make.full(scalar, number)
    after = Building(_next(op))
    after.location = op.location
    result = op.results[0]
    users = [(use.owner.operation, use.operand_number) for use in result.uses]
    spread = after.spread(init, result.type, [])
    combined = after.like(f"stablehlo.{kind}", result, spread)
    for user, position in users:
        user.operands[position] = combined
    return True


def _next(op: IrOperation) -> IrOperation:
    """The op after one that ends no block."""
    ops = [view.operation for view in op.block.operations]
    return ops[ops.index(op) + 1]


def _padded(make: Building, op: IrOperation, operand: IrValue, init: IrValue) -> IrValue | None:
    """The operand of a window with its padding as elements, which are the initial value, too."""
    rank = ir.RankedTensorType(operand.type).rank
    padding = attribute(op, "padding")
    dilations = attribute(op, "base_dilations")
    edges = [(0, 0)] * rank
    if isinstance(padding, ir.DenseElementsAttr):
        edges = [(int(a), int(b)) for a, b in np.asarray(padding).reshape(rank, 2)]
    between = [d - 1 for d in dilations] if isinstance(dilations, ir.DenseI64ArrayAttr) else None
    low, high = [a for a, _ in edges], [b for _, b in edges]
    padded = make.pad(operand, init, low, high, between)
    for name in ("padding", "base_dilations"):
        if name in op.attributes:
            del op.attributes[name]
    return padded


def _identity(kind: str, value: IrValue) -> float | None:
    if kind in _SUMS:
        return _SUMS[kind]
    if kind in _BITS:
        dtype = dtype_of(value)
        return None if dtype is None else (_BITS[kind] if not dtype.is_bool else kind == "and")
    dtype = dtype_of(value)
    if dtype is None:
        return None
    if dtype.is_bool:
        return float(kind == "minimum")
    if dtype.is_float:
        infinity = float(np.asarray(math.inf).astype(dtype.numpy))
        if not math.isinf(infinity):
            return None
        return -infinity if kind == "maximum" else infinity
    # Whole numbers: the greatest of 64 bits is none of those that a float has.
    return None if dtype.is_complex else integer_limits(dtype)[kind == "minimum"]


def _is_identity(kind: str, number: float, init: IrValue, values: Values, operand: Here) -> bool:
    dtype = dtype_of(init)
    if kind in _SUMS:
        return number == _SUMS[kind]
    if kind == "or":
        return number == 0
    if kind == "and":
        full = 1 if dtype is None or dtype.is_bool else 2.0**dtype.bits - 1
        return number in (-1, full)
    if math.isnan(number):
        return False
    if dtype is not None and dtype.is_bool:
        least, most = 0.0, 1.0
    else:
        least, most = extremes(init.type)
    if kind == "minimum":
        return number >= most
    return number <= least or (number <= 0 and values.is_not_negative(operand))


def _changes(block: ir.Block, inits: list[float]) -> bool | None:
    """Whether combining with the initial values changes elements; None if unknown."""
    types = [dtype_of(argument) for argument in block.arguments]
    if len(types) != 2 * len(inits) or any(t is None or t.is_complex for t in types):
        return None
    tried: list[Any] = [
        samples(t.numpy, (0, 1, 0, 1) if t.is_bool else _tried(t.is_integer)) for t in types if t
    ]
    count = len(inits)
    with np.errstate(all="ignore"):
        given = [np.full(len(_TRIED), i).astype(t.dtype) for i, t in zip(inits, tried)]  # noqa: B905
    found = result_of(block, (*given, *tried[count:]))
    if found is None or len(found) != count:
        return None
    # Of places of equal elements one is taken, which is no matter of the initial value.
    tied = tried[count].astype(np.float64) == inits[0] if count > 1 else False
    wrong = False
    for got, wanted in zip(found, tried[count:], strict=True):
        a, b = (np.asarray(v).astype(np.float64) for v in (got, wanted))
        wrong |= not bool(np.all(tied | np.isnan(a) | np.isclose(a, b)))
    return wrong


def _tried(whole: bool) -> tuple[float, ...]:
    return (0, 1, 2, 3) if whole else _TRIED


def _is_parameter_of_private(value: IrValue) -> bool:
    """Whether a value is given by callers that are all in the module."""
    owner = value.owner
    if not isinstance(owner, ir.Block):
        return False
    function = owner.owner.operation
    return function.name == "func.func" and not is_public(function)
