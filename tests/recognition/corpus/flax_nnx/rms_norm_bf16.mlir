// Producer: flax.nnx 0.12.12 on jax 0.12.0.1
// Module: RMSNorm in bfloat16
// EXPECT @main: rms_norm=1

module @jit_program attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<2x5x8xbf16>) -> (tensor<2x5x8xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.convert %arg0 : (tensor<8xf32>) -> tensor<8xbf16>
    %1 = stablehlo.convert %arg1 : (tensor<2x5x8xbf16>) -> tensor<2x5x8xf32>
    %2 = chlo.square %1 : tensor<2x5x8xf32> -> tensor<2x5x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %5 = stablehlo.divide %3, %4 : tensor<2x5xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %7 = stablehlo.reshape %6 : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %8 = stablehlo.reshape %5 : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %9 = stablehlo.convert %arg1 : (tensor<2x5x8xbf16>) -> tensor<2x5x8xf32>
    %10 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %11 = stablehlo.subtract %9, %10 : tensor<2x5x8xf32>
    %cst_2 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %13 = stablehlo.add %8, %12 : tensor<2x5x1xf32>
    %14 = stablehlo.rsqrt %13 : tensor<2x5x1xf32>
    %15 = stablehlo.reshape %0 : (tensor<8xbf16>) -> tensor<1x1x8xbf16>
    %16 = stablehlo.convert %15 : (tensor<1x1x8xbf16>) -> tensor<1x1x8xf32>
    %17 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %18 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %19 = stablehlo.multiply %17, %18 : tensor<2x5x8xf32>
    %20 = stablehlo.multiply %11, %19 : tensor<2x5x8xf32>
    %21 = stablehlo.convert %20 : (tensor<2x5x8xf32>) -> tensor<2x5x8xbf16>
    return %21 : tensor<2x5x8xbf16>
  }
}
