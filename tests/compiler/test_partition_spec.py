"""Partition specs: shardings whose mesh is named elsewhere."""

from __future__ import annotations

import threading
from typing import Any

import pytest

import dxir
from dxir import AxisRef, Builder, DimSharding, Mesh, P, Sharding, f32, ops
from dxir.errors import DxirError, OperandError, ShardingError, ShardingWarning
from dxir.graph import Value

MESH = Mesh("mesh", {"x": 2, "y": 4})
OTHER = Mesh("other", {"a": 8})


def test_a_spec_stands_wherever_a_sharding_does() -> None:
    b = Builder("main", mesh=MESH)
    x = b.param(f32[8, 4, 6], sharding=P(("x", "y")))
    y = ops.tanh(x, sharding=P(P.OPEN, ("x", P.OPEN)))
    z = ops.sharding_constraint(y, P(None, "y", replicated=("x",)))
    w = ops.reshard(z, P("x"))
    function = b.build(w, z, shardings=[P(None, "x"), None])
    assert function.param_shardings == [Sharding(MESH, ("x", "y"), None, None)]
    assert function.result_shardings == [Sharding(MESH, None, "x", None), None]
    found = [n.sharding or n.attrs["spec"] for n in function.nodes]
    is_open = DimSharding(open=True)
    assert found == [
        (Sharding(MESH, is_open, DimSharding(("x",), open=True), None),),
        Sharding(MESH, None, "y", None, replicated=("x",)),
        Sharding(MESH, "x", None, None),
    ]


def test_what_a_spec_says_survives_the_text_json_and_the_fingerprint() -> None:
    b = Builder("main", mesh=MESH)
    x = b.param(f32[8, 4], sharding=P(AxisRef("y", (1, 2))))
    y = ops.tanh(x, sharding=P(DimSharding(("x",), priority=1), P.OPEN))
    function = b.build(y)
    program = dxir.lower(function)
    assert 'sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}p1, {?}]>]>' in str(program)
    assert program.raise_()["main"].nodes[0].sharding == function.nodes[0].sharding
    again = dxir.from_json(dxir.to_json(dxir.Module([function])))
    assert again["main"].nodes[0].sharding == function.nodes[0].sharding
    assert dxir.lower(again).fingerprint() == program.fingerprint()
    bare = Builder("main")
    same = bare.build(ops.tanh(bare.param(f32[8, 4], sharding=function.param_shardings[0])))
    assert dxir.lower(same).fingerprint() != program.fingerprint()


def test_a_mesh_writes_shardings_itself() -> None:
    assert MESH.sharding("x", None, unreduced=("y",)) == Sharding(MESH, "x", None, unreduced=("y",))
    assert P("x").on(MESH, rank=2) == MESH.sharding("x", None)
    assert P("x").on(MESH) == MESH.sharding("x") == MESH.sharding(P("x"))
    with pytest.raises(ShardingError) as caught:
        Sharding(MESH, P("x"))
    assert "P('x').on(mesh) is a sharding" in str(caught.value.hint)


def test_a_mesh_that_is_entered_is_that_of_specs_inside_of_nested_code_too() -> None:
    def layer(x: Value) -> Value:
        return ops.sharding_constraint(ops.tanh(x), P("x"))

    with MESH:
        function = dxir.build_function(layer, f32[4, 4], name="main")
    assert function.nodes[1].attrs["spec"] == MESH.sharding("x", None)
    b = Builder("main", mesh=MESH)
    gradient = dxir.grad(lambda x: ops.sum(layer(x)))(b.param(f32[4, 4]))
    text = str(dxir.lower(b.build(gradient)))
    assert "sdy.sharding_constraint %" in text
    cond = Builder("main", mesh=MESH)
    x, p = cond.param(f32[4, 4]), cond.param(dxir.i1[()])
    found = ops.cond(p, lambda: layer(x), lambda: x)
    assert "sdy.sharding_constraint" in str(dxir.lower(cond.build(found)))


def test_threads_enter_meshes_of_their_own() -> None:
    found: list[str] = []

    def alone() -> None:
        try:
            dxir.build_function(lambda x: ops.sharding_constraint(x, P("x")), f32[4], name="f")
        except ShardingError as error:
            found.append(str(error))

    with MESH:
        thread = threading.Thread(target=alone)
        thread.start()
        thread.join()
    assert "needs a mesh, and none is known here" in found[0]


