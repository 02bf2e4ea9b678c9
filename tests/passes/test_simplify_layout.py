"""Layout rules: the same bits come out, by fewer moves, and a second run finds nothing to do."""

import re
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
import pytest

import dxir
from dxir.passes.rewrites import layout
from dxir.pipeline.base import PASSES, Pass
from dxir.pipeline.rewriting import apply_rules
from dxir.reading import functions

Array = np.ndarray[Any, Any]

HOSTILE = [np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-45, -1e-45, 3.4e38, -3.4e38, 1.0, -1.0]
NUMPY = {"f32": np.float32, "i32": np.int32, "bf16": ml_dtypes.bfloat16, "i1": np.bool_}


class Case(NamedTuple):
    """Types of parameters, ops up to `%r`, its type, and the ops that are left of them."""

    params: str
    body: str
    result: str
    left: str


CASES = {
    "transpose of transpose": Case(
        "2x3x4xf32",
        """%0 = stablehlo.transpose %a, dims = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
        %r = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<3x4x2xf32>) -> tensor<4x3x2xf32>""",
        "4x3x2xf32",
        "transpose",
    ),
    "transpose of ones": Case(
        "1x6x1xf32",
        "%r = stablehlo.transpose %a, dims = [1, 2, 0] : (tensor<1x6x1xf32>) -> tensor<6x1x1xf32>",
        "6x1x1xf32",
        "reshape",
    ),
    "transpose of broadcast": Case(
        "2x3xbf16",
        """%0 = stablehlo.broadcast_in_dim %a, dims = [0, 2]
            : (tensor<2x3xbf16>) -> tensor<2x4x3xbf16>
        %r = stablehlo.transpose %0, dims = [2, 0, 1]
            : (tensor<2x4x3xbf16>) -> tensor<3x2x4xbf16>""",
        "3x2x4xbf16",
        "broadcast_in_dim",
    ),
    "transpose of iota": Case(
        "2xf32",
        """%0 = stablehlo.iota dim = 1 : tensor<2x3xf32>
        %r = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>""",
        "3x2xf32",
        "iota",
    ),
    "reshape of an empty tensor": Case(
        "0x3xf32",
        """%0 = stablehlo.reshape %a : (tensor<0x3xf32>) -> tensor<3x0xf32>
        %r = stablehlo.reshape %0 : (tensor<3x0xf32>) -> tensor<0x3xf32>""",
        "0x3xf32",
        "",
    ),
    "reshape of broadcast": Case(
        "4x1xf32",
        """%0 = stablehlo.broadcast_in_dim %a, dims = [2, 1]
            : (tensor<4x1xf32>) -> tensor<6x5x4xf32>
        %r = stablehlo.reshape %0 : (tensor<6x5x4xf32>) -> tensor<3x1x10x4xf32>""",
        "3x1x10x4xf32",
        "broadcast_in_dim",
    ),
    "reshape through a broadcast dimension": Case(
        "4xf32",
        """%0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>
        %r = stablehlo.reshape %0 : (tensor<3x4xf32>) -> tensor<12xf32>""",
        "12xf32",
        "broadcast_in_dim reshape",
    ),
    "broadcast of reshape": Case(
        "3x1x4xf32",
        """%0 = stablehlo.reshape %a : (tensor<3x1x4xf32>) -> tensor<1x3x4xf32>
        %r = stablehlo.broadcast_in_dim %0, dims = [0, 2, 3]
            : (tensor<1x3x4xf32>) -> tensor<5x2x3x4xf32>""",
        "5x2x3x4xf32",
        "broadcast_in_dim",
    ),
    "broadcast that transposes": Case(
        "2x3xf32",
        "%r = stablehlo.broadcast_in_dim %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>",
        "3x2xf32",
        "transpose",
    ),
    "slice of slice with strides": Case(
        "11xf32",
        """%0 = stablehlo.slice %a [1:11:3] : (tensor<11xf32>) -> tensor<4xf32>
        %r = stablehlo.slice %0 [1:4:2] : (tensor<4xf32>) -> tensor<2xf32>""",
        "2xf32",
        "slice",
    ),
    "slice of slice that is empty": Case(
        "4xf32",
        """%0 = stablehlo.slice %a [3:4] : (tensor<4xf32>) -> tensor<1xf32>
        %r = stablehlo.slice %0 [1:1:5] : (tensor<1xf32>) -> tensor<0xf32>""",
        "0xf32",
        "slice",
    ),
    "slice over a seam": Case(
        "3xf32,4xf32",
        """%0 = stablehlo.concatenate %a, %b, %a, dim = 0
            : (tensor<3xf32>, tensor<4xf32>, tensor<3xf32>) -> tensor<10xf32>
        %r = stablehlo.slice %0 [4:10:3] : (tensor<10xf32>) -> tensor<2xf32>""",
        "2xf32",
        "concatenate slice",
    ),
    "slice of padding": Case(
        "3xf32",
        """%c = stablehlo.constant dense<-0.0> : tensor<f32>
        %0 = stablehlo.pad %a, %c, low = [4], high = [0], interior = [0]
            : (tensor<3xf32>, tensor<f32>) -> tensor<7xf32>
        %r = stablehlo.slice %0 [1:4] : (tensor<7xf32>) -> tensor<3xf32>""",
        "3xf32",
        "constant",
    ),
    "slice within padding": Case(
        "5x3xf32",
        """%c = stablehlo.constant dense<1.0> : tensor<f32>
        %0 = stablehlo.pad %a, %c, low = [-1, 0], high = [2, 0], interior = [0, 1]
            : (tensor<5x3xf32>, tensor<f32>) -> tensor<6x5xf32>
        %r = stablehlo.slice %0 [0:4, 0:5:2] : (tensor<6x5xf32>) -> tensor<4x3xf32>""",
        "4x3xf32",
        "slice",
    ),
    "slice of broadcast": Case(
        "4x1xf32",
        """%0 = stablehlo.broadcast_in_dim %a, dims = [1, 2]
            : (tensor<4x1xf32>) -> tensor<9x4x5xf32>
        %r = stablehlo.slice %0 [1:9:4, 1:4:2, 0:2] : (tensor<9x4x5xf32>) -> tensor<2x2x2xf32>""",
        "2x2x2xf32",
        "broadcast_in_dim slice",
    ),
    "concatenate of all": Case(
        "4x2xf32,0x2xf32",
        """%0 = stablehlo.slice %a [0:1, 0:2] : (tensor<4x2xf32>) -> tensor<1x2xf32>
        %1 = stablehlo.slice %a [1:3, 0:2] : (tensor<4x2xf32>) -> tensor<2x2xf32>
        %2 = stablehlo.slice %a [3:4, 0:2] : (tensor<4x2xf32>) -> tensor<1x2xf32>
        %3 = stablehlo.concatenate %0, %b, %1, dim = 0
            : (tensor<1x2xf32>, tensor<0x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
        %r = stablehlo.concatenate %3, %2, dim = 0
            : (tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<4x2xf32>""",
        "4x2xf32",
        "",
    ),
    "concatenate of other rows": Case(
        "4x2xf32",
        """%0 = stablehlo.slice %a [0:2, 0:1] : (tensor<4x2xf32>) -> tensor<2x1xf32>
        %1 = stablehlo.slice %a [2:4, 1:2] : (tensor<4x2xf32>) -> tensor<2x1xf32>
        %r = stablehlo.concatenate %0, %1, dim = 0
            : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<4x1xf32>""",
        "4x1xf32",
        "concatenate slice slice",
    ),
    "pad of pad": Case(
        "3xf32",
        """%c = stablehlo.constant dense<0.0> : tensor<f32>
        %d = stablehlo.constant dense<0.0> : tensor<f32>
        %0 = stablehlo.pad %a, %c, low = [1], high = [0], interior = [2]
            : (tensor<3xf32>, tensor<f32>) -> tensor<8xf32>
        %r = stablehlo.pad %0, %d, low = [1], high = [2], interior = [0]
            : (tensor<8xf32>, tensor<f32>) -> tensor<11xf32>""",
        "11xf32",
        "constant pad",
    ),
    "pad of pad with another zero": Case(
        "3xf32",
        """%c = stablehlo.constant dense<0.0> : tensor<f32>
        %d = stablehlo.constant dense<-0.0> : tensor<f32>
        %0 = stablehlo.pad %a, %c, low = [1], high = [0], interior = [0]
            : (tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
        %r = stablehlo.pad %0, %d, low = [1], high = [2], interior = [0]
            : (tensor<4xf32>, tensor<f32>) -> tensor<7xf32>""",
        "7xf32",
        "constant constant pad pad",
    ),
    "pad of what was cut off": Case(
        "3xf32",
        """%c = stablehlo.constant dense<0.0> : tensor<f32>
        %0 = stablehlo.pad %a, %c, low = [-1], high = [1], interior = [0]
            : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
        %r = stablehlo.pad %0, %c, low = [1], high = [0], interior = [0]
            : (tensor<3xf32>, tensor<f32>) -> tensor<4xf32>""",
        "4xf32",
        "constant pad pad",
    ),
    "pad that only cuts": Case(
        "5xi32",
        """%c = stablehlo.constant dense<7> : tensor<i32>
        %r = stablehlo.pad %a, %c, low = [-1], high = [-2], interior = [0]
            : (tensor<5xi32>, tensor<i32>) -> tensor<2xi32>""",
        "2xi32",
        "slice",
    ),
    "reverse of reverse": Case(
        "2x3x1xf32",
        """%0 = stablehlo.reverse %a, dims = [0, 2] : tensor<2x3x1xf32>
        %r = stablehlo.reverse %0, dims = [0, 1] : tensor<2x3x1xf32>""",
        "2x3x1xf32",
        "reverse",
    ),
    "reverse of broadcast": Case(
        "3xf32",
        """%0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
        %r = stablehlo.reverse %0, dims = [0] : tensor<4x3xf32>""",
        "4x3xf32",
        "broadcast_in_dim",
    ),
    "dynamic slice out of bounds": Case(
        "4x3xf32,i32",
        """%c = stablehlo.constant dense<-2147483648> : tensor<i32>
        %r = stablehlo.dynamic_slice %a, %c, %b, sizes = [2, 3]
            : (tensor<4x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>""",
        "2x3xf32",
        "slice",
    ),
    "dynamic slice that moves": Case(
        "4xf32,i32",
        """%r = stablehlo.dynamic_slice %a, %b, sizes = [2]
            : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>""",
        "2xf32",
        "dynamic_slice",
    ),
    "update of all": Case(
        "4xf32,4xf32,i32",
        """%r = stablehlo.dynamic_update_slice %a, %b, %c
            : (tensor<4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<4xf32>""",
        "4xf32",
        "",
    ),
    "gather of one window": Case(
        "4x3xf32",
        """%i = stablehlo.constant dense<[5, 1]> : tensor<2xi32>
        %r = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [0],
            collapsed_slice_dims = [1], start_index_map = [0, 1], index_vector_dim = 0>,
            slice_sizes = array<i64: 2, 1>} : (tensor<4x3xf32>, tensor<2xi32>) -> tensor<2xf32>""",
        "2xf32",
        "reshape slice",
    ),
    "gather of every other row": Case(
        "7x3xf32",
        """%i = stablehlo.constant dense<[[1], [3], [5]]> : tensor<3x1xi32>
        %r = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1],
            collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
            slice_sizes = array<i64: 1, 3>}
                : (tensor<7x3xf32>, tensor<3x1xi32>) -> tensor<3x3xf32>""",
        "3x3xf32",
        "slice",
    ),
    "gather that is clamped": Case(
        "4x3xf32",
        """%i = stablehlo.constant dense<[[2], [3], [4]]> : tensor<3x1xi32>
        %r = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1],
            collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
            slice_sizes = array<i64: 1, 3>}
                : (tensor<4x3xf32>, tensor<3x1xi32>) -> tensor<3x3xf32>""",
        "3x3xf32",
        "constant gather",
    ),
    "select between transposes": Case(
        "i1,2x3xf32",
        """%0 = stablehlo.transpose %b, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
        %c = stablehlo.constant dense<-0.0> : tensor<3x2xf32>
        %1 = stablehlo.select %a, %0, %c : tensor<i1>, tensor<3x2xf32>
        %2 = stablehlo.compare LT, %1, %0, TOTALORDER
            : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xi1>
        %r = stablehlo.transpose %2, dims = [1, 0] : (tensor<3x2xi1>) -> tensor<2x3xi1>""",
        "2x3xi1",
        "compare constant select",
    ),
}


