// Producer: jax 0.12.0.1
// Module: NCHW, stride 2
// EXPECT @main: conv=1

module @jit_conv_first attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x8x6x6xf32>, %arg1: tensor<4x8x3x3xf32>, %arg2: tensor<4xf32>) -> (tensor<2x4x2x2xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x8x6x6xf32>, tensor<4x8x3x3xf32>) -> tensor<2x4x2x2xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [0] : (tensor<4xf32>) -> tensor<4x1x1xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [1, 2, 3] : (tensor<4x1x1xf32>) -> tensor<1x4x1x1xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2, 3] : (tensor<1x4x1x1xf32>) -> tensor<2x4x2x2xf32>
    %4 = stablehlo.add %0, %3 : tensor<2x4x2x2xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x2x2xf32>
    %6 = stablehlo.maximum %4, %5 : tensor<2x4x2x2xf32>
    return %6 : tensor<2x4x2x2xf32>
  }
}
