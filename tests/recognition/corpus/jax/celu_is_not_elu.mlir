// Producer: jax 0.12.0.1
// Module: jax.nn.celu with alpha 2
// EXPECT @main: celu=1
// MAY @celu: relu=1

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x8xf32>) -> (tensor<2x5x8xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = call @celu(%arg0, %cst) : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5x8xf32>
    return %0 : tensor<2x5x8xf32>
  }
  func.func private @celu(%arg0: tensor<2x5x8xf32>, %arg1: tensor<f32>) -> tensor<2x5x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x5x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %3 = stablehlo.minimum %arg0, %2 : tensor<2x5x8xf32>
    %4 = stablehlo.convert %arg1 : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %6 = stablehlo.divide %3, %5 : tensor<2x5x8xf32>
    %7 = stablehlo.exponential_minus_one %6 : tensor<2x5x8xf32>
    %8 = stablehlo.convert %arg1 : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %10 = stablehlo.multiply %9, %7 : tensor<2x5x8xf32>
    %11 = stablehlo.add %1, %10 : tensor<2x5x8xf32>
    return %11 : tensor<2x5x8xf32>
  }
}
