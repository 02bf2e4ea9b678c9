"""Shardy's own propagation, with a warning for every given sharding that did not come through.

    %arg0: tensor<8x4xf32> {sdy.sharding = <@mesh, [{"x"}, {}]>}    all values get a sharding:
    %0 = stablehlo.add %arg0, %arg0                                 %0 {sdy.sharding = [{"x"}, {}]}

Afterwards every value lies as its sharding says, where that is not so an `sdy.reshard` stands
between, and constraints have become reshards. Shardy keeps silent when it cannot do what is asked:
a parameter or result whose dimension the axes do not divide, or that is split over a part of an
axis, loses those axes. What each value was given is compared with what it has in the end, and
told at the user's place by the codes `SHARDING_DROPPED` and `SHARDING_CHANGED`.

Shardy starts from @main: a module without one is propagated from its public functions all the
same. `origins` leaves what Shardy writes down of who gave each axis (`sdy.sharding_origins`) and
through what (`sdy.propagation_edges`); the shardings are the same, and a module that has these
is left as it is. `keep-undivided` leaves axes
that do not divide where they were given, for `dxir-localize{pad}` to pad.
"""

from __future__ import annotations

import graphlib
from collections.abc import Iterator, Sequence

from dxir.diagnostics import where_of
from dxir.editing import replace_with
from dxir.errors import PassError
from dxir.mesh_layout import axes_size
from dxir.mlir import IrOperation, bytecode_of, ir
from dxir.passes.partitioning.given import (
    Given,
    Key,
    Meshes,
    boundary_shardings,
    given_shardings,
    marked_shardings,
    unmark,
    unmet,
)
from dxir.passes.partitioning.lying import Lying, alike
from dxir.passes.partitioning.origins import ORIGIN_NAME, ORIGIN_PLACES, align_origins, has_origins
from dxir.passes.partitioning.stages import (
    CONSTRAINTS_END,
    DROP_UNDIVIDED,
    PIPELINE,
    USER_PRIORITY,
    ends_over_named,
    pipeline_passes,
    run_native,
    with_origins,
    without_sources,
)
from dxir.pipeline.base import Pass, option
from dxir.reading import (
    attribute,
    attribute_text,
    function_name,
    functions,
    has_body,
    is_public,
    ops_below,
    renamed,
    symbol,
)
from dxir.sharding import DimSharding, Sharding

_MAIN = "main"
_FAILED = "the shardings cannot be propagated"
Marked = dict[Key, list[list[Sharding]]]

DROPPED = "SHARDING_DROPPED"
CHANGED = "SHARDING_CHANGED"


class Propagate(Pass, name="dxir-propagate"):
    """Give every value a sharding by Shardy's propagation; tell which given ones were not kept."""

    native = (PIPELINE,)

    origins: bool = option("write down who gave each axis, and through what", default=False)
    keep_undivided: bool = option(
        "keep the axes of parameters and results that they do not divide", default=False
    )

    def run(self, module: ir.Module) -> bool:
        before = bytecode_of(module)
        propagate(self, module, origins=self.origins, keep_undivided=self.keep_undivided)
        return bytecode_of(module) != before


def propagate(pass_: Pass, module: ir.Module, *, origins: bool, keep_undivided: bool) -> None:
    """Propagate in place; what was not kept is reported by `pass_`."""
    start = _start(module)
    if start is None or (origins and has_origins(module)):
        return
    passes = pipeline_passes(PIPELINE, module.context)
    if keep_undivided:
        passes.remove(DROP_UNDIVIDED)
    given = given_shardings(module)
    if not given and not Meshes(module).named:
        tell_nothing(pass_, module)
        return
    _refuse_calls(module)
    order = [function_name(f) for f in functions(module)]
    if start != _MAIN:
        renamed(module, start, _MAIN)
    marked = _with_origins(pass_, module, passes) if origins else _plain(module, passes)
    if start != _MAIN:
        renamed(module, _MAIN, start)
    _reorder(module, order)
    _drop_idle(module)
    _Telling(pass_, given).tell(marked, boundary_shardings(module))


def _drop_idle(module: ir.Module) -> None:
    """Remove reshards of values that lie so already: Shardy makes one more for every call.

    Where one stood that origins name is kept on the module.
    """
    lying = Lying(module)
    places: dict[str, ir.Attribute] = {}
    for op in ops_below(module.operation, ("sdy.reshard",)):
        if alike(lying.of(op.operands[0]), lying.of(op.results[0])):
            named = attribute(op, ORIGIN_NAME)
            if isinstance(named, ir.StringAttr):
                where = where_of(op.location) or ""
                places[named.value] = ir.StringAttr.get(where, module.context)
            replace_with(op, list(op.operands))
    if places:
        found = ir.DictAttr.get(places, module.context)
        module.operation.attributes[ORIGIN_PLACES] = found


def tell_nothing(pass_: Pass, module: ir.Module) -> None:
    """Warn of a module whose shardings are in a form that Shardy does not read."""
    for function in functions(module):
        said = (attribute(function, key) for key in ("arg_attrs", "res_attrs"))
        if any(one is not None and "mhlo.sharding" in attribute_text(one) for one in said):
            pass_.warn(
                "the module says shardings as mhlo.sharding, which XLA's partitioner reads and "
                "Shardy does not; it stays as it is",
                function,
                code="NOTHING_TO_DO",
            )
            return


