// What the interpreter does not run, what brings it down, and checks that do not hold.
//
// EXECUTABLES: also
// RUN: not dxir-translate --interpret -split-input-file %s 2>&1 | FileCheck %s

func.func @main() {
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  // CHECK: interpret_failures.mlir:{{[0-9]+}}:3: error: 'check.expect_eq_const' op: the check fails: 2 of 3 elements do not match: 2 (actual) vs 5 (expected) at [1]; 3 (actual) vs 4 (expected) at [2]
  // CHECK-NEXT: check.expect_eq_const %a
  // CHECK-NEXT: ^
  check.expect_eq_const %a, dense<[1, 5, 4]> : tensor<3xi32>
  return
}

// -----

func.func @main() {
  %a = stablehlo.constant dense<1.0> : tensor<f32>
  // CHECK: error: 'check.expect_close' op: the check fails: 1 (actual) vs 1.00000048 (expected), 4 ULP apart
  %b = stablehlo.constant dense<1.00000048> : tensor<f32>
  check.expect_close %a, %b, max_ulp_difference = 3 : tensor<f32>, tensor<f32>
  // CHECK: error: 'check.expect_eq' op: the check fails: nan (actual) vs nan (expected)
  %n = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  check.expect_eq %n, %n : tensor<f32>
  // CHECK: error: 'check.expect_serialized_eq' op: the check fails: the probe 'none' was written 0 times, not 1
  check.expect_serialized_eq %a, probe_id = "none" : tensor<f32>
  return
}

// -----

func.func @main(%arg0: tensor<i32>) -> tensor<i32> {
  // CHECK: error: the program takes 1 argument, not 0
  return %arg0 : tensor<i32>
}

// -----

func.func @main() -> tensor<i32> {
  // CHECK: error: 'check.expect_eq' op: expected ','
  %a = stablehlo.constant dense<1> : tensor<i32>
  check.expect_eq %a : tensor<i32>
  return %a : tensor<i32>
}

// -----

func.func @main() -> tensor<i32> {
  // CHECK: error: StableHLO's reference interpreter does not run this op: stablehlo.custom_call @unknown
  %a = stablehlo.custom_call @unknown() : () -> tensor<i32>
  return %a : tensor<i32>
}

// -----

func.func @main() -> tensor<f32> {
  %a = stablehlo.constant dense<1.0> : tensor<f32>
  // CHECK: error: StableHLO's reference interpreter does not run the dialect chlo: chlo.tan
  // CHECK: note: run chlo-legalize-to-stablehlo on it first
  %b = chlo.tan %a : tensor<f32> -> tensor<f32>
  return %b : tensor<f32>
}

// -----

func.func @main() -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  // CHECK: interpret_failures.mlir:{{[0-9]+}}:8: error: StableHLO's reference interpreter ended with SIGFPE in stablehlo.divide: an integer is divided by zero
  %a = stablehlo.divide %zero, %zero : tensor<i32>
  return %a : tensor<i32>
}

// -----

func.func @main() -> tensor<i32> {
  // CHECK: error: functions call themselves: @main -> @main
  %a = call @main() : () -> tensor<i32>
  return %a : tensor<i32>
}

// -----

func.func @first() -> tensor<i32> {
  // CHECK: error: there is no function @main to interpret
  // CHECK: note: the program has @first, @second
  %a = call @second() : () -> tensor<i32>
  return %a : tensor<i32>
}
func.func @second() -> tensor<i32> {
  %a = stablehlo.constant dense<1> : tensor<i32>
  return %a : tensor<i32>
}
