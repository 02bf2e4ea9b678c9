// Producer: jax 0.12.0.1
// Module: without a batch
// EXPECT @main: attention=1

module @jit_program attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x4x8xf32>, %arg1: tensor<6x4x8xf32>, %arg2: tensor<6x4x8xf32>) -> (tensor<6x4x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3] : (tensor<6x4x8xf32>) -> tensor<1x6x4x8xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<6x4x8xf32>) -> tensor<1x6x4x8xf32>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [1, 2, 3] : (tensor<6x4x8xf32>) -> tensor<1x6x4x8xf32>
    %3 = stablehlo.reshape %0 : (tensor<1x6x4x8xf32>) -> tensor<1x6x4x1x8xf32>
    %4 = stablehlo.dot_general %3, %1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x6x4x1x8xf32>, tensor<1x6x4x8xf32>) -> tensor<1x4x6x1x6xf32>
    %cst = stablehlo.constant dense<0.353553385> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x4x6x1x6xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<1x4x6x1x6xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.maximum across dimensions = [4] : (tensor<1x4x6x1x6xf32>, tensor<f32>) -> tensor<1x4x6x1xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x4x6x1xf32>
    %9 = stablehlo.maximum %8, %7 : tensor<1x4x6x1xf32>
    %10 = stablehlo.transpose %9, dims = [3, 0, 1, 2] : (tensor<1x4x6x1xf32>) -> tensor<1x1x4x6xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<1x1x4x6xf32>) -> tensor<1x1x4x6x1xf32>
    %12 = stablehlo.transpose %6, dims = [3, 0, 1, 2, 4] : (tensor<1x4x6x1x6xf32>) -> tensor<1x1x4x6x6xf32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3, 4] : (tensor<1x1x4x6x1xf32>) -> tensor<1x1x4x6x6xf32>
    %14 = stablehlo.subtract %12, %13 : tensor<1x1x4x6x6xf32>
    %15 = stablehlo.exponential %14 : tensor<1x1x4x6x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_2) applies stablehlo.add across dimensions = [4] : (tensor<1x1x4x6x6xf32>, tensor<f32>) -> tensor<1x1x4x6xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<1x1x4x6xf32>) -> tensor<1x1x4x6x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3, 4] : (tensor<1x1x4x6x1xf32>) -> tensor<1x1x4x6x6xf32>
    %19 = stablehlo.divide %15, %18 : tensor<1x1x4x6x6xf32>
    %20 = stablehlo.dot_general %2, %19, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<1x6x4x8xf32>, tensor<1x1x4x6x6xf32>) -> tensor<1x4x8x1x6xf32>
    %21 = stablehlo.transpose %20, dims = [3, 0, 4, 1, 2] : (tensor<1x4x8x1x6xf32>) -> tensor<1x1x6x4x8xf32>
    %22 = stablehlo.transpose %21, dims = [1, 2, 3, 0, 4] : (tensor<1x1x6x4x8xf32>) -> tensor<1x6x4x1x8xf32>
    %23 = stablehlo.reshape %22 : (tensor<1x6x4x1x8xf32>) -> tensor<1x6x4x8xf32>
    %24 = stablehlo.reshape %23 : (tensor<1x6x4x8xf32>) -> tensor<6x4x8xf32>
    return %24 : tensor<6x4x8xf32>
  }
}
