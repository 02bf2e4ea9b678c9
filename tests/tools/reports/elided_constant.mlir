// torch-mlir#3398, iree#22230, tt-mlir#2378: a constant whose data was left out can be looked at and
// rewritten, but never used: what needs the data names the constant. One with its data is its data.
//
// RUN: dxir-opt %s --verify-roundtrip --dxir-simplify --dxir-fold --dxir-share-constants --cse | FileCheck %s
// RUN: not dxir-translate --interpret %s 2>&1 | FileCheck %s --check-prefix=ELIDED
// RUN: not dxir-translate --serialize %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=ELIDED
// RUN: not dxir-opt %s --dxir-externalize-constants='file=%t.safetensors min-bytes=1' 2>&1 | FileCheck %s --check-prefix=ELIDED
// RUN: dxir-translate --info %s | FileCheck %s --check-prefix=INFO

// CHECK: stablehlo.constant dense_resource<__elided__> : tensor<2xf32>
// CHECK: stablehlo.constant dense_resource<w> : tensor<2xf32>
// CHECK: stablehlo.add
// CHECK: w: "0x040000000000803F00000040"
// INFO: needs {{.*}}no version holds it: {{.*}}'__elided__' is elided
func.func @main() -> tensor<2xf32> {
  // ELIDED: elided_constant.mlir:{{[0-9]+}}:8: error: {{.*}}the resource '__elided__' is elided
  // ELIDED: note: export the module again without element limits
  %0 = stablehlo.constant dense_resource<__elided__> : tensor<2xf32>
  %1 = stablehlo.constant dense_resource<w> : tensor<2xf32>
  %2 = stablehlo.add %0, %1 : tensor<2xf32>
  return %2 : tensor<2xf32>
}
{-# dialect_resources: { builtin: { w: "0x040000000000803F00000040" } } #-}
