// iree#19852, stablehlo#680, aws-neuron-sdk#1094, tt-xla#97: CHLO is legalized on the way out, and the
// version of the artifact is the one asked for, a number or a window.
//
// RUN: dxir-translate --serialize --target=1.0.0 %s -o %t.bc
// RUN: dxir-translate --print-stablehlo-version %t.bc | FileCheck %s --check-prefix=OLD
// RUN: dxir-translate --deserialize %t.bc | FileCheck %s --check-prefix=OPS --implicit-check-not=chlo
// RUN: dxir-translate --serialize --target=12w %s -o %t.bc && dxir-translate --print-stablehlo-version %t.bc | FileCheck %s --check-prefix=VERSION
// RUN: dxir-translate --serialize --allow-other-dialects %s | dxir-translate --deserialize | FileCheck %s --check-prefix=KEPT
// RUN: not dxir-translate --serialize --target=99.0.0 %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=FUTURE

// OLD: 1.0.0
// VERSION: {{1\.[0-9]+\.[0-9]+}}
// OPS: stablehlo.multiply
// KEPT: chlo.erf
// FUTURE: error: {{.*}}99.0.0
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.erf %a : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
