// Producer: jax 0.12.0.1
// Module: 4-bit weights, in bfloat16
// EXPECT @main: dequantized_matmul=1

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x8xbf16>, %arg1: tensor<8x16xi4>, %arg2: tensor<16xbf16>) -> (tensor<4x16xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.convert %arg1 : (tensor<8x16xi4>) -> tensor<8x16xbf16>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<16xbf16>) -> tensor<1x16xbf16>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x16xbf16>) -> tensor<8x16xbf16>
    %3 = stablehlo.multiply %0, %2 : tensor<8x16xbf16>
    %4 = stablehlo.dot_general %arg0, %3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xbf16>, tensor<8x16xbf16>) -> tensor<4x16xbf16>
    return %4 : tensor<4x16xbf16>
  }
}
