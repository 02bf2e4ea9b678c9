// Producer: flax.linen 0.12.12 on jax 0.12.0.1
// Module: DenseGeneral: to heads
// EXPECT @main: linear=1

module @jit_apply attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4xf32>, %arg1: tensor<8x2x4xf32>, %arg2: tensor<2x5x8xf32>) -> (tensor<2x5x2x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg2, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x2x4xf32>) -> tensor<2x5x2x4xf32>
    %1 = stablehlo.reshape %arg0 : (tensor<2x4xf32>) -> tensor<1x1x2x4xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x2x4xf32>) -> tensor<2x5x2x4xf32>
    %3 = stablehlo.add %0, %2 : tensor<2x5x2x4xf32>
    return %3 : tensor<2x5x2x4xf32>
  }
}
