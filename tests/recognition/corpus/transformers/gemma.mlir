// Producer: transformers 5.24.0 on torchax 0.0.13, jax 0.10.2
// Module: GemmaModel, eager attention
// EXPECT @main: attention=1 rms_norm=3 rope=2 transformer_mlp=1
// EXPECT @_take: embedding=1

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<f32>, %arg1: tensor<32x16xf32>, %arg2: tensor<16xf32>, %arg3: tensor<16x32xf32>, %arg4: tensor<32x16xf32>, %arg5: tensor<32x16xf32>, %arg6: tensor<16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<16x16xf32>, %arg9: tensor<16x16xf32>, %arg10: tensor<8x16xf32>, %arg11: tensor<16xf32>, %arg12: tensor<2xf32>, %arg13: tensor<2x6xi32>) -> (tensor<2x6x16xf32> {jax.result_info = "result"}) {
    %0 = call @_take(%arg1, %arg13) : (tensor<32x16xf32>, tensor<2x6xi32>) -> tensor<2x6x16xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x6x16xf32>
    %3 = stablehlo.iota dim = 0 : tensor<6xi32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %5 = stablehlo.multiply %4, %3 : tensor<6xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %7 = stablehlo.add %6, %5 : tensor<6xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %9 = stablehlo.add %7, %8 : tensor<6xi32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [1] : (tensor<6xi32>) -> tensor<1x6xi32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<1x6xi32>) -> tensor<2x6xi32>
    %12 = stablehlo.slice %11 [0:2, 0:1] : (tensor<2x6xi32>) -> tensor<2x1xi32>
    %c_2 = stablehlo.constant dense<1> : tensor<i32>
    %13 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2x1xi32>
    %14 = stablehlo.subtract %12, %13 : tensor<2x1xi32>
    %15 = stablehlo.concatenate %14, %11, dim = 1 : (tensor<2x1xi32>, tensor<2x6xi32>) -> tensor<2x7xi32>
    %16 = stablehlo.slice %15 [0:2, 0:6] : (tensor<2x7xi32>) -> tensor<2x6xi32>
    %17 = stablehlo.slice %15 [0:2, 1:7] : (tensor<2x7xi32>) -> tensor<2x6xi32>
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %18 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<2x6xi32>
    %19 = stablehlo.multiply %16, %18 : tensor<2x6xi32>
    %20 = stablehlo.subtract %17, %19 : tensor<2x6xi32>
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %21 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<2x6xi32>
    %22 = stablehlo.compare NE, %20, %21, SIGNED : (tensor<2x6xi32>, tensor<2x6xi32>) -> tensor<2x6xi1>
    %23 = call @cumsum(%22) : (tensor<2x6xi1>) -> tensor<2x6xi32>
    %24 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<1x6xi32>) -> tensor<2x6xi32>
    %25 = stablehlo.iota dim = 0 : tensor<2xi32>
    %c_5 = stablehlo.constant dense<1> : tensor<i32>
    %26 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %27 = stablehlo.multiply %26, %25 : tensor<2xi32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %28 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %29 = stablehlo.add %28, %27 : tensor<2xi32>
    %30 = stablehlo.iota dim = 0 : tensor<6xi32>
    %c_7 = stablehlo.constant dense<1> : tensor<i32>
    %31 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %32 = stablehlo.multiply %31, %30 : tensor<6xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %33 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %34 = stablehlo.add %33, %32 : tensor<6xi32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %35 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %36 = stablehlo.add %34, %35 : tensor<6xi32>
    %37 = stablehlo.iota dim = 0 : tensor<6xi32>
    %c_10 = stablehlo.constant dense<1> : tensor<i32>
    %38 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %39 = stablehlo.multiply %38, %37 : tensor<6xi32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %40 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %41 = stablehlo.add %40, %39 : tensor<6xi32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %42 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %43 = stablehlo.add %41, %42 : tensor<6xi32>
    %44 = stablehlo.broadcast_in_dim %29, dims = [0] : (tensor<2xi32>) -> tensor<2x1x1x1xi32>
    %45 = stablehlo.broadcast_in_dim %36, dims = [2] : (tensor<6xi32>) -> tensor<1x1x6x1xi32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %46 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %47 = stablehlo.compare LT, %44, %46, SIGNED : (tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>) -> tensor<2x1x1x1xi1>
    %c_14 = stablehlo.constant dense<2> : tensor<i32>
    %48 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %49 = stablehlo.add %44, %48 : tensor<2x1x1x1xi32>
    %50 = stablehlo.select %47, %49, %44 : tensor<2x1x1x1xi1>, tensor<2x1x1x1xi32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %51 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<1x1x6x1xi32>
    %52 = stablehlo.compare LT, %45, %51, SIGNED : (tensor<1x1x6x1xi32>, tensor<1x1x6x1xi32>) -> tensor<1x1x6x1xi1>
    %c_16 = stablehlo.constant dense<6> : tensor<i32>
    %53 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<1x1x6x1xi32>
    %54 = stablehlo.add %45, %53 : tensor<1x1x6x1xi32>
    %55 = stablehlo.select %52, %54, %45 : tensor<1x1x6x1xi1>, tensor<1x1x6x1xi32>
    %56 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2, 3] : (tensor<2x1x1x1xi32>) -> tensor<2x1x6x1xi32>
    %57 = stablehlo.broadcast_in_dim %55, dims = [0, 1, 2, 3] : (tensor<1x1x6x1xi32>) -> tensor<2x1x6x1xi32>
    %58 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2, 3] : (tensor<2x1x6x1xi32>) -> tensor<2x1x6x1x1xi32>
    %59 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2, 3] : (tensor<2x1x6x1xi32>) -> tensor<2x1x6x1x1xi32>
    %60 = stablehlo.concatenate %58, %59, dim = 4 : (tensor<2x1x6x1x1xi32>, tensor<2x1x6x1x1xi32>) -> tensor<2x1x6x1x2xi32>
    %61 = "stablehlo.gather"(%24, %60) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 4>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<2x6xi32>, tensor<2x1x6x1x2xi32>) -> tensor<2x1x6x1xi32>
    %62 = stablehlo.broadcast_in_dim %29, dims = [0] : (tensor<2xi32>) -> tensor<2x1x1x1xi32>
    %63 = stablehlo.broadcast_in_dim %43, dims = [3] : (tensor<6xi32>) -> tensor<1x1x1x6xi32>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %64 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %65 = stablehlo.compare LT, %62, %64, SIGNED : (tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>) -> tensor<2x1x1x1xi1>
    %c_18 = stablehlo.constant dense<2> : tensor<i32>
    %66 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %67 = stablehlo.add %62, %66 : tensor<2x1x1x1xi32>
    %68 = stablehlo.select %65, %67, %62 : tensor<2x1x1x1xi1>, tensor<2x1x1x1xi32>
    %c_19 = stablehlo.constant dense<0> : tensor<i32>
    %69 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i32>) -> tensor<1x1x1x6xi32>
    %70 = stablehlo.compare LT, %63, %69, SIGNED : (tensor<1x1x1x6xi32>, tensor<1x1x1x6xi32>) -> tensor<1x1x1x6xi1>
    %c_20 = stablehlo.constant dense<6> : tensor<i32>
    %71 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i32>) -> tensor<1x1x1x6xi32>
    %72 = stablehlo.add %63, %71 : tensor<1x1x1x6xi32>
    %73 = stablehlo.select %70, %72, %63 : tensor<1x1x1x6xi1>, tensor<1x1x1x6xi32>
    %74 = stablehlo.broadcast_in_dim %68, dims = [0, 1, 2, 3] : (tensor<2x1x1x1xi32>) -> tensor<2x1x1x6xi32>
    %75 = stablehlo.broadcast_in_dim %73, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xi32>) -> tensor<2x1x1x6xi32>
    %76 = stablehlo.broadcast_in_dim %74, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x1x6x1xi32>
    %77 = stablehlo.broadcast_in_dim %75, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x1x6x1xi32>
    %78 = stablehlo.concatenate %76, %77, dim = 4 : (tensor<2x1x1x6x1xi32>, tensor<2x1x1x6x1xi32>) -> tensor<2x1x1x6x2xi32>
    %79 = "stablehlo.gather"(%24, %78) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 4>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<2x6xi32>, tensor<2x1x1x6x2xi32>) -> tensor<2x1x1x6xi32>
    %80 = stablehlo.broadcast_in_dim %79, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x6x6xi32>
    %81 = stablehlo.broadcast_in_dim %61, dims = [0, 1, 2, 3] : (tensor<2x1x6x1xi32>) -> tensor<2x1x6x6xi32>
    %82 = stablehlo.compare LE, %80, %81, SIGNED : (tensor<2x1x6x6xi32>, tensor<2x1x6x6xi32>) -> tensor<2x1x6x6xi1>
    %c_21 = stablehlo.constant dense<true> : tensor<i1>
    %83 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<i1>) -> tensor<2x1x6x6xi1>
    %84 = stablehlo.and %83, %82 : tensor<2x1x6x6xi1>
    %85 = stablehlo.broadcast_in_dim %29, dims = [0] : (tensor<2xi32>) -> tensor<2x1x1x1xi32>
    %86 = stablehlo.broadcast_in_dim %36, dims = [2] : (tensor<6xi32>) -> tensor<1x1x6x1xi32>
    %c_22 = stablehlo.constant dense<0> : tensor<i32>
    %87 = stablehlo.broadcast_in_dim %c_22, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %88 = stablehlo.compare LT, %85, %87, SIGNED : (tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>) -> tensor<2x1x1x1xi1>
    %c_23 = stablehlo.constant dense<2> : tensor<i32>
    %89 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %90 = stablehlo.add %85, %89 : tensor<2x1x1x1xi32>
    %91 = stablehlo.select %88, %90, %85 : tensor<2x1x1x1xi1>, tensor<2x1x1x1xi32>
    %c_24 = stablehlo.constant dense<0> : tensor<i32>
    %92 = stablehlo.broadcast_in_dim %c_24, dims = [] : (tensor<i32>) -> tensor<1x1x6x1xi32>
    %93 = stablehlo.compare LT, %86, %92, SIGNED : (tensor<1x1x6x1xi32>, tensor<1x1x6x1xi32>) -> tensor<1x1x6x1xi1>
    %c_25 = stablehlo.constant dense<6> : tensor<i32>
    %94 = stablehlo.broadcast_in_dim %c_25, dims = [] : (tensor<i32>) -> tensor<1x1x6x1xi32>
    %95 = stablehlo.add %86, %94 : tensor<1x1x6x1xi32>
    %96 = stablehlo.select %93, %95, %86 : tensor<1x1x6x1xi1>, tensor<1x1x6x1xi32>
    %97 = stablehlo.broadcast_in_dim %91, dims = [0, 1, 2, 3] : (tensor<2x1x1x1xi32>) -> tensor<2x1x6x1xi32>
    %98 = stablehlo.broadcast_in_dim %96, dims = [0, 1, 2, 3] : (tensor<1x1x6x1xi32>) -> tensor<2x1x6x1xi32>
    %99 = stablehlo.broadcast_in_dim %97, dims = [0, 1, 2, 3] : (tensor<2x1x6x1xi32>) -> tensor<2x1x6x1x1xi32>
    %100 = stablehlo.broadcast_in_dim %98, dims = [0, 1, 2, 3] : (tensor<2x1x6x1xi32>) -> tensor<2x1x6x1x1xi32>
    %101 = stablehlo.concatenate %99, %100, dim = 4 : (tensor<2x1x6x1x1xi32>, tensor<2x1x6x1x1xi32>) -> tensor<2x1x6x1x2xi32>
    %102 = "stablehlo.gather"(%23, %101) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 4>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<2x6xi32>, tensor<2x1x6x1x2xi32>) -> tensor<2x1x6x1xi32>
    %103 = stablehlo.broadcast_in_dim %29, dims = [0] : (tensor<2xi32>) -> tensor<2x1x1x1xi32>
    %104 = stablehlo.broadcast_in_dim %43, dims = [3] : (tensor<6xi32>) -> tensor<1x1x1x6xi32>
    %c_26 = stablehlo.constant dense<0> : tensor<i32>
    %105 = stablehlo.broadcast_in_dim %c_26, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %106 = stablehlo.compare LT, %103, %105, SIGNED : (tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>) -> tensor<2x1x1x1xi1>
    %c_27 = stablehlo.constant dense<2> : tensor<i32>
    %107 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %108 = stablehlo.add %103, %107 : tensor<2x1x1x1xi32>
    %109 = stablehlo.select %106, %108, %103 : tensor<2x1x1x1xi1>, tensor<2x1x1x1xi32>
    %c_28 = stablehlo.constant dense<0> : tensor<i32>
    %110 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<i32>) -> tensor<1x1x1x6xi32>
    %111 = stablehlo.compare LT, %104, %110, SIGNED : (tensor<1x1x1x6xi32>, tensor<1x1x1x6xi32>) -> tensor<1x1x1x6xi1>
    %c_29 = stablehlo.constant dense<6> : tensor<i32>
    %112 = stablehlo.broadcast_in_dim %c_29, dims = [] : (tensor<i32>) -> tensor<1x1x1x6xi32>
    %113 = stablehlo.add %104, %112 : tensor<1x1x1x6xi32>
    %114 = stablehlo.select %111, %113, %104 : tensor<1x1x1x6xi1>, tensor<1x1x1x6xi32>
    %115 = stablehlo.broadcast_in_dim %109, dims = [0, 1, 2, 3] : (tensor<2x1x1x1xi32>) -> tensor<2x1x1x6xi32>
    %116 = stablehlo.broadcast_in_dim %114, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xi32>) -> tensor<2x1x1x6xi32>
    %117 = stablehlo.broadcast_in_dim %115, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x1x6x1xi32>
    %118 = stablehlo.broadcast_in_dim %116, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x1x6x1xi32>
    %119 = stablehlo.concatenate %117, %118, dim = 4 : (tensor<2x1x1x6x1xi32>, tensor<2x1x1x6x1xi32>) -> tensor<2x1x1x6x2xi32>
    %120 = "stablehlo.gather"(%23, %119) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 4>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<2x6xi32>, tensor<2x1x1x6x2xi32>) -> tensor<2x1x1x6xi32>
    %121 = stablehlo.broadcast_in_dim %102, dims = [0, 1, 2, 3] : (tensor<2x1x6x1xi32>) -> tensor<2x1x6x6xi32>
    %122 = stablehlo.broadcast_in_dim %120, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x6x6xi32>
    %123 = stablehlo.compare EQ, %121, %122, SIGNED : (tensor<2x1x6x6xi32>, tensor<2x1x6x6xi32>) -> tensor<2x1x6x6xi1>
    %124 = stablehlo.and %84, %123 : tensor<2x1x6x6xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_30 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %125 = call @_where_1(%124, %cst, %cst_30) : (tensor<2x1x6x6xi1>, tensor<f32>, tensor<f32>) -> tensor<2x1x6x6xf32>
    %126 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<1x6xi32>) -> tensor<1x6x1xi32>
    %127 = stablehlo.convert %126 : (tensor<1x6x1xi32>) -> tensor<1x6x1xf32>
    %128 = stablehlo.broadcast_in_dim %arg12, dims = [2] : (tensor<2xf32>) -> tensor<1x1x2xf32>
    %129 = stablehlo.broadcast_in_dim %127, dims = [0, 1, 2] : (tensor<1x6x1xf32>) -> tensor<1x6x2xf32>
    %130 = stablehlo.broadcast_in_dim %128, dims = [0, 1, 2] : (tensor<1x1x2xf32>) -> tensor<1x6x2xf32>
    %131 = stablehlo.multiply %129, %130 : tensor<1x6x2xf32>
    %132 = stablehlo.concatenate %131, %131, dim = 2 : (tensor<1x6x2xf32>, tensor<1x6x2xf32>) -> tensor<1x6x4xf32>
    %133 = stablehlo.cosine %132 : tensor<1x6x4xf32>
    %cst_31 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<1x6x4xf32>
    %135 = stablehlo.multiply %133, %134 : tensor<1x6x4xf32>
    %136 = stablehlo.sine %132 : tensor<1x6x4xf32>
    %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %137 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<1x6x4xf32>
    %138 = stablehlo.multiply %136, %137 : tensor<1x6x4xf32>
    %cst_33 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %139 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %140 = stablehlo.power %2, %139 : tensor<2x6x16xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %141 = stablehlo.reduce(%140 init: %cst_34) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %142 = stablehlo.broadcast_in_dim %141, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_35 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %144 = stablehlo.divide %142, %143 : tensor<2x6x1xf32>
    %cst_36 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %145 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %146 = stablehlo.add %144, %145 : tensor<2x6x1xf32>
    %147 = stablehlo.rsqrt %146 : tensor<2x6x1xf32>
    %148 = stablehlo.broadcast_in_dim %147, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %149 = stablehlo.multiply %2, %148 : tensor<2x6x16xf32>
    %cst_37 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %150 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %151 = stablehlo.add %arg2, %150 : tensor<16xf32>
    %152 = stablehlo.broadcast_in_dim %151, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %153 = stablehlo.broadcast_in_dim %152, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %154 = stablehlo.multiply %149, %153 : tensor<2x6x16xf32>
    %155 = stablehlo.dot_general %154, %arg9, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %156 = stablehlo.reshape %155 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %157 = stablehlo.transpose %156, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %158 = stablehlo.dot_general %154, %arg7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<8x16xf32>) -> tensor<2x6x8xf32>
    %159 = stablehlo.reshape %158 : (tensor<2x6x8xf32>) -> tensor<2x6x2x4xf32>
    %160 = stablehlo.transpose %159, dims = [0, 2, 1, 3] : (tensor<2x6x2x4xf32>) -> tensor<2x2x6x4xf32>
    %161 = stablehlo.dot_general %154, %arg10, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<8x16xf32>) -> tensor<2x6x8xf32>
    %162 = stablehlo.reshape %161 : (tensor<2x6x8xf32>) -> tensor<2x6x2x4xf32>
    %163 = stablehlo.transpose %162, dims = [0, 2, 1, 3] : (tensor<2x6x2x4xf32>) -> tensor<2x2x6x4xf32>
    %164 = stablehlo.broadcast_in_dim %135, dims = [0, 2, 3] : (tensor<1x6x4xf32>) -> tensor<1x1x6x4xf32>
    %165 = stablehlo.broadcast_in_dim %138, dims = [0, 2, 3] : (tensor<1x6x4xf32>) -> tensor<1x1x6x4xf32>
    %166 = stablehlo.broadcast_in_dim %164, dims = [0, 1, 2, 3] : (tensor<1x1x6x4xf32>) -> tensor<2x4x6x4xf32>
    %167 = stablehlo.multiply %157, %166 : tensor<2x4x6x4xf32>
    %168 = stablehlo.slice %157 [0:2, 0:4, 0:6, 2:4] : (tensor<2x4x6x4xf32>) -> tensor<2x4x6x2xf32>
    %cst_38 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %169 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<2x4x6x2xf32>
    %170 = stablehlo.multiply %169, %168 : tensor<2x4x6x2xf32>
    %171 = stablehlo.slice %157 [0:2, 0:4, 0:6, 0:2] : (tensor<2x4x6x4xf32>) -> tensor<2x4x6x2xf32>
    %172 = stablehlo.concatenate %170, %171, dim = 3 : (tensor<2x4x6x2xf32>, tensor<2x4x6x2xf32>) -> tensor<2x4x6x4xf32>
    %173 = stablehlo.broadcast_in_dim %165, dims = [0, 1, 2, 3] : (tensor<1x1x6x4xf32>) -> tensor<2x4x6x4xf32>
    %174 = stablehlo.multiply %172, %173 : tensor<2x4x6x4xf32>
    %cst_39 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %175 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<2x4x6x4xf32>
    %176 = stablehlo.multiply %174, %175 : tensor<2x4x6x4xf32>
    %177 = stablehlo.add %167, %176 : tensor<2x4x6x4xf32>
    %178 = stablehlo.broadcast_in_dim %164, dims = [0, 1, 2, 3] : (tensor<1x1x6x4xf32>) -> tensor<2x2x6x4xf32>
    %179 = stablehlo.multiply %160, %178 : tensor<2x2x6x4xf32>
    %180 = stablehlo.slice %160 [0:2, 0:2, 0:6, 2:4] : (tensor<2x2x6x4xf32>) -> tensor<2x2x6x2xf32>
    %cst_40 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %181 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<2x2x6x2xf32>
    %182 = stablehlo.multiply %181, %180 : tensor<2x2x6x2xf32>
    %183 = stablehlo.slice %160 [0:2, 0:2, 0:6, 0:2] : (tensor<2x2x6x4xf32>) -> tensor<2x2x6x2xf32>
    %184 = stablehlo.concatenate %182, %183, dim = 3 : (tensor<2x2x6x2xf32>, tensor<2x2x6x2xf32>) -> tensor<2x2x6x4xf32>
    %185 = stablehlo.broadcast_in_dim %165, dims = [0, 1, 2, 3] : (tensor<1x1x6x4xf32>) -> tensor<2x2x6x4xf32>
    %186 = stablehlo.multiply %184, %185 : tensor<2x2x6x4xf32>
    %cst_41 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %187 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<2x2x6x4xf32>
    %188 = stablehlo.multiply %186, %187 : tensor<2x2x6x4xf32>
    %189 = stablehlo.add %179, %188 : tensor<2x2x6x4xf32>
    %190 = stablehlo.broadcast_in_dim %189, dims = [0, 1, 3, 4] : (tensor<2x2x6x4xf32>) -> tensor<2x2x1x6x4xf32>
    %191 = stablehlo.broadcast_in_dim %190, dims = [0, 1, 2, 3, 4] : (tensor<2x2x1x6x4xf32>) -> tensor<2x2x2x6x4xf32>
    %192 = stablehlo.reshape %191 : (tensor<2x2x2x6x4xf32>) -> tensor<2x4x6x4xf32>
    %193 = stablehlo.broadcast_in_dim %163, dims = [0, 1, 3, 4] : (tensor<2x2x6x4xf32>) -> tensor<2x2x1x6x4xf32>
    %194 = stablehlo.broadcast_in_dim %193, dims = [0, 1, 2, 3, 4] : (tensor<2x2x1x6x4xf32>) -> tensor<2x2x2x6x4xf32>
    %195 = stablehlo.reshape %194 : (tensor<2x2x2x6x4xf32>) -> tensor<2x4x6x4xf32>
    %196 = stablehlo.transpose %192, dims = [0, 1, 3, 2] : (tensor<2x4x6x4xf32>) -> tensor<2x4x4x6xf32>
    %197 = stablehlo.reshape %177 : (tensor<2x4x6x4xf32>) -> tensor<8x6x4xf32>
    %198 = stablehlo.reshape %196 : (tensor<2x4x4x6xf32>) -> tensor<8x4x6xf32>
    %199 = stablehlo.dot_general %197, %198, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x4xf32>, tensor<8x4x6xf32>) -> tensor<8x6x6xf32>
    %200 = stablehlo.reshape %199 : (tensor<8x6x6xf32>) -> tensor<2x4x6x6xf32>
    %cst_42 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %201 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %202 = stablehlo.multiply %200, %201 : tensor<2x4x6x6xf32>
    %cst_43 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %203 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<2x1x6x6xf32>
    %204 = stablehlo.multiply %125, %203 : tensor<2x1x6x6xf32>
    %205 = stablehlo.broadcast_in_dim %204, dims = [0, 1, 2, 3] : (tensor<2x1x6x6xf32>) -> tensor<2x4x6x6xf32>
    %206 = stablehlo.add %202, %205 : tensor<2x4x6x6xf32>
    %cst_44 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %207 = stablehlo.reduce(%206 init: %cst_44) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %cst_45 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %208 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
    %209 = stablehlo.maximum %208, %207 : tensor<2x4x6xf32>
    %210 = stablehlo.broadcast_in_dim %209, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %211 = stablehlo.broadcast_in_dim %210, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %212 = stablehlo.subtract %206, %211 : tensor<2x4x6x6xf32>
    %213 = stablehlo.exponential %212 : tensor<2x4x6x6xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %214 = stablehlo.reduce(%213 init: %cst_46) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %215 = stablehlo.broadcast_in_dim %214, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %216 = stablehlo.broadcast_in_dim %215, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %217 = stablehlo.divide %213, %216 : tensor<2x4x6x6xf32>
    %218 = stablehlo.reshape %217 : (tensor<2x4x6x6xf32>) -> tensor<8x6x6xf32>
    %219 = stablehlo.reshape %195 : (tensor<2x4x6x4xf32>) -> tensor<8x6x4xf32>
    %220 = stablehlo.dot_general %218, %219, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x6xf32>, tensor<8x6x4xf32>) -> tensor<8x6x4xf32>
    %221 = stablehlo.reshape %220 : (tensor<8x6x4xf32>) -> tensor<2x4x6x4xf32>
    %222 = stablehlo.transpose %221, dims = [0, 2, 1, 3] : (tensor<2x4x6x4xf32>) -> tensor<2x6x4x4xf32>
    %223 = stablehlo.reshape %222 : (tensor<2x6x4x4xf32>) -> tensor<2x6x16xf32>
    %224 = stablehlo.dot_general %223, %arg8, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %cst_47 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %225 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %226 = stablehlo.multiply %224, %225 : tensor<2x6x16xf32>
    %227 = stablehlo.add %2, %226 : tensor<2x6x16xf32>
    %cst_48 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %228 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %229 = stablehlo.power %227, %228 : tensor<2x6x16xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %230 = stablehlo.reduce(%229 init: %cst_49) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %231 = stablehlo.broadcast_in_dim %230, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_50 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %232 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %233 = stablehlo.divide %231, %232 : tensor<2x6x1xf32>
    %cst_51 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %234 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %235 = stablehlo.add %233, %234 : tensor<2x6x1xf32>
    %236 = stablehlo.rsqrt %235 : tensor<2x6x1xf32>
    %237 = stablehlo.broadcast_in_dim %236, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %238 = stablehlo.multiply %227, %237 : tensor<2x6x16xf32>
    %cst_52 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %239 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %240 = stablehlo.add %arg6, %239 : tensor<16xf32>
    %241 = stablehlo.broadcast_in_dim %240, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %242 = stablehlo.broadcast_in_dim %241, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %243 = stablehlo.multiply %238, %242 : tensor<2x6x16xf32>
    %244 = stablehlo.dot_general %243, %arg4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<32x16xf32>) -> tensor<2x6x32xf32>
    %245 = stablehlo.multiply %244, %244 : tensor<2x6x32xf32>
    %246 = stablehlo.multiply %245, %244 : tensor<2x6x32xf32>
    %cst_53 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %247 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %248 = stablehlo.multiply %247, %246 : tensor<2x6x32xf32>
    %249 = stablehlo.add %244, %248 : tensor<2x6x32xf32>
    %cst_54 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %250 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %251 = stablehlo.multiply %250, %249 : tensor<2x6x32xf32>
    %252 = stablehlo.tanh %251 : tensor<2x6x32xf32>
    %cst_55 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %253 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %254 = stablehlo.add %253, %252 : tensor<2x6x32xf32>
    %cst_56 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %255 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %256 = stablehlo.multiply %255, %254 : tensor<2x6x32xf32>
    %257 = stablehlo.multiply %244, %256 : tensor<2x6x32xf32>
    %258 = stablehlo.dot_general %243, %arg5, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<32x16xf32>) -> tensor<2x6x32xf32>
    %259 = stablehlo.multiply %257, %258 : tensor<2x6x32xf32>
    %260 = stablehlo.dot_general %259, %arg3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x32xf32>, tensor<16x32xf32>) -> tensor<2x6x16xf32>
    %cst_57 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %261 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %262 = stablehlo.multiply %260, %261 : tensor<2x6x16xf32>
    %263 = stablehlo.add %227, %262 : tensor<2x6x16xf32>
    %cst_58 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %264 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %265 = stablehlo.power %263, %264 : tensor<2x6x16xf32>
    %cst_59 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %266 = stablehlo.reduce(%265 init: %cst_59) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %267 = stablehlo.broadcast_in_dim %266, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_60 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %268 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %269 = stablehlo.divide %267, %268 : tensor<2x6x1xf32>
    %cst_61 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %270 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %271 = stablehlo.add %269, %270 : tensor<2x6x1xf32>
    %272 = stablehlo.rsqrt %271 : tensor<2x6x1xf32>
    %273 = stablehlo.broadcast_in_dim %272, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %274 = stablehlo.multiply %263, %273 : tensor<2x6x16xf32>
    %cst_62 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %275 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %276 = stablehlo.add %arg11, %275 : tensor<16xf32>
    %277 = stablehlo.broadcast_in_dim %276, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %278 = stablehlo.broadcast_in_dim %277, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %279 = stablehlo.multiply %274, %278 : tensor<2x6x16xf32>
    return %279 : tensor<2x6x16xf32>
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
  func.func private @cumsum(%arg0: tensor<2x6xi1>) -> tensor<2x6xi32> {
    %0 = stablehlo.convert %arg0 : (tensor<2x6xi1>) -> tensor<2x6xi32>
    %1 = call @cumsum_0(%0) : (tensor<2x6xi32>) -> tensor<2x6xi32>
    return %1 : tensor<2x6xi32>
  }
  func.func private @cumsum_0(%arg0: tensor<2x6xi32>) -> tensor<2x6xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [5, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 6>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<2x6xi32>, tensor<i32>) -> tensor<2x6xi32>
    return %1 : tensor<2x6xi32>
  }
  func.func private @_where_1(%arg0: tensor<2x1x6x6xi1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<2x1x6x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2x1x6x6xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x1x6x6xf32>
    %2 = stablehlo.select %arg0, %0, %1 : tensor<2x1x6x6xi1>, tensor<2x1x6x6xf32>
    return %2 : tensor<2x1x6x6xf32>
  }
}
