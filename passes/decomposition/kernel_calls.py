"""Composites replaced by calls of kernels, and put back.

The call remembers what it stands for:

    %0 = stablehlo.custom_call @acme_norm(%x) {dxir.stands_for =
           {name = "acme.norm", decomposition = @norm, attributes = {eps = 1.0e-5 : f64}}}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from dxir.approximations import (
    APPROXIMATIONS,
    Approximation,
    record,
    record_attribute,
    recorded,
)
from dxir.attributes import OpShardingRule, OutputOperandAlias
from dxir.codecs import CODECS, encode_any
from dxir.decoding import keys
from dxir.diagnostics import collecting, error_from, where_of
from dxir.editing import replace_with
from dxir.errors import DxirError, PassError
from dxir.mlir import IrAttribute, IrOperation, TypeCache, ir, sdy
from dxir.naming import MEANING
from dxir.passes.decomposition.ends import KernelCall, Report
from dxir.passes.decomposition.expanding import COMPOSITE, INHERENT
from dxir.reading import (
    SHARDING,
    SHARDING_RULE,
    annotations_of,
    attribute,
    attributes_of,
    function_name,
    functions,
    is_used,
    ops_below,
    signature,
)
from dxir.sharding_rules import extended
from dxir.targets.kernel_bounds import Tolerance
from dxir.targets.kernels import CompositeUse, KernelDescriptor

CUSTOM_CALL = "stablehlo.custom_call"
BY = "dxir-decompose"

_FRONTEND = "mhlo.frontend_attributes"
_FRONTEND_SHARDING = f"xla.{SHARDING}"

# What a composite has under one name and `dxir.stands_for` under another.
_REMEMBERED = {
    "name": "name",
    "decomposition": "decomposition",
    "version": "version",
    "composite_attributes": "attributes",
}
_RULE = "sharding_rule"


def call_kernel(op: IrOperation, call: KernelCall, types: TypeCache, report: Report) -> None:
    """Put a call of the kernel in the place of the composite.

    That it computes other numbers is recorded. Raises PassError when what the descriptor says makes
    no valid call.
    """
    use, kernel = call.use, call.kernel
    try:
        scratch = [types.type(t) for t in kernel.scratch_types(use)]
        attributes = _attributes(op, use, kernel, types)
    except DxirError as error:
        raise _invalid(kernel, use, error.message, error.hint) from None
    except RecursionError:
        raise _invalid(kernel, use, "its backend config holds itself", None) from None
    except (TypeError, ValueError, ArithmeticError, LookupError, RuntimeError) as error:
        problem = f"{type(error).__name__}: {error}"  # the bindings have a word of C++ for it
        raise _invalid(kernel, use, problem, None) from error
    made = ir.Operation.create(
        CUSTOM_CALL,
        results=[*(r.type for r in op.results), *scratch],
        operands=list(op.operands),
        attributes=attributes,
        ip=ir.InsertionPoint(op),
        loc=op.location,
    )
    with collecting(op.context) as found:
        try:
            made.verify()
        except ir.MLIRError:
            made.erase()
            said = error_from(PassError, found, "it does not verify")
            raise _invalid(kernel, use, said.message, said.hint) from None
    replace_with(op, list(made.results)[: len(op.results)])
    if kernel.tolerance != Tolerance():
        _record(made, kernel, report)


def _record(made: IrOperation, kernel: KernelDescriptor, report: Report) -> None:
    tolerance = kernel.tolerance
    numbers = {"max_abs_error": tolerance.absolute, "max_rel_error": tolerance.relative}
    approximation = Approximation(
        kernel.composite,
        "the numbers of the kernel are its own, within its tolerance",
        BY,
        max_abs_error=tolerance.absolute or None,
        max_rel_error=tolerance.relative or None,
        details={"kernel": kernel.call_target},
    )
    record(made, approximation)
    message = f"{kernel.composite} became a call of the kernel @{kernel.call_target}"
    report(message, made, "KERNEL_APPROXIMATES", numbers)


def _invalid(
    kernel: KernelDescriptor, use: CompositeUse, problem: str, hint: str | None
) -> PassError:
    return PassError(
        f"the kernel {kernel.call_target!r} for {kernel.composite} makes no valid call: {problem}",
        where=use.where,
        hint=hint or "correct its descriptor",
    )


def _attributes(
    op: IrOperation, use: CompositeUse, kernel: KernelDescriptor, types: TypeCache
) -> dict[str, IrAttribute]:
    found = attributes_of(op, INHERENT)
    found["call_target_name"] = ir.StringAttr.get(kernel.call_target)
    found["api_version"] = CODECS["i32"].encode(kernel.api_version, types)
    found["backend_config"] = encode_any(kernel.backend_config(use), types)
    if kernel.has_side_effect:
        found["has_side_effect"] = ir.BoolAttr.get(True)
    layouts = kernel.layouts(use)
    if layouts is not None:
        for name, given in zip(("operand_layouts", "result_layouts"), layouts, strict=True):
            found[name] = CODECS["layouts"].encode(given, types)
    scratch = kernel.scratch_types(use)
    if kernel.aliases:
        alone = len(use.result_types) + len(scratch) == 1
        aliases = [
            OutputOperandAlias(() if alone else (result,), operand)
            for result, operand in sorted(kernel.aliases.items())
        ]
        found["output_operand_aliases"] = CODECS["output_operand_aliases"].encode(aliases, types)
    rule = kernel.rule(use)
    if rule is not None:
        found[SHARDING_RULE] = _rule(rule, types)
    elif SHARDING_RULE in found and scratch:
        own: OpShardingRule = CODECS["sharding_rule"].decode(found[SHARDING_RULE])
        found[SHARDING_RULE] = _rule(extended(own, scratch), types)
    if SHARDING in found and scratch:
        found[SHARDING] = _with_scratch(found[SHARDING], [t.rank for t in scratch])
    found[MEANING] = _meaning(op)
    return found


def _rule(rule: OpShardingRule | str, types: TypeCache) -> IrAttribute:
    if isinstance(rule, OpShardingRule):
        return CODECS["sharding_rule"].encode(rule, types)
    with collecting(types.context) as found:
        try:
            return ir.Attribute.parse(rule, types.context)
        except ir.MLIRError:
            said = error_from(PassError, found, f"{rule!r} is no attribute")
            raise PassError(f"its sharding rule cannot be read: {said.message}") from None


def _with_scratch(given: IrAttribute, ranks: list[int]) -> IrAttribute:
    """The shardings of results, and open ones for the scratch results after them."""
    shardings: list[Any] = list(sdy.TensorShardingPerValueAttr(given).shardings)
    if not shardings:
        return given
    mesh: Any = sdy.TensorShardingAttr(shardings[0]).mesh_or_ref
    free = sdy.DimensionShardingAttr.get([], is_closed=False)
    name = mesh.value if isinstance(mesh, ir.FlatSymbolRefAttr) else mesh
    shardings += [sdy.TensorShardingAttr.get(name, [free] * rank) for rank in ranks]
    return sdy.TensorShardingPerValueAttr.get(shardings)


def _meaning(op: IrOperation) -> IrAttribute:
    found = {key: attribute(op, name) for name, key in _REMEMBERED.items()}
    rule = attribute(op, SHARDING_RULE)
    if rule is not None:  # as text: artifacts hold Shardy's attributes in their own places only
        found[_RULE] = ir.StringAttr.get(str(rule))
    return ir.DictAttr.get({k: v for k, v in found.items() if v is not None})


def composites_again(
    module: ir.Module,
    counts: Counter[str],
    unless: Callable[[IrOperation], bool] = lambda op: False,
) -> bool:
    """Put the composites back that kernel calls stand for, and count them; whether any did.

    Those that `unless` is true of stay. Raises PassError for a call whose decomposition is gone.
    """
    calls = [
        op
        for op in ops_below(module.operation, (CUSTOM_CALL,))
        if MEANING in op.attributes and not unless(op)
    ]
    if not calls:
        return False
    known = {function_name(f): f for f in functions(module)}
    with module.context:
        for op in calls:
            _composite_again(op, known)
    counts["kernel calls put back"] += len(calls)
    return True


def _composite_again(op: IrOperation, known: dict[str, IrOperation]) -> None:
    remembered = attribute(op, MEANING)
    attributes: dict[str, IrAttribute] = {}
    if isinstance(remembered, ir.DictAttr):
        attributes = {n: remembered[key] for n, key in _REMEMBERED.items() if key in remembered}
    named = attributes.get("decomposition")
    # Portable artifacts hold no references to symbols in such attributes, but their names.
    callee = named.value if isinstance(named, ir.FlatSymbolRefAttr | ir.StringAttr) else ""
    if callee not in known or not isinstance(attributes.get("name"), ir.StringAttr):
        raise _not_there(op, f"@{callee} is not in the module" if callee else "it is not named")
    attributes["decomposition"] = ir.FlatSymbolRefAttr.get(callee)
    if isinstance(remembered, ir.DictAttr) and _RULE in remembered:
        attributes[SHARDING_RULE] = ir.Attribute.parse(ir.StringAttr(remembered[_RULE]).value)
    type, results = signature(known[callee]), list(op.results)
    types = type.results
    if (
        [v.type for v in op.operands] != type.inputs
        or [r.type for r in results[: len(types)]] != types
        or any(is_used(r) for r in results[len(types) :])
    ):
        raise _not_there(op, f"@{callee} does not take and give what the call does")
    for name, value in annotations_of(op).items():
        if name not in (MEANING, SHARDING_RULE, APPROXIMATIONS) and value is not None:
            attributes[name] = value
    others = [a for a in recorded(op) if a.by != BY]
    if others:
        attributes[APPROXIMATIONS] = record_attribute(others, op.context)
    if len(results) > len(types):
        _forget_scratch(attributes, len(types))
    made = ir.Operation.create(
        COMPOSITE,
        results=types,
        operands=list(op.operands),
        attributes=attributes,
        ip=ir.InsertionPoint(op),
        loc=op.location,
    )
    for old, new in zip(results, made.results, strict=False):
        old.replace_all_uses_with(new)
    op.erase()


def _forget_scratch(attributes: dict[str, IrAttribute], count: int) -> None:
    """Leave only the shardings of the first results, as Shardy writes them or an artifact does."""
    if SHARDING in attributes:
        attributes[SHARDING] = _first(attributes[SHARDING], count)
    frontend = attributes.pop(_FRONTEND, None)
    if isinstance(frontend, ir.DictAttr):
        entries = {name: frontend[name] for name in keys(frontend)}
        written = entries.pop(_FRONTEND_SHARDING, None)
        entries.pop(f"xla.{SHARDING_RULE}", None)
        if isinstance(written, ir.StringAttr):
            attributes.pop("mhlo.sharding", None)  # the same, for the results together
            entries[_FRONTEND_SHARDING] = ir.StringAttr.get(
                str(_first(ir.Attribute.parse(written.value), count))
            )
        attributes[_FRONTEND] = ir.DictAttr.get(entries)


def _first(shardings: IrAttribute, count: int) -> IrAttribute:
    given = list(sdy.TensorShardingPerValueAttr(shardings).shardings)
    return sdy.TensorShardingPerValueAttr.get(given[:count])


def _not_there(op: IrOperation, problem: str) -> PassError:
    target = attribute(op, "call_target_name")
    name = target.value if isinstance(target, ir.StringAttr) else "?"
    return PassError(
        f"the call of the kernel {name!r} cannot be put back to its composite: {problem}",
        where=where_of(op.location),
        hint="the decomposition that dxir.stands_for names must stay in the module as it was; run "
        "dxir-decompose{kernels=off} on the program from before the kernels instead",
    )
