// Producer: flax.linen 0.12.12 on jax 0.12.0.1
// Module: a layer of a decoder, with tokens embedded and read out
// EXPECT @main: attention=1 layer_norm=2 linear=4 rms_norm=1 transformer_mlp=1
// EXPECT @_take: embedding=1
// EXPECT @silu: silu=1

module @jit_apply attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<16x8xf32>, %arg2: tensor<16xf32>, %arg3: tensor<8x16xf32>, %arg4: tensor<16xf32>, %arg5: tensor<8x16xf32>, %arg6: tensor<12x8xf32>, %arg7: tensor<8xf32>, %arg8: tensor<8xf32>, %arg9: tensor<8xf32>, %arg10: tensor<8xf32>, %arg11: tensor<8xf32>, %arg12: tensor<2x4xf32>, %arg13: tensor<8x2x4xf32>, %arg14: tensor<8xf32>, %arg15: tensor<2x4x8xf32>, %arg16: tensor<2x4xf32>, %arg17: tensor<8x2x4xf32>, %arg18: tensor<2x4xf32>, %arg19: tensor<8x2x4xf32>, %arg20: tensor<2x5xi32>) -> (tensor<2x5x12xf32> {jax.result_info = "result"}) {
    %0 = call @_take(%arg6, %arg20) : (tensor<12x8xf32>, tensor<2x5xi32>) -> tensor<2x5x8xf32>
    %1 = chlo.square %0 : tensor<2x5x8xf32> -> tensor<2x5x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %4 = stablehlo.divide %2, %3 : tensor<2x5xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%1 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %cst_2 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %7 = stablehlo.divide %5, %6 : tensor<2x5xf32>
    %8 = chlo.square %4 : tensor<2x5xf32> -> tensor<2x5xf32>
    %9 = stablehlo.subtract %7, %8 : tensor<2x5xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %11 = stablehlo.maximum %10, %9 : tensor<2x5xf32>
    %12 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %15 = stablehlo.subtract %0, %14 : tensor<2x5x8xf32>
    %cst_4 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %17 = stablehlo.add %13, %16 : tensor<2x5x1xf32>
    %18 = stablehlo.rsqrt %17 : tensor<2x5x1xf32>
    %19 = stablehlo.reshape %arg8 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %20 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %21 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %22 = stablehlo.multiply %20, %21 : tensor<2x5x8xf32>
    %23 = stablehlo.multiply %15, %22 : tensor<2x5x8xf32>
    %24 = stablehlo.reshape %arg7 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %26 = stablehlo.add %23, %25 : tensor<2x5x8xf32>
    %27 = stablehlo.iota dim = 0 : tensor<5xi32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [1] : (tensor<5xi32>) -> tensor<2x5xi32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1] : (tensor<2x5xi32>) -> tensor<2x5x1xi32>
    %30 = stablehlo.broadcast_in_dim %28, dims = [0, 2] : (tensor<2x5xi32>) -> tensor<2x1x5xi32>
    %31 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2] : (tensor<2x5x1xi32>) -> tensor<2x5x5xi32>
    %32 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2] : (tensor<2x1x5xi32>) -> tensor<2x5x5xi32>
    %33 = stablehlo.compare GE, %31, %32, SIGNED : (tensor<2x5x5xi32>, tensor<2x5x5xi32>) -> tensor<2x5x5xi1>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 2, 3] : (tensor<2x5x5xi1>) -> tensor<2x1x5x5xi1>
    %35 = stablehlo.convert %34 : (tensor<2x1x5x5xi1>) -> tensor<2x1x5x5xf32>
    %36 = stablehlo.dot_general %26, %arg17, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x2x4xf32>) -> tensor<2x5x2x4xf32>
    %37 = stablehlo.reshape %arg16 : (tensor<2x4xf32>) -> tensor<1x1x2x4xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2, 3] : (tensor<1x1x2x4xf32>) -> tensor<2x5x2x4xf32>
    %39 = stablehlo.add %36, %38 : tensor<2x5x2x4xf32>
    %40 = stablehlo.dot_general %26, %arg13, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x2x4xf32>) -> tensor<2x5x2x4xf32>
    %41 = stablehlo.reshape %arg12 : (tensor<2x4xf32>) -> tensor<1x1x2x4xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2, 3] : (tensor<1x1x2x4xf32>) -> tensor<2x5x2x4xf32>
    %43 = stablehlo.add %40, %42 : tensor<2x5x2x4xf32>
    %44 = stablehlo.dot_general %26, %arg19, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x2x4xf32>) -> tensor<2x5x2x4xf32>
    %45 = stablehlo.reshape %arg18 : (tensor<2x4xf32>) -> tensor<1x1x2x4xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2, 3] : (tensor<1x1x2x4xf32>) -> tensor<2x5x2x4xf32>
    %47 = stablehlo.add %44, %46 : tensor<2x5x2x4xf32>
    %cst_5 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %48 = stablehlo.sqrt %cst_5 : tensor<f32>
    %49 = stablehlo.convert %48 : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [] : (tensor<f32>) -> tensor<2x5x2x4xf32>
    %51 = stablehlo.divide %39, %50 : tensor<2x5x2x4xf32>
    %52 = stablehlo.dot_general %51, %43, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x4xf32>, tensor<2x5x2x4xf32>) -> tensor<2x2x5x5xf32>
    %cst_6 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %53 = call @_where_0(%35, %52, %cst_6) : (tensor<2x1x5x5xf32>, tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5x5xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %54 = stablehlo.reduce(%53 init: %cst_7) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x2x5xf32>
    %56 = stablehlo.maximum %55, %54 : tensor<2x2x5xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2] : (tensor<2x2x5xf32>) -> tensor<2x2x5x1xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2, 3] : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x5xf32>
    %59 = stablehlo.subtract %53, %58 : tensor<2x2x5x5xf32>
    %60 = stablehlo.exponential %59 : tensor<2x2x5x5xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.reduce(%60 init: %cst_9) applies stablehlo.add across dimensions = [3] : (tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5xf32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0, 1, 2] : (tensor<2x2x5xf32>) -> tensor<2x2x5x1xf32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0, 1, 2, 3] : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x5xf32>
    %64 = stablehlo.divide %60, %63 : tensor<2x2x5x5xf32>
    %65 = stablehlo.dot_general %47, %64, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x4xf32>, tensor<2x2x5x5xf32>) -> tensor<2x2x4x5xf32>
    %66 = stablehlo.transpose %65, dims = [0, 3, 1, 2] : (tensor<2x2x4x5xf32>) -> tensor<2x5x2x4xf32>
    %67 = stablehlo.dot_general %66, %arg15, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x2x4xf32>, tensor<2x4x8xf32>) -> tensor<2x5x8xf32>
    %68 = stablehlo.reshape %arg14 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %69 = stablehlo.broadcast_in_dim %68, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %70 = stablehlo.add %67, %69 : tensor<2x5x8xf32>
    %71 = stablehlo.add %0, %70 : tensor<2x5x8xf32>
    %72 = chlo.square %71 : tensor<2x5x8xf32> -> tensor<2x5x8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %73 = stablehlo.reduce(%72 init: %cst_10) applies stablehlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %cst_11 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %75 = stablehlo.divide %73, %74 : tensor<2x5xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %77 = stablehlo.broadcast_in_dim %76, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %78 = stablehlo.broadcast_in_dim %75, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %79 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %80 = stablehlo.subtract %71, %79 : tensor<2x5x8xf32>
    %cst_13 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %82 = stablehlo.add %78, %81 : tensor<2x5x1xf32>
    %83 = stablehlo.rsqrt %82 : tensor<2x5x1xf32>
    %84 = stablehlo.reshape %arg11 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %85 = stablehlo.broadcast_in_dim %83, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %86 = stablehlo.broadcast_in_dim %84, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %87 = stablehlo.multiply %85, %86 : tensor<2x5x8xf32>
    %88 = stablehlo.multiply %80, %87 : tensor<2x5x8xf32>
    %89 = stablehlo.dot_general %88, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x16xf32>) -> tensor<2x5x16xf32>
    %90 = stablehlo.reshape %arg2 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %91 = stablehlo.broadcast_in_dim %90, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %92 = stablehlo.add %89, %91 : tensor<2x5x16xf32>
    %93 = call @silu(%92) : (tensor<2x5x16xf32>) -> tensor<2x5x16xf32>
    %94 = stablehlo.dot_general %88, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x16xf32>) -> tensor<2x5x16xf32>
    %95 = stablehlo.reshape %arg4 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %96 = stablehlo.broadcast_in_dim %95, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %97 = stablehlo.add %94, %96 : tensor<2x5x16xf32>
    %98 = stablehlo.multiply %93, %97 : tensor<2x5x16xf32>
    %99 = stablehlo.dot_general %98, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x16xf32>, tensor<16x8xf32>) -> tensor<2x5x8xf32>
    %100 = stablehlo.reshape %arg0 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %101 = stablehlo.broadcast_in_dim %100, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %102 = stablehlo.add %99, %101 : tensor<2x5x8xf32>
    %103 = stablehlo.add %71, %102 : tensor<2x5x8xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %104 = stablehlo.reduce(%103 init: %cst_14) applies stablehlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %cst_15 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %106 = stablehlo.divide %104, %105 : tensor<2x5xf32>
    %107 = stablehlo.broadcast_in_dim %106, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %108 = stablehlo.broadcast_in_dim %107, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %109 = stablehlo.subtract %103, %108 : tensor<2x5x8xf32>
    %110 = chlo.square %109 : tensor<2x5x8xf32> -> tensor<2x5x8xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %111 = stablehlo.reduce(%110 init: %cst_16) applies stablehlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %cst_17 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %113 = stablehlo.divide %111, %112 : tensor<2x5xf32>
    %114 = stablehlo.broadcast_in_dim %106, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %115 = stablehlo.broadcast_in_dim %113, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %116 = stablehlo.broadcast_in_dim %114, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %117 = stablehlo.subtract %103, %116 : tensor<2x5x8xf32>
    %cst_18 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %118 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %119 = stablehlo.add %115, %118 : tensor<2x5x1xf32>
    %120 = stablehlo.rsqrt %119 : tensor<2x5x1xf32>
    %121 = stablehlo.reshape %arg10 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %122 = stablehlo.broadcast_in_dim %120, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %123 = stablehlo.broadcast_in_dim %121, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %124 = stablehlo.multiply %122, %123 : tensor<2x5x8xf32>
    %125 = stablehlo.multiply %117, %124 : tensor<2x5x8xf32>
    %126 = stablehlo.reshape %arg9 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %127 = stablehlo.broadcast_in_dim %126, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %128 = stablehlo.add %125, %127 : tensor<2x5x8xf32>
    %129 = stablehlo.transpose %arg6, dims = [1, 0] : (tensor<12x8xf32>) -> tensor<8x12xf32>
    %130 = stablehlo.dot_general %128, %129, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x12xf32>) -> tensor<2x5x12xf32>
    return %130 : tensor<2x5x12xf32>
  }
  func.func private @_take(%arg0: tensor<12x8xf32>, %arg1: tensor<2x5xi32>) -> tensor<2x5x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x5xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi1>
    %c_0 = stablehlo.constant dense<12> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x5xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<2x5xi32>
    %4 = call @_where(%1, %3, %arg1) : (tensor<2x5xi1>, tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x5xi32>) -> tensor<2x5x1xi32>
    %c_1 = stablehlo.constant dense<11> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2x5x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<2x5x1xi32>, tensor<2x5x1xi32>) -> tensor<2x5x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<2x5x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<2x5x1xi32>, tensor<2x5x1xi32>) -> tensor<2x5x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<2x5x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<2x5x1xi1>, tensor<i1>) -> tensor<2x5xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<12x8xf32>, tensor<2x5x1xi32>) -> tensor<2x5x8xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<2x5xi1>) -> tensor<2x5x8xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %16 = stablehlo.select %14, %13, %15 : tensor<2x5x8xi1>, tensor<2x5x8xf32>
    return %16 : tensor<2x5x8xf32>
  }
  func.func private @_where(%arg0: tensor<2x5xi1>, %arg1: tensor<2x5xi32>, %arg2: tensor<2x5xi32>) -> tensor<2x5xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<2x5xi1>, tensor<2x5xi32>
    return %0 : tensor<2x5xi32>
  }
  func.func private @_where_0(%arg0: tensor<2x1x5x5xf32>, %arg1: tensor<2x2x5x5xf32>, %arg2: tensor<f32>) -> tensor<2x2x5x5xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x1x5x5xf32>
    %1 = stablehlo.compare NE, %arg0, %0, FLOAT : (tensor<2x1x5x5xf32>, tensor<2x1x5x5xf32>) -> tensor<2x1x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<2x1x5x5xi1>) -> tensor<2x2x5x5xi1>
    %3 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x2x5x5xf32>
    %4 = stablehlo.select %2, %arg1, %3 : tensor<2x2x5x5xi1>, tensor<2x2x5x5xf32>
    return %4 : tensor<2x2x5x5xf32>
  }
  func.func private @silu(%arg0: tensor<2x5x16xf32>) -> tensor<2x5x16xf32> {
    %0 = stablehlo.negate %arg0 : tensor<2x5x16xf32>
    %1 = stablehlo.exponential %0 : tensor<2x5x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x16xf32>
    %3 = stablehlo.add %2, %1 : tensor<2x5x16xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5x16xf32>
    %5 = stablehlo.divide %4, %3 : tensor<2x5x16xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<2x5x16xf32>
    return %6 : tensor<2x5x16xf32>
  }
}
