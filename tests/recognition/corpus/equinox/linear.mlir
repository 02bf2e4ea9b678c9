// Producer: equinox 0.13.8 on jax 0.12.0.1
// Module: Linear: a matrix times a vector
// EXPECT @main: linear=1

module @jit_program attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x8xf32>, %arg1: tensor<16xf32>, %arg2: tensor<8xf32>) -> (tensor<16xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x8xf32>, tensor<8xf32>) -> tensor<16xf32>
    %1 = stablehlo.add %0, %arg1 : tensor<16xf32>
    return %1 : tensor<16xf32>
  }
}
