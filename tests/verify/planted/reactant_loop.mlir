// As Reactant.jl writes it: column-major arrays, transposed at the borders; a loop; sorting by permutation.
module @reactant_loop attributes {mhlo.num_partitions = 1 : i64, mhlo.num_replicas = 1 : i64} {
  func.func @main(%arg0: tensor<3x4xf64>, %arg1: tensor<i64>, %arg2: tensor<2xui64>) -> (tensor<3x4xf64>, tensor<2xui64>, tensor<12xi64>, tensor<4x3xf64>) attributes {enzymexla.memory_effects = ["read"]} {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<1> : tensor<i64>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<4x3xf64>
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<3x4xf64>) -> tensor<4x3xf64>
    %1:2 = stablehlo.while(%iterArg = %c, %iterArg_1 = %0) : tensor<i64>, tensor<4x3xf64>
    cond {
      %9 = stablehlo.compare LT, %iterArg, %arg1 : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    } do {
      %9 = stablehlo.multiply %iterArg_1, %cst : tensor<4x3xf64>
      %10 = stablehlo.add %iterArg, %c_0 : tensor<i64>
      stablehlo.return %10, %9 : tensor<i64>, tensor<4x3xf64>
    }
    %output_state, %output = stablehlo.rng_bit_generator %arg2, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x3xui64>)
    %2 = stablehlo.convert %output : (tensor<4x3xui64>) -> tensor<4x3xf64>
    %3 = stablehlo.reshape %1#1 : (tensor<4x3xf64>) -> tensor<12xf64>
    %4 = stablehlo.iota dim = 0 : tensor<12xi64>
    %5:2 = "stablehlo.sort"(%3, %4) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<f64>, %arg5: tensor<i64>, %arg6: tensor<i64>):
      %9 = stablehlo.compare LT, %arg3, %arg4, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    }) : (tensor<12xf64>, tensor<12xi64>) -> (tensor<12xf64>, tensor<12xi64>)
    %6 = stablehlo.transpose %1#1, dims = [1, 0] : (tensor<4x3xf64>) -> tensor<3x4xf64>
    %8 = stablehlo.compare GT, %arg1, %c : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %7 = "stablehlo.if"(%8) ({
      stablehlo.return %2 : tensor<4x3xf64>
    }, {
      %11 = stablehlo.negate %2 : tensor<4x3xf64>
      stablehlo.return %11 : tensor<4x3xf64>
    }) : (tensor<i1>) -> tensor<4x3xf64>
    return %6, %output_state, %5#1, %7 : tensor<3x4xf64>, tensor<2xui64>, tensor<12xi64>, tensor<4x3xf64>
  }
}
