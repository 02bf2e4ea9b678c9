"""Native passes that end the process, and on what.

Found by running every native pass of jaxlib 0.10.2 and 0.12.0.1 on odd modules. A clear cause is
refused; where it is not, the pass runs in a process of its own (`dxir.pipeline.apart`).
"""

from __future__ import annotations

import graphlib
import math
import re
from collections.abc import Iterator

from dxir.effects import callees
from dxir.errors import PassError
from dxir.mlir import IrOperation, ir
from dxir.pipeline.steps import Step
from dxir.reading import (
    attribute,
    attribute_text,
    function_name,
    functions,
    has_body,
    is_public,
    terminator,
    walk,
)

# They look up @main and abort without it, unless there is one function alone. (0.10.2, 0.12.0.1)
_NEED_MAIN = frozenset(
    {
        "sdy-add-func-data-flow-edges",
        "sdy-aggressive-propagate",
        "sdy-apply-sharding-constraints",
        "sdy-basic-propagate",
        "sdy-export-pipeline",
        "sdy-op-priority-propagate",
        "sdy-per-instruction-partitioning",
        "sdy-propagate-to-func-results",
        "sdy-propagation-pipeline",
        "sdy-remove-sub-axes-in-input-output-shardings",
        "sdy-user-priority-propagate",
    }
)

# They end the process on modules that nothing simple tells from those that they take; on these,
# for example.
_ALWAYS_APART = {
    "sdy-convert-global-to-local": "a sharding that does not divide, a gather or a pad",
    "sdy-per-instruction-partitioning": "a reshape or window across shards",
    "sdy-resolve-permutation-factors": "a reshape or window across shards",
    "stablehlo-legalize-to-linalg": "an einsum",
    "xla-sdy-round-trip-import-shardy-attrs": "a frontend attribute that is not what it is to be",
}
_SHARDY = ("sdy-", "xla-sdy-")
_FOLLOW_UNKNOWN_OPS = frozenset({"inline", "remove-dead-values"})
_REFINE = "stablehlo-refine-shapes"

# They copy a function for every call of it, and the calls in the copies.
_COPY_CALLED = frozenset(
    {"inline", "sdy-flatten-call-graph", "sdy-import-func-calls", "sdy-propagation-pipeline"}
)
_PIPELINE = "sdy-propagation-pipeline"
_MOST_COPIES = 1_000_000

_TARGET = re.compile(r"\btarget=([^\s}]+)")
_MOST_DEVICES = 1 << 31
_AXIS_SIZE = re.compile(r"=(\d+)")


def refuse(step: Step, module: ir.Module) -> None:
    """Raise PassError where a native pass is known to abort on the module."""
    for name in _native(step):
        if name in _COPY_CALLED:
            _refuse_copies(name, module)
    if step.pass_ is not None:
        return
    target = _TARGET.search(step.text)
    if target is not None and re.search(r"\d{10}", target[1]):
        raise PassError(
            f"{step.name}: {target[1]!r} is no version of StableHLO",
            hint="a version is three small numbers, such as 1.0.0",
        )
    if step.name in _NEED_MAIN:
        # The whole pipeline drops what is private and not called before it looks.
        kept = [f for f in functions(module) if step.name != _PIPELINE or is_public(f)]
        names = [function_name(f) for f in kept]
        if "main" not in names and len(names) != 1:
            kind = "public function" if step.name == _PIPELINE else "function"
            raise PassError(
                f"{step.name}: the module has no {kind} @main, which the pass starts from",
                hint=f"it has {', '.join(f'@{n}' for n in names) or 'none at all'}; rename one",
            )


def _refuse_copies(name: str, module: ir.Module) -> None:
    most, copies = _most_copies(_calls(module))
    if copies > _MOST_COPIES:
        raise PassError(
            f"{name}: the calls below @{most} would become {copies:,} copies of functions",
            hint=f"the pass makes one for every call; at most {_MOST_COPIES:,} are let be made",
        )


def may_end_process(step: Step) -> bool:
    """Whether there are modules on which the pass is known to end the process."""
    return any(map(_may_end_process, _native(step)))


def _native(step: Step) -> tuple[str, ...]:
    """The names of the native passes that a step comes to."""
    return (step.name,) if step.pass_ is None else step.pass_.native


def _may_end_process(name: str) -> bool:
    return (
        name in _ALWAYS_APART
        or name in _FOLLOW_UNKNOWN_OPS
        or name == _REFINE
        or name.startswith(_SHARDY)
    )


def danger(step: Step, module: ir.Module) -> str | None:
    """What of this module the pass might end the process on; None when nothing is known."""
    for name in filter(_may_end_process, _native(step)):
        found = _danger(name, step.text, module)
        if found is not None:
            return found
    return None


