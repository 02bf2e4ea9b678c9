"""Programs that look like something they are not, each found by looking for it."""

from __future__ import annotations

import pytest

import dxir
from dxir.reading import attribute_text, ops_below


def found(text: str) -> list[str]:
    """The composites that recognition makes, each with its attributes."""
    program = dxir.load(text)
    coarse = program.run_passes("dxir-recognize,dxir-coarsen").verify()
    assert coarse.run_passes("dxir-decompose").fingerprint() == program.fingerprint()
    return [
        attribute_text(op.attributes["name"]).strip('"').removeprefix("dxir.")
        for op in ops_below(coarse.module.operation, ("stablehlo.composite",))
    ]


SHIFTED = """
  func.func private @f(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %i = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %m = stablehlo.reduce(%x init: %i) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
    %b = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
    %s = stablehlo.subtract %x, %b : tensor<4x8xf32>
    %e = stablehlo.exponential %s : tensor<4x8xf32>
    return %e : tensor<4x8xf32>
  }
"""  # noqa: E501


@pytest.mark.parametrize(("second", "names"), [("%x", ["softmax"]), ("%y", [])])
def test_values_inside_two_calls_are_one_where_the_calls_are_given_one(
    second: str, names: list[str]
) -> None:
    assert (
        found(f"""
  func.func @main(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {{
    %a = call @f(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %c = call @f({second}) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %t = stablehlo.reduce(%c init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
    %b = stablehlo.broadcast_in_dim %t, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
    %d = stablehlo.divide %a, %b : tensor<4x8xf32>
    return %d : tensor<4x8xf32>
  }}
  {SHIFTED}""")  # noqa: E501
        == names
    )


def softmax_from(init: str) -> str:
    return f"""
  func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {{
    %i = stablehlo.constant dense<{init}> : tensor<f32>
    %m = stablehlo.reduce(%x init: %i) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
    %b = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
    %s = stablehlo.subtract %x, %b : tensor<4x8xf32>
    %e = stablehlo.exponential %s : tensor<4x8xf32>
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %t = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
    %c = stablehlo.broadcast_in_dim %t, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
    %d = stablehlo.divide %e, %c : tensor<4x8xf32>
    return %d : tensor<4x8xf32>
  }}"""  # noqa: E501


@pytest.mark.parametrize(
    ("init", "names"),
    [("0xFF800000", ["softmax"]), ("-3.40282347E+38", ["softmax"]), ("-1.0e4", [])],
)
def test_a_maximum_starts_from_what_is_below_every_number(init: str, names: list[str]) -> None:
    assert "softmax" not in names or found(softmax_from(init)) == names
    if not names:
        assert "softmax" not in found(softmax_from(init))


@pytest.mark.parametrize(
    ("element", "size", "count", "names"),
    [
        ("f32", 131072, 131072, ["layer_norm"]),
        ("f32", 131072, 131071, []),
        ("bf16", 256, 256, ["layer_norm"]),
        ("bf16", 256, 255, []),
        ("f16", 1024, 1023, []),
    ],
)
def test_the_count_of_an_unbiased_variance_is_another(
    element: str, size: int, count: int, names: list[str]
) -> None:
    wide, row = f"tensor<2x{size}x{element}>", f"tensor<2x{element}>"
    text = f"""
  func.func @main(%x: {wide}) -> {wide} {{
    %z = stablehlo.constant dense<0.0> : tensor<{element}>
    %n = stablehlo.constant dense<{size}.0> : {row}
    %k = stablehlo.constant dense<{count}.0> : {row}
    %eps = stablehlo.constant dense<1.0e-3> : {row}
    %s = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : ({wide}, tensor<{element}>) -> {row}
    %m = stablehlo.divide %s, %n : {row}
    %b = stablehlo.broadcast_in_dim %m, dims = [0] : ({row}) -> {wide}
    %c = stablehlo.subtract %x, %b : {wide}
    %q = stablehlo.multiply %c, %c : {wide}
    %t = stablehlo.reduce(%q init: %z) applies stablehlo.add across dimensions = [1] : ({wide}, tensor<{element}>) -> {row}
    %v = stablehlo.divide %t, %k : {row}
    %e = stablehlo.add %v, %eps : {row}
    %r = stablehlo.rsqrt %e : {row}
    %w = stablehlo.broadcast_in_dim %r, dims = [0] : ({row}) -> {wide}
    %o = stablehlo.multiply %c, %w : {wide}
    return %o : {wide}
  }}"""  # noqa: E501
    assert ("layer_norm" in found(text)) == ("layer_norm" in names)


def test_many_seeds_far_from_their_roots_are_found_like_near_ones() -> None:
    count = 300
    type = "tensor<4xf32>"
    parameters = ", ".join(f"%a{i}: {type}" for i in range(count))
    seeds = [f"%l{i} = stablehlo.logistic %a{i} : {type}" for i in range(count)]
    roots = [f"%r{i} = stablehlo.multiply %a{i}, %l{i} : {type}" for i in range(count)]
    results = ", ".join(f"%r{i}" for i in range(count))
    types = ", ".join([type] * count)
    body = "\n".join([*seeds, *roots, f"return {results} : {types}"])
    assert found(f"func.func @main({parameters}) -> ({types}) {{\n{body}\n}}") == ["silu"] * count


def test_near_misses_do_not_change_what_is_found() -> None:
    text = softmax_from("0xFF800000")
    plain = dxir.load(text).run_passes("dxir-recognize")
    told = dxir.load(text).run_passes("dxir-recognize{near-misses=true}")
    assert str(plain) == str(told)
