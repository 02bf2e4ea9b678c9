// Producer: keras 3.15.1 on jax 0.12.0.1
// Module: Dense without a bias
// EXPECT: nothing

module @jit_program attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x16xf32>, %arg1: tensor<2x5x8xf32>) -> (tensor<2x5x16xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x16xf32>) -> tensor<2x5x16xf32>
    return %0 : tensor<2x5x16xf32>
  }
}
