// Producer: torchax 0.0.13, torch 2.13.0+cpu, jax 0.10.2
// Module: RMSNorm as in Llama, in bfloat16
// EXPECT @main: rms_norm=1

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<2x5x8xbf16>) -> (tensor<2x5x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convert %arg1 : (tensor<2x5x8xbf16>) -> tensor<2x5x8xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %2 = stablehlo.power %0, %1 : tensor<2x5x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %6 = stablehlo.divide %4, %5 : tensor<2x5x1xf32>
    %cst_2 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %8 = stablehlo.add %6, %7 : tensor<2x5x1xf32>
    %9 = stablehlo.rsqrt %8 : tensor<2x5x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %11 = stablehlo.multiply %0, %10 : tensor<2x5x8xf32>
    %12 = stablehlo.convert %11 : (tensor<2x5x8xf32>) -> tensor<2x5x8xbf16>
    %13 = stablehlo.convert %12 : (tensor<2x5x8xbf16>) -> tensor<2x5x8xf32>
    %14 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %16 = stablehlo.multiply %15, %13 : tensor<2x5x8xf32>
    return %16 : tensor<2x5x8xf32>
  }
}
