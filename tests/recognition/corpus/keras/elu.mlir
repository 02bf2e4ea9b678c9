// Producer: keras 3.15.1 on jax 0.12.0.1
// Module: ops.elu
// EXPECT @main|@elu: elu=1

module @jit_elu attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x8xf32>) -> (tensor<2x5x8xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = call @elu(%arg0, %cst) : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5x8xf32>
    return %0 : tensor<2x5x8xf32>
  }
  func.func private @elu(%arg0: tensor<2x5x8xf32>, %arg1: tensor<f32>) -> tensor<2x5x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xi1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %3 = stablehlo.compare GT, %arg0, %2, FLOAT : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = call @_where(%3, %cst_1, %arg0) : (tensor<2x5x8xi1>, tensor<f32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    %5 = stablehlo.exponential_minus_one %4 : tensor<2x5x8xf32>
    %6 = stablehlo.convert %arg1 : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<2x5x8xf32>
    %9 = call @_where_0(%1, %arg0, %8) : (tensor<2x5x8xi1>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    return %9 : tensor<2x5x8xf32>
  }
  func.func private @_where(%arg0: tensor<2x5x8xi1>, %arg1: tensor<f32>, %arg2: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<2x5x8xi1>, tensor<2x5x8xf32>
    return %2 : tensor<2x5x8xf32>
  }
  func.func private @_where_0(%arg0: tensor<2x5x8xi1>, %arg1: tensor<2x5x8xf32>, %arg2: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<2x5x8xi1>, tensor<2x5x8xf32>
    return %0 : tensor<2x5x8xf32>
  }
}
