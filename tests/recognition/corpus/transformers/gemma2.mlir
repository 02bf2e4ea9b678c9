// Producer: transformers 5.24.0 on torchax 0.0.13, jax 0.10.2
// Module: Gemma2Model, eager attention
// EXPECT @main: rms_norm=5 rope=2 softmax=1 transformer_mlp=1
// EXPECT @_take: embedding=1

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<f32>, %arg1: tensor<32x16xf32>, %arg2: tensor<16xf32>, %arg3: tensor<16x32xf32>, %arg4: tensor<32x16xf32>, %arg5: tensor<32x16xf32>, %arg6: tensor<16xf32>, %arg7: tensor<16xf32>, %arg8: tensor<16xf32>, %arg9: tensor<8x16xf32>, %arg10: tensor<16x16xf32>, %arg11: tensor<16x16xf32>, %arg12: tensor<8x16xf32>, %arg13: tensor<16xf32>, %arg14: tensor<2xf32>, %arg15: tensor<2x6xi32>) -> (tensor<2x6x16xf32> {jax.result_info = "result"}) {
    %0 = call @_take(%arg1, %arg15) : (tensor<32x16xf32>, tensor<2x6xi32>) -> tensor<2x6x16xf32>
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
    %c_21 = stablehlo.constant dense<4096> : tensor<i32>
    %80 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<i32>) -> tensor<2x1x6x1xi32>
    %81 = stablehlo.subtract %61, %80 : tensor<2x1x6x1xi32>
    %82 = stablehlo.broadcast_in_dim %79, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x6x6xi32>
    %83 = stablehlo.broadcast_in_dim %81, dims = [0, 1, 2, 3] : (tensor<2x1x6x1xi32>) -> tensor<2x1x6x6xi32>
    %84 = stablehlo.compare GT, %82, %83, SIGNED : (tensor<2x1x6x6xi32>, tensor<2x1x6x6xi32>) -> tensor<2x1x6x6xi1>
    %c_22 = stablehlo.constant dense<true> : tensor<i1>
    %85 = stablehlo.broadcast_in_dim %c_22, dims = [] : (tensor<i1>) -> tensor<2x1x6x6xi1>
    %86 = stablehlo.and %85, %84 : tensor<2x1x6x6xi1>
    %87 = stablehlo.broadcast_in_dim %79, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x6x6xi32>
    %88 = stablehlo.broadcast_in_dim %61, dims = [0, 1, 2, 3] : (tensor<2x1x6x1xi32>) -> tensor<2x1x6x6xi32>
    %89 = stablehlo.compare LE, %87, %88, SIGNED : (tensor<2x1x6x6xi32>, tensor<2x1x6x6xi32>) -> tensor<2x1x6x6xi1>
    %90 = stablehlo.and %86, %89 : tensor<2x1x6x6xi1>
    %c_23 = stablehlo.constant dense<true> : tensor<i1>
    %91 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<i1>) -> tensor<2x1x6x6xi1>
    %92 = stablehlo.and %91, %90 : tensor<2x1x6x6xi1>
    %93 = stablehlo.broadcast_in_dim %29, dims = [0] : (tensor<2xi32>) -> tensor<2x1x1x1xi32>
    %94 = stablehlo.broadcast_in_dim %36, dims = [2] : (tensor<6xi32>) -> tensor<1x1x6x1xi32>
    %c_24 = stablehlo.constant dense<0> : tensor<i32>
    %95 = stablehlo.broadcast_in_dim %c_24, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %96 = stablehlo.compare LT, %93, %95, SIGNED : (tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>) -> tensor<2x1x1x1xi1>
    %c_25 = stablehlo.constant dense<2> : tensor<i32>
    %97 = stablehlo.broadcast_in_dim %c_25, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %98 = stablehlo.add %93, %97 : tensor<2x1x1x1xi32>
    %99 = stablehlo.select %96, %98, %93 : tensor<2x1x1x1xi1>, tensor<2x1x1x1xi32>
    %c_26 = stablehlo.constant dense<0> : tensor<i32>
    %100 = stablehlo.broadcast_in_dim %c_26, dims = [] : (tensor<i32>) -> tensor<1x1x6x1xi32>
    %101 = stablehlo.compare LT, %94, %100, SIGNED : (tensor<1x1x6x1xi32>, tensor<1x1x6x1xi32>) -> tensor<1x1x6x1xi1>
    %c_27 = stablehlo.constant dense<6> : tensor<i32>
    %102 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<i32>) -> tensor<1x1x6x1xi32>
    %103 = stablehlo.add %94, %102 : tensor<1x1x6x1xi32>
    %104 = stablehlo.select %101, %103, %94 : tensor<1x1x6x1xi1>, tensor<1x1x6x1xi32>
    %105 = stablehlo.broadcast_in_dim %99, dims = [0, 1, 2, 3] : (tensor<2x1x1x1xi32>) -> tensor<2x1x6x1xi32>
    %106 = stablehlo.broadcast_in_dim %104, dims = [0, 1, 2, 3] : (tensor<1x1x6x1xi32>) -> tensor<2x1x6x1xi32>
    %107 = stablehlo.broadcast_in_dim %105, dims = [0, 1, 2, 3] : (tensor<2x1x6x1xi32>) -> tensor<2x1x6x1x1xi32>
    %108 = stablehlo.broadcast_in_dim %106, dims = [0, 1, 2, 3] : (tensor<2x1x6x1xi32>) -> tensor<2x1x6x1x1xi32>
    %109 = stablehlo.concatenate %107, %108, dim = 4 : (tensor<2x1x6x1x1xi32>, tensor<2x1x6x1x1xi32>) -> tensor<2x1x6x1x2xi32>
    %110 = "stablehlo.gather"(%23, %109) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 4>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<2x6xi32>, tensor<2x1x6x1x2xi32>) -> tensor<2x1x6x1xi32>
    %111 = stablehlo.broadcast_in_dim %29, dims = [0] : (tensor<2xi32>) -> tensor<2x1x1x1xi32>
    %112 = stablehlo.broadcast_in_dim %43, dims = [3] : (tensor<6xi32>) -> tensor<1x1x1x6xi32>
    %c_28 = stablehlo.constant dense<0> : tensor<i32>
    %113 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %114 = stablehlo.compare LT, %111, %113, SIGNED : (tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>) -> tensor<2x1x1x1xi1>
    %c_29 = stablehlo.constant dense<2> : tensor<i32>
    %115 = stablehlo.broadcast_in_dim %c_29, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %116 = stablehlo.add %111, %115 : tensor<2x1x1x1xi32>
    %117 = stablehlo.select %114, %116, %111 : tensor<2x1x1x1xi1>, tensor<2x1x1x1xi32>
    %c_30 = stablehlo.constant dense<0> : tensor<i32>
    %118 = stablehlo.broadcast_in_dim %c_30, dims = [] : (tensor<i32>) -> tensor<1x1x1x6xi32>
    %119 = stablehlo.compare LT, %112, %118, SIGNED : (tensor<1x1x1x6xi32>, tensor<1x1x1x6xi32>) -> tensor<1x1x1x6xi1>
    %c_31 = stablehlo.constant dense<6> : tensor<i32>
    %120 = stablehlo.broadcast_in_dim %c_31, dims = [] : (tensor<i32>) -> tensor<1x1x1x6xi32>
    %121 = stablehlo.add %112, %120 : tensor<1x1x1x6xi32>
    %122 = stablehlo.select %119, %121, %112 : tensor<1x1x1x6xi1>, tensor<1x1x1x6xi32>
    %123 = stablehlo.broadcast_in_dim %117, dims = [0, 1, 2, 3] : (tensor<2x1x1x1xi32>) -> tensor<2x1x1x6xi32>
    %124 = stablehlo.broadcast_in_dim %122, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xi32>) -> tensor<2x1x1x6xi32>
    %125 = stablehlo.broadcast_in_dim %123, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x1x6x1xi32>
    %126 = stablehlo.broadcast_in_dim %124, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x1x6x1xi32>
    %127 = stablehlo.concatenate %125, %126, dim = 4 : (tensor<2x1x1x6x1xi32>, tensor<2x1x1x6x1xi32>) -> tensor<2x1x1x6x2xi32>
    %128 = "stablehlo.gather"(%23, %127) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 4>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<2x6xi32>, tensor<2x1x1x6x2xi32>) -> tensor<2x1x1x6xi32>
    %129 = stablehlo.broadcast_in_dim %110, dims = [0, 1, 2, 3] : (tensor<2x1x6x1xi32>) -> tensor<2x1x6x6xi32>
    %130 = stablehlo.broadcast_in_dim %128, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x6x6xi32>
    %131 = stablehlo.compare EQ, %129, %130, SIGNED : (tensor<2x1x6x6xi32>, tensor<2x1x6x6xi32>) -> tensor<2x1x6x6xi1>
    %132 = stablehlo.and %92, %131 : tensor<2x1x6x6xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_32 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %133 = call @_where_1(%132, %cst, %cst_32) : (tensor<2x1x6x6xi1>, tensor<f32>, tensor<f32>) -> tensor<2x1x6x6xf32>
    %134 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<1x6xi32>) -> tensor<1x6x1xi32>
    %135 = stablehlo.convert %134 : (tensor<1x6x1xi32>) -> tensor<1x6x1xf32>
    %136 = stablehlo.broadcast_in_dim %arg14, dims = [2] : (tensor<2xf32>) -> tensor<1x1x2xf32>
    %137 = stablehlo.broadcast_in_dim %135, dims = [0, 1, 2] : (tensor<1x6x1xf32>) -> tensor<1x6x2xf32>
    %138 = stablehlo.broadcast_in_dim %136, dims = [0, 1, 2] : (tensor<1x1x2xf32>) -> tensor<1x6x2xf32>
    %139 = stablehlo.multiply %137, %138 : tensor<1x6x2xf32>
    %140 = stablehlo.concatenate %139, %139, dim = 2 : (tensor<1x6x2xf32>, tensor<1x6x2xf32>) -> tensor<1x6x4xf32>
    %141 = stablehlo.cosine %140 : tensor<1x6x4xf32>
    %cst_33 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %142 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<1x6x4xf32>
    %143 = stablehlo.multiply %141, %142 : tensor<1x6x4xf32>
    %144 = stablehlo.sine %140 : tensor<1x6x4xf32>
    %cst_34 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %145 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<1x6x4xf32>
    %146 = stablehlo.multiply %144, %145 : tensor<1x6x4xf32>
    %cst_35 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %147 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %148 = stablehlo.power %2, %147 : tensor<2x6x16xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %149 = stablehlo.reduce(%148 init: %cst_36) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %150 = stablehlo.broadcast_in_dim %149, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_37 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %151 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %152 = stablehlo.divide %150, %151 : tensor<2x6x1xf32>
    %cst_38 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %153 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %154 = stablehlo.add %152, %153 : tensor<2x6x1xf32>
    %155 = stablehlo.rsqrt %154 : tensor<2x6x1xf32>
    %156 = stablehlo.broadcast_in_dim %155, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %157 = stablehlo.multiply %2, %156 : tensor<2x6x16xf32>
    %cst_39 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %158 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %159 = stablehlo.add %arg2, %158 : tensor<16xf32>
    %160 = stablehlo.broadcast_in_dim %159, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %161 = stablehlo.broadcast_in_dim %160, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %162 = stablehlo.multiply %157, %161 : tensor<2x6x16xf32>
    %163 = stablehlo.dot_general %162, %arg11, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %164 = stablehlo.reshape %163 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %165 = stablehlo.transpose %164, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %166 = stablehlo.dot_general %162, %arg9, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<8x16xf32>) -> tensor<2x6x8xf32>
    %167 = stablehlo.reshape %166 : (tensor<2x6x8xf32>) -> tensor<2x6x2x4xf32>
    %168 = stablehlo.transpose %167, dims = [0, 2, 1, 3] : (tensor<2x6x2x4xf32>) -> tensor<2x2x6x4xf32>
    %169 = stablehlo.dot_general %162, %arg12, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<8x16xf32>) -> tensor<2x6x8xf32>
    %170 = stablehlo.reshape %169 : (tensor<2x6x8xf32>) -> tensor<2x6x2x4xf32>
    %171 = stablehlo.transpose %170, dims = [0, 2, 1, 3] : (tensor<2x6x2x4xf32>) -> tensor<2x2x6x4xf32>
    %172 = stablehlo.broadcast_in_dim %143, dims = [0, 2, 3] : (tensor<1x6x4xf32>) -> tensor<1x1x6x4xf32>
    %173 = stablehlo.broadcast_in_dim %146, dims = [0, 2, 3] : (tensor<1x6x4xf32>) -> tensor<1x1x6x4xf32>
    %174 = stablehlo.broadcast_in_dim %172, dims = [0, 1, 2, 3] : (tensor<1x1x6x4xf32>) -> tensor<2x4x6x4xf32>
    %175 = stablehlo.multiply %165, %174 : tensor<2x4x6x4xf32>
    %176 = stablehlo.slice %165 [0:2, 0:4, 0:6, 2:4] : (tensor<2x4x6x4xf32>) -> tensor<2x4x6x2xf32>
    %cst_40 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %177 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<2x4x6x2xf32>
    %178 = stablehlo.multiply %177, %176 : tensor<2x4x6x2xf32>
    %179 = stablehlo.slice %165 [0:2, 0:4, 0:6, 0:2] : (tensor<2x4x6x4xf32>) -> tensor<2x4x6x2xf32>
    %180 = stablehlo.concatenate %178, %179, dim = 3 : (tensor<2x4x6x2xf32>, tensor<2x4x6x2xf32>) -> tensor<2x4x6x4xf32>
    %181 = stablehlo.broadcast_in_dim %173, dims = [0, 1, 2, 3] : (tensor<1x1x6x4xf32>) -> tensor<2x4x6x4xf32>
    %182 = stablehlo.multiply %180, %181 : tensor<2x4x6x4xf32>
    %cst_41 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %183 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<2x4x6x4xf32>
    %184 = stablehlo.multiply %182, %183 : tensor<2x4x6x4xf32>
    %185 = stablehlo.add %175, %184 : tensor<2x4x6x4xf32>
    %186 = stablehlo.broadcast_in_dim %172, dims = [0, 1, 2, 3] : (tensor<1x1x6x4xf32>) -> tensor<2x2x6x4xf32>
    %187 = stablehlo.multiply %168, %186 : tensor<2x2x6x4xf32>
    %188 = stablehlo.slice %168 [0:2, 0:2, 0:6, 2:4] : (tensor<2x2x6x4xf32>) -> tensor<2x2x6x2xf32>
    %cst_42 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %189 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<2x2x6x2xf32>
    %190 = stablehlo.multiply %189, %188 : tensor<2x2x6x2xf32>
    %191 = stablehlo.slice %168 [0:2, 0:2, 0:6, 0:2] : (tensor<2x2x6x4xf32>) -> tensor<2x2x6x2xf32>
    %192 = stablehlo.concatenate %190, %191, dim = 3 : (tensor<2x2x6x2xf32>, tensor<2x2x6x2xf32>) -> tensor<2x2x6x4xf32>
    %193 = stablehlo.broadcast_in_dim %173, dims = [0, 1, 2, 3] : (tensor<1x1x6x4xf32>) -> tensor<2x2x6x4xf32>
    %194 = stablehlo.multiply %192, %193 : tensor<2x2x6x4xf32>
    %cst_43 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %195 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<2x2x6x4xf32>
    %196 = stablehlo.multiply %194, %195 : tensor<2x2x6x4xf32>
    %197 = stablehlo.add %187, %196 : tensor<2x2x6x4xf32>
    %198 = stablehlo.broadcast_in_dim %197, dims = [0, 1, 3, 4] : (tensor<2x2x6x4xf32>) -> tensor<2x2x1x6x4xf32>
    %199 = stablehlo.broadcast_in_dim %198, dims = [0, 1, 2, 3, 4] : (tensor<2x2x1x6x4xf32>) -> tensor<2x2x2x6x4xf32>
    %200 = stablehlo.reshape %199 : (tensor<2x2x2x6x4xf32>) -> tensor<2x4x6x4xf32>
    %201 = stablehlo.broadcast_in_dim %171, dims = [0, 1, 3, 4] : (tensor<2x2x6x4xf32>) -> tensor<2x2x1x6x4xf32>
    %202 = stablehlo.broadcast_in_dim %201, dims = [0, 1, 2, 3, 4] : (tensor<2x2x1x6x4xf32>) -> tensor<2x2x2x6x4xf32>
    %203 = stablehlo.reshape %202 : (tensor<2x2x2x6x4xf32>) -> tensor<2x4x6x4xf32>
    %204 = stablehlo.transpose %200, dims = [0, 1, 3, 2] : (tensor<2x4x6x4xf32>) -> tensor<2x4x4x6xf32>
    %205 = stablehlo.reshape %185 : (tensor<2x4x6x4xf32>) -> tensor<8x6x4xf32>
    %206 = stablehlo.reshape %204 : (tensor<2x4x4x6xf32>) -> tensor<8x4x6xf32>
    %207 = stablehlo.dot_general %205, %206, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x4xf32>, tensor<8x4x6xf32>) -> tensor<8x6x6xf32>
    %208 = stablehlo.reshape %207 : (tensor<8x6x6xf32>) -> tensor<2x4x6x6xf32>
    %cst_44 = stablehlo.constant dense<6.250000e-02> : tensor<f32>
    %209 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %210 = stablehlo.multiply %208, %209 : tensor<2x4x6x6xf32>
    %cst_45 = stablehlo.constant dense<5.000000e+01> : tensor<f32>
    %211 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %212 = stablehlo.divide %210, %211 : tensor<2x4x6x6xf32>
    %213 = stablehlo.tanh %212 : tensor<2x4x6x6xf32>
    %cst_46 = stablehlo.constant dense<5.000000e+01> : tensor<f32>
    %214 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %215 = stablehlo.multiply %213, %214 : tensor<2x4x6x6xf32>
    %cst_47 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %216 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<2x1x6x6xf32>
    %217 = stablehlo.multiply %133, %216 : tensor<2x1x6x6xf32>
    %218 = stablehlo.broadcast_in_dim %217, dims = [0, 1, 2, 3] : (tensor<2x1x6x6xf32>) -> tensor<2x4x6x6xf32>
    %219 = stablehlo.add %215, %218 : tensor<2x4x6x6xf32>
    %cst_48 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %220 = stablehlo.reduce(%219 init: %cst_48) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %cst_49 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %221 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
    %222 = stablehlo.maximum %221, %220 : tensor<2x4x6xf32>
    %223 = stablehlo.broadcast_in_dim %222, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %224 = stablehlo.broadcast_in_dim %223, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %225 = stablehlo.subtract %219, %224 : tensor<2x4x6x6xf32>
    %226 = stablehlo.exponential %225 : tensor<2x4x6x6xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %227 = stablehlo.reduce(%226 init: %cst_50) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %228 = stablehlo.broadcast_in_dim %227, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %229 = stablehlo.broadcast_in_dim %228, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %230 = stablehlo.divide %226, %229 : tensor<2x4x6x6xf32>
    %231 = stablehlo.reshape %230 : (tensor<2x4x6x6xf32>) -> tensor<8x6x6xf32>
    %232 = stablehlo.reshape %203 : (tensor<2x4x6x4xf32>) -> tensor<8x6x4xf32>
    %233 = stablehlo.dot_general %231, %232, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x6xf32>, tensor<8x6x4xf32>) -> tensor<8x6x4xf32>
    %234 = stablehlo.reshape %233 : (tensor<8x6x4xf32>) -> tensor<2x4x6x4xf32>
    %235 = stablehlo.transpose %234, dims = [0, 2, 1, 3] : (tensor<2x4x6x4xf32>) -> tensor<2x6x4x4xf32>
    %236 = stablehlo.reshape %235 : (tensor<2x6x4x4xf32>) -> tensor<2x6x16xf32>
    %237 = stablehlo.dot_general %236, %arg10, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %cst_51 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %238 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %239 = stablehlo.power %237, %238 : tensor<2x6x16xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %240 = stablehlo.reduce(%239 init: %cst_52) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %241 = stablehlo.broadcast_in_dim %240, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_53 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %242 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %243 = stablehlo.divide %241, %242 : tensor<2x6x1xf32>
    %cst_54 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %244 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %245 = stablehlo.add %243, %244 : tensor<2x6x1xf32>
    %246 = stablehlo.rsqrt %245 : tensor<2x6x1xf32>
    %247 = stablehlo.broadcast_in_dim %246, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %248 = stablehlo.multiply %237, %247 : tensor<2x6x16xf32>
    %cst_55 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %249 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %250 = stablehlo.add %arg6, %249 : tensor<16xf32>
    %251 = stablehlo.broadcast_in_dim %250, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %252 = stablehlo.broadcast_in_dim %251, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %253 = stablehlo.multiply %248, %252 : tensor<2x6x16xf32>
    %cst_56 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %254 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %255 = stablehlo.multiply %253, %254 : tensor<2x6x16xf32>
    %256 = stablehlo.add %2, %255 : tensor<2x6x16xf32>
    %cst_57 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %257 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %258 = stablehlo.power %256, %257 : tensor<2x6x16xf32>
    %cst_58 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %259 = stablehlo.reduce(%258 init: %cst_58) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %260 = stablehlo.broadcast_in_dim %259, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_59 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %261 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %262 = stablehlo.divide %260, %261 : tensor<2x6x1xf32>
    %cst_60 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %263 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %264 = stablehlo.add %262, %263 : tensor<2x6x1xf32>
    %265 = stablehlo.rsqrt %264 : tensor<2x6x1xf32>
    %266 = stablehlo.broadcast_in_dim %265, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %267 = stablehlo.multiply %256, %266 : tensor<2x6x16xf32>
    %cst_61 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %268 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %269 = stablehlo.add %arg8, %268 : tensor<16xf32>
    %270 = stablehlo.broadcast_in_dim %269, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %271 = stablehlo.broadcast_in_dim %270, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %272 = stablehlo.multiply %267, %271 : tensor<2x6x16xf32>
    %273 = stablehlo.dot_general %272, %arg4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<32x16xf32>) -> tensor<2x6x32xf32>
    %274 = stablehlo.multiply %273, %273 : tensor<2x6x32xf32>
    %275 = stablehlo.multiply %274, %273 : tensor<2x6x32xf32>
    %cst_62 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %276 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %277 = stablehlo.multiply %276, %275 : tensor<2x6x32xf32>
    %278 = stablehlo.add %273, %277 : tensor<2x6x32xf32>
    %cst_63 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %279 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %280 = stablehlo.multiply %279, %278 : tensor<2x6x32xf32>
    %281 = stablehlo.tanh %280 : tensor<2x6x32xf32>
    %cst_64 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %282 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %283 = stablehlo.add %282, %281 : tensor<2x6x32xf32>
    %cst_65 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %284 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %285 = stablehlo.multiply %284, %283 : tensor<2x6x32xf32>
    %286 = stablehlo.multiply %273, %285 : tensor<2x6x32xf32>
    %287 = stablehlo.dot_general %272, %arg5, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<32x16xf32>) -> tensor<2x6x32xf32>
    %288 = stablehlo.multiply %286, %287 : tensor<2x6x32xf32>
    %289 = stablehlo.dot_general %288, %arg3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x32xf32>, tensor<16x32xf32>) -> tensor<2x6x16xf32>
    %cst_66 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %290 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %291 = stablehlo.power %289, %290 : tensor<2x6x16xf32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %292 = stablehlo.reduce(%291 init: %cst_67) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %293 = stablehlo.broadcast_in_dim %292, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_68 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %294 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %295 = stablehlo.divide %293, %294 : tensor<2x6x1xf32>
    %cst_69 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %296 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %297 = stablehlo.add %295, %296 : tensor<2x6x1xf32>
    %298 = stablehlo.rsqrt %297 : tensor<2x6x1xf32>
    %299 = stablehlo.broadcast_in_dim %298, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %300 = stablehlo.multiply %289, %299 : tensor<2x6x16xf32>
    %cst_70 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %301 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %302 = stablehlo.add %arg7, %301 : tensor<16xf32>
    %303 = stablehlo.broadcast_in_dim %302, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %304 = stablehlo.broadcast_in_dim %303, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %305 = stablehlo.multiply %300, %304 : tensor<2x6x16xf32>
    %cst_71 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %306 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %307 = stablehlo.multiply %305, %306 : tensor<2x6x16xf32>
    %308 = stablehlo.add %256, %307 : tensor<2x6x16xf32>
    %cst_72 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %309 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %310 = stablehlo.power %308, %309 : tensor<2x6x16xf32>
    %cst_73 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %311 = stablehlo.reduce(%310 init: %cst_73) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %312 = stablehlo.broadcast_in_dim %311, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_74 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %313 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %314 = stablehlo.divide %312, %313 : tensor<2x6x1xf32>
    %cst_75 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %315 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %316 = stablehlo.add %314, %315 : tensor<2x6x1xf32>
    %317 = stablehlo.rsqrt %316 : tensor<2x6x1xf32>
    %318 = stablehlo.broadcast_in_dim %317, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %319 = stablehlo.multiply %308, %318 : tensor<2x6x16xf32>
    %cst_76 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %320 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %321 = stablehlo.add %arg13, %320 : tensor<16xf32>
    %322 = stablehlo.broadcast_in_dim %321, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %323 = stablehlo.broadcast_in_dim %322, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %324 = stablehlo.multiply %319, %323 : tensor<2x6x16xf32>
    return %324 : tensor<2x6x16xf32>
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
