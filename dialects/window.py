"""Windows that slide over a tensor, and the reductions over each of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dxir import checks, ops
from dxir.derivatives import captured, rebuild, zeros
from dxir.dialects.fold_trees import folded_op, in_types, is_identity
from dxir.dialects.folding import accumulate_of, accumulators, check_folding, common_shape, fold
from dxir.dialects.substitutes import batch_through, pull_through, push_through
from dxir.dialects.window_rules import (
    chosen_apart,
    chosen_cotangent,
    chosen_tangent,
    running_axis,
    sum_cotangent,
    window_function,
)
from dxir.errors import AttributeValueError, OperandError, ShapeError
from dxir.examples import Example
from dxir.graph import Region, Value, place
from dxir.op import Primitive, attribute
from dxir.types import UNKNOWN, Dimension, DType, TensorType, Type, bf16, f32, i32

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch
    from dxir.transforms.forward import Forward
    from dxir.transforms.reverse import Pull, Reverse

Array = np.ndarray[Any, Any]
Pairs = tuple[tuple[int, int], ...]


class Window(NamedTuple):
    """How a window slides: one entry for each dimension it slides over."""

    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    padding: Pairs
    base_dilations: tuple[int, ...]
    window_dilations: tuple[int, ...]

    @classmethod
    def make(
        cls,
        sizes: Sequence[int],
        strides: Sequence[int] | None = None,
        padding: Pairs | None = None,
        base_dilations: Sequence[int] | None = None,
        window_dilations: Sequence[int] | None = None,
    ) -> Window:
        """The window; what is None is 1, or no padding."""
        ones = (1,) * len(sizes)
        return cls(
            tuple(sizes),
            tuple(strides or ones),
            padding or ((0, 0),) * len(sizes),
            tuple(base_dilations or ones),
            tuple(window_dilations or ones),
        )

    def steps(self, shape: Sequence[Dimension]) -> tuple[Dimension, ...]:
        """How many places the window takes along each dimension."""
        return tuple([self._steps(size, i) for i, size in enumerate(shape)])

    def _steps(self, size: Dimension, i: int) -> Dimension:
        span = spread(self.sizes[i], self.window_dilations[i])
        low, high = self.padding[i]
        if not isinstance(size, int):
            kept = self.strides[i] == self.base_dilations[i] == 1 and low + high == span - 1
            return size if kept else UNKNOWN
        padded = spread(size, self.base_dilations[i]) + low + high
        return 0 if padded < max(span, 1) else (padded - span) // self.strides[i] + 1

    def patches(self, x: Array, axes: Sequence[int], fill: Any) -> Array:
        """The elements under each place: `axes` give the places, new last axes the offsets.

        Places in padding, and between dilated elements, hold `fill`.
        """
        for i, axis in enumerate(axes):
            size = x.shape[axis]
            steps = self._steps(size, i)
            assert isinstance(steps, int)
            start = np.arange(steps)[:, None] * self.strides[i] - self.padding[i][0]
            at = start + np.arange(self.sizes[i]) * self.window_dilations[i]
            inside = (at >= 0) & (at < spread(size, self.base_dilations[i]))
            inside &= at % self.base_dilations[i] == 0
            index = np.where(inside, at // self.base_dilations[i], size)
            border = np.full((*x.shape[:axis], 1, *x.shape[axis + 1 :]), fill, x.dtype)
            taken = np.take(np.concatenate([x, border], axis), index.reshape(-1), axis)
            split = taken.reshape(*x.shape[:axis], *index.shape, *x.shape[axis + 1 :])
            x = np.moveaxis(split, axis + 1, -1)
        return x


def spread(size: int, dilation: int) -> int:
    """The length of `size` elements that are `dilation` apart."""
    return (size - 1) * dilation + 1 if size > 0 else 0


def each(given: Any, count: int) -> Any:
    """One integer for each of `count` dimensions; a single one stands for all, None for itself."""
    if given is None:
        return None
    found = checks.integers(given, "an attribute of the window")
    return found * count if len(found) == 1 else found


def positive(values: Any, count: int, what: str) -> tuple[int, ...]:
    """`count` integers of at least 1."""
    found = checks.integers(values, what)
    checks.length(found, count, what)
    if any(v < 1 for v in found):
        raise AttributeValueError(f"{what} is {found}", hint="every entry must be at least 1")
    return found


def optional_positive(values: Any, count: int, what: str) -> tuple[int, ...] | None:
    """`count` integers of at least 1, or None where none are given."""
    return None if values is None else positive(values, count, what)


def padding_pairs(given: Any, shape: Sequence[Dimension], window: Window) -> Pairs:
    """Padding as (low, high) pairs; SAME gives ceil(size / stride) places, VALID pads nothing.

    SAME splits what is needed evenly, with the odd element on the high side.
    """
    rank = len(window.sizes)
    if isinstance(given, str):
        checks.one_of(given, ("SAME", "VALID"), "padding")
        if given == "VALID":
            return ((0, 0),) * rank
        return tuple([_same_padding(shape[i], window, i) for i in range(rank)])
    rows = [checks.integers(p, "a padding pair") for p in given]
    checks.length(rows, rank, "padding")
    for row in rows:
        checks.length(row, 2, "a padding pair")
    return tuple([(low, high) for low, high in rows])


def _same_padding(size: Dimension, window: Window, i: int) -> tuple[int, int]:
    span = spread(window.sizes[i], window.window_dilations[i])
    stride = window.strides[i]
    if not isinstance(size, int):
        if stride != 1:
            raise ShapeError(
                f"padding SAME with stride {stride} needs the size of dimension {size}",
                hint="give the padding as pairs",
            )
        total = span - 1
    else:
        full = spread(size, window.base_dilations[i])
        places = -(-full // stride)
        total = max((places - 1) * stride + span - full, 0)
    return total // 2, total - total // 2


class ReduceWindow(
    Primitive, name="reduce_window", mlir="stablehlo.reduce_window", rounding="sums"
):
    """Fold the elements under a sliding window with a traced `body(*accumulated, *elements)`.

    There is one entry for each dimension of `inputs` in `window_dimensions`, `window_strides`,
    `base_dilations` (steps between the input's elements), `window_dilations` (steps between the
    window's) and `padding` (pairs, SAME or VALID). Padding holds `inits`, which must be identities
    of the body: backends fold in any order, and use them more than once. `accumulate` names wider
    element types for the body to work in, and for the results to have.

    The cotangent of an extremum goes to the first element of a window that is it; where the
    window runs over all of an axis from its end, to the first on the way, as in `cummax`.
    """

    inputs: tuple[Value, ...]
    inits: tuple[Value, ...]
    body: Region
    window_dimensions: tuple[int, ...] = attribute("i64_array")
    window_strides: tuple[int, ...] | None = attribute("i64_array", default=None)
    base_dilations: tuple[int, ...] | None = attribute("i64_array", default=None)
    window_dilations: tuple[int, ...] | None = attribute("i64_array", default=None)
    padding: Pairs | None = attribute("i64_matrix", default=None)
    accumulate: tuple[DType, ...] | None = attribute(default=None)

    examples = (
        Example(
            inputs=(f32[6],), inits=(np.float32(0),), body=lambda a, b: a + b,
            window_dimensions=(3,), padding=((2, 0),),
        ),
        Example(
            inputs=(i32[4, 6],), inits=(np.int32(0),), body=lambda a, b: a + b,
            window_dimensions=(2, 2), window_strides=(2, 3), padding="SAME",
        ),
        Example(
            inputs=(i32[5],), inits=(np.int32(1),), body=lambda a, b: a * b,
            window_dimensions=(2,), base_dilations=(2,), window_dilations=(3,),
            padding=((-1, 2),),
        ),
        Example(
            inputs=(f32[4], i32[4]), inits=(np.float32(0), np.int32(0)),
            body=lambda a, i, b, j: (a + b, i + j), window_dimensions=(2,), hostile=False,
        ),
        Example(
            inputs=(bf16[0, 3],), inits=(np.zeros((), bf16.numpy),), body=lambda a, b: a + b,
            window_dimensions=(1, 2),
        ),
        Example(
            inputs=(bf16[4],), inits=(np.zeros((), bf16.numpy),), body=lambda a, b: a + b,
            window_dimensions=(2,), accumulate=(f32,), runs=False,
        ),
    )  # fmt: skip

    @classmethod
    def attributes_from_types(
        cls, operand_types: Sequence[Type], result_types: Sequence[Type]
    ) -> dict[str, Any]:
        """`accumulate`, when the results are wider than the inputs."""
        return accumulate_of(operand_types, result_types)

    def prepare(self) -> None:
        if not self.inputs:
            raise OperandError("at least one input is needed")
        prepare_window(self, self.inputs[0].shape)
        rank = self.inputs[0].tensor.rank
        self.update(
            base_dilations=optional_positive(self.base_dilations, rank, "base_dilations"),
            window_dilations=optional_positive(self.window_dilations, rank, "window_dilations"),
            accumulate=accumulators(self.inputs, self.accumulate),
        )
        if self.padding is not None:
            self.update(padding=padding_pairs(self.padding, self.inputs[0].shape, self._open()))

    def _open(self) -> Window:
        return Window.make(
            self.window_dimensions, self.window_strides, None, self.base_dilations,
            self.window_dilations,
        )  # fmt: skip

    @property
    def window(self) -> Window:
        """The window, with everything that was left out filled in."""
        return self._open()._replace(
            padding=self.padding or ((0, 0),) * len(self.window_dimensions)
        )

    def _dtypes(self) -> tuple[Any, ...]:
        return self.accumulate or tuple(v.tensor.dtype for v in self.inputs)

    def region_params(self) -> Sequence[Sequence[Type]]:
        scalars = [TensorType((), d) for d in self._dtypes()]
        return [(*scalars, *scalars)]

    def infer(self) -> Sequence[TensorType]:
        shape = common_shape(self.inputs, "inputs")
        scalars = [TensorType((), d) for d in self._dtypes()]
        check_folding(self.inputs, self.inits, self.body, scalars)
        places = self.window.steps(shape)
        return tuple([s.with_shape(places) for s in scalars])

    def _direct(self) -> str | None:
        """The op of the body, where there is a rule for it alone.

        Extrema of windows that run over all of an axis are running ones, and those of small
        windows apart are chosen by comparisons: both are faster than a scatter.
        """
        op = folded_op(self.body)
        plain = (
            self.window.base_dilations
            == self.window.window_dilations
            == (1,) * len(self.window_dimensions)
        )
        if op == "add" or (
            op in ("max", "min")
            and plain
            and not self.accumulate
            and is_identity(op, self.inits[0])
            and not chosen_apart(self)
            and running_axis(self) is None
        ):
            return op
        return None

    def pullback(self, sweep: Reverse) -> tuple[Sequence[Value], Pull]:
        op = self._direct()
        (init, *_), x = self.inits, self.inputs[0]
        if op is None or init in sweep.varied:
            return pull_through(sweep, self, window_function(self))
        place(self)

        def pull(g: Sequence[Value | None]) -> Any:
            (cotangent,) = g
            assert cotangent is not None
            if op == "add":
                found = sum_cotangent(self, cotangent, x.tensor)
                return () if found is None else ((x, in_types([found], [x.tensor])[0]),)
            return ((x, chosen_cotangent(self, x, cotangent, op)),)

        return self.results, pull

    def pushforward(self, sweep: Forward) -> tuple[Sequence[Value], Sequence[Value | None]]:
        op = self._direct()
        given = [sweep.tangents.get(v) for v in self.operands]
        if op is None or given[1] is not None:
            return push_through(sweep, self, window_function(self))
        place(self)
        assert given[0] is not None
        if op == "add":
            return self.results, rebuild(self, (given[0], zeros(self.inits[0].type)))
        direction = "GE" if op == "max" else "LE"
        found = chosen_tangent(
            self, self.inputs[0], given[0], lambda a, b: ops.compare(a, b, direction=direction)
        )
        return self.results, (found,)

    def batch(self, batch: Batch) -> Sequence[Any]:
        count = len(self.inputs)
        if any(batch.batched[count:]) or captured(self.regions):
            return batch_through(batch, window_function(self))
        inputs = [batch.full(i) for i in range(count)]
        found: Sequence[Value] = batch.rebuild(
            (*inputs, *batch.operands[count:]), **behind_batch(self)
        )
        return found

    def reference(self, *operands: Array, body: Callable[..., Any]) -> tuple[Array, ...]:
        inputs, inits = operands[: len(self.inputs)], operands[len(self.inputs) :]
        axes = range(inputs[0].ndim)
        rows = []
        for x, init in zip(inputs, inits, strict=True):
            patches = self.window.patches(x, axes, init)
            shape = patches.shape[: x.ndim]
            rows.append(patches.reshape(*shape, int(np.prod(self.window_dimensions))))
        return fold(self, rows, inits, body)


def behind_batch(node: Any) -> dict[str, Any]:
    """The attributes of a window for operands with one more axis in front."""
    names = ("window_dimensions", "window_strides", "base_dilations", "window_dilations")
    found: dict[str, Any] = {n: (1, *node.attrs[n]) for n in names if node.attrs.get(n) is not None}
    if node.padding is not None:
        found["padding"] = ((0, 0), *node.padding)
    return found


def prepare_window(node: Any, shape: Sequence[Dimension]) -> None:
    """Bring the size and strides of a window over every dimension to their normal form."""
    rank = len(shape)
    node.update(
        window_dimensions=positive(node.window_dimensions, rank, "window_dimensions"),
        window_strides=optional_positive(node.window_strides, rank, "window_strides"),
    )
