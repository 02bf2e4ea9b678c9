// Producer: equinox 0.13.8 on jax 0.12.0.1
// Module: MLP of one vector
// EXPECT @main: transformer_mlp=1
// EXPECT @relu: relu=1

module @jit_program attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x8xf32>, %arg1: tensor<16xf32>, %arg2: tensor<3x16xf32>, %arg3: tensor<3xf32>, %arg4: tensor<8xf32>) -> (tensor<3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x8xf32>, tensor<8xf32>) -> tensor<16xf32>
    %1 = stablehlo.add %0, %arg1 : tensor<16xf32>
    %2 = call @relu(%1) : (tensor<16xf32>) -> tensor<16xf32>
    %3 = stablehlo.dot_general %arg2, %2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x16xf32>, tensor<16xf32>) -> tensor<3xf32>
    %4 = stablehlo.add %3, %arg3 : tensor<3xf32>
    return %4 : tensor<3xf32>
  }
  func.func private @relu(%arg0: tensor<16xf32>) -> tensor<16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<16xf32>
    return %1 : tensor<16xf32>
  }
}
