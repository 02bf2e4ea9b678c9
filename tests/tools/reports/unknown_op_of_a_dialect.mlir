// stablehlo#2072: in its own syntax, an op of a dialect that is not there cannot be read at all.
//
// RUN: not dxir-opt %s -split-input-file 2>&1 | FileCheck %s
// RUN: not dxir-opt %s -split-input-file --allow-unregistered-dialect 2>&1 | FileCheck %s

// CHECK: error: Dialect `tosa' not found for custom op 'tosa.abs'
// CHECK: note: {{.*}}convert the module to StableHLO before, or keep such ops, in generic form
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.abs %a : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK: error: custom op 'stablehlo.gelu' is unknown
// CHECK: note: the op may be newer than this jaxlib, or misspelt
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.gelu %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
