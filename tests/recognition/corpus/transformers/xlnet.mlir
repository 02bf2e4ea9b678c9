// Producer: transformers 5.24.0 on torchax 0.0.13, jax 0.10.2
// Module: XLNetModel, eager attention
// EXPECT @main: layer_norm=2 linear=1 softmax=1 transformer_mlp=1
// EXPECT @_take: embedding=1

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32xf32>, %arg1: tensor<32x16xf32>, %arg2: tensor<16xf32>, %arg3: tensor<16x32xf32>, %arg4: tensor<16xf32>, %arg5: tensor<16xf32>, %arg6: tensor<16x4x4xf32>, %arg7: tensor<16xf32>, %arg8: tensor<16xf32>, %arg9: tensor<16x4x4xf32>, %arg10: tensor<16x4x4xf32>, %arg11: tensor<16x4x4xf32>, %arg12: tensor<4x4xf32>, %arg13: tensor<4x4xf32>, %arg14: tensor<16x4x4xf32>, %arg15: tensor<32x16xf32>, %arg16: tensor<2x6xi32>) -> (tensor<2x6x16xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.transpose %arg16, dims = [1, 0] : (tensor<2x6xi32>) -> tensor<6x2xi32>
    %1 = call @_take(%arg15, %0) : (tensor<32x16xf32>, tensor<6x2xi32>) -> tensor<6x2x16xf32>
    %2 = stablehlo.iota dim = 0 : tensor<8xi32>
    %c = stablehlo.constant dense<2> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %4 = stablehlo.multiply %3, %2 : tensor<8xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %6 = stablehlo.add %5, %4 : tensor<8xi32>
    %7 = stablehlo.convert %6 : (tensor<8xi32>) -> tensor<8xf32>
    %cst = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %9 = stablehlo.divide %7, %8 : tensor<8xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+04> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %11 = stablehlo.power %10, %9 : tensor<8xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %13 = stablehlo.divide %12, %11 : tensor<8xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %15 = stablehlo.multiply %13, %14 : tensor<8xf32>
    %16 = stablehlo.iota dim = 0 : tensor<12xi32>
    %c_4 = stablehlo.constant dense<-1> : tensor<i32>
    %17 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %18 = stablehlo.multiply %17, %16 : tensor<12xi32>
    %c_5 = stablehlo.constant dense<6> : tensor<i32>
    %19 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %20 = stablehlo.add %19, %18 : tensor<12xi32>
    %21 = stablehlo.convert %20 : (tensor<12xi32>) -> tensor<12xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0] : (tensor<12xf32>) -> tensor<12x1xf32>
    %23 = stablehlo.broadcast_in_dim %15, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %24 = stablehlo.broadcast_in_dim %22, dims = [0, 1] : (tensor<12x1xf32>) -> tensor<12x8xf32>
    %25 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<12x8xf32>
    %26 = stablehlo.multiply %24, %25 : tensor<12x8xf32>
    %27 = stablehlo.sine %26 : tensor<12x8xf32>
    %28 = stablehlo.cosine %26 : tensor<12x8xf32>
    %29 = stablehlo.concatenate %27, %28, dim = 1 : (tensor<12x8xf32>, tensor<12x8xf32>) -> tensor<12x16xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 2] : (tensor<12x16xf32>) -> tensor<12x1x16xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2] : (tensor<12x1x16xf32>) -> tensor<12x2x16xf32>
    %32 = stablehlo.dot_general %1, %arg10, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<6x2x16xf32>, tensor<16x4x4xf32>) -> tensor<6x2x4x4xf32>
    %33 = stablehlo.dot_general %1, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<6x2x16xf32>, tensor<16x4x4xf32>) -> tensor<6x2x4x4xf32>
    %34 = stablehlo.dot_general %1, %arg14, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<6x2x16xf32>, tensor<16x4x4xf32>) -> tensor<6x2x4x4xf32>
    %35 = stablehlo.dot_general %31, %arg11, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<12x2x16xf32>, tensor<16x4x4xf32>) -> tensor<12x2x4x4xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %37 = stablehlo.multiply %arg13, %36 : tensor<4x4xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [2, 3] : (tensor<4x4xf32>) -> tensor<1x1x4x4xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2, 3] : (tensor<1x1x4x4xf32>) -> tensor<6x2x4x4xf32>
    %40 = stablehlo.add %32, %39 : tensor<6x2x4x4xf32>
    %41 = stablehlo.dot_general %40, %33, batching_dims = [1, 2] x [1, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<6x2x4x4xf32>, tensor<6x2x4x4xf32>) -> tensor<2x4x6x6xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %43 = stablehlo.multiply %arg12, %42 : tensor<4x4xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [2, 3] : (tensor<4x4xf32>) -> tensor<1x1x4x4xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2, 3] : (tensor<1x1x4x4xf32>) -> tensor<6x2x4x4xf32>
    %46 = stablehlo.add %32, %45 : tensor<6x2x4x4xf32>
    %47 = stablehlo.dot_general %46, %35, batching_dims = [1, 2] x [1, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<6x2x4x4xf32>, tensor<12x2x4x4xf32>) -> tensor<2x4x6x12xf32>
    %48 = stablehlo.reshape %47 : (tensor<2x4x6x12xf32>) -> tensor<2x4x12x6xf32>
    %49 = stablehlo.slice %48 [0:2, 0:4, 1:12, 0:6] : (tensor<2x4x12x6xf32>) -> tensor<2x4x11x6xf32>
    %50 = stablehlo.reshape %49 : (tensor<2x4x11x6xf32>) -> tensor<2x4x6x11xf32>
    %51 = stablehlo.iota dim = 0 : tensor<6xi32>
    %c_8 = stablehlo.constant dense<1> : tensor<i32>
    %52 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %53 = stablehlo.multiply %52, %51 : tensor<6xi32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %54 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %55 = stablehlo.add %54, %53 : tensor<6xi32>
    %56 = call @_take_0(%50, %55) : (tensor<2x4x6x11xf32>, tensor<6xi32>) -> tensor<2x4x6x6xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %58 = stablehlo.multiply %56, %57 : tensor<2x4x6x6xf32>
    %59 = stablehlo.add %41, %58 : tensor<2x4x6x6xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %61 = stablehlo.add %59, %60 : tensor<2x4x6x6xf32>
    %cst_12 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %63 = stablehlo.multiply %61, %62 : tensor<2x4x6x6xf32>
    %cst_13 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %64 = stablehlo.reduce(%63 init: %cst_13) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %cst_14 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
    %66 = stablehlo.maximum %65, %64 : tensor<2x4x6xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %69 = stablehlo.subtract %63, %68 : tensor<2x4x6x6xf32>
    %70 = stablehlo.exponential %69 : tensor<2x4x6x6xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %71 = stablehlo.reduce(%70 init: %cst_15) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %72 = stablehlo.broadcast_in_dim %71, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %73 = stablehlo.broadcast_in_dim %72, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %74 = stablehlo.divide %70, %73 : tensor<2x4x6x6xf32>
    %75 = stablehlo.dot_general %34, %74, batching_dims = [1, 2] x [0, 1], contracting_dims = [0] x [3], precision = [DEFAULT, DEFAULT] : (tensor<6x2x4x4xf32>, tensor<2x4x6x6xf32>) -> tensor<2x4x4x6xf32>
    %76 = stablehlo.transpose %75, dims = [3, 0, 1, 2] : (tensor<2x4x4x6xf32>) -> tensor<6x2x4x4xf32>
    %77 = stablehlo.dot_general %76, %arg9, contracting_dims = [3, 2] x [2, 1], precision = [DEFAULT, DEFAULT] : (tensor<6x2x4x4xf32>, tensor<16x4x4xf32>) -> tensor<6x2x16xf32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<6x2x16xf32>
    %79 = stablehlo.multiply %1, %78 : tensor<6x2x16xf32>
    %80 = stablehlo.add %77, %79 : tensor<6x2x16xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %81 = stablehlo.reduce(%80 init: %cst_17) applies stablehlo.add across dimensions = [2] : (tensor<6x2x16xf32>, tensor<f32>) -> tensor<6x2xf32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [0, 1] : (tensor<6x2xf32>) -> tensor<6x2x1xf32>
    %cst_18 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<6x2x1xf32>
    %84 = stablehlo.divide %82, %83 : tensor<6x2x1xf32>
    %c_19 = stablehlo.constant dense<0> : tensor<i32>
    %85 = call @_var(%80, %c_19) : (tensor<6x2x16xf32>, tensor<i32>) -> tensor<6x2x1xf32>
    %cst_20 = stablehlo.constant dense<9.99999996E-13> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<6x2x1xf32>
    %87 = stablehlo.add %85, %86 : tensor<6x2x1xf32>
    %88 = stablehlo.rsqrt %87 : tensor<6x2x1xf32>
    %89 = stablehlo.broadcast_in_dim %84, dims = [0, 1, 2] : (tensor<6x2x1xf32>) -> tensor<6x2x16xf32>
    %90 = stablehlo.subtract %80, %89 : tensor<6x2x16xf32>
    %91 = stablehlo.broadcast_in_dim %88, dims = [0, 1, 2] : (tensor<6x2x1xf32>) -> tensor<6x2x16xf32>
    %92 = stablehlo.multiply %90, %91 : tensor<6x2x16xf32>
    %93 = stablehlo.broadcast_in_dim %arg8, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %94 = stablehlo.broadcast_in_dim %93, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<6x2x16xf32>
    %95 = stablehlo.multiply %92, %94 : tensor<6x2x16xf32>
    %96 = stablehlo.broadcast_in_dim %arg7, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %97 = stablehlo.broadcast_in_dim %96, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<6x2x16xf32>
    %98 = stablehlo.add %95, %97 : tensor<6x2x16xf32>
    %99 = stablehlo.dot_general %98, %arg1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x2x16xf32>, tensor<32x16xf32>) -> tensor<6x2x32xf32>
    %100 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %101 = stablehlo.broadcast_in_dim %100, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<6x2x32xf32>
    %102 = stablehlo.add %99, %101 : tensor<6x2x32xf32>
    %cst_21 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<6x2x32xf32>
    %104 = stablehlo.multiply %103, %102 : tensor<6x2x32xf32>
    %105 = stablehlo.negate %102 : tensor<6x2x32xf32>
    %cst_22 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %106 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<6x2x32xf32>
    %107 = stablehlo.multiply %105, %106 : tensor<6x2x32xf32>
    %108 = chlo.erfc %107 : tensor<6x2x32xf32> -> tensor<6x2x32xf32>
    %109 = stablehlo.multiply %104, %108 : tensor<6x2x32xf32>
    %110 = stablehlo.dot_general %109, %arg3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x2x32xf32>, tensor<16x32xf32>) -> tensor<6x2x16xf32>
    %111 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %112 = stablehlo.broadcast_in_dim %111, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<6x2x16xf32>
    %113 = stablehlo.add %110, %112 : tensor<6x2x16xf32>
    %cst_23 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<6x2x16xf32>
    %115 = stablehlo.multiply %98, %114 : tensor<6x2x16xf32>
    %116 = stablehlo.add %113, %115 : tensor<6x2x16xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %117 = stablehlo.reduce(%116 init: %cst_24) applies stablehlo.add across dimensions = [2] : (tensor<6x2x16xf32>, tensor<f32>) -> tensor<6x2xf32>
    %118 = stablehlo.broadcast_in_dim %117, dims = [0, 1] : (tensor<6x2xf32>) -> tensor<6x2x1xf32>
    %cst_25 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<6x2x1xf32>
    %120 = stablehlo.divide %118, %119 : tensor<6x2x1xf32>
    %c_26 = stablehlo.constant dense<0> : tensor<i32>
    %121 = call @_var(%116, %c_26) : (tensor<6x2x16xf32>, tensor<i32>) -> tensor<6x2x1xf32>
    %cst_27 = stablehlo.constant dense<9.99999996E-13> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<6x2x1xf32>
    %123 = stablehlo.add %121, %122 : tensor<6x2x1xf32>
    %124 = stablehlo.rsqrt %123 : tensor<6x2x1xf32>
    %125 = stablehlo.broadcast_in_dim %120, dims = [0, 1, 2] : (tensor<6x2x1xf32>) -> tensor<6x2x16xf32>
    %126 = stablehlo.subtract %116, %125 : tensor<6x2x16xf32>
    %127 = stablehlo.broadcast_in_dim %124, dims = [0, 1, 2] : (tensor<6x2x1xf32>) -> tensor<6x2x16xf32>
    %128 = stablehlo.multiply %126, %127 : tensor<6x2x16xf32>
    %129 = stablehlo.broadcast_in_dim %arg5, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %130 = stablehlo.broadcast_in_dim %129, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<6x2x16xf32>
    %131 = stablehlo.multiply %128, %130 : tensor<6x2x16xf32>
    %132 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %133 = stablehlo.broadcast_in_dim %132, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<6x2x16xf32>
    %134 = stablehlo.add %131, %133 : tensor<6x2x16xf32>
    %135 = stablehlo.transpose %134, dims = [1, 0, 2] : (tensor<6x2x16xf32>) -> tensor<2x6x16xf32>
    return %135 : tensor<2x6x16xf32>
  }
  func.func private @_take(%arg0: tensor<32x16xf32>, %arg1: tensor<6x2xi32>) -> tensor<6x2x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x2xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<6x2xi32>, tensor<6x2xi32>) -> tensor<6x2xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<6x2xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<6x2xi32>
    %4 = call @_where(%1, %3, %arg1) : (tensor<6x2xi1>, tensor<6x2xi32>, tensor<6x2xi32>) -> tensor<6x2xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<6x2xi32>) -> tensor<6x2x1xi32>
    %c_1 = stablehlo.constant dense<31> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<6x2x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<6x2x1xi32>, tensor<6x2x1xi32>) -> tensor<6x2x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<6x2x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<6x2x1xi32>, tensor<6x2x1xi32>) -> tensor<6x2x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<6x2x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<6x2x1xi1>, tensor<i1>) -> tensor<6x2xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<32x16xf32>, tensor<6x2x1xi32>) -> tensor<6x2x16xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<6x2xi1>) -> tensor<6x2x16xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x2x16xf32>
    %16 = stablehlo.select %14, %13, %15 : tensor<6x2x16xi1>, tensor<6x2x16xf32>
    return %16 : tensor<6x2x16xf32>
  }
  func.func private @_where(%arg0: tensor<6x2xi1>, %arg1: tensor<6x2xi32>, %arg2: tensor<6x2xi32>) -> tensor<6x2xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<6x2xi1>, tensor<6x2xi32>
    return %0 : tensor<6x2xi32>
  }
  func.func private @_take_0(%arg0: tensor<2x4x6x11xf32>, %arg1: tensor<6xi32>) -> tensor<2x4x6x6xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %c_0 = stablehlo.constant dense<11> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<6xi32>
    %4 = call @_where_1(%1, %3, %arg1) : (tensor<6xi1>, tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %c_1 = stablehlo.constant dense<10> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<6x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<6x1xi32>, tensor<6x1xi32>) -> tensor<6x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<6x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<6x1xi32>, tensor<6x1xi32>) -> tensor<6x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<6x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [1] : (tensor<6x1xi1>, tensor<i1>) -> tensor<6xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2], collapsed_slice_dims = [3], start_index_map = [3], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 2, 4, 6, 1>}> : (tensor<2x4x6x11xf32>, tensor<6x1xi32>) -> tensor<2x4x6x6xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [3] : (tensor<6xi1>) -> tensor<2x4x6x6xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %16 = stablehlo.select %14, %13, %15 : tensor<2x4x6x6xi1>, tensor<2x4x6x6xf32>
    return %16 : tensor<2x4x6x6xf32>
  }
  func.func private @_where_1(%arg0: tensor<6xi1>, %arg1: tensor<6xi32>, %arg2: tensor<6xi32>) -> tensor<6xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<6xi1>, tensor<6xi32>
    return %0 : tensor<6xi32>
  }
  func.func private @_var(%arg0: tensor<6x2x16xf32>, %arg1: tensor<i32>) -> tensor<6x2x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<6x2x16xf32>, tensor<f32>) -> tensor<6x2xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<6x2xf32>) -> tensor<6x2x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6x2x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<6x2x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<6x2x1xf32>) -> tensor<6x2x16xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<6x2x16xf32>
    %6 = chlo.square %5 : tensor<6x2x16xf32> -> tensor<6x2x16xf32>
    %7 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %8 = stablehlo.subtract %cst_1, %7 : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<6x2x16xf32>, tensor<f32>) -> tensor<6x2xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<6x2xf32>) -> tensor<6x2x1xf32>
    %11 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<6x2x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<6x2x1xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.compare GT, %8, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = call @_where_2(%13, %12, %cst_4) : (tensor<i1>, tensor<6x2x1xf32>, tensor<f32>) -> tensor<6x2x1xf32>
    return %14 : tensor<6x2x1xf32>
  }
  func.func private @_where_2(%arg0: tensor<i1>, %arg1: tensor<6x2x1xf32>, %arg2: tensor<f32>) -> tensor<6x2x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<6x2x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<6x2x1xf32>
    return %2 : tensor<6x2x1xf32>
  }
}
