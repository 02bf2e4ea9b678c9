"""Folding along axes by a traced function, and what every such op shares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import checks, ops
from dxir.derivatives import captured, rebuild, zeros
from dxir.dialects.fold_trees import folded_op, in_types, is_identity, reduce_function
from dxir.dialects.product_trees import ProductTree
from dxir.dialects.spreading import extremum_cotangent, extremum_tangent, spread_over
from dxir.dialects.substitutes import batch_through, pull_through, push_through
from dxir.errors import DTypeError, OperandError, ShapeError
from dxir.examples import Example
from dxir.graph import Region, Value, place
from dxir.op import Primitive, attribute
from dxir.types import (
    Dim,
    Dimension,
    DType,
    TensorType,
    Type,
    bf16,
    f32,
    i8,
    i32,
    same_dimension,
    shape_text,
)

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch
    from dxir.transforms.forward import Forward
    from dxir.transforms.reverse import Pull, Reverse

Array = np.ndarray[Any, Any]

_FOLDS: dict[str, Any] = {
    "add": np.add,
    "mul": np.multiply,
    "max": np.maximum,
    "min": np.minimum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
}


def widened(array: Array) -> Array:
    """The array in a dtype NumPy computes in: f32 for the narrow floats, i64 for i2 and i4."""
    dtype = DType.of(array.dtype)
    if dtype.accumulator is not dtype:
        return array.astype(np.float32)
    return array.astype(np.int64) if dtype.is_integer and dtype.bits < 8 else array


def common_shape(values: Sequence[Value], what: str) -> tuple[Dimension, ...]:
    """The one shape of all `values`, sizes known by any of them known; ShapeError if none is."""
    shape = list(values[0].shape)
    for value in values[1:]:
        other = value.shape
        fits = len(other) == len(shape) and all(map(same_dimension, shape, other))
        if not fits:
            shapes = " and ".join(shape_text(v.shape) for v in values)
            raise ShapeError(f"the {what} have shapes {shapes}", hint="all must have one shape")
        shape = [b if isinstance(a, Dim) else a for a, b in zip(shape, other, strict=True)]
    return tuple(shape)


def accumulators(
    inputs: Sequence[Value], wanted: Sequence[object] | None
) -> tuple[DType, ...] | None:
    """The element types a body works in, when they are not those of the inputs."""
    if wanted is None:
        return None
    checks.length(tuple(wanted), len(inputs), "accumulate")
    found = tuple(DType.of(w) for w in wanted)
    for dtype, value in zip(found, inputs, strict=True):
        given = value.tensor.primitive
        if dtype.kind != given.kind or dtype.bits < given.bits:
            raise DTypeError(
                f"{value.type} cannot be accumulated in {dtype}",
                hint="the accumulator must be of the same kind and at least as wide",
            )
    return None if found == tuple(v.tensor.dtype for v in inputs) else found


def check_folding(
    inputs: Sequence[Value], inits: Sequence[Value], body: Region, types: Sequence[TensorType]
) -> None:
    """Refuse inits that are not scalars of the inputs' types, and bodies of other types."""
    checks.length(inits, len(inputs), "inits")
    for position, (value, init) in enumerate(zip(inputs, inits, strict=True)):
        if init.tensor.rank or init.tensor.dtype != value.tensor.dtype:
            raise ShapeError(
                f"init {position} has type {init.type}, but input {position} has {value.type}",
                hint="an init is a scalar of its input's element type",
            )
    checks.region_returns(body, types, "the body")


def simple_fold(body: Region) -> Any:
    """The NumPy ufunc that a body of one associative op on its two parameters stands for."""
    op = folded_op(body)
    return None if op is None else _FOLDS.get(op)


def fold_rows(
    rows: Sequence[Array], inits: Sequence[Array], dtypes: Sequence[Any], body: Callable[..., Any]
) -> tuple[Array, ...]:
    """Fold the last axis of each array, element after element, with `body`."""
    shape = rows[0].shape[:-1]
    outs = [np.empty(shape, d) for d in dtypes]
    rows = [r.astype(d) for r, d in zip(rows, dtypes, strict=True)]
    start = tuple(np.asarray(i).astype(d) for i, d in zip(inits, dtypes, strict=True))
    for at in np.ndindex(*shape):
        state: tuple[Any, ...] = start
        for k in range(rows[0].shape[-1]):
            state = body(*state, *(np.asarray(r[at][k]) for r in rows))
        for out, value in zip(outs, state, strict=True):
            out[at] = value
    return tuple(outs)


