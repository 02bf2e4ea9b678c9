// Producer: jax 0.12.0.1
// Module: a vision transformer of one layer, to class probabilities
// EXPECT @main: attention=1 conv=1 layer_norm=2 linear=5 softmax=1 transformer_mlp=1

module @jit_vit attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x6x3xf32>, %arg1: tensor<32x16xf32>, %arg2: tensor<16xf32>, %arg3: tensor<16x10xf32>, %arg4: tensor<10xf32>, %arg5: tensor<16x16xf32>, %arg6: tensor<16xf32>, %arg7: tensor<16x16xf32>, %arg8: tensor<16xf32>, %arg9: tensor<16xf32>, %arg10: tensor<16xf32>, %arg11: tensor<2x2x3x16xf32>, %arg12: tensor<16xf32>, %arg13: tensor<6x16xf32>, %arg14: tensor<16x16xf32>, %arg15: tensor<16xf32>, %arg16: tensor<16xf32>, %arg17: tensor<16xf32>, %arg18: tensor<16x32xf32>, %arg19: tensor<32xf32>, %arg20: tensor<16x16xf32>, %arg21: tensor<16xf32>) -> (tensor<2x10xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convolution(%arg0, %arg11) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x4x6x3xf32>, tensor<2x2x3x16xf32>) -> tensor<2x2x3x16xf32>
    %1 = stablehlo.broadcast_in_dim %arg12, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xf32>) -> tensor<2x2x3x16xf32>
    %3 = stablehlo.add %0, %2 : tensor<2x2x3x16xf32>
    %4 = stablehlo.reshape %3 : (tensor<2x2x3x16xf32>) -> tensor<2x6x16xf32>
    %5 = stablehlo.broadcast_in_dim %arg13, dims = [1, 2] : (tensor<6x16xf32>) -> tensor<1x6x16xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<1x6x16xf32>) -> tensor<2x6x16xf32>
    %7 = stablehlo.add %4, %6 : tensor<2x6x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %11 = stablehlo.divide %9, %10 : tensor<2x6x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %13 = stablehlo.subtract %7, %12 : tensor<2x6x16xf32>
    %14 = chlo.square %13 : tensor<2x6x16xf32> -> tensor<2x6x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_2 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %18 = stablehlo.divide %16, %17 : tensor<2x6x1xf32>
    %19 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %20 = stablehlo.subtract %7, %19 : tensor<2x6x16xf32>
    %21 = stablehlo.broadcast_in_dim %arg16, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %23 = stablehlo.multiply %22, %20 : tensor<2x6x16xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %25 = stablehlo.add %18, %24 : tensor<2x6x1xf32>
    %26 = stablehlo.sqrt %25 : tensor<2x6x1xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %28 = stablehlo.divide %23, %27 : tensor<2x6x16xf32>
    %29 = stablehlo.broadcast_in_dim %arg8, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %31 = stablehlo.add %28, %30 : tensor<2x6x16xf32>
    %32 = stablehlo.dot_general %31, %arg14, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %33 = stablehlo.broadcast_in_dim %arg15, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %35 = stablehlo.add %32, %34 : tensor<2x6x16xf32>
    %36 = stablehlo.reshape %35 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %37 = stablehlo.dot_general %31, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %38 = stablehlo.broadcast_in_dim %arg6, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %40 = stablehlo.add %37, %39 : tensor<2x6x16xf32>
    %41 = stablehlo.reshape %40 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %42 = stablehlo.dot_general %31, %arg20, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %43 = stablehlo.broadcast_in_dim %arg21, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %45 = stablehlo.add %42, %44 : tensor<2x6x16xf32>
    %46 = stablehlo.reshape %45 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %47 = stablehlo.dot_general %36, %41, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x4xf32>, tensor<2x6x4x4xf32>) -> tensor<2x4x6x6xf32>
    %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %49 = stablehlo.multiply %47, %48 : tensor<2x4x6x6xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %50 = stablehlo.reduce(%49 init: %cst_5) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
    %52 = stablehlo.maximum %51, %50 : tensor<2x4x6xf32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %54 = stablehlo.broadcast_in_dim %53, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %55 = stablehlo.subtract %49, %54 : tensor<2x4x6x6xf32>
    %56 = stablehlo.exponential %55 : tensor<2x4x6x6xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %57 = stablehlo.reduce(%56 init: %cst_7) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %59 = stablehlo.broadcast_in_dim %58, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %60 = stablehlo.divide %56, %59 : tensor<2x4x6x6xf32>
    %61 = stablehlo.dot_general %46, %60, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x4xf32>, tensor<2x4x6x6xf32>) -> tensor<2x4x4x6xf32>
    %62 = stablehlo.transpose %61, dims = [0, 3, 1, 2] : (tensor<2x4x4x6xf32>) -> tensor<2x6x4x4xf32>
    %63 = stablehlo.reshape %62 : (tensor<2x6x4x4xf32>) -> tensor<2x6x16xf32>
    %64 = stablehlo.dot_general %63, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %65 = stablehlo.add %7, %64 : tensor<2x6x16xf32>
    %66 = stablehlo.broadcast_in_dim %arg10, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %68 = stablehlo.add %65, %67 : tensor<2x6x16xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %69 = stablehlo.reduce(%68 init: %cst_8) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_9 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %72 = stablehlo.divide %70, %71 : tensor<2x6x1xf32>
    %73 = stablehlo.broadcast_in_dim %72, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %74 = stablehlo.subtract %68, %73 : tensor<2x6x16xf32>
    %75 = chlo.square %74 : tensor<2x6x16xf32> -> tensor<2x6x16xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %76 = stablehlo.reduce(%75 init: %cst_10) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %77 = stablehlo.broadcast_in_dim %76, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_11 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %79 = stablehlo.divide %77, %78 : tensor<2x6x1xf32>
    %80 = stablehlo.broadcast_in_dim %72, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %81 = stablehlo.subtract %68, %80 : tensor<2x6x16xf32>
    %82 = stablehlo.broadcast_in_dim %arg17, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %84 = stablehlo.multiply %83, %81 : tensor<2x6x16xf32>
    %cst_12 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %86 = stablehlo.add %79, %85 : tensor<2x6x1xf32>
    %87 = stablehlo.sqrt %86 : tensor<2x6x1xf32>
    %88 = stablehlo.broadcast_in_dim %87, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %89 = stablehlo.divide %84, %88 : tensor<2x6x16xf32>
    %90 = stablehlo.broadcast_in_dim %arg9, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %91 = stablehlo.broadcast_in_dim %90, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %92 = stablehlo.add %89, %91 : tensor<2x6x16xf32>
    %93 = stablehlo.dot_general %92, %arg18, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x32xf32>) -> tensor<2x6x32xf32>
    %94 = stablehlo.broadcast_in_dim %arg19, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %95 = stablehlo.broadcast_in_dim %94, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<2x6x32xf32>
    %96 = stablehlo.add %93, %95 : tensor<2x6x32xf32>
    %cst_13 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %98 = stablehlo.multiply %97, %96 : tensor<2x6x32xf32>
    %99 = stablehlo.negate %96 : tensor<2x6x32xf32>
    %cst_14 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %101 = stablehlo.multiply %99, %100 : tensor<2x6x32xf32>
    %102 = chlo.erfc %101 : tensor<2x6x32xf32> -> tensor<2x6x32xf32>
    %103 = stablehlo.multiply %98, %102 : tensor<2x6x32xf32>
    %104 = stablehlo.dot_general %103, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x32xf32>, tensor<32x16xf32>) -> tensor<2x6x16xf32>
    %105 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %106 = stablehlo.broadcast_in_dim %105, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %107 = stablehlo.add %104, %106 : tensor<2x6x16xf32>
    %108 = stablehlo.add %68, %107 : tensor<2x6x16xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %109 = stablehlo.reduce(%108 init: %cst_15) applies stablehlo.add across dimensions = [1] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x16xf32>
    %cst_16 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %110 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x16xf32>
    %111 = stablehlo.divide %109, %110 : tensor<2x16xf32>
    %112 = stablehlo.dot_general %111, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16xf32>, tensor<16x10xf32>) -> tensor<2x10xf32>
    %113 = stablehlo.broadcast_in_dim %arg4, dims = [1] : (tensor<10xf32>) -> tensor<1x10xf32>
    %114 = stablehlo.broadcast_in_dim %113, dims = [0, 1] : (tensor<1x10xf32>) -> tensor<2x10xf32>
    %115 = stablehlo.add %112, %114 : tensor<2x10xf32>
    %cst_17 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %116 = stablehlo.reduce(%115 init: %cst_17) applies stablehlo.maximum across dimensions = [1] : (tensor<2x10xf32>, tensor<f32>) -> tensor<2xf32>
    %cst_18 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %117 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %118 = stablehlo.maximum %117, %116 : tensor<2xf32>
    %119 = stablehlo.broadcast_in_dim %118, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %120 = stablehlo.broadcast_in_dim %119, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x10xf32>
    %121 = stablehlo.subtract %115, %120 : tensor<2x10xf32>
    %122 = stablehlo.exponential %121 : tensor<2x10xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %123 = stablehlo.reduce(%122 init: %cst_19) applies stablehlo.add across dimensions = [1] : (tensor<2x10xf32>, tensor<f32>) -> tensor<2xf32>
    %124 = stablehlo.broadcast_in_dim %123, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %125 = stablehlo.broadcast_in_dim %124, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x10xf32>
    %126 = stablehlo.divide %122, %125 : tensor<2x10xf32>
    return %126 : tensor<2x10xf32>
  }
}
