// Producer: optax 0.2.8 on jax 0.12.0.1
// Module: the gradient of a gated layer
// EXPECT: anything

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x8xf32>, %arg1: tensor<8x16xf32>, %arg2: tensor<8x16xf32>, %arg3: tensor<16x8xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<2x5x8xf32> {jax.result_info = "result[1][0]"}, tensor<8x16xf32> {jax.result_info = "result[1][1]"}, tensor<8x16xf32> {jax.result_info = "result[1][2]"}, tensor<16x8xf32> {jax.result_info = "result[1][3]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x16xf32>) -> tensor<2x5x16xf32>
    %1:3 = call @silu(%0) : (tensor<2x5x16xf32>) -> (tensor<2x5x16xf32>, tensor<2x5x16xf32>, tensor<2x5x16xf32>)
    %2 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x16xf32>) -> tensor<2x5x16xf32>
    %3 = stablehlo.multiply %1#0, %2 : tensor<2x5x16xf32>
    %4 = stablehlo.dot_general %3, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x16xf32>, tensor<16x8xf32>) -> tensor<2x5x8xf32>
    %5 = chlo.square %4 : tensor<2x5x8xf32> -> tensor<2x5x8xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %7 = stablehlo.multiply %6, %4 : tensor<2x5x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %10 = stablehlo.multiply %9, %7 : tensor<2x5x8xf32>
    %11 = stablehlo.dot_general %10, %3, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<2x5x16xf32>) -> tensor<8x16xf32>
    %12 = stablehlo.transpose %11, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %13 = stablehlo.dot_general %10, %arg3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<16x8xf32>) -> tensor<2x5x16xf32>
    %14 = stablehlo.multiply %1#0, %13 : tensor<2x5x16xf32>
    %15 = stablehlo.multiply %13, %2 : tensor<2x5x16xf32>
    %16 = stablehlo.dot_general %14, %arg0, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x16xf32>, tensor<2x5x8xf32>) -> tensor<16x8xf32>
    %17 = stablehlo.transpose %16, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %18 = stablehlo.dot_general %14, %arg2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x16xf32>, tensor<8x16xf32>) -> tensor<2x5x8xf32>
    %19 = call @silu_0(%1#1, %1#2, %0, %15) : (tensor<2x5x16xf32>, tensor<2x5x16xf32>, tensor<2x5x16xf32>, tensor<2x5x16xf32>) -> tensor<2x5x16xf32>
    %20 = stablehlo.dot_general %19, %arg0, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x16xf32>, tensor<2x5x8xf32>) -> tensor<16x8xf32>
    %21 = stablehlo.transpose %20, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %22 = stablehlo.dot_general %19, %arg1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x16xf32>, tensor<8x16xf32>) -> tensor<2x5x8xf32>
    %23 = stablehlo.add %18, %22 : tensor<2x5x8xf32>
    return %8, %23, %21, %17, %12 : tensor<f32>, tensor<2x5x8xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<16x8xf32>
  }
  func.func private @silu(%arg0: tensor<2x5x16xf32>) -> (tensor<2x5x16xf32>, tensor<2x5x16xf32>, tensor<2x5x16xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<2x5x16xf32>
    %1 = stablehlo.exponential %0 : tensor<2x5x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x16xf32>
    %3 = stablehlo.add %2, %1 : tensor<2x5x16xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5x16xf32>
    %5 = stablehlo.divide %4, %3 : tensor<2x5x16xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x5x16xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<2x5x16xf32>
    %8 = stablehlo.multiply %5, %7 : tensor<2x5x16xf32>
    %9 = stablehlo.multiply %arg0, %5 : tensor<2x5x16xf32>
    return %9, %8, %5 : tensor<2x5x16xf32>, tensor<2x5x16xf32>, tensor<2x5x16xf32>
  }
  func.func private @silu_0(%arg0: tensor<2x5x16xf32>, %arg1: tensor<2x5x16xf32>, %arg2: tensor<2x5x16xf32>, %arg3: tensor<2x5x16xf32>) -> tensor<2x5x16xf32> {
    %0 = stablehlo.multiply %arg2, %arg3 : tensor<2x5x16xf32>
    %1 = stablehlo.multiply %arg3, %arg1 : tensor<2x5x16xf32>
    %2 = stablehlo.multiply %0, %arg0 : tensor<2x5x16xf32>
    %3 = stablehlo.add %1, %2 : tensor<2x5x16xf32>
    return %3 : tensor<2x5x16xf32>
  }
}
