"""What the running reductions along an axis share, and the two ways of differentiating them.

An axis of n elements is cut into blocks of 16. A window of 16 runs over each, the last places of
the blocks run in the same way, and what they give is combined with the blocks after them: about
17 n combinations in log16(n) levels. One window over all n, which is shorter to write, is quadratic
to a compiler that does not rewrite it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from dxir import checks, ops
from dxir.derivatives import Cotangent
from dxir.dialects.folding import widened
from dxir.dialects.recurrences import chosen_places, moved, recurrence, summed_at
from dxir.dialects.reduction import narrow, widen
from dxir.errors import ShapeError
from dxir.graph import Value
from dxir.op import Derived
from dxir.types import TensorType

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]
Tangents = Sequence[Value | None]
_BLOCK = 16


class Cumulative(Derived):
    """Base of the running reductions: each place gets the reduction of all up to it.

    `reverse` runs from the end; `exclusive` leaves the place itself out, so that the first one
    gets the identity. `wide` says whether narrow floats are kept in f32 on the way.
    """

    x: Value
    axis: int
    reverse: bool = False
    exclusive: bool = False

    accepts: ClassVar[str] = "int uint float"
    wide: ClassVar[bool] = True

    def prepare(self) -> None:
        self.update(
            axis=checks.axis(self.axis, self.x.tensor.rank),
            reverse=bool(self.reverse),
            exclusive=bool(self.exclusive),
        )

    def infer(self) -> TensorType:
        checks.kind(self.x, self.accepts, "x")
        size = self.x.shape[self.axis]
        if not isinstance(size, int):
            raise ShapeError(f"axis {self.axis} of {self.x.type} needs a known size")
        return self.x.tensor

    def identity(self, x: Value) -> Any:
        """The value that changes nothing, in the type of `x`."""
        raise NotImplementedError

    def combine(self, a: Value, b: Value) -> Value:
        """Two adjoining parts taken together."""
        raise NotImplementedError

    def accumulate(self, x: Array) -> Array:
        """The running reduction along the axis, in NumPy."""
        raise NotImplementedError

    def expand(self, x: Value) -> Value:
        y = widen(x) if self.wide else x
        dtype = y.tensor.primitive
        start = ops.constant(np.asarray(self.identity(y)).astype(dtype.numpy))
        y = self._run(y, start)
        if self.exclusive:
            y = self._moved(y, start)
        return narrow(y, x.tensor.primitive)

    def _run(self, y: Value, start: Value) -> Value:
        """The running reduction, the place itself included."""
        axis, shape = self.axis, list(y.tensor.static_shape)
        size = shape[axis]
        if size <= _BLOCK:
            return self._slide(y, start, axis)
        count = -(-size // _BLOCK)
        full = [*shape[:axis], count, _BLOCK, *shape[axis + 1 :]]
        blocks = ops.reshape(self._padded(y, start, count * _BLOCK - size), shape=full)
        blocks = self._slide(blocks, start, axis + 1)
        last = 0 if self.reverse else _BLOCK - 1
        lows = [last if i == axis + 1 else 0 for i in range(len(full))]
        highs = [last + 1 if i == axis + 1 else d for i, d in enumerate(full)]
        ends = ops.slice(blocks, starts=lows, limits=highs)
        ends = ops.reshape(ends, shape=[*full[: axis + 1], *full[axis + 2 :]])
        before = self._moved(self._run(ends, start), start)
        dims = [i for i in range(len(full)) if i != axis + 1]
        before = ops.broadcast_in_dim(before, shape=full, dims=dims)
        flat = [*shape[:axis], count * _BLOCK, *shape[axis + 1 :]]
        whole = ops.reshape(self.combine(before, blocks), shape=flat)
        return self._padded(whole, start, size - count * _BLOCK)

    def _slide(self, y: Value, start: Value, axis: int) -> Value:
        """The running reduction along an axis by one window as long as it."""
        shape = y.tensor.static_shape
        size = shape[axis]
        if size < 2:
            return y
        edge = (0, size - 1) if self.reverse else (size - 1, 0)
        (result,) = ops.reduce_window(
            (y,), (start,), self.combine,
            window_dimensions=[size if i == axis else 1 for i in range(len(shape))],
            padding=[edge if i == axis else (0, 0) for i in range(len(shape))],
        )  # fmt: skip
        return result

    def _padded(self, y: Value, start: Value, count: int) -> Value:
        """`count` more places where the run ends; fewer, when it is negative."""
        if count == 0:
            return y
        edge = [count if i == self.axis else 0 for i in range(y.tensor.rank)]
        none = [0] * len(edge)
        low, high = (edge, none) if self.reverse else (none, edge)
        return ops.pad(y, start, low=low, high=high)

    def _moved(self, y: Value, start: Value) -> Value:
        """`y` one place further along the run, `start` in the first."""
        if not y.shape[self.axis]:
            return y
        step = -1 if self.reverse else 1
        low = [step if i == self.axis else 0 for i in range(y.tensor.rank)]
        return ops.pad(y, start, low=low, high=[-n for n in low])

    def batch(self, batch: Batch) -> Value:
        result: Value = batch.rebuild(batch.operands, axis=self.axis + 1)
        return result

    def included(self, x: Value) -> Value:
        """The running reduction of `x` with the place itself."""
        build = ops.lookup(self.op)
        assert build is not None
        result: Value = build(x, axis=self.axis, reverse=self.reverse)
        return result

    @property
    def _step(self) -> int:
        return -1 if self.reverse else 1

    def reference(self, x: Array) -> Array:
        y = np.flip(x, self.axis) if self.reverse else x
        y = self.accumulate(widened(y) if self.wide else y)
        if self.exclusive and x.shape[self.axis]:
            start = np.asarray(self.identity(self.x)).astype(y.dtype)
            first = np.full_like(np.take(y, [0], self.axis), start)
            y = np.delete(np.concatenate([first, y], self.axis), -1, self.axis)
        return (np.flip(y, self.axis) if self.reverse else y).astype(x.dtype)


class Chained(Cumulative):
    """Base of the running reductions that a linear recurrence differentiates.

    With inclusive results `y`: `dy[i] = carry[i] * dy[i - 1] + own[i] * dx[i]`.
    """

    def carry(self, x: Value, y: Value) -> Value:
        """The derivative of each result by the one before, where there is one."""
        raise NotImplementedError

    def own(self, x: Value, y: Value) -> Value:
        """The derivative of each result by the element at its place."""
        raise NotImplementedError

    def beyond(self, x: Value) -> Any:
        """A result for the place behind the last, which nothing depends on."""
        raise NotImplementedError

    def _inclusive(self, y: Value) -> Value:
        if not self.exclusive:
            return y
        return moved(y, self.axis, -self._step, self.beyond(y))

    def _wide(self, y: Value) -> tuple[Value, Value]:
        """The elements and inclusive results in the accumulator type, not rounded in between."""
        x = widen(self.x)
        if x is not self.x:
            return x, self.included(x)
        return x, self._inclusive(y)

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        def pulled() -> Value:
            (x, results), wide = self._wide(y), widen(g)
            if self.exclusive:
                wide = moved(wide, self.axis, -self._step, 0)
            carry = moved(self.carry(x, results), self.axis, -self._step, 0)
            back = recurrence(carry, wide, self.axis, reverse=not self.reverse)
            return narrow(ops.mul(back, self.own(x, results)), self.x.tensor.primitive)

        return (pulled,)

    def jvp(self, tangents: Tangents, y: Value) -> Value:
        (t,) = tangents
        assert t is not None
        x, results = self._wide(y)
        term = ops.mul(self.own(x, results), widen(t))
        found = recurrence(self.carry(x, results), term, self.axis, reverse=self.reverse)
        if self.exclusive:
            found = moved(found, self.axis, self._step, 0)
        return narrow(found, y.tensor.primitive)


class Running(Cumulative):
    """Base of the running extrema: each result depends on the first element on the way that it is.

    So ties go to that one, as they do in a max pool.
    """

    def _places(self, y: Value) -> Value:
        if self.exclusive:
            y = self.included(self.x)
        return chosen_places(self.x, y, self.axis, reverse=self.reverse)

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        def pulled() -> Value:
            back = moved(g, self.axis, -self._step, 0) if self.exclusive else g
            return summed_at(back, self._places(y), self.axis)

        return (pulled if self.x.tensor.size else None,)

    def jvp(self, tangents: Tangents, y: Value) -> Value | None:
        (t,) = tangents
        assert t is not None
        if not self.x.tensor.size:
            return None
        found = ops.take_along(t, self._places(y), axis=self.axis)
        return moved(found, self.axis, self._step, 0) if self.exclusive else found
