// Producer: jax 0.12.0.1
// Module: each half
// EXPECT @main: rope=1

module @jit_rope_halves_apart attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x8xf32>, %arg1: tensor<5x4xf32>, %arg2: tensor<5x4xf32>) -> (tensor<2x5x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg0 [0:2, 0:5, 0:4] : (tensor<2x5x8xf32>) -> tensor<2x5x4xf32>
    %1 = stablehlo.slice %arg0 [0:2, 0:5, 4:8] : (tensor<2x5x8xf32>) -> tensor<2x5x4xf32>
    %2 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<5x4xf32>) -> tensor<1x5x4xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<1x5x4xf32>) -> tensor<2x5x4xf32>
    %4 = stablehlo.multiply %0, %3 : tensor<2x5x4xf32>
    %5 = stablehlo.broadcast_in_dim %arg2, dims = [1, 2] : (tensor<5x4xf32>) -> tensor<1x5x4xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<1x5x4xf32>) -> tensor<2x5x4xf32>
    %7 = stablehlo.multiply %1, %6 : tensor<2x5x4xf32>
    %8 = stablehlo.subtract %4, %7 : tensor<2x5x4xf32>
    %9 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<5x4xf32>) -> tensor<1x5x4xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<1x5x4xf32>) -> tensor<2x5x4xf32>
    %11 = stablehlo.multiply %1, %10 : tensor<2x5x4xf32>
    %12 = stablehlo.broadcast_in_dim %arg2, dims = [1, 2] : (tensor<5x4xf32>) -> tensor<1x5x4xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<1x5x4xf32>) -> tensor<2x5x4xf32>
    %14 = stablehlo.multiply %0, %13 : tensor<2x5x4xf32>
    %15 = stablehlo.add %11, %14 : tensor<2x5x4xf32>
    %16 = stablehlo.concatenate %8, %15, dim = 2 : (tensor<2x5x4xf32>, tensor<2x5x4xf32>) -> tensor<2x5x8xf32>
    return %16 : tensor<2x5x8xf32>
  }
}
