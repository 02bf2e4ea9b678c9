module @jit_mixed attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x600x32xf32>, %arg1: tensor<32x64xbf16>, %arg2: tensor<64xf32>) -> (tensor<2x600x64xbf16> {jax.result_info = "result[0]"}, tensor<bf16> {jax.result_info = "result[1]"}, tensor<2x600xbf16> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<2x600x32xf32>) -> tensor<2x600x32xbf16>
    %1 = stablehlo.dot_general %0, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x600x32xbf16>, tensor<32x64xbf16>) -> tensor<2x600x64xf32>
    %2 = stablehlo.multiply %1, %1 : tensor<2x600x64xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x600x64xf32>, tensor<f32>) -> tensor<2x600xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2x600xf32>) -> tensor<2x600x1xf32>
    %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x600x1xf32>
    %6 = stablehlo.divide %4, %5 : tensor<2x600x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x600x1xf32>
    %8 = stablehlo.add %6, %7 : tensor<2x600x1xf32>
    %9 = stablehlo.rsqrt %8 : tensor<2x600x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x600x1xf32>) -> tensor<2x600x64xf32>
    %11 = stablehlo.multiply %1, %10 : tensor<2x600x64xf32>
    %12 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<2x600x64xf32>
    %14 = stablehlo.multiply %11, %13 : tensor<2x600x64xf32>
    %15 = stablehlo.convert %14 : (tensor<2x600x64xf32>) -> tensor<2x600x64xbf16>
    %16 = stablehlo.convert %14 : (tensor<2x600x64xf32>) -> tensor<2x600x64xbf16>
    %17 = stablehlo.convert %16 : (tensor<2x600x64xbf16>) -> tensor<2x600x64xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_2) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x600x64xf32>, tensor<f32>) -> tensor<f32>
    %19 = stablehlo.convert %18 : (tensor<f32>) -> tensor<bf16>
    %20 = stablehlo.convert %14 : (tensor<2x600x64xf32>) -> tensor<2x600x64xbf16>
    %cst_3 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %21 = stablehlo.reduce(%20 init: %cst_3) applies stablehlo.maximum across dimensions = [2] : (tensor<2x600x64xbf16>, tensor<bf16>) -> tensor<2x600xbf16>
    return %15, %19, %21 : tensor<2x600x64xbf16>, tensor<bf16>, tensor<2x600xbf16>
  }
}
