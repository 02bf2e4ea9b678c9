// Producer: torchax 0.0.13, torch 2.13.0+cpu, jax 0.10.2
// Module: causal attention of two heads
// EXPECT @main: attention=1 linear=2

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<24xf32>, %arg3: tensor<24x8xf32>, %arg4: tensor<2x5x8xf32>) -> (tensor<2x5x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg4, %arg3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<24x8xf32>) -> tensor<2x5x24xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<24xf32>) -> tensor<1x1x24xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x24xf32>) -> tensor<2x5x24xf32>
    %3 = stablehlo.add %0, %2 : tensor<2x5x24xf32>
    %4 = stablehlo.slice %3 [0:2, 0:5, 0:8] : (tensor<2x5x24xf32>) -> tensor<2x5x8xf32>
    %5 = stablehlo.slice %3 [0:2, 0:5, 8:16] : (tensor<2x5x24xf32>) -> tensor<2x5x8xf32>
    %6 = stablehlo.slice %3 [0:2, 0:5, 16:24] : (tensor<2x5x24xf32>) -> tensor<2x5x8xf32>
    %7 = stablehlo.reshape %4 : (tensor<2x5x8xf32>) -> tensor<2x5x2x4xf32>
    %8 = stablehlo.transpose %7, dims = [0, 2, 1, 3] : (tensor<2x5x2x4xf32>) -> tensor<2x2x5x4xf32>
    %9 = stablehlo.reshape %5 : (tensor<2x5x8xf32>) -> tensor<2x5x2x4xf32>
    %10 = stablehlo.transpose %9, dims = [0, 2, 1, 3] : (tensor<2x5x2x4xf32>) -> tensor<2x2x5x4xf32>
    %11 = stablehlo.reshape %6 : (tensor<2x5x8xf32>) -> tensor<2x5x2x4xf32>
    %12 = stablehlo.transpose %11, dims = [0, 2, 1, 3] : (tensor<2x5x2x4xf32>) -> tensor<2x2x5x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %14 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %15 = stablehlo.iota dim = 0 : tensor<5xi32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [1] : (tensor<5xi32>) -> tensor<1x5xi32>
    %17 = stablehlo.iota dim = 0 : tensor<5xi32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %19 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<5x1xi32>
    %20 = stablehlo.multiply %18, %19 : tensor<5x1xi32>
    %21 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<1x5xi32>) -> tensor<5x5xi32>
    %22 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<5x1xi32>) -> tensor<5x5xi32>
    %23 = stablehlo.subtract %21, %22 : tensor<5x5xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %24 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %25 = stablehlo.compare LE, %23, %24, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %26 = stablehlo.and %25, %14 : tensor<5x5xi1>
    %27 = stablehlo.not %26 : tensor<5x5xi1>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %28 = call @_where(%27, %cst_2, %13) : (tensor<5x5xi1>, tensor<f32>, tensor<5x5xf32>) -> tensor<5x5xf32>
    %29 = stablehlo.transpose %10, dims = [0, 1, 3, 2] : (tensor<2x2x5x4xf32>) -> tensor<2x2x4x5xf32>
    %30 = stablehlo.reshape %8 : (tensor<2x2x5x4xf32>) -> tensor<4x5x4xf32>
    %31 = stablehlo.reshape %29 : (tensor<2x2x4x5xf32>) -> tensor<4x4x5xf32>
    %32 = stablehlo.dot_general %30, %31, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x5x4xf32>, tensor<4x4x5xf32>) -> tensor<4x5x5xf32>
    %33 = stablehlo.reshape %32 : (tensor<4x5x5xf32>) -> tensor<2x2x5x5xf32>
    %cst_3 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x2x5x5xf32>
    %35 = stablehlo.multiply %33, %34 : tensor<2x2x5x5xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %37 = stablehlo.multiply %28, %36 : tensor<5x5xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [2, 3] : (tensor<5x5xf32>) -> tensor<1x1x5x5xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xf32>) -> tensor<2x2x5x5xf32>
    %40 = stablehlo.add %35, %39 : tensor<2x2x5x5xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %41 = stablehlo.reduce(%40 init: %cst_5) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x2x5xf32>
    %43 = stablehlo.maximum %42, %41 : tensor<2x2x5xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2] : (tensor<2x2x5xf32>) -> tensor<2x2x5x1xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2, 3] : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x5xf32>
    %46 = stablehlo.subtract %40, %45 : tensor<2x2x5x5xf32>
    %47 = stablehlo.exponential %46 : tensor<2x2x5x5xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%47 init: %cst_7) applies stablehlo.add across dimensions = [3] : (tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2] : (tensor<2x2x5xf32>) -> tensor<2x2x5x1xf32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 2, 3] : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x5xf32>
    %51 = stablehlo.divide %47, %50 : tensor<2x2x5x5xf32>
    %52 = stablehlo.reshape %51 : (tensor<2x2x5x5xf32>) -> tensor<4x5x5xf32>
    %53 = stablehlo.reshape %12 : (tensor<2x2x5x4xf32>) -> tensor<4x5x4xf32>
    %54 = stablehlo.dot_general %52, %53, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x5x5xf32>, tensor<4x5x4xf32>) -> tensor<4x5x4xf32>
    %55 = stablehlo.reshape %54 : (tensor<4x5x4xf32>) -> tensor<2x2x5x4xf32>
    %56 = stablehlo.transpose %55, dims = [0, 2, 1, 3] : (tensor<2x2x5x4xf32>) -> tensor<2x5x2x4xf32>
    %57 = stablehlo.reshape %56 : (tensor<2x5x2x4xf32>) -> tensor<2x5x8xf32>
    %58 = stablehlo.dot_general %57, %arg1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
    %59 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %61 = stablehlo.add %58, %60 : tensor<2x5x8xf32>
    return %61 : tensor<2x5x8xf32>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<f32>, %arg2: tensor<5x5xf32>) -> tensor<5x5xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<5x5xi1>, tensor<5x5xf32>
    return %2 : tensor<5x5xf32>
  }
}
