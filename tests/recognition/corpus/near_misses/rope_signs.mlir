// Producer: jax 0.12.0.1
// Module: no half is negated
// EXPECT: nothing

module @jit_rope_signs attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<4x8xf32>) -> (tensor<4x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg0 [0:4, 0:4] : (tensor<4x8xf32>) -> tensor<4x4xf32>
    %1 = stablehlo.slice %arg0 [0:4, 4:8] : (tensor<4x8xf32>) -> tensor<4x4xf32>
    %2 = stablehlo.multiply %arg0, %arg1 : tensor<4x8xf32>
    %3 = stablehlo.concatenate %1, %0, dim = 1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>
    %4 = stablehlo.multiply %3, %arg2 : tensor<4x8xf32>
    %5 = stablehlo.add %2, %4 : tensor<4x8xf32>
    return %5 : tensor<4x8xf32>
  }
}
