"""Probes put into a module: what the reference interpreter writes down while it runs.

The interpreter's own `interpreter.probe` ends the process over most element types, and results of
complex type end it as well. Here every value leaves the interpreter as a probe in a form that it
can write: complex numbers as their parts, floats of 8 bits as bits, integers below 8 bits as bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from dxir.diagnostics import where_of
from dxir.errors import EvaluationError, RaisingError
from dxir.mlir import IrLocation, IrOperation, IrType, IrValue, TypeCache, decode_type, ir
from dxir.runtime.check_calls import Check, Option
from dxir.types import (
    DType,
    QuantizedType,
    TensorType,
    f4e2m1fn,
    f6e2m3fn,
    f6e3m2fn,
    f32,
    i2,
    i4,
    i8,
    ui2,
    ui4,
    ui8,
)

Array = np.ndarray[Any, Any]

INDEX = "index.csv"
"""The file in which the interpreter lists what it wrote: name, type and file, one probe a line."""

_CODED = {i2: i8, i4: i8, ui2: ui8, ui4: ui8, f4e2m1fn: f32, f6e2m3fn: f32, f6e3m2fn: f32}


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a module is probed: `values` tensors of one element type are written down together.

    `kind` is `result`, `probe` (the user's, named `label`) or `check` (`label` is the op of the
    check dialect, `options` and `bare` as in `Check`). Of a quantized type real values are written.
    """

    id: str
    kind: Literal["result", "probe", "check", "trace"]
    dtype: str
    values: int
    label: str = ""
    where: str | None = None
    options: dict[str, Option] = field(default_factory=dict[str, Option])
    bare: bool = False
    stacked: bool = True

    @property
    def check(self) -> Check:
        """The check that the spot is for."""
        return Check(self.label, self.where, self.options, self.bare)

    def as_json(self) -> dict[str, Any]:
        """The spot as plain values."""
        return asdict(self)


class Prober:
    """Puts probes into a module; `spots` lists them."""

    def __init__(self, module: ir.Module) -> None:
        self.types = TypeCache.of(module.context)
        self.spots: list[Spot] = []

    def probe(
        self,
        values: Sequence[IrValue],
        kind: Literal["result", "probe", "check"],
        at: ir.InsertionPoint,
        location: IrLocation,
        *,
        label: str = "",
        check: Check | None = None,
    ) -> Spot:
        """Write the values down when the op at the insertion point is reached."""
        asked = check or Check(label)
        types = [self._type(value, location, asked.label) for value in values]
        name = f"p{len(self.spots)}"
        given = types[0].dtype
        dtype = given.expressed if isinstance(given, QuantizedType) else given
        place = where_of(location)
        with at, location:
            parts = [p for v, t in zip(values, types, strict=True) for p in self._coded(v, t)]
            # A tensor of unknown size cannot get one more axis.
            alone = len(parts) == 1 and not _tensor(parts[0]).has_static_shape
            whole = parts[0] if alone else self._stacked(parts)
            _create("interpreter.probe", [whole.type], [whole], probe_id=ir.StringAttr.get(name))
        spot = Spot(
            name,
            kind,
            dtype.name,
            len(values),
            asked.label,
            place,
            dict(asked.options),
            asked.bare,
            not alone,
        )
        self.spots.append(spot)
        return spot

    def trace(self, op: IrOperation) -> None:
        """Write down that `op` is reached."""
        name = f"t{len(self.spots)}"
        self.spots.append(Spot(name, "trace", "i1", 1, op.name, where_of(op.location)))
        with ir.InsertionPoint(op), op.location:
            kind = self.types.type(TensorType((), DType.of("i1")))
            value = ir.DenseElementsAttr.get_splat(kind, ir.BoolAttr.get(True))
            flag = _create("stablehlo.constant", [kind], [], value=value)
            _create("interpreter.probe", [kind], [flag], probe_id=ir.StringAttr.get(name))

    def _type(self, value: IrValue, location: IrLocation, label: str) -> TensorType:
        try:
            found = decode_type(value.type)
        except RaisingError:
            found = None
        if not isinstance(found, TensorType):
            raise EvaluationError(
                f"{label or 'the result'}: a value of type {value.type} cannot be written down",
                where=where_of(location),
            )
        return found

    def _coded(self, value: IrValue, type: TensorType) -> list[IrValue]:
        """The value in a form that the interpreter can write, in one or two parts."""
        dtype = type.dtype
        if isinstance(dtype, QuantizedType):
            return [self._as("stablehlo.uniform_dequantize", value, dtype.expressed)]
        if dtype.is_complex:
            return [self._as(f"stablehlo.{part}", value, dtype.real) for part in ("real", "imag")]
        form = _form(dtype)
        if form is dtype:
            return [value]
        op = "bitcast_convert" if form is ui8 and dtype.is_float else "convert"
        return [self._as(f"stablehlo.{op}", value, form)]

    def _as(self, op: str, value: IrValue, dtype: DType) -> IrValue:
        like = _tensor(value)
        type = ir.RankedTensorType.get(like.shape, self.types.element(dtype), like.encoding)
        return _create(op, [type], [value])

    def _stacked(self, parts: list[IrValue]) -> IrValue:
        """The parts as one tensor, so that parallel processes cannot mix them up."""
        rows: list[IrValue] = []
        for part in parts:
            type = _tensor(part)
            if not type.has_static_shape:
                raise EvaluationError(
                    f"a value of type {type} cannot be written down together with another",
                    hint="give the tensors static shapes, or arguments that determine them",
                )
            row = ir.RankedTensorType.get([1, *type.shape], type.element_type)
            rows.append(_create("stablehlo.reshape", [row], [part]))
        first = _tensor(rows[0])
        whole = ir.RankedTensorType.get([len(rows), *first.shape[1:]], first.element_type)
        axis = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 0)
        return _create("stablehlo.concatenate", [whole], rows, dimension=axis)


