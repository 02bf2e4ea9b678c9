// Producer: jax 0.12.0.1
// Module: of queries and keys
// EXPECT @main: rope=2

module @jit_rope_both attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x8xf32>, %arg1: tensor<2x5x8xf32>, %arg2: tensor<5x8xf32>, %arg3: tensor<5x8xf32>) -> (tensor<2x5x8xf32> {jax.result_info = "result[0]"}, tensor<2x5x8xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.slice %arg0 [0:2, 0:5, 0:4] : (tensor<2x5x8xf32>) -> tensor<2x5x4xf32>
    %1 = stablehlo.slice %arg0 [0:2, 0:5, 4:8] : (tensor<2x5x8xf32>) -> tensor<2x5x4xf32>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [1, 2] : (tensor<5x8xf32>) -> tensor<1x5x8xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<1x5x8xf32>) -> tensor<2x5x8xf32>
    %4 = stablehlo.multiply %arg0, %3 : tensor<2x5x8xf32>
    %5 = stablehlo.negate %1 : tensor<2x5x4xf32>
    %6 = stablehlo.concatenate %5, %0, dim = 2 : (tensor<2x5x4xf32>, tensor<2x5x4xf32>) -> tensor<2x5x8xf32>
    %7 = stablehlo.broadcast_in_dim %arg3, dims = [1, 2] : (tensor<5x8xf32>) -> tensor<1x5x8xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<1x5x8xf32>) -> tensor<2x5x8xf32>
    %9 = stablehlo.multiply %6, %8 : tensor<2x5x8xf32>
    %10 = stablehlo.add %4, %9 : tensor<2x5x8xf32>
    %11 = stablehlo.slice %arg1 [0:2, 0:5, 0:4] : (tensor<2x5x8xf32>) -> tensor<2x5x4xf32>
    %12 = stablehlo.slice %arg1 [0:2, 0:5, 4:8] : (tensor<2x5x8xf32>) -> tensor<2x5x4xf32>
    %13 = stablehlo.broadcast_in_dim %arg2, dims = [1, 2] : (tensor<5x8xf32>) -> tensor<1x5x8xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<1x5x8xf32>) -> tensor<2x5x8xf32>
    %15 = stablehlo.multiply %arg1, %14 : tensor<2x5x8xf32>
    %16 = stablehlo.negate %12 : tensor<2x5x4xf32>
    %17 = stablehlo.concatenate %16, %11, dim = 2 : (tensor<2x5x4xf32>, tensor<2x5x4xf32>) -> tensor<2x5x8xf32>
    %18 = stablehlo.broadcast_in_dim %arg3, dims = [1, 2] : (tensor<5x8xf32>) -> tensor<1x5x8xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<1x5x8xf32>) -> tensor<2x5x8xf32>
    %20 = stablehlo.multiply %17, %19 : tensor<2x5x8xf32>
    %21 = stablehlo.add %15, %20 : tensor<2x5x8xf32>
    return %10, %21 : tensor<2x5x8xf32>, tensor<2x5x8xf32>
  }
}
