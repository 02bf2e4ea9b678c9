"""Shardy's own collectives: what moving a value from one sharding to another takes.

Propagation and the partitioner make these; a front end hardly does. The operand's sharding must be
known (a parameter with a sharding, or the result of an op that has one), and `out_sharding` must be
what the op makes of it. On whole tensors all of them are the identity.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import checks, ops
from dxir.derivatives import Cotangent, Undefined, rebuild
from dxir.dialects.enclosed import whole
from dxir.dialects.sharding import as_sharding
from dxir.errors import AttributeValueError, EvaluationError, ShardingError
from dxir.examples import Example, Sharded
from dxir.graph import Function, Value
from dxir.op import Primitive, attribute
from dxir.sharding import REDUCTIONS, AxisRef, Mesh, Sharding, check_axes
from dxir.types import TensorType, f32

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]
Axes = tuple[AxisRef, ...]

_MESH = Mesh("mesh", {"a": 2, "b": 2, "c": 4})
_AB = Sharded(f32[8, 8], Sharding(_MESH, ("a", "b"), None))
_A = Sharded(f32[8, 8], Sharding(_MESH, "a", None))


def sharding_of(value: Value) -> Sharding | None:
    """The sharding that a value is given where it is made, if any."""
    node = value.producer
    if node is None:
        region = value.region
        return region.param_shardings[value.index] if isinstance(region, Function) else None
    for name in ("out_sharding", "spec"):
        if isinstance(node.attrs.get(name), Sharding):
            found: Sharding = node.attrs[name]
            return found
    return None if node.sharding is None else node.sharding[value.index]


def as_axes(given: object, mesh: Mesh, what: str) -> Axes:
    """Axes of a mesh: names, parts of axes, or a sequence of them."""
    if isinstance(given, (str, AxisRef)):
        given = (given,)
    if not isinstance(given, Sequence):
        raise AttributeValueError(f"{what} is {given!r}", hint="give axes of the mesh")
    axes = tuple(AxisRef.of(a) for a in given)
    check_axes(mesh, axes, what)
    return axes


def in_mesh_order(axes: Axes, mesh: Mesh, what: str) -> Axes:
    """The axes, sorted as the mesh has them; at least one."""
    if not axes:
        raise AttributeValueError(f"{what} are empty", hint="give at least one axis")
    names = [name for name, _ in mesh.axes]
    return tuple(sorted(axes, key=lambda a: (names.index(a.name), a.sub or (1, 0))))


def laid(x: Value, sharding: Sharding) -> Value:
    """A value with a sharding, moved there unless it is known to have it."""
    if sharding_of(x) == sharding:
        return x
    moved: Value = ops.reshard(x, sharding)
    return moved


def _leading(sharding: Sharding) -> Sharding:
    """The sharding of a batch of values, of which the batch is not split."""
    return Sharding(
        sharding.mesh,
        None,
        *sharding.dims,
        replicated=sharding.replicated,
        unreduced=sharding.unreduced,
        reduction=sharding.reduction,
    )


class Resharding(Primitive):
    """Base of Shardy's collectives."""

    x: Value
    out_sharding: Sharding = attribute("sharding")

    def prepare(self) -> None:
        self.update(out_sharding=as_sharding(self.out_sharding, self.x))

    def infer(self) -> TensorType:
        type = self.x.tensor
        self.out_sharding.check(type, "the result")
        given = sharding_of(self.x)
        if given is None:
            raise ShardingError(
                "the sharding of the operand is not known",
                hint="give it where the operand is made: sharding=Sharding(mesh, ...)",
            )
        if given.mesh.axes != self.out_sharding.mesh.axes:
            raise ShardingError(
                f"the operand lies on mesh {given.mesh.name!r} with axes {given.mesh.axes}, "
                f"the result on {self.out_sharding.mesh.name!r} with other axes"
            )
        return type

    def lacks(self, rule: str) -> Undefined | None:
        if rule != "batch" and self.attrs.get("reduction") in ("MAX", "MIN"):
            return Undefined("which of its terms is the largest or smallest is not known")
        return None

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent]:
        """The cotangent moved to where the operand lies; where that is in terms, it is whole."""
        given = sharding_of(self.x)
        assert given is not None
        return (lambda: laid(g, whole(given)),)

    def jvp(self, tangents: Sequence[Value | None], y: Value) -> Value:
        (tangent,), given = tangents, sharding_of(self.x)
        assert tangent is not None
        assert given is not None
        moved: Value = rebuild(self, (laid(tangent, given),))
        return moved

    def batch(self, batch: Batch) -> Value:
        """The op, on a batch that is not split."""
        given = sharding_of(self.x)
        assert given is not None
        x = laid(batch.operands[0], _leading(given))
        found: Value = batch.rebuild(
            (x,), out_sharding=_leading(self.out_sharding), **self.moved_on()
        )
        return found

    def moved_on(self) -> dict[str, Any]:
        """The attributes that name dimensions, for those that have one more in front."""
        return {}

    def per_dimension(self, given: Any, what: str) -> tuple[Axes, ...]:
        """One tuple of axes for each dimension, without an axis in two of them."""
        if isinstance(given, str) or not isinstance(given, Sequence):
            raise AttributeValueError(f"{what} is {given!r}", hint="give axes for each dimension")
        mesh = self.out_sharding.mesh
        rows = tuple(as_axes(() if a is None else a, mesh, what) for a in given)
        checks.length(rows, self.x.tensor.rank, what)
        check_axes(mesh, [a for row in rows for a in row], what)
        return rows

    def reference(self, x: Array) -> Array:
        if self.out_sharding.unreduced:
            raise EvaluationError(f"{self.op}: a whole array cannot hold unreduced parts")
        return x


