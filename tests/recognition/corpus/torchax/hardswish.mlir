// Producer: torchax 0.0.13, torch 2.13.0+cpu, jax 0.10.2
// Module: functional.hardswish
// EXPECT @main: hard_swish=1

module @jit_call_torch attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x8xf32>) -> (tensor<2x5x8xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<2x5x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = call @clip(%1, %c) : (tensor<2x5x8xf32>, tensor<i32>) -> tensor<2x5x8xf32>
    %c_0 = stablehlo.constant dense<6> : tensor<i32>
    %3 = call @clip_0(%2, %c_0) : (tensor<2x5x8xf32>, tensor<i32>) -> tensor<2x5x8xf32>
    %4 = stablehlo.multiply %arg0, %3 : tensor<2x5x8xf32>
    %cst_1 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %6 = stablehlo.divide %4, %5 : tensor<2x5x8xf32>
    return %6 : tensor<2x5x8xf32>
  }
  func.func private @clip(%arg0: tensor<2x5x8xf32>, %arg1: tensor<i32>) -> tensor<2x5x8xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<2x5x8xf32>
    return %2 : tensor<2x5x8xf32>
  }
  func.func private @clip_0(%arg0: tensor<2x5x8xf32>, %arg1: tensor<i32>) -> tensor<2x5x8xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %2 = stablehlo.minimum %1, %arg0 : tensor<2x5x8xf32>
    return %2 : tensor<2x5x8xf32>
  }
}
