"""Public reports of rewrites that changed values, and of kinds of numbers that rewrites get wrong.

Each module is tried as it is, and as a private function that a branch calls. Ids name the reports.
"""

# ruff: noqa: E501  (MLIR text)

import importlib.util
import json
import re
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import errors
from dxir.program import Program
from dxir.testing.op_checks import flush_subnormals, hostile, ordinary

Array = np.ndarray[Any, Any]

PIPELINES = (
    "dxir-simplify",
    "dxir-fold",
    "canonicalize",
    "dxir-fold,dxir-simplify,dxir-fold,dxir-dce,dxir-share-constants,cse,canonicalize",
)
NAN, INF, LOW = "0x7FC00000", "0x7F800000", "0xFF800000"
MODULES: dict[str, str] = {}


def module(name: str, params: dict[str, str], body: str, **results: str) -> None:
    """Add a module: parameters and results by name, with `2x3xf32` for the type of a tensor."""
    given = ", ".join(f"%{p}: tensor<{t}>" for p, t in params.items())
    types = ", ".join(f"tensor<{t}>" for t in results.values())
    names = ", ".join(f"%{r}" for r in results)
    MODULES[name] = (
        f"func.func @main({given}) -> ({types}) {{\n{body}\nreturn {names} : {types}\n}}"
    )


def splat(name: str, value: str, type: str) -> str:
    return f"%{name} = stablehlo.constant dense<{value}> : tensor<{type}>\n"


def called(text: str) -> str:
    """The module with its computation in a private function, which both ways of a branch call."""
    found = re.fullmatch(r"func\.func @main\((.*?)\) -> \((.*?)\) \{(.*)\}", text, flags=re.S)
    assert found is not None
    params, results, body = found.groups()
    names, types = (", ".join(re.findall(p, params)) for p in (r"%\w+", r"tensor<[^>]*>"))
    count = results.count("tensor<")
    values = ", ".join(f"%r#{i}" for i in range(count))
    call = f"%r:{count} = func.call @work({names}) : ({types}) -> ({results})\nstablehlo.return {values} : {results}"
    return f"""func.func @main({", ".join(filter(None, ["%take: tensor<i1>", params]))}) -> ({results}) {{
  %r:{count} = "stablehlo.if"(%take) ({{ {call} }}, {{ {call} }}) : (tensor<i1>) -> ({results})
  return {values} : {results}
}}
func.func private @work({params}) -> ({results}) {{{body}}}"""


for element, constants in {
    "i1": ("true", "false"),
    "i4": ("1", "-1", "-8"),
    "i8": ("1", "-1", "127"),
    "ui8": ("1", "255"),
    "i32": ("1", "-1", "[1, -1, 0, 1, 1, 255]"),
    "ui64": ("1", "18446744073709551615"),
}.items():
    t = f"6x{element}"
    for constant in constants:
        lines = splat("c", constant, t)
        for i, op in enumerate(("and", "or", "xor")):
            lines += f"%{i} = stablehlo.{op} %x, %c : tensor<{t}>\n"
            lines += f"%{i + 3} = stablehlo.{op} %c, %x : tensor<{t}>\n"
        lines += f"%n = stablehlo.not %x : tensor<{t}>\n%6 = stablehlo.and %x, %n : tensor<{t}>\n"
        lines += f"%7 = stablehlo.or %0, %c : tensor<{t}>"
        module(
            f"stablehlo#2633 {element} {constant}", {"x": t}, lines, **dict.fromkeys("01234567", t)
        )

for element, (left, right) in product(
    ("f32", "i32"), (("102", "102"), ("102", "210"), ("210", "120"), ("012", "201"))
):
    shapes = []
    for order in (left, right):
        sizes = {int(axis): size for axis, size in zip(order, "232", strict=True)}
        shapes.append("x".join(sizes[axis] for axis in range(3)) + f"x{element}")
    a, b, t = *shapes, f"2x3x2x{element}"
    module(
        f"Enzyme-JAX#2631 {element} {left} {right}",
        {"a": a, "b": b},
        f"""{splat("z", "0" if element == "i32" else "0.0", element)}
%0 = stablehlo.transpose %a, dims = [{", ".join(left)}] : (tensor<{a}>) -> tensor<{t}>
%1 = stablehlo.transpose %b, dims = [{", ".join(right)}] : (tensor<{b}>) -> tensor<{t}>
%2 = stablehlo.multiply %0, %1 : tensor<{t}>
%3 = stablehlo.reduce(%2 init: %z) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<{t}>, tensor<{element}>) -> tensor<{element}>
%4 = stablehlo.reduce(%2 init: %z) applies stablehlo.maximum across dimensions = [1] : (tensor<{t}>, tensor<{element}>) -> tensor<2x2x{element}>""",
        **{"2": t, "3": element, "4": f"2x2x{element}"},
    )

