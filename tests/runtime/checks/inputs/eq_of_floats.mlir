// `check.eq` of floats is within 1e-4, of integers exact; its boolean may go unused.
func.func @main() -> tensor<i1> {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = stablehlo.constant dense<[1.00005, 2.0]> : tensor<2xf32>
  %2 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %3 = stablehlo.custom_call @check.eq(%0, %1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<i1>
  %4 = stablehlo.custom_call @check.eq(%2, %2) : (tensor<2xi32>, tensor<2xi32>) -> tensor<i1>
  return %3 : tensor<i1>
}
