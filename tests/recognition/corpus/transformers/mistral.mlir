// Producer: transformers 5.24.0 on torchax 0.0.13, jax 0.10.2
// Module: MistralModel, eager attention
// EXPECT @main: attention=1 rms_norm=3 rope=2 transformer_mlp=1
// EXPECT @_take: embedding=1
// EXPECT @silu: silu=1

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16x32xf32>, %arg3: tensor<32x16xf32>, %arg4: tensor<32x16xf32>, %arg5: tensor<16xf32>, %arg6: tensor<8x16xf32>, %arg7: tensor<16x16xf32>, %arg8: tensor<16x16xf32>, %arg9: tensor<8x16xf32>, %arg10: tensor<16xf32>, %arg11: tensor<2xf32>, %arg12: tensor<2x6xi32>) -> (tensor<2x6x16xf32> {jax.result_info = "result"}) {
    %0 = call @_take(%arg0, %arg12) : (tensor<32x16xf32>, tensor<2x6xi32>) -> tensor<2x6x16xf32>
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
    %c_21 = stablehlo.constant dense<3> : tensor<i32>
    %78 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<i32>) -> tensor<2x1x6x1xi32>
    %79 = stablehlo.subtract %59, %78 : tensor<2x1x6x1xi32>
    %80 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x6x6xi32>
    %81 = stablehlo.broadcast_in_dim %79, dims = [0, 1, 2, 3] : (tensor<2x1x6x1xi32>) -> tensor<2x1x6x6xi32>
    %82 = stablehlo.compare GT, %80, %81, SIGNED : (tensor<2x1x6x6xi32>, tensor<2x1x6x6xi32>) -> tensor<2x1x6x6xi1>
    %c_22 = stablehlo.constant dense<true> : tensor<i1>
    %83 = stablehlo.broadcast_in_dim %c_22, dims = [] : (tensor<i1>) -> tensor<2x1x6x6xi1>
    %84 = stablehlo.and %83, %82 : tensor<2x1x6x6xi1>
    %85 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x6x6xi32>
    %86 = stablehlo.broadcast_in_dim %59, dims = [0, 1, 2, 3] : (tensor<2x1x6x1xi32>) -> tensor<2x1x6x6xi32>
    %87 = stablehlo.compare LE, %85, %86, SIGNED : (tensor<2x1x6x6xi32>, tensor<2x1x6x6xi32>) -> tensor<2x1x6x6xi1>
    %88 = stablehlo.and %84, %87 : tensor<2x1x6x6xi1>
    %c_23 = stablehlo.constant dense<true> : tensor<i1>
    %89 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<i1>) -> tensor<2x1x6x6xi1>
    %90 = stablehlo.and %89, %88 : tensor<2x1x6x6xi1>
    %91 = stablehlo.broadcast_in_dim %27, dims = [0] : (tensor<2xi32>) -> tensor<2x1x1x1xi32>
    %92 = stablehlo.broadcast_in_dim %34, dims = [2] : (tensor<6xi32>) -> tensor<1x1x6x1xi32>
    %c_24 = stablehlo.constant dense<0> : tensor<i32>
    %93 = stablehlo.broadcast_in_dim %c_24, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %94 = stablehlo.compare LT, %91, %93, SIGNED : (tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>) -> tensor<2x1x1x1xi1>
    %c_25 = stablehlo.constant dense<2> : tensor<i32>
    %95 = stablehlo.broadcast_in_dim %c_25, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %96 = stablehlo.add %91, %95 : tensor<2x1x1x1xi32>
    %97 = stablehlo.select %94, %96, %91 : tensor<2x1x1x1xi1>, tensor<2x1x1x1xi32>
    %c_26 = stablehlo.constant dense<0> : tensor<i32>
    %98 = stablehlo.broadcast_in_dim %c_26, dims = [] : (tensor<i32>) -> tensor<1x1x6x1xi32>
    %99 = stablehlo.compare LT, %92, %98, SIGNED : (tensor<1x1x6x1xi32>, tensor<1x1x6x1xi32>) -> tensor<1x1x6x1xi1>
    %c_27 = stablehlo.constant dense<6> : tensor<i32>
    %100 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<i32>) -> tensor<1x1x6x1xi32>
    %101 = stablehlo.add %92, %100 : tensor<1x1x6x1xi32>
    %102 = stablehlo.select %99, %101, %92 : tensor<1x1x6x1xi1>, tensor<1x1x6x1xi32>
    %103 = stablehlo.broadcast_in_dim %97, dims = [0, 1, 2, 3] : (tensor<2x1x1x1xi32>) -> tensor<2x1x6x1xi32>
    %104 = stablehlo.broadcast_in_dim %102, dims = [0, 1, 2, 3] : (tensor<1x1x6x1xi32>) -> tensor<2x1x6x1xi32>
    %105 = stablehlo.broadcast_in_dim %103, dims = [0, 1, 2, 3] : (tensor<2x1x6x1xi32>) -> tensor<2x1x6x1x1xi32>
    %106 = stablehlo.broadcast_in_dim %104, dims = [0, 1, 2, 3] : (tensor<2x1x6x1xi32>) -> tensor<2x1x6x1x1xi32>
    %107 = stablehlo.concatenate %105, %106, dim = 4 : (tensor<2x1x6x1x1xi32>, tensor<2x1x6x1x1xi32>) -> tensor<2x1x6x1x2xi32>
    %108 = "stablehlo.gather"(%21, %107) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 4>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<2x6xi32>, tensor<2x1x6x1x2xi32>) -> tensor<2x1x6x1xi32>
    %109 = stablehlo.broadcast_in_dim %27, dims = [0] : (tensor<2xi32>) -> tensor<2x1x1x1xi32>
    %110 = stablehlo.broadcast_in_dim %41, dims = [3] : (tensor<6xi32>) -> tensor<1x1x1x6xi32>
    %c_28 = stablehlo.constant dense<0> : tensor<i32>
    %111 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %112 = stablehlo.compare LT, %109, %111, SIGNED : (tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>) -> tensor<2x1x1x1xi1>
    %c_29 = stablehlo.constant dense<2> : tensor<i32>
    %113 = stablehlo.broadcast_in_dim %c_29, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %114 = stablehlo.add %109, %113 : tensor<2x1x1x1xi32>
    %115 = stablehlo.select %112, %114, %109 : tensor<2x1x1x1xi1>, tensor<2x1x1x1xi32>
    %c_30 = stablehlo.constant dense<0> : tensor<i32>
    %116 = stablehlo.broadcast_in_dim %c_30, dims = [] : (tensor<i32>) -> tensor<1x1x1x6xi32>
    %117 = stablehlo.compare LT, %110, %116, SIGNED : (tensor<1x1x1x6xi32>, tensor<1x1x1x6xi32>) -> tensor<1x1x1x6xi1>
    %c_31 = stablehlo.constant dense<6> : tensor<i32>
    %118 = stablehlo.broadcast_in_dim %c_31, dims = [] : (tensor<i32>) -> tensor<1x1x1x6xi32>
    %119 = stablehlo.add %110, %118 : tensor<1x1x1x6xi32>
    %120 = stablehlo.select %117, %119, %110 : tensor<1x1x1x6xi1>, tensor<1x1x1x6xi32>
    %121 = stablehlo.broadcast_in_dim %115, dims = [0, 1, 2, 3] : (tensor<2x1x1x1xi32>) -> tensor<2x1x1x6xi32>
    %122 = stablehlo.broadcast_in_dim %120, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xi32>) -> tensor<2x1x1x6xi32>
    %123 = stablehlo.broadcast_in_dim %121, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x1x6x1xi32>
    %124 = stablehlo.broadcast_in_dim %122, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x1x6x1xi32>
    %125 = stablehlo.concatenate %123, %124, dim = 4 : (tensor<2x1x1x6x1xi32>, tensor<2x1x1x6x1xi32>) -> tensor<2x1x1x6x2xi32>
    %126 = "stablehlo.gather"(%21, %125) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 4>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<2x6xi32>, tensor<2x1x1x6x2xi32>) -> tensor<2x1x1x6xi32>
    %127 = stablehlo.broadcast_in_dim %108, dims = [0, 1, 2, 3] : (tensor<2x1x6x1xi32>) -> tensor<2x1x6x6xi32>
    %128 = stablehlo.broadcast_in_dim %126, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x6x6xi32>
    %129 = stablehlo.compare EQ, %127, %128, SIGNED : (tensor<2x1x6x6xi32>, tensor<2x1x6x6xi32>) -> tensor<2x1x6x6xi1>
    %130 = stablehlo.and %90, %129 : tensor<2x1x6x6xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_32 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %131 = call @_where_1(%130, %cst, %cst_32) : (tensor<2x1x6x6xi1>, tensor<f32>, tensor<f32>) -> tensor<2x1x6x6xf32>
    %132 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x6xi32>) -> tensor<1x6x1xi32>
    %133 = stablehlo.convert %132 : (tensor<1x6x1xi32>) -> tensor<1x6x1xf32>
    %134 = stablehlo.broadcast_in_dim %arg11, dims = [2] : (tensor<2xf32>) -> tensor<1x1x2xf32>
    %135 = stablehlo.broadcast_in_dim %133, dims = [0, 1, 2] : (tensor<1x6x1xf32>) -> tensor<1x6x2xf32>
    %136 = stablehlo.broadcast_in_dim %134, dims = [0, 1, 2] : (tensor<1x1x2xf32>) -> tensor<1x6x2xf32>
    %137 = stablehlo.multiply %135, %136 : tensor<1x6x2xf32>
    %138 = stablehlo.concatenate %137, %137, dim = 2 : (tensor<1x6x2xf32>, tensor<1x6x2xf32>) -> tensor<1x6x4xf32>
    %139 = stablehlo.cosine %138 : tensor<1x6x4xf32>
    %cst_33 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %140 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<1x6x4xf32>
    %141 = stablehlo.multiply %139, %140 : tensor<1x6x4xf32>
    %142 = stablehlo.sine %138 : tensor<1x6x4xf32>
    %cst_34 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<1x6x4xf32>
    %144 = stablehlo.multiply %142, %143 : tensor<1x6x4xf32>
    %cst_35 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %145 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %146 = stablehlo.power %0, %145 : tensor<2x6x16xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %147 = stablehlo.reduce(%146 init: %cst_36) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %148 = stablehlo.broadcast_in_dim %147, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_37 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %150 = stablehlo.divide %148, %149 : tensor<2x6x1xf32>
    %cst_38 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %151 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %152 = stablehlo.add %150, %151 : tensor<2x6x1xf32>
    %153 = stablehlo.rsqrt %152 : tensor<2x6x1xf32>
    %154 = stablehlo.broadcast_in_dim %153, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %155 = stablehlo.multiply %0, %154 : tensor<2x6x16xf32>
    %156 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %157 = stablehlo.broadcast_in_dim %156, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %158 = stablehlo.multiply %157, %155 : tensor<2x6x16xf32>
    %159 = stablehlo.dot_general %158, %arg8, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %160 = stablehlo.reshape %159 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %161 = stablehlo.transpose %160, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %162 = stablehlo.dot_general %158, %arg6, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<8x16xf32>) -> tensor<2x6x8xf32>
    %163 = stablehlo.reshape %162 : (tensor<2x6x8xf32>) -> tensor<2x6x2x4xf32>
    %164 = stablehlo.transpose %163, dims = [0, 2, 1, 3] : (tensor<2x6x2x4xf32>) -> tensor<2x2x6x4xf32>
    %165 = stablehlo.dot_general %158, %arg9, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<8x16xf32>) -> tensor<2x6x8xf32>
    %166 = stablehlo.reshape %165 : (tensor<2x6x8xf32>) -> tensor<2x6x2x4xf32>
    %167 = stablehlo.transpose %166, dims = [0, 2, 1, 3] : (tensor<2x6x2x4xf32>) -> tensor<2x2x6x4xf32>
    %168 = stablehlo.broadcast_in_dim %141, dims = [0, 2, 3] : (tensor<1x6x4xf32>) -> tensor<1x1x6x4xf32>
    %169 = stablehlo.broadcast_in_dim %144, dims = [0, 2, 3] : (tensor<1x6x4xf32>) -> tensor<1x1x6x4xf32>
    %170 = stablehlo.broadcast_in_dim %168, dims = [0, 1, 2, 3] : (tensor<1x1x6x4xf32>) -> tensor<2x4x6x4xf32>
    %171 = stablehlo.multiply %161, %170 : tensor<2x4x6x4xf32>
    %172 = stablehlo.slice %161 [0:2, 0:4, 0:6, 2:4] : (tensor<2x4x6x4xf32>) -> tensor<2x4x6x2xf32>
    %cst_39 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %173 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<2x4x6x2xf32>
    %174 = stablehlo.multiply %173, %172 : tensor<2x4x6x2xf32>
    %175 = stablehlo.slice %161 [0:2, 0:4, 0:6, 0:2] : (tensor<2x4x6x4xf32>) -> tensor<2x4x6x2xf32>
    %176 = stablehlo.concatenate %174, %175, dim = 3 : (tensor<2x4x6x2xf32>, tensor<2x4x6x2xf32>) -> tensor<2x4x6x4xf32>
    %177 = stablehlo.broadcast_in_dim %169, dims = [0, 1, 2, 3] : (tensor<1x1x6x4xf32>) -> tensor<2x4x6x4xf32>
    %178 = stablehlo.multiply %176, %177 : tensor<2x4x6x4xf32>
    %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %179 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<2x4x6x4xf32>
    %180 = stablehlo.multiply %178, %179 : tensor<2x4x6x4xf32>
    %181 = stablehlo.add %171, %180 : tensor<2x4x6x4xf32>
    %182 = stablehlo.broadcast_in_dim %168, dims = [0, 1, 2, 3] : (tensor<1x1x6x4xf32>) -> tensor<2x2x6x4xf32>
    %183 = stablehlo.multiply %164, %182 : tensor<2x2x6x4xf32>
    %184 = stablehlo.slice %164 [0:2, 0:2, 0:6, 2:4] : (tensor<2x2x6x4xf32>) -> tensor<2x2x6x2xf32>
    %cst_41 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %185 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<2x2x6x2xf32>
    %186 = stablehlo.multiply %185, %184 : tensor<2x2x6x2xf32>
    %187 = stablehlo.slice %164 [0:2, 0:2, 0:6, 0:2] : (tensor<2x2x6x4xf32>) -> tensor<2x2x6x2xf32>
    %188 = stablehlo.concatenate %186, %187, dim = 3 : (tensor<2x2x6x2xf32>, tensor<2x2x6x2xf32>) -> tensor<2x2x6x4xf32>
    %189 = stablehlo.broadcast_in_dim %169, dims = [0, 1, 2, 3] : (tensor<1x1x6x4xf32>) -> tensor<2x2x6x4xf32>
    %190 = stablehlo.multiply %188, %189 : tensor<2x2x6x4xf32>
    %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %191 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<2x2x6x4xf32>
    %192 = stablehlo.multiply %190, %191 : tensor<2x2x6x4xf32>
    %193 = stablehlo.add %183, %192 : tensor<2x2x6x4xf32>
    %194 = stablehlo.broadcast_in_dim %193, dims = [0, 1, 3, 4] : (tensor<2x2x6x4xf32>) -> tensor<2x2x1x6x4xf32>
    %195 = stablehlo.broadcast_in_dim %194, dims = [0, 1, 2, 3, 4] : (tensor<2x2x1x6x4xf32>) -> tensor<2x2x2x6x4xf32>
    %196 = stablehlo.reshape %195 : (tensor<2x2x2x6x4xf32>) -> tensor<2x4x6x4xf32>
    %197 = stablehlo.broadcast_in_dim %167, dims = [0, 1, 3, 4] : (tensor<2x2x6x4xf32>) -> tensor<2x2x1x6x4xf32>
    %198 = stablehlo.broadcast_in_dim %197, dims = [0, 1, 2, 3, 4] : (tensor<2x2x1x6x4xf32>) -> tensor<2x2x2x6x4xf32>
    %199 = stablehlo.reshape %198 : (tensor<2x2x2x6x4xf32>) -> tensor<2x4x6x4xf32>
    %200 = stablehlo.transpose %196, dims = [0, 1, 3, 2] : (tensor<2x4x6x4xf32>) -> tensor<2x4x4x6xf32>
    %201 = stablehlo.reshape %181 : (tensor<2x4x6x4xf32>) -> tensor<8x6x4xf32>
    %202 = stablehlo.reshape %200 : (tensor<2x4x4x6xf32>) -> tensor<8x4x6xf32>
    %203 = stablehlo.dot_general %201, %202, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x4xf32>, tensor<8x4x6xf32>) -> tensor<8x6x6xf32>
    %204 = stablehlo.reshape %203 : (tensor<8x6x6xf32>) -> tensor<2x4x6x6xf32>
    %cst_43 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %205 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %206 = stablehlo.multiply %204, %205 : tensor<2x4x6x6xf32>
    %cst_44 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %207 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<2x1x6x6xf32>
    %208 = stablehlo.multiply %131, %207 : tensor<2x1x6x6xf32>
    %209 = stablehlo.broadcast_in_dim %208, dims = [0, 1, 2, 3] : (tensor<2x1x6x6xf32>) -> tensor<2x4x6x6xf32>
    %210 = stablehlo.add %206, %209 : tensor<2x4x6x6xf32>
    %cst_45 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %211 = stablehlo.reduce(%210 init: %cst_45) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %cst_46 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %212 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
    %213 = stablehlo.maximum %212, %211 : tensor<2x4x6xf32>
    %214 = stablehlo.broadcast_in_dim %213, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %215 = stablehlo.broadcast_in_dim %214, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %216 = stablehlo.subtract %210, %215 : tensor<2x4x6x6xf32>
    %217 = stablehlo.exponential %216 : tensor<2x4x6x6xf32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %218 = stablehlo.reduce(%217 init: %cst_47) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %219 = stablehlo.broadcast_in_dim %218, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %220 = stablehlo.broadcast_in_dim %219, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %221 = stablehlo.divide %217, %220 : tensor<2x4x6x6xf32>
    %222 = stablehlo.reshape %221 : (tensor<2x4x6x6xf32>) -> tensor<8x6x6xf32>
    %223 = stablehlo.reshape %199 : (tensor<2x4x6x4xf32>) -> tensor<8x6x4xf32>
    %224 = stablehlo.dot_general %222, %223, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x6xf32>, tensor<8x6x4xf32>) -> tensor<8x6x4xf32>
    %225 = stablehlo.reshape %224 : (tensor<8x6x4xf32>) -> tensor<2x4x6x4xf32>
    %226 = stablehlo.transpose %225, dims = [0, 2, 1, 3] : (tensor<2x4x6x4xf32>) -> tensor<2x6x4x4xf32>
    %227 = stablehlo.reshape %226 : (tensor<2x6x4x4xf32>) -> tensor<2x6x16xf32>
    %228 = stablehlo.dot_general %227, %arg7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %cst_48 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %229 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %230 = stablehlo.multiply %228, %229 : tensor<2x6x16xf32>
    %231 = stablehlo.add %0, %230 : tensor<2x6x16xf32>
    %cst_49 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %232 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %233 = stablehlo.power %231, %232 : tensor<2x6x16xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %234 = stablehlo.reduce(%233 init: %cst_50) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %235 = stablehlo.broadcast_in_dim %234, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_51 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %236 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %237 = stablehlo.divide %235, %236 : tensor<2x6x1xf32>
    %cst_52 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %238 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %239 = stablehlo.add %237, %238 : tensor<2x6x1xf32>
    %240 = stablehlo.rsqrt %239 : tensor<2x6x1xf32>
    %241 = stablehlo.broadcast_in_dim %240, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %242 = stablehlo.multiply %231, %241 : tensor<2x6x16xf32>
    %243 = stablehlo.broadcast_in_dim %arg5, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %244 = stablehlo.broadcast_in_dim %243, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %245 = stablehlo.multiply %244, %242 : tensor<2x6x16xf32>
    %246 = stablehlo.dot_general %245, %arg3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<32x16xf32>) -> tensor<2x6x32xf32>
    %247 = call @silu(%246) : (tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %248 = stablehlo.dot_general %245, %arg4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<32x16xf32>) -> tensor<2x6x32xf32>
    %249 = stablehlo.multiply %247, %248 : tensor<2x6x32xf32>
    %250 = stablehlo.dot_general %249, %arg2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x32xf32>, tensor<16x32xf32>) -> tensor<2x6x16xf32>
    %cst_53 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %251 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %252 = stablehlo.multiply %250, %251 : tensor<2x6x16xf32>
    %253 = stablehlo.add %231, %252 : tensor<2x6x16xf32>
    %cst_54 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %254 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %255 = stablehlo.power %253, %254 : tensor<2x6x16xf32>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %256 = stablehlo.reduce(%255 init: %cst_55) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %257 = stablehlo.broadcast_in_dim %256, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_56 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %258 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %259 = stablehlo.divide %257, %258 : tensor<2x6x1xf32>
    %cst_57 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %260 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %261 = stablehlo.add %259, %260 : tensor<2x6x1xf32>
    %262 = stablehlo.rsqrt %261 : tensor<2x6x1xf32>
    %263 = stablehlo.broadcast_in_dim %262, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %264 = stablehlo.multiply %253, %263 : tensor<2x6x16xf32>
    %265 = stablehlo.broadcast_in_dim %arg10, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %266 = stablehlo.broadcast_in_dim %265, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %267 = stablehlo.multiply %266, %264 : tensor<2x6x16xf32>
    return %267 : tensor<2x6x16xf32>
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