class LayoutOnly(Pass, name="test-layout"):
    """The rules of layout and no others."""

    def run(self, module: Any) -> bool:
        return sum(apply_rules(self, f, layout.RULES, fold=False) for f in functions(module)) > 0


del PASSES[LayoutOnly.name]


def text_of(case: Case) -> str:
    params = ", ".join(f"%{chr(97 + i)}: tensor<{t}>" for i, t in enumerate(case.params.split(",")))
    return (
        f"func.func @main({params}) -> tensor<{case.result}> {{\n{case.body}\n"
        f"return %r : tensor<{case.result}>\n}}"
    )


def arrays(case: Case, seed: int, *, whole: bool = False) -> list[Array]:
    """Hostile values; with `whole`, small whole numbers, whose sums have no rounding."""
    random = np.random.default_rng(seed)
    found = []
    for given in case.params.split(","):
        *sizes, element = given.split("x")
        shape = [int(s) for s in sizes]
        dtype = NUMPY[element]
        if whole:
            values = random.integers(-4, 5, shape)
        elif element == "i32":
            values = random.choice([-(2**31), 2**31 - 1, 0, -1, 1, 2], shape)
        else:
            values = random.choice(HOSTILE, shape)
        found.append(np.asarray(values).astype(dtype))
    return found


