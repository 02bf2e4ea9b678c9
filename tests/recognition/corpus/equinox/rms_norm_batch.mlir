// Producer: equinox 0.13.8 on jax 0.12.0.1
// Module: RMSNorm without bias, of each row
// EXPECT @main: rms_norm=1

module @jit_program attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<5x8xf32>) -> (tensor<5x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.multiply %arg1, %arg1 : tensor<5x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<5x8xf32>, tensor<f32>) -> tensor<5xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %3 = stablehlo.divide %1, %2 : tensor<5xf32>
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %5 = stablehlo.add %3, %4 : tensor<5xf32>
    %6 = stablehlo.rsqrt %5 : tensor<5xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x8xf32>
    %9 = stablehlo.multiply %8, %arg1 : tensor<5x8xf32>
    %10 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<5x8xf32>
    %12 = stablehlo.multiply %11, %9 : tensor<5x8xf32>
    return %12 : tensor<5x8xf32>
  }
}
