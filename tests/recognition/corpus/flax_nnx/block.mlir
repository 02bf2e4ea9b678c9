// Producer: flax.nnx 0.12.12 on jax 0.12.0.1
// Module: a layer of a transformer
// EXPECT @main: attention=1 layer_norm=2 linear=4 transformer_mlp=1

module @jit_program attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4xf32>, %arg1: tensor<8x2x4xf32>, %arg2: tensor<8xf32>, %arg3: tensor<2x4x8xf32>, %arg4: tensor<2x4xf32>, %arg5: tensor<8x2x4xf32>, %arg6: tensor<2x4xf32>, %arg7: tensor<8x2x4xf32>, %arg8: tensor<8xf32>, %arg9: tensor<32x8xf32>, %arg10: tensor<8xf32>, %arg11: tensor<8xf32>, %arg12: tensor<8xf32>, %arg13: tensor<8xf32>, %arg14: tensor<32xf32>, %arg15: tensor<8x32xf32>, %arg16: tensor<2x5x8xf32>) -> (tensor<2x5x8xf32> {jax.result_info = "result"}) {
    %0 = chlo.square %arg16 : tensor<2x5x8xf32> -> tensor<2x5x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%arg16 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2x5xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%0 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %cst_2 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %6 = stablehlo.divide %4, %5 : tensor<2x5xf32>
    %7 = chlo.square %3 : tensor<2x5xf32> -> tensor<2x5xf32>
    %8 = stablehlo.subtract %6, %7 : tensor<2x5xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %10 = stablehlo.maximum %9, %8 : tensor<2x5xf32>
    %11 = stablehlo.reshape %3 : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %12 = stablehlo.reshape %10 : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %14 = stablehlo.subtract %arg16, %13 : tensor<2x5x8xf32>
    %cst_4 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %16 = stablehlo.add %12, %15 : tensor<2x5x1xf32>
    %17 = stablehlo.rsqrt %16 : tensor<2x5x1xf32>
    %18 = stablehlo.reshape %arg11 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %19 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %20 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %21 = stablehlo.multiply %19, %20 : tensor<2x5x8xf32>
    %22 = stablehlo.multiply %14, %21 : tensor<2x5x8xf32>
    %23 = stablehlo.reshape %arg10 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %25 = stablehlo.add %22, %24 : tensor<2x5x8xf32>
    %26 = stablehlo.iota dim = 0 : tensor<5xi32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [1] : (tensor<5xi32>) -> tensor<2x5xi32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1] : (tensor<2x5xi32>) -> tensor<2x5x1xi32>
    %29 = stablehlo.broadcast_in_dim %27, dims = [0, 2] : (tensor<2x5xi32>) -> tensor<2x1x5xi32>
    %30 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2] : (tensor<2x5x1xi32>) -> tensor<2x5x5xi32>
    %31 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2] : (tensor<2x1x5xi32>) -> tensor<2x5x5xi32>
    %32 = stablehlo.compare GE, %30, %31, SIGNED : (tensor<2x5x5xi32>, tensor<2x5x5xi32>) -> tensor<2x5x5xi1>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 2, 3] : (tensor<2x5x5xi1>) -> tensor<2x1x5x5xi1>
    %34 = stablehlo.convert %33 : (tensor<2x1x5x5xi1>) -> tensor<2x1x5x5xf32>
    %35 = stablehlo.dot_general %25, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x2x4xf32>) -> tensor<2x5x2x4xf32>
    %36 = stablehlo.reshape %arg4 : (tensor<2x4xf32>) -> tensor<1x1x2x4xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<1x1x2x4xf32>) -> tensor<2x5x2x4xf32>
    %38 = stablehlo.add %35, %37 : tensor<2x5x2x4xf32>
    %39 = stablehlo.dot_general %25, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x2x4xf32>) -> tensor<2x5x2x4xf32>
    %40 = stablehlo.reshape %arg0 : (tensor<2x4xf32>) -> tensor<1x1x2x4xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2, 3] : (tensor<1x1x2x4xf32>) -> tensor<2x5x2x4xf32>
    %42 = stablehlo.add %39, %41 : tensor<2x5x2x4xf32>
    %43 = stablehlo.dot_general %25, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x2x4xf32>) -> tensor<2x5x2x4xf32>
    %44 = stablehlo.reshape %arg6 : (tensor<2x4xf32>) -> tensor<1x1x2x4xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2, 3] : (tensor<1x1x2x4xf32>) -> tensor<2x5x2x4xf32>
    %46 = stablehlo.add %43, %45 : tensor<2x5x2x4xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x1x5x5xf32>
    %48 = stablehlo.compare NE, %34, %47, FLOAT : (tensor<2x1x5x5xf32>, tensor<2x1x5x5xf32>) -> tensor<2x1x5x5xi1>
    %49 = stablehlo.convert %48 : tensor<2x1x5x5xi1>
    %50 = stablehlo.reshape %38 : (tensor<2x5x2x4xf32>) -> tensor<2x5x2x1x4xf32>
    %51 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 3, 4] : (tensor<2x1x5x5xi1>) -> tensor<2x1x1x5x5xi1>
    %52 = stablehlo.dot_general %50, %42, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x1x4xf32>, tensor<2x5x2x4xf32>) -> tensor<2x2x5x1x5xf32>
    %cst_6 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x2x5x1x5xf32>
    %54 = stablehlo.multiply %52, %53 : tensor<2x2x5x1x5xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %55 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<2x2x5x5xi1>
    %56 = stablehlo.broadcast_in_dim %55, dims = [1, 2, 3, 4] : (tensor<2x2x5x5xi1>) -> tensor<1x2x2x5x5xi1>
    %57 = stablehlo.transpose %51, dims = [2, 0, 1, 3, 4] : (tensor<2x1x1x5x5xi1>) -> tensor<1x2x1x5x5xi1>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2, 3, 4] : (tensor<1x2x1x5x5xi1>) -> tensor<1x2x2x5x5xi1>
    %59 = stablehlo.and %56, %58 : tensor<1x2x2x5x5xi1>
    %cst_7 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %60 = call @_where(%59, %54, %cst_7) : (tensor<1x2x2x5x5xi1>, tensor<2x2x5x1x5xf32>, tensor<f32>) -> tensor<1x2x2x5x5xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %61 = stablehlo.reduce(%60 init: %cst_8) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x2x5x5xf32>, tensor<f32>) -> tensor<1x2x2x5xf32>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<1x2x2x5xf32>
    %63 = stablehlo.maximum %62, %61 : tensor<1x2x2x5xf32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [0, 1, 2, 3] : (tensor<1x2x2x5xf32>) -> tensor<1x2x2x5x1xf32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [0, 1, 2, 3, 4] : (tensor<1x2x2x5x1xf32>) -> tensor<1x2x2x5x5xf32>
    %66 = stablehlo.subtract %60, %65 : tensor<1x2x2x5x5xf32>
    %67 = stablehlo.exponential %66 : tensor<1x2x2x5x5xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %68 = stablehlo.reduce(%67 init: %cst_10) applies stablehlo.add across dimensions = [4] : (tensor<1x2x2x5x5xf32>, tensor<f32>) -> tensor<1x2x2x5xf32>
    %69 = stablehlo.broadcast_in_dim %68, dims = [0, 1, 2, 3] : (tensor<1x2x2x5xf32>) -> tensor<1x2x2x5x1xf32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [0, 1, 2, 3, 4] : (tensor<1x2x2x5x1xf32>) -> tensor<1x2x2x5x5xf32>
    %71 = stablehlo.divide %67, %70 : tensor<1x2x2x5x5xf32>
    %72 = stablehlo.dot_general %46, %71, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x4xf32>, tensor<1x2x2x5x5xf32>) -> tensor<2x2x4x1x5xf32>
    %73 = stablehlo.transpose %72, dims = [3, 0, 4, 1, 2] : (tensor<2x2x4x1x5xf32>) -> tensor<1x2x5x2x4xf32>
    %74 = stablehlo.transpose %73, dims = [1, 2, 3, 0, 4] : (tensor<1x2x5x2x4xf32>) -> tensor<2x5x2x1x4xf32>
    %75 = stablehlo.reshape %74 : (tensor<2x5x2x1x4xf32>) -> tensor<2x5x2x4xf32>
    %76 = stablehlo.dot_general %75, %arg3, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x4xf32>, tensor<2x4x8xf32>) -> tensor<2x5x8xf32>
    %77 = stablehlo.reshape %arg2 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %79 = stablehlo.add %76, %78 : tensor<2x5x8xf32>
    %80 = stablehlo.add %arg16, %79 : tensor<2x5x8xf32>
    %81 = chlo.square %80 : tensor<2x5x8xf32> -> tensor<2x5x8xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %82 = stablehlo.reduce(%80 init: %cst_11) applies stablehlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %cst_12 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %84 = stablehlo.divide %82, %83 : tensor<2x5xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %85 = stablehlo.reduce(%81 init: %cst_13) applies stablehlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %cst_14 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %87 = stablehlo.divide %85, %86 : tensor<2x5xf32>
    %88 = chlo.square %84 : tensor<2x5xf32> -> tensor<2x5xf32>
    %89 = stablehlo.subtract %87, %88 : tensor<2x5xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %91 = stablehlo.maximum %90, %89 : tensor<2x5xf32>
    %92 = stablehlo.reshape %84 : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %93 = stablehlo.reshape %91 : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %94 = stablehlo.broadcast_in_dim %92, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %95 = stablehlo.subtract %80, %94 : tensor<2x5x8xf32>
    %cst_16 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %97 = stablehlo.add %93, %96 : tensor<2x5x1xf32>
    %98 = stablehlo.rsqrt %97 : tensor<2x5x1xf32>
    %99 = stablehlo.reshape %arg13 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %100 = stablehlo.broadcast_in_dim %98, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %101 = stablehlo.broadcast_in_dim %99, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %102 = stablehlo.multiply %100, %101 : tensor<2x5x8xf32>
    %103 = stablehlo.multiply %95, %102 : tensor<2x5x8xf32>
    %104 = stablehlo.reshape %arg12 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %105 = stablehlo.broadcast_in_dim %104, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %106 = stablehlo.add %103, %105 : tensor<2x5x8xf32>
    %107 = stablehlo.dot_general %106, %arg15, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x32xf32>) -> tensor<2x5x32xf32>
    %108 = stablehlo.reshape %arg14 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %109 = stablehlo.broadcast_in_dim %108, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<2x5x32xf32>
    %110 = stablehlo.add %107, %109 : tensor<2x5x32xf32>
    %111 = stablehlo.multiply %110, %110 : tensor<2x5x32xf32>
    %112 = stablehlo.multiply %111, %110 : tensor<2x5x32xf32>
    %cst_17 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<2x5x32xf32>
    %114 = stablehlo.multiply %113, %112 : tensor<2x5x32xf32>
    %115 = stablehlo.add %110, %114 : tensor<2x5x32xf32>
    %cst_18 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x5x32xf32>
    %117 = stablehlo.multiply %116, %115 : tensor<2x5x32xf32>
    %118 = stablehlo.tanh %117 : tensor<2x5x32xf32>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<2x5x32xf32>
    %120 = stablehlo.add %119, %118 : tensor<2x5x32xf32>
    %cst_20 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<2x5x32xf32>
    %122 = stablehlo.multiply %121, %120 : tensor<2x5x32xf32>
    %123 = stablehlo.multiply %110, %122 : tensor<2x5x32xf32>
    %124 = stablehlo.dot_general %123, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x32xf32>, tensor<32x8xf32>) -> tensor<2x5x8xf32>
    %125 = stablehlo.reshape %arg8 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %126 = stablehlo.broadcast_in_dim %125, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %127 = stablehlo.add %124, %126 : tensor<2x5x8xf32>
    %128 = stablehlo.add %80, %127 : tensor<2x5x8xf32>
    return %128 : tensor<2x5x8xf32>
  }
  func.func private @_where(%arg0: tensor<1x2x2x5x5xi1>, %arg1: tensor<2x2x5x1x5xf32>, %arg2: tensor<f32>) -> tensor<1x2x2x5x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x2x5x5xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<2x2x5x5xf32>) -> tensor<1x2x2x5x5xf32>
    %2 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<2x2x5x1x5xf32>) -> tensor<1x2x2x5x5xf32>
    %3 = stablehlo.select %arg0, %2, %1 : tensor<1x2x2x5x5xi1>, tensor<1x2x2x5x5xf32>
    return %3 : tensor<1x2x2x5x5xf32>
  }
}
