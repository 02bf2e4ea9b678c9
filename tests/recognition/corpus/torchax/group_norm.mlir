// Producer: torchax 0.0.13, torch 2.13.0+cpu, jax 0.10.2
// Module: GroupNorm, 2 groups: a loop of one turn over rows that are normed
// EXPECT @closed_call: layer_norm=1
// MAY @_var: moments=1

module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<2x8x6x6xf32>) -> (tensor<2x8x6x6xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg2 : (tensor<2x8x6x6xf32>) -> tensor<1x4x144xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x4x144xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2:3 = stablehlo.while(%iterArg = %0, %iterArg_0 = %c, %iterArg_1 = %1) : tensor<1x4x144xf32>, tensor<i32>, tensor<1x4x144xf32>
    cond {
      %c_2 = stablehlo.constant dense<1> : tensor<i32>
      %10 = stablehlo.compare LT, %iterArg_0, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    } do {
      %10 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_0) : (tensor<1x4x144xf32>, tensor<i32>) -> tensor<4x144xf32>
      %11 = func.call @closed_call(%10) : (tensor<4x144xf32>) -> tensor<4x144xf32>
      %12 = func.call @dynamic_update_index_in_dim(%iterArg_1, %11, %iterArg_0) : (tensor<1x4x144xf32>, tensor<4x144xf32>, tensor<i32>) -> tensor<1x4x144xf32>
      %c_2 = stablehlo.constant dense<1> : tensor<i32>
      %13 = stablehlo.add %iterArg_0, %c_2 : tensor<i32>
      stablehlo.return %iterArg, %13, %12 : tensor<1x4x144xf32>, tensor<i32>, tensor<1x4x144xf32>
    }
    %3 = stablehlo.reshape %2#2 : (tensor<1x4x144xf32>) -> tensor<2x8x6x6xf32>
    %4 = stablehlo.reshape %arg0 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %5 = stablehlo.reshape %arg1 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x6x6xf32>
    %7 = stablehlo.multiply %3, %6 : tensor<2x8x6x6xf32>
    %8 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x6x6xf32>
    %9 = stablehlo.add %8, %7 : tensor<2x8x6x6xf32>
    return %9 : tensor<2x8x6x6xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<1x4x144xf32>, %arg1: tensor<i32>) -> tensor<4x144xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 144] : (tensor<1x4x144xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x144xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x144xf32>) -> tensor<4x144xf32>
    return %1 : tensor<4x144xf32>
  }
  func.func private @closed_call(%arg0: tensor<4x144xf32>) -> tensor<4x144xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<4x144xf32>, tensor<f32>) -> tensor<4xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %cst_0 = stablehlo.constant dense<1.440000e+02> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4 = call @_var(%arg0, %c) : (tensor<4x144xf32>, tensor<i32>) -> tensor<4x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %6 = stablehlo.add %4, %5 : tensor<4x1xf32>
    %7 = stablehlo.rsqrt %6 : tensor<4x1xf32>
    %8 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x144xf32>
    %9 = stablehlo.subtract %arg0, %8 : tensor<4x144xf32>
    %10 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x144xf32>
    %11 = stablehlo.multiply %9, %10 : tensor<4x144xf32>
    return %11 : tensor<4x144xf32>
  }
  func.func private @_var(%arg0: tensor<4x144xf32>, %arg1: tensor<i32>) -> tensor<4x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<4x144xf32>, tensor<f32>) -> tensor<4xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %cst_0 = stablehlo.constant dense<1.440000e+02> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x144xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x144xf32>
    %6 = chlo.square %5 : tensor<4x144xf32> -> tensor<4x144xf32>
    %7 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<1.440000e+02> : tensor<f32>
    %8 = stablehlo.subtract %cst_1, %7 : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<4x144xf32>, tensor<f32>) -> tensor<4xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %11 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<4x1xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.compare GT, %8, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = call @_where(%13, %12, %cst_4) : (tensor<i1>, tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
    return %14 : tensor<4x1xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<4x1xf32>, %arg2: tensor<f32>) -> tensor<4x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<4x1xf32>
    return %2 : tensor<4x1xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<1x4x144xf32>, %arg1: tensor<4x144xf32>, %arg2: tensor<i32>) -> tensor<1x4x144xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x144xf32>) -> tensor<1x4x144xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<1x4x144xf32>, tensor<1x4x144xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x144xf32>
    return %1 : tensor<1x4x144xf32>
  }
}
