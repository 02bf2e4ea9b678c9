"""What MLIR infers of the results of an op, asked for by ops of a test.

    %1 = "hlo_test_infer.get_return_types"(%0) : (tensor<2xf32>) -> tensor<2xf32>
    %1 = "hlo_test_infer.return_types"(%0) {types0 = tensor<2xf32>} : ...

Which types the op that makes %0 gets from its operands, attributes and regions is written down as
`types0`, `types1` and so on. `get_return_type_components` asks the same of ops that infer shapes
and element types, and becomes `return_type_components`.
Unlike in the pass of StableHLO a question that cannot be answered is an error.
`reify_return_type_shapes` is refused: the bindings of MLIR have no way to it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dxir.diagnostics import where_of
from dxir.errors import PassError
from dxir.mlir import IrAttribute, IrOperation, IrType, IrValue, diagnostics_of, ir
from dxir.pipeline.base import FUNCTION, Pass
from dxir.pipeline.rewriting import Make, Rules, apply_rules
from dxir.reading import annotations_of, attribute, attribute_names

_PREFIX = "hlo_test_infer."
_INFERRED = re.compile(r"inferred type\(s\) (.*) are incompatible with return type\(s\)")
_SEPARATOR = "', '"


class HloTestInfer(Pass, name="hlo-test-infer", anchor=FUNCTION):
    """Answer ops that ask which result types MLIR infers, for tests of inference."""

    def run(self, function: IrOperation) -> bool:
        return apply_rules(self, function, _RULES)


_RULES = Rules()


@_RULES.rule(_PREFIX + "get_return_types")
def get_return_types(op: IrOperation, make: Make) -> Sequence[IrValue]:
    """The types of an op that infers types."""
    return _answer(op, make, "return_types", ir.InferTypeOpInterface, "types")


@_RULES.rule(_PREFIX + "get_return_type_components")
def get_return_type_components(op: IrOperation, make: Make) -> Sequence[IrValue]:
    """The types of an op that infers shapes and element types."""
    return _answer(op, make, "return_type_components", ir.InferShapedTypeOpInterface, "shapes")


@_RULES.rule(_PREFIX + "reify_return_type_shapes")
def reify_return_type_shapes(op: IrOperation, _: Make) -> None:
    """What cannot be had here."""
    raise PassError(
        f"{op.name} cannot be answered: the MLIR inside jaxlib lets nobody outside of it ask for "
        "the ops that compute a shape",
        where=where_of(op.location),
        hint="get_return_types and get_return_type_components can be",
    )


_Interface = type[ir.InferTypeOpInterface] | type[ir.InferShapedTypeOpInterface]


def _answer(
    op: IrOperation, make: Make, name: str, interface: _Interface, what: str
) -> Sequence[IrValue]:
    if len(make.operands) != 1 or make.makers[0][1] is None:
        raise _unanswered(op, "it asks about one op, by a result of it as the only operand")
    asked = make.makers[0][1]
    try:
        interface(asked)
    except ValueError:
        raise _unanswered(op, f"{asked.name} infers no {what}") from None
    given = _attributes(asked)
    with diagnostics_of(op.context) as found, op.location:
        # To infer through the interface ends the process for ops with attributes of their own.
        if len(asked.regions) or given is None:
            _verify_wrong(asked)
            types = _types_in(found)
        else:
            types = _infer(asked, given)
    if types is None:
        reasons = [message for severity, _, message in found if severity == "error"]
        reason = reasons[0] if reasons else "MLIR does not say why"
        raise _unanswered(op, f"inference fails for {asked.name}: {reason}")
    attributes: dict[str, IrAttribute] = {
        key: value for key, value in annotations_of(op).items() if value is not None
    }
    attributes |= {f"types{i}": ir.TypeAttr.get(type) for i, type in enumerate(types)}
    results = [result.type for result in op.results]
    return list(make.op(_PREFIX + name, results, *make.operands, **attributes).results)


def _unanswered(op: IrOperation, reason: str) -> PassError:
    return PassError(f"{op.name} cannot be answered: {reason}", where=where_of(op.location))


def _attributes(op: IrOperation) -> dict[str, IrAttribute] | None:
    """All attributes of an op; None where there is one that the bindings cannot hand out."""
    given: dict[str, IrAttribute] = {}
    for name in attribute_names(op):
        value = attribute(op, name)
        if value is None:
            return None
        given[name] = value
    return given


def _infer(op: IrOperation, attributes: dict[str, IrAttribute]) -> list[IrType] | None:
    """The types of the results of a new op that is like this one; None when inference fails."""
    try:
        made = ir.Operation.create(
            op.name,
            operands=list(op.operands),
            attributes=attributes,
            infer_type=True,
            ip=ir.InsertionPoint.after(op),
            loc=op.location,
        )
    except (ValueError, ir.MLIRError):
        return None
    types = [result.type for result in made.results]
    made.erase()
    return types


def _verify_wrong(op: IrOperation) -> None:
    """Have the verifier say what it infers: it does where the types written are wrong.

    The bindings make no new op with filled regions, nor one with attributes they cannot hand out.
    """
    copy = op.clone(ir.InsertionPoint.after(op)).operation
    for result in copy.results:
        result.set_type(_other(result.type))
    try:
        copy.verify()
    except ir.MLIRError:
        pass
    finally:
        copy.erase()


def _other(type: IrType) -> IrType:
    """A tensor type of another element type, of the same shape where there is one."""
    if not isinstance(type, ir.RankedTensorType):
        return ir.RankedTensorType.get([], ir.F32Type.get())
    flag = ir.IntegerType.get_signless(1)
    element: IrType = ir.F32Type.get() if type.element_type == flag else flag
    return ir.RankedTensorType.get(type.shape, element, type.encoding)


def _types_in(found: Sequence[tuple[str, str, str]]) -> list[IrType] | None:
    for _, _, message in found:
        inferred = _INFERRED.search(message)
        if inferred is not None:
            return [ir.Type.parse(text) for text in inferred[1][1:-1].split(_SEPARATOR)]
    return None
