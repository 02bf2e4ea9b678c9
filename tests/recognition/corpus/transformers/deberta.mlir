// Producer: transformers 5.24.0 on torchax 0.0.13, jax 0.10.2
// Module: DebertaModel, eager attention
// EXPECT @main: attention=1 layer_norm=3 linear=1 transformer_mlp=1
// EXPECT @_take: embedding=1
// EXPECT @_take_0: embedding=1

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16x16xf32>, %arg3: tensor<1x16xi32>, %arg4: tensor<32x16xf32>, %arg5: tensor<16xf32>, %arg6: tensor<16xf32>, %arg7: tensor<16xf32>, %arg8: tensor<16x16xf32>, %arg9: tensor<48x16xf32>, %arg10: tensor<16xf32>, %arg11: tensor<16xf32>, %arg12: tensor<32xf32>, %arg13: tensor<32x16xf32>, %arg14: tensor<16xf32>, %arg15: tensor<16xf32>, %arg16: tensor<16xf32>, %arg17: tensor<16x32xf32>, %arg18: tensor<2x6xi32>) -> (tensor<2x6x16xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %1 = call @_take(%arg4, %arg18) : (tensor<32x16xf32>, tensor<2x6xi32>) -> tensor<2x6x16xf32>
    %2 = stablehlo.slice %arg3 [0:1, 0:6] : (tensor<1x16xi32>) -> tensor<1x6xi32>
    %3 = call @_take_0(%arg2, %2) : (tensor<16x16xf32>, tensor<1x6xi32>) -> tensor<1x6x16xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x6x16xf32>
    %5 = stablehlo.multiply %3, %4 : tensor<1x6x16xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<1x6x16xf32>) -> tensor<2x6x16xf32>
    %7 = stablehlo.add %1, %6 : tensor<2x6x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_2 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %11 = stablehlo.divide %9, %10 : tensor<2x6x1xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %13 = stablehlo.multiply %11, %12 : tensor<2x6x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %15 = stablehlo.subtract %7, %14 : tensor<2x6x16xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %17 = stablehlo.power %15, %16 : tensor<2x6x16xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_5) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_6 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %21 = stablehlo.divide %19, %20 : tensor<2x6x1xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %23 = stablehlo.multiply %11, %22 : tensor<2x6x1xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %25 = stablehlo.subtract %7, %24 : tensor<2x6x16xf32>
    %cst_8 = stablehlo.constant dense<1.000000e-07> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %27 = stablehlo.add %21, %26 : tensor<2x6x1xf32>
    %28 = stablehlo.sqrt %27 : tensor<2x6x1xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %30 = stablehlo.divide %25, %29 : tensor<2x6x16xf32>
    %31 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %33 = stablehlo.multiply %32, %30 : tensor<2x6x16xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %35 = stablehlo.multiply %arg0, %34 : tensor<16xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %38 = stablehlo.add %33, %37 : tensor<2x6x16xf32>
    %39 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %41 = stablehlo.multiply %38, %40 : tensor<2x6x16xf32>
    %42 = stablehlo.broadcast_in_dim %0, dims = [0, 2] : (tensor<2x6xf32>) -> tensor<2x1x6xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 3] : (tensor<2x1x6xf32>) -> tensor<2x1x1x6xf32>
    %44 = stablehlo.reshape %43 : (tensor<2x1x1x6xf32>) -> tensor<2x1x6xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2] : (tensor<2x1x6xf32>) -> tensor<2x1x6x1xf32>
    %46 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xf32>) -> tensor<2x1x6x6xf32>
    %47 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2, 3] : (tensor<2x1x6x1xf32>) -> tensor<2x1x6x6xf32>
    %48 = stablehlo.multiply %46, %47 : tensor<2x1x6x6xf32>
    %49 = stablehlo.dot_general %41, %arg9, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<48x16xf32>) -> tensor<2x6x48xf32>
    %50 = stablehlo.reshape %49 : (tensor<2x6x48xf32>) -> tensor<2x6x4x12xf32>
    %51 = stablehlo.transpose %50, dims = [0, 2, 1, 3] : (tensor<2x6x4x12xf32>) -> tensor<2x4x6x12xf32>
    %52 = stablehlo.slice %51 [0:2, 0:4, 0:6, 0:4] : (tensor<2x4x6x12xf32>) -> tensor<2x4x6x4xf32>
    %53 = stablehlo.slice %51 [0:2, 0:4, 0:6, 4:8] : (tensor<2x4x6x12xf32>) -> tensor<2x4x6x4xf32>
    %54 = stablehlo.slice %51 [0:2, 0:4, 0:6, 8:12] : (tensor<2x4x6x12xf32>) -> tensor<2x4x6x4xf32>
    %55 = stablehlo.broadcast_in_dim %arg10, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %56 = stablehlo.reshape %55 : (tensor<1x1x16xf32>) -> tensor<1x1x4x4xf32>
    %57 = stablehlo.transpose %56, dims = [0, 2, 1, 3] : (tensor<1x1x4x4xf32>) -> tensor<1x4x1x4xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<1x4x1x4xf32>
    %59 = stablehlo.multiply %57, %58 : tensor<1x4x1x4xf32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [0, 1, 2, 3] : (tensor<1x4x1x4xf32>) -> tensor<2x4x6x4xf32>
    %61 = stablehlo.add %52, %60 : tensor<2x4x6x4xf32>
    %62 = stablehlo.broadcast_in_dim %arg11, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %63 = stablehlo.reshape %62 : (tensor<1x1x16xf32>) -> tensor<1x1x4x4xf32>
    %64 = stablehlo.transpose %63, dims = [0, 2, 1, 3] : (tensor<1x1x4x4xf32>) -> tensor<1x4x1x4xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<1x4x1x4xf32>
    %66 = stablehlo.multiply %64, %65 : tensor<1x4x1x4xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1, 2, 3] : (tensor<1x4x1x4xf32>) -> tensor<2x4x6x4xf32>
    %68 = stablehlo.add %54, %67 : tensor<2x4x6x4xf32>
    %cst_12 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x4x6x4xf32>
    %70 = stablehlo.divide %61, %69 : tensor<2x4x6x4xf32>
    %71 = stablehlo.transpose %53, dims = [0, 1, 3, 2] : (tensor<2x4x6x4xf32>) -> tensor<2x4x4x6xf32>
    %72 = stablehlo.reshape %70 : (tensor<2x4x6x4xf32>) -> tensor<8x6x4xf32>
    %73 = stablehlo.reshape %71 : (tensor<2x4x4x6xf32>) -> tensor<8x4x6xf32>
    %74 = stablehlo.dot_general %72, %73, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x4xf32>, tensor<8x4x6xf32>) -> tensor<8x6x6xf32>
    %75 = stablehlo.reshape %74 : (tensor<8x6x6xf32>) -> tensor<2x4x6x6xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %77 = stablehlo.add %75, %76 : tensor<2x4x6x6xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x1x6x6xf32>
    %79 = stablehlo.compare NE, %48, %78, FLOAT : (tensor<2x1x6x6xf32>, tensor<2x1x6x6xf32>) -> tensor<2x1x6x6xi1>
    %80 = stablehlo.convert %79 : tensor<2x1x6x6xi1>
    %81 = stablehlo.not %80 : tensor<2x1x6x6xi1>
    %cst_15 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %82 = call @_where_2(%81, %cst_15, %77) : (tensor<2x1x6x6xi1>, tensor<f32>, tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %cst_16 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %83 = stablehlo.reduce(%82 init: %cst_16) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %cst_17 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
    %85 = stablehlo.maximum %84, %83 : tensor<2x4x6xf32>
    %86 = stablehlo.broadcast_in_dim %85, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %87 = stablehlo.broadcast_in_dim %86, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %88 = stablehlo.subtract %82, %87 : tensor<2x4x6x6xf32>
    %89 = stablehlo.exponential %88 : tensor<2x4x6x6xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %90 = stablehlo.reduce(%89 init: %cst_18) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %91 = stablehlo.broadcast_in_dim %90, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %92 = stablehlo.broadcast_in_dim %91, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %93 = stablehlo.divide %89, %92 : tensor<2x4x6x6xf32>
    %94 = stablehlo.reshape %93 : (tensor<2x4x6x6xf32>) -> tensor<8x6x6xf32>
    %95 = stablehlo.reshape %68 : (tensor<2x4x6x4xf32>) -> tensor<8x6x4xf32>
    %96 = stablehlo.dot_general %94, %95, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x6xf32>, tensor<8x6x4xf32>) -> tensor<8x6x4xf32>
    %97 = stablehlo.reshape %96 : (tensor<8x6x4xf32>) -> tensor<2x4x6x4xf32>
    %98 = stablehlo.transpose %97, dims = [0, 2, 1, 3] : (tensor<2x4x6x4xf32>) -> tensor<2x6x4x4xf32>
    %99 = stablehlo.reshape %98 : (tensor<2x6x4x4xf32>) -> tensor<2x6x16xf32>
    %100 = stablehlo.dot_general %99, %arg8, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %101 = stablehlo.broadcast_in_dim %arg7, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %102 = stablehlo.broadcast_in_dim %101, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %103 = stablehlo.add %100, %102 : tensor<2x6x16xf32>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %105 = stablehlo.multiply %41, %104 : tensor<2x6x16xf32>
    %106 = stablehlo.add %103, %105 : tensor<2x6x16xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %107 = stablehlo.reduce(%106 init: %cst_20) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %108 = stablehlo.broadcast_in_dim %107, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_21 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %110 = stablehlo.divide %108, %109 : tensor<2x6x1xf32>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %111 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %112 = stablehlo.multiply %110, %111 : tensor<2x6x1xf32>
    %113 = stablehlo.broadcast_in_dim %112, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %114 = stablehlo.subtract %106, %113 : tensor<2x6x16xf32>
    %cst_23 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %115 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %116 = stablehlo.power %114, %115 : tensor<2x6x16xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %117 = stablehlo.reduce(%116 init: %cst_24) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %118 = stablehlo.broadcast_in_dim %117, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_25 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %120 = stablehlo.divide %118, %119 : tensor<2x6x1xf32>
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %122 = stablehlo.multiply %110, %121 : tensor<2x6x1xf32>
    %123 = stablehlo.broadcast_in_dim %122, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %124 = stablehlo.subtract %106, %123 : tensor<2x6x16xf32>
    %cst_27 = stablehlo.constant dense<1.000000e-07> : tensor<f32>
    %125 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %126 = stablehlo.add %120, %125 : tensor<2x6x1xf32>
    %127 = stablehlo.sqrt %126 : tensor<2x6x1xf32>
    %128 = stablehlo.broadcast_in_dim %127, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %129 = stablehlo.divide %124, %128 : tensor<2x6x16xf32>
    %130 = stablehlo.broadcast_in_dim %arg6, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %131 = stablehlo.broadcast_in_dim %130, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %132 = stablehlo.multiply %131, %129 : tensor<2x6x16xf32>
    %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %133 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %134 = stablehlo.multiply %arg5, %133 : tensor<16xf32>
    %135 = stablehlo.broadcast_in_dim %134, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %136 = stablehlo.broadcast_in_dim %135, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %137 = stablehlo.add %132, %136 : tensor<2x6x16xf32>
    %138 = stablehlo.dot_general %137, %arg13, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<32x16xf32>) -> tensor<2x6x32xf32>
    %139 = stablehlo.broadcast_in_dim %arg12, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %140 = stablehlo.broadcast_in_dim %139, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<2x6x32xf32>
    %141 = stablehlo.add %138, %140 : tensor<2x6x32xf32>
    %cst_29 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %142 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %143 = stablehlo.multiply %142, %141 : tensor<2x6x32xf32>
    %144 = stablehlo.negate %141 : tensor<2x6x32xf32>
    %cst_30 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %145 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %146 = stablehlo.multiply %144, %145 : tensor<2x6x32xf32>
    %147 = chlo.erfc %146 : tensor<2x6x32xf32> -> tensor<2x6x32xf32>
    %148 = stablehlo.multiply %143, %147 : tensor<2x6x32xf32>
    %149 = stablehlo.dot_general %148, %arg17, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x32xf32>, tensor<16x32xf32>) -> tensor<2x6x16xf32>
    %150 = stablehlo.broadcast_in_dim %arg16, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %151 = stablehlo.broadcast_in_dim %150, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %152 = stablehlo.add %149, %151 : tensor<2x6x16xf32>
    %cst_31 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %153 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %154 = stablehlo.multiply %137, %153 : tensor<2x6x16xf32>
    %155 = stablehlo.add %152, %154 : tensor<2x6x16xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %156 = stablehlo.reduce(%155 init: %cst_32) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %157 = stablehlo.broadcast_in_dim %156, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_33 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %158 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %159 = stablehlo.divide %157, %158 : tensor<2x6x1xf32>
    %cst_34 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %160 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %161 = stablehlo.multiply %159, %160 : tensor<2x6x1xf32>
    %162 = stablehlo.broadcast_in_dim %161, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %163 = stablehlo.subtract %155, %162 : tensor<2x6x16xf32>
    %cst_35 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %164 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %165 = stablehlo.power %163, %164 : tensor<2x6x16xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %166 = stablehlo.reduce(%165 init: %cst_36) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %167 = stablehlo.broadcast_in_dim %166, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_37 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %168 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %169 = stablehlo.divide %167, %168 : tensor<2x6x1xf32>
    %cst_38 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %170 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %171 = stablehlo.multiply %159, %170 : tensor<2x6x1xf32>
    %172 = stablehlo.broadcast_in_dim %171, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %173 = stablehlo.subtract %155, %172 : tensor<2x6x16xf32>
    %cst_39 = stablehlo.constant dense<1.000000e-07> : tensor<f32>
    %174 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %175 = stablehlo.add %169, %174 : tensor<2x6x1xf32>
    %176 = stablehlo.sqrt %175 : tensor<2x6x1xf32>
    %177 = stablehlo.broadcast_in_dim %176, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %178 = stablehlo.divide %173, %177 : tensor<2x6x16xf32>
    %179 = stablehlo.broadcast_in_dim %arg15, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %180 = stablehlo.broadcast_in_dim %179, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %181 = stablehlo.multiply %180, %178 : tensor<2x6x16xf32>
    %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %182 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %183 = stablehlo.multiply %arg14, %182 : tensor<16xf32>
    %184 = stablehlo.broadcast_in_dim %183, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %185 = stablehlo.broadcast_in_dim %184, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %186 = stablehlo.add %181, %185 : tensor<2x6x16xf32>
    return %186 : tensor<2x6x16xf32>
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
  func.func private @_where_2(%arg0: tensor<2x1x6x6xi1>, %arg1: tensor<f32>, %arg2: tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<2x1x6x6xi1>) -> tensor<2x4x6x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %3 = stablehlo.select %1, %2, %arg2 : tensor<2x4x6x6xi1>, tensor<2x4x6x6xf32>
    return %3 : tensor<2x4x6x6xf32>
  }
}
