// Producer: equinox 0.13.8 on jax 0.12.0.1
// Module: Linear of each row
// EXPECT @main: linear=1

module @jit_program attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x8xf32>, %arg1: tensor<16xf32>, %arg2: tensor<5x8xf32>) -> (tensor<5x16xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x8xf32>, tensor<5x8xf32>) -> tensor<16x5xf32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<16x5xf32>) -> tensor<5x16xf32>
    %2 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x16xf32>) -> tensor<5x16xf32>
    %4 = stablehlo.add %1, %3 : tensor<5x16xf32>
    return %4 : tensor<5x16xf32>
  }
}
