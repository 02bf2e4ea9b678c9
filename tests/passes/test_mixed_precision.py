"""Mixed precision: what is computed in which type, and how far values move."""

import importlib.util
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import dxir

Array = np.ndarray[Any, Any]

BF16 = np.dtype(ml_dtypes.bfloat16)
UNIT = {"bf16": 2.0**-8, "f16": 2.0**-11}  # half a step between neighbours of 1
EXAMPLE = Path(__file__).parents[2] / "examples" / "llama_decoder.py"


def one_op(body: str, *types: str, result: str) -> str:
    params = ", ".join(f"%{chr(97 + i)}: tensor<{t}>" for i, t in enumerate(types))
    return f"func.func @main({params}) -> tensor<{result}> {{\n{body}\n}}"


def run(program: dxir.Program, *arguments: Array) -> list[Array]:
    found = dxir.compile(program)(*arguments)
    values = found if isinstance(found, tuple | list) else [found]
    return [np.asarray(v) for v in values]


def converted(text: str, options: str = "") -> dxir.Program:
    """The converted program, which a second run leaves as it is."""
    pipeline = f"dxir-mixed-precision{{{options}}}"
    program = dxir.load(text).run_passes(pipeline)
    program.clone().verify()
    assert str(program.run_passes(pipeline)) == str(program)
    return program


def rounded(array: Array, dtype: Any = BF16) -> Array:
    with np.errstate(over="ignore"):
        return array.astype(dtype).astype(np.float32)


def normal(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


DOT = one_op(
    "%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : "
    "(tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>\nreturn %0 : tensor<8x16xf32>",
    "8x64xf32",
    "64x16xf32",
    result="8x16xf32",
)


@pytest.mark.parametrize("name", ["bf16", "f16"])
def test_a_product_rounds_its_operands_and_adds_up_in_f32(name: str) -> None:
    a, b = normal(8, 64), normal(64, 16, seed=1)
    dtype = BF16 if name == "bf16" else np.float16
    (found,) = run(converted(DOT, f"compute={name}"), a, b)
    # Products of rounded operands are exact in f32, so only the order of the sum may differ.
    np.testing.assert_allclose(found, rounded(a, dtype) @ rounded(b, dtype), rtol=1e-5, atol=1e-5)
    assert not np.allclose(found, a @ b, rtol=1e-5, atol=1e-5)


CONVOLUTION = one_op(
    "%0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
    "window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}"
    " : (tensor<1x6x6x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32>\n"
    "return %0 : tensor<1x6x6x4xf32>",
    "1x6x6x3xf32",
    "3x3x3x4xf32",
    result="1x6x6x4xf32",
)


@pytest.mark.parametrize("name", ["bf16", "f16"])
def test_a_convolution_rounds_its_operands_and_adds_up_in_f32(name: str) -> None:
    a, b = normal(1, 6, 6, 3), normal(3, 3, 3, 4, seed=1)
    dtype = BF16 if name == "bf16" else np.float16
    program = converted(CONVOLUTION, f"compute={name}")
    assert f"tensor<3x3x3x4x{name}>) -> tensor<1x6x6x4xf32>" in str(program)
    (found,) = run(program, a, b)
    (wanted,) = run(dxir.load(CONVOLUTION), rounded(a, dtype), rounded(b, dtype))
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)


HOSTILE = np.array(
    [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-40, -1e-45, 3.4e38, -3.4e38, 1.0, -2.5, 1e-30],
    np.float32,
)

ARITHMETIC = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "divide": np.divide,
    "maximum": np.maximum,
    "minimum": np.minimum,
}


