// torch-mlir#3398: a resource with data is a constant like another, for every tool.
//
// RUN: dxir-opt %s --verify-roundtrip | dxir-translate --interpret | FileCheck %s
// RUN: dxir-translate --serialize %s | dxir-translate --interpret | FileCheck %s
// RUN: dxir-opt %s --dxir-fold --dxir-share-constants --emit-bytecode | dxir-translate --interpret | FileCheck %s

// CHECK: [3.000000e+00, 6.000000e+00]
func.func @main() -> tensor<2xf32> {
  %0 = stablehlo.constant dense_resource<w> : tensor<2xf32>
  %1 = call @twice() : () -> tensor<2xf32>
  %2 = stablehlo.add %0, %1 : tensor<2xf32>
  return %2 : tensor<2xf32>
}
func.func private @twice() -> tensor<2xf32> {
  %0 = stablehlo.constant dense_resource<w> : tensor<2xf32>
  %1 = stablehlo.add %0, %0 : tensor<2xf32>
  return %1 : tensor<2xf32>
}
{-# dialect_resources: { builtin: { w: "0x040000000000803F00000040" } } #-}
