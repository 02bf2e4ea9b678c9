// The names that two ops of the check dialect had until 2023.
func.func @older_names() {
  %0 = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf64>
  %1 = stablehlo.negate %0 : tensor<2xf64>
  check.almost_eq %1, dense<[-1.00001, 2.0]> : tensor<2xf64>
  %2 = stablehlo.compare GT, %0, %1 : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xi1>
  check.eq %2, dense<[true, false]> : tensor<2xi1>
  func.return
}
