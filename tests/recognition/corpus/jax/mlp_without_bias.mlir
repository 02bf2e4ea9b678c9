// Producer: jax 0.12.0.1
// Module: relu(x @ w1) @ w2
// EXPECT @main: transformer_mlp=1
// EXPECT @relu: relu=1

module @jit_mlp_plain attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x8xf32>, %arg1: tensor<8x16xf32>, %arg2: tensor<16x8xf32>) -> (tensor<2x5x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x16xf32>) -> tensor<2x5x16xf32>
    %1 = call @relu(%0) : (tensor<2x5x16xf32>) -> tensor<2x5x16xf32>
    %2 = stablehlo.dot_general %1, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x16xf32>, tensor<16x8xf32>) -> tensor<2x5x8xf32>
    return %2 : tensor<2x5x8xf32>
  }
  func.func private @relu(%arg0: tensor<2x5x16xf32>) -> tensor<2x5x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x16xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x5x16xf32>
    return %1 : tensor<2x5x16xf32>
  }
}
