// Producer: torchax 0.0.13, torch 2.13.0+cpu, jax 0.10.2
// Module: the same, causal
// EXPECT @main: attention=1

module @jit_call_torch attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x2x5x4xf32>, %arg1: tensor<2x2x5x4xf32>, %arg2: tensor<2x2x5x4xf32>) -> (tensor<2x2x5x4xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %2 = stablehlo.iota dim = 0 : tensor<5xi32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<5xi32>) -> tensor<1x5xi32>
    %4 = stablehlo.iota dim = 0 : tensor<5xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<5x1xi32>
    %7 = stablehlo.multiply %5, %6 : tensor<5x1xi32>
    %8 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x5xi32>) -> tensor<5x5xi32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<5x1xi32>) -> tensor<5x5xi32>
    %10 = stablehlo.subtract %8, %9 : tensor<5x5xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %12 = stablehlo.compare LE, %10, %11, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %13 = stablehlo.and %12, %1 : tensor<5x5xi1>
    %14 = stablehlo.not %13 : tensor<5x5xi1>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %15 = call @_where(%14, %cst_2, %0) : (tensor<5x5xi1>, tensor<f32>, tensor<5x5xf32>) -> tensor<5x5xf32>
    %16 = stablehlo.transpose %arg1, dims = [0, 1, 3, 2] : (tensor<2x2x5x4xf32>) -> tensor<2x2x4x5xf32>
    %17 = stablehlo.reshape %arg0 : (tensor<2x2x5x4xf32>) -> tensor<4x5x4xf32>
    %18 = stablehlo.reshape %16 : (tensor<2x2x4x5xf32>) -> tensor<4x4x5xf32>
    %19 = stablehlo.dot_general %17, %18, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x5x4xf32>, tensor<4x4x5xf32>) -> tensor<4x5x5xf32>
    %20 = stablehlo.reshape %19 : (tensor<4x5x5xf32>) -> tensor<2x2x5x5xf32>
    %cst_3 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x2x5x5xf32>
    %22 = stablehlo.multiply %20, %21 : tensor<2x2x5x5xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %24 = stablehlo.multiply %15, %23 : tensor<5x5xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [2, 3] : (tensor<5x5xf32>) -> tensor<1x1x5x5xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xf32>) -> tensor<2x2x5x5xf32>
    %27 = stablehlo.add %22, %26 : tensor<2x2x5x5xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %28 = stablehlo.reduce(%27 init: %cst_5) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x2x5xf32>
    %30 = stablehlo.maximum %29, %28 : tensor<2x2x5xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2] : (tensor<2x2x5xf32>) -> tensor<2x2x5x1xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x5xf32>
    %33 = stablehlo.subtract %27, %32 : tensor<2x2x5x5xf32>
    %34 = stablehlo.exponential %33 : tensor<2x2x5x5xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.reduce(%34 init: %cst_7) applies stablehlo.add across dimensions = [3] : (tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2] : (tensor<2x2x5xf32>) -> tensor<2x2x5x1xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x5xf32>
    %38 = stablehlo.divide %34, %37 : tensor<2x2x5x5xf32>
    %39 = stablehlo.reshape %38 : (tensor<2x2x5x5xf32>) -> tensor<4x5x5xf32>
    %40 = stablehlo.reshape %arg2 : (tensor<2x2x5x4xf32>) -> tensor<4x5x4xf32>
    %41 = stablehlo.dot_general %39, %40, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x5x5xf32>, tensor<4x5x4xf32>) -> tensor<4x5x4xf32>
    %42 = stablehlo.reshape %41 : (tensor<4x5x4xf32>) -> tensor<2x2x5x4xf32>
    return %42 : tensor<2x2x5x4xf32>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<f32>, %arg2: tensor<5x5xf32>) -> tensor<5x5xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<5x5xi1>, tensor<5x5xf32>
    return %2 : tensor<5x5xf32>
  }
}
