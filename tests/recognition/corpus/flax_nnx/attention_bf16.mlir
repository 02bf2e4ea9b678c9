// Producer: flax.nnx 0.12.12 on jax 0.12.0.1
// Module: MultiHeadAttention in bfloat16
// EXPECT @main: attention=1 linear=4

module @jit_program attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4xf32>, %arg1: tensor<8x2x4xf32>, %arg2: tensor<8xf32>, %arg3: tensor<2x4x8xf32>, %arg4: tensor<2x4xf32>, %arg5: tensor<8x2x4xf32>, %arg6: tensor<2x4xf32>, %arg7: tensor<8x2x4xf32>, %arg8: tensor<2x5x8xbf16>) -> (tensor<2x5x8xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.convert %arg5 : (tensor<8x2x4xf32>) -> tensor<8x2x4xbf16>
    %1 = stablehlo.convert %arg4 : (tensor<2x4xf32>) -> tensor<2x4xbf16>
    %2 = stablehlo.dot_general %arg8, %0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xbf16>, tensor<8x2x4xbf16>) -> tensor<2x5x2x4xbf16>
    %3 = stablehlo.reshape %1 : (tensor<2x4xbf16>) -> tensor<1x1x2x4xbf16>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<1x1x2x4xbf16>) -> tensor<2x5x2x4xbf16>
    %5 = stablehlo.add %2, %4 : tensor<2x5x2x4xbf16>
    %6 = stablehlo.convert %arg1 : (tensor<8x2x4xf32>) -> tensor<8x2x4xbf16>
    %7 = stablehlo.convert %arg0 : (tensor<2x4xf32>) -> tensor<2x4xbf16>
    %8 = stablehlo.dot_general %arg8, %6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xbf16>, tensor<8x2x4xbf16>) -> tensor<2x5x2x4xbf16>
    %9 = stablehlo.reshape %7 : (tensor<2x4xbf16>) -> tensor<1x1x2x4xbf16>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<1x1x2x4xbf16>) -> tensor<2x5x2x4xbf16>
    %11 = stablehlo.add %8, %10 : tensor<2x5x2x4xbf16>
    %12 = stablehlo.convert %arg7 : (tensor<8x2x4xf32>) -> tensor<8x2x4xbf16>
    %13 = stablehlo.convert %arg6 : (tensor<2x4xf32>) -> tensor<2x4xbf16>
    %14 = stablehlo.dot_general %arg8, %12, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xbf16>, tensor<8x2x4xbf16>) -> tensor<2x5x2x4xbf16>
    %15 = stablehlo.reshape %13 : (tensor<2x4xbf16>) -> tensor<1x1x2x4xbf16>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<1x1x2x4xbf16>) -> tensor<2x5x2x4xbf16>
    %17 = stablehlo.add %14, %16 : tensor<2x5x2x4xbf16>
    %18 = stablehlo.reshape %5 : (tensor<2x5x2x4xbf16>) -> tensor<2x5x2x1x4xbf16>
    %19 = stablehlo.dot_general %18, %11, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x5x2x1x4xbf16>, tensor<2x5x2x4xbf16>) -> tensor<2x2x5x1x5xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x5x1x5xf32>
    %21 = stablehlo.multiply %19, %20 : tensor<2x2x5x1x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %22 = stablehlo.reduce(%21 init: %cst_0) applies stablehlo.maximum across dimensions = [4] : (tensor<2x2x5x1x5xf32>, tensor<f32>) -> tensor<2x2x5x1xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x2x5x1xf32>
    %24 = stablehlo.maximum %23, %22 : tensor<2x2x5x1xf32>
    %25 = stablehlo.transpose %24, dims = [3, 0, 1, 2] : (tensor<2x2x5x1xf32>) -> tensor<1x2x2x5xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3] : (tensor<1x2x2x5xf32>) -> tensor<1x2x2x5x1xf32>
    %27 = stablehlo.transpose %21, dims = [3, 0, 1, 2, 4] : (tensor<2x2x5x1x5xf32>) -> tensor<1x2x2x5x5xf32>
    %28 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3, 4] : (tensor<1x2x2x5x1xf32>) -> tensor<1x2x2x5x5xf32>
    %29 = stablehlo.subtract %27, %28 : tensor<1x2x2x5x5xf32>
    %30 = stablehlo.exponential %29 : tensor<1x2x2x5x5xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%30 init: %cst_2) applies stablehlo.add across dimensions = [4] : (tensor<1x2x2x5x5xf32>, tensor<f32>) -> tensor<1x2x2x5xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<1x2x2x5xf32>) -> tensor<1x2x2x5x1xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 3, 4] : (tensor<1x2x2x5x1xf32>) -> tensor<1x2x2x5x5xf32>
    %34 = stablehlo.divide %30, %33 : tensor<1x2x2x5x5xf32>
    %35 = stablehlo.convert %34 : (tensor<1x2x2x5x5xf32>) -> tensor<1x2x2x5x5xbf16>
    %36 = stablehlo.dot_general %17, %35, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x4xbf16>, tensor<1x2x2x5x5xbf16>) -> tensor<2x2x4x1x5xbf16>
    %37 = stablehlo.transpose %36, dims = [3, 0, 4, 1, 2] : (tensor<2x2x4x1x5xbf16>) -> tensor<1x2x5x2x4xbf16>
    %38 = stablehlo.transpose %37, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x2x4xbf16>) -> tensor<2x5x2x1x4xbf16>
    %39 = stablehlo.reshape %38 : (tensor<2x5x2x1x4xbf16>) -> tensor<2x5x2x4xbf16>
    %40 = stablehlo.convert %arg3 : (tensor<2x4x8xf32>) -> tensor<2x4x8xbf16>
    %41 = stablehlo.convert %arg2 : (tensor<8xf32>) -> tensor<8xbf16>
    %42 = stablehlo.dot_general %39, %40, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x4xbf16>, tensor<2x4x8xbf16>) -> tensor<2x5x8xbf16>
    %43 = stablehlo.reshape %41 : (tensor<8xbf16>) -> tensor<1x1x8xbf16>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2] : (tensor<1x1x8xbf16>) -> tensor<2x5x8xbf16>
    %45 = stablehlo.add %42, %44 : tensor<2x5x8xbf16>
    return %45 : tensor<2x5x8xbf16>
  }
}
