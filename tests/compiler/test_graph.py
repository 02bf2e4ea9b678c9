"""Building graphs: where nodes go, what is refused, how graphs read."""

import inspect
import sys
from collections.abc import Callable

import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.errors import (
    AttributeValueError,
    DTypeError,
    DxirError,
    GraphError,
    OperandError,
    ShapeError,
)
from dxir.graph import walk
from dxir.types import TensorType

ZERO = np.float32(0)


def line() -> int:
    """The line of the caller."""
    frame = inspect.currentframe()
    assert frame is not None
    assert frame.f_back is not None
    return frame.f_back.f_lineno


def square(name: str = "main") -> dxir.Function:
    b = dxir.Builder(name)
    x = b.param(dxir.f32[2, 3], name="x")
    return b.build(ops.mul(x, x, name="squared"))


def test_a_function_prints_as_readable_text() -> None:
    assert str(square()).splitlines() == [
        "func @main(%x: f32[2, 3]) -> (f32[2, 3]) {",
        "  %squared = mul(%x, %x) : f32[2, 3]",
        "  return %squared",
        "}",
    ]


def test_every_node_made_is_in_the_function_used_or_not() -> None:
    b = dxir.Builder()
    x = b.param(dxir.f32[2])
    ops.exp(x)
    assert [n.op for n in b.build(x).nodes] == ["exp"]


def test_nodes_carry_the_line_of_the_user_and_the_name_given() -> None:
    b = dxir.Builder()
    x = b.param(dxir.f32[2])
    y, here = ops.exp(x, name="weights"), line()
    assert y.producer is not None
    assert y.producer.name == "weights"
    assert y.location == dxir.Location(__file__, here)


def test_a_front_end_can_state_its_own_locations() -> None:
    b = dxir.Builder()
    x = b.param(dxir.f32[2])
    with dxir.at(dxir.Location("model.kt", 12, 3)):
        y = ops.exp(x)
    z = ops.exp(x, location=dxir.Location("model.kt", 13))
    assert str(y.location) == "model.kt:12:3"
    assert str(z.location) == "model.kt:13"


def test_constants_made_outside_belong_to_the_first_function_that_uses_them() -> None:
    shared = ops.constant(np.float32(2))
    b = dxir.Builder()
    x = b.param(dxir.f32[2])
    f = b.build(ops.mul(x, shared))
    assert [n.op for n in f.nodes] == ["constant", "mul"]
    other = dxir.Builder("other")
    y = other.param(dxir.f32[2])
    with pytest.raises(GraphError, match="outside the function or region it belongs to"):
        ops.mul(y, shared)


def test_values_of_another_function_are_refused_at_the_users_line() -> None:
    a, b = dxir.Builder("a"), dxir.Builder("b")
    x, y = a.param(dxir.f32[2]), b.param(dxir.f32[2])
    here = line() + 2
    with pytest.raises(GraphError) as error:
        ops.add(x, y)
    assert error.value.where == f"{__file__}:{here}"


def test_nothing_can_be_added_to_a_built_function() -> None:
    f = square()
    with pytest.raises(GraphError, match="already built"):
        ops.exp(f.params[0])