for first, second in product(((2, 0), (0, 1), (1, 2)), ((0, 1, 2), (1, 0, 3), (3, 2, 1))):
    inner, outer = [1, 5, 6], [7] * 4
    for axis, size in zip(first, (2, 3), strict=True):
        inner[axis] = size
    for axis, size in zip(second, inner, strict=True):
        outer[axis] = size if size > 1 else 4
    i, o = ("x".join(map(str, sizes)) + "xbf16" for sizes in (inner, outer))
    module(
        f"Enzyme-JAX#1796 {first} {second}",
        {"x": "2x3xbf16"},
        f"""%0 = stablehlo.broadcast_in_dim %x, dims = {list(first)} : (tensor<2x3xbf16>) -> tensor<{i}>
%1 = stablehlo.broadcast_in_dim %0, dims = {list(second)} : (tensor<{i}>) -> tensor<{o}>""",
        **{"1": o},
    )

for init, op in product(("-0.0", "0.0", "7.0", NAN, LOW), ("add", "maximum")):
    module(
        f"stablehlo#1662 {op} {init}",
        {"x": "1x3xf32", "e": "0xf32", "y": "4xf32"},
        f"""{splat("k", init, "f32")}
%0 = stablehlo.reduce(%x init: %k) applies stablehlo.{op} across dimensions = [0] : (tensor<1x3xf32>, tensor<f32>) -> tensor<3xf32>
%1 = stablehlo.reduce(%e init: %k) applies stablehlo.{op} across dimensions = [0] : (tensor<0xf32>, tensor<f32>) -> tensor<f32>
%2 = "stablehlo.reduce_window"(%y, %k) <{{window_dimensions = array<i64: 3>, padding = dense<[[2, 0]]> : tensor<1x2xi64>}}> ({{
 ^bb0(%a: tensor<f32>, %b: tensor<f32>):
  %c = stablehlo.{op} %a, %b : tensor<f32>
  stablehlo.return %c : tensor<f32> }}) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>""",
        **{"0": "3xf32", "1": "f32", "2": "4xf32"},
    )

for element, divisors in {
    "i8": ("1", "-1", "2", "-128", "0"),
    "i32": ("4", "-7"),
    "ui8": ("1", "2", "0"),
}.items():
    t = f"6x{element}"
    numbers = "[-7, 7, -128, 127, 0, 1]" if element[0] == "i" else "[7, 250, 255, 1, 0, 2]"
    for divisor in divisors:
        lines = splat("c", divisor, t) + splat("k", numbers, t)
        # XLA of jaxlib 0.10.2 ends the process on a constant that is divided by a constant 0.
        over = "%x" if divisor == "0" else "%k"
        for i, op in enumerate(("divide", "remainder")):
            lines += f"%{i} = stablehlo.{op} %x, %c : tensor<{t}>\n"
            lines += f"%{i + 2} = stablehlo.{op} {over}, %c : tensor<{t}>\n"
        lines += (
            f"%4 = stablehlo.multiply %0, %c : tensor<{t}>\n%5 = stablehlo.add %4, %1 : tensor<{t}>"
        )
        module(
            f"stablehlo-coreml#70 {element} {divisor}",
            {"x": t},
            lines,
            **dict.fromkeys("012345", t),
        )

for element, width in (("ui32", 32), ("i8", 8), ("ui64", 64)):
    t = f"6x{element}"
    for count in (0, 1, width - 1, width):
        module(
            f"iree#24929 {element} by {count}",
            {"x": t},
            f"""{splat("n", str(count), t)} {splat("w", str(width), t)}
%m = stablehlo.subtract %w, %n : tensor<{t}>
%0 = stablehlo.shift_left %x, %n : tensor<{t}>
%1 = stablehlo.shift_right_logical %x, %m : tensor<{t}>
%2 = stablehlo.or %0, %1 : tensor<{t}>
%3 = stablehlo.shift_right_arithmetic %x, %n : tensor<{t}>
%4 = stablehlo.shift_right_logical %0, %n : tensor<{t}>""",
            **dict.fromkeys("01234", t),
        )

