"""Views of modules: what is in them, how ops are grouped, and what is told of each."""

from __future__ import annotations

import graphlib
from collections import Counter
from pathlib import Path

import pytest

import dxir
from dxir.costs import cost_of
from dxir.view import View, view_of
from dxir.view.outline import placed

CORPUS = Path(__file__).parents[1] / "recognition" / "corpus"
# A module of each producer: what is told here holds for each of them.
MODULES = [
    sorted(folder.rglob("*.mlir"))[-1] for folder in sorted(CORPUS.iterdir()) if folder.is_dir()
]


def node(view: View, label: str) -> int:
    found = [
        i for i, n in enumerate(view.nodes) if n.label == label and n.kind not in ("outer", "out")
    ]
    assert len(found) == 1, f"{label}: {found}"
    return found[0]


def named(count: int) -> str:
    """Three layers of `count` ops each, under the names that JAX gives."""
    ops = (
        "\n".join(
            f"  %{i} = stablehlo.add %{i - 1}, %{i - 1} : tensor<f32> "
            f'loc("jit(f)/layer_{(i - 1) // count}/add"("model.py":{i}:1))'
            for i in range(1, 3 * count + 1)
        )
        .replace("%0,", "%a,")
        .replace("%0 :", "%a :")
    )
    return (
        f"func.func @main(%a: tensor<f32>) -> tensor<f32> {{\n{ops}\n"
        f"  return %{3 * count} : tensor<f32>\n}}"
    )


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.parent.name)
def test_every_op_is_there_once_and_every_operand_arrives(path: Path) -> None:
    program = dxir.load(path)
    view = view_of(program)
    assert view.op_counts() == program.op_counts()
    assert max(Counter(n for body in view.bodies for n in body.nodes).values()) == 1
    for body in view.bodies:
        arrived = Counter((e.target, e.operand) for e in body.edges if e.operand >= 0)
        for at, number in enumerate(body.nodes):
            given = view.nodes[number]
            if given.kind == "op":
                wanted = [i for i, (source, _) in enumerate(given.operands) if source >= 0]
                assert [arrived[at, i] for i in wanted] == [1] * len(wanted)


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.parent.name)
def test_no_value_goes_out_of_a_closed_box_and_back_into_it(path: Path) -> None:
    for body in view_of(dxir.load(path)).bodies:
        order = graphlib.TopologicalSorter[int]()
        for edge in body.edges:
            order.add(edge.target, edge.source)
        order.prepare()  # raises CycleError


def test_ops_of_a_named_scope_are_a_group_and_the_scope_of_all_is_none() -> None:
    view = view_of(dxir.load(named(5)))
    groups = {n.label: n for n in view.nodes if n.kind == "group"}
    assert sorted(groups) == ["layer_0", "layer_1", "layer_2"]
    assert [g.ops for g in groups.values()] == [5, 5, 5]
    assert [[r.name for r in g.results] for _, g in sorted(groups.items())] == [
        ["%4"],
        ["%9"],
        ["%14"],
    ]


def test_what_comes_again_and_again_without_names_is_a_group_each_time() -> None:
    b = dxir.Builder("main")
    x = b.param(dxir.f32[8])
    for _ in range(40):
        x = dxir.ops.tanh(dxir.ops.sub(dxir.ops.exp(dxir.ops.add(x, x)), x))
    view = view_of(dxir.lower(b.build(x)))
    body = view.bodies[view.nodes[view.entry or 0].inside[0].body]
    labels = [view.nodes[n].label for n in body.nodes]
    assert "repeat 1 of 40" in labels
    assert "repeat 40 of 40" in labels
    assert len(labels) < 50


def test_many_ops_that_are_all_different_are_groups_of_up_to_a_hundred() -> None:
    lines = ["%0 = stablehlo.iota dim = 0 : tensor<1xi32>"]
    for i in range(1, 300):
        before, after = f"tensor<{i}xi32>", f"tensor<{i + 1}xi32>"
        types = f"({before}, tensor<1xi32>) -> {after}"
        lines.append(f"%{i} = stablehlo.concatenate %{i - 1}, %0, dim = 0 : {types}")
    body = "\n".join(lines)
    view = view_of(
        dxir.load(
            f"func.func @main() -> tensor<300xi32> {{\n{body}\n  return %299 : tensor<300xi32>\n}}"
        )
    )
    groups = [n.label for n in view.nodes if n.kind == "group"]
    assert groups == ["ops 1-76", "ops 77-152", "ops 153-228", "ops 229-301"]
    assert max(len(each.nodes) for each in view.bodies) < 80


