// Producer: equinox 0.13.8 on jax 0.12.0.1
// Module: a layer of a transformer
// EXPECT @main: attention=1 layer_norm=1 rms_norm=1 transformer_mlp=1
// MAY @_var: moments=1

module @jit_program attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>, %arg3: tensor<8xf32>, %arg4: tensor<8x8xf32>, %arg5: tensor<8x8xf32>, %arg6: tensor<8x8xf32>, %arg7: tensor<8x8xf32>, %arg8: tensor<32x8xf32>, %arg9: tensor<32xf32>, %arg10: tensor<8x32xf32>, %arg11: tensor<8xf32>, %arg12: tensor<5x8xf32>) -> (tensor<5x8xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<true> : tensor<i1>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %1 = call @tril(%0) : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %2 = stablehlo.multiply %arg12, %arg12 : tensor<5x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<5x8xf32>, tensor<f32>) -> tensor<5xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %5 = stablehlo.divide %3, %4 : tensor<5xf32>
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %7 = stablehlo.add %5, %6 : tensor<5xf32>
    %8 = stablehlo.rsqrt %7 : tensor<5xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x8xf32>
    %11 = stablehlo.multiply %10, %arg12 : tensor<5x8xf32>
    %12 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<5x8xf32>
    %14 = stablehlo.multiply %13, %11 : tensor<5x8xf32>
    %15 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<5x8xf32>
    %17 = stablehlo.add %14, %16 : tensor<5x8xf32>
    %18 = stablehlo.dot_general %arg4, %17, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<5x8xf32>) -> tensor<8x5xf32>
    %19 = stablehlo.transpose %18, dims = [1, 0] : (tensor<8x5xf32>) -> tensor<5x8xf32>
    %20 = stablehlo.reshape %19 : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
    %21 = stablehlo.dot_general %arg5, %17, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<5x8xf32>) -> tensor<8x5xf32>
    %22 = stablehlo.transpose %21, dims = [1, 0] : (tensor<8x5xf32>) -> tensor<5x8xf32>
    %23 = stablehlo.reshape %22 : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
    %24 = stablehlo.dot_general %arg6, %17, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<5x8xf32>) -> tensor<8x5xf32>
    %25 = stablehlo.transpose %24, dims = [1, 0] : (tensor<8x5xf32>) -> tensor<5x8xf32>
    %26 = stablehlo.reshape %25 : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
    %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %28 = stablehlo.divide %20, %27 : tensor<5x2x4xf32>
    %29 = stablehlo.dot_general %28, %23, batching_dims = [1] x [1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<5x2x4xf32>, tensor<5x2x4xf32>) -> tensor<2x5x5xf32>
    %cst_3 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %30 = call @_where(%1, %29, %cst_3) : (tensor<5x5xi1>, tensor<2x5x5xf32>, tensor<f32>) -> tensor<2x5x5xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %31 = stablehlo.reduce(%30 init: %cst_4) applies stablehlo.maximum across dimensions = [2] : (tensor<2x5x5xf32>, tensor<f32>) -> tensor<2x5xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %33 = stablehlo.maximum %32, %31 : tensor<2x5xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x5xf32>
    %36 = stablehlo.subtract %30, %35 : tensor<2x5x5xf32>
    %37 = stablehlo.exponential %36 : tensor<2x5x5xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.reduce(%37 init: %cst_6) applies stablehlo.add across dimensions = [2] : (tensor<2x5x5xf32>, tensor<f32>) -> tensor<2x5xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x5xf32>
    %41 = stablehlo.divide %37, %40 : tensor<2x5x5xf32>
    %42 = stablehlo.dot_general %41, %26, batching_dims = [0] x [1], contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x5xf32>, tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
    %43 = stablehlo.transpose %42, dims = [1, 0, 2] : (tensor<2x5x4xf32>) -> tensor<5x2x4xf32>
    %44 = stablehlo.reshape %43 : (tensor<5x2x4xf32>) -> tensor<5x8xf32>
    %45 = stablehlo.dot_general %arg7, %44, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<5x8xf32>) -> tensor<8x5xf32>
    %46 = stablehlo.transpose %45, dims = [1, 0] : (tensor<8x5xf32>) -> tensor<5x8xf32>
    %47 = stablehlo.add %arg12, %46 : tensor<5x8xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%47 init: %cst_7) applies stablehlo.add across dimensions = [1] : (tensor<5x8xf32>, tensor<f32>) -> tensor<5xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
    %cst_8 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<5x1xf32>
    %51 = stablehlo.divide %49, %50 : tensor<5x1xf32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %52 = call @_var(%47, %c_9) : (tensor<5x8xf32>, tensor<i32>) -> tensor<5x1xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<5x1xf32>
    %54 = stablehlo.maximum %53, %52 : tensor<5x1xf32>
    %cst_11 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<5x1xf32>
    %56 = stablehlo.add %54, %55 : tensor<5x1xf32>
    %57 = stablehlo.rsqrt %56 : tensor<5x1xf32>
    %58 = stablehlo.broadcast_in_dim %51, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x8xf32>
    %59 = stablehlo.subtract %47, %58 : tensor<5x8xf32>
    %60 = stablehlo.broadcast_in_dim %57, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x8xf32>
    %61 = stablehlo.multiply %59, %60 : tensor<5x8xf32>
    %62 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<5x8xf32>
    %64 = stablehlo.multiply %63, %61 : tensor<5x8xf32>
    %65 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<5x8xf32>
    %67 = stablehlo.add %64, %66 : tensor<5x8xf32>
    %68 = stablehlo.dot_general %arg8, %67, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x8xf32>, tensor<5x8xf32>) -> tensor<32x5xf32>
    %69 = stablehlo.transpose %68, dims = [1, 0] : (tensor<32x5xf32>) -> tensor<5x32xf32>
    %70 = stablehlo.broadcast_in_dim %arg9, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %71 = stablehlo.broadcast_in_dim %70, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<5x32xf32>
    %72 = stablehlo.add %69, %71 : tensor<5x32xf32>
    %73 = stablehlo.multiply %72, %72 : tensor<5x32xf32>
    %74 = stablehlo.multiply %73, %72 : tensor<5x32xf32>
    %cst_12 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<5x32xf32>
    %76 = stablehlo.multiply %75, %74 : tensor<5x32xf32>
    %77 = stablehlo.add %72, %76 : tensor<5x32xf32>
    %cst_13 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<5x32xf32>
    %79 = stablehlo.multiply %78, %77 : tensor<5x32xf32>
    %80 = stablehlo.tanh %79 : tensor<5x32xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<5x32xf32>
    %82 = stablehlo.add %81, %80 : tensor<5x32xf32>
    %cst_15 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<5x32xf32>
    %84 = stablehlo.multiply %83, %82 : tensor<5x32xf32>
    %85 = stablehlo.multiply %72, %84 : tensor<5x32xf32>
    %86 = stablehlo.dot_general %arg10, %85, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x32xf32>, tensor<5x32xf32>) -> tensor<8x5xf32>
    %87 = stablehlo.transpose %86, dims = [1, 0] : (tensor<8x5xf32>) -> tensor<5x8xf32>
    %88 = stablehlo.broadcast_in_dim %arg11, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %89 = stablehlo.broadcast_in_dim %88, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<5x8xf32>
    %90 = stablehlo.add %87, %89 : tensor<5x8xf32>
    %91 = stablehlo.add %47, %90 : tensor<5x8xf32>
    return %91 : tensor<5x8xf32>
  }
  func.func private @tril(%arg0: tensor<5x5xi1>) -> tensor<5x5xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<5x5xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
    %2 = stablehlo.add %0, %1 : tensor<5x5xi32>
    %3 = stablehlo.iota dim = 1 : tensor<5x5xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<5x5xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<5x5xi1>, tensor<5x5xi1>
    return %6 : tensor<5x5xi1>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<2x5x5xf32>, %arg2: tensor<f32>) -> tensor<2x5x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<5x5xi1>) -> tensor<2x5x5xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2] : (tensor<5x5xf32>) -> tensor<2x5x5xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x5x5xi1>, tensor<2x5x5xf32>
    return %3 : tensor<2x5x5xf32>
  }
  func.func private @_var(%arg0: tensor<5x8xf32>, %arg1: tensor<i32>) -> tensor<5x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<5x8xf32>, tensor<f32>) -> tensor<5xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<5x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x8xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<5x8xf32>
    %6 = chlo.square %5 : tensor<5x8xf32> -> tensor<5x8xf32>
    %7 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %8 = stablehlo.subtract %cst_1, %7 : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<5x8xf32>, tensor<f32>) -> tensor<5xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
    %11 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<5x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<5x1xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.compare GT, %8, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = call @_where_0(%13, %12, %cst_4) : (tensor<i1>, tensor<5x1xf32>, tensor<f32>) -> tensor<5x1xf32>
    return %14 : tensor<5x1xf32>
  }
  func.func private @_where_0(%arg0: tensor<i1>, %arg1: tensor<5x1xf32>, %arg2: tensor<f32>) -> tensor<5x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<1xf32>) -> tensor<5x1xf32>
    %3 = stablehlo.select %arg0, %arg1, %2 : tensor<i1>, tensor<5x1xf32>
    return %3 : tensor<5x1xf32>
  }
}
