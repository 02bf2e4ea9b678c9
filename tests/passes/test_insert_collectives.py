"""Collectives over axes: what is moved is what must be, and the module computes what it did."""

import numpy as np

import dxir

MESH = 'sdy.mesh @mesh = <["x"=4, "y"=2]>\n'
ARGMAX = (
    MESH
    + """
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> tensor<8xi32> {
  %i = stablehlo.iota dim = 1 : tensor<8x4xi32>
  %c = stablehlo.constant dense<-9.0> : tensor<f32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%a init: %c), (%i init: %z) across dimensions = [1]
    : (tensor<8x4xf32>, tensor<8x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
    reducer(%p: tensor<f32>, %q: tensor<f32>) (%r: tensor<i32>, %s: tensor<i32>) {
      %g = stablehlo.compare GT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %u = stablehlo.select %g, %p, %q : tensor<i1>, tensor<f32>
      %v = stablehlo.select %g, %r, %s : tensor<i1>, tensor<i32>
      stablehlo.return %u, %v : tensor<f32>, tensor<i32>
    }
  return %0#1 : tensor<8xi32>
}"""
)
PIPELINE = "dxir-propagate,dxir-insert-collectives"


def test_a_reduction_that_devices_cannot_combine_is_given_the_whole() -> None:
    made = dxir.load(ARGMAX).run_passes(PIPELINE)
    counts = made.op_counts()
    assert counts["sdy.all_gather"] == 2
    assert "sdy.all_reduce" not in counts
    (told,) = [d for d in made.diagnostics if d.code == "COMPUTED_WHOLE"]
    assert told.severity == "remark"
    assert 'needs whole what is split over "y"' in told.message


def test_a_second_run_sums_nothing_up_again() -> None:
    text = (
        MESH
        + """
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>},
                %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}"""
    )
    once = dxir.load(text).run_passes(PIPELINE)
    assert once.op_counts()["sdy.all_reduce"] == 1
    assert str(once.run_passes("dxir-insert-collectives")) == str(once)


def test_without_devices_the_module_still_computes_what_it_did() -> None:
    program = dxir.load(ARGMAX)
    x = np.random.default_rng(0).normal(size=(8, 4)).astype(np.float32)
    made = program.run_passes(PIPELINE + ",dxir-strip-sharding")
    np.testing.assert_array_equal(np.asarray(dxir.compile(made)(x)), x.argmax(axis=1))


def test_a_custom_call_is_split_as_its_own_rule_says_and_whole_without_one() -> None:
    text = MESH + (
        'func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> '
        "tensor<8xf32> {\n  %0 = stablehlo.custom_call @acme(%a) RULE : (tensor<8xf32>) -> "
        "tensor<8xf32>\n  return %0 : tensor<8xf32>\n}"
    )
    rule = "{sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}, custom>}"
    split = dxir.load(text.replace("RULE", rule)).run_passes("dxir-partition")
    assert "@acme(%arg0)" in str(split)
    whole = dxir.load(text.replace("RULE", "")).run_passes("dxir-partition")
    assert "stablehlo.all_gather" in whole.op_counts()
    assert [d.severity for d in whole.diagnostics] == ["warning"]