def _danger(name: str, text: str, module: ir.Module) -> str | None:
    if name in _ALWAYS_APART:
        return f"something it does not take, such as {_ALWAYS_APART[name]}"
    if name == _REFINE:
        return next(_odd_constants(module), None)
    if name in _FOLLOW_UNKNOWN_OPS:
        return next(_foreign_ends(module), None) or next(_unknown_ops(module), None)
    if "debug-" in text or "origins" in text:
        return "its debugging options, which do not take every op"
    return next(_odd_for_shardy(module), None)


def _all_ops(module: ir.Module) -> list[tuple[str, IrOperation]]:
    found: list[tuple[str, IrOperation]] = []
    walk(module, lambda op: found.append((op.name, op)))
    return found


def _foreign_ends(module: ir.Module) -> Iterator[str]:
    """What ends functions but is no func.return, which the verifier lets pass."""
    for function in functions(module):
        for block in function.regions[0].blocks:
            last = terminator(block).name
            if last == "stablehlo.return":
                yield f"@{function_name(function)}, which ends in {last}"


def _unknown_ops(module: ir.Module) -> Iterator[str]:
    context = module.context
    if not context.allow_unregistered_dialects:
        return
    for name in sorted({name for name, _ in _all_ops(module)}):
        if not context.is_registered_operation(name):
            yield f"{name}, an op of no known dialect"


def _odd_constants(module: ir.Module) -> Iterator[str]:
    """What the folding of shapes divides by, or reads out of bounds."""
    for name, op in _all_ops(module):
        if name == "stablehlo.custom_call":
            if attribute(op, "indices_of_shape_operands") is not None:
                yield "a custom_call with indices_of_shape_operands"
        elif name in ("stablehlo.divide", "stablehlo.remainder"):
            element = getattr(op.results[0].type, "element_type", None)
            if isinstance(element, ir.IntegerType):
                yield f"{name} of integers, perhaps by a constant zero"


def _odd_for_shardy(module: ir.Module) -> Iterator[str]:
    for function in functions(module):
        name = function_name(function)
        if not has_body(function):
            yield f"@{name}, which has no body"
        if len(function.regions[0].blocks) > 1:
            yield f"@{name}, which has several blocks"
    yield from _unknown_ops(module)
    groups: set[object] = set()
    for name, op in _all_ops(module):
        if name == "sdy.sharding_group":
            value = op.operands[0]
            if value in groups:
                yield "a value in several sharding groups"
            groups.add(value)
        elif name == "sdy.data_flow_edge":
            yield "the sdy.data_flow_edge that the module has already"
        elif name == "sdy.mesh":
            mesh = attribute(op, "mesh")
            sizes = [] if mesh is None else _AXIS_SIZE.findall(attribute_text(mesh))
            if math.prod(map(int, sizes)) >= _MOST_DEVICES:
                yield "a mesh of more than 2147483647 devices"
        if _has_inline_mesh(name, op):
            yield "a sharding that spells out its mesh instead of naming one"
    try:
        graphlib.TopologicalSorter(_calls(module)).prepare()
    except graphlib.CycleError as error:
        yield f"@{error.args[1][0]}, which calls itself"


def _has_inline_mesh(name: str, op: IrOperation) -> bool:
    keys: tuple[str, ...]
    if name == "func.func":
        keys = ("arg_attrs", "res_attrs")
    elif name == "sdy.manual_computation":
        keys = ("in_shardings", "out_shardings")
    else:
        keys = ("sharding" if name.startswith("sdy.") else "sdy.sharding",)
    attributes = op.attributes
    return any(key in attributes and "mesh<" in attribute_text(attributes[key]) for key in keys)


def _calls(module: ir.Module) -> dict[str, list[str]]:
    """The functions that each function calls, as often as it does."""
    found: dict[str, list[str]] = {}
    for function in functions(module):
        called: list[str] = []

        def visit(op: IrOperation, called: list[str] = called) -> ir.WalkResult:
            if op.name == "func.call":
                called.extend(callees(op))
            return ir.WalkResult.ADVANCE

        function.walk(visit)
        found[function_name(function)] = called
    return found


def _most_copies(calls: dict[str, list[str]]) -> tuple[str, int]:
    """The function with the most calls below it, and how many; none below one that calls itself."""
    try:
        order = list(graphlib.TopologicalSorter(calls).static_order())
    except graphlib.CycleError:
        return "", 0
    copies: dict[str, int] = {}
    for name in order:
        copies[name] = sum(1 + copies[called] for called in calls.get(name, ()))
    most = max(copies, key=copies.__getitem__, default="")
    return most, copies.get(most, 0)
