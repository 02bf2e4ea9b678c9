// RUN: sdy-opt %s --interpreter-instrument-with-probe --verify-diagnostics
// RUN: not stablehlo-opt %s --interpreter-instrument-with-probe=use-debug-info=true 2>&1 | FileCheck %s

// CHECK: error: the pass interpreter-instrument-with-probe has no option 'use-debug-info'
// expected-error @+1 {{the module cannot hold interpreter.probe: the interpreter dialect is not known here}}
module {
  func.func @main(%x: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.negate %x : tensor<f32>
    return %0 : tensor<f32>
  }
}