@pytest.mark.parametrize("name", ARITHMETIC)
def test_arithmetic_on_hostile_values_is_that_of_rounded_operands(name: str) -> None:
    size = HOSTILE.size
    text = one_op(
        f"%0 = stablehlo.{name} %a, %b : tensor<{size}x{size}xf32>\n"
        f"return %0 : tensor<{size}x{size}xf32>",
        f"{size}x{size}xf32",
        f"{size}x{size}xf32",
        result=f"{size}x{size}xf32",
    )
    program = converted(text)
    assert f"stablehlo.{name} %0, %1 : tensor<{size}x{size}xbf16>" in str(program)
    a, b = (np.ascontiguousarray(g) for g in np.meshgrid(HOSTILE, HOSTILE))
    (found,) = run(program, a, b)
    with np.errstate(all="ignore"):
        exact = ARITHMETIC[name](rounded(a), rounded(b))
        wanted = rounded(exact)
    # XLA takes subnormals as zero.
    normal_only = np.logical_and(*(~((g != 0) & (np.abs(g) < 2.0**-126)) for g in (a, b)))
    np.testing.assert_array_equal(np.isnan(found)[normal_only], np.isnan(wanted)[normal_only])
    near = (found == wanted) | np.isnan(wanted)
    with np.errstate(all="ignore"):  # XLA may keep the result exact instead of rounding it
        near |= np.abs(found - exact) <= UNIT["bf16"] * np.abs(exact) + 2.0**-125
    assert near[normal_only].all()


def test_moving_elements_is_exact_for_values_that_fit() -> None:
    text = one_op(
        "%0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>\n"
        "%1 = stablehlo.reshape %0 : (tensor<4x3xf32>) -> tensor<12xf32>\n"
        "%2 = stablehlo.reverse %1, dims = [0] : tensor<12xf32>\nreturn %2 : tensor<12xf32>",
        "3x4xf32",
        result="12xf32",
    )
    given = rounded(HOSTILE).reshape(3, 4)
    (found,) = run(converted(text), given)
    wanted = given.T.reshape(-1)[::-1]
    np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(np.signbit(found), np.signbit(wanted))


def test_empty_tensors_stay_empty() -> None:
    text = DOT.replace("8x64", "0x64").replace("8x16", "0x16")
    (found,) = run(converted(text), np.zeros((0, 64), np.float32), normal(64, 16))
    assert found.shape == (0, 16)


LAYER = """
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %xx = stablehlo.multiply %x, %x : tensor<4x8xf32>
  %s = stablehlo.reduce(%xx init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %r = stablehlo.rsqrt %s : tensor<4xf32>
  %rb = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %n = stablehlo.multiply %x, %rb : tensor<4x8xf32>
  %d = stablehlo.dot_general %n, %w, contracting_dims = [1] x [0]
    : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %e = stablehlo.exponential %d : tensor<4x8xf32>
  %t = stablehlo.tanh %d : tensor<4x8xf32>
  %u = stablehlo.multiply %t, %d : tensor<4x8xf32>
  %v = stablehlo.add %u, %e : tensor<4x8xf32>
  return %v : tensor<4x8xf32>
}
"""


def test_statistics_and_exponentials_stay_in_f32_and_activations_follow() -> None:
    text = str(converted(LAYER))
    for line in text.splitlines():
        op = line.partition("= stablehlo.")[2].split("(")[0].split(" ")[0]
        if op in ("reduce", "rsqrt", "exponential", "add"):
            assert "bf16" not in line, line
        if op == "tanh":
            assert "tensor<4x8xbf16>" in line
    # x is used by the sum of squares and by what the statistics scale, both in f32.
    assert "multiply %arg0, %arg0 : tensor<4x8xf32>" in text


def test_values_are_converted_once_and_back_at_most_once() -> None:
    text = str(converted(LAYER))
    converts = [line.partition("convert ")[2] for line in text.splitlines() if "convert" in line]
    assert len(converts) == len(set(converts))


def test_a_layer_moves_by_no_more_than_a_few_roundings() -> None:
    x, w = normal(4, 8), normal(8, 8, seed=1)
    (wanted,) = run(dxir.load(LAYER), x, w)
    for name, unit in UNIT.items():
        (found,) = run(converted(LAYER, f"compute={name}"), x, w)
        assert np.abs(found - wanted).max() <= 8 * unit * np.abs(wanted).max()


