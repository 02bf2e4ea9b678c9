"""Stories of the elementwise ops that their examples cannot tell."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import ml_dtypes
import numpy as np
import pytest

import dxir
from dxir import (
    bf16,
    c64,
    f4e2m1fn,
    f8e4m3fn,
    f16,
    f32,
    f64,
    i1,
    i8,
    i16,
    i32,
    i64,
    ops,
    ui8,
    ui32,
    ui64,
)
from dxir.errors import AttributeValueError, DTypeError, ShapeError, TargetError
from dxir.graph import Module
from dxir.lowering import lower_module
from dxir.types import DType, QuantizedType, TensorType

HERE = "test_elementwise.py"
CASES = Path(__file__).parents[2] / "examples" / "cases" / "numeric.json"
Array = np.ndarray[Any, Any]


def graph(body: Callable[..., Any], *types: Any) -> Any:
    return dxir.build_function(body, *types, name="main")


def on_cpu(body: Callable[..., Any], *arrays: Any) -> Any:
    arrays = tuple(np.asarray(a) for a in arrays)
    return np.asarray(dxir.compile(graph(body, *(TensorType.of_array(a) for a in arrays)))(*arrays))


def by_reference(body: Callable[..., Any], *arrays: Any) -> Any:
    arrays = tuple(np.asarray(a) for a in arrays)
    return dxir.evaluate(graph(body, *(TensorType.of_array(a) for a in arrays)), *arrays)


def emitted(body: Callable[..., Any], *types: Any) -> Counter[str]:
    module = lower_module(Module([graph(body, *types)]))
    main = next(iter(module.body.operations))
    names = [op.operation.name for op in main.regions[0].blocks[0].operations]
    return Counter(n.removeprefix("stablehlo.") for n in names if n != "func.return")


def attributes(body: Callable[..., Any], *types: Any) -> str:
    return str(lower_module(Module([graph(body, *types)])))


@pytest.mark.parametrize("run", [on_cpu, by_reference])
@pytest.mark.parametrize(
    "name",
    ["add", "div", "maximum with zero", "integer division", "remainder", "floor_divide", "mod"],
)
def test_a_binary_op_gives_the_stated_values(run: Any, name: str) -> None:
    case = next(c for c in json.loads(CASES.read_text()) if c["name"] == name)
    dtype = np.int32 if case.get("note") == "i32" else np.float32
    operands = [np.array(v, dtype) for v in case["inputs"]]
    found = run(getattr(ops, case["op"]), *operands)
    np.testing.assert_allclose(found, np.array(case["expected"], dtype), rtol=1e-6)


@pytest.mark.parametrize("run", [on_cpu, by_reference])
def test_integer_division_truncates_and_its_edges_are_defined(run: Any) -> None:
    low = -(2**31)
    x = np.array([-7, 7, -7, 7, 5, -5, 0, low, low], np.int32)
    y = np.array([2, -2, -2, 2, 0, 0, 0, -1, 0], np.int32)
    assert run(ops.div, x, y).tolist() == [-3, -3, 3, 3, -1, -1, -1, low, -1]
    assert run(ops.rem, x, y).tolist() == [-1, 1, -1, 1, 5, -5, 0, 0, low]
    assert run(ops.div, x[4:5].astype(np.uint8), y[4:5].astype(np.uint8)).tolist() == [255]


@pytest.mark.parametrize("run", [on_cpu, by_reference])
def test_a_float_remainder_follows_ieee(run: Any) -> None:
    x = np.array([-7.5, 5, np.inf, 5, -0.0], np.float32)
    y = np.array([2, np.inf, 2, 0, 3], np.float32)
    np.testing.assert_array_equal(run(ops.rem, x, y), np.array([-1.5, 5, np.nan, np.nan, -0.0]))


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64, np.float32, ml_dtypes.bfloat16])
def test_floor_division_agrees_with_python(dtype: Any) -> None:
    values = [-9, -7, -2, -1, 1, 2, 3, 7]
    x = np.array([a for a in values for _ in values]).astype(dtype)
    y = np.array([b for _ in values for b in values]).astype(dtype)
    quotients = [a // b for a in values for b in values]
    remainders = [a % b for a in values for b in values]
    assert on_cpu(ops.floor_divide, x, y).astype(float).tolist() == quotients
    assert on_cpu(ops.mod, x, y).astype(float).tolist() == remainders


def test_floor_division_of_floats_agrees_with_numpy_on_hostile_values() -> None:
    pool = np.array([np.nan, np.inf, -np.inf, 0.0, 1.5, -1.5, 7, -7, 0.1, 1e30], np.float32)
    x, y = np.repeat(pool, len(pool)), np.tile(pool, len(pool))
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(on_cpu(ops.floor_divide, x, y), np.floor_divide(x, y), rtol=1e-6)
        np.testing.assert_allclose(on_cpu(ops.mod, x, y), np.mod(x, y), rtol=1e-5)


def test_floor_division_corrects_exactly_once() -> None:
    corrected = Counter(divide=1, remainder=1, constant=2, compare=4, subtract=1, select=1)
    corrected["and"] = 1
    assert emitted(lambda x, y: ops.floor_divide(x, y), i32[4], i32[4]) == corrected
    assert emitted(lambda x, y: ops.floor_divide(x, y), ui8[4], ui8[4]) == Counter(divide=1)
    modulo = Counter(remainder=1, constant=1, compare=4, add=1, select=1)
    modulo["and"] = 1
    assert emitted(lambda x, y: ops.mod(x, y), i32[4], i32[4]) == modulo


@pytest.mark.parametrize(
    ("shapes", "dims"),
    [
        (((1, 4), (3, 1)), ["[0, 1]", "[0, 1]"]),
        (((4,), (3, 4)), ["[1]"]),
        (((), (3, 4)), ["[]"]),
        (((3, 4), (3, 4)), []),
    ],
)
def test_every_stretch_is_one_identity_mapped_broadcast(shapes: Any, dims: list[str]) -> None:
    text = attributes(lambda x, y: ops.mul(x, y), *(f32[s] for s in shapes))
    assert [
        line.split("dims = ")[1].split(" :")[0] for line in text.splitlines() if "dims" in line
    ] == dims


def test_a_scalar_predicate_and_scalar_bounds_are_not_stretched() -> None:
    assert emitted(ops.select, i1[()], f32[3], f32[3]) == Counter(select=1)
    assert emitted(ops.clamp, f32[()], f32[3], f32[()]) == Counter(clamp=1)
    assert emitted(ops.clamp, f32[1], f32[3], f32[()]) == Counter(broadcast_in_dim=1, clamp=1)


def test_python_scalars_become_splats_of_the_other_operands_type() -> None:
    text = attributes(lambda x: ops.mul(2, ops.add(x, 1)), bf16[2, 3])
    assert text.count("stablehlo.constant dense<") == 2
    assert "broadcast" not in text


@pytest.mark.parametrize("run", [on_cpu, by_reference])
def test_nan_goes_through_max_min_and_clamp(run: Any) -> None:
    nan = np.float32(np.nan)
    x, y = np.array([nan, 1, nan], np.float32), np.array([1, nan, nan], np.float32)
    assert np.isnan(run(ops.max, x, y)).all()
    assert np.isnan(run(ops.min, x, y)).all()
    bounded = run(ops.clamp, np.float32(0), np.array([nan, 5, -5], np.float32), np.float32(1))
    np.testing.assert_array_equal(bounded, np.array([nan, 1, 0], np.float32))


def test_max_and_min_tell_zeros_apart() -> None:
    x, y = np.array([-0.0, 0.0], np.float32), np.array([0.0, -0.0], np.float32)
    assert not np.signbit(by_reference(ops.max, x, y)).any()
    assert np.signbit(by_reference(ops.min, x, y)).all()


@pytest.mark.parametrize("run", [on_cpu, by_reference])
def test_shifts_by_the_width_or_more_are_defined(run: Any) -> None:
    x = np.full(4, 0xDEADBEEF, np.uint32)
    by = np.array([0, 31, 32, 4_000_000_000], np.uint32)
    assert run(ops.shift_left, x, by).tolist() == [3735928559, 2147483648, 0, 0]
    assert run(ops.shift_right_logical, x, by).tolist() == [3735928559, 1, 0, 0]
    signed = run(ops.shift_right_arithmetic, x.view(np.int32), by.view(np.int32))
    assert signed.tolist() == [-559038737, -1, -1, -1]


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32])
def test_integer_powers_agree_with_jax(dtype: Any) -> None:
    x = np.array([-3, -2, -1, 0, 1, 2, 3, 5]).astype(dtype)
    for exponent in (0, 1, 2, 3, 7, 40):
        y = np.full(x.shape, exponent, dtype)
        with jax.enable_x64(True):
            wanted = np.asarray(jax.numpy.power(x, y))
        assert on_cpu(ops.pow, x, y).tolist() == wanted.tolist()
        assert by_reference(ops.pow, x, y).tolist() == wanted.tolist()


@pytest.mark.parametrize("run", [on_cpu, by_reference])
def test_total_order_ranks_nan_and_zeros(run: Any) -> None:
    ranked = np.array([-np.nan, -np.inf, -1, -0.0, 0.0, 1, np.inf, np.nan], np.float32)
    ranked[0] = np.copysign(np.nan, -1)
    below, above = ranked[:-1], ranked[1:]
    less = run(lambda x, y: ops.compare(x, y, direction="LT", total_order=True), below, above)
    assert less.all()
    same = run(lambda x, y: ops.compare(x, y, direction="EQ", total_order=True), ranked, ranked)
    assert same.all()
    plain = run(lambda x, y: ops.compare(x, y, direction="LT"), below, above)
    assert plain.tolist() == [False, True, True, False, True, True, False]


@pytest.mark.parametrize(
    ("dtype", "word"),
    [(f32, "FLOAT"), (i32, "SIGNED"), (ui8, "UNSIGNED"), (i1, "UNSIGNED"), (c64, "FLOAT")],
)
def test_the_compare_type_follows_from_the_element_type(dtype: DType, word: str) -> None:
    text = attributes(lambda x, y: ops.compare(x, y, direction="EQ"), dtype[2], dtype[2])
    assert f"EQ, %arg0, %arg1, {word}" in text.replace("  ", " ")


def test_an_absent_compare_type_stays_absent() -> None:
    text = """
    func.func @main(%a: tensor<2xf32>, %p: tensor<i1>) -> tensor<2xf32> {
      %0 = stablehlo.compare GT, %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
      %1 = stablehlo.select %0, %a, %a : tensor<2xi1>, tensor<2xf32>
      %2 = stablehlo.select %p, %1, %a : tensor<i1>, tensor<2xf32>
      return %2 : tensor<2xf32>
    }"""
    raised = dxir.load(text).raise_()
    again = str(lower_module(raised))
    assert "compare GT, %arg0, %arg0 :" in again.replace("  ", " ")
    assert "broadcast" not in again


FLOAT_SOURCES = [f64, f32, f16, bf16, f8e4m3fn]
INTEGERS = [i1, i8, i16, i32, i64, ui8, ui32, ui64]


@pytest.mark.parametrize("target", INTEGERS, ids=str)
@pytest.mark.parametrize("source", FLOAT_SOURCES, ids=str)
def test_floats_saturate_to_integers_and_nan_becomes_0(source: DType, target: DType) -> None:
    edges = [0.0, -0.0, 0.5, -0.5, 1.5, -1.5, 127.5, 128, -128, -129, 255, 256, 3e9, -3e9, 1e19]
    values = [*edges, -1e19, 9.3e18, 2.0**31, -(2.0**31), 2.0**63, np.inf, -np.inf, np.nan]
    with np.errstate(over="ignore"):
        x = np.array(values).astype(source.numpy)
    found = on_cpu(lambda v: ops.convert(v, dtype=target), x)
    if target.is_bool:
        assert found.tolist() == [bool(v != 0) for v in x.astype(float)]
        return
    bits = target.bits
    low, high = (
        (0, 2**bits - 1) if target.is_unsigned else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    )
    wanted = [
        0 if np.isnan(v) else high if v > high else low if v < low else int(v)
        for v in x.astype(float).tolist()
    ]
    assert [int(v) for v in found] == wanted
    assert by_reference(lambda v: ops.convert(v, dtype=target), x).tolist() == found.tolist()


@pytest.mark.parametrize("run", [on_cpu, by_reference])
def test_the_stated_conversion_to_i32(run: Any) -> None:
    x = np.array([np.nan, np.inf, -np.inf, 300.7, -1.5, 3e9], np.float32)
    found = run(lambda v: ops.convert(v, dtype="i32"), x)
    assert found.tolist() == [0, 2147483647, -2147483648, 300, -1, 2147483647]


def test_integers_convert_modulo_the_width_for_every_pair() -> None:
    sources = [i8, i16, i32, i64, ui8, ui32, ui64]
    for source in sources:
        info = np.iinfo(source.numpy)
        x = np.array([info.min, info.max, 0, 1, info.max - 1, 77], source.numpy)
        for target in (*sources, i1, f32, bf16, c64):
            convert = lambda v, t=target: ops.convert(v, dtype=t)  # noqa: E731
            np.testing.assert_array_equal(
                on_cpu(convert, x), by_reference(convert, x), f"{source} to {target}"
            )


@pytest.mark.parametrize("target", [i1, i8, f32, bf16], ids=str)
def test_complex_numbers_convert_by_their_real_part(target: DType) -> None:
    x = np.array([1.5 + 2j, 3j, -300 - 1j, np.nan + 1j, 0], np.complex64)
    convert = lambda v: ops.convert(v, dtype=target)  # noqa: E731
    found, wanted = on_cpu(convert, x), by_reference(convert, x)
    np.testing.assert_array_equal(found.astype(float), wanted.astype(float))


@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.uint8, np.int32])
def test_and_or_with_one_are_bitwise_for_every_width(dtype: Any) -> None:
    x, one = np.array([6, 7]).astype(dtype), np.ones(2, dtype)
    for run in (on_cpu, by_reference):
        assert run(ops.and_, x, one).tolist() == (x & one).tolist()
        assert run(ops.or_, x, one).tolist() == (x | one).tolist()


def test_quantized_tensors_pass_where_stablehlo_takes_them() -> None:
    kind = QuantizedType(i8, f32, (0.5,), (3,))
    assert emitted(lambda x: ops.tanh(ops.add(x, x)), kind[2]) == Counter(add=1, tanh=1)
    with pytest.raises(DTypeError, match="quant"):
        graph(lambda x: ops.xor(x, x), kind[2])


def test_xla_takes_the_largest_f4_for_infinity() -> None:
    """A known limit of XLA's CPU code, which our reference does not share: it is refused."""
    x = np.array([6.0, -6.0, 4.0]).astype(ml_dtypes.float4_e2m1fn)
    convert = lambda v: ops.convert(v, dtype="i8")  # noqa: E731
    assert by_reference(convert, x).tolist() == [6, -6, 4]
    with pytest.raises(TargetError, match="6 the largest integer"):
        on_cpu(convert, x)


