// Producer: equinox 0.13.8 on jax 0.12.0.1
// Module: MultiheadAttention with biases
// EXPECT @main: attention=1 linear=4

module @jit_program attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8x8xf32>, %arg3: tensor<8xf32>, %arg4: tensor<8x8xf32>, %arg5: tensor<8xf32>, %arg6: tensor<8x8xf32>, %arg7: tensor<8xf32>, %arg8: tensor<5x8xf32>) -> (tensor<5x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg8, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<5x8xf32>) -> tensor<8x5xf32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x5xf32>) -> tensor<5x8xf32>
    %2 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<5x8xf32>
    %4 = stablehlo.add %1, %3 : tensor<5x8xf32>
    %5 = stablehlo.reshape %4 : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
    %6 = stablehlo.dot_general %arg2, %arg8, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<5x8xf32>) -> tensor<8x5xf32>
    %7 = stablehlo.transpose %6, dims = [1, 0] : (tensor<8x5xf32>) -> tensor<5x8xf32>
    %8 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<5x8xf32>
    %10 = stablehlo.add %7, %9 : tensor<5x8xf32>
    %11 = stablehlo.reshape %10 : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
    %12 = stablehlo.dot_general %arg4, %arg8, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<5x8xf32>) -> tensor<8x5xf32>
    %13 = stablehlo.transpose %12, dims = [1, 0] : (tensor<8x5xf32>) -> tensor<5x8xf32>
    %14 = stablehlo.broadcast_in_dim %arg5, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<5x8xf32>
    %16 = stablehlo.add %13, %15 : tensor<5x8xf32>
    %17 = stablehlo.reshape %16 : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %19 = stablehlo.divide %5, %18 : tensor<5x2x4xf32>
    %20 = stablehlo.dot_general %19, %11, batching_dims = [1] x [1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<5x2x4xf32>, tensor<5x2x4xf32>) -> tensor<2x5x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %21 = stablehlo.reduce(%20 init: %cst_0) applies stablehlo.maximum across dimensions = [2] : (tensor<2x5x5xf32>, tensor<f32>) -> tensor<2x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %23 = stablehlo.maximum %22, %21 : tensor<2x5xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x5xf32>
    %26 = stablehlo.subtract %20, %25 : tensor<2x5x5xf32>
    %27 = stablehlo.exponential %26 : tensor<2x5x5xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.reduce(%27 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x5x5xf32>, tensor<f32>) -> tensor<2x5xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x5xf32>
    %31 = stablehlo.divide %27, %30 : tensor<2x5x5xf32>
    %32 = stablehlo.dot_general %31, %17, batching_dims = [0] x [1], contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x5xf32>, tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
    %33 = stablehlo.transpose %32, dims = [1, 0, 2] : (tensor<2x5x4xf32>) -> tensor<5x2x4xf32>
    %34 = stablehlo.reshape %33 : (tensor<5x2x4xf32>) -> tensor<5x8xf32>
    %35 = stablehlo.dot_general %arg6, %34, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<5x8xf32>) -> tensor<8x5xf32>
    %36 = stablehlo.transpose %35, dims = [1, 0] : (tensor<8x5xf32>) -> tensor<5x8xf32>
    %37 = stablehlo.broadcast_in_dim %arg7, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<5x8xf32>
    %39 = stablehlo.add %36, %38 : tensor<5x8xf32>
    return %39 : tensor<5x8xf32>
  }
}
