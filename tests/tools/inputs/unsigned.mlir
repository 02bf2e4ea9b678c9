func.func @unsigned(%a: tensor<4xui8>) -> tensor<4xui8> {
  %0 = stablehlo.add %a, %a : tensor<4xui8>
  return %0 : tensor<4xui8>
}
