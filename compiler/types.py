"""Element types, dimensions and the types of values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import ml_dtypes
import numpy as np

from dxir.dimensions import UNKNOWN as UNKNOWN
from dxir.dimensions import Dim as Dim
from dxir.dimensions import Dimension as Dimension
from dxir.dimensions import broadcast_shapes as broadcast_shapes
from dxir.dimensions import dimension
from dxir.dimensions import same_dimension as same_dimension
from dxir.dimensions import same_shape as same_shape
from dxir.dimensions import shape_text as shape_text
from dxir.errors import DTypeError, ShapeError
from dxir.locations import caller_location, place_error
from dxir.type_mistakes import bytes_or_bits, no_dtype, refuse_call


class DType:
    """A StableHLO element type.

    `name` is dxir's spelling (`f32`, `bf16`, `i1`, `ui8`, `c64`), `mlir` is MLIR's, `numpy` the
    NumPy dtype of a host array, `bits` the width of one element and `kind` one of `bool`, `int`,
    `uint`, `float` and `complex`. Indexing makes a tensor type: `f32[32, 64]`, `f32[()]`.
    """

    __slots__ = ("bits", "kind", "mlir", "name", "numpy")

    _by_name: ClassVar[dict[str, DType]] = {}
    _by_numpy: ClassVar[dict[np.dtype[Any], DType]] = {}

    def __init__(self, name: str, mlir: str, numpy: Any, kind: str, bits: int) -> None:
        self.name = name
        self.mlir = mlir
        self.numpy: np.dtype[Any] = np.dtype(numpy)
        self.kind = kind
        self.bits = bits
        self._by_name[name] = self
        self._by_name.setdefault(mlir, self)
        self._by_name.setdefault(self.numpy.name, self)
        self._by_numpy[self.numpy] = self

    @classmethod
    def of(cls, spec: object) -> DType:
        """The element type that `spec` names: a DType, a dxir, MLIR or NumPy name, or a dtype."""
        if isinstance(spec, DType):
            return spec
        if isinstance(spec, str) and spec in cls._by_name:
            return cls._by_name[spec]
        given: Any = spec  # NumPy refuses what it does not know
        try:
            found = cls._by_numpy.get(given) or cls._by_numpy[np.dtype(given).newbyteorder("=")]
        except (TypeError, ValueError, SyntaxError, KeyError):
            raise no_dtype(spec, [t.name for t in ALL_DTYPES]) from None
        if isinstance(spec, str) and spec[0] in "ufc" and spec[1:].isdecimal():
            raise bytes_or_bits(spec, found.name)  # "i8" has 8 bits, so "u8" must not have 64
        return found

    def __getitem__(self, shape: object) -> TensorType:
        return TensorType(shape if isinstance(shape, (tuple, list)) else (shape,), self)

    __iter__: ClassVar[None] = None  # or Python would index it without end
    __call__ = refuse_call

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Any, ...]:
        return (DType.of, (self.name,))

    @property
    def is_bool(self) -> bool:
        return self.kind == "bool"

    @property
    def is_integer(self) -> bool:
        return self.kind in ("int", "uint")

    @property
    def is_unsigned(self) -> bool:
        return self.kind == "uint"

    @property
    def is_float(self) -> bool:
        return self.kind == "float"

    @property
    def is_complex(self) -> bool:
        return self.kind == "complex"

    @property
    def real(self) -> DType:
        """The type of the real part (itself unless complex)."""
        return {"c64": f32, "c128": f64}.get(self.name, self)

    @property
    def accumulator(self) -> DType:
        """The type sums are kept in: f32 for floats narrower than that, itself otherwise."""
        return f32 if self.is_float and self.bits < 32 else self


i1 = DType("i1", "i1", np.bool_, "bool", 1)
i2 = DType("i2", "i2", ml_dtypes.int2, "int", 2)
i4 = DType("i4", "i4", ml_dtypes.int4, "int", 4)
i8 = DType("i8", "i8", np.int8, "int", 8)
i16 = DType("i16", "i16", np.int16, "int", 16)
i32 = DType("i32", "i32", np.int32, "int", 32)
i64 = DType("i64", "i64", np.int64, "int", 64)
ui2 = DType("ui2", "ui2", ml_dtypes.uint2, "uint", 2)
ui4 = DType("ui4", "ui4", ml_dtypes.uint4, "uint", 4)
ui8 = DType("ui8", "ui8", np.uint8, "uint", 8)
ui16 = DType("ui16", "ui16", np.uint16, "uint", 16)
ui32 = DType("ui32", "ui32", np.uint32, "uint", 32)
ui64 = DType("ui64", "ui64", np.uint64, "uint", 64)
f4e2m1fn = DType("f4e2m1fn", "f4E2M1FN", ml_dtypes.float4_e2m1fn, "float", 4)
f6e2m3fn = DType("f6e2m3fn", "f6E2M3FN", ml_dtypes.float6_e2m3fn, "float", 6)
f6e3m2fn = DType("f6e3m2fn", "f6E3M2FN", ml_dtypes.float6_e3m2fn, "float", 6)
f8e3m4 = DType("f8e3m4", "f8E3M4", ml_dtypes.float8_e3m4, "float", 8)
f8e4m3 = DType("f8e4m3", "f8E4M3", ml_dtypes.float8_e4m3, "float", 8)
f8e4m3fn = DType("f8e4m3fn", "f8E4M3FN", ml_dtypes.float8_e4m3fn, "float", 8)
f8e4m3fnuz = DType("f8e4m3fnuz", "f8E4M3FNUZ", ml_dtypes.float8_e4m3fnuz, "float", 8)
f8e4m3b11fnuz = DType("f8e4m3b11fnuz", "f8E4M3B11FNUZ", ml_dtypes.float8_e4m3b11fnuz, "float", 8)
f8e5m2 = DType("f8e5m2", "f8E5M2", ml_dtypes.float8_e5m2, "float", 8)
f8e5m2fnuz = DType("f8e5m2fnuz", "f8E5M2FNUZ", ml_dtypes.float8_e5m2fnuz, "float", 8)
f8e8m0fnu = DType("f8e8m0fnu", "f8E8M0FNU", ml_dtypes.float8_e8m0fnu, "float", 8)
bf16 = DType("bf16", "bf16", ml_dtypes.bfloat16, "float", 16)
f16 = DType("f16", "f16", np.float16, "float", 16)
f32 = DType("f32", "f32", np.float32, "float", 32)
f64 = DType("f64", "f64", np.float64, "float", 64)
c64 = DType("c64", "complex<f32>", np.complex64, "complex", 64)
c128 = DType("c128", "complex<f64>", np.complex128, "complex", 128)

ALL_DTYPES = tuple(dict.fromkeys(DType._by_numpy.values()))  # pyright: ignore[reportPrivateUsage]
FLOAT_DTYPES = tuple(t for t in ALL_DTYPES if t.is_float)
INTEGER_DTYPES = tuple(t for t in ALL_DTYPES if t.is_integer)


@dataclass(frozen=True, slots=True)
class QuantizedType:
    """A uniformly quantized element type, `real = (stored - zero_point) * scale`.

    One scale for the whole tensor, or one for each index along `axis`.
    """

    storage: DType
    expressed: DType
    scales: tuple[float, ...]
    zero_points: tuple[int, ...]
    axis: int | None = None
    storage_min: int | None = None
    storage_max: int | None = None

    def __post_init__(self) -> None:
        try:
            self._check()
        except DTypeError as error:
            place_error(error)
            raise

    def _check(self) -> None:
        object.__setattr__(self, "storage", DType.of(self.storage))
        object.__setattr__(self, "expressed", DType.of(self.expressed))
        try:
            object.__setattr__(self, "scales", tuple([float(s) for s in self.scales]))
            object.__setattr__(self, "zero_points", tuple([int(z) for z in self.zero_points]))
        except (TypeError, ValueError):
            given = f"scales {self.scales!r} and zero points {self.zero_points!r}"
            hint = "give a tuple of numbers, and one of integers"
            raise DTypeError(f"a quantized type has {given}", hint=hint) from None
        if not self.storage.is_integer or not self.expressed.is_float:
            raise DTypeError(
                f"a quantized type stores an integer and expresses a float, "
                f"not {self.storage} and {self.expressed}"
            )
        if len(self.scales) != len(self.zero_points) or not self.scales:
            raise DTypeError(
                f"{len(self.scales)} scales and {len(self.zero_points)} zero points given",
                hint="give one zero point for each scale, and at least one",
            )
        if self.axis is None and len(self.scales) != 1:
            raise DTypeError(f"{len(self.scales)} scales need the axis they run along")
        if self.axis is not None and self.axis < 0:
            raise DTypeError(f"a quantized type has axis {self.axis}", hint="count from the start")
        self._check_storage()

    def _check_storage(self) -> None:
        bits = self.storage.bits
        if bits > 32:
            raise DTypeError(f"a quantized type stores {self.storage}, wider than 32 bits")
        least = 0 if self.storage.is_unsigned else -(1 << (bits - 1))
        most = least + (1 << bits) - 1
        low = least if self.storage_min is None else self.storage_min
        high = most if self.storage_max is None else self.storage_max
        if not least <= low < high <= most:
            raise DTypeError(
                f"a quantized type stores {low} to {high} in {self.storage}",
                hint=f"{self.storage} holds {least} to {most}",
            )
        whole = (low, high) == (least, most)  # said or not, it is the same type
        object.__setattr__(self, "storage_min", None if whole else low)
        object.__setattr__(self, "storage_max", None if whole else high)
        for scale, zero in zip(self.scales, self.zero_points, strict=True):
            with np.errstate(over="ignore"):
                rounded = float(np.asarray(scale).astype(self.expressed.numpy))
            if not 0 < rounded < float("inf"):
                raise DTypeError(
                    f"a quantized type has a scale that is not positive and finite in "
                    f"{self.expressed}: {scale}"
                )
            if not low <= zero <= high:
                raise DTypeError(
                    f"a quantized type has the zero point {zero}, outside {low}..{high}"
                )

    def __getitem__(self, shape: object) -> TensorType:
        return TensorType(shape if isinstance(shape, (tuple, list)) else (shape,), self)

    def __repr__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        axis = "" if self.axis is None else f":{self.axis}"
        pairs = ",".join(f"{s!r}:{z}" for s, z in zip(self.scales, self.zero_points, strict=True))
        low, high = self.storage_min, self.storage_max
        limits = "" if low is None and high is None else f"<{low}:{high}>"
        return f"quant<{self.storage}{limits}:{self.expressed}{axis},{pairs}>"

    __iter__: ClassVar[None] = None  # see DType
    kind: ClassVar[str] = "quantized"
    is_bool: ClassVar[bool] = False
    is_integer: ClassVar[bool] = False
    is_unsigned: ClassVar[bool] = False
    is_float: ClassVar[bool] = False
    is_complex: ClassVar[bool] = False

    @property
    def bits(self) -> int:
        return self.storage.bits

    @property
    def numpy(self) -> np.dtype[Any]:
        """The dtype of a host array: the storage's."""
        return self.storage.numpy


