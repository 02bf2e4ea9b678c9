// Producer: jax 0.12.0.1
// Module: ten steps of Burgers' equation
// EXPECT: nothing

module @jit_burgers attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xf32>) -> (tensor<16xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg0) : tensor<i32>, tensor<16xf32>
    cond {
      %c_1 = stablehlo.constant dense<10> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = func.call @_roll_static(%iterArg_0) : (tensor<16xf32>) -> tensor<16xf32>
      %2 = func.call @_roll_static_0(%iterArg_0) : (tensor<16xf32>) -> tensor<16xf32>
      %cst = stablehlo.constant dense<0.00999999977> : tensor<f32>
      %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %4 = stablehlo.multiply %3, %iterArg_0 : tensor<16xf32>
      %5 = stablehlo.subtract %2, %1 : tensor<16xf32>
      %6 = stablehlo.multiply %4, %5 : tensor<16xf32>
      %cst_1 = stablehlo.constant dense<2.000000e-01> : tensor<f32>
      %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %8 = stablehlo.divide %6, %7 : tensor<16xf32>
      %9 = stablehlo.subtract %iterArg_0, %8 : tensor<16xf32>
      %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %11 = stablehlo.multiply %10, %iterArg_0 : tensor<16xf32>
      %12 = stablehlo.subtract %2, %11 : tensor<16xf32>
      %13 = stablehlo.add %12, %1 : tensor<16xf32>
      %cst_3 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %15 = stablehlo.multiply %14, %13 : tensor<16xf32>
      %cst_4 = stablehlo.constant dense<0.00999999977> : tensor<f32>
      %16 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %17 = stablehlo.divide %15, %16 : tensor<16xf32>
      %18 = stablehlo.add %9, %17 : tensor<16xf32>
      %c_5 = stablehlo.constant dense<1> : tensor<i32>
      %19 = stablehlo.add %iterArg, %c_5 : tensor<i32>
      stablehlo.return %19, %18 : tensor<i32>, tensor<16xf32>
    }
    return %0#1 : tensor<16xf32>
  }
  func.func private @_roll_static(%arg0: tensor<16xf32>) -> tensor<16xf32> {
    %0 = stablehlo.slice %arg0 [15:16] : (tensor<16xf32>) -> tensor<1xf32>
    %1 = stablehlo.slice %arg0 [0:15] : (tensor<16xf32>) -> tensor<15xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1xf32>, tensor<15xf32>) -> tensor<16xf32>
    return %2 : tensor<16xf32>
  }
  func.func private @_roll_static_0(%arg0: tensor<16xf32>) -> tensor<16xf32> {
    %0 = stablehlo.slice %arg0 [1:16] : (tensor<16xf32>) -> tensor<15xf32>
    %1 = stablehlo.slice %arg0 [0:1] : (tensor<16xf32>) -> tensor<1xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<15xf32>, tensor<1xf32>) -> tensor<16xf32>
    return %2 : tensor<16xf32>
  }
}
