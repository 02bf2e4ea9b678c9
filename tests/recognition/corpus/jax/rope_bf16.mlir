// Producer: jax 0.12.0.1
// Module: in bfloat16
// EXPECT @main: rope=1

module @jit_rope_halves attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x8xbf16>, %arg1: tensor<5x8xbf16>, %arg2: tensor<5x8xbf16>) -> (tensor<2x5x8xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg0 [0:2, 0:5, 0:4] : (tensor<2x5x8xbf16>) -> tensor<2x5x4xbf16>
    %1 = stablehlo.slice %arg0 [0:2, 0:5, 4:8] : (tensor<2x5x8xbf16>) -> tensor<2x5x4xbf16>
    %2 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<5x8xbf16>) -> tensor<1x5x8xbf16>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<1x5x8xbf16>) -> tensor<2x5x8xbf16>
    %4 = stablehlo.multiply %arg0, %3 : tensor<2x5x8xbf16>
    %5 = stablehlo.negate %1 : tensor<2x5x4xbf16>
    %6 = stablehlo.concatenate %5, %0, dim = 2 : (tensor<2x5x4xbf16>, tensor<2x5x4xbf16>) -> tensor<2x5x8xbf16>
    %7 = stablehlo.broadcast_in_dim %arg2, dims = [1, 2] : (tensor<5x8xbf16>) -> tensor<1x5x8xbf16>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<1x5x8xbf16>) -> tensor<2x5x8xbf16>
    %9 = stablehlo.multiply %6, %8 : tensor<2x5x8xbf16>
    %10 = stablehlo.add %4, %9 : tensor<2x5x8xbf16>
    return %10 : tensor<2x5x8xbf16>
  }
}