class SdyAllGather(Resharding, name="sdy_all_gather", mlir="sdy.all_gather", rounding="moves"):
    """`x`, no longer split along the `axes` of each dimension (the last ones of its sharding)."""

    axes: tuple[Axes, ...] = attribute("sdy_axis_lists", mlir="gathering_axes")

    examples = (
        Example(x=_AB, axes=(("b",), ()), out_sharding=Sharding(_MESH, "a", None), runs=False),
    )

    def prepare(self) -> None:
        super().prepare()
        self.update(axes=self.per_dimension(self.axes, "axes"))

    def moved_on(self) -> dict[str, Any]:
        return {"axes": ((), *self.axes)}


class SdyAllSlice(Resharding, name="sdy_all_slice", mlir="sdy.all_slice", rounding="moves"):
    """`x`, split further along the `axes` of each dimension."""

    axes: tuple[Axes, ...] = attribute("sdy_axis_lists", mlir="slicing_axes")

    examples = (
        Example(
            x=_A, axes=(("b",), ("c",)), out_sharding=Sharding(_MESH, ("a", "b"), "c"), runs=False
        ),
    )

    def prepare(self) -> None:
        super().prepare()
        self.update(axes=self.per_dimension(self.axes, "axes"))

    def moved_on(self) -> dict[str, Any]:
        return {"axes": ((), *self.axes)}


class SdyAllToAll(Resharding, name="sdy_all_to_all", mlir="sdy.all_to_all", rounding="moves"):
    """`x`, with axes moved from one dimension to another: `exchanges` holds (axes, from, to)."""

    exchanges: tuple[tuple[Axes, int, int], ...] = attribute("sdy_exchanges", mlir="params")

    examples = (
        Example(
            x=_AB, exchanges=((("b",), 0, 1),), out_sharding=Sharding(_MESH, "a", "b"), runs=False
        ),
    )

    def prepare(self) -> None:
        super().prepare()
        rank, mesh = self.x.tensor.rank, self.out_sharding.mesh
        rows = sorted(
            (
                (
                    as_axes(axes, mesh, "exchanges"),
                    checks.axis(source, rank, "source"),
                    checks.axis(target, rank, "target"),
                )
                for axes, source, target in self.exchanges
            ),
            key=lambda row: row[1],
        )
        if not rows:
            raise AttributeValueError("exchanges is empty", hint="give (axes, from, to)")
        dims = [d for _, source, target in rows for d in (source, target)]
        if len(set(dims)) != len(dims):
            raise AttributeValueError(f"exchanges use a dimension twice: {dims}")
        self.update(exchanges=tuple(rows))

    def moved_on(self) -> dict[str, Any]:
        return {"exchanges": tuple([(axes, i + 1, j + 1) for axes, i, j in self.exchanges])}


