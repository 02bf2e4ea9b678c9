// Producer: torchax 0.0.13, torch 2.13.0+cpu, jax 0.10.2
// Module: the same, with a boolean mask
// EXPECT @main: attention=1

module @jit_call_torch attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x2x5x4xf32>, %arg1: tensor<2x2x5x4xf32>, %arg2: tensor<2x2x5x4xf32>, %arg3: tensor<5x5xi1>) -> (tensor<2x2x5x4xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %1 = stablehlo.not %arg3 : tensor<5x5xi1>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = call @_where(%1, %cst_0, %0) : (tensor<5x5xi1>, tensor<f32>, tensor<5x5xf32>) -> tensor<5x5xf32>
    %3 = stablehlo.transpose %arg1, dims = [0, 1, 3, 2] : (tensor<2x2x5x4xf32>) -> tensor<2x2x4x5xf32>
    %4 = stablehlo.reshape %arg0 : (tensor<2x2x5x4xf32>) -> tensor<4x5x4xf32>
    %5 = stablehlo.reshape %3 : (tensor<2x2x4x5xf32>) -> tensor<4x4x5xf32>
    %6 = stablehlo.dot_general %4, %5, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x5x4xf32>, tensor<4x4x5xf32>) -> tensor<4x5x5xf32>
    %7 = stablehlo.reshape %6 : (tensor<4x5x5xf32>) -> tensor<2x2x5x5xf32>
    %cst_1 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x2x5x5xf32>
    %9 = stablehlo.multiply %7, %8 : tensor<2x2x5x5xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %11 = stablehlo.multiply %2, %10 : tensor<5x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [2, 3] : (tensor<5x5xf32>) -> tensor<1x1x5x5xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xf32>) -> tensor<2x2x5x5xf32>
    %14 = stablehlo.add %9, %13 : tensor<2x2x5x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_3) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x2x5xf32>
    %17 = stablehlo.maximum %16, %15 : tensor<2x2x5xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x2x5xf32>) -> tensor<2x2x5x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x5xf32>
    %20 = stablehlo.subtract %14, %19 : tensor<2x2x5x5xf32>
    %21 = stablehlo.exponential %20 : tensor<2x2x5x5xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.reduce(%21 init: %cst_5) applies stablehlo.add across dimensions = [3] : (tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2] : (tensor<2x2x5xf32>) -> tensor<2x2x5x1xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2, 3] : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x5xf32>
    %25 = stablehlo.divide %21, %24 : tensor<2x2x5x5xf32>
    %26 = stablehlo.reshape %25 : (tensor<2x2x5x5xf32>) -> tensor<4x5x5xf32>
    %27 = stablehlo.reshape %arg2 : (tensor<2x2x5x4xf32>) -> tensor<4x5x4xf32>
    %28 = stablehlo.dot_general %26, %27, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x5x5xf32>, tensor<4x5x4xf32>) -> tensor<4x5x4xf32>
    %29 = stablehlo.reshape %28 : (tensor<4x5x4xf32>) -> tensor<2x2x5x4xf32>
    return %29 : tensor<2x2x5x4xf32>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<f32>, %arg2: tensor<5x5xf32>) -> tensor<5x5xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<5x5xi1>, tensor<5x5xf32>
    return %2 : tensor<5x5xf32>
  }
}
