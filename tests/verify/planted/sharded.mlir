module @jit_step attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>, tf.aliasing_output = 0 : i32}, %arg1: tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>, tf.aliasing_output = 1 : i32}, %arg2: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg3: tensor<32x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<16x64xf32> {jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, tensor<64x8xf32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, tensor<f32> {jax.result_info = "result[2]", sdy.sharding = #sdy.sharding<@mesh, []>}) {
    %0 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x64xf32>) -> tensor<32x64xf32>
    %1 = stablehlo.multiply %0, %0 : tensor<32x64xf32>
    %2 = stablehlo.multiply %1, %0 : tensor<32x64xf32>
    %3 = stablehlo.multiply %0, %0 : tensor<32x64xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %5 = stablehlo.multiply %4, %3 : tensor<32x64xf32>
    %cst_0 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %7 = stablehlo.multiply %6, %2 : tensor<32x64xf32>
    %8 = stablehlo.add %0, %7 : tensor<32x64xf32>
    %cst_1 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<32x64xf32>
    %11 = stablehlo.tanh %10 : tensor<32x64xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %13 = stablehlo.subtract %12, %11 : tensor<32x64xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %15 = stablehlo.add %14, %11 : tensor<32x64xf32>
    %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %17 = stablehlo.multiply %16, %15 : tensor<32x64xf32>
    %18 = stablehlo.multiply %0, %17 : tensor<32x64xf32>
    %19 = sdy.sharding_constraint %18 <@mesh, [{"data"}, {"model"}]> : tensor<32x64xf32>
    %20 = stablehlo.dot_general %19, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x64xf32>, tensor<64x8xf32>) -> tensor<32x8xf32>
    %21 = stablehlo.subtract %20, %arg3 : tensor<32x8xf32>
    %22 = stablehlo.multiply %21, %21 : tensor<32x8xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<32x8xf32>
    %24 = stablehlo.multiply %23, %21 : tensor<32x8xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%22 init: %cst_6) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_7 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %26 = stablehlo.divide %25, %cst_7 : tensor<f32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_9 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %27 = stablehlo.divide %cst_8, %cst_9 : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [] : (tensor<f32>) -> tensor<32x8xf32>
    %29 = stablehlo.multiply %28, %24 : tensor<32x8xf32>
    %30 = stablehlo.dot_general %29, %19, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x8xf32>, tensor<32x64xf32>) -> tensor<8x64xf32>
    %31 = stablehlo.transpose %30, dims = [1, 0] : (tensor<8x64xf32>) -> tensor<64x8xf32>
    %32 = stablehlo.dot_general %29, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x8xf32>, tensor<64x8xf32>) -> tensor<32x64xf32>
    %33 = sdy.sharding_constraint %32 <@mesh, [{"data"}, {"model"}]> : tensor<32x64xf32>
    %34 = stablehlo.multiply %0, %33 : tensor<32x64xf32>
    %35 = stablehlo.multiply %33, %17 : tensor<32x64xf32>
    %cst_10 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %37 = stablehlo.multiply %36, %34 : tensor<32x64xf32>
    %38 = stablehlo.multiply %37, %13 : tensor<32x64xf32>
    %39 = stablehlo.multiply %38, %11 : tensor<32x64xf32>
    %40 = stablehlo.add %38, %39 : tensor<32x64xf32>
    %cst_11 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %42 = stablehlo.multiply %41, %40 : tensor<32x64xf32>
    %43 = stablehlo.add %35, %42 : tensor<32x64xf32>
    %cst_12 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %45 = stablehlo.multiply %44, %42 : tensor<32x64xf32>
    %46 = stablehlo.multiply %45, %5 : tensor<32x64xf32>
    %47 = stablehlo.add %43, %46 : tensor<32x64xf32>
    %48 = stablehlo.dot_general %47, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x64xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
    %49 = stablehlo.transpose %48, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %cst_13 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %51 = stablehlo.multiply %50, %49 : tensor<16x64xf32>
    %52 = stablehlo.subtract %arg0, %51 : tensor<16x64xf32>
    %cst_14 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<64x8xf32>
    %54 = stablehlo.multiply %53, %31 : tensor<64x8xf32>
    %55 = stablehlo.subtract %arg1, %54 : tensor<64x8xf32>
    return %52, %55, %26 : tensor<16x64xf32>, tensor<64x8xf32>, tensor<f32>
  }
}
