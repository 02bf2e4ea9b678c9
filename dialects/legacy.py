"""Operations of StableHLO that only other producers still emit: read and written, never chosen.

Each can go from StableHLO within six months of notice, so that no op of dxir lowers to them. A
raised graph keeps them as they are; write what their docstrings name instead.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dxir import checks, ops
from dxir.dialects.contraction import precision_pair
from dxir.dialects.restating import Restated
from dxir.errors import AttributeValueError, EvaluationError, ShapeError
from dxir.examples import Example
from dxir.graph import Region, Value
from dxir.op import attribute, inline
from dxir.transforms.batching import Batching, spread
from dxir.types import Dimension, TensorType, Type, bf16, f32, i1, i32, same_dimension

Array = np.ndarray[Any, Any]
_TERM = re.compile(r"[A-Za-z]*")


class Legacy(Restated):
    """Base of the operations that dxir itself never emits."""


class Broadcast(Legacy, name="legacy_broadcast", mlir="stablehlo.broadcast"):
    """New axes of `broadcast_sizes` in front; `broadcast_in_dim` says the same."""

    x: Value
    broadcast_sizes: tuple[int, ...] = attribute("i64_array")

    examples = (
        Example(x=f32[3], broadcast_sizes=(2,)),
        Example(x=i1[()], broadcast_sizes=(2, 0)),
        Example(x=bf16[2, 2], broadcast_sizes=()),
    )

    def prepare(self) -> None:
        sizes = checks.integers(self.broadcast_sizes, "broadcast_sizes")
        if any(s < 0 for s in sizes):
            raise ShapeError(f"broadcast_sizes {sizes} hold a negative size")
        self.update(broadcast_sizes=sizes)

    def infer(self) -> TensorType:
        type = self.x.tensor
        return TensorType((*self.broadcast_sizes, *type.shape), type.dtype)

    def restated(self, x: Value) -> Value:
        shape = (*self.broadcast_sizes, *x.tensor.static_shape)
        return ops.broadcast_in_dim(
            x, shape=shape, dims=range(len(self.broadcast_sizes), len(shape))
        )

    def reference(self, x: Array) -> Array:
        return np.broadcast_to(x, (*self.broadcast_sizes, *x.shape))


class Dot(Legacy, name="legacy_dot", mlir="stablehlo.dot"):
    """Product of vectors and matrices, last axis of `x` with first of `y`; see `dot_general`."""

    x: Value
    y: Value
    precision: tuple[str, ...] | None = attribute(
        "precision_config", default=None, mlir="precision_config"
    )

    examples = (
        Example(x=f32[3], y=f32[3], hostile=False),
        Example(x=f32[2, 3], y=f32[3], hostile=False),
        Example(x=bf16[3], y=bf16[3, 2], hostile=False),
        Example(x=i32[2, 3], y=i32[3, 4], precision=("HIGHEST", "DEFAULT")),
    )
    tolerance = 32

    def prepare(self) -> None:
        self.update(precision=precision_pair(self.precision))

    def infer(self) -> TensorType:
        x, y = self.x.tensor, self.y.tensor
        if (
            x.rank not in (1, 2)
            or y.rank not in (1, 2)
            or not same_dimension(x.shape[-1], y.shape[0])
        ):
            raise ShapeError(
                f"{x} and {y} have no product",
                hint="vectors or matrices are needed, whose last and first axes have one length",
            )
        checks.same_dtype((self.x, self.y))
        return TensorType((*x.shape[:-1], *y.shape[1:]), x.dtype)

    def restated(self, x: Value, y: Value) -> Value:
        return ops.dot_general(
            x,
            y,
            lhs_contracting=(x.rank - 1,),
            rhs_contracting=(0,),
            precision=precision_pair(self.precision),
        )

    def reference(self, x: Array, y: Array) -> Array:
        return _summed(x, y, lambda a, b: np.tensordot(a, b, 1))


def _summed(x: Array, y: Array, product: Callable[[Array, Array], Any]) -> Array:
    dtype = TensorType.of_array(x).primitive
    wide = dtype.accumulator.numpy
    return np.asarray(product(x.astype(wide), y.astype(wide))).astype(x.dtype)


def _einsum_terms(config: str, count: int) -> tuple[list[str], str]:
    left, arrow, out = config.replace(" ", "").partition("->")
    terms = left.split(",")
    letters = "".join(terms)
    plain = all(_TERM.fullmatch(t) for t in (*terms, out))
    if not arrow or len(terms) != count or not plain or not set(out) <= set(letters):
        raise AttributeValueError(
            f"einsum_config is {config!r}",
            hint=f"{count} terms of letters, '->', and a result of their letters are needed",
        )
    return terms, out


def _einsum_shape(terms: Sequence[str], out: str, operands: Sequence[Value]) -> list[Dimension]:
    sizes: dict[str, Dimension] = {}
    for term, operand in zip(terms, operands, strict=True):
        checks.rank_is(operand, len(term), f"the operand of {term!r}")
        for letter, size in zip(term, operand.tensor.shape, strict=True):
            if not same_dimension(sizes.setdefault(letter, size), size):
                raise ShapeError(
                    f"axis {letter!r} is {sizes[letter]} in one place and {size} in another"
                )
    return [sizes[letter] for letter in out]


class Einsum(Legacy, name="legacy_einsum", mlir="stablehlo.einsum"):
    """Sum of products by the letters of `einsum_config`; `einsum` of dxir becomes `dot_general`."""

    x: Value
    y: Value
    einsum_config: str = attribute("string")

    examples = (
        Example(x=f32[2, 3], y=f32[3, 4], einsum_config="ij,jk->ik", hostile=False),
        Example(x=f32[2, 3], y=f32[2, 3], einsum_config="bi,bi->b", hostile=False),
        Example(x=bf16[0, 3], y=bf16[3], einsum_config="ij,j->i", hostile=False),
    )
    tolerance = 32

    def infer(self) -> TensorType:
        terms, out = _einsum_terms(self.einsum_config, 2)
        checks.same_dtype((self.x, self.y))
        return TensorType(_einsum_shape(terms, out, (self.x, self.y)), self.x.tensor.dtype)

    def restated(self, x: Value, y: Value) -> Value:
        return ops.einsum(self.einsum_config.replace(" ", ""), (x, y))

    def reference(self, x: Array, y: Array) -> Array:
        config = self.einsum_config.replace(" ", "")
        return _summed(x, y, lambda a, b: np.einsum(config, a, b))


class UnaryEinsum(Legacy, name="legacy_unary_einsum", mlir="stablehlo.unary_einsum"):
    """Sums, diagonals and transposes by the letters of `einsum_config`; see `transpose`, `sum`."""

    x: Value
    einsum_config: str = attribute("string")

    examples = (
        Example(x=f32[2, 3], einsum_config="ij->ji", runs=False),
        Example(x=f32[2, 3], einsum_config="ij->i", runs=False),
    )

    def infer(self) -> TensorType:
        terms, out = _einsum_terms(self.einsum_config, 1)
        return TensorType(_einsum_shape(terms, out, (self.x,)), self.x.tensor.dtype)

    def restated(self, x: Value) -> Value:
        return ops.einsum(self.einsum_config.replace(" ", ""), (x,))

    def reference(self, x: Array) -> Array:
        wide = x.astype(self.x.tensor.primitive.accumulator.numpy)
        return np.asarray(np.einsum(self.einsum_config.replace(" ", ""), wide)).astype(x.dtype)


class TorchIndexSelect(
    Legacy, name="legacy_torch_index_select", mlir="stablehlo.torch_index_select"
):
    """Slices of `x` along `dim` by `index`, beside `batch_dims` common axes; see `take`."""

    x: Value
    index: Value
    dim: int = attribute("i64")
    batch_dims: int = attribute("i64", default=0)

    examples = (
        Example(x=f32[4, 3], index=np.array([0, 3, 1], np.int32), dim=0, batch_dims=0),
        Example(x=f32[2, 4, 3], index=np.array([[0, 3], [1, 1]], np.int32), dim=1, batch_dims=1),
    )

    def prepare(self) -> None:
        rank = self.x.tensor.rank
        batch = checks.integer(self.batch_dims, "batch_dims")
        dim = checks.axis(self.dim, rank, "dim")
        if not 0 <= batch <= min(dim, self.index.tensor.rank):
            raise ShapeError(
                f"batch_dims is {batch}",
                hint="it must be at least 0, at most dim and the index's rank",
            )
        self.update(dim=dim, batch_dims=batch)

    def infer(self) -> TensorType:
        type, index = self.x.tensor, self.index.tensor
        checks.kind(self.index, "int uint", "index")
        batch = self.batch_dims
        checks.shapes_equal(
            type.shape[:batch], index.shape[:batch], "the batch of x", "that of the index"
        )
        chosen = index.shape[batch:]
        shape = (*type.shape[: self.dim], *chosen, *type.shape[self.dim + 1 :])
        return TensorType(shape, type.dtype)

    def restated(self, x: Value, index: Value) -> Value:
        dim, batch, rank = self.dim, self.batch_dims, index.rank
        sizes = x.tensor.static_shape
        return ops.gather(
            x,
            index,
            offset_dims=(*range(batch, dim), *range(dim + rank - batch, rank + x.rank - batch - 1)),
            collapsed_slice_dims=(dim,),
            operand_batching_dims=range(batch),
            start_indices_batching_dims=range(batch),
            start_index_map=(dim,),
            index_vector_dim=rank,
            slice_sizes=[1 if a < batch or a == dim else n for a, n in enumerate(sizes)],
        )

    def reference(self, x: Array, index: Array) -> Array:
        out = np.empty(self.results[0].tensor.static_shape, x.dtype)
        lead = self.dim - self.batch_dims
        for at in np.ndindex(*index.shape[: self.batch_dims]):
            out[at] = np.take(x[at], np.clip(index[at], 0, x.shape[self.dim] - 1), axis=lead)
        return out


class CrossReplicaSum(Legacy, name="legacy_cross_replica_sum", mlir="stablehlo.cross-replica-sum"):
    """Sum over the processes of a group; see `all_reduce`."""

    x: Value
    replica_groups: tuple[tuple[int, ...], ...] = attribute("i64_matrix", default=())

    examples = (
        Example(x=f32[2, 3], replica_groups=((0, 1),), runs=False),
        Example(x=f32[4], replica_groups=((0,),), runs=False),
    )

    def prepare(self) -> None:
        rows = [checks.integers(r, "replica_groups") for r in self.replica_groups]
        self.update(replica_groups=tuple(rows))

    def infer(self) -> TensorType:
        return self.x.tensor

    def restated(self, x: Value) -> Value:
        (total,) = ops.all_reduce((x,), body=ops.add, replica_groups=self.replica_groups)
        return total

    def reference(self, x: Array) -> Array:
        if any(len(row) > 1 for row in self.replica_groups if 0 in row):
            raise EvaluationError("an evaluation has one participant", hint="run it on devices")
        return x


class Map(Legacy, name="legacy_map", mlir="stablehlo.map"):
    """`computation` on the elements of `inputs`, one at a time; elementwise ops say the same."""

    inputs: tuple[Value, ...]
    computation: Region
    dimensions: tuple[int, ...] = attribute("i64_array")

    examples = (
        Example(inputs=(f32[2, 3], f32[2, 3]), computation=lambda a, b: a + b, dimensions=(0, 1)),
        Example(inputs=(i32[0],), computation=lambda a: a, dimensions=(0,)),
    )

    def region_params(self) -> Sequence[Sequence[Type]]:
        return [[v.tensor.with_shape(()) for v in self.inputs]]

    def infer(self) -> TensorType:
        if not self.inputs:
            raise ShapeError("at least one input is needed")
        first = self.inputs[0].tensor
        for other in self.inputs[1:]:
            checks.shapes_equal(first.shape, other.tensor.shape, "the first input", "another input")
        if tuple(self.dimensions) != tuple(range(first.rank)):
            raise ShapeError(
                f"dimensions are {self.dimensions}",
                hint=f"they must be 0..{first.rank - 1} in order",
            )
        results = self.computation.result_types
        if len(results) != 1 or not isinstance(results[0], TensorType) or results[0].rank:
            raise ShapeError(f"the computation must return one scalar, not {results}")
        return TensorType(first.shape, results[0].dtype)

    def restated(self, *inputs: Value) -> Value:
        shape = inputs[0].tensor.static_shape
        if not shape:
            (result,) = inline(self.computation, inputs)
            return result
        count = math.prod(shape)
        flat = [ops.reshape(v, shape=(count,)) for v in inputs]
        sweep = Batching(count)
        ((value, batched),) = sweep.run(self.computation, flat, [True] * len(flat))
        return ops.reshape(value if batched else spread(value, count), shape=shape)

    def reference(self, *inputs: Array, computation: Callable[..., Any]) -> Array:
        out = np.empty(inputs[0].shape, self.results[0].tensor.dtype.numpy)
        for at in np.ndindex(*out.shape):
            (out[at],) = computation(*(np.asarray(x[at]) for x in inputs))
        return out