def check(case: Case, pipeline: Any, *, whole: bool = False) -> dxir.Program:
    before = dxir.load(text_of(case))
    after = before.run_passes(pipeline).verify()
    assert str(after.run_passes(pipeline)) == str(after)
    first, second = dxir.compile(before), dxir.compile(after)
    for seed in range(2):
        given = arrays(case, seed, whole=whole)
        expected, found = np.asarray(first(*given)), np.asarray(second(*given))
        assert found.dtype == expected.dtype
        assert found.shape == expected.shape
        assert found.tobytes() == expected.tobytes()
    return after


def left_of(program: dxir.Program) -> str:
    names = (
        name.removeprefix("stablehlo.")
        for name, count in program.op_counts().items()
        for _ in range(count)
        if name.startswith("stablehlo.")
    )
    return " ".join(sorted(names))


@pytest.mark.parametrize("name", CASES)
def test_the_bits_are_the_same_and_the_moves_fewer(name: str) -> None:
    assert left_of(check(CASES[name], LayoutOnly)) == CASES[name].left


PRODUCTS = [
    # the transposes of both operands, and of the result; batch and contracted dimensions as listed
    ("0x1", "1, 0, 2", "0, 1, 2", "0, 1, 2", "[0] x [0]", "[1] x [1]"),
    ("0x1", "2, 0, 1", "1, 0, 2", "0, 2, 1", "[0] x [0]", "[2] x [1]"),
    ("0x1", "0, 2, 1", "0, 2, 1", "0, 2, 1", "[0] x [0]", "[1] x [2]"),
    ("0x1", "1, 2, 0", "2, 1, 0", "1, 0, 2", "[0] x [0]", "[2] x [2]"),
    ("0x1", "0, 1, 2", "1, 2, 0", "2, 1, 0", "[1] x [2]", "[0] x [0]"),
    ("1x2", "1, 0, 2", "2, 1, 0", "1, 0", "[0, 1] x [0, 1]", "[2] x [2]"),
    ("0x2", "2, 1, 0", "1, 0, 2", "1, 0", "[] x []", "[2, 0] x [0, 1]"),
]


