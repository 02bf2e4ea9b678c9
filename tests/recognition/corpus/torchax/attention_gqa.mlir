// Producer: torchax 0.0.13, torch 2.13.0+cpu, jax 0.10.2
// Module: the same, with grouped queries
// EXPECT @main: attention=1

module @jit_call_torch attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x5x4xf32>, %arg1: tensor<2x2x5x4xf32>, %arg2: tensor<2x2x5x4xf32>) -> (tensor<2x4x5x4xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1, 3, 4] : (tensor<2x2x5x4xf32>) -> tensor<2x2x1x5x4xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3, 4] : (tensor<2x2x1x5x4xf32>) -> tensor<2x2x2x5x4xf32>
    %3 = stablehlo.reshape %2 : (tensor<2x2x2x5x4xf32>) -> tensor<2x4x5x4xf32>
    %4 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 3, 4] : (tensor<2x2x5x4xf32>) -> tensor<2x2x1x5x4xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3, 4] : (tensor<2x2x1x5x4xf32>) -> tensor<2x2x2x5x4xf32>
    %6 = stablehlo.reshape %5 : (tensor<2x2x2x5x4xf32>) -> tensor<2x4x5x4xf32>
    %7 = stablehlo.transpose %3, dims = [0, 1, 3, 2] : (tensor<2x4x5x4xf32>) -> tensor<2x4x4x5xf32>
    %8 = stablehlo.reshape %arg0 : (tensor<2x4x5x4xf32>) -> tensor<8x5x4xf32>
    %9 = stablehlo.reshape %7 : (tensor<2x4x4x5xf32>) -> tensor<8x4x5xf32>
    %10 = stablehlo.dot_general %8, %9, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x5x4xf32>, tensor<8x4x5xf32>) -> tensor<8x5x5xf32>
    %11 = stablehlo.reshape %10 : (tensor<8x5x5xf32>) -> tensor<2x4x5x5xf32>
    %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %13 = stablehlo.multiply %11, %12 : tensor<2x4x5x5xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %15 = stablehlo.multiply %0, %14 : tensor<5x5xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [2, 3] : (tensor<5x5xf32>) -> tensor<1x1x5x5xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xf32>) -> tensor<2x4x5x5xf32>
    %18 = stablehlo.add %13, %17 : tensor<2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %21 = stablehlo.maximum %20, %19 : tensor<2x4x5xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %24 = stablehlo.subtract %18, %23 : tensor<2x4x5x5xf32>
    %25 = stablehlo.exponential %24 : tensor<2x4x5x5xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.reduce(%25 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %29 = stablehlo.divide %25, %28 : tensor<2x4x5x5xf32>
    %30 = stablehlo.reshape %29 : (tensor<2x4x5x5xf32>) -> tensor<8x5x5xf32>
    %31 = stablehlo.reshape %6 : (tensor<2x4x5x4xf32>) -> tensor<8x5x4xf32>
    %32 = stablehlo.dot_general %30, %31, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x5x5xf32>, tensor<8x5x4xf32>) -> tensor<8x5x4xf32>
    %33 = stablehlo.reshape %32 : (tensor<8x5x4xf32>) -> tensor<2x4x5x4xf32>
    return %33 : tensor<2x4x5x4xf32>
  }
}
