"""Matrix products: of matrices, of batches of them, and of tensors with named axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import checks, ops
from dxir.derivatives import Cotangent
from dxir.dialects.contraction import (
    DotDims,
    axis_list,
    element_type,
    precision_pair,
    product_dtype,
    wide_product_dtype,
)
from dxir.dialects.products import batch_place, batched_dims, letters_of, product_cotangents
from dxir.errors import AttributeValueError, ShapeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Derived
from dxir.types import (
    Dimension,
    ElementType,
    TensorType,
    bf16,
    broadcast_shapes,
    f16,
    f32,
    f64,
    i32,
    same_dimension,
)

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]
_OF_MATRICES = DotDims((), (), (1,), (0,))


class Matmul(Derived, name="matmul", rounding="sums"):
    """Matrix product over the last two axes; leading axes are batches and broadcast.

    A vector on the left contracts with the second-to-last axis of the right operand, one on the
    right with the last axis of the left operand, as in NumPy. When both types carry axis names,
    the shared names contract instead, save those in `result_axes` (the declared names of the
    result, in order), which are batch axes. `contracting` and `batching` give the axes of `x` and
    of `y` outright; `permutation` then orders the result.
    """

    x: Value
    y: Value
    result_axes: tuple[str, ...] | None = None
    contracting: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    batching: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    permutation: tuple[int, ...] | None = None
    precision: tuple[str, str] | None = None
    preferred_element_type: ElementType | None = None

    tolerance = 32  # sums of products round in proportion to their terms, not to the sum
    examples = (
        Example(x=f32[2, 3], y=f32[3, 4], hostile=False),
        Example(x=f32[5, 2, 3], y=f32[5, 3, 4], hostile=False),
        Example(x=f32[5, 1, 2, 3], y=f32[6, 3, 4], hostile=False),
        Example(x=bf16[2, 3], y=bf16[3, 4], preferred_element_type=f32, hostile=False),
        Example(x=f16[2, 3], y=f16[3, 4], precision="HIGHEST", hostile=False),
        Example(x=i32[2, 0], y=i32[0, 4]),
        Example(x=f32[3], y=f32[3, 4], hostile=False),
        Example(x=f32[2, 4, 3], y=f32[3], hostile=False),
        Example(x=f64[3], y=f64[3], hostile=False),
        Example(
            x=TensorType((2, 3, 4), f32, ("b", "s", "d")),
            y=TensorType((4, 5), f32, ("d", "f")),
            hostile=False,
        ),
        Example(
            x=TensorType((2, 3, 4), f32, ("b", "s", "d")),
            y=TensorType((4, 5, 2), f32, ("d", "t", "b")),
            result_axes=("b", "t", "s"),
            hostile=False,
        ),
        Example(
            x=f32[2, 3], y=f32[2, 3, 4], contracting=((1,), (1,)), batching=((0,), (0,)),
            permutation=(1, 0), hostile=False,
        ),
    )  # fmt: skip

    def prepare(self) -> None:
        if not any(self.attrs.values()) and not self._named():
            return  # nothing given: everything is in its normal form
        names = self.result_axes
        self.update(
            result_axes=None if names is None else tuple(names),
            precision=precision_pair(self.precision),
            preferred_element_type=element_type(self.preferred_element_type),
        )
        x, y = self.x.tensor, self.y.tensor
        if self.contracting is not None or self.batching is not None:
            self._prepare_explicit()
        elif self._named():
            assert x.axis_names is not None
            assert y.axis_names is not None
            self.update(**_named_axes(x.axis_names, y.axis_names, self.result_axes))
        elif self.result_axes is not None or self.permutation is not None:
            raise AttributeValueError(
                f"result_axes or permutation given, but {x} and {y} do not both have axis names",
                hint="name the axes of both operand types, or give contracting=",
            )

    def _named(self) -> bool:
        return all(_is_named(v) for v in self.operands)

    def _of_matrices(self) -> TensorType | None:
        """The result type of two plain matrices, which most products are of."""
        x, y = self.operands
        a, b = x.type, y.type
        if not (isinstance(a, TensorType) and isinstance(b, TensorType)):
            return None
        plain = a.dtype is b.dtype and a.dtype.kind != "quantized"
        if not plain or self.attrs["preferred_element_type"] is not None:
            return None
        if len(a.shape) != 2 or len(b.shape) != 2 or a.shape[1] != b.shape[0]:
            return None
        return TensorType.shared((a.shape[0], b.shape[1]), a.dtype)

    def _prepare_explicit(self) -> None:
        ranks = self.x.tensor.rank, self.y.tensor.rank
        for what in ("contracting", "batching"):
            given: Any = getattr(self, what) or ((), ())
            checks.length(given, 2, what)
            pair = [axis_list(g, r, what) for g, r in zip(given, ranks, strict=True)]
            self.update(**{what: tuple(pair)})
        if self.permutation is not None:
            self.update(permutation=checks.integers(self.permutation, "permutation"))

    def infer(self) -> TensorType:
        if self.contracting is not None:
            return self._infer_contraction()
        matrices = self._of_matrices()
        if matrices is not None:
            return matrices
        x, y = checks.rank_at_least(self.x, 1, "x"), checks.rank_at_least(self.y, 1, "y")
        dtype = product_dtype(self.x, self.y, self.preferred_element_type)
        left, right = x.rank - 1, max(y.rank - 2, 0)
        if not same_dimension(x.shape[left], y.shape[right]):
            raise ShapeError(
                f"axis {left} of {x} has size {x.shape[left]}, "
                f"but axis {right} of {y} has size {y.shape[right]}",
                hint="matmul contracts the last axis of x with the second-to-last of y",
            )
        if min(x.rank, y.rank) == 1:
            free = y.shape[-1:] if y.rank > 1 else ()
            return TensorType((*x.shape[:-1], *y.shape[:-2], *free), dtype)
        batch = broadcast_shapes(x.shape[:-2], y.shape[:-2])
        return TensorType((*batch, x.shape[-2], y.shape[-1]), dtype)

    def _infer_contraction(self) -> TensorType:
        assert self.contracting is not None
        assert self.batching is not None
        dtype = product_dtype(self.x, self.y, self.preferred_element_type)
        dims = DotDims(*self.batching, *self.contracting)
        type = dims.result(self.x.tensor, self.y.tensor, dtype)
        order = self.permutation
        if order is None:
            return type
        if sorted(order) != list(range(type.rank)):
            raise ShapeError(f"{order} is not a permutation of the {type.rank} axes of {type}")
        names = type.axis_names
        return TensorType(
            [type.shape[i] for i in order],
            dtype,
            None if names is None else [names[i] for i in order],
        )

    def expand(self, x: Value, y: Value) -> Value:
        if self.contracting is not None:
            return _contract(x, y, self)
        batch: tuple[int, ...] = ()
        if min(x.tensor.rank, y.tensor.rank) > 1:
            shape = broadcast_shapes(x.shape[:-2], y.shape[:-2])
            x, y = _stretch(x, shape), _stretch(y, shape)
            batch = tuple(range(len(shape)))
        return ops.dot_general(
            x, y, lhs_batching=batch, rhs_batching=batch,
            lhs_contracting=(x.tensor.rank - 1,), rhs_contracting=(max(y.tensor.rank - 2, 0),),
            precision=self.precision, preferred_element_type=self.preferred_element_type,
        )  # fmt: skip

    multilinear = ("x", "y")

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        dims = self._dims()
        x, other = self.operands
        if dims is None:
            return _broadcast_cotangents(g, x, other, self.precision)
        left, right, out = letters_of(dims, x.rank, other.rank)
        if self.permutation is not None:
            out = tuple([out[i] for i in self.permutation])
        return product_cotangents(g, x, other, (left, right, out), self.precision)

    def batch(self, batch: Batch) -> Value:
        (x, y), (left, right) = batch.operands, batch.batched
        old_x, old_y = self.operands
        dims = self._dims()
        if dims is None:
            rank = max(old_x.rank, old_y.rank)
            x, y = _behind_ones(x, left, rank), _behind_ones(y, right, rank)
            result: Value = batch.rebuild((x, y))
            return result
        new = batched_dims(dims, left, right)
        place = batch_place(dims, old_x.rank, left, right)
        order = self.permutation or tuple(range(self.results[0].rank))
        order = (place, *[i + (i >= place) for i in order])
        explicit: Value = batch.rebuild(
            (x, y), contracting=(new.lhs_contracting, new.rhs_contracting),
            batching=(new.lhs_batching, new.rhs_batching), result_axes=None,
            permutation=None if order == tuple(range(len(order))) else order,
        )  # fmt: skip
        return explicit

    def _dims(self) -> DotDims | None:
        """The axes of the contraction; None where axes of the operands are broadcast."""
        if self.contracting is not None:
            assert self.batching is not None
            return DotDims(*self.batching, *self.contracting)
        x, y = self.tensor_types
        if x.rank == y.rank == 2:
            return _OF_MATRICES
        batch: tuple[int, ...] = ()
        if min(x.rank, y.rank) > 1:
            if x.shape[:-2] == y.shape[:-2]:
                batch = tuple(range(x.rank - 2))
            elif y.rank > 2:
                return None
        return DotDims(batch, batch, (x.rank - 1,), (max(y.rank - 2, 0),))

    def reference(self, x: Array, y: Array) -> Array:
        wide = wide_product_dtype(x, y)
        a, b = x.astype(wide), y.astype(wide)
        if self.contracting is None:
            return np.asarray(a @ b).astype(self.results[0].tensor.dtype.numpy)
        assert self.batching is not None
        letters = "abcdefghijklmnopqrstuvwxyz"
        left = list(letters[: x.ndim])
        right = list(letters[x.ndim : x.ndim + y.ndim])
        for i, j in (*zip(*self.batching, strict=True), *zip(*self.contracting, strict=True)):
            right[j] = left[i]
        batch = [left[i] for i in self.batching[0]]
        out = batch + [c for c in left if c not in right] + [c for c in right if c not in left]
        if self.permutation is not None:
            out = [out[i] for i in self.permutation]
        spec = f"{''.join(left)},{''.join(right)}->{''.join(out)}"
        return np.asarray(np.einsum(spec, a, b)).astype(self.results[0].tensor.dtype.numpy)


def _broadcast_cotangents(
    g: Value, x: Value, y: Value, precision: tuple[str, str] | None
) -> tuple[Cotangent, ...]:
    """The cotangents of a product whose batches broadcast: summed as parts of the contraction."""
    out = list(range(g.rank))
    summed = g.rank  # the letter of the axis that contracts
    left = [*out[g.rank - x.rank : -1], summed]
    right = [*out[g.rank - y.rank : -2], summed, out[-1]]
    narrow_x, left = _without_ones(x, left, g)
    narrow_y, right = _without_ones(y, right, g)
    of_x, of_y = product_cotangents(g, narrow_x, narrow_y, (left, right, out), precision)
    return (lambda: _in_shape(of_x(), x), lambda: _in_shape(of_y(), y))


def _without_ones(value: Value, letters: list[int], g: Value) -> tuple[Value, list[int]]:
    """A value without the axes of size 1 that are larger in the result, and its letters."""
    shape, batches = value.shape, g.shape[:-2]
    kept = [
        i for i, c in enumerate(letters)
        if c >= len(batches) or shape[i] != 1 or batches[c] == 1
    ]  # fmt: skip
    if len(kept) == len(letters):
        return value, letters
    sizes = value.tensor.static_shape
    narrow = ops.reshape(value, shape=[sizes[i] for i in kept])
    return narrow, [letters[i] for i in kept]


def _in_shape(value: Value, like: Value) -> Value:
    if value.shape == like.shape:
        return value
    return ops.reshape(value, shape=like.tensor.static_shape)


def _behind_ones(value: Value, batched: bool, rank: int) -> Value:
    """An operand whose batch, if it has one, is in front of what has `rank` axes."""
    missing = rank + 1 - value.rank
    if not batched or not missing:
        return value
    size, *rest = value.tensor.static_shape
    return ops.reshape(value, shape=(size, *[1] * missing, *rest))


def _is_named(value: Value) -> bool:
    type = value.type
    return isinstance(type, TensorType) and type.axis_names is not None


def _named_axes(
    x: tuple[str, ...], y: tuple[str, ...], result: tuple[str, ...] | None
) -> dict[str, Any]:
    """Which axes contract and which are batches, when axes are matched by name."""
    shared = [n for n in x if n in y]
    if not shared:
        raise ShapeError(
            f"axes {list(x)} and {list(y)} share no name",
            hint="matmul of named tensors contracts the shared names",
        )
    batch = [n for n in result or () if n in shared]
    free = [n for n in x if n not in shared] + [n for n in y if n not in shared]
    order = batch + free
    if result is not None and sorted(result) != sorted(order):
        raise ShapeError(
            f"result_axes {list(result)} cannot come from axes {list(x)} and {list(y)}",
            hint=f"it needs {free}, and may hold any of {shared}",
        )
    summed = [n for n in shared if n not in batch]
    permutation = tuple(order.index(n) for n in result or order)
    return {
        "contracting": (_positions(x, summed), _positions(y, summed)),
        "batching": (_positions(x, batch), _positions(y, batch)),
        "permutation": None if permutation == tuple(range(len(order))) else permutation,
    }


def _positions(names: tuple[str, ...], wanted: list[str]) -> tuple[int, ...]:
    return tuple(names.index(n) for n in wanted)


def _contract(x: Value, y: Value, node: Matmul) -> Value:
    assert node.contracting is not None
    assert node.batching is not None
    product = ops.dot_general(
        x, y, lhs_contracting=node.contracting[0], rhs_contracting=node.contracting[1],
        lhs_batching=node.batching[0], rhs_batching=node.batching[1],
        precision=node.precision, preferred_element_type=node.preferred_element_type,
    )  # fmt: skip
    if node.permutation is not None:
        product = ops.transpose(product, permutation=node.permutation)
    return product


def _stretch(value: Value, batch: tuple[Dimension, ...]) -> Value:
    """`value` with its leading axes broadcast to `batch`; itself where they fit."""
    type = value.tensor
    shape = (*batch, *type.shape[-2:])
    if type.shape == shape:
        return value
    dims = tuple(range(len(shape) - type.rank, len(shape)))
    return ops.broadcast_in_dim(value, shape=TensorType(shape, type.dtype).static_shape, dims=dims)
