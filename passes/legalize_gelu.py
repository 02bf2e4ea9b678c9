"""Put the tanh form of GELU in the place of the exact one, for targets that have no erf.

    dxir.gelu {approximate = "none"}  ->  dxir.gelu {approximate = "tanh"}

The two are different functions: they differ by up to 4.8e-4, most near |x| = 2.7. So this is done
only where the pass is named in a pipeline, or by a target that names it among its own, and it is on
record: each composite says `legalized_from = "gelu(exact)"`, the bound and the reason, and is
reported as GELU_APPROX_LEGALIZED. The bound is of the formulas on real numbers; the rounding of
either comes on top.

Only composites are replaced: run `dxir-recognize,dxir-coarsen` before for a GELU spelt in
primitives. An erf or erfc that is part of none is never approximated; with `erf=refuse` it is an
error, which a target without it wants.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from dxir.approximations import Approximation, record
from dxir.diagnostics import where_of
from dxir.editing import free_name
from dxir.effects import erase_unreferenced
from dxir.errors import DxirError, PassError
from dxir.locations import NOWHERE, Location, at
from dxir.mlir import IrOperation, IrType, bytecode_of, decode_type, ir
from dxir.pipeline.base import Pass, option
from dxir.reading import (
    attribute,
    function_around,
    function_name,
    functions,
    is_public,
    ops_below,
    symbol,
    target_of,
)
from dxir.types import TensorType

MAX_ABS_ERROR = 4.8e-4
"""Above the largest distance between the two functions, 4.73e-4 at |x| = 2.70."""

_COMPOSITE = "stablehlo.composite"
_NAME = "dxir.gelu"
_ERF = ("chlo.erf", "chlo.erfc", "mhlo.erf", "mhlo.erfc")
_PLACE = re.compile(r"(.*?):(\d+)(?::(\d+))?")
_CALLS = ("stablehlo.custom_call", "mhlo.custom_call")


class LegalizeGelu(Pass, name="dxir-legalize-gelu"):
    """Replace the exact GELU by its tanh approximation, and record it."""

    target: str = option("the target that asks for it, as the record is to name it", default="")
    erf: Literal["keep", "refuse"] = option(
        "what to do about an erf or erfc that is left", default="keep"
    )

    def run(self, module: ir.Module) -> bool:
        exact = [op for op in ops_below(module.operation, (_COMPOSITE,)) if _is_exact(op)]
        made: dict[IrType, ir.Module] = {}
        for op in exact:
            type = _type_of(op)
            if type not in made:
                made[type] = _decomposition(op, type)
        with module.context:
            decompositions = _added(module, made)
            changed = [f for op in exact if (f := function_around(op)) is not None]
            old = {self._replace(op, decompositions) for op in exact}
            _retell(module, {function_name(f) for f in changed})
        erase_unreferenced(module, _private(module, old))
        if self.erf == "refuse":
            self._refuse_erf(module)
        return bool(exact)

    def _replace(self, op: IrOperation, decompositions: dict[IrType, str]) -> str:
        """Make the composite the tanh form in place, so that all that is said of it stays."""
        old = symbol(op, "decomposition") or ""
        form = _text(op, "form")
        attributes = op.attributes
        attributes["decomposition"] = ir.FlatSymbolRefAttr.get(decompositions[op.results[0].type])
        attributes["composite_attributes"] = ir.DictAttr.get(
            {"approximate": ir.StringAttr.get("tanh")}
        )
        attributes["version"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), 1)
        who = f"the target {self.target}" if self.target else "the pipeline"
        made = Approximation(
            "gelu(exact)",
            f"{who} asks for tanh in the place of erf",
            self.name,
            max_abs_error=MAX_ABS_ERROR,
            details={"form": form} if form else {},
        )
        record(op, made)
        self.count("exact gelus replaced")
        self.warn(
            f"the exact GELU{f' ({form} form)' if form else ''} is replaced by the tanh form, as "
            f"{who} asks: the two differ by up to {MAX_ABS_ERROR:g}",
            op,
            code="GELU_APPROX_LEGALIZED",
            numbers={"max_abs_error": MAX_ABS_ERROR},
        )
        return old

    def _refuse_erf(self, module: ir.Module) -> None:
        for op in ops_below(module.operation, (*_ERF, *_CALLS)):
            if op.name in _ERF or target_of(op) in _ERF:
                name = op.name if op.name in _ERF else target_of(op)
                where = f"the target {self.target}" if self.target else "the target"
                raise PassError(
                    f"'{name}' op is not part of a GELU, and {where} has neither erf nor erfc",
                    where=where_of(op.location),
                    hint="nothing stands for it without being asked: write it in ops that the "
                    "target has (chlo-legalize-to-stablehlo makes a polynomial of it), or, if it "
                    "is in a GELU of primitives, run dxir-recognize,dxir-coarsen before",
                    code="UNSUPPORTED_OP",
                )


def _retell(module: ir.Module, changed: set[str]) -> None:
    """Have the composites that a changed gelu is in no longer say that it is exact."""
    composites = ops_below(module.operation, (_COMPOSITE,))
    pending = list(changed)
    while pending:
        name = pending.pop()
        for op in composites:
            if symbol(op, "decomposition") != name:
                continue
            if _text(op, "approximate") == "none":
                given = ir.DictAttr(op.attributes["composite_attributes"])
                names = [given[i].name for i in range(len(given))]
                told = {name: given[name] for name in names}
                told["approximate"] = ir.StringAttr.get("tanh")
                op.attributes["composite_attributes"] = ir.DictAttr.get(told)
            function = function_around(op)
            around = "" if function is None else function_name(function)
            if around not in changed:
                changed.add(around)
                pending.append(around)


def _is_exact(op: IrOperation) -> bool:
    name = attribute(op, "name")
    return (
        isinstance(name, ir.StringAttr)
        and name.value == _NAME
        and (_text(op, "approximate") or "none") == "none"
    )


def _text(op: IrOperation, name: str) -> str | None:
    """A word among the attributes of a composite."""
    given = attribute(op, "composite_attributes")
    if not isinstance(given, ir.DictAttr) or name not in given:
        return None
    try:
        value = given[name]
    except TypeError:  # of a kind the bindings have no class for
        return "?"
    return value.value if isinstance(value, ir.StringAttr) else "?"


def _type_of(op: IrOperation) -> IrType:
    types = [*(v.type for v in op.operands), *(r.type for r in op.results)]
    if len(types) != 2 or types[0] != types[1]:
        raise PassError(
            f"this {_NAME} is none of dxir's: it takes {len(op.operands)} values and gives "
            f"{len(op.results)}, not one tensor and one of the same type",
            where=where_of(op.location),
            hint="give the composite another name",
        )
    return types[0]


def _decomposition(op: IrOperation, type: IrType) -> ir.Module:
    """A module that holds, as its only private function, what the tanh form is made of."""
    from dxir import ops
    from dxir.graph import Function, Module, building
    from dxir.lowering import lower_module

    where = where_of(op.location)
    try:
        tensor = decode_type(type)
        assert isinstance(tensor, TensorType)
        function = Function("main", [tensor])
        with building(function), at(_place(where)):
            function.seal((ops.gelu(function.params[0], approximate="tanh"),))
        lowered = lower_module(Module([function]))
    except DxirError as error:
        raise PassError(
            f"the tanh form of {_NAME} cannot be made for {type}: {error.message}",
            where=where,
            hint=error.hint,
        ) from error
    return ir.Module.parse(bytecode_of(lowered), op.context)


def _place(where: str | None) -> Location:
    found = _PLACE.fullmatch(where or "")
    return NOWHERE if found is None else Location(found[1], int(found[2]), int(found[3] or 0))


def _added(module: ir.Module, made: dict[IrType, ir.Module]) -> dict[IrType, str]:
    """Put the decompositions into the module; gives their names by type."""
    taken = {function_name(op.operation) for op in module.body.operations}
    names: dict[IrType, str] = {}
    for type, source in made.items():
        (function,) = [f for f in functions(source) if not is_public(f)]
        names[type] = free_name(f"{_NAME}.tanh", taken)
        taken.add(names[type])
        clone = function.clone(ir.InsertionPoint(module.body))
        clone.attributes["sym_name"] = ir.StringAttr.get(names[type])
    return names


def _private(module: ir.Module, names: Iterable[str]) -> set[str]:
    wanted = set(names)
    return {
        name for f in functions(module) if (name := function_name(f)) in wanted and not is_public(f)
    }
