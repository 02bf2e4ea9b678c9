"""Where tensors lie on the devices of a mesh: constraints, and code written for one device."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np

from dxir import checks
from dxir.derivatives import Cotangent, rebuild
from dxir.dialects.enclosed import Manual, Named, batched_body, pulled_body, pushed_body, whole
from dxir.dialects.local_types import global_type, local_type
from dxir.dialects.manual_axes import surrounded, within
from dxir.errors import EvaluationError, OperandError, ShardingError
from dxir.examples import Example
from dxir.graph import Region, Value, walk
from dxir.lockstep import Crew, Process, current_process
from dxir.mesh_layout import coordinates, device_groups, device_ids, part_of
from dxir.op import Primitive, attribute
from dxir.partition_spec import P, rank_of, resolved
from dxir.sharding import AxisRef, DimSharding, Mesh, Sharding
from dxir.types import TensorType, Type, bf16, f32, i32

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch
    from dxir.transforms.flagging import Flagging
    from dxir.transforms.forward import Forward
    from dxir.transforms.reverse import Pull, Reverse

Array = np.ndarray[Any, Any]

_MESH = Mesh("mesh", {"x": 2, "y": 4})
_LINE = Mesh("line", {"x": 1})


class Placed(Primitive):
    """Base of the ops that give a value a sharding and leave it as it is."""

    x: Value
    spec: Sharding = attribute("sharding", mlir="sharding", positional=True)

    def prepare(self) -> None:
        self.update(spec=as_sharding(self.spec, self.x))

    def infer(self) -> TensorType:
        self.spec.check(self.x.tensor, "the operand")
        return self.x.tensor

    linear = ("x",)

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent]:
        """The cotangent lies as the value does; where that is in terms, it is whole."""
        return (lambda: rebuild(self, (g,), spec=whole(self.spec)),)

    def batch(self, batch: Batch) -> Value:
        """The op; how the batch is split is left open."""
        spec = self.spec
        lead = DimSharding(open=True)
        if not spec.mesh.is_single_device:
            spec = Sharding(
                spec.mesh,
                lead,
                *spec.dims,
                replicated=spec.replicated,
                unreduced=spec.unreduced,
                reduction=spec.reduction,
            )
        found: Value = batch.rebuild(batch.operands, spec=spec)
        return found

    def reference(self, x: Array) -> Array:
        return x


class ShardingConstraint(
    Placed, name="sharding_constraint", mlir="sdy.sharding_constraint", rounding="moves"
):
    """`x`, which propagation must give the sharding `spec`; open dimensions may get more axes."""

    examples = (
        Example(x=f32[4, 8], spec=Sharding(_MESH, "x", None), runs=False),
        Example(
            x=bf16[8, 3, 2],
            spec=Sharding(
                _MESH, DimSharding((AxisRef("y", (1, 2)),), open=True, priority=1), None, "x"
            ),
            runs=False,
        ),
        Example(x=i32[6], spec=Sharding(_MESH, None, replicated=("y",)), runs=False),
        Example(x=f32[()], spec=Sharding(_MESH, unreduced=("x",)), runs=False),
        Example(x=f32[2, 3], spec=Sharding(_LINE, "x", None), runs=False),
    )


class Reshard(Placed, name="reshard", mlir="sdy.reshard", rounding="moves"):
    """`x`, moved to the sharding `spec`, whatever sharding it has: what propagation leaves."""

    examples = (
        Example(x=f32[4, 8], spec=Sharding(_MESH, ("x",), "y"), runs=False),
        Example(x=i32[0], spec=Sharding(_MESH, None), runs=False),
    )


def as_sharding(
    given: object, value: Value | None = None, *, values: Sequence[Value] = ()
) -> Sharding:
    """`given`, when it is a sharding, or a partition spec for a value.

    Without one it gets no more dimensions; `values` tell the function that it stands in.
    """
    rank = None if value is None else rank_of(value)
    found = resolved(given, rank=rank, values=values if value is None else (value,))
    if isinstance(found, Sharding):
        return found
    raise ShardingError(
        f"a Sharding is needed, not {type(given).__name__} ({given!r})",
        hint='write it as mesh.sharding("x", None), or P("x", None)',
    )


class ManualComputation(
    Primitive, name="manual_computation", mlir="sdy.manual_computation", rounding="moves"
):
    """Run `body` on every device, on its own part of each input; join the parts it returns.

    `in_shardings` and `out_shardings` say how inputs and results lie on the mesh. The body sees
    shapes divided along `manual_axes` (all of the mesh, where none are given), and talks to other
    devices through collectives only, which `dxir.collectives` has over names of axes; other axes
    are left to propagation. Manual axes must divide the dimensions they split.
    """

    inputs: tuple[Value, ...]
    body: Region
    in_shardings: tuple[Sharding, ...] = attribute("shardings")
    out_shardings: tuple[Sharding, ...] = attribute("shardings")
    manual_axes: tuple[str, ...] | None = attribute("manual_axes", default=None)

    terminator: ClassVar[str] = "sdy.return"
    examples = (
        Example(
            inputs=(f32[4, 8],),
            body=lambda x: x + x,
            in_shardings=(Sharding(_MESH, "x", "y"),),
            out_shardings=(Sharding(_MESH, "x", "y"),),
            manual_axes=("x",),
            runs=False,
        ),
        Example(
            inputs=(f32[8, 2], bf16[2]),
            body=lambda x, y: (y, x),
            in_shardings=(Sharding(_MESH, ("x", "y"), None), Sharding(_MESH, None)),
            out_shardings=(Sharding(_MESH, None), Sharding(_MESH, ("x", "y"), None)),
            manual_axes=("x", "y"),
            runs=False,
        ),
    )

    def prepare(self) -> None:
        ins = _shardings(self.in_shardings, self.inputs)
        outs = _sequence(self.out_shardings)
        mesh = self._mesh_of([*ins, *[as_sharding(s, values=self.inputs) for s in outs]])
        given: Any = self.manual_axes
        if given is None:
            given = [] if mesh is None else [name for name, _ in mesh.axes]
        manual = (given,) if isinstance(given, str) else tuple(given)
        self.update(in_shardings=ins, out_shardings=outs, manual_axes=manual)
        if mesh is None:
            if manual:
                raise ShardingError("manual_axes are given, but no sharding names their mesh")
            return
        for name in manual:
            mesh.axis_size(name)
        if len(set(manual)) != len(manual):
            raise ShardingError(f"manual_axes {manual} name an axis twice")
        given = self.regions  # not traced yet
        if callable(given[0]):
            self.regions = cast("Any", (surrounded(given[0], mesh, manual),))

    @staticmethod
    def _mesh_of(shardings: Sequence[Sharding]) -> Mesh | None:
        meshes = [s.mesh for s in shardings]
        for mesh in meshes:
            if mesh != meshes[0]:
                raise ShardingError(
                    f"its shardings are on meshes {meshes[0].name!r} and {mesh.name!r}",
                    hint="all of them must be on one mesh",
                )
        return meshes[0] if meshes else None

    @property
    def _manual(self) -> tuple[str, ...]:
        return self.manual_axes or ()

    def _surroundings(self) -> AbstractContextManager[None]:
        return within(self._mesh_of((*self.in_shardings, *self.out_shardings)), self._manual)

    def region_params(self) -> Sequence[Sequence[Type]]:
        checks.length(self.in_shardings, len(self.inputs), "in_shardings")
        for value, sharding in zip(self.inputs, self.in_shardings, strict=True):
            sharding.check(value.type, "an input")
        pairs = zip(self.inputs, self.in_shardings, strict=True)
        return [[local_type(v.tensor, s, self._manual) for v, s in pairs]]

    def infer(self) -> Sequence[TensorType]:
        checks.captures_nothing(
            self.body,
            "the body",
            constants=False,
            hint="give it as an input, too; P() in in_shardings gives every device all of it",
        )
        checks.length(self.out_shardings, len(self.body.results), "out_shardings")
        results = self.body.results
        outs = [as_sharding(s, v) for s, v in zip(self.out_shardings, results, strict=True)]
        self.update(out_shardings=tuple(outs))
        found = []
        for value, sharding in zip(self.body.results, self.out_shardings, strict=True):
            if len(sharding.dims) != value.tensor.rank:
                sharding.check(value.type, "a result of the body")
            found.append(global_type(value.tensor, sharding, self._manual))
            sharding.check(found[-1], "a result")
        return tuple(found)

    def pullback(self, sweep: Reverse) -> tuple[Sequence[Value], Pull]:
        with self._surroundings():  # rules of the user's may speak to other devices
            return pulled_body(self, Manual(self), sweep)

    def pushforward(self, sweep: Forward) -> tuple[Sequence[Value], Sequence[Value | None]]:
        with self._surroundings():
            return pushed_body(self, Manual(self), sweep)

    def batch(self, batch: Batch) -> Sequence[Any]:
        """The op on a batch, of which every device has all."""
        with self._surroundings():
            return batched_body(self, Manual(self), batch)

    def batch_flags(self, given: Sequence[bool], flagging: Flagging) -> Sequence[bool]:
        return flagging.region(self.body, given)

    def reference(self, *inputs: Array, body: Callable[..., Any]) -> tuple[Array, ...]:
        if not self._manual:
            return tuple(body(*inputs))
        here = current_process()
        if here is not None:
            return self._joined(here, inputs, body)
        rows = self._rows()
        if any(node.op == self.op for node in walk(self.body)):  # which joins other devices
            rows = (tuple(sorted(itertools.chain(*rows))),)

        def work() -> tuple[Array, ...]:
            process = current_process()
            assert process is not None
            return self._joined(process, inputs, body)

        crew = Crew([(0, id) for id in rows[0]], 1, self._mesh.size)
        found: tuple[Array, ...] = crew.run([work] * len(rows[0]))[0]
        return found

    @property
    def _mesh(self) -> Mesh:
        return (*self.in_shardings, *self.out_shardings)[0].mesh

    def _rows(self) -> tuple[tuple[int, ...], ...]:
        """The devices that hold the parts of one whole: they differ along the manual axes alone."""
        return device_groups(self._mesh, [AxisRef(name) for name in self._manual])

    def _joined(
        self, here: Process, inputs: Sequence[Array], body: Callable[..., Any]
    ) -> tuple[Array, ...]:
        """What the devices make of their parts; `here` is one of them."""
        mesh, crew = self._mesh, here.crew
        if (crew.replicas, crew.partitions) != (1, mesh.size):
            raise EvaluationError(
                f"{self.op}: it is of {mesh.size} devices, but evaluated by {crew.replicas} "
                f"replicas of {crew.partitions} partitions"
            )
        known = zip(device_ids(mesh), coordinates(mesh), strict=True)
        places = {(0, id): at for id, at in known}
        group = here.group_of(self, lambda: [tuple([(0, i) for i in row]) for row in self._rows()])
        assert group is not None

        def part(x: Array, sharding: Sharding, at: dict[str, int]) -> Array:
            return x[part_of(x.shape, sharding, at, self._manual)]

        def join(given: Sequence[Sequence[Array]]) -> list[tuple[Array, ...]]:
            outs = [np.empty(r.tensor.static_shape, r.dtype.numpy) for r in self.results]
            for id, parts in zip(group, given, strict=True):
                for out, local, sharding in zip(outs, parts, self.out_shardings, strict=True):
                    part(out, sharding, places[id])[...] = local
            return [tuple(outs)] * len(group)

        pairs = zip(inputs, self.in_shardings, strict=True)
        local = body(*[part(x, sharding, places[here.id]) for x, sharding in pairs])
        found: tuple[Array, ...] = here.meet(self, group, local, join)
        return found


def _sequence(given: object) -> tuple[Any, ...]:
    if isinstance(given, (Sharding, P)):
        return (given,)
    if not isinstance(given, Sequence):
        raise OperandError(f"shardings are needed, one for each value, not {given!r}")
    return tuple(given)


def _shardings(given: object, values: Sequence[Value]) -> tuple[Sharding, ...]:
    """Shardings for values, as many as are given."""
    found = _sequence(given)
    known = [*values, *[None] * (len(found) - len(values))]
    return tuple([as_sharding(s, v, values=values) for s, v in zip(found, known, strict=False)])


class NamedComputation(
    Primitive, name="named_computation", mlir="sdy.named_computation", rounding="moves"
):
    """Run `body` on the inputs under a label; shardings propagate as if it were written in place.

    `in_shardings` and `out_shardings`, where given, hold for its parameters and results.
    """

    inputs: tuple[Value, ...]
    body: Region
    label: str = attribute("string", mlir="name")
    in_shardings: tuple[Sharding, ...] | None = attribute("shardings", default=None)
    out_shardings: tuple[Sharding, ...] | None = attribute("shardings", default=None)

    terminator: ClassVar[str] = "sdy.return"
    examples = (
        Example(inputs=(f32[2, 3],), body=lambda x: x + x, label="double", runs=False),
        Example(
            inputs=(f32[4], i32[()]),
            body=lambda x, y: (y, x),
            label="swap",
            in_shardings=(Sharding(_MESH, "x"), Sharding(_MESH)),
            out_shardings=(Sharding(_MESH), Sharding(_MESH, None)),
            runs=False,
        ),
    )

    def prepare(self) -> None:
        if self.in_shardings is not None:
            self.update(in_shardings=_shardings(self.in_shardings, self.inputs))

    def region_params(self) -> Sequence[Sequence[Type]]:
        self._check(self.inputs, self.in_shardings, "in_shardings")
        return [[v.type for v in self.inputs]]

    def infer(self) -> Sequence[Type]:
        if self.out_shardings is not None:
            self.update(out_shardings=_shardings(self.out_shardings, self.body.results))
        self._check(self.body.results, self.out_shardings, "out_shardings")
        return self.body.result_types

    def _check(
        self, values: Sequence[Value], shardings: Sequence[Sharding] | None, what: str
    ) -> None:
        if shardings is None:
            return
        checks.length(shardings, len(values), what)
        for value, sharding in zip(values, shardings, strict=True):
            sharding.check(value.type, f"a value of {what}")

    def pullback(self, sweep: Reverse) -> tuple[Sequence[Value], Pull]:
        return pulled_body(self, Named(self), sweep)

    def pushforward(self, sweep: Forward) -> tuple[Sequence[Value], Sequence[Value | None]]:
        return pushed_body(self, Named(self), sweep)

    def batch(self, batch: Batch) -> Sequence[Any]:
        """The op on a batch."""
        return batched_body(self, Named(self), batch)

    def batch_flags(self, given: Sequence[bool], flagging: Flagging) -> Sequence[bool]:
        return flagging.region(self.body, given)

    def reference(self, *inputs: Array, body: Callable[..., Any]) -> tuple[Array, ...]:
        return tuple(body(*inputs))
