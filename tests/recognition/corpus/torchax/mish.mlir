// Producer: torchax 0.0.13, torch 2.13.0+cpu, jax 0.10.2
// Module: functional.mish
// EXPECT @main: mish=1

module @jit_call_torch attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x8xf32>) -> (tensor<2x5x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.exponential %arg0 : tensor<2x5x8xf32>
    %1 = stablehlo.log_plus_one %0 : tensor<2x5x8xf32>
    %cst = stablehlo.constant dense<2.000000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %3 = stablehlo.compare GT, %arg0, %2, FLOAT : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xi1>
    %4 = call @_where(%3, %arg0, %1) : (tensor<2x5x8xi1>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    %5 = stablehlo.tanh %4 : tensor<2x5x8xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<2x5x8xf32>
    return %6 : tensor<2x5x8xf32>
  }
  func.func private @_where(%arg0: tensor<2x5x8xi1>, %arg1: tensor<2x5x8xf32>, %arg2: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<2x5x8xi1>, tensor<2x5x8xf32>
    return %0 : tensor<2x5x8xf32>
  }
}
