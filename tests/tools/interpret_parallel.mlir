// Processes in parallel, with a collective between them; what the module prints comes first.
//
// RUN: dxir-translate --interpret %s | FileCheck %s

// CHECK:      %0:2 = tensor<2xi64> {
// CHECK-NEXT:   [6, 8]
// CHECK-NEXT: }
// CHECK-NEXT: tensor<2xi64> {
// CHECK-NEXT:   [6, 8]
// CHECK-NEXT: }
// CHECK-NEXT: token
module @parallel {
  func.func @sum(%operand: tensor<2xi64>) -> tensor<2xi64> {
    %0 = "stablehlo.all_reduce"(%operand) ({
    ^bb0(%a: tensor<i64>, %b: tensor<i64>):
      %1 = stablehlo.add %a, %b : tensor<i64>
      stablehlo.return %1 : tensor<i64>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi64>) -> tensor<2xi64>
    return %0 : tensor<2xi64>
  }
  func.func @main() -> (tensor<2xi64>, !stablehlo.token) {
    %a = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
    %b = stablehlo.constant dense<[5, 6]> : tensor<2xi64>
    %0:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@sum], [@sum]]}
      : (tensor<2xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
    check.expect_eq %0#0, %0#1 : tensor<2xi64>
    interpreter.print %0#1 : tensor<2xi64>
    %1 = stablehlo.after_all : !stablehlo.token
    return %0#1, %1 : tensor<2xi64>, !stablehlo.token
  }
}
