// Producer: flax.nnx 0.12.12 on jax 0.12.0.1
// Module: Conv, BatchNorm, relu
// EXPECT @main: batch_norm_inference=1
// EXPECT @relu: relu=1
// MAY @main: conv=1

module @jit_program attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xf32>, %arg1: tensor<3x3x8x16xf32>, %arg2: tensor<16xf32>, %arg3: tensor<16xf32>, %arg4: tensor<16xf32>, %arg5: tensor<16xf32>, %arg6: tensor<2x6x6x8xf32>) -> (tensor<2x6x6x16xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convolution(%arg6, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x6x6x8xf32>, tensor<3x3x8x16xf32>) -> tensor<2x6x6x16xf32>
    %1 = stablehlo.reshape %arg0 : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xf32>) -> tensor<2x6x6x16xf32>
    %3 = stablehlo.add %0, %2 : tensor<2x6x6x16xf32>
    %4 = stablehlo.reshape %arg3 : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %5 = stablehlo.reshape %arg5 : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %6 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xf32>) -> tensor<2x6x6x16xf32>
    %7 = stablehlo.subtract %3, %6 : tensor<2x6x6x16xf32>
    %cst = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x1x1x16xf32>
    %9 = stablehlo.add %5, %8 : tensor<1x1x1x16xf32>
    %10 = stablehlo.rsqrt %9 : tensor<1x1x1x16xf32>
    %11 = stablehlo.reshape %arg4 : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %12 = stablehlo.multiply %10, %11 : tensor<1x1x1x16xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xf32>) -> tensor<2x6x6x16xf32>
    %14 = stablehlo.multiply %7, %13 : tensor<2x6x6x16xf32>
    %15 = stablehlo.reshape %arg2 : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xf32>) -> tensor<2x6x6x16xf32>
    %17 = stablehlo.add %14, %16 : tensor<2x6x6x16xf32>
    %18 = call @relu(%17) : (tensor<2x6x6x16xf32>) -> tensor<2x6x6x16xf32>
    return %18 : tensor<2x6x6x16xf32>
  }
  func.func private @relu(%arg0: tensor<2x6x6x16xf32>) -> tensor<2x6x6x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x6x16xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x6x6x16xf32>
    return %1 : tensor<2x6x6x16xf32>
  }
}
