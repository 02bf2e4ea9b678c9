// Producer: torchax 0.0.13, torch 2.13.0+cpu, jax 0.10.2
// Module: functional.elu
// EXPECT @main: elu=1

module @jit_call_torch attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x8xf32>) -> (tensor<2x5x8xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xi1>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %3 = stablehlo.multiply %arg0, %2 : tensor<2x5x8xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %5 = stablehlo.multiply %arg0, %4 : tensor<2x5x8xf32>
    %6 = stablehlo.exponential_minus_one %5 : tensor<2x5x8xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %8 = stablehlo.multiply %6, %7 : tensor<2x5x8xf32>
    %9 = call @_where(%1, %3, %8) : (tensor<2x5x8xi1>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    return %9 : tensor<2x5x8xf32>
  }
  func.func private @_where(%arg0: tensor<2x5x8xi1>, %arg1: tensor<2x5x8xf32>, %arg2: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<2x5x8xi1>, tensor<2x5x8xf32>
    return %0 : tensor<2x5x8xf32>
  }
}