def _tensor(value: IrValue) -> ir.RankedTensorType:
    return ir.RankedTensorType(value.type)


def _create(
    name: str, results: list[IrType], operands: Sequence[IrValue], **attributes: Any
) -> IrValue:
    op = ir.Operation.create(name, results=results, operands=operands, attributes=attributes)
    return op.results[0]


@dataclass(frozen=True, slots=True)
class Reading:
    """What one execution of a spot wrote down."""

    spot: Spot
    arrays: tuple[Array, ...]
    nth: int
    """Which execution of the spot it was, from 0."""


def readings(folder: Path, spots: Sequence[Spot]) -> list[Reading]:
    """What was written into `folder`, in the order of execution."""
    known = {spot.id: spot for spot in spots}
    counts = dict.fromkeys(known, 0)
    found: list[Reading] = []
    for name, file in index_of(folder):
        spot = known.get(name)
        if spot is not None and spot.kind != "trace":
            found.append(Reading(spot, _decoded(spot, _load(file)), counts[name]))
            counts[name] += 1
    return found


def index_of(folder: Path) -> list[tuple[str, Path]]:
    """The names and files of all that was written into `folder`, in order."""
    index = folder / INDEX
    if not index.exists():
        return []
    rows = (line.split(",", 2) for line in index.read_text("utf-8", "replace").splitlines())
    return [(row[0], Path(row[2])) for row in rows if len(row) == 3]


def _load(file: Path) -> Array:
    """The array in a file; its type there is true to the size of elements only."""
    with file.open("rb") as stream:
        version = np.lib.format.read_magic(stream)
        assert version == (1, 0)
        shape, _, dtype = np.lib.format.read_array_header_1_0(stream)
        return np.frombuffer(stream.read(), dtype).reshape(shape)


def _decoded(spot: Spot, raw: Array) -> tuple[Array, ...]:
    dtype = DType.of(spot.dtype)
    coded = raw.view(_form(dtype).numpy)
    rows = [np.asarray(row) for row in coded] if spot.stacked else [coded]
    if dtype.is_complex:
        return tuple(_joined(rows[i], rows[i + 1], dtype) for i in range(0, len(rows), 2))
    if _form(dtype) is ui8 and dtype.is_float:
        return tuple(row.view(dtype.numpy) for row in rows)
    return tuple(row.astype(dtype.numpy) for row in rows)


def _form(dtype: DType) -> DType:
    """The element type in which values of `dtype` are written."""
    if dtype.is_float and dtype.bits == 8:
        return ui8
    return dtype.real if dtype.is_complex else _CODED.get(dtype, dtype)


def _joined(real: Array, imaginary: Array, dtype: DType) -> Array:
    whole = np.empty(real.shape, dtype.numpy)
    whole.real, whole.imag = real, imaginary
    return whole
