// Producer: jax 0.12.0.1
// Module: rotated by two, not by half
// EXPECT: nothing

module @jit_rope_thirds attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<4x8xf32>) -> (tensor<4x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.multiply %arg0, %arg1 : tensor<4x8xf32>
    %1 = stablehlo.slice %arg0 [0:4, 6:8] : (tensor<4x8xf32>) -> tensor<4x2xf32>
    %2 = stablehlo.negate %1 : tensor<4x2xf32>
    %3 = stablehlo.slice %arg0 [0:4, 0:6] : (tensor<4x8xf32>) -> tensor<4x6xf32>
    %4 = stablehlo.concatenate %2, %3, dim = 1 : (tensor<4x2xf32>, tensor<4x6xf32>) -> tensor<4x8xf32>
    %5 = stablehlo.multiply %4, %arg2 : tensor<4x8xf32>
    %6 = stablehlo.add %0, %5 : tensor<4x8xf32>
    return %6 : tensor<4x8xf32>
  }
}
