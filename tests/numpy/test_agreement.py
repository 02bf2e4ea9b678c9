"""Every function of the standard beside array-api-strict, which implements it to the letter.

Arguments are drawn by Hypothesis; what the standard leaves open, and array-api-strict refuses, is
not compared.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from typing import Any

import array_api_strict as strict
import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import dxir.numpy as xp
from dxir.errors import DxirError

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS = ("float32", "float64")
DTYPES = ("bool", *INTEGERS, *FLOATS, "complex64", "complex128")
SHAPES = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)
Draw = Callable[[st.SearchStrategy[Any]], Any]


def elements(dtype: str) -> st.SearchStrategy[Any]:
    """Numbers of a type, small ones first; of the others only those without surprises."""
    kind = np.dtype(dtype).kind
    if kind == "b":
        return st.booleans()
    if kind in "iu":
        return st.integers(0 if kind == "u" else -9, 9)
    parts = st.floats(-9, 9, width=16)
    return parts if kind == "f" else st.builds(complex, parts, parts)


def array(draw: Draw, shape: Any = SHAPES, dtypes: Any = DTYPES) -> Any:
    dtype = draw(st.sampled_from(dtypes))
    return draw(hnp.arrays(dtype, shape, elements=elements(dtype)))


def axis(draw: Draw, x: Any) -> int:
    assume(x.ndim)
    return int(draw(st.integers(-x.ndim, x.ndim - 1)))


def axes(draw: Draw, x: Any) -> Any:
    if not draw(st.booleans()):
        return None
    return tuple(draw(st.permutations(range(x.ndim)))[: draw(st.integers(0, x.ndim))])


def one(draw: Draw) -> Any:
    return (array(draw),), {}


def two(draw: Draw) -> Any:
    shapes = draw(
        hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=4)
    ).input_shapes
    return tuple([array(draw, s) for s in shapes]), {}


def shift(draw: Draw) -> Any:
    x = array(draw, dtypes=INTEGERS)
    return (x, draw(hnp.arrays(x.dtype, x.shape, elements=st.integers(0, 5)))), {}


def reduction(draw: Draw) -> Any:
    x = array(draw)
    return (x,), {"axis": axes(draw, x), "keepdims": draw(st.booleans())}


def spread(draw: Draw) -> Any:
    x = array(draw, dtypes=FLOATS)
    return (x,), {"axis": axes(draw, x), "correction": draw(st.sampled_from([0.0, 1.0]))}


def extremum(draw: Draw) -> Any:
    x = array(draw, dtypes=(*INTEGERS, *FLOATS))
    return (x,), {"axis": axis(draw, x), "keepdims": draw(st.booleans())}


def along(draw: Draw) -> Any:
    x = array(draw)
    return (x,), {"axis": axis(draw, x)}


def running(draw: Draw) -> Any:
    x = array(draw)
    return (x,), {"axis": axis(draw, x), "include_initial": draw(st.booleans())}


def sorting(draw: Draw) -> Any:
    x = array(draw, dtypes=(*INTEGERS, *FLOATS))
    return (x,), {"axis": axis(draw, x), "descending": draw(st.booleans())}


def several(draw: Draw) -> Any:
    shape = draw(hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=3))
    dtypes = draw(st.sampled_from([INTEGERS[:4], INTEGERS[4:], FLOATS, ("complex64",), ("bool",)]))
    given = [array(draw, shape, dtypes) for _ in range(draw(st.integers(1, 3)))]
    return (given,), {"axis": draw(st.integers(0, len(shape) - 1))}


def matrices(draw: Draw, *shapes: Any) -> Any:
    batch = draw(hnp.array_shapes(min_dims=0, max_dims=1, max_side=3))
    dtype = draw(st.sampled_from((*FLOATS, "complex64", "complex128")))
    random = np.random.default_rng(draw(st.integers(0, 99)))
    found = []
    for shape in shapes:
        x = random.standard_normal((*batch, *shape))
        found.append(
            (x + 1j * random.standard_normal(x.shape) if "c" in dtype else x).astype(dtype)
        )
    return tuple(found)


def square(draw: Draw) -> Any:
    size = draw(st.integers(1, 4))
    (x,) = matrices(draw, (size, size))
    return (x + 3 * np.eye(size, dtype=x.dtype),), {}


def hermitian(draw: Draw) -> Any:
    (x,), _ = square(draw)
    x = x @ np.conj(x.mT) + np.eye(x.shape[-1], dtype=x.dtype)
    return (((x + np.conj(x.mT)) / 2).astype(x.dtype),), {}


def rectangle(draw: Draw) -> Any:
    return matrices(draw, (draw(st.integers(1, 4)), draw(st.integers(1, 4)))), {}


def product(draw: Draw) -> Any:
    rows, inner, columns = (draw(st.integers(1, 3)) for _ in range(3))
    return matrices(draw, (rows, inner), (inner, columns)), {}


def system(draw: Draw) -> Any:
    size = draw(st.integers(1, 3))
    a, b = matrices(draw, (size, size), (size, draw(st.integers(1, 3))))
    return (a + 3 * np.eye(size, dtype=a.dtype), b), {}


def signal(draw: Draw, dtypes: Any = ("complex64", "complex128")) -> Any:
    x = array(draw, hnp.array_shapes(min_dims=1, max_dims=2, min_side=2, max_side=5), dtypes)
    norm = draw(st.sampled_from(["backward", "ortho", "forward"]))
    return (x,), {"n": draw(st.sampled_from([None, 3, 6])), "axis": axis(draw, x), "norm": norm}


def signals(draw: Draw, dtypes: Any = ("complex64", "complex128")) -> Any:
    (x,), given = signal(draw, dtypes)
    return (x,), {"norm": given["norm"]}


def real(kind: Any) -> Any:
    return lambda draw: kind(draw, FLOATS)


def rows_and_indices(draw: Draw) -> Any:
    x = array(draw, hnp.array_shapes(min_dims=1, max_dims=3, max_side=4))
    at = axis(draw, x)
    indices = draw(hnp.arrays("int64", st.integers(1, 4), elements=st.integers(0, x.shape[at] - 1)))
    return (x, indices), {"axis": at}


def all_axes_but_one(draw: Draw) -> Any:
    x = array(draw, hnp.array_shapes(min_dims=1, max_dims=3, max_side=4))
    at = axis(draw, x)
    shape = list(x.shape)
    shape[at] = draw(st.integers(1, 3))
    indices = draw(hnp.arrays("int64", tuple(shape), elements=st.integers(0, x.shape[at] - 1)))
    return (x, indices), {"axis": at}


def places(draw: Draw) -> Any:
    dtype = draw(st.sampled_from((*INTEGERS, *FLOATS)))
    x, v = (array(draw, hnp.array_shapes(max_dims=1, max_side=9), (dtype,)) for _ in range(2))
    return (np.sort(x), v), {"side": draw(st.sampled_from(["left", "right"]))}


def with_values(*choices: Any) -> Any:
    """A function of an array and one of these further arguments, by position and by name."""

    def arguments(draw: Draw) -> Any:
        args, kwargs = draw(st.sampled_from(choices))
        return (array(draw, (2, 1, 3)), *args), kwargs

    return arguments


def plain(*choices: Any) -> Any:
    """A function of no array."""
    return lambda draw: draw(st.sampled_from(choices))


UNARY = """
abs acos acosh asin asinh atan atanh bitwise_invert ceil conj cos cosh exp expm1 floor imag
isfinite isinf isnan log log1p log2 log10 logical_not negative positive real reciprocal round sign
signbit sin sinh square sqrt tan tanh trunc
""".split()  # noqa: SIM905  # a list of names, one by one, is no easier to read
BINARY = """
add atan2 bitwise_and bitwise_or bitwise_xor copysign divide equal floor_divide greater
greater_equal hypot less less_equal logaddexp logical_and logical_or logical_xor maximum minimum
multiply nextafter not_equal pow remainder subtract
""".split()  # noqa: SIM905

ARGUMENTS: dict[str, Callable[[Draw], Any]] = {
    **dict.fromkeys(UNARY, one),
    **dict.fromkeys(BINARY, two),
    **dict.fromkeys(("bitwise_left_shift", "bitwise_right_shift"), shift),
    **dict.fromkeys(("sum", "prod", "max", "min", "mean"), reduction),
    **dict.fromkeys(("all", "any", "count_nonzero"), reduction),
    **dict.fromkeys(("var", "std"), spread),
    **dict.fromkeys(("argmax", "argmin"), extremum),
    **dict.fromkeys(("cumulative_sum", "cumulative_prod"), running),
    **dict.fromkeys(("sort", "argsort"), sorting),
    **dict.fromkeys(("flip", "unstack", "diff", "expand_dims"), along),
    **dict.fromkeys(("concat", "stack"), several),
    **dict.fromkeys(("zeros_like", "ones_like", "asarray", "isdtype"), one),
    **dict.fromkeys(("unique_values", "unique_counts", "unique_inverse", "nonzero"), one),
    **dict.fromkeys(("tril", "triu", "matrix_transpose"), rectangle),
    **dict.fromkeys(("linalg.diagonal", "linalg.trace"), rectangle),
    **dict.fromkeys(("matmul", "linalg.matmul"), product),
    **dict.fromkeys(("linalg.det", "linalg.inv"), square),
    **dict.fromkeys(("linalg.eigvalsh", "linalg.cholesky"), hermitian),
    **dict.fromkeys(("linalg.svdvals", "linalg.pinv", "linalg.matrix_norm", "linalg.vector_norm",
                     "linalg.matrix_rank"), rectangle),
    **dict.fromkeys(("fft.fft", "fft.ifft", "fft.irfft", "fft.hfft"), signal),
    **dict.fromkeys(("fft.rfft", "fft.ihfft"), real(signal)),
    **dict.fromkeys(("fft.fftn", "fft.ifftn", "fft.irfftn"), signals),
    "fft.rfftn": real(signals),
    **dict.fromkeys(("fft.fftshift", "fft.ifftshift", "broadcast_arrays"), one),
    **dict.fromkeys(("fft.fftfreq", "fft.rfftfreq"), plain(((4,), {"d": 0.5}), ((5,), {}))),
    "linalg.slogdet": square,
    "linalg.solve": system,
    "linalg.matrix_power": lambda draw: ((square(draw)[0][0], draw(st.integers(-2, 3))), {}),
    "linalg.cross": lambda draw: (matrices(draw, (3,), (3,)), {}),
    "linalg.outer": lambda draw: ((array(draw, (3,), FLOATS), array(draw, (2,), FLOATS)), {}),
    "tensordot": lambda draw: (matrices(draw, (2, 3), (3, 2)), {"axes": ((-1,), (-2,))}),
    "vecdot": lambda draw: (matrices(draw, (2, 3), (2, 3)), {"axis": -1}),
    "linalg.tensordot": lambda draw: ((np.ones((2, 3)), np.ones((3, 4))), {"axes": 1}),
    "linalg.vecdot": lambda draw: (matrices(draw, (3,), (3,)), {}),
    "linalg.matrix_transpose": rectangle,
    "meshgrid": lambda draw: ((array(draw, (3,), FLOATS[:1]), array(draw, (2,), FLOATS[:1])), {}),
    "take": rows_and_indices,
    "take_along_axis": all_axes_but_one,
    "searchsorted": places,
    "where": lambda draw: ((array(draw, (3,), ("bool",)), *two(draw)[0]), {}),
    "clip": with_values(((), {}), ((0, 3), {}), ((), {"max": 2})),
    "roll": with_values(((1,), {}), ((2,), {"axis": 0}), (((1, 2),), {"axis": (0, 2)})),
    "repeat": with_values(((2,), {}), ((3,), {"axis": 0})),
    "tile": with_values((((2, 1),), {}), (((2, 1, 1, 2),), {})),
    "squeeze": with_values(((1,), {}), (((1,),), {})),
    "reshape": with_values((((3, -1),), {}), (((6,),), {}), (((1, 6, 1),), {})),
    "permute_dims": with_values((((2, 0, 1),), {})),
    "moveaxis": with_values(((0, -1), {}), (((0, 1), (1, 2)), {})),
    "broadcast_to": with_values((((4, 2, 5, 3),), {})),
    "full_like": with_values(((1,), {})),
    "empty_like": with_values(((), {})),
    "zeros": plain(((3,), {}), (((2, 3),), {})),
    "ones": plain(((3,), {}), (((2, 3),), {})),
    "empty": plain(((0,), {}), (((2, 0),), {})),
    "full": plain(((3, 1.5), {}), (((2, 3), 2), {}), ((2, True), {}), ((2, 1j), {})),
    "eye": plain(((3,), {}), ((3, 4), {"k": 1})),
    "arange": plain(((5,), {}), ((2, 9, 3), {}), ((0.0, 2.0, 0.5), {}), ((5, 0, -2), {})),
    "linspace": plain(((0.0, 1.0, 5), {}), ((0, 8, 4), {"endpoint": False})),
}  # fmt: skip

NOT_COMPARED = {
    "astype": "by tests of its own: it takes an element type, which each has of its own",
    "can_cast": "the same",
    "finfo": "the same",
    "iinfo": "the same",
    "result_type": "the same",
    "from_dlpack": "by a test of its own: it takes what other libraries have",
    "linalg.eigh": "by a test of its own: eigenvectors are not unique",
    "linalg.qr": "the same, of factors",
    "linalg.svd": "the same, of singular vectors",
    "unique_all": "which of equal elements is the first, is left open",
}


def namespace(name: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The function of both libraries."""
    ours: Any = xp
    theirs: Any = strict
    for part in name.split("."):
        ours, theirs = getattr(ours, part), getattr(theirs, part)
    return ours, theirs


