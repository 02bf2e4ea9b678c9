// Which dialects are known, and what is done about others.
//
// RUN: dxir-opt --show-dialects | FileCheck %s --check-prefix=SHOW
// RUN: stablehlo-opt --show-dialects | FileCheck %s --check-prefix=STABLEHLO --implicit-check-not=mpmd
// RUN: sdy-opt --show-dialects | FileCheck %s --check-prefix=SDY
// RUN: not dxir-opt %s 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: dxir-opt %s --allow-unregistered-dialect | FileCheck %s
// RUN: dxir-opt %s -allow-unregistered-dialect -mlir-print-op-generic -cse -canonicalize | FileCheck %s

// SHOW: Available Dialects: {{.*}}builtin,
// SHOW-SAME: func,
// SHOW-SAME: sdy,
// SHOW-SAME: stablehlo,
// STABLEHLO: stablehlo,
// SDY: sdy,

// REFUSED: dialects.mlir:[[# @LINE + 5]]:20: error: operation being parsed with an unregistered dialect
// REFUSED-NEXT: %0 = "acme.scale"
// REFUSED-NEXT: {{^ +}}^
// CHECK: "acme.scale"(%arg0) {by = 2 : i64} : (tensor<4xf32>) -> tensor<4xf32>
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "acme.scale"(%a) {by = 2 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
