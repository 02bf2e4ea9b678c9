// Producer: keras 3.15.1 on jax 0.12.0.1
// Module: Dense, gelu, in mixed precision
// EXPECT @main: linear=1

module @jit_program attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<2x5x8xbf16>) -> (tensor<2x5x16xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convert %arg2 : (tensor<2x5x8xbf16>) -> tensor<2x5x8xf32>
    %1 = stablehlo.convert %arg0 : tensor<8x16xf32>
    %2 = stablehlo.dot_general %0, %1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x16xf32>) -> tensor<2x5x16xf32>
    %3 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %5 = stablehlo.add %2, %4 : tensor<2x5x16xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x16xf32>
    %7 = stablehlo.multiply %6, %5 : tensor<2x5x16xf32>
    %8 = stablehlo.negate %5 : tensor<2x5x16xf32>
    %cst_0 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5x16xf32>
    %10 = stablehlo.multiply %8, %9 : tensor<2x5x16xf32>
    %11 = chlo.erfc %10 : tensor<2x5x16xf32> -> tensor<2x5x16xf32>
    %12 = stablehlo.multiply %7, %11 : tensor<2x5x16xf32>
    return %12 : tensor<2x5x16xf32>
  }
}