def test_the_mesh_of_a_module_level_expansion_is_not_the_one_entered() -> None:
    with MESH:
        function = dxir.build_function(lambda x: ops.softmax(x), f32[4, 4], name="main")
        text = str(dxir.lower(function))
    assert "sdy" not in text


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda b, x: ops.sharding_constraint(x, P("z")), "mesh 'mesh' has no axis 'z'"),
        (lambda b, x: ops.sharding_constraint(x, P("x", "x")), 'axis "x" is used twice in P('),
        (lambda b, x: ops.tanh(x, sharding=P("x", replicated=("x",))), "is used twice in P("),
        (lambda b, x: ops.tanh(x, sharding=P(None, None, "x")), "3 entries for a tensor of rank 2"),
        (lambda b, x: b.build(x, shardings=[P("x", None, None)]), "3 entries for a tensor"),
        (lambda b, x: b.param(f32[4], sharding=P("x", "y")), "2 entries for a tensor of rank 1"),
        (
            lambda b, x: ops.reshard(x, P(AxisRef("y", (1, 2)), AxisRef("y", (1, 2)))),
            "is used twice",
        ),
        (lambda b, x: P(AxisRef("y", (1, 2)), "y"), "is used twice in P("),
        (lambda b, x: P(DimSharding(priority=2)), "a dimension has priority 2"),
        (lambda b, x: P(3), "does not say how a dimension is sharded"),
        (lambda b, x: P("x", unreduced=7), "7 are not axes"),
        (lambda b, x: P("x", reduction="XOR"), "one of SUM, MAX, MIN"),
    ],
)
def test_a_spec_that_does_not_fit_is_refused_with_this_line(make: Any, words: str) -> None:
    b = Builder("main", mesh=MESH)
    x = b.param(f32[8, 4])
    with pytest.raises(DxirError) as caught:
        make(b, x)
    assert words in str(caught.value)
    assert "test_partition_spec.py" in str(caught.value.where)


def test_a_spec_without_a_mesh_says_where_one_can_be_given() -> None:
    b = Builder("main")
    for make in (
        lambda: b.param(f32[8], sharding=P("x")),
        lambda: ops.tanh(b.param(f32[8]), sharding=P("x")),
        lambda: ops.sharding_constraint(b.param(f32[8]), P("x")),
        lambda: b.build(b.param(f32[8]), shardings=[P("x")]),
    ):
        with pytest.raises(ShardingError, match="none is known here") as caught:
            make()
        assert "Builder" in str(caught.value.hint)
        assert "test_partition_spec.py" in str(caught.value.where)


def test_two_meshes_at_one_place_are_told_apart_by_name() -> None:
    b = Builder("main", mesh=MESH)
    x = b.param(f32[8])
    with OTHER, pytest.raises(ShardingError, match="on mesh 'mesh' and within `with` of mesh"):
        ops.sharding_constraint(x, P("a"))
    with OTHER:
        assert ops.sharding_constraint(x, MESH.sharding("x")).producer is not None
    with pytest.raises(OperandError, match=r"mesh must be a dxir\.Mesh"):
        Builder("main", mesh="x")  # type: ignore[arg-type]


def test_a_dimension_that_does_not_divide_is_warned_of_with_this_line() -> None:
    b = Builder("main", mesh=MESH)
    x = b.param(f32[8, 6])
    with pytest.warns(ShardingWarning, match=r"dimension 1 \(6\) .* divisible by 4") as caught:
        ops.sharding_constraint(x, P(None, "y"))
    assert caught[0].filename.endswith("test_partition_spec.py")


def test_a_spec_reads_as_it_is_written() -> None:
    for spec in (
        P("x", None, ("y", "z")),
        P(AxisRef("x", (1, 2)), ("y", P.OPEN), P.OPEN),
        P(DimSharding(("x",), open=True, priority=3), replicated=("y",), unreduced=("z",)),
        P(reduction="MAX", unreduced=("x",)),
        P(),
    ):
        assert eval(repr(spec), {"P": P, "AxisRef": AxisRef, "DimSharding": DimSharding}) == spec
    assert len({P("x"), P(("x",)), P("x", None)}) == 2
