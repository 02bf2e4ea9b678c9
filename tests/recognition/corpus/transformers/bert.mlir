// Producer: transformers 5.24.0 on torchax 0.0.13, jax 0.10.2
// Module: BertModel, eager attention
// EXPECT @main: attention=1 layer_norm=3 linear=4 transformer_mlp=1
// EXPECT @_take: embedding=1
// EXPECT @_take_0: embedding=1
// EXPECT @_take_1: embedding=1

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16x16xf32>, %arg3: tensor<1x16xi32>, %arg4: tensor<2x16xf32>, %arg5: tensor<1x16xi32>, %arg6: tensor<32x16xf32>, %arg7: tensor<16xf32>, %arg8: tensor<16xf32>, %arg9: tensor<16xf32>, %arg10: tensor<16x16xf32>, %arg11: tensor<16xf32>, %arg12: tensor<16x16xf32>, %arg13: tensor<16xf32>, %arg14: tensor<16x16xf32>, %arg15: tensor<16xf32>, %arg16: tensor<16x16xf32>, %arg17: tensor<32xf32>, %arg18: tensor<32x16xf32>, %arg19: tensor<16xf32>, %arg20: tensor<16xf32>, %arg21: tensor<16xf32>, %arg22: tensor<16x32xf32>, %arg23: tensor<2x6xi32>, %arg24: tensor<2x6xi32>) -> (tensor<2x6x16xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg3 [0:1, 0:6] : (tensor<1x16xi32>) -> tensor<1x6xi32>
    %1 = stablehlo.iota dim = 0 : tensor<1xi32>
    %2 = stablehlo.reshape %1 : (tensor<1xi32>) -> tensor<1x1xi32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<1x6xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1x6xi32>
    %5 = stablehlo.compare LT, %3, %4, SIGNED : (tensor<1x6xi32>, tensor<1x6xi32>) -> tensor<1x6xi1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1x6xi32>
    %7 = stablehlo.add %3, %6 : tensor<1x6xi32>
    %8 = stablehlo.select %5, %7, %3 : tensor<1x6xi1>, tensor<1x6xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<1x6xi32>
    %10 = stablehlo.compare LT, %0, %9, SIGNED : (tensor<1x6xi32>, tensor<1x6xi32>) -> tensor<1x6xi1>
    %c_2 = stablehlo.constant dense<16> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<1x6xi32>
    %12 = stablehlo.add %0, %11 : tensor<1x6xi32>
    %13 = stablehlo.select %10, %12, %0 : tensor<1x6xi1>, tensor<1x6xi32>
    %14 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x6xi32>) -> tensor<1x6x1xi32>
    %15 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<1x6xi32>) -> tensor<1x6x1xi32>
    %16 = stablehlo.concatenate %14, %15, dim = 2 : (tensor<1x6x1xi32>, tensor<1x6x1xi32>) -> tensor<1x6x2xi32>
    %17 = "stablehlo.gather"(%arg5, %16) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<1x16xi32>, tensor<1x6x2xi32>) -> tensor<1x6xi32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<1x6xi32>) -> tensor<2x6xi32>
    %19 = call @_take(%arg6, %arg23) : (tensor<32x16xf32>, tensor<2x6xi32>) -> tensor<2x6x16xf32>
    %20 = call @_take_0(%arg4, %18) : (tensor<2x16xf32>, tensor<2x6xi32>) -> tensor<2x6x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %22 = stablehlo.multiply %20, %21 : tensor<2x6x16xf32>
    %23 = stablehlo.add %19, %22 : tensor<2x6x16xf32>
    %24 = stablehlo.slice %arg3 [0:1, 0:6] : (tensor<1x16xi32>) -> tensor<1x6xi32>
    %25 = call @_take_1(%arg2, %24) : (tensor<16x16xf32>, tensor<1x6xi32>) -> tensor<1x6x16xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x6x16xf32>
    %27 = stablehlo.multiply %25, %26 : tensor<1x6x16xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2] : (tensor<1x6x16xf32>) -> tensor<2x6x16xf32>
    %29 = stablehlo.add %23, %28 : tensor<2x6x16xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.reduce(%29 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_5 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %33 = stablehlo.divide %31, %32 : tensor<2x6x1xf32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %34 = call @_var(%29, %c_6) : (tensor<2x6x16xf32>, tensor<i32>) -> tensor<2x6x1xf32>
    %cst_7 = stablehlo.constant dense<9.99999996E-13> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %36 = stablehlo.add %34, %35 : tensor<2x6x1xf32>
    %37 = stablehlo.rsqrt %36 : tensor<2x6x1xf32>
    %38 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %39 = stablehlo.subtract %29, %38 : tensor<2x6x16xf32>
    %40 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %41 = stablehlo.multiply %39, %40 : tensor<2x6x16xf32>
    %42 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %44 = stablehlo.multiply %41, %43 : tensor<2x6x16xf32>
    %45 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %47 = stablehlo.add %44, %46 : tensor<2x6x16xf32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %48 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<2x6xi32>
    %49 = stablehlo.compare NE, %arg24, %48, SIGNED : (tensor<2x6xi32>, tensor<2x6xi32>) -> tensor<2x6xi1>
    %50 = stablehlo.convert %49 : tensor<2x6xi1>
    %51 = stablehlo.iota dim = 0 : tensor<2xi32>
    %c_9 = stablehlo.constant dense<1> : tensor<i32>
    %52 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %53 = stablehlo.multiply %52, %51 : tensor<2xi32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %54 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %55 = stablehlo.add %54, %53 : tensor<2xi32>
    %56 = stablehlo.iota dim = 0 : tensor<6xi32>
    %c_11 = stablehlo.constant dense<1> : tensor<i32>
    %57 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %58 = stablehlo.multiply %57, %56 : tensor<6xi32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %59 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %60 = stablehlo.add %59, %58 : tensor<6xi32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %61 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %62 = stablehlo.add %60, %61 : tensor<6xi32>
    %63 = stablehlo.iota dim = 0 : tensor<6xi32>
    %c_14 = stablehlo.constant dense<1> : tensor<i32>
    %64 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %65 = stablehlo.multiply %64, %63 : tensor<6xi32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %66 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %67 = stablehlo.add %66, %65 : tensor<6xi32>
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %68 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %69 = stablehlo.add %67, %68 : tensor<6xi32>
    %70 = stablehlo.broadcast_in_dim %62, dims = [2] : (tensor<6xi32>) -> tensor<1x1x6x1xi32>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %71 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<1x1x6x1xi32>
    %72 = stablehlo.compare GE, %70, %71, SIGNED : (tensor<1x1x6x1xi32>, tensor<1x1x6x1xi32>) -> tensor<1x1x6x1xi1>
    %c_18 = stablehlo.constant dense<true> : tensor<i1>
    %73 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i1>) -> tensor<1x1x6x1xi1>
    %74 = stablehlo.and %73, %72 : tensor<1x1x6x1xi1>
    %75 = stablehlo.broadcast_in_dim %55, dims = [0] : (tensor<2xi32>) -> tensor<2x1x1x1xi32>
    %76 = stablehlo.broadcast_in_dim %69, dims = [3] : (tensor<6xi32>) -> tensor<1x1x1x6xi32>
    %c_19 = stablehlo.constant dense<0> : tensor<i32>
    %77 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %78 = stablehlo.compare LT, %75, %77, SIGNED : (tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>) -> tensor<2x1x1x1xi1>
    %c_20 = stablehlo.constant dense<2> : tensor<i32>
    %79 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %80 = stablehlo.add %75, %79 : tensor<2x1x1x1xi32>
    %81 = stablehlo.select %78, %80, %75 : tensor<2x1x1x1xi1>, tensor<2x1x1x1xi32>
    %c_21 = stablehlo.constant dense<0> : tensor<i32>
    %82 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<i32>) -> tensor<1x1x1x6xi32>
    %83 = stablehlo.compare LT, %76, %82, SIGNED : (tensor<1x1x1x6xi32>, tensor<1x1x1x6xi32>) -> tensor<1x1x1x6xi1>
    %c_22 = stablehlo.constant dense<6> : tensor<i32>
    %84 = stablehlo.broadcast_in_dim %c_22, dims = [] : (tensor<i32>) -> tensor<1x1x1x6xi32>
    %85 = stablehlo.add %76, %84 : tensor<1x1x1x6xi32>
    %86 = stablehlo.select %83, %85, %76 : tensor<1x1x1x6xi1>, tensor<1x1x1x6xi32>
    %87 = stablehlo.broadcast_in_dim %81, dims = [0, 1, 2, 3] : (tensor<2x1x1x1xi32>) -> tensor<2x1x1x6xi32>
    %88 = stablehlo.broadcast_in_dim %86, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xi32>) -> tensor<2x1x1x6xi32>
    %89 = stablehlo.broadcast_in_dim %87, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x1x6x1xi32>
    %90 = stablehlo.broadcast_in_dim %88, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x1x6x1xi32>
    %91 = stablehlo.concatenate %89, %90, dim = 4 : (tensor<2x1x1x6x1xi32>, tensor<2x1x1x6x1xi32>) -> tensor<2x1x1x6x2xi32>
    %92 = "stablehlo.gather"(%50, %91) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 4>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<2x6xi1>, tensor<2x1x1x6x2xi32>) -> tensor<2x1x1x6xi1>
    %93 = stablehlo.broadcast_in_dim %74, dims = [0, 1, 2, 3] : (tensor<1x1x6x1xi1>) -> tensor<2x1x6x6xi1>
    %94 = stablehlo.broadcast_in_dim %92, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi1>) -> tensor<2x1x6x6xi1>
    %95 = stablehlo.and %93, %94 : tensor<2x1x6x6xi1>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_24 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %96 = call @_where_4(%95, %cst_23, %cst_24) : (tensor<2x1x6x6xi1>, tensor<f32>, tensor<f32>) -> tensor<2x1x6x6xf32>
    %97 = stablehlo.dot_general %47, %arg14, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %98 = stablehlo.broadcast_in_dim %arg13, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %99 = stablehlo.broadcast_in_dim %98, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %100 = stablehlo.add %97, %99 : tensor<2x6x16xf32>
    %101 = stablehlo.reshape %100 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %102 = stablehlo.transpose %101, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %103 = stablehlo.dot_general %47, %arg12, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %104 = stablehlo.broadcast_in_dim %arg11, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %105 = stablehlo.broadcast_in_dim %104, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %106 = stablehlo.add %103, %105 : tensor<2x6x16xf32>
    %107 = stablehlo.reshape %106 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %108 = stablehlo.transpose %107, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %109 = stablehlo.dot_general %47, %arg16, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %110 = stablehlo.broadcast_in_dim %arg15, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %111 = stablehlo.broadcast_in_dim %110, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %112 = stablehlo.add %109, %111 : tensor<2x6x16xf32>
    %113 = stablehlo.reshape %112 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %114 = stablehlo.transpose %113, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %115 = stablehlo.transpose %108, dims = [0, 1, 3, 2] : (tensor<2x4x6x4xf32>) -> tensor<2x4x4x6xf32>
    %116 = stablehlo.reshape %102 : (tensor<2x4x6x4xf32>) -> tensor<8x6x4xf32>
    %117 = stablehlo.reshape %115 : (tensor<2x4x4x6xf32>) -> tensor<8x4x6xf32>
    %118 = stablehlo.dot_general %116, %117, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x4xf32>, tensor<8x4x6xf32>) -> tensor<8x6x6xf32>
    %119 = stablehlo.reshape %118 : (tensor<8x6x6xf32>) -> tensor<2x4x6x6xf32>
    %cst_25 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %120 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %121 = stablehlo.multiply %119, %120 : tensor<2x4x6x6xf32>
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<2x1x6x6xf32>
    %123 = stablehlo.multiply %96, %122 : tensor<2x1x6x6xf32>
    %124 = stablehlo.broadcast_in_dim %123, dims = [0, 1, 2, 3] : (tensor<2x1x6x6xf32>) -> tensor<2x4x6x6xf32>
    %125 = stablehlo.add %121, %124 : tensor<2x4x6x6xf32>
    %cst_27 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %126 = stablehlo.reduce(%125 init: %cst_27) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %cst_28 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %127 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
    %128 = stablehlo.maximum %127, %126 : tensor<2x4x6xf32>
    %129 = stablehlo.broadcast_in_dim %128, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %130 = stablehlo.broadcast_in_dim %129, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %131 = stablehlo.subtract %125, %130 : tensor<2x4x6x6xf32>
    %132 = stablehlo.exponential %131 : tensor<2x4x6x6xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %133 = stablehlo.reduce(%132 init: %cst_29) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %134 = stablehlo.broadcast_in_dim %133, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %135 = stablehlo.broadcast_in_dim %134, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %136 = stablehlo.divide %132, %135 : tensor<2x4x6x6xf32>
    %137 = stablehlo.reshape %136 : (tensor<2x4x6x6xf32>) -> tensor<8x6x6xf32>
    %138 = stablehlo.reshape %114 : (tensor<2x4x6x4xf32>) -> tensor<8x6x4xf32>
    %139 = stablehlo.dot_general %137, %138, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x6xf32>, tensor<8x6x4xf32>) -> tensor<8x6x4xf32>
    %140 = stablehlo.reshape %139 : (tensor<8x6x4xf32>) -> tensor<2x4x6x4xf32>
    %141 = stablehlo.transpose %140, dims = [0, 2, 1, 3] : (tensor<2x4x6x4xf32>) -> tensor<2x6x4x4xf32>
    %142 = stablehlo.reshape %141 : (tensor<2x6x4x4xf32>) -> tensor<2x6x16xf32>
    %143 = stablehlo.dot_general %142, %arg10, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %144 = stablehlo.broadcast_in_dim %arg9, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %145 = stablehlo.broadcast_in_dim %144, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %146 = stablehlo.add %143, %145 : tensor<2x6x16xf32>
    %cst_30 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %147 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %148 = stablehlo.multiply %47, %147 : tensor<2x6x16xf32>
    %149 = stablehlo.add %146, %148 : tensor<2x6x16xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %150 = stablehlo.reduce(%149 init: %cst_31) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %151 = stablehlo.broadcast_in_dim %150, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_32 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %152 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %153 = stablehlo.divide %151, %152 : tensor<2x6x1xf32>
    %c_33 = stablehlo.constant dense<0> : tensor<i32>
    %154 = call @_var(%149, %c_33) : (tensor<2x6x16xf32>, tensor<i32>) -> tensor<2x6x1xf32>
    %cst_34 = stablehlo.constant dense<9.99999996E-13> : tensor<f32>
    %155 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %156 = stablehlo.add %154, %155 : tensor<2x6x1xf32>
    %157 = stablehlo.rsqrt %156 : tensor<2x6x1xf32>
    %158 = stablehlo.broadcast_in_dim %153, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %159 = stablehlo.subtract %149, %158 : tensor<2x6x16xf32>
    %160 = stablehlo.broadcast_in_dim %157, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %161 = stablehlo.multiply %159, %160 : tensor<2x6x16xf32>
    %162 = stablehlo.broadcast_in_dim %arg8, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %163 = stablehlo.broadcast_in_dim %162, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %164 = stablehlo.multiply %161, %163 : tensor<2x6x16xf32>
    %165 = stablehlo.broadcast_in_dim %arg7, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %166 = stablehlo.broadcast_in_dim %165, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %167 = stablehlo.add %164, %166 : tensor<2x6x16xf32>
    %168 = stablehlo.dot_general %167, %arg18, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<32x16xf32>) -> tensor<2x6x32xf32>
    %169 = stablehlo.broadcast_in_dim %arg17, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %170 = stablehlo.broadcast_in_dim %169, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<2x6x32xf32>
    %171 = stablehlo.add %168, %170 : tensor<2x6x32xf32>
    %cst_35 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %172 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %173 = stablehlo.multiply %172, %171 : tensor<2x6x32xf32>
    %174 = stablehlo.negate %171 : tensor<2x6x32xf32>
    %cst_36 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %175 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %176 = stablehlo.multiply %174, %175 : tensor<2x6x32xf32>
    %177 = chlo.erfc %176 : tensor<2x6x32xf32> -> tensor<2x6x32xf32>
    %178 = stablehlo.multiply %173, %177 : tensor<2x6x32xf32>
    %179 = stablehlo.dot_general %178, %arg22, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x32xf32>, tensor<16x32xf32>) -> tensor<2x6x16xf32>
    %180 = stablehlo.broadcast_in_dim %arg21, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %181 = stablehlo.broadcast_in_dim %180, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %182 = stablehlo.add %179, %181 : tensor<2x6x16xf32>
    %cst_37 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %183 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %184 = stablehlo.multiply %167, %183 : tensor<2x6x16xf32>
    %185 = stablehlo.add %182, %184 : tensor<2x6x16xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %186 = stablehlo.reduce(%185 init: %cst_38) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %187 = stablehlo.broadcast_in_dim %186, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_39 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %188 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %189 = stablehlo.divide %187, %188 : tensor<2x6x1xf32>
    %c_40 = stablehlo.constant dense<0> : tensor<i32>
    %190 = call @_var(%185, %c_40) : (tensor<2x6x16xf32>, tensor<i32>) -> tensor<2x6x1xf32>
    %cst_41 = stablehlo.constant dense<9.99999996E-13> : tensor<f32>
    %191 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %192 = stablehlo.add %190, %191 : tensor<2x6x1xf32>
    %193 = stablehlo.rsqrt %192 : tensor<2x6x1xf32>
    %194 = stablehlo.broadcast_in_dim %189, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %195 = stablehlo.subtract %185, %194 : tensor<2x6x16xf32>
    %196 = stablehlo.broadcast_in_dim %193, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %197 = stablehlo.multiply %195, %196 : tensor<2x6x16xf32>
    %198 = stablehlo.broadcast_in_dim %arg20, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %199 = stablehlo.broadcast_in_dim %198, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %200 = stablehlo.multiply %197, %199 : tensor<2x6x16xf32>
    %201 = stablehlo.broadcast_in_dim %arg19, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %202 = stablehlo.broadcast_in_dim %201, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %203 = stablehlo.add %200, %202 : tensor<2x6x16xf32>
    return %203 : tensor<2x6x16xf32>
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
  func.func private @_take_0(%arg0: tensor<2x16xf32>, %arg1: tensor<2x6xi32>) -> tensor<2x6x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x6xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<2x6xi32>, tensor<2x6xi32>) -> tensor<2x6xi1>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x6xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<2x6xi32>
    %4 = call @_where(%1, %3, %arg1) : (tensor<2x6xi1>, tensor<2x6xi32>, tensor<2x6xi32>) -> tensor<2x6xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x6xi32>) -> tensor<2x6x1xi32>
    %c_1 = stablehlo.constant dense<1> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2x6x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<2x6x1xi32>, tensor<2x6x1xi32>) -> tensor<2x6x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<2x6x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<2x6x1xi32>, tensor<2x6x1xi32>) -> tensor<2x6x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<2x6x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<2x6x1xi1>, tensor<i1>) -> tensor<2x6xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<2x16xf32>, tensor<2x6x1xi32>) -> tensor<2x6x16xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<2x6xi1>) -> tensor<2x6x16xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %16 = stablehlo.select %14, %13, %15 : tensor<2x6x16xi1>, tensor<2x6x16xf32>
    return %16 : tensor<2x6x16xf32>
  }
  func.func private @_take_1(%arg0: tensor<16x16xf32>, %arg1: tensor<1x6xi32>) -> tensor<1x6x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1x6xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<1x6xi32>, tensor<1x6xi32>) -> tensor<1x6xi1>
    %c_0 = stablehlo.constant dense<16> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1x6xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<1x6xi32>
    %4 = call @_where_2(%1, %3, %arg1) : (tensor<1x6xi1>, tensor<1x6xi32>, tensor<1x6xi32>) -> tensor<1x6xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<1x6xi32>) -> tensor<1x6x1xi32>
    %c_1 = stablehlo.constant dense<15> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<1x6x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<1x6x1xi32>, tensor<1x6x1xi32>) -> tensor<1x6x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<1x6x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<1x6x1xi32>, tensor<1x6x1xi32>) -> tensor<1x6x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<1x6x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<1x6x1xi1>, tensor<i1>) -> tensor<1x6xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<16x16xf32>, tensor<1x6x1xi32>) -> tensor<1x6x16xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<1x6xi1>) -> tensor<1x6x16xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x6x16xf32>
    %16 = stablehlo.select %14, %13, %15 : tensor<1x6x16xi1>, tensor<1x6x16xf32>
    return %16 : tensor<1x6x16xf32>
  }
  func.func private @_where_2(%arg0: tensor<1x6xi1>, %arg1: tensor<1x6xi32>, %arg2: tensor<1x6xi32>) -> tensor<1x6xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<1x6xi1>, tensor<1x6xi32>
    return %0 : tensor<1x6xi32>
  }
  func.func private @_var(%arg0: tensor<2x6x16xf32>, %arg1: tensor<i32>) -> tensor<2x6x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2x6x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<2x6x16xf32>
    %6 = chlo.square %5 : tensor<2x6x16xf32> -> tensor<2x6x16xf32>
    %7 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %8 = stablehlo.subtract %cst_1, %7 : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %11 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<2x6x1xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.compare GT, %8, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = call @_where_3(%13, %12, %cst_4) : (tensor<i1>, tensor<2x6x1xf32>, tensor<f32>) -> tensor<2x6x1xf32>
    return %14 : tensor<2x6x1xf32>
  }
  func.func private @_where_3(%arg0: tensor<i1>, %arg1: tensor<2x6x1xf32>, %arg2: tensor<f32>) -> tensor<2x6x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<2x6x1xf32>
    return %2 : tensor<2x6x1xf32>
  }
  func.func private @_where_4(%arg0: tensor<2x1x6x6xi1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<2x1x6x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2x1x6x6xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x1x6x6xf32>
    %2 = stablehlo.select %arg0, %0, %1 : tensor<2x1x6x6xi1>, tensor<2x1x6x6xf32>
    return %2 : tensor<2x1x6x6xf32>
  }
}
