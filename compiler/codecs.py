"""How attribute values are written in MLIR and read back.

A codec is a pair of functions under a name; op declarations name them, so that lowering and
raising share one description of every attribute.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from dxir.attributes import (
    ChannelHandle,
    DenseArray,
    DotAlgorithm,
    OpShardingRule,
    OutputOperandAlias,
    RawAttribute,
    ResultAccuracy,
    SymbolRef,
)
from dxir.errors import LoweringError, RaisingError
from dxir.mlir import IrAttribute, TypeCache, chlo, decode_element, dense_elements, ir
from dxir.mlir import stablehlo as hlo
from dxir.sharding import Sharding
from dxir.types import DType, QuantizedType, TensorType, TokenType, TupleType

Encode = Callable[[Any, TypeCache], IrAttribute]
Decode = Callable[[Any], Any]


class Codec(NamedTuple):
    """`encode(value, types)` gives the attribute, `decode(attribute)` the value."""

    encode: Encode
    decode: Decode


CODECS: dict[str, Codec] = {}


def _codec(name: str, encode: Encode, decode: Decode) -> None:
    CODECS[name] = Codec(encode, decode)


def _integer(bits: int) -> Encode:
    def encode(value: Any, types: TypeCache) -> IrAttribute:
        return ir.IntegerAttr.get(ir.IntegerType.get_signless(bits, types.context), value)

    return encode


def _text(attribute: ir.StringAttr) -> str:
    try:
        return attribute.value_bytes.decode("utf-8")
    except UnicodeDecodeError:
        raise RaisingError(f"the string {attribute} is not UTF-8") from None


def _enum(attribute: Any, name: str) -> None:
    _codec(
        name,
        lambda v, t: attribute.get(v, context=t.context),
        lambda a: attribute(a).value,
    )


_codec("i64", _integer(64), lambda a: ir.IntegerAttr(a).value)
_codec("i32", _integer(32), lambda a: ir.IntegerAttr(a).value)
_codec(
    "f32",
    lambda v, t: ir.FloatAttr.get(t.element(DType.of("f32")), v, t.unknown),
    lambda a: a.value,
)
_codec("bool", lambda v, t: ir.BoolAttr.get(v, t.context), lambda a: ir.BoolAttr(a).value)
_codec("string", lambda v, t: ir.StringAttr.get(v, t.context), lambda a: _text(ir.StringAttr(a)))
_codec("unit", lambda v, t: ir.UnitAttr.get(t.context), lambda a: True)
_codec(
    "i64_array",
    lambda v, t: ir.DenseI64ArrayAttr.get(v, t.context),
    lambda a: tuple(ir.DenseI64ArrayAttr(a)),
)
_codec(
    "bool_array",
    lambda v, t: ir.DenseBoolArrayAttr.get(v, t.context),
    lambda a: tuple(ir.DenseBoolArrayAttr(a)),
)
_codec(
    "i32_array",
    lambda v, t: ir.DenseI32ArrayAttr.get(v, t.context),
    lambda a: tuple(ir.DenseI32ArrayAttr(a)),
)
_enum(hlo.ComparisonDirectionAttr, "comparison_direction")
_enum(hlo.ComparisonTypeAttr, "comparison_type")
_enum(hlo.FftTypeAttr, "fft_type")
_enum(hlo.TransposeAttr, "transpose")
_enum(hlo.RngAlgorithmAttr, "rng_algorithm")
_enum(hlo.RngDistributionAttr, "rng_distribution")
_enum(chlo.ComparisonDirectionAttr, "chlo_comparison_direction")
_enum(chlo.ComparisonTypeAttr, "chlo_comparison_type")


def _encode_matrix(rows: Any, types: TypeCache) -> IrAttribute:
    array = np.array(rows, np.int64)
    if array.ndim != 2:
        array = array.reshape(len(rows), -1 if len(rows) else 0)
    return dense_elements(array, TensorType(array.shape, "i64"), types)


def _decode_matrix(attribute: Any) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(int(v) for v in row) for row in np.array(ir.DenseIntElementsAttr(attribute)))


_codec("i64_matrix", _encode_matrix, _decode_matrix)
_codec(
    "pairs",  # rows of two, also when there are none
    lambda v, t: _encode_matrix(np.array(v, np.int64).reshape(-1, 2), t),
    _decode_matrix,
)


def _precision_codec(name: str, attribute: Any) -> None:
    _codec(
        name,
        lambda v, t: ir.ArrayAttr.get([attribute.get(p, context=t.context) for p in v], t.context),
        lambda a: tuple(attribute(p).value for p in ir.ArrayAttr(a)),
    )


_precision_codec("precision_config", hlo.PrecisionAttr)
_precision_codec("chlo_precision_config", chlo.PrecisionAttr)
_codec(
    "result_accuracy",
    lambda v, t: hlo.ResultAccuracyAttr.get(v.atol, v.rtol, v.ulps, v.mode, t.context),
    lambda a: ResultAccuracy(
        *(getattr(hlo.ResultAccuracyAttr(a), n) for n in ("atol", "rtol", "ulps", "mode"))
    ),
)
_codec(
    "channel_handle",
    lambda v, t: hlo.ChannelHandle.get(v.handle, v.type, t.context),
    lambda a: ChannelHandle(hlo.ChannelHandle(a).handle, hlo.ChannelHandle(a).channel_type),
)

_DOT = (
    "lhs_batching_dimensions", "rhs_batching_dimensions",
    "lhs_contracting_dimensions", "rhs_contracting_dimensions",
)  # fmt: skip
_RAGGED = (*_DOT, "lhs_ragged_dimensions", "rhs_group_dimensions")
_CONV = (
    "input_batch_dimension", "input_feature_dimension", "input_spatial_dimensions",
    "kernel_input_feature_dimension", "kernel_output_feature_dimension",
    "kernel_spatial_dimensions", "output_batch_dimension", "output_feature_dimension",
    "output_spatial_dimensions",
)  # fmt: skip
_GATHER = (
    "offset_dims", "collapsed_slice_dims", "operand_batching_dims",
    "start_indices_batching_dims", "start_index_map", "index_vector_dim",
)  # fmt: skip
_SCATTER = (
    "update_window_dims", "inserted_window_dims", "input_batching_dims",
    "scatter_indices_batching_dims", "scattered_dims_to_operand_dims", "index_vector_dim",
)  # fmt: skip


def _numbers_codec(name: str, attribute: Any, parts: tuple[str, ...]) -> None:
    def decode(given: Any) -> tuple[Any, ...]:
        numbers = attribute(given)
        values = [getattr(numbers, p) for p in parts]
        return tuple(v if isinstance(v, int) else tuple(v) for v in values)

    _codec(name, lambda v, t: attribute.get(*v, t.context), decode)


_numbers_codec("dot_dims", hlo.DotDimensionNumbers, _DOT)
_numbers_codec("ragged_dot_dims", chlo.RaggedDotDimensionNumbers, _RAGGED)
_numbers_codec("conv_dims", hlo.ConvDimensionNumbers, _CONV)
_numbers_codec("gather_dims", hlo.GatherDimensionNumbers, _GATHER)
_numbers_codec("scatter_dims", hlo.ScatterDimensionNumbers, _SCATTER)


def _encode_algorithm(v: DotAlgorithm, types: TypeCache) -> IrAttribute:
    lhs, rhs = (
        ir.Type.parse(k, types.context) if isinstance(k, str) else types.element(k)
        for k in (v.lhs_precision_type, v.rhs_precision_type)
    )
    return hlo.DotAlgorithm.get(
        lhs,
        rhs,
        types.element(v.accumulation_type),
        v.lhs_component_count,
        v.rhs_component_count,
        v.num_primitive_operations,
        v.allow_imprecise_accumulation,
        types.context,
    )


def _decode_algorithm(attribute: Any) -> DotAlgorithm:
    given = hlo.DotAlgorithm(attribute)
    kinds: list[Any] = [
        "tf32" if str(k) == "tf32" else decode_element(k)
        for k in (given.lhs_precision_type, given.rhs_precision_type, given.accumulation_type)
    ]
    return DotAlgorithm(
        kinds[0],
        kinds[1],
        kinds[2],
        given.lhs_component_count,
        given.rhs_component_count,
        given.num_primitive_operations,
        given.allow_imprecise_accumulation,
    )


_codec("dot_algorithm", _encode_algorithm, _decode_algorithm)


def _encode_aliases(values: Any, types: TypeCache) -> IrAttribute:
    return ir.ArrayAttr.get(
        [
            hlo.OutputOperandAlias.get(
                v.output_tuple_indices, v.operand_index, v.operand_tuple_indices, types.context
            )
            for v in values
        ],
        types.context,
    )


def _decode_aliases(attribute: Any) -> tuple[OutputOperandAlias, ...]:
    aliases = [hlo.OutputOperandAlias(a) for a in ir.ArrayAttr(attribute)]
    return tuple(
        OutputOperandAlias(
            tuple(a.output_tuple_indices), a.operand_index, tuple(a.operand_tuple_indices)
        )
        for a in aliases
    )


_codec("output_operand_aliases", _encode_aliases, _decode_aliases)


def _encode_layouts(values: Any, types: TypeCache) -> IrAttribute:
    index = ir.IndexType.get(types.context)
    return ir.ArrayAttr.get(
        [
            ir.DenseElementsAttr.get(
                np.array(v, np.int64), shape=[len(v)], type=index, context=types.context
            )
            for v in values
        ],
        types.context,
    )


def _decode_layouts(attribute: Any) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(int(v) for v in ir.DenseIntElementsAttr(a)) for a in ir.ArrayAttr(attribute))


_codec("layouts", _encode_layouts, _decode_layouts)
_codec(
    "tilings",
    lambda v, t: ir.ArrayAttr.get([_encode_layouts(tiles, t) for tiles in v], t.context),
    lambda a: tuple(_decode_layouts(tiles) for tiles in ir.ArrayAttr(a)),
)


def encode_any(value: Any, types: TypeCache) -> IrAttribute:
    """An attribute for a Python value inside a dictionary (composite attributes, config...).

    int becomes i64 and float f64; NumPy scalars keep their type, arrays become dense constants.
    """
    context = types.context
    if value is None:
        return ir.UnitAttr.get(context)
    if isinstance(value, (bool, np.bool_)):
        return ir.BoolAttr.get(bool(value), context)
    if isinstance(value, int):
        return _integer(64)(value, types)
    if isinstance(value, float) and not isinstance(value, np.generic):
        return ir.FloatAttr.get(types.element(DType.of("f64")), value, types.unknown)
    if isinstance(value, (str, bytes)):
        return ir.StringAttr.get(value, context)
    if isinstance(value, (tuple, list)):
        return ir.ArrayAttr.get([encode_any(v, types) for v in value], context)
    if isinstance(value, Mapping):
        return ir.DictAttr.get({k: encode_any(v, types) for k, v in value.items()}, context)
    if isinstance(value, (DType, QuantizedType)):
        return ir.TypeAttr.get(types.element(value), context)
    if isinstance(value, (TensorType, TokenType, TupleType)):
        return ir.TypeAttr.get(types.type(value), context)
    return _encode_special(value, types)


def _encode_special(value: Any, types: TypeCache) -> IrAttribute:
    context = types.context
    if isinstance(value, np.ndarray):
        return dense_elements(value, TensorType.of_array(value), types)
    if isinstance(value, np.generic):
        dtype = DType.of(value.dtype)
        if dtype.is_integer:
            return ir.IntegerAttr.get(types.element(dtype), int(value))
        if dtype.is_float:
            return ir.FloatAttr.get(types.element(dtype), float(value), types.unknown)
    if isinstance(value, RawAttribute):
        return ir.Attribute.parse(value.text, context)
    if isinstance(value, DenseArray):
        return _DENSE_ARRAYS[value.dtype](value.values, context)
    if isinstance(value, SymbolRef):
        return ir.FlatSymbolRefAttr.get(value.name, context)
    if isinstance(value, Sharding):
        from dxir.sharding_codec import encode_sharding

        return encode_sharding(value, types)
    for kind, codec in _BY_CLASS.items():
        if isinstance(value, kind):
            return CODECS[codec].encode(value, types)
    raise LoweringError(
        f"a {type(value).__name__} ({value!r}) cannot be written as an MLIR attribute",
        hint="use numbers, strings, NumPy arrays, element types, and tuples or dicts of them",
    )


_DENSE_ARRAYS: dict[str, Callable[[Any, ir.Context], IrAttribute]] = {
    "i1": ir.DenseBoolArrayAttr.get,
    "i8": ir.DenseI8ArrayAttr.get,
    "i16": ir.DenseI16ArrayAttr.get,
    "i32": ir.DenseI32ArrayAttr.get,
    "i64": ir.DenseI64ArrayAttr.get,
    "f32": ir.DenseF32ArrayAttr.get,
    "f64": ir.DenseF64ArrayAttr.get,
}
_BY_CLASS: dict[type, str] = {
    ChannelHandle: "channel_handle",
    DotAlgorithm: "dot_algorithm",
    ResultAccuracy: "result_accuracy",
    OpShardingRule: "sharding_rule",
}
_codec(
    "function",  # a Function going in, its name coming out
    lambda v, t: ir.FlatSymbolRefAttr.get(v.name, t.context),
    lambda a: SymbolRef(ir.FlatSymbolRefAttr(a).value),
)
_codec(
    "functions",
    lambda v, t: ir.ArrayAttr.get(
        [ir.FlatSymbolRefAttr.get(f.name, t.context) for f in v], t.context
    ),
    lambda a: tuple(SymbolRef(ir.FlatSymbolRefAttr(s).value) for s in ir.ArrayAttr(a)),
)
_codec(
    "elements",  # a dense constant; `dxir.decoding` reads all element types
    lambda v, t: dense_elements(v, TensorType.of_array(v), t),
    np.asarray,
)
_codec("any", encode_any, lambda a: a)
