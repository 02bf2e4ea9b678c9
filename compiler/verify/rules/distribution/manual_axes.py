"""Axes that are for one device already, and are used again."""

from __future__ import annotations

from dxir.verify.rule import Rule


class ManualAxes(Rule, id="distribution-manual-axes", severity="error"):
    """Code for one device uses an axis that is split already, or puts its axes in a wrong order.

    In the body of an sdy.manual_computation the manual axes are gone: a value there is one device's
    part, and cannot be split along them again, by a sharding or by a manual_computation inside.
    Outside, in its shardings, the manual axes of a dimension come before the free ones. Every tool
    rejects the module.
    """

    remedy = "in the body use the other axes only; around it, put manual axes first"
    messages = (
        r"already bound by a parent sdy\.manual_computation",
        r"must have all manual axes come before free axes",
    )
    faulty = """\
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>]
      out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%part: tensor<2xf32>) {
    %1 = sdy.sharding_constraint %part <@mesh, [{"x"}]> : tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
    fixed = """\
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>]
      out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%part: tensor<2xf32>) {
    %1 = sdy.sharding_constraint %part <@mesh, [{"y"}]> : tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
