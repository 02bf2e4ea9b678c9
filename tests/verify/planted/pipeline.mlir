// Several functions for a server to call; main calls them all.
module @pipeline attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @encode(%x: tensor<4x16xf32>, %w: tensor<16x8xf32>) -> tensor<4x8xf32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
    %1 = stablehlo.tanh %0 : tensor<4x8xf32>
    return %1 : tensor<4x8xf32>
  }
  func.func public @decode(%h: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xf32> {
    %0 = stablehlo.transpose %w, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %1 = stablehlo.dot_general %h, %0, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
    %2 = func.call @clipped(%1) : (tensor<4x16xf32>) -> tensor<4x16xf32>
    return %2 : tensor<4x16xf32>
  }
  func.func private @clipped(%x: tensor<4x16xf32>) -> tensor<4x16xf32> {
    %low = stablehlo.constant dense<-1.0> : tensor<f32>
    %high = stablehlo.constant dense<1.0> : tensor<f32>
    %0 = stablehlo.clamp %low, %x, %high : (tensor<f32>, tensor<4x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    return %0 : tensor<4x16xf32>
  }
  func.func public @main(%x: tensor<4x16xf32>, %w: tensor<16x8xf32>, %n: tensor<i32>) -> (tensor<4x16xf32>, tensor<4x8xf32>) {
    %h = call @encode(%x, %w) : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
    %y = call @decode(%h, %w) : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32>
    %z = "stablehlo.case"(%n) ({
      %a = stablehlo.negate %y : tensor<4x16xf32>
      stablehlo.return %a : tensor<4x16xf32>
    }, {
      stablehlo.return %y : tensor<4x16xf32>
    }) : (tensor<i32>) -> tensor<4x16xf32>
    return %z, %h : tensor<4x16xf32>, tensor<4x8xf32>
  }
}
