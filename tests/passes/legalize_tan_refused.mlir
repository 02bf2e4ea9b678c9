// RUN: not dxir-opt %s --dxir-legalize-tan=to=sine 2>&1 | FileCheck %s
// RUN: dxir-opt %s --dxir-legalize-tan --verify-diagnostics

// CHECK: the option to of dxir-legalize-tan is one of tan, quotient, not 'sine'
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %s = stablehlo.sine %x : tensor<4xf32>
  %c = stablehlo.cosine %x : tensor<4xf32>
  // expected-remark @+1 {{sine / cosine is replaced by stablehlo.tan, as asked: results differ by up to 2.4e-07 of their size}}
  %0 = stablehlo.divide %s, %c : tensor<4xf32>
  return %0 : tensor<4xf32>
}
