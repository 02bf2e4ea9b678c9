// Producer: flax.linen 0.12.12 on jax 0.12.0.1
// Module: Dense, elu
// EXPECT @main: linear=1
// EXPECT @elu: elu=1

module @jit_apply attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xf32>, %arg1: tensor<8x16xf32>, %arg2: tensor<2x5x8xf32>) -> (tensor<2x5x16xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg2, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x16xf32>) -> tensor<2x5x16xf32>
    %1 = stablehlo.reshape %arg0 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %3 = stablehlo.add %0, %2 : tensor<2x5x16xf32>
    %4 = call @elu(%3) : (tensor<2x5x16xf32>) -> tensor<2x5x16xf32>
    return %4 : tensor<2x5x16xf32>
  }
  func.func private @elu(%arg0: tensor<2x5x16xf32>) -> tensor<2x5x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x16xf32>
    %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<2x5x16xf32>, tensor<2x5x16xf32>) -> tensor<2x5x16xi1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5x16xf32>
    %3 = stablehlo.compare GT, %arg0, %2, FLOAT : (tensor<2x5x16xf32>, tensor<2x5x16xf32>) -> tensor<2x5x16xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = call @_where(%3, %cst_1, %arg0) : (tensor<2x5x16xi1>, tensor<f32>, tensor<2x5x16xf32>) -> tensor<2x5x16xf32>
    %5 = stablehlo.exponential_minus_one %4 : tensor<2x5x16xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x5x16xf32>
    %7 = stablehlo.multiply %6, %5 : tensor<2x5x16xf32>
    %8 = call @_where_0(%1, %arg0, %7) : (tensor<2x5x16xi1>, tensor<2x5x16xf32>, tensor<2x5x16xf32>) -> tensor<2x5x16xf32>
    return %8 : tensor<2x5x16xf32>
  }
  func.func private @_where(%arg0: tensor<2x5x16xi1>, %arg1: tensor<f32>, %arg2: tensor<2x5x16xf32>) -> tensor<2x5x16xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x5x16xf32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<2x5x16xi1>, tensor<2x5x16xf32>
    return %2 : tensor<2x5x16xf32>
  }
  func.func private @_where_0(%arg0: tensor<2x5x16xi1>, %arg1: tensor<2x5x16xf32>, %arg2: tensor<2x5x16xf32>) -> tensor<2x5x16xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<2x5x16xi1>, tensor<2x5x16xf32>
    return %0 : tensor<2x5x16xf32>
  }
}
