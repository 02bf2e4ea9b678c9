"""Putting values into the place that each window chooses: the gradient of a max pool."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import checks, ops
from dxir.derivatives import rebuild, zeros
from dxir.dialects.fold_trees import folded_op, in_types
from dxir.dialects.folding import accumulate_of, accumulators
from dxir.dialects.window import Pairs, Window, behind_batch, padding_pairs, prepare_window
from dxir.dialects.window_rules import chosen_tangent, selector
from dxir.errors import ShapeError, TransformError
from dxir.examples import Example
from dxir.graph import Region, Value, place
from dxir.op import Primitive, attribute
from dxir.types import DType, TensorType, Type, bf16, f32, i1, i32

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch
    from dxir.transforms.forward import Forward
    from dxir.transforms.reverse import Pull, Reverse

Array = np.ndarray[Any, Any]


class SelectAndScatter(
    Primitive, name="select_and_scatter", mlir="stablehlo.select_and_scatter", rounding="sums"
):
    """Pick one element under each window by `select`, and fold `source` into its place.

    `select(a, b)` is true where `a` is the better one; `scatter(sum, value)` folds values that go
    to one place, from `init` everywhere. `source` has one element for each place of the window.
    It is the gradient of a max pool. Its own derivative is that of a sum: `x` only says where.
    """

    x: Value
    source: Value
    init: Value
    select: Region
    scatter: Region
    window_dimensions: tuple[int, ...] = attribute("i64_array")
    window_strides: tuple[int, ...] | None = attribute("i64_array", default=None)
    padding: Pairs | None = attribute("i64_matrix", default=None)
    accumulate: DType | None = attribute(default=None)

    examples = (
        Example(
            x=f32[4, 6], source=f32[2, 3], init=np.float32(0), select=lambda a, b: a >= b,
            scatter=lambda a, b: a + b, window_dimensions=(2, 2), window_strides=(2, 2),
            hostile=False,
        ),
        Example(
            x=i32[5], source=i32[5], init=np.int32(0), select=lambda a, b: a > b,
            scatter=lambda a, b: a + b, window_dimensions=(3,), padding="SAME",
        ),
        Example(
            x=bf16[4], source=bf16[3], init=np.zeros((), bf16.numpy), select=lambda a, b: a >= b,
            scatter=lambda a, b: a + b, window_dimensions=(2,), accumulate=f32, runs=False,
        ),
    )  # fmt: skip

    @classmethod
    def attributes_from_types(
        cls, operand_types: Sequence[Type], result_types: Sequence[Type]
    ) -> dict[str, Any]:
        """`accumulate`, when the result is wider than the operand."""
        found = accumulate_of(operand_types[:1], result_types)["accumulate"]
        return {"accumulate": None if found is None else found[0]}

    def prepare(self) -> None:
        shape = self.x.shape
        prepare_window(self, shape)
        wanted = None if self.accumulate is None else accumulators((self.x,), (self.accumulate,))
        self.update(accumulate=None if wanted is None else wanted[0])
        if self.padding is not None:
            open_window = Window.make(self.window_dimensions, self.window_strides)
            self.update(padding=padding_pairs(self.padding, shape, open_window))

    @property
    def window(self) -> Window:
        """The window, with everything that was left out filled in."""
        return Window.make(self.window_dimensions, self.window_strides, self.padding)

    def region_params(self) -> Sequence[Sequence[Type]]:
        element = TensorType((), self.x.tensor.dtype)
        summed = TensorType((), self.accumulate or self.x.tensor.dtype)
        return [(element, element), (summed, summed)]

    def infer(self) -> TensorType:
        x = self.x.tensor
        checks.same_dtype((self.x, self.source, self.init))
        checks.rank_is(self.init, 0, "init")
        places = self.window.steps(x.shape)
        if self.source.shape != places:
            checks.shapes_equal(places, self.source.shape, "the window's places", "source")
        if self.select.result_types != (i1[()],):
            raise ShapeError(f"select must return i1[], but returns {self.select.result_types}")
        dtype = self.accumulate or x.dtype
        if self.scatter.result_types != (TensorType((), dtype),):
            raise ShapeError(
                f"scatter must return {dtype}[], but returns {self.scatter.result_types}"
            )
        return TensorType(x.shape, dtype)

    def _check_sum(self) -> None:
        if folded_op(self.scatter) != "add":
            raise TransformError(
                "select_and_scatter has a derivative only where it adds up what meets in a place",
                where=self.location,
            )

    def pullback(self, sweep: Reverse) -> tuple[Sequence[Value], Pull]:
        self._check_sum()
        place(self)

        def pull(g: Sequence[Value | None]) -> Any:
            (cotangent,) = in_types([v for v in g if v is not None], [self.x.tensor])
            better = selector(self.select)
            return (
                (self.source, lambda: chosen_tangent(self, self.x, cotangent, better)),
                (self.init, lambda: ops.sum(cotangent)),
            )

        return self.results, pull

    def pushforward(self, sweep: Forward) -> tuple[Sequence[Value], Sequence[Value | None]]:
        self._check_sum()
        place(self)
        moved = [self.x]
        given = [sweep.tangents.get(v) for v in (self.source, self.init)]
        if given == [None, None]:
            return self.results, (None,)
        moved += [zeros(v.type) if t is None else t
                  for v, t in zip((self.source, self.init), given, strict=True)]  # fmt: skip
        return self.results, (rebuild(self, moved),)

    def batch(self, batch: Batch) -> Value:
        folds_apart = batch.batched[2] and folded_op(self.scatter) != "add"
        if folds_apart or batch.captures:
            return batch.one_by_one()[0]
        x, source, init = batch.full(0), batch.full(1), batch.operands[2]
        if not batch.batched[2]:
            result: Value = batch.rebuild((x, source, init), **behind_batch(self))
            return result
        zero = ops.constant(np.zeros((), init.tensor.primitive.numpy))
        found: Value = batch.rebuild((x, source, zero), **behind_batch(self))
        start = in_types([init], [found.tensor])[0]
        spread = ops.broadcast_in_dim(start, shape=found.tensor.static_shape, dims=(0,))
        return ops.add(found, spread)

    def reference(
        self, x: Array, source: Array, init: Array, *, select: Any, scatter: Any
    ) -> Array:
        dtype = self.results[0].tensor.dtype.numpy
        result = np.full(x.shape, init.astype(dtype), dtype)
        window, axes = self.window, range(x.ndim)
        flat = window.patches(np.arange(x.size).reshape(x.shape), axes, -1)
        for index in np.ndindex(*source.shape):
            best = -1
            for at in flat[index].reshape(-1):
                if at >= 0 and (best < 0 or not select(x.reshape(-1)[best], x.reshape(-1)[at])[0]):
                    best = int(at)
            if best >= 0:
                where = np.unravel_index(best, x.shape)
                (result[where],) = scatter(result[where], source[index].astype(dtype))
        return result
