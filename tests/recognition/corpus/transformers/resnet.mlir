// Producer: transformers 5.24.0 on torchax 0.0.13, jax 0.10.2
// Module: ResNetModel, eager attention
// EXPECT @main: batch_norm_inference=4
// EXPECT @relu: relu=1
// EXPECT @relu_0: relu=1

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x3x7x7xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>, %arg5: tensor<8x4x3x3xf32>, %arg6: tensor<8xf32>, %arg7: tensor<8xf32>, %arg8: tensor<8xf32>, %arg9: tensor<8xf32>, %arg10: tensor<8x8x3x3xf32>, %arg11: tensor<8xf32>, %arg12: tensor<8xf32>, %arg13: tensor<8xf32>, %arg14: tensor<8xf32>, %arg15: tensor<8x4x1x1xf32>, %arg16: tensor<8xf32>, %arg17: tensor<8xf32>, %arg18: tensor<8xf32>, %arg19: tensor<8xf32>, %arg20: tensor<2x3x16x16xf32>) -> (tensor<2x8x4x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convolution(%arg20, %arg0) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[3, 3], [3, 3]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x16x16xf32>, tensor<4x3x7x7xf32>) -> tensor<2x4x8x8xf32>
    %1 = stablehlo.reshape %arg3 : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
    %cst = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x4x1x1xf32>
    %3 = stablehlo.add %1, %2 : tensor<1x4x1x1xf32>
    %4 = stablehlo.rsqrt %3 : tensor<1x4x1x1xf32>
    %5 = stablehlo.reshape %arg2 : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3] : (tensor<1x4x1x1xf32>) -> tensor<2x4x8x8xf32>
    %7 = stablehlo.subtract %0, %6 : tensor<2x4x8x8xf32>
    %8 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<1x4x1x1xf32>) -> tensor<2x4x8x8xf32>
    %9 = stablehlo.multiply %7, %8 : tensor<2x4x8x8xf32>
    %10 = stablehlo.reshape %arg4 : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<1x4x1x1xf32>) -> tensor<2x4x8x8xf32>
    %12 = stablehlo.multiply %9, %11 : tensor<2x4x8x8xf32>
    %13 = stablehlo.reshape %arg1 : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x4x1x1xf32>) -> tensor<2x4x8x8xf32>
    %15 = stablehlo.add %12, %14 : tensor<2x4x8x8xf32>
    %16 = call @relu(%15) : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<f32>
    %18 = "stablehlo.reduce_window"(%16, %17) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [1, 1], [1, 1]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>}> ({
    ^bb0(%arg21: tensor<f32>, %arg22: tensor<f32>):
      %72 = stablehlo.maximum %arg21, %arg22 : tensor<f32>
      stablehlo.return %72 : tensor<f32>
    }) : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x4x4xf32>
    %19 = stablehlo.convolution(%18, %arg5) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x4x4x4xf32>, tensor<8x4x3x3xf32>) -> tensor<2x8x4x4xf32>
    %20 = stablehlo.reshape %arg8 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x8x1x1xf32>
    %22 = stablehlo.add %20, %21 : tensor<1x8x1x1xf32>
    %23 = stablehlo.rsqrt %22 : tensor<1x8x1x1xf32>
    %24 = stablehlo.reshape %arg7 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x4x4xf32>
    %26 = stablehlo.subtract %19, %25 : tensor<2x8x4x4xf32>
    %27 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x4x4xf32>
    %28 = stablehlo.multiply %26, %27 : tensor<2x8x4x4xf32>
    %29 = stablehlo.reshape %arg9 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x4x4xf32>
    %31 = stablehlo.multiply %28, %30 : tensor<2x8x4x4xf32>
    %32 = stablehlo.reshape %arg6 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x4x4xf32>
    %34 = stablehlo.add %31, %33 : tensor<2x8x4x4xf32>
    %35 = call @relu_0(%34) : (tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
    %36 = stablehlo.convolution(%35, %arg10) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x8x4x4xf32>, tensor<8x8x3x3xf32>) -> tensor<2x8x4x4xf32>
    %37 = stablehlo.reshape %arg13 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %cst_2 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x8x1x1xf32>
    %39 = stablehlo.add %37, %38 : tensor<1x8x1x1xf32>
    %40 = stablehlo.rsqrt %39 : tensor<1x8x1x1xf32>
    %41 = stablehlo.reshape %arg12 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x4x4xf32>
    %43 = stablehlo.subtract %36, %42 : tensor<2x8x4x4xf32>
    %44 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x4x4xf32>
    %45 = stablehlo.multiply %43, %44 : tensor<2x8x4x4xf32>
    %46 = stablehlo.reshape %arg14 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x4x4xf32>
    %48 = stablehlo.multiply %45, %47 : tensor<2x8x4x4xf32>
    %49 = stablehlo.reshape %arg11 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x4x4xf32>
    %51 = stablehlo.add %48, %50 : tensor<2x8x4x4xf32>
    %52 = stablehlo.convolution(%18, %arg15) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x4x4x4xf32>, tensor<8x4x1x1xf32>) -> tensor<2x8x4x4xf32>
    %53 = stablehlo.reshape %arg18 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x8x1x1xf32>
    %55 = stablehlo.add %53, %54 : tensor<1x8x1x1xf32>
    %56 = stablehlo.rsqrt %55 : tensor<1x8x1x1xf32>
    %57 = stablehlo.reshape %arg17 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x4x4xf32>
    %59 = stablehlo.subtract %52, %58 : tensor<2x8x4x4xf32>
    %60 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x4x4xf32>
    %61 = stablehlo.multiply %59, %60 : tensor<2x8x4x4xf32>
    %62 = stablehlo.reshape %arg19 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x4x4xf32>
    %64 = stablehlo.multiply %61, %63 : tensor<2x8x4x4xf32>
    %65 = stablehlo.reshape %arg16 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x4x4xf32>
    %67 = stablehlo.add %64, %66 : tensor<2x8x4x4xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x8x4x4xf32>
    %69 = stablehlo.multiply %67, %68 : tensor<2x8x4x4xf32>
    %70 = stablehlo.add %51, %69 : tensor<2x8x4x4xf32>
    %71 = call @relu_0(%70) : (tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
    return %71 : tensor<2x8x4x4xf32>
  }
  func.func private @relu(%arg0: tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x8x8xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x4x8x8xf32>
    return %1 : tensor<2x4x8x8xf32>
  }
  func.func private @relu_0(%arg0: tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x8x4x4xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x8x4x4xf32>
    return %1 : tensor<2x8x4x4xf32>
  }
}
