"""Public reports of wrong numbers and wrong emission, each with the outcome that is right.

A test's id names the reports. Values are judged twice: PJRT, and the reference of the raised graph.
"""

# ruff: noqa: E501  (MLIR text)

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import errors, ops

INF, NAN = np.inf, np.nan
Array = np.ndarray[Any, Any]


@pytest.fixture(autouse=True)
def reports(request: pytest.FixtureRequest) -> object:
    """The names of the reports that a test is about: they are in its id only."""
    return getattr(request, "param", None)


def about(*names: str) -> pytest.MarkDecorator:
    """Put the names of reports into the id of a test."""
    return pytest.mark.parametrize("reports", [names], ids=[" ".join(names)], indirect=True)


def f32(*values: Any) -> Array:
    return np.array(values, np.float32)


def i32(*values: Any) -> Array:
    return np.array(values, np.int32)


def judged(source: str | dxir.Function, *arguments: Any) -> Iterator[tuple[Array, ...]]:
    """The results of a program on PJRT, and those of the reference of the graph raised from it."""
    program = dxir.load(source) if isinstance(source, str) else dxir.lower(source)
    yield tuple([np.asarray(r) for r in dxir.compile(program).run(arguments)])
    found = dxir.evaluate(dxir.load(str(program.decompose())).raise_(), *arguments)
    yield found if isinstance(found, tuple) else (found,)


def graph(op: Any, *arrays: Array, **attributes: Any) -> dxir.Function:
    """A function of one op."""
    b = dxir.Builder()
    results = op(*[b.param(dxir.TensorType.of_array(a)) for a in arrays], **attributes)
    return b.build(*(results if isinstance(results, tuple) else (results,)))


@about("SKaiNET#673 #663 #670")
def test_shapes_are_inferred_from_the_values() -> None:
    b = dxir.Builder()
    sizes = [(1, 1, 8), (1, 4, 8), (1, 1, 8)]
    x = ops.concat([b.param(dxir.f32[size]) for size in sizes], axis=1)
    y = ops.sum(x, axes=[1], keepdims=True)
    assert (x.shape, y.shape) == ((1, 6, 8), (1, 1, 8))
    counts = dxir.lower(b.build(x, y)).op_counts()
    assert (counts["stablehlo.reduce"], counts["stablehlo.broadcast_in_dim"]) == (1, 1)


@about("SKaiNET#620")
def test_weights_are_constants_and_not_arguments() -> None:
    b = dxir.Builder()
    function = b.build(ops.matmul(b.param(dxir.f32[1, 2]), np.ones((2, 3), np.float32)))
    assert len(function.params) == 1
    assert dxir.lower(function).op_counts()["stablehlo.constant"] == 1


