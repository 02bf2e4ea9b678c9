// Without an implicit module the one op of the file is what passes run on.
//
// RUN: dxir-opt %s --no-implicit-module | FileCheck %s --implicit-check-not='module'
// RUN: dxir-opt %s --no-implicit-module --cse | FileCheck %s --check-prefixes=CHECK,CSE --implicit-check-not='module'
// RUN: dxir-opt %s | FileCheck %s --check-prefix=MODULE
// RUN: not dxir-opt %s --no-implicit-module --symbol-dce 2>&1 | FileCheck %s --check-prefix=ANCHOR

// MODULE: module {
// ANCHOR: error: {{.*}}symbol-dce

// CHECK: {{^}}func.func @twice
// CSE: stablehlo.tanh
// CSE-NOT: stablehlo.tanh
func.func @twice(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %a : tensor<4xf32>
  %1 = stablehlo.tanh %a : tensor<4xf32>
  %2 = stablehlo.add %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
