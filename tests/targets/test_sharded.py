"""Programs for several devices on targets that have one: stripped, and told so; or partitioned."""

import dxir

TEXT = """
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> tensor<8x4xf32> {
  %0 = stablehlo.negate %a : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}"""


def test_a_target_of_one_device_says_that_it_strips_the_shardings() -> None:
    made = dxir.prepare(dxir.load(TEXT), "iree-cpu").program
    (told,) = [d for d in made.diagnostics if d.code == "SHARDING_STRIPPED"]
    assert "the program is for the 8 devices of @mesh, and iree-cpu runs it whole" in told.message
    assert "sdy" not in str(made)
    assert "tensor<8x4xf32>" in str(made)


def test_a_target_that_takes_shardings_keeps_them() -> None:
    for name in ("portable", "xla-cpu"):
        made = dxir.prepare(dxir.load(TEXT), name).program
        assert not made.diagnostics
        assert "sdy.mesh" in made.op_counts()


def test_the_program_of_each_device_is_taken_by_a_target_of_one() -> None:
    local = dxir.load(TEXT).run_passes("dxir-partition")
    made = dxir.prepare(local, "iree-cpu").program
    assert not [d for d in made.diagnostics if d.code == "SHARDING_STRIPPED"]
    assert "tensor<2x2xf32>" in str(made)
