// Producer: jax 0.12.0.1
// Module: a decoder layer of Llama in bfloat16
// EXPECT @main: attention=1 rms_norm=2 rope=2 transformer_mlp=1
// EXPECT @silu: silu=1

module @jit_llama_layer attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x6x16xbf16>, %arg1: tensor<32x16xbf16>, %arg2: tensor<16x32xbf16>, %arg3: tensor<16x8xbf16>, %arg4: tensor<16xbf16>, %arg5: tensor<16xbf16>, %arg6: tensor<16x16xbf16>, %arg7: tensor<16x16xbf16>, %arg8: tensor<16x32xbf16>, %arg9: tensor<16x8xbf16>) -> (tensor<2x6x16xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.convert %arg0 : (tensor<2x6x16xbf16>) -> tensor<2x6x16xf32>
    %1 = chlo.square %0 : tensor<2x6x16xf32> -> tensor<2x6x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %5 = stablehlo.divide %3, %4 : tensor<2x6x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %7 = stablehlo.add %5, %6 : tensor<2x6x1xf32>
    %8 = stablehlo.rsqrt %7 : tensor<2x6x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %10 = stablehlo.multiply %0, %9 : tensor<2x6x16xf32>
    %11 = stablehlo.convert %10 : (tensor<2x6x16xf32>) -> tensor<2x6x16xbf16>
    %12 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<16xbf16>) -> tensor<1x1x16xbf16>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<1x1x16xbf16>) -> tensor<2x6x16xbf16>
    %14 = stablehlo.multiply %11, %13 : tensor<2x6x16xbf16>
    %15 = stablehlo.dot_general %14, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xbf16>, tensor<16x16xbf16>) -> tensor<2x6x16xbf16>
    %16 = stablehlo.reshape %15 : (tensor<2x6x16xbf16>) -> tensor<2x6x4x4xbf16>
    %17 = stablehlo.dot_general %14, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xbf16>, tensor<16x8xbf16>) -> tensor<2x6x8xbf16>
    %18 = stablehlo.reshape %17 : (tensor<2x6x8xbf16>) -> tensor<2x6x2x4xbf16>
    %19 = stablehlo.dot_general %14, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xbf16>, tensor<16x8xbf16>) -> tensor<2x6x8xbf16>
    %20 = stablehlo.reshape %19 : (tensor<2x6x8xbf16>) -> tensor<2x6x2x4xbf16>
    %21 = stablehlo.iota dim = 0 : tensor<2xi32>
    %c = stablehlo.constant dense<2> : tensor<i32>
    %22 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %23 = stablehlo.multiply %22, %21 : tensor<2xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %24 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %25 = stablehlo.add %24, %23 : tensor<2xi32>
    %26 = stablehlo.convert %25 : (tensor<2xi32>) -> tensor<2xf32>
    %cst_3 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %28 = stablehlo.divide %26, %27 : tensor<2xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+04> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %30 = stablehlo.power %29, %28 : tensor<2xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %32 = stablehlo.divide %31, %30 : tensor<2xf32>
    %33 = stablehlo.iota dim = 0 : tensor<6xi32>
    %34 = stablehlo.convert %33 : (tensor<6xi32>) -> tensor<6xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0] : (tensor<6xf32>) -> tensor<6x1xf32>
    %36 = stablehlo.broadcast_in_dim %32, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %37 = stablehlo.broadcast_in_dim %35, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x2xf32>
    %38 = stablehlo.broadcast_in_dim %36, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<6x2xf32>
    %39 = stablehlo.multiply %37, %38 : tensor<6x2xf32>
    %40 = stablehlo.concatenate %39, %39, dim = 1 : (tensor<6x2xf32>, tensor<6x2xf32>) -> tensor<6x4xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [1, 3] : (tensor<6x4xf32>) -> tensor<1x6x1x4xf32>
    %42 = stablehlo.cosine %41 : tensor<1x6x1x4xf32>
    %43 = stablehlo.convert %42 : (tensor<1x6x1x4xf32>) -> tensor<1x6x1x4xbf16>
    %44 = stablehlo.sine %41 : tensor<1x6x1x4xf32>
    %45 = stablehlo.convert %44 : (tensor<1x6x1x4xf32>) -> tensor<1x6x1x4xbf16>
    %46 = stablehlo.slice %16 [0:2, 0:6, 0:4, 0:2] : (tensor<2x6x4x4xbf16>) -> tensor<2x6x4x2xbf16>
    %47 = stablehlo.slice %16 [0:2, 0:6, 0:4, 2:4] : (tensor<2x6x4x4xbf16>) -> tensor<2x6x4x2xbf16>
    %48 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xbf16>) -> tensor<2x6x4x4xbf16>
    %49 = stablehlo.multiply %16, %48 : tensor<2x6x4x4xbf16>
    %50 = stablehlo.negate %47 : tensor<2x6x4x2xbf16>
    %51 = stablehlo.concatenate %50, %46, dim = 3 : (tensor<2x6x4x2xbf16>, tensor<2x6x4x2xbf16>) -> tensor<2x6x4x4xbf16>
    %52 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xbf16>) -> tensor<2x6x4x4xbf16>
    %53 = stablehlo.multiply %51, %52 : tensor<2x6x4x4xbf16>
    %54 = stablehlo.add %49, %53 : tensor<2x6x4x4xbf16>
    %55 = stablehlo.slice %18 [0:2, 0:6, 0:2, 0:2] : (tensor<2x6x2x4xbf16>) -> tensor<2x6x2x2xbf16>
    %56 = stablehlo.slice %18 [0:2, 0:6, 0:2, 2:4] : (tensor<2x6x2x4xbf16>) -> tensor<2x6x2x2xbf16>
    %57 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xbf16>) -> tensor<2x6x2x4xbf16>
    %58 = stablehlo.multiply %18, %57 : tensor<2x6x2x4xbf16>
    %59 = stablehlo.negate %56 : tensor<2x6x2x2xbf16>
    %60 = stablehlo.concatenate %59, %55, dim = 3 : (tensor<2x6x2x2xbf16>, tensor<2x6x2x2xbf16>) -> tensor<2x6x2x4xbf16>
    %61 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xbf16>) -> tensor<2x6x2x4xbf16>
    %62 = stablehlo.multiply %60, %61 : tensor<2x6x2x4xbf16>
    %63 = stablehlo.add %58, %62 : tensor<2x6x2x4xbf16>
    %64 = stablehlo.broadcast_in_dim %63, dims = [0, 1, 2, 4] : (tensor<2x6x2x4xbf16>) -> tensor<2x6x2x2x4xbf16>
    %65 = stablehlo.reshape %64 : (tensor<2x6x2x2x4xbf16>) -> tensor<2x6x4x4xbf16>
    %66 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 4] : (tensor<2x6x2x4xbf16>) -> tensor<2x6x2x2x4xbf16>
    %67 = stablehlo.reshape %66 : (tensor<2x6x2x2x4xbf16>) -> tensor<2x6x4x4xbf16>
    %c_6 = stablehlo.constant dense<true> : tensor<i1>
    %68 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i1>) -> tensor<6x6xi1>
    %69 = call @tril(%68) : (tensor<6x6xi1>) -> tensor<6x6xi1>
    %70 = stablehlo.dot_general %54, %65, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x4xbf16>, tensor<2x6x4x4xbf16>) -> tensor<2x4x6x6xbf16>
    %71 = stablehlo.convert %70 : (tensor<2x4x6x6xbf16>) -> tensor<2x4x6x6xf32>
    %cst_7 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %73 = stablehlo.multiply %71, %72 : tensor<2x4x6x6xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %74 = call @_where(%69, %73, %cst_8) : (tensor<6x6xi1>, tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6x6xf32>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %75 = stablehlo.reduce(%74 init: %cst_9) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %cst_10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
    %77 = stablehlo.maximum %76, %75 : tensor<2x4x6xf32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %79 = stablehlo.broadcast_in_dim %78, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %80 = stablehlo.subtract %74, %79 : tensor<2x4x6x6xf32>
    %81 = stablehlo.exponential %80 : tensor<2x4x6x6xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %82 = stablehlo.reduce(%81 init: %cst_11) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %84 = stablehlo.broadcast_in_dim %83, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %85 = stablehlo.divide %81, %84 : tensor<2x4x6x6xf32>
    %86 = stablehlo.convert %85 : (tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xbf16>
    %87 = stablehlo.dot_general %67, %86, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x4xbf16>, tensor<2x4x6x6xbf16>) -> tensor<2x4x4x6xbf16>
    %88 = stablehlo.transpose %87, dims = [0, 3, 1, 2] : (tensor<2x4x4x6xbf16>) -> tensor<2x6x4x4xbf16>
    %89 = stablehlo.reshape %88 : (tensor<2x6x4x4xbf16>) -> tensor<2x6x16xbf16>
    %90 = stablehlo.dot_general %89, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xbf16>, tensor<16x16xbf16>) -> tensor<2x6x16xbf16>
    %91 = stablehlo.add %arg0, %90 : tensor<2x6x16xbf16>
    %92 = stablehlo.convert %91 : (tensor<2x6x16xbf16>) -> tensor<2x6x16xf32>
    %93 = chlo.square %92 : tensor<2x6x16xf32> -> tensor<2x6x16xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %94 = stablehlo.reduce(%93 init: %cst_12) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %95 = stablehlo.broadcast_in_dim %94, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_13 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %97 = stablehlo.divide %95, %96 : tensor<2x6x1xf32>
    %cst_14 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %99 = stablehlo.add %97, %98 : tensor<2x6x1xf32>
    %100 = stablehlo.rsqrt %99 : tensor<2x6x1xf32>
    %101 = stablehlo.broadcast_in_dim %100, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %102 = stablehlo.multiply %92, %101 : tensor<2x6x16xf32>
    %103 = stablehlo.convert %102 : (tensor<2x6x16xf32>) -> tensor<2x6x16xbf16>
    %104 = stablehlo.broadcast_in_dim %arg5, dims = [2] : (tensor<16xbf16>) -> tensor<1x1x16xbf16>
    %105 = stablehlo.broadcast_in_dim %104, dims = [0, 1, 2] : (tensor<1x1x16xbf16>) -> tensor<2x6x16xbf16>
    %106 = stablehlo.multiply %103, %105 : tensor<2x6x16xbf16>
    %107 = stablehlo.dot_general %106, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xbf16>, tensor<16x32xbf16>) -> tensor<2x6x32xbf16>
    %108 = call @silu(%107) : (tensor<2x6x32xbf16>) -> tensor<2x6x32xbf16>
    %109 = stablehlo.dot_general %106, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xbf16>, tensor<16x32xbf16>) -> tensor<2x6x32xbf16>
    %110 = stablehlo.multiply %108, %109 : tensor<2x6x32xbf16>
    %111 = stablehlo.dot_general %110, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x32xbf16>, tensor<32x16xbf16>) -> tensor<2x6x16xbf16>
    %112 = stablehlo.add %91, %111 : tensor<2x6x16xbf16>
    return %112 : tensor<2x6x16xbf16>
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
  func.func private @silu(%arg0: tensor<2x6x32xbf16>) -> tensor<2x6x32xbf16> {
    %0 = stablehlo.negate %arg0 : tensor<2x6x32xbf16>
    %1 = stablehlo.exponential %0 : tensor<2x6x32xbf16>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x6x32xbf16>
    %3 = stablehlo.add %2, %1 : tensor<2x6x32xbf16>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<2x6x32xbf16>
    %5 = stablehlo.divide %4, %3 : tensor<2x6x32xbf16>
    %6 = stablehlo.multiply %arg0, %5 : tensor<2x6x32xbf16>
    return %6 : tensor<2x6x32xbf16>
  }
}
