// Producer: torchax 0.0.13, torch 2.13.0+cpu, jax 0.10.2
// Module: matmul, masked_fill, softmax, matmul
// EXPECT @main: attention=1

module @jit_call_torch attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x2x5x4xf32>, %arg1: tensor<2x2x5x4xf32>, %arg2: tensor<2x2x5x4xf32>, %arg3: tensor<5x5xi32>) -> (tensor<2x2x5x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.transpose %arg1, dims = [0, 1, 3, 2] : (tensor<2x2x5x4xf32>) -> tensor<2x2x4x5xf32>
    %1 = stablehlo.reshape %arg0 : (tensor<2x2x5x4xf32>) -> tensor<4x5x4xf32>
    %2 = stablehlo.reshape %0 : (tensor<2x2x4x5xf32>) -> tensor<4x4x5xf32>
    %3 = stablehlo.dot_general %1, %2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x5x4xf32>, tensor<4x4x5xf32>) -> tensor<4x5x5xf32>
    %4 = stablehlo.reshape %3 : (tensor<4x5x5xf32>) -> tensor<2x2x5x5xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x5x5xf32>
    %6 = stablehlo.divide %4, %5 : tensor<2x2x5x5xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %8 = stablehlo.compare EQ, %arg3, %7, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = call @_where(%8, %cst_0, %6) : (tensor<5x5xi1>, tensor<f32>, tensor<2x2x5x5xf32>) -> tensor<2x2x5x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x2x5xf32>
    %12 = stablehlo.maximum %11, %10 : tensor<2x2x5xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x2x5xf32>) -> tensor<2x2x5x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x5xf32>
    %15 = stablehlo.subtract %9, %14 : tensor<2x2x5x5xf32>
    %16 = stablehlo.exponential %15 : tensor<2x2x5x5xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x2x5xf32>) -> tensor<2x2x5x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x5xf32>
    %20 = stablehlo.divide %16, %19 : tensor<2x2x5x5xf32>
    %21 = stablehlo.reshape %20 : (tensor<2x2x5x5xf32>) -> tensor<4x5x5xf32>
    %22 = stablehlo.reshape %arg2 : (tensor<2x2x5x4xf32>) -> tensor<4x5x4xf32>
    %23 = stablehlo.dot_general %21, %22, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x5x5xf32>, tensor<4x5x4xf32>) -> tensor<4x5x4xf32>
    %24 = stablehlo.reshape %23 : (tensor<4x5x4xf32>) -> tensor<2x2x5x4xf32>
    return %24 : tensor<2x2x5x4xf32>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<f32>, %arg2: tensor<2x2x5x5xf32>) -> tensor<2x2x5x5xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<2x2x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x2x5x5xf32>
    %3 = stablehlo.select %1, %2, %arg2 : tensor<2x2x5x5xi1>, tensor<2x2x5x5xf32>
    return %3 : tensor<2x2x5x5xf32>
  }
}
