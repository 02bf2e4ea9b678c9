// Checks in a function that is called twice.
func.func @main() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xui8>
  %1 = stablehlo.constant dense<[3, 4]> : tensor<2xui8>
  call @commutes(%0, %1) : (tensor<2xui8>, tensor<2xui8>) -> ()
  call @commutes(%1, %1) : (tensor<2xui8>, tensor<2xui8>) -> ()
  return
}
func.func private @commutes(%a: tensor<2xui8>, %b: tensor<2xui8>) {
  %0 = stablehlo.add %a, %b : tensor<2xui8>
  %1 = stablehlo.add %b, %a : tensor<2xui8>
  check.expect_eq %0, %1 : tensor<2xui8>
  return
}