def brought(given: Any, make: Callable[[Any], Any]) -> Any:
    """Arguments with arrays of a library in the place of NumPy's."""
    if isinstance(given, np.ndarray):
        return make(given)
    if isinstance(given, list):
        return [brought(g, make) for g in given]
    return given


def compare(found: Any, wanted: Any, *, values: bool) -> None:
    if isinstance(wanted, (tuple, list)):
        assert len(found) == len(wanted)
        for a, b in zip(found, wanted, strict=True):
            compare(a, b, values=values)
        return
    a, b = found.numpy(), np.asarray(wanted)
    assert a.shape == b.shape
    if not values:
        return
    if a.dtype.kind in "biu":
        np.testing.assert_array_equal(a, b)
    else:
        single = a.dtype in (np.float32, np.complex64)
        rtol = 1e-3 if single else 1e-6
        known = np.isfinite(a) & np.isfinite(b)
        np.testing.assert_allclose(a[known], b[known], rtol=rtol, atol=rtol)
        infinite = ~known & ~(np.isnan(a) & np.isnan(b))
        for x, y in ((a.real, b.real), (a.imag, b.imag)):  # each may be finite beside an infinity
            np.testing.assert_allclose(x[infinite], y[infinite], rtol=rtol, atol=rtol)


DEFAULTS = {"int64": "int32", "float64": "float32", "complex128": "complex64", "uint64": "uint32"}


