"""A probe behind every op, through which the reference interpreter shows what the op computes.

    %0 = stablehlo.add %x, %y : tensor<2xf32> loc("sum")
    %1 = interpreter.probe %0, probe_id = "sum.1" : tensor<2xf32>

Ops in regions are probed as well, before the op they belong to; what used a value uses its probe
instead. Left alone are `stablehlo.constant`, values that a probe cannot hold (tokens, tuples, index
tensors) and, unlike in the pass of StableHLO, what has a probe already: a second run adds none, and
numbers that probes of the module end in are not given again.
"""

from __future__ import annotations

import re

from dxir.diagnostics import where_of
from dxir.errors import PassError
from dxir.mlir import IrLocation, IrOperation, IrType, IrValue, diagnostics_of, ir
from dxir.pipeline.base import Pass, option
from dxir.reading import attribute

_PROBE = "interpreter.probe"
_ID = "probe_id"
_UNPROBED = frozenset({"stablehlo.constant", _PROBE})
_NUMBER = re.compile(r"\d+$")


class InterpreterInstrumentWithProbe(Pass, name="interpreter-instrument-with-probe"):
    """Put an interpreter.probe behind every op, to see what the interpreter computes.

    Probes are called `probe1`, `probe2` and so on, in the order in which they are put in.
    """

    use_debug_info: bool = option(
        "call probes after the name in the location of the op, up to an `@`: `sum.1`",
        default=False,
        name="useDebugInfo",
    )

    def run(self, module: ir.Module) -> bool:
        if not module.context.is_registered_operation(_PROBE):
            raise PassError(
                f"the module cannot hold {_PROBE}: the interpreter dialect is not known here",
                where=where_of(module.operation.location),
                hint="run the pass by dxir-opt --flavour=stablehlo, or --flavour=interpreter",
            )
        found = _Ops()
        module.operation.walk(found.visit)  # regions first, then the op they belong to
        self._number = 0
        probed = 0
        for op in found.ops:
            for value in list(op.results):
                if found.can_hold(value) and value not in found.probed:
                    _probe(value, self._name(op.location, found.taken), op)
                    probed += 1
        if probed:
            self.count("probes", probed)
        return probed > 0

    def _name(self, location: IrLocation, taken: set[int]) -> str:
        self._number += 1
        while self._number in taken:
            self._number += 1
        if self.use_debug_info and isinstance(location, ir.NameLoc):
            return f"{location.name_str.partition('@')[0]}.{self._number}"
        return f"probe{self._number}"


class _Ops:
    """The ops to be probed, inner before outer; what is probed, and the numbers taken by now."""

    def __init__(self) -> None:
        self.ops: list[IrOperation] = []
        self.probed: set[IrValue] = set()
        self.taken: set[int] = set()
        self._holds: dict[IrType, bool] = {}

    def visit(self, op: IrOperation) -> ir.WalkResult:
        name = op.name
        if name == _PROBE:
            self.probed.add(op.operands[0])
            named = attribute(op, _ID)
            number = _NUMBER.search(named.value) if isinstance(named, ir.StringAttr) else None
            if number is not None:
                self.taken.add(int(number[0]))
        elif name not in _UNPROBED and len(op.results):
            self.ops.append(op)
        return ir.WalkResult.ADVANCE

    def can_hold(self, value: IrValue) -> bool:
        """Whether a probe of the value is valid, which the verifier is asked once for a type."""
        type = value.type
        known = self._holds.get(type)
        if known is None:
            known = self._holds[type] = isinstance(type, ir.RankedTensorType) and _is_valid(type)
        return known


def _is_valid(type: IrType) -> bool:
    """Whether MLIR's verifier accepts a probe of this type."""
    with diagnostics_of(type.context), ir.Location.unknown(type.context):
        block = ir.Module.create().body
        given = ir.Operation.create(
            "builtin.unrealized_conversion_cast", results=[type], ip=ir.InsertionPoint(block)
        )
        made = _created(given.results[0], "", given)
        try:
            return bool(made.verify())
        except ir.MLIRError:
            return False


def _created(value: IrValue, name: str, behind: IrOperation) -> IrOperation:
    return ir.Operation.create(
        _PROBE,
        results=[value.type],
        operands=[value],
        attributes={_ID: ir.StringAttr.get(name)},
        ip=ir.InsertionPoint.after(behind),
        loc=behind.location,
    )


def _probe(value: IrValue, name: str, op: IrOperation) -> None:
    """Have all that use a result of `op` use its probe of that name."""
    made = _created(value, name, op)
    value.replace_all_uses_except(made.results[0], made)