@pytest.mark.parametrize(
    ("mistake", "kind", "text"),
    [
        (lambda x: ops.add(x, np.ones(2, np.float32)), ShapeError, r"\[2, 3\] and \[2\]"),
        (lambda x: ops.add(x, np.ones((2, 3), np.int32)), DTypeError, "f32.*i32"),
        (lambda x: ops.add(x, "y"), OperandError, "operand `y` must be a dxir Value"),
        (lambda x: ops.add(x, 2**70j), DTypeError, "is not a value of type f32"),
        (lambda x: ops.transpose(x, permutation=(0, 0)), ShapeError, "not a permutation"),
        (lambda x: ops.transpose(x, permutation=(0, 5)), ShapeError, "out of range for rank 2"),
        (lambda x: ops.softmax(x, axis=2), ShapeError, "axis 2 is out of range"),
        (lambda x: ops.reshape(x, shape=(4, 2)), ShapeError, "6 elements"),
        (lambda x: ops.sum(x, axes=(0, 0)), ShapeError, "twice"),
        (lambda x: ops.sum(x, axes="rows"), DxirError, "sum"),
        (lambda x: ops.sum(x, keepdims=1), AttributeValueError, "keepdims is 1\n.*True or False"),
        (lambda x: ops.softmax(x, axis=True), AttributeValueError, "axis must be an integer"),
        (lambda x: ops.softmax(x, axis=2**70), AttributeValueError, "does not fit in 64 bits"),
        (lambda x: ops.gelu(x, approximate=b"tanh"), AttributeValueError, "string of Unicode"),
        (lambda x: ops.tanh(x, name=3), AttributeValueError, "name of a node must be a string"),
        (lambda x: ops.tanh(x, name="\udc80"), AttributeValueError, "string of Unicode text"),
        (lambda x: ops.switch(np.int32(0), branches=3), OperandError, "tuple or list of regions"),
        (lambda x: ops.matmul(x, x, precision=dxir.f32), AttributeValueError, "matmul"),
        (
            lambda x: ops.reduce((x, x), (ZERO, ZERO), lambda a, b: a, axes=(0,)),
            OperandError,
            r"cannot take 4 values.*\n.*f32\[\], f32\[\], f32\[\], f32\[\]",
        ),
        (
            lambda x: ops.std(dxir.Builder("g").param(dxir.f32["n"])),
            ShapeError,
            "std: .*dynamic",
        ),
    ],
)
def test_each_mistake_is_an_error_that_names_the_op_and_the_line(
    mistake: Callable[[dxir.Value], object], kind: type[DxirError], text: str
) -> None:
    x = dxir.Builder().param(dxir.f32[2, 3])
    with pytest.raises(kind, match=text) as error:
        mistake(x)
    assert error.value.where is not None
    assert error.value.where.startswith(f"{__file__}:")


def test_a_value_has_no_truth_value_and_cannot_be_iterated() -> None:
    x = dxir.Builder().param(dxir.f32[2])
    with pytest.raises(GraphError, match="cond"):
        bool(x)
    with pytest.raises(GraphError, match="split"):
        iter(x)


def test_operators_are_ops() -> None:
    b = dxir.Builder()
    x = b.param(dxir.f32[2, 2])
    y = np.ones((2, 2), np.float32) - -(2 * x + 1) / (x @ x)
    assert [n.op for n in b.build(y).nodes if n.op != "constant"] == [
        "mul", "add", "neg", "matmul", "div", "sub",
    ]  # fmt: skip


def test_duplicate_names_are_refused() -> None:
    b = dxir.Builder()
    b.param(dxir.f32[2], name="x")
    with pytest.raises(GraphError, match="two parameters called 'x'"):
        b.param(dxir.f32[2], name="x")
    with pytest.raises(GraphError, match="two functions of the module are called 'f'"):
        dxir.Module([square("f"), square("f")])


def test_a_module_finds_the_functions_that_are_called() -> None:
    inner = square("inner")
    b = dxir.Builder()
    x = b.param(dxir.f32[2, 3])
    outer = b.build(ops.call(inner, x))
    assert [f.name for f in dxir.Module([outer]).functions] == ["main", "inner"]


def test_nodes_have_no_dict_and_types_are_shared() -> None:
    node = square().nodes[0]
    assert not hasattr(node, "__dict__")
    assert node.results[0].type is node.operands[0].type


def test_a_region_captures_outer_values() -> None:
    b = dxir.Builder()
    p, x = b.param(dxir.i1[()], name="p"), b.param(dxir.f32[2], name="x")
    y = ops.cond(p, lambda: ops.exp(x), lambda: x)
    f = b.build(y)
    assert [n.op for n in walk(f)] == ["cond", "exp"]


def test_a_value_made_in_a_region_cannot_leave_it_sideways() -> None:
    b = dxir.Builder()
    p, x = b.param(dxir.i1[()]), b.param(dxir.f32[2])
    leaked: list[dxir.Value] = []

    def branch() -> dxir.Value:
        leaked.append(ops.exp(x))
        return leaked[0]

    ops.cond(p, branch, lambda: x)
    with pytest.raises(GraphError, match="return it from its region"):
        ops.add(x, leaked[0])


def test_a_million_element_constant_is_not_printed() -> None:
    b = dxir.Builder()
    x = b.param(dxir.f32[1000, 1000])
    f = b.build(ops.add(x, np.arange(1e6, dtype=np.float32).reshape(1000, 1000)))
    assert len(str(f)) < 400


def test_types_of_parameters_must_be_types() -> None:
    with pytest.raises(OperandError, match="a parameter needs a type"):
        dxir.Builder().param((2, 3))  # type: ignore[arg-type]
    assert dxir.Builder().param(TensorType((2,), "f32")).shape == (2,)


