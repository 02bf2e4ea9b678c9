// A program that carries checks is run for them.
//
// RUN: not dxir-run %s --split-input-file --backend=interpreter | FileCheck %s --check-prefix=TABLE
// RUN: not dxir-run %s --split-input-file --json -q | FileCheck %s --check-prefix=JSON
// RUN: not dxir-run %s --split-input-file --compare=xla-cpu,interpreter 2>&1 | FileCheck %s --check-prefix=BOTH

// TABLE: 1 check holds
// TABLE: check {{ *}}place {{ *}}off {{ *}}of {{ *}}max abs {{ *}}max ulp {{ *}}example
// TABLE-NEXT: expect_eq_const {{.*}}run_checks.mlir:29:3 {{ *}}1 {{ *}}3 {{ *}}0.5 {{ *}}1048576 {{ *}}4 instead of 4.5 at [1]
// TABLE-NOT: expect_almost_eq_const
// JSON: "check": "expect_eq_const"
// JSON: "holds": true
// JSON: "check": "expect_eq_const"
// JSON: "holds": false
// BOTH: xla-cpu: 1 check holds
// BOTH: interpreter: 1 check holds
// BOTH: dxir-run: error: xla-cpu: 1 of 2 checks does not hold
// BOTH: dxir-run: error: interpreter: 1 of 2 checks does not hold

func.func @main() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %0, dense<[1, 2]> : tensor<2xi32>
  func.return
}
// -----
func.func @main() {
  %x = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %1 = stablehlo.add %x, %x : tensor<3xf32>
  check.expect_eq_const %1, dense<[2.0, 4.5, 6.0]> : tensor<3xf32>
  check.expect_almost_eq_const %1, dense<[2.0, 4.0, 6.0]> : tensor<3xf32>
  func.return
}
