"""A module made ready for StableHLO's reference interpreter, which aborts on what it cannot run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dxir.call_graph import reached
from dxir.check_dialect import MARK
from dxir.diagnostics import where_of
from dxir.editing import free_name, set_signature
from dxir.effects import callees
from dxir.errors import EvaluationError
from dxir.mlir import IrOperation, IrType, IrValue, ir
from dxir.reading import (
    attribute,
    function_around,
    function_name,
    functions,
    is_dynamic,
    renamed,
    signature,
    target_of,
    terminator,
    walk,
)
from dxir.runtime.check_calls import check_of, is_check, refuse_malformed, taken_out
from dxir.runtime.interpreter.probes import Prober, Spot
from dxir.versions import current_version

Tree = str | None | list[Any]
"""A result: the name of the spot that holds it, None for a token, a list for a tuple."""

_DIALECTS = frozenset({"builtin", "func", "stablehlo", "interpreter"})
_DIALECT_HINTS = {
    "chlo": "run chlo-legalize-to-stablehlo on it first",
    "shape": "run chlo-legalize-to-stablehlo,shape-legalize-to-stablehlo on it first",
    "sdy": "run dxir-strip-sharding on it first: shardings do not change what it computes",
    "mhlo": "convert it to StableHLO first",
    "vhlo": "run vhlo-legalize-to-stablehlo on it first",
}
_OTHER_HINT = "convert it to StableHLO first"

_COMPILE = "compile and run the program instead"
_REFUSED = {
    "stablehlo.custom_call": "only the checks of StableHLO's tests are known to it",
    "stablehlo.einsum": "write it as a dot_general",
    "stablehlo.unary_einsum": "write it as a reduction",
    "stablehlo.torch_index_select": "write it as a gather",
    **dict.fromkeys(
        (
            "stablehlo.batch_norm_grad",
            "stablehlo.batch_norm_inference",
            "stablehlo.batch_norm_training",
            "stablehlo.cholesky",
            "stablehlo.rng",
            "stablehlo.rng_bit_generator",
        ),
        _COMPILE,
    ),
}
_DEPRECATED = frozenset(
    f"stablehlo.{name}" for name in ("broadcast", "create_token", "cross-replica-sum", "dot")
)
_PARALLEL = frozenset(
    f"stablehlo.{name}"
    for name in (
        *("all_gather", "all_reduce", "all_to_all", "collective_broadcast", "collective_permute"),
        *("infeed", "outfeed", "partition_id", "recv", "reduce_scatter", "replica_id", "send"),
    )
)
_PLAIN = frozenset({"stablehlo.constant", "stablehlo.return", "func.return"})
_SEEN_REGIONS = frozenset({"builtin.module", "func.func", "stablehlo.while"})
"""Ops in whose regions the interpreter serves probes; in others it ends the process over them."""


def entry_of(module: ir.Module, entry: str) -> IrOperation | None:
    """The function to interpret: of that name or, for `main`, the only one there is.

    None for a module without functions. Raises EvaluationError for one that has only others.
    """
    known = {function_name(f): f for f in functions(module)}
    if entry not in known and entry == "main" and len(known) == 1:
        (entry,) = known
    if entry not in known and known:
        raise EvaluationError(
            f"there is no function @{entry} to interpret",
            where=where_of(next(iter(known.values())).location),
            hint=f"the program has {', '.join(f'@{name}' for name in known)}",
        )
    return known.get(entry)


def check_interpretable(module: ir.Module) -> None:
    """Raise EvaluationError for the first op that ends the interpreter's process."""
    parallel, unseen = _in_parallel(module), _out_of_sight(module)
    failed: list[EvaluationError] = []

    def visit(op: IrOperation) -> None:
        refuse_malformed(op)
        if not failed and (reason := _refusal(op, parallel, unseen)) is not None:
            problem, hint = reason
            failed.append(
                EvaluationError(
                    f"StableHLO's reference interpreter {problem}: {_described(op)}",
                    where=where_of(op.location),
                    hint=hint,
                )
            )

    walk(module, visit)
    if failed:
        raise failed[0]