@pytest.mark.parametrize(
    "misuse",
    [
        lambda: dxir.Builder("\udc80"),
        lambda: dxir.Builder().param(dxir.f32[2], name="\udc80"),
        lambda: dxir.Builder().param(dxir.f32[2], sharding="x"),  # type: ignore[arg-type]
        lambda: dxir.Builder().param(dxir.f32[2], annotations={"a.b": object()}),
        lambda: dxir.Builder().param(dxir.f32[2], annotations={"": 1}),
        lambda: ops.neg(dxir.Builder().param(dxir.f32[2]), location=3),
        lambda: ops.neg(dxir.Builder().param(dxir.f32[2]), sharding=3),
        lambda: dxir.Module([3]),  # type: ignore[list-item]
        lambda: dxir.Module([], name="\udc80"),
        lambda: dxir.evaluate(3),  # type: ignore[arg-type]
        lambda: dxir.lower(3),  # type: ignore[arg-type]
        lambda: dxir.to_json(3),  # type: ignore[arg-type]
        lambda: dxir.from_json(3),  # type: ignore[arg-type]
        lambda: dxir.load(3),  # type: ignore[arg-type]
        lambda: dxir.Mesh("m", 3),  # type: ignore[arg-type]
        lambda: dxir.Mesh("m", {"x": 1.5}),  # type: ignore[dict-item]
        lambda: dxir.Mesh("m", {"x": 2**70}),
        lambda: dxir.Mesh("m", {3: 2}),  # type: ignore[dict-item]
        lambda: dxir.Sharding(3, "x"),  # type: ignore[arg-type]
        lambda: dxir.Sharding(dxir.Mesh("m", {"x": 2}), 3),
        lambda: dxir.DimSharding(3),  # type: ignore[arg-type]
        lambda: dxir.DimSharding(("x",), priority=1.5),  # type: ignore[arg-type]
        lambda: dxir.AxisRef("x", (1,)),  # type: ignore[arg-type]
    ],
)
def test_an_object_of_another_kind_is_an_error_at_this_line(misuse: Callable[[], object]) -> None:
    with pytest.raises(DxirError) as error:
        misuse()
    assert str(error.value.where).startswith(f"{__file__}:")


def test_axes_of_a_dimension_may_be_plain_names() -> None:
    mesh = dxir.Mesh("m", {"x": 2, "y": 4})
    plain = dxir.Sharding(mesh, dxir.DimSharding(("x", "y")))
    assert plain.dims[0].size(mesh) == 8


def test_a_place_must_be_a_file_and_a_line() -> None:
    with pytest.raises(GraphError, match="not a place"), dxir.at(dxir.Location("a", "1")):  # type: ignore[arg-type]
        pass


def test_an_op_may_be_declared_with_or_without_postponed_annotations() -> None:
    from dxir.examples import Example
    from dxir.op import REGISTRY, Derived

    class Doubled(Derived, name="test_doubled"):
        """Twice the sum of the values there are."""

        x: dxir.Value
        zs: tuple[dxir.Value, ...]
        y: dxir.Value | None
        scale: float = 2.0
        examples = (Example(x=dxir.f32[2], zs=()),)

        def infer(self) -> dxir.TensorType:
            return self.x.tensor

        def expand(self, *values: dxir.Value) -> dxir.Value:
            return values[0]

        def reference(self, *values: object) -> object:
            return values[0]

    try:
        kinds = {f.name: f.kind for f in Doubled.fields}
        assert kinds == {"x": "operand", "zs": "variadic", "y": "optional", "scale": "attribute"}
        x = dxir.Builder().param(dxir.f32[2])
        assert ops.test_doubled(x, (x, x)).type == x.type
    finally:
        del REGISTRY["test_doubled"]


def test_calls_deeper_than_pythons_stack_end_in_an_error() -> None:
    function = dxir.build_function(ops.sin, dxir.f32[2], name="f")
    for depth in range(400):
        inner = function
        function = dxir.build_function(
            lambda x, inner=inner: ops.call(inner, x), dxir.f32[2], name=f"f{depth}"
        )
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(1000)  # Python's own: what is nested deeply may have raised it
    try:
        with pytest.raises(DxirError, match="deeper than Python's stack"):
            dxir.evaluate(function, np.ones(2, np.float32))
    finally:
        sys.setrecursionlimit(limit)
    assert dxir.lower(function).verify()
