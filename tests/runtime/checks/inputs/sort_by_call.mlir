// What is computed in a function of its own, and two results with a check each.
module @jit_main {
  func.func public @main() -> (tensor<3xi32>, tensor<3xf16>) {
    %0:2 = call @inputs() : () -> (tensor<3xi32>, tensor<3xf16>)
    %1:2 = call @expected() : () -> (tensor<3xi32>, tensor<3xf16>)
    %2:2 = call @sorted(%0#0, %0#1) : (tensor<3xi32>, tensor<3xf16>) -> (tensor<3xi32>, tensor<3xf16>)
    stablehlo.custom_call @check.expect_eq(%2#0, %1#0) {has_side_effect = true} : (tensor<3xi32>, tensor<3xi32>) -> ()
    stablehlo.custom_call @check.expect_eq(%2#1, %1#1) {has_side_effect = true} : (tensor<3xf16>, tensor<3xf16>) -> ()
    return %2#0, %2#1 : tensor<3xi32>, tensor<3xf16>
  }
  func.func private @sorted(%arg0: tensor<3xi32>, %arg1: tensor<3xf16>) -> (tensor<3xi32>, tensor<3xf16>) {
    %0:2 = "stablehlo.sort"(%arg0, %arg1) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<f16>, %d: tensor<f16>):
      %1 = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }) : (tensor<3xi32>, tensor<3xf16>) -> (tensor<3xi32>, tensor<3xf16>)
    return %0#0, %0#1 : tensor<3xi32>, tensor<3xf16>
  }
  func.func private @inputs() -> (tensor<3xi32>, tensor<3xf16>) {
    %c = stablehlo.constant dense<[3, -1, 2]> : tensor<3xi32>
    %cst = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf16>
    return %c, %cst : tensor<3xi32>, tensor<3xf16>
  }
  func.func private @expected() -> (tensor<3xi32>, tensor<3xf16>) {
    %c = stablehlo.constant dense<[-1, 2, 3]> : tensor<3xi32>
    %cst = stablehlo.constant dense<[2.0, 3.0, 1.0]> : tensor<3xf16>
    return %c, %cst : tensor<3xi32>, tensor<3xf16>
  }
}
