"""Shapes that contradict each other behind sizes that are not known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from math import prod

from dxir.mlir import IrOperation, ir
from dxir.reading import attribute
from dxir.structure import may_match
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject


class ContradictingShapes(Rule, id="structure-contradicting-shapes", severity="error"):
    """Sizes that are known contradict each other, whatever those that are not known turn out to be.

    MLIR's verifier takes a size that is not known as a match for any, and compares operands with
    the first alone. Such an op fails as soon as the program is given its shapes.
    """

    remedy = "give operands and results shapes that can be equal"
    ops = (
        *("stablehlo.select", "stablehlo.clamp", "stablehlo.reshape", "stablehlo.concatenate"),
        "stablehlo.scatter",
    )
    faulty = """\
func.func @main(%p: tensor<4xi1>, %x: tensor<?xf32>, %y: tensor<5xf32>) -> tensor<5xf32> {
  %0 = stablehlo.select %p, %x, %y
    : (tensor<4xi1>, tensor<?xf32>, tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
"""
    fixed = faulty.replace("tensor<4xi1>", "tensor<5xi1>")

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        message = _LOOKS[op.name](op)
        if message is not None:
            yield self.found(message, op, subject)


def _of_elements(op: IrOperation) -> str | None:
    """Ops that go element by element: all that are no scalars have one shape."""
    values = [*((f"operand #{i}", v.type) for i, v in enumerate(op.operands))]
    values.append(("the result", op.results[0].type))
    ranked = [(n, t) for n, t in values if isinstance(t, ir.RankedTensorType) and t.rank]
    return _unequal(ranked)


def _unequal(named: list[tuple[str, ir.RankedTensorType]]) -> str | None:
    for (first, a), (second, b) in combinations(named, 2):
        if not may_match(a, b):
            return f"{first} is {a}, and {second} is {b}"
    return None


def _of_inputs(op: IrOperation) -> str | None:
    """A scatter's inputs have one shape, and so have its updates."""
    count = len(op.operands) // 2
    types = [value.type for value in op.operands]
    for what, group in (("input", types[:count]), ("update", types[count + 1 :])):
        named = [(f"{what} #{i}", t) for i, t in enumerate(group)]
        found = _unequal([(n, t) for n, t in named if isinstance(t, ir.RankedTensorType)])
        if found is not None:
            return found
    return None


def _of_reshape(op: IrOperation) -> str | None:
    """A reshape keeps the number of elements."""
    source, result = op.operands[0].type, op.results[0].type
    if not isinstance(source, ir.RankedTensorType) or not isinstance(result, ir.RankedTensorType):
        return None
    if source.has_static_shape or not result.has_static_shape:
        return None  # the verifier has looked
    known = prod(s for s in (_size(source, i) for i in range(source.rank)) if s is not None)
    wanted = prod(result.shape)
    if wanted % known if known else wanted:
        return f"{source} has a multiple of {known} elements, and {result} has {wanted}"
    return None


def _of_concatenate(op: IrOperation) -> str | None:
    """The result is no shorter than what is known of the operands."""
    axis, result = attribute(op, "dimension"), op.results[0].type
    if not isinstance(axis, ir.IntegerAttr) or not isinstance(result, ir.RankedTensorType):
        return None
    total = _size(result, axis.value)
    types = [v.type for v in op.operands if isinstance(v.type, ir.RankedTensorType)]
    least = sum(_size(type, axis.value) or 0 for type in types)
    if total is not None and least > total:
        return f"the operands have at least {least} along dimension {axis.value}, {result} {total}"
    return None


def _size(type: ir.RankedTensorType, axis: int) -> int | None:
    return None if type.is_dynamic_dim(axis) else int(type.get_dim_size(axis))


_LOOKS: dict[str, Callable[[IrOperation], str | None]] = {
    "stablehlo.select": _of_elements,
    "stablehlo.clamp": _of_elements,
    "stablehlo.scatter": _of_inputs,
    "stablehlo.reshape": _of_reshape,
    "stablehlo.concatenate": _of_concatenate,
}
