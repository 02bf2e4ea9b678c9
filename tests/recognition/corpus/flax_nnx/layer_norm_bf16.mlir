// Producer: flax.nnx 0.12.12 on jax 0.12.0.1
// Module: LayerNorm in bfloat16
// EXPECT @main: layer_norm=1

module @jit_program attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<2x5x8xbf16>) -> (tensor<2x5x8xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.convert %arg1 : (tensor<8xf32>) -> tensor<8xbf16>
    %1 = stablehlo.convert %arg0 : (tensor<8xf32>) -> tensor<8xbf16>
    %2 = stablehlo.convert %arg2 : (tensor<2x5x8xbf16>) -> tensor<2x5x8xf32>
    %3 = chlo.square %2 : tensor<2x5x8xf32> -> tensor<2x5x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %6 = stablehlo.divide %4, %5 : tensor<2x5xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%3 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %cst_2 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %9 = stablehlo.divide %7, %8 : tensor<2x5xf32>
    %10 = chlo.square %6 : tensor<2x5xf32> -> tensor<2x5xf32>
    %11 = stablehlo.subtract %9, %10 : tensor<2x5xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %13 = stablehlo.maximum %12, %11 : tensor<2x5xf32>
    %14 = stablehlo.reshape %6 : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %15 = stablehlo.reshape %13 : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %16 = stablehlo.convert %arg2 : (tensor<2x5x8xbf16>) -> tensor<2x5x8xf32>
    %17 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %18 = stablehlo.subtract %16, %17 : tensor<2x5x8xf32>
    %cst_4 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %20 = stablehlo.add %15, %19 : tensor<2x5x1xf32>
    %21 = stablehlo.rsqrt %20 : tensor<2x5x1xf32>
    %22 = stablehlo.reshape %0 : (tensor<8xbf16>) -> tensor<1x1x8xbf16>
    %23 = stablehlo.convert %22 : (tensor<1x1x8xbf16>) -> tensor<1x1x8xf32>
    %24 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %25 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %26 = stablehlo.multiply %24, %25 : tensor<2x5x8xf32>
    %27 = stablehlo.multiply %18, %26 : tensor<2x5x8xf32>
    %28 = stablehlo.reshape %1 : (tensor<8xbf16>) -> tensor<1x1x8xbf16>
    %29 = stablehlo.convert %28 : (tensor<1x1x8xbf16>) -> tensor<1x1x8xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %31 = stablehlo.add %27, %30 : tensor<2x5x8xf32>
    %32 = stablehlo.convert %31 : (tensor<2x5x8xf32>) -> tensor<2x5x8xbf16>
    return %32 : tensor<2x5x8xbf16>
  }
}
