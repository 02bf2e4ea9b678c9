// RUN: dxir-opt %s --split-input-file --verify-diagnostics --dxir-jvp
// RUN: not dxir-opt %s --dxir-jvp=wrt=3 2>&1 | FileCheck %s

// CHECK: wrt names parameter 3, but main has 1
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{an op has no derivative}}
  %0 = stablehlo.custom_call @nobody(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