INDEX_VALUED = ("argmax", "argmin", "argsort", "count_nonzero", "nonzero", "searchsorted")


def same_type(found: Any, wanted: Any, arrays: list[Any]) -> None:
    """The element types are the same, but for the defaults, which are narrower here."""
    if isinstance(wanted, (tuple, list)):
        for a, b in zip(found, wanted, strict=True):
            same_type(a, b, arrays)
        return
    a, b = found.numpy().dtype.name, np.asarray(wanted).dtype.name
    given = {x.dtype.name for x in arrays}
    assert a == b or (DEFAULTS.get(b) == a and b not in given), (a, b)


@pytest.mark.parametrize("name", ARGUMENTS)
@settings(
    max_examples=10, deadline=None, derandomize=True, database=None,
    suppress_health_check=list(HealthCheck),
)  # fmt: skip
@given(data=st.data())
def test_a_function_does_what_the_standard_says(name: str, data: st.DataObject) -> None:
    ours, theirs = namespace(name)
    args, kwargs = ARGUMENTS[name](data.draw)
    if name == "isdtype":
        kind = data.draw(st.sampled_from(["bool", "integral", "real floating", "numeric"]))
        dtype = args[0].dtype.name
        assert ours(dtype, kind) == theirs(getattr(strict, dtype), kind)
        return
    if name == "broadcast_arrays":
        args = (*args, *args)
    if name in ("floor_divide", "remainder"):
        assume(args[1].all() or args[1].dtype.kind == "f")  # by the integer 0, all is open
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of NumPy, about infinities and means of nothing
        try:
            wanted = theirs(*[brought(a, strict.asarray) for a in args], **kwargs)
        except (TypeError, ValueError, IndexError, np.linalg.LinAlgError, ZeroDivisionError):
            assume(False)
    try:
        found = ours(*[brought(a, xp.asarray) for a in args], **kwargs)
    except DxirError as error:
        if "no element type in common" in str(error):
            assume(False)
        raise
    flat = [a for g in args for a in (g if isinstance(g, list) else [g])]
    compare(found, wanted, values=not name.startswith("empty"))
    arrays = [a for a in flat if isinstance(a, np.ndarray) and name not in INDEX_VALUED]
    same_type(found, wanted, arrays)


