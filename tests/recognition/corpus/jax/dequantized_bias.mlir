// Producer: jax 0.12.0.1
// Module: (x @ w) * scale + b, one scale
// EXPECT @main: dequantized_matmul=1

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x8xf32>, %arg1: tensor<8x16xi8>, %arg2: tensor<f32>, %arg3: tensor<16xf32>) -> (tensor<4x16xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convert %arg1 : (tensor<8x16xi8>) -> tensor<8x16xf32>
    %1 = stablehlo.dot_general %arg0, %0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<4x16xf32>
    %4 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<1x16xf32>) -> tensor<4x16xf32>
    %6 = stablehlo.add %3, %5 : tensor<4x16xf32>
    return %6 : tensor<4x16xf32>
  }
}
