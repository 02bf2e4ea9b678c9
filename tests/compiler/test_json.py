"""Graphs as JSON, out and in; documents of others, well formed and not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dxir import ops
from dxir.attributes import DenseArray, RawAttribute
from dxir.builder import Builder
from dxir.equality import same_attrs, same_structure
from dxir.errors import DxirError, SchemaError
from dxir.evaluation import evaluate
from dxir.graph import Function, Module
from dxir.json_graph import from_json, to_json
from dxir.locations import Location, at
from dxir.lowering import lower_module
from dxir.op import REGISTRY
from dxir.sharding import AxisRef, DimSharding, Mesh, Sharding
from dxir.testing.op_checks import example_function
from dxir.types import Dim, QuantizedType, TensorType, TupleType, bf16, f32, i8, token

ops.names()
DOCS = Path(__file__).parents[2] / "docs" / "json.md"


def mlp() -> Module:
    builder = Builder("main")
    with at(Location("model.lua", 3, 7)):
        x = builder.param(f32[2, 3], name="x", annotations={"a.b": (1, "c")})
        w = ops.constant(np.arange(12, dtype=np.float32).reshape(3, 4))
        y = ops.softmax(ops.matmul(x, w), axis=-1, name="probabilities")
        (total,) = ops.reduce((y,), (np.float32(0),), lambda a, b: a + b, axes=(1,))
        result = builder.build(total)
    return Module([result], name="mlp")


@pytest.mark.parametrize("name", sorted(REGISTRY))
def test_an_op_comes_back_the_same_from_json(name: str) -> None:
    for example in REGISTRY[name].examples:
        module = Module([example_function(REGISTRY[name], example)])
        text = to_json(module)
        found = from_json(text)
        assert to_json(found) == text
        assert same_structure(module["main"], found["main"])


def test_the_same_graph_gives_the_same_bytes() -> None:
    text = to_json(mlp())
    assert text == to_json(mlp()) == to_json(from_json(text)) == to_json(from_json(text.encode()))
    assert text.isascii()
    assert to_json(from_json(to_json(mlp(), indent=2))) == text


def test_a_document_keeps_names_places_and_annotations() -> None:
    module = mlp()
    found = from_json(to_json(module))
    main = found["main"]
    assert found.name == "mlp"
    assert main.params[0].name == "x"
    assert main.param_annotations[0] == {"a.b": (1, "c")}
    assert main.param_locations[0] == Location("model.lua", 3, 7)
    assert main.nodes[2].name == "probabilities"
    assert main.nodes[2].location == Location("model.lua", 3, 7)
    assert str(found) == str(module)
    assert str(lower_module(found)) == str(lower_module(module))


VALUES: dict[str, Any] = {
    "none": None, "flag": True, "int": 7, "long": 2**62, "text": 'ä"\u2028', "bytes": b"\xff\0",
    "nan": float("nan"), "inf": -float("inf"), "zero": -0.0, "tiny": 5e-324, "third": 1 / 3,
    "list": (1, (2.5, "x"), ()), "dict": {"k": {"l": 1}}, "dtype": bf16, "type": f32[2, "n"],
    "token": token, "tuple": TupleType((f32[()], token)), "dim": Dim("n", 8),
    "quantized": QuantizedType(i8, bf16, (0.1, 0.2), (0, -3), 1, -127, 127)[2, 2],
    "scalar": np.int32(-5), "half": ml_dtypes.bfloat16(1.5), "complex": np.complex64(1 - 2j),
    "array": np.array([[1, -8]], ml_dtypes.int4),
    "splat": np.broadcast_to(np.float32(2), (3, 10**6)),
    "empty": np.zeros((0, 3), np.complex128), "bool": np.array([True, False]),
    "payload": np.array([0x7FC00001, 0xFF800000], np.uint32).view(np.float32),
    "dense": DenseArray("i32", (1, 2)), "raw": RawAttribute("#foo<bar>"),
    "axis": AxisRef("x", (1, 2)),
    "sharding": Sharding(Mesh("m", {"x": 4}), DimSharding((AxisRef("x"),), open=True, priority=2)),
    "mesh": Mesh("other", {}, [3]),
}  # fmt: skip


@pytest.mark.parametrize("kind", VALUES)
def test_every_kind_of_value_is_kept_to_the_bit(kind: str) -> None:
    builder = Builder("main")
    function = builder.build(builder.param(f32[2]))
    function.annotations["v"] = VALUES[kind]
    text = to_json(function)
    found = from_json(text)["main"].annotations["v"]
    assert same_attrs(found, VALUES[kind])
    assert to_json(from_json(text)) == text
    assert len(text) < 2000


def test_a_value_without_a_form_in_json_is_an_error() -> None:
    builder = Builder("main")
    function = builder.build(builder.param(f32[2]))
    function.annotations["v"] = object()
    with pytest.raises(SchemaError, match="has no form in JSON"):
        to_json(function)


def test_shardings_meshes_and_declarations_are_kept() -> None:
    mesh = Mesh("m", {"x": 2, "y": 4})
    sharding = Sharding(mesh, "x", DimSharding((AxisRef("y", (1, 2)),), priority=1), replicated=())
    builder = Builder("main")
    x = builder.param(f32[4, 4], sharding=sharding)
    outside = Function("outside", [f32[4, 4]], public=False)
    outside.declare([f32[4, 4], token])
    y, _ = ops.call(outside, ops.tanh(x, sharding=sharding))
    module = Module([builder.build(y, shardings=[sharding])])
    found = from_json(to_json(module))
    main = found["main"]
    assert found.meshes == (mesh,)
    assert main.param_shardings == main.result_shardings == [sharding]
    assert main.nodes[0].sharding == (sharding,)
    assert found["outside"].is_external
    assert found["outside"].result_types == (f32[4, 4], token)
    assert to_json(found) == to_json(module)


def document(**changes: Any) -> dict[str, Any]:
    function = {
        "name": "main",
        "params": [{"id": "x", "type": {"dtype": "f32", "shape": [2, 3]}}],
        "nodes": [
            {"op": "tanh", "operands": {"x": "x"}, "results": [{"id": "y"}]},
            {
                "op": "sum", "operands": {"x": "y"}, "attributes": {"axes": [1], "keepdims": True},
                "results": [{"id": "z"}],
            },
        ],
        "results": [{"value": "z"}],
    }  # fmt: skip
    return {"dxir": 1, "functions": [function | changes]}


def node(**changes: Any) -> dict[str, Any]:
    plain = {"op": "tanh", "operands": {"x": "x"}, "results": [{"id": "z"}]}
    return document(nodes=[{k: v for k, v in (plain | changes).items() if v is not ...}])


def constant(shape: list[int], data: str = "", dtype: str = "f32", **more: Any) -> dict[str, Any]:
    array = {"dtype": dtype, "shape": shape, "data": data} | more
    return node(op="constant", operands=..., attributes={"value": {"array": array}})


def read(value: Any) -> Module:
    return from_json(json.dumps(value))


def test_types_of_results_and_places_can_be_left_out() -> None:
    main = read(document())["main"]
    assert main.result_types == (f32[2, 1],)
    assert main.nodes[0].location is None
    found = evaluate(main, np.ones((2, 3), np.float32))
    np.testing.assert_allclose(found, np.full((2, 1), 3 * np.tanh(1), np.float32), rtol=1e-6)


def test_an_integer_is_taken_for_a_float_attribute() -> None:
    found = read(node(op="leaky_relu", attributes={"negative_slope": 1}))["main"].nodes[0]
    assert type(found.attrs["negative_slope"]) is float


def test_functions_may_stand_in_any_order() -> None:
    callee = document()["functions"][0] | {"name": "f", "public": False}
    call = {
        "op": "call", "operands": {"inputs": ["x"]},
        "attributes": {"callee": {"function": "f"}}, "results": [{"id": "z"}],
    }  # fmt: skip
    main = document(nodes=[call])["functions"][0]
    for functions in ([main, callee], [callee, main]):
        assert {f.name for f in read({"dxir": 1, "functions": functions}).functions} == {
            "main",
            "f",
        }


MISTAKES: list[tuple[Any, str, str]] = [
    ([], r"\$", "not a dxir graph"),
    ({"dxir": 2, "functions": []}, r"\$.dxir", "version 2 is unknown"),
    ({"dxir": True, "functions": []}, r"\$.dxir", "version True"),
    ({"dxir": 1}, r"\$", "'functions' is missing"),
    ({"dxir": 1, "functions": [], "function": 1}, r"\$.function", "did you mean functions"),
    ({"dxir": 1, "functions": {}}, r"\$.functions", "an array is needed, not an object"),
    (document(name=""), r"\$.functions\[0\].name", "empty"),
    (document(name=3), r"\$.functions\[0\].name", "a string is needed, not 3"),
    (document(public="yes"), r"\$.functions\[0\].public", "true or false"),
    (document(location=["a.py", -1]), r"location\[1\]", "-1 is less than 0"),
    (document(location=["a.py"]), "location", "1 entries"),
    (document(results=[{"value": "w"}]), r"results\[0\].value", "no value .* has the id 'w'"),
    (document(params=[{"id": "x", "type": "f32"}]), r"params\[0\].type", "an object is needed"),
    (node(op="tanhh"), r"nodes\[0\].op", "there is no op 'tanhh'.*did you mean.*tanh"),
    (node(operands={}), r"nodes\[0\].operands", "needs the operand 'x'"),
    (node(operands={"y": "x"}), r"nodes\[0\].operands.y", "no 'y' among its operands.*has x"),
    (node(operands={"x": "x", "y": "x"}), r"operands.y", "no 'y' among its operands"),
    (node(operands={"x": "z"}), r"operands.x", "no value before this has the id 'z'"),
    (node(attributes={"axis": 1}), r"attributes.axis", "no 'axis'"),
    (node(op="softmax", attributes={"axes": 1}), r"attributes.axes", "did you mean axis"),
    (node(op="softmax", attributes={"axis": 9}), r"nodes\[0\]", "softmax: .*9"),
    (node(op="softmax", attributes={"axis": {"what": 1}}), r"axis.what", "no kind of value"),
    (node(op="reshape"), r"nodes\[0\].attributes", "needs the attribute 'shape'"),
    (node(op="reduce", operands={"inputs": ["x"], "inits": ["x"]}, attributes={"axes": [1]}),
     r"nodes\[0\].regions", "needs the region 'body'"),
    (node(results=[]), r"nodes\[0\].results", "1 entries are needed, not 0"),
    (node(results=[{"id": "x"}]), r"results\[0\].id", "two values have the id 'x'"),
    (node(results=[{"id": "z", "type": {"dtype": "f32", "shape": [2, 4]}}]), r"results\[0\].type",
     r"the type is f32\[2, 4\], but tanh gives f32\[2, 3\]"),
    (node(shardings=[{"mesh": "m", "dims": []}]), r"shardings\[0\].mesh", "there is no mesh 'm'"),
    (constant([10**12, 10**12]), "value.array.data", "0 bytes are given"),
    (constant([10**12, 10**12], data="AAAAAA==", splat=True), "value.array", "cannot be read"),
    (constant([1], data="?"), "value.array.data", "not base64"),
    (constant([1], dtype="f33"), "value.array.dtype", "not an element type"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "where", "message"), MISTAKES)
def test_a_mistake_is_named_with_its_place(value: Any, where: str, message: str) -> None:
    with pytest.raises(SchemaError, match=rf"(?s)^\S*{where}: .*{message}"):
        read(value)
    with pytest.raises(SchemaError) as error:
        read(value)
    assert str(error.value.where).startswith("$")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        (b"\xff", "not JSON"),
        ('{"dxir": 1, "dxir": 1}', "given twice"),
        ('{"dxir": 1, "functions": [], "annotations": {"x": NaN}}', "NaN is not JSON"),
        ('{"dxir": 1, "functions": [], "annotations": {"x": ' + "9" * 9999 + "}}", "not JSON"),
        ('{"dxir": 1, "functions": [], "annotations": ' + "[" * 10**5, "nested too deeply"),
        ("[" * 900 + "]" * 900, "not a dxir graph|nested too deeply"),
    ],
)
def test_text_that_is_no_document_is_refused(text: str | bytes, message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        from_json(text)


def test_functions_that_call_each_other_are_refused() -> None:
    def calling(name: str, callee: str) -> Any:
        call = {
            "op": "call", "operands": {"inputs": ["x"]},
            "attributes": {"callee": {"function": callee}}, "results": [{"id": "z"}],
        }  # fmt: skip
        return document(name=name, nodes=[call])["functions"][0]

    with pytest.raises(SchemaError, match="calls itself"):
        read({"dxir": 1, "functions": [calling("f", "g"), calling("g", "f")]})
    with pytest.raises(SchemaError, match=r"callee.function.*there is no function 'h'"):
        read({"dxir": 1, "functions": [calling("f", "h")]})
    with pytest.raises(SchemaError, match="two functions 'f'"):
        read({"dxir": 1, "functions": [calling("f", "g"), calling("f", "g")]})


def _nested(depth: int) -> Module:
    def body(depth: int, x: Any, p: Any) -> Any:
        if not depth:
            return ops.neg(x)
        return ops.cond(p, lambda: body(depth - 1, x, p), lambda: x)

    builder = Builder("main")
    x, p = builder.param(f32[2]), builder.param(TensorType((), "i1"))
    return Module([builder.build(body(depth, x, p))])


def test_nested_regions_come_back() -> None:
    text = to_json(_nested(50))
    assert to_json(from_json(text)) == text


@pytest.mark.parametrize("depth", [240, 5000])
def test_regions_nested_without_end_are_an_error(depth: int) -> None:
    text = '{"params": [], "nodes": [], "results": ["x"]}'
    other = text
    for i in range(depth):
        text = (
            '{"params": [], "nodes": [{"op": "cond", "operands": {"pred": "p"}, "results": '
            f'[{{"id": "r{i}"}}], "regions": {{"THEN": {text}, "ELSE": {other}}}}}], '
            f'"results": ["r{i}"]}}'
        )
    names = [f.name for f in REGISTRY["cond"].fields if f.kind == "region"]
    text = text.replace("THEN", names[0]).replace("ELSE", names[1])
    params = [{"id": "x", "type": "token"}, {"id": "p", "type": {"dtype": "i1", "shape": []}}]
    value = json.dumps(
        document(params=params, nodes=["NODES"], results=[{"value": f"r{depth - 1}"}])
    )
    with pytest.raises(SchemaError, match="nested"):
        from_json(
            value.replace('["NODES"]', text.partition('"nodes": ')[2].rpartition(', "results"')[0])
        )


def test_a_value_of_one_region_cannot_be_used_in_another() -> None:
    value = json.loads(to_json(_nested(1)))
    cond = value["functions"][0]["nodes"][0]
    names = sorted(cond["regions"])
    inside = next(n for n in names if cond["regions"][n]["nodes"])
    value["functions"][0]["results"][0]["value"] = cond["regions"][inside]["results"][0]
    with pytest.raises(SchemaError, match="outside the function or region"):
        read(value)


def test_a_long_graph_is_read_without_recursion() -> None:
    builder = Builder("main")
    x = builder.param(f32[2])
    for _ in range(5000):
        x = ops.neg(x)
    text = to_json(builder.build(x))
    assert to_json(from_json(text)) == text


WORDS = ["x", "f32", "tanh", "reduce", "constant", "main", "token"]
KEYS = (
    "array attributes axis body data dict dtype float function id name nodes op operands params "
    "regions results scalar shape sharding type value x"
)
NUMBERS = st.integers(-3, 2**70) | st.floats(allow_nan=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(max_size=4) | st.sampled_from(WORDS),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(KEYS.split(" ")), inner, max_size=3)
    ),
    max_leaves=8,
)


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path]
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, inner in items:
        found += _places(inner, (*path, key))
    return found


TEMPLATES = [json.loads(to_json(mlp())), json.loads(to_json(_nested(1)))]


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.data())
def test_a_damaged_document_ends_in_a_schema_error_or_a_graph(data: Any) -> None:
    value = json.loads(json.dumps(data.draw(st.sampled_from(TEMPLATES))))
    path = data.draw(st.sampled_from([p for p in _places(value) if p]))
    parent = value
    for step in path[:-1]:
        parent = parent[step]
    if isinstance(parent, dict) and data.draw(st.booleans()):
        del parent[path[-1]]
    else:
        parent[path[-1]] = data.draw(JSON)
    try:
        module = read(value)
    except SchemaError:
        return
    assert to_json(from_json(to_json(module))) == to_json(module)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(st.text(max_size=30) | st.binary(max_size=30) | JSON.map(json.dumps))
def test_any_other_text_ends_in_a_schema_error(text: str | bytes) -> None:
    with pytest.raises(SchemaError):
        from_json(text)


def test_the_example_in_the_docs_is_a_graph() -> None:
    text = DOCS.read_text(encoding="utf-8")
    example = text.split("```json\n", 1)[1].split("```", 1)[0]
    main = from_json(example)["main"]
    x = np.array([[1, 2, 3], [-1, 0, 1]], np.float32)
    wanted = np.maximum(x, 0).sum(1)
    np.testing.assert_allclose(evaluate(main, x), wanted)
    with pytest.raises(DxirError):
        from_json(example.replace("relu", "rellu"))


def one_node(**node: Any) -> str:
    row = {"op": "neg", "operands": {"x": "x"}, "results": [{"id": "y"}]} | node
    f32_2 = {"dtype": "f32", "shape": [2]}
    function = {"name": "main", "params": [{"id": "x", "type": f32_2}], "nodes": [row]}
    return json.dumps({"dxir": 1, "functions": [function | {"results": [{"value": "y"}]}]})


def test_errors_about_a_node_are_told_at_its_place_in_the_source() -> None:
    at_node = "$.functions[0].nodes[0]"
    for node, message in (
        ({"operands": {"x": "z"}}, f"no value before this has the id 'z' ({at_node}.operands.x)"),
        ({"op": "softmax", "attributes": {"axis": 3}}, "axis 3 is out of range"),
        ({"op": "nag"}, f"there is no op 'nag' ({at_node}.op)"),
    ):
        with pytest.raises(SchemaError) as error:
            from_json(one_node(**node, location=["a.lua", 12, 5]))
        assert error.value.where == "a.lua:12:5"
        assert message in error.value.message
        assert at_node in error.value.message
        with pytest.raises(SchemaError) as error:
            from_json(one_node(**node))
        assert (error.value.where or "").startswith(at_node)
    with pytest.raises(SchemaError) as error:
        from_json(one_node(location=["a.lua"]))
    assert error.value.where == f"{at_node}.location"


def test_an_op_that_nobody_declared_may_be_of_another_package() -> None:
    with pytest.raises(SchemaError, match="once the module that declares it is imported"):
        from_json(one_node(op="acme.snake_cap"))


def test_unknown_operands_are_named_with_those_there_are() -> None:
    with pytest.raises(SchemaError) as error:
        from_json(one_node(op="matmul", operands={"lhs": "x", "rhs": "x"}))
    assert error.value.message == "matmul has no 'lhs' and no 'rhs' among its operands"
    assert error.value.hint == "it has x, y"


def test_a_key_given_twice_is_told_with_its_place() -> None:
    text = one_node(name="a").replace('"name": "a"', '"name": "a", "name": "b"')
    with pytest.raises(SchemaError, match="the key 'name' is given twice") as error:
        from_json(text)
    assert error.value.where == "$.functions[0].nodes[0]"


def test_the_element_types_of_numpy_are_read_and_their_own_names_written() -> None:
    found = from_json(one_node().replace('"f32"', '"float32"'))
    assert '"f32"' in to_json(found)
    assert "float32" not in to_json(found)
