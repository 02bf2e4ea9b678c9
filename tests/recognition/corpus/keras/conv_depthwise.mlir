// Producer: keras 3.15.1 on jax 0.12.0.1
// Module: DepthwiseConv2D, relu
// EXPECT @main: conv=1
// EXPECT @relu: relu=1

module @jit_program attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x3x8x1xf32>, %arg1: tensor<8xf32>, %arg2: tensor<2x6x6x8xf32>) -> (tensor<2x4x4x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<3x3x8x1xf32>) -> tensor<3x3x1x8xf32>
    %1 = stablehlo.convolution(%arg2, %0) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 8 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x6x6x8xf32>, tensor<3x3x1x8xf32>) -> tensor<2x4x4x8xf32>
    %2 = stablehlo.reshape %arg1 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<2x4x4x8xf32>
    %4 = stablehlo.add %1, %3 : tensor<2x4x4x8xf32>
    %5 = call @relu(%4) : (tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32>
    return %5 : tensor<2x4x4x8xf32>
  }
  func.func private @relu(%arg0: tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x4x8xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x4x4x8xf32>
    return %1 : tensor<2x4x4x8xf32>
  }
}
