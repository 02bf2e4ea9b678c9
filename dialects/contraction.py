"""Contractions: products summed over shared axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from dxir import checks, ops
from dxir.attributes import DotAlgorithm
from dxir.derivatives import Cotangent, moveaxis
from dxir.dialects.products import (
    batch_place,
    batched_dims,
    letters_of,
    product_cotangents,
)
from dxir.errors import AttributeValueError, DTypeError, ShapeError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Derived, Primitive, attribute
from dxir.types import (
    DType,
    ElementType,
    QuantizedType,
    TensorType,
    Type,
    bf16,
    c64,
    f8e4m3fn,
    f8e5m2,
    f32,
    i8,
    i32,
    same_dimension,
)

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]

_PRECISIONS = ("DEFAULT", "HIGH", "HIGHEST")

# What MLIR's verifier takes: operand precision, accumulation type, numbers of operations; any pair
# of f8 types goes with f32 and one operation.
_ALGORITHMS = {
    ("tf32", "f32"): (1, 3),
    ("bf16", "bf16"): (1,),
    ("bf16", "f32"): (1, 3, 6, 9),
    ("f16", "f16"): (1,),
    ("f16", "f32"): (1,),
    ("f32", "f32"): (1,),
    ("f64", "f64"): (1,),
}


def precision_pair(value: Any) -> tuple[str, str] | None:
    """One precision for each operand; a single word stands for both."""
    if value is None:
        return None
    words = (value, value) if isinstance(value, str) else tuple(value)
    checks.length(words, 2, "precision")
    first, second = (checks.one_of(w, _PRECISIONS, "precision") for w in words)
    return first, second


def check_algorithm(algorithm: DotAlgorithm | None, precision: tuple[str, str] | None) -> None:
    """Refuse an algorithm that no device has, and one beside a precision that says otherwise."""
    if algorithm is None:
        return
    if not isinstance(algorithm, DotAlgorithm):
        raise AttributeValueError(
            f"an algorithm is a DotAlgorithm, not {algorithm!r}",
            hint='say what it computes with: dxir.DotAlgorithm("tf32", "tf32", dxir.f32)',
        )
    if precision is not None and set(precision) != {"DEFAULT"}:
        raise AttributeValueError(
            f"precision {precision} and an algorithm are both given",
            hint="the algorithm settles the precision: leave precision out",
        )
    left, right = str(algorithm.lhs_precision_type), str(algorithm.rhs_precision_type)
    narrow = all(n.startswith("f8") and n != "f8e8m0fnu" for n in (left, right))
    key = (left, str(algorithm.accumulation_type))
    allowed = (1,) if narrow and key[1] == "f32" else _ALGORITHMS.get(key, ())
    good = (
        (narrow or left == right)
        and algorithm.num_primitive_operations in allowed
        and algorithm.lhs_component_count == algorithm.rhs_component_count == 1
        and (narrow or not algorithm.allow_imprecise_accumulation)
    )
    if not good:
        known = [f"{a} x {a} -> {c} in {list(n)}" for (a, c), n in _ALGORITHMS.items()]
        raise AttributeValueError(
            f"no device has the algorithm {algorithm}",
            hint=f"one component each, and one of {'; '.join(known)}; any f8 pair -> f32 in [1]",
        )


def element_type(value: Any) -> ElementType | None:
    """An element type by any of its names; None stays None."""
    return value if value is None or isinstance(value, QuantizedType) else DType.of(value)


def product_dtype(lhs: Value, rhs: Value, preferred: ElementType | None) -> ElementType:
    """The element type of a contraction of `lhs` with `rhs`.

    Operands of unlike types are taken only when `preferred` says what the result is.
    """
    left, right = lhs.tensor.dtype, rhs.tensor.dtype
    if preferred is None:
        if left.kind == "quantized" or right.kind == "quantized":
            raise DTypeError(
                f"the result type of {lhs.type} with {rhs.type} is not implied",
                hint="say it with preferred_element_type",
            )
        checks.same_dtype((lhs, rhs))
        return left
    numbers = {left.kind, right.kind} <= {"int", "uint"}
    if left.kind != right.kind and "quantized" not in (left.kind, right.kind) and not numbers:
        checks.same_dtype((lhs, rhs))
    if preferred.kind != left.kind and "quantized" not in (left.kind, preferred.kind):
        raise DTypeError(
            f"preferred_element_type {preferred} does not suit operands of {left}",
            hint="it must be a type of the same kind",
        )
    return preferred


def wide_product_dtype(lhs: Array, rhs: Array) -> Any:
    """The dtype in which NumPy multiplies and sums exactly enough to be the judge."""
    left, right = DType.of(lhs.dtype), DType.of(rhs.dtype)
    if left.is_complex:
        return np.complex128
    if left.is_bool:
        return np.bool_
    if left.is_integer:
        return np.uint64 if left.is_unsigned and right.is_unsigned else np.int64
    return np.float64


class DotDims(NamedTuple):
    """Which axes of the two operands of a contraction belong together."""

    lhs_batching: tuple[int, ...]
    rhs_batching: tuple[int, ...]
    lhs_contracting: tuple[int, ...]
    rhs_contracting: tuple[int, ...]

    def free(self, lhs: int, rhs: int) -> tuple[list[int], list[int]]:
        """The axes that neither batch nor contract, of operands of these ranks."""
        left = {*self.lhs_batching, *self.lhs_contracting}
        right = {*self.rhs_batching, *self.rhs_contracting}
        return [i for i in range(lhs) if i not in left], [i for i in range(rhs) if i not in right]

    def check(self, lhs: TensorType, rhs: TensorType) -> None:
        """Raise ShapeError for axes named twice, and for pairs of unlike length or size."""
        for side, batching, contracting in (
            ("lhs", self.lhs_batching, self.lhs_contracting),
            ("rhs", self.rhs_batching, self.rhs_contracting),
        ):
            if len({*contracting, *batching}) != len(contracting) + len(batching):
                raise ShapeError(
                    f"{side}_contracting {contracting} and {side}_batching {batching} "
                    "name an axis twice"
                )
        _check_pairs("contracting", lhs, rhs, self.lhs_contracting, self.rhs_contracting)
        _check_pairs("batching", lhs, rhs, self.lhs_batching, self.rhs_batching)

    def result(self, lhs: TensorType, rhs: TensorType, dtype: ElementType) -> TensorType:
        """The type of the contraction: batching axes, then the free axes of each operand."""
        self.check(lhs, rhs)
        left, right = self.free(lhs.rank, rhs.rank)
        pairs = zip(self.lhs_batching, self.rhs_batching, strict=True)
        shape = [lhs.shape[i] if isinstance(lhs.shape[i], int) else rhs.shape[j] for i, j in pairs]
        shape += [lhs.shape[i] for i in left] + [rhs.shape[i] for i in right]
        names = None
        if lhs.axis_names is not None and rhs.axis_names is not None:
            names = [lhs.axis_names[i] for i in (*self.lhs_batching, *left)]
            names += [rhs.axis_names[i] for i in right]
            names = names if len(set(names)) == len(names) else None
        return TensorType(shape, dtype, names)


def axis_list(values: Any, rank: int, what: str) -> tuple[int, ...]:
    """Axes counted from the start, in the order given."""
    return tuple([checks.axis(v, rank, what) for v in checks.integers(values, what)])


def _check_pairs(
    what: str, lhs: TensorType, rhs: TensorType, left: Sequence[int], right: Sequence[int]
) -> None:
    if len(left) != len(right):
        raise ShapeError(f"lhs_{what} {tuple(left)} and rhs_{what} {tuple(right)} differ in length")
    for i, j in zip(left, right, strict=True):
        if not same_dimension(lhs.shape[i], rhs.shape[j]):
            raise ShapeError(
                f"{what} axis {i} of {lhs} has size {lhs.shape[i]}, "
                f"but axis {j} of {rhs} has size {rhs.shape[j]}"
            )


class DotGeneral(Primitive, name="dot_general", mlir="stablehlo.dot_general", rounding="sums"):
    """Sum of products over the contracting axes, for each index of the batching axes.

    The result has the batching axes, then the free axes of `lhs`, then those of `rhs`, in the
    element type `preferred_element_type` (that of the operands unless given). `precision` is
    DEFAULT, HIGH or HIGHEST, one word or one for each operand; `algorithm` fixes how it computes.
    """

    lhs: Value
    rhs: Value
    lhs_contracting: tuple[int, ...]
    rhs_contracting: tuple[int, ...]
    lhs_batching: tuple[int, ...] = ()
    rhs_batching: tuple[int, ...] = ()
    precision: tuple[str, str] | None = attribute(
        "precision_config", default=None, mlir="precision_config"
    )
    algorithm: DotAlgorithm | None = attribute("dot_algorithm", default=None)
    preferred_element_type: ElementType | None = attribute(default=None)

    packed: ClassVar = {
        "dot_dimension_numbers": (
            "dot_dims",
            ("lhs_batching", "rhs_batching", "lhs_contracting", "rhs_contracting"),
        )
    }
    tolerance = 32  # sums of products round in proportion to their terms, not to the sum
    examples = (
        Example(
            lhs=f32[2, 3], rhs=f32[3, 4], lhs_contracting=(1,), rhs_contracting=(0,), hostile=False
        ),
        Example(
            lhs=f32[5, 2, 3], rhs=f32[4, 3, 5], lhs_contracting=(-1,), rhs_contracting=(1,),
            lhs_batching=(0,), rhs_batching=(2,), hostile=False,
        ),
        Example(
            lhs=bf16[2, 3, 4], rhs=bf16[4, 3], lhs_contracting=(1, 2), rhs_contracting=(1, 0),
            preferred_element_type=f32, precision="HIGHEST", hostile=False,
        ),
        Example(
            lhs=i8[2, 3], rhs=i8[3], lhs_contracting=(1,), rhs_contracting=(0,),
            preferred_element_type=i32,
        ),
        Example(lhs=f32[2], rhs=f32[3], lhs_contracting=(), rhs_contracting=(), hostile=False),
        Example(
            lhs=f32[2, 0], rhs=f32[0, 3], lhs_contracting=(1,), rhs_contracting=(0,)
        ),
        Example(
            lhs=f32[2, 3], rhs=f32[3, 2], lhs_contracting=(1,), rhs_contracting=(0,),
            precision=("HIGH", "DEFAULT"), hostile=False,
        ),
        Example(
            lhs=f32[2, 3], rhs=f32[3, 2], lhs_contracting=(1,), rhs_contracting=(0,),
            algorithm=DotAlgorithm(f32, f32, f32), hostile=False,
        ),
        Example(
            lhs=f32[2, 3], rhs=f32[3, 2], lhs_contracting=(1,), rhs_contracting=(0,),
            algorithm=DotAlgorithm("tf32", "tf32", f32, 1, 1, 3), runs=False,
        ),
        Example(
            lhs=f8e4m3fn[2, 3], rhs=f8e5m2[3, 4], lhs_contracting=(1,), rhs_contracting=(0,),
            preferred_element_type=f32, hostile=False,
        ),
        Example(
            lhs=c64[2, 3], rhs=c64[3], lhs_contracting=(1,), rhs_contracting=(0,), hostile=False
        ),
    )  # fmt: skip

    @classmethod
    def attributes_from_types(
        cls, operand_types: Sequence[Type], result_types: Sequence[Type]
    ) -> dict[str, Any]:
        """`preferred_element_type`, when the result's type is not that of the operands."""
        return preferred_of(operand_types, result_types)

    def prepare(self) -> None:
        left, right = self.lhs.tensor.rank, self.rhs.tensor.rank
        self.update(
            lhs_contracting=axis_list(self.lhs_contracting, left, "lhs_contracting"),
            rhs_contracting=axis_list(self.rhs_contracting, right, "rhs_contracting"),
            lhs_batching=axis_list(self.lhs_batching, left, "lhs_batching"),
            rhs_batching=axis_list(self.rhs_batching, right, "rhs_batching"),
            precision=precision_pair(self.precision),
            preferred_element_type=element_type(self.preferred_element_type),
        )
        check_algorithm(self.algorithm, self.precision)

    @property
    def dims(self) -> DotDims:
        """The axes of both operands: batching, contracting and free."""
        return DotDims(
            self.lhs_batching, self.rhs_batching, self.lhs_contracting, self.rhs_contracting
        )

    def infer(self) -> TensorType:
        dtype = product_dtype(self.lhs, self.rhs, self.preferred_element_type)
        return self.dims.result(self.lhs.tensor, self.rhs.tensor, dtype)

    multilinear = ("lhs", "rhs")

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        letters = letters_of(self.dims, self.lhs.rank, self.rhs.rank)
        return product_cotangents(g, self.lhs, self.rhs, letters, self.precision)

    def batch(self, batch: Batch) -> Value:
        left, right = batch.batched
        dims = batched_dims(self.dims, left, right)
        product = batch.rebuild(batch.operands, **dims._asdict())
        place = batch_place(self.dims, self.lhs.rank, left, right)
        return moveaxis(product, place, 0)

    def reference(self, lhs: Array, rhs: Array) -> Array:
        wide = wide_product_dtype(lhs, rhs)
        left, right = self.dims.free(lhs.ndim, rhs.ndim)
        sizes = [lhs.shape[i] for i in (*self.lhs_batching, *left)]
        shape = (*sizes, *(rhs.shape[i] for i in right))
        batch = [lhs.shape[i] for i in self.lhs_batching]
        depth = int(np.prod([lhs.shape[i] for i in self.lhs_contracting], dtype=np.int64))
        rows = int(np.prod([lhs.shape[i] for i in left], dtype=np.int64))
        columns = int(np.prod([rhs.shape[i] for i in right], dtype=np.int64))
        a = lhs.transpose(*self.lhs_batching, *left, *self.lhs_contracting)
        b = rhs.transpose(*self.rhs_batching, *self.rhs_contracting, *right)
        a = a.reshape(*batch, rows, depth).astype(wide)
        b = b.reshape(*batch, depth, columns).astype(wide)
        return np.asarray(a @ b).reshape(shape).astype(self.results[0].tensor.dtype.numpy)


