// xla#47398: a function that is called but has no body brings no tool down. Passes leave the call
// alone, files are written, and only what would have to run it is refused, at the call.
//
// RUN: dxir-opt %s --canonicalize --cse --symbol-dce --inline --dxir-simplify --dxir-fold --dxir-dce --dxir-share-constants --dxir-mixed-precision --dxir-strip-sharding | FileCheck %s
// RUN: dxir-opt %s --dxir-canonical-names --dxir-decompose --dxir-specialize --dxir-externalize-constants='file=%t.safetensors min-bytes=1' | FileCheck %s --check-prefix=NAMES
// RUN: dxir-opt %s --dxir-dce --verify-roundtrip | dxir-translate --serialize | dxir-translate --deserialize | FileCheck %s
// RUN: dxir-translate --info %s | FileCheck %s --check-prefix=INFO
// RUN: not dxir-translate --interpret %s --args="[dense<true> : tensor<i1>, dense<1.0> : tensor<2xf32>]" 2>&1 | FileCheck %s --check-prefix=STOPS

// CHECK-LABEL: func.func @main
// CHECK: stablehlo.if
// CHECK: call @g
// CHECK: func.func private @g(tensor<2xf32>) -> tensor<2xf32>

// NAMES-LABEL: func.func @main
// NAMES: call @function_0
// NAMES: call @g
// NAMES: func.func private @g(tensor<2xf32>) -> tensor<2xf32>

// INFO: @g(tensor<2xf32>) -> (tensor<2xf32>)

// STOPS: bodyless_function.mlir:{{[0-9]+}}:8: error: function @g is called by func.call but has no body
func.func @main(%p: tensor<i1>, %a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = func.call @work(%a) : (tensor<2xf32>) -> tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }, { stablehlo.return %a : tensor<2xf32> }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @work(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @g(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @g(tensor<2xf32>) -> tensor<2xf32>
