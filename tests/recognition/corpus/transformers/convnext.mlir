// Producer: transformers 5.24.0 on torchax 0.0.13, jax 0.10.2
// Module: ConvNextModel, eager attention
// EXPECT @main: conv=2 layer_norm=2 transformer_mlp=1

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>, %arg3: tensor<8x3x4x4xf32>, %arg4: tensor<8xf32>, %arg5: tensor<8x1x7x7xf32>, %arg6: tensor<8xf32>, %arg7: tensor<8xf32>, %arg8: tensor<8xf32>, %arg9: tensor<32xf32>, %arg10: tensor<32x8xf32>, %arg11: tensor<8xf32>, %arg12: tensor<8x32xf32>, %arg13: tensor<2x3x16x16xf32>) -> (tensor<2x8x4x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convolution(%arg13, %arg3) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [4, 4], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x16x16xf32>, tensor<8x3x4x4xf32>) -> tensor<2x8x4x4xf32>
    %1 = stablehlo.reshape %arg2 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x4x4xf32>
    %3 = stablehlo.add %0, %2 : tensor<2x8x4x4xf32>
    %4 = stablehlo.transpose %3, dims = [0, 2, 3, 1] : (tensor<2x8x4x4xf32>) -> tensor<2x4x4x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<2x4x4x8xf32>, tensor<f32>) -> tensor<2x4x4xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x4xf32>) -> tensor<2x4x4x1xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x4x1xf32>
    %8 = stablehlo.divide %6, %7 : tensor<2x4x4x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %9 = call @_var(%4, %c) : (tensor<2x4x4x8xf32>, tensor<i32>) -> tensor<2x4x4x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x4x1xf32>
    %11 = stablehlo.add %9, %10 : tensor<2x4x4x1xf32>
    %12 = stablehlo.rsqrt %11 : tensor<2x4x4x1xf32>
    %13 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<2x4x4x1xf32>) -> tensor<2x4x4x8xf32>
    %14 = stablehlo.subtract %4, %13 : tensor<2x4x4x8xf32>
    %15 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x4x4x1xf32>) -> tensor<2x4x4x8xf32>
    %16 = stablehlo.multiply %14, %15 : tensor<2x4x4x8xf32>
    %17 = stablehlo.broadcast_in_dim %arg1, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<2x4x4x8xf32>
    %19 = stablehlo.multiply %16, %18 : tensor<2x4x4x8xf32>
    %20 = stablehlo.broadcast_in_dim %arg0, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<2x4x4x8xf32>
    %22 = stablehlo.add %19, %21 : tensor<2x4x4x8xf32>
    %23 = stablehlo.transpose %22, dims = [0, 3, 1, 2] : (tensor<2x4x4x8xf32>) -> tensor<2x8x4x4xf32>
    %24 = stablehlo.convolution(%23, %arg5) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[3, 3], [3, 3]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 8 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x8x4x4xf32>, tensor<8x1x7x7xf32>) -> tensor<2x8x4x4xf32>
    %25 = stablehlo.reshape %arg4 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x4x4xf32>
    %27 = stablehlo.add %24, %26 : tensor<2x8x4x4xf32>
    %28 = stablehlo.transpose %27, dims = [0, 2, 3, 1] : (tensor<2x8x4x4xf32>) -> tensor<2x4x4x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x4x8xf32>, tensor<f32>) -> tensor<2x4x4xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2] : (tensor<2x4x4xf32>) -> tensor<2x4x4x1xf32>
    %cst_3 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x4x1xf32>
    %32 = stablehlo.divide %30, %31 : tensor<2x4x4x1xf32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %33 = call @_var(%28, %c_4) : (tensor<2x4x4x8xf32>, tensor<i32>) -> tensor<2x4x4x1xf32>
    %cst_5 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x4x4x1xf32>
    %35 = stablehlo.add %33, %34 : tensor<2x4x4x1xf32>
    %36 = stablehlo.rsqrt %35 : tensor<2x4x4x1xf32>
    %37 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 3] : (tensor<2x4x4x1xf32>) -> tensor<2x4x4x8xf32>
    %38 = stablehlo.subtract %28, %37 : tensor<2x4x4x8xf32>
    %39 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<2x4x4x1xf32>) -> tensor<2x4x4x8xf32>
    %40 = stablehlo.multiply %38, %39 : tensor<2x4x4x8xf32>
    %41 = stablehlo.broadcast_in_dim %arg8, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<2x4x4x8xf32>
    %43 = stablehlo.multiply %40, %42 : tensor<2x4x4x8xf32>
    %44 = stablehlo.broadcast_in_dim %arg7, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<2x4x4x8xf32>
    %46 = stablehlo.add %43, %45 : tensor<2x4x4x8xf32>
    %47 = stablehlo.dot_general %46, %arg10, contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x4x8xf32>, tensor<32x8xf32>) -> tensor<2x4x4x32xf32>
    %48 = stablehlo.broadcast_in_dim %arg9, dims = [3] : (tensor<32xf32>) -> tensor<1x1x1x32xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2, 3] : (tensor<1x1x1x32xf32>) -> tensor<2x4x4x32xf32>
    %50 = stablehlo.add %47, %49 : tensor<2x4x4x32xf32>
    %cst_6 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x4x4x32xf32>
    %52 = stablehlo.multiply %51, %50 : tensor<2x4x4x32xf32>
    %53 = stablehlo.negate %50 : tensor<2x4x4x32xf32>
    %cst_7 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x4x4x32xf32>
    %55 = stablehlo.multiply %53, %54 : tensor<2x4x4x32xf32>
    %56 = chlo.erfc %55 : tensor<2x4x4x32xf32> -> tensor<2x4x4x32xf32>
    %57 = stablehlo.multiply %52, %56 : tensor<2x4x4x32xf32>
    %58 = stablehlo.dot_general %57, %arg12, contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x4x32xf32>, tensor<8x32xf32>) -> tensor<2x4x4x8xf32>
    %59 = stablehlo.broadcast_in_dim %arg11, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<2x4x4x8xf32>
    %61 = stablehlo.add %58, %60 : tensor<2x4x4x8xf32>
    %62 = stablehlo.broadcast_in_dim %arg6, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<2x4x4x8xf32>
    %64 = stablehlo.multiply %63, %61 : tensor<2x4x4x8xf32>
    %65 = stablehlo.transpose %64, dims = [0, 3, 1, 2] : (tensor<2x4x4x8xf32>) -> tensor<2x8x4x4xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x8x4x4xf32>
    %67 = stablehlo.multiply %65, %66 : tensor<2x8x4x4xf32>
    %68 = stablehlo.add %23, %67 : tensor<2x8x4x4xf32>
    return %68 : tensor<2x8x4x4xf32>
  }
  func.func private @_var(%arg0: tensor<2x4x4x8xf32>, %arg1: tensor<i32>) -> tensor<2x4x4x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<2x4x4x8xf32>, tensor<f32>) -> tensor<2x4x4xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<2x4x4xf32>) -> tensor<2x4x4x1xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x4x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2x4x4x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<2x4x4x1xf32>) -> tensor<2x4x4x8xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<2x4x4x8xf32>
    %6 = chlo.square %5 : tensor<2x4x4x8xf32> -> tensor<2x4x4x8xf32>
    %7 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %8 = stablehlo.subtract %cst_1, %7 : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x4x8xf32>, tensor<f32>) -> tensor<2x4x4xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x4x4xf32>) -> tensor<2x4x4x1xf32>
    %11 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<2x4x4x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<2x4x4x1xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.compare GT, %8, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = call @_where(%13, %12, %cst_4) : (tensor<i1>, tensor<2x4x4x1xf32>, tensor<f32>) -> tensor<2x4x4x1xf32>
    return %14 : tensor<2x4x4x1xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<2x4x4x1xf32>, %arg2: tensor<f32>) -> tensor<2x4x4x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x4x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<2x4x4x1xf32>
    return %2 : tensor<2x4x4x1xf32>
  }
}
