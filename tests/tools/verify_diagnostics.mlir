// Every kind of expectation, met.
//
// EXECUTABLES: also
// RUN: dxir-opt %s --split-input-file --verify-diagnostics | FileCheck %s --allow-empty
// RUN: dxir-opt %s --split-input-file --verify-diagnostics=all -o /dev/null
// RUN: dxir-opt %s --split-input-file --verify-diagnostics=only-expected -o /dev/null
// RUN: not dxir-opt %s --split-input-file 2>&1 | FileCheck %s --check-prefix=PLAIN

// The chunk that has an error is not written; one that has none is.
// CHECK-NOT: @same_line
// CHECK: func.func @good

// PLAIN: verify_diagnostics.mlir:[[# @LINE + 3]]:{{[0-9]+}}: error: number of output elements (7) doesn't match
func.func @same_line(%a: tensor<6xf32>) -> tensor<7xf32> {
  // PLAIN-NEXT: %0 = stablehlo.reshape %a
  %0 = stablehlo.reshape %a : (tensor<6xf32>) -> tensor<7xf32> // expected-error {{number of output elements}}
  // PLAIN-NEXT: {{^ *}}^
  return %0 : tensor<7xf32>
}

// -----

func.func @next_line(%a: tensor<6xf32>) -> tensor<7xf32> {
  // expected-error @+1 {{number of output elements}}
  %0 = stablehlo.reshape %a : (tensor<6xf32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// -----

func.func @line_before(%a: tensor<6xf32>) -> tensor<7xf32> {
  %0 = stablehlo.reshape %a : (tensor<6xf32>) -> tensor<7xf32>
  // expected-error@-1 {{number of output elements}}
  return %0 : tensor<7xf32>
}

// -----

func.func @below_and_above(%a: tensor<6xf32>) -> tensor<7xf32> {
  // expected-error@below {{failed to infer}}
  // expected-error@below {{limit index 9 is larger}}
  %0 = stablehlo.slice %a [2:9] : (tensor<6xf32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// -----

func.func @above(%a: tensor<6xf32>) -> tensor<7xf32> {
  %0 = stablehlo.reshape %a : (tensor<6xf32>) -> tensor<7xf32>

  // expected-error @-2 {{number of output}}
  return %0 : tensor<7xf32>
}

// -----

func.func @regular_expressions(%a: tensor<6xf32>) -> tensor<7xf32> {
  // expected-error-re@+1 {{number of {{[a-z]+}} elements ({{[0-9]}}) doesn't match {{.*}} (6)}}
  %0 = stablehlo.reshape %a : (tensor<6xf32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// -----

// expected-note@+1 {{prior use here}}
func.func @note(%a: tensor<6xf32>) -> tensor<7xf32> {
  // expected-error@+1 {{expects different type than prior uses}}
  return %a : tensor<7xf32>
}

// -----

func.func @good(%a: tensor<6xf32>) -> tensor<6xf32> {
  return %a : tensor<6xf32>
}