class SdyCollectivePermute(
    Resharding, name="sdy_collective_permute", mlir="sdy.collective_permute", rounding="moves"
):
    """`x`, split into as many parts as before along other axes, or on a mesh of another order."""

    examples = (
        Example(x=_AB, out_sharding=Sharding(_MESH, "c", None), runs=False),
        Example(
            x=_AB,
            out_sharding=Sharding(_MESH, ("b", AxisRef("c", (1, 2))), None),
            runs=False,
        ),
    )

    def infer(self) -> TensorType:
        type = super().infer()
        given = sharding_of(self.x)
        assert given is not None
        for i, (a, b) in enumerate(zip(given.dims, self.out_sharding.dims, strict=True)):
            if a.size(given.mesh) != b.size(self.out_sharding.mesh):
                raise ShardingError(
                    f"dimension {i} is split by {a} before and by {b} after, "
                    "which are not equally many parts"
                )
        return type


class SdyReducing(Resharding):
    """Base of the collectives that combine terms: `reduction` is SUM, MAX or MIN.

    All but SUM needs jaxlib 0.12 or later.
    """

    reduction: str | None = attribute("sdy_reduction", default=None, mlir="reduction_op")

    def prepare(self) -> None:
        super().prepare()
        if self.reduction is not None:
            checks.one_of(self.reduction, REDUCTIONS, "reduction")


class SdyAllReduce(SdyReducing, name="sdy_all_reduce", mlir="sdy.all_reduce", rounding="moves"):
    """`x`, whose terms along `axes` are combined on every device."""

    axes: Axes = attribute("sdy_axes", mlir="reduction_axes")

    examples = (
        Example(x=_A, axes=("b", "c"), out_sharding=Sharding(_MESH, "a", None), runs=False),
        Example(
            x=Sharded(f32[8], Sharding(_MESH, "a", unreduced=("b",))),
            axes=("b",),
            out_sharding=Sharding(_MESH, "a"),
            runs=False,
        ),
    )

    def prepare(self) -> None:
        super().prepare()
        mesh = self.out_sharding.mesh
        self.update(axes=in_mesh_order(as_axes(self.axes, mesh, "axes"), mesh, "axes"))


class SdyReduceScatter(
    SdyReducing, name="sdy_reduce_scatter", mlir="sdy.reduce_scatter", rounding="moves"
):
    """`x`, whose terms along `axes` are combined, and the result split along them."""

    axes: tuple[Axes, ...] = attribute("sdy_axis_lists", mlir="reduce_scatter_axes")

    examples = (
        Example(
            x=_A, axes=(("b",), ()), out_sharding=Sharding(_MESH, ("a", "b"), None), runs=False
        ),
    )

    def prepare(self) -> None:
        super().prepare()
        self.update(axes=self.per_dimension(self.axes, "axes"))

    def moved_on(self) -> dict[str, Any]:
        return {"axes": ((), *self.axes)}


class ShardedToUnreduced(
    Resharding, name="sharded_to_unreduced", mlir="sdy.sharded_to_unreduced", rounding="moves"
):
    """`x`, whose parts along `axes` become terms of the whole: zeros where other parts were."""

    axes: tuple[Axes, ...] = attribute("sdy_axis_lists")

    examples = (
        Example(
            x=_AB,
            axes=(("b",), ()),
            out_sharding=Sharding(_MESH, "a", None, unreduced=("b",)),
            runs=False,
        ),
    )

    def prepare(self) -> None:
        super().prepare()
        self.update(axes=self.per_dimension(self.axes, "axes"))

    def moved_on(self) -> dict[str, Any]:
        return {"axes": ((), *self.axes)}


class ReplicatedToUnreduced(
    Resharding, name="replicated_to_unreduced", mlir="sdy.replicated_to_unreduced", rounding="moves"
):
    """`x`, whose copies along `axes` become terms of the whole: all but one of them zeros."""

    axes: Axes = attribute("sdy_axes")

    examples = (
        Example(
            x=_A,
            axes=("b",),
            out_sharding=Sharding(_MESH, "a", None, unreduced=("b",)),
            runs=False,
        ),
    )

    def prepare(self) -> None:
        super().prepare()
        mesh = self.out_sharding.mesh
        self.update(axes=in_mesh_order(as_axes(self.axes, mesh, "axes"), mesh, "axes"))
