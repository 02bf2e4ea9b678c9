// Producer: torchax 0.0.13, torch 2.13.0+cpu, jax 0.10.2
// Module: functional.relu
// EXPECT @relu: relu=1

module @jit_call_torch attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x8xf32>) -> (tensor<2x5x8xf32> {jax.result_info = "result"}) {
    %0 = call @relu(%arg0) : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    return %0 : tensor<2x5x8xf32>
  }
  func.func private @relu(%arg0: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x5x8xf32>
    return %1 : tensor<2x5x8xf32>
  }
}
