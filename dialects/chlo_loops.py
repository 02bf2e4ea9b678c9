"""CHLO's loop along one dimension of tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import checks, ops
from dxir.derivatives import moveaxis
from dxir.errors import ShapeError
from dxir.examples import Example
from dxir.graph import Region, Value, building, current_region
from dxir.op import Primitive, attribute, inline
from dxir.transforms.reverse import replaced
from dxir.types import TensorType, Type, f32, i32

if TYPE_CHECKING:
    from dxir.lowering import Emitter, IrValue
    from dxir.transforms.batching import Batch, Unbatched
    from dxir.transforms.forward import Forward
    from dxir.transforms.reverse import Pull, Reverse

Array = np.ndarray[Any, Any]


class ChloScan(Primitive, name="chlo_scan", mlir="chlo.scan", rounding="moves"):
    """`*outputs, *carry = body(*slices, *carry)` along `dimension`, as one operation of CHLO.

    Gives the outputs, each with `dimension` of the inputs put in, and then the last carry, as one
    tuple. Without inputs `scan_dim_size` says the number of steps. Few backends take it: `scan`
    says the same with a loop.
    """

    inputs: tuple[Value, ...]
    inits: tuple[Value, ...]
    body: Region
    dimension: int = attribute("i64")
    scan_dim_size: int | None = attribute("i64", default=None)
    is_reverse: bool | None = attribute("bool", default=None)
    is_associative: bool | None = attribute("bool", default=None)

    examples = (
        Example(
            inputs=(f32[4, 2],), inits=(f32[2],), body=lambda x, c: (c + x, c + x), dimension=0,
            is_associative=True, runs=False,
        ),
        Example(
            inputs=(f32[2, 3], i32[2, 3]), inits=(i32[2],), body=lambda x, n, c: (x, c + n, c - n),
            dimension=-1, is_reverse=True, runs=False,
        ),
        Example(
            inputs=(), inits=(f32[2],), body=lambda c: (c, c + c), dimension=0, scan_dim_size=3,
            runs=False,
        ),
    )  # fmt: skip

    @property
    def axis(self) -> int:
        """The dimension, counted from the start."""
        rank = self.inputs[0].tensor.rank if self.inputs else self.inits[0].tensor.rank + 1
        return checks.axis(self.dimension, rank, "dimension")

    @property
    def steps(self) -> int:
        """How often the body runs."""
        if self.inputs:
            return self.inputs[0].tensor.static_shape[self.axis]
        return self.scan_dim_size or 0

    def prepare(self) -> None:
        if not self.inputs and (not self.inits or self.scan_dim_size is None):
            raise ShapeError("there are no inputs", hint="give inits and scan_dim_size")
        self.update(dimension=self.axis)
        for value in self.inputs:
            size = checks.rank_at_least(value, self.axis + 1, "an input").shape[self.axis]
            if size != self.steps or self.scan_dim_size not in (None, size):
                raise ShapeError(
                    f"the inputs (and scan_dim_size) have different sizes on axis {self.axis}: "
                    f"{size}, {self.steps}, {self.scan_dim_size}"
                )

    def _without_axis(self, value: Value) -> TensorType:
        type, axis = value.tensor, self.axis
        return type.with_shape((*type.shape[:axis], *type.shape[axis + 1 :]))

    def region_params(self) -> Sequence[Sequence[Type]]:
        return [[*(self._without_axis(v) for v in self.inputs), *(v.type for v in self.inits)]]

    def infer(self) -> tuple[Type, ...]:
        found, axis = self.body.results, self.axis
        count = len(found) - len(self.inits)
        if count < 0:
            raise ShapeError(
                f"the body returns {len(found)} values, but {len(self.inits)} are carried"
            )
        for given, init in zip(found[count:], self.inits, strict=True):
            if not checks.same_type(given.type, init.type):
                raise ShapeError(f"the body returns {given.type}, but the init is {init.type}")
        outputs = [r.tensor for r in found[:count]]
        if any(t.rank < axis for t in outputs):
            raise ShapeError(f"an output has no place for dimension {axis}: {outputs}")
        return (
            *(t.with_shape((*t.shape[:axis], self.steps, *t.shape[axis:])) for t in outputs),
            *(v.type for v in self.inits),
        )

    def as_scan(self) -> Region:
        """A region that gives the results with `scan`, which runs along the first axis."""
        count, axis = len(self.inputs), self.axis

        def step(*given: Value) -> list[Value]:
            carry, slices = given[: len(self.inits)], given[len(self.inits) :]
            results = inline(self.body, (*slices, *carry))
            outputs = len(results) - len(carry)
            return [*results[outputs:], *results[:outputs]]

        region = Region((), current_region())
        with building(region):
            xs = tuple([moveaxis(v, axis, 0) for v in self.operands[:count]])
            found = ops.scan(step, self.inits, xs, length=self.steps, reverse=bool(self.is_reverse))
            ys = [moveaxis(y, 0, axis) for y in found[len(self.inits) :]]
            region.seal([*ys, *found[: len(self.inits)]])
        return region

    def pullback(self, sweep: Reverse) -> tuple[Sequence[Value], Pull]:
        scan = self.as_scan()
        used = [r for r, reached in zip(scan.results, sweep.reached, strict=True) if reached]
        return sweep.inlined(scan, (), used), replaced

    def pushforward(self, sweep: Forward) -> tuple[Sequence[Value], Sequence[Value | None]]:
        return sweep.inlined(self.as_scan(), ())

    def batch(self, batch: Batch) -> Sequence[Value | Unbatched]:
        """The same operation, along the next dimension."""
        flags = [True] * len(self.operands)

        def step(*given: Value) -> list[Value]:
            found = batch.run(self.body, given, flags)
            return [v if flag else batch.spread(v) for v, flag in found]

        count, given = len(self.inputs), batch.full_operands()
        found: Sequence[Value] = ops.chlo_scan(
            given[:count],
            given[count:],
            step,
            dimension=self.axis + 1,
            scan_dim_size=self.scan_dim_size,
            is_reverse=self.is_reverse,
            is_associative=self.is_associative,
        )
        return found

    def lower(self, e: Emitter, *operands: IrValue) -> Sequence[IrValue]:
        attributes = e.declared_attributes(self)
        carried = len(self.inits)
        sizes = (len(self.inputs), carried)
        attributes["operandSegmentSizes"] = e.attribute("i32_array", sizes)
        outputs = (len(self.results) - carried, carried)
        attributes["resultSegmentSizes"] = e.attribute("i32_array", outputs)
        types = [r.type for r in self.results]
        return e.emit("chlo.scan", operands, types, attributes, self.regions)

    def reference(self, *operands: Array, body: Callable[..., Any]) -> tuple[Array, ...]:
        inputs, carry = operands[: len(self.inputs)], operands[len(self.inputs) :]
        count, axis = len(self.results) - len(carry), self.axis
        types = [r.tensor for r in self.results[:count]]
        outputs = [np.zeros(t.static_shape, t.primitive.numpy) for t in types]
        steps = range(self.steps)
        for i in reversed(steps) if self.is_reverse else steps:
            results = body(*(np.asarray(x.take(i, axis)) for x in inputs), *carry)
            carry = results[count:]
            for output, value in zip(outputs, results, strict=False):
                np.moveaxis(output, axis, 0)[i] = value
        return (*outputs, *carry)
