"""Running reductions along an axis.

An axis of n elements is cut into blocks of 16. A window of 16 runs over each, the last places of
the blocks run in the same way, and what they give is combined with the blocks after them: about
17 n combinations in log16(n) levels. One window over all n, which is shorter to write, is quadratic
to a compiler that does not rewrite it.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from dxir import checks, ops
from dxir.dialects.folding import widened
from dxir.dialects.reduction import highest, lowest, narrow, widen
from dxir.errors import ShapeError
from dxir.examples import Example, Sample
from dxir.graph import Value
from dxir.op import Derived
from dxir.types import TensorType, bf16, c64, f16, f32, i8, i32, ui8

Array = np.ndarray[Any, Any]
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

    def reference(self, x: Array) -> Array:
        y = np.flip(x, self.axis) if self.reverse else x
        y = self.accumulate(widened(y) if self.wide else y)
        if self.exclusive and x.shape[self.axis]:
            start = np.asarray(self.identity(self.x)).astype(y.dtype)
            first = np.full_like(np.take(y, [0], self.axis), start)
            y = np.delete(np.concatenate([first, y], self.axis), -1, self.axis)
        return (np.flip(y, self.axis) if self.reverse else y).astype(x.dtype)


class Cumsum(Cumulative, name="cumsum"):
    """Running sum along an axis; narrow floats accumulate in f32 and round once.

    Each place gets the sum of all up to it; `reverse` runs from the end, `exclusive` leaves the
    place itself out.
    """

    examples = (
        Example(x=f32[7], axis=0, hostile=False),
        Example(x=f32[3, 5], axis=-1, reverse=True, hostile=False),
        Example(x=i8[4, 3], axis=0, exclusive=True),
        Example(x=i32[6], axis=0, reverse=True, exclusive=True),
        Example(x=bf16[9], axis=0, hostile=False),
        Example(x=i32[2, 33, 2], axis=1),
        Example(x=i32[300], axis=0, reverse=True, exclusive=True),
        Example(x=c64[4], axis=0, hostile=False),
        Example(x=f32[2, 0], axis=1, exclusive=True),
        Example(x=f32[1], axis=0),
    )
    accepts = "int uint float complex"

    def identity(self, x: Value) -> Any:
        return 0

    def combine(self, a: Value, b: Value) -> Value:
        return ops.add(a, b)

    def accumulate(self, x: Array) -> Array:
        return np.cumsum(x, self.axis, dtype=x.dtype)


class Cumprod(Cumulative, name="cumprod"):
    """Running product along an axis; narrow floats accumulate in f32 and round once.

    Each place gets the product of all up to it; `reverse` runs from the end, `exclusive` leaves
    the place itself out.
    """

    examples = (
        Example(x=f32[7], axis=0, hostile=False),
        Example(x=f32[3, 5], axis=1, reverse=True, exclusive=True, hostile=False),
        Example(x=i32[4, 3], axis=0),
        Example(x=f16[5], axis=0, hostile=False),
        Example(x=c64[4], axis=0, hostile=False),
        Example(x=f32[0], axis=0),
    )
    accepts = "int uint float complex"

    def identity(self, x: Value) -> Any:
        return 1

    def combine(self, a: Value, b: Value) -> Value:
        return ops.mul(a, b)

    def accumulate(self, x: Array) -> Array:
        return np.cumprod(x, self.axis, dtype=x.dtype)


class Cummax(Cumulative, name="cummax"):
    """Running maximum along an axis; from the first NaN on, NaN.

    Each place gets the maximum of all up to it; `reverse` runs from the end, `exclusive` leaves
    the place itself out, and the first one gets -inf or the least value.
    """

    examples = (
        Example(x=f32[7], axis=0),
        Example(x=f32[3, 5], axis=1, reverse=True),
        Example(x=bf16[5], axis=0, exclusive=True),
        Example(x=f32[40], axis=0),
        Example(x=ui8[4], axis=0),
        Example(x=i32[0, 2], axis=0),
    )
    wide = False

    def identity(self, x: Value) -> Any:
        return lowest(x.tensor.primitive)

    def combine(self, a: Value, b: Value) -> Value:
        return ops.max(a, b)

    def accumulate(self, x: Array) -> Array:
        return np.maximum.accumulate(widened(x), self.axis).astype(x.dtype)


class Cummin(Cumulative, name="cummin"):
    """Running minimum along an axis; from the first NaN on, NaN.

    Each place gets the minimum of all up to it; `reverse` runs from the end, `exclusive` leaves
    the place itself out, and the first one gets +inf or the largest value.
    """

    examples = (
        Example(x=f32[7], axis=0),
        Example(x=f32[3, 5], axis=1, reverse=True),
        Example(x=bf16[5], axis=0, exclusive=True),
        Example(x=i8[4], axis=0),
    )
    wide = False

    def identity(self, x: Value) -> Any:
        return highest(x.tensor.primitive)

    def combine(self, a: Value, b: Value) -> Value:
        return ops.min(a, b)

    def accumulate(self, x: Array) -> Array:
        return np.minimum.accumulate(widened(x), self.axis).astype(x.dtype)


class Cumlogsumexp(Cumulative, name="cumlogsumexp"):
    """Running `log(sum(exp(x)))` along an axis, without overflow; -inf of nothing but -inf.

    Each place gets the value of all up to it; `reverse` runs from the end, `exclusive` leaves the
    place itself out. Narrow floats are kept in f32 and round once.
    """

    examples = (
        Example(x=f32[7], axis=0),
        Example(x=f32[3, 5], axis=1, reverse=True),
        Example(x=bf16[5], axis=0, exclusive=True),
        Example(x=Sample(f32[4], 900, 1000), axis=0),
        Example(x=Sample(f32[20], -5, 5), axis=0, exclusive=True),
        Example(x=f32[0], axis=0),
    )
    accepts = "float"

    def identity(self, x: Value) -> Any:
        return -np.inf

    def combine(self, a: Value, b: Value) -> Value:
        """`max + log1p(exp(-|a - b|))`; equal infinities, whose difference is NaN, are the sum."""
        difference = ops.sub(a, b)
        small = ops.log1p(ops.exp(ops.neg(ops.abs(difference))))
        apart = ops.add(ops.max(a, b), small)
        undefined = ops.compare(difference, difference, direction="NE")
        return ops.select(undefined, ops.add(a, b), apart)

    def accumulate(self, x: Array) -> Array:
        return np.logaddexp.accumulate(x.astype(np.float64), self.axis)
