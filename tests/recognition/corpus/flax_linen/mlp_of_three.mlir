// Producer: flax.linen 0.12.12 on jax 0.12.0.1
// Module: Dense, relu, Dense, relu, Dense
// EXPECT @main: linear=1 transformer_mlp=1
// EXPECT @relu: relu=1

module @jit_apply attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xf32>, %arg1: tensor<8x16xf32>, %arg2: tensor<16xf32>, %arg3: tensor<16x16xf32>, %arg4: tensor<3xf32>, %arg5: tensor<16x3xf32>, %arg6: tensor<2x5x8xf32>) -> (tensor<2x5x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg6, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x16xf32>) -> tensor<2x5x16xf32>
    %1 = stablehlo.reshape %arg0 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %3 = stablehlo.add %0, %2 : tensor<2x5x16xf32>
    %4 = call @relu(%3) : (tensor<2x5x16xf32>) -> tensor<2x5x16xf32>
    %5 = stablehlo.dot_general %4, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x16xf32>, tensor<16x16xf32>) -> tensor<2x5x16xf32>
    %6 = stablehlo.reshape %arg2 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %8 = stablehlo.add %5, %7 : tensor<2x5x16xf32>
    %9 = call @relu(%8) : (tensor<2x5x16xf32>) -> tensor<2x5x16xf32>
    %10 = stablehlo.dot_general %9, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x16xf32>, tensor<16x3xf32>) -> tensor<2x5x3xf32>
    %11 = stablehlo.reshape %arg4 : (tensor<3xf32>) -> tensor<1x1x3xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<1x1x3xf32>) -> tensor<2x5x3xf32>
    %13 = stablehlo.add %10, %12 : tensor<2x5x3xf32>
    return %13 : tensor<2x5x3xf32>
  }
  func.func private @relu(%arg0: tensor<2x5x16xf32>) -> tensor<2x5x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x16xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x5x16xf32>
    return %1 : tensor<2x5x16xf32>
  }
}
