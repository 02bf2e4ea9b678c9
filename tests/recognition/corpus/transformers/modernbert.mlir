// Producer: transformers 5.24.0 on torchax 0.0.13, jax 0.10.2
// Module: ModernBertModel, eager attention
// EXPECT @main: attention=1 layer_norm=3 rope=2 transformer_mlp=1
// EXPECT @_take: embedding=1

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xf32>, %arg1: tensor<32x16xf32>, %arg2: tensor<16xf32>, %arg3: tensor<16x16xf32>, %arg4: tensor<48x16xf32>, %arg5: tensor<64x16xf32>, %arg6: tensor<16x32xf32>, %arg7: tensor<16xf32>, %arg8: tensor<2xf32>, %arg9: tensor<2x6xi32>) -> (tensor<2x6x16xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<6xi32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %2 = stablehlo.multiply %1, %0 : tensor<6xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %4 = stablehlo.add %3, %2 : tensor<6xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<6xi32>) -> tensor<1x6xi32>
    %6 = call @_take(%arg1, %arg9) : (tensor<32x16xf32>, tensor<2x6xi32>) -> tensor<2x6x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<2x6x1xf32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %11 = call @_var(%6, %c_2) : (tensor<2x6x16xf32>, tensor<i32>) -> tensor<2x6x1xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %13 = stablehlo.add %11, %12 : tensor<2x6x1xf32>
    %14 = stablehlo.rsqrt %13 : tensor<2x6x1xf32>
    %15 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %16 = stablehlo.subtract %6, %15 : tensor<2x6x16xf32>
    %17 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %18 = stablehlo.multiply %16, %17 : tensor<2x6x16xf32>
    %19 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %21 = stablehlo.multiply %18, %20 : tensor<2x6x16xf32>
    %22 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<1x6xi32>) -> tensor<1x6x1xi32>
    %23 = stablehlo.convert %22 : (tensor<1x6x1xi32>) -> tensor<1x6x1xf32>
    %24 = stablehlo.broadcast_in_dim %arg8, dims = [2] : (tensor<2xf32>) -> tensor<1x1x2xf32>
    %25 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<1x6x1xf32>) -> tensor<1x6x2xf32>
    %26 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<1x1x2xf32>) -> tensor<1x6x2xf32>
    %27 = stablehlo.multiply %25, %26 : tensor<1x6x2xf32>
    %28 = stablehlo.concatenate %27, %27, dim = 2 : (tensor<1x6x2xf32>, tensor<1x6x2xf32>) -> tensor<1x6x4xf32>
    %29 = stablehlo.cosine %28 : tensor<1x6x4xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1x6x4xf32>
    %31 = stablehlo.multiply %29, %30 : tensor<1x6x4xf32>
    %32 = stablehlo.sine %28 : tensor<1x6x4xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x6x4xf32>
    %34 = stablehlo.multiply %32, %33 : tensor<1x6x4xf32>
    %35 = stablehlo.dot_general %21, %arg4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<48x16xf32>) -> tensor<2x6x48xf32>
    %36 = stablehlo.reshape %35 : (tensor<2x6x48xf32>) -> tensor<2x6x3x4x4xf32>
    %37 = stablehlo.slice %36 [0:2, 0:6, 0:1, 0:4, 0:4] : (tensor<2x6x3x4x4xf32>) -> tensor<2x6x1x4x4xf32>
    %38 = stablehlo.slice %36 [0:2, 0:6, 1:2, 0:4, 0:4] : (tensor<2x6x3x4x4xf32>) -> tensor<2x6x1x4x4xf32>
    %39 = stablehlo.slice %36 [0:2, 0:6, 2:3, 0:4, 0:4] : (tensor<2x6x3x4x4xf32>) -> tensor<2x6x1x4x4xf32>
    %40 = stablehlo.reshape %37 : (tensor<2x6x1x4x4xf32>) -> tensor<2x6x4x4xf32>
    %41 = stablehlo.reshape %38 : (tensor<2x6x1x4x4xf32>) -> tensor<2x6x4x4xf32>
    %42 = stablehlo.reshape %39 : (tensor<2x6x1x4x4xf32>) -> tensor<2x6x4x4xf32>
    %43 = stablehlo.transpose %40, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %44 = stablehlo.transpose %41, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %45 = stablehlo.transpose %42, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %46 = stablehlo.broadcast_in_dim %31, dims = [0, 2, 3] : (tensor<1x6x4xf32>) -> tensor<1x1x6x4xf32>
    %47 = stablehlo.broadcast_in_dim %34, dims = [0, 2, 3] : (tensor<1x6x4xf32>) -> tensor<1x1x6x4xf32>
    %48 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2, 3] : (tensor<1x1x6x4xf32>) -> tensor<2x4x6x4xf32>
    %49 = stablehlo.multiply %43, %48 : tensor<2x4x6x4xf32>
    %50 = stablehlo.slice %43 [0:2, 0:4, 0:6, 2:4] : (tensor<2x4x6x4xf32>) -> tensor<2x4x6x2xf32>
    %cst_6 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x4x6x2xf32>
    %52 = stablehlo.multiply %51, %50 : tensor<2x4x6x2xf32>
    %53 = stablehlo.slice %43 [0:2, 0:4, 0:6, 0:2] : (tensor<2x4x6x4xf32>) -> tensor<2x4x6x2xf32>
    %54 = stablehlo.concatenate %52, %53, dim = 3 : (tensor<2x4x6x2xf32>, tensor<2x4x6x2xf32>) -> tensor<2x4x6x4xf32>
    %55 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2, 3] : (tensor<1x1x6x4xf32>) -> tensor<2x4x6x4xf32>
    %56 = stablehlo.multiply %54, %55 : tensor<2x4x6x4xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x4x6x4xf32>
    %58 = stablehlo.multiply %56, %57 : tensor<2x4x6x4xf32>
    %59 = stablehlo.add %49, %58 : tensor<2x4x6x4xf32>
    %60 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2, 3] : (tensor<1x1x6x4xf32>) -> tensor<2x4x6x4xf32>
    %61 = stablehlo.multiply %44, %60 : tensor<2x4x6x4xf32>
    %62 = stablehlo.slice %44 [0:2, 0:4, 0:6, 2:4] : (tensor<2x4x6x4xf32>) -> tensor<2x4x6x2xf32>
    %cst_8 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x4x6x2xf32>
    %64 = stablehlo.multiply %63, %62 : tensor<2x4x6x2xf32>
    %65 = stablehlo.slice %44 [0:2, 0:4, 0:6, 0:2] : (tensor<2x4x6x4xf32>) -> tensor<2x4x6x2xf32>
    %66 = stablehlo.concatenate %64, %65, dim = 3 : (tensor<2x4x6x2xf32>, tensor<2x4x6x2xf32>) -> tensor<2x4x6x4xf32>
    %67 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2, 3] : (tensor<1x1x6x4xf32>) -> tensor<2x4x6x4xf32>
    %68 = stablehlo.multiply %66, %67 : tensor<2x4x6x4xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x4x6x4xf32>
    %70 = stablehlo.multiply %68, %69 : tensor<2x4x6x4xf32>
    %71 = stablehlo.add %61, %70 : tensor<2x4x6x4xf32>
    %72 = stablehlo.transpose %71, dims = [0, 1, 3, 2] : (tensor<2x4x6x4xf32>) -> tensor<2x4x4x6xf32>
    %73 = stablehlo.reshape %59 : (tensor<2x4x6x4xf32>) -> tensor<8x6x4xf32>
    %74 = stablehlo.reshape %72 : (tensor<2x4x4x6xf32>) -> tensor<8x4x6xf32>
    %75 = stablehlo.dot_general %73, %74, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x4xf32>, tensor<8x4x6xf32>) -> tensor<8x6x6xf32>
    %76 = stablehlo.reshape %75 : (tensor<8x6x6xf32>) -> tensor<2x4x6x6xf32>
    %cst_10 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %78 = stablehlo.multiply %76, %77 : tensor<2x4x6x6xf32>
    %cst_11 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %79 = stablehlo.reduce(%78 init: %cst_11) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %cst_12 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
    %81 = stablehlo.maximum %80, %79 : tensor<2x4x6xf32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %84 = stablehlo.subtract %78, %83 : tensor<2x4x6x6xf32>
    %85 = stablehlo.exponential %84 : tensor<2x4x6x6xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %86 = stablehlo.reduce(%85 init: %cst_13) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %87 = stablehlo.broadcast_in_dim %86, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %88 = stablehlo.broadcast_in_dim %87, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %89 = stablehlo.divide %85, %88 : tensor<2x4x6x6xf32>
    %90 = stablehlo.reshape %89 : (tensor<2x4x6x6xf32>) -> tensor<8x6x6xf32>
    %91 = stablehlo.reshape %45 : (tensor<2x4x6x4xf32>) -> tensor<8x6x4xf32>
    %92 = stablehlo.dot_general %90, %91, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x6xf32>, tensor<8x6x4xf32>) -> tensor<8x6x4xf32>
    %93 = stablehlo.reshape %92 : (tensor<8x6x4xf32>) -> tensor<2x4x6x4xf32>
    %94 = stablehlo.transpose %93, dims = [0, 2, 1, 3] : (tensor<2x4x6x4xf32>) -> tensor<2x6x4x4xf32>
    %95 = stablehlo.reshape %94 : (tensor<2x6x4x4xf32>) -> tensor<2x6x16xf32>
    %96 = stablehlo.dot_general %95, %arg3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %98 = stablehlo.multiply %96, %97 : tensor<2x6x16xf32>
    %99 = stablehlo.add %21, %98 : tensor<2x6x16xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %100 = stablehlo.reduce(%99 init: %cst_15) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %101 = stablehlo.broadcast_in_dim %100, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_16 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %103 = stablehlo.divide %101, %102 : tensor<2x6x1xf32>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %104 = call @_var(%99, %c_17) : (tensor<2x6x16xf32>, tensor<i32>) -> tensor<2x6x1xf32>
    %cst_18 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %106 = stablehlo.add %104, %105 : tensor<2x6x1xf32>
    %107 = stablehlo.rsqrt %106 : tensor<2x6x1xf32>
    %108 = stablehlo.broadcast_in_dim %103, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %109 = stablehlo.subtract %99, %108 : tensor<2x6x16xf32>
    %110 = stablehlo.broadcast_in_dim %107, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %111 = stablehlo.multiply %109, %110 : tensor<2x6x16xf32>
    %112 = stablehlo.broadcast_in_dim %arg7, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %113 = stablehlo.broadcast_in_dim %112, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %114 = stablehlo.multiply %111, %113 : tensor<2x6x16xf32>
    %115 = stablehlo.dot_general %114, %arg5, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<64x16xf32>) -> tensor<2x6x64xf32>
    %116 = stablehlo.slice %115 [0:2, 0:6, 0:32] : (tensor<2x6x64xf32>) -> tensor<2x6x32xf32>
    %117 = stablehlo.slice %115 [0:2, 0:6, 32:64] : (tensor<2x6x64xf32>) -> tensor<2x6x32xf32>
    %cst_19 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %118 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %119 = stablehlo.multiply %118, %116 : tensor<2x6x32xf32>
    %120 = stablehlo.negate %116 : tensor<2x6x32xf32>
    %cst_20 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %122 = stablehlo.multiply %120, %121 : tensor<2x6x32xf32>
    %123 = chlo.erfc %122 : tensor<2x6x32xf32> -> tensor<2x6x32xf32>
    %124 = stablehlo.multiply %119, %123 : tensor<2x6x32xf32>
    %125 = stablehlo.multiply %124, %117 : tensor<2x6x32xf32>
    %126 = stablehlo.dot_general %125, %arg6, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x32xf32>, tensor<16x32xf32>) -> tensor<2x6x16xf32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %127 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %128 = stablehlo.multiply %126, %127 : tensor<2x6x16xf32>
    %129 = stablehlo.add %99, %128 : tensor<2x6x16xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %130 = stablehlo.reduce(%129 init: %cst_22) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %131 = stablehlo.broadcast_in_dim %130, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_23 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %132 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %133 = stablehlo.divide %131, %132 : tensor<2x6x1xf32>
    %c_24 = stablehlo.constant dense<0> : tensor<i32>
    %134 = call @_var(%129, %c_24) : (tensor<2x6x16xf32>, tensor<i32>) -> tensor<2x6x1xf32>
    %cst_25 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %136 = stablehlo.add %134, %135 : tensor<2x6x1xf32>
    %137 = stablehlo.rsqrt %136 : tensor<2x6x1xf32>
    %138 = stablehlo.broadcast_in_dim %133, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %139 = stablehlo.subtract %129, %138 : tensor<2x6x16xf32>
    %140 = stablehlo.broadcast_in_dim %137, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %141 = stablehlo.multiply %139, %140 : tensor<2x6x16xf32>
    %142 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %143 = stablehlo.broadcast_in_dim %142, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %144 = stablehlo.multiply %141, %143 : tensor<2x6x16xf32>
    return %144 : tensor<2x6x16xf32>
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
}