UPCAST = """
func.func @main(%a: tensor<4x4xbf16>)
    -> (tensor<4x4xbf16>, tensor<4x4xbf16>, tensor<4x4xf32>) {
  %0 = stablehlo.convert %a : (tensor<4x4xbf16>) -> tensor<4x4xf32>
  %1 = stablehlo.convert %0 : (tensor<4x4xf32>) -> tensor<4x4xbf16>
  %2 = stablehlo.add %0, %0 : tensor<4x4xf32>
  %3 = stablehlo.convert %2 : (tensor<4x4xf32>) -> tensor<4x4xbf16>
  %4 = stablehlo.dot_general %0, %0, contracting_dims = [1] x [0]
    : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1, %3, %4 : tensor<4x4xbf16>, tensor<4x4xbf16>, tensor<4x4xf32>
}
"""


def test_what_was_narrow_before_is_not_converted_again() -> None:
    text = str(converted(UPCAST))
    assert "return %arg0" in text
    assert "dot_general %arg0, %arg0" in text


def test_what_the_program_computes_in_f32_on_purpose_stays_so() -> None:
    assert "stablehlo.add %0, %0 : tensor<4x4xf32>" in str(converted(UPCAST))


REGIONS = """
func.func @main(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>, %n: tensor<i32>)
    -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %f = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.tanh %x : tensor<4x4xf32>
  %0:2 = stablehlo.while(%i = %zero, %c = %t) : tensor<i32>, tensor<4x4xf32>
    cond {
      %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %j = stablehlo.add %i, %one : tensor<i32>
      %d = stablehlo.dot_general %c, %w, contracting_dims = [1] x [0]
        : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %u = stablehlo.add %d, %t : tensor<4x4xf32>
      %v = stablehlo.tanh %u : tensor<4x4xf32>
      stablehlo.return %j, %v : tensor<i32>, tensor<4x4xf32>
    }
  %p = stablehlo.compare LT, %n, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %1 = "stablehlo.if"(%p) ({
    stablehlo.return %t : tensor<4x4xf32>
  }, {
    %d = stablehlo.dot_general %t, %w, contracting_dims = [1] x [0]
      : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    stablehlo.return %d : tensor<4x4xf32>
  }) : (tensor<i1>) -> tensor<4x4xf32>
  %2 = "stablehlo.reduce_window"(%t, %f) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 1, 4>, padding = dense<[[0, 0], [3, 0]]> : tensor<2x2xi64>}
    : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  return %0#1, %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}
"""


@pytest.mark.parametrize("options", ["", "keep-io=false", "compute=f16"])
@pytest.mark.parametrize("steps", [0, 3])
def test_loops_branches_and_reductions_keep_the_types_of_their_regions(
    options: str, steps: int
) -> None:
    x, w = normal(4, 4), normal(4, 4, seed=1) / 4
    program = converted(REGIONS, options)
    count = np.array(steps, np.int32)
    wanted = run(dxir.load(REGIONS), rounded(x), rounded(w), count)
    given = (x, w) if "keep-io" not in options else (x.astype(BF16), w.astype(BF16))
    for a, b in zip(run(program, *given, count), wanted, strict=True):
        assert np.abs(a.astype(np.float32) - b).max() <= 16 * UNIT["bf16"]


