// Producer: transformers 5.24.0 on torchax 0.0.13, jax 0.10.2
// Module: GPT2Model, eager attention
// EXPECT @main: attention=1 layer_norm=3 linear=2 transformer_mlp=1
// EXPECT @_take: embedding=1
// EXPECT @_take_0: embedding=1

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<48xf32>, %arg1: tensor<16x48xf32>, %arg2: tensor<16xf32>, %arg3: tensor<16x16xf32>, %arg4: tensor<16xf32>, %arg5: tensor<16xf32>, %arg6: tensor<16xf32>, %arg7: tensor<16xf32>, %arg8: tensor<32xf32>, %arg9: tensor<16x32xf32>, %arg10: tensor<16xf32>, %arg11: tensor<32x16xf32>, %arg12: tensor<16xf32>, %arg13: tensor<16xf32>, %arg14: tensor<16x16xf32>, %arg15: tensor<32x16xf32>, %arg16: tensor<2x6xi32>) -> (tensor<2x6x16xf32> {jax.result_info = "result"}) {
    %0 = call @_take(%arg15, %arg16) : (tensor<32x16xf32>, tensor<2x6xi32>) -> tensor<2x6x16xf32>
    %1 = stablehlo.iota dim = 0 : tensor<6xi32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %3 = stablehlo.multiply %2, %1 : tensor<6xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %5 = stablehlo.add %4, %3 : tensor<6xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %7 = stablehlo.add %5, %6 : tensor<6xi32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [1] : (tensor<6xi32>) -> tensor<1x6xi32>
    %9 = call @_take_0(%arg14, %8) : (tensor<16x16xf32>, tensor<1x6xi32>) -> tensor<1x6x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x6x16xf32>
    %11 = stablehlo.multiply %9, %10 : tensor<1x6x16xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<1x6x16xf32>) -> tensor<2x6x16xf32>
    %13 = stablehlo.add %0, %12 : tensor<2x6x16xf32>
    %14 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x6xi32>) -> tensor<2x6xi32>
    %15 = stablehlo.slice %14 [0:2, 0:1] : (tensor<2x6xi32>) -> tensor<2x1xi32>
    %c_2 = stablehlo.constant dense<1> : tensor<i32>
    %16 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2x1xi32>
    %17 = stablehlo.subtract %15, %16 : tensor<2x1xi32>
    %18 = stablehlo.concatenate %17, %14, dim = 1 : (tensor<2x1xi32>, tensor<2x6xi32>) -> tensor<2x7xi32>
    %19 = stablehlo.slice %18 [0:2, 0:6] : (tensor<2x7xi32>) -> tensor<2x6xi32>
    %20 = stablehlo.slice %18 [0:2, 1:7] : (tensor<2x7xi32>) -> tensor<2x6xi32>
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %21 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<2x6xi32>
    %22 = stablehlo.multiply %19, %21 : tensor<2x6xi32>
    %23 = stablehlo.subtract %20, %22 : tensor<2x6xi32>
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %24 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<2x6xi32>
    %25 = stablehlo.compare NE, %23, %24, SIGNED : (tensor<2x6xi32>, tensor<2x6xi32>) -> tensor<2x6xi1>
    %26 = call @cumsum(%25) : (tensor<2x6xi1>) -> tensor<2x6xi32>
    %27 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x6xi32>) -> tensor<2x6xi32>
    %28 = stablehlo.iota dim = 0 : tensor<2xi32>
    %c_5 = stablehlo.constant dense<1> : tensor<i32>
    %29 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %30 = stablehlo.multiply %29, %28 : tensor<2xi32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %31 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %32 = stablehlo.add %31, %30 : tensor<2xi32>
    %33 = stablehlo.iota dim = 0 : tensor<6xi32>
    %c_7 = stablehlo.constant dense<1> : tensor<i32>
    %34 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %35 = stablehlo.multiply %34, %33 : tensor<6xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %36 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %37 = stablehlo.add %36, %35 : tensor<6xi32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %38 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %39 = stablehlo.add %37, %38 : tensor<6xi32>
    %40 = stablehlo.iota dim = 0 : tensor<6xi32>
    %c_10 = stablehlo.constant dense<1> : tensor<i32>
    %41 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %42 = stablehlo.multiply %41, %40 : tensor<6xi32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %43 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %44 = stablehlo.add %43, %42 : tensor<6xi32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %45 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %46 = stablehlo.add %44, %45 : tensor<6xi32>
    %47 = stablehlo.broadcast_in_dim %32, dims = [0] : (tensor<2xi32>) -> tensor<2x1x1x1xi32>
    %48 = stablehlo.broadcast_in_dim %39, dims = [2] : (tensor<6xi32>) -> tensor<1x1x6x1xi32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %49 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %50 = stablehlo.compare LT, %47, %49, SIGNED : (tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>) -> tensor<2x1x1x1xi1>
    %c_14 = stablehlo.constant dense<2> : tensor<i32>
    %51 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %52 = stablehlo.add %47, %51 : tensor<2x1x1x1xi32>
    %53 = stablehlo.select %50, %52, %47 : tensor<2x1x1x1xi1>, tensor<2x1x1x1xi32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %54 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<1x1x6x1xi32>
    %55 = stablehlo.compare LT, %48, %54, SIGNED : (tensor<1x1x6x1xi32>, tensor<1x1x6x1xi32>) -> tensor<1x1x6x1xi1>
    %c_16 = stablehlo.constant dense<6> : tensor<i32>
    %56 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<1x1x6x1xi32>
    %57 = stablehlo.add %48, %56 : tensor<1x1x6x1xi32>
    %58 = stablehlo.select %55, %57, %48 : tensor<1x1x6x1xi1>, tensor<1x1x6x1xi32>
    %59 = stablehlo.broadcast_in_dim %53, dims = [0, 1, 2, 3] : (tensor<2x1x1x1xi32>) -> tensor<2x1x6x1xi32>
    %60 = stablehlo.broadcast_in_dim %58, dims = [0, 1, 2, 3] : (tensor<1x1x6x1xi32>) -> tensor<2x1x6x1xi32>
    %61 = stablehlo.broadcast_in_dim %59, dims = [0, 1, 2, 3] : (tensor<2x1x6x1xi32>) -> tensor<2x1x6x1x1xi32>
    %62 = stablehlo.broadcast_in_dim %60, dims = [0, 1, 2, 3] : (tensor<2x1x6x1xi32>) -> tensor<2x1x6x1x1xi32>
    %63 = stablehlo.concatenate %61, %62, dim = 4 : (tensor<2x1x6x1x1xi32>, tensor<2x1x6x1x1xi32>) -> tensor<2x1x6x1x2xi32>
    %64 = "stablehlo.gather"(%27, %63) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 4>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<2x6xi32>, tensor<2x1x6x1x2xi32>) -> tensor<2x1x6x1xi32>
    %65 = stablehlo.broadcast_in_dim %32, dims = [0] : (tensor<2xi32>) -> tensor<2x1x1x1xi32>
    %66 = stablehlo.broadcast_in_dim %46, dims = [3] : (tensor<6xi32>) -> tensor<1x1x1x6xi32>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %67 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %68 = stablehlo.compare LT, %65, %67, SIGNED : (tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>) -> tensor<2x1x1x1xi1>
    %c_18 = stablehlo.constant dense<2> : tensor<i32>
    %69 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %70 = stablehlo.add %65, %69 : tensor<2x1x1x1xi32>
    %71 = stablehlo.select %68, %70, %65 : tensor<2x1x1x1xi1>, tensor<2x1x1x1xi32>
    %c_19 = stablehlo.constant dense<0> : tensor<i32>
    %72 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i32>) -> tensor<1x1x1x6xi32>
    %73 = stablehlo.compare LT, %66, %72, SIGNED : (tensor<1x1x1x6xi32>, tensor<1x1x1x6xi32>) -> tensor<1x1x1x6xi1>
    %c_20 = stablehlo.constant dense<6> : tensor<i32>
    %74 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i32>) -> tensor<1x1x1x6xi32>
    %75 = stablehlo.add %66, %74 : tensor<1x1x1x6xi32>
    %76 = stablehlo.select %73, %75, %66 : tensor<1x1x1x6xi1>, tensor<1x1x1x6xi32>
    %77 = stablehlo.broadcast_in_dim %71, dims = [0, 1, 2, 3] : (tensor<2x1x1x1xi32>) -> tensor<2x1x1x6xi32>
    %78 = stablehlo.broadcast_in_dim %76, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xi32>) -> tensor<2x1x1x6xi32>
    %79 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x1x6x1xi32>
    %80 = stablehlo.broadcast_in_dim %78, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x1x6x1xi32>
    %81 = stablehlo.concatenate %79, %80, dim = 4 : (tensor<2x1x1x6x1xi32>, tensor<2x1x1x6x1xi32>) -> tensor<2x1x1x6x2xi32>
    %82 = "stablehlo.gather"(%27, %81) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 4>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<2x6xi32>, tensor<2x1x1x6x2xi32>) -> tensor<2x1x1x6xi32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x6x6xi32>
    %84 = stablehlo.broadcast_in_dim %64, dims = [0, 1, 2, 3] : (tensor<2x1x6x1xi32>) -> tensor<2x1x6x6xi32>
    %85 = stablehlo.compare LE, %83, %84, SIGNED : (tensor<2x1x6x6xi32>, tensor<2x1x6x6xi32>) -> tensor<2x1x6x6xi1>
    %c_21 = stablehlo.constant dense<true> : tensor<i1>
    %86 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<i1>) -> tensor<2x1x6x6xi1>
    %87 = stablehlo.and %86, %85 : tensor<2x1x6x6xi1>
    %88 = stablehlo.broadcast_in_dim %32, dims = [0] : (tensor<2xi32>) -> tensor<2x1x1x1xi32>
    %89 = stablehlo.broadcast_in_dim %39, dims = [2] : (tensor<6xi32>) -> tensor<1x1x6x1xi32>
    %c_22 = stablehlo.constant dense<0> : tensor<i32>
    %90 = stablehlo.broadcast_in_dim %c_22, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %91 = stablehlo.compare LT, %88, %90, SIGNED : (tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>) -> tensor<2x1x1x1xi1>
    %c_23 = stablehlo.constant dense<2> : tensor<i32>
    %92 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %93 = stablehlo.add %88, %92 : tensor<2x1x1x1xi32>
    %94 = stablehlo.select %91, %93, %88 : tensor<2x1x1x1xi1>, tensor<2x1x1x1xi32>
    %c_24 = stablehlo.constant dense<0> : tensor<i32>
    %95 = stablehlo.broadcast_in_dim %c_24, dims = [] : (tensor<i32>) -> tensor<1x1x6x1xi32>
    %96 = stablehlo.compare LT, %89, %95, SIGNED : (tensor<1x1x6x1xi32>, tensor<1x1x6x1xi32>) -> tensor<1x1x6x1xi1>
    %c_25 = stablehlo.constant dense<6> : tensor<i32>
    %97 = stablehlo.broadcast_in_dim %c_25, dims = [] : (tensor<i32>) -> tensor<1x1x6x1xi32>
    %98 = stablehlo.add %89, %97 : tensor<1x1x6x1xi32>
    %99 = stablehlo.select %96, %98, %89 : tensor<1x1x6x1xi1>, tensor<1x1x6x1xi32>
    %100 = stablehlo.broadcast_in_dim %94, dims = [0, 1, 2, 3] : (tensor<2x1x1x1xi32>) -> tensor<2x1x6x1xi32>
    %101 = stablehlo.broadcast_in_dim %99, dims = [0, 1, 2, 3] : (tensor<1x1x6x1xi32>) -> tensor<2x1x6x1xi32>
    %102 = stablehlo.broadcast_in_dim %100, dims = [0, 1, 2, 3] : (tensor<2x1x6x1xi32>) -> tensor<2x1x6x1x1xi32>
    %103 = stablehlo.broadcast_in_dim %101, dims = [0, 1, 2, 3] : (tensor<2x1x6x1xi32>) -> tensor<2x1x6x1x1xi32>
    %104 = stablehlo.concatenate %102, %103, dim = 4 : (tensor<2x1x6x1x1xi32>, tensor<2x1x6x1x1xi32>) -> tensor<2x1x6x1x2xi32>
    %105 = "stablehlo.gather"(%26, %104) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 4>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<2x6xi32>, tensor<2x1x6x1x2xi32>) -> tensor<2x1x6x1xi32>
    %106 = stablehlo.broadcast_in_dim %32, dims = [0] : (tensor<2xi32>) -> tensor<2x1x1x1xi32>
    %107 = stablehlo.broadcast_in_dim %46, dims = [3] : (tensor<6xi32>) -> tensor<1x1x1x6xi32>
    %c_26 = stablehlo.constant dense<0> : tensor<i32>
    %108 = stablehlo.broadcast_in_dim %c_26, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %109 = stablehlo.compare LT, %106, %108, SIGNED : (tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>) -> tensor<2x1x1x1xi1>
    %c_27 = stablehlo.constant dense<2> : tensor<i32>
    %110 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %111 = stablehlo.add %106, %110 : tensor<2x1x1x1xi32>
    %112 = stablehlo.select %109, %111, %106 : tensor<2x1x1x1xi1>, tensor<2x1x1x1xi32>
    %c_28 = stablehlo.constant dense<0> : tensor<i32>
    %113 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<i32>) -> tensor<1x1x1x6xi32>
    %114 = stablehlo.compare LT, %107, %113, SIGNED : (tensor<1x1x1x6xi32>, tensor<1x1x1x6xi32>) -> tensor<1x1x1x6xi1>
    %c_29 = stablehlo.constant dense<6> : tensor<i32>
    %115 = stablehlo.broadcast_in_dim %c_29, dims = [] : (tensor<i32>) -> tensor<1x1x1x6xi32>
    %116 = stablehlo.add %107, %115 : tensor<1x1x1x6xi32>
    %117 = stablehlo.select %114, %116, %107 : tensor<1x1x1x6xi1>, tensor<1x1x1x6xi32>
    %118 = stablehlo.broadcast_in_dim %112, dims = [0, 1, 2, 3] : (tensor<2x1x1x1xi32>) -> tensor<2x1x1x6xi32>
    %119 = stablehlo.broadcast_in_dim %117, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xi32>) -> tensor<2x1x1x6xi32>
    %120 = stablehlo.broadcast_in_dim %118, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x1x6x1xi32>
    %121 = stablehlo.broadcast_in_dim %119, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x1x6x1xi32>
    %122 = stablehlo.concatenate %120, %121, dim = 4 : (tensor<2x1x1x6x1xi32>, tensor<2x1x1x6x1xi32>) -> tensor<2x1x1x6x2xi32>
    %123 = "stablehlo.gather"(%26, %122) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 4>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<2x6xi32>, tensor<2x1x1x6x2xi32>) -> tensor<2x1x1x6xi32>
    %124 = stablehlo.broadcast_in_dim %105, dims = [0, 1, 2, 3] : (tensor<2x1x6x1xi32>) -> tensor<2x1x6x6xi32>
    %125 = stablehlo.broadcast_in_dim %123, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x6x6xi32>
    %126 = stablehlo.compare EQ, %124, %125, SIGNED : (tensor<2x1x6x6xi32>, tensor<2x1x6x6xi32>) -> tensor<2x1x6x6xi1>
    %127 = stablehlo.and %87, %126 : tensor<2x1x6x6xi1>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_31 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %128 = call @_where_3(%127, %cst_30, %cst_31) : (tensor<2x1x6x6xi1>, tensor<f32>, tensor<f32>) -> tensor<2x1x6x6xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %129 = stablehlo.reduce(%13 init: %cst_32) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %130 = stablehlo.broadcast_in_dim %129, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_33 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %131 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %132 = stablehlo.divide %130, %131 : tensor<2x6x1xf32>
    %c_34 = stablehlo.constant dense<0> : tensor<i32>
    %133 = call @_var(%13, %c_34) : (tensor<2x6x16xf32>, tensor<i32>) -> tensor<2x6x1xf32>
    %cst_35 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %135 = stablehlo.add %133, %134 : tensor<2x6x1xf32>
    %136 = stablehlo.rsqrt %135 : tensor<2x6x1xf32>
    %137 = stablehlo.broadcast_in_dim %132, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %138 = stablehlo.subtract %13, %137 : tensor<2x6x16xf32>
    %139 = stablehlo.broadcast_in_dim %136, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %140 = stablehlo.multiply %138, %139 : tensor<2x6x16xf32>
    %141 = stablehlo.broadcast_in_dim %arg5, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %142 = stablehlo.broadcast_in_dim %141, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %143 = stablehlo.multiply %140, %142 : tensor<2x6x16xf32>
    %144 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %145 = stablehlo.broadcast_in_dim %144, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %146 = stablehlo.add %143, %145 : tensor<2x6x16xf32>
    %147 = stablehlo.reshape %146 : (tensor<2x6x16xf32>) -> tensor<12x16xf32>
    %cst_36 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %148 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<48xf32>
    %149 = stablehlo.multiply %arg0, %148 : tensor<48xf32>
    %150 = stablehlo.dot_general %147, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<12x16xf32>, tensor<16x48xf32>) -> tensor<12x48xf32>
    %cst_37 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %151 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<12x48xf32>
    %152 = stablehlo.multiply %151, %150 : tensor<12x48xf32>
    %153 = stablehlo.broadcast_in_dim %149, dims = [1] : (tensor<48xf32>) -> tensor<1x48xf32>
    %154 = stablehlo.broadcast_in_dim %153, dims = [0, 1] : (tensor<1x48xf32>) -> tensor<12x48xf32>
    %155 = stablehlo.add %154, %152 : tensor<12x48xf32>
    %156 = stablehlo.reshape %155 : (tensor<12x48xf32>) -> tensor<2x6x48xf32>
    %157 = stablehlo.slice %156 [0:2, 0:6, 0:16] : (tensor<2x6x48xf32>) -> tensor<2x6x16xf32>
    %158 = stablehlo.slice %156 [0:2, 0:6, 16:32] : (tensor<2x6x48xf32>) -> tensor<2x6x16xf32>
    %159 = stablehlo.slice %156 [0:2, 0:6, 32:48] : (tensor<2x6x48xf32>) -> tensor<2x6x16xf32>
    %160 = stablehlo.reshape %158 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %161 = stablehlo.transpose %160, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %162 = stablehlo.reshape %159 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %163 = stablehlo.transpose %162, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %164 = stablehlo.reshape %157 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %165 = stablehlo.transpose %164, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %166 = stablehlo.transpose %161, dims = [0, 1, 3, 2] : (tensor<2x4x6x4xf32>) -> tensor<2x4x4x6xf32>
    %167 = stablehlo.reshape %165 : (tensor<2x4x6x4xf32>) -> tensor<8x6x4xf32>
    %168 = stablehlo.reshape %166 : (tensor<2x4x4x6xf32>) -> tensor<8x4x6xf32>
    %169 = stablehlo.dot_general %167, %168, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x4xf32>, tensor<8x4x6xf32>) -> tensor<8x6x6xf32>
    %170 = stablehlo.reshape %169 : (tensor<8x6x6xf32>) -> tensor<2x4x6x6xf32>
    %cst_38 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %171 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %172 = stablehlo.multiply %170, %171 : tensor<2x4x6x6xf32>
    %cst_39 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %173 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<2x1x6x6xf32>
    %174 = stablehlo.multiply %128, %173 : tensor<2x1x6x6xf32>
    %175 = stablehlo.broadcast_in_dim %174, dims = [0, 1, 2, 3] : (tensor<2x1x6x6xf32>) -> tensor<2x4x6x6xf32>
    %176 = stablehlo.add %172, %175 : tensor<2x4x6x6xf32>
    %cst_40 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %177 = stablehlo.reduce(%176 init: %cst_40) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %cst_41 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %178 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
    %179 = stablehlo.maximum %178, %177 : tensor<2x4x6xf32>
    %180 = stablehlo.broadcast_in_dim %179, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %181 = stablehlo.broadcast_in_dim %180, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %182 = stablehlo.subtract %176, %181 : tensor<2x4x6x6xf32>
    %183 = stablehlo.exponential %182 : tensor<2x4x6x6xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %184 = stablehlo.reduce(%183 init: %cst_42) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %185 = stablehlo.broadcast_in_dim %184, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %186 = stablehlo.broadcast_in_dim %185, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %187 = stablehlo.divide %183, %186 : tensor<2x4x6x6xf32>
    %188 = stablehlo.reshape %187 : (tensor<2x4x6x6xf32>) -> tensor<8x6x6xf32>
    %189 = stablehlo.reshape %163 : (tensor<2x4x6x4xf32>) -> tensor<8x6x4xf32>
    %190 = stablehlo.dot_general %188, %189, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x6xf32>, tensor<8x6x4xf32>) -> tensor<8x6x4xf32>
    %191 = stablehlo.reshape %190 : (tensor<8x6x4xf32>) -> tensor<2x4x6x4xf32>
    %192 = stablehlo.transpose %191, dims = [0, 2, 1, 3] : (tensor<2x4x6x4xf32>) -> tensor<2x6x4x4xf32>
    %193 = stablehlo.reshape %192 : (tensor<2x6x4x4xf32>) -> tensor<2x6x16xf32>
    %194 = stablehlo.reshape %193 : (tensor<2x6x16xf32>) -> tensor<12x16xf32>
    %cst_43 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %195 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %196 = stablehlo.multiply %arg2, %195 : tensor<16xf32>
    %197 = stablehlo.dot_general %194, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<12x16xf32>, tensor<16x16xf32>) -> tensor<12x16xf32>
    %cst_44 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %198 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<12x16xf32>
    %199 = stablehlo.multiply %198, %197 : tensor<12x16xf32>
    %200 = stablehlo.broadcast_in_dim %196, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
    %201 = stablehlo.broadcast_in_dim %200, dims = [0, 1] : (tensor<1x16xf32>) -> tensor<12x16xf32>
    %202 = stablehlo.add %201, %199 : tensor<12x16xf32>
    %203 = stablehlo.reshape %202 : (tensor<12x16xf32>) -> tensor<2x6x16xf32>
    %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %204 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %205 = stablehlo.multiply %13, %204 : tensor<2x6x16xf32>
    %206 = stablehlo.add %203, %205 : tensor<2x6x16xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %207 = stablehlo.reduce(%206 init: %cst_46) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %208 = stablehlo.broadcast_in_dim %207, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_47 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %209 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %210 = stablehlo.divide %208, %209 : tensor<2x6x1xf32>
    %c_48 = stablehlo.constant dense<0> : tensor<i32>
    %211 = call @_var(%206, %c_48) : (tensor<2x6x16xf32>, tensor<i32>) -> tensor<2x6x1xf32>
    %cst_49 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %212 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %213 = stablehlo.add %211, %212 : tensor<2x6x1xf32>
    %214 = stablehlo.rsqrt %213 : tensor<2x6x1xf32>
    %215 = stablehlo.broadcast_in_dim %210, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %216 = stablehlo.subtract %206, %215 : tensor<2x6x16xf32>
    %217 = stablehlo.broadcast_in_dim %214, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %218 = stablehlo.multiply %216, %217 : tensor<2x6x16xf32>
    %219 = stablehlo.broadcast_in_dim %arg7, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %220 = stablehlo.broadcast_in_dim %219, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %221 = stablehlo.multiply %218, %220 : tensor<2x6x16xf32>
    %222 = stablehlo.broadcast_in_dim %arg6, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %223 = stablehlo.broadcast_in_dim %222, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %224 = stablehlo.add %221, %223 : tensor<2x6x16xf32>
    %225 = stablehlo.reshape %224 : (tensor<2x6x16xf32>) -> tensor<12x16xf32>
    %cst_50 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %226 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %227 = stablehlo.multiply %arg8, %226 : tensor<32xf32>
    %228 = stablehlo.dot_general %225, %arg9, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<12x16xf32>, tensor<16x32xf32>) -> tensor<12x32xf32>
    %cst_51 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %229 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<12x32xf32>
    %230 = stablehlo.multiply %229, %228 : tensor<12x32xf32>
    %231 = stablehlo.broadcast_in_dim %227, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %232 = stablehlo.broadcast_in_dim %231, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<12x32xf32>
    %233 = stablehlo.add %232, %230 : tensor<12x32xf32>
    %234 = stablehlo.reshape %233 : (tensor<12x32xf32>) -> tensor<2x6x32xf32>
    %cst_52 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %235 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %236 = stablehlo.multiply %234, %235 : tensor<2x6x32xf32>
    %cst_53 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %237 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %238 = stablehlo.power %234, %237 : tensor<2x6x32xf32>
    %cst_54 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %239 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %240 = stablehlo.multiply %238, %239 : tensor<2x6x32xf32>
    %cst_55 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %241 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %242 = stablehlo.multiply %240, %241 : tensor<2x6x32xf32>
    %243 = stablehlo.add %234, %242 : tensor<2x6x32xf32>
    %cst_56 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %244 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %245 = stablehlo.multiply %243, %244 : tensor<2x6x32xf32>
    %246 = stablehlo.tanh %245 : tensor<2x6x32xf32>
    %cst_57 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %247 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %248 = stablehlo.add %246, %247 : tensor<2x6x32xf32>
    %249 = stablehlo.multiply %236, %248 : tensor<2x6x32xf32>
    %250 = stablehlo.reshape %249 : (tensor<2x6x32xf32>) -> tensor<12x32xf32>
    %cst_58 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %251 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %252 = stablehlo.multiply %arg10, %251 : tensor<16xf32>
    %253 = stablehlo.dot_general %250, %arg11, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<12x32xf32>, tensor<32x16xf32>) -> tensor<12x16xf32>
    %cst_59 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %254 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<12x16xf32>
    %255 = stablehlo.multiply %254, %253 : tensor<12x16xf32>
    %256 = stablehlo.broadcast_in_dim %252, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
    %257 = stablehlo.broadcast_in_dim %256, dims = [0, 1] : (tensor<1x16xf32>) -> tensor<12x16xf32>
    %258 = stablehlo.add %257, %255 : tensor<12x16xf32>
    %259 = stablehlo.reshape %258 : (tensor<12x16xf32>) -> tensor<2x6x16xf32>
    %cst_60 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %260 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %261 = stablehlo.multiply %259, %260 : tensor<2x6x16xf32>
    %262 = stablehlo.add %206, %261 : tensor<2x6x16xf32>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %263 = stablehlo.reduce(%262 init: %cst_61) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %264 = stablehlo.broadcast_in_dim %263, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_62 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %265 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %266 = stablehlo.divide %264, %265 : tensor<2x6x1xf32>
    %c_63 = stablehlo.constant dense<0> : tensor<i32>
    %267 = call @_var(%262, %c_63) : (tensor<2x6x16xf32>, tensor<i32>) -> tensor<2x6x1xf32>
    %cst_64 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %268 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %269 = stablehlo.add %267, %268 : tensor<2x6x1xf32>
    %270 = stablehlo.rsqrt %269 : tensor<2x6x1xf32>
    %271 = stablehlo.broadcast_in_dim %266, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %272 = stablehlo.subtract %262, %271 : tensor<2x6x16xf32>
    %273 = stablehlo.broadcast_in_dim %270, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %274 = stablehlo.multiply %272, %273 : tensor<2x6x16xf32>
    %275 = stablehlo.broadcast_in_dim %arg13, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %276 = stablehlo.broadcast_in_dim %275, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %277 = stablehlo.multiply %274, %276 : tensor<2x6x16xf32>
    %278 = stablehlo.broadcast_in_dim %arg12, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %279 = stablehlo.broadcast_in_dim %278, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %280 = stablehlo.add %277, %279 : tensor<2x6x16xf32>
    return %280 : tensor<2x6x16xf32>
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
  func.func private @_take_0(%arg0: tensor<16x16xf32>, %arg1: tensor<1x6xi32>) -> tensor<1x6x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1x6xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<1x6xi32>, tensor<1x6xi32>) -> tensor<1x6xi1>
    %c_0 = stablehlo.constant dense<16> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1x6xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<1x6xi32>
    %4 = call @_where_1(%1, %3, %arg1) : (tensor<1x6xi1>, tensor<1x6xi32>, tensor<1x6xi32>) -> tensor<1x6xi32>
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
  func.func private @_where_1(%arg0: tensor<1x6xi1>, %arg1: tensor<1x6xi32>, %arg2: tensor<1x6xi32>) -> tensor<1x6xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<1x6xi1>, tensor<1x6xi32>
    return %0 : tensor<1x6xi32>
  }
  func.func private @cumsum(%arg0: tensor<2x6xi1>) -> tensor<2x6xi32> {
    %0 = stablehlo.convert %arg0 : (tensor<2x6xi1>) -> tensor<2x6xi32>
    %1 = call @cumsum_2(%0) : (tensor<2x6xi32>) -> tensor<2x6xi32>
    return %1 : tensor<2x6xi32>
  }
  func.func private @cumsum_2(%arg0: tensor<2x6xi32>) -> tensor<2x6xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [5, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 6>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<2x6xi32>, tensor<i32>) -> tensor<2x6xi32>
    return %1 : tensor<2x6xi32>
  }
  func.func private @_where_3(%arg0: tensor<2x1x6x6xi1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<2x1x6x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2x1x6x6xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x1x6x6xf32>
    %2 = stablehlo.select %arg0, %0, %1 : tensor<2x1x6x6xi1>, tensor<2x1x6x6xf32>
    return %2 : tensor<2x1x6x6xf32>
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
    %14 = call @_where_4(%13, %12, %cst_4) : (tensor<i1>, tensor<2x6x1xf32>, tensor<f32>) -> tensor<2x6x1xf32>
    return %14 : tensor<2x6x1xf32>
  }
  func.func private @_where_4(%arg0: tensor<i1>, %arg1: tensor<2x6x1xf32>, %arg2: tensor<f32>) -> tensor<2x6x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<2x6x1xf32>
    return %2 : tensor<2x6x1xf32>
  }
}
