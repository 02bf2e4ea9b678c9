// Producer: transformers 5.24.0 on torchax 0.0.13, jax 0.10.2
// Module: CohereModel, eager attention
// EXPECT @main: attention=1 layer_norm=2 rope=2 transformer_mlp=1
// EXPECT @_take: embedding=1
// EXPECT @silu: silu=1

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16x32xf32>, %arg3: tensor<32x16xf32>, %arg4: tensor<32x16xf32>, %arg5: tensor<8x16xf32>, %arg6: tensor<16x16xf32>, %arg7: tensor<16x16xf32>, %arg8: tensor<8x16xf32>, %arg9: tensor<16xf32>, %arg10: tensor<2xf32>, %arg11: tensor<2x6xi32>) -> (tensor<2x6x16xf32> {jax.result_info = "result"}) {
    %0 = call @_take(%arg0, %arg11) : (tensor<32x16xf32>, tensor<2x6xi32>) -> tensor<2x6x16xf32>
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
    %126 = stablehlo.broadcast_in_dim %arg10, dims = [2] : (tensor<2xf32>) -> tensor<1x1x2xf32>
    %127 = stablehlo.broadcast_in_dim %125, dims = [0, 1, 2] : (tensor<1x6x1xf32>) -> tensor<1x6x2xf32>
    %128 = stablehlo.broadcast_in_dim %126, dims = [0, 1, 2] : (tensor<1x1x2xf32>) -> tensor<1x6x2xf32>
    %129 = stablehlo.multiply %127, %128 : tensor<1x6x2xf32>
    %130 = stablehlo.broadcast_in_dim %129, dims = [0, 1, 2] : (tensor<1x6x2xf32>) -> tensor<1x6x2x1xf32>
    %131 = stablehlo.broadcast_in_dim %130, dims = [0, 1, 2, 3] : (tensor<1x6x2x1xf32>) -> tensor<1x6x2x2xf32>
    %132 = stablehlo.reshape %131 : (tensor<1x6x2x2xf32>) -> tensor<1x6x4xf32>
    %133 = stablehlo.cosine %132 : tensor<1x6x4xf32>
    %cst_31 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<1x6x4xf32>
    %135 = stablehlo.multiply %133, %134 : tensor<1x6x4xf32>
    %136 = stablehlo.sine %132 : tensor<1x6x4xf32>
    %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %137 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<1x6x4xf32>
    %138 = stablehlo.multiply %136, %137 : tensor<1x6x4xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %139 = stablehlo.reduce(%0 init: %cst_33) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %140 = stablehlo.broadcast_in_dim %139, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_34 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %142 = stablehlo.divide %140, %141 : tensor<2x6x1xf32>
    %cst_35 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %144 = stablehlo.multiply %142, %143 : tensor<2x6x1xf32>
    %145 = stablehlo.broadcast_in_dim %144, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %146 = stablehlo.subtract %0, %145 : tensor<2x6x16xf32>
    %cst_36 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %147 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %148 = stablehlo.power %146, %147 : tensor<2x6x16xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %149 = stablehlo.reduce(%148 init: %cst_37) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %150 = stablehlo.broadcast_in_dim %149, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_38 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %151 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %152 = stablehlo.divide %150, %151 : tensor<2x6x1xf32>
    %cst_39 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %153 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %154 = stablehlo.multiply %142, %153 : tensor<2x6x1xf32>
    %155 = stablehlo.broadcast_in_dim %154, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %156 = stablehlo.subtract %0, %155 : tensor<2x6x16xf32>
    %cst_40 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %157 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %158 = stablehlo.add %152, %157 : tensor<2x6x1xf32>
    %159 = stablehlo.rsqrt %158 : tensor<2x6x1xf32>
    %160 = stablehlo.broadcast_in_dim %159, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %161 = stablehlo.multiply %156, %160 : tensor<2x6x16xf32>
    %162 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %163 = stablehlo.broadcast_in_dim %162, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %164 = stablehlo.multiply %163, %161 : tensor<2x6x16xf32>
    %165 = stablehlo.dot_general %164, %arg7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %166 = stablehlo.reshape %165 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %167 = stablehlo.dot_general %164, %arg5, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<8x16xf32>) -> tensor<2x6x8xf32>
    %168 = stablehlo.reshape %167 : (tensor<2x6x8xf32>) -> tensor<2x6x2x4xf32>
    %169 = stablehlo.dot_general %164, %arg8, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<8x16xf32>) -> tensor<2x6x8xf32>
    %170 = stablehlo.reshape %169 : (tensor<2x6x8xf32>) -> tensor<2x6x2x4xf32>
    %171 = stablehlo.transpose %166, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %172 = stablehlo.transpose %168, dims = [0, 2, 1, 3] : (tensor<2x6x2x4xf32>) -> tensor<2x2x6x4xf32>
    %173 = stablehlo.transpose %170, dims = [0, 2, 1, 3] : (tensor<2x6x2x4xf32>) -> tensor<2x2x6x4xf32>
    %174 = stablehlo.broadcast_in_dim %135, dims = [0, 2, 3] : (tensor<1x6x4xf32>) -> tensor<1x1x6x4xf32>
    %175 = stablehlo.broadcast_in_dim %138, dims = [0, 2, 3] : (tensor<1x6x4xf32>) -> tensor<1x1x6x4xf32>
    %176 = stablehlo.broadcast_in_dim %174, dims = [0, 1, 2, 3] : (tensor<1x1x6x4xf32>) -> tensor<2x4x6x4xf32>
    %177 = stablehlo.multiply %171, %176 : tensor<2x4x6x4xf32>
    %178 = stablehlo.slice %171 [0:2, 0:4, 0:6, 1:4:2] : (tensor<2x4x6x4xf32>) -> tensor<2x4x6x2xf32>
    %cst_41 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %179 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<2x4x6x2xf32>
    %180 = stablehlo.multiply %179, %178 : tensor<2x4x6x2xf32>
    %181 = stablehlo.slice %171 [0:2, 0:4, 0:6, 0:4:2] : (tensor<2x4x6x4xf32>) -> tensor<2x4x6x2xf32>
    %182 = stablehlo.broadcast_in_dim %180, dims = [0, 1, 2, 3] : (tensor<2x4x6x2xf32>) -> tensor<2x4x6x2x1xf32>
    %183 = stablehlo.broadcast_in_dim %181, dims = [0, 1, 2, 3] : (tensor<2x4x6x2xf32>) -> tensor<2x4x6x2x1xf32>
    %184 = stablehlo.concatenate %182, %183, dim = 4 : (tensor<2x4x6x2x1xf32>, tensor<2x4x6x2x1xf32>) -> tensor<2x4x6x2x2xf32>
    %185 = stablehlo.reshape %184 : (tensor<2x4x6x2x2xf32>) -> tensor<2x4x6x4xf32>
    %186 = stablehlo.broadcast_in_dim %175, dims = [0, 1, 2, 3] : (tensor<1x1x6x4xf32>) -> tensor<2x4x6x4xf32>
    %187 = stablehlo.multiply %185, %186 : tensor<2x4x6x4xf32>
    %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %188 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<2x4x6x4xf32>
    %189 = stablehlo.multiply %187, %188 : tensor<2x4x6x4xf32>
    %190 = stablehlo.add %177, %189 : tensor<2x4x6x4xf32>
    %191 = stablehlo.broadcast_in_dim %174, dims = [0, 1, 2, 3] : (tensor<1x1x6x4xf32>) -> tensor<2x2x6x4xf32>
    %192 = stablehlo.multiply %172, %191 : tensor<2x2x6x4xf32>
    %193 = stablehlo.slice %172 [0:2, 0:2, 0:6, 1:4:2] : (tensor<2x2x6x4xf32>) -> tensor<2x2x6x2xf32>
    %cst_43 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %194 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<2x2x6x2xf32>
    %195 = stablehlo.multiply %194, %193 : tensor<2x2x6x2xf32>
    %196 = stablehlo.slice %172 [0:2, 0:2, 0:6, 0:4:2] : (tensor<2x2x6x4xf32>) -> tensor<2x2x6x2xf32>
    %197 = stablehlo.broadcast_in_dim %195, dims = [0, 1, 2, 3] : (tensor<2x2x6x2xf32>) -> tensor<2x2x6x2x1xf32>
    %198 = stablehlo.broadcast_in_dim %196, dims = [0, 1, 2, 3] : (tensor<2x2x6x2xf32>) -> tensor<2x2x6x2x1xf32>
    %199 = stablehlo.concatenate %197, %198, dim = 4 : (tensor<2x2x6x2x1xf32>, tensor<2x2x6x2x1xf32>) -> tensor<2x2x6x2x2xf32>
    %200 = stablehlo.reshape %199 : (tensor<2x2x6x2x2xf32>) -> tensor<2x2x6x4xf32>
    %201 = stablehlo.broadcast_in_dim %175, dims = [0, 1, 2, 3] : (tensor<1x1x6x4xf32>) -> tensor<2x2x6x4xf32>
    %202 = stablehlo.multiply %200, %201 : tensor<2x2x6x4xf32>
    %cst_44 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %203 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<2x2x6x4xf32>
    %204 = stablehlo.multiply %202, %203 : tensor<2x2x6x4xf32>
    %205 = stablehlo.add %192, %204 : tensor<2x2x6x4xf32>
    %206 = stablehlo.broadcast_in_dim %205, dims = [0, 1, 3, 4] : (tensor<2x2x6x4xf32>) -> tensor<2x2x1x6x4xf32>
    %207 = stablehlo.broadcast_in_dim %206, dims = [0, 1, 2, 3, 4] : (tensor<2x2x1x6x4xf32>) -> tensor<2x2x2x6x4xf32>
    %208 = stablehlo.reshape %207 : (tensor<2x2x2x6x4xf32>) -> tensor<2x4x6x4xf32>
    %209 = stablehlo.broadcast_in_dim %173, dims = [0, 1, 3, 4] : (tensor<2x2x6x4xf32>) -> tensor<2x2x1x6x4xf32>
    %210 = stablehlo.broadcast_in_dim %209, dims = [0, 1, 2, 3, 4] : (tensor<2x2x1x6x4xf32>) -> tensor<2x2x2x6x4xf32>
    %211 = stablehlo.reshape %210 : (tensor<2x2x2x6x4xf32>) -> tensor<2x4x6x4xf32>
    %212 = stablehlo.transpose %208, dims = [0, 1, 3, 2] : (tensor<2x4x6x4xf32>) -> tensor<2x4x4x6xf32>
    %213 = stablehlo.reshape %190 : (tensor<2x4x6x4xf32>) -> tensor<8x6x4xf32>
    %214 = stablehlo.reshape %212 : (tensor<2x4x4x6xf32>) -> tensor<8x4x6xf32>
    %215 = stablehlo.dot_general %213, %214, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x4xf32>, tensor<8x4x6xf32>) -> tensor<8x6x6xf32>
    %216 = stablehlo.reshape %215 : (tensor<8x6x6xf32>) -> tensor<2x4x6x6xf32>
    %cst_45 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %217 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %218 = stablehlo.multiply %216, %217 : tensor<2x4x6x6xf32>
    %cst_46 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %219 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<2x1x6x6xf32>
    %220 = stablehlo.multiply %123, %219 : tensor<2x1x6x6xf32>
    %221 = stablehlo.broadcast_in_dim %220, dims = [0, 1, 2, 3] : (tensor<2x1x6x6xf32>) -> tensor<2x4x6x6xf32>
    %222 = stablehlo.add %218, %221 : tensor<2x4x6x6xf32>
    %cst_47 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %223 = stablehlo.reduce(%222 init: %cst_47) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %cst_48 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %224 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
    %225 = stablehlo.maximum %224, %223 : tensor<2x4x6xf32>
    %226 = stablehlo.broadcast_in_dim %225, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %227 = stablehlo.broadcast_in_dim %226, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %228 = stablehlo.subtract %222, %227 : tensor<2x4x6x6xf32>
    %229 = stablehlo.exponential %228 : tensor<2x4x6x6xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %230 = stablehlo.reduce(%229 init: %cst_49) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %231 = stablehlo.broadcast_in_dim %230, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %232 = stablehlo.broadcast_in_dim %231, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %233 = stablehlo.divide %229, %232 : tensor<2x4x6x6xf32>
    %234 = stablehlo.reshape %233 : (tensor<2x4x6x6xf32>) -> tensor<8x6x6xf32>
    %235 = stablehlo.reshape %211 : (tensor<2x4x6x4xf32>) -> tensor<8x6x4xf32>
    %236 = stablehlo.dot_general %234, %235, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x6xf32>, tensor<8x6x4xf32>) -> tensor<8x6x4xf32>
    %237 = stablehlo.reshape %236 : (tensor<8x6x4xf32>) -> tensor<2x4x6x4xf32>
    %238 = stablehlo.transpose %237, dims = [0, 2, 1, 3] : (tensor<2x4x6x4xf32>) -> tensor<2x6x4x4xf32>
    %239 = stablehlo.reshape %238 : (tensor<2x6x4x4xf32>) -> tensor<2x6x16xf32>
    %240 = stablehlo.dot_general %239, %arg6, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %241 = stablehlo.dot_general %164, %arg3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<32x16xf32>) -> tensor<2x6x32xf32>
    %242 = call @silu(%241) : (tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %243 = stablehlo.dot_general %164, %arg4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<32x16xf32>) -> tensor<2x6x32xf32>
    %244 = stablehlo.multiply %242, %243 : tensor<2x6x32xf32>
    %245 = stablehlo.dot_general %244, %arg2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x32xf32>, tensor<16x32xf32>) -> tensor<2x6x16xf32>
    %cst_50 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %246 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %247 = stablehlo.multiply %240, %246 : tensor<2x6x16xf32>
    %248 = stablehlo.add %0, %247 : tensor<2x6x16xf32>
    %cst_51 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %249 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %250 = stablehlo.multiply %245, %249 : tensor<2x6x16xf32>
    %251 = stablehlo.add %248, %250 : tensor<2x6x16xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %252 = stablehlo.reduce(%251 init: %cst_52) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %253 = stablehlo.broadcast_in_dim %252, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_53 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %254 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %255 = stablehlo.divide %253, %254 : tensor<2x6x1xf32>
    %cst_54 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %256 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %257 = stablehlo.multiply %255, %256 : tensor<2x6x1xf32>
    %258 = stablehlo.broadcast_in_dim %257, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %259 = stablehlo.subtract %251, %258 : tensor<2x6x16xf32>
    %cst_55 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %260 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %261 = stablehlo.power %259, %260 : tensor<2x6x16xf32>
    %cst_56 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %262 = stablehlo.reduce(%261 init: %cst_56) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %263 = stablehlo.broadcast_in_dim %262, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_57 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %264 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %265 = stablehlo.divide %263, %264 : tensor<2x6x1xf32>
    %cst_58 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %266 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %267 = stablehlo.multiply %255, %266 : tensor<2x6x1xf32>
    %268 = stablehlo.broadcast_in_dim %267, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %269 = stablehlo.subtract %251, %268 : tensor<2x6x16xf32>
    %cst_59 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %270 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %271 = stablehlo.add %265, %270 : tensor<2x6x1xf32>
    %272 = stablehlo.rsqrt %271 : tensor<2x6x1xf32>
    %273 = stablehlo.broadcast_in_dim %272, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %274 = stablehlo.multiply %269, %273 : tensor<2x6x16xf32>
    %275 = stablehlo.broadcast_in_dim %arg9, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %276 = stablehlo.broadcast_in_dim %275, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %277 = stablehlo.multiply %276, %274 : tensor<2x6x16xf32>
    return %277 : tensor<2x6x16xf32>
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