def preferred_of(operand_types: Sequence[Type], result_types: Sequence[Type]) -> dict[str, Any]:
    """The attribute `preferred_element_type` that gives a result of this type."""
    wanted = result_types[0].dtype if isinstance(result_types[0], TensorType) else None
    kinds = {t.dtype for t in operand_types[:2] if isinstance(t, TensorType)}
    implied = kinds == {wanted} and not isinstance(wanted, QuantizedType)
    return {"preferred_element_type": None if implied else wanted}


class Dot(Derived, name="dot", rounding="sums"):
    """Inner product of two vectors."""

    x: Value
    y: Value
    precision: tuple[str, str] | None = None
    preferred_element_type: ElementType | None = None

    tolerance = 32  # sums of products round in proportion to their terms, not to the sum
    examples = (
        Example(x=f32[4], y=f32[4], hostile=False),
        Example(x=bf16[4], y=bf16[4], hostile=False),
        Example(x=i32[0], y=i32[0]),
        Example(x=f32[4], y=f32[4], precision="HIGH", hostile=False),
    )

    def prepare(self) -> None:
        self.update(
            precision=precision_pair(self.precision),
            preferred_element_type=element_type(self.preferred_element_type),
        )

    def infer(self) -> TensorType:
        x, y = checks.rank_is(self.x, 1, "x"), checks.rank_is(self.y, 1, "y")
        if not same_dimension(x.shape[0], y.shape[0]):
            raise ShapeError(f"{x} and {y} have different lengths")
        return TensorType((), product_dtype(self.x, self.y, self.preferred_element_type))

    def expand(self, x: Value, y: Value) -> Value:
        return ops.dot_general(
            x, y, lhs_contracting=(0,), rhs_contracting=(0,), precision=self.precision,
            preferred_element_type=self.preferred_element_type,
        )  # fmt: skip

    multilinear = ("x", "y")

    def vjp(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        return product_cotangents(g, self.x, self.y, ([0], [0], []), self.precision)

    def reference(self, x: Array, y: Array) -> Array:
        wide = wide_product_dtype(x, y)
        total = np.sum(x.astype(wide) * y.astype(wide), dtype=wide)
        return np.asarray(total).astype(self.results[0].tensor.dtype.numpy)
