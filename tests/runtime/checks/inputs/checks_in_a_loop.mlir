// A check that is executed once for each turn of a loop.
func.func @main() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %r = stablehlo.while(%i = %zero) : tensor<i32> cond {
    %more = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %back = stablehlo.subtract %next, %one : tensor<i32>
    check.expect_eq %back, %i : tensor<i32>
    stablehlo.return %next : tensor<i32>
  }
  check.expect_eq_const %r, dense<3> : tensor<i32>
  return
}
