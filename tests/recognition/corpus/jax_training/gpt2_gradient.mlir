// Producer: optax 0.2.8 on jax 0.12.0.1
// Module: the gradient of a layer of GPT-2
// EXPECT: anything

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x6x16xf32>, %arg1: tensor<32x16xf32>, %arg2: tensor<16xf32>, %arg3: tensor<16xf32>, %arg4: tensor<16xf32>, %arg5: tensor<16x16xf32>, %arg6: tensor<16xf32>, %arg7: tensor<16x48xf32>, %arg8: tensor<48xf32>, %arg9: tensor<16xf32>, %arg10: tensor<16xf32>, %arg11: tensor<16x32xf32>, %arg12: tensor<32xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<2x6x16xf32> {jax.result_info = "result[1][0]"}, tensor<32x16xf32> {jax.result_info = "result[1][1]['down']"}, tensor<16xf32> {jax.result_info = "result[1][1]['down_bias']"}, tensor<16xf32> {jax.result_info = "result[1][1]['o1']"}, tensor<16xf32> {jax.result_info = "result[1][1]['o2']"}, tensor<16x16xf32> {jax.result_info = "result[1][1]['proj']"}, tensor<16xf32> {jax.result_info = "result[1][1]['proj_bias']"}, tensor<16x48xf32> {jax.result_info = "result[1][1]['qkv']"}, tensor<48xf32> {jax.result_info = "result[1][1]['qkv_bias']"}, tensor<16xf32> {jax.result_info = "result[1][1]['s1']"}, tensor<16xf32> {jax.result_info = "result[1][1]['s2']"}, tensor<16x32xf32> {jax.result_info = "result[1][1]['up']"}, tensor<32xf32> {jax.result_info = "result[1][1]['up_bias']"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2x6x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<2x6x16xf32>
    %6 = chlo.square %5 : tensor<2x6x16xf32> -> tensor<2x6x16xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<2x6x16xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_3 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<2x6x1xf32>
    %13 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %14 = stablehlo.subtract %arg0, %13 : tensor<2x6x16xf32>
    %15 = stablehlo.broadcast_in_dim %arg9, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %17 = stablehlo.multiply %16, %14 : tensor<2x6x16xf32>
    %cst_4 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %19 = stablehlo.add %12, %18 : tensor<2x6x1xf32>
    %20 = stablehlo.sqrt %19 : tensor<2x6x1xf32>
    %cst_5 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %22 = stablehlo.divide %21, %20 : tensor<2x6x1xf32>
    %23 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %24 = stablehlo.divide %17, %23 : tensor<2x6x16xf32>
    %25 = stablehlo.multiply %20, %20 : tensor<2x6x1xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %27 = stablehlo.divide %26, %25 : tensor<2x6x1xf32>
    %28 = stablehlo.broadcast_in_dim %arg3, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %30 = stablehlo.add %24, %29 : tensor<2x6x16xf32>
    %31 = stablehlo.dot_general %30, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x48xf32>) -> tensor<2x6x48xf32>
    %32 = stablehlo.broadcast_in_dim %arg8, dims = [2] : (tensor<48xf32>) -> tensor<1x1x48xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2] : (tensor<1x1x48xf32>) -> tensor<2x6x48xf32>
    %34 = stablehlo.add %31, %33 : tensor<2x6x48xf32>
    %35 = stablehlo.slice %34 [0:2, 0:6, 0:16] : (tensor<2x6x48xf32>) -> tensor<2x6x16xf32>
    %36 = stablehlo.slice %34 [0:2, 0:6, 16:32] : (tensor<2x6x48xf32>) -> tensor<2x6x16xf32>
    %37 = stablehlo.slice %34 [0:2, 0:6, 32:48] : (tensor<2x6x48xf32>) -> tensor<2x6x16xf32>
    %38 = stablehlo.reshape %35 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %39 = stablehlo.transpose %38, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %40 = stablehlo.reshape %36 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %41 = stablehlo.transpose %40, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %42 = stablehlo.reshape %37 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %43 = stablehlo.transpose %42, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %44 = stablehlo.transpose %41, dims = [0, 1, 3, 2] : (tensor<2x4x6x4xf32>) -> tensor<2x4x4x6xf32>
    %45 = stablehlo.dot_general %39, %44, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x6x4xf32>, tensor<2x4x4x6xf32>) -> tensor<2x4x6x6xf32>
    %cst_7 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %46 = stablehlo.sqrt %cst_7 : tensor<f32>
    %47 = stablehlo.convert %46 : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %49 = stablehlo.divide %45, %48 : tensor<2x4x6x6xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<6x6xf32>
    %51 = call @tril(%50) : (tensor<6x6xf32>) -> tensor<6x6xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<6x6xf32>
    %53 = stablehlo.subtract %52, %51 : tensor<6x6xf32>
    %cst_10 = stablehlo.constant dense<-1.000000e+10> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<6x6xf32>
    %55 = stablehlo.multiply %53, %54 : tensor<6x6xf32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [2, 3] : (tensor<6x6xf32>) -> tensor<1x1x6x6xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2, 3] : (tensor<1x1x6x6xf32>) -> tensor<2x4x6x6xf32>
    %58 = stablehlo.add %49, %57 : tensor<2x4x6x6xf32>
    %cst_11 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %59 = stablehlo.reduce(%58 init: %cst_11) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %cst_12 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
    %61 = stablehlo.maximum %60, %59 : tensor<2x4x6xf32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %64 = stablehlo.subtract %58, %63 : tensor<2x4x6x6xf32>
    %65 = stablehlo.exponential %64 : tensor<2x4x6x6xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %66 = stablehlo.reduce(%65 init: %cst_13) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %69 = stablehlo.divide %65, %68 : tensor<2x4x6x6xf32>
    %70 = stablehlo.multiply %67, %67 : tensor<2x4x6x1xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x4x6x1xf32>
    %72 = stablehlo.divide %71, %70 : tensor<2x4x6x1xf32>
    %73 = stablehlo.dot_general %69, %43, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x6x6xf32>, tensor<2x4x6x4xf32>) -> tensor<2x4x6x4xf32>
    %74 = stablehlo.transpose %73, dims = [0, 2, 1, 3] : (tensor<2x4x6x4xf32>) -> tensor<2x6x4x4xf32>
    %75 = stablehlo.reshape %74 : (tensor<2x6x4x4xf32>) -> tensor<2x6x16xf32>
    %76 = stablehlo.dot_general %75, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %77 = stablehlo.broadcast_in_dim %arg6, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %79 = stablehlo.add %76, %78 : tensor<2x6x16xf32>
    %80 = stablehlo.add %arg0, %79 : tensor<2x6x16xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %81 = stablehlo.reduce(%80 init: %cst_15) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_16 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %84 = stablehlo.divide %82, %83 : tensor<2x6x1xf32>
    %85 = stablehlo.broadcast_in_dim %84, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %86 = stablehlo.subtract %80, %85 : tensor<2x6x16xf32>
    %87 = chlo.square %86 : tensor<2x6x16xf32> -> tensor<2x6x16xf32>
    %cst_17 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %89 = stablehlo.multiply %88, %86 : tensor<2x6x16xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %90 = stablehlo.reduce(%87 init: %cst_18) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %91 = stablehlo.broadcast_in_dim %90, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_19 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %93 = stablehlo.divide %91, %92 : tensor<2x6x1xf32>
    %94 = stablehlo.broadcast_in_dim %84, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %95 = stablehlo.subtract %80, %94 : tensor<2x6x16xf32>
    %96 = stablehlo.broadcast_in_dim %arg10, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %97 = stablehlo.broadcast_in_dim %96, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %98 = stablehlo.multiply %97, %95 : tensor<2x6x16xf32>
    %cst_20 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %100 = stablehlo.add %93, %99 : tensor<2x6x1xf32>
    %101 = stablehlo.sqrt %100 : tensor<2x6x1xf32>
    %cst_21 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %103 = stablehlo.divide %102, %101 : tensor<2x6x1xf32>
    %104 = stablehlo.broadcast_in_dim %101, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %105 = stablehlo.divide %98, %104 : tensor<2x6x16xf32>
    %106 = stablehlo.multiply %101, %101 : tensor<2x6x1xf32>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %108 = stablehlo.divide %107, %106 : tensor<2x6x1xf32>
    %109 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %110 = stablehlo.broadcast_in_dim %109, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %111 = stablehlo.add %105, %110 : tensor<2x6x16xf32>
    %112 = stablehlo.dot_general %111, %arg11, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x32xf32>) -> tensor<2x6x32xf32>
    %113 = stablehlo.broadcast_in_dim %arg12, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %114 = stablehlo.broadcast_in_dim %113, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<2x6x32xf32>
    %115 = stablehlo.add %112, %114 : tensor<2x6x32xf32>
    %116 = stablehlo.multiply %115, %115 : tensor<2x6x32xf32>
    %117 = stablehlo.multiply %116, %115 : tensor<2x6x32xf32>
    %118 = stablehlo.multiply %115, %115 : tensor<2x6x32xf32>
    %cst_23 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %120 = stablehlo.multiply %119, %118 : tensor<2x6x32xf32>
    %cst_24 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %122 = stablehlo.multiply %121, %117 : tensor<2x6x32xf32>
    %123 = stablehlo.add %115, %122 : tensor<2x6x32xf32>
    %cst_25 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %124 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %125 = stablehlo.multiply %124, %123 : tensor<2x6x32xf32>
    %126 = stablehlo.tanh %125 : tensor<2x6x32xf32>
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %127 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %128 = stablehlo.add %127, %126 : tensor<2x6x32xf32>
    %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %130 = stablehlo.subtract %129, %126 : tensor<2x6x32xf32>
    %131 = stablehlo.multiply %128, %130 : tensor<2x6x32xf32>
    %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %132 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %133 = stablehlo.add %132, %126 : tensor<2x6x32xf32>
    %cst_29 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %135 = stablehlo.multiply %134, %133 : tensor<2x6x32xf32>
    %136 = stablehlo.multiply %115, %135 : tensor<2x6x32xf32>
    %137 = stablehlo.dot_general %136, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x32xf32>, tensor<32x16xf32>) -> tensor<2x6x16xf32>
    %138 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %139 = stablehlo.broadcast_in_dim %138, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %140 = stablehlo.add %137, %139 : tensor<2x6x16xf32>
    %141 = stablehlo.add %80, %140 : tensor<2x6x16xf32>
    %142 = chlo.square %141 : tensor<2x6x16xf32> -> tensor<2x6x16xf32>
    %cst_30 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %144 = stablehlo.multiply %143, %141 : tensor<2x6x16xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %145 = stablehlo.reduce(%142 init: %cst_31) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %146 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %147 = stablehlo.multiply %146, %144 : tensor<2x6x16xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %148 = stablehlo.reduce(%147 init: %cst_33) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<16xf32>
    %149 = stablehlo.reshape %148 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %150 = stablehlo.reduce(%149 init: %cst_34) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %151 = stablehlo.dot_general %147, %136, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<2x6x32xf32>) -> tensor<16x32xf32>
    %152 = stablehlo.transpose %151, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %153 = stablehlo.dot_general %147, %arg1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<32x16xf32>) -> tensor<2x6x32xf32>
    %154 = stablehlo.multiply %115, %153 : tensor<2x6x32xf32>
    %155 = stablehlo.multiply %153, %135 : tensor<2x6x32xf32>
    %cst_35 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %156 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %157 = stablehlo.multiply %156, %154 : tensor<2x6x32xf32>
    %158 = stablehlo.multiply %157, %131 : tensor<2x6x32xf32>
    %cst_36 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %159 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %160 = stablehlo.multiply %159, %158 : tensor<2x6x32xf32>
    %161 = stablehlo.add %155, %160 : tensor<2x6x32xf32>
    %cst_37 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %162 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %163 = stablehlo.multiply %162, %160 : tensor<2x6x32xf32>
    %164 = stablehlo.multiply %163, %120 : tensor<2x6x32xf32>
    %165 = stablehlo.add %161, %164 : tensor<2x6x32xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %166 = stablehlo.reduce(%165 init: %cst_38) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x6x32xf32>, tensor<f32>) -> tensor<32xf32>
    %167 = stablehlo.reshape %166 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %168 = stablehlo.reduce(%167 init: %cst_39) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %169 = stablehlo.dot_general %165, %111, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x32xf32>, tensor<2x6x16xf32>) -> tensor<32x16xf32>
    %170 = stablehlo.transpose %169, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %171 = stablehlo.dot_general %165, %arg11, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x32xf32>, tensor<16x32xf32>) -> tensor<2x6x16xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %172 = stablehlo.reduce(%171 init: %cst_40) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<16xf32>
    %173 = stablehlo.reshape %172 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %174 = stablehlo.reduce(%173 init: %cst_41) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %175 = stablehlo.broadcast_in_dim %108, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %176 = stablehlo.multiply %171, %175 : tensor<2x6x16xf32>
    %177 = stablehlo.multiply %176, %98 : tensor<2x6x16xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %178 = stablehlo.reduce(%177 init: %cst_42) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %179 = stablehlo.reshape %178 : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %180 = stablehlo.negate %179 : tensor<2x6x1xf32>
    %181 = stablehlo.broadcast_in_dim %101, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %182 = stablehlo.divide %171, %181 : tensor<2x6x16xf32>
    %183 = stablehlo.multiply %180, %103 : tensor<2x6x1xf32>
    %184 = stablehlo.broadcast_in_dim %96, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %185 = stablehlo.multiply %184, %182 : tensor<2x6x16xf32>
    %186 = stablehlo.multiply %182, %95 : tensor<2x6x16xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %187 = stablehlo.reduce(%186 init: %cst_43) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<16xf32>
    %188 = stablehlo.reshape %187 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %189 = stablehlo.reduce(%188 init: %cst_44) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %190 = stablehlo.negate %185 : tensor<2x6x16xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %191 = stablehlo.reduce(%190 init: %cst_45) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %192 = stablehlo.reshape %191 : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %193 = stablehlo.add %147, %185 : tensor<2x6x16xf32>
    %cst_46 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %194 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %195 = stablehlo.divide %183, %194 : tensor<2x6x1xf32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %196 = stablehlo.reduce(%195 init: %cst_47) applies stablehlo.add across dimensions = [2] : (tensor<2x6x1xf32>, tensor<f32>) -> tensor<2x6xf32>
    %197 = stablehlo.broadcast_in_dim %196, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x16xf32>
    %198 = stablehlo.multiply %197, %89 : tensor<2x6x16xf32>
    %199 = stablehlo.negate %198 : tensor<2x6x16xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %200 = stablehlo.reduce(%199 init: %cst_48) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %201 = stablehlo.reshape %200 : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %202 = stablehlo.add %193, %198 : tensor<2x6x16xf32>
    %203 = stablehlo.add %192, %201 : tensor<2x6x1xf32>
    %cst_49 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %204 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %205 = stablehlo.divide %203, %204 : tensor<2x6x1xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %206 = stablehlo.reduce(%205 init: %cst_50) applies stablehlo.add across dimensions = [2] : (tensor<2x6x1xf32>, tensor<f32>) -> tensor<2x6xf32>
    %207 = stablehlo.broadcast_in_dim %206, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x16xf32>
    %208 = stablehlo.add %202, %207 : tensor<2x6x16xf32>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %209 = stablehlo.reduce(%208 init: %cst_51) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<16xf32>
    %210 = stablehlo.reshape %209 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %211 = stablehlo.reduce(%210 init: %cst_52) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %212 = stablehlo.dot_general %208, %75, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<2x6x16xf32>) -> tensor<16x16xf32>
    %213 = stablehlo.transpose %212, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %214 = stablehlo.dot_general %208, %arg5, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %215 = stablehlo.reshape %214 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %216 = stablehlo.transpose %215, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %217 = stablehlo.dot_general %216, %69, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x6x4xf32>, tensor<2x4x6x6xf32>) -> tensor<2x4x4x6xf32>
    %218 = stablehlo.transpose %217, dims = [0, 1, 3, 2] : (tensor<2x4x4x6xf32>) -> tensor<2x4x6x4xf32>
    %219 = stablehlo.dot_general %216, %43, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>) -> tensor<2x4x6x6xf32>
    %220 = stablehlo.broadcast_in_dim %72, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %221 = stablehlo.multiply %219, %220 : tensor<2x4x6x6xf32>
    %222 = stablehlo.multiply %221, %65 : tensor<2x4x6x6xf32>
    %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %223 = stablehlo.reduce(%222 init: %cst_53) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %224 = stablehlo.reshape %223 : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %225 = stablehlo.negate %224 : tensor<2x4x6x1xf32>
    %226 = stablehlo.broadcast_in_dim %67, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %227 = stablehlo.divide %219, %226 : tensor<2x4x6x6xf32>
    %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %228 = stablehlo.reduce(%225 init: %cst_54) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x1xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %229 = stablehlo.broadcast_in_dim %228, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x6xf32>
    %230 = stablehlo.add %227, %229 : tensor<2x4x6x6xf32>
    %231 = stablehlo.multiply %230, %65 : tensor<2x4x6x6xf32>
    %232 = stablehlo.broadcast_in_dim %47, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %233 = stablehlo.divide %231, %232 : tensor<2x4x6x6xf32>
    %234 = stablehlo.dot_general %233, %39, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x6x6xf32>, tensor<2x4x6x4xf32>) -> tensor<2x4x6x4xf32>
    %235 = stablehlo.transpose %234, dims = [0, 1, 3, 2] : (tensor<2x4x6x4xf32>) -> tensor<2x4x4x6xf32>
    %236 = stablehlo.dot_general %233, %44, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x6x6xf32>, tensor<2x4x4x6xf32>) -> tensor<2x4x6x4xf32>
    %237 = stablehlo.transpose %235, dims = [0, 1, 3, 2] : (tensor<2x4x4x6xf32>) -> tensor<2x4x6x4xf32>
    %238 = stablehlo.transpose %218, dims = [0, 2, 1, 3] : (tensor<2x4x6x4xf32>) -> tensor<2x6x4x4xf32>
    %239 = stablehlo.reshape %238 : (tensor<2x6x4x4xf32>) -> tensor<2x6x16xf32>
    %240 = stablehlo.transpose %237, dims = [0, 2, 1, 3] : (tensor<2x4x6x4xf32>) -> tensor<2x6x4x4xf32>
    %241 = stablehlo.reshape %240 : (tensor<2x6x4x4xf32>) -> tensor<2x6x16xf32>
    %242 = stablehlo.transpose %236, dims = [0, 2, 1, 3] : (tensor<2x4x6x4xf32>) -> tensor<2x6x4x4xf32>
    %243 = stablehlo.reshape %242 : (tensor<2x6x4x4xf32>) -> tensor<2x6x16xf32>
    %244 = stablehlo.concatenate %243, %241, %239, dim = 2 : (tensor<2x6x16xf32>, tensor<2x6x16xf32>, tensor<2x6x16xf32>) -> tensor<2x6x48xf32>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %245 = stablehlo.reduce(%244 init: %cst_55) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x6x48xf32>, tensor<f32>) -> tensor<48xf32>
    %246 = stablehlo.reshape %245 : (tensor<48xf32>) -> tensor<1x1x48xf32>
    %cst_56 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %247 = stablehlo.reduce(%246 init: %cst_56) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x48xf32>, tensor<f32>) -> tensor<48xf32>
    %248 = stablehlo.dot_general %244, %30, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x48xf32>, tensor<2x6x16xf32>) -> tensor<48x16xf32>
    %249 = stablehlo.transpose %248, dims = [1, 0] : (tensor<48x16xf32>) -> tensor<16x48xf32>
    %250 = stablehlo.dot_general %244, %arg7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x48xf32>, tensor<16x48xf32>) -> tensor<2x6x16xf32>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %251 = stablehlo.reduce(%250 init: %cst_57) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<16xf32>
    %252 = stablehlo.reshape %251 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %cst_58 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %253 = stablehlo.reduce(%252 init: %cst_58) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %254 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %255 = stablehlo.multiply %250, %254 : tensor<2x6x16xf32>
    %256 = stablehlo.multiply %255, %17 : tensor<2x6x16xf32>
    %cst_59 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %257 = stablehlo.reduce(%256 init: %cst_59) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %258 = stablehlo.reshape %257 : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %259 = stablehlo.negate %258 : tensor<2x6x1xf32>
    %260 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %261 = stablehlo.divide %250, %260 : tensor<2x6x16xf32>
    %262 = stablehlo.multiply %259, %22 : tensor<2x6x1xf32>
    %263 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %264 = stablehlo.multiply %263, %261 : tensor<2x6x16xf32>
    %265 = stablehlo.multiply %261, %14 : tensor<2x6x16xf32>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %266 = stablehlo.reduce(%265 init: %cst_60) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<16xf32>
    %267 = stablehlo.reshape %266 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %268 = stablehlo.reduce(%267 init: %cst_61) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %269 = stablehlo.negate %264 : tensor<2x6x16xf32>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %270 = stablehlo.reduce(%269 init: %cst_62) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %271 = stablehlo.reshape %270 : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %272 = stablehlo.add %208, %264 : tensor<2x6x16xf32>
    %cst_63 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %273 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %274 = stablehlo.divide %262, %273 : tensor<2x6x1xf32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %275 = stablehlo.reduce(%274 init: %cst_64) applies stablehlo.add across dimensions = [2] : (tensor<2x6x1xf32>, tensor<f32>) -> tensor<2x6xf32>
    %276 = stablehlo.broadcast_in_dim %275, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x16xf32>
    %277 = stablehlo.multiply %276, %8 : tensor<2x6x16xf32>
    %278 = stablehlo.negate %277 : tensor<2x6x16xf32>
    %cst_65 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %279 = stablehlo.reduce(%278 init: %cst_65) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %280 = stablehlo.reshape %279 : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %281 = stablehlo.add %272, %277 : tensor<2x6x16xf32>
    %282 = stablehlo.add %271, %280 : tensor<2x6x1xf32>
    %cst_66 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %283 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %284 = stablehlo.divide %282, %283 : tensor<2x6x1xf32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %285 = stablehlo.reduce(%284 init: %cst_67) applies stablehlo.add across dimensions = [2] : (tensor<2x6x1xf32>, tensor<f32>) -> tensor<2x6xf32>
    %286 = stablehlo.broadcast_in_dim %285, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x16xf32>
    %287 = stablehlo.add %281, %286 : tensor<2x6x16xf32>
    return %145, %287, %152, %150, %253, %174, %213, %211, %249, %247, %268, %189, %170, %168 : tensor<f32>, tensor<2x6x16xf32>, tensor<32x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x16xf32>, tensor<16xf32>, tensor<16x48xf32>, tensor<48xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x32xf32>, tensor<32xf32>
  }
  func.func private @tril(%arg0: tensor<6x6xf32>) -> tensor<6x6xf32> {
    %0 = stablehlo.iota dim = 0 : tensor<6x6xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x6xi32>
    %2 = stablehlo.add %0, %1 : tensor<6x6xi32>
    %3 = stablehlo.iota dim = 1 : tensor<6x6xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x6xf32>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<6x6xi1>, tensor<6x6xf32>
    return %6 : tensor<6x6xf32>
  }
}
