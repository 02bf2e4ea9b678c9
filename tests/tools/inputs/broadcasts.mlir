func.func @broadcasts(%a: tensor<4xf32>, %b: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<4xf32>) {
  %0 = chlo.broadcast_add %a, %b : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %1 = chlo.square %a : tensor<4xf32> -> tensor<4xf32>
  return %0, %1 : tensor<3x4xf32>, tensor<4xf32>
}
