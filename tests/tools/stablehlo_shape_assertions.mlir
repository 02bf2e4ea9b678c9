// Assertions about shapes go when they hold, and are errors of their own words when they do not.
//
// RUN: stablehlo-opt %s --stablehlo-check-shape-assertions --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @holds(
// CHECK-NOT: shape_assertion
// CHECK: return
func.func @holds() -> tensor<i32> {
  %t = stablehlo.constant dense<true> : tensor<i1>
  %c = stablehlo.constant dense<4> : tensor<i32>
  stablehlo.custom_call @shape_assertion(%t, %c) {api_version = 2 : i32, error_message = "the size is {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  return %c : tensor<i32>
}

// -----

func.func @fails() -> tensor<i32> {
  %t = stablehlo.constant dense<false> : tensor<i1>
  %c = stablehlo.constant dense<4> : tensor<i32>
  // expected-error @+1 {{the size is 4, not 5}}
  stablehlo.custom_call @shape_assertion(%t, %c) {api_version = 2 : i32, error_message = "the size is {0}, not 5", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  return %c : tensor<i32>
}

// -----

func.func @not_known(%t: tensor<i1>) {
  // expected-error @+1 {{expects static assert_what (operand #0)}}
  stablehlo.custom_call @shape_assertion(%t) {api_version = 2 : i32, error_message = "never seen", has_side_effect = true} : (tensor<i1>) -> ()
  return
}
