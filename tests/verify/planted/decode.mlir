module @jit_decode attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x16xf32>, %arg1: tensor<16x16xf32>, %arg2: tensor<50x16xf32>, %arg3: tensor<i32>, %arg4: tensor<i32>) -> (tensor<8x16xf32> {jax.result_info = "result[0]"}, tensor<i32> {jax.result_info = "result[1]"}, tensor<i32> {jax.result_info = "result[2]"}, tensor<8xi32> {jax.result_info = "result[3]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %1:6 = stablehlo.while(%iterArg = %arg2, %iterArg_0 = %arg1, %iterArg_1 = %arg0, %iterArg_2 = %arg3, %iterArg_3 = %arg4, %iterArg_4 = %0) : tensor<50x16xf32>, tensor<16x16xf32>, tensor<8x16xf32>, tensor<i32>, tensor<i32>, tensor<8xi32>
    cond {
      %c_5 = stablehlo.constant dense<8> : tensor<i32>
      %2 = stablehlo.compare LT, %iterArg_3, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_6 = stablehlo.constant dense<0> : tensor<i32>
      %3 = stablehlo.compare NE, %iterArg_2, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %4 = stablehlo.and %2, %3 : tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %c_5 = stablehlo.constant dense<0> : tensor<i32>
      %2 = stablehlo.compare LT, %iterArg_2, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_6 = stablehlo.constant dense<50> : tensor<i32>
      %3 = stablehlo.add %iterArg_2, %c_6 : tensor<i32>
      %4 = stablehlo.select %2, %3, %iterArg_2 : tensor<i1>, tensor<i32>
      %c_7 = stablehlo.constant dense<0> : tensor<i32>
      %c_8 = stablehlo.constant dense<0> : tensor<i32>
      %5 = stablehlo.compare LT, %c_7, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_9 = stablehlo.constant dense<0> : tensor<i32>
      %c_10 = stablehlo.constant dense<16> : tensor<i32>
      %6 = stablehlo.add %c_9, %c_10 : tensor<i32>
      %c_11 = stablehlo.constant dense<0> : tensor<i32>
      %7 = stablehlo.select %5, %6, %c_11 : tensor<i1>, tensor<i32>
      %8 = stablehlo.dynamic_slice %iterArg, %4, %7, sizes = [1, 16] : (tensor<50x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
      %9 = stablehlo.reshape %8 : (tensor<1x16xf32>) -> tensor<16xf32>
      %10 = stablehlo.dot_general %9, %iterArg_0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16xf32>, tensor<16x16xf32>) -> tensor<16xf32>
      %11 = stablehlo.broadcast_in_dim %10, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
      %c_12 = stablehlo.constant dense<0> : tensor<i32>
      %12 = stablehlo.compare LT, %iterArg_3, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_13 = stablehlo.constant dense<8> : tensor<i32>
      %13 = stablehlo.add %iterArg_3, %c_13 : tensor<i32>
      %14 = stablehlo.select %12, %13, %iterArg_3 : tensor<i1>, tensor<i32>
      %c_14 = stablehlo.constant dense<0> : tensor<i32>
      %15 = stablehlo.dynamic_update_slice %iterArg_1, %11, %14, %c_14 : (tensor<8x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
      %16 = stablehlo.dot_general %15, %10, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16xf32>) -> tensor<8xf32>
      %17 = stablehlo.iota dim = 0 : tensor<8xi32>
      %18 = stablehlo.broadcast_in_dim %iterArg_3, dims = [] : (tensor<i32>) -> tensor<8xi32>
      %19 = stablehlo.compare LE, %17, %18, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
      %cst = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
      %20 = func.call @_where(%19, %16, %cst) : (tensor<8xi1>, tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
      %cst_15 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %21 = stablehlo.reduce(%20 init: %cst_15) applies stablehlo.maximum across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
      %cst_16 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %22 = stablehlo.maximum %cst_16, %21 : tensor<f32>
      %23 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<f32>) -> tensor<1xf32>
      %24 = stablehlo.broadcast_in_dim %23, dims = [0] : (tensor<1xf32>) -> tensor<8xf32>
      %25 = stablehlo.subtract %20, %24 : tensor<8xf32>
      %26 = stablehlo.exponential %25 : tensor<8xf32>
      %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %27 = stablehlo.reduce(%26 init: %cst_17) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
      %28 = stablehlo.broadcast_in_dim %27, dims = [] : (tensor<f32>) -> tensor<1xf32>
      %29 = stablehlo.broadcast_in_dim %28, dims = [0] : (tensor<1xf32>) -> tensor<8xf32>
      %30 = stablehlo.divide %26, %29 : tensor<8xf32>
      %31 = stablehlo.dot_general %30, %15, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8xf32>, tensor<8x16xf32>) -> tensor<16xf32>
      %32 = stablehlo.transpose %iterArg, dims = [1, 0] : (tensor<50x16xf32>) -> tensor<16x50xf32>
      %33 = stablehlo.dot_general %31, %32, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16xf32>, tensor<16x50xf32>) -> tensor<50xf32>
      %34 = func.call @argmax(%33) : (tensor<50xf32>) -> tensor<i32>
      %c_18 = stablehlo.constant dense<1> : tensor<i32>
      %35 = stablehlo.add %iterArg_3, %c_18 : tensor<i32>
      %c_19 = stablehlo.constant dense<0> : tensor<i32>
      %36 = stablehlo.compare LT, %iterArg_3, %c_19, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_20 = stablehlo.constant dense<8> : tensor<i32>
      %37 = stablehlo.add %iterArg_3, %c_20 : tensor<i32>
      %38 = stablehlo.select %36, %37, %iterArg_3 : tensor<i1>, tensor<i32>
      %39 = stablehlo.broadcast_in_dim %38, dims = [] : (tensor<i32>) -> tensor<1xi32>
      %40 = "stablehlo.scatter"(%iterArg_4, %39, %34) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
      ^bb0(%arg5: tensor<i32>, %arg6: tensor<i32>):
        stablehlo.return %arg6 : tensor<i32>
      }) : (tensor<8xi32>, tensor<1xi32>, tensor<i32>) -> tensor<8xi32>
      stablehlo.return %iterArg, %iterArg_0, %15, %34, %35, %40 : tensor<50x16xf32>, tensor<16x16xf32>, tensor<8x16xf32>, tensor<i32>, tensor<i32>, tensor<8xi32>
    }
    return %1#2, %1#3, %1#4, %1#5 : tensor<8x16xf32>, tensor<i32>, tensor<i32>, tensor<8xi32>
  }
  func.func private @_where(%arg0: tensor<8xi1>, %arg1: tensor<8xf32>, %arg2: tensor<f32>) -> tensor<8xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<8xi1>, tensor<8xf32>
    return %2 : tensor<8xf32>
  }
  func.func private @argmax(%arg0: tensor<50xf32>) -> tensor<i32> {
    %0 = stablehlo.iota dim = 0 : tensor<50xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [0] : (tensor<50xf32>, tensor<50xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<i32>
  }
}
