"""The ops of dxir as functions. Written by `dxir generate`; do not edit."""

# Ops are called `sum`, `tuple` and `max`, so builtins are named by their module here.
import builtins
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from typing_extensions import TypeVar

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
from dxir.tracing.arrays import Array
from dxir.types import Dim, DType, FutureType, QuantizedType, TensorType, TokenType, TupleType

# Of values of a graph an op makes values, and of arrays it makes arrays.
V = TypeVar("V", bound=Value | Array, default=Value)
Operand = V | np.ndarray[Any, Any] | np.generic
Number = Operand[V] | builtins.bool | builtins.int | builtins.float | builtins.complex
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
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def acos(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def acosh(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def add(
    x: Number[V],
    y: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def after_all(
    tokens: Sequence[Operand[V]],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def all(
    x: Operand[V],
    *,
    axes: Ints | None = None,
    keepdims: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def all_gather(
    inputs: Sequence[Operand[V]],
    *,
    replica_groups: Groups = (),
    channel: ChannelHandle | builtins.int | None = None,
    use_global_device_ids: builtins.bool | None = None,
    axis: builtins.int,
    group_size: builtins.int | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[V, ...]: ...
def all_reduce(
    inputs: Sequence[Operand[V]],
    body: Body,
    *,
    replica_groups: Groups = (),
    channel: ChannelHandle | builtins.int | None = None,
    use_global_device_ids: builtins.bool | None = None,
    dtype: DTypeLike | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[V, ...]: ...
def all_to_all(
    inputs: Sequence[Operand[V]],
    *,
    replica_groups: Groups = (),
    channel: ChannelHandle | builtins.int | None = None,
    split_axis: builtins.int,
    concat_axis: builtins.int,
    split_count: builtins.int | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[V, ...]: ...
def and_(
    x: Number[V],
    y: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def any(
    x: Operand[V],
    *,
    axes: Ints | None = None,
    keepdims: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def argmax(
    x: Operand[V],
    *,
    axis: builtins.int | None = None,
    keepdims: builtins.bool = False,
    dtype: DTypeLike = ...,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def argmin(
    x: Operand[V],
    *,
    axis: builtins.int | None = None,
    keepdims: builtins.bool = False,
    dtype: DTypeLike = ...,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def argsort(
    x: Operand[V],
    *,
    axis: builtins.int = -1,
    descending: builtins.bool = False,
    stable: builtins.bool = True,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def asin(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def asin_acos_kernel(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def asinh(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def async_done(
    future: Operand[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def async_start(
    inputs: Sequence[Operand[V]],
    body: Body,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def at(x: Value) -> At: ...
def atan(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def atan2(
    x: Number[V],
    y: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def atanh(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def avg_pool(
    x: Operand[V],
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
) -> V: ...
def batch_norm_grad(
    operand: Operand[V],
    scale: Operand[V],
    mean: Operand[V],
    variance: Operand[V],
    grad_output: Operand[V],
    *,
    epsilon: builtins.float = 1e-05,
    feature_index: builtins.int = 1,
    expand: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[V, ...]: ...
def batch_norm_inference(
    operand: Operand[V],
    scale: Operand[V],
    offset: Operand[V],
    mean: Operand[V],
    variance: Operand[V],
    *,
    epsilon: builtins.float = 1e-05,
    feature_index: builtins.int = 1,
    expand: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def batch_norm_training(
    operand: Operand[V],
    scale: Operand[V],
    offset: Operand[V],
    *,
    epsilon: builtins.float = 1e-05,
    feature_index: builtins.int = 1,
    expand: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[V, ...]: ...
def bessel_i0e(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def bessel_i1e(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def bitcast_convert(
    x: Operand[V],
    *,
    dtype: DTypeLike,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def broadcast_in_dim(
    x: Operand[V],
    *,
    shape: Ints,
    dims: Ints,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def broadcast_to(
    x: Operand[V],
    *,
    shape: Ints,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def call(
    callee: Function,
    inputs: Sequence[Operand[V]],
    *,
    no_inline: builtins.bool | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V | builtins.tuple[V, ...]: ...
def cbrt(
    x: Number[V],
    *,
    result_accuracy: ResultAccuracy | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def ceil(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def checkpoint_call(
    callee: Function,
    inputs: Sequence[Operand[V]],
    *,
    policy: Any = "nothing",
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V | builtins.tuple[V, ...]: ...
def chlo_broadcast_add(
    x: Operand[V],
    y: Operand[V],
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def chlo_broadcast_and(
    x: Operand[V],
    y: Operand[V],
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def chlo_broadcast_atan2(
    x: Operand[V],
    y: Operand[V],
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def chlo_broadcast_compare(
    x: Operand[V],
    y: Operand[V],
    *,
    broadcast_dimensions: Ints | None = None,
    direction: builtins.str,
    total_order: builtins.bool = False,
    compare_type: builtins.str | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def chlo_broadcast_complex(
    x: Operand[V],
    y: Operand[V],
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def chlo_broadcast_divide(
    x: Operand[V],
    y: Operand[V],
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def chlo_broadcast_maximum(
    x: Operand[V],
    y: Operand[V],
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def chlo_broadcast_minimum(
    x: Operand[V],
    y: Operand[V],
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def chlo_broadcast_multiply(
    x: Operand[V],
    y: Operand[V],
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def chlo_broadcast_next_after(
    x: Operand[V],
    y: Operand[V],
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def chlo_broadcast_or(
    x: Operand[V],
    y: Operand[V],
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def chlo_broadcast_polygamma(
    x: Operand[V],
    y: Operand[V],
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def chlo_broadcast_power(
    x: Operand[V],
    y: Operand[V],
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def chlo_broadcast_remainder(
    x: Operand[V],
    y: Operand[V],
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def chlo_broadcast_select(
    pred: Operand[V],
    a: Operand[V],
    b: Operand[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def chlo_broadcast_shift_left(
    x: Operand[V],
    y: Operand[V],
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def chlo_broadcast_shift_right_arithmetic(
    x: Operand[V],
    y: Operand[V],
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def chlo_broadcast_shift_right_logical(
    x: Operand[V],
    y: Operand[V],
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def chlo_broadcast_subtract(
    x: Operand[V],
    y: Operand[V],
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def chlo_broadcast_xor(
    x: Operand[V],
    y: Operand[V],
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def chlo_broadcast_zeta(
    x: Operand[V],
    y: Operand[V],
    *,
    broadcast_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def chlo_constant(
    value: ArrayLike,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def chlo_scan(
    inputs: Sequence[Operand[V]],
    inits: Sequence[Operand[V]],
    body: Body,
    *,
    dimension: builtins.int,
    scan_dim_size: builtins.int | None = None,
    is_reverse: builtins.bool | None = None,
    is_associative: builtins.bool | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[V, ...]: ...
def chlo_tan(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def cholesky(
    a: Operand[V],
    *,
    lower_triangle: builtins.bool = True,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def clamp(
    lo: Number[V],
    x: Number[V],
    hi: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def clz(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def collective_broadcast(
    inputs: Sequence[Operand[V]],
    *,
    replica_groups: Groups = (),
    channel: ChannelHandle | builtins.int | None = None,
    has_dynamic_root: builtins.bool | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[V, ...]: ...
def collective_permute(
    x: Operand[V],
    *,
    source_target_pairs: Pairs,
    channel: ChannelHandle | builtins.int | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def collective_reduce(
    inputs: Sequence[Operand[V]],
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
) -> builtins.tuple[V, ...]: ...
def compare(
    x: Number[V],
    y: Number[V],
    *,
    direction: builtins.str,
    total_order: builtins.bool = False,
    compare_type: builtins.str | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def complex(
    x: Number[V],
    y: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def composite(
    composite_name: builtins.str,
    inputs: Sequence[Operand[V]],
    composite_regions: Sequence[Body] = (),
    *,
    decomposition: Function,
    composite_attributes: Mapping[builtins.str, Any] | None = None,
    version: builtins.int | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V | builtins.tuple[V, ...]: ...
def concat(
    xs: Sequence[Operand[V]],
    *,
    axis: builtins.int,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def cond(
    pred: Operand[V],
    true_branch: Body,
    false_branch: Body,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V | builtins.tuple[V, ...]: ...
def conj(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def constant(
    value: ArrayLike,
    *,
    dtype: DTypeLike | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def constant_like(
    x: Operand[V],
    *,
    value: Any,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def conv1d(
    x: Operand[V],
    kernel: Operand[V],
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
) -> V: ...
def conv2d(
    x: Operand[V],
    kernel: Operand[V],
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
) -> V: ...
def conv3d(
    x: Operand[V],
    kernel: Operand[V],
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
) -> V: ...
def conv_transpose1d(
    x: Operand[V],
    kernel: Operand[V],
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
) -> V: ...
def conv_transpose2d(
    x: Operand[V],
    kernel: Operand[V],
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
) -> V: ...
def conv_transpose3d(
    x: Operand[V],
    kernel: Operand[V],
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
) -> V: ...
def convert(
    x: Operand[V],
    *,
    dtype: DTypeLike,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def convolution(
    lhs: Operand[V],
    rhs: Operand[V],
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
) -> V: ...
def cos(
    x: Number[V],
    *,
    result_accuracy: ResultAccuracy | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def cosh(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def create_token(
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def cross_entropy(
    logits: Operand[V],
    labels: Operand[V],
    *,
    axis: builtins.int = -1,
    reduction: builtins.str = "none",
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def cumlogsumexp(
    x: Operand[V],
    *,
    axis: builtins.int,
    reverse: builtins.bool = False,
    exclusive: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def cummax(
    x: Operand[V],
    *,
    axis: builtins.int,
    reverse: builtins.bool = False,
    exclusive: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def cummin(
    x: Operand[V],
    *,
    axis: builtins.int,
    reverse: builtins.bool = False,
    exclusive: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def cumprod(
    x: Operand[V],
    *,
    axis: builtins.int,
    reverse: builtins.bool = False,
    exclusive: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def cumsum(
    x: Operand[V],
    *,
    axis: builtins.int,
    reverse: builtins.bool = False,
    exclusive: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def custom_call(
    inputs: Sequence[Operand[V]],
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
) -> V | builtins.tuple[V, ...]: ...
def data_flow_edge(
    x: Operand[V],
    *,
    spec: Sharding | P | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def det(
    a: Operand[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def digamma(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def div(
    x: Number[V],
    y: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def dot(
    x: Operand[V],
    y: Operand[V],
    *,
    precision: builtins.tuple[builtins.str, builtins.str] | None = None,
    preferred_element_type: DTypeLike | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def dot_general(
    lhs: Operand[V],
    rhs: Operand[V],
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
) -> V: ...
def dynamic_broadcast_in_dim(
    x: Operand[V],
    output_dimensions: Operand[V],
    *,
    shape: Sequence[builtins.int | builtins.str | Dim] | None = None,
    dims: Ints,
    known_expanding_dimensions: Ints | None = None,
    known_nonexpanding_dimensions: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def dynamic_conv(
    lhs: Operand[V],
    rhs: Operand[V],
    padding: Operand[V],
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
) -> V: ...
def dynamic_gather(
    operand: Operand[V],
    start_indices: Operand[V],
    slice_sizes: Operand[V],
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
) -> V: ...
def dynamic_iota(
    output_shape: Operand[V],
    *,
    shape: Sequence[builtins.int | builtins.str | Dim] | None = None,
    axis: builtins.int,
    dtype: DTypeLike,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def dynamic_pad(
    x: Operand[V],
    value: Operand[V],
    low: Operand[V],
    high: Operand[V],
    interior: Operand[V],
    *,
    shape: Sequence[builtins.int | builtins.str | Dim] | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def dynamic_reshape(
    x: Operand[V],
    output_shape: Operand[V],
    *,
    shape: Sequence[builtins.int | builtins.str | Dim] | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def dynamic_slice(
    x: Number[V],
    starts: Sequence[Number[V]],
    *,
    sizes: Ints,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def dynamic_update_slice(
    x: Number[V],
    update: Number[V],
    starts: Sequence[Number[V]],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def eigh(
    a: Operand[V],
    *,
    lower_triangle: builtins.bool = True,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[V, V]: ...
def einsum(
    spec: builtins.str,
    xs: Sequence[Operand[V]],
    *,
    precision: builtins.tuple[builtins.str, builtins.str] | None = None,
    preferred_element_type: DTypeLike | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def elu(
    x: Operand[V],
    *,
    alpha: builtins.float = 1.0,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def embedding(
    table: Operand[V],
    ids: Operand[V],
    *,
    padding_index: builtins.int | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def erf(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def erf_inv(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def erfc(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def exp(
    x: Number[V],
    *,
    result_accuracy: ResultAccuracy | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def expand_dims(
    x: Operand[V],
    *,
    axes: Ints,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def expm1(
    x: Number[V],
    *,
    result_accuracy: ResultAccuracy | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def fft(
    x: Operand[V],
    *,
    fft_length: Ints | None = None,
    fft_type: builtins.str = "FFT",
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def flatten(
    x: Operand[V],
    *,
    start: builtins.int = 0,
    end: builtins.int = -1,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def floor(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def floor_divide(
    x: Number[V],
    y: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def fori_loop(
    start: Number[V],
    stop: Number[V],
    body: Body,
    init: Sequence[Number[V]],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[V, ...]: ...
def full(*, shape: Any, value: Any, dtype: Any) -> Value: ...
def full_like(x: V, *, value: Any) -> V: ...
def func_data_flow_edge(
    x: Operand[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def gather(
    operand: Operand[V],
    start_indices: Operand[V],
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
) -> V: ...
def gelu(
    x: Operand[V],
    *,
    approximate: builtins.str = "none",
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def get_dimension_size(
    x: Operand[V],
    *,
    axis: builtins.int,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def get_tuple_element(
    x: Operand[V],
    *,
    index: builtins.int,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def getitem(x: V, index: Any) -> V: ...
def global_avg_pool(
    x: Operand[V],
    *,
    keepdims: builtins.bool = False,
    dimension_numbers: builtins.str | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def group_norm(
    x: Operand[V],
    scale: Operand[V] | None = None,
    offset: Operand[V] | None = None,
    *,
    groups: builtins.int,
    feature_index: builtins.int = 1,
    epsilon: builtins.float = 1e-05,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def hard_sigmoid(
    x: Operand[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def hard_swish(
    x: Operand[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def ifft(
    x: Operand[V],
    *,
    fft_length: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def imag(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def infeed(
    token: Operand[V],
    *,
    types: builtins.tuple[TensorType | TokenType | TupleType | FutureType, ...],
    infeed_config: builtins.str | None = None,
    layout: Pairs | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[V, ...]: ...
def instance_norm(
    x: Operand[V],
    scale: Operand[V] | None = None,
    offset: Operand[V] | None = None,
    *,
    feature_index: builtins.int = 1,
    epsilon: builtins.float = 1e-05,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def inv(
    a: Operand[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
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
    x: Operand[V],
    *,
    fft_length: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def is_finite(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def is_inf(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def is_neg_inf(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def is_pos_inf(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def land(
    x: Number[V],
    y: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def layer_norm(
    x: Operand[V],
    scale: Operand[V] | None = None,
    offset: Operand[V] | None = None,
    *,
    axis: Ints = (-1,),
    epsilon: builtins.float = 1e-05,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def leaky_relu(
    x: Operand[V],
    *,
    negative_slope: builtins.float = 0.01,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def legacy_broadcast(
    x: Operand[V],
    *,
    broadcast_sizes: Ints,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def legacy_cross_replica_sum(
    x: Operand[V],
    *,
    replica_groups: Pairs = (),
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def legacy_dot(
    x: Operand[V],
    y: Operand[V],
    *,
    precision: Sequence[builtins.str] | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def legacy_einsum(
    x: Operand[V],
    y: Operand[V],
    *,
    einsum_config: builtins.str,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def legacy_map(
    inputs: Sequence[Operand[V]],
    computation: Body,
    *,
    dimensions: Ints,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def legacy_torch_index_select(
    x: Operand[V],
    index: Operand[V],
    *,
    dim: builtins.int,
    batch_dims: builtins.int = 0,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def legacy_unary_einsum(
    x: Operand[V],
    *,
    einsum_config: builtins.str,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def lgamma(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def lnot(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def log(
    x: Number[V],
    *,
    result_accuracy: ResultAccuracy | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def log1p(
    x: Number[V],
    *,
    result_accuracy: ResultAccuracy | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def log_softmax(
    x: Operand[V],
    *,
    axis: builtins.int = -1,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def logsumexp(
    x: Operand[V],
    *,
    axes: Ints | None = None,
    keepdims: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def lor(
    x: Number[V],
    y: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def lu(
    a: Operand[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[V, V, V]: ...
def lu_det(
    a: Operand[V],
    factors: Operand[V],
    pivots: Operand[V],
    permutation: Operand[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def lu_solve(
    a: Operand[V],
    b: Operand[V],
    factors: Operand[V],
    permutation: Operand[V],
    *,
    transpose_a: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def manual_computation(
    inputs: Sequence[Operand[V]],
    body: Body,
    *,
    in_shardings: Sharding | P | Sequence[Sharding | P],
    out_shardings: Sharding | P | Sequence[Sharding | P],
    manual_axes: Sequence[builtins.str] | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[V, ...]: ...
def map(
    body: Body,
    xs: Sequence[Operand[V]],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[V, ...]: ...
def mask_gradient(
    x: Operand[V],
    mask: Operand[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def matmul(
    x: Operand[V],
    y: Operand[V],
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
) -> V: ...
def max(
    x: Number[V],
    y: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def max_pool(
    x: Operand[V],
    *,
    window: Ints,
    window_strides: Ints,
    padding: Pairs | builtins.str = "VALID",
    window_dilations: Ints | None = None,
    dimension_numbers: builtins.str | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def mean(
    x: Operand[V],
    *,
    axes: Ints | None = None,
    keepdims: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def min(
    x: Number[V],
    y: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def mish(
    x: Operand[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def mlp(
    x: Operand[V],
    w_gate: Operand[V],
    w_up: Operand[V],
    w_down: Operand[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def mod(
    x: Number[V],
    y: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def mul(
    x: Number[V],
    y: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def mulhi(
    x: Number[V],
    y: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def named_computation(
    inputs: Sequence[Operand[V]],
    body: Body,
    *,
    label: builtins.str,
    in_shardings: Sharding | P | Sequence[Sharding | P] | None = None,
    out_shardings: Sharding | P | Sequence[Sharding | P] | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[V, ...]: ...
def neg(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def next_after(
    x: Number[V],
    y: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def norm(
    x: Operand[V],
    *,
    axes: Ints | None = None,
    keepdims: builtins.bool = False,
    ord: builtins.float = 2,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def not_(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def one_hot(
    ids: Operand[V],
    *,
    depth: builtins.int,
    axis: builtins.int = -1,
    dtype: builtins.str = "f32",
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def optimization_barrier(
    xs: Sequence[Operand[V]],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[V, ...]: ...
def or_(
    x: Number[V],
    y: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def outfeed(
    inputs: Sequence[Operand[V]],
    token: Operand[V],
    *,
    outfeed_config: builtins.str | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def pad(
    x: Number[V],
    value: Number[V],
    *,
    low: Ints,
    high: Ints,
    interior: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def partition_id(
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def polygamma(
    x: Number[V],
    y: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def popcnt(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def pow(
    x: Number[V],
    y: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def prod(
    x: Operand[V],
    *,
    axes: Ints | None = None,
    keepdims: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def propagation_barrier(
    x: Operand[V],
    *,
    allowed_direction: builtins.str = "NONE",
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def qr(
    a: Operand[V],
    *,
    full_matrices: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[V, V]: ...
def ragged_dot(
    lhs: Operand[V],
    rhs: Operand[V],
    group_sizes: Operand[V],
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
) -> V: ...
def real(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def real_dynamic_slice(
    x: Operand[V],
    starts: Operand[V],
    limits: Operand[V],
    strides: Operand[V],
    *,
    shape: Sequence[builtins.int | builtins.str | Dim] | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def recv(
    token: Operand[V],
    *,
    types: builtins.tuple[TensorType | TokenType | TupleType | FutureType, ...],
    channel_handle: ChannelHandle | builtins.int,
    is_host_transfer: builtins.bool | None = None,
    source_target_pairs: Pairs | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[V, ...]: ...
def reduce(
    inputs: Sequence[Operand[V]],
    inits: Sequence[Operand[V]],
    body: Body,
    *,
    axes: Ints,
    accumulate: Sequence[DTypeLike] | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[V, ...]: ...
def reduce_max(
    x: Operand[V],
    *,
    axes: Ints | None = None,
    keepdims: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def reduce_min(
    x: Operand[V],
    *,
    axes: Ints | None = None,
    keepdims: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def reduce_precision(
    x: Number[V],
    *,
    exponent_bits: builtins.int,
    mantissa_bits: builtins.int,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def reduce_scatter(
    x: Operand[V],
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
) -> V: ...
def reduce_window(
    inputs: Sequence[Operand[V]],
    inits: Sequence[Operand[V]],
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
) -> builtins.tuple[V, ...]: ...
def relu(
    x: Operand[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def relu6(
    x: Operand[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def rem(
    x: Number[V],
    y: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def replica_id(
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def replicated_to_unreduced(
    x: Operand[V],
    *,
    out_sharding: Sharding | P,
    axes: Axes,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def reshape(
    x: Operand[V],
    *,
    shape: Ints,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def reshard(
    x: Operand[V],
    spec: Sharding | P,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def resize2d(
    x: Operand[V],
    *,
    size: builtins.tuple[builtins.int, builtins.int],
    method: builtins.str,
    coordinates: builtins.str = "half_pixel",
    dimension_numbers: builtins.str | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def reverse(
    x: Operand[V],
    *,
    axes: Ints,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def rfft(
    x: Operand[V],
    *,
    fft_length: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def rms_norm(
    x: Operand[V],
    scale: Operand[V] | None = None,
    *,
    axis: Ints = (-1,),
    epsilon: builtins.float = 1e-05,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def rng_bit_generator(
    initial_state: Operand[V],
    *,
    algorithm: builtins.str = "DEFAULT",
    shape: Ints,
    dtype: DTypeLike = ...,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[V, V]: ...
def rng_bits(
    key: Operand[V],
    *,
    shape: Ints,
    dtype: DTypeLike = ...,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def rng_normal(
    key: Operand[V],
    *,
    shape: Ints,
    dtype: DTypeLike = ...,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def rng_split(
    key: Operand[V],
    *,
    count: builtins.int = 2,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def rng_uniform(
    key: Operand[V],
    *,
    shape: Ints,
    dtype: DTypeLike = ...,
    low: builtins.float = 0.0,
    high: builtins.float = 1.0,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def rope(
    x: Operand[V],
    cos: Operand[V],
    sin: Operand[V],
    *,
    interleaved: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def round(
    x: Operand[V],
    *,
    mode: builtins.str = "even",
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def round_nearest_afz(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def round_nearest_even(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def rsqrt(
    x: Number[V],
    *,
    result_accuracy: ResultAccuracy | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def scaled_dot_product_attention(
    q: Operand[V],
    k: Operand[V],
    v: Operand[V],
    mask: Operand[V] | None = None,
    bias: Operand[V] | None = None,
    *,
    scale: builtins.float | None = None,
    causal: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def scan(
    body: Body,
    init: Sequence[Operand[V]],
    xs: Sequence[Operand[V]] = (),
    *,
    length: builtins.int | None = None,
    reverse: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[V, ...]: ...
def scatter(
    inputs: Sequence[Operand[V]],
    scatter_indices: Operand[V],
    updates: Sequence[Operand[V]],
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
) -> builtins.tuple[V, ...]: ...
def scatter_add(x: V, indices: V, updates: V, **dims: Any) -> V: ...
def scatter_max(x: V, indices: V, updates: V, **dims: Any) -> V: ...
def scatter_min(x: V, indices: V, updates: V, **dims: Any) -> V: ...
def scatter_mul(x: V, indices: V, updates: V, **dims: Any) -> V: ...
def scatter_set(x: V, indices: V, updates: V, **dims: Any) -> V: ...
def sdy_all_gather(
    x: Operand[V],
    *,
    out_sharding: Sharding | P,
    axes: Sequence[Axes | None],
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def sdy_all_reduce(
    x: Operand[V],
    *,
    out_sharding: Sharding | P,
    reduction: builtins.str | None = None,
    axes: Axes,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def sdy_all_slice(
    x: Operand[V],
    *,
    out_sharding: Sharding | P,
    axes: Sequence[Axes | None],
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def sdy_all_to_all(
    x: Operand[V],
    *,
    out_sharding: Sharding | P,
    exchanges: Sequence[builtins.tuple[Axes, builtins.int, builtins.int]],
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def sdy_collective_permute(
    x: Operand[V],
    *,
    out_sharding: Sharding | P,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def sdy_constant(
    value: ArrayLike,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> Value: ...
def sdy_reduce_scatter(
    x: Operand[V],
    *,
    out_sharding: Sharding | P,
    reduction: builtins.str | None = None,
    axes: Sequence[Axes | None],
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def select(
    pred: Number[V],
    a: Number[V],
    b: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def select_and_scatter(
    x: Operand[V],
    source: Operand[V],
    init: Operand[V],
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
) -> V: ...
def send(
    inputs: Sequence[Operand[V]],
    token: Operand[V],
    *,
    channel_handle: ChannelHandle | builtins.int,
    is_host_transfer: builtins.bool | None = None,
    source_target_pairs: Pairs | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def set_dimension_size(
    x: Operand[V],
    size: Operand[V],
    *,
    axis: builtins.int,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def sharded_to_unreduced(
    x: Operand[V],
    *,
    out_sharding: Sharding | P,
    axes: Sequence[Axes | None],
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def sharding_constraint(
    x: Operand[V],
    spec: Sharding | P,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def sharding_group(
    x: Operand[V],
    group_id: builtins.int,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[V, ...]: ...
def shift_left(
    x: Number[V],
    y: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def shift_right_arithmetic(
    x: Number[V],
    y: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def shift_right_logical(
    x: Number[V],
    y: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def sigmoid(
    x: Number[V],
    *,
    result_accuracy: ResultAccuracy | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def sign(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def silu(
    x: Operand[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def sin(
    x: Number[V],
    *,
    result_accuracy: ResultAccuracy | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def sinh(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def slice(
    x: Operand[V],
    *,
    starts: Ints,
    limits: Ints,
    strides: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def soft_cross_entropy(
    student: Operand[V],
    teacher: Operand[V],
    *,
    axis: builtins.int = -1,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def softmax(
    x: Operand[V],
    *,
    axis: builtins.int = -1,
    masked: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def softplus(
    x: Operand[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def softsign(
    x: Operand[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def solve(
    a: Operand[V],
    b: Operand[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def sort(
    x: Operand[V],
    *,
    axis: builtins.int = -1,
    descending: builtins.bool = False,
    stable: builtins.bool = True,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def sort_by(
    inputs: Sequence[Operand[V]],
    comparator: Body,
    *,
    dimension: builtins.int = -1,
    is_stable: builtins.bool | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[V, ...]: ...
def split(
    x: Operand[V],
    *,
    sizes: builtins.int | builtins.tuple[builtins.int, ...],
    axis: builtins.int = 0,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[V, ...]: ...
def sqrt(
    x: Number[V],
    *,
    result_accuracy: ResultAccuracy | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def square(
    x: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def squeeze(
    x: Operand[V],
    *,
    axes: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def stack(
    xs: Sequence[Operand[V]],
    *,
    axis: builtins.int = 0,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def stateful_rng(
    a: Operand[V],
    b: Operand[V],
    shape: Operand[V],
    *,
    distribution: builtins.str,
    sizes: builtins.tuple[Any, ...] | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def std(
    x: Operand[V],
    *,
    axes: Ints | None = None,
    keepdims: builtins.bool = False,
    correction: builtins.float = 0,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def step(
    x: Operand[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def stop_gradient(
    x: Operand[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def sub(
    x: Number[V],
    y: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def sum(
    x: Operand[V],
    *,
    axes: Ints | None = None,
    keepdims: builtins.bool = False,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def swiglu(
    x: Operand[V],
    w_gate: Operand[V],
    w_up: Operand[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def switch(
    index: Operand[V],
    branches: Sequence[Body],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V | builtins.tuple[V, ...]: ...
def take(
    x: Operand[V],
    indices: Operand[V],
    *,
    axis: builtins.int = 0,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def take_along(
    x: Operand[V],
    indices: Operand[V],
    *,
    axis: builtins.int = -1,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def tan(
    x: Number[V],
    *,
    result_accuracy: ResultAccuracy | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def tanh(
    x: Number[V],
    *,
    result_accuracy: ResultAccuracy | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def threefry_2x32(
    key: Operand[V],
    x0: Operand[V],
    x1: Operand[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[V, V]: ...
def top_k(
    x: Operand[V],
    *,
    k: builtins.int,
    is_stable: builtins.bool | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[V, V]: ...
def transpose(
    x: Operand[V],
    *,
    permutation: Ints | None = None,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def triangular_solve(
    a: Operand[V],
    b: Operand[V],
    *,
    left_side: builtins.bool = True,
    lower_triangle: builtins.bool = True,
    unit_diagonal: builtins.bool = False,
    transpose_a: builtins.str = "NO_TRANSPOSE",
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def tril(
    x: Operand[V],
    *,
    k: builtins.int = 0,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def triu(
    x: Operand[V],
    *,
    k: builtins.int = 0,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def tuple(
    values: Sequence[Operand[V]],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def uniform_dequantize(
    x: Operand[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def uniform_quantize(
    x: Operand[V],
    dtype: QuantizedType,
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def var(
    x: Operand[V],
    *,
    axes: Ints | None = None,
    keepdims: builtins.bool = False,
    correction: builtins.float = 0,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def while_loop(
    cond: Body,
    body: Body,
    init: Sequence[Operand[V]],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> builtins.tuple[V, ...]: ...
def xor(
    x: Number[V],
    y: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def zeta(
    x: Number[V],
    y: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
def zeta_slope(
    x: Number[V],
    y: Number[V],
    *,
    name: builtins.str | None = None,
    sharding: Sharding | P | Sequence[Sharding | P | None] | None = None,
    location: Location | None = None,
) -> V: ...
