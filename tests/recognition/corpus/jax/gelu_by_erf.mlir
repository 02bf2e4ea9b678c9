// Producer: jax 0.12.0.1
// Module: 0.5 x (1 + erf(x / sqrt 2)), by hand
// EXPECT @main: gelu=1

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x8xf32>) -> (tensor<2x5x8xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %1 = stablehlo.multiply %0, %arg0 : tensor<2x5x8xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.sqrt %cst_0 : tensor<f32>
    %3 = stablehlo.convert %2 : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %5 = stablehlo.divide %arg0, %4 : tensor<2x5x8xf32>
    %6 = chlo.erf %5 : tensor<2x5x8xf32> -> tensor<2x5x8xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %8 = stablehlo.add %7, %6 : tensor<2x5x8xf32>
    %9 = stablehlo.multiply %1, %8 : tensor<2x5x8xf32>
    return %9 : tensor<2x5x8xf32>
  }
}
