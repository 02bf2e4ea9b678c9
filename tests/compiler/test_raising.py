"""Modules of any producer as graphs, and back again."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from dxir import ops
from dxir.attributes import DenseArray, RawAttribute, SymbolRef
from dxir.builder import Builder
from dxir.errors import RaisingError
from dxir.fingerprint import fingerprint
from dxir.graph import Function, Module
from dxir.locations import Location, at
from dxir.lowering import lower_module
from dxir.mlir import ir, make_context
from dxir.op import REGISTRY, Composite, Op
from dxir.raising import kinds, raise_module
from dxir.sharding import AxisRef, DimSharding
from dxir.testing.op_checks import example_function
from dxir.types import ALL_DTYPES, DType, bf16, f32

ops.names()
REPORTS = Path(__file__).parents[2] / "examples" / "cases" / "reports.mlir"


def parse(text: str) -> ir.Module:
    return ir.Module.parse(text, make_context())


def raised(text: str) -> Module:
    return raise_module(parse(text))


def assert_round_trip(module: ir.Module) -> Module:
    graph = raise_module(module)
    assert fingerprint(lower_module(graph)) == fingerprint(module)
    return graph


@pytest.mark.parametrize("name", sorted(REGISTRY))
def test_raising_and_lowering_an_op_gives_the_same_program(name: str) -> None:
    cls = REGISTRY[name]
    for example in cls.examples:
        try:
            module = lower_module(Module([example_function(cls, example)]))
        except Exception as error:
            if "not in the StableHLO of this jaxlib" in str(error):
                continue
            raise
        graph = assert_round_trip(module)
        if issubclass(cls, Composite):
            assert [n.op for n in graph["main"].nodes] == [name]


def test_every_operation_of_the_dialects_has_a_class_with_all_of_its_attributes() -> None:
    from jaxlib.mlir.dialects import _chlo_ops_gen, _sdy_ops_gen, _stablehlo_ops_gen

    found = [
        cls
        for generated in (_stablehlo_ops_gen, _chlo_ops_gen, _sdy_ops_gen)
        for cls in vars(generated).values()
        if inspect.isclass(cls) and hasattr(cls, "OPERATION_NAME")
    ]
    made_of_structure = {"stablehlo.return", "sdy.return", "sdy.mesh"}
    missing = {c.OPERATION_NAME for c in found} - set(kinds()) - made_of_structure
    assert not missing
    lost = {
        (cls.OPERATION_NAME, name)
        for cls in found
        if cls.OPERATION_NAME in kinds()
        for name in _attributes(cls)
        if name not in kinds()[cls.OPERATION_NAME].attributes and not name.endswith("SegmentSizes")
    }
    assert not lost


def _attributes(view: Any) -> set[str]:
    sources = [inspect.getsource(p.fget) for p in vars(view).values() if isinstance(p, property)]
    found = [re.search(r'attributes\["([^"]+)"\]', s) for s in sources]
    return {m[1] for m in found if m}


def _patterns(dtype: DType, count: int) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(7)
    if dtype.is_bool:
        return rng.integers(0, 2, count).astype(bool)
    if dtype.is_integer:
        low = 0 if dtype.is_unsigned else -(2 ** (dtype.bits - 1))
        wide = [low + int(n) % 2**dtype.bits for n in rng.integers(0, 2**62, count)]
        return np.array(wide, object).astype(dtype.numpy)
    if dtype.bits < 8:
        return rng.integers(0, 2**dtype.bits, count, np.uint8).view(dtype.numpy)
    return np.frombuffer(rng.bytes(count * dtype.numpy.itemsize), dtype.numpy)


def _bits(array: np.ndarray[Any, Any]) -> bytes:
    dtype = DType.of(array.dtype)
    return (
        array.astype(np.int8).tobytes() if dtype.is_integer and dtype.bits < 8 else array.tobytes()
    )


@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=str)
@pytest.mark.parametrize("shape", [(), (1,), (0, 3), (7,), (3, 100)], ids=str)
def test_constants_come_back_bit_for_bit(dtype: DType, shape: tuple[int, ...]) -> None:
    array = _patterns(dtype, int(np.prod(shape))).reshape(shape)
    builder = Builder("main")
    with builder:
        value = ops.constant(array)
    graph = raise_module(lower_module(Module([builder.build(value)])))
    found = graph["main"].nodes[0].attrs["value"]
    assert found.dtype == array.dtype
    assert found.shape == shape
    assert _bits(found) == _bits(array)
    assert not found.flags.writeable


def test_a_splat_stays_a_splat() -> None:
    graph = raised(
        "func.func @main() -> tensor<1000x1000xcomplex<f32>> {\n"
        "  %0 = stablehlo.constant dense<(1.0, 0x7FC00001)> : tensor<1000x1000xcomplex<f32>>\n"
        "  return %0 : tensor<1000x1000xcomplex<f32>>\n}"
    )
    value = graph["main"].nodes[0].attrs["value"]
    assert value.strides == (0, 0)
    assert value[0, 0].imag.view(np.uint32) == 0x7FC00001


def test_a_resource_with_data_becomes_the_data_and_one_without_is_named() -> None:
    text = (
        "func.func @main() -> tensor<2xf32> {\n"
        "  %0 = stablehlo.constant dense_resource<NAME> : tensor<2xf32>\n"
        "  return %0 : tensor<2xf32>\n}\n"
    )
    section = '{-# dialect_resources: { builtin: { NAME: "0x040000000000803F00000040" } } #-}'
    graph = raised((text + section).replace("NAME", "w"))
    assert graph["main"].nodes[0].attrs["value"].tolist() == [1.0, 2.0]
    with pytest.raises(RaisingError, match=r":2:8: .*'__elided__' is elided\n  hint: export"):
        raised(text.replace("NAME", "__elided__"))


def test_names_and_places_are_kept() -> None:
    graph = raised(
        'func.func @main(%a: tensor<2xf32> loc("x"("m.py":3:4))) -> tensor<2xf32> {\n'
        '  %0 = stablehlo.negate %a : tensor<2xf32> loc(fused["y", "n.py":5:6])\n'
        "  %1 = stablehlo.abs %0 : tensor<2xf32>"
        ' loc("z"(callsite("f"("inner.py":7:8) at "outer.py":9:1)))\n'
        '  return %1 : tensor<2xf32> loc(unknown)\n} loc("m.py":1:1)'
    )
    main = graph["main"]
    assert main.location == Location("m.py", 1, 1)
    assert (main.params[0].name, main.param_locations) == ("x", [Location("m.py", 3, 4)])
    assert (main.nodes[0].name, main.nodes[0].location) == ("y", Location("n.py", 5, 6))
    assert (main.nodes[1].name, main.nodes[1].location) == ("z", Location("inner.py", 7, 8))


def test_what_the_user_called_things_survives_lowering() -> None:
    builder = Builder("main")
    x = builder.param(f32[2], name="weights")
    with at(Location("model.lua", 12)):
        y = ops.tanh(x, name="hidden")
    graph = raise_module(lower_module(Module([builder.build(y)])))
    assert graph["main"].params[0].name == "weights"
    assert graph["main"].nodes[0].name == "hidden"
    assert graph["main"].nodes[0].location == Location("model.lua", 12)


ATTRIBUTES = """\
sdy.mesh @m = <["x"=2, "y"=4]>
func.func @main(
    %a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {"y":(1)2, ?}p1]>, p.q = 1 : i32}
) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>, r.s = "t"})
    attributes {f.g = 2.5 : bf16} {
  %0 = stablehlo.add %a, %a {
    sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}, {?}], replicated={"y"}>]>,
    a.int = 1, a.small = -1 : i4, a.float = 2.0 : f64, a.flag = false, a.unit,
    a.text = "\\C3\\A4", a.bytes = "\\FF", a.nan = 0x7FC00001 : f32,
    a.list = [1 : i8, [dense<(1.0, -0.0)> : tensor<1xcomplex<f32>>]],
    a.dict = {k = tensor<2x?xf32>, l = bf16},
    a.ints = array<i32: 1, 2>, a.dense = dense<[1, 2]> : tensor<2xui8>,
    a.index = 1 : index, a.map = affine_map<(d0) -> (d0)>, a.symbol = @g} : tensor<8x4xf32>
  stablehlo.custom_call @log(%a) {has_side_effect = true, b.c = 3 : ui16} : (tensor<8x4xf32>) -> ()
  return %0 : tensor<8x4xf32>
}
func.func private @g(tensor<?xf32>) -> (tensor<?xf32> {r.s = 1 : i64})
"""


def test_attributes_that_dxir_does_not_know_are_kept_with_their_types() -> None:
    graph = assert_round_trip(
        parse("module @named attributes {m.n = 1 : i64} {\n" + ATTRIBUTES + "}")
    )
    main = graph["main"]
    assert (graph.name, graph.annotations) == ("named", {"m.n": 1})
    assert main.annotations == {"f.g": ml_dtypes.bfloat16(2.5)}
    assert main.param_annotations == [{"p.q": np.int32(1)}]
    assert main.result_annotations == [{"r.s": "t"}]
    found = dict(main.nodes[0].annotations or {})
    complex_array = found["a.list"][1][0]
    assert complex_array.dtype == np.complex64
    assert complex_array.tobytes() == np.array([complex(1, -0.0)], np.complex64).tobytes()
    assert found["a.dense"].dtype == np.uint8
    assert found["a.nan"].view(np.uint32) == 0x7FC00001
    expected = {
        "a.int": 1, "a.small": ml_dtypes.int4(-1), "a.float": 2.0, "a.flag": False, "a.unit": None,
        "a.text": "ä", "a.bytes": b"\xff", "a.ints": DenseArray("i32", (1, 2)),
        "a.index": RawAttribute("1 : index"),
        "a.map": RawAttribute("affine_map<(d0) -> (d0)>"), "a.symbol": SymbolRef("g"),
    }  # fmt: skip
    assert {k: found[k] for k in expected} == expected
    assert found["a.dict"] == {"k": f32[2, "?"], "l": bf16}
    assert main.nodes[1].annotations == {"b.c": np.uint16(3)}
    assert graph["g"].is_external
    assert graph["g"].result_types == (f32["?"],)


def test_shardings_of_parameters_results_and_ops_are_kept() -> None:
    main = raised(ATTRIBUTES)["main"]
    sharding = main.param_shardings[0]
    assert sharding is not None
    assert sharding.mesh.axes == (("x", 2), ("y", 4))
    assert sharding.dims[1] == DimSharding((AxisRef("y", (1, 2)),), open=True, priority=1)
    assert main.result_shardings[0] is not None
    given = main.nodes[0].sharding
    assert given is not None
    assert given[0] is not None
    assert given[0].replicated == (AxisRef("y"),)


def test_a_mesh_written_inline_stays_inline() -> None:
    graph = assert_round_trip(
        parse(
            "func.func @main(%a: tensor<4xf32> "
            '{sdy.sharding = #sdy.sharding<mesh<["x"=2]>, [{"x"}]>})'
            " -> tensor<4xf32> {\n  return %a : tensor<4xf32>\n}"
        )
    )
    assert graph.meshes == ()


def _silu(cast: str = "") -> str:
    return (
        "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
        '  %0 = stablehlo.composite "NAME" %a {ATTRSdecomposition = @d, version = 1 : i32}'
        " : (tensor<2xf32>) -> tensor<2xf32>\n"
        '  %1 = stablehlo.composite "NAME" %0 {ATTRSdecomposition = @d, version = 1 : i32}'
        " : (tensor<2xf32>) -> tensor<2xf32>\n"
        "  return %1 : tensor<2xf32>\n}\n"
        "func.func private @d(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
        "  %0 = stablehlo.logistic %a : tensor<2xf32>\n"
        f"  %1 = stablehlo.multiply %a, %0 : tensor<2xf32>\n{cast}"
        "  return %1 : tensor<2xf32>\n}\n"
    ).replace("ATTRS", "")


def test_a_composite_that_decomposes_as_an_op_of_dxir_is_that_op() -> None:
    graph = raised(_silu().replace("NAME", "dxir.silu"))
    assert [n.op for n in graph["main"].nodes] == ["silu", "silu"]
    assert [f.name for f in graph.functions] == ["main"]


@pytest.mark.parametrize(
    ("name", "extra"),
    [
        ("dxir.silu", "  %2 = stablehlo.abs %1 : tensor<2xf32>\n"),
        ("dxir.relu", ""),
        ("dxir.nothing", ""),
        ("other.silu", ""),
    ],
)
def test_any_other_composite_keeps_its_decomposition(name: str, extra: str) -> None:
    graph = assert_round_trip(parse(_silu(extra).replace("NAME", name)))
    first, second = graph["main"].nodes
    assert first.op == second.op == "composite"
    assert first.attrs["composite_name"] == name
    assert first.attrs["decomposition"] is second.attrs["decomposition"] is graph["d"]


def test_composites_inside_composites_are_found() -> None:
    builder = Builder("main")
    x = builder.param(f32[2, 3])
    loss = ops.cross_entropy(x, np.array([0, 2], np.int32), reduction="mean")
    module = lower_module(Module([builder.build(loss)]))
    assert str(module).count("stablehlo.composite") > 1
    graph = assert_round_trip(module)
    assert [n.op for n in graph["main"].nodes] == ["constant", "cross_entropy"]
    assert len(graph.functions) == 1


def test_calls_share_their_function() -> None:
    graph = assert_round_trip(
        parse(
            "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n"
            "  %0 = call @f(%a) : (tensor<f32>) -> tensor<f32>\n"
            "  %1 = call @f(%0) : (tensor<f32>) -> tensor<f32>\n"
            "  return %1 : tensor<f32>\n}\n"
            "func.func private @f(%a: tensor<f32>) -> tensor<f32> {\n  return %a : tensor<f32>\n}"
        )
    )
    first, second = graph["main"].nodes
    assert first.attrs["callee"] is second.attrs["callee"] is graph["f"]
    assert not graph["f"].public


def test_regions_capture_values_of_the_function_around_them() -> None:
    graph = assert_round_trip(
        parse(
            "func.func @main(%p: tensor<i1>, %a: tensor<f32>) -> tensor<f32> {\n"
            "  %b = stablehlo.negate %a : tensor<f32>\n"
            '  %0 = "stablehlo.if"(%p) ({\n    stablehlo.return %b : tensor<f32>\n  }, {\n'
            "    %1 = stablehlo.add %a, %b : tensor<f32>\n    stablehlo.return %1 : tensor<f32>\n"
            "  }) : (tensor<i1>) -> tensor<f32>\n  return %0 : tensor<f32>\n}"
        )
    )
    main = graph["main"]
    inner = main.nodes[1].regions[1]
    assert inner.parent is main
    assert inner.nodes[0].operands == (main.params[1], main.nodes[0].results[0])


def test_dead_ops_are_kept() -> None:
    graph = raised(
        "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n"
        "  %0 = stablehlo.negate %a : tensor<f32>\n  return %a : tensor<f32>\n}"
    )
    assert [n.op for n in graph["main"].nodes] == ["neg"]


def test_ops_of_other_dialects_are_refused_with_their_place() -> None:
    with pytest.raises(RaisingError, match=r":2:\d+: arith.constant has no counterpart") as error:
        raised("func.func @main() {\n  %0 = arith.constant 1 : i32\n  return\n}")
    assert "stablehlo" in str(error.value.hint)
    with pytest.raises(RaisingError, match="shape-legalize-to-stablehlo"):
        raised(
            "func.func @main(%a: tensor<2xf32>) {\n"
            "  %0 = shape.shape_of %a : tensor<2xf32> -> tensor<1xindex>\n  return\n}"
        )


def test_branches_between_blocks_are_refused() -> None:
    with pytest.raises(RaisingError, match="@main has branches between blocks"):
        raised("func.func @main() {\n  cf.br ^bb1\n^bb1:\n  return\n}")


def test_types_without_a_counterpart_are_refused_with_the_op() -> None:
    with pytest.raises(RaisingError, match=r"<text>:1:1: func.func: .*i32"):
        raised("func.func @main(%a: i32) {\n  return\n}")


def _nested(depth: int) -> str:
    opened = '%0 = "stablehlo.if"(%p) ({\n' * depth
    closed = "stablehlo.return\n}, {\n  stablehlo.return\n}) : (tensor<i1>) -> ()\n" * depth
    return f"func.func @main(%p: tensor<i1>) {{\n{opened.replace('%0 = ', '')}{closed}return\n}}"


def test_deep_nesting_ends_in_an_error() -> None:
    assert len(raised(_nested(100))["main"].nodes) == 1
    with pytest.raises(RaisingError, match="nested"):
        raised(_nested(300))


@pytest.mark.filterwarnings("ignore:dimension 0")
@pytest.mark.parametrize(
    "text",
    REPORTS.read_text(encoding="utf-8").split("// -----")[1:],
    ids=lambda text: text.strip().splitlines()[0].removeprefix("// "),
)
def test_the_module_of_a_public_report_round_trips(text: str) -> None:
    # dxir ends functions with func.return, which some producers do not.
    assert_round_trip(parse(re.sub(r"\n  stablehlo\.return", "\n  func.return", text)))


def test_raising_does_not_infer_what_the_module_says() -> None:
    graph = raised(
        "func.func @main(%a: tensor<?xf32>, %b: tensor<3xf32>) -> tensor<?xf32> {\n"
        "  %0 = stablehlo.add %a, %b : (tensor<?xf32>, tensor<3xf32>) -> tensor<?xf32>\n"
        "  return %0 : tensor<?xf32>\n}"
    )
    assert graph["main"].result_types == (f32["?"],)


def test_an_absent_flag_is_false_whatever_calls_of_the_op_have_for_it() -> None:
    graph = raised(
        "func.func @main(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {\n"
        "  %0 = stablehlo.cholesky %a : tensor<2x2xf32>\n"
        "  return %0 : tensor<2x2xf32>\n}"
    )
    assert "{lower_triangle=False}" in str(graph)


def test_a_program_can_be_raised_again_and_again() -> None:
    function: Function = example_function(REGISTRY["softmax"], REGISTRY["softmax"].examples[0])
    first = lower_module(Module([function]))
    second = lower_module(raise_module(first))
    assert str(lower_module(raise_module(second))) == str(second)


def test_every_node_belongs_to_a_class() -> None:
    graph = raised(ATTRIBUTES)
    assert all(isinstance(n, Op) for n in graph["main"].nodes)