def sized(sizes: list[int]) -> str:
    return "x".join([*map(str, sizes), "f32"])


@pytest.mark.parametrize("product", PRODUCTS, ids=str)
def test_products_of_transposes_have_the_values_of_products_without(product: Any) -> None:
    _, left, right, last, batch, contracted = product
    orders = [[int(d) for d in text.split(",")] for text in (left, right, last)]
    pairs = [[int(d) for d in re.findall(r"\d+", t)] for t in (batch, contracted)]
    sides = [(p[: len(p) // 2], p[len(p) // 2 :]) for p in pairs]
    shapes: list[list[int]] = [[2, 3, 4], [5, 6, 7]]
    for a, b in [*zip(*sides[0], strict=True), *zip(*sides[1], strict=True)]:
        shapes[1][b] = shapes[0][a]
    used = [[*sides[0][i], *sides[1][i]] for i in (0, 1)]
    free = [[s for d, s in enumerate(shapes[i]) if d not in used[i]] for i in (0, 1)]
    result = [*(shapes[0][d] for d in sides[0][0]), *free[0], *free[1]]
    given = [[0] * 3, [0] * 3]
    for side in (0, 1):
        for position, dimension in enumerate(orders[side]):
            given[side][dimension] = shapes[side][position]
    last_order = orders[2] if len(orders[2]) == len(result) else list(range(len(result)))
    final = [result[d] for d in last_order]
    names = [sized(s) for s in (*given, *shapes, result, final)]
    body = f"""%0 = stablehlo.transpose %a, dims = {orders[0]}
        : (tensor<{names[0]}>) -> tensor<{names[2]}>
    %1 = stablehlo.transpose %b, dims = {orders[1]} : (tensor<{names[1]}>) -> tensor<{names[3]}>
    %2 = stablehlo.dot_general %0, %1, batching_dims = {batch}, contracting_dims = {contracted}
        : (tensor<{names[2]}>, tensor<{names[3]}>) -> tensor<{names[4]}>
    %r = stablehlo.transpose %2, dims = {last_order} : (tensor<{names[4]}>) -> tensor<{names[5]}>"""
    case = Case(f"{names[0]},{names[1]}", body, names[5], "")
    after = check(case, LayoutOnly, whole=True)
    assert left_of(after).split().count("transpose") <= 2


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize("order", ["0, 3, 1, 2", "3, 2, 1, 0"])
def test_convolutions_between_transposes_have_the_same_values(groups: int, order: str) -> None:
    dims = [int(d) for d in order.split(",")]
    result = [1, 3, 5, 4]
    final = sized([result[d] for d in dims])
    channels = 2 // groups
    case = Case(
        f"1x2x5x6xf32,4x{channels}x3x3xf32",
        f"""%0 = stablehlo.transpose %a, dims = [0, 2, 3, 1]
            : (tensor<1x2x5x6xf32>) -> tensor<1x5x6x2xf32>
        %1 = stablehlo.transpose %b, dims = [2, 3, 1, 0]
            : (tensor<4x{channels}x3x3xf32>) -> tensor<3x3x{channels}x4xf32>
        %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
            window = {{stride = [2, 1], pad = [[1, 1], [0, 1]], lhs_dilate = [1, 1],
            rhs_dilate = [1, 1]}}
            {{batch_group_count = 1 : i64, feature_group_count = {groups} : i64}}
            : (tensor<1x5x6x2xf32>, tensor<3x3x{channels}x4xf32>) -> tensor<1x3x5x4xf32>
        %r = stablehlo.transpose %2, dims = [{order}] : (tensor<1x3x5x4xf32>) -> tensor<{final}>""",
        final,
        "",
    )
    assert left_of(check(case, LayoutOnly, whole=True)) == "convolution"


@pytest.mark.parametrize(
    ("element", "number"),
    [
        ("f32", "0x7FC00001"), ("f32", "-0.0"), ("bf16", "0xFF80"), ("f16", "1.0e-7"),
        ("f8E4M3FN", "-0.0"), ("i4", "-8"), ("ui8", "255"), ("i64", "-9223372036854775808"),
        ("ui64", "18446744073709551615"), ("i1", "true"),
    ],
)  # fmt: skip
def test_a_constant_of_one_element_keeps_its_bits(element: str, number: str) -> None:
    text = f"""func.func @main() -> (tensor<3x2x{element}>, tensor<0x{element}>) {{
        %0 = stablehlo.constant dense<{number}> : tensor<2x{element}>
        %1 = stablehlo.broadcast_in_dim %0, dims = [1]
            : (tensor<2x{element}>) -> tensor<3x2x{element}>
        %2 = stablehlo.slice %0 [1:1] : (tensor<2x{element}>) -> tensor<0x{element}>
        return %1, %2 : tensor<3x2x{element}>, tensor<0x{element}>
    }}"""
    program = dxir.load(text)
    after = program.run_passes(LayoutOnly)
    assert left_of(after) == "constant constant"
    expected = dxir.load(f"""func.func @main() -> tensor<3x2x{element}> {{
        %0 = stablehlo.constant dense<{number}> : tensor<3x2x{element}>
        return %0 : tensor<3x2x{element}>
    }}""")
    value = re.search(r"dense<.*> : tensor<3x2x.*>", str(expected))
    assert value is not None
    assert value[0] in str(after)


def test_the_sharding_of_a_result_goes_to_what_makes_it_now() -> None:
    sharding = '#sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>'
    text = f"""sdy.mesh @mesh = <["x"=2]>
    func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>)
        -> (tensor<4x2xf32>, tensor<2x3xf32>) {{
        %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
            : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
        %1 = stablehlo.transpose %0, dims = [1, 0] {{sdy.sharding = {sharding}}}
            : (tensor<2x4xf32>) -> tensor<4x2xf32>
        %2 = stablehlo.reshape %a {{sdy.sharding = {sharding}}}
            : (tensor<2x3xf32>) -> tensor<2x3xf32>
        return %1, %2 : tensor<4x2xf32>, tensor<2x3xf32>
    }}"""
    after = dxir.load(text).run_passes(LayoutOnly)
    assert left_of(after) == "dot_general reshape"
    assert str(after).count("sdy.sharding = ") == 2


def test_an_unsigned_index_is_not_negative() -> None:
    # XLA takes a constant index of 255 in ui8 for -1, and one that is passed for what it is.
    after = dxir.load("""func.func @main(%a: tensor<4xf32>) -> tensor<2xf32> {
        %c = stablehlo.constant dense<255> : tensor<ui8>
        %0 = stablehlo.dynamic_slice %a, %c, sizes = [2]
            : (tensor<4xf32>, tensor<ui8>) -> tensor<2xf32>
        return %0 : tensor<2xf32>
    }""").run_passes(LayoutOnly)
    assert "stablehlo.slice %arg0 [2:4]" in str(after)


def test_simplify_holds_the_rules_of_layout() -> None:
    case = CASES["concatenate of all"]
    assert left_of(check(case, "dxir-simplify")) == case.left
