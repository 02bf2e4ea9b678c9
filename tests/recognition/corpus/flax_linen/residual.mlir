// Producer: flax.linen 0.12.12 on jax 0.12.0.1
// Module: a residual block of convolutions
// EXPECT @main: batch_norm_inference=2
// EXPECT @relu: relu=1

module @jit_apply attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>, %arg3: tensor<8xf32>, %arg4: tensor<8xf32>, %arg5: tensor<8xf32>, %arg6: tensor<8xf32>, %arg7: tensor<8xf32>, %arg8: tensor<3x3x8x8xf32>, %arg9: tensor<3x3x8x8xf32>, %arg10: tensor<2x6x6x8xf32>) -> (tensor<2x6x6x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convolution(%arg10, %arg8) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x6x6x8xf32>, tensor<3x3x8x8xf32>) -> tensor<2x6x6x8xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %2 = stablehlo.broadcast_in_dim %arg1, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<2x6x6x8xf32>
    %4 = stablehlo.subtract %0, %3 : tensor<2x6x6x8xf32>
    %cst = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x1x1x8xf32>
    %6 = stablehlo.add %2, %5 : tensor<1x1x1x8xf32>
    %7 = stablehlo.rsqrt %6 : tensor<1x1x1x8xf32>
    %8 = stablehlo.reshape %arg5 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %9 = stablehlo.multiply %7, %8 : tensor<1x1x1x8xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<2x6x6x8xf32>
    %11 = stablehlo.multiply %4, %10 : tensor<2x6x6x8xf32>
    %12 = stablehlo.reshape %arg4 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<2x6x6x8xf32>
    %14 = stablehlo.add %11, %13 : tensor<2x6x6x8xf32>
    %15 = call @relu(%14) : (tensor<2x6x6x8xf32>) -> tensor<2x6x6x8xf32>
    %16 = stablehlo.convolution(%15, %arg9) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x6x6x8xf32>, tensor<3x3x8x8xf32>) -> tensor<2x6x6x8xf32>
    %17 = stablehlo.broadcast_in_dim %arg2, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %18 = stablehlo.broadcast_in_dim %arg3, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %19 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<2x6x6x8xf32>
    %20 = stablehlo.subtract %16, %19 : tensor<2x6x6x8xf32>
    %cst_0 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x1x1x8xf32>
    %22 = stablehlo.add %18, %21 : tensor<1x1x1x8xf32>
    %23 = stablehlo.rsqrt %22 : tensor<1x1x1x8xf32>
    %24 = stablehlo.reshape %arg7 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %25 = stablehlo.multiply %23, %24 : tensor<1x1x1x8xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<2x6x6x8xf32>
    %27 = stablehlo.multiply %20, %26 : tensor<2x6x6x8xf32>
    %28 = stablehlo.reshape %arg6 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<2x6x6x8xf32>
    %30 = stablehlo.add %27, %29 : tensor<2x6x6x8xf32>
    %31 = stablehlo.add %arg10, %30 : tensor<2x6x6x8xf32>
    %32 = call @relu(%31) : (tensor<2x6x6x8xf32>) -> tensor<2x6x6x8xf32>
    return %32 : tensor<2x6x6x8xf32>
  }
  func.func private @relu(%arg0: tensor<2x6x6x8xf32>) -> tensor<2x6x6x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x6x8xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x6x6x8xf32>
    return %1 : tensor<2x6x6x8xf32>
  }
}
