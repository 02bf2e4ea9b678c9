// Producer: torchax 0.0.13, torch 2.13.0+cpu, jax 0.10.2
// Module: torch.logsumexp
// EXPECT @main: logsumexp=1

module @jit_call_torch attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x8xf32>) -> (tensor<2x5xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %2 = stablehlo.abs %1 : tensor<2x5x1xf32>
    %cst_0 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %4 = stablehlo.compare EQ, %2, %3, FLOAT : (tensor<2x5x1xf32>, tensor<2x5x1xf32>) -> tensor<2x5x1xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = call @_where(%4, %cst_1, %1) : (tensor<2x5x1xi1>, tensor<f32>, tensor<2x5x1xf32>) -> tensor<2x5x1xf32>
    %6 = stablehlo.reshape %5 : (tensor<2x5x1xf32>) -> tensor<2x5xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %8 = stablehlo.multiply %5, %7 : tensor<2x5x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %10 = stablehlo.subtract %arg0, %9 : tensor<2x5x8xf32>
    %11 = stablehlo.exponential %10 : tensor<2x5x8xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %13 = stablehlo.log %12 : tensor<2x5xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %15 = stablehlo.multiply %6, %14 : tensor<2x5xf32>
    %16 = stablehlo.add %13, %15 : tensor<2x5xf32>
    return %16 : tensor<2x5xf32>
  }
  func.func private @_where(%arg0: tensor<2x5x1xi1>, %arg1: tensor<f32>, %arg2: tensor<2x5x1xf32>) -> tensor<2x5x1xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<2x5x1xi1>, tensor<2x5x1xf32>
    return %2 : tensor<2x5x1xf32>
  }
}
