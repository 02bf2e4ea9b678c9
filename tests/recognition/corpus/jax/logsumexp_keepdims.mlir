// Producer: jax 0.12.0.1
// Module: jax.nn.logsumexp(keepdims=True) over the middle axis, in bfloat16
// EXPECT @main: logsumexp=1

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x8xbf16>) -> (tensor<2x1x8xbf16> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<2x5x8xbf16>, tensor<bf16>) -> tensor<2x8xbf16>
    %cst_0 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<2x8xbf16>
    %2 = stablehlo.maximum %1, %0 : tensor<2x8xbf16>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 2] : (tensor<2x8xbf16>) -> tensor<2x1x8xbf16>
    %4 = stablehlo.is_finite %3 : (tensor<2x1x8xbf16>) -> tensor<2x1x8xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<2x1x8xbf16>
    %6 = stablehlo.select %4, %3, %5 : tensor<2x1x8xi1>, tensor<2x1x8xbf16>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x1x8xbf16>) -> tensor<2x5x8xbf16>
    %8 = stablehlo.subtract %arg0, %7 : tensor<2x5x8xbf16>
    %9 = stablehlo.exponential %8 : tensor<2x5x8xbf16>
    %10 = stablehlo.convert %9 : (tensor<2x5x8xbf16>) -> tensor<2x5x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x8xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 2] : (tensor<2x8xf32>) -> tensor<2x1x8xf32>
    %13 = stablehlo.convert %12 : (tensor<2x1x8xf32>) -> tensor<2x1x8xbf16>
    %14 = stablehlo.abs %13 : tensor<2x1x8xbf16>
    %15 = stablehlo.log %14 : tensor<2x1x8xbf16>
    %16 = stablehlo.add %15, %6 : tensor<2x1x8xbf16>
    return %16 : tensor<2x1x8xbf16>
  }
}
