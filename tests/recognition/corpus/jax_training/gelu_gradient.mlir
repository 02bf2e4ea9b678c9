// Producer: optax 0.2.8 on jax 0.12.0.1
// Module: the gradient of a gelu
// EXPECT: anything

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x8xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<2x5x8xf32> {jax.result_info = "result[1][0]"}) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<2x5x8xf32>
    %1 = stablehlo.multiply %0, %arg0 : tensor<2x5x8xf32>
    %2 = stablehlo.multiply %arg0, %arg0 : tensor<2x5x8xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %4 = stablehlo.multiply %3, %2 : tensor<2x5x8xf32>
    %cst_0 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %6 = stablehlo.multiply %5, %1 : tensor<2x5x8xf32>
    %7 = stablehlo.add %arg0, %6 : tensor<2x5x8xf32>
    %cst_1 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %9 = stablehlo.multiply %8, %7 : tensor<2x5x8xf32>
    %10 = stablehlo.tanh %9 : tensor<2x5x8xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %12 = stablehlo.add %11, %10 : tensor<2x5x8xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %14 = stablehlo.subtract %13, %10 : tensor<2x5x8xf32>
    %15 = stablehlo.multiply %12, %14 : tensor<2x5x8xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %17 = stablehlo.add %16, %10 : tensor<2x5x8xf32>
    %cst_5 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %19 = stablehlo.multiply %18, %17 : tensor<2x5x8xf32>
    %20 = stablehlo.multiply %arg0, %19 : tensor<2x5x8xf32>
    %21 = chlo.square %20 : tensor<2x5x8xf32> -> tensor<2x5x8xf32>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %23 = stablehlo.multiply %22, %20 : tensor<2x5x8xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.reduce(%21 init: %cst_7) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %26 = stablehlo.multiply %25, %23 : tensor<2x5x8xf32>
    %27 = stablehlo.multiply %arg0, %26 : tensor<2x5x8xf32>
    %28 = stablehlo.multiply %26, %19 : tensor<2x5x8xf32>
    %cst_9 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %30 = stablehlo.multiply %29, %27 : tensor<2x5x8xf32>
    %31 = stablehlo.multiply %30, %15 : tensor<2x5x8xf32>
    %cst_10 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %33 = stablehlo.multiply %32, %31 : tensor<2x5x8xf32>
    %34 = stablehlo.add %28, %33 : tensor<2x5x8xf32>
    %cst_11 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %36 = stablehlo.multiply %35, %33 : tensor<2x5x8xf32>
    %37 = stablehlo.multiply %36, %4 : tensor<2x5x8xf32>
    %38 = stablehlo.add %34, %37 : tensor<2x5x8xf32>
    return %24, %38 : tensor<f32>, tensor<2x5x8xf32>
  }
}
