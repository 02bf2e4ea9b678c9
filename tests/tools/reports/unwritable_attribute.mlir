// jax#26605: passes keep what a custom call is configured with; an artifact cannot hold an array
// attribute, and the error names the key.
//
// RUN: dxir-opt %s --canonicalize --cse --dxir-simplify --dxir-fold --dxir-dce --dxir-share-constants | FileCheck %s
// RUN: not dxir-translate --serialize %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=KEY
// RUN: not dxir-translate --serialize --target=1.0.0 %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=KEY

// KEY: unwritable_attribute.mlir:{{[0-9]+}}:8: error: the attribute backend_config.idx of stablehlo.custom_call has no form in a StableHLO artifact: array<i32: 0, 1, 2>
// KEY: note: {{.*}}dense<
// CHECK: stablehlo.custom_call @f(%arg0) {api_version = 4 : i32, backend_config = {dense = dense<1> : tensor<2xi64>, idx = array<i32: 0, 1, 2>, names = ["a"]}}
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @f(%a) {api_version = 4 : i32, backend_config = {dense = dense<1> : tensor<2xi64>, idx = array<i32: 0, 1, 2>, names = ["a"]}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