def _refuse_calls(module: ir.Module) -> None:
    """Refuse functions that Shardy ends the process over: without a body, or calling themselves."""
    calls: dict[str, set[str]] = {}
    for function in functions(module):
        name = function_name(function)
        if not has_body(function):
            raise PassError(
                f"@{name} has no body, so how its results lie cannot be told",
                where=where_of(function.location),
                hint="give it one, or call it by a custom_call",
            )
        found = (symbol(op, "callee") for op in ops_below(function, ("func.call",)))
        calls[name] = {callee for callee in found if callee is not None}
    try:
        graphlib.TopologicalSorter(calls).prepare()
    except graphlib.CycleError as error:
        name = error.args[1][0]
        raise PassError(
            f"@{name} calls itself, which StableHLO does not have",
            where=next(where_of(f.location) for f in functions(module) if function_name(f) == name),
            hint="write it as a while loop",
        ) from None


def _plain(module: ir.Module, passes: Sequence[str], *, verify: bool = True) -> Marked:
    """Run the passes; the shardings of marked ops as they are when constraints still are there."""
    end = passes.index(CONSTRAINTS_END)
    run_native(module, passes[:end], _FAILED, verify=verify)
    marked = marked_shardings(module)
    unmark(module)
    run_native(module, passes[end:], _FAILED, verify=verify)
    return marked


def _with_origins(pass_: Pass, module: ir.Module, passes: Sequence[str]) -> Marked:
    """Run the passes with what they have for debugging, and make that readable."""
    told = with_origins(passes)
    at = next(i for i, text in enumerate(told) if text.startswith(USER_PRIORITY))
    # Edges of loops are written where verifiers do not take them, until they sink. (0.10.2)
    run_native(module, told[:at], _FAILED, verify=False)
    blocking = next(_untraceable(module, old=ends_over_named(passes)), None)
    if blocking is not None:
        pass_.warn(
            f"where shardings come from is not told: Shardy cannot follow them through this "
            f"'{blocking.name}'",
            blocking,
        )
        told = without_sources(told)
    marked = _plain(module, told[at:], verify=False)
    align_origins(module)
    return marked


def _untraceable(module: ir.Module, *, old: bool) -> Iterator[IrOperation]:
    """What ends the process when origins are asked for: groups of values that lie differently.

    The Shardy of jaxlib 0.10 (`old`) ends over all groups, and over named computations, which calls
    have become, with shardings of their own.
    """
    names = ("sdy.named_computation", "sdy.sharding_group")
    lying, groups = Lying(module), dict[int, Sharding]()
    for op in ops_below(module.operation, names):
        if op.name == "sdy.named_computation":
            if old and ("in_shardings" in op.attributes or "out_shardings" in op.attributes):
                yield op
            continue
        sharding = lying.of(op.operands[0])
        number = ir.IntegerAttr(op.attributes["group_id"]).value
        if old or (
            sharding is not None and not alike(groups.setdefault(number, sharding), sharding)
        ):
            yield op


def _reorder(module: ir.Module, order: Sequence[str]) -> None:
    """Put the functions in the order they had, and those that are new behind them."""
    numbers = {name: i for i, name in enumerate(order)}
    found = {function_name(f): f for f in functions(module)}
    wanted = sorted(found, key=lambda name: (numbers.get(name, len(order)), name))
    if wanted != list(found):
        for name in wanted[::-1]:
            found[name].move_before(next(functions(module)))


def _start(module: ir.Module) -> str | None:
    """The function that Shardy is to start from; None where there is nothing to propagate in."""
    names = [function_name(f) for f in functions(module) if has_body(f) and is_public(f)]
    if _MAIN in [function_name(f) for f in functions(module)] and _MAIN not in names:
        raise PassError(
            "@main is not a public function with a body, and Shardy starts from it",
            hint="rename it, or make it public",
        )
    if _MAIN in names:
        return _MAIN
    return names[0] if names else None


class _Telling:
    """What became of each sharding that was given, in words."""

    def __init__(self, pass_: Pass, given: dict[Key, Given]) -> None:
        self.pass_, self.given = pass_, given

    def tell(
        self,
        marked: Marked,
        boundary: dict[Key, Sharding],
    ) -> None:
        for key, given in self.given.items():
            if key.kind in ("value", "input"):
                for copies in marked.get(key, ()):
                    if copies and all(unmet(given.sharding, s) for s in copies):
                        self._report(given, copies[-1])
                        break
            else:
                final = boundary.get(key)
                if final is None:
                    continue
                if unmet(given.sharding, final):
                    self._report(given, final)

    def _report(self, given: Given, final: Sharding) -> None:
        for dimension, asked, have in unmet(given.sharding, final):
            reason, hint = self._reason(given, dimension, asked)
            lost = f"{asked} of dimension {dimension} ({given.shape[dimension]}) of {given.what}"
            if have.axes:
                message, code = f"the sharding {lost} became {have}", CHANGED
            else:
                message, code = f"the sharding {lost} was dropped", DROPPED
            if not asked.axes:
                message = (
                    f"dimension {dimension} ({given.shape[dimension]}) of {given.what} was given "
                    f"as not split, and is split over {have}"
                )
            self.pass_.warn(f"{message}: {reason}{hint}", given.location, code=code)

    def _reason(self, given: Given, dimension: int, asked: DimSharding) -> tuple[str, str]:
        mesh, size = given.sharding.mesh, given.shape[dimension]
        parts = axes_size(mesh, asked.axes)
        if size is not None and size % parts:
            sizes = " * ".join(str(a.size(mesh)) for a in asked.axes)
            total = f"{sizes} = {parts}" if len(asked.axes) > 1 else sizes
            return (
                f"{size} is not divisible by the size of its axes, {total}",
                "; pad it, or partition with pad=true",
            )
        if any(a.sub is not None for a in asked.axes) and given.op == "func.func":
            return ("Shardy splits parameters and results over whole axes only", "")
        return ("it does not go together with the other shardings that are given", "")
