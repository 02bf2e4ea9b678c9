// Producer: torchax 0.0.13, torch 2.13.0+cpu, jax 0.10.2
// Module: functional.scaled_dot_product_attention
// EXPECT @main: attention=1

module @jit_call_torch attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x2x5x4xf32>, %arg1: tensor<2x2x5x4xf32>, %arg2: tensor<2x2x5x4xf32>) -> (tensor<2x2x5x4xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %1 = stablehlo.transpose %arg1, dims = [0, 1, 3, 2] : (tensor<2x2x5x4xf32>) -> tensor<2x2x4x5xf32>
    %2 = stablehlo.reshape %arg0 : (tensor<2x2x5x4xf32>) -> tensor<4x5x4xf32>
    %3 = stablehlo.reshape %1 : (tensor<2x2x4x5xf32>) -> tensor<4x4x5xf32>
    %4 = stablehlo.dot_general %2, %3, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x5x4xf32>, tensor<4x4x5xf32>) -> tensor<4x5x5xf32>
    %5 = stablehlo.reshape %4 : (tensor<4x5x5xf32>) -> tensor<2x2x5x5xf32>
    %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x2x5x5xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<2x2x5x5xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %9 = stablehlo.multiply %0, %8 : tensor<5x5xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [2, 3] : (tensor<5x5xf32>) -> tensor<1x1x5x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xf32>) -> tensor<2x2x5x5xf32>
    %12 = stablehlo.add %7, %11 : tensor<2x2x5x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x2x5xf32>
    %15 = stablehlo.maximum %14, %13 : tensor<2x2x5xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<2x2x5xf32>) -> tensor<2x2x5x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x5xf32>
    %18 = stablehlo.subtract %12, %17 : tensor<2x2x5x5xf32>
    %19 = stablehlo.exponential %18 : tensor<2x2x5x5xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<2x2x5xf32>) -> tensor<2x2x5x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x5xf32>
    %23 = stablehlo.divide %19, %22 : tensor<2x2x5x5xf32>
    %24 = stablehlo.reshape %23 : (tensor<2x2x5x5xf32>) -> tensor<4x5x5xf32>
    %25 = stablehlo.reshape %arg2 : (tensor<2x2x5x4xf32>) -> tensor<4x5x4xf32>
    %26 = stablehlo.dot_general %24, %25, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x5x5xf32>, tensor<4x5x4xf32>) -> tensor<4x5x4xf32>
    %27 = stablehlo.reshape %26 : (tensor<4x5x4xf32>) -> tensor<2x2x5x4xf32>
    return %27 : tensor<2x2x5x4xf32>
  }
}
