// Producer: keras 3.15.1 on jax 0.12.0.1
// Module: ops.relu6
// EXPECT @relu6: relu6=1

module @jit_relu6 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x8xf32>) -> (tensor<2x5x8xf32> {jax.result_info = "result"}) {
    %0 = call @relu6(%arg0) : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    return %0 : tensor<2x5x8xf32>
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
