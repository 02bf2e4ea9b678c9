func.func @main(%a: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %s = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %s1 = stablehlo.reshape %s : (tensor<i32>) -> tensor<1xi32>
  %f = stablehlo.constant dense<4> : tensor<1xi32>
  %shape = stablehlo.concatenate %s1, %f, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.dynamic_broadcast_in_dim %c, %shape, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
  %1 = stablehlo.add %a, %0 : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
