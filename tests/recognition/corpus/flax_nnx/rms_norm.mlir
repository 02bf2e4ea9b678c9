// Producer: flax.nnx 0.12.12 on jax 0.12.0.1
// Module: RMSNorm
// EXPECT @main: rms_norm=1

module @jit_program attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<2x5x8xf32>) -> (tensor<2x5x8xf32> {jax.result_info = "result"}) {
    %0 = chlo.square %arg1 : tensor<2x5x8xf32> -> tensor<2x5x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2x5xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %5 = stablehlo.reshape %4 : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %6 = stablehlo.reshape %3 : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %7 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %8 = stablehlo.subtract %arg1, %7 : tensor<2x5x8xf32>
    %cst_2 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %10 = stablehlo.add %6, %9 : tensor<2x5x1xf32>
    %11 = stablehlo.rsqrt %10 : tensor<2x5x1xf32>
    %12 = stablehlo.reshape %arg0 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %15 = stablehlo.multiply %13, %14 : tensor<2x5x8xf32>
    %16 = stablehlo.multiply %8, %15 : tensor<2x5x8xf32>
    return %16 : tensor<2x5x8xf32>
  }
}
