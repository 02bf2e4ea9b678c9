// Producer: transformers 5.24.0 on torchax 0.0.13, jax 0.10.2
// Module: OPTModel, eager attention
// EXPECT @main: attention=1 layer_norm=3 linear=4 transformer_mlp=1
// EXPECT @_take: embedding=1
// EXPECT @_take_2: embedding=1
// EXPECT @relu: relu=1

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<18x16xf32>, %arg1: tensor<32x16xf32>, %arg2: tensor<16xf32>, %arg3: tensor<16xf32>, %arg4: tensor<32xf32>, %arg5: tensor<32x16xf32>, %arg6: tensor<16xf32>, %arg7: tensor<16x32xf32>, %arg8: tensor<16xf32>, %arg9: tensor<16xf32>, %arg10: tensor<16xf32>, %arg11: tensor<16x16xf32>, %arg12: tensor<16xf32>, %arg13: tensor<16x16xf32>, %arg14: tensor<16xf32>, %arg15: tensor<16x16xf32>, %arg16: tensor<16xf32>, %arg17: tensor<16x16xf32>, %arg18: tensor<16xf32>, %arg19: tensor<16xf32>, %arg20: tensor<2x6xi32>, %arg21: tensor<2x6xi32>) -> (tensor<2x6x16xf32> {jax.result_info = "result"}) {
    %0 = call @_take(%arg1, %arg20) : (tensor<32x16xf32>, tensor<2x6xi32>) -> tensor<2x6x16xf32>
    %1 = call @cumsum(%arg21) : (tensor<2x6xi32>) -> tensor<2x6xi32>
    %2 = stablehlo.multiply %1, %arg21 : tensor<2x6xi32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x6xi32>
    %4 = stablehlo.subtract %2, %3 : tensor<2x6xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x6xi32>
    %6 = stablehlo.compare NE, %arg21, %5, SIGNED : (tensor<2x6xi32>, tensor<2x6xi32>) -> tensor<2x6xi1>
    %7 = stablehlo.convert %6 : tensor<2x6xi1>
    %8 = stablehlo.iota dim = 0 : tensor<2xi32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %10 = stablehlo.multiply %9, %8 : tensor<2xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %12 = stablehlo.add %11, %10 : tensor<2xi32>
    %13 = stablehlo.iota dim = 0 : tensor<6xi32>
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %14 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %15 = stablehlo.multiply %14, %13 : tensor<6xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %16 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %17 = stablehlo.add %16, %15 : tensor<6xi32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %18 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %19 = stablehlo.add %17, %18 : tensor<6xi32>
    %20 = stablehlo.iota dim = 0 : tensor<6xi32>
    %c_6 = stablehlo.constant dense<1> : tensor<i32>
    %21 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %22 = stablehlo.multiply %21, %20 : tensor<6xi32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %23 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %24 = stablehlo.add %23, %22 : tensor<6xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %25 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %26 = stablehlo.add %24, %25 : tensor<6xi32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [3] : (tensor<6xi32>) -> tensor<1x1x1x6xi32>
    %28 = stablehlo.broadcast_in_dim %19, dims = [2] : (tensor<6xi32>) -> tensor<1x1x6x1xi32>
    %29 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xi32>) -> tensor<1x1x6x6xi32>
    %30 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2, 3] : (tensor<1x1x6x1xi32>) -> tensor<1x1x6x6xi32>
    %31 = stablehlo.compare LE, %29, %30, SIGNED : (tensor<1x1x6x6xi32>, tensor<1x1x6x6xi32>) -> tensor<1x1x6x6xi1>
    %c_9 = stablehlo.constant dense<true> : tensor<i1>
    %32 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i1>) -> tensor<1x1x6x6xi1>
    %33 = stablehlo.and %32, %31 : tensor<1x1x6x6xi1>
    %34 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<2xi32>) -> tensor<2x1x1x1xi32>
    %35 = stablehlo.broadcast_in_dim %26, dims = [3] : (tensor<6xi32>) -> tensor<1x1x1x6xi32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %36 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %37 = stablehlo.compare LT, %34, %36, SIGNED : (tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>) -> tensor<2x1x1x1xi1>
    %c_11 = stablehlo.constant dense<2> : tensor<i32>
    %38 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %39 = stablehlo.add %34, %38 : tensor<2x1x1x1xi32>
    %40 = stablehlo.select %37, %39, %34 : tensor<2x1x1x1xi1>, tensor<2x1x1x1xi32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %41 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<1x1x1x6xi32>
    %42 = stablehlo.compare LT, %35, %41, SIGNED : (tensor<1x1x1x6xi32>, tensor<1x1x1x6xi32>) -> tensor<1x1x1x6xi1>
    %c_13 = stablehlo.constant dense<6> : tensor<i32>
    %43 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<1x1x1x6xi32>
    %44 = stablehlo.add %35, %43 : tensor<1x1x1x6xi32>
    %45 = stablehlo.select %42, %44, %35 : tensor<1x1x1x6xi1>, tensor<1x1x1x6xi32>
    %46 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2, 3] : (tensor<2x1x1x1xi32>) -> tensor<2x1x1x6xi32>
    %47 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xi32>) -> tensor<2x1x1x6xi32>
    %48 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x1x6x1xi32>
    %49 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x1x6x1xi32>
    %50 = stablehlo.concatenate %48, %49, dim = 4 : (tensor<2x1x1x6x1xi32>, tensor<2x1x1x6x1xi32>) -> tensor<2x1x1x6x2xi32>
    %51 = "stablehlo.gather"(%7, %50) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 4>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<2x6xi1>, tensor<2x1x1x6x2xi32>) -> tensor<2x1x1x6xi1>
    %52 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2, 3] : (tensor<1x1x6x6xi1>) -> tensor<2x1x6x6xi1>
    %53 = stablehlo.broadcast_in_dim %51, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi1>) -> tensor<2x1x6x6xi1>
    %54 = stablehlo.and %52, %53 : tensor<2x1x6x6xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_14 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %55 = call @_where_1(%54, %cst, %cst_14) : (tensor<2x1x6x6xi1>, tensor<f32>, tensor<f32>) -> tensor<2x1x6x6xf32>
    %c_15 = stablehlo.constant dense<2> : tensor<i32>
    %56 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<2x6xi32>
    %57 = stablehlo.add %4, %56 : tensor<2x6xi32>
    %58 = call @_take_2(%arg0, %57) : (tensor<18x16xf32>, tensor<2x6xi32>) -> tensor<2x6x16xf32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %60 = stablehlo.multiply %58, %59 : tensor<2x6x16xf32>
    %61 = stablehlo.add %0, %60 : tensor<2x6x16xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %62 = stablehlo.reduce(%61 init: %cst_17) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_18 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %65 = stablehlo.divide %63, %64 : tensor<2x6x1xf32>
    %c_19 = stablehlo.constant dense<0> : tensor<i32>
    %66 = call @_var(%61, %c_19) : (tensor<2x6x16xf32>, tensor<i32>) -> tensor<2x6x1xf32>
    %cst_20 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %68 = stablehlo.add %66, %67 : tensor<2x6x1xf32>
    %69 = stablehlo.rsqrt %68 : tensor<2x6x1xf32>
    %70 = stablehlo.broadcast_in_dim %65, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %71 = stablehlo.subtract %61, %70 : tensor<2x6x16xf32>
    %72 = stablehlo.broadcast_in_dim %69, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %73 = stablehlo.multiply %71, %72 : tensor<2x6x16xf32>
    %74 = stablehlo.broadcast_in_dim %arg19, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %75 = stablehlo.broadcast_in_dim %74, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %76 = stablehlo.multiply %73, %75 : tensor<2x6x16xf32>
    %77 = stablehlo.broadcast_in_dim %arg18, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %79 = stablehlo.add %76, %78 : tensor<2x6x16xf32>
    %80 = stablehlo.dot_general %79, %arg15, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %81 = stablehlo.broadcast_in_dim %arg14, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %83 = stablehlo.add %80, %82 : tensor<2x6x16xf32>
    %cst_21 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %85 = stablehlo.multiply %83, %84 : tensor<2x6x16xf32>
    %86 = stablehlo.reshape %85 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %87 = stablehlo.transpose %86, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %88 = stablehlo.dot_general %79, %arg11, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %89 = stablehlo.broadcast_in_dim %arg10, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %90 = stablehlo.broadcast_in_dim %89, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %91 = stablehlo.add %88, %90 : tensor<2x6x16xf32>
    %92 = stablehlo.dot_general %79, %arg17, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %93 = stablehlo.broadcast_in_dim %arg16, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %94 = stablehlo.broadcast_in_dim %93, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %95 = stablehlo.add %92, %94 : tensor<2x6x16xf32>
    %96 = stablehlo.reshape %91 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %97 = stablehlo.transpose %96, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %98 = stablehlo.reshape %95 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %99 = stablehlo.transpose %98, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %100 = stablehlo.transpose %97, dims = [0, 1, 3, 2] : (tensor<2x4x6x4xf32>) -> tensor<2x4x4x6xf32>
    %101 = stablehlo.reshape %87 : (tensor<2x4x6x4xf32>) -> tensor<8x6x4xf32>
    %102 = stablehlo.reshape %100 : (tensor<2x4x4x6xf32>) -> tensor<8x4x6xf32>
    %103 = stablehlo.dot_general %101, %102, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x4xf32>, tensor<8x4x6xf32>) -> tensor<8x6x6xf32>
    %104 = stablehlo.reshape %103 : (tensor<8x6x6xf32>) -> tensor<2x4x6x6xf32>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %106 = stablehlo.multiply %104, %105 : tensor<2x4x6x6xf32>
    %cst_23 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<2x1x6x6xf32>
    %108 = stablehlo.multiply %55, %107 : tensor<2x1x6x6xf32>
    %109 = stablehlo.broadcast_in_dim %108, dims = [0, 1, 2, 3] : (tensor<2x1x6x6xf32>) -> tensor<2x4x6x6xf32>
    %110 = stablehlo.add %106, %109 : tensor<2x4x6x6xf32>
    %cst_24 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %111 = stablehlo.reduce(%110 init: %cst_24) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %cst_25 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
    %113 = stablehlo.maximum %112, %111 : tensor<2x4x6xf32>
    %114 = stablehlo.broadcast_in_dim %113, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %115 = stablehlo.broadcast_in_dim %114, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %116 = stablehlo.subtract %110, %115 : tensor<2x4x6x6xf32>
    %117 = stablehlo.exponential %116 : tensor<2x4x6x6xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %118 = stablehlo.reduce(%117 init: %cst_26) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %119 = stablehlo.broadcast_in_dim %118, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %120 = stablehlo.broadcast_in_dim %119, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %121 = stablehlo.divide %117, %120 : tensor<2x4x6x6xf32>
    %122 = stablehlo.reshape %121 : (tensor<2x4x6x6xf32>) -> tensor<8x6x6xf32>
    %123 = stablehlo.reshape %99 : (tensor<2x4x6x4xf32>) -> tensor<8x6x4xf32>
    %124 = stablehlo.dot_general %122, %123, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x6xf32>, tensor<8x6x4xf32>) -> tensor<8x6x4xf32>
    %125 = stablehlo.reshape %124 : (tensor<8x6x4xf32>) -> tensor<2x4x6x4xf32>
    %126 = stablehlo.transpose %125, dims = [0, 2, 1, 3] : (tensor<2x4x6x4xf32>) -> tensor<2x6x4x4xf32>
    %127 = stablehlo.reshape %126 : (tensor<2x6x4x4xf32>) -> tensor<2x6x16xf32>
    %128 = stablehlo.dot_general %127, %arg13, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %129 = stablehlo.broadcast_in_dim %arg12, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %130 = stablehlo.broadcast_in_dim %129, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %131 = stablehlo.add %128, %130 : tensor<2x6x16xf32>
    %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %132 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %133 = stablehlo.multiply %131, %132 : tensor<2x6x16xf32>
    %134 = stablehlo.add %61, %133 : tensor<2x6x16xf32>
    %135 = stablehlo.reshape %134 : (tensor<2x6x16xf32>) -> tensor<12x16xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %136 = stablehlo.reduce(%135 init: %cst_28) applies stablehlo.add across dimensions = [1] : (tensor<12x16xf32>, tensor<f32>) -> tensor<12xf32>
    %137 = stablehlo.broadcast_in_dim %136, dims = [0] : (tensor<12xf32>) -> tensor<12x1xf32>
    %cst_29 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<12x1xf32>
    %139 = stablehlo.divide %137, %138 : tensor<12x1xf32>
    %c_30 = stablehlo.constant dense<0> : tensor<i32>
    %140 = call @_var_4(%135, %c_30) : (tensor<12x16xf32>, tensor<i32>) -> tensor<12x1xf32>
    %cst_31 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<12x1xf32>
    %142 = stablehlo.add %140, %141 : tensor<12x1xf32>
    %143 = stablehlo.rsqrt %142 : tensor<12x1xf32>
    %144 = stablehlo.broadcast_in_dim %139, dims = [0, 1] : (tensor<12x1xf32>) -> tensor<12x16xf32>
    %145 = stablehlo.subtract %135, %144 : tensor<12x16xf32>
    %146 = stablehlo.broadcast_in_dim %143, dims = [0, 1] : (tensor<12x1xf32>) -> tensor<12x16xf32>
    %147 = stablehlo.multiply %145, %146 : tensor<12x16xf32>
    %148 = stablehlo.broadcast_in_dim %arg9, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
    %149 = stablehlo.broadcast_in_dim %148, dims = [0, 1] : (tensor<1x16xf32>) -> tensor<12x16xf32>
    %150 = stablehlo.multiply %147, %149 : tensor<12x16xf32>
    %151 = stablehlo.broadcast_in_dim %arg8, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
    %152 = stablehlo.broadcast_in_dim %151, dims = [0, 1] : (tensor<1x16xf32>) -> tensor<12x16xf32>
    %153 = stablehlo.add %150, %152 : tensor<12x16xf32>
    %154 = stablehlo.dot_general %153, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<12x16xf32>, tensor<32x16xf32>) -> tensor<12x32xf32>
    %155 = stablehlo.broadcast_in_dim %arg4, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %156 = stablehlo.broadcast_in_dim %155, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<12x32xf32>
    %157 = stablehlo.add %154, %156 : tensor<12x32xf32>
    %158 = call @relu(%157) : (tensor<12x32xf32>) -> tensor<12x32xf32>
    %159 = stablehlo.dot_general %158, %arg7, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<12x32xf32>, tensor<16x32xf32>) -> tensor<12x16xf32>
    %160 = stablehlo.broadcast_in_dim %arg6, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
    %161 = stablehlo.broadcast_in_dim %160, dims = [0, 1] : (tensor<1x16xf32>) -> tensor<12x16xf32>
    %162 = stablehlo.add %159, %161 : tensor<12x16xf32>
    %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %163 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<12x16xf32>
    %164 = stablehlo.multiply %162, %163 : tensor<12x16xf32>
    %165 = stablehlo.add %135, %164 : tensor<12x16xf32>
    %166 = stablehlo.reshape %165 : (tensor<12x16xf32>) -> tensor<2x6x16xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %167 = stablehlo.reduce(%166 init: %cst_33) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %168 = stablehlo.broadcast_in_dim %167, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_34 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %169 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %170 = stablehlo.divide %168, %169 : tensor<2x6x1xf32>
    %c_35 = stablehlo.constant dense<0> : tensor<i32>
    %171 = call @_var(%166, %c_35) : (tensor<2x6x16xf32>, tensor<i32>) -> tensor<2x6x1xf32>
    %cst_36 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %172 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %173 = stablehlo.add %171, %172 : tensor<2x6x1xf32>
    %174 = stablehlo.rsqrt %173 : tensor<2x6x1xf32>
    %175 = stablehlo.broadcast_in_dim %170, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %176 = stablehlo.subtract %166, %175 : tensor<2x6x16xf32>
    %177 = stablehlo.broadcast_in_dim %174, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %178 = stablehlo.multiply %176, %177 : tensor<2x6x16xf32>
    %179 = stablehlo.broadcast_in_dim %arg3, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %180 = stablehlo.broadcast_in_dim %179, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %181 = stablehlo.multiply %178, %180 : tensor<2x6x16xf32>
    %182 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %183 = stablehlo.broadcast_in_dim %182, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %184 = stablehlo.add %181, %183 : tensor<2x6x16xf32>
    return %184 : tensor<2x6x16xf32>
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
  func.func private @cumsum(%arg0: tensor<2x6xi32>) -> tensor<2x6xi32> {
    %0 = call @cumsum_0(%arg0) : (tensor<2x6xi32>) -> tensor<2x6xi32>
    return %0 : tensor<2x6xi32>
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
  func.func private @_take_2(%arg0: tensor<18x16xf32>, %arg1: tensor<2x6xi32>) -> tensor<2x6x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x6xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<2x6xi32>, tensor<2x6xi32>) -> tensor<2x6xi1>
    %c_0 = stablehlo.constant dense<18> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x6xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<2x6xi32>
    %4 = call @_where(%1, %3, %arg1) : (tensor<2x6xi1>, tensor<2x6xi32>, tensor<2x6xi32>) -> tensor<2x6xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x6xi32>) -> tensor<2x6x1xi32>
    %c_1 = stablehlo.constant dense<17> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2x6x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<2x6x1xi32>, tensor<2x6x1xi32>) -> tensor<2x6x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<2x6x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<2x6x1xi32>, tensor<2x6x1xi32>) -> tensor<2x6x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<2x6x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<2x6x1xi1>, tensor<i1>) -> tensor<2x6xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<18x16xf32>, tensor<2x6x1xi32>) -> tensor<2x6x16xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<2x6xi1>) -> tensor<2x6x16xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %16 = stablehlo.select %14, %13, %15 : tensor<2x6x16xi1>, tensor<2x6x16xf32>
    return %16 : tensor<2x6x16xf32>
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
  func.func private @_var_4(%arg0: tensor<12x16xf32>, %arg1: tensor<i32>) -> tensor<12x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<12x16xf32>, tensor<f32>) -> tensor<12xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<12xf32>) -> tensor<12x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<12x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<12x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<12x1xf32>) -> tensor<12x16xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<12x16xf32>
    %6 = chlo.square %5 : tensor<12x16xf32> -> tensor<12x16xf32>
    %7 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %8 = stablehlo.subtract %cst_1, %7 : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<12x16xf32>, tensor<f32>) -> tensor<12xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<12xf32>) -> tensor<12x1xf32>
    %11 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<12x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<12x1xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.compare GT, %8, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = call @_where_5(%13, %12, %cst_4) : (tensor<i1>, tensor<12x1xf32>, tensor<f32>) -> tensor<12x1xf32>
    return %14 : tensor<12x1xf32>
  }
  func.func private @_where_5(%arg0: tensor<i1>, %arg1: tensor<12x1xf32>, %arg2: tensor<f32>) -> tensor<12x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<12x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<12x1xf32>
    return %2 : tensor<12x1xf32>
  }
  func.func private @relu(%arg0: tensor<12x32xf32>) -> tensor<12x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<12x32xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<12x32xf32>
    return %1 : tensor<12x32xf32>
  }
}
