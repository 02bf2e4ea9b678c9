// Producer: torchax 0.0.13, torch 2.13.0+cpu, jax 0.10.2
// Module: rotated halves
// EXPECT @main: rope=1

module @jit_call_torch attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x2x5x4xf32>, %arg1: tensor<5x4xf32>, %arg2: tensor<5x4xf32>) -> (tensor<2x2x5x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [2, 3] : (tensor<5x4xf32>) -> tensor<1x1x5x4xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2, 3] : (tensor<1x1x5x4xf32>) -> tensor<2x2x5x4xf32>
    %2 = stablehlo.multiply %arg0, %1 : tensor<2x2x5x4xf32>
    %3 = stablehlo.slice %arg0 [0:2, 0:2, 0:5, 2:4] : (tensor<2x2x5x4xf32>) -> tensor<2x2x5x2xf32>
    %cst = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x5x2xf32>
    %5 = stablehlo.multiply %4, %3 : tensor<2x2x5x2xf32>
    %6 = stablehlo.slice %arg0 [0:2, 0:2, 0:5, 0:2] : (tensor<2x2x5x4xf32>) -> tensor<2x2x5x2xf32>
    %7 = stablehlo.concatenate %5, %6, dim = 3 : (tensor<2x2x5x2xf32>, tensor<2x2x5x2xf32>) -> tensor<2x2x5x4xf32>
    %8 = stablehlo.broadcast_in_dim %arg2, dims = [2, 3] : (tensor<5x4xf32>) -> tensor<1x1x5x4xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x5x4xf32>) -> tensor<2x2x5x4xf32>
    %10 = stablehlo.multiply %7, %9 : tensor<2x2x5x4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x2x5x4xf32>
    %12 = stablehlo.multiply %10, %11 : tensor<2x2x5x4xf32>
    %13 = stablehlo.add %2, %12 : tensor<2x2x5x4xf32>
    return %13 : tensor<2x2x5x4xf32>
  }
}
