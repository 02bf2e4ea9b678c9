// Producer: jax 0.12.0.1
// Module: with a bias, a mask and is_causal=True
// EXPECT @main: attention=1

module @jit_program attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>, %arg2: tensor<2x6x4x8xf32>, %arg3: tensor<2x4x6x6xf32>, %arg4: tensor<2x1x6x6xi1>) -> (tensor<2x6x4x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x6x4x8xf32>) -> tensor<2x6x4x1x8xf32>
    %1 = stablehlo.reshape %arg3 : (tensor<2x4x6x6xf32>) -> tensor<2x4x1x6x6xf32>
    %2 = stablehlo.broadcast_in_dim %arg4, dims = [0, 1, 3, 4] : (tensor<2x1x6x6xi1>) -> tensor<2x1x1x6x6xi1>
    %3 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x1x8xf32>, tensor<2x6x4x8xf32>) -> tensor<2x4x6x1x6xf32>
    %cst = stablehlo.constant dense<0.353553385> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x6x1x6xf32>
    %5 = stablehlo.multiply %3, %4 : tensor<2x4x6x1x6xf32>
    %6 = stablehlo.transpose %5, dims = [3, 0, 1, 2, 4] : (tensor<2x4x6x1x6xf32>) -> tensor<1x2x4x6x6xf32>
    %7 = stablehlo.transpose %1, dims = [2, 0, 1, 3, 4] : (tensor<2x4x1x6x6xf32>) -> tensor<1x2x4x6x6xf32>
    %8 = stablehlo.add %6, %7 : tensor<1x2x4x6x6xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x4x6x6xi1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [1, 2, 3, 4] : (tensor<2x4x6x6xi1>) -> tensor<1x2x4x6x6xi1>
    %11 = stablehlo.transpose %2, dims = [2, 0, 1, 3, 4] : (tensor<2x1x1x6x6xi1>) -> tensor<1x2x1x6x6xi1>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3, 4] : (tensor<1x2x1x6x6xi1>) -> tensor<1x2x4x6x6xi1>
    %13 = stablehlo.and %10, %12 : tensor<1x2x4x6x6xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %14 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<6x6xi1>
    %15 = call @tril(%14) : (tensor<6x6xi1>) -> tensor<6x6xi1>
    %16 = stablehlo.broadcast_in_dim %15, dims = [2, 3] : (tensor<6x6xi1>) -> tensor<1x1x6x6xi1>
    %17 = stablehlo.broadcast_in_dim %16, dims = [1, 2, 3, 4] : (tensor<1x1x6x6xi1>) -> tensor<1x1x1x6x6xi1>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3, 4] : (tensor<1x1x1x6x6xi1>) -> tensor<1x2x4x6x6xi1>
    %19 = stablehlo.and %13, %18 : tensor<1x2x4x6x6xi1>
    %cst_1 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %20 = call @_where(%19, %8, %cst_1) : (tensor<1x2x4x6x6xi1>, tensor<1x2x4x6x6xf32>, tensor<f32>) -> tensor<1x2x4x6x6xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %21 = stablehlo.reduce(%20 init: %cst_2) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x4x6x6xf32>, tensor<f32>) -> tensor<1x2x4x6xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x2x4x6xf32>
    %23 = stablehlo.maximum %22, %21 : tensor<1x2x4x6xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2, 3] : (tensor<1x2x4x6xf32>) -> tensor<1x2x4x6x1xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x6x1xf32>) -> tensor<1x2x4x6x6xf32>
    %26 = stablehlo.subtract %20, %25 : tensor<1x2x4x6x6xf32>
    %27 = stablehlo.exponential %26 : tensor<1x2x4x6x6xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.reduce(%27 init: %cst_4) applies stablehlo.add across dimensions = [4] : (tensor<1x2x4x6x6xf32>, tensor<f32>) -> tensor<1x2x4x6xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2, 3] : (tensor<1x2x4x6xf32>) -> tensor<1x2x4x6x1xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2, 3, 4] : (tensor<1x2x4x6x1xf32>) -> tensor<1x2x4x6x6xf32>
    %31 = stablehlo.divide %27, %30 : tensor<1x2x4x6x6xf32>
    %32 = stablehlo.dot_general %arg2, %31, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x8xf32>, tensor<1x2x4x6x6xf32>) -> tensor<2x4x8x1x6xf32>
    %33 = stablehlo.transpose %32, dims = [3, 0, 4, 1, 2] : (tensor<2x4x8x1x6xf32>) -> tensor<1x2x6x4x8xf32>
    %34 = stablehlo.transpose %33, dims = [1, 2, 3, 0, 4] : (tensor<1x2x6x4x8xf32>) -> tensor<2x6x4x1x8xf32>
    %35 = stablehlo.reshape %34 : (tensor<2x6x4x1x8xf32>) -> tensor<2x6x4x8xf32>
    return %35 : tensor<2x6x4x8xf32>
  }
  func.func private @tril(%arg0: tensor<6x6xi1>) -> tensor<6x6xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<6x6xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x6xi32>
    %2 = stablehlo.add %0, %1 : tensor<6x6xi32>
    %3 = stablehlo.iota dim = 1 : tensor<6x6xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<6x6xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<6x6xi1>, tensor<6x6xi1>
    return %6 : tensor<6x6xi1>
  }
  func.func private @_where(%arg0: tensor<1x2x4x6x6xi1>, %arg1: tensor<1x2x4x6x6xf32>, %arg2: tensor<f32>) -> tensor<1x2x4x6x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x4x6x6xf32>) -> tensor<1x2x4x6x6xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<1x2x4x6x6xi1>, tensor<1x2x4x6x6xf32>
    return %2 : tensor<1x2x4x6x6xf32>
  }
}
