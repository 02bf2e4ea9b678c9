"""The ops of dxir as functions. Written by `dxir generate`; do not edit."""

# Ops are called `sum`, `tuple` and `max`, so builtins are named by their module here.
import builtins
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dxir.attributes import (
    ChannelHandle,
    DotAlgorithm,
    MeshAxesGroups,
    OutputOperandAlias,
    ResultAccuracy,
)
from dxir.dialects.updates import At
from dxir.graph import Function, Region, Value
from dxir.locations import Location
from dxir.partition_spec import P
from dxir.sharding import AxisRef, Sharding
from dxir.types import Dim, DType, FutureType, QuantizedType, TensorType, TokenType, TupleType

Array = np.ndarray[Any, Any]
Operand = Value | Array | np.generic
Number = Operand | builtins.bool | builtins.int | builtins.float | builtins.complex
Body = Callable[..., Any] | Region
Ints = builtins.int | Sequence[builtins.int]
Pairs = Sequence[Sequence[builtins.int]]
Axes = builtins.str | AxisRef | Sequence[builtins.str | AxisRef]
Groups = Sequence[Sequence[builtins.int]] | MeshAxesGroups
DTypeLike = DType | QuantizedType | builtins.str | builtins.type[Any] | np.dtype[Any]

def names() -> builtins.list[builtins.str]: ...
def lookup(name: builtins.str) -> Callable[..., Any] | None: ...
def registered(name: builtins.str) -> builtins.str: ...
def abs(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def acos(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def acosh(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def add(
    x: Number,
    y: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def after_all(
    tokens: Sequence[Operand],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def all(
    x: Operand,
    *,
    axes: Ints | None = None,
    keepdims: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def all_gather(
    inputs: Sequence[Operand],
    *,
    replica_groups: Groups = (),
    channel: ChannelHandle | builtins.int | None = None,
    use_global_device_ids: builtins.bool | None = None,
    axis: builtins.int,
    group_size: builtins.int | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[Value, ...]: ...
def all_reduce(
    inputs: Sequence[Operand],
    body: Body,
    *,
    replica_groups: Groups = (),
    channel: ChannelHandle | builtins.int | None = None,
    use_global_device_ids: builtins.bool | None = None,
    dtype: DTypeLike | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[Value, ...]: ...
def all_to_all(
    inputs: Sequence[Operand],
    *,
    replica_groups: Groups = (),
    channel: ChannelHandle | builtins.int | None = None,
    split_axis: builtins.int,
    concat_axis: builtins.int,
    split_count: builtins.int | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[Value, ...]: ...
def and_(
    x: Number,
    y: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def any(
    x: Operand,
    *,
    axes: Ints | None = None,
    keepdims: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def argmax(
    x: Operand,
    *,
    axis: builtins.int | None = None,
    keepdims: builtins.bool = False,
    dtype: DTypeLike = ...,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def argmin(
    x: Operand,
    *,
    axis: builtins.int | None = None,
    keepdims: builtins.bool = False,
    dtype: DTypeLike = ...,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def argsort(
    x: Operand,
    *,
    axis: builtins.int = -1,
    descending: builtins.bool = False,
    stable: builtins.bool = True,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def asin(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def asin_acos_kernel(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def asinh(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def async_done(
    future: Operand,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def async_start(
    inputs: Sequence[Operand],
    body: Body,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def at(x: Value) -> At: ...
def atan(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def atan2(
    x: Number,
    y: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def atanh(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def avg_pool(
    x: Operand,
    *,
    window: Ints,
    window_strides: Ints,
    padding: Pairs | builtins.str = "VALID",
    window_dilations: Ints | None = None,
    dimension_numbers: builtins.str | None = None,
    count_include_pad: builtins.bool = True,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def batch_norm_grad(
    operand: Operand,
    scale: Operand,
    mean: Operand,
    variance: Operand,
    grad_output: Operand,
    *,
    epsilon: builtins.float = 1e-05,
    feature_index: builtins.int = 1,
    expand: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[Value, ...]: ...
def batch_norm_inference(
    operand: Operand,
    scale: Operand,
    offset: Operand,
    mean: Operand,
    variance: Operand,
    *,
    epsilon: builtins.float = 1e-05,
    feature_index: builtins.int = 1,
    expand: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def batch_norm_training(
    operand: Operand,
    scale: Operand,
    offset: Operand,
    *,
    epsilon: builtins.float = 1e-05,
    feature_index: builtins.int = 1,
    expand: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[Value, ...]: ...
def bessel_i0e(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def bessel_i1e(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def bitcast_convert(
    x: Operand,
    *,
    dtype: DTypeLike,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def broadcast_in_dim(
    x: Operand,
    *,
    shape: Ints,
    dims: Ints,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def broadcast_to(
    x: Operand,
    *,
    shape: Ints,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def call(
    callee: Function,
    inputs: Sequence[Operand],
    *,
    no_inline: builtins.bool | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value | builtins.tuple[Value, ...]: ...
def cbrt(
    x: Number,
    *,
    result_accuracy: ResultAccuracy | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def ceil(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def checkpoint_call(
    callee: Function,
    inputs: Sequence[Operand],
    *,
    policy: Any = "nothing",
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value | builtins.tuple[Value, ...]: ...
def chlo_broadcast_add(
    x: Operand,
    y: Operand,
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def chlo_broadcast_and(
    x: Operand,
    y: Operand,
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def chlo_broadcast_atan2(
    x: Operand,
    y: Operand,
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def chlo_broadcast_compare(
    x: Operand,
    y: Operand,
    *,
    broadcast_dimensions: Ints | None = None,
    direction: builtins.str,
    total_order: builtins.bool = False,
    compare_type: builtins.str | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def chlo_broadcast_complex(
    x: Operand,
    y: Operand,
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def chlo_broadcast_divide(
    x: Operand,
    y: Operand,
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def chlo_broadcast_maximum(
    x: Operand,
    y: Operand,
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def chlo_broadcast_minimum(
    x: Operand,
    y: Operand,
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def chlo_broadcast_multiply(
    x: Operand,
    y: Operand,
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def chlo_broadcast_next_after(
    x: Operand,
    y: Operand,
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def chlo_broadcast_or(
    x: Operand,
    y: Operand,
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def chlo_broadcast_polygamma(
    x: Operand,
    y: Operand,
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def chlo_broadcast_power(
    x: Operand,
    y: Operand,
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def chlo_broadcast_remainder(
    x: Operand,
    y: Operand,
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def chlo_broadcast_select(
    pred: Operand,
    a: Operand,
    b: Operand,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def chlo_broadcast_shift_left(
    x: Operand,
    y: Operand,
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def chlo_broadcast_shift_right_arithmetic(
    x: Operand,
    y: Operand,
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def chlo_broadcast_shift_right_logical(
    x: Operand,
    y: Operand,
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def chlo_broadcast_subtract(
    x: Operand,
    y: Operand,
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def chlo_broadcast_xor(
    x: Operand,
    y: Operand,
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def chlo_broadcast_zeta(
    x: Operand,
    y: Operand,
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def chlo_constant(
    value: ArrayLike,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def chlo_scan(
    inputs: Sequence[Operand],
    inits: Sequence[Operand],
    body: Body,
    *,
    dimension: builtins.int,
    scan_dim_size: builtins.int | None = None,
    is_reverse: builtins.bool | None = None,
    is_associative: builtins.bool | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[Value, ...]: ...
def chlo_tan(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def cholesky(
    a: Operand,
    *,
    lower_triangle: builtins.bool = True,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def clamp(
    lo: Number,
    x: Number,
    hi: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def clz(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def collective_broadcast(
    inputs: Sequence[Operand],
    *,
    replica_groups: Groups = (),
    channel: ChannelHandle | builtins.int | None = None,
    has_dynamic_root: builtins.bool | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[Value, ...]: ...
def collective_permute(
    x: Operand,
    *,
    source_target_pairs: Pairs,
    channel: ChannelHandle | builtins.int | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def collective_reduce(
    inputs: Sequence[Operand],
    body: Body,
    *,
    replica_groups: Groups = (),
    channel: ChannelHandle | builtins.int | None = None,
    use_global_device_ids: builtins.bool | None = None,
    has_dynamic_root: builtins.bool | None = None,
    dtype: DTypeLike | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[Value, ...]: ...
def compare(
    x: Number,
    y: Number,
    *,
    direction: builtins.str,
    total_order: builtins.bool = False,
    compare_type: builtins.str | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def complex(
    x: Number,
    y: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def composite(
    composite_name: builtins.str,
    inputs: Sequence[Operand],
    composite_regions: Sequence[Body] = (),
    *,
    decomposition: Function,
    composite_attributes: Mapping[builtins.str, Any] | None = None,
    version: builtins.int | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value | builtins.tuple[Value, ...]: ...
def concat(
    xs: Sequence[Operand],
    *,
    axis: builtins.int,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def cond(
    pred: Operand,
    true_branch: Body,
    false_branch: Body,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value | builtins.tuple[Value, ...]: ...
def conj(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def constant(
    value: ArrayLike,
    *,
    dtype: DTypeLike | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def constant_like(
    x: Operand,
    *,
    value: Any,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def conv1d(
    x: Operand,
    kernel: Operand,
    *,
    window_strides: Ints,
    padding: Pairs | builtins.str = "VALID",
    lhs_dilation: Ints | None = None,
    rhs_dilation: Ints | None = None,
    feature_group_count: builtins.int = 1,
    batch_group_count: builtins.int = 1,
    window_reversal: builtins.tuple[builtins.bool, ...] | None = None,
    dimension_numbers: builtins.str | None = None,
    precision: builtins.tuple[builtins.str, builtins.str] | None = None,
    preferred_element_type: DTypeLike | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def conv2d(
    x: Operand,
    kernel: Operand,
    *,
    window_strides: Ints,
    padding: Pairs | builtins.str = "VALID",
    lhs_dilation: Ints | None = None,
    rhs_dilation: Ints | None = None,
    feature_group_count: builtins.int = 1,
    batch_group_count: builtins.int = 1,
    window_reversal: builtins.tuple[builtins.bool, ...] | None = None,
    dimension_numbers: builtins.str | None = None,
    precision: builtins.tuple[builtins.str, builtins.str] | None = None,
    preferred_element_type: DTypeLike | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def conv3d(
    x: Operand,
    kernel: Operand,
    *,
    window_strides: Ints,
    padding: Pairs | builtins.str = "VALID",
    lhs_dilation: Ints | None = None,
    rhs_dilation: Ints | None = None,
    feature_group_count: builtins.int = 1,
    batch_group_count: builtins.int = 1,
    window_reversal: builtins.tuple[builtins.bool, ...] | None = None,
    dimension_numbers: builtins.str | None = None,
    precision: builtins.tuple[builtins.str, builtins.str] | None = None,
    preferred_element_type: DTypeLike | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def conv_transpose1d(
    x: Operand,
    kernel: Operand,
    *,
    window_strides: Ints,
    padding: Pairs | builtins.str = "VALID",
    lhs_dilation: Ints | None = None,
    rhs_dilation: Ints | None = None,
    feature_group_count: builtins.int = 1,
    batch_group_count: builtins.int = 1,
    window_reversal: builtins.tuple[builtins.bool, ...] | None = None,
    dimension_numbers: builtins.str | None = None,
    precision: builtins.tuple[builtins.str, builtins.str] | None = None,
    preferred_element_type: DTypeLike | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def conv_transpose2d(
    x: Operand,
    kernel: Operand,
    *,
    window_strides: Ints,
    padding: Pairs | builtins.str = "VALID",
    lhs_dilation: Ints | None = None,
    rhs_dilation: Ints | None = None,
    feature_group_count: builtins.int = 1,
    batch_group_count: builtins.int = 1,
    window_reversal: builtins.tuple[builtins.bool, ...] | None = None,
    dimension_numbers: builtins.str | None = None,
    precision: builtins.tuple[builtins.str, builtins.str] | None = None,
    preferred_element_type: DTypeLike | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def conv_transpose3d(
    x: Operand,
    kernel: Operand,
    *,
    window_strides: Ints,
    padding: Pairs | builtins.str = "VALID",
    lhs_dilation: Ints | None = None,
    rhs_dilation: Ints | None = None,
    feature_group_count: builtins.int = 1,
    batch_group_count: builtins.int = 1,
    window_reversal: builtins.tuple[builtins.bool, ...] | None = None,
    dimension_numbers: builtins.str | None = None,
    precision: builtins.tuple[builtins.str, builtins.str] | None = None,
    preferred_element_type: DTypeLike | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def convert(
    x: Operand,
    *,
    dtype: DTypeLike,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def convolution(
    lhs: Operand,
    rhs: Operand,
    *,
    window_strides: Ints | None = None,
    lhs_dilation: Ints | None = None,
    rhs_dilation: Ints | None = None,
    window_reversal: builtins.tuple[builtins.bool, ...] | None = None,
    input_batch_dimension: builtins.int,
    input_feature_dimension: builtins.int,
    input_spatial_dimensions: Ints,
    kernel_input_feature_dimension: builtins.int,
    kernel_output_feature_dimension: builtins.int,
    kernel_spatial_dimensions: Ints,
    output_batch_dimension: builtins.int,
    output_feature_dimension: builtins.int,
    output_spatial_dimensions: Ints,
    feature_group_count: builtins.int = 1,
    batch_group_count: builtins.int = 1,
    precision: builtins.tuple[builtins.str, builtins.str] | None = None,
    preferred_element_type: DTypeLike | None = None,
    padding: Pairs | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def cos(
    x: Number,
    *,
    result_accuracy: ResultAccuracy | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def cosh(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def create_token(
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def cross_entropy(
    logits: Operand,
    labels: Operand,
    *,
    axis: builtins.int = -1,
    reduction: builtins.str = "none",
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def cumlogsumexp(
    x: Operand,
    *,
    axis: builtins.int,
    reverse: builtins.bool = False,
    exclusive: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def cummax(
    x: Operand,
    *,
    axis: builtins.int,
    reverse: builtins.bool = False,
    exclusive: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def cummin(
    x: Operand,
    *,
    axis: builtins.int,
    reverse: builtins.bool = False,
    exclusive: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def cumprod(
    x: Operand,
    *,
    axis: builtins.int,
    reverse: builtins.bool = False,
    exclusive: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def cumsum(
    x: Operand,
    *,
    axis: builtins.int,
    reverse: builtins.bool = False,
    exclusive: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def custom_call(
    inputs: Sequence[Operand],
    *,
    types: builtins.tuple[TensorType | TokenType | TupleType | FutureType, ...],
    call_target_name: builtins.str,
    has_side_effect: builtins.bool | None = None,
    backend_config: builtins.str | Mapping[builtins.str, Any] | None = None,
    api_version: builtins.int | None = None,
    called_computations: builtins.tuple[Function, ...] | None = None,
    operand_layouts: Pairs | None = None,
    result_layouts: Pairs | None = None,
    output_operand_aliases: builtins.tuple[OutputOperandAlias, ...] | None = None,
    result_tilings: Sequence[Pairs] | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value | builtins.tuple[Value, ...]: ...
def data_flow_edge(
    x: Operand,
    *,
    spec: Sharding | P | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def det(
    a: Operand,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def digamma(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def div(
    x: Number,
    y: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def dot(
    x: Operand,
    y: Operand,
    *,
    precision: builtins.tuple[builtins.str, builtins.str] | None = None,
    preferred_element_type: DTypeLike | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def dot_general(
    lhs: Operand,
    rhs: Operand,
    *,
    lhs_contracting: Ints,
    rhs_contracting: Ints,
    lhs_batching: Ints = (),
    rhs_batching: Ints = (),
    precision: builtins.tuple[builtins.str, builtins.str] | None = None,
    algorithm: DotAlgorithm | None = None,
    preferred_element_type: DTypeLike | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def dynamic_broadcast_in_dim(
    x: Operand,
    output_dimensions: Operand,
    *,
    shape: Sequence[builtins.int | builtins.str | Dim] | None = None,
    dims: Ints,
    known_expanding_dimensions: Ints | None = None,
    known_nonexpanding_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def dynamic_conv(
    lhs: Operand,
    rhs: Operand,
    padding: Operand,
    *,
    window_strides: Ints | None = None,
    lhs_dilation: Ints | None = None,
    rhs_dilation: Ints | None = None,
    window_reversal: builtins.tuple[builtins.bool, ...] | None = None,
    input_batch_dimension: builtins.int,
    input_feature_dimension: builtins.int,
    input_spatial_dimensions: Ints,
    kernel_input_feature_dimension: builtins.int,
    kernel_output_feature_dimension: builtins.int,
    kernel_spatial_dimensions: Ints,
    output_batch_dimension: builtins.int,
    output_feature_dimension: builtins.int,
    output_spatial_dimensions: Ints,
    feature_group_count: builtins.int = 1,
    batch_group_count: builtins.int = 1,
    precision: builtins.tuple[builtins.str, builtins.str] | None = None,
    preferred_element_type: DTypeLike | None = None,
    shape: Sequence[builtins.int | builtins.str | Dim] | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def dynamic_gather(
    operand: Operand,
    start_indices: Operand,
    slice_sizes: Operand,
    *,
    shape: Sequence[builtins.int | builtins.str | Dim] | None = None,
    offset_dims: Ints,
    collapsed_slice_dims: Ints,
    operand_batching_dims: Ints = (),
    start_indices_batching_dims: Ints = (),
    start_index_map: Ints,
    index_vector_dim: builtins.int,
    indices_are_sorted: builtins.bool | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def dynamic_iota(
    output_shape: Operand,
    *,
    shape: Sequence[builtins.int | builtins.str | Dim] | None = None,
    axis: builtins.int,
    dtype: DTypeLike,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def dynamic_pad(
    x: Operand,
    value: Operand,
    low: Operand,
    high: Operand,
    interior: Operand,
    *,
    shape: Sequence[builtins.int | builtins.str | Dim] | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def dynamic_reshape(
    x: Operand,
    output_shape: Operand,
    *,
    shape: Sequence[builtins.int | builtins.str | Dim] | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def dynamic_slice(
    x: Number,
    starts: Sequence[Number],
    *,
    sizes: Ints,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def dynamic_update_slice(
    x: Number,
    update: Number,
    starts: Sequence[Number],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def eigh(
    a: Operand,
    *,
    lower_triangle: builtins.bool = True,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[Value, Value]: ...
def einsum(
    spec: builtins.str,
    xs: Sequence[Operand],
    *,
    precision: builtins.tuple[builtins.str, builtins.str] | None = None,
    preferred_element_type: DTypeLike | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def elu(
    x: Operand,
    *,
    alpha: builtins.float = 1.0,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def embedding(
    table: Operand,
    ids: Operand,
    *,
    padding_index: builtins.int | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def erf(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def erf_inv(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def erfc(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def exp(
    x: Number,
    *,
    result_accuracy: ResultAccuracy | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def expand_dims(
    x: Operand,
    *,
    axes: Ints,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def expm1(
    x: Number,
    *,
    result_accuracy: ResultAccuracy | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def fft(
    x: Operand,
    *,
    fft_length: Ints | None = None,
    fft_type: builtins.str = "FFT",
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def flatten(
    x: Operand,
    *,
    start: builtins.int = 0,
    end: builtins.int = -1,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def floor(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def floor_divide(
    x: Number,
    y: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def fori_loop(
    start: Number,
    stop: Number,
    body: Body,
    init: Sequence[Number],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[Value, ...]: ...
def full(*, shape: Any, value: Any, dtype: Any) -> Value: ...
def full_like(x: Value, *, value: Any) -> Value: ...
def func_data_flow_edge(
    x: Operand,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def gather(
    operand: Operand,
    start_indices: Operand,
    *,
    offset_dims: Ints,
    collapsed_slice_dims: Ints,
    operand_batching_dims: Ints = (),
    start_indices_batching_dims: Ints = (),
    start_index_map: Ints,
    index_vector_dim: builtins.int,
    slice_sizes: Ints,
    indices_are_sorted: builtins.bool | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def gelu(
    x: Operand,
    *,
    approximate: builtins.str = "none",
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def get_dimension_size(
    x: Operand,
    *,
    axis: builtins.int,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def get_tuple_element(
    x: Operand,
    *,
    index: builtins.int,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def getitem(x: Value, index: Any) -> Value: ...
def global_avg_pool(
    x: Operand,
    *,
    keepdims: builtins.bool = False,
    dimension_numbers: builtins.str | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def group_norm(
    x: Operand,
    scale: Operand | None = None,
    offset: Operand | None = None,
    *,
    groups: builtins.int,
    feature_index: builtins.int = 1,
    epsilon: builtins.float = 1e-05,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def hard_sigmoid(
    x: Operand,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def hard_swish(
    x: Operand,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def ifft(
    x: Operand,
    *,
    fft_length: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def imag(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def infeed(
    token: Operand,
    *,
    types: builtins.tuple[TensorType | TokenType | TupleType | FutureType, ...],
    infeed_config: builtins.str | None = None,
    layout: Pairs | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[Value, ...]: ...
def instance_norm(
    x: Operand,
    scale: Operand | None = None,
    offset: Operand | None = None,
    *,
    feature_index: builtins.int = 1,
    epsilon: builtins.float = 1e-05,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def inv(
    a: Operand,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def iota(
    *,
    shape: Ints,
    axis: builtins.int,
    dtype: DTypeLike,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def irfft(
    x: Operand,
    *,
    fft_length: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def is_finite(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def is_inf(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def is_neg_inf(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def is_pos_inf(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def land(
    x: Number,
    y: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def layer_norm(
    x: Operand,
    scale: Operand | None = None,
    offset: Operand | None = None,
    *,
    axis: Ints = (-1,),
    epsilon: builtins.float = 1e-05,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def leaky_relu(
    x: Operand,
    *,
    negative_slope: builtins.float = 0.01,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def legacy_broadcast(
    x: Operand,
    *,
    broadcast_sizes: Ints,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def legacy_cross_replica_sum(
    x: Operand,
    *,
    replica_groups: Pairs = (),
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def legacy_dot(
    x: Operand,
    y: Operand,
    *,
    precision: Sequence[builtins.str] | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def legacy_einsum(
    x: Operand,
    y: Operand,
    *,
    einsum_config: builtins.str,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def legacy_map(
    inputs: Sequence[Operand],
    computation: Body,
    *,
    dimensions: Ints,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def legacy_torch_index_select(
    x: Operand,
    index: Operand,
    *,
    dim: builtins.int,
    batch_dims: builtins.int = 0,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def legacy_unary_einsum(
    x: Operand,
    *,
    einsum_config: builtins.str,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def lgamma(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def lnot(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def log(
    x: Number,
    *,
    result_accuracy: ResultAccuracy | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def log1p(
    x: Number,
    *,
    result_accuracy: ResultAccuracy | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def log_softmax(
    x: Operand,
    *,
    axis: builtins.int = -1,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def logsumexp(
    x: Operand,
    *,
    axes: Ints | None = None,
    keepdims: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def lor(
    x: Number,
    y: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def lu(
    a: Operand,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[Value, Value, Value]: ...
def lu_det(
    a: Operand,
    factors: Operand,
    pivots: Operand,
    permutation: Operand,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def lu_solve(
    a: Operand,
    b: Operand,
    factors: Operand,
    permutation: Operand,
    *,
    transpose_a: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def manual_computation(
    inputs: Sequence[Operand],
    body: Body,
    *,
    in_shardings: Sharding | P | Sequence[Sharding | P],
    out_shardings: Sharding | P | Sequence[Sharding | P],
    manual_axes: Sequence[builtins.str] | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[Value, ...]: ...
def map(
    body: Body,
    xs: Sequence[Operand],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[Value, ...]: ...
def mask_gradient(
    x: Operand,
    mask: Operand,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def matmul(
    x: Operand,
    y: Operand,
    *,
    result_axes: Sequence[builtins.str] | None = None,
    contracting: Pairs | None = None,
    batching: Pairs | None = None,
    permutation: Ints | None = None,
    precision: builtins.tuple[builtins.str, builtins.str] | None = None,
    preferred_element_type: DTypeLike | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def max(
    x: Number,
    y: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def max_pool(
    x: Operand,
    *,
    window: Ints,
    window_strides: Ints,
    padding: Pairs | builtins.str = "VALID",
    window_dilations: Ints | None = None,
    dimension_numbers: builtins.str | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def mean(
    x: Operand,
    *,
    axes: Ints | None = None,
    keepdims: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def min(
    x: Number,
    y: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def mish(
    x: Operand,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def mlp(
    x: Operand,
    w_gate: Operand,
    w_up: Operand,
    w_down: Operand,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def mod(
    x: Number,
    y: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def mul(
    x: Number,
    y: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def mulhi(
    x: Number,
    y: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def named_computation(
    inputs: Sequence[Operand],
    body: Body,
    *,
    label: builtins.str,
    in_shardings: Sharding | P | Sequence[Sharding | P] | None = None,
    out_shardings: Sharding | P | Sequence[Sharding | P] | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[Value, ...]: ...
def neg(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def next_after(
    x: Number,
    y: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def norm(
    x: Operand,
    *,
    axes: Ints | None = None,
    keepdims: builtins.bool = False,
    ord: builtins.float = 2,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def not_(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def one_hot(
    ids: Operand,
    *,
    depth: builtins.int,
    axis: builtins.int = -1,
    dtype: builtins.str = "f32",
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def optimization_barrier(
    xs: Sequence[Operand],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[Value, ...]: ...
def or_(
    x: Number,
    y: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def outfeed(
    inputs: Sequence[Operand],
    token: Operand,
    *,
    outfeed_config: builtins.str | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def pad(
    x: Number,
    value: Number,
    *,
    low: Ints,
    high: Ints,
    interior: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def partition_id(
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def polygamma(
    x: Number,
    y: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def popcnt(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def pow(
    x: Number,
    y: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def prod(
    x: Operand,
    *,
    axes: Ints | None = None,
    keepdims: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def propagation_barrier(
    x: Operand,
    *,
    allowed_direction: builtins.str = "NONE",
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def qr(
    a: Operand,
    *,
    full_matrices: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[Value, Value]: ...
def ragged_dot(
    lhs: Operand,
    rhs: Operand,
    group_sizes: Operand,
    *,
    lhs_contracting: Ints,
    rhs_contracting: Ints,
    lhs_batching: Ints = (),
    rhs_batching: Ints = (),
    lhs_ragged: Ints,
    rhs_group: Ints = (),
    precision: builtins.tuple[builtins.str, builtins.str] | None = None,
    preferred_element_type: DTypeLike | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def real(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def real_dynamic_slice(
    x: Operand,
    starts: Operand,
    limits: Operand,
    strides: Operand,
    *,
    shape: Sequence[builtins.int | builtins.str | Dim] | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def recv(
    token: Operand,
    *,
    types: builtins.tuple[TensorType | TokenType | TupleType | FutureType, ...],
    channel_handle: ChannelHandle | builtins.int,
    is_host_transfer: builtins.bool | None = None,
    source_target_pairs: Pairs | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[Value, ...]: ...
def reduce(
    inputs: Sequence[Operand],
    inits: Sequence[Operand],
    body: Body,
    *,
    axes: Ints,
    accumulate: Sequence[DTypeLike] | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[Value, ...]: ...
def reduce_max(
    x: Operand,
    *,
    axes: Ints | None = None,
    keepdims: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def reduce_min(
    x: Operand,
    *,
    axes: Ints | None = None,
    keepdims: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def reduce_precision(
    x: Number,
    *,
    exponent_bits: builtins.int,
    mantissa_bits: builtins.int,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def reduce_scatter(
    x: Operand,
    body: Body,
    *,
    replica_groups: Groups = (),
    channel: ChannelHandle | builtins.int | None = None,
    use_global_device_ids: builtins.bool | None = None,
    axis: builtins.int,
    group_size: builtins.int | None = None,
    dtype: DTypeLike | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def reduce_window(
    inputs: Sequence[Operand],
    inits: Sequence[Operand],
    body: Body,
    *,
    window_dimensions: Ints,
    window_strides: Ints | None = None,
    base_dilations: Ints | None = None,
    window_dilations: Ints | None = None,
    padding: Pairs | None = None,
    accumulate: Sequence[DTypeLike] | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[Value, ...]: ...
def relu(
    x: Operand,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def relu6(
    x: Operand,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def rem(
    x: Number,
    y: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def replica_id(
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def replicated_to_unreduced(
    x: Operand,
    *,
    out_sharding: Sharding | P,
    axes: Axes,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def reshape(
    x: Operand,
    *,
    shape: Ints,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def reshard(
    x: Operand,
    spec: Sharding | P,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def resize2d(
    x: Operand,
    *,
    size: builtins.tuple[builtins.int, builtins.int],
    method: builtins.str,
    coordinates: builtins.str = "half_pixel",
    dimension_numbers: builtins.str | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def reverse(
    x: Operand,
    *,
    axes: Ints,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def rfft(
    x: Operand,
    *,
    fft_length: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def rms_norm(
    x: Operand,
    scale: Operand | None = None,
    *,
    axis: Ints = (-1,),
    epsilon: builtins.float = 1e-05,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def rng_bit_generator(
    initial_state: Operand,
    *,
    algorithm: builtins.str = "DEFAULT",
    shape: Ints,
    dtype: DTypeLike = ...,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[Value, Value]: ...
def rng_bits(
    key: Operand,
    *,
    shape: Ints,
    dtype: DTypeLike = ...,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def rng_normal(
    key: Operand,
    *,
    shape: Ints,
    dtype: DTypeLike = ...,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def rng_split(
    key: Operand,
    *,
    count: builtins.int = 2,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def rng_uniform(
    key: Operand,
    *,
    shape: Ints,
    dtype: DTypeLike = ...,
    low: builtins.float = 0.0,
    high: builtins.float = 1.0,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def rope(
    x: Operand,
    cos: Operand,
    sin: Operand,
    *,
    interleaved: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def round(
    x: Operand,
    *,
    mode: builtins.str = "even",
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def round_nearest_afz(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def round_nearest_even(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def rsqrt(
    x: Number,
    *,
    result_accuracy: ResultAccuracy | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def scaled_dot_product_attention(
    q: Operand,
    k: Operand,
    v: Operand,
    mask: Operand | None = None,
    bias: Operand | None = None,
    *,
    scale: builtins.float | None = None,
    causal: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def scan(
    body: Body,
    init: Sequence[Operand],
    xs: Sequence[Operand] = (),
    *,
    length: builtins.int | None = None,
    reverse: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[Value, ...]: ...
def scatter(
    inputs: Sequence[Operand],
    scatter_indices: Operand,
    updates: Sequence[Operand],
    body: Body,
    *,
    update_window_dims: Ints,
    inserted_window_dims: Ints,
    input_batching_dims: Ints = (),
    scatter_indices_batching_dims: Ints = (),
    scatter_dims_to_operand_dims: Ints,
    index_vector_dim: builtins.int,
    indices_are_sorted: builtins.bool | None = None,
    unique_indices: builtins.bool | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[Value, ...]: ...
def scatter_add(x: Value, indices: Value, updates: Value, **dims: Any) -> Value: ...
def scatter_max(x: Value, indices: Value, updates: Value, **dims: Any) -> Value: ...
def scatter_min(x: Value, indices: Value, updates: Value, **dims: Any) -> Value: ...
def scatter_mul(x: Value, indices: Value, updates: Value, **dims: Any) -> Value: ...
def scatter_set(x: Value, indices: Value, updates: Value, **dims: Any) -> Value: ...
def sdy_all_gather(
    x: Operand,
    *,
    out_sharding: Sharding | P,
    axes: Sequence[Axes | None],
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def sdy_all_reduce(
    x: Operand,
    *,
    out_sharding: Sharding | P,
    reduction: builtins.str | None = None,
    axes: Axes,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def sdy_all_slice(
    x: Operand,
    *,
    out_sharding: Sharding | P,
    axes: Sequence[Axes | None],
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def sdy_all_to_all(
    x: Operand,
    *,
    out_sharding: Sharding | P,
    exchanges: Sequence[builtins.tuple[Axes, builtins.int, builtins.int]],
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def sdy_collective_permute(
    x: Operand,
    *,
    out_sharding: Sharding | P,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def sdy_constant(
    value: ArrayLike,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def sdy_reduce_scatter(
    x: Operand,
    *,
    out_sharding: Sharding | P,
    reduction: builtins.str | None = None,
    axes: Sequence[Axes | None],
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def select(
    pred: Number,
    a: Number,
    b: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def select_and_scatter(
    x: Operand,
    source: Operand,
    init: Operand,
    select: Body,
    scatter: Body,
    *,
    window_dimensions: Ints,
    window_strides: Ints | None = None,
    padding: Pairs | None = None,
    accumulate: DTypeLike | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def send(
    inputs: Sequence[Operand],
    token: Operand,
    *,
    channel_handle: ChannelHandle | builtins.int,
    is_host_transfer: builtins.bool | None = None,
    source_target_pairs: Pairs | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def set_dimension_size(
    x: Operand,
    size: Operand,
    *,
    axis: builtins.int,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def sharded_to_unreduced(
    x: Operand,
    *,
    out_sharding: Sharding | P,
    axes: Sequence[Axes | None],
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def sharding_constraint(
    x: Operand,
    spec: Sharding | P,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def sharding_group(
    x: Operand,
    group_id: builtins.int,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[Value, ...]: ...
def shift_left(
    x: Number,
    y: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def shift_right_arithmetic(
    x: Number,
    y: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def shift_right_logical(
    x: Number,
    y: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def sigmoid(
    x: Number,
    *,
    result_accuracy: ResultAccuracy | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def sign(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def silu(
    x: Operand,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def sin(
    x: Number,
    *,
    result_accuracy: ResultAccuracy | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def sinh(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def slice(
    x: Operand,
    *,
    starts: Ints,
    limits: Ints,
    strides: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def soft_cross_entropy(
    student: Operand,
    teacher: Operand,
    *,
    axis: builtins.int = -1,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def softmax(
    x: Operand,
    *,
    axis: builtins.int = -1,
    masked: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def softplus(
    x: Operand,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def softsign(
    x: Operand,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def solve(
    a: Operand,
    b: Operand,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def sort(
    x: Operand,
    *,
    axis: builtins.int = -1,
    descending: builtins.bool = False,
    stable: builtins.bool = True,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def sort_by(
    inputs: Sequence[Operand],
    comparator: Body,
    *,
    dimension: builtins.int = -1,
    is_stable: builtins.bool | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[Value, ...]: ...
def split(
    x: Operand,
    *,
    sizes: builtins.int | builtins.tuple[builtins.int, ...],
    axis: builtins.int = 0,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[Value, ...]: ...
def sqrt(
    x: Number,
    *,
    result_accuracy: ResultAccuracy | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def square(
    x: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def squeeze(
    x: Operand,
    *,
    axes: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def stack(
    xs: Sequence[Operand],
    *,
    axis: builtins.int = 0,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def stateful_rng(
    a: Operand,
    b: Operand,
    shape: Operand,
    *,
    distribution: builtins.str,
    sizes: builtins.tuple[Any, ...] | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def std(
    x: Operand,
    *,
    axes: Ints | None = None,
    keepdims: builtins.bool = False,
    correction: builtins.float = 0,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def step(
    x: Operand,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def stop_gradient(
    x: Operand,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def sub(
    x: Number,
    y: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def sum(
    x: Operand,
    *,
    axes: Ints | None = None,
    keepdims: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def swiglu(
    x: Operand,
    w_gate: Operand,
    w_up: Operand,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def switch(
    index: Operand,
    branches: Sequence[Body],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value | builtins.tuple[Value, ...]: ...
def take(
    x: Operand,
    indices: Operand,
    *,
    axis: builtins.int = 0,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def take_along(
    x: Operand,
    indices: Operand,
    *,
    axis: builtins.int = -1,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def tan(
    x: Number,
    *,
    result_accuracy: ResultAccuracy | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def tanh(
    x: Number,
    *,
    result_accuracy: ResultAccuracy | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def threefry_2x32(
    key: Operand,
    x0: Operand,
    x1: Operand,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[Value, Value]: ...
def top_k(
    x: Operand,
    *,
    k: builtins.int,
    is_stable: builtins.bool | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[Value, Value]: ...
def transpose(
    x: Operand,
    *,
    permutation: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def triangular_solve(
    a: Operand,
    b: Operand,
    *,
    left_side: builtins.bool = True,
    lower_triangle: builtins.bool = True,
    unit_diagonal: builtins.bool = False,
    transpose_a: builtins.str = "NO_TRANSPOSE",
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def tril(
    x: Operand,
    *,
    k: builtins.int = 0,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def triu(
    x: Operand,
    *,
    k: builtins.int = 0,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def tuple(
    values: Sequence[Operand],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def uniform_dequantize(
    x: Operand,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def uniform_quantize(
    x: Operand,
    dtype: QuantizedType,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def var(
    x: Operand,
    *,
    axes: Ints | None = None,
    keepdims: builtins.bool = False,
    correction: builtins.float = 0,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def while_loop(
    cond: Body,
    body: Body,
    init: Sequence[Operand],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[Value, ...]: ...
def xor(
    x: Number,
    y: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def zeta(
    x: Number,
    y: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def zeta_slope(
    x: Number,
    y: Number,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
