"""Containers of arrays."""

from __future__ import annotations

import collections
import dataclasses
from typing import Any, NamedTuple

import numpy as np
import pytest

import dxir
from dxir import Array
from dxir.errors import TransformError


class Pair(NamedTuple):
    first: Any
    second: Any


@dataclasses.dataclass
class Layer:
    weight: Any
    bias: Any = None
    activation: str = dataclasses.field(default="tanh", metadata={"static": True})

    def __post_init__(self) -> None:
        if not hasattr(self.weight, "shape"):
            raise ValueError("a layer needs a weight")


class Box:
    def __init__(self, inside: Any, label: str) -> None:
        self.inside, self.label = inside, label


dxir.tree.register(Box, lambda b: ((b.inside,), b.label), lambda label, c: Box(c[0], label))


def test_leaves_come_in_the_order_of_sorted_keys_and_fields() -> None:
    tree = {"b": [1, (2, None)], "a": Pair(3, Layer(np.float32(4), 5))}
    assert dxir.tree.leaves(tree) == [3, 4, 5, 1, 2]
    assert dxir.tree.paths(tree) == [
        "['a'].first", "['a'].second.weight", "['a'].second.bias", "['b'][0]", "['b'][1][0]",
    ]  # fmt: skip


def test_what_is_taken_apart_is_put_together_again() -> None:
    tree = {"b": [1, (2, None)], "a": Pair(3, Layer(np.float32(4), 5, "relu")), "c": Box(6, "top")}
    leaves, shape = dxir.tree.flatten(tree)
    again = dxir.tree.unflatten(shape, leaves)
    assert again["a"] == tree["a"]
    assert again["b"] == tree["b"]
    assert (again["c"].inside, again["c"].label) == (6, "top")


def test_a_dictionary_with_a_default_keeps_it() -> None:
    tree = collections.defaultdict(list, {"b": [1], "a": [2]})
    found = dxir.tree.map(lambda leaf: leaf + 1, tree)
    assert found == {"a": [3], "b": [2]}
    assert found["c"] == []


def test_a_field_that_is_static_belongs_to_the_shape() -> None:
    one, other = Layer(np.float32(1)), Layer(np.float32(1), activation="relu")
    assert dxir.tree.flatten(one)[1] != dxir.tree.flatten(other)[1]
    assert dxir.tree.leaves(one) == [1]


def test_a_dataclass_is_made_again_without_its_checks() -> None:
    assert dxir.tree.map(lambda _: "x", Layer(np.float32(1), 2)) == dxir.tree.map(
        lambda _: "x", Layer(np.float32(5), 6)
    )


def test_types_and_shardings_are_leaves() -> None:
    assert len(dxir.tree.leaves([dxir.f32[2], dxir.P("a"), dxir.Mesh("m", {"a": 2})])) == 3


def test_map_goes_through_several_trees_at_once() -> None:
    assert dxir.tree.map(lambda a, b: a + b, {"x": 1, "y": (2,)}, {"x": 10, "y": (20,)}) == {
        "x": 11,
        "y": (22,),
    }
    with pytest.raises(TransformError, match=r"tree 1 is \{'x': value\}"):
        dxir.tree.map(lambda a, b: a, {"x": 1, "y": 2}, {"x": 1})


def test_registering_needs_a_class_and_two_functions() -> None:
    with pytest.raises(TransformError, match="registered by a class"):
        dxir.tree.register("Box", len, len)  # type: ignore[arg-type]


def test_gradients_come_in_the_containers_of_the_arguments() -> None:
    layer = Layer(Array(np.ones((2, 2), np.float32)), Array(np.zeros(2, np.float32)), "relu")

    def loss(layer: Layer, box: Box) -> Any:
        y = dxir.ops.matmul(box.inside, layer.weight) + layer.bias
        return dxir.ops.sum(y * y) if layer.activation == "relu" else y

    box = Box(Array(np.ones((3, 2), np.float32)), "x")
    value, (g_layer, g_box) = dxir.value_and_grad(loss, wrt=(0, 1))(layer, box)
    assert float(value) == 24
    assert isinstance(g_layer, Layer)
    np.testing.assert_array_equal(g_layer.bias, np.full(2, 12, np.float32))
    assert (type(g_box), g_box.label) == (Box, "x")
    np.testing.assert_array_equal(g_box.inside, np.full((3, 2), 8, np.float32))
