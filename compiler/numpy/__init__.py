"""Arrays and functions of the Python array API standard, as far as tracing allows.

`import dxir.numpy as xp`: in functions that are traced these make nodes of the graph; elsewhere
they compute at once, by the references of the ops.
"""

# ruff: noqa: A004  # the names are those of the standard
import math as _math
import typing as _typing

from dxir import types as _types
from dxir.numpy import fft as fft
from dxir.numpy import linalg as linalg
from dxir.numpy.composed import atan2 as atan2
from dxir.numpy.composed import ceil as ceil
from dxir.numpy.composed import clip as clip
from dxir.numpy.composed import conj as conj
from dxir.numpy.composed import copysign as copysign
from dxir.numpy.composed import floor as floor
from dxir.numpy.composed import hypot as hypot
from dxir.numpy.composed import imag as imag
from dxir.numpy.composed import isclose as isclose
from dxir.numpy.composed import isfinite as isfinite
from dxir.numpy.composed import isinf as isinf
from dxir.numpy.composed import isnan as isnan
from dxir.numpy.composed import log2 as log2
from dxir.numpy.composed import log10 as log10
from dxir.numpy.composed import logaddexp as logaddexp
from dxir.numpy.composed import logical_and as logical_and
from dxir.numpy.composed import logical_not as logical_not
from dxir.numpy.composed import logical_or as logical_or
from dxir.numpy.composed import logical_xor as logical_xor
from dxir.numpy.composed import nan_to_num as nan_to_num
from dxir.numpy.composed import nextafter as nextafter
from dxir.numpy.composed import real as real
from dxir.numpy.composed import reciprocal as reciprocal
from dxir.numpy.composed import round as round
from dxir.numpy.composed import sign as sign
from dxir.numpy.composed import signbit as signbit
from dxir.numpy.composed import trunc as trunc
from dxir.numpy.composed import where as where
from dxir.numpy.creation import arange as arange
from dxir.numpy.creation import array as array
from dxir.numpy.creation import asarray as asarray
from dxir.numpy.creation import copy as copy
from dxir.numpy.creation import empty as empty
from dxir.numpy.creation import empty_like as empty_like
from dxir.numpy.creation import eye as eye
from dxir.numpy.creation import from_dlpack as from_dlpack
from dxir.numpy.creation import full as full
from dxir.numpy.creation import full_like as full_like
from dxir.numpy.creation import linspace as linspace
from dxir.numpy.creation import meshgrid as meshgrid
from dxir.numpy.creation import ones as ones
from dxir.numpy.creation import ones_like as ones_like
from dxir.numpy.creation import tril as tril
from dxir.numpy.creation import triu as triu
from dxir.numpy.creation import zeros as zeros
from dxir.numpy.creation import zeros_like as zeros_like
from dxir.numpy.data_types import astype as astype
from dxir.numpy.data_types import can_cast as can_cast
from dxir.numpy.data_types import finfo as finfo
from dxir.numpy.data_types import iinfo as iinfo
from dxir.numpy.data_types import isdtype as isdtype
from dxir.numpy.elementwise import abs as abs
from dxir.numpy.elementwise import acos as acos
from dxir.numpy.elementwise import acosh as acosh
from dxir.numpy.elementwise import add as add
from dxir.numpy.elementwise import asin as asin
from dxir.numpy.elementwise import asinh as asinh
from dxir.numpy.elementwise import atan as atan
from dxir.numpy.elementwise import atanh as atanh
from dxir.numpy.elementwise import bitwise_and as bitwise_and
from dxir.numpy.elementwise import bitwise_invert as bitwise_invert
from dxir.numpy.elementwise import bitwise_left_shift as bitwise_left_shift
from dxir.numpy.elementwise import bitwise_or as bitwise_or
from dxir.numpy.elementwise import bitwise_right_shift as bitwise_right_shift
from dxir.numpy.elementwise import bitwise_xor as bitwise_xor
from dxir.numpy.elementwise import cos as cos
from dxir.numpy.elementwise import cosh as cosh
from dxir.numpy.elementwise import divide as divide
from dxir.numpy.elementwise import equal as equal
from dxir.numpy.elementwise import exp as exp
from dxir.numpy.elementwise import expm1 as expm1
from dxir.numpy.elementwise import floor_divide as floor_divide
from dxir.numpy.elementwise import greater as greater
from dxir.numpy.elementwise import greater_equal as greater_equal
from dxir.numpy.elementwise import less as less
from dxir.numpy.elementwise import less_equal as less_equal
from dxir.numpy.elementwise import log as log
from dxir.numpy.elementwise import log1p as log1p
from dxir.numpy.elementwise import maximum as maximum
from dxir.numpy.elementwise import minimum as minimum
from dxir.numpy.elementwise import multiply as multiply
from dxir.numpy.elementwise import negative as negative
from dxir.numpy.elementwise import not_equal as not_equal
from dxir.numpy.elementwise import positive as positive
from dxir.numpy.elementwise import pow as pow
from dxir.numpy.elementwise import remainder as remainder
from dxir.numpy.elementwise import sin as sin
from dxir.numpy.elementwise import sinh as sinh
from dxir.numpy.elementwise import sqrt as sqrt
from dxir.numpy.elementwise import square as square
from dxir.numpy.elementwise import subtract as subtract
from dxir.numpy.elementwise import tan as tan
from dxir.numpy.elementwise import tanh as tanh
from dxir.numpy.indexing import take as take
from dxir.numpy.indexing import take_along_axis as take_along_axis
from dxir.numpy.info import __array_namespace_info__ as __array_namespace_info__
from dxir.numpy.manipulation import broadcast_arrays as broadcast_arrays
from dxir.numpy.manipulation import broadcast_shapes as broadcast_shapes
from dxir.numpy.manipulation import broadcast_to as broadcast_to
from dxir.numpy.manipulation import concat as concat
from dxir.numpy.manipulation import concatenate as concatenate
from dxir.numpy.manipulation import expand_dims as expand_dims
from dxir.numpy.manipulation import flip as flip
from dxir.numpy.manipulation import matrix_transpose as matrix_transpose
from dxir.numpy.manipulation import moveaxis as moveaxis
from dxir.numpy.manipulation import pad as pad
from dxir.numpy.manipulation import permute_dims as permute_dims
from dxir.numpy.manipulation import ravel as ravel
from dxir.numpy.manipulation import repeat as repeat
from dxir.numpy.manipulation import reshape as reshape
from dxir.numpy.manipulation import roll as roll
from dxir.numpy.manipulation import split as split
from dxir.numpy.manipulation import squeeze as squeeze
from dxir.numpy.manipulation import stack as stack
from dxir.numpy.manipulation import swapaxes as swapaxes
from dxir.numpy.manipulation import tile as tile
from dxir.numpy.manipulation import transpose as transpose
from dxir.numpy.manipulation import unstack as unstack
from dxir.numpy.products import dot as dot
from dxir.numpy.products import einsum as einsum
from dxir.numpy.products import matmul as matmul
from dxir.numpy.products import outer as outer
from dxir.numpy.products import tensordot as tensordot
from dxir.numpy.products import vecdot as vecdot
from dxir.numpy.promotion import result_type as result_type
from dxir.numpy.searching import argmax as argmax
from dxir.numpy.searching import argmin as argmin
from dxir.numpy.searching import argsort as argsort
from dxir.numpy.searching import count_nonzero as count_nonzero
from dxir.numpy.searching import nonzero as nonzero
from dxir.numpy.searching import searchsorted as searchsorted
from dxir.numpy.searching import sort as sort
from dxir.numpy.sets import isin as isin
from dxir.numpy.sets import unique_all as unique_all
from dxir.numpy.sets import unique_counts as unique_counts
from dxir.numpy.sets import unique_inverse as unique_inverse
from dxir.numpy.sets import unique_values as unique_values
from dxir.numpy.statistical import all as all
from dxir.numpy.statistical import any as any
from dxir.numpy.statistical import average as average
from dxir.numpy.statistical import cumprod as cumprod
from dxir.numpy.statistical import cumsum as cumsum
from dxir.numpy.statistical import cumulative_prod as cumulative_prod
from dxir.numpy.statistical import cumulative_sum as cumulative_sum
from dxir.numpy.statistical import diff as diff
from dxir.numpy.statistical import max as max
from dxir.numpy.statistical import mean as mean
from dxir.numpy.statistical import min as min
from dxir.numpy.statistical import prod as prod
from dxir.numpy.statistical import std as std
from dxir.numpy.statistical import sum as sum
from dxir.numpy.statistical import var as var
from dxir.numpy.updates import at as at
from dxir.other_names import no_attribute as _no_attribute
from dxir.tracing.arrays import Array as Array

