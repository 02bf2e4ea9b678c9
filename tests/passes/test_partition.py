"""Partitioned programs give what the whole program gives on one device, whatever is sharded how."""

import random
import re
from typing import Any

import numpy as np
import pytest

import dxir
from dxir.errors import PassError
from dxir.mlir import ir
from dxir.reading import function_name, functions
from dxir.runtime.partitioned import run_partitioned

MESH = 'sdy.mesh @mesh = <["x"=4, "y"=2]>\n'
AXES = {"x": 4, "y": 2, "x:(1)2": 2, "x:(2)2": 2}
SPLITS = ([], ["x"], ["y"], ["x", "y"], ["y", "x"], ["x:(1)2"], ["y", "x:(2)2"])
M = "tensor<8x16xf32>"
Q = "tensor<8x8xf32>"
_ADD = """({ ^bb0(%p: tensor<f32>, %q: tensor<f32>): %s = stablehlo.add %p, %q : tensor<f32>
  stablehlo.return %s : tensor<f32> })"""
_ZERO = "%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
_LOOP = f"""%c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c3 = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%i = %c0, %x = %a0) : tensor<i32>, {Q}
    cond {{ %p = stablehlo.compare LT, %i, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1> }}
    do {{ %n = stablehlo.add %i, %c1 : tensor<i32>
      %y = stablehlo.dot_general %x, %a1, contracting_dims = [1] x [0] : ({Q}, {Q}) -> {Q}
      %t = stablehlo.tanh %y : {Q}
      stablehlo.return %n, %t : tensor<i32>, {Q} }}
  %r0 = stablehlo.negate %r#1 : {Q}"""


def reduced(kind: str, start: str) -> tuple[list[str], list[str], str]:
    return (
        [M],
        ["tensor<8xf32>"],
        f"%z = stablehlo.constant dense<{start}> : tensor<f32>\n"
        f"%r0 = stablehlo.reduce(%a0 init: %z) applies stablehlo.{kind} across dimensions = [1] "
        f": ({M}, tensor<f32>) -> tensor<8xf32>",
    )