def test_lgamma_is_infinite_where_gamma_is_or_has_a_pole() -> None:
    x = np.array([np.inf, -np.inf, 0, -0.0, -1, -3e38], np.float32)
    assert by_reference(ops.lgamma, x).tolist() == [np.inf] * 6
    assert on_cpu(ops.lgamma, x).tolist() == [np.inf] * 6


@pytest.mark.parametrize("op", ["erf", "erf_inv", "lgamma", "digamma", "bessel_i1e"])
def test_special_functions_agree_with_jax(op: str) -> None:
    x = np.linspace(-0.95, 0.95, 40).astype(np.float32)
    wanted = np.asarray(getattr(jax.lax, op)(x))
    np.testing.assert_allclose(on_cpu(getattr(ops, op), x), wanted, rtol=2e-6, atol=2e-6)
    np.testing.assert_allclose(by_reference(getattr(ops, op), x), wanted, rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("op", ["asin", "acos", "atan", "asinh", "acosh", "atanh", "tan", "tanh"])
def test_complex_functions_agree_with_jax(op: str) -> None:
    x = (np.linspace(-2, 2, 9)[:, None] + 1j * np.linspace(-1.5, 1.75, 8)).astype(np.complex64)
    wanted = np.asarray(getattr(jax.lax, op)(x))
    np.testing.assert_allclose(on_cpu(getattr(ops, op), x), wanted, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(by_reference(getattr(ops, op), x), wanted, rtol=1e-5, atol=1e-6)


def test_chlo_ops_stay_chlo_in_the_program() -> None:
    text = attributes(lambda x: ops.chlo_tan(ops.erfc(ops.square(x))), f32[2])
    assert [w for w in ("chlo.square", "chlo.erfc", "chlo.tan") if w in text] == [
        "chlo.square", "chlo.erfc", "chlo.tan",
    ]  # fmt: skip
    assert "stablehlo.tan" in attributes(lambda x: ops.tan(x), f32[2])


def test_broadcast_select_has_a_reference_although_xla_lacks_it() -> None:
    pred, a = np.array([True, False, True]), np.arange(6, dtype=np.float32).reshape(2, 3)
    found = by_reference(ops.chlo_broadcast_select, pred, a, np.float32(9))
    assert found.tolist() == [[0, 9, 2], [3, 9, 5]]


def test_elementwise_ops_take_named_dimensions() -> None:
    body = lambda x, y: ops.tanh(ops.add(x, ops.mul(y, 2.0)))  # noqa: E731
    function = graph(body, f32["n", 4], f32[4])
    assert str(function.result_types[0]) == "f32[n, 4]"
    assert "dynamic_broadcast_in_dim" in str(lower_module(Module([function])))
    x = np.ones((3, 4), np.float32)
    np.testing.assert_allclose(dxir.evaluate(function, x, x[0]), np.tanh(3 * x), rtol=1e-6)


MISTAKES = [
    (lambda x, y: ops.add(x, y), (f32[2, 3], f32[2]), ShapeError, ["[2, 3]", "[2]", "axis -1"]),
    (lambda x, y: ops.add(x, y), (f32[2], bf16[2]), DTypeError, ["f32[2]", "bf16[2]", "convert"]),
    (lambda x, y: ops.and_(x, y), (f32[2], f32[2]), DTypeError, ["f32[2]", "bool or int"]),
    (lambda x: ops.floor(x), (i32[2],), DTypeError, ["i32[2]", "float"]),
    (lambda x: ops.abs(x), (ui8[2],), DTypeError, ["ui8[2]"]),
    (lambda x: ops.add(x, 1.5), (i32[2],), DTypeError, ["1.5", "i32"]),
    (lambda x: ops.add(x, 300), (i8[2],), DTypeError, ["300", "i8"]),
    (lambda x: ops.land(x, x), (i32[2],), DTypeError, ["land", "i32[2]"]),
    (lambda x: ops.complex(x, x), (bf16[2],), DTypeError, ["bf16[2]", "f32"]),
    (lambda x: ops.select(x, x, x), (f32[2],), DTypeError, ["pred", "bool"]),
    (lambda x: ops.round(x, mode="up"), (f32[2],), AttributeValueError, ["up", "even, away"]),
    (
        lambda x: ops.compare(x, x, direction="<"),
        (f32[2],),
        AttributeValueError,
        ["'<'", "EQ, NE, LT"],
    ),
    (
        lambda x: ops.compare(x, x, direction="LT"),
        (c64[2],),
        DTypeError,
        ["LT", "c64[2]", "real or imaginary"],
    ),
    (
        lambda x: ops.compare(x, x, direction="LT", total_order=True),
        (i32[2],),
        DTypeError,
        ["total order", "i32[2]"],
    ),
    (
        lambda x: ops.compare(x, x, direction="LT", compare_type="SIGNED"),
        (f32[2],),
        DTypeError,
        ["SIGNED", "FLOAT"],
    ),
    (
        lambda x: ops.exp(x, result_accuracy=dxir.ResultAccuracy(ulps=2)),
        (f32[2],),
        AttributeValueError,
        ["ulps=2", "TOLERANCE"],
    ),
    (lambda x: ops.convert(x, dtype="f33"), (f32[2],), DTypeError, ["f33", "did you mean f32"]),
    (
        lambda x: ops.bitcast_convert(x, dtype=f32),
        (ui8[2, 3],),
        ShapeError,
        ["ui8[2, 3]", "4 elements"],
    ),
    (
        lambda x: ops.reduce_precision(x, exponent_bits=0, mantissa_bits=3),
        (f32[2],),
        AttributeValueError,
        ["exponent_bits=0"],
    ),
    (lambda x: ops.floor_divide(x, x), (c64[2],), DTypeError, ["c64[2]"]),
    (lambda x: ops.constant_like(x, value=1.5), (i32[2],), DTypeError, ["1.5", "i32"]),
    (
        lambda x, y: ops.chlo_broadcast_add(x, y, broadcast_dimensions=(2,)),
        (f32[2, 3], f32[3]),
        ShapeError,
        ["(2,)", "below 2"],
    ),
    (lambda x: ops.polygamma(x, x), (c64[2],), DTypeError, ["c64[2]"]),
]


@pytest.mark.parametrize(("body", "types", "kind", "words"), MISTAKES)
def test_a_mistake_is_named_with_what_was_given_and_the_users_line(
    body: Any, types: Any, kind: Any, words: list[str]
) -> None:
    with pytest.raises(kind) as caught:
        graph(body, *types)
    text = str(caught.value)
    assert all(word in text for word in words), text
    line = body.__code__.co_firstlineno
    assert f"{HERE}:{line}" in text, text


def test_f4_arithmetic_rounds_once() -> None:
    x = np.array([0.5, 1.0, 3.0, 6.0]).astype(f4e2m1fn.numpy)
    assert by_reference(ops.add, x, x).astype(float).tolist() == [1.0, 2.0, 6.0, 6.0]
