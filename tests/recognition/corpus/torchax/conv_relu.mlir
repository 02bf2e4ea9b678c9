// Producer: torchax 0.0.13, torch 2.13.0+cpu, jax 0.10.2
// Module: Conv2d, ReLU
// EXPECT @main: conv=1
// EXPECT @relu: relu=1

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xf32>, %arg1: tensor<16x8x3x3xf32>, %arg2: tensor<2x8x6x6xf32>) -> (tensor<2x16x4x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convolution(%arg2, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x8x6x6xf32>, tensor<16x8x3x3xf32>) -> tensor<2x16x4x4xf32>
    %1 = stablehlo.reshape %arg0 : (tensor<16xf32>) -> tensor<1x16x1x1xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x16x1x1xf32>) -> tensor<2x16x4x4xf32>
    %3 = stablehlo.add %0, %2 : tensor<2x16x4x4xf32>
    %4 = call @relu(%3) : (tensor<2x16x4x4xf32>) -> tensor<2x16x4x4xf32>
    return %4 : tensor<2x16x4x4xf32>
  }
  func.func private @relu(%arg0: tensor<2x16x4x4xf32>) -> tensor<2x16x4x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x16x4x4xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x16x4x4xf32>
    return %1 : tensor<2x16x4x4xf32>
  }
}