# Parameters, results, and what is between.
OPS: dict[str, tuple[list[str], list[str], str]] = {
    "product": (
        ["tensor<8x16xf32>", "tensor<16x8xf32>"],
        [Q],
        "%r0 = stablehlo.dot_general %a0, %a1, contracting_dims = [1] x [0] "
        f": (tensor<8x16xf32>, tensor<16x8xf32>) -> {Q}",
    ),
    "sum": reduced("add", "0.0"),
    "maximum": reduced("maximum", "0xFF800000"),
    "product of elements": reduced("multiply", "1.0"),
    "sum from 2": reduced("add", "2.0"),
    "counted": (
        [M],
        [M],
        f"%i = stablehlo.iota dim = 1 : {M}\n%r0 = stablehlo.add %a0, %i : {M}",
    ),
    "constant": (
        ["tensor<8xf32>"],
        ["tensor<8xf32>"],
        "%c = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> : tensor<8xf32>\n"
        "%r0 = stablehlo.add %a0, %c : tensor<8xf32>",
    ),
    "joined dimensions": (
        ["tensor<8x8x8xf32>"],
        ["tensor<64x8xf32>"],
        "%r0 = stablehlo.reshape %a0 : (tensor<8x8x8xf32>) -> tensor<64x8xf32>",
    ),
    "split dimension": (
        ["tensor<2x32x8xf32>"],
        ["tensor<8x8x8xf32>"],
        "%r0 = stablehlo.reshape %a0 : (tensor<2x32x8xf32>) -> tensor<8x8x8xf32>",
    ),
    "slice": ([M], [Q], f"%r0 = stablehlo.slice %a0 [0:8, 4:12] : ({M}) -> {Q}"),
    "concatenation": (
        [M, M],
        ["tensor<16x16xf32>"],
        f"%r0 = stablehlo.concatenate %a0, %a1, dim = 0 : ({M}, {M}) -> tensor<16x16xf32>",
    ),
    "update": (
        [M, Q, "tensor<i32>", "tensor<i32>"],
        [M],
        f"%r0 = stablehlo.dynamic_update_slice %a0, %a1, %a2, %a3 "
        f": ({M}, {Q}, tensor<i32>, tensor<i32>) -> {M}",
    ),
    "lookup": (
        [M, "tensor<16x1xi32>"],
        ["tensor<16x16xf32>"],
        '%r0 = "stablehlo.gather"(%a0, %a1) {dimension_numbers = #stablehlo.gather<offset_dims = '
        "[1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, "
        "slice_sizes = array<i64: 1, 16>, indices_are_sorted = false} "
        f": ({M}, tensor<16x1xi32>) -> tensor<16x16xf32>",
    ),
    "scattered sums": (
        [M, "tensor<16x1xi32>", "tensor<16x16xf32>"],
        [M],
        f'%r0 = "stablehlo.scatter"(%a0, %a1, %a2) {_ADD} {{scatter_dimension_numbers = '
        "#stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], "
        "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, "
        f"unique_indices = false}} : ({M}, tensor<16x1xi32>, tensor<16x16xf32>) -> {M}",
    ),
    "convolution": (
        ["tensor<8x16x8xf32>", "tensor<3x8x16xf32>"],
        ["tensor<8x14x16xf32>"],
        "%r0 = stablehlo.convolution(%a0, %a1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], "
        "window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} "
        ": (tensor<8x16x8xf32>, tensor<3x8x16xf32>) -> tensor<8x14x16xf32>",
    ),
    "windows": (
        [M],
        [Q],
        f'{_ZERO}%r0 = "stablehlo.reduce_window"(%a0, %z) {_ADD} {{window_dimensions = '
        f"array<i64: 1, 2>, window_strides = array<i64: 1, 2>}} : ({M}, tensor<f32>) -> {Q}",
    ),
    "random bits": (
        ["tensor<2xui64>"],
        ["tensor<8x8xi32>"],
        "%s, %g = stablehlo.rng_bit_generator %a0, algorithm = THREE_FRY : (tensor<2xui64>) -> "
        "(tensor<2xui64>, tensor<8x8xui32>)\n"
        "%r0 = stablehlo.bitcast_convert %g : (tensor<8x8xui32>) -> tensor<8x8xi32>",
    ),
    "loop": ([Q, Q], [Q], _LOOP),
    "branches": (
        ["tensor<i1>", M],
        [M],
        f"""%q = "stablehlo.if"(%a0) ({{ %s = stablehlo.add %a1, %a1 : {M}
  stablehlo.return %s : {M} }}, {{ stablehlo.return %a1 : {M} }}) : (tensor<i1>) -> {M}
  %r0 = stablehlo.negate %q : {M}""",
    ),
    "calls": (
        [M, M],
        [M],
        f"%b = func.call @f(%a0) : ({M}) -> {M}\n%c = func.call @f(%a1) : ({M}) -> {M}\n"
        f"%r0 = stablehlo.add %b, %c : {M}",
    ),
}  # fmt: skip
EXTRA = f"""
func.func private @f(%a: {M}) -> {M} {{
  %0 = stablehlo.sine %a : {M}
  %1 = stablehlo.reverse %0, dims = [1] : {M}
  return %1 : {M}
}}"""
FAST = ("product", "sum from 2", "counted", "slice", "scattered sums", "branches")


def sharding(type: str, choice: random.Random, *, divide: bool) -> str:
    """A sharding at random for a type; one that divides its dimensions, if that is asked for."""
    shape = [int(n) for n in re.findall(r"(\d+)x", type)]
    used: set[str] = set()
    dims: list[str] = []
    for size in shape:
        axes = choice.choice(SPLITS if divide else SPLITS[:5])
        parts = int(np.prod([AXES[a] for a in axes]))
        clash = {a[0] for a in axes} & {a[0] for a in used}
        axes = [] if clash or (divide and size % parts) else axes
        used |= set(axes)
        names = [f'"{a[0]}"{a[1:]}' for a in axes]
        dims.append("{" + ", ".join(names) + "}")
    return f"#sdy.sharding<@mesh, [{', '.join(dims)}]>"


def program(name: str, seed: int, *, divide: bool = True) -> str:
    params, results, body = OPS[name]
    choice = random.Random(f"{name} {seed}")
    given = [
        f"%a{i}: {t} {{sdy.sharding = {sharding(t, choice, divide=divide)}}}"
        for i, t in enumerate(params)
    ]
    taken = [f"{t} {{sdy.sharding = {sharding(t, choice, divide=divide)}}}" for t in results]
    return (
        f"{MESH}func.func @main({', '.join(given)}) -> ({', '.join(taken)}) {{\n{body}\n"
        f"return %r0 : {results[0]}\n}}{EXTRA}"
    )


