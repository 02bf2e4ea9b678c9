// Producer: keras 3.15.1 on jax 0.12.0.1
// Module: MultiHeadAttention with a mask
// EXPECT @main: attention=1 linear=4

module @jit_program attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x2x4xf32>, %arg1: tensor<2x4xf32>, %arg2: tensor<8x2x4xf32>, %arg3: tensor<2x4xf32>, %arg4: tensor<8x2x4xf32>, %arg5: tensor<2x4xf32>, %arg6: tensor<2x4x8xf32>, %arg7: tensor<8xf32>, %arg8: tensor<2x5x8xf32>, %arg9: tensor<2x5x5xi1>) -> (tensor<2x5x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg8, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x2x4xf32>) -> tensor<2x5x2x4xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [2, 3] : (tensor<2x4xf32>) -> tensor<1x1x2x4xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x2x4xf32>) -> tensor<2x5x2x4xf32>
    %3 = stablehlo.add %0, %2 : tensor<2x5x2x4xf32>
    %4 = stablehlo.dot_general %arg8, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x2x4xf32>) -> tensor<2x5x2x4xf32>
    %5 = stablehlo.broadcast_in_dim %arg3, dims = [2, 3] : (tensor<2x4xf32>) -> tensor<1x1x2x4xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3] : (tensor<1x1x2x4xf32>) -> tensor<2x5x2x4xf32>
    %7 = stablehlo.add %4, %6 : tensor<2x5x2x4xf32>
    %8 = stablehlo.dot_general %arg8, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x2x4xf32>) -> tensor<2x5x2x4xf32>
    %9 = stablehlo.broadcast_in_dim %arg5, dims = [2, 3] : (tensor<2x4xf32>) -> tensor<1x1x2x4xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<1x1x2x4xf32>) -> tensor<2x5x2x4xf32>
    %11 = stablehlo.add %8, %10 : tensor<2x5x2x4xf32>
    %12 = stablehlo.broadcast_in_dim %arg9, dims = [0, 2, 3] : (tensor<2x5x5xi1>) -> tensor<2x1x5x5xi1>
    %13 = stablehlo.reshape %3 : (tensor<2x5x2x4xf32>) -> tensor<2x5x2x1x4xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 3, 4] : (tensor<2x1x5x5xi1>) -> tensor<2x1x1x5x5xi1>
    %15 = stablehlo.dot_general %13, %7, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x1x4xf32>, tensor<2x5x2x4xf32>) -> tensor<2x2x5x1x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x5x1x5xf32>
    %17 = stablehlo.multiply %15, %16 : tensor<2x2x5x1x5xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %18 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x2x5x5xi1>
    %19 = stablehlo.broadcast_in_dim %18, dims = [1, 2, 3, 4] : (tensor<2x2x5x5xi1>) -> tensor<1x2x2x5x5xi1>
    %20 = stablehlo.transpose %14, dims = [2, 0, 1, 3, 4] : (tensor<2x1x1x5x5xi1>) -> tensor<1x2x1x5x5xi1>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3, 4] : (tensor<1x2x1x5x5xi1>) -> tensor<1x2x2x5x5xi1>
    %22 = stablehlo.and %19, %21 : tensor<1x2x2x5x5xi1>
    %cst_0 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %23 = call @_where(%22, %17, %cst_0) : (tensor<1x2x2x5x5xi1>, tensor<2x2x5x1x5xf32>, tensor<f32>) -> tensor<1x2x2x5x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_1) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x2x5x5xf32>, tensor<f32>) -> tensor<1x2x2x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x2x2x5xf32>
    %26 = stablehlo.maximum %25, %24 : tensor<1x2x2x5xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3] : (tensor<1x2x2x5xf32>) -> tensor<1x2x2x5x1xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2, 3, 4] : (tensor<1x2x2x5x1xf32>) -> tensor<1x2x2x5x5xf32>
    %29 = stablehlo.subtract %23, %28 : tensor<1x2x2x5x5xf32>
    %30 = stablehlo.exponential %29 : tensor<1x2x2x5x5xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%30 init: %cst_3) applies stablehlo.add across dimensions = [4] : (tensor<1x2x2x5x5xf32>, tensor<f32>) -> tensor<1x2x2x5xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<1x2x2x5xf32>) -> tensor<1x2x2x5x1xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 3, 4] : (tensor<1x2x2x5x1xf32>) -> tensor<1x2x2x5x5xf32>
    %34 = stablehlo.divide %30, %33 : tensor<1x2x2x5x5xf32>
    %35 = stablehlo.dot_general %11, %34, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x4xf32>, tensor<1x2x2x5x5xf32>) -> tensor<2x2x4x1x5xf32>
    %36 = stablehlo.transpose %35, dims = [3, 0, 4, 1, 2] : (tensor<2x2x4x1x5xf32>) -> tensor<1x2x5x2x4xf32>
    %37 = stablehlo.transpose %36, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x2x4xf32>) -> tensor<2x5x2x1x4xf32>
    %38 = stablehlo.reshape %37 : (tensor<2x5x2x1x4xf32>) -> tensor<2x5x2x4xf32>
    %39 = stablehlo.dot_general %38, %arg6, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x4xf32>, tensor<2x4x8xf32>) -> tensor<2x5x8xf32>
    %40 = stablehlo.broadcast_in_dim %arg7, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %42 = stablehlo.add %39, %41 : tensor<2x5x8xf32>
    return %42 : tensor<2x5x8xf32>
  }
  func.func private @_where(%arg0: tensor<1x2x2x5x5xi1>, %arg1: tensor<2x2x5x1x5xf32>, %arg2: tensor<f32>) -> tensor<1x2x2x5x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x2x5x5xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x2x5x5xf32>) -> tensor<1x2x2x5x5xf32>
    %2 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x2x5x1x5xf32>) -> tensor<1x2x2x5x5xf32>
    %3 = stablehlo.select %arg0, %2, %1 : tensor<1x2x2x5x5xi1>, tensor<1x2x2x5x5xf32>
    return %3 : tensor<1x2x2x5x5xf32>
  }
}
