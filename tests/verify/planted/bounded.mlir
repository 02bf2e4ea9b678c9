// Rows of an unknown number, and of a bounded one.
module @bounded {
  func.func @main(%x: tensor<?x8xf32>, %y: tensor<?x8xf32>, %keep: tensor<8xi1>, %b: tensor<?x8xf32, #stablehlo.bounds<16, ?>>) -> (tensor<?x8xf32>, tensor<8xf32>, tensor<?x8xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %sum = stablehlo.add %x, %y : tensor<?x8xf32>
    %rows = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x8xf32>) -> tensor<i32>
    %one = stablehlo.reshape %rows : (tensor<i32>) -> tensor<1xi32>
    %eight = stablehlo.constant dense<8> : tensor<1xi32>
    %shape = stablehlo.concatenate %one, %eight, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %mask = stablehlo.dynamic_broadcast_in_dim %keep, %shape, dims = [1] : (tensor<8xi1>, tensor<2xi32>) -> tensor<?x8xi1>
    %kept = stablehlo.select %mask, %sum, %x : tensor<?x8xi1>, tensor<?x8xf32>
    %total = stablehlo.reduce(%b init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?x8xf32, #stablehlo.bounds<16, ?>>, tensor<f32>) -> tensor<8xf32>
    %both:2 = "stablehlo.reduce"(%x, %y, %zero, %zero) <{dimensions = array<i64: 0>}> ({
    ^bb0(%a0: tensor<f32>, %b0: tensor<f32>, %a1: tensor<f32>, %b1: tensor<f32>):
      %m0 = stablehlo.add %a0, %a1 : tensor<f32>
      %m1 = stablehlo.add %b0, %b1 : tensor<f32>
      stablehlo.return %m0, %m1 : tensor<f32>, tensor<f32>
    }) : (tensor<?x8xf32>, tensor<?x8xf32>, tensor<f32>, tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>)
    %means = stablehlo.add %both#0, %both#1 : tensor<8xf32>
    %all = stablehlo.add %means, %total : tensor<8xf32>
    %again = stablehlo.dynamic_reshape %kept, %shape : (tensor<?x8xf32>, tensor<2xi32>) -> tensor<?x8xf32>
    return %kept, %all, %again : tensor<?x8xf32>, tensor<8xf32>, tensor<?x8xf32>
  }
}
