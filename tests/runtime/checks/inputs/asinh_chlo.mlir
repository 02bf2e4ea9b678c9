// CHLO in the test data, on complex numbers.
module @jit_main {
  func.func public @main() -> tensor<2xcomplex<f32>> {
    %0 = call @inputs() : () -> tensor<2xcomplex<f32>>
    %1 = call @expected() : () -> tensor<2xcomplex<f32>>
    %2 = chlo.asinh %0 : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
    stablehlo.custom_call @check.expect_almost_eq(%2, %1) {has_side_effect = true} : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> ()
    return %2 : tensor<2xcomplex<f32>>
  }
  func.func private @inputs() -> tensor<2xcomplex<f32>> {
    %cst = stablehlo.constant dense<[(1.0, 2.0), (-0.5, 3.0)]> : tensor<2xcomplex<f32>>
    return %cst : tensor<2xcomplex<f32>>
  }
  func.func private @expected() -> tensor<2xcomplex<f32>> {
    %cst = stablehlo.constant dense<[(1.46935177, 1.06344032), (-1.77994514, 1.39671624)]> : tensor<2xcomplex<f32>>
    return %cst : tensor<2xcomplex<f32>>
  }
}
