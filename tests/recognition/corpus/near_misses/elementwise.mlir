// Producer: jax 0.12.0.1
// Module: elementwise operations
// EXPECT: nothing

module @jit_elementwise attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf32>) -> (tensor<4x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.sine %arg0 : tensor<4x8xf32>
    %1 = stablehlo.abs %arg1 : tensor<4x8xf32>
    %2 = stablehlo.negate %1 : tensor<4x8xf32>
    %3 = stablehlo.exponential %2 : tensor<4x8xf32>
    %4 = stablehlo.multiply %0, %3 : tensor<4x8xf32>
    %5 = stablehlo.multiply %arg0, %arg1 : tensor<4x8xf32>
    %6 = stablehlo.abs %5 : tensor<4x8xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %8 = stablehlo.add %6, %7 : tensor<4x8xf32>
    %9 = stablehlo.sqrt %8 : tensor<4x8xf32>
    %10 = stablehlo.add %4, %9 : tensor<4x8xf32>
    %11 = stablehlo.maximum %10, %arg1 : tensor<4x8xf32>
    %12 = stablehlo.multiply %arg0, %arg0 : tensor<4x8xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %14 = stablehlo.add %13, %12 : tensor<4x8xf32>
    %15 = stablehlo.divide %11, %14 : tensor<4x8xf32>
    %16 = stablehlo.tanh %10 : tensor<4x8xf32>
    %17 = stablehlo.subtract %15, %16 : tensor<4x8xf32>
    return %17 : tensor<4x8xf32>
  }
}
