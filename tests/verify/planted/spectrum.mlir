// Complex numbers, several keys of a sort, solvers, and custom calls that XLA promises to keep.
module @spectrum {
  func.func public @main(%x: tensor<4x32xf32>, %keys: tensor<24xi32>, %rows: tensor<24xf32>, %m: tensor<3x3xf32>) -> (tensor<4x17xi1>, tensor<24xi32>, tensor<24xf32>, tensor<3x3xf32>, tensor<4x8xf32>) {
    %f = stablehlo.fft %x, type = RFFT, length = [32] : (tensor<4x32xf32>) -> tensor<4x17xcomplex<f32>>
    %none = stablehlo.constant dense<(0.0,0.0)> : tensor<4x17xcomplex<f32>>
    %quiet = stablehlo.compare EQ, %f, %none, FLOAT : (tensor<4x17xcomplex<f32>>, tensor<4x17xcomplex<f32>>) -> tensor<4x17xi1>
    %sorted:2 = "stablehlo.sort"(%keys, %rows) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>, %u: tensor<f32>, %v: tensor<f32>):
      %first = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %same = stablehlo.compare EQ, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %second = stablehlo.compare LT, %u, %v, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %both = stablehlo.and %same, %second : tensor<i1>
      %before = stablehlo.or %first, %both : tensor<i1>
      stablehlo.return %before : tensor<i1>
    }) : (tensor<24xi32>, tensor<24xf32>) -> (tensor<24xi32>, tensor<24xf32>)
    %l = stablehlo.cholesky %m, lower = true : tensor<3x3xf32>
    %inverse = "stablehlo.triangular_solve"(%l, %m) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    %top:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 8 : i64, largest = true}, mhlo.version = 1 : i64} : (tensor<4x32xf32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
    return %quiet, %sorted#0, %sorted#1, %inverse, %top#0 : tensor<4x17xi1>, tensor<24xi32>, tensor<24xf32>, tensor<3x3xf32>, tensor<4x8xf32>
  }
}
