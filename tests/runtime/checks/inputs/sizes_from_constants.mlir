// Operands that say sizes stay constants, so that compilers know them.
func.func @main() {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %1 = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
  %2 = stablehlo.dynamic_reshape %0, %1 : (tensor<2x3xi64>, tensor<2xi32>) -> tensor<3x2xi64>
  check.expect_eq_const %2, dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %3 = stablehlo.constant dense<0> : tensor<i64>
  %4 = stablehlo.reduce(%0 init: %3) applies stablehlo.add across dimensions = [1] : (tensor<2x3xi64>, tensor<i64>) -> tensor<2xi64>
  check.expect_eq_const %4, dense<[6, 15]> : tensor<2xi64>
  return
}
