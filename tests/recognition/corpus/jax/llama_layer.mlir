// Producer: jax 0.12.0.1
// Module: a decoder layer of Llama
// EXPECT @main: attention=1 rms_norm=2 rope=2 transformer_mlp=1
// EXPECT @silu: silu=1

module @jit_llama_layer attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x6x16xf32>, %arg1: tensor<32x16xf32>, %arg2: tensor<16x32xf32>, %arg3: tensor<16x8xf32>, %arg4: tensor<16xf32>, %arg5: tensor<16xf32>, %arg6: tensor<16x16xf32>, %arg7: tensor<16x16xf32>, %arg8: tensor<16x32xf32>, %arg9: tensor<16x8xf32>) -> (tensor<2x6x16xf32> {jax.result_info = "result"}) {
    %0 = chlo.square %arg0 : tensor<2x6x16xf32> -> tensor<2x6x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<2x6x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %6 = stablehlo.add %4, %5 : tensor<2x6x1xf32>
    %7 = stablehlo.rsqrt %6 : tensor<2x6x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %9 = stablehlo.multiply %arg0, %8 : tensor<2x6x16xf32>
    %10 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %12 = stablehlo.multiply %9, %11 : tensor<2x6x16xf32>
    %13 = stablehlo.dot_general %12, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %14 = stablehlo.reshape %13 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %15 = stablehlo.dot_general %12, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x8xf32>) -> tensor<2x6x8xf32>
    %16 = stablehlo.reshape %15 : (tensor<2x6x8xf32>) -> tensor<2x6x2x4xf32>
    %17 = stablehlo.dot_general %12, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x8xf32>) -> tensor<2x6x8xf32>
    %18 = stablehlo.reshape %17 : (tensor<2x6x8xf32>) -> tensor<2x6x2x4xf32>
    %19 = stablehlo.iota dim = 0 : tensor<2xi32>
    %c = stablehlo.constant dense<2> : tensor<i32>
    %20 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %21 = stablehlo.multiply %20, %19 : tensor<2xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %22 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %23 = stablehlo.add %22, %21 : tensor<2xi32>
    %24 = stablehlo.convert %23 : (tensor<2xi32>) -> tensor<2xf32>
    %cst_3 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %26 = stablehlo.divide %24, %25 : tensor<2xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+04> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %28 = stablehlo.power %27, %26 : tensor<2xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %30 = stablehlo.divide %29, %28 : tensor<2xf32>
    %31 = stablehlo.iota dim = 0 : tensor<6xi32>
    %32 = stablehlo.convert %31 : (tensor<6xi32>) -> tensor<6xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0] : (tensor<6xf32>) -> tensor<6x1xf32>
    %34 = stablehlo.broadcast_in_dim %30, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %35 = stablehlo.broadcast_in_dim %33, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x2xf32>
    %36 = stablehlo.broadcast_in_dim %34, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<6x2xf32>
    %37 = stablehlo.multiply %35, %36 : tensor<6x2xf32>
    %38 = stablehlo.concatenate %37, %37, dim = 1 : (tensor<6x2xf32>, tensor<6x2xf32>) -> tensor<6x4xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [1, 3] : (tensor<6x4xf32>) -> tensor<1x6x1x4xf32>
    %40 = stablehlo.cosine %39 : tensor<1x6x1x4xf32>
    %41 = stablehlo.sine %39 : tensor<1x6x1x4xf32>
    %42 = stablehlo.slice %14 [0:2, 0:6, 0:4, 0:2] : (tensor<2x6x4x4xf32>) -> tensor<2x6x4x2xf32>
    %43 = stablehlo.slice %14 [0:2, 0:6, 0:4, 2:4] : (tensor<2x6x4x4xf32>) -> tensor<2x6x4x2xf32>
    %44 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x4x4xf32>
    %45 = stablehlo.multiply %14, %44 : tensor<2x6x4x4xf32>
    %46 = stablehlo.negate %43 : tensor<2x6x4x2xf32>
    %47 = stablehlo.concatenate %46, %42, dim = 3 : (tensor<2x6x4x2xf32>, tensor<2x6x4x2xf32>) -> tensor<2x6x4x4xf32>
    %48 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x4x4xf32>
    %49 = stablehlo.multiply %47, %48 : tensor<2x6x4x4xf32>
    %50 = stablehlo.add %45, %49 : tensor<2x6x4x4xf32>
    %51 = stablehlo.slice %16 [0:2, 0:6, 0:2, 0:2] : (tensor<2x6x2x4xf32>) -> tensor<2x6x2x2xf32>
    %52 = stablehlo.slice %16 [0:2, 0:6, 0:2, 2:4] : (tensor<2x6x2x4xf32>) -> tensor<2x6x2x2xf32>
    %53 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x2x4xf32>
    %54 = stablehlo.multiply %16, %53 : tensor<2x6x2x4xf32>
    %55 = stablehlo.negate %52 : tensor<2x6x2x2xf32>
    %56 = stablehlo.concatenate %55, %51, dim = 3 : (tensor<2x6x2x2xf32>, tensor<2x6x2x2xf32>) -> tensor<2x6x2x4xf32>
    %57 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x2x4xf32>
    %58 = stablehlo.multiply %56, %57 : tensor<2x6x2x4xf32>
    %59 = stablehlo.add %54, %58 : tensor<2x6x2x4xf32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [0, 1, 2, 4] : (tensor<2x6x2x4xf32>) -> tensor<2x6x2x2x4xf32>
    %61 = stablehlo.reshape %60 : (tensor<2x6x2x2x4xf32>) -> tensor<2x6x4x4xf32>
    %62 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 4] : (tensor<2x6x2x4xf32>) -> tensor<2x6x2x2x4xf32>
    %63 = stablehlo.reshape %62 : (tensor<2x6x2x2x4xf32>) -> tensor<2x6x4x4xf32>
    %c_6 = stablehlo.constant dense<true> : tensor<i1>
    %64 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i1>) -> tensor<6x6xi1>
    %65 = call @tril(%64) : (tensor<6x6xi1>) -> tensor<6x6xi1>
    %66 = stablehlo.dot_general %50, %61, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x4xf32>, tensor<2x6x4x4xf32>) -> tensor<2x4x6x6xf32>
    %cst_7 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %68 = stablehlo.multiply %66, %67 : tensor<2x4x6x6xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %69 = call @_where(%65, %68, %cst_8) : (tensor<6x6xi1>, tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6x6xf32>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %70 = stablehlo.reduce(%69 init: %cst_9) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %cst_10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
    %72 = stablehlo.maximum %71, %70 : tensor<2x4x6xf32>
    %73 = stablehlo.broadcast_in_dim %72, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %74 = stablehlo.broadcast_in_dim %73, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %75 = stablehlo.subtract %69, %74 : tensor<2x4x6x6xf32>
    %76 = stablehlo.exponential %75 : tensor<2x4x6x6xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %77 = stablehlo.reduce(%76 init: %cst_11) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %79 = stablehlo.broadcast_in_dim %78, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %80 = stablehlo.divide %76, %79 : tensor<2x4x6x6xf32>
    %81 = stablehlo.dot_general %63, %80, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x4x4xf32>, tensor<2x4x6x6xf32>) -> tensor<2x4x4x6xf32>
    %82 = stablehlo.transpose %81, dims = [0, 3, 1, 2] : (tensor<2x4x4x6xf32>) -> tensor<2x6x4x4xf32>
    %83 = stablehlo.reshape %82 : (tensor<2x6x4x4xf32>) -> tensor<2x6x16xf32>
    %84 = stablehlo.dot_general %83, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %85 = stablehlo.add %arg0, %84 : tensor<2x6x16xf32>
    %86 = chlo.square %85 : tensor<2x6x16xf32> -> tensor<2x6x16xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %87 = stablehlo.reduce(%86 init: %cst_12) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %88 = stablehlo.broadcast_in_dim %87, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_13 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %90 = stablehlo.divide %88, %89 : tensor<2x6x1xf32>
    %cst_14 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %92 = stablehlo.add %90, %91 : tensor<2x6x1xf32>
    %93 = stablehlo.rsqrt %92 : tensor<2x6x1xf32>
    %94 = stablehlo.broadcast_in_dim %93, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %95 = stablehlo.multiply %85, %94 : tensor<2x6x16xf32>
    %96 = stablehlo.broadcast_in_dim %arg5, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %97 = stablehlo.broadcast_in_dim %96, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %98 = stablehlo.multiply %95, %97 : tensor<2x6x16xf32>
    %99 = stablehlo.dot_general %98, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x32xf32>) -> tensor<2x6x32xf32>
    %100 = call @silu(%99) : (tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %101 = stablehlo.dot_general %98, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x32xf32>) -> tensor<2x6x32xf32>
    %102 = stablehlo.multiply %100, %101 : tensor<2x6x32xf32>
    %103 = stablehlo.dot_general %102, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x32xf32>, tensor<32x16xf32>) -> tensor<2x6x16xf32>
    %104 = stablehlo.add %85, %103 : tensor<2x6x16xf32>
    return %104 : tensor<2x6x16xf32>
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
