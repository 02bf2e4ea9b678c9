// Producer: torchax 0.0.13, torch 2.13.0+cpu, jax 0.10.2
// Module: a layer of GPT
// EXPECT @main: attention=1 layer_norm=2 linear=2 transformer_mlp=1
// MAY @_var: moments=1

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<24xf32>, %arg3: tensor<24x8xf32>, %arg4: tensor<32xf32>, %arg5: tensor<32x8xf32>, %arg6: tensor<8xf32>, %arg7: tensor<8x32xf32>, %arg8: tensor<8xf32>, %arg9: tensor<8xf32>, %arg10: tensor<8xf32>, %arg11: tensor<8xf32>, %arg12: tensor<2x5x8xf32>) -> (tensor<2x5x8xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg12 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2x5x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4 = call @_var(%arg12, %c) : (tensor<2x5x8xf32>, tensor<i32>) -> tensor<2x5x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %6 = stablehlo.add %4, %5 : tensor<2x5x1xf32>
    %7 = stablehlo.rsqrt %6 : tensor<2x5x1xf32>
    %8 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %9 = stablehlo.subtract %arg12, %8 : tensor<2x5x8xf32>
    %10 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %11 = stablehlo.multiply %9, %10 : tensor<2x5x8xf32>
    %12 = stablehlo.broadcast_in_dim %arg9, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %14 = stablehlo.multiply %11, %13 : tensor<2x5x8xf32>
    %15 = stablehlo.broadcast_in_dim %arg8, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %17 = stablehlo.add %14, %16 : tensor<2x5x8xf32>
    %18 = stablehlo.dot_general %17, %arg3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<24x8xf32>) -> tensor<2x5x24xf32>
    %19 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<24xf32>) -> tensor<1x1x24xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<1x1x24xf32>) -> tensor<2x5x24xf32>
    %21 = stablehlo.add %18, %20 : tensor<2x5x24xf32>
    %22 = stablehlo.slice %21 [0:2, 0:5, 0:8] : (tensor<2x5x24xf32>) -> tensor<2x5x8xf32>
    %23 = stablehlo.slice %21 [0:2, 0:5, 8:16] : (tensor<2x5x24xf32>) -> tensor<2x5x8xf32>
    %24 = stablehlo.slice %21 [0:2, 0:5, 16:24] : (tensor<2x5x24xf32>) -> tensor<2x5x8xf32>
    %25 = stablehlo.reshape %22 : (tensor<2x5x8xf32>) -> tensor<2x5x2x4xf32>
    %26 = stablehlo.transpose %25, dims = [0, 2, 1, 3] : (tensor<2x5x2x4xf32>) -> tensor<2x2x5x4xf32>
    %27 = stablehlo.reshape %23 : (tensor<2x5x8xf32>) -> tensor<2x5x2x4xf32>
    %28 = stablehlo.transpose %27, dims = [0, 2, 1, 3] : (tensor<2x5x2x4xf32>) -> tensor<2x2x5x4xf32>
    %29 = stablehlo.reshape %24 : (tensor<2x5x8xf32>) -> tensor<2x5x2x4xf32>
    %30 = stablehlo.transpose %29, dims = [0, 2, 1, 3] : (tensor<2x5x2x4xf32>) -> tensor<2x2x5x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %32 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %33 = stablehlo.iota dim = 0 : tensor<5xi32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [1] : (tensor<5xi32>) -> tensor<1x5xi32>
    %35 = stablehlo.iota dim = 0 : tensor<5xi32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %37 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<5x1xi32>
    %38 = stablehlo.multiply %36, %37 : tensor<5x1xi32>
    %39 = stablehlo.broadcast_in_dim %34, dims = [0, 1] : (tensor<1x5xi32>) -> tensor<5x5xi32>
    %40 = stablehlo.broadcast_in_dim %38, dims = [0, 1] : (tensor<5x1xi32>) -> tensor<5x5xi32>
    %41 = stablehlo.subtract %39, %40 : tensor<5x5xi32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %42 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %43 = stablehlo.compare LE, %41, %42, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %44 = stablehlo.and %43, %32 : tensor<5x5xi1>
    %45 = stablehlo.not %44 : tensor<5x5xi1>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %46 = call @_where_0(%45, %cst_6, %31) : (tensor<5x5xi1>, tensor<f32>, tensor<5x5xf32>) -> tensor<5x5xf32>
    %47 = stablehlo.transpose %28, dims = [0, 1, 3, 2] : (tensor<2x2x5x4xf32>) -> tensor<2x2x4x5xf32>
    %48 = stablehlo.reshape %26 : (tensor<2x2x5x4xf32>) -> tensor<4x5x4xf32>
    %49 = stablehlo.reshape %47 : (tensor<2x2x4x5xf32>) -> tensor<4x4x5xf32>
    %50 = stablehlo.dot_general %48, %49, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x5x4xf32>, tensor<4x4x5xf32>) -> tensor<4x5x5xf32>
    %51 = stablehlo.reshape %50 : (tensor<4x5x5xf32>) -> tensor<2x2x5x5xf32>
    %cst_7 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x2x5x5xf32>
    %53 = stablehlo.multiply %51, %52 : tensor<2x2x5x5xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %55 = stablehlo.multiply %46, %54 : tensor<5x5xf32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [2, 3] : (tensor<5x5xf32>) -> tensor<1x1x5x5xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2, 3] : (tensor<1x1x5x5xf32>) -> tensor<2x2x5x5xf32>
    %58 = stablehlo.add %53, %57 : tensor<2x2x5x5xf32>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %59 = stablehlo.reduce(%58 init: %cst_9) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5xf32>
    %cst_10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x2x5xf32>
    %61 = stablehlo.maximum %60, %59 : tensor<2x2x5xf32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0, 1, 2] : (tensor<2x2x5xf32>) -> tensor<2x2x5x1xf32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0, 1, 2, 3] : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x5xf32>
    %64 = stablehlo.subtract %58, %63 : tensor<2x2x5x5xf32>
    %65 = stablehlo.exponential %64 : tensor<2x2x5x5xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %66 = stablehlo.reduce(%65 init: %cst_11) applies stablehlo.add across dimensions = [3] : (tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1, 2] : (tensor<2x2x5xf32>) -> tensor<2x2x5x1xf32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [0, 1, 2, 3] : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x5xf32>
    %69 = stablehlo.divide %65, %68 : tensor<2x2x5x5xf32>
    %70 = stablehlo.reshape %69 : (tensor<2x2x5x5xf32>) -> tensor<4x5x5xf32>
    %71 = stablehlo.reshape %30 : (tensor<2x2x5x4xf32>) -> tensor<4x5x4xf32>
    %72 = stablehlo.dot_general %70, %71, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x5x5xf32>, tensor<4x5x4xf32>) -> tensor<4x5x4xf32>
    %73 = stablehlo.reshape %72 : (tensor<4x5x4xf32>) -> tensor<2x2x5x4xf32>
    %74 = stablehlo.transpose %73, dims = [0, 2, 1, 3] : (tensor<2x2x5x4xf32>) -> tensor<2x5x2x4xf32>
    %75 = stablehlo.reshape %74 : (tensor<2x5x2x4xf32>) -> tensor<2x5x8xf32>
    %76 = stablehlo.dot_general %75, %arg1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
    %77 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %79 = stablehlo.add %76, %78 : tensor<2x5x8xf32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %81 = stablehlo.multiply %79, %80 : tensor<2x5x8xf32>
    %82 = stablehlo.add %arg12, %81 : tensor<2x5x8xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %83 = stablehlo.reduce(%82 init: %cst_13) applies stablehlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %84 = stablehlo.broadcast_in_dim %83, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %cst_14 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %86 = stablehlo.divide %84, %85 : tensor<2x5x1xf32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %87 = call @_var(%82, %c_15) : (tensor<2x5x8xf32>, tensor<i32>) -> tensor<2x5x1xf32>
    %cst_16 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %89 = stablehlo.add %87, %88 : tensor<2x5x1xf32>
    %90 = stablehlo.rsqrt %89 : tensor<2x5x1xf32>
    %91 = stablehlo.broadcast_in_dim %86, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %92 = stablehlo.subtract %82, %91 : tensor<2x5x8xf32>
    %93 = stablehlo.broadcast_in_dim %90, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %94 = stablehlo.multiply %92, %93 : tensor<2x5x8xf32>
    %95 = stablehlo.broadcast_in_dim %arg11, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %96 = stablehlo.broadcast_in_dim %95, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %97 = stablehlo.multiply %94, %96 : tensor<2x5x8xf32>
    %98 = stablehlo.broadcast_in_dim %arg10, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %99 = stablehlo.broadcast_in_dim %98, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %100 = stablehlo.add %97, %99 : tensor<2x5x8xf32>
    %101 = stablehlo.dot_general %100, %arg5, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x8xf32>, tensor<32x8xf32>) -> tensor<2x5x32xf32>
    %102 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %103 = stablehlo.broadcast_in_dim %102, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<2x5x32xf32>
    %104 = stablehlo.add %101, %103 : tensor<2x5x32xf32>
    %105 = stablehlo.multiply %104, %104 : tensor<2x5x32xf32>
    %106 = stablehlo.multiply %105, %104 : tensor<2x5x32xf32>
    %cst_17 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<2x5x32xf32>
    %108 = stablehlo.multiply %107, %106 : tensor<2x5x32xf32>
    %109 = stablehlo.add %104, %108 : tensor<2x5x32xf32>
    %cst_18 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %110 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x5x32xf32>
    %111 = stablehlo.multiply %110, %109 : tensor<2x5x32xf32>
    %112 = stablehlo.tanh %111 : tensor<2x5x32xf32>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<2x5x32xf32>
    %114 = stablehlo.add %113, %112 : tensor<2x5x32xf32>
    %cst_20 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %115 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<2x5x32xf32>
    %116 = stablehlo.multiply %115, %114 : tensor<2x5x32xf32>
    %117 = stablehlo.multiply %104, %116 : tensor<2x5x32xf32>
    %118 = stablehlo.dot_general %117, %arg7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x32xf32>, tensor<8x32xf32>) -> tensor<2x5x8xf32>
    %119 = stablehlo.broadcast_in_dim %arg6, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %120 = stablehlo.broadcast_in_dim %119, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %121 = stablehlo.add %118, %120 : tensor<2x5x8xf32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %123 = stablehlo.multiply %121, %122 : tensor<2x5x8xf32>
    %124 = stablehlo.add %82, %123 : tensor<2x5x8xf32>
    return %124 : tensor<2x5x8xf32>
  }
  func.func private @_var(%arg0: tensor<2x5x8xf32>, %arg1: tensor<i32>) -> tensor<2x5x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2x5x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<2x5x8xf32>
    %6 = chlo.square %5 : tensor<2x5x8xf32> -> tensor<2x5x8xf32>
    %7 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %8 = stablehlo.subtract %cst_1, %7 : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %11 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<2x5x1xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.compare GT, %8, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = call @_where(%13, %12, %cst_4) : (tensor<i1>, tensor<2x5x1xf32>, tensor<f32>) -> tensor<2x5x1xf32>
    return %14 : tensor<2x5x1xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<2x5x1xf32>, %arg2: tensor<f32>) -> tensor<2x5x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<2x5x1xf32>
    return %2 : tensor<2x5x1xf32>
  }
  func.func private @_where_0(%arg0: tensor<5x5xi1>, %arg1: tensor<f32>, %arg2: tensor<5x5xf32>) -> tensor<5x5xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<5x5xi1>, tensor<5x5xf32>
    return %2 : tensor<5x5xf32>
  }
}
