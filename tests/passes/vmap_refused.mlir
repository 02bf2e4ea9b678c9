// RUN: dxir-opt %s --split-input-file --verify-diagnostics --dxir-vmap=size=3
// RUN: not dxir-opt %s --dxir-vmap 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not dxir-opt %s "--dxir-vmap=size=3 in-axes=0,x" 2>&1 | FileCheck %s --check-prefix=AXES
// RUN: not dxir-opt %s "--dxir-vmap=size=3 in-axes=0,0" 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not dxir-opt %s "--dxir-vmap=size=-3" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not dxir-opt %s "--dxir-vmap=size=3 function=f" 2>&1 | FileCheck %s --check-prefix=NAME

// SIZE: vmap_refused.mlir:{{[0-9]+}}:1: error: dxir-vmap needs the size of the batch
// AXES: in-axes has the entry 'x'
// MANY: vmap_refused.mlir:{{[0-9]+}}:1: error: in_axes has 2 entries, but main has 1
// NAME: vmap_refused.mlir:{{[0-9]+}}:1: error: there is no function @f with a body
// NEGATIVE: size is -3
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{2 ops have no batched form}}
  %0 = stablehlo.custom_call @nobody(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @knows(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