VALUES: dict[str, tuple[str, list[Any], tuple[Any, ...]]] = {
    "tensorflow#119438 jax#21397": (
        """func.func @main(%x: tensor<6xf32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %v, %k = chlo.top_k(%x, k = 4) : tensor<6xf32> -> (tensor<4xf32>, tensor<4xi32>)
  return %v, %k : tensor<4xf32>, tensor<4xi32>
}""",
        [f32(1, NAN, 3, 3, 2, INF)],
        ([NAN, INF, 3, 3], [1, 5, 2, 3]),
    ),
    "tt-mlir#9211 nx#838": (
        """func.func @main(%x: tensor<4x2xf32>, %ix: tensor<4x1xi32>) -> tensor<4x2xf32> {
  %0 = "stablehlo.gather"(%x, %ix) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>, indices_are_sorted = false}> : (tensor<4x2xf32>, tensor<4x1xi32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}""",
        [np.arange(8, dtype=np.float32).reshape(4, 2), i32([0], [-5], [3], [100])],
        ([[0, 1], [0, 1], [6, 7], [6, 7]],),
    ),
    "tt-mlir#9211 dynamic slices": (
        """func.func @main(%x: tensor<4xi32>, %u: tensor<3xi32>, %i: tensor<i32>) -> (tensor<3xi32>, tensor<4xi32>) {
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [3] : (tensor<4xi32>, tensor<i32>) -> tensor<3xi32>
  %1 = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<4xi32>, tensor<3xi32>, tensor<i32>) -> tensor<4xi32>
  return %0, %1 : tensor<3xi32>, tensor<4xi32>
}""",
        [i32(0, 1, 2, 3), i32(7, 8, 9), np.int32(3)],
        ([1, 2, 3], [0, 7, 8, 9]),
    ),
    "stablehlo-coreml#70 integers": (
        """func.func @main(%x: tensor<4xi32>, %y: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %0 = stablehlo.divide %x, %y : tensor<4xi32>
  %1 = stablehlo.remainder %x, %y : tensor<4xi32>
  return %0, %1 : tensor<4xi32>, tensor<4xi32>
}""",
        [i32(-7, 7, -7, 7), i32(2, -2, -2, 2)],
        ([-3, -3, 3, 3], [-1, 1, -1, 1]),
    ),
    "stablehlo-coreml#70 floats": (
        """func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.remainder %x, %y : tensor<4xf32>
  return %0 : tensor<4xf32>
}""",
        [f32(-7.5, 5, INF, 5), f32(2, INF, 2, 0)],
        ([-1.5, 5, NAN, NAN],),
    ),
    **{
        f"stablehlo#2633 {name}": (
            f"""func.func @main(%x: tensor<2x{name}>) -> (tensor<2x{name}>, tensor<2x{name}>) {{
  %one = stablehlo.constant dense<{one}> : tensor<2x{name}>
  %0 = stablehlo.and %x, %one : tensor<2x{name}>   %1 = stablehlo.or %x, %one : tensor<2x{name}>
  return %0, %1 : tensor<2x{name}>, tensor<2x{name}>
}}""",
            [np.array([6, 7] if one == "1" else [0, 1], dtype)],
            ([0, 1], [7, 7] if one == "1" else [1, 1]),
        )
        for name, dtype, one in (
            ("i32", np.int32, "1"), ("i8", np.int8, "1"), ("ui8", np.uint8, "1"), ("i1", np.bool_, "true"),
        )
    },
    "Enzyme-JAX#2631": (
        """func.func @main(%a: tensor<2x2xf32>, %b: tensor<4xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = stablehlo.reshape %b : (tensor<4xf32>) -> tensor<2x2xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<2x2xf32>
  %3 = stablehlo.reduce(%2 init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}""",
        [f32([1, 2], [3, 4]), f32(1, 10, 100, 1000)],
        (4231,),
    ),
    "Enzyme-JAX#1796": (
        """func.func @main(%x: tensor<2x3xf32>) -> tensor<3x4x2x5xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [2, 0] : (tensor<2x3xf32>) -> tensor<3x4x2xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<3x4x2xf32>) -> tensor<3x4x2x5xf32>
  return %1 : tensor<3x4x2x5xf32>
}""",
        [np.arange(6, dtype=np.float32).reshape(2, 3)],
        (np.broadcast_to(np.arange(6).reshape(2, 3).T[:, None, :, None], (3, 4, 2, 5)),),
    ),
    **{
        f"Enzyme-JAX#1970 case {index}": (
            """func.func @main(%i: tensor<i32>, %a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>) -> tensor<i32> {
  %0 = "stablehlo.case"(%i) ({ stablehlo.return %a : tensor<i32> }, { stablehlo.return %b : tensor<i32> }, { stablehlo.return %c : tensor<i32> }) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}""",
            [np.int32(n) for n in (index, 10, 11, 12)],
            (wanted,),
        )
        for index, wanted in ((0, 10), (1, 11), (2, 12), (7, 12), (-1, 12))
    },
    "iree#24927 threefry": (
        """func.func @main(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>) {
  %0, %1 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
  return %0, %1 : tensor<2xui64>, tensor<3xui32>
}""",
        [np.array([1, 2], np.uint64)],
        ([1, 4], [43444564, 2150618427, 3979645651]),
    ),
    "iree#24929 shifts": (
        """func.func @main(%x: tensor<3xui32>, %n: tensor<3xui32>) -> (tensor<3xui32>, tensor<3xui32>, tensor<3xi32>, tensor<3xui32>) {
  %0 = stablehlo.shift_left %x, %n : tensor<3xui32>
  %1 = stablehlo.shift_right_logical %x, %n : tensor<3xui32>
  %2 = stablehlo.bitcast_convert %x : (tensor<3xui32>) -> tensor<3xi32>
  %3 = stablehlo.bitcast_convert %n : (tensor<3xui32>) -> tensor<3xi32>
  %4 = stablehlo.shift_right_arithmetic %2, %3 : tensor<3xi32>
  %width = stablehlo.constant dense<32> : tensor<3xui32>
  %5 = stablehlo.subtract %width, %n : tensor<3xui32>
  %6 = stablehlo.shift_right_logical %x, %5 : tensor<3xui32>
  %rotated = stablehlo.or %0, %6 : tensor<3xui32>
  return %0, %1, %4, %rotated : tensor<3xui32>, tensor<3xui32>, tensor<3xi32>, tensor<3xui32>
}""",
        [np.full(3, 0xDEADBEEF, np.uint32), np.array([0, 31, 32], np.uint32)],
        ([3735928559, 2147483648, 0], [3735928559, 1, 0], [-559038737, -1, -1], [0xDEADBEEF, 0xEF56DF77, 0xDEADBEEF]),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", VALUES)
def test_a_module_gives_the_right_numbers_on_pjrt_and_by_the_reference(case: str) -> None:
    text, arguments, wanted = VALUES[case]
    for found in judged(text, *arguments):
        assert len(found) == len(wanted)
        for one, right in zip(found, wanted, strict=True):
            np.testing.assert_array_equal(one, np.asarray(right, one.dtype), strict=True)


@about("stablehlo#1662")
def test_an_init_counts_once_and_windows_see_it_as_padding() -> None:
    module = dxir.load("""
func.func @main(%x: tensor<1000xf32>, %y: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>) {
  %k = stablehlo.constant dense<7.0> : tensor<f32>   %j = stablehlo.constant dense<5.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %k) applies stablehlo.add across dimensions = [0] : (tensor<1000xf32>, tensor<f32>) -> tensor<f32>
  %1 = "stablehlo.reduce_window"(%y, %j) <{window_dimensions = array<i64: 3>, padding = dense<[[2, 0]]> : tensor<1x2xi64>}> ({
   ^bb0(%a: tensor<f32>, %b: tensor<f32>):
     %c = stablehlo.add %a, %b : tensor<f32>   stablehlo.return %c : tensor<f32> }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0, %1 : tensor<f32>, tensor<4xf32>
}""")  # fmt: skip
    ones, y = np.ones(1000, np.float32), f32(1, 2, 3, 4)
    total, windows = dxir.evaluate(module.raise_(), ones, y)
    assert (float(total), windows.tolist()) == (1007, [16, 13, 11, 14])
    b = dxir.Builder()
    safe = b.build(ops.sum(b.param(dxir.f32[1000])) + np.float32(7))
    assert [float(one) for (one,) in judged(safe, ones)] == [1007, 1007]


@about("nx#1499", "tensorflow#118647", "jax#24281")
@pytest.mark.parametrize(
    ("op", "data", "wanted"),
    [
        (ops.argmax, [1, NAN, 3, 3, 2], 1),
        (ops.argmax, [1, 3, 3, 2], 1),
        (ops.argmax, [NAN] * 3, 0),
        (ops.argmax, [NAN] * 5, 0),
        (ops.argmax, [*range(1000), NAN, NAN], 1000),
        (ops.argmin, [1, NAN, -3, -3, 2], 1),
        (ops.argmin, [1, -3, -3, 2], 1),
        (ops.argmin, [NAN] * 5, 0),
    ],
)
def test_the_first_nan_is_the_extremum_and_else_the_first_one_is(
    op: Any, data: list[float], wanted: int
) -> None:
    function = graph(op, f32(*data), axis=0)
    assert [int(one) for (one,) in judged(function, f32(*data))] == [wanted, wanted]
    assert dxir.lower(function).op_counts()["stablehlo.reduce"] == 1


@about("jax#24281")
def test_a_subnormal_is_larger_than_zero_for_all_but_xla_which_flushes_it() -> None:
    data = f32(-1, -0.0, 1.4e-45)
    assert [int(one) for (one,) in judged(graph(ops.argmax, data, axis=0), data)] == [1, 2]


@about("jax#6811")
def test_nothing_but_minus_infinity_has_a_logsumexp_and_a_masked_softmax() -> None:
    data = f32(-INF, -INF)
    for (one,) in judged(graph(ops.logsumexp, data), data):
        assert one == -INF
    for (one,) in judged(graph(ops.softmax, data, masked=True), data):
        assert one.tolist() == [0, 0]


@about("stablehlo-coreml#70")
@pytest.mark.parametrize("dtype", [np.int32, np.float32])
def test_floor_division_corrects_the_truncated_one_once(dtype: Any) -> None:
    x, y = np.array([-7, 7, -7, 7, -8], dtype), np.array([2, -2, -2, 2, 2], dtype)
    for (one,) in judged(graph(ops.floor_divide, x, y), x, y):
        assert one.tolist() == [-4, -4, 3, 3, -4]
    for (one,) in judged(graph(ops.mod, x, y), x, y):
        assert one.tolist() == [1, -1, -1, 1, 0]


@about("iree#14837")
def test_a_function_that_ends_in_the_wrong_return_runs_with_a_warning() -> None:
    text = """
func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %0 : tensor<i1>
}"""
    (warning,) = dxir.load(text).verify().diagnostics
    assert "func.return only" in warning.message
    assert warning.where == "<text>:4:3"
    assert [bool(one) for (one,) in judged(text, np.float32(2), np.float32(1))] == [True, True]


@about("tt-metal#45968", "SKaiNET#769")
def test_the_variance_of_a_large_mean_does_not_cancel() -> None:
    data = f32(10000.0, 10000.1, 9999.9, 10000.0)
    for (one,) in judged(graph(ops.var, data), data):
        np.testing.assert_allclose(one, 0.00496101, rtol=1e-5)
    for (one,) in judged(graph(ops.layer_norm, data), data):
        np.testing.assert_allclose(
            one, (data - data.mean()) / np.sqrt(data.var() + 1e-5), rtol=1e-3
        )
    narrow = np.array([256, 258, 254, 256], dxir.bf16.numpy)
    for (one,) in judged(graph(ops.var, narrow), narrow):
        assert (one.dtype, float(one)) == (narrow.dtype, 2)


@about("tt-metal#56490", "gemma_pytorch#33", "spd#820")
def test_gelu_keeps_its_negative_tail_and_its_two_forms_apart() -> None:
    data = f32(-5, -6, -1, 2)
    exact = [-1.4332586e-06, -5.9194987e-09, -0.15865525, 1.95449972]
    for (one,) in judged(graph(ops.gelu, data), data):
        np.testing.assert_allclose(one, exact, rtol=1e-5)
    for (one,) in judged(graph(ops.gelu, data, approximate="tanh"), data):
        np.testing.assert_allclose(one[2:], [-0.158808, 1.954598], rtol=1e-6)
        assert np.all(one[:2] > -3e-7)


@about("jax#32267", "pytorch-xla#2333")
@pytest.mark.parametrize(
    ("padding", "wanted"),
    [
        ([(1, 1)], [10, 201, 20, 302, 30]),
        ([(2, 2)], [100, 10, 201, 20, 302, 30, 3]),
        ("VALID", [100, 10, 201, 20, 302, 30, 3]),
        ("SAME", [100, 10, 201, 20, 302, 30]),
    ],
)
def test_a_transposed_convolution_pads_what_the_dilated_one_sees(
    padding: Any, wanted: list[float]
) -> None:
    x, kernel = f32([[1, 2, 3]]), f32([[1, 10, 100]])
    attributes = {"window_strides": [1], "lhs_dilation": [2], "padding": padding}
    for (one,) in judged(graph(ops.conv_transpose1d, x, kernel, **attributes), x, kernel):
        assert one.tolist() == [[wanted]]


@about("iree#19852", "stablehlo#680")
def test_serializing_legalizes_chlo_and_leaves_the_program_as_it_was() -> None:
    program = dxir.load("""
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.erf %a : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}""")
    before = str(program)
    assert "chlo.erf" not in dxir.load(program.serialize(), trusted=True).op_counts()
    kept = dxir.load(program.serialize(keep_chlo=True), trusted=True)
    assert kept.fingerprint() == program.fingerprint()
    assert str(program) == before
    assert np.asarray(dxir.compile(program)(f32(0, 0, 0, 0))).tolist() == [0, 0, 0, 0]


@about("xla#8200", "stablehlo#2869")
def test_an_unknown_size_evaluates_and_runs_with_the_sizes_of_each_call() -> None:
    program = dxir.load("""
func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = stablehlo.add %x, %x : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}""")
    ones = np.ones((3, 4), np.float32)
    np.testing.assert_array_equal(dxir.evaluate(program.raise_(), ones), 2 * ones)
    run = dxir.compile(program)
    np.testing.assert_array_equal(run(ones), 2 * ones)
    np.testing.assert_array_equal(run(ones[:1]), 2 * ones[:1])
    with pytest.raises(errors.ArgumentError, match=r"parameter 0 .*f32\[\?, 4\]"):
        run(ones[:, :3])


@about("jax#25346", "aws-neuron-sdk#1026")
@pytest.mark.parametrize(
    ("index", "type", "message"),
    [
        (0, "2xf32", r"parameter 0 of main, f32\[4\], .* result 0, which is f32\[2\]"),
        (3, "4xf32", "donated to result 3, and main has 1 results"),
    ],
)
def test_a_donation_that_does_not_fit_is_refused_before_it_is_compiled(
    index: int, type: str, message: str
) -> None:
    program = dxir.load(f"""
func.func @main(%a: tensor<4xf32> {{tf.aliasing_output = {index} : i32}}) -> tensor<{type}> {{
  %0 = stablehlo.slice %a [0:{type[0]}] : (tensor<4xf32>) -> tensor<{type}>
  return %0 : tensor<{type}>
}}""").verify()
    with pytest.raises(errors.VerificationError, match=message) as error:
        dxir.compile(program)
    assert error.value.where == "<text>:2:17"
    assert "tf.aliasing_output" in (error.value.hint or "")
