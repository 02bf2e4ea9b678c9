// Producer: jax 0.12.0.1
// Module: tokens to logits; two layers in a loop
// EXPECT @main: attention=1 embedding=1 rms_norm=3 rope=2 transformer_mlp=1
// EXPECT @silu: silu=1

module @jit_llama_model attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x6xi32>, %arg1: tensor<2x32x16xf32>, %arg2: tensor<2x16x32xf32>, %arg3: tensor<2x16x8xf32>, %arg4: tensor<16xf32>, %arg5: tensor<2x16xf32>, %arg6: tensor<2x16xf32>, %arg7: tensor<2x16x16xf32>, %arg8: tensor<2x16x16xf32>, %arg9: tensor<12x16xf32>, %arg10: tensor<2x16x32xf32>, %arg11: tensor<2x16x8xf32>) -> (tensor<2x6x12xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x6xi32>
    %1 = stablehlo.compare LT, %arg0, %0, SIGNED : (tensor<2x6xi32>, tensor<2x6xi32>) -> tensor<2x6xi1>
    %c_0 = stablehlo.constant dense<12> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x6xi32>
    %3 = stablehlo.add %arg0, %2 : tensor<2x6xi32>
    %4 = stablehlo.select %1, %3, %arg0 : tensor<2x6xi1>, tensor<2x6xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x6xi32>) -> tensor<2x6x1xi32>
    %6 = "stablehlo.gather"(%arg9, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<12x16xf32>, tensor<2x6x1xi32>) -> tensor<2x6x16xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %7:11 = stablehlo.while(%iterArg = %arg1, %iterArg_4 = %arg2, %iterArg_5 = %arg3, %iterArg_6 = %arg5, %iterArg_7 = %arg6, %iterArg_8 = %arg7, %iterArg_9 = %arg8, %iterArg_10 = %arg10, %iterArg_11 = %arg11, %iterArg_12 = %c_1, %iterArg_13 = %6) : tensor<2x32x16xf32>, tensor<2x16x32xf32>, tensor<2x16x8xf32>, tensor<2x16xf32>, tensor<2x16xf32>, tensor<2x16x16xf32>, tensor<2x16x16xf32>, tensor<2x16x32xf32>, tensor<2x16x8xf32>, tensor<i32>, tensor<2x6x16xf32>
    cond {
      %c_14 = stablehlo.constant dense<2> : tensor<i32>
      %23 = stablehlo.compare LT, %iterArg_12, %c_14, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %23 : tensor<i1>
    } do {
      %23 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_12) : (tensor<2x32x16xf32>, tensor<i32>) -> tensor<32x16xf32>
      %24 = func.call @dynamic_index_in_dim_0(%iterArg_4, %iterArg_12) : (tensor<2x16x32xf32>, tensor<i32>) -> tensor<16x32xf32>
      %25 = func.call @dynamic_index_in_dim_1(%iterArg_5, %iterArg_12) : (tensor<2x16x8xf32>, tensor<i32>) -> tensor<16x8xf32>
      %26 = func.call @dynamic_index_in_dim_2(%iterArg_6, %iterArg_12) : (tensor<2x16xf32>, tensor<i32>) -> tensor<16xf32>
      %27 = func.call @dynamic_index_in_dim_2(%iterArg_7, %iterArg_12) : (tensor<2x16xf32>, tensor<i32>) -> tensor<16xf32>
      %28 = func.call @dynamic_index_in_dim_3(%iterArg_8, %iterArg_12) : (tensor<2x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %29 = func.call @dynamic_index_in_dim_3(%iterArg_9, %iterArg_12) : (tensor<2x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %30 = func.call @dynamic_index_in_dim_0(%iterArg_10, %iterArg_12) : (tensor<2x16x32xf32>, tensor<i32>) -> tensor<16x32xf32>
      %31 = func.call @dynamic_index_in_dim_1(%iterArg_11, %iterArg_12) : (tensor<2x16x8xf32>, tensor<i32>) -> tensor<16x8xf32>
      %32 = chlo.square %iterArg_13 : tensor<2x6x16xf32> -> tensor<2x6x16xf32>
      %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %33 = stablehlo.reduce(%32 init: %cst_14) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
      %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
      %cst_15 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
      %35 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
      %36 = stablehlo.divide %34, %35 : tensor<2x6x1xf32>
      %cst_16 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %37 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
      %38 = stablehlo.add %36, %37 : tensor<2x6x1xf32>
      %39 = stablehlo.rsqrt %38 : tensor<2x6x1xf32>
      %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
      %41 = stablehlo.multiply %iterArg_13, %40 : tensor<2x6x16xf32>
      %42 = stablehlo.broadcast_in_dim %26, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
      %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
      %44 = stablehlo.multiply %41, %43 : tensor<2x6x16xf32>
      %45 = stablehlo.dot_general %44, %29, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
      %46 = stablehlo.reshape %45 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
      %47 = stablehlo.dot_general %44, %25, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x8xf32>) -> tensor<2x6x8xf32>
      %48 = stablehlo.reshape %47 : (tensor<2x6x8xf32>) -> tensor<2x6x2x4xf32>
      %49 = stablehlo.dot_general %44, %31, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x8xf32>) -> tensor<2x6x8xf32>
      %50 = stablehlo.reshape %49 : (tensor<2x6x8xf32>) -> tensor<2x6x2x4xf32>
      %51 = stablehlo.iota dim = 0 : tensor<2xi32>
      %c_17 = stablehlo.constant dense<2> : tensor<i32>
      %52 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<2xi32>
      %53 = stablehlo.multiply %52, %51 : tensor<2xi32>
      %c_18 = stablehlo.constant dense<0> : tensor<i32>
      %54 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i32>) -> tensor<2xi32>
      %55 = stablehlo.add %54, %53 : tensor<2xi32>
      %56 = stablehlo.convert %55 : (tensor<2xi32>) -> tensor<2xf32>
      %cst_19 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
      %57 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<2xf32>
      %58 = stablehlo.divide %56, %57 : tensor<2xf32>
      %cst_20 = stablehlo.constant dense<1.000000e+04> : tensor<f32>
      %59 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<2xf32>
      %60 = stablehlo.power %59, %58 : tensor<2xf32>
      %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %61 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2xf32>
      %62 = stablehlo.divide %61, %60 : tensor<2xf32>
      %63 = stablehlo.iota dim = 0 : tensor<6xi32>
      %64 = stablehlo.convert %63 : (tensor<6xi32>) -> tensor<6xf32>
      %65 = stablehlo.broadcast_in_dim %64, dims = [0] : (tensor<6xf32>) -> tensor<6x1xf32>
      %66 = stablehlo.broadcast_in_dim %62, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
      %67 = stablehlo.broadcast_in_dim %65, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x2xf32>
      %68 = stablehlo.broadcast_in_dim %66, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<6x2xf32>
      %69 = stablehlo.multiply %67, %68 : tensor<6x2xf32>
      %70 = stablehlo.concatenate %69, %69, dim = 1 : (tensor<6x2xf32>, tensor<6x2xf32>) -> tensor<6x4xf32>
      %71 = stablehlo.broadcast_in_dim %70, dims = [1, 3] : (tensor<6x4xf32>) -> tensor<1x6x1x4xf32>
      %72 = stablehlo.cosine %71 : tensor<1x6x1x4xf32>
      %73 = stablehlo.sine %71 : tensor<1x6x1x4xf32>
      %74 = stablehlo.slice %46 [0:2, 0:6, 0:4, 0:2] : (tensor<2x6x4x4xf32>) -> tensor<2x6x4x2xf32>
      %75 = stablehlo.slice %46 [0:2, 0:6, 0:4, 2:4] : (tensor<2x6x4x4xf32>) -> tensor<2x6x4x2xf32>
      %76 = stablehlo.broadcast_in_dim %72, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x4x4xf32>
      %77 = stablehlo.multiply %46, %76 : tensor<2x6x4x4xf32>
      %78 = stablehlo.negate %75 : tensor<2x6x4x2xf32>
      %79 = stablehlo.concatenate %78, %74, dim = 3 : (tensor<2x6x4x2xf32>, tensor<2x6x4x2xf32>) -> tensor<2x6x4x4xf32>
      %80 = stablehlo.broadcast_in_dim %73, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x4x4xf32>
      %81 = stablehlo.multiply %79, %80 : tensor<2x6x4x4xf32>
      %82 = stablehlo.add %77, %81 : tensor<2x6x4x4xf32>
      %83 = stablehlo.slice %48 [0:2, 0:6, 0:2, 0:2] : (tensor<2x6x2x4xf32>) -> tensor<2x6x2x2xf32>
      %84 = stablehlo.slice %48 [0:2, 0:6, 0:2, 2:4] : (tensor<2x6x2x4xf32>) -> tensor<2x6x2x2xf32>
      %85 = stablehlo.broadcast_in_dim %72, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x2x4xf32>
      %86 = stablehlo.multiply %48, %85 : tensor<2x6x2x4xf32>
      %87 = stablehlo.negate %84 : tensor<2x6x2x2xf32>
      %88 = stablehlo.concatenate %87, %83, dim = 3 : (tensor<2x6x2x2xf32>, tensor<2x6x2x2xf32>) -> tensor<2x6x2x4xf32>
      %89 = stablehlo.broadcast_in_dim %73, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x2x4xf32>
      %90 = stablehlo.multiply %88, %89 : tensor<2x6x2x4xf32>
      %91 = stablehlo.add %86, %90 : tensor<2x6x2x4xf32>
      %92 = stablehlo.broadcast_in_dim %91, dims = [0, 1, 2, 4] : (tensor<2x6x2x4xf32>) -> tensor<2x6x2x2x4xf32>
      %93 = stablehlo.reshape %92 : (tensor<2x6x2x2x4xf32>) -> tensor<2x6x4x4xf32>
      %94 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2, 4] : (tensor<2x6x2x4xf32>) -> tensor<2x6x2x2x4xf32>
      %95 = stablehlo.reshape %94 : (tensor<2x6x2x2x4xf32>) -> tensor<2x6x4x4xf32>
      %c_22 = stablehlo.constant dense<true> : tensor<i1>
      %96 = stablehlo.broadcast_in_dim %c_22, dims = [] : (tensor<i1>) -> tensor<6x6xi1>
      %97 = func.call @tril(%96) : (tensor<6x6xi1>) -> tensor<6x6xi1>
      %98 = stablehlo.dot_general %82, %93, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x4xf32>, tensor<2x6x4x4xf32>) -> tensor<2x4x6x6xf32>
      %cst_23 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
      %99 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
      %100 = stablehlo.multiply %98, %99 : tensor<2x4x6x6xf32>
      %cst_24 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %101 = func.call @_where(%97, %100, %cst_24) : (tensor<6x6xi1>, tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6x6xf32>
      %cst_25 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %102 = stablehlo.reduce(%101 init: %cst_25) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
      %cst_26 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %103 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
      %104 = stablehlo.maximum %103, %102 : tensor<2x4x6xf32>
      %105 = stablehlo.broadcast_in_dim %104, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
      %106 = stablehlo.broadcast_in_dim %105, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
      %107 = stablehlo.subtract %101, %106 : tensor<2x4x6x6xf32>
      %108 = stablehlo.exponential %107 : tensor<2x4x6x6xf32>
      %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %109 = stablehlo.reduce(%108 init: %cst_27) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
      %110 = stablehlo.broadcast_in_dim %109, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
      %111 = stablehlo.broadcast_in_dim %110, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
      %112 = stablehlo.divide %108, %111 : tensor<2x4x6x6xf32>
      %113 = stablehlo.dot_general %95, %112, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x4xf32>, tensor<2x4x6x6xf32>) -> tensor<2x4x4x6xf32>
      %114 = stablehlo.transpose %113, dims = [0, 3, 1, 2] : (tensor<2x4x4x6xf32>) -> tensor<2x6x4x4xf32>
      %115 = stablehlo.reshape %114 : (tensor<2x6x4x4xf32>) -> tensor<2x6x16xf32>
      %116 = stablehlo.dot_general %115, %28, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
      %117 = stablehlo.add %iterArg_13, %116 : tensor<2x6x16xf32>
      %118 = chlo.square %117 : tensor<2x6x16xf32> -> tensor<2x6x16xf32>
      %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %119 = stablehlo.reduce(%118 init: %cst_28) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
      %120 = stablehlo.broadcast_in_dim %119, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
      %cst_29 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
      %121 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
      %122 = stablehlo.divide %120, %121 : tensor<2x6x1xf32>
      %cst_30 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %123 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
      %124 = stablehlo.add %122, %123 : tensor<2x6x1xf32>
      %125 = stablehlo.rsqrt %124 : tensor<2x6x1xf32>
      %126 = stablehlo.broadcast_in_dim %125, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
      %127 = stablehlo.multiply %117, %126 : tensor<2x6x16xf32>
      %128 = stablehlo.broadcast_in_dim %27, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
      %129 = stablehlo.broadcast_in_dim %128, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
      %130 = stablehlo.multiply %127, %129 : tensor<2x6x16xf32>
      %131 = stablehlo.dot_general %130, %24, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x32xf32>) -> tensor<2x6x32xf32>
      %132 = func.call @silu(%131) : (tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
      %133 = stablehlo.dot_general %130, %30, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x32xf32>) -> tensor<2x6x32xf32>
      %134 = stablehlo.multiply %132, %133 : tensor<2x6x32xf32>
      %135 = stablehlo.dot_general %134, %23, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x32xf32>, tensor<32x16xf32>) -> tensor<2x6x16xf32>
      %136 = stablehlo.add %117, %135 : tensor<2x6x16xf32>
      %c_31 = stablehlo.constant dense<1> : tensor<i32>
      %137 = stablehlo.add %iterArg_12, %c_31 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_4, %iterArg_5, %iterArg_6, %iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11, %137, %136 : tensor<2x32x16xf32>, tensor<2x16x32xf32>, tensor<2x16x8xf32>, tensor<2x16xf32>, tensor<2x16xf32>, tensor<2x16x16xf32>, tensor<2x16x16xf32>, tensor<2x16x32xf32>, tensor<2x16x8xf32>, tensor<i32>, tensor<2x6x16xf32>
    }
    %8 = chlo.square %7#10 : tensor<2x6x16xf32> -> tensor<2x6x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_2 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<2x6x1xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %14 = stablehlo.add %12, %13 : tensor<2x6x1xf32>
    %15 = stablehlo.rsqrt %14 : tensor<2x6x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %17 = stablehlo.multiply %7#10, %16 : tensor<2x6x16xf32>
    %18 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %20 = stablehlo.multiply %17, %19 : tensor<2x6x16xf32>
    %21 = stablehlo.transpose %arg9, dims = [1, 0] : (tensor<12x16xf32>) -> tensor<16x12xf32>
    %22 = stablehlo.dot_general %20, %21, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x12xf32>) -> tensor<2x6x12xf32>
    return %22 : tensor<2x6x12xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<2x32x16xf32>, %arg1: tensor<i32>) -> tensor<32x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 32, 16] : (tensor<2x32x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x32x16xf32>) -> tensor<32x16xf32>
    return %1 : tensor<32x16xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<2x16x32xf32>, %arg1: tensor<i32>) -> tensor<16x32xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 16, 32] : (tensor<2x16x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x32xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x32xf32>) -> tensor<16x32xf32>
    return %1 : tensor<16x32xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<2x16x8xf32>, %arg1: tensor<i32>) -> tensor<16x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 16, 8] : (tensor<2x16x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x8xf32>) -> tensor<16x8xf32>
    return %1 : tensor<16x8xf32>
  }
  func.func private @dynamic_index_in_dim_2(%arg0: tensor<2x16xf32>, %arg1: tensor<i32>) -> tensor<16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 16] : (tensor<2x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16xf32>) -> tensor<16xf32>
    return %1 : tensor<16xf32>
  }
  func.func private @dynamic_index_in_dim_3(%arg0: tensor<2x16x16xf32>, %arg1: tensor<i32>) -> tensor<16x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 16, 16] : (tensor<2x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
    return %1 : tensor<16x16xf32>
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
  func.func private @_where(%arg0: tensor<6x6xi1>, %arg1: tensor<2x4x6x6xf32>, %arg2: tensor<f32>) -> tensor<2x4x6x6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<6x6xi1>) -> tensor<2x4x6x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x6x6xi1>, tensor<2x4x6x6xf32>
    return %3 : tensor<2x4x6x6xf32>
  }
  func.func private @silu(%arg0: tensor<2x6x32xf32>) -> tensor<2x6x32xf32> {
    %0 = stablehlo.negate %arg0 : tensor<2x6x32xf32>
    %1 = stablehlo.exponential %0 : tensor<2x6x32xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %3 = stablehlo.add %2, %1 : tensor<2x6x32xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %5 = stablehlo.divide %4, %3 : tensor<2x6x32xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<2x6x32xf32>
    return %6 : tensor<2x6x32xf32>
  }
}
