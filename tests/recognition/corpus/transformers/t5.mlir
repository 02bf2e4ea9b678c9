// Producer: transformers 5.24.0 on torchax 0.0.13, jax 0.10.2
// Module: T5EncoderModel, eager attention
// EXPECT @main: attention=1 rms_norm=3 transformer_mlp=1
// EXPECT @_take: embedding=1
// EXPECT @_take_1: embedding=1
// EXPECT @relu: relu=1

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x16xf32>, %arg1: tensor<16x16xf32>, %arg2: tensor<16x16xf32>, %arg3: tensor<32x4xf32>, %arg4: tensor<16x16xf32>, %arg5: tensor<16xf32>, %arg6: tensor<32x16xf32>, %arg7: tensor<16x32xf32>, %arg8: tensor<16xf32>, %arg9: tensor<16xf32>, %arg10: tensor<32x16xf32>, %arg11: tensor<2x6xi32>) -> (tensor<2x6x16xf32> {jax.result_info = "result"}) {
    %0 = call @_take(%arg10, %arg11) : (tensor<32x16xf32>, tensor<2x6xi32>) -> tensor<2x6x16xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %2 = stablehlo.power %0, %1 : tensor<2x6x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %6 = stablehlo.divide %4, %5 : tensor<2x6x1xf32>
    %cst_2 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %8 = stablehlo.add %6, %7 : tensor<2x6x1xf32>
    %9 = stablehlo.rsqrt %8 : tensor<2x6x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %11 = stablehlo.multiply %0, %10 : tensor<2x6x16xf32>
    %12 = stablehlo.broadcast_in_dim %arg5, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %14 = stablehlo.multiply %13, %11 : tensor<2x6x16xf32>
    %15 = stablehlo.dot_general %14, %arg2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %16 = stablehlo.reshape %15 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %17 = stablehlo.transpose %16, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %18 = stablehlo.dot_general %14, %arg0, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %19 = stablehlo.reshape %18 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %20 = stablehlo.transpose %19, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %21 = stablehlo.dot_general %14, %arg4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %22 = stablehlo.reshape %21 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %23 = stablehlo.transpose %22, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %24 = stablehlo.iota dim = 0 : tensor<6xi32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %25 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %26 = stablehlo.multiply %25, %24 : tensor<6xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %27 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %28 = stablehlo.add %27, %26 : tensor<6xi32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %30 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<6x1xi32>
    %31 = stablehlo.add %29, %30 : tensor<6x1xi32>
    %32 = stablehlo.iota dim = 0 : tensor<6xi32>
    %c_5 = stablehlo.constant dense<1> : tensor<i32>
    %33 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %34 = stablehlo.multiply %33, %32 : tensor<6xi32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %35 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %36 = stablehlo.add %35, %34 : tensor<6xi32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [1] : (tensor<6xi32>) -> tensor<1x6xi32>
    %c_7 = stablehlo.constant dense<1> : tensor<i32>
    %38 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<6x1xi32>
    %39 = stablehlo.multiply %31, %38 : tensor<6x1xi32>
    %40 = stablehlo.broadcast_in_dim %37, dims = [0, 1] : (tensor<1x6xi32>) -> tensor<6x6xi32>
    %41 = stablehlo.broadcast_in_dim %39, dims = [0, 1] : (tensor<6x1xi32>) -> tensor<6x6xi32>
    %42 = stablehlo.subtract %40, %41 : tensor<6x6xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %43 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<6x6xi32>
    %44 = stablehlo.compare GT, %42, %43, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %45 = stablehlo.convert %44 : (tensor<6x6xi1>) -> tensor<6x6xi32>
    %c_9 = stablehlo.constant dense<16> : tensor<i32>
    %46 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<6x6xi32>
    %47 = stablehlo.multiply %45, %46 : tensor<6x6xi32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %48 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<6x6xi32>
    %49 = stablehlo.add %47, %48 : tensor<6x6xi32>
    %50 = stablehlo.abs %42 : tensor<6x6xi32>
    %c_11 = stablehlo.constant dense<8> : tensor<i32>
    %51 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<6x6xi32>
    %52 = stablehlo.compare LT, %50, %51, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %53 = stablehlo.convert %50 : (tensor<6x6xi32>) -> tensor<6x6xf32>
    %cst_12 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<6x6xf32>
    %55 = stablehlo.divide %53, %54 : tensor<6x6xf32>
    %56 = stablehlo.log %55 : tensor<6x6xf32>
    %cst_13 = stablehlo.constant dense<2.77258873> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<6x6xf32>
    %58 = stablehlo.divide %56, %57 : tensor<6x6xf32>
    %cst_14 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<6x6xf32>
    %60 = stablehlo.multiply %58, %59 : tensor<6x6xf32>
    %61 = stablehlo.convert %60 : (tensor<6x6xf32>) -> tensor<6x6xi32>
    %c_15 = stablehlo.constant dense<8> : tensor<i32>
    %62 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<6x6xi32>
    %63 = stablehlo.add %61, %62 : tensor<6x6xi32>
    %c_16 = stablehlo.constant dense<15> : tensor<i32>
    %64 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<6x6xi32>
    %65 = stablehlo.minimum %63, %64 : tensor<6x6xi32>
    %66 = call @_where_0(%52, %50, %65) : (tensor<6x6xi1>, tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi32>
    %c_17 = stablehlo.constant dense<1> : tensor<i32>
    %67 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<6x6xi32>
    %68 = stablehlo.multiply %66, %67 : tensor<6x6xi32>
    %69 = stablehlo.add %49, %68 : tensor<6x6xi32>
    %70 = call @_take_1(%arg3, %69) : (tensor<32x4xf32>, tensor<6x6xi32>) -> tensor<6x6x4xf32>
    %71 = stablehlo.transpose %70, dims = [2, 0, 1] : (tensor<6x6x4xf32>) -> tensor<4x6x6xf32>
    %72 = stablehlo.broadcast_in_dim %71, dims = [1, 2, 3] : (tensor<4x6x6xf32>) -> tensor<1x4x6x6xf32>
    %73 = stablehlo.transpose %20, dims = [0, 1, 3, 2] : (tensor<2x4x6x4xf32>) -> tensor<2x4x4x6xf32>
    %74 = stablehlo.reshape %17 : (tensor<2x4x6x4xf32>) -> tensor<8x6x4xf32>
    %75 = stablehlo.reshape %73 : (tensor<2x4x4x6xf32>) -> tensor<8x4x6xf32>
    %76 = stablehlo.dot_general %74, %75, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x4xf32>, tensor<8x4x6xf32>) -> tensor<8x6x6xf32>
    %77 = stablehlo.reshape %76 : (tensor<8x6x6xf32>) -> tensor<2x4x6x6xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %79 = stablehlo.multiply %77, %78 : tensor<2x4x6x6xf32>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<1x4x6x6xf32>
    %81 = stablehlo.multiply %72, %80 : tensor<1x4x6x6xf32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [0, 1, 2, 3] : (tensor<1x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %83 = stablehlo.add %79, %82 : tensor<2x4x6x6xf32>
    %cst_20 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %84 = stablehlo.reduce(%83 init: %cst_20) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %cst_21 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
    %86 = stablehlo.maximum %85, %84 : tensor<2x4x6xf32>
    %87 = stablehlo.broadcast_in_dim %86, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %88 = stablehlo.broadcast_in_dim %87, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %89 = stablehlo.subtract %83, %88 : tensor<2x4x6x6xf32>
    %90 = stablehlo.exponential %89 : tensor<2x4x6x6xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %91 = stablehlo.reduce(%90 init: %cst_22) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %92 = stablehlo.broadcast_in_dim %91, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %93 = stablehlo.broadcast_in_dim %92, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %94 = stablehlo.divide %90, %93 : tensor<2x4x6x6xf32>
    %95 = stablehlo.reshape %94 : (tensor<2x4x6x6xf32>) -> tensor<8x6x6xf32>
    %96 = stablehlo.reshape %23 : (tensor<2x4x6x4xf32>) -> tensor<8x6x4xf32>
    %97 = stablehlo.dot_general %95, %96, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x6xf32>, tensor<8x6x4xf32>) -> tensor<8x6x4xf32>
    %98 = stablehlo.reshape %97 : (tensor<8x6x4xf32>) -> tensor<2x4x6x4xf32>
    %99 = stablehlo.transpose %98, dims = [0, 2, 1, 3] : (tensor<2x4x6x4xf32>) -> tensor<2x6x4x4xf32>
    %100 = stablehlo.reshape %99 : (tensor<2x6x4x4xf32>) -> tensor<2x6x16xf32>
    %101 = stablehlo.dot_general %100, %arg1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %cst_23 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %103 = stablehlo.multiply %101, %102 : tensor<2x6x16xf32>
    %104 = stablehlo.add %0, %103 : tensor<2x6x16xf32>
    %cst_24 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %106 = stablehlo.power %104, %105 : tensor<2x6x16xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %107 = stablehlo.reduce(%106 init: %cst_25) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %108 = stablehlo.broadcast_in_dim %107, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_26 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %110 = stablehlo.divide %108, %109 : tensor<2x6x1xf32>
    %cst_27 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %111 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %112 = stablehlo.add %110, %111 : tensor<2x6x1xf32>
    %113 = stablehlo.rsqrt %112 : tensor<2x6x1xf32>
    %114 = stablehlo.broadcast_in_dim %113, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %115 = stablehlo.multiply %104, %114 : tensor<2x6x16xf32>
    %116 = stablehlo.broadcast_in_dim %arg8, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %117 = stablehlo.broadcast_in_dim %116, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %118 = stablehlo.multiply %117, %115 : tensor<2x6x16xf32>
    %119 = stablehlo.dot_general %118, %arg6, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<32x16xf32>) -> tensor<2x6x32xf32>
    %120 = call @relu(%119) : (tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %121 = stablehlo.dot_general %120, %arg7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x32xf32>, tensor<16x32xf32>) -> tensor<2x6x16xf32>
    %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %123 = stablehlo.multiply %121, %122 : tensor<2x6x16xf32>
    %124 = stablehlo.add %104, %123 : tensor<2x6x16xf32>
    %cst_29 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %125 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %126 = stablehlo.power %124, %125 : tensor<2x6x16xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %127 = stablehlo.reduce(%126 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %128 = stablehlo.broadcast_in_dim %127, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_31 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %130 = stablehlo.divide %128, %129 : tensor<2x6x1xf32>
    %cst_32 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %131 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %132 = stablehlo.add %130, %131 : tensor<2x6x1xf32>
    %133 = stablehlo.rsqrt %132 : tensor<2x6x1xf32>
    %134 = stablehlo.broadcast_in_dim %133, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %135 = stablehlo.multiply %124, %134 : tensor<2x6x16xf32>
    %136 = stablehlo.broadcast_in_dim %arg9, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %137 = stablehlo.broadcast_in_dim %136, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %138 = stablehlo.multiply %137, %135 : tensor<2x6x16xf32>
    return %138 : tensor<2x6x16xf32>
  }
  func.func private @_take(%arg0: tensor<32x16xf32>, %arg1: tensor<2x6xi32>) -> tensor<2x6x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x6xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<2x6xi32>, tensor<2x6xi32>) -> tensor<2x6xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x6xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<2x6xi32>
    %4 = call @_where(%1, %3, %arg1) : (tensor<2x6xi1>, tensor<2x6xi32>, tensor<2x6xi32>) -> tensor<2x6xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x6xi32>) -> tensor<2x6x1xi32>
    %c_1 = stablehlo.constant dense<31> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2x6x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<2x6x1xi32>, tensor<2x6x1xi32>) -> tensor<2x6x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<2x6x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<2x6x1xi32>, tensor<2x6x1xi32>) -> tensor<2x6x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<2x6x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<2x6x1xi1>, tensor<i1>) -> tensor<2x6xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<32x16xf32>, tensor<2x6x1xi32>) -> tensor<2x6x16xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<2x6xi1>) -> tensor<2x6x16xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %16 = stablehlo.select %14, %13, %15 : tensor<2x6x16xi1>, tensor<2x6x16xf32>
    return %16 : tensor<2x6x16xf32>
  }
  func.func private @_where(%arg0: tensor<2x6xi1>, %arg1: tensor<2x6xi32>, %arg2: tensor<2x6xi32>) -> tensor<2x6xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<2x6xi1>, tensor<2x6xi32>
    return %0 : tensor<2x6xi32>
  }
  func.func private @_where_0(%arg0: tensor<6x6xi1>, %arg1: tensor<6x6xi32>, %arg2: tensor<6x6xi32>) -> tensor<6x6xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<6x6xi1>, tensor<6x6xi32>
    return %0 : tensor<6x6xi32>
  }
  func.func private @_take_1(%arg0: tensor<32x4xf32>, %arg1: tensor<6x6xi32>) -> tensor<6x6x4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x6xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<6x6xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<6x6xi32>
    %4 = call @_where_0(%1, %3, %arg1) : (tensor<6x6xi1>, tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<6x6xi32>) -> tensor<6x6x1xi32>
    %c_1 = stablehlo.constant dense<31> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<6x6x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<6x6x1xi32>, tensor<6x6x1xi32>) -> tensor<6x6x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<6x6x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<6x6x1xi32>, tensor<6x6x1xi32>) -> tensor<6x6x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<6x6x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<6x6x1xi1>, tensor<i1>) -> tensor<6x6xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<32x4xf32>, tensor<6x6x1xi32>) -> tensor<6x6x4xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<6x6xi1>) -> tensor<6x6x4xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x6x4xf32>
    %16 = stablehlo.select %14, %13, %15 : tensor<6x6x4xi1>, tensor<6x6x4xf32>
    return %16 : tensor<6x6x4xf32>
  }
  func.func private @relu(%arg0: tensor<2x6x32xf32>) -> tensor<2x6x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x6x32xf32>
    return %1 : tensor<2x6x32xf32>
  }
}
