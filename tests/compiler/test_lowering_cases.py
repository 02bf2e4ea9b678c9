"""What lowering must not get wrong: shared expansions, marks, unknown sizes, loose nodes."""

from typing import Any

import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.errors import LoweringError
from dxir.examples import Example
from dxir.op import REGISTRY, Composite, Derived

MESH = dxir.Mesh("m", {"x": 2})


def run(function: dxir.Function, *arrays: Any) -> tuple[Any, Any]:
    """The compiled and the reference result."""
    return np.asarray(dxir.compile(function)(*arrays)), dxir.evaluate(function, *arrays)


def text(function: dxir.Function) -> str:
    return str(dxir.lower(function))


def test_expansions_are_not_shared_by_operands_of_other_axis_names() -> None:
    class NamedProduct(Composite, name="test_named_product"):
        """A product over shared names."""

        x: dxir.Value
        y: dxir.Value
        examples = (Example(x=dxir.f32[2, 2], y=dxir.f32[2, 2]),)

        def infer(self) -> dxir.TensorType:
            return dxir.f32[2, 2]

        def expand(self, x: dxir.Value, y: dxir.Value) -> dxir.Value:
            return ops.matmul(x, y)

        def reference(self, x: Any, y: Any) -> Any:
            return x @ y if self.x.tensor.axis_names == ("a", "b") else x.T @ y

    def product(names: tuple[str, str]) -> dxir.Function:
        b = dxir.Builder()
        x = b.param(dxir.TensorType((2, 2), "f32", names))
        y = b.param(dxir.TensorType((2, 2), "f32", ("b", "c")))
        return b.build(ops.test_named_product(x, y))

    x, y = np.array([[1, 2], [3, 4]], np.float32), np.array([[5, 0], [3, 1]], np.float32)
    try:
        for names in (("a", "b"), ("b", "a")):
            found, wanted = run(product(names), x, y)
            np.testing.assert_array_equal(found, wanted)
    finally:
        del REGISTRY["test_named_product"]


def test_expansions_are_not_shared_by_attributes_that_only_compare_equal() -> None:
    class Scaled(Derived, name="test_scaled"):
        """`x` divided by each factor."""

        x: dxir.Value
        factors: tuple[Any, ...]
        examples = (Example(x=dxir.f32[2], factors=(1.0,)),)

        def infer(self) -> dxir.TensorType:
            return self.x.tensor

        def expand(self, x: dxir.Value) -> dxir.Value:
            for factor in self.factors:
                x = ops.div(x, np.float32(factor))
            return x

        def reference(self, x: Any) -> Any:
            return x / np.float32(self.factors[0])

    try:
        for zero in (0.0, -0.0):
            b = dxir.Builder()
            x = b.param(dxir.f32[1])
            found, wanted = run(b.build(ops.test_scaled(x, factors=(zero,))), np.ones(1, "f4"))
            np.testing.assert_array_equal(found, wanted)
    finally:
        del REGISTRY["test_scaled"]


def test_unknown_sizes_are_asked_of_the_axis_they_belong_to() -> None:
    b = dxir.Builder()
    x, y = b.param(dxir.TensorType("??", "f32")), b.param(dxir.TensorType("?", "f32"))
    shown = text(b.build(ops.add(x, y)))
    assert "get_dimension_size %arg0, dim = 0" in shown
    assert "get_dimension_size %arg0, dim = 1" in shown


def test_several_operands_stretch_to_named_sizes() -> None:
    b = dxir.Builder()
    x, y = b.param(dxir.TensorType(("n", 1), "f32")), b.param(dxir.TensorType((1, "m"), "f32"))
    shown = text(b.build(ops.add(x, y)))
    assert shown.count("get_dimension_size %arg0, dim = 0") == 2
    assert shown.count("get_dimension_size %arg1, dim = 1") == 2


def test_nodes_made_outside_are_taken_in_producers_first() -> None:
    one = ops.constant(np.ones(2, np.float32))
    minus = ops.neg(one)
    b = dxir.Builder()
    x = b.param(dxir.f32[2])
    f = b.build(ops.add(x, ops.add(minus, one)))
    assert [n.op for n in f.nodes] == ["constant", "neg", "add", "add"]
    found, wanted = run(f, np.full(2, 3, np.float32))
    np.testing.assert_array_equal(found, wanted)


def test_two_files_of_equal_text_keep_their_own_locations() -> None:
    found = []
    for name in ("one.py", "two.py"):
        space: dict[str, Any] = {"ops": ops, "x": dxir.Builder().param(dxir.f32[2])}
        exec(compile("y = ops.exp(x)", name, "exec"), space)
        found.append(str(space["y"].location))
    assert found == ["one.py:1", "two.py:1"]


def test_a_sharding_goes_on_every_result_of_an_op_that_becomes_several() -> None:
    b = dxir.Builder()
    x = b.param(dxir.f32[4, 4])
    row = dxir.Sharding(MESH, "x", None)
    parts = ops.split(x, sizes=(2, 2), axis=0, sharding=(row, row))
    shown = text(b.build(*parts))
    assert shown.count("sdy.sharding_constraint") == 2


