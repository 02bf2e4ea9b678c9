// Producer: keras 3.15.1 on jax 0.12.0.1
// Module: GroupQueryAttention
// EXPECT @main: attention=1 linear=4

module @jit_program attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x4x4xf32>, %arg1: tensor<4x4xf32>, %arg2: tensor<8x2x4xf32>, %arg3: tensor<2x4xf32>, %arg4: tensor<8x2x4xf32>, %arg5: tensor<2x4xf32>, %arg6: tensor<4x4x8xf32>, %arg7: tensor<8xf32>, %arg8: tensor<2x5x8xf32>) -> (tensor<2x5x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg8, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x4x4xf32>) -> tensor<2x5x4x4xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [2, 3] : (tensor<4x4xf32>) -> tensor<1x1x4x4xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x4x4xf32>) -> tensor<2x5x4x4xf32>
    %3 = stablehlo.add %0, %2 : tensor<2x5x4x4xf32>
    %4 = stablehlo.dot_general %arg8, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x2x4xf32>) -> tensor<2x5x2x4xf32>
    %5 = stablehlo.broadcast_in_dim %arg3, dims = [2, 3] : (tensor<2x4xf32>) -> tensor<1x1x2x4xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3] : (tensor<1x1x2x4xf32>) -> tensor<2x5x2x4xf32>
    %7 = stablehlo.add %4, %6 : tensor<2x5x2x4xf32>
    %8 = stablehlo.dot_general %arg8, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x2x4xf32>) -> tensor<2x5x2x4xf32>
    %9 = stablehlo.broadcast_in_dim %arg5, dims = [2, 3] : (tensor<2x4xf32>) -> tensor<1x1x2x4xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<1x1x2x4xf32>) -> tensor<2x5x2x4xf32>
    %11 = stablehlo.add %8, %10 : tensor<2x5x2x4xf32>
    %12 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 4] : (tensor<2x5x2x4xf32>) -> tensor<2x5x2x2x4xf32>
    %13 = stablehlo.reshape %12 : (tensor<2x5x2x2x4xf32>) -> tensor<2x5x4x4xf32>
    %14 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 4] : (tensor<2x5x2x4xf32>) -> tensor<2x5x2x2x4xf32>
    %15 = stablehlo.reshape %14 : (tensor<2x5x2x2x4xf32>) -> tensor<2x5x4x4xf32>
    %16 = stablehlo.reshape %3 : (tensor<2x5x4x4xf32>) -> tensor<2x5x4x1x4xf32>
    %17 = stablehlo.dot_general %16, %13, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x1x4xf32>, tensor<2x5x4x4xf32>) -> tensor<2x4x5x1x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x5x1x5xf32>
    %19 = stablehlo.multiply %17, %18 : tensor<2x4x5x1x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_0) applies stablehlo.maximum across dimensions = [4] : (tensor<2x4x5x1x5xf32>, tensor<f32>) -> tensor<2x4x5x1xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x5x1xf32>
    %22 = stablehlo.maximum %21, %20 : tensor<2x4x5x1xf32>
    %23 = stablehlo.transpose %22, dims = [3, 0, 1, 2] : (tensor<2x4x5x1xf32>) -> tensor<1x2x4x5xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %25 = stablehlo.transpose %19, dims = [3, 0, 1, 2, 4] : (tensor<2x4x5x1x5xf32>) -> tensor<1x2x4x5x5xf32>
    %26 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %27 = stablehlo.subtract %25, %26 : tensor<1x2x4x5x5xf32>
    %28 = stablehlo.exponential %27 : tensor<1x2x4x5x5xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_2) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x5x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2, 3] : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5x1xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x5x1xf32>) -> tensor<1x2x4x5x5xf32>
    %32 = stablehlo.divide %28, %31 : tensor<1x2x4x5x5xf32>
    %33 = stablehlo.dot_general %15, %32, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x4xf32>, tensor<1x2x4x5x5xf32>) -> tensor<2x4x4x1x5xf32>
    %34 = stablehlo.transpose %33, dims = [3, 0, 4, 1, 2] : (tensor<2x4x4x1x5xf32>) -> tensor<1x2x5x4x4xf32>
    %35 = stablehlo.transpose %34, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x4x4xf32>) -> tensor<2x5x4x1x4xf32>
    %36 = stablehlo.reshape %35 : (tensor<2x5x4x1x4xf32>) -> tensor<2x5x4x4xf32>
    %37 = stablehlo.dot_general %36, %arg6, contracting_dims = [3, 2] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x4x4xf32>, tensor<4x4x8xf32>) -> tensor<2x5x8xf32>
    %38 = stablehlo.broadcast_in_dim %arg7, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %40 = stablehlo.add %37, %39 : tensor<2x5x8xf32>
    return %40 : tensor<2x5x8xf32>
  }
}
