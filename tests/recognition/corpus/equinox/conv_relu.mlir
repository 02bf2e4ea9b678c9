// Producer: equinox 0.13.8 on jax 0.12.0.1
// Module: Conv2d, relu
// EXPECT @main: conv=1
// EXPECT @relu: relu=1

module @jit_program attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x8x3x3xf32>, %arg1: tensor<16x1x1xf32>, %arg2: tensor<8x6x6xf32>) -> (tensor<16x4x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [1, 2, 3] : (tensor<8x6x6xf32>) -> tensor<1x8x6x6xf32>
    %1 = stablehlo.convolution(%0, %arg0) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x6x6xf32>, tensor<16x8x3x3xf32>) -> tensor<1x16x4x4xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x16x4x4xf32>) -> tensor<16x4x4xf32>
    %3 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1, 2] : (tensor<16x1x1xf32>) -> tensor<16x4x4xf32>
    %4 = stablehlo.add %2, %3 : tensor<16x4x4xf32>
    %5 = call @relu(%4) : (tensor<16x4x4xf32>) -> tensor<16x4x4xf32>
    return %5 : tensor<16x4x4xf32>
  }
  func.func private @relu(%arg0: tensor<16x4x4xf32>) -> tensor<16x4x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<16x4x4xf32>
    return %1 : tensor<16x4x4xf32>
  }
}
