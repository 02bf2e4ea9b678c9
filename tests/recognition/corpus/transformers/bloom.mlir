// Producer: transformers 5.24.0 on torchax 0.0.13, jax 0.10.2
// Module: BloomModel, eager attention
// EXPECT @main: attention=1 layer_norm=4 linear=2 transformer_mlp=1
// EXPECT @_take: embedding=1

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16xf32>, %arg3: tensor<16x64xf32>, %arg4: tensor<64xf32>, %arg5: tensor<64x16xf32>, %arg6: tensor<16xf32>, %arg7: tensor<16xf32>, %arg8: tensor<16xf32>, %arg9: tensor<16x16xf32>, %arg10: tensor<48xf32>, %arg11: tensor<48x16xf32>, %arg12: tensor<16xf32>, %arg13: tensor<16xf32>, %arg14: tensor<32x16xf32>, %arg15: tensor<16xf32>, %arg16: tensor<16xf32>, %arg17: tensor<2x6xi32>, %arg18: tensor<2x6xi32>) -> (tensor<2x6x16xf32> {jax.result_info = "result"}) {
    %0 = call @_take(%arg14, %arg17) : (tensor<32x16xf32>, tensor<2x6xi32>) -> tensor<2x6x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<2x6x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5 = call @_var(%0, %c) : (tensor<2x6x16xf32>, tensor<i32>) -> tensor<2x6x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %7 = stablehlo.add %5, %6 : tensor<2x6x1xf32>
    %8 = stablehlo.rsqrt %7 : tensor<2x6x1xf32>
    %9 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %10 = stablehlo.subtract %0, %9 : tensor<2x6x16xf32>
    %11 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %12 = stablehlo.multiply %10, %11 : tensor<2x6x16xf32>
    %13 = stablehlo.broadcast_in_dim %arg16, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %15 = stablehlo.multiply %12, %14 : tensor<2x6x16xf32>
    %16 = stablehlo.broadcast_in_dim %arg15, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %18 = stablehlo.add %15, %17 : tensor<2x6x16xf32>
    %19 = stablehlo.iota dim = 0 : tensor<4xi32>
    %c_2 = stablehlo.constant dense<1> : tensor<i32>
    %20 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %21 = stablehlo.multiply %20, %19 : tensor<4xi32>
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %22 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %23 = stablehlo.add %22, %21 : tensor<4xi32>
    %cst_4 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %24 = stablehlo.convert %23 : (tensor<4xi32>) -> tensor<4xf32>
    %25 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %26 = stablehlo.power %25, %24 : tensor<4xf32>
    %27 = call @cumsum(%arg18) : (tensor<2x6xi32>) -> tensor<2x6xi32>
    %c_5 = stablehlo.constant dense<1> : tensor<i32>
    %28 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<2x6xi32>
    %29 = stablehlo.subtract %27, %28 : tensor<2x6xi32>
    %30 = stablehlo.multiply %29, %arg18 : tensor<2x6xi32>
    %31 = stablehlo.broadcast_in_dim %26, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %32 = stablehlo.broadcast_in_dim %30, dims = [0, 2] : (tensor<2x6xi32>) -> tensor<2x1x6xi32>
    %33 = stablehlo.convert %32 : (tensor<2x1x6xi32>) -> tensor<2x1x6xf32>
    %34 = stablehlo.broadcast_in_dim %31, dims = [1, 2] : (tensor<4x1xf32>) -> tensor<1x4x1xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2] : (tensor<1x4x1xf32>) -> tensor<2x4x6xf32>
    %36 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2] : (tensor<2x1x6xf32>) -> tensor<2x4x6xf32>
    %37 = stablehlo.multiply %35, %36 : tensor<2x4x6xf32>
    %38 = stablehlo.reshape %37 : (tensor<2x4x6xf32>) -> tensor<8x1x6xf32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %39 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<2x6xi32>
    %40 = stablehlo.compare NE, %arg18, %39, SIGNED : (tensor<2x6xi32>, tensor<2x6xi32>) -> tensor<2x6xi1>
    %41 = stablehlo.convert %40 : tensor<2x6xi1>
    %42 = stablehlo.iota dim = 0 : tensor<2xi32>
    %c_7 = stablehlo.constant dense<1> : tensor<i32>
    %43 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %44 = stablehlo.multiply %43, %42 : tensor<2xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %45 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %46 = stablehlo.add %45, %44 : tensor<2xi32>
    %47 = stablehlo.iota dim = 0 : tensor<6xi32>
    %c_9 = stablehlo.constant dense<1> : tensor<i32>
    %48 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %49 = stablehlo.multiply %48, %47 : tensor<6xi32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %50 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %51 = stablehlo.add %50, %49 : tensor<6xi32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %52 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %53 = stablehlo.add %51, %52 : tensor<6xi32>
    %54 = stablehlo.iota dim = 0 : tensor<6xi32>
    %c_12 = stablehlo.constant dense<1> : tensor<i32>
    %55 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %56 = stablehlo.multiply %55, %54 : tensor<6xi32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %57 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %58 = stablehlo.add %57, %56 : tensor<6xi32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %59 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %60 = stablehlo.add %58, %59 : tensor<6xi32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [3] : (tensor<6xi32>) -> tensor<1x1x1x6xi32>
    %62 = stablehlo.broadcast_in_dim %53, dims = [2] : (tensor<6xi32>) -> tensor<1x1x6x1xi32>
    %63 = stablehlo.broadcast_in_dim %61, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xi32>) -> tensor<1x1x6x6xi32>
    %64 = stablehlo.broadcast_in_dim %62, dims = [0, 1, 2, 3] : (tensor<1x1x6x1xi32>) -> tensor<1x1x6x6xi32>
    %65 = stablehlo.compare LE, %63, %64, SIGNED : (tensor<1x1x6x6xi32>, tensor<1x1x6x6xi32>) -> tensor<1x1x6x6xi1>
    %c_15 = stablehlo.constant dense<true> : tensor<i1>
    %66 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i1>) -> tensor<1x1x6x6xi1>
    %67 = stablehlo.and %66, %65 : tensor<1x1x6x6xi1>
    %68 = stablehlo.broadcast_in_dim %46, dims = [0] : (tensor<2xi32>) -> tensor<2x1x1x1xi32>
    %69 = stablehlo.broadcast_in_dim %60, dims = [3] : (tensor<6xi32>) -> tensor<1x1x1x6xi32>
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %70 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %71 = stablehlo.compare LT, %68, %70, SIGNED : (tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>) -> tensor<2x1x1x1xi1>
    %c_17 = stablehlo.constant dense<2> : tensor<i32>
    %72 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %73 = stablehlo.add %68, %72 : tensor<2x1x1x1xi32>
    %74 = stablehlo.select %71, %73, %68 : tensor<2x1x1x1xi1>, tensor<2x1x1x1xi32>
    %c_18 = stablehlo.constant dense<0> : tensor<i32>
    %75 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i32>) -> tensor<1x1x1x6xi32>
    %76 = stablehlo.compare LT, %69, %75, SIGNED : (tensor<1x1x1x6xi32>, tensor<1x1x1x6xi32>) -> tensor<1x1x1x6xi1>
    %c_19 = stablehlo.constant dense<6> : tensor<i32>
    %77 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i32>) -> tensor<1x1x1x6xi32>
    %78 = stablehlo.add %69, %77 : tensor<1x1x1x6xi32>
    %79 = stablehlo.select %76, %78, %69 : tensor<1x1x1x6xi1>, tensor<1x1x1x6xi32>
    %80 = stablehlo.broadcast_in_dim %74, dims = [0, 1, 2, 3] : (tensor<2x1x1x1xi32>) -> tensor<2x1x1x6xi32>
    %81 = stablehlo.broadcast_in_dim %79, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xi32>) -> tensor<2x1x1x6xi32>
    %82 = stablehlo.broadcast_in_dim %80, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x1x6x1xi32>
    %83 = stablehlo.broadcast_in_dim %81, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi32>) -> tensor<2x1x1x6x1xi32>
    %84 = stablehlo.concatenate %82, %83, dim = 4 : (tensor<2x1x1x6x1xi32>, tensor<2x1x1x6x1xi32>) -> tensor<2x1x1x6x2xi32>
    %85 = "stablehlo.gather"(%41, %84) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 4>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<2x6xi1>, tensor<2x1x1x6x2xi32>) -> tensor<2x1x1x6xi1>
    %86 = stablehlo.broadcast_in_dim %67, dims = [0, 1, 2, 3] : (tensor<1x1x6x6xi1>) -> tensor<2x1x6x6xi1>
    %87 = stablehlo.broadcast_in_dim %85, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi1>) -> tensor<2x1x6x6xi1>
    %88 = stablehlo.and %86, %87 : tensor<2x1x6x6xi1>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_21 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %89 = call @_where_2(%88, %cst_20, %cst_21) : (tensor<2x1x6x6xi1>, tensor<f32>, tensor<f32>) -> tensor<2x1x6x6xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %90 = stablehlo.reduce(%18 init: %cst_22) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %91 = stablehlo.broadcast_in_dim %90, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_23 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %93 = stablehlo.divide %91, %92 : tensor<2x6x1xf32>
    %c_24 = stablehlo.constant dense<0> : tensor<i32>
    %94 = call @_var(%18, %c_24) : (tensor<2x6x16xf32>, tensor<i32>) -> tensor<2x6x1xf32>
    %cst_25 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %96 = stablehlo.add %94, %95 : tensor<2x6x1xf32>
    %97 = stablehlo.rsqrt %96 : tensor<2x6x1xf32>
    %98 = stablehlo.broadcast_in_dim %93, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %99 = stablehlo.subtract %18, %98 : tensor<2x6x16xf32>
    %100 = stablehlo.broadcast_in_dim %97, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %101 = stablehlo.multiply %99, %100 : tensor<2x6x16xf32>
    %102 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %103 = stablehlo.broadcast_in_dim %102, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %104 = stablehlo.multiply %101, %103 : tensor<2x6x16xf32>
    %105 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %106 = stablehlo.broadcast_in_dim %105, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %107 = stablehlo.add %104, %106 : tensor<2x6x16xf32>
    %108 = stablehlo.dot_general %107, %arg11, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<48x16xf32>) -> tensor<2x6x48xf32>
    %109 = stablehlo.broadcast_in_dim %arg10, dims = [2] : (tensor<48xf32>) -> tensor<1x1x48xf32>
    %110 = stablehlo.broadcast_in_dim %109, dims = [0, 1, 2] : (tensor<1x1x48xf32>) -> tensor<2x6x48xf32>
    %111 = stablehlo.add %108, %110 : tensor<2x6x48xf32>
    %112 = stablehlo.reshape %111 : (tensor<2x6x48xf32>) -> tensor<2x6x4x3x4xf32>
    %113 = stablehlo.slice %112 [0:2, 0:6, 0:4, 0:1, 0:4] : (tensor<2x6x4x3x4xf32>) -> tensor<2x6x4x1x4xf32>
    %114 = stablehlo.reshape %113 : (tensor<2x6x4x1x4xf32>) -> tensor<2x6x4x4xf32>
    %115 = stablehlo.transpose %114, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %116 = stablehlo.slice %112 [0:2, 0:6, 0:4, 1:2, 0:4] : (tensor<2x6x4x3x4xf32>) -> tensor<2x6x4x1x4xf32>
    %117 = stablehlo.reshape %116 : (tensor<2x6x4x1x4xf32>) -> tensor<2x6x4x4xf32>
    %118 = stablehlo.transpose %117, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %119 = stablehlo.slice %112 [0:2, 0:6, 0:4, 2:3, 0:4] : (tensor<2x6x4x3x4xf32>) -> tensor<2x6x4x1x4xf32>
    %120 = stablehlo.reshape %119 : (tensor<2x6x4x1x4xf32>) -> tensor<2x6x4x4xf32>
    %121 = stablehlo.transpose %120, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %122 = stablehlo.reshape %115 : (tensor<2x4x6x4xf32>) -> tensor<8x6x4xf32>
    %123 = stablehlo.reshape %118 : (tensor<2x4x6x4xf32>) -> tensor<8x6x4xf32>
    %124 = stablehlo.transpose %123, dims = [0, 2, 1] : (tensor<8x6x4xf32>) -> tensor<8x4x6xf32>
    %125 = stablehlo.reshape %121 : (tensor<2x4x6x4xf32>) -> tensor<8x6x4xf32>
    %126 = stablehlo.dot_general %122, %124, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x4xf32>, tensor<8x4x6xf32>) -> tensor<8x6x6xf32>
    %cst_26 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %127 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8x6x6xf32>
    %128 = stablehlo.multiply %126, %127 : tensor<8x6x6xf32>
    %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8x6x6xf32>
    %130 = stablehlo.multiply %128, %129 : tensor<8x6x6xf32>
    %131 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2] : (tensor<8x1x6xf32>) -> tensor<8x6x6xf32>
    %132 = stablehlo.add %131, %130 : tensor<8x6x6xf32>
    %133 = stablehlo.reshape %132 : (tensor<8x6x6xf32>) -> tensor<2x4x6x6xf32>
    %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<2x1x6x6xf32>
    %135 = stablehlo.multiply %89, %134 : tensor<2x1x6x6xf32>
    %136 = stablehlo.broadcast_in_dim %135, dims = [0, 1, 2, 3] : (tensor<2x1x6x6xf32>) -> tensor<2x4x6x6xf32>
    %137 = stablehlo.add %133, %136 : tensor<2x4x6x6xf32>
    %cst_29 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %138 = stablehlo.reduce(%137 init: %cst_29) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %cst_30 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %139 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
    %140 = stablehlo.maximum %139, %138 : tensor<2x4x6xf32>
    %141 = stablehlo.broadcast_in_dim %140, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %142 = stablehlo.broadcast_in_dim %141, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %143 = stablehlo.subtract %137, %142 : tensor<2x4x6x6xf32>
    %144 = stablehlo.exponential %143 : tensor<2x4x6x6xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %145 = stablehlo.reduce(%144 init: %cst_31) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %146 = stablehlo.broadcast_in_dim %145, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %147 = stablehlo.broadcast_in_dim %146, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %148 = stablehlo.divide %144, %147 : tensor<2x4x6x6xf32>
    %149 = stablehlo.reshape %148 : (tensor<2x4x6x6xf32>) -> tensor<8x6x6xf32>
    %150 = stablehlo.dot_general %149, %125, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x6xf32>, tensor<8x6x4xf32>) -> tensor<8x6x4xf32>
    %151 = stablehlo.reshape %150 : (tensor<8x6x4xf32>) -> tensor<2x4x6x4xf32>
    %152 = stablehlo.transpose %151, dims = [0, 2, 1, 3] : (tensor<2x4x6x4xf32>) -> tensor<2x6x4x4xf32>
    %153 = stablehlo.reshape %152 : (tensor<2x6x4x4xf32>) -> tensor<2x6x16xf32>
    %154 = stablehlo.dot_general %153, %arg9, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %155 = stablehlo.broadcast_in_dim %arg8, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %156 = stablehlo.broadcast_in_dim %155, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %157 = stablehlo.add %154, %156 : tensor<2x6x16xf32>
    %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %158 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %159 = stablehlo.multiply %157, %158 : tensor<2x6x16xf32>
    %160 = stablehlo.add %18, %159 : tensor<2x6x16xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %161 = stablehlo.reduce(%160 init: %cst_33) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %162 = stablehlo.broadcast_in_dim %161, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_34 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %163 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %164 = stablehlo.divide %162, %163 : tensor<2x6x1xf32>
    %c_35 = stablehlo.constant dense<0> : tensor<i32>
    %165 = call @_var(%160, %c_35) : (tensor<2x6x16xf32>, tensor<i32>) -> tensor<2x6x1xf32>
    %cst_36 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %166 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %167 = stablehlo.add %165, %166 : tensor<2x6x1xf32>
    %168 = stablehlo.rsqrt %167 : tensor<2x6x1xf32>
    %169 = stablehlo.broadcast_in_dim %164, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %170 = stablehlo.subtract %160, %169 : tensor<2x6x16xf32>
    %171 = stablehlo.broadcast_in_dim %168, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %172 = stablehlo.multiply %170, %171 : tensor<2x6x16xf32>
    %173 = stablehlo.broadcast_in_dim %arg7, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %174 = stablehlo.broadcast_in_dim %173, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %175 = stablehlo.multiply %172, %174 : tensor<2x6x16xf32>
    %176 = stablehlo.broadcast_in_dim %arg6, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %177 = stablehlo.broadcast_in_dim %176, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %178 = stablehlo.add %175, %177 : tensor<2x6x16xf32>
    %179 = stablehlo.dot_general %178, %arg5, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<64x16xf32>) -> tensor<2x6x64xf32>
    %180 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %181 = stablehlo.broadcast_in_dim %180, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<2x6x64xf32>
    %182 = stablehlo.add %179, %181 : tensor<2x6x64xf32>
    %cst_37 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %183 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<2x6x64xf32>
    %184 = stablehlo.multiply %182, %183 : tensor<2x6x64xf32>
    %cst_38 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %185 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<2x6x64xf32>
    %186 = stablehlo.multiply %182, %185 : tensor<2x6x64xf32>
    %cst_39 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %187 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<2x6x64xf32>
    %188 = stablehlo.multiply %182, %187 : tensor<2x6x64xf32>
    %189 = stablehlo.multiply %188, %182 : tensor<2x6x64xf32>
    %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %190 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<2x6x64xf32>
    %191 = stablehlo.add %189, %190 : tensor<2x6x64xf32>
    %192 = stablehlo.multiply %186, %191 : tensor<2x6x64xf32>
    %193 = stablehlo.tanh %192 : tensor<2x6x64xf32>
    %cst_41 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %194 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<2x6x64xf32>
    %195 = stablehlo.add %193, %194 : tensor<2x6x64xf32>
    %196 = stablehlo.multiply %184, %195 : tensor<2x6x64xf32>
    %197 = stablehlo.dot_general %196, %arg3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x64xf32>, tensor<16x64xf32>) -> tensor<2x6x16xf32>
    %198 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %199 = stablehlo.broadcast_in_dim %198, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %200 = stablehlo.add %197, %199 : tensor<2x6x16xf32>
    %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %201 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %202 = stablehlo.multiply %200, %201 : tensor<2x6x16xf32>
    %203 = stablehlo.add %160, %202 : tensor<2x6x16xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %204 = stablehlo.reduce(%203 init: %cst_43) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %205 = stablehlo.broadcast_in_dim %204, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_44 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %206 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %207 = stablehlo.divide %205, %206 : tensor<2x6x1xf32>
    %c_45 = stablehlo.constant dense<0> : tensor<i32>
    %208 = call @_var(%203, %c_45) : (tensor<2x6x16xf32>, tensor<i32>) -> tensor<2x6x1xf32>
    %cst_46 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %209 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %210 = stablehlo.add %208, %209 : tensor<2x6x1xf32>
    %211 = stablehlo.rsqrt %210 : tensor<2x6x1xf32>
    %212 = stablehlo.broadcast_in_dim %207, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %213 = stablehlo.subtract %203, %212 : tensor<2x6x16xf32>
    %214 = stablehlo.broadcast_in_dim %211, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %215 = stablehlo.multiply %213, %214 : tensor<2x6x16xf32>
    %216 = stablehlo.broadcast_in_dim %arg13, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %217 = stablehlo.broadcast_in_dim %216, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %218 = stablehlo.multiply %215, %217 : tensor<2x6x16xf32>
    %219 = stablehlo.broadcast_in_dim %arg12, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %220 = stablehlo.broadcast_in_dim %219, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %221 = stablehlo.add %218, %220 : tensor<2x6x16xf32>
    return %221 : tensor<2x6x16xf32>
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
    %14 = call @_where_0(%13, %12, %cst_4) : (tensor<i1>, tensor<2x6x1xf32>, tensor<f32>) -> tensor<2x6x1xf32>
    return %14 : tensor<2x6x1xf32>
  }
  func.func private @_where_0(%arg0: tensor<i1>, %arg1: tensor<2x6x1xf32>, %arg2: tensor<f32>) -> tensor<2x6x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<2x6x1xf32>
    return %2 : tensor<2x6x1xf32>
  }
  func.func private @cumsum(%arg0: tensor<2x6xi32>) -> tensor<2x6xi32> {
    %0 = call @cumsum_1(%arg0) : (tensor<2x6xi32>) -> tensor<2x6xi32>
    return %0 : tensor<2x6xi32>
  }
  func.func private @cumsum_1(%arg0: tensor<2x6xi32>) -> tensor<2x6xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [5, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 6>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<2x6xi32>, tensor<i32>) -> tensor<2x6xi32>
    return %1 : tensor<2x6xi32>
  }
  func.func private @_where_2(%arg0: tensor<2x1x6x6xi1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<2x1x6x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2x1x6x6xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x1x6x6xf32>
    %2 = stablehlo.select %arg0, %0, %1 : tensor<2x1x6x6xi1>, tensor<2x1x6x6xf32>
    return %2 : tensor<2x1x6x6xf32>
  }
}
