// Producer: transformers 5.24.0 on torchax 0.0.13, jax 0.10.2
// Module: SwinModel, eager attention
// EXPECT @main: attention=1 conv=1 embedding=1 layer_norm=4 linear=4 transformer_mlp=1

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>, %arg3: tensor<8x3x2x2xf32>, %arg4: tensor<8xf32>, %arg5: tensor<8x8xf32>, %arg6: tensor<8xf32>, %arg7: tensor<8x8xf32>, %arg8: tensor<8xf32>, %arg9: tensor<8x8xf32>, %arg10: tensor<9x2xf32>, %arg11: tensor<16xi32>, %arg12: tensor<8xf32>, %arg13: tensor<8x8xf32>, %arg14: tensor<8xf32>, %arg15: tensor<8xf32>, %arg16: tensor<8xf32>, %arg17: tensor<8xf32>, %arg18: tensor<32xf32>, %arg19: tensor<32x8xf32>, %arg20: tensor<8xf32>, %arg21: tensor<8x32xf32>, %arg22: tensor<8xf32>, %arg23: tensor<8xf32>, %arg24: tensor<2x3x8x8xf32>) -> (tensor<2x16x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convolution(%arg24, %arg3) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x8x8xf32>, tensor<8x3x2x2xf32>) -> tensor<2x8x4x4xf32>
    %1 = stablehlo.reshape %arg2 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x4x4xf32>
    %3 = stablehlo.add %0, %2 : tensor<2x8x4x4xf32>
    %4 = stablehlo.reshape %3 : (tensor<2x8x4x4xf32>) -> tensor<2x8x16xf32>
    %5 = stablehlo.transpose %4, dims = [0, 2, 1] : (tensor<2x8x16xf32>) -> tensor<2x16x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x16x8xf32>, tensor<f32>) -> tensor<2x16xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x1xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x16x1xf32>
    %9 = stablehlo.divide %7, %8 : tensor<2x16x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %10 = call @_var(%5, %c) : (tensor<2x16x8xf32>, tensor<i32>) -> tensor<2x16x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x16x1xf32>
    %12 = stablehlo.add %10, %11 : tensor<2x16x1xf32>
    %13 = stablehlo.rsqrt %12 : tensor<2x16x1xf32>
    %14 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x16x1xf32>) -> tensor<2x16x8xf32>
    %15 = stablehlo.subtract %5, %14 : tensor<2x16x8xf32>
    %16 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x16x1xf32>) -> tensor<2x16x8xf32>
    %17 = stablehlo.multiply %15, %16 : tensor<2x16x8xf32>
    %18 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x16x8xf32>
    %20 = stablehlo.multiply %17, %19 : tensor<2x16x8xf32>
    %21 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x16x8xf32>
    %23 = stablehlo.add %20, %22 : tensor<2x16x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x16x8xf32>, tensor<f32>) -> tensor<2x16xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x1xf32>
    %cst_3 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x16x1xf32>
    %27 = stablehlo.divide %25, %26 : tensor<2x16x1xf32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %28 = call @_var(%23, %c_4) : (tensor<2x16x8xf32>, tensor<i32>) -> tensor<2x16x1xf32>
    %cst_5 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x16x1xf32>
    %30 = stablehlo.add %28, %29 : tensor<2x16x1xf32>
    %31 = stablehlo.rsqrt %30 : tensor<2x16x1xf32>
    %32 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2] : (tensor<2x16x1xf32>) -> tensor<2x16x8xf32>
    %33 = stablehlo.subtract %23, %32 : tensor<2x16x8xf32>
    %34 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2] : (tensor<2x16x1xf32>) -> tensor<2x16x8xf32>
    %35 = stablehlo.multiply %33, %34 : tensor<2x16x8xf32>
    %36 = stablehlo.broadcast_in_dim %arg17, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x16x8xf32>
    %38 = stablehlo.multiply %35, %37 : tensor<2x16x8xf32>
    %39 = stablehlo.broadcast_in_dim %arg16, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x16x8xf32>
    %41 = stablehlo.add %38, %40 : tensor<2x16x8xf32>
    %42 = stablehlo.reshape %41 : (tensor<2x16x8xf32>) -> tensor<2x4x4x8xf32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %43 = call @_pad(%42, %c_6) : (tensor<2x4x4x8xf32>, tensor<i32>) -> tensor<2x4x4x8xf32>
    %44 = stablehlo.reshape %43 : (tensor<2x4x4x8xf32>) -> tensor<2x2x2x2x2x8xf32>
    %45 = stablehlo.transpose %44, dims = [0, 1, 3, 2, 4, 5] : (tensor<2x2x2x2x2x8xf32>) -> tensor<2x2x2x2x2x8xf32>
    %46 = stablehlo.reshape %45 : (tensor<2x2x2x2x2x8xf32>) -> tensor<8x2x2x8xf32>
    %47 = stablehlo.reshape %46 : (tensor<8x2x2x8xf32>) -> tensor<8x4x8xf32>
    %48 = stablehlo.dot_general %47, %arg9, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %49 = stablehlo.broadcast_in_dim %arg8, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<8x4x8xf32>
    %51 = stablehlo.add %48, %50 : tensor<8x4x8xf32>
    %52 = stablehlo.reshape %51 : (tensor<8x4x8xf32>) -> tensor<8x4x2x4xf32>
    %53 = stablehlo.transpose %52, dims = [0, 2, 1, 3] : (tensor<8x4x2x4xf32>) -> tensor<8x2x4x4xf32>
    %54 = stablehlo.dot_general %47, %arg5, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %55 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<8x4x8xf32>
    %57 = stablehlo.add %54, %56 : tensor<8x4x8xf32>
    %58 = stablehlo.reshape %57 : (tensor<8x4x8xf32>) -> tensor<8x4x2x4xf32>
    %59 = stablehlo.transpose %58, dims = [0, 2, 1, 3] : (tensor<8x4x2x4xf32>) -> tensor<8x2x4x4xf32>
    %60 = stablehlo.dot_general %47, %arg13, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %61 = stablehlo.broadcast_in_dim %arg12, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<8x4x8xf32>
    %63 = stablehlo.add %60, %62 : tensor<8x4x8xf32>
    %64 = stablehlo.reshape %63 : (tensor<8x4x8xf32>) -> tensor<8x4x2x4xf32>
    %65 = stablehlo.transpose %64, dims = [0, 2, 1, 3] : (tensor<8x4x2x4xf32>) -> tensor<8x2x4x4xf32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %66 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %67 = stablehlo.compare LT, %arg11, %66, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %c_8 = stablehlo.constant dense<9> : tensor<i32>
    %68 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %69 = stablehlo.add %arg11, %68 : tensor<16xi32>
    %70 = stablehlo.select %67, %69, %arg11 : tensor<16xi1>, tensor<16xi32>
    %71 = stablehlo.broadcast_in_dim %70, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %72 = "stablehlo.gather"(%arg10, %71) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<9x2xf32>, tensor<16x1xi32>) -> tensor<16x2xf32>
    %73 = stablehlo.reshape %72 : (tensor<16x2xf32>) -> tensor<4x4x2xf32>
    %74 = stablehlo.transpose %73, dims = [2, 0, 1] : (tensor<4x4x2xf32>) -> tensor<2x4x4xf32>
    %75 = stablehlo.broadcast_in_dim %74, dims = [1, 2, 3] : (tensor<2x4x4xf32>) -> tensor<1x2x4x4xf32>
    %76 = stablehlo.transpose %59, dims = [0, 1, 3, 2] : (tensor<8x2x4x4xf32>) -> tensor<8x2x4x4xf32>
    %77 = stablehlo.reshape %53 : (tensor<8x2x4x4xf32>) -> tensor<16x4x4xf32>
    %78 = stablehlo.reshape %76 : (tensor<8x2x4x4xf32>) -> tensor<16x4x4xf32>
    %79 = stablehlo.dot_general %77, %78, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x4x4xf32>, tensor<16x4x4xf32>) -> tensor<16x4x4xf32>
    %80 = stablehlo.reshape %79 : (tensor<16x4x4xf32>) -> tensor<8x2x4x4xf32>
    %cst_9 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x2x4x4xf32>
    %82 = stablehlo.multiply %80, %81 : tensor<8x2x4x4xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<1x2x4x4xf32>
    %84 = stablehlo.multiply %75, %83 : tensor<1x2x4x4xf32>
    %85 = stablehlo.broadcast_in_dim %84, dims = [0, 1, 2, 3] : (tensor<1x2x4x4xf32>) -> tensor<8x2x4x4xf32>
    %86 = stablehlo.add %82, %85 : tensor<8x2x4x4xf32>
    %cst_11 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %87 = stablehlo.reduce(%86 init: %cst_11) applies stablehlo.maximum across dimensions = [3] : (tensor<8x2x4x4xf32>, tensor<f32>) -> tensor<8x2x4xf32>
    %cst_12 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %89 = stablehlo.maximum %88, %87 : tensor<8x2x4xf32>
    %90 = stablehlo.broadcast_in_dim %89, dims = [0, 1, 2] : (tensor<8x2x4xf32>) -> tensor<8x2x4x1xf32>
    %91 = stablehlo.broadcast_in_dim %90, dims = [0, 1, 2, 3] : (tensor<8x2x4x1xf32>) -> tensor<8x2x4x4xf32>
    %92 = stablehlo.subtract %86, %91 : tensor<8x2x4x4xf32>
    %93 = stablehlo.exponential %92 : tensor<8x2x4x4xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %94 = stablehlo.reduce(%93 init: %cst_13) applies stablehlo.add across dimensions = [3] : (tensor<8x2x4x4xf32>, tensor<f32>) -> tensor<8x2x4xf32>
    %95 = stablehlo.broadcast_in_dim %94, dims = [0, 1, 2] : (tensor<8x2x4xf32>) -> tensor<8x2x4x1xf32>
    %96 = stablehlo.broadcast_in_dim %95, dims = [0, 1, 2, 3] : (tensor<8x2x4x1xf32>) -> tensor<8x2x4x4xf32>
    %97 = stablehlo.divide %93, %96 : tensor<8x2x4x4xf32>
    %98 = stablehlo.reshape %97 : (tensor<8x2x4x4xf32>) -> tensor<16x4x4xf32>
    %99 = stablehlo.reshape %65 : (tensor<8x2x4x4xf32>) -> tensor<16x4x4xf32>
    %100 = stablehlo.dot_general %98, %99, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x4x4xf32>, tensor<16x4x4xf32>) -> tensor<16x4x4xf32>
    %101 = stablehlo.reshape %100 : (tensor<16x4x4xf32>) -> tensor<8x2x4x4xf32>
    %102 = stablehlo.transpose %101, dims = [0, 2, 1, 3] : (tensor<8x2x4x4xf32>) -> tensor<8x4x2x4xf32>
    %103 = stablehlo.reshape %102 : (tensor<8x4x2x4xf32>) -> tensor<8x4x8xf32>
    %104 = stablehlo.dot_general %103, %arg7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8xf32>, tensor<8x8xf32>) -> tensor<8x4x8xf32>
    %105 = stablehlo.broadcast_in_dim %arg6, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %106 = stablehlo.broadcast_in_dim %105, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<8x4x8xf32>
    %107 = stablehlo.add %104, %106 : tensor<8x4x8xf32>
    %108 = stablehlo.reshape %107 : (tensor<8x4x8xf32>) -> tensor<8x2x2x8xf32>
    %109 = stablehlo.reshape %108 : (tensor<8x2x2x8xf32>) -> tensor<2x2x2x2x2x8xf32>
    %110 = stablehlo.transpose %109, dims = [0, 1, 3, 2, 4, 5] : (tensor<2x2x2x2x2x8xf32>) -> tensor<2x2x2x2x2x8xf32>
    %111 = stablehlo.reshape %110 : (tensor<2x2x2x2x2x8xf32>) -> tensor<2x4x4x8xf32>
    %112 = stablehlo.reshape %111 : (tensor<2x4x4x8xf32>) -> tensor<2x16x8xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x16x8xf32>
    %114 = stablehlo.multiply %112, %113 : tensor<2x16x8xf32>
    %115 = stablehlo.add %23, %114 : tensor<2x16x8xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %116 = stablehlo.reduce(%115 init: %cst_15) applies stablehlo.add across dimensions = [2] : (tensor<2x16x8xf32>, tensor<f32>) -> tensor<2x16xf32>
    %117 = stablehlo.broadcast_in_dim %116, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x1xf32>
    %cst_16 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %118 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x16x1xf32>
    %119 = stablehlo.divide %117, %118 : tensor<2x16x1xf32>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %120 = call @_var(%115, %c_17) : (tensor<2x16x8xf32>, tensor<i32>) -> tensor<2x16x1xf32>
    %cst_18 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x16x1xf32>
    %122 = stablehlo.add %120, %121 : tensor<2x16x1xf32>
    %123 = stablehlo.rsqrt %122 : tensor<2x16x1xf32>
    %124 = stablehlo.broadcast_in_dim %119, dims = [0, 1, 2] : (tensor<2x16x1xf32>) -> tensor<2x16x8xf32>
    %125 = stablehlo.subtract %115, %124 : tensor<2x16x8xf32>
    %126 = stablehlo.broadcast_in_dim %123, dims = [0, 1, 2] : (tensor<2x16x1xf32>) -> tensor<2x16x8xf32>
    %127 = stablehlo.multiply %125, %126 : tensor<2x16x8xf32>
    %128 = stablehlo.broadcast_in_dim %arg15, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %129 = stablehlo.broadcast_in_dim %128, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x16x8xf32>
    %130 = stablehlo.multiply %127, %129 : tensor<2x16x8xf32>
    %131 = stablehlo.broadcast_in_dim %arg14, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %132 = stablehlo.broadcast_in_dim %131, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x16x8xf32>
    %133 = stablehlo.add %130, %132 : tensor<2x16x8xf32>
    %134 = stablehlo.dot_general %133, %arg19, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x8xf32>, tensor<32x8xf32>) -> tensor<2x16x32xf32>
    %135 = stablehlo.broadcast_in_dim %arg18, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %136 = stablehlo.broadcast_in_dim %135, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<2x16x32xf32>
    %137 = stablehlo.add %134, %136 : tensor<2x16x32xf32>
    %cst_19 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %139 = stablehlo.multiply %138, %137 : tensor<2x16x32xf32>
    %140 = stablehlo.negate %137 : tensor<2x16x32xf32>
    %cst_20 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %142 = stablehlo.multiply %140, %141 : tensor<2x16x32xf32>
    %143 = chlo.erfc %142 : tensor<2x16x32xf32> -> tensor<2x16x32xf32>
    %144 = stablehlo.multiply %139, %143 : tensor<2x16x32xf32>
    %145 = stablehlo.dot_general %144, %arg21, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xf32>, tensor<8x32xf32>) -> tensor<2x16x8xf32>
    %146 = stablehlo.broadcast_in_dim %arg20, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %147 = stablehlo.broadcast_in_dim %146, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x16x8xf32>
    %148 = stablehlo.add %145, %147 : tensor<2x16x8xf32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2x16x8xf32>
    %150 = stablehlo.multiply %115, %149 : tensor<2x16x8xf32>
    %151 = stablehlo.add %148, %150 : tensor<2x16x8xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %152 = stablehlo.reduce(%151 init: %cst_22) applies stablehlo.add across dimensions = [2] : (tensor<2x16x8xf32>, tensor<f32>) -> tensor<2x16xf32>
    %153 = stablehlo.broadcast_in_dim %152, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x1xf32>
    %cst_23 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %154 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<2x16x1xf32>
    %155 = stablehlo.divide %153, %154 : tensor<2x16x1xf32>
    %c_24 = stablehlo.constant dense<0> : tensor<i32>
    %156 = call @_var(%151, %c_24) : (tensor<2x16x8xf32>, tensor<i32>) -> tensor<2x16x1xf32>
    %cst_25 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %157 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<2x16x1xf32>
    %158 = stablehlo.add %156, %157 : tensor<2x16x1xf32>
    %159 = stablehlo.rsqrt %158 : tensor<2x16x1xf32>
    %160 = stablehlo.broadcast_in_dim %155, dims = [0, 1, 2] : (tensor<2x16x1xf32>) -> tensor<2x16x8xf32>
    %161 = stablehlo.subtract %151, %160 : tensor<2x16x8xf32>
    %162 = stablehlo.broadcast_in_dim %159, dims = [0, 1, 2] : (tensor<2x16x1xf32>) -> tensor<2x16x8xf32>
    %163 = stablehlo.multiply %161, %162 : tensor<2x16x8xf32>
    %164 = stablehlo.broadcast_in_dim %arg23, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %165 = stablehlo.broadcast_in_dim %164, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x16x8xf32>
    %166 = stablehlo.multiply %163, %165 : tensor<2x16x8xf32>
    %167 = stablehlo.broadcast_in_dim %arg22, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %168 = stablehlo.broadcast_in_dim %167, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x16x8xf32>
    %169 = stablehlo.add %166, %168 : tensor<2x16x8xf32>
    return %169 : tensor<2x16x8xf32>
  }
  func.func private @_var(%arg0: tensor<2x16x8xf32>, %arg1: tensor<i32>) -> tensor<2x16x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x16x8xf32>, tensor<f32>) -> tensor<2x16xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x1xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x16x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2x16x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x16x1xf32>) -> tensor<2x16x8xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<2x16x8xf32>
    %6 = chlo.square %5 : tensor<2x16x8xf32> -> tensor<2x16x8xf32>
    %7 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %8 = stablehlo.subtract %cst_1, %7 : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x16x8xf32>, tensor<f32>) -> tensor<2x16xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x1xf32>
    %11 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<2x16x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<2x16x1xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.compare GT, %8, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = call @_where(%13, %12, %cst_4) : (tensor<i1>, tensor<2x16x1xf32>, tensor<f32>) -> tensor<2x16x1xf32>
    return %14 : tensor<2x16x1xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<2x16x1xf32>, %arg2: tensor<f32>) -> tensor<2x16x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x16x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<2x16x1xf32>
    return %2 : tensor<2x16x1xf32>
  }
  func.func private @_pad(%arg0: tensor<2x4x4x8xf32>, %arg1: tensor<i32>) -> tensor<2x4x4x8xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<2x4x4x8xf32>, tensor<f32>) -> tensor<2x4x4x8xf32>
    return %1 : tensor<2x4x4x8xf32>
  }
}
