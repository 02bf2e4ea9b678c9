// Producer: transformers 5.24.0 on torchax 0.0.13, jax 0.10.2
// Module: CLIPVisionModel, eager attention
// EXPECT @main: attention=1 layer_norm=3 linear=4 transformer_mlp=1
// EXPECT @_take: embedding=1

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xf32>, %arg1: tensor<16x3x4x4xf32>, %arg2: tensor<5x16xf32>, %arg3: tensor<1x5xi32>, %arg4: tensor<16xf32>, %arg5: tensor<16xf32>, %arg6: tensor<16xf32>, %arg7: tensor<16xf32>, %arg8: tensor<32xf32>, %arg9: tensor<32x16xf32>, %arg10: tensor<16xf32>, %arg11: tensor<16x32xf32>, %arg12: tensor<16xf32>, %arg13: tensor<16x16xf32>, %arg14: tensor<16xf32>, %arg15: tensor<16x16xf32>, %arg16: tensor<16xf32>, %arg17: tensor<16x16xf32>, %arg18: tensor<16xf32>, %arg19: tensor<16x16xf32>, %arg20: tensor<16xf32>, %arg21: tensor<16xf32>, %arg22: tensor<2x3x8x8xf32>) -> (tensor<2x5x16xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convolution(%arg22, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [4, 4], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x8x8xf32>, tensor<16x3x4x4xf32>) -> tensor<2x16x2x2xf32>
    %1 = stablehlo.reshape %0 : (tensor<2x16x2x2xf32>) -> tensor<2x16x4xf32>
    %2 = stablehlo.transpose %1, dims = [0, 2, 1] : (tensor<2x16x4xf32>) -> tensor<2x4x16xf32>
    %3 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<16xf32>) -> tensor<2x1x16xf32>
    %4 = stablehlo.concatenate %3, %2, dim = 1 : (tensor<2x1x16xf32>, tensor<2x4x16xf32>) -> tensor<2x5x16xf32>
    %5 = call @_take(%arg2, %arg3) : (tensor<5x16xf32>, tensor<1x5xi32>) -> tensor<1x5x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x5x16xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<1x5x16xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<1x5x16xf32>) -> tensor<2x5x16xf32>
    %9 = stablehlo.add %4, %8 : tensor<2x5x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<2x5x16xf32>, tensor<f32>) -> tensor<2x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %13 = stablehlo.divide %11, %12 : tensor<2x5x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %14 = call @_var(%9, %c) : (tensor<2x5x16xf32>, tensor<i32>) -> tensor<2x5x1xf32>
    %cst_2 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %16 = stablehlo.add %14, %15 : tensor<2x5x1xf32>
    %17 = stablehlo.rsqrt %16 : tensor<2x5x1xf32>
    %18 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x16xf32>
    %19 = stablehlo.subtract %9, %18 : tensor<2x5x16xf32>
    %20 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x16xf32>
    %21 = stablehlo.multiply %19, %20 : tensor<2x5x16xf32>
    %22 = stablehlo.broadcast_in_dim %arg21, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %24 = stablehlo.multiply %21, %23 : tensor<2x5x16xf32>
    %25 = stablehlo.broadcast_in_dim %arg20, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %27 = stablehlo.add %24, %26 : tensor<2x5x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.reduce(%27 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<2x5x16xf32>, tensor<f32>) -> tensor<2x5xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %cst_4 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %31 = stablehlo.divide %29, %30 : tensor<2x5x1xf32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %32 = call @_var(%27, %c_5) : (tensor<2x5x16xf32>, tensor<i32>) -> tensor<2x5x1xf32>
    %cst_6 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %34 = stablehlo.add %32, %33 : tensor<2x5x1xf32>
    %35 = stablehlo.rsqrt %34 : tensor<2x5x1xf32>
    %36 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x16xf32>
    %37 = stablehlo.subtract %27, %36 : tensor<2x5x16xf32>
    %38 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x16xf32>
    %39 = stablehlo.multiply %37, %38 : tensor<2x5x16xf32>
    %40 = stablehlo.broadcast_in_dim %arg5, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %42 = stablehlo.multiply %39, %41 : tensor<2x5x16xf32>
    %43 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %45 = stablehlo.add %42, %44 : tensor<2x5x16xf32>
    %46 = stablehlo.dot_general %45, %arg17, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x16xf32>, tensor<16x16xf32>) -> tensor<2x5x16xf32>
    %47 = stablehlo.broadcast_in_dim %arg16, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %49 = stablehlo.add %46, %48 : tensor<2x5x16xf32>
    %50 = stablehlo.dot_general %45, %arg13, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x16xf32>, tensor<16x16xf32>) -> tensor<2x5x16xf32>
    %51 = stablehlo.broadcast_in_dim %arg12, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %53 = stablehlo.add %50, %52 : tensor<2x5x16xf32>
    %54 = stablehlo.dot_general %45, %arg19, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x16xf32>, tensor<16x16xf32>) -> tensor<2x5x16xf32>
    %55 = stablehlo.broadcast_in_dim %arg18, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %57 = stablehlo.add %54, %56 : tensor<2x5x16xf32>
    %58 = stablehlo.reshape %49 : (tensor<2x5x16xf32>) -> tensor<2x5x4x4xf32>
    %59 = stablehlo.transpose %58, dims = [0, 2, 1, 3] : (tensor<2x5x4x4xf32>) -> tensor<2x4x5x4xf32>
    %60 = stablehlo.reshape %53 : (tensor<2x5x16xf32>) -> tensor<2x5x4x4xf32>
    %61 = stablehlo.transpose %60, dims = [0, 2, 1, 3] : (tensor<2x5x4x4xf32>) -> tensor<2x4x5x4xf32>
    %62 = stablehlo.reshape %57 : (tensor<2x5x16xf32>) -> tensor<2x5x4x4xf32>
    %63 = stablehlo.transpose %62, dims = [0, 2, 1, 3] : (tensor<2x5x4x4xf32>) -> tensor<2x4x5x4xf32>
    %64 = stablehlo.transpose %61, dims = [0, 1, 3, 2] : (tensor<2x4x5x4xf32>) -> tensor<2x4x4x5xf32>
    %65 = stablehlo.reshape %59 : (tensor<2x4x5x4xf32>) -> tensor<8x5x4xf32>
    %66 = stablehlo.reshape %64 : (tensor<2x4x4x5xf32>) -> tensor<8x4x5xf32>
    %67 = stablehlo.dot_general %65, %66, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x5x4xf32>, tensor<8x4x5xf32>) -> tensor<8x5x5xf32>
    %68 = stablehlo.reshape %67 : (tensor<8x5x5xf32>) -> tensor<2x4x5x5xf32>
    %cst_7 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x4x5x5xf32>
    %70 = stablehlo.multiply %68, %69 : tensor<2x4x5x5xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %71 = stablehlo.reduce(%70 init: %cst_8) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x4x5xf32>
    %73 = stablehlo.maximum %72, %71 : tensor<2x4x5xf32>
    %74 = stablehlo.broadcast_in_dim %73, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %75 = stablehlo.broadcast_in_dim %74, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %76 = stablehlo.subtract %70, %75 : tensor<2x4x5x5xf32>
    %77 = stablehlo.exponential %76 : tensor<2x4x5x5xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %78 = stablehlo.reduce(%77 init: %cst_10) applies stablehlo.add across dimensions = [3] : (tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %79 = stablehlo.broadcast_in_dim %78, dims = [0, 1, 2] : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %80 = stablehlo.broadcast_in_dim %79, dims = [0, 1, 2, 3] : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x5xf32>
    %81 = stablehlo.divide %77, %80 : tensor<2x4x5x5xf32>
    %82 = stablehlo.reshape %81 : (tensor<2x4x5x5xf32>) -> tensor<8x5x5xf32>
    %83 = stablehlo.reshape %63 : (tensor<2x4x5x4xf32>) -> tensor<8x5x4xf32>
    %84 = stablehlo.dot_general %82, %83, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x5x5xf32>, tensor<8x5x4xf32>) -> tensor<8x5x4xf32>
    %85 = stablehlo.reshape %84 : (tensor<8x5x4xf32>) -> tensor<2x4x5x4xf32>
    %86 = stablehlo.transpose %85, dims = [0, 2, 1, 3] : (tensor<2x4x5x4xf32>) -> tensor<2x5x4x4xf32>
    %87 = stablehlo.reshape %86 : (tensor<2x5x4x4xf32>) -> tensor<2x5x16xf32>
    %88 = stablehlo.dot_general %87, %arg15, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x16xf32>, tensor<16x16xf32>) -> tensor<2x5x16xf32>
    %89 = stablehlo.broadcast_in_dim %arg14, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %90 = stablehlo.broadcast_in_dim %89, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %91 = stablehlo.add %88, %90 : tensor<2x5x16xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x5x16xf32>
    %93 = stablehlo.multiply %91, %92 : tensor<2x5x16xf32>
    %94 = stablehlo.add %27, %93 : tensor<2x5x16xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %95 = stablehlo.reduce(%94 init: %cst_12) applies stablehlo.add across dimensions = [2] : (tensor<2x5x16xf32>, tensor<f32>) -> tensor<2x5xf32>
    %96 = stablehlo.broadcast_in_dim %95, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %cst_13 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %98 = stablehlo.divide %96, %97 : tensor<2x5x1xf32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %99 = call @_var(%94, %c_14) : (tensor<2x5x16xf32>, tensor<i32>) -> tensor<2x5x1xf32>
    %cst_15 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %101 = stablehlo.add %99, %100 : tensor<2x5x1xf32>
    %102 = stablehlo.rsqrt %101 : tensor<2x5x1xf32>
    %103 = stablehlo.broadcast_in_dim %98, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x16xf32>
    %104 = stablehlo.subtract %94, %103 : tensor<2x5x16xf32>
    %105 = stablehlo.broadcast_in_dim %102, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x16xf32>
    %106 = stablehlo.multiply %104, %105 : tensor<2x5x16xf32>
    %107 = stablehlo.broadcast_in_dim %arg7, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %108 = stablehlo.broadcast_in_dim %107, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %109 = stablehlo.multiply %106, %108 : tensor<2x5x16xf32>
    %110 = stablehlo.broadcast_in_dim %arg6, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %111 = stablehlo.broadcast_in_dim %110, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %112 = stablehlo.add %109, %111 : tensor<2x5x16xf32>
    %113 = stablehlo.dot_general %112, %arg9, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x16xf32>, tensor<32x16xf32>) -> tensor<2x5x32xf32>
    %114 = stablehlo.broadcast_in_dim %arg8, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %115 = stablehlo.broadcast_in_dim %114, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<2x5x32xf32>
    %116 = stablehlo.add %113, %115 : tensor<2x5x32xf32>
    %cst_16 = stablehlo.constant dense<1.702000e+00> : tensor<f32>
    %117 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x5x32xf32>
    %118 = stablehlo.multiply %116, %117 : tensor<2x5x32xf32>
    %119 = stablehlo.negate %118 : tensor<2x5x32xf32>
    %120 = stablehlo.exponential %119 : tensor<2x5x32xf32>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<2x5x32xf32>
    %122 = stablehlo.add %121, %120 : tensor<2x5x32xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x5x32xf32>
    %124 = stablehlo.divide %123, %122 : tensor<2x5x32xf32>
    %125 = stablehlo.multiply %116, %124 : tensor<2x5x32xf32>
    %126 = stablehlo.dot_general %125, %arg11, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x32xf32>, tensor<16x32xf32>) -> tensor<2x5x16xf32>
    %127 = stablehlo.broadcast_in_dim %arg10, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %128 = stablehlo.broadcast_in_dim %127, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %129 = stablehlo.add %126, %128 : tensor<2x5x16xf32>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %130 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<2x5x16xf32>
    %131 = stablehlo.multiply %129, %130 : tensor<2x5x16xf32>
    %132 = stablehlo.add %94, %131 : tensor<2x5x16xf32>
    return %132 : tensor<2x5x16xf32>
  }
  func.func private @_take(%arg0: tensor<5x16xf32>, %arg1: tensor<1x5xi32>) -> tensor<1x5x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1x5xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<1x5xi32>, tensor<1x5xi32>) -> tensor<1x5xi1>
    %c_0 = stablehlo.constant dense<5> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1x5xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<1x5xi32>
    %4 = call @_where(%1, %3, %arg1) : (tensor<1x5xi1>, tensor<1x5xi32>, tensor<1x5xi32>) -> tensor<1x5xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<1x5xi32>) -> tensor<1x5x1xi32>
    %c_1 = stablehlo.constant dense<4> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<1x5x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<1x5x1xi32>, tensor<1x5x1xi32>) -> tensor<1x5x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<1x5x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<1x5x1xi32>, tensor<1x5x1xi32>) -> tensor<1x5x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<1x5x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<1x5x1xi1>, tensor<i1>) -> tensor<1x5xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<5x16xf32>, tensor<1x5x1xi32>) -> tensor<1x5x16xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<1x5xi1>) -> tensor<1x5x16xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x5x16xf32>
    %16 = stablehlo.select %14, %13, %15 : tensor<1x5x16xi1>, tensor<1x5x16xf32>
    return %16 : tensor<1x5x16xf32>
  }
  func.func private @_where(%arg0: tensor<1x5xi1>, %arg1: tensor<1x5xi32>, %arg2: tensor<1x5xi32>) -> tensor<1x5xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<1x5xi1>, tensor<1x5xi32>
    return %0 : tensor<1x5xi32>
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
    %14 = call @_where_0(%13, %12, %cst_4) : (tensor<i1>, tensor<2x5x1xf32>, tensor<f32>) -> tensor<2x5x1xf32>
    return %14 : tensor<2x5x1xf32>
  }
  func.func private @_where_0(%arg0: tensor<i1>, %arg1: tensor<2x5x1xf32>, %arg2: tensor<f32>) -> tensor<2x5x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<2x5x1xf32>
    return %2 : tensor<2x5x1xf32>
  }
}