def _refusal(
    op: IrOperation, parallel: frozenset[str], unseen: frozenset[str]
) -> tuple[str, str] | None:
    """What the interpreter does not do with the op, and what to do about it."""
    dialect = op.name.partition(".")[0]
    if dialect not in _DIALECTS:
        return f"does not run the dialect {dialect}", _DIALECT_HINTS.get(dialect, _OTHER_HINT)
    if op.name in _REFUSED and not is_check(op):
        return "does not run this op", _REFUSED[op.name]
    if op.name in _PARALLEL and _function_name_around(op) not in parallel:
        return (
            "runs this op only inside interpreter.run_parallel",
            "write a function that runs this one as its programs",
        )
    if is_check(op) or op.name == "interpreter.probe":
        return _blindness(op, parallel, unseen)
    if op.name == "stablehlo.triangular_solve" and _rank(op.operands[0]) > 2:
        return "does not run this op on batches", _COMPILE
    return None


def _rank(value: IrValue) -> int:
    return ir.RankedTensorType(value.type).rank


def _blindness(
    op: IrOperation, parallel: frozenset[str], unseen: frozenset[str]
) -> tuple[str, str] | None:
    """Why the interpreter does not come to know a value that is checked or probed."""
    around = _function_name_around(op)
    if current_version().minor < 18 and around in parallel:
        return (
            "of this jaxlib does not look into what interpreter.run_parallel runs",
            "check the results of run_parallel, or upgrade jaxlib to 0.12",
        )
    if around in unseen or not _is_in_sight(op):
        return (
            "looks into functions and loops, not into branches and the bodies of reductions",
            "let the values be results of the branch and check these",
        )
    return None


def _is_in_sight(op: IrOperation) -> bool:
    """Whether the op is in no region that the interpreter runs without serving probes."""
    parent = op.parent
    while parent is not None:
        if parent.operation.name not in _SEEN_REGIONS:
            return False
        parent = parent.operation.parent
    return True


def _out_of_sight(module: ir.Module) -> frozenset[str]:
    """The functions called where the interpreter serves no probes, with all that they call."""
    return _called_from(module, lambda op: op.name == "func.call" and not _is_in_sight(op))


def _described(op: IrOperation) -> str:
    named = target_of(op)
    if not named:
        return op.name
    return named if attribute(op, MARK) is not None else f"{op.name} @{named}"


def _function_name_around(op: IrOperation) -> str:
    around = function_around(op)
    return function_name(around) if around is not None else ""


def _in_parallel(module: ir.Module) -> frozenset[str]:
    """The functions that `interpreter.run_parallel` runs, with all that they call."""
    return _called_from(module, lambda op: op.name == "interpreter.run_parallel")


def _called_from(module: ir.Module, wanted: Callable[[IrOperation], bool]) -> frozenset[str]:
    """The functions that some ops refer to, with all that they call."""
    calls: dict[str, set[str]] = {}
    roots: list[str] = []

    def visit(op: IrOperation) -> None:
        if not (found := list(callees(op))):
            return
        if wanted(op):
            roots.extend(found)
        else:
            calls.setdefault(_function_name_around(op), set()).update(found)

    walk(module, visit)
    return frozenset(reached(lambda name: calls.get(name, ()), roots))


def has_deprecated(module: ir.Module) -> bool:
    """Whether the module has ops that the interpreter knows only in their newer form."""
    found: list[str] = []
    walk(module, lambda op: found.append(op.name) if op.name in _DEPRECATED else None)
    return bool(found)


def prints(module: ir.Module) -> bool:
    """Whether the module writes to the standard output while it is interpreted."""
    found: list[str] = []
    walk(module, lambda op: found.append(op.name) if op.name == "interpreter.print" else None)
    return bool(found)


