// Checks of the check dialect, in custom and generic form, and those of StableHLO's test data.
//
// RUN: dxir-translate --interpret -split-input-file %s | FileCheck %s --allow-empty
// RUN: dxir-translate -split-input-file %s | dxir-translate -split-input-file --interpret
// RUN: dxir-translate -split-input-file -mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC
// RUN: dxir-translate -split-input-file %s | FileCheck %s --check-prefix=CUSTOM

// CHECK-NOT: error

// CUSTOM-LABEL: func.func @exact
// GENERIC: sym_name = "exact"
func.func @exact() {
  %a = stablehlo.constant dense<[1, -2]> : tensor<2xi32>
  // CUSTOM: check.expect_eq %[[A:.*]], %[[A]] : tensor<2xi32>
  // GENERIC: "check.expect_eq"(%[[A:.*]], %[[A]]) : (tensor<2xi32>, tensor<2xi32>) -> ()
  check.expect_eq %a, %a : tensor<2xi32>
  // CUSTOM-NEXT: check.expect_eq_const %[[A]], dense<[1, -2]> : tensor<2xi32>
  // GENERIC-NEXT: "check.expect_eq_const"(%[[A]]) <{value = dense<[1, -2]> : tensor<2xi32>}> : (tensor<2xi32>) -> ()
  check.expect_eq_const %a, dense<[1, -2]> : tensor<2xi32>
  // CUSTOM-NEXT: check.expect_eq_const %[[A]], dense<[1, -2]> : tensor<2xi32>
  "check.expect_eq_const"(%a) {value = dense<[1, -2]> : tensor<2xi32>} : (tensor<2xi32>) -> ()
  // The same number, for floats.
  %z = stablehlo.constant dense<[0.0, 0x7F800000]> : tensor<2xf32>
  check.expect_eq_const %z, dense<[-0.0, 0x7F800000]> : tensor<2xf32>
  %c = stablehlo.constant dense<(1.0, -2.0)> : tensor<3xcomplex<f64>>
  check.expect_eq_const %c, dense<(1.0, -2.0)> : tensor<3xcomplex<f64>>
  return
}

// -----

// CUSTOM-LABEL: func.func @near
func.func @near() {
  %a = stablehlo.constant dense<[1.0, 0x7FC00000]> : tensor<2xf32>
  // CUSTOM: check.expect_almost_eq_const %[[A:.*]], dense<[1.000050e+00, 0x7FC00000]> : tensor<2xf32>
  check.expect_almost_eq_const %a, dense<[1.00005, 0x7FC00000]> : tensor<2xf32>
  %b = stablehlo.constant dense<[1.05, 0x7FC00001]> : tensor<2xf32>
  // CUSTOM: check.expect_almost_eq %[[A]], %{{.*}}, tolerance = 1.000000e-01 : tensor<2xf32>
  check.expect_almost_eq%a, %b, tolerance = 0.1 : tensor<2xf32>
  %c = stablehlo.constant dense<[1.00000024, 0xFFC00000]> : tensor<2xf32>
  // CUSTOM: check.expect_close %[[A]], %{{.*}}, max_ulp_difference = 2 : tensor<2xf32>, tensor<2xf32>
  check.expect_close %a, %c, max_ulp_difference = 2 : tensor<2xf32>, tensor<2xf32>
  %d = stablehlo.constant dense<1.00000024> : tensor<f32>
  %e = stablehlo.constant dense<1.0> : tensor<f32>
  // CUSTOM: check.expect_close %{{.*}}, %{{.*}}, max_ulp_difference = 2, min_ulp_difference = 2 : tensor<f32>, tensor<f32>
  check.expect_close %d, %e, max_ulp_difference = 2,
      min_ulp_difference = 2 : tensor<f32>, tensor<f32>
  return
}

// -----

// CUSTOM-LABEL: module @test_data
module @test_data {
  func.func public @main() -> tensor<2xbf16> {
    %0 = call @expected() : () -> tensor<2xbf16>
    // CUSTOM: stablehlo.custom_call @check.expect_close
    stablehlo.custom_call @check.expect_close(%0, %0) {has_side_effect = true} : (tensor<2xbf16>, tensor<2xbf16>) -> ()
    stablehlo.custom_call @check.expect_eq(%0, %0) {has_side_effect = true} : (tensor<2xbf16>, tensor<2xbf16>) -> ()
    stablehlo.custom_call @check.expect_almost_eq(%0, %0) {has_side_effect = true} : (tensor<2xbf16>, tensor<2xbf16>) -> ()
    %1 = stablehlo.custom_call @check.eq(%0, %0) : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<i1>
    return %0 : tensor<2xbf16>
  }
  func.func private @expected() -> tensor<2xbf16> {
    %0 = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xbf16>
    return %0 : tensor<2xbf16>
  }
}

// -----

// CUSTOM-LABEL: func.func @serialized
func.func @serialized() {
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %two = stablehlo.constant dense<2> : tensor<i64>
  %end = stablehlo.while(%i = %zero) : tensor<i64>
  cond {
    %more = stablehlo.compare LT, %i, %two : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i64>
    %seen = interpreter.probe %next, probe_id = "next, of 2" : tensor<i64>
    stablehlo.return %seen : tensor<i64>
  }
  // CUSTOM: check.expect_serialized_eq %{{.*}}, probe_id = "next, of 2" : tensor<i64>
  check.expect_serialized_eq %one, probe_id = "next, of 2" : tensor<i64>
  // CUSTOM: check.expect_serialized_eq %{{.*}}, probe_id = "next, of 2", iter = 1 : tensor<i64>
  check.expect_serialized_eq %two, probe_id = "next, of 2", iter = 1 : tensor<i64>
  return
}
