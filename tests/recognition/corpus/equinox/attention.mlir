// Producer: equinox 0.13.8 on jax 0.12.0.1
// Module: MultiheadAttention
// EXPECT @main: attention=1

module @jit_program attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32>, %arg3: tensor<8x8xf32>, %arg4: tensor<5x8xf32>) -> (tensor<5x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<5x8xf32>) -> tensor<8x5xf32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x5xf32>) -> tensor<5x8xf32>
    %2 = stablehlo.reshape %1 : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
    %3 = stablehlo.dot_general %arg1, %arg4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<5x8xf32>) -> tensor<8x5xf32>
    %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<8x5xf32>) -> tensor<5x8xf32>
    %5 = stablehlo.reshape %4 : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
    %6 = stablehlo.dot_general %arg2, %arg4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<5x8xf32>) -> tensor<8x5xf32>
    %7 = stablehlo.transpose %6, dims = [1, 0] : (tensor<8x5xf32>) -> tensor<5x8xf32>
    %8 = stablehlo.reshape %7 : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %10 = stablehlo.divide %2, %9 : tensor<5x2x4xf32>
    %11 = stablehlo.dot_general %10, %5, batching_dims = [1] x [1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<5x2x4xf32>, tensor<5x2x4xf32>) -> tensor<2x5x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_0) applies stablehlo.maximum across dimensions = [2] : (tensor<2x5x5xf32>, tensor<f32>) -> tensor<2x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %14 = stablehlo.maximum %13, %12 : tensor<2x5xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x5xf32>
    %17 = stablehlo.subtract %11, %16 : tensor<2x5x5xf32>
    %18 = stablehlo.exponential %17 : tensor<2x5x5xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x5x5xf32>, tensor<f32>) -> tensor<2x5xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x5xf32>
    %22 = stablehlo.divide %18, %21 : tensor<2x5x5xf32>
    %23 = stablehlo.dot_general %22, %8, batching_dims = [0] x [1], contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x5xf32>, tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
    %24 = stablehlo.transpose %23, dims = [1, 0, 2] : (tensor<2x5x4xf32>) -> tensor<5x2x4xf32>
    %25 = stablehlo.reshape %24 : (tensor<5x2x4xf32>) -> tensor<5x8xf32>
    %26 = stablehlo.dot_general %arg3, %25, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<5x8xf32>) -> tensor<8x5xf32>
    %27 = stablehlo.transpose %26, dims = [1, 0] : (tensor<8x5xf32>) -> tensor<5x8xf32>
    return %27 : tensor<5x8xf32>
  }
}
