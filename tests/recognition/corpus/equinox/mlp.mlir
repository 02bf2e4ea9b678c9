// Producer: equinox 0.13.8 on jax 0.12.0.1
// Module: MLP: Linear, relu, Linear
// EXPECT @main: transformer_mlp=1
// EXPECT @relu: relu=1

module @jit_program attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x8xf32>, %arg1: tensor<16xf32>, %arg2: tensor<3x16xf32>, %arg3: tensor<3xf32>, %arg4: tensor<5x8xf32>) -> (tensor<5x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x8xf32>, tensor<5x8xf32>) -> tensor<16x5xf32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<16x5xf32>) -> tensor<5x16xf32>
    %2 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x16xf32>) -> tensor<5x16xf32>
    %4 = stablehlo.add %1, %3 : tensor<5x16xf32>
    %5 = call @relu(%4) : (tensor<5x16xf32>) -> tensor<5x16xf32>
    %6 = stablehlo.dot_general %arg2, %5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x16xf32>, tensor<5x16xf32>) -> tensor<3x5xf32>
    %7 = stablehlo.transpose %6, dims = [1, 0] : (tensor<3x5xf32>) -> tensor<5x3xf32>
    %8 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<5x3xf32>
    %10 = stablehlo.add %7, %9 : tensor<5x3xf32>
    return %10 : tensor<5x3xf32>
  }
  func.func private @relu(%arg0: tensor<5x16xf32>) -> tensor<5x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x16xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<5x16xf32>
    return %1 : tensor<5x16xf32>
  }
}