def test_a_sharding_of_an_op_that_changes_nothing_does_not_move_to_its_operand() -> None:
    b = dxir.Builder()
    x = b.param(dxir.f32[4, 4])
    y = ops.exp(x)
    z = ops.broadcast_to(y, shape=(4, 4), sharding=dxir.Sharding(MESH, "x", None))
    shown = text(b.build(y, z))
    assert "sdy.sharding_constraint" in shown
    assert "exponential %arg0 :" in shown
    w = dxir.Builder()
    p = w.param(dxir.f32[4, 4])
    q = ops.broadcast_to(p, shape=(4, 4), sharding=dxir.Sharding(MESH, "x", None))
    assert "sdy.sharding_constraint" in text(w.build(q))


def test_no_sharding_for_any_result_is_no_sharding() -> None:
    b = dxir.Builder()
    x = b.param(dxir.f32[4])
    assert "sdy" not in text(b.build(ops.tanh(x, sharding=[None])))


def test_annotations_without_an_operation_are_refused() -> None:
    b = dxir.Builder()
    x = b.param(dxir.f32[4, 4])
    y = ops.broadcast_to(x, shape=(4, 4))
    assert y.producer is not None
    y.producer.annotations = {"note": "here"}
    with pytest.raises(LoweringError, match="annotations \\['note'\\] have no operation"):
        text(b.build(y))


def test_an_expansion_may_call_functions_and_use_meshes() -> None:
    c = dxir.Builder("helper", public=False)
    helper = c.build(ops.exp(c.param(dxir.f32[4])))

    class Helped(Derived, name="test_helped"):
        """`exp(x)`, by a call, sharded."""

        x: dxir.Value
        examples = (Example(x=dxir.f32[4]),)

        def infer(self) -> dxir.TensorType:
            return self.x.tensor

        def expand(self, x: dxir.Value) -> dxir.Value:
            y = ops.call(helper, x)
            return ops.sharding_constraint(y, dxir.Sharding(MESH, "x"))

        def reference(self, x: Any) -> Any:
            return np.exp(x)

    try:
        b = dxir.Builder()
        x = b.param(dxir.f32[4])
        shown = text(b.build(ops.test_helped(ops.test_helped(x))))
        assert shown.count("func.func private @helper") == 1
        assert shown.count("sdy.mesh @m") == 1
    finally:
        del REGISTRY["test_helped"]


def test_what_a_region_function_raises_arrives_as_it_was_raised() -> None:
    b = dxir.Builder()
    p, x = b.param(dxir.i1[()]), b.param(dxir.f32[2])

    def branch() -> dxir.Value:
        return {"a": x}["missing"]

    with pytest.raises(KeyError, match="missing"):
        ops.cond(p, branch, lambda: x)


def test_operators_work_from_the_right_too() -> None:
    b = dxir.Builder()
    x = b.param(dxir.f32[2, 2])
    ones = np.ones((2, 2), np.float32)
    f = b.build(2**x, 7 % x, 7 // x, ones @ x)
    data = np.array([[1, 2], [3, 4]], np.float32)
    wanted = (2**data, 7 % data, 7 // data, ones @ data)
    for found, value in zip(dxir.evaluate(f, data), wanted, strict=True):
        np.testing.assert_allclose(found, value, rtol=1e-6)


def test_an_op_declared_later_is_raised_too() -> None:
    b = dxir.Builder()
    program = dxir.lower(b.build(ops.exp(b.param(dxir.f32[2]))))
    program.raise_()
    from dxir.op import Primitive

    class Later(Primitive, name="test_later", mlir="chlo._test_later"):
        """Nothing that MLIR knows."""

        x: dxir.Value
        examples = (Example(x=dxir.f32[2]),)

        def infer(self) -> dxir.TensorType:
            return self.x.tensor

        def reference(self, x: Any) -> Any:
            return x

    try:
        from dxir.raising import kinds

        assert kinds()["chlo._test_later"].cls is Later
    finally:
        del REGISTRY["test_later"]


def test_large_constants_are_freed_with_their_program() -> None:
    from dxir.mlir import shared_context

    b = dxir.Builder()
    x = b.param(dxir.f32[1024, 512])
    f = b.build(ops.add(x, np.arange(1024 * 512, dtype=np.float32).reshape(1024, 512)))
    assert dxir.lower(f).context is not shared_context()
    small = dxir.Builder()
    y = small.param(dxir.f32[2])
    assert dxir.lower(small.build(ops.add(y, np.ones(2, np.float32)))).context is shared_context()


def test_a_loop_that_captures_is_not_repeated_with_the_first_values() -> None:
    class Powered(Derived, name="test_powered"):
        """`x` multiplied by itself three times, in a loop."""

        x: dxir.Value
        examples = (Example(x=dxir.f32[2]),)

        def infer(self) -> dxir.TensorType:
            return self.x.tensor

        def expand(self, x: dxir.Value) -> dxir.Value:
            (result,) = ops.fori_loop(0, 3, lambda i, y: ops.mul(y, x), (x,))
            return result

        def reference(self, x: Any) -> Any:
            return x**4

    try:
        b = dxir.Builder()
        x, y = b.param(dxir.f32[2]), b.param(dxir.f32[2])
        f = b.build(ops.add(ops.test_powered(x), ops.test_powered(y)))
        data = np.array([1, 2], np.float32), np.array([3, -1], np.float32)
        found, wanted = run(f, *data)
        np.testing.assert_array_equal(found, wanted)
    finally:
        del REGISTRY["test_powered"]