__array_api_version__ = "2024.12"

bfloat16 = _types.bf16
complex64 = _types.c64
complex128 = _types.c128
float16 = _types.f16
float32 = _types.f32
float64 = _types.f64
bool = _types.i1
int8 = _types.i8
int16 = _types.i16
int32 = _types.i32
int64 = _types.i64
uint8 = _types.ui8
uint16 = _types.ui16
uint32 = _types.ui32
uint64 = _types.ui64

e = _math.e
inf = _math.inf
nan = _math.nan
newaxis = None
pi = _math.pi

_OTHER_NAMES = {
    "absolute": "abs", "amax": "max", "amin": "min",
    "append": "concat", "arccos": "acos", "arccosh": "acosh", "arcsin": "asin",
    "arcsinh": "asinh", "arctan": "atan", "arctan2": "atan2", "arctanh": "atanh",
    "around": "round", "atleast_1d": "expand_dims", "bool_": "bool", "column_stack": "stack",
    "cat": "concat", "conjugate": "conj", "cond": "dxir.cond", "copyto": "x.at[...].set(v)",
    "dstack": "concat", "fabs": "abs", "float": "float32",
    "fliplr": "flip(x, axis=1)", "flipud": "flip(x, axis=0)", "float_": "float32",
    "fmod": "dxir.ops.rem", "hsplit": "split", "hstack": "concat", "inner": "vecdot",
    "invert": "bitwise_invert", "left_shift": "bitwise_left_shift", "mod": "remainder",
    "ndarray": "Array", "power": "pow", "product": "prod", "putmask": "where",
    "random": "dxir.random", "right_shift": "bitwise_right_shift", "rint": "round",
    "row_stack": "concat", "select": "where", "softmax": "dxir.ops.softmax",
    "tensor": "asarray", "true_divide": "divide", "unique": "unique_values",
    "unsqueeze": "expand_dims", "vsplit": "split", "vstack": "concat",
    "while_loop": "dxir.while_loop",
}  # fmt: skip

if not _typing.TYPE_CHECKING:  # to type checkers, other names are mistakes

    def __getattr__(name):
        if name.startswith("__"):
            raise AttributeError(f"module 'dxir.numpy' has no attribute {name!r}")
        raise _no_attribute("dxir.numpy", name, __dir__(), _OTHER_NAMES, "function")

    def __dir__():
        return [n for n in globals() if not n.startswith("_") or n.startswith("__array")]
