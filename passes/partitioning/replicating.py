"""Reshards around ops that must have whole what they would be given in parts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dxir.mlir import IrOperation, IrValue, TypeCache, ir
from dxir.passes.partitioning.joining import joined_dims
from dxir.passes.partitioning.lying import Lying, alike
from dxir.passes.partitioning.whole import FLOWS, is_known, whole_dims
from dxir.pipeline.base import Pass
from dxir.reading import SHARDING, target_of, terminator, walk
from dxir.sharding import DimSharding, Sharding
from dxir.sharding_codec import encode_sharding, encode_shardings

COMPUTED_WHOLE = "COMPUTED_WHOLE"


def replicate(pass_: Pass, module: ir.Module) -> None:
    """Have every op whole what it must have whole, and its results moved back behind it."""
    lying = Lying(module)
    ops: list[IrOperation] = []

    def visit(op: IrOperation) -> None:
        if op.name != "func.func" and not op.name.startswith("sdy."):
            ops.append(op)

    walk(module, visit)
    types = TypeCache(module.context)
    for op in ops:
        _Replicating(pass_, lying, types, op).run()


class _Replicating:
    """One op on its way to have whole what it must."""

    def __init__(self, pass_: Pass, lying: Lying, types: TypeCache, op: IrOperation) -> None:
        self.pass_, self.lying, self.types, self.op = pass_, lying, types, op

    def run(self) -> None:
        if self.op.name in FLOWS:
            self._flow()
            return
        dims = whole_dims(self.op)
        if self.op.name == "stablehlo.reshape":
            lies = [self.lying.of(v) for v in (self.op.operands[0], self.op.results[0])]
            joined_dims(self.op, lies, dims)
        if not dims.operands and not dims.results:
            return
        lost: set[str] = set()
        for i, wanted in dims.operands.items():
            lost |= self._operand(i, wanted)
        lost |= self._results(dims.results)
        if lost:
            self._tell(lost)

    def _flow(self) -> None:
        """Have what flows into an op's results lie as these do. Shardy leaves some of it out."""
        wanted = [self.lying.of(result) for result in self.op.results]
        if self.op.name in ("stablehlo.while", "stablehlo.optimization_barrier"):
            self._lead(self.op, wanted)
        regions = list(self.op.regions)
        for region in regions[1:] if self.op.name == "stablehlo.while" else regions:
            self._lead(terminator(region.blocks[0]), wanted)

    def _lead(self, taker: IrOperation, wanted: Sequence[Sharding | None]) -> None:
        for i, (value, want) in enumerate(zip(list(taker.operands), wanted, strict=True)):
            have = self.lying.of(value)
            known = want or have
            if known is None or alike(have, want):
                continue
            lies = want or Sharding(known.mesh, *[None] * len(known.dims))
            taker.operands[i] = self._reshard(value, lies, ir.InsertionPoint(taker))

    def _operand(self, index: int, wanted: Iterable[int]) -> set[str]:
        value = self.op.operands[index]
        before = self.lying.of(value)
        after = None if before is None else _without(before, wanted)
        if before is None or after is None:
            return set()
        self.op.operands[index] = self._reshard(value, after, ir.InsertionPoint(self.op))
        return _axes(before) - _axes(after)

    def _results(self, wanted: dict[int, set[int]]) -> set[str]:
        before = [self.lying.of(result) for result in self.op.results]
        after = [
            None if s is None else _without(s, wanted.get(i, ())) for i, s in enumerate(before)
        ]
        if not any(after):
            return set()
        mesh = next(s.mesh for s in before if s is not None)
        said = [
            a or b or Sharding(mesh, *[None] * _rank(result))
            for a, b, result in zip(after, before, self.op.results, strict=True)
        ]
        self.op.attributes[SHARDING] = encode_shardings(said, self.types)
        lost: set[str] = set()
        for result, old, new in zip(list(self.op.results), before, after, strict=True):
            if old is None or new is None:
                continue
            lost |= _axes(old) - _axes(new)
            self.lying.known[result] = new
            uses = list(result.uses)
            moved = self._reshard(result, old, _behind(self.op))
            for use in uses:
                use.owner.operation.operands[use.operand_number] = moved
        return lost

    def _reshard(self, value: IrValue, sharding: Sharding, point: ir.InsertionPoint) -> IrValue:
        made = ir.Operation.create(
            "sdy.reshard",
            results=[value.type],
            operands=[value],
            attributes={"sharding": encode_sharding(sharding, self.types)},
            loc=self.op.location,
            ip=point,
        )
        self.lying.known[made.results[0]] = sharding
        return made.results[0]

    def _tell(self, axes: set[str]) -> None:
        names = ", ".join(f'"{name}"' for name in sorted(axes))
        what = f"@{target_of(self.op)}" if target_of(self.op) else ""
        message = f"'{self.op.name}' {what}".rstrip() + (
            f" needs whole what is split over {names}: every device of a group computes all of it"
        )
        self.pass_.count("computed whole")
        if is_known(self.op):
            self.pass_.remark(message, self.op, code=COMPUTED_WHOLE)
            return
        if self.op.name == "stablehlo.composite":
            message += "; dxir-decompose before, and it is split"
        self.pass_.warn(message, self.op, code=COMPUTED_WHOLE)


def _rank(value: IrValue) -> int:
    return value.type.rank if isinstance(value.type, ir.RankedTensorType) else 0


def _without(sharding: Sharding, dims: Iterable[int]) -> Sharding | None:
    """The sharding with these dimensions whole; None where they are."""
    wanted = set(dims)
    if not any(dim.size(sharding.mesh) > 1 for i, dim in enumerate(sharding.dims) if i in wanted):
        return None
    kept = [DimSharding() if i in wanted else dim for i, dim in enumerate(sharding.dims)]
    return Sharding(sharding.mesh, *kept)


def _axes(sharding: Sharding) -> set[str]:
    return {axis.name for dim in sharding.dims for axis in dim.axes}


def _behind(op: IrOperation) -> ir.InsertionPoint:
    return ir.InsertionPoint.after(op)