def instrument(module: ir.Module, prober: Prober) -> None:
    """Turn checks and the user's probes into probes that can be written, in place."""
    found: list[IrOperation] = []

    def visit(op: IrOperation) -> None:
        if is_check(op) or op.name == "interpreter.probe":
            found.append(op)

    walk(module, visit)
    for op in found:
        at = ir.InsertionPoint(op)
        if op.name == "interpreter.probe":
            label = str(ir.StringAttr(op.attributes["probe_id"]).value)
            prober.probe(list(op.operands), "probe", at, op.location, label=label)
            op.results[0].replace_all_uses_with(op.operands[0])
        else:
            values = taken_out(op, at)
            prober.probe(values, "check", at, op.location, check=check_of(op))
        op.erase()


def has_dynamic_parameters(function: IrOperation) -> bool:
    """Whether a parameter has a size that only its argument tells."""
    return any(map(is_dynamic, signature(function).inputs))


def make_main(module: ir.Module, function: IrOperation) -> None:
    """Name the function `main`, with a copy of it in its place for those that call it."""
    name = function_name(function)
    if name != "main" and "main" in {function_name(f) for f in functions(module)}:
        renamed(module, "main", _free_name(module))
    called: list[str] = []
    walk(module, lambda op: called.extend(callees(op)))
    if name in called:
        free = _free_name(module)
        renamed(module, name, free)
        function.clone(ir.InsertionPoint(module.body))
    function.attributes["sym_name"] = ir.StringAttr.get("main", module.context)
    function.attributes["sym_visibility"] = ir.StringAttr.get("public", module.context)


def refinement(types: Sequence[str]) -> str:
    """The pipeline that gives the parameters of `main` these types, and the rest what follows."""
    return (
        f"builtin.module(stablehlo-refine-arguments{{types={','.join(types)}}},"
        "stablehlo-refine-shapes,func.func(stablehlo-canonicalize-dynamism))"
    )


def probe_results(function: IrOperation, prober: Prober) -> list[Tree]:
    """Let the function write its results down where it returns, and give none."""
    context = function.context
    with context, function.location:
        set_signature(function, signature(function).inputs, [])
        if attribute(function, "res_attrs") is not None:
            del function.attributes["res_attrs"]
        block = function.regions[0].blocks[0]
        end = terminator(block)
        at = ir.InsertionPoint(end)
        tree = [_written(value, prober, at, function) for value in end.operands]
        ir.Operation.create("func.return", ip=at)
        end.erase()
    return tree


def _free_name(module: ir.Module) -> str:
    return free_name("main_0", {function_name(op.operation) for op in module.body.operations})


def _written(value: IrValue, prober: Prober, at: ir.InsertionPoint, function: IrOperation) -> Tree:
    type: Any = value.type
    if str(type) == "!stablehlo.token":
        return None
    if isinstance(type, ir.TupleType):
        return [
            _written(_element(value, index, type.get_type(index), at), prober, at, function)
            for index in range(type.num_types)
        ]
    return prober.probe([value], "result", at, function.location).id


def _element(value: IrValue, index: int, type: IrType, at: ir.InsertionPoint) -> IrValue:
    number = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), index)
    return ir.Operation.create(
        "stablehlo.get_tuple_element",
        results=[type],
        operands=[value],
        attributes={"index": number},
        ip=at,
    ).results[0]


def traceable(module: ir.Module, *, divisions_only: bool) -> list[IrOperation]:
    """The ops that can be traced: those outside of branches, reductions and the like."""
    found: list[IrOperation] = []
    unseen = _out_of_sight(module)

    def visit(op: IrOperation) -> None:
        if _is_plain(op) or not _is_in_sight(op) or _function_name_around(op) in unseen:
            return
        if not divisions_only or _is_division(op):
            found.append(op)

    walk(module, visit)
    return found


def _is_plain(op: IrOperation) -> bool:
    return op.name in _PLAIN or op.name == "interpreter.probe" or is_check(op)


def _is_division(op: IrOperation) -> bool:
    if op.name not in ("stablehlo.divide", "stablehlo.remainder"):
        return False
    type: Any = op.results[0].type
    return isinstance(type.element_type, ir.IntegerType)


def last_traced(spots: Sequence[Spot], names: Sequence[str]) -> Spot | None:
    """The op that was reached last, given what was written down in order."""
    known = {spot.id: spot for spot in spots if spot.kind == "trace"}
    return next((known[name] for name in reversed(names) if name in known), None)
