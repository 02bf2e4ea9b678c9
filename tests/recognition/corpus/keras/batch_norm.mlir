// Producer: keras 3.15.1 on jax 0.12.0.1
// Module: BatchNormalization, inference
// EXPECT @main: batch_norm_inference=1

module @jit_program attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>, %arg3: tensor<8xf32>, %arg4: tensor<2x6x6x8xf32>) -> (tensor<2x6x6x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg2 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %1 = stablehlo.reshape %arg3 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %cst = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x1x1x8xf32>
    %3 = stablehlo.add %1, %2 : tensor<1x1x1x8xf32>
    %4 = stablehlo.rsqrt %3 : tensor<1x1x1x8xf32>
    %5 = stablehlo.reshape %arg0 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<1x1x1x8xf32>
    %7 = stablehlo.negate %0 : tensor<1x1x1x8xf32>
    %8 = stablehlo.multiply %7, %6 : tensor<1x1x1x8xf32>
    %9 = stablehlo.reshape %arg1 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %10 = stablehlo.add %8, %9 : tensor<1x1x1x8xf32>
    %11 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<2x6x6x8xf32>
    %12 = stablehlo.multiply %arg4, %11 : tensor<2x6x6x8xf32>
    %13 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<2x6x6x8xf32>
    %14 = stablehlo.add %12, %13 : tensor<2x6x6x8xf32>
    return %14 : tensor<2x6x6x8xf32>
  }
}