CALLS = """
func.func @main(%x: tensor<4xf32>, %s: tensor<f32>) -> (tensor<4xf32>, tensor<f32>) {
  %0 = func.call @act(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @shared(%0, %s) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = stablehlo.composite "acme.gate" %1 {decomposition = @gate} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = stablehlo.tanh %2 : tensor<4xf32>
  return %3, %s : tensor<4xf32>, tensor<f32>
}
func.func private @act(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @shared(%x: tensor<4xf32>, %s: tensor<f32>) -> tensor<4xf32> {
  %0 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<4xf32>
  stablehlo.return %1 : tensor<4xf32>
}
func.func private @gate(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.logistic %x : tensor<4xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""


def part(program: dxir.Program, name: str) -> str:
    """The text of one function."""
    text = str(program)
    start = text.index(
        f"@{name}(", text.index(f"func.func private @{name}(") if name != "main" else 0
    )
    return text[start : text.index("\n  }", start)]


def test_calls_and_composites_keep_their_types_and_are_converted_inside() -> None:
    program = converted(CALLS)
    assert "stablehlo.logistic %0 : tensor<4xbf16>" in part(program, "gate")
    assert '"acme.gate"' in str(program)
    x, s = normal(4), np.array(0.5, np.float32)
    for a, b in zip(run(program, x, s), run(dxir.load(CALLS), x, s), strict=True):
        np.testing.assert_allclose(a, b, atol=8 * UNIT["bf16"])


@pytest.mark.parametrize("options", ["composites=keep", "deny=acme.gate"])
def test_composites_that_are_kept_are_left_alone(options: str) -> None:
    assert "bf16" not in part(converted(CALLS, options), "gate")
    assert "bf16" in part(converted(CALLS, options), "act")


def test_the_signature_changes_on_request_and_its_calls_with_it() -> None:
    text = str(converted(CALLS, "keep-io=false"))
    assert (
        "@main(%arg0: tensor<4xbf16>, %arg1: tensor<f32>) -> (tensor<4xbf16>, tensor<f32>)" in text
    )
    assert "func.func @shared(%arg0: tensor<4xbf16>, %arg1: tensor<f32>) -> tensor<4xbf16>" in text
    assert "call @shared(" in text


def test_a_constant_that_does_not_fit_keeps_its_users_in_f32() -> None:
    text = one_op(
        "%c = stablehlo.constant dense<-1.0e9> : tensor<4xf32>\n"
        "%0 = stablehlo.add %a, %c : tensor<4xf32>\nreturn %0 : tensor<4xf32>",
        "4xf32",
        result="4xf32",
    )
    assert "f16>" not in str(converted(text, "compute=f16"))
    assert "dense<-9.982" in str(converted(text)) or "bf16" in str(converted(text))
    assert "f16>" not in str(converted(text.replace("-1.0e9", "1.0e-12"), "compute=f16"))
    assert "bf16>" not in str(converted(text.replace("-1.0e9", "3.4028234e38")))


def test_an_infinite_constant_fits() -> None:
    text = one_op(
        "%c = stablehlo.constant dense<0xFF800000> : tensor<4xf32>\n"
        "%0 = stablehlo.maximum %a, %c : tensor<4xf32>\nreturn %0 : tensor<4xf32>",
        "4xf32",
        result="4xf32",
    )
    assert "dense<0xFF80> : tensor<4xbf16>" in str(converted(text))


def test_a_product_with_a_constant_that_does_not_fit_warns() -> None:
    text = one_op(
        "%c = stablehlo.constant dense<[1.0e9, 1.0]> : tensor<2xf32>\n"
        "%0 = stablehlo.dot %a, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>\n"
        "return %0 : tensor<f32>",
        "2xf32",
        result="f32",
    )
    messages = [d.message for d in converted(text, "compute=f16").diagnostics]
    assert any("a constant it takes does not fit into f16" in m for m in messages)
    assert any("f16 holds at most 65504" in m for m in messages)


UNTOUCHED = """
func.func @main(%a: tensor<4xf64>, %b: tensor<4xi32>, %c: tensor<4xcomplex<f32>>,
    %d: tensor<4xf16>, %e: tensor<4xui8>)
    -> (tensor<4xf64>, tensor<4xi32>, tensor<4xcomplex<f32>>, tensor<4xf16>, tensor<4xui8>) {
  %0 = stablehlo.multiply %a, %a : tensor<4xf64>
  %1 = stablehlo.multiply %b, %b : tensor<4xi32>
  %2 = stablehlo.multiply %c, %c : tensor<4xcomplex<f32>>
  %3 = stablehlo.multiply %d, %d : tensor<4xf16>
  %4 = stablehlo.multiply %e, %e : tensor<4xui8>
  return %0, %1, %2, %3, %4
    : tensor<4xf64>, tensor<4xi32>, tensor<4xcomplex<f32>>, tensor<4xf16>, tensor<4xui8>
}
"""


def test_other_types_are_untouched() -> None:
    before, after = str(dxir.load(UNTOUCHED)), str(converted(UNTOUCHED))
    assert after.split("\n", 1)[1] == before.split("\n", 1)[1]


def test_collectives_stay_in_f32() -> None:
    text = one_op(
        "%0 = stablehlo.tanh %a : tensor<4xf32>\n"
        '%1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({\n'
        "^bb0(%p: tensor<f32>, %q: tensor<f32>):\n  %s = stablehlo.add %p, %q : tensor<f32>\n"
        "  stablehlo.return %s : tensor<f32>\n}) : (tensor<4xf32>) -> tensor<4xf32>\n"
        "return %1 : tensor<4xf32>",
        "4xf32",
        result="4xf32",
    )
    body = str(converted(text))
    assert "stablehlo.add %arg1, %arg2 : tensor<f32>" in body
    assert "(tensor<4xf32>) -> tensor<4xf32>" in body


SHARDED = """
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.tanh %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}
    : tensor<4xf32>
  %1 = sdy.all_gather [{"x"}] %0 out_sharding=<@mesh, [{}]> : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
