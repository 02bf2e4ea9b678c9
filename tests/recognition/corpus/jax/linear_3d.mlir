// Producer: jax 0.12.0.1
// Module: x @ w + b, x of rank 3, in bfloat16
// EXPECT @main: linear=1

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x8xbf16>, %arg1: tensor<8x16xbf16>, %arg2: tensor<16xbf16>) -> (tensor<2x5x16xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xbf16>, tensor<8x16xbf16>) -> tensor<2x5x16xbf16>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<16xbf16>) -> tensor<1x1x16xbf16>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x16xbf16>) -> tensor<2x5x16xbf16>
    %3 = stablehlo.add %0, %2 : tensor<2x5x16xbf16>
    return %3 : tensor<2x5x16xbf16>
  }
}
