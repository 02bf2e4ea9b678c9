func.func @main() -> tensor<40xi32> {
  %0 = stablehlo.constant dense_resource<__elided__> : tensor<40xi32>
  return %0 : tensor<40xi32>
}