def arguments(text: dxir.Program, seed: int) -> list[Any]:
    data = np.random.default_rng(seed)
    main = next(f for f in functions(text.module) if function_name(f) == "main")
    found: list[Any] = []
    for argument in main.regions[0].blocks[0].arguments:
        type = ir.RankedTensorType(argument.type)
        element = str(type.element_type)
        if element == "f32":
            found.append(data.normal(size=type.shape).astype(np.float32))
        else:
            kind = {"i32": np.int32, "i1": np.bool_, "ui64": np.uint64}[element]
            found.append(data.integers(0, 8, size=type.shape).astype(kind))
    return found


def check(text: str, pipeline: str = "dxir-partition", tolerance: float = 2e-5) -> dxir.Program:
    """The partitioned program, after it gave what the program gives without its shardings."""
    whole = dxir.load(text)
    given = arguments(whole, 0)
    wanted = dxir.compile(whole.run_passes("dxir-strip-sharding")).run(given)
    made = whole.run_passes(pipeline)
    found = run_partitioned(made, given)
    for a, b in zip(wanted, found, strict=True):
        np.testing.assert_allclose(b, a.numpy(), rtol=tolerance, atol=tolerance)
    assert str(made.run_passes(pipeline)) == str(made)
    return made


@pytest.mark.parametrize("name", FAST)
def test_an_op_on_parts_gives_what_it_gives_on_the_whole(name: str) -> None:
    check(program(name, 0))


@pytest.mark.slow  # two programs compiled for each
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", OPS)
def test_every_kind_of_op_on_parts_gives_what_it_gives_on_the_whole(name: str, seed: int) -> None:
    check(program(name, seed))


def uneven(name: str, seed: int) -> str:
    """The program with sizes that no axis divides."""
    text = program(name, seed, divide=False)
    text = re.sub(r"(?<![\d.])16x", "7x", text)
    return re.sub(r"(?<![\d.])8x", "5x", text)


@pytest.mark.parametrize("name", ["product", "sum", "counted"])
def test_parts_beyond_the_end_are_kept_out_of_sums(name: str) -> None:
    check(uneven(name, 0), "dxir-partition{pad=true}")


@pytest.mark.slow  # two programs compiled for each
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "name", ["product", "sum", "maximum", "sum from 2", "counted", "loop", "branches", "calls"]
)
def test_padding_gives_what_the_whole_gives(name: str, seed: int) -> None:
    check(uneven(name, seed), "dxir-partition{pad=true}")


def test_garbage_beyond_the_end_stays_there_even_where_it_is_not_a_number() -> None:
    made = check(
        f"""{MESH}func.func @main(
          %a: tensor<5xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}]>}}) -> tensor<f32> {{
        {_ZERO} %l = stablehlo.abs %a : tensor<5xf32>
        %i = stablehlo.log %l : tensor<5xf32>
        %r = stablehlo.reduce(%i init: %z) applies stablehlo.add across dimensions = [0]
          : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
        return %r : tensor<f32> }}""",
        "dxir-partition{pad=true}",
    )
    assert "stablehlo.select" in str(made)


def test_without_padding_the_error_names_the_value_its_axes_and_its_place() -> None:
    text = MESH + (
        "func.func @main(%a: tensor<5xf32>) -> tensor<5xf32> {\n"
        '  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}]> : tensor<5xf32>\n'
        "  %1 = stablehlo.negate %0 : tensor<5xf32>\n"
        "  return %1 : tensor<5xf32>\n}"
    )
    with pytest.raises(PassError) as caught:
        dxir.load(text).run_passes("dxir-partition")
    assert 'is not divisible by its axes, "x"=4' in str(caught.value)
    assert "dimension 0 (5)" in str(caught.value)
    assert "pad=true" in str(caught.value)
    assert caught.value.where is not None
    check(text, "dxir-partition{pad=true}")


def test_devices_in_another_order_have_the_parts_that_the_mesh_says() -> None:
    text = program("counted", 1).replace("=2]>\n", "=2], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>\n", 1)
    check(text)


def test_terms_that_no_device_summed_up_are_summed_up_when_results_are_joined() -> None:
    check(
        MESH
        + """func.func @main(
    %a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %b: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>})
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}], unreduced={"y"}>}) {
  %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}], unreduced={"y"}>]>}
    : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32> }"""
    )