def test_a_constant_that_one_group_alone_uses_is_in_it() -> None:
    text = (
        named(5)
        .replace("{\n", "{\n  %c = stablehlo.constant dense<1.0> : tensor<f32>\n", 1)
        .replace("%6 = stablehlo.add %5, %5", "%6 = stablehlo.add %5, %c")
    )
    view = view_of(dxir.load(text))
    path = next(p for n, _, p, _ in placed(view) if n == node(view, "1"))
    assert view.nodes[path[-1]].label == "layer_1"


def test_what_regions_take_from_outside_goes_into_the_op_around_them() -> None:
    view = view_of(
        dxir.load("""
func.func @main(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.if"(%p) ({
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }, {
    %1 = stablehlo.negate %x : tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}""")
    )
    branch = view.nodes[node(view, "if")]
    assert [each.label for each in branch.inside] == ["true", "false"]
    body = view.bodies[view.nodes[view.entry or 0].inside[0].body]
    into = [(e.operand, view.nodes[body.nodes[e.source]].label) for e in body.edges
            if body.nodes[e.target] == node(view, "if")]  # fmt: skip
    assert into == [(0, "%arg0"), (-1, "%arg1")]


def test_calls_and_composites_hold_what_they_run() -> None:
    view = view_of(
        dxir.load("""
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @f(%x) : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.composite "acme.twice" %0 {decomposition = @f} : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %x, %x : tensor<f32>
  return %0 : tensor<f32>
}""")
    )
    called = view.nodes[view.functions["f"]].inside[0].body
    for label, what in (("call @f", "callee"), ("acme.twice", "decomposition")):
        inside = view.nodes[node(view, label)].inside
        assert [(each.label, each.body) for each in inside] == [(what, called)]
    assert "1 private function" in [n.label for n in view.nodes]


def test_places_shardings_and_costs_are_told() -> None:
    program = dxir.load("""
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} loc("x"))
    -> tensor<8x8xf32> {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1]
    {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
    : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32> loc("f/dot"("model.py":3:5))
  return %0 : tensor<8x8xf32>
}""")
    view = view_of(program)
    dot, x = view.nodes[node(view, "dot_general")], view.nodes[node(view, "x")]
    assert (dot.where, dot.scope) == ("model.py:3:5", "f/dot")
    assert dot.results[0].sharding == x.results[0].sharding == '@mesh, [{"x"}, {}]'
    total = cost_of(program).total
    assert (dot.flops, dot.moved) == (total.flops, total.bytes)
    assert view.nodes[view.entry or 0].flops == total.flops


def test_a_module_that_nests_deeper_than_the_stack_of_python_is_seen() -> None:
    depth = 250
    opening = "\n".join(f'%r{i} = "stablehlo.if"(%p) ({{' for i in range(depth))
    closing = "\n".join(
        f'"stablehlo.return"(%r{i}) : (tensor<f32>) -> ()}}, '
        f'{{"stablehlo.return"(%x) : (tensor<f32>) -> ()}}) : (tensor<i1>) -> tensor<f32>'
        for i in range(depth, 0, -1)
    ).replace(f"%r{depth})", "%x)")
    text = (
        "func.func @main(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {\n"
        f"{opening}\n{closing}\nreturn %r0 : tensor<f32>\n}}"
    )
    view = view_of(dxir.load(text))
    assert view.op_counts()["stablehlo.if"] == depth


def test_a_large_constant_is_told_by_its_size() -> None:
    values = ", ".join(str(i) for i in range(5000))
    view = view_of(dxir.load(
        "func.func @main() -> tensor<5000xi32> {\n"
        f"  %0 = stablehlo.constant dense<[{values}]> : tensor<5000xi32>\n"
        "  return %0 : tensor<5000xi32>\n}"
    ))  # fmt: skip
    (constant,) = [n for n in view.nodes if n.name == "stablehlo.constant"]
    assert constant.attributes == [("value", "5,000 elements : tensor<5000xi32>")]


def test_a_function_without_a_body_and_an_empty_module_can_be_seen() -> None:
    declared = view_of(dxir.load("func.func private @f(tensor<f32>) -> tensor<f32>"))
    assert declared.nodes[declared.functions["f"]].inside == []
    assert view_of(dxir.load("module {}")).nodes == []