def standard() -> list[str]:
    """The names of the functions of the standard, with those of its extensions."""
    left_out = {"Device", "ArrayAPIStrictFlags", "__array_namespace_info__", "isin",
                "broadcast_shapes"}  # fmt: skip
    names = [
        n for n in strict.__all__
        if inspect.isfunction(getattr(strict, n, None)) and "_flags" not in n and n not in left_out
    ]  # fmt: skip
    for extension in ("linalg", "fft"):
        names += [f"{extension}.{n}" for n in getattr(strict, extension).__all__]
    return names


def test_every_function_of_the_standard_is_compared_or_says_why_not() -> None:
    assert set(standard()) - set(ARGUMENTS) == set(NOT_COMPARED)


@pytest.mark.parametrize("name", standard())
def test_a_function_is_called_as_the_standard_says(name: str) -> None:
    ours, theirs = namespace(name)
    wanted = inspect.signature(theirs).parameters
    own = inspect.signature(ours).parameters
    fixed = [p for p in own.values() if p.kind is p.POSITIONAL_ONLY]
    assert len(fixed) == sum(p.kind is p.POSITIONAL_ONLY for p in wanted.values())
    for key, parameter in wanted.items():
        if parameter.kind is parameter.POSITIONAL_ONLY:
            continue
        assert own[key].kind is parameter.kind
        assert (parameter.default is parameter.empty) <= (
            own[key].default is parameter.empty or name in ("expand_dims", "squeeze")
        )


MUTATION = {f"__i{n}__" for n in ("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod",
                                  "pow", "and", "or", "xor", "lshift", "rshift")}  # fmt: skip


def test_arrays_have_what_the_standard_gives_them() -> None:
    theirs = {
        name for name, member in vars(type(strict.asarray(0))).items()
        if (callable(member) or isinstance(member, property)) and name != "__buffer__"
        and (name.startswith("__") or not name.startswith("_"))
    }  # fmt: skip
    missing = theirs - set(dir(xp.Array)) - {"__annotations__", "__annotate__"}
    assert missing == MUTATION  # without these, `x += y` gives x another array
    for name in ("__dlpack__", "to_device", "__array_namespace__"):
        wanted = inspect.signature(getattr(type(strict.asarray(0)), name)).parameters
        assert list(inspect.signature(getattr(xp.Array, name)).parameters) == list(wanted)
