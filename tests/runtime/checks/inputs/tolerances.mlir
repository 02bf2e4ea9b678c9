// What the ops of the check dialect may say, in custom and in generic form.
func.func @tolerances() {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = stablehlo.exponential %0 : tensor<2xf32>
  %2 = stablehlo.constant dense<[2.7182818, 7.3890562]> : tensor<2xf32>
  check.expect_almost_eq %1, %2 : tensor<2xf32>
  check.expect_almost_eq %1, %2, tolerance = 0.01 : tensor<2xf32>
  check.expect_almost_eq_const %1, dense<[2.72, 7.39]> : tensor<2xf32>, tolerance = 0.01
  check.expect_close %1, %2, max_ulp_difference = 2 : tensor<2xf32>, tensor<2xf32>
  check.expect_close %0, %0, max_ulp_difference = 0, min_ulp_difference = 0 : tensor<2xf32>, tensor<2xf32>
  "check.expect_close"(%1, %2) {max_ulp_difference = 2 : ui64} : (tensor<2xf32>, tensor<2xf32>) -> ()
  "check.expect_eq"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> ()
  func.return
}
