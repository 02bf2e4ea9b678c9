func.func @first(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}
// -----
func.func @second(%a: tensor<2xf32>) -> tensor<2xf32> {
  // The next line uses a value that is not there.
  %0 = stablehlo.tanh %b : tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
func.func @third(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}
