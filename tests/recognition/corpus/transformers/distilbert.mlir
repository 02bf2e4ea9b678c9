// Producer: transformers 5.24.0 on torchax 0.0.13, jax 0.10.2
// Module: DistilBertModel, eager attention
// EXPECT @main: attention=1 layer_norm=3 linear=4 transformer_mlp=1
// EXPECT @_take: embedding=1
// EXPECT @_take_0: embedding=1

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16x16xf32>, %arg3: tensor<1x16xi32>, %arg4: tensor<32x16xf32>, %arg5: tensor<16xf32>, %arg6: tensor<16x16xf32>, %arg7: tensor<16xf32>, %arg8: tensor<16x16xf32>, %arg9: tensor<16xf32>, %arg10: tensor<16x16xf32>, %arg11: tensor<16xf32>, %arg12: tensor<16x16xf32>, %arg13: tensor<32xf32>, %arg14: tensor<32x16xf32>, %arg15: tensor<16xf32>, %arg16: tensor<16x32xf32>, %arg17: tensor<16xf32>, %arg18: tensor<16xf32>, %arg19: tensor<16xf32>, %arg20: tensor<16xf32>, %arg21: tensor<2x6xi32>) -> (tensor<2x6x16xf32> {jax.result_info = "result"}) {
    %0 = call @_take(%arg4, %arg21) : (tensor<32x16xf32>, tensor<2x6xi32>) -> tensor<2x6x16xf32>
    %1 = stablehlo.slice %arg3 [0:1, 0:6] : (tensor<1x16xi32>) -> tensor<1x6xi32>
    %2 = call @_take_0(%arg2, %1) : (tensor<16x16xf32>, tensor<1x6xi32>) -> tensor<1x6x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x6x16xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<1x6x16xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<1x6x16xf32>) -> tensor<2x6x16xf32>
    %6 = stablehlo.add %0, %5 : tensor<2x6x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<2x6x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %11 = call @_var(%6, %c) : (tensor<2x6x16xf32>, tensor<i32>) -> tensor<2x6x1xf32>
    %cst_2 = stablehlo.constant dense<9.99999996E-13> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %13 = stablehlo.add %11, %12 : tensor<2x6x1xf32>
    %14 = stablehlo.rsqrt %13 : tensor<2x6x1xf32>
    %15 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %16 = stablehlo.subtract %6, %15 : tensor<2x6x16xf32>
    %17 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %18 = stablehlo.multiply %16, %17 : tensor<2x6x16xf32>
    %19 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %21 = stablehlo.multiply %18, %20 : tensor<2x6x16xf32>
    %22 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %24 = stablehlo.add %21, %23 : tensor<2x6x16xf32>
    %25 = stablehlo.dot_general %24, %arg10, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %26 = stablehlo.broadcast_in_dim %arg9, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %28 = stablehlo.add %25, %27 : tensor<2x6x16xf32>
    %29 = stablehlo.reshape %28 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %30 = stablehlo.transpose %29, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %31 = stablehlo.dot_general %24, %arg6, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %32 = stablehlo.broadcast_in_dim %arg5, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %34 = stablehlo.add %31, %33 : tensor<2x6x16xf32>
    %35 = stablehlo.reshape %34 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %36 = stablehlo.transpose %35, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %37 = stablehlo.dot_general %24, %arg12, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %38 = stablehlo.broadcast_in_dim %arg11, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %40 = stablehlo.add %37, %39 : tensor<2x6x16xf32>
    %41 = stablehlo.reshape %40 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %42 = stablehlo.transpose %41, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %43 = stablehlo.transpose %36, dims = [0, 1, 3, 2] : (tensor<2x4x6x4xf32>) -> tensor<2x4x4x6xf32>
    %44 = stablehlo.reshape %30 : (tensor<2x4x6x4xf32>) -> tensor<8x6x4xf32>
    %45 = stablehlo.reshape %43 : (tensor<2x4x4x6xf32>) -> tensor<8x4x6xf32>
    %46 = stablehlo.dot_general %44, %45, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x4xf32>, tensor<8x4x6xf32>) -> tensor<8x6x6xf32>
    %47 = stablehlo.reshape %46 : (tensor<8x6x6xf32>) -> tensor<2x4x6x6xf32>
    %cst_3 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %49 = stablehlo.multiply %47, %48 : tensor<2x4x6x6xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %50 = stablehlo.reduce(%49 init: %cst_4) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
    %52 = stablehlo.maximum %51, %50 : tensor<2x4x6xf32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %54 = stablehlo.broadcast_in_dim %53, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %55 = stablehlo.subtract %49, %54 : tensor<2x4x6x6xf32>
    %56 = stablehlo.exponential %55 : tensor<2x4x6x6xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %57 = stablehlo.reduce(%56 init: %cst_6) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %59 = stablehlo.broadcast_in_dim %58, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %60 = stablehlo.divide %56, %59 : tensor<2x4x6x6xf32>
    %61 = stablehlo.reshape %60 : (tensor<2x4x6x6xf32>) -> tensor<8x6x6xf32>
    %62 = stablehlo.reshape %42 : (tensor<2x4x6x4xf32>) -> tensor<8x6x4xf32>
    %63 = stablehlo.dot_general %61, %62, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x6xf32>, tensor<8x6x4xf32>) -> tensor<8x6x4xf32>
    %64 = stablehlo.reshape %63 : (tensor<8x6x4xf32>) -> tensor<2x4x6x4xf32>
    %65 = stablehlo.transpose %64, dims = [0, 2, 1, 3] : (tensor<2x4x6x4xf32>) -> tensor<2x6x4x4xf32>
    %66 = stablehlo.reshape %65 : (tensor<2x6x4x4xf32>) -> tensor<2x6x16xf32>
    %67 = stablehlo.dot_general %66, %arg8, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %68 = stablehlo.broadcast_in_dim %arg7, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %69 = stablehlo.broadcast_in_dim %68, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %70 = stablehlo.add %67, %69 : tensor<2x6x16xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %72 = stablehlo.multiply %24, %71 : tensor<2x6x16xf32>
    %73 = stablehlo.add %70, %72 : tensor<2x6x16xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %74 = stablehlo.reduce(%73 init: %cst_8) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %75 = stablehlo.broadcast_in_dim %74, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_9 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %77 = stablehlo.divide %75, %76 : tensor<2x6x1xf32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %78 = call @_var(%73, %c_10) : (tensor<2x6x16xf32>, tensor<i32>) -> tensor<2x6x1xf32>
    %cst_11 = stablehlo.constant dense<9.99999996E-13> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %80 = stablehlo.add %78, %79 : tensor<2x6x1xf32>
    %81 = stablehlo.rsqrt %80 : tensor<2x6x1xf32>
    %82 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %83 = stablehlo.subtract %73, %82 : tensor<2x6x16xf32>
    %84 = stablehlo.broadcast_in_dim %81, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %85 = stablehlo.multiply %83, %84 : tensor<2x6x16xf32>
    %86 = stablehlo.broadcast_in_dim %arg20, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %87 = stablehlo.broadcast_in_dim %86, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %88 = stablehlo.multiply %85, %87 : tensor<2x6x16xf32>
    %89 = stablehlo.broadcast_in_dim %arg19, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %90 = stablehlo.broadcast_in_dim %89, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %91 = stablehlo.add %88, %90 : tensor<2x6x16xf32>
    %92 = stablehlo.dot_general %91, %arg14, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<32x16xf32>) -> tensor<2x6x32xf32>
    %93 = stablehlo.broadcast_in_dim %arg13, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %94 = stablehlo.broadcast_in_dim %93, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<2x6x32xf32>
    %95 = stablehlo.add %92, %94 : tensor<2x6x32xf32>
    %cst_12 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %97 = stablehlo.multiply %96, %95 : tensor<2x6x32xf32>
    %98 = stablehlo.negate %95 : tensor<2x6x32xf32>
    %cst_13 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %100 = stablehlo.multiply %98, %99 : tensor<2x6x32xf32>
    %101 = chlo.erfc %100 : tensor<2x6x32xf32> -> tensor<2x6x32xf32>
    %102 = stablehlo.multiply %97, %101 : tensor<2x6x32xf32>
    %103 = stablehlo.dot_general %102, %arg16, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x32xf32>, tensor<16x32xf32>) -> tensor<2x6x16xf32>
    %104 = stablehlo.broadcast_in_dim %arg15, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %105 = stablehlo.broadcast_in_dim %104, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %106 = stablehlo.add %103, %105 : tensor<2x6x16xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
    %108 = stablehlo.multiply %91, %107 : tensor<2x6x16xf32>
    %109 = stablehlo.add %106, %108 : tensor<2x6x16xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %110 = stablehlo.reduce(%109 init: %cst_15) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %111 = stablehlo.broadcast_in_dim %110, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_16 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %113 = stablehlo.divide %111, %112 : tensor<2x6x1xf32>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %114 = call @_var(%109, %c_17) : (tensor<2x6x16xf32>, tensor<i32>) -> tensor<2x6x1xf32>
    %cst_18 = stablehlo.constant dense<9.99999996E-13> : tensor<f32>
    %115 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %116 = stablehlo.add %114, %115 : tensor<2x6x1xf32>
    %117 = stablehlo.rsqrt %116 : tensor<2x6x1xf32>
    %118 = stablehlo.broadcast_in_dim %113, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %119 = stablehlo.subtract %109, %118 : tensor<2x6x16xf32>
    %120 = stablehlo.broadcast_in_dim %117, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %121 = stablehlo.multiply %119, %120 : tensor<2x6x16xf32>
    %122 = stablehlo.broadcast_in_dim %arg18, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %123 = stablehlo.broadcast_in_dim %122, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %124 = stablehlo.multiply %121, %123 : tensor<2x6x16xf32>
    %125 = stablehlo.broadcast_in_dim %arg17, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %126 = stablehlo.broadcast_in_dim %125, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %127 = stablehlo.add %124, %126 : tensor<2x6x16xf32>
    return %127 : tensor<2x6x16xf32>
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
    %14 = call @_where_2(%13, %12, %cst_4) : (tensor<i1>, tensor<2x6x1xf32>, tensor<f32>) -> tensor<2x6x1xf32>
    return %14 : tensor<2x6x1xf32>
  }
  func.func private @_where_2(%arg0: tensor<i1>, %arg1: tensor<2x6x1xf32>, %arg2: tensor<f32>) -> tensor<2x6x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<2x6x1xf32>
    return %2 : tensor<2x6x1xf32>
  }
}