def fold(
    node: Any, rows: Sequence[Array], inits: Sequence[Array], body: Callable[..., Any]
) -> tuple[Array, ...]:
    """Fold the last axis of each array; in one NumPy call where the body is one known op."""
    dtypes = [r.tensor.dtype.numpy for r in node.results]
    ufunc = simple_fold(node.body)
    if ufunc is None:
        return fold_rows(rows, inits, dtypes, body)
    wide = widened(rows[0].astype(dtypes[0]))
    init = np.asarray(inits[0]).astype(wide.dtype)
    # NumPy starts a sum at 0.0 by itself, and so loses the sign of a sum of negative zeros.
    folded = ufunc.reduce(wide, axis=-1, dtype=wide.dtype, initial=init[()])
    return (np.asarray(folded).astype(dtypes[0]),)


class Reduce(Primitive, name="reduce", mlir="stablehlo.reduce", rounding="sums"):
    """Fold `inputs` along `axes` with a traced `body(*accumulated, *elements)`, from `inits`.

    The body must be associative and `inits` its identity: backends fold in any order, and use the
    inits more than once. Gives one result for each input. `accumulate` names wider element types
    for the body to work in, and for the results to have.

    Elements that are tied for a maximum or minimum share its cotangent equally. Bodies other than
    sums and extrema are differentiated as a tree over the axes.
    """

    inputs: tuple[Value, ...]
    inits: tuple[Value, ...]
    body: Region
    axes: tuple[int, ...] = attribute("i64_array", mlir="dimensions")
    accumulate: tuple[DType, ...] | None = attribute(default=None)

    examples = (
        Example(inputs=(f32[2, 3],), inits=(np.float32(0),), body=lambda a, b: a + b, axes=(1,)),
        Example(
            inputs=(f32[4], i32[4]),
            inits=(np.float32(0), np.int32(0)),
            body=lambda a, i, b, j: (a + b, i + j),
            axes=(0,),
            hostile=False,
        ),
        Example(inputs=(i32[3, 0, 2],), inits=(np.int32(0),), body=lambda a, b: b + a, axes=(-2,)),
        Example(inputs=(i8[()],), inits=(np.int8(0),), body=lambda a, b: a + b, axes=()),
        Example(
            inputs=(bf16[2, 3],),
            inits=(np.zeros((), bf16.numpy),),
            body=lambda a, b: a + b,
            axes=(0,),
            accumulate=(f32,),
            runs=False,
        ),
    )

    @classmethod
    def attributes_from_types(
        cls, operand_types: Sequence[Type], result_types: Sequence[Type]
    ) -> dict[str, Any]:
        """`accumulate`, when the results are wider than the inputs."""
        return accumulate_of(operand_types, result_types)

    def prepare(self) -> None:
        if not self.inputs:
            raise OperandError("at least one input is needed")
        axes = checks.axes(self.axes, self.inputs[0].tensor.rank)
        self.update(axes=axes, accumulate=accumulators(self.inputs, self.accumulate))

    def _dtypes(self) -> tuple[Any, ...]:
        return self.accumulate or tuple(v.tensor.dtype for v in self.inputs)

    def region_params(self) -> Sequence[Sequence[Type]]:
        scalars = [TensorType((), d) for d in self._dtypes()]
        return [(*scalars, *scalars)]

    def infer(self) -> Sequence[TensorType]:
        shape = common_shape(self.inputs, "inputs")
        scalars = [TensorType((), d) for d in self._dtypes()]
        check_folding(self.inputs, self.inits, self.body, scalars)
        kept = [d for i, d in enumerate(shape) if i not in self.axes]
        return tuple(s.with_shape(kept) for s in scalars)

    def _direct(self) -> str | None:
        """The op of the body, where there is a rule for it alone."""
        op = folded_op(self.body)
        if op == "add":
            return op
        # An extremum that may be the init's is no matter of the elements alone.
        return op if op in ("max", "min") and is_identity(op, self.inits[0]) else None

    def pullback(self, sweep: Reverse) -> tuple[Sequence[Value], Pull]:
        op = self._direct()
        if folded_op(self.body) == "mul" and self._is_plain_product():
            tree = ProductTree(in_types(self.inputs, [self.results[0].tensor])[0], self.axes)
            return (tree.result,), lambda g: self._pulled_product(tree, g)
        if op is None:
            return pull_through(sweep, self, reduce_function(self))
        place(self)
        (x,), (init,), (y,) = self.inputs, self.inits, self.results

        def element() -> Value:
            g = in_types([cotangents[0]], [x.tensor])[0]
            if op == "add":
                return spread_over(g, x, self.axes)
            return extremum_cotangent(x, in_types([y], [x.tensor])[0], g, self.axes)

        def start() -> Value:
            return in_types([ops.sum(cotangents[0])], [init.tensor])[0]

        cotangents: list[Value] = []

        def pull(g: Sequence[Value | None]) -> Any:
            assert g[0] is not None
            cotangents.append(g[0])
            return ((x, element), (init, start if op == "add" else None))

        return self.results, pull

    def pushforward(self, sweep: Forward) -> tuple[Sequence[Value], Sequence[Value | None]]:
        op = self._direct()
        if op is None:
            return push_through(sweep, self, reduce_function(self))
        place(self)
        x, y = self.inputs[0], self.results[0]
        given = [sweep.tangents.get(v) for v in self.operands]
        tangent = given[0]
        if op == "add":
            return self.results, (self._sum_tangent(tangent, given[1]),)
        assert tangent is not None
        found = extremum_tangent(x, in_types([y], [x.tensor])[0], tangent, self.axes)
        return self.results, in_types([found], [y.tensor])

    def _is_plain_product(self) -> bool:
        return is_identity("mul", self.inits[0]) and bool(self.inputs[0].tensor.size)

    def _pulled_product(self, tree: ProductTree, g: Sequence[Value | None]) -> Any:
        (cotangent,) = g
        assert cotangent is not None
        x = self.inputs[0]
        return ((x, in_types([tree.cotangent(cotangent)], [x.tensor])[0]),)

    def _sum_tangent(self, of_x: Value | None, of_init: Value | None) -> Value:
        """The tangent of a sum. That of the init is no identity, and is added once, afterwards."""
        y = self.results[0].tensor
        start: Value | None = None
        if of_init is not None:
            (wide,) = in_types([of_init], [y])
            start = ops.broadcast_in_dim(wide, shape=y.static_shape, dims=())
            if of_x is None:
                return start
        assert of_x is not None
        found: Value = rebuild(self, (of_x, zeros(self.inits[0].type)))[0]
        return found if start is None else ops.add(found, start)

    def batch(self, batch: Batch) -> Sequence[Any]:
        count = len(self.inputs)
        if any(batch.batched[count:]) or captured(self.regions):
            return batch_through(batch, reduce_function(self))
        inputs = [batch.full(i) for i in range(count)]
        axes = tuple([i + 1 for i in self.axes])
        found: Sequence[Value] = batch.rebuild((*inputs, *batch.operands[count:]), axes=axes)
        return found

    def reference(self, *operands: Array, body: Callable[..., Any]) -> tuple[Array, ...]:
        inputs, inits = operands[: len(self.inputs)], operands[len(self.inputs) :]
        kept = [i for i in range(inputs[0].ndim) if i not in self.axes]
        shape = [inputs[0].shape[i] for i in kept]
        size = int(np.prod([inputs[0].shape[i] for i in self.axes], dtype=np.int64))
        rows = [x.transpose(*kept, *self.axes).reshape(*shape, size) for x in inputs]
        return fold(self, rows, inits, body)


def accumulate_of(operand_types: Sequence[Type], result_types: Sequence[Type]) -> dict[str, Any]:
    """The attribute `accumulate` that gives results of these types."""
    given = [t.dtype for t in operand_types if isinstance(t, TensorType)][: len(result_types)]
    found = [t.dtype for t in result_types if isinstance(t, TensorType)]
    return {"accumulate": None if given == found else tuple(found)}
