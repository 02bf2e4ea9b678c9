// What is said of expectations that are not met, and of diagnostics that nothing expects.
//
// RUN: not dxir-opt %s --split-input-file --verify-diagnostics 2>&1 | FileCheck %s
// RUN: not dxir-opt %s --split-input-file --verify-diagnostics=only-expected 2>&1 | FileCheck %s --check-prefix=ONLY --implicit-check-not="unexpected error"

// CHECK-DAG: verify_diagnostics_unmet.mlir:[[# @LINE + 3]]:{{[0-9]+}}: error: expected error "never said" was not produced
// ONLY: error: expected error "never said" was not produced
func.func @expected(%a: tensor<6xf32>) -> tensor<6xf32> {
  // expected-error @+1 {{never said}}
  return %a : tensor<6xf32>
}

// -----

// CHECK-DAG: verify_diagnostics_unmet.mlir:[[# @LINE + 2]]:{{[0-9]+}}: error: unexpected error: number of output elements (7)
func.func @unexpected(%a: tensor<6xf32>) -> tensor<7xf32> {
  %0 = stablehlo.reshape %a : (tensor<6xf32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// -----

// CHECK-DAG: verify_diagnostics_unmet.mlir:[[# @LINE + 3]]:{{[0-9]+}}: error: 'error' diagnostic emitted when expecting a 'warning'
// CHECK-DAG: error: expected warning "number of output elements" was not produced
func.func @another_severity(%a: tensor<6xf32>) -> tensor<7xf32> {
  // expected-warning @+1 {{number of output elements}}
  %0 = stablehlo.reshape %a : (tensor<6xf32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}
