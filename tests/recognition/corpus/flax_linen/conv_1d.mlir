// Producer: flax.linen 0.12.12 on jax 0.12.0.1
// Module: Conv over time, gelu
// EXPECT: nothing
// MAY @main: conv=1 gelu=1

module @jit_apply attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xf32>, %arg1: tensor<3x8x16xf32>, %arg2: tensor<2x5x8xf32>) -> (tensor<2x5x16xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convolution(%arg2, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x5x8xf32>, tensor<3x8x16xf32>) -> tensor<2x5x16xf32>
    %1 = stablehlo.reshape %arg0 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %3 = stablehlo.add %0, %2 : tensor<2x5x16xf32>
    %4 = stablehlo.multiply %3, %3 : tensor<2x5x16xf32>
    %5 = stablehlo.multiply %4, %3 : tensor<2x5x16xf32>
    %cst = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x16xf32>
    %7 = stablehlo.multiply %6, %5 : tensor<2x5x16xf32>
    %8 = stablehlo.add %3, %7 : tensor<2x5x16xf32>
    %cst_0 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5x16xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<2x5x16xf32>
    %11 = stablehlo.tanh %10 : tensor<2x5x16xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x5x16xf32>
    %13 = stablehlo.add %12, %11 : tensor<2x5x16xf32>
    %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x5x16xf32>
    %15 = stablehlo.multiply %14, %13 : tensor<2x5x16xf32>
    %16 = stablehlo.multiply %3, %15 : tensor<2x5x16xf32>
    return %16 : tensor<2x5x16xf32>
  }
}