"""


@pytest.mark.parametrize("options", ["", "keep-io=false"])
def test_converts_are_sharded_as_what_they_convert(options: str) -> None:
    lines = [line for line in str(converted(SHARDED, options)).splitlines() if "convert %" in line]
    assert lines
    assert "sdy.sharding" in lines[0]


def test_classes_can_be_chosen() -> None:
    exponential = one_op(
        "%0 = stablehlo.exponential %a : tensor<4xf32>\nreturn %0 : tensor<4xf32>",
        "4xf32",
        result="4xf32",
    )
    assert "exponential %0 : tensor<4xbf16>" in str(converted(exponential, "follow=exponential"))
    assert "exponential %0 : tensor<4xbf16>" in str(converted(exponential, "allow=exponential"))
    assert "bf16>" not in str(converted(DOT, "deny=dot_general"))
    policy = str(converted(DOT, "deny=dot_general,tanh compute=f16")).split("\n")[0]
    assert "compute=f16 accumulate=f32 io=f32 composites=convert deny=dot_general,tanh" in policy


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("allow=tanhh", "there is no op called stablehlo.tanhh"),
        ("allow=tanh deny=tanh", "stablehlo.tanh is in allow and in deny"),
        ("allow=reduce", "stablehlo.reduce cannot be in allow"),
        ("compute=f8", "is one of bf16, f16, not 'f8'"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: str, message: str) -> None:
    with pytest.raises(dxir.DxirError, match=message):
        dxir.load(DOT).run_passes(f"dxir-mixed-precision{{{options}}}")


def test_a_second_policy_is_refused() -> None:
    with pytest.raises(dxir.DxirError, match="has the precision policy 'compute=bf16"):
        converted(DOT).run_passes("dxir-mixed-precision{compute=f16}")


def test_quantized_programs_are_refused() -> None:
    quantized = "4x!quant.uniform<i8:f32, 0.5:0>"
    text = one_op(f"return %a : tensor<{quantized}>", quantized, result=quantized)
    with pytest.raises(dxir.DxirError, match=r"quantized type .*: its precision is chosen already"):
        dxir.load(text).run_passes("dxir-mixed-precision")


def decoder() -> tuple[dxir.Program, Sequence[Array], float]:
    spec = importlib.util.spec_from_file_location("llama_decoder", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    case = json.loads(example.CASE.read_text())
    sizes = case["configs"]["tiny"]
    program = dxir.lower(example.decoder_layer(sizes, case["params"]))
    arrays = example.decoder_inputs(sizes, case["params"])
    return program, arrays, case["expected"]["tiny"]["loss_f64"]


@pytest.mark.parametrize("options", ["", "compute=f16", "composites=keep"])
def test_the_loss_of_a_llama_decoder_moves_by_less_than_one_rounding(options: str) -> None:
    program, arrays, stated = decoder()
    narrow = program.run_passes(f"dxir-mixed-precision{{{options}}}")
    assert "f32>) -> tensor<32x256xf32>" in str(narrow)
    (loss,) = run(narrow, *arrays)
    # Sums, statistics and the loss are f32: roundings of the operands average out.
    assert abs(float(loss) - stated) <= 1e-4 * abs(stated)
