"""Sharding rules as formulas: what they come to, and that Shardy follows them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import P, ShardingRule, f32, ops
from dxir.attributes import OpShardingRule
from dxir.errors import ShardingError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import REGISTRY, Composite
from dxir.program import Program
from dxir.targets import Target, registry
from dxir.targets.kernels import KernelDescriptor, register_kernel, unregister_kernel
from dxir.types import TensorType

MESH = dxir.Mesh("m", {"x": 2, "y": 4})
PROPAGATED = "sdy-propagation-pipeline"


@pytest.fixture(scope="module", autouse=True)
def product() -> Iterator[Any]:
    """A composite with a sharding rule, known for the tests here."""

    class RuledProduct(Composite, name="sharding_rule_tests.product"):
        """The matrix product of `x` and `y`."""

        x: Value
        y: Value

        examples = (Example(x=f32[2, 3], y=f32[3, 4]),)

        def infer(self) -> TensorType:
            return f32[self.x.shape[0], self.y.shape[1]]

        def sharding_rule(self) -> ShardingRule:
            return ShardingRule("ij,jk->ik", reduction="j")

        def expand(self, x: Value, y: Value) -> Value:
            return ops.matmul(x, y)

        def reference(self, x: Any, y: Any) -> Any:
            return x @ y

    yield RuledProduct.build
    del REGISTRY["sharding_rule_tests.product"]


def program_of(product: Any) -> Program:
    b = dxir.Builder("main", mesh=MESH)
    x = b.param(f32[8, 16], sharding=P("x", "y"))
    y = b.param(f32[16, 4], sharding=P("y"))
    return dxir.lower(b.build(product(x, y)))


def test_a_formula_takes_its_sizes_from_the_types() -> None:
    rule = ShardingRule("ij,jk->ik", reduction="j").on([f32[4, 8], f32[8, 2]], [f32[4, 2]])
    assert rule == OpShardingRule(
        (4, 8, 2),
        operands=(((0,), (1,)), ((1,), (2,))),
        results=(((0,), (2,)),),
        reduction_factors=(1,),
    )
    words = ShardingRule("rows in, in out -> rows out", reduction="in")
    assert words.on([f32[4, 8], f32[8, 2]], [f32[4, 2]]) == rule


def test_a_dimension_of_several_factors_is_in_brackets() -> None:
    rule = ShardingRule("b(hd)->bhd").on([f32[4, 8]], [f32[4, 2, 4]])
    assert rule.factor_sizes == (4, 2, 4)
    assert rule.operands == (((0,), (1, 2)),)
    assert ShardingRule("b(hd)->b(dh)", sizes={"h": 2}).on(
        [f32[4, 8]], [f32[4, 8]]
    ).factor_sizes == (4, 2, 4)


def test_leading_dimensions_are_dots_and_other_results_are_left_alone() -> None:
    rule = ShardingRule("...i,i->...i", need_replication="i").on(
        [f32[4, 8, 3], f32[3]], [f32[4, 8, 3], f32[7]]
    )
    assert rule.factor_sizes == (4, 8, 3, 7)
    assert rule.need_replication_factors == (2,)
    assert rule.results == (((0,), (1,), (2,)), ((3,),))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: ShardingRule("ij"), "needs one arrow"),
        (lambda: ShardingRule("ij,jk->ik"), "no result has 'j'"),
        (lambda: ShardingRule("ij->ij", reduction="j"), "in reduction, and in a result"),
        (lambda: ShardingRule("ij->i", reduction="j", need_replication="j"), "in reduction and in"),
        (lambda: ShardingRule("ij->i", reduction="k"), "no factor 'k'"),
        (lambda: ShardingRule("ii->i"), "'i' is twice in 'ii'"),
        (lambda: ShardingRule("(ij->i"), "not closed"),
        (lambda: ShardingRule("i+->i"), "'+' in 'i+' is no factor"),
        (lambda: ShardingRule("i->i", sizes={"k": 2}), "sizes has 'k'"),
        (lambda: ShardingRule("ij->ij").on([f32[4]], [f32[4]]), "has 2 dimensions, and f32[4]"),
        (lambda: ShardingRule("i->i").on([f32[4], f32[4]], [f32[4]]), "for 1 operands"),
        (lambda: ShardingRule("i->i").on([f32[4]], [f32[5]]), "i is 4, and 5 in one"),
        (lambda: ShardingRule("(ij)->(ij)").on([f32[4]], [f32[4]]), "not told by the types"),
    ],
)
def test_a_rule_that_makes_no_sense_is_refused(make: Any, words: str) -> None:
    with pytest.raises(ShardingError) as caught:
        make()
    assert words in str(caught.value)
    assert caught.value.hint


def test_a_wrong_rule_names_the_line_that_writes_it() -> None:
    with pytest.raises(ShardingError) as caught:
        ShardingRule("ij,jk->ik")
    assert "test_sharding_rules.py" in str(caught.value.where)


def test_shardings_pass_through_a_composite_by_its_rule(product: Any) -> None:
    program = program_of(product)
    assert "#sdy.op_sharding_rule<([i, j], [j, k])->([i, k]) {i=8, j=16, k=4} reduction={j}" in str(
        program
    )
    text = str(program.run_passes(PROPAGATED))
    assert '-> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>})' in text
    again = dxir.lower(program.raise_())
    assert "sdy.sharding_rule" in str(again)
    assert "sdy.sharding_rule" not in str(program.run_passes("dxir-decompose"))


def test_without_a_rule_nothing_passes_through_a_composite() -> None:
    b = dxir.Builder("main", mesh=MESH)
    x = b.param(f32[8, 16], sharding=P("x"))
    text = str(dxir.lower(b.build(ops.softmax(x))).run_passes(PROPAGATED))
    assert "-> tensor<8x16xf32> {\n    %0 = stablehlo.composite" in text


def test_a_composite_with_a_rule_compiles_and_runs_on_its_devices(product: Any) -> None:
    run = dxir.compile(program_of(product), devices=8)
    x = np.arange(128, dtype=np.float32).reshape(8, 16) / 100
    y = np.arange(64, dtype=np.float32).reshape(16, 4) / 100
    np.testing.assert_allclose(np.asarray(run(x, y)), x @ y, rtol=1e-5)


@pytest.mark.parametrize("own", [None, "ij,jk->ik"])
def test_a_kernel_has_the_rule_of_its_descriptor_or_of_its_composite(
    product: Any, own: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = Target("sharding-rule-tests", "a target of tests")
    monkeypatch.setitem(registry._targets, target.name, target)
    kernel = register_kernel(
        "sharding-rule-tests",
        KernelDescriptor(
            composite="sharding_rule_tests.product",
            call_target="its_product",
            scratch=(f32[6],),
            sharding_rule=own and (lambda use: ShardingRule(own, need_replication="j")),
        ),
    )
    try:
        called = program_of(product).run_passes("dxir-decompose{target=sharding-rule-tests}")
    finally:
        unregister_kernel("sharding-rule-tests", kernel)
    kind = "reduction" if own is None else "need_replication"
    assert (
        "<([i, j], [j, k])->([i, k], [l]) {i=8, j=16, k=4, l=6} " + kind + "={j}, custom>"
        in str(called)
    )
    text = str(called.run_passes(PROPAGATED))
    assert '-> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>})' in text
    back = str(called.run_passes("dxir-decompose{kernels=off keep=sharding_rule_tests.product}"))
    assert "{i=8, j=16, k=4} reduction={j}, custom>" in back


def test_a_custom_call_takes_a_rule() -> None:
    b = dxir.Builder("main", mesh=MESH)
    x = b.param(f32[8, 16], sharding=P("x", "y"))
    y = ops.custom_call((x,), types=(f32[16, 8],), call_target_name="their_transpose")
    program = dxir.lower(b.build(ShardingRule("ij->ji").apply(y)))
    text = str(program.run_passes(PROPAGATED))
    assert '-> (tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}, {"x"}]>})' in text
    with pytest.raises(ShardingError, match="given to the op tanh, not to a custom call"):
        ShardingRule("ij->ij").apply(ops.tanh(np.ones((8, 16), np.float32)))
    with pytest.raises(ShardingError, match="given to a parameter"):
        ShardingRule("ij->ij").apply(x)
    with pytest.raises(ShardingError, match="a term has 1 dimensions") as caught:
        ShardingRule("i->i").apply(y)
    assert "test_sharding_rules.py" in str(caught.value.where)