def test_a_whole_value_that_is_to_be_in_terms_is_one_of_them() -> None:
    check(
        MESH
        + """func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x", "y"}>}) {
  %0 = stablehlo.negate %a : tensor<8x4xf32>
  %1 = sdy.reshard %0 <@mesh, [{}, {}], unreduced={"x", "y"}> : tensor<8x4xf32>
  return %1 : tensor<8x4xf32> }"""
    )


def test_the_program_of_one_device_is_plain_stablehlo_of_version_1() -> None:
    made = dxir.load(program("product", 2)).run_passes("dxir-partition")
    assert not any(name.startswith("sdy.") for name in made.op_counts())
    assert made.serialize("1.0.0")


@pytest.mark.parametrize("size", [16, 64])
def test_meshes_of_many_devices_are_partitioned_and_verified(size: int) -> None:
    text = f"""sdy.mesh @mesh = <["x"={size}, "y"={size}]>
    func.func @main(
      %a: tensor<{size}x{size}xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{"y"}}]>}},
      %b: tensor<{size}x8xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"y"}}, {{}}]>}})
      -> tensor<{size}x8xf32> {{
      %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
        : (tensor<{size}x{size}xf32>, tensor<{size}x8xf32>) -> tensor<{size}x8xf32>
      return %0 : tensor<{size}x8xf32> }}"""
    made = dxir.load(text).run_passes("dxir-partition")
    assert made.verify().op_counts()["stablehlo.all_reduce"] == 1
    assert len(made.serialize("current")) < 16 * size * size + 4096


def test_axes_that_only_propagation_put_where_they_do_not_divide_are_left_out() -> None:
    text = MESH + (
        'func.func @main(%a: tensor<5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> '
        "tensor<5xf32> {\n  %0 = stablehlo.add %a, %a : tensor<5xf32>\n"
        "  return %0 : tensor<5xf32>\n}"
    )
    told = [(d.severity, d.code) for d in check(text).diagnostics]
    assert told == [("warning", "SHARDING_DROPPED"), ("remark", "SHARDING_DROPPED")]


def test_a_constraint_in_a_loop_that_does_not_divide_is_an_error_at_its_place() -> None:
    body = _LOOP.replace("8x8", "5x5").replace(
        "stablehlo.return %n, %t",
        '%k = sdy.sharding_constraint %t <@mesh, [{"x"}, {}]> : tensor<5x5xf32>\n'
        "stablehlo.return %n, %k",
    )
    text = (
        f"{MESH}func.func @main(%a0: tensor<5x5xf32>, %a1: tensor<5x5xf32>) -> tensor<5x5xf32> "
        f"{{\n{body}\nreturn %r0 : tensor<5x5xf32> }}"
    )
    with pytest.raises(PassError, match=r"dimension 0 \(5\) of the result of 'sdy.sharding_cons"):
        dxir.load(text).run_passes("dxir-partition")


def test_constants_of_complex_numbers_are_divided() -> None:
    text = (
        MESH
        + """
func.func @main(%a: tensor<4xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<4xcomplex<f32>>, tensor<2xcomplex<f32>>) {
  %0 = stablehlo.constant dense<[(1.,2.),(3.,4.),(5.,6.),(7.,8.)]> : tensor<4xcomplex<f32>>
  %1 = stablehlo.constant dense<(1.,2.)> : tensor<4xcomplex<f32>>
  %2 = stablehlo.constant dense<[(1.,2.),(3.,4.)]> : tensor<2xcomplex<f32>>
  %3 = stablehlo.add %0, %a : tensor<4xcomplex<f32>>
  %4 = stablehlo.multiply %1, %3 : tensor<4xcomplex<f32>>
  return %4, %2 : tensor<4xcomplex<f32>>, tensor<2xcomplex<f32>>
}"""
    )
    program = dxir.load(text)
    a = np.arange(4).astype(np.complex64)
    found = run_partitioned(program.run_passes("dxir-partition"), [a])
    added = np.array([1 + 2j, 3 + 4j, 5 + 6j, 7 + 8j])
    np.testing.assert_allclose(found[0], (1 + 2j) * (a + added))
    np.testing.assert_array_equal(found[1], [1 + 2j, 3 + 4j])
    assert "complex" in str(program.run_passes("sdy-propagation-pipeline,dxir-strip-sharding"))
