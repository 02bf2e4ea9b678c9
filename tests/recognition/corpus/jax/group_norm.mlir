// Producer: jax 0.12.0.1
// Module: 2 groups of channels
// EXPECT @main: group_norm=1

module @jit_group_norm attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x4x8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) -> (tensor<2x4x4x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x4x4x8xf32>) -> tensor<2x4x4x2x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<2x4x4x2x4xf32>, tensor<f32>) -> tensor<2x2xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 3] : (tensor<2x2xf32>) -> tensor<2x1x1x2x1xf32>
    %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x1x1x2x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<2x1x1x2x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3, 4] : (tensor<2x1x1x2x1xf32>) -> tensor<2x4x4x2x4xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<2x4x4x2x4xf32>
    %7 = chlo.square %6 : tensor<2x4x4x2x4xf32> -> tensor<2x4x4x2x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<2x4x4x2x4xf32>, tensor<f32>) -> tensor<2x2xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 3] : (tensor<2x2xf32>) -> tensor<2x1x1x2x1xf32>
    %cst_2 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x1x1x2x1xf32>
    %11 = stablehlo.divide %9, %10 : tensor<2x1x1x2x1xf32>
    %12 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3, 4] : (tensor<2x1x1x2x1xf32>) -> tensor<2x4x4x2x4xf32>
    %13 = stablehlo.subtract %0, %12 : tensor<2x4x4x2x4xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x1x1x2x1xf32>
    %15 = stablehlo.add %11, %14 : tensor<2x1x1x2x1xf32>
    %16 = stablehlo.rsqrt %15 : tensor<2x1x1x2x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3, 4] : (tensor<2x1x1x2x1xf32>) -> tensor<2x4x4x2x4xf32>
    %18 = stablehlo.multiply %13, %17 : tensor<2x4x4x2x4xf32>
    %19 = stablehlo.reshape %18 : (tensor<2x4x4x2x4xf32>) -> tensor<2x4x4x8xf32>
    %20 = stablehlo.broadcast_in_dim %arg1, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<2x4x4x8xf32>
    %22 = stablehlo.multiply %19, %21 : tensor<2x4x4x8xf32>
    %23 = stablehlo.broadcast_in_dim %arg2, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<2x4x4x8xf32>
    %25 = stablehlo.add %22, %24 : tensor<2x4x4x8xf32>
    return %25 : tensor<2x4x4x8xf32>
  }
}
