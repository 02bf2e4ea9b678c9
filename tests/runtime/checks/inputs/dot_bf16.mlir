// Two inputs of one call, and a check within a thousandth.
module @jit_main {
  func.func public @main() -> tensor<2x2xbf16> {
    %0:2 = call @inputs() : () -> (tensor<2x3xbf16>, tensor<3x2xbf16>)
    %1 = call @expected() : () -> tensor<2x2xbf16>
    %2 = stablehlo.dot_general %0#0, %0#1, contracting_dims = [1] x [0] : (tensor<2x3xbf16>, tensor<3x2xbf16>) -> tensor<2x2xbf16>
    stablehlo.custom_call @check.expect_almost_eq(%2, %1) {has_side_effect = true} : (tensor<2x2xbf16>, tensor<2x2xbf16>) -> ()
    return %2 : tensor<2x2xbf16>
  }
  func.func private @inputs() -> (tensor<2x3xbf16>, tensor<3x2xbf16>) {
    %cst = stablehlo.constant dense<[[1.0, 2.0, 3.0], [-1.0, 0.5, 4.0]]> : tensor<2x3xbf16>
    %cst_0 = stablehlo.constant dense<[[1.0, 0.5], [-2.0, 1.0], [0.25, 8.0]]> : tensor<3x2xbf16>
    return %cst, %cst_0 : tensor<2x3xbf16>, tensor<3x2xbf16>
  }
  func.func private @expected() -> tensor<2x2xbf16> {
    %cst = stablehlo.constant dense<[[-2.25, 26.5], [-1.0, 32.0]]> : tensor<2x2xbf16>
    return %cst : tensor<2x2xbf16>
  }
}
