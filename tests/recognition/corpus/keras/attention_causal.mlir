// Producer: keras 3.15.1 on jax 0.12.0.1
// Module: MultiHeadAttention, causal
// EXPECT @main: attention=1 linear=4

module @jit_program attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x2x4xf32>, %arg1: tensor<2x4xf32>, %arg2: tensor<8x2x4xf32>, %arg3: tensor<2x4xf32>, %arg4: tensor<8x2x4xf32>, %arg5: tensor<2x4xf32>, %arg6: tensor<2x4x8xf32>, %arg7: tensor<8xf32>, %arg8: tensor<2x5x8xf32>) -> (tensor<2x5x8xf32> {jax.result_info = "result"}) {
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
    %12 = stablehlo.reshape %3 : (tensor<2x5x2x4xf32>) -> tensor<2x5x2x1x4xf32>
    %13 = stablehlo.dot_general %12, %7, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x1x4xf32>, tensor<2x5x2x4xf32>) -> tensor<2x2x5x1x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x5x1x5xf32>
    %15 = stablehlo.multiply %13, %14 : tensor<2x2x5x1x5xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %16 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x2x5x5xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %17 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %18 = call @tril(%17) : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %19 = stablehlo.broadcast_in_dim %18, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<1x1x5x5xi1>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xi1>) -> tensor<2x2x5x5xi1>
    %21 = stablehlo.and %16, %20 : tensor<2x2x5x5xi1>
    %cst_1 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %22 = call @_where(%21, %15, %cst_1) : (tensor<2x2x5x5xi1>, tensor<2x2x5x1x5xf32>, tensor<f32>) -> tensor<1x2x2x5x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_2) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x2x5x5xf32>, tensor<f32>) -> tensor<1x2x2x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x2x2x5xf32>
    %25 = stablehlo.maximum %24, %23 : tensor<1x2x2x5xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3] : (tensor<1x2x2x5xf32>) -> tensor<1x2x2x5x1xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3, 4] : (tensor<1x2x2x5x1xf32>) -> tensor<1x2x2x5x5xf32>
    %28 = stablehlo.subtract %22, %27 : tensor<1x2x2x5x5xf32>
    %29 = stablehlo.exponential %28 : tensor<1x2x2x5x5xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.reduce(%29 init: %cst_4) applies stablehlo.add across dimensions = [4] : (tensor<1x2x2x5x5xf32>, tensor<f32>) -> tensor<1x2x2x5xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2, 3] : (tensor<1x2x2x5xf32>) -> tensor<1x2x2x5x1xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3, 4] : (tensor<1x2x2x5x1xf32>) -> tensor<1x2x2x5x5xf32>
    %33 = stablehlo.divide %29, %32 : tensor<1x2x2x5x5xf32>
    %34 = stablehlo.dot_general %11, %33, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x4xf32>, tensor<1x2x2x5x5xf32>) -> tensor<2x2x4x1x5xf32>
    %35 = stablehlo.transpose %34, dims = [3, 0, 4, 1, 2] : (tensor<2x2x4x1x5xf32>) -> tensor<1x2x5x2x4xf32>
    %36 = stablehlo.transpose %35, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x2x4xf32>) -> tensor<2x5x2x1x4xf32>
    %37 = stablehlo.reshape %36 : (tensor<2x5x2x1x4xf32>) -> tensor<2x5x2x4xf32>
    %38 = stablehlo.dot_general %37, %arg6, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x4xf32>, tensor<2x4x8xf32>) -> tensor<2x5x8xf32>
    %39 = stablehlo.broadcast_in_dim %arg7, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %41 = stablehlo.add %38, %40 : tensor<2x5x8xf32>
    return %41 : tensor<2x5x8xf32>
  }
  func.func private @tril(%arg0: tensor<5x5xi1>) -> tensor<5x5xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<5x5xi1>, tensor<5x5xi1>
    return %6 : tensor<5x5xi1>
  }
  func.func private @_where(%arg0: tensor<2x2x5x5xi1>, %arg1: tensor<2x2x5x1x5xf32>, %arg2: tensor<f32>) -> tensor<1x2x2x5x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x2x5x5xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<2x2x5x5xi1>) -> tensor<1x2x2x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x2x5x5xf32>) -> tensor<1x2x2x5x5xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x2x5x1x5xf32>) -> tensor<1x2x2x5x5xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<1x2x2x5x5xi1>, tensor<1x2x2x5x5xf32>
    return %4 : tensor<1x2x2x5x5xf32>
  }
}
