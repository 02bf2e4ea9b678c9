// Producer: optax 0.2.8 on jax 0.12.0.1
// Module: the gradient of a decoder layer of Llama
// EXPECT: anything

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x6x16xf32>, %arg1: tensor<32x16xf32>, %arg2: tensor<16x32xf32>, %arg3: tensor<16x8xf32>, %arg4: tensor<16xf32>, %arg5: tensor<16xf32>, %arg6: tensor<16x16xf32>, %arg7: tensor<16x16xf32>, %arg8: tensor<16x32xf32>, %arg9: tensor<16x8xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<2x6x16xf32> {jax.result_info = "result[1][0]"}, tensor<32x16xf32> {jax.result_info = "result[1][1]['down']"}, tensor<16x32xf32> {jax.result_info = "result[1][1]['gate']"}, tensor<16x8xf32> {jax.result_info = "result[1][1]['k']"}, tensor<16xf32> {jax.result_info = "result[1][1]['norm1']"}, tensor<16xf32> {jax.result_info = "result[1][1]['norm2']"}, tensor<16x16xf32> {jax.result_info = "result[1][1]['o']"}, tensor<16x16xf32> {jax.result_info = "result[1][1]['q']"}, tensor<16x32xf32> {jax.result_info = "result[1][1]['up']"}, tensor<16x8xf32> {jax.result_info = "result[1][1]['v']"}) {
    %0 = chlo.square %arg0 : tensor<2x6x16xf32> -> tensor<2x6x16xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %2 = stablehlo.multiply %1, %arg0 : tensor<2x6x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%0 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %6 = stablehlo.divide %4, %5 : tensor<2x6x1xf32>
    %cst_2 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %8 = stablehlo.add %6, %7 : tensor<2x6x1xf32>
    %9 = stablehlo.rsqrt %8 : tensor<2x6x1xf32>
    %10 = stablehlo.divide %9, %8 : tensor<2x6x1xf32>
    %cst_3 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %12 = stablehlo.multiply %11, %10 : tensor<2x6x1xf32>
    %13 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %14 = stablehlo.multiply %arg0, %13 : tensor<2x6x16xf32>
    %15 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %17 = stablehlo.multiply %14, %16 : tensor<2x6x16xf32>
    %18 = stablehlo.dot_general %17, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %19 = stablehlo.reshape %18 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %20 = stablehlo.dot_general %17, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x8xf32>) -> tensor<2x6x8xf32>
    %21 = stablehlo.reshape %20 : (tensor<2x6x8xf32>) -> tensor<2x6x2x4xf32>
    %22 = stablehlo.dot_general %17, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x8xf32>) -> tensor<2x6x8xf32>
    %23 = stablehlo.reshape %22 : (tensor<2x6x8xf32>) -> tensor<2x6x2x4xf32>
    %24 = stablehlo.iota dim = 0 : tensor<2xi32>
    %c = stablehlo.constant dense<2> : tensor<i32>
    %25 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %26 = stablehlo.multiply %25, %24 : tensor<2xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %27 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %28 = stablehlo.add %27, %26 : tensor<2xi32>
    %29 = stablehlo.convert %28 : (tensor<2xi32>) -> tensor<2xf32>
    %cst_5 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %31 = stablehlo.divide %29, %30 : tensor<2xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+04> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %33 = stablehlo.power %32, %31 : tensor<2xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %35 = stablehlo.divide %34, %33 : tensor<2xf32>
    %36 = stablehlo.iota dim = 0 : tensor<6xi32>
    %37 = stablehlo.convert %36 : (tensor<6xi32>) -> tensor<6xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0] : (tensor<6xf32>) -> tensor<6x1xf32>
    %39 = stablehlo.broadcast_in_dim %35, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %40 = stablehlo.broadcast_in_dim %38, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x2xf32>
    %41 = stablehlo.broadcast_in_dim %39, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<6x2xf32>
    %42 = stablehlo.multiply %40, %41 : tensor<6x2xf32>
    %43 = stablehlo.concatenate %42, %42, dim = 1 : (tensor<6x2xf32>, tensor<6x2xf32>) -> tensor<6x4xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [1, 3] : (tensor<6x4xf32>) -> tensor<1x6x1x4xf32>
    %45 = stablehlo.cosine %44 : tensor<1x6x1x4xf32>
    %46 = stablehlo.sine %44 : tensor<1x6x1x4xf32>
    %47 = stablehlo.slice %19 [0:2, 0:6, 0:4, 0:2] : (tensor<2x6x4x4xf32>) -> tensor<2x6x4x2xf32>
    %48 = stablehlo.slice %19 [0:2, 0:6, 0:4, 2:4] : (tensor<2x6x4x4xf32>) -> tensor<2x6x4x2xf32>
    %49 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x4x4xf32>
    %50 = stablehlo.multiply %19, %49 : tensor<2x6x4x4xf32>
    %51 = stablehlo.negate %48 : tensor<2x6x4x2xf32>
    %52 = stablehlo.concatenate %51, %47, dim = 3 : (tensor<2x6x4x2xf32>, tensor<2x6x4x2xf32>) -> tensor<2x6x4x4xf32>
    %53 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x4x4xf32>
    %54 = stablehlo.multiply %52, %53 : tensor<2x6x4x4xf32>
    %55 = stablehlo.add %50, %54 : tensor<2x6x4x4xf32>
    %56 = stablehlo.slice %21 [0:2, 0:6, 0:2, 0:2] : (tensor<2x6x2x4xf32>) -> tensor<2x6x2x2xf32>
    %57 = stablehlo.slice %21 [0:2, 0:6, 0:2, 2:4] : (tensor<2x6x2x4xf32>) -> tensor<2x6x2x2xf32>
    %58 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x2x4xf32>
    %59 = stablehlo.multiply %21, %58 : tensor<2x6x2x4xf32>
    %60 = stablehlo.negate %57 : tensor<2x6x2x2xf32>
    %61 = stablehlo.concatenate %60, %56, dim = 3 : (tensor<2x6x2x2xf32>, tensor<2x6x2x2xf32>) -> tensor<2x6x2x4xf32>
    %62 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x2x4xf32>
    %63 = stablehlo.multiply %61, %62 : tensor<2x6x2x4xf32>
    %64 = stablehlo.add %59, %63 : tensor<2x6x2x4xf32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [0, 1, 2, 4] : (tensor<2x6x2x4xf32>) -> tensor<2x6x2x2x4xf32>
    %66 = stablehlo.reshape %65 : (tensor<2x6x2x2x4xf32>) -> tensor<2x6x4x4xf32>
    %67 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2, 4] : (tensor<2x6x2x4xf32>) -> tensor<2x6x2x2x4xf32>
    %68 = stablehlo.reshape %67 : (tensor<2x6x2x2x4xf32>) -> tensor<2x6x4x4xf32>
    %c_8 = stablehlo.constant dense<true> : tensor<i1>
    %69 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i1>) -> tensor<6x6xi1>
    %70 = call @tril(%69) : (tensor<6x6xi1>) -> tensor<6x6xi1>
    %71 = stablehlo.dot_general %55, %66, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x4xf32>, tensor<2x6x4x4xf32>) -> tensor<2x4x6x6xf32>
    %cst_9 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %73 = stablehlo.multiply %71, %72 : tensor<2x4x6x6xf32>
    %cst_10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %74:2 = call @_where(%70, %73, %cst_10) : (tensor<6x6xi1>, tensor<2x4x6x6xf32>, tensor<f32>) -> (tensor<2x4x6x6xf32>, tensor<2x4x6x6xi1>)
    %cst_11 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %75 = stablehlo.reduce(%74#0 init: %cst_11) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %cst_12 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
    %77 = stablehlo.maximum %76, %75 : tensor<2x4x6xf32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %79 = stablehlo.broadcast_in_dim %78, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %80 = stablehlo.subtract %74#0, %79 : tensor<2x4x6x6xf32>
    %81 = stablehlo.exponential %80 : tensor<2x4x6x6xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %82 = stablehlo.reduce(%81 init: %cst_13) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %84 = stablehlo.broadcast_in_dim %83, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %85 = stablehlo.divide %81, %84 : tensor<2x4x6x6xf32>
    %86 = stablehlo.multiply %83, %83 : tensor<2x4x6x1xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x4x6x1xf32>
    %88 = stablehlo.divide %87, %86 : tensor<2x4x6x1xf32>
    %89 = stablehlo.dot_general %68, %85, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x4xf32>, tensor<2x4x6x6xf32>) -> tensor<2x4x4x6xf32>
    %90 = stablehlo.transpose %89, dims = [0, 3, 1, 2] : (tensor<2x4x4x6xf32>) -> tensor<2x6x4x4xf32>
    %91 = stablehlo.reshape %90 : (tensor<2x6x4x4xf32>) -> tensor<2x6x16xf32>
    %92 = stablehlo.dot_general %91, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %93 = stablehlo.add %arg0, %92 : tensor<2x6x16xf32>
    %94 = chlo.square %93 : tensor<2x6x16xf32> -> tensor<2x6x16xf32>
    %cst_15 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %96 = stablehlo.multiply %95, %93 : tensor<2x6x16xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %97 = stablehlo.reduce(%94 init: %cst_16) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %98 = stablehlo.broadcast_in_dim %97, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_17 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %100 = stablehlo.divide %98, %99 : tensor<2x6x1xf32>
    %cst_18 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %102 = stablehlo.add %100, %101 : tensor<2x6x1xf32>
    %103 = stablehlo.rsqrt %102 : tensor<2x6x1xf32>
    %104 = stablehlo.divide %103, %102 : tensor<2x6x1xf32>
    %cst_19 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %106 = stablehlo.multiply %105, %104 : tensor<2x6x1xf32>
    %107 = stablehlo.broadcast_in_dim %103, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %108 = stablehlo.multiply %93, %107 : tensor<2x6x16xf32>
    %109 = stablehlo.broadcast_in_dim %arg5, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %110 = stablehlo.broadcast_in_dim %109, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %111 = stablehlo.multiply %108, %110 : tensor<2x6x16xf32>
    %112 = stablehlo.dot_general %111, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x32xf32>) -> tensor<2x6x32xf32>
    %113:3 = call @silu(%112) : (tensor<2x6x32xf32>) -> (tensor<2x6x32xf32>, tensor<2x6x32xf32>, tensor<2x6x32xf32>)
    %114 = stablehlo.dot_general %111, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x32xf32>) -> tensor<2x6x32xf32>
    %115 = stablehlo.multiply %113#0, %114 : tensor<2x6x32xf32>
    %116 = stablehlo.dot_general %115, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x32xf32>, tensor<32x16xf32>) -> tensor<2x6x16xf32>
    %117 = stablehlo.add %93, %116 : tensor<2x6x16xf32>
    %118 = chlo.square %117 : tensor<2x6x16xf32> -> tensor<2x6x16xf32>
    %cst_20 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %120 = stablehlo.multiply %119, %117 : tensor<2x6x16xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %121 = stablehlo.reduce(%118 init: %cst_21) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %123 = stablehlo.multiply %122, %120 : tensor<2x6x16xf32>
    %124 = stablehlo.dot_general %123, %115, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<2x6x32xf32>) -> tensor<16x32xf32>
    %125 = stablehlo.transpose %124, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %126 = stablehlo.dot_general %123, %arg1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<32x16xf32>) -> tensor<2x6x32xf32>
    %127 = stablehlo.multiply %113#0, %126 : tensor<2x6x32xf32>
    %128 = stablehlo.multiply %126, %114 : tensor<2x6x32xf32>
    %129 = stablehlo.dot_general %127, %111, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x32xf32>, tensor<2x6x16xf32>) -> tensor<32x16xf32>
    %130 = stablehlo.transpose %129, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %131 = stablehlo.dot_general %127, %arg8, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x32xf32>, tensor<16x32xf32>) -> tensor<2x6x16xf32>
    %132 = call @silu_0(%113#1, %113#2, %112, %128) : (tensor<2x6x32xf32>, tensor<2x6x32xf32>, tensor<2x6x32xf32>, tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %133 = stablehlo.dot_general %132, %111, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x32xf32>, tensor<2x6x16xf32>) -> tensor<32x16xf32>
    %134 = stablehlo.transpose %133, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %135 = stablehlo.dot_general %132, %arg2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x32xf32>, tensor<16x32xf32>) -> tensor<2x6x16xf32>
    %136 = stablehlo.add %131, %135 : tensor<2x6x16xf32>
    %137 = stablehlo.multiply %108, %136 : tensor<2x6x16xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %138 = stablehlo.reduce(%137 init: %cst_23) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<16xf32>
    %139 = stablehlo.reshape %138 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %140 = stablehlo.broadcast_in_dim %109, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %141 = stablehlo.multiply %136, %140 : tensor<2x6x16xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %142 = stablehlo.reduce(%139 init: %cst_24) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %143 = stablehlo.multiply %93, %141 : tensor<2x6x16xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %144 = stablehlo.reduce(%143 init: %cst_25) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %145 = stablehlo.reshape %144 : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %146 = stablehlo.broadcast_in_dim %103, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %147 = stablehlo.multiply %141, %146 : tensor<2x6x16xf32>
    %148 = stablehlo.add %123, %147 : tensor<2x6x16xf32>
    %149 = stablehlo.multiply %145, %106 : tensor<2x6x1xf32>
    %cst_26 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %150 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %151 = stablehlo.divide %149, %150 : tensor<2x6x1xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %152 = stablehlo.reduce(%151 init: %cst_27) applies stablehlo.add across dimensions = [2] : (tensor<2x6x1xf32>, tensor<f32>) -> tensor<2x6xf32>
    %153 = stablehlo.broadcast_in_dim %152, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x16xf32>
    %154 = stablehlo.multiply %153, %96 : tensor<2x6x16xf32>
    %155 = stablehlo.add %148, %154 : tensor<2x6x16xf32>
    %156 = stablehlo.dot_general %155, %91, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<2x6x16xf32>) -> tensor<16x16xf32>
    %157 = stablehlo.transpose %156, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %158 = stablehlo.dot_general %155, %arg6, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %159 = stablehlo.reshape %158 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %160 = stablehlo.transpose %159, dims = [0, 2, 3, 1] : (tensor<2x6x4x4xf32>) -> tensor<2x4x4x6xf32>
    %161 = stablehlo.dot_general %160, %68, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x4x6xf32>, tensor<2x6x4x4xf32>) -> tensor<2x4x6x6xf32>
    %162 = stablehlo.dot_general %160, %85, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x4x6xf32>, tensor<2x4x6x6xf32>) -> tensor<2x4x4x6xf32>
    %163 = stablehlo.transpose %162, dims = [0, 3, 1, 2] : (tensor<2x4x4x6xf32>) -> tensor<2x6x4x4xf32>
    %164 = stablehlo.broadcast_in_dim %88, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %165 = stablehlo.multiply %161, %164 : tensor<2x4x6x6xf32>
    %166 = stablehlo.multiply %165, %81 : tensor<2x4x6x6xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %167 = stablehlo.reduce(%166 init: %cst_28) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %168 = stablehlo.reshape %167 : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %169 = stablehlo.negate %168 : tensor<2x4x6x1xf32>
    %170 = stablehlo.broadcast_in_dim %83, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %171 = stablehlo.divide %161, %170 : tensor<2x4x6x6xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %172 = stablehlo.reduce(%169 init: %cst_29) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x1xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %173 = stablehlo.broadcast_in_dim %172, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x6xf32>
    %174 = stablehlo.add %171, %173 : tensor<2x4x6x6xf32>
    %175 = stablehlo.multiply %174, %81 : tensor<2x4x6x6xf32>
    %176 = call @_where_1(%74#1, %175) : (tensor<2x4x6x6xi1>, tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %cst_30 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %177 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %178 = stablehlo.multiply %176, %177 : tensor<2x4x6x6xf32>
    %179 = stablehlo.dot_general %178, %55, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x6x6xf32>, tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %180 = stablehlo.transpose %179, dims = [0, 2, 1, 3] : (tensor<2x4x6x4xf32>) -> tensor<2x6x4x4xf32>
    %181 = stablehlo.dot_general %178, %66, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x6x6xf32>, tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %182 = stablehlo.transpose %181, dims = [0, 2, 1, 3] : (tensor<2x4x6x4xf32>) -> tensor<2x6x4x4xf32>
    %183 = stablehlo.reshape %163 : (tensor<2x6x4x4xf32>) -> tensor<2x6x2x2x4xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %184 = stablehlo.reduce(%183 init: %cst_31) applies stablehlo.add across dimensions = [3] : (tensor<2x6x2x2x4xf32>, tensor<f32>) -> tensor<2x6x2x4xf32>
    %185 = stablehlo.reshape %180 : (tensor<2x6x4x4xf32>) -> tensor<2x6x2x2x4xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %186 = stablehlo.reduce(%185 init: %cst_32) applies stablehlo.add across dimensions = [3] : (tensor<2x6x2x2x4xf32>, tensor<f32>) -> tensor<2x6x2x4xf32>
    %187 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x2x4xf32>
    %188 = stablehlo.multiply %186, %187 : tensor<2x6x2x4xf32>
    %189 = stablehlo.slice %188 [0:2, 0:6, 0:2, 0:2] : (tensor<2x6x2x4xf32>) -> tensor<2x6x2x2xf32>
    %190 = stablehlo.slice %188 [0:2, 0:6, 0:2, 2:4] : (tensor<2x6x2x4xf32>) -> tensor<2x6x2x2xf32>
    %191 = stablehlo.negate %189 : tensor<2x6x2x2xf32>
    %192 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x2x4xf32>
    %193 = stablehlo.multiply %186, %192 : tensor<2x6x2x4xf32>
    %194 = stablehlo.concatenate %190, %191, dim = 3 : (tensor<2x6x2x2xf32>, tensor<2x6x2x2xf32>) -> tensor<2x6x2x4xf32>
    %195 = stablehlo.add %193, %194 : tensor<2x6x2x4xf32>
    %196 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x4x4xf32>
    %197 = stablehlo.multiply %182, %196 : tensor<2x6x4x4xf32>
    %198 = stablehlo.slice %197 [0:2, 0:6, 0:4, 0:2] : (tensor<2x6x4x4xf32>) -> tensor<2x6x4x2xf32>
    %199 = stablehlo.slice %197 [0:2, 0:6, 0:4, 2:4] : (tensor<2x6x4x4xf32>) -> tensor<2x6x4x2xf32>
    %200 = stablehlo.negate %198 : tensor<2x6x4x2xf32>
    %201 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x4x4xf32>
    %202 = stablehlo.multiply %182, %201 : tensor<2x6x4x4xf32>
    %203 = stablehlo.concatenate %199, %200, dim = 3 : (tensor<2x6x4x2xf32>, tensor<2x6x4x2xf32>) -> tensor<2x6x4x4xf32>
    %204 = stablehlo.add %202, %203 : tensor<2x6x4x4xf32>
    %205 = stablehlo.reshape %184 : (tensor<2x6x2x4xf32>) -> tensor<2x6x8xf32>
    %206 = stablehlo.dot_general %205, %17, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x8xf32>, tensor<2x6x16xf32>) -> tensor<8x16xf32>
    %207 = stablehlo.transpose %206, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %208 = stablehlo.dot_general %205, %arg9, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x8xf32>, tensor<16x8xf32>) -> tensor<2x6x16xf32>
    %209 = stablehlo.reshape %195 : (tensor<2x6x2x4xf32>) -> tensor<2x6x8xf32>
    %210 = stablehlo.dot_general %209, %17, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x8xf32>, tensor<2x6x16xf32>) -> tensor<8x16xf32>
    %211 = stablehlo.transpose %210, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %212 = stablehlo.dot_general %209, %arg3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x8xf32>, tensor<16x8xf32>) -> tensor<2x6x16xf32>
    %213 = stablehlo.add %208, %212 : tensor<2x6x16xf32>
    %214 = stablehlo.reshape %204 : (tensor<2x6x4x4xf32>) -> tensor<2x6x16xf32>
    %215 = stablehlo.dot_general %214, %17, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<2x6x16xf32>) -> tensor<16x16xf32>
    %216 = stablehlo.transpose %215, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %217 = stablehlo.dot_general %214, %arg7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %218 = stablehlo.add %213, %217 : tensor<2x6x16xf32>
    %219 = stablehlo.multiply %14, %218 : tensor<2x6x16xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %220 = stablehlo.reduce(%219 init: %cst_33) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<16xf32>
    %221 = stablehlo.reshape %220 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %222 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %223 = stablehlo.multiply %218, %222 : tensor<2x6x16xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %224 = stablehlo.reduce(%221 init: %cst_34) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %225 = stablehlo.multiply %arg0, %223 : tensor<2x6x16xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %226 = stablehlo.reduce(%225 init: %cst_35) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %227 = stablehlo.reshape %226 : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %228 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %229 = stablehlo.multiply %223, %228 : tensor<2x6x16xf32>
    %230 = stablehlo.add %155, %229 : tensor<2x6x16xf32>
    %231 = stablehlo.multiply %227, %12 : tensor<2x6x1xf32>
    %cst_36 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %232 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %233 = stablehlo.divide %231, %232 : tensor<2x6x1xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %234 = stablehlo.reduce(%233 init: %cst_37) applies stablehlo.add across dimensions = [2] : (tensor<2x6x1xf32>, tensor<f32>) -> tensor<2x6xf32>
    %235 = stablehlo.broadcast_in_dim %234, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x16xf32>
    %236 = stablehlo.multiply %235, %2 : tensor<2x6x16xf32>
    %237 = stablehlo.add %230, %236 : tensor<2x6x16xf32>
    return %121, %237, %125, %134, %211, %224, %142, %157, %216, %130, %207 : tensor<f32>, tensor<2x6x16xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x32xf32>, tensor<16x8xf32>
  }
  func.func private @tril(%arg0: tensor<6x6xi1>) -> tensor<6x6xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<6x6xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x6xi32>
    %2 = stablehlo.add %0, %1 : tensor<6x6xi32>
    %3 = stablehlo.iota dim = 1 : tensor<6x6xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<6x6xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<6x6xi1>, tensor<6x6xi1>
    return %6 : tensor<6x6xi1>
  }
  func.func private @_where(%arg0: tensor<6x6xi1>, %arg1: tensor<2x4x6x6xf32>, %arg2: tensor<f32>) -> (tensor<2x4x6x6xf32>, tensor<2x4x6x6xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<6x6xi1>) -> tensor<2x4x6x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x6x6xi1>, tensor<2x4x6x6xf32>
    return %3, %1 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xi1>
  }
  func.func private @silu(%arg0: tensor<2x6x32xf32>) -> (tensor<2x6x32xf32>, tensor<2x6x32xf32>, tensor<2x6x32xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<2x6x32xf32>
    %1 = stablehlo.exponential %0 : tensor<2x6x32xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %3 = stablehlo.add %2, %1 : tensor<2x6x32xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %5 = stablehlo.divide %4, %3 : tensor<2x6x32xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<2x6x32xf32>
    %8 = stablehlo.multiply %5, %7 : tensor<2x6x32xf32>
    %9 = stablehlo.multiply %arg0, %5 : tensor<2x6x32xf32>
    return %9, %8, %5 : tensor<2x6x32xf32>, tensor<2x6x32xf32>, tensor<2x6x32xf32>
  }
  func.func private @silu_0(%arg0: tensor<2x6x32xf32>, %arg1: tensor<2x6x32xf32>, %arg2: tensor<2x6x32xf32>, %arg3: tensor<2x6x32xf32>) -> tensor<2x6x32xf32> {
    %0 = stablehlo.multiply %arg2, %arg3 : tensor<2x6x32xf32>
    %1 = stablehlo.multiply %arg3, %arg1 : tensor<2x6x32xf32>
    %2 = stablehlo.multiply %0, %arg0 : tensor<2x6x32xf32>
    %3 = stablehlo.add %1, %2 : tensor<2x6x32xf32>
    return %3 : tensor<2x6x32xf32>
  }
  func.func private @_where_1(%arg0: tensor<2x4x6x6xi1>, %arg1: tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x4x6x6xi1>, tensor<2x4x6x6xf32>
    return %1 : tensor<2x4x6x6xf32>
  }
}
