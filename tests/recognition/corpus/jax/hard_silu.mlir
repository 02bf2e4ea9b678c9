// Producer: jax 0.12.0.1
// Module: jax.nn.hard_silu
// EXPECT @hard_silu: hard_swish=1
// EXPECT @hard_sigmoid: hard_sigmoid=1
// EXPECT @relu6: relu6=1

module @jit_hard_silu attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x8xf32>) -> (tensor<2x5x8xf32> {jax.result_info = "result"}) {
    %0 = call @hard_silu(%arg0) : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    return %0 : tensor<2x5x8xf32>
  }
  func.func private @hard_silu(%arg0: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
    %0 = call @hard_sigmoid(%arg0) : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<2x5x8xf32>
    return %1 : tensor<2x5x8xf32>
  }
  func.func private @hard_sigmoid(%arg0: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<2x5x8xf32>
    %2 = call @relu6(%1) : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %4 = stablehlo.divide %2, %3 : tensor<2x5x8xf32>
    return %4 : tensor<2x5x8xf32>
  }
  func.func private @relu6(%arg0: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x5x8xf32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %3 = stablehlo.minimum %1, %2 : tensor<2x5x8xf32>
    return %3 : tensor<2x5x8xf32>
  }
}
