// Producer: jax 0.12.0.1
// Module: angles from the places
// EXPECT @main: rope=1

module @jit_rope_of_places attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x8xf32>) -> (tensor<2x5x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<5xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
    %2 = stablehlo.iota dim = 0 : tensor<4xf32>
    %3 = stablehlo.negate %2 : tensor<4xf32>
    %cst = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %5 = stablehlo.divide %3, %4 : tensor<4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+04> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %7 = stablehlo.power %6, %5 : tensor<4xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %9 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x4xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<5x4xf32>
    %11 = stablehlo.multiply %9, %10 : tensor<5x4xf32>
    %12 = stablehlo.concatenate %11, %11, dim = 1 : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<5x8xf32>
    %13 = stablehlo.cosine %12 : tensor<5x8xf32>
    %14 = stablehlo.sine %12 : tensor<5x8xf32>
    %15 = stablehlo.slice %arg0 [0:2, 0:5, 0:4] : (tensor<2x5x8xf32>) -> tensor<2x5x4xf32>
    %16 = stablehlo.slice %arg0 [0:2, 0:5, 4:8] : (tensor<2x5x8xf32>) -> tensor<2x5x4xf32>
    %17 = stablehlo.broadcast_in_dim %13, dims = [1, 2] : (tensor<5x8xf32>) -> tensor<1x5x8xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<1x5x8xf32>) -> tensor<2x5x8xf32>
    %19 = stablehlo.multiply %arg0, %18 : tensor<2x5x8xf32>
    %20 = stablehlo.negate %16 : tensor<2x5x4xf32>
    %21 = stablehlo.concatenate %20, %15, dim = 2 : (tensor<2x5x4xf32>, tensor<2x5x4xf32>) -> tensor<2x5x8xf32>
    %22 = stablehlo.broadcast_in_dim %14, dims = [1, 2] : (tensor<5x8xf32>) -> tensor<1x5x8xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2] : (tensor<1x5x8xf32>) -> tensor<2x5x8xf32>
    %24 = stablehlo.multiply %21, %23 : tensor<2x5x8xf32>
    %25 = stablehlo.add %19, %24 : tensor<2x5x8xf32>
    return %25 : tensor<2x5x8xf32>
  }
}
