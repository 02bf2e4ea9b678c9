// Producer: transformers 5.24.0 on torchax 0.0.13, jax 0.10.2
// Module: ViTModel, eager attention
// EXPECT @main: attention=1 conv=1 layer_norm=3 linear=4 transformer_mlp=1

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x1x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16x3x4x4xf32>, %arg3: tensor<1x5x16xf32>, %arg4: tensor<16xf32>, %arg5: tensor<16xf32>, %arg6: tensor<16xf32>, %arg7: tensor<16x16xf32>, %arg8: tensor<16xf32>, %arg9: tensor<16x16xf32>, %arg10: tensor<16xf32>, %arg11: tensor<16x16xf32>, %arg12: tensor<16xf32>, %arg13: tensor<16x16xf32>, %arg14: tensor<16xf32>, %arg15: tensor<16xf32>, %arg16: tensor<16xf32>, %arg17: tensor<16xf32>, %arg18: tensor<32xf32>, %arg19: tensor<32x16xf32>, %arg20: tensor<16xf32>, %arg21: tensor<16x32xf32>, %arg22: tensor<2x3x8x8xf32>) -> (tensor<2x5x16xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convolution(%arg22, %arg2) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [4, 4], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x8x8xf32>, tensor<16x3x4x4xf32>) -> tensor<2x16x2x2xf32>
    %1 = stablehlo.reshape %arg1 : (tensor<16xf32>) -> tensor<1x16x1x1xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x16x1x1xf32>) -> tensor<2x16x2x2xf32>
    %3 = stablehlo.add %0, %2 : tensor<2x16x2x2xf32>
    %4 = stablehlo.reshape %3 : (tensor<2x16x2x2xf32>) -> tensor<2x16x4xf32>
    %5 = stablehlo.transpose %4, dims = [0, 2, 1] : (tensor<2x16x4xf32>) -> tensor<2x4x16xf32>
    %6 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x1x16xf32>
    %7 = stablehlo.concatenate %6, %5, dim = 1 : (tensor<2x1x16xf32>, tensor<2x4x16xf32>) -> tensor<2x5x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x5x16xf32>
    %9 = stablehlo.multiply %arg3, %8 : tensor<1x5x16xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<1x5x16xf32>) -> tensor<2x5x16xf32>
    %11 = stablehlo.add %7, %10 : tensor<2x5x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<2x5x16xf32>, tensor<f32>) -> tensor<2x5xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %15 = stablehlo.divide %13, %14 : tensor<2x5x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %16 = call @_var(%11, %c) : (tensor<2x5x16xf32>, tensor<i32>) -> tensor<2x5x1xf32>
    %cst_2 = stablehlo.constant dense<9.99999996E-13> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %18 = stablehlo.add %16, %17 : tensor<2x5x1xf32>
    %19 = stablehlo.rsqrt %18 : tensor<2x5x1xf32>
    %20 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x16xf32>
    %21 = stablehlo.subtract %11, %20 : tensor<2x5x16xf32>
    %22 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x16xf32>
    %23 = stablehlo.multiply %21, %22 : tensor<2x5x16xf32>
    %24 = stablehlo.broadcast_in_dim %arg17, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %26 = stablehlo.multiply %23, %25 : tensor<2x5x16xf32>
    %27 = stablehlo.broadcast_in_dim %arg16, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %29 = stablehlo.add %26, %28 : tensor<2x5x16xf32>
    %30 = stablehlo.dot_general %29, %arg11, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x16xf32>, tensor<16x16xf32>) -> tensor<2x5x16xf32>
    %31 = stablehlo.broadcast_in_dim %arg10, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %33 = stablehlo.add %30, %32 : tensor<2x5x16xf32>
    %34 = stablehlo.reshape %33 : (tensor<2x5x16xf32>) -> tensor<2x5x4x4xf32>
    %35 = stablehlo.transpose %34, dims = [0, 2, 1, 3] : (tensor<2x5x4x4xf32>) -> tensor<2x4x5x4xf32>
    %36 = stablehlo.dot_general %29, %arg7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x16xf32>, tensor<16x16xf32>) -> tensor<2x5x16xf32>
    %37 = stablehlo.broadcast_in_dim %arg6, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %39 = stablehlo.add %36, %38 : tensor<2x5x16xf32>
    %40 = stablehlo.reshape %39 : (tensor<2x5x16xf32>) -> tensor<2x5x4x4xf32>
    %41 = stablehlo.transpose %40, dims = [0, 2, 1, 3] : (tensor<2x5x4x4xf32>) -> tensor<2x4x5x4xf32>
    %42 = stablehlo.dot_general %29, %arg13, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x16xf32>, tensor<16x16xf32>) -> tensor<2x5x16xf32>
    %43 = stablehlo.broadcast_in_dim %arg12, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %45 = stablehlo.add %42, %44 : tensor<2x5x16xf32>
    %46 = stablehlo.reshape %45 : (tensor<2x5x16xf32>) -> tensor<2x5x4x4xf32>
    %47 = stablehlo.transpose %46, dims = [0, 2, 1, 3] : (tensor<2x5x4x4xf32>) -> tensor<2x4x5x4xf32>
    %48 = stablehlo.transpose %41, dims = [0, 1, 3, 2] : (tensor<2x4x5x4xf32>) -> tensor<2x4x4x5xf32>
    %49 = stablehlo.reshape %35 : (tensor<2x4x5x4xf32>) -> tensor<8x5x4xf32>
    %50 = stablehlo.reshape %48 : (tensor<2x4x4x5xf32>) -> tensor<8x4x5xf32>
    %51 = stablehlo.dot_general %49, %50, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x5x4xf32>, tensor<8x4x5xf32>) -> tensor<8x5x5xf32>
    %52 = stablehlo.reshape %51 : (tensor<8x5x5xf32>) -> tensor<2x4x5x5xf32>
    %cst_3 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %54 = stablehlo.multiply %52, %53 : tensor<2x4x5x5xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %55 = stablehlo.reduce(%54 init: %cst_4) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %57 = stablehlo.maximum %56, %55 : tensor<2x4x5xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %59 = stablehlo.broadcast_in_dim %58, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %60 = stablehlo.subtract %54, %59 : tensor<2x4x5x5xf32>
    %61 = stablehlo.exponential %60 : tensor<2x4x5x5xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %62 = stablehlo.reduce(%61 init: %cst_6) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %65 = stablehlo.divide %61, %64 : tensor<2x4x5x5xf32>
    %66 = stablehlo.reshape %65 : (tensor<2x4x5x5xf32>) -> tensor<8x5x5xf32>
    %67 = stablehlo.reshape %47 : (tensor<2x4x5x4xf32>) -> tensor<8x5x4xf32>
    %68 = stablehlo.dot_general %66, %67, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x5x5xf32>, tensor<8x5x4xf32>) -> tensor<8x5x4xf32>
    %69 = stablehlo.reshape %68 : (tensor<8x5x4xf32>) -> tensor<2x4x5x4xf32>
    %70 = stablehlo.transpose %69, dims = [0, 2, 1, 3] : (tensor<2x4x5x4xf32>) -> tensor<2x5x4x4xf32>
    %71 = stablehlo.reshape %70 : (tensor<2x5x4x4xf32>) -> tensor<2x5x16xf32>
    %72 = stablehlo.dot_general %71, %arg9, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x16xf32>, tensor<16x16xf32>) -> tensor<2x5x16xf32>
    %73 = stablehlo.broadcast_in_dim %arg8, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %74 = stablehlo.broadcast_in_dim %73, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %75 = stablehlo.add %72, %74 : tensor<2x5x16xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x5x16xf32>
    %77 = stablehlo.multiply %11, %76 : tensor<2x5x16xf32>
    %78 = stablehlo.add %75, %77 : tensor<2x5x16xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %79 = stablehlo.reduce(%78 init: %cst_8) applies stablehlo.add across dimensions = [2] : (tensor<2x5x16xf32>, tensor<f32>) -> tensor<2x5xf32>
    %80 = stablehlo.broadcast_in_dim %79, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %cst_9 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %82 = stablehlo.divide %80, %81 : tensor<2x5x1xf32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %83 = call @_var(%78, %c_10) : (tensor<2x5x16xf32>, tensor<i32>) -> tensor<2x5x1xf32>
    %cst_11 = stablehlo.constant dense<9.99999996E-13> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %85 = stablehlo.add %83, %84 : tensor<2x5x1xf32>
    %86 = stablehlo.rsqrt %85 : tensor<2x5x1xf32>
    %87 = stablehlo.broadcast_in_dim %82, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x16xf32>
    %88 = stablehlo.subtract %78, %87 : tensor<2x5x16xf32>
    %89 = stablehlo.broadcast_in_dim %86, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x16xf32>
    %90 = stablehlo.multiply %88, %89 : tensor<2x5x16xf32>
    %91 = stablehlo.broadcast_in_dim %arg15, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %92 = stablehlo.broadcast_in_dim %91, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %93 = stablehlo.multiply %90, %92 : tensor<2x5x16xf32>
    %94 = stablehlo.broadcast_in_dim %arg14, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %95 = stablehlo.broadcast_in_dim %94, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %96 = stablehlo.add %93, %95 : tensor<2x5x16xf32>
    %97 = stablehlo.dot_general %96, %arg19, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x16xf32>, tensor<32x16xf32>) -> tensor<2x5x32xf32>
    %98 = stablehlo.broadcast_in_dim %arg18, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %99 = stablehlo.broadcast_in_dim %98, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<2x5x32xf32>
    %100 = stablehlo.add %97, %99 : tensor<2x5x32xf32>
    %cst_12 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x5x32xf32>
    %102 = stablehlo.multiply %101, %100 : tensor<2x5x32xf32>
    %103 = stablehlo.negate %100 : tensor<2x5x32xf32>
    %cst_13 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x5x32xf32>
    %105 = stablehlo.multiply %103, %104 : tensor<2x5x32xf32>
    %106 = chlo.erfc %105 : tensor<2x5x32xf32> -> tensor<2x5x32xf32>
    %107 = stablehlo.multiply %102, %106 : tensor<2x5x32xf32>
    %108 = stablehlo.dot_general %107, %arg21, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x32xf32>, tensor<16x32xf32>) -> tensor<2x5x16xf32>
    %109 = stablehlo.broadcast_in_dim %arg20, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %110 = stablehlo.broadcast_in_dim %109, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %111 = stablehlo.add %108, %110 : tensor<2x5x16xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x5x16xf32>
    %113 = stablehlo.multiply %78, %112 : tensor<2x5x16xf32>
    %114 = stablehlo.add %111, %113 : tensor<2x5x16xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %115 = stablehlo.reduce(%114 init: %cst_15) applies stablehlo.add across dimensions = [2] : (tensor<2x5x16xf32>, tensor<f32>) -> tensor<2x5xf32>
    %116 = stablehlo.broadcast_in_dim %115, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %cst_16 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %117 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %118 = stablehlo.divide %116, %117 : tensor<2x5x1xf32>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %119 = call @_var(%114, %c_17) : (tensor<2x5x16xf32>, tensor<i32>) -> tensor<2x5x1xf32>
    %cst_18 = stablehlo.constant dense<9.99999996E-13> : tensor<f32>
    %120 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %121 = stablehlo.add %119, %120 : tensor<2x5x1xf32>
    %122 = stablehlo.rsqrt %121 : tensor<2x5x1xf32>
    %123 = stablehlo.broadcast_in_dim %118, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x16xf32>
    %124 = stablehlo.subtract %114, %123 : tensor<2x5x16xf32>
    %125 = stablehlo.broadcast_in_dim %122, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x16xf32>
    %126 = stablehlo.multiply %124, %125 : tensor<2x5x16xf32>
    %127 = stablehlo.broadcast_in_dim %arg5, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %128 = stablehlo.broadcast_in_dim %127, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %129 = stablehlo.multiply %126, %128 : tensor<2x5x16xf32>
    %130 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %131 = stablehlo.broadcast_in_dim %130, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %132 = stablehlo.add %129, %131 : tensor<2x5x16xf32>
    return %132 : tensor<2x5x16xf32>
  }
  func.func private @_var(%arg0: tensor<2x5x16xf32>, %arg1: tensor<i32>) -> tensor<2x5x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x5x16xf32>, tensor<f32>) -> tensor<2x5xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2x5x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x16xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<2x5x16xf32>
    %6 = chlo.square %5 : tensor<2x5x16xf32> -> tensor<2x5x16xf32>
    %7 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %8 = stablehlo.subtract %cst_1, %7 : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x5x16xf32>, tensor<f32>) -> tensor<2x5xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %11 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<2x5x1xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.compare GT, %8, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = call @_where(%13, %12, %cst_4) : (tensor<i1>, tensor<2x5x1xf32>, tensor<f32>) -> tensor<2x5x1xf32>
    return %14 : tensor<2x5x1xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<2x5x1xf32>, %arg2: tensor<f32>) -> tensor<2x5x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<2x5x1xf32>
    return %2 : tensor<2x5x1xf32>
  }
}