for element, start in (("i32", "3"), ("i8", "-2"), ("i64", "100")):
    module(
        f"tt-mlir#9211 slices from {start}",
        {"x": "4xi32", "u": "3xi32"},
        f"""{splat("i", start, element)} {splat("k", "[5, 6, 7, 8]", "4xi32")} {splat("v", "[1, 2, 3]", "3xi32")}
%0 = stablehlo.dynamic_slice %x, %i, sizes = [3] : (tensor<4xi32>, tensor<{element}>) -> tensor<3xi32>
%1 = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<4xi32>, tensor<3xi32>, tensor<{element}>) -> tensor<4xi32>
%2 = stablehlo.dynamic_slice %k, %i, sizes = [3] : (tensor<4xi32>, tensor<{element}>) -> tensor<3xi32>
%3 = stablehlo.dynamic_update_slice %k, %v, %i : (tensor<4xi32>, tensor<3xi32>, tensor<{element}>) -> tensor<4xi32>""",
        **{"0": "3xi32", "1": "4xi32", "2": "3xi32", "3": "4xi32"},
    )

module(
    "tensorflow#119438 top_k of constants",
    {"x": "6xf32"},
    f"""{splat("c", f"[1.0, {NAN}, 3.0, 3.0, 2.0, {INF}]", "6xf32")}
%0, %1 = chlo.top_k(%c, k = 4) : tensor<6xf32> -> (tensor<4xf32>, tensor<4xi32>)
%2, %3 = chlo.top_k(%x, k = 4) : tensor<6xf32> -> (tensor<4xf32>, tensor<4xi32>)""",
    **{"0": "4xf32", "1": "4xi32", "2": "4xf32", "3": "4xi32"},
)
module(
    "tt-metal#45968 both variances",
    {"x": "4xf32"},
    f"""{splat("z", "0.0", "f32")} {splat("n", "4.0", "f32")}
%q = stablehlo.multiply %x, %x : tensor<4xf32>
%s = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
%t = stablehlo.reduce(%q init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
%m = stablehlo.divide %s, %n : tensor<f32>
%e = stablehlo.divide %t, %n : tensor<f32>
%mm = stablehlo.multiply %m, %m : tensor<f32>
%0 = stablehlo.subtract %e, %mm : tensor<f32>
%b = stablehlo.broadcast_in_dim %m, dims = [] : (tensor<f32>) -> tensor<4xf32>
%c = stablehlo.subtract %x, %b : tensor<4xf32>
%cc = stablehlo.multiply %c, %c : tensor<4xf32>
%u = stablehlo.reduce(%cc init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
%1 = stablehlo.divide %u, %n : tensor<f32>""",
    **{"0": "f32", "1": "f32"},
)
module(
    "jax#6811 a guarded maximum",
    {"x": "4xf32"},
    f"""{splat("low", LOW, "f32")} {splat("z", "0.0", "f32")}
%m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
%f = stablehlo.is_finite %m : (tensor<f32>) -> tensor<i1>
%g = stablehlo.select %f, %m, %z : tensor<i1>, tensor<f32>
%b = stablehlo.broadcast_in_dim %g, dims = [] : (tensor<f32>) -> tensor<4xf32>
%0 = stablehlo.subtract %x, %b : tensor<4xf32>
%1 = stablehlo.subtract %0, %0 : tensor<4xf32>""",
    **{"0": "4xf32", "1": "4xf32"},
)


def same(found: Any, wanted: Any) -> bool:
    """Whether all bits are the same but those of a NaN, of which there are many."""
    a, b = np.asarray(found), np.asarray(wanted)
    if (a.dtype, a.shape) != (b.dtype, b.shape):
        return False
    if a.dtype.name.startswith(("int", "uint", "bool")):
        return bool(np.array_equal(a, b))
    a, b = a.astype(np.float64), b.astype(np.float64)
    return bool(np.all((np.isnan(a) & np.isnan(b)) | ((a == b) & (np.signbit(a) == np.signbit(b)))))


def results(found: Any) -> tuple[Any, ...]:
    return found if isinstance(found, tuple) else (found,)


def is_whole(text: str) -> bool:
    """Whether a module computes in integers, or moves elements only: XLA does not round then."""
    return not re.search(r"\b(add|subtract|multiply|divide)\b.*f32", text)


@pytest.mark.parametrize("nested", [False, True], ids=["plain", "called"])
@pytest.mark.parametrize("name", MODULES)
def test_a_rewritten_module_has_the_values_it_had(name: str, nested: bool) -> None:
    text = called(MODULES[name]) if nested else MODULES[name]
    program, rng = dxir.load(text).verify(), np.random.default_rng(11)
    graph = program.raise_()
    params = next(f for f in graph.functions if f.name == "main").params
    given = [[make(p.type, rng) for p in params] for make in (ordinary, hostile, hostile)]
    wanted = [results(dxir.evaluate(graph, *arguments)) for arguments in given]
    tried = {str(program)}
    for pipeline in PIPELINES:
        after = program.run_passes(pipeline).verify()
        assert str(after.run_passes(pipeline)) == str(after)
        if str(after) in tried:
            continue
        tried.add(str(after))
        for arguments, right in zip(given, wanted, strict=True):
            found = results(dxir.evaluate(after.raise_(), *arguments))
            assert all(map(same, found, right)), (pipeline, arguments, found, right)
    if is_whole(text) and not nested and len(tried) > 1:
        compiled = dxir.compile(after)
        for arguments, right in zip(given, wanted, strict=True):
            found = results(compiled(*arguments))
            flushed = [map(flush_subnormals, values) for values in (found, right)]
            assert all(map(same, *flushed)), (arguments, found, right)


