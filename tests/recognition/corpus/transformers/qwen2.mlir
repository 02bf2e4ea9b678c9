// Producer: transformers 5.24.0 on torchax 0.0.13, jax 0.10.2
// Module: Qwen2Model, eager attention
// EXPECT @main: attention=1 linear=3 rms_norm=3 rope=2 transformer_mlp=1
// EXPECT @_take: embedding=1
// EXPECT @silu: silu=1

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16x32xf32>, %arg3: tensor<32x16xf32>, %arg4: tensor<32x16xf32>, %arg5: tensor<16xf32>, %arg6: tensor<8xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<16x16xf32>, %arg9: tensor<16xf32>, %arg10: tensor<16x16xf32>, %arg11: tensor<8xf32>, %arg12: tensor<8x16xf32>, %arg13: tensor<16xf32>, %arg14: tensor<2xf32>, %arg15: tensor<2x6xi32>) -> (tensor<2x6x16xf32> {jax.result_info = "result"}) {
    %0 = call @_take(%arg0, %arg15) : (tensor<32x16xf32>, tensor<2x6xi32>) -> tensor<2x6x16xf32>
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
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x6xi32>) -> tensor<2x6xi32>
    %10 = stablehlo.slice %9 [0:2, 0:1] : (tensor<2x6xi32>) -> tensor<2x1xi32>
    %c_2 = stablehlo.constant dense<1> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2x1xi32>
    %12 = stablehlo.subtract %10, %11 : tensor<2x1xi32>
    %13 = stablehlo.concatenate %12, %9, dim = 1 : (tensor<2x1xi32>, tensor<2x6xi32>) -> tensor<2x7xi32>
    %14 = stablehlo.slice %13 [0:2, 0:6] : (tensor<2x7xi32>) -> tensor<2x6xi32>
    %15 = stablehlo.slice %13 [0:2, 1:7] : (tensor<2x7xi32>) -> tensor<2x6xi32>
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %16 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<2x6xi32>
    %17 = stablehlo.multiply %14, %16 : tensor<2x6xi32>
    %18 = stablehlo.subtract %15, %17 : tensor<2x6xi32>
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %19 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<2x6xi32>
    %20 = stablehlo.compare NE, %18, %19, SIGNED : (tensor<2x6xi32>, tensor<2x6xi32>) -> tensor<2x6xi1>
    %21 = call @cumsum(%20) : (tensor<2x6xi1>) -> tensor<2x6xi32>
    %22 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x6xi32>) -> tensor<2x6xi32>
    %23 = stablehlo.iota dim = 0 : tensor<2xi32>
    %c_5 = stablehlo.constant dense<1> : tensor<i32>
    %24 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %25 = stablehlo.multiply %24, %23 : tensor<2xi32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %26 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %27 = stablehlo.add %26, %25 : tensor<2xi32>
    %28 = stablehlo.iota dim = 0 : tensor<6xi32>
    %c_7 = stablehlo.constant dense<1> : tensor<i32>
    %29 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %30 = stablehlo.multiply %29, %28 : tensor<6xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %31 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %32 = stablehlo.add %31, %30 : tensor<6xi32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %33 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %34 = stablehlo.add %32, %33 : tensor<6xi32>
    %35 = stablehlo.iota dim = 0 : tensor<6xi32>
    %c_10 = stablehlo.constant dense<1> : tensor<i32>
    %36 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %37 = stablehlo.multiply %36, %35 : tensor<6xi32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %38 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %39 = stablehlo.add %38, %37 : tensor<6xi32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %40 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %41 = stablehlo.add %39, %40 : tensor<6xi32>
    %42 = stablehlo.broadcast_in_dim %27, dims = [0] : (tensor<2xi32>) -> tensor<2x1x1x1xi32>
    %43 = stablehlo.broadcast_in_dim %34, dims = [2] : (tensor<6xi32>) -> tensor<1x1x6x1xi32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %44 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %45 = stablehlo.compare LT, %42, %44, SIGNED : (tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>) -> tensor<2x1x1x1xi1>
    %c_14 = stablehlo.constant dense<2> : tensor<i32>
    %46 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %47 = stablehlo.add %42, %46 : tensor<2x1x1x1xi32>
    %48 = stablehlo.select %45, %47, %42 : tensor<2x1x1x1xi1>, tensor<2x1x1x1xi32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %49 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<1x1x6x1xi32>
    %50 = stablehlo.compare LT, %43, %49, SIGNED : (tensor<1x1x6x1xi32>, tensor<1x1x6x1xi32>) -> tensor<1x1x6x1xi1>
    %c_16 = stablehlo.constant dense<6> : tensor<i32>
    %51 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<1x1x6x1xi32>
    %52 = stablehlo.add %43, %51 : tensor<1x1x6x1xi32>
    %53 = stablehlo.select %50, %52, %43 : tensor<1x1x6x1xi1>, tensor<1x1x6x1xi32>
    %54 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2, 3] : (tensor<2x1x1x1xi32>) -> tensor<2x1x6x1xi32>
    %55 = stablehlo.broadcast_in_dim %53, dims = [0, 1, 2, 3] : (tensor<1x1x6x1xi32>) -> tensor<2x1x6x1xi32>
    %56 = stablehlo.broadcast_in_dim %54, dims = [0, 1, 2, 3] : (tensor<2x1x6x1xi32>) -> tensor<2x1x6x1x1xi32>
    %57 = stablehlo.broadcast_in_dim %55, dims = [0, 1, 2, 3] : (tensor<2x1x6x1xi32>) -> tensor<2x1x6x1x1xi32>
    %58 = stablehlo.concatenate %56, %57, dim = 4 : (tensor<2x1x6x1x1xi32>, tensor<2x1x6x1x1xi32>) -> tensor<2x1x6x1x2xi32>
    %59 = "stablehlo.gather"(%22, %58) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 4>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<2x6xi32>, tensor<2x1x6x1x2xi32>) -> tensor<2x1x6x1xi32>
    %60 = stablehlo.broadcast_in_dim %27, dims = [0] : (tensor<2xi32>) -> tensor<2x1x1x1xi32>
    %61 = stablehlo.broadcast_in_dim %41, dims = [3] : (tensor<6xi32>) -> tensor<1x1x1x6xi32>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %62 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %63 = stablehlo.compare LT, %60, %62, SIGNED : (tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>) -> tensor<2x1x1x1xi1>
    %c_18 = stablehlo.constant dense<2> : tensor<i32>
    %64 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %65 = stablehlo.add %60, %64 : tensor<2x1x1x1xi32>
    %66 = stablehlo.select %63, %65, %60 : tensor<2x1x1x1xi1>, tensor<2x1x1x1xi32>
    %c_19 = stablehlo.constant dense<0> : tensor<i32>
    %67 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i32>) -> tensor<1x1x1x6xi32>
    %68 = stablehlo.compare LT, %61, %67, SIGNED : (tensor<1x1x1x6xi32>, tensor<1x1x1x6xi32>) -> tensor<1x1x1x6xi1>
    %c_20 = stablehlo.constant dense<6> : tensor<i32>
    %69 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i32>) -> tensor<1x1x1x6xi32>
    %70 = stablehlo.add %61, %69 : tensor<1x1x1x6xi32>
    %71 = stablehlo.select %68, %70, %61 : tensor<1x1x1x6xi1>, tensor<1x1x1x6xi32>
    %72 = stablehlo.broadcast_in_dim %66, dims = [0, 1, 2, 3] : (tensor<2x1x1x1xi32>) -> tensor<2x1x1x6xi32>
    %73 = stablehlo.broadcast_in_dim %71, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xi32>) -> tensor<2x1x1x6xi32>
    %74 = stablehlo.broadcast_in_dim %72, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x1x6x1xi32>
    %75 = stablehlo.broadcast_in_dim %73, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x1x6x1xi32>
    %76 = stablehlo.concatenate %74, %75, dim = 4 : (tensor<2x1x1x6x1xi32>, tensor<2x1x1x6x1xi32>) -> tensor<2x1x1x6x2xi32>
    %77 = "stablehlo.gather"(%22, %76) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 4>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<2x6xi32>, tensor<2x1x1x6x2xi32>) -> tensor<2x1x1x6xi32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x6x6xi32>
    %79 = stablehlo.broadcast_in_dim %59, dims = [0, 1, 2, 3] : (tensor<2x1x6x1xi32>) -> tensor<2x1x6x6xi32>
    %80 = stablehlo.compare LE, %78, %79, SIGNED : (tensor<2x1x6x6xi32>, tensor<2x1x6x6xi32>) -> tensor<2x1x6x6xi1>
    %c_21 = stablehlo.constant dense<true> : tensor<i1>
    %81 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<i1>) -> tensor<2x1x6x6xi1>
    %82 = stablehlo.and %81, %80 : tensor<2x1x6x6xi1>
    %83 = stablehlo.broadcast_in_dim %27, dims = [0] : (tensor<2xi32>) -> tensor<2x1x1x1xi32>
    %84 = stablehlo.broadcast_in_dim %34, dims = [2] : (tensor<6xi32>) -> tensor<1x1x6x1xi32>
    %c_22 = stablehlo.constant dense<0> : tensor<i32>
    %85 = stablehlo.broadcast_in_dim %c_22, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %86 = stablehlo.compare LT, %83, %85, SIGNED : (tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>) -> tensor<2x1x1x1xi1>
    %c_23 = stablehlo.constant dense<2> : tensor<i32>
    %87 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %88 = stablehlo.add %83, %87 : tensor<2x1x1x1xi32>
    %89 = stablehlo.select %86, %88, %83 : tensor<2x1x1x1xi1>, tensor<2x1x1x1xi32>
    %c_24 = stablehlo.constant dense<0> : tensor<i32>
    %90 = stablehlo.broadcast_in_dim %c_24, dims = [] : (tensor<i32>) -> tensor<1x1x6x1xi32>
    %91 = stablehlo.compare LT, %84, %90, SIGNED : (tensor<1x1x6x1xi32>, tensor<1x1x6x1xi32>) -> tensor<1x1x6x1xi1>
    %c_25 = stablehlo.constant dense<6> : tensor<i32>
    %92 = stablehlo.broadcast_in_dim %c_25, dims = [] : (tensor<i32>) -> tensor<1x1x6x1xi32>
    %93 = stablehlo.add %84, %92 : tensor<1x1x6x1xi32>
    %94 = stablehlo.select %91, %93, %84 : tensor<1x1x6x1xi1>, tensor<1x1x6x1xi32>
    %95 = stablehlo.broadcast_in_dim %89, dims = [0, 1, 2, 3] : (tensor<2x1x1x1xi32>) -> tensor<2x1x6x1xi32>
    %96 = stablehlo.broadcast_in_dim %94, dims = [0, 1, 2, 3] : (tensor<1x1x6x1xi32>) -> tensor<2x1x6x1xi32>
    %97 = stablehlo.broadcast_in_dim %95, dims = [0, 1, 2, 3] : (tensor<2x1x6x1xi32>) -> tensor<2x1x6x1x1xi32>
    %98 = stablehlo.broadcast_in_dim %96, dims = [0, 1, 2, 3] : (tensor<2x1x6x1xi32>) -> tensor<2x1x6x1x1xi32>
    %99 = stablehlo.concatenate %97, %98, dim = 4 : (tensor<2x1x6x1x1xi32>, tensor<2x1x6x1x1xi32>) -> tensor<2x1x6x1x2xi32>
    %100 = "stablehlo.gather"(%21, %99) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 4>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<2x6xi32>, tensor<2x1x6x1x2xi32>) -> tensor<2x1x6x1xi32>
    %101 = stablehlo.broadcast_in_dim %27, dims = [0] : (tensor<2xi32>) -> tensor<2x1x1x1xi32>
    %102 = stablehlo.broadcast_in_dim %41, dims = [3] : (tensor<6xi32>) -> tensor<1x1x1x6xi32>
    %c_26 = stablehlo.constant dense<0> : tensor<i32>
    %103 = stablehlo.broadcast_in_dim %c_26, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %104 = stablehlo.compare LT, %101, %103, SIGNED : (tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>) -> tensor<2x1x1x1xi1>
    %c_27 = stablehlo.constant dense<2> : tensor<i32>
    %105 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %106 = stablehlo.add %101, %105 : tensor<2x1x1x1xi32>
    %107 = stablehlo.select %104, %106, %101 : tensor<2x1x1x1xi1>, tensor<2x1x1x1xi32>
    %c_28 = stablehlo.constant dense<0> : tensor<i32>
    %108 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<i32>) -> tensor<1x1x1x6xi32>
    %109 = stablehlo.compare LT, %102, %108, SIGNED : (tensor<1x1x1x6xi32>, tensor<1x1x1x6xi32>) -> tensor<1x1x1x6xi1>
    %c_29 = stablehlo.constant dense<6> : tensor<i32>
    %110 = stablehlo.broadcast_in_dim %c_29, dims = [] : (tensor<i32>) -> tensor<1x1x1x6xi32>
    %111 = stablehlo.add %102, %110 : tensor<1x1x1x6xi32>
    %112 = stablehlo.select %109, %111, %102 : tensor<1x1x1x6xi1>, tensor<1x1x1x6xi32>
    %113 = stablehlo.broadcast_in_dim %107, dims = [0, 1, 2, 3] : (tensor<2x1x1x1xi32>) -> tensor<2x1x1x6xi32>
    %114 = stablehlo.broadcast_in_dim %112, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xi32>) -> tensor<2x1x1x6xi32>
    %115 = stablehlo.broadcast_in_dim %113, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x1x6x1xi32>
    %116 = stablehlo.broadcast_in_dim %114, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x1x6x1xi32>
    %117 = stablehlo.concatenate %115, %116, dim = 4 : (tensor<2x1x1x6x1xi32>, tensor<2x1x1x6x1xi32>) -> tensor<2x1x1x6x2xi32>
    %118 = "stablehlo.gather"(%21, %117) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 4>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<2x6xi32>, tensor<2x1x1x6x2xi32>) -> tensor<2x1x1x6xi32>
    %119 = stablehlo.broadcast_in_dim %100, dims = [0, 1, 2, 3] : (tensor<2x1x6x1xi32>) -> tensor<2x1x6x6xi32>
    %120 = stablehlo.broadcast_in_dim %118, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x6x6xi32>
    %121 = stablehlo.compare EQ, %119, %120, SIGNED : (tensor<2x1x6x6xi32>, tensor<2x1x6x6xi32>) -> tensor<2x1x6x6xi1>
    %122 = stablehlo.and %82, %121 : tensor<2x1x6x6xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_30 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %123 = call @_where_1(%122, %cst, %cst_30) : (tensor<2x1x6x6xi1>, tensor<f32>, tensor<f32>) -> tensor<2x1x6x6xf32>
    %124 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x6xi32>) -> tensor<1x6x1xi32>
    %125 = stablehlo.convert %124 : (tensor<1x6x1xi32>) -> tensor<1x6x1xf32>
    %126 = stablehlo.broadcast_in_dim %arg14, dims = [2] : (tensor<2xf32>) -> tensor<1x1x2xf32>
    %127 = stablehlo.broadcast_in_dim %125, dims = [0, 1, 2] : (tensor<1x6x1xf32>) -> tensor<1x6x2xf32>
    %128 = stablehlo.broadcast_in_dim %126, dims = [0, 1, 2] : (tensor<1x1x2xf32>) -> tensor<1x6x2xf32>
    %129 = stablehlo.multiply %127, %128 : tensor<1x6x2xf32>
    %130 = stablehlo.concatenate %129, %129, dim = 2 : (tensor<1x6x2xf32>, tensor<1x6x2xf32>) -> tensor<1x6x4xf32>
    %131 = stablehlo.cosine %130 : tensor<1x6x4xf32>
    %cst_31 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %132 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<1x6x4xf32>
    %133 = stablehlo.multiply %131, %132 : tensor<1x6x4xf32>
    %134 = stablehlo.sine %130 : tensor<1x6x4xf32>
    %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<1x6x4xf32>
    %136 = stablehlo.multiply %134, %135 : tensor<1x6x4xf32>
    %cst_33 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %137 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %138 = stablehlo.power %0, %137 : tensor<2x6x16xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %139 = stablehlo.reduce(%138 init: %cst_34) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %140 = stablehlo.broadcast_in_dim %139, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_35 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %142 = stablehlo.divide %140, %141 : tensor<2x6x1xf32>
    %cst_36 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %144 = stablehlo.add %142, %143 : tensor<2x6x1xf32>
    %145 = stablehlo.rsqrt %144 : tensor<2x6x1xf32>
    %146 = stablehlo.broadcast_in_dim %145, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %147 = stablehlo.multiply %0, %146 : tensor<2x6x16xf32>
    %148 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %149 = stablehlo.broadcast_in_dim %148, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %150 = stablehlo.multiply %149, %147 : tensor<2x6x16xf32>
    %151 = stablehlo.dot_general %150, %arg10, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %152 = stablehlo.broadcast_in_dim %arg9, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %153 = stablehlo.broadcast_in_dim %152, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %154 = stablehlo.add %151, %153 : tensor<2x6x16xf32>
    %155 = stablehlo.reshape %154 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %156 = stablehlo.transpose %155, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %157 = stablehlo.dot_general %150, %arg7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<8x16xf32>) -> tensor<2x6x8xf32>
    %158 = stablehlo.broadcast_in_dim %arg6, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %159 = stablehlo.broadcast_in_dim %158, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x6x8xf32>
    %160 = stablehlo.add %157, %159 : tensor<2x6x8xf32>
    %161 = stablehlo.reshape %160 : (tensor<2x6x8xf32>) -> tensor<2x6x2x4xf32>
    %162 = stablehlo.transpose %161, dims = [0, 2, 1, 3] : (tensor<2x6x2x4xf32>) -> tensor<2x2x6x4xf32>
    %163 = stablehlo.dot_general %150, %arg12, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<8x16xf32>) -> tensor<2x6x8xf32>
    %164 = stablehlo.broadcast_in_dim %arg11, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %165 = stablehlo.broadcast_in_dim %164, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x6x8xf32>
    %166 = stablehlo.add %163, %165 : tensor<2x6x8xf32>
    %167 = stablehlo.reshape %166 : (tensor<2x6x8xf32>) -> tensor<2x6x2x4xf32>
    %168 = stablehlo.transpose %167, dims = [0, 2, 1, 3] : (tensor<2x6x2x4xf32>) -> tensor<2x2x6x4xf32>
    %169 = stablehlo.broadcast_in_dim %133, dims = [0, 2, 3] : (tensor<1x6x4xf32>) -> tensor<1x1x6x4xf32>
    %170 = stablehlo.broadcast_in_dim %136, dims = [0, 2, 3] : (tensor<1x6x4xf32>) -> tensor<1x1x6x4xf32>
    %171 = stablehlo.broadcast_in_dim %169, dims = [0, 1, 2, 3] : (tensor<1x1x6x4xf32>) -> tensor<2x4x6x4xf32>
    %172 = stablehlo.multiply %156, %171 : tensor<2x4x6x4xf32>
    %173 = stablehlo.slice %156 [0:2, 0:4, 0:6, 2:4] : (tensor<2x4x6x4xf32>) -> tensor<2x4x6x2xf32>
    %cst_37 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %174 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<2x4x6x2xf32>
    %175 = stablehlo.multiply %174, %173 : tensor<2x4x6x2xf32>
    %176 = stablehlo.slice %156 [0:2, 0:4, 0:6, 0:2] : (tensor<2x4x6x4xf32>) -> tensor<2x4x6x2xf32>
    %177 = stablehlo.concatenate %175, %176, dim = 3 : (tensor<2x4x6x2xf32>, tensor<2x4x6x2xf32>) -> tensor<2x4x6x4xf32>
    %178 = stablehlo.broadcast_in_dim %170, dims = [0, 1, 2, 3] : (tensor<1x1x6x4xf32>) -> tensor<2x4x6x4xf32>
    %179 = stablehlo.multiply %177, %178 : tensor<2x4x6x4xf32>
    %cst_38 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %180 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<2x4x6x4xf32>
    %181 = stablehlo.multiply %179, %180 : tensor<2x4x6x4xf32>
    %182 = stablehlo.add %172, %181 : tensor<2x4x6x4xf32>
    %183 = stablehlo.broadcast_in_dim %169, dims = [0, 1, 2, 3] : (tensor<1x1x6x4xf32>) -> tensor<2x2x6x4xf32>
    %184 = stablehlo.multiply %162, %183 : tensor<2x2x6x4xf32>
    %185 = stablehlo.slice %162 [0:2, 0:2, 0:6, 2:4] : (tensor<2x2x6x4xf32>) -> tensor<2x2x6x2xf32>
    %cst_39 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %186 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<2x2x6x2xf32>
    %187 = stablehlo.multiply %186, %185 : tensor<2x2x6x2xf32>
    %188 = stablehlo.slice %162 [0:2, 0:2, 0:6, 0:2] : (tensor<2x2x6x4xf32>) -> tensor<2x2x6x2xf32>
    %189 = stablehlo.concatenate %187, %188, dim = 3 : (tensor<2x2x6x2xf32>, tensor<2x2x6x2xf32>) -> tensor<2x2x6x4xf32>
    %190 = stablehlo.broadcast_in_dim %170, dims = [0, 1, 2, 3] : (tensor<1x1x6x4xf32>) -> tensor<2x2x6x4xf32>
    %191 = stablehlo.multiply %189, %190 : tensor<2x2x6x4xf32>
    %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %192 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<2x2x6x4xf32>
    %193 = stablehlo.multiply %191, %192 : tensor<2x2x6x4xf32>
    %194 = stablehlo.add %184, %193 : tensor<2x2x6x4xf32>
    %195 = stablehlo.broadcast_in_dim %194, dims = [0, 1, 3, 4] : (tensor<2x2x6x4xf32>) -> tensor<2x2x1x6x4xf32>
    %196 = stablehlo.broadcast_in_dim %195, dims = [0, 1, 2, 3, 4] : (tensor<2x2x1x6x4xf32>) -> tensor<2x2x2x6x4xf32>
    %197 = stablehlo.reshape %196 : (tensor<2x2x2x6x4xf32>) -> tensor<2x4x6x4xf32>
    %198 = stablehlo.broadcast_in_dim %168, dims = [0, 1, 3, 4] : (tensor<2x2x6x4xf32>) -> tensor<2x2x1x6x4xf32>
    %199 = stablehlo.broadcast_in_dim %198, dims = [0, 1, 2, 3, 4] : (tensor<2x2x1x6x4xf32>) -> tensor<2x2x2x6x4xf32>
    %200 = stablehlo.reshape %199 : (tensor<2x2x2x6x4xf32>) -> tensor<2x4x6x4xf32>
    %201 = stablehlo.transpose %197, dims = [0, 1, 3, 2] : (tensor<2x4x6x4xf32>) -> tensor<2x4x4x6xf32>
    %202 = stablehlo.reshape %182 : (tensor<2x4x6x4xf32>) -> tensor<8x6x4xf32>
    %203 = stablehlo.reshape %201 : (tensor<2x4x4x6xf32>) -> tensor<8x4x6xf32>
    %204 = stablehlo.dot_general %202, %203, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x4xf32>, tensor<8x4x6xf32>) -> tensor<8x6x6xf32>
    %205 = stablehlo.reshape %204 : (tensor<8x6x6xf32>) -> tensor<2x4x6x6xf32>
    %cst_41 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %206 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %207 = stablehlo.multiply %205, %206 : tensor<2x4x6x6xf32>
    %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %208 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<2x1x6x6xf32>
    %209 = stablehlo.multiply %123, %208 : tensor<2x1x6x6xf32>
    %210 = stablehlo.broadcast_in_dim %209, dims = [0, 1, 2, 3] : (tensor<2x1x6x6xf32>) -> tensor<2x4x6x6xf32>
    %211 = stablehlo.add %207, %210 : tensor<2x4x6x6xf32>
    %cst_43 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %212 = stablehlo.reduce(%211 init: %cst_43) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %cst_44 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %213 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
    %214 = stablehlo.maximum %213, %212 : tensor<2x4x6xf32>
    %215 = stablehlo.broadcast_in_dim %214, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %216 = stablehlo.broadcast_in_dim %215, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %217 = stablehlo.subtract %211, %216 : tensor<2x4x6x6xf32>
    %218 = stablehlo.exponential %217 : tensor<2x4x6x6xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %219 = stablehlo.reduce(%218 init: %cst_45) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %220 = stablehlo.broadcast_in_dim %219, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %221 = stablehlo.broadcast_in_dim %220, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %222 = stablehlo.divide %218, %221 : tensor<2x4x6x6xf32>
    %223 = stablehlo.reshape %222 : (tensor<2x4x6x6xf32>) -> tensor<8x6x6xf32>
    %224 = stablehlo.reshape %200 : (tensor<2x4x6x4xf32>) -> tensor<8x6x4xf32>
    %225 = stablehlo.dot_general %223, %224, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x6xf32>, tensor<8x6x4xf32>) -> tensor<8x6x4xf32>
    %226 = stablehlo.reshape %225 : (tensor<8x6x4xf32>) -> tensor<2x4x6x4xf32>
    %227 = stablehlo.transpose %226, dims = [0, 2, 1, 3] : (tensor<2x4x6x4xf32>) -> tensor<2x6x4x4xf32>
    %228 = stablehlo.reshape %227 : (tensor<2x6x4x4xf32>) -> tensor<2x6x16xf32>
    %229 = stablehlo.dot_general %228, %arg8, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %cst_46 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %230 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %231 = stablehlo.multiply %229, %230 : tensor<2x6x16xf32>
    %232 = stablehlo.add %0, %231 : tensor<2x6x16xf32>
    %cst_47 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %233 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %234 = stablehlo.power %232, %233 : tensor<2x6x16xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %235 = stablehlo.reduce(%234 init: %cst_48) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %236 = stablehlo.broadcast_in_dim %235, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_49 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %237 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %238 = stablehlo.divide %236, %237 : tensor<2x6x1xf32>
    %cst_50 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %239 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %240 = stablehlo.add %238, %239 : tensor<2x6x1xf32>
    %241 = stablehlo.rsqrt %240 : tensor<2x6x1xf32>
    %242 = stablehlo.broadcast_in_dim %241, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %243 = stablehlo.multiply %232, %242 : tensor<2x6x16xf32>
    %244 = stablehlo.broadcast_in_dim %arg5, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %245 = stablehlo.broadcast_in_dim %244, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %246 = stablehlo.multiply %245, %243 : tensor<2x6x16xf32>
    %247 = stablehlo.dot_general %246, %arg3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<32x16xf32>) -> tensor<2x6x32xf32>
    %248 = call @silu(%247) : (tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %249 = stablehlo.dot_general %246, %arg4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<32x16xf32>) -> tensor<2x6x32xf32>
    %250 = stablehlo.multiply %248, %249 : tensor<2x6x32xf32>
    %251 = stablehlo.dot_general %250, %arg2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x32xf32>, tensor<16x32xf32>) -> tensor<2x6x16xf32>
    %cst_51 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %252 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %253 = stablehlo.multiply %251, %252 : tensor<2x6x16xf32>
    %254 = stablehlo.add %232, %253 : tensor<2x6x16xf32>
    %cst_52 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %255 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %256 = stablehlo.power %254, %255 : tensor<2x6x16xf32>
    %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %257 = stablehlo.reduce(%256 init: %cst_53) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %258 = stablehlo.broadcast_in_dim %257, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_54 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %259 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %260 = stablehlo.divide %258, %259 : tensor<2x6x1xf32>
    %cst_55 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %261 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %262 = stablehlo.add %260, %261 : tensor<2x6x1xf32>
    %263 = stablehlo.rsqrt %262 : tensor<2x6x1xf32>
    %264 = stablehlo.broadcast_in_dim %263, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %265 = stablehlo.multiply %254, %264 : tensor<2x6x16xf32>
    %266 = stablehlo.broadcast_in_dim %arg13, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %267 = stablehlo.broadcast_in_dim %266, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %268 = stablehlo.multiply %267, %265 : tensor<2x6x16xf32>
    return %268 : tensor<2x6x16xf32>
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
  func.func private @silu(%arg0: tensor<2x6x32xf32>) -> tensor<2x6x32xf32> {
    %0 = stablehlo.negate %arg0 : tensor<2x6x32xf32>
    %1 = stablehlo.exponential %0 : tensor<2x6x32xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %3 = stablehlo.add %2, %1 : tensor<2x6x32xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %5 = stablehlo.divide %4, %3 : tensor<2x6x32xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<2x6x32xf32>
    return %6 : tensor<2x6x32xf32>
  }
}
