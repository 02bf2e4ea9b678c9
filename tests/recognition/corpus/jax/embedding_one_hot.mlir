// Producer: jax 0.12.0.1
// Module: one_hot(ids) @ table
// EXPECT @main: embedding=1

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<10x8xf32>, %arg1: tensor<2x5xi32>) -> (tensor<2x5x8xf32> {jax.result_info = "result"}) {
    %0 = call @_one_hot(%arg1) : (tensor<2x5xi32>) -> tensor<2x5x10xf32>
    %1 = stablehlo.dot_general %0, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x10xf32>, tensor<10x8xf32>) -> tensor<2x5x8xf32>
    return %1 : tensor<2x5x8xf32>
  }
  func.func private @_one_hot(%arg0: tensor<2x5xi32>) -> tensor<2x5x10xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<2x5xi32>) -> tensor<2x5x1xi32>
    %1 = stablehlo.iota dim = 2 : tensor<1x1x10xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<2x5x1xi32>) -> tensor<2x5x10xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x10xi32>) -> tensor<2x5x10xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<2x5x10xi32>, tensor<2x5x10xi32>) -> tensor<2x5x10xi1>
    %5 = stablehlo.convert %4 : (tensor<2x5x10xi1>) -> tensor<2x5x10xf32>
    return %5 : tensor<2x5x10xf32>
  }
}
