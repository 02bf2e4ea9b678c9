// Producer: torchax 0.0.13, torch 2.13.0+cpu, jax 0.10.2
// Module: BatchNorm2d, inference
// EXPECT @main: batch_norm_inference=1

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>, %arg3: tensor<8xf32>, %arg4: tensor<2x8x6x6xf32>) -> (tensor<2x8x6x6xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg2 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %cst = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x8x1x1xf32>
    %2 = stablehlo.add %0, %1 : tensor<1x8x1x1xf32>
    %3 = stablehlo.rsqrt %2 : tensor<1x8x1x1xf32>
    %4 = stablehlo.reshape %arg1 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x6x6xf32>
    %6 = stablehlo.subtract %arg4, %5 : tensor<2x8x6x6xf32>
    %7 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x6x6xf32>
    %8 = stablehlo.multiply %6, %7 : tensor<2x8x6x6xf32>
    %9 = stablehlo.reshape %arg3 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x6x6xf32>
    %11 = stablehlo.multiply %8, %10 : tensor<2x8x6x6xf32>
    %12 = stablehlo.reshape %arg0 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x6x6xf32>
    %14 = stablehlo.add %11, %13 : tensor<2x8x6x6xf32>
    return %14 : tensor<2x8x6x6xf32>
  }
}