ElementType = DType | QuantizedType
_MOST_SHARED = 1 << 16
_shared: dict[tuple[tuple[Dimension, ...], ElementType], TensorType] = {}


class TensorType:
    """The type of a tensor: its shape, element type and, where given, the names of its axes.

    `axis_names` takes part in name-based contraction only; two types that differ in nothing else
    are equal.
    """

    __slots__ = ("_hash", "_static", "axis_names", "dtype", "shape")

    def __init__(
        self, shape: Iterable[object], dtype: object, axis_names: Sequence[str] | None = None
    ) -> None:
        self.shape: tuple[Dimension, ...] = tuple(
            [d if type(d) is int and 0 <= d < 1 << 63 else dimension(d) for d in shape]
        )
        self.dtype: ElementType = (
            dtype if isinstance(dtype, (DType, QuantizedType)) else DType.of(dtype)
        )
        self.axis_names: tuple[str, ...] | None = None if axis_names is None else tuple(axis_names)
        if self.axis_names is not None:
            self._check_axis_names(self.axis_names)
        self._hash = hash((self.shape, self.dtype))
        self._static: bool | None = None  # asked of few types, and of those often

    @classmethod
    def shared(cls, shape: tuple[Dimension, ...], dtype: ElementType) -> TensorType:
        """The type of this shape, the same object each time: for types that ops work out.

        Nothing is checked, so `shape` must hold dimensions of types that exist already.
        """
        key = (shape, dtype)
        found = _shared.get(key)
        if found is None:
            if len(_shared) > _MOST_SHARED:
                _shared.clear()
            found = _shared[key] = cls(shape, dtype)
        return found

    def _check_axis_names(self, names: tuple[str, ...]) -> None:
        if len(names) != len(self.shape):
            raise ShapeError(
                f"{len(names)} axis names {names} for a tensor of rank {self.rank}",
                where=caller_location(),
            )
        if len(set(names)) != len(names):
            raise ShapeError(f"an axis name is used twice in {names}", where=caller_location())

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, TensorType):
            return NotImplemented
        return self.shape == other.shape and self.dtype == other.dtype

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        if self.axis_names is None:
            dims = ", ".join(str(d) for d in self.shape)
        else:
            pairs = zip(self.axis_names, self.shape, strict=True)
            dims = ", ".join(f"{name}: {d}" for name, d in pairs)
        return f"{self.dtype.name}[{dims}]"

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def is_static(self) -> bool:
        """Whether every dimension is known."""
        known = self._static
        if known is None:
            known = self._static = {*map(type, self.shape)} <= {int}
        return known

    @property
    def static_shape(self) -> tuple[int, ...]:
        """The shape as integers; a ShapeError when a dimension is dynamic."""
        if not self.is_static:
            raise ShapeError(f"{self} has dynamic dimensions where sizes must be known")
        return self.shape  # type: ignore[return-value]  # integers, all of them

    @property
    def size(self) -> int:
        """The number of elements."""
        count = 1
        for d in self.static_shape:
            count *= d
        return count

    @property
    def primitive(self) -> DType:
        """The element type, when it is not quantized; a DTypeError otherwise."""
        if isinstance(self.dtype, QuantizedType):
            raise DTypeError(f"{self} is quantized; this needs a plain element type")
        return self.dtype

    def with_shape(self, shape: Iterable[object]) -> TensorType:
        """The same element type in another shape."""
        return TensorType(shape, self.dtype)

    def with_dtype(self, dtype: object) -> TensorType:
        """The same shape and axis names with another element type."""
        return TensorType(self.shape, dtype, self.axis_names)

    @classmethod
    def of_array(cls, array: np.ndarray[Any, Any]) -> TensorType:
        """The type of a NumPy array."""
        return cls.shared(array.shape, DType.of(array.dtype))


@dataclass(frozen=True, slots=True)
class TokenType:
    """The type of a token, which orders side effects."""

    def __repr__(self) -> str:
        return "token"


@dataclass(frozen=True, slots=True)
class TupleType:
    """The type of a tuple of values, which only a few ops of StableHLO take or give."""

    types: tuple[Type, ...]

    def __repr__(self) -> str:
        return f"tuple<{', '.join(map(repr, self.types))}>"


@dataclass(frozen=True, slots=True)
class FutureType:
    """The type of a pending result of `async_start`."""

    types: tuple[Type, ...]

    def __repr__(self) -> str:
        return f"future<{', '.join(map(repr, self.types))}>"


Type = TensorType | TokenType | TupleType | FutureType
token = TokenType()
