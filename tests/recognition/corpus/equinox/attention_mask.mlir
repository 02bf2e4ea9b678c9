// Producer: equinox 0.13.8 on jax 0.12.0.1
// Module: MultiheadAttention with a mask
// EXPECT @main: attention=1

module @jit_program attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32>, %arg3: tensor<8x8xf32>, %arg4: tensor<5x8xf32>, %arg5: tensor<5x5xi1>) -> (tensor<5x8xf32> {jax.result_info = "result"}) {
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
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %12 = call @_where(%arg5, %11, %cst_0) : (tensor<5x5xi1>, tensor<2x5x5xf32>, tensor<f32>) -> tensor<2x5x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_1) applies stablehlo.maximum across dimensions = [2] : (tensor<2x5x5xf32>, tensor<f32>) -> tensor<2x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %15 = stablehlo.maximum %14, %13 : tensor<2x5xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x5xf32>
    %18 = stablehlo.subtract %12, %17 : tensor<2x5x5xf32>
    %19 = stablehlo.exponential %18 : tensor<2x5x5xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<2x5x5xf32>, tensor<f32>) -> tensor<2x5xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x5xf32>
    %23 = stablehlo.divide %19, %22 : tensor<2x5x5xf32>
    %24 = stablehlo.dot_general %23, %8, batching_dims = [0] x [1], contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x5xf32>, tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
    %25 = stablehlo.transpose %24, dims = [1, 0, 2] : (tensor<2x5x4xf32>) -> tensor<5x2x4xf32>
    %26 = stablehlo.reshape %25 : (tensor<5x2x4xf32>) -> tensor<5x8xf32>
    %27 = stablehlo.dot_general %arg3, %26, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<5x8xf32>) -> tensor<8x5xf32>
    %28 = stablehlo.transpose %27, dims = [1, 0] : (tensor<8x5xf32>) -> tensor<5x8xf32>
    return %28 : tensor<5x8xf32>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<2x5x5xf32>, %arg2: tensor<f32>) -> tensor<2x5x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<5x5xi1>) -> tensor<2x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2] : (tensor<5x5xf32>) -> tensor<2x5x5xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x5x5xi1>, tensor<2x5x5xf32>
    return %3 : tensor<2x5x5xf32>
  }
}
