// Producer: flax.linen 0.12.12 on jax 0.12.0.1
// Module: MultiHeadDotProductAttention in bfloat16
// EXPECT @main: attention=1 linear=4

module @jit_apply attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4xf32>, %arg1: tensor<8x2x4xf32>, %arg2: tensor<8xf32>, %arg3: tensor<2x4x8xf32>, %arg4: tensor<2x4xf32>, %arg5: tensor<8x2x4xf32>, %arg6: tensor<2x4xf32>, %arg7: tensor<8x2x4xf32>, %arg8: tensor<2x5x8xbf16>, %arg9: tensor<2x5x8xbf16>) -> (tensor<2x5x8xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.convert %arg5 : (tensor<8x2x4xf32>) -> tensor<8x2x4xbf16>
    %1 = stablehlo.convert %arg4 : (tensor<2x4xf32>) -> tensor<2x4xbf16>
    %2 = stablehlo.dot_general %arg8, %0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xbf16>, tensor<8x2x4xbf16>) -> tensor<2x5x2x4xbf16>
    %3 = stablehlo.reshape %1 : (tensor<2x4xbf16>) -> tensor<1x1x2x4xbf16>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<1x1x2x4xbf16>) -> tensor<2x5x2x4xbf16>
    %5 = stablehlo.add %2, %4 : tensor<2x5x2x4xbf16>
    %6 = stablehlo.convert %arg1 : (tensor<8x2x4xf32>) -> tensor<8x2x4xbf16>
    %7 = stablehlo.convert %arg0 : (tensor<2x4xf32>) -> tensor<2x4xbf16>
    %8 = stablehlo.dot_general %arg9, %6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xbf16>, tensor<8x2x4xbf16>) -> tensor<2x5x2x4xbf16>
    %9 = stablehlo.reshape %7 : (tensor<2x4xbf16>) -> tensor<1x1x2x4xbf16>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<1x1x2x4xbf16>) -> tensor<2x5x2x4xbf16>
    %11 = stablehlo.add %8, %10 : tensor<2x5x2x4xbf16>
    %12 = stablehlo.convert %arg7 : (tensor<8x2x4xf32>) -> tensor<8x2x4xbf16>
    %13 = stablehlo.convert %arg6 : (tensor<2x4xf32>) -> tensor<2x4xbf16>
    %14 = stablehlo.dot_general %arg9, %12, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xbf16>, tensor<8x2x4xbf16>) -> tensor<2x5x2x4xbf16>
    %15 = stablehlo.reshape %13 : (tensor<2x4xbf16>) -> tensor<1x1x2x4xbf16>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<1x1x2x4xbf16>) -> tensor<2x5x2x4xbf16>
    %17 = stablehlo.add %14, %16 : tensor<2x5x2x4xbf16>
    %cst = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %18 = stablehlo.sqrt %cst : tensor<f32>
    %19 = stablehlo.convert %18 : (tensor<f32>) -> tensor<bf16>
    %20 = stablehlo.broadcast_in_dim %19, dims = [] : (tensor<bf16>) -> tensor<2x5x2x4xbf16>
    %21 = stablehlo.divide %5, %20 : tensor<2x5x2x4xbf16>
    %22 = stablehlo.dot_general %21, %11, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x4xbf16>, tensor<2x5x2x4xbf16>) -> tensor<2x2x5x5xbf16>
    %cst_0 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %23 = stablehlo.reduce(%22 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x5x5xbf16>, tensor<bf16>) -> tensor<2x2x5xbf16>
    %cst_1 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %24 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<2x2x5xbf16>
    %25 = stablehlo.maximum %24, %23 : tensor<2x2x5xbf16>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<2x2x5xbf16>) -> tensor<2x2x5x1xbf16>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3] : (tensor<2x2x5x1xbf16>) -> tensor<2x2x5x5xbf16>
    %28 = stablehlo.subtract %22, %27 : tensor<2x2x5x5xbf16>
    %29 = stablehlo.exponential %28 : tensor<2x2x5x5xbf16>
    %30 = stablehlo.convert %29 : (tensor<2x2x5x5xbf16>) -> tensor<2x2x5x5xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%30 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2] : (tensor<2x2x5xf32>) -> tensor<2x2x5x1xf32>
    %33 = stablehlo.convert %32 : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x1xbf16>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2, 3] : (tensor<2x2x5x1xbf16>) -> tensor<2x2x5x5xbf16>
    %35 = stablehlo.divide %29, %34 : tensor<2x2x5x5xbf16>
    %36 = stablehlo.dot_general %17, %35, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x4xbf16>, tensor<2x2x5x5xbf16>) -> tensor<2x2x4x5xbf16>
    %37 = stablehlo.transpose %36, dims = [0, 3, 1, 2] : (tensor<2x2x4x5xbf16>) -> tensor<2x5x2x4xbf16>
    %38 = stablehlo.convert %arg3 : (tensor<2x4x8xf32>) -> tensor<2x4x8xbf16>
    %39 = stablehlo.convert %arg2 : (tensor<8xf32>) -> tensor<8xbf16>
    %40 = stablehlo.dot_general %37, %38, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x4xbf16>, tensor<2x4x8xbf16>) -> tensor<2x5x8xbf16>
    %41 = stablehlo.reshape %39 : (tensor<8xbf16>) -> tensor<1x1x8xbf16>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2] : (tensor<1x1x8xbf16>) -> tensor<2x5x8xbf16>
    %43 = stablehlo.add %40, %42 : tensor<2x5x8xbf16>
    return %43 : tensor<2x5x8xbf16>
  }
}