SHARDED = """sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<2xf32> {
  %0 = call @g(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @g(tensor<2xf32>) -> tensor<2xf32>
"""


@pytest.mark.parametrize("method", ["serialize", "minimum_version"], ids="xla#47398 {}".format)
def test_a_program_with_shardings_is_not_written_while_a_function_has_no_body(method: str) -> None:
    with pytest.raises(errors.ArtifactError, match="@g has no body") as error:
        getattr(dxir.load(SHARDED), method)()
    assert error.value.where == "<text>:6:1"
    kept = dxir.load(dxir.load(SHARDED).serialize(keep_chlo=True), trusted=True)
    assert kept.op_counts()["func.call"] == 1


@pytest.mark.parametrize("called", ["func.call", "stablehlo.composite"], ids="iree#14837 {}".format)
def test_inlining_a_function_that_ends_in_the_wrong_return_leaves_the_process_alive(
    called: str,
) -> None:
    call = (
        "func.call @g(%a)"
        if called == "func.call"
        else 'stablehlo.composite "my.g" %a {decomposition = @g}'
    )
    program = dxir.load(f"""func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {{
  %0 = {call} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}}
func.func private @g(%a: tensor<2xf32>) -> tensor<2xf32> {{
  %0 = stablehlo.abs %a : tensor<2xf32>
  stablehlo.return %0 : tensor<2xf32>
}}""")
    assert program.decompose().verify().op_counts()["stablehlo.abs"] == 1
    if called == "func.call":
        with pytest.raises(errors.PassError, match="ended its process") as error:
            program.run_passes("inline")
        assert "@g, which ends in stablehlo.return" in (error.value.hint or "")


EXAMPLE = Path(__file__).parents[2] / "examples" / "llama_decoder.py"
STEPS = [
    *("dxir-decompose", "dxir-simplify", "dxir-fold", "dxir-dce", "dxir-share-constants"),
    *("cse", "canonicalize"),
]
Decoder = tuple[Program, list[Array], dict[str, Any]]


@pytest.fixture(scope="module")
def decoder() -> Decoder:
    """The Llama decoder layer, its arguments, and what is stated of its loss."""
    spec = importlib.util.spec_from_file_location("llama_decoder", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    case = json.loads(example.CASE.read_text())
    sizes, params = case["configs"]["tiny"], case["params"]
    program = dxir.lower(example.decoder_layer(sizes, params))
    return program, example.decoder_inputs(sizes, params), case["expected"]["tiny"]


@pytest.mark.parametrize(
    ("order", "composites"),
    [
        (STEPS, 0),
        (STEPS[::-1], 0),
        (["cse", *STEPS[3:5], *STEPS[:3], "canonicalize", "dxir-dce"], 0),
        (STEPS[1:], 3),
        (["dxir-decompose{keep=dxir.softmax}", *STEPS[1:]], 2),
        (["dxir-decompose{keep=dxir.softmax,dxir.silu}", *STEPS[1:]], 3),
    ],
    ids=["in order", "reversed", "mixed", "not expanded", "softmax kept", "all kept"],
)
def test_the_loss_of_the_decoder_layer_is_the_same_whatever_passes_run(
    decoder: Decoder, order: list[str], composites: int
) -> None:
    program, arrays, stated = decoder
    after = program.run_passes(order).verify()
    counts, before = after.op_counts(), program.op_counts()
    assert counts.get("stablehlo.composite", 0) == composites
    assert sum(counts.values()) <= sum(before.values())
    assert counts["stablehlo.dot_general"] == before["stablehlo.dot_general"]
    assert dxir.evaluate(after.raise_(), *arrays) == dxir.evaluate(program.raise_(), *arrays)
    loss = float(np.asarray(dxir.compile(after)(*arrays)))
    assert loss == pytest.approx(stated["loss_f64"], rel=stated["rtol_f32"])
    again = after.run_passes(order)
    assert str(again.run_passes(order)) == str(again)
    if order[0] == "dxir-decompose" or composites:
        assert str(again) == str(after)
