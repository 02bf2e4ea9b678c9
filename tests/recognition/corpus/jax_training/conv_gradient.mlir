// Producer: optax 0.2.8 on jax 0.12.0.1
// Module: the gradient of a convolution with bias and relu
// EXPECT: anything

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x4x8xf32>, %arg1: tensor<3x3x8x16xf32>, %arg2: tensor<16xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<2x4x4x8xf32> {jax.result_info = "result[1][0]"}, tensor<3x3x8x16xf32> {jax.result_info = "result[1][1]"}, tensor<16xf32> {jax.result_info = "result[1][2]"}) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x4x4x8xf32>, tensor<3x3x8x16xf32>) -> tensor<2x4x4x16xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xf32>) -> tensor<2x4x4x16xf32>
    %3 = stablehlo.add %0, %2 : tensor<2x4x4x16xf32>
    %4 = call @relu(%3) : (tensor<2x4x4x16xf32>) -> tensor<2x4x4x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x4x16xf32>
    %6 = stablehlo.compare GT, %3, %5, FLOAT : (tensor<2x4x4x16xf32>, tensor<2x4x4x16xf32>) -> tensor<2x4x4x16xi1>
    %7 = chlo.square %4 : tensor<2x4x4x16xf32> -> tensor<2x4x4x16xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x4x16xf32>
    %9 = stablehlo.multiply %8, %4 : tensor<2x4x4x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x4x4x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x4x16xf32>
    %12 = stablehlo.multiply %11, %9 : tensor<2x4x4x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x4x16xf32>
    %14 = stablehlo.select %6, %12, %13 : tensor<2x4x4x16xi1>, tensor<2x4x4x16xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_4) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x4x4x16xf32>, tensor<f32>) -> tensor<16xf32>
    %16 = stablehlo.reshape %15 : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst_5) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %18 = stablehlo.convolution(%arg0, %14) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x4x4x8xf32>, tensor<2x4x4x16xf32>) -> tensor<3x3x8x16xf32>
    %19 = stablehlo.reverse %arg1, dims = [0, 1] : tensor<3x3x8x16xf32>
    %20 = stablehlo.convolution(%14, %19) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x4x4x16xf32>, tensor<3x3x8x16xf32>) -> tensor<2x4x4x8xf32>
    return %10, %20, %18, %17 : tensor<f32>, tensor<2x4x4x8xf32>, tensor<3x3x8x16xf32>, tensor<16xf32>
  }
  func.func private @relu(%arg0: tensor<2x4x4x16xf32>) -> tensor<2x4x4x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x4x16xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x4x4x16xf32>
    return %1 : tensor<2x4x4x16xf32>
  }
}
