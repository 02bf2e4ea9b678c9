// Producer: flax.linen 0.12.12 on jax 0.12.0.1
// Module: Dense in bfloat16
// EXPECT @main: linear=1

module @jit_apply attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xf32>, %arg1: tensor<8x16xf32>, %arg2: tensor<2x5x8xbf16>) -> (tensor<2x5x16xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.convert %arg1 : (tensor<8x16xf32>) -> tensor<8x16xbf16>
    %1 = stablehlo.convert %arg0 : (tensor<16xf32>) -> tensor<16xbf16>
    %2 = stablehlo.dot_general %arg2, %0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xbf16>, tensor<8x16xbf16>) -> tensor<2x5x16xbf16>
    %3 = stablehlo.reshape %1 : (tensor<16xbf16>) -> tensor<1x1x16xbf16>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<1x1x16xbf16>) -> tensor<2x5x16xbf16>
    %5 = stablehlo.add %2, %4 : tensor<2x5x16xbf16>
    return %5 : tensor<2x5x16xbf16>
  }
}
